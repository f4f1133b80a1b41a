//! Restarts, with memory and without.

use super::*;

/// The first start of a robot has nothing to tell: a large team starts in silence.
#[test]
fn a_first_start_is_silent() {
    for config in [gage(), safe()] {
        let mut robot = Robot::new(UAV, 0.0, config);
        robot.check(0.0, Given::Starts(Some(Memory::default())), &[], &[]);
        // And may call at once: there was no life before that could have agreed to a lease.
        assert_eq!(sent(&robot.give(sees(MINE))).count(), 1);
    }
}

/// The next life calls again for what the last one needed, under a key of its own.
#[test]
fn a_restart_with_memory_goes_on_calling_in_a_new_life() {
    for config in [gage(), safe()] {
        let mut uav = awaiting_arrival(config);
        uav.give(sees(OTHER_MINE));
        assert_eq!(uav.memory, Memory { incarnation: FIRST_LIFE, needs: vec![MINE, OTHER_MINE], agreed: false });
        let request = Request { incarnation: 2, ..first() };
        uav.check(
            10.0,
            Given::Restarts,
            &[
                act(Action::Hold),
                remember(2, &[MINE, OTHER_MINE], false),
                to_all(help(request)),
                set(Timer::Requesting, 12.0),
            ],
            &[Event::Started { incarnation: 2, remembered: true }, called(first())],
        );
        uav.drops(hears(R1, arrival(first(), 20.0)), Drop::Late);
        uav.ignores(sees(MINE));
    }
}

/// What AGREE promises is kept before AGREE leaves: whenever the robot fails afterwards, its next life knows.
#[test]
fn a_lease_is_remembered_before_agree_leaves() {
    for config in [gage(), safe()] {
        let mut uav = awaiting_arrival(config);
        let agrees = hears(R1, arrival(first(), 20.0));
        assert!(is_remembered_first(&uav.clone().give(agrees.clone())));
        uav.check(
            22.0,
            agrees,
            &[remember(FIRST_LIFE, &[MINE], true), to_only(R1, agree(first(), 20.0)), set(Timer::Requesting, 32.0)],
            &[Event::Recruitment(Step::Agreed { with: R1, task: MINE.id, round: 1, lease: secs(20.0) })],
        );
    }
}

/// A need is kept before its first HELP leaves, and its life with it.
#[test]
fn a_need_is_remembered_before_help_leaves() {
    let outputs = Robot::new(UAV, 0.0, gage()).give(sees(MINE));
    assert!(is_remembered_first(&outputs) && outputs.contains(&remember(FIRST_LIFE, &[MINE], false)), "{outputs:?}");
}

/// safe: how long the lease has run is not kept, so one whole lease is waited out: 30 s + 20 s x 1.01.
#[test]
fn a_restart_after_agree_waits_one_lease_if_safe() {
    let again = Request { incarnation: 2, ..first() };
    let mut uav = awaiting_ackack(safe());
    uav.check(
        30.0,
        Given::Restarts,
        &[act(Action::Hold), remember(2, &[MINE], true), set(Timer::Requesting, 50.2)],
        &[
            Event::Started { incarnation: 2, remembered: true },
            Event::Recruitment(Step::Barred { task: MINE.id, until: at(50.2) }),
        ],
    );
    uav.drops(hears(R1, ackack(first())), Drop::Late);
    uav.check(
        50.2,
        Given::Due(Timer::Requesting),
        &[to_all(help(again)), set(Timer::Requesting, 52.2)],
        &[called(first())],
    );
    // gage_2004 calls at once.
    let mut uav = awaiting_ackack(gage());
    let outputs = uav.give_at(30.0, Given::Restarts);
    assert!(outputs.contains(&to_all(help(again))), "{outputs:?}");
}

/// A robot that lost its memory draws a number that no other life of it has, and a safe one waits one lease before
/// it calls for anything: it may have agreed to a lease for it.
#[test]
fn a_restart_without_memory_draws_a_fresh_life_and_waits_one_lease_if_safe() {
    let request = Request { incarnation: FRESH, ..first() };
    let mut uav = awaiting_ackack(safe());
    uav.check(
        30.0,
        Given::Starts(None),
        &[remember(FRESH, &[], true)],
        &[Event::Started { incarnation: FRESH, remembered: false }],
    );
    uav.check(
        31.0,
        sees(MINE),
        &[remember(FRESH, &[MINE], true), act(Action::Hold), set(Timer::Requesting, 50.2)],
        &[Event::Recruitment(Step::Barred { task: MINE.id, until: at(50.2) })],
    );
    uav.check(
        50.2,
        Given::Due(Timer::Requesting),
        &[to_all(help(request)), set(Timer::Requesting, 52.2)],
        &[called(first())],
    );
    uav.drops(hears(R1, ackack(first())), Drop::Late);

    let mut uav = awaiting_ackack(gage());
    uav.give_at(30.0, Given::Starts(None));
    assert_eq!(sent(&uav.give_at(31.0, sees(MINE))).next(), Some((Recipient::All, &help(request))));
}

/// After that lease it calls without delay.
#[test]
fn a_need_that_comes_up_a_lease_after_a_loss_of_memory_is_called_for_at_once() {
    let mut uav = awaiting_ackack(safe());
    uav.give_at(30.0, Given::Starts(None));
    assert_eq!(sent(&uav.give_at(50.2, sees(MINE))).count(), 1);
}

/// The bar after a loss of memory stands for any need, not for the first one seen: withdrawing that must not lift it.
#[test]
fn a_withdrawn_need_does_not_lift_the_bar_of_a_lost_memory() {
    let mut uav = awaiting_ackack(safe());
    uav.give_at(30.0, Given::Starts(None));
    uav.give_at(30.0, sees(OTHER_MINE));
    uav.give_at(30.0, sees(MINE));
    let outputs = uav.give_at(31.0, Given::Told(Order::Cancel(OTHER_MINE.id)));
    assert_eq!(outputs, [remember(FRESH + 1, &[MINE], true), set(Timer::Requesting, 50.2)]);
}

/// Nor must a second restart: what the second life does not know, the third does not, either.
#[test]
fn a_second_restart_does_not_lift_the_bar_of_a_lost_memory() {
    for sees_in_between in [false, true] {
        let mut uav = awaiting_ackack(safe());
        uav.give_at(30.0, Given::Starts(None));
        if sees_in_between {
            uav.give_at(30.0, sees(MINE));
        }
        uav.give_at(31.0, Given::Restarts);
        uav.give_at(31.0, sees(MINE));
        assert_eq!(uav.timers.deadline(Timer::Requesting), Some(at(51.2)), "seen in between: {sees_in_between}");
    }
}

/// A life that lost its memory keeps its number at once: the third life must not take the first one's.
#[test]
fn no_two_lives_call_under_one_number() {
    let mut uav = collecting(gage());
    let mut lives = vec![uav.memory.incarnation];
    for (keeps_memory, calls) in
        [(false, false), (true, true), (true, true), (false, true), (false, false), (false, false), (true, true)]
    {
        uav.give(if keeps_memory { Given::Restarts } else { Given::Starts(None) });
        if calls {
            uav.give(sees(OTHER_MINE));
            let life = uav.memory.incarnation;
            assert!(!lives.contains(&life), "life {life:#x} after {lives:#x?}");
            lives.push(life);
        }
    }
    assert_eq!(lives.len(), 5);
}

/// A responder keeps nothing: whatever it did is over, and its lease ends by itself.
#[test]
fn a_responder_that_restarts_is_idle() {
    for (stage, mut robot) in all_responders() {
        assert_eq!(robot.memory, Memory::default(), "{stage}");
        robot.check(robot.now_s(), Given::Restarts, &[], &[]);
        assert!(robot.is_idle(), "{stage}");
        assert_eq!(robot.machine.shame().get(), 0.0);
        robot.drops(hears(UAV, responder(first(), R1)), Drop::Late);
        robot.drops(hears(UAV, agree(first(), 20.0)), Drop::Late);
    }
}

/// A restart takes its phase with it, and the driver tells it again: until then it counts as free.
#[test]
fn a_restart_forgets_the_phase() {
    let mut robot = idle(gage()).engaged();
    robot.give(Given::Restarts);
    robot.sense(Percept::Phase(Phase::Engaged));
    assert!(!robot.answers(1.0, 1));
    robot.give(Given::Restarts);
    assert!(robot.answers(2.0, 2));
}
