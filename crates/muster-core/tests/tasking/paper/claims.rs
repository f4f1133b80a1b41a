//! The three claims: completion, duplication, communication load [§2.1].

use super::*;

// ---- Claim 1: task completion ----

/// Claim 1, the first case: v_i-1 is assigned. One status report within t_sync >= t_status makes v_i aware; when v_i-1
/// is gone, v_i sees to the task.
#[test]
fn claim_1_awareness_passes_on_by_status() {
    let mut team = Team::of(Drawn, 2);
    team.kill(V2).inject();
    assert_eq!(team.until_held(X), V1);
    let met = team.now_s() + 2.0;
    team.run_until(met).restart(V2, false);
    // t_status and the delay of the radio.
    team.run_until(met + 1.2);
    assert_eq!(team.aware(), [V1, V2]);
    team.kill(V1).run_until(80.0);
    assert_eq!(team.done(X), [V2]);
}

/// Claim 1, the second case: v_i-1 is a PEER and nobody is assigned. One challenge within t_sync >= t_peer does it.
#[test]
fn claim_1_awareness_passes_on_by_challenge() {
    let mut team = Team::of(Drawn, 3);
    team.kill(V2).kill(V3).inject();
    assert_eq!(team.until_held(X), V1);
    let met = team.now_s();
    team.restart(V2, false).run_until(met + 1.2);
    assert_eq!(team.aware(), [V1, V2]);
    team.kill(V1).restart(V3, false);
    let challenged = |team: &Team| team.count("Challenge") == 0;
    assert!(team.run_while(met + 12.0, challenged), "t_peer and its jitter");
    let then = team.now_s();
    team.run_until(then + 0.1);
    assert_eq!(team.aware(), [V2, V3]);
    // A chain: v0, v1, v2, each gone before the next but one has come.
    team.kill(V2).run_until(80.0);
    assert_eq!(team.done(X), [V3]);
}

/// Claim 1 as a whole: at no time from t0 to t1 is there no operational vehicle that is aware of the task, though each
/// is gone a while after the next has come.
#[test]
fn claim_1_somebody_is_always_aware_along_a_chain() {
    for seed in 0..5 {
        let mut team = Team::of(Drawn, 4).seeded(seed);
        team.kill(V2).kill(V3).kill(V4).inject();
        team.until_held(X);
        for (old, new) in [(V1, V2), (V2, V3), (V3, V4)] {
            let now = team.now_s();
            team.restart(new, false);
            // t_sync of both cases: t_peer with its jitter, and the delay.
            for step in 1..=24 {
                team.run_until(now + 0.5 * f64::from(step));
                assert!(!team.aware().is_empty() || !team.done(X).is_empty(), "seed {seed}, {now}");
            }
            team.kill(old);
        }
        team.run_until(140.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}");
    }
}

// ---- Claim 2: task duplication ----

/// The star of the specification: V1 hears everybody, the others hear V1 only.
fn star(variant: Variant) -> Team {
    let mut team = Team::of(variant, 5);
    team.only(&[(V1, USER), (V1, V2), (V1, V3), (V1, V4), (V1, V5)]);
    team
}

/// Claim 2 as printed is false: V5 gets a status report to *a* vehicle (V1) every t_status, and X is done twice. A peer
/// that does not hear V5 challenges, and V1, which does, is silent (W5).
#[test]
fn claim_2_as_printed_is_false_in_a_star() {
    let mut team = star(Drawn);
    team.inject();
    assert_eq!(team.until_held(X), V5);
    team.run_until(100.0);
    assert!(team.done(X).len() > 1, "{:?}", team.done(X));
}

/// Claim 2 holds with the fixes: whoever has heard V5 lately says so (F4).
#[test]
fn claim_2_holds_in_a_star_with_the_fixes() {
    for seed in 0..10 {
        let mut team = star(Fenced).seeded(seed);
        team.inject().run_until(100.0);
        assert_eq!(team.done(X).len(), 1, "seed {seed}: {:?}", team.world.executions);
    }
}

/// Claim 2 in a mesh, as drawn and as mended: nothing is lost, so only one does it, and nobody ever challenges.
#[test]
fn claim_2_holds_where_everybody_hears_everybody() {
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..5).map(move |seed| (variant, seed))) {
        let mut team = Team::of(variant, 5).seeded(seed);
        team.inject().run_until(100.0);
        assert_eq!(team.done(X).len(), 1, "{variant:?}");
        assert_eq!(team.count("Challenge"), 0, "{variant:?}");
    }
}

/// Claim 2, the proof: "unable to communicate", "persisted until one of the vehicles executed the task": then two do,
/// whatever the protocol, and with F5 both are told when they meet again.
#[test]
fn claim_2_does_not_hold_across_a_partition_that_outlasts_execution() {
    for variant in Variant::ALL {
        let mut team = Team::of(variant, 5);
        team.inject();
        assert_eq!(team.until_held(X), V5);
        team.isolate(V5).run_until(80.0);
        assert_eq!(team.done(X).len(), 2, "{variant:?}");
        team.heal().run_until(90.0);
        let duplicates = team.robots.values().map(|node| node.noted(|step| matches!(step, Step::Duplicate { .. })));
        assert_eq!(duplicates.sum::<usize>() > 0, variant == Fenced, "{variant:?}");
    }
}

/// §2.1: "t_peer will vary based on the type of task and assigned vehicle".
#[test]
fn t_peer_is_that_of_the_task() {
    let silence = Some(Duration::from_secs(60));
    let group = group_of(Brief { silence, ..brief() }, 0);
    let mut node = vehicle(V2, 20.0);
    node.check(
        0.0,
        hears(V5, status(about(&group), ballot(1, V1), holder(V5, 200.0), 1)),
        &[set(Timer::Peer(X), 60.0)],
    );
}

/// The same of the vehicle: it says how long it will be silent, and is.
#[test]
fn t_peer_is_that_of_the_vehicle() {
    let silence = Some(Duration::from_secs(60));
    let mut stealthy = Node::new(
        V5,
        Point::new(TARGET.x + 14.6, TARGET.y),
        config(Drawn, 6),
        Vehicle { silence, ..Vehicle::hotspot() },
    );
    stealthy.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    stealthy.give_at(3.0, hears(V1, assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V5, 107.0))], 7.0)));
    let outputs = stealthy.give(hears(V1, accept_ack()));
    let report = sent(&outputs).next().expect("a report").1.clone();
    // It reports as much less often as its peers are more patient: every 6 s.
    assert!(outputs.contains(&set(Timer::Status(X), 9.0)), "{outputs:?}");
    let mut node = vehicle(V2, 20.0);
    node.give_at(3.0, hears(V5, report));
    assert_eq!(node.timers.deadline(Timer::Peer(X)), Some(at(63.0)));
}

/// §2.1: "The transmission time of status and challenge messages should also be randomized".
#[test]
fn status_and_challenge_times_are_randomised() {
    let mut node = peer(V2);
    node.dice = Dice::most();
    node.give_at(1.0, hears(V5, report(2)));
    let deadline = node.timers.deadline(Timer::Peer(X)).expect("it watches").as_secs_f64();
    assert!((11.9..12.0).contains(&deadline), "{deadline}");
    let mut team = Team::of(Drawn, 5).seeded(7);
    team.inject().run_until(20.0);
    let times: Vec<Time> = team.sent("Status").map(|sent| sent.at).collect();
    let gaps: BTreeSet<u64> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_micros()).collect();
    assert!(gaps.len() > 10 && gaps.iter().all(|gap| (1_000_000..1_100_000).contains(gap)), "{gaps:?}");
}

/// §2.1: "communications cognizantly fail, to allow queuing and retransmission of the latest status report when the
/// link is again available".
#[test]
fn the_latest_status_is_queued_while_the_link_is_known_to_be_down() {
    let mut node = assigned();
    node.give_at(5.5, Given::Senses(Percept::Link(false)));
    assert_eq!(node.said_until(9.2), []);
    let outputs = node.give_at(9.2, Given::Senses(Percept::Link(true)));
    assert_eq!(said(&outputs), ["Status"], "the latest, and only that");
}

/// §2.1: nobody is blamed for what could not be heard: a PEER whose own link was down does not challenge at once.
#[test]
fn a_peer_does_not_challenge_over_a_link_that_is_known_to_be_down() {
    let mut node = peer(V2);
    node.give_at(5.0, Given::Senses(Percept::Link(false)));
    assert_eq!(node.said_until(25.0), []);
    node.give_at(25.0, Given::Senses(Percept::Link(true)));
    assert_eq!(node.said_until(34.9), []);
    assert_eq!(node.said_until(35.0).len(), 1, "but t_peer later it does");
}

/// §2.1: "the primary reaction to poor communications must be to expand the timeout periods". With the fixes; as drawn
/// nothing is measured.
#[test]
fn time_outs_expand_with_the_measured_loss() {
    let patience = |variant, every: u32| {
        let mut node = Node::vehicle(V2, 20.0, config(variant, 6));
        for n in 0..60 {
            node.give_at(
                f64::from(n * every),
                hears(V5, status(about(&group()), ballot(1, V1), holder(V5, 900.0), n * every)),
            );
        }
        (node.timers.deadline(Timer::Peer(X)).expect("it watches") - node.now).as_secs_f64()
    };
    assert_eq!(patience(Fenced, 1), 10.0);
    // Two of three reports lost: 0.67^22 < 1e-4.
    assert!((18.0..26.0).contains(&patience(Fenced, 3)), "{}", patience(Fenced, 3));
    assert!((18.0..26.0).contains(&patience(Variant::Written, 3)), "{}", patience(Variant::Written, 3));
    assert_eq!(patience(Drawn, 3), 10.0);
}

// ---- Claim 3: communication load ----

/// Claim 3: L = T (2V + 3) + t_dur T / t_status + T, term by term, of one task that nothing goes wrong with. As drawn
/// the LEAD acknowledges the acceptance, too, so 2V + 4; V are the other bidders, because the LEAD does not bid by
/// radio; and the injection is not counted.
#[test]
fn claim_3_message_count_of_one_task() {
    let mut team = Team::of(Drawn, 5);
    team.inject().run_until(100.0);
    let count = |kind| team.count(kind);
    let bidding = ["Solicitation", "Bid", "BidAck", "Assignment", "Accept", "AcceptAck"].map(count);
    assert_eq!(bidding, [1, 4, 4, 1, 1, 1]);
    assert_eq!(bidding.iter().sum::<usize>(), 2 * 4 + 4);
    // Not in the formula: the task, a claim of each of five, one acknowledgement.
    assert_eq!(["Task", "ClaimLead(user)", "AckLead"].map(count), [1, 5, 1]);
    // t_dur / t_status, and one at once: from 3.3 s, when it is queued, to 21.35 s, when it is announced.
    let pending = team.sent("Completion").next().expect("one").at - team.sent("Status").next().expect("one").at;
    assert_eq!(pending.as_secs_f64(), 18.05);
    assert_eq!(count("Status"), 18 + 1);
    // L_execute = 1.
    assert_eq!(count("Completion"), 1);
    // "During normal execution" there is nothing else.
    assert_eq!(team.log.len(), 12 + 7 + 19 + 1);
}

/// Claim 3 for coupled tasks: they share one solicitation and one bid, so bidding takes 1 + 2V + 3T, not T (2V + 4);
/// again the LEAD neither bids nor accepts by radio.
#[test]
fn claim_3_message_count_of_a_group() {
    let mut team = doug(Drawn);
    team.order(USER, Order::Inject(mission())).run_until(6.0);
    // Three vehicles, the LEAD among them: two others bid, two others win.
    let bidding = ["Solicitation", "Bid", "BidAck", "Assignment", "Accept", "AcceptAck"].map(|kind| team.count(kind));
    assert_eq!(bidding, [1, 2, 2, 2, 2, 2]);
}

/// §2.1: status load is 1 / t_status per pending task, whoever many watch.
#[test]
fn claim_3_status_load_grows_with_tasks_not_with_vehicles() {
    let statuses = |tasks: u32, vehicles| {
        let mut team = Team::of(Drawn, vehicles);
        for n in 0..tasks {
            team.order(USER, Order::Inject(brief_of(TaskId(10 + n))));
        }
        team.run_until(17.3);
        let since = |sent: &&Sent| sent.at > at(7.3);
        team.sent("Status").filter(since).count()
    };
    assert_eq!([statuses(1, 3), statuses(1, 5), statuses(3, 5)], [10, 10, 30]);
}
