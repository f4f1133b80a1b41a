//! CARS: a reception with robots that have emotions, among guests that get in their way.
//!
//! - [`robot`]: the interface that all robots have, and the two of the paper. Read it first.
//! - [`script`]: robots whose class is a script.
//! - [`crowd`]: the field, and who is in whose way on it.
//! - [`Reception`]: robots in a crowd, tick by tick; what happens is a [`Line`] each.
//! - [`Entry`]: a reception as a list; [`recording`]: the list as a file, made again and compared; [`explain`]: why.
//! - [`scenario`]: `[reception]` in scenario files, and any scenario by its name.
//!
//! A crate of its own above the simulator of missions: receptions tick, measure in feet, know no mechanism and no event
//! queue, and are no part of what a robot in the field needs. Of `muster-sim` it uses what reads scenario files.

pub mod crowd;
pub mod explain;
mod reception;
pub mod recording;
pub mod robot;
pub mod scenario;
pub mod script;

pub use reception::{
    BadLine, BoxedRobot, Class, Deed, Entry, Line, Link, Onlooker, Reception, ReceptionError, Replay, Scene, Settings,
    Standing, Status, TICK, butler, checks, hall, leguin,
};
