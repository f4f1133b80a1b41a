//! What really happened: who knew of a task, who knew that it was done, and whose fault a duplicate or a loss is.
//!
//! The specification (section 7) names what no protocol can promise: that a task is done once if its executor crashes
//! before anybody heard Done, and that it is done at all if everybody who had heard of it crashes. Everything else is
//! a failure of ours. The verdict is reached from inputs, crashes and flights, not from what nodes say about it.
//!
//! What must not be done twice is never excused for being. That it is not done is, if a vehicle crashed that was granted
//! it (it may have done it), if too few are left to grant it, or if it expired while somebody was at it.

use std::collections::{BTreeMap, BTreeSet};

use muster_core::tasking::group::Phases;
use muster_core::tasking::{Message, Tasking};
use muster_core::{Body, Brief, Delivery, Duration, Input, Order, Percept, Recipient, RobotId, TaskId, Time};
use muster_sim::View;
use serde::Serialize;

/// Looks on for one run.
#[derive(Clone, Debug)]
pub struct Witness {
    tasks: Vec<Fate>,
    up: Vec<bool>,
    /// Nodes that have lost their memory: they grant nothing any more.
    amnesic: Vec<bool>,
    /// Since when each is up again that was down.
    back: Vec<Option<Time>>,
    /// A node that restarted less than this ago may not have been heard yet.
    heard_within: Duration,
    passes: usize,
    /// When a life of a vehicle first asked to be granted anything.
    asked: BTreeMap<Life, Time>,
    /// Who has just heard that a task is done, from its own body or another: known from the next event on.
    heard: Vec<(TaskId, usize)>,
}

/// One life of a vehicle, from one start to the next: one that has restarted cannot say what it did before.
type Life = (RobotId, u32);

#[derive(Clone, Debug)]
struct Fate {
    /// It must not be done twice.
    at_most_once: bool,
    /// The first task of its order.
    first: usize,
    /// It need not be done any more from then on.
    expires: Option<Time>,
    /// When anybody last said something on the way to its being done.
    tried: Time,
    /// Nodes that have granted it, and to which life of which vehicle. At most once only.
    grants: BTreeMap<usize, Life>,
    /// Nodes that have granted it to a vehicle that crashed then, and may have done it: they grant it to nobody else.
    sealed: BTreeSet<usize>,
    /// Who stores the task, or will when it is up again.
    knows: Vec<bool>,
    /// Since when who knows that it is done.
    knows_done: Vec<Option<Time>>,
    /// It was asked for.
    asked: bool,
    /// When nobody was left who knew of it.
    forgotten: bool,
    /// When it was done, by whom.
    done: Vec<(Time, RobotId)>,
    /// Which of these have crashed since.
    crashed: Vec<bool>,
    /// Which of these crashed before anybody else had heard of it.
    unheard: Vec<bool>,
    /// Anybody but the executor has heard so.
    told: bool,
    verdict: Verdict,
}

/// Why a task was done more than once, or not at all.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Done again because the vehicle that did it first crashed before any other heard of it.
    pub executor_crashed: u32,
    /// Done again because everybody who had heard that it was done crashed.
    pub knowers_crashed: u32,
    /// Done again for another reason; at most once: for whatever reason.
    pub duplicates: u32,
    /// Not done because everybody who had heard of it crashed, the one that asked included.
    pub forgotten: u32,
    /// Not done because a vehicle crashed that was granted it, and may have done it: too few are left who did not. At most
    /// once only.
    pub barred: u32,
    /// Not done because less than a quorum was left that had its memory. At most once only.
    pub no_quorum: u32,
    /// Not done in time: it expired, and somebody had still said something on the way to it in the last 40 s. At most
    /// once only.
    pub expired: u32,
    /// Not done for another reason.
    pub lost: u32,
}

impl Verdict {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            executor_crashed: self.executor_crashed + other.executor_crashed,
            knowers_crashed: self.knowers_crashed + other.knowers_crashed,
            duplicates: self.duplicates + other.duplicates,
            forgotten: self.forgotten + other.forgotten,
            barred: self.barred + other.barred,
            no_quorum: self.no_quorum + other.no_quorum,
            expired: self.expired + other.expired,
            lost: self.lost + other.lost,
        }
    }
}

/// An election that failed is held anew after less than this.
const GIVEN_UP: Duration = Duration::from_secs(40);

impl Fate {
    /// It must not be done twice, and somebody was at it when it expired.
    fn is_tried_to_the_end(&self) -> bool {
        self.at_most_once && self.expires.is_some_and(|expires| expires.since(self.tried) < GIVEN_UP)
    }
}

impl Witness {
    /// For a team and its tasks.
    pub fn new(team: usize, tasks: usize) -> Self {
        let fate = Fate {
            at_most_once: false,
            first: 0,
            expires: None,
            tried: Time::ZERO,
            grants: BTreeMap::new(),
            sealed: BTreeSet::new(),
            knows: vec![false; team],
            knows_done: vec![None; team],
            asked: false,
            forgotten: false,
            done: Vec::new(),
            crashed: Vec::new(),
            unheard: Vec::new(),
            told: false,
            verdict: Verdict::default(),
        };
        Self {
            tasks: vec![fate; tasks],
            up: vec![true; team],
            amnesic: vec![false; team],
            back: vec![None; team],
            heard_within: Duration::ZERO,
            passes: 0,
            asked: BTreeMap::new(),
            heard: Vec::new(),
        }
    }

    /// The same, where a node that is up again needs so long to be heard for sure. The specification excuses a crash
    /// before anybody heard Done; that the executor is back, and knows, just before it is done again changes nothing.
    pub fn heard_within(self, heard_within: Duration) -> Self {
        Self { heard_within, ..self }
    }

    /// The same, with these orders for the tasks.
    pub fn of(mut self, briefs: impl Iterator<Item = Brief>) -> Self {
        for brief in briefs {
            for task in brief.tasks() {
                let fate = &mut self.tasks[task.index()];
                fate.at_most_once = brief.delivery == Delivery::AtMostOnce;
                fate.first = brief.task.id.index();
                fate.expires = brief.expires;
            }
        }
        self
    }

    /// An input is about to be handed to a node.
    pub fn on_input(&mut self, body: &Body, input: &Input<'_, Tasking>) {
        let node = body.id.index();
        match input {
            Input::Start(None) => {
                self.amnesic[node] = true;
                for fate in &mut self.tasks {
                    (fate.knows[node], fate.knows_done[node]) = (false, None);
                }
            }
            Input::Ordered(Order::Inject(brief)) => {
                for task in brief.tasks() {
                    self.learn(task, node);
                }
            }
            Input::Received { message: Message::Done { deeds }, .. } => {
                for deed in deeds {
                    self.heard.push((TaskId(deed.first.0 + u32::from(deed.index)), node));
                }
            }
            Input::Received { message, .. } => {
                if let Some(group) = message.about().and_then(|about| about.group.as_ref()) {
                    for task in group.brief.tasks() {
                        self.learn(task, node);
                    }
                }
            }
            Input::Perceived(Percept::Done(task)) => self.heard.push((*task, node)),
            Input::Start(Some(_)) | Input::Fired(_) | Input::Perceived(_) | Input::Ordered(_) => {}
        }
    }

    /// A node says something, whether it is heard or not: grants that are given, or given back, and what leads to a deed.
    pub fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &Message) {
        let Some(first) = message.about().map(|about| about.first.index()) else { return };
        let phases = match message {
            Message::Grant { index, .. } | Message::Release { index, .. } | Message::Status { index, .. } => {
                Phases::only(usize::from(*index))
            }
            Message::Solicitation { phases, .. }
            | Message::LeadStatus { phases, .. }
            | Message::Challenge { phases, .. }
            | Message::Claim { phases, .. }
            | Message::PerceivedWinner { phases, .. } => *phases,
            _ => return,
        };
        if let Message::Status { asks: Some(life), .. } = message {
            self.asked.entry((from, *life)).or_insert(now);
        }
        for index in phases.iter() {
            let Some(fate) = self.tasks.get_mut(first + index) else { continue };
            match (message, to) {
                (Message::Grant { life, .. }, Recipient::Only(to)) => {
                    fate.grants.insert(from.index(), (to, *life));
                    let asked = self.asked.get(&(to, *life));
                    let restarted = self.back[to.index()].is_some_and(|back| asked.is_none_or(|asked| *asked < back));
                    if !self.up[to.index()] || restarted {
                        fate.sealed.insert(from.index());
                    }
                }
                // Only for the life that says so: what it did in an earlier one it cannot know.
                (Message::Release { life, .. }, _) => {
                    for (granter, _) in fate.grants.extract_if(.., |_, to| *to == (from, *life)) {
                        fate.sealed.remove(&granter);
                    }
                }
                (Message::Status { asks: Some(life), .. }, _) => {
                    fate.grants.insert(from.index(), (from, *life));
                    fate.tried = now;
                }
                _ => fate.tried = now,
            }
        }
    }

    fn learn(&mut self, task: TaskId, node: usize) {
        if let Some(fate) = self.tasks.get_mut(task.index()) {
            fate.knows[node] = true;
            (fate.asked, fate.forgotten) = (true, false);
        }
    }

    /// After every event: who went down, what was flown over.
    pub fn look(&mut self, view: &View<'_, Tasking>) {
        for node in 0..self.up.len() {
            let robot = RobotId(node as u32);
            let up = view.is_up(robot);
            if std::mem::replace(&mut self.up[node], up) == up {
                continue;
            }
            self.back[node] = up.then_some(view.now);
            for fate in self.tasks.iter_mut().filter(|_| !up) {
                fate.sealed.extend(fate.grants.iter().filter(|(_, to)| to.0 == robot).map(|(granter, _)| *granter));
                for (index, _) in fate.done.iter().enumerate().filter(|(_, (_, by))| *by == robot) {
                    if !std::mem::replace(&mut fate.crashed[index], true) {
                        fate.unheard[index] = !fate.told;
                    }
                }
            }
            if view.is_dead(robot) {
                for fate in &mut self.tasks {
                    (fate.knows[node], fate.knows_done[node]) = (false, None);
                }
            }
        }
        let passes = view.ledger.passes();
        while let Some(pass) = passes.get(self.passes) {
            self.passes += 1;
            let Some(fate) = self.tasks.get_mut(pass.task.index()) else { continue };
            if !fate.done.is_empty() {
                // Somebody who is up, and has been for long enough to be heard, knows that it is done: that it is done
                // again is our fault.
                let could_tell =
                    |back: &Option<Time>| back.is_none_or(|back| view.now.since(back) >= self.heard_within);
                let up = self.up.iter().zip(&self.back).map(|(up, back)| *up && could_tell(back));
                // What got out only after a crash before anybody had heard is excused like the crash, until it must have
                // got around.
                let secret = !fate.unheard.contains(&false);
                let counts = |since: &Time| !secret || view.now.since(*since) >= self.heard_within;
                let known = fate.knows_done.iter().zip(up).any(|(since, up)| up && since.as_ref().is_some_and(counts));
                // So it is if somebody did it before, is still up, and yet nobody knows.
                let crashed = !fate.crashed.contains(&false);
                match (known || !crashed || fate.at_most_once, fate.told) {
                    (true, _) => fate.verdict.duplicates += 1,
                    (false, false) => fate.verdict.executor_crashed += 1,
                    (false, true) => fate.verdict.knowers_crashed += 1,
                }
            }
            fate.done.push((pass.at, pass.robot));
            fate.crashed.push(false);
            fate.unheard.push(false);
        }
        for (task, node) in self.heard.drain(..) {
            if let Some(fate) = self.tasks.get_mut(task.index()) {
                fate.knows_done[node].get_or_insert(view.now);
                fate.told |= fate.done.iter().all(|(_, by)| by.index() != node);
            }
        }
        for fate in self.tasks.iter_mut().filter(|fate| fate.asked) {
            if fate.done.is_empty() && !fate.knows.contains(&true) {
                fate.forgotten = true;
            }
        }
    }

    /// What came of every task, when the run is over.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let verdict = |fate: &Fate| {
            let mut verdict = fate.verdict;
            let able = |node: &usize| self.up[*node] && !self.amnesic[*node];
            let left = (0..self.up.len()).filter(able).count();
            let free = (0..self.up.len()).filter(able).filter(|node| !fate.sealed.contains(node)).count();
            match fate {
                Fate { asked: false, .. } => {}
                fate if !fate.done.is_empty() => {}
                Fate { forgotten: true, .. } => verdict.forgotten = 1,
                Fate { at_most_once: true, .. } if left <= self.up.len() / 2 => verdict.no_quorum = 1,
                Fate { at_most_once: true, .. } if free <= self.up.len() / 2 => verdict.barred = 1,
                fate if fate.is_tried_to_the_end() => verdict.expired = 1,
                _ => verdict.lost = 1,
            }
            verdict
        };
        let mut verdicts: Vec<Verdict> = self.tasks.iter().map(verdict).collect();
        for (task, fate) in self.tasks.iter().enumerate().filter(|(_, fate)| fate.at_most_once) {
            // A group of phases that come one after the other ends with one of which nobody can know whether it was done: it
            // was barred, or done by a vehicle that crashed before anybody heard of it.
            let unheard = |before: &Fate| !before.done.is_empty() && !before.told;
            let ends = |before: usize| {
                verdicts[before].barred + verdicts[before].no_quorum > 0 || unheard(&self.tasks[before])
            };
            if verdicts[task].lost > 0 && (fate.first..task).any(ends) {
                verdicts[task] = Verdict { lost: 0, barred: 1, ..verdicts[task] };
            }
        }
        verdicts
    }

    /// How often each task was done.
    pub fn done(&self) -> Vec<usize> {
        self.tasks.iter().map(|fate| fate.done.len()).collect()
    }

    /// When and by whom a task was done.
    pub fn deeds(&self, task: usize) -> &[(Time, RobotId)] {
        &self.tasks[task].done
    }

    /// How many nodes there are.
    pub fn team(&self) -> usize {
        self.up.len()
    }

    /// The task was asked for.
    pub fn asked(&self, task: usize) -> bool {
        self.tasks[task].asked
    }
}
