//! The page around a report: template, style, script, plotly.js, provenance.

use serde_json::Value;

use super::html::escape;
use super::plot::{self, Plot};
use crate::provenance::Provenance;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

const AGAIN: &str = "With this version, the command makes this report again, byte for byte, whatever the machine and the \
                     number of threads.";
const BROKEN_OFF: &str = "This report shows what was done before the command was broken off. The command, left to its \
                          end, makes the whole of it.";

/// A part of a page, with a heading of its own.
pub struct Section {
    /// Unique in its page.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What is below it.
    pub html: String,
}

/// Sections as entries of a list of contents, and one after the other.
pub fn together(sections: &[Section]) -> (String, String) {
    let link = |section: &Section| format!("<li><a href=\"#{}\">{}</a></li>", section.id, escape(section.title));
    let body = |Section { id, title, html }: &Section| {
        format!("<section id=\"{id}\">\n<h2>{}</h2>\n{html}</section>\n", escape(title))
    };
    (sections.iter().map(link).collect(), sections.iter().map(body).collect())
}

/// Puts a page together. `body` is HTML; `plots` are those whose places are in it. `interrupted`: it does not show all
/// that was asked for, so nothing makes it again.
pub fn page(title: &str, body: &str, plots: &[Plot], from: &Provenance, interrupted: bool) -> String {
    let fill = |name: &str| match name {
        "title" => escape(title),
        "generator" => escape(&from.line()),
        "style" => STYLE.to_owned(),
        "body" => body.to_owned(),
        "promise" => if interrupted { BROKEN_OFF } else { AGAIN }.to_owned(),
        "provenance" => provenance(from),
        "figures" => inline_json(&plot::data(plots)),
        "plotly" => muster_plotly::SCRIPT.to_owned(),
        "script" => SCRIPT.to_owned(),
        other => unreachable!("page.html asks for {other}"),
    };
    let mut parts = TEMPLATE.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("page.html closes what it opens");
        out.push_str(&fill(name));
        out.push_str(rest);
    }
    out
}

/// JSON that cannot end the element it stands in, whatever its strings hold.
fn inline_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn provenance(from: &Provenance) -> String {
    let config = serde_json::to_string_pretty(&from.config).expect("a value can be printed");
    let rows = [
        ("seed", from.seed.to_string()),
        ("version", format!("muster {}", from.version)),
        ("commit", from.commit.to_owned()),
        ("scenario", from.scenario.clone()),
    ];
    let rows: String =
        rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value))).collect();
    format!(
        "<dl>\n{rows}<dt>command</dt><dd><code>{}</code></dd>\n</dl>\n<details>\n<summary>Resolved configuration</summary>\n\
         <pre tabindex=\"0\">{}</pre>\n</details>\n",
        escape(&from.command),
        escape(&config)
    )
}
