//! Feeds recorded inputs to fresh machines and compares what they put out, byte for byte.

use muster_core::mechanism::{Input, Mechanism, Output, Recipient};
use muster_core::{Dice, Event, Node, Note, RobotId, Time};

use crate::cast::Cast;
use crate::draw::{Draw, Drawn};
use crate::entry::{Entry, Given, Owned};
use crate::journal::bytes_of;

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

/// Whose recording it is.
pub enum Source {
    /// A whole team's, in one file.
    Team {
        /// What the robots draw from.
        dice: Dice,
        /// What was done to the run, by its header.
        interventions: Vec<Foreseen>,
    },
    /// That of one robot, by itself: what it drew is in it.
    Own(RobotId),
}

/// An intervention that a header tells of.
pub struct Foreseen {
    /// The intervention, as its entry has it.
    pub text: String,
    /// How it is noted in the run, at its time.
    pub note: Note,
}

/// A recording to be fed to machines.
pub struct Replay<'a> {
    /// Who takes part.
    pub cast: &'a Cast,
    /// Whose recording it is.
    pub source: Source,
    /// Events with their encoded entries, in order.
    pub events: &'a [(Time, Vec<u8>)],
}

impl Replay<'_> {
    /// Feeds it to the machines that `machine` makes. Stops at the first thing that does not follow, or when `halt` says so.
    pub fn feed<M: Mechanism>(self, machine: impl Fn(RobotId) -> M, halt: impl Fn() -> bool) -> Replayed {
        let made = match &self.source {
            Source::Team { interventions, .. } => vec![false; interventions.len()],
            Source::Own(_) => Vec::new(),
        };
        let mut replayer = Replayer {
            cast: self.cast,
            source: self.source,
            machine,
            robots: Vec::new(),
            sent: Vec::new(),
            expected: Vec::new(),
            drawn: Vec::new(),
            speaker: RobotId(0),
            acted: false,
            now: Time::ZERO,
            made,
            replayed: Replayed::default(),
        };
        replayer.robots.resize_with(self.cast.robots.len(), || None);
        for (at, entries) in self.events {
            if halt() {
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

struct Replayer<'a, M: Mechanism, F> {
    cast: &'a Cast,
    source: Source,
    machine: F,
    /// Those that have had an input.
    robots: Vec<Option<Node<M>>>,
    sent: Vec<Sent<M::Message>>,
    /// What the last robot to get an input has put out and the recording has not yet shown; the next one last.
    expected: Vec<Output<M>>,
    /// What is drawn at the next input.
    drawn: Vec<Draw>,
    speaker: RobotId,
    /// The last output was something for its body to do.
    acted: bool,
    now: Time,
    /// Which of the interventions were made.
    made: Vec<bool>,
    replayed: Replayed,
}

impl<M: Mechanism, F: Fn(RobotId) -> M> Replayer<'_, M, F> {
    fn event(&mut self, at: Time, mut bytes: &[u8]) -> Result<(), String> {
        if at < self.now && !self.starts_anew(bytes) {
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

    /// A robot that starts again by itself may count from zero again.
    fn starts_anew(&self, entries: &[u8]) -> bool {
        let first = |bytes| postcard::take_from_bytes::<Owned<M>>(bytes).ok();
        let input = match first(entries) {
            Some((Entry::Drew(_), rest)) => first(rest),
            other => other,
        };
        let starts = matches!(input, Some((Entry::Input { given: Given::Start(_), .. }, _)));
        starts && matches!(self.source, Source::Own(_))
    }

    fn entry(&mut self, entry: Owned<M>, bytes: &[u8]) -> Result<(), String> {
        match entry {
            Entry::Input { robot, moved, given } => {
                self.nothing_expected()?;
                self.replayed.inputs += 1;
                self.speaker = robot;
                self.acted = false;
                if let Source::Own(me) = self.source
                    && me != robot
                {
                    return Err(format!("{robot} has an input in what {me} recorded by itself"));
                }
                let (cast, machine) = (self.cast, &self.machine);
                let Some(own) = self.robots.get_mut(robot.index()) else {
                    return Err(format!("there is no robot {robot} in a team of {}", cast.robots.len()));
                };
                let body = cast.body(robot).expect("there is one for each robot");
                let is_new = own.is_none();
                let own = own.get_or_insert_with(|| Node::new(machine(robot), body));
                if let Some(motion) = moved {
                    own.body.motion = motion;
                }
                self.feed(robot, given, is_new)
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
                // A body that was told to do something may begin at once, which is told in the midst of what its robot puts out.
                if !self.acted || robot != self.speaker {
                    self.nothing_left()?;
                }
                self.replayed.notes.push(Note { at: self.now, robot, event: Event::Happened(what) });
                Ok(())
            }
            Entry::Drew(draws) => {
                self.nothing_left()?;
                if !matches!(self.source, Source::Own(_)) {
                    return Err("something was drawn that the dice of the run did not show".to_owned());
                }
                self.drawn = draws;
                Ok(())
            }
        }
    }

    /// It must be one of those that the header has, at its time, and is noted as in the run.
    fn intervention(&mut self, text: &str) -> Result<(), String> {
        let all: &[Foreseen] = match &self.source {
            Source::Team { interventions, .. } => interventions,
            Source::Own(_) => &[],
        };
        let this = |index: &usize| !self.made[*index] && all[*index].note.at == self.now && all[*index].text == text;
        let Some(index) = (0..all.len()).find(this) else {
            return Err("an intervention was made that the header does not have".to_owned());
        };
        self.made[index] = true;
        self.replayed.notes.push(all[index].note.clone());
        Ok(())
    }

    /// Hands an input to its robot, after seeing whether it could have got it. A robot that records by itself begins with
    /// whatever it remembers of its life before.
    fn feed(
        &mut self,
        robot: RobotId,
        given: Given<M::Message, M::Timer, M::Memory>,
        is_new: bool,
    ) -> Result<(), String> {
        let own = self.robots[robot.index()].as_mut().expect("it was made when its first input came");
        let from_before = is_new && matches!(self.source, Source::Own(_));
        let (heard, received);
        let input = match given {
            Given::Start(memory) => {
                if !from_before && memory.as_ref().is_some_and(|memory| *memory != own.memory) {
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
                if !reaches(heard.from, heard.to, robot) || heard.lost || heard.at > self.now {
                    return Err(format!("{robot} hears transmission {number}, which cannot have reached it"));
                }
                Input::Received { from: heard.from, to: heard.to, message: &heard.message }
            }
            Given::Received { from, to, message } => {
                if !reaches(from, to, robot) || !matches!(self.source, Source::Own(_)) {
                    return Err(format!("{robot} hears {message:?} of {from}, which cannot have reached it"));
                }
                received = message;
                Input::Received { from, to, message: &received }
            }
        };
        let notes = Some(&mut self.replayed.notes);
        self.expected = match &mut self.source {
            Source::Team { dice, .. } => own.give(self.now, input, dice, notes),
            Source::Own(_) => {
                let mut drawn = Drawn::again(std::mem::take(&mut self.drawn));
                let outputs = own.give(self.now, input, &mut drawn, notes);
                drawn.end()?;
                outputs
            }
        };
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
        self.acted = matches!(output, Output::Act(_));
        if bytes_of(&output) != recorded {
            return Err(format!("{robot} must put out {output:?}, but something else was recorded"));
        }
        if let Output::Send { to, message } = output {
            self.sent.push(Sent { at: self.now, from: robot, to, message, lost: false });
        }
        Ok(())
    }

    fn nothing_expected(&self) -> Result<(), String> {
        match self.expected.last() {
            None => Ok(()),
            Some(output) => Err(format!("{} must also put out {output:?}, which was not recorded", self.speaker)),
        }
    }

    /// Every output and every draw has been used.
    fn nothing_left(&self) -> Result<(), String> {
        match self.drawn.first() {
            None => self.nothing_expected(),
            Some(draw) => Err(format!("{draw:?} was drawn, but no input follows")),
        }
    }
}

/// A robot can hear what was sent `to` somebody.
fn reaches(from: RobotId, to: Recipient, robot: RobotId) -> bool {
    match to {
        Recipient::All | Recipient::Named(_) => from != robot,
        Recipient::Only(only) => only == robot,
    }
}
