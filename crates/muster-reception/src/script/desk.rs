//! What a robot's script is lent while it runs: a desk of the thread, with what the robot's frame lends on it.
//!
//! Functions of the host have to own what they use, and a frame is borrowed. So what they need is laid on the desk before
//! a call and taken back after it. One desk for each thread: a script runs on one, and never two at a time.

use std::cell::RefCell;
use std::sync::Arc;

use crate::robot::{Frame, Published, Reason};
use muster_core::Time;
use muster_core::affect::{Change, Name};
use muster_core::rng::Stream;
use rhai::EvalAltResult;

/// What is on the desk.
pub(crate) struct Desk {
    pub now: Time,
    pub dice: Stream,
    pub published: Arc<[Published]>,
    /// To whom, and what.
    pub commands: Vec<(Name, Name)>,
    pub notes: Vec<String>,
    /// Why it feels what it feels, if the script has said anything about that.
    pub because: Option<Reason>,
    /// How feelings changed in this call, each with its sentence.
    felt: Vec<(String, Change)>,
    /// Bytes that may still be said.
    room: usize,
}

impl Desk {
    /// There is room to say this; from then on there is less.
    pub fn may_say(&mut self, text: &str) -> Result<(), Box<EvalAltResult>> {
        // A line has more to it than its words.
        match self.room.checked_sub(text.len() + 32) {
            Some(room) => self.room = room,
            None => return Err("it says too much in one call: say less, or not in a loop".into()),
        }
        Ok(())
    }

    /// Feelings have changed; tells the sentence, which is what a script gets.
    pub fn feels(&mut self, change: Change) -> String {
        let sentence = change.to_string();
        self.felt.push((sentence.clone(), change));
        sentence
    }

    /// A reason that a script gives: the change of which this is the sentence, or the words as they are.
    pub fn reason(&self, text: &str) -> Reason {
        let felt = self.felt.iter().rev().find(|(sentence, _)| sentence == text);
        felt.map_or_else(|| Reason::Said(text.to_owned()), |(_, change)| change.clone().into())
    }

    pub fn robot(&self, name: &str) -> Option<&Published> {
        self.published.iter().find(|robot| robot.name == *name)
    }
}

thread_local! {
    static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) };
}

/// Lends a frame for the time of a call. What the script said goes to the frame; commands only if the call succeeded, so
/// that nobody acts on half a decision.
pub(crate) fn lend<T, E>(frame: &mut Frame<'_>, room: usize, call: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let desk = Desk {
        now: frame.now,
        dice: frame.dice.clone(),
        published: Arc::clone(frame.team.published()),
        commands: Vec::new(),
        notes: Vec::new(),
        because: None,
        felt: Vec::new(),
        room,
    };
    DESK.set(Some(desk));
    let result = call();
    if let Some(desk) = DESK.take() {
        *frame.dice = desk.dice;
        frame.report.notes.extend(desk.notes);
        if result.is_ok() {
            frame.report.because = desk.because;
            for (to, text) in &desk.commands {
                frame.team.set_robot_command(to, text);
            }
        }
    }
    result
}

/// Uses what is on the desk; `what` is not to be had at other times.
pub(crate) fn at<T>(what: &str, using: impl FnOnce(&mut Desk) -> T) -> Result<T, Box<EvalAltResult>> {
    DESK.with_borrow_mut(|desk| match desk {
        Some(desk) => Ok(using(desk)),
        None => Err(format!(
            "`{what}` can be called in init_robot, update_state_variables, update_emotion_state and update_behavior_state \
             only: keep what you need in `this`"
        )
        .into()),
    })
}

/// Says something, if there is anybody to hear it.
pub(crate) fn say(text: &str) {
    DESK.with_borrow_mut(|desk| {
        if let Some(desk) = desk
            && desk.may_say(text).is_ok()
        {
            desk.notes.push(text.to_owned());
        }
    });
}
