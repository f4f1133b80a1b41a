//! How the roles of a node in an order begin, end and lead to each other.

use std::sync::Arc;

use super::after::After;
use super::bidder::{Won, say_refuse};
use super::craft::Craft;
use super::desk::{Desk, Watch};
use super::election::Election;
use super::group::{Group, Phases};
use super::known::Slot;
use super::lead::{Auction, Lead, Left};
use super::message::Tender;
use super::order::OrderState;
use super::queue::Held;
use super::user::User;
use super::{Ballot, Context, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;

impl OrderState {
    /// Broadcasts the task, for the first time or again.
    pub(super) fn ask(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        let mut after = After::nothing();
        if self.user.is_none() {
            self.known.note(cx, 0, Step::Injected);
            after |= self.met(craft, cx);
        }
        self.user.get_or_insert_with(User::new).ask(Desk { known: &self.known, craft }, cx);
        after
    }

    /// "Got it": somebody sees to the task. The USER need not stay in touch from here on. [P §1]
    pub(super) fn user_is_done(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        if self.user.take().is_none() {
            return After::nothing();
        }
        cx.cancel_timer(Timer::User(self.first()));
        self.forget_if_idle(craft, cx)
    }

    /// Becomes the LEAD of these tasks of the order, which is taken apart like this; whatever else it was to the order
    /// it is no longer.
    pub(super) fn take_lead(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        apart: Arc<Group>,
        phases: Phases,
        epoch: u32,
    ) -> After {
        self.known.is_described_by(apart);
        let phases = phases.common(self.known.open());
        if phases.is_empty() {
            // They were done in the meantime.
            return After::nothing();
        }
        self.known.note_all(cx, phases, Step::Leads { epoch });
        if self.user.take().is_some() {
            cx.cancel_timer(Timer::User(self.first()));
        }
        self.peer.only_monitors();
        self.bidder = None;
        let mut lead = Box::new(Lead::new(Ballot::new(epoch, cx.me()), phases, cx.now()));
        let after = lead.solicit(&mut self.assigned(craft), cx);
        self.lead = Some(lead);
        after
    }

    /// The tasks that this node leads.
    pub(super) fn led(&self) -> Phases {
        self.lead.as_ref().map_or(Phases::NONE, |lead| lead.all())
    }

    /// Goes on with a lead, as far as there is something left to lead.
    pub(super) fn lead_on(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        mut lead: Box<Lead>,
        auction: Auction,
    ) -> After {
        if auction == Auction::Open {
            self.lead = Some(lead);
            return After::nothing();
        }
        let phases = lead.phases;
        if lead.later.is_empty() {
            return self.lead_without(craft, cx, lead, phases);
        }
        let mut after = self.watch_besides(craft, cx, lead.all(), phases);
        lead.turn_to_next(self.group());
        lead.since = cx.now();
        after |= lead.next_attempt(&mut self.assigned(craft), cx);
        self.lead = Some(lead);
        after
    }

    /// Leads these tasks no longer; "the finished LEAD becomes a PEER".
    pub(super) fn lead_without(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        mut lead: Box<Lead>,
        phases: Phases,
    ) -> After {
        let were = lead.phases.common(phases);
        let mut after = After::nothing();
        match lead.is_rid_of(self.group(), phases) {
            Left::Nothing => {
                cx.cancel_timer(Timer::Lead(self.first()));
                cx.cancel_timer(Timer::LeadStatus(self.first()));
            }
            Left::Others => {
                after |= lead.next_attempt(&mut self.assigned(craft), cx);
                self.lead = Some(lead);
            }
            Left::Same => self.lead = Some(lead),
        }
        after |= self.watch(craft, cx, were.common(self.known.open()));
        after
    }

    /// Another node leads these tasks of the order. A group that is tied together has one LEAD, or two would plan for times that
    /// do not go together: of two the lower leads nothing any more, and the higher the tasks of both.
    pub(super) fn has_one_lead(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        phases: Phases,
    ) -> After {
        if !craft.config.fixes.in_turn || !self.group().is_tied() {
            return After::nothing();
        }
        let Some(lead) = self.lead.take_if(|lead| lead.ballot.by() != ballot.by()) else { return After::nothing() };
        let others = phases.common(self.known.open());
        if lead.ballot < ballot {
            self.known.note_all(cx, lead.all(), Step::Yielded { to: ballot });
            let all = lead.all();
            return self.lead_without(craft, cx, lead, all);
        }
        self.lead_besides(craft, cx, lead, others)
    }

    /// Leads these tasks besides what it leads; what is auctioned is auctioned anew with them.
    fn lead_besides(&mut self, craft: &mut Craft, cx: &mut Context<'_>, mut lead: Box<Lead>, phases: Phases) -> After {
        let more = phases.without(lead.all());
        let mut after = After::nothing();
        if !more.is_empty() {
            lead.takes_on(more);
            after |= lead.next_attempt(&mut self.assigned(craft), cx);
        }
        self.lead = Some(lead);
        after
    }

    pub(super) fn on_accept(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        ballot: Ballot,
        index: u8,
    ) -> After {
        if let Some(mut lead) = self.lead.take_if(|lead| lead.ballot == ballot) {
            if let Some((mut after, auction)) = lead.on_accept(&mut self.assigned(craft), cx, from, index) {
                after |= self.lead_on(craft, cx, lead, auction);
                return after;
            }
            self.lead = Some(lead);
        }
        // The acknowledgement of an earlier Accept was lost.
        let slot = self.known.slot(usize::from(index));
        if self.known.committed() == Some(ballot) && slot.is_held_by(from, ballot) && slot.done.is_none() {
            let about = self.known.about(craft);
            craft.say(cx, Recipient::Only(from), Message::AcceptAck { about, ballot, index });
        }
        After::nothing()
    }

    /// A vehicle refuses a task of a plan: the LEAD makes another at once. If the plan was agreed on by all others
    /// meanwhile, the task is auctioned anew.
    pub(super) fn on_refuse(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        (ballot, index): (Ballot, u8),
        tender: Tender,
    ) -> After {
        let index = usize::from(index);
        if let Some(mut lead) = self.lead.take_if(|lead| lead.ballot == ballot && lead.plans(index, from)) {
            let (mut after, auction) = lead.on_refuse(&mut self.assigned(craft), cx, from, index, tender);
            after |= self.lead_on(craft, cx, lead, auction);
            return after;
        }
        let slot = self.known.slot(index);
        if self.known.committed() == Some(ballot) && slot.is_held_by(from, ballot) && slot.done.is_none() {
            self.known.note(cx, index, Step::Refused { robot: from });
            return self.auction_anew(craft, cx, index);
        }
        After::nothing()
    }

    /// Tells the vehicle's queue what this node has agreed to of the order and is not committed to yet.
    pub(super) fn book(&self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        let (group, queue, me) = (self.group(), &craft.queue, cx.me());
        let accepted = self.bidder.iter().flat_map(|bidder| bidder.accepted().iter().map(|won| (bidder.ballot, *won)));
        // As drawn, what a LEAD gives itself is in its queue at once.
        let lead = self.lead.as_ref().filter(|_| craft.config.fixes.atomic);
        let own = lead.into_iter().flat_map(|lead| lead.own(me).map(|won| (lead.ballot, won)));
        let pledged = accepted.chain(own).map(|(ballot, won)| queue.booking(group, ballot, won));
        let pledged: Vec<Held> = pledged.collect();
        if group.strict && craft.config.fixes.in_turn {
            // Another LEAD may have planned its first task for sooner than this vehicle was told.
            let flown = |slot: &Slot| match slot.done {
                Some(deed) => Some(deed.at),
                None => slot.holder.map(|holder| holder.at).filter(|at| *at >= cx.now()),
            };
            if let Some(at) = self.slots().iter().filter_map(flown).min() {
                craft.queue.begins_no_later(group, at);
            }
        }
        let after = craft.queue.has_pledged(cx, group, pledged);
        let held = self.slots().iter().filter(|slot| slot.done.is_none()).filter_map(|slot| slot.holder);
        match held.map(|holder| holder.at).max() {
            Some(last) => _ = craft.bookings.insert(self.first(), last),
            None => _ = craft.bookings.remove(&self.first()),
        }
        after
    }

    /// Gives back what this node has agreed to and is not committed to yet. `None` if it is no such task.
    fn withdraw(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> Option<After> {
        let me = cx.me();
        if let Some(bidder) = self.bidder.take_if(|bidder| bidder.won(index as u8).is_some()) {
            cx.cancel_timer(Timer::Bidder(self.first()));
            // All that it has accepted of that plan: another is made at once.
            if let Some(won) = bidder.won(index as u8) {
                say_refuse(Desk { known: &self.known, craft }, cx, bidder.ballot, won);
            }
            return Some(After::nothing());
        }
        let mut lead = self.lead.take_if(|lead| lead.plans(index, me))?;
        let nothing = Tender { costs: Vec::new(), turnaround: None };
        let (mut after, auction) = lead.on_refuse(&mut self.assigned(craft), cx, me, index, nothing);
        after |= self.lead_on(craft, cx, lead, auction);
        Some(after)
    }

    /// Gives back what this node has agreed to together with task `index`, unless it has by now.
    pub(super) fn give_back_plan(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        self.withdraw(craft, cx, index).unwrap_or_else(After::nothing)
    }

    /// "Queue Task": only now is it this node's to do. A winner whose Accept was lost must not have begun (W11).
    pub(super) fn on_accept_ack(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        index: u8,
    ) -> After {
        let bidder = self.bidder.as_ref().filter(|bidder| bidder.ballot == ballot);
        let Some(won) = bidder.and_then(|bidder| bidder.won(index)) else {
            self.refuse_again(craft, cx, ballot, usize::from(index));
            return After::nothing();
        };
        if self.bidder.take_if(|bidder| bidder.is_acknowledged(index)).is_some() {
            cx.cancel_timer(Timer::Bidder(self.first()));
        }
        // Another may have done it while the acknowledgement was under way.
        if self.is_over(usize::from(index)) {
            return After::nothing();
        }
        self.assigned(craft).hold(cx, ballot, won)
    }

    /// A LEAD believes that this node has accepted a task which it has given back: the refusal was lost.
    fn refuse_again(&self, craft: &Craft, cx: &mut Context<'_>, ballot: Ballot, index: usize) {
        let (me, slot) = (cx.me(), self.known.slot(index));
        let given = slot.holder.filter(|_| slot.is_held_by(me, ballot) && slot.done.is_none());
        let holds = craft.queue.holds(self.known.task(index)).is_some();
        if let Some(holder) = given.filter(|_| craft.config.fixes.atomic && !holds) {
            // The auction is over: what its tasks would cost this vehicle now is of no interest.
            let won = Won { index: index as u8, holder, t0: cx.now(), plan: Phases::NONE };
            say_refuse(Desk { known: &self.known, craft }, cx, ballot, won);
        }
    }

    /// This node cannot do a task after all: somebody else has to, so this node leads it, unless another does already.
    pub(super) fn hand_back(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        if let Some(after) = self.withdraw(craft, cx, index) {
            return after;
        }
        let (mut after, is_open) = self.gives_up(craft, cx, index);
        if is_open {
            after |= self.auction_anew(craft, cx, index);
        }
        after
    }

    /// This node no longer holds a task. Whether somebody else has to see to it.
    fn gives_up(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> (After, bool) {
        let mut after = craft.queue.let_go(cx, self.known.task(index));
        let is_open = !self.is_over(index) && !self.led().has(index);
        if is_open {
            after |= self.assigned(craft).give_back(cx, index);
            self.known.note(cx, index, Step::HandedBack);
        }
        (after, is_open)
    }

    /// This node has hung until after it was to have done a task. What it knows of the order is as old: it asks who has the task, as after
    /// a restart, and leads nothing of which it does not know whether others fly it.
    pub(super) fn wakes_without(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let (mut after, is_open) = self.gives_up(craft, cx, index);
        if is_open {
            after |= self.watch(craft, cx, Phases::only(index));
            self.disown(craft, cx, Phases::only(index));
        }
        after
    }

    /// Nobody has the task any more that had it: this node leads it, and whatever else of the group was its own and is not any
    /// more.
    pub(super) fn auction_anew(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let mut after = After::nothing();
        let (me, one) = (cx.me(), Phases::only(index));
        let epoch = self.known.epoch().max(self.known.slot(index).ballot.epoch) + 1;
        let is_lost = |other: usize| {
            let own = self.known.slot(other).holder.is_some_and(|holder| holder.robot == me);
            let accepted = self.bidder.as_ref().is_some_and(|bidder| bidder.won(other as u8).is_some());
            own && !accepted && craft.queue.holds(self.known.task(other)).is_none()
        };
        let own = self.known.those(self.known.open(), |other| craft.config.fixes.atomic && is_lost(other));
        let lost = one.with(own);
        match (self.known.apart(&craft.config), self.lead.take_if(|_| craft.config.fixes.atomic)) {
            (_, Some(lead)) => after |= self.lead_besides(craft, cx, lead, lost),
            (Some(apart), None) if self.lead.is_none() => after |= self.take_lead(craft, cx, apart, lost, epoch),
            (_, None) => after |= self.watch(craft, cx, one),
        }
        after
    }

    /// A vehicle of this node's group is gone: this node leads what was its to do.
    pub(super) fn mend(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> After {
        let epoch = self.known.epoch() + 1;
        let mut after = After::nothing();
        match (self.known.apart(&craft.config), self.lead.take()) {
            (_, Some(lead)) => after |= self.lead_besides(craft, cx, lead, phases),
            (Some(apart), None) if !phases.is_empty() => after |= self.take_lead(craft, cx, apart, phases, epoch),
            (_, None) => {}
        }
        self.watch_on(craft, cx);
        after
    }

    /// Becomes a PEER of these tasks.
    pub(super) fn watch(&mut self, craft: &Craft, cx: &mut Context<'_>, phases: Phases) -> After {
        self.watch_besides(craft, cx, self.led(), phases)
    }

    /// The same while it leads the tasks `led`.
    fn watch_besides(&mut self, craft: &Craft, cx: &mut Context<'_>, led: Phases, phases: Phases) -> After {
        // As drawn, PEERs are vehicles; with F1 a console is one, too: it may be the last to know of a task.
        if craft.vehicle.console && !craft.config.fixes.aware {
            return self.forget_if_idle(craft, cx);
        }
        self.peer.watch(&mut Watch { known: &mut self.known, craft, led }, cx, phases);
        After::nothing()
    }

    /// Sets the time at which something will not have been heard of for too long.
    pub(super) fn watch_on(&mut self, craft: &Craft, cx: &mut Context<'_>) {
        let led = self.led();
        self.peer.watch_on(&Watch { known: &mut self.known, craft, led }, cx);
    }

    /// Somebody sees to task `index`.
    pub(super) fn reassured(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize) {
        let led = self.led();
        self.peer.reassured(&Watch { known: &mut self.known, craft, led }, cx, index);
    }

    /// An election is over: leads what it has to lead, or waits for the one that does.
    pub(super) fn on_elected(&mut self, craft: &mut Craft, cx: &mut Context<'_>, election: &Election) -> After {
        let mine = election.conclude(Desk { known: &self.known, craft }, cx);
        let may_lead = !mine.is_empty() && self.lead.is_none();
        let mut after = After::nothing();
        match self.known.apart(&craft.config).filter(|_| may_lead) {
            Some(apart) => {
                let epoch = election.epoch.max(self.known.epoch());
                after |= self.take_lead(craft, cx, apart, mine, epoch);
            }
            None => {
                let led = self.led();
                self.peer.stand_back(&mut Watch { known: &mut self.known, craft, led }, cx, election.phases);
            }
        }
        self.watch_on(craft, cx);
        after
    }
}
