//! A row that differs in anything from what was seen is noticed.

use muster_sim::Origin;
use muster_sim::scheme::{Visit, staff};

use super::*;
use crate::run::{self, Row};
use crate::soak::account::Account;

struct Seen<'a>(&'a Origin);

impl Visit for Seen<'_> {
    type Result = (Account, Time);

    fn visit<M: muster_core::Mechanism>(self, machine: impl Fn(muster_core::RobotId) -> M) -> (Account, Time) {
        let checks = watcher::Checks { invariants: Vec::new(), promise: None };
        let watcher = watcher::Watcher::new(checks, (), u64::MAX).with_account();
        let mut sim = muster_sim::Sim::of(self.0, machine, watcher);
        sim.run();
        (sim.observer_mut().take_account(), sim.now())
    }
}

/// The runs of the first seeds of a plan in which something was done, with what was seen of each.
fn runs(name: &str, seeds: u64) -> Vec<(Origin, Row, Account, Time)> {
    let one = |seed: u64| {
        let texts = drawn(plan(name), seed);
        let loaded = scenario::parse(name, "drawn", &texts.scenario, &[]).expect("it reads");
        let scheme = loaded.schemes()[0];
        let interventions = Interventions::parse("drawn", &texts.interventions, &loaded, scheme).expect("it reads");
        let origin = Origin::new(loaded, scheme, seed).with_interventions(interventions);
        let row = run::run(&origin, &Batch::quiet()).expect("nobody calls a halt");
        let (account, end) = staff(&origin, Seen(&origin));
        (origin, row, account, end)
    };
    (0..seeds).map(one).collect()
}

/// Each value of a row, changed, is noticed in every run.
#[test]
fn whatever_is_wrong_in_a_row_is_noticed() {
    type Spoil = fn(&mut Row);
    let wrong: [(&str, Spoil); 11] = [
        ("completed", |row| row.completed = !row.completed),
        ("messages", |row| row.messages += 1),
        ("messages_lost", |row| row.messages_lost += 1),
        ("wait_s", |row| row.wait_s += 0.000_001),
        ("duplicates", |row| row.duplicates = row.duplicates.wrapping_sub(1)),
        ("overlaps", |row| row.overlaps += 1),
        ("lost", |row| row.lost += 1),
        ("expired", |row| row.expired += 1),
        ("not_made", |row| row.not_made += 1),
        ("end_s", |row| row.end_s += 1.0),
        ("seed", |row| row.seed += 1),
    ];
    for name in ["recruitment", "alliance", "tasking"] {
        for (origin, row, account, end) in runs(name, 6) {
            assert_eq!(account.differs_from(&origin, &row, end), None, "{name} {}", row.seed);
            for (key, spoil) in &wrong {
                let mut spoilt = row.clone();
                spoil(&mut spoilt);
                let told = account.differs_from(&origin, &spoilt, end);
                // A task that somebody hung at hides how many were at it.
                if !matches!(*key, "overlaps" | "duplicates") || told.is_some() {
                    assert!(
                        told.as_ref().is_some_and(|told| told.contains(key)),
                        "{name} {}: {key}: {told:?}",
                        row.seed
                    );
                }
            }
        }
    }
}

/// Each value of a task, changed, is noticed; not of each task, since of those that somebody hung at only bounds are known.
#[test]
fn whatever_is_wrong_of_a_task_is_noticed() {
    type Spoil = fn(&mut run::TaskRow);
    let wrong: [(&str, Spoil); 8] = [
        ("seen_s", |task| task.seen_s = task.seen_s.map_or(Some(0.5), |seen| Some(seen + 0.000_001))),
        ("served_s", |task| task.served_s = task.served_s.map_or(Some(0.5), |served| Some(served + 0.000_001))),
        ("responder", |task| task.responder = task.responder.as_ref().map_or(Some("r0".to_owned()), |_| None)),
        ("workers", |task| task.workers += 1),
        ("wait_s", |task| task.wait_s = task.wait_s.map_or(Some(1.0), |wait| Some(wait + 0.000_001))),
        ("called_off", |task| task.called_off = !task.called_off),
        ("expired", |task| task.expired = !task.expired),
        ("times", |task| {
            task.helps = task.helps.map(|helps| helps + 1);
            task.done = task.done.map(|done| done + 1);
        }),
    ];
    for name in ["recruitment", "alliance", "tasking"] {
        for (key, spoil) in &wrong {
            let mut noticed = 0;
            for (origin, row, account, end) in runs(name, 6) {
                for task in 0..row.outcome.len() {
                    let mut spoilt = row.clone();
                    spoil(&mut spoilt.outcome[task]);
                    noticed += u32::from(account.differs_from(&origin, &spoilt, end).is_some());
                }
            }
            assert!(noticed >= 3, "{name}: {key} was noticed {noticed} times");
        }
    }
}
