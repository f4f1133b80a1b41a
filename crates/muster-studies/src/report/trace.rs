//! One run made again to be looked at: where the robots went, how ashamed they were, when they sent.
//!
//! A run is the same however often it is made, so nothing has to be kept of the runs of a batch.

use std::cell::RefCell;
use std::collections::BTreeMap;

use muster_core::motion::{Along, Motion};
use muster_core::recruitment::{Answering, Config, Silence, Step};
use muster_core::telling::{Kind, Line, Weight};
use muster_core::{Body, Event, Mechanism, Note, Point, Recipient, RobotId, TaskId, Time};
use muster_journal::explain::{Explainer, NotDone};
use muster_sim::ledger::Record;
use muster_sim::radio::Fate;
use muster_sim::scenario::{Loaded, Recruiters};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{AnyObserver, Observer, Origin, Scheme, Sim};

use super::bids;
use crate::auction::{Auction, Reading};
use crate::run::Row;

/// More robots than this make a map that nobody can read.
const MOST_ROBOTS: usize = 60;
/// Most corners of one robot's way, and of its SHAME: a robot may never come to rest.
const MOST_CORNERS: usize = 4_000;
/// Most spells of work, and most corners of a box's way.
const MOST_SPELLS: usize = 20_000;
/// More decisions than this are not read; the others are counted, and `muster explain` tells them all.
const MOST_DECISIONS: usize = 30;
/// What the world and people did to the run is told however late it was, unless there is more of it than a page can hold.
const MOST_DONE_TO_IT: usize = 1_000;

/// One run to be looked at.
pub struct Trace<'a> {
    /// The row of the same run.
    pub row: &'a Row,
    /// How its robots recruited, if they did.
    pub config: Option<std::sync::Arc<Config>>,
    /// The way of every robot that moves.
    pub tracks: Vec<Track>,
    /// Robots that are not drawn.
    pub left_out: usize,
    /// SHAME of each robot that heard a HELP it could have answered.
    pub shame: Vec<Feeling>,
    /// When each message was sent, in seconds.
    pub sent_s: Vec<f64>,
    /// Messages sent and lost, by name.
    pub kinds: BTreeMap<&'static str, (u64, u64)>,
    /// Seconds from the beginning to the end of the run.
    pub end_s: f64,
    /// Who was chosen, or took what, and why: the first of them; and all that the world and people did to the run.
    pub decisions: Vec<Why>,
    /// How many more there were.
    pub more_decisions: usize,
    /// Why nobody took the tasks that nobody took, those of equal reasons together.
    pub nobody: Vec<NotDone>,
    /// The auctions, if tasks were auctioned.
    pub auction: Option<Auction>,
    /// When more had happened than a page can hold, if it came to that: SHAME, spells of work and the way of a box end there.
    pub cut_s: Option<f64>,
    /// Who was at which task.
    pub spells: Vec<Spell>,
    /// How far the left and the right end of the box had come: seconds and metres.
    pub pushed: Vec<[f64; 3]>,
}

/// A decision in words.
pub struct Why {
    /// Seconds since the beginning.
    pub at_s: f64,
    /// Name of the robot that decided.
    pub robot: String,
    /// What, and why.
    pub text: String,
}

/// A spell of work.
pub struct Spell {
    /// Name of the robot that worked.
    pub robot: String,
    /// At which task, by number.
    pub task: TaskId,
    /// From and until when, in seconds.
    pub from_s: f64,
    /// Until when.
    pub until_s: f64,
}

/// The way of one robot.
pub struct Track {
    /// The robot's name.
    pub name: String,
    /// It had an errand of its own.
    pub errand: bool,
    /// The tasks that it worked at.
    pub tasks: Vec<String>,
    /// Seconds, metres east, metres north: corners of its way.
    pub corners: Vec<[f64; 3]>,
}

/// SHAME of one robot.
pub struct Feeling {
    /// The robot's name.
    pub name: String,
    /// Seconds and SHAME: corners of its course.
    pub course: Vec<[f64; 2]>,
    /// Seconds and SHAME where it answered.
    pub answers: Vec<[f64; 2]>,
}

impl Trace<'_> {
    /// SHAME decides who answers.
    pub fn shame_decides(&self) -> bool {
        self.config.as_ref().is_some_and(|config| config.answering == Answering::Ashamed)
    }
}

/// Makes the run from `origin` again, of which `row` is what came of it. Nothing, if a halt is called on the way.
pub fn trace<'a>(origin: &Origin, row: &'a Row, halt: impl Fn() -> bool) -> Option<Trace<'a>> {
    staff(origin, Look { origin, row, halt: &halt })
}

struct Look<'o, 'a> {
    halt: &'o dyn Fn() -> bool,
    origin: &'o Origin,
    row: &'a Row,
}

impl<'a> Visit for Look<'_, 'a> {
    type Result = Option<Trace<'a>>;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Option<Trace<'a>> {
        let Self { origin, row, halt } = self;
        let Origin { loaded, scheme, .. } = origin;
        let mut ways: Vec<Way> = drawn(loaded, row).into_iter().map(Way::new).collect();
        let mut pushed: Vec<[f64; 3]> = Vec::new();
        let traffic = RefCell::new(Traffic::default());
        let onlooker: AnyObserver<'_, M> = &traffic;
        let mut sim = Sim::of(origin, machine, onlooker).with_notes();
        let recruits = matches!(scheme, Scheme::Recruitment(_) | Scheme::Scripted);
        let recruiters = recruits.then(|| loaded.recruiters(*scheme));
        let config = recruiters.as_ref().map(|recruiters| recruiters.team().clone());
        let mut feelings = Feelings { all: BTreeMap::new(), recruiters, cut_s: None };
        let mut decisions = Decisions::new(origin);
        let auctioned = matches!(scheme, Scheme::Tasking(_));
        let mut auction = auctioned.then(|| Reading::new(bids::MOST_TASKS));
        let mut cut_s: Option<f64> = None;
        sim.start();
        loop {
            // Looked at as they come: a long run has more notes than fit the memory.
            for note in sim.take_notes() {
                feelings.read(&note);
                decisions.read(&note);
                auction.iter_mut().for_each(|auction| auction.read(&note));
            }
            for way in &mut ways {
                way.look(&sim.bodies()[way.robot.index()], sim.now());
            }
            if let Some(box_) = sim.pushed() {
                let [left, right] = box_.advance_m(sim.now());
                let corner = [sim.now().as_secs_f64(), left, right];
                let room = pushed.len() < MOST_SPELLS;
                match pushed.last_mut() {
                    Some(last) if last[0] == corner[0] => *last = corner,
                    _ if room => pushed.push(corner),
                    _ => _ = cut_s.get_or_insert(corner[0]),
                }
            }
            if halt() {
                return None;
            }
            if sim.is_over() || !sim.step() {
                break;
            }
        }
        for note in sim.take_notes() {
            feelings.read(&note);
            decisions.read(&note);
            auction.iter_mut().for_each(|auction| auction.read(&note));
        }
        let end = sim.now();
        let ledger = sim.ledger().clone();
        let name = |robot: RobotId| loaded.mission.robots[robot.index()].name.to_string();
        let track = |mut way: Way| {
            way.finish(end);
            let name = name(way.robot);
            let at = |record: &&Record| record.work.iter().any(|work| work.robot == way.robot);
            let own = ledger.records().iter().filter(at);
            Track {
                errand: loaded.mission.robots[way.robot.index()].errand.is_some(),
                tasks: own.filter_map(|record| origin.task_name(record.task.id)).map(str::to_owned).collect(),
                corners: way.corners,
                name,
            }
        };
        let cuts = [cut_s, feelings.cut_s];
        let shame = feelings.over(end.as_secs_f64());
        let spells = ledger.records().iter().flat_map(|record| {
            record.work.iter().map(|work| Spell {
                robot: name(work.robot),
                task: record.task.id,
                from_s: work.from.as_secs_f64(),
                until_s: work.until.min(end).as_secs_f64(),
            })
        });
        let mut spells: Vec<Spell> = spells.collect();
        let later = spells.get(MOST_SPELLS).map(|spell| spell.from_s);
        spells.truncate(MOST_SPELLS);
        let nobody = decisions.explainer.not_done();
        let Decisions { taken: decisions, more: more_decisions, .. } = decisions;
        let left_out = loaded.mission.robots.len() - ways.len();
        let traffic = traffic.take();
        Some(Trace {
            row,
            config,
            tracks: ways.into_iter().map(track).collect(),
            left_out,
            shame: shame.into_iter().map(|(robot, feeling)| Feeling { name: name(robot), ..feeling }).collect(),
            sent_s: traffic.sent_s,
            kinds: traffic.kinds,
            end_s: end.as_secs_f64(),
            decisions,
            more_decisions,
            nobody,
            auction: auction.map(|auction| auction.over(end)),
            cut_s: cuts.into_iter().chain([later]).flatten().min_by(f64::total_cmp),
            spells,
            pushed,
        })
    }
}

/// Whom robots chose, or what they took and left, and why. A robot that does again what it did last is not told.
struct Decisions<'l> {
    explainer: Explainer<'l>,
    taken: Vec<Why>,
    /// How many of these are decisions of robots, and how many were done to the run.
    decided: usize,
    done_to_it: usize,
    more: usize,
    last: BTreeMap<TaskId, (RobotId, bool)>,
}

impl<'l> Decisions<'l> {
    fn new(origin: &'l Origin) -> Self {
        Self {
            explainer: origin.explainer(),
            taken: Vec::new(),
            decided: 0,
            done_to_it: 0,
            more: 0,
            last: BTreeMap::new(),
        }
    }

    fn read(&mut self, note: &Note) {
        let line = self.explainer.line(note);
        if line.gist.weight < Weight::Decision || self.is_known(&line) {
            return;
        }
        let (count, most) = match line.gist.kind {
            Kind::World | Kind::Command => (&mut self.done_to_it, MOST_DONE_TO_IT),
            Kind::Start
            | Kind::Call
            | Kind::Offer
            | Kind::Award
            | Kind::Travel
            | Kind::Work
            | Kind::Done
            | Kind::Trouble
            | Kind::Auction => (&mut self.decided, MOST_DECISIONS),
        };
        if *count == most {
            self.more += 1;
            return;
        }
        *count += 1;
        let robot = self.explainer.who(&line).to_string();
        self.taken.push(Why { at_s: line.at.as_secs_f64(), robot, text: line.text });
    }

    /// The robot took this task in the same way when it was taken last. A mechanism that counts attempts has something
    /// new to say of each.
    fn is_known(&mut self, line: &Line) -> bool {
        line.award.as_ref().filter(|award| award.round == 0).is_some_and(|award| {
            let how = (award.chosen.robot, award.taken_from.is_some());
            self.last.insert(award.task, how) == Some(how)
        })
    }
}

/// Who is drawn: those that took a task over, then those with errands, then the others, by number.
fn drawn(loaded: &Loaded, row: &Row) -> Vec<RobotId> {
    let recruited = |name: &str| row.outcome.iter().any(|task| task.responder.as_deref() == Some(name));
    let mut robots: Vec<RobotId> = (0..loaded.mission.robots.len() as u32).map(RobotId).collect();
    robots.sort_by_key(|robot| {
        let spec = &loaded.mission.robots[robot.index()];
        (!recruited(&spec.name), spec.errand.is_none(), *robot)
    });
    robots.truncate(MOST_ROBOTS);
    robots.sort_unstable();
    robots
}

#[derive(Default)]
struct Traffic {
    sent_s: Vec<f64>,
    kinds: BTreeMap<&'static str, (u64, u64)>,
}

impl<M: Mechanism> Observer<M> for Traffic {
    fn on_transmission(&mut self, now: Time, _from: RobotId, _to: Recipient, message: &M::Message, fate: Fate) {
        self.sent_s.push(now.as_secs_f64());
        let (sent, lost) = self.kinds.entry(M::name_of(message)).or_default();
        *sent += 1;
        *lost += u64::from(fate == Fate::Lost);
    }
}

/// The way of one robot, corner by corner, from the changes of its motion.
struct Way {
    robot: RobotId,
    motion: Option<Motion>,
    corners: Vec<[f64; 3]>,
}

impl Way {
    fn new(robot: RobotId) -> Self {
        Self { robot, motion: None, corners: Vec::new() }
    }

    fn look(&mut self, body: &Body, now: Time) {
        if self.motion.as_ref() != Some(&body.motion) {
            self.finish(now);
            self.put(now, body.place(now));
            self.motion = Some(body.motion.clone());
        }
    }

    /// Adds the corners of the motion so far.
    fn finish(&mut self, now: Time) {
        let Some(motion) = self.motion.take() else { return };
        match &motion {
            Motion::Still(_) => {}
            Motion::Straight { to, arrive, .. } if *arrive < now => self.put(*arrive, *to),
            Motion::Straight { .. } => {}
            Motion::Along(along) => self.follow(along, now),
        }
        self.put(now, motion.place(now));
    }

    fn follow(&mut self, along: &Along, now: Time) {
        let back = along.to_m < along.from_m;
        let (from, to) = (along.from_m, along.progress_m(now));
        let mut at_m = 0.0;
        let mut last: Option<Point> = None;
        let mut passed: Vec<(f64, Point)> = Vec::new();
        for corner in along.path.corners() {
            at_m += last.map_or(0.0, |last| last.distance(corner));
            last = Some(corner);
            if at_m > from.min(to) && at_m < from.max(to) {
                passed.push((at_m, corner));
            }
        }
        if back {
            passed.reverse();
        }
        for (at_m, corner) in passed {
            let driven_s = (at_m - from).abs() / along.speed_mps;
            self.put(along.leave + muster_core::Duration::from_secs_f64(driven_s), corner);
        }
    }

    fn put(&mut self, at: Time, place: Point) {
        if self.corners.len() < MOST_CORNERS {
            self.corners.push([at.as_secs_f64(), place.x, place.y]);
        }
    }
}

/// The course of SHAME from what robots noted: it jumps when a HELP is ignored or answered, and fades in a
/// straight line in between.
struct Feelings {
    all: BTreeMap<RobotId, Feeling>,
    /// How each robot recruits, if they do.
    recruiters: Option<Recruiters>,
    /// When the first of them had more corners than are kept.
    cut_s: Option<f64>,
}

impl Feelings {
    fn read(&mut self, note: &Note) {
        let (before, after, answered) = match note.event {
            // Not asked, so to speak: a robot that is unable is not ashamed.
            Event::Recruitment(Step::Silent { why: Silence::Unable, .. }) => return,
            Event::Recruitment(Step::Silent { shame, shame_after, .. }) => (shame, shame_after, false),
            Event::Recruitment(Step::Offered { shame, .. }) => (shame, 0.0, true),
            // What is new about a robot that starts again: it has forgotten its SHAME.
            Event::Started { .. } if note.at > Time::ZERO => (f64::NAN, 0.0, false),
            _ => return,
        };
        let (at_s, decay_per_s) = (note.at.as_secs_f64(), self.decay_per_s(note.robot));
        let feeling = self.all.entry(note.robot).or_insert_with(|| Feeling {
            name: String::new(),
            course: vec![[0.0, 0.0]],
            answers: Vec::new(),
        });
        if feeling.course.len() >= MOST_CORNERS {
            self.cut_s.get_or_insert(at_s);
            return;
        }
        feeling.fade(at_s, decay_per_s);
        if before.is_finite() {
            feeling.course.push([at_s, before]);
        }
        feeling.course.push([at_s, after]);
        if answered {
            feeling.answers.push([at_s, before]);
        }
    }

    fn over(mut self, end_s: f64) -> BTreeMap<RobotId, Feeling> {
        let mut all = std::mem::take(&mut self.all);
        for (robot, feeling) in &mut all {
            if feeling.course.len() >= MOST_CORNERS {
                continue;
            }
            let decay_per_s = self.decay_per_s(*robot);
            feeling.fade(end_s, decay_per_s);
            let left = feeling.course.last().map_or(0.0, |[at_s, shame]| shame - (end_s - at_s) * decay_per_s);
            feeling.course.push([end_s, left.max(0.0)]);
        }
        all
    }

    fn decay_per_s(&self, robot: RobotId) -> f64 {
        self.recruiters.as_ref().map_or(0.0, |recruiters| recruiters.of(robot).shame.decay_per_s)
    }
}

impl Feeling {
    /// Adds the corner where it reached zero, if it did before `until_s`.
    fn fade(&mut self, until_s: f64, decay_per_s: f64) {
        let Some(&[at_s, shame]) = self.course.last() else { return };
        if shame > 0.0 && decay_per_s > 0.0 && at_s + shame / decay_per_s < until_s {
            self.course.push([at_s + shame / decay_per_s, 0.0]);
        }
    }
}
