//! Invariants: what must hold between any two events of a run, whatever runs.
//!
//! A check looks at a `View`: in the simulator that of a team with one mechanism, in a reception that of the hall. Checks
//! that need nothing of a mechanism are written once, for every view of a team.

/// One invariant, looked at while a run goes on and once more when it is over.
pub trait Check<View: ?Sized>: Send {
    /// Its name, as reports call it.
    fn name(&self) -> &'static str;

    /// Looks between two events. The error says what is wrong, with names and numbers.
    fn look(&mut self, _view: &View) -> Result<(), String> {
        Ok(())
    }

    /// Looks when the run is over: what must have happened by then.
    fn end(&mut self, _view: &View) -> Result<(), String> {
        Ok(())
    }
}
