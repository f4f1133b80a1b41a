//! What the paper claims, by its own sections and in its own words, of the protocol as it is drawn.

use muster_core::tasking::Variant;
use muster_core::tasking::cost::Grid;

use super::{ALL, COST, Claim, NONE, PERCENT, SECONDS, near, share};
use crate::tasking::Study;
use crate::tasking::chain::Case;
use crate::tasking::growth::Along;
use crate::tasking::load::Term;
use crate::tasking::normal::{NORMAL, Normal, Went};
use crate::verdict::{Bounds, Interval};

const DRAWN: &str = Variant::Drawn.name();

/// The paper's claims.
pub fn claims(study: &Study) -> Vec<Claim> {
    let mut claims = Vec::new();
    normal(&mut claims, study);
    completion(&mut claims, study);
    duplication(&mut claims, study);
    load(&mut claims, study);
    bytes(&mut claims);
    example(&mut claims, study);
    claims
}

fn went<'s>(study: &'s Study, id: &str) -> Option<(&'static Normal, &'s Went)> {
    static ALL: [Normal; 4] = NORMAL;
    let normal = ALL.iter().find(|normal| normal.id == id)?;
    Some((normal, study.normal.iter().find(|went| went.id == id && went.variant == DRAWN)?))
}

/// §1, §2, §4: what works as drawn when nothing is lost and everybody is in range.
fn normal(claims: &mut Vec<Claim>, study: &Study) {
    for id in ["mission", "user-gone", "re-offered"] {
        let Some((normal, went)) = went(study, id) else { continue };
        let measured = share(went.right, went.runs);
        claims.push(Claim::of_paper((id, normal.section), normal.what, DRAWN, measured, (ALL, PERCENT)).on(went.runs));
    }
}

/// §2.1, Claim 1: task completion.
fn completion(claims: &mut Vec<Claim>, study: &Study) {
    // What is lost is no part of the claim: vehicles of the chain are "able to exchange messages".
    for chain in study.chains.iter().filter(|chain| chain.variant == DRAWN && chain.loss == 0.0) {
        let statement =
            format!("claim 1, {}: with t_sync = {:.0} s the task is carried out", chain.case.words(), chain.overlap_s);
        let id = format!("claim-1-{}-sync-{:.0}", chain.case.name(), chain.overlap_s);
        let measured = share(chain.carried_out, chain.runs);
        let claim = Claim::of_paper((id, "2.1"), statement, DRAWN, measured, (ALL, PERCENT)).on(chain.runs);
        claims.push(match chain.case {
            Case::Assigned | Case::Peer => claim,
            Case::Lead => claim.known(
                0.0,
                0.0,
                "a gap of the proof, whose two cases are above: a LEAD that waits to retry says nothing that would start a \
                 PEER",
            ),
        });
    }
}

/// §2.1, Claim 2: task duplication.
fn duplication(claims: &mut Vec<Claim>, study: &Study) {
    if let Some((normal, went)) = went(study, "only-one") {
        let measured = share(went.runs - went.right, went.runs);
        let statement = format!("claim 2: {} (share of runs in which it was not so)", normal.what);
        let mut claim =
            Claim::of_paper(("claim-2", normal.section), statement, "every PEER hears it", measured, (NONE, PERCENT))
                .on(went.runs);
        if let Some(star) = study.weaknesses.iter().find(|shown| shown.id == "W5 star") {
            let measured = share(star.drawn.more, star.drawn.runs);
            claim = claim.or_read_as("\"a vehicle\", some one of them hears it (a star, W5)", measured);
        }
        claims.push(claim);
    }
    if let Some(split) = study.weaknesses.iter().find(|shown| shown.id == "W7 with a gap") {
        let measured = share(split.drawn.once, split.drawn.runs);
        let statement = "claim 2: after a temporary partition a vehicle that hears two reports challenges, and the task is \
                         rebid to a single vehicle (share of runs in which it was done once)";
        claims.push(
            Claim::of_paper(("claim-2-rebid", "2.1"), statement, DRAWN, measured, (ALL, PERCENT))
                .on(split.drawn.runs)
                .known(
                    40.0,
                    95.0,
                    "in Figure 1e any reply ends a challenge, so both holders answer and nobody rebids; only a Completion \
                     that comes first keeps the other from flying",
                ),
        );
    }
}

/// §2.1, Claim 3: communication load. V is the number of vehicles.
fn load(claims: &mut Vec<Claim>, study: &Study) {
    for term in &study.load {
        let printed = term.paper.unwrap_or(0.0);
        // Reports come every t_status and a little later, by jitter that the paper asks for.
        let slack = if term.term == "reports" { 0.15 * printed + 1.0 } else { 0.0 };
        let within = Bounds::between((printed - slack).ceil(), (printed + slack).floor());
        let statement = format!("claim 3, T = 1, V = 5: messages by the formula, {}", term.term);
        let id = format!("claim-3-{}", term.term.replace(' ', "-"));
        let measured = Interval::exact(term.measured as f64);
        let claim = Claim::of_paper((id, "2.1"), statement, DRAWN, measured, (within, ""));
        claims.push(match term.term {
            "bids" | "bid acknowledgements" => {
                claim.known(4.0, 4.0, "the LEAD is one of the V vehicles, and its own bid needs no radio")
            }
            "acknowledged acceptance" => claim.known(1.0, 1.0, "Figure 1c draws it, the formula leaves it out"),
            "injection" => claim.known(7.0, 7.0, "the proof begins with the solicitation"),
            _ => claim,
        });
    }
    let bidding =
        ["solicitation", "bids", "bid acknowledgements", "assignment and acceptance", "acknowledged acceptance"];
    let of =
        |of: fn(&Term) -> f64| -> f64 { study.load.iter().filter(|term| bidding.contains(&term.term)).map(of).sum() };
    let (counted, printed) = (of(|term| term.measured as f64), of(|term| term.paper.unwrap_or(0.0)));
    let statement = "claim 3, T = 1, V = 5: bidding takes 2V + 3 messages";
    let claimed = (Bounds::exactly(printed), "");
    claims.push(
        Claim::of_paper(("claim-3-bidding", "2.1"), statement, DRAWN, Interval::exact(counted), claimed).known(
            12.0,
            12.0,
            "two fewer, since the LEAD's own bid needs no radio, and one more, since the acceptance is acknowledged",
        ),
    );
    growth(claims, study);
}

/// The whole formula over T, V and t_dur. "Is" is read as: within a tenth.
fn growth(claims: &mut Vec<Claim>, study: &Study) {
    let ratios = |of: &dyn Fn(Along) -> bool| -> Vec<f64> {
        let rows = study.growth.iter().filter(|load| of(load.along));
        rows.filter_map(|load| Some(load.of(Variant::Drawn)?.messages / load.formula)).collect()
    };
    let spread = |ratios: &[f64]| Interval {
        value: crate::stats::mean(ratios),
        low: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        high: ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    };
    let tenth = (Bounds::between(0.9, 1.1), "");
    let singles = spread(&ratios(&|along| along != Along::Group));
    let statement = "claim 3: from the solicitation on the load is L = T(2V + 3) + t_dur T / t_status + T, over T, V and t_dur \
                     (counted / formula, within a tenth everywhere; mean)";
    claims.push(Claim::of_paper(("claim-3-growth", "2.1"), statement, DRAWN, singles, tenth));
    let group = spread(&ratios(&|along| along == Along::Group));
    let statement = "claim 3: the same for a group of T = 3 tasks that are auctioned at once (counted / formula)";
    claims.push(Claim::of_paper(("claim-3-group", "2.1"), statement, DRAWN, group, tenth).known(
        0.72,
        0.85,
        "our groups are solicited once, and a vehicle bids for all of their tasks in one message: 1 + 2(V - 1) + 3T instead of \
         T(2V + 3)",
    ));
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
    let expected = [("doug4", 15.0, 180.0), ("doug2", 20.0, 45.0), ("doug3", 25.0, 270.0)];
    for (task, (who, at_s, heading)) in mission.drawn.outcome.iter().zip(expected) {
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
