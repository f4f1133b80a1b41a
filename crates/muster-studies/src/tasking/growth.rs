//! Claim 3 over teams, tasks and times: L = T(2V + 3) + t_dur T / t_status + T, as printed, beside what is counted.
//!
//! V is the number of vehicles, as the paper has it, the one that leads included.

use std::cell::RefCell;
use std::collections::BTreeMap;

use muster_core::rng::Stream;
use muster_core::tasking::{Step, Tasking, Variant};
use muster_core::{Duration, Event, RobotId, TaskId};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use muster_sim::{AnyObserver, Sim};
use serde::Serialize;

use super::load::INJECTION;
use super::trial::{Counts, Tasks, mesh};
use crate::batch::Batch;
use crate::stats;
use crate::verdict::Interval;

/// What is varied, all else being one task of five vehicles.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Along {
    /// T: single tasks, five seconds apart.
    Tasks,
    /// V: vehicles.
    Vehicles,
    /// `t_dur`: vehicles may not do the task before so many seconds from `t0`.
    Duration,
    /// T again: one group of three phases, auctioned at once.
    Group,
    /// T and V together: for what the fixes cost beside the protocol as drawn.
    Both,
}

impl Along {
    /// Those that are a line of a plot, with what their axis says.
    pub const AXES: [(Self, &'static str); 3] = [
        (Self::Tasks, "T, tasks (five vehicles)"),
        (Self::Vehicles, "V, vehicles (one task)"),
        (Self::Duration, "t_dur, seconds pending (one task, five vehicles)"),
    ];
}

/// Messages of one point of the grid.
#[derive(Clone, Debug, Serialize)]
pub struct Load {
    /// What is varied.
    pub along: Along,
    /// T.
    pub tasks: u32,
    /// V.
    pub vehicles: u32,
    /// Runs under each variant.
    pub runs: u64,
    /// `t_dur`: how long a task is pending on average, as drawn, in seconds.
    pub pending_s: f64,
    /// L as printed, for these.
    pub formula: f64,
    /// What was counted, by variant.
    pub counted: Vec<Counted>,
}

/// Messages under one variant: means over runs.
#[derive(Clone, Debug, Serialize)]
pub struct Counted {
    /// Name of the variant.
    pub variant: &'static str,
    /// From the solicitation until `t_status` after the last deed: what the formula is about.
    pub messages: f64,
    /// Before that, for the task to be injected: the formula has none of these.
    pub injection: f64,
    /// All of them until 900 s after the last deed.
    pub settled: f64,
    /// What the formula is about, as a share of what it says: run by run, with the 95 % interval of its mean.
    pub of_formula: Interval,
}

impl Load {
    /// What is varied, as a number.
    pub fn at(&self) -> f64 {
        match self.along {
            Along::Tasks | Along::Group | Along::Both => f64::from(self.tasks),
            Along::Vehicles => f64::from(self.vehicles),
            Along::Duration => self.pending_s,
        }
    }

    /// What was counted under a variant.
    pub fn of(&self, variant: Variant) -> Option<&Counted> {
        self.counted.iter().find(|counted| counted.variant == variant.name())
    }
}

/// T, V, and the seconds before which nobody may do it.
const GRID: [Point; 14] = [
    (Along::Tasks, 1, 5, 0),
    (Along::Tasks, 2, 5, 0),
    (Along::Tasks, 4, 5, 0),
    (Along::Tasks, 6, 5, 0),
    (Along::Vehicles, 1, 3, 0),
    (Along::Vehicles, 1, 5, 0),
    (Along::Vehicles, 1, 10, 0),
    (Along::Vehicles, 1, 15, 0),
    (Along::Vehicles, 1, 20, 0),
    (Along::Duration, 1, 5, 20),
    (Along::Duration, 1, 5, 40),
    (Along::Duration, 1, 5, 60),
    (Along::Duration, 1, 5, 85),
    (Along::Group, 3, 5, 0),
];
/// T, and V for each, of [`Along::Both`].
const BOTH: ([u32; 6], [u32; 4]) = ([1, 2, 3, 4, 5, 6], [3, 6, 10, 20]);
/// So few vehicles that the LEAD's own bid is a tenth of the load.
pub const FEW: u32 = 3;
/// How long after the last deed a team is still listened to.
const SETTLES: Duration = Duration::from_secs(900);

/// A point of the grid: what is varied, T, V, and the seconds before which nobody may do it.
type Point = (Along, u32, u32, u32);

/// How many seeds each point has.
#[derive(Copy, Clone, Debug)]
pub struct Seeds {
    /// Along one axis.
    pub along_one: u64,
    /// Along T and V together: they are many, and differ little.
    pub along_both: u64,
    /// With [`FEW`] vehicles, whose share of the formula lies so close to the bound that it takes more to tell.
    pub few: u64,
}

impl Seeds {
    fn of(&self, (along, _, vehicles, _): Point) -> u64 {
        if vehicles <= FEW {
            return self.few;
        }
        match along {
            Along::Both => self.along_both,
            _ => self.along_one,
        }
    }
}

/// All points.
fn points() -> impl Iterator<Item = Point> {
    let (tasks, vehicles) = BOTH;
    let both = vehicles.into_iter().flat_map(move |v| tasks.map(|t| (Along::Both, t, v, 0)));
    GRID.into_iter().chain(both)
}

/// Runs that [`growth`] makes.
pub fn runs_in(seeds: &Seeds) -> u64 {
    Variant::ALL.len() as u64 * points().map(|point| seeds.of(point)).sum::<u64>()
}

/// Counts messages on the grid.
pub fn growth(seed: u64, seeds: &Seeds, batch: &Batch<'_>) -> Result<Vec<Load>, ScenarioError> {
    let mut loads = Vec::new();
    for point in points() {
        let (along, tasks, vehicles, _) = point;
        let runs = seeds.of(point);
        let mut load = Load { along, tasks, vehicles, runs, pending_s: 0.0, formula: 0.0, counted: Vec::new() };
        // As drawn, which is the first: what is pending there is what the formula is reckoned with.
        let mut formulas = Vec::new();
        for variant in Variant::ALL {
            let loaded = mission(point, variant)?;
            let runs = batch.map(runs, |run| {
                let counted = count(&loaded, variant, Stream::seed_of_run(seed, run));
                (batch.progress)(1);
                counted
            });
            let mean = |of: fn(&Run) -> f64| stats::mean(&runs.iter().map(of).collect::<Vec<_>>());
            if variant == Variant::Drawn {
                let status_s = loaded.tasking(variant).0.status.as_secs_f64();
                load.pending_s = mean(|run| run.pending_s);
                load.formula = formula(tasks, vehicles, load.pending_s / status_s);
                formulas = runs.iter().map(|run| formula(tasks, vehicles, run.pending_s / status_s)).collect();
            }
            let shares: Vec<f64> = runs.iter().zip(&formulas).map(|(run, formula)| run.messages / formula).collect();
            load.counted.push(Counted {
                variant: variant.name(),
                messages: mean(|run| run.messages),
                injection: mean(|run| run.injection),
                settled: mean(|run| run.settled),
                of_formula: Interval::new(stats::mean(&shares), stats::sd(&shares) / (shares.len() as f64).sqrt()),
            });
        }
        loads.push(load);
    }
    Ok(loads)
}

/// L, with `t_dur` counted in `t_status`.
pub fn formula(tasks: u32, vehicles: u32, pending: f64) -> f64 {
    let (tasks, vehicles) = (f64::from(tasks), f64::from(vehicles));
    tasks * (2.0 * vehicles + 3.0) + pending * tasks + tasks
}

fn mission((along, tasks, vehicles, not_before_s): Point, variant: Variant) -> Result<Loaded, ScenarioError> {
    let mut text = mesh(if along == Along::Group { Tasks::Group } else { Tasks::Single });
    if along != Along::Group {
        for task in 1..tasks {
            text += &format!("\n[tasks.look-{task}]\nat_s = {}\norder = {{ by = \"console\" }}\n", 1 + 5 * task);
        }
    }
    let mut changes = vec![
        "limit_h=0.5".to_owned(),
        // As drawn PEERs of twenty vehicles have to wait out a silent LEAD; all points get the same times.
        "tasking.t_claims_s=2.5".to_owned(),
        "tasking.t_win_s=2.5".to_owned(),
        "tasking.t_peer_s=22".to_owned(),
        format!("tasking.variant={}", variant.name()),
        format!("robots.v.count={vehicles}"),
    ];
    if not_before_s > 0 {
        changes.push(format!("tasking.vehicles.all.times=[{{from_s=0,to_s={not_before_s}}}]"));
    }
    scenario::parse("mesh", "tasking_mesh.toml", &text, &changes)
}

/// One run.
struct Run {
    messages: f64,
    injection: f64,
    settled: f64,
    pending_s: f64,
}

fn count(loaded: &Loaded, variant: Variant, seed: u64) -> Run {
    let (config, machines) = loaded.tasking(variant);
    let machine = |robot: RobotId| Tasking::new(config.clone(), machines[robot.index()].clone());
    let counts = RefCell::new(Counts::default());
    let onlooker: AnyObserver<'_, Tasking> = &counts;
    let mut sim = Sim::new(&loaded.mission, seed, machine, onlooker).with_notes();
    sim.start();
    sim.run_until(|sim| sim.ledger().all_served() && sim.now() >= sim.ledger().last_served() + config.status);
    let of = |names: &[&str]| counts.borrow().sum(names) as f64;
    let (all, injection) = (counts.borrow().all() as f64, of(&INJECTION));
    // From when somebody had it in its queue until it was done.
    let mut held = BTreeMap::<TaskId, _>::new();
    for note in sim.notes() {
        if let Event::Tasking { task, step: Step::Holds { .. } } = note.event {
            held.entry(task).or_insert(note.at);
        }
    }
    let pending = |(task, held): (&TaskId, &muster_core::Time)| {
        let (served, _) = sim.ledger().record(*task)?.served?;
        Some(served.since(*held).as_secs_f64())
    };
    let pending: Vec<f64> = held.iter().filter_map(pending).collect();
    sim.run_until(|sim| sim.now() >= sim.ledger().last_served() + SETTLES);
    Run {
        messages: all - injection,
        injection,
        settled: counts.borrow().all() as f64,
        pending_s: stats::mean(&pending),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [MacKenzie §2.1] T = 2, V = 5, pending for 20 reports each: 2 x 13 + 40 + 2.
    #[test]
    fn the_formula_as_printed() {
        assert_eq!(formula(2, 5, 20.0), 68.0);
        assert_eq!(formula(1, 3, 0.0), 10.0);
    }

    /// More tasks, more vehicles and more time take more messages, as drawn and by the formula alike.
    #[test]
    fn the_load_grows_as_the_formula_does() {
        let of = |point| {
            let run = count(&mission(point, Variant::Drawn).expect("it loads"), Variant::Drawn, 1);
            assert!(run.settled >= run.messages + run.injection && run.pending_s > 0.0);
            (run.messages, formula(point.1, point.2, run.pending_s))
        };
        let one = of((Along::Tasks, 1, 5, 0));
        for more in [(Along::Tasks, 4, 5, 0), (Along::Vehicles, 1, 10, 0), (Along::Duration, 1, 5, 85)] {
            let more = of(more);
            assert!(more.0 > one.0 && more.1 > one.1, "{more:?} against {one:?}");
        }
    }
}
