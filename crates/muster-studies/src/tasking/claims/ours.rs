//! What we promise of the protocol with its fixes, and what we predict of the one as drawn. None of it is the paper's.

use muster_core::tasking::Variant;

use super::{ALL, COST, Claim, EXAMPLE, NONE, PERCENT, SECONDS, names, near, share, spread};
use crate::tasking::Study;
use crate::tasking::faults::Faults;
use crate::tasking::growth::{Along, Load};
use crate::tasking::mission::Mission;
use crate::tasking::normal::NORMAL;
use crate::tasking::partitions::Partitions;
use crate::tasking::simultaneous::{Ratio, TO_APART, TO_PLANNER};
use crate::verdict::{Bounds, Interval};

const FENCED: &str = Variant::Fenced.name();

/// Our promises.
pub fn claims(study: &Study) -> Vec<Claim> {
    let mut claims = Vec::new();
    normal(&mut claims, study);
    chains(&mut claims, study);
    weaknesses(&mut claims, study);
    losses(&mut claims, study);
    load(&mut claims, study);
    for row in study.faults.iter().filter(|row| row.variant == FENCED) {
        crashes(&mut claims, row);
    }
    for row in study.partitions.iter().filter(|row| row.variant == FENCED) {
        partition(&mut claims, row);
    }
    elections(&mut claims, study);
    spare(&mut claims, study);
    simultaneous(&mut claims, study);
    given_up(&mut claims, study);
    sampling(&mut claims, study);
    bids(&mut claims, study);
    for mission in &study.missions {
        costs(&mut claims, mission);
    }
    claims
}

/// The same as the paper's, with the fixes.
fn normal(claims: &mut Vec<Claim>, study: &Study) {
    for normal in NORMAL {
        for went in study.normal.iter().filter(|went| went.id == normal.id && went.variant == FENCED) {
            let id = names::normal(went);
            let measured = share(went.right, went.runs);
            claims.push(Claim::of_ours(id, normal.what, FENCED, measured, (ALL, PERCENT)).on(went.runs));
        }
    }
}

/// Every chain carries its task to the end, also the one that the paper's proof leaves out.
fn chains(claims: &mut Vec<Claim>, study: &Study) {
    for chain in study.chains.iter().filter(|chain| chain.variant == FENCED) {
        let (loss, sync_s) = (100.0 * chain.loss, chain.overlap_s);
        let statement = format!(
            "passed on along a chain ({}) with t_sync = {sync_s:.0} s at {loss:.0} % loss, the task is carried out",
            chain.case.words()
        );
        let Some(id) = names::chain(chain) else { continue };
        let measured = share(chain.carried_out, chain.runs);
        claims.push(Claim::of_ours(id, statement, FENCED, measured, (ALL, PERCENT)).on(chain.runs));
    }
}

/// What the fixes are for. As drawn each is shown, not judged: what it comes to is in the table.
fn weaknesses(claims: &mut Vec<Claim>, study: &Study) {
    for shown in &study.weaknesses {
        let it = &shown.fenced;
        // No protocol keeps a team that cannot talk from doing it twice; what was cancelled is not to be done.
        let helpless = ["W8 partition outlasts execution", "W8 deaf late"].contains(&shown.id);
        let (right, words) = match shown.id {
            _ if helpless => (it.more, "done twice, as no protocol can help"),
            "W16 no retraction" => (it.never, "not done any more"),
            _ => (it.once, "done exactly once"),
        };
        let id = names::weakness(shown);
        let statement = format!("{}: {}; with the fixes {words}", shown.id, shown.what);
        let claim = Claim::of_ours(id, statement, it.variant, share(right, it.runs), (ALL, PERCENT)).on(it.runs);
        claims.push(if helpless { claim.by_construction() } else { claim });
    }
}

/// W4: a lost Completion is the whole cause.
fn losses(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.losses.iter().filter(|row| row.variant == Variant::Drawn.name()) {
        let loss = 100.0 * row.loss;
        let expected = 100.0 * (1.0 - (1.0 - row.loss).powi(4));
        let statement = format!(
            "W4 as drawn: at {loss:.0} % loss a PEER misses Completion and has the task done again with probability \
             1 - (1 - p)^(V - 1) = {expected:.1} %, give or take 4, since who missed it may itself not be heard"
        );
        let claimed = Bounds::between((expected - 4.0).round(), (expected + 4.0).round());
        let measured = Interval::percent(row.twice, row.runs);
        let id = format!("lost-completion-{loss:.0}");
        claims.push(Claim::of_ours(id, statement, row.variant, measured, (claimed, PERCENT)).on(row.runs));
    }
}

/// What the fixes cost: until 900 s after the last deed at most twice what the protocol as drawn takes.
fn load(claims: &mut Vec<Claim>, study: &Study) {
    let both = study.growth.iter().filter(|load| load.along == Along::Both);
    let ratio = |load: &Load| Some(load.of(Variant::Fenced)?.settled / load.of(Variant::Drawn)?.settled);
    let ratios: Vec<f64> = both.filter_map(ratio).collect();
    let statement = "without loss all messages until 900 s after the last deed, beside those as drawn, for each of T = 1 to 6 \
                     tasks and V = 3, 6, 10, 20 vehicles (mean; at most twice everywhere)";
    let claimed = (Bounds::between(0.0, 2.0), "");
    claims.push(Claim::of_ours("fenced-load", statement, FENCED, spread(&ratios), claimed).on(ratios.len()));
}

/// Crashes. What no protocol can promise is counted apart, and is no part of these.
fn crashes(claims: &mut Vec<Claim>, row: &Faults) {
    let most = row.delivery == "at-most-once";
    let unruly = row.air != "orderly";
    let (crashes, loss) = (row.crashes, 100.0 * row.loss);
    let messages = if unruly { ", messages doubled and reordered" } else { "" };
    let promise = if most { "at most once, " } else { "" };
    let under = format!("{promise}{crashes} at {loss:.0} % loss{messages}");
    let mut add = |what: &str, words: &str, count: f64| {
        let id = names::crashes(row, what);
        let statement = format!("{under}, any role at any moment: {words}");
        let claim = Claim::of_ours(id, statement, row.variant, Interval::exact(count), (NONE, "")).on(row.runs);
        // What was to be met says that the others mean something, and nothing about the protocol.
        claims.push(if what == "met" { claim.precondition() } else { claim });
    };
    let (lost, twice) = if most {
        (
            "tasks not done although a quorum was left that could give leave, and not because they expired while somebody \
             was at them",
            "tasks done twice",
        )
    } else {
        (
            "tasks not done although somebody who knew of it was left",
            "tasks done again although somebody who knew that it was done was left",
        )
    };
    add("lost", lost, f64::from(row.verdict.lost));
    add("twice", twice, f64::from(row.verdict.duplicates));
    if row.meets_all() {
        add("met", "moments of its work at which no vehicle crashed", row.never_met.len() as f64);
    }
}

fn partition(claims: &mut Vec<Claim>, row: &Partitions) {
    let loss = 100.0 * row.loss;
    if row.delivery == "at-most-once" {
        let statement =
            format!("at most once, with partitions of any length at {loss:.0} % loss: runs in which it was done twice");
        let id = names::at_most_once(row);
        let measured = Interval::exact(row.twice as f64);
        claims.push(Claim::of_ours(id, statement, row.variant, measured, (NONE, "")).on(row.runs));
        return;
    }
    let mut add = |what: &str, statement: String, (part, of): (usize, usize), claimed: Bounds| {
        let id = names::partition(row, what);
        // Of none there is nothing to say: any share is possible.
        let measured = if claimed == ALL && of > 0 { share(part, of) } else { Interval::percent(part, of) };
        claims.push(Claim::of_ours(id, statement, row.variant, measured, (claimed, PERCENT)).on(of));
    };
    add(
        "healed",
        format!("a partition that heals before execution, at {loss:.0} % loss: done exactly once"),
        (row.once, row.healed_in_time),
        ALL,
    );
    add(
        "between",
        format!(
            "a partition that heals after the first execution, and {:.0} s before the second at least (for so many \
             reports that one gets through), at {loss:.0} % loss: not done twice",
            row.spare_s
        ),
        (row.healed_between - row.wrong, row.healed_between),
        ALL,
    );
    add(
        "done",
        format!("a partition of any length, at {loss:.0} % loss: done at least once"),
        (row.runs - row.never, row.runs),
        ALL,
    );
    let (within, noticed, least) = if row.loss == 0.0 {
        (2, row.noticed_in_2, ALL)
    } else {
        (10, row.noticed_in_10, Bounds::between(99.0, 100.0))
    };
    add(
        "noticed",
        format!(
            "a partition that outlasts execution, at {loss:.0} % loss: the vehicles report the duplicate within {within} \
             t_status of healing"
        ),
        (noticed, row.outlasted),
        least,
    );
}

/// W6.
fn elections(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.elections.iter().filter(|row| row.variant == FENCED) {
        let statement =
            format!("W6: an election on a {} ends with one LEAD (share of those with several)", row.network);
        let id = format!("election-{}-{}", row.network.replace(' ', "-"), row.variant);
        let measured = share(row.several, row.runs);
        claims.push(Claim::of_ours(id, statement, row.variant, measured, (NONE, PERCENT)).on(row.runs));
    }
}

/// A group that loses its dropper, with a vehicle to spare, beside a planner that knows everything.
fn spare(claims: &mut Vec<Claim>, study: &Study) {
    for row in &study.spare {
        let mut add =
            |what: &str, statement: &str, measured: Interval, claimed: (Bounds, &'static str), runs: usize| {
                let id = format!("{FENCED}-spare-{what}");
                let statement = format!("hotspot with a spare vehicle, the dropper stops at any moment: {statement}");
                claims.push(Claim::of_ours(id, statement, FENCED, measured, claimed).on(runs));
            };
        add(
            "order",
            "no phase is flown before one that comes before it",
            share(row.in_order, row.runs),
            (ALL, PERCENT),
            row.runs,
        );
        let kept = Interval::percent(row.kept, row.possible);
        let windows = "windows are kept where a planner that knows all positions 1 s later keeps them";
        add("windows", windows, kept, (Bounds::between(80.0, 100.0), PERCENT), row.possible);
        let delay = "how much later than by that planner the last phase is flown, median";
        add("delay", delay, row.delay(), (Bounds::at_most(25.0), SECONDS), row.runs);
    }
}

/// Orders at one instant.
fn simultaneous(claims: &mut Vec<Claim>, study: &Study) {
    for row in &study.simultaneous {
        let name = row.geometry.name();
        let mut add = |what: &str, words: &str, ratio: &Ratio, bound: f64| {
            let statement = format!("two to five orders at one instant, {name}: cost as flown, by {words}, mean");
            let claimed = (Bounds::at_most(bound), "");
            let id = format!("{FENCED}-at-once-{name}-{what}");
            claims.push(Claim::of_ours(id, statement, FENCED, ratio.interval(), claimed).on(row.arrangements));
        };
        add("planner", "that of an exhaustive sequential assignment", &row.to_planner, TO_PLANNER);
        add("apart", "that of the same orders 0.2 s apart", &row.to_apart, TO_APART);
    }
}

/// What groups gave up.
fn given_up(claims: &mut Vec<Claim>, study: &Study) {
    for row in &study.given_up {
        let loss = 100.0 * row.loss;
        let faults = if row.faults { ", a vehicle fails" } else { "" };
        let id = format!("{FENCED}-given-up-loss-{loss:.0}{}", if row.faults { "-faults" } else { "" });
        let (measured, claimed, words) = match (row.loss == 0.0, row.faults) {
            (true, false) => (Interval::exact(row.though_possible as f64), (NONE, ""), "orders"),
            // What is lost with a vehicle may be seen too late for what was possible: it is reported, and not promised.
            (true, true) => continue,
            (false, _) => {
                let share = Interval::percent(row.though_possible, row.orders);
                (share, (Bounds::between(0.0, 2.0), PERCENT), "share of orders")
            }
        };
        let statement =
            format!("small missions at {loss:.0} % loss{faults}: {words} given up though they were possible");
        claims.push(Claim::of_ours(id, statement, FENCED, measured, claimed).on(row.missions));
    }
}

/// The paper's future work: fewer bytes for the same error.
fn sampling(claims: &mut Vec<Claim>, study: &Study) {
    for row in study.sampling.iter().filter(|row| row.vehicles == "random") {
        let bytes = Interval::exact(row.cases.iter().map(|case| case.adaptive.bytes).max().unwrap_or(0) as f64);
        let model = row.model.name();
        let bytes_of = format!("adaptive sampling, {model} costs: most bytes of a bid");
        let claimed = (Bounds::between(1.0, 100.0), "bytes");
        let runs = row.cases.len();
        claims.push(Claim::of_ours(format!("sampling-{model}-bytes"), bytes_of, FENCED, bytes, claimed).on(runs));
        let grid = row.mean(|case| case.grid.mean.min(case.bold.mean));
        let statement =
            format!("adaptive sampling, {model} costs: mean error, against {grid:.3} of the paper's 336 bytes");
        let mean = Interval::exact(row.mean(|case| case.adaptive.mean));
        let claimed = (Bounds::between(0.0, grid), "");
        claims.push(Claim::of_ours(format!("sampling-{model}-error"), statement, FENCED, mean, claimed).on(runs));
    }
}

/// The same on the air, in missions drawn at random that are flown twice.
fn bids(claims: &mut Vec<Claim>, study: &Study) {
    let it = &study.bids;
    let percent = |id: &str, statement: String, measured: Interval, claimed: Bounds| {
        Claim::of_ours(id, statement, FENCED, measured, (claimed, PERCENT)).on(it.missions)
    };
    let bytes = format!(
        "adaptive bids: bytes of all messages, of those with samples every 5 s and 45 degrees ({:.0} a mission)",
        it.mean_bytes.grid
    );
    claims.push(percent("bids-bytes", bytes, it.bytes, Bounds::between(0.0, 100.0)));
    let cost = "adaptive bids: cost of missions as they are flown, of that with samples".to_owned();
    claims.push(percent("bids-cost", cost, it.cost_share, Bounds::between(0.0, 100.0)));
    let kept =
        format!("adaptive bids: missions flown in order and in their windows, beside {} with samples", it.kept.grid);
    // As many as with samples, to within what chance does to the few that differ.
    let least = 100.0 * it.kept.grid as f64 / it.missions.max(1) as f64 - 2.0;
    let measured = share(it.kept.adaptive, it.missions);
    claims.push(percent("bids-kept", kept, measured, Bounds::between(least.max(0.0), 100.0)));
}

/// Costs of assignments, in `hotspot` and in `hotspot-crossing`, which is ours: the vehicles' places were chosen for them.
fn costs(claims: &mut Vec<Claim>, mission: &Mission) {
    let crossing = mission.scenario == "hotspot-crossing";
    let id = |what: &str| format!("{FENCED}-{}-{what}", mission.scenario);
    let mut add = |what: &str, statement: String, value: f64, claimed: (Bounds, &'static str)| {
        let claim = Claim::of_ours(id(what), statement, mission.scenario, Interval::exact(value), claimed);
        claims.push(claim.fitted());
    };
    for (task, (who, at_s, heading)) in mission.flown.outcome.iter().zip(EXAMPLE) {
        let flight = task.flight.filter(|flight| {
            task.responder.as_deref() == Some(who) && flight.planned_s == at_s && flight.planned_heading_deg == heading
        });
        let phase = task.task.rsplit(' ').next().unwrap_or_default();
        let late = flight.map_or(f64::NAN, |flight| flight.flown_s - flight.planned_s);
        // The paper's were 1, 1 and 2 s early, with a clock of 1 s; ours have an exact one, and no such error.
        let statement = format!("{phase} by {who} at t = {at_s:.0} on heading {heading:.0}: how late it is flown");
        add(phase, statement, late, (Bounds::between(-0.1, 0.1), SECONDS));
    }
    let (optimum, second) = if crossing { (123.33, 133.33) } else { (120.40, 130.40) };
    add("optimum", format!("the least cost is {optimum:.2}"), mission.optimum, (near(optimum), COST));
    add("second", format!("the next is {second:.2}"), mission.second, (near(second), COST));
    if crossing {
        let statement = "without rules on headings doug3 would take 315 degrees: 120.00".to_owned();
        add("headings", statement, mission.without_headings, (near(120.00), COST));
    }
}
