//! A HELP to a million robots: the real machines against a bare loop of the SHAME arithmetic.
//!
//! Both hear the same calls and must end with the same SHAME, bit by bit: else one of them does other work.

use std::hint::black_box;
use std::sync::Arc;

use muster_core::affect::Intensity;
use muster_core::mechanism::Chance;
use muster_core::motion::Motion;
use muster_core::recruitment::{Config, Message, Recruitment, Request, Shame};
use muster_core::rng::{Purpose, Stream};
use muster_core::{
    Body, Context, Duration, Input, Mechanism, Note, Output, Percepts, Phase, Point, Recipient, RobotId, TaskId, Time,
};
use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::table::{Bound, Stopwatch, none, row, turns};

const ROBOTS: usize = 1_000_000;
/// Of these a scattered call reaches every tenth, so that none is in the cache from the call before.
const SCATTERED: usize = ROBOTS / 10;
/// As dense as the minefield, 13 robots to a hectare.
const FIELD_M: f64 = 27_735.0;
const ROUNDS: usize = 101;

/// The caller is none of the million, and stands in the middle of them.
const CALLER: RobotId = RobotId(ROBOTS as u32);
const PLACE: Point = Point::new(FIELD_M / 2.0, FIELD_M / 2.0);
const GROUND: Percepts = Percepts::only(0);

/// The calls that nobody answers: four for each need, 5 s apart, are as many as leave robots from 10 m away below
/// the threshold; then a rest in which SHAME fades. An answer costs more than a silence, but one robot in thousands
/// answers a call.
fn call(number: u32) -> (Time, Message) {
    let (need, attempt) = (number / 4, number % 4);
    let seconds = need * 300 + attempt * 5;
    // A need that is settled ends a life of the caller.
    let request = Request { requester: CALLER, incarnation: need + 1, need: TaskId(need), attempt: attempt + 1 };
    (Time::ZERO + Duration::from_secs(u64::from(seconds)), Message::Help { request, place: PLACE, needs: GROUND })
}

fn places() -> Vec<Point> {
    let mut random = Stream::new(1, Purpose::Arrangement, RobotId(0));
    let mut coordinate = || f64::from(random.below(u32::MAX)) / f64::from(u32::MAX) * FIELD_M;
    let anywhere = std::iter::repeat_with(|| Point::new(coordinate(), coordinate()));
    anywhere.filter(|place| place.distance(PLACE) > 10.0).take(ROBOTS).collect()
}

/// All robots once, in no order.
fn shuffled() -> Vec<u32> {
    let mut random = Stream::new(2, Purpose::Arrangement, RobotId(0));
    let mut order: Vec<u32> = (0..ROBOTS as u32).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u32 + 1) as usize);
    }
    order
}

/// The robots as the simulator keeps them.
struct Team {
    machines: Vec<Recruitment>,
    bodies: Vec<Body>,
    outputs: Vec<Output<Recruitment>>,
    notes: Vec<Note>,
    dice: Stream,
    heard: u32,
}

impl Team {
    fn new(config: &Arc<Config>, places: &[Point]) -> Self {
        let body = |(index, &place)| Body {
            id: RobotId(index as u32),
            percepts: GROUND,
            speed_mps: 1.0,
            motion: Motion::still(place),
        };
        let mut team = Self {
            machines: places.iter().map(|_| Recruitment::new(config.clone())).collect(),
            bodies: places.iter().enumerate().map(body).collect(),
            outputs: Vec::with_capacity(8),
            notes: Vec::with_capacity(places.len()),
            dice: Stream::new(3, Purpose::Choice, RobotId(0)),
            heard: 0,
        };
        for (machine, body) in team.machines.iter_mut().zip(&team.bodies) {
            let mut cx = Context::new(Time::ZERO, body, &mut team.outputs, &mut team.dice, None);
            machine.handle(&mut cx, Input::Start(Some(Default::default())));
            machine.handle(&mut cx, Input::Perceived(muster_core::Percept::Phase(Phase::Free)));
        }
        assert!(team.outputs.is_empty(), "a team that starts is silent");
        team
    }

    /// The next call, to everybody, as `Sim::deliver_to_all` does it. Nanoseconds a robot.
    #[inline(never)]
    fn hear(&mut self, noting: bool) -> f64 {
        let (now, message) = black_box(call(self.heard));
        self.heard += 1;
        self.notes.clear();
        let start = Stopwatch::start();
        let notes = noting.then_some(&mut self.notes);
        let dice: &mut dyn Chance = &mut self.dice;
        let mut cx = Context::new(now, &self.bodies[0], &mut self.outputs, dice, notes);
        let answers = self.machines.iter_mut().zip(&self.bodies).position(|(machine, body)| {
            if body.id == CALLER {
                return false;
            }
            cx.lend(body);
            machine.handle(&mut cx, Input::Received { from: CALLER, to: Recipient::All, message: &message });
            cx.has_outputs()
        });
        let nanos = start.nanos();
        assert_eq!(answers, None, "nobody answers");
        assert_eq!(self.notes.len(), if noting { self.machines.len() } else { 0 });
        black_box(&self.notes);
        nanos / self.machines.len() as f64
    }

    /// The next call, to `receivers` in their order.
    #[inline(never)]
    fn hear_scattered(&mut self, receivers: &[u32]) -> f64 {
        let (now, message) = black_box(call(self.heard));
        self.heard += 1;
        let start = Stopwatch::start();
        let dice: &mut dyn Chance = &mut self.dice;
        let mut cx = Context::new(now, &self.bodies[0], &mut self.outputs, dice, None);
        for &receiver in receivers {
            let (machine, body) = (&mut self.machines[receiver as usize], &self.bodies[receiver as usize]);
            cx.lend(body);
            machine.handle(&mut cx, Input::Received { from: CALLER, to: Recipient::All, message: &message });
            if cx.has_outputs() {
                break;
            }
        }
        let nanos = start.nanos();
        assert!(self.outputs.is_empty(), "nobody answers");
        nanos / receivers.len() as f64
    }
}

/// The arithmetic and nothing else: no ids, no states, no messages.
struct Bare {
    rules: Shame,
    place: Vec<Point>,
    shame: Vec<Intensity>,
    last_help: Vec<Time>,
    heard: u32,
}

impl Bare {
    fn new(config: &Config, places: &[Point]) -> Self {
        Self {
            rules: config.shame,
            place: places.to_vec(),
            shame: vec![Intensity::NONE; places.len()],
            last_help: vec![Time::ZERO; places.len()],
            heard: 0,
        }
    }

    #[inline(never)]
    fn hear(&mut self) -> f64 {
        let (rules, (now, _), place) = black_box((self.rules, call(self.heard), PLACE));
        self.heard += 1;
        let start = Stopwatch::start();
        let mut answers = 0;
        for ((at, shame), last_help) in self.place.iter().zip(&mut self.shame).zip(&mut self.last_help) {
            answers += decide(&rules, now, place, *at, shame, last_help);
        }
        let nanos = start.nanos();
        assert_eq!(black_box(answers), 0);
        black_box((&self.shame, &self.last_help));
        nanos / self.place.len() as f64
    }

    #[inline(never)]
    fn hear_scattered(&mut self, receivers: &[u32]) -> f64 {
        let (rules, (now, _), place) = black_box((self.rules, call(self.heard), PLACE));
        self.heard += 1;
        let start = Stopwatch::start();
        let mut answers = 0;
        for &receiver in receivers {
            let i = receiver as usize;
            answers += decide(&rules, now, place, self.place[i], &mut self.shame[i], &mut self.last_help[i]);
        }
        let nanos = start.nanos();
        assert_eq!(black_box(answers), 0);
        black_box((&self.shame, &self.last_help));
        nanos / receivers.len() as f64
    }
}

/// Decay, decision, refusal; 1 for an answer.
#[inline(always)]
fn decide(rules: &Shame, now: Time, place: Point, at: Point, shame: &mut Intensity, last_help: &mut Time) -> u32 {
    let faded = rules.faded(*shame, now.since(*last_help));
    *last_help = now;
    if rules.tells(faded) {
        *shame = Intensity::NONE;
        return 1;
    }
    *shame = rules.refused(faded, at.distance(place));
    0
}

pub fn measure() {
    let config = Arc::new(Config::gage_2004());
    let places = places();
    let (mut team, mut bare) = (Team::new(&config, &places), Bare::new(&config, &places));

    for (what, noting, bound) in
        [("HELP to 1,000,000 / bare loop", false, 3.0), ("HELP to 1,000,000, with notes / bare loop", true, 4.0)]
    {
        let pair = turns(ROUNDS, || team.hear(noting), || bare.hear());
        row(what, pair.first, pair.second, pair.ratio, Bound::AtMost(bound));
    }

    let order = shuffled();
    let mut parts = (order.chunks(SCATTERED).cycle(), order.chunks(SCATTERED).cycle());
    let pair = turns(
        ROUNDS,
        || parts.0.next().map_or(0.0, |part| team.hear_scattered(part)),
        || parts.1.next().map_or(0.0, |part| bare.hear_scattered(part)),
    );
    row("HELP to 100,000 scattered / gather loop", pair.first, pair.second, pair.ratio, Bound::AtMost(5.0));

    let region = Region::new(ALLOCATOR);
    team.hear(false);
    team.hear(true);
    team.hear_scattered(&order[..SCATTERED]);
    let change = region.change();
    none("allocations while a HELP is delivered", change.allocations + change.reallocations, 2_100_000);
    bare.hear();
    bare.hear();
    bare.hear_scattered(&order[..SCATTERED]);

    let differing = team.machines.iter().zip(&bare.shame).filter(|(machine, shame)| machine.shame() != **shame);
    none("robots whose SHAME differs from the bare loop's", differing.count(), ROBOTS as u64);
}
