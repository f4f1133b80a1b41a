//! What the paper claims, by its own sections and in its own words, of the protocol as it is drawn and as it is written.

use muster_core::tasking::Variant;
use muster_core::tasking::cost::Grid;

use super::{ALL, COST, Claim, EXAMPLE, NONE, PERCENT, SECONDS, named, names, near, share};
use crate::tasking::Study;
use crate::tasking::chain::Case;
use crate::tasking::growth::{Along, FEW, Load};
use crate::tasking::load::Term;
use crate::tasking::normal::{NORMAL, Normal, Went};
use crate::verdict::{Bounds, Interval};

const DRAWN: &str = Variant::Drawn.name();

/// The paper's protocol: as its figure draws it, and with the remedies of its text. Each is judged by itself.
const PAPERS: [Variant; 2] = [Variant::Drawn, Variant::Written];

/// The paper's claims.
pub fn claims(study: &Study) -> Vec<Claim> {
    let mut claims = Vec::new();
    for variant in PAPERS {
        normal(&mut claims, study, variant);
        completion(&mut claims, study, variant);
        duplication(&mut claims, study, variant);
        load(&mut claims, study, variant);
    }
    bytes(&mut claims);
    example(&mut claims, study);
    claims
}

fn went<'s>(study: &'s Study, variant: Variant, id: &str) -> Option<(&'static Normal, &'s Went)> {
    static ALL: [Normal; 4] = NORMAL;
    let normal = ALL.iter().find(|normal| normal.id == id)?;
    Some((normal, study.normal.iter().find(|went| went.id == id && went.variant == variant.name())?))
}

/// §1, §2, §4: what works when nothing is lost and everybody is in range.
fn normal(claims: &mut Vec<Claim>, study: &Study, variant: Variant) {
    for id in ["mission", "user-gone", "re-offered"] {
        let Some((normal, went)) = went(study, variant, id) else { continue };
        let (measured, reading) = (share(went.right, went.runs), variant.name());
        let id = (names::normal(went), normal.section);
        claims.push(Claim::of_paper(id, normal.what, reading, measured, (ALL, PERCENT)).on(went.runs));
    }
}

/// §2.1, Claim 1: task completion.
fn completion(claims: &mut Vec<Claim>, study: &Study, variant: Variant) {
    for chain in study.chains.iter().filter(|chain| chain.variant == variant.name()) {
        let Some(id) = names::chain(chain) else { continue };
        let statement =
            format!("claim 1, {}: with t_sync = {:.0} s the task is carried out", chain.case.words(), chain.overlap_s);
        let measured = share(chain.carried_out, chain.runs);
        let claim = Claim::of_paper((id, "2.1"), statement, variant.name(), measured, (ALL, PERCENT)).on(chain.runs);
        claims.push(match chain.case {
            Case::Assigned | Case::Peer => claim,
            Case::Lead => claim.known(
                0.0,
                0.0,
                "a gap of the proof, which has two other cases: a LEAD that waits to retry says nothing that would start a \
                 PEER",
            ),
        });
    }
    let of = |id: &str| study.weaknesses.iter().find(|shown| shown.id == id).map(|shown| shown.under(variant));
    if let Some(toll) = of("W2 dies before execution") {
        let statement = "claim 1: the assigned vehicle stops between its completion report and the deed, its PEERs are left: \
                         the task is carried out";
        let (measured, id) = (share(toll.runs - toll.never, toll.runs), named(variant, "claim-1-before-the-deed"));
        let claim = Claim::of_paper((id, "2.1"), statement, variant.name(), measured, (ALL, PERCENT)).on(toll.runs);
        claims.push(match variant {
            Variant::Drawn => claim.known(
                0.0,
                0.0,
                "in Figure 1 nobody watches any more after the completion report; the reports of success of §2 mend it",
            ),
            Variant::Written | Variant::Fenced => claim,
        });
    }
}

/// §2.1, Claim 2: task duplication.
fn duplication(claims: &mut Vec<Claim>, study: &Study, variant: Variant) {
    let of = |id: &str| study.weaknesses.iter().find(|shown| shown.id == id).map(|shown| shown.under(variant));
    if let Some((normal, went)) = went(study, variant, "only-one") {
        let measured = share(went.runs - went.right, went.runs);
        let statement = format!("claim 2: {} (share of runs in which it was not so)", normal.what);
        let reading = match variant {
            Variant::Drawn => "every PEER hears it",
            Variant::Written | Variant::Fenced => "written, every PEER hears it",
        };
        let id = (names::normal(went), normal.section);
        let mut claim = Claim::of_paper(id, statement, reading, measured, (NONE, PERCENT)).on(went.runs);
        if let Some(star) = of("W5 star") {
            let measured = share(star.more, star.runs);
            claim = claim.or_read_as("\"a vehicle\", some one of them hears it (a star, W5)", measured);
        }
        claims.push(claim);
    }
    if let Some(split) = of("W7 with a gap") {
        let measured = share(split.once, split.runs);
        let statement = "claim 2: after a temporary partition a vehicle that hears two reports challenges, and the task is \
                         rebid to a single vehicle (share of runs in which it was done once)";
        let id = (named(variant, "claim-2-rebid"), "2.1");
        let claim = Claim::of_paper(id, statement, variant.name(), measured, (ALL, PERCENT)).on(split.runs);
        claims.push(match variant {
            Variant::Drawn => claim.known(
                40.0,
                95.0,
                "in Figure 1e any reply ends a challenge, so both holders answer and nobody rebids; only a Completion that \
                 comes first keeps the other from flying",
            ),
            Variant::Written | Variant::Fenced => claim,
        });
    }
    for row in study.losses.iter().filter(|row| row.variant == variant.name()) {
        let Some(id) = names::losses(row) else { continue };
        let loss = 100.0 * row.loss;
        let statement = format!(
            "claim 2 at {loss:.0} % loss, where of eleven reports in t_peer some one gets through: only the assigned vehicle \
             executes (share of runs in which another did, too)"
        );
        let measured = share(row.twice, row.runs);
        let claim = Claim::of_paper((id, "2.1"), statement, variant.name(), measured, (NONE, PERCENT)).on(row.runs);
        let because = "a PEER that misses the one Completion of Figure 1 has the task done again (W4); the reports of success \
                       of §2 mend it";
        claims.push(match (variant, row.loss < 0.2) {
            (Variant::Drawn, true) => claim.known(20.0, 45.0, because),
            (Variant::Drawn, false) => claim.known(60.0, 85.0, because),
            (Variant::Written, false) => claim.known(
                0.0,
                2.0,
                "rarely: a winner whose acknowledgement was lost reports nothing, its PEERs elect one LEAD after the other, and \
                 what those assign is not ordered, as it is by F3: 3 of 8,000 runs, seeds 1 to 4",
            ),
            (Variant::Written | Variant::Fenced, _) => claim,
        });
    }
}

/// §2.1, Claim 3: communication load. V is the number of vehicles.
fn load(claims: &mut Vec<Claim>, study: &Study, variant: Variant) {
    let counted = |term: &Term| match variant {
        Variant::Drawn => term.measured as f64,
        Variant::Written => term.written as f64,
        Variant::Fenced => term.fenced as f64,
    };
    for term in &study.load {
        let printed = term.paper.unwrap_or(0.0);
        // Reports come every t_status and a little later, by jitter that the paper asks for.
        let slack = if term.term == "reports" { 0.15 * printed + 1.0 } else { 0.0 };
        let within = Bounds::between((printed - slack).ceil(), (printed + slack).floor());
        let statement = format!("claim 3, T = 1, V = 5: messages by the formula, {}", term.term);
        let id = named(variant, format_args!("claim-3-{}", term.term.replace(' ', "-")));
        let measured = Interval::exact(counted(term));
        let claim = Claim::of_paper((id, "2.1"), statement, variant.name(), measured, (within, ""));
        claims.push(match term.term {
            "bids" | "bid acknowledgements" => {
                claim.known(4.0, 4.0, "the LEAD is one of the V vehicles, and its own bid needs no radio")
            }
            "acknowledged acceptance" => claim.known(1.0, 1.0, "Figure 1c draws it, the formula leaves it out"),
            "injection" => claim.known(7.0, 7.0, "the proof begins with the solicitation"),
            "completion" if variant == Variant::Written => {
                claim.known(2.0, 3.0, "reports of success follow, as §2 has them; the formula counts none")
            }
            _ => claim,
        });
    }
    let bidding =
        ["solicitation", "bids", "bid acknowledgements", "assignment and acceptance", "acknowledged acceptance"];
    let of = |of: &dyn Fn(&Term) -> f64| -> f64 {
        study.load.iter().filter(|term| bidding.contains(&term.term)).map(of).sum()
    };
    let (counted, printed) = (of(&counted), of(&|term| term.paper.unwrap_or(0.0)));
    let statement = "claim 3, T = 1, V = 5: bidding takes 2V + 3 messages";
    let claimed = (Bounds::exactly(printed), "");
    let id = (named(variant, "claim-3-bidding"), "2.1");
    claims.push(Claim::of_paper(id, statement, variant.name(), Interval::exact(counted), claimed).known(
        12.0,
        12.0,
        "two fewer, since the LEAD's own bid needs no radio, and one more, since the acceptance is acknowledged",
    ));
    growth(claims, study, variant);
}

/// The whole formula over T, V and t_dur. "Is" is read as: within a tenth.
fn growth(claims: &mut Vec<Claim>, study: &Study, variant: Variant) {
    let shares = |of: &dyn Fn(&Load) -> bool| -> Vec<Interval> {
        let rows = study.growth.iter().filter(|load| of(load));
        rows.filter_map(|load| Some(load.of(variant)?.of_formula)).collect()
    };
    let tenth = (Bounds::between(0.9, 1.1), "");
    let mut add = |id: &str, statement: &str, of: &dyn Fn(&Load) -> bool, known: Option<(f64, f64, &'static str)>| {
        let measured = farthest(&shares(of));
        let claim = Claim::of_paper((named(variant, id), "2.1"), statement, variant.name(), measured, tenth);
        claims.push(match known {
            Some((low, high, because)) => claim.known(low, high, because),
            None => claim,
        });
    };
    let success = "the reports of success of §2 are no part of the formula: those of the first tasks are counted while the last \
                   is still pending";
    let written = variant == Variant::Written;
    let statement = "claim 3: from the solicitation on the load is L = T(2V + 3) + t_dur T / t_status + T, along T, V and t_dur, \
                     from five vehicles on (counted / formula, within a tenth everywhere; where it is farthest from it)";
    let axes = |load: &Load| !matches!(load.along, Along::Group | Along::Both) && load.vehicles > FEW;
    add("claim-3-growth", statement, &axes, written.then_some((1.1, 1.25, success)));
    let statement = "claim 3: the same with three vehicles and one task (counted / formula)";
    let few = "of the few messages that three vehicles take, two are missing, since the LEAD's own bid needs no radio, and so \
               are reports: each comes up to a tenth later than t_status, by the jitter of §2.1, and none after Completion";
    let three = |load: &Load| load.along == Along::Vehicles && load.vehicles <= FEW;
    add("claim-3-few", statement, &three, (!written).then_some((0.85, 0.9, few)));
    let statement = "claim 3: the same over T = 1 to 6 and V = 3, 6, 10, 20 together (counted / formula)";
    let known = if written { (1.1, 1.25, success) } else { (0.85, 0.9, few) };
    add("claim-3-grid", statement, &|load| load.along == Along::Both, Some(known));
    let statement = "claim 3: the same for a group of T = 3 tasks that are auctioned at once (counted / formula)";
    let at_once = "our groups are solicited once, and a vehicle bids for all of their tasks in one message: \
                   1 + 2(V - 1) + 3T instead of T(2V + 3)";
    add("claim-3-group", statement, &|load| load.along == Along::Group, Some((0.72, 0.85, at_once)));
}

/// The share that is, or may be, farthest from one.
fn farthest(shares: &[Interval]) -> Interval {
    let off = |share: &Interval| (share.low - 1.0).abs().max((share.high - 1.0).abs());
    shares.iter().copied().max_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(Interval::exact(f64::NAN))
}

/// §3: what a bid takes.
fn bytes(claims: &mut Vec<Claim>) {
    let grid = Grid::mackenzie_2003();
    let bytes = f64::from(grid.times) * f64::from(grid.headings) * 2.0;
    let statement = "21 times x 8 headings x 2 bytes: a bid is sent in 336 bytes";
    let measured = Interval::exact(bytes);
    let claim = Claim::of_paper(("bid-bytes", "3"), statement, DRAWN, measured, (Bounds::exactly(336.0), "bytes"));
    claims.push(claim.by_construction());
}

/// §4: who, when, on which heading; Figure 6: 40 at t = 20, 50 at t = 25. Places and rates were fitted to these.
fn example(claims: &mut Vec<Claim>, study: &Study) {
    for (at_s, cost) in [(20.0, 40.0), (25.0, 50.0)] {
        let measured = Interval::exact(study.figures.cost_of_doug2(at_s).unwrap_or(f64::NAN));
        let statement = format!("Figure 6: doug2 bids {cost:.0} for heading 45 at t = {at_s:.0}");
        let id = format!("figure-6-at-{at_s:.0}");
        claims.push(Claim::of_paper((id, "4"), statement, "hotspot", measured, (near(cost), COST)).fitted());
    }
    let earliest = Interval::exact(study.figures.first_bid_of_doug2().unwrap_or(f64::NAN));
    let statement = "Figure 6: doug2 needs 20 s to reach the target on heading 45: when its bid begins";
    let claimed = (Bounds::exactly(20.0), SECONDS);
    claims.push(Claim::of_paper(("figure-6-earliest", "4"), statement, "hotspot", earliest, claimed).fitted());
    let Some(mission) = study.missions.iter().find(|mission| mission.scenario == "hotspot") else { return };
    for (task, (who, at_s, heading)) in mission.drawn.outcome.iter().zip(EXAMPLE) {
        let planned = task
            .flight
            .filter(|flight| task.responder.as_deref() == Some(who) && flight.planned_heading_deg == heading);
        let phase = task.task.rsplit(' ').next().unwrap_or_default();
        let statement = format!("the least cost has {who} {phase} on heading {heading:.0}: at what time");
        let measured = Interval::exact(planned.map_or(f64::NAN, |flight| flight.planned_s));
        let id = format!("hotspot-{phase}");
        let claimed = (Bounds::exactly(at_s), SECONDS);
        claims.push(Claim::of_paper((id, "4"), statement, "hotspot, drawn", measured, claimed).fitted());
    }
}
