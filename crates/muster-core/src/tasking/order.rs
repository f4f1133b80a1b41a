//! What a node knows of an order: its tasks one by one, its own roles in it, and how it tells news from stale talk.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bidder::Bidder;
use super::craft::Craft;
use super::group::{Group, Phases};
use super::lead::Lead;
use super::peer::Peer;
use super::user::User;
use super::{About, Ballot, Context, Deed, Holder, Message, Step, Timer};
use crate::event::{Drop, Event};
use crate::robot::RobotId;
use crate::task::{Delivery, TaskId};
use crate::time::{Duration, Time};

/// What a node knows of one task of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The attempt that counts most of those heard of.
    pub ballot: Ballot,
    /// Who does it in that attempt; `None`: it is being auctioned, or nobody has begun.
    pub holder: Option<Holder>,
    /// When it was last heard that somebody sees to it.
    pub heard: Time,
    /// That was heard over the air, not merely hoped for.
    pub informed: bool,
    /// How long the holder may stay silent, if it said so.
    pub patience: Duration,
    /// This node is a PEER of it.
    pub watched: bool,
    /// It is done.
    pub done: Option<Deed>,
    /// Others have done it, too.
    pub again: Vec<RobotId>,
    /// Who has been leading it, and since when nothing came of that.
    pub led: Option<(RobotId, Time)>,
    /// A LEAD that brought nothing about: it is neither elected nor listened to before then.
    pub passed_over: Option<(RobotId, Time)>,
    /// This node has promised not to let an attempt below this epoch do it. At most once only.
    pub promised: u32,
    /// This node has let a vehicle do it, or was let. At most once only.
    pub granted: Option<Grant>,
    /// This node was let do it and did not. At most once only.
    pub refrained: Option<Grant>,
}

/// Leave to do a task that must not be done twice. It is for one life of one vehicle: one that has restarted may have
/// done it and does not know.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Whose.
    pub robot: RobotId,
    /// In which life.
    pub life: u32,
    /// In which attempt: a release of an earlier one means nothing.
    pub ballot: Ballot,
}

impl Grant {
    /// It is for this life of this vehicle.
    pub fn is_for(&self, robot: RobotId, life: u32) -> bool {
        (self.robot, self.life) == (robot, life)
    }
}

impl Slot {
    fn new(now: Time) -> Self {
        Self {
            ballot: Ballot::default(),
            holder: None,
            heard: now,
            informed: false,
            patience: Duration::ZERO,
            watched: false,
            done: None,
            again: Vec::new(),
            led: None,
            passed_over: None,
            promised: 0,
            granted: None,
            refrained: None,
        }
    }
}

/// What of an order survives a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    group: Arc<Group>,
    cancelled: bool,
    slots: Vec<KeptSlot>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct KeptSlot {
    ballot: Ballot,
    holder: Option<Holder>,
    done: Option<Deed>,
    promised: u32,
    granted: Option<Grant>,
    refrained: Option<Grant>,
}

impl KeptSlot {
    fn of(slot: &Slot) -> Self {
        let Slot { ballot, holder, done, promised, granted, refrained, .. } = *slot;
        Self { ballot, holder, done, promised, granted, refrained }
    }
}

impl Kept {
    pub(super) fn first(&self) -> TaskId {
        self.group.first()
    }
}

/// What a node knows of an order, and what it is to it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderState {
    pub(super) group: Arc<Group>,
    pub(super) slots: Vec<Slot>,
    /// No longer to be done.
    pub(super) cancelled: bool,
    pub(super) user: Option<User>,
    /// It has claimed the lead from the USER, or is about to.
    pub(super) candidate: Option<Candidate>,
    pub(super) lead: Option<Box<Lead>>,
    pub(super) bidder: Option<Box<Bidder>>,
    pub(super) peer: Peer,
    /// The attempt that this node has committed everybody to: Accepts that come late are still acknowledged.
    pub(super) committed: Option<Ballot>,
    /// When times began to count in the last plan: later plans keep to its rhythm.
    pub(super) t0: Option<Time>,
    /// The highest epoch of an election.
    pub(super) epoch: u32,
    /// Tasks about which this node will answer, when it is its turn.
    pub(super) answers: Phases,
    /// It will answer that there is a newer version, or none.
    pub(super) corrects: bool,
    /// How often Done or Cancel will be said again at once.
    pub(super) repeats: u8,
    /// When this node last reported on its own account in answer to something.
    pub(super) replied: Option<Time>,
    /// When it last challenged a double assignment.
    pub(super) challenged: Option<Time>,
    pub(super) forgotten: bool,
    /// What of it was last remembered.
    remembered: Remembered,
}

/// Shared with the memories that it is part of: most changes are to one order, and remembering the others costs no more
/// than a look at them. No part of what a node is, so it makes no difference when two are compared.
#[derive(Clone, Debug, Default)]
struct Remembered(Option<Arc<Kept>>);

impl PartialEq for Remembered {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Where a vehicle is that wants to lead.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// About to claim.
    Waiting,
    /// Has claimed.
    Claimed,
}

/// How what was said compares with what is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It counts at least as much.
    Current,
    /// Something is known that counts more.
    Stale,
    /// The task is done, or not to be done.
    Over,
    /// It comes from a LEAD that has brought nothing about (W9).
    Vain,
}

impl OrderState {
    pub(super) fn new(group: Arc<Group>, now: Time) -> Self {
        let slots = vec![Slot::new(now); group.len()];
        Self {
            group,
            slots,
            cancelled: false,
            user: None,
            candidate: None,
            lead: None,
            bidder: None,
            peer: Peer::Monitoring,
            committed: None,
            t0: None,
            epoch: 0,
            answers: Phases::NONE,
            corrects: false,
            repeats: 0,
            replied: None,
            challenged: None,
            forgotten: false,
            remembered: Remembered::default(),
        }
    }

    /// As it was before a restart. What this node held or led is lost with its body's motion: it is a PEER now.
    pub(super) fn restored(kept: &Kept, now: Time) -> Self {
        let mut entry = Self::new(kept.group.clone(), now);
        entry.cancelled = kept.cancelled;
        for (slot, kept) in entry.slots.iter_mut().zip(&kept.slots) {
            let KeptSlot { ballot, holder, done, promised, granted, refrained } = *kept;
            *slot = Slot { ballot, holder, done, promised, granted, refrained, watched: true, ..Slot::new(now) };
        }
        entry.epoch = entry.slots.iter().map(|slot| slot.ballot.epoch).max().unwrap_or(0);
        entry
    }

    /// Sets the deadlines that it had before a restart, and goes on telling what is done.
    pub(super) fn resume(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        for deed in self.deeds() {
            craft.knows(cx, deed);
        }
        if self.is_settled() {
            cx.set_timer(Timer::Forget(self.first()), cx.now() + craft.config.tombstone);
        } else if let Some(expires) = self.group.brief.expires {
            cx.set_timer(Timer::Expiry(self.first()), expires.max(cx.now()));
        }
        self.watch_on(craft, cx);
    }

    /// What of it survives a restart, as it is now.
    pub(super) fn kept(&mut self) -> Arc<Kept> {
        if let Some(kept) = self.remembered.0.as_ref().filter(|kept| self.is_as_in(kept)) {
            return kept.clone();
        }
        let slots = self.slots.iter().map(KeptSlot::of).collect();
        let kept = Arc::new(Kept { group: self.group.clone(), cancelled: self.cancelled, slots });
        self.remembered.0 = Some(kept.clone());
        kept
    }

    fn is_as_in(&self, kept: &Kept) -> bool {
        Arc::ptr_eq(&self.group, &kept.group)
            && self.cancelled == kept.cancelled
            && self.slots.iter().map(KeptSlot::of).eq(kept.slots.iter().copied())
    }

    /// What of it is done.
    pub fn deeds(&self) -> impl Iterator<Item = Deed> {
        self.slots.iter().filter_map(|slot| slot.done)
    }

    /// The order.
    pub fn group(&self) -> &Arc<Group> {
        &self.group
    }

    /// Its tasks.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The lead that this node has, if it has it.
    pub fn lead(&self) -> Option<&Lead> {
        self.lead.as_deref()
    }

    /// The bid that this node has made, if it waits for what comes of it.
    pub fn bidder(&self) -> Option<&Bidder> {
        self.bidder.as_deref()
    }

    /// What this node does as the USER of it, if it is.
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    /// Where it is as a PEER.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// When times began to count in the last plan.
    pub fn t0(&self) -> Option<Time> {
        self.t0
    }

    /// It is no longer to be done.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// This task of it is done or no longer to be done.
    pub fn is_over(&self, index: usize) -> bool {
        self.cancelled || self.slots[index].done.is_some()
    }

    /// Everything in it is over.
    pub fn is_settled(&self) -> bool {
        self.cancelled || self.slots.iter().all(|slot| slot.done.is_some())
    }

    pub(super) fn first(&self) -> TaskId {
        self.group.first()
    }

    /// Its tasks that are still to be done.
    pub(super) fn open(&self) -> Phases {
        let open = |index: &usize| !self.is_over(*index);
        Phases((0..self.slots.len()).filter(open).map(|index| 1 << index).sum())
    }

    pub(super) fn at_most_once(&self) -> bool {
        self.group.brief.delivery == Delivery::AtMostOnce
    }

    pub(super) fn note(&self, cx: &mut Context<'_>, index: usize, step: Step) {
        let task = self.group.task(index);
        cx.note(|| Event::Tasking { task, step });
    }

    pub(super) fn note_all(&self, cx: &mut Context<'_>, phases: Phases, step: Step) {
        for index in phases.iter().filter(|index| *index < self.slots.len()) {
            self.note(cx, index, step);
        }
    }

    /// What a message says it is about: with the whole order where the paper says so, or everywhere (F1).
    pub(super) fn about(&self, craft: &Craft, whole: bool) -> About {
        let group = (whole || craft.config.fixes.aware).then(|| self.group.clone());
        About { first: self.first(), version: self.group.version, group }
    }

    /// It is new to this node.
    pub(super) fn met(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        craft.changed = true;
        if let Some(expires) = self.group.brief.expires {
            cx.set_timer(Timer::Expiry(self.first()), expires);
        }
        if craft.config.fixes.aware {
            self.watch(craft, cx, Phases::first(self.slots.len()));
        }
    }

    /// A message about it may be listened to. An older version is answered, a newer one taken over.
    pub(super) fn admits(&mut self, craft: &mut Craft, cx: &mut Context<'_>, message: &Message) -> Result<(), Drop> {
        let Some(about) = message.about() else { return Err(Drop::Absurd) };
        if let Some(group) = &about.group {
            if group.user != self.group.user || group.len() != self.group.len() {
                return Err(Drop::Foreign);
            }
            // One that was called off, or expired, may have been asked for anew where this node did not hear it.
            if group.version > self.group.version && (self.cancelled || !self.is_settled()) {
                self.renew(craft, cx, group.clone());
            } else if group.version == self.group.version && group.is_decomposed() && !self.group.is_decomposed() {
                self.group = group.clone();
                craft.changed = true;
            }
        }
        if self.cancelled || about.version < self.group.version {
            match message {
                // Somebody else has said so: that is enough.
                Message::Cancel { .. } if self.cancelled => self.corrects = false,
                _ => self.correct(craft, cx),
            }
            return Err(Drop::Late);
        }
        if about.version > self.group.version {
            return Err(Drop::Foreign);
        }
        if let Message::Bid { ballot, costs, .. } = message
            && let Some(lead) = self.lead.as_ref().filter(|lead| lead.ballot == *ballot)
            && !lead.can_use(costs, &craft.config.grid)
        {
            return Err(Drop::Absurd);
        }
        Ok(())
    }

    /// The order has changed: whatever was agreed on the older version is void.
    pub(super) fn renew(&mut self, craft: &mut Craft, cx: &mut Context<'_>, group: Arc<Group>) {
        let (old, new) = (&self.group.brief, &group.brief);
        if (old.task, old.kind) == (new.task, new.kind) && !self.cancelled {
            return self.amend(craft, cx, group);
        }
        for index in 0..self.slots.len() {
            craft.let_go(cx, self.group.task(index));
        }
        self.take_timers_back(cx);
        let before = std::mem::replace(self, Self::new(group, cx.now()));
        self.epoch = before.epoch;
        // What is done stays done: a change is about what is still to be. Leave that was given is still out, too.
        for (slot, old) in self.slots.iter_mut().zip(before.slots) {
            let Slot { ballot, done, again, promised, granted, refrained, .. } = old;
            *slot = Slot { ballot, done, again, promised, granted, refrained, ..Slot::new(cx.now()) };
        }
        self.met(craft, cx);
        for index in self.open().iter() {
            self.give_grant_back(craft, cx, index);
        }
        if self.is_settled() {
            self.settled(craft, cx);
        }
    }

    /// Only how urgent it is has changed, or until when: whatever was agreed on stands.
    fn amend(&mut self, craft: &mut Craft, cx: &mut Context<'_>, group: Arc<Group>) {
        self.group = if group.is_decomposed() {
            group
        } else {
            let Group { user, brief, version, .. } = *group;
            Arc::new(Group { user, brief, version, ..(*self.group).clone() })
        };
        craft.changed = true;
        craft.reprioritise(&self.group);
        match self.group.brief.expires {
            Some(expires) => cx.set_timer(Timer::Expiry(self.first()), expires),
            None => cx.cancel_timer(Timer::Expiry(self.first())),
        }
    }

    /// Takes back all deadlines.
    fn take_timers_back(&mut self, cx: &mut Context<'_>) {
        let first = self.first();
        for timer in [
            Timer::User(first),
            Timer::Candidate(first),
            Timer::Lead(first),
            Timer::LeadStatus(first),
            Timer::Bidder(first),
            Timer::Peer(first),
            Timer::Answer(first),
            Timer::Again(first),
            Timer::Expiry(first),
            Timer::Forget(first),
        ] {
            cx.cancel_timer(timer);
        }
    }

    /// Compares an attempt at one task with what is known of it, takes it over if it counts more, and yields to it.
    /// `age`: how long ago it was so.
    pub(super) fn hear(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        ballot: Ballot,
        holder: Option<Holder>,
        age: Duration,
    ) -> Standing {
        if self.is_over(index) {
            return Standing::Over;
        }
        let ordered = craft.config.fixes.ordered;
        let now = cx.now();
        let slot = &mut self.slots[index];
        // It may be deaf, and raise its epoch for ever: nobody would get anything done if it were yielded to.
        if holder.is_none() && slot.passed_over.is_some_and(|(lead, until)| lead == ballot.by() && now < until) {
            return Standing::Vain;
        }
        if ordered && ballot < slot.ballot {
            return Standing::Stale;
        }
        let heard = Time::from_micros(cx.now().as_micros().saturating_sub(age.as_micros()));
        if ballot != slot.ballot || holder.is_some() != slot.holder.is_some() {
            slot.patience = Duration::ZERO;
        }
        // Within one attempt it goes from the LEAD to the holder, never back: who has heard less says less.
        let holder = holder.or(if ballot == slot.ballot { slot.holder } else { None });
        (slot.ballot, slot.holder) = (ballot, holder);
        // A LEAD that has brought nothing about for too long may say what it likes (W9).
        let in_vain = |(lead, since): (RobotId, Time)| lead == ballot.by() && heard.since(since) >= craft.config.lead;
        // As drawn, only a Status resets the timer of a PEER.
        let credible = holder.is_some() || (craft.config.fixes.lead_speaks && !slot.led.is_some_and(in_vain));
        if credible {
            slot.heard = slot.heard.max(heard);
            slot.informed = true;
        }
        match holder {
            Some(_) => slot.led = None,
            None => match slot.led {
                Some((lead, _)) if lead == ballot.by() => {}
                _ => slot.led = Some((ballot.by(), heard)),
            },
        }
        self.epoch = self.epoch.max(ballot.epoch);
        self.candidate = None;
        self.answers = self.answers.without(Phases::only(index));
        if ordered {
            self.yield_to(craft, cx, index, ballot);
        }
        if credible {
            self.reassured(craft, cx, index);
        }
        Standing::Current
    }

    /// F3: whatever this node has to do with a lower attempt at this task is over.
    fn yield_to(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, ballot: Ballot) {
        let task = self.group.task(index);
        if craft.holds(task).is_some_and(|held| held.ballot < ballot) {
            self.note(cx, index, Step::Yielded { to: ballot });
            craft.let_go(cx, task);
            self.give_grant_back(craft, cx, index);
            self.watch(craft, cx, Phases::only(index));
        }
        if self.lead.as_ref().is_some_and(|lead| lead.ballot < ballot && lead.covers(index)) {
            self.note(cx, index, Step::Yielded { to: ballot });
            self.lead_without(craft, cx, Phases::only(index));
        }
        if self.bidder.as_ref().is_some_and(|bidder| bidder.ballot < ballot && bidder.phases.has(index)) {
            self.bidder = None;
            cx.cancel_timer(Timer::Bidder(self.first()));
        }
    }

    /// Without F1, a node that has no role in an order forgets it.
    pub(super) fn forget_if_idle(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let idle = self.user.is_none()
            && self.candidate.is_none()
            && self.lead.is_none()
            && self.bidder.is_none()
            && self.slots.iter().all(|slot| !slot.watched)
            && (0..self.slots.len()).all(|index| craft.holds(self.group.task(index)).is_none());
        if idle && !craft.config.fixes.aware {
            cx.cancel_timer(Timer::Peer(self.first()));
            self.forgotten = true;
            craft.sweep = true;
        }
    }

    /// It has been remembered for long enough.
    pub(super) fn forget(&mut self, craft: &mut Craft) {
        if self.is_settled() {
            self.forgotten = true;
            (craft.sweep, craft.changed) = (true, true);
        }
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.forgotten
    }

    /// Hands a message to the role that it is for.
    pub(super) fn on_message(&mut self, craft: &mut Craft, cx: &mut Context<'_>, from: RobotId, message: &Message) {
        let index_of = |index: u8| Some(usize::from(index)).filter(|index| *index < self.slots.len());
        match message {
            Message::Task { .. } => self.on_task(craft, cx),
            Message::ClaimLead { .. } => self.on_claim_lead(craft, cx, from),
            Message::AckLead { lead, epoch, .. } => self.on_ack_lead(craft, cx, *lead, *epoch),
            Message::Solicitation { ballot, phases, t0, closes, .. } => {
                self.on_solicitation(craft, cx, from, *ballot, *phases, *t0, *closes);
            }
            Message::Bid { ballot, costs, .. } => self.on_bid(craft, cx, from, *ballot, costs),
            Message::BidAck { ballot, .. } => self.on_bid_ack(craft, cx, *ballot),
            Message::Assignment { ballot, plan, t0, .. } => self.on_assignment(craft, cx, from, *ballot, plan, *t0),
            Message::Accept { ballot, index, .. } => self.on_accept(craft, cx, from, *ballot, *index),
            Message::AcceptAck { ballot, index, .. } => self.on_accept_ack(craft, cx, *ballot, *index),
            Message::Status { ballot, index, holder, patience, number, asks, .. } => {
                craft.link.count(from, *number);
                if let Some(index) = index_of(*index) {
                    self.on_status(craft, cx, from, (*ballot, index, *holder), *patience, *asks);
                }
            }
            Message::LeadStatus { ballot, phases, number, .. } => {
                craft.link.count(from, *number);
                self.on_lead_status(craft, cx, *ballot, *phases);
            }
            Message::StatusRelay { index, ballot, holder, age, .. } => {
                if let Some(index) = index_of(*index) {
                    self.on_relay(craft, cx, index, *ballot, *holder, *age);
                }
            }
            Message::Challenge { phases, .. } => self.on_challenge(craft, cx, *phases),
            Message::Claim { phases, epoch, .. } => self.on_claim(craft, cx, from, *phases, *epoch),
            Message::PerceivedWinner { phases, epoch, winner, .. } => {
                self.on_perceived_winner(craft, cx, from, *phases, *epoch, *winner);
            }
            Message::Completion { index, .. } => {
                if let Some(index) = index_of(*index) {
                    self.on_completion(craft, cx, index);
                }
            }
            Message::Release { ballot, life, index, .. } => {
                if let Some(index) = index_of(*index) {
                    self.on_release(craft, cx, index, Grant { robot: from, life: *life, ballot: *ballot });
                }
            }
            Message::Grant { ballot, life, index, .. } => {
                craft.on_grant(from, self.group.task(usize::from(*index)), *ballot, *life);
            }
            Message::Cancel { .. } => {
                if !self.is_settled() {
                    self.call_off(craft, cx, Step::Cancelled);
                }
            }
            Message::Done { .. } => {}
        }
    }
}
