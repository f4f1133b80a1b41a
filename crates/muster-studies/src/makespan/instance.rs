//! Who can do what, and how long it takes.

use thiserror::Error;

/// A mission of independent tasks: how long each robot takes for each task, if it can do it at all.
///
/// [Parker §5] the ALLIANCE Efficiency Problem, known in scheduling as R||Cmax with eligibility: give every task to
/// one robot so that the last robot to finish finishes as early as possible. Robots and tasks count from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    robots: usize,
    /// Task by task, since solvers ask which robots could do a task; infinite where the robot cannot.
    times: Vec<f64>,
}

/// Why times are no instance.
#[derive(Copy, Clone, Debug, PartialEq, Error)]
pub enum InstanceError {
    /// No robots.
    #[error("there are no robots")]
    NoRobots,
    /// No tasks.
    #[error("there are no tasks")]
    NoTasks,
    /// A robot has more or fewer times than there are tasks.
    #[error("robot {robot} has {found} times, robot 0 has {expected}")]
    Ragged {
        /// The robot whose row is shorter or longer than the first.
        robot: usize,
        /// How many times it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// A time that is no duration.
    #[error("robot {robot} takes {value} for task {task}, which is no duration")]
    NoDuration {
        /// The robot, by row.
        robot: usize,
        /// The task, by column.
        task: usize,
        /// What was given.
        value: f64,
    },
    /// A task that nobody can do.
    #[error("no robot can do task {task}")]
    NobodyCan {
        /// The task, by column.
        task: usize,
    },
    /// The times are so long that their sum is not finite.
    #[error("the times add up to more than can be counted")]
    Endless,
}

impl Instance {
    /// An instance from one row per robot with one time per task; `None` where the robot cannot do the task.
    pub fn new(rows: &[Vec<Option<f64>>]) -> Result<Self, InstanceError> {
        let expected = rows.first().ok_or(InstanceError::NoRobots)?.len();
        for (robot, row) in rows.iter().enumerate() {
            if row.len() != expected {
                return Err(InstanceError::Ragged { robot, found: row.len(), expected });
            }
        }
        Self::from_fn(rows.len(), expected, |robot, task| rows[robot][task])
    }

    /// An instance from a function of robot and task.
    pub fn from_fn(
        robots: usize,
        tasks: usize,
        mut time: impl FnMut(usize, usize) -> Option<f64>,
    ) -> Result<Self, InstanceError> {
        if robots == 0 {
            return Err(InstanceError::NoRobots);
        }
        if tasks == 0 {
            return Err(InstanceError::NoTasks);
        }
        let mut times = Vec::with_capacity(robots * tasks);
        let mut total = 0.0;
        for task in 0..tasks {
            let mut longest = f64::NEG_INFINITY;
            for robot in 0..robots {
                let time = time(robot, task);
                if let Some(value) = time {
                    if !(value.is_finite() && value > 0.0) {
                        return Err(InstanceError::NoDuration { robot, task, value });
                    }
                    longest = longest.max(value);
                }
                times.push(time.unwrap_or(f64::INFINITY));
            }
            if longest == f64::NEG_INFINITY {
                return Err(InstanceError::NobodyCan { task });
            }
            total += longest;
        }
        // Squares and products of loads turn up in bounds: far from where they overflow, nothing can go wrong.
        if total > 1e100 { Err(InstanceError::Endless) } else { Ok(Self { robots, times }) }
    }

    /// How many robots there are.
    pub fn robots(&self) -> usize {
        self.robots
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.times.len() / self.robots
    }

    /// How long `robot` takes for `task`; `None` if it cannot do it.
    pub fn time(&self, robot: usize, task: usize) -> Option<f64> {
        Some(self.times_of(task)[robot]).filter(|time| time.is_finite())
    }

    /// How long each robot takes for `task`; infinite where it cannot do it.
    pub fn times_of(&self, task: usize) -> &[f64] {
        &self.times[task * self.robots..(task + 1) * self.robots]
    }

    /// Who can do `task`, and how long each takes.
    pub fn able(&self, task: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.times_of(task).iter().copied().enumerate().filter(|(_, time)| time.is_finite())
    }

    /// When each robot finishes under an assignment (robot by task); infinite where it cannot do what it was given.
    pub fn loads(&self, assignment: &[usize]) -> Vec<f64> {
        let mut loads = vec![0.0; self.robots];
        for (task, &robot) in assignment.iter().enumerate() {
            loads[robot] += self.times_of(task)[robot];
        }
        loads
    }

    /// When the last robot finishes under an assignment.
    pub fn makespan(&self, assignment: &[usize]) -> f64 {
        latest(&self.loads(assignment))
    }
}

/// When the last of them is done.
pub(super) fn latest(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[f64]]) -> Result<Instance, InstanceError> {
        let row = |row: &&[f64]| row.iter().map(|&time| Some(time)).collect();
        Instance::new(&rows.iter().map(row).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_no_instance() {
        assert_eq!(rows(&[]), Err(InstanceError::NoRobots));
        assert_eq!(rows(&[&[], &[]]), Err(InstanceError::NoTasks));
        assert_eq!(rows(&[&[1.0, 2.0], &[1.0]]), Err(InstanceError::Ragged { robot: 1, found: 1, expected: 2 }));
        for value in [-1.0, 0.0, f64::INFINITY] {
            assert_eq!(
                rows(&[&[1.0, 2.0], &[1.0, value]]),
                Err(InstanceError::NoDuration { robot: 1, task: 1, value })
            );
        }
        assert!(matches!(rows(&[&[f64::NAN]]), Err(InstanceError::NoDuration { robot: 0, task: 0, .. })));
        assert_eq!(
            Instance::new(&[vec![Some(1.0), None], vec![None, None]]),
            Err(InstanceError::NobodyCan { task: 1 })
        );
        assert_eq!(rows(&[&[f64::MAX, f64::MAX]]), Err(InstanceError::Endless));
    }

    #[test]
    fn loads_and_makespan() {
        let instance = Instance::new(&[vec![Some(1.0), Some(2.0), None], vec![None, Some(5.0), Some(4.0)]]);
        let instance = instance.expect("it is one");
        assert_eq!((instance.robots(), instance.tasks()), (2, 3));
        assert_eq!((instance.time(0, 1), instance.time(0, 2)), (Some(2.0), None));
        assert_eq!(instance.able(2).collect::<Vec<_>>(), [(1, 4.0)]);
        assert_eq!(instance.loads(&[0, 0, 1]), [3.0, 4.0]);
        assert_eq!(instance.makespan(&[0, 1, 1]), 9.0);
    }
}
