//! Who takes part: what robots and tasks are called, and what else has to be known of robots to feed their machines. A
//! scenario gives one, and so can the file of a real robot.

use std::sync::Arc;

use muster_core::affect::Name;
use muster_core::motion::Motion;
use muster_core::panel::Names;
use muster_core::{Body, Percepts, Point, RobotId, TaskId};

use crate::columns::{escaped, unescaped};
use crate::reader::{ReadError, Unread};

/// Who takes part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cast {
    /// The robots, by number.
    pub robots: Vec<Member>,
    /// The names of the tasks that are known beforehand, by number.
    pub tasks: Vec<String>,
    /// How the robots coordinate, in the words of their own file: a strategy, or a section of settings.
    pub scheme: String,
}

/// A robot of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// What it is called.
    pub name: Arc<str>,
    /// What it can perceive.
    pub percepts: Percepts,
    /// How fast it drives.
    pub speed_mps: f64,
}

impl Cast {
    /// The body of a robot that has not moved yet, if there is that robot.
    pub(crate) fn body(&self, id: RobotId) -> Option<Body> {
        let Member { percepts, speed_mps, .. } = *self.robots.get(id.index())?;
        Some(Body { id, percepts, speed_mps, motion: Motion::still(Point::default()) })
    }

    /// As keys of a header.
    pub(crate) fn to_metadata(&self) -> [(String, String); 3] {
        let robot =
            |Member { name, percepts, speed_mps }: &Member| format!("{}\t{}\t{speed_mps}", escaped(name), percepts.0);
        let lines = |lines: Vec<String>| lines.join("\n");
        [
            ("robots", lines(self.robots.iter().map(robot).collect())),
            ("tasks", lines(self.tasks.iter().map(|name| escaped(name)).collect())),
            ("scheme", self.scheme.clone()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
    }

    /// From the keys of a header.
    pub(crate) fn from_metadata(file: &Unread) -> Result<Self, ReadError> {
        let robot = |line: &str| {
            let mut columns = line.split('\t');
            let (name, percepts, speed, None) = (columns.next()?, columns.next()?, columns.next()?, columns.next())
            else {
                return None;
            };
            let speed_mps = speed.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed >= 0.0)?;
            Some(Member { name: unescaped(name).into(), percepts: Percepts(percepts.parse().ok()?), speed_mps })
        };
        let robots = file.field("robots")?.lines().map(|line| {
            robot(line).ok_or_else(|| {
                ReadError::Header(format!("`robots` has the line `{line}`, not a name, percepts and a speed"))
            })
        });
        Ok(Self {
            robots: robots.collect::<Result<_, _>>()?,
            tasks: file.field("tasks")?.lines().map(unescaped).collect(),
            scheme: file.field("scheme")?.to_owned(),
        })
    }
}

impl Names for Cast {
    fn robot(&self, robot: RobotId) -> Name {
        self.robots.get(robot.index()).map_or_else(|| robot.to_string().into(), |member| (&*member.name).into())
    }

    fn task(&self, task: TaskId) -> Name {
        self.tasks.get(task.index()).map_or_else(|| task.to_string().into(), |name| name.as_str().into())
    }
}
