//! What roles are handed of their node, by what they may change.
//!
//! | role | its own state | may change besides |
//! |---|---|---|
//! | USER | `User` | nothing: [`Desk`] |
//! | vehicle that wants to lead | `Candidate` | nothing: [`Desk`] |
//! | BIDDER | `Bidder` | nothing: [`Desk`] |
//! | PEER | `Peer` | what is known: [`Watch`] |
//! | ASSIGNED | the tasks of the queue | what is known, and the vehicle: `Assigned` |
//! | LEAD | `Lead` | the same: `Assigned` |
//! | who answers | `Answers` | nothing: [`Desk`] |
//!
//! A role never reaches another. Where one leads to another (a PEER is elected LEAD, a BIDDER's Accept is acknowledged,
//! an auction is closed) its handler returns so, and `OrderState` sees to the rest.

use super::craft::Craft;
use super::group::Phases;
use super::known::Known;
use super::{Context, Message};
use crate::mechanism::Recipient;

/// For roles that look and speak.
#[derive(Copy, Clone)]
pub(super) struct Desk<'a> {
    pub(super) known: &'a Known,
    pub(super) craft: &'a Craft,
}

impl Desk<'_> {
    pub(super) fn say(self, cx: &mut Context<'_>, to: Recipient, message: Message) {
        self.craft.say(cx, to, message);
    }
}

/// For the PEER, who also keeps account of what it has heard, and when.
pub(super) struct Watch<'a> {
    pub(super) known: &'a mut Known,
    pub(super) craft: &'a Craft,
    /// The tasks that this node leads itself, and so does not watch over.
    pub(super) led: Phases,
}

impl Watch<'_> {
    pub(super) fn desk(&self) -> Desk<'_> {
        Desk { known: self.known, craft: self.craft }
    }
}
