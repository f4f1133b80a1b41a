//! What a vehicle says in its bid so that it can be given several phases of a group. Ours: the paper's vehicles do one each.
//!
//! A bid is for one task by itself. To come round from one crossing to the next takes the way out of the first corridor and
//! into the second, which depends on both headings; corridors are everybody's, so the speed is all that a LEAD lacks to
//! reckon that time exactly, for any two places. What the second crossing costs is another matter: the way does not begin
//! where it did, and the time before the first is not spent twice. By the cost model that is less by what a second waited
//! costs for each second at which the first is flown (`saves`), more by what a second of the way round costs (`turn`), and
//! something for each heading of the second (`more`): with nothing else to do in between that is all of it, and a LEAD reckons
//! what the vehicle would have bid if it held the first one already. Else `more` is the most that it can come to, so that what
//! a LEAD reckons is never below that.

use serde::{Deserialize, Serialize};

use super::corridor::Corridor;
use super::cost::{self, Grid, Outlook, Pending, Preferences, Rates, Surface};
use super::group::{Group, Phases};
use crate::robot::Point;
use crate::time::{Duration, Time};

/// How a vehicle comes round from one crossing of a group to the next, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turnaround {
    /// Its speed in millimetres per second, rounded down.
    pub speed_mmps: u32,
    /// So many tasks of the group its endurance lasts for, whichever they are.
    pub most: u8,
    /// The loads that it has left for the group.
    pub loads: u16,
    /// A later crossing costs so many hundredths less than by itself for each second after t0 at which the one before it is.
    pub saves: u16,
    /// And so many more for each second that the way takes from the one to the other.
    pub turn: u16,
    /// And so many more, by place and heading: the places of the tasks that it bids for, each once, in the order of the tasks.
    pub more: Vec<i32>,
}

/// The places of the tasks that are bid for with `costs`, each once, in the order of the tasks.
pub(super) fn places<'a>(group: &Group, phases: Phases, costs: &'a [Option<Surface>]) -> Vec<(Point, &'a Surface)> {
    let mut places: Vec<(Point, &Surface)> = Vec::new();
    for (index, cost) in phases.iter().zip(costs) {
        let place = group.members[index].place;
        // Tasks at one place cost the same.
        if let Some(cost) = cost.as_ref().filter(|_| places.iter().all(|(other, _)| *other != place)) {
            places.push((place, cost));
        }
    }
    places
}

/// What a vehicle's estimator goes by when it bids for several tasks.
pub(super) struct Estimator<'a> {
    pub(super) outlook: Outlook<'a>,
    pub(super) corridor_m: f64,
    pub(super) t0: Time,
    pub(super) grid: &'a Grid,
    pub(super) rates: &'a Rates,
    pub(super) preferences: &'a Preferences,
}

impl Turnaround {
    /// What a task costs less than by itself, in hundredths, right after another one so long after t0. No bid says more than
    /// the most that a task can cost, whatever comes over the air.
    pub(super) fn saves(&self, before: Duration) -> i64 {
        let saves = u128::from(self.saves) * u128::from(before.as_micros()) / 1_000_000;
        saves.min(u128::from(Surface::MOST)) as i64
    }

    /// What it costs more, in hundredths, coming round from one corridor to its own, which is that of `place` and `heading` in
    /// the order of [`Turnaround::more`].
    pub(super) fn more(&self, first: &Corridor, next: &Corridor, place: usize, heading: u16, grid: &Grid) -> i64 {
        let most = i64::from(Surface::MOST);
        let more = self.more.get(place * usize::from(grid.headings) + usize::from(heading)).copied().unwrap_or(0);
        let way_s = way_m(first, next) * 1e3 / f64::from(self.speed_mmps.max(1));
        // Rounded up, as what is saved is rounded down.
        let turn = (f64::from(self.turn) * way_s).ceil().min(most as f64) as i64;
        (i64::from(more) + turn).clamp(-most, most)
    }

    /// The least time from one crossing to the next, in microseconds; `None` if there is no way.
    pub(super) fn least(&self, first: &Corridor, next: &Corridor) -> Option<i64> {
        let way_m = way_m(first, next);
        let micros = (way_m * 1e9 / f64::from(self.speed_mmps)).ceil();
        // Without a corridor the vehicle is at the same target already, and there is no way to fly.
        (self.speed_mmps > 0 && way_m > 0.0 && micros < i64::MAX as f64).then_some(micros as i64)
    }
}

/// Metres from one target to the next: out by the one corridor and in by the other.
fn way_m(first: &Corridor, next: &Corridor) -> f64 {
    first.target.distance(first.exit()) + next.distance_m(first.exit())
}

impl Estimator<'_> {
    /// What it would bid, from time number `first` of the grid on.
    fn bid_from(&self, first: u16, outlook: &Outlook<'_>, target: Point) -> Surface {
        let Self { corridor_m, t0, grid, rates, preferences, .. } = *self;
        cost::estimate_from(first, outlook, target, corridor_m, t0, grid, rates, preferences)
    }

    fn corridors(&self, target: Point) -> impl Iterator<Item = Corridor> {
        let (grid, length_m) = (*self.grid, self.corridor_m);
        (0..grid.headings).map(move |heading| Corridor { target, heading: grid.heading(heading), length_m })
    }

    /// What lets a LEAD give the vehicle several of the tasks that it bids for with `costs`, as the LEAD reads them. `None` if it bids for one at
    /// most.
    pub(super) fn turnaround(
        &self,
        group: &Group,
        phases: Phases,
        costs: &[Option<Surface>],
        loads: u16,
    ) -> Option<Turnaround> {
        if costs.iter().flatten().count() < 2 {
            return None;
        }
        let bids = places(group, phases, costs);
        let places: Vec<Point> = bids.iter().map(|(place, _)| *place).collect();
        // With something else to do in between, the time before a crossing may be needed for that.
        let saves = if self.outlook.pending.is_empty() { (self.rates.wait * 100.0).max(0.0) as u16 } else { 0 };
        let Rates { travel, wait, detour, fuel, .. } = *self.rates;
        let fuel = self.outlook.endurance_m.map_or(0.0, |all_m| fuel * self.outlook.speed_mps / all_m);
        let turn = ((travel - wait + detour + fuel) * 100.0).max(0.0) as u16;
        let speed_mmps = (self.outlook.speed_mps * 1_000.0) as u32;
        let most = self.most(&places);
        let mut turnaround = Turnaround { speed_mmps, most, loads, saves, turn, more: Vec::new() };
        let more = |more: i64| more.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        turnaround.more = self.more(&bids, &turnaround).into_iter().map(more).collect();
        Some(turnaround)
    }

    /// How many tasks at these places the vehicle has the endurance for, whichever they are and however it comes in.
    fn most(&self, places: &[Point]) -> u8 {
        let Some(endurance_m) = self.outlook.endurance_m else { return u8::MAX };
        if !self.outlook.pending.is_empty() {
            // What else it has to do leaves it less, and how much less depends on when it is crossed.
            return 1;
        }
        let all = || places.iter().flat_map(|place| self.corridors(*place));
        let first_m = all().map(|it| it.distance_m(self.outlook.place)).fold(0.0, f64::max) + self.corridor_m;
        let each_m = all().flat_map(|one| all().map(move |next| way_m(&one, &next))).fold(0.0, f64::max);
        let further = (endurance_m - first_m) / each_m;
        if further >= 1.0 { (further.min(254.0) as u8) + 1 } else { 1 }
    }

    /// The most that a task costs more, in hundredths, by place and heading, than `turnaround` says so far: as it would be bid
    /// for if another were to be flown before it.
    fn more(&self, bids: &[(Point, &Surface)], turnaround: &Turnaround) -> Vec<i64> {
        let Self { grid, outlook, .. } = self;
        let headings = usize::from(grid.headings);
        let mut most = vec![i64::MIN; bids.len() * headings];
        for (place, alone) in bids {
            for (heading, corridor) in self.corridors(*place).enumerate() {
                let mut gap = None;
                for time in 0..grid.times {
                    let at = self.t0 + grid.time(time);
                    let next = outlook.pending.partition_point(|pending| pending.at <= at);
                    // The later the first is flown between two other tasks, the less the second one costs after it.
                    if gap == Some(next) || alone.get(grid, time, heading as u16).is_none() {
                        continue;
                    }
                    gap = Some(next);
                    let mut pending = outlook.pending.to_vec();
                    pending.insert(next, Pending { at, corridor });
                    let after = Outlook { pending: &pending, ..*outlook };
                    let saves = turnaround.saves(grid.time(time));
                    for ((place, alone), most) in bids.iter().zip(most.chunks_exact_mut(headings)) {
                        let bid = self.bid_from(time, &after, *place);
                        let said =
                            self.corridors(*place).map(|into| turnaround.more(&corridor, &into, 0, 0, grid) - saves);
                        let said: Vec<i64> = said.collect();
                        let rows = bid.samples().chunks_exact(headings).zip(alone.samples().chunks_exact(headings));
                        for (then, alone) in rows.skip(usize::from(time)) {
                            for (((&then, &alone), said), most) in then.iter().zip(alone).zip(&said).zip(&mut *most) {
                                if then != Surface::INFEASIBLE && alone != Surface::INFEASIBLE {
                                    // Both bids are rounded.
                                    *most = (*most).max(i64::from(then) - i64::from(alone) - said + 1);
                                }
                            }
                        }
                    }
                }
            }
        }
        // A heading that nobody can come round to costs nothing.
        most.into_iter().map(|more| if more > i64::MIN { more } else { 0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Stream};
    use crate::robot::{Percepts, RobotId};
    use crate::task::{Brief, Kind, Task, TaskId};
    use crate::tasking::group::{Phase, Template};

    /// What a LEAD reckons for a second crossing is never less than what the vehicle would have bid for it if it held the
    /// first; and at one place, with nothing else to do, it is that.
    #[test]
    fn a_second_crossing_is_never_reckoned_below_its_bid() {
        let grid = Grid::mackenzie_2003();
        let (mut seen, mut over, mut held) = (0, 0.0, 0);
        for seed in 0..400 {
            let mut stream = Stream::of_run(seed, Purpose::Arrangement);
            let mut below = |n: u32| f64::from(stream.below(n));
            let offset = if seed % 3 == 0 { Point::new(below(60) - 30.0, below(60) - 30.0) } else { Point::default() };
            let phase = |offset| Phase { kind: Kind(2), needs: Percepts::NONE, loads: 0, offset };
            let phases = vec![phase(Point::default()), phase(offset)];
            let template = Template { phases, couplings: Vec::new(), strict: false, fresh: None, distinct: true };
            let task = Task { id: TaskId(1), place: Point::new(100.0, 100.0), needs: Percepts::NONE };
            let group = Group::new(RobotId(0), Brief { phases: 2, ..Brief::from(task) }, 0);
            let group = group.decomposed(Some(&template)).unwrap();
            let rates = Rates {
                travel: 1.0 + below(4),
                wait: below(4),
                detour: below(3),
                fuel: if seed % 5 == 0 { 20.0 } else { 0.0 },
                curve: if seed % 4 == 0 { 0.01 } else { 0.0 },
            };
            let busy = Corridor { target: Point::new(below(200), below(200)), heading: below(6), length_m: 8.0 };
            let pending = [Pending { at: Time::from_secs_f64(40.0 + below(60)), corridor: busy }];
            let outlook = Outlook {
                place: Point::new(below(200), below(200)),
                free_at: Time::from_secs_f64(10.0),
                speed_mps: 1.0 + below(3000) / 1_000.0,
                endurance_m: (seed % 5 == 0).then_some(2_000.0),
                pending: if seed % 2 == 0 { &[] } else { &pending },
                supply: None,
            };
            let preferences = Preferences { late_per_s: below(2) / 10.0, ..Preferences::none() };
            let t0 = Time::from_secs_f64(10.0);
            let estimator =
                Estimator { outlook, corridor_m: 8.0, t0, grid: &grid, rates: &rates, preferences: &preferences };
            let costs: Vec<Option<Surface>> =
                group.members.iter().map(|it| Some(estimator.bid_from(0, &outlook, it.place))).collect();
            let Some(turnaround) = estimator.turnaround(&group, Phases::first(2), &costs, 1) else { continue };
            // Any first crossing, and what would be bid for the second after it.
            for _ in 0..30 {
                let (time, heading, one) = (below(21) as u16, below(8) as u16, below(2) as usize);
                let first = costs[one].as_ref().unwrap();
                if first.get(&grid, time, heading).is_none() {
                    continue;
                }
                let out = Corridor { target: group.members[one].place, heading: grid.heading(heading), length_m: 8.0 };
                let at = t0 + grid.time(time);
                let mut pending = outlook.pending.to_vec();
                pending.insert(pending.partition_point(|other| other.at <= at), Pending { at, corridor: out });
                let after = Outlook { pending: &pending, ..outlook };
                let bid = estimator.bid_from(0, &after, group.members[1 - one].place);
                let alone = costs[1 - one].as_ref().unwrap();
                for then in time + 1..grid.times {
                    for into in 0..grid.headings {
                        let next = Corridor {
                            target: group.members[1 - one].place,
                            heading: grid.heading(into),
                            length_m: 8.0,
                        };
                        let apart = (grid.time(then).as_micros() - grid.time(time).as_micros()) as i64;
                        let comes_round = turnaround.least(&out, &next).is_some_and(|least| least <= apart);
                        let Some(alone) = alone.get(&grid, then, into).filter(|_| comes_round) else { continue };
                        // Whoever could do each by itself, and comes round in time, can do both.
                        let Some(bid) = bid.get(&grid, then, into) else {
                            panic!("seed {seed}: not at {then} on {into} after {time} on {heading}");
                        };
                        let place = if group.members[0].place == group.members[1].place { 0 } else { 1 - one };
                        let more = turnaround.more(&out, &next, place, into, &grid);
                        let reckoned = i64::from(alone) + more - turnaround.saves(grid.time(time));
                        assert!(reckoned >= i64::from(bid) || bid == Surface::MOST, "seed {seed}: {reckoned}, {bid}");
                        seen += 1;
                        let busy = !outlook.pending.is_empty();
                        held += usize::from(busy);
                        // Where waiting costs the same at any time, and nothing else is to be done, it is that bid.
                        let flat = rates.curve == 0.0 && rates.fuel == 0.0 && rates.travel + rates.detour >= rates.wait;
                        let simple = flat && seed % 3 > 0;
                        if !busy && simple {
                            over = f64::max(over, (reckoned - i64::from(bid)) as f64);
                        }
                    }
                }
            }
        }
        assert!(seen > 20_000 && held > 1_000, "{seen} {held}");
        assert!(over <= 6.0, "{over} hundredths above");
    }

    #[test]
    fn the_time_to_come_round() {
        let turnaround = Turnaround { speed_mmps: 50_000, most: 255, loads: 1, saves: 200, turn: 100, more: vec![-2] };
        // A turn on the spot beyond the target: out and in again, 2 x 400 m; on the same heading half a circle more.
        let corridor =
            |degrees: f64| Corridor { target: Point::default(), heading: degrees.to_radians(), length_m: 400.0 };
        let seconds = |degrees: f64| turnaround.least(&corridor(0.0), &corridor(degrees)).unwrap() as f64 / 1e6;
        assert!((seconds(180.0) - 16.0).abs() < 1e-5 && (seconds(0.0) - 41.132_741).abs() < 1e-5);
    }
}
