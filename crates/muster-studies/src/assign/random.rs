//! Random instances: vehicles somewhere around the targets, bids by the corridor model of the reproduction.
//!
//! The model is that of docs/assign.md: a target is approached along a straight corridor of 8 units, on one of eight
//! headings; the way there leads around the disc that the corridors fill. A bid is A per second of travel, B per second
//! of waiting, G per second of detour, times 100. What the paper does not give is chosen so that bids differ by as much
//! as the choices do: vehicles stand 10 to 60 units from the middle of the group at speeds of 0.5 to 2 units a second,
//! A and B are 1 to 3, G 0 to 3, for each vehicle. The tasks of a group lie within 6 units of each other, so the same
//! vehicles are good at all of them and have to be shared out.

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::assigner::{Choice, Constraint, INFEASIBLE, Problem};

/// Length of an approach corridor.
const CORRIDOR: f64 = 8.0;
const TIMES: i64 = 21;
const STEP_S: i64 = 5;
const HEADINGS: i64 = 8;
/// The most that a file has room for.
const MOST: f64 = 65_534.0;

/// How the tasks of a group depend on each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Coupled {
    /// Phases: each 5 to 10 s after the one before it, on a heading at least 90 degrees from it.
    Chain,
    /// Every pair, by a window of up to 10 s around a planted plan, or by headings at least 45 or 90 degrees apart if
    /// they are in the plan; half of the pairs each.
    Dense,
    /// As [`Coupled::Dense`], with windows of up to 30 s.
    Loose,
    /// As [`Coupled::Dense`], with windows of no more than 5 s.
    Tight,
    /// Every pair in time and in heading.
    Both,
    /// Every pair by headings alone: at least 45 degrees for up to 8 tasks; with more, whatever the plan has, 45 at most.
    Headings,
    /// Every pair by an order in time alone: at least 0 to 10 s apart.
    Order,
}

/// Every way, with its name.
pub const COUPLED: [(&str, Coupled); 7] = [
    ("chain", Coupled::Chain),
    ("dense", Coupled::Dense),
    ("loose", Coupled::Loose),
    ("tight", Coupled::Tight),
    ("both", Coupled::Both),
    ("headings", Coupled::Headings),
    ("order", Coupled::Order),
];

/// How the bids come about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bids {
    /// As described above.
    Varied,
    /// All tasks at one target.
    OneTarget,
    /// All vehicles alike in speed and rates, on a ring around one target: many ties.
    Alike,
    /// Every cost drawn by itself.
    Noise,
}

/// Every kind of bids, with its name.
pub const BIDS: [(&str, Bids); 4] =
    [("varied", Bids::Varied), ("one-target", Bids::OneTarget), ("alike", Bids::Alike), ("noise", Bids::Noise)];

/// An instance with 21 times (0 to 100 s) and 8 headings.
pub fn instance(seed: u64, tasks: usize, vehicles: usize, coupled: Coupled, bids: Bids) -> Problem {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    let around = |stream: &mut Stream, near: f64, far: f64| {
        let (distance, bearing) = (stream.between(near, far), stream.between(0.0, std::f64::consts::TAU));
        (distance * libm::cos(bearing), distance * libm::sin(bearing))
    };
    let spread = if bids == Bids::Varied { 3.0 } else { 0.0 };
    let targets: Vec<(f64, f64)> = (0..tasks).map(|_| around(&mut stream, 0.0, spread)).collect();
    let vehicle = |stream: &mut Stream| match bids {
        Bids::Alike => Vehicle { place: around(stream, 30.0, 30.0), speed: 1.0, travel: 2.0, wait: 2.0, detour: 1.0 },
        _ => Vehicle {
            place: around(stream, 10.0, 60.0),
            speed: stream.between(0.5, 2.0),
            travel: stream.between(1.0, 3.0),
            wait: stream.between(1.0, 3.0),
            detour: stream.between(0.0, 3.0),
        },
    };
    let fleet: Vec<Vehicle> = (0..vehicles).map(|_| vehicle(&mut stream)).collect();
    let mut costs = Vec::with_capacity(tasks * vehicles * (TIMES * HEADINGS) as usize);
    for &target in &targets {
        for vehicle in &fleet {
            for time in 0..TIMES {
                for heading in 0..HEADINGS {
                    let (at, heading) = ((time * STEP_S) as f64, (heading * 45) as f64);
                    costs.push(match bids {
                        Bids::Noise => stream.below(10_000),
                        _ => vehicle.bid(target, at, heading),
                    });
                }
            }
        }
    }
    let plan = plan(&mut stream, tasks, coupled);
    let constraints = constraints(&mut stream, &plan, coupled);
    let times = (0..TIMES).map(|time| time * STEP_S).collect();
    let headings = (0..HEADINGS).map(|heading| heading * 45).collect();
    Problem::new(tasks, vehicles, times, headings, costs, constraints).expect("it is a problem")
}

struct Vehicle {
    place: (f64, f64),
    speed: f64,
    travel: f64,
    wait: f64,
    detour: f64,
}

impl Vehicle {
    fn bid(&self, target: (f64, f64), at: f64, heading: f64) -> u32 {
        let (path, straight) = approach(self.place, target, heading);
        let (travel, detour) = (path / self.speed, (path - straight) / self.speed);
        if at < travel {
            return INFEASIBLE;
        }
        let cost = self.travel * travel + self.wait * (at - travel) + self.detour * detour;
        (cost * 100.0).round().min(MOST) as u32
    }
}

/// How far it is from a place to a target on a heading, and how far straight on.
///
/// [MacKenzie 2003, the example mission] vehicles "partially circle the target" to come in on their heading: the way
/// goes to the entry of the corridor, straight if it is clear of the disc around the target, else along a tangent and
/// an arc.
pub fn approach(place: (f64, f64), target: (f64, f64), heading_deg: f64) -> (f64, f64) {
    let heading = heading_deg.to_radians();
    let entry = (-libm::cos(heading) * CORRIDOR, -libm::sin(heading) * CORRIDOR);
    let from = (place.0 - target.0, place.1 - target.1);
    let distance = (from.0 * from.0 + from.1 * from.1).sqrt();
    if distance <= CORRIDOR {
        // Within the disc there is no way around: out to the entry first.
        let out = ((entry.0 - from.0).powi(2) + (entry.1 - from.1).powi(2)).sqrt();
        return (out + CORRIDOR, distance);
    }
    // The angle at the target between place and entry, and that up to which the entry is in plain view.
    let cosine = (from.0 * entry.0 + from.1 * entry.1) / (distance * CORRIDOR);
    let between = libm::acos(cosine.clamp(-1.0, 1.0));
    let in_view = libm::acos(CORRIDOR / distance);
    let way = if between <= in_view {
        ((entry.0 - from.0).powi(2) + (entry.1 - from.1).powi(2)).sqrt()
    } else {
        (distance * distance - CORRIDOR * CORRIDOR).sqrt() + CORRIDOR * (between - in_view)
    };
    (way + CORRIDOR, distance)
}

/// Times and headings that the constraints will allow.
fn plan(stream: &mut Stream, tasks: usize, coupled: Coupled) -> Vec<Choice> {
    let mut headings: Vec<usize> = (0..HEADINGS as usize).collect();
    for place in (1..headings.len()).rev() {
        headings.swap(place, stream.below(place as u32 + 1) as usize);
    }
    let choice = |task: usize| {
        // From 30 s on somebody can be there.
        let time = 6 + stream.below(TIMES as u32 - 6) as usize;
        let any = stream.below(HEADINGS as u32) as usize;
        let heading = if coupled == Coupled::Headings { headings[task % HEADINGS as usize] } else { any };
        Choice { vehicle: task, time, heading }
    };
    (0..tasks).map(choice).collect()
}

fn constraints(stream: &mut Stream, plan: &[Choice], coupled: Coupled) -> Vec<Constraint> {
    let mut list = Vec::new();
    for a in 0..plan.len() {
        for b in a + 1..plan.len() {
            let dt = (plan[b].time as i64 - plan[a].time as i64) * STEP_S;
            let turn = plan[a].heading.abs_diff(plan[b].heading) as i64;
            let angle = 45 * turn.min(HEADINGS - turn);
            let free = Constraint { a, b, dt_min: None, dt_max: None, dh_min: 0, dh_max: 180 };
            let window = |stream: &mut Stream, most: u32| {
                let (below, above) = (i64::from(stream.below(most + 1)), i64::from(stream.below(most + 1)));
                Constraint { dt_min: Some(dt - below), dt_max: Some(dt + above), ..free }
            };
            let apart = |least: i64| Constraint { dh_min: angle.min(least), ..free };
            list.push(match coupled {
                Coupled::Chain if b > a + 1 => continue,
                Coupled::Chain => Constraint { dt_min: Some(5), dt_max: Some(10), dh_min: 90, ..free },
                Coupled::Headings => apart(45),
                Coupled::Order if dt >= 0 => Constraint { dt_min: Some(dt.min(i64::from(stream.below(11)))), ..free },
                Coupled::Order => Constraint { dt_max: Some(dt.max(-i64::from(stream.below(11)))), ..free },
                Coupled::Both => {
                    let window = window(stream, 15);
                    Constraint { dh_min: apart(45 + 45 * i64::from(stream.below(2))).dh_min, ..window }
                }
                Coupled::Dense | Coupled::Loose | Coupled::Tight => {
                    let most = [(Coupled::Tight, 5), (Coupled::Loose, 30)].iter().find(|(kind, _)| *kind == coupled);
                    if stream.below(2) == 0 || angle == 0 {
                        window(stream, most.map_or(10, |(_, most)| *most))
                    } else {
                        apart(45 + 45 * i64::from(stream.below(2)))
                    }
                }
            });
        }
    }
    list
}
