//! Crashes of any role at any moment: drawn so that moments which last a tenth of a second are met as often as those
//! which last a minute.

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Tasking, Wait};
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
    /// Its body has passed over the target, and the machine has not heard of it: the computer hung, and never came back.
    DeedUnperceived,
    /// The machine has heard of it and remembers, and none of its Done has left.
    DeedUnsaid,
    /// The first Done is on the air, and no other will be.
    DeedSaidOnce,
    JustExecuted,
    PeerMonitors,
    PeerWaitsForReply,
    PeerTabulatesClaims,
    PeerTabulatesWinners,
    AnyTime,
}

impl Moment {
    /// All of them.
    pub const ALL: [Self; 20] = [
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
        Self::DeedUnperceived,
        Self::DeedUnsaid,
        Self::DeedSaidOnce,
        Self::JustExecuted,
        Self::PeerMonitors,
        Self::PeerWaitsForReply,
        Self::PeerTabulatesClaims,
        Self::PeerTabulatesWinners,
        Self::AnyTime,
    ];

    /// Between the deed and the second Done: whether anybody hears that it is done is left to the radio, or to nobody.
    pub const AT_DEED: [Self; 3] = [Self::DeedUnperceived, Self::DeedUnsaid, Self::DeedSaidOnce];

    /// What has to be the matter with a vehicle while it passes over its target for it to crash at this moment: deed,
    /// percept and first Done are one event, and an observer can strike only after it.
    fn prelude(self) -> Option<FaultKind> {
        match self {
            Self::DeedUnperceived => Some(FaultKind::Pause { lasts: AMBUSH }),
            Self::DeedUnsaid => Some(FaultKind::Mute { lasts: AMBUSH }),
            _ => None,
        }
    }

    /// `machine` is there, at `now`; at its deed: it is about to be.
    fn holds(self, machine: &Tasking, now: Time) -> bool {
        let soon = |at: Time, within_ms: u64| at >= now && at.since(now) <= Duration::from_millis(within_ms);
        match self {
            Self::UserWaitsForClaim => machine.waits(Wait::UserForClaim),
            Self::UserWaitsForSolicitation => machine.waits(Wait::UserForSolicitation),
            Self::UserWaitsToRetry => machine.waits(Wait::UserToRetry),
            Self::LeadWaitsForBids => machine.waits(Wait::LeadForBids),
            Self::LeadWaitsForAccept => machine.waits(Wait::LeadForAccept),
            Self::LeadWaitsToRetry => machine.waits(Wait::LeadToRetry),
            Self::BidderWaitsForBidAck => machine.waits(Wait::BidderForBidAck),
            Self::BidderWaitsForAssignment => machine.waits(Wait::BidderForAssignment),
            Self::BidderWaitsForAcceptAck => machine.waits(Wait::BidderForAcceptAck),
            Self::Assigned => !machine.held().is_empty(),
            Self::AboutToExecute => machine.held().iter().any(|held| soon(held.at, 1_000)),
            Self::DeedUnperceived | Self::DeedUnsaid | Self::DeedSaidOnce => {
                machine.held().first().is_some_and(|held| soon(held.at, 500))
            }
            Self::JustExecuted => machine.deeds().iter().any(|deed| now.since(deed.at) <= Duration::from_millis(60)),
            Self::PeerMonitors => machine.waits(Wait::PeerMonitors),
            Self::PeerWaitsForReply => machine.waits(Wait::PeerForReply),
            Self::PeerTabulatesClaims => machine.waits(Wait::PeerForClaims),
            Self::PeerTabulatesWinners => machine.waits(Wait::PeerForWinners),
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
    struck: Vec<(Moment, Fault)>,
    crashed: Vec<bool>,
    /// Who is waited for over its target.
    ambush: Option<Ambush>,
}

/// A vehicle that will crash when it has passed over its target, if it does so on time.
#[derive(Copy, Clone, Debug)]
struct Ambush {
    moment: Moment,
    robot: RobotId,
    /// The flights over targets before.
    passes: usize,
    /// Not waited for any longer: it has yielded, or comes too late.
    until: Time,
    /// If it comes to nothing, the crash comes by then.
    latest: Time,
}

/// How long a vehicle hangs or is mute around the instant at which it is to be over its target, half of it before.
const AMBUSH: Duration = Duration::from_micros(2_000);
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
        Self { stream, plots, spared, struck: Vec::new(), crashed: vec![false; team as usize], ambush: None }
    }

    /// What has struck whom, and when in its work.
    pub fn struck(&self) -> &[(Moment, Fault)] {
        &self.struck
    }

    /// The next fault, if it is time for one: a crash, or what must come before one.
    pub fn plot(&mut self, view: &View<'_, Tasking>) -> Option<Fault> {
        let now = view.now;
        if let Some(fault) = self.spring(view) {
            return Some(fault);
        }
        for index in 0..self.plots.len() {
            let (moment, latest) = self.plots[index];
            let late = now >= latest;
            let at_it = |robot: &RobotId| {
                let machine = &view.machines[robot.index()];
                view.is_up(*robot)
                    && !self.crashed[robot.index()]
                    && *robot != self.spared
                    && self.ambush.is_none_or(|ambush| ambush.robot != *robot)
                    && (late || moment.holds(machine, now))
            };
            let candidates: Vec<RobotId> = (0..view.machines.len() as u32).map(RobotId).filter(at_it).collect();
            // Not always the first to get there, nor right at its beginning.
            if candidates.is_empty() || !(late || self.stream.chance(0.2)) {
                continue;
            }
            let robot = candidates[self.stream.below(candidates.len() as u32) as usize];
            let due = view.machines[robot.index()].held().first().map(|held| held.at);
            let Some(due) = due.filter(|_| !late && Moment::AT_DEED.contains(&moment)) else {
                self.plots.remove(index);
                return Some(self.crash(if late { Moment::AnyTime } else { moment }, robot, now));
            };
            // One at a time.
            if self.ambush.is_none() {
                self.plots.remove(index);
                return self.lie_in_wait(moment, latest, robot, due, view);
            }
        }
        None
    }

    /// Waits for a vehicle that is to be over its target at `due`.
    fn lie_in_wait(
        &mut self,
        moment: Moment,
        latest: Time,
        robot: RobotId,
        due: Time,
        view: &View<'_, Tasking>,
    ) -> Option<Fault> {
        let half = AMBUSH.as_micros() / 2;
        let (at, until) = (Time::from_micros(due.as_micros() - half), due + Duration::from_micros(half));
        self.ambush = Some(Ambush { moment, robot, passes: view.ledger.passes().len(), until, latest });
        moment.prelude().map(|kind| Fault { at: at.max(view.now), robot, kind })
    }

    /// The crash of a vehicle that was waited for, once it has passed over its target.
    fn spring(&mut self, view: &View<'_, Tasking>) -> Option<Fault> {
        let ambush = self.ambush?;
        let passed = view.ledger.passes()[ambush.passes..].iter().any(|pass| pass.robot == ambush.robot);
        if passed && view.is_up(ambush.robot) {
            self.ambush = None;
            return Some(self.crash(ambush.moment, ambush.robot, view.now));
        }
        if view.now > ambush.until {
            self.ambush = None;
            self.plots.push((ambush.moment, ambush.latest));
        }
        None
    }

    fn crash(&mut self, moment: Moment, robot: RobotId, now: Time) -> Fault {
        self.crashed[robot.index()] = true;
        let down = Duration::from_secs_f64(self.stream.between(0.5, 40.0));
        let kind = match self.stream.below(4) {
            0 | 1 => FaultKind::Stop,
            2 => FaultKind::Restart { down, memory: true },
            _ => FaultKind::Restart { down, memory: false },
        };
        let fault = Fault { at: now, robot, kind };
        self.struck.push((moment, fault));
        fault
    }
}
