use super::*;
use crate::event::Happening;
use crate::robot::{Percepts, Point};
use crate::task;
use crate::tasking::group::Member;
use crate::tasking::{Ballot, Hitch};
use crate::telling::trial::{Trial, check, check_named, seconds};
use crate::time::Duration;

const TASK: TaskId = TaskId(0);

fn event(step: Step) -> Event {
    Event::Tasking { task: TASK, step }
}

fn grid() -> Grid {
    Grid { step: Duration::from_secs(5), times: 2, headings: 1 }
}

fn solicited(epoch: u32) -> Event {
    let member = Member {
        kind: task::Kind(1),
        place: Point::new(31.8, 27.9),
        needs: Percepts::NONE,
        loads: 0,
        since: Time::ZERO,
    };
    event(Step::Solicited { epoch, t0: seconds(10), grid: grid(), index: 0, member })
}

fn surface(costs: [u32; 2]) -> Option<Surface> {
    Some(Surface::new(costs))
}

fn heard(from: u32, surface: Option<Surface>) -> Event {
    event(Step::BidHeard { from: RobotId(from), least: surface.as_ref().and_then(Surface::least), surface })
}

fn holder(robot: u32) -> Holder {
    Holder { robot: RobotId(robot), at: seconds(15), heading: 0 }
}

fn assigned(robot: u32, cost: u32) -> Step {
    Step::Assigned { holder: holder(robot), cost, cheapest: (RobotId(0), 250), bids: 3 }
}

/// An assignment is an award among all bids, the LEAD's own included, which nobody else hears of.
#[test]
fn an_assignment_is_an_award_among_all_bids() {
    let mut trial = Trial::new();
    trial.tell(1, 0, solicited(3));
    trial.tell(2, 0, heard(1, surface([300, 410])));
    trial.tell(2, 0, heard(2, None));
    let line = trial.tell(3, 0, event(Step::OwnBid { surface: surface([u32::MAX, 250]), means: Means::Enough }));
    assert_eq!((&*line.text, line.gist.weight), ("would do t0 itself: 2.50 at best", Weight::Detail));
    let line = trial.tell(3, 0, event(assigned(1, 410)));
    assert!(line.text.ends_with("r0 would do it for 2.50, but the group costs least so"), "{}", line.text);
    let award = line.award.clone().expect("it is an award");
    assert_eq!((award.by, award.chosen.robot, award.round), (RobotId(0), RobotId(1), 3));
    assert!(line.text.contains("cost 4.10 of 3 bids"), "{}", line.text);
    assert_eq!(award.chosen.value, Some(Value::Cost(410)), "what the sentence says, not the least of its bid");
    let others: Vec<_> = award.others.iter().map(|offer| (offer.robot.0, offer.value)).collect();
    assert_eq!(others, [(0, Some(Value::Cost(250))), (2, None)]);
    assert!([0, 1, 2].iter().all(|robot| line.concerns(RobotId(*robot))));
}

/// A vehicle that did not accept in time is struck out: what it bid counts no more, though it was cheaper.
#[test]
fn a_bid_that_was_struck_out_is_not_in_the_award() {
    let mut trial = Trial::new();
    trial.tell(1, 0, solicited(1));
    trial.tell(2, 0, heard(1, surface([120, 130])));
    trial.tell(2, 0, heard(2, surface([300, 410])));
    trial.tell(2, 0, heard(3, surface([500, 510])));
    trial.tell(3, 0, event(Step::Deleted { robot: RobotId(1) }));
    let cheapest = (RobotId(2), 300);
    let step = Step::Assigned { holder: holder(2), cost: 300, cheapest, bids: 2 };
    let line = trial.tell(4, 0, event(step));
    let award = line.award.clone().expect("it is an award");
    let others: Vec<_> = award.others.iter().map(|offer| (offer.robot.0, offer.value)).collect();
    assert_eq!(others, [(3, Some(Value::Cost(500)))]);
    assert!(!line.concerns(RobotId(1)));
}

/// What was bid is in the notes, whole, up to the next auction.
#[test]
fn a_lot_holds_every_surface_of_the_last_auction() {
    let noted = Noted { at: seconds(3), robot: RobotId(0) };
    let mut auctions = Auctions::default();
    let mut keep = |event: Event| {
        let Event::Tasking { task, step } = &event else { panic!("a step of an auction") };
        auctions.keep(noted, (*task, step));
        auctions.lot(noted, *task, step)
    };
    assert_eq!(keep(solicited(1)), None);
    keep(heard(7, surface([1, 2])));
    keep(solicited(2));
    keep(heard(1, surface([300, 410])));
    keep(heard(2, None));
    keep(event(Step::OwnBid { surface: surface([u32::MAX, 250]), means: Means::Enough }));
    let lot = keep(event(assigned(1, 410))).expect("it was assigned");
    let bids: Vec<_> = lot.bids.iter().map(|(robot, surface)| (robot.0, surface.samples().to_vec())).collect();
    assert_eq!(bids, [(0, vec![u32::MAX, 250]), (1, vec![300, 410])]);
    assert_eq!((lot.lead, lot.t0, lot.grid, lot.cost), (RobotId(0), seconds(10), grid(), 410));
}

/// Why nobody did it: every reason, with counts.
#[test]
fn nobody_says_every_reason() {
    let mut trial = Trial::new();
    trial.tell(1, 8, event(Step::Injected));
    check(&trial.nobody(0), &[("asked", 1, "asked for by r8"), ("no_lead", 1, "nobody took the lead of it")]);
    let bids = |means| event(Step::Bids { lead: RobotId(0), least: None, surface: None, means });
    for (epoch, count) in [(1, 0), (2, 1)] {
        trial.tell(2, 0, solicited(epoch));
        trial.tell(2, 1, bids(Means::Enough));
        trial.tell(2, 2, bids(Means::Lacking));
        trial.tell(2, 9, bids(Means::Endurance));
        trial.tell(2, 0, heard(1, None));
        trial.tell(2, 0, heard(3, None));
        trial.tell(
            3,
            0,
            event(Step::NoGoodBids { bids: count, relaxed: Leeway::None, why: Hitch::Tied, put_off: None }),
        );
    }
    trial.tell(4, 0, event(assigned(4, 300)));
    trial.tell(5, 0, event(Step::Deleted { robot: RobotId(4) }));
    trial.tell(6, 5, event(Step::Holds { holder: holder(5), epoch: 2 }));
    trial.tell(7, 5, event(Step::HandedBack));
    trial.tell(8, 5, event(Step::Refrained { grants: 1 }));
    trial.tell(8, 5, event(Step::NoQuorum { claims: 1 }));
    trial.tell(9, 6, event(Step::Holds { holder: holder(6), epoch: 2 }));
    trial.tell(10, 6, Event::Happened(Happening::Stopped));
    trial.tell(11, 7, event(Step::Holds { holder: holder(7), epoch: 2 }));
    let reasons = [
        ("asked", 1, "asked for by r8"),
        ("auctioned", 2, "auctioned 2 times"),
        ("no_bids", 1, "no bids: 1 of 2 auctions"),
        ("horizon", 1, "cannot be there before the horizon, 5 s after t0: 1 vehicle"),
        ("endurance", 1, "endurance does not last for it: 1 vehicle"),
        ("unable", 1, "unable: 1 vehicle"),
        ("cannot", 1, "say that they cannot: 1 vehicle"),
        ("no_good_bids", 1, "bids that do not fit: 1 of 2 auctions (none that keeps to what ties its group together)"),
        ("not_accepted", 1, "did not accept in time: once"),
        ("handed_back", 1, "given back: once"),
        ("broke_down", 1, "its vehicle broke down: once"),
        ("refrained", 1, "too few gave leave: once"),
        ("no_quorum", 1, "too few to elect a LEAD: once"),
    ];
    let held = ("under_way", 1, "r7 has it and has not done it yet");
    check(&trial.nobody(0), &[&reasons[..], &[held]].concat());
    assert!(trial.under_way(0));
    trial.tell(12, 7, event(Step::Expired));
    check(&trial.nobody(0), &[&reasons[..], &[("expired", 1, "expired: it is too late for it")]].concat());
    assert!(!trial.under_way(0));
    assert_eq!(trial.untaken(), [0, 1]);
    trial.tell(13, 7, event(Step::Executed { epoch: 2, late: 0 }));
    check(&trial.nobody(0), &[]);
    assert_eq!(trial.untaken(), [1]);
}

/// Every step is about every robot that its sentence names.
#[test]
fn steps_concern_those_they_name() {
    let lead = RobotId(1);
    let bids = |least| Step::Bids { lead, least, surface: None, means: Means::Enough };
    let bid_heard = |least| Step::BidHeard { from: RobotId(2), least, surface: None };
    for (step, named) in [
        (Step::Injected, &[][..]),
        (bids(Some(100)), &[1]),
        (bids(None), &[1]),
        (bid_heard(Some(100)), &[2]),
        (bid_heard(None), &[2]),
        (Step::Assigned { holder: holder(3), cost: 410, cheapest: (RobotId(4), 250), bids: 3 }, &[3, 4]),
        (Step::Deleted { robot: RobotId(4) }, &[4]),
        (Step::Holds { holder: holder(0), epoch: 1 }, &[]),
        (Step::Yielded { to: Ballot::new(4, RobotId(2)) }, &[2]),
        (Step::Elected { epoch: 1, winner: RobotId(3) }, &[3]),
        (Step::HeardDone { by: RobotId(5) }, &[5]),
        (Step::Duplicate { one: RobotId(6), other: RobotId(7) }, &[6, 7]),
    ] {
        let line = Trial::new().tell(1, 0, event(step));
        check_named(&line, named);
        assert!(!line.concerns(RobotId(8)), "{}", line.text);
    }
}

/// A task that was cancelled is none that nobody did, and says so to whoever asks.
#[test]
fn a_task_that_was_cancelled_says_so() {
    let mut trial = Trial::new();
    trial.tell(1, 8, event(Step::Injected));
    assert_eq!(trial.untaken(), [0, 1]);
    trial.tell(2, 8, event(Step::Cancelled));
    assert_eq!(trial.untaken(), [1]);
    let reasons = [
        ("asked", 1, "asked for by r8"),
        ("no_lead", 1, "nobody took the lead of it"),
        ("cancelled", 1, "cancelled: it need not be done any more"),
    ];
    check(&trial.nobody(0), &reasons);
}

/// A phase that is done stays done when its order is asked for anew, at another place.
#[test]
fn a_phase_that_is_done_is_not_told_when_its_order_moves() {
    let mut trial = Trial::new();
    let open = Event::Tasking { task: TaskId(1), step: Step::Injected };
    for at_s in [1, 9] {
        trial.tell(at_s, 8, event(Step::Injected));
        trial.tell(at_s, 8, open.clone());
        if at_s == 1 {
            trial.tell(5, 7, event(Step::Executed { epoch: 1, late: 0 }));
        }
        check(&trial.nobody(0), &[]);
        assert_eq!(trial.untaken(), [1]);
    }
}

/// What came of its auctions counts when an order is asked for anew; a LEAD that asked for no bids is none that nobody was.
#[test]
fn auctions_before_a_change_count() {
    let mut trial = Trial::new();
    trial.tell(1, 8, event(Step::Injected));
    trial.tell(2, 3, event(Step::Leads { epoch: 1 }));
    let asked = ("asked", 1, "asked for by r8");
    check(&trial.nobody(0), &[asked, ("no_lead", 1, "r3 took the lead of it and asked for no bids")]);
    trial.tell(3, 3, solicited(1));
    trial.tell(4, 3, event(Step::NoGoodBids { bids: 0, relaxed: Leeway::None, why: Hitch::NoBids, put_off: None }));
    trial.tell(5, 8, event(Step::Injected));
    check(&trial.nobody(0), &[asked, ("auctioned", 1, "auctioned once"), ("no_bids", 1, "no bids: 1 of 1 auction")]);
}

/// A phase that somebody only claimed is told, too.
#[test]
fn a_phase_that_was_claimed_and_no_more_is_told() {
    let mut trial = Trial::new();
    trial.tell(1, 3, event(Step::Claimed { epoch: 1 }));
    assert_eq!(trial.untaken(), [0, 1]);
    check(&trial.nobody(0), &[("no_lead", 1, "nobody took the lead of it")]);
}
