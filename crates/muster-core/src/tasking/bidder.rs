//! A BIDDER says what a task would cost it, and takes it if it wins. [MacKenzie Figure 1 d]

use super::cost::Surface;
use super::craft::Craft;
use super::group::Phases;
use super::order::OrderState;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

/// Where a bidder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bidder {
    /// In which attempt.
    pub ballot: Ballot,
    /// For which tasks.
    pub phases: Phases,
    /// What it waits for.
    pub stage: Stage,
    costs: Vec<Option<Surface>>,
}

/// What a bidder waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// "Wait for bid Ack": how often it has bid.
    BidAck(u8),
    /// "Wait for Assignment".
    Assignment,
    /// "Wait for Accept Ack" for this task: how often it has accepted, and when times began to count.
    AcceptAck {
        /// Which task.
        index: u8,
        /// What it has accepted.
        holder: Holder,
        /// When times began to count.
        t0: Time,
        /// How often.
        tries: u8,
    },
}

impl OrderState {
    #[allow(clippy::too_many_arguments)] // The fields of one message.
    pub(super) fn on_solicitation(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        phases: Phases,
        t0: Time,
        closes: Time,
    ) {
        let phases = phases.common(Phases::first(self.slots.len()));
        if ballot.by() != from || phases.is_empty() || !self.group.is_decomposed() {
            return;
        }
        let mut current = true;
        for index in phases.iter() {
            let standing = self.hear(craft, cx, index, ballot, None, Duration::ZERO);
            current &= self.is_current(craft, cx, index, standing);
        }
        if !current {
            return;
        }
        self.user_is_done(craft, cx);
        let holds_one = phases.iter().any(|index| craft.holds(self.group.task(index)).is_some());
        if craft.vehicle.console || holds_one || (self.lead.is_some() && !craft.config.fixes.ordered) {
            return self.forget_if_idle(craft, cx);
        }
        match &self.bidder {
            // Asked again: the bid, or its acknowledgement, was lost.
            Some(bidder) if bidder.ballot == ballot => match bidder.stage {
                Stage::BidAck(_) => return self.say_bid(craft, cx),
                Stage::Assignment | Stage::AcceptAck { .. } => return,
            },
            Some(_) | None => {}
        }
        if closes <= cx.now() {
            return;
        }
        let costs = craft.bid(cx, &self.group, phases, t0);
        for (index, cost) in phases.iter().zip(&costs) {
            let least = cost.as_ref().and_then(Surface::least);
            self.note(cx, index, Step::Bids { lead: from, least });
        }
        self.bidder = Some(Box::new(Bidder { ballot, phases, stage: Stage::BidAck(0), costs }));
        self.say_bid(craft, cx);
    }

    fn say_bid(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(bidder) = &mut self.bidder else { return };
        let Stage::BidAck(tries) = &mut bidder.stage else { return };
        *tries += 1;
        let (ballot, costs) = (bidder.ballot, bidder.costs.clone());
        let about = self.about(craft, false);
        craft.say(cx, Recipient::Only(ballot.by()), Message::Bid { about, ballot, costs });
        let wait = craft.jittered(cx, craft.config.bid_ack);
        cx.set_timer(Timer::Bidder(self.first()), cx.now() + wait);
    }

    pub(super) fn on_bid_ack(&mut self, craft: &mut Craft, cx: &mut Context<'_>, ballot: Ballot) {
        let Some(bidder) = self.bidder.as_mut().filter(|bidder| bidder.ballot == ballot) else { return };
        if matches!(bidder.stage, Stage::BidAck(_)) {
            bidder.stage = Stage::Assignment;
            let wait = craft.jittered(cx, craft.config.assignment());
            cx.set_timer(Timer::Bidder(self.first()), cx.now() + wait);
        }
    }

    pub(super) fn on_bidder_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(bidder) = &mut self.bidder else { return };
        match &mut bidder.stage {
            Stage::BidAck(tries) if *tries < craft.config.bid_tries => return self.say_bid(craft, cx),
            Stage::AcceptAck { tries, .. } if *tries < craft.config.accept_tries => return self.say_accept(craft, cx),
            // "Timeout, give up": forget the task, or with F1 go on as a PEER.
            Stage::BidAck(_) | Stage::Assignment | Stage::AcceptAck { .. } => {}
        }
        self.bidder = None;
        self.forget_if_idle(craft, cx);
    }

    pub(super) fn on_assignment(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        plan: &[(u8, Holder)],
        t0: Time,
    ) {
        let known = |(index, _): &&(u8, Holder)| usize::from(*index) < self.slots.len();
        let plan: Vec<(u8, Holder)> = plan.iter().filter(known).copied().collect();
        if ballot.by() != from || plan.is_empty() || !self.group.is_decomposed() {
            return;
        }
        let mut current = true;
        for (index, holder) in &plan {
            let index = usize::from(*index);
            let standing = self.hear(craft, cx, index, ballot, Some(*holder), Duration::ZERO);
            current &= self.is_current(craft, cx, index, standing);
        }
        if !current {
            return;
        }
        self.user_is_done(craft, cx);
        self.t0 = Some(t0);
        for (index, holder) in plan {
            let at = usize::from(index);
            if holder.robot != cx.me() {
                // "Assignment not to us": PEER.
                self.watch(craft, cx, Phases::only(at));
                if self.bidder.as_ref().is_some_and(|bidder| bidder.phases == Phases::only(at)) {
                    self.bidder = None;
                    cx.cancel_timer(Timer::Bidder(self.first()));
                }
            } else if craft.holds(self.group.task(at)).is_some_and(|held| held.ballot == ballot) {
                // It has accepted and been acknowledged: the LEAD has missed it.
                let about = self.about(craft, false);
                craft.say(cx, Recipient::Only(from), Message::Accept { about, ballot, index });
            } else if craft.can_make(cx, &self.group, at, holder, t0) {
                let accepting =
                    |stage: &Stage| matches!(stage, Stage::AcceptAck { index: known, .. } if *known == index);
                let again = self.bidder.as_ref().is_some_and(|it| it.ballot == ballot && accepting(&it.stage));
                if !again {
                    let stage = Stage::AcceptAck { index, holder, t0, tries: 0 };
                    let costs = Vec::new();
                    self.bidder = Some(Box::new(Bidder { ballot, phases: Phases::only(at), stage, costs }));
                }
                self.say_accept(craft, cx);
            }
        }
    }

    fn say_accept(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let Some(bidder) = &mut self.bidder else { return };
        let Stage::AcceptAck { index, tries, .. } = &mut bidder.stage else { return };
        *tries += 1;
        let (ballot, index) = (bidder.ballot, *index);
        let about = self.about(craft, false);
        craft.say(cx, Recipient::Only(ballot.by()), Message::Accept { about, ballot, index });
        let wait = craft.jittered(cx, craft.config.accept_ack);
        cx.set_timer(Timer::Bidder(self.first()), cx.now() + wait);
    }

    /// "Queue Task": only now is it this node's to do. A winner whose Accept was lost must not have begun (W11).
    pub(super) fn on_accept_ack(&mut self, craft: &mut Craft, cx: &mut Context<'_>, ballot: Ballot, index: u8) {
        let Some(bidder) = self.bidder.as_ref().filter(|bidder| bidder.ballot == ballot) else { return };
        let Stage::AcceptAck { index: known, holder, t0, .. } = bidder.stage else { return };
        if known != index {
            return;
        }
        self.bidder = None;
        cx.cancel_timer(Timer::Bidder(self.first()));
        // Another may have done it while the acknowledgement was under way.
        if !self.is_over(usize::from(index)) {
            self.hold(craft, cx, usize::from(index), ballot, holder, t0);
        }
    }
}
