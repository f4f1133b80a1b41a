//! The page: files inside the binary. In a debug build they are read from disk, so that a change shows at once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use plotly::Plot;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// A file of the page. The browser keeps it and asks whether it is still the same.
pub fn file(path: &str, headers: &HeaderMap) -> Response {
    let path = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, "There is no such page; the console is at /\n").into_response();
    };
    let hash: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    answer(kind(path), &format!("\"{hash}\""), headers, || file.data.into_owned())
}

/// The plotting script: large, so it is asked for only when a plot is opened.
pub fn plotly(headers: &HeaderMap) -> Response {
    static SCRIPT: LazyLock<(String, String)> = LazyLock::new(|| {
        let script = script();
        let mut hasher = DefaultHasher::new();
        script.hash(&mut hasher);
        (format!("\"{:016x}\"", hasher.finish()), script)
    });
    let (tag, script) = &*SCRIPT;
    answer("text/javascript; charset=utf-8", tag, headers, || script.clone().into_bytes())
}

/// What is between the tags of the first script that the crate would put into a page; the others are for equations.
fn script() -> String {
    let tags = Plot::offline_js_sources();
    let begin = tags.find("<script").and_then(|at| Some(at + tags[at..].find('>')? + 1)).unwrap_or(0);
    let end = tags[begin..].find("</script>").map_or(tags.len(), |at| begin + at);
    tags[begin..end].to_owned()
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
