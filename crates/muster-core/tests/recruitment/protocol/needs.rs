//! Needs that are withdrawn, and several of them.

use super::*;

// ---- Withdrawn needs ----

#[test]
fn an_order_counts_as_a_need_and_a_cancel_as_its_end() {
    let mut uav = Robot::new(UAV, 0.0, gage());
    let mut seen = uav.clone();
    assert_eq!(uav.give(Given::Told(Order::Inject(MINE.into()))), seen.give(sees(MINE)));
    assert_eq!(uav.machine, seen.machine);
    let gone = seen.give(Given::Senses(Percept::TaskGone(MINE.id)));
    assert_eq!(uav.give(Given::Told(Order::Cancel(MINE.id))), gone);
    assert_eq!(uav.machine, seen.machine);
}

/// Wherever the call stands, its need can be withdrawn; nobody is told, and replies that still come are late.
#[test]
fn a_withdrawn_need_is_dropped_at_every_stage() {
    for (stage, mut uav) in all_requesters().into_iter().skip(1).take(4) {
        uav.check(
            uav.now.as_secs_f64(),
            Given::Told(Order::Cancel(MINE.id)),
            &[remember(SECOND_LIFE, &[], false), cancel(Timer::Requesting), act(Action::Resume)],
            &[Event::Recruitment(Step::Withdrawn { task: MINE.id })],
        );
        assert!(uav.machine.is_quiet(), "{stage}");
        for message in [accept(first(), 20.0), arrival(first(), 20.0), ackack(first())] {
            uav.drops(hears(R1, message), Drop::Late);
        }
    }
}

#[test]
fn a_need_that_is_not_there_cannot_be_withdrawn() {
    for (_, mut uav) in all_requesters() {
        uav.ignores(Given::Told(Order::Cancel(TaskId(99))));
        uav.ignores(Given::Senses(Percept::TaskGone(OTHER_MINE.id)));
    }
}

/// A lease that may run is waited out even if its need was withdrawn: the operator may name the same need again.
#[test]
fn a_withdrawn_need_still_bars_until_its_lease_is_over() {
    for mut uav in [awaiting_ackack(safe()), barred()] {
        let now_s = uav.now.as_secs_f64();
        uav.check(
            now_s,
            Given::Told(Order::Cancel(MINE.id)),
            &[remember(SECOND_LIFE, &[], true), cancel(Timer::Requesting), act(Action::Resume)],
            &[Event::Recruitment(Step::Withdrawn { task: MINE.id })],
        );
        uav.check(
            now_s + 1.0,
            Given::Told(Order::Inject(MINE.into())),
            &[remember(SECOND_LIFE, &[MINE], true), act(Action::Hold), set(Timer::Requesting, 42.2)],
            &[Event::Recruitment(Step::Barred { task: MINE.id, until: at(42.2) })],
        );
    }
}

/// A key names one call for ever: with it, "never two responders working for the same attempt" holds always
/// (specification, section 1). A need that was withdrawn or served and comes up again counts its calls from 1 again,
/// so it gets a new life: else R1 might work under the very key under which another is called, and robots that heard
/// the first calls would drop the new ones as late. A restart comes on top and takes no number that was used.
#[test]
fn a_need_that_comes_up_again_is_called_for_under_a_new_key() {
    let again = |uav: &mut Robot, at_s| {
        let outputs = uav.give_at(at_s, Given::Told(Order::Inject(MINE.into())));
        sent(&outputs).map(|(_, message)| *message.request()).next()
    };
    let third = Request { incarnation: 3, ..first() };
    for config in [gage(), safe()] {
        let mut withdrawn = awaiting_ackack(config.clone());
        withdrawn.give(Given::Told(Order::Cancel(MINE.id)));
        for mut uav in [withdrawn, served(config)] {
            let mut restarted = uav.clone();
            assert_eq!(again(&mut uav, 50.0), Some(second_life(MINE)));
            uav.give(Given::Told(Order::Cancel(MINE.id)));
            assert_eq!(again(&mut uav, 51.0), Some(third));

            restarted.give(Given::Restarts);
            assert_eq!(again(&mut restarted, 50.0), Some(third));
        }
    }
}

/// Once that lease is over the withdrawn need leaves nothing behind.
#[test]
fn a_need_withdrawn_after_its_lease_bars_nothing() {
    let mut uav = barred();
    uav.give_at(42.2, Given::Due(Timer::Requesting));
    let outputs = uav.give_at(43.0, Given::Told(Order::Cancel(MINE.id)));
    assert!(outputs.contains(&remember(SECOND_LIFE, &[], false)), "{outputs:?}");
    assert!(sent(&uav.give_at(44.0, sees(OTHER_MINE))).count() > 0);
}

// ---- Several needs ----

/// One at a time, in the order in which they came up; the body holds from the first and resumes after the last.
#[test]
fn needs_are_served_in_turn() {
    let second = second_life(OTHER_MINE);
    let mut uav = collecting(gage());
    uav.check(1.0, sees(OTHER_MINE), &[remember(FIRST_LIFE, &[MINE, OTHER_MINE], false)], &[]);
    uav.ignores(sees(OTHER_MINE));
    uav.ignores(sees(MINE));
    uav.give_at(1.0, hears(R1, accept(first(), 20.0)));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    uav.check(
        22.1,
        hears(R1, ackack(first())),
        &[
            act(Action::HandOver { task: MINE.id, to: R1 }),
            remember(SECOND_LIFE, &[OTHER_MINE], false),
            to_all(help(second)),
            set(Timer::Requesting, 24.1),
        ],
        &[Event::Recruitment(Step::Served { with: R1, task: MINE.id, round: 1 }), called(second)],
    );
    uav.drops(hears(R2, accept(first(), 5.0)), Drop::Late);
    uav.drops(hears(R2, accept(call(OTHER_MINE, 1), 5.0)), Drop::Late);
    uav.give_at(23.0, hears(R2, accept(second, 5.0)));
    uav.give_at(24.1, Given::Due(Timer::Requesting));
    uav.give_at(29.0, hears(R2, arrival(second, 20.0)));
    uav.check(
        29.1,
        hears(R2, ackack(second)),
        &[
            act(Action::HandOver { task: OTHER_MINE.id, to: R2 }),
            remember(3, &[], false),
            cancel(Timer::Requesting),
            act(Action::Resume),
        ],
        &[Event::Recruitment(Step::Served { with: R2, task: OTHER_MINE.id, round: 1 })],
    );
}

/// Offers for the withdrawn need do not count for the next one.
#[test]
fn withdrawing_the_current_need_calls_for_the_next() {
    let second = second_life(OTHER_MINE);
    let mut uav = collecting(gage());
    uav.give(sees(OTHER_MINE));
    uav.give_at(1.0, hears(R1, accept(first(), 20.0)));
    uav.check(
        1.5,
        Given::Senses(Percept::TaskGone(MINE.id)),
        &[remember(SECOND_LIFE, &[OTHER_MINE], false), to_all(help(second)), set(Timer::Requesting, 3.5)],
        &[Event::Recruitment(Step::Withdrawn { task: MINE.id }), called(second)],
    );
    uav.check(
        3.5,
        Given::Due(Timer::Requesting),
        &[set(Timer::Requesting, 6.5)],
        &[timed_out(second, Awaited::Accept)],
    );
}

#[test]
fn withdrawing_a_queued_need_leaves_the_current_call_alone() {
    let mut uav = awaiting_arrival(gage());
    uav.give(sees(OTHER_MINE));
    uav.check(
        3.0,
        Given::Told(Order::Cancel(OTHER_MINE.id)),
        &[remember(FIRST_LIFE, &[MINE], false)],
        &[Event::Recruitment(Step::Withdrawn { task: OTHER_MINE.id })],
    );
    assert_eq!(uav.chosen(), Some(R1));
}

/// Calls are counted for each need, and the attempts of one go on over its failures.
#[test]
fn attempts_count_the_calls_for_one_need() {
    let mut uav = collecting(gage());
    uav.give(sees(OTHER_MINE));
    for attempt in 2..=4 {
        let start = f64::from(attempt - 1) * 5.0;
        uav.give_at(start - 3.0, Given::Due(Timer::Requesting));
        let outputs = uav.give_at(start, Given::Due(Timer::Requesting));
        assert!(outputs.contains(&to_all(help(call(MINE, attempt)))), "{outputs:?}");
    }
    let outputs = uav.give(Given::Told(Order::Cancel(MINE.id)));
    assert!(outputs.contains(&to_all(help(second_life(OTHER_MINE)))), "{outputs:?}");
}
