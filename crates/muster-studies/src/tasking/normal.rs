//! What works without loss and with everybody in range: the paper's mission, a user who is gone once the task is injected,
//! a vehicle that fails and is replaced, a task that is left alone until it is done.

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_core::{Duration, RobotId, Time};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use serde::Serialize;

use super::script::{Script, Seen, play};
use super::trial::{Tasks, mesh};
use super::weaknesses::LATE;
use crate::batch::Batch;

/// Something that the paper says of its protocol when nothing is lost.
pub struct Normal {
    /// A short name.
    pub id: &'static str,
    /// The paper's section.
    pub section: &'static str,
    /// What has to come of it.
    pub what: &'static str,
    mission: Mission,
    changes: &'static [&'static str],
    script: Script,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Mission {
    /// The three phases of `hotspot`.
    Hotspot,
    /// A single task in the mesh.
    Mesh,
}

/// All of them.
pub const NORMAL: [Normal; 4] = [
    Normal {
        id: "mission",
        section: "4",
        what: "the example mission: all three phases are flown once each, in their order",
        mission: Mission::Hotspot,
        changes: &[],
        script: Script::Nothing,
    },
    Normal {
        id: "user-gone",
        section: "1",
        what: "the user need not stay in touch after injecting the task: the same with the console gone after 5 s",
        mission: Mission::Hotspot,
        changes: &["faults=[{robot=\"console\",at_s=6,kind=\"stop\"}]"],
        script: Script::Nothing,
    },
    Normal {
        id: "re-offered",
        section: "2",
        what: "the assigned vehicle stops: its PEERs challenge, one claims the lead and re-offers the task, and it is done once",
        mission: Mission::Mesh,
        changes: &["tasking.t_peer_s=11", LATE],
        script: Script::HolderDiesAfter(Duration::from_secs(1)),
    },
    Normal {
        id: "only-one",
        section: "2.1",
        what: "every PEER hears a Status once each t_peer: only its sender executes",
        mission: Mission::Mesh,
        changes: &["tasking.t_peer_s=11", LATE],
        script: Script::Nothing,
    },
];

/// What came of one under a variant.
#[derive(Clone, Debug, Serialize)]
pub struct Went {
    /// Which.
    pub id: &'static str,
    /// Name of the variant.
    pub variant: &'static str,
    /// How many runs.
    pub runs: usize,
    /// In how many everything was done once, in order.
    pub right: usize,
}

impl Normal {
    fn loaded(&self, variant: Variant) -> Result<Loaded, ScenarioError> {
        let mut changes = vec![format!("tasking.variant={}", variant.name())];
        changes.extend(self.changes.iter().map(|change| (*change).to_owned()));
        match self.mission {
            Mission::Hotspot => scenario::load("hotspot", &changes),
            Mission::Mesh => scenario::parse("mesh", "tasking_mesh.toml", &mesh(Tasks::Single), &changes),
        }
    }

    /// Makes `runs` runs of it under a variant.
    pub fn show(&self, variant: Variant, (seed, runs): (u64, u64), batch: &Batch<'_>) -> Result<Went, ScenarioError> {
        let loaded = self.loaded(variant)?;
        let right = batch.map(runs, |run| {
            let (seen, _) = play(&loaded, variant, self.script, Stream::seed_of_run(seed, run), false);
            (batch.progress)(1);
            once_and_in_order(&seen)
        });
        let count = right.iter().filter(|right| **right).count();
        Ok(Went { id: self.id, variant: variant.name(), runs: right.len(), right: count })
    }
}

/// Everything was done exactly once, and phases in the order in which the mission has them.
fn once_and_in_order(seen: &Seen) -> bool {
    let first = |deeds: &Vec<(Time, RobotId)>| deeds.first().map(|deed| deed.0);
    seen.done.iter().all(|times| *times == 1) && seen.deeds.iter().map(first).is_sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What works as drawn, and that an order that is not kept would be noticed.
    #[test]
    fn without_loss_the_protocol_as_drawn_does_what_the_paper_says() {
        for normal in NORMAL {
            let went = normal.show(Variant::Drawn, (1, 10), &Batch::quiet()).expect("it loads");
            assert_eq!(went.right, 10, "{}", normal.id);
        }
        let deed = |at_s: u64| vec![(Time::ZERO + Duration::from_secs(at_s), RobotId(1))];
        let (seen, _) = play(&NORMAL[0].loaded(Variant::Drawn).unwrap(), Variant::Drawn, Script::Nothing, 1, false);
        assert!(once_and_in_order(&seen));
        assert!(!once_and_in_order(&Seen { deeds: vec![deed(3), deed(2)], ..seen.clone() }));
        assert!(!once_and_in_order(&Seen { done: vec![1, 2, 1], ..seen }));
    }
}
