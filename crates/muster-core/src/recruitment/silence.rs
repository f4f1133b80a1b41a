//! Why a robot kept silent, in words: one wording for each place where grammar asks for another.

use super::step::Silence;
use crate::robot::RobotId;
use crate::telling::Quiet;

/// A robot that kept silent to a call, with what it weighed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub robot: RobotId,
    pub why: Silence,
    pub shame: f64,
    pub threshold: f64,
}

impl Silence {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unable => "unable",
            Self::Engaged => "engaged",
            Self::Committed => "committed",
            Self::Unashamed => "unashamed",
            Self::Declined => "declined",
            Self::TooFar => "too_far",
        }
    }

    /// By itself, beside the robot on a map, with the SHAME that was weighed.
    pub(super) fn alone(self, shame: f64, threshold: f64) -> String {
        match self {
            Self::Unable => "it lacks what is needed".to_owned(),
            Self::Engaged => format!("on an errand of its own (SHAME {shame:.2})"),
            Self::Committed => format!("serves another call (SHAME {shame:.2})"),
            Self::Unashamed => format!("SHAME {shame:.2} <= {threshold}"),
            Self::Declined => format!("its policy says no (SHAME {shame:.2})"),
            Self::TooFar => format!("too far away (SHAME {shame:.2})"),
        }
    }
}

impl Kept {
    /// As it follows the robot's name in a list: "idle-2 SHAME 0.41 <= 0.75".
    pub fn in_list(&self, name: &str) -> String {
        let Self { shame, threshold, .. } = self;
        match self.why {
            Silence::Unashamed => format!("{name} SHAME {shame:.2} <= {threshold}"),
            Silence::Engaged => format!("{name} on an errand (SHAME {shame:.2})"),
            Silence::Committed => format!("{name} serving another call (SHAME {shame:.2})"),
            Silence::Declined => format!("{name} by its policy (SHAME {shame:.2})"),
            Silence::TooFar => format!("{name} too far (SHAME {shame:.2})"),
            Silence::Unable => format!("{name} unable"),
        }
    }

    /// As it ends the robot's own sentence, after a colon. `now`: what it feels afterwards.
    pub fn in_sentence(&self, now: impl FnOnce() -> String) -> String {
        let Self { shame, threshold, .. } = self;
        match self.why {
            Silence::Unable => "it lacks what is needed".to_owned(),
            Silence::Engaged => format!("on an errand of its own, SHAME {shame:.2}, {}", now()),
            Silence::Committed => format!("it serves another call, SHAME {shame:.2}, {}", now()),
            Silence::Unashamed => format!("SHAME {shame:.2} <= {threshold}, {}", now()),
            Silence::Declined => format!("its policy says no, SHAME {shame:.2}, {}", now()),
            Silence::TooFar => format!("too far, SHAME {shame:.2}"),
        }
    }

    /// As a part of an award.
    pub fn quiet(&self) -> Quiet {
        let Self { robot, why, shame, threshold } = *self;
        Quiet { robot, word: why.word(), weighed: shame, weighed_key: "shame", text: why.alone(shame, threshold) }
    }
}
