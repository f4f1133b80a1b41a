//! The console: a web server that shows a run in a browser, and lets people ask why.
//!
//! `stage` is a run that can be watched, `director` lets it go on and shows it to the `audience`, `viewer` is one page at
//! the other end of a WebSocket, `server` lets pages in. Page and server talk as docs/console-wire.md says. Tokio and the
//! wall clock live here and nowhere below: neither has any influence on what happens in a run.

mod audience;
mod clock;
mod costs;
mod director;
mod door;
mod frame;
mod guard;
mod keyframes;
mod page;
mod production;
mod request;
mod scene;
mod series;
mod server;
mod signals;
mod stage;
mod viewer;
mod wire;

pub use server::{Bound, Options, ServeError, bind};
pub use signals::on_told_to_end;

/// A token that nobody can guess.
pub fn new_token() -> Result<String, ServeError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ServeError::System { why: error.to_string() })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Opens a page in the person's browser.
pub fn open_browser(url: &str) -> std::io::Result<()> {
    open::that_detached(url)
}
