//! What robots did, whoever drove them: written down, read back, fed to their machines again, and compared.
//!
//! - [`Entry`]: an input, an output, or a remark on one. [`Journal`] alone encodes them.
//! - [`Tape`]: the MCAP file that they go to, with channels that viewers open, too; [`open`] reads it back, as far as it
//!   goes.
//! - [`Replay`]: feeds recorded inputs to fresh machines and compares what they put out, byte for byte.
//! - [`Comparison`]: compares a run that is made again with a recording of it, entry by entry.
//! - [`OwnRecorder`]: a robot that records by itself, without a seed, a mission or a simulator.
//! - [`Cast`]: what robots and tasks are called, and what else a replay has to know of them.
//! - [`explain`]: lines and awards from notes, narrowed down, and as JSON.
//! - [`show`] and [`foxglove`]: poses, shapes and lines for viewers, in Foxglove's messages; [`columns`]: lines of log files.
//! - [`bytes_on_air`]: how long a message is.
//! - [`seal()`]: the checksum of a header. `draw.rs`: what was left to chance, as it was drawn.
//!
//! A crate of its own below the simulator, so that a robot in the field can record and explain itself: it knows neither
//! scenario files nor any world.
//!
//! A file is written chunk by chunk, each whole: what was flushed is there after a crash, and a file that was cut off
//! anywhere is read up to the last whole chunk. One that is damaged anywhere else is refused.

mod cast;
pub mod columns;
mod compare;
mod draw;
mod entry;
pub mod explain;
pub mod foxglove;
mod journal;
mod own;
mod reader;
mod replay;
mod seal;
pub mod show;
mod size;
mod tape;

pub use cast::{Cast, Member};
pub use compare::{Comparison, InWords, Words};
pub use draw::Draw;
pub use entry::{Entry, Given, Owned, Put};
pub use journal::{Journal, Sink};
pub use own::{OWN_FORMAT, OwnHeader, OwnRecorder, read_own, replay_own};
pub use reader::{ReadError, Reads, Recording, Unread, open};
pub use replay::{Foreseen, Replay, Replayed, Source};
pub use seal::seal;
pub use size::bytes_on_air;
pub use tape::{Channel, Tape, TapeError};

/// The version of the format of a team's entries: a new one whenever entries, or the messages of a mechanism in them, are
/// laid out differently. Since 3, ARRIVAL and AGREE of recruitment carry the number of the ARRIVAL, and there are
/// interventions. Since 4, there is what the world did. Since 5, groups of collaborative tasking say from when on deeds count,
/// and its bids are laid out otherwise.
pub const IO_FORMAT: &str = "muster-io-5";
/// The format before. What other mechanisms than collaborative tasking have in it is the same now.
pub const IO_FORMAT_4: &str = "muster-io-4";
/// The format before that: what the world did is missing from it.
pub const IO_FORMAT_3: &str = "muster-io-3";
/// The first that is read. What ALLIANCE has in it is the same now.
pub const IO_FORMAT_2: &str = "muster-io-2";
/// The channel of a team's entries, and of those of a robot that recorded by itself.
pub const IO_TOPIC: &str = "/muster/io";
/// All channels of our own begin like this; a recording has one of them.
const OWN_TOPICS: &str = "/muster/";
/// What viewers are told of a channel of inputs and outputs.
pub const IO_SCHEMA: &str = include_str!("io-schema.txt");

/// The metadata record with the header.
const METADATA: &str = "muster";
/// The metadata record of a run that was broken off while it was recorded.
const BROKEN_OFF: &str = "muster broken off";

#[cfg(test)]
mod tests {
    use muster_core::event::Happening;
    use muster_core::{Duration, RobotId, TaskId};

    use super::IO_SCHEMA;

    /// Recordings carry the text for whoever has no program of ours: what is in the format is in the text, by its number.
    #[test]
    fn the_format_tells_of_every_happening() {
        let (lasts, disc, task) = (Duration::ZERO, None, TaskId(0));
        let all = [
            Happening::Stopped,
            Happening::Hangs { lasts },
            Happening::WentDown { lasts, memory: true },
            Happening::Deaf { lasts },
            Happening::Mute { lasts },
            Happening::Offline { lasts },
            Happening::Recovered,
            Happening::SwitchedOn,
            Happening::LinkUp,
            Happening::Jammed { disc },
            Happening::JamOver { disc },
            Happening::CutOver { between: (RobotId(0), RobotId(1)), more: 0 },
            Happening::Parted { parts: 2 },
            Happening::Rejoined,
            Happening::Sparse,
            Happening::SparseOver,
            Happening::CameToNothing { made: 0 },
            Happening::Untold { task },
            Happening::DoneUnawares { task },
            Happening::Reloads,
            Happening::Reloaded,
            Happening::RanOut,
        ];
        for (number, happening) in all.into_iter().enumerate() {
            assert_eq!(usize::from(postcard::to_stdvec(&happening).unwrap()[0]), number, "{happening:?}");
            let said = format!("{happening:?}");
            let name = said.split_whitespace().next().unwrap();
            assert!(IO_SCHEMA.contains(&format!(" {number} {name}")), "{number} {name}");
        }
        // One more would be read here, and be missing above.
        assert!(postcard::from_bytes::<Happening>(&[all.len() as u8, 0, 0, 0]).is_err(), "the last has another number");
    }
}
