//! What can go wrong with a robot, and when.

use muster_core::event::Happening;
use muster_core::{Duration, RobotId, Time};

/// One fault of one robot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instant at which it strikes.
    pub at: Time,
    /// The robot that it strikes.
    pub robot: RobotId,
    /// What goes wrong with it, and for how long.
    pub kind: FaultKind,
}

/// What goes wrong. A pause or restart that strikes during an outage of the same robot changes nothing, except
/// that a restart cuts a pause short, and that somebody who intervenes can make a pause longer; of two spells of
/// deafness or muteness the later end counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// It stops for good.
    Stop,
    /// Its computer hangs: it hears nothing and decides nothing, while its body goes on with what it was
    /// told last. Timers and percepts that come due meanwhile wait for it.
    Pause {
        /// For how long.
        lasts: Duration,
    },
    /// It goes down, body and all, and starts again.
    Restart {
        /// After how long.
        down: Duration,
        /// With what it remembered, or without.
        memory: bool,
    },
    /// It hears nothing.
    Deaf {
        /// For how long.
        lasts: Duration,
    },
    /// Nobody hears it.
    Mute {
        /// For how long.
        lasts: Duration,
    },
    /// Its radio is down, and it knows.
    Offline {
        /// For how long.
        lasts: Duration,
    },
    /// Whatever was wrong with it is over: it starts again if it had stopped, was down or hung, and hears and is heard.
    Back {
        /// With what it remembered, or without, if it starts again.
        memory: bool,
    },
}

impl FaultKind {
    /// What it does to a robot at once. A robot that is back says so when it starts.
    pub const fn happening(self) -> Option<Happening> {
        Some(match self {
            Self::Stop => Happening::Stopped,
            Self::Pause { lasts } => Happening::Hangs { lasts },
            Self::Restart { down: lasts, memory } => Happening::WentDown { lasts, memory },
            Self::Deaf { lasts } => Happening::Deaf { lasts },
            Self::Mute { lasts } => Happening::Mute { lasts },
            Self::Offline { lasts } => Happening::Offline { lasts },
            Self::Back { .. } => return None,
        })
    }

    /// Its name in scenario files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Pause { .. } => "pause",
            Self::Restart { memory: true, .. } => "restart",
            Self::Restart { memory: false, .. } => "restart without memory",
            Self::Deaf { .. } => "deaf",
            Self::Mute { .. } => "mute",
            Self::Offline { .. } => "offline",
            Self::Back { .. } => "back",
        }
    }
}
