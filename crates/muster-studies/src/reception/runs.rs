//! Half hours at receptions, many of them, over all cores: what happened, and for how long each robot felt what.

use std::panic::{AssertUnwindSafe, catch_unwind};

use muster_core::affect::Name;
use muster_core::rng::Stream;
use muster_reception::crowd::{BODY_FT, Crowd};
use muster_reception::robot::{Place, butler, command, leguin};
use muster_reception::{Deed, Line, Onlooker, Scene};
use serde::Serialize;

use super::snapshot::{self, Sighting};
use super::stage::{begins, cautious, notes, says, two_of};
use crate::batch::Batch;
use crate::stats::{mean, sd};

/// How long each goes on, in seconds.
pub const SECONDS: u64 = 1_800;
/// Numbers of guests: none and the paper's 100 are compared, the others show what lies between and beyond.
pub const GUESTS: [usize; 6] = [0, 25, 50, 75, 100, 150];
/// The paper's number.
pub const PAPER: usize = 100;
/// How cautious Butler is, among 100 guests.
pub const CAUTIONS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The two robots.
pub const ROBOTS: [&str; 2] = ["Butler", "Leguin"];

/// Receptions that are alike but for their seeds.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Setting {
    guests: usize,
    caution: f64,
}

/// The settings, each once.
fn settings() -> Vec<Setting> {
    let usual = butler::Config::cars_2002().caution.get();
    let by_guests = GUESTS.map(|guests| Setting { guests, caution: usual });
    let by_caution = CAUTIONS.map(|caution| Setting { guests: PAPER, caution });
    by_guests.into_iter().chain(by_caution.into_iter().filter(|setting| setting.caution != usual)).collect()
}

/// Receptions of a study with that many seeds.
pub fn receptions_in(seeds: u64) -> u64 {
    settings().len() as u64 * seeds
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Runs {
    /// For each setting those that were done, seed by seed.
    done: Vec<(Setting, Vec<Run>)>,
}

/// What happened at one reception.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// How often what is counted happened, in the order of [`COUNTED`].
    pub counts: [usize; COUNTED.len()],
    /// Seconds that each robot felt each emotion, in the order in which it first did.
    pub felt: [Vec<(Name, u32)>; ROBOTS.len()],
    /// Ticks after which two bodies overlapped, and after which one was not all on the field.
    pub overlaps: usize,
    /// See there.
    pub outside: usize,
    /// It came to an end, without a panic.
    pub ended: bool,
    /// The paper's snapshot, where it was met best.
    pub sighting: Option<Sighting>,
    /// Ticks that were like it.
    pub sighted: usize,
    /// What Butler had to reckon with, tick by tick; of the paper's setting only.
    pub history: Vec<Moment>,
}

/// How often something happened, from a log.
type Count = fn(&[Line]) -> usize;

/// How often things happened at a reception, by the names that the tables have for it.
pub const COUNTED: [(&str, Count); 6] = [
    ("exchanges", |lines| begins(lines, "Butler", butler::EXCHANGE)),
    ("intercepts", |lines| begins(lines, "Butler", butler::INTERCEPT)),
    ("hurries", |lines| says(lines, command::HURRY)),
    ("runs out of treats", |lines| notes(lines, "Butler", "runs out of treats")),
    ("jokes", |lines| notes(lines, "Leguin", "tells a joke")),
    ("Leguin turned back", turned_back),
];

/// How often Leguin gave up: from REFILL home without an exchange.
fn turned_back(lines: &[Line]) -> usize {
    let is = |deed: &Deed| match deed {
        Deed::Behavior { robot, old, new } => {
            *robot == *"Leguin" && *old == *leguin::REFILL && *new == *leguin::GO_HOME
        }
        _ => false,
    };
    lines.iter().filter(|line| is(&line.deed)).count()
}

/// What a waiter had to reckon with at a tick, and what it made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Seconds until treats come.
    pub needed_s: f64,
    /// Seconds that they last.
    pub left_s: f64,
    /// Its tray was filled in the tick before.
    pub filled: bool,
    /// The emotion at the end of the tick.
    pub emotion: Name,
}

/// A mean and its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean over the seeds.
    pub mean: f64,
    /// Where its 95 % interval begins.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Mean {
    /// Of a sample.
    pub fn of(sample: &[f64]) -> Self {
        let (mean, half) = (mean(sample), 1.96 * sd(sample) / (sample.len().max(1) as f64).sqrt());
        // Counts and shares, and so their means, are not negative.
        Self { mean, low: (mean - half).max(0.0), high: mean + half }
    }
}

impl Runs {
    /// Makes them: all settings with the same seeds.
    pub fn new(seed: u64, seeds: u64, batch: &Batch<'_>) -> Self {
        let settings = settings();
        let all = batch.map(settings.len() as u64 * seeds, |index| {
            let run = one(settings[(index / seeds) as usize], Stream::seed_of_run(seed, index % seeds));
            (batch.progress)(1);
            run
        });
        let mut all = all.into_iter();
        let done = settings.into_iter().map(|setting| (setting, all.by_ref().take(seeds as usize).collect())).collect();
        Self { done }
    }

    /// All, whatever their setting.
    pub fn all(&self) -> impl Iterator<Item = &Run> {
        self.done.iter().flat_map(|(_, runs)| runs)
    }

    /// With that many guests and the usual caution.
    pub fn with_guests(&self, guests: usize) -> &[Run] {
        self.of(Setting { guests, caution: butler::Config::cars_2002().caution.get() })
    }

    /// With so much caution and the paper's guests.
    pub fn with_caution(&self, caution: f64) -> &[Run] {
        self.of(Setting { guests: PAPER, caution })
    }

    fn of(&self, setting: Setting) -> &[Run] {
        self.done.iter().find(|(other, _)| *other == setting).map_or(&[], |(_, runs)| runs)
    }
}

/// The mean of something over runs.
pub fn mean_of(runs: &[Run], of: impl Fn(&Run) -> f64) -> Mean {
    Mean::of(&runs.iter().map(of).collect::<Vec<_>>())
}

impl Run {
    /// The share of time for which a robot felt this.
    pub fn share(&self, robot: usize, emotion: &str) -> f64 {
        let felt = &self.felt[robot];
        let all: u32 = felt.iter().map(|(_, seconds)| seconds).sum();
        let this: u32 = felt.iter().filter(|(name, _)| *name == *emotion).map(|(_, seconds)| seconds).sum();
        if all == 0 { 0.0 } else { f64::from(this) / f64::from(all) }
    }
}

/// Keeps the log, and what Butler has to reckon with when its emotion is about to be updated.
#[derive(Default)]
struct Watch {
    lines: Vec<Line>,
    needed_and_left: Option<(f64, f64)>,
}

impl Onlooker for Watch {
    fn logged(&mut self, line: &Line) {
        self.lines.push(line.clone());
    }

    fn plan_view(&mut self, scene: &Scene<'_>) {
        let butler = scene.robots.iter().find(|robot| robot.name == *ROBOTS[0]);
        self.needed_and_left =
            butler.and_then(|it| Some((it.variables.number("timeToRefill")?, it.variables.number("timeToEmpty")?)));
    }
}

fn one(setting: Setting, seed: u64) -> Run {
    let mut run = Run {
        seed,
        counts: [0; COUNTED.len()],
        felt: Default::default(),
        overlaps: 0,
        outside: 0,
        ended: false,
        sighting: None,
        sighted: 0,
        history: Vec::new(),
    };
    // What panics is counted, not hidden: the run has not ended, and the check that asks for that fails.
    let ended = catch_unwind(AssertUnwindSafe(|| live(setting, &mut run)));
    run.ended = matches!(ended, Ok(Some(())));
    run
}

/// Nothing if there is no such reception.
fn live(setting: Setting, run: &mut Run) -> Option<()> {
    let usual = setting == Setting { guests: PAPER, caution: butler::Config::cars_2002().caution.get() };
    let mut reception = two_of(cautious(setting.caution), setting.guests, run.seed).ok()?;
    let mut watch = Watch::default();
    reception.init(&mut watch).ok()?;
    reception.start().ok()?;
    let mut bodies = Vec::new();
    // What Butler did at the end of the last tick, and of the one before: a tray that was filled in one tick is felt in
    // the next.
    let [mut ago, mut two_ago] = [false; 2];
    for _ in 0..SECONDS {
        reception.tick(&mut watch);
        for (name, felt) in ROBOTS.iter().zip(&mut run.felt) {
            let emotion = &reception.robot(name)?.emotion;
            match felt.iter_mut().find(|(known, _)| known == emotion) {
                Some((_, seconds)) => *seconds += 1,
                None => felt.push((emotion.clone(), 1)),
            }
        }
        let (overlap, outside) = collisions(reception.crowd()?, &mut bodies);
        run.overlaps += usize::from(overlap);
        run.outside += usize::from(outside);
        if let Some(sighting) = snapshot::sighting(&reception) {
            run.sighted += 1;
            if run.sighting.as_ref().is_none_or(|best| sighting.is_nearer(best)) {
                run.sighting = Some(sighting);
            }
        }
        let butler = reception.robot(ROBOTS[0])?;
        if usual {
            let (needed_s, left_s) = watch.needed_and_left?;
            run.history.push(Moment { needed_s, left_s, filled: two_ago && !ago, emotion: butler.emotion.clone() });
        }
        (two_ago, ago) = (ago, butler.behavior == *butler::EXCHANGE);
    }
    run.counts = COUNTED.map(|(_, count)| count(&watch.lines));
    Some(())
}

/// Whether any two bodies overlap, and whether one is not all on the field. `bodies` is room to reckon in.
pub fn collisions(crowd: &Crowd, bodies: &mut Vec<Place>) -> (bool, bool) {
    bodies.clear();
    bodies.extend(crowd.robots().chain(crowd.obstacles()).chain(crowd.guests().map(|guest| guest.place)));
    bodies.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
    let overlap = bodies.iter().enumerate().any(|(index, one)| {
        let beside = bodies[index + 1..].iter().take_while(|other| other.x - one.x < BODY_FT);
        beside.into_iter().any(|other| (other.y - one.y).abs() < BODY_FT)
    });
    let (width_ft, height_ft) = crowd.field_ft();
    let off = |along: f64, side: f64| along < BODY_FT / 2.0 || along > side - BODY_FT / 2.0;
    let outside = bodies.iter().any(|it| off(it.x, width_ft) || off(it.y, height_ft));
    (overlap, outside)
}
