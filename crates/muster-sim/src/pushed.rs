//! A long box that is pushed by its ends, a little at a time, and turns if one end gets ahead. [Parker §9.2]
//!
//! Each end advances at a constant rate while somebody pushes there, so where the box is is a function of time. The ends
//! move north and do not pull at each other: the report is "not concerned with issues such as how robots detect box
//! alignment", and for how far the box is out of line this is all that matters.

use muster_core::{Duration, Point, Pose, RobotId, TaskId, Time};

/// A box, and the tasks of pushing it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSpec {
    /// Pushing its left (west) end and its right (east) end.
    pub ends: [TaskId; 2],
    /// Where its left end is at first.
    pub left: Point,
    /// Length of the box, in metres.
    pub length_m: f64,
    /// How far a whole push moves an end.
    pub push_m: f64,
}

/// A box under way.
#[derive(Clone, Debug)]
pub struct PushedBox<'m> {
    spec: &'m BoxSpec,
    /// How far each end has come, as of a time.
    advance_m: [f64; 2],
    as_of: Time,
    /// Who pushes which end, in metres per second.
    pushers: Vec<(RobotId, usize, f64)>,
}

impl<'m> PushedBox<'m> {
    /// A box that nobody has touched.
    pub fn new(spec: &'m BoxSpec) -> Self {
        Self { spec, advance_m: [0.0; 2], as_of: Time::ZERO, pushers: Vec::new() }
    }

    /// How far its left and right end have come.
    pub fn advance_m(&self, now: Time) -> [f64; 2] {
        let elapsed_s = now.since(self.as_of).as_secs_f64();
        let mut advance_m = self.advance_m;
        for (_, end, mps) in &self.pushers {
            advance_m[*end] += mps * elapsed_s;
        }
        advance_m
    }

    /// How far its left end is ahead of its right one.
    pub fn misalignment_m(&self, now: Time) -> f64 {
        let [left, right] = self.advance_m(now);
        left - right
    }

    /// Where its middle is and how it has turned.
    pub fn pose(&self, now: Time) -> Pose {
        let [left, right] = self.advance_m(now);
        let middle = Point::new(self.spec.left.x + self.spec.length_m / 2.0, self.spec.left.y + (left + right) / 2.0);
        Pose { place: middle, yaw: libm::atan2(right - left, self.spec.length_m) }
    }

    /// Length of the box, in metres.
    pub fn length_m(&self) -> f64 {
        self.spec.length_m
    }

    /// The end that a task pushes, if it is one of these.
    pub fn end_of(&self, task: TaskId) -> Option<usize> {
        self.spec.ends.iter().position(|end| *end == task)
    }

    /// Place of one end: 0 is the left one, 1 the right one.
    pub fn place(&self, end: usize, now: Time) -> Point {
        let east_m = if end == 0 { 0.0 } else { self.spec.length_m };
        Point::new(self.spec.left.x + east_m, self.spec.left.y + self.advance_m(now)[end])
    }

    /// `robot` begins to push an end, and would be done after `takes`: where it will be then.
    pub fn begin(&mut self, robot: RobotId, end: usize, takes: Duration, now: Time) -> Point {
        self.settle(now);
        self.pushers.retain(|(other, ..)| *other != robot);
        self.pushers.push((robot, end, self.spec.push_m / takes.as_secs_f64().max(1e-6)));
        let Point { x, y } = self.place(end, now);
        Point::new(x, y + self.spec.push_m)
    }

    /// `robot` pushes no longer: the end that it pushed.
    pub fn end(&mut self, robot: RobotId, now: Time) -> Option<usize> {
        let index = self.pushers.iter().position(|(other, ..)| *other == robot)?;
        self.settle(now);
        Some(self.pushers.remove(index).1)
    }

    fn settle(&mut self, now: Time) {
        self.advance_m = self.advance_m(now);
        self.as_of = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: u64) -> Time {
        Time::ZERO + Duration::from_secs(s)
    }

    #[test]
    fn an_end_moves_while_it_is_pushed_and_the_box_turns() {
        let spec = BoxSpec { ends: [TaskId(0), TaskId(1)], left: Point::new(1.0, 2.0), length_m: 2.4, push_m: 0.1 };
        let mut pushed = PushedBox::new(&spec);
        pushed.begin(RobotId(0), 0, Duration::from_secs(10), at(0));
        assert!((pushed.misalignment_m(at(5)) - 0.05).abs() < 1e-12);
        assert!(pushed.pose(at(5)).yaw < 0.0, "the left end is ahead: it has turned clockwise");
        assert_eq!(pushed.end(RobotId(0), at(10)), Some(0));
        pushed.begin(RobotId(1), 1, Duration::from_secs(20), at(12));
        pushed.end(RobotId(1), at(32));
        assert!(pushed.misalignment_m(at(40)).abs() < 1e-12);
        assert!((pushed.pose(at(40)).place.y - 2.1).abs() < 1e-12);
        assert_eq!(pushed.end(RobotId(1), at(41)), None);
    }
}
