//! Butler's emotion state generator on eight cases that were reckoned by hand, and Table 2 as it is shipped.

use muster_core::affect::{Generator, Intensity, Personality, Valence};
use muster_sim::emotions;
use serde::Serialize;

use super::stage::{cautious, lone_butler};

/// How near a number has to be.
pub const TOLERANCE: f64 = 1e-4;

/// A case, what has to come out, and what did.
#[derive(Clone, Debug, Serialize)]
pub struct Vector {
    /// Treats that are left.
    pub treats: u32,
    /// How far Leguin is, in feet.
    pub distance_ft: f64,
    /// How fast she is coming since she was called, in feet per second; nothing if she was not.
    pub coming_fps: Option<f64>,
    /// How cautious Butler is.
    pub caution: f64,
    /// What Butler felt before.
    pub before: String,
    /// Stress; nothing for without bound.
    pub stress: Option<f64>,
    /// What has to come out.
    pub expected_stress: Option<f64>,
    /// The emotion that was felt.
    pub emotion: String,
    /// The emotion that the table asks for.
    pub expected_emotion: &'static str,
    /// The valence that was felt.
    pub valence: &'static str,
    /// The valence that the table asks for.
    pub expected_valence: &'static str,
    /// The intensity that was felt, 0 to 1.
    pub intensity: f64,
    /// The intensity that the table asks for.
    pub expected_intensity: f64,
    /// What Butler does then, and says.
    pub does: String,
    /// The behaviour that the table asks for.
    pub expected_does: &'static str,
}

impl Vector {
    /// As it has to be.
    pub fn holds(&self) -> bool {
        self.emotion == self.expected_emotion
            && self.valence == self.expected_valence
            && self.does == self.expected_does
            && self.error() <= TOLERANCE
    }

    /// By how much stress or intensity is off.
    pub fn error(&self) -> f64 {
        let stress = match (self.stress, self.expected_stress) {
            (None, None) => 0.0,
            (Some(found), Some(expected)) => (found - expected).abs(),
            _ => f64::INFINITY,
        };
        stress.max((self.intensity - self.expected_intensity).abs())
    }
}

/// Treats, feet, speed, caution; stress, emotion, valence, intensity; what is done.
type Case = (u32, f64, Option<f64>, f64, f64, &'static str, &'static str, f64, &'static str);

const SOME: Option<f64> = Some(0.5);
const INF: f64 = f64::INFINITY;
const CASES: [Case; 7] = [
    (30, 19.0, None, 0.5, 0.25, "HAPPY", "positive", 0.75, "SERVE"),
    (15, 19.0, None, 0.5, 0.5, "CONFIDENT", "positive", 0.5, "SERVE, refill"),
    (15, 19.0, None, 0.0, 1.0 / 3.0, "HAPPY", "positive", 2.0 / 3.0, "SERVE"),
    (15, 19.0, None, 1.0, 2.0 / 3.0, "CONFIDENT", "positive", 1.0 / 3.0, "SERVE, refill"),
    (7, 14.0, SOME, 0.5, 10.0 / 7.0, "CONCERNED", "negative", 3.0 / 14.0, "SERVE, hurry"),
    (2, 14.0, SOME, 0.5, 5.0, "FRUSTRATED", "negative", 1.0, "INTERCEPT, hurry"),
    (0, 40.0, Some(2.0), 0.0, INF, "FRUSTRATED", "negative", 1.0, "INTERCEPT, hurry"),
];
/// The last: she comes three times as fast as when Butler was CONCERNED.
const FASTER: Case = (7, 14.0, Some(1.5), 0.5, 10.0 / 21.0, "CONFIDENT", "positive", 11.0 / 21.0, "SERVE");

/// All eight.
pub fn vectors() -> Vec<Vector> {
    let concerned = CASES[4];
    CASES.iter().map(|case| vector(case, None)).chain([vector(&FASTER, Some(&concerned))]).collect()
}

fn vector(case: &Case, after: Option<&Case>) -> Vector {
    let &(treats, distance_ft, coming_fps, caution, stress, emotion, valence, intensity, does) = case;
    let mut butler = lone_butler(cautious(caution), distance_ft, "WAIT");
    let mut put = |&(treats, distance_ft, coming_fps, ..): &Case| {
        let waiter = &mut butler.robot.body;
        (waiter.treats, waiter.distance_ft) = (treats, Some(distance_ft));
        if let Some(closing_fps) = coming_fps {
            (waiter.refill_requested, waiter.closing_fps) = (true, closing_fps);
        }
        butler.feel()
    };
    let before = after.map_or_else(|| "HAPPY".into(), &mut put);
    let felt = put(case);
    let measured = butler.robot.stress().map_or(f64::NAN, |stress| stress.get());
    let affect = butler.robot.emotion().affect;
    let (behavior, said) = butler.decide();
    let done: Vec<String> = std::iter::once(behavior).chain(said).map(|word| word.to_string()).collect();
    let bounded = |stress: f64| Some(stress).filter(|stress| *stress != INF);
    Vector {
        treats,
        distance_ft,
        coming_fps,
        caution,
        before: before.to_string(),
        stress: bounded(measured),
        expected_stress: bounded(stress),
        emotion: felt.to_string(),
        expected_emotion: emotion,
        valence: if affect.valence == Valence::Positive { "positive" } else { "negative" },
        expected_valence: valence,
        intensity: affect.intensity.get(),
        expected_intensity: intensity,
        does: done.join(", "),
        expected_does: does,
    }
}

/// A row of Table 2.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schema {
    /// The emotion.
    pub emotion: String,
    /// What it generally tends to.
    pub tendency: String,
    /// What it makes a waiter do.
    pub waiter: String,
    /// What it makes a refiller do.
    pub refiller: String,
    /// The paper has the same.
    pub as_in_paper: bool,
}

/// [Lisetti, Table 2]: emotion, tendency, waiter, refiller.
const TABLE_2: [[&str; 4]; 4] = [
    ["HAPPY", "FreeActivate", "Serve", "Joke"],
    ["CONFIDENT", "ContinueNormalActivity", "Serve; CallForRefill", "Serve"],
    ["CONCERNED", "MonitorProgressClosely", "AskToHurry", "IncreaseSpeed"],
    ["FRUSTRATED", "ChangeCurrentStrategy", "Intercept", "GoHome"],
];

/// Table 2 as it is shipped, in the order of the scale.
pub fn table_2() -> Vec<Schema> {
    let table = emotions::built_in();
    let role = |name: &str| Generator::new(table.clone(), name, Personality::cautious(Intensity::NONE)).ok();
    let (Some(waiter), Some(refiller)) = (role("waiter"), role("refiller")) else { return Vec::new() };
    let active = |generator: &Generator, emotion: &str| {
        let names = generator.role().behaviours.get(emotion).map_or(&[][..], |names| names);
        names.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let row = |emotion: &muster_core::affect::Name| {
        let tendency = table.emotion(emotion).map_or_else(String::new, |record| record.action_tendency.to_string());
        let (waiter, refiller) = (active(&waiter, emotion), active(&refiller, emotion));
        let ours = [emotion.as_str(), &tendency, &waiter, &refiller];
        let as_in_paper = TABLE_2.contains(&ours);
        Schema { emotion: emotion.to_string(), as_in_paper, tendency, waiter, refiller }
    };
    waiter.scale().levels.iter().map(row).collect()
}
