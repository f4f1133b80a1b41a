//! Why no vehicle did a task: what became of all auctions of it, counted.

use std::collections::BTreeMap;

use super::{Hitch, Means};
use crate::robot::RobotId;
use crate::telling::{Reason, Wording, counted, times};
use crate::time::Duration;

/// What became of the auctions of one task.
#[derive(Clone, Debug, Default)]
pub(super) struct Want {
    end: End,
    /// The console that asked for it.
    asked_by: Option<RobotId>,
    /// The node that took the lead of it last.
    lead: Option<RobotId>,
    auctions: u32,
    /// How late after t0 bids could be at the last of them.
    horizon: Duration,
    /// Auctions without any bid.
    no_bids: u32,
    /// Auctions with bids that nobody could be chosen from.
    no_good_bids: u32,
    /// Why, the last time.
    why: Option<Hitch>,
    /// What each vehicle said last.
    verdicts: BTreeMap<RobotId, Verdict>,
    not_accepted: u32,
    refused: u32,
    handed_back: u32,
    refrained: u32,
    no_quorum: u32,
    broke_down: u32,
    holder: Option<RobotId>,
}

/// Whether a task is still to be done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    #[default]
    Open,
    Done,
    Cancelled,
    Expired,
    BrokenOff,
}

/// Whether a vehicle could do a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It bid.
    Can,
    /// It lacks what is needed.
    Unable,
    /// It cannot be over the target before the last time that is sampled.
    TooLate,
    /// It could, but for its endurance.
    Endurance,
    /// It says that it cannot, and not why.
    Cannot,
}

impl Verdict {
    /// What a vehicle knows of itself.
    pub const fn own(means: Means, least: Option<u32>) -> Self {
        match (means, least) {
            (_, Some(_)) => Self::Can,
            (Means::Enough, None) => Self::TooLate,
            (Means::Endurance, None) => Self::Endurance,
            (Means::Lacking, None) => Self::Unable,
        }
    }
}

impl Want {
    pub fn was_asked_for(&mut self, by: RobotId) {
        // A phase that is done stays done, whatever becomes of its order.
        if self.end == End::Done {
            return;
        }
        // Asked for anew, perhaps at another place: who could do it there, and who has it, is open again.
        let before = std::mem::take(self);
        *self = Self { end: End::Open, asked_by: Some(by), verdicts: BTreeMap::new(), holder: None, ..before };
    }

    pub fn is_led_by(&mut self, robot: RobotId) {
        if self.end != End::Done {
            self.lead = Some(robot);
        }
    }

    pub fn was_auctioned(&mut self, horizon: Duration) {
        self.auctions += 1;
        self.horizon = horizon;
    }

    pub fn was_bid_for(&mut self, robot: RobotId, verdict: Verdict) {
        if self.end != End::Done {
            self.verdicts.insert(robot, verdict);
        }
    }

    /// The LEAD has the bid. A vehicle that cannot has noted why itself, if its notes are there.
    pub fn bid_was_heard(&mut self, robot: RobotId, least: Option<u32>) {
        if self.end == End::Done {
            return;
        }
        match least {
            Some(_) => _ = self.verdicts.insert(robot, Verdict::Can),
            None => _ = self.verdicts.entry(robot).or_insert(Verdict::Cannot),
        }
    }

    pub fn went_to_nobody(&mut self, bids: u32, why: Hitch) {
        if bids == 0 {
            self.no_bids += 1;
        } else {
            self.no_good_bids += 1;
            self.why = Some(why);
        }
    }

    /// So many vehicles said last that they cannot be there before the last time that is bid for.
    pub fn too_late(&self) -> u32 {
        self.verdicts.values().filter(|it| **it == Verdict::TooLate).count() as u32
    }

    pub fn was_assigned(&mut self, robot: RobotId) {
        self.holder = Some(robot);
    }

    pub fn is_held_by(&mut self, robot: RobotId) {
        self.holder = Some(robot);
    }

    pub fn is_let_go_by(&mut self, robot: RobotId) {
        self.holder = self.holder.filter(|holder| *holder != robot);
    }

    pub fn was_not_accepted(&mut self, robot: RobotId) {
        self.not_accepted += 1;
        self.is_let_go_by(robot);
    }

    pub fn was_refused_by(&mut self, robot: RobotId) {
        self.refused += 1;
        self.is_let_go_by(robot);
    }

    pub fn was_handed_back(&mut self, robot: RobotId) {
        self.handed_back += 1;
        self.is_let_go_by(robot);
    }

    pub fn was_refrained_from(&mut self, robot: RobotId) {
        self.refrained += 1;
        self.is_let_go_by(robot);
    }

    pub fn had_no_quorum(&mut self) {
        self.no_quorum += 1;
    }

    pub fn lost_its_holder(&mut self, robot: RobotId) {
        if self.holder == Some(robot) {
            self.broke_down += 1;
            self.holder = None;
        }
    }

    /// Why it was not done before is of no more interest.
    pub fn was_done(&mut self) {
        *self = Self { end: End::Done, ..Self::default() };
    }

    pub fn ended(&mut self, end: End) {
        if self.end != End::Done || end == End::Open {
            self.end = end;
            self.holder = None;
        }
    }

    pub fn is_open(&self) -> bool {
        matches!(self.end, End::Open | End::Expired | End::BrokenOff)
    }

    /// A vehicle has it, and has not done it yet.
    pub fn is_under_way(&self) -> bool {
        self.holder.is_some()
    }

    /// Why nobody did it; nothing if somebody did.
    pub fn reasons(&self, wording: Wording<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let mut add = |why, count: u32, text: String| {
            if count > 0 {
                reasons.push(Reason { why, count, text });
            }
        };
        if self.end == End::Done {
            return reasons;
        }
        let auctions = counted(self.auctions, "auction");
        if let Some(by) = self.asked_by {
            add("asked", 1, format!("asked for by {}", wording.names.robot(by)));
        }
        let led =
            self.lead.map(|lead| format!("{} took the lead of it and asked for no bids", wording.names.robot(lead)));
        let no_lead = led.unwrap_or_else(|| "nobody took the lead of it".to_owned());
        add("no_lead", u32::from(self.auctions == 0), no_lead);
        add("auctioned", self.auctions, format!("auctioned {}", times(self.auctions)));
        add("no_bids", self.no_bids, format!("no bids: {} of {auctions}", self.no_bids));
        let count = |verdict| self.verdicts.values().filter(|it| **it == verdict).count() as u32;
        let too_late = format!("cannot be there before the horizon, {:.0} after t0", self.horizon);
        for (verdict, why, text) in [
            (Verdict::TooLate, "horizon", too_late.as_str()),
            (Verdict::Endurance, "endurance", "endurance does not last for it"),
            (Verdict::Unable, "unable", "unable"),
            (Verdict::Cannot, "cannot", "say that they cannot"),
        ] {
            add(why, count(verdict), format!("{text}: {}", counted(count(verdict), "vehicle")));
        }
        let why = self.why.and_then(|why| hitch(why, wording)).map_or_else(String::new, |why| format!(" ({why})"));
        add(
            "no_good_bids",
            self.no_good_bids,
            format!("bids that do not fit: {} of {auctions}{why}", self.no_good_bids),
        );
        add("not_accepted", self.not_accepted, format!("did not accept in time: {}", times(self.not_accepted)));
        add("refused", self.refused, format!("refused for something else: {}", times(self.refused)));
        add("handed_back", self.handed_back, format!("given back: {}", times(self.handed_back)));
        add("broke_down", self.broke_down, format!("its vehicle broke down: {}", times(self.broke_down)));
        add("refrained", self.refrained, format!("too few gave leave: {}", times(self.refrained)));
        add("no_quorum", self.no_quorum, format!("too few to elect a LEAD: {}", times(self.no_quorum)));
        if let Some(holder) = self.holder {
            add("under_way", 1, format!("{} has it and has not done it yet", wording.names.robot(holder)));
        }
        add("cancelled", u32::from(self.end == End::Cancelled), "cancelled: it need not be done any more".to_owned());
        add("expired", u32::from(self.end == End::Expired), "expired: it is too late for it".to_owned());
        let broken_off = "broken off: what is left of its group cannot be flown any more".to_owned();
        add("broken_off", u32::from(self.end == End::BrokenOff), broken_off);
        reasons
    }
}

/// What was in the way of a plan, in words; nothing where the number of bids says it.
pub(super) fn hitch(why: Hitch, wording: Wording<'_>) -> Option<String> {
    Some(match why {
        Hitch::NoBids => return None,
        Hitch::NobodyFor(task) => format!("none of them for {}", wording.names.task(task)),
        Hitch::Expires => "none in time before it expires".to_owned(),
        Hitch::Held => "none that goes with what others hold or have done of its group".to_owned(),
        Hitch::TooFew { vehicles, phases } => format!("only {} for {phases} phases", counted(vehicles, "vehicle")),
        Hitch::OneEach { vehicles, phases } => format!(
            "only {} for {phases} phases, and none offers to do several: endurance costs something, does not last for all times that \
             are bid for (a shorter horizon may help), or is needed for something else",
            counted(vehicles, "vehicle")
        ),
        Hitch::Horizon => "what ties its group together takes longer than what was bid for".to_owned(),
        Hitch::Tied => "none that keeps to what ties its group together".to_owned(),
        Hitch::NotFound => "no plan found in the time for it".to_owned(),
    })
}
