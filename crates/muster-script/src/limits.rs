//! How much a script may use.

use rhai::Engine;

/// Bounds for each call of a script. Within a run the work of a robot is bounded by these times the calls of a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations (statements, expressions, calls) in one call. Counted through callbacks of `map`, `filter` and the like,
    /// too.
    pub operations: u64,
    /// How deep functions may call each other.
    pub call_levels: usize,
    /// How deep expressions may be nested.
    pub expression_depth: usize,
    /// Variables that may be alive at a time.
    pub variables: usize,
    /// Functions in a file.
    pub functions: usize,
    /// Bytes of a text.
    pub text_bytes: usize,
    /// Values in a list, with those of lists in it.
    pub list_values: usize,
    /// Entries of a map, with those of maps in it.
    pub map_entries: usize,
    /// Bytes that a robot may keep from one call to the next: everything in `this`, roughly.
    pub state_bytes: usize,
    /// Bytes that a robot may say in one call: notes, reasons and commands.
    pub said_bytes: usize,
}

impl Limits {
    /// For robots of a reception.
    ///
    /// The shipped robots use about 200 operations in a call, go 3 calls deep and keep 2 kB.
    pub const fn for_robots() -> Self {
        Self {
            // Twenty-five times what a robot needs, and a script without end is stopped within a few milliseconds.
            operations: 5_000,
            // In a build without optimisation a level takes up to 20 kB of a thread's 2 MB, and nested expressions as much.
            call_levels: 32,
            expression_depth: 32,
            // Each may hold a copy of the largest map that can be made, which takes an operation: 32 of some 10 MB.
            variables: 32,
            functions: 256,
            // A line of a log is seldom longer than 200.
            text_bytes: 10_000,
            // Lists in maps are not added up: a call can make as many of these as it has operations for, 10 MB in all.
            list_values: 500,
            map_entries: 250,
            // A thousand of them still fit anywhere, and are saved at once.
            state_bytes: 65_536,
            // Eighty long lines of a log; said in every call of half an hour that is still under 100 MB.
            said_bytes: 16_384,
        }
    }

    /// For policies, which may get an offer from every robot of a team: up to 5,000, each a map of two entries, with ten
    /// operations to look at each.
    pub const fn for_policies() -> Self {
        Self { operations: 50_000, list_values: 5_000, map_entries: 10_000, ..Self::for_robots() }
    }

    pub(crate) fn set(&self, engine: &mut Engine) {
        // Operations are counted by the meter instead: the engine forgets those of callbacks.
        engine
            .set_max_call_levels(self.call_levels)
            .set_max_expr_depths(self.expression_depth, self.expression_depth)
            .set_max_variables(self.variables)
            .set_max_functions(self.functions)
            .set_max_string_size(self.text_bytes)
            .set_max_array_size(self.list_values)
            .set_max_map_size(self.map_entries);
    }
}
