//! One robot, or a few, without a simulator: a machine, a body, a clock, and what came out. The same for every mechanism;
//! what is particular to one is in the file `world.rs` of its tests.
//!
//! Tests say what a robot is given and what it answers, and nothing about how it gets there. A timer is `Due` only at its
//! time, so a table of checks also pins every deadline; [`Robot::until`] lets a robot wake itself instead.

// Every mechanism's tests are a crate of their own and use their own part of this.
#![allow(dead_code)]

pub mod absurd;
mod dice;
pub mod team;

use std::ops::{Deref, DerefMut};

use muster_core::affect::{Name, Table};
use muster_core::event::Drop;
use muster_core::names::Names;
use muster_core::panel::{Field, Posture, Shown, Viewing};
use muster_core::{
    Action, Body, Duration, Event, Input, Mechanism, Node, Note, Order, Output, Percept, Percepts, Recipient, RobotId,
    TaskId, Time,
};

pub use dice::Dice;
pub use team::Team;

/// What all robots of these tests can perceive, and what their tasks take.
pub const MINES: Percepts = Percepts::only(0);

/// Robots and tasks that are called by their numbers.
struct Numbered;

impl Names for Numbered {
    fn robot(&self, robot: RobotId) -> Name {
        robot.to_string().into()
    }

    fn task(&self, task: TaskId) -> Name {
        task.to_string().into()
    }

    fn robot_count(&self) -> u32 {
        0
    }

    fn task_count(&self) -> u32 {
        0
    }
}

/// The first number drawn by a robot that lost its memory.
pub const FRESH: u32 = 0xF4E5_0001;

/// The number of the first message of a robot that gets one; the next has the next.
pub const FIRST_NONCE: u32 = 0x0A00_0001;

pub fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

pub fn at(seconds: f64) -> Time {
    Time::from_secs_f64(seconds)
}

/// What the harness has to know of a mechanism beyond the contract.
pub trait Harnessed: Mechanism + Clone + PartialEq {
    /// How long a message takes.
    const LATENCY: Duration;
    /// What a team has around it.
    type World: Default;
    /// Something that the world will do to a robot.
    type Happening;

    /// To whom `message` goes if it is heard by `me`.
    fn recipient(_message: &Self::Message, _me: RobotId) -> Recipient {
        Recipient::All
    }

    /// What becomes of an action.
    fn acts(team: &mut Team<Self>, robot: RobotId, action: Action);

    /// It happens now.
    fn happens(team: &mut Team<Self>, robot: RobotId, happening: Self::Happening);
}

/// What a robot is given.
#[derive(Clone, Debug)]
pub enum Given<M: Mechanism> {
    /// It starts with this memory; `None`: it has lost the one that it had.
    Starts(Option<M::Memory>),
    /// It starts again with what it has last remembered.
    Restarts,
    /// The timer is due now; anything else is a mistake of the test.
    Due(M::Timer),
    /// The timer fires, due or not.
    Fires(M::Timer),
    Senses(Percept),
    Told(Order),
    /// A message as it is usually sent: to everybody, or to this robot if its kind goes to one.
    Hears(RobotId, M::Message),
    HearsTo(RobotId, Recipient, M::Message),
}

pub fn hears<M: Mechanism>(from: RobotId, message: M::Message) -> Given<M> {
    Given::Hears(from, message)
}

/// A node, its clock, and everything it noted, said and did.
#[derive(Clone, Debug)]
pub struct Robot<M: Mechanism> {
    pub node: Node<M>,
    pub now: Time,
    pub dice: Dice,
    pub notes: Vec<Note>,
    pub said: Vec<(Time, M::Message)>,
    pub acted: Vec<(Time, Action)>,
}

/// Tests speak of a robot's machine, body, timers and memory.
impl<M: Mechanism> Deref for Robot<M> {
    type Target = Node<M>;

    fn deref(&self) -> &Node<M> {
        &self.node
    }
}

impl<M: Mechanism> DerefMut for Robot<M> {
    fn deref_mut(&mut self) -> &mut Node<M> {
        &mut self.node
    }
}

impl<M: Harnessed> Robot<M> {
    /// Started for the first time at time 0.
    pub fn started(machine: M, body: Body, dice: Dice) -> Self {
        let mut robot = Self {
            node: Node::new(machine, body),
            now: Time::ZERO,
            dice,
            notes: Vec::new(),
            said: Vec::new(),
            acted: Vec::new(),
        };
        robot.give(Given::Starts(Some(M::Memory::default())));
        robot
    }

    pub fn id(&self) -> RobotId {
        self.body.id
    }

    /// What it shows of itself now, with the emotions that are shipped.
    pub fn shows(&self) -> Vec<Field> {
        let rows = toml::from_str(include_str!("../../../muster-sim/data/emotions.toml")).unwrap();
        let emotions = Table::new(rows).unwrap();
        let view = Viewing { now: self.now, body: &self.body, names: &Numbered, emotions: &emotions };
        self.machine.panel(&view)
    }

    /// What it says that it does, and how that looks from afar.
    pub fn does(&self) -> (Posture, String) {
        let does = self.shows().into_iter().find_map(|field| match field.shown {
            Shown::State { value } => Some(value.to_string()),
            _ => None,
        });
        (self.machine.posture(), does.expect("it says what it does"))
    }

    pub fn now_s(&self) -> f64 {
        self.now.as_secs_f64()
    }

    /// Hands it one input at its own time, returns what came out.
    pub fn give(&mut self, given: Given<M>) -> Vec<Output<M>> {
        if let Given::Due(timer) = given {
            assert_eq!(self.timers.deadline(timer), Some(self.now), "{timer:?} is not due at {}", self.now);
        }
        let held;
        let input = match given {
            Given::Starts(memory) => Input::Start(memory),
            Given::Restarts => Input::Start(Some(self.memory.clone())),
            Given::Due(timer) | Given::Fires(timer) => Input::Fired(timer),
            Given::Senses(percept) => Input::Perceived(percept),
            Given::Told(order) => Input::Ordered(order),
            Given::Hears(from, message) => {
                held = message;
                Input::Received { from, to: M::recipient(&held, self.id()), message: &held }
            }
            Given::HearsTo(from, to, message) => {
                held = message;
                Input::Received { from, to, message: &held }
            }
        };
        let outputs = self.node.give(self.now, input, &mut self.dice, Some(&mut self.notes));
        for output in &outputs {
            match output {
                Output::Send { message, .. } => self.said.push((self.now, message.clone())),
                Output::Act(action) => self.acted.push((self.now, *action)),
                Output::SetTimer { .. } | Output::CancelTimer(_) | Output::Remember(_) => {}
            }
        }
        outputs
    }

    /// The same, at `at_s` seconds. Timers that are due by then do not fire.
    pub fn give_at(&mut self, at_s: f64, given: Given<M>) -> Vec<Output<M>> {
        self.may_wait_for(at_s);
        self.now = at(at_s);
        self.give(given)
    }

    fn may_wait_for(&self, at_s: f64) {
        assert!(self.now <= at(at_s), "the clock stands at {} and cannot go back to {at_s} s", self.now);
    }

    /// The next timer, in the order in which a driver fires them.
    pub fn next_timer(&self) -> Option<(Time, M::Timer)> {
        self.timers.pending().map(|(timer, due)| (due, timer)).min()
    }

    /// Lets it do what it does until `at_s`, that instant included.
    pub fn until(&mut self, at_s: f64) -> &mut Self {
        self.wake(at_s, |due, end| due <= end)
    }

    /// The same without that instant: what is said at an instant is known before anybody acts on it.
    pub fn before(&mut self, at_s: f64) -> &mut Self {
        self.wake(at_s, |due, end| due < end)
    }

    /// What it says until `at_s`, and when.
    pub fn said_until(&mut self, at_s: f64) -> Vec<(f64, M::Message)> {
        let before = self.said.len();
        self.until(at_s);
        self.said[before..].iter().map(|(at, message)| (at.as_secs_f64(), message.clone())).collect()
    }

    /// Bounded: a robot that wakes itself for ever at one instant is a mistake.
    fn wake(&mut self, at_s: f64, is_due: fn(Time, Time) -> bool) -> &mut Self {
        self.may_wait_for(at_s);
        for _ in 0..100_000 {
            let Some((due, timer)) = self.next_timer().filter(|(due, _)| is_due(*due, at(at_s))) else {
                self.now = at(at_s);
                return self;
            };
            self.now = self.now.max(due);
            self.give(Given::Fires(timer));
        }
        panic!("{} wakes itself without end at {}", self.id(), self.now);
    }

    /// What it notes of `given`, with what comes out.
    pub fn give_noted(&mut self, given: Given<M>) -> (Vec<Output<M>>, Vec<Event>) {
        let noted = self.notes.len();
        let outputs = self.give(given);
        (outputs, self.notes[noted..].iter().map(|note| note.event.clone()).collect())
    }

    /// `given` changes nothing, says nothing, and is noted as dropped for this reason.
    #[track_caller]
    pub fn drops(&mut self, given: Given<M>, why: Drop) {
        let (Given::Hears(with, message) | Given::HearsTo(with, _, message)) = &given else {
            panic!("only messages are dropped, not {given:?}");
        };
        let event = Event::Dropped { with: *with, message: M::name_of(message), family: M::family_of(message), why };
        self.leaves_alone(given, &[event]);
    }

    /// `given` changes nothing, says nothing and is not worth a note.
    #[track_caller]
    pub fn ignores(&mut self, given: Given<M>) {
        self.leaves_alone(given, &[]);
    }

    #[track_caller]
    fn leaves_alone(&mut self, given: Given<M>, events: &[Event]) {
        let (before, shown) = (self.clone(), format!("{given:?}"));
        let (mut outputs, noted) = self.give_noted(given);
        // To set a timer to the deadline that it has is to leave it.
        let is_news = |output: &Output<M>| match *output {
            Output::SetTimer { timer, at } => before.timers.deadline(timer) != Some(at),
            _ => true,
        };
        outputs.retain(is_news);
        assert_eq!(outputs, [], "outputs of {shown}");
        assert_eq!(noted, events, "notes of {shown}");
        assert_eq!(self.machine, before.machine, "the machine must stay as it was: {shown}");
    }

    /// What it has noted and `pick` picks, with the seconds.
    pub fn moments<T>(&self, pick: impl Fn(Event) -> Option<T>) -> Vec<(f64, T)> {
        self.notes.iter().filter_map(|note| Some((note.at.as_secs_f64(), pick(note.event.clone())?))).collect()
    }
}

pub fn to_all<M: Mechanism>(message: M::Message) -> Output<M> {
    Output::Send { to: Recipient::All, message }
}

pub fn to_named<M: Mechanism>(to: RobotId, message: M::Message) -> Output<M> {
    Output::Send { to: Recipient::Named(to), message }
}

pub fn to_only<M: Mechanism>(to: RobotId, message: M::Message) -> Output<M> {
    Output::Send { to: Recipient::Only(to), message }
}

pub fn set<M: Mechanism>(timer: M::Timer, at_s: f64) -> Output<M> {
    Output::SetTimer { timer, at: at(at_s) }
}

pub fn cancel<M: Mechanism>(timer: M::Timer) -> Output<M> {
    Output::CancelTimer(timer)
}

pub fn act<M: Mechanism>(action: Action) -> Output<M> {
    Output::Act(action)
}

/// The messages among outputs.
pub fn sent<M: Mechanism>(outputs: &[Output<M>]) -> impl Iterator<Item = (Recipient, &M::Message)> {
    outputs.iter().filter_map(|output| match output {
        Output::Send { to, message } => Some((*to, message)),
        _ => None,
    })
}

/// Their names.
pub fn said<M: Mechanism>(outputs: &[Output<M>]) -> Vec<&'static str> {
    sent(outputs).map(|(_, message)| M::name_of(message)).collect()
}

/// Something is remembered, and before anything is sent: what a message promises must outlive a failure.
pub fn is_remembered_first<M: Mechanism>(outputs: &[Output<M>]) -> bool {
    let matters = |output: &&Output<M>| matches!(output, Output::Remember(_) | Output::Send { .. });
    matches!(outputs.iter().find(matters), Some(Output::Remember(_)))
}
