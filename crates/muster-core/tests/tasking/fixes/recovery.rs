//! Faults stop, and the team recovers.

use super::*;

/// Something goes wrong with one of six nodes, or all is well again, or nothing happens.
fn strike(team: &mut Team, faults: &mut Stream) {
    let one = RobotId(faults.below(6));
    match faults.below(12) {
        0 => drop(team.isolate(one)),
        1 => drop(team.split(&[one, RobotId(faults.below(6))])),
        2 => drop(team.restart(one, true)),
        3..6 => drop(team.heal()),
        _ => {}
    }
}

/// Loss, cuts and restarts for a minute; then nothing goes wrong any more, and every order is done, known to be done by
/// everybody, and not done twice by vehicles that could hear each other. At no time does nobody know of it (P1).
#[test]
fn p1_faults_stop_and_everything_is_done() {
    for seed in 0..60 {
        let mut faults = Stream::of_run(seed, Purpose::Faults);
        let mut team = far(Fenced, 5).seeded(seed);
        team.loss = 0.25;
        team.inject();
        team.order(USER, Order::Inject(Brief { task: Task { id: TaskId(20), ..brief().task }, ..mission() }));
        let tasks = [X, TaskId(20), TaskId(21), TaskId(22)];
        for second in 5..65 {
            team.run_until(f64::from(second));
            strike(&mut team, &mut faults);
            for task in tasks {
                let known = team.robots.values().any(|node| node.machine.is_aware_of(task));
                assert!(known || !team.done(task).is_empty(), "seed {seed}: {task} is lost at {second} s");
            }
        }
        team.heal().loss = 0.0;
        team.run_until(600.0);
        for task in tasks {
            assert!(!team.done(task).is_empty(), "seed {seed}: {task} was not done");
        }
        for node in team.robots.values() {
            assert!(node.machine.is_quiet(), "seed {seed}: {} does not know that all is done", node.id());
        }
    }
}

/// The USER changes its mind twice, under faults: when they stop, everybody comes to know the last word, and then there
/// is nothing more to say.
#[test]
fn w16_faults_stop_and_everybody_knows_the_last_word() {
    for seed in 0..60 {
        let mut faults = Stream::of_run(seed, Purpose::Faults);
        let mut team = far(Fenced, 5).seeded(seed);
        team.loss = 0.25;
        team.order(USER, Order::Inject(Brief { expires: (seed % 3 == 0).then(|| at(30.0)), ..brief() }));
        let cancels = seed % 2 == 0;
        for second in 5..50 {
            team.run_until(f64::from(second));
            strike(&mut team, &mut faults);
            match second {
                15 => drop(team.order(USER, Order::Modify(brief()))),
                25 => drop(team.order(USER, Order::Modify(Brief { priority: 1, ..brief() }))),
                35 if cancels => drop(team.order(USER, Order::Cancel(X))),
                _ => {}
            }
        }
        team.heal().loss = 0.0;
        team.run_until(300.0);
        assert_eq!(team.done(X).is_empty(), cancels, "seed {seed}: {:?}", team.world.executions);
        for node in team.robots.values() {
            assert_eq!(node.order().is_cancelled(), cancels, "seed {seed}: {}", node.id());
            assert!(node.machine.is_quiet(), "seed {seed}: {}", node.id());
            assert_eq!(node.order().group().version, 2, "seed {seed}: {}", node.id());
        }
        let late = team.log.iter().filter(|sent| sent.at > at(250.0) && sent.message.name() != "Done").count();
        assert_eq!(late, 0, "seed {seed}: no end of talk");
    }
}

/// Radio silence is no loss: reports that were not sent are not counted.
#[test]
fn reports_that_silence_forbids_are_not_missed() {
    let silent = Config { silence: Some((at(13.0), at(20.0))), ..config(Fenced, 6) };
    let mut team = Team::with(silent, 5).seeded(1);
    team.inject().run_until(22.0);
    assert!(team.sent("Status").any(|sent| sent.at > at(20.0)), "it was held through the silence");
    for node in team.robots.values() {
        assert_eq!(node.machine.link().loss(), 0.0, "{}", node.id());
    }
}
