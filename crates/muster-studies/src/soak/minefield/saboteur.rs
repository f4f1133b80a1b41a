//! Makes robots fail at chosen stages. Random times would hardly ever hit the moments that matter: a
//! handshake lasts a tenth of a second, the drive between two of them a minute.

use std::collections::BTreeMap;

use muster_core::recruitment::{Message, Recruitment, Request, Responding, Stage};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Body, Duration, Input, RobotId, Time};
use muster_sim::View;
use muster_sim::fault::{Fault, FaultKind};

use super::{FAULT_PHASE_S, Sabotage};
use crate::soak::watcher::Sabotages;

/// In the minefield, the one that asks.
const REQUESTER: RobotId = RobotId(0);
/// How often entering a stage brings a fault.
const CHANCE: f64 = 0.1;
/// How often arriving brings a restart where restarts are the point.
const CHANCE_OF_ARRIVED: f64 = 0.7;
/// Most robots that may die; the others have to be able to finish.
const MOST_DEATHS: u32 = 6;

pub struct Saboteur {
    sabotage: Sabotage,
    stream: Stream,
    stages: Vec<[&'static str; 2]>,
    deaths: u32,
    requester_died: Option<Time>,
    struck: BTreeMap<String, u64>,
    /// The call that each robot has arrived for, with the number of its ARRIVAL, as of the last event.
    arrived: Vec<Option<(Request, u32)>>,
    straggling_agrees: u64,
}

impl Saboteur {
    pub fn new(sabotage: Sabotage, seed: u64, team: usize) -> Self {
        Self {
            sabotage,
            stream: Stream::of_run(seed, Purpose::Faults),
            stages: vec![["idle", "quiet"]; team],
            deaths: 0,
            requester_died: None,
            struck: BTreeMap::new(),
            arrived: vec![None; team],
            straggling_agrees: 0,
        }
    }

    /// What has struck so far, and at which stage.
    pub fn struck(&self) -> &BTreeMap<String, u64> {
        &self.struck
    }

    /// Times that a robot which waited for AGREE heard one to an earlier ARRIVAL of its own for the same call.
    pub fn straggling_agrees(&self) -> u64 {
        self.straggling_agrees
    }

    /// When the requester died for good.
    pub fn requester_died(&self) -> Option<Time> {
        self.requester_died
    }

    fn fault(&mut self, robot: RobotId, now: Time, stage: &str) -> Option<Fault> {
        let seconds = |stream: &mut Stream, low, high| Duration::from_secs_f64(stream.between(low, high));
        let stream = &mut self.stream;
        let kind = match self.sabotage {
            Sabotage::None => return None,
            Sabotage::RequesterDies if robot == REQUESTER && self.requester_died.is_none() => {
                self.requester_died = Some(now);
                FaultKind::Stop
            }
            Sabotage::RequesterDies => return None,
            Sabotage::Restarts => FaultKind::Restart { down: seconds(stream, 0.01, 0.5), memory: stream.chance(0.5) },
            Sabotage::EveryStage => match stream.below(7) {
                0 | 1 if robot != REQUESTER && self.deaths < MOST_DEATHS => {
                    self.deaths += 1;
                    FaultKind::Stop
                }
                0 | 2 => FaultKind::Restart { down: seconds(stream, 0.01, 30.0), memory: true },
                1 | 3 => FaultKind::Restart { down: seconds(stream, 0.01, 30.0), memory: false },
                4 => FaultKind::Pause { lasts: seconds(stream, 0.1, 40.0) },
                5 => FaultKind::Deaf { lasts: seconds(stream, 0.1, 30.0) },
                _ => FaultKind::Mute { lasts: seconds(stream, 0.1, 30.0) },
            },
        };
        *self.struck.entry(format!("{} while {stage}", kind.name())).or_default() += 1;
        // Half of them at the very instant, half a little later, in the middle of the stage. A death of the
        // requester is dated, so it comes at once.
        let later = kind != FaultKind::Stop && self.stream.chance(0.5);
        let at = if later { now + Duration::from_secs_f64(self.stream.between(0.0, 3.0)) } else { now };
        Some(Fault { at, robot, kind })
    }
}

/// The next fault comes when somebody has just entered a stage and the dice say so.
impl Sabotages<Recruitment> for Saboteur {
    fn on_input(&mut self, body: &Body, input: &Input<'_, Recruitment>) {
        if let Input::Received { message: Message::Agree { request, number, .. }, .. } = input
            && let Some((waits_for, own)) = self.arrived[body.id.index()]
        {
            self.straggling_agrees += u64::from(waits_for == *request && own != *number);
        }
    }

    fn plot(&mut self, view: &View<'_, Recruitment>) -> Option<Fault> {
        for (arrived, machine) in self.arrived.iter_mut().zip(view.machines) {
            *arrived = match *machine.responding() {
                Responding::Arrived { request, number, .. } => Some((request, number)),
                _ => None,
            };
        }
        if self.sabotage == Sabotage::None || view.now > Time::ZERO + Duration::from_secs(FAULT_PHASE_S) {
            return None;
        }
        for (index, machine) in view.machines.iter().enumerate() {
            let robot = RobotId(index as u32);
            let entered = [responder_stage(machine), requester_stage(machine)];
            for (side, stage) in entered.into_iter().enumerate() {
                if std::mem::replace(&mut self.stages[index][side], stage) == stage {
                    continue;
                }
                let rests = matches!(stage, "idle" | "quiet");
                if !rests && view.is_up(robot) && self.stream.chance(self.sabotage.chance(stage)) {
                    let fault = self.fault(robot, view.now, stage);
                    if fault.is_some() {
                        return fault;
                    }
                }
            }
        }
        None
    }
}

impl Sabotage {
    /// How often entering `stage` brings a fault.
    fn chance(self, stage: &str) -> f64 {
        match (self, stage) {
            (Self::Restarts, "arrived") => CHANCE_OF_ARRIVED,
            _ => CHANCE,
        }
    }
}

fn responder_stage(machine: &Recruitment) -> &'static str {
    match machine.responding() {
        Responding::Idle => "idle",
        Responding::Offered { .. } => "offered",
        Responding::Travelling { .. } => "travelling",
        Responding::Arrived { .. } => "arrived",
        Responding::Working { .. } => "working",
        Responding::Returning => "returning",
    }
}

fn requester_stage(machine: &Recruitment) -> &'static str {
    match machine.requesting().map(|requesting| requesting.stage()) {
        None | Some(Stage::Quiet) => "quiet",
        Some(Stage::Barred { .. }) => "barred",
        Some(Stage::Collecting) => "collecting",
        Some(Stage::Pausing) => "pausing",
        Some(Stage::AwaitingArrival { .. }) => "awaiting arrival",
        Some(Stage::AwaitingAckack { .. }) => "awaiting ackack",
        Some(Stage::Held { .. }) => "held",
        Some(Stage::Lent { .. }) => "lent",
    }
}
