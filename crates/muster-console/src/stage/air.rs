//! What was on the air: every transmission with who heard it, the newest of them at least.

use std::collections::VecDeque;

use muster_core::panel::Family;
use muster_core::{Recipient, RobotId, TaskId, Time};

use crate::scene::{Arc, Told};
use crate::stage::Subject;

/// Most transmissions that are kept in all, the newest.
const MOST_KEPT: usize = 20_000;
/// Most that a copy keeps, which shows moments and tells no stories.
const MOST_BY_COPIES: usize = 200;
/// Most hearers of one that are named.
const MOST_NAMED: usize = 40;
/// Most that are told in a story.
const MOST_TOLD: usize = 600;
/// Most that are shown on the map.
const MOST_SHOWN: usize = 80;

/// A transmission.
#[derive(Clone, Debug)]
struct Sent {
    n: u64,
    at: Time,
    from: RobotId,
    to: Option<RobotId>,
    kind: std::sync::Arc<str>,
    family: Family,
    task: Option<TaskId>,
    lost: bool,
    heard: Vec<(RobotId, Time)>,
    hearers: u32,
}

/// What a transmission says, as far as displays want to know.
pub struct Said<'a> {
    /// What its mechanism calls it.
    pub kind: &'a str,
    /// The part that it plays.
    pub family: Family,
    /// The task that it is about.
    pub task: Option<TaskId>,
}

/// What was on the air.
#[derive(Debug, Default)]
pub struct Air {
    sent: VecDeque<Sent>,
    /// How many were sent, kept or not.
    count: u64,
}

impl Air {
    /// What a copy of the run starts with.
    pub fn twin(&self) -> Self {
        let skip = self.sent.len().saturating_sub(MOST_BY_COPIES);
        Self { sent: self.sent.iter().skip(skip).cloned().collect(), count: self.count }
    }

    /// Something was sent.
    pub fn sent(&mut self, at: Time, from: RobotId, to: Recipient, said: Said<'_>, lost: bool) {
        let Said { kind, family, task } = said;
        if self.sent.len() == MOST_KEPT {
            self.sent.pop_front();
        }
        let to = match to {
            Recipient::All => None,
            Recipient::Named(robot) | Recipient::Only(robot) => Some(robot),
        };
        // There are few kinds: most are those of a transmission before.
        let known = self.sent.iter().rev().take(8).find(|sent| *sent.kind == *kind).map(|sent| sent.kind.clone());
        let kind = known.unwrap_or_else(|| kind.into());
        self.sent.push_back(Sent {
            n: self.count,
            at,
            from,
            to,
            kind,
            family,
            task,
            lost,
            heard: Vec::new(),
            hearers: 0,
        });
        self.count += 1;
    }

    /// The transmission of that number never arrives.
    pub fn lost(&mut self, n: u64) {
        if let Some(sent) = self.numbered(n) {
            sent.lost = true;
        }
    }

    /// Somebody heard the transmission of that number.
    pub fn heard(&mut self, n: u64, robot: RobotId, at: Time) {
        if let Some(sent) = self.numbered(n) {
            sent.hearers += 1;
            if sent.heard.len() < MOST_NAMED {
                sent.heard.push((robot, at));
            }
        }
    }

    fn numbered(&mut self, n: u64) -> Option<&mut Sent> {
        let first = self.sent.front()?.n;
        self.sent.get_mut(usize::try_from(n.checked_sub(first)?).ok()?)
    }

    /// How many were sent.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// What was sent since `since`, the newest last.
    pub fn arcs(&self, since: Time) -> Vec<Arc> {
        let recent = self.sent.iter().rev().take(MOST_SHOWN).take_while(|sent| sent.at >= since);
        let mut arcs: Vec<Arc> = recent.map(Sent::arc).collect();
        arcs.reverse();
        arcs
    }

    /// What was said about a task, or by or to a robot, and whether something of it is not kept any more.
    pub fn told(&self, of: Subject, until: Time) -> (Vec<Told>, bool) {
        let concerns = |sent: &&Sent| match of {
            Subject::Task(task) => sent.task == Some(TaskId(task)),
            Subject::Robot(robot) => {
                let robot = RobotId(robot);
                sent.from == robot || sent.to == Some(robot) || sent.heard.iter().any(|(heard, _)| *heard == robot)
            }
        };
        let mut told: Vec<Told> = Vec::new();
        for sent in self.sent.iter().take_while(|sent| sent.at <= until).filter(concerns) {
            // "HELP 3": what one robot says to everybody again and again is counted.
            let again = sent.to.is_none().then(|| {
                let same = |before: &&Told| before.from == sent.from.0 && before.kind == *sent.kind;
                1 + told.iter().rev().find(same).map_or(0, |before| number(&before.label))
            });
            told.push(sent.told(again, until));
        }
        // Of a call to many only some hearers are known by name: this one may have been another.
        let unsure = |sent: &Sent| matches!(of, Subject::Robot(_)) && sent.hearers as usize > sent.heard.len();
        let forgot = self.sent.front().is_some_and(|first| first.n > 0) || self.sent.iter().any(unsure);
        let surplus = told.len().saturating_sub(MOST_TOLD);
        told.drain(..surplus);
        (told, forgot || surplus > 0)
    }
}

/// The number that a label ends with.
fn number(label: &str) -> u32 {
    label.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

impl Sent {
    fn arc(&self) -> Arc {
        Arc {
            n: self.n,
            at: self.at.as_secs_f64(),
            from: self.from.0,
            to: self.to.map(|robot| robot.0),
            kind: self.kind.to_string(),
            family: self.family,
            task: self.task.map(|task| task.0),
            lost: self.lost,
            heard: self.heard.iter().map(|(robot, _)| robot.0).collect(),
            hearers: self.hearers,
        }
    }

    fn told(&self, again: Option<u32>, until: Time) -> Told {
        let heard = self.heard.iter().filter(|(_, at)| *at <= until);
        Told {
            n: self.n,
            at: self.at.as_secs_f64(),
            from: self.from.0,
            to: self.to.map(|robot| robot.0),
            kind: self.kind.to_string(),
            label: again.map_or_else(|| self.kind.to_string(), |number| format!("{} {number}", self.kind)),
            task: self.task.map(|task| task.0),
            lost: self.lost,
            heard: heard.map(|(robot, at)| (robot.0, at.as_secs_f64())).collect(),
            hearers: self.hearers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time::from_micros(seconds * 1_000_000)
    }

    fn say(air: &mut Air, at_s: u64, from: u32, to: Option<u32>, kind: &str, task: u32) {
        let to = to.map_or(Recipient::All, |robot| Recipient::Only(RobotId(robot)));
        let said = Said { kind, family: Family::Other, task: Some(TaskId(task)) };
        air.sent(at(at_s), RobotId(from), to, said, false);
    }

    /// What is said again is counted, for each robot by itself; what is said to one is not.
    #[test]
    fn calls_are_numbered() {
        let mut air = Air::default();
        for (when, from, to, kind) in
            [(1, 0, None, "HELP"), (2, 3, Some(0), "ACCEPT"), (3, 0, None, "HELP"), (4, 1, None, "HELP")]
        {
            say(&mut air, when, from, to, kind, 7);
        }
        say(&mut air, 5, 0, None, "HELP", 8);
        air.heard(2, RobotId(5), at(4));
        let (told, truncated) = air.told(Subject::Task(7), at(3));
        let labels: Vec<&str> = told.iter().map(|told| told.label.as_str()).collect();
        assert_eq!(labels, ["HELP 1", "ACCEPT", "HELP 2"]);
        assert!(told[2].heard.is_empty(), "at that time nobody had heard it");
        assert!(!truncated);
        assert_eq!(air.told(Subject::Robot(5), Time::NEVER).0.len(), 1, "it heard one");
    }

    /// Memory is bounded, and a story says that its beginning is missing.
    #[test]
    fn the_oldest_go_first() {
        let mut air = Air::default();
        for n in 0..MOST_KEPT as u64 + 5 {
            say(&mut air, n, 0, None, "HELP", 0);
        }
        air.heard(2, RobotId(1), Time::NEVER);
        air.heard(7, RobotId(1), at(8));
        let (told, truncated) = air.told(Subject::Task(0), at(7));
        assert!(truncated);
        assert_eq!(told.iter().map(|told| (told.n, told.hearers)).collect::<Vec<_>>(), [(5, 0), (6, 0), (7, 1)]);
        assert_eq!(air.arcs(Time::ZERO).len(), MOST_SHOWN);
        assert_eq!(air.twin().arcs(Time::ZERO).len(), MOST_SHOWN);
    }
}
