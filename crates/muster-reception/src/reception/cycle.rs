//! One tick. [CARS, Figure 5]: clock; positions of all, with collisions; every robot's variables; plan view; every robot's
//! emotion; every robot's behaviour.
//!
//! Each of these is a phase that goes over all robots in their order. After it all of them publish, and what they told
//! each other is delivered. The paper says that variables are updated "based on the previous physical state", and not
//! whether that is the state before this tick's move or after; here it is after, so that a robot knows where it is.

use std::sync::Arc;

use crate::robot::{Frame, Place, Published, Reason, Report, Robot, Team};
use muster_core::Duration;

use super::entry::Entry;
use super::log::Deed;
use super::{BoxedRobot, Onlooker, Run, Scene};

/// How far the clock goes on with each tick: the paper counts time in whole numbers, which we take for seconds.
pub const TICK: Duration = Duration::from_secs(1);

impl Run {
    pub(super) fn tick(&mut self, robots: &mut [BoxedRobot], onlooker: &mut dyn Onlooker) {
        self.now += TICK;
        let wanted: Vec<Place> = robots.iter().map(|robot| robot.project_location(self.now)).collect();
        self.crowd.tick(TICK, &wanted);
        if onlooker.records() {
            onlooker.recorded(Entry::walked(self.now, &self.crowd));
        }
        for (index, robot) in robots.iter_mut().enumerate() {
            let place = self.crowd.robot(index);
            robot.set_current_location(self.now, place);
            if onlooker.records() {
                onlooker.recorded(Entry::Placed { at: self.now, robot: index as u32, place });
            }
            self.tell(index, robot, None, onlooker);
        }
        self.publish(robots, onlooker);
        self.deliver(robots, onlooker);
        self.phase(robots, onlooker, Robot::update_state_variables);
        onlooker.plan_view(&Scene { now: self.now, crowd: &self.crowd, robots: &self.published });
        self.phase(robots, onlooker, Robot::update_emotion_state);
        self.phase(robots, onlooker, Robot::update_behavior_state);
    }

    /// One after the other, each with what all had published before the first.
    fn phase(
        &mut self,
        robots: &mut [BoxedRobot],
        onlooker: &mut dyn Onlooker,
        exercise: fn(&mut (dyn Robot + Send + 'static), &mut Frame<'_>),
    ) {
        for (index, robot) in robots.iter_mut().enumerate() {
            let (mut report, said) = (Report::default(), self.outbox.len());
            let name = self.published[index].name.clone();
            let known = self.air.known_to(index, &self.published);
            let team = Team::new(name.clone(), known, &mut self.outbox);
            let frame = &mut Frame { now: self.now, dice: &mut self.dice[index], team, report: &mut report };
            exercise(&mut **robot, frame);
            for text in report.notes {
                self.log(onlooker, Deed::Note { robot: name.clone(), text });
            }
            self.tell(index, robot, report.because, onlooker);
            for index in said..self.outbox.len() {
                let command = self.outbox[index].clone();
                self.log(onlooker, Deed::Command(command));
            }
        }
        self.publish(robots, onlooker);
        self.deliver(robots, onlooker);
    }

    /// Logs what has changed of a robot since it was last looked at, whatever changed it.
    pub(super) fn tell(
        &mut self,
        index: usize,
        robot: &BoxedRobot,
        because: Option<Reason>,
        onlooker: &mut dyn Onlooker,
    ) {
        let (emotion, behavior) = (robot.get_emotion_state(), robot.get_behavior_state());
        // After these: what it says of itself is what a robot may fail at.
        let failure = robot.failure();
        let told = &mut self.told[index];
        let failed = std::mem::replace(&mut told.failed, failure.is_some());
        let felt = std::mem::replace(&mut told.emotion, emotion.clone());
        let did = std::mem::replace(&mut told.behavior, behavior.clone());
        let robot = self.published[index].name.clone();
        if let (false, Some(text)) = (failed, failure) {
            self.log(onlooker, Deed::Note { robot: robot.clone(), text });
        }
        if felt != emotion {
            self.log(onlooker, Deed::Emotion { robot: robot.clone(), old: felt, new: emotion, because });
        } else if let Some(because) = because
            && let Some(change) = because.change().filter(|change| !change.is_another() && change.new.name == emotion)
        {
            let [old, new] = [&change.old, &change.new].map(|felt| felt.affect.to_string().into());
            self.log(onlooker, Deed::Level { robot: robot.clone(), emotion, old, new, because });
        }
        if did != behavior {
            self.log(onlooker, Deed::Behavior { robot, old: did, new: behavior });
        }
    }

    fn publish(&mut self, robots: &[BoxedRobot], onlooker: &mut dyn Onlooker) {
        for (index, (published, robot)) in Arc::make_mut(&mut self.published).iter_mut().zip(robots).enumerate() {
            // A robot keeps the name that it was addressed by when it came, whatever it says later.
            let name = published.name.clone();
            let news = Published { name, ..Published::of(&**robot) };
            if onlooker.records() && news != *published {
                onlooker.recorded(Entry::published(self.now, index as u32, &news));
            }
            *published = news;
        }
        self.air.publish(self.now, &self.published);
    }

    /// What was said goes on the air, and what has arrived is handed over.
    fn deliver(&mut self, robots: &mut [BoxedRobot], onlooker: &mut dyn Onlooker) {
        for command in std::mem::take(&mut self.outbox) {
            let to = self.published.iter().position(|robot| robot.name == command.to);
            let to = to.expect("the recipient exists: `Team` checked it");
            if !self.air.tell(self.now, to, command.clone()) {
                self.log(onlooker, Deed::Lost(command));
            }
        }
        let now = self.now;
        let arrived = self.air.arrive(now, |robot, of, news| {
            if onlooker.records() {
                onlooker.recorded(Entry::reached(now, robot as u32, of as u32, news));
            }
        });
        for (to, command) in arrived {
            robots[to].set_command(self.now, &command.text);
            self.log(onlooker, Deed::Heard(command));
            self.tell(to, &robots[to], None, onlooker);
        }
    }
}
