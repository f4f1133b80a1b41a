//! What is said when, and how statements are told apart.

use super::*;

// ---- Statements ----

/// §8.8: while a set is active the robot broadcasts its activity at a rate of rho, 1/5 s here.
#[test]
fn a_robot_says_what_it_does_when_it_changes_and_then_at_rate_rho() {
    let mut robot = at_a(live());
    robot.until(12.0);
    let expected = [(0.0, None), (1.0, Some((A, 0.0))), (6.0, Some((A, 5.0))), (11.0, Some((A, 10.0)))];
    assert_eq!(activities(&robot), expected);
    robot.before(13.0).give(gone(A));
    assert_eq!(activities(&robot)[4..], [(13.0, None)]);
}

/// K5: the report's robots speak only while they are active, so idle ones would drop out of robots_present.
#[test]
fn an_idle_robot_says_that_it_is_there() {
    let mut robot = Robot::new(ME, live(), &[]);
    robot.until(20.0);
    assert_eq!(activities(&robot), [0.0, 5.0, 10.0, 15.0, 20.0].map(|at_s| (at_s, None)));
}

/// K5 between two robots: one that waits idle for longer than tau keeps what it does best.
#[test]
fn idle_team_mates_stay_present_for_longer_than_tau() {
    let known = knows(&[(A, &[(ME, 100.0), (R1, 50.0)])]);
    let config = Config { boredom: secs(1e9), team: 2, ..live() };
    let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
    team.later(secs(60.0), ME, sees(A));
    team.run_until(300.0);
    assert_eq!(team.active(ME), None, "R1 could come and do it");
    team.mute(R1);
    team.run_until(320.0);
    assert_eq!(team.active(ME), Some(A), "nothing was heard of R1 for tau");
}

/// Robots that are switched on together spread their statements over a period.
#[test]
fn the_first_statement_comes_at_a_random_part_of_the_period() {
    let dice = Dice::falling([1 << 14]);
    let mut robot = Robot::with_dice(ME, live(), &[], dice);
    robot.until(9.0);
    assert_eq!(activities(&robot), [(1.25, None), (6.25, None)]);
}

/// Without a period a robot speaks only when something changes.
#[test]
fn without_a_period_only_changes_are_said() {
    let mut robot = at_a(quiet());
    robot.before(60.0).give(gone(A));
    robot.until(1_000.0);
    assert_eq!(activities(&robot), [(1.0, Some((A, 0.0))), (60.0, None)]);
}

/// The end of a task is said with the time it took, by which others learn.
#[test]
fn a_robot_says_that_it_has_finished_and_how_long_it_took() {
    let mut robot = at_a(quiet());
    let outputs = robot.before(61.0).give(done(A));
    let stamp = Stamp { life: 1, number: 2 };
    let message = Message::Finished { stamp, task: A, took: secs(60.0) };
    assert!(outputs.contains(&Output::Send { to: Recipient::All, message }), "{outputs:?}");
    assert_eq!(
        robot.notes.last().map(|note| note.event.clone()),
        Some(Event::Alliance(Step::Done { task: A, took: secs(60.0) }))
    );
    assert_eq!(robot.active(), None);
}

/// A body that says it has done what the robot is not at, or no longer, is not believed.
#[test]
fn only_the_task_at_hand_can_be_done() {
    let mut robot = at_a(quiet());
    robot.give(sees(B));
    robot.give(done(B));
    assert_eq!(robot.active(), Some(A));
    robot.before(10.0).give(gone(A));
    let said = robot.said.len();
    robot.give(done(A));
    assert_eq!((robot.said.len(), robot.task_time(ME, A)), (said, Some(100.0)));
}

/// A task elsewhere is driven to first; the work, and the time that is learned, begin with the activation.
#[test]
fn a_task_elsewhere_is_driven_to() {
    let mut robot = Robot::new(ME, quiet(), &knows(&[(A, &[(ME, 100.0)])]));
    let place = Point::new(3.0, 4.0);
    robot.give(Given::Senses(Percept::TaskSeen(Task { place, ..task(A) })));
    robot.until(5.0);
    assert_eq!(robot.acted, [(at(5.0), Action::GoTo(place))]);
    robot.before(10.0).give(Given::Senses(Percept::Arrived));
    assert_eq!(robot.acted[1..], [(at(10.0), Action::Work { task: A, until: Time::NEVER })]);
    robot.before(105.0).give(done(A));
    assert_eq!(robot.task_time(ME, A), Some(100.0));
}

/// "Robots only say what they do": whatever is heard, nobody answers.
#[test]
fn no_message_is_answered() {
    let robots = [Robot::new(ME, quiet(), &[]), at_a(quiet())];
    for mut robot in robots {
        let mut mate = Voice::of(R1);
        let all = [
            mate.idle(),
            mate.doing(B, 0.0),
            mate.finished(B, 3.0),
            mate.doing(A, 0.0),
            mate.gave_up(A, 3.0),
            mate.times(&[(A, 3.0), (C, 2.0)]),
            mate.finished(A, 3.0),
        ];
        for given in all {
            let said = robot.said.len();
            let shown = format!("{given:?}");
            robot.before(50.0).give(given);
            assert_eq!(robot.said.len(), said, "{shown}");
        }
    }
}

/// A robot that hears its own statement, from an echo or a namesake, does not take itself for a team mate.
#[test]
fn a_robot_is_not_its_own_team_mate() {
    let mut robot = Robot::new(ME, quiet(), &knows(&[(A, &[(ME, 100.0)])]));
    robot.give(sees(A));
    let before = robot.machine.clone();
    robot.give(Voice::of(ME).doing(A, 0.0));
    robot.give(Voice::of(ME).finished(A, 1.0));
    assert_eq!(robot.machine, before);
}

// ---- Stamps ----

/// What was heard before, or comes later than a newer one, means nothing.
#[test]
fn stale_and_duplicate_statements_are_dropped() {
    let mut robot = Robot::new(ME, quiet(), &knows(&[(A, &[(ME, 100.0)])]));
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    let (first, second, third) = (mate.doing(A, 0.0), mate.idle(), mate.finished(A, 9.0));
    robot.give(second.clone());
    robot.drops(second, Drop::Duplicate);
    robot.drops(first, Drop::Late);
    robot.give(third.clone());
    robot.drops(third, Drop::Duplicate);
    assert_eq!(robot.task_time(R1, A), Some(9.0), "learned once");
    // Each team mate counts for itself.
    robot.give(Voice::of(R2).finished(A, 7.0));
    assert_eq!(robot.task_time(R2, A), Some(7.0));
}

/// Statements are numbered through, whatever they say.
#[test]
fn a_robot_numbers_its_statements() {
    let mut robot = at_a(Config { tells_times: true, ..live() });
    robot.before(50.0).give(done(A));
    robot.give(sees(A));
    robot.until(400.0);
    assert!(robot.said.iter().any(|(_, message)| matches!(message, Message::GaveUp { .. })));
    let numbers: Vec<u32> = stamps(&robot).iter().map(|stamp| stamp.number).collect();
    assert_eq!(numbers, (1..=numbers.len() as u32).collect::<Vec<u32>>());
}

/// A team mate that has restarted counts from 1 again, and is heard.
#[test]
fn the_first_statement_of_a_new_life_counts() {
    let mut robot = Robot::new(ME, Config { boredom: Duration::ZERO, ..quiet() }, &knows(&[(A, &[(ME, 100.0)])]));
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    for _ in 0..9 {
        robot.give(mate.doing(A, 0.0));
    }
    mate.reborn();
    robot.before(50.0).give(mate.idle());
    // It is at it no longer, so impatience is fast.
    assert_eq!(robot.until(60.0).active(), Some(A));
}

/// What a team mate said in an earlier life and what comes after its restart is older, and means nothing.
#[test]
fn a_late_statement_of_an_earlier_life_is_dropped() {
    let mut robot = Robot::new(ME, quiet(), &knows(&[(A, &[(ME, 100.0)])]));
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    robot.give(mate.idle());
    let late = mate.doing(A, 0.0);
    mate.reborn();
    robot.give(mate.idle());
    robot.drops(late, Drop::Late);
}
