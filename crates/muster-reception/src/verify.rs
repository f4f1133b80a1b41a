//! A reception made again and compared with the list of its entries.

use muster_core::Time;
use thiserror::Error;

use crate::reception::{Entries, Entry, Onlooker, ReceptionError};
use crate::scenario::Party;

/// Where the list of a reception that was made again is another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which entry, counted from 0.
    pub number: usize,
    /// What the list has there; nothing if it has come to its end.
    pub recorded: Option<Entry>,
    /// What happened this time; nothing if no more did.
    pub happened: Option<Entry>,
}

/// Why a list does not hold.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// There is no such reception.
    #[error(transparent)]
    Reception(#[from] ReceptionError),
    /// It went another way.
    #[error(
        "entry {} differs: recorded was {:?}, and made again it is {:?}: \
         the list was changed, or comes of another scenario, seed or version",
        .0.number, .0.recorded, .0.happened
    )]
    Differs(Box<Difference>),
}

/// Compares with a list.
struct Comparer<'a> {
    recorded: &'a [Entry],
    number: usize,
    difference: Option<Box<Difference>>,
}

impl Onlooker for Comparer<'_> {
    fn records(&self) -> bool {
        self.difference.is_none()
    }

    fn recorded(&mut self, entry: Entry) {
        let recorded = self.recorded.get(self.number);
        if self.difference.is_none() && recorded != Some(&entry) {
            let (number, recorded) = (self.number, recorded.cloned());
            self.difference = Some(Box::new(Difference { number, recorded, happened: Some(entry) }));
        }
        self.number += 1;
    }
}

/// The list of a reception from its beginning until `until`.
pub fn record(party: &Party, seed: u64, until: Time) -> Result<Vec<Entry>, ReceptionError> {
    let mut entries = Entries::default();
    live(party, seed, until, &mut entries)?;
    Ok(entries.0)
}

/// Makes a reception again and compares it with its list, entry by entry.
pub fn verify(party: &Party, seed: u64, until: Time, entries: &[Entry]) -> Result<(), VerifyError> {
    let mut comparer = Comparer { recorded: entries, number: 0, difference: None };
    live(party, seed, until, &mut comparer)?;
    let Comparer { number, difference, .. } = comparer;
    let more = || entries.get(number).map(|entry| Difference { number, recorded: Some(entry.clone()), happened: None });
    match difference.or_else(|| more().map(Box::new)) {
        None => Ok(()),
        Some(difference) => Err(VerifyError::Differs(difference)),
    }
}

fn live(party: &Party, seed: u64, until: Time, onlooker: &mut dyn Onlooker) -> Result<(), ReceptionError> {
    let mut reception = party.reception(seed)?;
    reception.init(onlooker)?;
    reception.start()?;
    reception.run_until(until, onlooker);
    reception.stop(onlooker)
}
