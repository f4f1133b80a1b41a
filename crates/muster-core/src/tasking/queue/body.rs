//! Where a vehicle sends its body: to the first task of its queue, by way of the corridor over its target.

use super::{Flight, Held, Queue};
use crate::motion::Motion;
use crate::robot::{Body, Point};
use crate::task::{Action, TaskId};
use crate::tasking::after::After;
use crate::tasking::supply::Aloft;
use crate::tasking::{Context, Timer};
use crate::time::{Duration, Time};

impl Queue {
    /// Where and when the vehicle can set out for another task.
    pub(super) fn start(&self, body: &Body, now: Time) -> (Point, Time) {
        let free = self.ready(now).or(self.outbound);
        free.unwrap_or_else(|| (body.place(now), now))
    }

    /// The same for these flights. A vehicle that is on its way to another of them flies on until the first may begin: where it is
    /// then is what it has bid from.
    pub(super) fn start_of(&self, body: &Body, now: Time, queue: &[Flight]) -> (Point, Time) {
        let turns = |first: &&Flight| !first.under_way && queue.iter().any(|flight| flight.under_way);
        match queue.first().filter(turns).filter(|first| self.flies_on_until(body, now, first)) {
            Some(first) => (body.place(first.t0), first.t0),
            None => self.start(body, now),
        }
    }

    /// The vehicle is in the air, on its way to a task, and flies on when it is given another that may not begin yet. As drawn it
    /// stops for it; and so does one that has not moved yet, since nobody but its body knows when it will.
    pub(super) fn flies_on(&self, body: &Body, now: Time) -> bool {
        let bound_for = self.bound_for.and_then(|task| self.holds(task));
        let moves = !matches!(body.motion, Motion::Still(_)) && !self.is_landed(now);
        self.config.fixes.atomic && moves && bound_for.is_some_and(|held| held.t0 <= now)
    }

    /// The same until this flight, which comes first, may begin. Not where that makes it late: a more urgent task was bid for from
    /// where the vehicle would stop for it.
    fn flies_on_until(&self, body: &Body, now: Time, first: &Flight) -> bool {
        let then = || first.soonest((body.place(first.t0), first.t0), body.speed_mps, false);
        first.t0 > now && self.flies_on(body, now) && then() <= first.at + first.late
    }

    /// Where and when the vehicle is reloaded, if it is about to be.
    pub(super) fn ready(&self, now: Time) -> Option<(Point, Time)> {
        Some((self.vehicle.base?.place, self.reloading?.max(now)))
    }

    /// Sends the body to the first task of the queue, if it is not on its way there, or to its base first if it has to be
    /// reloaded for that.
    pub(in crate::tasking) fn fly(&mut self, cx: &mut Context<'_>) {
        let Some(next) = self.held.first() else { return self.rest(cx) };
        if self.outbound.is_some() || self.reloading.is_some() || self.bound_for == Some(next.task) {
            return;
        }
        if self.flies_on_until(cx.body(), cx.now(), &self.flight(next)) {
            // It flies on to where it was bound for, and is where it has bid from when it sets out.
            return cx.set_timer(Timer::SetOut, next.t0);
        }
        if self.reloads_first(cx) {
            return self.reload(cx);
        }
        if let Some(other) = self.bound_for.take().and_then(|task| self.holds(task)).cloned() {
            self.count_flown(cx, &other);
        }
        let Some(next) = self.held.first() else { return };
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

    /// It is this task's turn.
    pub(in crate::tasking) fn may_cross(&mut self, cx: &mut Context<'_>, task: TaskId) {
        let held = self.held.iter_mut().find(|held| held.task == task && held.awaits);
        let Some(held) = held else { return };
        held.awaits = false;
        if self.bound_for == Some(task) {
            cx.act(Action::Cross { task });
        }
    }

    /// When the vehicle, which is on its way in, will be over the target of this task.
    pub(in crate::tasking) fn arrives(&self, cx: &Context<'_>, held: &Held) -> Time {
        let left_m = held.corridor.left_m(cx.body().place(cx.now())) - held.corridor.length_m;
        held.at.max(cx.now() + Duration::from_secs_f64(left_m.max(0.0) / cx.body().speed_mps))
    }

    /// When the vehicle could be over the target of this task at the earliest, by the same corridor, if it set out now.
    pub(in crate::tasking) fn soonest(&self, cx: &Context<'_>, task: TaskId) -> Option<Time> {
        let held = self.holds(task)?;
        let (place, free_at) = self.start(cx.body(), cx.now());
        // Not a microsecond too soon: the way is rounded.
        let travel = Duration::from_secs_f64(held.corridor.distance_m(place) / cx.body().speed_mps + 1e-3);
        Some(free_at.max(held.t0) + travel)
    }

    /// Metres of the flight that is under way that lie behind the vehicle.
    pub(super) fn under_way_m(&self, body: &Body, now: Time) -> f64 {
        let bound_for = self.bound_for.and_then(|task| self.holds(task));
        bound_for.map_or(0.0, |held| (self.flight_m - held.corridor.left_m(body.place(now))).max(0.0))
    }

    /// The flight that is under way ends here: the part of it that lies behind counts.
    pub(super) fn count_flown(&mut self, cx: &Context<'_>, held: &Held) {
        let left_m = held.corridor.left_m(cx.body().place(cx.now()));
        self.flown_m += (std::mem::take(&mut self.flight_m) - left_m).max(0.0);
        self.stays(cx.now());
    }

    /// The body has passed over the target of this task and flies out by the corridor.
    pub(in crate::tasking) fn crossed(&mut self, cx: &Context<'_>, task: TaskId) -> After {
        let Some(held) = self.holds(task) else { return After::nothing() };
        let (free, loads) = (self.flight(held).ends(cx.now().max(held.at), cx.body().speed_mps), held.loads);
        self.flown_m += std::mem::take(&mut self.flight_m);
        self.outbound = Some(free);
        self.used = self.used.saturating_add(loads);
        self.bound_for = None;
        After::remember()
    }

    /// The body has left the corridor.
    pub(in crate::tasking) fn on_clear(&mut self, cx: &mut Context<'_>) {
        self.outbound = None;
        self.fly(cx);
    }
}
