//! From bids to the question that the Task Assigner is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::assigner::{Choice, Constraint, INFEASIBLE, MOST_COST, Problem, Several, Shared};
use super::corridor::Corridor;
use super::cost::{Grid, Surface};
use super::group::{Coupling, Group, Member, Phases};
use super::lead::{Leeway, Offer};
use super::turnaround::places;
use super::{Holder, RobotId};
use crate::robot::Point;
use crate::time::{Duration, Time};

/// A full turn in thousandths of a degree.
const TURN: i64 = 360_000;

/// What a plan has to keep to.
pub(super) struct Terms<'a> {
    /// When times begin to count.
    pub(super) t0: Time,
    /// When it is too late for all of the order.
    pub(super) expires: Time,
    pub(super) couplings: &'a [Coupling],
    pub(super) members: &'a [Member],
    /// Tasks that were done, and how long they count for what comes after them.
    pub(super) fresh: (Phases, Duration),
    /// Tasks that are not auctioned, and what they are held to.
    pub(super) frozen: &'a [(usize, Holder)],
    /// What is given up of the couplings.
    pub(super) leeway: Leeway,
}

/// The samples of a grid that the assigner looks at: some of the times, from the first on for which there is a bid, and all
/// headings.
#[derive(Clone, Debug)]
pub(super) struct Samples<'a> {
    pub(super) grid: &'a Grid,
    /// The times, by their number on the grid.
    times: Vec<u16>,
    /// So many of the grid's times are from one to the next.
    pub(super) every: u16,
    /// By task the only times that count; all of them without it.
    near: Option<Vec<RangeInclusive<u16>>>,
}

impl<'a> Samples<'a> {
    /// Every so many times.
    pub(super) fn of(grid: &'a Grid, every: u16, bids: &[(RobotId, &Offer)]) -> Self {
        let every = every.max(1);
        let costs = bids.iter().flat_map(|(_, offer)| offer.costs.iter().flatten());
        let from = costs.filter_map(|cost| cost.first(grid)).min().unwrap_or(0);
        let times = (from / every * every..grid.times).step_by(usize::from(every)).collect();
        Self { grid, times, every, near: None }
    }

    /// All times that are as close to those of a plan as these samples are to each other.
    pub(super) fn around(&self, plan: &[Choice]) -> Self {
        let (reach, last) = (self.every, self.grid.times.saturating_sub(1));
        let near = |choice: &Choice| {
            let time = choice.time as u16;
            time.saturating_sub(reach)..=time.saturating_add(reach).min(last)
        };
        let near: Vec<RangeInclusive<u16>> = plan.iter().map(near).collect();
        let times: BTreeSet<u16> = near.iter().flat_map(Clone::clone).collect();
        Self { grid: self.grid, times: times.into_iter().collect(), every: 1, near: Some(near) }
    }

    /// Some task of a plan is at the end of what was looked at for it: further on it may be cheaper still.
    pub(super) fn is_at_edge(&self, plan: &[Choice]) -> bool {
        let last = self.grid.times.saturating_sub(1);
        let edge = |(near, choice): (&RangeInclusive<u16>, &Choice)| {
            let time = choice.time as u16;
            (time == *near.start() && time > 0) || (time == *near.end() && time < last)
        };
        self.near.as_ref().is_some_and(|near| near.iter().zip(plan).any(edge))
    }

    /// From the first time to the last.
    pub(super) fn span(&self) -> Duration {
        let time = |n: Option<&u16>| n.map_or(0, |n| self.grid.time(*n).as_micros());
        Duration::from_micros(time(self.times.last()) - time(self.times.first()))
    }

    /// How many samples a cost function has.
    pub(super) fn len(&self) -> usize {
        self.times.len() * usize::from(self.grid.headings)
    }

    /// What the assigner chose, by the numbers of the grid.
    pub(super) fn on_grid(&self, choice: Choice) -> Choice {
        Choice { time: usize::from(self.times[choice.time]), ..choice }
    }

    /// The other way round, for what is one of these samples.
    pub(super) fn among(&self, choice: Choice) -> Option<Choice> {
        let time = self.times.binary_search(&(choice.time as u16)).ok()?;
        Some(Choice { time, ..choice })
    }

    /// A time counts for a task, by their places.
    fn counts(&self, task: usize, time: usize) -> bool {
        self.near.as_ref().is_none_or(|near| near[task].contains(&self.times[time]))
    }
}

/// A heading of the grid in thousandths of a degree.
pub(super) fn thousandths(grid: &Grid, heading: u16) -> u32 {
    (grid.heading_deg(heading) * 1_000.0).round() as u32
}

/// The hundredths that the assigner counts by: it counts up to [`MOST_COST`], and what is dearer makes it count in larger
/// units.
pub(super) fn unit(bids: &[(RobotId, &Offer)]) -> u32 {
    let most = bids.iter().flat_map(|(_, offer)| offer.costs.iter().flatten()).map(Surface::most).max();
    most.map_or(1, |most| most.div_ceil(MOST_COST).max(1))
}

/// The assigner's problem: the bids, with what does not go with frozen tasks made infeasible. `None` without bids.
pub(super) fn pose(
    samples: &Samples<'_>,
    bids: &[(RobotId, &Offer)],
    phases: Phases,
    terms: &Terms<'_>,
) -> Option<Problem> {
    if bids.is_empty() {
        return None;
    }
    let grid = samples.grid;
    let times: Vec<i64> = samples.times.iter().map(|&n| grid.time(n).as_micros() as i64).collect();
    let headings: Vec<i64> = (0..grid.headings).map(|n| i64::from(thousandths(grid, n))).collect();
    let place = |index: u8| phases.iter().position(|phase| phase == usize::from(index));
    let kept = terms.couplings.iter().filter(|_| terms.leeway < Leeway::OneByOne);
    let constraints = kept.filter_map(|coupling| {
        let Coupling { dt_min, dt_max, .. } = *coupling;
        let (dh_min, dh_max) = (i64::from(coupling.dh_min), i64::from(coupling.dh_max));
        Some(Constraint { a: place(coupling.a)?, b: place(coupling.b)?, dt_min, dt_max, dh_min, dh_max })
    });
    let constraints: Vec<Constraint> = constraints.collect();
    let unit = unit(bids);
    let mut costs = Vec::with_capacity(phases.len() * bids.len() * samples.len());
    for (member, index) in phases.iter().enumerate() {
        // Which samples go with what is frozen; the same for every vehicle.
        let goes = |time: usize, heading: usize| {
            let at = terms.t0 + Duration::from_micros(times[time] as u64);
            samples.counts(member, time)
                && at <= terms.expires
                && terms.members.get(index).is_none_or(|member| at >= member.since)
                && terms.allow(index, (times[time], headings[heading] as u32))
        };
        let open: Vec<bool> = (0..times.len())
            .flat_map(|time| (0..headings.len()).map(move |heading| (time, heading)))
            .map(|(time, heading)| goes(time, heading))
            .collect();
        for (_, offer) in bids {
            match &offer.costs[member] {
                Some(surface) => {
                    let cost = |cost: u32| if unit == 1 || cost == INFEASIBLE { cost } else { cost / unit };
                    let sample = |(it, open): (&u32, &bool)| if *open { cost(*it) } else { INFEASIBLE };
                    let row = |&time: &u16| &surface.samples()[usize::from(time) * headings.len()..][..headings.len()];
                    costs.extend(samples.times.iter().flat_map(row).zip(&open).map(sample));
                }
                None => costs.extend(std::iter::repeat_n(INFEASIBLE, samples.len())),
            }
        }
    }
    Problem::with_turn(TURN, phases.len(), bids.len(), times, headings, costs, constraints).ok()
}

/// The same problem with vehicles that may do several of the tasks, as far as they have said what that takes. `None` if none
/// has.
pub(super) fn shared(
    samples: &Samples<'_>,
    corridor_m: f64,
    group: &Group,
    bids: &[(RobotId, &Offer)],
    phases: Phases,
    problem: Problem,
) -> Option<Shared> {
    let grid = samples.grid;
    let members: Vec<_> = phases.iter().map(|index| &group.members[index]).collect();
    let headings = usize::from(grid.headings);
    let corridor = |target, heading| Corridor { target, heading: grid.heading(heading), length_m: corridor_m };
    // Rounded so that no second crossing is reckoned below its bid.
    let (unit, most) = (i64::from(unit(bids)), i64::from(MOST_COST));
    let dearer = |more: i64| (-(-more).div_euclid(unit)).clamp(-most, most);
    let several = |offer: &Offer| {
        let turnaround = offer.turnaround.as_ref().filter(|it| it.most > 1)?;
        let places: Vec<Point> = places(group, phases, &offer.costs).into_iter().map(|(place, _)| place).collect();
        if turnaround.more.len() != places.len() * headings {
            // It came by radio, and says nothing about these tasks.
            return None;
        }
        // By place and place, since tasks at one place are alike.
        let mut between = BTreeMap::new();
        for (a, first) in places.iter().enumerate() {
            for (b, next) in places.iter().enumerate() {
                let pairs = (0..grid.headings).flat_map(|out| (0..grid.headings).map(move |into| (out, into)));
                let pair = |(out, into)| {
                    let (out, next) = (corridor(*first, out), corridor(*next, into));
                    let least = turnaround.least(&out, &next).unwrap_or(i64::MAX);
                    (least, dearer(turnaround.more(&out, &next, b, into, grid)))
                };
                between.insert((a, b), pairs.map(pair).collect::<Vec<(i64, i64)>>());
            }
        }
        let (mut least, mut more) = (Vec::new(), Vec::new());
        let place = |member: &Member| places.iter().position(|place| *place == member.place);
        let never = vec![(i64::MAX, 0); headings * headings];
        for (first, next) in members.iter().flat_map(|a| members.iter().map(move |b| (a, b))) {
            let pair = place(first).zip(place(next)).and_then(|pair| between.get(&pair)).unwrap_or(&never);
            least.extend(pair.iter().map(|(least, _)| least));
            more.extend(pair.iter().map(|(_, more)| more));
        }
        let saves = samples.times.iter().map(|&time| (turnaround.saves(grid.time(time)) / unit).min(most)).collect();
        Some(Several { most: usize::from(turnaround.most), room: u64::from(turnaround.loads), saves, least, more })
    };
    let several: Vec<Option<Several>> = bids.iter().map(|(_, offer)| several(offer)).collect();
    if several.iter().all(Option::is_none) {
        return None;
    }
    let several = several.into_iter().map(|it| it.unwrap_or_else(|| Several::one(&problem))).collect();
    let takes = members.iter().map(|member| u64::from(member.loads)).collect();
    Some(Shared::new(problem, takes, several))
}

impl Terms<'_> {
    /// Task `index` at this time (microseconds after t0) and heading (thousandths of a degree) goes with what is
    /// frozen.
    fn allow(&self, index: usize, sample: (i64, u32)) -> bool {
        let began = self.t0.as_micros() as i64;
        let fixed = |holder: &Holder| ((holder.at.as_micros() as i64).saturating_sub(began), holder.heading);
        let loose = self.leeway == Leeway::OneByOne;
        self.couplings.iter().all(|coupling| {
            let other =
                |at: u8| self.frozen.iter().find(|(index, _)| *index == usize::from(at)).map(|(_, it)| fixed(it));
            let rule =
                if loose { &Coupling { dt_max: None, dh_min: 0, dh_max: 180_000, ..*coupling } } else { coupling };
            match (usize::from(coupling.a) == index, usize::from(coupling.b) == index) {
                // An earlier task is kept to whatever else is given up; a later one may be too early now.
                (true, _) => loose || other(coupling.b).is_none_or(|other| rule.allows(sample, other)),
                (_, true) => other(coupling.a).is_none_or(|other| {
                    let (renewable, fresh) = self.fresh;
                    let old = renewable.has(usize::from(coupling.a))
                        && sample.0.saturating_sub(other.0) > fresh.as_micros() as i64;
                    rule.allows(other, sample) && !old
                }),
                _ => true,
            }
        })
    }
}
