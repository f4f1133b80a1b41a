//! What goes wrong: robots that stop, restart, hang or are switched on later, and what they find when they are back.

use muster_core::event::Happening;
use muster_core::motion::Motion;
use muster_core::{Body, Duration, Input, Mechanism, Order, Percept, Phase, Point, RobotId, Time};

use super::{Condition, Life, Observer, Pending, Sim, What};
use crate::fault::{Fault, FaultKind};
use crate::mission::SeenBy;

/// Seconds that a robot waits for its place to be free; then it is put there beside whoever does not go away.
const MOST_WAITS: u8 = 60;

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    /// Something goes wrong with a robot, or is mended. False if nothing comes of it.
    #[inline(never)]
    pub(super) fn strike(&mut self, fault: Fault) -> bool {
        if !self.can_strike(fault) {
            return false;
        }
        let Fault { robot, kind, .. } = fault;
        let index = robot.index();
        match kind {
            FaultKind::Stop => self.go_down(robot, Life::Dead),
            FaultKind::Restart { down, memory } => {
                self.go_down(robot, Life::Down);
                let outage = self.conditions[index].outage;
                self.queue.push(
                    (self.now + down).as_micros(),
                    Pending::new(robot.0, What::Recovery { outage, memory, waited: 0 }),
                );
            }
            FaultKind::Pause { lasts } => self.hang(robot, self.now + lasts),
            FaultKind::Deaf { lasts } => {
                let condition = &mut self.conditions[index];
                condition.deaf_until = condition.deaf_until.max(self.now.after(lasts));
            }
            FaultKind::Mute { lasts } => {
                let condition = &mut self.conditions[index];
                condition.mute_until = condition.mute_until.max(self.now.after(lasts));
            }
            FaultKind::Offline { lasts } => {
                let (condition, until) = (&mut self.conditions[index], self.now.after(lasts));
                condition.deaf_until = condition.deaf_until.max(until);
                condition.mute_until = condition.mute_until.max(until);
                condition.offline = true;
                self.queue.push(until.as_micros(), Pending::new(robot.0, What::LinkUp));
                if self.conditions[index].life == Life::Up {
                    self.input(robot, Input::Perceived(Percept::Link(false)));
                }
            }
            FaultKind::Back { memory } => self.put_back(robot, memory),
        }
        // Counted up only: a run that has met a fault takes the careful way from then on.
        self.impaired += 1;
        true
    }

    /// The robot's computer hangs until then, and no longer until whenever it was to hang before. What waits for it to
    /// listen asks again at each of these times.
    fn hang(&mut self, robot: RobotId, until: Time) {
        let condition = &mut self.conditions[robot.index()];
        condition.life = Life::Hanging { until };
        condition.outage += 1;
        let outage = condition.outage;
        self.queue.push(until.as_micros(), Pending::new(robot.0, What::Recovery { outage, memory: true, waited: 0 }));
    }

    /// Something comes of a fault: nothing more goes wrong with a robot that has stopped, and what is wrong with it already,
    /// and for longer, does not begin anew.
    pub(super) fn can_strike(&self, fault: Fault) -> bool {
        let Condition { life, deaf_until, mute_until, offline, .. } = self.conditions[fault.robot.index()];
        match (life, fault.kind) {
            (_, FaultKind::Back { .. }) => life != Life::Up || deaf_until.max(mute_until) > self.now,
            (Life::Dead, _) | (Life::Down, FaultKind::Restart { .. } | FaultKind::Pause { .. }) => false,
            (Life::Hanging { until }, FaultKind::Pause { lasts }) => self.now + lasts > until,
            (_, FaultKind::Deaf { lasts }) => self.now.after(lasts) > deaf_until,
            (_, FaultKind::Mute { lasts }) => self.now.after(lasts) > mute_until,
            // A robot that was deaf and mute already did not know.
            (_, FaultKind::Offline { lasts }) => !offline || self.now.after(lasts) > deaf_until.min(mute_until),
            (_, FaultKind::Stop | FaultKind::Restart { .. } | FaultKind::Pause { .. }) => true,
        }
    }

    /// Whatever is wrong with a robot is over: one that was down, stopped or hung starts again, and every robot hears
    /// and is heard.
    #[inline(never)]
    fn put_back(&mut self, robot: RobotId, memory: bool) {
        let index = robot.index();
        let (now, condition) = (self.now, &mut self.conditions[index]);
        let told = std::mem::take(&mut condition.offline) && condition.deaf_until.max(condition.mute_until) > now;
        condition.deaf_until = condition.deaf_until.min(now);
        condition.mute_until = condition.mute_until.min(now);
        match condition.life {
            Life::Up if told => self.input(robot, Input::Perceived(Percept::Link(true))),
            Life::Up => {}
            Life::Hanging { .. } | Life::Down | Life::Dead => {
                self.go_down(robot, Life::Down);
                let outage = self.conditions[index].outage;
                self.recover(robot, outage, memory, 0);
            }
        }
    }

    /// A radio that was down may work again.
    #[inline(never)]
    pub(super) fn on_link_up(&mut self, robot: RobotId) {
        let Condition { life, deaf_until, mute_until, offline, .. } = self.conditions[robot.index()];
        if !offline {
            return;
        }
        if let Life::Hanging { until } = life {
            return self.queue.push(until.as_micros(), Pending::new(robot.0, What::LinkUp));
        }
        let works = deaf_until.max(mute_until);
        if works > self.now {
            // It was made deaf or mute meanwhile, for longer.
            return self.queue.push(works.as_micros(), Pending::new(robot.0, What::LinkUp));
        }
        self.conditions[robot.index()].offline = false;
        if life == Life::Up {
            self.tell_of(robot, Happening::LinkUp);
            self.input(robot, Input::Perceived(Percept::Link(true)));
        }
    }

    pub(super) fn go_down(&mut self, robot: RobotId, life: Life) {
        self.conditions[robot.index()].life = life;
        self.conditions[robot.index()].outage += 1;
        self.end_flight(robot);
        self.down_tools(robot);
        self.halt(robot);
        let side = &mut self.sides[robot.index()];
        side.timers.clear();
        side.held = false;
        side.done = None;
        self.take_moved(robot);
    }

    #[inline(never)]
    pub(super) fn recover(&mut self, robot: RobotId, outage: u32, memory: bool, waited: u8) {
        let index = robot.index();
        if self.conditions[index].outage != outage {
            return;
        }
        match self.conditions[index].life {
            Life::Hanging { .. } => {
                self.conditions[index].life = Life::Up;
                self.tell_of(robot, Happening::Recovered);
                self.tell_what_it_missed(robot);
            }
            Life::Down if waited < MOST_WAITS && !self.has_room(robot) => {
                let again = self.now + Duration::from_secs(1);
                let waits = What::Recovery { outage, memory, waited: waited + 1 };
                self.queue.push(again.as_micros(), Pending::new(robot.0, waits));
            }
            Life::Down => {
                self.conditions[index].life = Life::Up;
                self.put(robot);
                self.launch(robot);
                self.tell_of(robot, Happening::SwitchedOn);
                if !memory {
                    self.sides[index].memory = M::Memory::default();
                }
                let memory = memory.then(|| self.sides[index].memory.clone());
                self.input(robot, Input::Start(memory));
                self.tell_what_it_sees(robot);
            }
            Life::Up | Life::Dead => {}
        }
    }

    /// Where the robot is carried to whenever it is switched on.
    fn begins_at(&self, robot: RobotId) -> Option<Point> {
        let task = self.mission.robots[robot.index()].put_at?;
        self.ledger.record(task).map(|record| record.task.place)
    }

    /// Nobody else is, or drives, where the robot is to be put.
    fn has_room(&self, robot: RobotId) -> bool {
        const ROOM_M: f64 = 0.5;
        let Some(place) = self.begins_at(robot) else { return true };
        let in_the_way = |body: &Body| {
            let bound_for = if let Motion::Straight { to, .. } = body.motion { to } else { body.place(self.now) };
            let life = self.conditions[body.id.index()].life;
            let up = matches!(life, Life::Up | Life::Hanging { .. }) && body.id != robot;
            up && (bound_for.distance(place) < ROOM_M || body.place(self.now).distance(place) < ROOM_M)
        };
        !self.bodies.iter().any(in_the_way)
    }

    /// Somebody carries the robot to where it is to begin.
    pub(super) fn put(&mut self, robot: RobotId) {
        if let Some(place) = self.begins_at(robot) {
            self.set_motion(robot, Motion::still(place));
        }
    }

    /// What a robot that starts finds: its own errand, and the tasks that it was to look after.
    pub(super) fn tell_what_it_sees(&mut self, robot: RobotId) {
        let side = &mut self.sides[robot.index()];
        let at_end = side.errand.as_ref().map(|errand| errand.at_end());
        if let Some(pause) = at_end.flatten() {
            side.trip += 1;
            let trip = side.trip;
            self.queue.push((self.now + pause).as_micros(), Pending::new(robot.0, What::Rested { trip }));
        } else if at_end.is_some() {
            self.input(robot, Input::Perceived(Percept::Phase(Phase::Engaged)));
        }
        let tasks = if self.ledger.any_seen() { self.ledger.records().len() } else { 0 };
        for index in 0..tasks {
            let record = &self.ledger.records()[index];
            let task = record.task;
            let ordered = self.spec(task.id).is_some_and(|spec| matches!(spec.seen_by, SeenBy::Ordered(_)));
            if ordered || !record.is_open() {
                continue;
            }
            if record.seen.is_some_and(|(_, by)| by == robot || self.is_able(robot, task.id)) {
                self.input(robot, Input::Perceived(Percept::TaskSeen(task)));
            }
        }
        self.drive_on(robot);
    }

    /// What a robot finds that hung while tasks came up or were done.
    fn tell_what_it_missed(&mut self, robot: RobotId) {
        if let Some(task) = self.sides[robot.index()].done.take() {
            self.input(robot, Input::Perceived(Percept::Done(task)));
        }
        for (_, task) in self.take_moved(robot) {
            if let Some(moved) = self.ledger.record(task).map(|record| record.task).filter(|_| self.is_open(task)) {
                self.input(robot, Input::Ordered(Order::Cancel(task)));
                self.input(robot, Input::Ordered(Order::Modify(moved.into())));
            }
        }
        for index in 0..self.ledger.records().len() {
            let record = &self.ledger.records()[index];
            let task = record.task;
            if record.seen.is_some() && self.is_able(robot, task.id) {
                let missed = match (record.served, record.withdrawn) {
                    (Some(_), _) => Input::Perceived(Percept::TaskGone(task.id)),
                    (None, true) => Input::Ordered(Order::Cancel(task.id)),
                    (None, false) => Input::Perceived(Percept::TaskSeen(task)),
                };
                self.input(robot, missed);
            }
        }
    }
}
