//! Messages that cannot be.

use super::*;

/// Noted, dropped, and the machine left as it was, by whatever role it has.
#[test]
fn messages_that_cannot_be_are_dropped() {
    let roles = [peer(V2), assigned(brief()), {
        let mut node = fenced(V2);
        node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 12.0)));
        node
    }];
    let of = || about(&group());
    let other = |change: fn(&mut Group)| {
        let mut group = (*group()).clone();
        change(&mut group);
        about(&Arc::new(group))
    };
    let rule = Coupling { a: 0, b: 3, dt_min: None, dt_max: None, dh_min: 0, dh_max: 180_000 };
    let index = |index| Message::Status {
        about: of(),
        ballot: ballot(2, V1),
        index,
        holder: holder(V3, 60.0),
        patience: Duration::ZERO,
        number: LIFE + 1,
        asks: None,
    };
    let mut coupled_to_nothing = (*group()).clone();
    coupled_to_nothing.couplings.push(rule);
    let coupled_to_nothing = about(&Arc::new(coupled_to_nothing));
    let unsound = vec![
        // An unsound group.
        Message::Task { about: other(|group| group.brief.task.place = Point::new(f64::NAN, 0.0)) },
        Message::Task { about: other(|group| group.brief.phases = 0) },
        Message::Task { about: coupled_to_nothing },
        challenge(About { version: 3, ..of() }),
        challenge(About { first: TaskId(11), ..of() }),
        // An index out of range.
        index(1),
        Message::Accept { about: of(), ballot: ballot(1, V1), index: 9 },
        Message::AcceptAck { about: of(), ballot: ballot(1, V1), index: 9 },
        Message::Grant { about: of(), ballot: ballot(1, V1), life: LIFE, index: 9 },
        Message::StatusRelay { about: of(), index: 9, ballot: ballot(3, V1), holder: None, age: Duration::ZERO },
        assignment(of(), ballot(3, V3), &[(7, holder(V4, 60.0))], 12.0),
        // Nothing at all.
        assignment(of(), ballot(3, V3), &[], 12.0),
        Message::Solicitation {
            about: of(),
            ballot: ballot(3, V3),
            phases: Phases::NONE,
            t0: at(90.0),
            closes: at(80.0),
        },
        // In another's name.
        status(of(), ballot(2, V1), holder(V4, 60.0), 2),
        solicitation(of(), ballot(3, V4), 80.0, 90.0),
        assignment(of(), ballot(3, V4), &[(0, holder(V4, 60.0))], 12.0),
        Message::LeadStatus { about: of(), ballot: ballot(3, V4), phases: Phases::first(1), number: 3 },
        // Attempts that no team ever comes to.
        status(of(), ballot(u32::MAX, V1), holder(V3, 60.0), 2),
        claim(of(), u32::MAX),
    ];
    for node in &roles {
        for message in unsound.clone() {
            node.clone().drops(hears(V3, message), Drop::Absurd);
        }
        // Another user's order of the same number, and one with another number of phases.
        node.clone().drops(hears(V3, Message::Task { about: other(|group| group.user = V4) }), Drop::Foreign);
        let longer = Group::new(USER, Brief { phases: 2, ..brief() }, 0);
        node.clone().drops(hears(V3, challenge(about(&longer))), Drop::Foreign);
        // A version that nobody explains.
        node.clone().drops(hears(V3, challenge(About { version: 3, group: None, ..of() })), Drop::Foreign);
        // What is not for this node is not even looked at.
        let mut deaf = node.clone();
        let before = deaf.machine.clone();
        assert_eq!(deaf.give(Given::HearsTo(V3, Recipient::Only(V4), challenge(of()))), []);
        assert_eq!(deaf.machine, before);
    }
}

/// A bid for another number of tasks, or sampled on another grid, is none.
#[test]
fn a_bid_that_does_not_fit_is_dropped() {
    let mut node = fenced(V1);
    let asked = Group::new(USER, brief(), 0);
    node.give(hears(USER, Message::Task { about: about(&asked) }));
    node.give(hears(USER, Message::AckLead { about: about(&asked), lead: V1, epoch: 1 }));
    let mut grid = muster_core::tasking::cost::Grid::mackenzie_2003();
    grid.times = 10;
    let small = Config { grid, ..config(Fenced, 6) };
    let mut other = Node::vehicle(V3, 14.6, small);
    let outputs = other.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 0.0)));
    let foreign = sent(&outputs).find(|(_, message)| message.name() == "Bid").expect("it bids").1.clone();
    node.drops(hears(V3, foreign), Drop::Absurd);
    for costs in [vec![], vec![Quote::Cannot, Quote::Cannot]] {
        node.drops(hears(V3, Message::Bid { about: about(&group()), ballot: ballot(1, V1), costs }), Drop::Absurd);
    }
    assert_eq!(node.order().lead().expect("it leads").bidders().count(), 0);
}

/// A grant for one order does not count for another, whatever its index says.
#[test]
fn a_grant_counts_for_its_own_task_only() {
    let mut node = assigned(at_most_once());
    let group = group_of(brief_of(TaskId(X.0 - 2)), 0);
    node.give(hears(V3, challenge(about(&group))));
    node.give(hears(V3, Message::Grant { about: about(&group), ballot: ballot(1, V1), life: LIFE, index: 2 }));
    assert_eq!(node.machine.held()[0].grants.len(), 1, "its own");
}

/// A deed of a task that the order does not have means nothing. Those of orders that are not known are kept for later
/// (`tombstones.rs`), and change nothing of what is known.
#[test]
fn deeds_that_cannot_be_mean_nothing() {
    let mut node = peer(V2);
    let before = node.machine.clone();
    assert_eq!(node.give(hears(V5, done(&[Deed { index: 3, ..deed(V5, 1.0) }]))), []);
    assert_eq!(node.machine, before);
    let strange = [Deed { first: TaskId(99), ..deed(V5, 1.0) }, Deed { version: 2, ..deed(V5, 1.0) }];
    assert!(said(&node.give(hears(V5, done(&strange)))).is_empty());
    assert_eq!(node.machine.order(X), before.order(X));
}

/// A drop is noted with who sent it and what it was.
#[test]
fn drops_are_noted() {
    let mut node = fenced(V2);
    let named = About { group: None, ..about(&group()) };
    node.give(hears(V5, claim(named, 2)));
    let event = Event::Dropped { with: V5, message: "ClaimLead(peer)", family: Family::Other, why: Drop::Foreign };
    assert_eq!(node.notes.last().map(|note| note.event.clone()), Some(event));
}

/// A number far beyond what anybody has come to would be beyond answering: nobody could ever outbid it.
#[test]
fn attempts_far_ahead_are_dropped() {
    let far = |epoch| {
        [
            claim(about(&group()), epoch),
            Message::AckLead { about: about(&group()), lead: V3, epoch },
            Message::LeadStatus {
                about: about(&group()),
                ballot: ballot(epoch, V3),
                phases: Phases::first(1),
                number: 7,
            },
        ]
    };
    for message in far(1 << 20) {
        peer(V2).drops(hears(V3, message), Drop::Absurd);
    }
    for message in far(1_000) {
        let mut node = peer(V2);
        node.give(hears(V3, message));
        assert!(!node.notes.iter().any(|note| matches!(note.event, Event::Dropped { .. })));
    }
}

/// Nobody agrees to what is planned for another day, and a plan from nowhere does not move later ones.
#[test]
fn a_plan_for_another_day_is_not_accepted() {
    let day_s = 86_400.0;
    let mut node = fenced(V5);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 12.0)));
    let plan = [(0, holder(V5, day_s + 60.0))];
    let outputs = node.give_at(3.0, hears(V1, assignment(about(&group()), ballot(1, V1), &plan, day_s)));
    assert!(!said(&outputs).contains(&"Accept"), "{outputs:?}");
    // It leads then: bids are asked for soon.
    node.until(60.0);
    let soon = |step: &Step| matches!(step, Step::Solicited { t0, .. } if *t0 < at(100.0));
    assert!(node.noted(soon) > 0, "{:?}", node.steps(X));
}

/// A deed that is still to come, and more deeds than one message holds.
#[test]
fn deeds_from_nowhere_are_not_kept() {
    let mut node = fenced(V2);
    let before = node.machine.clone();
    node.give(hears(V5, done(&[deed(V5, 1_000.0)])));
    assert_eq!(node.machine, before);
    let many: Vec<Deed> = (0..51).map(|n| Deed { first: TaskId(100 + n), ..deed(V5, 0.0) }).collect();
    node.drops(hears(V5, done(&many)), Drop::Absurd);
    node.give(hears(V5, done(&many[..50])));
    assert_ne!(node.machine, before);
}

/// A change that would make it another order: nobody else would take it for the same.
#[test]
fn a_change_does_not_change_how_many_tasks_there_are() {
    let mut console = Node::console(USER, config(Fenced, 6));
    console.give(inject(brief()));
    let before = console.machine.clone();
    console.give(Given::Told(Order::Modify(mission())));
    assert_eq!(console.machine, before);
}
