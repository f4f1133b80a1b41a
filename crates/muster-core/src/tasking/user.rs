//! The USER injects a task, and waits until a vehicle sees to it. [MacKenzie Figure 1 a]

use super::desk::Desk;
use super::{Context, Message, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::Duration;

/// The USER of an order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// What the USER waits for.
    pub stage: UserStage,
    /// How often the USER has broadcast the task: the epoch of the LEAD that it acknowledges.
    pub attempt: u32,
}

/// What a USER waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UserStage {
    /// "wait for claimLead".
    Claim,
    /// "Wait for task solicitation", from this LEAD.
    Solicitation(RobotId),
    /// "Wait to retry".
    Retry,
}

impl User {
    /// A USER that has not asked yet.
    pub(super) const fn new() -> Self {
        Self { stage: UserStage::Claim, attempt: 0 }
    }

    /// Broadcasts the task, for the first time or again.
    pub(super) fn ask(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        self.attempt += 1;
        self.stage = UserStage::Claim;
        desk.say(cx, Recipient::All, Message::Task { about: desk.known.about_whole() });
        wait(desk, cx, desk.craft.time_out(desk.craft.config.claim));
    }

    pub(super) fn on_timer(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        match self.stage {
            UserStage::Claim | UserStage::Solicitation(_) => {
                self.stage = UserStage::Retry;
                wait(desk, cx, desk.craft.config.retry);
            }
            UserStage::Retry => self.ask(desk, cx),
        }
    }

    /// "Ack ClaimLead (any one)": the first to claim. Its acknowledgement may have been lost, so it gets another.
    pub(super) fn on_claim_lead(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, from: RobotId) {
        let chosen = match self.stage {
            UserStage::Claim => true,
            UserStage::Solicitation(lead) => lead == from,
            UserStage::Retry => false,
        };
        if !chosen {
            return;
        }
        self.stage = UserStage::Solicitation(from);
        let about = desk.known.about(desk.craft);
        desk.say(cx, Recipient::Named(from), Message::AckLead { about, lead: from, epoch: self.attempt });
        wait(desk, cx, desk.craft.time_out(desk.craft.config.solicited));
    }
}

fn wait(desk: Desk<'_>, cx: &mut Context<'_>, wait: Duration) {
    desk.craft.wait(cx, Timer::User(desk.known.first()), wait);
}
