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
        assert_eq!(*robot.machine.responding(), Responding::Working { request: first(), until: at(until_s) });
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

/// The lease is the one that the robot stated and its team shares; what an AGREE says cannot make it longer.
#[test]
fn an_agree_cannot_lengthen_the_lease() {
    for lease_s in [0.0, 1.0, 1e6] {
        let mut robot = arrived(safe());
        robot.give_at(23.0, hears(UAV, agree(first(), lease_s)));
        assert_eq!(*robot.machine.responding(), Responding::Working { request: first(), until: at(42.0) });
    }
}
