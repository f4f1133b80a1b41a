//! What a robot shows of itself: what it does, with whom, and how ashamed it is.

use muster_core::panel::{Field, Posture, Shown};
use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::{Mechanism, RobotId, TaskId};

use super::*;

fn robot(label: &str, robot: RobotId) -> Field {
    Field::new(label, Shown::Robot { value: robot.to_string().into(), number: robot.0 })
}

fn task(label: &str, task: TaskId) -> Field {
    Field::new(label, Shown::Task { value: task.to_string().into(), number: task.0 })
}

#[test]
fn every_stage_has_its_words_and_its_posture() {
    use Posture::{Asking, Committed, Idle, Offering, Working};
    let stages = [
        (collecting(gage()), Asking, "calls for help, 1st HELP"),
        (pausing(gage()), Asking, "had no answer to its 1st HELP, will call again"),
        (awaiting_arrival(gage()), Asking, "waits for r1"),
        (awaiting_ackack(gage()), Asking, "hands over to r1, waits for ACKACK"),
        (barred(), Asking, "waits until nobody can be at it, before it calls again"),
        (served(gage()), Idle, "idle"),
        (idle(gage()), Idle, "idle"),
        (idle(gage()).engaged(), Idle, "busy on its own account"),
        (offered(gage()), Offering, "offered itself to r0"),
        (travelling(gage()), Committed, "under way for r0"),
        (arrived(gage()), Committed, "is there, waits for AGREE of r0"),
        (working(gage()), Working, "works at t7"),
    ];
    for (robot, posture, does) in stages {
        assert_eq!(robot.does(), (posture, does.to_owned()));
    }
}

#[test]
fn a_requester_shows_what_it_asks_for_and_whom_it_has_chosen() {
    let shown = [
        Field::state("does", "waits for r1"),
        task("needs help for", MINE.id),
        robot("has chosen", R1),
        Field::number("HELPs sent", 1.0),
        Field::number("ACCEPTs heard", 1.0),
    ];
    assert_eq!(awaiting_arrival(gage()).shows(), shown);
}

#[test]
fn a_responder_shows_whom_it_helps() {
    let shown = [
        Field::state("does", "works at t7"),
        robot("helps", UAV),
        task("with", MINE.id),
        Field::number("lease ends (s)", 43.0),
    ];
    assert_eq!(working(gage()).shows(), shown);
}

/// A robot that asks may be on its way for another at the same time.
#[test]
fn both_sides_are_shown() {
    let mut robot = travelling(gage());
    robot.give(sees(OTHER_MINE));
    assert_eq!(robot.does(), (Posture::Asking, "calls for help, 1st HELP; under way for r0".to_owned()));
}

/// By the machine's own formula: 0.2 for a refusal, which fades by 0.005 a second.
#[test]
fn shame_is_shown_as_it_is_now_and_as_an_emotion() {
    let mut robot = Robot::new(R1, 1e12, gage());
    assert_eq!(robot.shows()[1..], [Field::gauge("SHAME", 0.0, (0.0, 1.0), Some(0.75))]);
    robot.answers(3.0, 1);
    robot.now = at(13.0);
    let [_, gauge, feels] = &robot.shows()[..] else { panic!("{:?}", robot.shows()) };
    let shame = robot.machine.shame_at(at(13.0)).get();
    assert!((shame - 0.15).abs() < 1e-9, "{shame}");
    assert_eq!(gauge, &Field::gauge("SHAME", shame, (0.0, 1.0), Some(0.75)));
    let Shown::Emotion(feeling) = &feels.shown else { panic!("{feels:?}") };
    assert_eq!((feeling.name.as_str(), feeling.valence, feeling.since_s), ("SHAME", "negative", 3.0));
    assert_eq!(feeling.intensity, shame);
    assert!(feeling.chain.starts_with("r0 wanted me to do something. I did not do it."), "{}", feeling.chain);
    robot.now = at(100.0);
    assert_eq!(robot.shows()[1..], [Field::gauge("SHAME", 0.0, (0.0, 1.0), Some(0.75))], "all of it has faded");
}

#[test]
fn a_robot_that_always_answers_shows_no_shame() {
    for strategy in [Strategy::Greedy, Strategy::Random] {
        let mut robot = Robot::new(R1, 20.0, gage().with(strategy)).engaged();
        robot.answers(0.0, 1);
        assert_eq!(robot.shows(), [Field::state("does", "busy on its own account")]);
    }
}

#[test]
fn a_message_is_about_its_need() {
    for message in [help(first()), accept(first(), 1.0), ackack(first())] {
        assert_eq!(Recruitment::task_of(&message), Some(MINE.id));
    }
}
