//! Sensory feedback: whether a task needs doing, as far as this robot can tell. [Parker §8.2, §9.3]

use super::step::{Quit, Step};
use super::{Alliance, BehaviourSet, Context, Feedback};
use crate::event::Event;
use crate::task::TaskId;
use crate::time::Time;

impl Alliance {
    /// sensory_feedback_ij(t).
    pub(super) fn needs_doing(&self, set: &BehaviourSet, now: Time) -> bool {
        let config = &*self.config;
        let plain = config.feedback.is_empty() && config.performs.is_none();
        set.applicable && (plain || (config.performs(set.task) && self.feeds(set.task, now)))
    }

    fn feeds(&self, task: TaskId, now: Time) -> bool {
        match self.config.feedback_of(task) {
            None | Some(Feedback::After(_)) => true,
            Some(Feedback::UnlessOthersAt(other)) => {
                !self.mates.iter().any(|mate| mate.doing == Some(other) && self.is_present(mate.robot, now))
            }
        }
    }

    /// `task` was done just now, by this robot or by one that says so: what needs doing after it does, and `task`
    /// itself does not until something else says that it does again.
    pub(super) fn just_done(&mut self, cx: &mut Context<'_>, task: TaskId) {
        if self.config.feedback.is_empty() {
            return;
        }
        if self.config.feedback_of(task).is_some() {
            self.on_task_gone(cx, task, Quit::Gone);
        }
        for index in 0..self.sets.len() {
            let set = &mut self.sets[index];
            if set.seen && self.config.feedback_of(set.task) == Some(Feedback::After(task)) && !set.applicable {
                (set.applicable, set.opened) = (true, cx.now());
                self.opened = cx.now();
            }
        }
    }

    /// [Parker §8.8] sensory_feedback is a factor of the motivation of an active set, too.
    pub(super) fn drop_what_needs_no_doing(&mut self, cx: &mut Context<'_>, task: TaskId) -> bool {
        if self.config.feedback.is_empty() || self.feeds(task, cx.now()) {
            return false;
        }
        cx.note(|| Event::Alliance(Step::Quit { task, why: Quit::NotNeeded }));
        self.rest(cx);
        true
    }
}
