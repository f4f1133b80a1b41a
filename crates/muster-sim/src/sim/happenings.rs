//! What the world does to robots and to the radio, told: robots that break down note nothing themselves.

use muster_core::event::Happening;
use muster_core::{Event, Mechanism, Note, RobotId, Time};

use super::{Life, Observer, Pending, Sim, What};
use crate::fault::{Fault, FaultKind};

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// A fault strikes, and is told if it does anything. What somebody broke by hand is told already, and does one thing more:
    /// somebody who sees a robot hang and wants it to hang for longer means that, a fault that finds it hanging does not.
    #[inline(never)]
    pub(super) fn break_down(&mut self, fault: Fault) {
        let hangs = matches!(self.conditions[fault.robot.index()].life, Life::Hanging { .. });
        if (hangs && matches!(fault.kind, FaultKind::Pause { .. })) || !self.can_strike(fault) {
            return;
        }
        if let Some(happening) = fault.kind.happening() {
            self.tell_of(fault.robot, happening);
        }
        self.strike(fault);
    }

    /// Something happens to a robot, or to the radio.
    #[cold]
    #[inline(never)]
    pub(super) fn tell_of(&mut self, robot: RobotId, happening: Happening) {
        self.observer.on_happening(self.now, robot, happening);
        if let Some(notes) = &mut self.notes {
            notes.push(Note { at: self.now, robot, event: Event::Happened(happening) });
        }
    }

    /// All that becomes of the radio by the mission: jams, and teams that are split, for a time.
    pub(super) fn expect_happenings(&mut self) {
        let radio = &self.mission.radio;
        for jam in &radio.jams {
            self.expect_happening(jam.when.from, Happening::Jammed { disc: jam.disc });
            self.expect_happening(jam.when.to, Happening::JamOver { disc: jam.disc });
        }
        for partition in &radio.partitions {
            self.expect_happening(partition.when.from, Happening::Parted { parts: parts(&partition.part_of) });
            self.expect_happening(partition.when.to, Happening::Rejoined);
        }
        // A radio that has carried to some only from the first instant on is how it is, and no news.
        for topology in &radio.topologies {
            if topology.when.from > Time::ZERO {
                self.expect_happening(topology.when.from, Happening::Sparse);
            }
            self.expect_happening(topology.when.to, Happening::SparseOver);
        }
    }

    /// Something becomes of the radio at `at`, unless the mission is over by then.
    pub(super) fn expect_happening(&mut self, at: Time, happening: Happening) {
        if at <= Time::ZERO + self.mission.limit {
            self.happenings.push(happening);
            self.queue.push(at.as_micros(), Pending::new(self.happenings.len() as u32 - 1, What::Happening));
        }
    }

    /// What was expected happens.
    #[cold]
    #[inline(never)]
    pub(super) fn on_happening(&mut self, number: u32) {
        self.tell_of(RobotId::NOBODY, self.happenings[number as usize]);
    }
}

/// How many parts a team is in.
pub(crate) fn parts(part_of: &[u32]) -> u32 {
    let mut parts: Vec<u32> = part_of.to_vec();
    parts.sort_unstable();
    parts.dedup();
    parts.len() as u32
}
