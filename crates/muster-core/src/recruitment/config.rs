//! Everything about recruitment that is a matter of choice, with where each choice comes from.
//!
//! Marks: \[P\] given by the paper; \[R\] the paper leaves it open and this reading fits its tables
//! (docs/reproductions/recruitment.md); \[S\] chosen for safety.

use std::sync::Arc;

use super::policy::{Custom, Policy};
use super::shame::Shame;
use crate::robot::RobotId;
use crate::time::Duration;

/// How a team recruits.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// When a robot that could help offers to.
    pub answering: Answering,
    /// Whom the requester takes.
    pub choosing: Choosing,
    /// How messages to everybody travel.
    pub messaging: Messaging,
    /// SHAME and its constants. Kept up by every robot that hears a HELP, whatever the answering policy.
    pub shame: Shame,
    /// How long ACCEPTs to one HELP are collected.
    pub collect: Duration,
    /// How long the requester then waits before it calls again, if there were none.
    pub pause: Duration,
    /// How long a responder offers to take a task over for.
    pub lease: Duration,
    /// The longest lease a requester agrees to; offered more, it agrees to this.
    pub longest_lease: Duration,
    /// The shortest lease for which a responder takes a task over; agreed to less, it goes.
    pub shortest_lease: Duration,
    /// How long the work at a task takes, if not as long as the lease. What outlasts its lease is renewed before its end,
    /// or handed back; the requester stays until it hears DONE.
    pub analysis: Option<Duration>,
    /// The longest estimated time of arrival that a requester takes seriously.
    pub longest_eta: Duration,
    /// From when the lease runs.
    pub lease_from: LeaseFrom,
    /// The requester waits this much longer for the chosen robot than it said it would need. A robot on
    /// its way gives up after the same time: from then on its ARRIVAL would come too late.
    pub arrival_slack: Duration,
    /// How long the requester waits for ACKACK.
    pub ackack_timeout: Duration,
    /// How long a robot that has offered waits for RESPONDER.
    pub responder_timeout: Duration,
    /// How long a robot that has arrived waits for AGREE.
    pub agree_timeout: Duration,
    /// After an AGREE without ACKACK, and after losing its memory, the requester waits until any lease
    /// it may have agreed to is over before it calls again.
    pub wait_out_leases: bool,
    /// By how much clock rates of two robots may differ, as a share; waiting out a lease allows for it.
    pub clock_drift: f64,
    /// A robot that stands on its errand and has called in vain leaves to serve one with a lower number, and comes
    /// back: of robots that wait for each other the lowest keeps its place, so that no cycle of them lasts.
    pub serves_while_waiting: bool,
}

/// When a robot that could help offers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answering {
    /// When its SHAME is above the threshold.
    Ashamed,
    /// Always.
    Always,
    /// When a policy from outside says so.
    Custom(Custom),
}

/// Whom the requester takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// The one that would be here first; of equals, the one with the lower number.
    LeastEta,
    /// Any, each with the same chance.
    Uniform,
    /// Whom a policy from outside says.
    Custom(Custom),
}

/// How messages to everybody travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Messaging {
    /// One transmission that all in range hear.
    Broadcast,
    /// HELP goes to each of these in a message of its own, RESPONDER to the chosen one only.
    Unicast(Arc<[RobotId]>),
}

/// From when a lease runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LeaseFrom {
    /// From the responder's ACKACK, when its work begins.
    Ackack,
    /// From the responder's own ARRIVAL: whenever it starts, it ends by a time the requester can wait for.
    Arrival,
}

/// The three strategies of the paper: one protocol, two small policies. [Gage, Recruitment Strategies]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Robots answer by SHAME; the first to be here is taken.
    Affective,
    /// Every available robot answers; the first to be here is taken.
    Greedy,
    /// Every available robot answers; any is taken.
    Random,
}

impl Strategy {
    /// All of them, in the order of the paper's tables.
    pub const ALL: [Self; 3] = [Self::Affective, Self::Greedy, Self::Random];

    /// Its name in files, on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Affective => "affective",
            Self::Greedy => "greedy",
            Self::Random => "random",
        }
    }
}

impl Config {
    /// The system of Gage & Murphy 2004, under the reading that fits its tables.
    pub fn gage_2004() -> Self {
        Self {
            answering: Answering::Ashamed,
            choosing: Choosing::LeastEta,
            messaging: Messaging::Broadcast,
            shame: Shame::gage_2004(),
            // [R] 2 s and 3 s: the paper says that 3 s pass between requests, but use case 2 and the waits
            // of Table 1 need a period of 5 s, so the 3 s must come after the replies were collected.
            collect: Duration::from_secs(2),
            pause: Duration::from_secs(3),
            // [R] As long as the pause at the end of a scan.
            lease: Duration::from_secs(20),
            // [S] As long as its own, where a robot has a lease of its own: an offer of more is agreed to for this long only, since
            // a longer one could not be waited out.
            longest_lease: Duration::from_secs(20),
            // [R] "If the requester robot agrees to the lease": nothing says that a responder ever refuses one.
            shortest_lease: Duration::ZERO,
            // [P] "Once the analysis is complete, the agreed lease duration will expire": they are of one length.
            analysis: None,
            // [S] Nothing is waited for without bound; no robot of the paper is 3 minutes away.
            longest_eta: Duration::from_secs(3_600),
            // [R] "take over the investigation ... the agreed lease duration will expire": from ACKACK.
            lease_from: LeaseFrom::Ackack,
            // [R] "no member of the team should wait forever": values not given.
            arrival_slack: Duration::from_secs(10),
            ackack_timeout: Duration::from_secs(10),
            responder_timeout: Duration::from_secs(10),
            agree_timeout: Duration::from_secs(5),
            // The paper calls again at once; two robots may then work at one task for a while.
            wait_out_leases: false,
            clock_drift: 0.0,
            // [P] A robot on task does not answer, whatever it waits for.
            serves_while_waiting: false,
        }
    }

    /// The same protocol, such that two robots never work at one task at the same time.
    ///
    /// The lease runs from the responder's own ARRIVAL, an AGREE counts only for the ARRIVAL that it answers, and a
    /// requester that may have agreed to a lease waits it out before it calls again. Nor do robots wait for each other for
    /// ever, which the paper does not reach: see [`serves_while_waiting`](Self::serves_while_waiting).
    pub fn safe() -> Self {
        Self {
            lease_from: LeaseFrom::Arrival,
            wait_out_leases: true,
            // A hundred times what cheap crystals do; costs 0.2 s of waiting for a lease of 20 s.
            clock_drift: 0.01,
            // [S] "no member of the team should wait forever": ours where robots on task need each other.
            serves_while_waiting: true,
            ..Self::gage_2004()
        }
    }

    /// The same, with the policies of `strategy`.
    pub fn with(self, strategy: Strategy) -> Self {
        let (answering, choosing) = match strategy {
            Strategy::Affective => (Answering::Ashamed, Choosing::LeastEta),
            Strategy::Greedy => (Answering::Always, Choosing::LeastEta),
            Strategy::Random => (Answering::Always, Choosing::Uniform),
        };
        Self { answering, choosing, ..self }
    }

    /// The same, with a policy from outside for both decisions.
    pub fn with_policy(self, policy: Arc<dyn Policy>) -> Self {
        let custom = Custom(policy);
        Self { answering: Answering::Custom(custom.clone()), choosing: Choosing::Custom(custom), ..self }
    }

    /// How long to wait from the moment an ARRIVAL with this lease was received until that lease is over
    /// on the other robot's clock, whichever of the two runs faster.
    pub(super) fn lease_surely_over(&self, lease: Duration) -> Duration {
        lease.stretched(1.0 + self.clock_drift)
    }
}
