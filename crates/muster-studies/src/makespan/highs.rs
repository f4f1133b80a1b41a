//! The same problem for HiGHS, a general solver of mixed-integer programs: for checks and comparisons only.

use highs::{HighsModelStatus, RowProblem, Sense};

use super::Instance;

/// The least makespan according to HiGHS, on one thread; `None` if it does not solve the problem.
///
/// Minimise C with x_ij in {0, 1}, sum_i x_ij = 1 for every task j and sum_j t_ij x_ij <= C for every robot i.
pub fn optimum(instance: &Instance) -> Option<f64> {
    let mut problem = RowProblem::default();
    let makespan = problem.add_column(1.0, 0.0..);
    let mut loads = vec![vec![(makespan, -1.0)]; instance.robots()];
    for task in 0..instance.tasks() {
        let mut given = Vec::new();
        for (robot, time) in instance.able(task) {
            let does = problem.add_integer_column(0.0, 0.0..=1.0);
            given.push((does, 1.0));
            loads[robot].push((does, time));
        }
        problem.add_row(1.0..=1.0, given);
    }
    for load in loads {
        problem.add_row(..=0.0, load);
    }
    let mut model = problem.optimise(Sense::Minimise);
    model.make_quiet();
    model.set_option("threads", 1);
    model.set_option("mip_rel_gap", 0.0);
    let solved = model.solve();
    (solved.status() == HighsModelStatus::Optimal).then(|| solved.objective_value())
}
