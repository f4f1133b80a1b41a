//! Tasks that nobody took for the same reasons, told together: of a hundred that no robot came to know of there is one
//! thing to say.

use std::collections::BTreeMap;

use muster_core::TaskId;
use muster_core::telling::{Nobody, Reason};
use serde::Serialize;

use super::Explainer;

/// Tasks that nobody took, or that were not done, for the same reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untaken {
    /// The tasks, in their order.
    pub tasks: Vec<TaskId>,
    /// Somebody has each of them, and has not done it yet.
    pub under_way: bool,
    /// The reasons, a few.
    pub reasons: Vec<Reason>,
}

impl Untaken {
    /// Those of equal reasons together, in the order of their first tasks.
    pub fn grouped(nobody: Vec<Nobody>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        let mut places: BTreeMap<(bool, Vec<Reason>), usize> = BTreeMap::new();
        for Nobody { task, under_way, reasons } in nobody {
            let place = *places.entry((under_way, reasons.clone())).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.tasks.push(task),
                None => groups.push(Self { tasks: vec![task], under_way, reasons }),
            }
        }
        groups
    }
}

/// The same in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotDone {
    /// Which tasks, and whether nobody took them or somebody has yet to do them.
    pub title: String,
    /// How many there are.
    pub tasks: usize,
    /// The reasons.
    pub reasons: Vec<String>,
}

/// So many tasks of a group are named, and the others counted.
const MOST_NAMED: usize = 5;

impl Explainer<'_> {
    /// Why nobody took the tasks that nobody took, tasks of equal reasons together.
    pub fn not_done(&self) -> Vec<NotDone> {
        let told = |untaken: Untaken| NotDone {
            title: self.title(&untaken),
            tasks: untaken.tasks.len(),
            reasons: untaken.reasons.into_iter().map(|reason| reason.text).collect(),
        };
        Untaken::grouped(self.nobody()).into_iter().map(told).collect()
    }

    /// What stands above the reasons: which tasks they are, and whether nobody took them or somebody has yet to do them.
    pub fn title(&self, untaken: &Untaken) -> String {
        let Untaken { tasks, under_way, .. } = untaken;
        let what = if *under_way { "Not done" } else { "Why nobody" };
        let names: Vec<String> = tasks.iter().take(MOST_NAMED).map(|task| self.task(*task).to_string()).collect();
        let names = names.join(", ");
        match tasks.len().saturating_sub(MOST_NAMED) {
            0 => format!("{what}: {names}"),
            more => format!("{what}: {names} and {more} more ({} tasks)", tasks.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use muster_core::Names;
    use muster_core::RobotId;
    use muster_core::affect::{Name, Rows, Table};

    use super::*;

    struct Numbered;

    impl Names for Numbered {
        fn robot(&self, robot: RobotId) -> Name {
            format!("r{}", robot.0).into()
        }

        fn task(&self, task: TaskId) -> Name {
            format!("t{}", task.0).into()
        }

        fn robot_count(&self) -> u32 {
            1
        }

        fn task_count(&self) -> u32 {
            9
        }
    }

    fn nobody(task: u32, under_way: bool, text: &str) -> Nobody {
        let reasons = vec![Reason { why: "unheard", count: 1, text: text.to_owned() }];
        Nobody { task: TaskId(task), under_way, reasons }
    }

    /// Tasks of equal reasons are told once, the first few by name; what somebody has is not told as what nobody took.
    #[test]
    fn equal_reasons_are_told_once() {
        let mut all: Vec<Nobody> = (0..7).map(|task| nobody(task, false, "nobody heard it")).collect();
        all.insert(1, nobody(7, true, "nobody heard it"));
        all.push(nobody(8, false, "unable: 1 robot"));
        let table = Table::new(Rows::default()).expect("a table of nothing");
        let explainer = Explainer::new(&Numbered, Arc::new(table));
        let groups = Untaken::grouped(all);
        let titles: Vec<String> = groups.iter().map(|group| explainer.title(group)).collect();
        assert_eq!(titles, ["Why nobody: t0, t1, t2, t3, t4 and 2 more (7 tasks)", "Not done: t7", "Why nobody: t8"]);
        assert_eq!(groups[2].reasons[0].text, "unable: 1 robot");
    }
}
