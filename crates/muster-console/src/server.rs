//! The server: lets pages in, and ends when it is told to.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use muster_files::Draft;
use muster_reception::recording::AnyRecording;
use muster_sim::scenario::InterventionsText;
use serde::Deserialize;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tower_http::compression::CompressionLayer;

use crate::audience::Audience;
use crate::director::{self, Desk};
use crate::door;
use crate::guard::{Guard, HEADERS, Refusal};
use crate::page;
use crate::production::{Library, LoadError, Production};
use crate::request::Request;
use crate::signals::Signals;
use crate::viewer::{LONGEST, Viewer};
use crate::wire::{self, Hello, ScenarioAbout};

/// What to show, and where.
#[derive(Debug)]
pub struct Options {
    /// A built-in scenario or a file; nothing: the page offers what there is.
    pub scenario: Option<String>,
    /// Changes to it.
    pub changes: Vec<String>,
    /// What its robots know, if a file says so.
    pub knowledge: Option<PathBuf>,
    /// What is done to its runs while they go on, if a file says so.
    pub interventions: Option<InterventionsText>,
    /// A recording instead: the name of its file, and what it holds.
    pub recording: Option<(String, AnyRecording)>,
    /// The seed.
    pub seed: u64,
    /// Begin at once.
    pub start: bool,
    /// Where to listen. Any address but loopback takes a token.
    pub address: IpAddr,
    /// At which port; 0: any that is free.
    pub port: u16,
    /// The token, if there is one.
    pub token: Option<String>,
    /// Where the log is written to.
    pub log: Option<PathBuf>,
    /// Version and commit of the program.
    pub program: (String, String),
}

/// Why the console cannot be opened.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Somebody else listens there.
    #[error("port {port} is in use")]
    PortInUse {
        /// The port that was asked for.
        port: u16,
    },
    /// Nobody can listen there.
    #[error("cannot listen at {address}: {why}")]
    Address {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        why: String,
    },
    /// The world would get in.
    #[error("{address} can be reached from elsewhere, so the console wants a token")]
    NoToken {
        /// The address that was asked for, which is not this machine's own.
        address: IpAddr,
    },
    /// The system has no threads left, or the like.
    #[error("the server cannot be started: {why}")]
    System {
        /// What the system says.
        why: String,
    },
    /// The log cannot be written.
    #[error("the log {path} cannot be written: {why}")]
    Log {
        /// Path of the log.
        path: String,
        /// What the system says.
        why: String,
    },
    /// There is nothing to show.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// A server that listens, and has not been opened yet.
pub struct Bound {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    desk: Desk,
    first: Option<Production>,
    requests: SyncSender<Request>,
    options: Options,
    scenarios: Vec<ScenarioAbout>,
}

/// Loads what is to be shown and listens. Nothing is served yet.
pub fn bind(mut options: Options) -> Result<Bound, ServeError> {
    if !options.address.is_loopback() && options.token.is_none() {
        return Err(ServeError::NoToken { address: options.address });
    }
    let system = |error: std::io::Error| ServeError::System { why: error.to_string() };
    let recording = options.recording.take().map(Arc::new);
    let library = Library {
        given: options.scenario.clone(),
        changes: options.changes.clone(),
        knowledge: options.knowledge.clone(),
        interventions: options.interventions.clone(),
        recording: recording.clone(),
        seed: options.seed,
    };
    let first = match (&options.scenario, recording) {
        (_, Some(recording)) => Some(Production::of_recording(recording)),
        (Some(scenario), None) => Some(library.load(scenario, None, None)?),
        (None, None) => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(system)?;
    let wanted = SocketAddr::new(options.address, options.port);
    let listener = runtime.block_on(TcpListener::bind(wanted)).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => ServeError::PortInUse { port: options.port },
        _ => ServeError::Address { address: wanted, why: error.to_string() },
    })?;
    let address = listener.local_addr().map_err(system)?;
    let (requests, received) = mpsc::sync_channel(MOST_REQUESTS);
    // New for each start, and for nothing else: a page that comes back sees whether this is the same server.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let audience = Arc::new(Audience::new(format!("{:x}-{:x}", now.as_nanos(), std::process::id())));
    let scenarios = library.scenarios();
    let log = options.log.clone();
    if let Some(path) = &log {
        // Anew at each Init; that it cannot be written is found out now.
        Draft::create(path)
            .map_err(|error| ServeError::Log { path: path.display().to_string(), why: error.to_string() })?;
    }
    let quit = Arc::new(AtomicBool::new(false));
    let desk = Desk { requests: received, audience, library, log, runs: 0, speed: 1.0, quit };
    Ok(Bound { runtime, listener, address, desk, first, requests, options, scenarios })
}

/// Most requests that may wait for the director; more are refused.
const MOST_REQUESTS: usize = 1_024;
/// Most viewers that may look on.
const MOST_VIEWERS: usize = 512;
/// The director is given so long to write the log when all is to end.
const LONGEST_END: Duration = Duration::from_secs(3);

/// What all connections share.
struct Shared {
    guard: Guard,
    audience: Arc<Audience>,
    requests: SyncSender<Request>,
    hello: Arc<Hello>,
    viewers: AtomicU64,
}

impl Bound {
    /// The address to open in a browser.
    pub fn url(&self) -> String {
        let address = match self.address.ip() {
            // Nobody can open "any address"; this machine can open this one.
            ip if ip.is_unspecified() => SocketAddr::new(IpAddr::from([127, 0, 0, 1]), self.address.port()),
            _ => self.address,
        };
        match &self.options.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Serves until Ctrl-C or a request to terminate.
    pub fn serve(self) -> Result<(), ServeError> {
        let Self { runtime, listener, address, desk, first, requests, options, scenarios } = self;
        let (version, commit) = options.program;
        let hello = Hello {
            wire: wire::VERSION,
            version,
            commit,
            server: desk.audience.server.clone(),
            // Each viewer is told its own.
            viewer: 0,
            // What was given stands first.
            given: desk.library.given.as_ref().and_then(|_| Some(scenarios.first()?.name.clone())),
            scenarios: scenarios.into(),
        };
        let shared = Arc::new(Shared {
            guard: Guard::new(options.address, address.port(), options.token.clone()),
            audience: desk.audience.clone(),
            requests: requests.clone(),
            hello: Arc::new(hello),
            viewers: AtomicU64::new(0),
        });
        let system = |error: std::io::Error| ServeError::System { why: error.to_string() };
        let start = options.start;
        let quit = desk.quit.clone();
        let (directs, gone) = oneshot::channel::<()>();
        let director = std::thread::Builder::new()
            .name("director".to_owned())
            .spawn(move || {
                // Dropped when the director is gone, whichever way.
                let _directs = directs;
                director::direct(desk, first, start);
            })
            .map_err(system)?;
        let app = Router::new()
            .route("/ws", get(watch))
            .route("/run.log", get(log))
            .route("/plotly.js", get(async |headers: HeaderMap| page::plotly(&headers)))
            .fallback(get(async |uri: Uri, headers: HeaderMap| page::file(uri.path(), &headers)))
            .layer(CompressionLayer::new())
            .layer(middleware::from_fn_with_state(shared.clone(), look_first))
            .with_state(shared);
        let served = runtime.block_on(async {
            let mut signals = Signals::listen()?;
            tokio::select! {
                never = door::serve(listener, app) => match never {},
                () = signals.next() => Ok(()),
                // Nobody directs any more: a page that lived on would show nothing.
                _ = gone => Err(std::io::Error::other("the run has failed; please report what was printed above")),
            }
        });
        // Before anything that still waits; and should the director wait for requests, it is woken up.
        quit.store(true, Ordering::Relaxed);
        let _ = requests.try_send(Request::Quit);
        let asked = Instant::now();
        while !director.is_finished() && asked.elapsed() < LONGEST_END {
            std::thread::sleep(Duration::from_millis(5));
        }
        runtime.shutdown_background();
        served.map_err(system)
    }
}

/// Before anything else: is the address ours; and afterwards the headers that go with every answer.
async fn look_first(State(shared): State<Arc<Shared>>, request: axum::extract::Request, next: Next) -> Response {
    let mut response = match shared.guard.host(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(refusal),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

fn refuse(refusal: Refusal) -> Response {
    let status = if refusal == Refusal::Token { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
    (status, refusal.message()).into_response()
}

#[derive(Deserialize)]
struct Presented {
    token: Option<String>,
}

async fn watch(
    State(shared): State<Arc<Shared>>,
    Query(presented): Query<Presented>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refusal) = shared.guard.admit(&headers, presented.token.as_deref()) {
        return refuse(refusal);
    }
    if shared.audience.viewers() >= MOST_VIEWERS {
        return (StatusCode::SERVICE_UNAVAILABLE, "As many look on as this console has room for.\n").into_response();
    }
    let number = shared.viewers.fetch_add(1, Ordering::Relaxed) + 1;
    upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(move |socket| {
        Viewer::new(number, socket, shared.audience.clone(), shared.requests.clone(), shared.hello.clone()).serve()
    })
}

async fn log(State(shared): State<Arc<Shared>>, Query(presented): Query<Presented>, headers: HeaderMap) -> Response {
    if let Err(refusal) = shared.guard.admit(&headers, presented.token.as_deref()) {
        return refuse(refusal);
    }
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], shared.audience.raw()).into_response()
}
