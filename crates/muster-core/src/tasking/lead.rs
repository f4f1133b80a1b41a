//! The LEAD: "an advocate for the user, offering the task to the vehicles and assigning the winner".
//! [MacKenzie §2, Figure 1 c]

use std::collections::{BTreeMap, BTreeSet};

use super::assigner::{self, Constraint, INFEASIBLE, Problem};
use super::cost::{Grid, Surface};
use super::craft::Craft;
use super::group::{Coupling, Phases};
use super::order::{OrderState, Slot};
use super::peer::Peer;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// A full turn in thousandths of a degree.
const TURN: i64 = 360_000;

/// The lead of an order, or of some of its tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Which attempt it is at.
    pub ballot: Ballot,
    /// The tasks that are auctioned.
    pub phases: Phases,
    /// Those that will be when these are assigned.
    pub later: Phases,
    /// Where it is.
    pub stage: Stage,
    /// When times begin to count.
    pub t0: Time,
    /// When bids must be in.
    pub closes: Time,
    /// What it asks for less than it should, because nobody could do all.
    pub leeway: Leeway,
    bids: BTreeMap<RobotId, Vec<Option<Surface>>>,
    /// "Delete failed bidder".
    deleted: BTreeSet<RobotId>,
    /// How many plans were made from these bids.
    plans: u32,
    /// How many auctions came to nothing.
    in_vain: u32,
}

/// Where a LEAD is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// "wait for bids".
    Bidding,
    /// "Wait for Accept".
    Notifying {
        /// Who is to do what.
        plan: Vec<(u8, Holder)>,
        /// Who has accepted.
        accepted: Phases,
        /// How often everybody was told.
        tries: u8,
    },
    /// "Wait to retry".
    Retrying,
}

/// What a LEAD gives up when nobody can do a group as it should be done, step by step: unless its template is strict, it
/// is better done late or uncoupled than not at all.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leeway {
    /// Nothing: times and headings of the group's other tasks are kept.
    None,
    /// The others' times: the whole group is auctioned anew (W13).
    Others,
    /// Couplings to tasks that are done already.
    Done,
    /// Every coupling but the order, and that each task has a vehicle of its craft: one task after the other.
    OneByOne,
}

impl Lead {
    /// Task `index` is in its hands.
    pub fn covers(&self, index: usize) -> bool {
        self.phases.has(index) || self.later.has(index)
    }

    /// A bid is for as many tasks as are auctioned, and sampled where this LEAD samples.
    pub(super) fn can_use(&self, costs: &[Option<Surface>], grid: &Grid) -> bool {
        let fits = |surface: &Option<Surface>| surface.as_ref().is_none_or(|it| it.fits(grid));
        costs.len() == self.phases.len() && costs.iter().all(fits)
    }

    /// Its bids: for each of its phases what that would cost, or that the bidder cannot.
    pub fn bids(&self) -> &BTreeMap<RobotId, Vec<Option<Surface>>> {
        &self.bids
    }

    /// Who has bid.
    pub fn bidders(&self) -> impl Iterator<Item = RobotId> {
        self.bids.keys().copied()
    }
}

impl OrderState {
    /// Becomes the LEAD of these tasks.
    pub(super) fn take_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases, epoch: u32) {
        let template = craft.config.templates.get(&self.group.brief.kind);
        if !self.group.is_decomposed() {
            let Some(group) = self.group.decomposed(template) else { return };
            self.group = group;
        }
        let phases = phases.common(self.open());
        if phases.is_empty() {
            return;
        }
        self.note_all(cx, phases, Step::Leads { epoch });
        self.lead = Some(Box::new(Lead {
            ballot: Ballot::new(epoch, cx.me()),
            phases,
            later: Phases::NONE,
            stage: Stage::Bidding,
            t0: cx.now(),
            closes: cx.now(),
            leeway: Leeway::None,
            bids: BTreeMap::new(),
            deleted: BTreeSet::new(),
            plans: 0,
            in_vain: 0,
        }));
        self.user_is_done(craft, cx);
        self.peer = Peer::Monitoring;
        self.bidder = None;
        self.solicit(craft, cx);
    }

    /// Asks for bids on what it leads, as a new attempt if `ballot` has been used.
    fn solicit(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &mut self.lead else { return };
        lead.stage = Stage::Bidding;
        lead.bids.clear();
        lead.deleted.clear();
        lead.plans = 0;
        lead.closes = cx.now() + craft.config.bid;
        lead.t0 = lead.closes + craft.config.acceptance() + craft.settling();
        if let Some(before) = self.t0 {
            // In step with what is assigned already, so that a window of one step always holds a sample.
            let step = craft.config.grid.step.as_micros().max(1);
            let beyond = (lead.t0.as_micros() % step + step - before.as_micros() % step) % step;
            lead.t0 += Duration::from_micros((step - beyond) % step);
        }
        let (ballot, phases, t0, closes) = (lead.ballot, lead.phases, lead.t0, lead.closes);
        self.epoch = self.epoch.max(ballot.epoch);
        craft.changed = true;
        for index in phases.with(lead.later).iter() {
            let slot = &mut self.slots[index];
            (slot.ballot, slot.holder, slot.heard, slot.led) = (ballot, None, cx.now(), None);
            craft.let_go(cx, self.group.task(index));
            self.give_grant_back(craft, cx, index);
        }
        self.note_all(cx, phases, Step::Solicited { epoch: ballot.epoch, t0 });
        self.say_solicitation(craft, cx, ballot, phases, t0, closes);
        cx.set_timer(Timer::Lead(self.first()), closes);
        if craft.config.fixes.lead_speaks {
            cx.set_timer(Timer::LeadStatus(self.first()), cx.now() + craft.config.status);
        }
    }

    fn say_solicitation(
        &self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        phases: Phases,
        t0: Time,
        closes: Time,
    ) {
        let about = self.about(craft, true);
        craft.say(cx, Recipient::All, Message::Solicitation { about, ballot, phases, t0, closes });
    }

    pub(super) fn say_lead_status(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &self.lead else { return };
        let (ballot, phases) = (lead.ballot, lead.phases.with(lead.later));
        let about = self.about(craft, true);
        let number = craft.next_number(cx.now());
        craft.say(cx, Recipient::All, Message::LeadStatus { about, ballot, phases, number });
    }

    /// F2. While bids are missing the report is the solicitation itself.
    pub(super) fn on_lead_status_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &self.lead else { return };
        let others = craft.link.others().min(craft.config.team as usize);
        if lead.stage == Stage::Bidding && lead.bids.len() < others && lead.closes > cx.now() {
            self.say_solicitation(craft, cx, lead.ballot, lead.phases, lead.t0, lead.closes);
        } else {
            self.say_lead_status(craft, cx);
        }
        let wait = craft.jittered(cx, craft.config.status);
        cx.set_timer(Timer::LeadStatus(self.first()), cx.now() + wait);
    }

    pub(super) fn on_bid(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        costs: &[Option<Surface>],
    ) {
        let Some(lead) = self.lead.as_mut().filter(|lead| lead.ballot == ballot) else { return };
        if lead.stage == Stage::Bidding && lead.bids.insert(from, costs.to_vec()).is_none() {
            for (index, cost) in lead.phases.iter().zip(costs) {
                let least = cost.as_ref().and_then(Surface::least);
                let task = self.group.task(index);
                cx.note(|| crate::Event::Tasking { task, step: Step::BidHeard { from, least } });
            }
        }
        let about = self.about(craft, false);
        craft.say(cx, Recipient::Only(from), Message::BidAck { about, ballot });
    }

    pub(super) fn on_lead_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &mut self.lead else { return };
        match &mut lead.stage {
            Stage::Bidding => self.evaluate(craft, cx),
            Stage::Retrying => self.next_attempt(craft, cx),
            Stage::Notifying { tries, .. } if *tries < craft.config.assign_tries => {
                *tries += 1;
                self.notify(craft, cx);
            }
            Stage::Notifying { plan, accepted, .. } => {
                let failed: Vec<(u8, Holder)> =
                    plan.iter().filter(|(index, _)| !accepted.has(usize::from(*index))).copied().collect();
                let done = *accepted;
                lead.deleted.extend(failed.iter().map(|(_, holder)| holder.robot));
                for (index, holder) in &failed {
                    self.note(cx, usize::from(*index), Step::Deleted { robot: holder.robot });
                }
                let Some(lead) = &mut self.lead else { return };
                if !craft.config.fixes.atomic {
                    // Bids are for what was solicited: those for what is assigned by now are of no more use.
                    for costs in lead.bids.values_mut() {
                        let mut open = lead.phases.iter().map(|index| !done.has(index));
                        costs.retain(|_| open.next().unwrap_or(false));
                    }
                    lead.phases = lead.phases.without(done);
                } else {
                    // Whoever has accepted is released by the next plan: nobody was committed yet.
                    lead.ballot.epoch = lead.ballot.epoch.max(self.epoch) + 1;
                    self.epoch = lead.ballot.epoch;
                    craft.changed = true;
                }
                let in_time = cx.now() + craft.config.accept < lead.t0;
                if lead.plans < craft.config.plans && in_time {
                    self.evaluate(craft, cx);
                } else {
                    self.next_attempt(craft, cx);
                }
            }
        }
    }

    /// Auctions what it leads anew, as a new attempt.
    fn next_attempt(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &mut self.lead else { return };
        lead.ballot.epoch = lead.ballot.epoch.max(self.epoch) + 1;
        self.solicit(craft, cx);
    }

    /// "Evaluate bids": finds who does what, when and how, at the least cost.
    fn evaluate(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let me = cx.me();
        let Some(lead) = &self.lead else { return };
        let (phases, t0, leeway) = (lead.phases, lead.t0, lead.leeway);
        let mine = craft.bid(cx, &self.group, phases, t0);
        let Some(lead) = &mut self.lead else { return };
        if mine.iter().any(Option::is_some) && !lead.deleted.contains(&me) {
            lead.bids.insert(me, mine);
        }
        lead.plans += 1;
        let frozen = self.frozen(craft);
        let Some(lead) = &self.lead else { return };
        let bids: Vec<(RobotId, &Vec<Option<Surface>>)> = lead
            .bids
            .iter()
            .filter(|(robot, _)| !lead.deleted.contains(robot))
            .filter(|(robot, _)| leeway == Leeway::OneByOne || frozen.iter().all(|(_, other)| other.robot != **robot))
            .filter(|(robot, _)| craft.config.fixes.atomic || !self.holds_some(lead, **robot))
            .map(|(robot, costs)| (*robot, costs))
            .collect();
        // Those of who is left out for what it holds count too: they came in, and were looked at.
        let count = lead.bids.keys().filter(|robot| !lead.deleted.contains(robot)).count() as u32;
        let expires = self.group.brief.expires.unwrap_or(Time::NEVER);
        let problem = pose(&craft.config.grid, &bids, phases, &self.group.couplings, &frozen, (t0, expires, leeway));
        let answer = problem.map(|problem| assigner::assign(&problem, craft.config.node_budget));
        let chosen = answer.filter(|answer| !answer.assignment.is_empty()).map(|answer| answer.assignment);
        let Some(chosen) = chosen else {
            return self.on_no_good_bids(craft, cx, count);
        };
        let grid = &craft.config.grid;
        let mut plan = Vec::with_capacity(chosen.len());
        for (member, (index, choice)) in phases.iter().zip(&chosen).enumerate() {
            let (time, heading) = (choice.time as u16, choice.heading as u16);
            let holder =
                Holder { robot: bids[choice.vehicle].0, at: t0 + grid.time(time), heading: thousandths(grid, heading) };
            let bid = |costs: &Vec<Option<Surface>>| costs[member].as_ref().and_then(Surface::least);
            let cheapest = bids.iter().filter_map(|(robot, costs)| Some((bid(costs)?, *robot))).min();
            let (least, cheapest) = cheapest.unwrap_or((INFEASIBLE, holder.robot));
            let surface = bids[choice.vehicle].1[member].as_ref();
            let cost = surface.and_then(|it| it.get(grid, time, heading)).unwrap_or(INFEASIBLE);
            self.note(cx, index, Step::Assigned { holder, cost, cheapest: (cheapest, least), bids: count });
            plan.push((index as u8, holder));
        }
        let Some(lead) = &mut self.lead else { return };
        lead.stage = Stage::Notifying { plan, accepted: Phases::NONE, tries: 1 };
        for index in phases.iter() {
            self.slots[index].ballot = lead.ballot;
        }
        self.notify(craft, cx);
    }

    /// Tells everybody who has not accepted yet what is theirs.
    fn notify(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &mut self.lead else { return };
        let Stage::Notifying { plan, accepted, .. } = &mut lead.stage else { return };
        let me = cx.me();
        // "A LEAD may win its own task without radio".
        let mine = plan.iter().filter(|(_, holder)| holder.robot == me).map(|(index, _)| usize::from(*index));
        let mine = mine.fold(Phases::NONE, |all, index| all.with(Phases::only(index)));
        *accepted = accepted.with(mine);
        let (plan, accepted, ballot, t0) = (plan.clone(), *accepted, lead.ballot, lead.t0);
        for (index, holder) in plan.iter().filter(|(index, _)| !accepted.has(usize::from(*index))) {
            let about = self.about(craft, false);
            let plan = if craft.config.fixes.atomic { plan.clone() } else { vec![(*index, *holder)] };
            craft.say(cx, Recipient::Named(holder.robot), Message::Assignment { about, ballot, plan, t0 });
        }
        let wait = craft.jittered(cx, craft.config.accept);
        cx.set_timer(Timer::Lead(self.first()), cx.now() + wait);
        if !craft.config.fixes.atomic {
            for index in mine.iter() {
                self.commit_one(craft, cx, index);
            }
        }
        self.commit_if_all(craft, cx);
    }

    pub(super) fn on_accept(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        index: u8,
    ) {
        let at = usize::from(index);
        if at >= self.slots.len() {
            return;
        }
        if let Some(lead) = self.lead.as_mut().filter(|lead| lead.ballot == ballot)
            && let Stage::Notifying { plan, accepted, .. } = &mut lead.stage
            && plan.iter().any(|(index, holder)| usize::from(*index) == at && holder.robot == from)
        {
            *accepted = accepted.with(Phases::only(at));
            if !craft.config.fixes.atomic {
                self.commit_one(craft, cx, at);
            }
            return self.commit_if_all(craft, cx);
        }
        let slot = &self.slots[at];
        let holds = slot.ballot == ballot && slot.holder.is_some_and(|holder| holder.robot == from);
        if self.committed == Some(ballot) && holds && slot.done.is_none() {
            let about = self.about(craft, false);
            craft.say(cx, Recipient::Only(from), Message::AcceptAck { about, ballot, index });
        }
    }

    /// "Ack acceptance" of one task: from here on it is its winner's.
    fn commit_one(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        let Some(lead) = &self.lead else { return };
        let Stage::Notifying { plan, .. } = &lead.stage else { return };
        let Some((_, holder)) = plan.iter().find(|(at, _)| usize::from(*at) == index).copied() else { return };
        let (ballot, t0) = (lead.ballot, lead.t0);
        self.committed = Some(ballot);
        self.t0 = Some(t0);
        let slot = &mut self.slots[index];
        (slot.ballot, slot.holder, slot.heard, slot.led) = (ballot, Some(holder), cx.now(), None);
        if holder.robot == cx.me() {
            self.hold(craft, cx, index, ballot, holder, t0);
        } else {
            let about = self.about(craft, false);
            let index = index as u8;
            craft.say(cx, Recipient::Only(holder.robot), Message::AcceptAck { about, ballot, index });
        }
    }

    /// Commits everybody once all have accepted; the LEAD's work is done then.
    fn commit_if_all(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(lead) = &self.lead else { return };
        let Stage::Notifying { accepted, .. } = lead.stage else { return };
        if !lead.phases.without(accepted).is_empty() {
            return;
        }
        if craft.config.fixes.atomic {
            for index in lead.phases.iter() {
                self.commit_one(craft, cx, index);
            }
        }
        let Some(lead) = &mut self.lead else { return };
        let (phases, later) = (lead.phases, lead.later);
        if let Some(next) = later.iter().next() {
            self.watch(craft, cx, phases);
            let Some(lead) = &mut self.lead else { return };
            (lead.phases, lead.later) = (Phases::only(next), later.without(Phases::only(next)));
            return self.next_attempt(craft, cx);
        }
        self.lead_without(craft, cx, phases);
    }

    /// Leads these tasks no longer; "the finished LEAD becomes a PEER".
    pub(super) fn lead_without(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        let Some(lead) = &mut self.lead else { return };
        lead.later = lead.later.without(phases);
        let left = lead.phases.without(phases);
        let were = lead.phases.common(phases);
        if left.is_empty() && lead.later.is_empty() {
            self.lead = None;
            cx.cancel_timer(Timer::Lead(self.first()));
            cx.cancel_timer(Timer::LeadStatus(self.first()));
        } else if left.is_empty() {
            if let Some(next) = lead.later.iter().next() {
                (lead.phases, lead.later) = (Phases::only(next), lead.later.without(Phases::only(next)));
            }
            self.next_attempt(craft, cx);
        } else if left != lead.phases {
            // Bids are for all of it: what is left is auctioned by itself.
            lead.phases = left;
            self.next_attempt(craft, cx);
        }
        self.watch(craft, cx, were.common(self.open()));
    }

    /// "No good bids": gives up what can be given up, or waits to retry.
    fn on_no_good_bids(&mut self, craft: &mut Craft, cx: &mut Context<'_>, bids: u32) {
        let open = self.open();
        let done = self.slots.iter().any(|slot| slot.done.is_some());
        let Some(lead) = &mut self.lead else { return };
        lead.in_vain += 1;
        let atomic = craft.config.fixes.atomic;
        let apart = atomic && !self.group.strict && !self.group.couplings.is_empty();
        let relaxed = match lead.leeway {
            Leeway::None if atomic && lead.phases != open => Leeway::Others,
            Leeway::None | Leeway::Others if apart && done => Leeway::Done,
            leeway if apart && lead.in_vain > craft.config.in_vain => leeway.max(Leeway::OneByOne),
            leeway => leeway,
        };
        let (before, phases) = (lead.leeway, lead.phases);
        lead.leeway = relaxed;
        self.note_all(cx, phases, Step::NoGoodBids { bids, relaxed });
        let Some(lead) = &mut self.lead else { return };
        match relaxed {
            _ if relaxed == before => {}
            Leeway::None => {}
            Leeway::Others => {
                lead.phases = open;
                return self.next_attempt(craft, cx);
            }
            Leeway::Done => return self.evaluate(craft, cx),
            Leeway::OneByOne => {
                let all = lead.phases.with(lead.later);
                if let Some(next) = all.iter().next() {
                    (lead.phases, lead.later) = (Phases::only(next), all.without(Phases::only(next)));
                }
                return self.next_attempt(craft, cx);
            }
        }
        lead.stage = Stage::Retrying;
        let wait = craft.jittered(cx, craft.config.retry);
        cx.set_timer(Timer::Lead(self.first()), cx.now() + wait);
    }

    /// Has won some of the group in this attempt already.
    fn holds_some(&self, lead: &Lead, robot: RobotId) -> bool {
        let won = |slot: &Slot| slot.ballot == lead.ballot && slot.holder.is_some_and(|holder| holder.robot == robot);
        self.slots.iter().enumerate().any(|(index, slot)| !lead.covers(index) && won(slot))
    }

    /// What the tasks that are not auctioned are held to, if a group is one whole (W13).
    fn frozen(&self, craft: &Craft) -> Vec<(usize, Holder)> {
        let Some(lead) = self.lead.as_ref().filter(|_| craft.config.fixes.atomic) else { return Vec::new() };
        let other =
            |index: &usize| !lead.covers(*index) && (lead.leeway < Leeway::Done || self.slots[*index].done.is_none());
        (0..self.slots.len())
            .filter(other)
            .filter_map(|index| self.slots[index].holder.map(|holder| (index, holder)))
            .collect()
    }
}

fn thousandths(grid: &Grid, heading: u16) -> u32 {
    (grid.heading_deg(heading) * 1_000.0).round() as u32
}

/// The assigner's problem: the bids, with what does not go with frozen tasks made infeasible. `None` without bids.
fn pose(
    grid: &Grid,
    bids: &[(RobotId, &Vec<Option<Surface>>)],
    phases: Phases,
    couplings: &[Coupling],
    frozen: &[(usize, Holder)],
    // When times begin to count, when it is too late for all of it, and what is given up already.
    (t0, expires, leeway): (Time, Time, Leeway),
) -> Option<Problem> {
    if bids.is_empty() {
        return None;
    }
    let times: Vec<i64> = (0..grid.times).map(|n| grid.time(n).as_micros() as i64).collect();
    let headings: Vec<i64> = (0..grid.headings).map(|n| i64::from(thousandths(grid, n))).collect();
    let place = |index: u8| phases.iter().position(|phase| phase == usize::from(index));
    let constraints = couplings.iter().filter(|_| leeway < Leeway::OneByOne).filter_map(|coupling| {
        let Coupling { dt_min, dt_max, .. } = *coupling;
        let (dh_min, dh_max) = (i64::from(coupling.dh_min), i64::from(coupling.dh_max));
        Some(Constraint { a: place(coupling.a)?, b: place(coupling.b)?, dt_min, dt_max, dh_min, dh_max })
    });
    let constraints: Vec<Constraint> = constraints.collect();
    let began = t0.as_micros() as i64;
    let fixed = |holder: &Holder| ((holder.at.as_micros() as i64).saturating_sub(began), holder.heading);
    let mut costs = Vec::with_capacity(phases.len() * bids.len() * grid.len());
    for (member, index) in phases.iter().enumerate() {
        // Which samples go with what is frozen; the same for every vehicle.
        let goes = |time: usize, heading: usize| {
            let own = (times[time], headings[heading] as u32);
            t0 + grid.time(time as u16) <= expires
                && couplings.iter().all(|coupling| {
                    let other =
                        |at: u8| frozen.iter().find(|(index, _)| *index == usize::from(at)).map(|(_, it)| fixed(it));
                    let (a, b) = (usize::from(coupling.a), usize::from(coupling.b));
                    let loose = leeway == Leeway::OneByOne;
                    let rule = if loose {
                        &Coupling { dt_max: None, dh_min: 0, dh_max: 180_000, ..*coupling }
                    } else {
                        coupling
                    };
                    match (a == index, b == index) {
                        // What comes before is kept to whatever else is given up; what comes after may be too early now.
                        (true, _) => loose || other(coupling.b).is_none_or(|other| rule.allows(own, other)),
                        (_, true) => other(coupling.a).is_none_or(|other| rule.allows(other, own)),
                        _ => true,
                    }
                })
        };
        let open: Vec<bool> = (0..times.len())
            .flat_map(|time| (0..headings.len()).map(move |heading| (time, heading)))
            .map(|(time, heading)| goes(time, heading))
            .collect();
        for (_, surfaces) in bids {
            match &surfaces[member] {
                Some(surface) => {
                    let sample = |(cost, open): (&u16, &bool)| if *open { *cost } else { INFEASIBLE };
                    costs.extend(surface.samples().iter().zip(&open).map(sample));
                }
                None => costs.extend(std::iter::repeat_n(INFEASIBLE, grid.len())),
            }
        }
    }
    Problem::with_turn(TURN, phases.len(), bids.len(), times, headings, costs, constraints).ok()
}
