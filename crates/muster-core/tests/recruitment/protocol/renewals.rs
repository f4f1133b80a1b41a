//! Work that outlasts its lease: another one is asked for before the end, or what is left is handed back.

use super::*;

/// Work of 30 s, leases of 20 s, in `safe()`: ARRIVAL at 22 s, so the first lease ends at 42 s, and the work at 53 s.
fn long() -> Config {
    Config { analysis: Some(secs(30.0)), ..safe() }
}

fn next_arrival(n: u32, lease_s: f64) -> Message {
    Message::Arrival { request: first(), number: FIRST_NONCE + n, lease: secs(lease_s) }
}

fn next_agree(n: u32, lease_s: f64) -> Message {
    Message::Agree { request: first(), number: FIRST_NONCE + n, lease: secs(lease_s) }
}

/// Lets it ask until its lease is over at `end_s`, which the next timer tells.
fn asks_until(robot: &mut Robot, end_s: f64) {
    while let Some(due) = robot.timers.deadline(Timer::Responding).filter(|due| *due < at(end_s)) {
        robot.give_at(due.since(Time::ZERO).as_secs_f64(), Given::Due(Timer::Responding));
    }
}

fn done() -> Message {
    Message::Done { request: first() }
}

/// Asks half-way, works on when it hears AGREE, and says when it is done.
#[test]
fn work_goes_on_when_another_lease_is_agreed() {
    let mut robot = working(long());
    robot.check(
        32.5,
        Given::Due(Timer::Responding),
        &[to_only(UAV, next_arrival(1, 20.0)), set(Timer::Responding, 34.875)],
        &[Event::Recruitment(Step::AskedForMore { with: UAV, task: MINE.id, round: 1 })],
    );
    robot.check(
        33.0,
        hears(UAV, next_agree(1, 20.0)),
        &[act(Action::Work { task: MINE.id, until: at(52.5) }), set(Timer::Responding, 42.75)],
        &[Event::Recruitment(Step::Renewed { with: UAV, task: MINE.id, round: 1, until: at(52.5) })],
    );
    robot.give_at(42.75, Given::Due(Timer::Responding));
    robot.give_at(43.0, hears(UAV, next_agree(2, 20.0)));
    robot.check(
        53.0,
        Given::Due(Timer::Responding),
        &[to_only(UAV, done()), act(Action::Stop), act(Action::Resume)],
        &[Event::Recruitment(Step::Finished { task: MINE.id, round: 1 })],
    );
}

/// Without AGREE it asks again under the same number, and stops with the old lease. An AGREE of another robot, to the ARRIVAL
/// before, or after the end does not count.
#[test]
fn work_ends_with_the_old_lease_if_no_other_is_heard_of() {
    let mut robot = working(long());
    robot.give_at(32.5, Given::Due(Timer::Responding));
    let outputs = robot.give_at(34.875, Given::Due(Timer::Responding));
    assert!(outputs.contains(&to_only(UAV, next_arrival(1, 20.0))), "{outputs:?}");
    robot.drops(hears(UAV, next_agree(0, 20.0)), Drop::Duplicate);
    robot.drops(hears(R2, next_agree(1, 20.0)), Drop::Duplicate);
    asks_until(&mut robot, 42.0);
    let mut late = robot.clone();
    late.now = at(42.0);
    late.drops(hears(UAV, next_agree(1, 20.0)), Drop::Late);
    robot.check(
        42.0,
        Given::Due(Timer::Responding),
        &[act(Action::Stop), act(Action::Resume)],
        &[Event::Recruitment(Step::HandedBack { with: UAV, task: MINE.id, round: 1 })],
    );
    robot.drops(hears(UAV, next_agree(1, 20.0)), Drop::Late);
}

/// Half a lease of 5 s has eight tries or more, each with time for its answer. Whichever is answered, the new lease counts from the first.
#[test]
fn a_short_lease_is_asked_for_several_times() {
    let mut robot = working(Config { analysis: Some(secs(30.0)), lease: secs(5.0), ..safe() });
    let mut asked = Vec::new();
    loop {
        let due = robot.timers.deadline(Timer::Responding).expect("it waits");
        let now_s = due.since(Time::ZERO).as_secs_f64();
        let mut answered = robot.clone();
        if !sent(&robot.give_at(now_s, Given::Due(Timer::Responding))).any(|(_, it)| *it == next_arrival(1, 5.0)) {
            break;
        }
        asked.push(now_s);
        answered.give_at(now_s, Given::Due(Timer::Responding));
        answered.give_at(now_s + 0.1, hears(UAV, next_agree(1, 5.0)));
        let Responding::Working { until, .. } = *answered.machine.responding() else { panic!("it works") };
        // The first lease is over at 27 s: an answer after that does not count.
        let ends_s = if now_s + 0.1 < 27.0 { asked[0] + 5.0 } else { 27.0 };
        assert_eq!(until, at(ends_s), "{asked:?}");
    }
    assert!(asked.len() >= 8 && asked.windows(2).all(|it| it[1] - it[0] >= 0.19), "{asked:?}");
}

/// What was done need not be done again: the same robot, back for the same need, has the rest to do; for another need all of it.
#[test]
fn a_robot_that_comes_back_does_the_rest() {
    let mut robot = working(long());
    asks_until(&mut robot, 42.0);
    robot.give_at(42.0, Given::Due(Timer::Responding));
    assert_eq!(*robot.machine.responding(), Responding::Idle);
    let begins_again = |robot: &Robot, request: Request| {
        let mut robot = robot.clone();
        let help = Message::Help { request, place: MINE.place, needs: MINE.needs };
        robot.give_at(50.0, hears(UAV, help));
        robot.give_at(52.0, hears(UAV, Message::Responder { request, chosen: R1 }));
        robot.give_at(52.0, Given::Senses(Percept::Arrived));
        let Responding::Arrived { number, .. } = *robot.machine.responding() else { panic!("it is there") };
        robot.give_at(53.0, hears(UAV, Message::Agree { request, number, lease: secs(20.0) }));
        let Responding::Working { until, renewal, .. } = *robot.machine.responding() else { panic!("it works") };
        until.since(at(53.0)) + renewal.left()
    };
    assert_eq!(begins_again(&robot, Request { attempt: 2, ..first() }), secs(11.0));
    let another = Request { need: TaskId(MINE.id.0 + 1), ..first() };
    assert_eq!(begins_again(&robot, another), secs(30.0));
}

/// Work that fits its lease ends with it, and says so.
#[test]
fn work_that_fits_its_lease_ends_when_it_is_done() {
    let mut robot = working(Config { analysis: Some(secs(7.0)), ..safe() });
    let outputs = robot.give_at(30.0, Given::Due(Timer::Responding));
    assert!(outputs.contains(&to_only(UAV, done())), "{outputs:?}");
}

/// The requester moves its bar when it sends AGREE, stays until it hears DONE, and calls again when the last lease is over.
#[test]
fn the_requester_waits_out_the_last_lease_that_it_agreed_to() {
    let mut uav = awaiting_ackack(long());
    uav.check(
        23.0,
        hears(R1, ackack(first())),
        &[set(Timer::Requesting, 42.2)],
        &[Event::Recruitment(Step::Held { with: R1, task: MINE.id, round: 1, until: at(42.2) })],
    );
    let outputs = uav.give_at(32.5, hears(R1, next_arrival(1, 20.0)));
    assert_eq!(sent(&outputs).next(), Some((Recipient::Only(R1), &next_agree(1, 20.0))));
    assert_eq!(uav.timers.deadline(Timer::Requesting), Some(at(52.7)));
    let mut again = uav.clone();
    let outputs = again.give_at(33.0, hears(R1, next_arrival(1, 20.0)));
    assert_eq!(sent(&outputs).next(), Some((Recipient::Only(R1), &next_agree(1, 20.0))), "the AGREE may be lost");
    uav.drops(hears(R2, next_arrival(2, 20.0)), Drop::Foreign);
    uav.drops(hears(R2, done()), Drop::Foreign);
    let mut over = uav.clone();
    let outputs = over.give_at(52.7, Given::Due(Timer::Requesting));
    assert!(sent(&outputs).any(|(_, message)| matches!(message, Message::Help { .. })), "{outputs:?}");
    over.drops(hears(R1, done()), Drop::Late);
    let outputs = uav.give_at(50.0, hears(R1, done()));
    assert!(outputs.contains(&act(Action::HandOver { task: MINE.id, to: R1 })), "{outputs:?}");
    assert!(uav.machine.is_quiet());
}

/// An ACKACK that was lost does not matter: whoever asks for more has taken over. Nor does a bar that is waited out.
#[test]
fn an_arrival_or_done_without_ackack_counts() {
    let mut asked = awaiting_ackack(long());
    asked.give_at(32.0, hears(R1, next_arrival(1, 20.0)));
    assert_eq!(asked.machine.requesting().map(|it| it.stage()), Some(Stage::Held { by: R1 }));
    let mut barred = awaiting_ackack(long());
    barred.give_at(32.0, Given::Due(Timer::Requesting));
    assert!(barred.give_at(33.0, hears(R1, done())).contains(&act(Action::HandOver { task: MINE.id, to: R1 })));
}

/// Without `analysis` nothing is renewed, and no DONE is known.
#[test]
fn without_analysis_there_are_no_renewals() {
    let mut uav = awaiting_ackack(safe());
    uav.now = at(23.0);
    uav.drops(hears(R1, next_arrival(1, 20.0)), Drop::Duplicate);
    uav.drops(hears(R1, done()), Drop::Late);
}

/// Whenever ARRIVAL and AGREE of a renewal are heard, the lease that they agree on is over before the requester calls.
#[test]
fn renewed_work_is_over_before_the_next_call() {
    for heard_s in [32.5, 33.0, 40.0, 41.9] {
        let mut uav = awaiting_ackack(long());
        uav.give_at(23.0, hears(R1, ackack(first())));
        uav.give_at(heard_s, hears(R1, next_arrival(1, 20.0)));
        let next_call = uav.timers.deadline(Timer::Requesting).expect("it waits");
        let mut robot = working(long());
        robot.give_at(32.5, Given::Due(Timer::Responding));
        robot.give_at(heard_s.min(37.4), hears(UAV, next_agree(1, 20.0)));
        let Responding::Working { until, .. } = *robot.machine.responding() else { panic!("it works") };
        assert!(until <= at(52.5) && until < next_call, "{until} {next_call}");
    }
}
