//! A newer call says that the older one failed; an ACCEPT that comes late.

use super::*;

// ---- Supersession: a newer call says that the older one failed ----

fn superseded() -> Event {
    Event::Recruitment(Step::Superseded { with: UAV, task: MINE.id, round: 1 })
}

/// Its ACCEPT was lost, or came too late. It does not sit out its time-out, it offers again.
#[test]
fn a_newer_help_supersedes_an_offer() {
    offered(gage()).check(
        5.0,
        hears(UAV, help(call(MINE, 2))),
        &[
            cancel(Timer::Responding),
            act(Action::Resume),
            act(Action::Hold),
            to_only(UAV, accept(call(MINE, 2), 20.0)),
            set(Timer::Responding, 15.0),
        ],
        &[
            superseded(),
            Event::Recruitment(Step::Offered {
                with: UAV,
                task: MINE.id,
                round: 2,
                eta: secs(20.0),
                shame: 0.0,
                why: Answer::Always,
            }),
        ],
    );
}

/// The requester no longer waits for it: an ARRIVAL would be late.
#[test]
fn a_newer_help_supersedes_a_journey_and_an_arrival() {
    let offers_again = |from_s: f64| {
        [
            cancel(Timer::Responding),
            act(Action::Resume),
            act(Action::Hold),
            to_only(UAV, accept(call(MINE, 2), 20.0)),
            set(Timer::Responding, from_s + 10.0),
        ]
    };
    let notes = [
        superseded(),
        Event::Recruitment(Step::Offered {
            with: UAV,
            task: MINE.id,
            round: 2,
            eta: secs(20.0),
            shame: 0.0,
            why: Answer::Always,
        }),
    ];
    let mut stops_and_offers = vec![act(Action::Stop)];
    stops_and_offers.extend(offers_again(25.0));
    travelling(gage()).check(25.0, hears(UAV, help(call(MINE, 2))), &stops_and_offers, &notes);
    arrived(gage()).check(25.0, hears(UAV, help(call(MINE, 2))), &offers_again(25.0), &notes);
}

/// The newer call releases the robot even if it comes from where the robot cannot get in time.
#[test]
fn a_newer_help_from_too_far_away_supersedes_and_is_not_answered() {
    let far = Message::Help { request: call(MINE, 2), place: Point::new(1e6, 0.0), needs: MINES };
    let mut robot = offered(gage());
    robot.check(
        5.0,
        hears(UAV, far),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[superseded(), too_far(call(MINE, 2), 0.0, 1e6 - 20.0)],
    );
    assert!(robot.is_idle());
}

/// An unashamed robot is released by the newer call and does not answer it.
#[test]
fn a_superseded_robot_answers_again_only_if_ashamed() {
    let mut robot = Robot::new(R1, 20.0, gage());
    let answered = (1..10).find(|&n| robot.answers(f64::from(n), n)).expect("it answers one");
    let outputs = robot.give_at(20.0, hears(UAV, help(call(MINE, answered + 1))));
    assert_eq!(outputs, [cancel(Timer::Responding), act(Action::Resume)]);
    assert!(robot.is_idle());
}

#[test]
fn a_newer_choice_of_another_supersedes() {
    let released = [cancel(Timer::Responding), act(Action::Resume)];
    let stopped = [act(Action::Stop), cancel(Timer::Responding), act(Action::Resume)];
    let newer = || hears(UAV, responder(call(MINE, 2), R2));
    offered(gage()).check(6.0, newer(), &released, &[superseded()]);
    travelling(gage()).check(6.0, newer(), &stopped, &[superseded()]);
    arrived(gage()).check(22.5, newer(), &released, &[superseded()]);
}

/// It cannot be chosen for a call that it did not answer: that RESPONDER is also late.
#[test]
fn a_newer_choice_of_a_robot_that_answered_the_older_call_releases_it() {
    offered(gage()).check(
        6.0,
        hears(UAV, responder(call(MINE, 2), R1)),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[superseded(), dropped(UAV, "RESPONDER", Drop::Late)],
    );
}

/// Work is not superseded: the lease bounds it.
#[test]
fn a_newer_help_does_not_end_work() {
    let mut robot = working(gage());
    let before = *robot.machine.responding();
    assert_eq!(robot.give_at(35.0, hears(UAV, help(call(MINE, 2)))), []);
    assert_eq!(*robot.machine.responding(), before);
    let last = robot.notes.last().map(|note| note.event.clone());
    assert!(matches!(last, Some(Event::Recruitment(Step::Silent { why: Silence::Committed, .. }))), "{last:?}");
}

/// Another need, another life or another requester says nothing about this call. The robot keeps to it, is silent,
/// and is ashamed: it refused.
#[test]
fn a_committed_robot_refuses_other_calls() {
    let others = [
        (UAV, call(OTHER_MINE, 5)),
        (UAV, Request { incarnation: 2, attempt: 5, ..first() }),
        (R3, Request { requester: R3, attempt: 5, ..first() }),
    ];
    for (stage, robot) in all_responders().into_iter().skip(1) {
        for (from, request) in others {
            let mut robot = robot.clone();
            let (before, shame) = (*robot.machine.responding(), robot.machine.shame().get());
            assert_eq!(robot.give(hears(from, help(request))), [], "{stage}");
            assert_eq!(*robot.machine.responding(), before, "{stage}");
            assert!(robot.machine.shame().get() > shame, "{stage}");
            let last = robot.notes.last().map(|note| note.event.clone());
            assert!(
                matches!(last, Some(Event::Recruitment(Step::Silent { why: Silence::Committed, .. }))),
                "{stage}: {last:?}"
            );
        }
    }
}

// ---- A late ACCEPT ----

/// During the pause an ACCEPT to the last call is worth more than another call: it is taken at once.
#[test]
fn a_late_accept_during_the_pause_is_taken_at_once() {
    let mut uav = pausing(gage());
    uav.check(
        4.0,
        hears(R1, accept(first(), 20.0)),
        &[to_all(responder(first(), R1)), set(Timer::Requesting, 34.0)],
        &[
            Event::Recruitment(Step::OfferHeard { with: R1, task: MINE.id, round: 1, eta: secs(20.0) }),
            Event::Recruitment(Step::Awarded {
                with: R1,
                task: MINE.id,
                round: 1,
                eta: secs(20.0),
                offers: 1,
                how: Choice::LeastEta,
                threshold: 0.75,
            }),
        ],
    );
    uav.drops(hears(R2, accept(first(), 1.0)), Drop::Late);
}

/// After the next HELP it is too late: its sender has heard that HELP, too, and can answer it.
#[test]
fn an_accept_to_the_call_before_is_dropped() {
    let mut uav = pausing(gage());
    uav.give_at(5.0, Given::Due(Timer::Requesting));
    uav.drops(hears(R1, accept(first(), 20.0)), Drop::Late);
}
