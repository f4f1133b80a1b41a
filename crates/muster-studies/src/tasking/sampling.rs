//! How well a cost function is known from its samples: the paper's grid of 336 bytes against adaptive sampling.
//!
//! The truth is the cost function itself at every second and every 5 degrees. A description of it gives a cost or says
//! "infeasible" at each of these points, and can be wrong in three ways:
//!
//! - the cost is wrong. A point that is feasible but described as infeasible costs what the nearest time costs that is
//!   described as feasible on that heading, or nothing if there is none: whoever relies on the description would take
//!   that instead;
//! - missed: a feasible point is described as infeasible;
//! - promised: an infeasible point is described as feasible. This is worse, as an assignment could rely on it.

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{Grid, Outlook, Pending, Preferences, Quote, Rates, Surface, cost_at, estimate};
use muster_core::tasking::sampling::Adaptive;
use muster_core::{Point, RobotId, Time};
use serde::Serialize;

use super::figures::{LENGTH, TARGET, VEHICLES};
use crate::batch::Batch;
use crate::stats;

const SECONDS: u16 = 100;
const STEP_DEG: u16 = 5;
/// The curved model: what the square of a second waited costs. Not the paper's, whose waiting costs are linear.
const CURVE: f64 = 0.01;

/// How a description compares with the truth.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// How many bytes it takes.
    pub bytes: usize,
    /// Mean absolute error of the cost over all feasible points.
    pub mean: f64,
    /// The same over those of them that are described as feasible.
    pub mean_both: f64,
    /// Percent of all points that are missed.
    pub missed: f64,
    /// Percent of all points that are promised.
    pub promised: f64,
}

/// One vehicle's cost function, described in three ways.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The paper's grid, feasible only where all samples around a point are.
    pub grid: Errors,
    /// The same grid read more boldly: feasible where the nearest sample is, and the feasible ones interpolated.
    pub bold: Errors,
    /// Adaptive sampling.
    pub adaptive: Errors,
}

/// What cost functions are like.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Waiting costs the same at any time, as in the paper.
    Linear,
    /// Waiting costs more the longer it takes.
    Curved,
    /// Linear, with up to two pending tasks.
    Busy,
}

impl Model {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Curved, Self::Busy];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Curved => "curved",
            Self::Busy => "busy",
        }
    }

    fn rates(self) -> Rates {
        let curve = if self == Self::Curved { CURVE } else { 0.0 };
        Rates { curve, ..Rates::hotspot() }
    }
}

/// Many vehicles under one model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Which cost functions.
    pub model: Model,
    /// The three vehicles of the paper, or random ones.
    pub vehicles: &'static str,
    /// One for each vehicle.
    pub cases: Vec<Case>,
}

impl Row {
    /// The mean of something over all vehicles.
    pub fn mean(&self, of: impl Fn(&Case) -> f64) -> f64 {
        self.cases.iter().map(of).sum::<f64>() / self.cases.len() as f64
    }

    /// A quantile of something over all vehicles.
    pub fn quantile(&self, share: f64, of: impl Fn(&Case) -> f64) -> f64 {
        let mut values: Vec<f64> = self.cases.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        stats::quantile(&values, share)
    }

    /// How many vehicles are described no worse adaptively than by the grid, however that is read.
    pub fn wins(&self) -> usize {
        let better = |case: &&Case| case.adaptive.mean <= case.grid.mean.min(case.bold.mean);
        self.cases.iter().filter(better).count()
    }
}

/// For each model the paper's vehicles, and as many random ones.
pub fn rows(vehicles: u32, seed: u64, batch: &Batch) -> Vec<Row> {
    let mut rows = Vec::new();
    for model in Model::ALL {
        if model != Model::Busy {
            let paper = VEHICLES.map(|(_, place)| case(model, &standing(place)));
            rows.push(Row { model, vehicles: "paper", cases: paper.to_vec() });
        }
        let cases = batch.map(u64::from(vehicles), |index| {
            let vehicle = Random::draw(model, seed, index as u32);
            let case = case(model, &vehicle.outlook());
            (batch.progress)(1);
            case
        });
        rows.push(Row { model, vehicles: "random", cases });
    }
    rows
}

/// How well adaptive sampling does within a number of bytes.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Budget {
    /// Bytes of a bid, at the most.
    pub budget: usize,
    /// The mean error over all vehicles.
    pub mean: f64,
    /// Percent of all points that are missed, the mean over all vehicles.
    pub missed: f64,
    /// The same of those that are promised.
    pub promised: f64,
}

/// Random vehicles under the linear model, with fewer bytes than they could have.
pub fn budgets(vehicles: u32, seed: u64, batch: &Batch) -> Vec<Budget> {
    let (rates, none) = (Model::Linear.rates(), Preferences::none());
    let of = |budget: usize| {
        let errors = batch.map(u64::from(vehicles), |index| {
            let vehicle = Random::draw(Model::Linear, seed, index as u32);
            let outlook = vehicle.outlook();
            let cost = |at_s: f64, heading: f64| truth(&outlook, &rates, &none, at_s, heading);
            let adaptive = Adaptive::fit(SECONDS, budget, |heading| move |at_s| cost(at_s, heading));
            (batch.progress)(1);
            Known::new(cost).errors(adaptive.bytes().len(), |at_s, heading| adaptive.cost(at_s, heading))
        });
        let mean = |of: fn(&Errors) -> f64| stats::mean(&errors.iter().map(of).collect::<Vec<_>>());
        Budget { budget, mean: mean(|e| e.mean), missed: mean(|e| e.missed), promised: mean(|e| e.promised) }
    };
    (3..=10).map(|tens| of(10 * tens)).collect()
}

/// A vehicle somewhere within 60 m of the target's coordinates, at 1 to 4 m/s, that can do the task at all.
struct Random {
    place: Point,
    speed_mps: f64,
    pending: Vec<Pending>,
}

impl Random {
    fn draw(model: Model, seed: u64, index: u32) -> Self {
        let mut stream = Stream::new(seed, Purpose::Arrangement, RobotId(index));
        let around = |stream: &mut Stream| {
            Point::new(TARGET.x + stream.between(-60.0, 60.0), TARGET.y + stream.between(-60.0, 60.0))
        };
        loop {
            let (place, speed_mps) = (around(&mut stream), stream.between(1.0, 4.0));
            let tasks = if model == Model::Busy { 1 + stream.below(2) } else { 0 };
            let pending = (0..tasks).map(|n| {
                let at = Time::from_secs_f64(stream.between(20.0, 50.0) + 45.0 * f64::from(n));
                let (target, heading) = (around(&mut stream), stream.between(0.0, std::f64::consts::TAU));
                Pending { at, corridor: Corridor { target, heading, length_m: LENGTH } }
            });
            let drawn = Self { place, speed_mps, pending: pending.collect() };
            let (rates, none, grid) = (model.rates(), Preferences::none(), Grid::mackenzie_2003());
            if !estimate(&drawn.outlook(), TARGET, LENGTH, Time::ZERO, &grid, &rates, &none).is_infeasible() {
                return drawn;
            }
        }
    }

    fn outlook(&self) -> Outlook<'_> {
        Outlook { speed_mps: self.speed_mps, pending: &self.pending, ..standing(self.place) }
    }
}

fn truth(outlook: &Outlook, rates: &Rates, preferences: &Preferences, at_s: f64, heading: f64) -> Option<f64> {
    let at = Time::from_secs_f64(at_s);
    cost_at(outlook, TARGET, LENGTH, Time::ZERO, rates, preferences, at, heading)
}

/// A vehicle with nothing else to do. The paper's have a speed of 1.
pub(super) fn standing(place: Point) -> Outlook<'static> {
    Outlook { place, free_at: Time::ZERO, speed_mps: 1.0, endurance_m: None, pending: &[], supply: None }
}

fn case(model: Model, outlook: &Outlook) -> Case {
    let (rates, none, grid) = (model.rates(), Preferences::none(), Grid::mackenzie_2003());
    let surface = estimate(outlook, TARGET, LENGTH, Time::ZERO, &grid, &rates, &none);
    let adaptive = Adaptive::estimate(SECONDS, outlook, TARGET, LENGTH, Time::ZERO, &rates, &none);
    let known = Known::new(|at_s, heading| truth(outlook, &rates, &none, at_s, heading));
    let bytes = Quote::sampled(&surface).len();
    Case {
        grid: known.errors(bytes, |at_s, heading| interpolated(&surface, &grid, at_s, heading, false)),
        bold: known.errors(bytes, |at_s, heading| interpolated(&surface, &grid, at_s, heading, true)),
        adaptive: known.errors(adaptive.bytes().len(), |at_s, heading| adaptive.cost(at_s, heading)),
    }
}

/// Bilinear interpolation on a grid. `bold`: of the feasible samples around a point, if the nearest is one of them;
/// otherwise all that have a say must be feasible.
pub fn interpolated(surface: &Surface, grid: &Grid, at_s: f64, heading: f64, bold: bool) -> Option<f64> {
    let along = at_s / grid.step.as_secs_f64();
    let around = (heading.to_degrees() / 360.0).rem_euclid(1.0) * f64::from(grid.headings);
    let (time, turn) = (along.floor(), around.floor());
    let (mut sum, mut weights, mut nearest) = (0.0, 0.0, (0.0, false));
    for (dt, dh) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let share = |at: f64, low: f64, up: u16| if up == 1 { at - low } else { 1.0 - (at - low) };
        let weight = share(along, time, dt) * share(around, turn, dh);
        if weight < 1e-9 {
            continue;
        }
        let sample = surface.get(grid, time as u16 + dt, (turn as u16 + dh) % grid.headings);
        if weight > nearest.0 {
            nearest = (weight, sample.is_some());
        }
        match sample {
            Some(cost) => {
                sum += weight * f64::from(cost) / 100.0;
                weights += weight;
            }
            None if !bold => return None,
            None => {}
        }
    }
    nearest.1.then_some(sum / weights)
}

/// A cost function at every second and every 5 degrees.
struct Known(Vec<Vec<Option<f64>>>);

impl Known {
    fn new(cost: impl Fn(f64, f64) -> Option<f64>) -> Self {
        let slice = |n: u16| {
            let heading = f64::from(n * STEP_DEG).to_radians();
            (0..=SECONDS).map(|second| cost(f64::from(second), heading)).collect()
        };
        Self((0..360 / STEP_DEG).map(slice).collect())
    }

    fn errors(&self, bytes: usize, described: impl Fn(f64, f64) -> Option<f64>) -> Errors {
        let described = Self::new(described);
        let (mut feasible, mut both, mut missed, mut promised) = (0_u32, 0_u32, 0_u32, 0_u32);
        let (mut sum, mut sum_both) = (0.0, 0.0);
        for (truth, described) in self.0.iter().zip(&described.0) {
            for (second, cost) in truth.iter().enumerate() {
                let Some(cost) = cost else {
                    promised += u32::from(described[second].is_some());
                    continue;
                };
                feasible += 1;
                if let Some(described) = described[second] {
                    both += 1;
                    sum_both += (described - cost).abs();
                    continue;
                }
                missed += 1;
                let others = described.iter().enumerate().filter_map(|(other, cost)| Some((other, (*cost)?)));
                let nearest = others.min_by_key(|&(other, _)| other.abs_diff(second));
                sum += (nearest.map_or(0.0, |(_, cost)| cost) - cost).abs();
            }
        }
        sum += sum_both;
        let points = self.0.iter().map(Vec::len).sum::<usize>() as f64;
        let percent = |count: u32| 100.0 * f64::from(count) / points;
        Errors {
            bytes,
            mean: sum / f64::from(feasible.max(1)),
            mean_both: sum_both / f64::from(both.max(1)),
            missed: percent(missed),
            promised: percent(promised),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What adaptive sampling is for: at most 100 bytes, and no worse than the paper's 336, whatever the vehicle.
    #[test]
    fn adaptive_sampling_takes_fewer_bytes_and_is_more_exact() {
        for row in rows(60, 1, &Batch::quiet()) {
            assert!(row.cases.iter().all(|case| case.grid.bytes == 336 && case.adaptive.bytes <= 100));
            assert!(row.mean(|case| case.adaptive.mean) < 0.5 * row.mean(|case| case.grid.mean.min(case.bold.mean)));
            if row.model != Model::Busy {
                assert_eq!(row.wins(), row.cases.len(), "{} {}", row.model.name(), row.vehicles);
            }
        }
    }

    /// More bytes are never worse by much, and about half of the budget is as good as the paper's grid.
    #[test]
    fn fewer_bytes_are_enough_for_the_same_error() {
        let batch = Batch::quiet();
        let grid = rows(40, 1, &batch)[1].mean(|case| case.grid.mean.min(case.bold.mean));
        let budgets = budgets(40, 1, &batch);
        assert!(budgets.iter().any(|budget| budget.budget <= 70 && budget.mean <= grid), "{grid} {budgets:?}");
    }

    /// The measure itself, on a grid that is the truth: at its own samples it is right.
    #[test]
    fn a_sample_is_exact_and_the_middle_is_between() {
        let grid = Grid::mackenzie_2003();
        let mut samples = vec![1_000; grid.len()];
        samples[8] = 3_000;
        samples[9] = Surface::INFEASIBLE;
        let surface = Surface::new(samples);
        assert_eq!(interpolated(&surface, &grid, 5.0, 0.0, false), Some(30.0));
        assert_eq!(interpolated(&surface, &grid, 2.5, 0.0, false), Some(20.0));
        let beside = 10_f64.to_radians();
        assert_eq!(interpolated(&surface, &grid, 5.0, beside, false), None);
        let bold = interpolated(&surface, &grid, 5.0, beside, true);
        assert!(bold.is_some_and(|cost| (cost - 30.0).abs() < 1e-9), "{bold:?}");
        assert_eq!(interpolated(&surface, &grid, 5.0, 40_f64.to_radians(), true), None);
    }

    /// A point that is missed costs what the nearest time costs.
    #[test]
    fn errors_are_counted_as_defined() {
        let truth = Known::new(|at_s, _| (at_s >= 10.0).then_some(2.0 * at_s));
        let late = truth.errors(0, |at_s, _| (at_s >= 12.0).then_some(2.0 * at_s));
        let early = truth.errors(0, |at_s, _| (at_s >= 9.0).then_some(2.0 * at_s + 1.0));
        assert!((late.mean - (4.0 + 2.0) / 91.0).abs() < 1e-9 && late.mean_both == 0.0);
        assert!((late.missed - 200.0 / 101.0).abs() < 1e-9 && late.promised == 0.0);
        assert!((early.mean - 1.0).abs() < 1e-9 && early.missed == 0.0);
        assert!((early.promised - 100.0 / 101.0).abs() < 1e-9);
    }
}
