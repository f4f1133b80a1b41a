//! What is plotted over time.

use serde::Serialize;

/// What is plotted over time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Plots {
    /// Times of the samples.
    pub at: Vec<f64>,
    /// The curves.
    pub series: Vec<Curve>,
    /// The plots that curves belong to.
    pub groups: Vec<PlotGroup>,
}

/// A curve.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Curve {
    /// The name of its plot.
    pub group: String,
    /// Its own name.
    pub name: String,
    /// The robot that it is of, if it is of one.
    pub robot: Option<u32>,
    /// Its values, one for each sample.
    pub y: Values,
}

/// Values of a curve, one for each sample.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Values {
    /// How many there were.
    Counts(Vec<u64>),
    /// Shares of a whole, in percent.
    Shares(Vec<f64>),
    /// Values of a bar; null where the robot showed none.
    Gauges(Vec<Option<f64>>),
}

/// A plot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlotGroup {
    /// Its name.
    pub name: String,
    /// The unit of its values; may be empty.
    pub unit: &'static str,
    /// A line for each curve, or areas on top of each other.
    pub kind: PlotKind,
    /// What it shows, in a sentence.
    pub about: String,
}

/// How a plot is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// A line for each curve.
    Lines,
    /// Areas on top of each other.
    Shares,
}
