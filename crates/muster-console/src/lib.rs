//! The console: a web server that shows a run in a browser, and lets people ask why.
//!
//! Page and server talk as docs/console-wire.md says. Tokio and the wall clock live here and nowhere below: neither has any
//! influence on what happens in a run.
//!
//! - `stage`: a run that can be watched, goes on, shows itself and can be copied: a mission, a reception, or a recording of
//!   either, whose observer also compares. `air` (what was said, and who heard it), `facts` (who has which task), `teller` (the
//!   log and the awards in it). `scene`: all that is shown, as plain data; `frame`: poses as bytes; `wire`: every message between
//!   server and page as a type, of which `wire.d.ts` is made.
//! - `director`: the one thread that owns the run, lets it go on, shows it, and looks into its past: `clock` (how fast it is
//!   shown), `keyframes` (moments that are kept), `series` (what is plotted), `request` (what can be asked), `production` (what
//!   can be shown), `costs` (bids).
//! - `audience`: what everybody sees; the run writes there and waits for nobody. `viewer`: one page. `server`, `door` and
//!   `guard`: who may come in, and the headers of every answer; `page`: the files of the page, inside the binary.
//! - `page/`: plain ES modules without a build step. `js/store.js` is the one state that all views share, `js/link.js` the
//!   connection; read these two first.

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
