//! "No good bids": what a LEAD gives up then, and how long it waits before it asks again.

use super::{Auction, Lead, LeadStage};
use crate::tasking::after::After;
use crate::tasking::craft::MOST_PATIENCE;
use crate::tasking::holder::Assigned;
use crate::tasking::{Context, Hitch, Step, Timer};
use crate::time::{Duration, Time};

/// After so many attempts in vain a LEAD waits for twice as long.
const BACK_OFF: u32 = 16;

/// And no longer than this: half a minute for the paper's 2 s.
const MOST_DOUBLINGS: u32 = 4;

/// What a LEAD gives up when nobody can do a group as it should be done, step by step: unless its template is strict,
/// it is better done late or uncoupled than not at all.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leeway {
    /// Nothing: times and headings of the group's other tasks are kept.
    None,
    /// The others' times: the whole group is auctioned anew (W13).
    Others,
    /// Couplings to tasks that are done already.
    Done,
    /// Every coupling but the order: one task after the other.
    OneByOne,
}

impl Lead {
    /// "No good bids": gives up what can be given up, or waits to retry.
    pub(super) fn on_no_good_bids(
        &mut self,
        at: &mut Assigned<'_>,
        cx: &mut Context<'_>,
        bids: u32,
        why: Hitch,
    ) -> (After, Auction) {
        let done = at.known.slots().iter().any(|slot| slot.done.is_some());
        if let Some(from) = self.after_others(at, cx, done) {
            let relaxed = self.leeway;
            at.known.note_all(cx, self.phases, Step::NoGoodBids { bids, relaxed, why, put_off: Some(from) });
            self.put_off = from;
            return (self.next_attempt(at, cx), Auction::Open);
        }
        self.in_vain += 1;
        if self.leeway < Leeway::Done && self.renew(at, cx, true) {
            return (self.next_attempt(at, cx), Auction::Open);
        }
        let config = &at.craft.config;
        let (open, group) = (at.known.open(), at.known.group());
        let atomic = config.fixes.atomic;
        let apart = atomic && !group.strict && !group.couplings.is_empty();
        // What nobody can do at any time that is bid for is not done at other times of the others either, which are held to theirs.
        let bid = |member: usize| self.bids.values().any(|offer| offer.costs.get(member).is_some_and(Option::is_some));
        let nobody = apart && !(0..self.phases.len()).all(bid);
        let relaxed = match self.leeway {
            Leeway::None if atomic && self.phases != open && !nobody => Leeway::Others,
            Leeway::None | Leeway::Others if apart && done => Leeway::Done,
            leeway if apart && self.in_vain > config.in_vain => leeway.max(Leeway::OneByOne),
            leeway => leeway,
        };
        let before = std::mem::replace(&mut self.leeway, relaxed);
        at.known.note_all(cx, self.phases, Step::NoGoodBids { bids, relaxed, why, put_off: None });
        match relaxed {
            _ if relaxed == before => {}
            Leeway::None => {}
            Leeway::Others => {
                self.phases = open;
                return (self.next_attempt(at, cx), Auction::Open);
            }
            Leeway::Done => return self.evaluate(at, cx),
            Leeway::OneByOne => {
                self.later = self.all();
                self.put_off = Time::ZERO;
                self.turn_to_next(at.known.group());
                return (self.next_attempt(at, cx), Auction::Open);
            }
        }
        self.stage = LeadStage::Retrying;
        // Attempts are counted across LEADs: what nobody could do so often is asked for less and less often.
        let doublings = if atomic { (self.ballot.epoch / BACK_OFF).min(MOST_DOUBLINGS) } else { 0 };
        let wait = Duration::from_micros(config.retry.as_micros() << doublings);
        at.craft.wait(cx, Timer::Lead(at.known.first()), wait);
        (After::nothing(), Auction::Open)
    }

    /// From when on a coupled group is auctioned anew before anything of it is given up: vehicles are busy with other orders
    /// until after the times that were bid for began, and it is that which may be in its way. A tenth of that wait later each
    /// time, and at least a thirtieth of the horizon: those who are free sooner need not wait for the last, and a team that is
    /// busy for long is not asked without end.
    fn after_others(&self, at: &Assigned<'_>, cx: &Context<'_>, done: bool) -> Option<Time> {
        let (config, group) = (&at.craft.config, at.known.group());
        let apart = config.fixes.atomic && !group.strict && !group.couplings.is_empty();
        let whole = self.phases == at.known.open() && !done && self.leeway < Leeway::Done;
        let busy = at.craft.busy_until(at.known.first()).filter(|_| apart && whole)?;
        let (wait, horizon) = (busy.since(self.t0).as_micros(), config.grid.horizon().as_micros());
        let from = (self.t0 + Duration::from_micros((wait / 10).max(horizon / 30))).min(busy);
        // Nobody takes on what begins later than this, nor what is of no use by then.
        let latest = (cx.now() + MOST_PATIENCE).min(group.brief.expires.unwrap_or(Time::NEVER));
        (self.t0 < from && from < latest).then_some(from)
    }
}
