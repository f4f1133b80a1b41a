//! What Gage & Murphy 2004 say about the protocol and about SHAME, one test per claim or formula.
//!
//! Sections are those of the paper: Approach, Implementation, Recruitment Strategies, Results and its
//! parts, Illustrative Use Cases, Conclusions. Where the paper contradicts itself, the test states both
//! sides. Distances are in the paper's units; a robot drives one unit a second unless stated otherwise.

mod harness;

use harness::*;
use muster_core::event::Silence;
use muster_core::recruitment::{Config, Message, Messaging, Responding, Shame, Strategy, Timer};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Action, Context, Event, Input, Mechanism, Percept, Percepts, Phase, Recipient};

/// The period at which the paper's tables can be reproduced: 2 s of collecting and 3 s of pause.
const PERIOD_S: f64 = 5.0;

/// So far that `d(D)` hardly matters, and within the hour that a requester waits for a robot at most.
const FAR: f64 = 3_000.0;

/// The paper's "infinitely far apart": `d(D)` is lost in rounding. Only [`boundless`] robots answer from there.
const INFINITELY_FAR: f64 = 1e12;

fn gage() -> Config {
    Config::gage_2004()
}

fn gage_with(shame: Shame) -> Config {
    Config { shame, ..gage() }
}

/// The paper knows no longest time to arrive.
fn boundless(shame: Shame) -> Config {
    Config { longest_eta: secs(f64::INFINITY), ..gage_with(shame) }
}

fn greedy() -> Config {
    gage().with(Strategy::Greedy)
}

/// Floating-point sums in another order may differ in their last bits.
#[track_caller]
fn assert_close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-9, "got {got}, expected {expected}");
}

/// The SHAME of a robot at (`x`, 0) after one HELP from the origin.
fn shame_after_one_help(x: f64) -> f64 {
    let mut robot = Robot::new(R1, x, gage());
    robot.answers(0.0, 1);
    robot.machine.shame()
}

/// A robot at (`x`, 0) that was chosen for the first call and has arrived at 30 s.
fn arrived(config: Config) -> Robot {
    let mut robot = Robot::new(R1, 20.0, config.with(Strategy::Greedy));
    robot.give_at(8.0, hears(UAV, help(first())));
    robot.give_at(10.0, hears(UAV, responder(first(), R1)));
    robot.give_at(30.0, Given::Senses(Percept::Arrived));
    robot
}

/// A requester that has called once, at time 0, for the mine.
fn calling(config: Config) -> Robot {
    let mut uav = Robot::new(UAV, 0.0, config);
    uav.give(sees(MINE));
    uav
}

// ---- The six messages ----

/// Implementation: "The recruitment protocol uses a set of six messages"; Figure 1 gives their order.
#[test]
fn a_recruitment_takes_six_messages_in_the_order_of_figure_1() {
    let mut team = Team::new(0.05, [Robot::new(UAV, 0.0, greedy()), Robot::new(R1, 20.0, greedy())]);
    team.later(secs(0.0), UAV, sees(MINE));
    team.run_until(100.0);
    assert_eq!(team.names(), ["HELP", "ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK"]);
    assert!(team.robots[&UAV].machine.is_quiet() && team.robots[&R1].machine.is_quiet());
}

/// Implementation: each message holds the sender, "the ID number of the recipient, if any, whether the message is
/// broadcast or unicast". The sender travels with the message; HELP and RESPONDER are broadcast, the rest has one
/// recipient: the robot at the other end.
#[test]
fn only_help_and_responder_are_broadcast() {
    let mut team = Team::new(0.05, [Robot::new(UAV, 0.0, greedy()), Robot::new(R1, 20.0, greedy())]);
    team.later(secs(0.0), UAV, sees(MINE));
    team.run_until(100.0);
    for (_, from, to, message) in &team.log {
        let expected = match message.name() {
            "HELP" | "RESPONDER" => (UAV, Recipient::All),
            "AGREE" => (UAV, Recipient::Only(R1)),
            _ => (R1, Recipient::Only(UAV)),
        };
        assert_eq!((*from, *to), expected, "{}", message.name());
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
            &[Event::Offered { with: UAV, task: MINE.id, round: 1, eta: secs(eta_s), shame: 0.0 }],
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
        &[Event::Awarded { with: R1, task: MINE.id, round: 1, eta: secs(20.0), offers: 1 }],
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
        &[Event::SetOut { with: UAV, task: MINE.id, round: 1 }],
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
        &[Event::NotNeeded { with: UAV, task: MINE.id, round: 1, chosen: R1 }],
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
        &[Event::Arrived { with: UAV, task: MINE.id, round: 1 }],
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
        &[Event::Agreed { with: R1, task: MINE.id, round: 1, lease: secs(15.0) }],
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
        &[Event::TookOver { with: UAV, task: MINE.id, round: 1, until: at(50.1) }],
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
        &[Event::Served { with: R1, task: MINE.id, round: 1 }],
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
        &[Event::Finished { task: MINE.id, round: 1 }],
    );
    assert!(robot.is_idle());
}

/// Implementation: the purpose of the lease is "to compensate for a complete failure of either robot or a loss of
/// communications": a responder whose requester has died works to the end of the lease and is free.
#[test]
fn the_lease_outlives_neither_robot_nor_radio() {
    let mut team = Team::new(0.05, [Robot::new(UAV, 0.0, greedy()), Robot::new(R1, 20.0, greedy())]);
    team.later(secs(0.0), UAV, sees(MINE));
    team.run_until(23.0);
    assert!(matches!(team.robots[&R1].machine.responding(), Responding::Working { .. }));
    team.robots.remove(&UAV);
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
        let mut team = Team::new(0.05, [robot]);
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
        let mut team = Team::new(0.05, [uav]);
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
        assert_eq!(outputs[0], to_all(responder(first(), chosen)), "{offers:?}");
        assert_eq!(uav.chosen(), Some(chosen));
    }
}

// ---- SHAME ----

/// Implementation: "s is initialized to zero".
#[test]
fn shame_starts_at_zero() {
    let robot = Robot::new(R1, 20.0, gage());
    assert_eq!(robot.machine.shame(), 0.0);
}

/// Implementation: t = 0.75, c = 0.2, d(D) = 0.5 / D, k(dT) = 0.005 dT.
#[test]
fn the_constants_are_the_papers() {
    let expected = Shame { threshold: 0.75, refusal: 0.2, proximity_m: 0.5, decay_per_s: 0.005 };
    assert_eq!(gage().shame, expected);
}

/// Implementation: "0 <= s <= 1", however near and however often the requests, and however long the silence.
#[test]
fn shame_stays_between_zero_and_one() {
    let mut robot = Robot::new(R1, 0.01, gage()).engaged();
    for attempt in 1..=10 {
        robot.answers(f64::from(attempt), attempt);
        assert_eq!(robot.machine.shame(), 1.0, "one refusal at 0.01 units adds 50.2");
    }
    robot.answers(10_000.0, 11);
    assert_eq!(robot.machine.shame(), 1.0);
    let shame = gage().shame;
    assert_eq!(shame.faded(0.1, secs(10_000.0)), 0.0);
    assert_eq!(shame.refused(0.0, 0.0), 1.0, "on the very same spot d is infinite");
}

/// Implementation: "c + d(D)", with a `d` that was configured away: on the very same spot 0 / 0 must not count.
#[test]
fn without_proximity_a_refusal_on_the_very_same_spot_adds_only_c() {
    let distant = Shame { proximity_m: 0.0, ..Shame::gage_2004() };
    assert_eq!(distant.refused(0.0, 0.0), 0.2);
    assert_eq!(distant.refused(0.5, 0.0), 0.7);
    assert_eq!(distant.refused(0.9, 0.0), 1.0);
    let mut robot = Robot::new(R1, 0.0, gage_with(distant));
    assert!(!robot.answers(0.0, 1));
    assert_eq!(robot.machine.shame(), 0.2);
}

/// Implementation: "s = s - k(dT)" with "k(dT) = 0.005 x dT", where dT is the time "since the previous HELP message".
#[test]
fn shame_decays_with_the_time_since_the_previous_help() {
    let mut robot = Robot::new(R1, INFINITELY_FAR, gage()).engaged();
    robot.answers(100.0, 1);
    assert_close(robot.machine.shame(), 0.2);
    robot.answers(110.0, 2);
    assert_close(robot.machine.shame(), 0.2 - 0.005 * 10.0 + 0.2);
    robot.answers(130.0, 3);
    assert_close(robot.machine.shame(), 0.35 - 0.005 * 20.0 + 0.2);
}

/// Implementation: "r_i ignores the request and s is updated as s = s + c + d(D)".
#[test]
fn an_ignored_request_adds_c_and_d() {
    for distance in [1.0, 2.0, 5.0, 10.0, 50.0, 141.4] {
        assert_close(shame_after_one_help(distance), 0.2 + 0.5 / distance);
    }
}

/// Implementation: "s > t" answers and "s <= t" ignores: on the threshold itself a robot keeps silent. With powers
/// of two the sums are exact.
#[test]
fn shame_at_the_threshold_does_not_answer() {
    let exact = Shame { threshold: 0.5, refusal: 0.25, proximity_m: 0.0, decay_per_s: 0.0 };
    let mut robot = Robot::new(R1, 20.0, gage_with(exact));
    assert_eq!([1, 2, 3, 4].map(|n| robot.answers(f64::from(n), n)), [false, false, false, true]);
}

/// Implementation: "each robot r_i will first account for the decay", and next compare: SHAME that was above the
/// threshold when the last HELP came may be below it now.
#[test]
fn decay_comes_before_the_decision() {
    let mut robot = Robot::new(R1, 1.0, gage()).engaged();
    robot.answers(0.0, 1);
    robot.answers(0.0, 2);
    assert_eq!(robot.machine.shame(), 1.0);
    robot.sense(Percept::Phase(Phase::Free));
    assert!(robot.clone().answers(49.9, 3), "1 - 0.005 x 49.9 = 0.7505");
    assert!(!robot.clone().answers(50.0, 3), "1 - 0.005 x 50 = 0.75, and 0.75 is not above 0.75");
}

/// Approach: "Once the robot decides to respond, its SHAME will be reset to zero". Conclusions: hence affective "is
/// less likely to call on the same robot twice in a row".
#[test]
fn shame_is_reset_when_the_robot_responds() {
    let mut robot = Robot::new(R1, FAR, gage());
    let before = robot.ignored_before_answering(PERIOD_S).expect("it answers");
    assert_eq!(robot.machine.shame(), 0.0);
    // It was not chosen; a call for another need finds it as unashamed as a new robot.
    robot.give(hears(UAV, responder(call(MINE, before + 1), R2)));
    let start = robot.now.as_secs_f64();
    let answered = (0..100).find(|&n| {
        let outputs = robot.give_at(start + f64::from(n) * PERIOD_S, hears(UAV, help(call(OTHER_MINE, n + 1))));
        sent(&outputs).count() > 0
    });
    assert_eq!(answered, Some(before));
}

/// Implementation: "If t < 0, then affective recruitment will become greedy, in which r_i immediately offers its
/// help when a request is made": output by output, for free and for engaged robots, near and far.
#[test]
fn a_negative_threshold_is_greedy() {
    for x in [0.0, 0.5, 1.0, 20.0, FAR] {
        let shameless = gage_with(Shame { threshold: -0.1, ..Shame::gage_2004() });
        let (mut affective, mut greedy) = (Robot::new(R1, x, shameless), Robot::new(R1, x, greedy()));
        let script = [
            (0.0, hears(UAV, help(call(MINE, 1)))),
            (2.0, hears(UAV, responder(call(MINE, 1), R2))),
            (5.0, Given::Senses(Percept::Phase(Phase::Engaged))),
            (5.0, hears(UAV, help(call(OTHER_MINE, 1)))),
            (10.0, hears(UAV, help(call(OTHER_MINE, 2)))),
            (11.0, Given::Senses(Percept::Phase(Phase::Free))),
            (15.0, hears(UAV, help(call(OTHER_MINE, 3)))),
            (17.0, hears(UAV, responder(call(OTHER_MINE, 3), R1))),
            (20.0, hears(UAV, help(call(OTHER_MINE, 4)))),
        ];
        let mut answers = 0;
        for (at_s, given) in script {
            let outputs = affective.give_at(at_s, given.clone());
            assert_eq!(outputs, greedy.give_at(at_s, given), "at {at_s} s, {x} away");
            answers += sent(&outputs).count();
        }
        assert_eq!(answers, 3, "it answers whenever it is free");
        assert_eq!(affective.notes, greedy.notes);
    }
}

/// Implementation: "The more t approaches 1, the more r_i will ignore requests before responding."
#[test]
fn a_higher_threshold_ignores_more_requests() {
    let ignored: Vec<u32> = [-0.1, 0.0, 0.25, 0.5, 0.75, 0.95]
        .map(|threshold| {
            let config = gage_with(Shame { threshold, ..Shame::gage_2004() });
            Robot::new(R1, 50.0, config).ignored_before_answering(PERIOD_S).expect("it answers")
        })
        .into();
    assert!(ignored.is_sorted(), "{ignored:?}");
    assert_eq!((ignored[0], ignored[1]), (0, 1), "below zero it is greedy, at zero one refusal suffices");
    assert!(ignored[5] > ignored[3], "{ignored:?}");
    let never = gage_with(Shame { threshold: 1.0, ..Shame::gage_2004() });
    assert_eq!(Robot::new(R1, 1.0, never).ignored_before_answering(PERIOD_S), None, "s > 1 cannot be");
}

/// Implementation: infinitely far apart, "t/c is approximately the number of requests r_i will ignore before
/// responding (considering that s will decay between requests) ... after approximately 4 requests". 0.75 / 0.2 is
/// 3.75: it is 4 without decay, and decay makes it 5 at a period of 3 s or 5 s.
#[test]
fn an_infinitely_far_robot_ignores_about_t_over_c_requests() {
    let ignored = |shame, period_s| Robot::new(R1, INFINITELY_FAR, boundless(shame)).ignored_before_answering(period_s);
    let still = Shame { decay_per_s: 0.0, ..Shame::gage_2004() };
    assert_eq!(ignored(still, PERIOD_S), Some(4));
    assert_eq!(ignored(Shame::gage_2004(), 3.0), Some(5));
    assert_eq!(ignored(Shame::gage_2004(), PERIOD_S), Some(5));
    for (threshold, refusal) in [(0.75, 0.1), (0.75, 0.3), (0.5, 0.2), (0.9, 0.05)] {
        let shame = Shame { threshold, refusal, proximity_m: 0.5, decay_per_s: 0.0 };
        let ignored = ignored(shame, PERIOD_S);
        let ratio: f64 = threshold / refusal;
        assert!((f64::from(ignored.expect("it answers")) - ratio).abs() <= 1.0, "{ignored:?} against {ratio}");
    }
}

/// Implementation: d(D) "should increase as the distance D decreases".
#[test]
fn a_close_neighbour_is_more_ashamed() {
    let shame: Vec<f64> = [100.0, 10.0, 5.0, 2.0, 1.0].map(shame_after_one_help).into();
    assert!(shame.is_sorted() && shame[0] < shame[4], "{shame:?}");
    let ignored: Vec<u32> = [100.0, 10.0, 5.0, 1.0, 0.5]
        .map(|x| Robot::new(R1, x, gage()).ignored_before_answering(PERIOD_S).expect("it answers"))
        .into();
    assert_eq!(ignored, [5, 4, 3, 2, 1]);
}

/// Implementation: "d() has little effect beyond 10 units": at most a quarter of c, and over the whole field at most
/// one request sooner than for a robot infinitely far away.
#[test]
fn proximity_has_little_effect_beyond_10_units() {
    let mut infinitely_far = Robot::new(R1, INFINITELY_FAR, boundless(Shame::gage_2004()));
    let infinitely_far = infinitely_far.ignored_before_answering(PERIOD_S).expect("it answers");
    for x in 10..=142 {
        let x = f64::from(x);
        assert!(shame_after_one_help(x) - 0.2 <= 0.2 / 4.0 + 1e-12);
        let ignored = Robot::new(R1, x, gage()).ignored_before_answering(PERIOD_S).expect("it answers");
        assert!(infinitely_far - ignored <= 1, "{x} units away: {ignored}");
    }
}

/// Implementation: d(D) = 0.5 / D "so that r_i responds within two requests if it is within 1 unit". The formula
/// given beside it says otherwise: the first request leads to 0.2 + 0.5 = 0.7, which is not above 0.75, so at 1 unit
/// the second request is ignored, too, and the third is answered. The machine follows the formula; the claim holds
/// from 0.9 units on without decay (0.2 + 0.5/0.9 = 0.756), from 0.86 at a period of 5 s.
#[test]
fn within_two_requests_at_1_unit_contradicts_the_formula_which_answers_the_third() {
    let ignored = |x, period_s| Robot::new(R1, x, gage()).ignored_before_answering(period_s).expect("it answers");
    let (claimed, by_formula) = (1, 2);
    assert_eq!(ignored(1.0, 0.0), by_formula);
    assert_eq!(ignored(1.0, PERIOD_S), by_formula);
    assert_eq!(ignored(0.9, 0.0), claimed);
    assert_eq!(ignored(0.86, PERIOD_S), claimed);
    assert_eq!(ignored(0.88, PERIOD_S), by_formula);
}

/// Implementation: a robot "would lose SHAME acquired from a single request in about 40 seconds". Only c is meant;
/// at 10 units one request leaves 0.25, and that takes 50 s.
#[test]
fn shame_of_a_single_request_is_lost_in_about_40_seconds() {
    let after = |x: f64, wait_s: f64| gage().shame.faded(shame_after_one_help(x), secs(wait_s));
    assert!(after(INFINITELY_FAR, 39.0) > 0.0);
    assert_close(after(INFINITELY_FAR, 40.0), 0.0);
    assert_close(after(10.0, 40.0), 0.05);
    // The same through the machine: 40 s later the robot is as ashamed by a second request as by a first.
    let mut robot = Robot::new(R1, INFINITELY_FAR, gage());
    robot.answers(0.0, 1);
    robot.answers(40.1, 2);
    assert_close(robot.machine.shame(), shame_after_one_help(INFINITELY_FAR));
}

/// Implementation: it "would require 200 seconds to go from s = 1 to s = 0".
#[test]
fn full_shame_is_lost_in_200_seconds() {
    let shame = gage().shame;
    assert!(shame.faded(1.0, secs(199.0)) > 0.0);
    assert_close(shame.faded(1.0, secs(200.0)), 0.0);
    assert_eq!(shame.faded(1.0, secs(200.1)), 0.0);
}

/// Implementation: "if the decay were faster, then periodic requests would tend to be ignored". Once a period takes
/// away more than a refusal adds, they are ignored for ever.
#[test]
fn faster_decay_ignores_periodic_requests() {
    let faster = |decay_per_s| {
        let config = gage_with(Shame { decay_per_s, ..Shame::gage_2004() });
        Robot::new(R1, 50.0, config).ignored_before_answering(PERIOD_S)
    };
    assert!(faster(0.02) > faster(0.005));
    assert_eq!(faster(0.05), None);
}

/// Implementation: "If the decay were negative, then r_i would tend to "want" to help more over time".
#[test]
fn negative_decay_wants_to_help_more_over_time() {
    let eager = gage_with(Shame { decay_per_s: -0.005, ..Shame::gage_2004() });
    let mut robot = Robot::new(R1, FAR, eager);
    assert!(!robot.answers(0.0, 1));
    assert!(!robot.clone().answers(109.0, 2), "0.2 + 0.005 x 109 = 0.745");
    assert!(robot.answers(111.0, 2));
    assert_eq!(robot.machine.shame(), 0.0);
}

/// Effects of Team Size: the UAV "needed to request from five to ten times per recruitment". A robot that starts
/// unashamed and stands 10 to 142 units away (the field is 100 x 100) answers the fifth or the sixth request: the
/// low end of the range. The formulas ask for more only if HELPs are lost or come more slowly.
#[test]
fn a_first_recruitment_needs_five_or_six_requests() {
    for x in 10..=142 {
        let ignored = Robot::new(R1, f64::from(x), gage()).ignored_before_answering(PERIOD_S).expect("it answers");
        assert!((5..=6).contains(&(ignored + 1)), "{x} units away: {ignored} ignored");
    }
}

/// Effects of Team Size: "if the SHAME exceeds the threshold after a single request, then the two strategies are
/// equivalent". Not quite: the single request is still ignored; from the second on all robots answer as greedy does.
#[test]
fn shame_that_tells_after_one_request_is_greedy_from_the_second_on() {
    let touchy = gage_with(Shame { refusal: 0.9, ..Shame::gage_2004() });
    for x in [1.0, 50.0, FAR] {
        assert_eq!(Robot::new(R1, x, touchy.clone()).ignored_before_answering(PERIOD_S), Some(1));
    }
}

// ---- Who may answer ----

/// Implementation: a robot answers "assuming that it is otherwise available (not on task, ...)". Illustrative Use
/// Cases: one on task "cannot respond", but "all of the UGVs would increase their levels of SHAME".
#[test]
fn a_robot_on_task_does_not_answer_but_is_ashamed() {
    let mut robot = Robot::new(R1, FAR, gage()).engaged();
    for attempt in 1..=10 {
        assert!(!robot.answers(f64::from(attempt), attempt));
    }
    assert!(robot.machine.shame() > 0.9);
    let silent = robot.notes.iter().filter(|note| matches!(note.event, Event::Silent { why: Silence::Engaged, .. }));
    assert_eq!(silent.count(), 10);
    robot.sense(Percept::Phase(Phase::Free));
    assert!(robot.answers(11.0, 11), "the first call after its task is answered");
}

/// Implementation: a robot must be "able to provide the required percept". One that is not neither answers nor is
/// ashamed, whatever the strategy.
#[test]
fn a_robot_without_the_percept_neither_answers_nor_is_ashamed() {
    for strategy in Strategy::ALL {
        let mut robot = Robot::new(R1, 1.0, gage().with(strategy));
        robot.body.percepts = Percepts::only(1);
        for attempt in 1..=20 {
            assert!(!robot.answers(f64::from(attempt), attempt));
        }
        assert_eq!(robot.machine.shame(), 0.0);
        assert!(robot.notes.iter().all(|note| matches!(note.event, Event::Silent { why: Silence::Unable, .. })));
    }
}

/// Implementation: HELP names "a percept that a robot must have"; of several every one is needed.
#[test]
fn every_required_percept_is_needed() {
    let needs = Percepts::only(0).and(Percepts::only(5));
    for (percepts, able) in [
        (Percepts::only(0), false),
        (Percepts::only(5), false),
        (needs, true),
        (needs.and(Percepts::only(9)), true),
        (Percepts::NONE, false),
    ] {
        let mut robot = Robot::new(R1, 20.0, greedy());
        robot.body.percepts = percepts;
        let outputs = robot.give(hears(UAV, Message::Help { request: first(), place: MINE.place, needs }));
        assert_eq!(sent(&outputs).count() == 1, able, "{percepts:?}");
    }
}

// ---- The strategies ----

/// Recruitment Strategies: greedy "requires an additional message to be sent from every idle robot": each answers
/// the first HELP and every further one, however unashamed.
#[test]
fn under_greedy_and_random_every_idle_robot_answers_every_help() {
    for strategy in [Strategy::Greedy, Strategy::Random] {
        let mut robot = Robot::new(R1, FAR, gage().with(strategy));
        assert_eq!(robot.machine.shame(), 0.0);
        for attempt in 1..=5 {
            assert!(robot.answers(f64::from(attempt) * PERIOD_S, attempt), "{strategy:?}, call {attempt}");
        }
    }
}

/// Recruitment Strategies: with greedy "the idle robot with the minimum estimated time to arrive was recruited".
#[test]
fn greedy_recruits_the_least_time_to_arrive() {
    let mut uav = calling(greedy());
    for (from, eta_s) in [(R1, 30.0), (R2, 10.0), (R3, 20.0)] {
        uav.give_at(0.1, hears(from, accept(first(), eta_s)));
    }
    assert_eq!(uav.give_at(2.0, Given::Due(Timer::Requesting))[0], to_all(responder(first(), R2)));
    assert_eq!(uav.dice.asked, [], "nothing is left to chance");
}

/// Recruitment Strategies: with random "one of these was then chosen randomly". Every outcome of one fair choice
/// among the offers chooses another robot, so each has the same chance whatever its time to arrive.
#[test]
fn random_chooses_each_offer_by_one_outcome_of_a_fair_choice() {
    let chosen = [0, 1, 2].map(|pick| {
        let mut uav = calling(gage().with(Strategy::Random));
        uav.dice.picks = [pick].into();
        for (from, eta_s) in [(R1, 30.0), (R2, 10.0), (R3, 20.0)] {
            uav.give_at(0.1, hears(from, accept(first(), eta_s)));
        }
        uav.give_at(2.0, Given::Due(Timer::Requesting));
        assert_eq!(uav.dice.asked, [3]);
        uav.chosen()
    });
    assert_eq!(chosen, [Some(R1), Some(R2), Some(R3)]);
}

/// The same with the generator that missions use: 6,000 choices among 3 offers.
#[test]
fn random_chooses_uniformly() {
    let mut stream = Stream::new(1, Purpose::Choice, UAV);
    let mut counts = [0_u32; 3];
    for _ in 0..6_000 {
        let mut uav = calling(gage().with(Strategy::Random));
        for (from, eta_s) in [(R1, 30.0), (R2, 10.0), (R3, 20.0)] {
            uav.give_at(0.1, hears(from, accept(first(), eta_s)));
        }
        let mut outputs = Vec::new();
        let mut cx = Context::new(at(2.0), &uav.body, &mut outputs, &mut stream, None);
        uav.machine.handle(&mut cx, Input::Fired(Timer::Requesting));
        let chosen = uav.chosen().expect("one is chosen");
        counts[chosen.index() - 1] += 1;
    }
    // Five standard deviations of a binomial with p = 1/3 are 183.
    assert!(counts.iter().all(|&n| n.abs_diff(2_000) < 183), "{counts:?}");
}

// ---- Broadcast versus Unicast Messaging ----

/// "instead of sending a single HELP message to all other robots, the UAV would attempt to send HELP messages to all
/// other robots individually", at every repetition.
#[test]
fn unicast_sends_help_to_all_other_robots_individually() {
    let team = [UAV, R1, R2, R3];
    let mut uav = Robot::new(UAV, 0.0, Config { messaging: Messaging::Unicast(team.into()), ..gage() });
    let helps = |attempt| [R1, R2, R3].map(|other| to_only(other, help(call(MINE, attempt))));
    assert_eq!(uav.give(sees(MINE))[2..5], helps(1));
    uav.give_at(2.0, Given::Due(Timer::Requesting));
    assert_eq!(uav.give_at(5.0, Given::Due(Timer::Requesting))[..3], helps(2));
}

/// The paper does not say what becomes of RESPONDER. Table 5's counts need one message, to the chosen one; the others
/// learn from their time-out that they are not needed.
#[test]
fn unicast_sends_responder_to_the_chosen_one_only() {
    let team = [UAV, R1, R2];
    let config = Config { messaging: Messaging::Unicast(team.into()), ..greedy() };
    let mut team = Team::new(
        0.05,
        [Robot::new(UAV, 0.0, config.clone()), Robot::new(R1, 20.0, config.clone()), Robot::new(R2, 30.0, config)],
    );
    team.later(secs(0.0), UAV, sees(MINE));
    team.run_until(100.0);
    let expected = ["HELP", "HELP", "ACCEPT", "ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK"];
    assert_eq!(team.names(), expected);
    assert!(team.log.iter().all(|(_, _, to, _)| matches!(to, Recipient::Only(_))));
    assert!(team.robots[&R2].machine.is_quiet());
}

// ---- Illustrative Use Cases ----

/// Use case 1: r2, twice as fast but on task when the UAV first calls, finishes later "and [can] arrive sooner than
/// r1 or r3": affective waits and recruits it, greedy takes r1 at once. The paper gives 65.4 s and 95.2 s, but not
/// the places; these fit both (docs/reproductions).
#[test]
fn use_case_1_affective_recruits_the_robot_that_becomes_free() {
    for (strategy, chosen, wait_s) in [(Strategy::Affective, R2, 65.4), (Strategy::Greedy, R1, 95.2)] {
        let robot = |id, x| Robot::new(id, x, gage().with(strategy));
        let mut r2 = robot(R2, 76.3).engaged();
        r2.body.speed_mps = 2.0;
        let mut team = Team::new(0.05, [robot(UAV, 0.0), robot(R1, 92.9), r2, robot(R3, 120.0)]);
        team.later(secs(0.0), UAV, sees(MINE));
        team.later(secs(12.0), R2, Given::Senses(Percept::Phase(Phase::Free)));
        team.run_until(300.0);
        let served = team.robots[&UAV].notes.iter().find(|note| matches!(note.event, Event::Served { .. }));
        let served = served.expect("the UAV is helped");
        assert!(matches!(served.event, Event::Served { with, .. } if with == chosen), "{strategy:?}: {served:?}");
        let waited_s = served.at.as_secs_f64();
        assert!((waited_s - wait_s).abs() < 0.15, "{strategy:?}: {waited_s} s, the paper has {wait_s} s");
    }
}

/// Use case 2: three idle robots, the UAV nearest to r2. It "broadcast 5 HELP messages, at which point r2 responded
/// ... Neither r1 or r3 ever broadcast any messages."
#[test]
fn use_case_2_the_nearest_answers_the_fifth_help_and_the_others_never_transmit() {
    let robot = |id, x| Robot::new(id, x, gage());
    let mut team = Team::new(0.05, [robot(UAV, 0.0), robot(R1, 60.0), robot(R2, 20.0), robot(R3, 80.0)]);
    team.later(secs(0.0), UAV, sees(MINE));
    team.run_until(300.0);
    let mut expected = vec!["HELP"; 5];
    expected.extend(["ACCEPT", "RESPONDER", "ARRIVAL", "AGREE", "ACKACK"]);
    assert_eq!(team.names(), expected);
    assert!(team.log.iter().all(|&(_, from, ..)| from == UAV || from == R2));
}
