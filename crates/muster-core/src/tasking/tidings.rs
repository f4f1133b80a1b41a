//! F5: the deeds that a node tells of again and again for a while, its own and those of others who have gone silent.

use std::collections::BTreeMap;

use super::craft::Craft;
use super::{Context, Deed, MOST_DEEDS, Message, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// The deeds that a node tells of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tidings {
    /// This node's own.
    deeds: Vec<Deed>,
    /// When each of the others was last told of, by itself or by anybody.
    told: BTreeMap<RobotId, Time>,
    /// `Timer::Repeat` is set: there is something left to tell.
    waiting: bool,
}

impl Tidings {
    /// This node's own deeds, as long as it tells of them.
    pub(super) fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// `by`, another node, was told of.
    pub(super) fn was_told_of(&mut self, now: Time, by: RobotId) {
        if let Some(told) = self.told.get_mut(&by) {
            *told = now;
        }
    }

    fn has_any(&self) -> bool {
        !self.deeds.is_empty() || !self.told.is_empty()
    }
}

impl Craft {
    /// This node knows of a deed, its own or another's, and will tell of it for a while.
    pub(super) fn knows(&mut self, cx: &mut Context<'_>, deed: Deed) {
        if !self.is_told(cx.now(), &deed) {
            return;
        }
        if deed.by == cx.me() {
            self.tidings.deeds.push(deed);
        } else {
            self.tidings.told.insert(deed.by, cx.now());
        }
        if !self.tidings.waiting {
            self.tell_later(cx);
        }
    }

    /// This deed is recent enough to be told of again.
    pub(super) fn is_told(&self, now: Time, deed: &Deed) -> bool {
        self.config.fixes.done && now.since(deed.at) < self.config.repeat_done
    }

    /// Others whose deeds nobody has told of for so long that they are gone, or out of reach of somebody.
    pub(super) fn untold(&self, now: Time) -> Vec<RobotId> {
        let reports = u64::from(self.link.reports(self.config.miss)) + 1;
        let quiet = Duration::from_micros(self.config.status.as_micros() * reports);
        let told = &self.tidings.told;
        told.iter().filter(|(_, told)| now.since(**told) >= quiet).map(|(robot, _)| *robot).collect()
    }

    /// F5: tells of this node's deeds, every `t_status`, and of those of `silent` others, which are `theirs`.
    pub(super) fn tell(&mut self, cx: &mut Context<'_>, silent: &[RobotId], theirs: &[Deed]) {
        let now = cx.now();
        let mut deeds = std::mem::take(&mut self.tidings.deeds);
        deeds.retain(|deed| self.is_told(now, deed));
        for some in deeds.chunks(MOST_DEEDS).chain(theirs.chunks(MOST_DEEDS)) {
            self.say(cx, Recipient::All, Message::Done { deeds: some.to_vec() });
        }
        self.tidings.deeds = deeds;
        for robot in silent {
            if theirs.iter().any(|deed| deed.by == *robot) {
                self.tidings.told.insert(*robot, now);
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
        let wait = match self.tidings.deeds.is_empty() {
            false => self.jittered(cx, self.config.status),
            // It only stands in for others, as does every node that has heard the same: the first silences the rest.
            true => self.config.status + self.up_to(cx, self.config.status),
        };
        cx.set_timer(Timer::Repeat, cx.now() + wait);
    }
}
