//! The auctions of one run, to be looked at in a report: who held which task when, and what was bid for it.

use std::collections::BTreeMap;

use muster_core::tasking::{Auctions, Lot, Step};
use muster_core::telling::{Noted, Telling};
use muster_core::{Event, Note, RobotId, TaskId, Time};

/// What was auctioned in one run.
#[derive(Clone, Debug, Default)]
pub struct Auction {
    /// Who held what.
    pub holds: Vec<Hold>,
    /// When a task was called off, in seconds: cancelled, or too late.
    pub called_off: BTreeMap<TaskId, f64>,
    /// What was bid for each of the first tasks, in their order: at the last auction of it.
    pub lots: Vec<Lot>,
}

/// A vehicle had a task in its queue.
#[derive(Clone, Debug)]
pub struct Hold {
    /// Which task.
    pub task: TaskId,
    /// The vehicle that held it.
    pub robot: RobotId,
    /// From when, in seconds.
    pub from_s: f64,
    /// Until when.
    pub until_s: f64,
    /// How it ended.
    pub end: End,
}

/// How a vehicle came to hold a task no longer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It was over the target.
    Done,
    /// It gave it up: for a better attempt, for something more urgent, because it was called off.
    Dropped,
    /// It stopped, or had to start again.
    Crashed,
    /// The run was over.
    Open,
}

/// Gathers the auctions of a run from its notes, in their order.
pub struct Reading {
    most: u32,
    auctions: Auctions,
    lots: BTreeMap<TaskId, Lot>,
    called_off: BTreeMap<TaskId, f64>,
    holds: Vec<Hold>,
    /// Since when each vehicle has had each task.
    open: BTreeMap<(TaskId, RobotId), Time>,
}

impl Reading {
    /// Nothing is read yet. The bids for the first `most` tasks are kept.
    pub fn new(most: u32) -> Self {
        Self {
            most,
            auctions: Auctions::default(),
            lots: BTreeMap::new(),
            called_off: BTreeMap::new(),
            holds: Vec::new(),
            open: BTreeMap::new(),
        }
    }

    /// One more note.
    pub fn read(&mut self, note: &Note) {
        if note.event.happening().is_some_and(|happening| happening.is_down()) {
            let own: Vec<TaskId> =
                self.open.keys().filter(|(_, robot)| *robot == note.robot).map(|(task, _)| *task).collect();
            own.into_iter().for_each(|task| self.close((task, note.robot), note.at, End::Crashed));
        }
        let Event::Tasking { task, step } = &note.event else { return };
        let noted = Noted { at: note.at, robot: note.robot };
        if task.0 < self.most {
            self.auctions.keep(noted, (*task, step));
            if let Some(lot) = self.auctions.lot(noted, *task, step) {
                self.lots.insert(*task, lot);
            }
        }
        let key = (*task, note.robot);
        match step {
            Step::Holds { .. } => {
                self.close(key, note.at, End::Dropped);
                self.open.insert(key, note.at);
            }
            Step::Executed { .. } => self.close(key, note.at, End::Done),
            Step::Cancelled | Step::Expired | Step::BrokenOff { .. } => {
                self.called_off.entry(*task).or_insert(note.at.as_secs_f64());
                self.close(key, note.at, End::Dropped);
            }
            // A vehicle that bids for a task, or hears that it is done, has it no longer: the order was changed.
            Step::Yielded { .. }
            | Step::HandedBack
            | Step::Missed
            | Step::Refrained { .. }
            | Step::Refuses { .. }
            | Step::Bids { .. }
            | Step::HeardDone { .. } => self.close(key, note.at, End::Dropped),
            Step::Injected
            | Step::Renewed
            | Step::Leads { .. }
            | Step::Solicited { .. }
            | Step::BidHeard { .. }
            | Step::OwnBid { .. }
            | Step::NoGoodBids { .. }
            | Step::Assigned { .. }
            | Step::Shares { .. }
            | Step::Deleted { .. }
            | Step::Refused { .. }
            | Step::GoesRound { .. }
            | Step::Challenged { .. }
            | Step::Claimed { .. }
            | Step::Elected { .. }
            | Step::NoQuorum { .. }
            | Step::Duplicate { .. } => {}
        }
    }

    /// A vehicle has a task no longer, if it had it.
    fn close(&mut self, key: (TaskId, RobotId), until: Time, end: End) {
        if let Some(from) = self.open.remove(&key) {
            let (task, robot) = key;
            self.holds.push(Hold { task, robot, from_s: from.as_secs_f64(), until_s: until.as_secs_f64(), end });
        }
    }

    /// The run is over.
    pub fn over(mut self, end: Time) -> Auction {
        let open: Vec<(TaskId, RobotId)> = self.open.keys().copied().collect();
        open.into_iter().for_each(|key| self.close(key, end, End::Open));
        self.holds.sort_by_key(|hold| (hold.task, hold.from_s.to_bits()));
        Auction { holds: self.holds, called_off: self.called_off, lots: self.lots.into_values().collect() }
    }
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::{Tasking, Variant};
    use muster_core::{Mechanism, RobotId};
    use muster_sim::scheme::{Visit, staff};
    use muster_sim::{Origin, Scheme, Sim, scenario};

    use super::*;
    use crate::batch::Batch;
    use crate::run;

    /// The notes of a run of auctions.
    struct Notes<'a>(&'a Origin);

    impl Visit for Notes<'_> {
        type Result = (Vec<Note>, Time);

        fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Self::Result {
            panic!("its tasks are auctioned")
        }

        fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Self::Result {
            let mut sim = Sim::of(self.0, machine, ()).with_notes();
            sim.run();
            (sim.take_notes(), sim.now())
        }
    }

    fn auction(origin: &Origin) -> Auction {
        let (notes, end) = staff(origin, Notes(origin));
        let mut reading = Reading::new(9);
        notes.iter().for_each(|note| reading.read(note));
        reading.over(end)
    }

    /// What is shown of a bid is what was bid: it has the cost that the LEAD noted, where it noted it.
    #[test]
    fn bids_are_those_of_the_run() {
        for (name, least) in [("hotspot", 3), ("patrol", 8)] {
            let loaded = scenario::load(name, &[]).expect("the built-in scenario is right");
            let origin = Origin::new(loaded, Scheme::Tasking(Variant::Fenced), 1);
            let row = run::run(&origin, &Batch::quiet()).expect("nobody calls a halt");
            let auction = auction(&origin);
            assert!(auction.lots.len() >= least, "{name}: {} lots", auction.lots.len());
            for lot in &auction.lots {
                let of_winner = lot.bids.iter().find(|(robot, _)| *robot == lot.holder.robot);
                let (_, surface) = of_winner.expect("the winner has bid");
                let grid = &lot.grid;
                let (t0, at) = (lot.t0, lot.holder.at);
                let time = (0..grid.times).find(|n| t0 + grid.time(*n) == at).expect("a sample");
                let turn = |n: &u16| (grid.heading_deg(*n) * 1e3).round() as u32 == lot.holder.heading;
                let heading = (0..grid.headings).find(turn).expect("a sample");
                assert_eq!(surface.get(grid, time, heading), Some(lot.cost), "{name}, task {}", lot.task);
            }
            for (index, task) in row.outcome.iter().enumerate().filter(|(_, task)| task.done > Some(0)) {
                let done = |hold: &&Hold| hold.task.index() == index && hold.end == End::Done;
                assert!(auction.holds.iter().any(|hold| done(&hold)), "{name}: {} was held by nobody", task.task);
            }
        }
    }
}
