//! What is over: done, called off or expired. Every node that knows remembers it for a while, and sets right any node
//! that speaks of it as if it were not. [specification: F4, F5, W16]

use super::after::After;
use super::craft::Craft;
use super::desk::Desk;
use super::group::Phases;
use super::known::Standing;
use super::order::OrderState;
use super::step::Break;
use super::{Context, Deed, Step, Timer};
use crate::robot::RobotId;

impl OrderState {
    /// Which of these tasks, which are over, this node tells of when it is asked: F5, all of them; else those that it has
    /// done itself, "if the assigned vehicle does not respond to the challenge" [P §2] being what leads to an election.
    pub(super) fn tells_of(&self, craft: &Craft, me: RobotId, over: Phases) -> Phases {
        let own = |index: usize| self.known.slot(index).done.is_some_and(|deed| deed.by == me);
        match craft.config.fixes.done {
            true => over,
            false => self.known.those(over, own),
        }
    }

    /// F5, F4: somebody speaks of what is over, or of an attempt that counts for less than one that is known.
    pub(super) fn set_right(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, standing: Standing) {
        let fixes = craft.config.fixes;
        let holds = craft.queue.holds(self.known.task(index)).is_some();
        let told = self.tells_of(craft, cx.me(), Phases::only(index));
        let desk = Desk { known: &self.known, craft };
        match standing {
            Standing::Current { .. } | Standing::Vain => {}
            Standing::Over if !told.is_empty() => self.answers.answer(desk, cx, told),
            Standing::Stale if holds => self.reply(craft, cx),
            Standing::Stale if fixes.relays => self.answers.answer(desk, cx, Phases::only(index)),
            Standing::Over | Standing::Stale => {}
        }
    }

    /// USER: it is no longer to be done (W16).
    pub(super) fn cancel(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> After {
        // As drawn there is no message for it: the USER can only stop asking.
        if !craft.config.fixes.done {
            return self.user_is_done(craft, cx);
        }
        if self.group().user != cx.me() || self.is_settled() {
            return After::nothing();
        }
        let after = self.call_off(craft, cx, Step::Cancelled);
        self.answers.announce(Desk { known: &self.known, craft }, cx);
        after
    }

    /// None of it is to be done any more.
    pub(super) fn call_off(&mut self, craft: &mut Craft, cx: &mut Context<'_>, why: Step) -> After {
        let open = self.known.open();
        self.known.note_all(cx, open, why.clone());
        let mut after = After::nothing();
        for index in open.iter() {
            after |= craft.queue.let_go(cx, self.known.task(index));
        }
        match why {
            Step::BrokenOff { why: Break::Windows } => self.known.is_broken_off(),
            _ => self.known.is_called_off(),
        }
        after |= self.settled(craft, cx);
        after
    }

    /// What is left of it is not to be done any more if it cannot be. A node that could hear nothing lately does not know that.
    pub(super) fn end_if_broken(&mut self, craft: &mut Craft, cx: &mut Context<'_>) -> Option<After> {
        let why = self.known.broken(&craft.config, cx.now()).filter(|_| !craft.was_silent(cx.now()))?;
        Some(self.call_off(craft, cx, Step::BrokenOff { why }))
    }

    /// This node has heard of a deed: what it had broken off by itself goes on if there was no reason to.
    fn goes_on_if_whole(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        if !self.known.was_broken_off_wrongly(&craft.config, cx.now()) {
            return After::nothing();
        }
        self.known.goes_on(cx.now());
        cx.cancel_timer(Timer::Forget(self.first()));
        if let Some(expires) = self.group().brief.expires {
            cx.set_timer(Timer::Expiry(self.first()), expires);
        }
        let mut after = After::remember();
        after |= self.watch(craft, cx, self.known.open());
        after
    }

    /// It was called off; perhaps before this node ever heard of it.
    pub(super) fn met_called_off(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        self.known.is_called_off();
        self.settled(craft, cx)
    }

    /// Everything in it is over: this node has no role any more but to remember.
    pub(super) fn settled(&mut self, craft: &Craft, cx: &mut Context<'_>) -> After {
        let first = self.first();
        if self.user.take().is_some() {
            cx.cancel_timer(Timer::User(first));
        }
        if self.lead.take().is_some() {
            cx.cancel_timer(Timer::Lead(first));
            cx.cancel_timer(Timer::LeadStatus(first));
        }
        if self.bidder.take().is_some() {
            cx.cancel_timer(Timer::Bidder(first));
        }
        if self.candidate.take().is_some() {
            cx.cancel_timer(Timer::Candidate(first));
        }
        if self.is_cancelled() {
            self.answers.need_not_tell_of_tasks();
        }
        self.peer.only_monitors();
        cx.cancel_timer(Timer::Peer(first));
        cx.cancel_timer(Timer::Expiry(first));
        cx.set_timer(Timer::Forget(first), cx.now() + craft.config.tombstone);
        After::remember()
    }

    /// The body has passed over the target: it is done.
    pub(super) fn on_executed(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize) -> After {
        let task = self.known.task(index);
        let planned = craft.queue.holds(task).map_or(cx.now(), |held| held.at);
        let late = cx.now().as_micros() as i64 - planned.as_micros() as i64;
        let epoch = self.known.slot(index).ballot.epoch;
        self.known.note(cx, index, Step::Executed { epoch, late });
        let mut after = craft.queue.let_go(cx, task);
        let me = cx.me();
        let (first, version) = (self.first(), self.group().version);
        let deed = Deed { first, index: index as u8, version, by: me, at: cx.now() };
        if !craft.config.fixes.reports_success {
            // It has said so before, and nothing is kept.
            self.known.is_left_alone(index);
            after |= self.forget_if_idle(craft, cx);
            return after;
        }
        if let Some(known) = self.known.slot(index).done.filter(|known| known.by != me) {
            self.known.is_done_again(index, me);
            self.known.note(cx, index, Step::Duplicate { one: known.by, other: me });
        }
        if let Some(until) = self.awaited_until(craft, index) {
            craft.tidings.is_awaited(until);
        }
        if !craft.config.fixes.done {
            // Its reports go on, and note its success. The paper does not say for how long.
            craft.tidings.is_awaited(cx.now() + craft.config.repeat_done);
        }
        after |= self.is_done(craft, cx, index, deed);
        self.answers.announce(Desk { known: &self.known, craft }, cx);
        after
    }

    /// This node, or another, asks whether anybody sees to these tasks. Whoever flies those of them that are open waits for Done of
    /// what comes before, and may be a vehicle that has missed it: that is told of quickly again.
    pub(super) fn doubt(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        self.known.are_doubted(phases);
        let open = phases.common(self.known.open());
        let before = open.iter().fold(Phases::NONE, |all, index| all.with(self.group().before(index)));
        for deed in before.iter().filter_map(|index| self.known.slot(index).done) {
            craft.tells_quickly(cx, deed.by);
        }
    }

    /// Somebody who knows says that a task of it is done.
    pub(super) fn on_deed(&mut self, craft: &mut Craft, cx: &mut Context<'_>, deed: Deed) -> After {
        let index = usize::from(deed.index);
        // Deeds come by themselves, not with an order that says how many tasks there are.
        if index >= self.slots().len() {
            return After::nothing();
        }
        if !self.known.counts(index, deed) {
            // Whoever tells of it does not know yet that it has grown old.
            return After::nothing();
        }
        self.answers.need_not_tell_of(index);
        match self.known.slot(index).done {
            // The vehicles themselves notice that two of them have done it.
            Some(known) if known.by != deed.by => {
                let again = &self.known.slot(index).again;
                if again.len() < craft.config.team as usize && !again.contains(&deed.by) {
                    self.known.is_done_again(index, deed.by);
                    self.known.note(cx, index, Step::Duplicate { one: known.by, other: deed.by });
                    if craft.config.fixes.done {
                        // A node that has heard of one of the two deeds only is to hear of both.
                        self.answers.answer(Desk { known: &self.known, craft }, cx, Phases::only(index));
                    }
                }
                After::nothing()
            }
            Some(_) => After::nothing(),
            None => {
                self.known.note(cx, index, Step::HeardDone { by: deed.by });
                let mut after = craft.queue.let_go(cx, self.known.task(index));
                after |= self.is_done(craft, cx, index, deed);
                after |= self.goes_on_if_whole(craft, cx);
                after
            }
        }
    }

    /// Task `index` is done.
    fn is_done(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, deed: Deed) -> After {
        let mut after = After::remember();
        self.known.is_done(index, deed);
        craft.knows(cx, deed, self.known.was_doubted(index));
        self.candidate = None;
        if let Some(lead) = self.lead.take_if(|lead| lead.covers(index)) {
            after |= self.lead_without(craft, cx, lead, Phases::only(index));
        }
        self.reassured(craft, cx, index);
        if self.is_settled() {
            after |= self.settled(craft, cx);
        } else {
            after |= self.turns_come(craft, cx);
        }
        after
    }
}
