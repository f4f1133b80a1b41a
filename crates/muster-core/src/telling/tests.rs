use super::trial::{Trial, check, check_named};
use super::*;
use crate::event::Drop;
use crate::panel::Family;

/// What no mechanism notes is about every robot that its sentence names, too.
#[test]
fn notes_common_to_all_concern_those_they_name() {
    let (family, why) = (Family::Call, Drop::Late);
    check_named(&Trial::new().tell(1, 0, Event::Dropped { with: RobotId(7), message: "HELP", family, why }), &[7]);
    let happening = Happening::CutOver { between: (RobotId(5), RobotId(6)), more: 0 };
    check_named(&Trial::new().tell(1, 0, Event::Happened(happening)), &[5, 6]);
}

/// What somebody does about a task makes no robot know of it; that the robot to be told has stopped is a reason.
#[test]
fn a_task_that_nobody_was_told_of_says_so() {
    let unnoticed = ("unnoticed", 1, "no robot noted anything about it");
    let asked = Intervened {
        author: "console".into(),
        sentence: "tells r4 of t0".into(),
        tasks: vec![TaskId(0)],
        robots: vec![RobotId(4)],
        effect: None,
        calls_off: false,
    };
    let mut trial = Trial::new();
    trial.tell(1, RobotId::NOBODY.0, Event::Intervened(Arc::new(asked)));
    check(&trial.nobody(0), &[unnoticed]);
    trial.tell(1, 4, Event::Happened(Happening::Untold { task: TaskId(0) }));
    check(&trial.nobody(0), &[unnoticed, ("untold", 1, "r4, which was to be told, has stopped")]);
    assert_eq!(trial.untaken(), [0, 1]);
    let took = crate::time::Duration::from_secs(2);
    trial.tell(9, 3, Event::Alliance(alliance::Step::Done { task: TaskId(0), took }));
    check(&trial.nobody(0), &[]);
    assert_eq!(trial.untaken(), [1], "another was told");
}

/// What somebody called off before any robot knew of it is nobody's to take, and says so to whoever asks.
#[test]
fn a_task_that_is_called_off_unnoticed_is_not_to_be_taken() {
    let cancels = Intervened {
        author: "console".into(),
        sentence: "cancels t0".into(),
        tasks: vec![TaskId(0)],
        robots: Vec::new(),
        effect: None,
        calls_off: true,
    };
    let mut trial = Trial::new();
    assert_eq!(trial.untaken(), [0, 1]);
    trial.tell(1, RobotId::NOBODY.0, Event::Intervened(Arc::new(cancels)));
    assert_eq!(trial.untaken(), [1]);
    check(&trial.nobody(0), &[("called_off", 1, "called off: it need not be done any more")]);
}

/// Where no robot knows of a task, the reason is often that something is wrong with those that should.
#[test]
fn a_task_that_nobody_knows_of_tells_who_is_in_trouble() {
    let mut trial = Trial::new();
    let lasts = crate::time::Duration::from_secs(10);
    trial.tell(1, 4, Event::Happened(Happening::Stopped));
    trial.tell(2, 5, Event::Happened(Happening::Hangs { lasts }));
    trial.tell(3, 6, Event::Happened(Happening::Deaf { lasts }));
    let unnoticed = ("unnoticed", 1, "no robot noted anything about it");
    check(&trial.nobody(0), &[unnoticed, ("trouble", 3, "r4 has stopped, r5 hangs, r6 is deaf")]);
    trial.tell(12, 5, Event::Happened(Happening::Recovered));
    trial.tell(13, 4, Event::Happened(Happening::SwitchedOn));
    check(&trial.nobody(0), &[unnoticed]);
    for robot in 0..7 {
        trial.tell(14, robot, Event::Happened(Happening::Stopped));
    }
    let all = "r0 has stopped, r1 has stopped, r2 has stopped, r3 has stopped, r4 has stopped, and 2 more";
    check(&trial.nobody(0), &[unnoticed, ("trouble", 7, all)]);
}

/// What the radio does concerns every robot.
#[test]
fn what_the_radio_does_concerns_everybody() {
    let line = Trial::new().tell(1, RobotId::NOBODY.0, Event::Happened(Happening::Rejoined));
    assert!(line.concerns(RobotId(0)) && line.concerns(RobotId(7)));
    assert!(!Trial::new().tell(1, 3, Event::Happened(Happening::Stopped)).concerns(RobotId(0)));
}

/// A body flies on while its computer hangs: what it does then is done, though nobody notes it.
#[test]
fn a_task_that_is_done_unawares_is_done() {
    let holds = tasking::Holder { robot: RobotId(3), at: super::trial::seconds(5), heading: 0 };
    let mut trial = Trial::new();
    for task in [TaskId(0), TaskId(1)] {
        trial.tell(1, 3, Event::Tasking { task, step: tasking::Step::Holds { holder: holds, epoch: 1 } });
    }
    let line = trial.tell(5, 3, Event::Happened(Happening::DoneUnawares { task: TaskId(0) }));
    assert_eq!(line.text, "has done t0 while it hangs, and does not know it yet");
    assert_eq!((line.gist.kind, line.is_about(TaskId(0))), (Kind::World, true));
    check(&trial.nobody(0), &[]);
    assert_eq!(trial.untaken(), [1]);
}

fn remark(kind: Kind, fact: Option<Fact>) -> Event {
    let gist = Gist { fact, ..Gist::of(kind, Some(TaskId(0))) };
    Event::Other(Arc::new(Remark::new(gist, ["finds no way to".into(), TaskId(0).into()])))
}

/// Remarks of a mechanism from elsewhere are counted by what they establish; whoever has a task is taken at its word.
#[test]
fn remarks_say_why_nobody() {
    let mut trial = Trial::new();
    trial.tell(1, 0, remark(Kind::Call, Some(Fact::Calls(1))));
    trial.tell(2, 1, remark(Kind::Offer, None));
    check(
        &trial.nobody(0),
        &[
            ("noted", 2, "2 notes about it, by which nobody has it"),
            ("called", 1, "called for once"),
            ("offered", 1, "offers: 1"),
        ],
    );
    let has = |robot| Some(Fact::Has(RobotId(robot)));
    trial.tell(3, 0, remark(Kind::Award, has(1)));
    check(&trial.nobody(0), &[]);
    assert_eq!(trial.untaken(), [1]);
    trial.tell(4, 1, remark(Kind::Trouble, Some(Fact::GivesUp(RobotId(1)))));
    trial.tell(5, 0, remark(Kind::Award, has(2)));
    trial.tell(6, 2, Event::Happened(Happening::Stopped));
    let reasons = [
        ("noted", 5, "5 notes about it, by which nobody has it"),
        ("called", 1, "called for once"),
        ("offered", 1, "offers: 1"),
        ("given_up", 1, "given up: once"),
        ("broke_down", 1, "the robot broke down at it: once"),
        ("trouble", 1, "trouble: once, the last: r1 finds no way to t0"),
    ];
    check(&trial.nobody(0), &reasons);
    assert_eq!(trial.untaken(), [0, 1]);
    trial.tell(7, 4, remark(Kind::Done, None));
    check(&trial.nobody(0), &[]);
}

/// What came to nothing is told with when it was done, in the words of what was done.
#[test]
fn what_came_to_nothing_names_what_was_done() {
    let made = Intervened {
        author: "ops".into(),
        sentence: "stops r4".into(),
        tasks: Vec::new(),
        robots: vec![RobotId(4)],
        effect: None,
        calls_off: false,
    };
    let mut trial = Trial::new();
    let line = trial.tell(8, 4, Event::Intervened(Arc::new(made)));
    assert_eq!(line.text, "intervenes: stops r4");
    let line = trial.tell(9, 4, Event::Happened(Happening::CameToNothing { made: 0 }));
    assert_eq!(line.text, "intervened at 8.0 s to no effect: stops r4");
}
