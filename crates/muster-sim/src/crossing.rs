//! Flights along corridors that come close to each other at the same time, found in what was flown.
//!
//! The paper wants "close coordination of their ingress and egress flight corridors to prevent collisions" [MacKenzie §4]. A
//! LEAD keeps the headings of one group apart; nothing keeps apart the corridors of different orders, nor the ways to them.
//! So what comes of it is counted, and promised by nobody.

use std::collections::BTreeMap;

use muster_core::{Point, RobotId, TaskId, Time};

use crate::ledger::Leg;

/// Flights that come nearer to each other than this cross, unless the scenario says otherwise: 50 m, the length that a unit of
/// the paper's map is read as. Ours.
pub const CROSSING_M: f64 = 50.0;

/// Two flights that came close to each other in their corridors.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Crossing {
    /// When they were nearest.
    pub at: Time,
    /// Half-way between them then.
    pub place: Point,
    /// How far apart they were.
    pub distance_m: f64,
    /// Who flew, and to which task; by number.
    pub flights: [(RobotId, TaskId); 2],
}

/// Crossings, found while legs are flown: of those only the ones that another may still cross are kept, since a run may last for
/// years.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crossings {
    within_m: f64,
    recent: Vec<Leg>,
    /// For each pair of flights, the nearest of what their legs have in common.
    found: BTreeMap<[(RobotId, u32); 2], Crossing>,
}

impl Crossings {
    /// Flights cross that come within so many metres of each other.
    pub fn within(within_m: f64) -> Self {
        Self { within_m, ..Self::default() }
    }

    /// A leg has been flown; `under_way`: no leg that is not over yet began before.
    pub fn fly(&mut self, leg: Leg, under_way: Time) {
        for other in &self.recent {
            let Some(crossing) = nearest(other, &leg).filter(|it| it.distance_m < self.within_m) else { continue };
            let mut pair = [(leg.robot, leg.flight), (other.robot, other.flight)];
            pair.sort();
            let rank = |it: &Crossing| (it.distance_m, it.at);
            let known = self.found.entry(pair).or_insert(crossing);
            if rank(&crossing) < rank(known) {
                *known = crossing;
            }
        }
        self.recent.push(leg);
        self.recent.retain(|old| old.arrive > under_way);
    }

    /// Pairs of flights of different vehicles that came so close to each other, each where it was nearest, by time.
    pub fn found(&self) -> Vec<Crossing> {
        let mut crossings: Vec<Crossing> = self.found.values().copied().collect();
        crossings.sort_by_key(|crossing| (crossing.at, crossing.flights));
        crossings
    }
}

/// Where two vehicles on straight legs are nearest to each other, if they fly at the same time.
fn nearest(one: &Leg, other: &Leg) -> Option<Crossing> {
    let (from, to) = (one.leave.max(other.leave), one.arrive.min(other.arrive));
    if one.robot == other.robot || from >= to {
        return None;
    }
    let apart = |at: Time| {
        let (a, b) = (place(one, at), place(other, at));
        (b.x - a.x, b.y - a.y)
    };
    // Both move evenly, so the way from one to the other changes evenly, too.
    let ((x, y), (end_x, end_y)) = (apart(from), apart(to));
    let (dx, dy) = (end_x - x, end_y - y);
    let changes = dx * dx + dy * dy;
    let share = if changes > 0.0 { (-(x * dx + y * dy) / changes).clamp(0.0, 1.0) } else { 0.0 };
    let at = Time::from_micros(from.as_micros() + (share * to.since(from).as_micros() as f64) as u64);
    let (a, b) = (place(one, at), place(other, at));
    let mut flights = [(one.robot, one.task), (other.robot, other.task)];
    flights.sort();
    Some(Crossing { at, place: a.towards(b, 0.5), distance_m: a.distance(b), flights })
}

fn place(leg: &Leg, at: Time) -> Point {
    let (gone, all) = (at.since(leg.leave).as_secs_f64(), leg.arrive.since(leg.leave).as_secs_f64());
    leg.from.towards(leg.to, (gone / all).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(robot: u32, from: (f64, f64), to: (f64, f64), (leave, arrive): (f64, f64)) -> Leg {
        Leg {
            task: TaskId(robot),
            robot: RobotId(robot),
            flight: 1,
            from: Point::new(from.0, from.1),
            to: Point::new(to.0, to.1),
            leave: Time::from_secs_f64(leave),
            arrive: Time::from_secs_f64(arrive),
        }
    }

    /// The legs are over in this order, and no others are under way but those that come after them.
    fn crossings(legs: &[Leg], within_m: f64) -> (Vec<Crossing>, usize) {
        let mut legs = legs.to_vec();
        legs.sort_by_key(|leg| leg.arrive);
        let (mut all, mut most) = (Crossings::within(within_m), 0);
        for (number, leg) in legs.iter().enumerate() {
            let later = legs[number + 1..].iter().map(|leg| leg.leave).min();
            all.fly(*leg, later.unwrap_or(Time::NEVER));
            most = most.max(all.recent.len());
        }
        (all.found(), most)
    }

    /// Against looking at every hundredth of a second.
    #[test]
    fn the_nearest_is_what_a_clock_finds() {
        let mut stream = muster_core::rng::Stream::of_run(3, muster_core::rng::Purpose::Arrangement);
        let mut crossed = 0;
        for _ in 0..300 {
            let mut any = |robot| {
                let mut place = || (stream.between(0.0, 400.0), stream.between(0.0, 400.0));
                let (from, to) = (place(), place());
                let leave = stream.between(0.0, 5.0);
                leg(robot, from, to, (leave, leave + stream.between(1.0, 10.0)))
            };
            let legs = [any(0), any(1)];
            let looked = (0..1_500).map(|n| Time::from_secs_f64(f64::from(n) / 100.0));
            let both = looked.filter(|at| legs.iter().all(|leg| leg.leave <= *at && *at <= leg.arrive));
            let seen = both.map(|at| place(&legs[0], at).distance(place(&legs[1], at))).fold(f64::INFINITY, f64::min);
            match crossings(&legs, 50.0).0[..] {
                [found] => {
                    crossed += 1;
                    assert!(found.distance_m <= seen + 1e-6 && seen <= found.distance_m + 3.0, "{seen} {found:?}");
                }
                _ => assert!(seen >= 49.9, "{seen} {legs:?}"),
            }
        }
        assert!(crossed > 20, "{crossed}");
    }

    #[test]
    fn a_pair_of_flights_crosses_once() {
        // In and out over one target, against each other, and one that is there too late.
        let (west, middle, east) = ((-100.0, 0.0), (0.0, 0.0), (100.0, 0.0));
        let mut legs = vec![leg(0, west, middle, (0.0, 2.0)), leg(0, middle, east, (2.0, 4.0))];
        legs.extend([leg(1, east, middle, (0.5, 2.5)), leg(1, middle, west, (2.5, 4.5))]);
        legs.extend([leg(2, west, middle, (10.0, 12.0)), leg(2, middle, east, (12.0, 14.0))]);
        let (found, _) = crossings(&legs, CROSSING_M);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].flights, [(RobotId(0), TaskId(0)), (RobotId(1), TaskId(1))]);
        assert!((found[0].at.as_secs_f64() - 2.25).abs() < 1e-6 && found[0].distance_m < 1e-6, "{found:?}");
    }

    /// A mission that goes on and on must not need more and more memory: legs that nothing can cross any more are dropped.
    #[test]
    fn what_nothing_can_cross_any_more_is_not_kept() {
        let both = |n: u32| {
            let from = f64::from(n) * 10.0;
            [
                leg(0, (0.0, 0.0), (100.0, 0.0), (from, from + 2.0)),
                leg(1, (0.0, 300.0), (100.0, 300.0), (from, from + 2.0)),
            ]
        };
        let legs: Vec<Leg> = (0..1_000).flat_map(both).collect();
        let (found, most) = crossings(&legs, CROSSING_M);
        assert!(found.is_empty() && most <= 2, "{most} legs kept of {}", legs.len());
    }
}
