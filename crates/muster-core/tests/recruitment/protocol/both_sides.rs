//! Requester and responder in one robot.

use super::*;

/// While it waits for help of its own it hears the HELP of another and answers; each side keeps its own timer.
#[test]
fn a_requester_answers_the_help_of_another() {
    let theirs = Request { requester: R3, ..call(OTHER_MINE, 1) };
    let mut uav = awaiting_arrival(gage().with(Strategy::Greedy));
    uav.check(
        3.0,
        hears(R3, help(theirs)),
        &[act(Action::Hold), to_only(R3, accept(theirs, 5.0)), set(Timer::Responding, 13.0)],
        &[Event::Recruitment(Step::Offered {
            with: R3,
            task: OTHER_MINE.id,
            round: 1,
            eta: secs(5.0),
            shame: 0.0,
            why: Answer::Always,
        })],
    );
    assert_eq!(uav.timers.deadline(Timer::Requesting), Some(at(32.0)));
    assert_eq!(uav.chosen(), Some(R1));
}

/// Its own errand goes on when both sides are done, whichever is done last.
#[test]
fn the_errand_resumes_when_both_sides_are_done() {
    let theirs = Request { requester: R3, ..call(OTHER_MINE, 1) };
    let resumes = |outputs: &[Out]| outputs.contains(&act(Action::Resume));
    let mut uav = awaiting_arrival(gage().with(Strategy::Greedy));
    uav.give_at(3.0, hears(R3, help(theirs)));
    uav.give_at(5.0, hears(R3, responder(theirs, UAV)));
    uav.give_at(10.0, Given::Senses(Percept::Arrived));
    uav.give_at(10.1, hears(R3, agree(theirs, 20.0)));

    let mut responder_last = uav.clone();
    responder_last.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    assert!(!resumes(&responder_last.give_at(22.1, hears(R1, ackack(first())))), "it still works for another");
    assert!(resumes(&responder_last.give_at(30.1, Given::Due(Timer::Responding))));
    assert!(responder_last.machine.is_quiet());

    let mut requester_last = uav;
    requester_last.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    assert!(!resumes(&requester_last.give_at(30.1, Given::Due(Timer::Responding))), "it still waits for ACKACK");
    assert!(resumes(&requester_last.give_at(30.2, hears(R1, ackack(first())))));
    assert!(requester_last.machine.is_quiet());
}

/// The two sides do not mix up keys: what others ask of it and what it asks of others may have the same numbers.
#[test]
fn the_two_sides_keep_their_keys_apart() {
    let theirs = Request { requester: R3, ..first() };
    let mut uav = awaiting_arrival(gage().with(Strategy::Greedy));
    uav.give_at(3.0, hears(R3, help(theirs)));
    uav.drops(hears(R1, arrival(theirs, 20.0)), Drop::Foreign);
    uav.drops(hears(R3, agree(theirs, 20.0)), Drop::Late);
    uav.drops(hears(R1, responder(first(), UAV)), Drop::Absurd);
    let outputs = uav.give_at(4.0, hears(R1, arrival(first(), 20.0)));
    assert_eq!(sent(&outputs).next(), Some((Recipient::Only(R1), &agree(first(), 20.0))));
    let outputs = uav.give_at(5.0, hears(R3, responder(theirs, UAV)));
    assert!(outputs.contains(&act(Action::GoTo(MINE.place))), "{outputs:?}");
}

/// Two robots that need help at the same time serve each other, if each can do what the other needs.
#[test]
fn two_requesters_can_serve_each_other() {
    let mut uav = Robot::new(UAV, 0.0, safe().with(Strategy::Greedy));
    let mut r1 = Robot::new(R1, 30.0, safe().with(Strategy::Greedy));
    uav.body.percepts = Percepts::only(1);
    r1.body.percepts = Percepts::only(2);
    let mut team = Team::new([uav, r1]);
    let theirs = Task { needs: Percepts::only(2), ..MINE };
    let mine = Task { id: OTHER_MINE.id, place: Point::new(30.0, 0.0), needs: Percepts::only(1) };
    team.later(secs(0.0), UAV, sees(theirs));
    team.later(secs(0.0), R1, sees(mine));
    team.run_until(200.0);
    let served: Vec<RobotId> = team
        .events()
        .filter(|(_, event)| matches!(event, Event::Recruitment(Step::Served { .. })))
        .map(|(robot, _)| robot)
        .collect();
    assert_eq!(served, [UAV, R1]);
    assert!(team.robots.values().all(|robot| robot.machine.is_quiet()));
}
