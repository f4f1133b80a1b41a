//! A robot of two generators and a body: what waiters and refillers have in common, which is most of a robot.

use std::sync::Arc;

use muster_core::affect::{Emotion, Name, Stress};
use muster_core::panel::{Feeling, Field};
use muster_core::time::Time;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::saved::{Garbled, pack, unpack};
use super::{Bsg, Esg, Frame, Legs, Place, Reason, Robot, Variables};

/// A body with its variables: all that the two generators of a robot share.
pub trait Body: Serialize + DeserializeOwned + Send {
    /// What does not change in a run.
    type Config: PartialEq;
    /// What the robot's panel marks as long as both generators are those that it was made with.
    type Marks: Send;

    /// As at first.
    fn new(config: Arc<Self::Config>) -> Self;

    /// What does not change.
    fn config(&self) -> &Arc<Self::Config>;

    /// What the robot is called.
    fn name(&self) -> &Name;

    /// Place, speed and destination of the body.
    fn legs(&self) -> &Legs;

    /// How it gets about, to be told so.
    fn legs_mut(&mut self) -> &mut Legs;

    /// A run begins.
    fn begin(&mut self, _frame: &mut Frame<'_>) {}

    /// Updates its variables, given what the robot does.
    fn update(&mut self, frame: &mut Frame<'_>, behavior: &str);

    /// The robot is told to do something.
    fn hear(&mut self, _command: &str) {}

    /// The variables that the robot gives out, with those that its generator knows.
    fn variables(&self, esg: &dyn Esg<Self>) -> Variables;

    /// A variable as the robot's panel shows it.
    fn shown(&self, variable: Field, marks: Option<&Self::Marks>) -> Field;
}

/// A robot of two generators, either of which can be replaced, and a body.
pub struct TwoPart<B: Body> {
    /// Its body and variables.
    pub body: B,
    esg: Box<dyn Esg<B>>,
    bsg: Box<dyn Bsg<B>>,
    /// Nothing if either generator is another one.
    marks: Option<B::Marks>,
}

impl<B: Body> TwoPart<B> {
    /// A robot with the generators that belong to its body.
    pub(super) fn made(
        config: B::Config,
        esg: impl Esg<B> + 'static,
        bsg: impl Bsg<B> + 'static,
        marks: Option<B::Marks>,
    ) -> Self {
        Self { body: B::new(Arc::new(config)), esg: Box::new(esg), bsg: Box::new(bsg), marks }
    }

    /// The same with another emotion state generator.
    pub fn with_esg(self, esg: impl Esg<B> + 'static) -> Self {
        Self { esg: Box::new(esg), marks: None, ..self }
    }

    /// The same with another behaviour state generator.
    pub fn with_bsg(self, bsg: impl Bsg<B> + 'static) -> Self {
        Self { bsg: Box::new(bsg), marks: None, ..self }
    }

    /// What it feels, with all that belongs to it.
    pub fn emotion(&self) -> &Emotion {
        self.esg.emotion()
    }

    /// Its stress, if its generator reckons so.
    pub fn stress(&self) -> Option<Stress> {
        self.esg.stress()
    }
}

impl<B: Body> Robot for TwoPart<B> {
    fn init_robot(&mut self, frame: &mut Frame<'_>) {
        self.body = B::new(Arc::clone(self.body.config()));
        self.body.begin(frame);
        self.esg.start(frame.now);
        self.bsg.start();
    }

    fn get_name(&self) -> Name {
        self.body.name().clone()
    }

    fn get_speed(&self) -> f64 {
        self.body.legs().speed_fps()
    }

    fn get_direction(&self) -> f64 {
        self.body.legs().direction()
    }

    fn update_state_variables(&mut self, frame: &mut Frame<'_>) {
        self.body.update(frame, self.bsg.behavior());
    }

    fn get_state_variables(&self) -> Variables {
        self.body.variables(&*self.esg)
    }

    fn get_current_location(&self) -> Place {
        self.body.legs().place()
    }

    fn project_location(&self, at: Time) -> Place {
        self.body.legs().project(at)
    }

    fn set_current_location(&mut self, at: Time, place: Place) {
        self.body.legs_mut().put(at, place);
    }

    fn set_command(&mut self, _at: Time, command: &str) {
        self.body.hear(command);
    }

    fn update_emotion_state(&mut self, frame: &mut Frame<'_>) {
        let change = self.esg.feel(frame.now, self.bsg.behavior(), &self.body);
        frame.report.because = change.map(Reason::from);
    }

    fn get_emotion_state(&self) -> Name {
        self.esg.emotion().name.clone()
    }

    fn update_behavior_state(&mut self, frame: &mut Frame<'_>) {
        self.bsg.decide(frame, &self.esg.emotion().name, &mut self.body);
    }

    fn get_behavior_state(&self) -> Name {
        self.bsg.behavior().into()
    }

    fn panel(&self) -> Vec<Field> {
        let variables = self.get_state_variables().fields().into_iter();
        variables.map(|variable| self.body.shown(variable, self.marks.as_ref())).collect()
    }

    fn feeling(&self) -> Option<Feeling> {
        self.esg.feeling()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(pack(&(&self.body, self.esg.save()?, self.bsg.save()?)))
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), Garbled> {
        let (body, felt, done): (B, Vec<u8>, Vec<u8>) = unpack(saved)?;
        self.esg.restore(&felt)?;
        self.bsg.restore(&done)?;
        if body.config() != self.body.config() {
            return Err(Garbled::new(format!("its settings were those of {}, or other ones", body.name())));
        }
        self.body = body;
        Ok(())
    }
}
