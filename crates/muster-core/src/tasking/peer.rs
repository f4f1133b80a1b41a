//! A PEER watches over tasks that others do: "distribute their contract renewal process among the robots".
//! [MacKenzie §1, §2, Figure 1 e]

use super::after::After;
use super::desk::{Desk, Watch};
use super::election::Election;
use super::group::Phases;
use super::holder::release;
use super::{Context, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// A PEER that joins another's challenge of a LEAD may have waited for this share of `T_lead` only: where much is lost,
/// it has heard of that LEAD some reports later.
const NEARLY: f64 = 0.9;

/// A node as PEER of the tasks of an order that it watches over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Peer {
    stage: PeerStage,
    /// When it last challenged a double assignment.
    challenged: Option<Time>,
}

/// What a PEER waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerStage {
    /// "Monitor status".
    Monitoring,
    /// "Wait for reply" to a challenge of these tasks: how often it was sent.
    Replying(Phases, u8),
    /// "Tabulate claims".
    Claiming(Box<Election>),
    /// "Tabulate winners": which exchange.
    Winning(Box<Election>, u32),
}

/// What has come of a PEER's waiting.
#[must_use]
pub(super) enum Outcome {
    /// It waits on.
    Waits,
    /// An election is over.
    Elected(Box<Election>),
    /// Nobody has replied for these tasks, and this node holds others of their group: it leads them at once. Where two do,
    /// the lower yields (F3), and the group has no time for an election.
    Mends(Phases),
}

/// Why a task is challenged.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Grounds {
    /// Nothing was heard of it for too long.
    Silence,
    /// Two vehicles say that they do it.
    TwoHolders,
}

impl PeerStage {
    /// The tasks that the PEER challenges or elects a LEAD for.
    pub(super) fn phases(&self) -> Phases {
        match self {
            Self::Monitoring => Phases::NONE,
            Self::Replying(phases, _) => *phases,
            Self::Claiming(election) | Self::Winning(election, _) => election.phases,
        }
    }
}

impl Peer {
    pub(super) const fn new() -> Self {
        Self { stage: PeerStage::Monitoring, challenged: None }
    }

    pub(super) fn stage(&self) -> &PeerStage {
        &self.stage
    }

    /// Neither challenges nor elects anybody from here on.
    pub(super) fn only_monitors(&mut self) {
        self.stage = PeerStage::Monitoring;
    }

    /// Becomes a PEER of these tasks.
    pub(super) fn watch(&self, at: &mut Watch<'_>, cx: &mut Context<'_>, phases: Phases) {
        for index in phases.common(at.known.all()).iter() {
            at.known.is_watched(index, cx.now());
        }
        self.watch_on(at, cx);
    }

    /// This node is believed to hold these tasks, and does not: asks about them, and sees to them like any that nothing is heard
    /// of.
    pub(super) fn disown(&mut self, at: &mut Watch<'_>, cx: &mut Context<'_>, phases: Phases) {
        challenge(at.desk(), cx, phases, Grounds::Silence);
        if self.stage == PeerStage::Monitoring {
            self.stage = PeerStage::Replying(phases, 1);
            wait(at.desk(), cx, at.craft.config.reply);
        }
    }

    /// Sets the time at which something will not have been heard of for too long.
    pub(super) fn watch_on(&self, at: &Watch<'_>, cx: &mut Context<'_>) {
        if self.stage != PeerStage::Monitoring {
            return;
        }
        let deadline = watched(at).iter().map(|index| deadline(at.desk(), index)).min();
        if let Some(deadline) = deadline {
            let jitter = at.craft.up_to(cx, at.craft.config.peer.stretched(at.craft.config.jitter));
            cx.set_timer(Timer::Peer(at.known.first()), deadline.max(cx.now()) + jitter);
        }
    }

    /// Somebody sees to task `index`: it is not challenged or voted on any more.
    pub(super) fn reassured(&mut self, at: &Watch<'_>, cx: &mut Context<'_>, index: usize) {
        if !self.stage.phases().has(index) {
            return;
        }
        let phases = match &mut self.stage {
            PeerStage::Monitoring => return,
            PeerStage::Replying(phases, _) => phases,
            // As drawn, nothing ends an election but its end.
            PeerStage::Claiming(_) | PeerStage::Winning(..) if !at.craft.config.fixes.ordered => return,
            PeerStage::Claiming(election) | PeerStage::Winning(election, _) => &mut election.phases,
        };
        *phases = phases.without(Phases::only(index));
        if phases.is_empty() {
            self.stage = PeerStage::Monitoring;
            self.watch_on(at, cx);
        }
    }

    /// Goes on to the next stage.
    pub(super) fn on_timer(&mut self, at: &mut Watch<'_>, cx: &mut Context<'_>) -> (After, Outcome) {
        let now = cx.now();
        let config = &at.craft.config;
        let stage = std::mem::replace(&mut self.stage, PeerStage::Monitoring);
        if !at.craft.may_speak(now) {
            // Nobody is to blame for what cannot be heard.
            for index in at.known.all().iter() {
                at.known.is_excused(index, now);
            }
            self.watch_on(at, cx);
            return (After::nothing(), Outcome::Waits);
        }
        let mut after = After::nothing();
        match stage {
            PeerStage::Monitoring => {
                let late = |index: usize| deadline(at.desk(), index) <= now;
                let stale = at.known.those(watched(at), late);
                if stale.is_empty() {
                    self.watch_on(at, cx);
                    return (after, Outcome::Waits);
                }
                pass_over(at, now, stale);
                challenge(at.desk(), cx, stale, Grounds::Silence);
                self.stage = PeerStage::Replying(stale, 1);
                wait(at.desk(), cx, config.reply);
            }
            PeerStage::Replying(phases, tries) if tries < config.challenge_tries => {
                challenge(at.desk(), cx, phases, Grounds::Silence);
                self.stage = PeerStage::Replying(phases, tries + 1);
                wait(at.desk(), cx, config.reply);
            }
            PeerStage::Replying(phases, _) if is_mate(at.desk()) && !at.known.at_most_once() => {
                return (after, Outcome::Mends(phases.common(at.known.open())));
            }
            PeerStage::Replying(phases, _) => {
                let epoch = at.known.epoch() + 1;
                after |= self.claim(at, cx, phases, epoch, None);
            }
            PeerStage::Claiming(election) => {
                election.say_winner(at.desk(), cx, 1);
                self.stage = PeerStage::Winning(election, 1);
                wait(at.desk(), cx, config.win);
            }
            PeerStage::Winning(election, round) if round < config.rounds => {
                election.say_winner(at.desk(), cx, round + 1);
                self.stage = PeerStage::Winning(election, round + 1);
                wait(at.desk(), cx, config.win);
            }
            PeerStage::Winning(election, _) => return (after, Outcome::Elected(election)),
        }
        (after, Outcome::Waits)
    }

    /// Claims the lead of these tasks, as `other` has if that is somebody.
    fn claim(
        &mut self,
        at: &mut Watch<'_>,
        cx: &mut Context<'_>,
        phases: Phases,
        epoch: u32,
        other: Option<RobotId>,
    ) -> After {
        let phases = phases.common(at.known.open());
        let forgets = at.known.at_most_once() && !at.craft.may_grant(cx.now());
        if phases.is_empty() || forgets || at.known.apart(&at.craft.config).is_none() {
            self.stand_back(at, cx, phases);
            return After::nothing();
        }
        at.known.has_come_to(epoch);
        let after = Election::promise(at, phases, epoch);
        at.known.note_all(cx, phases, Step::Claimed { epoch });
        let election = Election::new(at.desk(), cx, phases, epoch, other);
        let about = at.known.about(at.craft);
        at.craft.say(cx, Recipient::All, Message::Claim { about, phases, epoch });
        self.stage = PeerStage::Claiming(Box::new(election));
        wait(at.desk(), cx, at.craft.config.claims);
        after
    }

    /// Lets the node that was elected get going before anything is missed.
    pub(super) fn stand_back(&mut self, at: &mut Watch<'_>, cx: &mut Context<'_>, phases: Phases) {
        self.stage = PeerStage::Monitoring;
        for index in phases.common(at.known.all()).iter() {
            at.known.is_left_to_the_elected(index, cx.now());
        }
        self.watch_on(at, cx);
    }

    /// Another node challenges these tasks, and this one knows nothing better. W14, W15: it does not challenge, too,
    /// but takes part in the round that has begun.
    pub(super) fn on_challenge(&mut self, at: &mut Watch<'_>, cx: &mut Context<'_>, unknown: Phases) {
        let config = &at.craft.config;
        if config.fixes.fair && self.stage == PeerStage::Monitoring && !unknown.is_empty() {
            pass_over(at, cx.now(), unknown);
            self.stage = PeerStage::Replying(unknown, config.challenge_tries);
            let tries = u64::from(config.challenge_tries);
            wait(at.desk(), cx, Duration::from_micros(config.reply.as_micros() * tries));
        }
    }

    /// Another node claims the lead of these tasks, of which this one knows nothing better.
    pub(super) fn on_claim(
        &mut self,
        at: &mut Watch<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        unknown: Phases,
        epoch: u32,
    ) -> After {
        if let PeerStage::Claiming(election) | PeerStage::Winning(election, _) = &mut self.stage {
            return election.merge(at, cx, from, unknown, epoch, from);
        }
        if !at.craft.config.fixes.fair {
            return After::nothing();
        }
        pass_over(at, cx.now(), unknown);
        let phases = unknown.with(self.stage.phases());
        let epoch = epoch.max(at.known.epoch() + 1);
        self.claim(at, cx, phases, epoch, Some(from))
    }

    /// Another node perceives `winner` as the one to lead these tasks, of which this one knows nothing better.
    pub(super) fn on_perceived_winner(
        &mut self,
        at: &mut Watch<'_>,
        cx: &mut Context<'_>,
        from: RobotId,
        (unknown, epoch, winner): (Phases, u32, RobotId),
    ) -> After {
        match &mut self.stage {
            PeerStage::Claiming(election) | PeerStage::Winning(election, _) => {
                election.merge(at, cx, from, unknown, epoch, winner)
            }
            // Too late to claim; the winner will be heard of.
            PeerStage::Monitoring | PeerStage::Replying(..) => After::nothing(),
        }
    }

    /// "If a vehicle receives status reports from two vehicles for the same task it will issue a challenge and the
    /// task will be rebid to a single vehicle" [P §2.1]. As drawn the challenge gets two replies, and nothing comes of it
    /// (W7); not more than one in a while, or it would never settle. As written it is rebid.
    pub(super) fn on_double_assignment(&mut self, at: &mut Watch<'_>, cx: &mut Context<'_>, index: usize) -> After {
        let config = at.craft.config.clone();
        let (rebids, monitors) = (config.fixes.rebids, self.stage == PeerStage::Monitoring);
        let lately = self.challenged.is_some_and(|challenged| cx.now().since(challenged) < config.double_gap);
        if lately || (rebids && !monitors) {
            return After::nothing();
        }
        self.challenged = Some(cx.now());
        let phases = Phases::only(index);
        challenge(at.desk(), cx, phases, Grounds::TwoHolders);
        if !monitors {
            return After::nothing();
        }
        if rebids {
            // Both holders would reply, and are not asked which of them it is.
            let epoch = at.known.epoch() + 1;
            return self.claim(at, cx, phases, epoch, None);
        }
        self.stage = PeerStage::Replying(phases, config.challenge_tries);
        wait(at.desk(), cx, config.reply);
        After::nothing()
    }
}

/// The tasks that a node watches over: neither over nor in its own hands, nor granted to a vehicle that may have done
/// them.
fn watched(at: &Watch<'_>) -> Phases {
    let watches = |index: usize| {
        at.known.slot(index).watched
            && at.craft.queue.holds(at.known.task(index)).is_none()
            && !at.led.has(index)
            && !at.known.is_sealed(index)
    };
    at.known.those(at.known.open(), watches)
}

/// When a task will not have been heard of for too long, or its LEAD has brought nothing about for too long.
fn deadline(desk: Desk<'_>, index: usize) -> Time {
    let slot = desk.known.slot(index);
    let silent = slot.heard + desk.craft.patience(desk.known, index);
    match slot.led.filter(|_| desk.craft.config.fixes.fair) {
        Some((_, since)) => silent.min(since + desk.craft.config.lead),
        None => silent,
    }
}

/// This node holds a task of a group that is tied together: it needs the others.
pub(super) fn is_mate(desk: Desk<'_>) -> bool {
    let holds = |index: usize| desk.craft.queue.holds(desk.known.task(index)).is_some();
    desk.craft.config.fixes.in_turn && desk.known.group().is_tied() && desk.known.all().iter().any(holds)
}

/// Asks everybody about these tasks.
pub(super) fn ask_about(desk: Desk<'_>, cx: &mut Context<'_>, phases: Phases) {
    if !phases.is_empty() {
        challenge(desk, cx, phases, Grounds::Silence);
    }
}

/// This node has heard lately that somebody sees to the task.
pub(super) fn is_informed(desk: Desk<'_>, now: Time, index: usize) -> bool {
    desk.known.slot(index).informed && now < deadline(desk, index)
}

fn wait(desk: Desk<'_>, cx: &mut Context<'_>, wait: Duration) {
    let wait = desk.craft.time_out(wait);
    // Half of the jitter of other time-outs: the stages of an election should overlap.
    let wait = wait + desk.craft.up_to(cx, wait.stretched(desk.craft.config.jitter / 2.0));
    cx.set_timer(Timer::Peer(desk.known.first()), cx.now() + wait);
}

/// W9: a LEAD that has brought nothing about is not elected again for a while.
fn pass_over(at: &mut Watch<'_>, now: Time, stale: Phases) {
    let config = &at.craft.config;
    for index in stale.iter() {
        if let Some((lead, since)) = at.known.slot(index).led
            && config.fixes.fair
            && now.since(since) >= config.lead.stretched(NEARLY)
        {
            at.known.passes_over(index, lead, now + config.passed_over);
        }
    }
}

fn challenge(desk: Desk<'_>, cx: &mut Context<'_>, phases: Phases, grounds: Grounds) {
    let double = grounds == Grounds::TwoHolders;
    for index in phases.iter() {
        let silent = cx.now().since(desk.known.slot(index).heard);
        desk.known.note(cx, index, Step::Challenged { silent, double });
    }
    release(desk, cx, phases);
    let about = desk.known.about_whole();
    desk.say(cx, Recipient::All, Message::Challenge { about, phases, double });
}
