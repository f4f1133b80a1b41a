//! One node of the Collaborative Tasking Protocol, or a team of them on a radio that does as it is told.
//!
//! A [`Node`] is a machine with body, clock and timers; [`Node::check`] compares what it says, sets and does with a list.
//! A [`Team`] delivers what its nodes say, except what is cut or lost by name, and has bodies that keep every date: a
//! task is done when `Action::Approach` says that it should be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use muster_core::event::Drop;
use muster_core::motion::Motion;
use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::group::{Coupling, Group, Phase, Phases, Template};
use muster_core::tasking::record::Entry;
use muster_core::tasking::{
    About, Ballot, Config, Deed, Holder, Memory, Message, Step, Tasking, Timer, Variant, Vehicle,
};
use muster_core::timer::TimerTable;
use muster_core::{
    Action, Body, Brief, Chance, Context, Duration, Event, Input, Kind, Mechanism, Note, Order, Output, Percept,
    Percepts, Point, Recipient, RobotId, Task, TaskId, Time,
};

pub use super::{at, secs};

pub type Out = Output<Tasking>;

/// The operator's console of most teams.
pub const USER: RobotId = RobotId(0);
/// Vehicles.
pub const V1: RobotId = RobotId(1);
pub const V2: RobotId = RobotId(2);
pub const V3: RobotId = RobotId(3);
pub const V4: RobotId = RobotId(4);
pub const V5: RobotId = RobotId(5);

/// What a node has counted before its first report: the numbers of one life are far from those of another.
pub const LIFE: u32 = 1 << 16;
/// The task of most tests.
pub const X: TaskId = TaskId(10);
/// Where it lies [§4].
pub const TARGET: Point = Point::new(31.8, 27.9);
/// What every vehicle of these tests can perceive.
pub const SIGHT: Percepts = Percepts::only(0);
/// The three-phase mission.
pub const MISSION: Kind = Kind(1);
pub const VERIFY: Kind = Kind(2);
pub const DROP: Kind = Kind(3);
pub const ASSESS: Kind = Kind(4);

/// An order for the one task X.
pub fn brief() -> Brief {
    brief_of(X)
}

pub fn brief_of(id: TaskId) -> Brief {
    Brief::from(Task { id, place: TARGET, needs: SIGHT })
}

/// An order for the three phases X, X + 1, X + 2.
pub fn mission() -> Brief {
    Brief { kind: MISSION, phases: 3, ..brief() }
}

/// Verify, drop, assess: 5 to 10 s apart, verify and assess at least 10 s, headings at least 45 degrees apart [§4, and
/// the constraints of the specification, section 5].
pub fn template() -> Template {
    let phase = |kind| Phase { kind, needs: Percepts::NONE, loads: 0, offset: Point::new(0.0, 0.0) };
    let rule = |a, b, least: i64, most: Option<i64>| Coupling {
        a,
        b,
        dt_min: Some(least * 1_000_000),
        dt_max: most.map(|most| most * 1_000_000),
        dh_min: 45_000,
        dh_max: 180_000,
    };
    Template {
        phases: [VERIFY, DROP, ASSESS].map(phase).to_vec(),
        couplings: vec![rule(0, 1, 5, Some(10)), rule(1, 2, 5, Some(10)), rule(0, 2, 10, None)],
        strict: false,
    }
}

/// A variant for `team` nodes that knows the mission.
pub fn config(variant: Variant, team: u32) -> Config {
    Config { templates: BTreeMap::from([(MISSION, template())]), ..Config::of(variant, team) }
}

/// The order for X, taken apart as a LEAD does.
pub fn group() -> Arc<Group> {
    Group::new(USER, brief(), 0).decomposed(None).expect("one task")
}

pub fn about(group: &Arc<Group>) -> About {
    About { first: group.first(), version: group.version, group: Some(group.clone()) }
}

/// The same without the order: what most messages carry as drawn.
pub fn by_name(group: &Arc<Group>) -> About {
    About { group: None, ..about(group) }
}

pub fn ballot(epoch: u32, lead: RobotId) -> Ballot {
    Ballot::new(epoch, lead)
}

pub fn holder(robot: RobotId, at_s: f64) -> Holder {
    Holder { robot, at: at(at_s), heading: 180_000 }
}

/// Report `number` of a first life.
pub fn status(about: About, ballot: Ballot, holder: Holder, number: u32) -> Message {
    let number = LIFE + number;
    Message::Status { about, ballot, index: 0, holder, patience: Duration::ZERO, number, asks: false }
}

pub fn solicitation(about: About, ballot: Ballot, closes_s: f64, t0_s: f64) -> Message {
    let phases = Phases::first(about.group.as_ref().map_or(1, |group| group.len()));
    Message::Solicitation { about, ballot, phases, t0: at(t0_s), closes: at(closes_s) }
}

pub fn assignment(about: About, ballot: Ballot, plan: &[(u8, Holder)], t0_s: f64) -> Message {
    Message::Assignment { about, ballot, plan: plan.to_vec(), t0: at(t0_s) }
}

pub fn challenge(about: About) -> Message {
    Message::Challenge { about, phases: Phases::first(1), double: false }
}

pub fn claim(about: About, epoch: u32) -> Message {
    Message::Claim { about, phases: Phases::first(1), epoch }
}

pub fn perceived(about: About, epoch: u32, winner: RobotId) -> Message {
    Message::PerceivedWinner { about, phases: Phases::first(1), epoch, winner, round: 1 }
}

pub fn deed(by: RobotId, at_s: f64) -> Deed {
    Deed { first: X, index: 0, version: 0, by, at: at(at_s) }
}

pub fn to_all(message: Message) -> Out {
    Output::Send { to: Recipient::All, message }
}

pub fn to_named(to: RobotId, message: Message) -> Out {
    Output::Send { to: Recipient::Named(to), message }
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

/// What a node is given.
#[derive(Clone, Debug)]
pub enum Given {
    Starts(Option<Memory>),
    /// The timer is due now; anything else is a mistake of the test.
    Due(Timer),
    /// The timer fires, due or not.
    Fires(Timer),
    Senses(Percept),
    Told(Order),
    /// A message to everybody.
    Hears(RobotId, Message),
    HearsTo(RobotId, Recipient, Message),
}

pub fn hears(from: RobotId, message: Message) -> Given {
    Given::Hears(from, message)
}

pub fn inject(brief: Brief) -> Given {
    Given::Told(Order::Inject(brief))
}

/// What a node leaves to chance.
#[derive(Clone, Debug)]
pub enum Luck {
    /// Every time-out is as short as it can be.
    Least,
    /// Every time-out is as long as it can be.
    Most,
    Seed(Box<Stream>),
}

impl Chance for Luck {
    fn below(&mut self, robot: RobotId, n: u32) -> u32 {
        match self {
            Self::Least => 0,
            Self::Most => n.saturating_sub(1),
            Self::Seed(stream) => Chance::below(&mut **stream, robot, n),
        }
    }

    fn fresh(&mut self, robot: RobotId) -> u32 {
        match self {
            Self::Least | Self::Most => super::FRESH,
            Self::Seed(stream) => Chance::fresh(&mut **stream, robot),
        }
    }
}

/// A machine, its body, its clock, its timers, its memory, and everything it noted.
#[derive(Clone, Debug)]
pub struct Node {
    pub machine: Tasking,
    pub body: Body,
    pub now: Time,
    pub timers: TimerTable<Timer>,
    pub memory: Memory,
    pub luck: Luck,
    pub notes: Vec<Note>,
}

impl Node {
    /// A node of 1 m/s at `place`, started for the first time at time 0.
    pub fn new(id: RobotId, place: Point, config: Config, vehicle: Vehicle) -> Self {
        let mut node = Self {
            machine: Tasking::new(Arc::new(config), Arc::new(vehicle)),
            body: Body { id, percepts: SIGHT, speed_mps: 1.0, motion: Motion::still(place) },
            now: Time::ZERO,
            timers: TimerTable::default(),
            memory: Memory::default(),
            luck: Luck::Least,
            notes: Vec::new(),
        };
        node.give(Given::Starts(Some(Memory::default())));
        node
    }

    /// A vehicle east of the target, so far that the straight way in takes it `away_s` seconds.
    pub fn vehicle(id: RobotId, away_s: f64, config: Config) -> Self {
        Self::new(id, Point::new(TARGET.x + away_s, TARGET.y), config, Vehicle::hotspot())
    }

    pub fn console(id: RobotId, config: Config) -> Self {
        Self::new(id, Point::new(0.0, 0.0), config, Vehicle::console())
    }

    pub fn id(&self) -> RobotId {
        self.body.id
    }

    /// Hands the machine one input at its own time, keeps its timers and its memory, returns what came out.
    pub fn give(&mut self, given: Given) -> Vec<Out> {
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
                held = message;
                Input::Received { from, to: Recipient::All, message: &held }
            }
            Given::HearsTo(from, to, message) => {
                held = message;
                Input::Received { from, to, message: &held }
            }
        };
        let mut outputs = Vec::new();
        let mut cx = Context::new(self.now, &self.body, &mut outputs, &mut self.luck, Some(&mut self.notes));
        self.machine.handle(&mut cx, input);
        for output in &outputs {
            match output {
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

    /// At `at_s` seconds, `given` leads to exactly these outputs, in this order. What is remembered, timers taken back
    /// and timers set twice are left out: they say how, not what.
    #[track_caller]
    pub fn check(&mut self, at_s: f64, given: Given, outputs: &[Out]) {
        let shown = format!("{given:?} at {at_s} s");
        let mut got = self.give_at(at_s, given);
        got.retain(|output| !matches!(output, Output::Remember(_) | Output::CancelTimer(_)));
        got.dedup_by(|one, before| one == before && matches!(one, Output::SetTimer { .. }));
        assert_eq!(got, outputs, "outputs of {shown}");
    }

    /// Lets due timers fire until `end_s`; returns what was sent, with the time.
    pub fn until(&mut self, end_s: f64) -> Vec<(f64, Message)> {
        let mut said = Vec::new();
        while let Some((due, timer)) = self.next_timer().filter(|(due, _)| *due <= at(end_s)) {
            self.now = self.now.max(due);
            let now_s = self.now.as_secs_f64();
            said.extend(sent(&self.give(Given::Fires(timer))).map(|(_, message)| (now_s, message.clone())));
        }
        self.now = at(end_s);
        said
    }

    pub fn next_timer(&self) -> Option<(Time, Timer)> {
        self.timers.pending().map(|(timer, due)| (due, timer)).min()
    }

    /// `given` changes nothing, says nothing, and is noted as dropped for this reason.
    #[track_caller]
    pub fn drops(&mut self, given: Given, why: Drop) {
        let (Given::Hears(from, message) | Given::HearsTo(from, _, message)) = &given else {
            panic!("only messages are dropped, not {given:?}");
        };
        let event = Event::Dropped { with: *from, message: message.name(), why };
        let (before, noted, shown) = (self.machine.clone(), self.notes.len(), format!("{message:?}"));
        assert_eq!(self.give(given), [], "outputs of {shown}");
        let got: Vec<Event> = self.notes[noted..].iter().map(|note| note.event).collect();
        assert_eq!(got, [event], "notes of {shown}");
        assert_eq!(self.machine, before, "a dropped message must not change the machine: {shown}");
    }

    /// What it knows of X.
    #[track_caller]
    pub fn order(&self) -> &Entry {
        self.machine.order(X).expect("it knows of X")
    }

    pub fn is_aware(&self) -> bool {
        self.machine.is_aware_of(X)
    }

    pub fn holds(&self, task: TaskId) -> bool {
        self.machine.own().held().iter().any(|held| held.task == task)
    }

    /// The steps that it has noted of a task.
    pub fn steps(&self, task: TaskId) -> Vec<Step> {
        let step = |note: &Note| match note.event {
            Event::Tasking { task: about, step } if about == task => Some(step),
            _ => None,
        };
        self.notes.iter().filter_map(step).collect()
    }

    pub fn noted(&self, is: impl Fn(&Step) -> bool) -> usize {
        let fits = |note: &&Note| matches!(note.event, Event::Tasking { step, .. } if is(&step));
        self.notes.iter().filter(fits).count()
    }
}

/// The messages among outputs.
pub fn sent(outputs: &[Out]) -> impl Iterator<Item = (Recipient, &Message)> {
    outputs.iter().filter_map(|output| match output {
        Output::Send { to, message } => Some((*to, message)),
        _ => None,
    })
}

/// Their names.
pub fn said(outputs: &[Out]) -> Vec<&'static str> {
    sent(outputs).map(|(_, message)| message.name()).collect()
}

/// A transmission.
#[derive(Clone, Debug)]
pub struct Sent {
    pub at: Time,
    pub from: RobotId,
    pub to: Recipient,
    pub message: Message,
}

/// What gets lost: messages of a kind, from and to whom, how many more.
#[derive(Clone, Debug)]
struct Loss {
    kind: &'static str,
    from: Option<RobotId>,
    to: Option<RobotId>,
    left: u32,
}

/// Something that will happen to a node, in this life of it.
#[derive(Clone, Debug)]
enum Pending {
    Heard(Given),
    /// Over the target on this flight; where the flight leads out.
    Over(u32, TaskId, Point, Point),
    Clear(u32, Point),
}

/// A few nodes and their radio.
pub struct Team {
    pub nodes: BTreeMap<RobotId, Node>,
    pub latency: Duration,
    /// Every transmission.
    pub log: Vec<Sent>,
    /// Every task that was done: which, by whom, when.
    pub executions: Vec<(TaskId, RobotId, Time)>,
    /// Deliveries lost at random.
    pub loss: f64,
    radio: Stream,
    now: Time,
    pending: BTreeMap<(Time, u64), (RobotId, u32, Pending)>,
    sequence: u64,
    /// Who does not hear whom.
    cuts: BTreeSet<(RobotId, RobotId)>,
    lost: Vec<Loss>,
    dead: BTreeSet<RobotId>,
    lives: BTreeMap<RobotId, u32>,
    /// The number of each body's flight; `None`: it is on none.
    flights: BTreeMap<RobotId, Option<u32>>,
}

impl Team {
    pub fn new(nodes: impl IntoIterator<Item = Node>) -> Self {
        Self {
            nodes: nodes.into_iter().map(|node| (node.id(), node)).collect(),
            latency: Duration::from_millis(50),
            log: Vec::new(),
            executions: Vec::new(),
            loss: 0.0,
            radio: Stream::of_run(1, Purpose::Radio),
            now: Time::ZERO,
            pending: BTreeMap::new(),
            sequence: 0,
            cuts: BTreeSet::new(),
            lost: Vec::new(),
            dead: BTreeSet::new(),
            lives: BTreeMap::new(),
            flights: BTreeMap::new(),
        }
    }

    /// A console and `vehicles` vehicles. The one with the highest number is nearest to the target, so that the first
    /// to claim the lead, which is the one with the lowest, does not win its own task.
    pub fn of(variant: Variant, vehicles: u32) -> Self {
        Self::with(config(variant, vehicles + 1), vehicles)
    }

    pub fn with(config: Config, vehicles: u32) -> Self {
        let console = Node::console(USER, config.clone());
        let vehicle = |n: u32| Node::vehicle(RobotId(n), 14.6 + 3.0 * f64::from(vehicles - n), config.clone());
        Self::new([console].into_iter().chain((1..=vehicles).map(vehicle)))
    }

    /// Jitter, answers in turn and the radio by this seed.
    pub fn seeded(mut self, seed: u64) -> Self {
        for (&id, node) in &mut self.nodes {
            node.luck = Luck::Seed(Box::new(Stream::new(seed, Purpose::Choice, id)));
        }
        self.radio = Stream::of_run(seed, Purpose::Radio);
        self
    }

    #[track_caller]
    pub fn node(&self, id: RobotId) -> &Node {
        &self.nodes[&id]
    }

    pub fn now_s(&self) -> f64 {
        self.now.as_secs_f64()
    }

    /// The USER asks for X now.
    pub fn inject(&mut self) -> &mut Self {
        self.order(USER, Order::Inject(brief()))
    }

    pub fn order(&mut self, id: RobotId, order: Order) -> &mut Self {
        self.give(id, Given::Told(order));
        self
    }

    /// `a` and `b` cannot hear each other.
    pub fn cut(&mut self, a: RobotId, b: RobotId) -> &mut Self {
        self.cuts.extend([(a, b), (b, a)]);
        self
    }

    /// `one` hears nobody, though all hear it.
    pub fn deafen(&mut self, one: RobotId) -> &mut Self {
        let others: Vec<RobotId> = self.nodes.keys().copied().filter(|id| *id != one).collect();
        self.cuts.extend(others.into_iter().map(|other| (other, one)));
        self
    }

    /// `one` and everybody else cannot hear each other.
    pub fn isolate(&mut self, one: RobotId) -> &mut Self {
        self.split(&[one])
    }

    /// These and all others cannot hear each other.
    pub fn split(&mut self, these: &[RobotId]) -> &mut Self {
        let others: Vec<RobotId> = self.nodes.keys().copied().filter(|id| !these.contains(id)).collect();
        for (&a, &b) in these.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            self.cut(a, b);
        }
        self
    }

    /// Only these pairs can hear each other.
    pub fn only(&mut self, pairs: &[(RobotId, RobotId)]) -> &mut Self {
        let all: Vec<RobotId> = self.nodes.keys().copied().collect();
        self.cuts.clear();
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            if a != b && !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                self.cut(a, b);
            }
        }
        self
    }

    /// Everybody hears everybody again.
    pub fn heal(&mut self) -> &mut Self {
        self.cuts.clear();
        self
    }

    /// It is gone for good, or until it restarts.
    pub fn kill(&mut self, id: RobotId) -> &mut Self {
        self.dead.insert(id);
        *self.lives.entry(id).or_default() += 1;
        self.flights.insert(id, None);
        self.nodes.get_mut(&id).expect("a node of this team").timers.clear();
        self
    }

    pub fn restart(&mut self, id: RobotId, with_memory: bool) -> &mut Self {
        self.kill(id).dead.remove(&id);
        let memory = self.nodes[&id].memory.clone();
        self.give(id, Given::Starts(with_memory.then_some(memory)));
        self
    }

    /// The next `count` deliveries of messages of this name are lost, whoever sends or should hear them.
    pub fn lose(&mut self, kind: &'static str, count: u32) -> &mut Self {
        self.lose_between(kind, None, None, count)
    }

    pub fn lose_between(
        &mut self,
        kind: &'static str,
        from: Option<RobotId>,
        to: Option<RobotId>,
        count: u32,
    ) -> &mut Self {
        self.lost.push(Loss { kind, from, to, left: count });
        self
    }

    /// All losses by name are over.
    pub fn lose_nothing(&mut self) -> &mut Self {
        self.lost.clear();
        self
    }

    /// One thing happens, not after `end`; deliveries of an instant before its timers.
    pub fn step(&mut self, end: Time) -> bool {
        let event = self.pending.first_key_value().map(|(&(at, _), _)| at);
        let timer = self.nodes.iter().flat_map(|(&id, node)| node.timers.pending().map(move |(t, at)| (at, id, t)));
        let timer = timer.min();
        let next = event.into_iter().chain(timer.map(|(at, ..)| at)).min();
        let Some(next) = next.filter(|next| *next <= end) else { return false };
        self.now = next;
        match (event, timer) {
            (Some(at), _) if at == next => {
                let (_, (id, life, pending)) = self.pending.pop_first().expect("it was just looked at");
                if self.lives.get(&id).copied().unwrap_or(0) == life && !self.dead.contains(&id) {
                    self.happen(id, pending);
                }
            }
            (_, Some((_, id, timer))) => self.give(id, Given::Due(timer)),
            _ => {}
        }
        true
    }

    /// Lets what is pending happen until `end_s`. Bounded: nobody may talk without end.
    #[track_caller]
    pub fn run_until(&mut self, end_s: f64) -> &mut Self {
        let mut steps = 0;
        while self.step(at(end_s)) {
            steps += 1;
            assert!(steps < 400_000, "no end of talk at {}", self.now);
        }
        self.now = at(end_s);
        self
    }

    /// Lets what is pending happen until this is so; `false` if it is not by `end_s`.
    pub fn run_while(&mut self, end_s: f64, go_on: impl Fn(&Self) -> bool) -> bool {
        while go_on(self) {
            if !self.step(at(end_s)) {
                return false;
            }
        }
        true
    }

    /// Runs until somebody holds `task`; who.
    #[track_caller]
    pub fn until_held(&mut self, task: TaskId) -> RobotId {
        let limit = self.now_s() + 60.0;
        assert!(self.run_while(limit, |team| team.holders(task).is_empty()), "nobody holds {task} by {limit} s");
        self.holders(task)[0]
    }

    /// Who has a task in its queue.
    pub fn holders(&self, task: TaskId) -> Vec<RobotId> {
        let alive = self.nodes.values().filter(|node| !self.dead.contains(&node.id()));
        alive.filter(|node| node.holds(task)).map(Node::id).collect()
    }

    /// Who leads the order of X.
    pub fn leads(&self) -> Vec<RobotId> {
        let leads = |node: &&Node| node.machine.order(X).is_some_and(|order| order.lead().is_some());
        self.nodes.values().filter(|node| !self.dead.contains(&node.id())).filter(leads).map(Node::id).collect()
    }

    /// Who knows of X as something to be done.
    pub fn aware(&self) -> Vec<RobotId> {
        self.nodes.values().filter(|node| !self.dead.contains(&node.id()) && node.is_aware()).map(Node::id).collect()
    }

    /// By whom a task was done, in order.
    pub fn done(&self, task: TaskId) -> Vec<RobotId> {
        self.executions.iter().filter(|(done, ..)| *done == task).map(|(_, by, _)| *by).collect()
    }

    /// How many transmissions there were of a kind.
    pub fn count(&self, kind: &str) -> usize {
        self.log.iter().filter(|sent| sent.message.name() == kind).count()
    }

    pub fn sent(&self, kind: &str) -> impl Iterator<Item = &Sent> {
        self.log.iter().filter(move |sent| sent.message.name() == kind)
    }

    /// Gives a node something now.
    pub fn give(&mut self, id: RobotId, given: Given) {
        let node = self.nodes.get_mut(&id).expect("a node of this team");
        node.now = self.now;
        for output in node.give(given) {
            match output {
                Output::Send { to, message } => self.transmit(id, to, &message),
                Output::Act(Action::Approach { task, entry, target, by, .. }) => {
                    let flight = self.sequence as u32;
                    self.flights.insert(id, Some(flight));
                    let exit = Point::new(2.0 * target.x - entry.x, 2.0 * target.y - entry.y);
                    self.later(by.max(self.now), id, Pending::Over(flight, task, target, exit));
                }
                Output::Act(Action::Stop) => drop(self.flights.insert(id, None)),
                _ => {}
            }
        }
    }

    fn later(&mut self, at: Time, id: RobotId, what: Pending) {
        let life = self.lives.get(&id).copied().unwrap_or(0);
        self.pending.insert((at, self.sequence), (id, life, what));
        self.sequence += 1;
    }

    fn transmit(&mut self, from: RobotId, to: Recipient, message: &Message) {
        self.log.push(Sent { at: self.now, from, to, message: message.clone() });
        let heard_by: Vec<RobotId> = match to {
            Recipient::Only(other) => self.nodes.contains_key(&other).then_some(other).into_iter().collect(),
            _ => self.nodes.keys().copied().filter(|&other| other != from).collect(),
        };
        for other in heard_by {
            let fits = |loss: &&mut Loss| {
                let matches = |one: Option<RobotId>, other| one.is_none_or(|one| one == other);
                loss.left > 0 && loss.kind == message.name() && matches(loss.from, from) && matches(loss.to, other)
            };
            if let Some(loss) = self.lost.iter_mut().find(fits) {
                loss.left -= 1;
            } else if !self.cuts.contains(&(from, other)) && (self.loss == 0.0 || !self.radio.chance(self.loss)) {
                let heard = Pending::Heard(Given::HearsTo(from, to, message.clone()));
                self.later(self.now + self.latency, other, heard);
            }
        }
    }

    fn happen(&mut self, id: RobotId, pending: Pending) {
        let flying = self.flights.get(&id).copied().flatten();
        match pending {
            Pending::Heard(given) => self.give(id, given),
            Pending::Over(flight, task, target, exit) if flying == Some(flight) => {
                self.executions.push((task, id, self.now));
                let body = &mut self.nodes.get_mut(&id).expect("a node of this team").body;
                body.motion = Motion::still(exit);
                let way = secs(target.distance(exit) / body.speed_mps);
                self.later(self.now + way, id, Pending::Clear(flight, exit));
                self.give(id, Given::Senses(Percept::Done(task)));
            }
            Pending::Clear(flight, _) if flying == Some(flight) => {
                self.flights.insert(id, None);
                self.give(id, Given::Senses(Percept::Arrived));
            }
            Pending::Over(..) | Pending::Clear(..) => {}
        }
    }
}
