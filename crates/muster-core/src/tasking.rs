//! The Collaborative Tasking Protocol: tightly timed tasks, auctioned with cost functions. [MacKenzie 2003]
//!
//! Read `docs/reproductions/tasking.md` and the paper's Figure 1 before editing. Every vehicle and every operator's
//! console runs this one machine; what it is to a task (USER, LEAD, BIDDER, ASSIGNED, PEER) is a role, and it has one
//! for each of many tasks at once. The paper's drawing and its mended form ([`config::Variant`]) are one code path:
//! what differs is asked for by name ([`config::Fixes`]).
//!
//! - [`user`]: an order becomes a Task that some vehicle claims.
//! - [`lead`]: solicit, collect bids, assign, commit.
//! - [`bidder`]: bid, accept.
//! - [`holder`]: report, fly, be done.
//! - [`peer`]: watch, challenge, elect.
//! - [`own`]: the queue, what the body is told, what was done.
//! - [`record`]: what a node knows of an order, and how news and stale talk are told apart.
//! - `tombstone`: what is done or called off, and who is told.
//! - `panel`: what a node shows of itself.

pub mod assigner;
pub mod bidder;
pub mod config;
pub mod corridor;
pub mod cost;
pub mod group;
pub mod holder;
pub mod lead;
pub mod link;
pub mod message;
pub mod own;
mod panel;
pub mod peer;
pub mod record;
pub mod sampling;
pub mod step;
mod tombstone;
pub mod user;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::event::{Drop, Event};
use crate::mechanism::{self, Mechanism, Recipient};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::robot::RobotId;
use crate::task::{Order, Percept, TaskId};
use crate::time::Time;

pub use config::{Config, Fixes, Variant, Vehicle};
use group::Group;
pub use message::{About, Deed, Holder, Message};
use own::Own;
use record::{Entry, Kept};
pub use step::Step;

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

/// Which attempt at a task: attempts are ordered, and whoever is at a lower one yields (F3).
///
/// The GUID is that of the LEAD, not of the vehicle that was assigned: so the plan of one LEAD for a whole group wins
/// or yields as a whole.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ballot {
    /// Counts up with every LEAD and every plan.
    pub epoch: u32,
    /// Who leads.
    pub lead: u32,
}

impl Ballot {
    /// Attempt `epoch`, led by `lead`.
    pub const fn new(epoch: u32, lead: RobotId) -> Self {
        Self { epoch, lead: lead.0 }
    }

    /// Who leads.
    pub const fn by(self) -> RobotId {
        RobotId(self.lead)
    }
}

/// The deadlines of a node. Those of an order are known by its first task.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// USER: `T_claim`, `T_sol` or `T_retry`.
    User(TaskId),
    /// Vehicle: it is its turn to claim, or `T_ack`.
    Candidate(TaskId),
    /// LEAD: `T_bid`, `T_accept` or `T_retry`.
    Lead(TaskId),
    /// LEAD: the next LeadStatus.
    LeadStatus(TaskId),
    /// BIDDER: `T_back`, `T_assign` or `T_aack`.
    Bidder(TaskId),
    /// PEER: `t_peer`, `T_reply`, `T_claims` or `T_win`.
    Peer(TaskId),
    /// It is this node's turn to answer.
    Answer(TaskId),
    /// ASSIGNED: the next Status of this task.
    Status(TaskId),
    /// ASSIGNED: this task is about to be done.
    Announce(TaskId),
    /// ASSIGNED: this task should have been done.
    Overdue(TaskId),
    /// Done or Cancel is said once more.
    Again(TaskId),
    /// The order need no longer be done.
    Expiry(TaskId),
    /// The order is forgotten.
    Forget(TaskId),
    /// Everything that this node has done is said once more.
    Repeat,
    /// Radio silence is over.
    Silence,
}

/// What survives a restart: every order that is not forgotten.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    orders: Vec<Arc<Kept>>,
    /// Deeds of orders that it does not know.
    deeds: Vec<Deed>,
    number: u32,
    /// Metres flown and loads used up.
    used: (f64, u16),
    /// It lost its memory, and gives no leave before then.
    abstains: Time,
}

/// A node's Collaborative Tasking Module.
#[derive(Clone, Debug, PartialEq)]
pub struct Tasking {
    own: Own,
    /// The pool of active solicitations, and what is done or cancelled and not forgotten yet; by first task.
    orders: BTreeMap<TaskId, Entry>,
    /// What was done of orders, or versions of them, that this node does not know: it will when it hears of them.
    deeds: BTreeMap<(TaskId, u8), Deed>,
}

impl Tasking {
    /// A node that has not started.
    pub fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self { own: Own::new(config, vehicle), orders: BTreeMap::new(), deeds: BTreeMap::new() }
    }

    /// What it knows of an order, by the number of its first task.
    pub fn order(&self, first: TaskId) -> Option<&Entry> {
        self.orders.get(&first)
    }

    /// All orders that it knows of.
    pub fn orders(&self) -> impl Iterator<Item = &Entry> {
        self.orders.values()
    }

    /// What it holds, what it has done, how it hears others.
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// It stores this task: an order that is not over.
    pub fn is_aware_of(&self, task: TaskId) -> bool {
        let order = self.orders.range(..=task).next_back();
        order.is_some_and(|(_, entry)| entry.group().index_of(task).is_some_and(|index| !entry.is_over(index)))
    }

    /// Has nothing to do and waits for nobody.
    pub fn is_quiet(&self) -> bool {
        self.own.held().is_empty() && self.orders.values().all(Entry::is_settled)
    }

    fn on_start(&mut self, cx: &mut Context<'_>, memory: Option<Memory>) {
        let remembered = memory.is_some();
        let Memory { orders, deeds, number, used, abstains } = memory.unwrap_or_default();
        // The first start is no news.
        if number > 0 || !remembered {
            cx.note(|| Event::Started { incarnation: number, remembered });
        }
        *self = Self::new(self.own.config.clone(), self.own.vehicle.clone());
        self.own.has_used(used);
        // Others tell a restart from a loss by the number: it must not go on where it was, nor begin anew.
        self.own.link.number = if remembered { number.wrapping_add(1 << 16) } else { cx.fresh() };
        self.own.life = self.own.link.number;
        // What it has forgotten, everybody has by the time that tombstones are.
        self.own.abstains = if remembered { abstains } else { cx.now() + self.own.config.tombstone };
        self.own.changed = !remembered;
        for kept in orders {
            let first = kept.first();
            let mut entry = Entry::restored(&kept, cx.now());
            entry.resume(&mut self.own, cx);
            self.orders.insert(first, entry);
        }
        for deed in deeds {
            self.on_deed(cx, deed);
        }
        self.own.tell_soon(cx);
        if let Some((_, end)) = self.own.config.silence.filter(|(_, end)| *end > cx.now()) {
            cx.set_timer(Timer::Silence, end);
        }
    }

    fn on_timer(&mut self, cx: &mut Context<'_>, timer: Timer) {
        let first = match timer {
            Timer::Repeat => return self.tell(cx),
            Timer::Silence => return self.on_link_again(cx),
            Timer::Status(task) | Timer::Announce(task) | Timer::Overdue(task) => match self.order_of(task) {
                Some(first) => first,
                None => return,
            },
            Timer::User(first)
            | Timer::Candidate(first)
            | Timer::Lead(first)
            | Timer::LeadStatus(first)
            | Timer::Bidder(first)
            | Timer::Peer(first)
            | Timer::Answer(first)
            | Timer::Again(first)
            | Timer::Expiry(first)
            | Timer::Forget(first) => first,
        };
        let own = &mut self.own;
        let Some(entry) = self.orders.get_mut(&first) else { return };
        match timer {
            Timer::User(_) => entry.on_user_timer(own, cx),
            Timer::Candidate(_) => entry.on_candidate_timer(own, cx),
            Timer::Lead(_) => entry.on_lead_timer(own, cx),
            Timer::LeadStatus(_) => entry.on_lead_status_timer(own, cx),
            Timer::Bidder(_) => entry.on_bidder_timer(own, cx),
            Timer::Peer(_) => entry.on_peer_timer(own, cx),
            Timer::Answer(_) => entry.on_answer_timer(own, cx),
            Timer::Status(task) => entry.on_status_timer(own, cx, task),
            Timer::Announce(task) => entry.on_announce_timer(own, cx, task),
            Timer::Overdue(task) => entry.on_overdue(own, cx, task),
            Timer::Again(_) => entry.say_again(own, cx),
            Timer::Expiry(_) => entry.on_expiry(own, cx),
            Timer::Forget(_) => entry.forget(own),
            Timer::Repeat | Timer::Silence => {}
        }
    }

    /// The order that a task of this node's queue belongs to.
    fn order_of(&self, task: TaskId) -> Option<TaskId> {
        let (first, entry) = self.orders.range(..=task).next_back()?;
        entry.group().index_of(task).map(|_| *first)
    }

    /// Some of its tasks have the numbers of another order's: nobody could tell them apart.
    fn clashes(&self, group: &Group) -> bool {
        let (first, last) = (group.first(), group.task(group.len() - 1));
        let before = self.orders.range(..first).next_back();
        let reaches = before.is_some_and(|(_, entry)| entry.group().index_of(first).is_some());
        reaches || self.orders.range(first..=last).any(|(other, _)| *other != first)
    }

    fn on_order(&mut self, cx: &mut Context<'_>, order: Order) {
        match order {
            Order::Inject(brief) => {
                let first = brief.task.id;
                if self.orders.contains_key(&first) {
                    return;
                }
                let group = Group::new(cx.me(), brief, 0);
                if !group.is_sound() || self.clashes(&group) {
                    return;
                }
                let entry = self.orders.entry(first).or_insert_with(|| Entry::new(group, cx.now()));
                // One that was asked for before, perhaps, by a console that has lost its memory.
                catch_up(&mut self.deeds, entry, &mut self.own, cx);
                if !entry.is_settled() {
                    entry.ask(&mut self.own, cx);
                }
            }
            Order::Modify(brief) => {
                let Some(entry) = self.orders.get_mut(&brief.task.id) else { return };
                let group = Group::new(cx.me(), brief, entry.group().version + 1);
                let can_say = self.own.config.fixes.done && entry.group().user == cx.me();
                let can_say = can_say && group.len() == entry.group().len();
                if can_say && group.is_sound() && !entry.is_settled() {
                    entry.renew(&mut self.own, cx, group);
                    entry.ask(&mut self.own, cx);
                }
            }
            Order::Cancel(task) => {
                if let Some(entry) = self.orders.get_mut(&task) {
                    entry.cancel(&mut self.own, cx);
                }
            }
        }
    }

    fn on_percept(&mut self, cx: &mut Context<'_>, percept: Percept) {
        match percept {
            Percept::Done(task) => {
                self.own.crossed(cx, task);
                if let Some(first) = self.order_of(task)
                    && let Some(entry) = self.orders.get_mut(&first)
                {
                    entry.on_executed(&mut self.own, cx, task);
                }
            }
            Percept::Arrived => self.own.on_clear(cx),
            Percept::Blocked => {
                if let Some(task) = self.own.bound_for()
                    && let Some(first) = self.order_of(task)
                    && let Some(entry) = self.orders.get_mut(&first)
                {
                    entry.hand_back(&mut self.own, cx, task);
                }
            }
            Percept::Link(up) => {
                self.own.link.up = up;
                if up {
                    self.on_link_again(cx);
                }
            }
            Percept::TaskSeen(_) | Percept::TaskGone(_) | Percept::Phase(_) => {}
        }
    }

    /// [P §2.1] "to allow queuing and retransmission of the latest status report when the link is again available".
    /// What others said meanwhile was missed for a known reason, so nobody is blamed for it.
    fn on_link_again(&mut self, cx: &mut Context<'_>) {
        for entry in self.orders.values_mut() {
            entry.on_link_again(&mut self.own, cx);
        }
        self.tell(cx);
    }

    /// F5: says again what is done: what this node has done, and what others have whom nobody has heard for a while.
    fn tell(&mut self, cx: &mut Context<'_>) {
        let silent = self.own.untold(cx.now());
        let mut theirs = Vec::new();
        if !silent.is_empty() {
            let known = self.orders.values().flat_map(Entry::deeds).chain(self.deeds.values().copied());
            let told = |deed: &Deed| silent.contains(&deed.by) && self.own.is_told(cx.now(), deed);
            theirs.extend(known.filter(told));
        }
        self.own.tell(cx, &silent, &theirs);
    }

    fn on_message(&mut self, cx: &mut Context<'_>, from: RobotId, message: &Message) {
        let Some(about) = message.about() else {
            if let Message::Done { deeds } = message {
                if deeds.len() > MOST_DEEDS {
                    return cx.note(|| Event::Dropped { with: from, message: message.name(), why: Drop::Absurd });
                }
                for deed in deeds {
                    self.own.was_told_of(cx.now(), deed.by);
                    self.on_deed(cx, *deed);
                }
            }
            return;
        };
        let drop = |cx: &mut Context<'_>, why| {
            cx.note(|| Event::Dropped { with: from, message: message.name(), why });
        };
        if about.group.as_ref().is_some_and(|group| !group.is_sound() || group.first() != about.first)
            || about.group.as_ref().is_some_and(|group| group.version != about.version)
            || about.version > MOST_EPOCHS
        {
            return drop(cx, Drop::Absurd);
        }
        let known = self.orders.get(&about.first).map(|entry| (entry.slots().len(), entry.epoch));
        let tasks = about.group.as_ref().map(|group| group.len()).or(known.map(|(tasks, _)| tasks));
        let epoch = known.map_or(0, |(_, epoch)| epoch);
        if tasks.is_some_and(|tasks| !message.can_be(from, tasks, epoch)) {
            return drop(cx, Drop::Absurd);
        }
        let clashes = about.group.as_ref().is_some_and(|group| self.clashes(group));
        if known.is_none() && (clashes || self.orders.len() >= MOST_ORDERS) {
            return drop(cx, Drop::Foreign);
        }
        let own = &mut self.own;
        let aware = own.config.fixes.aware;
        let entry = match (self.orders.entry(about.first), &about.group) {
            (std::collections::btree_map::Entry::Occupied(known), _) => known.into_mut(),
            (std::collections::btree_map::Entry::Vacant(vacant), Some(group)) if aware || message.introduces() => {
                if group.brief.expires.is_some_and(|expires| expires <= cx.now()) {
                    return drop(cx, Drop::Late);
                }
                let entry = vacant.insert(Entry::new(group.clone(), cx.now()));
                if matches!(message, Message::Cancel { .. }) {
                    return entry.met_called_off(own, cx);
                }
                entry.met(own, cx);
                entry
            }
            _ => return drop(cx, Drop::Foreign),
        };
        let verdict = entry.admits(own, cx, message);
        if !self.deeds.is_empty() {
            catch_up(&mut self.deeds, entry, own, cx);
        }
        match verdict {
            Ok(()) => {
                if message.is_a_vehicles() {
                    own.link.meet(from);
                }
                entry.on_message(own, cx, from, message);
            }
            Err(why) => drop(cx, why),
        }
    }

    fn on_deed(&mut self, cx: &mut Context<'_>, deed: Deed) {
        let (now, tombstone) = (cx.now(), self.own.config.tombstone);
        // Nobody has done anything yet that is still to come, give or take how far clocks may be apart.
        if !self.own.config.fixes.done || deed.at > now + self.own.config.peer {
            return;
        }
        if let Some(entry) = self.orders.get_mut(&deed.first)
            && deed.version <= entry.group().version
        {
            return entry.on_deed(&mut self.own, cx, deed);
        }
        // It may hear of the order yet, from somebody who does not know that it is done.
        let recent = |deed: &Deed| now.since(deed.at) < tombstone;
        if recent(&deed) && deed.version <= MOST_EPOCHS && !self.deeds.contains_key(&(deed.first, deed.index)) {
            self.deeds.retain(|_, known| recent(known));
            if self.deeds.len() < MOST_UNPLACED {
                self.deeds.insert((deed.first, deed.index), deed);
                self.own.knows(cx, deed);
                self.own.changed = true;
            }
        }
    }

    /// What one order has set going in others: tasks that had to be given back, orders that nobody needs any more.
    fn settle(&mut self, cx: &mut Context<'_>) {
        while let Some(task) = self.own.dropped.pop() {
            if let Some(first) = self.order_of(task)
                && let Some(entry) = self.orders.get_mut(&first)
            {
                entry.hand_back(&mut self.own, cx, task);
            }
        }
        if std::mem::take(&mut self.own.sweep) {
            self.orders.retain(|_, entry| !entry.is_forgotten());
        }
        if std::mem::take(&mut self.own.changed) {
            let orders = self.orders.values_mut().map(Entry::kept).collect();
            let deeds = self.deeds.values().copied().collect();
            let Own { link, abstains, .. } = &self.own;
            let (number, used, abstains) = (link.number, self.own.used(), *abstains);
            cx.remember_first(Memory { orders, deeds, number, used, abstains });
        }
    }
}

/// An order that was new to this node, or has changed, is done in part or whole as it has heard before.
fn catch_up(deeds: &mut BTreeMap<(TaskId, u8), Deed>, entry: &mut Entry, own: &mut Own, cx: &mut Context<'_>) {
    let (first, version) = (entry.first(), entry.group().version);
    let known = deeds.range((first, 0)..=(first, u8::MAX)).filter(|(_, deed)| deed.version <= version);
    for (key, deed) in known.map(|(key, deed)| (*key, *deed)).collect::<Vec<_>>() {
        deeds.remove(&key);
        entry.on_deed(own, cx, deed);
    }
}

impl Mechanism for Tasking {
    type Message = Message;
    type Timer = Timer;
    type Memory = Memory;

    fn name_of(message: &Message) -> &'static str {
        message.name()
    }

    fn handle(&mut self, cx: &mut Context<'_>, input: Input<'_>) {
        match input {
            Input::Received { from, message, to } => {
                // A message to one node that others overhear is theirs only where the paper says so.
                if !matches!(to, Recipient::Only(one) if one != cx.me()) {
                    self.on_message(cx, from, message);
                }
            }
            Input::Fired(timer) => self.on_timer(cx, timer),
            Input::Perceived(percept) => self.on_percept(cx, percept),
            Input::Ordered(order) => self.on_order(cx, order),
            Input::Start(memory) => self.on_start(cx, memory),
        }
        self.settle(cx);
    }

    fn family_of(message: &Message) -> Family {
        message.family()
    }

    fn task_of(message: &Message) -> Option<TaskId> {
        message.task()
    }

    fn posture(&self) -> Posture {
        self.seen_as()
    }

    fn panel(&self, view: &Viewing<'_>) -> Vec<Field> {
        self.shows(view)
    }
}
