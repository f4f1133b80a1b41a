//! What a robot has learned about how long tasks take: the performance monitors. [Parker §6.2, §6.3.1, §8.5]

use serde::{Deserialize, Serialize};

use crate::robot::RobotId;
use crate::task::TaskId;

/// What one robot has seen of one robot's performance of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Trials")]
pub struct Lesson {
    /// The robot whose trials these are; a robot has lessons of itself, too.
    pub robot: RobotId,
    /// Seconds that each of the last trials took, the newest last. A failure counts for more than was tried.
    pub trials: Vec<f64>,
    /// mean + standard deviation of them.
    #[serde(skip)]
    task_time_s: f64,
}

/// A lesson as it is kept.
#[derive(Deserialize)]
struct Trials {
    robot: RobotId,
    trials: Vec<f64>,
}

impl From<Trials> for Lesson {
    fn from(Trials { robot, trials }: Trials) -> Self {
        Self::new(robot, trials)
    }
}

impl Lesson {
    /// From trials, the newest last.
    pub fn new(robot: RobotId, trials: Vec<f64>) -> Self {
        let task_time_s = task_time(&trials);
        Self { robot, trials, task_time_s }
    }

    /// task_time_i(k, j, t): seconds.
    #[inline]
    pub fn task_time_s(&self) -> f64 {
        self.task_time_s
    }

    fn learn(&mut self, seconds: f64, mu: usize) {
        self.trials.push(seconds);
        let old = self.trials.len().saturating_sub(mu.max(1));
        self.trials.drain(..old);
        self.task_time_s = task_time(&self.trials);
    }
}

/// mean(d) + std(d). The report does not say which standard deviation; the population's, so that a single trial has
/// one (zero).
pub fn task_time(trials: &[f64]) -> f64 {
    let count = trials.len() as f64;
    let mean = trials.iter().sum::<f64>() / count;
    let variance = trials.iter().map(|trial| (trial - mean) * (trial - mean)).sum::<f64>() / count;
    mean + variance.sqrt()
}

/// The monitor of one behaviour set: what is known of everybody who does its task, by robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Monitor {
    lessons: Vec<Lesson>,
}

impl Monitor {
    /// From lessons in any order.
    pub fn new(mut lessons: Vec<Lesson>) -> Self {
        lessons.retain(|lesson| !lesson.trials.is_empty());
        lessons.sort_by_key(|lesson| lesson.robot);
        lessons.dedup_by_key(|lesson| lesson.robot);
        Self { lessons }
    }

    /// What is known, by robot.
    pub fn lessons(&self) -> &[Lesson] {
        &self.lessons
    }

    /// Seconds that `robot` is expected to take, if it was ever seen to do the task.
    #[inline]
    pub fn task_time_s(&self, robot: RobotId) -> Option<f64> {
        self.lessons.iter().find(|lesson| lesson.robot == robot).map(Lesson::task_time_s)
    }

    /// `robot` itself says how long it takes.
    pub fn tell(&mut self, robot: RobotId, seconds: f64) {
        self.lessons.retain(|lesson| lesson.robot != robot);
        self.learn(robot, seconds, 1);
    }

    /// A trial of `robot` took this long; only the last `mu` count.
    pub fn learn(&mut self, robot: RobotId, seconds: f64, mu: usize) {
        match self.lessons.iter_mut().find(|lesson| lesson.robot == robot) {
            Some(lesson) => lesson.learn(seconds, mu),
            None => {
                let place = self.lessons.partition_point(|lesson| lesson.robot < robot);
                self.lessons.insert(place, Lesson::new(robot, vec![seconds]));
            }
        }
    }
}

/// What is known of one task. A robot keeps nothing on tasks that it cannot do itself. [Parker §6.2]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The task that was tried.
    pub task: TaskId,
    /// What was seen of each robot that has tried it.
    pub lessons: Vec<Lesson>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: RobotId = RobotId(3);

    /// [Parker §6.3.1] "the average time plus one standard deviation".
    #[test]
    fn task_time_is_mean_plus_one_standard_deviation() {
        assert_eq!(task_time(&[10.0]), 10.0);
        assert_eq!(task_time(&[8.0, 12.0]), 12.0);
        assert_eq!(task_time(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), 7.0);
    }

    /// [Parker §6.3.1] "maintaining this information over only the previous mu trials".
    #[test]
    fn only_the_last_mu_trials_count() {
        let mut monitor = Monitor::default();
        for seconds in [100.0, 10.0, 10.0, 10.0, 10.0, 10.0] {
            monitor.learn(R, seconds, 5);
        }
        assert_eq!(monitor.task_time_s(R), Some(10.0));
        assert_eq!(monitor.task_time_s(RobotId(0)), None);
    }

    /// [Parker §8.5] "repeated failures cause the expected completion time of the failed task to monotonically
    /// increase".
    #[test]
    fn repeated_failures_make_a_task_look_longer_and_longer() {
        let mut monitor = Monitor::default();
        monitor.learn(R, 10.0, 5);
        let mut before = 10.0;
        for _ in 0..10 {
            // It tries for lambda, 2.5 times what it expects, and that counts twice.
            monitor.learn(R, 2.0 * 2.5 * before, 5);
            let now = monitor.task_time_s(R).unwrap_or_default();
            assert!(now > before);
            before = now;
        }
    }
}
