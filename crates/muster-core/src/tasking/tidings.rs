//! F5: the deeds that a node tells of for a while, its own and those of others who have gone silent: every `t_status` while a
//! phase waits for them, and for some `t_peer` if it was doubted that somebody sees to them; then ever more rarely. Whoever
//! talks of them as open is answered at any time (`answers.rs`). As written a node tells of its own only, every `t_status`:
//! reports of success.

use std::collections::BTreeMap;

use super::craft::Craft;
use super::known::Known;
use super::{Context, Deed, MOST_DEEDS, Message, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// How much longer than the last deed is past a node waits before it tells of it again, where nothing is lost: a deed is told
/// of after 1, 3, 9, 27, ... times `t_status`. Not given by the paper, whose vehicles are silent once they have said
/// Completion; seven times in ten minutes is what a team that is no louder than theirs can afford.
const RARELY: f64 = 2.0;
/// The same where reports are lost, and for what was doubted: after 1, 2, 3, 4.5, ... times `t_status`.
const OFTEN: f64 = 0.5;
/// A deed that was doubted while it was open is told of every `t_status` for so many `t_peer`: its vehicle was taken for lost
/// and may only have been cut off, and when it can be reached again, both that have done the task are to learn of each other.
/// Ours: noticing, electing and auctioning take two `t_peer` at least, so this lasts for partitions of up to eight. The same
/// where somebody asks about a task that comes after it: it is flown by then, or asked about again.
const DOUBTED: u64 = 6;

/// The deeds that a node tells of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tidings {
    /// This node's own.
    deeds: Vec<Deed>,
    /// When this node last told of its own.
    last: Time,
    /// Until then a phase waits for one of them.
    awaited: Time,
    /// The time of the newest that was doubted while it was open, or when somebody last asked about what comes after one.
    doubted: Option<Time>,
    /// What was told of each of the others, by itself or by anybody.
    told: BTreeMap<RobotId, Told>,
    /// `Timer::Repeat` is set: there is something left to tell.
    waiting: bool,
}

/// What was told of a node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Told {
    /// The time of its newest deed.
    newest: Time,
    /// When it was last told of.
    last: Time,
    /// The same as for this node's own.
    doubted: Option<Time>,
}

impl Tidings {
    /// This node's own deeds, as long as it tells of them.
    pub(super) fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// `by`, another node, was told of.
    pub(super) fn was_told_of(&mut self, now: Time, by: RobotId) {
        if let Some(told) = self.told.get_mut(&by) {
            told.last = now;
        }
    }

    /// This node's deeds of an order that have grown old are not told of any more.
    pub(super) fn forgets(&mut self, known: &Known) {
        self.deeds.retain(|deed| deed.first != known.first() || known.counts(usize::from(deed.index), *deed));
    }

    /// A phase waits for a deed of this node until then.
    pub(super) fn is_awaited(&mut self, until: Time) {
        self.awaited = self.awaited.max(until);
    }

    fn has_any(&self) -> bool {
        !self.deeds.is_empty() || !self.told.is_empty()
    }
}

impl Craft {
    /// This node knows of a deed, its own or another's, and will tell of it for a while. `doubted`: somebody has asked before
    /// whether anybody sees to it.
    pub(super) fn knows(&mut self, cx: &mut Context<'_>, deed: Deed, doubted: bool) {
        if !self.is_told(cx.now(), &deed) {
            return;
        }
        let doubted = doubted.then_some(deed.at);
        if deed.by == cx.me() {
            self.tidings.deeds.push(deed);
            self.tidings.doubted = self.tidings.doubted.max(doubted);
        } else if self.config.fixes.done {
            let told = Told { newest: deed.at, last: cx.now(), doubted };
            let known = self.tidings.told.entry(deed.by).or_insert(told);
            *known = Told { newest: known.newest.max(deed.at), doubted: known.doubted.max(doubted), ..told };
        } else {
            return;
        }
        // Sooner, perhaps, than what it waits to tell.
        if !self.tidings.waiting || deed.by == cx.me() {
            self.tell_later(cx);
        }
    }

    /// Somebody waits for a deed of `by`, who may be this node, and may have missed it.
    pub(super) fn tells_quickly(&mut self, cx: &mut Context<'_>, by: RobotId) {
        if !self.config.fixes.done {
            return;
        }
        let now = cx.now();
        let doubted = if by == cx.me() {
            Some(&mut self.tidings.doubted).filter(|_| !self.tidings.deeds.is_empty())
        } else {
            self.tidings.told.get_mut(&by).map(|told| &mut told.doubted)
        };
        let Some(before) = doubted.map(|doubted| doubted.replace(now)) else { return };
        if !self.is_in_doubt(now, before) {
            self.tell_later(cx);
        }
    }

    /// This deed is recent enough to be told of again. As written, a report that could not be sent is as recent as ever.
    pub(super) fn is_told(&self, now: Time, deed: &Deed) -> bool {
        match self.config.fixes.done {
            true => now.since(deed.at) < self.config.repeat_done,
            false => self.config.fixes.reports_success && now < self.tidings.awaited,
        }
    }

    /// How often Done is said at once: several times where something may be lost or a phase waits for it.
    pub(super) fn says_done(&self, now: Time) -> u8 {
        let awaited = now < self.tidings.awaited || self.is_in_doubt(now, self.tidings.doubted);
        if self.link.loss() > 0.0 || awaited { self.config.done_times } else { 1 }
    }

    /// How long after `last`, when they were told of, deeds are told of again if the newest of them, and the last doubt, are
    /// of these times.
    fn pause(&self, last: Time, newest: Time, doubted: Option<Time>) -> Duration {
        let often = self.link.loss() > 0.0 || doubted.is_some_and(|at| last.since(at) < self.config.repeat_done);
        let growth = if often { OFTEN } else { RARELY };
        self.config.status.max(last.since(newest).stretched(growth))
    }

    /// A deed that was doubted is so recent that it is told of quickly.
    fn is_in_doubt(&self, now: Time, doubted: Option<Time>) -> bool {
        let quickly = Duration::from_micros(DOUBTED * self.config.peer.as_micros());
        doubted.is_some_and(|at| self.config.fixes.done && now.since(at) < quickly)
    }

    /// When this node tells of its own deeds again.
    fn own_due(&self) -> Option<Time> {
        let Tidings { deeds, last, awaited, doubted, .. } = &self.tidings;
        let newest = deeds.iter().map(|deed| deed.at).max()?;
        let last = newest.max(*last);
        let quickly = last < *awaited || self.is_in_doubt(last, *doubted);
        Some(last + if quickly { self.config.status } else { self.pause(last, newest, *doubted) })
    }

    /// When somebody should have told of this node again, if anybody can: then this one does.
    fn due(&self, told: &Told) -> Time {
        let reports = u64::from(self.link.reports(self.config.miss)) + 1;
        let quiet = Duration::from_micros(self.config.status.as_micros() * reports);
        if self.is_in_doubt(told.last, told.doubted) {
            return told.last + quiet;
        }
        let pause = self.pause(told.last, told.newest, told.doubted);
        // Half as long again as the node itself would have waited.
        told.last + quiet.max(pause + pause.stretched(0.5)) + self.config.status
    }

    /// Others whose deeds nobody has told of for so long that they are gone, or out of reach of somebody.
    pub(super) fn untold(&self, now: Time) -> Vec<RobotId> {
        let told = self.tidings.told.iter();
        told.filter(|(_, told)| self.due(told) <= now).map(|(robot, _)| *robot).collect()
    }

    /// F5: tells of this node's deeds, if it is time or `at_once`, and of those of `silent` others, which are `theirs`.
    pub(super) fn tell(&mut self, cx: &mut Context<'_>, at_once: bool, silent: &[RobotId], theirs: &[Deed]) {
        let now = cx.now();
        let own = at_once || self.own_due().is_some_and(|due| due <= now);
        if !self.config.fixes.done && !self.may_speak(now) && !self.tidings.deeds.is_empty() {
            // [P §2.1] The latest report is queued, and sent when the link is up again.
            self.tidings.is_awaited(now + self.config.repeat_done);
        }
        let mut deeds = std::mem::take(&mut self.tidings.deeds);
        deeds.retain(|deed| self.is_told(now, deed));
        let mine = if own { &deeds[..] } else { &[] };
        for some in mine.chunks(MOST_DEEDS).chain(theirs.chunks(MOST_DEEDS)) {
            self.say(cx, Recipient::All, Message::Done { deeds: some.to_vec() });
        }
        self.tidings.deeds = deeds;
        if own {
            self.tidings.last = now;
        }
        for robot in silent {
            if theirs.iter().any(|deed| deed.by == *robot) {
                self.tidings.was_told_of(now, *robot);
            } else {
                self.tidings.told.remove(robot);
            }
        }
        self.tidings.waiting = false;
        if self.tidings.has_any() {
            self.tell_later(cx);
        }
    }

    /// This node is up again: a vehicle that has missed its deeds may be about to repeat one.
    pub(super) fn tell_soon(&mut self, cx: &mut Context<'_>) {
        if !self.tidings.deeds.is_empty() {
            self.take_turns(cx, Timer::Repeat, self.config.spread);
        }
    }

    fn tell_later(&mut self, cx: &mut Context<'_>) {
        self.tidings.waiting = true;
        let now = cx.now();
        let own = self.own_due().map(|due| {
            let wait = due.since(now);
            now + self.jittered(cx, wait)
        });
        // It only stands in for others, as does every node that has heard the same: the first silences the rest.
        let others = self.tidings.told.values().map(|told| self.due(told)).min();
        let others = others.map(|due| due.max(now) + self.up_to(cx, self.config.status));
        if let Some(next) = own.into_iter().chain(others).min() {
            cx.set_timer(Timer::Repeat, next);
        }
    }
}
