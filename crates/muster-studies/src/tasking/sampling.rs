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
use muster_core::tasking::cost::{Grid, Outlook, Pending, Preferences, Rates, Surface, cost_at, estimate};
use muster_core::tasking::sampling::Adaptive;
use muster_core::{Duration, Point, Time};

use super::figures::{LENGTH, TARGET, VEHICLES};
use crate::stats;

const SECONDS: u16 = 100;
const STEP_DEG: u16 = 5;
/// The curved model: what the square of a second waited costs. Not the paper's, whose waiting costs are linear.
const CURVE: f64 = 0.01;

/// How a description compares with the truth.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
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
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Case {
    /// The paper's grid, feasible only where all samples around a point are.
    pub grid: Errors,
    /// The same grid read more boldly: feasible where the nearest sample is, and the feasible ones interpolated.
    pub bold: Errors,
    /// Adaptive sampling.
    pub adaptive: Errors,
}

/// What cost functions are like.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq)]
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

/// The paper's vehicles, then as many random ones, for each model.
pub fn rows(vehicles: u32, seed: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for model in Model::ALL {
        if model != Model::Busy {
            let paper = VEHICLES.map(|(_, place)| case(model, &Outlook { speed_mps: 1.0, ..standing(place) }));
            rows.push(Row { model, vehicles: "paper", cases: paper.to_vec() });
        }
        let mut stream = Stream::of_run(seed, Purpose::Arrangement);
        let mut cases = Vec::new();
        while cases.len() < vehicles as usize {
            let around = |stream: &mut Stream| {
                Point::new(TARGET.x + stream.between(-60.0, 60.0), TARGET.y + stream.between(-60.0, 60.0))
            };
            let place = around(&mut stream);
            let speed_mps = stream.between(1.0, 4.0);
            let mut pending = Vec::new();
            if model == Model::Busy {
                for n in 0..=stream.below(2) {
                    let at = Time::from_secs_f64(stream.between(20.0, 50.0) + 45.0 * f64::from(n));
                    let heading = stream.between(0.0, std::f64::consts::TAU);
                    pending.push(Pending {
                        at,
                        corridor: Corridor { target: around(&mut stream), heading, length_m: LENGTH },
                    });
                }
            }
            let outlook = Outlook { speed_mps, pending: &pending, ..standing(place) };
            // A vehicle that can do nothing has nothing to describe.
            let bid = estimate(
                &outlook,
                TARGET,
                LENGTH,
                Time::ZERO,
                &Grid::mackenzie_2003(),
                &model.rates(),
                &Preferences::none(),
            );
            if !bid.is_infeasible() {
                cases.push(case(model, &outlook));
            }
        }
        rows.push(Row { model, vehicles: "random", cases });
    }
    rows
}

fn standing(place: Point) -> Outlook<'static> {
    Outlook { place, free_at: Time::ZERO, speed_mps: 1.0, endurance_m: None, pending: &[] }
}

fn case(model: Model, outlook: &Outlook) -> Case {
    let (rates, none, grid) = (model.rates(), Preferences::none(), Grid::mackenzie_2003());
    let truth = |at_s: f64, heading: f64| {
        let at = Time::ZERO + Duration::from_secs_f64(at_s);
        cost_at(outlook, TARGET, LENGTH, Time::ZERO, &rates, &none, at, heading)
    };
    let surface = estimate(outlook, TARGET, LENGTH, Time::ZERO, &grid, &rates, &none);
    let adaptive = Adaptive::estimate(outlook, TARGET, LENGTH, Time::ZERO, &rates, &none);
    let known = Known::new(truth);
    Case {
        grid: known.errors(surface.bytes().len(), |at_s, heading| interpolated(&surface, &grid, at_s, heading, false)),
        bold: known.errors(surface.bytes().len(), |at_s, heading| interpolated(&surface, &grid, at_s, heading, true)),
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
