//! Everything about L-ALLIANCE that is a matter of choice, with where each choice comes from.
//!
//! Marks: \[P §n\] given by the report; \[R\] the report leaves it open, see docs/reproductions/alliance.md for why
//! this value. Times are those of the study, whose unit is a second here.

use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::Duration;

/// How a robot of the team decides what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Learning or doing.
    pub phase: LearningPhase,
    /// Where patience, acquiescence and rates come from.
    pub rates: Rates,
    /// Which of the tasks that nobody does comes first.
    pub ordering: Ordering,
    /// theta, the motivation at which a behaviour set becomes active. \[P §8.1\] The same everywhere; 1 \[R\], since
    /// only the ratios of rates to it matter.
    pub threshold: f64,
    /// min_delay: how long the most wanted task waits. \[P §8.6\] "set by the human designer"; 1 s \[R\].
    pub min_delay: Duration,
    /// max_delay: how long the least wanted task waits; 5 s \[R\].
    pub max_delay: Duration,
    /// boredom_threshold by boredom_rate: how long a robot stays blind to what others should do better; 10 s \[R\], a
    /// tenth of the time of a task.
    pub boredom: Duration,
    /// Taking a task over from a team mate waits for boredom, too. \[R\] K9: true.
    pub gate: bool,
    /// Times the expected time that a team mate is allowed before it slows this robot down no longer. \[P §8.6\] 1;
    /// \[R\] 1.2 where times scatter, since one trial in six takes longer than mean plus one standard deviation.
    pub patience_margin: f64,
    /// lambda: times its own expected time that a robot tries before it gives up on itself. \[P §8.7\] "two or three".
    pub persistence: f64,
    /// Times the time tried that a failure counts for. \[P §6.3.1\] more than one; 2 \[R\].
    pub penalty: f64,
    /// mu: trials that are remembered of each robot and task. \[P §6.3.1\] about 5.
    pub trials: usize,
    /// What a task is taken to need that nothing is known about: without it a robot would wait for ever for a team
    /// mate about which it knows nothing. \[R\] 300 s.
    pub unknown: Duration,
    /// 1/rho: how often a robot says what it does, or that it is there. \[R\] K5: idle robots do, too. `None`: only
    /// when it changes.
    pub period: Option<Duration>,
    /// tau: silence after which a team mate is taken to be gone; for ever if `None`. \[P §8.3\] several periods.
    pub silence: Option<Duration>,
    /// Robots known to be present at first, numbers 0 to this. \[R\] K5.
    pub team: u32,
    /// Two robots that find themselves at one task, neither having meant to take it over, go by who began first; if
    /// that is closer than this, by the lower number. \[P §7.3.1\] "a fixed tie-breaking mechanism". Longer than any
    /// delay of the radio; 1 s \[R\].
    pub tie: Duration,
    /// Beyond the report: says how long it expects to need for each task.
    pub tells_times: bool,
    /// Keeps what it learns through restarts.
    pub keeps: bool,
    /// Where sensory feedback comes from that this robot cannot sense; by task. The world tells of all others.
    pub feedback: Vec<(TaskId, Feedback)>,
    /// theta by delta_fast of tasks for which a designer sets it; by task. \[P §9.3.2\] delta_fast_GH.
    pub delays: Vec<(TaskId, Duration)>,
    /// The tasks that this robot does itself, all if `None`: one that practises with a team mate keeps to its own and
    /// watches the others. \[P §9.4\]
    pub performs: Option<Vec<TaskId>>,
}

/// Sensory feedback that comes from what team mates say, since no sensor of the robot could tell. \[P §9.3\]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The task needs doing when this other one has just been done, by whomever, and at first. "The pushing is
    /// initiated by programming the control code so that each robot thinks that the opposite end of the box has just
    /// been pushed."
    After(TaskId),
    /// The task needs doing while no team mate is heard at this other one.
    UnlessOthersAt(TaskId),
}

/// The phase of learning. \[P §6.3\]
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LearningPhase {
    /// A training mission: tasks at random, endless patience, no yielding.
    Active {
        /// How often a random increment is drawn. \[R\] 1 s.
        cycle: Duration,
    },
    /// A live mission.
    Adaptive,
}

/// Where patience, acquiescence and rates come from.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Rates {
    /// L-ALLIANCE: from what was learned, by one of three strategies.
    Learned(Strategy),
    /// ALLIANCE: set by the designer; no categories, no boredom.
    Fixed(Fixed),
}

/// Rates set by a designer. All are given as the time they lead to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// theta by delta_fast: how long a task that nobody does waits.
    pub fast: Duration,
    /// phi, which is also theta by delta_slow: how long a team mate's statement counts.
    pub patience: Duration,
    /// psi: how long a robot works before it yields to another that claims the task.
    pub yielding: Duration,
    /// lambda: how long it works before it gives up anyway.
    pub giving_up: Duration,
}

/// How patience and acquiescence follow from expected times. \[P §7.1, Table 2\]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// I: distrust performance knowledge about team mates.
    Distrust,
    /// II: let the best robot win.
    BestWins,
    /// III: give robots a fighting chance.
    FightingChance,
}

impl Strategy {
    /// I, II, III.
    pub const ALL: [Self; 3] = [Self::Distrust, Self::BestWins, Self::FightingChance];

    /// Its number in the report.
    pub const fn numeral(self) -> &'static str {
        match self {
            Self::Distrust => "I",
            Self::BestWins => "II",
            Self::FightingChance => "III",
        }
    }

    /// What the report recommends. \[P §8.6, §8.7\] III for mildly different robots (less than 300 %) without
    /// progress when working, II otherwise. K11: Table 3 says otherwise in region 3; the formal model rules.
    pub fn preferred(heterogeneity: f64, progress_when_working: bool) -> Self {
        if heterogeneity < 3.0 && !progress_when_working { Self::FightingChance } else { Self::BestWins }
    }
}

/// Which task comes first. \[P §7.2, §7.4\]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ordering {
    /// The one that takes this robot longest, whoever else could do it.
    Longest,
    /// What this robot does best before the rest; the shortest first in both.
    ModifiedShortest,
    /// The same two categories, at random within each.
    ModifiedRandom,
    /// What this robot does best, the longest first; then the rest, the shortest first.
    Preferred,
    /// Beyond the report: what no team mate would finish earlier, the largest regret first.
    Regret,
    /// Beyond the report: what a plan for all that this robot knows of gives it, the longest first.
    Replan,
}

impl Ordering {
    /// Its name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Longest => "longest",
            Self::ModifiedShortest => "modified-shortest",
            Self::ModifiedRandom => "modified-random",
            Self::Preferred => "preferred",
            Self::Regret => "regret",
            Self::Replan => "replan",
        }
    }
}

impl Config {
    /// The live mission of the report, with the values that it leaves open as section 6 of our reading has them.
    pub fn parker_1995(strategy: Strategy, ordering: Ordering, team: u32) -> Self {
        let period = Duration::from_secs(5);
        Self {
            phase: LearningPhase::Adaptive,
            rates: Rates::Learned(strategy),
            ordering,
            threshold: 1.0,
            min_delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(5),
            boredom: Duration::from_secs(10),
            gate: true,
            patience_margin: 1.0,
            persistence: 2.5,
            penalty: 2.0,
            trials: 5,
            unknown: Duration::from_secs(300),
            period: Some(period),
            silence: Some(Duration::from_secs(15)),
            team,
            tie: Duration::from_secs(1),
            tells_times: false,
            keeps: true,
            feedback: Vec::new(),
            delays: Vec::new(),
            performs: None,
        }
    }

    /// The same without repetition: where no message is lost and no robot stops, saying a thing again changes
    /// nothing, and a study of millions of runs need not pay for it (a test compares the two). Nobody restarts.
    pub fn without_repetition(self) -> Self {
        Self { period: None, silence: None, keeps: false, ..self }
    }

    /// Beyond the report: `Regret` or `Replan`, whose robots trust what they know. Strategy III, with half as much
    /// patience again: a robot that takes over at the very time at which the other should be done throws away work
    /// whenever times scatter.
    pub fn beyond(ordering: Ordering, tells_times: bool, team: u32) -> Self {
        let report = Self::parker_1995(Strategy::FightingChance, ordering, team);
        Self { patience_margin: 1.5, tells_times, ..report }
    }

    /// A training mission.
    pub fn training(team: u32) -> Self {
        let live = Self::parker_1995(Strategy::Distrust, Ordering::ModifiedRandom, team);
        Self { phase: LearningPhase::Active { cycle: Duration::from_secs(1) }, ..live }
    }

    /// ALLIANCE without learning: rates set by a designer.
    pub fn alliance_1998(fixed: Fixed, team: u32) -> Self {
        Self { rates: Rates::Fixed(fixed), ..Self::parker_1995(Strategy::Distrust, Ordering::ModifiedShortest, team) }
    }

    /// Tasks are divided by who does them best, and those that others do better wait for boredom. \[P §7.3.2\] Strategy
    /// I knows nothing of team mates, so it cannot; K19: nor does it wait for boredom.
    pub fn has_categories(&self) -> bool {
        let knows = matches!(self.rates, Rates::Learned(Strategy::BestWins | Strategy::FightingChance));
        knows && self.ordering != Ordering::Longest
    }

    /// Where the sensory feedback of `task` comes from, if not from the world.
    pub(super) fn feedback_of(&self, task: TaskId) -> Option<Feedback> {
        self.feedback.iter().find(|(of, _)| *of == task).map(|(_, feedback)| *feedback)
    }

    /// How long `task` waits, if a designer has set it.
    pub(super) fn delay_of(&self, task: TaskId) -> Option<Duration> {
        self.delays.iter().find(|(of, _)| *of == task).map(|(_, delay)| *delay)
    }

    /// This robot does `task` itself, if it can.
    pub(super) fn performs(&self, task: TaskId) -> bool {
        self.performs.as_ref().is_none_or(|own| own.contains(&task))
    }

    /// The robots known to be there at first.
    pub(super) fn known_team(&self) -> impl Iterator<Item = RobotId> + use<> {
        (0..self.team).map(RobotId)
    }
}
