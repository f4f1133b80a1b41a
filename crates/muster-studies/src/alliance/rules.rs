//! The configurations that the study compares, by name.

use muster_core::Duration;
use muster_core::alliance::{Config, Ordering, Strategy};

use super::compare::Way;
use super::scenario::{Scenario, Spread};

/// A way to choose tasks and to take them over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A strategy of the report with one of its orderings.
    Report(Strategy, Ordering),
    /// What the report recommends.
    Preferred,
    /// Beyond it: the largest regret first.
    Regret,
    /// Beyond it: by a plan for the team.
    Replan,
    /// Beyond it: the same, with task times told to everybody.
    ReplanBroadcast,
}

/// The orderings of the report.
pub const ORDERINGS: [Ordering; 4] =
    [Ordering::Longest, Ordering::ModifiedShortest, Ordering::ModifiedRandom, Ordering::Preferred];

impl Rule {
    /// Every strategy with each of these orderings.
    pub fn with(orderings: &[Ordering]) -> Vec<Self> {
        let with = |strategy| orderings.iter().map(move |ordering| Self::Report(strategy, *ordering));
        Strategy::ALL.into_iter().flat_map(with).collect()
    }

    /// The ones whose gap above the optimum is shown.
    pub const GAPS: [Self; 4] = [Self::Preferred, Self::Regret, Self::Replan, Self::ReplanBroadcast];

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Report(strategy, ordering) => format!("{} {}", strategy.numeral(), ordering.name()),
            Self::Preferred => "preferred".to_owned(),
            Self::Regret => "regret".to_owned(),
            Self::Replan => "replan".to_owned(),
            Self::ReplanBroadcast => "replan-broadcast".to_owned(),
        }
    }

    /// The configuration of its robots.
    pub fn config(self, scenario: &Scenario, progress_when_working: bool) -> Config {
        let team = scenario.robots;
        match self {
            Self::Report(strategy, ordering) => Config::parker_1995(strategy, ordering, team),
            Self::Preferred => {
                let strategy = Strategy::preferred(scenario.heterogeneity, progress_when_working);
                Config::parker_1995(strategy, Ordering::Preferred, team)
            }
            Self::Regret => Config::beyond(Ordering::Regret, false, team),
            Self::Replan => Config::beyond(Ordering::Replan, false, team),
            Self::ReplanBroadcast => Config::beyond(Ordering::Replan, true, team),
        }
    }
}

/// How what the report leaves open is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// The values of `Config::parker_1995`, times uniform, rules compared by their average times over a scenario's
    /// missions: "the average over these 200 runs was then considered the characteristic performance of that scenario"
    /// (§7.3).
    Default,
    /// The same missions, rules compared mission by mission.
    Ratios,
    /// Times spread evenly by their logarithm.
    LogUniform,
    /// A boredom delay of 60 s.
    Boredom60,
    /// Taking over does not wait for boredom. K9
    NoGate,
}

impl Reading {
    /// All of them, the default first.
    pub const ALL: [Self; 5] = [Self::Default, Self::Ratios, Self::LogUniform, Self::Boredom60, Self::NoGate];

    /// Those that need missions of their own, the default first.
    pub const SIMULATED: [Self; 4] = [Self::Default, Self::LogUniform, Self::Boredom60, Self::NoGate];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Ratios => "ratios",
            Self::LogUniform => "log-uniform",
            Self::Boredom60 => "boredom-60",
            Self::NoGate => "gate-0",
        }
    }

    /// How two rules are compared.
    pub const fn way(self) -> Way {
        if matches!(self, Self::Ratios) { Way::Ratios } else { Way::Averages }
    }

    /// How times spread.
    pub const fn spread(self) -> Spread {
        if matches!(self, Self::LogUniform) { Spread::LogUniform } else { Spread::Uniform }
    }

    /// The configuration as this reading has it, for a study in which nothing is lost.
    pub fn read(self, config: Config) -> Config {
        let config = config.without_repetition();
        match self {
            Self::Default | Self::Ratios | Self::LogUniform => config,
            Self::Boredom60 => Config { boredom: Duration::from_secs(60), ..config },
            Self::NoGate => Config { gate: false, ..config },
        }
    }
}
