//! Messages that mean nothing now.

use super::*;

/// Whatever the requester is at: a reply to another robot's call is none of its, whatever else its key says.
#[test]
fn replies_to_foreign_calls_are_dropped() {
    for (_, mut uav) in all_requesters() {
        for key in [first(), second_life(MINE), call(MINE, 0), call(OTHER_MINE, 1)] {
            let request = Request { requester: R3, ..key };
            for message in [accept(request, 20.0), arrival(request, 20.0), ackack(request)] {
                uav.drops(hears(R1, message), Drop::Foreign);
            }
        }
    }
}

/// Its own calls that are over or never were are late: another life, another attempt, another need.
#[test]
fn replies_to_calls_that_are_over_are_dropped() {
    let lives = [0, SECOND_LIFE, 3, u32::MAX].map(|incarnation| Request { incarnation, ..first() });
    let calls = [call(MINE, 0), call(MINE, 2), call(MINE, u32::MAX), call(OTHER_MINE, 1)];
    for (_, mut uav) in all_requesters() {
        for request in lives.into_iter().chain(calls) {
            for message in [accept(request, 20.0), arrival(request, 20.0), ackack(request)] {
                uav.drops(hears(R1, message), Drop::Late);
            }
        }
    }
}

/// Brings a robot to some stage.
type Staged = fn(Config) -> Robot;

/// A robot at some stage, who speaks, what, and why it is dropped.
type OutOfTurn<R> = (R, RobotId, Message, Drop);

/// Replies to the current call that come at the wrong stage, twice, or from the wrong robot.
#[test]
fn replies_out_of_turn_are_dropped() {
    let key = first();
    let table: [OutOfTurn<fn() -> Robot>; 24] = [
        (|| Robot::new(UAV, 0.0, gage()), R1, accept(key, 20.0), Drop::Late),
        (|| Robot::new(UAV, 0.0, gage()), R1, arrival(key, 20.0), Drop::Late),
        (|| Robot::new(UAV, 0.0, gage()), R1, ackack(key), Drop::Late),
        (|| collecting(gage()), R1, arrival(key, 20.0), Drop::Late),
        (|| collecting(gage()), R1, ackack(key), Drop::Late),
        (|| pausing(gage()), R1, arrival(key, 20.0), Drop::Late),
        (|| pausing(gage()), R1, ackack(key), Drop::Late),
        (|| awaiting_arrival(gage()), R1, accept(key, 20.0), Drop::Late),
        (|| awaiting_arrival(gage()), R2, accept(key, 1.0), Drop::Late),
        (|| awaiting_arrival(gage()), R2, arrival(key, 20.0), Drop::Foreign),
        (|| awaiting_arrival(gage()), R1, ackack(key), Drop::Late),
        (|| awaiting_arrival(gage()), R2, ackack(key), Drop::Late),
        (|| awaiting_ackack(gage()), R2, accept(key, 1.0), Drop::Late),
        (|| awaiting_ackack(gage()), R1, arrival(key, 20.0), Drop::Duplicate),
        (|| awaiting_ackack(gage()), R1, arrival(key, 0.0), Drop::Duplicate),
        (|| awaiting_ackack(gage()), R2, arrival(key, 20.0), Drop::Foreign),
        (|| awaiting_ackack(gage()), R2, ackack(key), Drop::Foreign),
        (barred, R1, accept(key, 1.0), Drop::Late),
        (barred, R1, arrival(key, 20.0), Drop::Late),
        (barred, R2, arrival(key, 20.0), Drop::Late),
        (barred, R2, ackack(key), Drop::Foreign),
        (|| served(gage()), R1, accept(key, 1.0), Drop::Late),
        (|| served(gage()), R1, arrival(key, 20.0), Drop::Late),
        (|| served(gage()), R1, ackack(key), Drop::Late),
    ];
    for (robot, from, message, why) in table {
        robot().drops(hears(from, message), why);
    }
}

#[test]
fn a_second_accept_of_one_robot_is_dropped() {
    let mut uav = collecting(gage());
    uav.check(
        1.0,
        hears(R1, accept(first(), 20.0)),
        &[],
        &[Event::Recruitment(Step::OfferHeard { with: R1, task: MINE.id, round: 1, eta: secs(20.0) })],
    );
    uav.drops(hears(R1, accept(first(), 20.0)), Drop::Duplicate);
    uav.drops(hears(R1, accept(first(), 5.0)), Drop::Duplicate);
}

/// Nothing is waited for without bound: an hour is the longest ETA that is taken seriously.
#[test]
fn an_absurd_eta_is_dropped() {
    for mut uav in [collecting(gage()), pausing(gage())] {
        uav.drops(hears(R1, accept(first(), 3_600.000_001)), Drop::Absurd);
        uav.drops(hears(R1, accept(first(), f64::INFINITY)), Drop::Absurd);
        let outputs = uav.give(hears(R1, accept(first(), 3_600.0)));
        assert!(uav.machine.requesting().is_some_and(|it| it.offers().len() == 1), "an hour is taken: {outputs:?}");
    }
}

/// A lease that is none is not agreed to; the chosen robot may still say better. One that could not be waited out is agreed
/// to for as long as it can be.
#[test]
fn an_absurd_lease_is_dropped_or_shortened() {
    for lease_s in [20.0, 20.000_001, f64::INFINITY] {
        let mut uav = awaiting_arrival(gage());
        uav.drops(hears(R1, arrival(first(), 0.0)), Drop::Absurd);
        let outputs = uav.give(hears(R1, arrival(first(), lease_s)));
        assert_eq!(sent(&outputs).next(), Some((Recipient::Only(R1), &agree(first(), 20.0))));
    }
}

/// HELP by somebody else than the requester it names, or for a place that is none.
#[test]
fn an_absurd_help_is_dropped() {
    for (_, mut robot) in all_responders() {
        robot.drops(hears(R2, help(call(MINE, 9))), Drop::Absurd);
        for place in [
            Point::new(f64::NAN, 0.0),
            Point::new(0.0, f64::NAN),
            Point::new(f64::INFINITY, 0.0),
            Point::new(0.0, f64::NEG_INFINITY),
        ] {
            robot.drops(hears(UAV, Message::Help { request: call(MINE, 9), place, needs: MINES }), Drop::Absurd);
        }
    }
}

/// A robot that would be longer on its way than a requester waits for keeps silent, though it would answer; what
/// counts is the time, not the distance. It has not refused, so its SHAME only fades.
#[test]
fn a_help_from_too_far_away_is_not_answered() {
    let greedy = || gage().with(Strategy::Greedy);
    for (x, speed_mps, near_enough) in [
        (3_600.0, 1.0, true),
        (3_600.000_001, 1.0, false),
        (7_200.0, 2.0, true),
        (7_200.1, 2.0, false),
        (1_800.1, 0.5, false),
        (1.0, 0.0, false),
        (1e15, 1.0, false),
    ] {
        let mut robot = Robot::new(R1, x, greedy());
        robot.body.speed_mps = speed_mps;
        if near_enough {
            assert!(robot.give(hears(UAV, help(first()))).contains(&to_only(UAV, accept(first(), 3_600.0))));
        } else {
            robot.check(0.0, hears(UAV, help(first())), &[], &[too_far(first(), 0.0, x)]);
            assert!(robot.is_idle(), "{x} m at {speed_mps} m/s");
            robot.drops(hears(UAV, help(first())), Drop::Duplicate);
        }
    }
    // The bound is a matter of configuration.
    let mut robot = Robot::new(R1, 20.0, Config { longest_eta: secs(19.9), ..greedy() });
    robot.check(0.0, hears(UAV, help(first())), &[], &[too_far(first(), 0.0, 20.0)]);

    for config in [gage(), safe()] {
        let mut ashamed = Robot::new(R1, 20.0, config).engaged();
        for attempt in 1..=9 {
            ashamed.answers(0.0, attempt);
        }
        assert_eq!(ashamed.machine.shame().get(), 1.0);
        ashamed.sense(Percept::Phase(Phase::Free));
        let place = Point::new(4_000.0, 0.0);
        for (at_s, attempt, faded) in [(10.0, 1, 0.95), (20.0, 2, 0.9)] {
            let far = Message::Help { request: call(OTHER_MINE, attempt), place, needs: MINES };
            let shame = Config::gage_2004().shame.faded(ashamed.machine.shame(), secs(10.0)).get();
            let note = too_far(call(OTHER_MINE, attempt), shame, 4_000.0 - 20.0);
            ashamed.check(at_s, hears(UAV, far), &[], &[note]);
            assert!((ashamed.machine.shame().get() - faded).abs() < 1e-9, "{}", ashamed.machine.shame().get());
            assert!(ashamed.is_idle());
        }
        assert!(ashamed.answers(21.0, 10), "still ashamed, it answers from near");
    }
}

/// A radio may hand a robot its own HELP, as multicast does: it must not recruit itself.
#[test]
fn a_robots_own_help_is_dropped() {
    for (_, mut uav) in all_requesters() {
        uav.drops(hears(UAV, help(call(MINE, 1))), Drop::Absurd);
        uav.drops(hears(UAV, help(call(OTHER_MINE, 9))), Drop::Absurd);
    }
}

/// A HELP that was heard counts once: twice would be ashamed twice.
#[test]
fn a_doubled_or_late_help_is_dropped() {
    let mut robot = Robot::new(R1, 20.0, gage());
    robot.give(hears(UAV, help(call(MINE, 3))));
    let shame = robot.machine.shame().get();
    robot.drops(hears(UAV, help(call(MINE, 3))), Drop::Duplicate);
    robot.drops(hears(UAV, help(call(MINE, 2))), Drop::Late);
    assert_eq!(robot.machine.shame().get(), shame);
    for mut robot in [offered(gage()), travelling(gage()), arrived(gage()), working(gage())] {
        robot.drops(hears(UAV, help(first())), Drop::Duplicate);
    }
}

/// A new need, or a new life, counts its calls from 1 again: that is no late HELP.
#[test]
fn the_first_help_of_a_new_need_or_life_is_new() {
    for request in [call(OTHER_MINE, 1), Request { incarnation: 2, ..first() }] {
        let mut robot = Robot::new(R1, 20.0, gage());
        robot.give(hears(UAV, help(call(MINE, 5))));
        let shame = robot.machine.shame().get();
        robot.give(hears(UAV, help(request)));
        assert!(robot.machine.shame().get() > shame, "{request:?}");
    }
}

/// RESPONDER and AGREE for another call, at the wrong stage, twice, or from a stranger.
#[test]
fn orders_out_of_turn_are_dropped() {
    let key = first();
    let table: [OutOfTurn<Staged>; 22] = [
        (idle, UAV, responder(key, R1), Drop::Late),
        (idle, UAV, agree(key, 20.0), Drop::Late),
        (offered, UAV, agree(key, 20.0), Drop::Late),
        (offered, UAV, responder(call(OTHER_MINE, 1), R1), Drop::Late),
        (offered, UAV, responder(call(MINE, 0), R1), Drop::Late),
        (offered, UAV, responder(Request { incarnation: 9, ..key }, R1), Drop::Late),
        (offered, R2, responder(key, R1), Drop::Absurd),
        (offered, R2, responder(key, R2), Drop::Absurd),
        (travelling, UAV, responder(key, R1), Drop::Duplicate),
        (travelling, UAV, responder(key, R2), Drop::Duplicate),
        (travelling, UAV, agree(key, 20.0), Drop::Late),
        (arrived, UAV, responder(key, R1), Drop::Duplicate),
        (arrived, UAV, agree(call(MINE, 2), 20.0), Drop::Late),
        (arrived, UAV, agree(call(MINE, 0), 20.0), Drop::Late),
        (arrived, UAV, agree(call(OTHER_MINE, 1), 20.0), Drop::Late),
        (arrived, UAV, agree(Request { incarnation: 2, ..key }, 20.0), Drop::Late),
        (arrived, R2, agree(key, 20.0), Drop::Foreign),
        (arrived, R2, agree(Request { requester: R2, ..key }, 20.0), Drop::Late),
        (working, UAV, agree(key, 20.0), Drop::Duplicate),
        (working, UAV, agree(call(MINE, 2), 20.0), Drop::Late),
        (working, UAV, responder(key, R1), Drop::Late),
        (working, UAV, responder(call(MINE, 2), R1), Drop::Late),
    ];
    for config in [gage(), safe()] {
        for (robot, from, message, why) in table.clone() {
            robot(config.clone()).drops(hears(from, message), why);
        }
    }
}

/// A robot that never offered is told nothing by "all others: not needed", and notes nothing.
#[test]
fn a_choice_among_others_is_ignored() {
    for robot in [idle(gage()), working(gage())] {
        for request in [first(), call(MINE, 2), call(OTHER_MINE, 1)] {
            robot.clone().ignores(hears(UAV, responder(request, R2)));
        }
    }
    offered(gage()).ignores(hears(UAV, responder(call(OTHER_MINE, 1), R2)));
}

/// What is said between two others is none of this robot's, even if it fits.
#[test]
fn overheard_messages_are_ignored() {
    for to in [Recipient::Named(R3), Recipient::Only(R3)] {
        collecting(gage()).ignores(Given::HearsTo(R1, to, accept(first(), 20.0)));
        awaiting_arrival(gage()).ignores(Given::HearsTo(R1, to, arrival(first(), 20.0)));
        awaiting_ackack(gage()).ignores(Given::HearsTo(R1, to, ackack(first())));
        offered(gage()).ignores(Given::HearsTo(UAV, to, responder(first(), R1)));
        arrived(gage()).ignores(Given::HearsTo(UAV, to, agree(first(), 20.0)));
    }
    let named = Given::HearsTo(UAV, Recipient::Named(R1), agree(first(), 20.0));
    assert_eq!(sent(&arrived(gage()).give(named)).count(), 1, "named is addressed");
}

/// The body speaks out of turn: it comes to somewhere by an errand of its own, or is blocked on one.
#[test]
fn percepts_out_of_turn_are_ignored() {
    for (stage, mut robot) in all_responders() {
        if stage != "travelling" {
            robot.ignores(Given::Senses(Percept::Arrived));
            robot.ignores(Given::Senses(Percept::Blocked));
        }
    }
}

#[test]
fn timers_of_a_quiet_robot_are_ignored() {
    for mut robot in [idle(gage()), served(gage())] {
        robot.ignores(Given::Fires(Timer::Requesting));
        robot.ignores(Given::Fires(Timer::Responding));
    }
}
