//! Robots on task that wait for each other, in `safe()`: the lowest keeps its place, the others serve and come back.

use super::*;

/// Robot `id` stands on its errand at `x` and has called once for a need of its own there, in vain.
fn waits(id: RobotId, x: f64, config: Config) -> Robot {
    let mut robot = Robot::new(id, x, config.with(Strategy::Greedy));
    robot.give(Given::Senses(Percept::Phase(Phase::Engaged)));
    robot.give(sees(Task { place: Point::new(x, 0.0), ..OTHER_MINE }));
    robot.give_at(2.0, Given::Due(Timer::Requesting));
    robot
}

fn offers(outputs: &[Out]) -> bool {
    sent(outputs).any(|(_, message)| matches!(message, Message::Accept { .. }))
}

#[test]
fn a_robot_that_waits_answers_a_lower_number_only_and_only_in_safe() {
    let theirs = Request { requester: R3, ..first() };
    assert!(offers(&waits(R1, 20.0, safe()).give_at(3.0, hears(UAV, help(first())))));
    assert!(!offers(&waits(R1, 20.0, safe()).give_at(3.0, hears(R3, help(theirs)))), "R3 comes after it");
    assert!(!offers(&waits(R1, 20.0, gage()).give_at(3.0, hears(UAV, help(first())))), "on task, as in the paper");
}

/// Who has not called in vain yet, or has an offer, has no reason to leave.
#[test]
fn a_robot_that_may_be_served_soon_stays() {
    let mut fresh = Robot::new(R1, 20.0, safe().with(Strategy::Greedy));
    fresh.give(Given::Senses(Percept::Phase(Phase::Engaged)));
    fresh.give(sees(OTHER_MINE));
    assert!(!offers(&fresh.give_at(1.0, hears(UAV, help(first())))));
    let own = Request { requester: R1, ..call(OTHER_MINE, 2) };
    let mut answered = waits(R1, 20.0, safe());
    answered.give_at(5.0, Given::Due(Timer::Requesting));
    answered.give_at(5.1, hears(R2, accept(own, 9.0)));
    assert!(!offers(&answered.give_at(5.2, hears(UAV, help(first())))));
    // An offer that comes between its own and RESPONDER keeps it, too.
    let mut between = waits(R1, 20.0, safe());
    between.give_at(5.0, Given::Due(Timer::Requesting));
    assert!(offers(&between.give_at(5.1, hears(UAV, help(first())))));
    between.give_at(5.2, hears(R2, accept(own, 9.0)));
    between.check(
        6.0,
        hears(UAV, responder(first(), R1)),
        &[cancel(Timer::Responding)],
        &[dropped(UAV, "RESPONDER", Drop::Late)],
    );
    between.give_at(7.0, Given::Due(Timer::Requesting));
    assert_eq!(between.chosen(), Some(R2));
}

/// It leaves without giving its errand up, calls nobody meanwhile, drives back when its lease is over, and calls again.
#[test]
fn a_lent_robot_comes_back_and_calls_again() {
    let mut robot = waits(R1, 20.0, safe());
    robot.give_at(3.0, hears(UAV, help(first())));
    robot.check(
        4.0,
        hears(UAV, responder(first(), R1)),
        &[cancel(Timer::Requesting), set(Timer::Responding, 34.0), act(Action::Visit(MINE.place))],
        &[Event::Recruitment(Step::SetOut { with: UAV, task: MINE.id, round: 1 })],
    );
    robot.body.motion = muster_core::motion::Motion::still(MINE.place);
    robot.give_at(24.0, Given::Senses(Percept::Arrived));
    robot.give_at(24.1, hears(UAV, agree(first(), 20.0)));
    robot.check(
        44.0,
        Given::Due(Timer::Responding),
        &[act(Action::Stop), set(Timer::Responding, 74.0), act(Action::Visit(Point::new(20.0, 0.0)))],
        &[
            Event::Recruitment(Step::Finished { task: MINE.id, round: 1 }),
            Event::Recruitment(Step::GoesBack { task: OTHER_MINE.id }),
        ],
    );
    assert_eq!(*robot.machine.responding(), Responding::Returning);
    let outputs = robot.give_at(64.0, Given::Senses(Percept::Arrived));
    assert!(sent(&outputs).any(|(_, message)| matches!(message, Message::Help { .. })), "{outputs:?}");
    assert!(robot.is_idle());
}

/// One that does not get back in time calls from where it stands: HELP names the place of the need.
#[test]
fn a_lent_robot_that_does_not_get_back_calls_all_the_same() {
    let mut robot = waits(R1, 20.0, safe());
    robot.give_at(3.0, hears(UAV, help(first())));
    robot.give_at(4.0, hears(UAV, responder(first(), R1)));
    let outputs = robot.give_at(34.0, Given::Due(Timer::Responding));
    assert!(outputs.contains(&act(Action::Visit(Point::new(20.0, 0.0)))), "{outputs:?}");
    let outputs = robot.give_at(44.0, Given::Due(Timer::Responding));
    assert!(sent(&outputs).any(|(_, message)| matches!(message, Message::Help { .. })), "{outputs:?}");
}

/// What it waits for is withdrawn while it serves another: its errand goes on when it is free.
#[test]
fn a_lent_robot_whose_need_is_withdrawn_resumes_its_errand() {
    let mut robot = waits(R1, 20.0, safe());
    robot.give_at(3.0, hears(UAV, help(first())));
    robot.give_at(4.0, hears(UAV, responder(first(), R1)));
    let outputs = robot.give_at(5.0, Given::Told(Order::Cancel(OTHER_MINE.id)));
    assert!(!outputs.contains(&act(Action::Resume)), "{outputs:?}");
    let outputs = robot.give_at(34.0, Given::Due(Timer::Responding));
    assert!(outputs.contains(&act(Action::Resume)), "{outputs:?}");
}

/// A second need keeps it waiting: it is called for when the robot is back, not from afar.
#[test]
fn a_lent_robot_with_another_need_calls_for_it_when_it_is_back() {
    let mut robot = waits(R1, 20.0, safe());
    robot.give_at(2.5, sees(Task { id: TaskId(9), ..OTHER_MINE }));
    robot.give_at(3.0, hears(UAV, help(first())));
    robot.give_at(4.0, hears(UAV, responder(first(), R1)));
    let outputs = robot.give_at(5.0, Given::Told(Order::Cancel(OTHER_MINE.id)));
    assert_eq!(sent(&outputs).count(), 0, "{outputs:?}");
    robot.give_at(34.0, Given::Due(Timer::Responding));
    let outputs = robot.give_at(40.0, Given::Senses(Percept::Arrived));
    assert!(sent(&outputs).any(|(_, message)| message.request().need == TaskId(9)), "{outputs:?}");
}
