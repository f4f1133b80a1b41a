//! A planner that knows everything: where every vehicle is, what it has agreed to, and every coupling of a group.
//!
//! What it cannot plan is impossible, and what it can plan is as early as can be: it tries every vehicle, every heading that is
//! bid for and every place between a vehicle's other flights. Times are not sampled. Once these are chosen, a phase has an
//! earliest and a latest time and couplings are differences of times; the least times that keep all of them are found by
//! raising those that are too low until none is, and no plan of the same choices has any phase earlier.

use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::Pending;
use muster_core::tasking::group::{Coupling, angle};
use muster_core::{Duration, Point, Time};

/// Rounding of ways and times to microseconds: what is closer than this is not called possible.
const MARGIN_US: i64 = 1_000;

/// A vehicle as it is at one moment.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// Where it can leave from.
    pub place: Point,
    /// When.
    pub free_at: Time,
    /// How fast it is.
    pub speed_mps: f64,
    /// The corridor that it is flying in by: in there it need not lead out of it first.
    pub inbound: Option<Corridor>,
    /// What it has agreed to and keeps to, by time.
    pub pending: Vec<Pending>,
}

/// A phase of a group.
#[derive(Copy, Clone, Debug)]
pub struct Phase {
    /// Its target.
    pub place: Point,
    /// It has been flown: when, on which heading in thousandths of a degree, and by which vehicle.
    pub flown: Option<(Time, u32, usize)>,
    /// It is not to be flown before.
    pub not_before: Time,
}

/// What is to be planned.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    /// Its phases.
    pub phases: Vec<Phase>,
    /// What ties them together.
    pub couplings: &'a [Coupling],
    /// Length of corridors.
    pub corridor_m: f64,
    /// How many headings there are.
    pub headings: u16,
    /// Every phase is flown by then.
    pub until: Time,
    /// Every phase has a vehicle of its own.
    pub distinct: bool,
}

/// A plan that keeps everything: when each phase is flown, those that had been flown before included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// By phase.
    pub times: Vec<Time>,
    /// Which vehicle flies each, by phase.
    pub vehicles: Vec<usize>,
    /// When the last of them is flown.
    pub end: Time,
}

/// A way for one phase to be flown.
#[derive(Copy, Clone, Debug)]
struct Way {
    vehicle: usize,
    /// After how many of the vehicle's pending flights.
    gap: usize,
    /// In thousandths of a degree.
    heading: u32,
    corridor: Corridor,
    /// Microseconds.
    earliest: i64,
    latest: i64,
}

/// The plan that ends first, if there is one; with `any`, the first that is found.
pub fn plan(vehicles: &[Vehicle], wish: &Wish<'_>, any: bool) -> Option<Plan> {
    let options: Vec<Vec<Way>> = wish.phases.iter().map(|phase| options(vehicles, wish, phase)).collect();
    let mut search = Search { vehicles, wish, options: &options, any, best: None };
    search.descend(&mut Vec::new());
    search.best
}

fn micros(seconds: f64) -> i64 {
    (seconds * 1e6).ceil() as i64
}

/// Every way to fly a phase; one that has been flown has a single one.
fn options(vehicles: &[Vehicle], wish: &Wish<'_>, phase: &Phase) -> Vec<Way> {
    let corridor = |heading: u32| {
        let heading = (f64::from(heading) / 1_000.0).to_radians();
        Corridor { target: phase.place, heading, length_m: wish.corridor_m }
    };
    if let Some((at, heading, vehicle)) = phase.flown {
        let at = at.as_micros() as i64;
        let only = Way { vehicle, gap: usize::MAX, heading, corridor: corridor(heading), earliest: at, latest: at };
        return vec![only];
    }
    let mut options = Vec::new();
    for (number, vehicle) in vehicles.iter().enumerate() {
        for gap in 0..=vehicle.pending.len() {
            let (place, leaves) = match gap.checked_sub(1).map(|last| vehicle.pending[last]) {
                Some(Pending { at, corridor }) => (corridor.exit(), at + flies_out(&corridor, vehicle)),
                None => (vehicle.place, vehicle.free_at),
            };
            for heading in 0..wish.headings {
                let thousandths = u32::from(heading) * 360_000 / u32::from(wish.headings);
                let corridor = corridor(thousandths);
                let straight_on = vehicle.inbound.filter(|inbound| gap == 0 && same(inbound, &corridor));
                let way_m = match straight_on {
                    Some(inbound) => (inbound.left_m(place) - inbound.length_m).max(0.0),
                    None => corridor.distance_m(place),
                };
                let earliest = leaves.as_micros() as i64 + micros(way_m / vehicle.speed_mps) + MARGIN_US;
                let latest = vehicle.pending.get(gap).map_or(i64::MAX, |next| {
                    let on_m = corridor.length_m + next.corridor.distance_m(corridor.exit());
                    next.at.as_micros() as i64 - micros(on_m / vehicle.speed_mps) - MARGIN_US
                });
                let earliest = earliest.max(phase.not_before.as_micros() as i64);
                let latest = latest.min(wish.until.as_micros() as i64);
                // Of several phases of one vehicle those after the first are not flown from where it is.
                if earliest <= latest || !wish.distinct {
                    options.push(Way { vehicle: number, gap, heading: thousandths, corridor, earliest, latest });
                }
            }
        }
    }
    options
}

fn flies_out(corridor: &Corridor, vehicle: &Vehicle) -> Duration {
    Duration::from_secs_f64(corridor.length_m / vehicle.speed_mps)
}

fn same(a: &Corridor, b: &Corridor) -> bool {
    a.target == b.target && (a.heading - b.heading).abs() < 1e-9
}

struct Search<'a> {
    vehicles: &'a [Vehicle],
    wish: &'a Wish<'a>,
    options: &'a [Vec<Way>],
    any: bool,
    best: Option<Plan>,
}

impl Search<'_> {
    fn descend(&mut self, chosen: &mut Vec<Way>) {
        let index = chosen.len();
        if index == self.options.len() {
            return self.look_at(chosen);
        }
        for option in &self.options[index] {
            let free = |other: &Way| !self.wish.distinct || other.vehicle != option.vehicle;
            if self.best.is_some() && self.any {
                return;
            }
            if chosen.iter().all(free) && self.turns_go(chosen, option) {
                chosen.push(*option);
                // What cannot go together in time now will not with more phases either.
                if !self.wish.distinct || self.times(chosen, &[]).is_some() {
                    self.descend(chosen);
                }
                chosen.pop();
            }
        }
    }

    /// The heading of the next phase goes with those of the phases before it.
    fn turns_go(&self, chosen: &[Way], next: &Way) -> bool {
        let index = chosen.len();
        self.wish.couplings.iter().all(|coupling| {
            let (a, b) = (usize::from(coupling.a), usize::from(coupling.b));
            if a.max(b) != index || a.min(b) >= index {
                return true;
            }
            (coupling.dh_min..=coupling.dh_max).contains(&angle(chosen[a.min(b)].heading, next.heading))
        })
    }

    fn look_at(&mut self, chosen: &[Way]) {
        for turns in self.sequences(chosen) {
            let Some(times) = self.times(chosen, &turns) else { continue };
            let times: Vec<Time> = times.into_iter().map(|at| Time::from_micros(at as u64)).collect();
            let end = times.iter().copied().max().unwrap_or(Time::ZERO);
            if self.best.as_ref().is_none_or(|best| end < best.end) {
                let vehicles = chosen.iter().map(|option| option.vehicle).collect();
                self.best = Some(Plan { times, vehicles, end });
            }
        }
    }

    /// The orders in which a vehicle can fly several of these phases between the same two other flights: one list of pairs
    /// (earlier, later) for each, an empty one if nobody has several.
    fn sequences(&self, chosen: &[Way]) -> Vec<Vec<(usize, usize)>> {
        let mut sequences = vec![Vec::new()];
        for later in 0..chosen.len() {
            for earlier in 0..later {
                let (a, b) = (&chosen[earlier], &chosen[later]);
                if a.vehicle == b.vehicle && a.gap == b.gap && a.gap != usize::MAX {
                    let with = |pair: (usize, usize)| {
                        move |mut sequence: Vec<(usize, usize)>| {
                            sequence.push(pair);
                            sequence
                        }
                    };
                    let swapped = sequences.iter().cloned().map(with((later, earlier)));
                    sequences = sequences.iter().cloned().map(with((earlier, later))).chain(swapped).collect();
                }
            }
        }
        sequences
    }

    /// The least times that keep all couplings between these phases, in microseconds; `None` if there are none. Of two phases
    /// that one vehicle flies one after the other, the later one is flown when it has turned round.
    fn times(&self, chosen: &[Way], turns: &[(usize, usize)]) -> Option<Vec<i64>> {
        let followed = |index: usize| turns.iter().any(|(earlier, _)| *earlier == index);
        let follows = |index: usize| turns.iter().any(|(_, later)| *later == index);
        let mut times: Vec<i64> = chosen.iter().map(|option| option.earliest).collect();
        for (index, at) in times.iter_mut().enumerate().filter(|(index, _)| follows(*index)) {
            // It comes from the other target, not from where the vehicle is.
            *at = self.wish.phases[index].not_before.as_micros() as i64;
        }
        // A time that still rises after as many rounds as there are phases would rise for ever.
        for _ in 0..=chosen.len() {
            let mut rises = false;
            let mut at_least = |times: &mut Vec<i64>, index: usize, least: i64| {
                if times[index] < least {
                    times[index] = least;
                    rises = true;
                }
            };
            for coupling in self.wish.couplings {
                let (a, b) = (usize::from(coupling.a), usize::from(coupling.b));
                if a.max(b) >= chosen.len() {
                    continue;
                }
                if let Some(least) = coupling.dt_min {
                    let least = times[a] + least;
                    at_least(&mut times, b, least);
                }
                if let Some(most) = coupling.dt_max {
                    let least = times[b] - most;
                    at_least(&mut times, a, least);
                }
            }
            for &(earlier, later) in turns {
                let (from, to) = (&chosen[earlier].corridor, &chosen[later].corridor);
                let way_m = from.length_m + to.distance_m(from.exit());
                let least =
                    times[earlier] + micros(way_m / self.vehicles[chosen[earlier].vehicle].speed_mps) + MARGIN_US;
                at_least(&mut times, later, least);
            }
            let until = self.wish.until.as_micros() as i64;
            let in_time = |(index, (at, option)): (usize, (&i64, &Way))| {
                let flown = option.gap == usize::MAX;
                *at <= if followed(index) && !flown { until } else { option.latest }
            };
            if !times.iter().zip(chosen).enumerate().all(in_time) {
                return None;
            }
            if !rises {
                return Some(times);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_core::rng::{Purpose, Stream};

    fn seconds(at_s: f64) -> Time {
        Time::ZERO + Duration::from_secs_f64(at_s)
    }

    fn vehicle(x: f64, y: f64) -> Vehicle {
        let place = Point::new(x, y);
        Vehicle { place, free_at: Time::ZERO, speed_mps: 50.0, inbound: None, pending: Vec::new() }
    }

    fn wish(couplings: &[Coupling], phases: usize, distinct: bool) -> Wish<'_> {
        let phase = Phase { place: Point::new(1_590.0, 1_395.0), flown: None, not_before: Time::ZERO };
        Wish { phases: vec![phase; phases], couplings, corridor_m: 400.0, headings: 8, until: seconds(300.0), distinct }
    }

    fn chain(phases: u8, apart_s: (i64, i64), dh_min: u32) -> Vec<Coupling> {
        let apart = |a: u8| Coupling {
            a,
            b: a + 1,
            dt_min: Some(apart_s.0 * 1_000_000),
            dt_max: Some(apart_s.1 * 1_000_000),
            dh_min,
            dh_max: 180_000,
        };
        (0..phases - 1).map(apart).collect()
    }

    /// The paper's mission, not sampled: doug2 is there after 19.60 s, doug3 after 24.61 s.
    #[test]
    fn the_mission_of_the_paper_is_over_when_its_slowest_vehicle_can_be_there() {
        let vehicles = [vehicle(897.0, 702.0), vehicle(1_277.0, 2_564.0), vehicle(2_320.0, 1_395.0)];
        let couplings = chain(3, (5, 10), 45_000);
        let plan = plan(&vehicles, &wish(&couplings, 3, true), false).expect("it is possible");
        assert!((24.59..24.63).contains(&plan.end.as_secs_f64()), "{plan:?}");
        assert_eq!(plan.vehicles, [2, 0, 1]);
    }

    /// Against trying every whole second: what the planner finds is no later, what it does not find is not there either.
    #[test]
    fn as_early_as_trying_every_second_or_earlier() {
        let (mut possible, mut impossible) = (0, 0);
        for seed in 0..60 {
            let mut stream = Stream::of_run(seed, Purpose::Arrangement);
            let mut below = |n: u32| f64::from(stream.below(n));
            let mut vehicles: Vec<Vehicle> = (0..2).map(|_| vehicle(below(3_000), below(3_000))).collect();
            let (at_s, heading) = (20.0 + below(30), below(6));
            let corridor = Corridor { target: Point::new(below(3_000), below(3_000)), heading, length_m: 400.0 };
            vehicles[0].pending.push(Pending { at: seconds(at_s), corridor });
            let couplings = chain(2, (5, 5 + below(6) as i64), 45_000);
            let wish = Wish { until: seconds(30.0 + below(60)), ..wish(&couplings, 2, true) };
            let found = plan(&vehicles, &wish, false);
            let options: Vec<Vec<Way>> = wish.phases.iter().map(|phase| options(&vehicles, &wish, phase)).collect();
            let mut tried: Option<i64> = None;
            for a in &options[0] {
                for b in options[1].iter().filter(|b| b.vehicle != a.vehicle && angle(a.heading, b.heading) >= 45_000) {
                    for at in (0..91).map(|at| at * 1_000_000).filter(|at| (a.earliest..=a.latest).contains(at)) {
                        for then in (at..=at + 11_000_000).step_by(1_000_000) {
                            let goes = couplings[0].allows((at, a.heading), (then, b.heading));
                            if goes && (b.earliest..=b.latest).contains(&then) {
                                tried = Some(tried.map_or(then, |best| best.min(then)));
                            }
                        }
                    }
                }
            }
            match (&found, tried) {
                (Some(found), Some(tried)) => {
                    let end = found.end.as_micros() as i64;
                    assert!(end <= tried && tried < end + 2_000_000, "{seed}: {end} {tried}");
                    possible += 1;
                }
                // Between two whole seconds there may be a plan.
                (Some(_), None) => {}
                (None, Some(tried)) => panic!("{seed}: {tried} was not found"),
                (None, None) => impossible += 1,
            }
        }
        assert!(possible > 10 && impossible > 3, "{possible} {impossible}");
    }

    #[test]
    fn one_vehicle_flies_two_phases_if_it_has_the_time_to_turn_round() {
        let couplings = chain(2, (5, 10), 0);
        let alone = [vehicle(897.0, 702.0)];
        assert_eq!(plan(&alone, &wish(&couplings, 2, true), true), None, "each phase has a vehicle of its own");
        // Out and back again by the same corridor: 16 s.
        assert_eq!(plan(&alone, &wish(&couplings, 2, false), true), None);
        let couplings = chain(2, (5, 20), 0);
        let plan = plan(&alone, &wish(&couplings, 2, false), false).expect("it is possible");
        assert!((35.5..35.7).contains(&plan.end.as_secs_f64()), "{plan:?}");
    }

    #[test]
    fn what_was_flown_stays_where_it_is() {
        let vehicles = [vehicle(897.0, 702.0), vehicle(1_277.0, 2_564.0)];
        let couplings = chain(2, (5, 10), 45_000);
        let mut wish = wish(&couplings, 2, true);
        let mut flown_at = |at_s: f64| {
            wish.phases[0].flown = Some((seconds(at_s), 180_000, 9));
            plan(&vehicles, &wish, false).map(|plan| (plan.times[0], plan.times[1] > seconds(19.6)))
        };
        assert_eq!(flown_at(12.0), Some((seconds(12.0), true)));
        assert_eq!(flown_at(5.0), None, "nobody is there 10 s later");
    }
}
