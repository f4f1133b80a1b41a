//! The buttons: init, start, pause, stop. [CARS, Simulation Control] defines the first two; the others are ours: a pause
//! holds the clock, a stop ends the run and closes the log.

use std::fmt;
use std::sync::Arc;

use crate::robot::{Frame, Place, Published, Report, Team};
use muster_core::rng::{Purpose, Stream};
use muster_core::{RobotId, Time};
use serde::{Deserialize, Serialize};

use super::air::Air;
use super::cycle::TICK;
use super::entry::Entry;
use super::log::{Deed, Line, LogFile};
use super::{Onlooker, Reception, ReceptionError, Run, Told};
use crate::crowd::Crowd;

/// What has been asked of a reception so far, and hence what may be asked next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Nothing was initialised yet.
    New,
    /// Everybody is in place.
    Ready,
    /// The clock runs.
    Running,
    /// The clock is held.
    Paused,
    /// The run is over.
    Stopped,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::New => "not initialised",
            Self::Ready => "ready",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
        })
    }
}

impl Reception {
    /// Everything from the beginning: robots, guests, clock, log. The same seed gives the same, however often.
    pub fn init(&mut self, onlooker: &mut dyn Onlooker) -> Result<(), ReceptionError> {
        self.run = None;
        self.standing = Standing::New;
        let crowd = Crowd::new(&self.setup, self.seed)?;
        let file = self.log_path.clone().map(LogFile::create).transpose()?;
        let stream = |index| Stream::new(self.seed, Purpose::Choice, RobotId(index as u32));
        let mut dice: Vec<Stream> = (0..self.robots.len()).map(stream).collect();
        let (mut outbox, mut notes) = (Vec::new(), Vec::new());
        // Nobody has published anything yet, so there is nobody to talk to.
        let nobody = Arc::from([]);
        for (index, (robot, dice)) in self.robots.iter_mut().zip(&mut dice).enumerate() {
            let (name, mut report) = (robot.get_name(), Report::default());
            let team = Team::new(name.clone(), &nobody, &mut outbox);
            robot.init_robot(&mut Frame { now: Time::ZERO, dice, team, report: &mut report });
            robot.set_current_location(Time::ZERO, crowd.robot(index));
            notes.extend(report.notes.into_iter().map(|text| Deed::Note { robot: name.clone(), text }));
        }
        let published: Arc<[Published]> = self.robots.iter().map(|robot| Published::of(&**robot)).collect();
        let air = Air::new(self.link, self.seed, &published);
        let told = published.iter().map(|robot| Told {
            emotion: robot.emotion.clone(),
            behavior: robot.behavior.clone(),
            failed: false,
        });
        let told = told.collect();
        let mut run = Run { now: Time::ZERO, crowd, dice, published, told, outbox, air, file, unwritten: None };
        let (width_ft, height_ft) = run.crowd.field_ft();
        run.log(onlooker, Deed::Init { seed: self.seed, width_ft, height_ft, guests: run.crowd.guest_count() });
        for robot in Arc::clone(&run.published).iter().cloned() {
            let Published { name, location, emotion, behavior, .. } = robot;
            run.log(onlooker, Deed::Robot { name, at: location, emotion, behavior });
        }
        if onlooker.records() {
            onlooker.recorded(Entry::walked(run.now, &run.crowd));
            let made_known = run.published.iter().zip(0..);
            made_known.for_each(|(news, robot)| onlooker.recorded(Entry::published(run.now, robot, news)));
        }
        for note in notes {
            run.log(onlooker, note);
        }
        for (index, robot) in self.robots.iter().enumerate() {
            run.tell(index, robot, None, onlooker);
        }
        run.written()?;
        self.run = Some(run);
        self.standing = Standing::Ready;
        Ok(())
    }

    /// Lets the clock run, at first or after a pause. Nothing happens if it runs already.
    pub fn start(&mut self) -> Result<(), ReceptionError> {
        match self.standing {
            Standing::Ready | Standing::Running | Standing::Paused => {
                self.standing = Standing::Running;
                Ok(())
            }
            Standing::New | Standing::Stopped => Err(self.refused("start", "press init first")),
        }
    }

    /// Holds the clock and everybody with it. Nothing is logged: a run with a pause is a run without.
    pub fn pause(&mut self) -> Result<(), ReceptionError> {
        match self.standing {
            Standing::Running | Standing::Paused => {
                self.standing = Standing::Paused;
                Ok(())
            }
            _ => Err(self.refused("pause", "only a running one can be paused")),
        }
    }

    /// Ends the run and closes the log. Tells if some of it could not be written.
    pub fn stop(&mut self, onlooker: &mut dyn Onlooker) -> Result<(), ReceptionError> {
        match (self.standing, &mut self.run) {
            (Standing::Ready | Standing::Running | Standing::Paused, Some(run)) => {
                self.standing = Standing::Stopped;
                run.log(onlooker, Deed::Stop);
                let closed = run.file.take().map_or(Ok(()), LogFile::close);
                run.written().and(closed)
            }
            _ => Err(self.refused("stop", "press init first")),
        }
    }

    /// One tick, if the clock runs; says whether it does.
    pub fn tick(&mut self, onlooker: &mut dyn Onlooker) -> bool {
        match (self.standing, &mut self.run) {
            (Standing::Running, Some(run)) => {
                run.tick(&mut self.robots, onlooker);
                true
            }
            _ => false,
        }
    }

    /// Ticks until it is `until`, or the clock is held.
    pub fn run_until(&mut self, until: Time, onlooker: &mut dyn Onlooker) {
        while self.now() + TICK <= until && self.tick(onlooker) {}
    }

    /// Where a robot starts, from the next `init` on.
    pub fn set_start(&mut self, robot: usize, place: Place) {
        self.setup.robots[robot] = place;
    }

    pub(super) fn refused(&self, verb: &'static str, help: &'static str) -> ReceptionError {
        ReceptionError::Refused { verb, standing: self.standing, help }
    }
}

impl Run {
    pub(super) fn log(&mut self, onlooker: &mut dyn Onlooker, deed: Deed) {
        let line = Line { at: self.now, deed };
        if let Some(file) = &mut self.file
            && let Err(error) = file.write(&line)
        {
            self.unwritten.get_or_insert(error);
        }
        onlooker.logged(&line);
        if onlooker.records() {
            onlooker.recorded(Entry::Logged(line));
        }
    }

    fn written(&mut self) -> Result<(), ReceptionError> {
        self.unwritten.take().map_or(Ok(()), Err)
    }
}
