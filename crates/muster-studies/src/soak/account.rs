//! What can be seen of a run from outside, and whether its row says the same.
//!
//! Rows come from the ledger, which the simulator keeps. This is kept by somebody who only looks on: what robots were
//! told, what they did and said, which of them attended, and what was done to the run. The two share no code.
//!
//! What a body does while its computer hangs shows in no input: a task at which somebody hung is *blurred*, and of it only
//! bounds are known. Nor can be seen which receivers missed a message by chance (`receptions_lost`).

use std::collections::BTreeSet;

use muster_core::mechanism::Mechanism;
use muster_core::{Action, Brief, Duration, Input, Order, Output, Percept, RobotId, TaskId, Time};
use muster_sim::intervention::Made;
use muster_sim::mission::{Directive, SeenBy};
use muster_sim::radio::Fate;
use muster_sim::scenario::Said;
use muster_sim::{Origin, Scheme, View};

use crate::run::{Row, TaskRow};

/// What was seen of a run.
#[derive(Clone, Debug, Default)]
pub struct Account {
    sent: u64,
    lost: u64,
    /// Interventions.
    made: u64,
    tasks: Vec<Sighting>,
    /// Spells of work that may go on.
    open: Vec<Spell>,
    /// Times that a robot worked on at what it was at, for longer than it had meant.
    renewals: u64,
    robots: Vec<Attendance>,
}

/// What was seen of a task.
#[derive(Clone, Debug, Default)]
struct Sighting {
    /// The first robot that was told of it, and when.
    told: Option<(Time, RobotId)>,
    /// The first call for help with it, how many there were, and the last.
    first_call: Option<Time>,
    calls: u32,
    last_call: Option<(Time, RobotId)>,
    /// Who set to work at it, and when.
    begun: Vec<(Time, RobotId)>,
    /// How often while another was at it.
    overlaps: u64,
    /// The first robot that it was handed over to, and when.
    handed: Option<(Time, RobotId)>,
    /// Who noticed that it has done it, and when.
    done: Vec<(Time, RobotId)>,
    /// The last time that it was done again, because it was done too long ago, and how often it was.
    again: Option<Time>,
    renewed: usize,
    /// When it was first called off by an intervention.
    called_off: Option<Time>,
    /// When a robot was first told to forget it. Who grows impatient is told so of a task that is moved, too.
    forgotten: Option<Time>,
    /// When those that were told of it were told that it expires.
    expires: Option<Time>,
    /// Somebody hung who was at it, or on its way there.
    blurred: bool,
}

/// A spell of work.
#[derive(Copy, Clone, Debug)]
struct Spell {
    robot: RobotId,
    task: TaskId,
    until: Time,
}

/// What was seen of a robot.
#[derive(Clone, Debug, Default)]
struct Attendance {
    /// From when to when it did not attend; to the end, if there is none.
    away: Vec<(Time, Option<Time>)>,
    died: bool,
    /// The target that it set out for last.
    bound_for: Option<TaskId>,
    /// That target is flown over again, because it was too long ago.
    again: bool,
}

impl Attendance {
    /// It did not attend for some of that instant, at least.
    fn was_away(&self, at: Time) -> bool {
        self.away.iter().any(|(from, to)| *from <= at && to.is_none_or(|to| at <= to))
    }
}

// Looking on.

impl Account {
    /// Times that a robot worked on for longer than it had meant.
    pub fn renewals(&self) -> u64 {
        self.renewals
    }

    /// Messages sent.
    pub fn messages(&self) -> u64 {
        self.sent
    }

    fn task(&mut self, task: TaskId) -> &mut Sighting {
        // Machines may speak of tasks that there are not; nobody speaks of millions.
        if self.tasks.len() <= task.index() {
            self.tasks.resize(task.index() + 1, Sighting::default());
        }
        &mut self.tasks[task.index()]
    }

    /// A robot is given something.
    pub fn input<M: Mechanism>(&mut self, now: Time, robot: RobotId, input: &Input<'_, M>) {
        match input {
            Input::Start(_) => self.open.retain(|spell| spell.robot != robot),
            Input::Perceived(Percept::TaskSeen(task)) => {
                self.task(task.id).told.get_or_insert((now, robot));
            }
            Input::Ordered(Order::Inject(brief)) => {
                for task in brief.tasks() {
                    let task = self.task(task);
                    task.told.get_or_insert((now, robot));
                    task.expires = task.expires.or(brief.expires.map(|expires| expires.max(now)));
                }
            }
            Input::Perceived(Percept::Done(task)) => {
                let again = self.robot(robot).again && self.robot(robot).bound_for == Some(*task);
                let seen = self.task(*task);
                if again && !seen.done.is_empty() {
                    seen.again = Some(now);
                    seen.renewed += 1;
                }
                seen.done.push((now, robot));
                self.open.retain(|spell| spell.task != *task);
            }
            // It is done, or nobody shall do it any more: then whoever has not heard of that may go on.
            Input::Perceived(Percept::TaskGone(task)) if self.task(*task).called_off.is_none() => {
                self.open.retain(|spell| spell.task != *task);
            }
            Input::Ordered(Order::Cancel(first)) => {
                self.task(*first).forgotten.get_or_insert(now);
            }
            Input::Perceived(_) | Input::Ordered(Order::Modify(_)) | Input::Fired(_) | Input::Received { .. } => {}
        }
    }

    /// A robot does something.
    pub fn output<M: Mechanism>(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        match output {
            Output::Act(Action::Work { task, until }) => {
                self.open.retain(|spell| now < spell.until);
                if let Some(spell) = self.open.iter_mut().find(|spell| spell.task == *task && spell.robot == robot) {
                    spell.until = *until;
                    self.renewals += 1;
                    return;
                }
                let at_it = self.open.iter().any(|spell| spell.task == *task && spell.robot != robot);
                self.open.push(Spell { robot, task: *task, until: *until });
                let task = self.task(*task);
                task.begun.push((now, robot));
                task.overlaps += u64::from(at_it);
            }
            Output::Act(Action::Approach { task, .. }) => {
                let robot = self.robot(robot);
                (robot.bound_for, robot.again) = (Some(*task), false);
            }
            Output::Act(Action::Renew { .. }) => self.robot(robot).again = true,
            Output::Act(Action::Stop) => self.open.retain(|spell| spell.robot != robot),
            Output::Act(Action::HandOver { task, to }) => {
                self.task(*task).handed.get_or_insert((now, *to));
            }
            Output::Act(
                Action::GoTo(_)
                | Action::Visit(_)
                | Action::Reload { .. }
                | Action::Hold
                | Action::Resume
                | Action::Await { .. }
                | Action::Cross { .. },
            )
            | Output::Send { .. }
            | Output::SetTimer { .. }
            | Output::CancelTimer(_)
            | Output::Remember(_) => {}
        }
    }

    /// A robot says something.
    pub fn transmission<M: Mechanism>(&mut self, now: Time, from: RobotId, message: &M::Message, fate: Fate) {
        self.sent += 1;
        self.lost += u64::from(fate == Fate::Lost);
        if M::name_of(message) == "HELP"
            && let Some(task) = M::task_of(message)
        {
            let task = self.task(task);
            task.first_call.get_or_insert(now);
            // A call to each robot is one call.
            if task.last_call.replace((now, from)) != Some((now, from)) {
                task.calls += 1;
            }
        }
    }

    /// Something is done to the run.
    pub fn intervention(&mut self, now: Time, made: &Made) {
        self.made += 1;
        if let (Said::Order(order), Some(task)) = (made.what.said(), made.task())
            && order.cancel
        {
            self.task(task).called_off.get_or_insert(now);
        }
    }

    fn robot(&mut self, robot: RobotId) -> &mut Attendance {
        if self.robots.len() <= robot.index() {
            self.robots.resize(robot.index() + 1, Attendance::default());
        }
        &mut self.robots[robot.index()]
    }

    /// An event is over.
    pub fn look<M: Mechanism>(&mut self, view: &View<'_, M>) {
        let first_look = self.robots.is_empty();
        for robot in (0..view.machines.len() as u32).map(RobotId) {
            let (attends, up) = (view.attends(robot), view.is_up(robot));
            let seen = self.robot(robot);
            seen.died |= view.is_dead(robot);
            match seen.away.last_mut() {
                Some((_, to @ None)) if attends => *to = Some(view.now),
                Some((_, None)) => {}
                _ if attends => {}
                // Before the first event nobody has looked.
                _ => seen.away.push((if first_look { Time::ZERO } else { view.now }, None)),
            }
            if up && !attends {
                let bound_for = seen.bound_for;
                let at = self.open.iter().filter(|spell| spell.robot == robot && view.now < spell.until);
                let blurred: Vec<TaskId> = at.map(|spell| spell.task).chain(bound_for).collect();
                blurred.into_iter().for_each(|task| self.task(task).blurred = true);
            } else if !up {
                self.open.retain(|spell| spell.robot != robot);
                self.robot(robot).bound_for = None;
            }
        }
    }
}

// Comparing.

/// What of a row is not as it was seen.
struct Difference {
    key: &'static str,
    row: String,
    seen: String,
}

fn same<T: PartialEq + std::fmt::Debug>(key: &'static str, row: T, seen: T) -> Result<(), Difference> {
    holds(key, row == seen, &row, format!("{seen:?} was seen"))
}

fn holds(key: &'static str, holds: bool, row: &dyn std::fmt::Debug, seen: String) -> Result<(), Difference> {
    if holds { Ok(()) } else { Err(Difference { key, row: format!("{row:?}"), seen }) }
}

/// The time of a row. Rows have times in seconds, made from whole microseconds.
fn time(seconds: f64) -> Time {
    Time::from_micros((seconds * 1e6).round() as u64)
}

/// A run, its row and what was seen of it.
struct Comparison<'a> {
    account: &'a Account,
    origin: &'a Origin,
    row: &'a Row,
    end: Time,
    /// What operators ask for.
    briefs: Vec<Brief>,
}

impl Account {
    /// How the row of a run that ended at `end` differs from what was seen of it, if it does.
    pub fn differs_from(&self, origin: &Origin, row: &Row, end: Time) -> Option<String> {
        let comparison = Comparison { account: self, origin, row, end, briefs: origin.briefs().collect() };
        let difference = comparison.whole().err().map(|difference| (String::new(), difference));
        let in_task = || {
            row.outcome.iter().enumerate().find_map(|(index, task)| {
                let difference = comparison.task(TaskId(index as u32), task).err()?;
                Some((format!("{}: ", task.task), difference))
            })
        };
        let (of, Difference { key, row, seen }) = in_task().or(difference)?;
        Some(format!("{of}{key} is {row} in the row, but {seen}"))
    }
}

impl Comparison<'_> {
    fn seen(&self, task: TaskId) -> Sighting {
        self.account.tasks.get(task.index()).cloned().unwrap_or_default()
    }

    fn was_away(&self, robot: RobotId, at: Time) -> bool {
        self.account.robots.get(robot.index()).is_some_and(|robot| robot.was_away(at))
    }

    fn auctioned(&self) -> bool {
        matches!(self.origin.scheme, Scheme::Tasking(_))
    }

    fn recruits(&self) -> bool {
        matches!(self.origin.scheme, Scheme::Recruitment(_) | Scheme::Scripted)
    }

    fn recurs(&self, task: TaskId, row: &TaskRow) -> bool {
        let asked = |made: &Made| matches!(made.what.said(), Said::Order(order) if order.recurs && order.name.as_ref() == Some(&row.task));
        let spec = self.origin.mission().tasks.get(task.index());
        spec.is_some_and(|spec| spec.recurs) || self.origin.interventions.all().iter().any(asked)
    }

    /// The order that a task is part of, if it is one of several phases.
    fn brief(&self, task: TaskId) -> Option<&Brief> {
        self.briefs.iter().find(|brief| brief.tasks().any(|phase| phase == task))
    }

    /// When somebody called a task off, with all of its order.
    fn called_off(&self, task: TaskId) -> Option<Time> {
        let seen = self.seen(self.brief(task).map_or(task, |brief| brief.task.id));
        [seen.called_off, seen.forgotten.filter(|_| self.auctioned())].into_iter().flatten().min()
    }

    /// The console at which a task is asked for, or the robot that is told to look after it.
    fn told(&self, task: TaskId) -> Option<RobotId> {
        let first = self.brief(task)?.task.id;
        let by_mission = self.origin.mission().orders.iter().find_map(|spec| match spec.order {
            Directive::Inject(brief) if brief.task.id == first => Some(spec.to),
            _ => None,
        });
        by_mission.or_else(|| {
            self.origin.interventions.all().iter().find_map(|made| match made.what.said() {
                Said::Order(order) if made.task() == Some(first) => {
                    self.named(order.order.as_ref().map(|order| &order.by).or(order.seen_by.as_ref())?)
                }
                _ => None,
            })
        })
    }

    fn named(&self, name: &str) -> Option<RobotId> {
        let index = self.origin.mission().robots.iter().position(|robot| *robot.name == *name)?;
        Some(RobotId(index as u32))
    }

    /// How long a task was waited for.
    fn wait(&self, task: TaskId, row: &TaskRow) -> Option<Duration> {
        let seen = self.seen(task);
        let came_up = row.seen_s.map(time);
        let (from, until) = if self.recruits() {
            (seen.first_call, row.served_s.map(time))
        } else if self.auctioned() {
            (came_up, row.served_s.map(time))
        } else {
            (came_up, seen.begun.first().map(|(at, _)| *at))
        };
        // Nobody waits for what was called off or expired.
        let until = if row.called_off || row.expired { None } else { until.or(Some(self.end)) };
        Some(until?.since(from?))
    }

    fn task(&self, task: TaskId, row: &TaskRow) -> Result<(), Difference> {
        let seen = self.seen(task);
        let recurs = self.recurs(task, row);
        self.came_up(task, row, &seen)?;
        let responder = row.responder.as_deref().and_then(|name| self.named(name));
        let served = row.served_s.map(time);
        if recurs {
            same("served_s", row.served_s, None)?;
            same("responder", responder, seen.begun.last().map(|(_, robot)| *robot))?;
        } else {
            self.done(row, &seen, served, responder)?;
        }
        self.withdrawn(task, row, &seen)?;
        let robots: BTreeSet<RobotId> = seen.begun.iter().chain(&seen.done).map(|(_, robot)| *robot).collect();
        let (least, exact) = (robots.len(), !(self.auctioned() && seen.blurred));
        let enough = if exact { row.workers == least } else { row.workers >= least };
        holds("workers", enough, &row.workers, format!("{robots:?} were seen at work"))?;
        if self.recruits() {
            same("helps", row.helps, Some(seen.calls))?;
        } else {
            // Several robots that finish one task together have done it once.
            let instants: BTreeSet<Time> = seen.done.iter().map(|(at, _)| *at).collect();
            let times = if self.auctioned() { seen.done.len() } else { instants.len() } as u32;
            let done = row.done.unwrap_or(0);
            let enough = if seen.blurred { done >= times.min(1) } else { done == times };
            holds("done", enough, &row.done, format!("it was done {times} times"))?;
        }
        let waited = row.served_s.is_some() || (recurs && !seen.begun.is_empty());
        let wait = self.wait(task, row).filter(|_| waited).map(|wait| wait.as_secs_f64());
        same("wait_s", row.wait_s, wait)
    }

    /// It came up when somebody was told of it, or when whoever should have been told did not attend.
    fn came_up(&self, task: TaskId, row: &TaskRow, seen: &Sighting) -> Result<(), Difference> {
        let mission = self.origin.mission();
        let spec = mission.tasks.get(task.index());
        let told = seen.told.map(|(at, _)| at);
        let at = row.seen_s.map(time);
        let able = |robot: RobotId| {
            mission.labour.as_ref().is_some_and(|labour| match labour.times.get(task.index()) {
                Some(_) => labour.time(task, robot).is_some(),
                // What robots take for a task that is asked for later is not told to those who look on.
                None => true,
            })
        };
        let all_away = |at: Time| match spec.map(|spec| spec.seen_by) {
            Some(SeenBy::One(seer)) => self.was_away(seer, at),
            Some(SeenBy::Able) => {
                (0..mission.robots.len() as u32).map(RobotId).all(|robot| !able(robot) || self.was_away(robot, at))
            }
            Some(SeenBy::Ordered(_)) => false,
            None => (0..mission.robots.len() as u32).map(RobotId).any(|robot| able(robot) && self.was_away(robot, at)),
        };
        let fits = match (at, told) {
            (None, None) => true,
            (None, Some(_)) => false,
            (Some(at), Some(told)) if told == at => true,
            (Some(at), Some(told)) => at < told && all_away(at),
            (Some(at), None) => all_away(at),
        };
        holds("seen_s", fits, &row.seen_s, format!("{told:?} somebody was told of it first"))?;
        let due = spec.filter(|spec| spec.after.is_empty() && spec.at < self.end).map(|spec| (spec.at, spec.seen_by));
        if let Some((due, SeenBy::One(seer))) = due
            && !self.was_away(seer, due)
            && self.called_off(task).is_none_or(|at| at > due)
        {
            holds("seen_s", at == Some(due), &row.seen_s, format!("it comes up at {due}"))?;
        }
        Ok(())
    }

    /// It was done when somebody handed it over or noticed that it has done it; or by somebody who hung.
    fn done(
        &self,
        row: &TaskRow,
        seen: &Sighting,
        served: Option<Time>,
        responder: Option<RobotId>,
    ) -> Result<(), Difference> {
        if self.recruits() {
            return same("served_s and responder", served.zip(responder), seen.handed);
        }
        let first = seen.again.or(seen.done.iter().map(|(at, _)| *at).min());
        let noticed = |at: Time| responder.is_some_and(|robot| seen.done.contains(&(at, robot)));
        let fits = match (served, first) {
            (None, None) => true,
            (Some(at), Some(first)) if at == first && noticed(at) => true,
            (Some(at), first) => {
                let hung = responder.is_some_and(|robot| self.was_away(robot, at));
                seen.blurred && hung && first.is_none_or(|first| at <= first)
            }
            (None, Some(_)) => false,
        };
        holds("served_s", fits, &(row.served_s, &row.responder), format!("it was done: {:?}", seen.done))
    }

    /// It was called off, or expired, as those who were told of it were told.
    fn withdrawn(&self, task: TaskId, row: &TaskRow, seen: &Sighting) -> Result<(), Difference> {
        let called_off = self.called_off(task);
        let open = row.served_s.is_none();
        let lapsed = seen.expires.filter(|at| open && *at <= self.end);
        let expires = lapsed.is_some_and(|at| called_off.is_none_or(|called_off| at <= called_off));
        // Which of two comes first at one instant is up to the queue.
        if lapsed.is_none() || lapsed != called_off {
            same("expired", row.expired, expires)?;
        }
        let nobody_there = || {
            let told = self.told(task).and_then(|robot| self.account.robots.get(robot.index()));
            told.is_some_and(|robot| robot.died)
        };
        match called_off {
            Some(_) => same("called_off", row.called_off, open && !row.expired && !self.recurs(task, row)),
            None if row.called_off => {
                holds("called_off", nobody_there(), &row.called_off, "nobody called it off".to_owned())
            }
            None => Ok(()),
        }
    }

    fn whole(&self) -> Result<(), Difference> {
        let Self { account, row, end, .. } = *self;
        let tasks = || (0..).map(TaskId).zip(&row.outcome);
        let due = || tasks().filter(|(task, it)| !self.recurs(*task, it));
        same("seed", row.seed, self.origin.seeds.run)?;
        same("messages", row.messages, account.sent)?;
        same("messages_lost", row.messages_lost, account.lost)?;
        same("end_s", row.end_s, end.as_secs_f64())?;
        same("not_made", row.not_made, self.origin.interventions.all().len() as u64 - account.made)?;
        let expired = tasks().filter(|(_, it)| it.expired).count() as u64;
        same("expired", row.expired, expired)?;
        let is_left = |it: &TaskRow| it.served_s.is_none() && !it.called_off && !it.expired;
        same("completed", row.completed, expired == 0 && !due().any(|(_, it)| is_left(it)))?;
        let lost = due().filter(|(_, it)| it.seen_s.is_some() && is_left(it)).count() as u64;
        same("lost", row.lost, lost)?;
        let wait = tasks().filter_map(|(task, it)| self.wait(task, it)).fold(Duration::ZERO, |sum, wait| sum + wait);
        same("wait_s", row.wait_s, wait.as_secs_f64())?;
        let again = |begun: &[(Time, RobotId)]| {
            let others = |index: usize| begun[..index].iter().any(|(_, robot)| *robot != begun[index].1);
            (0..begun.len()).filter(|index| others(*index)).count() as u64
        };
        let duplicates = due().map(|(task, _)| match self.seen(task) {
            seen if self.auctioned() => seen.done.len().saturating_sub(1 + seen.renewed) as u64,
            seen => again(&seen.begun),
        });
        let (duplicates, blurred) = (duplicates.sum::<u64>(), tasks().any(|(task, _)| self.seen(task).blurred));
        let enough =
            if blurred && self.auctioned() { row.duplicates >= duplicates } else { row.duplicates == duplicates };
        holds("duplicates", enough, &row.duplicates, format!("{duplicates} were seen"))?;
        let overlaps: u64 = tasks().map(|(task, _)| self.seen(task).overlaps).sum();
        // Who hung may have finished unbeknown: whether another was at it at the same time, nobody can tell.
        holds("overlaps", blurred || row.overlaps == overlaps, &row.overlaps, format!("{overlaps} were seen"))
    }
}
