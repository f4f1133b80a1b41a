//! What a node knows of one order and is to it, and who of its roles an input is for.
//!
//! `desk.rs` says what each role may touch. What goes beyond one role is here: how roles begin, end and follow on each
//! other. `admission.rs` has what an attempt that counts more does to all of them, `tombstone.rs` what the end of the
//! order does.

use std::sync::Arc;

use super::after::After;
use super::answers::Answers;
use super::bidder::{self, Bidder, Won};
use super::candidate::Candidate;
use super::craft::{Craft, MOST_PATIENCE};
use super::desk::{Desk, Watch};
use super::election::Election;
use super::group::{Group, Phases};
use super::holder::{Assigned, Due, Hold, release};
use super::kept::{Kept, Remembered};
use super::known::{Grant, Known, Slot};
use super::lead::{Auction, Lead, Left};
use super::peer::{Peer, PeerStage, is_informed};
use super::user::User;
use super::{Ballot, Context, Deed, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// What a node knows of an order, and its roles in it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderState {
    pub(super) known: Known,
    pub(super) user: Option<User>,
    /// It has claimed the lead from the USER, or is about to.
    pub(super) candidate: Option<Candidate>,
    pub(super) lead: Option<Box<Lead>>,
    pub(super) bidder: Option<Box<Bidder>>,
    pub(super) peer: Peer,
    pub(super) answers: Answers,
    forgotten: bool,
    remembered: Remembered,
}

/// For those who look on: tests, and whoever shows a node.
impl OrderState {
    /// The order.
    pub fn group(&self) -> &Arc<Group> {
        self.known.group()
    }

    /// What is known of each of its tasks.
    pub fn slots(&self) -> &[Slot] {
        self.known.slots()
    }

    /// The deeds by which tasks of it were done.
    pub fn deeds(&self) -> impl Iterator<Item = Deed> {
        self.known.slots().iter().filter_map(|slot| slot.done)
    }

    /// This node as the LEAD of it, or of some of its tasks.
    pub fn lead(&self) -> Option<&Lead> {
        self.lead.as_deref()
    }

    /// This node as a BIDDER, if it waits for what comes of its bid.
    pub fn bidder(&self) -> Option<&Bidder> {
        self.bidder.as_deref()
    }

    /// This node as the USER that asks for it, until somebody sees to it.
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    /// What this node waits for as a PEER.
    pub fn peer(&self) -> &PeerStage {
        self.peer.stage()
    }

    /// It is no longer to be done.
    pub fn is_cancelled(&self) -> bool {
        self.known.is_cancelled()
    }

    /// This task of it is done or no longer to be done.
    pub fn is_over(&self, index: usize) -> bool {
        self.known.is_over(index)
    }

    /// Every task of it is over.
    pub fn is_settled(&self) -> bool {
        self.known.is_settled()
    }
}

/// Beginnings and ends.
impl OrderState {
    pub(super) fn new(group: Arc<Group>, now: Time) -> Self {
        Self::of(Known::new(group, now))
    }

    /// As it was before a restart, with the deadlines that it had; goes on telling what is done.
    pub(super) fn restored(kept: &Kept, craft: &mut Craft, cx: &mut Context<'_>) -> Self {
        let mut order = Self::of(kept.restored(cx.now()));
        for deed in order.deeds() {
            craft.knows(cx, deed);
        }
        let first = order.first();
        if order.is_settled() {
            cx.set_timer(Timer::Forget(first), cx.now() + craft.config.tombstone);
        } else if let Some(expires) = order.group().brief.expires {
            cx.set_timer(Timer::Expiry(first), expires.max(cx.now()));
        }
        order.watch_on(craft, cx);
        order
    }

    fn of(known: Known) -> Self {
        Self {
            known,
            user: None,
            candidate: None,
            lead: None,
            bidder: None,
            peer: Peer::new(),
            answers: Answers::default(),
            forgotten: false,
            remembered: Remembered::default(),
        }
    }

    /// What of it survives a restart, as it is now.
    pub(super) fn kept(&mut self) -> Arc<Kept> {
        self.remembered.of(&self.known)
    }

    pub(super) fn first(&self) -> TaskId {
        self.known.first()
    }

    /// The highest epoch heard of.
    pub(super) fn epoch(&self) -> u32 {
        self.known.epoch()
    }

    /// It is new to this node.
    pub(super) fn met(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        let mut after = After::remember();
        if let Some(expires) = self.group().brief.expires {
            cx.set_timer(Timer::Expiry(self.first()), expires);
        }
        if craft.config.fixes.aware {
            after |= self.watch(craft, cx, self.known.all());
        }
        after
    }

    /// Without F1, a node that has no role in an order forgets it.
    pub(super) fn forget_if_idle(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        let holds = |index: usize| craft.queue.holds(self.known.task(index)).is_some();
        let idle = self.user.is_none()
            && self.candidate.is_none()
            && self.lead.is_none()
            && self.bidder.is_none()
            && self.slots().iter().all(|slot| !slot.watched)
            && !(0..self.slots().len()).any(holds);
        if !idle || craft.config.fixes.aware {
            return After::nothing();
        }
        cx.cancel_timer(Timer::Peer(self.first()));
        self.forgotten = true;
        After::sweep()
    }

    /// It has been remembered for long enough.
    fn on_forget_timer(&mut self) -> After {
        if !self.is_settled() {
            return After::nothing();
        }
        self.forgotten = true;
        let mut after = After::remember();
        after |= After::sweep();
        after
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.forgotten
    }

    /// All roles end, and all deadlines are taken back: the order is another one now.
    pub(super) fn start_over(&mut self, cx: &mut Context<'_>) {
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
        self.user = None;
        self.candidate = None;
        self.lead = None;
        self.bidder = None;
        self.peer = Peer::new();
        self.answers = Answers::default();
        self.forgotten = false;
        self.remembered = Remembered::default();
    }
}

/// Inputs, each handed to the role that it is for.
///
/// A timer may outlast its role, and a message may come when the role that it is for is over: a bid for an auction that
/// is closed, a second acknowledgement. Both are ordinary, and nothing follows from them.
impl OrderState {
    pub(super) fn on_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, timer: Timer) -> After {
        let desk = Desk { known: &self.known, craft };
        match timer {
            Timer::User(_) => {
                if let Some(user) = &mut self.user {
                    user.on_timer(desk, cx);
                }
                After::nothing()
            }
            Timer::Candidate(_) => match self.candidate.take() {
                Some(candidate) => {
                    self.candidate = candidate.on_timer(desk, cx);
                    if self.candidate.is_none() { self.forget_if_idle(craft, cx) } else { After::nothing() }
                }
                None => After::nothing(),
            },
            Timer::Lead(_) => match self.lead.take() {
                Some(mut lead) => {
                    let (mut after, auction) = lead.on_timer(&mut self.assigned(craft), cx);
                    after |= self.lead_on(craft, cx, lead, auction);
                    after
                }
                None => After::nothing(),
            },
            Timer::LeadStatus(_) => {
                if let Some(lead) = &self.lead {
                    lead.on_status_timer(&mut Assigned { known: &mut self.known, craft }, cx);
                }
                After::nothing()
            }
            Timer::Bidder(_) => match self.bidder.take_if(|bidder| bidder.gives_up(desk, cx)) {
                // It forgets the task, or with F1 goes on as a PEER.
                Some(_) => self.forget_if_idle(craft, cx),
                None => After::nothing(),
            },
            Timer::Peer(_) => {
                let led = self.led();
                let mut at = Watch { known: &mut self.known, craft, led };
                let (mut after, election) = self.peer.on_timer(&mut at, cx);
                if let Some(election) = election {
                    after |= self.on_elected(craft, cx, &election);
                }
                after
            }
            Timer::Answer(_) => {
                self.answers.on_timer(desk, cx);
                After::nothing()
            }
            Timer::Again(_) => {
                self.answers.on_again_timer(desk, cx);
                After::nothing()
            }
            Timer::Status(task) | Timer::Announce(task) | Timer::Overdue(task) => {
                let index = self.group().index_of(task);
                match index.zip(craft.queue.holds(task)) {
                    Some((index, held)) => {
                        let due = Due::new(index, held);
                        self.on_timer_of_held(craft, cx, timer, index, due)
                    }
                    None => After::nothing(),
                }
            }
            Timer::Expiry(_) => self.on_expiry(craft, cx),
            Timer::Forget(_) => self.on_forget_timer(),
            // The node's own.
            Timer::Repeat | Timer::Silence => After::nothing(),
        }
    }

    pub(super) fn on_message(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        message: &Message,
    ) -> After {
        let desk = Desk { known: &self.known, craft };
        match message {
            Message::Task { .. } => self.on_task(craft, cx),
            Message::ClaimLead { .. } => {
                if let Some(user) = &mut self.user {
                    user.on_claim_lead(desk, cx, from);
                }
                After::nothing()
            }
            Message::AckLead { lead, epoch, .. } => self.on_ack_lead(craft, cx, *lead, *epoch),
            Message::Solicitation { ballot, phases, t0, closes, .. } => {
                self.on_solicitation(craft, cx, *ballot, *phases, *t0, *closes)
            }
            Message::Bid { ballot, costs, .. } => {
                if let Some(lead) = self.lead.as_mut().filter(|lead| lead.ballot == *ballot) {
                    lead.on_bid(desk, cx, from, costs);
                }
                After::nothing()
            }
            Message::BidAck { ballot, .. } => {
                if let Some(bidder) = self.bidder.as_mut().filter(|bidder| bidder.ballot == *ballot) {
                    bidder.on_bid_ack(desk, cx);
                }
                After::nothing()
            }
            Message::Assignment { ballot, plan, t0, .. } => self.on_assignment(craft, cx, *ballot, plan, *t0),
            Message::Accept { ballot, index, .. } => self.on_accept(craft, cx, from, *ballot, *index),
            Message::AcceptAck { ballot, index, .. } => self.on_accept_ack(craft, cx, *ballot, *index),
            Message::Status { ballot, index, holder, patience, number, asks, .. } => {
                craft.link.count(from, *number);
                self.on_status(craft, cx, (*ballot, usize::from(*index), *holder), *patience, *asks)
            }
            Message::LeadStatus { ballot, phases, number, .. } => {
                craft.link.count(from, *number);
                self.on_lead_status(craft, cx, *ballot, *phases)
            }
            Message::StatusRelay { index, ballot, holder, age, .. } => {
                self.on_relay(craft, cx, usize::from(*index), (*ballot, *holder), *age)
            }
            Message::Challenge { phases, .. } => self.on_challenge(craft, cx, *phases),
            Message::Claim { phases, epoch, .. } => self.on_claim(craft, cx, from, *phases, *epoch),
            Message::PerceivedWinner { phases, epoch, winner, .. } => {
                self.on_perceived_winner(craft, cx, from, (*phases, *epoch, *winner))
            }
            Message::Completion { index, .. } => self.on_completion(craft, cx, usize::from(*index)),
            Message::Release { ballot, life, index, .. } => {
                let back = Grant { robot: from, life: *life, ballot: *ballot };
                self.on_release(craft, cx, usize::from(*index), back)
            }
            Message::Grant { ballot, life, index, .. } => {
                // A grant is for one life of this vehicle.
                if *life == craft.life {
                    craft.queue.is_granted(self.known.task(usize::from(*index)), *ballot, from);
                }
                After::nothing()
            }
            Message::Cancel { .. } => match self.is_settled() {
                true => After::nothing(),
                false => self.call_off(craft, cx, Step::Cancelled),
            },
            // About several orders: the node's own.
            Message::Done { .. } => After::nothing(),
        }
    }

    pub(super) fn assigned<'a>(&'a mut self, craft: &'a mut Craft) -> Assigned<'a> {
        Assigned { known: &mut self.known, craft }
    }
}

/// USER, and the vehicle that wants to lead.
impl OrderState {
    /// Broadcasts the task, for the first time or again.
    pub(super) fn ask(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        let mut after = After::nothing();
        if self.user.is_none() {
            self.known.note(cx, 0, Step::Injected);
            after |= self.met(craft, cx);
        }
        self.user.get_or_insert_with(User::new).ask(Desk { known: &self.known, craft }, cx);
        after
    }

    /// "Got it": somebody sees to the task. The USER need not stay in touch from here on. [P §1]
    pub(super) fn user_is_done(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        if self.user.take().is_none() {
            return After::nothing();
        }
        cx.cancel_timer(Timer::User(self.first()));
        self.forget_if_idle(craft, cx)
    }

    /// A vehicle hears of a task: it claims the lead, or lets the USER know that somebody has it (W12).
    fn on_task(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if self.lead.is_some() {
            self.reply(craft, cx);
            return After::nothing();
        }
        let fixes = craft.config.fixes;
        let desk = Desk { known: &self.known, craft };
        let open = self.known.open();
        let over = self.known.all().without(open);
        if fixes.done && !over.is_empty() {
            self.answers.answer(desk, cx, over);
        }
        let seen_to = self.known.those(open, |index| is_informed(desk, cx.now(), index));
        if !seen_to.is_empty() {
            if fixes.relays {
                self.answers.answer(desk, cx, seen_to);
            }
            return After::nothing();
        }
        if open.is_empty() || craft.vehicle.console || self.known.apart(&craft.config).is_none() {
            return self.forget_if_idle(craft, cx);
        }
        self.candidate = Some(Candidate::new(desk, cx));
        After::nothing()
    }

    fn on_ack_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>, lead: RobotId, epoch: u32) -> After {
        if lead == cx.me() {
            let wanted = self.candidate.take() == Some(Candidate::Claimed) || craft.config.fixes.aware;
            let newer = self.slots().iter().all(|slot| slot.ballot.epoch < epoch);
            if wanted
                && self.lead.is_none()
                && newer
                && let Some(apart) = self.known.apart(&craft.config)
            {
                cx.cancel_timer(Timer::Candidate(self.first()));
                return self.take_lead(craft, cx, apart, self.known.open(), epoch);
            }
            return After::nothing();
        }
        // Overheard: somebody else has it.
        if self.candidate.take().is_some() {
            cx.cancel_timer(Timer::Candidate(self.first()));
        }
        for index in self.known.open().iter() {
            if self.known.slot(index).ballot.epoch < epoch {
                self.known.waits_anew(index, cx.now());
            }
        }
        self.forget_if_idle(craft, cx)
    }
}

/// LEAD.
impl OrderState {
    /// Becomes the LEAD of these tasks of the order, which is taken apart like this; whatever else it was to the order it
    /// is no longer.
    fn take_lead(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        apart: Arc<Group>,
        phases: Phases,
        epoch: u32,
    ) -> After {
        self.known.is_described_by(apart);
        let phases = phases.common(self.known.open());
        if phases.is_empty() {
            // They were done in the meantime.
            return After::nothing();
        }
        self.known.note_all(cx, phases, Step::Leads { epoch });
        if self.user.take().is_some() {
            cx.cancel_timer(Timer::User(self.first()));
        }
        self.peer.only_monitors();
        self.bidder = None;
        let mut lead = Box::new(Lead::new(Ballot::new(epoch, cx.me()), phases, cx.now()));
        let after = lead.solicit(&mut self.assigned(craft), cx);
        self.lead = Some(lead);
        after
    }

    /// The tasks that this node leads.
    pub(super) fn led(&self) -> Phases {
        self.lead.as_ref().map_or(Phases::NONE, |lead| lead.all())
    }

    /// Goes on with a lead, as far as there is something left to lead.
    fn lead_on(&mut self, craft: &mut Craft, cx: &mut Context<'_>, mut lead: Box<Lead>, auction: Auction) -> After {
        if auction == Auction::Open {
            self.lead = Some(lead);
            return After::nothing();
        }
        let phases = lead.phases;
        if lead.later.is_empty() {
            return self.lead_without(craft, cx, lead, phases);
        }
        let mut after = self.watch_besides(craft, cx, lead.all(), phases);
        lead.turn_to_next();
        after |= lead.next_attempt(&mut self.assigned(craft), cx);
        self.lead = Some(lead);
        after
    }

    /// Leads these tasks no longer; "the finished LEAD becomes a PEER".
    pub(super) fn lead_without(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        mut lead: Box<Lead>,
        phases: Phases,
    ) -> After {
        let were = lead.phases.common(phases);
        let mut after = After::nothing();
        match lead.is_rid_of(phases) {
            Left::Nothing => {
                cx.cancel_timer(Timer::Lead(self.first()));
                cx.cancel_timer(Timer::LeadStatus(self.first()));
            }
            Left::Others => {
                after |= lead.next_attempt(&mut self.assigned(craft), cx);
                self.lead = Some(lead);
            }
            Left::Same => self.lead = Some(lead),
        }
        after |= self.watch(craft, cx, were.common(self.known.open()));
        after
    }

    fn on_accept(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        index: u8,
    ) -> After {
        if let Some(mut lead) = self.lead.take_if(|lead| lead.ballot == ballot) {
            if let Some((mut after, auction)) = lead.on_accept(&mut self.assigned(craft), cx, from, index) {
                after |= self.lead_on(craft, cx, lead, auction);
                return after;
            }
            self.lead = Some(lead);
        }
        // The acknowledgement of an earlier Accept was lost.
        let slot = self.known.slot(usize::from(index));
        if self.known.committed() == Some(ballot) && slot.is_held_by(from, ballot) && slot.done.is_none() {
            let about = self.known.about(craft);
            craft.say(cx, Recipient::Only(from), Message::AcceptAck { about, ballot, index });
        }
        After::nothing()
    }
}

/// BIDDER.
impl OrderState {
    fn on_solicitation(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        phases: Phases,
        t0: Time,
        closes: Time,
    ) -> After {
        let phases = phases.common(self.known.all());
        if !self.group().is_decomposed() {
            // Nobody can say what tasks cost that are not described.
            return After::nothing();
        }
        let (mut after, mut current) = (After::nothing(), true);
        for index in phases.iter() {
            let (then, standing) = self.hear(craft, cx, index, (ballot, None), Duration::ZERO);
            after |= then;
            current &= standing.is_current();
        }
        if !current {
            return after;
        }
        after |= self.user_is_done(craft, cx);
        let holds_one = phases.iter().any(|index| craft.queue.holds(self.known.task(index)).is_some());
        if craft.vehicle.console || holds_one || (self.lead.is_some() && !craft.config.fixes.ordered) {
            after |= self.forget_if_idle(craft, cx);
            return after;
        }
        let desk = Desk { known: &self.known, craft };
        match self.bidder.as_mut().filter(|bidder| bidder.ballot == ballot) {
            Some(bidder) => bidder.on_asked_again(desk, cx),
            None if closes <= cx.now() => {}
            None => self.bidder = Some(Box::new(Bidder::bid(desk, cx, ballot, phases, t0))),
        }
        after
    }

    fn on_assignment(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        plan: &[(u8, Holder)],
        t0: Time,
    ) -> After {
        if !self.group().is_decomposed() {
            // It cannot be meant for this node, which has not bid.
            return After::nothing();
        }
        let (mut after, mut current) = (After::nothing(), true);
        for (index, holder) in plan {
            let (then, standing) = self.hear(craft, cx, usize::from(*index), (ballot, Some(*holder)), Duration::ZERO);
            after |= then;
            current &= standing.is_current();
        }
        if !current {
            return after;
        }
        after |= self.user_is_done(craft, cx);
        self.known.counts_from(t0);
        for (index, holder) in plan.iter().copied() {
            if holder.robot == cx.me() {
                self.on_own_assignment(craft, cx, ballot, Won { index, holder, t0 });
                continue;
            }
            // "Assignment not to us": PEER.
            let one = Phases::only(usize::from(index));
            after |= self.watch(craft, cx, one);
            if self.bidder.take_if(|bidder| bidder.phases == one).is_some() {
                cx.cancel_timer(Timer::Bidder(self.first()));
            }
        }
        after
    }

    /// This node has won a task: it accepts, if it can still make it.
    fn on_own_assignment(&mut self, craft: &Craft, cx: &mut Context<'_>, ballot: Ballot, won: Won) {
        let desk = Desk { known: &self.known, craft };
        let at = usize::from(won.index);
        if craft.queue.holds(self.known.task(at)).is_some_and(|held| held.ballot == ballot) {
            // It has accepted and been acknowledged: the LEAD has missed it.
            return bidder::say_accept(desk, cx, ballot, won.index);
        }
        if !craft.queue.can_make(cx, self.known.group(), at, won.holder, won.t0) {
            return;
        }
        let again = self.bidder.as_mut().is_some_and(|bidder| bidder.accepts_again(desk, cx, ballot, won.index));
        if !again {
            self.bidder = Some(Box::new(Bidder::accept(desk, cx, ballot, won)));
        }
    }

    /// "Queue Task": only now is it this node's to do. A winner whose Accept was lost must not have begun (W11).
    fn on_accept_ack(&mut self, craft: &mut Craft, cx: &mut Context<'_>, ballot: Ballot, index: u8) -> After {
        let bidder = self.bidder.as_ref().filter(|bidder| bidder.ballot == ballot);
        let Some(won) = bidder.and_then(|bidder| bidder.won(index)) else { return After::nothing() };
        self.bidder = None;
        cx.cancel_timer(Timer::Bidder(self.first()));
        // Another may have done it while the acknowledgement was under way.
        if self.is_over(usize::from(index)) {
            return After::nothing();
        }
        self.assigned(craft).hold(cx, ballot, won)
    }
}

/// ASSIGNED.
impl OrderState {
    fn on_timer_of_held(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        timer: Timer,
        index: usize,
        due: Due,
    ) -> After {
        match timer {
            Timer::Announce(_) => {
                let (mut after, hold) = self.assigned(craft).on_announce_timer(cx, due);
                if hold == Hold::Refrained {
                    after |= self.watch(craft, cx, Phases::only(index));
                }
                after
            }
            // It should have been done by now and was not.
            Timer::Overdue(task) => self.hand_back(craft, cx, task),
            _ => {
                self.assigned(craft).on_status_timer(cx, index);
                After::nothing()
            }
        }
    }

    /// This node cannot do a task after all: somebody else has to, so this node leads it.
    pub(super) fn hand_back(&mut self, craft: &mut Craft, cx: &mut Context<'_>, task: TaskId) -> After {
        let Some(index) = self.group().index_of(task) else { return After::nothing() };
        let mut after = craft.queue.let_go(cx, task);
        if self.is_over(index) {
            return after;
        }
        after |= self.assigned(craft).give_back(cx, index);
        self.known.note(cx, index, Step::HandedBack);
        let epoch = self.known.epoch().max(self.known.slot(index).ballot.epoch) + 1;
        let one = Phases::only(index);
        match self.known.apart(&craft.config).filter(|_| self.lead.is_none()) {
            Some(apart) => after |= self.take_lead(craft, cx, apart, one, epoch),
            None => after |= self.watch(craft, cx, one),
        }
        after
    }

    /// A vehicle that was granted a task has not used the grant, and says so.
    fn on_release(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize, back: Grant) -> After {
        let is_it = |given: Grant| given.is_for(back.robot, back.life) && given.ballot <= back.ballot;
        if !self.known.slot(index).granted.is_some_and(is_it) {
            return After::nothing();
        }
        self.known.is_released(index);
        self.watch_on(craft, cx);
        After::remember()
    }

    /// Speaks up for what it holds or leads.
    pub(super) fn reply(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if !self.answers.may_reply(&craft.config, cx.now()) {
            return;
        }
        let speaks = craft.config.fixes.lead_speaks;
        let mut at = Assigned { known: &mut self.known, craft };
        for index in at.known.all().iter() {
            at.report(cx, index, None);
        }
        if let Some(lead) = self.lead.as_ref().filter(|_| speaks) {
            lead.say_status(&mut at, cx);
        }
    }

    /// What was said in vain while nothing got through is said now, and nobody is blamed for what was not heard.
    pub(super) fn on_link_again(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.is_settled() {
            return;
        }
        for index in self.known.all().iter() {
            self.known.is_excused(index, cx.now());
            self.assigned(craft).report(cx, index, None);
        }
        self.watch_on(craft, cx);
    }
}

/// PEER.
impl OrderState {
    /// Becomes a PEER of these tasks.
    pub(super) fn watch(&mut self, craft: &Craft, cx: &mut Context<'_>, phases: Phases) -> After {
        self.watch_besides(craft, cx, self.led(), phases)
    }

    /// The same while it leads the tasks `led`.
    fn watch_besides(&mut self, craft: &Craft, cx: &mut Context<'_>, led: Phases, phases: Phases) -> After {
        // As drawn, PEERs are vehicles; with F1 a console is one, too: it may be the last to know of a task.
        if craft.vehicle.console && !craft.config.fixes.aware {
            return self.forget_if_idle(craft, cx);
        }
        self.peer.watch(&mut Watch { known: &mut self.known, craft, led }, cx, phases);
        After::nothing()
    }

    /// Sets the time at which something will not have been heard of for too long.
    fn watch_on(&mut self, craft: &Craft, cx: &mut Context<'_>) {
        let led = self.led();
        self.peer.watch_on(&Watch { known: &mut self.known, craft, led }, cx);
    }

    /// Somebody sees to task `index`.
    pub(super) fn reassured(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize) {
        let led = self.led();
        self.peer.reassured(&Watch { known: &mut self.known, craft, led }, cx, index);
    }

    /// An election is over: leads what it has to lead, or waits for the one that does.
    fn on_elected(&mut self, craft: &mut Craft, cx: &mut Context<'_>, election: &Election) -> After {
        let mine = election.conclude(Desk { known: &self.known, craft }, cx);
        let may_lead = !mine.is_empty() && self.lead.is_none();
        let mut after = After::nothing();
        match self.known.apart(&craft.config).filter(|_| may_lead) {
            Some(apart) => {
                let epoch = election.epoch.max(self.known.epoch());
                after |= self.take_lead(craft, cx, apart, mine, epoch);
            }
            None => {
                let led = self.led();
                self.peer.stand_back(&mut Watch { known: &mut self.known, craft, led }, cx, election.phases);
            }
        }
        self.watch_on(craft, cx);
        after
    }

    /// Another node asks about tasks, or votes on them: says what is known. Returns the tasks of which this node does not
    /// know better.
    fn enlighten(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> Phases {
        let fixes = craft.config.fixes;
        let phases = phases.common(self.known.all());
        let open = phases.common(self.known.open());
        let over = phases.without(open);
        if fixes.done && !over.is_empty() {
            self.answers.answer(Desk { known: &self.known, craft }, cx, over);
        }
        let held = self.known.those(open, |index| craft.queue.holds(self.known.task(index)).is_some());
        let led = self.led().common(open);
        if !held.is_empty() || !led.is_empty() {
            self.reply(craft, cx);
        }
        let desk = Desk { known: &self.known, craft };
        let others = open.without(held).without(led);
        let known = self.known.those(others, |index| is_informed(desk, cx.now(), index));
        if fixes.relays && !known.is_empty() {
            self.answers.answer(desk, cx, known);
        }
        let sealed = self.known.those(others, |index| self.known.is_sealed(index));
        others.without(known).without(sealed)
    }

    fn on_challenge(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> After {
        let unknown = self.enlighten(craft, cx, phases);
        let after = self.watch(craft, cx, phases.common(self.known.open()));
        let led = self.led();
        self.peer.on_challenge(&mut Watch { known: &mut self.known, craft, led }, cx, unknown);
        after
    }

    fn on_claim(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        phases: Phases,
        epoch: u32,
    ) -> After {
        release(Desk { known: &self.known, craft }, cx, phases);
        let unknown = self.unknown(craft, cx, phases);
        if unknown.is_empty() {
            return After::nothing();
        }
        let led = self.led();
        self.peer.on_claim(&mut Watch { known: &mut self.known, craft, led }, cx, from, unknown, epoch)
    }

    fn on_perceived_winner(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        (phases, epoch, winner): (Phases, u32, RobotId),
    ) -> After {
        let unknown = self.unknown(craft, cx, phases);
        if unknown.is_empty() {
            return After::nothing();
        }
        let led = self.led();
        let mut at = Watch { known: &mut self.known, craft, led };
        self.peer.on_perceived_winner(&mut at, cx, from, (unknown, epoch, winner))
    }

    /// The tasks that are voted on of which this node does not know better; as drawn it does not care.
    fn unknown(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> Phases {
        match craft.config.fixes.fair {
            true => self.enlighten(craft, cx, phases),
            false => phases.common(self.known.open()),
        }
    }

    fn on_status(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        (ballot, index, holder): (Ballot, usize, Holder),
        patience: Duration,
        asks: Option<u32>,
    ) -> After {
        let (now, from) = (cx.now(), holder.robot);
        let ordered = craft.config.fixes.ordered;
        let slot = self.known.slot(index);
        let other = slot.holder.is_some_and(|known| known.robot != from);
        let other = other && is_informed(Desk { known: &self.known, craft }, now, index);
        let double = !ordered && slot.watched && other;
        if !ordered && craft.queue.holds(self.known.task(index)).is_some() {
            return After::nothing();
        }
        let (mut after, standing) = self.hear(craft, cx, index, (ballot, Some(holder)), Duration::ZERO);
        if !standing.is_current() {
            return after;
        }
        self.known.may_be_silent(index, patience.min(MOST_PATIENCE));
        after |= self.user_is_done(craft, cx);
        after |= self.watch(craft, cx, Phases::only(index));
        if double {
            let led = self.led();
            self.peer.on_double_assignment(&Watch { known: &mut self.known, craft, led }, cx, index);
        }
        if let Some(life) = asks.filter(|_| self.known.at_most_once() && craft.may_grant(now)) {
            after |= self.on_asked(craft, cx, index, Grant { robot: from, life, ballot });
        }
        after
    }

    /// A vehicle asks to be granted a task that must not be done twice: one vehicle, in one life, is.
    fn on_asked(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize, wanted: Grant) -> After {
        let Grant { robot, life, ballot } = wanted;
        let slot = self.known.slot(index);
        if slot.granted.is_some_and(|grant| !grant.is_for(robot, life)) || slot.promised > ballot.epoch {
            return After::nothing();
        }
        let mut after = After::nothing();
        if slot.granted.is_none_or(|grant| grant.ballot < ballot) {
            self.known.is_granted(index, wanted);
            after |= After::remember();
        }
        let about = self.known.about(craft);
        craft.say(cx, Recipient::Only(robot), Message::Grant { about, ballot, life, index: index as u8 });
        after
    }

    fn on_lead_status(&mut self, craft: &mut Craft, cx: &mut Context<'_>, ballot: Ballot, phases: Phases) -> After {
        let mut after = After::nothing();
        for index in phases.common(self.known.all()).iter() {
            let (then, _) = self.hear(craft, cx, index, (ballot, None), Duration::ZERO);
            after |= then;
        }
        after |= self.user_is_done(craft, cx);
        after
    }

    fn on_relay(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        said: (Ballot, Option<Holder>),
        age: Duration,
    ) -> After {
        if age >= craft.patience(&self.known, index) {
            return After::nothing();
        }
        let (mut after, standing) = self.hear(craft, cx, index, said, age);
        if standing.is_current() {
            after |= self.user_is_done(craft, cx);
        }
        after
    }

    /// As drawn: it is about to be done, so it is forgotten.
    fn on_completion(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        if craft.config.fixes.done {
            return After::nothing();
        }
        self.known.is_completed(index);
        // Another vehicle that has it in its queue forgets it, too: all that saves a double assignment from being flown.
        let mut after = craft.queue.let_go(cx, self.known.task(index));
        self.reassured(craft, cx, index);
        after |= self.user_is_done(craft, cx);
        after |= self.forget_if_idle(craft, cx);
        after
    }
}
