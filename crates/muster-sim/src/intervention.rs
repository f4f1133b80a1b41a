//! What somebody does to a run while it goes on: asks for a task, breaks a robot or mends it, disturbs the radio.
//!
//! Interventions are a part of what a run comes from ([`Origin`]): a run that somebody disturbed by hand is made again
//! like any other. They are said with names, as in a file (`scenario::interventions`), and kept with the numbers that the
//! names stand for.
//!
//! [`Origin`]: crate::Origin

use std::sync::Arc;

use muster_core::event::Intervened;
use muster_core::{Brief, Duration, Event, Note, Point, RobotId, TaskId, Time};

use crate::fault::{Fault, FaultKind};
use crate::mission::{SeenBy, TaskSpec};
use crate::radio::Disturbance;
use crate::scenario::{InterventionEntry, InterventionsFile, Said, is_hidden};

/// A run with more is a slip of the keyboard; what is found wrong with one is looked for in all before it.
pub(crate) const MOST_INTERVENTIONS: usize = 10_000;

/// A name of an author that is longer than this is no name.
pub(crate) const LONGEST_AUTHOR: usize = 80;

/// Somebody may be called that.
pub(crate) fn is_author(name: &str) -> bool {
    (1..=LONGEST_AUTHOR).contains(&name.chars().count())
        && !name.chars().any(|letter| letter.is_control() || is_hidden(letter))
        && !name.trim().is_empty()
}

/// Something that can be done to a run: as it was said, and what it comes to in the mission that it was checked
/// against. Made by [`Checker::check`](crate::scenario::Checker::check), which finds what makes no sense.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    pub(crate) said: Said,
    pub(crate) deed: Deed,
}

impl Intervention {
    /// As it was said.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// It asks for a task that was not there before.
    pub fn asks_for_a_task(&self) -> bool {
        matches!(self.deed, Deed::Order(Request::Task(_)))
    }
}

/// What an intervention does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// Somebody asks for a task, or changes its mind about one.
    Order(Request),
    /// Something goes wrong with a robot, or is mended.
    Fault(RobotId, FaultKind),
    /// The radio is disturbed for so long, or to the end of the run.
    Radio(Disturbance, Option<Duration>),
}

/// A change of what a run has to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    /// A task that was not there before.
    Task(Box<NewTask>),
    /// All tasks of an order, from this one on, are no longer to be done.
    Cancel { first: TaskId, count: u32 },
    /// The tasks of an order are elsewhere, or more or less urgent.
    Change { first: TaskId, count: u32, place: Option<Point>, priority: Option<u8> },
}

/// A task that somebody asks for while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewTask {
    /// The names of its phases, which have consecutive numbers; its own name if it has none.
    pub names: Vec<String>,
    /// What it is, and who is told of it.
    pub spec: TaskSpec,
    /// What the robots that are told of it are told.
    pub brief: Brief,
    /// The console that asks for it, if tasks are auctioned.
    pub console: Option<RobotId>,
    /// How long each robot takes, if that is up to the world.
    pub times: Option<Vec<Option<Duration>>>,
}

/// An intervention with its time and author.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// When it is made: after all deliveries and timers of that instant.
    pub at: Time,
    /// Name of the person or program that made it.
    pub author: Arc<str>,
    /// The order, the fault or the disturbance itself.
    pub what: Intervention,
}

impl Made {
    fn entry(&self) -> InterventionEntry {
        InterventionEntry::new(self.at, &self.author, self.what.said.clone())
    }

    /// It alone as a file.
    pub fn to_toml(&self) -> String {
        written(vec![self.entry()])
    }

    /// As JSON, with the keys of the file.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self.entry()).unwrap_or_default()
    }

    /// The robot that it is about, if there is one.
    pub fn robot(&self) -> Option<RobotId> {
        match self.what.deed {
            Deed::Fault(robot, _) => Some(robot),
            Deed::Order(_) | Deed::Radio(..) => None,
        }
    }

    /// The task that it is about, if there is one.
    pub fn task(&self) -> Option<TaskId> {
        match &self.what.deed {
            Deed::Order(Request::Task(task)) => Some(task.brief.task.id),
            Deed::Order(Request::Cancel { first, .. } | Request::Change { first, .. }) => Some(*first),
            Deed::Fault(..) | Deed::Radio(..) => None,
        }
    }

    /// All tasks that it is about, in order: those of an order are all of its phases.
    fn tasks(&self) -> Vec<TaskId> {
        match &self.what.deed {
            Deed::Order(Request::Task(task)) => task.brief.tasks().collect(),
            Deed::Order(Request::Cancel { first, count } | Request::Change { first, count, .. }) => {
                (first.0..first.0 + count).map(TaskId).collect()
            }
            Deed::Fault(..) | Deed::Radio(..) => Vec::new(),
        }
    }

    /// All robots that it names: the one that it breaks or mends, the one that is told of a task, those between which it
    /// cuts the radio. A jam names nobody, whoever it falls on.
    fn robots(&self) -> Vec<RobotId> {
        match &self.what.deed {
            Deed::Fault(robot, _) => vec![*robot],
            Deed::Order(Request::Task(task)) => match (task.spec.seen_by, task.console) {
                (SeenBy::One(robot), _) | (_, Some(robot)) => vec![robot],
                (SeenBy::Able | SeenBy::Ordered(_), None) => Vec::new(),
            },
            Deed::Order(Request::Cancel { .. } | Request::Change { .. }) => Vec::new(),
            Deed::Radio(what, _) => what.named(),
        }
    }

    /// What its driver notes down about it.
    pub fn note(&self) -> Note {
        let effect = match &self.what.deed {
            Deed::Fault(_, kind) => kind.happening(),
            Deed::Order(_) | Deed::Radio(..) => None,
        };
        let (author, sentence) = (self.author.clone(), self.sentence().into());
        let calls_off = matches!(self.what.deed, Deed::Order(Request::Cancel { .. }));
        let made = Intervened { author, sentence, tasks: self.tasks(), robots: self.robots(), effect, calls_off };
        Note { at: self.at, robot: self.robot().unwrap_or(RobotId::NOBODY), event: Event::Intervened(Arc::new(made)) }
    }

    /// What is done, in words.
    pub fn sentence(&self) -> String {
        self.what.said.to_string()
    }
}

/// The interventions of a run, in the order in which they were given. Copies share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interventions(Option<Arc<Vec<Made>>>);

impl Interventions {
    /// In this order.
    pub(crate) fn new(made: Vec<Made>) -> Self {
        Self((!made.is_empty()).then(|| Arc::new(made)))
    }

    /// All of them.
    pub fn all(&self) -> &[Made] {
        self.0.as_ref().map_or(&[], |made| made)
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// One more.
    pub(crate) fn push(&mut self, made: Made) {
        Arc::make_mut(self.0.get_or_insert_default()).push(made);
    }

    /// The tasks that were not there before, in the order of their numbers.
    pub(crate) fn new_tasks(&self) -> impl Iterator<Item = (Time, &NewTask)> {
        self.all().iter().filter_map(|made| match &made.what.deed {
            Deed::Order(Request::Task(task)) => Some((made.at, &**task)),
            Deed::Order(Request::Cancel { .. } | Request::Change { .. }) | Deed::Fault(..) | Deed::Radio(..) => None,
        })
    }

    /// The names of the tasks that were not there before, in the order of their numbers.
    pub fn task_names(&self) -> impl Iterator<Item = &str> {
        self.new_tasks().flat_map(|(_, task)| &task.names).map(String::as_str)
    }

    /// What is asked for by them that was not there before: the name of each order, and what.
    pub(crate) fn orders(&self) -> impl Iterator<Item = (&str, Brief)> {
        self.all().iter().filter_map(|made| {
            let Deed::Order(Request::Task(task)) = &made.what.deed else { return None };
            let Said::Order(order) = made.what.said() else { return None };
            Some((order.name.as_deref()?, task.brief))
        })
    }

    /// What goes wrong with robots by them.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        self.all().iter().filter_map(|made| match made.what.deed {
            Deed::Fault(robot, kind) => Some(Fault { at: made.at, robot, kind }),
            Deed::Order(_) | Deed::Radio(..) => None,
        })
    }

    /// As a file: what `muster run --interventions` takes.
    pub fn to_toml(&self) -> String {
        written(self.all().iter().map(Made::entry).collect())
    }
}

fn written(interventions: Vec<InterventionEntry>) -> String {
    toml::to_string(&InterventionsFile { interventions }).expect("names and numbers can be written")
}
