//! All that a run comes from. A run is a function of its origin and of nothing else: what shows, records, verifies,
//! explains or continues a run takes an [`Origin`].

use std::sync::Arc;

use muster_core::affect::Name;
use muster_core::{Brief, Names, RobotId, TaskId};
use muster_journal::explain::Explainer;

use crate::emotions;
use crate::fault::Fault;
use crate::intervention::Interventions;
use crate::knowledge::Knowledge;
use crate::mission::{Mission, Seeds, SeenBy};
use crate::practice::practise;
use crate::scenario::Loaded;
use crate::scheme::Scheme;

/// All that a run comes from. Copies share what is large.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The scenario, with every change made and every default filled in.
    pub loaded: Arc<Loaded>,
    /// How its robots coordinate.
    pub scheme: Scheme,
    /// What its robots know before it begins.
    pub knowledge: Arc<Knowledge>,
    /// What chance is drawn from.
    pub seeds: Seeds,
    /// What is done to it while it goes on.
    pub interventions: Interventions,
}

impl Origin {
    /// A run of robots that know nothing yet.
    pub fn new(loaded: impl Into<Arc<Loaded>>, scheme: impl Into<Scheme>, seeds: impl Into<Seeds>) -> Self {
        Self {
            loaded: loaded.into(),
            scheme: scheme.into(),
            knowledge: Arc::default(),
            seeds: seeds.into(),
            interventions: Interventions::default(),
        }
    }

    /// The same with robots that know this.
    pub fn with_knowledge(self, knowledge: impl Into<Arc<Knowledge>>) -> Self {
        Self { knowledge: knowledge.into(), ..self }
    }

    /// The same with robots that have been through the training missions of the scenario, if there are any. Nothing if
    /// `halt` said so before they were over.
    pub fn practised(self, halt: impl Fn() -> bool) -> Option<Self> {
        let practised = practise(&self, halt);
        (!practised.broken_off).then(|| self.with_knowledge(practised.knowledge))
    }

    /// The same with robots that know what was `given`, or else have practised.
    pub fn prepared(self, given: Option<&Arc<Knowledge>>, halt: impl Fn() -> bool) -> Option<Self> {
        match given {
            Some(knowledge) => Some(self.with_knowledge(knowledge.clone())),
            None => self.practised(halt),
        }
    }

    /// The same with these made while it goes on.
    pub fn with_interventions(self, interventions: Interventions) -> Self {
        Self { interventions, ..self }
    }

    /// All that goes wrong with its robots at a given time, by the scenario and by interventions.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        self.mission().faults.iter().copied().chain(self.interventions.faults())
    }

    /// What operators ask for, by the scenario and by interventions.
    pub fn briefs(&self) -> impl Iterator<Item = Brief> {
        let asked = self.mission().orders.iter().filter_map(|spec| spec.order.asks_for());
        asked.chain(self.interventions.new_tasks().map(|(_, task)| task.brief))
    }

    /// Explains it.
    pub fn explainer(&self) -> Explainer<'_> {
        Explainer::new(self, emotions::built_in())
    }

    /// What is to be done in it.
    pub fn mission(&self) -> &Mission {
        &self.loaded.mission
    }

    /// The names of its tasks, by number: those of the scenario, then those that are asked for while it goes on.
    pub fn task_names(&self) -> impl Iterator<Item = &str> {
        self.loaded.task_names.iter().map(String::as_str).chain(self.interventions.task_names())
    }

    /// The name of a task.
    pub fn task_name(&self, task: TaskId) -> Option<&str> {
        let names = &self.loaded.task_names;
        let new = || self.interventions.task_names().nth(task.index() - names.len());
        names.get(task.index()).map(String::as_str).or_else(new)
    }
}

/// A robot or a task that a run does not have is named by a question mark, or by its number.
impl Names for Origin {
    fn robot(&self, robot: RobotId) -> Name {
        let spec = self.mission().robots.get(robot.index());
        spec.map_or_else(|| Name::from("?"), |spec| Name::shared(spec.name.clone()))
    }

    fn task(&self, task: TaskId) -> Name {
        self.task_name(task).map_or_else(|| Name::from(task.to_string()), Name::from)
    }

    fn robot_count(&self) -> u32 {
        self.mission().robots.len() as u32
    }

    fn task_count(&self) -> u32 {
        self.task_names().count() as u32
    }

    fn first_of(&self, task: TaskId) -> TaskId {
        let later = || {
            let holds = |brief: &Brief| (brief.task.id.0..brief.task.id.0 + u32::from(brief.phases)).contains(&task.0);
            self.interventions.orders().map(|(_, brief)| brief).find(holds).map(|brief| brief.task.id)
        };
        match self.mission().tasks.get(task.index()).map(|spec| spec.seen_by) {
            Some(SeenBy::Ordered(first)) => first,
            Some(SeenBy::One(_) | SeenBy::Able) => task,
            None => later().unwrap_or(task),
        }
    }

    fn phases_of(&self, order: &str) -> Option<Vec<TaskId>> {
        let first = self.loaded.orders().map(|(name, _, brief)| (name, brief));
        let later = self.interventions.orders().map(|(name, brief)| (name.to_owned(), brief));
        let (_, brief) = first.chain(later).find(|(name, brief)| name == order && brief.phases > 1)?;
        Some((0..u32::from(brief.phases)).map(|phase| TaskId(brief.task.id.0 + phase)).collect())
    }
}
