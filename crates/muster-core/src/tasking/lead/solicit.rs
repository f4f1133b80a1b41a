//! A LEAD asks for bids: on what, until when, and takes them in.

use super::{Lead, LeadStage, Leeway, Offer};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::tasking::after::After;
use crate::tasking::cost::Surface;
use crate::tasking::craft::MOST_PATIENCE;
use crate::tasking::desk::Desk;
use crate::tasking::group::{Member, Phases};
use crate::tasking::holder::Assigned;
use crate::tasking::known::Known;
use crate::tasking::message::Tender;
use crate::tasking::{Context, Message, Step, Timer};
use crate::time::{Duration, Time};

impl Lead {
    /// Asks for bids on what it leads.
    pub(in crate::tasking) fn solicit(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>) -> After {
        let config = at.craft.config.clone();
        self.stage = LeadStage::Bidding;
        self.bids.clear();
        self.deleted.clear();
        self.plans = 0;
        self.refusals = 0;
        self.closes = cx.now() + at.craft.time_out(config.bid);
        self.t0 = self.closes + at.craft.time_out(config.acceptance()) + at.craft.settling();
        self.t0 = self.t0.max(self.put_off);
        self.keep_step(at);
        at.known.has_come_to(self.ballot.epoch);
        if self.leeway < Leeway::OneByOne && self.renew(at, cx, false) {
            // What is to be done again shortly before something that is held for later than that is not bid for earlier.
            let since = self.phases.iter().filter_map(|index| at.known.group().members.get(index)).map(|it| it.since);
            let since = since.min().filter(|since| *since > self.t0 + config.grid.horizon());
            self.t0 = since.map_or(self.t0, |since| since.min(cx.now() + MOST_PATIENCE)).max(self.t0);
            self.keep_step(at);
        }
        if config.fixes.in_turn && self.leeway < Leeway::OneByOne {
            self.phases = self.entangled(at.known, self.t0 + config.grid.horizon());
        }
        let mut after = After::remember();
        for index in self.all().iter() {
            at.known.is_auctioned(index, self.ballot, cx.now());
            after |= at.craft.queue.let_go(cx, at.known.task(index));
            after |= at.give_back(cx, index);
        }
        for (nth, index) in self.phases.iter().enumerate() {
            let (epoch, t0, grid, group) = (self.ballot.epoch, self.t0, config.grid, at.known.group());
            let solicited = |member: &Member| Step::Solicited { epoch, t0, grid, index: nth as u8, member: *member };
            if let Some(step) = group.members.get(index).map(solicited) {
                at.known.note(cx, index, step);
            }
        }
        self.say_solicitation(at.desk(), cx);
        cx.set_timer(Timer::Lead(at.known.first()), self.closes);
        if config.fixes.lead_speaks {
            cx.set_timer(Timer::LeadStatus(at.known.first()), cx.now() + config.status);
        }
        after
    }

    /// Bids are in step with what is assigned already, so that a window of one step always holds a sample.
    fn keep_step(&mut self, at: &Assigned<'_>) {
        let Some(before) = at.known.t0() else { return };
        let step = at.craft.config.grid.step.as_micros().max(1);
        let beyond = (self.t0.as_micros() % step + step - before.as_micros() % step) % step;
        self.t0 += Duration::from_micros((step - beyond) % step);
    }

    /// What was done and has grown old, or will have before anything that comes after it can be flown, is to be done again: it
    /// is auctioned with what it leads. `all`: whatever may be done again, since there is no plan that goes with it.
    pub(super) fn renew(&mut self, at: &mut Assigned<'_>, cx: &mut Context<'_>, all: bool) -> bool {
        let (renewable, fresh) = at.known.renewable(&at.craft.config);
        let mut any = false;
        for index in renewable.iter() {
            let Some(deed) = at.known.slot(index).done else { continue };
            let old = deed.at + fresh;
            let flown = |other: usize| (other == index).then_some(deed.at);
            let late = |other: usize| at.known.group().window(other, flown).1 < self.t0.as_micros() as i64;
            if !all && old > self.t0 && !at.known.group().after(index).iter().any(late) {
                continue;
            }
            // It may not be done again before it is old, nor so early that it is old again when what comes after it is flown:
            // that is held to its time, unless no plan goes with it.
            let held = |other: usize| at.known.slot(other).holder.filter(|_| !all && !self.covers(other));
            let next = at.known.group().after(index).iter().filter_map(held).map(|holder| holder.at).min();
            let needed = next.map_or(Time::ZERO, |next| Time::ZERO + next.since(Time::ZERO + fresh));
            let group = at.known.group().renewed(index, old.max(cx.now()).max(needed));
            at.known.is_described_by(group);
            at.craft.tidings.forgets(at.known);
            at.known.note(cx, index, Step::Renewed);
            self.phases = self.phases.with(Phases::only(index));
            any = true;
        }
        any
    }

    /// What is to be auctioned together: what it leads, and every task of the group that is not done and that nobody has, or
    /// that is held to a time which no plan from these bids can go with. `last`: the last time that is bid for.
    fn entangled(&self, known: &Known, last: Time) -> Phases {
        let group = known.group();
        let mut phases = self.phases;
        loop {
            let held = |index: usize| (!phases.has(index)).then(|| known.slot(index).holder.map(|it| it.at)).flatten();
            let fits = |index: usize| {
                let (least, most) = group.window(index, held);
                least <= last.as_micros() as i64 && self.t0.as_micros() as i64 <= most && least <= most
            };
            let misfit = |index: usize| {
                // Of those that are held, it is the coupled ones that are in the way.
                let alone = |other: usize| (other == index).then(|| held(index)).flatten();
                let (from, until) = (self.t0.as_micros() as i64, last.as_micros() as i64);
                let clashes = |other: usize| {
                    let (least, most) = group.window(other, alone);
                    least > until || most < from
                };
                held(index).is_none() || phases.iter().any(clashes)
            };
            let others = known.open().without(phases);
            let more = known.those(others, misfit);
            if !more.is_empty() {
                phases = phases.with(more);
            } else if (phases.iter().all(fits) && known.is_consistent(others)) || others.is_empty() {
                return phases;
            } else {
                phases = known.open();
            }
        }
    }

    fn say_solicitation(&self, desk: Desk<'_>, cx: &mut Context<'_>) {
        let about = desk.known.about_whole();
        let Self { ballot, phases, t0, closes, .. } = *self;
        desk.say(cx, Recipient::All, Message::Solicitation { about, ballot, phases, t0, closes });
    }

    pub(in crate::tasking) fn say_status(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>) {
        let about = at.known.about_whole();
        let number = at.craft.next_number(cx.now());
        let status = Message::LeadStatus { about, ballot: self.ballot, phases: self.all(), number };
        at.craft.say(cx, Recipient::All, status);
    }

    /// F2. While bids are missing the report is the solicitation itself.
    pub(in crate::tasking) fn on_status_timer(&self, at: &mut Assigned<'_>, cx: &mut Context<'_>) {
        let others = at.craft.link.others().min(at.craft.config.team as usize);
        if self.stage == LeadStage::Bidding && self.bids.len() < others && self.closes > cx.now() {
            self.say_solicitation(at.desk(), cx);
        } else {
            self.say_status(at, cx);
        }
        at.craft.wait(cx, Timer::LeadStatus(at.known.first()), at.craft.config.status);
    }

    /// A bid in this attempt.
    pub(in crate::tasking) fn on_bid(&mut self, desk: Desk<'_>, cx: &mut Context<'_>, from: RobotId, tender: Tender) {
        if self.stage == LeadStage::Bidding {
            let offer = Offer::new(tender, &desk.craft.config.grid);
            if !self.bids.contains_key(&from) {
                for (index, cost) in self.phases.iter().zip(&offer.costs) {
                    desk.known.note_with(cx, index, || {
                        let least = cost.as_ref().and_then(Surface::least);
                        Step::BidHeard { from, least, surface: cost.clone() }
                    });
                }
            }
            self.bids.insert(from, offer);
        }
        let about = desk.known.about(desk.craft);
        desk.say(cx, Recipient::Only(from), Message::BidAck { about, ballot: self.ballot });
    }
}
