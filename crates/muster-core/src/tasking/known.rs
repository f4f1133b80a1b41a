//! What a node knows of an order and of each of its tasks, whatever its roles in the order.
//!
//! Every role may read it; it changes only by the functions of this file, each named for what has happened.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::craft::Craft;
use super::group::{Group, Phases};
use super::step::Break;
use super::{About, Ballot, Context, Deed, Holder, Step};
use crate::event::Event;
use crate::robot::RobotId;
use crate::task::{Delivery, TaskId};
use crate::time::{Duration, Time};

/// What a node knows of one task of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The attempt that counts most of those heard of.
    pub ballot: Ballot,
    /// The vehicle that does the task in that attempt; `None`: it is being auctioned, or nobody has begun.
    pub holder: Option<Holder>,
    /// When it was last heard that somebody sees to the task, or when this node began to wait for that.
    pub heard: Time,
    /// `heard` came from a message, not from a grace period.
    pub informed: bool,
    /// How long the holder may stay silent, if it said so.
    pub patience: Duration,
    /// The vehicle that does the task, as it said itself.
    pub confirmed: Option<Holder>,
    /// The vehicle that was said to hold the task in this attempt has said that it does not: nobody vouches for it.
    pub disowned: bool,
    /// This node is a PEER of the task.
    pub watched: bool,
    /// The deed, once the task is done.
    pub done: Option<Deed>,
    /// Vehicles that have done the task besides the one of `done`.
    pub again: Vec<RobotId>,
    /// The LEAD of the task, and since when nothing has come of its lead.
    pub led: Option<(RobotId, Time)>,
    /// A LEAD that brought nothing about, and until when it is neither elected nor listened to (W9).
    pub passed_over: Option<(RobotId, Time)>,
    /// This node grants the task to no attempt below this epoch. At most once only.
    pub promised: u32,
    /// The grant this node gave, or received, for the task. At most once only.
    pub granted: Option<Grant>,
    /// A grant that this node received and gave back unused. At most once only.
    pub refrained: Option<Grant>,
    /// How often this node has said so again without being asked.
    pub released: u8,
    /// Grants that others have given back unused, of each vehicle the one of its latest attempt. Nobody's promise rests on passing
    /// them on, so a restart may forget them. At most once only.
    pub returned: Vec<Grant>,
}

/// A node's consent that one vehicle does a task that must not be done twice. It is for one life of that vehicle: a
/// vehicle that has restarted may have done the task and not know it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grant {
    /// The vehicle that may do the task.
    pub robot: RobotId,
    /// The life of the vehicle that asked.
    pub life: u32,
    /// The attempt in which it asked: a release in an earlier one does not undo the grant.
    pub ballot: Ballot,
}

/// Of so many vehicles a node knows that they have given back grants for one task: more do not stop in the middle of it.
const MOST_RETURNED: usize = 16;

impl Grant {
    /// That this one was given back undoes the other: a grant of a later attempt is another.
    pub(super) fn undoes(&self, given: &Self) -> bool {
        given.is_for(self.robot, self.life) && given.ballot <= self.ballot
    }

    /// It is for this life of this vehicle.
    pub fn is_for(&self, robot: RobotId, life: u32) -> bool {
        (self.robot, self.life) == (robot, life)
    }
}

impl Slot {
    pub(super) fn new(now: Time) -> Self {
        Self {
            ballot: Ballot::default(),
            holder: None,
            heard: now,
            informed: false,
            patience: Duration::ZERO,
            confirmed: None,
            disowned: false,
            watched: false,
            done: None,
            again: Vec::new(),
            led: None,
            passed_over: None,
            promised: 0,
            granted: None,
            refrained: None,
            released: 0,
            returned: Vec::new(),
        }
    }

    /// `robot` holds the task in this attempt.
    pub(super) fn is_held_by(&self, robot: RobotId, ballot: Ballot) -> bool {
        self.ballot == ballot && self.holder.is_some_and(|holder| holder.robot == robot)
    }

    /// When the task was done, or is to be, as far as that is known.
    pub(super) fn flown_at(&self) -> Option<Time> {
        self.done.map(|deed| deed.at).or(self.holder.map(|holder| holder.at))
    }

    /// `lead` is neither elected for the task nor listened to, at `now`.
    pub(super) fn passes_over(&self, lead: RobotId, now: Time) -> bool {
        self.passed_over.is_some_and(|(other, until)| other == lead && now < until)
    }
}

/// Why an order is no longer to be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Ended {
    /// It was called off, has expired, or ended where a deed may have been done of which nobody can know.
    CalledOff,
    /// This node has found that what is left of a strict group can no longer be flown in its windows.
    BrokenOff,
}

/// How what was said compares with what is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It counts at least as much.
    Current {
        /// It says credibly that somebody sees to the task.
        credible: bool,
    },
    /// Something is known that counts more.
    Stale,
    /// The task is done, or not to be done.
    Over,
    /// It comes from a LEAD that has brought nothing about (W9).
    Vain,
}

impl Standing {
    pub(super) const fn is_current(self) -> bool {
        matches!(self, Self::Current { .. })
    }
}

/// What a node knows of an order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known {
    group: Arc<Group>,
    slots: Vec<Slot>,
    /// Why it is no longer to be done, if that is so.
    ended: Option<Ended>,
    /// The attempt to which this node, as LEAD, has committed everybody: Accepts that come late are still acknowledged.
    committed: Option<Ballot>,
    /// When times began to count in the last plan: later plans keep to its rhythm.
    t0: Option<Time>,
    /// The highest epoch heard of.
    epoch: u32,
    /// Somebody has asked whether these tasks are seen to: whoever does them was out of reach of another node, and may be still.
    doubted: Phases,
}

impl Known {
    pub(super) fn new(group: Arc<Group>, now: Time) -> Self {
        let slots = vec![Slot::new(now); group.len()];
        Self { group, slots, ended: None, committed: None, t0: None, epoch: 0, doubted: Phases::NONE }
    }

    /// As it was before a restart.
    pub(super) fn restored(group: Arc<Group>, slots: Vec<Slot>, cancelled: bool) -> Self {
        let epoch = slots.iter().map(|slot| slot.ballot.epoch).max().unwrap_or(0);
        let ended = cancelled.then_some(Ended::CalledOff);
        Self { group, slots, ended, committed: None, t0: None, epoch, doubted: Phases::NONE }
    }

    pub(super) fn group(&self) -> &Arc<Group> {
        &self.group
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(super) fn slot(&self, index: usize) -> &Slot {
        &self.slots[index]
    }

    /// None of it is to be done any more, as far as this node knows.
    pub(super) fn is_cancelled(&self) -> bool {
        self.ended.is_some()
    }

    /// That is so for everybody. What a node has broken off by itself it finds out again after a restart, if it is so.
    pub(super) fn is_called_off_for_all(&self) -> bool {
        self.ended == Some(Ended::CalledOff)
    }

    pub(super) fn committed(&self) -> Option<Ballot> {
        self.committed
    }

    pub(super) fn t0(&self) -> Option<Time> {
        self.t0
    }

    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(super) fn was_doubted(&self, index: usize) -> bool {
        self.doubted.has(index)
    }

    pub(super) fn first(&self) -> TaskId {
        self.group.first()
    }

    pub(super) fn task(&self, index: usize) -> TaskId {
        self.group.task(index)
    }

    /// All tasks of the order.
    pub(super) fn all(&self) -> Phases {
        Phases::first(self.slots.len())
    }

    /// The tasks that `is` is true of, out of `some`.
    pub(super) fn those(&self, some: Phases, is: impl Fn(usize) -> bool) -> Phases {
        Phases(some.iter().filter(|index| is(*index)).map(|index| 1 << index).sum())
    }

    /// The tasks that are still to be done.
    pub(super) fn open(&self) -> Phases {
        self.those(self.all(), |index| !self.is_over(index))
    }

    /// This task is done or no longer to be done.
    pub(super) fn is_over(&self, index: usize) -> bool {
        self.is_cancelled() || self.slots[index].done.is_some()
    }

    /// Every task is over.
    pub(super) fn is_settled(&self) -> bool {
        self.is_cancelled() || self.slots.iter().all(|slot| slot.done.is_some())
    }

    pub(super) fn at_most_once(&self) -> bool {
        self.group.brief.delivery == Delivery::AtMostOnce
    }

    /// What these tasks are held to goes together.
    pub(super) fn is_consistent(&self, held: Phases) -> bool {
        let at = |index: u8| self.slots[usize::from(index)].flown_at().filter(|_| held.has(usize::from(index)));
        self.group.couplings.iter().all(|it| at(it.a).zip(at(it.b)).is_none_or(|(a, b)| it.allows_times(a, b)))
    }

    /// Some vehicle may have done the task: it was granted, and must not be done twice.
    pub(super) fn is_sealed(&self, index: usize) -> bool {
        self.at_most_once() && self.slots[index].granted.is_some()
    }

    /// Why what is left of the order can no longer be flown, if that is so. Ours: the paper does not say what becomes of a
    /// group that loses a vehicle. Whoever knows what was flown comes to this by itself; Done of what was flown in time may
    /// take as long as a PEER waits for anything.
    pub(super) fn broken(&self, config: &Config, now: Time) -> Option<Break> {
        if self.is_settled() {
            return None;
        }
        self.would_break(config, now)
    }

    /// The same, whether or not it was called off.
    fn would_break(&self, config: &Config, now: Time) -> Option<Break> {
        if !config.fixes.in_turn {
            return None;
        }
        let undone = self.those(self.all(), |index| self.slots[index].done.is_none());
        let latest = now.as_micros() as i64 - config.peer.as_micros() as i64;
        let (renewable, _) = self.renewable(config);
        let done = |index: usize| self.slots[index].done.filter(|_| !renewable.has(index)).map(|deed| deed.at);
        let too_late = |index: usize| self.group.window(index, done).1 < latest;
        // What comes before something that was done was done, too, though this node has not heard of it.
        let open = undone.without(self.passed());
        if self.group.strict && open.iter().any(too_late) {
            return Some(Break::Windows);
        }
        let gone = |index: usize| {
            // Its vehicle may be up again and say that it has not used the grant: it has as long as a LEAD has.
            let due = self.slots[index].holder.map(|holder| holder.at + config.lead);
            self.is_sealed(index) && due.is_some_and(|due| due < now)
        };
        let awaited = undone.iter().fold(Phases::NONE, |all, index| all.with(self.group.before(index)));
        let gone = self.those(awaited.common(open), gone).iter().next();
        gone.map(|index| Break::Unknown(self.task(index)))
    }

    /// The tasks that come before one that is known to be done: nobody flies that before them.
    fn passed(&self) -> Phases {
        let mut passed = Phases::NONE;
        let mut after = self.those(self.all(), |index| self.slots[index].done.is_some());
        while !after.is_empty() {
            let before = after.iter().fold(Phases::NONE, |all, index| all.with(self.group.before(index)));
            after = before.without(passed);
            passed = passed.with(before);
        }
        passed
    }

    /// What was done of it leaves no time for the rest, so this node has ended it by itself: it may be wrong, if it has missed
    /// something, and its word is not enough for others.
    pub(super) fn was_broken_off(&self) -> bool {
        self.ended == Some(Ended::BrokenOff)
    }

    /// This node has ended it by itself, and has heard since that there was no reason to.
    pub(super) fn was_broken_off_wrongly(&self, config: &Config, now: Time) -> bool {
        self.was_broken_off() && self.would_break(config, now).is_none()
    }

    /// The order taken apart, as this node would lead it; `None` if it has no template for that.
    pub(super) fn apart(&self, config: &Config) -> Option<Arc<Group>> {
        if self.group.is_decomposed() {
            return Some(self.group.clone());
        }
        self.group.decomposed(config.templates.get(&self.group.brief.kind))
    }

    pub(super) fn note(&self, cx: &mut Context<'_>, index: usize, step: Step) {
        self.note_with(cx, index, || step);
    }

    /// The same with a step that is made only if somebody listens.
    pub(super) fn note_with(&self, cx: &mut Context<'_>, index: usize, step: impl FnOnce() -> Step) {
        let task = self.task(index);
        cx.note(|| Event::Tasking { task, step: step() });
    }

    pub(super) fn note_all(&self, cx: &mut Context<'_>, phases: Phases, step: Step) {
        for index in phases.common(self.all()).iter() {
            self.note_with(cx, index, || step.clone());
        }
    }

    /// What a message says it is about: by number, or with F1 with the whole order.
    pub(super) fn about(&self, craft: &Craft) -> About {
        let group = craft.config.fixes.aware.then(|| self.group.clone());
        About { first: self.first(), version: self.group.version, group }
    }

    /// The same with the whole order, where the paper says so.
    pub(super) fn about_whole(&self) -> About {
        About { first: self.first(), version: self.group.version, group: Some(self.group.clone()) }
    }

    // The order itself.

    /// The order is described in other words, or taken apart; what is known of its tasks stands, but for deeds that have grown
    /// old, and for grants of flights that have: a task that is flown again is one of its own. Nobody can still use such a
    /// grant, since it was used.
    pub(super) fn is_described_by(&mut self, group: Arc<Group>) {
        let before = std::mem::replace(&mut self.group, group);
        for index in self.all().iter() {
            let since = |group: &Group| group.members.get(index).map_or(Time::ZERO, |member| member.since);
            if since(&self.group) > since(&before) {
                let slot = &mut self.slots[index];
                slot.granted = None;
                slot.refrained = None;
                slot.returned.clear();
            }
            if self.slots[index].done.is_some_and(|deed| !self.counts(index, deed)) {
                let slot = &mut self.slots[index];
                slot.done = None;
                slot.holder = None;
                slot.confirmed = None;
                slot.again.clear();
            }
        }
    }

    /// This deed does task `index`: it has not grown old.
    pub(super) fn counts(&self, index: usize, deed: Deed) -> bool {
        self.group.members.get(index).is_none_or(|member| deed.at >= member.since)
    }

    /// The tasks that were done, may grow old before those that come after them are done, and may be done again: of those
    /// nothing is done yet. With how long they count.
    pub(super) fn renewable(&self, config: &Config) -> (Phases, Duration) {
        let template = config.templates.get(&self.group.brief.kind).filter(|_| config.fixes.in_turn);
        let Some(fresh) = template.and_then(|template| template.fresh) else { return (Phases::NONE, Duration::ZERO) };
        let done = |index: usize| self.slots[index].done.is_some();
        let may = |index: usize| {
            let after = self.group.after(index);
            self.group.before(index).is_empty() && !after.is_empty() && !after.iter().any(done)
        };
        (self.those(self.all().without(self.open()), may), fresh)
    }

    /// The order has changed: what was agreed on the older version is void. What is done stays done, and grants that
    /// were given are still out.
    pub(super) fn is_replaced_by(&mut self, group: Arc<Group>, now: Time) {
        let before = std::mem::replace(self, Self::new(group, now));
        self.epoch = before.epoch;
        for (slot, old) in self.slots.iter_mut().zip(before.slots) {
            let Slot { ballot, done, again, promised, granted, refrained, returned, .. } = old;
            *slot = Slot { ballot, done, again, promised, granted, refrained, returned, ..Slot::new(now) };
        }
    }

    /// No task of the order is to be done any more, by anybody.
    pub(super) fn is_called_off(&mut self) {
        self.ended = Some(Ended::CalledOff);
    }

    /// What is left of the order can no longer be flown in its windows, as far as this node knows.
    pub(super) fn is_broken_off(&mut self) {
        self.ended = Some(Ended::BrokenOff);
    }

    /// It was not to be broken off after all.
    pub(super) fn goes_on(&mut self, now: Time) {
        self.ended = None;
        for slot in &mut self.slots {
            slot.heard = slot.heard.max(now);
        }
    }

    /// This node, or another, has asked whether these tasks are seen to.
    pub(super) fn are_doubted(&mut self, phases: Phases) {
        self.doubted = self.doubted.with(phases);
    }

    /// There has been an attempt of this epoch.
    pub(super) fn has_come_to(&mut self, epoch: u32) {
        self.epoch = self.epoch.max(epoch);
    }

    /// Times of the last plan count from here.
    pub(super) fn counts_from(&mut self, t0: Time) {
        self.t0 = Some(t0);
    }

    // Attempts at a task.

    /// Compares an attempt with what is known, and takes it over if it counts at least as much. `age`: how long ago it
    /// was so.
    pub(super) fn hear(
        &mut self,
        config: &Config,
        now: Time,
        index: usize,
        (ballot, holder): (Ballot, Option<Holder>),
        age: Duration,
    ) -> Standing {
        if self.is_over(index) {
            return Standing::Over;
        }
        let slot = &mut self.slots[index];
        // That LEAD may be deaf and raise its epoch for ever: nobody would get anything done if it were yielded to.
        if holder.is_none() && slot.passes_over(ballot.by(), now) {
            return Standing::Vain;
        }
        // Nor does its attempt count beside a vehicle that has the task: that LEAD may be the only one that still believes in it, and
        // would auction for ever what others do.
        let in_vain = holder.is_some() && slot.holder.is_none() && slot.passes_over(slot.ballot.by(), now);
        if config.fixes.ordered && ballot < slot.ballot && !in_vain {
            return Standing::Stale;
        }
        let heard = Time::from_micros(now.as_micros().saturating_sub(age.as_micros()));
        if ballot != slot.ballot || holder.is_some() != slot.holder.is_some() {
            slot.patience = Duration::ZERO;
        }
        // Within one attempt a task goes from the LEAD to the holder, never back: a node that has heard less says less.
        let holder = holder.or(if ballot == slot.ballot { slot.holder } else { None });
        slot.disowned &= ballot == slot.ballot;
        slot.ballot = ballot;
        slot.holder = holder;
        // A LEAD that has brought nothing about for too long may say what it likes (W9).
        let in_vain = |(lead, since): (RobotId, Time)| lead == ballot.by() && heard.since(since) >= config.lead;
        // As drawn, only a Status resets the timer of a PEER.
        let credible = holder.is_some() || (config.fixes.lead_speaks && !slot.led.is_some_and(in_vain));
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
        self.has_come_to(ballot.epoch);
        Standing::Current { credible }
    }

    /// This node auctions the task in this attempt.
    pub(super) fn is_auctioned(&mut self, index: usize, ballot: Ballot, now: Time) {
        let slot = &mut self.slots[index];
        slot.ballot = ballot;
        slot.holder = None;
        slot.heard = now;
        slot.led = None;
        slot.disowned = false;
    }

    /// This node has planned the task in this attempt.
    pub(super) fn is_planned(&mut self, index: usize, ballot: Ballot) {
        self.slots[index].ballot = ballot;
    }

    /// This node, as LEAD, has committed the task to `holder`.
    pub(super) fn is_committed(&mut self, index: usize, ballot: Ballot, holder: Holder, now: Time) {
        self.committed = Some(ballot);
        let slot = &mut self.slots[index];
        slot.ballot = ballot;
        slot.holder = Some(holder);
        slot.heard = now;
        slot.led = None;
        slot.disowned = false;
    }

    /// This node holds the task, and is no PEER of it.
    pub(super) fn is_held(&mut self, index: usize, ballot: Ballot, holder: Holder, now: Time) {
        let slot = &mut self.slots[index];
        slot.ballot = ballot;
        slot.holder = Some(holder);
        slot.heard = now;
        slot.watched = false;
        slot.disowned = false;
    }

    // Watching.

    /// This node is a PEER of the task from here on.
    pub(super) fn is_watched(&mut self, index: usize, now: Time) {
        let slot = &mut self.slots[index];
        if !slot.watched {
            slot.watched = true;
            slot.heard = slot.heard.max(now);
        }
    }

    /// This node is a PEER of the task no longer.
    pub(super) fn is_left_alone(&mut self, index: usize) {
        self.slots[index].watched = false;
    }

    /// As drawn: the task is about to be done, and is nobody's business any more.
    pub(super) fn is_completed(&mut self, index: usize) {
        self.is_left_alone(index);
        self.slots[index].holder = None;
    }

    /// The node that sees to the task has all its time again.
    pub(super) fn waits_anew(&mut self, index: usize, now: Time) {
        self.slots[index].heard = now;
    }

    /// The same, since nothing could have been heard: what is known of the task is no longer fresh.
    pub(super) fn is_excused(&mut self, index: usize, now: Time) {
        let slot = &mut self.slots[index];
        slot.heard = now;
        slot.informed = false;
    }

    /// The vehicle that was said to hold the task does not: what is known of it is worth nothing, whoever says it again.
    pub(super) fn is_disowned(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.informed = false;
        slot.confirmed = None;
        slot.disowned = true;
    }

    /// The same for a LEAD that was just elected: its predecessor is forgotten.
    pub(super) fn is_left_to_the_elected(&mut self, index: usize, now: Time) {
        self.is_excused(index, now);
        self.slots[index].led = None;
    }

    /// The holder of the task has said itself when and how it does it.
    pub(super) fn is_confirmed(&mut self, index: usize, holder: Holder) {
        let slot = &mut self.slots[index];
        slot.confirmed = Some(holder);
        slot.disowned = false;
    }

    /// The holder of the task may stay silent for so long.
    pub(super) fn may_be_silent(&mut self, index: usize, patience: Duration) {
        self.slots[index].patience = patience;
    }

    /// `lead` has brought nothing about, and does not count before `until` (W9).
    pub(super) fn passes_over(&mut self, index: usize, lead: RobotId, until: Time) {
        let slot = &mut self.slots[index];
        slot.passed_over = Some((lead, until));
        slot.informed = false;
    }

    // Grants, where a task must not be done twice.

    /// This node grants the task to no attempt before `epoch`.
    pub(super) fn promises(&mut self, index: usize, epoch: u32) {
        let slot = &mut self.slots[index];
        slot.promised = slot.promised.max(epoch);
    }

    /// This node has granted the task to another vehicle.
    pub(super) fn is_granted(&mut self, index: usize, grant: Grant) {
        self.slots[index].granted = Some(grant);
    }

    /// This node has granted the task to itself.
    pub(super) fn is_granted_to_itself(&mut self, index: usize, grant: Grant) {
        let slot = &mut self.slots[index];
        slot.granted = Some(grant);
        slot.refrained = None;
    }

    /// The vehicle that had the grant has not used it.
    pub(super) fn is_released(&mut self, index: usize) {
        self.slots[index].granted = None;
    }

    /// Another vehicle has not used the grants that it had.
    pub(super) fn is_returned(&mut self, index: usize, back: Grant) {
        let returned = &mut self.slots[index].returned;
        match returned.iter().position(|known| known.robot == back.robot) {
            Some(place) if returned[place].ballot <= back.ballot => returned[place] = back,
            None if returned.len() < MOST_RETURNED => returned.push(back),
            Some(_) | None => {}
        }
    }

    /// This node had the grant, and does not use it.
    pub(super) fn refrains(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.refrained = slot.granted.take();
        slot.released = 0;
    }

    /// This node has said once more that it has not used its grants.
    pub(super) fn is_released_again(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.released = slot.released.saturating_add(1);
    }

    // Deeds.

    /// The task is done.
    pub(super) fn is_done(&mut self, index: usize, deed: Deed) {
        let slot = &mut self.slots[index];
        slot.done = Some(deed);
        let planned = slot.holder.map_or(0, |holder| holder.heading);
        slot.holder = Some(Holder { robot: deed.by, at: deed.at, heading: planned });
    }

    /// Another vehicle has done the task, too.
    pub(super) fn is_done_again(&mut self, index: usize, by: RobotId) {
        self.slots[index].again.push(by);
    }
}
