//! The study of MacKenzie 2003: the example mission, the three claims, the weaknesses.

pub mod figures;
pub mod saboteur;
pub mod sampling;
pub mod script;
pub mod trial;
pub mod weaknesses;
pub mod witness;
