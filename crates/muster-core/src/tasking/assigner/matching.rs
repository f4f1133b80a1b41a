//! Linear assignment: a different vehicle for each task, at least cost, and prices that prove it.

/// Solves one matrix after another in the same memory.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// What each task costs at the prices.
    pub tasks: Vec<f64>,
    /// What each vehicle saves, at most 0: the tasks' prices plus these are a lower bound, and here the least cost.
    pub vehicles: Vec<f64>,
    /// Who does each task.
    pub who: Vec<usize>,
    doing: Vec<usize>,
    slack: Vec<f64>,
    from: Vec<usize>,
    seen: Vec<usize>,
    unseen: Vec<usize>,
}

const NOBODY: usize = usize::MAX;

impl Matching {
    /// The least cost of giving each row a column of its own; none if there is no finite one.
    ///
    /// Shortest augmenting paths [Jonker & Volgenant 1987]. `costs` has a row per task; infinite where it cannot be.
    pub fn solve(&mut self, tasks: usize, vehicles: usize, costs: &[f64]) -> Option<f64> {
        for (list, length) in [(&mut self.tasks, tasks), (&mut self.vehicles, vehicles), (&mut self.slack, vehicles)] {
            list.clear();
            list.resize(length, 0.0);
        }
        for (list, length) in [(&mut self.who, tasks), (&mut self.doing, vehicles), (&mut self.from, vehicles)] {
            list.clear();
            list.resize(length, NOBODY);
        }
        for task in 0..tasks {
            self.augment(task, vehicles, costs)?;
        }
        Some(self.tasks.iter().sum::<f64>() + self.vehicles.iter().sum::<f64>())
    }

    /// Finds a vehicle for one more task, moving others where that is cheaper.
    fn augment(&mut self, root: usize, vehicles: usize, costs: &[f64]) -> Option<()> {
        self.slack.fill(f64::INFINITY);
        self.seen.clear();
        self.unseen.clear();
        self.unseen.extend(0..vehicles);
        let (mut task, mut reached) = (root, 0.0);
        let free = loop {
            let row = &costs[task * vehicles..(task + 1) * vehicles];
            let offset = reached - self.tasks[task];
            let (mut best, mut at) = (f64::INFINITY, NOBODY);
            for (place, &vehicle) in self.unseen.iter().enumerate() {
                let along = row[vehicle] - self.vehicles[vehicle] + offset;
                if along < self.slack[vehicle] {
                    self.slack[vehicle] = along;
                    self.from[vehicle] = task;
                }
                // Of equally near vehicles a free one ends the path.
                let slack = self.slack[vehicle];
                if slack < best || (slack == best && slack < f64::INFINITY && self.doing[vehicle] == NOBODY) {
                    (best, at) = (slack, place);
                }
            }
            if at == NOBODY {
                return None;
            }
            let vehicle = self.unseen.swap_remove(at);
            reached = best;
            if self.doing[vehicle] == NOBODY {
                break vehicle;
            }
            self.seen.push(vehicle);
            task = self.doing[vehicle];
        };
        self.tasks[root] += reached;
        for &vehicle in &self.seen {
            let shift = reached - self.slack[vehicle];
            self.vehicles[vehicle] -= shift;
            self.tasks[self.doing[vehicle]] += shift;
        }
        let mut vehicle = free;
        loop {
            let task = self.from[vehicle];
            self.doing[vehicle] = task;
            let before = std::mem::replace(&mut self.who[task], vehicle);
            if task == root {
                return Some(());
            }
            vehicle = before;
        }
    }
}
