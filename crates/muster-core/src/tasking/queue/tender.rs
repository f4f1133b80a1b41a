//! What a vehicle bids: what tasks would cost it, besides what it is to do already. [MacKenzie §3]

use std::sync::Arc;

use super::agenda::loads_of;
use super::flight::Flight;
use super::{Held, Queue};
use crate::robot::{Body, Point};
use crate::tasking::config::{Config, Vehicle};
use crate::tasking::cost::{self, Berth, Outlook, Pending, Quote, Supply};
use crate::tasking::group::{Group, Member, Phases};
use crate::tasking::message::Tender;
use crate::tasking::sampling::Adaptive;
use crate::tasking::step::Means;
use crate::tasking::supply::{Aloft, Stand, Supplies};
use crate::tasking::turnaround::Estimator;
use crate::time::Time;

impl Queue {
    /// What these tasks would cost this vehicle: for each a bid as it is sent, and what it has to say about several of them.
    pub(in crate::tasking) fn tender(&self, body: &Body, now: Time, group: &Group, phases: Phases, t0: Time) -> Tender {
        let members = phases.iter().map(|index| group.members.get(index));
        let ahead = self.ahead_of(body, now, group);
        let loads = loads_of(&ahead);
        let pending: Vec<Pending> = ahead.iter().copied().map(Held::pending).collect();
        // A vehicle that is bound for nothing stays where it is: it may have been told to stop a moment ago. One that would
        // drop what it is bound for stops when it does, and is not where that flight would have taken it at t0; nor is one that
        // has not set out for it yet.
        let stays_bound = ahead.iter().any(|held| self.bound_for == Some(held.task));
        let then = if stays_bound && (self.flies_on(body, now) || !self.config.fixes.atomic) { t0 } else { now };
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
            // What it holds it flies from now on; only what it bids for has to wait until t0.
            let start = self.start_of(body, now, &flights);
            let mut berths = supplies.berths(&flights, self.stand(body, now, start), t0);
            if let Some(first) = berths.first_mut() {
                (first.place, first.free_at) = (place, free_at);
            }
            berths.iter_mut().for_each(|berth| berth.free_at = berth.free_at.max(t0));
            berths
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
        let unlimited = Sortie {
            endurance_m: outlook.endurance_m,
            loads: self.vehicle.loads.saturating_sub(self.used).saturating_sub(loads),
        };
        let sortie = match &supplies {
            None => Some(unlimited),
            Some(supplies) => self.sortie(supplies, self.stand(body, now, (place, free_at.max(t0))), group, phases, t0),
        };
        let turnaround = sortie.filter(|_| self.can_do_several(phases, &pending)).and_then(|sortie| {
            let Config { grid, corridor_m, .. } = &*self.config;
            let Vehicle { rates, preferences, .. } = &*self.vehicle;
            let outlook = Outlook { endurance_m: sortie.endurance_m, ..outlook };
            let estimator = Estimator { outlook, corridor_m: *corridor_m, t0, grid, rates, preferences };
            // As the LEAD reads them, which reckons from there.
            let read = Quote::surfaces(&costs, grid);
            estimator.turnaround(group, phases, &read, sortie.loads)
        });
        Tender { costs, turnaround }
    }

    /// Whether the vehicle has what a task of a group needs, which it `bids` for or not: its endurance is what it lacks if it
    /// would bid with one that never ends.
    pub(in crate::tasking) fn means(
        &self,
        body: &Body,
        now: Time,
        group: &Group,
        index: usize,
        t0: Time,
        bids: bool,
    ) -> Means {
        let Vehicle { endurance, endurance_m, .. } = *self.vehicle;
        if !self.is_fit(body, now, group, index) {
            return Means::Lacking;
        }
        if bids || endurance.is_none() && endurance_m.is_none() {
            return Means::Enough;
        }
        let vehicle = Vehicle { endurance: None, endurance_m: None, ..(*self.vehicle).clone() };
        // One that does not reach its base is not held up there.
        let reloading = self.reloading.filter(|_| self.gets_home(body.speed_mps));
        let tireless = Self { vehicle: Arc::new(vehicle), reloading, ..self.clone() };
        let Tender { costs, .. } = tireless.tender(body, now, group, Phases::only(index), t0);
        let least = costs.iter().find_map(|quote| quote.surface(&self.config.grid)?.least());
        if least.is_some() { Means::Endurance } else { Means::Enough }
    }

    /// The vehicle may be given several of these tasks. As drawn, each task wants a vehicle of its own. One whose time in the
    /// air counts, or that has a base, is if it has nothing else to do: where it is reloaded depends on all of it.
    fn can_do_several(&self, phases: Phases, pending: &[Pending]) -> bool {
        self.config.fixes.atomic && phases.len() > 1 && (!self.vehicle.is_supplied() || pending.is_empty())
    }

    /// What the vehicle has for several of these tasks without being reloaded in between; `None` if it would not last in the air
    /// for as long as bids are for, and for the way to its base after that, or if its time there has a price. When it is
    /// reloaded between two tasks depends on when both are flown, which is more than a bid says.
    fn sortie(&self, supplies: &Supplies<'_>, stand: Stand, group: &Group, phases: Phases, t0: Time) -> Option<Sortie> {
        let Config { grid, corridor_m, .. } = &*self.config;
        let targets = phases.iter().filter_map(|index| group.members.get(index)).map(|member| member.place);
        let home_m = targets.map(|target| supplies.home_m(target) + corridor_m).fold(0.0, f64::max);
        // On the ground its time does not count yet, and it takes off when times begin to count at the earliest.
        let aloft = if stand.aloft == Aloft::Landed { Aloft::Since(t0) } else { stand.aloft };
        let down = t0 + grid.horizon() + supplies.takes(corridor_m + home_m) + supplies.reserve();
        let lasts = down <= supplies.down(aloft) && self.vehicle.rates.fuel == 0.0;
        let endurance_m = self.vehicle.endurance_m.map(|_| (stand.left_m - home_m).max(0.0));
        lasts.then_some(Sortie { endurance_m, loads: stand.loads })
    }
}

/// What a vehicle has for several tasks of a group.
struct Sortie {
    /// Metres; `None`: as many as it takes.
    endurance_m: Option<f64>,
    loads: u16,
}
