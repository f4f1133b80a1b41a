//! How far above the optimum each rule ends, region by region. [Parker §7.5, Figure 10]

use std::sync::Arc;

use muster_core::alliance::Config;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, RobotId, Time};
use muster_sim::fault::{Fault, FaultKind};
use serde::Serialize;

use super::compare::Difference;
use super::mission::Trial;
use super::rules::Rule;
use super::scenario::{Instance, Region, Scenario, Spread};
use crate::batch::Batch;
use crate::makespan::{self, rules::RULES};
use crate::makespan::{Solver, default_budget};
use crate::stats;
use crate::verdict::Interval;

/// Under what conditions rules are compared with the optimum.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conditions {
    /// The delays of the report.
    Report,
    /// Delays of 10 ms, so that only the choice counts.
    Instant,
    /// The same; each robot knows mean and deviation of five trials with an error of 10 %.
    Noise,
    /// The delays of `Instant`; one robot stops for good at a random time before the preferred strategy would be done,
    /// provided that every task can still be done. The optimum stays that of the whole team without a stop, which
    /// nobody could reach. Statements are repeated every 5 s, since silence is how a stop is noticed.
    Failure,
}

impl Conditions {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Report, Self::Instant, Self::Noise, Self::Failure];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Instant => "instant",
            Self::Noise => "noise",
            Self::Failure => "failure",
        }
    }

    /// How many missions of a scenario are run where `runs` are asked for. A stop is noticed by silence, so robots
    /// repeat what they say all the time, and a mission costs some twenty times as much.
    pub const fn runs_of(self, runs: u64) -> u64 {
        match self {
            Self::Failure => runs.div_ceil(10),
            Self::Report | Self::Instant | Self::Noise => runs,
        }
    }

    /// In a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Report => "delays of the report",
            Self::Instant => "no delays",
            Self::Noise => "no delays, 10 % noise in what is known",
            Self::Failure => "no delays, one robot stops (optimum: of the whole team)",
        }
    }
}

/// One line of the comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Gap {
    /// Name of the set of scenarios.
    pub set: &'static str,
    /// Those with at least this coverage.
    pub coverage_from: u32,
    /// Under what conditions.
    pub conditions: Conditions,
    /// In which region.
    pub region: Region,
    /// Name of the rule that was held against the optimum.
    pub rule: String,
    /// Percent above the optimum: mean over runs of T / T_opt - 1.
    pub mean: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The same of averages: mean T / mean T_opt - 1.
    pub averages: Interval,
    /// The standard deviation between scenarios.
    pub sd: f64,
    /// Missions of each.
    pub runs: u64,
    /// How many there are.
    pub scenarios: usize,
    /// Missions that were never done, which must not be.
    pub unfinished: u64,
    /// Missions whose optimum was not proved within the budget; the bound stands in for it.
    pub unproved: u64,
    /// Missions in which a robot stopped.
    pub stops: u64,
    /// What the mean must not exceed, if anything was asked for.
    pub bound: Option<f64>,
    /// `holds` or `fails`, if there is a bound.
    pub verdict: Option<&'static str>,
}

impl Gap {
    /// Mean gap with its interval.
    pub fn interval(&self) -> Interval {
        Interval { value: self.mean, low: self.low, high: self.high }
    }

    /// Every mission got done, and the bound, if there is one, was kept.
    pub fn holds(&self) -> bool {
        self.unfinished == 0 && self.verdict != Some("fails")
    }
}

/// What the project set itself: percent above the optimum by region, where at least two robots can do each task.
fn bound(set: &str, conditions: Conditions, coverage_from: u32, region: Region, rule: &str) -> Option<f64> {
    let of: [f64; 3] = match (set, conditions, rule) {
        _ if coverage_from < 2 => return None,
        ("figure-10", Conditions::Instant, "regret") => [2.0, 8.0, 11.0],
        ("figure-10", Conditions::Instant, "replan") => [0.5, 4.0, 8.0],
        ("figure-10", Conditions::Instant, "replan-broadcast") => [0.3, 0.8, 1.2],
        ("figure-10", Conditions::Noise, "regret") => [5.0, 14.0, 20.0],
        ("larger", Conditions::Instant, "regret") => [20.0; 3],
        _ => return None,
    };
    of.get(usize::from(region.0) - 1).copied()
}

/// A scenario under every rule.
struct Row {
    scenario: Scenario,
    /// By rule: by ratios and by averages.
    gaps: Vec<[Difference; 2]>,
    unfinished: Vec<u64>,
    unproved: u64,
    stops: u64,
}

/// Compares rules with the optimum on a set of scenarios, `runs` missions each. Robots that are all alike are left out.
pub fn gaps(
    name: &'static str,
    set: &[Scenario],
    conditions: Conditions,
    rules: &[Rule],
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Vec<Gap> {
    // Numbered first, so that a scenario has the same missions whatever is left out.
    let numbered = (0_u64..).zip(set).filter(|(_, scenario)| scenario.heterogeneity > 0.0);
    let numbered: Vec<(u64, &Scenario)> = numbered.collect();
    let rows = batch.map(numbered.len() as u64, |place| {
        let (index, scenario) = numbered[place as usize];
        let row = row(scenario, conditions, rules, seed ^ index.wrapping_mul(0x9E37_79B9), runs);
        (batch.progress)(runs);
        row
    });
    let baselines = conditions.baselines().iter().map(|(name, _)| (*name).to_owned());
    let names: Vec<String> = rules.iter().map(|rule| rule.name()).chain(baselines).collect();
    let mut gaps = Vec::new();
    let least = set.iter().map(|scenario| scenario.coverage).min().unwrap_or(2).min(2);
    for coverage_from in least..=2 {
        for region in Region::ALL {
            let of: Vec<&Row> = rows
                .iter()
                .filter(|row| row.scenario.coverage >= coverage_from && row.scenario.region() == region)
                .collect();
            if of.is_empty() {
                continue;
            }
            for (rule, rule_name) in names.iter().enumerate() {
                let interval = |way: usize| {
                    let variance: f64 = of.iter().map(|row| row.gaps[rule][way].variance).sum();
                    let means: Vec<f64> = of.iter().map(|row| 100.0 * row.gaps[rule][way].value).collect();
                    (Interval::new(stats::mean(&means), 100.0 * variance.sqrt() / of.len() as f64), stats::sd(&means))
                };
                let (Interval { value, low, high }, sd) = interval(0);
                let bound = bound(name, conditions, coverage_from, region, rule_name);
                gaps.push(Gap {
                    set: name,
                    coverage_from,
                    conditions,
                    region,
                    rule: rule_name.clone(),
                    mean: value,
                    low,
                    high,
                    averages: interval(1).0,
                    sd,
                    runs,
                    scenarios: of.len(),
                    unfinished: of.iter().map(|row| row.unfinished[rule]).sum(),
                    unproved: of.iter().map(|row| row.unproved).sum(),
                    stops: of.iter().map(|row| row.stops).sum(),
                    bound,
                    verdict: bound.map(|bound| if high <= bound { "holds" } else { "fails" }),
                });
            }
        }
    }
    gaps
}

fn row(scenario: &Scenario, conditions: Conditions, rules: &[Rule], seed: u64, runs: u64) -> Row {
    let configs: Vec<Arc<Config>> = rules.iter().map(|rule| Arc::new(conditions.config(*rule, scenario))).collect();
    let preferred = Arc::new(conditions.config(Rule::Preferred, scenario));
    let count = configs.len() + conditions.baselines().len();
    // Times beside optima, by rule.
    let mut times = vec![(Vec::with_capacity(runs as usize), Vec::with_capacity(runs as usize)); count];
    let (mut unfinished, mut unproved, mut stops) = (vec![0; count], 0, 0);
    let mut solver = Solver::new();
    for run in 0..runs {
        let seed = Stream::seed_of_run(seed, run);
        let instance = Instance::draw(scenario, Spread::Uniform, seed);
        let matrix = makespan::Instance::from_fn(instance.robots, instance.times.len(), |robot, task| {
            instance.times[task][robot]
        })
        .expect("every task of a scenario has robots that can do it");
        let optimum = solver.solve(&matrix, default_budget(&matrix));
        unproved += u64::from(!optimum.proved);
        let mut trial = conditions.trial(&instance, seed);
        if conditions == Conditions::Failure {
            let end_s = trial.run(&preferred).makespan_s.unwrap_or(1_000.0);
            trial.mission_mut().faults = draw_stop(&instance, end_s, seed).into_iter().collect();
            stops += trial.mission_mut().faults.len() as u64;
        }
        let mut add = |rule: usize, makespan_s: Option<f64>| match makespan_s {
            Some(makespan_s) => {
                times[rule].0.push(makespan_s);
                times[rule].1.push(optimum.bound);
            }
            None => unfinished[rule] += 1,
        };
        for (rule, config) in configs.iter().enumerate() {
            add(rule, trial.run(config).makespan_s);
        }
        for (rule, (_, allocate)) in conditions.baselines().iter().enumerate() {
            add(configs.len() + rule, Some(matrix.makespan(&allocate(&matrix))));
        }
    }
    let gap = |(times, optima): &(Vec<f64>, Vec<f64>)| {
        let ratios: Vec<f64> = times.iter().zip(optima).map(|(time, optimum)| time / optimum).collect();
        [Difference::of_ratios(&ratios), Difference::of_averages(times, optima)]
    };
    Row { scenario: *scenario, gaps: times.iter().map(gap).collect(), unfinished, unproved, stops }
}

/// One robot without which every task can still be done, if there is one, at any time of the mission.
fn draw_stop(instance: &Instance, mission_s: f64, seed: u64) -> Option<Fault> {
    let spared: Vec<usize> =
        (0..instance.robots).filter(|stopped| instance.doable_by(|robot| robot != *stopped)).collect();
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let robot = *spared.get(stream.below(spared.len() as u32) as usize)?;
    let at = Time::from_secs_f64(stream.between(0.0, mission_s));
    Some(Fault { at, robot: RobotId(robot as u32), kind: FaultKind::Stop })
}

impl Conditions {
    /// The configuration of a rule's robots. The optimum is compared with without progress when working.
    pub(super) fn config(self, rule: Rule, scenario: &Scenario) -> Config {
        let config = rule.config(scenario, false);
        let instant = Duration::from_millis(10);
        let quick = |config: Config| Config { min_delay: instant, max_delay: instant, ..config };
        match self {
            Self::Report => config.without_repetition(),
            Self::Instant | Self::Noise => quick(config).without_repetition(),
            Self::Failure => quick(config),
        }
    }

    /// Rules of a planner that knows everything: beside those of the robots only where these know everything, too.
    fn baselines(self) -> &'static [(&'static str, makespan::rules::Rule)] {
        if self == Self::Instant { RULES } else { &[] }
    }

    /// The mission, with what its robots know.
    fn trial(self, instance: &Instance, seed: u64) -> Trial {
        if self != Self::Noise {
            return Trial::new(instance, seed);
        }
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        Trial::knowing(instance, seed, |time| {
            // A trial that took no time at all would be no trial; six deviations below the mean nothing else is left.
            (0..5).map(|_| (time * (1.0 + 0.1 * stream.normal())).max(0.4 * time)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: Scenario = Scenario { robots: 4, tasks: 6, coverage: 3, heterogeneity: 2.0 };

    fn mean(conditions: Conditions, rules: &[Rule]) -> Vec<Gap> {
        let mut gaps = gaps("figure-10", &[SCENARIO], conditions, rules, (1, 40), &Batch::quiet());
        gaps.retain(|gap| gap.coverage_from == 2);
        gaps
    }

    /// Robots stop in every mission, all missions get done, and it costs time against the same missions without.
    #[test]
    fn a_stop_costs_time_but_no_mission() {
        let (failure, instant) = (mean(Conditions::Failure, &Rule::GAPS), mean(Conditions::Instant, &Rule::GAPS));
        for (failure, instant) in failure.iter().zip(&instant) {
            assert_eq!((failure.stops, failure.unfinished, instant.stops), (40, 0, 0), "{failure:?}");
            assert!(failure.mean > instant.mean + 5.0, "{}: {} and {}", failure.rule, failure.mean, instant.mean);
        }
    }

    #[test]
    fn nobody_stops_who_cannot_be_spared() {
        let alone = Instance { robots: 2, times: vec![vec![Some(1.0), None], vec![None, Some(1.0)]] };
        assert_eq!(draw_stop(&alone, 10.0, 1), None);
        let spared = Instance { robots: 2, times: vec![vec![Some(1.0), None], vec![Some(1.0), Some(1.0)]] };
        for seed in 0..20 {
            let stop = draw_stop(&spared, 10.0, seed).expect("the second can be spared");
            assert!(stop.robot == RobotId(1) && stop.at <= Time::from_secs_f64(10.0), "{stop:?}");
        }
    }

    #[test]
    fn a_bound_that_is_exceeded_fails() {
        let gaps = mean(Conditions::Instant, &[Rule::Preferred, Rule::ReplanBroadcast]);
        let preferred = gaps.iter().find(|gap| gap.rule == "preferred").expect("a row");
        assert_eq!((preferred.bound, preferred.verdict), (None, None), "nothing was asked of it");
        let mut replan = gaps.iter().find(|gap| gap.rule == "replan-broadcast").expect("a row").clone();
        assert_eq!((replan.bound, replan.verdict), (Some(0.8), Some("holds")), "region 2: {}", replan.mean);
        assert!(replan.holds());
        replan.verdict = Some("fails");
        assert!(!replan.holds());
        // The preferred strategy would not keep the bound of regret.
        assert!(bound("figure-10", Conditions::Instant, 2, Region(2), "regret").is_some_and(|b| preferred.mean > b));
        assert_eq!(bound("figure-10", Conditions::Instant, 2, Region(4), "regret"), None);
        assert_eq!(bound("larger", Conditions::Instant, 2, Region(3), "regret"), Some(20.0));
    }

    /// Robots alike, so that there is nothing to choose: what is left are the delays themselves (§8.6).
    #[test]
    fn delays_cost_what_they_are() {
        // Two robots and one task that one of them can do: it waits for min_delay, a hundredth of the task.
        let single = Scenario { robots: 2, tasks: 1, coverage: 1, heterogeneity: 1e-9 };
        let of = |conditions| gaps("figure-10", &[single], conditions, &Rule::GAPS, (1, 5), &Batch::quiet());
        for (report, instant) in of(Conditions::Report).iter().zip(&of(Conditions::Instant)) {
            assert_eq!(report.rule, instant.rule);
            assert!((1.0..=5.0).contains(&report.mean), "{}: {}", report.rule, report.mean);
            assert!(instant.mean < 0.02, "{}: {}", instant.rule, instant.mean);
        }
    }
}
