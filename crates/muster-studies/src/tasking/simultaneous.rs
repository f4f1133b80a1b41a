//! Two to five orders at one instant: what they cost as they are flown, beside an exhaustive sequential assignment at that
//! instant, and beside the same orders 0.2 s apart.
//!
//! Sequential: one order after the other, each assigned exactly, with what was assigned before it pending; exhaustive: in every
//! order of the orders, the cheapest of which counts. An order that does not fit the times that can be bid for is assigned from
//! half as long later on, as often as need be: else what is flown late would be held against a plan that leaves it out, and
//! look cheap. What a flight costs is reckoned by one function for plans and for flights:
//! time under way, waiting since the first auction's `t0`, detours. What is never flown costs what waiting until the last time
//! that can be bid for does (the horizon); what is flown later than that costs what it does.

use std::sync::Arc;

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::assigner::{self, Constraint, INFEASIBLE, Problem};
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{self, Outlook, Pending};
use muster_core::tasking::group::Template;
use muster_core::tasking::{Config, Step, Tasking, Variant, Vehicle};
use muster_core::{Event, Point, RobotId, Time};
use muster_sim::Sim;
use muster_sim::scenario::{self, Loaded, ScenarioError};
use serde::Serialize;

use crate::batch::Batch;
use crate::verdict::Interval;

/// The mission that vehicles and orders are those of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Geometry {
    /// Three vehicles, groups of three phases.
    Hotspot,
    /// Ten vehicles, single looks.
    Patrol,
}

impl Geometry {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Hotspot, Self::Patrol];

    /// As it stands in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hotspot => "hotspot",
            Self::Patrol => "patrol",
        }
    }
}

/// How costs compare, over arrangements.
#[derive(Clone, Debug, Serialize)]
pub struct Simultaneous {
    /// Which geometry.
    pub geometry: Geometry,
    /// Arrangements.
    pub arrangements: usize,
    /// Tasks of them, and how many of these were never flown.
    pub tasks: (usize, usize),
    /// Cost as flown, by that of the exhaustive sequential assignment.
    pub to_planner: Ratio,
    /// Cost as flown, by that of the same orders 0.2 s apart.
    pub to_apart: Ratio,
}

/// Ratios of costs.
#[derive(Clone, Debug, Serialize)]
pub struct Ratio {
    /// Their mean: what is bounded.
    pub mean: f64,
    /// Its interval.
    pub from: f64,
    /// The upper end of it.
    pub to: f64,
    /// The largest.
    pub worst: f64,
    /// The arrangement that has it, by its seed.
    pub worst_seed: u64,
    /// Its orders: how many, and where.
    pub worst_orders: String,
    /// The share of arrangements beyond the bound.
    pub beyond: f64,
}

impl Ratio {
    fn of(drawn: &[(u64, &Arrangement, f64)], bound: f64) -> Self {
        let ratios: Vec<f64> = drawn.iter().map(|(_, _, ratio)| *ratio).collect();
        let interval = Interval::of_mean(&ratios);
        let worst = drawn.iter().max_by(|a, b| a.2.total_cmp(&b.2));
        Self {
            mean: interval.value,
            from: interval.low,
            to: interval.high,
            worst: worst.map_or(f64::NAN, |it| it.2),
            worst_seed: worst.map_or(0, |it| it.0),
            worst_orders: worst.map_or_else(String::new, |it| it.1.in_words()),
            beyond: ratios.iter().filter(|ratio| **ratio > bound).count() as f64 / ratios.len().max(1) as f64,
        }
    }

    /// The mean with its interval.
    pub fn interval(&self) -> Interval {
        Interval { value: self.mean, low: self.from, high: self.to }
    }
}

/// Most that flying may cost, by what the planner does.
pub const TO_PLANNER: f64 = 1.15;
/// The same, by what orders cost that are not quite at once.
pub const TO_APART: f64 = 1.10;
/// So many times the planner puts off an order, by half a horizon each: five groups that one team flies one after the other
/// take less.
const LATER: u32 = 10;
/// Seconds between orders that are not at once.
const APART_S: f64 = 0.2;

/// Draws `arrangements` and flies each.
pub fn simultaneous(
    geometry: Geometry,
    (seed, arrangements): (u64, u64),
    batch: &Batch<'_>,
) -> Result<Simultaneous, ScenarioError> {
    let drawn = batch.map(arrangements, |index| {
        let seed = Stream::seed_of_run(seed, index);
        let arrangement = Arrangement::draw(geometry, seed);
        let compared = arrangement.compare(seed);
        (batch.progress)(1);
        compared.map(|compared| (seed, arrangement, compared))
    });
    let drawn: Vec<(u64, Arrangement, Compared)> = drawn.into_iter().collect::<Result<_, _>>()?;
    let ratios = |of: fn(&Compared) -> f64| -> Vec<(u64, &Arrangement, f64)> {
        drawn.iter().map(|(seed, arrangement, compared)| (*seed, arrangement, of(compared))).collect()
    };
    Ok(Simultaneous {
        geometry,
        arrangements: drawn.len(),
        tasks: (drawn.iter().map(|it| it.2.tasks).sum(), drawn.iter().map(|it| it.2.undone).sum()),
        to_planner: Ratio::of(&ratios(|it| it.flown / it.planned), TO_PLANNER),
        to_apart: Ratio::of(&ratios(|it| it.flown / it.apart), TO_APART),
    })
}

/// Orders and vehicles of one arrangement.
#[derive(Clone, Debug)]
struct Arrangement {
    geometry: Geometry,
    places: Vec<(f64, f64)>,
    vehicles: Vec<(f64, f64)>,
}

#[derive(Copy, Clone, Debug)]
struct Compared {
    flown: f64,
    planned: f64,
    apart: f64,
    tasks: usize,
    undone: usize,
}

impl Arrangement {
    fn draw(geometry: Geometry, seed: u64) -> Self {
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let side = match geometry {
            Geometry::Hotspot => 3_000,
            Geometry::Patrol => 4_000,
        };
        let mut place = |_| (f64::from(stream.below(side)), f64::from(stream.below(side)));
        let vehicles = match geometry {
            Geometry::Hotspot => Vec::new(),
            Geometry::Patrol => (0..10).map(&mut place).collect(),
        };
        let five: Vec<(f64, f64)> = (0..5).map(&mut place).collect();
        let orders = 2 + stream.below(4) as usize;
        Self { geometry, places: five[..orders].to_vec(), vehicles }
    }

    fn in_words(&self) -> String {
        let places: Vec<String> = self.places.iter().map(|(x, y)| format!("({x:.0}, {y:.0})")).collect();
        format!("{} orders at {}", places.len(), places.join(", "))
    }

    /// The mission, with orders so many seconds apart.
    fn load(&self, apart_s: f64) -> Result<Loaded, ScenarioError> {
        let at_s = |index: usize| 1.0 + apart_s * index as f64;
        match self.geometry {
            Geometry::Hotspot => {
                let mut changes = vec!["limit_h=0.3".to_owned()];
                for (index, (x, y)) in self.places.iter().enumerate() {
                    let task = if index == 0 { "hotspot".to_owned() } else { format!("fire-{index}") };
                    changes.push(format!(
                        "tasks.{task}={{at_s={:.1},place=[{x},{y}],order={{by=\"console\",kind=\"fire\"}}}}",
                        at_s(index)
                    ));
                }
                scenario::load("hotspot", &changes)
            }
            Geometry::Patrol => {
                let mut text = String::from(
                    "limit_h = 0.3\n[field]\nwidth_m = 4000\nheight_m = 4000\n[robots.base]\nspeed_mps = 1\nplace = [0, 0]\n",
                );
                for (index, (x, y)) in self.vehicles.iter().enumerate() {
                    text += &format!("[robots.scout-{index}]\nspeed_mps = 40\nplace = [{x}, {y}]\n");
                }
                for (index, (x, y)) in self.places.iter().enumerate() {
                    let at_s = at_s(index);
                    text += &format!(
                        "[tasks.look-{index}]\nat_s = {at_s:.1}\nplace = [{x}, {y}]\norder = {{ by = \"base\" }}\n"
                    );
                }
                text += "[tasking]\nconsoles = [\"base\"]\ncorridor_m = 200\n";
                scenario::parse("patrol-at-once", "the drawn arrangement", &text, &[])
            }
        }
    }

    fn compare(&self, seed: u64) -> Result<Compared, ScenarioError> {
        let (at_once, apart) = (self.load(0.0)?, self.load(APART_S)?);
        let (flown, t0) = Team::of(&at_once).fly(&at_once, seed);
        let (later, later_t0) = Team::of(&apart).fly(&apart, seed);
        let team = Team::of(&at_once);
        Ok(Compared {
            flown: team.cost(&flown, t0),
            planned: team.sequential(t0),
            apart: team.cost(&later, later_t0),
            tasks: team.tasks(),
            undone: team.tasks() - flown.len(),
        })
    }
}

/// A flight over a target.
#[derive(Copy, Clone, Debug)]
struct Pass {
    vehicle: usize,
    at: Time,
    corridor: Corridor,
}

/// Vehicles, and orders to be given to them.
struct Team {
    config: Arc<Config>,
    vehicles: Vec<(RobotId, Point, f64, Arc<Vehicle>)>,
    /// By order: the places of its phases.
    orders: Vec<Vec<Point>>,
    template: Option<Template>,
}

impl Team {
    fn of(loaded: &Loaded) -> Self {
        let (config, vehicles) = loaded.tasking(Variant::Fenced);
        let robots = loaded.mission.robots.iter().enumerate().filter(|(index, _)| !vehicles[*index].console);
        let vehicles = robots
            .map(|(index, spec)| {
                let place = spec.place.unwrap_or_default();
                (RobotId(index as u32), place, spec.speed_mps, vehicles[index].clone())
            })
            .collect();
        let template = config.templates.values().next().cloned();
        let phases = template.as_ref().map_or(1, |template| template.phases.len());
        let places: Vec<Point> = loaded.mission.tasks.iter().map(|task| task.place.unwrap_or_default()).collect();
        let orders = places.chunks(phases).map(<[Point]>::to_vec).collect();
        Self { config, vehicles, orders, template }
    }

    fn tasks(&self) -> usize {
        self.orders.iter().map(Vec::len).sum()
    }

    /// Flies the mission: the first flight over each target, and the first `t0`.
    fn fly(&self, loaded: &Loaded, seed: u64) -> (Vec<Pass>, Time) {
        let (config, vehicles) = loaded.tasking(Variant::Fenced);
        let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
        let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
        sim.start();
        sim.run_until(Sim::is_over);
        let t0 = sim.notes().iter().find_map(|note| match &note.event {
            Event::Tasking { step: Step::Solicited { t0, .. }, .. } => Some(*t0),
            _ => None,
        });
        let mut flown: Vec<Option<Pass>> = vec![None; self.tasks()];
        for pass in sim.ledger().passes() {
            let vehicle = self.vehicles.iter().position(|it| it.0 == pass.robot);
            let (Some(vehicle), Some(record)) = (vehicle, sim.ledger().record(pass.task)) else { continue };
            let corridor =
                Corridor { target: record.task.place, heading: pass.heading, length_m: self.config.corridor_m };
            flown[pass.task.index()].get_or_insert(Pass { vehicle, at: pass.at, corridor });
        }
        (flown.into_iter().flatten().collect(), t0.unwrap_or_default())
    }

    /// What waiting until the last time that can be bid for costs.
    fn horizon(&self, vehicle: usize) -> f64 {
        let grid = &self.config.grid;
        self.vehicles[vehicle].3.rates.wait * grid.time(grid.times.saturating_sub(1)).as_secs_f64()
    }

    /// What flights cost, reckoned from `t0`, and what is not flown.
    fn cost(&self, passes: &[Pass], t0: Time) -> f64 {
        let mut sum = (self.tasks() - passes.len()) as f64 * self.horizon(0);
        for (index, (_, place, speed_mps, vehicle)) in self.vehicles.iter().enumerate() {
            let (mut place, mut free_s) = (*place, t0.as_secs_f64());
            let mut own: Vec<&Pass> = passes.iter().filter(|pass| pass.vehicle == index).collect();
            own.sort_by_key(|pass| pass.at);
            for Pass { at, corridor, .. } in own {
                let way_m = corridor.distance_m(place);
                let (travel_s, detour_s) = (way_m / speed_mps, (way_m - place.distance(corridor.target)) / speed_mps);
                let wait_s = (at.as_secs_f64() - free_s - travel_s).max(0.0);
                let rates = &vehicle.rates;
                sum += rates.travel * travel_s + rates.wait * wait_s + rates.detour * detour_s;
                place = corridor.exit();
                free_s = at.as_secs_f64() + corridor.length_m / speed_mps;
            }
        }
        sum
    }

    /// The least cost of assigning one order after the other, in any order of them.
    fn sequential(&self, t0: Time) -> f64 {
        let mut best = f64::INFINITY;
        let pending = vec![Vec::new(); self.vehicles.len()];
        self.descend(t0, &mut vec![false; self.orders.len()], &pending, &mut Vec::new(), &mut best);
        best
    }

    fn descend(
        &self,
        t0: Time,
        given: &mut Vec<bool>,
        pending: &[Vec<Pending>],
        passes: &mut Vec<Pass>,
        best: &mut f64,
    ) {
        if given.iter().all(|given| *given) {
            *best = best.min(self.cost(passes, t0));
            return;
        }
        for order in 0..self.orders.len() {
            if std::mem::replace(&mut given[order], true) {
                continue;
            }
            let before = passes.len();
            let won = self.assign_late(&self.orders[order], t0, pending);
            let mut then = pending.to_vec();
            for pass in &won {
                let queue = &mut then[pass.vehicle];
                let place = queue.partition_point(|other| other.at <= pass.at);
                queue.insert(place, Pending { at: pass.at, corridor: pass.corridor });
            }
            passes.extend(won);
            self.descend(t0, given, &then, passes, best);
            passes.truncate(before);
            given[order] = false;
        }
    }

    /// The cheapest way to fly one order from the first of some times on at which there is one; nothing if there is none.
    fn assign_late(&self, places: &[Point], t0: Time, pending: &[Vec<Pending>]) -> Vec<Pass> {
        let half = self.config.grid.time(self.config.grid.times / 2);
        let mut from = t0;
        for _ in 0..LATER {
            let won = self.assign(places, from, pending);
            if !won.is_empty() {
                return won;
            }
            from += half;
        }
        Vec::new()
    }

    /// The cheapest way to fly one order within the horizon; nothing if there is none.
    fn assign(&self, places: &[Point], t0: Time, pending: &[Vec<Pending>]) -> Vec<Pass> {
        let (grid, corridor_m) = (&self.config.grid, self.config.corridor_m);
        let mut costs = Vec::with_capacity(places.len() * self.vehicles.len() * grid.len());
        for &target in places {
            for ((_, place, speed_mps, vehicle), pending) in self.vehicles.iter().zip(pending) {
                let outlook = Outlook {
                    place: *place,
                    free_at: t0,
                    speed_mps: *speed_mps,
                    endurance_m: None,
                    pending,
                    supply: None,
                };
                let Vehicle { rates, preferences, .. } = &**vehicle;
                let surface = cost::estimate(&outlook, target, corridor_m, t0, grid, rates, preferences);
                costs.extend_from_slice(surface.samples());
            }
        }
        if costs.iter().all(|cost| *cost == INFEASIBLE) {
            return Vec::new();
        }
        let couplings = self.template.iter().flat_map(|template| &template.couplings);
        let constraint = |it: &muster_core::tasking::group::Coupling| Constraint {
            a: usize::from(it.a),
            b: usize::from(it.b),
            dt_min: it.dt_min,
            dt_max: it.dt_max,
            dh_min: i64::from(it.dh_min),
            dh_max: i64::from(it.dh_max),
        };
        let times = (0..grid.times).map(|n| grid.time(n).as_micros() as i64).collect();
        let headings = (0..grid.headings).map(|n| (grid.heading_deg(n) * 1_000.0).round() as i64).collect();
        let constraints = couplings.map(constraint).collect();
        let (tasks, vehicles) = (places.len(), self.vehicles.len());
        let Ok(problem) = Problem::with_turn(360_000, tasks, vehicles, times, headings, costs, constraints) else {
            return Vec::new();
        };
        let chosen = assigner::assign(&problem, self.config.node_budget).assignment;
        let pass = |(choice, target): (&assigner::Choice, &Point)| Pass {
            vehicle: choice.vehicle,
            at: t0 + grid.time(choice.time as u16),
            corridor: Corridor { target: *target, heading: grid.heading(choice.heading as u16), length_m: corridor_m },
        };
        chosen.iter().zip(places).map(pass).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One order, the paper's: flown and planned at the same cost, the paper's 120.40.
    #[test]
    fn a_single_order_costs_what_the_planner_says() {
        let arrangement =
            Arrangement { geometry: Geometry::Hotspot, places: vec![(1_590.0, 1_395.0)], vehicles: Vec::new() };
        let compared = arrangement.compare(1).expect("it loads");
        assert!((compared.flown - 120.40).abs() < 0.01 && (compared.planned - 120.40).abs() < 0.01, "{compared:?}");
        assert_eq!((compared.tasks, compared.undone), (3, 0));
    }

    #[test]
    fn an_order_that_is_not_flown_costs_the_horizon() {
        let arrangement = Arrangement {
            geometry: Geometry::Patrol,
            places: vec![(0.0, 0.0), (100.0, 0.0)],
            vehicles: vec![(3_900.0, 3_900.0)],
        };
        let loaded = arrangement.load(0.0).expect("it loads");
        let team = Team::of(&loaded);
        // Bids reach across the field, so it can be flown; what is not flown costs as much as the last time that is bid for.
        assert_eq!(team.cost(&[], Time::ZERO), 2.0 * team.horizon(0));
        assert!(team.sequential(Time::ZERO) < 2.0 * team.horizon(0));
    }

    /// Three groups that need all vehicles: the planner flies the last of them after the horizon, and not for nothing.
    #[test]
    fn what_does_not_fit_the_horizon_is_flown_later() {
        let places = vec![(200.0, 200.0), (2_800.0, 2_800.0), (200.0, 2_800.0), (2_800.0, 200.0)];
        let arrangement = Arrangement { geometry: Geometry::Hotspot, places, vehicles: Vec::new() };
        let team = Team::of(&arrangement.load(0.0).expect("it loads"));
        let planned = team.sequential(Time::ZERO);
        assert!(planned < 12.0 * 200.0, "{planned}");
    }

    #[test]
    fn the_best_order_of_orders_is_found() {
        for seed in 0..4 {
            let arrangement = Arrangement::draw(Geometry::Patrol, seed);
            let loaded = arrangement.load(0.0).expect("it loads");
            let team = Team::of(&loaded);
            let as_they_come = {
                let (mut pending, mut passes) = (vec![Vec::new(); team.vehicles.len()], Vec::new());
                for order in &team.orders {
                    for pass in team.assign(order, Time::ZERO, &pending) {
                        pending[pass.vehicle].push(Pending { at: pass.at, corridor: pass.corridor });
                        pending[pass.vehicle].sort_by_key(|it| it.at);
                        passes.push(pass);
                    }
                }
                team.cost(&passes, Time::ZERO)
            };
            assert!(team.sequential(Time::ZERO) <= as_they_come + 1e-9, "{seed}");
        }
    }
}
