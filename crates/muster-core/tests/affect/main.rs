//! Emotions [Lisetti et al., AKR]: the table and its components, how emotions come and go, and what they do to a robot.
//!
//! Sections are those of the paper: Affective Knowledge Representation, Emotion Components, Functional Attributes and
//! Action Tendencies, Emotion Beliefs and Causal Chains, Emotional States Dynamics. What the paper leaves open and is
//! ours is marked [OWN] and argued in docs/emotions.md.

mod components;
mod dynamics;
mod flaws;
mod generator;
mod hierarchy;
mod levels;
mod rows;
mod saved;
mod world;
