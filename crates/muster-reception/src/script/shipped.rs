//! Robots that come with Muster.

use std::sync::Arc;

use muster_core::affect::Table;
use muster_script::Limits;

use super::{Class, Setting, Settings};

/// The waiter.
pub const BUTLER: &str = include_str!("../../../../robots/butler.rhai");
/// The refiller.
pub const LEGUIN: &str = include_str!("../../../../robots/leguin.rhai");

/// What a class is called, its file, its text, and the name of its robot if that is not the text's.
const ROBOTS: [(&str, &str, &str, Option<&str>); 3] = [
    ("butler", "robots/butler.rhai", BUTLER, None),
    ("leguin", "robots/leguin.rhai", LEGUIN, None),
    // "Essentially a clone of Leguin with the exception of the change of name." [CARS, Experimental Results]
    ("vonda", "robots/leguin.rhai", LEGUIN, Some("Vonda")),
];

/// The classes that there are.
pub fn classes() -> impl ExactSizeIterator<Item = &'static str> {
    ROBOTS.iter().map(|(class, ..)| *class)
}

/// A shipped class by its name; nothing if there is none.
pub fn class(name: &str, table: Arc<Table>) -> Option<Arc<Class>> {
    let (_, file, text, robot) = ROBOTS.iter().find(|(class, ..)| *class == name)?;
    let made = Class::new(file, text, table, Limits::for_robots());
    let class = made.unwrap_or_else(|error| unreachable!("the tests load every shipped script: {error}"));
    let named: Settings = robot.iter().map(|name| ("name".to_owned(), Setting::Text((*name).to_owned()))).collect();
    class.with_defaults(&named).map(Arc::new).ok()
}
