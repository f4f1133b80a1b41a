//! What Parker's report on L-ALLIANCE says about motivations, one test per formula or claim of its sections 6 to 8.
//!
//! Sections are those of the report; K1 to K19 are the places where it contradicts itself, see
//! docs/reproductions/alliance.md. Times are seconds. Messages, lives and faults are in alliance_protocol.rs.

mod harness;

use harness::alliance::*;
use harness::{Dice, at, secs};
use muster_core::alliance::{Config, Fixed, LearningPhase, Message, Ordering, Rates, Strategy, Timer};
use muster_core::event::Quit;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Action, Duration, Order, Percept, Percepts, RobotId, Task, Time};
use muster_core::{Event, TaskId};

use Ordering::{Longest, ModifiedRandom, ModifiedShortest, Preferred};
use Strategy::{BestWins, Distrust, FightingChance};

/// Three robots that say a thing once, hear everything and presume nobody gone.
fn quiet(strategy: Strategy, ordering: Ordering) -> Config {
    Config::parker_1995(strategy, ordering, 3).without_repetition()
}

/// The same, always bored: tasks of the second category do not wait.
fn bored(strategy: Strategy, ordering: Ordering) -> Config {
    Config { boredom: Duration::ZERO, ..quiet(strategy, ordering) }
}

/// Never bored: what is of the second category is never begun.
fn never_bored(strategy: Strategy, ordering: Ordering) -> Config {
    Config { boredom: secs(1e9), ..quiet(strategy, ordering) }
}

/// As the report has it, with statements every 5 s and a tau of 15 s, and never bored.
fn with_silence(team: u32) -> Config {
    Config { boredom: secs(1e9), ..Config::parker_1995(FightingChance, Preferred, team) }
}

/// A training mission on a radio that loses nothing.
fn training() -> Config {
    Config { period: None, silence: None, ..Config::training(3) }
}

fn fixed(fast_s: f64, patience_s: f64, yielding_s: f64, giving_up_s: f64) -> Config {
    let fixed = Fixed {
        fast: secs(fast_s),
        patience: secs(patience_s),
        yielding: secs(yielding_s),
        giving_up: secs(giving_up_s),
    };
    Config { period: None, silence: None, ..Config::alliance_1998(fixed, 3) }
}

#[track_caller]
fn assert_close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-5, "got {got}, expected {expected}");
}

/// A robot that sees task A at time 0.
fn before_a(config: Config, times: &[(RobotId, f64)]) -> Robot {
    let mut robot = Robot::new(ME, config, &knows(&[(A, times)]));
    robot.give(sees(A));
    robot
}

/// A robot that is at task A, and since when.
fn at_a(config: Config, times: &[(RobotId, f64)]) -> (Robot, f64) {
    let mut robot = before_a(config, times);
    robot.until(5.0);
    let (since, task) = robot.activations()[0];
    assert_eq!((robot.active(), task), (Some(A), A));
    (robot, since)
}

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
    robot.give_at(2.0, gone(A));
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
    robot.give_at(3.0, gone(A));
    assert_eq!(robot.motivation_at(10.0, A), 0.0);
    robot.give_at(20.0, sees(A));
    assert_eq!(robot.until(60.0).activations(), [(24.0, A)]);
}

/// §8.4: "either the robot completes its task, thus causing the sensory feedback to no longer indicate the need".
#[test]
fn an_active_set_becomes_inactive_when_its_task_is_gone() {
    let (mut robot, _) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    robot.give_at(30.0, gone(A));
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
    robot.give_at(14.0, mate.idle());
    robot.give_at(28.0, mate.doing(C, 3.0));
    robot.give_at(42.0, mate.finished(C, 17.0));
    robot.give_at(56.0, mate.gave_up(C, 1.0));
    robot.give_at(70.0, mate.times(&[]));
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
    joined.give_at(0.5, Voice::of(R2).idle());
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
    robot.give_at(21.0, done(A));
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

// ---- Active learning ----

/// A draw of this share of the range.
fn draw(share: f64) -> u32 {
    (share * f64::from(1 << 24)) as u32
}

fn learner(shares: &[f64], tasks: &[TaskId]) -> Robot {
    let dice = Dice { picks: shares.iter().map(|&share| draw(share)).collect(), ..Dice::default() };
    let mut robot = Robot::with_dice(ME, training(), &[], dice);
    for &task in tasks {
        robot.give(sees(task));
    }
    robot
}

/// §8.8: random_increment = theta U(0,1), drawn in each cycle, until the sum crosses theta.
#[test]
fn in_training_motivations_grow_by_random_increments() {
    assert_eq!(learner(&[0.5, 0.4, 0.2], &[A]).until(9.0).activations(), [(3.0, A)]);
    assert_eq!(learner(&[0.9, 0.9], &[A]).until(9.0).activations(), [(2.0, A)]);
    // B's two increments do it before A's three.
    assert_eq!(learner(&[0.5, 0.4, 0.2, 0.9, 0.9], &[A, B]).until(9.0).activations(), [(2.0, B)]);
}

/// §6.3.1: "select its next action randomly from those actions that are currently incomplete": each is first at times.
#[test]
fn in_training_every_task_comes_first_at_times() {
    let mut stream = Stream::of_run(1995, Purpose::Choice);
    let mut firsts = [0; 3];
    for _ in 0..300 {
        let shares: Vec<f64> = (0..60).map(|_| stream.uniform()).collect();
        let robot = &mut learner(&shares, &[A, B, C]);
        let task = robot.until(60.0).activations()[0].1;
        firsts[task.index() - 1] += 1;
    }
    // Fixed priority among those of one cycle: half of all sums take two cycles, so C is first in one of seven.
    assert!(firsts.iter().all(|&n| n > 20), "{firsts:?}");
}

/// §8.5 learning_impatience: a robot in training considers only what nobody else is at; K6: now, not ever.
#[test]
fn in_training_only_tasks_that_nobody_is_at_are_considered() {
    let mut robot = learner(&[0.9, 0.9, 0.5, 0.3, 0.3], &[A]);
    let mut mate = Voice::of(R1);
    robot.give_at(1.0, mate.doing(A, 0.0));
    for at_s in [1.0, 10.0, 100.0, 1_000.0] {
        assert_eq!(robot.motivation_at(at_s, A), 0.0);
    }
    assert_eq!(robot.active(), None);
    // K6: with "since time 0", as printed, a task once tried and given up would never be tried by anybody else.
    robot.give_at(1_000.0, mate.gave_up(A, 999.0));
    assert_eq!(robot.until(2_000.0).activations(), [(1_003.0, A)]);
}

/// §6.3.1: "maximally patient and minimally acquiescent": "neither tries to preempt ... nor does it acquiesce".
#[test]
fn in_training_nobody_yields_or_gives_up() {
    let mut robot = Robot::with_dice(
        ME,
        training(),
        &knows(&[(A, &[(ME, 10.0), (R1, 1.0)])]),
        Dice { picks: [draw(0.9), draw(0.9)].into(), ..Dice::default() },
    );
    robot.give(sees(A));
    robot.give_at(60.0, Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(1e6).active(), Some(A));
    assert_eq!(robot.quits(), []);
    // "if a robot has the ability to detect failure with certainty, then it can give up".
    robot.give(Given::Senses(Percept::Blocked));
    assert_eq!(robot.quits(), [(1e6, Quit::Blocked)]);
}

/// §6.3: monitors learn in both phases.
#[test]
fn monitors_learn_in_both_phases() {
    for phase in [LearningPhase::Active { cycle: secs(1.0) }, LearningPhase::Adaptive] {
        let mut robot = Robot::new(ME, Config { phase, ..quiet(FightingChance, Preferred) }, &[]);
        robot.give(sees(A));
        robot.give(Voice::of(R1).finished(A, 40.0));
        assert_eq!(robot.task_time(R1, A), Some(40.0));
    }
}

// ---- What is learned ----

/// §6.3.1, §8.5: a robot learns its own time from its own performance, from the activation to the end.
#[test]
fn a_robot_learns_how_long_it_takes_itself() {
    let (mut robot, since) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    robot.give_at(since + 60.0, done(A));
    // Mean 80 and standard deviation 20.
    assert_close(robot.task_time(ME, A).unwrap(), 100.0);
    robot.give_at(since + 61.0, sees(A));
    let begun = robot.until(since + 70.0).activations()[1].0;
    robot.give_at(begun + 20.0, done(A));
    assert_close(robot.task_time(ME, A).unwrap(), 60.0 + (3_200.0_f64 / 3.0).sqrt());
}

/// §6.2, §6.3.1: the monitor watches "the performance of all robots that are performing task h(a)".
#[test]
fn a_robot_learns_from_what_team_mates_say_about_their_ends() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    robot.give_at(1.0, mate.finished(A, 40.0));
    assert_eq!(robot.task_time(R1, A), Some(40.0));
    robot.give_at(2.0, mate.finished(A, 20.0));
    assert_close(robot.task_time(R1, A).unwrap(), 40.0);
    assert_eq!((robot.task_time(ME, A), robot.task_time(R2, A)), (None, None));
}

/// §6.3.1: "the actual time attributed to the failed robot is some penalty factor (greater than 1) multiplied by the
/// actual attempted time".
#[test]
fn a_failed_attempt_of_a_team_mate_counts_for_more_than_it_took() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    robot.give(Voice::of(R1).gave_up(A, 40.0));
    assert_eq!(robot.task_time(R1, A), Some(80.0));
}

/// §8.5: "the average time over the last mu trials".
#[test]
fn only_the_last_mu_trials_of_a_robot_count() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    for took_s in [1_000.0, 30.0, 30.0, 30.0, 30.0] {
        robot.give(mate.finished(A, took_s));
    }
    assert!(robot.task_time(R1, A).unwrap() > 200.0);
    robot.give(mate.finished(A, 30.0));
    assert_eq!(robot.task_time(R1, A), Some(30.0));
}

/// §6.2: a robot keeps no data on tasks that it cannot do itself.
#[test]
fn nothing_is_learned_about_tasks_that_the_robot_cannot_do() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[]);
    let mut mate = Voice::of(R1);
    robot.give(mate.finished(C, 40.0));
    robot.give(mate.gave_up(C, 40.0));
    assert_eq!(robot.machine.known(), []);
    assert_eq!(robot.machine.motivation(C), None);
}

// ---- Categories and boredom ----

/// §8.5 task_category: the first if nobody present should be quicker, and nobody is at it.
#[test]
fn what_a_robot_does_best_is_of_the_first_category() {
    let begins = |times: &[(RobotId, f64)]| before_a(never_bored(FightingChance, Preferred), times).until(9.0).active();
    assert_eq!(begins(&[(ME, 50.0), (R1, 60.0), (R2, 70.0)]), Some(A));
    assert_eq!(begins(&[(ME, 60.0), (R1, 50.0), (R2, 70.0)]), None);
    assert_eq!(begins(&[(ME, 60.0), (R1, 70.0), (R2, 50.0)]), None);
    // The minimum includes the robot itself, so equals are all best.
    assert_eq!(begins(&[(ME, 50.0), (R1, 50.0)]), Some(A));
    // What only this robot is known to do.
    assert_eq!(begins(&[(ME, 50.0)]), Some(A));
}

/// §8.5: "and if r_i has not received a message from any other robot on the team".
#[test]
fn what_another_is_at_is_of_the_second_category() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[(ME, 50.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    robot.give_at(0.5, mate.doing(A, 0.0));
    assert_eq!(robot.motivation_at(1_000.0, A), 0.0);
    robot.give(mate.idle());
    assert_eq!(robot.until(1_005.0).active(), Some(A));
}

/// §8.5: a robot that has learned nothing of itself has nothing that it does best.
#[test]
fn without_knowledge_every_task_is_of_the_second_category() {
    assert_eq!(before_a(never_bored(FightingChance, Preferred), &[]).until(1_000.0).active(), None);
    assert_eq!(before_a(never_bored(BestWins, Preferred), &[(R1, 60.0)]).until(1_000.0).active(), None);
    // All alike, so min_delay after boredom.
    assert_eq!(before_a(quiet(BestWins, Preferred), &[]).until(60.0).activations(), [(11.0, A)]);
}

/// K1: one sentence of §8.5 has robots "blinded to category 1 tasks"; the formula and §7.2.2 say the second.
#[test]
fn a_robot_is_blind_to_the_second_category_not_to_the_first() {
    let known = knows(&[(A, &[(ME, 60.0), (R1, 50.0)]), (B, &[(ME, 50.0), (R1, 60.0)])]);
    for strategy in [BestWins, FightingChance] {
        let mut robot = Robot::new(ME, never_bored(strategy, Preferred), &known);
        robot.give(sees(A));
        robot.give(sees(B));
        assert_eq!(robot.motivation_at(0.5, A), 0.0);
        assert!(robot.motivation_at(0.5, B) > 0.0);
        assert_eq!(robot.until(9.0).active(), Some(B));
        robot.give_at(50.0, done(B));
        assert_eq!(robot.motivation_at(5_000.0, A), 0.0);
    }
}

/// §8.5: "Once r_i's boredom has crossed a threshold, it is no longer blinded": threshold / rate = 10 s, then the
/// motivation starts from 0.
#[test]
fn boredom_opens_the_second_category() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    assert_eq!(robot.motivation_at(9.999, A), 0.0);
    // Of the second category the longest known waits for max_delay.
    assert_close(robot.motivation_at(12.5, A), 0.5);
    assert_eq!(robot.until(60.0).activations(), [(15.0, A)]);
}

/// §8.5: boredom "is 0 at time 0 and whenever some behavior set is active"; K4: also for a robot with a single set,
/// whose product of suppressions never is 0.
#[test]
fn boredom_starts_anew_after_an_active_set_even_for_a_single_set() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    assert_eq!(robot.until(15.0).active(), Some(A));
    robot.give_at(40.0, gone(A));
    robot.give_at(41.0, sees(A));
    // Idle since 40 s, bored at 50 s, 5 s more.
    assert_eq!(robot.until(100.0).activations(), [(15.0, A), (55.0, A)]);
}

/// K2: as printed, learned_robot_influence would take a set of the second category down again one step after its
/// activation, since boredom is 0 then.
#[test]
fn boredom_does_not_take_an_active_set_down() {
    let mut robot = before_a(quiet(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    robot.until(15.0);
    for at_s in [15.1, 16.0, 60.0, 114.0] {
        assert!(robot.motivation_at(at_s, A) >= 1.0);
        assert_eq!(robot.active(), Some(A));
    }
    assert_eq!(robot.quits(), []);
}

/// K19, §7.3.2: strategy I knows nothing of team mates, so it has no categories, and it does not wait for boredom.
#[test]
fn strategy_i_is_not_gated_by_boredom() {
    let times = [(ME, 100.0), (R1, 50.0)];
    for ordering in [ModifiedShortest, ModifiedRandom, Preferred, Longest] {
        let begun = before_a(never_bored(Distrust, ordering), &times).until(9.0).activations();
        assert!(begun.len() == 1 && begun[0].0 <= 5.0, "{ordering:?}: {begun:?}");
    }
}

// ---- The fast rate ----

/// The delays of tasks that take this robot 100, 60 and 20 s, each seen alone.
fn delays(config: &Config, mates: &[(RobotId, f64)]) -> [f64; 3] {
    let with_mates = |own| [&[(ME, own)], mates].concat();
    let (a, b, c) = (with_mates(100.0), with_mates(60.0), with_mates(20.0));
    let known = knows(&[(A, &a), (B, &b), (C, &c)]);
    [A, B, C].map(|task| first_choice(config.clone(), &known, &[task]).map_or(f64::NAN, |(at_s, _)| at_s))
}

/// §8.6: delta_fast = theta / (min_delay + (task_time - low) scale) in the second category, the shortest first; and
/// theta / (max_delay - (task_time - low) scale) in the first, the longest first.
#[test]
fn fast_rates_map_expected_times_to_the_allowed_delays() {
    let best = &[(R1, 100.0)];
    assert_eq!(delays(&quiet(FightingChance, Preferred), best), [1.0, 3.0, 5.0]);
    assert_eq!(delays(&quiet(FightingChance, ModifiedShortest), best), [5.0, 3.0, 1.0]);
    // A team mate that needs 20 s for all leaves the first two tasks to the second category.
    assert_eq!(delays(&quiet(FightingChance, Preferred), &[(R1, 20.0)]), [15.0, 13.0, 5.0]);
    assert_eq!(delays(&quiet(BestWins, ModifiedShortest), &[(R1, 20.0)]), [15.0, 13.0, 1.0]);
    // low and high are over all robots that this one knows of ...
    assert_eq!(delays(&quiet(FightingChance, Preferred), &[(R1, 180.0)]), [3.0, 4.0, 5.0]);
    // ... but strategy I has no such knowledge.
    assert_eq!(delays(&quiet(Distrust, ModifiedShortest), &[(R1, 180.0)]), [5.0, 3.0, 1.0]);
    let other = Config { min_delay: secs(0.5), max_delay: secs(2.5), ..quiet(FightingChance, ModifiedShortest) };
    assert_eq!(delays(&other, best), [2.5, 1.5, 0.5]);
}

/// §8.6 leaves high = low open: the scale factor is 0 then.
#[test]
fn where_all_times_are_alike_the_scale_factor_is_zero() {
    let begins = |ordering| before_a(quiet(FightingChance, ordering), &[(ME, 50.0)]).until(60.0).activations();
    assert_eq!(begins(ModifiedShortest), [(1.0, A)]);
    assert_eq!(begins(Preferred), [(5.0, A)]);
}

/// §7.2.1 Longest task first: whoever else could do it better, without categories.
#[test]
fn longest_first_has_no_categories() {
    let longest = never_bored(FightingChance, Longest);
    assert_eq!(delays(&longest, &[(R1, 20.0)]), [1.0, 3.0, 5.0]);
    let known = knows(&[(A, &[(ME, 20.0), (R1, 90.0)]), (B, &[(ME, 100.0), (R1, 50.0)])]);
    assert_eq!(first_choice(longest, &known, &[A, B]), Some((1.0, B)));
}

/// §7.2.2 Modified shortest: first what it does best, the shortest of it; then the rest, the shortest of it.
#[test]
fn modified_shortest_first_goes_by_category_and_then_by_time() {
    assert_eq!(order_of_four(ModifiedShortest), [TaskId(2), TaskId(4), TaskId(1), TaskId(3)]);
}

/// §7.4 "longest task first" in the first category, "shortest task first" in the second.
#[test]
fn preferred_takes_the_longest_of_its_own_and_the_shortest_of_the_rest() {
    assert_eq!(order_of_four(Preferred), [TaskId(4), TaskId(2), TaskId(1), TaskId(3)]);
}

/// The order in which a robot does tasks of 10 and 30 s at which R1 is better, and of 20 and 40 s at which it is not.
fn order_of_four(ordering: Ordering) -> Vec<TaskId> {
    let tasks = [1, 2, 3, 4].map(TaskId);
    let known = knows(&[
        (tasks[0], &[(ME, 10.0), (R1, 5.0)]),
        (tasks[1], &[(ME, 20.0), (R1, 45.0)]),
        (tasks[2], &[(ME, 30.0), (R1, 5.0)]),
        (tasks[3], &[(ME, 40.0), (R1, 45.0)]),
    ]);
    let mut robot = Robot::new(ME, quiet(FightingChance, ordering), &known);
    for task in tasks {
        robot.give(sees(task));
    }
    let mut order = Vec::new();
    for turn in 1..=4 {
        robot.until(f64::from(turn) * 20.0);
        order.extend(robot.active());
        robot.give(done(order[order.len() - 1]));
    }
    order
}

/// §7.2.3 Modified random: any order within a category, min_delay to max_delay; the second still waits for boredom.
#[test]
fn modified_random_draws_within_the_category() {
    let known = knows(&[(A, &[(ME, 20.0)]), (B, &[(ME, 90.0)]), (C, &[(ME, 20.0), (R1, 10.0)])]);
    let begins = |shares: [f64; 3], tasks: &[TaskId]| {
        let dice = Dice { picks: shares.map(draw).into(), ..Dice::default() };
        let mut robot = Robot::with_dice(ME, quiet(FightingChance, ModifiedRandom), &known, dice);
        for &task in tasks {
            robot.give(sees(task));
        }
        robot.until(30.0).activations()
    };
    assert_eq!(begins([0.5, 0.25, 0.0], &[A, B]), [(2.0, B)]);
    assert_eq!(begins([0.25, 0.5, 0.0], &[A, B]), [(2.0, A)]);
    assert_eq!(begins([0.5, 0.0, 0.0], &[C]), [(13.0, C)]);
    // C drew the shortest lot, but it is not this robot's before others'.
    assert_eq!(begins([0.75, 0.5, 0.0], &[A, B, C]), [(3.0, B)]);
}

// ---- Patience ----

/// §8.6 delta_slow = theta / phi, with phi as Table 2 has it; K10, K15: patience is phi in all strategies and
/// orderings, whatever §7.2.1 says about slow rates that grow with the expected time.
#[test]
fn patience_with_a_team_mate_lasts_for_phi() {
    for (strategy, phi_s) in [(Distrust, 80.0), (BestWins, 80.0), (FightingChance, 60.0)] {
        for ordering in [Longest, ModifiedShortest, ModifiedRandom, Preferred] {
            let mut robot = before_a(bored(strategy, ordering), &[(ME, 80.0), (R1, 60.0)]);
            robot.give(Voice::of(R1).doing(A, 0.0));
            assert_close(robot.motivation_at(15.0, A), 15.0 / phi_s);
            assert_eq!(robot.until(130.0).activations(), [(phi_s, A)], "{strategy:?} {ordering:?}");
        }
    }
}

/// §8.6: "delta_slow_ij grows faster than delta_slow_ix only if r_i expects to perform task j faster than x". K10: true
/// where phi is the own time (I, II), not where it is the other's (III).
#[test]
fn slow_rates_follow_the_own_time_except_under_strategy_iii() {
    let known = knows(&[(A, &[(ME, 40.0), (R1, 90.0)]), (B, &[(ME, 80.0), (R2, 30.0)])]);
    let rates = |strategy| {
        let mut robot = Robot::new(ME, bored(strategy, Preferred), &known);
        for given in [sees(A), sees(B), Voice::of(R1).doing(A, 0.0), Voice::of(R2).doing(B, 0.0)] {
            robot.give(given);
        }
        [robot.motivation_at(10.0, A), robot.motivation_at(10.0, B)]
    };
    for strategy in [Distrust, BestWins] {
        let [a, b] = rates(strategy);
        assert!(a > b);
    }
    let [a, b] = rates(FightingChance);
    assert!(a < b);
}

/// §8.6: where times scatter, `patience_margin` stretches phi.
#[test]
fn the_patience_margin_stretches_phi() {
    let config = Config { patience_margin: 1.2, ..bored(FightingChance, Preferred) };
    let mut robot = before_a(config, &[(ME, 80.0), (R1, 60.0)]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(130.0).activations(), [(72.0, A)]);
}

/// §8.6 impatience: the slow rate "if r_k is performing the task in the last tau time units, but not for longer than
/// phi"; "otherwise, the impatience rate is set to delta_fast".
#[test]
fn after_phi_impatience_is_fast() {
    let mut robot = Robot::new(ME, bored(BestWins, Preferred), &knows(&[(A, &[(ME, 80.0), (R1, 60.0)])]));
    robot.give_at(100.0, sees(A));
    // First heard of when it has been at it for 40 s: phi is over after 40 s more, at half the threshold.
    robot.give(Voice::of(R1).doing(A, 40.0));
    assert_close(robot.motivation_at(140.0, A), 0.5);
    // The longest task known of, in the second category: 5 s from 0.
    assert_close(robot.motivation_at(141.0, A), 0.7);
    assert_eq!(robot.until(200.0).activations(), [(142.5, A)]);
}

/// §8.6: min_k of the slow rates: as patient as with the one that deserves most.
#[test]
fn of_several_at_a_task_the_slowest_rate_counts() {
    let mut robot = before_a(bored(FightingChance, Preferred), &[(ME, 100.0), (R1, 40.0), (R2, 80.0)]);
    robot.give(Voice::of(R1).doing(A, 0.0));
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_close(robot.motivation_at(20.0, A), 0.25);
    assert_eq!(robot.until(130.0).activations(), [(80.0, A)]);
}

/// §8.6 impatience_reset: "the motivation ... to go to 0 the first time it hears about another robot performing".
#[test]
fn the_first_word_of_a_team_mate_at_a_task_resets_impatience() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0), (R2, 60.0)]);
    assert_close(robot.motivation_at(2.5, A), 0.5);
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    // No more than once for every team mate, so another one resets it again.
    assert_close(robot.motivation_at(32.5, A), 0.5);
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
}

/// §8.6: "Allowing the motivation to be reset repeatedly by the same robot would allow a persistent, yet failing robot
/// to jeopardize the completion of the mission".
#[test]
fn repetition_never_resets_impatience() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    for tick in 0..=11 {
        let at_s = f64::from(tick) * 5.0;
        // The radio delays each by a little less than the next.
        robot.give_at(at_s + f64::from(tick) * 0.01, mate.doing(A, at_s));
        assert_close(robot.machine.motivation(A).unwrap(), (at_s + f64::from(tick) * 0.01) / 60.0);
    }
    assert_eq!(robot.until(130.0).activations(), [(60.0, A)]);
}

/// Our reading: once per team mate and activation, so that tasks that recur find patience every time.
#[test]
fn another_activation_of_the_same_team_mate_resets_once_more() {
    let mut robot = before_a(bored(FightingChance, ModifiedShortest), &[(ME, 80.0), (R1, 60.0)]);
    let mut mate = Voice::of(R1);
    robot.give(mate.doing(A, 0.0));
    robot.give_at(20.0, mate.idle());
    assert!(robot.motivation_at(21.0, A) > 0.3);
    robot.give_at(21.5, mate.doing(A, 0.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    // Even if the end of the first was lost on the way.
    assert!(robot.motivation_at(51.5, A) > 0.4);
    robot.give(mate.doing(A, 2.0));
    assert_eq!(robot.machine.motivation(A), Some(0.0));
}

/// K3: as printed, impatience_reset would also stop the robot at work when another joins, whatever psi says.
#[test]
fn a_team_mate_that_joins_does_not_reset_the_robot_at_work() {
    for strategy in Strategy::ALL {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 80.0), (R1, 60.0)]);
        robot.give_at(since + 30.0, Voice::of(R1).doing(A, 0.0));
        assert!(robot.motivation_at(since + 59.0, A) >= 1.0);
        assert_eq!(robot.active(), Some(A));
    }
}

// ---- Acquiescence ----

/// §8.7 psi by Table 2: the own time under I and III, the best robot's time under II.
#[test]
fn a_robot_yields_after_psi_to_another_that_claims_the_task() {
    for (strategy, psi_s) in [(Distrust, 80.0), (BestWins, 60.0), (FightingChance, 80.0)] {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 80.0), (R1, 60.0)]);
        robot.give_at(since + 30.0, Voice::of(R1).doing(A, 0.0));
        assert_eq!(robot.until(since + psi_s - 0.001).active(), Some(A), "{strategy:?}");
        robot.until(since + psi_s);
        assert_eq!(robot.quits(), [(since + psi_s, Quit::Yielded { to: R1 })]);
        // Yielding is failing only after more than the own time: else the robot has been slower, nothing worse.
        if psi_s < 80.0 {
            assert!(matches!(robot.said.last(), Some((_, Message::Activity { doing: None, .. }))));
            assert_eq!(robot.task_time(ME, A), Some(80.0));
        } else {
            assert!(matches!(robot.said.last(), Some((_, Message::GaveUp { .. }))));
            assert!(robot.task_time(ME, A) > Some(80.0));
        }
    }
}

/// §7.1.2: "the acquiescing robot does not compare its own expected performance with its knowledge about the expected
/// performance of the impatient robot": the standard is that of the best present, whoever claims the task.
#[test]
fn let_the_best_robot_win_yields_to_any_claim_after_the_best_robots_time() {
    let (mut robot, since) = at_a(bored(BestWins, Preferred), &[(ME, 80.0), (R1, 60.0), (R2, 200.0)]);
    robot.give_at(since + 10.0, Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.until(100.0).quits(), [(since + 60.0, Quit::Yielded { to: R2 })]);
    // The best known is this robot itself.
    let (mut robot, since) = at_a(bored(BestWins, Preferred), &[(ME, 80.0), (R1, 90.0)]);
    robot.give_at(since + 10.0, Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(100.0).quits(), [(since + 80.0, Quit::Yielded { to: R1 })]);
}

/// §8.7: both conditions: psi has passed *and* another claims the task.
#[test]
fn after_psi_the_first_claim_is_yielded_to_at_once() {
    let (mut robot, since) = at_a(bored(FightingChance, Preferred), &[(ME, 80.0), (R1, 60.0)]);
    assert_eq!(robot.until(since + 150.0).active(), Some(A), "nobody claims it");
    robot.give(Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(since + 150.0).quits(), [(since + 150.0, Quit::Yielded { to: R1 })]);
}

/// §8.7: whatever wakes the robot, it is psi and lambda that count.
#[test]
fn a_robot_that_wakes_early_does_not_acquiesce() {
    let (mut robot, since) = at_a(bored(FightingChance, Preferred), &[(ME, 80.0), (R1, 60.0)]);
    robot.give_at(since + 30.0, Voice::of(R1).doing(A, 0.0));
    robot.give_at(since + 40.0, Given::Fires(Timer::Motivation));
    assert_eq!(robot.until(since + 79.0).active(), Some(A));
}

/// §8.7, §8.3: a claim counts for tau.
#[test]
fn a_claim_that_has_fallen_silent_is_not_yielded_to() {
    let config = Config { silence: Some(secs(15.0)), ..bored(FightingChance, Preferred) };
    let (mut robot, since) = at_a(config, &[(ME, 80.0), (R1, 60.0)]);
    robot.give_at(since + 30.0, Voice::of(R1).doing(A, 0.0));
    assert_eq!(robot.until(since + 150.0).active(), Some(A));
}

/// §8.7 lambda: two or three times the own expected time, here 2.5; then the robot gives up on itself, says so, and
/// what it tried counts twice.
#[test]
fn a_robot_gives_up_on_itself_after_lambda() {
    for strategy in Strategy::ALL {
        let (mut robot, since) = at_a(bored(strategy, Preferred), &[(ME, 40.0), (R1, 60.0)]);
        assert_eq!(robot.until(since + 99.999).active(), Some(A));
        robot.until(since + 100.0);
        assert_eq!(robot.quits(), [(since + 100.0, Quit::Hopeless)]);
        let (when, last) = robot.said.last().unwrap();
        assert_eq!(*when, at(since + 100.0));
        assert!(matches!(last, Message::GaveUp { task: A, tried, .. } if *tried == secs(100.0)), "{last:?}");
        // Mean 120 and standard deviation 80 of 40 and 2 x 100.
        assert_close(robot.task_time(ME, A).unwrap(), 200.0);
    }
}

/// §8.5: "updates to the impatience parameters eventually cause the robot to become more impatient to perform some
/// other task at which it can succeed".
#[test]
fn a_robot_that_fails_at_one_task_turns_to_another() {
    let known = knows(&[(A, &[(ME, 10.0)]), (B, &[(ME, 40.0)])]);
    let mut robot = Robot::new(ME, quiet(FightingChance, ModifiedShortest), &known);
    robot.give(sees(A));
    robot.give(sees(B));
    // 25 s in vain, so 30 + 20 s are expected from now on.
    let begun: Vec<TaskId> = robot.until(60.0).activations().iter().map(|(_, task)| *task).collect();
    assert_eq!(begun, [A, B]);
}

/// §8.5: "repeated failures cause the expected completion time of the failed task to monotonically increase". True of
/// those that take lambda; it must hold as well for those that the robot is certain of early.
#[test]
fn early_failures_make_a_task_look_longer_too() {
    let (mut robot, _) = at_a(quiet(FightingChance, Preferred), &[(ME, 100.0)]);
    let mut before = robot.task_time(ME, A).unwrap();
    for failure in 1..=4 {
        robot.until(f64::from(failure) * 20.0);
        assert_eq!(robot.active(), Some(A), "it tries again");
        let (since, _) = *robot.activations().last().unwrap();
        robot.give_at(robot.now.as_secs_f64().max(since + 1.0), Given::Senses(Percept::Blocked));
        let after = robot.task_time(ME, A).unwrap();
        assert!(after > before, "failure {failure}: from {before} s to {after} s");
        before = after;
    }
}

/// §8.5: failures of a team mate must not make it look quick either.
#[test]
fn early_failures_of_a_team_mate_make_it_look_slower_too() {
    let mut robot = before_a(never_bored(FightingChance, Preferred), &[(ME, 100.0), (R1, 50.0)]);
    robot.give(Voice::of(R1).gave_up(A, 2.0));
    assert!(robot.task_time(R1, A) > Some(50.0), "{:?}", robot.task_time(R1, A));
}

// ---- Two robots together ----

/// Two robots that know each other's times for A, B and C.
fn pair(config: &Config, r0_s: f64, r1_s: f64) -> Team {
    let times: &[(RobotId, f64)] = &[(ME, r0_s), (R1, r1_s)];
    let known = knows(&[(A, times), (B, times), (C, times)]);
    let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
    for (id, seconds) in [(ME, r0_s), (R1, r1_s)] {
        for task in [A, B, C] {
            team.work.insert((id, task), seconds);
        }
    }
    team
}

/// §7.1, Table 2, on a task that the worse robot has begun: R1 needs 100 s, this robot 50 s.
fn taken_over_under(strategy: Strategy) -> Team {
    let mut team = pair(&bored(strategy, Preferred), 50.0, 100.0);
    team.later(secs(0.0), R1, sees(A));
    team.later(secs(10.0), ME, sees(A));
    team
}

/// §7.1.1: "better robots begin execution of tasks being pursued by worse robots, but only after ... the better robots'
/// own expected performance time"; "a worse robot is not willing to give up": both work.
#[test]
fn under_strategy_i_both_robots_work() {
    let mut team = taken_over_under(Distrust);
    team.run_until(90.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), Some(A)]);
    let (joined_s, _) = team.robots[&ME].activations()[0];
    let (begun_s, _) = team.robots[&R1].activations()[0];
    assert!((50.0..56.0).contains(&(joined_s - begun_s)), "{joined_s}");
}

/// §7.1.2: "better robots take over tasks from worse robots, with the worse robots giving up".
#[test]
fn under_strategy_ii_the_better_robot_takes_over() {
    let mut team = taken_over_under(BestWins);
    team.run_until(90.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), None]);
    let (joined_s, _) = team.robots[&ME].activations()[0];
    assert_eq!(team.robots[&R1].quits(), [(joined_s, Quit::Yielded { to: ME })]);
    assert!(
        team.robots[&ME].notes.iter().any(|note| matches!(note.event, Event::Activated { overrides: Some(_), .. }))
    );
}

/// §7.1.3: "first-come-first-served ..., not interrupting other agents nor acquiescing to other agents until
/// deteriorated functionality is demonstrated".
#[test]
fn under_strategy_iii_the_first_to_come_is_left_to_it() {
    let mut team = taken_over_under(FightingChance);
    team.run_until(300.0);
    assert_eq!(team.robots[&ME].activations(), []);
    assert_eq!(team.done.len(), 1);
    assert_eq!(team.done[0].1, R1);
    // It fails this time: after its own time it loses the task to the other.
    let mut team = taken_over_under(FightingChance);
    team.work.remove(&(R1, A));
    team.run_until(300.0);
    assert!(matches!(team.robots[&R1].quits()[..], [(_, Quit::Yielded { to: ME })]));
    assert_eq!(team.done[0].1, ME);
}

/// §7.3.1, the two robots of 75 and 100 s with three tasks and a boredom of 60 s (K8: a2 is meant where it says a3).
fn example(strategy: Strategy, gate: bool) -> Team {
    let mut team = pair(&Config { boredom: secs(60.0), gate, ..quiet(strategy, Preferred) }, 75.0, 100.0);
    team.shows(&[A, B, C]);
    team.run_until(1_000.0);
    assert_eq!(team.done.len(), 3);
    team
}

/// §7.3.1: "r2 sits idle for a while, since it knows that it cannot perform its tasks efficiently"; "r2 becomes bored,
/// leading it to elect to perform one of the tasks not yet underway".
#[test]
fn in_the_example_the_slower_robot_begins_when_it_is_bored() {
    for strategy in [BestWins, FightingChance] {
        let team = example(strategy, true);
        let chosen: Vec<TaskId> = team.robots[&ME].activations().iter().map(|(_, task)| *task).collect();
        assert_eq!(chosen, [A, C]);
        assert_eq!(team.robots[&R1].activations(), [(65.0, B)]);
    }
}

/// K9: "r1 would become impatient with r2 after r2 had attempted the task for 75 time units": not in the formal model,
/// where a task that is being performed is of the second category and r1 has to be bored first.
#[test]
fn in_the_example_no_override_occurs_while_boredom_gates_it() {
    for strategy in [BestWins, FightingChance] {
        let team = example(strategy, true);
        assert_eq!(team.done, [(80.0, ME, A), (160.0, ME, C), (165.0, R1, B)], "{strategy:?}");
    }
}

/// K9: with overriding exempt from boredom the example goes as the report tells it: under II r2 acquiesces, under III
/// it gets its 100 s.
#[test]
fn in_the_example_the_best_robot_wins_if_overriding_is_not_gated() {
    let team = example(BestWins, false);
    assert_eq!(team.robots[&R1].quits(), [(161.0, Quit::Yielded { to: ME })]);
    assert_eq!(team.done, [(80.0, ME, A), (160.0, ME, C), (236.0, ME, B)]);
    let team = example(FightingChance, false);
    assert_eq!(team.done, [(80.0, ME, A), (160.0, ME, C), (165.0, R1, B)]);
}

/// §7.3.1: at 0 % heterogeneity the strategies are equal; K19: so strategy I must not wait for boredom.
#[test]
fn among_equal_robots_the_strategies_are_equal() {
    let ends = Strategy::ALL.map(|strategy| {
        let mut team = pair(&quiet(strategy, ModifiedShortest), 80.0, 80.0);
        team.shows(&[A, B, C]);
        team.run_until(1_000.0);
        team.done
    });
    assert_eq!(ends[0].len(), 3);
    assert!(ends[0] == ends[1] && ends[1] == ends[2], "{ends:?}");
}

/// §7.3.1: "each task is completed by the robot who can perform that task most efficiently" where robots are many.
#[test]
fn each_task_goes_to_the_robot_that_does_it_best() {
    let known = knows(&[(A, &[(ME, 60.0), (R1, 50.0)]), (B, &[(ME, 50.0), (R1, 60.0)])]);
    for strategy in [BestWins, FightingChance] {
        let mut team = Team::new([ME, R1].map(|id| Robot::new(id, quiet(strategy, Preferred), &known)));
        team.shows(&[A, B]);
        team.run_until(20.0);
        assert_eq!([team.active(ME), team.active(R1)], [Some(B), Some(A)]);
    }
}

/// §8.6, §8.7: strategy III for mildly different robots without progress when working, II otherwise; K11: not Table 3.
#[test]
fn the_preferred_strategy_follows_the_formal_model() {
    assert_eq!(Strategy::preferred(1.0, false), FightingChance);
    assert_eq!(Strategy::preferred(2.99, false), FightingChance);
    assert_eq!(Strategy::preferred(3.0, false), BestWins);
    assert_eq!(Strategy::preferred(32.0, false), BestWins);
    assert_eq!(Strategy::preferred(1.0, true), BestWins);
}

// ---- ALLIANCE, without learning ----

/// Our section 6: ALLIANCE is the same machine with designer-set rates and without categories and boredom.
#[test]
fn alliance_has_fixed_rates_no_categories_and_no_boredom() {
    let config = Config { boredom: secs(1e9), ..fixed(4.0, 30.0, 20.0, 50.0) };
    assert!(!config.has_categories() && matches!(config.rates, Rates::Fixed(_)));
    // Whatever is known of it and whoever should do it better.
    for times in [&[][..], &[(ME, 100.0), (R1, 1.0)], &[(ME, 1.0), (R1, 100.0)]] {
        let mut robot = before_a(config.clone(), times);
        assert_eq!(robot.until(4.0).activations(), [(4.0, A)]);
        // psi ...
        robot.give_at(10.0, Voice::of(R1).doing(A, 0.0));
        assert_eq!(robot.until(24.0).quits(), [(24.0, Quit::Yielded { to: R1 })]);
        // ... and phi: what was heard at 10 s counts until 40 s.
        assert!(robot.motivation_at(39.0, A) < 0.51);
        assert_eq!(robot.until(60.0).activations()[1..], [(40.0 + 4.0 * (1.0 - 16.0 / 30.0), A)].map(rounded));
        // lambda
        let since = robot.activations()[1].0;
        let mut alone = before_a(config.clone(), times);
        assert_eq!(alone.until(54.0).quits(), [(54.0, Quit::Hopeless)]);
        assert!(since > 40.0);
    }
}

/// To the microsecond, as clocks have it.
fn rounded((seconds, task): (f64, TaskId)) -> (f64, TaskId) {
    (at(seconds).as_secs_f64(), task)
}
