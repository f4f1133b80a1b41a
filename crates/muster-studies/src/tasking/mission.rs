//! The example mission: who, when, on which heading, at which cost; the optimum and what comes next.

use std::sync::Arc;

use muster_core::tasking::assigner::{self, Constraint, INFEASIBLE, Problem};
use muster_core::tasking::cost::{self, Outlook};
use muster_core::tasking::{Step, Tasking, Variant};
use muster_core::{Event, Note, RobotId};
use muster_sim::scenario::{self, Loaded, ScenarioError};
use muster_sim::{Origin, Scheme, Sim};
use serde::Serialize;

use crate::batch::Batch;
use crate::run::{self, Row};

/// The mission of one scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Mission {
    /// Which scenario.
    pub scenario: &'static str,
    /// What the LEAD asks bids for, line by line as in Figure 3.
    pub solicitation: Vec<String>,
    /// As it was flown, fenced.
    pub flown: Row,
    /// As it was flown, as drawn.
    pub drawn: Row,
    /// The least cost of all assignments.
    pub optimum: f64,
    /// The least cost of all others.
    pub second: f64,
    /// The optimum if couplings hold no headings apart.
    pub without_headings: f64,
}

/// Flies a built-in scenario and looks at its assignment problem.
pub fn mission(name: &'static str, seed: u64) -> Result<Mission, ScenarioError> {
    let loaded = Arc::new(scenario::load(name, &[])?);
    // Some milliseconds: carried through even if the study is being broken off.
    let fly = |variant: Variant| {
        let flown = run::run(&Origin::new(loaded.clone(), Scheme::Tasking(variant), seed), &Batch::quiet());
        flown.expect("nobody calls a halt")
    };
    let (flown, drawn) = (fly(Variant::Fenced), fly(Variant::Drawn));
    let mut problem = Posed::of(&loaded);
    let (optimum, choices) = problem.solve(true);
    // Any other assignment differs in at least one choice: forbid each in turn.
    let second = (0..choices.len()).filter_map(|task| {
        let at = problem.index(task, choices[task]);
        let kept = std::mem::replace(&mut problem.costs[at], INFEASIBLE);
        let (cost, _) = problem.solve(true);
        problem.costs[at] = kept;
        cost
    });
    let second = second.min().map_or(f64::NAN, units);
    let without_headings = problem.solve(false).0.map_or(f64::NAN, units);
    let solicitation = solicitation(&loaded, seed);
    let optimum = optimum.map_or(f64::NAN, units);
    Ok(Mission { scenario: name, solicitation, flown, drawn, optimum, second, without_headings })
}

/// The first solicitation of a run.
fn solicitation(loaded: &Loaded, seed: u64) -> Vec<String> {
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
    let line = |note: &Note| match &note.event {
        Event::Tasking { task, step: Step::Solicited { index, member, .. } } => {
            Some(member.solicited(usize::from(*index), &loaded.task_names[task.index()]))
        }
        _ => None,
    };
    sim.start();
    sim.run_until(|sim| sim.notes().iter().any(|note| line(note).is_some()));
    sim.notes().iter().filter_map(line).collect()
}

fn units(hundredths: u64) -> f64 {
    hundredths as f64 / 100.0
}

/// The bids of all vehicles for all phases, and what couples these.
struct Posed {
    times: Vec<i64>,
    headings: Vec<i64>,
    vehicles: usize,
    costs: Vec<u32>,
    constraints: Vec<Constraint>,
    tasks: usize,
}

impl Posed {
    fn of(loaded: &Loaded) -> Self {
        let (config, vehicles) = loaded.tasking(Variant::Fenced);
        let grid = &config.grid;
        let able: Vec<usize> = (0..vehicles.len()).filter(|index| !vehicles[*index].console).collect();
        let template = config.templates.values().next();
        let tasks = loaded.mission.tasks.len();
        let mut costs = Vec::new();
        for task in &loaded.mission.tasks {
            for &vehicle in &able {
                let spec = &loaded.mission.robots[vehicle];
                let t0 = muster_core::Time::ZERO;
                let outlook = Outlook {
                    place: spec.place.unwrap_or_default(),
                    free_at: t0,
                    speed_mps: spec.speed_mps,
                    endurance_m: None,
                    pending: &[],
                    supply: None,
                };
                let own = &vehicles[vehicle];
                let target = task.place.unwrap_or_default();
                let surface =
                    cost::estimate(&outlook, target, config.corridor_m, t0, grid, &own.rates, &own.preferences);
                costs.extend_from_slice(surface.samples());
            }
        }
        let constraints = template.map_or_else(Vec::new, |template| {
            let of = |it: &muster_core::tasking::group::Coupling| Constraint {
                a: usize::from(it.a),
                b: usize::from(it.b),
                dt_min: it.dt_min,
                dt_max: it.dt_max,
                dh_min: i64::from(it.dh_min),
                dh_max: i64::from(it.dh_max),
            };
            template.couplings.iter().map(of).collect()
        });
        let thousandths = |n: u16| (grid.heading_deg(n) * 1_000.0).round() as i64;
        Self {
            times: (0..grid.times).map(|n| grid.time(n).as_micros() as i64).collect(),
            headings: (0..grid.headings).map(thousandths).collect(),
            vehicles: able.len(),
            costs,
            constraints,
            tasks,
        }
    }

    fn index(&self, task: usize, choice: assigner::Choice) -> usize {
        let samples = self.times.len() * self.headings.len();
        (task * self.vehicles + choice.vehicle) * samples + choice.time * self.headings.len() + choice.heading
    }

    fn solve(&self, headings: bool) -> (Option<u64>, Vec<assigner::Choice>) {
        let loose = |it: &Constraint| if headings { *it } else { Constraint { dh_min: 0, dh_max: 180_000, ..*it } };
        let constraints = self.constraints.iter().map(loose).collect();
        let (times, compass, costs) = (self.times.clone(), self.headings.clone(), self.costs.clone());
        match Problem::with_turn(360_000, self.tasks, self.vehicles, times, compass, costs, constraints) {
            Ok(problem) => {
                let answer = assigner::assign(&problem, u64::MAX);
                (answer.cost, answer.assignment)
            }
            Err(_) => (None, Vec::new()),
        }
    }
}
