//! What a robot notes of its recruitments: calls, offers, silences, awards and what becomes of them.

use crate::robot::{Point, RobotId};
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// What is noted of a recruitment. `round` counts the calls for one task; `with` is the robot at the other end.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Step {
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
        /// What SHAME has to be above for an answer, if SHAME decides.
        threshold: f64,
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
        /// What makes it answer.
        why: Answer,
    },
    /// An offer came in.
    OfferHeard {
        /// The robot that offers to come.
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
        /// How it chose.
        how: Choice,
        /// What SHAME has to be above for an answer, if SHAME decides.
        threshold: f64,
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
    /// Was agreed a lease that is shorter than it takes a task over for, and goes.
    Refused {
        /// Who agreed to no more.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// To what.
        lease: Duration,
    },
    /// Its work outlasts its lease: asked for another one.
    AskedForMore {
        /// Of whom.
        with: RobotId,
        /// For which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// Was agreed another lease and works on.
    Renewed {
        /// With whom.
        with: RobotId,
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// When the lease ends now.
        until: Time,
    },
    /// The lease ended before the work did: what is left is the requester's again.
    HandedBack {
        /// Whose it is.
        with: RobotId,
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
    },
    /// Another robot works at the task, which may outlast its lease; the requester stays.
    Held {
        /// Who works at it.
        with: RobotId,
        /// Which task.
        task: TaskId,
        /// Which call.
        round: u32,
        /// When that lease is surely over.
        until: Time,
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
    /// Has served another while it waited itself, and drives back.
    GoesBack {
        /// For which it waits.
        task: TaskId,
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

/// Why a robot answered a call.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Answer {
    /// Its SHAME is above a threshold.
    Ashamed {
        /// What SHAME had to be above.
        threshold: f64,
    },
    /// It answers every call.
    Always,
    /// A policy from outside says so.
    Policy,
}

/// How a requester chooses among offers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The robot that should be there first.
    LeastEta,
    /// Any of them, by lot.
    Uniform,
    /// The one that a policy from outside names.
    Policy,
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
    /// The task to be done, or another lease to be asked for.
    Done,
}
