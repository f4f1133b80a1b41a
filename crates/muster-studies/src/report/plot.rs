//! A plot with all that goes with it: heading, caption, words for those who do not see it.

use serde_json::{Map, Value, json};

use super::html::escape;

/// A plot.
pub struct Plot {
    /// Unique in its page.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What there is to see, in words, for those who cannot.
    pub alt: String,
    /// How to read it.
    pub caption: String,
    /// Plotly's traces.
    pub data: Vec<Value>,
    /// Plotly's layout; page.js adds fonts and colours.
    pub layout: Value,
    /// Pixels.
    pub height: u32,
}

impl Plot {
    /// Its place in the page.
    pub fn html(&self) -> String {
        format!(
            "<figure>\n<h3>{}</h3>\n<div class=\"chart\" id=\"{}\" role=\"img\" aria-label=\"{}\" \
             data-height=\"{}\" style=\"height:{}px\"></div>\n<figcaption>{}</figcaption>\n</figure>\n",
            escape(&self.title),
            escape(&self.id),
            escape(&self.alt),
            self.height,
            self.height,
            escape(&self.caption)
        )
    }
}

/// A name from a scenario, as plotly has to get it to show it as it is: it takes what it shows for HTML, and `%{...}` in
/// the text of a hover for a value to fill in.
pub fn as_text(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace("%{", "%&#123;")
}

/// All plots of a page, for page.js.
pub fn data(plots: &[Plot]) -> Value {
    let figure = |plot: &Plot| (plot.id.clone(), json!({"data": plot.data, "layout": plot.layout}));
    Value::Object(plots.iter().map(figure).collect::<Map<_, _>>())
}

/// Side by side where there is room.
pub fn grid(plots: &[Plot]) -> String {
    let plots: String = plots.iter().map(Plot::html).collect();
    format!("<div class=\"grid\">\n{plots}</div>\n")
}
