//! One run of a reception that was drawn: watched, gone on with from the middle of a saved copy, compared with its row,
//! recorded and verified.

pub(super) mod told;

use muster_core::{Check, Time};
use muster_reception::checks::{NobodyFails, NobodyOverlaps};
use muster_reception::recording::{self, Header};
use muster_reception::scenario::Party;
use muster_reception::{Line, Reception, ReceptionError, TICK};

use super::mission::{RECORDINGS_VERIFY, Scratch};
use super::{Breach, Outcome, ReceptionPromise};
use crate::party;

/// What a reception that does not go on is a failure of.
const GOES_ON: &str = "the reception goes on";
/// What a restored reception that goes another way is a failure of.
const RESTORED: &str = "a restored reception goes on as it would have";
/// What a row that is not that of the log is a failure of.
const ROWS_EQUAL_THE_LOG: &str = "rows equal the log";

/// Makes one run of `party`. With `log`, hands back its log.
pub fn run(party: &Party, promise: Option<ReceptionPromise>, seed: u64, log: bool) -> Outcome {
    let promise = promise.map(|promise| promise(party));
    let mut outcome = watch(party, promise, seed).unwrap_or_else(|error| Outcome::failed(GOES_ON, error));
    if !log {
        outcome.log = Vec::new();
    }
    outcome
}

/// What is looked at after every tick and at the end.
struct Checks {
    invariants: [Box<dyn Check<Reception>>; 2],
    promise: Option<Box<dyn Check<Reception>>>,
    broken: Option<Breach>,
}

impl Checks {
    /// An invariant that does not hold. A promise that is broken is kept for later: another failure may be worse.
    fn look(
        &mut self,
        reception: &Reception,
        look: impl Fn(&mut dyn Check<Reception>, &Reception) -> Result<(), String>,
    ) -> Option<Breach> {
        let at = reception.now();
        let breach = |check: &mut Box<dyn Check<Reception>>| {
            let what = look(check.as_mut(), reception).err()?;
            Some(Breach { check: check.name(), what, at })
        };
        if self.broken.is_none() {
            self.broken = self.promise.as_mut().and_then(&breach);
        }
        self.invariants.iter_mut().find_map(breach)
    }
}

fn watch(party: &Party, promise: Option<Box<dyn Check<Reception>>>, seed: u64) -> Result<Outcome, ReceptionError> {
    let invariants: [Box<dyn Check<Reception>>; 2] = [Box::<NobodyOverlaps>::default(), Box::new(NobodyFails)];
    let mut checks = Checks { invariants, promise, broken: None };
    let mut reception = party.reception(seed)?;
    let mut log: Vec<Line> = Vec::new();
    reception.init(&mut log)?;
    reception.start()?;
    let end = Time::ZERO + party.limit;
    let middle = Time::ZERO + party.limit.stretched(0.5);
    let mut saved: Option<(Vec<u8>, usize)> = None;
    let mut breach = None;
    // Every tick takes time, so this ends.
    while breach.is_none() && reception.now() + TICK <= end {
        reception.tick(&mut log);
        breach = checks.look(&reception, |check, reception| check.look(reception));
        if saved.is_none() && reception.now() >= middle {
            saved = Some((reception.save()?, log.len()));
        }
    }
    let breach = match breach.or_else(|| checks.look(&reception, |check, reception| check.end(reception))) {
        Some(breach) => Some(breach),
        None => {
            let restored = match saved {
                Some((bytes, lines)) => goes_another_way(party, seed, &bytes, &log[lines..])?,
                None => None,
            };
            let at = reception.now();
            let differs = |what| Breach { check: ROWS_EQUAL_THE_LOG, what, at };
            let unverified = |what| Breach { check: RECORDINGS_VERIFY, what, at };
            let restored = restored.map(|what| Breach { check: RESTORED, what, at: middle });
            match restored {
                Some(breach) => Some(breach),
                None => match row_differs(party, seed, &log, at)? {
                    Some(what) => Some(differs(what)),
                    None => does_not_verify(party, seed).map(unverified),
                },
            }
        }
    };
    let messages = log.len() as u64;
    let breach = breach.or(checks.broken);
    Ok(Outcome { completed: true, end: reception.now(), breach, messages, log, ..Outcome::default() })
}

/// How a reception that goes on from a saved state differs from one that just went on, if it does.
fn goes_another_way(party: &Party, seed: u64, saved: &[u8], rest: &[Line]) -> Result<Option<String>, ReceptionError> {
    let mut restored = party.reception(seed)?;
    let mut again: Vec<Line> = Vec::new();
    restored.restore(saved)?;
    restored.start()?;
    while restored.now() + TICK <= Time::ZERO + party.limit {
        restored.tick(&mut again);
    }
    let differs = rest.iter().zip(&again).position(|(one, other)| one != other);
    let first = differs.unwrap_or(rest.len().min(again.len()));
    Ok((rest != again).then(|| format!("line {first} differs")))
}

/// How the row of the reception differs from what its log says, if it does.
fn row_differs(party: &Party, seed: u64, log: &[Line], end: Time) -> Result<Option<String>, ReceptionError> {
    let row = party::run(party, seed, &mut (), || false)?.expect("nobody calls a halt");
    Ok(told::differs_from(log, end, &row))
}

/// Why a recording of the reception does not verify, if it does not.
fn does_not_verify(party: &Party, seed: u64) -> Option<String> {
    let path = Scratch::new(&party.name, seed);
    let header = Header { party: Box::new(party.clone()), seed, program: ("soak".to_owned(), String::new()) };
    match recording::record(&path.0, &header, || false) {
        Err(error) => Some(format!("it cannot be recorded: {error}")),
        Ok(_) => match recording::read(&path.0) {
            Err(error) => Some(format!("its recording cannot be read: {error}")),
            Ok(recording) => recording::verify(&recording).failure,
        },
    }
}
