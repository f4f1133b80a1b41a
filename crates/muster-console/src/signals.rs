//! Signals to end: Ctrl-C, a request to terminate, a terminal that was closed.

use std::io;

/// Waits for signals to end. A hang-up that whoever started this program has set to be ignored (`nohup`) stays ignored.
pub struct Signals {
    #[cfg(unix)]
    each: Vec<tokio::signal::unix::Signal>,
}

impl Signals {
    /// From now on these signals do not end the program by themselves. To be called within a runtime.
    #[cfg(unix)]
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut each = vec![signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?];
        if !hangup_is_ignored() {
            each.push(signal(SignalKind::hangup())?);
        }
        Ok(Self { each })
    }

    /// The next of them.
    #[cfg(unix)]
    pub async fn next(&mut self) {
        std::future::poll_fn(|cx| {
            let any = self.each.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
            if any { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }

    /// From now on Ctrl-C does not end the program by itself.
    #[cfg(not(unix))]
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    /// The next of them.
    #[cfg(not(unix))]
    pub async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Linux tells which signals are ignored; elsewhere none is taken to be.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is signal 1, the lowest bit.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Calls `act` at each signal to end, on a thread of its own.
pub fn on_told_to_end(mut act: impl FnMut() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let mut signals = {
        let _inside = runtime.enter();
        Signals::listen()?
    };
    let wait = move || {
        runtime.block_on(async {
            loop {
                signals.next().await;
                act();
            }
        })
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}
