//! Time-outs of both sides (specification, section 5).

use super::*;

// ---- Time-outs of the requester (specification, section 5) ----

#[test]
fn without_accept_the_requester_pauses_and_calls_again() {
    let mut uav = collecting(gage());
    uav.check(
        2.0,
        Given::Due(Timer::Requesting),
        &[set(Timer::Requesting, 5.0)],
        &[timed_out(first(), Awaited::Accept)],
    );
    uav.check(
        5.0,
        Given::Due(Timer::Requesting),
        &[to_all(help(call(MINE, 2))), set(Timer::Requesting, 7.0)],
        &[called(call(MINE, 2))],
    );
}

#[test]
fn without_arrival_the_requester_calls_again_10_s_after_the_eta() {
    for config in [gage(), safe()] {
        awaiting_arrival(config).check(
            32.0,
            Given::Due(Timer::Requesting),
            &[to_all(help(call(MINE, 2))), set(Timer::Requesting, 34.0)],
            &[timed_out(first(), Awaited::Arrival), called(call(MINE, 2))],
        );
    }
}

/// gage_2004: the paper knows no waiting here; two robots may then work at one task for a while.
#[test]
fn without_ackack_the_requester_of_the_paper_calls_again_after_10_s() {
    awaiting_ackack(gage()).check(
        32.0,
        Given::Due(Timer::Requesting),
        &[to_all(help(call(MINE, 2))), set(Timer::Requesting, 34.0)],
        &[timed_out(first(), Awaited::Ackack), called(call(MINE, 2))],
    );
}

/// safe: one lease from receiving ARRIVAL, stretched by what clocks may differ: 22 s + 20 s x 1.01.
#[test]
fn without_ackack_the_safe_requester_waits_the_lease_out() {
    let mut uav = awaiting_ackack(safe());
    uav.check(
        32.0,
        Given::Due(Timer::Requesting),
        &[set(Timer::Requesting, 42.2)],
        &[timed_out(first(), Awaited::Ackack), Event::Recruitment(Step::Barred { task: MINE.id, until: at(42.2) })],
    );
    uav.check(
        42.2,
        Given::Due(Timer::Requesting),
        &[to_all(help(call(MINE, 2))), set(Timer::Requesting, 44.2)],
        &[called(call(MINE, 2))],
    );
}

/// What is waited out is the lease that was agreed to, and not longer than its end.
#[test]
fn a_lease_that_is_over_is_not_waited_for() {
    let mut short = awaiting_arrival(safe());
    short.give_at(22.0, hears(R1, arrival(first(), 5.0)));
    let again = [to_all(help(call(MINE, 2))), set(Timer::Requesting, 34.0)];
    let notes = [timed_out(first(), Awaited::Ackack), called(call(MINE, 2))];
    short.check(32.0, Given::Due(Timer::Requesting), &again, &notes);
}

#[test]
fn the_wait_for_a_lease_grows_with_the_drift_of_clocks() {
    for (clock_drift, until_s) in [(0.0, 42.0), (0.01, 42.2), (0.5, 52.0)] {
        let mut uav = awaiting_ackack(Config { clock_drift, ..safe() });
        let outputs = uav.give_at(32.0, Given::Due(Timer::Requesting));
        assert_eq!(outputs, [set(Timer::Requesting, until_s)], "drift {clock_drift}");
    }
}

/// A timer that comes early, as a driver with a coarse clock may let it, does not shorten the wait.
#[test]
fn a_bar_holds_against_an_early_timer() {
    barred().check(
        40.0,
        Given::Fires(Timer::Requesting),
        &[set(Timer::Requesting, 42.2)],
        &[Event::Recruitment(Step::Barred { task: MINE.id, until: at(42.2) })],
    );
}

/// The bar of a lease goes with the need that was served: the next one is called for at once.
#[test]
fn a_served_need_bars_nothing() {
    let mut uav = awaiting_ackack(safe());
    uav.give(sees(OTHER_MINE));
    uav.check(
        23.0,
        hears(R1, ackack(first())),
        &[
            act(Action::HandOver { task: MINE.id, to: R1 }),
            remember(SECOND_LIFE, &[OTHER_MINE], false),
            to_all(help(second_life(OTHER_MINE))),
            set(Timer::Requesting, 25.0),
        ],
        &[Event::Recruitment(Step::Served { with: R1, task: MINE.id, round: 1 }), called(second_life(OTHER_MINE))],
    );
}

/// A late ACKACK says that the lease which is waited out is at work: the recruitment is complete, and nothing is
/// barred any longer. Still so after a timer that came early, and up to the last moment.
#[test]
fn an_ackack_during_the_bar_still_completes_the_recruitment() {
    let mut poked = barred();
    poked.give_at(40.0, Given::Fires(Timer::Requesting));
    for (mut uav, at_s) in [(barred(), 32.0), (poked, 42.199_999)] {
        uav.drops(hears(R2, ackack(first())), Drop::Foreign);
        let mut with_another_need = uav.clone();
        uav.check(
            at_s,
            hears(R1, ackack(first())),
            &[
                act(Action::HandOver { task: MINE.id, to: R1 }),
                remember(SECOND_LIFE, &[], false),
                cancel(Timer::Requesting),
                act(Action::Resume),
            ],
            &[Event::Recruitment(Step::Served { with: R1, task: MINE.id, round: 1 })],
        );
        assert!(uav.machine.is_quiet());
        uav.drops(hears(R1, ackack(first())), Drop::Late);

        with_another_need.give(sees(OTHER_MINE));
        with_another_need.check(
            at_s,
            hears(R1, ackack(first())),
            &[
                act(Action::HandOver { task: MINE.id, to: R1 }),
                remember(SECOND_LIFE, &[OTHER_MINE], false),
                to_all(help(second_life(OTHER_MINE))),
                set(Timer::Requesting, at_s + 2.0),
            ],
            &[Event::Recruitment(Step::Served { with: R1, task: MINE.id, round: 1 }), called(second_life(OTHER_MINE))],
        );
    }
    let mut over = barred();
    over.give_at(42.2, Given::Due(Timer::Requesting));
    over.drops(hears(R1, ackack(first())), Drop::Late);
}

/// A bar that does not come from an AGREE for the need at hand is not lifted by anybody's ACKACK: neither under the
/// key of the call that was agreed on, nor under the one that the need at hand would have before its first call.
#[test]
fn an_ackack_does_not_lift_a_bar_that_outlived_its_need() {
    let mut named_again = awaiting_ackack(safe());
    named_again.give(Given::Told(Order::Cancel(MINE.id)));
    named_again.give(sees(MINE));
    let mut withdrawn_while_barred = barred();
    withdrawn_while_barred.give(sees(OTHER_MINE));
    withdrawn_while_barred.give(Given::Told(Order::Cancel(MINE.id)));
    let mut restarted = barred();
    restarted.give(Given::Restarts);
    for (mut uav, need) in [(named_again, MINE), (withdrawn_while_barred, OTHER_MINE), (restarted, MINE)] {
        assert_eq!(uav.machine.requesting().map(|it| it.stage()), Some(Stage::Barred { agreed_with: None }));
        for request in [first(), second_life(need), Request { attempt: 0, ..second_life(need) }] {
            uav.drops(hears(R1, ackack(request)), Drop::Late);
        }
    }
}

// ---- Time-outs of the responder (specification, section 5) ----

#[test]
fn without_responder_a_robot_that_offered_is_idle_after_10_s() {
    let mut robot = offered(gage());
    robot.check(
        10.0,
        Given::Due(Timer::Responding),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[timed_out(first(), Awaited::Responder)],
    );
    assert!(robot.is_idle());
}

/// 20 units at 1 unit/s, and the 10 s that the requester waits beyond the ETA.
#[test]
fn a_robot_that_does_not_get_there_gives_up_10_s_after_it_should_have() {
    let mut robot = travelling(gage());
    robot.check(
        32.0,
        Given::Due(Timer::Responding),
        &[act(Action::Stop), cancel(Timer::Responding), act(Action::Resume)],
        &[timed_out(first(), Awaited::Journey)],
    );
    assert!(robot.is_idle());
}

#[test]
fn without_agree_a_robot_that_arrived_is_idle_after_5_s() {
    let mut robot = arrived(gage());
    robot.check(
        27.0,
        Given::Due(Timer::Responding),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[timed_out(first(), Awaited::Agree)],
    );
    assert!(robot.is_idle());
}

#[test]
fn a_robot_whose_way_is_blocked_gives_up_at_once() {
    let mut robot = travelling(gage());
    robot.check(
        9.0,
        Given::Senses(Percept::Blocked),
        &[act(Action::Stop), cancel(Timer::Responding), act(Action::Resume)],
        &[Event::Recruitment(Step::Blocked { task: MINE.id, round: 1 })],
    );
    assert!(robot.is_idle());
}

/// Nothing is sent when a stage fails: the requester has a time-out of its own.
#[test]
fn a_responder_that_gives_up_says_nothing() {
    for (stage, mut robot) in all_responders() {
        let outputs = robot.give(Given::Fires(Timer::Responding));
        assert_eq!(sent(&outputs).count(), 0, "{stage}");
        assert!(robot.is_idle(), "{stage}");
    }
}
