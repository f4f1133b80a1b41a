//! A BIDDER says what a task would cost it, and takes it if it wins. [MacKenzie Figure 1 d]

use super::cost::{Quote, Surface};
use super::desk::Desk;
use super::group::Phases;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::time::{Duration, Time};

/// A vehicle that has bid, or was assigned a task and has not been acknowledged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bidder {
    /// The attempt that it has bid in.
    pub ballot: Ballot,
    /// The tasks that it has bid for, or has accepted.
    pub phases: Phases,
    /// What it waits for.
    pub stage: BidderStage,
}

/// What a BIDDER waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BidderStage {
    /// "Wait for bid Ack".
    BidAck {
        /// How often the bid was sent.
        tries: u8,
        /// The bid: for each of the tasks its costs.
        costs: Vec<Quote>,
    },
    /// "Wait for Assignment".
    Assignment,
    /// "Wait for Accept Ack".
    AcceptAck {
        /// What was accepted.
        won: Won,
        /// How often Accept was sent.
        tries: u8,
    },
}

/// A task that a BIDDER was assigned.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Won {
    /// Which task of the order.
    pub index: u8,
    /// When and how it is to be done.
    pub holder: Holder,
    /// When times began to count.
    pub t0: Time,
    /// All tasks of the plan that it belongs to.
    pub plan: Phases,
}

impl Bidder {
    /// Bids.
    pub(super) fn bid(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, phases: Phases, t0: Time) -> Self {
        let costs = desk.craft.queue.costs(cx, desk.known.group(), phases, t0);
        for (index, cost) in phases.iter().zip(&costs) {
            let (body, now) = (cx.body(), cx.now());
            desk.known.note_with(cx, index, || {
                let surface = cost.surface(&desk.craft.config.grid);
                let able = desk.craft.queue.is_fit(body, now, desk.known.group(), index);
                Step::Bids { lead: ballot.by(), least: surface.as_ref().and_then(Surface::least), surface, able }
            });
        }
        say_bid(desk, cx, ballot, &costs);
        Self { ballot, phases, stage: BidderStage::BidAck { tries: 1, costs } }
    }

    /// Accepts a task.
    pub(super) fn accept(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, won: Won) -> Self {
        say_accept(desk, cx, ballot, won.index);
        wait(desk, cx, desk.craft.config.accept_ack);
        let phases = Phases::only(usize::from(won.index));
        Self { ballot, phases, stage: BidderStage::AcceptAck { won, tries: 1 } }
    }

    /// The LEAD asks again for bids of an attempt that this vehicle has bid in: the bid, or its acknowledgement, was
    /// lost.
    pub(super) fn on_asked_again(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        match &mut self.stage {
            BidderStage::BidAck { tries, costs } => {
                *tries = tries.saturating_add(1);
                say_bid(desk, cx, self.ballot, costs);
            }
            BidderStage::Assignment | BidderStage::AcceptAck { .. } => {}
        }
    }

    pub(super) fn on_bid_ack(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        match self.stage {
            BidderStage::BidAck { .. } => {
                self.stage = BidderStage::Assignment;
                wait(desk, cx, desk.craft.config.assignment());
            }
            // A second acknowledgement.
            BidderStage::Assignment | BidderStage::AcceptAck { .. } => {}
        }
    }

    /// It accepts task `index` in this attempt already, and is assigned it once more: says so once more, and goes on
    /// waiting. False if it does not.
    pub(super) fn accepts_again(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, index: u8) -> bool {
        match &mut self.stage {
            BidderStage::AcceptAck { won, tries } if self.ballot == ballot && won.index == index => {
                *tries = tries.saturating_add(1);
                say_accept(desk, cx, ballot, index);
                wait(desk, cx, desk.craft.config.accept_ack);
                true
            }
            BidderStage::BidAck { .. } | BidderStage::Assignment | BidderStage::AcceptAck { .. } => false,
        }
    }

    /// Says once more what was not acknowledged, unless it gives up: "Timeout, give up".
    pub(super) fn gives_up(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) -> bool {
        let config = &desk.craft.config;
        match &mut self.stage {
            BidderStage::BidAck { tries, costs } if *tries < config.bid_tries => {
                *tries = tries.saturating_add(1);
                say_bid(desk, cx, self.ballot, costs);
                false
            }
            BidderStage::AcceptAck { won, tries } if *tries < config.accept_tries => {
                *tries = tries.saturating_add(1);
                say_accept(desk, cx, self.ballot, won.index);
                wait(desk, cx, config.accept_ack);
                false
            }
            BidderStage::BidAck { .. } | BidderStage::Assignment | BidderStage::AcceptAck { .. } => true,
        }
    }

    /// What it waits to be acknowledged.
    pub(super) fn accepted(&self) -> Option<Won> {
        match self.stage {
            BidderStage::AcceptAck { won, .. } => Some(won),
            BidderStage::BidAck { .. } | BidderStage::Assignment => None,
        }
    }

    /// The same, if that is task `index`.
    pub(super) fn won(&self, index: u8) -> Option<Won> {
        self.accepted().filter(|won| won.index == index)
    }
}

fn say_bid(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, costs: &[Quote]) {
    let about = desk.known.about(desk.craft);
    desk.say(cx, Recipient::Only(ballot.by()), Message::Bid { about, ballot, costs: costs.to_vec() });
    wait(desk, cx, desk.craft.config.bid_ack);
}

/// Accepts, for the first time or again.
pub(super) fn say_accept(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, index: u8) {
    let about = desk.known.about(desk.craft);
    desk.say(cx, Recipient::Only(ballot.by()), Message::Accept { about, ballot, index });
}

/// Refuses what it was assigned, with what the tasks of that auction would cost it now.
pub(super) fn say_refuse(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, won: Won) {
    let Won { index, t0, plan, .. } = won;
    desk.known.note(cx, usize::from(index), Step::Refuses { lead: ballot.by() });
    let costs = desk.craft.queue.costs(cx, desk.known.group(), plan, t0);
    let about = desk.known.about(desk.craft);
    desk.say(cx, Recipient::Only(ballot.by()), Message::Refuse { about, ballot, index, costs });
}

fn wait(desk: Desk<'_>, cx: &mut Context<'_>, wait: Duration) {
    desk.craft.wait(cx, Timer::Bidder(desk.known.first()), desk.craft.time_out(wait));
}
