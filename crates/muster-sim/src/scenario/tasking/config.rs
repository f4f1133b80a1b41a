//! From the section to the protocol's own configuration, and back with every value filled in.

use muster_core::Duration;
use muster_core::tasking::config::{Config, Variant};
use muster_core::tasking::cost::Grid;
use muster_core::tasking::group::Coupling;

use super::{AdaptiveName, GridEntry, Points, TaskingSection, TaskingSpec, VariantName};
use crate::crossing::CROSSING_M;
use crate::scenario::build::{Misfit, time};
use crate::scenario::value::{NonNegative, Positive, Probability};

/// How the nodes of a team of `team` work.
pub(in crate::scenario) fn config(section: &TaskingSection, spec: &TaskingSpec, variant: Variant, team: u32) -> Config {
    let mut config = Config::of(variant, team);
    config.templates = spec.templates.clone();
    let seconds = |target: &mut Duration, value: Option<f64>| {
        if let Some(value) = value {
            *target = Duration::from_secs_f64(value);
        }
    };
    let positive = |value: Option<Positive>| value.map(Positive::get);
    let zero = |value: Option<NonNegative>| value.map(NonNegative::get);
    seconds(&mut config.status, positive(section.t_status_s));
    seconds(&mut config.peer, positive(section.t_peer_s));
    seconds(&mut config.claim, positive(section.t_claim_s));
    seconds(&mut config.claim_spread, zero(section.claim_spread_s));
    seconds(&mut config.solicited, positive(section.t_sol_s));
    seconds(&mut config.retry, positive(section.t_retry_s));
    seconds(&mut config.ack, positive(section.t_ack_s));
    seconds(&mut config.bid, positive(section.t_bid_s));
    seconds(&mut config.bid_ack, positive(section.t_back_s));
    seconds(&mut config.accept, positive(section.t_accept_s));
    seconds(&mut config.accept_ack, positive(section.t_aack_s));
    seconds(&mut config.reply, positive(section.t_reply_s));
    seconds(&mut config.claims, positive(section.t_claims_s));
    seconds(&mut config.win, positive(section.t_win_s));
    seconds(&mut config.lead, positive(section.t_lead_s));
    seconds(&mut config.passed_over, zero(section.passed_over_s));
    seconds(&mut config.spread, zero(section.spread_s));
    seconds(&mut config.tolerance, zero(section.tolerance_s));
    seconds(&mut config.announce, positive(section.announce_s));
    seconds(&mut config.settle, zero(section.settle_s));
    seconds(&mut config.double_gap, zero(section.double_gap_s));
    seconds(&mut config.tombstone, positive(section.tombstone_s));
    seconds(&mut config.repeat_done, zero(section.repeat_done_s));
    config.rounds = section.rounds.unwrap_or(config.rounds);
    config.jitter = section.jitter.map_or(config.jitter, Probability::get);
    config.node_budget = section.node_budget.unwrap_or(config.node_budget);
    config.corridor_m = section.corridor_m.map_or(config.corridor_m, Positive::get);
    match section.grid {
        Some(GridEntry::Points(Points { step_s, times, headings })) => {
            config.grid = Grid { step: Duration::from_secs_f64(step_s.get()), times, headings };
        }
        // As drawn, bids are the paper's.
        Some(GridEntry::Adaptive(_)) | None if variant == Variant::Fenced => {
            let horizon = positive(section.horizon_s).unwrap_or_else(|| horizon_s(spec, &config));
            let windows = spec.templates.values().flat_map(|template| &template.couplings).filter_map(Coupling::width);
            let closest = windows.min();
            config.grid = Grid::adaptive(Duration::from_secs_f64(horizon), closest);
            config.coarsely = config.grid.coarsely(closest);
            config.adaptive = true;
        }
        Some(GridEntry::Adaptive(_)) | None => {}
    }
    config.silence = section.silence_s.map(|[from, to]| (time(from), time(to)));
    config
}

/// How late after t0 tasks are bid for: so late that the slowest vehicle can come from the opposite corner of the field, on
/// any heading, and that what ties the phases of a group together fits in after that. As in the paper at least, and in tens of
/// seconds.
fn horizon_s(spec: &TaskingSpec, config: &Config) -> f64 {
    let around_m = config.corridor_m * (std::f64::consts::PI + 1.0);
    let crossing_s = (spec.diagonal_m + around_m) / spec.slowest_mps;
    let paper_s = Grid::mackenzie_2003().horizon().as_secs_f64();
    let span_s = spec.templates.values().map(|template| template.span().as_secs_f64()).fold(0.0, f64::max);
    (((crossing_s + span_s) / 10.0).ceil() * 10.0).clamp(paper_s, MOST_HORIZON_S)
}

/// No horizon is later: a bid has two bytes for it.
const MOST_HORIZON_S: f64 = 60_000.0;

/// No wait is shorter: a run of hours would take events without end.
const SHORTEST_S: f64 = 0.001;

/// What is waited for again and again. Where 0 says "not at all" it may stand.
fn waits(section: &TaskingSection) -> [(&'static str, Option<f64>); 17] {
    let positive = |value: Option<Positive>| value.map(Positive::get);
    [
        ("t_status_s", positive(section.t_status_s)),
        ("t_peer_s", positive(section.t_peer_s)),
        ("t_claim_s", positive(section.t_claim_s)),
        ("t_sol_s", positive(section.t_sol_s)),
        ("t_retry_s", positive(section.t_retry_s)),
        ("t_ack_s", positive(section.t_ack_s)),
        ("t_bid_s", positive(section.t_bid_s)),
        ("t_back_s", positive(section.t_back_s)),
        ("t_accept_s", positive(section.t_accept_s)),
        ("t_aack_s", positive(section.t_aack_s)),
        ("t_reply_s", positive(section.t_reply_s)),
        ("t_claims_s", positive(section.t_claims_s)),
        ("t_win_s", positive(section.t_win_s)),
        ("t_lead_s", positive(section.t_lead_s)),
        ("announce_s", positive(section.announce_s)),
        ("tombstone_s", positive(section.tombstone_s)),
        ("repeat_done_s", section.repeat_done_s.map(NonNegative::get).filter(|&wait| wait > 0.0)),
    ]
}

/// Times that do not go together, and a grid, rounds or a budget that are none.
pub(in crate::scenario) fn check(section: &TaskingSection, config: &Config, delay: Duration) -> Result<(), Misfit> {
    if let Some((key, wait)) = waits(section).into_iter().find(|(_, wait)| wait.is_some_and(|wait| wait < SHORTEST_S)) {
        let message = format!("a wait of {:e} s is too short: a run would never get anywhere", wait.unwrap_or(0.0));
        return Err(Misfit::new(&["tasking", key], message, "at least 0.001 s"));
    }
    let grid = &config.grid;
    if grid.times == 0 || grid.headings == 0 || grid.len() > 100_000 {
        let message = format!("a grid of {} times by {} headings", grid.times, grid.headings);
        return Err(Misfit::new(&["tasking", "grid"], message, "at least 1 by 1, at most 100,000 points"));
    }
    if let Some(horizon_s) = section.horizon_s {
        let why = match section.grid {
            Some(GridEntry::Points(_)) => Some("the grid says until when costs are sampled, too"),
            _ if !config.adaptive => Some("as drawn and as written, costs are sampled for 100 s, as in the paper"),
            _ => None,
        };
        if let Some(why) = why {
            let help = "leave it out, or set tasking.grid to \"adaptive\" and tasking.variant to \"fenced\"";
            return Err(Misfit::new(&["tasking", "horizon_s"], why, help));
        }
        if !(1.0..=MOST_HORIZON_S).contains(&horizon_s.get()) {
            let message = format!("a horizon of {} s", horizon_s.get());
            return Err(Misfit::new(&["tasking", "horizon_s"], message, "at least 1 s, at most 60000 s"));
        }
    }
    if section.variant != VariantName::Fenced && matches!(section.grid, Some(GridEntry::Adaptive(_))) {
        let help = "set tasking.variant to \"fenced\", or leave the grid out, or name its points";
        return Err(Misfit::new(
            &["tasking", "grid"],
            "as drawn and as written, bids hold samples at the points of a grid",
            help,
        ));
    }
    if config.rounds == 0 {
        let help = "at least 1; without it the team's size less one, at most 8";
        return Err(Misfit::new(&["tasking", "rounds"], "elections without an exchange of winners elect nobody", help));
    }
    if config.node_budget == 0 {
        let help = "at least 1; without it 100000";
        return Err(Misfit::new(&["tasking", "node_budget"], "a budget of 0 nodes leads to no plan", help));
    }
    config.check(delay).map_err(|wrong| {
        if section.jitter.is_some() && ["t_claims", "t_win"].contains(&wrong.name) {
            return too_much_jitter(config, delay, wrong.least);
        }
        let key = match wrong.name {
            "tombstone" => "tombstone_s".to_owned(),
            name => format!("{name}_s"),
        };
        let help = format!("set tasking.{key} to more than {} s, or make the other shorter", wrong.least.as_secs_f64());
        Misfit::new(&["tasking", &key], wrong.to_string(), help)
    })
}

/// Timers of PEERs run out so far apart that some would miss an election.
fn too_much_jitter(config: &Config, delay: Duration, least: Duration) -> Misfit {
    let jitter = config.jitter;
    let apart = config.peer.stretched(jitter).as_secs_f64();
    let shortest = config.claims.min(config.win);
    let message = format!(
        "a jitter of {jitter} lets t_peer ({} s) run out up to {apart} s apart, and an election (t_claims {} s, t_win {} s) \
         does not wait that long",
        config.peer.as_secs_f64(),
        config.claims.as_secs_f64(),
        config.win.as_secs_f64(),
    );
    // Rounded down, and away from the very limit.
    let room = shortest.as_secs_f64() - delay.as_secs_f64();
    let most = ((100.0 * room / config.peer.as_secs_f64()).ceil() - 1.0) / 100.0;
    let short = [("t_claims_s", config.claims), ("t_win_s", config.win)].into_iter().filter(|(_, is)| *is <= least);
    let short: Vec<&str> = short.map(|(name, _)| name).collect();
    let longer = format!("{} longer than {} s", short.join(" and "), least.as_secs_f64());
    let help = match most >= 0.0 {
        true => format!("set tasking.jitter to {most} or less, or make {longer}"),
        false => format!("make {longer}"),
    };
    Misfit::new(&["tasking", "jitter"], message, help)
}

/// How long a run goes on after everything is done. Where nothing is asked for, long enough for whoever missed that something
/// is done to find out, or to begin it again.
pub(in crate::scenario) fn linger(section: &TaskingSection, config: &Config) -> Duration {
    let usual = Duration::from_micros(2 * config.peer.as_micros());
    section.linger_s.map_or(usual, |linger| Duration::from_secs_f64(linger.get()))
}

/// The section with every value filled in that it leaves to the protocol's own configuration. But for `linger_s`: whether it is
/// given says how a run ends, and a recording is made again from this.
pub(in crate::scenario) fn resolved(section: &TaskingSection, config: &Config) -> TaskingSection {
    let positive = |duration: Duration| Positive::new(duration.as_secs_f64()).ok();
    let zero = |duration: Duration| NonNegative::new(duration.as_secs_f64()).ok();
    TaskingSection {
        corridor_m: Positive::new(config.corridor_m).ok(),
        crossing_m: section.crossing_m.or(Positive::new(CROSSING_M).ok()),
        grid: match config.adaptive {
            true => Some(GridEntry::Adaptive(AdaptiveName::Adaptive)),
            false => positive(config.grid.step).map(|step_s| {
                GridEntry::Points(Points { step_s, times: config.grid.times, headings: config.grid.headings })
            }),
        },
        horizon_s: positive(config.grid.horizon()).filter(|_| config.adaptive),
        node_budget: Some(config.node_budget),
        t_status_s: positive(config.status),
        t_peer_s: positive(config.peer),
        t_claim_s: positive(config.claim),
        claim_spread_s: zero(config.claim_spread),
        t_sol_s: positive(config.solicited),
        t_retry_s: positive(config.retry),
        t_ack_s: positive(config.ack),
        t_bid_s: positive(config.bid),
        t_back_s: positive(config.bid_ack),
        t_accept_s: positive(config.accept),
        t_aack_s: positive(config.accept_ack),
        t_reply_s: positive(config.reply),
        t_claims_s: positive(config.claims),
        t_win_s: positive(config.win),
        rounds: Some(config.rounds),
        t_lead_s: positive(config.lead),
        passed_over_s: zero(config.passed_over),
        spread_s: zero(config.spread),
        tolerance_s: zero(config.tolerance),
        announce_s: positive(config.announce),
        settle_s: zero(config.settle),
        double_gap_s: zero(config.double_gap),
        jitter: Probability::new(config.jitter).ok(),
        tombstone_s: positive(config.tombstone),
        repeat_done_s: zero(config.repeat_done),
        ..section.clone()
    }
}
