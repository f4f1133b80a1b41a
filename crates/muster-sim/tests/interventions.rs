//! Interventions: what somebody does to a run while it goes on is a part of what the run comes from, whatever its
//! mechanism. Runs are recorded, verified, made again from the file that was printed, and kept at any moment.

use std::path::PathBuf;
use std::sync::Arc;

use muster_core::alliance;
use muster_core::recruitment::{Recruitment, Strategy};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Event, Mechanism, Note, Order, Recipient, RobotId, TaskId, Time};
use muster_journal::Entry;
use muster_sim::radio::Fate;
use muster_sim::recording::{self, Header, Recording};
use muster_sim::scenario::{self, Checker, Loaded, Said};
use muster_sim::scheme::{Scheme, Visit, staff};
use muster_sim::sim::Traffic;
use muster_sim::{Interventions, Ledger, Observer, Origin, Sim};

/// A scenario, changes to it, and a file of interventions of all kinds that its robots can take.
const ALL: [(&str, &[&str], &str); 5] = [
    ("minefield", &["radio.loss=0.1"], include_str!("interventions/minefield.toml")),
    ("cleanup", &["alliance.strategy=regret"], include_str!("interventions/cleanup.toml")),
    ("boxes", &["faults=[]", "limit_h=0.15"], include_str!("interventions/boxes.toml")),
    ("patrol", &["limit_h=0.15"], include_str!("interventions/patrol.toml")),
    ("hotspot", &[], include_str!("interventions/hotspot.toml")),
];

fn load(name: &str, changes: &[&str]) -> Arc<Loaded> {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    Arc::new(scenario::load(name, &changes).unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn parse(loaded: &Loaded, scheme: Scheme, text: &str) -> Interventions {
    Interventions::parse("test.toml", text, loaded, scheme).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn origin(loaded: &Arc<Loaded>, scheme: Scheme, seed: u64, text: &str) -> Origin {
    let interventions = parse(loaded, scheme, text);
    Origin::new(loaded.clone(), scheme, seed).practised(|| false).unwrap().with_interventions(interventions)
}

fn origins() -> impl Iterator<Item = Origin> {
    ALL.into_iter().flat_map(|(name, changes, text)| {
        let loaded = load(name, changes);
        let schemes = loaded.schemes();
        schemes.into_iter().map(move |scheme| origin(&loaded, scheme, 3, text))
    })
}

/// End, ledger, traffic and notes of a run: what two equal runs have in common.
type End = (Time, Ledger, Traffic, Vec<Note>);

fn end<M: Mechanism>(mut sim: Sim<'_, M, ()>) -> End {
    sim.run_until(Sim::is_over);
    (sim.now(), sim.ledger().clone(), sim.traffic(), sim.notes().to_vec())
}

struct Run<'a>(&'a Origin);

impl Visit for Run<'_> {
    type Result = End;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> End {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        sim.start();
        end(sim)
    }
}

fn run(origin: &Origin) -> End {
    staff(origin, Run(origin))
}

fn log(origin: &Origin) -> String {
    let mut explainer = origin.explainer();
    let lines = run(origin).3;
    lines
        .iter()
        .filter_map(|note| {
            let line = explainer.log_line(note)?;
            Some(format!("{}\n", explainer.written(&line)))
        })
        .collect()
}

fn record(name: &str, origin: &Origin) -> Recording {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("interventions-{name}.mcap"));
    let header = Header { origin: origin.clone(), program: ("0".to_owned(), "0".to_owned()) };
    recording::record(&path, &header, || false).unwrap();
    let recording = recording::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    recording
}

/// Recorded, verified, and made again from the file that the recording gives: the same log, byte for byte.
#[test]
fn a_run_that_was_disturbed_is_made_again() {
    for origin in origins() {
        let what = format!("{} {}", origin.loaded.name, origin.scheme.name());
        let recording = record("again", &origin);
        assert_eq!(recording::verify(&recording).failure, None, "{what}");
        let printed = recording.header.origin.interventions.to_toml();
        let again = Origin::new(origin.loaded.clone(), origin.scheme, 3).with_knowledge(origin.knowledge.clone());
        let again = again.with_interventions(parse(&origin.loaded, origin.scheme, &printed));
        assert_eq!(again.interventions, origin.interventions, "{what}");
        let log = log(&origin);
        assert_eq!(self::log(&again), log, "{what}");
        let replayed = recording::replay(&recording);
        assert_eq!(replayed.notes, run(&origin).3, "{what}");
        // Each that was made stands in the log with its author; a run may be over before the last.
        let made = replayed.notes.iter().filter(|note| matches!(note.event, Event::Intervened { .. })).count();
        assert!(made >= 5 && made <= origin.interventions.all().len(), "{what}: {made}");
        for made in &origin.interventions.all()[..made] {
            let line = format!("{:.3}\t{}\tintervenes: {}\n", made.at.as_secs_f64(), made.author, made.sentence());
            assert!(log.contains(&line), "{what}: no {line:?} in\n{log}");
        }
    }
}

/// What has no effect is told, with its author and time, and so is an order for a console that has stopped; recorded,
/// and replayed as it was told.
#[test]
fn what_comes_to_nothing_is_told() {
    let deed = |at: u32, what: &str| format!("[[interventions]]\nat_s = {at}\nauthor = \"ops\"\n{what}\n");
    let stopped = [
        deed(5, "fault = { robot = \"idle-1\", kind = \"stop\" }"),
        deed(6, "radio = { jam = { for_s = 1 } }"),
        deed(8, "fault = { robot = \"idle-1\", kind = \"deaf\", for_s = 2 }"),
    ]
    .concat();
    let nothing = "8.000\tops\tintervened at 8.0 s to no effect: makes idle-1 deaf for 2 s\n";
    let down = [
        deed(39, "fault = { robot = \"outpost\", kind = \"restart\", for_s = 3 }"),
        deed(40, "order = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 9 } }"),
        deed(41, "fault = { robot = \"outpost\", kind = \"stop\" }"),
    ]
    .concat();
    let lost = "outpost\tcannot be told of smoke: it has stopped\n";
    let told = "intervened at 40.0 s to no effect: asks for a new task, smoke";
    let cases = [("minefield", &stopped, vec![nothing]), ("patrol", &down, vec![lost, told])];
    for (name, text, expected) in cases {
        let loaded = load(name, &["limit_h=0.1"]);
        let origin = origin(&loaded, loaded.schemes()[0], 1, text);
        let log = log(&origin);
        for line in expected {
            assert_eq!(log.matches(line).count(), 1, "{name}: {line} in\n{log}");
        }
        assert!(!log.contains("radio\tdid"), "{log}");
        let recording = record("nothing", &origin);
        assert_eq!(recording::verify(&recording).failure, None, "{name}");
        assert_eq!(recording::replay(&recording).notes, run(&origin).3, "{name}");
    }
}

/// JSON tells the author of a line from the robot that it is about.
#[test]
fn json_tells_authors_from_robots() {
    let loaded = load("minefield", &[]);
    let text = "[[interventions]]\nat_s = 5\nauthor = \"ops\"\nfault = { robot = \"idle-1\", kind = \"deaf\", for_s = 1 }\n\
        [[interventions]]\nat_s = 6\nauthor = \"ops\"\nradio = { jam = { for_s = 1 } }\n";
    let origin = origin(&loaded, loaded.schemes()[0], 1, text);
    let mut explainer = origin.explainer();
    let lines: Vec<_> = run(&origin).3.iter().map(|note| explainer.line(note)).collect();
    let told = |text: &str| {
        let line = lines.iter().find(|line| line.text.contains(text)).unwrap_or_else(|| panic!("no {text}"));
        let json = explainer.line_to_json(line);
        [json["robot"].clone(), json["author"].clone()]
    };
    assert_eq!(told("makes idle-1 deaf"), ["idle-1", "ops"]);
    assert_eq!(told("intervenes: jams"), [serde_json::Value::Null, "ops".into()]);
    assert_eq!(told("is no longer jammed"), [serde_json::Value::Null, "radio".into()]);
    assert_eq!(told("calls"), ["uav".into(), serde_json::Value::Null]);
}

/// What is changed in the header, or in an entry, is found; the author is a part of it.
#[test]
fn a_changed_intervention_is_noticed() {
    for (name, changes, text) in ALL {
        let loaded = load(name, changes);
        let scheme = loaded.schemes()[0];
        let recording = record("changed", &origin(&loaded, scheme, 3, text));
        let entry = |recording: &Recording, n: usize| {
            let with = |(_, entries): &(Time, Vec<u8>)| entries.windows(17).any(|it| it == b"[[interventions]]");
            recording.events.iter().enumerate().filter(|(_, event)| with(event)).nth(n).unwrap().0
        };
        for (from, to) in [("at_s = 20", "at_s = 21"), ("at_s = 30", "at_s = 29"), ("\"ops\"", "\"oops\"")] {
            let changed = text.replacen(from, to, 1);
            if changed == text {
                continue;
            }
            let mut other = recording.clone();
            other.header.origin.interventions = parse(&loaded, scheme, &changed);
            assert!(recording::verify(&other).failure.is_some(), "{name}: {from} in the header");
            assert!(recording::replay(&other).failure.is_some(), "{name}: {from} in the header, replayed");
        }
        let mut other = recording.clone();
        let event = entry(&other, 1);
        let bytes = &mut other.events[event].1;
        let at = bytes.windows(3).position(|it| it == b"ops").unwrap();
        bytes[at] = b'u';
        let failure = recording::verify(&other).failure.unwrap();
        assert!(failure.contains("ups"), "{name}: {failure}");
        let mut other = recording.clone();
        other.events.remove(event);
        assert!(recording::verify(&other).failure.is_some(), "{name}: one is missing");
        let mut other = recording;
        other.header.origin.interventions = Interventions::default();
        assert!(recording::verify(&other).failure.is_some(), "{name}: none in the header");
    }
}

/// Runs, keeps some moments, and goes on from each.
struct Keep<'a>(&'a Origin);

impl Visit for Keep<'_> {
    type Result = ();

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) {
        let mut sim = Sim::of(self.0, machine, ()).with_notes();
        let mut moments = Vec::new();
        sim.start();
        for event in 1_u64.. {
            if event.is_power_of_two() {
                moments.push(sim.clone());
            }
            if sim.is_over() || !sim.step() {
                break;
            }
        }
        let original = end(sim);
        for moment in moments {
            let at = moment.now();
            assert!(end(moment) == original, "{} from {at} on", self.0.loaded.name);
        }
    }
}

#[test]
fn a_moment_that_is_kept_goes_on_as_the_run_did() {
    for origin in origins() {
        staff(&origin, Keep(&origin));
    }
}

/// Given while the run goes on, one by one, they do what they do if they are given beforehand.
struct Live<'a>(&'a Origin);

impl Visit for Live<'_> {
    type Result = ();

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) {
        let Origin { loaded, scheme, .. } = self.0;
        let mut sim = Sim::new(&loaded.mission, self.0.seeds, machine, ()).with_notes();
        sim.start();
        for made in self.0.interventions.all() {
            let just_before = Time::from_micros(made.at.as_micros() - 1);
            sim.run_until(|sim| sim.next_at().is_none_or(|at| at > just_before));
            let said: Said = made.what.said().clone();
            let what = Checker::new(loaded, *scheme, &sim.interventions()).check(made.at, said).unwrap();
            sim.intervene(made.at, made.author.clone(), what.clone()).unwrap();
            if made.task().is_some_and(|task| task.index() >= loaded.task_names.len()) && made.what.asks_for_a_task() {
                assert!(sim.intervene(made.at, "twice", what).is_err(), "its number is taken");
            }
        }
        assert_eq!(sim.interventions(), self.0.interventions);
        assert!(sim.intervene(Time::ZERO, "late", self.0.interventions.all()[1].what.clone()).is_err());
        assert!(end(sim) == run(self.0), "{} {}", loaded.name, scheme.name());
    }
}

#[test]
fn interventions_can_be_made_while_a_run_goes_on() {
    for origin in origins() {
        staff(&origin, Live(&origin));
    }
}

/// At one instant they come last: all that happens then in the run that nobody disturbs has happened before.
#[test]
fn at_one_instant_they_come_last() {
    for (name, seed) in [("minefield", 1), ("cleanup", 2), ("hotspot", 1)] {
        let loaded = load(name, &[]);
        let scheme = loaded.schemes()[0];
        let (end, _, _, plain) = run(&origin(&loaded, scheme, seed, ""));
        // What is given for the instant at which a run ends is not made: it is over.
        let amid = |at: &Time| *at > Time::ZERO && *at < end;
        let moments: Vec<Time> = plain.iter().map(|note| note.at).filter(amid).collect();
        for at in moments.iter().step_by(moments.len().div_ceil(20)) {
            let text = format!(
                "[[interventions]]\nat_s = {}\nauthor = \"a\"\nfault = {{ robot = \"{}\", kind = \"stop\" }}\n",
                at.as_secs_f64(),
                loaded.mission.robots[0].name
            );
            let disturbed = run(&origin(&loaded, scheme, seed, &text)).3;
            let made = |note: &Note| matches!(note.event, Event::Intervened { .. });
            let before = disturbed.iter().position(made).unwrap();
            let expected = plain.iter().filter(|note| note.at <= *at).count();
            assert!(disturbed[..before] == plain[..expected], "{name} at {at}: {before} notes, not {expected}");
        }
    }
}

/// Those of one instant are made in the order of the file, wherever they stand in it.
#[test]
fn at_one_instant_they_come_in_order() {
    let loaded = load("minefield", &[]);
    let fault = |at_s: u32, robot: &str, kind: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"a\"\nfault = {{ robot = \"{robot}\", kind = \"{kind}\" }}\n"
        )
    };
    let scheme = Strategy::Affective.into();
    let alive = |text: &str| {
        let origin = origin(&loaded, scheme, 1, text);
        let config = loaded.recruitment(scheme);
        let mut sim = Sim::of(&origin, |_| Recruitment::new(config.clone()), ()).with_notes();
        sim.start();
        sim.advance(Time::from_secs_f64(78.0));
        assert_eq!(sim.interventions_made(), 2);
        !sim.is_dead(RobotId(3))
    };
    let later = fault(79, "idle-2", "stop");
    let (stop, back) = (fault(77, "idle-1", "stop"), fault(77, "idle-1", "back"));
    assert!(alive(&[later.clone(), stop.clone(), back.clone()].concat()));
    assert!(!alive(&[back, later, stop].concat()));
}

/// Hears what is sent, and who hears it.
#[derive(Clone, Default)]
struct Ears {
    sent: Vec<(Time, RobotId, bool)>,
    heard: Vec<(Time, RobotId, RobotId)>,
    ordered: Vec<(Time, RobotId, Order)>,
    linked: Vec<(Time, RobotId, bool)>,
}

impl<M: Mechanism> Observer<M> for Ears {
    fn on_input(&mut self, now: Time, body: &muster_core::Body, input: &muster_core::Input<'_, M>, _: Option<u64>) {
        match input {
            muster_core::Input::Received { from, .. } => self.heard.push((now, *from, body.id)),
            muster_core::Input::Ordered(order) => self.ordered.push((now, body.id, *order)),
            muster_core::Input::Perceived(muster_core::Percept::Link(up)) => self.linked.push((now, body.id, *up)),
            _ => {}
        }
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, _to: Recipient, _message: &M::Message, fate: Fate) {
        self.sent.push((now, from, fate == Fate::Lost));
    }
}

fn listen(loaded: &Arc<Loaded>, text: &str, until_s: f64) -> (Ears, Ledger) {
    let scheme = loaded.schemes()[0];
    let origin = origin(loaded, scheme, 1, text);
    let config = loaded.recruitment(scheme);
    let mut sim = Sim::of(&origin, |_| Recruitment::new(config.clone()), Ears::default());
    sim.start();
    sim.advance(Time::from_secs_f64(until_s));
    let ledger = sim.ledger().clone();
    (sim.into_observer(), ledger)
}

/// A caller and three helpers in a row; the caller is at 10 m, the helpers at 20, 30 and 40 m.
const ROW: &str = "limit_h = 1\n[field]\nwidth_m = 100\nheight_m = 50\n\
    [robots.caller]\nspeed_mps = 1\nplace = [10, 10]\n\
    [robots.a]\nspeed_mps = 1\nplace = [20, 10]\npercepts = [\"camera\"]\n\
    [robots.b]\nspeed_mps = 1\nplace = [30, 10]\npercepts = [\"camera\"]\n\
    [robots.c]\nspeed_mps = 1\nplace = [40, 10]\n\
    [tasks.never]\nseen_by = \"caller\"\nat_s = 3000\nneeds = [\"camera\"]\n\
    [recruitment]\nstrategy = \"greedy\"\n";

fn row() -> Arc<Loaded> {
    Arc::new(scenario::parse("row", "row.toml", ROW, &[]).unwrap())
}

fn heard_by(disturbance: &str, at_s: f64) -> Vec<u32> {
    let text = format!(
        "[[interventions]]\nat_s = 5\nauthor = \"x\"\n{disturbance}\n\
         [[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"wreck\", seen_by = \"caller\", place = [12, 10], needs = [\"camera\"] }}\n"
    );
    let (ears, _) = listen(&row(), &text, at_s + 0.1);
    let caller = RobotId(0);
    let first = ears.heard.iter().filter(|(_, from, _)| *from == caller).map(|(at, ..)| *at).min();
    let mut hearers: Vec<u32> =
        ears.heard.iter().filter(|(at, from, _)| *from == caller && Some(*at) == first).map(|it| it.2.0).collect();
    hearers.sort_unstable();
    hearers
}

/// From that moment on, for as long as it says, and for those that it says.
#[test]
fn the_radio_changes_from_that_moment() {
    let cases: [(&str, f64, &[u32]); 12] = [
        ("radio = { jam = { at = [31, 10], radius_m = 2, for_s = 20 } }", 10.0, &[1, 3]),
        ("radio = { jam = { place = [31, 10], radius_m = 2 }, for_s = 20 }", 26.0, &[1, 2, 3]),
        ("radio = { jam = {} }", 2000.0, &[]),
        ("radio = { cut = [\"caller\", \"b\"] }", 10.0, &[1, 3]),
        ("radio = { cut = [\"b\", \"caller\"], for_s = 4.9 }", 10.0, &[1, 2, 3]),
        ("radio = { cut = [\"a\", \"b\"] }", 10.0, &[1, 2, 3]),
        ("radio = { partition = { parts = [[\"caller\", \"c\"]] } }", 10.0, &[3]),
        ("radio = { partition = { parts = [[\"caller\", \"c\"], [\"a\"]], for_s = 3 } }", 10.0, &[1, 2, 3]),
        ("fault = { robot = \"a\", kind = \"deaf\" }", 10.0, &[2, 3]),
        ("fault = { robot = \"a\", kind = \"stop\" }", 10.0, &[2, 3]),
        ("fault = { robot = \"caller\", kind = \"mute\" }", 10.0, &[]),
        ("fault = { robot = \"b\", kind = \"offline\", for_s = 2 }", 10.0, &[1, 2, 3]),
    ];
    for (disturbance, at_s, hearers) in cases {
        assert_eq!(heard_by(disturbance, at_s), hearers, "{disturbance} at {at_s} s");
    }
}

/// A task that was not there before is called for, handed over and counted like any other; one that was called off is
/// not looked for any more, and the run ends when nothing is left to do.
#[test]
fn tasks_are_given_and_cancelled() {
    let give = |at_s: f64, name: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"{name}\", seen_by = \"caller\", needs = [\"camera\"] }}\n"
        )
    };
    let cancel = |at_s: f64, name: &str| {
        format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ task = \"{name}\", cancel = true }}\n")
    };
    let loaded = row();
    let scheme = loaded.schemes()[0];
    let both = origin(&loaded, scheme, 1, &[give(5.0, "one"), give(40.0, "two"), cancel(60.0, "never")].concat());
    let (end, ledger, ..) = run(&both);
    assert!(ledger.all_served() && ledger.records()[0].withdrawn && end < Time::from_secs_f64(200.0), "{end}");
    assert_eq!(ledger.records().len(), 3);
    assert_eq!(both.task_name(TaskId(2)), Some("two"));
    let place = ledger.records()[1].task.place;
    assert_eq!((place.x, place.y), (10.0, 10.0), "where the robot is that looks after it");
    // Nothing is done at all, and yet it is over.
    let none = origin(&loaded, scheme, 1, &[give(5.0, "one"), cancel(5.0, "one"), cancel(6.0, "never")].concat());
    let (end, ledger, ..) = run(&none);
    assert!(end < Time::from_secs_f64(10.0) && ledger.records().iter().all(|record| record.withdrawn), "{end}");
    // Whoever cannot listen is told when it can; whoever never will is not waited for.
    let fault = |kind: &str| {
        format!("[[interventions]]\nat_s = 4\nauthor = \"x\"\nfault = {{ robot = \"caller\", kind = {kind} }}\n")
    };
    for (kind, seen) in
        [("\"pause\", for_s = 9", Some(13.0)), ("\"restart\", for_s = 9", Some(13.0)), ("\"stop\"", None)]
    {
        let text = [fault(kind), give(5.0, "one"), cancel(20.0, "never")].concat();
        let (_, ledger, ..) = run(&origin(&loaded, scheme, 1, &text));
        let record = &ledger.records()[1];
        let at = record.seen.map(|(at, _)| at.as_secs_f64());
        let late = at.zip(seen).map(|(at, seen)| at - seen);
        assert!(
            at.is_some() == seen.is_some() && late.is_none_or(|late| (0.0..=1.0).contains(&late)),
            "{kind}: {at:?}"
        );
        assert_eq!(record.withdrawn, seen.is_none(), "{kind}");
    }
}

/// A robot that restarts is not told again of what was called off meanwhile.
#[test]
fn what_was_called_off_stays_so() {
    let loaded = row();
    let text = "[[interventions]]\nat_s = 5\nauthor = \"x\"\norder = { name = \"one\", seen_by = \"caller\", needs = [\"none\"] }\n";
    assert!(Interventions::parse("x", text, &loaded, loaded.schemes()[0]).is_err(), "nobody has that percept");
    let text = "[[interventions]]\nat_s = 5\nauthor = \"x\"\nfault = { robot = \"a\", kind = \"stop\" }\n\
        [[interventions]]\nat_s = 5\nauthor = \"x\"\nfault = { robot = \"b\", kind = \"stop\" }\n\
        [[interventions]]\nat_s = 6\nauthor = \"x\"\norder = { name = \"one\", seen_by = \"caller\", needs = [\"camera\"] }\n\
        [[interventions]]\nat_s = 10\nauthor = \"x\"\norder = { task = \"one\", cancel = true }\n\
        [[interventions]]\nat_s = 20\nauthor = \"x\"\nfault = { robot = \"caller\", kind = \"restart\", for_s = 1, memory = false }\n";
    let (ears, ledger) = listen(&loaded, text, 200.0);
    assert!(ledger.records()[1].withdrawn);
    assert!(ears.sent.iter().any(|(at, ..)| *at < Time::from_secs_f64(10.0)), "it was called for");
    assert!(ears.sent.iter().all(|(at, ..)| *at <= Time::from_secs_f64(10.0)), "{:?}", ears.sent);
    assert_eq!(ears.ordered.len(), 2, "{:?}", ears.ordered);
}

/// Impatient robots take new tasks, give up what is called off, and go to where a task is now.
#[test]
fn impatient_robots_take_orders() {
    let loaded = load("cleanup", &["alliance.strategy=regret"]);
    let scheme = loaded.schemes()[0];
    let text = "[[interventions]]\nat_s = 20\nauthor = \"x\"\norder = { name = \"sweep\", place = [20, 20], work_s = { scout-1 = 50, loader = 70 } }\n\
        [[interventions]]\nat_s = 40\nauthor = \"x\"\norder = { task = \"sweep\", place = [30, 5] }\n\
        [[interventions]]\nat_s = 41\nauthor = \"x\"\norder = { name = \"lock\", place = [5, 5], after = [\"sweep\", \"report\"], work_s = { scout-2 = 20 } }\n";
    let origin = origin(&loaded, scheme, 1, text);
    let (_, ledger, _, notes) = run(&origin);
    let [sweep, lock] = [7, 8].map(|task| ledger.record(TaskId(task)).unwrap());
    assert!(ledger.all_served());
    assert_eq!((sweep.task.place.x, sweep.task.place.y), (30.0, 5.0));
    let after = sweep.served.unwrap().0.max(ledger.records()[6].served.unwrap().0);
    assert_eq!(lock.seen.unwrap().0, after, "it comes up when both are done");
    assert!(
        notes.iter().any(|note| matches!(note.event, Event::Alliance(alliance::Step::Done { task: TaskId(7), .. })))
    );
    assert!(
        notes.iter().any(|note| matches!(note.event, Event::Alliance(alliance::Step::Done { task: TaskId(8), .. })))
    );
}

/// A task that is called off, or is elsewhere now, is not done, and nobody says so: neither a robot at work nor one that
/// hung and finds out when it is back.
#[test]
fn what_is_called_off_is_not_told_as_done() {
    let loaded = load("cleanup", &["alliance.strategy=regret"]);
    let sweep = "[[interventions]]\nat_s = 20\nauthor = \"x\"\norder = { name = \"sweep\", place = [20, 20], work_s = { scout-1 = 500, loader = 700 } }\n";
    let cancel =
        "[[interventions]]\nat_s = 200\nauthor = \"x\"\norder = { task = \"sweep\", cancel = true }\n".to_owned();
    let pause = |robot: &str| {
        format!(
            "[[interventions]]\nat_s = 190\nauthor = \"x\"\nfault = {{ robot = \"{robot}\", kind = \"pause\", for_s = 20 }}\n"
        )
    };
    let hang = format!("{}{}{cancel}", pause("scout-1"), pause("loader"));
    let moved =
        "[[interventions]]\nat_s = 200\nauthor = \"x\"\norder = { task = \"sweep\", place = [30, 5] }\n".to_owned();
    for disturbance in [cancel, hang, moved] {
        let log = log(&origin(&loaded, loaded.schemes()[0], 1, &format!("{sweep}{disturbance}")));
        assert!(log.contains("stops sweep: it was called off"), "{disturbance}{log}");
        assert!(!log.contains("stops sweep: it is done"), "{disturbance}{log}");
    }
}

/// Orders of all kinds while auctions go on: what is new is flown, what is moved is flown elsewhere, what is called off
/// is not lost.
#[test]
fn auctions_take_orders() {
    let loaded = load("patrol", &["faults=[]", "radio.loss=0", "limit_h=0.5"]);
    let text = "[[interventions]]\nat_s = 40\nauthor = \"x\"\norder = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 9 } }\n\
        [[interventions]]\nat_s = 42\nauthor = \"x\"\norder = { task = \"smoke\", place = [1000, 1000], priority = 20 }\n\
        [[interventions]]\nat_s = 43\nauthor = \"x\"\norder = { task = \"look 7\", cancel = true }\n";
    let origin = origin(&loaded, loaded.schemes()[0], 1, text);
    let (_, ledger, ..) = run(&origin);
    let smoke = ledger.record(TaskId(66)).unwrap();
    assert_eq!(origin.task_name(TaskId(66)), Some("smoke"));
    assert_eq!((smoke.task.place.x, smoke.task.place.y), (1000.0, 1000.0));
    assert!(smoke.served.is_some() && ledger.records()[6].withdrawn, "{smoke:?}");
    assert!(ledger.all_served());
}

/// A recording of the version before has another format and the same run.
#[test]
fn recordings_of_the_version_before_open_and_verify() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/interventions/hotspot-io-2.mcap");
    let recording = recording::read(&path).unwrap();
    assert!(recording.header.origin.interventions.is_empty());
    let verified = recording::verify(&recording);
    assert_eq!((verified.failure, verified.inputs > 100), (None, true));
}

/// Something that could be done, called `name` if it is a new task, at its most confused. It may make no sense.
fn anything(
    stream: &mut Stream,
    loaded: &Loaded,
    scheme: Scheme,
    tasks: &[String],
    name: &str,
    robots: &[&str],
) -> (String, String) {
    let mut pick = |from: &[&str]| from[stream.below(from.len() as u32) as usize].to_owned();
    let (robot, other) = (pick(robots), pick(robots));
    let task = pick(&tasks.iter().map(String::as_str).collect::<Vec<_>>());
    let console = pick(&["base", "outpost", "console", robots[0]]);
    let place =
        format!("[{}, {}]", stream.between(0.0, loaded.mission.width_m), stream.between(0.0, loaded.mission.height_m));
    let lasts = stream.between(0.1, 60.0);
    let what = match stream.below(16) {
        0 => format!("fault = {{ robot = \"{robot}\", kind = \"stop\" }}"),
        1 | 2 => format!("fault = {{ robot = \"{robot}\", kind = \"back\", memory = {} }}", lasts > 30.0),
        3 => format!("fault = {{ robot = \"{robot}\", kind = \"pause\", for_s = {lasts} }}"),
        4 => {
            format!("fault = {{ robot = \"{robot}\", kind = \"restart\", for_s = {lasts}, memory = {} }}", lasts > 30.0)
        }
        5 => format!("fault = {{ robot = \"{robot}\", kind = \"deaf\" }}"),
        6 => format!("fault = {{ robot = \"{robot}\", kind = \"mute\", for_s = {lasts} }}"),
        7 => format!("fault = {{ robot = \"{robot}\", kind = \"offline\" }}"),
        8 => format!("radio = {{ jam = {{ at = {place}, radius_m = {lasts}, for_s = {lasts} }} }}"),
        9 => format!("radio = {{ cut = [\"{robot}\", \"{other}\"], for_s = {lasts} }}"),
        10 => format!("radio = {{ partition = {{ parts = [[\"{robot}\"], [\"{other}\"]] }}, for_s = {lasts} }}"),
        11 => format!("order = {{ task = \"{task}\", cancel = true }}"),
        12 => format!("order = {{ task = \"{task}\", place = {place} }}"),
        13 => format!("order = {{ task = \"{task}\", priority = {} }}", lasts as u8),
        _ => match scheme {
            Scheme::Tasking(_) => {
                format!("order = {{ name = \"{name}\", place = {place}, order = {{ by = \"{console}\" }} }}")
            }
            Scheme::Alliance(_) => {
                format!("order = {{ name = \"{name}\", place = {place}, work_s = {{ {robot} = {lasts} }} }}")
            }
            _ => format!("order = {{ name = \"{name}\", place = {place}, seen_by = \"{robot}\" }}"),
        },
    };
    (robot, what)
}

/// A file of interventions at their most confused, drawn from a seed. Some make no sense, and are refused.
fn absurd(loaded: &Loaded, scheme: Scheme, seed: u64) -> Interventions {
    let mut stream = Stream::of_run(seed, Purpose::Faults);
    let robots: Vec<&str> = loaded.mission.robots.iter().map(|robot| &*robot.name).collect();
    let mut tasks = loaded.task_names.clone();
    let mut all: Vec<String> = Vec::new();
    for number in 0..12 {
        let name = format!("new {number}");
        let (robot, what) = anything(&mut stream, loaded, scheme, &tasks, &name, &robots);
        let at_s = (stream.between(0.0, 200.0) * 4.0).floor() / 4.0;
        let entry = format!("[[interventions]]\nat_s = {at_s}\nauthor = \"{robot}\"\n{what}\n");
        // Kept if it makes sense beside those that were kept before.
        let with: String = all.iter().chain([&entry]).cloned().collect();
        if Interventions::parse("absurd", &with, loaded, scheme).is_ok() {
            all.push(entry);
            if what.contains("name = ") {
                tasks.push(name);
            }
        }
    }
    parse(loaded, scheme, &all.concat())
}

/// Whatever is done, nothing panics, the run ends, its recording verifies, and its file gives the same run.
#[test]
fn whatever_is_done_the_run_can_be_made_again() {
    let rough = ["radio.loss=0.1", "radio.duplication=0.1", "radio.jitter_ms=100", "limit_h=0.2"];
    let mut kinds = std::collections::BTreeSet::new();
    for (name, changes) in
        [("minefield", ""), ("cleanup", "alliance.practice=[]"), ("boxes", ""), ("patrol", ""), ("hotspot", "")]
    {
        let mut changes = [&rough[..], &[changes]].concat();
        changes.retain(|change| !change.is_empty());
        let loaded = load(name, &changes);
        let schemes = loaded.schemes();
        for seed in 0..24 {
            let scheme = schemes[seed as usize % schemes.len()];
            let interventions = absurd(&loaded, scheme, seed);
            for made in interventions.all() {
                kinds.insert(made.sentence().split_whitespace().next().unwrap().to_owned());
            }
            let origin = Origin::new(loaded.clone(), scheme, seed).with_interventions(interventions);
            let recording = record(&format!("absurd-{name}"), &origin);
            let failure = recording::verify(&recording).failure;
            assert_eq!(failure, None, "{name}, seed {seed}:\n{}", origin.interventions.to_toml());
            let read = &recording.header.origin.interventions;
            assert_eq!(*read, origin.interventions, "{name}, seed {seed}");
        }
    }
    let met: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let all = [
        "asks", "cancels", "cuts", "gives", "jams", "lets", "makes", "moves", "puts", "restarts", "splits", "stops",
        "takes",
    ];
    assert_eq!(met, all, "every kind was met");
}

/// What is not an intervention in an entry is told as such.
#[test]
fn an_entry_holds_the_file() {
    let origin = origins().next().unwrap();
    let recording = record("entry", &origin);
    let texts: Vec<String> = recording
        .events
        .iter()
        .filter_map(|(_, bytes)| {
            type Any = Entry<
                muster_core::recruitment::Message,
                muster_core::recruitment::Timer,
                muster_core::recruitment::Memory,
            >;
            match postcard::take_from_bytes::<Any>(bytes).unwrap().0 {
                Entry::Intervened(text) => Some(text),
                _ => None,
            }
        })
        .collect();
    let made: Vec<String> = origin.interventions.all().iter().map(|made| made.to_toml()).collect();
    assert_eq!(texts, made[..texts.len()]);
    assert!(!texts.is_empty());
}

/// Runs it to its end and hands back what was heard, and the ledger.
struct Heard<'a>(&'a Origin);

impl Visit for Heard<'_> {
    type Result = (Ears, Ledger, usize);

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let mut sim = Sim::of(self.0, machine, Ears::default());
        sim.run();
        let (ledger, without_effect) = (sim.ledger().clone(), sim.interventions_without_effect());
        (sim.into_observer(), ledger, without_effect)
    }
}

fn hear(loaded: &Arc<Loaded>, interventions: &[(f64, &str)]) -> (Ears, Ledger, usize) {
    let entry = |(at_s, what): &(f64, &str)| format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\n{what}\n");
    let text: String = interventions.iter().map(entry).collect();
    let origin = origin(loaded, loaded.schemes()[0], 1, &text);
    staff(&origin, Heard(&origin))
}

fn place(ledger: &Ledger, task: u32) -> (f64, f64) {
    let place = ledger.records()[task as usize].task.place;
    (place.x, place.y)
}

const SMOKE: &str = "order = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 1 } }";

/// Place, priority and number of what a console was told last of a task.
fn told_last(ears: &Ears, task: u32) -> ((f64, f64), u8) {
    let of_it = |(.., order): &(Time, RobotId, Order)| match *order {
        Order::Inject(brief) | Order::Modify(brief) => (brief.task.id == TaskId(task)).then_some(brief),
        Order::Cancel(_) => None,
    };
    let brief = ears.ordered.iter().filter_map(of_it).next_back().unwrap();
    ((brief.task.place.x, brief.task.place.y), brief.priority)
}

/// Whatever a console was told of an order while it could not listen reaches it, in the order in which it was said.
#[test]
fn changes_come_after_their_order_and_after_each_other() {
    let loaded = load("patrol", &["faults=[]", "radio.loss=0", "limit_h=0.5"]);
    let hangs = "fault = { robot = \"outpost\", kind = \"pause\", for_s = 5 }";
    let moves = "order = { task = \"smoke\", place = [1000, 1000] }";
    let urges = "order = { task = \"smoke\", priority = 20 }";
    let (ears, ledger, _) = hear(&loaded, &[(40.0, SMOKE), (41.0, hangs), (42.0, moves), (43.0, urges)]);
    assert_eq!((told_last(&ears, 66), place(&ledger, 66)), (((1000.0, 1000.0), 20), (1000.0, 1000.0)));
    let down = "fault = { robot = \"outpost\", kind = \"restart\", for_s = 5.3 }";
    for at_s in [42.0, 42.3, 42.5, 44.0, 44.6] {
        let both = "order = { task = \"smoke\", place = [1000, 1000], priority = 20 }";
        let (ears, ledger, _) = hear(&loaded, &[(39.0, down), (40.0, SMOKE), (at_s, both)]);
        assert_eq!((told_last(&ears, 66), place(&ledger, 66)), (((1000.0, 1000.0), 20), (1000.0, 1000.0)), "{at_s}");
        let first =
            ears.ordered.iter().find(|(_, robot, _)| loaded.mission.robots[robot.index()].name.as_ref() == "outpost");
        assert!(matches!(first, Some((_, _, Order::Inject(_)))), "{at_s}: {first:?}");
        assert!(ledger.records()[66].served.is_some(), "{at_s}");
    }
    // Called off before anybody was told: what was to change about it is not told, either.
    let cancels = "order = { task = \"smoke\", cancel = true }";
    let (ears, ledger, _) = hear(&loaded, &[(39.0, down), (40.0, SMOKE), (41.0, moves), (42.0, cancels)]);
    let of_it = |(.., order): &&(Time, RobotId, Order)| matches!(order, Order::Inject(brief) | Order::Modify(brief) if brief.task.id == TaskId(66));
    assert!(ledger.records()[66].withdrawn && !ears.ordered.iter().any(|it| of_it(&it)));
}

/// A scenario's changes and somebody's go together: each changes what it names, and nothing else.
#[test]
fn a_change_in_the_scenario_takes_nothing_back() {
    let loaded = load("hotspot", &["tasking.changes=[{at_s=12,task=\"hotspot\",priority=5}]"]);
    let (ears, ledger, _) = hear(&loaded, &[(10.0, "order = { task = \"hotspot\", place = [300, 300] }")]);
    assert_eq!((told_last(&ears, 0), place(&ledger, 0)), (((300.0, 300.0), 5), (300.0, 300.0)));
    // An order without a place lies anywhere, and stays there.
    let changes = ["faults=[]", "limit_h=0.2", "tasking.changes=[{at_s=200,task=\"look 12\",priority=9}]"];
    let loaded = load("patrol", &changes);
    let (ears, ledger, _) = hear(&loaded, &[]);
    assert_eq!(told_last(&ears, 11), (place(&ledger, 11), 9));
    assert_ne!(place(&ledger, 11), (0.0, 0.0));
}

/// A robot that is offline for longer already is not made so anew.
#[test]
fn offline_within_offline_changes_nothing() {
    let loaded = load("patrol", &["faults=[]", "limit_h=0.1"]);
    let offline = |for_s: u32| format!("fault = {{ robot = \"scout-1\", kind = \"offline\", for_s = {for_s} }}");
    let (long, short, longer) = (offline(100), offline(10), offline(200));
    assert_eq!(hear(&loaded, &[(50.0, &long), (60.0, &short)]).2, 1);
    assert_eq!(hear(&loaded, &[(50.0, &long), (60.0, &longer)]).2, 0);
}

/// What was done stays where it was done.
#[test]
fn a_phase_that_is_done_does_not_move() {
    let loaded = load("hotspot", &[]);
    let (_, ledger, _) = hear(&loaded, &[(30.0, "order = { task = \"hotspot\", place = [300, 300] }")]);
    assert!(ledger.records()[0].served.unwrap().0 < Time::from_secs_f64(30.0));
    assert_eq!([0, 1].map(|phase| place(&ledger, phase)), [(1590.0, 1395.0), (300.0, 300.0)]);
}

/// A task that is moved is done at its new place, from the beginning, whatever its worker knows of it.
#[test]
fn work_begins_anew_where_a_task_is_now() {
    let loaded = load("cleanup", &["alliance.practice=[]", "work.scatter=0"]);
    let asks = "order = { name = \"sweep\", place = [20, 20], work_s = { loader = 50 } }";
    let moves = "order = { task = \"sweep\", place = [38, 28] }";
    let hangs = |for_s: u32| format!("fault = {{ robot = \"loader\", kind = \"pause\", for_s = {for_s} }}");
    let sweep = |interventions: &[(f64, &str)]| hear(&loaded, interventions).1.records()[7].clone();
    let plain = sweep(&[(1.0, asks)]);
    let (from, done) = (plain.work[0].from.as_secs_f64(), plain.served.unwrap().0.as_secs_f64());
    assert!((done - from - 50.0).abs() < 1e-6);
    // From the old place to the new one it drives for 49 s; it cannot be there before it was told.
    for (hang_s, move_s) in [(20.0, 25.0), (from + 5.0, from + 10.0), (from - 1.0, from + 2.0)] {
        for for_s in [10, 200] {
            let record = sweep(&[(1.0, asks), (hang_s, &hangs(for_s)), (move_s, moves)]);
            let told = hang_s + f64::from(for_s);
            let last = record.work.last().unwrap();
            let (began, served) = (last.from.as_secs_f64(), record.served.unwrap().0.as_secs_f64());
            assert_eq!((record.task.place.x, record.task.place.y), (38.0, 28.0));
            assert!(began > told + 20.0 && (served - began - 50.0).abs() < 1e-6, "{hang_s} {for_s}: {record:?}");
            let ended = |work: &muster_sim::ledger::Work| work.until.as_secs_f64() <= move_s + 1e-6;
            assert!(record.work[..record.work.len() - 1].iter().all(ended), "work at the old place: {record:?}");
        }
    }
    // Whoever does it in the end does all of it, and nothing of what another did at the old place.
    let both = asks.replace("loader = 50", "loader = 50, scout-1 = 60");
    let mut met = 0;
    for move_s in [40.0, 60.0, 70.0, 80.0, 90.0] {
        let record = sweep(&[(1.0, &both), (move_s, moves)]);
        let Some((served, by)) = record.served.filter(|(at, _)| at.as_secs_f64() > move_s) else { continue };
        let anew: Vec<_> = record.work.iter().filter(|work| work.from.as_secs_f64() >= move_s).collect();
        let takes = if &*loaded.mission.robots[by.index()].name == "loader" { 50.0 } else { 60.0 };
        if let [only] = anew[..] {
            let took = (served.as_secs_f64() - only.from.as_secs_f64(), takes);
            assert!((took.0 - took.1).abs() < 1e-6, "moved at {move_s} s: {record:?}");
            met += usize::from(record.work.len() > 1);
        }
    }
    assert!(met > 0, "no task was moved that somebody had worked at");
}

/// A radio that was made deaf meanwhile is up when both are over, and says so once.
#[test]
fn a_radio_is_up_when_nothing_is_wrong_with_it() {
    let loaded = load("patrol", &["faults=[]", "limit_h=0.05"]);
    let fault =
        |kind: &str, for_s: f64| format!("fault = {{ robot = \"scout-1\", kind = \"{kind}\", for_s = {for_s} }}");
    for other in ["deaf", "mute", "offline"] {
        for (from, lasts, up) in [(55.0, 20.0, 75.0), (52.0, 3.0, 60.0), (50.0, 10.0, 60.0), (60.0, 5.0, 65.0)] {
            let (ears, ..) = hear(&loaded, &[(50.0, &fault("offline", 10.0)), (from, &fault(other, lasts))]);
            let ups: Vec<f64> = ears.linked.iter().filter(|it| it.2).map(|it| it.0.as_secs_f64()).collect();
            // At 60 s the radio is up, and down again at the end of that instant.
            let expected: Vec<f64> = match (from, other) {
                (60.0, "offline") => vec![60.0, 65.0],
                (60.0, _) => vec![60.0],
                _ => vec![up],
            };
            assert_eq!(ups, expected, "{other} from {from} s for {lasts} s");
        }
    }
}

/// Of two pauses the later end counts; what changes nothing is counted.
#[test]
fn what_comes_to_nothing_is_counted() {
    let loaded = load("minefield", &["limit_h=0.2"]);
    let fault = |kind: &str| format!("fault = {{ robot = \"uav\", kind = {kind} }}");
    let [ten, long, short, restart, stop, back, deaf] = [
        "\"pause\", for_s = 10",
        "\"pause\", for_s = 500",
        "\"pause\", for_s = 1",
        "\"restart\", for_s = 5",
        "\"stop\"",
        "\"back\"",
        "\"deaf\", for_s = 1",
    ]
    .map(fault);
    let (ears, _, vain) = hear(&loaded, &[(10.0, &ten), (15.0, &long)]);
    let uav = RobotId(loaded.mission.robots.iter().position(|robot| &*robot.name == "uav").unwrap() as u32);
    let first = ears.sent.iter().find(|(at, from, _)| *from == uav && *at > Time::from_secs_f64(10.0)).unwrap().0;
    assert!(first >= Time::from_secs_f64(515.0) && vain == 0, "{first}");
    let vain = |interventions: &[(f64, &str)]| hear(&loaded, interventions).2;
    assert_eq!(vain(&[(10.0, &ten), (15.0, &short)]), 1, "a shorter pause");
    assert_eq!(vain(&[(10.0, &restart), (12.0, &restart), (13.0, &ten)]), 2, "it is down");
    assert_eq!(vain(&[(10.0, &stop), (12.0, &restart), (13.0, &deaf), (14.0, &stop), (15.0, &back)]), 3);
    assert_eq!(vain(&[(10.0, &back), (12.0, &deaf), (12.5, &back), (12.5, &back)]), 2, "nothing is wrong with it");
    // An order for a console that has stopped, and a change of it.
    let loaded = load("patrol", &["faults=[]", "limit_h=0.05"]);
    let (stop, back) = (fault("\"stop\"").replace("uav", "outpost"), fault("\"back\"").replace("uav", "outpost"));
    let urges = "order = { task = \"smoke\", priority = 20 }";
    let (_, ledger, vain) = hear(&loaded, &[(39.0, &stop), (40.0, SMOKE), (50.0, &back), (51.0, urges)]);
    assert!(ledger.records()[66].withdrawn && vain == 2, "{vain}");
    // Said while it hung, and it never listened again.
    let hangs = fault("\"pause\", for_s = 20").replace("uav", "outpost");
    let (_, ledger, vain) = hear(&loaded, &[(39.0, &hangs), (40.0, SMOKE), (41.0, urges), (42.0, &stop)]);
    assert!(ledger.records()[66].withdrawn && vain == 2, "{vain}");
}

/// No two tasks have one name, whichever is asked for first.
#[test]
fn phases_have_names_of_their_own() {
    let loaded = load("hotspot", &[]);
    let one = |at_s: u32, name: &str, kind: &str| {
        format!(
            "[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\norder = {{ name = \"{name}\", place = [600, 600], order = {{ by = \"console\"{kind} }} }}\n"
        )
    };
    let (plain, fire) = (one(5, "second verify", ""), one(6, "second", ", kind = \"fire\""));
    for text in [[plain.clone(), fire.clone()].concat(), [fire, plain].concat()] {
        let refused = Interventions::parse("x", &text, &loaded, loaded.schemes()[0]);
        assert!(refused.is_err_and(|error| error.to_string().contains("second verify")), "{text}");
    }
}

/// Gives what is drawn from a seed to a run while it goes on, out of the order of time.
struct OutOfTurn<'a> {
    loaded: &'a Arc<Loaded>,
    scheme: Scheme,
    seed: u64,
}

impl Visit for OutOfTurn<'_> {
    type Result = (Interventions, End);

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let Self { loaded, scheme, seed } = self;
        let mut stream = Stream::of_run(seed, Purpose::Faults);
        let robots: Vec<&str> = loaded.mission.robots.iter().map(|robot| &*robot.name).collect();
        let mut tasks = loaded.task_names.clone();
        let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
        sim.start();
        for number in 0..30 {
            let name = format!("new {number}");
            let (robot, what) = anything(&mut stream, loaded, scheme, &tasks, &name, &robots);
            let ahead_s = (stream.between(0.0, 120.0) * 2.0).floor() / 2.0;
            let at = Time::from_secs_f64(sim.now().as_secs_f64().ceil() + ahead_s);
            let text = format!("[[interventions]]\nat_s = 0\nauthor = \"x\"\n{what}\n");
            let mut file: scenario::InterventionsFile = toml::from_str(&text).unwrap();
            let entry = file.interventions.remove(0);
            let said = (entry.order.map(|order| Said::Order(Box::new(order))))
                .or(entry.fault.map(Said::Fault))
                .or(entry.radio.map(Said::Radio))
                .unwrap();
            let asks = matches!(&said, Said::Order(order) if order.name.is_some());
            if let Ok(what) = Checker::new(loaded, scheme, &sim.interventions()).check(at, said) {
                sim.intervene(at, robot, what).unwrap();
                if asks {
                    tasks.push(name);
                }
            }
            if number % 5 == 4 {
                let until = Time::from_secs_f64(sim.now().as_secs_f64() + 20.0);
                sim.run_until(|sim| sim.is_over() || sim.next_at().is_none_or(|at| at > until));
                if sim.is_over() {
                    break;
                }
            }
        }
        (sim.interventions(), end(sim))
    }
}

/// However they were given, their file gives the same run, and its recording verifies.
#[test]
fn what_was_given_out_of_turn_is_made_again() {
    let mut swapped = 0;
    for (name, changes) in [("minefield", ""), ("cleanup", "alliance.practice=[]"), ("patrol", ""), ("hotspot", "")] {
        let mut changes = vec!["radio.loss=0.1", "limit_h=0.2", changes];
        changes.retain(|change| !change.is_empty());
        let loaded = load(name, &changes);
        let schemes = loaded.schemes();
        for seed in 0..8 {
            let scheme = schemes[seed as usize % schemes.len()];
            let origin = Origin::new(loaded.clone(), scheme, seed);
            let (given, live) = staff(&origin, OutOfTurn { loaded: &loaded, scheme, seed });
            let printed = given.to_toml();
            let again = origin.with_interventions(parse(&loaded, scheme, &printed));
            assert_eq!(again.interventions, given, "{name}, seed {seed}");
            assert!(run(&again) == live, "{name}, seed {seed}:\n{printed}");
            if seed < 2 {
                let recording = record(&format!("turn-{name}"), &again);
                assert_eq!(recording::verify(&recording).failure, None, "{name}, seed {seed}:\n{printed}");
            }
            let asked: Vec<Time> =
                given.all().iter().filter(|made| made.what.asks_for_a_task()).map(|made| made.at).collect();
            swapped += usize::from(!asked.is_sorted());
        }
    }
    assert!(swapped > 3, "new tasks out of the order of time were met {swapped} times");
}

/// What a file could not hold, a run does not take.
#[test]
fn a_run_takes_what_a_file_can_say() {
    let loaded = row();
    let scheme = loaded.schemes()[0];
    let entry = |at_s: f64, what: &str| format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\n{what}\n");
    let jam = parse(&loaded, scheme, &entry(5.0, "radio = { jam = {} }")).all()[0].what.clone();
    let config = loaded.recruitment(scheme);
    let mut sim = Sim::new(&loaded.mission, 1, |_| Recruitment::new(config.clone()), ());
    assert!(sim.intervene(Time::from_secs_f64(3601.0), "x", jam.clone()).is_err(), "after the end");
    assert!(sim.intervene(Time::from_secs_f64(1.0), " ", jam.clone()).is_err(), "no author");
    assert!(sim.intervene(Time::from_secs_f64(3600.0), "x", jam).is_ok());
    // In the order of the file, whenever each is asked for.
    let one = |name: &str| format!("order = {{ name = \"{name}\", seen_by = \"caller\" }}");
    let text = [entry(200.0, &one("late")), entry(100.0, &one("early")), entry(90.0, &one("first"))].concat();
    assert_eq!(parse(&loaded, scheme, &text).task_names().collect::<Vec<_>>(), ["late", "early", "first"]);
    // What is cancelled later can be changed before, and is cancelled once.
    let cancel = "order = { task = \"late\", cancel = true }";
    let check = |given: &[(f64, &str)], at_s: f64, what: &str| {
        let text: String = given.iter().map(|(at_s, what)| entry(*at_s, what)).collect();
        let mut file: scenario::InterventionsFile = toml::from_str(&entry(at_s, what)).unwrap();
        let said = Said::Order(Box::new(file.interventions.remove(0).order.unwrap()));
        let before = parse(&loaded, scheme, &text);
        Checker::new(&loaded, scheme, &before).check(Time::from_secs_f64(at_s), said).is_ok()
    };
    let late = one("late");
    assert!(!check(&[(50.0, &late), (300.0, cancel)], 300.0, cancel));
    assert!(!check(&[(50.0, &late), (300.0, cancel)], 200.0, cancel));
    assert!(check(&[(50.0, &late)], 200.0, cancel));
}
