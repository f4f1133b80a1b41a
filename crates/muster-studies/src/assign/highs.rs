//! The same problem for HiGHS, a general solver of mixed-integer programs: for checks and comparisons only.

use highs::{Col, HighsModelStatus, RowProblem, Sense};
use muster_core::tasking::assigner::{Choice, Constraint, INFEASIBLE, Problem};

/// The least cost according to HiGHS, on one thread; none if it finds none within `seconds`.
///
/// A 0-1 variable for every task, vehicle, time and heading that is possible. Each task is done once, each vehicle does
/// one at most. Constraints are stated for times and for headings apart, and as tightly as pairs allow: for each time of
/// the one task, it and all times of the other that do not go with it together are at most 1.
pub fn optimum(problem: &Problem, seconds: f64) -> Option<u64> {
    let mut program = RowProblem::default();
    let (times, headings) = (problem.times().len(), problem.headings().len());
    let mut by_vehicle: Vec<Vec<(Col, f64)>> = vec![Vec::new(); problem.vehicles()];
    let mut at_time: Vec<Vec<(Col, f64)>> = vec![Vec::new(); problem.tasks() * times];
    let mut on_heading: Vec<Vec<(Col, f64)>> = vec![Vec::new(); problem.tasks() * headings];
    for task in 0..problem.tasks() {
        let mut done = Vec::new();
        for (vehicle, does) in by_vehicle.iter_mut().enumerate() {
            for (state, &cost) in problem.bid(task, vehicle).iter().enumerate().filter(|(_, cost)| **cost != INFEASIBLE)
            {
                let column = program.add_integer_column(f64::from(cost), 0.0..=1.0);
                done.push((column, 1.0));
                does.push((column, 1.0));
                at_time[task * times + state / headings].push((column, 1.0));
                on_heading[task * headings + state % headings].push((column, 1.0));
            }
        }
        program.add_row(1.0..=1.0, done);
    }
    for does in by_vehicle {
        program.add_row(..=1.0, does);
    }
    let choice = |time, heading| Choice { vehicle: 0, time, heading };
    for constraint in problem.constraints() {
        let timed = Constraint { dh_min: 0, dh_max: i64::MAX, ..*constraint };
        let turned = Constraint { dt_min: None, dt_max: None, ..*constraint };
        let mut clashes = |count: usize, of: &[Vec<(Col, f64)>], goes: &dyn Fn(usize, usize) -> bool| {
            for value in 0..count {
                let others = (0..count).filter(|&other| !goes(value, other));
                let clash: Vec<(Col, f64)> =
                    others.flat_map(|other| of[constraint.b * count + other].iter().copied()).collect();
                if !clash.is_empty() {
                    program.add_row(..=1.0, of[constraint.a * count + value].iter().copied().chain(clash));
                }
            }
        };
        clashes(times, &at_time, &|a, b| problem.keeps(&timed, choice(a, 0), choice(b, 0)));
        clashes(headings, &on_heading, &|a, b| problem.keeps(&turned, choice(0, a), choice(0, b)));
    }
    let mut model = program.optimise(Sense::Minimise);
    model.make_quiet();
    model.set_option("threads", 1);
    model.set_option("mip_rel_gap", 0.0);
    model.set_option("time_limit", seconds);
    let solved = model.solve();
    (solved.status() == HighsModelStatus::Optimal).then(|| solved.objective_value().round() as u64)
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::assigner::assign;

    use super::super::random::{BIDS, COUPLED, instance};
    use super::optimum;

    #[test]
    fn another_solver_agrees() {
        for (seed, (coupled, bids)) in
            COUPLED.iter().flat_map(|coupled| BIDS.iter().map(move |bids| (coupled.1, bids.1))).enumerate()
        {
            let problem = instance(seed as u64, 4, 5, coupled, bids);
            assert_eq!(optimum(&problem, 60.0), assign(&problem, u64::MAX).cost, "{coupled:?} {bids:?}");
        }
    }
}
