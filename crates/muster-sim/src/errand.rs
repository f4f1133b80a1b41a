//! What a robot does on its own account, apart from its mechanism: scanning along a path.

use std::sync::Arc;

use muster_core::motion::{Along, Motion, Path};
use muster_core::{Duration, Point, TaskId, Time};

/// A scan under way.
#[derive(Clone, Debug)]
pub struct Scan {
    path: Arc<Path>,
    pause: Duration,
    /// Tasks on the way, the next one last: metres from the path's start, and which.
    stops: Vec<(f64, TaskId)>,
    at_m: f64,
    back: bool,
    state: State,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    /// Stands somewhere on its way.
    Halted,
    /// Drives.
    Driving,
    /// Stands at an end until the pause is over.
    Pausing,
    /// The pause is over, but the robot is held back.
    Rested,
    /// Its robot is elsewhere, and will come back.
    Left,
    /// Its robot drives back to where it left.
    Returning,
}

/// Where a drive of the scan has led.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reached {
    /// To a task.
    Stop(TaskId),
    /// To an end: stand there this long.
    End(Duration),
    /// Back to where the robot left its scan.
    Scan,
}

impl Scan {
    /// A scan that has not left yet. `stops` in order along the path.
    pub fn new(path: Arc<Path>, start_m: f64, pause: Duration, mut stops: Vec<(f64, TaskId)>) -> Self {
        stops.reverse();
        Self { path, pause, stops, at_m: start_m, back: false, state: State::Halted }
    }

    /// It may drive on as soon as nobody holds the robot back.
    pub fn wants_to_drive(&self) -> bool {
        matches!(self.state, State::Halted | State::Rested | State::Left)
    }

    /// Its robot leaves for a while.
    pub fn leave(&mut self) {
        self.state = State::Left;
    }

    /// Its robot is elsewhere, and where it drives is no part of the scan.
    pub fn is_left(&self) -> bool {
        self.state == State::Left
    }

    /// Its pause is over; it will set out anew, the other way.
    pub fn rested(&self) -> bool {
        self.state == State::Rested
    }

    /// How long it stands at an end, free for others, if that is where it is.
    pub fn at_end(&self) -> Option<Duration> {
        matches!(self.state, State::Pausing | State::Rested).then_some(self.pause)
    }

    /// Drives back to where it left, from elsewhere: how, and how long it takes.
    #[inline(never)]
    pub fn return_from(&mut self, from: Point, now: Time, speed_mps: f64) -> (Motion, Duration) {
        let place = self.path.place(self.at_m);
        if from == place {
            return self.depart(now, speed_mps);
        }
        self.state = State::Returning;
        let motion = Motion::straight(from, place, speed_mps, now);
        let arrive = if let Motion::Straight { arrive, .. } = motion { arrive } else { now };
        (motion, arrive.since(now))
    }

    /// Leaves for the next stop or the end: how, and how long it takes.
    pub fn depart(&mut self, now: Time, speed_mps: f64) -> (Motion, Duration) {
        self.state = State::Driving;
        let along =
            Along { path: Arc::clone(&self.path), from_m: self.at_m, to_m: self.target_m(), speed_mps, leave: now };
        let duration = along.duration();
        (Motion::Along(Box::new(along)), duration)
    }

    fn target_m(&self) -> f64 {
        match self.stops.last() {
            _ if self.back => 0.0,
            Some(&(at_m, _)) => at_m,
            None => self.path.length_m(),
        }
    }

    /// The drive is over.
    pub fn reach(&mut self) -> Reached {
        if self.state == State::Returning {
            self.state = State::Halted;
            return Reached::Scan;
        }
        self.at_m = self.target_m();
        match self.stops.pop_if(|_| !self.back) {
            Some((_, task)) => {
                self.state = State::Halted;
                Reached::Stop(task)
            }
            None => {
                self.state = State::Pausing;
                Reached::End(self.pause)
            }
        }
    }

    /// Is held back, or its robot went down, on the way.
    pub fn halt(&mut self, motion: &Motion, now: Time) {
        match (self.state, motion) {
            (State::Driving, Motion::Along(along)) => {
                self.at_m = along.progress_m(now);
                self.state = State::Halted;
            }
            (State::Returning, _) => self.state = State::Left,
            _ => {}
        }
    }

    /// The pause at an end is over.
    pub fn rest(&mut self) {
        if self.state == State::Pausing {
            self.state = State::Rested;
        }
    }

    /// Faces the other way, about to set out anew.
    pub fn turn(&mut self) {
        if self.state == State::Rested {
            self.back = !self.back;
            self.state = State::Halted;
        }
    }

    /// It drives.
    pub fn drives(&self) -> bool {
        matches!(self.state, State::Driving | State::Returning)
    }
}
