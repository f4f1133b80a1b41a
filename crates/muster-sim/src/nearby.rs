//! Who may hear a radio of limited range, without asking every robot of a large team where it is.
//!
//! Robots that stand are kept by cell of a grid as wide as the range, so whoever hears a transmission is in one of the
//! nine cells about its sender, and with their places, so that those too far away cost no look at their bodies.
//! Robots that drive are few, and are always among those to ask.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use muster_core::motion::Motion;
use muster_core::{Point, RobotId};

type Cell = (i64, i64);

/// Looked up, never gone through, and hashed without a random key: its order plays no part in a run.
type Cells = HashMap<Cell, Vec<Standing>, BuildHasherDefault<DefaultHasher>>;

/// A cell is this much wider than the range: two robots exactly at range, their places and distance rounded, must not be
/// two cells apart.
const SLACK: f64 = 1e-6;

#[derive(Copy, Clone)]
struct Standing {
    robot: RobotId,
    at: Point,
}

/// Robots by place. Kept up to date by telling it of every change of motion.
#[derive(Clone)]
pub struct Nearby {
    cell_m: f64,
    range_m: f64,
    cells: Cells,
    driving: Vec<RobotId>,
    /// Where each robot is kept, and at which place there, by robot.
    kept: Vec<(Option<Cell>, usize)>,
}

impl Nearby {
    /// Robots that move as told, in order of their numbers; `range_m` is how far the radio carries.
    pub fn new<'a>(range_m: f64, motions: impl Iterator<Item = &'a Motion>) -> Self {
        // A range of nothing still needs cells: robots in one spot hear each other.
        let cell_m = (range_m * (1.0 + SLACK)).max(1e-3);
        let mut nearby = Self { cell_m, range_m, cells: Cells::default(), driving: Vec::new(), kept: Vec::new() };
        for (index, motion) in motions.enumerate() {
            let kept = nearby.put(RobotId(index as u32), motion);
            nearby.kept.push(kept);
        }
        nearby
    }

    /// The robot moves like this from now on.
    pub fn moves(&mut self, robot: RobotId, motion: &Motion) {
        let (cell, slot) = self.kept[robot.index()];
        let filler = match cell {
            Some(cell) => {
                let standing = self.cells.entry(cell).or_default();
                standing.swap_remove(slot);
                standing.get(slot).map(|filler| filler.robot)
            }
            None => {
                self.driving.swap_remove(slot);
                self.driving.get(slot).copied()
            }
        };
        if let Some(filler) = filler {
            self.kept[filler.index()].1 = slot;
        }
        self.kept[robot.index()] = self.put(robot, motion);
    }

    /// All that may be within range of `place`, in order of their numbers: those that stand there, and those that drive.
    pub fn candidates(&self, place: Point, found: &mut Vec<RobotId>) {
        found.clear();
        found.extend_from_slice(&self.driving);
        let (x, y) = self.cell_at(place);
        for x in x.saturating_sub(1)..=x.saturating_add(1) {
            for y in y.saturating_sub(1)..=y.saturating_add(1) {
                let standing = self.cells.get(&(x, y)).into_iter().flatten();
                let within = standing.filter(|standing| place.distance(standing.at) <= self.range_m);
                found.extend(within.map(|standing| standing.robot));
            }
        }
        found.sort_unstable();
    }

    fn put(&mut self, robot: RobotId, motion: &Motion) -> (Option<Cell>, usize) {
        let Motion::Still(pose) = motion else {
            self.driving.push(robot);
            return (None, self.driving.len() - 1);
        };
        let cell = self.cell_at(pose.place);
        let standing = self.cells.entry(cell).or_default();
        standing.push(Standing { robot, at: pose.place });
        (Some(cell), standing.len() - 1)
    }

    fn cell_at(&self, place: Point) -> Cell {
        ((place.x / self.cell_m).floor() as i64, (place.y / self.cell_m).floor() as i64)
    }
}

#[cfg(test)]
mod tests {
    use muster_core::Time;
    use muster_core::rng::{Purpose, Stream};

    use super::*;

    /// At exact range and a few floats to either side, on both sides of a cell's edge.
    #[test]
    fn nobody_is_missed_at_the_very_edge() {
        let steps = |value: f64| {
            let mut near = value;
            (0..6).for_each(|_| near = near.next_down());
            (0..12).map(move |_| {
                near = near.next_up();
                near
            })
        };
        let mut found = Vec::new();
        let mut met = 0;
        for range_m in [0.1, 0.3, 1.0, 3.0, 7.3, 100.0] {
            for cells in [-50.0, -3.0, -1.0, 0.0, 1.0, 2.0, 7.0, 1_000.0] {
                for at in steps(range_m * cells) {
                    for other in steps(at + range_m).chain(steps(at - range_m)) {
                        for turned in [false, true] {
                            let point = |along| if turned { Point::new(0.5, along) } else { Point::new(along, 0.5) };
                            let (from, to) = (point(at), point(other));
                            let nearby = Nearby::new(range_m, [Motion::still(to)].iter());
                            nearby.candidates(from, &mut found);
                            let hears = from.distance(to) <= range_m;
                            assert_eq!(found.len(), usize::from(hears), "{at} to {other} with a range of {range_m}");
                            met += usize::from(hears);
                        }
                    }
                }
            }
        }
        assert!(met > 1_000, "{met}");
    }

    /// Against asking everybody, while robots set out and come to rest.
    #[test]
    fn nobody_within_range_is_missed() {
        const TEAM: u32 = 200;
        let mut random = Stream::of_run(1, Purpose::Arrangement);
        for range_m in [0.0, 3.0, 25.0, 1e9] {
            let mut place = || Point::new(random.uniform() * 100.0 - 50.0, random.uniform() * 100.0 - 50.0);
            let mut motions: Vec<Motion> = (0..TEAM).map(|_| Motion::still(place())).collect();
            let mut nearby = Nearby::new(range_m, motions.iter());
            let mut found = Vec::new();
            for step in 0..2_000 {
                let robot = RobotId(step * 7 % TEAM);
                let motion = match step % 3 {
                    0 => Motion::straight(place(), place(), 1.0, Time::ZERO),
                    _ => Motion::still(place()),
                };
                nearby.moves(robot, &motion);
                motions[robot.index()] = motion;

                let from = if step % 5 == 0 { motions[0].place(Time::ZERO) } else { place() };
                nearby.candidates(from, &mut found);
                assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]));
                for (index, motion) in motions.iter().enumerate() {
                    let hears = motion.place(Time::ZERO).distance(from) <= range_m;
                    assert!(!hears || found.contains(&RobotId(index as u32)), "{index} with a range of {range_m}");
                }
                if range_m < 10.0 {
                    assert!(found.len() < 120, "{} robots to ask", found.len());
                }
            }
        }
    }
}
