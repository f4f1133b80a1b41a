//! What each deadline of an order leads to.
//!
//! A timer may outlast its role: not every end of a role takes its timer back. That is ordinary, and nothing follows
//! from it.

use super::after::After;
use super::craft::Craft;
use super::desk::{Desk, Watch};
use super::group::Phases;
use super::holder::{Assigned, Due, Hold};
use super::order::OrderState;
use super::peer::Outcome;
use super::{Context, Step};
use crate::time::Duration;

/// A timer that comes later than this was kept from coming: no clock is as coarse.
const PUNCTUAL: Duration = Duration::from_millis(100);

impl OrderState {
    pub(super) fn on_user_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if let Some(user) = &mut self.user {
            user.on_timer(Desk { known: &self.known, craft }, cx);
        }
        After::nothing()
    }

    pub(super) fn on_candidate_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        let Some(candidate) = self.candidate else { return After::nothing() };
        self.candidate = candidate.on_timer(Desk { known: &self.known, craft }, cx);
        match self.candidate {
            Some(_) => After::nothing(),
            None => self.forget_if_idle(craft, cx),
        }
    }

    pub(super) fn on_lead_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if let Some(after) = self.end_if_broken(craft, cx) {
            return after;
        }
        let Some(mut lead) = self.lead.take() else { return After::nothing() };
        if lead.is_in_vain(&Desk { known: &self.known, craft }, cx.now()) {
            let (all, until) = (lead.all(), cx.now() + craft.config.passed_over);
            for index in all.iter() {
                self.known.passes_over(index, cx.me(), until);
            }
            return self.lead_without(craft, cx, lead, all);
        }
        let (mut after, auction) = lead.on_timer(&mut self.assigned(craft), cx);
        after |= self.lead_on(craft, cx, lead, auction);
        after
    }

    pub(super) fn on_lead_status_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if let Some(lead) = &self.lead {
            lead.on_status_timer(&mut Assigned { known: &mut self.known, craft }, cx);
        }
        After::nothing()
    }

    pub(super) fn on_bidder_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        let desk = Desk { known: &self.known, craft };
        match self.bidder.take_if(|bidder| bidder.gives_up(desk, cx)) {
            // It forgets the task, or with F1 goes on as a PEER.
            Some(_) => self.forget_if_idle(craft, cx),
            None => After::nothing(),
        }
    }

    pub(super) fn on_peer_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if let Some(after) = self.end_if_broken(craft, cx) {
            return after;
        }
        let led = self.led();
        let (mut after, outcome) = self.peer.on_timer(&mut Watch { known: &mut self.known, craft, led }, cx);
        self.doubt(craft, cx, self.peer.stage().phases());
        match outcome {
            Outcome::Waits => {}
            Outcome::Elected(election) => after |= self.on_elected(craft, cx, &election),
            Outcome::Mends(phases) => after |= self.mend(craft, cx, phases),
        }
        after
    }

    pub(super) fn on_answer_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        self.answers.on_timer(Desk { known: &self.known, craft }, cx);
        After::nothing()
    }

    pub(super) fn on_again_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        self.answers.on_again_timer(Desk { known: &self.known, craft }, cx);
        After::nothing()
    }

    pub(super) fn on_status_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        match craft.queue.holds(self.known.task(index)) {
            Some(_) => self.assigned(craft).on_status_timer(cx, index),
            None => self.assigned(craft).on_release_timer(cx, index),
        }
        After::nothing()
    }

    pub(super) fn on_announce_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let Some(held) = craft.queue.holds(self.known.task(index)) else { return After::nothing() };
        let due = Due::new(index, held);
        let (mut after, hold) = self.assigned(craft).on_announce_timer(cx, due);
        if hold == Hold::Refrained {
            after |= self.watch(craft, cx, Phases::only(index));
        }
        after
    }

    /// The task should have been done by now and was not.
    pub(super) fn on_overdue_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let Some(held) = craft.queue.holds(self.known.task(index)) else { return After::nothing() };
        // A timer comes later than that only if the computer hung: others may have had the task since.
        let due = held.at + craft.config.tolerance + craft.config.tolerance;
        match craft.config.fixes.relays && cx.now() > due + PUNCTUAL {
            true => self.wakes_without(craft, cx, index),
            false => self.hand_back(craft, cx, index),
        }
    }

    pub(super) fn on_expiry_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        match self.is_settled() {
            true => After::nothing(),
            false => self.call_off(craft, cx, Step::Expired),
        }
    }

    /// The order has been remembered for long enough.
    pub(super) fn on_forget_timer(&mut self, _craft: &mut Craft, _cx: &mut Context<'_>) -> After {
        if !self.is_settled() {
            return After::nothing();
        }
        self.forgotten = true;
        let mut after = After::remember();
        after |= After::sweep();
        after
    }
}
