//! Progress on a terminal, silence in a pipe; Ctrl-C ends long work with what was done so far.

use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, Result, WrapErr};
use muster_studies::batch::Batch;

use crate::cli::Threads;

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Does long `work` over the threads asked for, with a progress bar of `total` steps.
pub fn with_progress<T: Send>(
    threads: &Threads,
    total: u64,
    what: &str,
    work: impl FnOnce(&Batch<'_>) -> T + Send,
) -> Result<T> {
    heed_interrupts();
    let bar = ProgressBar::new(total).with_message(what.to_owned());
    bar.set_style(
        ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
            .into_diagnostic()
            .wrap_err("the progress bar's template is wrong")?,
    );
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.threads.map_or(0, usize::from))
        .build()
        .into_diagnostic()
        .wrap_err("the threads cannot be started; try fewer with --threads")?;
    let batch = Batch { progress: &|steps| bar.inc(steps), cancelled: &CANCELLED };
    let result = pool.install(|| work(&batch));
    bar.finish_and_clear();
    Ok(result)
}

/// From now on the first Ctrl-C is noted, not obeyed.
pub fn heed_interrupts() {
    // Only the first call can install it; a second command in one process keeps the first one's.
    let _ = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            // Twice: the person means it.
            std::process::exit(130);
        }
    });
}

/// Somebody has pressed Ctrl-C.
pub fn was_interrupted() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}
