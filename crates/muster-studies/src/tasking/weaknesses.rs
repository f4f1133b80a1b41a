//! W1 to W16: the weaknesses of the protocol as drawn, each as a scenario of its own, under every variant.
//!
//! What each comes to is measured on the production machine, and stated afterwards.

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_core::{Duration, Note, RobotId, Time};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use serde::Serialize;

use super::script::{Script, Seen, play};
use super::trial::{Tasks, mesh};
use crate::batch::Batch;

/// A weakness, and the scenario that shows it.
pub struct Weakness {
    /// `W1` and so on, with a name.
    pub id: &'static str,
    /// What goes wrong.
    pub what: &'static str,
    changes: &'static [&'static str],
    /// More of the scenario's text: vehicles besides the mesh's.
    more: &'static str,
    /// What is changed for the protocol as drawn only.
    as_drawn: &'static [&'static str],
    script: Script,
    /// What is counted, besides how often the task was done.
    measure: Measure,
}

/// What is counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Measure {
    /// How often the task was done.
    Done,
    /// How many nodes led it after the fault.
    Leads,
    /// Messages in all; a storm is broken off.
    Messages,
    /// Challenges.
    Challenges,
    /// Runs in which the couplings of the group were broken.
    Couplings,
    /// Nodes that knew of the task when the run was over, or when the next LEAD solicited bids.
    Aware,
}

/// What came of it under one variant.
#[derive(Clone, Debug, Serialize)]
pub struct Toll {
    /// Name of the variant.
    pub variant: &'static str,
    /// How many runs.
    pub runs: usize,
    /// In how many a task was never done.
    pub never: usize,
    /// In how many everything was done exactly once.
    pub once: usize,
    /// In how many something was done more than once.
    pub more: usize,
    /// In how many a storm of messages had to be broken off.
    pub storms: usize,
    /// In how many more than one node led the task after the fault.
    pub several_leads: usize,
    /// Mean of what is counted besides.
    pub mean: f64,
    /// The unit of what was counted.
    pub counted: &'static str,
}

/// One weakness, shown.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// Number of the weakness, W1 to W16.
    pub id: &'static str,
    /// What goes wrong.
    pub what: &'static str,
    /// As drawn.
    pub drawn: Toll,
    /// As written.
    pub written: Toll,
    /// With the fixes.
    pub fenced: Toll,
}

impl Shown {
    /// What came of it under a variant.
    pub const fn under(&self, variant: Variant) -> &Toll {
        match variant {
            Variant::Drawn => &self.drawn,
            Variant::Written => &self.written,
            Variant::Fenced => &self.fenced,
        }
    }
}

const fn weak(
    id: &'static str,
    what: &'static str,
    changes: &'static [&'static str],
    script: Script,
    measure: Measure,
) -> Weakness {
    Weakness { id, what, changes, more: "", as_drawn: &[], script, measure }
}

impl Weakness {
    const fn with(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    const fn drawn_with(self, as_drawn: &'static [&'static str]) -> Self {
        Self { as_drawn, ..self }
    }
}

/// The single task is to be done late, so that something can happen before.
pub(super) const LATE: &str = "tasking.vehicles.all.times=[{from_s=0,to_s=85}]";
/// From 12 s on everybody hears the hub, v-1, and nobody else.
const STAR: &str = "radio.topology=[{from_s=12,to_s=1e6,links=[[\"v-1\",\"v-2\"],[\"v-1\",\"v-3\"],[\"v-1\",\"v-4\"],[\"v-1\",\"v-5\"],[\"v-1\",\"console\"]]}]";
/// The hub has reasons not to do it itself.
const NOT_THE_HUB: &str = "tasking.vehicles.v-1.bias=300";

/// All of them, in order.
pub const WEAKNESSES: &[Weakness] = &[
    weak(
        "W1 lead dies",
        "the LEAD stops after its solicitation: bidders give up and forget",
        &[],
        Script::LeadDies,
        Measure::Aware,
    ),
    weak(
        "W2 dies before execution",
        "the vehicle stops between Completion and execution: its PEERs have forgotten",
        &[],
        Script::HolderDiesBefore(Duration::from_millis(500)),
        Measure::Done,
    ),
    weak(
        "W3 completion missed",
        "one PEER misses Completion, and has the task done again",
        &[],
        Script::CompletionMissed,
        Measure::Done,
    ),
    weak(
        "W4 loss of 10 %",
        "messages are lost at random, for each receiver on its own",
        &["radio.loss=0.1"],
        Script::Nothing,
        Measure::Done,
    ),
    weak(
        "W4 loss of 30 %",
        "messages are lost at random, for each receiver on its own",
        &["radio.loss=0.3"],
        Script::Nothing,
        Measure::Done,
    ),
    weak(
        "W5 star",
        "PEERs out of range of the assigned leaf challenge, and the hub does not answer for it",
        &[LATE, STAR, NOT_THE_HUB],
        Script::Nothing,
        Measure::Leads,
    ),
    weak(
        "W7 double assignment",
        "a partition from 6 to 30 s makes two holders; each challenge gets two replies (no gap between challenges)",
        &[LATE, SPLIT, "tasking.double_gap_s=0"],
        Script::Nothing,
        Measure::Messages,
    ),
    weak(
        "W7 with a gap",
        "the same with at most one such challenge per t_status",
        &[LATE, SPLIT],
        Script::Nothing,
        Measure::Messages,
    ),
    weak(
        "W8 partition outlasts execution",
        "the team is split from 12 s on, for longer than the task takes",
        &[LONG_SPLIT],
        Script::Nothing,
        Measure::Done,
    ),
    weak(
        "W8 deaf early",
        "a PEER can send but not hear, from 1 s after the task was assigned: it takes the task over",
        &[LATE],
        Script::PeerDeafAfter(Duration::from_secs(1)),
        Measure::Leads,
    ),
    weak(
        "W8 deaf late",
        "the same from 5 s before the task is done: it never hears that it was",
        &[LATE],
        Script::PeerDeafBefore(Duration::from_secs(5)),
        Measure::Leads,
    ),
    weak(
        "W9 deaf with the highest GUID",
        "whoever holds the task stops, and the highest GUID is deaf and unable: it is elected again and again",
        &[LATE, "robots.v.percepts=[\"eye\"]", "tasks.look.needs=[\"eye\"]"],
        Script::HighestDeafHolderDies,
        Measure::Leads,
    )
    .with("[robots.w]\nspeed_mps = 20\n"),
    weak(
        "W10 silent lead",
        "whoever holds the task stops, and nobody else can do it for a while: the next LEAD waits to retry, and says nothing",
        &[LATE, "tasks.look.needs=[\"eye\"]"],
        Script::HolderDiesAfter(Duration::from_secs(1)),
        Measure::Leads,
    )
    .with(
        "[robots.w]\nspeed_mps = 20\npercepts = [\"eye\"]\n\
         [robots.x]\nspeed_mps = 20\npercepts = [\"eye\"]\njoins_s = 90\n",
    ),
    weak(
        "W11 accept missed",
        "the LEAD misses the first Accept",
        &[],
        Script::AcceptMissed,
        Measure::Done,
    ),
    weak(
        "W11 acknowledgement missed",
        "the winner misses the first AcceptAck",
        &[],
        Script::AcceptAckMissed,
        Measure::Done,
    ),
    weak(
        "W12 AckLead missed",
        "the vehicle that is to lead does not hear so",
        &[],
        Script::AckLeadMissed,
        Measure::Messages,
    ),
    weak(
        "W12 solicitation missed",
        "the USER misses the solicitation and asks again",
        &[],
        Script::SolicitationMissed,
        Measure::Messages,
    ),
    weak(
        "W13 group not atomic",
        "the second winner of a group stops after it accepted: it is replaced by itself, at a time of its own",
        &[],
        Script::SecondWinnerDies,
        Measure::Couplings,
    ),
    weak(
        "W14 never heard of it",
        "a vehicle joins while the others elect a LEAD: it hears claims that do not say for what",
        &[LATE],
        Script::HolderDiesAfter(Duration::from_secs(4)),
        Measure::Aware,
    )
    .with("[robots.w]\nspeed_mps = 20\njoins_s = 21\n"),
    weak(
        "W15 challenge implosion",
        "twenty PEERs with equal timers, and whoever holds the task stops",
        &["tasking.t_claims_s=2.5", "tasking.t_win_s=2.5", "tasking.t_peer_s=22", LATE, "robots.v.count=20"],
        Script::HolderDiesAfter(Duration::from_secs(1)),
        Measure::Challenges,
    )
    .drawn_with(&["tasking.jitter=0"]),
    weak(
        "W16 no retraction",
        "the operator cancels the task when it is assigned",
        &[LATE, "tasking.changes=[{at_s=20,task=\"look\",cancel=true}]"],
        Script::Nothing,
        Measure::Done,
    ),
];

/// Half of the team cannot hear the other half from 6 to 30 s.
const SPLIT: &str =
    "radio.partition=[{from_s=6,to_s=30,parts=[[\"v-1\",\"v-2\"],[\"v-3\",\"v-4\",\"v-5\",\"console\"]]}]";
/// The same for good, from 12 s on.
const LONG_SPLIT: &str =
    "radio.partition=[{from_s=12,to_s=600,parts=[[\"v-1\",\"v-2\"],[\"v-3\",\"v-4\",\"v-5\",\"console\"]]}]";

impl Weakness {
    fn loaded(&self, variant: Variant) -> Result<Loaded, ScenarioError> {
        // As drawn t_peer has to wait out a silent LEAD; all variants get the same times.
        let mut changes = vec!["tasking.t_peer_s=11".to_owned(), format!("tasking.variant={}", variant.name())];
        changes.extend(self.changes.iter().map(|change| (*change).to_owned()));
        let tasks = if self.measure == Measure::Couplings { Tasks::Group } else { Tasks::Single };
        if variant == Variant::Drawn {
            changes.extend(self.as_drawn.iter().map(|change| (*change).to_owned()));
        }
        scenario::parse("mesh", "tasking_mesh.toml", &format!("{}\n{}", mesh(tasks), self.more), &changes)
    }

    /// One run of it, with what was noted.
    pub fn replay(&self, variant: Variant, seed: u64) -> Result<(Loaded, Vec<Note>), ScenarioError> {
        let loaded = self.loaded(variant)?;
        let (_, notes) = play(&loaded, variant, self.script, seed, true);
        Ok((loaded, notes))
    }

    /// Shows it under every variant.
    pub fn show(&self, seed: u64, runs: u64, batch: &Batch<'_>) -> Result<Shown, ScenarioError> {
        let under = |variant| self.under(variant, seed, runs, batch);
        let (drawn, written, fenced) = (under(Variant::Drawn)?, under(Variant::Written)?, under(Variant::Fenced)?);
        Ok(Shown { id: self.id, what: self.what, drawn, written, fenced })
    }

    fn under(&self, variant: Variant, seed: u64, runs: u64, batch: &Batch<'_>) -> Result<Toll, ScenarioError> {
        let loaded = self.loaded(variant)?;
        let seen = batch.map(runs, |run| {
            let (seen, _) = play(&loaded, variant, self.script, Stream::seed_of_run(seed, run), false);
            (batch.progress)(1);
            seen
        });
        let count = |of: &dyn Fn(&Seen) -> bool| seen.iter().filter(|seen| of(seen)).count();
        let value = |seen: &Seen| match self.measure {
            Measure::Done => seen.done.iter().sum::<usize>() as f64,
            Measure::Leads => seen.leads as f64,
            Measure::Messages => seen.messages as f64,
            Measure::Challenges => seen.counts.get("Challenge").copied().unwrap_or(0) as f64,
            Measure::Couplings => f64::from(u8::from(breaks(seen))),
            Measure::Aware => seen.aware as f64,
        };
        Ok(Toll {
            variant: variant.name(),
            runs: seen.len(),
            never: count(&|seen| seen.done.contains(&0)),
            once: count(&|seen| seen.done.iter().all(|times| *times == 1)),
            more: count(&|seen| seen.done.iter().any(|times| *times > 1)),
            storms: count(&|seen| seen.capped),
            several_leads: count(&|seen| seen.leads > 1),
            mean: seen.iter().map(value).sum::<f64>() / seen.len().max(1) as f64,
            counted: match self.measure {
                Measure::Done => "times done",
                Measure::Leads => "leads after the fault",
                Measure::Messages => "messages",
                Measure::Challenges => "challenges",
                Measure::Couplings => "runs with a broken coupling",
                Measure::Aware => "nodes that know of it when it is led again",
            },
        })
    }
}

/// The phases of the group were not flown in order, five to ten seconds apart.
fn breaks(seen: &Seen) -> bool {
    let first = |deeds: &Vec<(Time, RobotId)>| deeds.first().map(|(at, _)| at.as_secs_f64());
    seen.deeds.windows(2).any(|pair| match (first(&pair[0]), first(&pair[1])) {
        (Some(a), Some(b)) => !(4.9..=10.1).contains(&(b - a)),
        _ => true,
    })
}
