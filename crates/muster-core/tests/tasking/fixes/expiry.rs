//! Expiry, priority, and what a vehicle can make beside its queue.

use super::*;

/// An order expires: nobody does it afterwards, and whoever hears of it later does not begin.
#[test]
fn an_order_expires() {
    let brief = Brief { expires: Some(at(20.0)), ..brief() };
    for variant in Variant::ALL {
        let mut team = far(variant, 4).seeded(1);
        team.order(USER, Order::Inject(brief));
        // Nobody can be there in time, so nobody is assigned it.
        team.run_until(20.1);
        assert_eq!(team.holders(X), [], "{variant:?}");
        team.run_until(200.0);
        assert_eq!(team.done(X), [], "{variant:?}");
    }
    let group = group_of(brief, 0);
    let mut node = fenced(V2);
    node.now = at(21.0);
    node.drops(hears(V5, status(about(&group), ballot(1, V1), holder(V5, 60.0), 1)), Drop::Late);
}

/// No plan has a time past the expiry of its order, neither of one task nor of a mission whose last phase would come too
/// late: whatever is planned can be done in time.
#[test]
fn no_plan_has_a_time_past_the_expiry() {
    for (variant, order) in [(Drawn, brief()), (Fenced, brief()), (Drawn, mission()), (Fenced, mission())] {
        let mut planned = 0;
        for expires in (12..60).map(|seconds| at(f64::from(seconds))) {
            let mut team = Team::of(variant, 5).seeded(1);
            team.order(USER, Order::Inject(Brief { expires: Some(expires), ..order })).run_until(120.0);
            let told = team.log.iter().filter_map(|sent| match &sent.message {
                Message::Assignment { plan, .. } => Some(plan.iter().map(|(_, holder)| holder.at)),
                _ => None,
            });
            // A LEAD that wins its own task says nothing.
            let noted = team.events().filter_map(|(_, event)| match event {
                Event::Tasking { step: Step::Assigned { holder, .. }, .. } => Some(holder.at),
                _ => None,
            });
            for time in told.flatten().chain(noted) {
                assert!(time <= expires, "{variant:?}: planned for {time}, expires at {expires}");
                planned += 1;
            }
            for (task, by, time) in &team.world.executions {
                assert!(*time <= expires, "{variant:?}: {task} done by {by} at {time}, expires at {expires}");
            }
        }
        assert!(planned > 0, "{variant:?}: nothing was planned at all");
    }
}

/// An order expires for a node that has restarted, too.
#[test]
fn an_order_expires_after_a_restart() {
    let group = group_of(Brief { expires: Some(at(20.0)), ..brief() }, 0);
    let mut node = fenced(V2);
    node.give(hears(V5, status(about(&group), ballot(1, V1), holder(V5, 60.0), 1)));
    let mut down_then = node.clone();
    node.give_at(5.0, Given::Restarts);
    node.until(20.0);
    assert!(node.order().is_cancelled());
    down_then.give_at(30.0, Given::Restarts);
    assert!(!down_then.until(30.1).is_aware());
}

/// An urgent task takes a vehicle away from a less urgent one, is done when it should be, and the other is auctioned
/// again: nothing is lost.
#[test]
fn an_urgent_task_displaces_a_less_urgent_one() {
    let urgent = TaskId(20);
    for variant in Variant::ALL {
        let mut team = Team::of(variant, 1);
        team.inject();
        team.until_held(X);
        team.run_until(5.0).order(USER, Order::Inject(Brief { priority: 5, ..brief_of(urgent) }));
        assert_eq!(team.until_held(urgent), V1);
        let planned = team.node(V1).machine.held().iter().find(|held| held.task == urgent).expect("held").at;
        team.run_until(150.0);
        let when = |task| team.world.executions.iter().find(|(done, ..)| *done == task).map(|(_, _, at)| *at);
        assert_eq!(when(urgent), Some(planned), "{variant:?}: the urgent one is on time");
        assert_eq!(team.done(X), [V1], "{variant:?}: the other is done, too");
        assert_eq!(team.node(V1).noted(|step| *step == Step::HandedBack), 1, "{variant:?}");
    }
}

/// The displaced task goes to another vehicle if there is one that can.
#[test]
fn a_displaced_task_is_bid_for_again() {
    let urgent = TaskId(20);
    let mut team = Team::of(Fenced, 3).seeded(1);
    // V3 only can do what is urgent.
    team.robot_mut(V3).body.percepts = Percepts::only(0).and(Percepts::only(1));
    team.inject();
    assert_eq!(team.until_held(X), V3);
    // 30 m north of V3, which could be at X in passing else.
    let task = Task { id: urgent, needs: Percepts::only(1), place: Point::new(TARGET.x + 14.6, TARGET.y + 30.0) };
    team.run_until(5.0).order(USER, Order::Inject(Brief { task, priority: 5, ..brief_of(urgent) }));
    team.run_until(150.0);
    assert_eq!(team.done(urgent), [V3]);
    assert_eq!(team.done(X), [V2]);
}

/// A task that is as urgent displaces nothing.
#[test]
fn an_equally_urgent_task_waits_its_turn() {
    let mut team = Team::of(Fenced, 1);
    team.inject();
    team.until_held(X);
    let planned = team.node(V1).machine.held()[0].at;
    team.run_until(5.0).order(USER, Order::Inject(brief_of(TaskId(20)))).run_until(150.0);
    assert_eq!(team.world.executions[0], (X, V1, planned));
    assert_eq!(team.done(TaskId(20)), [V1]);
    assert_eq!(team.node(V1).noted(|step| *step == Step::HandedBack), 0);
}

/// A vehicle that is blocked, or late, gives its task back.
#[test]
fn a_vehicle_that_cannot_do_it_after_all_hands_the_task_back() {
    let mut node = assigned(brief());
    let outputs = node.give_at(20.0, Given::Senses(Percept::Blocked));
    assert_eq!(said(&outputs), ["Solicitation"]);
    assert!(!node.holds(X));
    assert_eq!(node.order().lead().map(|lead| lead.ballot), Some(ballot(2, V5)));
    // 60 s, and twice the tolerance of 2 s.
    let mut node = assigned(brief());
    node.until(63.9);
    assert!(node.holds(X));
    node.until(64.0);
    assert_eq!(node.noted(|step| *step == Step::HandedBack), 1);
    assert!(node.order().lead().is_some());
}
