//! Feeds recorded inputs to the machines again and compares what they put out, byte for byte.

use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::motion::Motion;
use muster_core::{Body, Dice, Event, Node, Note, Point, RobotId, Time};

use super::Recording;
use super::entry::{Entry, Given};
use super::journal::entry_of;
use crate::intervention::Interventions;
use crate::scheme::{self, Visit};

pub(super) type Owned<M> = Entry<<M as Mechanism>::Message, <M as Mechanism>::Timer, <M as Mechanism>::Memory>;

/// What came of a replay.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// What the robots noted, in order.
    pub notes: Vec<Note>,
    /// Inputs fed.
    pub inputs: u64,
    /// Outputs compared.
    pub outputs: u64,
    /// When the last event was.
    pub end: Time,
    /// The first thing that does not follow, if there is one.
    pub failure: Option<String>,
}

/// Feeds the recorded inputs to fresh machines. Stops at the first thing that does not follow.
pub fn replay(recording: &Recording) -> Replayed {
    replay_until(recording, || false)
}

/// The same, broken off when `halt` says so.
pub fn replay_until(recording: &Recording, halt: impl Fn() -> bool) -> Replayed {
    scheme::staff(&recording.header.origin, Replay { recording, halt })
}

struct Replay<'a, H> {
    recording: &'a Recording,
    halt: H,
}

impl<H: Fn() -> bool> Visit for Replay<'_, H> {
    type Result = Replayed;

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Replayed {
        let mut replayer = Replayer::new(self.recording, machine);
        for (at, entries) in &self.recording.events {
            if (self.halt)() {
                break;
            }
            let result = replayer.event(*at, entries);
            replayer.replayed.end = *at;
            if let Err(what) = result {
                replayer.replayed.failure = Some(format!("at {at}: {what}"));
                break;
            }
        }
        replayer.replayed
    }
}

struct Sent<Message> {
    at: Time,
    from: RobotId,
    to: Recipient,
    message: Message,
    lost: bool,
}

struct Replayer<M: Mechanism> {
    robots: Vec<Node<M>>,
    dice: Dice,
    sent: Vec<Sent<M::Message>>,
    /// What the last robot to get an input has put out and the recording has not yet shown; the next one last.
    expected: Vec<Output<M>>,
    speaker: RobotId,
    now: Time,
    interventions: Interventions,
    /// Which of them were made.
    made: Vec<bool>,
    replayed: Replayed,
}

impl<M: Mechanism> Replayer<M> {
    fn new(recording: &Recording, machine: impl Fn(RobotId) -> M) -> Self {
        let origin = &recording.header.origin;
        let node = |(index, spec): (usize, &crate::mission::RobotSpec)| {
            let id = RobotId(index as u32);
            let motion = Motion::still(Point::default());
            Node::new(machine(id), Body { id, percepts: spec.percepts, speed_mps: spec.speed_mps, motion })
        };
        Self {
            robots: origin.mission().robots.iter().enumerate().map(node).collect(),
            dice: Dice::new(origin.seeds.run),
            sent: Vec::new(),
            expected: Vec::new(),
            speaker: RobotId(0),
            now: Time::ZERO,
            interventions: origin.interventions.clone(),
            made: vec![false; origin.interventions.all().len()],
            replayed: Replayed::default(),
        }
    }

    fn event(&mut self, at: Time, mut bytes: &[u8]) -> Result<(), String> {
        if at < self.now {
            return Err(format!("time goes back from {}", self.now));
        }
        self.now = at;
        while !bytes.is_empty() {
            let before = bytes;
            let (entry, rest): (Owned<M>, _) =
                postcard::take_from_bytes(before).map_err(|error| format!("an entry cannot be read: {error}"))?;
            bytes = rest;
            self.entry(entry, &before[..before.len() - rest.len()])?;
        }
        self.nothing_left()
    }

    fn entry(&mut self, entry: Owned<M>, bytes: &[u8]) -> Result<(), String> {
        match entry {
            Entry::Input { robot, moved, given } => {
                self.nothing_left()?;
                self.replayed.inputs += 1;
                self.speaker = robot;
                let team = self.robots.len();
                let Some(own) = self.robots.get_mut(robot.index()) else {
                    return Err(format!("there is no robot {robot} in a team of {team}"));
                };
                if let Some(motion) = moved {
                    own.body.motion = motion;
                }
                self.feed(robot, given)
            }
            Entry::Output(_) => self.compare(bytes),
            Entry::Lost => {
                let sent = self.sent.last_mut().ok_or("a transmission is lost before any was sent")?;
                sent.lost = true;
                Ok(())
            }
            Entry::Intervened(text) => {
                self.nothing_left()?;
                self.intervention(&text)
            }
            Entry::Happened { robot, what } => {
                self.nothing_left()?;
                self.replayed.notes.push(Note { at: self.now, robot, event: Event::Happened(what) });
                Ok(())
            }
        }
    }

    /// It must be one of those that the header has, at its time, and is noted as in the run.
    fn intervention(&mut self, text: &str) -> Result<(), String> {
        let all = self.interventions.all();
        let this = |index: &usize| !self.made[*index] && all[*index].at == self.now && all[*index].to_toml() == text;
        let Some(index) = (0..all.len()).find(this) else {
            return Err("an intervention was made that the header does not have".to_owned());
        };
        self.made[index] = true;
        self.replayed.notes.push(all[index].note());
        Ok(())
    }

    /// Hands an input to its robot, after seeing whether it could have got it.
    fn feed(&mut self, robot: RobotId, given: Given<M::Timer, M::Memory>) -> Result<(), String> {
        let own = &mut self.robots[robot.index()];
        let heard;
        let input = match given {
            Given::Start(memory) => {
                if memory.as_ref().is_some_and(|memory| *memory != own.memory) {
                    return Err(format!("{robot} starts with {memory:?}, but had kept {:?}", own.memory));
                }
                Input::Start(memory)
            }
            Given::Fired(timer) => {
                if own.timers.deadline(timer).is_none_or(|deadline| deadline > self.now) {
                    return Err(format!("{timer:?} of {robot} fires, but is set for {:?}", own.timers.deadline(timer)));
                }
                Input::Fired(timer)
            }
            Given::Perceived(percept) => Input::Perceived(percept),
            Given::Ordered(order) => Input::Ordered(order),
            Given::Heard(number) => {
                let sent = usize::try_from(number).ok().and_then(|number| self.sent.get(number));
                heard = sent.ok_or_else(|| format!("{robot} hears transmission {number}, which was never sent"))?;
                let meant = match heard.to {
                    Recipient::All | Recipient::Named(_) => heard.from != robot,
                    Recipient::Only(only) => only == robot,
                };
                if !meant || heard.lost || heard.at > self.now {
                    return Err(format!("{robot} hears transmission {number}, which cannot have reached it"));
                }
                Input::Received { from: heard.from, to: heard.to, message: &heard.message }
            }
        };
        self.expected = own.give(self.now, input, &mut self.dice, Some(&mut self.replayed.notes));
        self.expected.reverse();
        Ok(())
    }

    /// The recorded output must be the next one, to the byte.
    fn compare(&mut self, recorded: &[u8]) -> Result<(), String> {
        let robot = self.speaker;
        let Some(output) = self.expected.pop() else {
            return Err(format!("{robot} put out something that does not follow from its input"));
        };
        self.replayed.outputs += 1;
        let bytes = postcard::to_stdvec(&entry_of(&output)).map_err(|error| error.to_string())?;
        if bytes != recorded {
            return Err(format!("{robot} must put out {output:?}, but something else was recorded"));
        }
        if let Output::Send { to, message } = output {
            self.sent.push(Sent { at: self.now, from: robot, to, message, lost: false });
        }
        Ok(())
    }

    fn nothing_left(&self) -> Result<(), String> {
        match self.expected.last() {
            None => Ok(()),
            Some(output) => Err(format!("{} must also put out {output:?}, which was not recorded", self.speaker)),
        }
    }
}
