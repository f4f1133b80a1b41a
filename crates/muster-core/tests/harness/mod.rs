//! One robot, or a few, without a simulator: a machine, a body, a clock, and what came out.
//!
//! Tests say what a robot is given and what it answers, and nothing about how it gets there:
//! [`Robot::check`] compares outputs and notes, [`Robot::drops`] wants a message dropped for a reason and
//! the machine left as it was. A timer can only be given when it is due, so a table of checks also pins
//! every deadline.

// Every test file is a crate of its own and uses its own part of this one.
#![allow(dead_code)]

pub mod alliance;
pub mod tasking;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use muster_core::event::{Awaited, Drop};
use muster_core::motion::Motion;
use muster_core::recruitment::{Config, Memory, Message, Recruitment, Request, Responding, Stage, Timer};
use muster_core::timer::TimerTable;
use muster_core::{
    Action, Body, Chance, Context, Duration, Event, Input, Mechanism, Note, Order, Output, Percept, Percepts, Phase,
    Point, Pose, Recipient, RobotId, Task, TaskId, Time,
};

/// The robot that asks, in most tests.
pub const UAV: RobotId = RobotId(0);
/// Robots that may answer.
pub const R1: RobotId = RobotId(1);
pub const R2: RobotId = RobotId(2);
pub const R3: RobotId = RobotId(3);

/// What all robots of these tests can perceive, and what their tasks take.
pub const MINES: Percepts = Percepts::only(0);
/// Two needs, at the origin: a robot at (D, 0) is D away.
pub const MINE: Task = Task { id: TaskId(7), place: Point::new(0.0, 0.0), needs: MINES };
pub const OTHER_MINE: Task = Task { id: TaskId(8), place: Point::new(3.0, 4.0), needs: MINES };

/// The incarnation of a robot in its first life, until the first of its needs is settled.
pub const FIRST_LIFE: u32 = 1;
/// The one after: the robot has restarted once, or one of its needs is settled.
pub const SECOND_LIFE: u32 = 2;
/// The first incarnation number drawn by a robot that lost its memory.
pub const FRESH: u32 = 0xF4E5_0001;

pub type Out = Output<Recruitment>;

pub fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

pub fn at(seconds: f64) -> Time {
    Time::from_secs_f64(seconds)
}

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

pub fn arrival(request: Request, lease_s: f64) -> Message {
    Message::Arrival { request, lease: secs(lease_s) }
}

pub fn agree(request: Request, lease_s: f64) -> Message {
    Message::Agree { request, lease: secs(lease_s) }
}

pub fn ackack(request: Request) -> Message {
    Message::Ackack { request }
}

pub fn to_all(message: Message) -> Out {
    Output::Send { to: Recipient::All, message }
}

pub fn to_only(to: RobotId, message: Message) -> Out {
    Output::Send { to: Recipient::Only(to), message }
}

pub fn set(timer: Timer, at_s: f64) -> Out {
    Output::SetTimer { timer, at: at(at_s) }
}

pub fn cancel(timer: Timer) -> Out {
    Output::CancelTimer(timer)
}

pub fn act(action: Action) -> Out {
    Output::Act(action)
}

pub fn remember(incarnation: u32, needs: &[Task], agreed: bool) -> Out {
    Output::Remember(Memory { incarnation, needs: needs.to_vec(), agreed })
}

pub fn called(request: Request) -> Event {
    let place = if request.need == OTHER_MINE.id { OTHER_MINE.place } else { MINE.place };
    Event::Called { task: request.need, round: request.attempt, place }
}

pub fn timed_out(request: Request, waiting_for: Awaited) -> Event {
    Event::TimedOut { task: request.need, round: request.attempt, waiting_for }
}

pub fn dropped(with: RobotId, message: &'static str, why: Drop) -> Event {
    Event::Dropped { with, message, why }
}

/// What a robot is given.
#[derive(Clone, Debug)]
pub enum Given {
    Starts(Option<Memory>),
    /// The timer is due now; anything else is a mistake of the test.
    Due(Timer),
    /// The timer fires, due or not.
    Fires(Timer),
    Senses(Percept),
    Told(Order),
    /// A message to everybody, or to this robot if its kind goes to one.
    Hears(RobotId, Message),
    HearsTo(RobotId, Recipient, Message),
}

pub fn sees(task: Task) -> Given {
    Given::Senses(Percept::TaskSeen(task))
}

pub fn hears(from: RobotId, message: Message) -> Given {
    Given::Hears(from, message)
}

/// Dice that fall as they are told: `picks` in turn, then always the first.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    pub picks: VecDeque<u32>,
    /// Among how many each choice was.
    pub asked: Vec<u32>,
    pub drawn: u32,
}

impl Chance for Dice {
    fn below(&mut self, _robot: RobotId, n: u32) -> u32 {
        self.asked.push(n);
        self.picks.pop_front().unwrap_or(0).min(n.saturating_sub(1))
    }

    fn fresh(&mut self, _robot: RobotId) -> u32 {
        self.drawn += 1;
        FRESH + (self.drawn - 1) * 0x100
    }
}

/// A machine, its body, its clock, its timers, its memory, and everything it noted.
#[derive(Clone, Debug)]
pub struct Robot {
    pub machine: Recruitment,
    pub body: Body,
    pub now: Time,
    pub timers: TimerTable<Timer>,
    pub memory: Memory,
    pub dice: Dice,
    pub notes: Vec<Note>,
}

impl Robot {
    /// A robot of 1 m/s at (`x`, 0), started for the first time at time 0.
    pub fn new(id: RobotId, x: f64, config: Config) -> Self {
        let mut robot = Self {
            machine: Recruitment::new(Arc::new(config)),
            body: Body {
                id,
                percepts: MINES,
                speed_mps: 1.0,
                motion: Motion::Still(Pose { place: Point::new(x, 0.0), yaw: 0.0 }),
            },
            now: Time::ZERO,
            timers: TimerTable::default(),
            memory: Memory::default(),
            dice: Dice::default(),
            notes: Vec::new(),
        };
        robot.check(0.0, Given::Starts(Some(Memory::default())), &[], &[]);
        robot
    }

    /// Hands the machine one input at its own time, keeps its timers and its memory, returns what came out.
    pub fn give(&mut self, given: Given) -> Vec<Out> {
        let me = self.body.id;
        let held;
        let input = match given {
            Given::Starts(memory) => {
                // A restart takes all timers with it.
                self.timers.clear();
                Input::Start(memory)
            }
            Given::Due(timer) => {
                assert_eq!(self.timers.deadline(timer), Some(self.now), "{timer:?} is not due at {}", self.now);
                self.timers.cancel(timer);
                Input::Fired(timer)
            }
            Given::Fires(timer) => {
                self.timers.cancel(timer);
                Input::Fired(timer)
            }
            Given::Senses(percept) => Input::Perceived(percept),
            Given::Told(order) => Input::Ordered(order),
            Given::Hears(from, message) => {
                let to = match message {
                    Message::Help { .. } | Message::Responder { .. } => Recipient::All,
                    _ => Recipient::Only(me),
                };
                held = message;
                Input::Received { from, to, message: &held }
            }
            Given::HearsTo(from, to, message) => {
                held = message;
                Input::Received { from, to, message: &held }
            }
        };
        let mut outputs = Vec::new();
        let mut cx = Context::new(self.now, &self.body, &mut outputs, &mut self.dice, Some(&mut self.notes));
        self.machine.handle(&mut cx, input);
        for output in &outputs {
            match output {
                // No queue here: whoever holds the robot asks the table for deadlines.
                Output::SetTimer { timer, at } => drop(self.timers.set(*timer, *at)),
                Output::CancelTimer(timer) => self.timers.cancel(*timer),
                Output::Remember(memory) => self.memory = memory.clone(),
                Output::Send { .. } | Output::Act(_) => {}
            }
        }
        outputs
    }

    /// The same, at `at_s` seconds.
    pub fn give_at(&mut self, at_s: f64, given: Given) -> Vec<Out> {
        let then = at(at_s);
        assert!(self.now <= then, "the clock stands at {} and cannot go back to {then}", self.now);
        self.now = then;
        self.give(given)
    }

    /// At `at_s` seconds, `given` leads to exactly these outputs and these notes, in this order.
    #[track_caller]
    pub fn check(&mut self, at_s: f64, given: Given, outputs: &[Out], events: &[Event]) {
        let shown = format!("{given:?} at {at_s} s");
        let noted = self.notes.len();
        let got = self.give_at(at_s, given);
        assert_eq!(got, outputs, "outputs of {shown}");
        let got: Vec<Event> = self.notes[noted..].iter().map(|note| note.event).collect();
        assert_eq!(got, events, "notes of {shown}");
    }

    /// `given` changes nothing, says nothing, and is noted as dropped for this reason.
    #[track_caller]
    pub fn drops(&mut self, given: Given, why: Drop) {
        let (Given::Hears(from, message) | Given::HearsTo(from, _, message)) = &given else {
            panic!("only messages are dropped, not {given:?}");
        };
        let (event, before) = (dropped(*from, message.name(), why), self.machine.clone());
        self.check(self.now.as_secs_f64(), given, &[], &[event]);
        assert_eq!(self.machine, before, "a dropped message must not change the machine");
    }

    /// `given` changes nothing, says nothing and is not worth a note.
    #[track_caller]
    pub fn ignores(&mut self, given: Given) {
        let before = self.machine.clone();
        self.check(self.now.as_secs_f64(), given, &[], &[]);
        assert_eq!(self.machine, before, "what is ignored must not change the machine");
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

/// The messages among outputs.
pub fn sent(outputs: &[Out]) -> impl Iterator<Item = (Recipient, &Message)> {
    outputs.iter().filter_map(|output| match output {
        Output::Send { to, message } => Some((*to, message)),
        _ => None,
    })
}

/// A few robots on a radio that loses nothing and takes a while; enough for the paper's use cases.
pub struct Team {
    pub robots: BTreeMap<RobotId, Robot>,
    pub latency: Duration,
    /// Every transmission: when, by whom, to whom, what.
    pub log: Vec<(Time, RobotId, Recipient, Message)>,
    now: Time,
    pending: BTreeMap<(Time, u32), (RobotId, Given)>,
    sequence: u32,
}

impl Team {
    pub fn new(latency_s: f64, robots: impl IntoIterator<Item = Robot>) -> Self {
        Self {
            robots: robots.into_iter().map(|robot| (robot.body.id, robot)).collect(),
            latency: secs(latency_s),
            log: Vec::new(),
            now: Time::ZERO,
            pending: BTreeMap::new(),
            sequence: 0,
        }
    }

    /// Gives `robot` something `after` from now.
    pub fn later(&mut self, after: Duration, robot: RobotId, given: Given) {
        self.pending.insert((self.now + after, self.sequence), (robot, given));
        self.sequence += 1;
    }

    /// Lets what is pending happen until `end_s`; deliveries of an instant before its timers.
    pub fn run_until(&mut self, end_s: f64) {
        loop {
            let message = self.pending.first_key_value().map(|(&(at, _), _)| at);
            let timer =
                self.robots.iter().flat_map(|(&id, robot)| robot.timers.pending().map(move |(t, at)| (at, id, t)));
            let (robot, given) = match (message, timer.min()) {
                (Some(at), timer) if at <= timer.map_or(Time::NEVER, |(at, ..)| at) => {
                    self.now = at;
                    self.pending.pop_first().expect("it was just looked at").1
                }
                (_, Some((at, id, timer))) => {
                    self.now = at;
                    (id, Given::Due(timer))
                }
                (_, None) => return,
            };
            if self.now > at(end_s) {
                return;
            }
            self.give(robot, given);
        }
    }

    fn give(&mut self, id: RobotId, given: Given) {
        let robot = self.robots.get_mut(&id).expect("a robot of this team");
        robot.now = self.now;
        let outputs = robot.give(given);
        for output in outputs {
            match output {
                Output::Send { to, message } => {
                    self.log.push((self.now, id, to, message.clone()));
                    let heard_by: Vec<RobotId> = match to {
                        Recipient::Only(other) => vec![other],
                        _ => self.robots.keys().copied().filter(|&other| other != id).collect(),
                    };
                    for other in heard_by {
                        self.later(self.latency, other, Given::HearsTo(id, to, message.clone()));
                    }
                }
                Output::Act(Action::GoTo(to)) => {
                    let body = &mut self.robots.get_mut(&id).expect("a robot of this team").body;
                    let from = body.place(self.now);
                    let journey = secs(from.distance(to) / body.speed_mps);
                    body.motion = Motion::Straight { from, to, leave: self.now, arrive: self.now + journey };
                    self.later(journey, id, Given::Senses(Percept::Arrived));
                }
                _ => {}
            }
        }
    }

    /// Every event of the team, with whose it was.
    pub fn events(&self) -> impl Iterator<Item = (RobotId, Event)> {
        self.robots.values().flat_map(|robot| robot.notes.iter().map(|note| (note.robot, note.event)))
    }

    /// The names of the messages sent, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.log.iter().map(|(.., message)| message.name()).collect()
    }
}
