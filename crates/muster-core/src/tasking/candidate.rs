//! A vehicle that hears of a task claims to see to it. [MacKenzie Figure 1 b]

use super::desk::Desk;
use super::{Context, Message, Timer};
use crate::mechanism::Recipient;
use crate::time::Duration;

/// A vehicle that wants to lead an order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// It claims when it is its turn.
    Waiting,
    /// It has claimed, and waits for AckLead.
    Claimed,
}

impl Candidate {
    /// Claims the lead, at once or when it is this vehicle's turn.
    pub(super) fn new(desk: Desk<'_>, cx: &mut Context<'_>) -> Self {
        let spread = desk.craft.config.claim_spread;
        if spread > Duration::ZERO {
            desk.craft.take_turns(cx, Timer::Candidate(desk.known.first()), spread);
            return Self::Waiting;
        }
        Self::claim(desk, cx)
    }

    /// Claims the lead.
    pub(super) fn claim(desk: Desk<'_>, cx: &mut Context<'_>) -> Self {
        let about = desk.known.about(desk.craft);
        desk.say(cx, Recipient::Only(desk.known.group().user), Message::ClaimLead { about });
        let wait = desk.craft.time_out(desk.craft.config.ack);
        desk.craft.wait(cx, Timer::Candidate(desk.known.first()), wait);
        Self::Claimed
    }

    /// Whether it still wants to lead when its timer is up.
    pub(super) fn on_timer(self, desk: Desk<'_>, cx: &mut Context<'_>) -> Option<Self> {
        match self {
            Self::Waiting => Some(Self::claim(desk, cx)),
            // Drawn: "timeout", back to "Wait for task". With F1 it stays a PEER.
            Self::Claimed => None,
        }
    }
}
