//! A PEER watches over tasks that others do: "distribute their contract renewal process among the robots".
//! [MacKenzie §1, §2, Figure 1 e]

use std::collections::BTreeMap;

use super::craft::{Craft, MOST_PATIENCE};
use super::group::Phases;
use super::order::{Grant, OrderState, Standing};
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// Whoever joins another's challenge of a LEAD may have waited for this share of `T_lead` only: where much is lost, it
/// has heard of that LEAD some reports later.
const NEARLY: f64 = 0.9;

/// Where a PEER is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    /// "Monitor status".
    Monitoring,
    /// "Wait for reply" to a challenge of these tasks: how often it was sent.
    Replying(Phases, u8),
    /// "Tabulate claims".
    Claiming(Box<Election>),
    /// "Tabulate winners": which exchange.
    Winning(Box<Election>, u32),
}

/// Who is to lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Election {
    /// Which tasks.
    pub phases: Phases,
    /// In which attempt.
    pub epoch: u32,
    /// "Our perceived winner".
    pub winner: RobotId,
    /// Who has claimed which of them.
    pub claims: BTreeMap<RobotId, Phases>,
}

impl Peer {
    /// The tasks that it challenges or elects a LEAD for.
    pub fn phases(&self) -> Phases {
        match self {
            Self::Monitoring => Phases::NONE,
            Self::Replying(phases, _) => *phases,
            Self::Claiming(election) | Self::Winning(election, _) => election.phases,
        }
    }
}

impl OrderState {
    /// Becomes a PEER of these tasks.
    pub(super) fn watch(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        // As drawn, PEERs are vehicles; with F1 a console is one, too: it may be the last to know of a task.
        if craft.vehicle.console && !craft.config.fixes.aware {
            return self.forget_if_idle(craft, cx);
        }
        for index in phases.common(Phases::first(self.slots.len())).iter() {
            let slot = &mut self.slots[index];
            if !slot.watched {
                slot.watched = true;
                slot.heard = slot.heard.max(cx.now());
            }
        }
        self.watch_on(craft, cx);
    }

    /// Sets the time at which something will not have been heard of for too long.
    pub(super) fn watch_on(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.peer != Peer::Monitoring {
            return;
        }
        let deadline = self.watched(craft).iter().map(|index| self.deadline(craft, index)).min();
        if let Some(deadline) = deadline {
            let jitter = craft.up_to(cx, craft.config.peer.stretched(craft.config.jitter));
            cx.set_timer(Timer::Peer(self.first()), deadline.max(cx.now()) + jitter);
        }
    }

    /// The tasks that this node watches over: neither over nor in its own hands.
    fn watched(&self, craft: &Craft) -> Phases {
        let watches = |index: &usize| {
            let slot = &self.slots[*index];
            slot.watched
                && craft.holds(self.group.task(*index)).is_none()
                && self.lead.as_ref().is_none_or(|lead| !lead.covers(*index))
                // Somebody may have done it: it must not be done twice.
                && !(self.at_most_once() && slot.granted.is_some())
        };
        Phases(self.open().iter().filter(watches).map(|index| 1 << index).sum())
    }

    fn deadline(&self, craft: &Craft, index: usize) -> Time {
        let slot = &self.slots[index];
        let silent = slot.heard + craft.patience(self, index);
        match slot.led.filter(|_| craft.config.fixes.fair) {
            Some((_, since)) => silent.min(since + craft.config.lead),
            None => silent,
        }
    }

    /// This node has heard lately that somebody sees to the task.
    pub(super) fn is_informed(&self, craft: &Craft, now: Time, index: usize) -> bool {
        self.slots[index].informed && now < self.deadline(craft, index)
    }

    /// Somebody sees to task `index`: it is not challenged or voted on any more.
    pub(super) fn reassured(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        let one = Phases::only(index);
        if !self.peer.phases().has(index) {
            return;
        }
        let left = match &mut self.peer {
            Peer::Monitoring => return,
            Peer::Replying(phases, _) => {
                *phases = phases.without(one);
                *phases
            }
            // As drawn, nothing ends an election but its end.
            Peer::Claiming(_) | Peer::Winning(..) if !craft.config.fixes.ordered => return,
            Peer::Claiming(election) | Peer::Winning(election, _) => {
                election.phases = election.phases.without(one);
                election.phases
            }
        };
        if left.is_empty() {
            self.peer = Peer::Monitoring;
            self.watch_on(craft, cx);
        }
    }

    pub(super) fn on_peer_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let now = cx.now();
        if !craft.may_speak(now) {
            // Nobody is to blame for what cannot be heard.
            self.peer = Peer::Monitoring;
            for slot in &mut self.slots {
                (slot.heard, slot.informed) = (now, false);
            }
            return self.watch_on(craft, cx);
        }
        match std::mem::replace(&mut self.peer, Peer::Monitoring) {
            Peer::Monitoring => {
                let late = |index: &usize| self.deadline(craft, *index) <= now;
                let stale = Phases(self.watched(craft).iter().filter(late).map(|index| 1 << index).sum());
                if stale.is_empty() {
                    return self.watch_on(craft, cx);
                }
                self.pass_over(craft, now, stale);
                self.challenge(craft, cx, stale, false);
                self.peer = Peer::Replying(stale, 1);
                self.peer_waits(craft, cx, craft.config.reply);
            }
            Peer::Replying(phases, tries) if tries < craft.config.challenge_tries => {
                self.challenge(craft, cx, phases, false);
                self.peer = Peer::Replying(phases, tries + 1);
                self.peer_waits(craft, cx, craft.config.reply);
            }
            Peer::Replying(phases, _) => {
                let epoch = self.epoch + 1;
                self.claim(craft, cx, phases, epoch, None);
            }
            Peer::Claiming(election) => {
                self.say_winner(craft, cx, &election, 1);
                self.peer = Peer::Winning(election, 1);
                self.peer_waits(craft, cx, craft.config.win);
            }
            Peer::Winning(election, round) if round < craft.config.rounds => {
                self.say_winner(craft, cx, &election, round + 1);
                self.peer = Peer::Winning(election, round + 1);
                self.peer_waits(craft, cx, craft.config.win);
            }
            Peer::Winning(election, _) => self.conclude(craft, cx, *election),
        }
    }

    fn peer_waits(&mut self, craft: &mut Craft, cx: &mut Context<'_>, wait: Duration) {
        // Half of the jitter of other time-outs: the stages of an election should overlap.
        let wait = wait + craft.up_to(cx, wait.stretched(craft.config.jitter / 2.0));
        cx.set_timer(Timer::Peer(self.first()), cx.now() + wait);
    }

    /// W9: a LEAD that has brought nothing about is not elected again for a while.
    fn pass_over(&mut self, craft: &Craft, now: Time, stale: Phases) {
        let until = now + craft.config.passed_over;
        for index in stale.iter() {
            let slot = &mut self.slots[index];
            if let Some((lead, since)) = slot.led
                && craft.config.fixes.fair
                && now.since(since) >= craft.config.lead.stretched(NEARLY)
            {
                slot.passed_over = Some((lead, until));
                slot.informed = false;
            }
        }
    }

    fn challenge(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases, double: bool) {
        for index in phases.iter() {
            let silent = cx.now().since(self.slots[index].heard);
            self.note(cx, index, Step::Challenged { silent, double });
        }
        self.release(craft, cx, phases);
        let about = self.about(craft, true);
        craft.say(cx, Recipient::All, Message::Challenge { about, phases, double });
    }

    fn claim(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases, epoch: u32, other: Option<RobotId>) {
        let phases = phases.common(self.open());
        let forgets = self.at_most_once() && !craft.may_grant(cx.now());
        if phases.is_empty() || forgets || !self.can_be_led(craft) {
            return self.stand_back(craft, cx, phases);
        }
        self.epoch = self.epoch.max(epoch);
        self.promise(craft, phases, epoch);
        self.note_all(cx, phases, Step::Claimed { epoch });
        let claims = other.into_iter().chain([cx.me()]).map(|claimed| (claimed, phases)).collect();
        let mut election = Election { phases, epoch, winner: cx.me(), claims };
        self.tabulate(craft, cx.now(), &mut election, other);
        let about = self.about(craft, false);
        craft.say(cx, Recipient::All, Message::Claim { about, phases, epoch });
        self.peer = Peer::Claiming(Box::new(election));
        self.peer_waits(craft, cx, craft.config.claims);
    }

    /// Takes part in an election: gives no leave for an earlier attempt from here on. At most once only.
    fn promise(&mut self, craft: &mut Craft, phases: Phases, epoch: u32) {
        if self.at_most_once() {
            for index in phases.iter() {
                self.slots[index].promised = self.slots[index].promised.max(epoch);
            }
            craft.changed = true;
        }
    }

    /// "Update winner if neighbor has higher GUID winner".
    fn tabulate(&self, craft: &Craft, now: Time, election: &mut Election, other: Option<RobotId>) {
        let rank = |robot: RobotId| self.rank(craft, now, robot, election.epoch);
        if let Some(other) = other.filter(|other| rank(*other) > rank(election.winner)) {
            election.winner = other;
        }
    }

    /// Who comes first in an election: the highest GUID as drawn, else by a lot that differs for every task and epoch.
    fn rank(&self, craft: &Craft, now: Time, robot: RobotId, epoch: u32) -> (bool, u64, u32) {
        let out =
            |slot: &super::order::Slot| slot.passed_over.is_some_and(|(lead, until)| lead == robot && now < until);
        if !craft.config.fixes.fair {
            return (true, 0, robot.0);
        }
        (!self.slots.iter().any(out), lot(robot.0, self.first().0, epoch), robot.0)
    }

    fn say_winner(&mut self, craft: &mut Craft, cx: &mut Context<'_>, election: &Election, round: u32) {
        let Election { phases, epoch, winner, .. } = *election;
        let about = self.about(craft, false);
        craft.say(cx, Recipient::All, Message::PerceivedWinner { about, phases, epoch, winner, round });
    }

    fn conclude(&mut self, craft: &mut Craft, cx: &mut Context<'_>, election: Election) {
        let Election { phases, epoch, winner, claims } = election;
        self.note_all(cx, phases, Step::Elected { epoch, winner });
        let claimed = |index: &usize| claims.values().filter(|phases| phases.has(*index)).count();
        let enough = |index: &usize| !self.at_most_once() || claimed(index) >= craft.config.quorum();
        let (mine, too_few): (Vec<usize>, Vec<usize>) = phases.iter().partition(enough);
        if winner == cx.me() {
            for index in too_few {
                self.note(cx, index, Step::NoQuorum { claims: claimed(&index) as u32 });
            }
        }
        let mine = mine.into_iter().fold(Phases::NONE, |all, index| all.with(Phases::only(index)));
        if winner == cx.me() && !mine.is_empty() && self.lead.is_none() {
            self.take_lead(craft, cx, mine, epoch.max(self.epoch));
        } else {
            self.stand_back(craft, cx, phases);
        }
        self.watch_on(craft, cx);
    }

    /// Lets whoever was elected get going before anything is missed.
    fn stand_back(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        self.peer = Peer::Monitoring;
        for index in phases.common(Phases::first(self.slots.len())).iter() {
            let slot = &mut self.slots[index];
            (slot.heard, slot.informed, slot.led) = (cx.now(), false, None);
        }
        self.watch_on(craft, cx);
    }

    /// Somebody asks about tasks, or votes on them: says what is known. What is left is what this node does not know
    /// better.
    fn enlighten(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> Phases {
        let fixes = craft.config.fixes;
        let phases = phases.common(Phases::first(self.slots.len()));
        let over = phases.without(self.open());
        if fixes.done && !over.is_empty() {
            self.answer(craft, cx, over);
        }
        let open = phases.common(self.open());
        let holds = |index: &usize| craft.holds(self.group.task(*index)).is_some();
        let held = Phases(open.iter().filter(holds).map(|index| 1 << index).sum());
        let led = self.lead.as_ref().map_or(Phases::NONE, |lead| lead.phases.with(lead.later)).common(open);
        if !held.is_empty() || !led.is_empty() {
            self.reply(craft, cx);
        }
        let others = open.without(held).without(led);
        let now = cx.now();
        let known = |index: &usize| self.is_informed(craft, now, *index);
        let known = Phases(others.iter().filter(known).map(|index| 1 << index).sum());
        if fixes.relays && !known.is_empty() {
            self.answer(craft, cx, known);
        }
        let sealed = |index: &usize| self.at_most_once() && self.slots[*index].granted.is_some();
        let sealed = Phases(others.iter().filter(sealed).map(|index| 1 << index).sum());
        others.without(known).without(sealed)
    }

    pub(super) fn on_challenge(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        let unknown = self.enlighten(craft, cx, phases);
        self.watch(craft, cx, phases.common(self.open()));
        // W14, W15: whoever knows nothing better does not challenge, too, but takes part in the round that has begun.
        if craft.config.fixes.fair && self.peer == Peer::Monitoring && !unknown.is_empty() {
            self.pass_over(craft, cx.now(), unknown);
            self.peer = Peer::Replying(unknown, craft.config.challenge_tries);
            let tries = u64::from(craft.config.challenge_tries);
            self.peer_waits(craft, cx, Duration::from_micros(craft.config.reply.as_micros() * tries));
        }
    }

    pub(super) fn on_claim(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        phases: Phases,
        epoch: u32,
    ) {
        let fenced = craft.config.fixes.fair;
        self.release(craft, cx, phases);
        let unknown = if fenced { self.enlighten(craft, cx, phases) } else { phases.common(self.open()) };
        if unknown.is_empty() {
            return;
        }
        match std::mem::replace(&mut self.peer, Peer::Monitoring) {
            Peer::Claiming(mut election) => {
                self.merge(craft, cx, &mut election, from, unknown, epoch, from);
                self.peer = Peer::Claiming(election);
            }
            Peer::Winning(mut election, round) => {
                self.merge(craft, cx, &mut election, from, unknown, epoch, from);
                self.peer = Peer::Winning(election, round);
            }
            peer @ (Peer::Monitoring | Peer::Replying(..)) if fenced => {
                self.pass_over(craft, cx.now(), unknown);
                let phases = unknown.with(peer.phases());
                let epoch = epoch.max(self.epoch + 1);
                self.claim(craft, cx, phases, epoch, Some(from));
            }
            peer => self.peer = peer,
        }
    }

    /// Another's vote belongs to the same election, or to a later one that this node joins. Whoever votes has claimed,
    /// whether its claim was heard or not.
    #[allow(clippy::too_many_arguments)] // The fields of one message.
    fn merge(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        election: &mut Election,
        from: RobotId,
        phases: Phases,
        epoch: u32,
        candidate: RobotId,
    ) {
        election.phases = election.phases.with(phases);
        let claimed = election.claims.entry(from).or_default();
        *claimed = claimed.with(phases);
        let mine = election.claims.entry(cx.me()).or_default();
        *mine = mine.with(phases);
        self.promise(craft, phases, epoch.max(election.epoch));
        if craft.config.fixes.fair && epoch < election.epoch {
            return;
        }
        if craft.config.fixes.fair && epoch > election.epoch {
            election.epoch = epoch;
            self.epoch = self.epoch.max(epoch);
            election.winner = cx.me();
            for claimed in election.claims.clone().into_keys() {
                self.tabulate(craft, cx.now(), election, Some(claimed));
            }
        }
        self.tabulate(craft, cx.now(), election, Some(candidate));
    }

    pub(super) fn on_perceived_winner(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        phases: Phases,
        epoch: u32,
        winner: RobotId,
    ) {
        let fenced = craft.config.fixes.fair;
        let unknown = if fenced { self.enlighten(craft, cx, phases) } else { phases.common(self.open()) };
        if unknown.is_empty() {
            return;
        }
        match std::mem::replace(&mut self.peer, Peer::Monitoring) {
            Peer::Claiming(mut election) => {
                self.merge(craft, cx, &mut election, from, unknown, epoch, winner);
                self.peer = Peer::Claiming(election);
            }
            Peer::Winning(mut election, round) => {
                self.merge(craft, cx, &mut election, from, unknown, epoch, winner);
                self.peer = Peer::Winning(election, round);
            }
            // Too late to claim; the winner will be heard of.
            peer @ (Peer::Monitoring | Peer::Replying(..)) => self.peer = peer,
        }
    }

    pub(super) fn on_status(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        (ballot, index, holder): (Ballot, usize, Holder),
        patience: Duration,
        asks: Option<u32>,
    ) {
        if holder.robot != from {
            return;
        }
        let now = cx.now();
        let slot = &self.slots[index];
        let other = slot.holder.is_some_and(|known| known.robot != from) && self.is_informed(craft, now, index);
        let double = !craft.config.fixes.ordered && slot.watched && other;
        if !craft.config.fixes.ordered && craft.holds(self.group.task(index)).is_some() {
            return;
        }
        let standing = self.hear(craft, cx, index, ballot, Some(holder), Duration::ZERO);
        if !self.is_current(craft, cx, index, standing) {
            return;
        }
        self.slots[index].patience = patience.min(MOST_PATIENCE);
        self.user_is_done(craft, cx);
        self.watch(craft, cx, Phases::only(index));
        if double {
            self.on_double_assignment(craft, cx, index);
        }
        let Some(life) = asks.filter(|_| self.at_most_once() && craft.may_grant(now)) else { return };
        let slot = &mut self.slots[index];
        if slot.granted.is_none_or(|grant| grant.is_for(from, life)) && slot.promised <= ballot.epoch {
            if slot.granted.is_none_or(|grant| grant.ballot < ballot) {
                slot.granted = Some(Grant { robot: from, life, ballot });
                craft.changed = true;
            }
            let about = self.about(craft, false);
            let index = index as u8;
            craft.say(cx, Recipient::Only(from), Message::Grant { about, ballot, life, index });
        }
    }

    /// "If a vehicle receives status reports from two vehicles for the same task it will issue a challenge and the
    /// task will be rebid" [P §2.1]. The challenge gets two replies, and nothing comes of it (W7); not more than one
    /// in a while, or it would never settle.
    fn on_double_assignment(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        if self.challenged.is_some_and(|challenged| cx.now().since(challenged) < craft.config.double_gap) {
            return;
        }
        self.challenged = Some(cx.now());
        let phases = Phases::only(index);
        self.challenge(craft, cx, phases, true);
        if self.peer == Peer::Monitoring {
            self.peer = Peer::Replying(phases, craft.config.challenge_tries);
            self.peer_waits(craft, cx, craft.config.reply);
        }
    }

    pub(super) fn on_lead_status(&mut self, craft: &mut Craft, cx: &mut Context<'_>, ballot: Ballot, phases: Phases) {
        let phases = phases.common(Phases::first(self.slots.len()));
        for index in phases.iter() {
            let standing = self.hear(craft, cx, index, ballot, None, Duration::ZERO);
            self.set_right(craft, cx, index, standing);
        }
        self.user_is_done(craft, cx);
    }

    pub(super) fn on_relay(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        ballot: Ballot,
        holder: Option<Holder>,
        age: Duration,
    ) {
        if age >= craft.patience(self, index) {
            return;
        }
        let standing = self.hear(craft, cx, index, ballot, holder, age);
        if standing == Standing::Current {
            self.user_is_done(craft, cx);
        } else {
            self.set_right(craft, cx, index, standing);
        }
    }

    /// As drawn: it is about to be done, so it is forgotten.
    pub(super) fn on_completion(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) {
        if craft.config.fixes.done {
            return;
        }
        self.slots[index].watched = false;
        self.slots[index].holder = None;
        // Whoever else has it in its queue forgets it, too: all that saves a double assignment from being flown.
        craft.let_go(cx, self.group.task(index));
        self.reassured(craft, cx, index);
        self.user_is_done(craft, cx);
        self.forget_if_idle(craft, cx);
    }
}

/// A number that is different for every robot, task and epoch, and the same for everybody who asks.
fn lot(robot: u32, task: u32, epoch: u32) -> u64 {
    // The finaliser of SplitMix64 over the three: cheap, and every bit depends on all of them.
    let mut z = u64::from(robot) << 32 ^ u64::from(task) ^ u64::from(epoch).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
