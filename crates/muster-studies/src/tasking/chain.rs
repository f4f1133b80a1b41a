//! Claim 1: a task is passed on along a chain of vehicles, each of which is gone before the last can do it.
//!
//! The paper proves two cases: the vehicle that leaves is assigned and reports, or it is a PEER and challenges. A third is
//! not among them: it leads, nobody can do the task yet, and it waits to retry.

use std::fmt::Write;

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_sim::scenario::{self, Loaded, ScenarioError};
use serde::Serialize;

use super::saboteur::Crashes;
use super::trial::Trial;
use crate::batch::Batch;

/// What a vehicle of the chain is to the task while the next one is there.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// Case 1 of the proof: it is assigned, and reports every `t_status`.
    Assigned,
    /// Case 2: it is a PEER, nobody is assigned, and it challenges after `t_peer`.
    Peer,
    /// No case of the proof: it is the LEAD, has no good bid, and waits to retry.
    Lead,
}

impl Case {
    /// For people to read.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Assigned => "case 1 of the proof, whoever leaves is assigned",
            Self::Peer => "case 2 of the proof, whoever leaves is a PEER that challenges",
            Self::Lead => "no case of the proof, whoever leaves is a LEAD that retries",
        }
    }

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assigned => "assigned",
            Self::Peer => "peer",
            Self::Lead => "lead",
        }
    }
}

/// Chains that are run: which case, `t_sync` in seconds, the share of messages lost. The proof asks for `t_sync` of
/// `t_status` (1 s) in case 1 and of `t_peer` (11 s) in case 2, and loses nothing.
pub const CHAINS: [(Case, f64, f64); 8] = [
    (Case::Assigned, 2.0, 0.0),
    (Case::Assigned, 5.0, 0.0),
    (Case::Assigned, 12.0, 0.0),
    (Case::Peer, 12.0, 0.0),
    (Case::Lead, 12.0, 0.0),
    (Case::Lead, 20.0, 0.0),
    (Case::Lead, 12.0, 0.3),
    (Case::Lead, 20.0, 0.3),
];

/// Runs of one chain.
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// Name of the variant.
    pub variant: &'static str,
    /// What a vehicle is to the task when it leaves.
    pub case: Case,
    /// The share of messages lost.
    pub loss: f64,
    /// How long two vehicles of the chain can talk: t_sync.
    pub overlap_s: f64,
    /// How many runs.
    pub runs: usize,
    /// In how many the task was carried out.
    pub carried_out: usize,
}

/// How many vehicles pass it on; the last carries it out.
const LINKS: u32 = 4;
/// How long each is there, but in case 2.
const STAYS_S: f64 = 60.0;
/// When the console, and in case 2 whoever is assigned, is gone.
const LEFT_S: f64 = 30.0;

/// A file of vehicles that come and go.
#[derive(Default)]
struct Roster {
    robots: String,
    faults: String,
}

impl Roster {
    fn add(&mut self, name: &str, able: bool, joins_s: f64, stops_s: Option<f64>) {
        let percepts = if able { "percepts = [\"eye\"]\n" } else { "" };
        let robot = format!("[robots.{name}]\nspeed_mps = 20\njoins_s = {joins_s}\n{percepts}");
        self.robots.push_str(&robot);
        if let Some(at_s) = stops_s {
            self.stops(name, at_s);
        }
    }

    fn stops(&mut self, name: &str, at_s: f64) {
        write!(self.faults, "[[faults]]\nrobot = \"{name}\"\nat_s = {at_s}\nkind = \"stop\"\n")
            .expect("a string takes everything");
    }
}

/// The mission: a vehicle hears of the task and is gone, and the next has joined `overlap_s` before that.
fn mission(case: Case, variant: Variant, loss: f64, overlap_s: f64) -> Result<Loaded, ScenarioError> {
    let mut roster = Roster::default();
    roster.stops("console", LEFT_S);
    let mut joins_s = 0.0;
    if case == Case::Peer {
        // Assigned, and gone before it can do it: from then on there are PEERs only.
        roster.add("v0", true, 0.0, Some(LEFT_S));
    }
    for link in 1..=LINKS {
        let stops_s = match case {
            // Half a second after its challenge, for the others to have it, and before it has claimed the lead.
            Case::Peer => LEFT_S + overlap_s * f64::from(link) + 0.5,
            Case::Assigned | Case::Lead => joins_s + STAYS_S,
        };
        let able = link == LINKS || case == Case::Assigned;
        roster.add(&format!("v{link}"), able, joins_s, (link < LINKS).then_some(stops_s));
        joins_s = stops_s - overlap_s;
    }
    // Able vehicles may not do it for a minute, so that each is gone before its time.
    let later = "[tasking.vehicles.all]\ntimes = [{ from_s = 0, to_s = 60 }]\n";
    let (times, later) = match case {
        Case::Assigned => ("t_peer_s = 11\n", later),
        Case::Peer => ("t_peer_s = 11\njitter = 0.02\n", later),
        Case::Lead => ("", ""),
    };
    let text = format!(
        "limit_h = 0.3\n[field]\nwidth_m = 1000\nheight_m = 1000\n[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n{}{}\
         [tasks.look]\nat_s = 1\nneeds = [\"eye\"]\norder = {{ by = \"console\" }}\n[radio]\nloss = {loss}\n\
         loss_per = \"receiver\"\n[tasking]\nvariant = \"{}\"\nconsoles = [\"console\"]\ncorridor_m = 100\n\
         grid = {{ step_s = 5, times = 21, headings = 8 }}\n{times}{later}",
        roster.robots,
        roster.faults,
        variant.name()
    );
    scenario::parse("chain", "chain", &text, &[])
}

/// Runs one chain of [`CHAINS`] under a variant.
pub fn chain(
    variant: Variant,
    (case, overlap_s, loss): (Case, f64, f64),
    (seed, runs): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Chain, ScenarioError> {
    let trial = Trial::new(mission(case, variant, loss, overlap_s)?, variant, Crashes::None);
    let carried_out = batch.map(runs, |run| {
        let outcome = trial.run(Stream::seed_of_run(seed, run), false);
        (batch.progress)(1);
        outcome.done[0] > 0
    });
    Ok(Chain {
        variant: variant.name(),
        case,
        loss,
        overlap_s,
        runs: carried_out.len(),
        carried_out: carried_out.iter().filter(|done| **done).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried_out(variant: Variant, case: Case, overlap_s: f64) -> usize {
        chain(variant, (case, overlap_s, 0.0), (1, 20), &Batch::quiet()).expect("the chain loads").carried_out
    }

    /// [MacKenzie §2.1] Both cases of the proof hold as drawn, and the one that it leaves out does not.
    #[test]
    fn claim_1_holds_as_drawn_where_it_is_proved() {
        assert_eq!(carried_out(Variant::Drawn, Case::Assigned, 2.0), 20);
        assert_eq!(carried_out(Variant::Drawn, Case::Peer, 12.0), 20);
        assert_eq!(carried_out(Variant::Drawn, Case::Lead, 12.0), 0);
        assert_eq!(carried_out(Variant::Fenced, Case::Lead, 12.0), 20);
    }

    /// The chain is one: a vehicle that comes after the one before it has gone hears of nothing.
    #[test]
    fn a_chain_without_an_overlap_is_none() {
        assert_eq!(carried_out(Variant::Drawn, Case::Assigned, -2.0), 0);
        assert_eq!(carried_out(Variant::Drawn, Case::Peer, 0.2), 0);
    }
}
