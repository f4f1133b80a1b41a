//! One reception, as a row: for how long each robot felt and did what, and what robots told each other.
//!
//! Everything is read off the log, so this knows no robot's states or variables either.

use muster_core::Time;
use muster_core::affect::Name;
use muster_reception::robot::Command;
use muster_reception::scenario::Party;
use muster_reception::{Deed, Line, Onlooker, ReceptionError, Scene, TICK};
use serde::Serialize;

use crate::summary::Spread;

/// What came of one reception.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its seed.
    pub seed: u64,
    /// No robot failed.
    pub completed: bool,
    /// What robots told each other, lost or not. What they show of themselves is not counted.
    pub messages: u64,
    /// Of these, lost.
    pub messages_lost: u64,
    /// Seconds from the beginning to the end.
    pub end_s: f64,
    /// Robot by robot.
    pub outcome: Vec<RobotRow>,
    /// What was said how often.
    pub commands: Vec<Said>,
}

/// What became of a robot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotRow {
    /// The robot's name.
    pub robot: Name,
    /// What it felt for how long, in the order in which it first did.
    pub emotions: Vec<Spent>,
    /// What it did for how long, in the order in which it first did.
    pub behaviors: Vec<Spent>,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// Time spent in a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spent {
    /// The emotion or the behaviour.
    pub name: Name,
    /// How often it was entered; what a robot begins with counts.
    pub times: u64,
    /// Seconds spent in it, all stays together.
    pub seconds: f64,
    /// The share of all the time.
    pub share: f64,
}

/// What one robot told another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The robot that said it.
    pub from: Name,
    /// The robot that it was said to.
    pub to: Name,
    /// The words, such as "refill".
    pub command: Name,
    /// How often it was said.
    pub times: u64,
    /// Of these, lost.
    pub lost: u64,
}

/// Runs a reception to its end, or until a halt is called; whoever looks on sees all of it. One that was broken off is no
/// row: what robots felt and did in a part of the time says nothing about the whole.
pub fn run(
    party: &Party,
    seed: u64,
    onlooker: &mut dyn Onlooker,
    halt: impl Fn() -> bool,
) -> Result<Option<Row>, ReceptionError> {
    let mut reception = party.reception(seed)?;
    let mut both = Both { tally: Tally::default(), onlooker };
    let end = Time::ZERO + party.limit;
    reception.init(&mut both)?;
    reception.start()?;
    while reception.now() + TICK <= end && !halt() {
        reception.tick(&mut both);
    }
    let now = reception.now();
    reception.stop(&mut both)?;
    Ok((now + TICK > end).then(|| both.tally.row(seed, now, &reception.failed())))
}

struct Both<'a> {
    tally: Tally,
    onlooker: &'a mut dyn Onlooker,
}

impl Onlooker for Both<'_> {
    fn logged(&mut self, line: &Line) {
        self.tally.read(line);
        self.onlooker.logged(line);
    }

    fn plan_view(&mut self, scene: &Scene<'_>) {
        self.onlooker.plan_view(scene);
    }
}

/// Adds up times, line by line.
#[derive(Default)]
pub struct Tally {
    robots: Vec<Record>,
    said: Vec<Said>,
}

/// A robot so far.
struct Record {
    name: Name,
    feels: Times,
    does: Times,
}

/// The states of a robot so far, and since when it is in the last.
#[derive(Default)]
struct Times {
    spent: Vec<Spent>,
    now: usize,
    since: Time,
}

impl Times {
    fn enter(&mut self, at: Time, state: &Name) {
        self.leave(at);
        self.now = self.spent.iter().position(|spent| spent.name == *state).unwrap_or(self.spent.len());
        if self.now == self.spent.len() {
            self.spent.push(Spent { name: state.clone(), times: 0, seconds: 0.0, share: 0.0 });
        }
        self.spent[self.now].times += 1;
    }

    fn leave(&mut self, at: Time) {
        if let Some(spent) = self.spent.get_mut(self.now) {
            spent.seconds += at.since(self.since).as_secs_f64();
        }
        self.since = at;
    }

    fn over(mut self, end: Time) -> Vec<Spent> {
        self.leave(end);
        let all = end.since(Time::ZERO).as_secs_f64();
        for spent in &mut self.spent {
            spent.share = if all > 0.0 { spent.seconds / all } else { 0.0 };
        }
        self.spent
    }
}

impl Tally {
    /// One more line.
    pub fn read(&mut self, line: &Line) {
        match &line.deed {
            Deed::Robot { name, emotion, behavior, .. } => {
                let (mut feels, mut does) = (Times::default(), Times::default());
                feels.enter(line.at, emotion);
                does.enter(line.at, behavior);
                self.robots.push(Record { name: name.clone(), feels, does });
            }
            Deed::Emotion { robot, new, .. } => {
                if let Some(record) = self.robots.iter_mut().find(|record| record.name == *robot) {
                    record.feels.enter(line.at, new);
                }
            }
            Deed::Behavior { robot, new, .. } => {
                if let Some(record) = self.robots.iter_mut().find(|record| record.name == *robot) {
                    record.does.enter(line.at, new);
                }
            }
            Deed::Command(command) => {
                let Command { from, to, text } = command.clone();
                match self.said(command) {
                    Some(said) => said.times += 1,
                    None => self.said.push(Said { from, to, command: text, times: 1, lost: 0 }),
                }
            }
            Deed::Lost(command) => {
                if let Some(said) = self.said(command) {
                    said.lost += 1;
                }
            }
            Deed::Init { .. } | Deed::Level { .. } | Deed::Heard(_) | Deed::Note { .. } | Deed::Stop => {}
        }
    }

    fn said(&mut self, Command { from, to, text }: &Command) -> Option<&mut Said> {
        self.said.iter_mut().find(|said| (&said.from, &said.to, &said.command) == (from, to, text))
    }

    fn row(self, seed: u64, end: Time, failed: &[(Name, String)]) -> Row {
        let robots = self.robots.into_iter().map(|Record { name, feels, does }| RobotRow {
            failed: failed.iter().find(|(who, _)| *who == name).map(|(_, why)| why.clone()),
            robot: name,
            emotions: feels.over(end),
            behaviors: does.over(end),
        });
        Row {
            seed,
            completed: failed.is_empty(),
            messages: self.said.iter().map(|said| said.times).sum(),
            messages_lost: self.said.iter().map(|said| said.lost).sum(),
            end_s: end.as_secs_f64(),
            outcome: robots.collect(),
            commands: self.said,
        }
    }
}

/// Many receptions in one: means with their intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many receptions.
    pub runs: usize,
    /// How many went on until their end with no robot failing.
    pub completed: usize,
    /// What robots told each other.
    pub messages: Spread,
    /// Robot by robot.
    pub robots: Vec<RobotSummary>,
    /// What was said how often.
    pub commands: Vec<SaidSummary>,
}

/// A robot over many receptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotSummary {
    /// The robot's name.
    pub robot: Name,
    /// Time spent in each emotion.
    pub emotions: Vec<SpentSummary>,
    /// Time spent in each behaviour.
    pub behaviors: Vec<SpentSummary>,
}

/// A state over many receptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpentSummary {
    /// The emotion or the behaviour.
    pub name: Name,
    /// How often it was entered.
    pub times: Spread,
    /// The share of all the time.
    pub share: Spread,
}

/// What one robot told another, over many receptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SaidSummary {
    /// The robot that said it.
    pub from: Name,
    /// The robot that it was said to.
    pub to: Name,
    /// The words, such as "refill".
    pub command: Name,
    /// How often it was said, in one reception.
    pub times: Spread,
}

impl Summary {
    /// Of receptions of the same robots.
    pub fn of(rows: &[Row]) -> Self {
        let spread = |of: &dyn Fn(&Row) -> f64| Spread::of(&rows.iter().map(of).collect::<Vec<_>>());
        let robots = rows.first().map_or(&[][..], |row| &row.outcome);
        let states = |index: usize, of: fn(&RobotRow) -> &[Spent]| {
            let mut names: Vec<&Name> = Vec::new();
            for spent in rows.iter().flat_map(|row| of(&row.outcome[index])) {
                if !names.contains(&&spent.name) {
                    names.push(&spent.name);
                }
            }
            let named = |name: &Name| {
                let find = |row: &Row| of(&row.outcome[index]).iter().find(|spent| spent.name == *name).cloned();
                SpentSummary {
                    name: name.clone(),
                    times: spread(&|row| find(row).map_or(0.0, |spent| spent.times as f64)),
                    share: spread(&|row| find(row).map_or(0.0, |spent| spent.share)),
                }
            };
            names.into_iter().map(named).collect()
        };
        let mut said: Vec<(&Name, &Name, &Name)> = Vec::new();
        for row in rows.iter().flat_map(|row| &row.commands) {
            let what = (&row.from, &row.to, &row.command);
            if !said.contains(&what) {
                said.push(what);
            }
        }
        let times = |what: (&Name, &Name, &Name)| {
            let find =
                |row: &Row| row.commands.iter().find(|it| (&it.from, &it.to, &it.command) == what).map(|it| it.times);
            let (from, to, command) = (what.0.clone(), what.1.clone(), what.2.clone());
            SaidSummary { from, to, command, times: spread(&|row| find(row).unwrap_or(0) as f64) }
        };
        Self {
            runs: rows.len(),
            completed: rows.iter().filter(|row| row.completed).count(),
            messages: spread(&|row| row.messages as f64),
            robots: (0..robots.len())
                .map(|index| RobotSummary {
                    robot: robots[index].robot.clone(),
                    emotions: states(index, |robot| &robot.emotions),
                    behaviors: states(index, |robot| &robot.behaviors),
                })
                .collect(),
            commands: said.into_iter().map(times).collect(),
        }
    }
}
