use super::*;
use crate::event::Happening;
use crate::telling::trial::{Trial, check, check_named};
use crate::time::Duration;

const TASK: TaskId = TaskId(0);

fn activated(task: TaskId, overrides: Option<u32>) -> Event {
    let overrides = overrides.map(|robot| (RobotId(robot), Duration::from_secs(30)));
    let (own_s, best) = (Some(20.0), Some((RobotId(3), 25.0)));
    Event::Alliance(Step::Activated { task, planned: false, category: Category::First, overrides, own_s, best })
}

fn quits(task: TaskId, why: Quit) -> Event {
    Event::Alliance(Step::Quit { task, why })
}

/// A robot that takes a task chose itself among those it knows of.
#[test]
fn a_robot_that_takes_a_task_is_an_award() {
    let mut trial = Trial::new();
    let line = trial.tell(1, 1, activated(TASK, Some(2)));
    assert_eq!(line.text, "takes t0 over from r2, at it for 30.0 s: expects to do it in 20.0 s");
    let award = line.award.clone().expect("it is an award");
    assert_eq!((award.by, award.chosen.robot, award.taken_from), (RobotId(1), RobotId(1), Some(RobotId(2))));
    assert_eq!(award.chosen.value, Some(Value::Expected(20.0)));
    let others: Vec<_> = award.others.iter().map(|offer| (offer.robot.0, offer.value)).collect();
    assert_eq!(others, [(3, Some(Value::Expected(25.0))), (2, None)]);
    assert!([1, 2, 3].iter().all(|robot| line.concerns(RobotId(*robot))));
    assert_eq!((line.gist.fact, line.gist.weight), (Some(Fact::Has(RobotId(1))), Weight::Decision));
    let line = trial.tell(2, 1, quits(TASK, Quit::Yielded { to: RobotId(4) }));
    assert_eq!((&*line.text, line.gist.fact), ("yields t0 to r4", Some(Fact::GivesUp(RobotId(1)))));
    assert!(line.concerns(RobotId(4)) && line.award.is_none());
}

/// Why nobody did it: who knows of it and is busy or patient, and what became of those that began.
#[test]
fn nobody_says_every_reason() {
    let mut trial = Trial::new();
    for robot in 1..=4 {
        let line = trial.tell(1, robot, Event::Alliance(Step::Noticed { task: TASK }));
        assert_eq!(line.gist.weight, Weight::Detail);
    }
    trial.tell(2, 1, activated(TaskId(1), None));
    check(
        &trial.nobody(0),
        &[
            ("known", 4, "known to 4 robots that could do it"),
            ("busy", 1, "busy: 1 robot at other tasks"),
            ("patient", 3, "not impatient enough yet: 3 robots"),
        ],
    );
    assert!(!trial.under_way(0));
    for (robot, why) in [(2, Quit::Hopeless), (3, Quit::Blocked), (4, Quit::Yielded { to: RobotId(2) })] {
        trial.tell(3, robot, activated(TASK, None));
        trial.tell(4, robot, quits(TASK, why));
    }
    trial.tell(5, 2, activated(TASK, None));
    trial.tell(6, 2, Event::Happened(Happening::Stopped));
    trial.tell(7, 3, activated(TASK, None));
    check(
        &trial.nobody(0),
        &[
            ("known", 3, "known to 3 robots that could do it"),
            ("busy", 1, "busy: 1 robot at other tasks"),
            ("patient", 1, "not impatient enough yet: 1 robot"),
            ("begun", 5, "begun 5 times"),
            ("hopeless", 1, "given up after trying for too long: once"),
            ("blocked", 1, "given up for want of a way there: once"),
            ("yielded", 1, "left to another: once"),
            ("broke_down", 1, "the robot broke down at it: once"),
            ("under_way", 1, "r3 is at it"),
        ],
    );
    assert!(trial.under_way(0));
    trial.tell(9, 3, Event::Alliance(Step::Done { task: TASK, took: Duration::from_secs(2) }));
    check(&trial.nobody(0), &[]);
    assert_eq!(trial.untaken(), [1]);
}

/// A task whose only robot has stopped before it began is told.
#[test]
fn a_task_that_nobody_knows_of_any_more_is_told() {
    let mut trial = Trial::new();
    trial.tell(1, 2, Event::Alliance(Step::Noticed { task: TASK }));
    trial.tell(2, 2, Event::Happened(Happening::Stopped));
    assert_eq!(trial.untaken(), [0, 1]);
    check(&trial.nobody(0), &[("forgotten", 1, "nobody that is up knows of it"), ("trouble", 1, "r2 has stopped")]);
}

/// A task that was called off is none that nobody took, though every robot was idle when it heard so.
#[test]
fn a_task_that_was_called_off_says_so() {
    let noticed = || Event::Alliance(Step::Noticed { task: TASK });
    let called_off = ("called_off", 1, "called off: it need not be done any more");
    let mut trial = Trial::new();
    for robot in 1..=2 {
        trial.tell(1, robot, noticed());
    }
    assert_eq!(trial.untaken(), [0, 1]);
    for robot in 1..=2 {
        let line = trial.tell(2, robot, Event::Alliance(Step::CalledOff { task: TASK }));
        assert_eq!((&*line.text, line.gist.weight), ("hears that t0 was called off", Weight::Detail));
    }
    check(&trial.nobody(0), &[called_off]);
    assert_eq!(trial.untaken(), [1]);
    trial.tell(3, 1, noticed());
    let known =
        [("known", 1, "known to 1 robot that could do it"), ("patient", 1, "not impatient enough yet: 1 robot")];
    check(&trial.nobody(0), &known);
    assert_eq!(trial.untaken(), [0, 1], "it is wanted anew");
    trial.tell(4, 1, activated(TASK, None));
    trial.tell(5, 1, quits(TASK, Quit::CalledOff));
    check(&trial.nobody(0), &[("begun", 1, "begun once"), called_off]);
    assert_eq!(trial.untaken(), [1]);
}

/// Every step is about every robot that its sentence names.
#[test]
fn steps_concern_those_they_name() {
    for (event, named) in [
        (activated(TASK, None), &[3][..]),
        (activated(TASK, Some(2)), &[2]),
        (quits(TASK, Quit::Yielded { to: RobotId(4) }), &[4]),
        (quits(TASK, Quit::Tie { with: RobotId(5) }), &[5]),
        (quits(TASK, Quit::Hopeless), &[]),
    ] {
        let line = Trial::new().tell(1, 0, event);
        check_named(&line, named);
        assert!(!line.concerns(RobotId(8)), "{}", line.text);
    }
}
