//! The six messages, in the order of Figure 1.

use super::*;

/// A UAV that sees the mine at 0 s, and R1 20 units away.
fn uav_and_r1() -> Team {
    let mut team = Team::new([Robot::new(UAV, 0.0, greedy()), Robot::new(R1, 20.0, greedy())]);
    team.give(UAV, sees(MINE));
    team
}

/// Implementation: "The recruitment protocol uses a set of six messages"; Figure 1 gives their order.
#[test]
fn a_recruitment_takes_six_messages_in_the_order_of_figure_1() {
    let mut team = uav_and_r1();
    team.run_until(100.0);
    assert_eq!(team.names(), ["HELP", "ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK"]);
    assert!(team.robots[&UAV].machine.is_quiet() && team.robots[&R1].machine.is_quiet());
}

/// Implementation: each message holds the sender, "the ID number of the recipient, if any, whether the message is
/// broadcast or unicast". The sender travels with the message; HELP and RESPONDER are broadcast, the rest has one
/// recipient: the robot at the other end.
#[test]
fn only_help_and_responder_are_broadcast() {
    let mut team = uav_and_r1();
    team.run_until(100.0);
    for sent in &team.log {
        let expected = match sent.message.name() {
            "HELP" | "RESPONDER" => (UAV, Recipient::All),
            "AGREE" => (UAV, Recipient::Only(R1)),
            _ => (R1, Recipient::Only(UAV)),
        };
        assert_eq!((sent.from, sent.to), expected, "{}", sent.message.name());
    }
}

/// Implementation: the requester "broadcasts a HELP message with its location and a percept that a robot must have".
#[test]
fn help_carries_the_location_and_the_percept_required() {
    let mut uav = Robot::new(UAV, 0.0, gage());
    uav.check(
        0.0,
        sees(MINE),
        &[
            remember(FIRST_LIFE, &[MINE], false),
            act(Action::Hold),
            to_all(Message::Help { request: first(), place: MINE.place, needs: MINES }),
            set(Timer::Requesting, 2.0),
        ],
        &[called(first())],
    );
}

/// Implementation: ACCEPT "contains an estimate of the time needed to reach the requester based on the location
/// provided in the HELP message and the robot's rate of travel".
#[test]
fn accept_estimates_the_time_from_the_distance_and_the_rate_of_travel() {
    for (x, speed_mps, eta_s) in [(20.0, 1.0, 20.0), (20.0, 2.0, 10.0), (76.3, 2.0, 38.15), (0.0, 1.0, 0.0)] {
        let mut robot = Robot::new(R1, x, greedy());
        robot.body.speed_mps = speed_mps;
        robot.check(
            0.0,
            hears(UAV, help(first())),
            &[act(Action::Hold), to_only(UAV, accept(first(), eta_s)), set(Timer::Responding, 10.0)],
            &[Event::Recruitment(Step::Offered {
                with: UAV,
                task: MINE.id,
                round: 1,
                eta: secs(eta_s),
                shame: 0.0,
                why: Answer::Always,
            })],
        );
    }
}

/// Implementation: "it broadcasts a RESPONDER message to all robots with the ID of the responder".
#[test]
fn responder_is_broadcast_with_the_id_of_the_chosen_one() {
    let mut uav = calling(gage());
    uav.give_at(0.1, hears(R1, accept(first(), 20.0)));
    uav.check(
        2.0,
        Given::Due(Timer::Requesting),
        &[to_all(responder(first(), R1)), set(Timer::Requesting, 32.0)],
        &[Event::Recruitment(Step::Awarded {
            with: R1,
            task: MINE.id,
            round: 1,
            eta: secs(20.0),
            offers: 1,
            how: Choice::LeastEta,
            threshold: 0.75,
        })],
    );
}

/// Implementation: for the responder RESPONDER "serves as confirmation that its offer to help was accepted, and it
/// will begin moving to assist".
#[test]
fn responder_sets_the_chosen_one_moving() {
    let mut robot = Robot::new(R1, 20.0, greedy());
    robot.give_at(0.0, hears(UAV, help(first())));
    robot.check(
        2.0,
        hears(UAV, responder(first(), R1)),
        &[set(Timer::Responding, 32.0), act(Action::GoTo(MINE.place))],
        &[Event::Recruitment(Step::SetOut { with: UAV, task: MINE.id, round: 1 })],
    );
}

/// Implementation: "For all other robots, this message is an explicit notification that their help is not needed."
#[test]
fn responder_tells_all_others_that_they_are_not_needed() {
    let mut robot = Robot::new(R2, 20.0, greedy());
    robot.give_at(0.0, hears(UAV, help(first())));
    robot.check(
        2.0,
        hears(UAV, responder(first(), R1)),
        &[cancel(Timer::Responding), act(Action::Resume)],
        &[Event::Recruitment(Step::NotNeeded { with: UAV, task: MINE.id, round: 1, chosen: R1 })],
    );
    assert!(robot.is_idle());
    assert!(robot.answers(5.0, 2), "free again, it answers the next call");
}

/// Implementation: the responder "arrives near the requester robot and provides an ARRIVAL message, which contains
/// the duration of a lease".
#[test]
fn arrival_carries_the_duration_of_a_lease() {
    let mut robot = Robot::new(R1, 20.0, greedy());
    robot.give_at(0.0, hears(UAV, help(first())));
    robot.give_at(2.0, hears(UAV, responder(first(), R1)));
    robot.check(
        22.0,
        Given::Senses(Percept::Arrived),
        &[to_only(UAV, arrival(first(), 20.0)), set(Timer::Responding, 27.0)],
        &[Event::Recruitment(Step::Arrived { with: UAV, task: MINE.id, round: 1 })],
    );
}

/// Implementation: "If the requester robot agrees to the lease, then it will respond with an AGREE message."
#[test]
fn agree_agrees_to_the_lease_of_the_arrival() {
    let mut uav = calling(gage());
    uav.give_at(0.1, hears(R1, accept(first(), 20.0)));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav.check(
        22.0,
        hears(R1, arrival(first(), 15.0)),
        &[remember(FIRST_LIFE, &[MINE], true), to_only(R1, agree(first(), 15.0)), set(Timer::Requesting, 32.0)],
        &[Event::Recruitment(Step::Agreed { with: R1, task: MINE.id, round: 1, lease: secs(15.0) })],
    );
}

/// Implementation: "the responder robot will send an ACKACK message and take over the investigation".
#[test]
fn ackack_is_sent_when_the_responder_takes_over() {
    arrived(gage()).check(
        30.1,
        hears(UAV, agree(first(), 20.0)),
        &[
            to_only(UAV, ackack(first())),
            act(Action::Work { task: MINE.id, until: at(50.1) }),
            set(Timer::Responding, 50.1),
        ],
        &[Event::Recruitment(Step::TookOver { with: UAV, task: MINE.id, round: 1, until: at(50.1) })],
    );
}

/// Approach: recruitment "ends when another robot (responder) has arrived and begun performing a task on behalf of
/// the requester".
#[test]
fn ackack_completes_the_recruitment_for_the_requester() {
    let mut uav = calling(gage());
    uav.give_at(0.1, hears(R1, accept(first(), 20.0)));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    uav.give_at(22.0, hears(R1, arrival(first(), 20.0)));
    uav.check(
        22.1,
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
}

/// Implementation: "the recruitment ends when the lease expires", without a further message.
#[test]
fn the_recruitment_ends_when_the_lease_expires() {
    let mut robot = arrived(gage());
    robot.give_at(30.1, hears(UAV, agree(first(), 20.0)));
    robot.check(
        50.1,
        Given::Due(Timer::Responding),
        &[act(Action::Stop), act(Action::Resume)],
        &[Event::Recruitment(Step::Finished { task: MINE.id, round: 1 })],
    );
    assert!(robot.is_idle());
}

/// Implementation: the purpose of the lease is "to compensate for a complete failure of either robot or a loss of
/// communications": a responder whose requester has died works to the end of the lease and is free.
#[test]
fn the_lease_outlives_neither_robot_nor_radio() {
    let mut team = uav_and_r1();
    team.run_until(23.0);
    assert!(matches!(team.robots[&R1].machine.responding(), Responding::Working { .. }));
    team.kill(UAV);
    team.run_until(60.0);
    assert!(team.robots[&R1].is_idle());
}

/// Approach: "no member of the team should wait forever for a failed robot to respond". Left alone after any stage,
/// a responder is idle within its journey and its lease, and a requester has called again.
#[test]
fn nobody_waits_forever_for_a_failed_robot() {
    for stage in 1..=4 {
        let mut robot = Robot::new(R1, 20.0, greedy());
        let mut said = [
            hears(UAV, help(first())),
            hears(UAV, responder(first(), R1)),
            Given::Senses(Percept::Arrived),
            hears(UAV, agree(first(), 20.0)),
        ]
        .into_iter();
        for given in said.by_ref().take(stage) {
            robot.give(given);
        }
        let mut team = Team::new([robot]);
        team.run_until(40.0);
        assert!(team.robots[&R1].is_idle(), "left alone after stage {stage}");
    }
    for stage in 1..=3 {
        let mut uav = calling(gage());
        let said =
            [hears(R1, accept(first(), 20.0)), Given::Fires(Timer::Requesting), hears(R1, arrival(first(), 20.0))];
        for given in said.into_iter().take(stage) {
            uav.give(given);
        }
        let mut team = Team::new([uav]);
        team.run_until(40.0);
        assert!(team.names().contains(&"HELP"), "left alone after stage {stage}");
    }
}

/// Implementation: "The requester robot will continue to send HELP messages periodically until it receives an
/// ACCEPT message in reply." Results, Effects of Team Size: it "waited 3 seconds between requests"; those 3 s come
/// after 2 s of collecting replies, for a period of 5 s, or Table 1 and use case 2 could not be (docs/reproductions).
#[test]
fn help_is_repeated_until_an_accept_comes() {
    let mut uav = calling(gage());
    for attempt in 1..=20 {
        let start = f64::from(attempt - 1) * PERIOD_S;
        assert_eq!(uav.give_at(start + 2.0, Given::Due(Timer::Requesting)), [set(Timer::Requesting, start + 5.0)]);
        let outputs = uav.give_at(start + 5.0, Given::Due(Timer::Requesting));
        assert_eq!(outputs, [to_all(help(call(MINE, attempt + 1))), set(Timer::Requesting, start + 7.0)]);
    }
    uav.give_at(100.1, hears(R1, accept(call(MINE, 21), 20.0)));
    let outputs = uav.give_at(102.0, Given::Due(Timer::Requesting));
    assert_eq!(outputs, [to_all(responder(call(MINE, 21), R1)), set(Timer::Requesting, 132.0)]);
}

/// Implementation: with more than one ACCEPT "it will examine the ACCEPT messages and choose the sender that
/// specified the least time needed to arrive". Of equals the lower number is taken: the paper does not say.
#[test]
fn the_least_time_of_several_accepts_is_chosen() {
    for (offers, chosen) in [
        (vec![(R1, 30.0), (R2, 10.0), (R3, 20.0)], R2),
        (vec![(R3, 10.0), (R1, 10.000_001), (R2, 50.0)], R3),
        (vec![(R3, 10.0), (R2, 10.0)], R2),
        (vec![(R1, 0.0), (R2, 0.1)], R1),
    ] {
        let mut uav = calling(gage());
        for &(from, eta_s) in &offers {
            uav.give_at(0.1, hears(from, accept(first(), eta_s)));
        }
        let outputs = uav.give_at(2.0, Given::Due(Timer::Requesting));
        assert!(outputs.contains(&to_all(responder(first(), chosen))), "{offers:?}");
        assert_eq!(uav.chosen(), Some(chosen));
    }
}
