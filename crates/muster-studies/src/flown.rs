//! What came of tasks that are auctioned and flown over: planned and flown, beside each other.

use muster_core::tasking::Leeway;
use muster_core::tasking::group::{Coupling, Template};
use muster_core::tasking::{Hitch, Holder, Step};
use muster_core::{Brief, Event, Kind, Note, RobotId, TaskId, Time};
use muster_sim::Origin;
use muster_sim::crossing::Crossing;
use muster_sim::ledger::Pass;
use serde::Serialize;

/// One task: when and how it was to be flown over, and was.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct FlightRow {
    /// When times began to count in the plan that was flown.
    pub t0_s: f64,
    /// Planned time over the target, counted from t0.
    pub planned_s: f64,
    /// Planned heading in degrees; 0 is east, 90 north.
    pub planned_heading_deg: f64,
    /// When it was flown over, counted from t0.
    pub flown_s: f64,
    /// On which heading.
    pub heading_deg: f64,
    /// The bid for that time and heading.
    pub cost: f64,
    /// Nobody could keep to what ties it to the rest of its group, so its LEAD had given that up; and it was not kept.
    pub uncoupled: bool,
}

/// Two flights that came close to each other in their corridors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossingRow {
    /// When they were nearest, in seconds since the beginning.
    pub at_s: f64,
    /// Half-way between them then: metres east and north.
    pub place_m: [f64; 2],
    /// How far apart they were.
    pub distance_m: f64,
    /// Who flew.
    pub robots: [String; 2],
    /// The task that each of them flew to.
    pub tasks: [String; 2],
    /// Both tasks are phases of one order.
    pub one_order: bool,
}

/// The flight over each task's target that counts, by number, with the plan that it followed: the first, or the last one that
/// was made because those before it had grown old.
pub fn flights(notes: &[Note], passes: &[Pass], tasks: usize) -> Vec<Option<FlightRow>> {
    let mut flights: Vec<Option<FlightRow>> = vec![None; tasks];
    let mut t0s: Vec<Time> = vec![Time::ZERO; tasks];
    let mut given_up = vec![false; tasks];
    let mut plans: Vec<Vec<(Time, Holder, u32, bool)>> = vec![Vec::new(); tasks];
    for note in notes {
        let Event::Tasking { task, step } = &note.event else { continue };
        match *step {
            Step::Leads { .. } if task.index() < tasks => given_up[task.index()] = false,
            Step::NoGoodBids { relaxed, .. } if task.index() < tasks => {
                given_up[task.index()] |= relaxed >= Leeway::Done;
            }
            Step::Solicited { t0, .. } if task.index() < tasks => t0s[task.index()] = t0,
            Step::Assigned { holder, cost, .. } if task.index() < tasks => {
                plans[task.index()].push((t0s[task.index()], holder, cost, given_up[task.index()]));
            }
            _ => {}
        }
    }
    for &Pass { task: TaskId(index), robot, at, heading, again } in passes {
        let index = index as usize;
        let Some(plans) = plans.get(index).filter(|_| flights[index].is_none() || again) else { continue };
        // A vehicle may have been assigned the task twice: the plan that it flew is the one nearest in time.
        let own = plans.iter().filter(|(_, holder, ..)| holder.robot == robot);
        let away = |(_, holder, ..): &&(Time, Holder, u32, bool)| holder.at.as_micros().abs_diff(at.as_micros());
        let Some((t0, holder, cost, uncoupled)) = own.min_by_key(away) else { continue };
        let seconds = |time: Time| time.as_secs_f64() - t0.as_secs_f64();
        let degrees = heading.to_degrees().rem_euclid(360.0);
        flights[index] = Some(FlightRow {
            t0_s: t0.as_secs_f64(),
            planned_s: rounded(seconds(holder.at)),
            planned_heading_deg: f64::from(holder.heading) / 1_000.0,
            flown_s: rounded(seconds(at)),
            heading_deg: rounded(degrees) % 360.0,
            cost: f64::from(*cost) / 100.0,
            uncoupled: *uncoupled,
        });
    }
    flights
}

/// Of these flights, by number of the task, those count as uncoupled whose group was in fact not flown as it is tied together. A LEAD
/// may have given that up, and another plan, or chance, may have kept it; and two LEADs that did not hear each other may have broken it
/// without a word.
pub fn uncouple<'a>(
    flights: &mut [Option<FlightRow>],
    passes: &[Pass],
    orders: impl Iterator<Item = Brief>,
    template: impl Fn(Kind) -> Option<&'a Template>,
) {
    for brief in orders {
        let Some(template) = template(brief.kind) else { continue };
        let tasks: Vec<TaskId> = brief.tasks().collect();
        let counts = |task: TaskId| {
            let own = || passes.iter().filter(move |pass| pass.task == task);
            own().rev().find(|pass| pass.again).or_else(|| own().next())
        };
        let flown: Vec<Option<&Pass>> = tasks.iter().map(|task| counts(*task)).collect();
        for (index, task) in tasks.iter().enumerate() {
            let tied = |it: &&Coupling| usize::from(it.a) == index || usize::from(it.b) == index;
            let pass = |at: u8| flown.get(usize::from(at)).copied().flatten();
            let kept = |it: &Coupling| Some(is_kept(it, pass(it.a)?, pass(it.b)?));
            let own = || template.couplings.iter().filter(tied).map(kept);
            if let Some(flight) = flights.get_mut(task.index()).and_then(Option::as_mut) {
                let given_up = flight.uncoupled && own().any(|kept| kept != Some(true));
                flight.uncoupled = given_up || own().any(|kept| kept == Some(false));
            }
        }
    }
}

/// The heading of a flight in thousandths of a degree.
pub fn thousandths(pass: &Pass) -> u32 {
    (pass.heading.to_degrees().rem_euclid(360.0) * 1_000.0).round() as u32 % 360_000
}

/// Two flights keep to a coupling, but for rounding: a millisecond, a hundredth of a degree.
pub fn is_kept(coupling: &Coupling, a: &Pass, b: &Pass) -> bool {
    let loose = Coupling {
        dt_min: coupling.dt_min.map(|least| least.saturating_sub(1_000)),
        dt_max: coupling.dt_max.map(|most| most.saturating_add(1_000)),
        dh_min: coupling.dh_min.saturating_sub(10),
        dh_max: coupling.dh_max.saturating_add(10),
        ..*coupling
    };
    let flown = |pass: &Pass| (pass.at.as_micros() as i64, thousandths(pass));
    loose.allows(flown(a), flown(b))
}

/// Tasks that were flown before one that has to come before them was, or without it, in the order of the flights.
pub fn out_of_order<'a>(
    passes: &[Pass],
    orders: impl Iterator<Item = Brief>,
    template: impl Fn(Kind) -> Option<&'a Template>,
) -> Vec<TaskId> {
    let mut broken = Vec::new();
    for brief in orders {
        let Some(template) = template(brief.kind) else { continue };
        let tasks: Vec<TaskId> = brief.tasks().collect();
        let first = |task: TaskId| passes.iter().position(|pass| pass.task == task);
        let flown: Vec<Option<usize>> = tasks.iter().map(|task| first(*task)).collect();
        for (index, at) in flown.iter().enumerate() {
            let early =
                |other: usize| flown.get(other).is_some_and(|other| other.is_none_or(|other| Some(other) > *at));
            if at.is_some() && template.before(index).iter().any(early) {
                broken.push((*at, tasks[index]));
            }
        }
    }
    broken.sort();
    broken.into_iter().map(|(_, task)| task).collect()
}

/// Of each order of a strict kind that was begun and not finished, the last task that was done, unless its operator called off the
/// rest. One of `out_of_order` is not
/// what the group was broken off after, if another was done: what had to come before it was not.
pub fn broken_off<'a>(
    orders: impl Iterator<Item = Brief>,
    template: impl Fn(Kind) -> Option<&'a Template>,
    served: impl Fn(TaskId) -> Option<Time>,
    called_off: impl Fn(TaskId) -> bool,
    out_of_order: &[TaskId],
) -> Vec<TaskId> {
    let strict = orders.filter(|brief| template(brief.kind).is_some_and(|it| it.strict && it.phases.len() > 1));
    let begun = strict.filter(|brief| brief.tasks().any(|task| served(task).is_none() && !called_off(task)));
    begun
        .filter_map(|brief| {
            let in_order = |task: &TaskId| !out_of_order.contains(task);
            brief.tasks().filter_map(|task| Some((in_order(&task), served(task)?, task))).max()
        })
        .map(|(_, _, it)| it)
        .collect()
}

/// Tasks of `strict` kinds, by number, whose LEAD found nobody for them when it last looked, because of what ties them
/// together.
pub fn tied(
    notes: &[Note],
    orders: impl Iterator<Item = Brief>,
    strict: impl Fn(Kind) -> bool,
    tasks: usize,
) -> Vec<bool> {
    let mut nobody = vec![false; tasks];
    for note in notes {
        let Event::Tasking { task, step } = &note.event else { continue };
        match step {
            Step::NoGoodBids { why, .. } if task.index() < tasks => {
                nobody[task.index()] = match why {
                    Hitch::Tied | Hitch::TooFew { .. } | Hitch::OneEach { .. } | Hitch::Held | Hitch::Horizon => true,
                    Hitch::NoBids | Hitch::NobodyFor(_) | Hitch::Expires | Hitch::NotFound => false,
                };
            }
            Step::Assigned { .. } if task.index() < tasks => nobody[task.index()] = false,
            _ => {}
        }
    }
    let mut of_strict = vec![false; tasks];
    for brief in orders {
        if strict(brief.kind) {
            brief.tasks().filter(|task| task.index() < tasks).for_each(|task| of_strict[task.index()] = true);
        }
    }
    nobody.into_iter().zip(of_strict).map(|(nobody, strict)| nobody && strict).collect()
}

/// Pairs of flights that came close to each other in their corridors.
pub fn crossings(
    found: Vec<Crossing>,
    orders: impl Iterator<Item = Brief> + Clone,
    origin: &Origin,
) -> Vec<CrossingRow> {
    let order = |task: TaskId| orders.clone().find(|brief| brief.tasks().any(|own| own == task)).map(|it| it.task.id);
    let robot = |robot: RobotId| origin.mission().robots[robot.index()].name.to_string();
    let task = |task: TaskId| origin.task_name(task).unwrap_or_default().to_owned();
    let row = |Crossing { at, place, distance_m, flights: [one, other] }| CrossingRow {
        at_s: rounded(at.as_secs_f64()),
        place_m: [rounded(place.x), rounded(place.y)],
        distance_m: rounded(distance_m),
        robots: [robot(one.0), robot(other.0)],
        tasks: [task(one.1), task(other.1)],
        one_order: order(one.1) == order(other.1),
    };
    found.into_iter().map(row).collect()
}

/// To the microsecond, or millionth of a degree: differences of seconds have a tail that means nothing.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_core::tasking::group::Phase;
    use muster_core::{Percepts, Point, Task};

    /// What was flown as it is tied together counts as that, whatever its LEAD had given up.
    #[test]
    fn only_what_was_not_kept_is_uncoupled() {
        let phase = Phase { kind: Kind(2), needs: Percepts::NONE, loads: 0, offset: Point::default() };
        let (dt_min, dt_max) = (Some(5_000_000), Some(10_000_000));
        let coupling = Coupling { a: 0, b: 1, dt_min, dt_max, dh_min: 45_000, dh_max: 180_000 };
        let couplings = vec![coupling];
        let template = Template { phases: vec![phase; 2], couplings, strict: false, fresh: None, distinct: true };
        let task = Task { id: TaskId(0), place: Point::default(), needs: Percepts::NONE };
        let brief = Brief { phases: 2, ..Brief::from(task) };
        let row = |(at, degrees): (f64, f64)| {
            let heading_deg = degrees;
            let (t0_s, planned_s, flown_s, planned_heading_deg, cost) = (0.0, at, at, degrees, 0.0);
            FlightRow { t0_s, planned_s, planned_heading_deg, flown_s, heading_deg, cost, uncoupled: true }
        };
        let uncoupled = |second: (f64, f64)| {
            let flown = [(10.0, 90.0), second];
            let mut flights: Vec<Option<FlightRow>> = flown.iter().map(|it| Some(row(*it))).collect();
            let pass = |(task, (at, degrees)): (u32, (f64, f64))| Pass {
                task: TaskId(task),
                robot: RobotId(task),
                at: Time::from_secs_f64(at),
                heading: f64::to_radians(degrees),
                again: false,
            };
            let passes: Vec<Pass> = (0..).zip(flown).map(pass).collect();
            uncouple(&mut flights, &passes, std::iter::once(brief), |_| Some(&template));
            flights.iter().flatten().filter(|flight| flight.uncoupled).count()
        };
        assert_eq!(uncoupled((15.0, 135.0)), 0);
        assert_eq!(uncoupled((20.0, 270.0)), 0);
        assert_eq!(uncoupled((21.0, 135.0)), 2);
        assert_eq!(uncoupled((15.0, 130.0)), 2);
    }
}
