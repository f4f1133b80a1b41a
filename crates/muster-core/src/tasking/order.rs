//! What a node knows of one order and is to it, and which of its roles a message is for.
//!
//! `desk.rs` says what each role may touch. What goes beyond one role is in the files that have an `impl OrderState`:
//! `succession.rs` has how roles begin, end and lead to each other, `hearing.rs` messages that concern several of them,
//! `timers.rs` deadlines, `admission.rs` what an attempt that counts more does to all of them, `tombstone.rs` what the end
//! of the order does.

use std::sync::Arc;

use super::after::After;
use super::answers::Answers;
use super::bidder::Bidder;
use super::candidate::Candidate;
use super::craft::Craft;
use super::desk::Desk;
use super::group::{Group, Phases};
use super::holder::{Assigned, release};
use super::kept::{Kept, Remembered};
use super::known::{Grant, Known, Slot};
use super::lead::Lead;
use super::message::Tender;
use super::peer::{Peer, PeerStage};
use super::user::User;
use super::{Ballot, Context, Deed, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::Time;

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
    /// The attempt in which this node has answered what it was assigned, and when it did last.
    pub(super) answered: Option<(Ballot, Time)>,
    pub(super) forgotten: bool,
    remembered: Remembered,
}

/// For tests, and for those that show a node.
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
            craft.knows(cx, deed, false);
        }
        let first = order.first();
        if order.is_settled() {
            cx.set_timer(Timer::Forget(first), cx.now() + craft.config.tombstone);
        } else if let Some(expires) = order.group().brief.expires {
            cx.set_timer(Timer::Expiry(first), expires.max(cx.now()));
        }
        let refrained = |index: usize| order.known.slot(index).refrained.is_some();
        for index in order.known.those(order.known.open(), refrained).iter() {
            order.assigned(craft).release_later(cx, index);
        }
        order.watch_on(craft, cx);
        // Others may have heard its reports until it went down, and take it to be on its way.
        let (me, relays) = (cx.me(), craft.config.fixes.relays);
        let held = |index: usize| order.known.slot(index).holder.is_some_and(|holder| holder.robot == me);
        let held =
            order.known.those(order.known.open(), |index| relays && held(index) && !order.known.is_sealed(index));
        order.disown(craft, cx, held);
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
            answered: None,
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
        self.answered = None;
        self.forgotten = false;
        self.remembered = Remembered::default();
    }
}

/// Messages, each handed to the role that it is for.
///
/// `admission::screen` has seen to it that a message speaks of tasks that there are, a LEAD of its own attempt and a
/// holder of itself. A message may come when the role that it is for is over, such as a bid for an auction that is closed
/// or a second acknowledgement: that is ordinary, and nothing follows from it.
impl OrderState {
    pub(super) fn on_message(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        (from, to): (RobotId, Recipient),
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
                    lead.on_bid(desk, cx, from, Tender { costs: costs.clone(), turnaround: None });
                }
                After::nothing()
            }
            Message::BidForSeveral { ballot, costs, turnaround, .. } => {
                if let Some(lead) = self.lead.as_mut().filter(|lead| lead.ballot == *ballot) {
                    lead.on_bid(desk, cx, from, Tender { costs: costs.clone(), turnaround: Some(turnaround.clone()) });
                }
                After::nothing()
            }
            Message::BidAck { ballot, .. } => {
                if let Some(bidder) = self.bidder.as_mut().filter(|bidder| bidder.ballot == *ballot) {
                    bidder.on_bid_ack(desk, cx);
                }
                After::nothing()
            }
            Message::Assignment { ballot, plan, t0, .. } => {
                let is_told = !matches!(to, Recipient::Named(other) if other != cx.me());
                self.on_assignment(craft, cx, *ballot, plan, *t0, is_told)
            }
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
            Message::Challenge { phases, double, .. } => self.on_challenge(craft, cx, from, *phases, *double),
            Message::Claim { phases, epoch, .. } => self.on_claim(craft, cx, from, *phases, *epoch),
            Message::PerceivedWinner { phases, epoch, winner, .. } => {
                self.on_perceived_winner(craft, cx, from, (*phases, *epoch, *winner))
            }
            Message::Completion { index, .. } => self.on_completion(craft, cx, usize::from(*index)),
            Message::Release { ballot, life, index, .. } => {
                let back = Grant { robot: from, life: *life, ballot: *ballot };
                self.on_release(craft, cx, usize::from(*index), back)
            }
            Message::ReleaseRelay { index, grant, .. } => self.on_release(craft, cx, usize::from(*index), *grant),
            Message::Grant { ballot, life, index, .. } => {
                let index = usize::from(*index);
                let task = self.known.task(index);
                // A grant is for one life of this vehicle.
                if *life == craft.life {
                    craft.queue.is_granted(task, *ballot, from);
                }
                if craft.queue.holds(task).is_none() {
                    // What asked for it was overtaken by the Release that took it back: without another one the grant would
                    // keep the task from being done for ever.
                    release(Desk { known: &self.known, craft }, cx, Phases::only(index));
                }
                After::nothing()
            }
            Message::Refuse { ballot, index, costs, turnaround, .. } => {
                let tender = Tender { costs: costs.clone(), turnaround: turnaround.clone() };
                self.on_refuse(craft, cx, from, (*ballot, *index), tender)
            }
            Message::Cancel { .. } => match self.is_settled() {
                true => After::nothing(),
                false => match self.end_if_broken(craft, cx) {
                    Some(after) => after,
                    None => self.call_off(craft, cx, Step::Cancelled),
                },
            },
            Message::Done { .. } => unreachable!("Done is about no one order, and not handed to any"),
        }
    }

    pub(super) fn assigned<'a>(&'a mut self, craft: &'a mut Craft) -> Assigned<'a> {
        Assigned { known: &mut self.known, craft }
    }
}
