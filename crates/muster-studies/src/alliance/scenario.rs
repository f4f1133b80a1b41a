//! The missions of the report's study: how many robots, how many tasks, who can do what, how different they are.

use muster_core::rng::{Purpose, Stream};
use serde::Serialize;

/// A scenario of the study. [Parker §7.3]
#[derive(Copy, Clone, Debug, PartialEq, PartialOrd, Serialize)]
pub struct Scenario {
    /// n.
    pub robots: u32,
    /// m.
    pub tasks: u32,
    /// How many robots can do each task.
    pub coverage: u32,
    /// By how much the slowest may differ: 1 is 100 %.
    pub heterogeneity: f64,
}

/// Areas of the study in which strategies compare alike: by coverage / m. K7: the axis of Figure 3 says coverage / n,
/// but these borders are lines through its origin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Region(pub u8);

impl Region {
    /// 1 to 4.
    pub const ALL: [Self; 4] = [Self(1), Self(2), Self(3), Self(4)];
}

impl Scenario {
    /// Where it belongs. [Parker §7.3.1]
    pub fn region(&self) -> Region {
        // In whole numbers: 0.4 has no exact representation, and 2 of 5 is on the border.
        let (coverage, tasks) = (u64::from(self.coverage), u64::from(self.tasks));
        if coverage > tasks {
            Region(1)
        } else if 10 * coverage > 4 * tasks {
            Region(2)
        } else if 10 * coverage > tasks {
            Region(3)
        } else {
            Region(4)
        }
    }

    /// n^m: what trying everything would cost.
    pub fn allocations(&self) -> f64 {
        f64::from(self.robots).powi(self.tasks as i32)
    }
}

/// Degrees of heterogeneity of our grid.
pub const HETEROGENEITIES: [f64; 5] = [0.0, 1.0, 2.0, 8.0, 32.0];

/// Missions of all combinations of these.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grid {
    /// Team sizes.
    pub robots: Vec<u32>,
    /// Mission sizes.
    pub tasks: Vec<u32>,
    /// How many robots can do each task; combinations with fewer robots than that are left out.
    pub coverage: Vec<u32>,
    /// Degrees of heterogeneity: 1 is 100 %.
    pub heterogeneity: Vec<f64>,
}

impl Grid {
    /// Ours, over the report's ranges.
    pub fn report() -> Self {
        Self {
            robots: vec![2, 4, 6, 10, 20],
            tasks: vec![1, 2, 4, 8, 14, 20, 40],
            coverage: vec![1, 2, 4, 7, 10],
            heterogeneity: HETEROGENEITIES.to_vec(),
        }
    }

    /// Its scenarios.
    pub fn scenarios(&self) -> Vec<Scenario> {
        let mut all = Vec::new();
        for &robots in &self.robots {
            for &tasks in &self.tasks {
                for &coverage in self.coverage.iter().filter(|coverage| **coverage <= robots) {
                    let with = |&heterogeneity| Scenario { robots, tasks, coverage, heterogeneity };
                    all.extend(self.heterogeneity.iter().map(with));
                }
            }
        }
        all
    }
}

/// The missions small enough for the optimum by trying everything, as Figure 10 has them. The report's own 496 cannot
/// be identified.
pub fn figure_10() -> Vec<Scenario> {
    let mut set = Vec::new();
    for robots in 2..=10 {
        for tasks in 1..=9 {
            for coverage in 1..=robots {
                set.extend(HETEROGENEITIES.map(|heterogeneity| Scenario { robots, tasks, coverage, heterogeneity }));
            }
        }
    }
    set.retain(|scenario: &Scenario| scenario.allocations() <= 1.1e6);
    set
}

/// Larger missions, for which the optimum takes an exact solver.
pub fn larger() -> Vec<Scenario> {
    let shapes = [
        (10, 6, 8),
        (8, 4, 6),
        (6, 3, 5),
        (10, 14, 10),
        (8, 10, 6),
        (6, 8, 6),
        (6, 12, 4),
        (8, 16, 4),
        (10, 20, 5),
        (10, 40, 2),
        (10, 40, 4),
    ];
    let with = |(robots, tasks, coverage)| {
        let of = move |heterogeneity| Scenario { robots, tasks, coverage, heterogeneity };
        HETEROGENEITIES.into_iter().filter(|heterogeneity| *heterogeneity > 0.0).map(of)
    };
    shapes.into_iter().flat_map(with).collect()
}

/// How times spread between the quickest and the slowest.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// 100 (1 + h U).
    Uniform,
    /// 100 (1 + h)^U.
    LogUniform,
}

/// The time of a task at no heterogeneity, in seconds.
pub const BASE_S: f64 = 100.0;

/// One mission: how long each robot takes for each task.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Robots.
    pub robots: usize,
    /// Seconds by task, then robot; `None` if it cannot.
    pub times: Vec<Vec<Option<f64>>>,
}

impl Instance {
    /// Draws one. Each task gets a random subset of `coverage` robots, and each of these a time.
    pub fn draw(scenario: &Scenario, spread: Spread, seed: u64) -> Self {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let robots = scenario.robots as usize;
        let mut order: Vec<usize> = (0..robots).collect();
        let times = (0..scenario.tasks).map(|_| {
            let mut times = vec![None; robots];
            for place in 0..scenario.coverage.min(scenario.robots) as usize {
                let other = place + stream.below((robots - place) as u32) as usize;
                order.swap(place, other);
                let u = stream.uniform();
                times[order[place]] = Some(match spread {
                    Spread::Uniform => BASE_S * (1.0 + scenario.heterogeneity * u),
                    Spread::LogUniform => BASE_S * libm::pow(1.0 + scenario.heterogeneity, u),
                });
            }
            times
        });
        Self { robots, times: times.collect() }
    }

    /// Every task can be done by somebody among these robots.
    pub fn doable_by(&self, alive: impl Fn(usize) -> bool) -> bool {
        let able =
            |times: &Vec<Option<f64>>| times.iter().enumerate().any(|(robot, time)| time.is_some() && alive(robot));
        self.times.iter().all(able)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(robots: u32, tasks: u32, coverage: u32) -> u8 {
        Scenario { robots, tasks, coverage, heterogeneity: 1.0 }.region().0
    }

    /// [Parker §7.3.1], with the exemplars that can still be read.
    #[test]
    fn regions_are_by_coverage_over_tasks() {
        assert_eq!([at(4, 2, 3), at(10, 14, 10), at(6, 12, 4), at(10, 40, 4)], [1, 2, 3, 4]);
        assert_eq!([at(9, 5, 5), at(9, 5, 2), at(10, 10, 1)], [2, 3, 4], "borders belong below");
    }

    #[test]
    fn sets_are_as_large_as_they_should_be() {
        assert_eq!((Grid::report().scenarios().len(), figure_10().len(), larger().len()), (630, 1870, 44));
    }

    #[test]
    fn an_instance_has_its_coverage_and_spread() {
        let scenario = Scenario { robots: 6, tasks: 40, coverage: 4, heterogeneity: 2.0 };
        for spread in [Spread::Uniform, Spread::LogUniform] {
            let instance = Instance::draw(&scenario, spread, 1);
            for times in &instance.times {
                assert_eq!(times.iter().flatten().count(), 4);
                assert!(times.iter().flatten().all(|time| (100.0..300.0).contains(time)));
            }
        }
        assert_eq!(Instance::draw(&scenario, Spread::Uniform, 1), Instance::draw(&scenario, Spread::Uniform, 1));
    }
}
