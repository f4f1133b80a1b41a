//! A BIDDER says what a task would cost it, and takes it if it wins. [MacKenzie Figure 1 d]

use super::cost::{Quote, Surface};
use super::desk::Desk;
use super::group::Phases;
use super::message::Tender;
use super::turnaround::Turnaround;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::time::{Duration, Time};

/// A vehicle that has bid, or was assigned tasks and has not been acknowledged yet.
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
        /// And what it takes to do several of them, if it says so.
        turnaround: Option<Turnaround>,
    },
    /// "Wait for Assignment".
    Assignment,
    /// "Wait for Accept Ack".
    AcceptAck {
        /// What was accepted and is not acknowledged yet: one task, or several of one plan.
        won: Vec<Won>,
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
        let Tender { costs, turnaround } = desk.craft.queue.tender(cx.body(), cx.now(), desk.known.group(), phases, t0);
        for (index, cost) in phases.iter().zip(&costs) {
            let (body, now) = (cx.body(), cx.now());
            desk.known.note_with(cx, index, || {
                let surface = cost.surface(&desk.craft.config.grid);
                let least = surface.as_ref().and_then(Surface::least);
                let means = desk.craft.queue.means(body, now, desk.known.group(), index, t0, least.is_some());
                Step::Bids { lead: ballot.by(), least, surface, means }
            });
        }
        say_bid(desk, cx, ballot, &costs, turnaround.as_ref());
        Self { ballot, phases, stage: BidderStage::BidAck { tries: 1, costs, turnaround } }
    }

    /// Accepts tasks of one plan.
    pub(super) fn accept(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, won: Vec<Won>) -> Self {
        say_accept_all(desk, cx, ballot, &won);
        let phases = won.iter().fold(Phases::NONE, |all, won| all.with(Phases::only(usize::from(won.index))));
        Self { ballot, phases, stage: BidderStage::AcceptAck { won, tries: 1 } }
    }

    /// The LEAD asks again for bids of an attempt that this vehicle has bid in: the bid, or its acknowledgement, was
    /// lost.
    pub(super) fn on_asked_again(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) {
        match &mut self.stage {
            BidderStage::BidAck { tries, costs, turnaround } => {
                *tries = tries.saturating_add(1);
                say_bid(desk, cx, self.ballot, costs, turnaround.as_ref());
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

    /// It accepts these tasks in this attempt already, and is assigned them once more: says so once more, and goes on
    /// waiting. False if it does not.
    pub(super) fn accepts_again(
        &mut self,
        desk: Desk<'_>,
        cx: &mut Context<'_>,
        ballot: Ballot,
        again: &[Won],
    ) -> bool {
        match &mut self.stage {
            BidderStage::AcceptAck { won, tries } if self.ballot == ballot && won[..] == *again => {
                *tries = tries.saturating_add(1);
                say_accept_all(desk, cx, ballot, won);
                true
            }
            BidderStage::BidAck { .. } | BidderStage::Assignment | BidderStage::AcceptAck { .. } => false,
        }
    }

    /// Says once more what was not acknowledged, unless it gives up: "Timeout, give up".
    pub(super) fn gives_up(&mut self, desk: Desk<'_>, cx: &mut Context<'_>) -> bool {
        let config = &desk.craft.config;
        match &mut self.stage {
            BidderStage::BidAck { tries, costs, turnaround } if *tries < config.bid_tries => {
                *tries = tries.saturating_add(1);
                say_bid(desk, cx, self.ballot, costs, turnaround.as_ref());
                false
            }
            BidderStage::AcceptAck { won, tries } if *tries < config.accept_tries => {
                *tries = tries.saturating_add(1);
                say_accept_all(desk, cx, self.ballot, won);
                false
            }
            BidderStage::BidAck { .. } | BidderStage::Assignment | BidderStage::AcceptAck { .. } => true,
        }
    }

    /// What it waits to be acknowledged.
    pub(super) fn accepted(&self) -> &[Won] {
        match &self.stage {
            BidderStage::AcceptAck { won, .. } => won,
            BidderStage::BidAck { .. } | BidderStage::Assignment => &[],
        }
    }

    /// The same of task `index`.
    pub(super) fn won(&self, index: u8) -> Option<Won> {
        self.accepted().iter().copied().find(|won| won.index == index)
    }

    /// Task `index` is acknowledged. True if nothing is left that is not.
    pub(super) fn is_acknowledged(&mut self, index: u8) -> bool {
        self.phases = self.phases.without(Phases::only(usize::from(index)));
        match &mut self.stage {
            BidderStage::AcceptAck { won, .. } => {
                won.retain(|won| won.index != index);
                won.is_empty()
            }
            BidderStage::BidAck { .. } | BidderStage::Assignment => false,
        }
    }
}

fn say_bid(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, costs: &[Quote], turnaround: Option<&Turnaround>) {
    let about = desk.known.about(desk.craft);
    let costs = costs.to_vec();
    let bid = match turnaround {
        Some(turnaround) => Message::BidForSeveral { about, ballot, costs, turnaround: turnaround.clone() },
        None => Message::Bid { about, ballot, costs },
    };
    desk.say(cx, Recipient::Only(ballot.by()), bid);
    wait(desk, cx, desk.craft.config.bid_ack);
}

fn say_accept_all(desk: Desk<'_>, cx: &mut Context<'_>, ballot: Ballot, won: &[Won]) {
    for won in won {
        say_accept(desk, cx, ballot, won.index);
    }
    wait(desk, cx, desk.craft.config.accept_ack);
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
    let Tender { costs, turnaround } = desk.craft.queue.tender(cx.body(), cx.now(), desk.known.group(), plan, t0);
    // Of several tasks it has said as much as it can: the LEAD would make the same plan again.
    let turnaround = turnaround.filter(|_| !desk.craft.vehicle.is_supplied());
    let about = desk.known.about(desk.craft);
    desk.say(cx, Recipient::Only(ballot.by()), Message::Refuse { about, ballot, index, costs, turnaround });
}

fn wait(desk: Desk<'_>, cx: &mut Context<'_>, wait: Duration) {
    desk.craft.wait(cx, Timer::Bidder(desk.known.first()), desk.craft.time_out(wait));
}
