//! A plain robot that tests change a line of, and a world with nobody in the way for it.

#![allow(dead_code, reason = "every test uses some of it")]

use std::sync::{Arc, LazyLock};

use muster_core::affect::Table;
use muster_core::rng::{Purpose, Stream};
use muster_core::{RobotId, Time};
use muster_reception::robot::{Command, Frame, Place, Published, Reason, Report, Robot, Team, Variables};
use muster_reception::script::{Class, ScriptRobot, Settings};
use muster_script::{Limits, ScriptError};

/// Does nothing, in fourteen functions.
pub const STONE: &str = r#"
fn settings() { #{ name: "Stone", weight: 2.5, count: 3, round: true, spot: [1.0, 2.0] } }
fn init_robot() { this.legs = legs(); this.n = 0; }
fn get_name() { this.name }
fn get_speed() { this.legs.speed }
fn get_direction() { this.legs.direction }
fn update_state_variables(t) { this.n += 1; }
fn get_state_variables() { #{ n: this.n } }
fn get_current_location() { this.legs.place }
fn project_location(t) { this.legs.project(t) }
fn set_current_location(t, p) { this.legs.put(t, p); }
fn set_command(t, command) { }
fn update_emotion_state(t) { }
fn get_emotion_state() { "STOIC" }
fn update_behavior_state(t) { }
fn get_behavior_state() { "LIE" }
"#;

static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| {
    let rows = toml::from_str(include_str!("../../../muster-sim/data/emotions.toml")).expect("it is a table");
    Arc::new(Table::new(rows).expect("it holds together"))
});

pub fn table() -> Arc<Table> {
    TABLE.clone()
}

/// The stone with one function written in another way: `fn name(...) { ... }`.
pub fn stone_but(function: &str) -> String {
    let name = function[..=function.find('(').expect("it takes values")].to_owned();
    let line = STONE.lines().find(|line| line.starts_with(&name)).expect("stones have it").to_owned();
    STONE.replace(&line, function)
}

pub fn class(text: &str) -> Result<Class, ScriptError> {
    Class::new("stone.rhai", text, table(), Limits::for_robots())
}

pub fn robot(text: &str) -> ScriptRobot {
    Arc::new(class(text).expect("it is a robot")).robot(&Settings::new()).expect("nothing is set")
}

/// A robot alone with what others published.
pub struct Alone {
    pub robot: ScriptRobot,
    pub now: f64,
    pub dice: Stream,
    pub others: Vec<Published>,
    pub notes: Vec<String>,
    pub because: Vec<Option<Reason>>,
    pub said: Vec<(String, String)>,
    /// It was noted that the robot failed.
    pub told: bool,
}

impl Alone {
    pub fn new(text: &str) -> Self {
        Self::with(robot(text), Vec::new())
    }

    pub fn with(robot: ScriptRobot, others: Vec<Published>) -> Self {
        let dice = Stream::new(1, Purpose::Choice, RobotId(0));
        let (notes, because, said) = Default::default();
        let mut alone = Self { robot, now: 0.0, dice, others, notes, because, said, told: false };
        alone.lend(|robot, frame| robot.init_robot(frame));
        alone.robot.set_current_location(Time::ZERO, Place::new(10.0, 10.0));
        alone
    }

    pub fn lend(&mut self, exercise: impl FnOnce(&mut ScriptRobot, &mut Frame<'_>)) {
        let (mut outbox, mut report): (Vec<Command>, Report) = Default::default();
        let others = self.others.clone().into();
        let team = Team::new(self.robot.get_name(), &others, &mut outbox);
        let now = Time::from_secs_f64(self.now);
        exercise(&mut self.robot, &mut Frame { now, dice: &mut self.dice, team, report: &mut report });
        self.notes.extend(report.notes);
        self.tell();
        self.because.push(report.because);
        self.said.extend(outbox.into_iter().map(|command| (command.to.to_string(), command.text.to_string())));
    }

    pub fn tick(&mut self) {
        self.now += 1.0;
        let now = Time::from_secs_f64(self.now);
        let place = self.robot.project_location(now);
        self.robot.set_current_location(now, place);
        for exercise in [Robot::update_state_variables, Robot::update_emotion_state, Robot::update_behavior_state] {
            self.lend(exercise);
            Published::of(&self.robot);
            self.tell();
        }
    }

    /// Why the robot failed is noted once, as in a reception.
    fn tell(&mut self) {
        if let (false, Some(why)) = (self.told, self.robot.failure()) {
            self.told = true;
            self.notes.push(why);
        }
    }

    pub fn ticks(mut self, count: usize) -> Self {
        (0..count).for_each(|_| self.tick());
        self
    }

    pub fn published(&self) -> Published {
        Published::of(&self.robot)
    }
}

pub fn other(name: &str) -> Published {
    Published {
        name: name.into(),
        location: Place::new(1.0, 2.0),
        speed_fps: 0.5,
        direction: 1.5,
        variables: Variables::new().with("treats", 7_u32).with("refiller", "Leguin").with("hungry", true),
        emotion: "WISTFUL".into(),
        behavior: "HUM".into(),
    }
}

/// What it says when it stops; that it says so once; and that it has stopped.
pub fn stops(text: &str) -> String {
    let alone = Alone::new(text).ticks(5);
    let notes: Vec<&String> = alone.notes.iter().filter(|note| note.contains("it stops here")).collect();
    assert_eq!(notes.len(), 1, "{:?}", alone.notes);
    assert!(alone.robot.is_stopped());
    assert_eq!(&*alone.robot.get_behavior_state(), muster_reception::script::STOPPED);
    assert_eq!(alone.robot.get_current_location(), Place::new(10.0, 10.0));
    notes[0].clone()
}
