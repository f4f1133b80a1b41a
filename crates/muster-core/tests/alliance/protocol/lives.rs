//! Lives: restarts, with memory and without.

use super::*;

/// What was learned survives, what was being done does not.
#[test]
fn a_restart_with_memory_keeps_knowledge_and_starts_a_new_life() {
    let mut robot = at_a(quiet());
    robot.before(31.0).give(Voice::of(R1).finished(A, 20.0));
    robot.before(61.0).give(done(A));
    robot.give(sees(A));
    robot.until(70.0);
    assert_eq!(robot.active(), Some(A));
    let known = robot.machine.known();
    assert_eq!(robot.memory, Memory { life: 1, known: known.clone() });
    assert_eq!(known[0].lessons[0].trials, [100.0, 60.0]);
    assert_eq!(known[0].lessons[1].trials, [100.0, 20.0]);

    robot.said.clear();
    robot.before(80.0).give(Given::Restarts);
    assert_eq!(robot.machine.known(), known);
    assert_eq!(robot.active(), None);
    assert_eq!(robot.machine.motivation(A), Some(0.0));
    assert_eq!(robot.memory.life, 2, "the new life is on record before anything is said in it");
    assert_eq!(
        robot.notes.last().map(|note| note.event.clone()),
        Some(Event::Started { incarnation: 2, remembered: true })
    );
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
    robot.said.clear();
    robot.give(Given::Restarts);
    robot.until(70.0);
    assert_eq!(stamps(&robot)[0], Stamp { life: 2, number: 1 });
}

/// The same seen by a team mate.
#[test]
fn a_restarted_team_mate_is_heard_again() {
    let config = Config { team: 2, ..live() };
    let mut team = Team::new([ME, R1].map(|id| Robot::new(id, config.clone(), &[])));
    team.run_until(60.0);
    team.restart(R1, true);
    team.run_until(90.0);
    let dropped = team.robots[&ME].notes.iter().filter(|note| matches!(note.event, Event::Dropped { .. })).count();
    assert_eq!(dropped, 0, "statements of a robot that is alive");
}

/// A robot that has lost its memory cannot know which life this is, and draws a number that no other had.
#[test]
fn a_restart_without_memory_draws_a_life() {
    let mut robot = at_a(quiet());
    robot.before(61.0).give(done(A));
    robot.said.clear();
    robot.before(80.0).give(Given::Starts(None));
    assert_eq!(
        robot.notes.last().map(|note| note.event.clone()),
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
    robot.before(61.0).give(done(A));
    robot.give(Voice::of(R1).finished(A, 20.0));
    robot.before(80.0).give(Given::Starts(None));
    let trials: Vec<f64> =
        robot.machine.known().iter().flat_map(|known| known.lessons.clone()).flat_map(|lesson| lesson.trials).collect();
    assert!(!trials.contains(&60.0) && !trials.contains(&20.0), "{trials:?}");
}

/// "What a robot keeps through a restart: what it has learned", of team mates, too.
#[test]
fn what_was_learned_of_team_mates_is_kept_at_once() {
    let mut robot = Robot::new(ME, live(), &[]);
    robot.give(sees(A));
    robot.before(3.0).give(Voice::of(R1).finished(A, 20.0));
    assert_eq!(robot.memory.known, knows(&[(A, &[(R1, 20.0)])]));
}

/// A study in which nobody restarts keeps nothing.
#[test]
fn a_robot_that_does_not_keep_writes_nothing() {
    let mut robot = at_a(Config { keeps: false, ..quiet() });
    robot.before(61.0).give(done(A));
    assert_eq!(robot.memory, Memory::default());
}
