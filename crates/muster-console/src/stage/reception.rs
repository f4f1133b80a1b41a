//! A reception that can be watched.

use std::collections::BTreeMap;

use muster_core::affect::Name;
use muster_core::panel::{Family, Field, Shown};
use muster_core::{Duration, Recipient, RobotId, Time};
use muster_reception::recording::Comparer;
use muster_reception::robot::Command;
use muster_reception::scenario::Party;
use muster_reception::{Deed, Entry, Line as Logged, Onlooker, Reception, ReceptionError, TICK};

use super::air::{self, Air};
use super::{OnStage, Subject, end_of_recording};
use crate::frame::Frame;
use crate::scene::{Card, Counts, Glance, Line, LineKind, RobotState, Story};

/// Inputs of a mission that a tick is worth.
const EFFORT_OF_A_TICK: u64 = 200;

/// A reception that can be watched.
pub struct ReceptionStage<'m> {
    reception: Reception,
    party: &'m Party,
    names: Vec<Name>,
    now: Time,
    over: Option<String>,
    said: Said<'m>,
    effort: u64,
}

/// The commands of a reception as the page draws them, its log, and whether it is what was recorded.
#[derive(Default)]
struct Said<'m> {
    numbers: BTreeMap<Name, u32>,
    air: Air,
    /// Numbers of the commands that are under way, oldest first.
    under_way: Vec<(u64, Command)>,
    lost: u64,
    /// The log, unless this is a copy.
    book: Option<Book>,
    /// If it has to be the reception that was recorded.
    comparer: Option<Comparer<'m>>,
}

/// Lines that were not taken yet, and whom each line so far was about.
#[derive(Default)]
struct Book {
    fresh: Vec<Line>,
    about: Vec<(Time, [Option<u32>; 2])>,
}

impl<'m> ReceptionStage<'m> {
    /// The reception with everybody in place. With a comparer it has to be the one that was recorded.
    pub fn new(party: &'m Party, seed: u64, comparer: Option<Comparer<'m>>) -> Result<Self, ReceptionError> {
        let mut reception = party.reception(seed)?;
        let names = party.names();
        let numbers = names.iter().cloned().zip(0..).collect();
        let mut said = Said { numbers, book: Some(Book::default()), comparer, ..Said::default() };
        reception.init(&mut said)?;
        reception.start()?;
        let mut stage = Self { reception, party, names, now: Time::ZERO, over: None, said, effort: 0 };
        stage.compare(false);
        Ok(stage)
    }

    fn end(&mut self, how: String) {
        // The run as such has no log file, so nothing can fail to be written.
        if self.reception.stop(&mut self.said).is_ok() {
            self.over = Some(how);
        }
    }

    /// What has happened so far has to be what was recorded, if anything was; else it is over.
    fn compare(&mut self, ended: bool) {
        let Some(comparer) = &mut self.said.comparer else { return };
        if ended {
            comparer.ended()
        } else {
            comparer.ticked()
        }
        let how = end_of_recording(comparer.difference(), comparer.is_settled(), ended);
        self.over = how.or(self.over.take());
    }

    fn state(&self, robot: usize) -> RobotState {
        let failed = self.reception.failed().iter().any(|(name, _)| *name == self.names[robot]);
        if failed { RobotState::NotWorking } else { RobotState::AtTheReception }
    }
}

impl OnStage for ReceptionStage<'_> {
    fn now(&self) -> Time {
        self.now
    }

    fn advance(&mut self, until: Time, halt: &mut dyn FnMut() -> bool) {
        let end = Time::ZERO + self.party.limit;
        while self.over.is_none() {
            if self.reception.now() + TICK > end {
                let over = format!("The reception is over, after {:.0}.", self.reception.now());
                self.end(over);
                self.compare(true);
                return;
            }
            if self.reception.now() + TICK > until {
                self.now = self.now.max(until);
                return;
            }
            self.reception.tick(&mut self.said);
            self.compare(false);
            self.effort += EFFORT_OF_A_TICK;
            self.now = self.now.max(self.reception.now());
            if halt() {
                return;
            }
        }
    }

    fn next_at(&self) -> Time {
        self.reception.now() + TICK
    }

    fn over(&self) -> Option<&str> {
        self.over.as_deref()
    }

    fn stop(&mut self) {
        if self.over.is_none() {
            self.end(format!("Stopped after {:.0}.", self.reception.now()));
        }
    }

    fn twin(&self) -> Option<Self> {
        let saved = self.reception.save().ok()?;
        let mut reception = self.party.reception(self.reception.seed()).ok()?;
        reception.restore(&saved).ok()?;
        let Said { numbers, air, under_way, lost, comparer, .. } = &self.said;
        let (numbers, under_way, comparer) = (numbers.clone(), under_way.clone(), comparer.clone());
        let said = Said { numbers, air: air.twin(), under_way, lost: *lost, book: None, comparer };
        Some(Self {
            reception,
            party: self.party,
            names: self.names.clone(),
            now: self.now,
            over: self.over.clone(),
            said,
            effort: self.effort,
        })
    }

    fn effort(&self) -> u64 {
        self.effort
    }

    fn poses(&self, frame: &mut Frame<'_>) {
        let Some(scene) = self.reception.scene() else { return };
        for (index, place) in scene.crowd.robots().enumerate() {
            let moves = scene.robots[index].speed_fps > 0.0;
            frame.body(place.x, place.y, scene.robots[index].direction, self.state(index).in_frame(moves));
        }
        for guest in scene.crowd.guests() {
            let [east, north] = guest.velocity_fps;
            frame.body(guest.place.x, guest.place.y, north.atan2(east), 0);
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            sent: self.said.air.count(),
            lost: self.said.lost,
            robots_down: self.reception.failed().len() as u64,
            ..Counts::default()
        }
    }

    fn glance(&self, window: Duration) -> Glance {
        let since = Time::from_micros(self.now.as_micros().saturating_sub(window.max(TICK).as_micros()));
        Glance { counts: self.counts(), arcs: self.said.air.arcs(since), ..Glance::default() }
    }

    fn card(&self, robot: u32) -> Option<Card> {
        let name = self.names.get(robot as usize)?;
        let published = self.reception.robot(name)?;
        let emotion = match self.reception.feeling(name) {
            Some(feeling) => Shown::Emotion(feeling),
            None => Shown::State { value: published.emotion.clone() },
        };
        let behavior = Shown::State { value: published.behavior.clone() };
        let mut fields = vec![Field::new("emotion", emotion), Field::new("behaviour", behavior)];
        fields.extend(self.reception.panel(name)?);
        let failure = self.reception.failed().into_iter().find(|(failed, _)| failed == name).map(|(_, why)| why);
        Some(Card {
            robot,
            name: name.to_string(),
            state: self.state(robot as usize),
            place: [published.location.x, published.location.y],
            failure,
            fields,
        })
    }

    fn robots(&self) -> u32 {
        self.names.len() as u32
    }

    fn lines(&mut self) -> Vec<Line> {
        self.said.book.as_mut().map(|book| std::mem::take(&mut book.fresh)).unwrap_or_default()
    }

    fn story(&self, of: Subject, until: Time) -> Story {
        let Subject::Robot(robot) = of else { return Story::default() };
        let (messages, truncated) = self.said.air.told(of, until);
        let name = self.names.get(robot as usize).map(Name::to_string).unwrap_or_default();
        let book = self.said.book.iter().flat_map(|book| book.about.iter().zip(0..));
        let lines = book.take_while(|((at, _), _)| *at <= until).filter(|((_, about), _)| about.contains(&Some(robot)));
        let lines = lines.map(|(_, number)| number).collect();
        Story { name, messages, lines, truncated, ..Story::default() }
    }
}

impl Said<'_> {
    fn number(&self, name: &Name) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// What robots tell each other is on the air, as in a mission.
    fn command(&mut self, at: Time, command: &Command) {
        if let (Some(from), Some(to)) = (self.number(&command.from), self.number(&command.to)) {
            self.under_way.push((self.air.count(), command.clone()));
            let said = air::Said { kind: &command.text, family: Family::Other, task: None };
            self.air.sent(at, RobotId(from), Recipient::Only(RobotId(to)), said, false);
        }
    }

    /// Commands arrive in the order in which they were given: it is the oldest of those with these words.
    fn heard(&mut self, at: Time, command: &Command) {
        let arrived = self.under_way.iter().position(|(_, other)| other == command);
        if let (Some(arrived), Some(to)) = (arrived, self.number(&command.to)) {
            let (number, _) = self.under_way.remove(arrived);
            self.air.heard(number, RobotId(to), at);
        }
    }

    /// A loss is told at once: it is the newest of those with these words.
    fn lost(&mut self, command: &Command) {
        self.lost += 1;
        if let Some(gone) = self.under_way.iter().rposition(|(_, other)| other == command) {
            let (number, _) = self.under_way.remove(gone);
            self.air.lost(number);
        }
    }
}

impl Onlooker for Said<'_> {
    fn logged(&mut self, line: &Logged) {
        let kind = match &line.deed {
            Deed::Init { .. } | Deed::Robot { .. } => LineKind::Start,
            Deed::Emotion { .. } => LineKind::Emotion,
            Deed::Level { .. } => LineKind::Level,
            Deed::Behavior { .. } => LineKind::Behavior,
            Deed::Command(command) => {
                self.command(line.at, command);
                LineKind::Command
            }
            Deed::Heard(command) => {
                self.heard(line.at, command);
                LineKind::Heard
            }
            Deed::Lost(command) => {
                self.lost(command);
                LineKind::Trouble
            }
            Deed::Note { .. } => LineKind::Note,
            Deed::Stop => LineKind::Done,
        };
        let robots = line.about().map(|robot| self.number(robot?));
        let Some(book) = &mut self.book else { return };
        let (n, at, robot) = (book.about.len() as u64, line.at.as_secs_f64(), robots[0]);
        book.about.push((line.at, robots));
        let (text, raw) = (line.sentence(), line.to_string());
        book.fresh.push(Line { n, at, robot, author: None, task: None, kind, text, raw });
    }

    fn records(&self) -> bool {
        self.comparer.as_ref().is_some_and(Comparer::records)
    }

    fn recorded(&mut self, entry: Entry) {
        if let Some(comparer) = &mut self.comparer {
            comparer.recorded(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use muster_reception::scenario::{Play, load_any};

    use super::*;

    /// Over a link that takes a second and a half, what was said is heard two ticks later, and until then by nobody.
    #[test]
    fn what_was_said_is_heard_when_it_arrives() {
        let Ok(Play::Reception(party)) = load_any("reception", &["radio.latency_ms=1500".to_owned()]) else {
            unreachable!("it is a reception")
        };
        let mut stage = ReceptionStage::new(&party, 0, None).unwrap();
        let until = |seconds: u64| Time::ZERO + Duration::from_secs(seconds);
        let mut seconds = 0;
        while stage.said.air.count() == 0 {
            seconds += 1;
            stage.advance(until(seconds), &mut || false);
        }
        let told = |stage: &ReceptionStage<'_>, at: u64| stage.story(Subject::Robot(0), until(at)).messages.remove(0);
        assert_eq!(told(&stage, seconds).heard, []);
        // A copy goes on with what is under way.
        let mut twin = stage.twin().unwrap();
        for stage in [&mut stage, &mut twin] {
            stage.advance(until(seconds + 1), &mut || false);
            assert_eq!(told(stage, seconds + 1).heard, []);
            stage.advance(until(seconds + 2), &mut || false);
            assert_eq!(told(stage, seconds + 2).heard, [(1, (seconds + 2) as f64)]);
            assert!(!told(stage, seconds + 2).lost);
        }
    }
}
