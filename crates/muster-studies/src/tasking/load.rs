//! Claim 3: how many messages it takes, term by term, in a run without loss.

use std::cell::RefCell;

use muster_core::RobotId;
use muster_core::tasking::{Tasking, Variant};
use muster_sim::scenario::{self, ScenarioError};
use muster_sim::{AnyObserver, Sim};
use serde::Serialize;

use super::trial::{Counts, Tasks, mesh};

/// One term of the load.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// What is counted.
    pub term: &'static str,
    /// What the paper's formula has, V being the number of vehicles; `None`: it leaves it out.
    pub paper: Option<f64>,
    /// What follows from the protocol as drawn.
    pub drawn: f64,
    /// Counted, as drawn.
    pub measured: u64,
    /// Counted, as written.
    pub written: u64,
    /// Counted, with the fixes.
    pub fenced: u64,
    /// Why they differ, if they do.
    pub remark: &'static str,
}

/// Vehicles in the mesh.
const VEHICLES: f64 = 5.0;

/// Messages by which a task gets to a LEAD.
pub const INJECTION: [&str; 3] = ["Task", "ClaimLead(user)", "AckLead"];

/// Counts a single task in the mesh: L = T(2V + 3) + t_dur T / t_status + T with T = 1 and V = 5.
pub fn load(seed: u64) -> Result<Vec<Term>, ScenarioError> {
    // A seed whose LEAD is not the winner: else nobody is notified by radio.
    let runs = |variant| {
        (0..).map(move |offset| count(variant, seed + offset)).find(|counted| match counted {
            Ok((counts, _)) => counts.0.contains_key("Assignment"),
            Err(_) => true,
        })
    };
    let [Some(drawn), Some(written), Some(fenced)] = Variant::ALL.map(runs) else { return Ok(Vec::new()) };
    let ((drawn, pending_s), (written, _), (fenced, _)) = (drawn?, written?, fenced?);
    let others = VEHICLES - 1.0;
    let term = |term, names: &[&str], paper, expected, remark| Term {
        term,
        paper,
        drawn: expected,
        measured: drawn.sum(names),
        written: written.sum(names),
        fenced: fenced.sum(names),
        remark,
    };
    Ok(vec![
        term("solicitation", &["Solicitation"], Some(1.0), 1.0, ""),
        term("bids", &["Bid"], Some(VEHICLES), others, "the LEAD is one of the V, and its own bid needs no radio"),
        term("bid acknowledgements", &["BidAck"], Some(VEHICLES), others, "nor does its acknowledgement"),
        term("assignment and acceptance", &["Assignment", "Accept"], Some(2.0), 2.0, ""),
        term("acknowledged acceptance", &["AcceptAck"], None, 1.0, "drawn, but left out of the formula"),
        term(
            "reports",
            &["Status", "LeadStatus"],
            Some(pending_s),
            pending_s,
            "every t_status, a little longer by its jitter; with the fixes the LEAD reports, too",
        ),
        term(
            "completion",
            &["Completion", "Done"],
            Some(1.0),
            1.0,
            "as written reports of success follow, of which one or two are counted; with the fixes Done is said at once, and \
             again ever more rarely",
        ),
        term(
            "injection",
            &INJECTION,
            None,
            VEHICLES + 2.0,
            "left out of the formula: Task, a claim of each vehicle, AckLead",
        ),
        term(
            "challenges and elections",
            &["Challenge", "ClaimLead(peer)", "PerceivedWinner", "StatusRelay"],
            Some(0.0),
            0.0,
            "",
        ),
    ])
}

/// Messages by name, and for how many `t_status` the task was pending.
fn count(variant: Variant, seed: u64) -> Result<(Counts, f64), ScenarioError> {
    let changes = [format!("tasking.variant={}", variant.name())];
    let loaded = scenario::parse("mesh", "tasking_mesh.toml", &mesh(Tasks::Single), &changes)?;
    let (config, vehicles) = loaded.tasking(variant);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let counts = RefCell::new(Counts::default());
    let onlooker: AnyObserver<'_, Tasking> = &counts;
    let mut sim = Sim::new(&loaded.mission, seed, machine, onlooker).with_notes();
    sim.start();
    sim.run_until(|sim| sim.ledger().all_served() && sim.now() >= sim.ledger().last_served() + config.status);
    let held = sim.notes().iter().find(|note| {
        matches!(note.event, muster_core::Event::Tasking { step: muster_core::tasking::Step::Holds { .. }, .. })
    });
    let pending = held.map_or(0.0, |note| sim.ledger().last_served().since(note.at).as_secs_f64());
    Ok((counts.take(), pending / config.status.as_secs_f64()))
}
