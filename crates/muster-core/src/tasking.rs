//! The Collaborative Tasking Protocol: tightly timed tasks, auctioned with cost functions. [MacKenzie 2003]
//!
//! Read `docs/reproductions/tasking.md` and the paper's Figure 1 before editing. Every vehicle and every operator's
//! console runs this one machine; what it is to a task (USER, LEAD, BIDDER, ASSIGNED, PEER) is a role, and it has one
//! for each of many tasks at once. The paper's drawing, its text and their mended form ([`config::Variant`]) are one code
//! path: what differs is asked for by name ([`config::Fixes`]).
//!
//! Each role is a type with its own state, handed only what it may touch; `desk.rs` has the table of that.
//!
//! - `user`: an order becomes a Task; `candidate`: a vehicle claims to see to it.
//! - `lead`, and its folder: solicit, collect bids, assign (`planning` and `pose` ask the [`assigner`]), commit, or give up
//!   what nobody can keep.
//! - `bidder`: bid, accept; `turnaround`: what a bid says for several tasks.
//! - `holder`: report, ask for grants, give back; `turn`: cross the target only when it is a phase's turn.
//! - `peer`: watch, challenge; `election`: claim, exchange winners.
//! - `answers`: what is said because another node does not know it.
//! - `known`: what a node knows of an order; `kept`: what of that survives a restart; `admission`: what is let in, and
//!   how news and stale talk are told apart; `tombstone`: what is done or called off.
//! - `order`: which of the roles an input is for; `succession`: how one leads to another; `hearing`: messages that
//!   concern several; `timers`: what its deadlines lead to.
//! - `craft`: what a node is apart from any order; `queue`, and its folder: the tasks that its vehicle is to do, which of
//!   them go together, what others would cost, and where the body is sent; `tidings`: the deeds that it tells of; `link`:
//!   how well it hears; `supply`: how far the vehicle gets with what it has, and its base.
//! - `after`: what an order leaves to the node as a whole.
//! - `queries`: what others may ask a node; `panel`: what it shows of itself.

mod admission;
mod after;
mod answers;
pub mod assigner;
mod bidder;
mod candidate;
pub mod config;
pub mod corridor;
pub mod cost;
mod craft;
mod desk;
mod election;
pub mod group;
mod hearing;
mod holder;
mod kept;
mod known;
mod lead;
mod link;
pub mod message;
mod order;
mod panel;
mod peer;
mod planning;
mod pose;
mod queries;
mod queue;
pub mod sampling;
mod step;
mod succession;
mod supply;
mod telling;
mod tidings;
mod timers;
mod tombstone;
mod turn;
pub mod turnaround;
mod untaken;
mod user;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::event::{Drop, Event};
use crate::mechanism::{self, Mechanism, Recipient};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::robot::RobotId;
use crate::task::{Order, Percept, TaskId};
use crate::time::Time;

use after::After;
pub use bidder::{Bidder, BidderStage};
pub use config::{Config, Fixes, Variant, Vehicle};
use craft::Craft;
use group::Group;
use kept::Kept;
pub use known::Grant;
pub use lead::{Lead, LeadStage, Leeway, Notice};
pub use link::Link;
pub use message::{About, Deed, Holder, Message};
pub use order::OrderState;
pub use peer::PeerStage;
pub use queries::Wait;
pub use queue::Held;
pub use step::{Break, Hitch, Means, Sharing, Step};
use supply::Used;
pub use telling::{Auctions, Lot};
pub use user::{User, UserStage};

type Context<'a> = mechanism::Context<'a, Tasking>;
type Input<'a> = mechanism::Input<'a, Tasking>;

/// No team ever comes to so many attempts: a number beyond is a mistake, and to count on from it would be another.
const MOST_EPOCHS: u32 = u32::MAX / 2;

/// So many orders are known at once: more would be nonsense, and would grow without end.
const MOST_ORDERS: usize = 1 << 16;

/// So many deeds fit a datagram, and are told in one message.
const MOST_DEEDS: usize = 50;

/// So many deeds of orders that are not known are kept: more would be somebody else's team, or nonsense.
const MOST_UNPLACED: usize = 4_096;

/// An attempt at a task. Attempts are ordered, and a node that is at a lower one yields (F3).
///
/// The GUID is that of the LEAD, not of the vehicle that was assigned: so the plan of one LEAD for a whole group wins
/// or yields as a whole.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ballot {
    /// Counts up with every LEAD and every plan.
    pub epoch: u32,
    /// The GUID of the LEAD: of two attempts of one epoch, that of the higher one counts.
    pub lead: u32,
}

impl Ballot {
    /// Attempt `epoch`, led by `lead`.
    pub const fn new(epoch: u32, lead: RobotId) -> Self {
        Self { epoch, lead: lead.0 }
    }

    /// The LEAD.
    pub const fn by(self) -> RobotId {
        RobotId(self.lead)
    }
}

/// The deadlines of a node. Those of an order are known by its first task.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// When the USER stops waiting for a claim (`T_claim`) or for the solicitation (`T_sol`), or asks again
    /// (`T_retry`).
    User(TaskId),
    /// When it is a vehicle's turn to claim the lead, or it stops waiting for AckLead (`T_ack`).
    Candidate(TaskId),
    /// When the LEAD evaluates the bids (`T_bid`), stops waiting for Accept (`T_accept`) or auctions anew (`T_retry`).
    Lead(TaskId),
    /// When the LEAD says again that it is at work: `t_status`.
    LeadStatus(TaskId),
    /// When the BIDDER stops waiting for BidAck (`T_back`), for the assignment (`T_assign`) or for AcceptAck
    /// (`T_aack`).
    Bidder(TaskId),
    /// When the PEER has heard nothing for too long (`t_peer`), or stops waiting for a reply (`T_reply`), for claims
    /// (`T_claims`) or for winners (`T_win`).
    Peer(TaskId),
    /// When it is this node's turn to answer.
    Answer(TaskId),
    /// When the vehicle that holds this task reports on it again: `t_status`; or one that had it and was granted it says again
    /// that it has not used the grants.
    Status(TaskId),
    /// When the vehicle that holds this task says that it is about to do it, or asks once more for grants.
    Announce(TaskId),
    /// When the vehicle that holds this task gives it back, because it should have been done.
    Overdue(TaskId),
    /// When Done or Cancel is said once more.
    Again(TaskId),
    /// When the order need no longer be done.
    Expiry(TaskId),
    /// When the order is forgotten.
    Forget(TaskId),
    /// When this node tells once more of the deeds that it knows of.
    Repeat,
    /// When radio silence is over.
    Silence,
    /// When the vehicle that holds this task asks for what it has to hear before it passes over the target, passes over it, or
    /// breaks off because it is not its turn.
    Cross(TaskId),
    /// When the vehicle looks whether it has to go to its base.
    Reload,
    /// When the vehicle, which is on its way to another task, turns to the first one of its queue.
    SetOut,
}

/// What survives a restart: every order that is not forgotten.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    orders: Vec<Arc<Kept>>,
    /// Deeds of orders that the node does not know.
    deeds: Vec<Deed>,
    number: u32,
    /// What the vehicle has used up.
    used: Used,
    /// The node lost its memory, and grants nothing before then.
    abstains: Time,
}

/// A node's Collaborative Tasking Module.
#[derive(Clone, Debug, PartialEq)]
pub struct Tasking {
    craft: Craft,
    /// The pool of active solicitations, and what is done or cancelled and not forgotten yet; by first task.
    orders: BTreeMap<TaskId, OrderState>,
    /// Deeds of orders, or versions of them, that this node does not know: it will when it hears of them.
    deeds: BTreeMap<(TaskId, u8), Deed>,
}

impl Tasking {
    /// A node that has not started.
    pub fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self { craft: Craft::new(config, vehicle), orders: BTreeMap::new(), deeds: BTreeMap::new() }
    }

    fn on_start(&mut self, cx: &mut Context<'_>, memory: Option<Memory>) -> After {
        let remembered = memory.is_some();
        let Memory { orders, deeds, number, used, abstains } = memory.unwrap_or_default();
        // The first start is no news.
        if number > 0 || !remembered {
            cx.note(|| Event::Started { incarnation: number, remembered });
        }
        *self = Self::new(self.craft.config.clone(), self.craft.vehicle.clone());
        let craft = &mut self.craft;
        let mut after = craft.queue.starts(cx, used, remembered);
        // Others tell a restart from a loss by the number: it must not go on where it was, nor begin anew.
        craft.link.number = if remembered { number.wrapping_add(1 << 16) } else { cx.fresh() };
        craft.life = craft.link.number;
        craft.link.since = Some(cx.now());
        // Abstain for one tombstone period: after that every peer has forgotten the orders this node lost, too.
        craft.abstains = if remembered { abstains } else { cx.now() + craft.config.tombstone };
        for kept in orders {
            let order = OrderState::restored(&kept, craft, cx);
            self.orders.insert(kept.first(), order);
        }
        if !remembered {
            after |= After::remember();
        }
        for deed in deeds {
            after |= self.on_deed(cx, deed);
        }
        self.craft.tell_soon(cx);
        if let Some((_, end)) = self.craft.config.silence.filter(|(_, end)| *end > cx.now()) {
            cx.set_timer(Timer::Silence, end);
        }
        after
    }

    fn on_timer(&mut self, cx: &mut Context<'_>, timer: Timer) -> After {
        match timer {
            Timer::User(first) => self.in_order(cx, first, OrderState::on_user_timer),
            Timer::Candidate(first) => self.in_order(cx, first, OrderState::on_candidate_timer),
            Timer::Lead(first) => self.in_order(cx, first, OrderState::on_lead_timer),
            Timer::LeadStatus(first) => self.in_order(cx, first, OrderState::on_lead_status_timer),
            Timer::Bidder(first) => self.in_order(cx, first, OrderState::on_bidder_timer),
            Timer::Peer(first) => self.in_order(cx, first, OrderState::on_peer_timer),
            Timer::Answer(first) => self.in_order(cx, first, OrderState::on_answer_timer),
            Timer::Status(task) => self.in_order_of(cx, task, OrderState::on_status_timer),
            Timer::Announce(task) => self.in_order_of(cx, task, OrderState::on_announce_timer),
            Timer::Overdue(task) => self.in_order_of(cx, task, OrderState::on_overdue_timer),
            Timer::Cross(task) => self.in_order_of(cx, task, OrderState::on_cross_timer),
            Timer::Again(first) => self.in_order(cx, first, OrderState::on_again_timer),
            Timer::Expiry(first) => self.in_order(cx, first, OrderState::on_expiry_timer),
            Timer::Forget(first) => self.in_order(cx, first, OrderState::on_forget_timer),
            Timer::Repeat => {
                self.tell(cx, false);
                After::nothing()
            }
            Timer::Silence => {
                self.on_link_again(cx);
                After::nothing()
            }
            Timer::SetOut => {
                self.craft.queue.fly(cx);
                After::nothing()
            }
            Timer::Reload => {
                let bids = self.orders.values().any(|order| order.bidder.is_some() || order.lead.is_some());
                self.craft.queue.on_reload_timer(cx, bids);
                After::nothing()
            }
        }
    }

    /// Hands something to the order with this first task. An order that is forgotten may have left a timer.
    fn in_order(
        &mut self,
        cx: &mut Context<'_>,
        first: TaskId,
        hand: impl FnOnce(&mut OrderState, &mut Craft, &mut Context<'_>) -> After,
    ) -> After {
        let Some(order) = self.orders.get_mut(&first) else { return After::nothing() };
        let mut after = hand(order, &mut self.craft, cx);
        after |= order.book(&mut self.craft, cx);
        after
    }

    /// The first task of the order that this one belongs to.
    fn order_of(&self, task: TaskId) -> Option<TaskId> {
        self.orders.range(..=task).next_back().map(|(first, _)| *first)
    }

    /// Hands something about one task to the order that it belongs to, with the task's index; the same for orders that
    /// are forgotten.
    fn in_order_of(
        &mut self,
        cx: &mut Context<'_>,
        task: TaskId,
        hand: impl FnOnce(&mut OrderState, &mut Craft, &mut Context<'_>, usize) -> After,
    ) -> After {
        let order = self.orders.range_mut(..=task).next_back();
        match order.and_then(|(_, order)| order.group().index_of(task).map(|index| (order, index))) {
            Some((order, index)) => {
                let mut after = hand(order, &mut self.craft, cx, index);
                after |= order.book(&mut self.craft, cx);
                after
            }
            None => After::nothing(),
        }
    }

    /// Some of the group's tasks have the numbers of another order's: nobody could tell them apart.
    fn clashes(&self, group: &Group) -> bool {
        let (first, last) = (group.first(), group.task(group.len() - 1));
        let before = self.orders.range(..first).next_back();
        let reaches = before.is_some_and(|(_, order)| order.group().index_of(first).is_some());
        reaches || self.orders.range(first..=last).any(|(other, _)| *other != first)
    }

    fn on_order(&mut self, cx: &mut Context<'_>, order: Order) -> After {
        let craft = &mut self.craft;
        let mut after = After::nothing();
        match order {
            Order::Inject(brief) => {
                let first = brief.task.id;
                let group = Group::new(cx.me(), brief, 0);
                if self.orders.contains_key(&first) || !group.is_sound() || self.clashes(&group) {
                    return after;
                }
                let order = self.orders.entry(first).or_insert_with(|| OrderState::new(group, cx.now()));
                // One that was asked for before, perhaps, by a console that has lost its memory.
                after |= catch_up(&mut self.deeds, order, &mut self.craft, cx);
                if !order.is_settled() {
                    after |= order.ask(&self.craft, cx);
                }
            }
            Order::Modify(brief) => {
                let Some(order) = self.orders.get_mut(&brief.task.id) else { return after };
                let known = order.group();
                let group = Group::new(cx.me(), brief, known.version + 1);
                let can_say = craft.config.fixes.done && known.user == cx.me() && group.len() == known.len();
                if can_say && group.is_sound() && !order.is_settled() {
                    after |= order.renew(craft, cx, group);
                    after |= order.ask(craft, cx);
                    after |= order.book(craft, cx);
                }
            }
            Order::Cancel(task) => {
                if let Some(order) = self.orders.get_mut(&task) {
                    after |= order.cancel(craft, cx);
                    after |= order.book(craft, cx);
                }
            }
        }
        after
    }

    fn on_percept(&mut self, cx: &mut Context<'_>, percept: Percept) -> After {
        let craft = &mut self.craft;
        match percept {
            Percept::Done(task) => {
                let mut after = craft.queue.crossed(cx, task);
                after |= self.in_order_of(cx, task, OrderState::on_executed);
                after
            }
            Percept::Arrived => {
                craft.queue.on_clear(cx);
                After::nothing()
            }
            Percept::Blocked => match craft.queue.bound_for() {
                Some(task) => self.in_order_of(cx, task, OrderState::hand_back),
                None => craft.queue.on_blocked(cx),
            },
            Percept::Reloaded => craft.queue.on_reloaded(cx),
            Percept::Link(up) => {
                craft.link.up = up;
                if up {
                    craft.link.since = Some(cx.now());
                    self.on_link_again(cx);
                }
                After::nothing()
            }
            Percept::TaskSeen(_) | Percept::TaskGone(_) | Percept::Phase(_) => After::nothing(),
        }
    }

    /// [P §2.1] "to allow queuing and retransmission of the latest status report when the link is again available".
    /// What others said meanwhile was missed for a known reason, so nobody is blamed for it.
    fn on_link_again(&mut self, cx: &mut Context<'_>) {
        for order in self.orders.values_mut() {
            order.on_link_again(&mut self.craft, cx);
        }
        self.tell(cx, true);
    }

    /// F5: says again what is done: this node's deeds, and those of others who have not been heard of for a while.
    fn tell(&mut self, cx: &mut Context<'_>, at_once: bool) {
        let silent = self.craft.untold(cx.now());
        let mut theirs = Vec::new();
        if !silent.is_empty() {
            let known = self.orders.values().flat_map(OrderState::deeds).chain(self.deeds.values().copied());
            let told = |deed: &Deed| silent.contains(&deed.by) && self.craft.is_told(cx.now(), deed);
            theirs.extend(known.filter(told));
        }
        self.craft.tell(cx, at_once, &silent, &theirs);
    }

    fn on_message(&mut self, cx: &mut Context<'_>, from: RobotId, to: Recipient, message: &Message) -> After {
        let (after, verdict) = match message {
            Message::Done { deeds } => self.on_deeds(cx, deeds),
            _ => match message.about() {
                Some(about) => self.on_message_about(cx, (from, to), about, message),
                None => (After::nothing(), Err(Drop::Absurd)),
            },
        };
        if let Err(why) = verdict {
            cx.note(|| Event::Dropped { with: from, message: message.name(), family: message.family(), why });
        }
        after
    }

    fn on_deeds(&mut self, cx: &mut Context<'_>, deeds: &[Deed]) -> (After, Result<(), Drop>) {
        let mut after = After::nothing();
        if deeds.len() > MOST_DEEDS {
            return (after, Err(Drop::Absurd));
        }
        for deed in deeds {
            self.craft.tidings.was_told_of(cx.now(), deed.by);
            after |= self.on_deed(cx, *deed);
        }
        (after, Ok(()))
    }

    /// A message about one order: hands it on if it can be meant, is about an order that is known or makes itself
    /// known, and is no stale talk.
    fn on_message_about(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): (RobotId, Recipient),
        about: &About,
        message: &Message,
    ) -> (After, Result<(), Drop>) {
        let mut after = After::nothing();
        let known = self.orders.get(&about.first).map(|order| (order.slots().len(), order.epoch()));
        if let Err(why) = admission::screen(cx.now(), from, message, about, known) {
            return (after, Err(why));
        }
        let clashes = about.group.as_ref().is_some_and(|group| self.clashes(group));
        if known.is_none() && (clashes || self.orders.len() >= MOST_ORDERS) {
            return (after, Err(Drop::Foreign));
        }
        let craft = &mut self.craft;
        let aware = craft.config.fixes.aware;
        let order = match (self.orders.entry(about.first), &about.group) {
            (Entry::Occupied(known), _) => known.into_mut(),
            (Entry::Vacant(vacant), Some(group)) if aware || message.introduces() => {
                if group.brief.expires.is_some_and(|expires| expires <= cx.now()) {
                    return (after, Err(Drop::Late));
                }
                let order = vacant.insert(OrderState::new(group.clone(), cx.now()));
                if matches!(message, Message::Cancel { .. }) {
                    return (order.met_called_off(craft, cx), Ok(()));
                }
                after |= order.met(craft, cx);
                order
            }
            (Entry::Vacant(_), _) => return (after, Err(Drop::Foreign)),
        };
        let (then, verdict) = order.admits(craft, cx, about, message);
        after |= then;
        if !self.deeds.is_empty() {
            after |= catch_up(&mut self.deeds, order, craft, cx);
        }
        if verdict.is_ok() {
            if message.is_a_vehicles() {
                craft.link.meet(from);
            }
            after |= order.on_message(craft, cx, (from, to), message);
        }
        after |= order.book(craft, cx);
        (after, verdict)
    }

    fn on_deed(&mut self, cx: &mut Context<'_>, deed: Deed) -> After {
        let (now, tombstone) = (cx.now(), self.craft.config.tombstone);
        // Nobody has done anything yet that is still to come, give or take how far clocks may be apart.
        if !self.craft.config.fixes.reports_success || deed.at > now + self.craft.config.peer {
            return After::nothing();
        }
        if let Some(order) = self.orders.get_mut(&deed.first)
            && deed.version <= order.group().version
        {
            let mut after = order.on_deed(&mut self.craft, cx, deed);
            after |= order.book(&mut self.craft, cx);
            return after;
        }
        // This node may hear of the order yet, from another that does not know that it is done.
        let recent = |deed: &Deed| now.since(deed.at) < tombstone;
        if !recent(&deed) || deed.version > MOST_EPOCHS || self.deeds.contains_key(&(deed.first, deed.index)) {
            return After::nothing();
        }
        self.deeds.retain(|_, known| recent(known));
        if self.deeds.len() >= MOST_UNPLACED {
            return After::nothing();
        }
        self.deeds.insert((deed.first, deed.index), deed);
        self.craft.knows(cx, deed, false);
        After::remember()
    }

    /// Does what one order has left to the node: hands back tasks of other orders, forgets orders, remembers the rest.
    fn settle(&mut self, cx: &mut Context<'_>, mut after: After) {
        loop {
            if let Some(task) = after.dropped.pop() {
                after |= self.in_order_of(cx, task, OrderState::hand_back);
            } else if let Some(task) = after.withdrawn.pop() {
                // All that was found wrong with this plan so far is mended by giving it back once.
                let order = self.order_of(task);
                after.withdrawn.retain(|other| self.order_of(*other) != order);
                after |= self.in_order_of(cx, task, OrderState::give_back_plan);
            } else {
                break;
            }
        }
        if after.sweep {
            self.orders.retain(|_, order| !order.is_forgotten());
            let orders = &self.orders;
            self.craft.bookings.retain(|first, _| orders.contains_key(first));
        }
        if after.remember {
            let orders = self.orders.values_mut().map(OrderState::kept).collect();
            let deeds = self.deeds.values().copied().collect();
            let Craft { link, queue, abstains, .. } = &self.craft;
            let (number, used, abstains) = (link.number, queue.used(), *abstains);
            cx.remember_first(Memory { orders, deeds, number, used, abstains });
        }
    }
}

/// An order that was new to this node, or has changed, is done in part or whole by deeds that it has heard of before.
fn catch_up(
    deeds: &mut BTreeMap<(TaskId, u8), Deed>,
    order: &mut OrderState,
    craft: &mut Craft,
    cx: &mut Context<'_>,
) -> After {
    let (first, version) = (order.first(), order.group().version);
    let known = deeds.range((first, 0)..=(first, u8::MAX)).filter(|(_, deed)| deed.version <= version);
    let mut after = After::nothing();
    for (key, deed) in known.map(|(key, deed)| (*key, *deed)).collect::<Vec<_>>() {
        deeds.remove(&key);
        after |= order.on_deed(craft, cx, deed);
    }
    after
}

impl Mechanism for Tasking {
    type Message = Message;
    type Timer = Timer;
    type Memory = Memory;

    fn name_of(message: &Message) -> &'static str {
        message.name()
    }

    fn handle(&mut self, cx: &mut Context<'_>, input: Input<'_>) {
        let after = match input {
            // A message to one node that others overhear is theirs only where the paper says so.
            Input::Received { to: Recipient::Only(one), .. } if one != cx.me() => After::nothing(),
            Input::Received { from, to, message } => self.on_message(cx, from, to, message),
            Input::Fired(timer) => self.on_timer(cx, timer),
            Input::Perceived(percept) => self.on_percept(cx, percept),
            Input::Ordered(order) => self.on_order(cx, order),
            Input::Start(memory) => self.on_start(cx, memory),
        };
        self.settle(cx, after);
    }

    fn family_of(message: &Message) -> Family {
        message.family()
    }

    fn task_of(message: &Message) -> Option<TaskId> {
        message.task()
    }

    /// [MacKenzie §3] A sample takes two bytes, whatever the cost.
    fn repacked(message: &Message) -> i64 {
        message.quotes().iter().map(cost::Quote::repacked).sum()
    }

    fn posture(&self) -> Posture {
        self.seen_as()
    }

    fn panel(&self, view: &Viewing<'_>) -> Vec<Field> {
        self.shows(view)
    }
}
