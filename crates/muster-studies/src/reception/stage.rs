//! What checks need again and again: halls, teams, logs, and a robot that is exercised by itself.

use muster_core::affect::{Intensity, Name};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, RobotId, Time};
use muster_reception::crowd::{Guests, Setup};
use muster_reception::robot::{
    Butler, Command, Frame, Leguin, Place, Published, Report, Robot, Team, Variables, butler, leguin,
};
use muster_reception::{self as reception, BoxedRobot, Deed, Line, Reception, ReceptionError};

/// Where Butler starts.
pub const MIDDLE: Place = Place::new(25.0, 25.0);
/// Where Leguin starts: beside the food table.
pub const TABLE_SIDE: Place = Place::new(25.0, 6.0);

/// A time.
pub fn at(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

/// The paper's hall with `guests` guests, and robots at these places.
pub fn hall(starts: &[Place], guests: usize) -> Setup {
    let setup = reception::hall(starts);
    match setup.guests {
        Guests::Random { gait, .. } => Setup { guests: Guests::Random { count: guests, gait }, ..setup },
        logged @ Guests::Logged(_) => Setup { guests: logged, ..setup },
    }
}

/// Butler with these settings.
pub fn the_butler(config: butler::Config) -> BoxedRobot {
    Box::new(reception::butler(config))
}

/// Leguin as she is.
pub fn the_leguin() -> BoxedRobot {
    Box::new(reception::leguin(leguin::Config::cars_2002()))
}

/// The third robot.
pub fn the_vonda() -> BoxedRobot {
    Box::new(reception::leguin(leguin::Config::vonda()))
}

/// Butler's settings but for caution.
pub fn cautious(caution: f64) -> butler::Config {
    butler::Config { caution: Intensity::clamped(caution), ..butler::Config::cars_2002() }
}

/// Butler and Leguin among `guests` guests.
pub fn two(guests: usize, seed: u64) -> Result<Reception, ReceptionError> {
    two_of(butler::Config::cars_2002(), guests, seed)
}

/// Leguin and a Butler with these settings.
pub fn two_of(config: butler::Config, guests: usize, seed: u64) -> Result<Reception, ReceptionError> {
    Reception::new(vec![the_butler(config), the_leguin()], hall(&[MIDDLE, TABLE_SIDE], guests), seed)
}

/// From the beginning, for so many seconds: what was logged.
pub fn lived(reception: &mut Reception, seconds: u64) -> Result<Vec<Line>, ReceptionError> {
    let mut lines = Vec::new();
    reception.init(&mut lines)?;
    reception.start()?;
    reception.run_until(at(seconds), &mut lines);
    Ok(lines)
}

/// A log as its file has it.
pub fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The lines that the list of CARS asks for, which what was found counts: `level` and `heard` are ours.
pub fn asked_for(lines: &[Line]) -> Vec<&Line> {
    lines.iter().filter(|line| !matches!(line.deed, Deed::Level { .. } | Deed::Heard(_))).collect()
}

/// How often somebody says a word.
pub fn says(lines: &[Line], word: &str) -> usize {
    lines.iter().filter(|line| matches!(&line.deed, Deed::Command(command) if command.text == *word)).count()
}

/// How often a robot notes this.
pub fn notes(lines: &[Line], who: &str, what: &str) -> usize {
    let is = |deed: &Deed| matches!(deed, Deed::Note { robot, text } if *robot == *who && text == what);
    lines.iter().filter(|line| is(&line.deed)).count()
}

/// How often a robot begins to do this.
pub fn begins(lines: &[Line], who: &str, what: &str) -> usize {
    does(lines, who).into_iter().filter(|new| **new == *what).count()
}

/// What a robot does, one after the other, without what it did at first.
fn does<'a>(lines: &'a [Line], who: &str) -> Vec<&'a Name> {
    let of = |line: &'a Line| match &line.deed {
        Deed::Behavior { robot, new, .. } if *robot == *who => Some(new),
        _ => None,
    };
    lines.iter().filter_map(of).collect()
}

/// How often a robot begins to feel this.
pub fn feels(lines: &[Line], who: &str, what: &str) -> usize {
    let is = |deed: &Deed| matches!(deed, Deed::Emotion { robot, new, .. } if *robot == *who && *new == *what);
    lines.iter().filter(|line| is(&line.deed)).count()
}

/// How often a robot changes what it feels or does.
pub fn changes(lines: &[Line], who: &str) -> usize {
    let of = |line: &&Line| match &line.deed {
        Deed::Emotion { robot, .. } | Deed::Behavior { robot, .. } => *robot == *who,
        _ => false,
    };
    lines.iter().filter(of).count()
}

/// A robot by itself on an empty field, its clock and dice, and what the others published.
pub struct Alone<R> {
    /// The robot.
    pub robot: R,
    /// What the others published.
    pub others: Vec<Published>,
    /// What time it is, in seconds.
    pub now_s: f64,
    dice: Stream,
}

impl<R: Robot> Alone<R> {
    /// At its start, about to begin.
    pub fn new(robot: R, start: Place, others: Vec<Published>) -> Self {
        let mut alone = Self { robot, others, now_s: 0.0, dice: Stream::new(1, Purpose::Choice, RobotId(0)) };
        alone.lend(|robot, frame| robot.init_robot(frame));
        alone.robot.set_current_location(Time::ZERO, start);
        alone
    }

    fn lend(&mut self, exercise: impl FnOnce(&mut R, &mut Frame<'_>)) -> Vec<Command> {
        let (mut outbox, mut report): (Vec<Command>, Report) = Default::default();
        let others = self.others.clone().into();
        let team = Team::new(self.robot.get_name(), &others, &mut outbox);
        let now = Time::from_secs_f64(self.now_s);
        exercise(&mut self.robot, &mut Frame { now, dice: &mut self.dice, team, report: &mut report });
        outbox
    }

    /// Updates its variables.
    pub fn update(&mut self) {
        self.lend(|robot, frame| robot.update_state_variables(frame));
    }

    /// Exercises the emotion state generator once; the emotion that comes of it.
    pub fn feel(&mut self) -> Name {
        self.lend(|robot, frame| robot.update_emotion_state(frame));
        self.robot.get_emotion_state()
    }

    /// What it does now, and what it said.
    pub fn decide(&mut self) -> (Name, Vec<Name>) {
        let said = self.lend(|robot, frame| robot.update_behavior_state(frame));
        (self.robot.get_behavior_state(), said.into_iter().map(|command| command.text).collect())
    }

    /// A whole tick with nobody in the way; what it does after it, and what it said.
    pub fn tick(&mut self) -> (Name, Vec<Name>) {
        self.now_s += 1.0;
        let now = Time::from_secs_f64(self.now_s);
        let place = self.robot.project_location(now);
        self.robot.set_current_location(now, place);
        self.update();
        self.feel();
        self.decide()
    }

    /// It is told to do something.
    pub fn tell(&mut self, command: &str) {
        self.robot.set_command(Time::from_secs_f64(self.now_s), command);
    }

    /// Its place, in feet.
    pub fn place(&self) -> Place {
        self.robot.get_current_location()
    }
}

/// Somebody who publishes this, and treats for 90 s.
pub fn other(name: &str, location: Place, behavior: &str) -> Published {
    let variables = Variables::new().with("timeToEmpty", 90.0);
    let (emotion, behavior) = ("HAPPY".into(), behavior.into());
    Published { name: name.into(), location, speed_fps: 0.0, direction: 0.0, variables, emotion, behavior }
}

/// A Butler by itself, with Leguin so many feet to the south, who does this.
pub fn lone_butler(config: butler::Config, distance_ft: f64, leguin_does: &str) -> Alone<Butler> {
    let leguin = other("Leguin", Place::new(MIDDLE.x, MIDDLE.y - distance_ft), leguin_does);
    Alone::new(reception::butler(config), MIDDLE, vec![leguin])
}

/// Leguin by herself, with Butler serving in the middle.
pub fn lone_leguin() -> Alone<Leguin> {
    let butler = other("Butler", MIDDLE, "SERVE");
    Alone::new(reception::leguin(leguin::Config::cars_2002()), TABLE_SIDE, vec![butler])
}
