//! Tasks that are asked for, changed and cancelled while a run goes on.

use muster_core::{Event, Order, RobotId, TaskId, Time, alliance};
use muster_sim::Interventions;

use crate::ears::{SMOKE, hear, listen, place, row, told_last};
use crate::{load, log, origin, run};

/// A task that was not there before is called for, handed over and counted like any other; one that was called off is
/// not looked for any more, and the run ends when nothing is left to do.
#[test]
fn tasks_are_given_and_cancelled() {
    let give = |at_s: f64, name: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"{name}\", seen_by = \"caller\", needs = [\"camera\"] }}\n"
        )
    };
    let cancel = |at_s: f64, name: &str| {
        format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ task = \"{name}\", cancel = true }}\n")
    };
    let loaded = row();
    let scheme = loaded.schemes()[0];
    let both = origin(&loaded, scheme, 1, &[give(5.0, "one"), give(40.0, "two"), cancel(60.0, "never")].concat());
    let (end, ledger, ..) = run(&both);
    assert!(ledger.all_served() && ledger.records()[0].withdrawn && end < Time::from_secs_f64(200.0), "{end}");
    assert_eq!(ledger.records().len(), 3);
    assert_eq!(both.task_name(TaskId(2)), Some("two"));
    let place = ledger.records()[1].task.place;
    assert_eq!((place.x, place.y), (10.0, 10.0), "where the robot is that looks after it");
    // Nothing is done at all, and yet it is over.
    let none = origin(&loaded, scheme, 1, &[give(5.0, "one"), cancel(5.0, "one"), cancel(6.0, "never")].concat());
    let (end, ledger, ..) = run(&none);
    assert!(end < Time::from_secs_f64(10.0) && ledger.records().iter().all(|record| record.withdrawn), "{end}");
    // Whoever cannot listen is told when it can; whoever never will is not waited for.
    let fault = |kind: &str| {
        format!("[[interventions]]\nat_s = 4\nauthor = \"x\"\nfault = {{ robot = \"caller\", kind = {kind} }}\n")
    };
    for (kind, seen) in
        [("\"pause\", for_s = 9", Some(13.0)), ("\"restart\", for_s = 9", Some(13.0)), ("\"stop\"", None)]
    {
        let text = [fault(kind), give(5.0, "one"), cancel(20.0, "never")].concat();
        let (_, ledger, ..) = run(&origin(&loaded, scheme, 1, &text));
        let record = &ledger.records()[1];
        let at = record.seen.map(|(at, _)| at.as_secs_f64());
        let late = at.zip(seen).map(|(at, seen)| at - seen);
        assert!(
            at.is_some() == seen.is_some() && late.is_none_or(|late| (0.0..=1.0).contains(&late)),
            "{kind}: {at:?}"
        );
        assert_eq!(record.withdrawn, seen.is_none(), "{kind}");
    }
}

/// A robot that restarts is not told again of what was called off meanwhile.
#[test]
fn what_was_called_off_stays_so() {
    let loaded = row();
    let text = "[[interventions]]\nat_s = 5\nauthor = \"x\"\norder = { name = \"one\", seen_by = \"caller\", needs = [\"none\"] }\n";
    assert!(Interventions::parse("x", text, &loaded, loaded.schemes()[0]).is_err(), "nobody has that percept");
    let text = "[[interventions]]\nat_s = 5\nauthor = \"x\"\nfault = { robot = \"a\", kind = \"stop\" }\n\
        [[interventions]]\nat_s = 5\nauthor = \"x\"\nfault = { robot = \"b\", kind = \"stop\" }\n\
        [[interventions]]\nat_s = 6\nauthor = \"x\"\norder = { name = \"one\", seen_by = \"caller\", needs = [\"camera\"] }\n\
        [[interventions]]\nat_s = 10\nauthor = \"x\"\norder = { task = \"one\", cancel = true }\n\
        [[interventions]]\nat_s = 20\nauthor = \"x\"\nfault = { robot = \"caller\", kind = \"restart\", for_s = 1, memory = false }\n";
    let (ears, ledger) = listen(&loaded, text, 200.0);
    assert!(ledger.records()[1].withdrawn);
    assert!(ears.sent.iter().any(|(at, ..)| *at < Time::from_secs_f64(10.0)), "it was called for");
    assert!(ears.sent.iter().all(|(at, ..)| *at <= Time::from_secs_f64(10.0)), "{:?}", ears.sent);
    assert_eq!(ears.ordered.len(), 2, "{:?}", ears.ordered);
}

/// Impatient robots take new tasks, give up what is called off, and go to where a task is now.
#[test]
fn impatient_robots_take_orders() {
    let loaded = load("cleanup", &["alliance.strategy=regret"]);
    let scheme = loaded.schemes()[0];
    let text = "[[interventions]]\nat_s = 20\nauthor = \"x\"\norder = { name = \"sweep\", place = [20, 20], work_s = { scout-1 = 50, loader = 70 } }\n\
        [[interventions]]\nat_s = 40\nauthor = \"x\"\norder = { task = \"sweep\", place = [30, 5] }\n\
        [[interventions]]\nat_s = 41\nauthor = \"x\"\norder = { name = \"lock\", place = [5, 5], after = [\"sweep\", \"report\"], work_s = { scout-2 = 20 } }\n";
    let origin = origin(&loaded, scheme, 1, text);
    let (_, ledger, _, notes) = run(&origin);
    let [sweep, lock] = [7, 8].map(|task| ledger.record(TaskId(task)).unwrap());
    assert!(ledger.all_served());
    assert_eq!((sweep.task.place.x, sweep.task.place.y), (30.0, 5.0));
    let after = sweep.served.unwrap().0.max(ledger.records()[6].served.unwrap().0);
    assert_eq!(lock.seen.unwrap().0, after, "it comes up when both are done");
    assert!(
        notes.iter().any(|note| matches!(note.event, Event::Alliance(alliance::Step::Done { task: TaskId(7), .. })))
    );
    assert!(
        notes.iter().any(|note| matches!(note.event, Event::Alliance(alliance::Step::Done { task: TaskId(8), .. })))
    );
}

/// A task that is called off, or is elsewhere now, is not done, and nobody says so: neither a robot at work nor one that
/// hung and finds out when it is back.
#[test]
fn what_is_called_off_is_not_told_as_done() {
    let loaded = load("cleanup", &["alliance.strategy=regret"]);
    let sweep = "[[interventions]]\nat_s = 20\nauthor = \"x\"\norder = { name = \"sweep\", place = [20, 20], work_s = { scout-1 = 500, loader = 700 } }\n";
    let cancel =
        "[[interventions]]\nat_s = 200\nauthor = \"x\"\norder = { task = \"sweep\", cancel = true }\n".to_owned();
    let pause = |robot: &str| {
        format!(
            "[[interventions]]\nat_s = 190\nauthor = \"x\"\nfault = {{ robot = \"{robot}\", kind = \"pause\", for_s = 20 }}\n"
        )
    };
    let hang = format!("{}{}{cancel}", pause("scout-1"), pause("loader"));
    let moved =
        "[[interventions]]\nat_s = 200\nauthor = \"x\"\norder = { task = \"sweep\", place = [30, 5] }\n".to_owned();
    for disturbance in [cancel, hang, moved] {
        let log = log(&origin(&loaded, loaded.schemes()[0], 1, &format!("{sweep}{disturbance}")));
        assert!(log.contains("stops sweep: it was called off, or moved"), "{disturbance}{log}");
        assert!(!log.contains("stops sweep: it is done"), "{disturbance}{log}");
    }
}

/// Orders of all kinds while auctions go on: what is new is flown, what is moved is flown elsewhere, what is called off
/// is not lost.
#[test]
fn auctions_take_orders() {
    let loaded = load("patrol", &["faults=[]", "radio.loss=0", "limit_h=0.5"]);
    let text = "[[interventions]]\nat_s = 40\nauthor = \"x\"\norder = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 9 } }\n\
        [[interventions]]\nat_s = 42\nauthor = \"x\"\norder = { task = \"smoke\", place = [1000, 1000], priority = 20 }\n\
        [[interventions]]\nat_s = 43\nauthor = \"x\"\norder = { task = \"look 7\", cancel = true }\n";
    let origin = origin(&loaded, loaded.schemes()[0], 1, text);
    let (_, ledger, ..) = run(&origin);
    let smoke = ledger.record(TaskId(66)).unwrap();
    assert_eq!(origin.task_name(TaskId(66)), Some("smoke"));
    assert_eq!((smoke.task.place.x, smoke.task.place.y), (1000.0, 1000.0));
    assert!(smoke.served.is_some() && ledger.records()[6].withdrawn, "{smoke:?}");
    assert!(ledger.all_served());
}

/// Whatever a console was told of an order while it could not listen reaches it, in the order in which it was said.
#[test]
fn changes_come_after_their_order_and_after_each_other() {
    let loaded = load("patrol", &["faults=[]", "radio.loss=0", "limit_h=0.5"]);
    let hangs = "fault = { robot = \"outpost\", kind = \"pause\", for_s = 5 }";
    let moves = "order = { task = \"smoke\", place = [1000, 1000] }";
    let urges = "order = { task = \"smoke\", priority = 20 }";
    let (ears, ledger, _) = hear(&loaded, &[(40.0, SMOKE), (41.0, hangs), (42.0, moves), (43.0, urges)]);
    assert_eq!((told_last(&ears, 66), place(&ledger, 66)), (((1000.0, 1000.0), 20), (1000.0, 1000.0)));
    let down = "fault = { robot = \"outpost\", kind = \"restart\", for_s = 5.3 }";
    for at_s in [42.0, 42.3, 42.5, 44.0, 44.6] {
        let both = "order = { task = \"smoke\", place = [1000, 1000], priority = 20 }";
        let (ears, ledger, _) = hear(&loaded, &[(39.0, down), (40.0, SMOKE), (at_s, both)]);
        assert_eq!((told_last(&ears, 66), place(&ledger, 66)), (((1000.0, 1000.0), 20), (1000.0, 1000.0)), "{at_s}");
        let first =
            ears.ordered.iter().find(|(_, robot, _)| loaded.mission.robots[robot.index()].name.as_ref() == "outpost");
        assert!(matches!(first, Some((_, _, Order::Inject(_)))), "{at_s}: {first:?}");
        assert!(ledger.records()[66].served.is_some(), "{at_s}");
    }
    // Called off before anybody was told: what was to change about it is not told, either.
    let cancels = "order = { task = \"smoke\", cancel = true }";
    let (ears, ledger, _) = hear(&loaded, &[(39.0, down), (40.0, SMOKE), (41.0, moves), (42.0, cancels)]);
    let of_it = |(.., order): &&(Time, RobotId, Order)| matches!(order, Order::Inject(brief) | Order::Modify(brief) if brief.task.id == TaskId(66));
    assert!(ledger.records()[66].withdrawn && !ears.ordered.iter().any(|it| of_it(&it)));
}

/// A scenario's changes and somebody's go together: each changes what it names, and nothing else.
#[test]
fn a_change_in_the_scenario_takes_nothing_back() {
    let loaded = load("hotspot", &["tasking.changes=[{at_s=12,task=\"hotspot\",priority=5}]"]);
    let (ears, ledger, _) = hear(&loaded, &[(10.0, "order = { task = \"hotspot\", place = [300, 300] }")]);
    assert_eq!((told_last(&ears, 0), place(&ledger, 0)), (((300.0, 300.0), 5), (300.0, 300.0)));
    // An order without a place lies anywhere, and stays there.
    let changes = ["faults=[]", "limit_h=0.2", "tasking.changes=[{at_s=200,task=\"look 12\",priority=9}]"];
    let loaded = load("patrol", &changes);
    let (ears, ledger, _) = hear(&loaded, &[]);
    assert_eq!(told_last(&ears, 11), (place(&ledger, 11), 9));
    assert_ne!(place(&ledger, 11), (0.0, 0.0));
}

/// What was done stays where it was done.
#[test]
fn a_phase_that_is_done_does_not_move() {
    let loaded = load("hotspot", &[]);
    let (_, ledger, _) = hear(&loaded, &[(30.0, "order = { task = \"hotspot\", place = [300, 300] }")]);
    // It is flown again later: by then it is too long ago for the drop.
    assert!(ledger.passes()[0].task == TaskId(0) && ledger.passes()[0].at < Time::from_secs_f64(30.0));
    assert_eq!([0, 1].map(|phase| place(&ledger, phase)), [(1590.0, 1395.0), (300.0, 300.0)]);
}

/// A task that is moved is done at its new place, from the beginning, whatever its worker knows of it.
#[test]
fn work_begins_anew_where_a_task_is_now() {
    let loaded = load("cleanup", &["alliance.practice=[]", "work.scatter=0"]);
    let asks = "order = { name = \"sweep\", place = [20, 20], work_s = { loader = 50 } }";
    let moves = "order = { task = \"sweep\", place = [38, 28] }";
    let hangs = |for_s: u32| format!("fault = {{ robot = \"loader\", kind = \"pause\", for_s = {for_s} }}");
    let sweep = |interventions: &[(f64, &str)]| hear(&loaded, interventions).1.records()[7].clone();
    let plain = sweep(&[(1.0, asks)]);
    let (from, done) = (plain.work[0].from.as_secs_f64(), plain.served.unwrap().0.as_secs_f64());
    assert!((done - from - 50.0).abs() < 1e-6);
    // From the old place to the new one it drives for 49 s; it cannot be there before it was told.
    for (hang_s, move_s) in [(20.0, 25.0), (from + 5.0, from + 10.0), (from - 1.0, from + 2.0)] {
        for for_s in [10, 200] {
            let record = sweep(&[(1.0, asks), (hang_s, &hangs(for_s)), (move_s, moves)]);
            let told = hang_s + f64::from(for_s);
            let last = record.work.last().unwrap();
            let (began, served) = (last.from.as_secs_f64(), record.served.unwrap().0.as_secs_f64());
            assert_eq!((record.task.place.x, record.task.place.y), (38.0, 28.0));
            assert!(began > told + 20.0 && (served - began - 50.0).abs() < 1e-6, "{hang_s} {for_s}: {record:?}");
            let ended = |work: &muster_sim::ledger::Work| work.until.as_secs_f64() <= move_s + 1e-6;
            assert!(record.work[..record.work.len() - 1].iter().all(ended), "work at the old place: {record:?}");
        }
    }
    // Whoever does it in the end does all of it, and nothing of what another did at the old place.
    let both = asks.replace("loader = 50", "loader = 50, scout-1 = 60");
    let mut met = 0;
    for move_s in [40.0, 60.0, 70.0, 80.0, 90.0] {
        let record = sweep(&[(1.0, &both), (move_s, moves)]);
        let Some((served, by)) = record.served.filter(|(at, _)| at.as_secs_f64() > move_s) else { continue };
        let anew: Vec<_> = record.work.iter().filter(|work| work.from.as_secs_f64() >= move_s).collect();
        let takes = if &*loaded.mission.robots[by.index()].name == "loader" { 50.0 } else { 60.0 };
        if let [only] = anew[..] {
            let took = (served.as_secs_f64() - only.from.as_secs_f64(), takes);
            assert!((took.0 - took.1).abs() < 1e-6, "moved at {move_s} s: {record:?}");
            met += usize::from(record.work.len() > 1);
        }
    }
    assert!(met > 0, "no task was moved that somebody had worked at");
}
