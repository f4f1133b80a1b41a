//! What is over: done, called off or expired. Whoever knows remembers it, and sets right whoever speaks of it as if it
//! were not. [specification: F4, F5, W16]

use super::craft::Craft;
use super::group::Phases;
use super::order::{OrderState, Slot, Standing};
use super::peer::Peer;
use super::{Context, Deed, Holder, Message, Step, Timer};
use crate::mechanism::Recipient;

impl OrderState {
    /// F5, F4: somebody speaks of what is over, or of an attempt that counts for less than one that is known.
    pub(super) fn set_right(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, standing: Standing) {
        let fixes = craft.config.fixes;
        match standing {
            Standing::Current | Standing::Vain => {}
            Standing::Over if fixes.done => self.answer(craft, cx, Phases::only(index)),
            Standing::Stale if craft.holds(self.group.task(index)).is_some() => self.reply(craft, cx),
            Standing::Stale if fixes.relays => self.answer(craft, cx, Phases::only(index)),
            Standing::Over | Standing::Stale => {}
        }
    }

    /// Answers when it is this node's turn, unless another has by then.
    pub(super) fn answer(&mut self, craft: &mut Craft, cx: &mut Context<'_>, phases: Phases) {
        if self.answers.is_empty() && !self.corrects {
            let wait = craft.up_to(cx, craft.config.spread);
            cx.set_timer(Timer::Answer(self.first()), cx.now() + wait);
        }
        self.answers = self.answers.with(phases);
    }

    /// Says that there is a newer version of the order, or that it was cancelled, when it is this node's turn.
    pub(super) fn correct(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if craft.config.fixes.done {
            self.answer(craft, cx, Phases::NONE);
            self.corrects = true;
        }
    }

    pub(super) fn on_answer_timer(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let answers = std::mem::take(&mut self.answers);
        if std::mem::take(&mut self.corrects) {
            let about = self.about(craft, true);
            let message = if self.cancelled { Message::Cancel { about } } else { Message::Task { about } };
            craft.say(cx, Recipient::All, message);
        }
        let deeds: Vec<Deed> =
            answers.iter().filter_map(|index| self.slots.get(index)).filter_map(|slot| slot.done).collect();
        if !deeds.is_empty() {
            craft.say(cx, Recipient::All, Message::Done { deeds });
        }
        for index in answers.iter().filter(|index| *index < self.slots.len() && !self.is_over(*index)) {
            let Slot { ballot, holder, heard, .. } = self.slots[index];
            let age = cx.now().since(heard);
            if age < craft.patience(self, index) {
                let about = self.about(craft, true);
                craft.say(cx, Recipient::All, Message::StatusRelay { about, index: index as u8, ballot, holder, age });
            }
        }
    }

    /// USER: it is no longer to be done (W16).
    pub(super) fn cancel(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        // As drawn there is no message for it: the USER can only stop asking.
        if !craft.config.fixes.done {
            return self.user_is_done(craft, cx);
        }
        if self.group.user != cx.me() || self.is_settled() {
            return;
        }
        self.call_off(craft, cx, Step::Cancelled);
        self.repeats = craft.config.done_times;
        self.say_again(craft, cx);
    }

    pub(super) fn on_expiry(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if !self.is_settled() {
            self.call_off(craft, cx, Step::Expired);
        }
    }

    /// None of it is to be done any more.
    pub(super) fn call_off(&mut self, craft: &mut Craft, cx: &mut Context<'_>, why: Step) {
        let open = self.open();
        self.note_all(cx, open, why);
        for index in open.iter() {
            craft.let_go(cx, self.group.task(index));
        }
        self.cancelled = true;
        self.settled(craft, cx);
    }

    /// Everything in it is over: this node has no role any more but to remember.
    pub(super) fn settled(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        let answering = !self.answers.is_empty() || self.corrects;
        let (user, lead, bidder) = (self.user.take(), self.lead.take(), self.bidder.take());
        let first = self.first();
        if user.is_some() {
            cx.cancel_timer(Timer::User(first));
        }
        if lead.is_some() {
            cx.cancel_timer(Timer::Lead(first));
            cx.cancel_timer(Timer::LeadStatus(first));
        }
        if bidder.is_some() {
            cx.cancel_timer(Timer::Bidder(first));
        }
        if self.candidate.take().is_some() {
            cx.cancel_timer(Timer::Candidate(first));
        }
        if answering && self.cancelled {
            self.answers = Phases::NONE;
        }
        self.peer = Peer::Monitoring;
        cx.cancel_timer(Timer::Peer(first));
        cx.cancel_timer(Timer::Expiry(first));
        cx.set_timer(Timer::Forget(first), cx.now() + craft.config.tombstone);
        craft.changed = true;
    }

    /// Says once more at once that it was cancelled, or what of it is done.
    pub(super) fn say_again(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        if self.repeats == 0 {
            return;
        }
        self.repeats -= 1;
        if self.cancelled {
            let about = self.about(craft, true);
            craft.say(cx, Recipient::All, Message::Cancel { about });
        }
        let mine = |deed: &Deed| deed.by == cx.me();
        let deeds: Vec<Deed> = self.slots.iter().filter_map(|slot| slot.done).filter(mine).collect();
        if !deeds.is_empty() {
            craft.say(cx, Recipient::All, Message::Done { deeds });
        }
        if self.repeats > 0 {
            let wait = craft.config.spread + craft.up_to(cx, craft.config.spread);
            cx.set_timer(Timer::Again(self.first()), cx.now() + wait);
        }
    }

    /// It was called off before this node ever heard of it.
    pub(super) fn met_called_off(&mut self, craft: &mut Craft, cx: &mut Context<'_>) {
        self.cancelled = true;
        self.settled(craft, cx);
    }

    /// It is done: by whom, as somebody says who knows.
    pub(super) fn on_deed(&mut self, craft: &mut Craft, cx: &mut Context<'_>, deed: Deed) {
        let index = usize::from(deed.index);
        if index >= self.slots.len() {
            return;
        }
        self.answers = self.answers.without(Phases::only(index));
        match self.slots[index].done {
            // The vehicles themselves notice that two of them have done it.
            Some(known) if known.by != deed.by => {
                let again = &self.slots[index].again;
                if again.len() < craft.config.team as usize && !again.contains(&deed.by) {
                    self.slots[index].again.push(deed.by);
                    self.note(cx, index, Step::Duplicate { one: known.by, other: deed.by });
                    // Whoever has heard of one of them only is to hear of both.
                    self.answer(craft, cx, Phases::only(index));
                }
            }
            Some(_) => {}
            None => {
                self.note(cx, index, Step::HeardDone { by: deed.by });
                craft.let_go(cx, self.group.task(index));
                self.is_done(craft, cx, index, deed);
            }
        }
    }

    /// Task `index` is done.
    pub(super) fn is_done(&mut self, craft: &mut Craft, cx: &mut Context<'_>, index: usize, deed: Deed) {
        let slot = &mut self.slots[index];
        slot.done = Some(deed);
        let planned = slot.holder.map_or(0, |holder| holder.heading);
        slot.holder = Some(Holder { robot: deed.by, at: deed.at, heading: planned });
        craft.changed = true;
        craft.knows(cx, deed);
        self.candidate = None;
        if self.lead.as_ref().is_some_and(|lead| lead.covers(index)) {
            self.lead_without(craft, cx, Phases::only(index));
        }
        self.reassured(craft, cx, index);
        if self.is_settled() {
            self.settled(craft, cx);
        }
    }
}
