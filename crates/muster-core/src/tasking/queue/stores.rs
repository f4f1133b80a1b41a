//! What a vehicle has used up of its metres, loads and time in the air, and when it goes to its base for more.

use super::{Held, Queue};
use crate::robot::{Body, Point};
use crate::task::Action;
use crate::tasking::after::After;
use crate::tasking::config::Vehicle;
use crate::tasking::supply::{Aloft, LOW, Stand, Supplies, Used};
use crate::tasking::{Context, Timer};
use crate::time::{Duration, Time};

impl Queue {
    /// What limits the vehicle besides metres and loads, if something does.
    pub(super) fn supplies(&self, speed_mps: f64) -> Option<Supplies<'_>> {
        Supplies::of(&self.config, &self.vehicle, speed_mps)
    }

    /// Where and when the vehicle is free, and with what.
    pub(super) fn stand(&self, body: &Body, now: Time, (place, free_at): (Point, Time)) -> Stand {
        let full = Stand {
            place,
            free_at,
            aloft: Aloft::Landed,
            left_m: self.vehicle.endurance_m.unwrap_or(f64::INFINITY),
            loads: self.vehicle.loads,
        };
        if self.gets_home(body.speed_mps) {
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

    /// The vehicle is on its way to its base, or there, and gets there before it has to be down, as far as it knows. One that
    /// does not goes there all the same: it has nothing better to do, and one that lost its memory may have more left than it
    /// reckons with. But it has nothing to promise before it is reloaded.
    pub(super) fn gets_home(&self, speed_mps: f64) -> bool {
        let (Some(ready), Some(base)) = (self.reloading, self.vehicle.base) else { return false };
        let down = self.supplies(speed_mps).map_or(Time::NEVER, |supplies| supplies.down(self.aloft));
        ready <= down + base.reload
    }

    /// The vehicle is at its base, and has not taken off since it was reloaded.
    pub(super) fn is_landed(&self, now: Time) -> bool {
        match self.aloft {
            Aloft::Landed => true,
            Aloft::Since(since) => since > now,
        }
    }

    /// A vehicle that was to take off later does not.
    pub(super) fn stays(&mut self, now: Time) {
        if self.is_landed(now) {
            self.aloft = Aloft::Landed;
        }
    }

    /// The vehicle has to be reloaded before the first task of its queue.
    pub(super) fn reloads_first(&self, cx: &Context<'_>) -> bool {
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
    pub(super) fn reload(&mut self, cx: &mut Context<'_>) {
        let Some(base) = self.vehicle.base else { return };
        let (place, free_at) = self.start(cx.body(), cx.now());
        let way = Duration::from_secs_f64(place.distance(base.place) / cx.body().speed_mps);
        self.reloading = Some(free_at + way + base.reload);
        cx.cancel_timer(Timer::Reload);
        cx.act(Action::Reload { at: base.place });
    }

    /// The vehicle has nothing to do: sees to it that it goes to its base in time.
    pub(in crate::tasking) fn rest(&mut self, cx: &mut Context<'_>) {
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
    pub(in crate::tasking) fn on_reload_timer(&mut self, cx: &mut Context<'_>, bids: bool) {
        if !self.held.is_empty() {
            // It looks again when that is done; if it could not get to its base before that, it tries again.
            return self.fly(cx);
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
    pub(in crate::tasking) fn on_reloaded(&mut self, cx: &mut Context<'_>) -> After {
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
    pub(in crate::tasking) fn on_blocked(&mut self, cx: &mut Context<'_>) -> After {
        if self.reloading.take().is_none() {
            return After::nothing();
        }
        cx.set_timer(Timer::Reload, cx.now() + self.config.status);
        self.prune(cx, None)
    }

    /// What the vehicle has used up.
    pub(in crate::tasking) fn used(&self) -> Used {
        let aloft = self.vehicle.is_supplied().then_some(self.aloft);
        Used { flown_m: self.flown_m, loads: self.used, aloft }
    }

    /// The vehicle has used up as much, before a restart perhaps.
    pub(in crate::tasking) fn has_used(&mut self, used: Used) {
        self.flown_m = used.flown_m;
        self.used = used.loads;
        self.aloft = used.aloft.unwrap_or(self.aloft);
    }

    /// The vehicle starts, with what it remembers of what it has used up. One that never did before takes off; one that has
    /// forgotten has not been in the air for longer than the mission lasts, and has nothing left if it can get more.
    pub(in crate::tasking) fn starts(&mut self, cx: &mut Context<'_>, used: Used, remembers: bool) -> After {
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
    pub(in crate::tasking) fn time_left(&self, now: Time) -> Option<(Duration, Duration)> {
        let all = self.vehicle.endurance?;
        let left = match self.aloft {
            Aloft::Since(since) if since <= now => (since + all).since(now),
            _ => all,
        };
        Some((all, left))
    }

    /// It is on its way to its base, or there, and will be reloaded by then.
    pub(in crate::tasking) fn reloading(&self) -> Option<Time> {
        self.reloading
    }
}
