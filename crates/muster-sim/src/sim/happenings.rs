//! What the world does to robots and to the radio, told: robots that break down note nothing themselves.

use muster_core::event::Happening;
use muster_core::{Event, Mechanism, Note, RobotId, Time};

use super::{Life, Observer, Pending, Sim, What};
use crate::fault::{Fault, FaultKind};
use crate::radio::Disturbance;

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
        for (when, what) in radio.disturbances(None) {
            if let Some(begins) = what.begins() {
                self.expect_happening(when.from, begins);
            }
            self.expect_end(when.to, what);
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
    fn expect_happening(&mut self, at: Time, what: Happening) {
        self.enqueue(Expected { at, what, ended: None });
    }

    /// A disturbance of the radio ends at `at`, unless the mission is over by then.
    pub(super) fn expect_end(&mut self, at: Time, ended: Disturbance) {
        self.enqueue(Expected { at, what: ended.is_over(), ended: Some(ended) });
    }

    fn enqueue(&mut self, expected: Expected) {
        if expected.at <= Time::ZERO + self.mission.limit {
            self.queue.push(expected.at.as_micros(), Pending::new(self.happenings.len() as u32, What::Happening));
            self.happenings.push(expected);
        }
    }

    /// What was expected happens. The end of a disturbance is no news while another goes on with it.
    #[cold]
    #[inline(never)]
    pub(super) fn on_happening(&mut self, number: u32) {
        let Expected { what, ref ended, .. } = self.happenings[number as usize];
        if ended.as_ref().is_none_or(|ended| !self.goes_on(number, ended)) {
            self.tell_of(RobotId::NOBODY, what);
        }
    }

    /// A disturbance lasts longer than the one of this number, or ends with it and is told in its place: the larger one, and
    /// of equal ones the last.
    fn goes_on(&self, number: u32, ended: &Disturbance) -> bool {
        let in_its_place = |(other, expected): (u32, &Expected)| {
            expected.at == self.now
                && other != number
                && expected
                    .ended
                    .as_ref()
                    .is_some_and(|it| ended.goes_on_with(it) && (other > number || !it.goes_on_with(ended)))
        };
        self.mission.radio.disturbances(Some(self.now)).any(|(_, other)| ended.goes_on_with(&other))
            || self.acts.as_ref().is_some_and(|acts| acts.interference.goes_on(ended, self.now))
            || (0..).zip(&self.happenings).any(in_its_place)
    }
}

/// What will become of the radio.
#[derive(Clone)]
pub(super) struct Expected {
    at: Time,
    what: Happening,
    /// The disturbance that is over then.
    ended: Option<Disturbance>,
}
