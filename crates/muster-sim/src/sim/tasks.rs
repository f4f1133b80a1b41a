//! Tasks: they come up, are seen, are done, and let others come up.

use muster_core::event::Happening;
use muster_core::{Input, Mechanism, Percept, RobotId, TaskId};

use super::{Life, Observer, Pending, Sim, What};
use crate::ledger::Record;
use crate::mission::SeenBy;

impl<M: Mechanism, O: Observer<M>> Sim<'_, M, O> {
    #[inline(never)]
    pub(super) fn on_appearance(&mut self, task: TaskId) {
        let Some(spec) = self.spec(task) else { return };
        let (seen_by, anywhere) = (spec.seen_by, spec.place.is_none());
        let SeenBy::One(seer) = seen_by else { return self.tell_able(task) };
        if let Life::Hanging { until } = self.conditions[seer.index()].life {
            return self.queue.push(until.as_micros(), Pending::new(task.0, What::Appearance));
        }
        if anywhere {
            self.ledger.set_place(task, self.bodies[seer.index()].place(self.now));
        }
        self.see(seer, task);
    }

    /// Every robot that can do it sees the task; one that is down or hangs will when it is up again.
    pub(super) fn tell_able(&mut self, task: TaskId) {
        for robot in self.able(task) {
            self.see(robot, task);
        }
    }

    /// The robots that can do a task.
    pub(super) fn able(&self, task: TaskId) -> Vec<RobotId> {
        (0..self.machines.len() as u32).map(RobotId).filter(|robot| self.is_able(*robot, task)).collect()
    }

    pub(super) fn is_able(&self, robot: RobotId, task: TaskId) -> bool {
        self.works.as_ref().is_some_and(|works| works.labour().time(task, robot).is_some())
    }

    /// A task is done: whoever did it knows, everybody else who could have done it sees that it is gone.
    #[inline(never)]
    pub(super) fn on_completion(&mut self, task: TaskId, version: u32) {
        let Some(works) = &mut self.works else { return };
        let by = works.complete(task, version, self.now);
        let Some(&first) = by.first() else { return };
        for robot in &by {
            self.let_go(*robot);
        }
        self.ledger.complete(task, first, self.now);
        if self.spec(task).is_some_and(|spec| spec.recurs) {
            for robot in by {
                self.tell_done(robot, task);
            }
            // It needs doing again, and may be elsewhere now.
            return self.tell_able(task);
        }
        self.unlock(task);
        for robot in (0..self.machines.len() as u32).map(RobotId) {
            if by.contains(&robot) {
                self.tell_done(robot, task);
            } else if self.conditions[robot.index()].life == Life::Up && self.is_able(robot, task) {
                self.input(robot, Input::Perceived(Percept::TaskGone(task)));
            }
        }
    }

    /// A robot has done a task; one that hangs notices when it does no longer.
    pub(super) fn tell_done(&mut self, robot: RobotId, task: TaskId) {
        match self.conditions[robot.index()].life {
            Life::Up => self.input(robot, Input::Perceived(Percept::Done(task))),
            Life::Hanging { .. } => {
                self.sides[robot.index()].done = Some(task);
                // One that recurs is to be done again, whoever knows of it.
                if self.ledger.record(task).is_some_and(|record| !record.recurs) {
                    self.tell_of(robot, Happening::DoneUnawares { task });
                }
            }
            Life::Down | Life::Dead => {}
        }
    }

    /// Tasks that waited for this one come up, if it was the last that they waited for.
    pub(super) fn unlock(&mut self, task: TaskId) {
        for (index, spec) in self.mission.tasks.iter().enumerate().filter(|(_, spec)| spec.after.contains(&task)) {
            if self.are_done(&spec.after) {
                let at = spec.at.max(self.now);
                self.queue.push(at.as_micros(), Pending::new(index as u32, What::Appearance));
            }
        }
        self.unlock_given(task);
    }

    /// All of these are done.
    pub(super) fn are_done(&self, tasks: &[TaskId]) -> bool {
        tasks.iter().all(|task| self.ledger.record(*task).is_some_and(|record| record.served.is_some()))
    }

    pub(super) fn see(&mut self, robot: RobotId, task: TaskId) {
        let Some(&Record { task, withdrawn, .. }) = self.ledger.record(task) else { return };
        if withdrawn {
            return;
        }
        self.ledger.see(task.id, self.now, robot);
        if self.conditions[robot.index()].life == Life::Up {
            self.input(robot, Input::Perceived(Percept::TaskSeen(task)));
        }
    }
}
