//! A mission that can be watched.

use std::sync::Arc;

use muster_core::affect::Table;
use muster_core::event::Happening;
use muster_core::motion::Motion;
use muster_core::panel::Viewing;
use muster_core::{Body, Duration, Input, Mechanism, Names, Output, Recipient, RobotId, TaskId, Time};
use muster_sim::fault::Fault;
use muster_sim::intervention::Made;
use muster_sim::ledger::{Ledger, Record};
use muster_sim::radio::Fate;
use muster_sim::recording::Comparer;
use muster_sim::{Observer, Origin, Sim, View, emotions};

use super::air::{Air, Said};
use super::facts::Known;
use super::teller::Teller;
use super::{OnStage, Subject, end_of_recording};
use crate::costs;
use crate::frame::Frame;
use crate::scene::{Card, Counts, Glance, Line, Progress, RobotState, Story, TaskState, Way};
use crate::wire::Bids;

/// Most tasks that are shown, open ones first.
const MOST_TASKS: usize = 500;
/// Most ways that are shown.
const MOST_WAYS: usize = 60;

/// A mission that can be watched.
pub struct MissionStage<'m, M: Mechanism> {
    sim: Sim<'m, M, Watcher<'m, M>>,
    origin: &'m Origin,
    /// The time that is shown: the run's own stands still between events.
    shown: Time,
    known: Known,
    table: Arc<Table>,
    over: Option<String>,
    /// The run itself is over: it was neither stopped, nor does a recording of it end here.
    ended: bool,
    teller: Option<Teller<'m>>,
    effort: u64,
}

/// Sees what is said, and whether the run is the one that was recorded.
pub struct Watcher<'m, M: Mechanism> {
    air: Air,
    comparer: Option<Comparer<'m, M>>,
    inputs: u64,
}

impl<M: Mechanism> Clone for Watcher<'_, M> {
    fn clone(&self) -> Self {
        Self { air: self.air.twin(), comparer: self.comparer.clone(), inputs: self.inputs }
    }
}

impl<'m, M: Mechanism> MissionStage<'m, M> {
    /// The mission from its beginning, everybody started. With a comparer it has to be the run that was recorded.
    pub fn new(origin: &'m Origin, machine: impl FnMut(RobotId) -> M, comparer: Option<Comparer<'m, M>>) -> Self {
        let watcher = Watcher { air: Air::default(), comparer, inputs: 0 };
        let mut sim = Sim::of(origin, machine, watcher).with_notes();
        sim.start();
        if let Some(comparer) = &mut sim.observer_mut().comparer {
            comparer.started();
        }
        let mut stage = Self {
            sim,
            origin,
            shown: Time::ZERO,
            known: Known::new(origin.task_names().count()),
            table: emotions::built_in(),
            over: None,
            ended: false,
            teller: Some(Teller::new(origin.explainer())),
            effort: 0,
        };
        stage.take_notes();
        stage
    }

    fn take_notes(&mut self) {
        self.effort = self.sim.observer().inputs;
        for note in self.sim.take_notes() {
            let mark = self.known.learn(&note);
            if let Some(teller) = &mut self.teller {
                teller.tell(&note, mark);
            }
        }
    }

    /// One event, unless it is over. The same order as in a run that nobody watches: over or not is asked before each.
    fn take_event(&mut self) {
        let ended = self.sim.is_over() || !self.sim.step();
        self.take_notes();
        if let Some(comparer) = &mut self.sim.observer_mut().comparer {
            if ended {
                comparer.ended();
            }
            self.over = end_of_recording(comparer.difference(), comparer.is_settled(), ended);
        }
        if ended && self.over.is_none() {
            self.ended = true;
            self.over = Some(self.ending());
        }
    }

    fn ending(&self) -> String {
        let (ledger, now) = (self.sim.ledger(), self.sim.now());
        if ledger.all_served() {
            return format!("All tasks are handed over or done, after {now:.1}.");
        }
        let left = ledger.records().iter().filter(|record| is_open(record)).count();
        match left {
            0 => format!("Nothing is left to be done, after {now:.1}."),
            left => format!("It is over after {now:.1}, and {left} of the tasks that came up were not done."),
        }
    }

    fn state(&self, robot: RobotId) -> RobotState {
        if !self.sim.attends(robot) {
            return RobotState::NotWorking;
        }
        self.sim.machines()[robot.index()].posture().into()
    }

    fn task_state(&self, record: &Record) -> TaskState {
        let task = record.task.id;
        let facts = self.known.of(task);
        let working = record.work.iter().rev().take(64).filter(|work| work.goes_on(self.shown));
        let mut workers: Vec<u32> = working.map(|work| work.robot.0).collect();
        workers.sort_unstable();
        workers.dedup();
        let state = match record {
            Record { expired: true, .. } => Progress::Expired,
            Record { withdrawn: true, .. } => Progress::CalledOff,
            Record { served: Some(_), recurs: false, .. } => Progress::Done,
            Record { seen: None, .. } => Progress::Unseen,
            _ if !workers.is_empty() => Progress::Worked,
            _ if facts.holder.is_some() => Progress::Taken,
            _ => Progress::Open,
        };
        let place = self.place_of(record);
        TaskState {
            task: task.0,
            state,
            x: place.x,
            y: place.y,
            seen: record.seen.map(|(at, _)| at.as_secs_f64()),
            by: record.seen.map(|(_, robot)| robot.0),
            holder: record.served.map(|(_, robot)| robot).or(facts.holder).map(|robot| robot.0),
            lead: facts.lead.map(|robot| robot.0),
            epoch: facts.epoch,
            workers,
            served: record.served.map(|(at, _)| at.as_secs_f64()),
            times: record.done,
            calls: facts.calls,
        }
    }

    /// The ends of a box move with it.
    fn place_of(&self, record: &Record) -> muster_core::Point {
        let pushed =
            self.sim.pushed().and_then(|pushed| Some(pushed.place(pushed.end_of(record.task.id)?, self.shown)));
        pushed.unwrap_or(record.task.place)
    }

    fn ways(&self) -> Vec<Way> {
        let flies = self.origin.loaded.scenario.tasking.is_some();
        let way = |body: &Body| match &body.motion {
            Motion::Along(along) if flies => Some(Way {
                robot: body.id.0,
                points: along.path.corners().map(|corner| [corner.x, corner.y]).collect(),
                corridor: true,
            }),
            _ => None,
        };
        self.sim.bodies().iter().filter_map(way).take(MOST_WAYS).collect()
    }
}

fn is_open(record: &Record) -> bool {
    record.seen.is_some() && record.is_left()
}

/// Tasks that are done, each counted once; those that recur, as often as they were.
fn done(ledger: &Ledger) -> u64 {
    let times =
        |record: &Record| if record.recurs { u64::from(record.done) } else { u64::from(record.served.is_some()) };
    ledger.records().iter().map(times).sum()
}

impl<M: Mechanism> OnStage for MissionStage<'_, M> {
    fn now(&self) -> Time {
        self.shown
    }

    fn advance(&mut self, until: Time, halt: &mut dyn FnMut() -> bool) {
        while self.over.is_none() {
            // Nothing left to happen is something that happens: the run is over.
            let due = self.sim.is_over() || self.sim.next_at().is_none_or(|at| at <= until);
            if !due {
                self.shown = self.shown.max(until);
                return;
            }
            self.take_event();
            self.shown = self.shown.max(self.sim.now());
            if halt() {
                return;
            }
        }
    }

    fn next_at(&self) -> Time {
        self.sim.next_at().unwrap_or(self.shown).max(self.shown)
    }

    fn over(&self) -> Option<&str> {
        self.over.as_deref()
    }

    fn stop(&mut self) {
        if self.over.is_none() {
            self.over = Some(format!("Stopped after {:.1}.", self.shown));
        }
    }

    fn twin(&self) -> Option<Self> {
        Some(Self {
            sim: self.sim.clone(),
            origin: self.origin,
            shown: self.shown,
            known: self.known.clone(),
            table: self.table.clone(),
            over: self.over.clone(),
            ended: self.ended,
            teller: None,
            effort: self.effort,
        })
    }

    fn effort(&self) -> u64 {
        self.effort
    }

    fn poses(&self, frame: &mut Frame<'_>) {
        for body in self.sim.bodies() {
            let pose = body.pose(self.shown);
            let moves = !matches!(body.motion, Motion::Still(_));
            frame.body(pose.place.x, pose.place.y, pose.yaw, self.state(body.id).in_frame(moves));
        }
        if let Some(pushed) = self.sim.pushed() {
            let pose = pushed.pose(self.shown);
            frame.pushed(pose.place.x, pose.place.y, pose.yaw);
        }
    }

    fn counts(&self) -> Counts {
        let (traffic, ledger) = (self.sim.traffic(), self.sim.ledger());
        let team = (0..self.robots()).map(RobotId);
        let expired = ledger.records().iter().filter(|record| record.expired).count() as u64;
        let open = ledger.records().iter().filter(|record| is_open(record)).count() as u64;
        Counts {
            sent: traffic.sent,
            lost: traffic.lost,
            missed: traffic.missed,
            // What is still open when everything is over was lost.
            open: if self.ended { 0 } else { open },
            done: done(ledger),
            duplicated: ledger.duplicates(),
            overlaps: ledger.overlaps(),
            gone: expired + if self.ended { open } else { 0 },
            robots_down: team.filter(|robot| !self.sim.attends(*robot)).count() as u64,
        }
    }

    fn glance(&self, window: Duration) -> Glance {
        let since = Time::from_micros(self.shown.as_micros().saturating_sub(window.as_micros()));
        let records = self.sim.ledger().records();
        let (open, rest): (Vec<&Record>, Vec<&Record>) =
            records.iter().partition(|record| is_open(record) || record.recurs);
        // Of the rest those that are done, the newest first; what nobody has seen yet comes last.
        let mut rest = rest;
        if records.len() > MOST_TASKS {
            rest.sort_by_key(|record| std::cmp::Reverse((record.seen.is_some(), record.served.map(|(at, _)| at))));
        }
        let shown = open.into_iter().chain(rest).take(MOST_TASKS);
        Glance {
            counts: self.counts(),
            tasks: shown.map(|record| self.task_state(record)).collect(),
            arcs: self.sim.observer().air.arcs(since),
            marks: self.known.marks(since),
            ways: self.ways(),
        }
    }

    fn card(&self, robot: u32) -> Option<Card> {
        let body = self.sim.bodies().get(robot as usize)?;
        let id = RobotId(robot);
        let place = body.place(self.shown);
        let view = Viewing { now: self.shown, body, names: self.origin, emotions: &self.table };
        let failure = if self.sim.is_dead(id) {
            Some("It has stopped for good.")
        } else if !self.sim.is_up(id) {
            Some("It is down.")
        } else if !self.sim.attends(id) {
            Some("It hangs: nothing gets through to it.")
        } else {
            None
        };
        Some(Card {
            robot,
            name: self.origin.mission().robots[robot as usize].name.to_string(),
            state: self.state(id),
            place: [place.x, place.y],
            failure: failure.map(str::to_owned),
            fields: self.sim.machines()[robot as usize].panel(&view),
        })
    }

    fn robots(&self) -> u32 {
        self.sim.bodies().len() as u32
    }

    fn lines(&mut self) -> Vec<Line> {
        self.teller.as_mut().map(Teller::take).unwrap_or_default()
    }

    fn story(&self, of: Subject, until: Time) -> Story {
        let (messages, truncated) = self.sim.observer().air.told(of, until);
        let (task, name) = match of {
            Subject::Task(task) => (Some(task), self.origin.task(TaskId(task))),
            Subject::Robot(robot) => (None, self.origin.robot(RobotId(robot))),
        };
        let mut story = Story { task, name: name.to_string(), messages, truncated, ..Story::default() };
        if let Some(teller) = &self.teller {
            teller.add_to(&mut story, of, until);
        }
        story
    }

    fn bids(&self, task: u32, until: Time) -> Option<Bids> {
        self.teller.as_ref()?.lot(TaskId(task), until).map(costs::bids)
    }
}

impl<M: Mechanism> Observer<M> for Watcher<'_, M> {
    fn on_input(&mut self, now: Time, body: &Body, input: &Input<'_, M>, transmission: Option<u64>) {
        self.inputs += 1;
        if let Some(number) = transmission {
            self.air.heard(number, body.id, now);
        }
        if let Some(comparer) = &mut self.comparer {
            comparer.on_input(now, body, input, transmission);
        }
    }

    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<M>) {
        if let Some(comparer) = &mut self.comparer {
            comparer.on_output(now, robot, output);
        }
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &M::Message, fate: Fate) {
        let (kind, family, task) = (M::name_of(message), M::family_of(message), M::task_of(message));
        self.air.sent(now, from, to, Said { kind, family, task }, fate == Fate::Lost);
        if let Some(comparer) = &mut self.comparer {
            comparer.on_transmission(now, from, to, message, fate);
        }
    }

    fn on_happening(&mut self, now: Time, robot: RobotId, happening: Happening) {
        if let Some(comparer) = &mut self.comparer {
            comparer.on_happening(now, robot, happening);
        }
    }

    fn on_intervention(&mut self, now: Time, made: &Made) {
        if let Some(comparer) = &mut self.comparer {
            comparer.on_intervention(now, made);
        }
    }

    fn after_event(&mut self, view: View<'_, M>) -> Option<Fault> {
        self.comparer.as_mut().and_then(|comparer| comparer.after_event(view))
    }
}

#[cfg(test)]
mod tests {
    use muster_core::recruitment::Recruitment;
    use muster_core::tasking::Tasking;
    use muster_sim::recording::{self, Header};
    use muster_sim::{Scheme, Seeds, scenario};

    use super::*;
    use crate::scene::{LineKind, OfferUnit};

    /// A recording of another run is not shown as if it were this one.
    #[test]
    fn a_recording_that_differs_ends_where_it_does() {
        let loaded = scenario::load("minefield", &[]).expect("the built-in scenario is right");
        let scheme = loaded.schemes()[0];
        let program = ("0".to_owned(), "0".to_owned());
        let header = Header { origin: Origin::new(loaded, scheme, 1), program };
        let path = std::env::temp_dir().join(format!("muster-differs-{}.mcap", std::process::id()));
        recording::record(&path, &header, || false).expect("it can be recorded");
        let mut recording = recording::read(&path).expect("it can be read");
        std::fs::remove_file(&path).expect("it can be removed");
        for (differs, seed) in [(false, 1), (true, 2)] {
            recording.header.origin.seeds = Seeds::from(seed);
            let config = recording.header.origin.loaded.recruitment(scheme);
            let comparer = Some(Comparer::new(&recording));
            let machine = |_| Recruitment::new(config.clone());
            let mut stage = MissionStage::new(&recording.header.origin, machine, comparer);
            stage.advance(Time::NEVER, &mut || false);
            let over = stage.over().expect("it is over");
            assert_eq!(over.starts_with("The recording is of another run"), differs, "{over}");
            assert_eq!(stage.counts().gone, 0, "what a recording does not show was not lost");
        }
    }

    fn load(name: &str, changes: &[&str]) -> Origin {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        let loaded = scenario::load(name, &changes).expect("the built-in scenario is right");
        let scheme = loaded.schemes()[0];
        Origin::new(loaded, scheme, 1)
    }

    /// What the world does is in the log, and what was bid is known without making the run again, also of the past.
    #[test]
    fn faults_are_lines_and_bids_are_remembered() {
        let origin = load("patrol", &[]);
        let Scheme::Tasking(variant) = origin.scheme else { panic!("its tasks are auctioned") };
        let (config, vehicles) = origin.loaded.tasking(variant);
        let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
        let mut stage = MissionStage::new(&origin, machine, None);
        assert!(stage.bids(0, Time::NEVER).is_none(), "nothing was auctioned yet");
        stage.advance(Time::NEVER, &mut || false);
        let lines = stage.lines();
        let down = lines.iter().find(|line| line.kind == LineKind::World).expect("vehicles crash");
        assert!(down.robot.is_some() && down.raw.ends_with(&down.text), "{}", down.raw);
        let bids = stage.bids(0, Time::NEVER).expect("it was auctioned");
        let winner = bids.bids.iter().find(|bid| bid.robot == bids.chosen.robot).expect("the winner has bid");
        let (time, heading) = (bids.chosen.time.expect("a sample"), bids.chosen.heading.expect("a sample"));
        assert_eq!(winner.cost[usize::from(time)][usize::from(heading)], Some(bids.chosen.cost));
        let before = Time::from_secs_f64(bids.at).as_micros() - 1;
        let earlier = stage.bids(0, Time::from_micros(before));
        assert!(earlier.is_none_or(|earlier| earlier.at < bids.at), "what comes later is not known yet");
        let story = stage.story(Subject::Task(0), Time::NEVER);
        let award = story.awards.last().expect("it was assigned");
        assert!(award.offers[0].chosen && award.offers.iter().any(|offer| offer.unit == OfferUnit::Cost));
    }

    /// A task that nobody takes says why, in a few sentences.
    #[test]
    fn a_task_that_nobody_takes_says_why() {
        let origin = load("minefield", &["radio.loss=1.0", "limit_h=0.1"]);
        let config = origin.loaded.recruitment(origin.scheme);
        let mut stage = MissionStage::new(&origin, |_| Recruitment::new(config.clone()), None);
        stage.advance(Time::NEVER, &mut || false);
        let story = stage.story(Subject::Task(0), Time::NEVER);
        assert!(
            story.nobody[0].starts_with("called for ") && story.nobody[1].starts_with("nobody heard "),
            "{story:?}"
        );
    }
}
