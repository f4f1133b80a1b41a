//! Why nobody took a task, as far as remarks of mechanisms from elsewhere tell.
//!
//! A remark says what it establishes about its task ([`Fact`]) and what sort of thing it tells of ([`Kind`]); that is
//! counted. It does not say whether it is enough to have a task, as for a robot that takes over, or whether it must also
//! be done: a task that somebody has is so told neither as not taken nor as not done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Award, Fact, Gist, Kind, Mark, Noted, Reason, Remark, Telling, Wording, counted, times};
use crate::event::Event;
use crate::robot::RobotId;
use crate::task::TaskId;

/// What became of tasks so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks {
    wants: BTreeMap<TaskId, Want>,
}

/// What became of one task.
#[derive(Clone, Debug, Default)]
struct Want {
    done: bool,
    had_by: BTreeSet<RobotId>,
    remarks: u32,
    calls: u32,
    offers: u32,
    given_up: u32,
    broke_down: u32,
    troubles: u32,
    /// The last trouble, and whose it was.
    trouble: Option<(RobotId, Arc<Remark>)>,
}

impl Telling for Remarks {
    type Step<'s> = &'s Arc<Remark>;

    fn gist(_noted: Noted, remark: &Arc<Remark>) -> Gist {
        remark.gist
    }

    fn mark(_remark: &Arc<Remark>) -> Option<Mark> {
        // A remark does not say which message it answers.
        None
    }

    fn keep(&mut self, noted: Noted, remark: &Arc<Remark>) {
        let Gist { task: Some(task), fact, kind, .. } = remark.gist else { return };
        let want = self.wants.entry(task).or_default();
        want.remarks += 1;
        match kind {
            Kind::Call => want.calls += 1,
            Kind::Offer => want.offers += 1,
            Kind::Done => want.done = true,
            Kind::Trouble => {
                want.troubles += 1;
                want.trouble = Some((noted.robot, remark.clone()));
            }
            Kind::Start | Kind::Award | Kind::Travel | Kind::Work | Kind::Auction | Kind::Command | Kind::World => {}
        }
        match fact {
            Some(Fact::Has(robot)) => _ = want.had_by.insert(robot),
            Some(Fact::GivesUp(robot)) => {
                want.given_up += 1;
                want.had_by.remove(&robot);
            }
            Some(Fact::Nobody) => want.had_by.clear(),
            Some(Fact::Calls(_) | Fact::Leads(_)) | None => {}
        }
    }

    fn keep_common(&mut self, noted: Noted, event: &Event) {
        if event.happening().is_some_and(|happening| happening.is_down()) {
            for want in self.wants.values_mut() {
                want.broke_down += u32::from(want.had_by.remove(&noted.robot));
            }
        }
    }

    fn sentence(&self, wording: Wording<'_>, _noted: Noted, remark: &Arc<Remark>) -> String {
        remark.sentence(wording)
    }

    fn award(&self, _noted: Noted, remark: &Arc<Remark>) -> Option<Award> {
        remark.award.clone()
    }

    fn untaken(&self) -> Vec<TaskId> {
        self.wants.iter().filter(|(_, want)| want.is_open()).map(|(task, _)| *task).collect()
    }

    fn nobody(&self, wording: Wording<'_>, task: TaskId) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let Some(want) = self.wants.get(&task).filter(|want| want.is_open()) else { return reasons };
        let mut add = |why, count: u32, text: String| {
            if count > 0 {
                reasons.push(Reason { why, count, text });
            }
        };
        let Want { remarks, calls, offers, given_up, broke_down, troubles, .. } = *want;
        add("noted", remarks, format!("{} about it, by which nobody has it", counted(remarks, "note")));
        add("called", calls, format!("called for {}", times(calls)));
        add("offered", offers, format!("offers: {offers}"));
        add("given_up", given_up, format!("given up: {}", times(given_up)));
        add("broke_down", broke_down, format!("the robot broke down at it: {}", times(broke_down)));
        if let Some((robot, remark)) = &want.trouble {
            let last = format!("{} {}", wording.names.robot(*robot), remark.sentence(wording));
            add("trouble", troubles, format!("trouble: {}, the last: {last}", times(troubles)));
        }
        reasons
    }

    fn is_under_way(&self, _task: TaskId) -> bool {
        false
    }
}

impl Want {
    fn is_open(&self) -> bool {
        !self.done && self.had_by.is_empty()
    }
}
