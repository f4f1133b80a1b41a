//! Vehicles before the mission, several users, and the example mission [§3, §4].

use super::*;

/// §3: "deploying a squadron with pre-planned" targets "that could be executed in radio silence. When radio silence is
/// broken, new tasks or constraints could be added".
#[test]
fn a_mission_assigned_before_is_flown_in_radio_silence() {
    for variant in Variant::ALL {
        let silence = Some((at(6.0), at(60.0)));
        let mut team = Team::with(Config { silence, ..config(variant, 6) }, 5);
        team.order(USER, Order::Inject(brief()));
        team.order(USER, Order::Inject(brief_of(TaskId(20))));
        team.run_until(60.0 - 1e-6);
        assert_eq!(team.world.executions.len(), 2, "{variant:?}");
        let spoke = team.log.iter().filter(|sent| sent.at >= at(6.0)).count();
        assert_eq!(spoke, 0, "{variant:?}: {spoke} transmissions in silence");
        // Tasks are added when silence is broken.
        team.run_until(61.0).order(USER, Order::Inject(brief_of(TaskId(30))));
        team.run_until(110.0);
        assert_eq!(team.done(TaskId(30)).len(), 1, "{variant:?}");
        if variant == Fenced {
            assert_eq!(team.world.executions.len(), 3, "and nothing is done again");
        }
    }
}

/// §1: "Multiple users must be able to quickly inject tasks at any time".
#[test]
fn several_users_inject_tasks() {
    for variant in Variant::ALL {
        let other = RobotId(9);
        let mut team = Team::of(variant, 5);
        team.robots.insert(other, Node::console(other, config(variant, 7)));
        team.inject();
        team.order(other, Order::Inject(brief_of(TaskId(20)))).run_until(1.7);
        team.order(other, Order::Inject(brief_of(TaskId(30)))).run_until(120.0);
        for task in [10, 20, 30].map(TaskId) {
            assert_eq!(team.done(task).len(), 1, "{variant:?}, {task}: {:?}", team.world.executions);
        }
    }
}

/// §4, Figure 3: "the CTM resident on the taskLead decomposes the high-level task into three executable tasks and
/// broadcasts these", each with its place.
#[test]
fn figure_3_the_lead_decomposes_the_mission() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(1.0);
        let Message::Task { about } = &team.sent("Task").next().expect("a task").message else { panic!() };
        assert!(about.group.as_ref().is_some_and(|group| group.members.is_empty()), "the user does not");
        let solicited = &team.sent("Solicitation").next().expect("a solicitation").message;
        let Message::Solicitation { about, phases, .. } = solicited else { panic!() };
        let group = about.group.as_ref().expect("in full");
        assert_eq!(*phases, Phases::first(3));
        assert_eq!(group.members.iter().map(|member| member.kind).collect::<Vec<_>>(), [VERIFY, DROP, ASSESS]);
        assert!(group.members.iter().all(|member| member.place == TARGET));
        assert_eq!(group.couplings, template().couplings);
    }
}

/// §4: doug4 verifies at t = 15 s with heading 180, doug2 drops at t = 20 s with 45, doug3 assesses at t = 25 s with
/// 270; and so they fly, each once.
#[test]
fn section_4_the_three_phase_mission_is_assigned_as_published() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(60.0);
        let t0 = match &team.sent("Solicitation").next().expect("a solicitation").message {
            Message::Solicitation { t0, .. } => *t0,
            other => panic!("{other:?}"),
        };
        let crossed: Vec<(u32, RobotId, f64)> = team
            .world
            .executions
            .iter()
            .map(|(task, by, when)| (task.0 - X.0, *by, (*when - t0).as_secs_f64()))
            .collect();
        assert_eq!(crossed, [(0, V4, 15.0), (1, V2, 20.0), (2, V3, 25.0)], "{variant:?}");
        let headings = [(V4, 0, 180_000), (V2, 1, 45_000), (V3, 2, 270_000)];
        for (robot, phase, heading) in headings {
            let task = TaskId(X.0 + phase);
            let held = team.node(robot).steps(task).into_iter().find_map(|step| match step {
                Step::Holds { holder, .. } => Some(holder.heading),
                _ => None,
            });
            assert_eq!(held, Some(heading), "{variant:?}, {task}");
        }
        // The cost of it all is 120.40, the published 40 of doug2 among it.
        let lead = team.robots.values().find(|node| node.noted(|step| matches!(step, Step::Leads { .. })) > 0);
        let cost = |step: &Step| if let Step::Assigned { cost, .. } = step { Some(*cost) } else { None };
        let lead = lead.expect("somebody led");
        let costs: Vec<u32> = (0..3).filter_map(|n| lead.steps(TaskId(X.0 + n)).iter().find_map(cost)).collect();
        assert_eq!(costs, [3_000, 4_000, 5_040], "{variant:?}");
    }
}

/// §4: the vehicles hold until t0, which is not before all have had time to accept.
#[test]
fn nobody_leaves_before_times_begin_to_count() {
    for variant in Variant::ALL {
        let mut team = doug(variant);
        team.order(USER, Order::Inject(mission())).run_until(6.0);
        let config = config(variant, 4);
        let Message::Solicitation { closes, t0, .. } = team.sent("Solicitation").next().expect("one").message else {
            panic!()
        };
        assert_eq!(t0, closes + config.acceptance() + config.settle, "{variant:?}");
        for node in team.robots.values() {
            assert!(node.machine.held().iter().all(|held| held.t0 == t0), "{variant:?}");
        }
    }
}
