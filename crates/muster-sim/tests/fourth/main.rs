//! A mechanism that no crate knows of is simulated, disturbed, watched by invariants, recorded, replayed and explained as it
//! is: what is written for all mechanisms asks the trait, and notes carry their meaning. CONTRIBUTING.md says which files
//! make such a mechanism one that scenario files can name.

mod nearest;

use std::path::PathBuf;

use muster_core::{Dice, Note, RobotId};
use muster_journal::{Replay, Replayed, Source};
use muster_sim::checks::{self, TeamCheck};
use muster_sim::fault::Fault;
use muster_sim::recording::{self, Header, Recorder};
use muster_sim::{Observer, Origin, Sim, View, scenario};
use nearest::Nearest;

const SEED: u64 = 3;

/// The mission of `cleanup`, whose tasks take as long as the world says, whatever mechanism does them.
fn origin(changes: &[&str]) -> Origin {
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
    let loaded = scenario::load("cleanup", &changes).unwrap();
    let scheme = loaded.schemes()[0];
    Origin::new(loaded, scheme, SEED)
}

fn machine(_: RobotId) -> Nearest {
    Nearest::default()
}

/// Looks at the invariants of any team after every event.
struct Watched(Vec<TeamCheck<Nearest>>);

impl Observer<Nearest> for Watched {
    fn after_event(&mut self, view: View<'_, Nearest>) -> Option<Fault> {
        for check in &mut self.0 {
            check.look(&view).unwrap_or_else(|wrong| panic!("{}: {wrong}", check.name()));
        }
        None
    }
}

fn notes(origin: &Origin) -> Vec<Note> {
    let mut sim = Sim::of(origin, machine, ()).with_notes();
    sim.run();
    sim.take_notes()
}

#[test]
fn it_does_a_mission_under_loss_and_failure_and_keeps_the_invariants_of_any_team() {
    for changes in
        [vec![], vec!["radio.loss=0.3"], vec!["faults=[{ robot = \"scout-1\", at_s = 100, kind = \"stop\" }]"]]
    {
        let origin = origin(&changes);
        let mut sim = Sim::of(&origin, machine, Watched(checks::for_team(origin.mission())));
        sim.run();
        let open = sim.ledger().records().iter().filter(|record| record.served.is_none()).count();
        assert_eq!(open, 0, "{changes:?}: tasks are left");
    }
}

#[test]
fn it_is_explained() {
    let origin = origin(&[]);
    let mut explainer = origin.explainer();
    let lines: Vec<_> = notes(&origin).iter().filter_map(|note| explainer.log_line(note)).collect();
    let taken: Vec<_> = lines.iter().filter(|line| line.award.is_some()).collect();
    assert_eq!(taken.len(), origin.task_names().count(), "each task is taken once");
    assert_eq!(explainer.written(taken[0]), "2.000\tveteran\ttakes find-north as the nearest of 3");
    let award = taken[0].award.as_ref().unwrap();
    assert_eq!((award.chosen.robot, award.others.len()), (RobotId(3), 2));
}

#[test]
fn it_is_recorded_and_replayed_byte_for_byte() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fourth.mcap");
    let header = Header { origin: origin(&["radio.loss=0.3"]), program: ("0".into(), "none".into()) };
    let mut sim = Sim::of(&header.origin, machine, Recorder::create(&path, &header).unwrap()).with_notes();
    sim.run();
    let noted = sim.take_notes();
    let count = sim.into_observer().finish().unwrap();
    let recording = recording::read(&path).unwrap();
    let source = Source::Team { dice: Dice::new(SEED), interventions: Vec::new() };
    let cast = header.origin.cast();
    let Replayed { notes, inputs, outputs, failure, .. } =
        Replay { cast: &cast, source, events: &recording.events }.feed(machine, || false);
    assert_eq!((failure, inputs + outputs), (None, count));
    assert_eq!(notes, noted);
}
