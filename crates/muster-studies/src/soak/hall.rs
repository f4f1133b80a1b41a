//! One run of a reception that was drawn: watched, and gone on with from the middle of a saved copy.

use muster_core::{Check, Time};
use muster_reception::checks::{NobodyFails, NobodyOverlaps};
use muster_reception::scenario::Party;
use muster_reception::{Line, Onlooker, Reception, ReceptionError, TICK};

use super::Outcome;

/// Makes one run of `party`.
pub fn run(party: &Party, seed: u64) -> Outcome {
    match watch(party, seed) {
        Ok(outcome) => outcome,
        Err(error) => {
            Outcome { failure: Some((format!("the reception goes on: {error}"), Time::ZERO)), ..Outcome::default() }
        }
    }
}

/// Keeps the log.
#[derive(Default)]
struct Log(Vec<String>);

impl Onlooker for Log {
    fn logged(&mut self, line: &Line) {
        self.0.push(line.to_string());
    }
}

fn watch(party: &Party, seed: u64) -> Result<Outcome, ReceptionError> {
    let mut checks: [Box<dyn Check<Reception>>; 2] = [Box::<NobodyOverlaps>::default(), Box::new(NobodyFails)];
    let mut reception = party.reception(seed)?;
    let mut log = Log::default();
    reception.init(&mut log)?;
    reception.start()?;
    let end = Time::ZERO + party.limit;
    let middle = Time::ZERO + party.limit.stretched(0.5);
    let mut saved: Option<(Vec<u8>, usize)> = None;
    while reception.now() + TICK <= end {
        reception.tick(&mut log);
        for check in &mut checks {
            if let Err(what) = check.look(&reception) {
                let failure = Some((format!("{}: {what}", check.name()), reception.now()));
                return Ok(Outcome { end: reception.now(), failure, ..Outcome::default() });
            }
        }
        if saved.is_none() && reception.now() >= middle {
            saved = Some((reception.save()?, log.0.len()));
        }
    }
    let mut failure = None;
    if let Some((bytes, lines)) = saved {
        let mut restored = party.reception(seed)?;
        let mut again = Log::default();
        restored.restore(&bytes)?;
        restored.start()?;
        while restored.now() + TICK <= end {
            restored.tick(&mut again);
        }
        let rest = &log.0[lines..];
        if rest != again.0 {
            let differs = rest.iter().zip(&again.0).position(|(one, other)| one != other);
            let first = differs.unwrap_or(rest.len().min(again.0.len()));
            failure = Some((format!("a restored reception goes on as it would have: line {first} differs"), middle));
        }
    }
    let messages = log.0.len() as u64;
    Ok(Outcome { completed: true, end: reception.now(), failure, messages, ..Outcome::default() })
}
