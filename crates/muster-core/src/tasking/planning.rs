//! From bids to a plan: which questions the Task Assigner is asked, one after the other, until it has an answer.

use super::assigner::{self, Choice, Reason, Status};
use super::config::Config;
use super::corridor::Corridor;
use super::group::{Group, Phases, apart, span};
use super::lead::{Leeway, Offer};
use super::pose::{Samples, Terms, pose, shared, unit};
use super::step::{Hitch, Sharing};
use crate::robot::RobotId;
use crate::time::Time;

/// Of the nodes that may be looked at for a plan, so many are for one in which vehicles do several tasks: each has more columns
/// and takes longer, and the group waits.
const SHARING: u64 = 5;
/// And so many for a better one: the last per cent of the cost take most of the time.
const IMPROVING: u64 = 200;
/// And so many for making a plan of coarse samples cheaper at all times close to it.
const REFINING: u64 = 200;

/// Who does what, when and how, as it was found from bids.
pub(super) struct Found<'a> {
    /// The bids that it was found from.
    pub(super) bids: Vec<(RobotId, &'a Offer)>,
    /// For each phase, by the numbers of the grid.
    pub(super) chosen: Vec<Choice>,
    /// What each task costs more than by itself, or less below 0, because its vehicle does another one before it.
    pub(super) more: Vec<i64>,
    /// Why vehicles may do several of the group's tasks, if they may.
    pub(super) sharing: Option<Sharing>,
}

/// What each task of a plan costs more than by itself, and what was chosen for it.
type Shares = (Vec<i64>, Vec<Choice>);

/// Finds the cheapest plan of some phases from these bids. Each task wants a vehicle of its own, unless the template lets
/// vehicles do several, or there is no such plan: then at once one in which a vehicle does several, if it can come round in
/// time. If there is none either, says why.
///
/// Coarse samples come first, and all of them where those hold no plan: what is given up was possible at no sample. A plan of
/// coarse samples is made cheaper at all times close to it.
pub(super) fn find<'a>(
    config: &Config,
    group: &Group,
    phases: Phases,
    bids: Vec<(RobotId, &'a Offer)>,
    terms: &Terms<'_>,
) -> Result<Found<'a>, Hitch> {
    let distinct = config.templates.get(&group.brief.kind).is_none_or(|template| template.distinct);
    let shares = config.fixes.atomic && (phases.len() > 1 || !terms.frozen.is_empty());
    let is_frozen = |robot: RobotId| terms.frozen.iter().any(|(_, other)| other.robot == robot);
    let free = |(robot, _): &&(RobotId, &Offer)| terms.leeway == Leeway::OneByOne || !is_frozen(*robot);
    let apart: Vec<(RobotId, &Offer)> = bids.iter().filter(free).copied().collect();
    let fine = Samples::of(&config.grid, 1, &bids);
    let coarse = Samples::of(&config.grid, config.coarsely, &bids);
    let looks = [&coarse, &fine];
    let looks = &looks[usize::from(coarse.every == 1)..];
    let mut unknown = false;
    let chosen = first(looks, |samples| {
        let problem = pose(samples, &apart, phases, terms)?;
        let answer = assigner::assign(&problem, config.nodes(samples.len()));
        unknown |= answer.status == Status::Unknown;
        let chosen: Vec<Choice> = answer.assignment.iter().map(|choice| samples.on_grid(*choice)).collect();
        Some((answer.status, (samples, chosen)))
    });
    if let Some((samples, chosen)) = chosen.as_ref().filter(|_| distinct || !shares) {
        let chosen = refined(config, phases, samples, &apart, terms, chosen);
        return Ok(Found { bids: apart, more: vec![0; chosen.len()], chosen, sharing: None });
    }
    let hitch = match &chosen {
        Some(_) => Hitch::Tied,
        None => hitch(config, group, &fine, &apart, phases, terms, unknown),
    };
    if !shares {
        return Err(hitch);
    }
    let hitch = match hitch {
        Hitch::TooFew { vehicles, phases } if would_do_one(&bids) => Hitch::OneEach { vehicles, phases },
        other => other,
    };
    if chosen.is_none() && !may_come_round(config, group, phases, &fine, &bids, terms) {
        return Err(hitch);
    }
    let sharing = Some(match hitch {
        _ if !distinct => Sharing::Allowed,
        Hitch::TooFew { vehicles, phases } | Hitch::OneEach { vehicles, phases } => {
            Sharing::TooFew { vehicles, phases }
        }
        _ => Sharing::NoOtherPlan,
    });
    // What was found with a vehicle for each is to be improved on, at the samples where it was found.
    let place = |robot: RobotId| bids.iter().position(|(other, _)| *other == robot).unwrap_or(0);
    let again = |choice: &Choice| Choice { vehicle: place(apart[choice.vehicle].0), ..*choice };
    let mut unknown = false;
    let mut look = |samples: &Samples<'_>, start: Option<(&[Choice], Start)>| {
        let (status, found) = find_shared(config, group, phases, samples, &bids, terms, start)?;
        unknown |= status == Status::Unknown;
        Some((status, found))
    };
    let found = match &chosen {
        Some((samples, chosen)) => {
            let start: Vec<Choice> = chosen.iter().map(again).collect();
            look(samples, Some((&start, Start::Cost))).map(|(_, found)| (*samples, found))
        }
        None => first(looks, |samples| look(samples, None).map(|(status, found)| (status, (samples, found)))),
    };
    let Some((samples, (mut more, mut chosen))) = found else {
        return Err(if unknown { Hitch::NotFound } else { hitch });
    };
    for _ in 0..refinements(samples, &chosen) {
        let near = samples.around(&chosen);
        let better = find_shared(config, group, phases, &near, &bids, terms, Some((&chosen, Start::Order)));
        let Some((_, better)) = better.filter(|(_, (_, better))| *better != chosen) else { break };
        (more, chosen) = better;
        if !near.is_at_edge(&chosen) {
            break;
        }
    }
    Ok(Found { bids, chosen, more, sharing })
}

/// How often a plan is looked for around the last one at all times: what comes after another task can come so much sooner
/// for each one before it.
fn refinements(samples: &Samples<'_>, plan: &[Choice]) -> usize {
    if samples.every > 1 { plan.len() } else { 0 }
}

/// A plan that was found at some times only, made cheaper at all times close to it.
fn refined(
    config: &Config,
    phases: Phases,
    samples: &Samples<'_>,
    bids: &[(RobotId, &Offer)],
    terms: &Terms<'_>,
    plan: &[Choice],
) -> Vec<Choice> {
    let mut plan = plan.to_vec();
    // Who flies is settled: bids of others would only take time.
    let mut flying: Vec<usize> = plan.iter().map(|choice| choice.vehicle).collect();
    flying.sort_unstable();
    let bids: Vec<(RobotId, &Offer)> = flying.iter().map(|&vehicle| bids[vehicle]).collect();
    let place = |vehicle: usize| flying.binary_search(&vehicle).unwrap_or(0);
    for _ in 0..refinements(samples, &plan) {
        let near = samples.around(&plan);
        let start = |choice: &Choice| near.among(Choice { vehicle: place(choice.vehicle), ..*choice });
        let start: Option<Vec<Choice>> = plan.iter().map(start).collect();
        let Some(problem) = pose(&near, &bids, phases, terms) else { break };
        let Some(cost) = start.and_then(|start| problem.evaluate(&start)) else { break };
        let answer = assigner::assign_below(&problem, cost, config.nodes(near.len()) / REFINING);
        if answer.assignment.is_empty() {
            break;
        }
        let flown = |choice: &Choice| near.on_grid(Choice { vehicle: flying[choice.vehicle], ..*choice });
        plan = answer.assignment.iter().map(flown).collect();
        if !near.is_at_edge(&plan) {
            break;
        }
    }
    plan
}

/// What is found first. Where nobody knows whether coarse samples hold a plan, more of them take longer still: then no others
/// are looked at.
fn first<'a, 'b, T>(
    looks: &[&'b Samples<'a>],
    mut find: impl FnMut(&'b Samples<'a>) -> Option<(Status, T)>,
) -> Option<T> {
    for samples in looks {
        match find(samples)? {
            (Status::Optimal | Status::Feasible, found) => return Some(found),
            (Status::Infeasible, _) => {}
            (Status::Unknown, _) => return None,
        }
    }
    None
}

/// What a plan that is known is good for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Start {
    /// No plan may cost more.
    Cost,
    /// And who does what, and in which order, stays.
    Order,
}

/// Finds the cheapest plan in which vehicles may do several tasks, with what each task costs more than by itself. `start`: a
/// plan that is known.
fn find_shared(
    config: &Config,
    group: &Group,
    phases: Phases,
    samples: &Samples<'_>,
    bids: &[(RobotId, &Offer)],
    terms: &Terms<'_>,
    start: Option<(&[Choice], Start)>,
) -> Option<(Status, Shares)> {
    let (problem, budget) = (pose(samples, bids, phases, terms)?, config.nodes(samples.len()));
    let on_samples = |plan: &[Choice]| plan.iter().map(|choice| samples.among(*choice)).collect::<Option<Vec<_>>>();
    let start = start.and_then(|(plan, start)| Some((on_samples(plan)?, start)));
    let (answer, more) = match shared(samples, config.corridor_m, group, bids, phases, problem.clone()) {
        Some(shared) => {
            let answer = match start {
                Some((plan, Start::Order)) => assigner::improve_shared(&shared, budget / REFINING, plan),
                _ => {
                    assigner::assign_shared(&shared, budget / SHARING, budget / IMPROVING, start.map(|(plan, _)| plan))
                }
            };
            let unit = i64::from(unit(bids));
            let more = shared.prices(&answer.assignment).into_iter().zip(&answer.assignment).enumerate();
            let more = more.map(|(task, (price, it))| (price - i64::from(problem.cost(task, *it))) * unit).collect();
            (answer, more)
        }
        None => {
            let answer = assigner::assign(&problem, budget);
            let more = vec![0; answer.assignment.len()];
            (answer, more)
        }
    };
    let chosen = answer.assignment.iter().map(|choice| samples.on_grid(*choice)).collect();
    Some((answer.status, (more, chosen)))
}

/// Fewer vehicles than phases may come round in time from one crossing to the next, as far as can be told without a search, which
/// would take longest where it finds nothing. Some vehicle flies at least its share of the phases, all within the times that are
/// bid for; and of any phases that are one more than the vehicles two are flown by one of them.
fn may_come_round(
    config: &Config,
    group: &Group,
    phases: Phases,
    samples: &Samples<'_>,
    bids: &[(RobotId, &Offer)],
    terms: &Terms<'_>,
) -> bool {
    let able: Vec<&Offer> = bids.iter().map(|(_, it)| *it).filter(|it| it.costs.iter().any(Option::is_some)).collect();
    let (tasks, vehicles): (Vec<usize>, usize) = (phases.iter().collect(), able.len());
    if vehicles == 0 || vehicles >= tasks.len() {
        return true;
    }
    let (grid, length_m) = (samples.grid, config.corridor_m);
    let corridors: Vec<Corridor> = tasks
        .iter()
        .flat_map(|&task| (0..grid.headings).map(move |heading| (task, heading)))
        .map(|(task, heading)| Corridor { target: group.members[task].place, heading: grid.heading(heading), length_m })
        .collect();
    let pairs = || corridors.iter().flat_map(|out| corridors.iter().map(move |into| (out, into)));
    let turnarounds = able.iter().filter_map(|offer| offer.turnaround.as_ref());
    let round = turnarounds.flat_map(|it| pairs().filter_map(|(out, into)| it.least(out, into))).min();
    let Some(round) = round.map(i128::from) else { return false };
    let span = i128::from(samples.span().as_micros());
    if (tasks.len().div_ceil(vehicles) as i128 - 1) * round > span {
        return false;
    }
    if terms.leeway == Leeway::OneByOne {
        return true;
    }
    let apart = apart(&group.couplings, &tasks, span);
    let near = |a: usize, b: usize| apart[a * tasks.len() + b] < round && apart[b * tasks.len() + a] < round;
    let crowd = |first: usize| (first..=first + vehicles).all(|a| (first..a).all(|b| near(a, b)));
    !(0..tasks.len() - vehicles).any(crowd)
}

/// Some vehicle bids for several tasks, and none offers to do more than one of them.
fn would_do_one(bids: &[(RobotId, &Offer)]) -> bool {
    let several = |offer: &Offer| offer.costs.iter().flatten().count() > 1;
    bids.iter().any(|(_, offer)| several(offer)) && bids.iter().all(|(_, offer)| offer.turnaround.is_none())
}

/// Of the nodes that may be looked at for a plan, one in so many are for finding out why there is none.
const ASKING: u64 = 50;

/// Why there is no plan with a vehicle for each of these phases.
fn hitch(
    config: &Config,
    group: &Group,
    samples: &Samples<'_>,
    bids: &[(RobotId, &Offer)],
    phases: Phases,
    terms: &Terms<'_>,
    unknown: bool,
) -> Hitch {
    let bid = |task: usize| bids.iter().any(|(_, offer)| offer.costs[task].is_some());
    let Some(problem) = pose(samples, bids, phases, terms) else { return Hitch::NoBids };
    if let Some((_, index)) = phases.iter().enumerate().find(|(task, _)| !bid(*task)) {
        return Hitch::NobodyFor(group.task(index));
    }
    let tasks: Vec<usize> = phases.iter().collect();
    if terms.leeway < Leeway::OneByOne && span(&group.couplings, &tasks) > samples.span() {
        return Hitch::Horizon;
    }
    // It is for the deadline, or for what others hold, if there is a plan without that.
    let possible = |terms: &Terms<'_>| {
        let problem = pose(samples, bids, phases, terms);
        problem.is_some_and(|problem| {
            let answer = assigner::assign(&problem, config.nodes(samples.len()) / ASKING);
            matches!(answer.status, Status::Optimal | Status::Feasible)
        })
    };
    let last = terms.t0 + config.grid.horizon();
    if terms.expires < last && possible(&Terms { expires: Time::NEVER, ..*terms }) {
        return Hitch::Expires;
    }
    if !terms.frozen.is_empty() && possible(&Terms { frozen: &[], ..*terms }) {
        return Hitch::Held;
    }
    let able = bids.iter().filter(|(_, offer)| offer.costs.iter().any(Option::is_some)).count() as u32;
    match assigner::reason(&problem) {
        Reason::TooFewVehicles if phases.len() > 1 => Hitch::TooFew { vehicles: able, phases: phases.len() as u32 },
        Reason::Crowded { tasks, vehicles } if tasks.len() > 1 => {
            Hitch::TooFew { vehicles: vehicles.len() as u32, phases: tasks.len() as u32 }
        }
        Reason::Cycle { samples: true, .. } => Hitch::Horizon,
        _ if unknown => Hitch::NotFound,
        _ => Hitch::Tied,
    }
}
