//! What the Collaborative Tasking Protocol costs: a bid, a message heard by a node that knows many tasks, and a large team
//! under continuous injection. What an assignment costs is in `assign.rs`.

use std::hint::black_box;
use std::sync::Arc;

use muster_core::motion::Motion;
use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{Outlook, Pending, Quote, Surface, estimate};
use muster_core::tasking::group::{Group, Phases};
use muster_core::tasking::{About, Ballot, Config, Holder, Message, Tasking, Variant, Vehicle};
use muster_core::{
    Body, Brief, Context, Duration, Input, Mechanism, Percepts, Point, Recipient, RobotId, Task, TaskId, Time,
};
use muster_sim::{Sim, scenario};

use crate::table::{Bound, Stopwatch, compare_us, quantile, row_us, times};

const ROUNDS: usize = 31;
/// What one bid may cost.
const BID_US: f64 = 50.0;
/// What one message may cost, whatever a node knows.
const MESSAGE_US: f64 = 5.0;
/// A node knows so many tasks.
const KNOWN: [u32; 3] = [10, 100, 1_000];

const LARGE: &str = include_str!("../../data/tasking_large.toml");
const SEED: u64 = 1;

const ME: RobotId = RobotId(1);
const USER: RobotId = RobotId(0);
const OTHER: RobotId = RobotId(2);

pub fn measure() {
    bids();
    messages();
    large();
}

/// One bid: a surface of all times and headings.
fn bids() {
    let (config, vehicle) = (Config::fenced(10), Vehicle::hotspot());
    for held in [0_u32, 4] {
        let pending: Vec<Pending> = (0..held)
            .map(|index| {
                let target = Point::new(200.0 + 50.0 * f64::from(index), 300.0);
                let corridor = Corridor { target, heading: 0.5 * f64::from(index), length_m: config.corridor_m };
                Pending { at: Time::ZERO + Duration::from_secs(60 * u64::from(index) + 60), corridor }
            })
            .collect();
        let outlook = Outlook {
            place: Point::new(10.0, 20.0),
            free_at: Time::ZERO,
            speed_mps: 20.0,
            endurance_m: None,
            pending: &pending,
            supply: None,
        };
        let one = || {
            let Vehicle { rates, preferences, .. } = &vehicle;
            let target = black_box(Point::new(400.0, 100.0));
            estimate(black_box(&outlook), target, config.corridor_m, Time::ZERO, &config.grid, rates, preferences)
        };
        let us = median_us(100, || {
            black_box(one());
        });
        row_us(&format!("a bid with {held} tasks pending"), us, BID_US);
    }
}

/// The median of the mean of so many calls.
fn median_us(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Stopwatch::start();
        for _ in 0..calls {
            call();
        }
        start.nanos() / 1e3 / f64::from(calls)
    };
    quantile((0..ROUNDS).map(round).collect::<Vec<_>>().into_iter(), 0.5)
}

/// A vehicle that knows tasks, leads them or watches over them.
#[derive(Clone)]
struct Node {
    machine: Tasking,
    body: Body,
    chance: Stream,
    now: Time,
}

impl Node {
    fn new(config: &Arc<Config>) -> Self {
        let motion = Motion::still(Point::default());
        let body = Body { id: ME, percepts: Percepts::default(), speed_mps: 20.0, motion };
        let machine = Tasking::new(config.clone(), Arc::new(Vehicle::hotspot()));
        let mut node = Self { machine, body, chance: Stream::of_run(SEED, Purpose::Faults), now: Time::ZERO };
        node.take(Input::Start(Some(Default::default())));
        node
    }

    /// Hands it an input; how much it put out.
    fn take(&mut self, input: Input<'_, Tasking>) -> usize {
        let mut outputs = Vec::new();
        let mut cx = Context::new(self.now, &self.body, &mut outputs, &mut self.chance, None);
        self.machine.handle(&mut cx, input);
        outputs.len()
    }

    fn hear(&mut self, from: RobotId, message: &Message) -> usize {
        self.take(Input::Received { from, to: Recipient::All, message })
    }
}

fn about(task: u32) -> About {
    let brief = Brief::from(Task { id: TaskId(task), place: Point::new(100.0, 100.0), needs: Percepts::default() });
    let group = Group::new(USER, brief, 0).decomposed(None).expect("a single task is its own phase");
    About { first: TaskId(task), version: 0, group: Some(group) }
}

fn status(task: u32, number: u32) -> Message {
    let holder = Holder { robot: OTHER, at: Time::ZERO + Duration::from_secs(3_000), heading: 0 };
    let ballot = Ballot::new(1, OTHER);
    Message::Status { about: about(task), ballot, index: 0, holder, patience: Duration::ZERO, number, asks: None }
}

/// What one message costs a node, by what it knows.
fn messages() {
    let config = Arc::new(Config::fenced(10));
    let mut first = [0.0; 3];
    for known in KNOWN {
        let mut peer = Node::new(&config);
        let statuses: Vec<Message> = (0..known).map(|task| status(task, task)).collect();
        for message in &statuses {
            peer.hear(OTHER, message);
        }
        assert_eq!(peer.machine.orders().count(), known as usize);
        let challenges: Vec<Message> = (0..known)
            .map(|task| Message::Challenge { about: about(task), phases: Phases::only(0), double: false })
            .collect();
        let mut lead = Node::new(&config);
        for task in 0..known {
            lead.hear(USER, &Message::AckLead { about: about(task), lead: ME, epoch: 1 });
        }
        let cost = Quote::sampled(&Surface::new(vec![100; config.grid.len()]));
        let bids: Vec<Message> = (0..known)
            .map(|task| Message::Bid { about: about(task), ballot: Ballot::new(1, ME), costs: vec![cost.clone()] })
            .collect();
        assert!(lead.hear(OTHER, &bids[0]) > 0, "a bid is acknowledged");
        let cases: [(&str, &mut Node, &[Message]); 3] = [
            ("a Status heard by a PEER", &mut peer.clone(), &statuses),
            ("a Challenge heard by a PEER", &mut peer, &challenges),
            ("a Bid heard by a LEAD", &mut lead, &bids),
        ];
        for ((what, node, messages), first) in cases.into_iter().zip(&mut first) {
            let mut next = messages.iter().cycle();
            let us = median_us(1_000, || {
                black_box(node.hear(OTHER, next.next().expect("it goes on for ever")));
            });
            row_us(&format!("{what} of {known} tasks"), us, MESSAGE_US);
            if known == KNOWN[0] {
                *first = us;
            } else {
                compare_us(&format!("{what}, {known} / {} tasks", KNOWN[0]), us, *first);
            }
        }
    }
}

/// Simulated time beside processor time, with 1,000 orders, one every two seconds.
fn large() {
    for (vehicles, bound) in [(100, 100.0), (50, 100.0), (200, 0.0)] {
        let changes = [format!("robots.scout.count={vehicles}")];
        let loaded = scenario::parse("large", "tasking_large.toml", LARGE, &changes).expect("the scenario loads");
        let (config, nodes) = loaded.tasking(Variant::Fenced);
        let start = Stopwatch::start();
        let machine = |robot: RobotId| Tasking::new(config.clone(), nodes[robot.index()].clone());
        let mut sim = Sim::new(&loaded.mission, SEED, machine, ());
        sim.run();
        let processor_s = start.nanos() / 1e9;
        assert!(sim.ledger().all_served(), "all are done");
        assert_eq!(sim.ledger().duplicates(), 0, "none is done twice");
        let what = format!("1,000 tasks, {vehicles} vehicles, simulated / processor");
        times(&what, sim.now().as_secs_f64(), processor_s, Bound::AtLeast(bound));
    }
}
