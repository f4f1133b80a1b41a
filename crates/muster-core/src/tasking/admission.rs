//! What a node lets in: which messages can be meant, which are news, and what news does to what it was at.
//!
//! [`screen`] has what needs no knowledge of the order, [`OrderState::admits`] what does; [`OrderState::hear`] compares
//! attempts at a task.

use std::sync::Arc;

use super::after::After;
use super::craft::{Craft, MOST_PATIENCE};
use super::desk::Desk;
use super::group::{Group, Phases};
use super::known::Standing;
use super::order::OrderState;
use super::{About, Ballot, Context, Holder, MOST_EPOCHS, Message, Step, Timer};
use crate::event::Drop;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// A message can be meant: what it says it is about makes sense, and `from` could have said so of an order of which so
/// many tasks and no attempt beyond that epoch are `known`.
pub(super) fn screen(
    now: Time,
    from: RobotId,
    message: &Message,
    about: &About,
    known: Option<(usize, u32)>,
) -> Result<(), Drop> {
    let fits = |group: &Arc<Group>| {
        // A task that is to be done anew only in the far future would never be done: no deed would count.
        let soon = group.members.iter().all(|member| member.since <= now + MOST_PATIENCE);
        soon && group.is_sound() && group.first() == about.first && group.version == about.version
    };
    if about.group.as_ref().is_some_and(|group| !fits(group)) || about.version > MOST_EPOCHS {
        return Err(Drop::Absurd);
    }
    let tasks = about.group.as_ref().map(|group| group.len()).or(known.map(|(tasks, _)| tasks));
    let epoch = known.map_or(0, |(_, epoch)| epoch);
    if tasks.is_some_and(|tasks| !message.can_be(from, tasks, epoch)) {
        return Err(Drop::Absurd);
    }
    Ok(())
}

impl OrderState {
    /// A message about the order may be listened to. An older version is answered, a newer one taken over.
    pub(super) fn admits(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        about: &About,
        message: &Message,
    ) -> (After, Result<(), Drop>) {
        let mut after = After::nothing();
        if let Some(group) = &about.group {
            let known = self.group();
            if group.user != known.user || group.len() != known.len() {
                return (after, Err(Drop::Foreign));
            }
            // An order that was called off, or expired, may have been asked for anew where this node did not hear it.
            if group.version > known.version && (self.is_cancelled() || !self.is_settled()) {
                after |= self.renew(craft, cx, group.clone());
            } else if group.version == known.version && group.is_decomposed() && !known.is_decomposed() {
                after |= self.is_renewed_as(craft, cx, group.clone());
            } else if group.version == known.version
                && !self.is_cancelled()
                && let Some(renewed) = known.renewed_as_in(group)
            {
                after |= self.is_renewed_as(craft, cx, renewed);
            }
        }
        let version = self.group().version;
        if self.is_cancelled() || about.version < version {
            match message {
                // Another node has said so: that is enough.
                Message::Cancel { .. } if self.is_cancelled() => {
                    self.answers.need_not_correct();
                    if self.known.was_broken_off() {
                        self.known.is_called_off();
                        after |= After::remember();
                    }
                }
                // Whoever hears what was done finds out by itself.
                _ if self.known.was_broken_off() => {
                    let done = self.known.those(self.known.all(), |index| self.known.slot(index).done.is_some());
                    self.answers.answer(Desk { known: &self.known, craft }, cx, done);
                }
                _ => self.answers.correct(Desk { known: &self.known, craft }, cx),
            }
            return (after, Err(Drop::Late));
        }
        if about.version > version {
            return (after, Err(Drop::Foreign));
        }
        let quotes = message.quotes();
        if quotes.iter().any(|quote| !quote.is_sound(&craft.config.grid)) {
            return (after, Err(Drop::Absurd));
        }
        if let Message::Bid { ballot, costs, .. } | Message::BidForSeveral { ballot, costs, .. } = message
            && let Some(lead) = self.lead.as_ref().filter(|lead| lead.ballot == *ballot)
            && !lead.can_use(costs, &craft.config.grid)
        {
            return (after, Err(Drop::Absurd));
        }
        (after, Ok(()))
    }

    /// The order has changed: whatever was agreed on the older version is void.
    pub(super) fn renew(&mut self, craft: &mut Craft, cx: &mut Context<'_>, group: Arc<Group>) -> After {
        let (old, new) = (&self.group().brief, &group.brief);
        if (old.task, old.kind) == (new.task, new.kind) && !self.is_cancelled() {
            return self.amend(craft, cx, group);
        }
        let mut after = After::nothing();
        for index in self.known.all().iter() {
            after |= craft.queue.let_go(cx, self.known.task(index));
        }
        self.start_over(cx);
        self.known.is_replaced_by(group, cx.now());
        after |= self.met(craft, cx);
        for index in self.known.open().iter() {
            after |= self.assigned(craft).give_back(cx, index);
        }
        if self.is_settled() {
            after |= self.settled(craft, cx);
        }
        after
    }

    /// The order in other words. Tasks of it that have grown old by them are to be done anew.
    fn is_renewed_as(&mut self, craft: &mut Craft, cx: &mut Context<'_>, group: Arc<Group>) -> After {
        let before = self.known.open();
        self.known.is_described_by(group);
        let anew = self.known.open().without(before);
        craft.tidings.forgets(&self.known);
        let mut after = After::remember();
        if !anew.is_empty() {
            self.known.note_all(cx, anew, Step::Renewed);
            after |= self.watch(craft, cx, anew);
        }
        after
    }

    /// Only how urgent the order is has changed, or until when it counts: whatever was agreed on stands.
    fn amend(&mut self, craft: &mut Craft, cx: &mut Context<'_>, group: Arc<Group>) -> After {
        let group = if group.is_decomposed() {
            // Whoever tells of the change may have missed that tasks of it are to be done anew.
            group.renewed_as_in(self.group()).unwrap_or(group)
        } else {
            let Group { user, brief, version, .. } = *group;
            Arc::new(Group { user, brief, version, ..(**self.group()).clone() })
        };
        craft.queue.reprioritise(&group);
        match group.brief.expires {
            Some(expires) => cx.set_timer(Timer::Expiry(self.first()), expires),
            None => cx.cancel_timer(Timer::Expiry(self.first())),
        }
        self.is_renewed_as(craft, cx, group)
    }

    /// Compares an attempt at one task with what is known, takes it over if it counts at least as much, and yields to
    /// it; else sets right the node that spoke of it. `age`: how long ago it was so.
    pub(super) fn hear(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        said: (Ballot, Option<Holder>),
        age: Duration,
    ) -> (After, Standing) {
        let mut after = After::nothing();
        let standing = self.known.hear(&craft.config, cx.now(), index, said, age);
        match standing {
            Standing::Current { credible } => {
                self.candidate = None;
                self.answers.need_not_tell_of(index);
                if craft.config.fixes.ordered {
                    after |= self.yield_to(craft, cx, index, said.0);
                }
                if credible {
                    self.reassured(craft, cx, index);
                }
            }
            Standing::Stale | Standing::Over | Standing::Vain => self.set_right(craft, cx, index, standing),
        }
        (after, standing)
    }

    /// F3: whatever this node has to do with an attempt at this task that counts for less is over.
    fn yield_to(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, ballot: Ballot) -> After {
        let (task, one) = (self.known.task(index), Phases::only(index));
        let mut after = After::nothing();
        if craft.queue.holds(task).is_some_and(|held| held.ballot < ballot) {
            self.known.note(cx, index, Step::Yielded { to: ballot });
            after |= craft.queue.let_go(cx, task);
            after |= self.assigned(craft).give_back(cx, index);
            after |= self.watch(craft, cx, one);
        }
        // Its own attempt may be the higher one, and in vain.
        if let Some(lead) = self.lead.take_if(|lead| lead.ballot != ballot && lead.covers(index)) {
            self.known.note(cx, index, Step::Yielded { to: ballot });
            // A group that is tied together has one LEAD: two that each led a part of it would take it from each other.
            let tied = craft.config.fixes.in_turn && self.group().is_tied();
            let phases = if tied { lead.all() } else { one };
            after |= self.lead_without(craft, cx, lead, phases);
        }
        if self.bidder.take_if(|bidder| bidder.ballot < ballot && bidder.phases.has(index)).is_some() {
            cx.cancel_timer(Timer::Bidder(self.first()));
        }
        after
    }
}
