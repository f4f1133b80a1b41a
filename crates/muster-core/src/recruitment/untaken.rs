//! Why nobody was recruited for a task: what became of all calls for it, counted.

use std::collections::{BTreeMap, BTreeSet};

use super::silence::Kept;
use super::step::Silence;
use crate::event::Happening;
use crate::robot::RobotId;
use crate::telling::{Reason, Wording, counted, times};

/// What became of the calls for one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Want {
    end: End,
    /// The robot that called last.
    by: Option<RobotId>,
    /// What brought that robot down, if it is.
    down: Option<Happening>,
    calls: u32,
    /// Calls that no robot noted anything about.
    unheard_calls: u32,
    /// Robots that heard a call and kept silent, with their last reason; the greatest SHAME of those that were not ashamed
    /// enough.
    silent: BTreeMap<RobotId, Kept>,
    /// Robots that answered the last call, of which nobody is chosen yet.
    answers: BTreeSet<RobotId>,
    /// Answers that the requester did not hear.
    unheard_offers: u32,
    /// The robot that was chosen last, and should be on its way.
    chosen: Option<RobotId>,
    /// Robots that were chosen and did not come.
    missing: u32,
    /// Robots that were chosen and could not get there.
    blocked: u32,
    /// Robots that were chosen and broke down.
    broke_down: u32,
    /// Robots that were chosen, and waited in vain to hear of it, to get there or to be agreed with.
    gave_up: u32,
    /// Robots that came, and never said that they had taken it over.
    undecided: u32,
}

/// Whether a task is still to be taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum End {
    #[default]
    Open,
    Taken,
    Withdrawn,
}

impl Want {
    pub fn called(&mut self, by: RobotId) {
        // Called for anew: what came of it before it was withdrawn, or taken by somebody that the requester never heard
        // of again, counts no more.
        if self.end != End::Open {
            *self = Self::default();
        }
        self.calls += 1;
        self.answers.clear();
        (self.by, self.down, self.chosen) = (Some(by), None, None);
    }

    /// A robot went down, or is up again.
    pub fn is_down(&mut self, robot: RobotId, down: Option<Happening>) {
        if self.by == Some(robot) {
            self.down = down;
        }
        if down.is_some() && self.is_left_by(robot) {
            self.broke_down += 1;
        }
    }

    /// The robot waits no longer for what should come next of a call that it answered.
    pub fn gave_up(&mut self, robot: RobotId) {
        self.gave_up += u32::from(self.is_left_by(robot));
    }

    /// The robot does not come, if it was chosen.
    fn is_left_by(&mut self, robot: RobotId) -> bool {
        self.chosen.take_if(|chosen| *chosen == robot).is_some()
    }

    pub fn kept_silent(&mut self, kept: Kept) {
        if self.end == End::Taken {
            return;
        }
        let before = self.silent.insert(kept.robot, kept);
        // The greatest SHAME of all calls tells how near it came.
        if let Some(before) = before.filter(|it| it.why == kept.why && it.shame > kept.shame) {
            self.silent.insert(kept.robot, before);
        }
    }

    pub fn answered(&mut self, robot: RobotId) {
        self.silent.remove(&robot);
        self.answers.insert(robot);
    }

    pub fn was_not_answered(&mut self, nobody_heard: bool, unheard_offers: u32) {
        self.answers.clear();
        self.unheard_calls += u32::from(nobody_heard);
        self.unheard_offers += unheard_offers;
    }

    pub fn chose(&mut self, robot: RobotId) {
        self.answers.clear();
        self.chosen = Some(robot);
    }

    pub fn did_not_come(&mut self) {
        self.missing += 1;
        self.chosen = None;
    }

    pub fn did_not_take_over(&mut self) {
        self.undecided += 1;
        self.chosen = None;
    }

    pub fn blocked(&mut self, robot: RobotId) {
        self.blocked += 1;
        self.is_left_by(robot);
    }

    /// It is in good hands: why it was not before is of no more interest.
    pub fn was_taken(&mut self) {
        *self = Self { end: End::Taken, ..Self::default() };
    }

    pub fn was_withdrawn(&mut self) {
        if self.end == End::Open {
            (self.end, self.chosen) = (End::Withdrawn, None);
        }
    }

    pub fn is_open(&self) -> bool {
        self.end == End::Open
    }

    /// A robot was chosen for it, and has not taken it over yet.
    pub fn is_under_way(&self) -> bool {
        self.chosen.is_some()
    }

    /// Why nobody took it; nothing if somebody did.
    pub fn reasons(&self, wording: Wording<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let mut add = |why, count: u32, text: String| {
            if count > 0 {
                reasons.push(Reason { why, count, text });
            }
        };
        if self.end == End::Taken {
            return reasons;
        }
        let by = self.by.map_or_else(String::new, |by| format!(" by {}", wording.names.robot(by)));
        add("called", self.calls, format!("called for {}{by}", times(self.calls)));
        if let (Some(by), Some(down)) = (self.by, self.down) {
            let how = if down == Happening::Stopped { "has stopped" } else { "is down" };
            add("requester_down", 1, format!("{}, which called for it, {how}", wording.names.robot(by)));
        }
        add(
            "unheard",
            self.unheard_calls,
            format!("nobody heard {} of {}", self.unheard_calls, counted(self.calls, "call")),
        );
        let of = |why| self.silent.values().filter(move |kept| kept.why == why);
        let count = |why| of(why).count() as u32;
        if let Some(nearest) = of(Silence::Unashamed).max_by(|a, b| a.shame.total_cmp(&b.shame)) {
            let (count, name) = (count(Silence::Unashamed), wording.names.robot(nearest.robot));
            let nearest = format!("nearest {name} at {:.2} of {}", nearest.shame, nearest.threshold);
            add("unashamed", count, format!("SHAME below threshold: {}, {nearest}", counted(count, "robot")));
        }
        let (engaged, serving) = (count(Silence::Engaged), count(Silence::Committed));
        let parts = [(engaged, "on errands"), (serving, "serving other calls")];
        let parts: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        add("busy", engaged + serving, format!("busy: {}", parts.join(", ")));
        for (why, word, text) in [
            (Silence::Unable, "unable", "unable"),
            (Silence::Declined, "declined", "policy says no"),
            (Silence::TooFar, "too_far", "too far"),
        ] {
            add(word, count(why), format!("{text}: {}", counted(count(why), "robot")));
        }
        let answers = self.answers.len() as u32;
        add("answered", answers, format!("answered, and nobody is chosen yet: {}", counted(answers, "robot")));
        add("unheard_offers", self.unheard_offers, format!("answered unheard: {}", times(self.unheard_offers)));
        add("missing", self.missing, format!("chosen and did not come: {}", times(self.missing)));
        add("blocked", self.blocked, format!("chosen and could not get there: {}", times(self.blocked)));
        add("broke_down", self.broke_down, format!("chosen and broke down: {}", times(self.broke_down)));
        add("gave_up", self.gave_up, format!("chosen and gave up waiting: {}", times(self.gave_up)));
        add("undecided", self.undecided, format!("came, and no ACKACK was heard: {}", times(self.undecided)));
        if let Some(chosen) = self.chosen {
            add("under_way", 1, format!("{} was chosen and is not there yet", wording.names.robot(chosen)));
        }
        add("withdrawn", u32::from(self.end == End::Withdrawn), "withdrawn: it need not be taken any more".to_owned());
        reasons
    }
}
