//! Crashes of any role at any moment: drawn so that moments which last a tenth of a second are met as often as those
//! which last a minute.

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Tasking, bidder, lead, peer, user};
use muster_core::{Duration, RobotId, Time};
use muster_sim::View;
use muster_sim::fault::{Fault, FaultKind};
use serde::Serialize;

/// Where a node can be when it crashes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // The names of roles and stages.
pub enum Moment {
    UserWaitsForClaim,
    UserWaitsForSolicitation,
    UserWaitsToRetry,
    LeadWaitsForBids,
    LeadWaitsForAccept,
    LeadWaitsToRetry,
    BidderWaitsForBidAck,
    BidderWaitsForAssignment,
    BidderWaitsForAcceptAck,
    Assigned,
    AboutToExecute,
    JustExecuted,
    PeerMonitors,
    PeerWaitsForReply,
    PeerTabulatesClaims,
    PeerTabulatesWinners,
    AnyTime,
}

impl Moment {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::UserWaitsForClaim,
        Self::UserWaitsForSolicitation,
        Self::UserWaitsToRetry,
        Self::LeadWaitsForBids,
        Self::LeadWaitsForAccept,
        Self::LeadWaitsToRetry,
        Self::BidderWaitsForBidAck,
        Self::BidderWaitsForAssignment,
        Self::BidderWaitsForAcceptAck,
        Self::Assigned,
        Self::AboutToExecute,
        Self::JustExecuted,
        Self::PeerMonitors,
        Self::PeerWaitsForReply,
        Self::PeerTabulatesClaims,
        Self::PeerTabulatesWinners,
        Self::AnyTime,
    ];

    /// `machine` is there, at `now`.
    fn holds(self, machine: &Tasking, now: Time) -> bool {
        let soon = |at: Time, within_ms: u64| at >= now && at.since(now) <= Duration::from_millis(within_ms);
        let user = |stage: fn(&user::Stage) -> bool| {
            machine.orders().any(|order| order.user().is_some_and(|user| stage(&user.stage)))
        };
        let lead = |stage: fn(&lead::Stage) -> bool| {
            machine.orders().any(|order| order.lead().is_some_and(|lead| stage(&lead.stage)))
        };
        let bidder = |stage: fn(&bidder::Stage) -> bool| {
            machine.orders().any(|order| order.bidder().is_some_and(|bidder| stage(&bidder.stage)))
        };
        let peer =
            |stage: fn(&peer::Peer) -> bool| machine.orders().any(|order| !order.is_settled() && stage(order.peer()));
        let own = machine.own();
        match self {
            Self::UserWaitsForClaim => user(|stage| matches!(stage, user::Stage::Claim)),
            Self::UserWaitsForSolicitation => user(|stage| matches!(stage, user::Stage::Solicitation(_))),
            Self::UserWaitsToRetry => user(|stage| matches!(stage, user::Stage::Retry)),
            Self::LeadWaitsForBids => lead(|stage| matches!(stage, lead::Stage::Bidding)),
            Self::LeadWaitsForAccept => lead(|stage| matches!(stage, lead::Stage::Notifying { .. })),
            Self::LeadWaitsToRetry => lead(|stage| matches!(stage, lead::Stage::Retrying)),
            Self::BidderWaitsForBidAck => bidder(|stage| matches!(stage, bidder::Stage::BidAck(_))),
            Self::BidderWaitsForAssignment => bidder(|stage| matches!(stage, bidder::Stage::Assignment)),
            Self::BidderWaitsForAcceptAck => bidder(|stage| matches!(stage, bidder::Stage::AcceptAck { .. })),
            Self::Assigned => !own.held().is_empty(),
            Self::AboutToExecute => own.held().iter().any(|held| soon(held.at, 1_000)),
            Self::JustExecuted => own.deeds().iter().any(|deed| now.since(deed.at) <= Duration::from_millis(60)),
            Self::PeerMonitors => peer(|peer| matches!(peer, peer::Peer::Monitoring)),
            Self::PeerWaitsForReply => peer(|peer| matches!(peer, peer::Peer::Replying(..))),
            Self::PeerTabulatesClaims => peer(|peer| matches!(peer, peer::Peer::Claiming(_))),
            Self::PeerTabulatesWinners => peer(|peer| matches!(peer, peer::Peer::Winning(..))),
            Self::AnyTime => false,
        }
    }
}

/// How many nodes crash in a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Crashes {
    /// None.
    None,
    /// One.
    One,
    /// Two to four of them; at least one vehicle never does.
    Several,
}

impl Crashes {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "no crash",
            Self::One => "one crash",
            Self::Several => "several crashes",
        }
    }
}

/// Plans crashes and lets them happen.
#[derive(Clone, Debug)]
pub struct Saboteur {
    stream: Stream,
    /// Still to come: at which moment, and at what time whatever moment that is.
    plots: Vec<(Moment, Time)>,
    /// Who never crashes, so that somebody is left.
    spared: RobotId,
    struck: Vec<(Moment, RobotId)>,
    crashed: Vec<bool>,
}

/// A moment that does not come by then is given up for whatever is going on.
const LATEST_S: f64 = 60.0;

impl Saboteur {
    /// For a team whose first `consoles` nodes are consoles.
    pub fn new(crashes: Crashes, seed: u64, team: u32, consoles: u32) -> Self {
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        let count = match crashes {
            Crashes::None => 0,
            Crashes::One => 1,
            Crashes::Several => 2 + stream.below(3),
        };
        let spared = RobotId(consoles + stream.below(team - consoles));
        let plots = (0..count)
            .map(|_| {
                let moment = Moment::ALL[stream.below(Moment::ALL.len() as u32) as usize];
                (moment, Time::from_secs_f64(stream.between(0.0, LATEST_S)))
            })
            .collect();
        Self { stream, plots, spared, struck: Vec::new(), crashed: vec![false; team as usize] }
    }

    /// What has struck whom, and when in its work.
    pub fn struck(&self) -> &[(Moment, RobotId)] {
        &self.struck
    }

    /// The next crash, if it is time for one.
    pub fn plot(&mut self, view: &View<'_, Tasking>) -> Option<Fault> {
        let now = view.now;
        for index in 0..self.plots.len() {
            let (moment, latest) = self.plots[index];
            let late = now >= latest;
            let at_it = |robot: &RobotId| {
                let machine = &view.machines[robot.index()];
                view.is_up(*robot)
                    && !self.crashed[robot.index()]
                    && *robot != self.spared
                    && (late || moment.holds(machine, now))
            };
            let candidates: Vec<RobotId> = (0..view.machines.len() as u32).map(RobotId).filter(at_it).collect();
            // Not always the first to get there, nor right at its beginning.
            if candidates.is_empty() || !(late || self.stream.chance(0.2)) {
                continue;
            }
            let robot = candidates[self.stream.below(candidates.len() as u32) as usize];
            self.plots.remove(index);
            self.struck.push((if late { Moment::AnyTime } else { moment }, robot));
            self.crashed[robot.index()] = true;
            let down = Duration::from_secs_f64(self.stream.between(0.5, 40.0));
            let kind = match self.stream.below(4) {
                0 | 1 => FaultKind::Stop,
                2 => FaultKind::Restart { down, memory: true },
                _ => FaultKind::Restart { down, memory: false },
            };
            return Some(Fault { at: now, robot, kind });
        }
        None
    }
}
