//! One run of auctions made again to be looked at, in a report or in the console: who held which task when, and what was bid for it.

use std::collections::BTreeMap;

use muster_core::tasking::cost::{Grid, Surface};
use muster_core::tasking::{Bidding, Holder, Step, Tasking};
use muster_core::{Body, Event, Mechanism, Note, RobotId, TaskId, Time};
use muster_sim::fault::{Fault, FaultKind};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Origin, Scheme, Sim};

/// What was auctioned in one run.
pub struct Auction {
    /// Who held what.
    pub holds: Vec<Hold>,
    /// When a task was called off, in seconds: cancelled, or too late.
    pub called_off: BTreeMap<TaskId, f64>,
    /// What was bid for each of the first tasks, in their order: at the last auction of it.
    pub lots: Vec<Lot>,
    /// Times and headings of all bids.
    pub grid: Grid,
}

/// A vehicle had a task in its queue.
pub struct Hold {
    /// Which task.
    pub task: TaskId,
    /// Who.
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

/// A task that was auctioned.
pub struct Lot {
    /// Which.
    pub task: TaskId,
    /// Who led.
    pub lead: RobotId,
    /// When it was assigned, in seconds.
    pub at_s: f64,
    /// When times begin to count, in seconds.
    pub t0_s: f64,
    /// Who won, when and how.
    pub holder: Holder,
    /// What that costs, in hundredths.
    pub cost: u16,
    /// The bids, cheapest first; the winner's is among them.
    pub bids: Vec<(RobotId, Surface)>,
}

/// A LEAD before the event that closes its auction.
struct Before {
    bidding: Bidding,
    body: Body,
}

/// Makes the run from `origin` again, up to `until`; looks at the bids for the first `most` tasks. Nothing if its tasks
/// are not auctioned, or if `halt` says so on the way.
pub fn auction(origin: &Origin, most: u32, until: Time, halt: impl Fn() -> bool) -> Option<Auction> {
    staff(origin, Look { origin, most, until, halt })
}

struct Look<'a, H> {
    origin: &'a Origin,
    most: u32,
    until: Time,
    halt: H,
}

impl<H: Fn() -> bool> Visit for Look<'_, H> {
    type Result = Option<Auction>;

    fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Option<Auction> {
        None
    }

    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Option<Auction> {
        let Scheme::Tasking(variant) = self.origin.scheme else { return None };
        let grid = self.origin.loaded.tasking(variant).0.grid;
        look(self, machine, grid)
    }
}

fn look(look: Look<'_, impl Fn() -> bool>, machine: impl Fn(RobotId) -> Tasking, grid: Grid) -> Option<Auction> {
    let Look { origin, most, until, halt } = look;
    let mut sim = Sim::of(origin, machine, ()).with_notes();
    let mut leads: BTreeMap<(RobotId, TaskId), Option<Before>> = BTreeMap::new();
    let mut lots: BTreeMap<TaskId, Lot> = BTreeMap::new();
    let (mut seen, mut halted) = (0, false);
    sim.start();
    sim.run_until(|sim| {
        for note in &sim.notes()[seen..] {
            let Event::Tasking { task, step } = note.event else { continue };
            match step {
                _ if task.0 >= most => {}
                Step::Solicited { .. } => {
                    let order = sim.machines()[note.robot.index()].orders();
                    let first = order.map(|entry| entry.group().task(0)).filter(|first| *first <= task).max();
                    leads.entry((note.robot, first.unwrap_or(task))).or_default();
                }
                Step::Assigned { holder, cost, .. } => {
                    let of = leads.iter().filter(|((robot, first), _)| *robot == note.robot && *first <= task);
                    let before = of.max_by_key(|((_, first), _)| *first).and_then(|(_, before)| before.as_ref());
                    if let Some(lot) = before.and_then(|before| before.lot(note, task, holder, cost)) {
                        lots.insert(task, lot);
                    }
                }
                _ => {}
            }
        }
        seen = sim.notes().len();
        leads.retain(|(robot, first), before| {
            let machine = &sim.machines()[robot.index()];
            let body = &sim.bodies()[robot.index()];
            *before = machine.bidding(*first).map(|bidding| Before { bidding, body: body.clone() });
            before.is_some()
        });
        halted = halt();
        halted || sim.is_over() || sim.next_at().is_none_or(|at| at > until)
    });
    if halted {
        return None;
    }
    let holds = holds(sim.notes(), &origin.faults().collect::<Vec<_>>(), sim.now());
    let mut called_off = BTreeMap::new();
    for note in sim.notes() {
        if let Event::Tasking { task, step: Step::Cancelled | Step::Expired } = note.event {
            called_off.entry(task).or_insert(note.at.as_secs_f64());
        }
    }
    Some(Auction { holds, called_off, lots: lots.into_values().collect(), grid })
}

impl Before {
    fn lot(&self, note: &Note, task: TaskId, holder: Holder, cost: u16) -> Option<Lot> {
        let Self { bidding, body } = self;
        let bids = bidding.bids(task, note.robot, body)?;
        Some(Lot {
            task,
            lead: note.robot,
            at_s: note.at.as_secs_f64(),
            t0_s: bidding.t0().as_secs_f64(),
            holder,
            cost,
            bids,
        })
    }
}

/// Who held what, from the notes; a vehicle that crashes notes nothing.
fn holds(notes: &[Note], faults: &[Fault], end: Time) -> Vec<Hold> {
    let mut open: BTreeMap<(TaskId, RobotId), Time> = BTreeMap::new();
    let mut holds = Vec::new();
    let crashes = |robot: RobotId, from: Time, until: Time| {
        let own = faults.iter().filter(|fault| fault.robot == robot && fault.at >= from && fault.at < until);
        let down = own.filter(|fault| matches!(fault.kind, FaultKind::Stop | FaultKind::Restart { .. }));
        down.map(|fault| fault.at).min()
    };
    let mut close = |(task, robot): (TaskId, RobotId), from: Time, until: Time, end: End| {
        let crashed = crashes(robot, from, until);
        holds.push(Hold {
            task,
            robot,
            from_s: from.as_secs_f64(),
            until_s: crashed.unwrap_or(until).as_secs_f64(),
            end: if crashed.is_some() { End::Crashed } else { end },
        });
    };
    for note in notes {
        let Event::Tasking { task, step } = note.event else { continue };
        let key = (task, note.robot);
        let how = match step {
            Step::Holds { .. } => {
                if let Some(from) = open.insert(key, note.at) {
                    close(key, from, note.at, End::Dropped);
                }
                continue;
            }
            Step::Executed { .. } => End::Done,
            // Whoever bids for a task, or hears that it is done, has it no longer: the order was changed.
            Step::Yielded { .. }
            | Step::HandedBack
            | Step::Cancelled
            | Step::Expired
            | Step::Refrained { .. }
            | Step::Bids { .. }
            | Step::HeardDone { .. } => End::Dropped,
            _ => continue,
        };
        if let Some(from) = open.remove(&key) {
            close(key, from, note.at, how);
        }
    }
    for (key, from) in open {
        close(key, from, end, End::Open);
    }
    holds.sort_by_key(|hold| (hold.task, hold.from_s.to_bits()));
    holds
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::Variant;
    use muster_sim::scenario;

    use super::*;
    use crate::batch::Batch;
    use crate::run;

    /// What is shown of a bid is what was bid: it has the cost that the LEAD noted, where it noted it.
    #[test]
    fn bids_are_those_of_the_run() {
        for (name, least) in [("hotspot", 3), ("patrol", 8)] {
            let loaded = scenario::load(name, &[]).expect("the built-in scenario is right");
            let origin = Origin::new(loaded, Scheme::Tasking(Variant::Fenced), 1);
            let row = run::run(&origin, &Batch::quiet()).expect("nobody calls a halt");
            let auction = auction(&origin, 9, Time::NEVER, || false).expect("tasks are auctioned");
            assert!(auction.lots.len() >= least, "{name}: {} lots", auction.lots.len());
            for lot in &auction.lots {
                let of_winner = lot.bids.iter().find(|(robot, _)| *robot == lot.holder.robot);
                let (_, surface) = of_winner.expect("the winner has bid");
                let grid = &auction.grid;
                let (t0, at) = (Time::from_secs_f64(lot.t0_s), lot.holder.at);
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
