//! What a node has of its craft, apart from any one order: its queue of tasks and what it tells its body, what it has
//! done, its radio. [MacKenzie §4]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::config::{Config, Vehicle};
use super::corridor::Corridor;
use super::cost::{self, Outlook, Pending, Surface};
use super::group::{Group, Member, Phases};
use super::link::Link;
use super::order::OrderState;
use super::{Ballot, Context, Deed, Holder, Message, Timer};
use crate::mechanism::Recipient;
use crate::robot::{Body, Point, RobotId};
use crate::task::{Action, TaskId};
use crate::time::{Duration, Time};

/// Nobody is asked to do without reports for longer.
pub(super) const MOST_PATIENCE: Duration = Duration::from_secs(3_600);

/// What a node has of its craft, apart from any one order: body, queue, radio.
#[derive(Clone, Debug, PartialEq)]
pub struct Craft {
    pub(super) config: Arc<Config>,
    pub(super) vehicle: Arc<Vehicle>,
    /// What it is to do, by time.
    pub(super) held: Vec<Held>,
    /// What its body is on its way to.
    bound_for: Option<TaskId>,
    /// It has passed its target and leaves by the corridor: where it will be free, and when.
    leaving: Option<(Point, Time)>,
    /// What it has done and still tells of.
    deeds: Vec<Deed>,
    /// When it was last told of what each of the others has done.
    told: BTreeMap<RobotId, Time>,
    /// There is something left to tell: `Timer::Repeat` is set.
    telling: bool,
    /// Metres flown so far, without the flight that is under way.
    flown_m: f64,
    /// Metres of the flight that is under way, out of the corridor again.
    flight_m: f64,
    /// Loads used up so far.
    used: u16,
    pub(super) link: Link,
    /// Which life of this node it is: leave is for one only.
    pub(super) life: u32,
    /// It has lost its memory, and with it whom it gave leave: it gives none before then.
    pub(super) abstains: Time,
    /// Tasks that no longer fit its queue.
    pub(super) dropped: Vec<TaskId>,
    /// Something is to be remembered.
    pub(super) changed: bool,
    /// Some order may be forgotten.
    pub(super) sweep: bool,
}

/// A task in a vehicle's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Which.
    pub task: TaskId,
    /// In which attempt.
    pub ballot: Ballot,
    /// When and how.
    pub at: Time,
    /// How it comes in and leaves.
    pub corridor: Corridor,
    /// Not to leave for it before.
    pub t0: Time,
    /// How urgent it is.
    pub priority: u8,
    /// How many loads it takes.
    pub loads: u16,
    /// Nobody is told of it any more: Completion has been said.
    pub announced: bool,
    /// Who has said that it may be done, this node included. At most once only.
    pub grants: BTreeSet<RobotId>,
}

impl Craft {
    pub(super) fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self {
            config,
            vehicle,
            held: Vec::new(),
            bound_for: None,
            leaving: None,
            deeds: Vec::new(),
            told: BTreeMap::new(),
            telling: false,
            flown_m: 0.0,
            flight_m: 0.0,
            used: 0,
            link: Link::default(),
            life: 0,
            abstains: Time::ZERO,
            dropped: Vec::new(),
            changed: false,
            sweep: false,
        }
    }

    /// What it is to do, by time.
    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// What it has done and still tells of.
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// Its radio.
    pub fn link(&self) -> &Link {
        &self.link
    }

    pub(super) fn holds(&self, task: TaskId) -> Option<&Held> {
        self.held.iter().find(|held| held.task == task)
    }

    /// It has passed its target, and is still in the corridor.
    pub(super) fn is_leaving(&self) -> bool {
        self.leaving.is_some()
    }

    pub(super) fn bound_for(&self) -> Option<TaskId> {
        self.bound_for
    }

    /// The radio may be used: it is not known to be down, and there is no radio silence.
    pub(super) fn may_speak(&self, now: Time) -> bool {
        self.link.up && self.config.silence.is_none_or(|(from, to)| !(from <= now && now < to))
    }

    /// It would know if it had given leave to another, or taken part in an election.
    pub(super) fn may_grant(&self, now: Time) -> bool {
        self.abstains <= now
    }

    pub(super) fn say(&mut self, cx: &mut Context<'_>, to: Recipient, message: Message) {
        if self.may_speak(cx.now()) {
            cx.send(to, message);
        }
    }

    /// The number of the next report; what is not said is not counted, or others would take it for lost.
    pub(super) fn next_number(&mut self, now: Time) -> u32 {
        self.link.number = self.link.number.wrapping_add(u32::from(self.may_speak(now)));
        self.link.number
    }

    /// A part of `most`, drawn anew.
    pub(super) fn up_to(&self, cx: &mut Context<'_>, most: Duration) -> Duration {
        match most.as_micros() {
            0 => Duration::ZERO,
            most => Duration::from_micros(u64::from(cx.choose(u32::try_from(most).unwrap_or(u32::MAX)))),
        }
    }

    /// `wait`, and up to a share of it more.
    pub(super) fn jittered(&self, cx: &mut Context<'_>, wait: Duration) -> Duration {
        wait + self.up_to(cx, wait.stretched(self.config.jitter))
    }

    /// How long nothing need be heard of a task: `t_peer` of the protocol, the task or the vehicle, whichever is
    /// longest, and longer still if much is lost.
    pub(super) fn patience(&self, entry: &OrderState, index: usize) -> Duration {
        let asked = entry.group.brief.silence.unwrap_or(Duration::ZERO).max(entry.slots[index].patience);
        let asked = asked.min(MOST_PATIENCE);
        let reports = u64::from(self.link.reports(self.config.miss)) + 1;
        self.config.peer.max(asked).max(Duration::from_micros(self.period(asked).as_micros() * reports))
    }

    /// Time between two reports when others have `patience`: a vehicle that may stay silent for longer does.
    pub(super) fn period(&self, patience: Duration) -> Duration {
        let stretch = patience.as_secs_f64() / self.config.peer.as_secs_f64();
        self.config.status.stretched(stretch.max(1.0))
    }

    /// Two holders of one task must have time to hear of each other before either does it: the more is lost, the more.
    pub(super) fn settling(&self) -> Duration {
        let reports = u64::from(self.link.reports(self.config.miss).saturating_sub(1));
        self.config.settle.max(Duration::from_micros(
            (self.config.status.as_micros() * reports).min(3 * self.config.settle.as_micros()),
        ))
    }

    /// What these tasks would cost this vehicle.
    pub(super) fn bid(&self, cx: &mut Context<'_>, group: &Group, phases: Phases, t0: Time) -> Vec<Option<Surface>> {
        self.costs(cx.body(), group, phases, t0)
    }

    /// What these tasks would cost this vehicle if it had this body: for each a bid as it would be sent, or that it cannot.
    pub fn costs(&self, body: &Body, group: &Group, phases: Phases, t0: Time) -> Vec<Option<Surface>> {
        let members = phases.iter().map(|index| group.members.get(index));
        let more_urgent = |held: &&Held| held.priority >= group.brief.priority;
        let loads: u16 = self.held.iter().filter(more_urgent).map(|held| held.loads).sum();
        let pending: Vec<Pending> = self.held.iter().filter(more_urgent).map(Held::pending).collect();
        let (place, free_at) = self.leaving.unwrap_or_else(|| (body.place(t0), t0));
        let outlook = Outlook {
            place,
            free_at: free_at.max(t0),
            speed_mps: body.speed_mps,
            endurance_m: self.vehicle.endurance_m.map(|all| (all - self.flown_m).max(0.0)),
            pending: &pending,
        };
        let cost = |member: &Member| {
            let Config { grid, corridor_m, .. } = &*self.config;
            let Vehicle { rates, preferences, .. } = &*self.vehicle;
            let surface = cost::estimate(&outlook, member.place, *corridor_m, t0, grid, rates, preferences);
            (!surface.is_infeasible()).then_some(surface)
        };
        members.map(|member| member.filter(|member| self.is_able(body, member, loads)).and_then(cost)).collect()
    }

    /// It can be where it should be in time, without being late for anything else that is as urgent: it may have won
    /// two auctions at once, and bid in each as if it were the only one.
    pub(super) fn can_make(&self, cx: &mut Context<'_>, group: &Group, index: usize, holder: Holder, t0: Time) -> bool {
        let Some(member) = group.members.get(index) else { return false };
        // No LEAD asks for more than was bid for, or for a day to come; it would be held for ever.
        let last = t0 + self.config.grid.time(self.config.grid.times.saturating_sub(1));
        let flight = |held: &Held| (held.at, held.t0, held.corridor);
        let as_urgent = |held: &&Held| held.priority >= group.brief.priority;
        let loads: u16 = self.held.iter().filter(as_urgent).map(|held| held.loads).sum();
        if !self.is_able(cx.body(), member, loads) || holder.at > last || t0 > cx.now() + MOST_PATIENCE {
            return false;
        }
        let mut queue: Vec<Flight> = self.held.iter().filter(as_urgent).map(flight).collect();
        let (start, speed) = (self.start(cx), cx.body().speed_mps);
        let late = self.late(&queue, start, speed);
        let at = queue.partition_point(|(at, ..)| *at <= holder.at);
        queue.insert(at, (holder.at, t0, self.corridor(member.place, holder.heading)));
        let left_m = self.vehicle.endurance_m.map_or(f64::INFINITY, |all| all - self.flown_m);
        self.late(&queue, start, speed) <= late && way_m(&queue, start.0) <= left_m
    }

    /// It can do this besides what takes so many loads already.
    fn is_able(&self, body: &Body, member: &Member, loads: u16) -> bool {
        !self.vehicle.console
            && body.percepts.cover(member.needs)
            && self.used.saturating_add(loads).saturating_add(member.loads) <= self.vehicle.loads
    }

    /// Where and when it can set out for something else.
    fn start(&self, cx: &mut Context<'_>) -> (Point, Time) {
        self.leaving.unwrap_or_else(|| (cx.body().place(cx.now()), cx.now()))
    }

    pub(super) fn corridor(&self, target: Point, heading: u32) -> Corridor {
        let heading = (f64::from(heading) / 1_000.0).to_radians();
        Corridor { target, heading, length_m: self.config.corridor_m }
    }

    /// Takes a task into the queue; less urgent ones that no longer fit are dropped.
    pub(super) fn queue(&mut self, cx: &mut Context<'_>, held: Held) {
        let priority = held.priority;
        let at = self.held.partition_point(|other| other.at <= held.at);
        self.held.insert(at, held);
        let speed = cx.body().speed_mps;
        let start = self.start(cx);
        let flights = |queue: &[Held]| queue.iter().map(|held| (held.at, held.t0, held.corridor)).collect::<Vec<_>>();
        let (mut kept, mut lesser): (Vec<Held>, Vec<Held>) =
            std::mem::take(&mut self.held).into_iter().partition(|one| one.priority >= priority);
        let mut late = self.late(&flights(&kept), start, speed);
        lesser.sort_by_key(|one| std::cmp::Reverse(one.priority));
        for one in lesser {
            let at = kept.partition_point(|other| other.at <= one.at);
            kept.insert(at, one);
            let then = self.late(&flights(&kept), start, speed);
            if then > late {
                self.dropped.push(kept.remove(at).task);
            } else {
                late = then;
            }
        }
        self.held = kept;
        if self.bound_for.is_some_and(|task| self.dropped.contains(&task)) {
            self.bound_for = None;
            cx.act(Action::Stop);
        }
        self.fly(cx);
    }

    /// How many of these, flown one after the other, are not on time.
    fn late(&self, queue: &[Flight], start: (Point, Time), speed_mps: f64) -> usize {
        let mut from = start;
        let mut late = 0;
        for next in queue {
            late += usize::from(!self.in_time(*next, from, speed_mps));
            from = leaves(*next, speed_mps);
        }
        late
    }

    fn in_time(&self, (at, t0, corridor): Flight, (place, free_at): (Point, Time), speed_mps: f64) -> bool {
        let travel = Duration::from_secs_f64(corridor.distance_m(place) / speed_mps);
        free_at.max(t0) + travel <= at + self.config.tolerance
    }

    /// It is not where it was to be when it agreed to the rest of its queue: what it can no longer make is given back
    /// at once. Else it would bid from where it will never be, and never be on time again.
    fn prune(&mut self, cx: &mut Context<'_>) {
        let (mut from, speed) = (self.start(cx), cx.body().speed_mps);
        for held in std::mem::take(&mut self.held) {
            let flight = (held.at, held.t0, held.corridor);
            if self.in_time(flight, from, speed) {
                from = leaves(flight, speed);
                self.held.push(held);
            } else {
                self.dropped.push(held.task);
            }
        }
    }

    /// Sends the body to the first task of the queue, if it is not on its way there.
    fn fly(&mut self, cx: &mut Context<'_>) {
        let Some(next) = self.held.first() else { return };
        if self.leaving.is_some() || self.bound_for == Some(next.task) {
            return;
        }
        self.bound_for = Some(next.task);
        let Held { task, at, corridor, t0, .. } = *next;
        self.flight_m = corridor.distance_m(cx.body().place(cx.now())) + corridor.length_m;
        cx.act(Action::Approach {
            task,
            entry: corridor.entry(),
            target: corridor.target,
            from: t0.max(cx.now()),
            by: at,
        });
    }

    /// Has nothing to do with a task any more.
    pub(super) fn let_go(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let Some(at) = self.held.iter().position(|held| held.task == task) else { return };
        let held = self.held.remove(at);
        for timer in [Timer::Status(task), Timer::Announce(task), Timer::Overdue(task)] {
            cx.cancel_timer(timer);
        }
        if self.bound_for == Some(task) {
            self.bound_for = None;
            // What was flown of it is flown.
            let left_m = held.corridor.left_m(cx.body().place(cx.now()));
            self.flown_m += (std::mem::take(&mut self.flight_m) - left_m).max(0.0);
            cx.act(Action::Stop);
            self.prune(cx);
            self.fly(cx);
        }
    }

    /// The body has passed over the target and leaves by the corridor.
    pub(super) fn crossed(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let Some(held) = self.holds(task) else { return };
        let (leaves, loads) = (held.leaves(cx.body().speed_mps), held.loads);
        self.flown_m += std::mem::take(&mut self.flight_m);
        self.changed = true;
        self.leaving = Some(leaves);
        self.used = self.used.saturating_add(loads);
        self.bound_for = None;
    }

    /// The body has left the corridor.
    pub(super) fn on_clear(&mut self, cx: &mut Context<'_>) {
        self.leaving = None;
        self.fly(cx);
    }

    /// How urgent an order is has changed.
    pub(super) fn reprioritise(&mut self, group: &Group) {
        for held in self.held.iter_mut().filter(|held| group.index_of(held.task).is_some()) {
            held.priority = group.brief.priority;
        }
    }

    /// What it has used up: metres and loads.
    pub(super) fn used(&self) -> (f64, u16) {
        (self.flown_m, self.used)
    }

    /// It has used up as much before a restart.
    pub(super) fn has_used(&mut self, (flown_m, loads): (f64, u16)) {
        (self.flown_m, self.used) = (flown_m, loads);
    }

    pub(super) fn on_grant(&mut self, from: RobotId, task: TaskId, ballot: Ballot, life: u32) {
        if life != self.life {
            return;
        }
        if let Some(held) = self.held.iter_mut().find(|held| held.task == task && held.ballot == ballot) {
            held.grants.insert(from);
        }
    }

    /// It knows of a deed, its own or another's, and will tell of it for a while.
    pub(super) fn knows(&mut self, cx: &mut Context<'_>, deed: Deed) {
        if !self.is_told(cx.now(), &deed) {
            return;
        }
        if deed.by == cx.me() {
            self.deeds.push(deed);
        } else {
            self.told.insert(deed.by, cx.now());
        }
        if !self.telling {
            self.tell_later(cx);
        }
    }

    /// Somebody has told of what `by` has done.
    pub(super) fn was_told_of(&mut self, now: Time, by: RobotId) {
        if let Some(told) = self.told.get_mut(&by) {
            *told = now;
        }
    }

    /// This deed is recent enough to be told of again.
    pub(super) fn is_told(&self, now: Time, deed: &Deed) -> bool {
        self.config.fixes.done && now.since(deed.at) < self.config.repeat_done
    }

    /// Others whose deeds nobody has told of for so long that they are gone, or out of reach of somebody.
    pub(super) fn untold(&self, now: Time) -> Vec<RobotId> {
        let reports = u64::from(self.link.reports(self.config.miss)) + 1;
        let quiet = Duration::from_micros(self.config.status.as_micros() * reports);
        self.told.iter().filter(|(_, told)| now.since(**told) >= quiet).map(|(robot, _)| *robot).collect()
    }

    /// F5: tells of what it has done, every `t_status`, and of what `silent` others have: these deeds.
    pub(super) fn tell(&mut self, cx: &mut Context<'_>, silent: &[RobotId], theirs: &[Deed]) {
        let now = cx.now();
        let mut deeds = std::mem::take(&mut self.deeds);
        deeds.retain(|deed| self.is_told(now, deed));
        for some in deeds.chunks(super::MOST_DEEDS).chain(theirs.chunks(super::MOST_DEEDS)) {
            self.say(cx, Recipient::All, Message::Done { deeds: some.to_vec() });
        }
        self.deeds = deeds;
        for robot in silent {
            if theirs.iter().any(|deed| deed.by == *robot) {
                self.told.insert(*robot, now);
            } else {
                self.told.remove(robot);
            }
        }
        self.telling = false;
        if !self.deeds.is_empty() || !self.told.is_empty() {
            self.tell_later(cx);
        }
    }

    /// It is up again: who has missed what it did may be about to do it.
    pub(super) fn tell_soon(&mut self, cx: &mut Context<'_>) {
        if !self.deeds.is_empty() {
            let wait = self.up_to(cx, self.config.spread);
            cx.set_timer(Timer::Repeat, cx.now() + wait);
        }
    }

    fn tell_later(&mut self, cx: &mut Context<'_>) {
        self.telling = true;
        let wait = match self.deeds.is_empty() {
            false => self.jittered(cx, self.config.status),
            // It only stands in for others, and so do all who have heard the same: the first silences the rest.
            true => self.config.status + self.up_to(cx, self.config.status),
        };
        cx.set_timer(Timer::Repeat, cx.now() + wait);
    }
}

impl Held {
    fn pending(&self) -> Pending {
        Pending { at: self.at, corridor: self.corridor }
    }

    /// Where and when a vehicle is free after it.
    fn leaves(&self, speed_mps: f64) -> (Point, Time) {
        leaves((self.at, self.t0, self.corridor), speed_mps)
    }
}

/// A flight in a queue: when it is over the target, when it may begin, and how it comes in and leaves.
type Flight = (Time, Time, Corridor);

/// Metres of these flights, one after the other, from a place.
fn way_m(queue: &[Flight], mut from: Point) -> f64 {
    let mut way_m = 0.0;
    for (.., corridor) in queue {
        way_m += corridor.distance_m(from) + corridor.length_m;
        from = corridor.exit();
    }
    way_m
}

/// Where and when a vehicle is free after a flight.
fn leaves((at, _, corridor): Flight, speed_mps: f64) -> (Point, Time) {
    let way = corridor.target.distance(corridor.exit());
    (corridor.exit(), at + Duration::from_secs_f64(way / speed_mps))
}
