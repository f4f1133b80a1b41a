//! The tasks that a vehicle is to do: what they would cost, which of them it can make, where it sends its body, and
//! what it has used up. [MacKenzie §3, §4]

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::after::After;
use super::bidder::Won;
use super::config::{Config, Vehicle};
use super::corridor::Corridor;
use super::cost::{self, Berth, Outlook, Pending, Quote, Supply};
use super::craft::MOST_PATIENCE;
use super::group::{Group, Member, Phases};
use super::message::Tender;
use super::sampling::Adaptive;
use super::supply::{Aloft, LOW, Stand, Supplies, Used};
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
    /// Since when the vehicle is in the air.
    aloft: Aloft,
    /// It is on its way to its base, or there, and will be reloaded by then.
    reloading: Option<Time>,
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
    /// How late the vehicle may be over the target. What ties tasks together leaves no room for being late.
    pub late: Duration,
    /// It was done before, too long ago.
    pub again: bool,
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
            aloft: Aloft::Since(Time::ZERO),
            reloading: None,
        }
    }

    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    pub(super) fn pledged(&self) -> &[Held] {
        &self.pledged
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

    /// What these tasks would cost this vehicle: for each a bid as it is sent, and what it has to say about several of them.
    pub(super) fn tender(&self, cx: &Context<'_>, group: &Group, phases: Phases, t0: Time) -> Tender {
        let body = cx.body();
        let members = phases.iter().map(|index| group.members.get(index));
        let ahead = self.ahead_of(cx.body(), cx.now(), group);
        let loads = loads_of(&ahead);
        let pending: Vec<Pending> = ahead.iter().copied().map(Held::pending).collect();
        // A vehicle that is bound for nothing stays where it is: it may have been told to stop a moment ago. One that would
        // drop what it is bound for stops when it does, and is not where that flight would have taken it at t0.
        let stays_bound = ahead.iter().any(|held| self.bound_for == Some(held.task));
        let then = if stays_bound { t0 } else { cx.now() };
        let (place, free_at) = self.ready(t0).or(self.outbound).unwrap_or_else(|| (body.place(then), t0));
        let supplies = self.supplies(body.speed_mps);
        let outlook = Outlook {
            place,
            free_at: free_at.max(t0),
            speed_mps: body.speed_mps,
            endurance_m: self
                .vehicle
                .endurance_m
                .map(|all| (all - self.flown_m - self.under_way_m(body, then)).max(0.0))
                .filter(|_| supplies.is_none()),
            pending: &pending,
            supply: None,
        };
        let berths = supplies.as_ref().map(|supplies| {
            let flights: Vec<Flight> = ahead.iter().map(|held| self.flight(held)).collect();
            supplies.berths(&flights, self.stand(body, cx.now(), (place, free_at.max(t0))))
        });
        let cost = |member: &Member| {
            let Config { grid, corridor_m, .. } = &*self.config;
            let Vehicle { rates, preferences, .. } = &*self.vehicle;
            let (target, length_m) = (member.place, *corridor_m);
            let quote = |outlook: Outlook<'_>| {
                if self.config.adaptive {
                    let fitted = Adaptive::for_plans(grid, &outlook, target, length_m, t0, rates, preferences);
                    return Quote::adaptive(&fitted);
                }
                Quote::sampled(&cost::estimate(&outlook, target, length_m, t0, grid, rates, preferences))
            };
            match (&supplies, &berths) {
                (Some(supplies), Some(berths)) => {
                    let enough = |berth: &&Berth| berth.loads >= member.loads;
                    let berths: Vec<Berth> = berths.iter().filter(enough).copied().collect();
                    let Vehicle { endurance, base, .. } = *self.vehicle;
                    let supply = Supply { endurance, base, reserve: supplies.reserve(), berths: &berths };
                    quote(Outlook { supply: Some(supply), ..outlook })
                }
                _ => quote(outlook),
            }
        };
        let able = |member: &&Member| self.is_able(body, member, loads);
        // Tasks at one place that take as many loads cost the same.
        let mut quoted: Vec<((Point, u16), Quote)> = Vec::new();
        let quote = |member: Option<&Member>| {
            let Some(member) = member.filter(able) else { return Quote::Cannot };
            let alike = (member.place, member.loads);
            if let Some((_, quote)) = quoted.iter().find(|(other, _)| *other == alike) {
                return quote.clone();
            }
            quoted.push((alike, cost(member)));
            quoted[quoted.len() - 1].1.clone()
        };
        let costs: Vec<Quote> = members.map(quote).collect();
        let turnaround = self.can_do_several(phases).then(|| {
            let Config { grid, corridor_m, .. } = &*self.config;
            let Vehicle { rates, preferences, .. } = &*self.vehicle;
            let estimator = Estimator { outlook, corridor_m: *corridor_m, t0, grid, rates, preferences };
            // As the LEAD reads them, which reckons from there.
            let read = Quote::surfaces(&costs, grid);
            let spare = self.vehicle.loads.saturating_sub(self.used).saturating_sub(loads);
            estimator.turnaround(group, phases, &read, spare)
        });
        Tender { costs, turnaround: turnaround.flatten() }
    }

    /// The vehicle may be given several of these tasks. As drawn, each task wants a vehicle of its own. One whose time in the
    /// air counts, or that has a base, does one at most: whether it gets back between two, and has to, depends on when both
    /// are flown, which is more than a bid says.
    fn can_do_several(&self, phases: Phases) -> bool {
        self.config.fixes.atomic && phases.len() > 1 && !self.vehicle.is_supplied()
    }

    /// The vehicle can be over the targets of all that it won of a group in time, without being late for anything that comes
    /// before them: it may have won two auctions at once, and bid in each as if it were the only one.
    pub(super) fn can_make(&self, cx: &Context<'_>, group: &Group, won: &[Won]) -> bool {
        let ahead = self.ahead_of(cx.body(), cx.now(), group);
        let mut loads = loads_of(&ahead);
        let mut queue: Vec<Flight> = ahead.into_iter().map(|held| self.flight(held)).collect();
        let (mut first, late) = (queue.len(), self.latitude(group));
        for &Won { index, holder, t0, .. } in won {
            let member = &group.members[usize::from(index)];
            // No LEAD asks for more than was bid for, or for a day to come; such a task would be held for ever.
            let last = t0 + self.config.grid.horizon();
            if !self.is_able(cx.body(), member, loads) || holder.at > last || t0 > cx.now() + MOST_PATIENCE {
                return false;
            }
            loads = loads.saturating_add(member.loads);
            let place = queue.partition_point(|other| other.at <= holder.at);
            let corridor = self.corridor(member.place, holder.heading);
            queue.insert(place, Flight { at: holder.at, t0, corridor, late, loads: member.loads, under_way: false });
            first = first.min(place);
        }
        let (start, speed) = (self.start(cx.body(), cx.now()), cx.body().speed_mps);
        let ends = self.soonest_each(&queue, start, speed);
        on_time_from(first, &queue, &ends) && self.lasts(cx, &queue, start, speed)
    }

    /// The vehicle has what it takes to fly all of these.
    fn lasts(&self, cx: &Context<'_>, queue: &[Flight], start: (Point, Time), speed_mps: f64) -> bool {
        match self.supplies(speed_mps) {
            Some(supplies) => supplies.plan(queue, self.stand(cx.body(), cx.now(), start)).is_some(),
            None => {
                let flown_m = self.flown_m + self.under_way_m(cx.body(), cx.now());
                way_m(queue, start.0) <= self.vehicle.endurance_m.map_or(f64::INFINITY, |all| all - flown_m)
            }
        }
    }

    /// What limits the vehicle besides metres and loads, if something does.
    fn supplies(&self, speed_mps: f64) -> Option<Supplies<'_>> {
        Supplies::of(&self.config, &self.vehicle, speed_mps)
    }

    /// Where and when the vehicle is free, and with what.
    fn stand(&self, body: &Body, now: Time, (place, free_at): (Point, Time)) -> Stand {
        let full = Stand {
            place,
            free_at,
            aloft: Aloft::Landed,
            left_m: self.vehicle.endurance_m.unwrap_or(f64::INFINITY),
            loads: self.vehicle.loads,
        };
        if self.reloading.is_some() {
            return full;
        }
        let under_way_m = self.under_way_m(body, now);
        Stand {
            aloft: if self.is_landed(now) { Aloft::Landed } else { self.aloft },
            left_m: full.left_m - self.flown_m - under_way_m,
            loads: full.loads.saturating_sub(self.used),
            ..full
        }
    }

    /// Metres of the flight that is under way that lie behind the vehicle.
    fn under_way_m(&self, body: &Body, now: Time) -> f64 {
        let bound_for = self.bound_for.and_then(|task| self.holds(task));
        bound_for.map_or(0.0, |held| (self.flight_m - held.corridor.left_m(body.place(now))).max(0.0))
    }

    /// The vehicle is at its base, and has not taken off since it was reloaded.
    fn is_landed(&self, now: Time) -> bool {
        match self.aloft {
            Aloft::Landed => true,
            Aloft::Since(since) => since > now,
        }
    }

    /// The vehicle has what the task of a group needs, loads included, whether or not it would be there in time.
    pub(super) fn is_fit(&self, body: &Body, now: Time, group: &Group, index: usize) -> bool {
        let loads = loads_of(&self.ahead_of(body, now, group));
        group.members.get(index).is_some_and(|member| self.is_able(body, member, loads))
    }

    /// What the vehicle is to do that a task of `group` must not get in the way of, by time: what it holds that is as
    /// urgent, and what it has agreed to that ranks above the group. Another plan for the group itself takes the place of
    /// what was agreed on before. What will be dropped for something that ranks higher is not there any more: to count on
    /// being where that ends would be a promise that cannot be kept.
    fn ahead_of(&self, body: &Body, now: Time, group: &Group) -> Vec<&Held> {
        let urgent = |held: &&Held| held.urgency(self.begun(now)) >= group.brief.priority;
        let of_another = |held: &&Held| group.index_of(held.task).is_none();
        let rank = (group.brief.priority, Reverse(group.first()));
        // As drawn, who comes first is served first: there is no message to give anything back with.
        let above = |held: &&Held| !self.config.fixes.atomic || held.rank() > rank;
        let pledged = self.pledged.iter().filter(of_another).filter(urgent).filter(above);
        let wanted = self.held.iter().filter(urgent).chain(pledged).collect();
        self.agenda(body, now, wanted).kept
    }

    /// What of `wanted` the vehicle flies, where it cannot fly all of it: the more urgent first; of equals what stands first
    /// in the list. A task may be within reach only by way of one that is less urgent: what did not fit is tried again after
    /// all others.
    fn agenda<'a>(&self, body: &Body, now: Time, mut wanted: Vec<&'a Held>) -> Agenda<'a> {
        let (start, speed, begun) = (self.start(body, now), body.speed_mps, self.begun(now));
        wanted.sort_by_key(|held| Reverse(held.urgency(begun)));
        let (mut kept, mut flights): (Vec<&Held>, Vec<Flight>) = (Vec::with_capacity(wanted.len()), Vec::new());
        loop {
            let tried = wanted.len();
            wanted.retain(|one| {
                let place = flights.partition_point(|other| other.at <= one.at);
                flights.insert(place, self.flight(one));
                let on_time = on_time_from(place, &flights, &self.soonest_each(&flights, start, speed));
                let fits = on_time && self.is_supplied(body, now, &flights, start);
                if fits {
                    kept.insert(place, *one);
                } else {
                    flights.remove(place);
                }
                !fits
            });
            if wanted.is_empty() || wanted.len() == tried {
                return Agenda { kept, misfits: wanted.iter().map(|held| held.task).collect() };
            }
        }
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
            late: self.latitude(group),
            again: member.since > Time::ZERO,
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
        let (mut above, mut below): (Vec<&Held>, Vec<&Held>) = others.partition(|held| held.rank() > rank);
        if agreed.is_empty() || below.is_empty() || !self.config.fixes.atomic {
            return Vec::new();
        }
        above.sort_by_key(|held| Reverse(held.rank()));
        below.sort_by_key(|held| Reverse(held.rank()));
        let all = self.held.iter().chain(above).chain(agreed).chain(below.iter().copied()).collect();
        let mut misfits = self.agenda(cx.body(), cx.now(), all).misfits;
        // With one task the whole plan that it belongs to goes: it is given back once.
        let mut orders = BTreeSet::new();
        misfits
            .retain(|task| below.iter().find(|held| held.task == *task).is_some_and(|held| orders.insert(held.order)));
        misfits
    }

    /// The vehicle can do this besides other tasks that take so many loads already. One with a base can get more.
    fn is_able(&self, body: &Body, member: &Member, loads: u16) -> bool {
        let spoken_for = if self.vehicle.base.is_some() { 0 } else { self.used.saturating_add(loads) };
        !self.vehicle.console
            && body.percepts.cover(member.needs)
            && spoken_for.saturating_add(member.loads) <= self.vehicle.loads
    }

    /// Where and when the vehicle can set out for another task.
    fn start(&self, body: &Body, now: Time) -> (Point, Time) {
        let free = self.ready(now).or(self.outbound);
        free.unwrap_or_else(|| (body.place(now), now))
    }

    /// Where and when the vehicle is reloaded, if it is about to be.
    fn ready(&self, now: Time) -> Option<(Point, Time)> {
        Some((self.vehicle.base?.place, self.reloading?.max(now)))
    }

    /// The corridor over `target` on a heading in thousandths of a degree.
    pub(super) fn corridor(&self, target: Point, heading: u32) -> Corridor {
        let heading = (f64::from(heading) / 1_000.0).to_radians();
        Corridor { target, heading, length_m: self.config.corridor_m }
    }

    /// Takes a task into the queue. What does not go with something more urgent is dropped, the new task included: what
    /// the vehicle holds may have changed since it accepted.
    pub(super) fn take(&mut self, cx: &mut Context<'_>, held: Held) -> After {
        let new = held.task;
        let at = self.held.partition_point(|other| other.at <= held.at);
        self.held.insert(at, held);
        let after = self.prune(cx, Some(new));
        self.fly(cx);
        after
    }

    /// When the vehicle is over each of these targets at the earliest, one after the other.
    fn soonest_each(&self, queue: &[Flight], start: (Point, Time), speed_mps: f64) -> Vec<Time> {
        let mut from = start;
        let each = queue.iter().enumerate().map(|(place, flight)| {
            let soonest = flight.soonest(from, speed_mps, place == 0);
            // Who is late for one is late for the next.
            from = flight.ends(soonest.max(flight.at), speed_mps);
            soonest
        });
        each.collect()
    }

    /// How late the vehicle may be over a target of this group. As drawn vehicles fly by their times, whatever comes of it.
    fn latitude(&self, group: &Group) -> Duration {
        let exact = group.strict || (self.config.fixes.in_turn && group.is_coupled());
        if exact { LATE } else { self.config.tolerance }
    }

    fn flight(&self, held: &Held) -> Flight {
        let Held { task, at, t0, corridor, late, loads, .. } = *held;
        Flight { at, t0, corridor, late, loads, under_way: self.bound_for == Some(task) }
    }

    /// The same as `lasts`, where metres and loads alone have never counted.
    fn is_supplied(&self, body: &Body, now: Time, queue: &[Flight], start: (Point, Time)) -> bool {
        let supplies = self.supplies(body.speed_mps);
        supplies.is_none_or(|supplies| supplies.plan(queue, self.stand(body, now, start)).is_some())
    }

    /// Drops every task that the vehicle cannot make, or not beside something more urgent, or not beside something as urgent
    /// that is earlier or was not taken just now (`new`). It may not be where it was to be when it agreed to them: it would
    /// bid from a place where it will never be, and never be on time again.
    fn prune(&mut self, cx: &mut Context<'_>, new: Option<TaskId>) -> After {
        let is_new = |held: &&Held| Some(held.task) == new;
        let wanted = self.held.iter().filter(|held| !is_new(held)).chain(self.held.iter().filter(is_new)).collect();
        let dropped = self.agenda(cx.body(), cx.now(), wanted).misfits;
        let bound_for = self.held.iter().find(|held| self.bound_for == Some(held.task) && dropped.contains(&held.task));
        if let Some(held) = bound_for.cloned() {
            self.bound_for = None;
            self.count_flown(cx, &held);
            cx.act(Action::Stop);
        }
        self.held.retain(|held| !dropped.contains(&held.task));
        After::dropped(dropped)
    }

    /// Sends the body to the first task of the queue, if it is not on its way there, or to its base first if it has to be
    /// reloaded for that.
    fn fly(&mut self, cx: &mut Context<'_>) {
        let Some(next) = self.held.first() else { return self.rest(cx) };
        if self.outbound.is_some() || self.reloading.is_some() || self.bound_for == Some(next.task) {
            return;
        }
        if self.reloads_first(cx) {
            return self.reload(cx);
        }
        self.bound_for = Some(next.task);
        let Held { task, at, corridor, t0, awaits, again, .. } = *next;
        let way_m = corridor.distance_m(cx.body().place(cx.now()));
        self.flight_m = way_m + corridor.length_m;
        let mut from = t0.max(cx.now());
        let landed = self.supplies(cx.body().speed_mps).filter(|_| self.is_landed(cx.now()));
        if let Some(takes_off) = landed.map(|supplies| supplies.takes_off(at, way_m)) {
            from = from.max(takes_off);
            self.aloft = Aloft::Since(from);
        }
        cx.act(Action::Approach { task, entry: corridor.entry(), target: corridor.target, from, by: at });
        if awaits {
            cx.act(Action::Await { task });
        }
        if again {
            cx.act(Action::Renew { task });
        }
    }

    /// The vehicle has to be reloaded before the first task of its queue.
    fn reloads_first(&self, cx: &Context<'_>) -> bool {
        let Some(supplies) = self.supplies(cx.body().speed_mps).filter(|_| self.vehicle.base.is_some()) else {
            return false;
        };
        let mut ahead: Vec<&Held> = self.held.iter().chain(&self.pledged).collect();
        ahead.sort_by_key(|held| held.at);
        let flights = |held: &[&Held]| held.iter().map(|held| self.flight(held)).collect::<Vec<_>>();
        let stand = self.stand(cx.body(), cx.now(), self.start(cx.body(), cx.now()));
        // What it has agreed to only may not fit what it holds: it is given back then.
        let reloads = supplies.plan(&flights(&ahead), stand);
        let reloads = reloads.or_else(|| supplies.plan(&flights(&self.held.iter().collect::<Vec<_>>()), stand));
        reloads.is_some_and(|reloads| reloads.first() == Some(&true))
    }

    /// Goes to the base.
    fn reload(&mut self, cx: &mut Context<'_>) {
        let Some(base) = self.vehicle.base else { return };
        let (place, free_at) = self.start(cx.body(), cx.now());
        let way = Duration::from_secs_f64(place.distance(base.place) / cx.body().speed_mps);
        self.reloading = Some(free_at + way + base.reload);
        cx.cancel_timer(Timer::Reload);
        cx.act(Action::Reload { at: base.place });
    }

    /// The vehicle has nothing to do: sees to it that it goes to its base in time.
    pub(super) fn rest(&mut self, cx: &mut Context<'_>) {
        if let Some(low) = self.runs_low(cx) {
            cx.set_timer(Timer::Reload, low.max(cx.now()));
        }
    }

    /// When a vehicle that has nothing to do should go to its base.
    fn runs_low(&self, cx: &Context<'_>) -> Option<Time> {
        let supplies = self.supplies(cx.body().speed_mps).filter(|_| self.vehicle.base.is_some())?;
        let now = cx.now();
        if self.outbound.is_some() || self.reloading.is_some() || self.is_landed(now) {
            return None;
        }
        let Vehicle { endurance_m, endurance, loads, .. } = *self.vehicle;
        let none_left = loads > 0 && loads < u16::MAX && self.used >= loads;
        let few_left = endurance_m.is_some_and(|all_m| all_m - self.flown_m <= LOW * all_m);
        if none_left || few_left {
            return Some(now);
        }
        let Aloft::Since(since) = self.aloft else { return None };
        let low = since + endurance?.stretched(1.0 - LOW);
        Some(low.min(supplies.leaves(cx.body().place(now), self.aloft)))
    }

    /// It may be time to go to the base. `bids`: somebody may yet assign it what it has bid for.
    pub(super) fn on_reload_timer(&mut self, cx: &mut Context<'_>, bids: bool) {
        if !self.held.is_empty() {
            // It looks again when that is done.
            return;
        }
        let Some(low) = self.runs_low(cx) else { return };
        let soon = cx.now() + self.config.status;
        let leaves = self.supplies(cx.body().speed_mps).map(|it| it.leaves(cx.body().place(cx.now()), self.aloft));
        if low > cx.now() {
            cx.set_timer(Timer::Reload, low);
        } else if !self.pledged.is_empty() || bids && leaves.is_some_and(|leaves| soon < leaves) {
            cx.set_timer(Timer::Reload, soon);
        } else {
            self.reload(cx);
        }
    }

    /// The body has been reloaded.
    pub(super) fn on_reloaded(&mut self, cx: &mut Context<'_>) -> After {
        if self.reloading.take().is_none() {
            return After::nothing();
        }
        self.has_used(Used { aloft: Some(Aloft::Landed), ..Used::default() });
        let mut after = self.prune(cx, None);
        self.fly(cx);
        after |= After::remember();
        after
    }

    /// The body cannot get to the base.
    pub(super) fn on_blocked(&mut self, cx: &mut Context<'_>) -> After {
        if self.reloading.take().is_none() {
            return After::nothing();
        }
        cx.set_timer(Timer::Reload, cx.now() + self.config.status);
        self.prune(cx, None)
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
        let (place, free_at) = self.start(cx.body(), cx.now());
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
        let after = self.prune(cx, None);
        self.fly(cx);
        after
    }

    /// The flight that is under way ends here: the part of it that lies behind counts.
    fn count_flown(&mut self, cx: &Context<'_>, held: &Held) {
        let left_m = held.corridor.left_m(cx.body().place(cx.now()));
        self.flown_m += (std::mem::take(&mut self.flight_m) - left_m).max(0.0);
        self.stays(cx.now());
    }

    /// A vehicle that was to take off later does not.
    fn stays(&mut self, now: Time) {
        if self.is_landed(now) {
            self.aloft = Aloft::Landed;
        }
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
            // The way from the task before it to the one after may be longer without it: to come in once more on the same
            // heading the vehicle has to go round, where it was to cross in between.
            return self.prune(cx, None);
        }
        self.bound_for = None;
        self.count_flown(cx, &held);
        cx.act(Action::Stop);
        let after = self.prune(cx, None);
        self.fly(cx);
        after
    }

    /// The body has passed over the target of this task and flies out by the corridor.
    pub(super) fn crossed(&mut self, cx: &Context<'_>, task: TaskId) -> After {
        let Some(held) = self.holds(task) else { return After::nothing() };
        let (free, loads) = (self.flight(held).ends(cx.now().max(held.at), cx.body().speed_mps), held.loads);
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

    /// What the vehicle has used up.
    pub(super) fn used(&self) -> Used {
        let aloft = self.vehicle.is_supplied().then_some(self.aloft);
        Used { flown_m: self.flown_m, loads: self.used, aloft }
    }

    /// The vehicle has used up as much, before a restart perhaps.
    pub(super) fn has_used(&mut self, used: Used) {
        self.flown_m = used.flown_m;
        self.used = used.loads;
        self.aloft = used.aloft.unwrap_or(self.aloft);
    }

    /// The vehicle starts, with what it remembers of what it has used up. One that never did before takes off; one that has
    /// forgotten has not been in the air for longer than the mission lasts, and has nothing left if it can get more.
    pub(super) fn starts(&mut self, cx: &mut Context<'_>, used: Used, remembers: bool) -> After {
        self.has_used(used);
        if remembers && used.aloft.is_none() {
            self.aloft = Aloft::Since(cx.now());
        }
        if !remembers && self.vehicle.base.is_some() {
            self.flown_m = self.vehicle.endurance_m.unwrap_or(0.0);
            self.used = if self.vehicle.loads < u16::MAX { self.vehicle.loads } else { 0 };
        }
        self.rest(cx);
        if self.used() == used { After::nothing() } else { After::remember() }
    }

    /// How long the vehicle can stay in the air, and how much of it is left; `None`: as long as it takes.
    pub(super) fn time_left(&self, now: Time) -> Option<(Duration, Duration)> {
        let all = self.vehicle.endurance?;
        let left = match self.aloft {
            Aloft::Since(since) if since <= now => (since + all).since(now),
            _ => all,
        };
        Some((all, left))
    }

    /// It is on its way to its base, or there, and will be reloaded by then.
    pub(super) fn reloading(&self) -> Option<Time> {
        self.reloading
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

/// What a vehicle flies of all that is wanted of it.
struct Agenda<'a> {
    /// By time.
    kept: Vec<&'a Held>,
    /// What does not go with something that comes before it.
    misfits: Vec<TaskId>,
}

/// Loads that these tasks take.
fn loads_of(ahead: &[&Held]) -> u16 {
    ahead.iter().fold(0, |all: u16, held| all.saturating_add(held.loads))
}

/// A flight in a queue.
#[derive(Copy, Clone)]
pub(super) struct Flight {
    /// When it is over the target.
    pub(super) at: Time,
    /// When it may begin.
    t0: Time,
    pub(super) corridor: Corridor,
    /// How late it may be.
    pub(super) late: Duration,
    /// How many loads it takes.
    pub(super) loads: u16,
    /// The body is on its way.
    under_way: bool,
}

impl Flight {
    /// When a vehicle that is free at a place can be over the target at the earliest. The flight that it is on, if this is
    /// the next one, is taken to be on time: if it is not, that is found when it is overdue, and nothing else is to blame.
    pub(super) fn soonest(&self, (place, free_at): (Point, Time), speed_mps: f64, is_next: bool) -> Time {
        if self.under_way && is_next {
            // A vehicle that was late before may be late here.
            return self.at.max(free_at + Duration::from_secs_f64(self.way_m(place, true) / speed_mps));
        }
        free_at.max(self.t0) + Duration::from_secs_f64(self.corridor.distance_m(place) / speed_mps)
    }

    /// Metres from a place to the target.
    pub(super) fn way_m(&self, place: Point, is_next: bool) -> f64 {
        match self.under_way && is_next {
            true => (self.corridor.left_m(place) - self.corridor.length_m).max(0.0),
            false => self.corridor.distance_m(place),
        }
    }

    /// Where and when a vehicle that is over the target then is free after it.
    pub(super) fn ends(&self, over: Time, speed_mps: f64) -> (Point, Time) {
        let exit = self.corridor.exit();
        let way_m = self.corridor.target.distance(exit);
        (exit, over + Duration::from_secs_f64(way_m / speed_mps))
    }
}

/// The flight at this place in the queue, and all after it, are on time.
fn on_time_from(place: usize, queue: &[Flight], soonest: &[Time]) -> bool {
    queue.iter().zip(soonest).skip(place).all(|(flight, soonest)| *soonest <= flight.at + flight.late)
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
