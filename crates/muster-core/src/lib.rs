//! Coordination mechanisms for robot teams without a coordinator, as plain state machines.
//!
//! Read [`mechanism`] first: it holds the one trait and its contract. The rest is the vocabulary that all
//! mechanisms share, and one module per mechanism. Nothing here has a clock, entropy, I/O or threads, so
//! the same machines can be driven by a simulator, a replay, a test or a robot.
//!
//! The vocabulary:
//!
//! - [`mechanism`]: [`Mechanism`], [`Input`], [`Output`], [`Context`]; [`node`]: one robot, driven; [`check`]: invariants.
//! - [`time`]: integer microseconds; [`timer`]: deadlines; [`rng`]: streams by seed, purpose and robot; [`chance`]: what
//!   machines leave to chance, a trait, so that a checker can try every outcome.
//! - [`robot`], [`motion`], [`task`]: bodies, places as a function of time, tasks, percepts, orders, actions.
//! - [`event`]: what is noted about decisions; [`telling`]: what notes mean, in words and as awards; [`names`]: what robots
//!   and tasks are called; [`panel`]: what robots show of themselves.
//! - [`affect`]: emotions as plain values (AKR), of which SHAME is one: tables, causal chains, moods, personality, dynamics.
//!
//! A mechanism has its machine, messages, timers and memory in one file, and below it `config.rs` (every value with its
//! source), `step.rs` (what it notes), `telling.rs` and `untaken.rs` (what its notes say, and why nobody took a task),
//! `panel.rs` (what it shows), and what is particular to it:
//!
//! - [`recruitment`]: `requesting.rs` (calling, choosing, handing over) and `responding.rs` (whether to answer, and what
//!   follows), side by side in every robot; `shame.rs` (the three formulas); `policy.rs` (decisions from outside).
//! - [`alliance`]: `motivation.rs` (the formal model; read it first), `feedback.rs`, `knowledge.rs` (what was learned),
//!   `planning.rs` (beyond the report).
//! - [`tasking`]: a file for each role (`user.rs`, `candidate.rs`, `lead.rs`, `bidder.rs`, `holder.rs`, `peer.rs`; `desk.rs` says
//!   what each may touch), `order.rs` (one order of a node; beside it `succession.rs`, `hearing.rs`, `timers.rs`), `known.rs`,
//!   `kept.rs`, `admission.rs` and `tombstone.rs` (what is known of an order, survives a restart, is let in, is over), `craft.rs`
//!   (the node apart from any order), `cost.rs`, `corridor.rs` and `sampling.rs` (what a bid is made of), `group.rs`
//!   (couplings), and the exact Task Assigner in `assigner/` (`relaxation.rs` first).

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
pub use robot::{Base, Body, Percepts, Point, Pose, RobotId};
pub use task::{Action, Brief, Delivery, Kind, Order, Percept, Phase, Task, TaskId};
pub use time::{Duration, Time};
