//! Checks find what they are made to find.

use std::cell::RefCell;

use muster_core::tasking::Tasking;
use muster_core::{Mechanism, RobotId, TaskId, Time};
use muster_sim::checks::{
    AllOrNothing, NobodyBookedTwice, NothingGoesRound, OneDeedPerAttempt, PhasesInOrder, TeamCheck,
};
use muster_sim::fault::Fault;
use muster_sim::scheme::{Visit, staff};
use muster_sim::{AnyObserver, Observer, Origin, Sim, View, scenario};

/// From when on a check looks.
type From = fn(&View<'_, Tasking>) -> bool;

/// Looks from then on, until it has found something.
struct Late {
    check: TeamCheck<Tasking>,
    from: From,
    found: Option<String>,
}

impl Observer<Tasking> for Late {
    fn after_event(&mut self, view: View<'_, Tasking>) -> Option<Fault> {
        if (self.from)(&view) && self.found.is_none() {
            self.found = self.check.look(&view).err();
        }
        None
    }
}

/// What was found in a run, and what was flown in it.
type Seen = (Option<String>, Vec<(TaskId, RobotId, Time)>);

struct Watch<'a>(&'a Origin, Late);

impl Visit for Watch<'_> {
    type Result = Seen;

    fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Seen {
        unreachable!("vehicles of the hotspot bid")
    }

    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Seen {
        let late = RefCell::new(self.1);
        let onlooker: AnyObserver<'_, Tasking> = &late;
        let mut sim = Sim::of(self.0, machine, onlooker);
        sim.run();
        let mut late = late.borrow_mut();
        let found = late.found.take().or_else(|| late.check.end(&sim.view()).err());
        (found, sim.ledger().passes().iter().map(|pass| (pass.task, pass.robot, pass.at)).collect())
    }
}

/// Looks at the hotspot, with these changes.
fn seen(changes: &[&str], check: impl Into<TeamCheck<Tasking>>, from: From) -> Seen {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let loaded = scenario::load("hotspot", &changes).expect("it is built in");
    let scheme = loaded.schemes()[0];
    let origin = Origin::new(loaded, scheme, 1);
    staff(&origin, Watch(&origin, Late { check: check.into(), from, found: None }))
}

const ALWAYS: From = |_| true;

/// The vehicle that flies phase `index` stops so long after the flight over the target of phase `after`, or before it.
fn stop_of(index: usize, after: usize, seconds: f64, changes: &[&str]) -> String {
    let (_, passes) = seen(changes, Box::<OneDeedPerAttempt>::default() as TeamCheck<Tasking>, ALWAYS);
    let loaded = scenario::load("hotspot", &[]).expect("it is built in");
    let robot = &loaded.mission.robots[passes[index].1.index()].name;
    let at_s = passes[after].2.as_secs_f64() + seconds;
    format!("faults=[{{ robot = \"{robot}\", at_s = {at_s}, kind = \"stop\" }}]")
}

/// Whoever has not seen the task in the vehicle's queue takes the deed for one without an attempt.
#[test]
fn a_deed_without_an_attempt_is_found() {
    let check = || Box::<OneDeedPerAttempt>::default() as TeamCheck<Tasking>;
    let (found, passes) = seen(&[], check(), ALWAYS);
    assert_eq!((found, passes.len()), (None, 3));
    let (found, _) = seen(&[], check(), |view| !view.ledger.passes().is_empty());
    let found = found.expect("the first flight is looked at without what was before");
    assert!(found.contains("was not in its queue"), "{found}");
}

/// As drawn, vehicles fly by their times, whatever becomes of the others; fenced, they do not.
#[test]
fn a_phase_before_its_predecessor_is_found() {
    let check = || Box::<PhasesInOrder>::default() as TeamCheck<Tasking>;
    let stop = stop_of(0, 0, -2.0, &["tasking.variant=drawn"]);
    let (found, _) = seen(&["tasking.variant=drawn", &stop], check(), ALWAYS);
    assert!(found.is_some_and(|found| found.contains("before")), "the first phase was not flown");
    let stop = stop_of(0, 0, -2.0, &["tasking.variant=fenced"]);
    assert_eq!(seen(&["tasking.variant=fenced", &stop], check(), ALWAYS).0, None);
}

/// A prefix is excused by a vehicle that failed while it was flown, and by nothing else: neither by nobody, nor by a vehicle that
/// was down all the time, which is how this one looks to a check that has not seen it fail.
#[test]
fn a_prefix_without_a_failure_is_found() {
    let check = || Box::<AllOrNothing>::default() as TeamCheck<Tasking>;
    let strict = ["tasking.variant=fenced", "tasking.templates.fire.strict=true"];
    assert_eq!(seen(&strict, check(), ALWAYS).0, None);
    // The last one: while only the first was flown, it can be flown again, and the group be whole.
    let stop = stop_of(2, 1, 1.0, &strict);
    let changes = [strict[0], strict[1], &stop];
    let (found, passes) = seen(&changes, check(), ALWAYS);
    assert_eq!((found, passes.len()), (None, 2));
    let (found, _) = seen(&changes, check(), |view| view.bodies.iter().any(|body| !view.attends(body.id)));
    let found = found.expect("the failure is looked at too late");
    assert!(found.contains("no vehicle failed"), "{found}");
}

/// At a fifth of their speed vehicles could not fly what they hold.
#[test]
fn a_vehicle_that_is_booked_twice_is_found() {
    let second = "tasks.second={ at_s = 1, place = [1500, 300], order = { by = \"console\", kind = \"fire\" } }";
    let changes = ["tasking.variant=fenced", "limit_h=0.2", second];
    let check = |pace: f64| Box::new(NobodyBookedTwice::at_pace(pace)) as TeamCheck<Tasking>;
    assert_eq!(seen(&changes, check(1.0), ALWAYS).0, None);
    let (found, _) = seen(&changes, check(0.2), ALWAYS);
    assert!(found.is_some_and(|found| found.contains("is to be over")), "vehicles have two tasks each");
}

/// One auction is too many for a check that allows for none, and so is one booking.
#[test]
fn an_order_that_goes_round_is_found() {
    let check = |attempts, bookings, plans| -> TeamCheck<Tasking> {
        Box::new(NothingGoesRound::beyond(attempts, bookings, plans))
    };
    let fenced = ["tasking.variant=fenced"];
    assert_eq!(seen(&fenced, check(8, 2, 2), ALWAYS).0, None);
    let (found, _) = seen(&fenced, check(0, 2, 2), ALWAYS);
    assert!(found.is_some_and(|found| found.contains("attempts")), "the order is auctioned");
    let (found, _) = seen(&fenced, check(8, 0, 2), ALWAYS);
    assert!(found.is_some_and(|found| found.contains("given to somebody")), "its tasks are booked");
    let (found, _) = seen(&fenced, check(8, 2, 0), ALWAYS);
    assert!(found.is_some_and(|found| found.contains("agreed to")), "a plan is agreed on");
}
