//! The ledger's counts are those of its records: rows of results are made from the counts, explanations from the records.

use muster_core::{Check, Mechanism};

use crate::ledger::{Pass, Record};
use crate::sim::View;

/// What the ledger counts while a run goes on is what its records hold in the end.
pub struct LedgerAddsUp;

impl<M: Mechanism> Check<View<'_, M>> for LedgerAddsUp {
    fn name(&self) -> &'static str {
        "the ledger adds up"
    }

    fn end(&mut self, view: &View<'_, M>) -> Result<(), String> {
        let records = view.ledger.records();
        let served = records.iter().filter(|record| record.served.is_some()).count();
        if served != view.ledger.served() {
            return Err(format!("{served} tasks are handed over, {} were counted", view.ledger.served()));
        }
        let duplicates: u64 = records.iter().map(|record| duplicates(record, view.ledger.passes())).sum();
        if duplicates != view.ledger.duplicates() {
            return Err(format!("{duplicates} spells are duplicates, {} were counted", view.ledger.duplicates()));
        }
        for record in records {
            let task = record.task.id;
            if let (Some((served, to)), None) = (record.served, record.seen) {
                return Err(format!("{task} was handed over to {to} at {served}, but never came up"));
            }
            if let (Some((served, _)), Some((seen, _))) = (record.served, record.seen)
                && served < seen
            {
                return Err(format!("{task} was handed over at {served}, before it came up at {seen}"));
            }
            if let Some(work) = record.work.iter().find(|work| work.until < work.from || work.from > view.now) {
                return Err(format!("{} worked at {task} from {} until {}", work.robot, work.from, work.until));
            }
        }
        Ok(())
    }
}

/// Flights over a target after the first one, but for those that were made because it was too long ago; where tasks are not flown over, spells of work after somebody else's.
fn duplicates(record: &Record, passes: &[Pass]) -> u64 {
    if record.recurs {
        return 0;
    }
    let mut flights = passes.iter().filter(|pass| pass.task == record.task.id);
    if flights.next().is_some() {
        return flights.filter(|pass| !pass.again).count() as u64;
    }
    let again = |index: usize| record.work[..index].iter().any(|other| other.robot != record.work[index].robot);
    (0..record.work.len()).filter(|index| again(*index)).count() as u64
}
