//! One run of a mission that was drawn: watched, then compared with its row, then recorded and verified.

use std::path::PathBuf;
use std::sync::Arc;

use muster_core::alliance::Alliance;
use muster_core::recruitment::Recruitment;
use muster_core::tasking::Tasking;
use muster_core::{Mechanism, RobotId, Time};
use muster_sim::checks::{self, TeamCheck};
use muster_sim::recording::{self, Header};
use muster_sim::scenario::Loaded;
use muster_sim::{Origin, Scheme, Sim};

use super::plan::Promise;
use super::watcher::Watcher;
use super::{Outcome, failure_of};
use crate::batch::Batch;
use crate::run::{self, Row};

/// Makes one run of `loaded` under the first of its schemes.
pub fn run(loaded: Loaded, promise: Promise, seed: u64, notes: bool) -> Outcome {
    let scheme = loaded.schemes()[0];
    let origin = Origin::new(loaded, scheme, seed).practised(|| false).expect("nobody calls a halt");
    let (mission, loaded) = (origin.mission(), &origin.loaded);
    let mut outcome = match scheme {
        Scheme::Recruitment(_) | Scheme::Scripted => {
            let config = loaded.recruitment(scheme);
            let mut checks = checks::for_recruitment(&config, mission);
            if promise == Promise::EverythingHandedOver {
                checks.push(Box::new(checks::EverythingHandedOver));
            }
            watch(&origin, |_| Recruitment::new(config.clone()), checks, notes)
        }
        Scheme::Alliance(approach) => {
            let config = Arc::new(loaded.impatience(approach));
            let mut checks = checks::for_alliance(mission);
            match promise {
                Promise::DoableIsDone => {
                    let labour = mission.labour.clone().unwrap_or_default();
                    checks.push(Box::new(checks::DoableIsDone::new(&labour, mission.limit)));
                }
                Promise::YieldsToWhoIsThere => checks.push(Box::<checks::YieldsToWhoIsThere>::default()),
                _ => {}
            }
            watch(&origin, |robot| Alliance::new(config.clone(), origin.knowledge.of(robot)), checks, notes)
        }
        Scheme::Tasking(variant) => {
            let (config, vehicles) = loaded.tasking(variant);
            let mut checks = checks::for_tasking(mission);
            match promise {
                Promise::NobodyBookedTwice => checks.push(Box::new(checks::NobodyBookedTwice)),
                Promise::PhasesInOrder => checks.push(Box::<checks::PhasesInOrder>::default()),
                Promise::AllOrNothing => checks.push(Box::<checks::AllOrNothing>::default()),
                _ => {}
            }
            let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
            watch(&origin, machine, checks, notes)
        }
    };
    if outcome.failure.is_none() {
        let row = run::run(&origin, &Batch::quiet()).expect("nobody calls a halt");
        let differs = outcome.differs_from(&row).or_else(|| does_not_verify(&origin));
        outcome.failure = differs.map(|what| (what, outcome.end));
    }
    outcome
}

fn watch<M: Mechanism + 'static>(
    origin: &Origin,
    machine: impl Fn(RobotId) -> M,
    checks: Vec<TeamCheck<M>>,
    notes: bool,
) -> Outcome {
    let mut sim = Sim::of(origin, machine, Watcher::new(checks, ()));
    if notes {
        sim = sim.with_notes();
    }
    sim.start();
    sim.run_until(|sim| sim.observer().has_failed() || sim.is_over());
    let failure = failure_of(&mut sim);
    Outcome {
        completed: sim.ledger().nothing_left(),
        end: sim.now(),
        failure,
        messages: sim.observer().sent,
        lost: sim.observer().lost,
        overlaps: sim.ledger().overlaps(),
        duplicates: sim.ledger().duplicates(),
        served: sim.ledger().records().iter().map(|record| record.served.map(|(at, _)| at)).collect(),
        faults: origin.faults().fold(Default::default(), |mut faults: super::Faults, fault| {
            *faults.entry(fault.kind.name().to_owned()).or_default() += 1;
            faults
        }),
        notes: sim.take_notes(),
        ..Outcome::default()
    }
}

impl Outcome {
    /// How the row of the same run differs from what was seen, if it does.
    fn differs_from(&self, row: &Row) -> Option<String> {
        let seconds = |at: Time| at.as_secs_f64();
        let served: Vec<Option<f64>> = self.served.iter().map(|at| at.map(seconds)).collect();
        let in_row: Vec<Option<f64>> = row.outcome.iter().map(|task| task.served_s).collect();
        let pairs = [
            ("messages", self.messages.to_string(), row.messages.to_string()),
            ("messages_lost", self.lost.to_string(), row.messages_lost.to_string()),
            ("overlaps", self.overlaps.to_string(), row.overlaps.to_string()),
            ("duplicates", self.duplicates.to_string(), row.duplicates.to_string()),
            ("end_s", seconds(self.end).to_string(), row.end_s.to_string()),
            ("served_s", format!("{served:?}"), format!("{in_row:?}")),
        ];
        let (what, seen, told) = pairs.into_iter().find(|(_, seen, told)| seen != told)?;
        Some(format!("rows equal the ledger: {what} is {told} in the row, {seen} was seen"))
    }
}

/// Why a recording of the run does not verify, if it does not.
fn does_not_verify(origin: &Origin) -> Option<String> {
    let path = Scratch::new(&origin.loaded.name, origin.seeds.run);
    let header = Header { origin: origin.clone(), program: ("soak".to_owned(), String::new()) };
    let failure = match recording::record(&path.0, &header, || false) {
        Err(error) => Some(format!("it cannot be recorded: {error}")),
        Ok(_) => match recording::read(&path.0) {
            Err(error) => Some(format!("its recording cannot be read: {error}")),
            Ok(recording) => recording::verify(&recording).failure,
        },
    };
    failure.map(|what| format!("recordings verify: {what}"))
}

/// A file that goes away again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(plan: &str, seed: u64) -> Self {
        Self(std::env::temp_dir().join(format!("muster-soak-{plan}-{seed}-{}.mcap", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that was never written is not there, and a full disk is told by the recorder.
        let _ = std::fs::remove_file(&self.0);
    }
}
