//! What a robot shows of its motivations.

use super::{Alliance, BehaviourSet, Doing, LearningPhase, Message};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::task::TaskId;

/// So many bars fit a card.
const MOST_TASKS: usize = 24;

impl Message {
    /// Nobody negotiates here: every message is a statement about its sender.
    pub(super) const fn family(&self) -> Family {
        match self {
            Self::Activity { .. } | Self::Finished { .. } | Self::GaveUp { .. } | Self::Times { .. } => Family::Other,
        }
    }

    /// What its sender does, has done or cannot do.
    pub(super) fn task(&self) -> Option<TaskId> {
        match self {
            Self::Activity { doing, .. } => doing.map(|work| work.task),
            Self::Finished { task, .. } | Self::GaveUp { task, .. } => Some(*task),
            Self::Times { .. } => None,
        }
    }
}

impl Alliance {
    /// As of the last input: a body that gets to a task says so, and that is one.
    pub(super) fn seen_as(&self) -> Posture {
        match self.doing {
            Doing::Idle { .. } => Posture::Idle,
            Doing::Active { since, .. } if since > self.as_of => Posture::Committed,
            Doing::Active { .. } => Posture::Working,
        }
    }

    pub(super) fn shows(&self, view: &Viewing<'_>) -> Vec<Field> {
        let mut fields = match self.doing {
            Doing::Idle { .. } => vec![Field::state("does", "idle")],
            Doing::Active { task, since, overrides } => {
                let name = view.names.task(task);
                let from = if overrides { ", which it took over" } else { "" };
                let does = if since > view.now {
                    format!("on its way to {name}{from}, there at {since:.1}")
                } else {
                    format!("at {name}{from}, since {since:.1}")
                };
                vec![Field::state("does", does), Field::new("task", view.task(task))]
            }
        };
        fields.extend(self.shows_patience(view));
        fields.extend(self.shows_motivations(view));
        fields
    }

    /// Until when it will go on, or when it will begin, if nothing happens.
    fn shows_patience(&self, view: &Viewing<'_>) -> Vec<Field> {
        let grown_s = self.grown_for_s(view.now);
        match self.doing {
            Doing::Active { task, since, .. } if self.config.phase == LearningPhase::Adaptive => {
                let Some(set) = self.set(task) else { return Vec::new() };
                let (psi, lambda) = (self.psi(set, view.body.id, view.now), self.lambda(set, view.body.id));
                vec![
                    Field::number("yields to another from (s)", (since + psi).as_secs_f64()),
                    Field::number("gives up at (s)", (since + lambda).as_secs_f64()),
                ]
            }
            Doing::Active { .. } => Vec::new(),
            Doing::Idle { .. } => {
                let left =
                    |set: &BehaviourSet| (self.config.threshold - set.motivation_in(grown_s)).max(0.0) / set.rate;
                let growing = self.sets.iter().filter(|set| set.rate > 0.0);
                let first_s = growing.map(left).fold(f64::INFINITY, f64::min);
                let acts = Field::number("acts at (s)", view.now.as_secs_f64() + first_s);
                if first_s.is_finite() { vec![acts] } else { Vec::new() }
            }
        }
    }

    /// One bar for each task that it could do and that is not over; of many, those that it is most motivated for.
    fn shows_motivations(&self, view: &Viewing<'_>) -> Vec<Field> {
        let (grown_s, threshold) = (self.grown_for_s(view.now), self.config.threshold);
        let open = |set: &&BehaviourSet| set.seen && (set.applicable || self.config.feedback_of(set.task).is_some());
        // A robot that hangs or has failed does not act when it should: there is nothing beyond the threshold.
        let motivation = |set: &BehaviourSet| (set.task, set.motivation_in(grown_s).min(threshold));
        let mut sets: Vec<(TaskId, f64)> = self.sets.iter().filter(open).map(motivation).collect();
        if sets.len() > MOST_TASKS {
            sets.sort_by(|a, b| b.1.total_cmp(&a.1));
            sets.truncate(MOST_TASKS);
        }
        let bar = |(task, value)| Field::gauge(view.names.task(task), value, (0.0, threshold), Some(threshold));
        sets.into_iter().map(bar).collect()
    }
}
