//! Affective recruitment under test: who is there, what is said, and bodies that drive where they are sent.

use std::convert::Infallible;
use std::sync::Arc;

use muster_core::event::Drop;
use muster_core::motion::Motion;
use muster_core::panel::Family;
use muster_core::recruitment::{Awaited, Step};
use muster_core::recruitment::{Config, Memory, Message, Recruitment, Request, Responding, Stage};
use muster_core::{Action, Body, Duration, Event, Output, Percept, Phase, Point, Recipient, RobotId, Task, TaskId};

pub use crate::harness::*;
use crate::harness::{self, Harnessed};

/// The robot that asks, in most tests.
pub const UAV: RobotId = RobotId(0);
/// Robots that may answer.
pub const R1: RobotId = RobotId(1);
pub const R2: RobotId = RobotId(2);
pub const R3: RobotId = RobotId(3);

/// Two needs, at the origin: a robot at (D, 0) is D away.
pub const MINE: Task = Task { id: TaskId(7), place: Point::new(0.0, 0.0), needs: MINES };
pub const OTHER_MINE: Task = Task { id: TaskId(8), place: Point::new(3.0, 4.0), needs: MINES };

/// The incarnation of a robot in its first life, until the first of its needs is settled.
pub const FIRST_LIFE: u32 = 1;
/// The one after: the robot has restarted once, or one of its needs is settled.
pub const SECOND_LIFE: u32 = 2;

pub type Out = Output<Recruitment>;
pub type Given = harness::Given<Recruitment>;
pub type Robot = harness::Robot<Recruitment>;
pub type Team = harness::Team<Recruitment>;

/// Call number `attempt` of the UAV's first life for `need`.
pub fn call(need: Task, attempt: u32) -> Request {
    Request { requester: UAV, incarnation: FIRST_LIFE, need: need.id, attempt }
}

/// The UAV's first call for the mine.
pub fn first() -> Request {
    call(MINE, 1)
}

/// The UAV's first call for `need` after one restart, or after another need was settled.
pub fn second_life(need: Task) -> Request {
    Request { incarnation: SECOND_LIFE, ..call(need, 1) }
}

pub fn help(request: Request) -> Message {
    let task = if request.need == OTHER_MINE.id { OTHER_MINE } else { MINE };
    Message::Help { request, place: task.place, needs: task.needs }
}

pub fn accept(request: Request, eta_s: f64) -> Message {
    Message::Accept { request, eta: secs(eta_s) }
}

pub fn responder(request: Request, chosen: RobotId) -> Message {
    Message::Responder { request, chosen }
}

/// The first ARRIVAL of a robot.
pub fn arrival(request: Request, lease_s: f64) -> Message {
    Message::Arrival { request, number: FIRST_NONCE, lease: secs(lease_s) }
}

/// The AGREE to the first ARRIVAL of a robot.
pub fn agree(request: Request, lease_s: f64) -> Message {
    Message::Agree { request, number: FIRST_NONCE, lease: secs(lease_s) }
}

pub fn ackack(request: Request) -> Message {
    Message::Ackack { request }
}

pub fn remember(incarnation: u32, needs: &[Task], agreed: bool) -> Out {
    Output::Remember(Memory { incarnation, needs: needs.to_vec(), agreed })
}

pub fn called(request: Request) -> Event {
    let place = if request.need == OTHER_MINE.id { OTHER_MINE.place } else { MINE.place };
    Event::Recruitment(Step::Called { task: request.need, round: request.attempt, place })
}

pub fn timed_out(request: Request, waiting_for: Awaited) -> Event {
    Event::Recruitment(Step::TimedOut { task: request.need, round: request.attempt, waiting_for })
}

pub fn dropped(with: RobotId, message: &'static str, why: Drop) -> Event {
    let family = match message {
        "HELP" => Family::Call,
        "ACCEPT" => Family::Offer,
        "ARRIVAL" => Family::Other,
        _ => Family::Award,
    };
    Event::Dropped { with, message, family, why }
}

pub fn sees(task: Task) -> Given {
    Given::Senses(Percept::TaskSeen(task))
}

impl Harnessed for Recruitment {
    const LATENCY: Duration = Duration::from_millis(50);
    type World = ();
    type Happening = Infallible;

    fn recipient(message: &Message, me: RobotId) -> Recipient {
        match message {
            Message::Help { .. } | Message::Responder { .. } => Recipient::All,
            _ => Recipient::Only(me),
        }
    }

    fn acts(team: &mut Team, robot: RobotId, action: Action) {
        if let Action::GoTo(to) | Action::Visit(to) = action {
            let now = team.now;
            let body = &mut team.robot_mut(robot).body;
            let from = body.place(now);
            let journey = secs(from.distance(to) / body.speed_mps);
            body.motion = Motion::Straight { from, to, leave: now, arrive: now + journey };
            team.later(journey, robot, Given::Senses(Percept::Arrived));
        }
    }

    fn happens(_team: &mut Team, _robot: RobotId, happening: Infallible) {
        match happening {}
    }
}

/// What is remembered, and all the rest in its order: where among the outputs of an input the memory stands is a matter
/// of the few tests that say so.
fn apart(outputs: &[Out]) -> (Vec<&Out>, Vec<&Out>) {
    outputs.iter().partition(|output| matches!(output, Output::Remember(_)))
}

impl Robot {
    /// A robot of 1 m/s at (`x`, 0), started for the first time at time 0, which it does in silence.
    pub fn new(id: RobotId, x: f64, config: Config) -> Self {
        let body = Body { id, percepts: MINES, speed_mps: 1.0, motion: Motion::still(Point::new(x, 0.0)) };
        let robot = Self::started(Recruitment::new(Arc::new(config)), body, Dice::default());
        assert_eq!((&robot.memory, &robot.notes[..]), (&Memory::default(), &[][..]), "a first start is silent");
        robot
    }

    /// At `at_s` seconds, `given` leads to exactly these outputs and these notes, in this order.
    #[track_caller]
    pub fn check(&mut self, at_s: f64, given: Given, outputs: &[Out], events: &[Event]) {
        let shown = format!("{given:?} at {at_s} s");
        let noted = self.notes.len();
        let got = self.give_at(at_s, given);
        assert_eq!(apart(&got), apart(outputs), "outputs of {shown}");
        let got: Vec<Event> = self.notes[noted..].iter().map(|note| note.event.clone()).collect();
        assert_eq!(got, events, "notes of {shown}");
    }

    /// Whether it sends ACCEPT to call number `attempt` for the mine, heard at `at_s`.
    pub fn answers(&mut self, at_s: f64, attempt: u32) -> bool {
        let outputs = self.give_at(at_s, hears(UAV, help(call(MINE, attempt))));
        sent(&outputs).any(|(_, message)| matches!(message, Message::Accept { .. }))
    }

    /// How many HELPs, one every `period_s`, it ignores before it answers one. `None`: a thousand were in vain.
    pub fn ignored_before_answering(&mut self, period_s: f64) -> Option<u32> {
        (0..1_000).find(|&n| self.answers(f64::from(n) * period_s, n + 1))
    }

    pub fn is_idle(&self) -> bool {
        *self.machine.responding() == Responding::Idle
    }

    /// The robot it has chosen and waits for.
    pub fn chosen(&self) -> Option<RobotId> {
        match self.machine.requesting()?.stage() {
            Stage::AwaitingArrival { chosen } | Stage::AwaitingAckack { chosen } => Some(chosen),
            _ => None,
        }
    }

    pub fn sense(&mut self, percept: Percept) -> Vec<Out> {
        self.give(Given::Senses(percept))
    }

    pub fn engaged(mut self) -> Self {
        self.sense(Percept::Phase(Phase::Engaged));
        self
    }
}
