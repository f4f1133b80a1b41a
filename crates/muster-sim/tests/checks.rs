//! Checks find what they are made to find.

use muster_core::tasking::Tasking;
use muster_core::{Check, Mechanism, RobotId};
use muster_sim::checks::OneDeedPerAttempt;
use muster_sim::fault::Fault;
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Observer, Origin, Sim, View, scenario};

/// Looks from the first flight over a target on, or from the beginning.
struct Late {
    check: OneDeedPerAttempt,
    from_the_beginning: bool,
    found: Option<String>,
    passes: usize,
}

impl Observer<Tasking> for Late {
    fn after_event(&mut self, view: View<'_, Tasking>) -> Option<Fault> {
        self.passes = view.ledger.passes().len();
        if (self.from_the_beginning || self.passes > 0) && self.found.is_none() {
            self.found = self.check.look(&view).err();
        }
        None
    }
}

struct Watch<'a>(&'a Origin, Late);

impl Visit for Watch<'_> {
    type Result = Late;

    fn visit<M: Mechanism>(self, _machine: impl Fn(RobotId) -> M) -> Late {
        unreachable!("vehicles of the hotspot bid")
    }

    fn visit_tasking(self, machine: impl Fn(RobotId) -> Tasking) -> Late {
        let mut sim = Sim::of(self.0, machine, self.1);
        sim.run();
        sim.into_observer()
    }
}

fn watched(from_the_beginning: bool) -> Late {
    let loaded = scenario::load("hotspot", &[]).expect("it is built in");
    let scheme = loaded.schemes()[0];
    let origin = Origin::new(loaded, scheme, 1);
    let late = Late { check: OneDeedPerAttempt::default(), from_the_beginning, found: None, passes: 0 };
    staff(&origin, Watch(&origin, late))
}

/// Whoever has not seen the task in the vehicle's queue takes the deed for one without an attempt.
#[test]
fn a_deed_without_an_attempt_is_found() {
    let seen = watched(true);
    assert_eq!((seen.found, seen.passes), (None, 3));
    let found = watched(false).found.expect("the first flight is looked at without what was before");
    assert!(found.contains("was not in its queue"), "{found}");
}
