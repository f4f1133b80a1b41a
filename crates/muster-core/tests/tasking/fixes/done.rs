//! W2, W3, W4, F5: Done after the deed.

use super::*;

/// W2: Completion is broadcast before execution, and the vehicle is lost in between.
#[test]
fn w2_the_vehicle_is_lost_just_before_execution() {
    let scenario = |team: &mut Team| {
        team.inject();
        assert_eq!(team.until_held(X), V5);
        let due = team.node(V5).machine.held()[0].at.as_secs_f64();
        team.run_until(due - 0.5).kill(V5);
    };
    assert_eq!(outcomes(Drawn, 150.0, scenario), NEVER);
    assert_eq!(outcomes(Fenced, 150.0, scenario), ONCE);
}

/// W3: Completion is lost once; with F5 Done may be lost as often as it is said at first.
#[test]
fn w3_the_completion_is_lost_once() {
    let scenario = |team: &mut Team| {
        team.lose_between("Completion", None, Some(V2), 1);
        team.lose_between("Done", None, Some(V2), 6);
        team.inject();
    };
    assert_eq!(outcomes(Drawn, 150.0, scenario), TWICE);
    assert_eq!(outcomes(Fenced, 150.0, scenario), ONCE);
}

/// W4: one in ten, and three in ten, deliveries are lost at random.
#[test]
fn w4_deliveries_are_lost_at_random() {
    for loss in [0.1, 0.3] {
        let scenario = |team: &mut Team| {
            team.loss = loss;
            team.inject();
        };
        let [_, _, twice] = outcomes(Drawn, 200.0, scenario);
        assert!(twice > 0, "loss {loss}");
        assert_eq!(outcomes(Fenced, 200.0, scenario), ONCE, "loss {loss}");
    }
}

/// F5: Done is said at once, and then ever more rarely for as long as is set: whoever does not know by then is answered.
#[test]
fn f5_done_is_said_at_once_and_repeated_ever_more_rarely() {
    let mut node = assigned(brief());
    node.until(59.9);
    let outputs = node.give_at(60.0, Given::Senses(Percept::Done(X)));
    assert_eq!(said(&outputs), ["Done"]);
    let times: Vec<f64> = node.said_until(659.0).iter().map(|(at_s, _)| *at_s).collect();
    assert_eq!(times, [61.0, 63.0, 69.0, 87.0, 141.0, 303.0]);
    assert_eq!(node.said_until(800.0), [], "after ten minutes it is enough");
}

/// F5: before execution there is a Status, not a Completion.
#[test]
fn f5_a_status_is_sent_just_before_execution() {
    let mut node = assigned(brief());
    node.until(57.9);
    let said: Vec<(f64, &str)> = node.said_until(58.0).iter().map(|(at_s, message)| (*at_s, message.name())).collect();
    assert!(said.contains(&(58.0, "Status")), "{said:?}");
}

/// F5: whoever knows that a task is done says so to anybody who talks of it as open.
#[test]
fn f5_whoever_knows_answers_with_done() {
    let of = || about(&group());
    let talk = [
        Message::Task { about: of() },
        challenge(of()),
        claim(of(), 5),
        perceived(of(), 5, V4),
        solicitation(of(), ballot(5, V4), 80.0, 90.0),
        status(of(), ballot(5, V4), holder(V4, 90.0), 1),
        assignment(of(), ballot(5, V4), &[(0, holder(V3, 90.0))], 90.0),
        Message::LeadStatus { about: of(), ballot: ballot(5, V4), phases: Phases::first(1), number: 1 },
    ];
    for message in talk {
        let mut node = peer(V2);
        node.give_at(60.0, hears(V5, done(&[deed(V5, 60.0)])));
        let name = message.name();
        assert!(said(&node.give_at(70.0, hears(V4, message))).is_empty(), "{name}: not before its turn");
        assert_eq!(answer(&mut node), [done(&[deed(V5, 60.0)])], "{name}");
        assert!(!node.is_aware());
    }
}

/// The first answer silences the others.
#[test]
fn f5_an_answer_that_another_has_given_is_not_repeated() {
    let mut node = peer(V2);
    node.give_at(60.0, hears(V5, done(&[deed(V5, 60.0)])));
    node.dice = Dice::most();
    node.give_at(70.0, hears(V4, challenge(about(&group()))));
    node.give_at(70.1, hears(V3, done(&[deed(V5, 60.0)])));
    assert_eq!(answer(&mut node), []);
}

/// F5: what is done is remembered for as long as is set, and then forgotten: memory does not fill up.
#[test]
fn f5_tombstones_are_forgotten_after_their_time() {
    let mut team = Team::of(Fenced, 3).seeded(1);
    team.inject().run_until(900.0);
    assert!(team.robots.values().all(|node| node.machine.order(X).is_some()), "15 minutes are not over yet");
    team.run_until(1_000.0);
    for node in team.robots.values() {
        assert!(node.machine.order(X).is_none(), "{} still knows of it", node.id());
    }
}

/// F5, W8: two vehicles that have done the same task across a partition learn of it when it heals.
#[test]
fn f5_duplicates_are_noticed_and_reported() {
    let mut team = Team::of(Fenced, 5).seeded(2);
    team.inject();
    assert_eq!(team.until_held(X), V5);
    team.isolate(V5).run_until(90.0);
    assert_eq!(team.done(X).len(), 2, "no protocol can help it");
    team.heal().run_until(95.0);
    let noticed = |node: &&Node| node.noted(|step| matches!(step, Step::Duplicate { .. })) == 1;
    assert_eq!(team.robots.values().filter(noticed).count(), 6, "each says so once");
}
