//! Beyond the report: choosing with a view of the whole team, from what a robot knows anyway. Nobody negotiates.

use super::motivation::Category;

/// What a robot knows of its team. The first robot is the one that looks.
pub(super) struct Picture {
    /// Seconds until each robot is free.
    pub free_in_s: Vec<f64>,
    /// Seconds that each robot would take for each task, `None` if it cannot or nothing is known; `None` for a task
    /// that is not open.
    pub tasks: Vec<Option<Vec<Option<f64>>>>,
}

impl Picture {
    /// When each robot would have finished the task.
    fn finish_s(&self, task: &[Option<f64>], robot: usize) -> f64 {
        task[robot].map_or(f64::INFINITY, |time| self.free_in_s[robot] + time)
    }
}

/// Takes a task only if no team mate would finish it earlier; the one first that would lose most by waiting.
pub(super) fn regrets(picture: &Picture) -> Vec<(Category, f64)> {
    let judge = |task: &Option<Vec<Option<f64>>>| {
        let Some(task) = task else { return (Category::Second, 0.0) };
        let own = picture.finish_s(task, 0);
        let best = (1..task.len()).map(|robot| picture.finish_s(task, robot)).fold(f64::INFINITY, f64::min);
        if own < f64::INFINITY && own <= best { (Category::First, best - own) } else { (Category::Second, 0.0) }
    };
    picture.tasks.iter().map(judge).collect()
}

/// Plans for everybody and takes what the plan gives it, the longest first.
pub(super) fn plan(picture: &Picture) -> Vec<(Category, f64)> {
    let open: Vec<(usize, &[Option<f64>])> =
        picture.tasks.iter().enumerate().filter_map(|(index, task)| Some((index, task.as_deref()?))).collect();
    let mut result = vec![(Category::Second, 0.0); picture.tasks.len()];
    let assignment = Search::new(picture, open.iter().map(|(_, task)| *task).collect()).best();
    for (place, (index, task)) in open.iter().enumerate() {
        if assignment[place] == Some(0) {
            result[*index] = (Category::First, task[0].unwrap_or(0.0));
        }
    }
    result
}

/// Steps that one plan may take: a robot's work per input is bounded.
const BUDGET: u32 = 4_000;

/// Depth first, the soonest finish first, cut where the best so far cannot be beaten; what it finds within its budget.
struct Search<'p> {
    /// In the order in which they are tried.
    tasks: Vec<&'p [Option<f64>]>,
    order: Vec<usize>,
    load: Vec<f64>,
    chosen: Vec<Option<usize>>,
    best: Vec<Option<usize>>,
    best_s: f64,
    budget: u32,
}

impl<'p> Search<'p> {
    fn new(picture: &Picture, tasks: Vec<&'p [Option<f64>]>) -> Self {
        let shortest = |task: &[Option<f64>]| task.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let mut order: Vec<usize> = (0..tasks.len()).filter(|task| shortest(tasks[*task]) < f64::INFINITY).collect();
        order.sort_by(|a, b| shortest(tasks[*b]).total_cmp(&shortest(tasks[*a])).then(a.cmp(b)));
        let chosen = vec![None; tasks.len()];
        let load = picture.free_in_s.clone();
        Self { tasks, order, load, best: chosen.clone(), chosen, best_s: f64::INFINITY, budget: BUDGET }
    }

    fn best(mut self) -> Vec<Option<usize>> {
        self.descend(0, 0.0);
        self.best
    }

    fn descend(&mut self, depth: usize, makespan_s: f64) {
        if depth == self.order.len() {
            self.best_s = makespan_s;
            self.best.copy_from_slice(&self.chosen);
            return;
        }
        if self.cannot_beat(depth, makespan_s) {
            return;
        }
        let task = self.order[depth];
        let mut last = (f64::NEG_INFINITY, 0);
        // By the soonest finish: picked out one after the other, since few are ever tried.
        loop {
            let next = (0..self.load.len())
                .map(|robot| (self.tasks[task][robot].map_or(f64::INFINITY, |time| self.load[robot] + time), robot))
                .filter(|finish| *finish > last && finish.0 < self.best_s)
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some((finish_s, robot)) = next else { return };
            last = (finish_s, robot);
            if self.best_s < f64::INFINITY {
                if self.budget == 0 {
                    return;
                }
                self.budget -= 1;
            }
            let before = std::mem::replace(&mut self.load[robot], finish_s);
            self.chosen[task] = Some(robot);
            self.descend(depth + 1, makespan_s.max(finish_s));
            self.chosen[task] = None;
            self.load[robot] = before;
        }
    }

    /// Some task that is left ends too late wherever it goes, or all of them together do.
    fn cannot_beat(&self, depth: usize, makespan_s: f64) -> bool {
        if self.best_s == f64::INFINITY {
            return false;
        }
        let mut least_work = 0.0;
        let mut latest = makespan_s;
        for task in &self.order[depth..] {
            let times = self.tasks[*task];
            let soonest = |robot: usize| times[robot].map_or(f64::INFINITY, |time| self.load[robot] + time);
            latest = latest.max((0..self.load.len()).map(soonest).fold(f64::INFINITY, f64::min));
            least_work += times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        }
        let together = (self.load.iter().sum::<f64>() + least_work) / self.load.len() as f64;
        latest >= self.best_s || together >= self.best_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(free_in_s: &[f64], tasks: &[&[f64]]) -> Picture {
        let able = |time: &f64| (*time > 0.0).then_some(*time);
        let tasks = tasks.iter().map(|times| Some(times.iter().map(able).collect())).collect();
        Picture { free_in_s: free_in_s.to_vec(), tasks }
    }

    #[test]
    fn a_task_that_a_mate_would_finish_earlier_is_left_to_it() {
        // The mate is quicker at both, but busy for 30 s.
        let judged = regrets(&picture(&[0.0, 30.0], &[&[50.0, 10.0], &[50.0, 25.0]]));
        assert_eq!(judged, [(Category::Second, 0.0), (Category::First, 5.0)]);
    }

    #[test]
    fn what_only_this_robot_can_do_goes_first() {
        let judged = regrets(&picture(&[0.0, 0.0], &[&[50.0, 0.0], &[10.0, 60.0], &[0.0, 5.0]]));
        assert_eq!(judged[0], (Category::First, f64::INFINITY));
        assert_eq!(judged[1], (Category::First, 50.0));
        assert_eq!(judged[2].0, Category::Second);
    }

    /// The best for all is not the best for each: the quick robot leaves one of its tasks to the slow one.
    #[test]
    fn a_plan_balances() {
        let planned = plan(&picture(&[0.0, 0.0], &[&[30.0, 20.0], &[40.0, 20.0], &[60.0, 20.0]]));
        let mine: Vec<usize> = (0..3).filter(|task| planned[*task].0 == Category::First).collect();
        assert_eq!(mine, [0]);
    }

    #[test]
    fn a_task_that_nobody_can_do_is_left_out() {
        let planned = plan(&picture(&[0.0, 0.0], &[&[0.0, 0.0], &[40.0, 0.0]]));
        assert_eq!(planned, [(Category::Second, 0.0), (Category::First, 40.0)]);
    }
}
