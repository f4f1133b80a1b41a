//! Why things happened: every award, refusal, silence, time-out and overlap, with its inputs and numbers.
//!
//! Made from the robots' own notes, in the order in which they were taken; a recording yields the same notes
//! when it is replayed. Awards come as plain data ([`Award`]) and as sentences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use foxglove::messages::Log;
use muster_core::event::{Awaited, Drop, Quit, Silence};
use muster_core::recruitment::{Answering, Choosing, Config};
use muster_core::{Duration, Event, Note, RobotId, TaskId, Time};

use crate::fault::FaultKind;
use crate::recording::log_line;
use crate::scenario::Loaded;

/// Turns notes into explanations. Wants all notes of a run, in order.
pub struct Explainer<'a> {
    loaded: &'a Loaded,
    config: &'a Config,
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
    awards: Vec<Award>,
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

/// A sentence names at most so many offers and so many silent robots; an [`Award`] names all.
const MOST_NAMED: usize = 50;

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

/// One thing that happened, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When.
    pub at: Time,
    /// To whom.
    pub robot: RobotId,
    /// With which task, if any.
    pub task: Option<TaskId>,
    /// What.
    pub text: String,
}

impl<'a> Explainer<'a> {
    /// For a run of `loaded` whose robots recruit by `config`.
    pub fn new(loaded: &'a Loaded, config: &'a Config) -> Self {
        Self {
            loaded,
            config,
            calls: BTreeMap::new(),
            calls_for: BTreeMap::new(),
            work: BTreeMap::new(),
            no_ackack: BTreeSet::new(),
            restarted: BTreeMap::new(),
            awards: Vec::new(),
        }
    }

    /// The awards among the notes seen so far.
    pub fn awards(&self) -> &[Award] {
        &self.awards
    }

    /// The name of a robot.
    pub fn robot(&self, robot: RobotId) -> &str {
        self.loaded.mission.robots.get(robot.index()).map_or("?", |spec| &spec.name)
    }

    /// The name of a task.
    pub fn task(&self, task: TaskId) -> String {
        self.loaded.task_names.get(task.index()).cloned().unwrap_or_else(|| task.to_string())
    }

    /// What a note says, in words.
    pub fn line(&mut self, note: &Note) -> Line {
        self.keep(note);
        let overlap = self.overlap(note);
        let mut text = self.sentence(note);
        text.extend(overlap);
        Line { at: note.at, robot: note.robot, task: task_of(&note.event), text }
    }

    /// Lines for a recording's log: all but the silences, which the awards and time-outs sum up.
    pub(crate) fn log(&mut self, notes: &[Note]) -> Vec<(Time, Log)> {
        let mut lines = Vec::new();
        for note in notes {
            if matches!(note.event, Event::Silent { .. } | Event::OfferHeard { .. }) {
                self.keep(note);
                continue;
            }
            let line = self.line(note);
            lines.push((line.at, log_line(line.at, self.robot(line.robot), line.text)));
        }
        lines
    }

    /// Remembers who said what to the current call, and what an overlap may come from.
    fn keep(&mut self, note: &Note) {
        let robot = note.robot;
        match note.event {
            Event::Called { task, round, .. } => {
                self.calls.insert((robot, task), Call { round, ..Call::default() });
                self.calls_for.insert(robot, task);
            }
            Event::Silent { with, task, round, why, shame, .. } => {
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
    fn overlap(&mut self, note: &Note) -> Option<String> {
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
        self.loaded.mission.faults.iter().any(|fault| {
            let down = matches!(fault.kind, FaultKind::Stop | FaultKind::Restart { .. });
            down && fault.robot == spell.robot && spell.from < fault.at && fault.at <= now
        })
    }

    fn sentence(&self, note: &Note) -> String {
        let (robot, task) = (|id| self.robot(id), |id| self.task(id));
        let threshold = self.config.shame.threshold;
        match note.event {
            Event::Started { incarnation, remembered: true } => {
                format!("starts again, life {incarnation}, with what it remembered")
            }
            Event::Started { incarnation, remembered: false } => {
                format!("starts again, life {incarnation}, having lost its memory")
            }
            Event::Called { task: id, round, place } => {
                format!("calls for help at {place}: HELP {round} for {}", task(id))
            }
            Event::Silent { with, round, why, shame, shame_after, distance_m, .. } => {
                let why = match why {
                    Silence::Unable => "it lacks what is needed".to_owned(),
                    Silence::Engaged => format!("on an errand of its own, SHAME {shame:.2}, now {shame_after:.2}"),
                    Silence::Committed => format!("it serves another call, SHAME {shame:.2}, now {shame_after:.2}"),
                    Silence::Unashamed => format!("SHAME {shame:.2} <= {threshold}, now {shame_after:.2}"),
                    Silence::TooFar => format!("too far, SHAME {shame:.2}"),
                };
                format!("keeps silent to HELP {round} of {}, {distance_m:.1} m away: {why}", robot(with))
            }
            Event::Offered { with, round, eta, shame, .. } => {
                let why = match self.config.answering {
                    Answering::Ashamed => format!("SHAME {shame:.2} > {threshold}"),
                    Answering::Always => "it always answers".to_owned(),
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
            Event::Activated { task: id, overrides, own_s, best } => {
                let own = own_s.map_or("in a time it does not know yet".to_owned(), |own| format!("in {own:.1} s"));
                let best = best
                    .map_or(String::new(), |(mate, s)| format!("; best of the others: {} in {s:.1} s", robot(mate)));
                let over = if overrides { "takes over" } else { "starts" };
                format!("{over} {}, expecting to do it {own}{best}", task(id))
            }
            Event::Quit { task: id, why } => match why {
                Quit::Gone => format!("stops {}: it is done", task(id)),
                Quit::NotNeeded => format!("stops {}: it is not needed any more", task(id)),
                Quit::Yielded { to } => format!("yields {} to {}", task(id), robot(to)),
                Quit::Hopeless => format!("gives {} up: it has tried for too long", task(id)),
                Quit::Blocked => format!("gives {} up: it cannot get there", task(id)),
                Quit::Tie { with } => format!("leaves {} to {}, which began first", task(id), robot(with)),
            },
            Event::Done { task: id, took } => format!("has done {} in {:.1} s", task(id), took.as_secs_f64()),
            Event::Withdrawn { task: id } => format!("looks after {} no longer", task(id)),
            Event::Dropped { with, message, why } => {
                format!("drops {message} of {}: {}", robot(with), reason(why))
            }
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
        match (&award.others[..], self.config.choosing) {
            ([], _) => text.push_str(", the only offer"),
            (others, Choosing::LeastEta) => {
                let _ = write!(text, "; next best {}", list(others));
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
            let one = |(robot, why): &(RobotId, Drop)| format!("{} ({})", self.robot(*robot), reason(*why));
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

/// "a, b and 3 more".
fn listed<T>(items: &[T], one: impl FnMut(&T) -> String) -> String {
    let mut text = items.iter().take(MOST_NAMED).map(one).collect::<Vec<_>>().join(", ");
    if items.len() > MOST_NAMED {
        let _ = write!(text, " and {} more", items.len() - MOST_NAMED);
    }
    text
}

/// Why a message was dropped.
fn reason(why: Drop) -> &'static str {
    match why {
        Drop::Late => "it is too late",
        Drop::Duplicate => "it was heard before",
        Drop::Foreign => "it is meant for another",
        Drop::Absurd => "it cannot be",
    }
}

fn helps(round: u32) -> String {
    if round == 1 { "1 HELP".to_owned() } else { format!("{round} HELPs") }
}

/// The task that an event is about.
fn task_of(event: &Event) -> Option<TaskId> {
    match *event {
        Event::Called { task, .. }
        | Event::Silent { task, .. }
        | Event::Offered { task, .. }
        | Event::OfferHeard { task, .. }
        | Event::Awarded { task, .. }
        | Event::SetOut { task, .. }
        | Event::NotNeeded { task, .. }
        | Event::Superseded { task, .. }
        | Event::Arrived { task, .. }
        | Event::Agreed { task, .. }
        | Event::TookOver { task, .. }
        | Event::Served { task, .. }
        | Event::Finished { task, .. }
        | Event::TimedOut { task, .. }
        | Event::Blocked { task, .. }
        | Event::Barred { task, .. }
        | Event::Activated { task, .. }
        | Event::Quit { task, .. }
        | Event::Done { task, .. }
        | Event::Withdrawn { task } => Some(task),
        Event::Started { .. } | Event::Dropped { .. } => None,
    }
}
