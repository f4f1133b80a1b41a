//! Messages that concern several roles of a node at once: first everybody yields to what counts more (`admission.rs`),
//! then the role that the message is for has its turn.

use super::after::After;
use super::bidder::{self, Bidder, Won};
use super::candidate::Candidate;
use super::craft::{Craft, MOST_PATIENCE};
use super::desk::{Desk, Watch};
use super::group::Phases;
use super::holder::{Assigned, release};
use super::known::Grant;
use super::order::OrderState;
use super::peer::is_informed;
use super::queue::Held;
use super::{Ballot, Context, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::{Duration, Time};

impl OrderState {
    /// A vehicle hears of a task: it claims the lead, or lets the USER know that somebody has it (W12).
    pub(super) fn on_task(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        if self.lead.is_some() {
            self.reply(craft, cx);
            return After::nothing();
        }
        let fixes = craft.config.fixes;
        let desk = Desk { known: &self.known, craft };
        let open = self.known.open();
        let told = self.tells_of(craft, cx.me(), self.known.all().without(open));
        if !told.is_empty() {
            self.answers.answer(desk, cx, told);
        }
        let seen_to = self.known.those(open, |index| is_informed(desk, cx.now(), index));
        if !seen_to.is_empty() {
            if fixes.relays {
                self.answers.answer(desk, cx, seen_to);
            }
            return After::nothing();
        }
        if open.is_empty() || craft.vehicle.console || self.known.apart(&craft.config).is_none() {
            return self.forget_if_idle(craft, cx);
        }
        self.candidate = Some(Candidate::new(desk, cx));
        After::nothing()
    }

    pub(super) fn on_ack_lead(&mut self, craft: &mut Craft, cx: &mut Context<'_>, lead: RobotId, epoch: u32) -> After {
        if lead == cx.me() {
            let wanted = self.candidate.take() == Some(Candidate::Claimed) || craft.config.fixes.aware;
            let newer = self.slots().iter().all(|slot| slot.ballot.epoch < epoch);
            if wanted
                && self.lead.is_none()
                && newer
                && let Some(apart) = self.known.apart(&craft.config)
            {
                cx.cancel_timer(Timer::Candidate(self.first()));
                return self.take_lead(craft, cx, apart, self.known.open(), epoch);
            }
            return After::nothing();
        }
        // Overheard: somebody else has it.
        if self.candidate.take().is_some() {
            cx.cancel_timer(Timer::Candidate(self.first()));
        }
        for index in self.known.open().iter() {
            if self.known.slot(index).ballot.epoch < epoch {
                self.known.waits_anew(index, cx.now());
            }
        }
        self.forget_if_idle(craft, cx)
    }

    pub(super) fn on_solicitation(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        phases: Phases,
        t0: Time,
        closes: Time,
    ) -> After {
        let phases = phases.common(self.known.all());
        if !self.group().is_decomposed() {
            // Nobody can say what tasks cost that are not described.
            return After::nothing();
        }
        let (mut after, mut current) = (After::nothing(), true);
        for index in phases.iter() {
            let (then, standing) = self.hear(craft, cx, index, (ballot, None), Duration::ZERO);
            after |= then;
            current &= standing.is_current();
        }
        if !current {
            return after;
        }
        after |= self.has_one_lead(craft, cx, ballot, phases);
        after |= self.user_is_done(craft, cx);
        let holds_one = phases.iter().any(|index| craft.queue.holds(self.known.task(index)).is_some());
        if craft.vehicle.console || holds_one || (self.lead.is_some() && !craft.config.fixes.ordered) {
            after |= self.forget_if_idle(craft, cx);
            return after;
        }
        let desk = Desk { known: &self.known, craft };
        match self.bidder.as_mut().filter(|bidder| bidder.ballot == ballot) {
            Some(bidder) => bidder.on_asked_again(desk, cx),
            None if closes <= cx.now() => {}
            None => self.bidder = Some(Box::new(Bidder::bid(desk, cx, ballot, phases, t0))),
        }
        after
    }

    pub(super) fn on_assignment(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        plan: &[(u8, Holder)],
        t0: Time,
        is_told: bool,
    ) -> After {
        if !self.group().is_decomposed() {
            // It cannot be meant for this node, which has not bid.
            return After::nothing();
        }
        let (mut after, mut current) = (After::nothing(), true);
        for (index, holder) in plan {
            let (then, standing) = self.hear(craft, cx, usize::from(*index), (ballot, Some(*holder)), Duration::ZERO);
            after |= then;
            current &= standing.is_current();
        }
        if !current {
            return after;
        }
        after |= self.user_is_done(craft, cx);
        self.known.counts_from(t0);
        let all = plan.iter().fold(Phases::NONE, |all, (index, _)| all.with(Phases::only(usize::from(*index))));
        let own = plan.iter().filter(|(_, holder)| holder.robot == cx.me());
        let mut own: Vec<Won> = own.map(|&(index, holder)| Won { index, holder, t0, plan: all }).collect();
        for (index, holder) in plan.iter().copied() {
            if holder.robot == cx.me() {
                // All of them together, or none.
                let own = std::mem::take(&mut own);
                if !own.is_empty() && self.is_to_answer(craft, cx, ballot, is_told) {
                    self.answered = Some((ballot, cx.now()));
                    after |= self.on_own_assignment(craft, cx, ballot, own);
                }
                continue;
            }
            // "Assignment not to us": PEER.
            let one = Phases::only(usize::from(index));
            after |= self.watch(craft, cx, one);
            if self.bidder.take_if(|bidder| bidder.phases == one).is_some() {
                cx.cancel_timer(Timer::Bidder(self.first()));
            }
        }
        after
    }

    /// Everybody hears what each winner is told, which is the whole plan: one answer to all of that is enough, unless the LEAD
    /// tells this node once more.
    fn is_to_answer(&self, craft: &Craft, cx: &Context<'_>, ballot: Ballot, is_told: bool) -> bool {
        let again = Duration::from_micros(craft.config.accept.as_micros() / 2);
        self.answered.is_none_or(|(before, at)| before != ballot || (is_told && cx.now().since(at) >= again))
    }

    /// This node has won tasks of one plan: it accepts, if it can still make all of them, and gives back what ranks below and
    /// does not go with them.
    fn on_own_assignment(&mut self, craft: &Craft, cx: &mut Context<'_>, ballot: Ballot, mut won: Vec<Won>) -> After {
        let (desk, group) = (Desk { known: &self.known, craft }, self.known.group());
        let task = |won: &Won| self.known.task(usize::from(won.index));
        won.retain(|won| {
            let holds = craft.queue.holds(task(won)).is_some_and(|held| held.ballot == ballot);
            if holds {
                // It has accepted and been acknowledged: the LEAD has missed it.
                bidder::say_accept(desk, cx, ballot, won.index);
            }
            !holds
        });
        let Some(first) = won.first().copied() else { return After::nothing() };
        if !craft.queue.can_make(cx, group, &won) {
            // As drawn there is no message for it: the LEAD finds out in time.
            if craft.config.fixes.atomic {
                bidder::say_refuse(desk, cx, ballot, first);
                self.bidder = None;
                cx.cancel_timer(Timer::Bidder(self.known.first()));
            }
            return After::nothing();
        }
        if self.bidder.as_mut().is_some_and(|bidder| bidder.accepts_again(desk, cx, ballot, &won)) {
            return After::nothing();
        }
        let agreed: Vec<Held> = won.iter().map(|won| craft.queue.booking(group, ballot, *won)).collect();
        let outranked = craft.queue.outranked(cx, group, &agreed);
        self.bidder = Some(Box::new(Bidder::accept(desk, cx, ballot, won)));
        After::withdrawn(outranked)
    }

    /// A vehicle that was granted a task has not used the grant, and says so, or another says so for it.
    pub(super) fn on_release(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize, back: Grant) -> After {
        self.answers.need_not_tell_of_grant(index, back.robot);
        if !self.known.at_most_once() || back.robot == cx.me() {
            return After::nothing();
        }
        self.known.is_returned(index, back);
        if !self.known.slot(index).granted.is_some_and(|given| back.undoes(&given)) {
            return After::nothing();
        }
        self.known.is_released(index);
        self.watch_on(craft, cx);
        After::remember()
    }

    /// Another vehicle wants these tasks: nodes that still believe that this one, or one that has gone silent since, has used
    /// their grants would give it none.
    fn give_back_again(&mut self, craft: &Craft, cx: &mut Context<'_>, from: RobotId, phases: Phases) {
        let desk = Desk { known: &self.known, craft };
        release(desk, cx, phases);
        let open = phases.common(self.known.open());
        // Who asks speaks for itself.
        for (index, slot) in open.iter().map(|index| (index, desk.known.slot(index))) {
            for back in slot.returned.iter().filter(|back| back.robot != from) {
                self.answers.answer_about_grant(desk, cx, index, back.robot);
            }
        }
    }

    /// Speaks up for what it holds or leads.
    pub(super) fn reply(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if !self.answers.may_reply(&craft.config, cx.now()) {
            return;
        }
        let speaks = craft.config.fixes.lead_speaks;
        let mut at = Assigned { known: &mut self.known, craft };
        for index in at.known.all().iter() {
            at.report(cx, index, None);
        }
        if let Some(lead) = self.lead.as_ref().filter(|_| speaks) {
            lead.say_status(&mut at, cx);
        }
    }

    /// What was said in vain while nothing got through is said now, and nobody is blamed for what was not heard.
    pub(super) fn on_link_again(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.is_settled() {
            return;
        }
        for index in self.known.all().iter() {
            self.known.is_excused(index, cx.now());
            self.assigned(craft).report(cx, index, None);
        }
        self.watch_on(craft, cx);
    }

    /// Another node asks about tasks, or votes on them: says what is known. Returns the tasks of which this node does
    /// not know better.
    fn enlighten(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> Phases {
        let fixes = craft.config.fixes;
        let phases = phases.common(self.known.all());
        let open = phases.common(self.known.open());
        let told = self.tells_of(craft, cx.me(), phases.without(open));
        if !told.is_empty() {
            self.answers.answer(Desk { known: &self.known, craft }, cx, told);
        }
        let held = self.known.those(open, |index| craft.queue.holds(self.known.task(index)).is_some());
        let led = self.led().common(open);
        if !held.is_empty() || !led.is_empty() {
            self.reply(craft, cx);
        }
        let desk = Desk { known: &self.known, craft };
        let others = open.without(held).without(led);
        let known = self.known.those(others, |index| is_informed(desk, cx.now(), index));
        if fixes.relays && !known.is_empty() {
            self.answers.answer(desk, cx, known);
        }
        let sealed = self.known.those(others, |index| self.known.is_sealed(index));
        others.without(known).without(sealed)
    }

    pub(super) fn on_challenge(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        phases: Phases,
        double: bool,
    ) -> After {
        self.doubt(craft, cx, phases);
        self.is_disowned(craft, from, phases);
        let mut after = After::nothing();
        if double && craft.config.fixes.rebids {
            after |= self.leave_to_rebid(craft, cx, phases);
        }
        let unknown = self.enlighten(craft, cx, phases);
        after |= self.watch(craft, cx, phases.common(self.known.open()));
        let led = self.led();
        self.peer.on_challenge(&mut Watch { known: &mut self.known, craft, led }, cx, unknown);
        after
    }

    /// A vehicle asks about tasks that it is believed to hold: it does not, or not any more, and nobody vouches for it.
    fn is_disowned(&mut self, craft: &Craft, from: RobotId, phases: Phases) {
        for index in phases.common(self.known.open()).iter().filter(|_| craft.config.fixes.relays) {
            if self.known.slot(index).holder.is_some_and(|holder| holder.robot == from) {
                self.known.is_disowned(index);
            }
        }
    }

    /// This vehicle is said to hold a task in an attempt of which it knows no better, and does not: it has restarted, or given up
    /// waiting for an acknowledgement. As long as others vouch for it, nobody sees to the task.
    fn is_taken_for_its_holder(
        &self,
        craft: &Craft,
        me: RobotId,
        index: usize,
        said: (Ballot, Option<Holder>),
    ) -> bool {
        let (ballot, holder) = said;
        let agreed = self.bidder.as_ref().is_some_and(|bidder| bidder.won(index as u8).is_some());
        craft.config.fixes.relays
            && holder.is_some_and(|holder| holder.robot == me)
            && ballot >= self.known.slot(index).ballot
            && !agreed
            && !self.is_over(index)
            && !self.led().has(index)
            && craft.queue.holds(self.known.task(index)).is_none()
    }

    /// This vehicle does not hold these tasks, whatever others believe: asks who does.
    pub(super) fn disown(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        let phases = phases.common(self.known.open());
        if phases.is_empty() || !self.answers.may_disown(&craft.config, cx.now()) {
            return;
        }
        for index in phases.iter() {
            self.known.is_disowned(index);
        }
        let led = self.led();
        self.peer.disown(&mut Watch { known: &mut self.known, craft, led }, cx, phases);
    }

    /// Another vehicle holds these tasks, too, and they "will be rebid to a single vehicle" [P §2.1]: this one gives them up,
    /// unless it has said that it is about to do them.
    fn leave_to_rebid(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> After {
        let mut after = After::nothing();
        for index in phases.common(self.known.open()).iter() {
            let task = self.known.task(index);
            if craft.queue.holds(task).is_some_and(|held| !held.announced) {
                self.known.note(cx, index, Step::HandedBack);
                after |= craft.queue.let_go(cx, task);
                self.known.is_excused(index, cx.now());
            }
        }
        after
    }

    pub(super) fn on_claim(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        phases: Phases,
        epoch: u32,
    ) -> After {
        self.doubt(craft, cx, phases);
        self.give_back_again(craft, cx, from, phases);
        let unknown = self.unknown(craft, cx, phases);
        if unknown.is_empty() {
            return After::nothing();
        }
        let led = self.led();
        self.peer.on_claim(&mut Watch { known: &mut self.known, craft, led }, cx, from, unknown, epoch)
    }

    pub(super) fn on_perceived_winner(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        from: RobotId,
        (phases, epoch, winner): (Phases, u32, RobotId),
    ) -> After {
        self.doubt(craft, cx, phases);
        let unknown = self.unknown(craft, cx, phases);
        if unknown.is_empty() {
            return After::nothing();
        }
        let led = self.led();
        let mut at = Watch { known: &mut self.known, craft, led };
        self.peer.on_perceived_winner(&mut at, cx, from, (unknown, epoch, winner))
    }

    /// The tasks that are voted on of which this node does not know better; as drawn it does not care.
    fn unknown(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) -> Phases {
        match craft.config.fixes.fair {
            true => self.enlighten(craft, cx, phases),
            false => phases.common(self.known.open()),
        }
    }

    pub(super) fn on_status(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        (ballot, index, holder): (Ballot, usize, Holder),
        patience: Duration,
        asks: Option<u32>,
    ) -> After {
        let (now, from) = (cx.now(), holder.robot);
        let ordered = craft.config.fixes.ordered;
        let slot = self.known.slot(index);
        let other = slot.holder.is_some_and(|known| known.robot != from);
        let other = other && is_informed(Desk { known: &self.known, craft }, now, index);
        let double = !ordered && slot.watched && other;
        if !ordered && craft.queue.holds(self.known.task(index)).is_some() {
            return After::nothing();
        }
        let (mut after, standing) = self.hear(craft, cx, index, (ballot, Some(holder)), Duration::ZERO);
        if !standing.is_current() {
            return after;
        }
        self.known.may_be_silent(index, patience.min(MOST_PATIENCE));
        self.known.is_confirmed(index, holder);
        after |= self.user_is_done(craft, cx);
        after |= self.watch(craft, cx, Phases::only(index));
        if double {
            let led = self.led();
            after |= self.peer.on_double_assignment(&mut Watch { known: &mut self.known, craft, led }, cx, index);
        }
        if asks.is_some() {
            self.give_back_again(craft, cx, from, Phases::only(index));
        }
        if let Some(life) = asks.filter(|_| self.known.at_most_once() && craft.may_grant(now)) {
            after |= self.on_asked(craft, cx, index, Grant { robot: from, life, ballot });
        }
        after
    }

    /// A vehicle asks to be granted a task that must not be done twice: one vehicle, in one life, is.
    fn on_asked(&mut self, craft: &Craft, cx: &mut Context<'_>, index: usize, wanted: Grant) -> After {
        let Grant { robot, life, ballot } = wanted;
        let slot = self.known.slot(index);
        let elsewhere = slot.granted.is_some_and(|grant| !grant.is_for(robot, life));
        // What it asked before it gave that back may come after.
        let returned = slot.returned.iter().any(|back| back.undoes(&wanted));
        if elsewhere || returned || slot.promised > ballot.epoch {
            return After::nothing();
        }
        let mut after = After::nothing();
        if slot.granted.is_none_or(|grant| grant.ballot < ballot) {
            self.known.is_granted(index, wanted);
            after |= After::remember();
        }
        let about = self.known.about(craft);
        craft.say(cx, Recipient::Only(robot), Message::Grant { about, ballot, life, index: index as u8 });
        after
    }

    pub(super) fn on_lead_status(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        ballot: Ballot,
        phases: Phases,
    ) -> After {
        let (mut after, mut current) = (After::nothing(), true);
        for index in phases.common(self.known.all()).iter() {
            let (then, standing) = self.hear(craft, cx, index, (ballot, None), Duration::ZERO);
            after |= then;
            current &= standing.is_current();
        }
        if current {
            after |= self.has_one_lead(craft, cx, ballot, phases);
        }
        after |= self.user_is_done(craft, cx);
        after
    }

    pub(super) fn on_relay(
        &mut self,
        craft: &mut Craft,
        cx: &mut Context<'_>,
        index: usize,
        said: (Ballot, Option<Holder>),
        age: Duration,
    ) -> After {
        if age >= craft.patience(&self.known, index) {
            return After::nothing();
        }
        if self.is_taken_for_its_holder(craft, cx.me(), index, said) {
            self.known.has_come_to(said.0.epoch);
            self.disown(craft, cx, Phases::only(index));
            return After::nothing();
        }
        // Who says so has missed that the vehicle itself says otherwise.
        let slot = self.known.slot(index);
        if slot.disowned && said.0 == slot.ballot {
            return After::nothing();
        }
        let (mut after, standing) = self.hear(craft, cx, index, said, age);
        if standing.is_current() {
            after |= self.user_is_done(craft, cx);
        }
        after
    }

    /// It is about to be done: as drawn it is forgotten, as written it is watched until its vehicle reports success.
    pub(super) fn on_completion(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let fixes = craft.config.fixes;
        if fixes.done || (fixes.reports_success && self.is_over(index)) {
            return After::nothing();
        }
        // Another vehicle that has it in its queue forgets it, too: as drawn all that saves a double assignment from
        // being flown.
        let mut after = craft.queue.let_go(cx, self.known.task(index));
        if fixes.reports_success {
            self.known.waits_anew(index, cx.now());
            after |= self.watch(craft, cx, Phases::only(index));
        } else {
            self.known.is_completed(index);
        }
        self.reassured(craft, cx, index);
        after |= self.user_is_done(craft, cx);
        after |= self.forget_if_idle(craft, cx);
        after
    }
}
