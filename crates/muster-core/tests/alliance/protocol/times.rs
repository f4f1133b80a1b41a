//! Beyond the report: times that are told.

use super::*;

/// What a robot knows of itself and is to be done is told, when a task is seen and every three periods.
#[test]
fn a_robot_tells_its_times() {
    let known = knows(&[(A, &[(ME, 40.0), (R1, 7.0)]), (B, &[(ME, 20.0)]), (C, &[(R1, 5.0)])]);
    let mut robot = Robot::new(ME, Config { tells_times: true, boredom: secs(1e9), ..live() }, &known);
    for task in [A, C] {
        robot.give(sees(task));
    }
    // Keeps it idle.
    robot.give(Voice::of(R1).doing(A, 0.0));
    robot.until(14.0);
    let told = |robot: &Robot| -> Vec<(f64, Vec<(TaskId, Duration)>)> {
        let times = |(said, message): &(Time, Message)| match message {
            Message::Times { times, .. } => Some((said.as_secs_f64(), times.clone())),
            _ => None,
        };
        robot.said.iter().filter_map(times).collect()
    };
    // Once for both; not of B, which is not to be done, nor of C, of which it knows nothing.
    assert_eq!(told(&robot), [(0.0, vec![(A, secs(40.0))])]);
    robot.until(16.0);
    assert_eq!(told(&robot)[1..], [(15.0, vec![(A, secs(40.0))])]);
}

/// By default nobody does: the report knows no such message.
#[test]
fn times_are_told_only_if_asked_for() {
    let mut robot = at_a(live());
    robot.until(90.0);
    assert!(!robot.said.iter().any(|(_, message)| matches!(message, Message::Times { .. })));
}

/// A team mate knows its own times best: what it says takes the place of what was observed.
#[test]
fn times_that_are_told_take_the_place_of_what_was_seen() {
    let mut robot = Robot::new(ME, quiet(), &knows(&[(A, &[(ME, 100.0), (R1, 200.0)])]));
    robot.give(Voice::of(R1).times(&[(A, 60.0), (B, 30.0)]));
    assert_eq!(robot.task_time(R1, A), Some(60.0));
    assert_eq!(robot.task_time(ME, A), Some(100.0));
    // Of a task that it has not seen, and perhaps cannot do: something to plan with, nothing to begin.
    assert_eq!(robot.task_time(R1, B), Some(30.0));
    assert_eq!(robot.until(1_000.0).activations(), []);
}

/// Largest regret first, and nothing that a team mate would finish earlier.
#[test]
fn regret_takes_first_what_would_lose_most() {
    let config = Config { ordering: Regret, boredom: secs(1e9), ..quiet() };
    let config = Config { rates: Rates::Learned(BestWins), min_delay: config.max_delay, ..config };
    let known = knows(&[
        (A, &[(ME, 90.0), (R1, 95.0), (R2, 300.0)]),
        (B, &[(ME, 40.0), (R1, 80.0), (R2, 300.0)]),
        (C, &[(ME, 90.0), (R1, 10.0), (R2, 300.0)]),
    ]);
    let mut robot = Robot::new(ME, config, &known);
    for task in [A, B, C] {
        robot.give(sees(task));
    }
    assert_eq!(robot.until(6.0).active(), Some(B));
    robot.before(45.0).give(done(B));
    assert_eq!(robot.until(51.0).active(), Some(A));
    robot.before(135.0).give(done(A));
    assert_eq!(robot.until(1_000.0).active(), None, "R1 would have C finished earlier");
}

/// What this robot has done itself is not part of its plans any more, whoever once said that he could do it.
#[test]
fn a_plan_leaves_out_what_this_robot_has_done() {
    let config = Config { ordering: Replan, boredom: secs(1e9), ..quiet() };
    let known = knows(&[(A, &[(ME, 10.0), (R1, 100.0)]), (B, &[(ME, 10.0), (R1, 11.0)])]);
    let mut robot = Robot::new(ME, Config { team: 2, ..config }, &known);
    for task in [A, B] {
        robot.give(sees(task));
    }
    robot.give(Voice::of(R1).times(&[(A, 100.0), (B, 11.0)]));
    assert_eq!(robot.until(6.0).active(), Some(A), "B is for R1, which would have it done at 11 s");
    robot.before(20.0).give(done(A));
    // R1 has not begun B, and this robot is free: it would have it done earlier.
    assert_eq!(robot.until(26.0).active(), Some(B));
}

/// §7.2: robots cannot be made to wait for another's permission or performance. A team mate that says for ever that it
/// is at something of which this robot knows nothing must not keep a task that it would do better waiting for ever.
#[test]
fn a_plan_does_not_wait_for_ever_for_a_team_mate_at_something_unknown() {
    for ordering in [Regret, Replan] {
        let config = Config { ordering, rates: Rates::Learned(BestWins), team: 2, ..live() };
        let mut robot = Robot::new(ME, config, &knows(&[(A, &[(ME, 50.0), (R1, 10.0)])]));
        robot.give(sees(A));
        let mut mate = Voice::of(R1);
        for tick in 0..2_000 {
            let at_s = f64::from(tick) * 5.0;
            robot.before(at_s).give(mate.doing(C, at_s));
        }
        assert!(!robot.activations().is_empty(), "{ordering:?}: nothing in 10,000 s");
    }
}

/// Only strategy I, longest first and fixed rates do without categories.
#[test]
fn who_has_categories() {
    let has = |strategy, ordering| Config::parker_1995(strategy, ordering, 2).has_categories();
    for ordering in [ModifiedShortest, Ordering::ModifiedRandom, Preferred, Regret, Replan] {
        assert!(has(BestWins, ordering) && has(FightingChance, ordering) && !has(Distrust, ordering));
    }
    assert!(!has(BestWins, Ordering::Longest));
}

/// What a robot has done is said again with everything that it says: a FINISHED that nobody heard is not lost, and is
/// counted once.
#[test]
fn a_deed_that_was_not_heard_of_is_told_by_the_next_statement() {
    let mut robot = Robot::new(ME, Config::parker_1995(Strategy::FightingChance, Ordering::Preferred, 2), &[]);
    robot.give(sees(A));
    let deed = Deed { number: 2, task: A, took: secs(30.0) };
    let says =
        |number, last| Given::Hears(R1, Message::Activity { stamp: Stamp { life: 1, number }, doing: None, last });
    let trials = |robot: &Robot| {
        robot.machine.known().iter().flat_map(|known| known.lessons.clone()).map(|l| l.trials).collect::<Vec<_>>()
    };
    robot.before(1.0).give(says(3, Some(deed)));
    assert_eq!(trials(&robot), [vec![30.0]]);
    robot.before(2.0).give(says(4, Some(deed)));
    assert_eq!(trials(&robot), [vec![30.0]], "the same deed");
    robot
        .before(3.0)
        .give(Given::Hears(R1, Message::Finished { stamp: Stamp { life: 1, number: 5 }, task: A, took: secs(40.0) }));
    robot.before(4.0).give(says(6, Some(Deed { number: 5, took: secs(40.0), ..deed })));
    assert_eq!(trials(&robot), [vec![30.0, 40.0]], "heard of when it was done");
    // Another life counts its statements anew.
    let reborn = Message::Activity {
        stamp: Stamp { life: 2, number: 3 },
        doing: None,
        last: Some(Deed { took: secs(50.0), ..deed }),
    };
    robot.before(5.0).give(Given::Hears(R1, reborn));
    assert_eq!(trials(&robot), [vec![30.0, 40.0, 50.0]]);
}

/// Each waits for the other, who should be quicker, while something else changes all the time: that has an end.
#[test]
fn changes_do_not_put_a_task_off_for_ever() {
    for ordering in [Ordering::Regret, Ordering::Replan] {
        let known = knows(&[(A, &[(ME, 50.0), (R1, 20.0)]), (B, &[(ME, 90.0), (R1, 80.0)])]);
        let mut robot = Robot::new(ME, Config::beyond(ordering, false, 2), &known);
        let mut mate = Voice::of(R1);
        robot.give(sees(A));
        for turn in 0..40 {
            let at = 4.0 * f64::from(turn);
            robot.before(at + 1.0).give(mate.idle());
            robot.before(at + 2.0).give(sees(B));
            robot.before(at + 3.0).give(Given::Senses(Percept::TaskGone(B)));
        }
        let began = robot.activations().iter().find(|(_, task)| *task == A).map(|(at, _)| *at);
        assert!(began.is_some_and(|at| at <= 70.0), "{ordering:?}: {:?}", robot.activations());
    }
}
