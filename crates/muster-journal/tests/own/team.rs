//! A few robots without a simulator, each recording by itself: nodes, links that lose, double and delay, and bodies that do
//! as they are told.

use std::collections::BTreeMap;
use std::path::PathBuf;

use muster_core::motion::Motion;
use muster_core::rng::{Purpose, Stream};
use muster_core::{
    Action, Body, Dice, Duration, Input, Mechanism, Node, Note, Order, Output, Percept, Percepts, Point, Recipient,
    RobotId, Time,
};
use muster_journal::{Cast, Member, OwnHeader, OwnRecorder};

pub const SIGHT: Percepts = Percepts::only(0);
/// How often a robot's driver looks what there is to do.
const LOOK: Duration = Duration::from_millis(50);
/// How long a task takes a robot that works at it.
const WORK: Duration = Duration::from_secs(20);

/// A robot with its recorder, and what it was seen to put out and note.
pub struct Robot<M: Mechanism> {
    pub node: Node<M>,
    recorder: OwnRecorder,
    dice: Dice,
    pub notes: Vec<Note>,
    pub outputs: Vec<Output<M>>,
    pub inputs: u64,
    pub path: PathBuf,
}

/// What is on its way to a robot.
enum Coming<M: Mechanism> {
    Message(RobotId, Recipient, M::Message),
    Percept(Percept),
    Order(Order),
    /// Its computer crashes and comes up again; `true`: with its memory.
    Crash(bool),
}

pub struct Team<M: Mechanism> {
    pub robots: Vec<Robot<M>>,
    links: Stream,
    now: Time,
    coming: BTreeMap<(Time, u64), (RobotId, Coming<M>)>,
    sequence: u64,
}

pub fn cast(team: u32, scheme: &str) -> Cast {
    let member = |id: u32| Member { name: format!("robot\t{id}").into(), percepts: SIGHT, speed_mps: 1.0 };
    Cast { robots: (0..team).map(member).collect(), tasks: vec!["mine".to_owned()], scheme: scheme.to_owned() }
}

pub fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("own");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

impl<M: Mechanism> Team<M> {
    /// Started robots, each with dice of its own that nobody else knows.
    pub fn new(name: &str, places: &[Point], machine: impl Fn(RobotId) -> M) -> Self {
        let cast = cast(places.len() as u32, name);
        let robot = |(id, &place): (usize, &Point)| {
            let me = RobotId(id as u32);
            let path = file(&format!("{name}-{id}.mcap"));
            let program = ("0.0.0".to_owned(), "test".to_owned());
            let header = OwnHeader { me, cast: cast.clone(), program };
            let recorder = OwnRecorder::create(&path, &header).unwrap();
            let body = Body { id: me, percepts: SIGHT, speed_mps: 1.0, motion: Motion::still(place) };
            let dice = Dice::new(0xD1CE + 977 * id as u64);
            let node = Node::new(machine(me), body);
            Robot { node, recorder, dice, notes: Vec::new(), outputs: Vec::new(), inputs: 0, path }
        };
        let robots = places.iter().enumerate().map(robot).collect();
        let links = Stream::of_run(5, Purpose::Radio);
        let mut team = Self { robots, links, now: Time::ZERO, coming: BTreeMap::new(), sequence: 0 };
        for id in 0..team.robots.len() as u32 {
            team.start(RobotId(id), true);
        }
        team
    }

    pub fn perceives(&mut self, robot: u32, percept: Percept) {
        self.push(self.now, RobotId(robot), Coming::Percept(percept));
    }

    pub fn ordered(&mut self, robot: u32, order: Order) {
        self.push(self.now, RobotId(robot), Coming::Order(order));
    }

    pub fn crashes(&mut self, robot: u32, after: Duration, remembers: bool) {
        self.push(self.now + after, RobotId(robot), Coming::Crash(remembers));
    }

    fn push(&mut self, at: Time, robot: RobotId, coming: Coming<M>) {
        self.coming.insert((at, self.sequence), (robot, coming));
        self.sequence += 1;
    }

    fn start(&mut self, robot: RobotId, remembers: bool) {
        let memory = remembers.then(|| self.robots[robot.index()].node.memory.clone());
        self.give(robot, Input::Start(memory));
    }

    /// Lets it run for a while, each robot looked at now and then, and late.
    pub fn run(&mut self, long: Duration) {
        let end = self.now + long;
        while self.now < end {
            self.now += LOOK + LOOK.stretched(self.links.uniform());
            let later = self.coming.split_off(&(self.now, u64::MAX));
            for (_, (robot, coming)) in std::mem::replace(&mut self.coming, later) {
                match coming {
                    Coming::Message(from, to, message) => {
                        self.give(robot, Input::Received { from, to, message: &message });
                    }
                    Coming::Percept(percept) => self.give(robot, Input::Perceived(percept)),
                    Coming::Order(order) => self.give(robot, Input::Ordered(order)),
                    Coming::Crash(remembers) => self.start(robot, remembers),
                }
            }
            for id in (0..self.robots.len() as u32).map(RobotId) {
                loop {
                    let Robot { node, recorder, dice, notes, inputs, .. } = &mut self.robots[id.index()];
                    let Some(outputs) = recorder.wake(node, self.now, dice, Some(notes)) else { break };
                    *inputs += 1;
                    self.apply(id, outputs);
                }
            }
        }
    }

    fn give(&mut self, robot: RobotId, input: Input<'_, M>) {
        let Robot { node, recorder, dice, notes, inputs, .. } = &mut self.robots[robot.index()];
        let outputs = recorder.give(node, self.now, input, dice, Some(notes));
        *inputs += 1;
        self.apply(robot, outputs);
    }

    fn apply(&mut self, robot: RobotId, outputs: Vec<Output<M>>) {
        for output in &outputs {
            match output {
                Output::Send { to, message } => self.send(robot, *to, message),
                Output::Act(action) => self.act(robot, *action),
                Output::SetTimer { .. } | Output::CancelTimer(_) | Output::Remember(_) => {}
            }
        }
        self.robots[robot.index()].outputs.extend(outputs);
    }

    /// A sixth is lost, a tenth of the rest comes twice, all of it late.
    fn send(&mut self, from: RobotId, to: Recipient, message: &M::Message) {
        for id in (0..self.robots.len() as u32).map(RobotId) {
            let meant = match to {
                Recipient::All | Recipient::Named(_) => id != from,
                Recipient::Only(only) => id == only,
            };
            if !meant || self.links.uniform() < 1.0 / 6.0 {
                continue;
            }
            for _ in 0..if self.links.uniform() < 0.1 { 2 } else { 1 } {
                let at = self.now + LOOK.stretched(3.0 * self.links.uniform());
                self.push(at, id, Coming::Message(from, to, message.clone()));
            }
        }
    }

    fn act(&mut self, robot: RobotId, action: Action) {
        let now = self.now;
        let body = &mut self.robots[robot.index()].node.body;
        let (after, percept) = match action {
            Action::GoTo(to) | Action::Visit(to) => {
                let from = body.place(now);
                body.motion = Motion::straight(from, to, body.speed_mps, now);
                (Duration::from_secs_f64(from.distance(to)), Percept::Arrived)
            }
            Action::Approach { task, target, by, .. } => {
                body.motion = Motion::still(target);
                (by.since(now), Percept::Done(task))
            }
            Action::Work { task, .. } => (WORK, Percept::Done(task)),
            Action::Reload { .. } => (WORK, Percept::Reloaded),
            Action::Stop
            | Action::Hold
            | Action::Resume
            | Action::HandOver { .. }
            | Action::Await { .. }
            | Action::Cross { .. }
            | Action::Renew { .. } => return,
        };
        self.push(now + after, robot, Coming::Percept(percept));
    }

    /// Ends all recordings.
    pub fn finish(self) -> Vec<Ended<M>> {
        let ended = |robot: Robot<M>| {
            let Robot { recorder, notes, outputs, inputs, path, .. } = robot;
            assert_eq!(recorder.finish().unwrap(), inputs + outputs.len() as u64);
            Ended { path, notes, outputs, inputs }
        };
        self.robots.into_iter().map(ended).collect()
    }
}

/// What a robot did, as it was seen, and the file that it left.
pub struct Ended<M: Mechanism> {
    pub path: PathBuf,
    pub notes: Vec<Note>,
    pub outputs: Vec<Output<M>>,
    pub inputs: u64,
}

pub fn points(places: &[(f64, f64)]) -> Vec<Point> {
    places.iter().map(|&(x, y)| Point::new(x, y)).collect()
}
