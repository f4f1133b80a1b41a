//! `hotspot` with a vehicle to spare, whose dropper stops at any moment: what the protocol makes of it, beside a planner that
//! knows all positions one `t_status` after the stop.
//!
//! The planner ([`planner`](super::planner)) keeps to the rules of the assigner: each phase has a vehicle of its own, headings
//! are those that are bid for, and couplings hold. It may let verify stand if the drop comes in time for it, or have it flown
//! again once it is older than [`FRESH`].

use muster_core::rng::Stream;
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::group::{Coupling, Template};
use muster_core::tasking::{Step, Tasking, Variant};
use muster_core::{Duration, Event, Note, RobotId, TaskId, Time};
use muster_sim::Sim;
use muster_sim::ledger::Pass;
use muster_sim::scenario::{self, Loaded, ScenarioError};
use serde::Serialize;

use super::planner::{Phase, Plan, Vehicle, Wish, plan};
use crate::batch::Batch;
use crate::flown::is_kept;
pub(super) use crate::flown::thousandths;
use crate::stats::quantile;
use crate::verdict::Interval;

/// The dropper stops at so many moments, from shortly after the auction until shortly before the drop.
pub const MOMENTS: u64 = 30;
const FIRST_S: f64 = 4.5;
const LAST_S: f64 = 32.5;
/// A verify that is older is flown again. Ours.
pub const FRESH: Duration = Duration::from_secs(30);
/// The planner has no horizon; this is beyond every plan.
const FOR_EVER: Duration = Duration::from_secs(3_600);

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Spare {
    /// Runs.
    pub runs: usize,
    /// Runs in which no phase was flown before one that comes before it.
    pub in_order: usize,
    /// Runs in which every phase was flown.
    pub finished: usize,
    /// Runs in which the planner keeps every window.
    pub possible: usize,
    /// Of these, runs in which the protocol has kept them.
    pub kept: usize,
    /// How much later than by the planner the last phase is flown: the median, and the ends of its interval. Seconds; a run
    /// that did not finish is later than any.
    pub delay_s: [f64; 3],
    /// Medians of its parts.
    pub parts: Parts,
    /// By moment of the stop.
    pub moments: Vec<Moment>,
    /// Some runs that did not keep order or windows.
    pub failing: Vec<String>,
}

/// Where the time goes, in seconds.
#[derive(Copy, Clone, Debug, Default, Serialize)]
pub struct Parts {
    /// From the stop until somebody challenges, or misses an Accept.
    pub noticing: f64,
    /// From there until somebody leads what was lost.
    pub electing: f64,
    /// From there until the plan that was flown is made.
    pub auctioning: f64,
    /// From there to the last deed.
    pub flying: f64,
    /// The planner's whole time, from the stop to the last deed.
    pub planner: f64,
}

/// Runs with the stop at one moment.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Moment {
    /// When the dropper stops.
    pub at_s: f64,
    /// Runs.
    pub runs: usize,
    /// Windows kept.
    pub kept: usize,
    /// Of so many in which the planner could.
    pub possible: usize,
    /// Median delay of the end against the planner.
    pub delay_s: f64,
}

/// One run.
#[derive(Clone, Debug)]
struct Flown {
    at_s: f64,
    seed: u64,
    in_order: bool,
    finished: bool,
    kept: bool,
    planned: Option<Time>,
    delay_s: f64,
    parts: Parts,
}

/// Makes `runs` runs for each moment.
pub fn spare(seed: u64, runs: u64, batch: &Batch<'_>) -> Result<Spare, ScenarioError> {
    let at_s = |moment: u64| FIRST_S + (LAST_S - FIRST_S) * moment as f64 / (MOMENTS - 1) as f64;
    let missions: Vec<Loaded> = (0..MOMENTS).map(|moment| stopping(at_s(moment))).collect::<Result<_, _>>()?;
    let flown = batch.map(MOMENTS * runs, |index| {
        let moment = index / runs;
        let flown = fly(&missions[moment as usize], at_s(moment), Stream::seed_of_run(seed, index % runs));
        (batch.progress)(1);
        flown
    });
    Ok(Spare::of(&flown))
}

/// What the scenario is with a spare vehicle and a dropper that stops.
fn changes(at_s: f64) -> [String; 2] {
    [
        "robots.doug5={speed_mps=50,place=[600,500]}".to_owned(),
        format!("faults=[{{robot=\"doug2\",at_s={at_s:.3},kind=\"stop\"}}]"),
    ]
}

fn stopping(at_s: f64) -> Result<Loaded, ScenarioError> {
    scenario::load("hotspot", &changes(at_s))
}

impl Spare {
    fn of(flown: &[Flown]) -> Self {
        let count = |of: &dyn Fn(&Flown) -> bool| flown.iter().filter(|it| of(it)).count();
        let sorted = |of: &dyn Fn(&Flown) -> f64| {
            let mut sample: Vec<f64> = flown.iter().map(of).collect();
            sample.sort_by(f64::total_cmp);
            sample
        };
        let median = |of: &dyn Fn(&Flown) -> f64| quantile(&sorted(of), 0.5);
        let delays = sorted(&|it| it.delay_s);
        let mut moments: Vec<f64> = flown.iter().map(|it| it.at_s).collect();
        moments.sort_by(f64::total_cmp);
        moments.dedup();
        let moment = |at_s: f64| {
            let of: Vec<Flown> = flown.iter().filter(|it| it.at_s == at_s).cloned().collect();
            let mut delays: Vec<f64> = of.iter().map(|it| it.delay_s).collect();
            delays.sort_by(f64::total_cmp);
            Moment {
                at_s,
                runs: of.len(),
                kept: of.iter().filter(|it| it.kept && it.planned.is_some()).count(),
                possible: of.iter().filter(|it| it.planned.is_some()).count(),
                delay_s: quantile(&delays, 0.5),
            }
        };
        let failing = flown.iter().filter(|it| !it.in_order || (it.planned.is_some() && !it.kept)).map(|it| {
            let [spare, stops] = changes(it.at_s);
            format!("muster run hotspot --seed {} --set '{spare}' --set '{stops}'", it.seed)
        });
        Self {
            runs: flown.len(),
            in_order: count(&|it| it.in_order),
            finished: count(&|it| it.finished),
            possible: count(&|it| it.planned.is_some()),
            kept: count(&|it| it.planned.is_some() && it.kept),
            delay_s: median_of(&delays),
            parts: Parts {
                noticing: median(&|it| it.parts.noticing),
                electing: median(&|it| it.parts.electing),
                auctioning: median(&|it| it.parts.auctioning),
                flying: median(&|it| it.parts.flying),
                planner: median(&|it| it.parts.planner),
            },
            moments: moments.into_iter().map(moment).collect(),
            failing: failing.take(10).collect(),
        }
    }

    /// The median delay with its interval.
    pub fn delay(&self) -> Interval {
        let [value, low, high] = self.delay_s;
        Interval { value, low, high }
    }
}

/// The median of a sorted sample, and the ends of its 95 % interval: of the ranks, not of any distribution.
fn median_of(sorted: &[f64]) -> [f64; 3] {
    let n = sorted.len() as f64;
    let share = |ranks: f64| (0.5 + ranks / n.max(1.0)).clamp(0.0, 1.0);
    let half = 0.98 * n.sqrt();
    [quantile(sorted, 0.5), quantile(sorted, share(-half)), quantile(sorted, share(half))]
}

fn fly(loaded: &Loaded, at_s: f64, seed: u64) -> Flown {
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let template = config.templates.values().next().expect("hotspot has a template");
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
    sim.start();
    let stop = Time::ZERO + Duration::from_secs_f64(at_s);
    let known = stop + config.status;
    sim.run_until(|sim| sim.is_over() || sim.next_at().is_none_or(|at| at > known));
    let planned = planned(&sim, template, &|robot| vehicles[robot.index()].console, known, config.corridor_m);
    sim.run_until(Sim::is_over);
    let passes = sim.ledger().passes();
    let tasks = template.phases.len();
    let first = |index: usize| passes.iter().find(|pass| pass.task.index() == index).map(|pass| pass.at);
    let before = |a: usize, b: usize| first(b).is_none_or(|b| first(a).is_some_and(|a| a < b));
    let in_order = (0..tasks).all(|b| template.before(b).iter().all(|a| before(a, b)));
    let finished = (0..tasks).all(|index| first(index).is_some());
    let end = passes.iter().map(|pass| pass.at).max().filter(|_| finished);
    let delay_s = match (end, &planned) {
        (Some(end), Some(plan)) => end.as_secs_f64() - plan.end.as_secs_f64(),
        _ => f64::INFINITY,
    };
    let mut parts = parts(sim.notes(), stop, end);
    parts.planner = planned.as_ref().map_or(f64::INFINITY, |plan| plan.end.as_secs_f64() - at_s);
    let kept = finished && in_windows(passes, (TaskId(0), &template.couplings), &mut vec![None; tasks], 0);
    Flown { at_s, seed, in_order, finished, kept, planned: planned.map(|plan| plan.end), delay_s, parts }
}

/// The plan of somebody who knows where everybody is at `known`.
fn planned(
    sim: &Sim<'_, Tasking, ()>,
    template: &Template,
    console: &dyn Fn(RobotId) -> bool,
    known: Time,
    corridor_m: f64,
) -> Option<Plan> {
    let passes = sim.ledger().passes();
    let place = |task: TaskId| sim.ledger().record(task).map_or_else(Default::default, |record| record.task.place);
    let able: Vec<RobotId> =
        sim.bodies().iter().map(|body| body.id).filter(|robot| !console(*robot) && sim.is_up(*robot)).collect();
    let vehicles: Vec<Vehicle> = able
        .iter()
        .map(|robot| {
            let body = &sim.bodies()[robot.index()];
            let out = passes.iter().rev().find(|pass| pass.robot == *robot).map(|pass| {
                let corridor = Corridor { target: place(pass.task), heading: pass.heading, length_m: corridor_m };
                (corridor.exit(), pass.at + Duration::from_secs_f64(corridor_m / body.speed_mps))
            });
            let outbound = out.filter(|(_, free)| *free > known);
            let (place, free_at) = outbound.unwrap_or_else(|| (body.place(known), known));
            let next = sim.machines()[robot.index()].held().first().map(|held| held.corridor);
            let inbound = next.filter(|_| outbound.is_none());
            Vehicle { place, free_at, speed_mps: body.speed_mps, inbound, pending: Vec::new() }
        })
        .collect();
    let flown = |index: usize| {
        let pass = passes.iter().find(|pass| pass.task.index() == index)?;
        let vehicle = able.iter().position(|robot| *robot == pass.robot).unwrap_or(usize::MAX);
        Some((pass.at, thousandths(pass), vehicle))
    };
    let phase =
        |index: usize| Phase { place: place(TaskId(index as u32)), flown: flown(index), not_before: Time::ZERO };
    let wish = Wish {
        phases: (0..template.phases.len()).map(phase).collect(),
        couplings: &template.couplings,
        corridor_m,
        headings: 8,
        until: known + FOR_EVER,
        distinct: true,
    };
    let mut again = wish.clone();
    for phase in &mut again.phases {
        if let Some((at, ..)) = phase.flown.take() {
            phase.not_before = at + FRESH;
        }
    }
    [wish, again].iter().filter_map(|wish| plan(&vehicles, wish, false)).min_by_key(|plan| plan.end)
}

/// Some flights, one over each target of the group with this first task, are tied together as its couplings say.
pub(super) fn in_windows<'a>(
    passes: &'a [Pass],
    (first, couplings): (TaskId, &[Coupling]),
    chosen: &mut Vec<Option<&'a Pass>>,
    index: usize,
) -> bool {
    if index == chosen.len() {
        let of = |phase: u8| chosen[usize::from(phase)];
        let kept = |it: &Coupling| of(it.a).zip(of(it.b)).is_some_and(|(a, b)| is_kept(it, a, b));
        return couplings.iter().all(kept);
    }
    passes.iter().filter(|pass| pass.task.index() == first.index() + index).any(|pass| {
        chosen[index] = Some(pass);
        in_windows(passes, (first, couplings), chosen, index + 1)
    })
}

/// Where the time went, by what nodes noted.
fn parts(notes: &[Note], stop: Time, end: Option<Time>) -> Parts {
    let steps = || {
        notes.iter().filter(|note| note.at >= stop).filter_map(|note| match &note.event {
            Event::Tasking { step, .. } => Some((note.at, step)),
            _ => None,
        })
    };
    let noticed = steps().find_map(|(at, step)| {
        let notices =
            matches!(step, Step::Challenged { double: false, .. } | Step::Deleted { .. } | Step::Leads { .. });
        notices.then_some(at)
    });
    let noticed = noticed.unwrap_or(stop);
    let led = steps().find_map(|(at, step)| {
        let leads = matches!(step, Step::Leads { .. } | Step::Deleted { .. });
        (at >= noticed && leads).then_some(at)
    });
    let led = led.unwrap_or(noticed);
    let end = end.unwrap_or(Time::NEVER);
    let assigned = steps().rfind(|(at, step)| *at <= end && matches!(step, Step::Assigned { .. }));
    let assigned = assigned.map_or(led, |(at, _)| at).max(led);
    let between = |from: Time, to: Time| if to == Time::NEVER { f64::INFINITY } else { to.since(from).as_secs_f64() };
    Parts {
        noticing: between(stop, noticed),
        electing: between(noticed, led),
        auctioning: between(led, assigned),
        flying: between(assigned, end),
        planner: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A planner finds a plan whenever the dropper stops, and nobody who keeps the windows is there before it.
    #[test]
    fn nobody_is_there_before_the_planner() {
        let spare = spare(1, 1, &Batch::quiet()).expect("it loads");
        assert_eq!((spare.runs, spare.possible), (30, 30));
        let mut kept = spare.moments.iter().filter(|moment| moment.kept > 0);
        assert!(kept.all(|moment| moment.delay_s > -0.01), "{spare:?}");
        assert!(spare.kept <= spare.finished && spare.finished > 0, "{spare:?}");
    }

    #[test]
    fn windows_are_looked_for_among_all_flights() {
        let loaded = stopping(20.0).unwrap();
        let (config, _) = loaded.tasking(Variant::Fenced);
        let template = config.templates.values().next().unwrap();
        let pass = |task: u32, at_s: u64, heading_deg: f64| Pass {
            task: TaskId(task),
            robot: RobotId(1),
            at: Time::ZERO + Duration::from_secs(at_s),
            heading: heading_deg.to_radians(),
            again: false,
        };
        let kept = |passes: &[Pass]| in_windows(passes, (TaskId(0), &template.couplings), &mut vec![None; 3], 0);
        let late = [pass(0, 28, 180.0), pass(1, 63, 45.0), pass(2, 68, 270.0)];
        assert!(!kept(&late));
        let again = [&late[..], &[pass(0, 57, 180.0)]].concat();
        assert!(kept(&again), "verify was flown again");
        assert!(!kept(&[&late[..], &[pass(0, 57, 45.0)]].concat()), "on the drop's heading");
    }
}
