//! Notes told in tests: of robots r0, r1, .. and tasks t0, t1, ..

use crate::affect::{Name, Rows, Table};
use crate::event::{Event, Note};
use crate::names::Names;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::telling::{Line, Reason, Teller, Wording};
use crate::time::{Duration, Time};

struct Lettered;

impl Names for Lettered {
    fn robot(&self, robot: RobotId) -> Name {
        format!("r{}", robot.0).into()
    }

    fn task(&self, task: TaskId) -> Name {
        format!("t{}", task.0).into()
    }

    fn robot_count(&self) -> u32 {
        9
    }

    fn task_count(&self) -> u32 {
        2
    }
}

/// A run that is told.
#[derive(Clone)]
pub struct Trial {
    teller: Teller,
    emotions: Table,
}

pub fn seconds(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

impl Trial {
    pub fn new() -> Self {
        let emotions = Table::new(Rows::default()).expect("a table of nothing");
        Self { teller: Teller::default(), emotions }
    }

    /// What a robot notes at a second.
    pub fn tell(&mut self, at_s: u64, robot: u32, event: Event) -> Line {
        let wording = Wording { names: &Lettered, emotions: &self.emotions };
        self.teller.line(wording, &Note { at: seconds(at_s), robot: RobotId(robot), event })
    }

    fn wording(&self) -> Wording<'_> {
        Wording { names: &Lettered, emotions: &self.emotions }
    }

    /// Why nobody took a task, in words and counts.
    pub fn nobody(&self, task: u32) -> Vec<(&'static str, u32, String)> {
        let nobody = self.teller.nobody_for(self.wording(), TaskId(task));
        let told = |Reason { why, count, text }: Reason| (why, count, text);
        nobody.map_or_else(Vec::new, |nobody| nobody.reasons.into_iter().map(told).collect())
    }

    /// Somebody has a task, and has not done it yet.
    pub fn under_way(&self, task: u32) -> bool {
        self.teller.nobody_for(self.wording(), TaskId(task)).is_some_and(|nobody| nobody.under_way)
    }

    /// The tasks that nobody took.
    pub fn untaken(&self) -> Vec<u32> {
        self.teller.nobody(self.wording()).iter().map(|nobody| nobody.task.0).collect()
    }
}

/// The reasons are these, in this order.
pub fn check(told: &[(&'static str, u32, String)], expected: &[(&str, u32, &str)]) {
    let told: Vec<(&str, u32, &str)> = told.iter().map(|(why, count, text)| (*why, *count, &**text)).collect();
    assert_eq!(told, expected);
}

/// A sentence names these robots, in this order, and its line is about each.
pub fn check_named(line: &Line, expected: &[u32]) {
    let words = line.text.split(|letter: char| !letter.is_alphanumeric());
    let named: Vec<u32> = words.filter_map(|word| word.strip_prefix('r')?.parse().ok()).collect();
    assert_eq!(named, expected, "{}", line.text);
    let missed: Vec<&u32> = named.iter().filter(|robot| !line.concerns(RobotId(**robot))).collect();
    assert!(missed.is_empty(), "{} is not about {missed:?}", line.text);
}
