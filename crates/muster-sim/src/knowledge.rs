//! What robots have learned about how long tasks take whom, as a file that people can read and change.
//!
//! ```toml
//! format = "muster-knowledge-1"
//!
//! [robots.r2-a.push-right]
//! r2-b = [10.2, 9.8]
//! ```
//!
//! says what r2-a has seen of r2-b at push-right: seconds of its last trials, the newest last. A robot keeps nothing
//! about tasks that it cannot do itself. [Parker §6.2]

use std::path::Path;

use indexmap::IndexMap;
use muster_core::alliance::{Known, Lesson};
use muster_core::{RobotId, TaskId};
use serde::{Deserialize, Serialize};

use crate::scenario::{Loaded, Misfit, OutOfRange, Positive, ScenarioError, did_you_mean, in_file};

/// The version of the format.
const FORMAT: &str = "muster-knowledge-1";

/// What each robot of a team has learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knowledge(pub Vec<Vec<Known>>);

/// Seconds that a trial took: none, if the work was shorter than the clock can tell.
#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
struct Trial(f64);

impl TryFrom<f64> for Trial {
    type Error = OutOfRange;
    fn try_from(seconds: f64) -> Result<Self, OutOfRange> {
        // A whole trial of nothing is one; anything else is a length of time like any other.
        if seconds == 0.0 { Ok(Self(0.0)) } else { Positive::new(seconds).map(|seconds| Self(seconds.get())) }
    }
}

impl From<Trial> for f64 {
    fn from(Trial(seconds): Trial) -> f64 {
        seconds
    }
}

/// The file: robot, task, observed robot, seconds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Option<String>,
    #[serde(default)]
    robots: IndexMap<String, IndexMap<String, IndexMap<String, Vec<Trial>>>>,
}

impl Knowledge {
    /// What a robot has learned; nothing if it is not among them.
    pub fn of(&self, robot: RobotId) -> &[Known] {
        self.0.get(robot.index()).map_or(&[], Vec::as_slice)
    }

    /// Nobody has learned anything.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// As a file.
    pub fn to_toml(&self, loaded: &Loaded) -> String {
        let robot = |index: usize| loaded.mission.robots[index].name.to_string();
        let lesson = |lesson: &Lesson| {
            let trials = lesson.trials.iter().map(|trial| Trial(*trial)).collect();
            (robot(lesson.robot.index()), trials)
        };
        let known =
            |known: &Known| (loaded.task_names[known.task.index()].clone(), known.lessons.iter().map(lesson).collect());
        let robots = self.0.iter().enumerate().filter(|(_, known)| !known.is_empty());
        let file = File {
            format: Some(FORMAT.to_owned()),
            robots: robots.map(|(index, all)| (robot(index), all.iter().map(known).collect())).collect(),
        };
        let head =
            "# What each robot has seen: [robots.<it>.<task>], <whom> = seconds of its last trials, newest last.\n";
        format!("{head}{}", toml::to_string(&file).expect("names and numbers can be written"))
    }

    /// Reads a file.
    pub fn read(path: &Path, loaded: &Loaded) -> Result<Self, ScenarioError> {
        let origin = path.display().to_string();
        let text = muster_files::text(path).map_err(|error| ScenarioError::unreadable(&origin, &error))?;
        Self::parse(&origin, &text, loaded)
    }

    /// Reads the text of a file; `origin` is what errors call it.
    pub fn parse(origin: &str, text: &str, loaded: &Loaded) -> Result<Self, ScenarioError> {
        in_file(origin, text, |file: File| numbers(&file, loaded))
    }
}

fn numbers(file: &File, loaded: &Loaded) -> Result<Knowledge, Misfit> {
    if file.format.as_deref() != Some(FORMAT) {
        let is =
            file.format.as_ref().map_or("there is no format".to_owned(), |format| format!("the format is `{format}`"));
        let message = format!("{is}, and this program reads `{FORMAT}`");
        return Err(Misfit::new(&["format"], message, "make the file again with `muster train SCENARIO --save FILE`"));
    }
    let robot_names: Vec<&str> = loaded.mission.robots.iter().map(|robot| &*robot.name).collect();
    let task_names: Vec<&str> = loaded.task_names.iter().map(String::as_str).collect();
    let find = |kind: &str, names: &[&str], name: &str, key: &[&str]| {
        names.iter().position(|known| *known == name).ok_or_else(|| {
            let message = format!("there is no {kind} `{name}` in scenario {}", loaded.name);
            Misfit::new(key, message, did_you_mean(name, names, "there are"))
        })
    };
    let mut knowledge = vec![Vec::new(); robot_names.len()];
    for (robot, tasks) in &file.robots {
        let index = find("robot", &robot_names, robot, &["robots", robot])?;
        for (task, seen) in tasks {
            let key = ["robots", robot, task];
            let number = TaskId(find("task", &task_names, task, &key)? as u32);
            let able = |robot: usize| {
                let labour = loaded.mission.labour.as_ref();
                labour.is_some_and(|labour| labour.time(number, RobotId(robot as u32)).is_some())
            };
            if !able(index) {
                let message = format!("{robot} cannot do {task}, so it keeps nothing about it");
                return Err(Misfit::new(&key, message, "leave it out"));
            }
            let mut lessons = Vec::new();
            for (mate, trials) in seen {
                let mate_id = RobotId(find("robot", &robot_names, mate, &["robots", robot, task, mate])? as u32);
                if !able(mate_id.index()) {
                    let message = format!("{mate} cannot do {task}, so nobody has seen it do so");
                    return Err(Misfit::new(&["robots", robot, task, mate], message, "leave it out"));
                }
                if trials.is_empty() {
                    let message = format!("{robot} has seen no trial of {mate} at {task}");
                    let help = "give at least one time in seconds, or leave the line out";
                    return Err(Misfit::new(&["robots", robot, task, mate], message, help));
                }
                lessons.push(Lesson::new(mate_id, trials.iter().map(|Trial(seconds)| *seconds).collect()));
            }
            lessons.sort_by_key(|lesson| lesson.robot);
            knowledge[index].push(Known { task: number, lessons });
        }
        knowledge[index].sort_by_key(|known: &Known| known.task);
    }
    Ok(Knowledge(knowledge))
}
