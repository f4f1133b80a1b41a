//! The LEAD: "an advocate for the user, offering the task to the vehicles and assigning the winner".
//! [MacKenzie §2, Figure 1 c]

use std::collections::{BTreeMap, BTreeSet};

use super::after::After;
use super::assigner::INFEASIBLE;
use super::bidder::Won;
use super::cost::{Grid, Quote, Surface};
use super::desk::Desk;
use super::group::{Member, Phases};
use super::holder::Assigned;
use super::known::{Known, Slot};
use super::message::Tender;
use super::planning::{Found, find};
use super::pose::{Terms, thousandths};
use super::step::Sharing;
use super::turnaround::Turnaround;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// After so many attempts in vain a LEAD waits for twice as long.
const BACK_OFF: u32 = 16;
/// And no longer than this: half a minute for the paper's 2 s.
const MOST_DOUBLINGS: u32 = 4;

/// The LEAD of an order, or of some of its tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The attempt that it is at.
    pub ballot: Ballot,
    /// The tasks that are auctioned.
    pub phases: Phases,
    /// The tasks that are auctioned when `phases` are assigned.
    pub later: Phases,
    /// What it waits for.
    pub stage: LeadStage,
    /// Since when it has brought nothing about.
    pub since: Time,
    /// When times begin to count.
    pub t0: Time,
    /// When bids must be in.
    pub closes: Time,
    /// What it has given up of the group's couplings, because nobody could keep them.
    pub leeway: Leeway,
    bids: BTreeMap<RobotId, Offer>,
    /// "Delete failed bidder".
    deleted: BTreeSet<RobotId>,
    /// How many plans were made from these bids.
    plans: u32,
    /// How many auctions came to nothing.
    in_vain: u32,
}

/// What a LEAD waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeadStage {
    /// "wait for bids".
    Bidding,
    /// "Wait for Accept".
    Notifying(Notice),
    /// "Wait to retry".
    Retrying,
}

/// A plan that its vehicles are told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// For each of the LEAD's phases the vehicle that is to do it, when and how.
    pub plan: Vec<(u8, Holder)>,
    /// The tasks whose vehicles have accepted.
    pub accepted: Phases,
    /// How often everybody was told.
    pub tries: u8,
}

/// What a vehicle bids, on the grid on which tasks are assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The costs of each task by itself; `None`: the vehicle cannot do it.
    pub(super) costs: Vec<Option<Surface>>,
    /// What it takes to do several of them; `None`: it does one at most.
    pub(super) turnaround: Option<Turnaround>,
}

impl Offer {
    fn new(tender: Tender, grid: &Grid) -> Self {
        let costs = Quote::surfaces(&tender.costs, grid);
        Self { costs, turnaround: tender.turnaround }
    }
}

/// What a LEAD gives up when nobody can do a group as it should be done, step by step: unless its template is strict,
/// it is better done late or uncoupled than not at all.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leeway {
    /// Nothing: times and headings of the group's other tasks are kept.
    None,
    /// The others' times: the whole group is auctioned anew (W13).
    Others,
    /// Couplings to tasks that are done already.
    Done,
    /// Every coupling but the order: one task after the other.
    OneByOne,
}

/// Where an auction is.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Auction {
    /// The LEAD waits for bids, for Accept, or to try again.
    Open,
    /// Every vehicle of the plan has accepted and is committed.
    Closed,
}

/// What is left of a lead that some tasks were taken from.
#[must_use]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// No task: the lead is over.
    Nothing,
    /// Other tasks than were auctioned: they have to be auctioned anew.
    Others,
    /// All that is auctioned.
    Same,
}

impl Lead {
    /// The LEAD of these tasks; it has not asked for bids yet.
    pub(super) fn new(ballot: Ballot, phases: Phases, now: Time) -> Self {
        Self {
            ballot,
            phases,
            later: Phases::NONE,
            stage: LeadStage::Bidding,
            since: now,
            t0: now,
            closes: now,
            leeway: Leeway::None,
            bids: BTreeMap::new(),
            deleted: BTreeSet::new(),
            plans: 0,
            in_vain: 0,
        }
    }

    /// Task `index` is in its hands.
    pub fn covers(&self, index: usize) -> bool {
        self.all().has(index)
    }

    /// The tasks in its hands.
    pub(super) fn all(&self) -> Phases {
        self.phases.with(self.later)
    }

    /// A bid is for as many tasks as are auctioned, and makes sense on this LEAD's grid.
    pub(super) fn can_use(&self, costs: &[Quote], grid: &Grid) -> bool {
        costs.len() == self.phases.len() && costs.iter().all(|quote| quote.is_sound(grid))
    }

    /// The vehicles that have bid.
    pub fn bidders(&self) -> impl Iterator<Item = RobotId> {
        self.bids.keys().copied()
    }

    /// Asks for bids on what it leads.
    pub(super) fn solicit(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> After {
        let config = at.craft.config.clone();
        self.stage = LeadStage::Bidding;
        self.bids.clear();
        self.deleted.clear();
        self.plans = 0;
        self.closes = cx.now() + at.craft.time_out(config.bid);
        self.t0 = self.closes + at.craft.time_out(config.acceptance()) + at.craft.settling();
        if let Some(before) = at.known.t0() {
            // In step with what is assigned already, so that a window of one step always holds a sample.
            let step = config.grid.step.as_micros().max(1);
            let beyond = (self.t0.as_micros() % step + step - before.as_micros() % step) % step;
            self.t0 += Duration::from_micros((step - beyond) % step);
        }
        at.known.has_come_to(self.ballot.epoch);
        if self.leeway < Leeway::OneByOne {
            self.renew(at, cx, false);
        }
        if config.fixes.in_turn && self.leeway < Leeway::OneByOne {
            self.phases = self.entangled(at.known, self.t0 + config.grid.horizon());
        }
        let mut after = After::remember();
        for index in self.all().iter() {
            at.known.is_auctioned(index, self.ballot, cx.now());
            after |= at.craft.queue.let_go(cx, at.known.task(index));
            after |= at.give_back(cx, index);
        }
        for (nth, index) in self.phases.iter().enumerate() {
            let (epoch, t0, grid, group) = (self.ballot.epoch, self.t0, config.grid, at.known.group());
            let solicited = |member: &Member| Step::Solicited { epoch, t0, grid, index: nth as u8, member: *member };
            if let Some(step) = group.members.get(index).map(solicited) {
                at.known.note(cx, index, step);
            }
        }
        self.say_solicitation(at.desk(), cx);
        cx.set_timer(Timer::Lead(at.known.first()), self.closes);
        if config.fixes.lead_speaks {
            cx.set_timer(Timer::LeadStatus(at.known.first()), cx.now() + config.status);
        }
        after
    }

    /// What was done and has grown old, or will have before anything that comes after it can be flown, is to be done again: it
    /// is auctioned with what it leads. `all`: whatever may be done again, since there is no plan that goes with it.
    fn renew(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>, all: bool) -> bool {
        let (renewable, fresh) = at.known.renewable(&at.craft.config);
        let mut any = false;
        for index in renewable.iter() {
            let Some(deed) = at.known.slot(index).done else { continue };
            let old = deed.at + fresh;
            let flown = |other: usize| (other == index).then_some(deed.at);
            let late = |other: usize| at.known.group().window(other, flown).1 < self.t0.as_micros() as i64;
            if !all && old > self.t0 && !at.known.group().after(index).iter().any(late) {
                continue;
            }
            // It may not be done again before it is old.
            let group = at.known.group().renewed(index, old.max(cx.now()));
            at.known.is_described_by(group);
            at.craft.tidings.forgets(at.known);
            at.known.note(cx, index, Step::Renewed);
            self.phases = self.phases.with(Phases::only(index));
            any = true;
        }
        any
    }

    /// What is to be auctioned together: what it leads, and every task of the group that is not done and that nobody has, or
    /// that is held to a time which no plan from these bids can go with. `last`: the last time that is bid for.
    fn entangled(&self, known: &Known, last: Time) -> Phases {
        let group = known.group();
        let mut phases = self.phases;
        loop {
            let held = |index: usize| (!phases.has(index)).then(|| known.slot(index).holder.map(|it| it.at)).flatten();
            let fits = |index: usize| {
                let (least, most) = group.window(index, held);
                least <= last.as_micros() as i64 && self.t0.as_micros() as i64 <= most && least <= most
            };
            let misfit = |index: usize| {
                // Of those that are held, it is the coupled ones that are in the way.
                let alone = |other: usize| (other == index).then(|| held(index)).flatten();
                let (from, until) = (self.t0.as_micros() as i64, last.as_micros() as i64);
                let clashes = |other: usize| {
                    let (least, most) = group.window(other, alone);
                    least > until || most < from
                };
                held(index).is_none() || phases.iter().any(clashes)
            };
            let others = known.open().without(phases);
            let more = known.those(others, misfit);
            if !more.is_empty() {
                phases = phases.with(more);
            } else if (phases.iter().all(fits) && known.is_consistent(others)) || others.is_empty() {
                return phases;
            } else {
                phases = known.open();
            }
        }
    }

    fn say_solicitation(&self, desk: Desk<'_>, cx: &mut Context<'_>) {
        let about = desk.known.about_whole();
        let Self { ballot, phases, t0, closes, .. } = *self;
        desk.say(cx, Recipient::All, Message::Solicitation { about, ballot, phases, t0, closes });
    }

    pub(super) fn say_status(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>) {
        let about = at.known.about_whole();
        let number = at.craft.next_number(cx.now());
        let status = Message::LeadStatus { about, ballot: self.ballot, phases: self.all(), number };
        at.craft.say(cx, Recipient::All, status);
    }

    /// F2. While bids are missing the report is the solicitation itself.
    pub(super) fn on_status_timer(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>) {
        let others = at.craft.link.others().min(at.craft.config.team as usize);
        if self.stage == LeadStage::Bidding && self.bids.len() < others && self.closes > cx.now() {
            self.say_solicitation(at.desk(), cx);
        } else {
            self.say_status(at, cx);
        }
        at.craft.wait(cx, Timer::LeadStatus(at.known.first()), at.craft.config.status);
    }

    /// A bid in this attempt.
    pub(super) fn on_bid(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, from: RobotId, tender: Tender) {
        if self.stage == LeadStage::Bidding {
            let offer = Offer::new(tender, &desk.craft.config.grid);
            if !self.bids.contains_key(&from) {
                for (index, cost) in self.phases.iter().zip(&offer.costs) {
                    desk.known.note_with(cx, index, || {
                        let least = cost.as_ref().and_then(Surface::least);
                        Step::BidHeard { from, least, surface: cost.clone() }
                    });
                }
            }
            self.bids.insert(from, offer);
        }
        let about = desk.known.about(desk.craft);
        desk.say(cx, Recipient::Only(from), Message::BidAck { about, ballot: self.ballot });
    }

    pub(super) fn on_timer(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        // Whichever way it goes on, it sets the stage anew.
        match std::mem::replace(&mut self.stage, LeadStage::Bidding) {
            LeadStage::Bidding => self.evaluate(at, cx),
            LeadStage::Retrying => (self.next_attempt(at, cx), Auction::Open),
            LeadStage::Notifying(mut notice) if notice.tries < at.craft.config.assign_tries => {
                notice.tries += 1;
                self.notify(at, cx, notice)
            }
            LeadStage::Notifying(notice) => self.on_not_accepted(at, cx, notice),
        }
    }

    /// Some vehicles of a plan have not accepted in time: makes another plan without them.
    fn on_not_accepted(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>, notice: Notice) -> (After, Auction) {
        let Notice { plan, accepted, .. } = notice;
        for (index, holder) in plan.iter().filter(|(index, _)| !accepted.has(usize::from(*index))) {
            self.deleted.insert(holder.robot);
            at.known.note(cx, usize::from(*index), Step::Deleted { robot: holder.robot });
        }
        let mut after = After::nothing();
        if !at.craft.config.fixes.atomic {
            // Bids are for what was solicited: those for what is assigned by now are of no more use.
            for offer in self.bids.values_mut() {
                let mut open = self.phases.iter().map(|index| !accepted.has(index));
                offer.costs.retain(|_| open.next().unwrap_or(false));
            }
            self.phases = self.phases.without(accepted);
        } else {
            // The vehicles that have accepted are released by the next plan: nobody was committed yet.
            self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
            at.known.has_come_to(self.ballot.epoch);
            after |= After::remember();
        }
        let (then, auction) = self.plan_again(at, cx);
        after |= then;
        (after, auction)
    }

    /// This LEAD's plan gives task `index` to `robot`, which has not been committed to it yet.
    pub(super) fn plans(&self, index: usize, robot: RobotId) -> bool {
        matches!(&self.stage, LeadStage::Notifying(notice)
            if notice.plan.iter().any(|(planned, holder)| usize::from(*planned) == index && holder.robot == robot))
    }

    /// What this LEAD's vehicle, `me`, is to do by the plan that its vehicles are told of.
    pub(super) fn own(&self, me: RobotId) -> impl Iterator<Item = Won> {
        let plan = match &self.stage {
            LeadStage::Notifying(notice) => &notice.plan[..],
            LeadStage::Bidding | LeadStage::Retrying => &[],
        };
        plan.iter().filter(move |(_, holder)| holder.robot == me).map(|&(index, holder)| self.won(index, holder))
    }

    fn won(&self, index: u8, holder: Holder) -> Won {
        Won { index, holder, t0: self.t0, plan: self.phases }
    }

    /// A vehicle refuses what the plan gives it, having agreed to something else: makes another plan at once, from what
    /// that vehicle would bid now. The LEAD's own vehicle says so by its next bid, to itself.
    pub(super) fn on_refuse(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        index: usize,
        tender: Tender,
    ) -> (After, Auction) {
        at.known.note(cx, index, Step::Refused { robot: from });
        if self.can_use(&tender.costs, &at.craft.config.grid) {
            self.bids.insert(from, Offer::new(tender, &at.craft.config.grid));
        } else if from != cx.me() {
            self.deleted.insert(from);
        }
        self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
        at.known.has_come_to(self.ballot.epoch);
        // A plan that was refused at once has cost no time that others wait for.
        self.plans = self.plans.saturating_sub(1);
        let mut after = After::remember();
        let (then, auction) = self.plan_again(at, cx);
        after |= then;
        (after, auction)
    }

    /// Makes another plan from these bids, unless they have grown too old.
    fn plan_again(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        let in_time = cx.now() + at.craft.time_out(at.craft.config.accept) < self.t0;
        if self.plans < at.craft.config.plans && in_time {
            self.evaluate(at, cx)
        } else {
            (self.next_attempt(at, cx), Auction::Open)
        }
    }

    /// Auctions what it leads anew, as a new attempt.
    pub(super) fn next_attempt(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> After {
        self.ballot.epoch = self.ballot.epoch.max(at.known.epoch()) + 1;
        self.solicit(at, cx)
    }

    /// "Evaluate bids": finds who does what, when and how, at the least cost.
    fn evaluate(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> (After, Auction) {
        let me = cx.me();
        let config = at.craft.config.clone();
        let group = at.known.group().clone();
        let mine = Offer::new(at.craft.queue.tender(cx, &group, self.phases, self.t0), &config.grid);
        for (index, surface) in self.phases.iter().zip(&mine.costs) {
            let (body, now) = (cx.body(), cx.now());
            at.known.note_with(cx, index, || {
                let able = at.craft.queue.is_fit(body, now, &group, index);
                Step::OwnBid { surface: surface.clone(), able }
            });
        }
        if mine.costs.iter().any(Option::is_some) && !self.deleted.contains(&me) {
            self.bids.insert(me, mine);
        } else {
            // It may have bid before it agreed to something else.
            self.bids.remove(&me);
        }
        self.plans += 1;
        let frozen = if config.fixes.atomic { self.frozen(at.known) } else { Vec::new() };
        let in_play = self.bids.iter().filter(|(robot, _)| !self.deleted.contains(robot));
        // Bids of vehicles that are left out below count, too: they came in, and were looked at.
        let count = in_play.clone().count() as u32;
        let bids = in_play.filter(|(robot, _)| config.fixes.atomic || !self.has_won(at.known, **robot));
        let bids: Vec<(RobotId, &Offer)> = bids.map(|(robot, offer)| (*robot, offer)).collect();
        let terms = Terms {
            t0: self.t0,
            expires: group.brief.expires.unwrap_or(Time::NEVER),
            couplings: &group.couplings,
            members: &group.members,
            fresh: at.known.renewable(&config),
            frozen: &frozen,
            leeway: self.leeway,
        };
        let Found { bids, chosen, more, sharing } = match find(&config, &group, self.phases, bids, &terms) {
            Ok(found) => found,
            Err(too_few) => return self.on_no_good_bids(at, cx, count, too_few),
        };
        let grid = &config.grid;
        let mut plan: Vec<(u8, Holder)> = Vec::with_capacity(chosen.len());
        for (member, (index, choice)) in self.phases.iter().zip(&chosen).enumerate() {
            let (time, heading) = (choice.time as u16, choice.heading as u16);
            let (robot, offer) = bids[choice.vehicle];
            let holder = Holder { robot, at: self.t0 + grid.time(time), heading: thousandths(grid, heading) };
            let bid = |offer: &Offer| offer.costs[member].as_ref().and_then(Surface::least);
            let cheapest = bids.iter().filter_map(|(robot, offer)| Some((bid(offer)?, *robot))).min();
            let (least, cheapest) = cheapest.unwrap_or((INFEASIBLE, robot));
            let alone = offer.costs[member].as_ref().and_then(|it| it.get(grid, time, heading));
            let cost = alone.map_or(INFEASIBLE, |alone| {
                (i64::from(alone) + more[member]).clamp(0, i64::from(Surface::MOST)) as u32
            });
            at.known.note(cx, index, Step::Assigned { holder, cost, cheapest: (cheapest, least), bids: count });
            plan.push((index as u8, holder));
        }
        if let Some(why) = sharing {
            self.note_shared(at.known, cx, &plan, &frozen, why);
        }
        for index in self.phases.iter() {
            at.known.is_planned(index, self.ballot);
        }
        let own = plan.iter().filter(|(_, holder)| holder.robot == me);
        let own = own.map(|&(index, holder)| at.craft.queue.booking(&group, self.ballot, self.won(index, holder)));
        let own: Vec<_> = own.collect();
        let mut after = After::dropped(at.craft.queue.outranked(cx, &group, &own));
        let (then, auction) = self.notify(at, cx, Notice { plan, accepted: Phases::NONE, tries: 1 });
        after |= then;
        (after, auction)
    }

    /// Notes which vehicles do several of the group's tasks, and why.
    fn note_shared(
        &self,
        known: &Known,
        cx: &mut Context<'_>,
        plan: &[(u8, Holder)],
        frozen: &[(usize, Holder)],
        why: Sharing,
    ) {
        let planned = |&(index, holder): &(u8, Holder)| (usize::from(index), holder);
        let all: Vec<(usize, Holder)> = plan.iter().map(planned).chain(frozen.iter().copied()).collect();
        for (index, holder) in plan.iter().map(planned) {
            // Each pair once: with the one before it, and with one that is not auctioned and comes after it.
            let other = |(other, held): &&(usize, Holder)| {
                held.robot == holder.robot && *other != index && (held.at < holder.at || !self.phases.has(*other))
            };
            let apart = |(_, held): &&(usize, Holder)| held.at.as_micros().abs_diff(holder.at.as_micros());
            if let Some((other, held)) = all.iter().filter(other).min_by_key(apart) {
                let (robot, apart) = (holder.robot, Duration::from_micros(apart(&&(*other, *held))));
                known.note(cx, index, Step::Shares { robot, other: known.task(*other), apart, why });
            }
        }
    }

    /// Tells every vehicle that has not accepted yet what is its to do.
    fn notify(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>, mut notice: Notice) -> (After, Auction) {
        let me = cx.me();
        let atomic = at.craft.config.fixes.atomic;
        // "A LEAD may win its own task without radio".
        let mine = notice.plan.iter().filter(|(_, holder)| holder.robot == me).map(|(index, _)| usize::from(*index));
        let mine = mine.fold(Phases::NONE, |all, index| all.with(Phases::only(index)));
        notice.accepted = notice.accepted.with(mine);
        let (ballot, t0) = (self.ballot, self.t0);
        let mut told = BTreeSet::new();
        for (index, holder) in notice.plan.iter().filter(|(index, _)| !notice.accepted.has(usize::from(*index))) {
            // The whole plan, once to each.
            if atomic && !told.insert(holder.robot) {
                continue;
            }
            let about = at.known.about(at.craft);
            let plan = if atomic { notice.plan.clone() } else { vec![(*index, *holder)] };
            at.craft.say(cx, Recipient::Named(holder.robot), Message::Assignment { about, ballot, plan, t0 });
        }
        at.craft.wait(cx, Timer::Lead(at.known.first()), at.craft.time_out(at.craft.config.accept));
        let mut after = After::nothing();
        if !atomic {
            after |= self.commit(at, cx, &notice.plan, mine);
        }
        let (then, auction) = self.close_if_all_accepted(at, cx, notice);
        after |= then;
        (after, auction)
    }

    /// A vehicle accepts a task of the plan that everybody is told of. `None` if it is none of that plan's.
    pub(super) fn on_accept(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        index: u8,
    ) -> Option<(After, Auction)> {
        let is_planned = |(planned, holder): &(u8, Holder)| *planned == index && holder.robot == from;
        match std::mem::replace(&mut self.stage, LeadStage::Bidding) {
            LeadStage::Notifying(mut notice) if notice.plan.iter().any(is_planned) => {
                let one = Phases::only(usize::from(index));
                notice.accepted = notice.accepted.with(one);
                let mut after = After::nothing();
                if !at.craft.config.fixes.atomic {
                    after |= self.commit(at, cx, &notice.plan, one);
                }
                let (then, auction) = self.close_if_all_accepted(at, cx, notice);
                after |= then;
                Some((after, auction))
            }
            stage => {
                self.stage = stage;
                None
            }
        }
    }

    /// Commits every vehicle once all have accepted; the LEAD's work on these tasks is done then.
    fn close_if_all_accepted(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        notice: Notice,
    ) -> (After, Auction) {
        let mut after = After::nothing();
        let missing = self.phases.without(notice.accepted);
        if missing.is_empty() && at.craft.config.fixes.atomic {
            after |= self.commit(at, cx, &notice.plan, self.phases);
        }
        self.stage = LeadStage::Notifying(notice);
        (after, if missing.is_empty() { Auction::Closed } else { Auction::Open })
    }

    /// "Ack acceptance" of these tasks: from here on they are their winners'.
    fn commit(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>, plan: &[(u8, Holder)], phases: Phases) -> After {
        let (ballot, t0) = (self.ballot, self.t0);
        let mut after = After::nothing();
        for (index, holder) in plan.iter().copied().filter(|(index, _)| phases.has(usize::from(*index))) {
            at.known.is_committed(usize::from(index), ballot, holder, cx.now());
            at.known.counts_from(t0);
            if holder.robot == cx.me() {
                after |= at.hold(cx, ballot, self.won(index, holder));
            } else {
                let about = at.known.about(at.craft);
                at.craft.say(cx, Recipient::Only(holder.robot), Message::AcceptAck { about, ballot, index });
            }
        }
        after
    }

    /// It has brought nothing about for so long that nobody listens to it any more (W9): it would go on by itself for ever, and
    /// take what others do for what is left to do.
    pub(super) fn is_in_vain(&self, at: &Desk<'_>, now: Time) -> bool {
        let waits = !matches!(self.stage, LeadStage::Notifying(_));
        at.craft.config.fixes.fair && waits && now.since(self.since) >= at.craft.config.lead
    }

    /// Turns to the next of the tasks that were put off, if there is one.
    pub(super) fn turn_to_next(&mut self) -> bool {
        let next = self.later.iter().next().map(Phases::only);
        if let Some(next) = next {
            self.phases = next;
            self.later = self.later.without(next);
        }
        next.is_some()
    }

    /// Leads these tasks, too; they are auctioned with the others.
    pub(super) fn takes_on(&mut self, phases: Phases) {
        match self.leeway {
            Leeway::OneByOne => self.later = self.later.with(phases),
            Leeway::None | Leeway::Others | Leeway::Done => self.phases = self.phases.with(phases),
        }
    }

    /// Leads these tasks no longer. Bids are for all that is auctioned: what is left of it is auctioned by itself.
    pub(super) fn is_rid_of(&mut self, phases: Phases) -> Left {
        self.later = self.later.without(phases);
        let left = self.phases.without(phases);
        if left == self.phases {
            return Left::Same;
        }
        if left.is_empty() {
            return if self.turn_to_next() { Left::Others } else { Left::Nothing };
        }
        self.phases = left;
        Left::Others
    }

    /// "No good bids": gives up what can be given up, or waits to retry.
    fn on_no_good_bids(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        bids: u32,
        too_few: Option<(u32, u32)>,
    ) -> (After, Auction) {
        let done = at.known.slots().iter().any(|slot| slot.done.is_some());
        self.in_vain += 1;
        if self.leeway < Leeway::Done && self.renew(at, cx, true) {
            return (self.next_attempt(at, cx), Auction::Open);
        }
        let config = &at.craft.config;
        let (open, group) = (at.known.open(), at.known.group());
        let atomic = config.fixes.atomic;
        let apart = atomic && !group.strict && !group.couplings.is_empty();
        let relaxed = match self.leeway {
            Leeway::None if atomic && self.phases != open => Leeway::Others,
            Leeway::None | Leeway::Others if apart && done => Leeway::Done,
            leeway if apart && self.in_vain > config.in_vain => leeway.max(Leeway::OneByOne),
            leeway => leeway,
        };
        let before = std::mem::replace(&mut self.leeway, relaxed);
        at.known.note_all(cx, self.phases, Step::NoGoodBids { bids, relaxed, too_few });
        match relaxed {
            _ if relaxed == before => {}
            Leeway::None => {}
            Leeway::Others => {
                self.phases = open;
                return (self.next_attempt(at, cx), Auction::Open);
            }
            Leeway::Done => return self.evaluate(at, cx),
            Leeway::OneByOne => {
                self.later = self.all();
                self.turn_to_next();
                return (self.next_attempt(at, cx), Auction::Open);
            }
        }
        self.stage = LeadStage::Retrying;
        // Attempts are counted across LEADs: what nobody could do so often is asked for less and less often.
        let doublings = if atomic { (self.ballot.epoch / BACK_OFF).min(MOST_DOUBLINGS) } else { 0 };
        let wait = Duration::from_micros(config.retry.as_micros() << doublings);
        at.craft.wait(cx, Timer::Lead(at.known.first()), wait);
        (After::nothing(), Auction::Open)
    }

    /// `robot` has won some of the group in this attempt already.
    fn has_won(&self, known: &Known, robot: RobotId) -> bool {
        let won = |(index, slot): (usize, &Slot)| !self.covers(index) && slot.is_held_by(robot, self.ballot);
        known.slots().iter().enumerate().any(won)
    }

    /// The tasks that are not auctioned, with the vehicles, times and headings that a plan has to fit (W13).
    fn frozen(&self, known: &Known) -> Vec<(usize, Holder)> {
        let other = |(index, slot): &(usize, &Slot)| {
            !self.covers(*index) && (self.leeway < Leeway::Done || slot.done.is_none())
        };
        let others = known.slots().iter().enumerate().filter(other);
        others.filter_map(|(index, slot)| slot.holder.map(|holder| (index, holder))).collect()
    }
}
