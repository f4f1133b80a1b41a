//! What robots' notes say of each task: who calls for it or leads it, who has it, in which attempt. For display only: what
//! counts is the ledger, which goes by what robots do.

use std::collections::VecDeque;

use muster_core::telling::Fact;
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
}

impl Known {
    /// Of so many tasks, nothing yet.
    pub fn new(tasks: usize) -> Self {
        Self { facts: vec![Facts::default(); tasks], marks: VecDeque::new() }
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
        let gist = note.gist();
        let mark = note.mark().map(|mark| Mark {
            at: note.at.as_secs_f64(),
            robot: note.robot.0,
            kind: if mark.ignored { MarkKind::Ignored } else { MarkKind::Dropped },
            why: mark.why,
            task: gist.task.map(|task| task.0),
            of: mark.of.0,
        });
        if let Some(mark) = &mark {
            if self.marks.len() == MOST_MARKS {
                self.marks.pop_front();
            }
            self.marks.push_back((note.at, mark.clone()));
        }
        let (Some(task), Some(fact)) = (gist.task, gist.fact) else { return mark };
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
}
