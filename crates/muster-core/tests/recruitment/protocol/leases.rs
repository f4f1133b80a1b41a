//! How long work lasts, and when an AGREE counts.

use super::*;

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
            &[Event::Recruitment(Step::TookOver { with: UAV, task: MINE.id, round: 1, until: at(until_s) })],
        );
        assert_eq!(*robot.machine.responding(), works(until_s));
        robot.check(
            until_s,
            Given::Due(Timer::Responding),
            &[act(Action::Stop), act(Action::Resume)],
            &[Event::Recruitment(Step::Finished { task: MINE.id, round: 1 })],
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
        assert!(outputs.contains(&to_only(UAV, ackack(first()))), "{outputs:?}");
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

/// "If the requester robot agrees to the lease": it may agree to less, which the robot takes, but not to more than the
/// robot offered. One that is over already comes too late. ARRIVAL at 22 s.
#[test]
fn an_agree_may_shorten_the_lease_and_cannot_lengthen_it() {
    for (lease_s, until_s) in [(5.0, 27.0), (20.0, 42.0), (1e6, 42.0)] {
        let mut robot = arrived(safe());
        robot.give_at(23.0, hears(UAV, agree(first(), lease_s)));
        assert_eq!(*robot.machine.responding(), works(until_s));
    }
    for lease_s in [0.0, 1.0] {
        let mut robot = arrived(safe());
        robot.now = at(23.0);
        robot.drops(hears(UAV, agree(first(), lease_s)), Drop::Late);
    }
}

fn works(until_s: f64) -> Responding {
    Responding::Working { request: first(), until: at(until_s), renewal: Renewal::NONE }
}

/// Offered more than it agrees to, the requester agrees to what it waits out, and waits that out.
#[test]
fn a_requester_shortens_what_it_would_not_wait_out() {
    let mut uav = awaiting_arrival(Config { longest_lease: secs(12.0), ..safe() });
    let outputs = uav.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    assert_eq!(sent(&outputs).next(), Some((Recipient::Only(R1), &agree(first(), 12.0))));
    uav.give_at(32.0, Given::Due(Timer::Requesting));
    assert_eq!(uav.timers.deadline(Timer::Requesting), Some(at(34.12)), "12 s, and 1 % for clocks");
}

/// Agreed less than it comes for, the robot goes.
#[test]
fn a_responder_refuses_a_lease_that_is_too_short() {
    let mut robot = arrived(Config { shortest_lease: secs(10.0), ..safe() });
    robot.check(
        23.0,
        hears(UAV, agree(first(), 9.0)),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[Event::Recruitment(Step::Refused { with: UAV, task: MINE.id, round: 1, lease: secs(9.0) })],
    );
    assert!(robot.is_idle());
}
