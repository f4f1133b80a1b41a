//! Work that takes time: who is at which task, what is left of it, and when it will be done.
//!
//! With *progress when working* what one robot has done stays done: rates add while several are at it, and whoever
//! takes over goes on from there. Without it each robot has to do the whole task itself, in one go. [Parker §7,
//! Condition 2]

use std::borrow::Cow;

use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, RobotId, TaskId, Time};

/// How long robots take for tasks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labour {
    /// What one robot has done, another need not do again.
    pub progress_when_working: bool,
    /// By task, then robot; `None` if it cannot. A robot that believes it can but never will takes
    /// [`Labour::NEVER_DONE`].
    pub times: Vec<Vec<Option<Duration>>>,
    /// By how much a robot's time differs from one go to the next: standard deviation by mean.
    pub scatter: f64,
}

impl Labour {
    /// Longer than any mission.
    pub const NEVER_DONE: Duration = Duration::FOREVER;

    /// How long `robot` takes for `task` on its own, if it can do it.
    pub fn time(&self, task: TaskId, robot: RobotId) -> Option<Duration> {
        *self.times.get(task.index())?.get(robot.index())?
    }

    /// How different robots are: by what share the slowest is slower than the quickest, at the task where that is
    /// most. [Parker §7.3] speaks of it in percent.
    pub fn heterogeneity(&self) -> f64 {
        let of_task = |times: &Vec<Option<Duration>>| {
            let able =
                || times.iter().flatten().filter(|time| **time < Self::NEVER_DONE).map(|time| time.as_secs_f64());
            able().fold(0.0, f64::max) / able().fold(f64::INFINITY, f64::min).max(1e-6) - 1.0
        };
        self.times.iter().map(of_task).fold(0.0, f64::max)
    }
}

/// When a task will be done, unless somebody comes or goes before.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// The instant at which it will be done.
    pub at: Time,
    /// Which forecast for this task: a later one makes it void.
    pub version: u32,
}

/// The tasks of one run.
#[derive(Clone, Debug)]
pub struct Works<'m> {
    labour: Cow<'m, Labour>,
    sites: Vec<Site>,
    /// What each robot is at.
    at: Vec<Option<TaskId>>,
    /// What each robot's scatter is drawn from; empty without any.
    dice: Vec<Stream>,
}

#[derive(Clone, Debug)]
struct Site {
    workers: Vec<Worker>,
    /// The share of the work that is left, as of a time; stays 1 without progress when working.
    left: f64,
    as_of: Time,
    version: u32,
}

#[derive(Copy, Clone, Debug)]
struct Worker {
    robot: RobotId,
    since: Time,
    /// How long the whole task takes it, this time.
    takes: Duration,
}

impl<'m> Works<'m> {
    /// Nothing is done yet, by any of `team` robots.
    pub fn new(labour: &'m Labour, team: usize, seed: u64) -> Self {
        let site = Site { workers: Vec::new(), left: 1.0, as_of: Time::ZERO, version: 0 };
        let dice = |robot| Stream::new(seed, Purpose::Labour, RobotId(robot));
        let scatters = labour.scatter > 0.0;
        Self {
            sites: vec![site; labour.times.len()],
            labour: Cow::Borrowed(labour),
            at: vec![None; team],
            dice: if scatters { (0..team as u32).map(dice).collect() } else { Vec::new() },
        }
    }

    /// How long robots take for tasks.
    pub fn labour(&self) -> &Labour {
        &self.labour
    }

    /// There is one task more, and robots take this long for it.
    pub fn enter(&mut self, times: Vec<Option<Duration>>) {
        self.labour.to_mut().times.push(times);
        self.sites.push(Site { workers: Vec::new(), left: 1.0, as_of: Time::ZERO, version: 0 });
    }

    /// How long the robot takes for what it is at, this time.
    pub fn takes(&self, robot: RobotId) -> Option<Duration> {
        let site = &self.sites[(*self.at.get(robot.index())?)?.index()];
        site.workers.iter().find(|worker| worker.robot == robot).map(|worker| worker.takes)
    }

    fn draw(&mut self, time: Duration, robot: RobotId) -> Duration {
        match self.dice.get_mut(robot.index()) {
            // Never less than a tenth: a normal distribution has tails that no robot has.
            Some(dice) => time.stretched((1.0 + self.labour.scatter * dice.normal()).max(0.1)),
            None => time,
        }
    }

    /// `robot` begins. The task's new forecast, if it will ever be done as things are.
    pub fn begin(&mut self, task: TaskId, robot: RobotId, now: Time) -> Option<Forecast> {
        let time = self.labour.time(task, robot)?;
        let takes = self.draw(time, robot);
        self.at[robot.index()] = Some(task);
        let site = self.sites.get_mut(task.index())?;
        settle(site, &self.labour, now);
        site.workers.retain(|worker| worker.robot != robot);
        site.workers.push(Worker { robot, since: now, takes });
        self.forecast(task)
    }

    /// `robot` stops whatever it is at. The new forecast of that task.
    pub fn end(&mut self, robot: RobotId, now: Time) -> Option<(TaskId, Option<Forecast>)> {
        let task = self.at[robot.index()].take()?;
        let site = &mut self.sites[task.index()];
        settle(site, &self.labour, now);
        site.workers.retain(|worker| worker.robot != robot);
        Some((task, self.forecast(task)))
    }

    /// A forecast came true: who has done the task. Empty if it is void.
    pub fn complete(&mut self, task: TaskId, version: u32, now: Time) -> Vec<RobotId> {
        let site = &mut self.sites[task.index()];
        if site.version != version {
            return Vec::new();
        }
        let done = |worker: &&Worker| self.labour.progress_when_working || worker.since + worker.takes <= now;
        let by = site.workers.iter().filter(done).map(|worker| worker.robot).collect();
        for worker in site.workers.drain(..) {
            self.at[worker.robot.index()] = None;
        }
        site.version += 1;
        // Should it come up again, it is all to be done again.
        site.left = 1.0;
        by
    }

    /// The task is elsewhere now: whatever was done at it counts no longer. Who was at it.
    pub fn abandon(&mut self, task: TaskId) -> Vec<RobotId> {
        let Some(site) = self.sites.get_mut(task.index()) else { return Vec::new() };
        // Void, whatever was forecast.
        site.version += 1;
        site.left = 1.0;
        let robots: Vec<RobotId> = site.workers.drain(..).map(|worker| worker.robot).collect();
        for robot in &robots {
            self.at[robot.index()] = None;
        }
        robots
    }

    fn forecast(&mut self, task: TaskId) -> Option<Forecast> {
        let site = &mut self.sites[task.index()];
        site.version += 1;
        let at = if self.labour.progress_when_working {
            let rate = rate(site);
            if rate <= 0.0 {
                return None;
            }
            site.as_of + Duration::from_secs_f64(site.left / rate)
        } else {
            site.workers.iter().map(|worker| worker.since + worker.takes).min()?
        };
        let never = Time::ZERO + Labour::NEVER_DONE;
        (at < never).then_some(Forecast { at, version: site.version })
    }
}

/// Shares of the task per second.
fn rate(site: &Site) -> f64 {
    let times = site.workers.iter().map(|worker| worker.takes);
    times.filter(|time| *time < Labour::NEVER_DONE).map(|time| 1.0 / time.as_secs_f64().max(1e-6)).sum()
}

/// Takes off what was done since the last change.
fn settle(site: &mut Site, labour: &Labour, now: Time) {
    if labour.progress_when_working {
        let done = rate(site) * now.since(site.as_of).as_secs_f64();
        site.left = (site.left - done).max(0.0);
    }
    site.as_of = now;
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: TaskId = TaskId(0);
    const SLOW: RobotId = RobotId(0);
    const QUICK: RobotId = RobotId(1);

    fn labour(progress_when_working: bool) -> Labour {
        let secs = |s| Some(Duration::from_secs(s));
        Labour { progress_when_working, times: vec![vec![secs(100), secs(50)]], scatter: 0.0 }
    }

    fn at(s: u64) -> Time {
        Time::ZERO + Duration::from_secs(s)
    }

    #[test]
    fn without_progress_everybody_begins_at_the_beginning() {
        let labour = labour(false);
        let mut works = Works::new(&labour, 2, 1);
        let forecast = works.begin(TASK, SLOW, at(0)).unwrap();
        assert_eq!(forecast.at, at(100));
        assert_eq!(works.begin(TASK, QUICK, at(60)).unwrap().at, at(100), "the slow robot is first");
        let (_, forecast) = works.end(SLOW, at(70)).unwrap();
        assert_eq!(forecast.unwrap().at, at(110));
        assert_eq!(works.complete(TASK, forecast.unwrap().version, at(110)), [QUICK]);
    }

    #[test]
    fn with_progress_rates_add_and_what_is_done_stays_done() {
        let labour = labour(true);
        let mut works = Works::new(&labour, 2, 1);
        works.begin(TASK, SLOW, at(0));
        // After 40 s, 0.6 is left; together they do 0.03 a second.
        let forecast = works.begin(TASK, QUICK, at(40)).unwrap();
        assert_eq!(forecast.at, at(60));
        // After 10 s of that, 0.3 is left for the quick one.
        let (_, forecast) = works.end(SLOW, at(50)).unwrap();
        assert_eq!(forecast.unwrap().at, at(65));
        assert_eq!(works.complete(TASK, forecast.unwrap().version, at(65)), [QUICK]);
    }

    #[test]
    fn what_was_done_at_an_abandoned_place_counts_no_longer() {
        for progress in [false, true] {
            let labour = labour(progress);
            let mut works = Works::new(&labour, 2, 1);
            let old = works.begin(TASK, SLOW, at(0)).unwrap();
            assert_eq!(works.abandon(TASK), [SLOW]);
            assert!(works.complete(TASK, old.version, at(100)).is_empty());
            assert_eq!(works.end(SLOW, at(60)), None, "it is at nothing");
            assert_eq!(works.begin(TASK, QUICK, at(60)).unwrap().at, at(110), "the whole task, once more");
        }
    }

    #[test]
    fn a_forecast_that_was_overtaken_is_void() {
        let labour = labour(false);
        let mut works = Works::new(&labour, 2, 1);
        let old = works.begin(TASK, SLOW, at(0)).unwrap();
        works.end(SLOW, at(10));
        works.begin(TASK, SLOW, at(20));
        assert!(works.complete(TASK, old.version, at(100)).is_empty());
    }

    #[test]
    fn a_robot_that_never_gets_done_has_no_forecast() {
        let times = vec![vec![Some(Labour::NEVER_DONE), None]];
        let labour = Labour { progress_when_working: true, times, scatter: 0.0 };
        let mut works = Works::new(&labour, 2, 1);
        assert_eq!(works.begin(TASK, SLOW, at(0)), None);
        assert_eq!(works.begin(TASK, QUICK, at(0)), None);
    }

    #[test]
    fn times_that_scatter_do_so_around_their_mean_and_are_drawn_from_the_seed() {
        let labour = Labour { scatter: 0.05, ..labour(false) };
        let drawn = |seed| {
            let mut works = Works::new(&labour, 2, seed);
            let mut draw = || works.begin(TASK, SLOW, at(0)).map_or(0.0, |forecast| forecast.at.as_secs_f64());
            (0..400).map(|_| draw()).collect::<Vec<f64>>()
        };
        let times = drawn(1);
        let mean = times.iter().sum::<f64>() / 400.0;
        let sd = (times.iter().map(|time| (time - mean) * (time - mean)).sum::<f64>() / 400.0).sqrt();
        assert!((mean - 100.0).abs() < 1.0 && (sd - 5.0).abs() < 0.8, "{mean} {sd}");
        assert_eq!(times, drawn(1));
        assert_ne!(times, drawn(2));
    }
}
