//! Moments of a run that are kept, so that any other can be shown without making the whole run again.
//!
//! A run is what its seed makes it, so any moment of its past is found by going on from one before it. How many are kept is
//! bounded; when there are too many, every other one goes. The moments that viewers look at are copies of their own, a
//! few of which are kept as well: whoever plays the past goes on from the moment before.

use muster_core::Time;

use crate::stage::OnStage;

/// A moment is kept after so much effort.
const EFFORT: u64 = 50_000;
/// Most moments that are kept of a small team, and most robots in all copies of a larger one.
const MOST: usize = 24;
const MOST_ROBOTS: u32 = 500_000;
/// Most copies that are kept because viewers looked at them.
const MOST_COPIES: usize = 4;

/// Moments of a run.
pub struct Keyframes<S> {
    kept: Vec<S>,
    every: u64,
    /// The one that was looked at last stands last.
    copies: Vec<S>,
}

impl<S: OnStage> Keyframes<S> {
    /// The beginning is always kept.
    pub fn new(stage: &S) -> Self {
        Self { kept: stage.twin().into_iter().collect(), every: EFFORT, copies: Vec::new() }
    }

    /// Keeps this moment, if it is time to.
    pub fn offer(&mut self, stage: &S) {
        let last = self.kept.last().map_or(0, S::effort);
        if self.kept.is_empty() || stage.effort() < last + self.every {
            return;
        }
        self.kept.extend(stage.twin());
        let most = (MOST_ROBOTS / stage.robots().max(1)).clamp(2, MOST as u32) as usize;
        if self.kept.len() > most {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                keep
            });
            self.every *= 2;
        }
    }

    /// The run as it was at `at`. Nothing, if it cannot be copied.
    pub fn at(&mut self, at: Time) -> Option<&S> {
        let before = |stage: &&S| stage.now() <= at;
        let kept = self.kept.iter().filter(before).max_by_key(|stage| stage.now())?;
        // A copy that is as near goes on, rather than a new one being made.
        let copy = (0..self.copies.len()).filter(|&index| before(&&self.copies[index]));
        let copy = copy.max_by_key(|&index| self.copies[index].now());
        let copy = copy.filter(|&index| self.copies[index].now() >= kept.now());
        let mut stage = match copy {
            Some(index) => self.copies.remove(index),
            None => kept.twin()?,
        };
        stage.advance(at, &mut || false);
        let most = (MOST_ROBOTS / stage.robots().max(1)).clamp(1, MOST_COPIES as u32) as usize;
        while self.copies.len() >= most {
            self.copies.remove(0);
        }
        self.copies.push(stage);
        self.copies.last()
    }
}
