//! Many runs over all cores: results in order, whatever the number of threads; ends early when told to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// Who is to be told about progress, and who may call a halt.
pub struct Batch<'a> {
    /// Called with the number of runs that have just been done.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Set from elsewhere to end early with what was done so far.
    pub cancelled: &'a AtomicBool,
}

impl Batch<'_> {
    /// Nobody is told, nobody calls a halt.
    pub fn quiet() -> Batch<'static> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Batch { progress: &|_| {}, cancelled: &NEVER }
    }

    /// `work` for each of 0..count, in order; it reports its own progress. Cut short at the first gap if a
    /// halt was called.
    pub fn map<T: Send>(&self, count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let done = Mutex::new(Vec::new());
        self.each(count, &|index| {
            let result = work(index);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index as usize, result));
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut results: Vec<Option<T>> = Vec::new();
        results.resize_with(done.iter().map(|(index, _)| index + 1).max().unwrap_or(0), || None);
        for (index, result) in done {
            results[index] = Some(result);
        }
        results.into_iter().map_while(|result| result).collect()
    }

    /// `work` for each of 0..count on all cores, until a halt is called. Not generic: what shares work among threads is
    /// compiled once and not for every kind of result.
    fn each(&self, count: u64, work: &(dyn Fn(u64) + Sync)) {
        (0..count).into_par_iter().filter(|_| !self.is_cancelled()).for_each(work);
    }

    /// The same where `work` gives nothing for a run that the halt has broken off: that one, too, is a gap.
    pub fn map_whole<T: Send>(&self, count: u64, work: impl Fn(u64) -> Option<T> + Sync) -> Vec<T> {
        self.map(count, work).into_iter().map_while(|result| result).collect()
    }

    /// A halt was called.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
