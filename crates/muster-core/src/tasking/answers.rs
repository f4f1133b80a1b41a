//! What a node says because another does not know it: who sees to a task, that it is done, that the order has changed
//! or was called off. [specification: F4, F5, W16]

use std::collections::BTreeSet;

use super::config::Config;
use super::desk::Desk;
use super::group::Phases;
use super::known::Slot;
use super::{Context, Deed, Message, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// Answers that a node owes, and how often it repeats what it says unasked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// Tasks about which this node will answer, when it is its turn.
    tasks: Phases,
    /// Tasks, and vehicles of which it will say that they have given grants for them back.
    grants: BTreeSet<(usize, RobotId)>,
    /// It will answer that there is a newer version of the order, or that it was called off.
    corrects: bool,
    /// How often Done or Cancel will be said again at once.
    repeats: u8,
    /// When this node last spoke up for what it holds or leads because it was asked.
    replied: Option<Time>,
    /// When it last said that it does not hold what it is believed to hold.
    disowned: Option<Time>,
}

impl Answers {
    /// Answers about these tasks when it is this node's turn, unless another has by then.
    pub(super) fn answer(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, tasks: Phases) {
        self.take_turns(desk, cx);
        self.tasks = self.tasks.with(tasks);
    }

    /// Says when it is this node's turn that a vehicle has given its grants for a task back, unless another has by then.
    pub(super) fn answer_about_grant(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, index: usize, of: RobotId) {
        self.take_turns(desk, cx);
        self.grants.insert((index, of));
    }

    fn take_turns(&self, desk: Desk<'_>, cx: &mut Context<'_>) {
        if self.tasks.is_empty() && self.grants.is_empty() && !self.corrects {
            desk.craft.take_turns(cx, Timer::Answer(desk.known.first()), desk.craft.config.spread);
        }
    }

    /// Says that there is a newer version of the order, or that it was called off, when it is this node's turn.
    pub(super) fn correct(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        if desk.craft.config.fixes.done {
            self.answer(desk, cx, Phases::NONE);
            self.corrects = true;
        }
    }

    /// Another node has said all that there is to say about this task.
    pub(super) fn need_not_tell_of(&mut self, index: usize) {
        self.tasks = self.tasks.without(Phases::only(index));
    }

    /// The vehicle, or another, has said that it has given its grants for this task back.
    pub(super) fn need_not_tell_of_grant(&mut self, index: usize, of: RobotId) {
        self.grants.remove(&(index, of));
    }

    /// The order was called off: there is nothing to say about its tasks any more.
    pub(super) fn need_not_tell_of_tasks(&mut self) {
        self.tasks = Phases::NONE;
        self.grants.clear();
    }

    /// Another node has said that the order was called off.
    pub(super) fn need_not_correct(&mut self) {
        self.corrects = false;
    }

    pub(super) fn on_timer(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        let known = desk.known;
        let tasks = std::mem::take(&mut self.tasks).common(known.all());
        if std::mem::take(&mut self.corrects) {
            let about = known.about_whole();
            let message = if known.is_cancelled() { Message::Cancel { about } } else { Message::Task { about } };
            desk.say(cx, Recipient::All, message);
        }
        let deeds: Vec<Deed> = tasks.iter().filter_map(|index| known.slot(index).done).collect();
        if !deeds.is_empty() {
            desk.say(cx, Recipient::All, Message::Done { deeds });
        }
        for (index, of) in std::mem::take(&mut self.grants) {
            let back = known.slot(index).returned.iter().find(|back| back.robot == of && known.open().has(index));
            if let Some(grant) = back.copied() {
                let about = known.about(desk.craft);
                desk.say(cx, Recipient::All, Message::ReleaseRelay { about, index: index as u8, grant });
            }
        }
        for index in tasks.common(known.open()).iter() {
            let Slot { ballot, holder, heard, disowned, .. } = *known.slot(index);
            let age = cx.now().since(heard);
            // Nor does it vouch for itself where it knows from before a restart only that it held the task.
            let is_mine = holder.is_some_and(|holder| holder.robot == cx.me());
            let disowned = disowned || is_mine && desk.craft.queue.holds(known.task(index)).is_none();
            if age < desk.craft.patience(known, index) && !disowned {
                let about = known.about_whole();
                desk.say(cx, Recipient::All, Message::StatusRelay { about, index: index as u8, ballot, holder, age });
            }
        }
    }

    /// Says at once, and some times more, that the order was called off or which of its tasks this node has done.
    pub(super) fn announce(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        self.repeats =
            if desk.known.is_cancelled() { desk.craft.config.done_times } else { desk.craft.says_done(cx.now()) };
        self.on_again_timer(desk, cx);
    }

    pub(super) fn on_again_timer(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        if self.repeats == 0 {
            return;
        }
        self.repeats -= 1;
        if desk.known.is_cancelled() {
            desk.say(cx, Recipient::All, Message::Cancel { about: desk.known.about_whole() });
        }
        let mine = |deed: &Deed| deed.by == cx.me();
        let deeds: Vec<Deed> = desk.known.slots().iter().filter_map(|slot| slot.done).filter(mine).collect();
        if !deeds.is_empty() {
            desk.say(cx, Recipient::All, Message::Done { deeds });
        }
        if self.repeats > 0 {
            let spread = desk.craft.config.spread;
            let wait = spread + desk.craft.up_to(cx, spread);
            cx.set_timer(Timer::Again(desk.known.first()), cx.now() + wait);
        }
    }

    /// It may speak up for what it holds or leads: not more often than twice in `t_status`.
    pub(super) fn may_reply(&mut self, config: &Config, now: Time) -> bool {
        is_rare(&mut self.replied, config, now)
    }

    /// It may say that it does not hold what it is believed to hold, as often.
    pub(super) fn may_disown(&mut self, config: &Config, now: Time) -> bool {
        is_rare(&mut self.disowned, config, now)
    }
}

/// What was said last at `last` may be said again now, and then is.
fn is_rare(last: &mut Option<Time>, config: &Config, now: Time) -> bool {
    let least = Duration::from_micros(config.status.as_micros() / 2);
    if config.fixes.fair && last.is_some_and(|last| now.since(last) < least) {
        return false;
    }
    *last = Some(now);
    true
}
