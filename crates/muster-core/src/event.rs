//! What a mechanism notes down about its decisions: inputs and numbers, so that each can be explained.
//!
//! Events are shared by all mechanisms and are plain data. Nothing reads them back: no decision depends
//! on a note, so a run with notes and a run without are the same run.

use crate::alliance::Category;
use crate::robot::{Point, RobotId};
use crate::task::TaskId;
use crate::tasking::Step;
use crate::time::{Duration, Time};

/// Something worth knowing afterwards.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Note {
    /// When, on the robot's clock.
    pub at: Time,
    /// Whose note.
    pub robot: RobotId,
    /// What.
    pub event: Event,
}

/// What can be noted. `round` counts the calls for one task; `with` is the robot at the other end.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Event {
    /// Somebody intervened in the run. No robot notes this, its driver does; the note's robot is the one that it is
    /// about, or [`RobotId::NOBODY`].
    Intervened {
        /// Which intervention, counted from zero in the order in which they were given.
        number: u32,
    },
    /// The mechanism started; `remembered` says whether its memory survived.
    Started {
        /// The number that tells this life of the robot from earlier ones.
        incarnation: u32,
        /// False if what it knew was lost.
        remembered: bool,
    },
    /// Called for help.
    Called {
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Where help is needed.
        place: Point,
    },
    /// Heard a call and did not answer.
    Silent {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Why not.
        why: Silence,
        /// SHAME that was weighed (after decay, before this refusal).
        shame: f64,
        /// SHAME afterwards.
        shame_after: f64,
        /// Metres to the caller.
        distance_m: f64,
    },
    /// Answered a call.
    Offered {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Estimated time to get there.
        eta: Duration,
        /// SHAME that was weighed.
        shame: f64,
    },
    /// An offer came in.
    OfferHeard {
        /// Whose.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Estimated time to get here.
        eta: Duration,
    },
    /// Chose among the offers.
    Awarded {
        /// Who is to come.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Its estimated time of arrival.
        eta: Duration,
        /// How many offers there were.
        offers: u32,
    },
    /// Was chosen and sets out.
    SetOut {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// Another was chosen.
    NotNeeded {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// Who was chosen.
        chosen: RobotId,
    },
    /// A newer call for the same task made what was agreed on the older one void.
    Superseded {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// The call that no longer counts.
        round: u32,
    },
    /// Came to the place and said so.
    Arrived {
        /// Who called.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// Agreed to a lease.
    Agreed {
        /// With whom.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// For how long.
        lease: Duration,
    },
    /// Took the task over and works.
    TookOver {
        /// From whom.
        with: RobotId,
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// When the lease ends.
        until: Time,
    },
    /// The task is in another robot's hands; the recruitment is complete.
    Served {
        /// Who has it.
        with: RobotId,
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// The lease ended, and with it the work.
    Finished {
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// What was waited for did not come.
    TimedOut {
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// What did not come.
        waiting_for: Awaited,
    },
    /// The way there is blocked; gave up.
    Blocked {
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// Does not call before `until`: somebody may still hold a lease for the task.
    Barred {
        /// Which task.
        task: TaskId,
        /// When it may call again.
        until: Time,
    },
    /// Looks after the task no longer.
    Withdrawn {
        /// Which task.
        task: TaskId,
    },
    /// A policy from outside came to no decision, and the paper's decided instead.
    PolicyFailed {
        /// Who called, or who was chosen.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// In which line of its text; 0 if that is not known.
        line: u32,
    },
    /// A behaviour set became active.
    Activated {
        /// For which task.
        task: TaskId,
        /// By a plan for the team, not by who does it best.
        planned: bool,
        /// This robot's before others', or not.
        category: Category,
        /// The team mate that was at it, and for how long.
        overrides: Option<(RobotId, Duration)>,
        /// Seconds that this robot expects to need, its way there included, if it knows.
        own_s: Option<f64>,
        /// The team mate present that should be quickest, with the seconds it should need.
        best: Option<(RobotId, f64)>,
    },
    /// A behaviour set became inactive without the task being done by this robot.
    Quit {
        /// Which task.
        task: TaskId,
        /// Why.
        why: Quit,
    },
    /// Did the task.
    Done {
        /// Which.
        task: TaskId,
        /// How long it took.
        took: Duration,
    },
    /// A step of the Collaborative Tasking Protocol.
    Tasking {
        /// About which task.
        task: TaskId,
        /// Which step.
        step: Step,
    },
    /// A message that means nothing now was dropped.
    Dropped {
        /// Who sent it.
        with: RobotId,
        /// What kind of message.
        message: &'static str,
        /// Why.
        why: Drop,
    },
}

/// Why a robot that heard a call kept silent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It lacks what the task needs.
    Unable,
    /// It is on an errand of its own.
    Engaged,
    /// It serves another call.
    Committed,
    /// Its SHAME is not above the threshold.
    Unashamed,
    /// A policy from outside says no.
    Declined,
    /// It would take longer to get there than any requester waits for.
    TooFar,
}

/// Why a robot stops doing something that it has not done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Quit {
    /// Another did it, or it vanished.
    Gone,
    /// What it was needed for is no longer so.
    NotNeeded,
    /// It tried for so long that it yields to another that claims the task.
    Yielded {
        /// To whom.
        to: RobotId,
    },
    /// It tried for so long that it gives up on itself.
    Hopeless,
    /// The body cannot get there.
    Blocked,
    /// Another was at it first, unbeknown to this one.
    Tie {
        /// Who.
        with: RobotId,
    },
}

/// What a time-out was waiting for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// An ACCEPT to a HELP.
    Accept,
    /// The decision on an offer.
    Responder,
    /// The end of the drive.
    Journey,
    /// The chosen robot.
    Arrival,
    /// The lease to be agreed.
    Agree,
    /// The task to be taken over.
    Ackack,
}

/// Why a message was dropped.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Drop {
    /// It belongs to a call that is over, or to another life of this robot.
    Late,
    /// It was heard before.
    Duplicate,
    /// It belongs to somebody else.
    Foreign,
    /// Its content cannot be.
    Absurd,
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
}

impl Drop {
    /// As it follows "drops HELP of uav:".
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Late => "it is too late",
            Self::Duplicate => "it was heard before",
            Self::Foreign => "it is meant for another",
            Self::Absurd => "it cannot be",
        }
    }
}
