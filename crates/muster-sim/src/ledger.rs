//! What came of the tasks of a run: seen, worked at, handed over; by whom, when, how often too many.
//!
//! Kept from what robots do, not from what they say: a robot that works unbeknown to the one that asked
//! is counted here.

use muster_core::{Point, RobotId, Task, TaskId, Time};

use crate::crossing::{Crossing, Crossings};

/// Most spells of work that are kept of a task that recurs, the newest: a run may last for years.
const MOST_SPELLS: usize = 20_000;

/// The tasks of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    records: Vec<Record>,
    /// Seen so far.
    seen: usize,
    /// Handed over so far.
    served: usize,
    /// When the last of them was.
    last_served: Time,
    /// To be handed over: all but those that recur.
    needed: usize,
    /// All of those are: kept up to date, since it is asked after every event.
    all_served: bool,
    /// Spells of work that may go on: whose, at which task, which of its spells.
    open: Vec<(RobotId, TaskId, usize)>,
    /// Times that a robot began work at a task while another was at it.
    overlaps: u64,
    /// Times that a robot began work at a task at which another had worked before, or passed over a target again.
    duplicates: u64,
    /// Every flight over a target.
    passes: Vec<Pass>,
    flown_again: u64,
    /// Flights along corridors that came close to each other.
    crossings: Crossings,
    /// Who ran out of endurance, and when.
    ran_out: Vec<(Time, RobotId)>,
    /// Times that somebody was reloaded.
    reloads: u64,
}

/// A flight over a target, by which a task is done.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pass {
    /// The task that was done by it.
    pub task: TaskId,
    /// The vehicle that flew.
    pub robot: RobotId,
    /// The instant at which it was over the target.
    pub at: Time,
    /// On which heading, in radians.
    pub heading: f64,
    /// The task was done before, too long ago for what comes after it: this is a flight of its own, and no duplicate.
    pub again: bool,
}

/// A straight flight along a corridor: in to its target, or as far as that went, or from it and out.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Leg {
    /// The task at the target.
    pub task: TaskId,
    /// The vehicle that flew.
    pub robot: RobotId,
    /// The number of its flight: the same for both legs of one.
    pub flight: u32,
    /// Where it began.
    pub from: Point,
    /// Where it ended.
    pub to: Point,
    /// When it began.
    pub leave: Time,
    /// When it ended.
    pub arrive: Time,
}

/// One task of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The task itself: number, place, needs.
    pub task: Task,
    /// When and by whom it was first seen.
    pub seen: Option<(Time, RobotId)>,
    /// When it was handed over, and to whom.
    pub served: Option<(Time, RobotId)>,
    /// It is never done for good.
    pub recurs: bool,
    /// It is no longer to be done: it was called off, or expired.
    pub withdrawn: bool,
    /// It expired before it was done.
    pub expired: bool,
    /// How often it was done, if robots do it themselves.
    pub done: u32,
    /// Every spell of work at it.
    pub work: Vec<Work>,
}

/// A spell of work at a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The robot that worked.
    pub robot: RobotId,
    /// From when.
    pub from: Time,
    /// Until when.
    pub until: Time,
}

impl Work {
    /// It goes on at `now`.
    pub fn goes_on(&self, now: Time) -> bool {
        self.from <= now && now < self.until
    }
}

impl Record {
    /// It is still to be done.
    pub fn is_open(&self) -> bool {
        self.served.is_none() && !self.withdrawn
    }

    /// The same, of a task that is done for good one day: one that recurs is always open, and nobody waits for it.
    pub fn is_left(&self) -> bool {
        self.is_open() && !self.recurs
    }

    /// How many different robots worked at it.
    pub fn workers(&self) -> usize {
        let first = |index: usize| self.work[..index].iter().all(|work| work.robot != self.work[index].robot);
        (0..self.work.len()).filter(|&index| first(index)).count()
    }
}

impl Ledger {
    /// Room for the tasks of a run, in which flights that come nearer to each other than so many metres cross.
    pub fn new(tasks: usize, crossing_m: f64) -> Self {
        Self { records: Vec::with_capacity(tasks), crossings: Crossings::within(crossing_m), ..Self::default() }
    }

    /// Enters a task. Their numbers count up from zero.
    pub fn enter(&mut self, task: Task, recurs: bool) {
        debug_assert_eq!(task.id.index(), self.records.len());
        self.records.push(Record {
            task,
            seen: None,
            served: None,
            recurs,
            withdrawn: false,
            expired: false,
            done: 0,
            work: Vec::new(),
        });
        self.needed += usize::from(!recurs);
        self.tally();
    }

    /// All tasks, by number.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// One task.
    pub fn record(&self, task: TaskId) -> Option<&Record> {
        self.records.get(task.index())
    }

    /// Every task has been handed over that can be: a mission of tasks that only recur is never over.
    #[inline]
    pub fn all_served(&self) -> bool {
        self.all_served
    }

    fn tally(&mut self) {
        self.all_served = self.served == self.needed && self.needed > 0;
    }

    /// Nothing is left that should have been handed over.
    pub fn nothing_left(&self) -> bool {
        self.served == self.needed
    }

    /// Some task has been seen.
    pub fn any_seen(&self) -> bool {
        self.seen > 0
    }

    /// When the last of them was handed over or done.
    pub fn last_served(&self) -> Time {
        self.last_served
    }

    /// How many have been handed over.
    pub fn served(&self) -> usize {
        self.served
    }

    /// Times that a robot began work at a task while another was at it.
    pub fn overlaps(&self) -> u64 {
        self.overlaps
    }

    /// Times that a robot began work at a task at which another had worked before.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Every flight over a target, in order.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// Pairs of flights along corridors that came close to each other, by time.
    pub fn crossings(&self) -> Vec<Crossing> {
        self.crossings.found()
    }

    /// A leg of a corridor has been flown; `under_way`: no leg that is not over yet began before.
    pub(crate) fn fly(&mut self, leg: Leg, under_way: Time) {
        self.crossings.fly(leg, under_way);
    }

    /// Who ran out of endurance, and when.
    pub fn ran_out(&self) -> &[(Time, RobotId)] {
        &self.ran_out
    }

    /// Times that somebody was reloaded.
    pub fn reloads(&self) -> u64 {
        self.reloads
    }

    pub(crate) fn reload(&mut self) {
        self.reloads += 1;
    }

    pub(crate) fn run_out(&mut self, robot: RobotId, now: Time) {
        self.ran_out.push((now, robot));
    }

    /// A vehicle passes over the target: that does the task.
    pub(crate) fn pass(&mut self, pass: Pass) {
        let Pass { task, robot, at, again, .. } = pass;
        self.passes.push(pass);
        let Some(record) = self.records.get_mut(task.index()) else { return };
        let before = record.done > 0 && !record.recurs;
        record.work.push(Work { robot, from: at, until: at });
        if before && again {
            // The deed that counts is the last one.
            record.served = Some((at, robot));
            self.last_served = self.last_served.max(at);
            self.flown_again += 1;
        } else {
            self.duplicates += u64::from(before);
        }
        self.complete(task, robot, at);
    }

    /// How often a task was flown again because it was done too long ago for what comes after it.
    pub fn flown_again(&self) -> u64 {
        self.flown_again
    }

    /// The task is no longer to be done.
    pub(crate) fn withdraw(&mut self, task: TaskId) {
        let Some(record) = self.records.get_mut(task.index()) else { return };
        if record.is_left() {
            record.withdrawn = true;
            self.needed -= 1;
            self.tally();
        }
    }

    /// It is too late for the task.
    pub(crate) fn expire(&mut self, task: TaskId) {
        let expires = self.record(task).is_some_and(Record::is_left);
        self.withdraw(task);
        if let Some(record) = self.records.get_mut(task.index()).filter(|_| expires) {
            record.expired = true;
        }
    }

    pub(crate) fn set_place(&mut self, task: TaskId, place: muster_core::Point) {
        self.records[task.index()].task.place = place;
    }

    pub(crate) fn see(&mut self, task: TaskId, now: Time, robot: RobotId) {
        let record = &mut self.records[task.index()];
        if record.seen.is_none() {
            record.seen = Some((now, robot));
            self.seen += 1;
        }
    }

    /// `robot` begins work. An operator may have injected a task that the ledger does not know.
    pub(crate) fn begin(&mut self, task: TaskId, robot: RobotId, now: Time, until: Time) {
        let records = &self.records;
        self.open.retain(|(_, task, spell)| records[task.index()].work[*spell].goes_on(now));
        let Some(record) = self.records.get_mut(task.index()) else { return };
        // It works on: what it was at lasts longer than it meant.
        if let Some((.., spell)) = self.open.iter().find(|(who, at, _)| *who == robot && *at == task) {
            record.work[*spell].until = until;
            return;
        }
        // What recurs is done again and again, by whomever.
        if !record.recurs && record.work.iter().any(|work| work.robot != robot) {
            self.duplicates += 1;
        }
        if self.open.iter().any(|(other, at, _)| *other != robot && *at == task) {
            self.overlaps += 1;
        }
        if record.recurs && record.work.len() >= MOST_SPELLS {
            let old = MOST_SPELLS / 2;
            record.work.drain(..old);
            for (_, _, spell) in self.open.iter_mut().filter(|(_, at, _)| *at == task) {
                *spell = spell.saturating_sub(old);
            }
        }
        self.open.push((robot, task, record.work.len()));
        record.work.push(Work { robot, from: now, until });
    }

    /// Whatever `robot` works at is over.
    pub(crate) fn end(&mut self, robot: RobotId, now: Time) {
        self.close(now, |open| open.0 == robot);
    }

    fn close(&mut self, now: Time, which: impl Fn(&(RobotId, TaskId, usize)) -> bool) {
        if !self.open.iter().any(&which) {
            return;
        }
        for (_, task, spell) in self.open.iter().filter(|open| which(open)) {
            let work = &mut self.records[task.index()].work[*spell];
            if work.goes_on(now) {
                work.until = now;
            }
        }
        self.open.retain(|open| !which(open));
    }

    /// The task is done, by `robot`: nobody works at it any more.
    pub(crate) fn complete(&mut self, task: TaskId, robot: RobotId, now: Time) {
        let Some(record) = self.records.get_mut(task.index()) else { return };
        record.done += 1;
        if !record.recurs {
            self.hand_over(task, robot, now);
        }
        self.close(now, |open| open.1 == task);
    }

    pub(crate) fn hand_over(&mut self, task: TaskId, to: RobotId, now: Time) {
        let Some(record) = self.records.get_mut(task.index()) else { return };
        if record.served.is_none() {
            record.served = Some((now, to));
            // Done although it was no longer to be done.
            self.needed += usize::from(std::mem::take(&mut record.withdrawn));
            record.expired = false;
            self.served += 1;
            self.last_served = now;
            self.tally();
        }
    }
}
