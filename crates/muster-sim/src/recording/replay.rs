//! Feeds a recording of a simulated run to the machines of its scheme.

use muster_core::{Dice, Mechanism, RobotId};
use muster_journal::{Foreseen, Replay, Replayed, Source};

use super::Recording;
use crate::intervention::Made;
use crate::scheme::{self, Visit};

/// Feeds the recorded inputs to fresh machines. Stops at the first thing that does not follow.
pub fn replay(recording: &Recording) -> Replayed {
    replay_until(recording, || false)
}

/// The same, broken off when `halt` says so.
pub fn replay_until(recording: &Recording, halt: impl Fn() -> bool) -> Replayed {
    fed(recording, &halt)
}

/// Not generic, so that it is compiled once and not by every crate that replays.
pub(super) fn fed(recording: &Recording, halt: &dyn Fn() -> bool) -> Replayed {
    scheme::staff(&recording.header.origin, Feed { recording, halt })
}

struct Feed<'a> {
    recording: &'a Recording,
    halt: &'a dyn Fn() -> bool,
}

impl Visit for Feed<'_> {
    type Result = Replayed;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Replayed {
        let origin = &self.recording.header.origin;
        let foreseen = |made: &Made| Foreseen { text: made.to_toml(), note: made.note() };
        let interventions = origin.interventions.all().iter().map(foreseen).collect();
        let source = Source::Team { dice: Dice::new(origin.seeds.run), interventions };
        Replay { cast: &origin.cast(), source, events: &self.recording.events }.feed(machine, self.halt)
    }
}
