//! The Collaborative Tasking Protocol under test: orders and messages, and bodies that keep every date: a task is done when
//! `Action::Approach` says that it should be.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_core::motion::{Along, Motion};
use muster_core::tasking::OrderState;
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::group::{Coupling, Group, Phase, Phases, Template};
use muster_core::tasking::{About, Ballot, Config, Deed, Holder, Message, Step, Tasking, Variant, Vehicle};
use muster_core::{
    Action, Body, Brief, Duration, Event, Kind, Note, Order, Output, Percept, Percepts, Point, RobotId, Task, TaskId,
    Time,
};

pub use crate::harness::*;
use crate::harness::{self, Harnessed};

pub type Out = Output<Tasking>;
pub type Given = harness::Given<Tasking>;
/// Consoles are no robots, but whatever takes part is driven in the same way.
pub type Node = harness::Robot<Tasking>;
pub type Team = harness::Team<Tasking>;
pub type Sent = harness::team::Sent<Message>;

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
        fresh: None,
        distinct: true,
    }
}

/// A variant for `team` nodes that knows the mission.
pub fn config(variant: Variant, team: u32) -> Config {
    Config { templates: BTreeMap::from([(MISSION, template())]), ..Config::of(variant, team) }
}

/// The order for X, taken apart as a LEAD does.
pub fn group() -> Arc<Group> {
    group_of(brief(), 0)
}

/// This version of an order for one task, taken apart.
pub fn group_of(brief: Brief, version: u32) -> Arc<Group> {
    Group::new(USER, brief, version).decomposed(None).expect("one task")
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
    Message::Status { about, ballot, index: 0, holder, patience: Duration::ZERO, number, asks: None }
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

pub fn inject(brief: Brief) -> Given {
    Given::Told(Order::Inject(brief))
}

impl Node {
    /// A node of 1 m/s at `place`, started for the first time at time 0.
    pub fn new(id: RobotId, place: Point, config: Config, vehicle: Vehicle) -> Self {
        let body = Body { id, percepts: SIGHT, speed_mps: 1.0, motion: Motion::still(place) };
        Self::started(Tasking::new(Arc::new(config), Arc::new(vehicle)), body, Dice::default())
    }

    /// A vehicle east of the target, so far that the straight way in takes it `away_s` seconds.
    pub fn vehicle(id: RobotId, away_s: f64, config: Config) -> Self {
        Self::new(id, Point::new(TARGET.x + away_s, TARGET.y), config, Vehicle::hotspot())
    }

    pub fn console(id: RobotId, config: Config) -> Self {
        Self::new(id, Point::new(0.0, 0.0), config, Vehicle::console())
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

    /// What it knows of X.
    #[track_caller]
    pub fn order(&self) -> &OrderState {
        self.machine.order(X).expect("it knows of X")
    }

    pub fn is_aware(&self) -> bool {
        self.machine.is_aware_of(X)
    }

    pub fn holds(&self, task: TaskId) -> bool {
        self.machine.held().iter().any(|held| held.task == task)
    }

    /// The steps that it has noted of a task.
    pub fn steps(&self, task: TaskId) -> Vec<Step> {
        let step = |note: &Note| match &note.event {
            Event::Tasking { task: about, step } if *about == task => Some(step.clone()),
            _ => None,
        };
        self.notes.iter().filter_map(step).collect()
    }

    pub fn noted(&self, is: impl Fn(&Step) -> bool) -> usize {
        let fits = |note: &&Note| matches!(&note.event, Event::Tasking { step, .. } if is(step));
        self.notes.iter().filter(fits).count()
    }
}

/// Bodies that keep every date.
#[derive(Default)]
pub struct Sky {
    /// Every task that was done: which, by whom, when.
    pub executions: Vec<(TaskId, RobotId, Time)>,
    /// The number of each body's flight, if it is on one.
    flights: BTreeMap<RobotId, u32>,
    /// Bodies that are not to pass over this task's target yet.
    awaits: BTreeMap<RobotId, TaskId>,
    begun: u32,
}

/// What happens on the flight of this number, if it has not been broken off.
pub enum Flight {
    /// Over the target; where the way leads out.
    Over(u32, TaskId, Point, Point),
    Clear(u32),
}

/// The body stands where it is.
fn stop(team: &mut Team, node: RobotId) {
    let now = team.now;
    let body = &mut team.robot_mut(node).body;
    body.motion = Motion::still(body.place(now));
}

impl Harnessed for Tasking {
    const LATENCY: Duration = Duration::from_millis(50);
    type World = Sky;
    type Happening = Flight;

    fn acts(team: &mut Team, node: RobotId, action: Action) {
        match action {
            Action::Approach { task, entry, target, by, .. } => {
                team.world.begun += 1;
                let flight = team.world.begun;
                team.world.flights.insert(node, flight);
                team.world.awaits.remove(&node);
                let exit = Point::new(2.0 * target.x - entry.x, 2.0 * target.y - entry.y);
                let now = team.now;
                let body = &mut team.robot_mut(node).body;
                if let Some((path, to_m)) = Corridor::between(entry, target).path(body.place(now)) {
                    // As late as it can, and as fast as it must.
                    let left_s = by.since(now).as_secs_f64().max(1e-6);
                    let speed_mps = body.speed_mps.max(to_m / left_s);
                    let leave = by.as_micros().saturating_sub(secs(to_m / speed_mps).as_micros());
                    let leave = Time::from_micros(leave).max(now);
                    body.motion =
                        Motion::Along(Box::new(Along { path: Arc::new(path), from_m: 0.0, to_m, speed_mps, leave }));
                }
                team.will_happen(by.max(team.now), node, Flight::Over(flight, task, target, exit));
            }
            Action::Stop => {
                team.world.flights.remove(&node);
                stop(team, node);
            }
            Action::Await { task } => drop(team.world.awaits.insert(node, task)),
            Action::Cross { task } => team.world.awaits.retain(|one, other| (*one, *other) != (node, task)),
            _ => {}
        }
    }

    fn happens(team: &mut Team, node: RobotId, what: Flight) {
        let flying = team.world.flights.get(&node).copied();
        match what {
            Flight::Over(flight, task, ..) if flying == Some(flight) && team.world.awaits.get(&node) == Some(&task) => {
                team.world.flights.remove(&node);
                stop(team, node);
            }
            Flight::Over(flight, task, target, exit) if flying == Some(flight) => {
                team.world.executions.push((task, node, team.now));
                let body = &mut team.robot_mut(node).body;
                body.motion = Motion::still(exit);
                let way = secs(target.distance(exit) / body.speed_mps);
                team.will_happen(team.now + way, node, Flight::Clear(flight));
                team.give(node, Given::Senses(Percept::Done(task)));
            }
            Flight::Clear(flight) if flying == Some(flight) => {
                team.world.flights.remove(&node);
                team.give(node, Given::Senses(Percept::Arrived));
            }
            Flight::Over(..) | Flight::Clear(_) => {}
        }
    }
}

impl Team {
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

    #[track_caller]
    pub fn node(&self, id: RobotId) -> &Node {
        &self.robots[&id]
    }

    /// The USER asks for X now.
    pub fn inject(&mut self) -> &mut Self {
        self.order(USER, Order::Inject(brief()))
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
        let alive = self.alive();
        alive.filter(|node| node.holds(task)).map(Node::id).collect()
    }

    /// Who leads the order of X.
    pub fn leads(&self) -> Vec<RobotId> {
        let leads = |node: &&Node| node.machine.order(X).is_some_and(|order| order.lead().is_some());
        self.alive().filter(leads).map(Node::id).collect()
    }

    /// Who knows of X as something to be done.
    pub fn aware(&self) -> Vec<RobotId> {
        self.alive().filter(|node| node.is_aware()).map(Node::id).collect()
    }

    /// By whom a task was done, in order.
    pub fn done(&self, task: TaskId) -> Vec<RobotId> {
        self.world.executions.iter().filter(|(done, ..)| *done == task).map(|(_, by, _)| *by).collect()
    }
}
