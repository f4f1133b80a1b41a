//! The recruitment protocol step by step: given this state and this input, expect these outputs and notes.
//!
//! Deadlines are those of [`Config::gage_2004`]: 2 s of collecting, 3 s of pause, ETA + 10 s for ARRIVAL, 10 s for
//! ACKACK, 10 s for RESPONDER, 5 s for AGREE, a lease of 20 s. The harness lets a timer be given only when it is due.

mod harness;

use harness::*;
use muster_core::event::{Awaited, Drop, Silence};
use muster_core::recruitment::{Config, Memory, Message, Request, Responding, Stage, Strategy, Timer};
use muster_core::{Action, Event, Order, Percept, Percepts, Phase, Point, Recipient, RobotId, Task, TaskId};

fn gage() -> Config {
    Config::gage_2004()
}

fn safe() -> Config {
    Config::safe()
}

/// A requester that has called for the mine at 0 s and collects.
fn collecting(config: Config) -> Robot {
    let mut uav = Robot::new(UAV, 0.0, config);
    uav.give(sees(MINE));
    uav
}

/// Got no ACCEPT by 2 s.
fn pausing(config: Config) -> Robot {
    let mut uav = collecting(config);
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav
}

/// Chose R1 at 2 s, which says that it needs 20 s.
fn awaiting_arrival(config: Config) -> Robot {
    let mut uav = collecting(config);
    uav.give_at(1.0, hears(R1, accept(first(), 20.0)));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav
}

/// Agreed at 22 s to R1's lease of 20 s.
fn awaiting_ackack(config: Config) -> Robot {
    let mut uav = awaiting_arrival(config);
    uav.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    uav
}

/// Got no ACKACK by 32 s and waits the lease out, until 42.2 s.
fn barred() -> Robot {
    let mut uav = awaiting_ackack(safe());
    uav.give_at(32.0, Given::Due(Timer::Requesting));
    uav
}

/// Handed the mine over to R1 at 23 s.
fn served(config: Config) -> Robot {
    let mut uav = awaiting_ackack(config);
    uav.give_at(23.0, hears(R1, ackack(first())));
    uav
}

/// A robot 20 units from the mine that answers every HELP.
fn idle(config: Config) -> Robot {
    Robot::new(R1, 20.0, config.with(Strategy::Greedy))
}

/// Sent ACCEPT at 0 s.
fn offered(config: Config) -> Robot {
    let mut robot = idle(config);
    robot.give(hears(UAV, help(first())));
    robot
}

/// Set out at 2 s.
fn travelling(config: Config) -> Robot {
    let mut robot = offered(config);
    robot.give_at(2.0, hears(UAV, responder(first(), R1)));
    robot
}

/// Sent ARRIVAL at 22 s.
fn arrived(config: Config) -> Robot {
    let mut robot = travelling(config);
    robot.give_at(22.0, Given::Senses(Percept::Arrived));
    robot
}

/// Sent ACKACK at 23 s.
fn working(config: Config) -> Robot {
    let mut robot = arrived(config);
    robot.give_at(23.0, hears(UAV, agree(first(), 20.0)));
    robot
}

fn all_requesters() -> [(&'static str, Robot); 7] {
    [
        ("silent", Robot::new(UAV, 0.0, gage())),
        ("collecting", collecting(gage())),
        ("pausing", pausing(gage())),
        ("awaiting ARRIVAL", awaiting_arrival(gage())),
        ("awaiting ACKACK", awaiting_ackack(gage())),
        ("barred", barred()),
        ("served", served(gage())),
    ]
}

fn all_responders() -> [(&'static str, Robot); 5] {
    [
        ("idle", idle(gage())),
        ("offered", offered(gage())),
        ("travelling", travelling(gage())),
        ("arrived", arrived(gage())),
        ("working", working(gage())),
    ]
}

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
        &[timed_out(first(), Awaited::Ackack), Event::Barred { task: MINE.id, until: at(42.2) }],
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
        &[Event::Barred { task: MINE.id, until: at(42.2) }],
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
        &[Event::Served { with: R1, task: MINE.id, round: 1 }, called(second_life(OTHER_MINE))],
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
            &[Event::Served { with: R1, task: MINE.id, round: 1 }],
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
            &[Event::Served { with: R1, task: MINE.id, round: 1 }, called(second_life(OTHER_MINE))],
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
    restarted.give(Given::Starts(Some(restarted.memory.clone())));
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
        &[Event::Blocked { task: MINE.id, round: 1 }],
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

// ---- Leases ----

/// gage_2004: "lease 20 s from ACKACK"; safe: 20 s from the robot's own ARRIVAL. ARRIVAL at 22 s, AGREE at 25 s.
#[test]
fn work_ends_one_lease_after_ackack_or_after_arrival() {
    for (config, until_s) in [(gage(), 45.0), (safe(), 42.0)] {
        let mut robot = arrived(config);
        robot.check(
            25.0,
            hears(UAV, agree(first(), 20.0)),
            &[
                to_only(UAV, ackack(first())),
                act(Action::Work { task: MINE.id, until: at(until_s) }),
                set(Timer::Responding, until_s),
            ],
            &[Event::TookOver { with: UAV, task: MINE.id, round: 1, until: at(until_s) }],
        );
        assert_eq!(*robot.machine.responding(), Responding::Working { request: first(), until: at(until_s) });
        robot.check(
            until_s,
            Given::Due(Timer::Responding),
            &[act(Action::Stop), act(Action::Resume)],
            &[Event::Finished { task: MINE.id, round: 1 }],
        );
        assert!(robot.is_idle());
    }
}

/// "An AGREE counts only within one lease of the responder's own ARRIVAL, on its own clock." The time-out of 5 s
/// hides this rule, so it is made longer here. ARRIVAL at 22 s, a lease of 20 s.
#[test]
fn agree_counts_only_within_one_lease_of_the_arrival() {
    for config in [gage(), safe()] {
        let mut robot = arrived(Config { agree_timeout: secs(60.0), ..config });
        let mut in_time = robot.clone();
        let outputs = in_time.give_at(41.999_999, hears(UAV, agree(first(), 20.0)));
        assert_eq!(outputs[0], to_only(UAV, ackack(first())));
        robot.now = at(42.0);
        robot.drops(hears(UAV, agree(first(), 20.0)), Drop::Late);
        robot.check(
            82.0,
            Given::Due(Timer::Responding),
            &[cancel(Timer::Responding), act(Action::Resume)],
            &[timed_out(first(), Awaited::Agree)],
        );
    }
}

/// The two rules together: whenever the AGREE of a call arrives, in `safe()` the work it starts is over before the
/// requester calls again, even if the responder's clock is slow by the stated bound.
#[test]
fn safe_work_is_over_before_the_next_call() {
    let config = Config { agree_timeout: secs(60.0), ..safe() };
    let mut uav = awaiting_ackack(config.clone());
    uav.give_at(32.0, Given::Due(Timer::Requesting));
    let next_call = uav.timers.deadline(Timer::Requesting).expect("it waits").since(at(22.0));
    for agreed_s in [22.0, 22.1, 30.0, 41.9, 41.999_999] {
        let mut robot = arrived(config.clone());
        robot.give_at(agreed_s, hears(UAV, agree(first(), 20.0)));
        let Responding::Working { until, .. } = *robot.machine.responding() else { panic!("AGREE at {agreed_s} s") };
        // The requester received the ARRIVAL when it was sent, at the earliest.
        assert!(until.since(at(22.0)).stretched(1.01) <= next_call, "AGREE at {agreed_s} s");
    }
}

/// The lease is the one that the robot stated and its team shares; what an AGREE says cannot make it longer.
#[test]
fn an_agree_cannot_lengthen_the_lease() {
    for lease_s in [0.0, 1.0, 1e6] {
        let mut robot = arrived(safe());
        robot.give_at(23.0, hears(UAV, agree(first(), lease_s)));
        assert_eq!(*robot.machine.responding(), Responding::Working { request: first(), until: at(42.0) });
    }
}

// ---- Messages that mean nothing now ----

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
        &[Event::OfferHeard { with: R1, task: MINE.id, round: 1, eta: secs(20.0) }],
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

/// A lease that could not be waited out, or that is none, is not agreed to; the chosen robot may still say better.
#[test]
fn an_absurd_lease_is_dropped() {
    let mut uav = awaiting_arrival(gage());
    for lease_s in [0.0, 20.000_001, f64::INFINITY] {
        uav.drops(hears(R1, arrival(first(), lease_s)), Drop::Absurd);
    }
    assert_eq!(sent(&uav.give(hears(R1, arrival(first(), 20.0)))).count(), 1);
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

/// What a robot notes that is too far away: its SHAME stays as it is.
fn too_far(request: Request, shame: f64, distance_m: f64) -> Event {
    let (task, round, why) = (request.need, request.attempt, Silence::TooFar);
    Event::Silent { with: UAV, task, round, why, shame, shame_after: shame, distance_m }
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
            assert_eq!(robot.give(hears(UAV, help(first())))[1], to_only(UAV, accept(first(), 3_600.0)));
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
        assert_eq!(ashamed.machine.shame(), 1.0);
        ashamed.sense(Percept::Phase(Phase::Free));
        let place = Point::new(4_000.0, 0.0);
        for (at_s, attempt, faded) in [(10.0, 1, 0.95), (20.0, 2, 0.9)] {
            let far = Message::Help { request: call(OTHER_MINE, attempt), place, needs: MINES };
            let shame = Config::gage_2004().shame.faded(ashamed.machine.shame(), secs(10.0));
            let note = too_far(call(OTHER_MINE, attempt), shame, 4_000.0 - 20.0);
            ashamed.check(at_s, hears(UAV, far), &[], &[note]);
            assert!((ashamed.machine.shame() - faded).abs() < 1e-9, "{}", ashamed.machine.shame());
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
    let shame = robot.machine.shame();
    robot.drops(hears(UAV, help(call(MINE, 3))), Drop::Duplicate);
    robot.drops(hears(UAV, help(call(MINE, 2))), Drop::Late);
    assert_eq!(robot.machine.shame(), shame);
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
        let shame = robot.machine.shame();
        robot.give(hears(UAV, help(request)));
        assert!(robot.machine.shame() > shame, "{request:?}");
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

// ---- Supersession: a newer call says that the older one failed ----

fn superseded() -> Event {
    Event::Superseded { with: UAV, task: MINE.id, round: 1 }
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
        &[superseded(), Event::Offered { with: UAV, task: MINE.id, round: 2, eta: secs(20.0), shame: 0.0 }],
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
    let notes = [superseded(), Event::Offered { with: UAV, task: MINE.id, round: 2, eta: secs(20.0), shame: 0.0 }];
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
    let last = robot.notes.last().map(|note| note.event);
    assert!(matches!(last, Some(Event::Silent { why: Silence::Committed, .. })), "{last:?}");
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
            let (before, shame) = (*robot.machine.responding(), robot.machine.shame());
            assert_eq!(robot.give(hears(from, help(request))), [], "{stage}");
            assert_eq!(*robot.machine.responding(), before, "{stage}");
            assert!(robot.machine.shame() > shame, "{stage}");
            let last = robot.notes.last().map(|note| note.event);
            assert!(matches!(last, Some(Event::Silent { why: Silence::Committed, .. })), "{stage}: {last:?}");
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
            Event::OfferHeard { with: R1, task: MINE.id, round: 1, eta: secs(20.0) },
            Event::Awarded { with: R1, task: MINE.id, round: 1, eta: secs(20.0), offers: 1 },
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
            &[Event::Withdrawn { task: MINE.id }],
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
            &[Event::Withdrawn { task: MINE.id }],
        );
        uav.check(
            now_s + 1.0,
            Given::Told(Order::Inject(MINE.into())),
            &[remember(SECOND_LIFE, &[MINE], true), act(Action::Hold), set(Timer::Requesting, 42.2)],
            &[Event::Barred { task: MINE.id, until: at(42.2) }],
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

            restarted.give(Given::Starts(Some(restarted.memory.clone())));
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
    assert_eq!(outputs[0], remember(SECOND_LIFE, &[], false));
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
        &[Event::Served { with: R1, task: MINE.id, round: 1 }, called(second)],
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
        &[Event::Served { with: R2, task: OTHER_MINE.id, round: 1 }],
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
        &[Event::Withdrawn { task: MINE.id }, called(second)],
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
        &[Event::Withdrawn { task: OTHER_MINE.id }],
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
        assert_eq!(outputs[0], to_all(help(call(MINE, attempt))));
    }
    let outputs = uav.give(Given::Told(Order::Cancel(MINE.id)));
    assert_eq!(outputs[1], to_all(help(second_life(OTHER_MINE))));
}

// ---- Restarts ----

fn memory(incarnation: u32, needs: &[Task], agreed: bool) -> Memory {
    Memory { incarnation, needs: needs.to_vec(), agreed }
}

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
        let kept = uav.memory.clone();
        assert_eq!(kept, memory(FIRST_LIFE, &[MINE, OTHER_MINE], false));
        let request = Request { incarnation: 2, ..first() };
        uav.check(
            10.0,
            Given::Starts(Some(kept)),
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
        awaiting_arrival(config).check(
            22.0,
            hears(R1, arrival(first(), 20.0)),
            &[remember(FIRST_LIFE, &[MINE], true), to_only(R1, agree(first(), 20.0)), set(Timer::Requesting, 32.0)],
            &[Event::Agreed { with: R1, task: MINE.id, round: 1, lease: secs(20.0) }],
        );
    }
}

/// A need is kept before its first HELP leaves, and its life with it.
#[test]
fn a_need_is_remembered_before_help_leaves() {
    let outputs = Robot::new(UAV, 0.0, gage()).give(sees(MINE));
    assert_eq!(outputs[0], remember(FIRST_LIFE, &[MINE], false));
}

/// safe: how long the lease has run is not kept, so one whole lease is waited out: 30 s + 20 s x 1.01.
#[test]
fn a_restart_after_agree_waits_one_lease_if_safe() {
    let again = Request { incarnation: 2, ..first() };
    let mut uav = awaiting_ackack(safe());
    let kept = uav.memory.clone();
    uav.check(
        30.0,
        Given::Starts(Some(kept)),
        &[act(Action::Hold), remember(2, &[MINE], true), set(Timer::Requesting, 50.2)],
        &[Event::Started { incarnation: 2, remembered: true }, Event::Barred { task: MINE.id, until: at(50.2) }],
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
    let kept = uav.memory.clone();
    let outputs = uav.give_at(30.0, Given::Starts(Some(kept)));
    assert_eq!(outputs[2], to_all(help(again)));
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
        &[Event::Barred { task: MINE.id, until: at(50.2) }],
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
        let kept = uav.memory.clone();
        uav.give_at(31.0, Given::Starts(Some(kept)));
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
        // A driver that lost the memory has the one of a robot that has never run, until it is told to keep another.
        if !keeps_memory {
            uav.memory = Memory::default();
        }
        let kept = uav.memory.clone();
        uav.give(Given::Starts(keeps_memory.then_some(kept)));
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
        let kept = robot.memory.clone();
        assert_eq!(kept, Memory::default(), "{stage}");
        robot.check(robot.now.as_secs_f64(), Given::Starts(Some(kept)), &[], &[]);
        assert!(robot.is_idle(), "{stage}");
        assert_eq!(robot.machine.shame(), 0.0);
        robot.drops(hears(UAV, responder(first(), R1)), Drop::Late);
        robot.drops(hears(UAV, agree(first(), 20.0)), Drop::Late);
    }
}

/// A restart takes its phase with it, and the driver tells it again: until then it counts as free.
#[test]
fn a_restart_forgets_the_phase() {
    let mut robot = idle(gage()).engaged();
    robot.give(Given::Starts(Some(Memory::default())));
    robot.sense(Percept::Phase(Phase::Engaged));
    assert!(!robot.answers(1.0, 1));
    robot.give(Given::Starts(Some(Memory::default())));
    assert!(robot.answers(2.0, 2));
}

// ---- Requester and responder in one robot ----

/// While it waits for help of its own it hears the HELP of another and answers; each side keeps its own timer.
#[test]
fn a_requester_answers_the_help_of_another() {
    let theirs = Request { requester: R3, ..call(OTHER_MINE, 1) };
    let mut uav = awaiting_arrival(gage().with(Strategy::Greedy));
    uav.check(
        3.0,
        hears(R3, help(theirs)),
        &[act(Action::Hold), to_only(R3, accept(theirs, 5.0)), set(Timer::Responding, 13.0)],
        &[Event::Offered { with: R3, task: OTHER_MINE.id, round: 1, eta: secs(5.0), shame: 0.0 }],
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
    assert_eq!(outputs[1], act(Action::GoTo(MINE.place)));
}

/// Two robots that need help at the same time serve each other, if each can do what the other needs.
#[test]
fn two_requesters_can_serve_each_other() {
    let mut uav = Robot::new(UAV, 0.0, safe().with(Strategy::Greedy));
    let mut r1 = Robot::new(R1, 30.0, safe().with(Strategy::Greedy));
    uav.body.percepts = Percepts::only(1);
    r1.body.percepts = Percepts::only(2);
    let mut team = Team::new(0.05, [uav, r1]);
    let theirs = Task { needs: Percepts::only(2), ..MINE };
    let mine = Task { id: OTHER_MINE.id, place: Point::new(30.0, 0.0), needs: Percepts::only(1) };
    team.later(secs(0.0), UAV, sees(theirs));
    team.later(secs(0.0), R1, sees(mine));
    team.run_until(200.0);
    let served: Vec<RobotId> =
        team.events().filter(|(_, event)| matches!(event, Event::Served { .. })).map(|(robot, _)| robot).collect();
    assert_eq!(served, [UAV, R1]);
    assert!(team.robots.values().all(|robot| robot.machine.is_quiet()));
}
