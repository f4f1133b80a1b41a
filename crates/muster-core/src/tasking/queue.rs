//! The tasks that a vehicle is to do: what they would cost, which of them it can make, where it sends its body, and
//! what it has used up. [MacKenzie §3, §4]

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::after::After;
use super::bidder::Won;
use super::config::{Config, Vehicle};
use super::corridor::Corridor;
use super::cost::{Outlook, Pending, Surface};
use super::craft::MOST_PATIENCE;
use super::group::{Group, Member, Phases};
use super::message::Quote;
use super::turnaround::Estimator;
use super::{Ballot, Context, Timer};
use crate::robot::{Body, Point, RobotId};
use crate::task::{Action, TaskId};
use crate::time::{Duration, Time};

/// Rounding of times and ways: so late is on time.
pub(super) const LATE: Duration = Duration::from_millis(1);

/// A vehicle's queue, and the flight that its body is on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Queue {
    config: Arc<Config>,
    vehicle: Arc<Vehicle>,
    /// By time.
    held: Vec<Held>,
    /// What the vehicle has accepted, or given itself as LEAD, and is not committed to yet. It counts as pending from that
    /// moment: who bids in two auctions at once would win both else, as if each were the only one.
    pledged: Vec<Held>,
    /// The task that the body is on its way to; always one of `held`.
    bound_for: Option<TaskId>,
    /// The body has passed its target and is in the corridor: where it will be free, and when.
    outbound: Option<(Point, Time)>,
    /// Metres flown so far, without the flight that is under way.
    flown_m: f64,
    /// Metres of the flight that is under way, out of the corridor again.
    flight_m: f64,
    /// Loads used up so far.
    used: u16,
}

/// A task in a vehicle's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The number of the task.
    pub task: TaskId,
    /// The first task of its order.
    pub order: TaskId,
    /// The attempt in which the vehicle won it.
    pub ballot: Ballot,
    /// When the vehicle is to be over the target.
    pub at: Time,
    /// How it comes in and flies out.
    pub corridor: Corridor,
    /// The vehicle must not set out before: bids were for where everybody is at `t0`.
    pub t0: Time,
    /// How urgent the order is; a task gives way to more urgent ones only.
    pub priority: u8,
    /// When the first task of its group is flown, if the group is strict: from then on it gives way to nothing, or what was
    /// begun would not be finished.
    pub begins: Option<Time>,
    /// How many loads the task takes.
    pub loads: u16,
    /// When its LEAD planned that; the vehicle may have had to go round since.
    pub planned: Time,
    /// It is not known to be its turn yet: the body breaks off before the target.
    pub awaits: bool,
    /// Completion has been said, and nobody is told of the task any more. Without F5 only.
    pub announced: bool,
    /// The nodes that have granted the task, this node included. At most once only.
    pub grants: BTreeSet<RobotId>,
}

impl Queue {
    pub(super) fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self {
            config,
            vehicle,
            held: Vec::new(),
            pledged: Vec::new(),
            bound_for: None,
            outbound: None,
            flown_m: 0.0,
            flight_m: 0.0,
            used: 0,
        }
    }

    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(super) fn holds(&self, task: TaskId) -> Option<&Held> {
        self.held.iter().find(|held| held.task == task)
    }

    /// The body has passed its target, and is still in the corridor.
    pub(super) fn is_outbound(&self) -> bool {
        self.outbound.is_some()
    }

    pub(super) fn bound_for(&self) -> Option<TaskId> {
        self.bound_for
    }

    /// What these tasks would cost this vehicle: for each a bid as it would be sent, or `None` if it cannot do the task; and
    /// what it has to say about several of them.
    pub(super) fn quote(&self, cx: &Context<'_>, group: &Group, phases: Phases, t0: Time) -> Quote {
        let body = cx.body();
        let members = phases.iter().map(|index| group.members.get(index));
        let loads = self.loads_ahead_of(cx.now(), group);
        let pending: Vec<Pending> = self.ahead_of(cx.now(), group).into_iter().map(Held::pending).collect();
        // A vehicle that is bound for nothing stays where it is: it may have been told to stop a moment ago.
        let then = if self.bound_for.is_some() { t0 } else { cx.now() };
        let (place, free_at) = self.outbound.unwrap_or_else(|| (body.place(then), t0));
        let outlook = Outlook {
            place,
            free_at: free_at.max(t0),
            speed_mps: body.speed_mps,
            endurance_m: self.vehicle.endurance_m.map(|all| (all - self.flown_m).max(0.0)),
            pending: &pending,
        };
        let Config { grid, corridor_m, .. } = &*self.config;
        let Vehicle { rates, preferences, .. } = &*self.vehicle;
        let estimator = Estimator { outlook, corridor_m: *corridor_m, t0, grid, rates, preferences };
        let cost = |member: &Member| {
            let surface = estimator.bid(member.place);
            (!surface.is_infeasible()).then_some(surface)
        };
        let able = |member: Option<&Member>| member.filter(|member| self.is_able(body, member, loads)).and_then(cost);
        let costs: Vec<Option<Surface>> = members.map(able).collect();
        // As drawn, each task wants a vehicle of its own.
        let spare = self.vehicle.loads.saturating_sub(self.used).saturating_sub(loads);
        let asked = self.config.fixes.atomic.then_some(phases);
        let turnaround = asked.and_then(|phases| estimator.turnaround(group, phases, &costs, spare));
        Quote { costs, turnaround }
    }

    /// The vehicle can be over the targets of all that it won of a group in time, without being late for anything that comes
    /// before them: it may have won two auctions at once, and bid in each as if it were the only one.
    pub(super) fn can_make(&self, cx: &Context<'_>, group: &Group, won: &[Won]) -> bool {
        let mut loads = self.loads_ahead_of(cx.now(), group);
        let mut queue: Vec<Flight> = self.ahead_of(cx.now(), group).into_iter().map(|held| self.flight(held)).collect();
        let mut first = queue.len();
        for &Won { index, holder, t0, .. } in won {
            let member = &group.members[usize::from(index)];
            // No LEAD asks for more than was bid for, or for a day to come; such a task would be held for ever.
            let last = t0 + self.config.grid.time(self.config.grid.times.saturating_sub(1));
            if !self.is_able(cx.body(), member, loads) || holder.at > last || t0 > cx.now() + MOST_PATIENCE {
                return false;
            }
            loads = loads.saturating_add(member.loads);
            let place = queue.partition_point(|other| other.at <= holder.at);
            let corridor = self.corridor(member.place, holder.heading);
            queue.insert(place, Flight { at: holder.at, t0, corridor, under_way: false });
            first = first.min(place);
        }
        let (start, speed) = (self.start(cx), cx.body().speed_mps);
        let left_m = self.vehicle.endurance_m.map_or(f64::INFINITY, |all| all - self.flown_m);
        let ends = self.soonest_each(&queue, start, speed);
        // A strict group is flown in its windows, which leave no room for being late.
        let most = if group.strict { LATE } else { self.config.tolerance };
        let own = |flight: &Flight| won.iter().any(|won| won.holder.at == flight.at);
        let is_late = |(flight, end): (&Flight, &Time)| own(flight) && *end > flight.at + most;
        !queue.iter().zip(&ends).any(is_late)
            && self.on_time_from(first, &queue, &ends)
            && way_m(&queue, start.0) <= left_m
    }

    /// The vehicle has what the task of a group needs, loads included, whether or not it would be there in time.
    pub(super) fn is_fit(&self, body: &Body, now: Time, group: &Group, index: usize) -> bool {
        let loads = self.loads_ahead_of(now, group);
        group.members.get(index).is_some_and(|member| self.is_able(body, member, loads))
    }

    /// Loads that its vehicle needs for what comes before a task of `group`.
    fn loads_ahead_of(&self, now: Time, group: &Group) -> u16 {
        self.ahead_of(now, group).into_iter().map(|held| held.loads).sum()
    }

    /// What the vehicle is to do that a task of `group` must not get in the way of, by time: what it holds that is as
    /// urgent, and what it has agreed to that ranks above the group. Another plan for the group itself takes the place of
    /// what was agreed on before.
    fn ahead_of(&self, now: Time, group: &Group) -> Vec<&Held> {
        let urgent = |held: &&Held| held.urgency(self.begun(now)) >= group.brief.priority;
        let of_another = |held: &&Held| group.index_of(held.task).is_none();
        let rank = (group.brief.priority, Reverse(group.first()));
        // As drawn, who comes first is served first: there is no message to give anything back with.
        let above = |held: &&Held| !self.config.fixes.atomic || held.rank() > rank;
        let pledged = self.pledged.iter().filter(of_another).filter(urgent).filter(above);
        let mut ahead: Vec<&Held> = self.held.iter().filter(urgent).chain(pledged).collect();
        ahead.sort_by_key(|held| held.at);
        ahead
    }

    /// A group whose first task is flown before then has begun.
    fn begun(&self, now: Time) -> Time {
        now + self.config.announce
    }

    /// A task as it stands in the queue, or will, once its plan is agreed on.
    pub(super) fn booking(&self, group: &Group, ballot: Ballot, won: Won) -> Held {
        let Won { index, holder, t0, .. } = won;
        let member = group.members[usize::from(index)];
        let tied = group.strict && group.is_coupled() || !group.before(usize::from(index)).is_empty();
        Held {
            task: group.task(usize::from(index)),
            order: group.first(),
            ballot,
            at: holder.at,
            corridor: self.corridor(member.place, holder.heading),
            t0,
            priority: group.brief.priority,
            begins: None,
            loads: member.loads,
            planned: holder.at,
            awaits: tied && self.config.fixes.in_turn,
            announced: false,
            grants: BTreeSet::new(),
        }
    }

    /// This is all that the vehicle has agreed to of `group` and is not committed to yet.
    pub(super) fn has_pledged(&mut self, group: &Group, pledged: impl Iterator<Item = Held>) {
        self.pledged.retain(|held| group.index_of(held.task).is_none());
        self.pledged.extend(pledged);
    }

    /// What the vehicle has agreed to that ranks below what is `agreed` of a group and does not go with it: it is to be given
    /// back.
    pub(super) fn outranked(&self, cx: &Context<'_>, group: &Group, agreed: &[Held]) -> Vec<TaskId> {
        let rank = (group.brief.priority, Reverse(group.first()));
        // Another plan for the group itself takes the place of what was agreed on before.
        let others = self.pledged.iter().filter(|held| group.index_of(held.task).is_none());
        let (mut kept, mut lesser): (Vec<&Held>, Vec<&Held>) = others.partition(|held| held.rank() > rank);
        if agreed.is_empty() || lesser.is_empty() || !self.config.fixes.atomic {
            return Vec::new();
        }
        kept.extend(self.held.iter().filter(|held| held.urgency(self.begun(cx.now())) >= group.brief.priority));
        kept.extend(agreed);
        kept.sort_by_key(|held| held.at);
        lesser.sort_by_key(|held| Reverse(held.rank()));
        let mut misfits = self.misfits(kept, lesser, self.start(cx), cx.body().speed_mps);
        // With one task the whole plan that it belongs to goes: it is given back once.
        let order = |task: &TaskId| self.pledged.iter().find(|held| held.task == *task).map(|held| held.order);
        let mut orders = BTreeSet::new();
        misfits.retain(|task| orders.insert(order(task)));
        misfits
    }

    /// Which of `lesser`, the first of them first, would be late or make others late if they were flown with `kept`, which
    /// is by time.
    fn misfits(&self, kept: Vec<&Held>, lesser: Vec<&Held>, start: (Point, Time), speed_mps: f64) -> Vec<TaskId> {
        let mut flights: Vec<Flight> = kept.into_iter().map(|held| self.flight(held)).collect();
        let mut misfits = Vec::new();
        for one in lesser {
            let place = flights.partition_point(|other| other.at <= one.at);
            flights.insert(place, self.flight(one));
            if !self.on_time_from(place, &flights, &self.soonest_each(&flights, start, speed_mps)) {
                flights.remove(place);
                misfits.push(one.task);
            }
        }
        misfits
    }

    /// The vehicle can do this besides other tasks that take so many loads already.
    fn is_able(&self, body: &Body, member: &Member, loads: u16) -> bool {
        !self.vehicle.console
            && body.percepts.cover(member.needs)
            && self.used.saturating_add(loads).saturating_add(member.loads) <= self.vehicle.loads
    }

    /// Where and when the vehicle can set out for another task.
    fn start(&self, cx: &Context<'_>) -> (Point, Time) {
        self.outbound.unwrap_or_else(|| (cx.body().place(cx.now()), cx.now()))
    }

    /// The corridor over `target` on a heading in thousandths of a degree.
    pub(super) fn corridor(&self, target: Point, heading: u32) -> Corridor {
        let heading = (f64::from(heading) / 1_000.0).to_radians();
        Corridor { target, heading, length_m: self.config.corridor_m }
    }

    /// Takes a task into the queue; less urgent ones that no longer fit are dropped.
    pub(super) fn take(&mut self, cx: &mut Context<'_>, held: Held) -> After {
        let priority = held.priority;
        let at = self.held.partition_point(|other| other.at <= held.at);
        self.held.insert(at, held);
        let begun = self.begun(cx.now());
        let (kept, mut lesser): (Vec<&Held>, Vec<&Held>) =
            self.held.iter().partition(|one| one.urgency(begun) >= priority);
        lesser.sort_by_key(|one| Reverse(one.urgency(begun)));
        let dropped = self.misfits(kept, lesser, self.start(cx), cx.body().speed_mps);
        self.held.retain(|one| !dropped.contains(&one.task));
        if self.bound_for.is_some_and(|task| dropped.contains(&task)) {
            self.bound_for = None;
            cx.act(Action::Stop);
        }
        self.fly(cx);
        After::dropped(dropped)
    }

    /// When the vehicle is over each of these targets at the earliest, one after the other.
    fn soonest_each(&self, queue: &[Flight], start: (Point, Time), speed_mps: f64) -> Vec<Time> {
        let mut from = start;
        let each = queue.iter().enumerate().map(|(place, flight)| {
            let soonest = flight.soonest(from, speed_mps, place == 0);
            from = flight.ends(speed_mps);
            soonest
        });
        each.collect()
    }

    /// The flight at this place in the queue, and all after it, are on time.
    fn on_time_from(&self, place: usize, queue: &[Flight], soonest: &[Time]) -> bool {
        queue.iter().zip(soonest).skip(place).all(|(flight, soonest)| *soonest <= flight.at + self.config.tolerance)
    }

    fn flight(&self, held: &Held) -> Flight {
        let Held { task, at, t0, corridor, .. } = *held;
        Flight { at, t0, corridor, under_way: self.bound_for == Some(task) }
    }

    /// Drops every task that the vehicle can no longer make: it is not where it was to be when it agreed to them. Else
    /// it would bid from a place where it will never be, and never be on time again.
    fn prune(&mut self, cx: &mut Context<'_>) -> After {
        let (mut from, speed) = (self.start(cx), cx.body().speed_mps);
        let mut dropped = Vec::new();
        for held in std::mem::take(&mut self.held) {
            let flight = self.flight(&held);
            if flight.soonest(from, speed, self.held.is_empty()) <= held.at + self.config.tolerance {
                from = flight.ends(speed);
                self.held.push(held);
            } else {
                dropped.push(held.task);
            }
        }
        After::dropped(dropped)
    }

    /// Sends the body to the first task of the queue, if it is not on its way there.
    fn fly(&mut self, cx: &mut Context<'_>) {
        let Some(next) = self.held.first() else { return };
        if self.outbound.is_some() || self.bound_for == Some(next.task) {
            return;
        }
        self.bound_for = Some(next.task);
        let Held { task, at, corridor, t0, awaits, .. } = *next;
        self.flight_m = corridor.distance_m(cx.body().place(cx.now())) + corridor.length_m;
        cx.act(Action::Approach {
            task,
            entry: corridor.entry(),
            target: corridor.target,
            from: t0.max(cx.now()),
            by: at,
        });
        if awaits {
            cx.act(Action::Await { task });
        }
    }

    /// It is this task's turn.
    pub(super) fn may_cross(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let held = self.held.iter_mut().find(|held| held.task == task && held.awaits);
        let Some(held) = held else { return };
        held.awaits = false;
        if self.bound_for == Some(task) {
            cx.act(Action::Cross { task });
        }
    }

    /// When the vehicle, which is on its way in, will be over the target of this task.
    pub(super) fn arrives(&self, cx: &Context<'_>, held: &Held) -> Time {
        let left_m = held.corridor.left_m(cx.body().place(cx.now())) - held.corridor.length_m;
        held.at.max(cx.now() + Duration::from_secs_f64(left_m.max(0.0) / cx.body().speed_mps))
    }

    /// When the vehicle could be over the target of this task at the earliest, by the same corridor, if it set out now.
    pub(super) fn soonest(&self, cx: &Context<'_>, task: TaskId) -> Option<Time> {
        let held = self.holds(task)?;
        let (place, free_at) = self.start(cx);
        // Not a microsecond too soon: the way is rounded.
        let travel = Duration::from_secs_f64(held.corridor.distance_m(place) / cx.body().speed_mps + 1e-3);
        Some(free_at.max(held.t0) + travel)
    }

    /// The vehicle is to be over the target of this task at another time; what no longer goes with that is dropped.
    pub(super) fn retime(&mut self, cx: &mut Context<'_>, task: TaskId, at: Time) -> After {
        let Some(place) = self.held.iter().position(|held| held.task == task) else { return After::nothing() };
        let held = Held { at, ..self.held.remove(place) };
        if self.bound_for == Some(task) {
            self.bound_for = None;
            self.count_flown(cx, &held);
        }
        let place = self.held.partition_point(|other| other.at <= at);
        self.held.insert(place, held);
        let after = self.prune(cx);
        self.fly(cx);
        after
    }

    /// The flight that is under way ends here: the part of it that lies behind counts.
    fn count_flown(&mut self, cx: &Context<'_>, held: &Held) {
        let left_m = held.corridor.left_m(cx.body().place(cx.now()));
        self.flown_m += (std::mem::take(&mut self.flight_m) - left_m).max(0.0);
    }

    /// Takes a task out of the queue, if it is there.
    pub(super) fn let_go(&mut self, cx: &mut Context<'_>, task: TaskId) -> After {
        let Some(at) = self.held.iter().position(|held| held.task == task) else { return After::nothing() };
        let held = self.held.remove(at);
        for timer in [Timer::Status(task), Timer::Announce(task), Timer::Overdue(task)] {
            cx.cancel_timer(timer);
        }
        if held.awaits {
            cx.cancel_timer(Timer::Cross(task));
        }
        if self.bound_for != Some(task) {
            return After::nothing();
        }
        self.bound_for = None;
        self.count_flown(cx, &held);
        cx.act(Action::Stop);
        let after = self.prune(cx);
        self.fly(cx);
        after
    }

    /// The body has passed over the target of this task and flies out by the corridor.
    pub(super) fn crossed(&mut self, cx: &Context<'_>, task: TaskId) -> After {
        let Some(held) = self.holds(task) else { return After::nothing() };
        let (free, loads) = (self.flight(held).ends(cx.body().speed_mps), held.loads);
        self.flown_m += std::mem::take(&mut self.flight_m);
        self.outbound = Some(free);
        self.used = self.used.saturating_add(loads);
        self.bound_for = None;
        After::remember()
    }

    /// The body has left the corridor.
    pub(super) fn on_clear(&mut self, cx: &mut Context<'_>) {
        self.outbound = None;
        self.fly(cx);
    }

    /// How urgent an order is has changed.
    pub(super) fn reprioritise(&mut self, group: &Group) {
        for held in self.held.iter_mut().filter(|held| group.index_of(held.task).is_some()) {
            held.priority = group.brief.priority;
        }
    }

    /// Completion of this task has been said.
    pub(super) fn is_announced(&mut self, task: TaskId) {
        if let Some(held) = self.held.iter_mut().find(|held| held.task == task) {
            held.announced = true;
        }
    }

    /// `from` has granted this task in this attempt.
    pub(super) fn is_granted(&mut self, task: TaskId, ballot: Ballot, from: RobotId) {
        if let Some(held) = self.held.iter_mut().find(|held| held.task == task && held.ballot == ballot) {
            held.grants.insert(from);
        }
    }

    /// Metres and loads that the vehicle has used up.
    pub(super) fn used(&self) -> (f64, u16) {
        (self.flown_m, self.used)
    }

    /// The vehicle has used up as much before a restart.
    pub(super) fn has_used(&mut self, (flown_m, loads): (f64, u16)) {
        self.flown_m = flown_m;
        self.used = loads;
    }
}

impl Held {
    /// Of two that do not go together the one that ranks higher is kept: the more urgent, then the one that was asked for
    /// first. Tasks are numbered in the order in which they were asked for, and those of one order in a row.
    fn rank(&self) -> (u8, Reverse<TaskId>) {
        (self.priority, Reverse(self.task))
    }

    /// How urgent it is, where groups that are flown before `begun` have begun.
    fn urgency(&self, begun: Time) -> u8 {
        if self.begins.is_some_and(|begins| begins <= begun) { u8::MAX } else { self.priority }
    }

    fn pending(&self) -> Pending {
        Pending { at: self.at, corridor: self.corridor }
    }
}

/// A flight in a queue.
#[derive(Copy, Clone)]
struct Flight {
    /// When it is over the target.
    at: Time,
    /// When it may begin.
    t0: Time,
    corridor: Corridor,
    /// The body is on its way.
    under_way: bool,
}

impl Flight {
    /// When a vehicle that is free at a place can be over the target at the earliest. The flight that it is on, if this is
    /// the next one, leads straight on: from within its corridor any other would lead out of it first.
    fn soonest(&self, (place, free_at): (Point, Time), speed_mps: f64, is_next: bool) -> Time {
        let way_m = match self.under_way && is_next {
            true => (self.corridor.left_m(place) - self.corridor.length_m).max(0.0),
            false => self.corridor.distance_m(place),
        };
        free_at.max(self.t0) + Duration::from_secs_f64(way_m / speed_mps)
    }

    /// Where and when a vehicle is free after it.
    fn ends(&self, speed_mps: f64) -> (Point, Time) {
        let exit = self.corridor.exit();
        let way_m = self.corridor.target.distance(exit);
        (exit, self.at + Duration::from_secs_f64(way_m / speed_mps))
    }
}

/// Metres of these flights, one after the other, from a place.
fn way_m(queue: &[Flight], mut from: Point) -> f64 {
    let mut way_m = 0.0;
    for Flight { corridor, .. } in queue {
        way_m += corridor.distance_m(from) + corridor.length_m;
        from = corridor.exit();
    }
    way_m
}
