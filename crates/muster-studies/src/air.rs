//! What went over the air: messages and bytes, by kind of message and by robot.

use std::collections::BTreeMap;

use muster_core::{Mechanism, Output, Recipient, RobotId, Time};
use muster_journal::bytes_on_air;
use muster_sim::Observer;
use muster_sim::radio::Fate;
use serde::Serialize;

/// Messages sent, lost ones included, and their length in all.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// How many.
    pub messages: u64,
    /// How many bytes they take together.
    pub bytes: u64,
}

/// The same, as means over runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeanSent {
    /// How many in a run.
    pub messages: f64,
    /// How many bytes they take together.
    pub bytes: f64,
}

/// Counts what is sent, and lets another look on.
#[derive(Clone, Debug, Default)]
pub struct Air<O> {
    /// The other.
    pub also: O,
    kinds: BTreeMap<&'static str, Sent>,
    /// By number.
    robots: Vec<Sent>,
}

impl Sent {
    fn add(&mut self, bytes: u64) {
        self.messages += 1;
        self.bytes += bytes;
    }
}

impl<O> Air<O> {
    /// All bytes that were sent.
    pub fn bytes(&self) -> u64 {
        self.kinds.values().map(|sent| sent.bytes).sum()
    }

    /// What was sent of each kind, by its name.
    pub fn kinds(&self) -> &BTreeMap<&'static str, Sent> {
        &self.kinds
    }

    /// What each robot has sent that has sent anything.
    pub fn robots(&self) -> impl Iterator<Item = (RobotId, Sent)> {
        (0..).map(RobotId).zip(self.robots.iter().copied()).filter(|(_, sent)| sent.messages > 0)
    }
}

impl<M: Mechanism, O: Observer<M>> Observer<M> for Air<O> {
    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        self.also.on_output(now, robot, output);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        let bytes = bytes_on_air::<M>(message);
        self.kinds.entry(M::name_of(message)).or_default().add(bytes);
        if self.robots.len() <= from.index() {
            self.robots.resize(from.index() + 1, Sent::default());
        }
        self.robots[from.index()].add(bytes);
        self.also.on_transmission(now, from, to, message, fate);
    }
}

/// The means of what `of` finds in runs, key by key: a run that lacks one has sent nothing of it.
pub fn means<'a, R: 'a, K: Ord + Clone + 'a>(
    runs: impl Iterator<Item = &'a R>,
    of: impl Fn(&'a R) -> &'a BTreeMap<K, Sent>,
) -> BTreeMap<K, MeanSent> {
    let mut sums: BTreeMap<K, Sent> = BTreeMap::new();
    let mut count = 0.0;
    for run in runs {
        count += 1.0;
        for (key, sent) in of(run) {
            let sum = sums.entry(key.clone()).or_default();
            sum.messages += sent.messages;
            sum.bytes += sent.bytes;
        }
    }
    let mean = |sum: Sent| MeanSent { messages: sum.messages as f64 / count, bytes: sum.bytes as f64 / count };
    sums.into_iter().map(|(key, sum)| (key, mean(sum))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use muster_sim::{Origin, scenario};

    use super::*;
    use crate::batch::Batch;
    use crate::run::{self, Row};
    use crate::summary::Summary;

    fn rows(name: &str, runs: u64) -> Vec<Row> {
        let loaded = Arc::new(scenario::load(name, &["radio.loss=0.1".to_owned()]).expect("it is built in"));
        let scheme = loaded.schemes()[0];
        let run = |seed| run::run(&Origin::new(loaded.clone(), scheme, seed), &Batch::quiet()).expect("no halt");
        (1..=runs).map(run).collect()
    }

    /// By kind, by robot and in all, for every mechanism: the same messages and the same bytes.
    #[test]
    fn what_was_sent_adds_up() {
        for (name, kind) in [("minefield", "HELP"), ("cleanup", "ACTIVITY"), ("hotspot", "Bid")] {
            let rows = rows(name, 2);
            for row in &rows {
                let all = |sent: Vec<&Sent>| {
                    sent.into_iter().fold((0, 0), |sum, sent| (sum.0 + sent.messages, sum.1 + sent.bytes))
                };
                assert_eq!(all(row.by_kind.values().collect()), (row.messages, row.bytes), "{name}");
                assert_eq!(all(row.by_robot.values().collect()), (row.messages, row.bytes), "{name}");
                assert!(row.by_kind[kind].bytes > row.by_kind[kind].messages, "{name}");
                assert!(row.messages > row.messages_lost && row.messages_lost > 0, "{name}: lost ones count");
            }
            let summary = Summary::of(rows[0].strategy, &rows);
            assert_eq!(
                summary.by_kind[kind].bytes,
                (rows[0].by_kind[kind].bytes + rows[1].by_kind[kind].bytes) as f64 / 2.0
            );
        }
    }

    /// [MacKenzie §3] Three tasks, 336 bytes each, and no more than a hundredth of that beside the order itself.
    #[test]
    fn bids_of_the_example_mission_take_what_the_paper_says() {
        let loaded = scenario::load("hotspot", &[]).expect("it is built in");
        let origin = |changes: &[&str]| {
            let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
            let loaded = Arc::new(scenario::load("hotspot", &changes).expect("it is built in"));
            Origin::new(loaded.clone(), loaded.schemes()[0], 1)
        };
        let bids = |changes: &[&str]| run::run(&origin(changes), &Batch::quiet()).expect("no halt").by_kind["Bid"];
        let drawn = bids(&["tasking.variant=drawn"]);
        assert_eq!((drawn.messages, drawn.bytes / drawn.messages), (2, 3 * 339 + 7));
        let adaptive = bids(&["tasking.grid=\"adaptive\""]);
        let grid = bids(&[]);
        assert!(adaptive.messages == grid.messages && 2 * adaptive.bytes < grid.bytes, "{adaptive:?} {grid:?}");
        assert_eq!(
            loaded.tasking(muster_core::tasking::Variant::Fenced).0.grid.len(),
            168,
            "it names the paper's grid"
        );
    }
}
