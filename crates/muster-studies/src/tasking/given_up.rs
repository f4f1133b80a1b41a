//! What groups gave up, and whether they had to: small missions drawn from the seed, beside exhaustive search.
//!
//! An order is given up if any of it is never flown, or if its LEAD gives up what ties it together and it is not flown as tied.
//! That was possible if, at `t0` of the auction that came to nothing, the vehicles that are up, from where they
//! are then and besides what they have agreed to for orders that rank no lower, can fly all of it as tied before the last time
//! that is bid for; each phase by a vehicle of its own, unless the team has fewer vehicles than the group has phases. For a
//! strict group, and for an order that nothing ties, any of its auctions in vain counts; if there was none, nobody has found
//! that it cannot be done.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::Pending;
use muster_core::tasking::group::Group;
use muster_core::tasking::{Config, Leeway, Step, Tasking, Variant};
use muster_core::{Duration, Event, RobotId, TaskId, Time};
use muster_sim::Sim;
use muster_sim::scenario::{self, ScenarioError};
use serde::Serialize;

use super::planner::{Phase, Vehicle, Wish, plan};
use super::spare::{in_windows, thousandths};
use crate::batch::Batch;

/// Loss and whether vehicles fail.
pub const SETTINGS: [(f64, bool); 4] = [(0.0, false), (0.0, true), (0.2, false), (0.2, true)];

/// Auctions in vain of one strict group that are looked at.
const LOOKS: u32 = 20;
/// How many failing missions are kept.
const KEPT: usize = 3;

/// What came of missions under one setting.
#[derive(Clone, Debug, Serialize)]
pub struct GivenUp {
    /// The share of messages lost to each receiver.
    pub loss: f64,
    /// Vehicles stop and restart.
    pub faults: bool,
    /// Missions.
    pub missions: usize,
    /// Orders of them.
    pub orders: usize,
    /// Orders that were given up.
    pub given_up: usize,
    /// Of these, orders that were possible.
    pub though_possible: usize,
    /// Of these, orders with more phases than the team had vehicles.
    pub short_of_vehicles: usize,
    /// Of those that were possible, strict ones.
    pub strict: usize,
    /// The first missions in which something was given up though possible.
    pub failing: Vec<Case>,
}

/// A mission in which something was given up though it was possible.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// The seed of mission and run.
    pub seed: u64,
    /// The order that was given up, by its first task.
    pub task: u32,
    /// When its LEAD found nobody, in seconds.
    pub at_s: f64,
    /// The mission, to be saved and run with `muster run FILE --seed SEED`.
    pub scenario: String,
}

/// Draws `missions` and flies each.
pub fn given_up(
    (loss, faults): (f64, bool),
    (seed, missions): (u64, u64),
    batch: &Batch<'_>,
) -> Result<GivenUp, ScenarioError> {
    let flown = batch.map(missions, |index| {
        let seed = Stream::seed_of_run(seed, index);
        let text = drawn(&mut Stream::of_run(seed, Purpose::Mission), loss, faults);
        let orders = fly(&text, seed);
        (batch.progress)(1);
        orders.map(|orders| (seed, text, orders))
    });
    let flown: Vec<(u64, String, Vec<Fate>)> = flown.into_iter().collect::<Result<_, _>>()?;
    let orders = || flown.iter().flat_map(|(_, _, orders)| orders);
    let wrong = |fate: &&Fate| fate.given_up && fate.possible.is_some();
    let failing = flown.iter().flat_map(|(seed, text, orders)| {
        orders.iter().filter(wrong).map(move |fate| Case {
            seed: *seed,
            task: fate.first.0,
            at_s: fate.possible.map_or(0.0, |at| at.as_secs_f64()),
            scenario: text.clone(),
        })
    });
    Ok(GivenUp {
        loss,
        faults,
        missions: flown.len(),
        orders: orders().count(),
        given_up: orders().filter(|fate| fate.given_up).count(),
        though_possible: orders().filter(wrong).count(),
        short_of_vehicles: orders().filter(wrong).filter(|fate| fate.short).count(),
        strict: orders().filter(wrong).filter(|fate| fate.strict).count(),
        failing: failing.take(KEPT).collect(),
    })
}

/// A mission of 1 to 4 vehicles and 1 to 3 orders of 1 to 3 phases.
fn drawn(stream: &mut Stream, loss: f64, faults: bool) -> String {
    let mut below = |n: u32| stream.below(n);
    let (side, vehicles, orders) = (800 + below(2_200), 1 + below(4), 1 + below(3));
    let mut text = format!("limit_h = 0.1\n[field]\nwidth_m = {side}\nheight_m = {side}\n");
    text += "[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n";
    for index in 0..vehicles {
        let (x, y, speed) = (below(side), below(side), 20 + below(40));
        text += &format!("[robots.v{index}]\nspeed_mps = {speed}\nplace = [{x}, {y}]\n");
    }
    let at_once = below(2) == 0;
    for index in 0..orders {
        let (x, y, at) = (below(side), below(side), if at_once { 10 } else { 10 + below(600) });
        let order = format!("{{ by = \"console\", kind = \"kind-{index}\" }}");
        text += &format!("[tasks.t{index}]\nat_s = {}\nplace = [{x}, {y}]\norder = {order}\n", f64::from(at) / 10.0);
    }
    text += &format!("[radio]\nloss = {loss}\nloss_per = \"receiver\"\n");
    if faults {
        let (who, at, stops) = (below(vehicles), 1 + below(80), below(2) == 0);
        let (kind, lasts) =
            if stops { ("stop", String::new()) } else { ("restart", format!("for_s = {}\n", 1 + below(40))) };
        text += &format!("[[faults]]\nrobot = \"v{who}\"\nat_s = {at}\nkind = \"{kind}\"\n{lasts}");
    }
    text += &format!("[tasking]\nconsoles = [\"console\"]\ncorridor_m = {}\n", 50 + below(250));
    for index in 0..orders {
        let (phases, strict) = (1 + below(3), below(5) < 2);
        text +=
            &format!("[tasking.templates.kind-{index}]\nstrict = {strict}\n[tasking.templates.kind-{index}.phases]\n");
        for phase in 0..phases {
            text += &format!("p{phase} = {{}}\n");
        }
        for phase in 1..phases {
            let (least, room, angle) = (3 + below(10), 5 + below(16), 45 * below(2));
            text += &format!(
                "[[tasking.templates.kind-{index}.couplings]]\na = \"p{}\"\nb = \"p{phase}\"\ndt_min_s = {least}\ndt_max_s = {}\ndh_min_deg = {angle}\n",
                phase - 1,
                least + room
            );
        }
    }
    text
}

/// What came of one order.
#[derive(Clone, Debug)]
struct Fate {
    first: TaskId,
    strict: bool,
    given_up: bool,
    /// When it was given up though it was possible.
    possible: Option<Time>,
    /// The team had fewer vehicles than the order has phases.
    short: bool,
}

/// An order while the mission is flown.
struct Looked {
    group: std::sync::Arc<Group>,
    looks: u32,
    loosened: bool,
    possible: Option<Time>,
    short: bool,
}

fn fly(text: &str, seed: u64) -> Result<Vec<Fate>, ScenarioError> {
    let loaded = scenario::parse("given-up", "the drawn mission", text, &[])?;
    let (config, vehicles) = loaded.tasking(Variant::Fenced);
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let is_console = |robot: RobotId| vehicles[robot.index()].console;
    let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
    let (mut read, mut t0s, mut orders) = (0, BTreeMap::new(), BTreeMap::<TaskId, Looked>::new());
    sim.start();
    sim.run_until(|sim| {
        for note in &sim.notes()[read..] {
            let Event::Tasking { task, step } = &note.event else { continue };
            match step {
                Step::Solicited { t0, .. } => drop(t0s.insert((note.robot, *task), *t0)),
                Step::NoGoodBids { relaxed, .. } => {
                    let known = sim.machines()[note.robot.index()].orders();
                    let group = known.map(|order| order.group()).find(|group| group.index_of(*task).is_some());
                    let (Some(group), Some(t0)) = (group, t0s.get(&(note.robot, *task))) else { continue };
                    let looked = orders.entry(group.first()).or_insert_with(|| Looked {
                        group: group.clone(),
                        looks: 0,
                        loosened: false,
                        possible: None,
                        short: false,
                    });
                    let loosens = !group.strict && *relaxed >= Leeway::Done && !looked.loosened;
                    looked.loosened |= loosens;
                    let waits = group.strict || !group.is_tied();
                    if loosens || (waits && looked.looks < LOOKS && looked.possible.is_none()) {
                        looked.looks += 1;
                        let (possible, short) = is_possible(sim, &config, &is_console, group, *t0);
                        looked.possible = looked.possible.or(possible.then_some(note.at));
                        looked.short |= short;
                    }
                }
                _ => {}
            }
        }
        read = sim.notes().len();
        sim.is_over()
    });
    let passes = sim.ledger().passes();
    let mut fates = Vec::new();
    for brief in loaded.mission.orders.iter().filter_map(|spec| spec.order.asks_for()) {
        let id = brief.task.id;
        let own = id.0..id.0 + u32::from(brief.phases.max(1));
        let flown = own.clone().all(|task| passes.iter().any(|pass| pass.task.0 == task));
        let Some(looked) = orders.get(&id) else {
            let up = sim.bodies().iter().any(|body| !is_console(body.id) && sim.attends(body.id));
            let possible = (!flown && up).then(|| sim.now());
            fates.push(Fate { first: id, strict: false, given_up: !flown, possible, short: false });
            continue;
        };
        let group = &looked.group;
        let as_tied = || in_windows(passes, (id, &group.couplings), &mut vec![None; group.len()], 0);
        fates.push(Fate {
            first: id,
            strict: group.strict,
            given_up: !flown || (looked.loosened && !as_tied()),
            possible: looked.possible,
            short: looked.short,
        });
    }
    Ok(fates)
}

/// All of the group that is not flown can be flown as tied, by what is known now, from `t0` on; and whether the team has fewer
/// vehicles than the group has phases.
fn is_possible(
    sim: &Sim<'_, Tasking, ()>,
    config: &Config,
    is_console: &dyn Fn(RobotId) -> bool,
    group: &Group,
    t0: Time,
) -> (bool, bool) {
    let passes = sim.ledger().passes();
    let rank = |group: &Group| (group.brief.priority, Reverse(group.first()));
    let up: Vec<RobotId> =
        sim.bodies().iter().map(|body| body.id).filter(|robot| !is_console(*robot) && sim.attends(*robot)).collect();
    let vehicle = |robot: &RobotId| {
        let (body, machine) = (&sim.bodies()[robot.index()], &sim.machines()[robot.index()]);
        let out = passes.iter().rev().find(|pass| pass.robot == *robot).and_then(|pass| {
            let target = sim.ledger().record(pass.task)?.task.place;
            let corridor = Corridor { target, heading: pass.heading, length_m: config.corridor_m };
            Some((corridor.exit(), pass.at + Duration::from_secs_f64(config.corridor_m / body.speed_mps)))
        });
        let (place, free_at) = out.filter(|(_, free)| *free > sim.now()).unwrap_or_else(|| (body.place(t0), t0));
        let kept = machine.held().iter().filter(|held| held.priority >= group.brief.priority);
        let kept = kept.filter(|held| group.index_of(held.task).is_none());
        let mut pending: Vec<Pending> = kept.map(|held| Pending { at: held.at, corridor: held.corridor }).collect();
        let above = |other: &Group| rank(other) > rank(group) && other.first() != group.first();
        let orders: Vec<TaskId> =
            machine.orders().filter(|it| above(it.group())).map(|it| it.group().first()).collect();
        let pledged = machine.pledged().iter().filter(|held| orders.contains(&held.order));
        pending.extend(pledged.map(|held| Pending { at: held.at, corridor: held.corridor }));
        pending.sort_by_key(|it| it.at);
        Vehicle { place, free_at: free_at.max(t0), speed_mps: body.speed_mps, inbound: None, pending }
    };
    let vehicles: Vec<Vehicle> = up.iter().map(vehicle).collect();
    let phase = |index: usize| {
        let pass = passes.iter().find(|pass| pass.task == group.task(index));
        let by = |robot: RobotId| up.iter().position(|other| *other == robot).unwrap_or(usize::MAX);
        let flown = pass.map(|pass| (pass.at, thousandths(pass), by(pass.robot)));
        Phase { place: group.members[index].place, flown, not_before: t0 }
    };
    let grid = &config.grid;
    let short = vehicles.len() < group.len();
    let wish = Wish {
        phases: (0..group.members.len()).map(phase).collect(),
        couplings: &group.couplings,
        corridor_m: config.corridor_m,
        headings: grid.headings,
        until: t0 + grid.time(grid.times.saturating_sub(1)),
        distinct: !short,
    };
    (plan(&vehicles, &wish, true).is_some(), short)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Missions can be read, some groups are given up, and some of these because nothing else was possible.
    #[test]
    fn what_is_given_up_is_looked_at() {
        let found = given_up((0.0, false), (1, 60), &Batch::quiet()).expect("they can be read");
        assert!(found.orders >= 60 && found.given_up > 0, "{found:?}");
        assert_eq!(found.though_possible, 0, "{found:?}");
        for (loss, faults) in SETTINGS {
            assert!(given_up((loss, faults), (1, 3), &Batch::quiet()).is_ok(), "{loss} {faults}");
        }
    }
}
