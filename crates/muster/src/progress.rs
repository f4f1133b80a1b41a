//! Progress on a terminal, silence in a pipe; Ctrl-C ends long work with what was done so far, and so do the signals of a
//! system that shuts down or a terminal that is closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use miette::{IntoDiagnostic, Result, WrapErr};
use muster_journal::columns::printable;
use muster_studies::batch::Batch;

use crate::cli::Threads;

static CANCELLED: AtomicBool = AtomicBool::new(false);
static TOLD_AT: OnceLock<Instant> = OnceLock::new();
/// As much as programs have as a rule; threads have less.
const STACK: usize = 8 << 20;
/// How often it is asked whether work is done: seldom enough to cost nothing, often enough that nobody notices.
const POLL: Duration = Duration::from_millis(1);
/// What may still be made after Ctrl-C has to be made within this.
const GRACE: Duration = Duration::from_millis(500);

/// Does long `work` over the threads asked for, with a progress bar of `total` steps.
pub fn with_progress<T: Send>(
    threads: &Threads,
    total: u64,
    what: &str,
    work: impl FnOnce(&Batch<'_>) -> T + Send,
) -> Result<T> {
    heed_interrupts();
    let bar = ProgressBar::new(total).with_message(printable(what).into_owned());
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

/// From now on the first signal to end is noted, not obeyed.
pub fn heed_interrupts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Should the system refuse, Ctrl-C ends the program at once, as it does any other.
        let _ = muster_console::on_told_to_end(|| {
            if CANCELLED.swap(true, Ordering::Relaxed) {
                // Twice: the person means it.
                std::process::exit(130);
            }
            let _ = TOLD_AT.set(Instant::now());
        });
    });
}

/// Does work that cannot be asked to stop, on a thread of its own: what came of it, or nothing if Ctrl-C came first.
pub fn unless_interrupted<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
    unless(was_interrupted, work)
}

/// The same for work that may still be done in the half second after Ctrl-C, since it is needed to say anything at all.
pub fn unless_out_of_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
    unless(is_out_of_time, work)
}

fn unless<T: Send + 'static>(halt: fn() -> bool, work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
    heed_interrupts();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.into_diagnostic().wrap_err("a thread cannot be started; close other programs")?;
    while !thread.is_finished() {
        if halt() {
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
    thread.join().map(Some).map_err(|panic| std::panic::resume_unwind(panic))
}

/// Somebody has pressed Ctrl-C, and half a second is over since: what is only there to be looked at is left out now.
pub fn is_out_of_time() -> bool {
    was_interrupted() && TOLD_AT.get().is_some_and(|at| at.elapsed() > GRACE)
}

/// Somebody has pressed Ctrl-C.
pub fn was_interrupted() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}
