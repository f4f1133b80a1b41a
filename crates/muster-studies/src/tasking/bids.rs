//! Adaptive bids on the air against samples on a grid: what missions cost as they are flown, whether groups keep their
//! windows, and how many bytes are sent. Missions are drawn at random and flown twice, once with each.
//!
//! The grid is the paper's, every 5 s and 45 degrees, as far as the adaptive bids reach: with the paper's 100 s a vehicle on
//! the far side of a wide field could not bid at all.

use std::sync::Arc;

use muster_core::rng::{Purpose, Stream};
use muster_core::tasking::Variant;
use muster_core::{Duration, RobotId};
use muster_sim::scenario::{self, ScenarioError};
use muster_sim::{Origin, Scheme};
use serde::Serialize;

use crate::batch::Batch;
use crate::run::{self, Row};
use crate::stats;
use crate::verdict::Interval;

/// What a second under way or waiting costs; these missions leave rates as they are.
const PER_S: f64 = 2.0;

/// What came of all missions with one kind of bids, beside the other.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// How many missions.
    pub missions: usize,
    /// The cost as flown with adaptive bids, in percent of that with the grid: the mean over missions.
    pub cost_share: Interval,
    /// Bytes of all messages with adaptive bids, in percent of those with the grid.
    pub bytes: Interval,
    /// The same of bids alone.
    pub bid_bytes: Interval,
    /// Bytes of a run, in the mean.
    pub mean_bytes: Ways<f64>,
    /// The mean cost of a mission.
    pub cost: Ways<f64>,
    /// Missions in which everything was flown in order and in its windows.
    pub kept: Ways<usize>,
}

/// Something with samples on a grid, and with adaptive bids.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Ways<T> {
    /// Every 5 s and 45 degrees.
    pub grid: T,
    /// Slices.
    pub adaptive: T,
}

/// One mission, flown in one way.
struct Flown {
    cost: f64,
    bytes: f64,
    bid_bytes: f64,
    kept: bool,
}

impl Flown {
    fn of(row: &Row) -> Self {
        let cost = row.outcome.iter().map(|task| {
            let asked_s = task.seen_s.unwrap_or(row.end_s);
            match (task.served_s, task.flight) {
                // What the bid holds beside time: the detour, and what is pending.
                (Some(served_s), Some(flight)) => PER_S * (served_s - asked_s) + flight.cost - PER_S * flight.planned_s,
                _ => PER_S * (row.end_s - asked_s),
            }
        });
        let bids = ["Bid", "Refuse"].iter().filter_map(|kind| row.by_kind.get(kind)).map(|sent| sent.bytes);
        Self {
            cost: cost.sum(),
            bytes: row.bytes as f64,
            bid_bytes: bids.sum::<u64>() as f64,
            kept: row.holds() && row.duplicates == 0,
        }
    }
}

/// A mission: 2 to 12 vehicles at 20 to 60 m/s in a field of 0.8 to 4 km, and one to four orders, single tasks and groups of
/// two to four phases 5 to 10 s apart.
fn drawn(seed: u64, index: u32) -> String {
    let mut stream = Stream::new(seed, Purpose::Arrangement, RobotId(index));
    let side = stream.between(800.0, 4_000.0).round();
    let vehicles = 2 + stream.below(11);
    let mut text = format!("limit_h = 0.25\n[field]\nwidth_m = {side}\nheight_m = {side}\n");
    text += "[robots.console]\nspeed_mps = 1\nplace = [0, 0]\n";
    let place = |stream: &mut Stream| format!("[{:.0}, {:.0}]", stream.between(0.0, side), stream.between(0.0, side));
    for vehicle in 0..vehicles {
        let speed = stream.between(20.0, 60.0);
        text += &format!("[robots.v{vehicle}]\nspeed_mps = {speed:.1}\nplace = {}\n", place(&mut stream));
    }
    for order in 0..=stream.below(4) {
        let (at, place) = (stream.between(0.0, 90.0), place(&mut stream));
        let phases = if stream.below(2) == 0 { 1 } else { 2 + stream.below(3.min(vehicles - 1)) };
        text += &format!("[tasks.t{order}]\nat_s = {at:.1}\nplace = {place}\n");
        text += &format!("order = {{ by = \"console\", kind = \"of-{phases}\" }}\n");
    }
    text += &format!("[tasking]\nconsoles = [\"console\"]\ncorridor_m = {:.0}\n", stream.between(50.0, 300.0));
    for phases in 1..=4 {
        let names: Vec<String> = (0..phases).map(|phase| format!("p{phase} = {{}}")).collect();
        text += &format!("[tasking.templates.of-{phases}.phases]\n{}\n", names.join("\n"));
        for phase in 1..phases {
            text += &format!(
                "[[tasking.templates.of-{phases}.couplings]]\na = \"p{}\"\nb = \"p{phase}\"\ndt_min_s = 5\ndt_max_s = 10\n\
                 dh_min_deg = 45\n",
                phase - 1
            );
        }
    }
    text
}

fn flown(text: &str, grid: &str, seed: u64, batch: &Batch<'_>) -> Result<Option<Flown>, ScenarioError> {
    let loaded = scenario::parse("bids", "bids", text, &[format!("tasking.grid={grid}")])?;
    let origin = Origin::new(Arc::new(loaded), Scheme::Tasking(Variant::Fenced), seed);
    Ok(run::run(&origin, batch).as_ref().map(Flown::of))
}

/// Samples that reach as far as adaptive bids of this mission do.
fn as_far(text: &str) -> Result<String, ScenarioError> {
    let loaded = scenario::parse("bids", "bids", text, &["tasking.grid=\"adaptive\"".to_owned()])?;
    let horizon = loaded.tasking(Variant::Fenced).0.grid.horizon();
    let times = horizon.as_micros().div_ceil(Duration::from_secs(5).as_micros()) + 1;
    Ok(format!("{{ step_s = 5, times = {times}, headings = 8 }}"))
}

/// Flies so many missions in both ways.
pub fn compare(missions: u64, seed: u64, batch: &Batch<'_>) -> Result<Compared, ScenarioError> {
    let both = batch.map(missions, |index| {
        let text = drawn(seed, index as u32);
        let run = Stream::seed_of_run(seed, index);
        let grid = flown(&text, &as_far(&text)?, run, batch)?;
        let adaptive = flown(&text, "\"adaptive\"", run, batch)?;
        (batch.progress)(2);
        Ok(grid.zip(adaptive))
    });
    let both: Vec<(Flown, Flown)> =
        both.into_iter().collect::<Result<Vec<_>, ScenarioError>>()?.into_iter().flatten().collect();
    let spread = |of: &dyn Fn(&(Flown, Flown)) -> f64| {
        let values: Vec<f64> = both.iter().map(of).collect();
        Interval::new(stats::mean(&values), stats::sd(&values) / (values.len().max(1) as f64).sqrt())
    };
    let mean = |of: &dyn Fn(&Flown) -> f64| Ways {
        grid: spread(&|(grid, _)| of(grid)).value,
        adaptive: spread(&|(_, adaptive)| of(adaptive)).value,
    };
    Ok(Compared {
        missions: both.len(),
        cost_share: spread(&|(grid, adaptive)| 100.0 * adaptive.cost / grid.cost),
        bytes: spread(&|(grid, adaptive)| 100.0 * adaptive.bytes / grid.bytes),
        bid_bytes: spread(&|(grid, adaptive)| 100.0 * adaptive.bid_bytes / grid.bid_bytes.max(1.0)),
        mean_bytes: mean(&|flown| flown.bytes),
        cost: mean(&|flown| flown.cost),
        kept: Ways {
            grid: both.iter().filter(|(grid, _)| grid.kept).count(),
            adaptive: both.iter().filter(|(_, adaptive)| adaptive.kept).count(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fewer bytes, at a cost that is not higher, in windows that are kept as well.
    #[test]
    fn adaptive_bids_take_fewer_bytes_and_cost_no_more() {
        let compared = compare(30, 7, &Batch::quiet()).expect("drawn missions are right");
        assert_eq!(compared.missions, 30);
        assert!(compared.cost_share.value < 100.0 && compared.bid_bytes.high < 60.0, "{compared:?}");
        assert!(compared.kept.adaptive + 1 >= compared.kept.grid, "{compared:?}");
    }
}
