//! The study in the small: every check is made, and what must not depend on threads does not.

use super::check::{Asked, Evidence, Findings};
use super::*;
use crate::verdict::Verdict;

fn small(threads: usize) -> Study {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    pool.install(|| reproduce(1, 2, &Batch::quiet()))
}

#[test]
fn every_check_is_made_and_holds_whatever_the_threads() {
    let study = small(1);
    for check in &study.checks {
        assert_eq!(check.verdict, Verdict::Holds, "{}: {}", check.id, check.found);
        assert!(!check.found.is_empty() && !check.statement.is_empty() && !check.reading.is_empty(), "{}", check.id);
    }
    let numbers: Vec<u32> = study.checks.iter().map(|check| check.id.parse().expect("a number")).collect();
    // All but those that need a screen.
    let needed: Vec<u32> = (1..=67).filter(|number| *number != 6 && !(17..=22).contains(number)).collect();
    assert_eq!(numbers, needed);
    assert_eq!(study.vectors.len(), 8);
    assert!(study.holds());
    let json = |study: &Study| serde_json::to_string(study).expect("it is plain data");
    assert_eq!(json(&small(2)), json(&study));
}

#[test]
fn shares_are_shares() {
    let study = small(2);
    for crowd in &study.crowds {
        for robot in ROBOTS {
            let sum: f64 = crowd.shares.iter().filter(|it| it.robot == robot).map(|it| it.share.mean).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{robot} among {}: {sum}", crowd.guests);
        }
    }
}

/// A check can fail: by what is not so, by trouble, by a number out of bounds, and by not having looked at anything.
#[test]
fn checks_can_fail() {
    let runs = Runs::new(1, 0, &Batch::quiet());
    let evidence = Evidence { seed: 1, runs: &runs };
    type Ask = fn(&Evidence<'_>, &mut Findings) -> Result<(), check::Trouble>;
    let asks: [Ask; 5] = [
        |_, it| {
            it.expect(true, "this is");
            it.expect(false, "that is not");
            Ok(())
        },
        |_, it| {
            it.expect(true, "this is");
            Err("no such thing".into())
        },
        |_, it| {
            it.measure(3.0, (0.0, 2.0), "ft");
            Ok(())
        },
        |_, _| Ok(()),
        |_, it| {
            it.refused(Ok::<_, String>(()), "no");
            Ok(())
        },
    ];
    for ask in asks {
        let asked = Asked { id: "0", section: "", statement: "", reading: "", ask };
        assert_eq!(asked.answer(&evidence).verdict, Verdict::Fails);
    }
    // Without any reception nothing is known of them.
    for id in ["44", "53", "61"] {
        let asked = asked().into_iter().find(|asked| asked.id == id).expect("it is there");
        assert_eq!(asked.answer(&evidence).verdict, Verdict::Fails, "{id}");
    }
}
