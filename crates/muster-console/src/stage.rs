//! A run that can be watched: it goes on as far as it is told, shows what there is to see, and can be copied, so that
//! somebody can look at its past while it goes on.
//!
//! How fast it goes on, and whether anybody looks, is none of its business: the same run comes of it.

pub mod air;
pub mod facts;
pub mod mission;
pub mod reception;
pub mod teller;

use muster_core::{Duration, Time};

use crate::frame::Frame;
use crate::scene::{Card, Counts, Glance, Line, Story};
use crate::wire::Bids;

/// A run that can be watched.
pub trait OnStage: Sized {
    /// The time that it shows.
    fn now(&self) -> Time;

    /// Goes on to `until`, or until it is over, or `halt` says so after an event.
    fn advance(&mut self, until: Time, halt: &mut dyn FnMut() -> bool);

    /// The next instant at which anything happens.
    fn next_at(&self) -> Time;

    /// How it ended, in a sentence, if it did.
    fn over(&self) -> Option<&str>;

    /// Ends it here and now.
    fn stop(&mut self);

    /// Another that goes on from here like this one, and keeps no log. Nothing, if it cannot be copied.
    fn twin(&self) -> Option<Self>;

    /// What it has cost to come this far: a measure of what it would cost to come here again.
    fn effort(&self) -> u64;

    /// Where everybody is, and how.
    fn poses(&self, frame: &mut Frame<'_>);

    /// Counts of messages, tasks and robots that are down.
    fn counts(&self) -> Counts;

    /// What else there is to see; transmissions of the last `window`.
    fn glance(&self, window: Duration) -> Glance;

    /// What a robot shows of itself.
    fn card(&self, robot: u32) -> Option<Card>;

    /// How many robots there are.
    fn robots(&self) -> u32;

    /// The lines of the log since this was last asked for. A copy has none.
    fn lines(&mut self) -> Vec<Line>;

    /// What was said and decided up to `until`. A copy knows nothing of it.
    fn story(&self, of: Subject, until: Time) -> Story;

    /// The bids for a task at its last auction by `until`, if it was auctioned. A copy knows nothing of it.
    fn bids(&self, _task: u32, _until: Time) -> Option<Bids> {
        None
    }
}

/// How a run that has to be a recorded one ends here, in a sentence, if it does: it differs, or the recording ends before
/// the run does. `ended`: the run itself is over.
fn end_of_recording(difference: Option<&str>, is_settled: bool, ended: bool) -> Option<String> {
    match difference {
        Some(difference) => Some(format!("The recording is of another run: {difference}.")),
        None if is_settled && !ended => Some("The recording ends here: it was cut off or broken off.".to_owned()),
        None => None,
    }
}

/// What a story is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A task.
    Task(u32),
    /// A robot.
    Robot(u32),
}
