//! Why robots were recruited, or not: calls, offers, silences, awards, time-outs and overlaps in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::silence::Kept;
use super::step::{Answer, Awaited, Choice, Silence, Step};
use super::untaken::Want;
use super::{Offer, ashamed};
use crate::affect::{Emotion, Intensity};
use crate::event::{Drop, Event};
use crate::panel::Family;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::telling::{self, Award, Fact, Gist, Kind, Mark, Noted, Reason, Telling, Value, Weight, Wording, listed};
use crate::time::Time;

/// What happened to calls so far.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The current call of each requester for each task.
    calls: BTreeMap<(RobotId, TaskId), Call>,
    /// The task that each requester called for last.
    calls_for: BTreeMap<RobotId, TaskId>,
    /// Who works at each task.
    work: BTreeMap<TaskId, Vec<Spell>>,
    /// Those still at work at the task that was taken over last, when it was.
    overlap: Vec<Spell>,
    /// Requester, task and call whose ACKACK was waited for in vain.
    no_ackack: BTreeSet<(RobotId, TaskId, u32)>,
    /// When each robot started again.
    restarted: BTreeMap<RobotId, Time>,
    /// When each robot that is ashamed began to be.
    ashamed_since: BTreeMap<RobotId, Time>,
    /// What became of the calls for each task.
    wants: BTreeMap<TaskId, Want>,
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

/// What was said to one call.
#[derive(Clone, Debug, Default)]
struct Call {
    round: u32,
    heard: Vec<Offer>,
    made: Vec<Offer>,
    silent: Vec<Kept>,
    /// Robots that heard it, but lack what is needed.
    unable: Vec<RobotId>,
    /// Robots that heard a HELP of the requester since this call, and dropped it.
    dropped: Vec<(RobotId, Drop)>,
}

impl Call {
    /// Offers that were made but not heard. A robot that heard a doubled HELP twice, with another in between, has made two:
    /// it is named once, for the first.
    fn unheard(&self) -> Vec<Offer> {
        let mut named: BTreeSet<RobotId> = self.heard.iter().map(|offer| offer.from).collect();
        self.made.iter().filter(|offer| named.insert(offer.from)).copied().collect()
    }

    /// Robots that kept silent, each once, and none that made an offer: it may be to a second copy that it kept silent.
    fn silent(&self) -> Vec<Kept> {
        let mut named: BTreeSet<RobotId> = self.heard.iter().chain(&self.made).map(|offer| offer.from).collect();
        self.silent.iter().filter(|kept| named.insert(kept.robot)).copied().collect()
    }

    /// No robot noted anything about it.
    fn reached_nobody(&self) -> bool {
        self.made.is_empty() && self.silent.is_empty() && self.unable.is_empty() && self.dropped.is_empty()
    }
}

fn as_told(offer: &Offer, heard: bool) -> telling::Offer {
    telling::Offer { robot: offer.from, value: Some(Value::Eta(offer.eta)), heard }
}

impl Telling for Calls {
    type Step<'s> = &'s Step;

    fn gist(noted: Noted, step: &Step) -> Gist {
        let own = noted.robot;
        let of = |kind, task: &TaskId| Gist::of(kind, Some(*task));
        match step {
            Step::Called { task, round, .. } => of(Kind::Call, task).fact(Fact::Calls(*round)),
            // Not about the requester, though it is named: its awards and time-outs sum its silences up, and one by one
            // they would drown them.
            Step::Silent { task, .. } => of(Kind::Offer, task).weighs(Weight::Detail),
            Step::Offered { with, task, .. } => of(Kind::Offer, task).about(*with),
            Step::OfferHeard { with, task, .. } => of(Kind::Offer, task).about(*with).weighs(Weight::Detail),
            Step::Awarded { with, task, .. } => {
                of(Kind::Award, task).about(*with).fact(Fact::Has(*with)).weighs(Weight::Decision)
            }
            Step::SetOut { with, task, .. } => of(Kind::Travel, task).about(*with).fact(Fact::Has(own)),
            Step::NotNeeded { with, task, chosen, .. } => of(Kind::Travel, task).about(*with).about(*chosen),
            Step::Arrived { with, task, .. } => of(Kind::Travel, task).about(*with),
            Step::Agreed { with, task, .. } => of(Kind::Work, task).about(*with),
            Step::TookOver { with, task, .. } => of(Kind::Work, task).about(*with).fact(Fact::Has(own)),
            Step::Served { with, task, .. } => of(Kind::Done, task).about(*with).fact(Fact::Has(*with)),
            Step::Held { with, task, .. }
            | Step::Renewed { with, task, .. }
            | Step::AskedForMore { with, task, .. } => of(Kind::Work, task).about(*with),
            Step::Refused { with, task, .. } | Step::HandedBack { with, task, .. } => {
                of(Kind::Trouble, task).about(*with).fact(Fact::GivesUp(own))
            }
            Step::Finished { task, .. } => of(Kind::Done, task),
            Step::GoesBack { task } => of(Kind::Travel, task),
            Step::TimedOut { task, waiting_for: Awaited::Arrival, .. } => of(Kind::Trouble, task).fact(Fact::Nobody),
            Step::TimedOut {
                task,
                waiting_for:
                    Awaited::Accept
                    | Awaited::Responder
                    | Awaited::Journey
                    | Awaited::Agree
                    | Awaited::Ackack
                    | Awaited::Done,
                ..
            }
            | Step::Blocked { task, .. } => of(Kind::Trouble, task).fact(Fact::GivesUp(own)),
            Step::Superseded { with, task, .. } => of(Kind::Trouble, task).about(*with).fact(Fact::GivesUp(own)),
            Step::PolicyFailed { with, task, .. } => of(Kind::Trouble, task).about(*with),
            Step::Barred { task, .. } | Step::Withdrawn { task } => of(Kind::Trouble, task),
        }
    }

    fn mark(step: &Step) -> Option<Mark> {
        match *step {
            Step::Silent { with, why, shame, threshold, .. } => {
                Some(Mark { ignored: true, why: why.alone(shame, threshold), of: with })
            }
            Step::Called { .. }
            | Step::Offered { .. }
            | Step::OfferHeard { .. }
            | Step::Awarded { .. }
            | Step::SetOut { .. }
            | Step::NotNeeded { .. }
            | Step::Superseded { .. }
            | Step::Arrived { .. }
            | Step::Agreed { .. }
            | Step::TookOver { .. }
            | Step::Served { .. }
            | Step::Finished { .. }
            | Step::TimedOut { .. }
            | Step::Blocked { .. }
            | Step::Barred { .. }
            | Step::GoesBack { .. }
            | Step::Refused { .. }
            | Step::AskedForMore { .. }
            | Step::Renewed { .. }
            | Step::HandedBack { .. }
            | Step::Held { .. }
            | Step::Withdrawn { .. }
            | Step::PolicyFailed { .. } => None,
        }
    }

    fn keep(&mut self, noted: Noted, step: &Step) {
        let robot = noted.robot;
        match *step {
            Step::Called { task, round, .. } => {
                self.calls.insert((robot, task), Call { round, ..Call::default() });
                self.calls_for.insert(robot, task);
                self.want(task).called(robot);
            }
            Step::Silent { with, task, round, why, shame, shame_after, threshold, .. } => {
                // A robot that answered or lost all of it meanwhile was not ashamed when this call came.
                if shame == 0.0 && shame_after > 0.0 {
                    self.ashamed_since.insert(robot, noted.at);
                }
                let kept = Kept { robot, why, shame, threshold };
                if let Some(call) = self.current(with, task, round) {
                    match why {
                        Silence::Unable => call.unable.push(robot),
                        Silence::Engaged
                        | Silence::Committed
                        | Silence::Unashamed
                        | Silence::Declined
                        | Silence::TooFar => call.silent.push(kept),
                    }
                }
                self.want(task).kept_silent(kept);
            }
            Step::Offered { with, task, round, eta, .. } => {
                if let Some(call) = self.current(with, task, round) {
                    call.made.push(Offer { from: robot, eta });
                }
                self.want(task).answered(robot);
            }
            Step::OfferHeard { with, task, round, eta } => {
                if let Some(call) = self.current(robot, task, round) {
                    call.heard.push(Offer { from: with, eta });
                }
            }
            Step::Awarded { with, task, .. } => self.want(task).chose(with),
            Step::TimedOut { task, round, waiting_for } => self.timed_out(robot, task, round, waiting_for),
            Step::TookOver { with, task, round, until } => {
                self.want(task).was_taken();
                let mut work = self.work.remove(&task).unwrap_or_default();
                work.retain(|spell| spell.robot != robot && spell.until > noted.at);
                self.overlap.clone_from(&work);
                work.push(Spell { robot, requester: with, round, from: noted.at, until });
                self.work.insert(task, work);
            }
            Step::Renewed { task, until, .. } => {
                let work = self.work.entry(task).or_default().iter_mut();
                work.filter(|spell| spell.robot == robot).for_each(|spell| spell.until = until);
            }
            Step::Refused { task, .. } | Step::HandedBack { task, .. } => self.want(task).gave_up(robot),
            Step::Served { task, .. } => self.want(task).was_taken(),
            Step::Blocked { task, .. } => self.want(task).blocked(robot),
            Step::Withdrawn { task } => self.want(task).was_withdrawn(),
            Step::SetOut { .. }
            | Step::NotNeeded { .. }
            | Step::Superseded { .. }
            | Step::Arrived { .. }
            | Step::Agreed { .. }
            | Step::Finished { .. }
            | Step::Barred { .. }
            | Step::GoesBack { .. }
            | Step::AskedForMore { .. }
            | Step::Held { .. }
            | Step::PolicyFailed { .. } => {}
        }
    }

    fn keep_common(&mut self, noted: Noted, event: &Event) {
        let starts = matches!(event, Event::Started { .. });
        if starts {
            self.restarted.insert(noted.robot, noted.at);
        }
        if let Event::Dropped { with, family: Family::Call, why, .. } = event
            && let Some(task) = self.calls_for.get(with)
            && let Some(call) = self.calls.get_mut(&(*with, *task))
        {
            call.dropped.push((noted.robot, *why));
        }
        // A robot whose computer goes down works no more, nor does it call.
        let down = event.happening().filter(|happening| happening.is_down());
        if down.is_some() {
            for work in self.work.values_mut() {
                work.retain(|spell| spell.robot != noted.robot || spell.from >= noted.at);
            }
        }
        if down.is_some() || starts {
            for want in self.wants.values_mut() {
                want.is_down(noted.robot, down);
            }
        }
    }

    fn sentence(&self, wording: Wording<'_>, noted: Noted, step: &Step) -> String {
        let (robot, task) = (|id| wording.names.robot(id), |id| wording.names.task(id));
        match *step {
            Step::Called { task: id, round, place } => {
                format!("calls for help at {place}: HELP {round} for {}", task(id))
            }
            Step::Silent { with, round, why, shame, shame_after, threshold, distance_m, .. } => {
                let kept = Kept { robot: noted.robot, why, shame, threshold };
                let why = kept.in_sentence(|| self.now_felt(wording, noted.robot, shame, shame_after, with));
                format!("keeps silent to HELP {round} of {}, {distance_m:.1} m away: {why}", robot(with))
            }
            Step::Offered { with, round, eta, shame, why, .. } => {
                let why = match why {
                    Answer::Ashamed { threshold } => {
                        let felt = self.emotion(wording, noted.robot, shame, with);
                        let felt = felt.map_or_else(String::new, |emotion| {
                            format!(", {} since {:.2}", emotion.affect.intensity.level(), emotion.since)
                        });
                        format!("SHAME {shame:.2} > {threshold}{felt}")
                    }
                    Answer::Always => "it always answers".to_owned(),
                    Answer::Policy => format!("its policy says so, SHAME {shame:.2}"),
                };
                format!("answers HELP {round} of {}: there in {eta:.1} ({why})", robot(with))
            }
            Step::OfferHeard { with, round, eta, .. } => {
                format!("hears {} answer HELP {round}: here in {eta:.1}", robot(with))
            }
            Step::Awarded { with, task: id, round, eta, how, .. } => {
                self.awarded(wording, self.calls.get(&(noted.robot, id)), Offer { from: with, eta }, id, round, how)
            }
            Step::SetOut { with, task: id, .. } => {
                format!("was chosen by {} and sets out for {}", robot(with), task(id))
            }
            Step::NotNeeded { with, chosen, .. } => format!("is not needed: {} chose {}", robot(with), robot(chosen)),
            Step::Superseded { with, round, .. } => {
                format!("gives up what it agreed on HELP {round}: {} has called again", robot(with))
            }
            Step::Arrived { with, task: id, .. } => format!("is at {} and tells {}", task(id), robot(with)),
            Step::Agreed { with, lease, .. } => format!("agrees with {} on {lease:.0}", robot(with)),
            Step::TookOver { with, task: id, until, .. } => {
                let overlap = self.overlaps(wording, id);
                format!("takes {} over from {} until {until:.1}{overlap}", task(id), robot(with))
            }
            Step::Served { with, task: id, round } => {
                format!("hands {} over to {} after {}", task(id), robot(with), telling::counted(round, "HELP"))
            }
            Step::Refused { with, lease, .. } => {
                format!("goes: {} agrees to {lease:.0} only, less than it comes for", robot(with))
            }
            Step::AskedForMore { with, task: id, .. } => {
                format!("is not done at {} by the end of its lease, and asks {} for another", task(id), robot(with))
            }
            Step::Renewed { with, task: id, until, .. } => {
                format!("works on at {}: {} agrees until {until:.1}", task(id), robot(with))
            }
            Step::HandedBack { with, task: id, .. } => {
                format!("hands {} back to {}: its lease is over, the work is not", task(id), robot(with))
            }
            Step::Held { with, task: id, until, .. } => {
                format!("has {} in the hands of {} until {until:.1}", task(id), robot(with))
            }
            Step::Finished { task: id, .. } => format!("is done at {}: its lease is over", task(id)),
            Step::TimedOut { task: id, round, waiting_for } => {
                let name = task(id);
                match waiting_for {
                    Awaited::Accept => {
                        let call = self.calls.get(&(noted.robot, id)).filter(|call| call.round == round);
                        format!("gets no answer to HELP {round} for {name}: {}", unanswered(wording, call))
                    }
                    Awaited::Responder => {
                        format!("hears no decision on its offer for {name} (HELP {round}) and is free again")
                    }
                    Awaited::Journey => format!("has not got to {name} in time and gives up"),
                    Awaited::Arrival => format!("waited in vain for the robot it chose for {name} (HELP {round})"),
                    Awaited::Agree => format!("hears no AGREE at {name} and is free again"),
                    Awaited::Done => {
                        format!("hears nothing of {name} any more: the lease is over, and it was not said to be done")
                    }
                    Awaited::Ackack => format!("hears no ACKACK for {name}: it may be taken over or not"),
                }
            }
            Step::Blocked { task: id, .. } => format!("cannot get to {} and gives up", task(id)),
            Step::Barred { task: id, until } => {
                format!("waits until {until:.1} before it calls for {} again: a lease may still run", task(id))
            }
            Step::PolicyFailed { task: id, round, line, .. } => {
                let place = if line > 0 { format!("in line {line}") } else { "with an answer that is none".to_owned() };
                format!("its policy failed {place} at HELP {round} for {}: the paper's decides", task(id))
            }
            Step::GoesBack { task: id } => format!("drives back to where it waits for help with {}", task(id)),
            Step::Withdrawn { task: id } => format!("looks after {} no longer", task(id)),
        }
    }

    fn award(&self, noted: Noted, step: &Step) -> Option<Award> {
        let Step::Awarded { with, task, round, eta, threshold, .. } = *step else { return None };
        let call = self.calls.get(&(noted.robot, task)).filter(|call| call.round == round)?;
        let mut others: Vec<telling::Offer> = heard_besides(call, with).iter().map(|it| as_told(it, true)).collect();
        others.extend(call.unheard().iter().map(|it| as_told(it, false)));
        Some(Award {
            at: noted.at,
            by: noted.robot,
            task,
            round,
            round_key: Some("help"),
            taken_from: None,
            chosen: as_told(&Offer { from: with, eta }, true),
            others,
            silent: call.silent().iter().map(Kept::quiet).collect(),
            threshold: Some(threshold),
        })
    }

    fn untaken(&self) -> Vec<TaskId> {
        self.wants.iter().filter(|(_, want)| want.is_open()).map(|(task, _)| *task).collect()
    }

    fn nobody(&self, wording: Wording<'_>, task: TaskId) -> Vec<Reason> {
        self.wants.get(&task).map_or_else(Vec::new, |want| want.reasons(wording))
    }

    fn is_under_way(&self, task: TaskId) -> bool {
        self.wants.get(&task).is_some_and(Want::is_under_way)
    }
}

impl Calls {
    fn current(&mut self, requester: RobotId, task: TaskId, round: u32) -> Option<&mut Call> {
        self.calls.get_mut(&(requester, task)).filter(|call| call.round == round)
    }

    fn want(&mut self, task: TaskId) -> &mut Want {
        self.wants.entry(task).or_default()
    }

    fn timed_out(&mut self, robot: RobotId, task: TaskId, round: u32, waiting_for: Awaited) {
        match waiting_for {
            Awaited::Accept => {
                let call = self.calls.get(&(robot, task)).filter(|call| call.round == round);
                let unheard = call.map_or(0, |call| call.unheard().len() as u32);
                let nobody = call.is_none_or(Call::reached_nobody);
                self.want(task).was_not_answered(nobody, unheard);
            }
            Awaited::Arrival => self.want(task).did_not_come(),
            Awaited::Ackack => {
                self.no_ackack.insert((robot, task, round));
                self.want(task).did_not_take_over();
            }
            // Whoever had it says itself that it hands it back.
            Awaited::Done => {}
            Awaited::Responder | Awaited::Journey | Awaited::Agree => self.want(task).gave_up(robot),
        }
    }

    /// The SHAME of a robot as the emotion that it is.
    fn emotion(&self, wording: Wording<'_>, robot: RobotId, shame: f64, requester: RobotId) -> Option<Emotion> {
        let since = self.ashamed_since.get(&robot).copied()?;
        ashamed(wording.emotions, Intensity::clamped(shame), since, &wording.names.robot(requester))
    }

    /// "now 0.39 (low, since 0.05 s)"; what it thinks of itself when it begins to be ashamed.
    fn now_felt(&self, wording: Wording<'_>, robot: RobotId, before: f64, after: f64, requester: RobotId) -> String {
        match self.emotion(wording, robot, after, requester) {
            None => format!("now {after:.2}"),
            Some(emotion) if before == 0.0 => {
                let level = emotion.affect.intensity.level();
                format!("now {after:.2} ({level}): \"{}\"", emotion.chain(wording.emotions))
            }
            Some(emotion) => {
                format!("now {after:.2} ({}, since {:.2})", emotion.affect.intensity.level(), emotion.since)
            }
        }
    }

    /// "chooses idle-3 for stop 1: ETA 12.0 s; next best idle-7 15.5 s; silent: idle-2 SHAME 0.41 <= 0.75". A robot that
    /// has lost its own notes of the call tells what it chose, and no more.
    fn awarded(
        &self,
        wording: Wording<'_>,
        call: Option<&Call>,
        chosen: Offer,
        task: TaskId,
        round: u32,
        how: Choice,
    ) -> String {
        let none = Call::default();
        let call = call.filter(|call| call.round == round).unwrap_or(&none);
        let names = wording.names;
        let mut text = format!("chooses {} for {}: ETA {:.1}", names.robot(chosen.from), names.task(task), chosen.eta);
        let list = |offers: &[Offer]| listed(offers, |it| format!("{} {:.1}", names.robot(it.from), it.eta));
        let _ = match (&heard_besides(call, chosen.from)[..], how) {
            ([], _) => write!(text, ", the only offer"),
            (others, Choice::LeastEta) => write!(text, "; next best {}", list(others)),
            (others, Choice::Policy) => write!(text, ", by its policy; the others {}", list(others)),
            (others, Choice::Uniform) => {
                write!(text, ", drawn from {} offers; the others {}", others.len() + 1, list(others))
            }
        };
        let unheard = call.unheard();
        if !unheard.is_empty() {
            let _ = write!(text, "; answered unheard: {}", list(&unheard));
        }
        let silent = call.silent();
        if !silent.is_empty() {
            let _ = write!(text, "; silent: {}", silences(wording, &silent));
        }
        text
    }

    /// Those still at work at the task that was taken over just now, and why another was called nevertheless.
    fn overlaps(&self, wording: Wording<'_>, task: TaskId) -> String {
        let one = |spell: &Spell| {
            let (worker, requester) = (wording.names.robot(spell.robot), wording.names.robot(spell.requester));
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
        if self.overlap.is_empty() {
            return String::new();
        }
        format!(". OVERLAP: {}", self.overlap.iter().map(one).collect::<Vec<_>>().join("; "))
    }
}

/// The offers that were heard, but the one that was chosen; the soonest first.
fn heard_besides(call: &Call, chosen: RobotId) -> Vec<Offer> {
    let mut others: Vec<Offer> = call.heard.iter().filter(|offer| offer.from != chosen).copied().collect();
    others.sort_by_key(|offer| (offer.eta, offer.from));
    others
}

fn silences(wording: Wording<'_>, silent: &[Kept]) -> String {
    listed(silent, |kept| kept.in_list(&wording.names.robot(kept.robot)))
}

/// What became of a call that brought no answer.
fn unanswered(wording: Wording<'_>, call: Option<&Call>) -> String {
    let Some(call) = call else { return "nobody heard it".to_owned() };
    let names = wording.names;
    let mut parts = Vec::new();
    let unheard = call.unheard();
    if !unheard.is_empty() {
        let offer = |offer: &Offer| format!("{} {:.1}", names.robot(offer.from), offer.eta);
        parts.push(format!("answered unheard: {}", listed(&unheard, offer)));
    }
    let silent = call.silent();
    if !silent.is_empty() {
        parts.push(format!("silent: {}", silences(wording, &silent)));
    }
    let mut named = BTreeSet::new();
    let unable: Vec<RobotId> = call.unable.iter().copied().filter(|robot| named.insert(*robot)).collect();
    if !unable.is_empty() {
        parts.push(format!("unable: {}", listed(&unable, |robot| names.robot(*robot).to_string())));
    }
    // A robot that drops a second copy is named for what it did about the first.
    named.extend(call.silent.iter().map(|kept| kept.robot));
    named.extend(call.made.iter().map(|offer| offer.from));
    let dropped: Vec<(RobotId, Drop)> =
        call.dropped.iter().filter(|(robot, _)| named.insert(*robot)).copied().collect();
    if !dropped.is_empty() {
        let one = |(robot, why): &(RobotId, Drop)| format!("{} ({})", names.robot(*robot), why.reason());
        parts.push(format!("dropped a HELP: {}", listed(&dropped, one)));
    }
    if parts.is_empty() { "nobody heard it".to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests;
