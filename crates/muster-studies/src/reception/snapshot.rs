//! The paper's snapshot (Figure 6), found in a run: "Butler's supply of treats is down to seven, that Butler is concerned,
//! but that Butler is continuing to serve treats. Leguin's display shows that Leguin is also concerned, having received a
//! 'hurry' message, so that she is in her 'refill' behavior. ... Leguin is about halfway from her starting point to
//! Butler's location." The picture itself is lost; seven or eight treats are taken.

use muster_reception::robot::{Place, Published, Value, butler, leguin};
use muster_reception::{Line, Reception};
use serde::Serialize;

use super::runs::{PAPER, Run, Runs};
use super::stage::{TABLE_SIDE, asked_for, at, two};

const CONCERNED: &str = "CONCERNED";
/// How many treats, the paper's number first.
const TREATS: [f64; 2] = [7.0, 8.0];
/// How many lines of the log are shown.
const LINES: usize = 8;

/// Where and when a scene like that was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// When, in seconds.
    pub at_s: u64,
    /// Treats on Butler's tray.
    pub treats: f64,
    /// How much of the way to Butler Leguin has behind her.
    pub on_the_way: f64,
}

impl Sighting {
    /// More like the paper's: seven rather than eight, then nearer to halfway.
    pub fn is_nearer(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.treats - TREATS[0], (it.on_the_way - 0.5).abs());
        key(self) < key(other)
    }
}

/// The scene, if this is one.
pub fn sighting(reception: &Reception) -> Option<Sighting> {
    let (butler, leguin) = (reception.robot("Butler")?, reception.robot("Leguin")?);
    let treats = butler.variables.number("treats")?;
    let concerned = butler.emotion == *CONCERNED && leguin.emotion == *CONCERNED;
    let busy = butler.behavior == *butler::SERVE && leguin.behavior == *leguin::REFILL;
    let hurried = leguin.variables.get("hurried") == Some(&Value::Flag(true));
    if !(TREATS.contains(&treats) && concerned && busy && hurried) {
        return None;
    }
    let (behind, ahead) = (TABLE_SIDE.distance_ft(leguin.location), leguin.location.distance_ft(butler.location));
    let at_s = reception.now().as_secs_f64() as u64;
    Some(Sighting { at_s, treats, on_the_way: behind / (behind + ahead) })
}

/// A scene with all that there is to see of it.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    /// The run.
    pub seed: u64,
    /// When, in seconds.
    pub at_s: u64,
    /// Treats on Butler's tray.
    pub treats: f64,
    /// How much of the way to Butler Leguin has behind her.
    pub on_the_way: f64,
    /// Runs in which there was one like it.
    pub runs_with: usize,
    /// Of so many.
    pub runs: usize,
    /// The share of all ticks that were like it.
    pub share: f64,
    /// Width of the field, in feet.
    pub width_ft: f64,
    /// Its height.
    pub height_ft: f64,
    /// Robots, with what their panels show.
    pub robots: Vec<Panel>,
    /// Fixed obstacles.
    pub obstacles: Vec<Place>,
    /// Guests.
    pub guests: Vec<Place>,
    /// The last lines of the log.
    pub log: Vec<String>,
}

/// A robot's panel.
#[derive(Clone, Debug, Serialize)]
pub struct Panel {
    /// The robot's name.
    pub name: String,
    /// Its place, in feet.
    pub place: Place,
    /// Its emotion.
    pub emotion: String,
    /// Its behaviour.
    pub behavior: String,
    /// What it shows of itself.
    pub variables: Vec<(String, String)>,
}

impl Panel {
    fn of(robot: &Published) -> Self {
        let shown = |value: &Value| match value {
            Value::Number(number) if number.fract() != 0.0 => format!("{number:.2}"),
            other => other.to_string(),
        };
        Self {
            name: robot.name.to_string(),
            place: robot.location,
            emotion: robot.emotion.to_string(),
            behavior: robot.behavior.to_string(),
            variables: robot.variables.iter().map(|(name, value)| (name.to_string(), shown(value))).collect(),
        }
    }

    /// The first two letters of its name: what stands in its circle.
    pub fn letters(&self) -> String {
        self.name.chars().take(2).collect()
    }
}

/// The best of all, lived through again up to that tick.
pub fn find<'a>(runs: &'a Runs) -> Option<Snapshot> {
    let runs = runs.with_guests(PAPER);
    let sighted = runs.iter().filter_map(|run| run.sighting.as_ref().map(|sighting| (run, sighting)));
    let nearer =
        |best: (&'a Run, &'a Sighting), it: (&'a Run, &'a Sighting)| if it.1.is_nearer(best.1) { it } else { best };
    let (run, sighting) = sighted.reduce(nearer)?;
    let mut reception = two(PAPER, run.seed).ok()?;
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines).ok()?;
    reception.start().ok()?;
    reception.run_until(at(sighting.at_s), &mut lines);
    let scene = reception.scene()?;
    let (width_ft, height_ft) = scene.crowd.field_ft();
    let shown = asked_for(&lines);
    let ticks: usize = runs.iter().flat_map(|run| &run.felt[0]).map(|(_, seconds)| *seconds as usize).sum();
    Some(Snapshot {
        seed: run.seed,
        at_s: sighting.at_s,
        treats: sighting.treats,
        on_the_way: sighting.on_the_way,
        runs_with: runs.iter().filter(|run| run.sighted > 0).count(),
        runs: runs.len(),
        share: runs.iter().map(|run| run.sighted).sum::<usize>() as f64 / ticks as f64,
        width_ft,
        height_ft,
        robots: scene.robots.iter().map(Panel::of).collect(),
        obstacles: scene.crowd.obstacles().collect(),
        guests: scene.crowd.guests().map(|guest| guest.place).collect(),
        log: shown[shown.len().saturating_sub(LINES)..].iter().map(ToString::to_string).collect(),
    })
}
