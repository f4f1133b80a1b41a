//! Explanations narrowed down, and as JSON, for every mechanism.

mod noted;

use muster_core::Names;
use muster_core::telling::Line;
use muster_journal::explain::{AskError, Asked, Asking};
use muster_sim::{Interventions, Origin};

/// A run whose robots have practised, if they do.
fn origin(name: &str, changes: &[&str]) -> Origin {
    noted::origin(name, changes).practised(|| false).expect("nobody calls a halt")
}

fn asked<'a>(origin: &'a Origin, asking: &Asking<'_>) -> (Asked<'a>, Vec<Line>) {
    let notes = noted::notes(origin);
    let mut asked = Asked::new(origin.explainer(), asking).unwrap();
    let lines = notes.iter().filter_map(|note| asked.tell(note)).collect();
    (asked, lines)
}

/// Scenarios of all mechanisms, with what an offer of each is measured in.
const ALL: [(&str, &str); 3] = [("minefield", "eta_s"), ("cleanup", "expected_s"), ("patrol", "cost")];

/// Every award is among the lines, and in the JSON with its offers; a robot that is asked for sees every award that names
/// it, and a task all lines about it.
#[test]
fn awards_of_every_mechanism_are_found_by_robot_and_task() {
    for (name, key) in ALL {
        let origin = origin(name, &[]);
        let (all, lines) = asked(&origin, &Asking::default());
        let awards: Vec<_> = lines.iter().filter_map(|line| line.award.as_ref()).collect();
        assert!(awards.len() > 2, "{name}: {} awards", awards.len());
        let json = all.explainer().award_to_json(awards[0]);
        assert!(json["chosen"][key].is_number() && json["others"].is_array(), "{name}: {json}");
        let chosen = awards[1].chosen.robot;
        let of_robot = awards.iter().filter(|award| award.names(chosen) || award.by == chosen).count();
        let robot = origin.robot(chosen);
        let (_, own) = asked(&origin, &Asking { robot: Some(&robot), ..Asking::default() });
        assert_eq!(own.iter().filter(|line| line.award.is_some()).count(), of_robot, "{name}: {robot}");
        assert!(own.iter().all(|line| line.concerns(chosen)), "{name}");
        let task = awards[1].task;
        let of_task = lines.iter().filter(|line| line.gist.task == Some(task)).count();
        let called = origin.task(task);
        let (_, own) = asked(&origin, &Asking { task: Some(&called), ..Asking::default() });
        assert_eq!(own.len(), of_task, "{name}: {called}");
        let at = format!("{}..{}", awards[1].at.as_secs_f64(), awards[1].at.as_secs_f64());
        let (_, own) = asked(&origin, &Asking { at: Some(&at), ..Asking::default() });
        let then = lines.iter().filter(|line| line.at == awards[1].at).count();
        assert_eq!((own.len(), then > 0), (then, true), "{name}: {at}");
    }
}

/// Names that there are not, and times that are none.
#[test]
fn what_cannot_be_asked_for_says_what_can() {
    let origin = origin("minefield", &[]);
    let refused = |asking: Asking<'_>| match Asked::new(origin.explainer(), &asking) {
        Ok(_) => panic!("{asking:?} is no mistake"),
        Err(error) => (error.to_string(), error.help(), error),
    };
    let (text, help, error) = refused(Asking { robot: Some("nobody"), ..Asking::default() });
    assert!(matches!(error, AskError::Robot { .. }) && text.contains("`nobody`") && help.contains("uav"), "{help}");
    let (text, help, _) = refused(Asking { task: Some("nothing"), ..Asking::default() });
    assert!(text.contains("`nothing`") && help.contains("stop 1"), "{help}");
    let (_, help, error) = refused(Asking { at: Some("70..60"), ..Asking::default() });
    assert!(matches!(error, AskError::Span { .. }) && help.contains("--at 60..70"), "{help}");
    let (_, _, error) = refused(Asking { at: Some("60...70"), ..Asking::default() });
    assert!(matches!(error, AskError::Time { .. }));
}

/// Whatever was not done says why not, in a few lines, for every mechanism.
#[test]
fn tasks_that_nobody_took_say_why() {
    for (name, changes, expected) in [
        ("minefield", &["radio.loss=1.0", "limit_h=0.1"][..], "unheard"),
        ("minefield", &["recruitment.threshold=1.0", "limit_h=0.02"], "unashamed"),
        ("cleanup", &["limit_h=0.01"], "under_way"),
        ("patrol", &["radio.loss=1.0"], "auctioned"),
    ] {
        let origin = origin(name, changes);
        let (asked, _) = asked(&origin, &Asking::default());
        let nobody = asked.nobody();
        assert!(!nobody.is_empty(), "{name} {changes:?}");
        assert!(nobody.iter().all(|it| (1..16).contains(&it.reasons.len())), "{nobody:?}");
        let found = nobody.iter().flat_map(|it| &it.reasons).any(|reason| reason.why == expected && reason.count > 0);
        assert!(found, "{name} {changes:?}: {nobody:?}");
        let json = asked.explainer().nobody_to_json(&nobody[0]);
        assert!(json["task"].is_string() && json["reasons"][0]["text"].is_string(), "{json}");
    }
}

/// What was done is no question; what is asked for is the only one.
#[test]
fn only_what_is_asked_for_is_told_of_nobody() {
    let origin = origin("minefield", &[]);
    assert!(asked(&origin, &Asking::default()).0.nobody().is_empty(), "everything was handed over");
    let cut = self::origin("minefield", &["radio.loss=1.0", "limit_h=0.1"]);
    let (all, _) = asked(&cut, &Asking::default());
    let first = all.nobody()[0].task;
    let name = cut.task(first);
    let (one, _) = asked(&cut, &Asking { task: Some(&name), ..Asking::default() });
    assert_eq!(one.nobody().iter().map(|it| it.task).collect::<Vec<_>>(), [first]);
    assert!(asked(&cut, &Asking { at: Some("3"), ..Asking::default() }).0.nobody().is_empty());
}

/// What somebody did is found by every task and every robot that it names.
#[test]
fn interventions_are_found_by_all_that_they_name() {
    let told = |scenario: &str, what: &str, asking: &Asking<'_>| {
        let origin = origin(scenario, &[]);
        let text = format!("[[interventions]]\nat_s = 10\nauthor = \"ops\"\n{what}\n");
        let made = Interventions::parse("test.toml", &text, &origin.loaded, origin.scheme).unwrap();
        let origin = origin.with_interventions(made);
        asked(&origin, asking).1.iter().any(|line| line.author.as_deref() == Some("ops"))
    };
    let moved = "order = { task = \"hotspot\", place = [300, 300] }";
    for task in ["hotspot verify", "hotspot drop", "hotspot assess"] {
        assert!(told("hotspot", moved, &Asking { task: Some(task), ..Asking::default() }), "{task}");
    }
    let order = "order = { name = \"wreck\", seen_by = \"uav\" }";
    let cut = "radio = { cut = [\"idle\", \"uav\"], for_s = 1 }";
    let partition = "radio = { partition = { parts = [[\"uav\"]], for_s = 1 } }";
    let stop = "fault = { robot = \"uav\", kind = \"stop\" }";
    for (what, others) in [(order, false), (cut, true), (partition, false), (stop, false)] {
        let of = |robot| told("minefield", what, &Asking { robot: Some(robot), ..Asking::default() });
        assert_eq!((of("uav"), of("idle-2")), (true, others), "{what}");
    }
}

/// An order with phases is asked for by its name, or each phase by its own.
#[test]
fn an_order_is_no_other_whose_name_begins_alike() {
    let origin = origin("hotspot", &["tasks.hotspot.order.count=2", "tasks.hotspot.order.every_s=60"]);
    let phases = |order: &str| origin.phases_of(order).map(|tasks| tasks.iter().map(|task| task.0).collect::<Vec<_>>());
    assert_eq!((phases("hotspot 1"), phases("hotspot 2")), (Some(vec![0, 1, 2]), Some(vec![3, 4, 5])));
    let firsts: Vec<u32> = (0..origin.task_count()).map(|task| origin.first_of(muster_core::TaskId(task)).0).collect();
    assert_eq!(firsts, [0, 0, 0, 3, 3, 3]);
    for no_order in ["hotspot", "hotspot 1 verify", "", "doug2"] {
        assert_eq!(phases(no_order), None, "{no_order}");
    }
    let asks = |name| Asking { task: Some(name), ..Asking::default() };
    let (first, second) = (asked(&origin, &asks("hotspot 1")).1, asked(&origin, &asks("hotspot 2")).1);
    let of = |lines: &[Line], name: &str| lines.iter().filter(|line| line.text.contains(name)).count();
    assert!(!first.is_empty() && !second.is_empty());
    assert_eq!(of(&first, "hotspot 2"), 0, "{first:?}");
    assert_eq!(of(&second, "hotspot 2"), second.len());
}

#[test]
fn an_order_is_all_of_its_phases() {
    let origin = origin("hotspot", &[]);
    let names: Vec<String> =
        (0..origin.task_count()).map(|task| origin.task(muster_core::TaskId(task)).to_string()).collect();
    let (order, phase) = names.iter().find_map(|name| name.rsplit_once(' ')).expect("an order with phases");
    let phases: Vec<&String> = names.iter().filter(|name| name.starts_with(&format!("{order} "))).collect();
    assert!(phases.len() > 1, "{names:?}");
    let count = |name: &str| asked(&origin, &Asking { task: Some(name), ..Asking::default() }).1.len();
    let each: Vec<usize> = phases.iter().map(|name| count(name)).collect();
    assert!(
        each.iter().all(|lines| *lines > 0) && count(order) == each.iter().sum::<usize>(),
        "{order} {phase}: {each:?}"
    );
    assert!(Asked::new(origin.explainer(), &Asking { task: Some("hot"), ..Asking::default() }).is_err());
}
