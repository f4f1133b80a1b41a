//! What L-ALLIANCE robots say, and what becomes of it on a radio that loses, doubles and delays, among robots that
//! restart. The report says little about it (§8.3, §8.8); what we chose is in docs/reproductions/alliance.md.

mod harness;

use harness::alliance::*;
use harness::{Dice, FRESH, at, secs};
use muster_core::alliance::{Config, Deed, Fixed, Known, Lesson, Memory, Message, Ordering, Rates, Stamp, Strategy};
use muster_core::event::{Drop, Quit};
use muster_core::{Action, Duration, Event, Output, Percept, Point, Recipient, RobotId, Task, TaskId, Time};

use Ordering::{ModifiedShortest, Preferred, Regret, Replan};
use Strategy::{BestWins, Distrust, FightingChance};

/// A statement every 5 s, tau of 15 s.
fn live() -> Config {
    Config::parker_1995(FightingChance, Preferred, 3)
}

/// Says a thing once and presumes nobody gone.
fn quiet() -> Config {
    Config { period: None, silence: None, ..live() }
}

/// A robot that is at task A since 1 s.
fn at_a(config: Config) -> Robot {
    let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0), (R2, 100.0)])]);
    let mut robot = Robot::new(ME, Config { ordering: ModifiedShortest, ..config }, &known);
    robot.give(sees(A));
    robot.until(1.0);
    assert_eq!(robot.active(), Some(A));
    robot
}

/// When it said what it does: seconds, and the task with the seconds it has been at it.
fn activities(robot: &Robot) -> Vec<(f64, Option<(TaskId, f64)>)> {
    let activity = |(said, message): &(Time, Message)| match message {
        Message::Activity { doing, .. } => {
            Some((said.as_secs_f64(), doing.map(|work| (work.task, work.elapsed.as_secs_f64()))))
        }
        _ => None,
    };
    robot.said.iter().filter_map(activity).collect()
}

fn stamps(robot: &Robot) -> Vec<Stamp> {
    let stamp = |(_, message): &(Time, Message)| match *message {
        Message::Activity { stamp, .. }
        | Message::Finished { stamp, .. }
        | Message::GaveUp { stamp, .. }
        | Message::Times { stamp, .. } => stamp,
    };
    robot.said.iter().map(stamp).collect()
}

// ---- Statements ----

/// §8.8: while a set is active the robot broadcasts its activity at a rate of rho, 1/5 s here.
#[test]
fn a_robot_says_what_it_does_when_it_changes_and_then_at_rate_rho() {
    let mut robot = at_a(live());
    robot.until(12.0);
    let expected = [(0.0, None), (1.0, Some((A, 0.0))), (6.0, Some((A, 5.0))), (11.0, Some((A, 10.0)))];
    assert_eq!(activities(&robot), expected);
    robot.give_at(13.0, gone(A));
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
    team.cut.insert(R1);
    team.run_until(320.0);
    assert_eq!(team.active(ME), Some(A), "nothing was heard of R1 for tau");
}

/// Robots that are switched on together spread their statements over a period.
#[test]
fn the_first_statement_comes_at_a_random_part_of_the_period() {
    let dice = Dice { picks: [1 << 14].into(), ..Dice::default() };
    let mut robot = Robot::with_dice(ME, live(), &[], dice);
    robot.until(9.0);
    assert_eq!(activities(&robot), [(1.25, None), (6.25, None)]);
}

/// Without a period a robot speaks only when something changes.
#[test]
fn without_a_period_only_changes_are_said() {
    let mut robot = at_a(quiet());
    robot.give_at(60.0, gone(A));
    robot.until(1_000.0);
    assert_eq!(activities(&robot), [(1.0, Some((A, 0.0))), (60.0, None)]);
}

/// The end of a task is said with the time it took, by which others learn.
#[test]
fn a_robot_says_that_it_has_finished_and_how_long_it_took() {
    let mut robot = at_a(quiet());
    let outputs = robot.give_at(61.0, done(A));
    let stamp = Stamp { life: 1, number: 2 };
    let message = Message::Finished { stamp, task: A, took: secs(60.0) };
    assert!(outputs.contains(&Output::Send { to: Recipient::All, message }), "{outputs:?}");
    assert_eq!(robot.notes.last().map(|note| note.event), Some(Event::Done { task: A, took: secs(60.0) }));
    assert_eq!(robot.active(), None);
}

/// A body that says it has done what the robot is not at, or no longer, is not believed.
#[test]
fn only_the_task_at_hand_can_be_done() {
    let mut robot = at_a(quiet());
    robot.give(sees(B));
    robot.give(done(B));
    assert_eq!(robot.active(), Some(A));
    robot.give_at(10.0, gone(A));
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
    robot.give_at(10.0, Given::Senses(Percept::Arrived));
    assert_eq!(robot.acted[1..], [(at(10.0), Action::Work { task: A, until: Time::NEVER })]);
    robot.give_at(105.0, done(A));
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
            robot.give_at(50.0, given);
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
    robot.give_at(50.0, done(A));
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
    robot.give_at(50.0, mate.idle());
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

// ---- Lives ----

/// What was learned survives, what was being done does not.
#[test]
fn a_restart_with_memory_keeps_knowledge_and_starts_a_new_life() {
    let mut robot = at_a(quiet());
    robot.give_at(31.0, Voice::of(R1).finished(A, 20.0));
    robot.give_at(61.0, done(A));
    robot.give(sees(A));
    robot.until(70.0);
    assert_eq!(robot.active(), Some(A));
    let (known, memory) = (robot.machine.known(), robot.memory.clone());
    assert_eq!(memory, Memory { life: 1, known: known.clone() });
    assert_eq!(known[0].lessons[0].trials, [100.0, 60.0]);
    assert_eq!(known[0].lessons[1].trials, [100.0, 20.0]);

    robot.said.clear();
    robot.give_at(80.0, Given::Starts(Some(memory)));
    assert_eq!(robot.machine.known(), known);
    assert_eq!(robot.active(), None);
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    assert_eq!(robot.memory.life, 2, "the new life is on record before anything is said in it");
    assert_eq!(robot.notes.last().map(|note| note.event), Some(Event::Started { incarnation: 2, remembered: true }));
    assert_eq!(robot.until(200.0).active(), None, "it sees nothing to do");
    robot.give(sees(A));
    robot.until(210.0);
    assert_eq!(stamps(&robot), [Stamp { life: 2, number: 1 }]);
}

/// What is kept goes through a file: only trials are written, and times follow from them.
#[test]
fn times_follow_from_the_trials_that_were_kept() {
    let known = vec![Known { task: A, lessons: vec![Lesson::new(R1, vec![8.0, 12.0])] }];
    let mut robot = Robot::new(ME, quiet(), &[]);
    robot.give(Given::Starts(Some(Memory { life: 4, known: known.clone() })));
    assert_eq!(robot.machine.known(), known);
    assert_eq!(robot.machine.known()[0].lessons[0].task_time_s(), 12.0);
    assert_eq!(robot.memory, Memory { life: 5, known });
}

/// A robot that restarts before it has learned anything is in its second life, too: team mates would drop all that it
/// says until it has said more than in its first.
#[test]
fn a_restart_before_anything_was_learned_starts_a_new_life() {
    let mut robot = at_a(live());
    robot.until(60.0);
    let memory = robot.memory.clone();
    robot.said.clear();
    robot.give(Given::Starts(Some(memory)));
    robot.until(70.0);
    assert_eq!(stamps(&robot)[0], Stamp { life: 2, number: 1 });
}

/// The same seen by a team mate.
#[test]
fn a_restarted_team_mate_is_heard_again() {
    let config = Config { team: 2, ..live() };
    let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &[])));
    team.run_until(60.0);
    let memory = team.robots[&R1].memory.clone();
    team.later(Duration::ZERO, R1, Given::Starts(Some(memory)));
    team.run_until(90.0);
    let dropped = team.robots[&ME].notes.iter().filter(|note| matches!(note.event, Event::Dropped { .. })).count();
    assert_eq!(dropped, 0, "statements of a robot that is alive");
}

/// A robot that has lost its memory cannot know which life this is, and draws a number that no other had.
#[test]
fn a_restart_without_memory_draws_a_life() {
    let mut robot = at_a(quiet());
    robot.give_at(61.0, done(A));
    robot.said.clear();
    robot.give_at(80.0, Given::Starts(None));
    assert_eq!(
        robot.notes.last().map(|note| note.event),
        Some(Event::Started { incarnation: FRESH, remembered: false })
    );
    assert_eq!(robot.memory.life, FRESH);
    robot.give(sees(A));
    robot.until(120.0);
    assert_eq!(stamps(&robot)[0], Stamp { life: FRESH, number: 1 });
}

/// ... and what it had learned is lost, or a restart that loses memory would lose nothing.
#[test]
fn a_restart_without_memory_forgets_what_was_learned() {
    let mut robot = at_a(quiet());
    robot.give_at(61.0, done(A));
    robot.give(Voice::of(R1).finished(A, 20.0));
    robot.give_at(80.0, Given::Starts(None));
    let trials: Vec<f64> =
        robot.machine.known().iter().flat_map(|known| known.lessons.clone()).flat_map(|lesson| lesson.trials).collect();
    assert!(!trials.contains(&60.0) && !trials.contains(&20.0), "{trials:?}");
}

/// "What a robot keeps through a restart: what it has learned", of team mates, too.
#[test]
fn what_was_learned_of_team_mates_is_kept_at_once() {
    let mut robot = Robot::new(ME, live(), &[]);
    robot.give(sees(A));
    robot.give_at(3.0, Voice::of(R1).finished(A, 20.0));
    assert_eq!(robot.memory.known, knows(&[(A, &[(R1, 20.0)])]));
}

/// A study in which nobody restarts keeps nothing.
#[test]
fn a_robot_that_does_not_keep_writes_nothing() {
    let mut robot = at_a(Config { keeps: false, ..quiet() });
    robot.give_at(61.0, done(A));
    assert_eq!(robot.memory, Memory::default());
}

// ---- Two at one task ----

/// A robot at A since 41 s hears at 60 s that `other` has been at it for `for_s`.
fn hears_claim(me: RobotId, other: RobotId, for_s: f64) -> Robot {
    let known = knows(&[(A, &[(me, 100.0), (other, 100.0)])]);
    let mut robot = Robot::new(me, Config { ordering: ModifiedShortest, ..quiet() }, &known);
    robot.give_at(40.0, sees(A));
    robot.give_at(60.0, Voice::of(other).doing(A, for_s));
    robot
}

/// §7.3.1 "a fixed tie-breaking mechanism", for robots that did not know of each other: who began earlier stays; within
/// `tie`, 1 s, the lower number does.
#[test]
fn of_two_at_one_task_the_earlier_stays_and_in_a_tie_the_lower_number() {
    let (low, high) = (RobotId(1), RobotId(2));
    // (this robot, the other, how long the other has been at it; this one has for 19 s), and whether this one stays.
    let cases = [
        (low, high, 5.0, true),
        (low, high, 19.0, true),
        (low, high, 19.9, true),
        (low, high, 20.0, true),
        (low, high, 20.1, false),
        (high, low, 20.1, false),
        (high, low, 19.0, false),
        (high, low, 18.1, false),
        (high, low, 18.0, false),
        (high, low, 17.9, true),
        (high, low, 5.0, true),
    ];
    for (me, other, for_s, stays) in cases {
        let robot = hears_claim(me, other, for_s);
        assert_eq!(robot.active().is_some(), stays, "{me} hears {other} at it for {for_s} s");
        if !stays {
            assert_eq!(robot.quits(), [(60.0, Quit::Tie { with: other })]);
            assert!(matches!(robot.said.last(), Some((_, Message::Activity { doing: None, .. }))));
        }
    }
}

/// Both sides of a tie come to the same end, whatever lies between their beginnings.
#[test]
fn exactly_one_of_two_stays() {
    for lag in [0.0, 0.3, 0.999, 1.0, 1.001, 3.0] {
        for first in [ME, R1] {
            let config = Config { team: 2, ordering: ModifiedShortest, ..live() };
            let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0)])]);
            let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
            let second = if first == ME { R1 } else { ME };
            team.later(secs(0.0), first, sees(A));
            team.later(secs(lag), second, sees(A));
            // Neither hears the other begin.
            team.cut = [ME, R1].into();
            team.run_until(4.5);
            assert_eq!([team.active(ME), team.active(R1)], [Some(A), Some(A)]);
            team.cut.clear();
            team.run_until(20.0);
            let stays = if lag > 1.0 { first } else { ME };
            assert_eq!(team.active(stays), Some(A), "{first} by {lag} s");
            assert_eq!(team.active(if stays == ME { R1 } else { ME }), None, "{first} by {lag} s");
        }
    }
}

/// A robot that meant to take the task over is not told off by the one it takes it from.
#[test]
fn a_robot_that_takes_over_does_not_lose_the_tie() {
    let known = knows(&[(A, &[(ME, 30.0), (R1, 100.0)])]);
    let config = Config { boredom: Duration::ZERO, rates: Rates::Learned(BestWins), ..quiet() };
    let mut robot = Robot::new(ME, config, &known);
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    robot.give(mate.doing(A, 0.0));
    assert_eq!(robot.until(30.0).active(), Some(A));
    robot.give_at(31.0, mate.doing(A, 31.0));
    assert_eq!(robot.active(), Some(A));
    assert_eq!(robot.quits(), []);
}

/// Two that take a task over from a third at one instant did not mean to take it from each other.
#[test]
fn of_two_that_take_over_at_one_instant_the_lower_number_stays() {
    let times: &[(RobotId, f64)] = &[(ME, 50.0), (R1, 50.0), (R2, 50.0)];
    let config = Config { boredom: Duration::ZERO, ..live() };
    let mut team = Team::new([ME, R1, R2].map(|id| Robot::new(id, config.clone(), &knows(&[(A, times)]))));
    // R2 is at it, fails, and does not yield since it hears nobody; the others do not hear each other begin.
    team.later(secs(0.0), R2, sees(A));
    team.later(secs(10.0), ME, sees(A));
    team.later(secs(10.0), R1, sees(A));
    team.run_until(50.0);
    assert_eq!([team.active(ME), team.active(R1), team.active(R2)], [None, None, Some(A)]);
    team.cut = [ME, R1].into();
    team.run_until(58.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), Some(A)]);
    team.cut.clear();
    team.run_until(70.0);
    assert_eq!([team.active(ME), team.active(R1)], [Some(A), None]);
}

// ---- Failure ----

/// §6.3.1: "if a robot has the ability to detect failure with certainty, then it can give up failed tasks".
#[test]
fn a_blocked_robot_gives_up_and_says_so() {
    let mut robot = at_a(quiet());
    robot.give_at(61.0, Given::Senses(Percept::Blocked));
    assert_eq!(robot.active(), None);
    assert_eq!(robot.quits(), [(61.0, Quit::Blocked)]);
    assert_eq!(robot.acted.last(), Some(&(at(61.0), Action::Stop)));
    let message = Message::GaveUp { stamp: Stamp { life: 1, number: 2 }, task: A, tried: secs(60.0) };
    assert_eq!(robot.said.last(), Some(&(at(61.0), message)));
    // A failure counts for no less than what was expected: 100 and 2 x 100, mean 150, standard deviation 50.
    assert_eq!(robot.task_time(ME, A), Some(200.0));
    assert_eq!(robot.memory.known, robot.machine.known());
    // It may try again: the task is still to be done.
    assert!(robot.until(100.0).active().is_some());
}

/// A robot that has nothing in hand cannot be blocked.
#[test]
fn blocked_means_nothing_to_an_idle_robot() {
    let mut robot = Robot::new(ME, quiet(), &[]);
    let before = robot.machine.clone();
    robot.give(Given::Senses(Percept::Blocked));
    robot.give(Given::Senses(Percept::Arrived));
    assert_eq!(robot.machine, before);
    assert!(robot.said.is_empty() && robot.acted.is_empty());
}

/// §8.5: a robot must not get "stuck forever performing a task at which it cannot succeed": also when it knows at once.
#[test]
fn a_robot_that_is_blocked_at_once_turns_to_another_task() {
    let config = Config { ordering: ModifiedShortest, ..quiet() };
    let mut robot = Robot::new(ME, config, &knows(&[(A, &[(ME, 30.0)]), (B, &[(ME, 40.0)])]));
    robot.give(sees(A));
    robot.give(sees(B));
    for failure in 1..=5 {
        robot.until(f64::from(failure) * 10.0);
        if robot.active() == Some(A) {
            robot.give(Given::Senses(Percept::Blocked));
        }
    }
    assert_eq!(robot.active(), Some(B), "A should take {:?} s by now", robot.task_time(ME, A));
}

/// ... and once the way is free, it must be able to work for longer than nothing.
#[test]
fn a_robot_that_was_blocked_at_once_can_still_try_again() {
    let mut robot = Robot::new(ME, quiet(), &[]);
    robot.give(sees(A));
    robot.until(11.0);
    assert_eq!(robot.active(), Some(A));
    robot.give(Given::Senses(Percept::Blocked));
    robot.until(60.0);
    assert_eq!(robot.active(), Some(A), "{:?}", robot.quits());
}

/// §8.3, §8.6: a robot that dies at its task is replaced after tau and a fast delay, not after phi.
#[test]
fn the_task_of_a_robot_that_died_is_taken_over_after_tau() {
    let known = knows(&[(A, &[(ME, 1_000.0), (R1, 900.0)])]);
    let mut robot = Robot::new(ME, live(), &known);
    robot.give(sees(A));
    let mut mate = Voice::of(R1);
    for at_s in [1.0, 6.0, 11.0] {
        robot.give_at(at_s, mate.doing(A, at_s - 1.0));
    }
    // Silent since 11 s, so presumed gone at 26 s.
    let begun = robot.until(60.0).activations()[0].0;
    assert!((26.0..31.0).contains(&begun), "{begun}");
}

/// Section 6 of our reading: what is unknown is taken to need 300 s, so a team mate about which nothing is known is not
/// waited for without end.
#[test]
fn an_unknown_team_mate_is_given_the_time_of_an_unknown_task() {
    let config = Config { boredom: Duration::ZERO, ..quiet() };
    let mut robot = Robot::new(ME, config, &knows(&[(A, &[(ME, 50.0)])]));
    robot.give(sees(A));
    robot.give(Voice::of(R2).doing(A, 0.0));
    assert_eq!(robot.until(330.0).activations(), [(300.0, A)]);
}

/// A set that appears after a team mate has said that it is at its task: the next statement tells.
#[test]
fn a_task_seen_late_is_left_to_the_robot_that_is_at_it_with_its_next_statement() {
    let known = knows(&[(A, &[(ME, 100.0), (R1, 100.0)])]);
    let mut robot = Robot::new(ME, live(), &known);
    let mut mate = Voice::of(R1);
    robot.give_at(1.0, mate.doing(A, 0.0));
    // Heard before it was seen, but the robot knows the task.
    robot.give_at(2.0, sees(A));
    assert_eq!(robot.until(11.0).active(), None);
    // Not known at all: up to a period later.
    let mut robot = Robot::new(ME, Config { boredom: Duration::ZERO, ..live() }, &[]);
    let mut mate = Voice::of(R1);
    robot.give_at(1.0, mate.doing(A, 0.0));
    robot.give_at(2.0, sees(A));
    robot.give_at(6.0, mate.doing(A, 5.0));
    assert_eq!(robot.until(11.0).active(), None);
}

/// Every robot works with a radio that hears nothing: tasks get done, if more than once.
#[test]
fn without_any_communication_all_tasks_get_done() {
    let times: &[(RobotId, f64)] = &[(ME, 30.0), (R1, 50.0)];
    for strategy in Strategy::ALL {
        let config = Config::parker_1995(strategy, Preferred, 2);
        let known = knows(&[(A, times), (B, times)]);
        let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &known)));
        team.cut = [ME, R1].into();
        for task in [A, B] {
            team.work.extend([((ME, task), 30.0), ((R1, task), 50.0)]);
        }
        team.shows(&[A, B]);
        team.run_until(500.0);
        assert_eq!(team.done.len(), 2, "{strategy:?}");
    }
}

// ---- Fixed rates ----

/// Two tasks that recur by turns between two ALLIANCE robots: patience is found anew each time, and the robot that is
/// left alone takes the other's part.
#[test]
fn recurring_tasks_find_patience_every_time() {
    let fixed = Fixed { fast: secs(3.0), patience: secs(20.0), yielding: secs(60.0), giving_up: secs(90.0) };
    let mut robot = Robot::new(ME, Config { period: None, silence: None, ..Config::alliance_1998(fixed, 2) }, &[]);
    let mut mate = Voice::of(R1);
    for turn in 0..5 {
        let start = f64::from(turn) * 20.0;
        robot.give_at(start, sees(A));
        robot.give_at(start + 1.0, mate.doing(A, 0.0));
        // 15 s, five fast delays and less than phi.
        robot.give_at(start + 16.0, mate.finished(A, 15.0));
        robot.give(gone(A));
    }
    assert_eq!(robot.activations(), []);
    robot.give_at(200.0, sees(B));
    assert_eq!(robot.until(204.0).activations(), [(203.0, B)]);
}

// ---- Beyond the report: times that are told ----

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
    robot.give_at(45.0, done(B));
    assert_eq!(robot.until(51.0).active(), Some(A));
    robot.give_at(135.0, done(A));
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
    robot.give_at(20.0, done(A));
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
            robot.give_at(at_s, mate.doing(C, at_s));
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
    robot.give_at(1.0, says(3, Some(deed)));
    assert_eq!(trials(&robot), [vec![30.0]]);
    robot.give_at(2.0, says(4, Some(deed)));
    assert_eq!(trials(&robot), [vec![30.0]], "the same deed");
    robot.give_at(
        3.0,
        Given::Hears(R1, Message::Finished { stamp: Stamp { life: 1, number: 5 }, task: A, took: secs(40.0) }),
    );
    robot.give_at(4.0, says(6, Some(Deed { number: 5, took: secs(40.0), ..deed })));
    assert_eq!(trials(&robot), [vec![30.0, 40.0]], "heard of when it was done");
    // Another life counts its statements anew.
    let reborn = Message::Activity {
        stamp: Stamp { life: 2, number: 3 },
        doing: None,
        last: Some(Deed { took: secs(50.0), ..deed }),
    };
    robot.give_at(5.0, Given::Hears(R1, reborn));
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
            robot.give_at(at + 1.0, mate.idle());
            robot.give_at(at + 2.0, sees(B));
            robot.give_at(at + 3.0, Given::Senses(Percept::TaskGone(B)));
        }
        let began = robot.activations().iter().find(|(_, task)| *task == A).map(|(at, _)| *at);
        assert!(began.is_some_and(|at| at <= 70.0), "{ordering:?}: {:?}", robot.activations());
    }
}
