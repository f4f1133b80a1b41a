//! The USER injects a task; a vehicle claims to see to it. [MacKenzie Figure 1 a, b]

use super::craft::Craft;
use super::group::Phases;
use super::order::{Candidate, OrderState, Standing};
use super::{Context, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::Duration;

/// Where the USER of an order is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// What it waits for.
    pub stage: Stage,
    /// How often it has broadcast the task: the epoch of the LEAD that it acknowledges.
    pub attempt: u32,
}

/// What a USER waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// "wait for claimLead".
    Claim,
    /// "Wait for task solicitation", from this LEAD.
    Solicitation(RobotId),
    /// "Wait to retry".
    Retry,
}

impl OrderState {
    /// Broadcasts the task, for the first time or again.
    pub(super) fn ask(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let attempt = self.user.map_or(0, |user| user.attempt) + 1;
        if attempt == 1 {
            self.note(cx, 0, Step::Injected);
            self.met(craft, cx);
        }
        self.user = Some(User { stage: Stage::Claim, attempt });
        let about = self.about(craft, true);
        craft.say(cx, Recipient::All, Message::Task { about });
        self.user_waits(craft, cx, craft.config.claim);
    }

    fn user_waits(&mut self, craft: &mut Craft, cx: &mut Context<'_>, wait: Duration) {
        let wait = craft.jittered(cx, wait);
        cx.set_timer(Timer::User(self.first()), cx.now() + wait);
    }

    pub(super) fn on_user_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(user) = &mut self.user else { return };
        match user.stage {
            Stage::Claim | Stage::Solicitation(_) => {
                user.stage = Stage::Retry;
                self.user_waits(craft, cx, craft.config.retry);
            }
            Stage::Retry => self.ask(craft, cx),
        }
    }

    /// "Ack ClaimLead (any one)": the first to claim. Its acknowledgement may have been lost, so it gets another.
    pub(super) fn on_claim_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>, from: RobotId) {
        let Some(user) = &mut self.user else { return };
        let chosen = match user.stage {
            Stage::Claim => true,
            Stage::Solicitation(lead) => lead == from,
            Stage::Retry => false,
        };
        if !chosen {
            return;
        }
        user.stage = Stage::Solicitation(from);
        let epoch = user.attempt;
        let about = self.about(craft, false);
        craft.say(cx, Recipient::Named(from), Message::AckLead { about, lead: from, epoch });
        self.user_waits(craft, cx, craft.config.solicited);
    }

    /// "Got it": somebody sees to the task. The USER need not stay in touch from here on. [P §1]
    pub(super) fn user_is_done(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.user.take().is_some() {
            cx.cancel_timer(Timer::User(self.first()));
            self.forget_if_idle(craft, cx);
        }
    }

    /// A vehicle hears of a task: it claims the lead, or lets the USER know that somebody has it (W12).
    pub(super) fn on_task(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.lead.is_some() {
            return self.reply(craft, cx);
        }
        let open = self.open();
        if craft.config.fixes.done {
            let over = Phases::first(self.slots.len()).without(open);
            if !over.is_empty() {
                self.answer(craft, cx, over);
            }
        }
        let known = |index: usize| self.is_informed(craft, cx.now(), index);
        let seen_to = Phases(open.iter().filter(|index| known(*index)).map(|index| 1 << index).sum());
        if !seen_to.is_empty() {
            if craft.config.fixes.relays {
                self.answer(craft, cx, seen_to);
            }
            return;
        }
        if open.is_empty() || craft.vehicle.console || !self.can_be_led(craft) {
            return self.forget_if_idle(craft, cx);
        }
        if craft.config.claim_spread > Duration::ZERO {
            self.candidate = Some(Candidate::Waiting);
            let wait = craft.up_to(cx, craft.config.claim_spread);
            cx.set_timer(Timer::Candidate(self.first()), cx.now() + wait);
        } else {
            self.claim_lead(craft, cx);
        }
    }

    fn claim_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        self.candidate = Some(Candidate::Claimed);
        let about = self.about(craft, false);
        craft.say(cx, Recipient::Only(self.group.user), Message::ClaimLead { about });
        let wait = craft.jittered(cx, craft.config.ack);
        cx.set_timer(Timer::Candidate(self.first()), cx.now() + wait);
    }

    pub(super) fn on_candidate_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        match self.candidate {
            Some(Candidate::Waiting) => self.claim_lead(craft, cx),
            // Drawn: "timeout", back to "Wait for task". With F1 it stays a PEER.
            Some(Candidate::Claimed) => {
                self.candidate = None;
                self.forget_if_idle(craft, cx);
            }
            None => {}
        }
    }

    pub(super) fn on_ack_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>, lead: RobotId, epoch: u32) {
        if lead == cx.me() {
            let wanted = self.candidate.take() == Some(Candidate::Claimed) || craft.config.fixes.aware;
            let newer = self.slots.iter().all(|slot| slot.ballot.epoch < epoch);
            if wanted && self.lead.is_none() && newer && self.can_be_led(craft) {
                cx.cancel_timer(Timer::Candidate(self.first()));
                let open = self.open();
                self.take_lead(craft, cx, open, epoch);
            }
            return;
        }
        // Overheard: somebody else has it.
        if self.candidate.take().is_some() {
            cx.cancel_timer(Timer::Candidate(self.first()));
        }
        for index in self.open().iter() {
            let slot = &mut self.slots[index];
            if slot.ballot.epoch < epoch {
                slot.heard = cx.now();
            }
        }
        self.forget_if_idle(craft, cx);
    }

    /// This node could take it apart, if that is still to be done.
    pub(super) fn can_be_led(&self, craft: &Craft) -> bool {
        let template = craft.config.templates.get(&self.group.brief.kind);
        self.group.is_decomposed() || self.group.decomposed(template).is_some()
    }

    /// Speaks up for what it holds or leads, though not more often than twice in `t_status`.
    pub(super) fn reply(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let least = Duration::from_micros(craft.config.status.as_micros() / 2);
        if craft.config.fixes.fair && self.replied.is_some_and(|replied| cx.now().since(replied) < least) {
            return;
        }
        self.replied = Some(cx.now());
        for index in 0..self.slots.len() {
            if craft.holds(self.group.task(index)).is_some() {
                self.report(craft, cx, index, None);
            }
        }
        if craft.config.fixes.lead_speaks && self.lead.is_some() {
            self.say_lead_status(craft, cx);
        }
    }

    /// The attempt that a message belongs to is the one that counts, or a higher one; else whoever sent it is told.
    pub(super) fn is_current(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        standing: Standing,
    ) -> bool {
        self.set_right(craft, cx, index, standing);
        standing == Standing::Current
    }
}
