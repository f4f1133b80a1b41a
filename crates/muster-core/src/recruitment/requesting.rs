//! The requester's side: calling, choosing, and handing the task over.

use std::sync::Arc;

use super::panel::Kind;
use super::step::{Awaited, Choice, Step};
use super::{
    Choosing, Context, Custom, Message, Messaging, Recruitment, Request, Responding, Timer, Undecided, dropped,
};
use crate::event::{Drop, Event};
use crate::mechanism::Recipient;
use crate::robot::{Point, RobotId};
use crate::task::{Action, Task, TaskId};
use crate::time::{Duration, Time};

/// What a robot asks of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requesting {
    /// What it needs help for, one at a time, in the order in which it came up.
    needs: Vec<Task>,
    stage: Stage,
    /// Calls made for the first need.
    attempt: u32,
    /// ACCEPTs to the current call.
    offers: Vec<Offer>,
    /// No call before this instant: a lease may still run.
    barred_until: Time,
    /// A lease may have been agreed for the first need, or for one that was withdrawn or forgotten, and may still run.
    agreed: bool,
    /// The number of the ARRIVAL that was agreed to last, to know a doubled one by.
    arrival: u32,
    /// When the lease that was agreed to last is surely over.
    held_until: Time,
    /// What is left of the work that this robot has done for another, last. Kept here since few robots of a large team have any.
    rest: Option<(Request, Duration)>,
}

/// An ACCEPT.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The robot that offers to come.
    pub from: RobotId,
    /// Its estimated time of arrival.
    pub eta: Duration,
}

/// How far the current call has come.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// There is nothing to call for.
    #[default]
    Quiet,
    /// Waits for a lease to be over. An ACKACK of the robot that AGREE went to still counts.
    Barred {
        /// Who that is.
        agreed_with: Option<RobotId>,
    },
    /// Has sent HELP and collects ACCEPTs.
    Collecting,
    /// There were none; waits before it calls again. A late ACCEPT still counts.
    Pausing,
    /// Has sent RESPONDER.
    AwaitingArrival {
        /// Who is to come.
        chosen: RobotId,
    },
    /// Has sent AGREE.
    AwaitingAckack {
        /// Who is here.
        chosen: RobotId,
    },
    /// Another robot works at the need, and will say when it is done or ask for another lease.
    Held {
        /// Who that is.
        by: RobotId,
    },
    /// Serves a robot with a lower number that waits, too; calls again when it is back. What bounds its service bounds this.
    Lent {
        /// Where it waited itself.
        home: Point,
    },
}

impl Requesting {
    /// Asks for nothing.
    pub fn is_quiet(&self) -> bool {
        self.needs.is_empty()
    }

    /// What it needs help for, the current need first.
    pub fn needs(&self) -> impl Iterator<Item = &Task> {
        self.needs.iter()
    }

    /// Calls made for the current need.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The ACCEPTs to the current call.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// How far the current call has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// It calls, and nobody has offered to come.
    fn waits_in_vain(&self) -> bool {
        matches!(self.stage, Stage::Collecting | Stage::Pausing) && self.offers.is_empty()
    }

    /// Where it waited before it left to serve another, and for what.
    pub(super) fn lent_from(&self) -> Option<(Point, TaskId)> {
        match (self.stage, self.needs.first()) {
            (Stage::Lent { home }, Some(task)) => Some((home, task.id)),
            _ => None,
        }
    }

    pub(super) fn bar(&mut self, until: Time) {
        self.barred_until = until;
        self.agreed = true;
    }

    pub(super) fn recall(&mut self, needs: Vec<Task>, agreed: bool) {
        self.needs = needs;
        self.agreed = agreed;
    }

    pub(super) fn to_remember(&self) -> (Vec<Task>, bool) {
        (self.needs.clone(), self.agreed)
    }
}

impl Recruitment {
    pub(super) fn on_need(&mut self, cx: &mut Context<'_>, task: Task) {
        let requesting = self.requesting_mut();
        if requesting.needs.iter().any(|need| need.id == task.id) {
            return;
        }
        requesting.needs.push(task);
        let first = requesting.needs.len() == 1;
        self.remember(cx);
        if first {
            cx.act(Action::Hold);
            self.next_need(cx);
        }
    }

    pub(super) fn on_need_gone(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let Some(requesting) = self.requesting.as_mut() else { return };
        let Some(index) = requesting.needs.iter().position(|need| need.id == task) else { return };
        requesting.needs.remove(index);
        cx.note(|| Event::Recruitment(Step::Withdrawn { task }));
        if index == 0 {
            self.drop_current(cx);
        } else {
            self.remember(cx);
        }
    }

    /// The current need is settled one way or another and already off the list.
    fn drop_current(&mut self, cx: &mut Context<'_>) {
        let now = cx.now();
        let requesting = self.requesting_mut();
        requesting.attempt = 0;
        if requesting.needs.is_empty() || !matches!(requesting.stage, Stage::Lent { .. }) {
            requesting.stage = Stage::Quiet;
        }
        // A bar outlives a need that was withdrawn: the same need may be named again, and after a loss of memory
        // nobody knows which need it is for.
        requesting.agreed &= now < requesting.barred_until;
        // Should the need come up again, its calls must not look like those that were just settled.
        self.incarnation = self.incarnation.wrapping_add(1);
        self.remember(cx);
        self.next_need(cx);
    }

    /// It has called in vain before, and `caller`, who waits as well, comes before it: of robots that wait for each
    /// other the one with the lowest number keeps its place. Whoever waits can thus be served by all that come after it,
    /// and the lowest of all that wait is served, then the next: what the others wait for becomes free in its turn.
    #[inline(never)]
    pub(super) fn waits_behind(&self, me: RobotId, caller: RobotId) -> bool {
        let called_before = |it: &Requesting| it.attempt > 1 || it.stage == Stage::Pausing;
        caller < me && self.requesting.as_deref().is_some_and(|it| it.waits_in_vain() && called_before(it))
    }

    /// What a robot that is chosen does about its own call: nobody has offered to come, so it is put off, and the robot
    /// is lent. False if somebody has: then it is needed where it stands.
    pub(super) fn puts_off_its_call(&mut self, cx: &mut Context<'_>) -> bool {
        let home = cx.body().place(cx.now());
        let Some(requesting) = self.requesting.as_deref_mut().filter(|it| it.waits_in_vain()) else { return false };
        requesting.stage = Stage::Lent { home };
        cx.cancel_timer(Timer::Requesting);
        true
    }

    /// Calls for the first need, or waits until it may, or falls silent.
    pub(super) fn next_need(&mut self, cx: &mut Context<'_>) {
        let (now, serves) = (cx.now(), !matches!(self.responding, Responding::Idle));
        let requesting = self.requesting_mut();
        requesting.offers.clear();
        match requesting.needs.first() {
            // One need was withdrawn while the robot serves another: it calls for the next when it is back.
            Some(_) if serves && matches!(requesting.stage, Stage::Lent { .. }) => {}
            None => {
                requesting.stage = Stage::Quiet;
                cx.cancel_timer(Timer::Requesting);
                self.resume_if_quiet(cx);
            }
            Some(task) if now < requesting.barred_until => {
                let (task, until) = (task.id, requesting.barred_until);
                let agreed_with = match requesting.stage {
                    Stage::AwaitingAckack { chosen } | Stage::Held { by: chosen } => Some(chosen),
                    Stage::Barred { agreed_with } => agreed_with,
                    _ => None,
                };
                requesting.stage = Stage::Barred { agreed_with };
                cx.note(|| Event::Recruitment(Step::Barred { task, until }));
                cx.set_timer(Timer::Requesting, until);
            }
            Some(_) => self.call(cx),
        }
    }

    fn call(&mut self, cx: &mut Context<'_>) {
        let collect = self.config.collect;
        let requesting = self.requesting_mut();
        let Some(&task) = requesting.needs.first() else { return };
        requesting.attempt += 1;
        requesting.stage = Stage::Collecting;
        let round = requesting.attempt;
        let request = self.request(cx.me(), task.id);
        // [Gage, Implementation] HELP carries "its location and a percept that a robot must have". The
        // requester stands at the task; the task's place stays right should it have to move meanwhile.
        let help = Message::Help { request, place: task.place, needs: task.needs };
        cx.note(|| Event::Recruitment(Step::Called { task: task.id, round, place: task.place }));
        match &self.config.messaging {
            Messaging::Broadcast => cx.broadcast(help),
            Messaging::Unicast(team) => {
                let me = cx.me();
                for &other in team.iter().filter(|&&other| other != me) {
                    cx.send(Recipient::Only(other), help.clone());
                }
            }
        }
        cx.set_timer(Timer::Requesting, cx.now() + collect);
    }

    fn request(&self, requester: RobotId, need: TaskId) -> Request {
        let attempt = self.requesting.as_ref().map_or(0, |requesting| requesting.attempt);
        Request { requester, incarnation: self.incarnation, need, attempt }
    }

    /// The current call, if `request` is it; notes why not, otherwise.
    fn current(
        &mut self,
        cx: &mut Context<'_>,
        from: RobotId,
        request: &Request,
        message: Kind,
    ) -> Option<&mut Requesting> {
        let me = cx.me();
        if request.requester != me {
            dropped(cx, from, message, Drop::Foreign);
            return None;
        }
        let need = self.requesting.as_ref().and_then(|requesting| requesting.needs.first()).map(|task| task.id);
        if need.is_none_or(|need| self.request(me, need) != *request) {
            dropped(cx, from, message, Drop::Late);
            return None;
        }
        self.requesting.as_deref_mut()
    }

    pub(super) fn on_accept(&mut self, cx: &mut Context<'_>, from: RobotId, request: Request, eta: Duration) {
        let longest = self.config.longest_eta;
        let Some(requesting) = self.current(cx, from, &request, Kind::Accept) else { return };
        if eta > longest {
            return dropped(cx, from, Kind::Accept, Drop::Absurd);
        }
        if !matches!(requesting.stage, Stage::Collecting | Stage::Pausing) {
            return dropped(cx, from, Kind::Accept, Drop::Late);
        }
        // Kept in the order of their numbers, in which they mostly come: a million offers cost no search each.
        let place = match requesting.offers.last() {
            Some(last) if last.from >= from => requesting.offers.binary_search_by_key(&from, |offer| offer.from),
            _ => Err(requesting.offers.len()),
        };
        let Err(place) = place else {
            return dropped(cx, from, Kind::Accept, Drop::Duplicate);
        };
        if requesting.offers.capacity() == 0 {
            // As many as a team of a dozen makes: a list that begins with four, as lists do, is moved twice.
            requesting.offers.reserve(16);
        }
        requesting.offers.insert(place, Offer { from, eta });
        let late = requesting.stage == Stage::Pausing;
        cx.note(|| {
            Event::Recruitment(Step::OfferHeard { with: from, task: request.need, round: request.attempt, eta })
        });
        if late {
            self.award(cx);
        }
    }

    fn award(&mut self, cx: &mut Context<'_>) {
        let slack = self.config.arrival_slack;
        let config = Arc::clone(&self.config);
        let requesting = self.requesting_mut();
        let least_eta = |offers: &[Offer]| offers.iter().min_by_key(|offer| (offer.eta, offer.from)).copied();
        let mut undecided = None;
        let best = match &config.choosing {
            Choosing::LeastEta => least_eta(&requesting.offers),
            Choosing::Uniform => requesting.offers.get(cx.choose(requesting.offers.len() as u32) as usize).copied(),
            Choosing::Custom(_) if requesting.offers.is_empty() => None,
            Choosing::Custom(Custom(policy)) => {
                let chosen = policy.chooses(&requesting.offers).and_then(|index| {
                    // An offer that nobody made is no choice.
                    requesting.offers.get(index).copied().ok_or(Undecided { line: 0 })
                });
                chosen.map_or_else(
                    |why| {
                        undecided = Some(why);
                        least_eta(&requesting.offers)
                    },
                    Some,
                )
            }
        };
        let (Some(Offer { from: chosen, eta }), Some(task)) = (best, requesting.needs.first()) else { return };
        let (task, offers) = (task.id, requesting.offers.len() as u32);
        let how = match config.choosing {
            Choosing::LeastEta => Choice::LeastEta,
            Choosing::Uniform => Choice::Uniform,
            Choosing::Custom(_) => Choice::Policy,
        };
        let threshold = config.shame.threshold;
        requesting.stage = Stage::AwaitingArrival { chosen };
        let request = self.request(cx.me(), task);
        if let Some(Undecided { line }) = undecided {
            cx.note(|| Event::Recruitment(Step::PolicyFailed { with: chosen, task, round: request.attempt, line }));
        }
        cx.note(|| {
            Event::Recruitment(Step::Awarded {
                with: chosen,
                task,
                round: request.attempt,
                eta,
                offers,
                how,
                threshold,
            })
        });
        let message = Message::Responder { request, chosen };
        match self.config.messaging {
            Messaging::Broadcast => cx.broadcast(message),
            Messaging::Unicast(_) => cx.send(Recipient::Only(chosen), message),
        }
        cx.set_timer(Timer::Requesting, cx.now() + eta + slack);
    }

    pub(super) fn on_arrival(
        &mut self,
        cx: &mut Context<'_>,
        from: RobotId,
        request: Request,
        number: u32,
        lease: Duration,
    ) {
        let (longest, timeout, renews) =
            (self.config.longest_lease, self.config.ackack_timeout, self.config.analysis.is_some());
        // The requester may shorten what is offered: it waits no longer lease out than it allows for.
        let lease = lease.min(longest);
        let surely_over = cx.now() + self.config.lease_surely_over(lease);
        let wait_out = self.config.wait_out_leases;
        let Some(requesting) = self.current(cx, from, &request, Kind::Arrival) else { return };
        let renewal = match requesting.stage {
            Stage::AwaitingArrival { chosen } if chosen == from => false,
            // Whoever is at work, whether its ACKACK was heard or not, asks for another lease under another number, and
            // again under that one if the AGREE was lost.
            Stage::AwaitingAckack { chosen } | Stage::Barred { agreed_with: Some(chosen) }
                if chosen == from && renews && number != requesting.arrival =>
            {
                true
            }
            Stage::Held { by } if by == from && renews => true,
            Stage::AwaitingAckack { chosen } | Stage::Held { by: chosen } if chosen == from => {
                return dropped(cx, from, Kind::Arrival, Drop::Duplicate);
            }
            Stage::AwaitingArrival { .. } | Stage::AwaitingAckack { .. } | Stage::Held { .. } => {
                return dropped(cx, from, Kind::Arrival, Drop::Foreign);
            }
            _ => return dropped(cx, from, Kind::Arrival, Drop::Late),
        };
        if lease == Duration::ZERO {
            return dropped(cx, from, Kind::Arrival, Drop::Absurd);
        }
        requesting.stage = if renewal { Stage::Held { by: from } } else { Stage::AwaitingAckack { chosen: from } };
        requesting.agreed = true;
        requesting.arrival = number;
        requesting.held_until = surely_over;
        if wait_out {
            // An earlier lease may end later, if this one is shorter.
            requesting.barred_until = requesting.barred_until.max(surely_over);
        }
        let until = if renewal { surely_over } else { cx.now() + timeout };
        // Kept before AGREE leaves: a restart in between must know that a lease may run.
        self.remember(cx);
        cx.note(|| Event::Recruitment(Step::Agreed { with: from, task: request.need, round: request.attempt, lease }));
        cx.send(Recipient::Only(from), Message::Agree { request, number, lease });
        cx.set_timer(Timer::Requesting, until);
    }

    pub(super) fn on_ackack(&mut self, cx: &mut Context<'_>, from: RobotId, request: Request) {
        let renews = self.config.analysis.is_some();
        let Some(requesting) = self.current(cx, from, &request, Kind::Ackack) else { return };
        match requesting.stage {
            Stage::AwaitingAckack { chosen } | Stage::Barred { agreed_with: Some(chosen) } => {
                if chosen != from {
                    return dropped(cx, from, Kind::Ackack, Drop::Foreign);
                }
            }
            _ => return dropped(cx, from, Kind::Ackack, Drop::Late),
        }
        if renews {
            // The work may outlast this lease: the need is served when it is done.
            let until = requesting.held_until;
            requesting.stage = Stage::Held { by: from };
            cx.note(|| {
                Event::Recruitment(Step::Held { with: from, task: request.need, round: request.attempt, until })
            });
            return cx.set_timer(Timer::Requesting, until.max(cx.now()));
        }
        self.is_served(cx, from, &request);
    }

    pub(super) fn on_done(&mut self, cx: &mut Context<'_>, from: RobotId, request: Request) {
        let renews = self.config.analysis.is_some();
        let Some(requesting) = self.current(cx, from, &request, Kind::Done) else { return };
        match requesting.stage {
            Stage::AwaitingAckack { chosen }
            | Stage::Barred { agreed_with: Some(chosen) }
            | Stage::Held { by: chosen }
                if renews =>
            {
                if chosen != from {
                    return dropped(cx, from, Kind::Done, Drop::Foreign);
                }
            }
            _ => return dropped(cx, from, Kind::Done, Drop::Late),
        }
        self.is_served(cx, from, &request);
    }

    /// What this robot has left to do for `request`, for which it has worked before: what was done need not be done again.
    pub(super) fn rest_of(&self, request: &Request) -> Option<Duration> {
        let (worked_for, left) = self.requesting.as_ref()?.rest?;
        worked_for.same_need(request).then_some(left)
    }

    pub(super) fn keep_rest(&mut self, request: Request, left: Duration) {
        self.requesting_mut().rest = Some((request, left));
    }

    /// The current need is in the hands of `with` for good.
    fn is_served(&mut self, cx: &mut Context<'_>, with: RobotId, request: &Request) {
        let requesting = self.requesting_mut();
        requesting.needs.remove(0);
        // What bars a call concerns the need that is now served.
        requesting.barred_until = Time::ZERO;
        cx.note(|| Event::Recruitment(Step::Served { with, task: request.need, round: request.attempt }));
        cx.act(Action::HandOver { task: request.need, to: with });
        self.drop_current(cx);
    }

    pub(super) fn on_requesting_timer(&mut self, cx: &mut Context<'_>) {
        let pause = self.config.pause;
        let Some(requesting) = self.requesting.as_deref_mut() else { return };
        let Some(task) = requesting.needs.first().map(|task| task.id) else { return };
        let round = requesting.attempt;
        let mut timed_out = |waiting_for| cx.note(|| Event::Recruitment(Step::TimedOut { task, round, waiting_for }));
        match requesting.stage {
            Stage::Quiet | Stage::Lent { .. } => {}
            Stage::Collecting if requesting.offers.is_empty() => {
                timed_out(Awaited::Accept);
                requesting.stage = Stage::Pausing;
                cx.set_timer(Timer::Requesting, cx.now() + pause);
            }
            Stage::Collecting => self.award(cx),
            Stage::Pausing | Stage::Barred { .. } => self.next_need(cx),
            Stage::AwaitingArrival { .. } => {
                timed_out(Awaited::Arrival);
                self.next_need(cx);
            }
            Stage::AwaitingAckack { .. } => {
                timed_out(Awaited::Ackack);
                self.next_need(cx);
            }
            Stage::Held { .. } => {
                timed_out(Awaited::Done);
                self.next_need(cx);
            }
        }
    }
}
