//! Where the search stands: what each robot was given, what is open, and who may still do it. Every change can be
//! taken back, and none allocates once the vectors have grown.

use crate::makespan::Instance;

/// A robot that may still do a task, and how long it takes.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate {
    pub time: f64,
    pub robot: u32,
}

/// What the search knows of a robot.
#[derive(Copy, Clone, Debug)]
pub(super) struct Robot {
    /// When it finishes what it was given.
    pub load: f64,
    /// Its multipliers in the dual bound; see `dual`.
    pub price: Price,
    /// Most open tasks that fit in before the cutoff.
    pub most: f64,
    /// When it finishes, and how many open tasks it has, if every open task goes where it is cheapest.
    pub relaxed_load: f64,
    pub relaxed_count: f64,
}

/// Lagrangian multipliers of a robot's two constraints: when it finishes, and how many tasks it does.
#[derive(Copy, Clone, Debug)]
pub(super) struct Price {
    pub load: f64,
    pub count: f64,
}

impl Candidate {
    /// What the task costs if this robot does it.
    #[inline(always)]
    pub fn cost(self, robots: &[Robot]) -> f64 {
        let price = robots[self.robot as usize].price;
        price.load * self.time + price.count
    }
}

/// A point to return to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Mark {
    removed: usize,
    given: usize,
}

/// See the top of the file.
#[derive(Debug, Default)]
pub(super) struct State {
    pub robots: Vec<Robot>,
    /// Candidates of all tasks, task by task. Within a task the first `live` are still candidates, the others were
    /// removed, the latest first (a sparse set: taking a removal back is an increment).
    candidates: Vec<Candidate>,
    start: Vec<usize>,
    live: Vec<usize>,
    /// The tasks that lost a candidate, in order.
    removed: Vec<u32>,
    /// All tasks, the open ones first; another sparse set.
    order: Vec<u32>,
    open: usize,
    /// Who was given a task, in order, and the load before: subtracting would not give it back exactly.
    given: Vec<(u32, f64)>,
    pub assignment: Vec<u32>,
}

impl State {
    /// Starts with every task open and every able robot a candidate.
    pub fn reset(&mut self, instance: &Instance) {
        let (robots, tasks) = (instance.robots(), instance.tasks());
        let price = Price { load: 1.0 / robots as f64, count: 0.0 };
        self.robots.clear();
        self.robots.resize(robots, Robot { load: 0.0, price, most: 0.0, relaxed_load: 0.0, relaxed_count: 0.0 });
        self.candidates.clear();
        self.start.clear();
        self.live.clear();
        for task in 0..tasks {
            let start = self.candidates.len();
            for (robot, &time) in instance.times_of(task).iter().enumerate() {
                if time < f64::INFINITY {
                    self.candidates.push(Candidate { time, robot: robot as u32 });
                }
            }
            self.start.push(start);
            self.live.push(self.candidates.len() - start);
        }
        self.removed.clear();
        self.given.clear();
        self.order.clear();
        self.order.extend(0..tasks as u32);
        self.open = tasks;
        self.assignment.clear();
        self.assignment.resize(tasks, 0);
    }

    /// The open tasks, in no particular order.
    #[inline(always)]
    pub fn open(&self) -> &[u32] {
        &self.order[..self.open]
    }

    /// Who may still do `task`.
    #[inline(always)]
    pub fn candidates(&self, task: usize) -> &[Candidate] {
        let start = self.start[task];
        &self.candidates[start..start + self.live[task]]
    }

    /// Sorts the candidates of `task`, cheapest first; among equals the robot with the lower number.
    pub fn sort_candidates(&mut self, task: usize) {
        let start = self.start[task];
        let Self { candidates, robots, live, .. } = self;
        candidates[start..start + live[task]].sort_unstable_by(|one, other| {
            one.cost(robots).total_cmp(&other.cost(robots)).then(one.robot.cmp(&other.robot))
        });
    }

    /// Removes the candidates of `task` that `doomed` picks; says how many are left.
    #[inline(always)]
    pub fn remove_if(&mut self, task: usize, mut doomed: impl FnMut(Candidate, &mut Robot) -> bool) -> usize {
        let (start, before) = (self.start[task], self.live[task]);
        let candidates = &mut self.candidates[start..start + before];
        let (mut at, mut live) = (0, before);
        while at < live {
            let candidate = candidates[at];
            if doomed(candidate, &mut self.robots[candidate.robot as usize]) {
                live -= 1;
                candidates.swap(at, live);
                self.removed.push(task as u32);
            } else {
                at += 1;
            }
        }
        self.live[task] = live;
        live
    }

    /// Gives the open task at `place` in `open()` to a candidate.
    pub fn give(&mut self, place: usize, candidate: Candidate) {
        self.open -= 1;
        self.order.swap(place, self.open);
        let robot = &mut self.robots[candidate.robot as usize];
        self.given.push((candidate.robot, robot.load));
        robot.load += candidate.time;
        self.assignment[self.order[self.open] as usize] = candidate.robot;
    }

    /// Where `task`, which is open, stands in `open()`.
    pub fn place_of(&self, task: usize) -> usize {
        self.open().iter().position(|&open| open as usize == task).expect("the task is open")
    }

    /// A point to return to.
    pub fn mark(&self) -> Mark {
        Mark { removed: self.removed.len(), given: self.given.len() }
    }

    /// Returns to it.
    pub fn undo(&mut self, mark: Mark) {
        for &task in &self.removed[mark.removed..] {
            self.live[task as usize] += 1;
        }
        self.removed.truncate(mark.removed);
        for &(robot, load) in self.given[mark.given..].iter().rev() {
            self.robots[robot as usize].load = load;
        }
        self.open += self.given.len() - mark.given;
        self.given.truncate(mark.given);
    }
}
