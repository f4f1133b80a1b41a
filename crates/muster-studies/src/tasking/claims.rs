//! What the paper says, and what the specification asks for, each with what we measure.

use muster_core::tasking::Variant;
use serde::Serialize;

use super::Study;
use super::faults::Faults;
use super::mission::Mission;

/// A claim and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// A short name.
    pub id: String,
    /// Where the paper makes it, or which section of the specification asks for it.
    pub section: &'static str,
    /// What it says.
    pub statement: String,
    /// Which variant of the protocol, or which scenario.
    pub reading: &'static str,
    /// What value, low and high are counted in; empty if they are plain numbers.
    pub unit: &'static str,
    /// What was measured.
    pub value: f64,
    /// Least that it may be.
    pub low: f64,
    /// Most that it may be.
    pub high: f64,
    /// `holds`, `fails`, or `known-mismatch`: the protocol as drawn is known not to keep it.
    pub verdict: &'static str,
}

/// Hundredths of a cost are what a bid holds: nearer than half of one is the same.
const HALF: f64 = 0.005;

const PERCENT: &str = "%";
const COST: &str = "cost";

/// A claim that holds if what was measured lies between two values, counted in `unit`.
fn claim(
    (id, section): (impl Into<String>, &'static str),
    statement: impl Into<String>,
    reading: &'static str,
    value: f64,
    (low, high, unit): (f64, f64, &'static str),
) -> Claim {
    let held = (low..=high).contains(&value);
    let verdict = if held { "holds" } else { "fails" };
    Claim { id: id.into(), section, statement: statement.into(), reading, unit, value, low, high, verdict }
}

impl Claim {
    /// The specification says that it does not hold for the protocol as drawn.
    fn known(self) -> Self {
        let verdict = if self.verdict == "fails" { "known-mismatch" } else { self.verdict };
        Self { verdict, ..self }
    }

    /// What was measured, for people to read.
    pub fn measured(&self) -> String {
        self.with_unit(&self.plain(self.value))
    }

    /// What it may be, for people to read.
    pub fn expected(&self) -> String {
        let (low, high) = (self.plain(self.low), self.plain(self.high));
        if self.unit == COST {
            return self.plain(f64::midpoint(self.low, self.high));
        }
        self.with_unit(&if low == high { low } else { format!("{low} to {high}") })
    }

    fn with_unit(&self, number: &str) -> String {
        match self.unit {
            "" | COST => number.to_owned(),
            unit => format!("{number} {unit}"),
        }
    }

    /// A cost with its hundredths, else as many of three decimals as it needs.
    fn plain(&self, value: f64) -> String {
        match self.unit {
            _ if !value.is_finite() => "–".to_owned(),
            COST => format!("{value:.2}"),
            _ => {
                let text = format!("{value:.3}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                if text == "-0" { "0".to_owned() } else { text.to_owned() }
            }
        }
    }
}

/// All claims of a study.
pub fn claims(study: &Study) -> Vec<Claim> {
    let mut claims = Vec::new();
    for mission in &study.missions {
        example(&mut claims, mission);
    }
    figures(&mut claims, study);
    chains(&mut claims, study);
    doubles(&mut claims, study);
    weaknesses(&mut claims, study);
    load(&mut claims, study);
    losses(&mut claims, study);
    faults(&mut claims, &study.faults);
    partitions(&mut claims, study);
    elections(&mut claims, study);
    sampling(&mut claims, study);
    claims
}

/// §4: who, when, on which heading.
fn example(claims: &mut Vec<Claim>, mission: &Mission) {
    let crossing = mission.scenario == "hotspot-crossing";
    let expected = [("doug4", 15.0, 180.0), ("doug2", 20.0, 45.0), ("doug3", 25.0, 270.0)];
    for (task, (who, at_s, heading)) in mission.flown.outcome.iter().zip(expected) {
        let flight = task.flight;
        let as_in_paper = task.responder.as_deref() == Some(who)
            && flight.is_some_and(|it| it.planned_s == at_s && it.planned_heading_deg == heading);
        let id = format!("{}-{}", mission.scenario, task.task.rsplit(' ').next().unwrap_or_default());
        let late = flight.map_or(f64::NAN, |it| it.flown_s - it.planned_s);
        let statement = format!("{who} at t = {at_s:.0} on heading {heading:.0}, over the target within 1 s");
        let measured = if as_in_paper { late } else { f64::NAN };
        claims.push(claim((id, "4"), statement, mission.scenario, measured, (-1.0, 1.0, "s")));
    }
    let (optimum, second) = if crossing { (123.33, 133.33) } else { (120.40, 130.40) };
    let id = |what: &str| format!("{}-{what}", mission.scenario);
    let near = |value: f64| (value - HALF, value + HALF, COST);
    claims.push(claim(
        (id("optimum"), "5"),
        format!("the least cost is {optimum:.2}"),
        mission.scenario,
        mission.optimum,
        near(optimum),
    ));
    claims.push(claim(
        (id("second"), "5"),
        format!("the next is {second:.2}"),
        mission.scenario,
        mission.second,
        near(second),
    ));
    if crossing {
        let statement = "without rules on headings doug3 would take 315 degrees: 120.00";
        claims.push(claim((id("headings"), "5"), statement, mission.scenario, mission.without_headings, near(120.00)));
    }
}

/// §4, Figure 6: 40 at t = 20, 50 at t = 25.
fn figures(claims: &mut Vec<Claim>, study: &Study) {
    for (at_s, cost) in [(20.0, 40.0), (25.0, 50.0)] {
        let measured = study.figures.cost_of_doug2(at_s).unwrap_or(f64::NAN);
        let statement = format!("doug2 bids {cost:.0} for heading 45 at t = {at_s:.0}");
        claims.push(claim(
            (format!("figure-6-at-{at_s:.0}"), "4"),
            statement,
            "paper",
            measured,
            (cost - HALF, cost + HALF, COST),
        ));
    }
    let earliest_s = study.figures.first_bid_of_doug2().unwrap_or(f64::NAN);
    let statement = "doug2 needs 20 s to reach the target on heading 45: when its bid begins";
    claims.push(claim(("figure-6-earliest", "4"), statement, "paper", earliest_s, (20.0, 20.0, "s")));
}

/// §2.1, Claim 1.
fn chains(claims: &mut Vec<Claim>, study: &Study) {
    for chain in &study.chains {
        let share = 100.0 * chain.carried_out as f64 / chain.runs.max(1) as f64;
        let statement = format!(
            "claim 1: passed on along a chain with t_sync = {:.0} s at {:.0} % loss, the task is carried out (share of runs)",
            chain.overlap_s,
            100.0 * chain.loss
        );
        let id = format!("claim-1-{}-sync-{:.0}-loss-{:.0}", chain.variant, chain.overlap_s, 100.0 * chain.loss);
        let claim = claim((id, "2.1"), statement, chain.variant, share, (100.0, 100.0, PERCENT));
        // Case 3 of the proof is missing: a LEAD that waits to retry says nothing that starts a PEER.
        claims.push(if chain.variant == Variant::Drawn.name() { claim.known() } else { claim });
    }
}

/// §2.1, Claim 2: the star.
fn doubles(claims: &mut Vec<Claim>, study: &Study) {
    for shown in study.weaknesses.iter().filter(|shown| shown.id.starts_with("W5")) {
        for outcome in [&shown.drawn, &shown.fenced] {
            let share = 100.0 * outcome.more as f64 / outcome.runs.max(1) as f64;
            let statement = "claim 2: a Status gets to one vehicle in time, so only its sender executes (share of runs in which it was done twice)";
            let id = format!("claim-2-{}", outcome.variant);
            let claim = claim((id, "2.1"), statement, outcome.variant, share, (0.0, 0.0, PERCENT));
            claims.push(if outcome.variant == Variant::Drawn.name() { claim.known() } else { claim });
        }
    }
}

/// Section 6: what the fixes are for. As drawn each is shown, not judged: what it comes to is in the table.
fn weaknesses(claims: &mut Vec<Claim>, study: &Study) {
    for shown in &study.weaknesses {
        let it = &shown.fenced;
        // No protocol keeps a team that cannot talk from doing it twice; what was cancelled is not to be done.
        let (right, words) = match shown.id {
            "W8 partition outlasts execution" | "W8 deaf late" => (it.more, "done twice, as no protocol can help"),
            "W16 no retraction" => (it.never, "not done any more"),
            _ => (it.once, "done exactly once"),
        };
        let share = 100.0 * right as f64 / it.runs.max(1) as f64;
        let id = shown.id.to_lowercase().replace([' ', ','], "-").replace('%', "percent");
        let statement = format!("{}: {}; with the fixes {words} (share of runs)", shown.id, shown.what);
        claims.push(claim((id, "6"), statement, it.variant, share, (100.0, 100.0, PERCENT)));
    }
}

/// §2.1, Claim 3.
fn load(claims: &mut Vec<Claim>, study: &Study) {
    for term in &study.load {
        let measured = term.measured as f64;
        // Reports come every t_status and a little later.
        let slack = if term.term == "reports" { 0.15 * term.drawn + 1.0 } else { 0.0 };
        let within = ((term.drawn - slack).ceil(), (term.drawn + slack).floor(), "");
        let statement = format!("claim 3: messages as drawn, {}", term.term);
        let id = format!("claim-3-{}", term.term.replace(' ', "-"));
        claims.push(claim((id, "2.1"), statement, "drawn", measured, within));
    }
    let bidding =
        ["solicitation", "bids", "bid acknowledgements", "assignment and acceptance", "acknowledged acceptance"];
    let sum: u64 = study.load.iter().filter(|term| bidding.contains(&term.term)).map(|term| term.measured).sum();
    let statement = "claim 3: bidding takes 2V + 3 messages; as drawn the acceptance is acknowledged, too";
    claims.push(claim(("claim-3-bidding", "2.1"), statement, "drawn", sum as f64, (11.0, 11.0, "")).known());
}

/// W4: a lost Completion is the whole cause.
fn losses(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.losses.iter().filter(|row| row.variant == Variant::Drawn.name()) {
        let runs = row.runs as f64;
        let share = row.twice as f64 / runs.max(1.0);
        let expected = 1.0 - (1.0 - row.loss).powi(4);
        // Three standard errors, and 3 percent: a PEER that missed Completion may itself not be heard of again.
        let slack = 3.0 * (expected * (1.0 - expected) / runs.max(1.0)).sqrt() + 0.03;
        // In whole percent, and no more than there can be.
        let percent = |share: f64| (100.0 * share).round().clamp(0.0, 100.0);
        claims.push(claim(
            (format!("lost-completion-{:.0}", 100.0 * row.loss), "6, W4"),
            format!(
                "at {:.0} % loss a PEER misses Completion and has the task done again with probability 1 - (1 - p)^(V - 1) \
                 = {:.0} % (share of runs)",
                100.0 * row.loss,
                100.0 * expected
            ),
            "drawn",
            100.0 * share,
            (percent(expected - slack), percent(expected + slack), PERCENT),
        ));
    }
}

/// Section 7: crashes. What no protocol can promise is counted apart, and is no part of these.
fn faults(claims: &mut Vec<Claim>, faults: &[Faults]) {
    for row in faults {
        let fenced = row.variant == Variant::Fenced.name();
        let most = row.delivery == "at-most-once";
        let unruly = row.air != "orderly";
        let (crashes, loss) = (row.crashes, 100.0 * row.loss);
        let messages = if unruly { ", messages doubled and reordered" } else { "" };
        let promise = if most { "at most once, " } else { "" };
        let under = format!("{promise}{crashes} at {loss:.0} % loss{messages}");
        let id = |what: &str| {
            let promise = if most { "-at-most-once" } else { "" };
            let air = if unruly { "-unruly" } else { "" };
            format!("{}{promise}-{}{air}-loss-{loss:.0}-{what}", row.variant, crashes.replace(' ', "-"))
        };
        let mut add = |what: &str, words: &str, value: f64, expected: (f64, f64)| {
            let statement = format!("{under}, any role at any moment: {words}");
            let claim = claim((id(what), "7"), statement, row.variant, value, (expected.0, expected.1, ""));
            claims.push(if fenced { claim } else { claim.known() });
        };
        let (lost, twice) = if most {
            (
                "tasks not done although a quorum was left that could give leave, and not because they expired while \
                 somebody was at them",
                "tasks done twice",
            )
        } else {
            (
                "tasks not done although somebody who knew of it was left",
                "tasks done again although somebody who knew that it was done was left",
            )
        };
        add("lost", lost, f64::from(row.verdict.lost), (0.0, 0.0));
        add("twice", twice, f64::from(row.verdict.duplicates), (0.0, 0.0));
        // As drawn nobody keeps what it has done, and says Completion before.
        if fenced {
            let least = if row.meets_all() { 1.0 } else { 0.0 };
            let words = "vehicles that crashed between a deed and its second Done";
            add("at-deed", words, row.at_deed as f64, (least, row.tasks.max(1) as f64));
        }
    }
}

fn partitions(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.partitions.iter().filter(|row| row.delivery == "at-most-once") {
        let loss = 100.0 * row.loss;
        let statement =
            format!("at most once, with partitions of any length at {loss:.0} % loss: runs in which it was done twice");
        let id = format!("at-most-once-loss-{loss:.0}");
        claims.push(claim((id, "7"), statement, row.variant, row.twice as f64, (0.0, 0.0, "")));
    }
    for row in study.partitions.iter().filter(|row| row.delivery == "at-least-once") {
        let fenced = row.variant == Variant::Fenced.name();
        let loss = 100.0 * row.loss;
        let percent = |part: usize, of: usize| if of == 0 { 100.0 } else { 100.0 * part as f64 / of as f64 };
        let mut add = |what: &str, statement: String, value: f64, least: f64| {
            let id = format!("{}-partition-loss-{loss:.0}-{what}", row.variant);
            let claim = claim((id, "7"), statement, row.variant, value, (least, 100.0, PERCENT));
            claims.push(if fenced { claim } else { claim.known() });
        };
        add(
            "healed",
            format!("a partition that heals before execution, at {loss:.0} % loss: done exactly once (share of runs)"),
            percent(row.once, row.healed_in_time),
            100.0,
        );
        add(
            "between",
            format!(
                "a partition that heals after the first execution, and {:.0} s before the second at least (for so many \
                 reports that one gets through), at {loss:.0} % loss: not done twice (share of runs)",
                row.spare_s
            ),
            percent(row.healed_between - row.wrong, row.healed_between),
            100.0,
        );
        add(
            "done",
            format!("a partition of any length, at {loss:.0} % loss: done at least once (share of runs)"),
            percent(row.runs - row.never, row.runs),
            100.0,
        );
        let (within, noticed, least) =
            if row.loss == 0.0 { (2, row.noticed_in_2, 100.0) } else { (10, row.noticed_in_10, 99.0) };
        add(
            "noticed",
            format!(
                "a partition that outlasts execution, at {loss:.0} % loss: the vehicles report the duplicate within \
                 {within} t_status of healing (share of runs)"
            ),
            percent(noticed, row.outlasted),
            least,
        );
    }
}

fn elections(claims: &mut Vec<Claim>, study: &Study) {
    for row in &study.elections {
        let share = 100.0 * row.several as f64 / row.runs.max(1) as f64;
        let statement = format!("an election on a {} ends with one LEAD (share of those with several)", row.network);
        let id = format!("election-{}-{}", row.network.replace(' ', "-"), row.variant);
        let claim = claim((id, "6, W6"), statement, row.variant, share, (0.0, 0.0, PERCENT));
        claims.push(if row.variant == Variant::Drawn.name() { claim.known() } else { claim });
    }
}

/// §9: fewer bytes for the same error.
fn sampling(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.sampling.iter().filter(|row| row.vehicles == "random") {
        let bytes = row.cases.iter().map(|case| case.adaptive.bytes).max().unwrap_or(0) as f64;
        let model = row.model.name();
        let bytes_of = format!("adaptive sampling, {model} costs: most bytes of a bid");
        claims.push(claim((format!("sampling-{model}-bytes"), "9"), bytes_of, "fenced", bytes, (1.0, 100.0, "bytes")));
        let grid = row.mean(|case| case.grid.mean.min(case.bold.mean));
        let statement =
            format!("adaptive sampling, {model} costs: mean error, against {grid:.3} of the paper's 336 bytes");
        let mean = row.mean(|case| case.adaptive.mean);
        claims.push(claim((format!("sampling-{model}-error"), "9"), statement, "fenced", mean, (0.0, grid, "")));
    }
}
