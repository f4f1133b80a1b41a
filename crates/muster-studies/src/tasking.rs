//! The study of MacKenzie 2003: the example mission, the three claims, the weaknesses.
//!
//! `Variant::ALL` is the list of variants that everything is run under; `claims` says what of it is the paper's.
//!
//! Read before editing: the paper; docs/reproductions/tasking.md for how it was read.

pub mod bids;
pub mod chain;
pub mod claims;
pub mod elections;
pub mod faults;
pub mod figures;
pub mod given_up;
pub mod growth;
pub mod load;
pub mod mission;
pub mod normal;
pub mod partitions;
pub mod planner;
pub mod saboteur;
pub mod sampling;
pub mod script;
pub mod simultaneous;
pub mod spare;
pub mod tables;
pub mod trial;
pub mod weaknesses;
pub mod witness;

use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_sim::scenario::ScenarioError;
use serde::Serialize;

use crate::batch::Batch;
use crate::verdict::Account;
use chain::{CHAINS, Chain};
use claims::Claim;
use elections::Elections;
use faults::{Faults, LOSSES, Setting};
use figures::Figures;
use given_up::GivenUp;
use growth::Load;
use load::Term;
use mission::Mission;
use normal::{NORMAL, Went};
use partitions::Partitions;
use saboteur::Crashes;
use simultaneous::{Geometry, Simultaneous};
use spare::Spare;
use trial::{Tasks, Trial};
use weaknesses::{Shown, WEAKNESSES};

/// The study's results.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// Runs with crashes, for each loss.
    pub runs: u64,
    /// Every claim, with what was measured.
    pub claims: Vec<Claim>,
    /// The example mission and its variant.
    pub missions: Vec<Mission>,
    /// What Figures 4 to 6 show.
    pub figures: Figures,
    /// What works without loss and with everybody in range.
    pub normal: Vec<Went>,
    /// Messages, term by term.
    pub load: Vec<Term>,
    /// Messages over tasks, vehicles and time.
    pub growth: Vec<Load>,
    /// Claim 1.
    pub chains: Vec<Chain>,
    /// W1 to W16.
    pub weaknesses: Vec<Shown>,
    /// W6.
    pub elections: Vec<Elections>,
    /// W4, with more runs.
    pub losses: Vec<Losses>,
    /// Crashes of any role at any moment.
    pub faults: Vec<Faults>,
    /// Teams that are split for a while.
    pub partitions: Vec<Partitions>,
    /// `hotspot` with a vehicle to spare, whose dropper stops, beside a planner that knows everything.
    pub spare: Vec<Spare>,
    /// Orders at one instant, beside an exhaustive sequential assignment.
    pub simultaneous: Vec<Simultaneous>,
    /// What groups gave up, and whether they had to.
    pub given_up: Vec<GivenUp>,
    /// How well cost functions are described in how many bytes.
    pub sampling: Vec<sampling::Row>,
    /// The same with fewer bytes.
    pub budgets: Vec<sampling::Budget>,
    /// Adaptive bids on the air against samples on a grid.
    pub bids: bids::Compared,
}

/// A single task over a radio that loses messages: how often it is done.
#[derive(Clone, Debug, Serialize)]
pub struct Losses {
    /// Name of the variant.
    pub variant: &'static str,
    /// The share of messages lost.
    pub loss: f64,
    /// How many runs.
    pub runs: usize,
    /// Done more than once.
    pub twice: usize,
    /// Never done.
    pub never: usize,
}

impl Study {
    /// The verdicts, counted.
    pub fn account(&self) -> Account {
        self.claims.iter().map(|claim| (claim.source, claim.ground, claim.verdict)).collect()
    }

    /// Nothing fails.
    pub fn holds(&self) -> bool {
        self.account().holds()
    }
}

/// How many runs of each kind there are, from the number of runs with crashes.
struct Plan {
    crashes: u64,
    at_most_once: u64,
    unruly: u64,
    losses: u64,
    partitions: u64,
    weaknesses: u64,
    chains: u64,
    elections: u64,
    normal: u64,
    vehicles: u32,
    bids: u64,
    growth: growth::Seeds,
    /// For each moment of a stop.
    spare: u64,
    arrangements: u64,
    given_up: u64,
}

impl Plan {
    fn of(runs: u64) -> Self {
        let part = |of: u64, least: u64| (runs / of).max(least);
        Self {
            crashes: runs,
            at_most_once: runs,
            unruly: runs,
            losses: part(5, 100),
            partitions: part(2, 20),
            weaknesses: part(200, 10),
            chains: part(50, 10),
            elections: part(20, 20),
            normal: part(20, 20),
            vehicles: part(50, 20) as u32,
            bids: part(20, 40),
            growth: growth::Seeds { along_one: 40, along_both: 12, few: part(10, 40) },
            spare: part(100, 1),
            arrangements: part(25, 40),
            given_up: part(4, 20),
        }
    }

    /// What progress counts up to.
    fn all(&self) -> u64 {
        let variants = Variant::ALL.len() as u64;
        let losses = LOSSES.len() as u64;
        let papers = variants - 1;
        let crashes = 2 * (losses * (self.crashes + 2 * self.at_most_once + self.unruly) + papers * self.papers());
        crashes
            + variants * 2 * self.losses
            + (variants + 1) * LOSSES.len() as u64 * self.partitions
            + variants * WEAKNESSES.len() as u64 * self.weaknesses
            + variants * CHAINS.len() as u64 * self.chains
            + variants * elections::NETWORKS.len() as u64 * self.elections
            + variants * NORMAL.len() as u64 * self.normal
            + growth::runs_in(&self.growth)
            + 4 * u64::from(self.vehicles)
            + 2 * self.bids
            + spare::MOMENTS * self.spare
            + Geometry::ALL.len() as u64 * self.arrangements
            + given_up::SETTINGS.len() as u64 * self.given_up
    }

    /// The protocol as drawn and as written is put to the same test, with fewer runs: as drawn it fails in most.
    fn papers(&self) -> u64 {
        (self.crashes / 10).max(10)
    }
}

/// Runs that [`reproduce`] makes: what its progress counts up to.
pub fn runs_in(runs: u64) -> u64 {
    Plan::of(runs).all()
}

/// Regenerates the study, with `runs` runs with crashes for each loss.
pub fn reproduce(seed: u64, runs: u64, batch: &Batch<'_>) -> Result<Study, ScenarioError> {
    let plan = Plan::of(runs);
    let mut study = Study {
        runs,
        claims: Vec::new(),
        missions: vec![mission::mission("hotspot", seed)?, mission::mission("hotspot-crossing", seed)?],
        figures: figures::figures(),
        normal: Vec::new(),
        load: load::load(seed)?,
        growth: growth::growth(seed, &plan.growth, batch)?,
        chains: Vec::new(),
        weaknesses: Vec::new(),
        elections: Vec::new(),
        losses: Vec::new(),
        faults: Vec::new(),
        partitions: Vec::new(),
        spare: vec![spare::spare(seed, plan.spare, batch)?],
        simultaneous: Vec::new(),
        given_up: Vec::new(),
        sampling: sampling::rows(plan.vehicles, seed, batch),
        budgets: sampling::budgets((plan.vehicles / 5).max(10), seed, batch),
        bids: bids::compare(plan.bids, seed, batch)?,
    };
    for geometry in Geometry::ALL {
        study.simultaneous.push(simultaneous::simultaneous(geometry, (seed, plan.arrangements), batch)?);
    }
    for setting in given_up::SETTINGS {
        study.given_up.push(given_up::given_up(setting, (seed, plan.given_up), batch)?);
    }
    for weakness in WEAKNESSES {
        study.weaknesses.push(weakness.show(seed, plan.weaknesses, batch)?);
    }
    for variant in Variant::ALL {
        for normal in NORMAL {
            study.normal.push(normal.show(variant, (seed, plan.normal), batch)?);
        }
        for of in CHAINS {
            study.chains.push(chain::chain(variant, of, (seed, plan.chains), batch)?);
        }
        for network in elections::NETWORKS {
            study.elections.push(elections::elections(network, variant, (seed, plan.elections), batch)?);
        }
        for loss in [0.1, 0.3] {
            study.losses.push(losses(variant, loss, (seed, plan.losses), batch)?);
        }
        for loss in LOSSES {
            let both = (variant, "at-least-once");
            study.partitions.push(partitions::partitions(both, loss, (seed, plan.partitions), batch)?);
        }
    }
    for loss in LOSSES {
        let both = (Variant::Fenced, "at-most-once");
        study.partitions.push(partitions::partitions(both, loss, (seed, plan.partitions), batch)?);
    }
    for crashes in [Crashes::One, Crashes::Several] {
        let mut add = |setting: Setting, runs: u64| -> Result<(), ScenarioError> {
            study.faults.push(faults::faults(setting, (seed, runs), batch)?);
            Ok(())
        };
        let fenced = |loss: f64| Setting::new(Variant::Fenced, crashes, loss);
        for loss in LOSSES {
            add(fenced(loss), plan.crashes)?;
        }
        for loss in LOSSES {
            add(fenced(loss).unruly(), plan.unruly)?;
        }
        for loss in LOSSES {
            add(fenced(loss).at_most_once(), plan.at_most_once)?;
        }
        for loss in LOSSES {
            add(fenced(loss).at_most_once().unruly(), plan.at_most_once)?;
        }
        for variant in [Variant::Drawn, Variant::Written] {
            add(Setting::new(variant, crashes, 0.1), plan.papers())?;
        }
    }
    study.claims = claims::claims(&study);
    Ok(study)
}

fn losses(variant: Variant, loss: f64, (seed, runs): (u64, u64), batch: &Batch<'_>) -> Result<Losses, ScenarioError> {
    let changes =
        ["tasking.t_peer_s=11".to_owned(), format!("tasking.variant={}", variant.name()), format!("radio.loss={loss}")];
    let loaded = muster_sim::scenario::parse("mesh", "tasking_mesh.toml", &trial::mesh(Tasks::Single), &changes)?;
    let trial = Trial::new(loaded, variant, Crashes::None);
    let done = batch.map(runs, |run| {
        let outcome = trial.run(Stream::seed_of_run(seed, run), false);
        (batch.progress)(1);
        outcome.done[0]
    });
    Ok(Losses {
        variant: variant.name(),
        loss,
        runs: done.len(),
        twice: done.iter().filter(|times| **times > 1).count(),
        never: done.iter().filter(|times| **times == 0).count(),
    })
}
