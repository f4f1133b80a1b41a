//! Flights: a vehicle waits, comes in by its corridor, passes over the target on time and leaves.
//!
//! The body manages its speed: it comes in as slowly as it must to be on time, and waits before that if even its
//! slowest is too fast. Nothing ticks: the queue holds the end of each part of a flight.

use std::sync::Arc;

use muster_core::motion::{Along, Motion, Path};
use muster_core::tasking::corridor::Corridor;
use muster_core::{Duration, Input, Mechanism, Percept, Point, RobotId, TaskId, Time};

use crate::ledger::{Leg, Pass};

use super::{Life, Observer, Pending, Sim, What};

/// The slowest that a vehicle flies, as a share of its speed. Not given by the paper; a fixed wing can about halve
/// its cruising speed. Where it would have to be slower it waits first.
const SLOWEST: f64 = 0.5;

/// A flight under way.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    task: TaskId,
    /// From where it was told to go, over the target, to the end of the corridor; `None` if it is there already.
    path: Option<Arc<Path>>,
    /// Metres along the path to the target.
    target_m: f64,
    /// How fast it comes in.
    speed_mps: f64,
    /// When it should be over the target.
    by: Time,
    corridor: Corridor,
    /// It breaks off before the target unless it is told to cross.
    awaits: bool,
    /// The task was done before, too long ago.
    again: bool,
    part: Part,
    /// When that part began.
    began: Time,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Part {
    Waiting,
    Inbound,
    Outbound,
    /// Out of the corridor, and its computer does not know yet.
    Clear,
}

impl Flight {
    /// Since when it has been on the part that it is on, if that leads through a corridor.
    fn under_way(&self) -> Option<Time> {
        match self.part {
            Part::Inbound | Part::Outbound => Some(self.began),
            Part::Waiting | Part::Clear => None,
        }
    }
}

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// Sets out for a target, or waits for the time to do so.
    #[inline(never)]
    pub(super) fn approach(
        &mut self,
        robot: RobotId,
        task: TaskId,
        (entry, target): (Point, Point),
        from: Time,
        by: Time,
    ) {
        self.end_flight(robot);
        let (body, side) = (&self.bodies[robot.index()], &mut self.sides[robot.index()]);
        let speed = body.speed_mps;
        let corridor = Corridor::between(entry, target);
        let (path, target_m) = match corridor.path(body.place(self.now)) {
            Some((path, target_m)) => (Some(Arc::new(path)), target_m),
            None => (None, 0.0),
        };
        let leave = from.max(self.now);
        let time_s = by.since(leave).as_secs_f64();
        let speed_mps = (target_m / time_s.max(1e-6)).clamp(speed * SLOWEST, speed);
        let inbound = Duration::from_secs_f64(target_m / speed_mps);
        let depart = Time::from_micros(by.as_micros().saturating_sub(inbound.as_micros())).max(leave);
        side.errand = None;
        side.landing = false;
        side.trip += 1;
        side.flight = Some(Box::new(Flight {
            task,
            path,
            target_m,
            speed_mps,
            by,
            corridor,
            awaits: false,
            again: false,
            part: Part::Waiting,
            began: self.now,
        }));
        let trip = side.trip;
        let pose = body.pose(self.now);
        self.set_motion(robot, Motion::Still(pose));
        self.queue.push(depart.as_micros(), Pending::new(robot.0, What::Driven { trip }));
    }

    /// The flight to this task may not go on over the target, or may again.
    pub(super) fn awaits(&mut self, robot: RobotId, task: TaskId, awaits: bool) {
        if let Some(flight) = self.sides[robot.index()].flight.as_mut().filter(|flight| flight.task == task) {
            flight.awaits = awaits;
        }
    }

    /// The flight to this task does it again, since it was done too long ago.
    pub(super) fn renews(&mut self, robot: RobotId, task: TaskId) {
        if let Some(flight) = self.sides[robot.index()].flight.as_mut().filter(|flight| flight.task == task) {
            flight.again = true;
        }
    }

    /// The vehicle is on no flight any more. What it has flown of a corridor until now is put down.
    #[inline]
    pub(super) fn end_flight(&mut self, robot: RobotId) {
        if let Some(flight) = self.sides[robot.index()].flight.take() {
            self.put_down(robot, &flight);
        }
    }

    /// Puts down the leg of a corridor that a flight is on, as far as that went.
    fn put_down(&mut self, robot: RobotId, flight: &Flight) {
        let Flight { task, corridor, part, began, target_m, speed_mps, .. } = *flight;
        let in_m = (target_m - corridor.length_m).max(0.0);
        let (from, leave) = match part {
            Part::Waiting | Part::Clear => return,
            Part::Inbound => (corridor.entry(), began + Duration::from_secs_f64(in_m / speed_mps)),
            Part::Outbound => (corridor.target, began),
        };
        if leave < self.now {
            let (to, trip) = (self.bodies[robot.index()].place(self.now), self.sides[robot.index()].trip);
            let under_way = self.sides.iter().filter_map(|side| side.flight.as_ref()?.under_way()).min();
            let leg = Leg { task, robot, flight: trip, from, to, leave, arrive: self.now };
            self.ledger.fly(leg, under_way.unwrap_or(self.now));
        }
    }

    /// A part of a flight is over. The body flies on even while the computer hangs. False if there is no flight.
    #[inline(never)]
    pub(super) fn on_flown(&mut self, robot: RobotId, trip: u32) -> bool {
        let side = &mut self.sides[robot.index()];
        if side.trip != trip {
            return false;
        }
        let Some(mut flight) = side.flight.take() else { return false };
        let speed = self.bodies[robot.index()].speed_mps;
        let life = self.conditions[robot.index()].life;
        self.put_down(robot, &flight);
        let side = &mut self.sides[robot.index()];
        let (from_m, to_m, speed_mps, due) = match flight.part {
            Part::Waiting => {
                self.take_off(robot);
                flight.part = Part::Inbound;
                (0.0, flight.target_m, flight.speed_mps, Some(flight.by))
            }
            Part::Inbound if flight.awaits => {
                // Its computer would have sent it round again: it hangs. The body stays where it is, before the target.
                let pose = self.bodies[robot.index()].pose(self.now);
                side.trip += 1;
                self.set_motion(robot, Motion::Still(pose));
                return true;
            }
            Part::Inbound => {
                flight.part = Part::Outbound;
                let length_m = flight.path.as_ref().map_or(0.0, |path| path.length_m());
                (flight.target_m, length_m, speed, None)
            }
            Part::Outbound | Part::Clear => {
                let pose = self.bodies[robot.index()].pose(self.now);
                if let Life::Hanging { until } = life {
                    flight.part = Part::Clear;
                    side.flight = Some(flight);
                    self.queue.push(until.as_micros(), Pending::new(robot.0, What::Driven { trip }));
                    return true;
                }
                self.set_motion(robot, Motion::Still(pose));
                self.input(robot, Input::Perceived(Percept::Arrived));
                return true;
            }
        };
        let (part, task, heading, again) = (flight.part, flight.task, flight.corridor.heading, flight.again);
        flight.began = self.now;
        let takes = Duration::from_secs_f64((to_m - from_m) / speed_mps);
        // On time to the microsecond if it can be: the way in was measured for that.
        let arrive = due.filter(|due| due.since(self.now + takes).as_micros() < 1_000).unwrap_or(self.now + takes);
        if let Some(path) = &flight.path {
            let along = Along { path: path.clone(), from_m, to_m, speed_mps, leave: self.now };
            self.set_motion(robot, Motion::Along(Box::new(along)));
        }
        self.sides[robot.index()].flight = Some(flight);
        let arrive = arrive.max(self.now + takes);
        self.queue.push(arrive.as_micros(), Pending::new(robot.0, What::Driven { trip }));
        if part == Part::Outbound {
            self.ledger.pass(Pass { task, robot, at: self.now, heading, again });
            if self.mission.ends_on_time && self.ledger.all_served() && self.ledger.last_served() == self.now {
                // A run ends with an event: so there is one when it has lingered.
                self.queue.push((self.now + self.mission.linger).as_micros(), Pending::new(robot.0, What::Lingered));
            }
            self.tell_done(robot, task);
        }
        true
    }
}
