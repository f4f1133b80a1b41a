//! A meter of the thread: how many operations a script may still use in the call that runs. A script runs on one thread,
//! and never two at a time.

use std::cell::Cell;

thread_local! {
    /// Operations that are left to the call.
    static LEFT: Cell<u64> = const { Cell::new(0) };
    /// It wanted more of them.
    static OVERDRAWN: Cell<bool> = const { Cell::new(false) };
}

/// Operations that a call may use.
pub(crate) fn refill(operations: u64) {
    LEFT.set(operations);
    OVERDRAWN.set(false);
}

/// The call wanted more operations than it had. Some functions of the language take the error of a callback for its answer.
pub(crate) fn is_overdrawn() -> bool {
    OVERDRAWN.get()
}

/// Uses up one operation; says whether there was one.
pub(crate) fn spend() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    OVERDRAWN.set(OVERDRAWN.get() || left == 0);
    left > 0
}
