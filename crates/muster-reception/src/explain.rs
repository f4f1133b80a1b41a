//! Why robots felt and did what they did at a recorded reception: the lines of its log, narrowed down. A change of emotion
//! or of its level stays the value that it was: input, rule, numbers, causal chain.

use std::ops::RangeInclusive;

use muster_core::affect::Name;

use crate::reception::{Entry, Line};
use crate::recording::{Recording, entries_of, verify_until};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    /// Only lines about this robot.
    pub robot: Option<Name>,
    /// Only what happened within this span of seconds.
    pub at: Option<RangeInclusive<f64>>,
}

impl Narrow {
    fn wants(&self, line: &Line) -> bool {
        let about = |robot: &Name| line.about().contains(&Some(robot));
        self.robot.as_ref().is_none_or(about) && self.at.as_ref().is_none_or(|at| at.contains(&line.at.as_secs_f64()))
    }
}

/// What there is to tell of a recording.
#[derive(Clone, Debug, Default)]
pub struct Explained {
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// Why it is not the reception that it says, if it is not: what nobody did explains nothing.
    pub failure: Option<String>,
}

/// Explains a recording, and makes its reception again to see whether it is that; less of that if `halt` says so.
pub fn explain(recording: &Recording, narrow: &Narrow, halt: impl Fn() -> bool) -> Explained {
    // A recording that was cut off before its first entry is of any run, and tells nothing.
    if recording.events.is_empty() {
        return Explained::default();
    }
    let failure = verify_until(recording, halt).failure;
    let entries = recording.events.iter().flat_map(|(_, bytes)| entries_of(bytes));
    // What cannot be read is a difference, too, and so is told.
    let lines = entries.map_while(Result::ok).filter_map(|entry| match entry {
        Entry::Logged(line) => Some(line).filter(|line| narrow.wants(line)),
        Entry::Walked { .. } | Entry::Placed { .. } | Entry::Published { .. } | Entry::Reached { .. } => None,
    });
    Explained { lines: lines.collect(), failure }
}
