//! Beyond the report: choosing with a view of the whole team, from what a robot knows anyway. Nobody negotiates.

use super::motivation::Category;

/// What a robot knows of its team, by robot: whoever knows the same comes to the same plan.
pub(super) struct Picture {
    /// The robot that plans, by its place in these lists.
    pub me: usize,
    /// Seconds until each robot is free.
    pub free_in_s: Vec<f64>,
    /// Seconds that each robot would take for each task, `None` if it cannot or nothing is known; `None` for a task
    /// that is not open.
    pub tasks: Vec<Option<Vec<Option<f64>>>>,
}

/// What comes of a picture for one task.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    pub category: Category,
    /// Among those of the first category, the largest goes first.
    pub want: f64,
    /// A team mate is to do it.
    pub left_to_a_mate: bool,
}

impl Judgement {
    const NONE: Self = Self { category: Category::Second, want: 0.0, left_to_a_mate: false };
}

impl Picture {
    fn judge(&self, robot: usize, want: f64) -> Judgement {
        let category = if robot == self.me { Category::First } else { Category::Second };
        Judgement { category, want, left_to_a_mate: robot != self.me }
    }
}

/// Takes a task only if no team mate would finish it earlier, after what that team mate would rather do first; what
/// would lose most by going to the second best goes first.
pub(super) fn regrets(picture: &Picture) -> Vec<Judgement> {
    let mut result = vec![Judgement::NONE; picture.tasks.len()];
    let mut load = picture.free_in_s.clone();
    let mut open: Vec<(usize, &[Option<f64>])> =
        picture.tasks.iter().enumerate().filter_map(|(index, task)| Some((index, task.as_deref()?))).collect();
    for turn in 0..open.len() {
        // (regret, who is best, its finish, where in the list) of the task that would lose most.
        let mut most: Option<(f64, usize, f64, usize)> = None;
        for (place, (_, task)) in open.iter().enumerate() {
            let (mut best, mut second) = ((f64::INFINITY, 0), f64::INFINITY);
            for (robot, time) in task.iter().enumerate() {
                let finish = time.map_or(f64::INFINITY, |time| load[robot] + time);
                if finish < best.0 {
                    second = best.0;
                    best = (finish, robot);
                } else {
                    second = second.min(finish);
                }
            }
            let regret = if best.0 < f64::INFINITY { second - best.0 } else { f64::NEG_INFINITY };
            if most.is_none_or(|(largest, ..)| regret > largest) {
                most = Some((regret, best.1, best.0, place));
            }
        }
        let Some((_, robot, finish, place)) = most.filter(|most| most.2 < f64::INFINITY) else { break };
        let (index, _) = open.swap_remove(place);
        load[robot] = finish;
        result[index] = picture.judge(robot, -(turn as f64));
    }
    result
}

/// Plans for everybody and takes what the plan gives it. First what others would do worst: of the rest they may
/// relieve it yet, since it does not know all that they have to do.
pub(super) fn plan(picture: &Picture) -> Vec<Judgement> {
    let open: Vec<(usize, &[Option<f64>])> =
        picture.tasks.iter().enumerate().filter_map(|(index, task)| Some((index, task.as_deref()?))).collect();
    let mut result = vec![Judgement::NONE; picture.tasks.len()];
    let assignment = Search::new(picture, open.iter().map(|(_, task)| *task).collect()).best();
    for (place, (index, task)) in open.iter().enumerate() {
        if let Some(robot) = assignment[place] {
            let others = (0..task.len()).filter(|other| *other != robot);
            let next_best = others.filter_map(|other| Some(picture.free_in_s[other] + task[other]?));
            let want = next_best.fold(f64::INFINITY, f64::min) - task[robot].unwrap_or(0.0);
            result[*index] = picture.judge(robot, want);
        }
    }
    result
}

/// Steps that one plan may take, and looks at a robot's time for a task in all of them: a robot's work per input is
/// bounded, whatever the size of the team.
const BUDGET: usize = 4_000;
const LOOKS: usize = 400_000;

/// Depth first, the soonest finish first, cut where the best so far cannot be beaten; what it finds within its budget.
struct Search<'p> {
    /// In the order in which they are tried.
    tasks: Vec<&'p [Option<f64>]>,
    order: Vec<usize>,
    load: Vec<f64>,
    chosen: Vec<Option<usize>>,
    best: Vec<Option<usize>>,
    best_s: f64,
    budget: usize,
}

impl<'p> Search<'p> {
    fn new(picture: &Picture, tasks: Vec<&'p [Option<f64>]>) -> Self {
        let shortest = |task: &[Option<f64>]| task.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let mut order: Vec<usize> = (0..tasks.len()).filter(|task| shortest(tasks[*task]) < f64::INFINITY).collect();
        order.sort_by(|a, b| shortest(tasks[*b]).total_cmp(&shortest(tasks[*a])).then(a.cmp(b)));
        let chosen = vec![None; tasks.len()];
        let load = picture.free_in_s.clone();
        let budget = BUDGET.min(LOOKS / (tasks.len() * load.len()).max(1)).max(tasks.len());
        Self { tasks, order, load, best: chosen.clone(), chosen, best_s: f64::INFINITY, budget }
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
        Picture { me: 0, free_in_s: free_in_s.to_vec(), tasks }
    }

    /// This robot's tasks, the first first.
    fn mine(judged: &[Judgement]) -> Vec<usize> {
        let mut mine: Vec<usize> = (0..judged.len()).filter(|task| judged[*task].category == Category::First).collect();
        mine.sort_by(|a, b| judged[*b].want.total_cmp(&judged[*a].want));
        mine
    }

    #[test]
    fn a_task_that_a_mate_would_finish_earlier_is_left_to_it() {
        // The mate is quicker at both, but busy for 30 s; and after the one, too late for the other.
        let judged = regrets(&picture(&[0.0, 30.0], &[&[60.0, 10.0], &[60.0, 25.0]]));
        assert_eq!(mine(&judged), [1]);
        assert!(judged[0].left_to_a_mate);
    }

    #[test]
    fn what_only_this_robot_can_do_goes_first() {
        let judged = regrets(&picture(&[0.0, 0.0], &[&[10.0, 90.0], &[50.0, 0.0], &[0.0, 5.0]]));
        assert_eq!(mine(&judged), [1, 0]);
    }

    #[test]
    fn a_plan_balances() {
        let planned = plan(&picture(&[0.0, 0.0], &[&[30.0, 20.0], &[50.0, 20.0], &[60.0, 20.0]]));
        assert_eq!(mine(&planned), [0]);
    }

    #[test]
    fn a_task_that_nobody_can_do_is_left_out() {
        let planned = plan(&picture(&[0.0, 0.0], &[&[0.0, 0.0], &[40.0, 0.0]]));
        assert_eq!(mine(&planned), [1]);
    }
}
