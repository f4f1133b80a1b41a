//! The section `[recruitment]`: how robots recruit each other.

use std::path::Path;
use std::sync::Arc;

use muster_core::recruitment::{Config, Messaging};
use muster_core::{Duration, RobotId};
use muster_script::{Limits, ScriptPolicy, shipped};
use serde::{Deserialize, Serialize};

use super::build::{Misfit, did_you_mean};
use super::diagnose::Wrong;
use super::file::Group;
use super::value::{Finite, NonNegative, Positive};

/// How robots recruit each other. Everything left out is as `config` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RecruitmentSection {
    /// Where the values come from that are not given here.
    pub config: ConfigName,
    /// Who answers and who is chosen. Without it, `muster run` tries each in turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<StrategyName>,
    /// A script that says when robots answer and whom they choose (a file that ends in .rhai, beside this one): one more
    /// strategy, called `script`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The same as a text. A scenario that was loaded has it here: nobody needs the file again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script_text: Option<String>,
    /// One HELP for all, or one for each.
    pub messaging: MessagingName,
    /// `t`: a robot answers when its SHAME is above this; below zero it always does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Finite>,
    /// `c`: SHAME that ignoring one HELP adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Finite>,
    /// SHAME that ignoring a HELP from one metre away adds on top; it falls with distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proximity_m: Option<NonNegative>,
    /// SHAME that fades in a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay_per_s: Option<Finite>,
    /// How long ACCEPTs to one HELP are collected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collect_s: Option<Positive>,
    /// How long the requester then waits before it calls again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_s: Option<NonNegative>,
    /// How long a responder takes a task over for; also the longest lease a requester agrees to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_s: Option<Positive>,
    /// The shortest lease for which a responder takes a task over; offered less, it goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest_lease_s: Option<NonNegative>,
    /// How long the work at a task takes. What outlasts its lease is renewed before the end, or handed back. Without it, work
    /// lasts as long as the lease, as in the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis_s: Option<Positive>,
    /// How much longer than its ETA the requester waits for the chosen robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrival_slack_s: Option<Positive>,
    /// How long the requester waits for ACKACK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ackack_timeout_s: Option<Positive>,
    /// How long a robot that has offered waits for RESPONDER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responder_timeout_s: Option<Positive>,
    /// How long a robot that has arrived waits for AGREE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agree_timeout_s: Option<Positive>,
}

/// A named set of values.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConfigName {
    /// Never two robots at one task at the same time.
    #[default]
    Safe,
    /// The system of Gage & Murphy 2004.
    #[serde(rename = "gage_2004")]
    Gage2004,
}

/// Who answers and who is chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StrategyName {
    /// Robots answer by SHAME; the first to arrive is taken.
    Affective,
    /// Every available robot answers; the first to arrive is taken.
    Greedy,
    /// Every available robot answers; any is taken.
    Random,
    /// As `script` says.
    Script,
}

/// How messages to everybody travel.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MessagingName {
    /// One transmission that all in range hear.
    #[default]
    Broadcast,
    /// A transmission for each robot.
    Unicast,
}

/// The script of a section, if it names one; its text becomes a part of the section.
pub fn script(section: &mut RecruitmentSection, folder: Option<&Path>) -> Result<Option<Arc<ScriptPolicy>>, Wrong> {
    let misfit =
        |key: &str, message: String, help: String| Wrong::Misfit(Misfit::new(&["recruitment", key], message, help));
    if let (None, None, Some(StrategyName::Script)) = (&section.script, &section.script_text, section.strategy) {
        let help = "add script = \"FILE.rhai\"; docs/scripts.md says what goes into it".to_owned();
        return Err(misfit("strategy", "there is no script to follow".to_owned(), help));
    }
    let name = section.script.clone().unwrap_or_else(|| "recruitment.script_text".to_owned());
    let text = match (&section.script_text, &section.script) {
        (Some(text), _) => text.clone(),
        (None, None) => return Ok(None),
        (None, Some(file)) => {
            let path = folder.map(|folder| folder.join(file)).filter(|path| path.exists());
            let shipped = file.strip_suffix(".rhai").and_then(shipped::policy_text);
            match (path, shipped) {
                (Some(path), _) => muster_files::text(&path).map_err(|error| {
                    let help = "check that the file is UTF-8 text and that you may read it".to_owned();
                    misfit("script", format!("{}: cannot be read: {error}", path.display()), help)
                })?,
                (None, Some(text)) => text.to_owned(),
                (None, None) => {
                    let known: Vec<String> = shipped::policies().map(|name| format!("{name}.rhai")).collect();
                    let otherwise = "put it beside the scenario, or take one that comes with Muster";
                    let help = did_you_mean(file, &known, otherwise);
                    return Err(misfit("script", format!("there is no script `{file}`"), help));
                }
            }
        }
    };
    let policy = ScriptPolicy::new(&name, &text, Limits::for_policies()).map_err(Wrong::other)?;
    section.script_text = Some(text);
    Ok(Some(Arc::new(policy)))
}

/// How each robot of a team recruits: as the team does, or by values of its own.
#[derive(Clone, Debug)]
pub struct Recruiters {
    team: Arc<Config>,
    /// By number; empty if no robot has values of its own.
    own: Vec<Arc<Config>>,
}

impl Recruiters {
    /// Robots of `groups`, in this order, that recruit as `team` but for what their group has of its own.
    pub(super) fn new<'g>(team: Arc<Config>, groups: impl Iterator<Item = &'g Group> + Clone) -> Self {
        let mut own = Vec::new();
        if groups.clone().any(|group| group.recruits_by().is_some()) {
            for group in groups {
                let config = if group.recruits_by().is_some() { Arc::new(own_of(&team, group)) } else { team.clone() };
                own.extend((0..group.count).map(|_| config.clone()));
            }
        }
        Self { team, own }
    }

    /// How most robots recruit.
    pub fn team(&self) -> &Arc<Config> {
        &self.team
    }

    /// How one robot does.
    pub fn of(&self, robot: RobotId) -> &Arc<Config> {
        self.own.get(robot.index()).unwrap_or(&self.team)
    }

    /// The longest lease that any of them offers.
    pub fn longest_lease(&self) -> Duration {
        self.own.iter().map(|config| config.lease).max().unwrap_or(self.team.lease)
    }
}

/// The configuration of a robot with values of its own.
fn own_of(team: &Config, group: &Group) -> Config {
    let mut config = team.clone();
    let shame = &mut config.shame;
    shame.threshold = group.threshold.map_or(shame.threshold, |value| value.get());
    shame.refusal = group.refusal.map_or(shame.refusal, |value| value.get());
    shame.proximity_m = group.proximity_m.map_or(shame.proximity_m, |value| value.get());
    shame.decay_per_s = group.decay_per_s.map_or(shame.decay_per_s, |value| value.get());
    if let Some(lease_s) = group.lease_s {
        config.lease = Duration::from_secs_f64(lease_s.get());
        config.longest_lease = config.lease;
    }
    if let Some(shortest_s) = group.shortest_lease_s {
        config.shortest_lease = Duration::from_secs_f64(shortest_s.get());
    }
    config
}

/// How a team of `team` robots recruits, but for the strategy.
pub fn recruitment(section: &RecruitmentSection, team: usize) -> Config {
    let mut config = match section.config {
        ConfigName::Safe => Config::safe(),
        ConfigName::Gage2004 => Config::gage_2004(),
    };
    config.messaging = match section.messaging {
        MessagingName::Broadcast => Messaging::Broadcast,
        MessagingName::Unicast => Messaging::Unicast((0..team as u32).map(RobotId).collect()),
    };
    let set = |target: &mut Duration, seconds: Option<f64>| {
        if let Some(seconds) = seconds {
            *target = Duration::from_secs_f64(seconds);
        }
    };
    set(&mut config.collect, section.collect_s.map(Into::into));
    set(&mut config.pause, section.pause_s.map(Into::into));
    set(&mut config.lease, section.lease_s.map(Into::into));
    set(&mut config.longest_lease, section.lease_s.map(Into::into));
    set(&mut config.shortest_lease, section.shortest_lease_s.map(Into::into));
    config.analysis = section.analysis_s.map(|seconds| Duration::from_secs_f64(seconds.get()));
    set(&mut config.arrival_slack, section.arrival_slack_s.map(Into::into));
    set(&mut config.ackack_timeout, section.ackack_timeout_s.map(Into::into));
    set(&mut config.responder_timeout, section.responder_timeout_s.map(Into::into));
    set(&mut config.agree_timeout, section.agree_timeout_s.map(Into::into));
    let shame = &mut config.shame;
    shame.threshold = section.threshold.map_or(shame.threshold, |value| value.get());
    shame.refusal = section.refusal.map_or(shame.refusal, |value| value.get());
    shame.proximity_m = section.proximity_m.map_or(shame.proximity_m, |value| value.get());
    shame.decay_per_s = section.decay_per_s.map_or(shame.decay_per_s, |value| value.get());
    config
}

/// The section with every value filled in that it leaves to `config`.
pub fn resolved(section: &RecruitmentSection) -> RecruitmentSection {
    let config = recruitment(section, 0);
    let seconds = |duration: Duration| Positive::new(duration.as_secs_f64()).ok();
    let real = |value: f64| Finite::new(value).ok();
    RecruitmentSection {
        threshold: real(config.shame.threshold),
        refusal: real(config.shame.refusal),
        proximity_m: NonNegative::new(config.shame.proximity_m).ok(),
        decay_per_s: real(config.shame.decay_per_s),
        collect_s: seconds(config.collect),
        pause_s: NonNegative::new(config.pause.as_secs_f64()).ok(),
        lease_s: seconds(config.lease),
        shortest_lease_s: NonNegative::new(config.shortest_lease.as_secs_f64()).ok().filter(|it| it.get() > 0.0),
        arrival_slack_s: seconds(config.arrival_slack),
        ackack_timeout_s: seconds(config.ackack_timeout),
        responder_timeout_s: seconds(config.responder_timeout),
        agree_timeout_s: seconds(config.agree_timeout),
        ..section.clone()
    }
}
