//! From bids to the question that the Task Assigner is asked.

use super::assigner::{Constraint, INFEASIBLE, MOST_COST, Problem};
use super::cost::{Grid, Surface};
use super::group::{Coupling, Member, Phases};
use super::lead::Leeway;
use super::{Holder, RobotId};
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

/// A heading of the grid in thousandths of a degree.
pub(super) fn thousandths(grid: &Grid, heading: u16) -> u32 {
    (grid.heading_deg(heading) * 1_000.0).round() as u32
}

/// The assigner's problem: the bids, with what does not go with frozen tasks made infeasible. `None` without bids.
pub(super) fn pose(
    grid: &Grid,
    bids: &[(RobotId, &Vec<Option<Surface>>)],
    phases: Phases,
    terms: &Terms<'_>,
) -> Option<Problem> {
    if bids.is_empty() {
        return None;
    }
    let times: Vec<i64> = (0..grid.times).map(|n| grid.time(n).as_micros() as i64).collect();
    let headings: Vec<i64> = (0..grid.headings).map(|n| i64::from(thousandths(grid, n))).collect();
    let place = |index: u8| phases.iter().position(|phase| phase == usize::from(index));
    let kept = terms.couplings.iter().filter(|_| terms.leeway < Leeway::OneByOne);
    let constraints = kept.filter_map(|coupling| {
        let Coupling { dt_min, dt_max, .. } = *coupling;
        let (dh_min, dh_max) = (i64::from(coupling.dh_min), i64::from(coupling.dh_max));
        Some(Constraint { a: place(coupling.a)?, b: place(coupling.b)?, dt_min, dt_max, dh_min, dh_max })
    });
    let constraints: Vec<Constraint> = constraints.collect();
    // The assigner counts up to [`MOST_COST`]: what is dearer makes it count in larger units.
    let most = bids.iter().flat_map(|(_, surfaces)| surfaces.iter().flatten()).map(Surface::most).max();
    let unit = most.map_or(1, |most| most.div_ceil(MOST_COST).max(1));
    let mut costs = Vec::with_capacity(phases.len() * bids.len() * grid.len());
    for (member, index) in phases.iter().enumerate() {
        // Which samples go with what is frozen; the same for every vehicle.
        let goes = |time: usize, heading: usize| {
            let at = terms.t0 + grid.time(time as u16);
            at <= terms.expires
                && terms.members.get(index).is_none_or(|member| at >= member.since)
                && terms.allow(index, (times[time], headings[heading] as u32))
        };
        let open: Vec<bool> = (0..times.len())
            .flat_map(|time| (0..headings.len()).map(move |heading| (time, heading)))
            .map(|(time, heading)| goes(time, heading))
            .collect();
        for (_, surfaces) in bids {
            match &surfaces[member] {
                Some(surface) => {
                    let cost = |cost: u32| if unit == 1 || cost == INFEASIBLE { cost } else { cost / unit };
                    let sample = |(it, open): (&u32, &bool)| if *open { cost(*it) } else { INFEASIBLE };
                    costs.extend(surface.samples().iter().zip(&open).map(sample));
                }
                None => costs.extend(std::iter::repeat_n(INFEASIBLE, grid.len())),
            }
        }
    }
    Problem::with_turn(TURN, phases.len(), bids.len(), times, headings, costs, constraints).ok()
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
                    let old = renewable.has(usize::from(coupling.a)) && sample.0 - other.0 > fresh.as_micros() as i64;
                    rule.allows(other, sample) && !old
                }),
                _ => true,
            }
        })
    }
}
