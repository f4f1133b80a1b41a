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

/// What came to nothing is told with when it was done, in the words of what was done.
#[test]
fn what_came_to_nothing_names_what_was_done() {
    let made = Intervened {
        author: "ops".into(),
        sentence: "stops r4".into(),
        tasks: Vec::new(),
        robots: vec![RobotId(4)],
        effect: None,
    };
    let mut trial = Trial::new();
    let line = trial.tell(8, 4, Event::Intervened(Arc::new(made)));
    assert_eq!(line.text, "intervenes: stops r4");
    let line = trial.tell(9, 4, Event::Happened(Happening::CameToNothing { made: 0 }));
    assert_eq!(line.text, "intervened at 8.0 s to no effect: stops r4");
}
