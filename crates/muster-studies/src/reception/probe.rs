//! A robot of our own, made of the fourteen functions of the interface and nothing else, with variables and states that
//! nobody has heard of. It writes down what it is asked and what it sees of another one.

use std::sync::{Arc, Mutex, PoisonError};

use muster_core::Time;
use muster_core::affect::Name;
use muster_reception::robot::{Frame, Place, Robot, Variables};
use muster_reception::{BoxedRobot, Onlooker, Scene};

/// What was asked and seen, in the order of time.
#[derive(Clone, Default)]
pub struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    fn write(&self, what: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// What was written since the last time.
    pub fn read(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes down when the plan view is drawn.
impl Onlooker for Diary {
    fn plan_view(&mut self, scene: &Scene<'_>) {
        self.write(format!("plan view at {:.0}", scene.now));
    }
}

/// The robot.
#[derive(Clone)]
pub struct Probe {
    /// Its name in the team.
    name: &'static str,
    /// Name of the robot that it looks at.
    other: &'static str,
    /// Takes down what the probe was asked and what it saw.
    diary: Diary,
    /// Feet per second, east and north.
    velocity_fps: (f64, f64),
    place: Place,
    at: Time,
    ticks: u32,
    feels: u32,
    does: u32,
    told: u32,
    /// It keeps this to itself.
    secret: f64,
}

impl Probe {
    /// One that stands.
    pub fn new(name: &'static str, other: &'static str, diary: &Diary) -> Self {
        let (place, velocity_fps) = (Place::default(), (0.0, 0.0));
        let (ticks, feels, does, told) = (0, 0, 0, 0);
        let diary = diary.clone();
        Self { name, other, diary, velocity_fps, place, at: Time::ZERO, ticks, feels, does, told, secret: 42.0 }
    }

    /// The same, walking: feet per second, east and north.
    pub fn walking(self, velocity_fps: (f64, f64)) -> Self {
        Self { velocity_fps, ..self }
    }

    /// As a robot of a reception.
    pub fn guise(self) -> BoxedRobot {
        Box::new(self)
    }

    fn write(&self, what: &str) {
        self.diary.write(format!("{} {what}", self.name));
    }
}

impl Robot for Probe {
    fn init_robot(&mut self, _frame: &mut Frame<'_>) {
        (self.ticks, self.feels, self.does, self.told) = (0, 0, 0, 0);
        self.write("initRobot");
    }

    fn get_name(&self) -> Name {
        self.write("getName");
        self.name.into()
    }

    fn get_speed(&self) -> f64 {
        self.write("getSpeed");
        f64::hypot(self.velocity_fps.0, self.velocity_fps.1)
    }

    fn get_direction(&self) -> f64 {
        self.write("getDirection");
        Place::default().heading_to(Place::new(self.velocity_fps.0, self.velocity_fps.1))
    }

    fn update_state_variables(&mut self, frame: &mut Frame<'_>) {
        self.ticks += 1;
        let (feels, does) = (self.feels, self.does);
        self.write(&format!("updateStateVariables at {:.0}, own state {feels} {does}", frame.now));
        let team = &frame.team;
        if let (Some(place), Some(feels), Some(does)) = (
            team.get_robot_location(self.other),
            team.get_robot_emotion_state(self.other),
            team.get_robot_behavior_state(self.other),
        ) {
            self.write(&format!("sees {} at {place}: {feels}, {does}", self.other));
        }
        if let Some(mut table) = team.get_robot_state_variables(self.other) {
            let (known, hidden) = (table.number("blorps"), table.get("secret").is_some());
            self.write(&format!("reads {known:?} blorps, the secret: {hidden}"));
            table.set("blorps", -1.0);
        }
        let motion = (team.get_robot_speed(self.other), team.get_robot_direction(self.other));
        self.write(&format!("sees it move {:?} {:?}", motion.0, motion.1));
        let nobody = team.get_robot_location("nobody").is_none()
            && team.get_robot_speed("nobody").is_none()
            && team.get_robot_direction("").is_none()
            && team.get_robot_state_variables("nobody").is_none()
            && team.get_robot_emotion_state("nobody").is_none()
            && team.get_robot_behavior_state("nobody").is_none()
            && frame.team.set_robot_command("nobody", "zap").is_none();
        self.write(&format!("of nobody nothing: {nobody}"));
    }

    fn get_state_variables(&self) -> Variables {
        self.write("getStateVariables");
        Variables::new().with("blorps", self.ticks).with("told", self.told).with("even", self.ticks.is_multiple_of(2))
    }

    fn get_current_location(&self) -> Place {
        self.write("getCurrentLocation");
        self.place
    }

    fn project_location(&self, at: Time) -> Place {
        self.write("projectLocation");
        let seconds = at.since(self.at).as_secs_f64();
        Place::new(self.place.x + self.velocity_fps.0 * seconds, self.place.y + self.velocity_fps.1 * seconds)
    }

    fn set_current_location(&mut self, at: Time, place: Place) {
        // It finds out by itself, from nothing but where it is put.
        let stuck = at > self.at && place == self.place && self.velocity_fps != (0.0, 0.0);
        self.write(if stuck { "setCurrentLocation, not advanced" } else { "setCurrentLocation" });
        (self.place, self.at) = (place, at);
    }

    fn set_command(&mut self, at: Time, command: &str) {
        self.told += 1;
        self.write(&format!("setCommand {command} at {at:.0}"));
    }

    fn update_emotion_state(&mut self, frame: &mut Frame<'_>) {
        self.feels += 1;
        self.write("updateEmotionState");
        frame.team.set_robot_command(self.other, "zap");
    }

    fn get_emotion_state(&self) -> Name {
        self.write("getEmotionState");
        format!("GLEE {}", self.feels).into()
    }

    fn update_behavior_state(&mut self, _frame: &mut Frame<'_>) {
        self.does += 1;
        self.secret += 1.0;
        self.write(&format!("updateBehaviorState, told {} times", self.told));
    }

    fn get_behavior_state(&self) -> Name {
        self.write("getBehaviorState");
        format!("SPIN {}", self.does).into()
    }
}
