//! Robots as scripts: what they can do, what they cannot, and how they are saved.

mod common;
mod interface;
mod sandbox;
mod saving;
