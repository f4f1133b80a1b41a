//! Every value of the protocol, with its source. \[P\] stated in the paper, \[R\] our reading of it, \[S\] added for
//! safety (`docs/reproductions/tasking.md` argues each).

use std::collections::BTreeMap;

use super::cost::{Grid, Preferences, Rates};
use super::group::Template;
use crate::robot::Base;
use crate::task::Kind;
use crate::time::{Duration, Time};

/// The protocol as it was drawn, as it was written, or with its weaknesses mended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As in the paper's Figure 1.
    Drawn,
    /// The figure, and the remedies of the paper's own text (§2, §2.1).
    Written,
    /// With the fixes F1 to F6.
    Fenced,
}

impl Variant {
    /// All of them, the paper's first.
    pub const ALL: [Self; 3] = [Self::Drawn, Self::Written, Self::Fenced];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drawn => "drawn",
            Self::Written => "written",
            Self::Fenced => "fenced",
        }
    }

    /// What it mends.
    pub const fn fixes(self) -> Fixes {
        let (written, all) = (matches!(self, Self::Written), matches!(self, Self::Fenced));
        Fixes {
            expands: written,
            reports_success: written || all,
            rebids: written,
            aware: all,
            lead_speaks: all,
            ordered: all,
            relays: all,
            done: all,
            rounds: all,
            atomic: all,
            fair: all,
            in_turn: all,
        }
    }
}

/// What is mended, one by one: the same code runs with and without each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Fixes {
    /// [P §2.1] "The primary reaction to poor communications must be to expand the timeout periods": a node that misses
    /// reports waits longer for whatever it waits for. With the fixes it asks again within the same time instead. `t_peer`
    /// grows in both ([`Config::miss`]).
    pub expands: bool,
    /// [P §2] Reports "note its successful or estimated time of completion": a vehicle that has done a task goes on to
    /// report, and answers with that; a PEER watches until it hears so, and not only until Completion.
    pub reports_success: bool,
    /// [P §2.1] "If a vehicle receives status reports from two vehicles for the same task it will issue a challenge and the
    /// task will be rebid to a single vehicle": it claims the lead, and a holder that is challenged so gives the task up.
    /// F3 settles the same without another auction.
    pub rebids: bool,
    /// F1: every message carries the whole task and makes every node that hears it a PEER; "give up" does, too.
    pub aware: bool,
    /// F2: a LEAD says every `t_status` that it is at work, and answers challenges.
    pub lead_speaks: bool,
    /// F3: leads and assignments are ordered by (epoch, GUID); the lower yields.
    pub ordered: bool,
    /// F4: a PEER that has heard of the holder lately answers a challenge in its place.
    pub relays: bool,
    /// F5: no Completion before the deed. Done after it is repeated, kept, and answered with by everybody who knows; an
    /// order can be changed and called off (W16).
    pub done: bool,
    /// F6: winners are exchanged as often as the team is wide.
    pub rounds: bool,
    /// W13: a group is committed as a whole.
    pub atomic: bool,
    /// W9, W14, W15: who leads is drawn by lot from task and epoch; a LEAD that brings nothing about is passed over;
    /// a node that hears of an election takes part in it.
    pub fair: bool,
    /// A phase is flown only when those that come before it are known to be done, and a group that loses a vehicle is
    /// mended as a whole. The paper's vehicles fly by their times; what comes of that after a failure it does not say.
    pub in_turn: bool,
}

/// How long everything takes, and what is mended.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which fixes are in.
    pub fixes: Fixes,
    /// How many nodes there are, consoles included: for the quorum, and for how often winners are exchanged.
    pub team: u32,
    /// Where costs are sampled, and tasks assigned. [P §3]
    pub grid: Grid,
    /// The assigner looks at every so many of the grid's times first, and at all if it finds nothing. Ours.
    pub coarsely: u16,
    /// Bids are sent as a few slices through the cost function instead of all samples; the LEAD makes samples of them.
    /// [P §3, future work]
    pub adaptive: bool,
    /// Metres of straight flight before and after a target. The paper draws corridors and gives no length: R = 8 of
    /// its units fits its mission. \[R\]
    pub corridor_m: f64,
    /// How orders of each kind are taken apart.
    pub templates: BTreeMap<Kind, Template>,
    /// The assigner looks at no more nodes than this. \[S\]
    pub node_budget: u64,

    /// `T_claim`: how long the USER waits for a claim.
    pub claim: Duration,
    /// `T_sol`: how long it then waits for the solicitation.
    pub solicited: Duration,
    /// `T_retry`: how long a USER or LEAD waits before it tries again. It tries for as long as the order has not
    /// expired: the paper draws no other way out.
    pub retry: Duration,
    /// `T_ack`: how long a vehicle that claimed waits for AckLead.
    pub ack: Duration,
    /// `T_bid`: how long the LEAD collects bids.
    pub bid: Duration,
    /// `T_back`: how long a bidder waits for BidAck before it bids again.
    pub bid_ack: Duration,
    /// How often a bid is sent at most. [R: 3 times again]
    pub bid_tries: u8,
    /// `T_accept`: how long the LEAD waits for Accept before it deletes the bidder, or asks once more.
    pub accept: Duration,
    /// How often an assignment is sent at most. [drawn: once]
    pub assign_tries: u8,
    /// How many plans a LEAD makes from one set of bids before it asks for new ones. [drawn: until no bidder is left;
    /// fenced: three, for the whole group is asked each time, and bids grow old]
    pub plans: u32,
    /// After so many auctions in vain a LEAD gives up what ties a group together rather than the tasks, if the group
    /// may be taken apart. [S: two, so that one lost bid does not decide it]
    pub in_vain: u32,
    /// `T_aack`: how long a winner waits for AcceptAck before it accepts again.
    pub accept_ack: Duration,
    /// How often Accept is sent at most. [R: twice again]
    pub accept_tries: u8,
    /// `T_reply`: how long a challenger waits for a reply.
    pub reply: Duration,
    /// How often a challenge is sent before the lead is claimed. [drawn: once]
    pub challenge_tries: u8,
    /// `T_claims`: how long claims are tabulated.
    pub claims: Duration,
    /// `T_win`: how long each exchange of winners takes.
    pub win: Duration,
    /// How often winners are exchanged. [drawn: once; F6: the team's size less one, though not more than 8: with the
    /// claims that covers a line of ten, every exchange takes `T_win`, and F3 settles what a wider team leaves open]
    pub rounds: u32,
    /// `T_lead`: a LEAD that brings about no assignment for so long is passed over. [S, W9]
    pub lead: Duration,
    /// For how long. [S: ten times `T_lead`, so that every other vehicle of a small team gets its turn]
    pub passed_over: Duration,
    /// `t_status`: time between two reports. \[P\]
    pub status: Duration,
    /// `t_peer`: how long a PEER waits for one; much longer than `t_status`. \[P\]
    pub peer: Duration,
    /// Not more than one challenge of a double assignment in this time; without F3 only. [R: `t_status`, W7]
    pub double_gap: Duration,
    /// Every time-out is longer by up to this share, drawn anew each time. [P: "should also be randomized"]
    pub jitter: f64,
    /// A PEER waits for so many reports that all of them are lost with no more than this probability. [S, P: "expand
    /// the timeout periods"]
    pub miss: f64,
    /// How long before it is over the target a vehicle says so: Completion, or the last Status. ["just before" in P] From then on,
    /// but no more than two reports before, it asks for what it has to hear first and has not heard. \[S\]
    pub announce: Duration,
    /// How often a vehicle asks for grants in that time, if the task must not be done twice. [S: four, so that at 30 %
    /// loss each of the others is heard with 93 %]
    pub asks: u8,
    /// How late over its target a vehicle may be before it gives the task back.
    pub tolerance: Duration,
    /// Answers to what everybody hears are spread over this long, so that the first silences the others. \[S\]
    pub spread: Duration,
    /// Claims on a new task are spread over this long. [R: not at all]
    pub claim_spread: Duration,
    /// At least so much time between the last possible acceptance and `t0`. [S: two holders must hear of each other]
    pub settle: Duration,
    /// How often Done is said at once. [R: three times; written: once]
    pub done_times: u8,
    /// How long what is done or cancelled is remembered: longer than the longest partition. \[S\]
    pub tombstone: Duration,
    /// How long an executor repeats Done: with F5 ever more rarely, else every `t_status`. [S; written: `t_peer`]
    pub repeat_done: Duration,
    /// Nobody transmits in this interval: what was assigned before is flown in silence. [P §3]
    pub silence: Option<(Time, Time)>,
}

/// What one node has that others may have otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Vehicle {
    /// An operator's console: it asks, and does nothing itself.
    pub console: bool,
    /// What its time costs.
    pub rates: Rates,
    /// What its user prefers.
    pub preferences: Preferences,
    /// How far it can go; `None`: as far as it takes.
    pub endurance_m: Option<f64>,
    /// How long it can stay in the air, waiting included; `None`: as long as it takes.
    pub endurance: Option<Duration>,
    /// Where it gets loads and endurance back.
    pub base: Option<Base>,
    /// How many loads it carries.
    pub loads: u16,
    /// How long its PEERs have to do without a report from it. [P §2.1: "vary based on the type of task and assigned
    /// vehicle"]
    pub silence: Option<Duration>,
}

impl Vehicle {
    /// A vehicle of the paper's example mission.
    pub fn hotspot() -> Self {
        Self {
            console: false,
            rates: Rates::hotspot(),
            preferences: Preferences::none(),
            endurance_m: None,
            endurance: None,
            base: None,
            loads: u16::MAX,
            silence: None,
        }
    }

    /// Its time in the air counts, or it has a base: its queue is limited by more than metres and loads.
    pub(super) fn is_supplied(&self) -> bool {
        self.endurance.is_some() || self.base.is_some()
    }

    /// An operator's console.
    pub fn console() -> Self {
        Self { console: true, ..Self::hotspot() }
    }
}

impl Config {
    /// The paper's protocol with `team` nodes. The paper gives no time but the orders `t_peer >> t_status`; these
    /// fit a radio with a delay of up to 0.2 s, and keep all orderings of [`Config::check`] for teams of up to six.
    pub fn mackenzie_2003(team: u32) -> Self {
        let millis = Duration::from_millis;
        Self {
            fixes: Variant::Drawn.fixes(),
            team,
            grid: Grid::mackenzie_2003(),
            coarsely: 1,
            adaptive: false,
            corridor_m: 8.0,
            templates: BTreeMap::new(),
            node_budget: 100_000,
            claim: millis(1_000),
            solicited: millis(1_500),
            retry: millis(2_000),
            ack: millis(1_000),
            bid: millis(3_000),
            bid_ack: millis(700),
            bid_tries: 4,
            accept: millis(700),
            assign_tries: 1,
            plans: team,
            in_vain: 2,
            accept_ack: millis(600),
            accept_tries: 3,
            reply: millis(1_000),
            challenge_tries: 1,
            claims: millis(1_500),
            win: millis(1_500),
            rounds: 1,
            lead: millis(60_000),
            passed_over: millis(600_000),
            status: millis(1_000),
            peer: millis(10_000),
            double_gap: millis(1_000),
            jitter: 0.1,
            miss: 1.0,
            announce: millis(1_000),
            asks: 4,
            tolerance: millis(2_000),
            spread: millis(300),
            claim_spread: Duration::ZERO,
            settle: Duration::ZERO,
            done_times: 3,
            tombstone: millis(900_000),
            repeat_done: millis(600_000),
            silence: None,
        }
    }

    /// The paper's protocol with the remedies of its text. What the text does not say: `miss` is that of the fixes; a
    /// report of success is said once at a time, every `t_status`, for as long as PEERs wait for a report. The other two
    /// remedies are in every variant, since no figure speaks of them: `jitter`, and the latest report that is sent when a
    /// link is up again.
    pub fn written(team: u32) -> Self {
        let drawn = Self::mackenzie_2003(team);
        Self { fixes: Variant::Written.fixes(), miss: 1e-4, done_times: 1, repeat_done: drawn.peer, ..drawn }
    }

    /// The protocol with all its fixes.
    pub fn fenced(team: u32) -> Self {
        let millis = Duration::from_millis;
        Self {
            fixes: Variant::Fenced.fixes(),
            // Asked again while there is time: one lost message must not cost a bidder.
            assign_tries: 4,
            plans: 3,
            accept: millis(500),
            accept_tries: 8,
            challenge_tries: 2,
            reply: millis(800),
            rounds: team.saturating_sub(1).clamp(1, 8),
            win: millis(1_300),
            miss: 1e-4,
            announce: millis(2_000),
            settle: millis(3_000),
            ..Self::mackenzie_2003(team)
        }
    }

    /// The protocol in one of its variants.
    pub fn of(variant: Variant, team: u32) -> Self {
        match variant {
            Variant::Drawn => Self::mackenzie_2003(team),
            Variant::Written => Self::written(team),
            Variant::Fenced => Self::fenced(team),
        }
    }

    /// How long a winner of the last round waits for everything at most: until then a bidder may still be asked.
    pub fn assignment(&self) -> Duration {
        self.bid + self.acceptance() + self.accept
    }

    /// How long it takes at most to get everybody to accept, with one bidder after the other failing.
    pub fn acceptance(&self) -> Duration {
        let tries = u64::from(self.assign_tries) * u64::from(self.plans);
        Duration::from_micros(self.accept.as_micros() * tries)
    }

    /// Time between two questions for grants; the last answer has as much to come in.
    pub fn ask_gap(&self) -> Duration {
        Duration::from_micros(self.announce.as_micros() / (u64::from(self.asks) + 1))
    }

    /// Nodes that the assigner may look at where a cost function has so many samples: with more than on the paper's grid
    /// each takes longer, and fewer have to do.
    pub fn nodes(&self, samples: usize) -> u64 {
        let usual = Grid::mackenzie_2003().len().min(samples) as u64;
        (self.node_budget.saturating_mul(usual) / samples.max(1) as u64).max(1)
    }

    /// How many nodes are more than half of the team.
    pub fn quorum(&self) -> usize {
        self.team as usize / 2 + 1
    }

    /// Finds a time that does not go with another, for a radio that takes `delay` one way: the orderings without
    /// which the protocol does not work even if nothing is lost.
    pub fn check(&self, delay: Duration) -> Result<(), Misordered> {
        let twice = Duration::from_micros(2 * delay.as_micros());
        let at_jitter = self.peer.stretched(self.jitter) + delay;
        let drawn = !self.fixes.lead_speaks;
        let bids = Duration::from_micros(self.bid_ack.as_micros() * u64::from(self.bid_tries));
        let answers = self.fixes.relays || self.fixes.reports_success;
        let spread = if answers { self.spread } else { Duration::ZERO };
        let rules = [
            ("t_ack", self.ack, "twice the delay of the radio", twice),
            ("t_back", self.bid_ack, "twice the delay of the radio", twice),
            ("t_accept", self.accept, "twice the delay of the radio", twice),
            ("t_aack", self.accept_ack, "twice the delay of the radio", twice),
            ("t_reply", self.reply, "twice the delay of the radio, and the spread of answers", twice + spread),
            (
                "t_claim",
                self.claim,
                "twice the delay of the radio, and the spread of claims",
                twice + self.claim_spread,
            ),
            ("t_sol", self.solicited, "twice the delay of the radio", twice),
            ("t_bid", self.bid, "the time for all tries of a bid (t_back x tries)", bids),
            ("t_claims", self.claims, "the jitter of t_peer and the delay", at_jitter),
            ("t_win", self.win, "the jitter of t_peer and the delay", at_jitter),
            ("t_peer", self.peer, "three times t_status", Duration::from_micros(3 * self.status.as_micros())),
            (
                "t_peer",
                self.peer,
                "t_bid, t_accept for everybody and t_retry, since this LEAD does not report",
                if drawn { self.bid + self.acceptance() + self.retry } else { Duration::ZERO },
            ),
            ("t_lead", self.lead, "t_bid, t_accept and t_retry", self.assignment() + self.retry),
            ("tombstone", self.tombstone, "t_peer", self.peer),
            ("announce", self.announce, "twice the delay of the radio, and the time for the last answer", {
                if self.fixes.done { twice + self.ask_gap() } else { delay }
            }),
            (
                "settle",
                self.settle,
                "t_status and the delay of the radio, so that two holders hear of each other",
                if self.fixes.ordered { self.status + delay } else { Duration::ZERO },
            ),
        ];
        let zero = [("t_status", self.status), ("t_retry", self.retry), ("t_peer", self.peer)];
        if let Some((name, is)) = zero.into_iter().find(|(_, is)| *is == Duration::ZERO) {
            return Err(Misordered { name, is, than: "nothing", least: Duration::ZERO });
        }
        match rules.into_iter().find(|(_, is, _, least)| is <= least && *least > Duration::ZERO) {
            Some((name, is, than, least)) => Err(Misordered { name, is, than, least }),
            None => Ok(()),
        }
    }
}

/// A time that is too short beside another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Misordered {
    /// Its key in a scenario's `[tasking]`.
    pub name: &'static str,
    /// The time that was given.
    pub is: Duration,
    /// The other time, in words: this one must be longer.
    pub than: &'static str,
    /// How long the other time is.
    pub least: Duration,
}

impl std::fmt::Display for Misordered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (is, least) = (self.is.as_secs_f64(), self.least.as_secs_f64());
        write!(f, "{} ({is} s) must be longer than {} ({least} s)", self.name, self.than)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_constructors_keep_the_orderings() {
        for team in [2, 4, 6] {
            for variant in Variant::ALL {
                let config = Config::of(variant, team);
                assert_eq!(config.check(Duration::from_millis(200)), Ok(()), "{variant:?}, {team}");
            }
        }
        assert_eq!(Config::fenced(100).check(Duration::from_millis(200)), Ok(()));
    }

    /// [§3] "t_peer > T_bid + V T_accept + T_retry unless the LEAD itself sends status".
    #[test]
    fn a_silent_lead_needs_patient_peers() {
        let wrong = Config::mackenzie_2003(100).check(Duration::from_millis(50)).unwrap_err();
        assert_eq!(wrong.name, "t_peer");
        assert!(wrong.to_string().contains("does not report"), "{wrong}");
    }

    #[test]
    fn every_ordering_is_checked() {
        let delay = Duration::from_millis(50);
        let wrong = |change: fn(&mut Config)| {
            let mut config = Config::fenced(5);
            change(&mut config);
            config.check(delay).unwrap_err().name
        };
        assert_eq!(wrong(|c| c.ack = Duration::from_millis(90)), "t_ack");
        assert_eq!(wrong(|c| c.bid_ack = Duration::from_millis(90)), "t_back");
        assert_eq!(wrong(|c| c.accept = Duration::from_millis(90)), "t_accept");
        assert_eq!(wrong(|c| c.accept_ack = Duration::from_millis(90)), "t_aack");
        assert_eq!(wrong(|c| c.reply = Duration::from_millis(90)), "t_reply");
        assert_eq!(wrong(|c| c.claim = Duration::from_millis(90)), "t_claim");
        assert_eq!(wrong(|c| c.solicited = Duration::from_millis(90)), "t_sol");
        assert_eq!(wrong(|c| c.reply = Duration::from_millis(350)), "t_reply");
        assert_eq!(wrong(|c| c.bid = Duration::from_millis(2_800)), "t_bid");
        assert_eq!(wrong(|c| c.announce = Duration::from_millis(120)), "announce");
        assert_eq!(wrong(|c| c.settle = Duration::from_millis(1_000)), "settle");
        assert_eq!(wrong(|c| c.claims = Duration::from_millis(1_000)), "t_claims");
        assert_eq!(wrong(|c| c.win = Duration::from_millis(1_000)), "t_win");
        assert_eq!(wrong(|c| c.peer = Duration::from_millis(3_000)), "t_peer");
        assert_eq!(wrong(|c| c.lead = Duration::from_millis(5_000)), "t_lead");
        assert_eq!(wrong(|c| c.tombstone = Duration::from_millis(5_000)), "tombstone");
        assert_eq!(wrong(|c| c.status = Duration::ZERO), "t_status");
    }
}
