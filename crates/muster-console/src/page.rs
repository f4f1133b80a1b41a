//! The page: files inside the binary. In a debug build they are read from disk, so that a change shows at once.

use std::borrow::Cow;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

/// What there is in `page/`, by name, sorted; `build.rs` lists it.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of the page. The browser keeps it and asks whether it is still the same.
pub fn file(path: &str, headers: &HeaderMap) -> Response {
    let path = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let Some(data) = read(path) else {
        return (StatusCode::NOT_FOUND, "There is no such page; the console is at /\n").into_response();
    };
    answer(kind(path), &tag(&data), headers, || data.into_owned())
}

fn read(path: &str) -> Option<Cow<'static, [u8]>> {
    let found = FILES.binary_search_by_key(&path, |(name, _)| *name).ok()?;
    if cfg!(debug_assertions) {
        return fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(path)).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(FILES[found].1))
}

/// Another for every content.
fn tag(data: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

/// The plotting script: large, so it is asked for only when a plot is opened.
pub fn plotly(headers: &HeaderMap) -> Response {
    static TAG: LazyLock<String> = LazyLock::new(|| tag(muster_plotly::SCRIPT.as_bytes()));
    answer("text/javascript; charset=utf-8", &TAG, headers, || muster_plotly::SCRIPT.into())
}

fn answer(kind: &'static str, tag: &str, headers: &HeaderMap, body: impl FnOnce() -> Vec<u8>) -> Response {
    let known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let about = [(CONTENT_TYPE, kind), (ETAG, tag), (CACHE_CONTROL, "no-cache")];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, body()).into_response() }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
