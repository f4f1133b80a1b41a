//! What robots' notes say of each task: who calls for it or leads it, who has it, in which attempt. For display only: what
//! counts is the ledger, which goes by what robots do.

use std::collections::VecDeque;

use muster_core::event::{Awaited, Event, Silence};
use muster_core::tasking::Step;
use muster_core::{Note, RobotId, TaskId, Time};

use crate::scene::{Mark, MarkKind};

/// So many of those that ignored something are kept.
const MOST_MARKS: usize = 400;

/// What is known of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Who calls for it, or leads its auction.
    pub lead: Option<RobotId>,
    /// Who has it.
    pub holder: Option<RobotId>,
    /// Which attempt it is.
    pub epoch: u32,
    /// How often it was called for.
    pub calls: u32,
}

impl Facts {
    fn gives_up(&mut self, robot: RobotId) {
        self.holder = self.holder.filter(|holder| *holder != robot);
    }
}

/// What is known of all of them, and who ignored what in the last moments.
#[derive(Clone, Debug)]
pub struct Known {
    facts: Vec<Facts>,
    marks: VecDeque<(Time, Mark)>,
    /// What SHAME has to be above for an answer.
    threshold: f64,
}

impl Known {
    /// Of so many tasks, nothing yet.
    pub fn new(tasks: usize, threshold: f64) -> Self {
        Self { facts: vec![Facts::default(); tasks], marks: VecDeque::new(), threshold }
    }

    /// What is known of a task.
    pub fn of(&self, task: TaskId) -> Facts {
        self.facts.get(task.index()).copied().unwrap_or_default()
    }

    /// Who ignored or dropped something since `since`.
    pub fn marks(&self, since: Time) -> Vec<Mark> {
        let recent = self.marks.iter().rev().take_while(|(at, _)| *at >= since);
        let mut marks: Vec<Mark> = recent.map(|(_, mark)| mark.clone()).collect();
        marks.reverse();
        marks
    }

    /// Learns from a note; what it says of somebody who did not do as asked, if it does.
    pub fn learn(&mut self, note: &Note) -> Option<Mark> {
        let mark = self.mark(note);
        if let Some(mark) = &mark {
            if self.marks.len() == MOST_MARKS {
                self.marks.pop_front();
            }
            self.marks.push_back((note.at, mark.clone()));
        }
        let Some((task, fact)) = fact_of(note) else { return mark };
        if self.facts.len() <= task.index() {
            self.facts.resize(task.index() + 1, Facts::default());
        }
        let facts = &mut self.facts[task.index()];
        match fact {
            Fact::Calls(round) => (facts.lead, facts.calls) = (Some(note.robot), facts.calls.max(round)),
            Fact::Leads(epoch) => (facts.lead, facts.epoch) = (Some(note.robot), epoch.max(facts.epoch)),
            Fact::Has(robot) => facts.holder = Some(robot),
            Fact::GivesUp(robot) => facts.gives_up(robot),
            Fact::Nobody => facts.holder = None,
        }
        mark
    }

    fn mark(&self, note: &Note) -> Option<Mark> {
        let (kind, why, task, of) = match note.event {
            Event::Silent { with, task, why, shame, .. } => {
                (MarkKind::Ignored, silence(why, shame, self.threshold), Some(task), with)
            }
            Event::Dropped { with, message, why } => {
                (MarkKind::Dropped, format!("{message}: {}", why.reason()), None, with)
            }
            _ => return None,
        };
        let (at, robot, task) = (note.at.as_secs_f64(), note.robot.0, task.map(|task: TaskId| task.0));
        Some(Mark { at, robot, kind, why, task, of: of.0 })
    }
}

/// What a note says of a task.
enum Fact {
    Calls(u32),
    Leads(u32),
    Has(RobotId),
    GivesUp(RobotId),
    Nobody,
}

fn fact_of(note: &Note) -> Option<(TaskId, Fact)> {
    let own = note.robot;
    Some(match note.event {
        Event::Called { task, round, .. } => (task, Fact::Calls(round)),
        Event::Awarded { with, task, .. } | Event::Served { with, task, .. } => (task, Fact::Has(with)),
        Event::SetOut { task, .. } | Event::TookOver { task, .. } | Event::Activated { task, .. } => {
            (task, Fact::Has(own))
        }
        Event::TimedOut { task, waiting_for: Awaited::Arrival, .. } => (task, Fact::Nobody),
        Event::Superseded { task, .. } | Event::Blocked { task, .. } | Event::Quit { task, .. } => {
            (task, Fact::GivesUp(own))
        }
        Event::TimedOut { task, .. } => (task, Fact::GivesUp(own)),
        Event::Tasking { task, step } => match step {
            Step::Leads { epoch } | Step::Solicited { epoch, .. } => (task, Fact::Leads(epoch)),
            Step::Assigned { holder, .. } => (task, Fact::Has(holder.robot)),
            Step::Holds { .. } => (task, Fact::Has(own)),
            Step::Yielded { .. } | Step::HandedBack | Step::Refrained { .. } => (task, Fact::GivesUp(own)),
            Step::Deleted { robot } => (task, Fact::GivesUp(robot)),
            Step::Cancelled | Step::Expired => (task, Fact::Nobody),
            _ => return None,
        },
        _ => return None,
    })
}

/// Why somebody kept silent, in words.
pub fn silence(why: Silence, shame: f64, threshold: f64) -> String {
    match why {
        Silence::Unable => "it lacks what is needed".to_owned(),
        Silence::Engaged => format!("on an errand of its own (SHAME {shame:.2})"),
        Silence::Committed => format!("serves another call (SHAME {shame:.2})"),
        Silence::Unashamed => format!("SHAME {shame:.2} is not above {threshold}"),
        Silence::Declined => format!("its policy says no (SHAME {shame:.2})"),
        Silence::TooFar => format!("too far away (SHAME {shame:.2})"),
    }
}
