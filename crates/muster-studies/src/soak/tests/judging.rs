//! Plans that are expected to fail: only the check that they name may.

use muster_core::alliance::Alliance;
use muster_core::{Check, Mechanism};
use muster_reception::{Reception, scenario};
use muster_sim::{Mission, View};

use super::*;

const NAME: &str = "this holds";

/// A promise that is always kept.
struct Trivial;

impl<M: Mechanism> Check<View<'_, M>> for Trivial {
    fn name(&self) -> &'static str {
        NAME
    }
}

impl Check<Reception> for Trivial {
    fn name(&self) -> &'static str {
        NAME
    }
}

/// A promise that is broken at once.
struct Hopeless;

impl<M: Mechanism> Check<View<'_, M>> for Hopeless {
    fn name(&self) -> &'static str {
        NAME
    }

    fn end(&mut self, _view: &View<'_, M>) -> Result<(), String> {
        Err("it never does".to_owned())
    }
}

fn marked(missions: Missions) -> &'static Plan {
    let broken = Some(Broken { check: NAME, why: "it is only a test" });
    Box::leak(Box::new(Plan { name: "marked", about: "a test", missions, broken }))
}

fn small_alliance(promise: Promise<Alliance>, draw: fn(&mut Stream) -> Texts) -> &'static Plan {
    marked(Missions::Alliance(Drawn { draw, promise: Some(promise), meets: &[] }))
}

fn texts(scenario: &str, interventions: &str) -> Texts {
    Texts { scenario: scenario.to_owned(), interventions: interventions.to_owned() }
}

const CLEANUP: &str = "limit_h = 0.1
[field]
width_m = 10
height_m = 10
[robots.r0]
speed_mps = 1
place = [1, 1]
[tasks.t0]
place = [5, 5]
work_s = { r0 = 5 }
[alliance]
strategy = \"ii\"
";

fn cleanup(_stream: &mut Stream) -> Texts {
    texts(CLEANUP, "")
}

fn always_kept(plan: &'static Plan) {
    let report = trial_of(plan).soak(1, MEETS_ALL_IN, &Batch::quiet());
    assert_eq!((report.failed, report.never_met.as_slice()), (0, &[][..]), "{:?}", report.failures);
    assert!(report.holds_now && !report.as_expected, "{report:?}");
    assert_eq!(report.expected_check, Some(NAME));
    let few = trial_of(plan).soak(1, 3, &Batch::quiet());
    assert!(!few.holds_now && few.as_expected, "a handful of runs may miss it: {few:?}");
}

/// A promise that is kept in 300 runs has lost its mark, whatever the missions are: also where they can never be complete.
#[test]
fn a_promise_that_is_kept_loses_its_mark() {
    fn alone(_stream: &mut Stream) -> Texts {
        let alone = "limit_h = 0.1\n[field]\nwidth_m = 10\nheight_m = 10\n[robots.a]\nspeed_mps = 1\n\
                     percepts = [\"x\"]\n[robots.b]\nspeed_mps = 1\n[tasks.t]\nseen_by = \"a\"\nneeds = [\"x\"]\n\
                     [recruitment]\nstrategy = \"greedy\"\n";
        texts(alone, "")
    }
    let promise: Promise<muster_core::recruitment::Recruitment> = |_| Box::new(Trivial);
    always_kept(marked(Missions::Recruitment(Drawn {
        draw: alone,
        promise: Some(promise),
        meets: &[mission::ONE_SEEN],
    })));
}

/// One of the tasks is never done, so no run is ever complete.
#[test]
fn a_promise_of_impatient_robots_that_is_kept_loses_its_mark() {
    let never: fn(&mut Stream) -> Texts = |_| {
        let task = "[tasks.never]\nplace = [9, 9]\nwork_s = { r0 = 100000000 }\n";
        texts(&CLEANUP.replace("[alliance]", &format!("{task}[alliance]")), "")
    };
    let Missions::Alliance(Drawn { meets, .. }) = plan("impossible-task").missions else { unreachable!("impatient") };
    let promise: Promise<Alliance> = |_| Box::new(Trivial);
    always_kept(marked(Missions::Alliance(Drawn { draw: never, promise: Some(promise), meets })));
}

#[test]
fn a_promise_of_auctions_that_is_kept_loses_its_mark() {
    fn order(_stream: &mut Stream) -> Texts {
        let order = "limit_h = 0.05\n[field]\nwidth_m = 500\nheight_m = 500\n[robots.console]\nspeed_mps = 1\n\
                     place = [0, 0]\n[robots.v0]\nspeed_mps = 40\nplace = [250, 250]\n[tasks.t0]\nat_s = 1\n\
                     place = [400, 400]\norder = { by = \"console\" }\n[tasking]\nconsoles = [\"console\"]\n";
        texts(order, "")
    }
    let promise: Promise<muster_core::tasking::Tasking> = |_| Box::new(Trivial);
    let missions = Drawn { draw: order, promise: Some(promise), meets: &[mission::ONE_DONE] };
    always_kept(marked(Missions::Tasking(missions)));
}

#[test]
fn a_promise_of_receptions_that_is_kept_loses_its_mark() {
    fn hall(_stream: &mut Stream) -> Texts {
        let hall = "limit_s = 5\n[reception]\nwidth_ft = 24\nheight_ft = 24\n[reception.guests]\ncount = 1\n\
                    [reception.robots.Butler]\nplace_ft = [12, 18]\n[reception.robots.Leguin]\nplace_ft = [12, 6]\n";
        texts(hall, "")
    }
    let promise: ReceptionPromise = |_| Box::new(Trivial);
    always_kept(marked(Missions::Reception(DrawnReception { draw: hall, promise: Some(promise) })));
}

#[test]
fn a_promise_in_the_minefield_that_is_kept_loses_its_mark() {
    let minefield = Minefield { changes: &[], sabotage: Sabotage::None, required: 1.0, overlaps_expected: false };
    always_kept(marked(Missions::Minefield(minefield)));
}

/// A promise that is broken in some runs, and in nothing else, is as expected.
#[test]
fn a_promise_that_is_broken_as_known_is_as_expected() {
    let promise: Promise<Alliance> = |_| Box::new(Hopeless);
    let report = trial_of(small_alliance(promise, cleanup)).soak(1, MEETS_ALL_IN, &Batch::quiet());
    assert_eq!((report.failed, report.failed_as_known), (MEETS_ALL_IN, MEETS_ALL_IN));
    assert!(report.as_expected && !report.held && !report.holds_now, "{report:?}");
    assert!(report.failures[0].replay.starts_with("muster soak marked --replay "), "{report:?}");
}

/// Every plan that is expected to fail names a check that its own promise is.
#[test]
fn plans_name_the_check_of_their_promise() {
    fn name<M: Mechanism>(drawn: &Drawn<M>, mission: &Mission) -> Option<&'static str> {
        drawn.promise.map(|promise| promise(mission).name())
    }
    let mut marked = 0;
    for plan in PLANS.iter().filter(|plan| plan.missions.draw().is_some()) {
        let texts = drawn(plan, 1);
        let promised = match (&plan.missions, scenario::parse_any("drawn", "drawn", &texts.scenario, &[])) {
            (Missions::Recruitment(drawn), Ok(Play::Mission(loaded))) => name(drawn, &loaded.mission),
            (Missions::Alliance(drawn), Ok(Play::Mission(loaded))) => name(drawn, &loaded.mission),
            (Missions::Tasking(drawn), Ok(Play::Mission(loaded))) => name(drawn, &loaded.mission),
            (Missions::Reception(_), Ok(Play::Reception(_))) => None,
            (missions, _) => panic!("{missions:?} is not what is drawn"),
        };
        if let Some(broken) = plan.broken {
            assert_eq!(Some(broken.check), promised, "{}", plan.name);
            marked += 1;
        }
    }
    assert_eq!(marked, 2);
}

/// What no plan may take for the known failure.
fn is_no_known_failure(plan: &'static Plan, check: &str) {
    let report = trial_of(plan).soak(1, 3, &Batch::quiet());
    assert_eq!((report.failed, report.failed_as_known), (3, 0), "{report:?}");
    assert!(!report.as_expected && !report.holds_now, "{report:?}");
    assert_eq!(report.failures[0].check, check, "{report:?}");
}

#[test]
fn a_panic_is_no_known_failure() {
    struct Panics;
    impl Check<View<'_, Alliance>> for Panics {
        fn name(&self) -> &'static str {
            NAME
        }
        fn look(&mut self, _view: &View<'_, Alliance>) -> Result<(), String> {
            panic!("in the middle of a run")
        }
    }
    is_no_known_failure(small_alliance(|_| Box::new(Panics), cleanup), NOTHING_PANICS);
    let draw: fn(&mut Stream) -> Texts = |_| panic!("while it is drawn");
    is_no_known_failure(small_alliance(|_| Box::new(Hopeless), draw), NOTHING_PANICS);
}

#[test]
fn a_mission_that_cannot_be_read_is_no_known_failure() {
    let unreadable: [fn(&mut Stream) -> Texts; 4] = [
        |_| texts("limit_h = ", ""),
        |_| {
            texts(
                CLEANUP,
                "[[interventions]]\nat_s = 1\nauthor = \"ops\"\nfault = { robot = \"nobody\", kind = \"stop\" }",
            )
        },
        |stream| drawn_with(plan("tasking"), stream),
        |stream| drawn_with(plan("reception"), stream),
    ];
    for draw in unreadable {
        is_no_known_failure(small_alliance(|_| Box::new(Hopeless), draw), CAN_BE_READ);
    }
}

fn drawn_with(plan: &Plan, stream: &mut Stream) -> Texts {
    plan.missions.draw().expect("it is drawn")(stream)
}

/// A promise is broken in the same run as an invariant: the invariant counts.
#[test]
fn another_check_is_no_known_failure() {
    struct Other;
    impl Check<View<'_, Alliance>> for Other {
        fn name(&self) -> &'static str {
            "another"
        }
        fn end(&mut self, _view: &View<'_, Alliance>) -> Result<(), String> {
            Err("it fails".to_owned())
        }
    }
    is_no_known_failure(small_alliance(|_| Box::new(Other), cleanup), "another");
}

#[test]
fn a_run_that_does_not_end_is_no_known_failure() {
    let mut trial = trial_of(small_alliance(|_| Box::new(Hopeless), cleanup));
    trial.most_events = 3;
    let outcome = trial.run(1, false);
    assert_eq!(outcome.breach.map(|breach| breach.check), Some(watcher::NOTHING_HANGS));
    let training: fn(&mut Stream) -> Texts = |_| texts(&format!("{CLEANUP}practice = [{{ missions = 50 }}]\n"), "");
    let mut trial = trial_of(small_alliance(|_| Box::new(Hopeless), training));
    trial.most_events = 200;
    let breach = trial.run(1, false).breach.expect("training has more events");
    assert_eq!((breach.check, breach.what.contains("in training")), (watcher::NOTHING_HANGS, true), "{breach}");
}

/// What should have been met and was not is a failure, also of a plan that is expected to fail.
#[test]
fn something_never_met_is_no_known_failure() {
    let promise: Promise<Alliance> = |_| Box::new(Hopeless);
    let missions = Missions::Alliance(Drawn { draw: cleanup, promise: Some(promise), meets: &["a box"] });
    let report = trial_of(marked(missions)).soak(1, MEETS_ALL_IN, &Batch::quiet());
    assert_eq!((report.failed_as_known, report.never_met.as_slice()), (MEETS_ALL_IN, &["a box".to_owned()][..]));
    assert!(!report.as_expected && !report.holds_now, "{report:?}");
}

/// The known failure does not hide that a run was the wrong one in another way, too: rows and recordings are looked at.
#[test]
fn a_wrong_row_or_recording_is_no_known_failure() {
    let of =
        |check| Outcome { breach: Some(Breach { check, what: String::new(), at: Time::ZERO }), ..Outcome::default() };
    for check in [mission::ROWS_EQUAL_THE_LEDGER, mission::RECORDINGS_VERIFY] {
        let outcomes: Vec<(u64, Outcome)> = vec![(1, of(NAME)), (2, of(check))];
        let report = trial_of(small_alliance(|_| Box::new(Hopeless), cleanup)).report(&outcomes);
        assert_eq!((report.failed, report.failed_as_known), (2, 1));
        assert!(!report.as_expected, "{report:?}");
        assert_eq!((report.failures[0].seed, report.failures[0].check), (2, check), "what is not known comes first");
    }
}
