//! Why robots were recruited, or not: calls, offers, silences, awards, time-outs and overlaps.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use muster_core::affect::{Emotion, Intensity, Table};
use muster_core::event::{Awaited, Drop, Silence};
use muster_core::recruitment::{Answering, Choosing, Config, ashamed};
use muster_core::{Duration, Event, Note, RobotId, TaskId, Time};

use super::{Names, listed};
use crate::emotions;
use crate::fault::FaultKind;

/// What happened to calls so far.
#[derive(Clone)]
pub(super) struct Calls<'a> {
    names: Names<'a>,
    config: Arc<Config>,
    /// The current call of each requester for each task.
    calls: BTreeMap<(RobotId, TaskId), Call>,
    /// The task that each requester called for last.
    calls_for: BTreeMap<RobotId, TaskId>,
    /// Who works at each task.
    work: BTreeMap<TaskId, Vec<Spell>>,
    /// Requester, task and call whose ACKACK was waited for in vain.
    no_ackack: BTreeSet<(RobotId, TaskId, u32)>,
    /// When each robot started again.
    restarted: BTreeMap<RobotId, Time>,
    /// When each robot that is ashamed began to be.
    ashamed_since: BTreeMap<RobotId, Time>,
    /// What SHAME makes a robot think.
    table: Arc<Table>,
    pub awards: Vec<Award>,
}

/// A spell of work at a task, as the robot noted it when it began.
#[derive(Copy, Clone, Debug)]
struct Spell {
    robot: RobotId,
    requester: RobotId,
    round: u32,
    from: Time,
    until: Time,
}

/// Who said what to one call.
#[derive(Clone, Debug, Default)]
struct Call {
    round: u32,
    heard: Vec<Offer>,
    made: Vec<Offer>,
    silent: Vec<Quiet>,
    /// They heard it, but lack what is needed.
    unable: Vec<RobotId>,
    /// They heard a HELP of the requester since this call, and dropped it.
    dropped: Vec<(RobotId, Drop)>,
}

impl Call {
    /// Offers that were made but not heard.
    fn unheard(&self) -> Vec<Offer> {
        let heard = |offer: &&Offer| self.heard.iter().any(|heard| heard.robot == offer.robot);
        self.made.iter().filter(|offer| !heard(offer)).copied().collect()
    }
}

/// An award and all that bore on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Award {
    /// When.
    pub at: Time,
    /// Who chose.
    pub requester: RobotId,
    /// For which task.
    pub task: TaskId,
    /// In answer to which call.
    pub round: u32,
    /// Who was chosen, and its estimated time of arrival.
    pub chosen: Offer,
    /// The other offers that were heard, soonest first.
    pub others: Vec<Offer>,
    /// Offers that were made but not heard.
    pub unheard: Vec<Offer>,
    /// Robots that could have helped, heard the call and kept silent.
    pub silent: Vec<Quiet>,
}

/// An offer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Whose.
    pub robot: RobotId,
    /// Estimated time of arrival.
    pub eta: Duration,
}

/// A robot that kept silent.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Quiet {
    /// Which.
    pub robot: RobotId,
    /// Why.
    pub why: Silence,
    /// The SHAME that was weighed.
    pub shame: f64,
}

impl<'a> Calls<'a> {
    pub fn new(names: Names<'a>, config: Arc<Config>) -> Self {
        Self {
            names,
            config,
            calls: BTreeMap::new(),
            calls_for: BTreeMap::new(),
            work: BTreeMap::new(),
            no_ackack: BTreeSet::new(),
            restarted: BTreeMap::new(),
            ashamed_since: BTreeMap::new(),
            table: emotions::built_in(),
            awards: Vec::new(),
        }
    }

    fn robot(&self, robot: RobotId) -> &'a str {
        self.names.robot(robot)
    }

    fn task(&self, task: TaskId) -> String {
        self.names.task(task)
    }

    /// Remembers who said what to the current call, and what an overlap may come from.
    pub fn keep(&mut self, note: &Note) {
        let robot = note.robot;
        match note.event {
            Event::Called { task, round, .. } => {
                self.calls.insert((robot, task), Call { round, ..Call::default() });
                self.calls_for.insert(robot, task);
            }
            Event::Silent { with, task, round, why, shame, shame_after, .. } => {
                // Whoever answered or lost all of it meanwhile was not ashamed when this call came.
                if shame == 0.0 && shame_after > 0.0 {
                    self.ashamed_since.insert(robot, note.at);
                }
                if let Some(call) = self.current(with, task, round) {
                    match why {
                        Silence::Unable => call.unable.push(robot),
                        _ => call.silent.push(Quiet { robot, why, shame }),
                    }
                }
            }
            Event::Dropped { with, message: "HELP", why } => {
                if let Some(task) = self.calls_for.get(&with)
                    && let Some(call) = self.calls.get_mut(&(with, *task))
                {
                    call.dropped.push((robot, why));
                }
            }
            Event::TimedOut { task, round, waiting_for: Awaited::Ackack } => {
                self.no_ackack.insert((robot, task, round));
            }
            Event::Started { .. } => {
                self.restarted.insert(robot, note.at);
            }
            Event::Offered { with, task, round, eta, .. } => {
                if let Some(call) = self.current(with, task, round) {
                    call.made.push(Offer { robot, eta });
                }
            }
            Event::OfferHeard { with, task, round, eta } => {
                if let Some(call) = self.current(robot, task, round) {
                    call.heard.push(Offer { robot: with, eta });
                }
            }
            Event::Awarded { with, task, round, eta, .. } => {
                let Some(call) = self.current(robot, task, round) else { return };
                let mut others: Vec<Offer> = call.heard.iter().filter(|offer| offer.robot != with).copied().collect();
                others.sort_by_key(|offer| (offer.eta, offer.robot));
                let unheard = call.unheard();
                let silent = call.silent.clone();
                let chosen = Offer { robot: with, eta };
                let award = Award { at: note.at, requester: robot, task, round, chosen, others, unheard, silent };
                self.awards.push(award);
            }
            _ => {}
        }
    }

    fn current(&mut self, requester: RobotId, task: TaskId, round: u32) -> Option<&mut Call> {
        self.calls.get_mut(&(requester, task)).filter(|call| call.round == round)
    }

    /// A robot that takes over a task at which others still work: who, and why it was called nevertheless.
    pub fn overlap(&mut self, note: &Note) -> Option<String> {
        let Event::TookOver { with, task, round, until } = note.event else { return None };
        let mut work = self.work.remove(&task).unwrap_or_default();
        work.retain(|spell| spell.robot != note.robot && spell.until > note.at && !self.went_down(spell, note.at));
        let one = |spell: &Spell| {
            let (worker, requester) = (self.robot(spell.robot), self.robot(spell.requester));
            let restarted = self.restarted.get(&spell.requester).is_some_and(|at| *at >= spell.from);
            let why = if self.no_ackack.contains(&(spell.requester, task, spell.round)) {
                format!(": {requester} heard no ACKACK of it and called again")
            } else if restarted {
                format!(": {requester} has started again since and called anew")
            } else {
                String::new()
            };
            format!("{worker} works there until {:.1}{why}", spell.until)
        };
        let others: Vec<String> = work.iter().map(one).collect();
        work.push(Spell { robot: note.robot, requester: with, round, from: note.at, until });
        self.work.insert(task, work);
        (!others.is_empty()).then(|| format!(". OVERLAP: {}", others.join("; ")))
    }

    /// The robot's computer went down since: robots note nothing when they do, but the mission says when.
    fn went_down(&self, spell: &Spell, now: Time) -> bool {
        self.names.0.faults().any(|fault| {
            let down = matches!(fault.kind, FaultKind::Stop | FaultKind::Restart { .. });
            down && fault.robot == spell.robot && spell.from < fault.at && fault.at <= now
        })
    }

    /// The SHAME of a robot as the emotion that it is.
    fn emotion(&self, robot: RobotId, shame: f64, requester: RobotId) -> Option<Emotion> {
        let since = self.ashamed_since.get(&robot).copied()?;
        ashamed(&self.table, Intensity::clamped(shame), since, self.robot(requester))
    }

    /// "now 0.39 (low, since 0.05 s)"; what it thinks of itself when it begins to be ashamed.
    fn now_felt(&self, robot: RobotId, before: f64, after: f64, requester: RobotId) -> String {
        match self.emotion(robot, after, requester) {
            None => format!("now {after:.2}"),
            Some(emotion) if before == 0.0 => {
                let level = emotion.affect.intensity.level();
                format!("now {after:.2} ({level}): \"{}\"", emotion.chain(&self.table))
            }
            Some(emotion) => {
                format!("now {after:.2} ({}, since {:.2})", emotion.affect.intensity.level(), emotion.since)
            }
        }
    }

    /// What a note about a call says; nothing if it is about something else.
    pub fn sentence(&self, note: &Note) -> String {
        let (robot, task) = (|id| self.robot(id), |id| self.task(id));
        let threshold = self.config.shame.threshold;
        match note.event {
            Event::Called { task: id, round, place } => {
                format!("calls for help at {place}: HELP {round} for {}", task(id))
            }
            Event::Silent { with, round, why, shame, shame_after, distance_m, .. } => {
                let now = || self.now_felt(note.robot, shame, shame_after, with);
                let why = match why {
                    Silence::Unable => "it lacks what is needed".to_owned(),
                    Silence::Engaged => format!("on an errand of its own, SHAME {shame:.2}, {}", now()),
                    Silence::Committed => format!("it serves another call, SHAME {shame:.2}, {}", now()),
                    Silence::Unashamed => format!("SHAME {shame:.2} <= {threshold}, {}", now()),
                    Silence::Declined => format!("its policy says no, SHAME {shame:.2}, {}", now()),
                    Silence::TooFar => format!("too far, SHAME {shame:.2}"),
                };
                format!("keeps silent to HELP {round} of {}, {distance_m:.1} m away: {why}", robot(with))
            }
            Event::Offered { with, round, eta, shame, .. } => {
                let why = match &self.config.answering {
                    Answering::Ashamed => {
                        let felt = self.emotion(note.robot, shame, with).map_or_else(String::new, |emotion| {
                            format!(", {} since {:.2}", emotion.affect.intensity.level(), emotion.since)
                        });
                        format!("SHAME {shame:.2} > {threshold}{felt}")
                    }
                    Answering::Always => "it always answers".to_owned(),
                    Answering::Custom(_) => format!("its policy says so, SHAME {shame:.2}"),
                };
                format!("answers HELP {round} of {}: there in {eta:.1} ({why})", robot(with))
            }
            Event::OfferHeard { with, round, eta, .. } => {
                format!("hears {} answer HELP {round}: here in {eta:.1}", robot(with))
            }
            Event::Awarded { .. } => self.awards.last().map(|award| self.award(award)).unwrap_or_default(),
            Event::SetOut { with, task: id, .. } => {
                format!("was chosen by {} and sets out for {}", robot(with), task(id))
            }
            Event::NotNeeded { with, chosen, .. } => format!("is not needed: {} chose {}", robot(with), robot(chosen)),
            Event::Superseded { with, round, .. } => {
                format!("gives up what it agreed on HELP {round}: {} has called again", robot(with))
            }
            Event::Arrived { with, task: id, .. } => format!("is at {} and tells {}", task(id), robot(with)),
            Event::Agreed { with, lease, .. } => format!("agrees with {} on {lease:.0}", robot(with)),
            Event::TookOver { with, task: id, until, .. } => {
                format!("takes {} over from {} until {until:.1}", task(id), robot(with))
            }
            Event::Served { with, task: id, round } => {
                format!("hands {} over to {} after {}", task(id), robot(with), helps(round))
            }
            Event::Finished { task: id, .. } => format!("is done at {}: its lease is over", task(id)),
            Event::TimedOut { task: id, round, waiting_for } => self.timed_out(note.robot, id, round, waiting_for),
            Event::Blocked { task: id, .. } => format!("cannot get to {} and gives up", task(id)),
            Event::Barred { task: id, until } => {
                format!("waits until {until:.1} before it calls for {} again: a lease may still run", task(id))
            }
            Event::PolicyFailed { task: id, round, line, .. } => {
                let place = if line > 0 { format!("in line {line}") } else { "with an answer that is none".to_owned() };
                format!("its policy failed {place} at HELP {round} for {}: the paper's decides", task(id))
            }
            Event::Withdrawn { task: id } => format!("looks after {} no longer", task(id)),
            _ => String::new(),
        }
    }

    /// "chose idle-3 for stop 1: ETA 12.0 s; next best idle-7 15.5 s; silent: idle-2 SHAME 0.41 <= 0.75".
    pub fn award(&self, award: &Award) -> String {
        let mut text = format!(
            "chooses {} for {}: ETA {:.1}",
            self.robot(award.chosen.robot),
            self.task(award.task),
            award.chosen.eta
        );
        let offer = |offer: &Offer| format!("{} {:.1}", self.robot(offer.robot), offer.eta);
        let list = |offers: &[Offer]| listed(offers, offer);
        match (&award.others[..], &self.config.choosing) {
            ([], _) => text.push_str(", the only offer"),
            (others, Choosing::LeastEta) => {
                let _ = write!(text, "; next best {}", list(others));
            }
            (others, Choosing::Custom(_)) => {
                let _ = write!(text, ", by its policy; the others {}", list(others));
            }
            (others, Choosing::Uniform) => {
                let _ = write!(text, ", drawn from {} offers; the others {}", others.len() + 1, list(others));
            }
        }
        if !award.unheard.is_empty() {
            let _ = write!(text, "; answered unheard: {}", list(&award.unheard));
        }
        if !award.silent.is_empty() {
            let _ = write!(text, "; silent: {}", self.silences(&award.silent));
        }
        text
    }

    fn silences(&self, silent: &[Quiet]) -> String {
        let one = |quiet: &Quiet| {
            let (name, shame) = (self.robot(quiet.robot), quiet.shame);
            match quiet.why {
                Silence::Unashamed => format!("{name} SHAME {shame:.2} <= {}", self.config.shame.threshold),
                Silence::Engaged => format!("{name} on an errand (SHAME {shame:.2})"),
                Silence::Committed => format!("{name} serving another call (SHAME {shame:.2})"),
                Silence::Declined => format!("{name} by its policy (SHAME {shame:.2})"),
                Silence::TooFar => format!("{name} too far (SHAME {shame:.2})"),
                Silence::Unable => format!("{name} unable"),
            }
        };
        listed(silent, one)
    }

    /// What became of a call that brought no answer.
    fn unanswered(&self, call: Option<&Call>) -> String {
        let Some(call) = call else { return "nobody heard it".to_owned() };
        let mut parts = Vec::new();
        let unheard = call.unheard();
        if !unheard.is_empty() {
            let offer = |offer: &Offer| format!("{} {:.1}", self.robot(offer.robot), offer.eta);
            parts.push(format!("answered unheard: {}", listed(&unheard, offer)));
        }
        if !call.silent.is_empty() {
            parts.push(format!("silent: {}", self.silences(&call.silent)));
        }
        if !call.unable.is_empty() {
            parts.push(format!("unable: {}", listed(&call.unable, |robot| self.robot(*robot).to_owned())));
        }
        // Whoever drops a second copy is named for what it did about the first.
        let mut named: BTreeSet<RobotId> = call.unable.iter().copied().collect();
        named.extend(call.silent.iter().map(|quiet| quiet.robot));
        named.extend(call.made.iter().map(|offer| offer.robot));
        let dropped: Vec<(RobotId, Drop)> =
            call.dropped.iter().filter(|(robot, _)| named.insert(*robot)).copied().collect();
        if !dropped.is_empty() {
            let one = |(robot, why): &(RobotId, Drop)| format!("{} ({})", self.robot(*robot), why.reason());
            parts.push(format!("dropped a HELP: {}", listed(&dropped, one)));
        }
        if parts.is_empty() { "nobody heard it".to_owned() } else { parts.join("; ") }
    }

    fn timed_out(&self, robot: RobotId, task: TaskId, round: u32, waiting_for: Awaited) -> String {
        let name = self.task(task);
        match waiting_for {
            Awaited::Accept => {
                let call = self.calls.get(&(robot, task)).filter(|call| call.round == round);
                format!("gets no answer to HELP {round} for {name}: {}", self.unanswered(call))
            }
            Awaited::Responder => format!("hears no decision on its offer for {name} (HELP {round}) and is free again"),
            Awaited::Journey => format!("has not got to {name} in time and gives up"),
            Awaited::Arrival => format!("waited in vain for the robot it chose for {name} (HELP {round})"),
            Awaited::Agree => format!("hears no AGREE at {name} and is free again"),
            Awaited::Ackack => format!("hears no ACKACK for {name}: it may be taken over or not"),
        }
    }
}

fn helps(round: u32) -> String {
    if round == 1 { "1 HELP".to_owned() } else { format!("{round} HELPs") }
}
