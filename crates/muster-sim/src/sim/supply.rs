//! Time in the air and bases: a vehicle that has been in the air for as long as it can is out; at its base it is reloaded.
//!
//! Seconds count from take-off, at the beginning or from a base, until the vehicle is at its base again, whatever it does
//! meanwhile. One that waits loiters: its place stays where it is, as if it circled there, and its seconds run. At its base it
//! stands on the ground until it sets out for a target.

use muster_core::event::Happening;
use muster_core::motion::Motion;
use muster_core::{Duration, Input, Mechanism, Percept, Point, RobotId, Time};

use super::{Life, Observer, Pending, Sim, What};

/// So near is there.
const THERE_M: f64 = 1.0;

/// A vehicle's time in the air.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sortie {
    /// Counts take-offs and landings, so that what was to come of one means nothing after the next.
    number: u32,
    /// When it took off; `None` on the ground.
    since: Option<Time>,
    /// What it had used up before.
    spent: Duration,
}

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// The vehicle is in the air from now on, if it was not.
    pub(super) fn take_off(&mut self, robot: RobotId) {
        let Some(endurance) = self.mission.robots[robot.index()].endurance else { return };
        let sortie = self.sides[robot.index()].sortie.get_or_insert_default();
        if sortie.since.is_some() {
            return;
        }
        sortie.since = Some(self.now);
        sortie.number += 1;
        let left = Duration::from_micros(endurance.as_micros().saturating_sub(sortie.spent.as_micros()));
        let runs_out = What::RunsOut { sortie: sortie.number };
        self.queue.push((self.now + left).as_micros(), Pending::new(robot.0, runs_out));
    }

    /// A vehicle that is switched on for the first time, or again after it had run out, is in the air.
    pub(super) fn launch(&mut self, robot: RobotId) {
        if self.sides[robot.index()].sortie.is_none() {
            self.take_off(robot);
        }
    }

    /// The vehicle has nothing left to stay in the air with.
    #[cold]
    pub(super) fn run_out(&mut self, robot: RobotId, number: u32) {
        let side = &mut self.sides[robot.index()];
        if side.sortie.as_ref().is_none_or(|sortie| sortie.number != number) {
            return;
        }
        side.sortie = None;
        if self.conditions[robot.index()].is_dead() {
            return;
        }
        self.ledger.run_out(robot, self.now);
        self.tell_of(robot, Happening::RanOut);
        self.go_down(robot, Life::Dead);
        self.impaired += 1;
    }

    /// Sets out for a base.
    pub(super) fn go_home(&mut self, robot: RobotId, base: Point) {
        self.tell_of(robot, Happening::Reloads);
        self.sides[robot.index()].errand = None;
        self.go(robot, base);
        self.sides[robot.index()].landing = true;
    }

    /// The body is where it was sent to be reloaded, and lands there even while its computer hangs. False if there is no
    /// base.
    pub(super) fn on_landed(&mut self, robot: RobotId, trip: u32) -> bool {
        let (body, side) = (&self.bodies[robot.index()], &mut self.sides[robot.index()]);
        if side.trip != trip || !std::mem::take(&mut side.landing) {
            return false;
        }
        let pose = body.pose(self.now);
        let base = self.mission.robots[robot.index()].base;
        let Some(base) = base.filter(|base| base.place.distance(pose.place) <= THERE_M) else { return false };
        if let Some(sortie) = &mut side.sortie
            && let Some(since) = sortie.since.take()
        {
            sortie.spent += self.now.since(since);
            sortie.number += 1;
        }
        side.trip += 1;
        let reloaded = What::Reloaded { trip: side.trip };
        self.set_motion(robot, Motion::Still(pose));
        self.queue.push((self.now + base.reload).as_micros(), Pending::new(robot.0, reloaded));
        true
    }

    /// The vehicle has been at its base for long enough.
    pub(super) fn on_reloaded(&mut self, robot: RobotId, trip: u32) {
        if !self.attends_to(robot, trip, What::Reloaded { trip }) {
            return;
        }
        if let Some(sortie) = &mut self.sides[robot.index()].sortie {
            sortie.spent = Duration::ZERO;
        }
        self.ledger.reload();
        self.tell_of(robot, Happening::Reloaded);
        self.input(robot, Input::Perceived(Percept::Reloaded));
    }
}
