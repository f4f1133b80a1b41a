//! What Figures 4 to 6 of the paper show: cost functions of the hotspot mission. [MacKenzie §4]
//!
//! Lines are the cost functions themselves, marks are the samples of them that a bid holds.

use muster_core::tasking::corridor::Corridor;
use muster_core::tasking::cost::{Grid, Preferences, Rates, Slice, Surface, estimate};
use muster_core::{Point, Time};
use serde::Serialize;

use super::sampling::standing;

/// Where the hotspot is. [MacKenzie, Figure 3]
pub const TARGET: Point = Point::new(31.8, 27.9);
/// R, the length of a corridor. Not given; chosen with the places below so that the paper's assignment comes out.
pub const LENGTH: f64 = 8.0;
/// The vehicles, and where they are: not given but for "lower left", "upper left" and "on the right".
pub const VEHICLES: [(&str, Point); 3] =
    [("doug2", Point::new(17.94, 14.04)), ("doug3", Point::new(25.54, 51.28)), ("doug4", Point::new(46.40, 27.90))];
/// Headings on which they are assigned, degrees. [MacKenzie §4]
pub const HEADINGS_DEG: [f64; 3] = [45.0, 270.0, 180.0];

const GRID: Grid = Grid::mackenzie_2003();
const SECONDS: f64 = 100.0;

/// What the three figures show.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Figure 4: doug2's cost by time, heading for heading around the circle; the first is there again at the end.
    pub surface: Vec<Line>,
    /// Figure 5: for each vehicle, its least cost by heading in degrees.
    pub minima: Vec<Line>,
    /// Figure 6: for each vehicle, its cost by time on the heading on which it is assigned.
    pub slices: Vec<Line>,
}

impl Figures {
    /// What doug2 bids on its heading at this time, if it can be there.
    pub fn cost_of_doug2(&self, at_s: f64) -> Option<f64> {
        let line = self.slices.iter().find(|line| line.vehicle == "doug2")?;
        line.exact.iter().chain(&line.sampled).find(|(at, _)| *at == at_s).map(|(_, cost)| *cost)
    }

    /// The first time that doug2 bids for on its heading.
    pub fn first_bid_of_doug2(&self) -> Option<f64> {
        self.slices.iter().find(|line| line.vehicle == "doug2")?.sampled.first().map(|(at_s, _)| *at_s)
    }
}

/// A line of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Name of the vehicle whose cost is drawn.
    pub vehicle: &'static str,
    /// On which heading, degrees; for minima the one with the least of all.
    pub heading_deg: f64,
    /// The cost function, by time in seconds or heading in degrees. By time it begins as soon as it is feasible.
    pub exact: Vec<(f64, f64)>,
    /// The samples that are sent.
    pub sampled: Vec<(f64, f64)>,
}

/// The data of the three figures.
pub fn figures() -> Figures {
    let (name, place) = VEHICLES[0];
    let surface = (0..=360).step_by(5).map(|degrees| by_time(name, place, f64::from(degrees), 2.0)).collect();
    let minima = VEHICLES.map(|(name, place)| by_heading(name, place)).to_vec();
    let slices = VEHICLES.iter().zip(HEADINGS_DEG);
    let slices = slices.map(|(&(name, place), heading_deg)| by_time(name, place, heading_deg, 1.0)).collect();
    Figures { surface, minima, slices }
}

fn bid(place: Point) -> Surface {
    estimate(&standing(place), TARGET, LENGTH, Time::ZERO, &GRID, &Rates::hotspot(), &Preferences::none())
}

fn hundredths(cost: u32) -> f64 {
    f64::from(cost) / 100.0
}

/// The earliest time over the target, in seconds; the paper's vehicles have a speed of 1.
fn earliest_s(place: Point, heading_deg: f64) -> f64 {
    Corridor { target: TARGET, heading: heading_deg.to_radians(), length_m: LENGTH }.distance_m(place)
}

fn by_time(vehicle: &'static str, place: Point, heading_deg: f64, step_s: f64) -> Line {
    let (outlook, rates, none) = (standing(place), Rates::hotspot(), Preferences::none());
    let slice = Slice::new(&outlook, TARGET, LENGTH, Time::ZERO, &rates, &none, heading_deg.to_radians());
    let earliest_s = earliest_s(place, heading_deg);
    let first = (earliest_s / step_s).floor() as u32 + 1;
    let later = (first..).map(|n| f64::from(n) * step_s).take_while(|at_s| *at_s <= SECONDS);
    let exact = std::iter::once(earliest_s)
        .chain(later)
        .filter_map(|at_s| Some((at_s, slice.cost(Time::from_secs_f64(at_s))?)))
        .collect();
    let surface = bid(place);
    let heading = (0..GRID.headings).find(|&n| GRID.heading_deg(n) == heading_deg % 360.0);
    let sample = |time: u16| Some((GRID.time(time).as_secs_f64(), hundredths(surface.get(&GRID, time, heading?)?)));
    let sampled = (0..GRID.times).filter_map(sample).collect();
    Line { vehicle, heading_deg, exact, sampled }
}

/// "aerial views of Figure 4, showing only the minimum cost ring around the central tower"
fn by_heading(vehicle: &'static str, place: Point) -> Line {
    let (outlook, rates, none) = (standing(place), Rates::hotspot(), Preferences::none());
    let least = |degrees: u16| {
        let heading_deg = f64::from(degrees);
        let slice = Slice::new(&outlook, TARGET, LENGTH, Time::ZERO, &rates, &none, heading_deg.to_radians());
        Some((heading_deg, slice.cost(Time::from_secs_f64(earliest_s(place, heading_deg)))?))
    };
    let surface = bid(place);
    let sampled: Vec<(f64, f64)> = (0..GRID.headings)
        .filter_map(|heading| {
            let least = (0..GRID.times).filter_map(|time| surface.get(&GRID, time, heading)).min()?;
            Some((GRID.heading_deg(heading), hundredths(least)))
        })
        .collect();
    let best = sampled.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let heading_deg = best.map_or(0.0, |(heading_deg, _)| heading_deg);
    Line { vehicle, heading_deg, exact: (0..=360).step_by(2).filter_map(least).collect(), sampled }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [MacKenzie §4, Figures 5 and 6] doug2 prefers 45 degrees, where it costs 40 at 20 s and 50 at 25 s.
    #[test]
    fn the_figures_show_what_the_text_says() {
        let figures = figures();
        assert_eq!(figures.minima.iter().map(|line| line.heading_deg).collect::<Vec<_>>(), HEADINGS_DEG);
        assert_eq!(figures.slices[0].sampled[..2], [(20.0, 40.0), (25.0, 50.0)]);
        assert!(figures.slices[0].exact[0].0 < 20.0);
        // Around the circle and back, each line up to 100 s.
        assert_eq!(figures.surface.len(), 73);
        assert!(figures.surface.iter().all(|line| line.exact.last().is_some_and(|point| point.0 == 100.0)));
    }
}
