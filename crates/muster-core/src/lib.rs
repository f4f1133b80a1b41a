//! Coordination mechanisms for robot teams without a coordinator, as plain state machines.
//!
//! Read [`mechanism`] first: it holds the one trait and its contract. The rest is the vocabulary that all
//! mechanisms share, and one module per mechanism. Nothing here has a clock, entropy, I/O or threads, so
//! the same machines can be driven by a simulator, a replay, a test or a robot.

pub mod affect;
pub mod alliance;
pub mod chance;
pub mod check;
pub mod event;
pub mod mechanism;
pub mod motion;
pub mod names;
pub mod node;
pub mod panel;
pub mod recruitment;
pub mod rng;
pub mod robot;
pub mod task;
pub mod tasking;
pub mod telling;
pub mod time;
pub mod timer;

pub use chance::{Chance, Dice};
pub use check::Check;
pub use event::{Event, Note};
pub use mechanism::{Context, Input, Mechanism, Output, Recipient};
pub use names::Names;
pub use node::Node;
pub use robot::{Body, Percepts, Point, Pose, RobotId};
pub use task::{Action, Brief, Delivery, Kind, Order, Percept, Phase, Task, TaskId};
pub use time::{Duration, Time};
