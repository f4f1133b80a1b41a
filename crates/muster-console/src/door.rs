//! Connections: how many there may be that are no viewers, and how long one of them may take. Whoever has no token can open
//! connections as well; they must not keep others out.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// So many connections may be open that are no viewers. A page opens a few and is served within moments; when there are
/// more, the oldest is closed for the newest.
const MOST_WAITING: usize = 128;
/// A request's head has to be there within this time; a connection that asks for nothing more is closed after it.
const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// A connection that is no viewer's lasts no longer: a long log over a slow line takes minutes.
const LONGEST: Duration = Duration::from_secs(300);
/// If the system has no room for another connection, it is asked again after this.
const PAUSE: Duration = Duration::from_millis(100);

/// Connections that are no viewers, by age.
#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<BTreeMap<u64, AbortHandle>>>);

impl Waiting {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Closes the oldest until there are fewer than `most`.
    fn make_room(&self, most: usize) {
        let mut all = self.all();
        while all.len() >= most
            && let Some((_, oldest)) = all.pop_first()
        {
            oldest.abort();
        }
    }
}

/// Lets everybody in, for ever.
pub async fn serve(listener: TcpListener, app: Router) -> Infallible {
    let waiting = Waiting::default();
    let mut number = 0;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Mostly no file descriptors are left: half of those that wait for nothing give theirs back.
            Err(_) => {
                let half = waiting.all().len().div_ceil(2);
                waiting.make_room(half.max(1));
                sleep(PAUSE).await;
                continue;
            }
        };
        waiting.make_room(MOST_WAITING);
        number += 1;
        let (own, service) = (waiting.clone(), TowerToHyperService::new(app.clone()));
        // Held until the connection is entered: it cannot be over before.
        let mut all = waiting.all();
        let connection = tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEAD);
            // Over when it becomes a viewer's, too. A client that is cut off or talks nonsense is told nothing more.
            let _ = timeout(LONGEST, http.serve_connection(TokioIo::new(stream), service).with_upgrades()).await;
            own.all().remove(&number);
        });
        all.insert(number, connection.abort_handle());
    }
}
