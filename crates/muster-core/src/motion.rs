//! Motion in closed form: where a body is follows from the clock, so nothing has to tick.
//!
//! It lives in the core, not in the simulator, because a mechanism asks its body for its place; as plain
//! data the answer costs nothing until asked for and can be recorded. A real robot's driver sets `Still`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::robot::{Point, Pose};
use crate::time::{Duration, Time};

/// How a body moves until further notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Motion {
    /// It stands.
    Still(Pose),
    /// It drives straight from one place to another and stands there.
    Straight {
        /// The place it left, in metres.
        from: Point,
        /// The place where it will stop, in metres.
        to: Point,
        /// The instant at which it left.
        leave: Time,
        /// When it will be there.
        arrive: Time,
    },
    /// It follows a path.
    Along(Box<Along>),
}

/// A body on its way along a path; boxed, because few bodies of a large team follow one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Along {
    /// The path, shared by all that follow it.
    pub path: Arc<Path>,
    /// Metres from the path's start where it left.
    pub from_m: f64,
    /// Metres from the path's start where it will stop; less than `from_m` on the way back.
    pub to_m: f64,
    /// Metres per second.
    pub speed_mps: f64,
    /// The instant at which it left the beginning of the path.
    pub leave: Time,
}

impl Along {
    /// The time from the beginning of the path to its end.
    pub fn duration(&self) -> Duration {
        Duration::from_secs_f64((self.to_m - self.from_m).abs() / self.speed_mps)
    }

    /// Metres from the path's start.
    pub fn progress_m(&self, now: Time) -> f64 {
        let driven = now.since(self.leave).as_secs_f64() * self.speed_mps;
        if self.to_m >= self.from_m {
            (self.from_m + driven).min(self.to_m)
        } else {
            (self.from_m - driven).max(self.to_m)
        }
    }
}

impl Motion {
    /// A body that stands, pointing east.
    pub fn still(place: Point) -> Self {
        Self::Still(Pose { place, yaw: 0.0 })
    }

    /// A body that leaves `from` now and drives straight to `to`.
    pub fn straight(from: Point, to: Point, speed_mps: f64, leave: Time) -> Self {
        let arrive = leave + Duration::from_secs_f64(from.distance(to) / speed_mps);
        Self::Straight { from, to, leave, arrive }
    }

    /// The place of the body at an instant.
    #[inline]
    pub fn place(&self, now: Time) -> Point {
        match self {
            Self::Still(pose) => pose.place,
            _ => self.place_moving(now),
        }
    }

    // Out of line: most bodies stand, and the way there must stay short (a HELP asks every robot).
    #[inline(never)]
    fn place_moving(&self, now: Time) -> Point {
        match self {
            Self::Still(pose) => pose.place,
            Self::Straight { from, to, leave, arrive } => {
                if now >= *arrive {
                    return *to;
                }
                let share = now.since(*leave).as_secs_f64() / arrive.since(*leave).as_secs_f64();
                from.towards(*to, share)
            }
            Self::Along(along) => along.path.place(along.progress_m(now)),
        }
    }

    /// Where the body is and where it points: along its way, or where it pointed when it stopped.
    pub fn pose(&self, now: Time) -> Pose {
        match self {
            Self::Still(pose) => *pose,
            Self::Straight { from, to, .. } => Pose { place: self.place(now), yaw: from.heading_to(*to) },
            Self::Along(along) => {
                let (from, to) = along.path.segment(along.progress_m(now));
                let (from, to) = if along.to_m >= along.from_m { (from, to) } else { (to, from) };
                Pose { place: self.place(now), yaw: from.heading_to(to) }
            }
        }
    }
}

/// A polyline, measured once. Written as its corners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Point>", into = "Vec<Point>")]
pub struct Path {
    /// Its straight pieces, at least one, each longer than nothing.
    legs: Vec<Leg>,
    /// Legs per metre: most paths have legs of like length, so it says about which leg a distance is on.
    legs_per_m: f64,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct Leg {
    /// Metres from the start of the path to both ends.
    start_m: f64,
    end_m: f64,
    from: Point,
    to: Point,
}

impl TryFrom<Vec<Point>> for Path {
    type Error = &'static str;

    fn try_from(corners: Vec<Point>) -> Result<Self, Self::Error> {
        Self::through(corners).ok_or("a path needs two different places")
    }
}

impl From<Path> for Vec<Point> {
    fn from(path: Path) -> Self {
        path.corners().collect()
    }
}

impl Path {
    /// A path through `places`. A place on top of the one before it adds nothing and is left out.
    ///
    /// `None` if fewer than two different places remain.
    pub fn through(places: impl IntoIterator<Item = Point>) -> Option<Self> {
        let mut legs: Vec<Leg> = Vec::new();
        let mut places = places.into_iter();
        let (mut from, mut start_m) = (places.next()?, 0.0);
        for to in places {
            let end_m = start_m + from.distance(to);
            if end_m > start_m {
                legs.push(Leg { start_m, end_m, from, to });
                (from, start_m) = (to, end_m);
            }
        }
        let legs_per_m = legs.len() as f64 / start_m;
        (!legs.is_empty()).then_some(Self { legs, legs_per_m })
    }

    /// A raster scan of the rectangle between two corners: rows parallel to x, the first at `low.y`,
    /// `spacing_m` apart, every other one driven back; the last row lies on or below `high.y`.
    pub fn raster(low: Point, high: Point, spacing_m: f64) -> Option<Self> {
        let rows = ((high.y - low.y) / spacing_m + 1e-9).floor() as u64;
        let ends = (0..=rows).flat_map(|row| {
            let y = low.y + row as i64 as f64 * spacing_m;
            let (first, last) = if row % 2 == 0 { (low.x, high.x) } else { (high.x, low.x) };
            [Point::new(first, y), Point::new(last, y)]
        });
        Self::through(ends)
    }

    /// Its length in metres.
    pub fn length_m(&self) -> f64 {
        self.legs.last().map_or(0.0, |leg| leg.end_m)
    }

    /// The corners it goes through, both ends among them.
    pub fn corners(&self) -> impl Iterator<Item = Point> + '_ {
        self.legs.first().map(|leg| leg.from).into_iter().chain(self.legs.iter().map(|leg| leg.to))
    }

    /// The leg on which `at_m` lies; the first or the last for what lies beyond the ends.
    #[inline]
    fn leg(&self, at_m: f64) -> &Leg {
        // Right or next to right for a raster scan.
        let guess = (at_m * self.legs_per_m) as i64 as usize;
        for index in [guess, guess.wrapping_sub(1), guess + 1] {
            if let Some(leg) = self.legs.get(index)
                && leg.start_m <= at_m
                && at_m < leg.end_m
            {
                return leg;
            }
        }
        let index = self.legs.partition_point(|leg| leg.end_m <= at_m);
        &self.legs[index.min(self.legs.len() - 1)]
    }

    /// The place `at_m` metres from the start; the ends for what lies beyond them.
    pub fn place(&self, at_m: f64) -> Point {
        let leg = self.leg(at_m);
        leg.from.towards(leg.to, ((at_m - leg.start_m) / (leg.end_m - leg.start_m)).clamp(0.0, 1.0))
    }

    /// The straight piece on which `at_m` lies.
    pub fn segment(&self, at_m: f64) -> (Point, Point) {
        let leg = self.leg(at_m);
        (leg.from, leg.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raster_scan_covers_its_rectangle_row_by_row() {
        let path = Path::raster(Point::new(0.0, 0.0), Point::new(100.0, 100.0), 5.0).unwrap();
        // 21 rows of 100 and 20 steps of 5.
        assert_eq!(path.length_m(), 2_200.0);
        assert_eq!(path.place(100.0), Point::new(100.0, 0.0));
        assert_eq!(path.place(105.0), Point::new(100.0, 5.0));
        assert_eq!(path.place(115.0), Point::new(90.0, 5.0));
        assert_eq!(path.place(9_999.0), path.corners().last().unwrap());
    }

    #[test]
    fn motion_is_where_the_clock_says() {
        let seconds = |s| Time::ZERO + Duration::from_secs(s);
        let straight = Motion::straight(Point::new(0.0, 0.0), Point::new(0.0, 10.0), 2.0, seconds(1));
        assert_eq!(straight.place(seconds(0)), Point::new(0.0, 0.0));
        assert_eq!(straight.place(seconds(3)), Point::new(0.0, 4.0));
        assert_eq!(straight.place(seconds(60)), Point::new(0.0, 10.0));
        assert!((straight.pose(seconds(3)).yaw - std::f64::consts::FRAC_PI_2).abs() < 1e-12);

        let path = Arc::new(Path::through([Point::new(0.0, 0.0), Point::new(6.0, 0.0)]).unwrap());
        let back = Motion::Along(Box::new(Along { path, from_m: 6.0, to_m: 0.0, speed_mps: 1.0, leave: seconds(0) }));
        assert_eq!(back.place(seconds(2)), Point::new(4.0, 0.0));
        assert!((back.pose(seconds(2)).yaw.abs() - std::f64::consts::PI).abs() < 1e-12);
    }

    #[test]
    fn a_path_needs_two_different_places() {
        assert!(Path::through([]).is_none());
        assert!(Path::through([Point::new(1.0, 1.0); 3]).is_none());
    }
}
