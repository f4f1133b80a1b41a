//! What the world does, in words, and what is common to all mechanisms.

use std::sync::Arc;

use super::Wording;
use crate::event::{Happening, Intervened};
use crate::robot::Point;
use crate::time::Time;

/// A robot starts again.
pub(super) fn starts(incarnation: u32, remembered: bool) -> String {
    let how = if remembered { "with what it remembered" } else { "having lost its memory" };
    format!("starts again, life {incarnation}, {how}")
}

/// What happens, as it follows the name of the robot, or of the radio.
pub(super) fn sentence(wording: Wording<'_>, happening: Happening) -> String {
    let at = |disc: Option<(Point, f64)>| match disc {
        Some((centre, radius)) => format!("within {radius:.1} m of {centre}"),
        None => "everywhere".to_owned(),
    };
    match happening {
        Happening::Stopped => "stops for good".to_owned(),
        Happening::Hangs { lasts } => format!("hangs for {lasts:.1}"),
        Happening::WentDown { lasts, memory: true } => format!("goes down for {lasts:.1}"),
        Happening::WentDown { lasts, memory: false } => format!("goes down for {lasts:.1} and loses its memory"),
        Happening::Deaf { lasts } => format!("is deaf for {lasts:.1}"),
        Happening::Mute { lasts } => format!("is mute for {lasts:.1}"),
        Happening::Offline { lasts } => format!("is offline for {lasts:.1}"),
        Happening::Recovered => "works again".to_owned(),
        Happening::SwitchedOn => "is switched on".to_owned(),
        Happening::LinkUp => "is online again".to_owned(),
        Happening::Jammed { disc } => format!("is jammed {}", at(disc)),
        Happening::JamOver { disc } => format!("is no longer jammed {}", at(disc)),
        Happening::CutOver { between: (one, other), more } => {
            let (one, other) = (wording.names.robot(one), wording.names.robot(other));
            let others = if more > 0 { format!(", and so do {more} more") } else { String::new() };
            format!("carries between {one} and {other} again{others}")
        }
        Happening::Parted { parts } => format!("splits the team into {parts} parts"),
        Happening::Rejoined => "joins the parts of the team again".to_owned(),
        Happening::Sparse => "carries between some robots only".to_owned(),
        Happening::SparseOver => "carries between all robots again".to_owned(),
        Happening::CameToNothing { .. } => came_to_nothing(None),
        Happening::DoneUnawares { task } => {
            format!("has done {} while it hangs, and does not know it yet", wording.names.task(task))
        }
        Happening::Reloads => "flies to its base to be reloaded".to_owned(),
        Happening::Reloaded => "is reloaded, and ready at its base".to_owned(),
        Happening::RanOut => "runs out of endurance, and is out".to_owned(),
        Happening::Untold { task } => format!("cannot be told of {}: it has stopped", wording.names.task(task)),
    }
}

/// What somebody did, as it follows the name of whoever did it.
pub(super) fn intervenes(made: &Intervened) -> String {
    format!("intervenes: {}", made.sentence)
}

/// What somebody did changed nothing, as it follows the name of whoever did it.
pub(super) fn came_to_nothing(made: Option<&(Time, Arc<Intervened>)>) -> String {
    match made {
        Some((at, made)) => format!("intervened at {at:.1} to no effect: {}", made.sentence),
        None => "intervened to no effect".to_owned(),
    }
}
