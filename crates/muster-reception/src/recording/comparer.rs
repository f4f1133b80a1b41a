//! Makes a recorded reception again and compares it, byte for byte, with what was recorded.

use std::sync::Arc;

use muster_core::Time;
use muster_core::affect::Name;
use muster_journal::{Comparison, Words};

use super::{Header, Recording, Scribe};
use crate::reception::{Entry, Onlooker, ReceptionError, TICK};

/// What came of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Entries that were compared.
    pub entries: u64,
    /// The first thing that is not as it must be, if there is one.
    pub failure: Option<String>,
}

/// Makes the reception of a recording again and compares every entry. A recording that ends early is compared as far as it
/// goes.
pub fn verify(recording: &Recording) -> Verified {
    verify_until(recording, || false)
}

/// The same, broken off when `halt` says so: then there is no failure as far as it came.
pub fn verify_until(recording: &Recording, halt: impl Fn() -> bool) -> Verified {
    if recording.events.is_empty() {
        let failure = "it holds no inputs: there is nothing to verify".to_owned();
        return Verified { entries: 0, failure: Some(failure) };
    }
    let mut comparer = Comparer::new(recording);
    let failure = match live(&recording.header, &mut comparer, &halt) {
        Ok(()) => comparer.difference().map(str::to_owned),
        Err(error) => Some(error.to_string()),
    };
    Verified { entries: comparer.scribe.count, failure }
}

fn live(header: &Header, comparer: &mut Comparer<'_>, halt: &dyn Fn() -> bool) -> Result<(), ReceptionError> {
    let mut reception = header.party.reception(header.seed)?;
    let end = Time::ZERO + header.party.limit;
    reception.init(comparer)?;
    comparer.ticked();
    reception.start()?;
    while reception.now() + TICK <= end && !comparer.is_settled() {
        if halt() {
            return Ok(());
        }
        reception.tick(comparer);
        comparer.ticked();
    }
    if !comparer.is_settled() {
        reception.stop(comparer)?;
        comparer.ended();
    }
    Ok(())
}

/// Looks on while a reception is made again and compares it, entry by entry, with a recording of it. It must be that of the
/// recording's header.
#[derive(Clone)]
pub struct Comparer<'a> {
    scribe: Scribe,
    comparison: Comparison<'a, InWords>,
}

impl<'a> Comparer<'a> {
    /// Nothing is compared yet.
    pub fn new(recording: &'a Recording) -> Self {
        let words = InWords(recording.header.party.names().into());
        Self { scribe: Scribe::default(), comparison: Comparison::new(recording, words) }
    }

    /// Everybody is in place, or a tick is over.
    pub fn ticked(&mut self) {
        self.scribe.end_tick(&mut self.comparison);
    }

    /// The reception is over: what was recorded beyond is a difference.
    pub fn ended(&mut self) {
        self.ticked();
        self.comparison.ended();
    }

    /// The first difference between the reception so far and the recording, in words.
    pub fn difference(&self) -> Option<&str> {
        self.comparison.difference()
    }

    /// The rest of the reception would show nothing new: there is a difference, or the recording ends early and does so
    /// here.
    pub fn is_settled(&self) -> bool {
        self.comparison.is_settled()
    }
}

impl Onlooker for Comparer<'_> {
    fn records(&self) -> bool {
        !self.is_settled()
    }

    fn recorded(&mut self, entry: Entry) {
        self.scribe.entry(&entry);
    }
}

/// The words of entries; robots by their names.
#[derive(Clone)]
struct InWords(Arc<[Name]>);

impl Words for InWords {
    fn take<'b>(&mut self, entries: &'b [u8]) -> Option<(String, &'b [u8])> {
        let (entry, rest) = postcard::take_from_bytes(entries).ok()?;
        let name = |robot: u32| self.0.get(robot as usize).map_or_else(|| robot.to_string(), Name::to_string);
        let text = match entry {
            Entry::Logged(line) => match line.about()[0] {
                Some(robot) => format!("{robot}: {}", line.sentence()),
                None => format!("the line \"{}\"", line.sentence()),
            },
            Entry::Walked { sum, .. } => format!("where guests are (sum {sum:016x})"),
            Entry::Placed { robot, place, .. } => format!("{}: at {place:?}", name(robot)),
            Entry::Published { robot, news, .. } => format!("{}: makes known {news:?}", name(robot)),
            Entry::Reached { robot, of, news, .. } => format!("{}: learns of {} {news:?}", name(robot), name(of)),
        };
        Some((text, rest))
    }
}
