//! Robots of a reception, after CARS: the interface that all of them have, what they may ask of each other, and the two
//! that the paper describes, a waiter and a refiller.
//!
//! Read before editing: the CARS part of Lisetti et al., Figure 7 above all; Table 2 for what emotions lead to.
//!
//! A module of its own beside [`affect`](muster_core::affect): that is about emotions, which are plain values that anybody may
//! use; this is about robots that have them. And no [`Mechanism`](muster_core::mechanism::Mechanism): these robots do not wait
//! for inputs, they are exercised once in each phase of a cycle, all of them in the same order.
//!
//! [CARS, Inter-Robot Communication] has robots call each other through the simulator. Here a call reads what the other
//! one *published* at the end of the last completed phase, and commands arrive before the next phase, so that no robot
//! sees another half-way through a phase, whatever their order. Whoever drives robots over a radio publishes what was
//! last heard.
//!
//! A robot is made of two parts that know nothing of each other's insides: an [`Esg`], which says what it feels, and a
//! [`Bsg`], which says what it does, given the emotion. Either can be replaced, an ESG even by a [`Constant`].
//!
//! Like all of the core this has no clock and no dice: both are lent, in a [`Frame`].

pub mod butler;
mod legs;
pub mod leguin;
mod parts;
mod place;
mod reason;
pub mod saved;
mod settings;
mod team;
mod two_part;
mod variables;

pub use butler::Butler;
pub use legs::Legs;
pub use leguin::Leguin;
pub use parts::{Bsg, Constant, Esg, Schemata};
pub use place::Place;
pub use reason::Reason;
pub use saved::Garbled;
pub use team::{Command, Frame, Published, Report, Team, behavior, command, variable};
pub use two_part::{Body, TwoPart};
pub use variables::{Value, Variables};

use muster_core::affect::Name;
use muster_core::panel::{Feeling, Field};
use muster_core::time::Time;

/// The common robot interface. [CARS, Figure 7]
///
/// The fourteen keep the paper's names, `get_` and all: robots that come as scripts have to define these very names.
/// The driver of a robot calls `init_robot` first, then `set_current_location` with the place where it starts.
pub trait Robot {
    /// Forgets everything and is as at first.
    fn init_robot(&mut self, frame: &mut Frame<'_>);

    /// What it is called, by others and on displays.
    fn get_name(&self) -> Name;

    /// How fast it means to go, in feet per second.
    fn get_speed(&self) -> f64;

    /// In which direction: radians, 0 = east, counter-clockwise.
    fn get_direction(&self) -> f64;

    /// Updates its variables from where everybody is by now, and from the emotion and the behaviour that it had.
    fn update_state_variables(&mut self, frame: &mut Frame<'_>);

    /// What it lets others know of them.
    fn get_state_variables(&self) -> Variables;

    /// Its place, in feet.
    fn get_current_location(&self) -> Place;

    /// Where it wants to be at the time `at`.
    fn project_location(&self, at: Time) -> Place;

    /// It is here now. If that is where it was although it wanted to move, something was in its way.
    fn set_current_location(&mut self, at: Time, place: Place);

    /// It is told to do something.
    fn set_command(&mut self, at: Time, command: &str);

    /// Exercises its emotion state generator.
    fn update_emotion_state(&mut self, frame: &mut Frame<'_>);

    /// Name of the emotion it feels.
    fn get_emotion_state(&self) -> Name;

    /// Exercises its behaviour state generator.
    fn update_behavior_state(&mut self, frame: &mut Frame<'_>);

    /// Name of the behaviour it is at.
    fn get_behavior_state(&self) -> Name;

    /// What its panel shows of it, beside emotion and behaviour: its own choice, and all that it gives out unless it
    /// chooses. Ours, as are the next four.
    fn panel(&self) -> Vec<Field> {
        self.get_state_variables().fields()
    }

    /// What it feels with face and causal chain, if there is more to it than a name.
    fn feeling(&self) -> Option<Feeling> {
        None
    }

    /// Why it has failed for good, as a script may; from then on it stands still.
    fn failure(&self) -> Option<String> {
        None
    }

    /// All that it takes to go on from here, to the last bit; nothing if it cannot be saved.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Goes on from where it was when a robot like this was saved.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), Garbled> {
        Err(Garbled::new("a robot of this kind cannot be saved"))
    }
}
