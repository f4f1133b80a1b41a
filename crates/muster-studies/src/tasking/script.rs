//! Runs in which one thing goes wrong at one chosen moment: what the weaknesses of the protocol are shown with.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::{Message, Tasking, Variant};
use muster_core::{Body, Duration, Input, Note, Recipient, RobotId, Time};
use muster_sim::fault::{Fault, FaultKind};
use muster_sim::radio::Fate;
use muster_sim::scenario::Loaded;
use muster_sim::{AnyObserver, Observer, Sim, View};

use super::witness::Witness;

/// What goes wrong, once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// Nothing but what the scenario says.
    Nothing,
    /// The LEAD stops right after its first solicitation.
    LeadDies,
    /// The vehicle that is assigned stops this long before it is over its target.
    HolderDiesBefore(Duration),
    /// It stops this long after its first Status.
    HolderDiesAfter(Duration),
    /// One PEER misses the first word on the task being done: Completion as drawn, the first Done else.
    CompletionMissed,
    /// The LEAD misses the first Accept.
    AcceptMissed,
    /// The winner misses the first AcceptAck.
    AcceptAckMissed,
    /// The vehicle that is acknowledged misses it.
    AckLeadMissed,
    /// The USER misses the first solicitation.
    SolicitationMissed,
    /// A PEER hears nothing any more, from this long after the first Status.
    PeerDeafAfter(Duration),
    /// The same, from this long before the task is to be done.
    PeerDeafBefore(Duration),
    /// The second of those that accept stops right after it has.
    SecondWinnerDies,
    /// The vehicle with the highest number hears nothing from the first Status on, and whoever holds the task stops.
    HighestDeafHolderDies,
}

/// What was seen of a run.
#[derive(Clone, Debug)]
pub struct Seen {
    /// How often each task was done.
    pub done: Vec<usize>,
    /// When each was done, by whom.
    pub deeds: Vec<Vec<(Time, RobotId)>>,
    /// Transmissions by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// How many nodes have sent a solicitation since the script's fault, or at all if it has none.
    pub leads: usize,
    /// How many knew of the first task when it was led again, or at the end.
    pub aware: usize,
    /// Messages sent.
    pub messages: u64,
    /// Events that were taken; a storm ends at its cap.
    pub capped: bool,
    /// When the run ended.
    pub end: Time,
}

struct Scripted {
    script: Script,
    witness: Witness,
    stream: Stream,
    /// To strike next.
    next: Vec<Fault>,
    played: bool,
    struck: Option<Time>,
    accepts: u32,
    counts: BTreeMap<&'static str, u64>,
    leads: BTreeSet<RobotId>,
    aware: Option<usize>,
}

/// Deaf for so long a node misses what is on its way and nothing else.
const A_MESSAGE: Duration = Duration::from_millis(120);
/// A storm of messages is broken off here.
const MOST_MESSAGES: u64 = 6_000;

impl Scripted {
    /// Any vehicle but this one; the console comes first.
    fn another(&mut self, than: RobotId) -> RobotId {
        let vehicles = self.witness.team() as u32 - 1;
        let any = 1 + self.stream.below(vehicles);
        RobotId(if any == than.0 { 1 + any % vehicles } else { any })
    }
}

impl Observer<Tasking> for Scripted {
    fn on_input(&mut self, _now: Time, body: &Body, input: &Input<'_, Tasking>, _transmission: Option<u64>) {
        self.witness.on_input(body, input);
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, to: Recipient, message: &Message, _fate: Fate) {
        *self.counts.entry(message.name()).or_default() += 1;
        if let (Message::Solicitation { .. }, Some(_)) = (message, self.struck) {
            self.leads.insert(from);
        }
        if self.played {
            return;
        }
        let named = if let Recipient::Named(one) | Recipient::Only(one) = to { Some(one) } else { None };
        let strike = |at: Time, robot: RobotId, kind: FaultKind| Some(Fault { at, robot, kind });
        let misses =
            |robot: Option<RobotId>| robot.and_then(|one| strike(now, one, FaultKind::Deaf { lasts: A_MESSAGE }));
        let forever = Duration::from_secs(100_000);
        let fault = match (self.script, message) {
            (Script::LeadDies, Message::Solicitation { .. }) => strike(now, from, FaultKind::Stop),
            (Script::HolderDiesBefore(before), Message::Status { holder, .. }) => {
                let at = Time::from_micros(holder.at.as_micros().saturating_sub(before.as_micros()));
                strike(at, from, FaultKind::Stop)
            }
            (Script::HolderDiesAfter(after), Message::Status { .. }) => strike(now + after, from, FaultKind::Stop),
            (Script::PeerDeafAfter(after), Message::Status { .. }) => {
                strike(now + after, self.another(from), FaultKind::Deaf { lasts: forever })
            }
            (Script::PeerDeafBefore(before), Message::Status { holder, .. }) => {
                let at = Time::from_micros(holder.at.as_micros().saturating_sub(before.as_micros()));
                strike(at, self.another(from), FaultKind::Deaf { lasts: forever })
            }
            (Script::HighestDeafHolderDies, Message::Status { .. }) => {
                self.next.extend(strike(now, from, FaultKind::Stop));
                let others = self.witness.team() as u32 - 1;
                let highest = if from.0 == others { others - 1 } else { others };
                strike(now, RobotId(highest), FaultKind::Deaf { lasts: forever })
            }
            (Script::CompletionMissed, Message::Completion { .. } | Message::Done { .. }) => {
                misses(Some(self.another(from)))
            }
            (Script::AcceptMissed, Message::Assignment { .. }) => misses(Some(from)),
            (Script::AcceptAckMissed, Message::AcceptAck { .. }) => misses(named),
            (Script::AckLeadMissed, Message::AckLead { lead, .. }) => misses(Some(*lead)),
            (Script::SolicitationMissed, Message::Solicitation { .. }) => misses(Some(RobotId(0))),
            (Script::SecondWinnerDies, Message::Accept { .. }) => {
                self.accepts += 1;
                if self.accepts == 2 { strike(now, from, FaultKind::Stop) } else { None }
            }
            _ => None,
        };
        if let Some(fault) = fault {
            self.played = true;
            self.struck = Some(now);
            self.next.push(fault);
        }
    }

    fn after_event(&mut self, view: View<'_, Tasking>) -> Option<Fault> {
        self.witness.look(&view);
        if self.aware.is_none() && !self.leads.is_empty() {
            let first = muster_core::TaskId(0);
            let aware = |robot: &u32| view.is_up(RobotId(*robot)) && view.machines[*robot as usize].is_aware_of(first);
            self.aware = Some((0..view.machines.len() as u32).filter(aware).count());
        }
        self.next.pop()
    }
}

/// Makes one run of `loaded` with a script, until nothing is left to do, a storm of messages, or the mission's limit.
pub fn play(loaded: &Loaded, variant: Variant, script: Script, seed: u64, notes: bool) -> (Seen, Vec<Note>) {
    let mission = &loaded.mission;
    let (config, vehicles) = loaded.tasking(variant);
    let scripted = RefCell::new(Scripted {
        script,
        witness: Witness::new(mission.robots.len(), mission.tasks.len()),
        stream: Stream::of_run(seed, Purpose::Faults),
        next: Vec::new(),
        played: false,
        struck: (script == Script::Nothing).then_some(Time::ZERO),
        accepts: 0,
        counts: BTreeMap::new(),
        leads: BTreeSet::new(),
        aware: None,
    });
    let onlooker: AnyObserver<'_, Tasking> = &scripted;
    let machine = |robot: RobotId| Tasking::new(config.clone(), vehicles[robot.index()].clone());
    let mut sim = Sim::new(mission, seed, machine, onlooker);
    if notes {
        sim = sim.with_notes();
    }
    sim.start();
    let settles = config.peer + config.peer + config.peer;
    sim.run_until(|sim| {
        let ledger = sim.ledger();
        let over = ledger.all_served() && sim.now() >= ledger.last_served() + settles;
        sim.traffic().sent >= MOST_MESSAGES || (over && sim.all_up(Tasking::is_quiet))
    });
    let seen = scripted.borrow();
    let first = muster_core::TaskId(0);
    let aware = || sim.machines().iter().filter(|machine| machine.is_aware_of(first)).count();
    let seen = Seen {
        done: seen.witness.done(),
        deeds: (0..mission.tasks.len()).map(|task| seen.witness.deeds(task).to_vec()).collect(),
        counts: seen.counts.clone(),
        leads: seen.leads.len(),
        aware: seen.aware.unwrap_or_else(aware),
        messages: sim.traffic().sent,
        capped: sim.traffic().sent >= MOST_MESSAGES,
        end: sim.now(),
    };
    (seen, sim.take_notes())
}
