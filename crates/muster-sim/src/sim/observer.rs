//! Who looks on while a run is made, and what it is shown.

use std::cell::RefCell;

use muster_core::event::Happening;
use muster_core::{Body, Input, Mechanism, Output, Recipient, RobotId, Time};

use super::{Condition, Side};
use crate::fault::Fault;
use crate::intervention::Made;
use crate::ledger::Ledger;
use crate::radio::Fate;

/// Sees everything that goes into and comes out of the machines, and may cause faults. All hooks are free
/// when empty. What an observer sees must not depend on anything but the run.
pub trait Observer<M: Mechanism> {
    /// An input is about to be handed to a robot. A message comes with the number of its transmission: they
    /// are counted from zero, in the order in which `on_transmission` tells of them.
    #[inline(always)]
    fn on_input(&mut self, _now: Time, _body: &Body, _input: &Input<'_, M>, _transmission: Option<u64>) {}
    /// A robot put this out.
    #[inline(always)]
    fn on_output(&mut self, _now: Time, _robot: RobotId, _output: &Output<M>) {}
    /// A transmission met its fate.
    #[inline(always)]
    fn on_transmission(&mut self, _now: Time, _from: RobotId, _to: Recipient, _message: &M::Message, _fate: Fate) {}
    /// The world does something to a robot, or to the radio ([`RobotId::NOBODY`]); what comes of it follows.
    #[inline(always)]
    fn on_happening(&mut self, _now: Time, _robot: RobotId, _happening: Happening) {}
    /// Somebody intervenes; what comes of it follows.
    #[inline(always)]
    fn on_intervention(&mut self, _now: Time, _made: &Made) {}
    /// An event and all that it caused at once is over. A fault returned here strikes at its time.
    /// Asked again until there is none.
    #[inline(always)]
    fn after_event(&mut self, _view: View<'_, M>) -> Option<Fault> {
        None
    }
}

impl<M: Mechanism> Observer<M> for () {}

/// An observer of any type, which whoever made it keeps and may look at while the run goes on. The simulator is compiled
/// once for all of them, where an observer by its own type has it compiled once more for each mechanism; a hook costs a
/// call. What counts in time, such as rows, is watched by an observer of its own type.
pub type AnyObserver<'a, M> = &'a RefCell<dyn Observer<M> + 'a>;

impl<M: Mechanism> Observer<M> for AnyObserver<'_, M> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.borrow_mut().on_input(now, body, input, transmission);
    }

    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        self.borrow_mut().on_output(now, robot, output);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        self.borrow_mut().on_transmission(now, from, to, message, fate);
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        self.borrow_mut().on_happening(now, robot, happening);
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        self.borrow_mut().on_intervention(now, made);
    }

    fn after_event(&mut self, view: View<'_, M>) -> Option<Fault> {
        self.borrow_mut().after_event(view)
    }
}

/// What an observer sees of the team between two events.
pub struct View<'a, M: Mechanism> {
    /// The time.
    pub now: Time,
    /// The machines, by robot.
    pub machines: &'a [M],
    /// The bodies, by robot.
    pub bodies: &'a [Body],
    /// What came of the tasks.
    pub ledger: &'a Ledger,
    pub(super) conditions: &'a [Condition],
    pub(super) sides: &'a [Side<M>],
}

impl<M: Mechanism> View<'_, M> {
    /// The robot's computer runs, or at least hangs: it is not down.
    pub fn is_up(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].is_up()
    }

    /// The robot's computer runs and does not hang.
    pub fn attends(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].attends()
    }

    /// When a timer of the robot fires, if it is set.
    pub fn deadline(&self, robot: RobotId, timer: M::Timer) -> Option<Time> {
        self.sides[robot.index()].timers.deadline(timer)
    }

    /// The robot has stopped for good.
    pub fn is_dead(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].is_dead()
    }
}
