//! When a motivation leads to something: the threshold, sensory feedback, who is present, suppression.

use super::*;

// ---- The threshold ----

/// §8.1, §8.8: a motivation starts at 0, grows by its rate and makes its set active when it reaches theta.
#[test]
fn a_set_becomes_active_when_its_motivation_reaches_the_threshold() {
    let mut robot = before_a(fixed(4.0, 60.0, 60.0, 60.0), &[]);
    assert_eq!(robot.motivation_at(0.0, A), 0.0);
    assert_close(robot.motivation_at(1.0, A), 0.25);
    assert_close(robot.motivation_at(3.0, A), 0.75);
    assert_eq!(robot.until(3.999_998).active(), None);
    assert_eq!(robot.until(4.0).active(), Some(A));
    assert_eq!(robot.acted, [(at(4.0), Action::Work { task: A, until: Time::NEVER })]);
}

/// §8.1: theta calibrates rates; all of them are given by the time they take to reach it, so its size is immaterial.
#[test]
fn the_size_of_the_threshold_is_immaterial() {
    for strategy in Strategy::ALL {
        let known = knows(&[(A, &[(ME, 40.0), (R1, 90.0)]), (B, &[(ME, 60.0), (R1, 50.0)])]);
        let small = first_choice(quiet(strategy, Preferred), &known, &[A, B]);
        let large = first_choice(Config { threshold: 7.0, ..quiet(strategy, Preferred) }, &known, &[A, B]);
        assert!(small.is_some() && small == large, "{small:?} {large:?}");
    }
}

// ---- Sensory feedback ----

/// §8.2: without sensory feedback a set is not applicable, however well the robot knows the task.
#[test]
fn a_task_that_is_not_seen_is_not_wanted() {
    let known = knows(&[(A, &[(ME, 10.0)]), (B, &[(ME, 10.0)])]);
    let mut robot = Robot::new(ME, quiet(FightingChance, Preferred), &known);
    robot.give(sees(A));
    robot.before(2.0).give(gone(A));
    assert_eq!(robot.until(1_000.0).activations(), []);
    assert_eq!(robot.machine.motivation(B), Some(0.0));
}

/// §8.2, §8.8: sensory_feedback is a factor, so the motivation falls to 0 when the task is gone ...
#[test]
fn a_task_that_is_gone_takes_its_motivation_along() {
    let mut robot = before_a(fixed(4.0, 60.0, 60.0, 60.0), &[]);
    assert_close(robot.motivation_at(3.0, A), 0.75);
    robot.give(gone(A));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
}

/// ... and stays there, so a task that comes up again waits as long as it did the first time.
#[test]
fn a_task_that_comes_up_again_starts_from_nothing() {
    let mut robot = before_a(fixed(4.0, 60.0, 60.0, 60.0), &[]);
    robot.before(3.0).give(gone(A));
    assert_eq!(robot.motivation_at(10.0, A), 0.0);
    robot.before(20.0).give(sees(A));
    assert_eq!(robot.until(60.0).activations(), [(24.0, A)]);
}

/// §8.4: "either the robot completes its task, thus causing the sensory feedback to no longer indicate the need".
#[test]
fn an_active_set_becomes_inactive_when_its_task_is_gone() {
    let (mut robot, _) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    robot.before(30.0).give(gone(A));
    assert_eq!(robot.active(), None);
    assert_eq!(robot.quits(), [(30.0, Quit::Gone)]);
    assert_eq!(robot.acted.last(), Some(&(at(30.0), Action::Stop)));
    // What another did teaches it nothing about itself.
    assert_eq!(robot.task_time(ME, A), Some(100.0));
}

/// §6.2: a robot has no behaviour set for a task that it cannot do.
#[test]
fn a_robot_without_the_percepts_for_a_task_leaves_it_alone() {
    let mut robot = Robot::new(ME, quiet(FightingChance, Preferred), &[]);
    let beyond = Task { needs: Percepts::only(5), ..task(A) };
    robot.give(Given::Senses(Percept::TaskSeen(beyond)));
    assert_eq!(robot.machine.motivation(A), None);
    assert_eq!(robot.until(1_000.0).activations(), []);
}

/// What an operator orders or takes back counts as seen or gone.
#[test]
fn an_order_counts_as_seen() {
    let mut robot = Robot::new(ME, fixed(4.0, 60.0, 60.0, 60.0), &[]);
    robot.give(Given::Told(Order::Inject(task(A).into())));
    assert_eq!(robot.until(4.0).active(), Some(A));
    robot.give(Given::Told(Order::Cancel(A)));
    assert_eq!(robot.active(), None);
    assert_eq!(robot.quits(), [(4.0, Quit::CalledOff)], "it is not done");
}

/// A robot that has not begun what an operator takes back notes that it was called off, once.
#[test]
fn an_idle_robot_notes_that_a_task_was_called_off() {
    let mut robot = Robot::new(ME, fixed(4.0, 60.0, 60.0, 60.0), &[]);
    robot.give(Given::Told(Order::Inject(task(A).into())));
    for _ in 0..2 {
        robot.give(Given::Told(Order::Cancel(A)));
    }
    let called_off = robot.moments(|event| match event {
        Event::Alliance(Step::CalledOff { task }) => Some(task),
        _ => None,
    });
    assert_eq!((called_off, robot.quits()), (vec![(0.0, A)], vec![]));
}

// ---- Communication: who is present ----

/// §8.3: "If a robot does not hear from a particular teammate for a period of time tau, then it must assume that that
/// teammate is no longer available".
#[test]
fn silence_longer_than_tau_removes_a_team_mate() {
    // R1 should do it better, until nothing was heard of it for 15 s. Then 1 s: the longest task that is known of.
    let mut robot = before_a(with_silence(2), &[(ME, 100.0), (R1, 50.0)]);
    assert_eq!(robot.until(15.999).active(), None);
    assert_eq!(robot.until(100.0).activations(), [(16.0, A)]);
}

/// §8.3: "the elapsed time from the most recent broadcast message of any type".
#[test]
fn a_message_of_any_type_keeps_a_team_mate_present() {
    let mut robot = before_a(with_silence(2), &[(ME, 100.0), (R1, 50.0)]);
    let mut mate = Voice::of(R1);
    robot.before(14.0).give(mate.idle());
    robot.before(28.0).give(mate.doing(C, 3.0));
    robot.before(42.0).give(mate.finished(C, 17.0));
    robot.before(56.0).give(mate.gave_up(C, 1.0));
    robot.before(70.0).give(mate.times(&[]));
    assert_eq!(robot.until(85.999).active(), None);
    assert_eq!(robot.until(100.0).activations(), [(86.0, A)]);
}

/// §8.3: "the receipt of just one message from that team member ... is sufficient to reactivate" its influence.
#[test]
fn one_message_readmits_a_team_mate() {
    let mut robot = before_a(with_silence(2), &[(ME, 100.0), (R1, 50.0)]);
    // Presumed gone since 15 s, and the task would have been taken at 16 s.
    assert!(robot.motivation_at(15.5, A) > 0.0);
    robot.give(Voice::of(R1).idle());
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    assert_eq!(robot.until(30.5).activations(), []);
    assert_eq!(robot.until(100.0).activations(), [(31.5, A)]);
}

/// §8.3: "The first message a robot receives from another robot ... is sufficient to alert the receiving robot to the
/// presence of that team member".
#[test]
fn a_robot_that_was_never_heard_of_joins_with_its_first_message() {
    let times = [(ME, 100.0), (R2, 50.0)];
    let mut alone = before_a(with_silence(1), &times);
    assert_eq!(alone.until(5.0).activations(), [(1.0, A)]);
    let mut joined = before_a(with_silence(1), &times);
    joined.before(0.5).give(Voice::of(R2).idle());
    assert_eq!(joined.until(15.0).activations(), []);
}

/// §8.3, where nobody is ever presumed gone: who is not of the team and was never heard of still is not present.
#[test]
fn without_tau_a_stranger_that_was_never_heard_of_is_not_present() {
    let config = Config { team: 1, ..never_bored(FightingChance, Preferred) };
    let mut robot = before_a(config, &[(ME, 100.0), (R2, 50.0)]);
    assert_eq!(robot.until(5.0).active(), Some(A));
}

/// K5: literally nobody is present at first and every task is of the first category for everybody. Ruling: a known
/// team is.
#[test]
fn at_the_start_the_known_team_is_present() {
    let times = [(ME, 100.0), (R1, 50.0)];
    assert_eq!(before_a(with_silence(2), &times).until(5.0).active(), None);
    assert_eq!(before_a(with_silence(1), &times).until(5.0).active(), Some(A));
}

/// §8.3, §8.6: what a robot says that was silent for tau holds nobody back.
#[test]
fn a_performer_that_falls_silent_slows_nobody_down() {
    let config = Config { boredom: Duration::ZERO, ..with_silence(2) };
    let mut robot = before_a(config, &[(ME, 100.0), (R1, 100.0)]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_close(robot.motivation_at(14.0, A), 0.14);
    // From 0.15 at 15 s on at the fast rate of the first category where all times are alike: 5 s from 0.
    assert_eq!(robot.until(100.0).activations(), [(19.25, A)]);
}

// ---- Suppression ----

/// §8.4: activity_suppression is 0 while another set of the robot is active.
#[test]
fn an_active_set_holds_the_others_down() {
    let config = Config { boredom: Duration::ZERO, ..quiet(FightingChance, ModifiedShortest) };
    let known = knows(&[(A, &[(ME, 20.0)]), (B, &[(ME, 40.0)])]);
    let mut robot = Robot::new(ME, config, &known);
    robot.give(sees(A));
    robot.give(sees(B));
    assert_close(robot.motivation_at(0.5, B), 0.1);
    assert_eq!(robot.until(1.0).active(), Some(A));
    for at_s in [1.0, 5.0, 20.0] {
        assert_eq!(robot.motivation_at(at_s, B), 0.0);
        assert!(robot.motivation_at(at_s, A) >= 1.0);
    }
    // Then B starts from nothing: 5 s.
    robot.before(21.0).give(done(A));
    assert_eq!(robot.until(26.0).activations(), [(1.0, A), (26.0, B)]);
}

/// §8.4: "a fixed priority among behavior sets is established, with the higher-priority behavior set winning in the
/// case of simultaneous behavior set activations".
#[test]
fn of_sets_that_would_activate_at_one_instant_a_fixed_priority_decides() {
    for order in [[A, B, C], [C, B, A], [B, C, A]] {
        assert_eq!(first_choice(fixed(4.0, 60.0, 60.0, 60.0), &[], &order), Some((4.0, A)));
        let alike = knows(&[(A, &[(ME, 50.0)]), (B, &[(ME, 50.0)]), (C, &[(ME, 50.0)])]);
        for ordering in [Longest, ModifiedShortest, Preferred] {
            let first = first_choice(quiet(FightingChance, ordering), &alike, &order);
            assert_eq!(first.map(|(_, task)| task), Some(A), "{ordering:?}");
        }
    }
}
