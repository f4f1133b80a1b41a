//! W6: how often an election on a sparse network ends with more than one LEAD.

use std::cell::RefCell;
use std::collections::BTreeSet;

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Message, Tasking, Variant};
use muster_core::{Recipient, RobotId, Time};
use muster_sim::fault::{Fault, FaultKind};
use muster_sim::radio::{Fate, Span, Topology};
use muster_sim::scenario::{self, ScenarioError};
use muster_sim::{AnyObserver, Observer, Sim};
use serde::Serialize;

use super::trial::{Tasks, mesh};
use crate::batch::Batch;

/// Elections on one network.
#[derive(Clone, Debug, Serialize)]
pub struct Elections {
    /// `line of 4`, `ring of 6`.
    pub network: String,
    /// Name of the variant.
    pub variant: &'static str,
    /// How many elections.
    pub runs: usize,
    /// How many ended with more than one LEAD.
    pub several: usize,
}

impl Elections {
    /// The share of elections that ended with more than one LEAD.
    pub fn share(&self) -> f64 {
        self.several as f64 / self.runs.max(1) as f64
    }
}

/// The networks: a ring or a line, and how many nodes.
pub const NETWORKS: [(bool, u32); 7] =
    [(false, 3), (false, 4), (false, 5), (false, 6), (false, 10), (true, 6), (true, 10)];

/// When the holder stops and the network becomes sparse.
const CUT_S: f64 = 14.0;

/// Keeps who has led since the cut, in the first election after it.
#[derive(Default)]
struct Leads {
    leads: BTreeSet<RobotId>,
    first: Option<Time>,
}

impl Observer<Tasking> for Leads {
    fn on_transmission(&mut self, now: Time, from: RobotId, _to: Recipient, message: &Message, _fate: Fate) {
        if now >= Time::from_secs_f64(CUT_S) && matches!(message, Message::Solicitation { .. }) {
            self.first.get_or_insert(now);
            self.leads.insert(from);
        }
    }
}

/// Holds `runs` elections on a network, each with nodes in an order of its own.
pub fn elections(
    (ring, nodes): (bool, u32),
    variant: Variant,
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Elections, ScenarioError> {
    // One more that holds the task and stops, as does the console.
    let changes = [
        "tasking.t_claims_s=3.5".to_owned(),
        "tasking.t_win_s=3.5".to_owned(),
        "tasking.t_peer_s=30".to_owned(),
        format!("robots.v.count={}", nodes + 1),
        "tasking.vehicles.all.times=[{from_s=0,to_s=85}]".to_owned(),
        // The timers of all run out within T_claims; reports do not stretch them.
        "tasking.jitter=0.02".to_owned(),
        format!("tasking.variant={}", variant.name()),
    ];
    let loaded = scenario::parse("mesh", "tasking_mesh.toml", &mesh(Tasks::Single), &changes)?;
    let (config, vehicles) = loaded.tasking(variant);
    let several = batch.map(runs, |run| {
        let seed = Stream::seed_of_run(seed, run);
        let mut mission = loaded.mission.clone();
        let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
        let cut = Time::from_secs_f64(CUT_S);
        // Who holds the task is known only when it is assigned: the same run, up to then.
        let mut before = Sim::new(&mission, seed, machine, ());
        before.start();
        before.advance(cut);
        let holds = |robot: &RobotId| !before.machines()[robot.index()].held().is_empty();
        let everybody: Vec<RobotId> = (1..=nodes + 1).map(RobotId).collect();
        let holder = everybody.iter().copied().find(holds).unwrap_or(RobotId(1));
        let mut order: Vec<RobotId> = everybody.into_iter().filter(|robot| *robot != holder).collect();
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        for last in (1..order.len()).rev() {
            order.swap(last, stream.below(last as u32 + 1) as usize);
        }
        let mut topology = Topology::new(Span { from: cut, to: Time::NEVER }, mission.robots.len());
        order.windows(2).for_each(|pair| topology.link(&pair[..1], &pair[1..]));
        if ring {
            topology.link(&order[..1], &order[order.len() - 1..]);
        }
        mission.radio.topologies.push(topology);
        for robot in [holder, RobotId(0)] {
            mission.faults.push(Fault { at: cut, robot, kind: FaultKind::Stop });
        }
        let seen = RefCell::new(Leads::default());
        let onlooker: AnyObserver<'_, Tasking> = &seen;
        let mut sim = Sim::new(&mission, seed, machine, onlooker);
        sim.start();
        // Leads of one election come within an exchange of each other; the next election is t_peer away.
        sim.run_until(|sim| seen.borrow().first.is_some_and(|first| sim.now().since(first) > config.win + config.win));
        (batch.progress)(1);
        seen.borrow().leads.len() > 1
    });
    let kind = if ring { "ring" } else { "line" };
    Ok(Elections {
        network: format!("{kind} of {nodes}"),
        variant: variant.name(),
        runs: several.len(),
        several: several.iter().filter(|several| **several).count(),
    })
}
