//! Bodies and errands: what a robot is told to do, and the ends of its drives and rests.

use muster_core::motion::Motion;
use muster_core::{Action, Duration, Input, Mechanism, Percept, Phase, Point, RobotId, TaskId, Time};

use super::{Life, Observer, Pending, Sim, What};
use crate::errand::Reached;
use crate::labour::Forecast;

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    #[inline(always)]
    pub(super) fn act(&mut self, robot: RobotId, action: &Action) {
        match *action {
            Action::Hold => {
                let side = &mut self.sides[robot.index()];
                side.held = true;
                if side.errand.as_ref().is_some_and(|errand| errand.drives()) {
                    self.halt(robot);
                }
            }
            Action::Resume => {
                let side = &mut self.sides[robot.index()];
                side.held = false;
                if side.errand.is_some() {
                    self.drive_on(robot);
                }
            }
            Action::GoTo(_)
            | Action::Visit(_)
            | Action::Reload { .. }
            | Action::Approach { .. }
            | Action::Work { .. }
            | Action::Stop
            | Action::Await { .. }
            | Action::Cross { .. }
            | Action::Renew { .. }
            | Action::HandOver { .. } => self.set_about(robot, *action),
        }
    }

    /// What is done now and then, kept out of the way of outputs.
    #[inline(never)]
    pub(super) fn set_about(&mut self, robot: RobotId, action: Action) {
        match action {
            Action::GoTo(place) => {
                // A robot that helps another gives its errand up: it stays where it was needed. [Gage reading]
                self.sides[robot.index()].errand = None;
                self.go(robot, place);
            }
            Action::Visit(place) => {
                if let Some(errand) = &mut self.sides[robot.index()].errand {
                    errand.leave();
                }
                self.go(robot, place);
            }
            Action::Approach { task, entry, target, from, by } => self.approach(robot, task, (entry, target), from, by),
            Action::Work { task, until } => self.work(robot, task, until),
            Action::Stop => {
                self.end_flight(robot);
                self.down_tools(robot);
                self.halt(robot);
            }
            Action::Reload { at } => self.go_home(robot, at),
            Action::HandOver { task, to } => self.ledger.hand_over(task, to, self.now),
            Action::Await { task } => self.awaits(robot, task, true),
            Action::Cross { task } => self.awaits(robot, task, false),
            Action::Renew { task } => self.renews(robot, task),
            Action::Hold | Action::Resume => {}
        }
    }

    pub(super) fn work(&mut self, robot: RobotId, task: TaskId, until: Time) {
        self.ledger.begin(task, robot, self.now, until);
        if let Some(forecast) = self.works.as_mut().and_then(|works| works.begin(task, robot, self.now)) {
            self.expect(task, forecast);
        }
        if self.pushed.is_some() {
            self.push(robot, task);
        }
    }

    /// A robot at an end of the box moves with it.
    #[inline(never)]
    pub(super) fn push(&mut self, robot: RobotId, task: TaskId) {
        let Some(takes) = self.works.as_ref().and_then(|works| works.takes(robot)) else { return };
        let Some(pushed) = &mut self.pushed else { return };
        let Some(end) = pushed.end_of(task) else { return };
        let from = self.bodies[robot.index()].place(self.now);
        let to = pushed.begin(robot, end, takes, self.now);
        let speed_mps = from.distance(to) / takes.as_secs_f64().max(1e-6);
        self.set_motion(robot, Motion::straight(from, to, speed_mps, self.now));
    }

    /// A robot lets go of the box: whoever could push that end sees where it is now.
    #[inline(never)]
    pub(super) fn let_go(&mut self, robot: RobotId) {
        let Some(pushed) = &mut self.pushed else { return };
        let Some(end) = pushed.end(robot, self.now) else { return };
        let Some(spec) = &self.mission.pushed else { return };
        self.ledger.set_place(spec.ends[end], pushed.place(end, self.now));
        self.halt(robot);
    }

    pub(super) fn down_tools(&mut self, robot: RobotId) {
        if self.pushed.is_some() {
            self.let_go(robot);
        }
        self.ledger.end(robot, self.now);
        if let Some((task, Some(forecast))) = self.works.as_mut().and_then(|works| works.end(robot, self.now)) {
            self.expect(task, forecast);
        }
    }

    pub(super) fn expect(&mut self, task: TaskId, Forecast { at, version }: Forecast) {
        self.queue.push(at.as_micros(), Pending::new(task.0, What::Completion { version }));
    }

    /// Stands where it is. An end of a drive or pause that is still queued will mean nothing.
    pub(super) fn halt(&mut self, robot: RobotId) {
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        if let Some(errand) = side.errand.as_mut().filter(|errand| !errand.is_left()) {
            if !errand.drives() {
                return;
            }
            errand.halt(&body.motion, self.now);
        }
        let pose = body.pose(self.now);
        side.trip += 1;
        side.landing = false;
        self.set_motion(robot, Motion::Still(pose));
    }

    #[inline(always)]
    pub(super) fn set_motion(&mut self, robot: RobotId, motion: Motion) {
        if let Some(nearby) = &mut self.nearby {
            nearby.moves(robot, &motion);
        }
        self.bodies[robot.index()].motion = motion;
    }

    #[inline(always)]
    pub(super) fn go(&mut self, robot: RobotId, place: Point) {
        self.end_flight(robot);
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        side.landing = false;
        side.trip += 1;
        let motion = Motion::straight(body.place(self.now), place, body.speed_mps, self.now);
        let arrive = if let Motion::Straight { arrive, .. } = motion { arrive } else { self.now };
        self.queue.push(arrive.as_micros(), Pending::new(robot.0, What::Driven { trip: side.trip }));
        self.set_motion(robot, motion);
    }

    pub(super) fn drive_on(&mut self, robot: RobotId) {
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        let up = self.conditions[robot.index()].life == Life::Up;
        let Some(errand) = side.errand.as_mut().filter(|errand| up && !side.held && errand.wants_to_drive()) else {
            return;
        };
        side.trip += 1;
        let trip = side.trip;
        if errand.rested() {
            // By way of the queue: setting out anew is a percept, and outputs may still be under way.
            return self.queue.push(self.now.as_micros(), Pending::new(robot.0, What::Rested { trip }));
        }
        let (motion, duration) = match errand.is_left() {
            false => errand.depart(self.now, body.speed_mps),
            true => errand.return_from(body.place(self.now), self.now, body.speed_mps),
        };
        self.set_motion(robot, motion);
        // However fast the robot, the clock moves on: to and fro without time would never end.
        let duration = duration.max(Duration::from_micros(1));
        self.queue.push((self.now + duration).as_micros(), Pending::new(robot.0, What::Driven { trip }));
    }

    pub(super) fn on_driven(&mut self, robot: RobotId, trip: u32) {
        if self.sides[robot.index()].flight.is_some() && self.on_flown(robot, trip) {
            return;
        }
        if self.sides[robot.index()].landing && self.on_landed(robot, trip) {
            return;
        }
        if !self.attends_to(robot, trip, What::Driven { trip }) {
            return;
        }
        let pose = self.bodies[robot.index()].pose(self.now);
        self.set_motion(robot, Motion::Still(pose));
        let side = &mut self.sides[robot.index()];
        let Some(errand) = side.errand.as_mut().filter(|errand| !errand.is_left()) else {
            return self.input(robot, Input::Perceived(Percept::Arrived));
        };
        match errand.reach() {
            Reached::Stop(task) => {
                self.see(robot, task);
                self.drive_on(robot);
            }
            Reached::Scan => self.drive_on(robot),
            Reached::End(pause) => {
                side.trip += 1;
                let trip = side.trip;
                self.queue.push((self.now + pause).as_micros(), Pending::new(robot.0, What::Rested { trip }));
                self.input(robot, Input::Perceived(Percept::Phase(Phase::Free)));
            }
        }
    }

    pub(super) fn on_rested(&mut self, robot: RobotId, trip: u32) {
        if !self.attends_to(robot, trip, What::Rested { trip }) {
            return;
        }
        let side = &mut self.sides[robot.index()];
        let Some(errand) = &mut side.errand else { return };
        errand.rest();
        if !side.held {
            errand.turn();
            self.drive_on(robot);
            self.input(robot, Input::Perceived(Percept::Phase(Phase::Engaged)));
        }
    }

    /// The end of trip `trip` still means something, and the robot can attend to it now; if it hangs, it
    /// will later.
    #[inline(always)]
    pub(super) fn attends_to(&mut self, robot: RobotId, trip: u32, what: What<M::Timer>) -> bool {
        if self.sides[robot.index()].trip != trip {
            return false;
        }
        if let Life::Hanging { until } = self.conditions[robot.index()].life {
            self.queue.push(until.as_micros(), Pending::new(robot.0, what));
            return false;
        }
        self.conditions[robot.index()].life == Life::Up
    }
}
