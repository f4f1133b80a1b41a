//! What a vehicle bids: what tasks would cost it, besides what it is to do already. [MacKenzie §3]

use super::agenda::loads_of;
use super::flight::Flight;
use super::{Held, Queue};
use crate::tasking::Context;
use crate::tasking::config::{Config, Vehicle};
use crate::tasking::cost::{self, Berth, Outlook, Pending, Quote, Supply, Surface};
use crate::tasking::group::{Group, Member, Phases};
use crate::tasking::message::Tender;
use crate::tasking::sampling::Adaptive;
use crate::tasking::turnaround::Estimator;
use crate::time::Time;

impl Queue {
    /// What these tasks would cost this vehicle: for each a bid as it is sent, and what it has to say about several of them.
    pub(in crate::tasking) fn tender(&self, cx: &Context<'_>, group: &Group, phases: Phases, t0: Time) -> Tender {
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
        let costs: Vec<Quote> = members.map(|member| member.filter(able).map_or(Quote::Cannot, cost)).collect();
        let turnaround = self.can_do_several(phases).then(|| {
            let Config { grid, corridor_m, .. } = &*self.config;
            let Vehicle { rates, preferences, .. } = &*self.vehicle;
            let estimator = Estimator { outlook, corridor_m: *corridor_m, t0, grid, rates, preferences };
            // As the LEAD reads them, which reckons from there.
            let read: Vec<Option<Surface>> = costs.iter().map(|quote| quote.surface(grid)).collect();
            let spare = self.vehicle.loads.saturating_sub(self.used).saturating_sub(loads);
            estimator.turnaround(group, phases, &read, spare)
        });
        Tender { costs, turnaround: turnaround.flatten() }
    }

    /// The vehicle may be given several of these tasks. As drawn, each task wants a vehicle of its own. One whose time in the
    /// air counts, or that has a base, does one at most: whether it gets back between two, and has to, depends on when both
    /// are flown, which is more than a bid says.
    pub(super) fn can_do_several(&self, phases: Phases) -> bool {
        self.config.fixes.atomic && phases.len() > 1 && !self.vehicle.is_supplied()
    }
}
