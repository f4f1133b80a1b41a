//! How orders are taken apart into coupled phases: `[tasking.templates]`, and files of them.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};
use muster_core::tasking::group::{Coupling, MOST_PHASES, Phase, Template};
use muster_core::{Duration, Point};
use serde::{Deserialize, Serialize};

use super::{TaskingSection, kind_of};
use crate::scenario::build::{Misfit, PerceptNames, did_you_mean};
use crate::scenario::name;
use crate::scenario::value::{Finite, NonNegative, Place, Positive};

/// How orders of a kind are taken apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TemplateEntry {
    /// The phases, by name, in order.
    pub phases: IndexMap<String, PhaseEntry>,
    /// What ties them together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub couplings: Vec<CouplingEntry>,
    /// They are done as they are tied together or not at all; else, if nobody can, what ties them together is given up
    /// rather than the tasks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// How long a phase that nothing comes before counts for those after it, in seconds: then it is flown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_s: Option<Positive>,
    /// Each phase wants a vehicle of its own, unless no plan allows that; `false`: one vehicle may do several wherever that
    /// costs less.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub distinct: bool,
}

fn yes() -> bool {
    true
}

/// A phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PhaseEntry {
    /// What it takes, besides what the order takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// How many loads it uses up, of a vehicle with `loads`.
    pub loads: u16,
    /// Metres east and north of where the order lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset_m: Option<Place>,
}

/// What ties two phases together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CouplingEntry {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Least time from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt_min_s: Option<Finite>,
    /// Most time from a to b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dt_max_s: Option<Finite>,
    /// Least angle between their headings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dh_min_deg: Option<NonNegative>,
    /// Most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dh_max_deg: Option<NonNegative>,
}

/// A file of templates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct TemplatesFile {
    pub templates: IndexMap<String, TemplateEntry>,
}

/// The file of templates that a scenario names: its path, and its text. `folder`: the scenario's own.
pub(in crate::scenario) fn file_of(
    section: &TaskingSection,
    folder: Option<&Path>,
) -> Result<Option<(String, String)>, Misfit> {
    let Some(named) = &section.templates_file else { return Ok(None) };
    let key = ["tasking", "templates_file"];
    let Some(folder) = folder else {
        let message = format!("`{named}` cannot be looked for: this scenario lies in no folder");
        return Err(Misfit::new(&key, message, "write its templates as [tasking.templates.<kind>]"));
    };
    let path = folder.join(named);
    let text = muster_files::text(&path).map_err(|error| {
        let message = format!("the file of templates {} cannot be read: {error}", path.display());
        let whose = if folder.as_os_str().is_empty() { "the folder you are in" } else { "the folder of the scenario" };
        Misfit::new(&key, message, format!("check its name: it counts from {whose}"))
    })?;
    Ok(Some((path.display().to_string(), text)))
}

/// There are times that keep all of these couplings: none adds up to a task that has to come after itself [Bellman 1958].
fn can_be_kept(phases: usize, couplings: &[Coupling]) -> bool {
    let mut times = vec![0_i64; phases];
    for _ in 0..=phases {
        let before = times.clone();
        for it in couplings {
            let (a, b) = (usize::from(it.a), usize::from(it.b));
            if let Some(least) = it.dt_min {
                times[b] = times[b].max(times[a].saturating_add(least));
            }
            if let Some(most) = it.dt_max {
                times[a] = times[a].max(times[b].saturating_sub(most));
            }
        }
        if times == before {
            return true;
        }
    }
    false
}

/// Makes the names of a template numbers.
pub(super) fn template(
    name: &str,
    entry: &TemplateEntry,
    kinds: &mut IndexSet<String>,
    percepts: &PerceptNames,
) -> Result<Template, Misfit> {
    let key = |last| ["tasking", "templates", name, last];
    if entry.phases.is_empty() || entry.phases.len() > MOST_PHASES {
        let message = format!("template {name} has {} phases", entry.phases.len());
        return Err(Misfit::new(&key("phases"), message, format!("from 1 to {MOST_PHASES}")));
    }
    let mut phases = Vec::with_capacity(entry.phases.len());
    for (phase, it) in &entry.phases {
        name::check("phase", phase, &["tasking", "templates", name, "phases", phase])?;
        let needs = percepts.known(&it.needs, &["tasking", "templates", name, "phases", phase, "needs"])?;
        let offset = it.offset_m.map_or(Point::default(), Point::from);
        phases.push(Phase { kind: kind_of(kinds, phase), needs, loads: it.loads, offset });
    }
    let mut couplings = Vec::with_capacity(entry.couplings.len());
    for (index, it) in entry.couplings.iter().enumerate() {
        let index = index.to_string();
        let key = |last| ["tasking", "templates", name, "couplings", &index, last];
        let phase = |called: &str, last: &'static str| {
            entry.phases.get_index_of(called).map(|index| index as u8).ok_or_else(|| {
                let known: Vec<&String> = entry.phases.keys().collect();
                let message = format!("template {name} has no phase `{called}`");
                Misfit::new(
                    &["tasking", "templates", name, "couplings", &index, last],
                    message,
                    did_you_mean(called, &known, "there are"),
                )
            })
        };
        let (a, b) = (phase(&it.a, "a")?, phase(&it.b, "b")?);
        if a == b {
            return Err(Misfit::new(&key("b"), format!("phase `{}` is coupled with itself", it.a), "name two phases"));
        }
        let micros = |seconds: Option<Finite>| seconds.map(|seconds| (seconds.get() * 1e6).round() as i64);
        let (dt_min, dt_max) = (micros(it.dt_min_s), micros(it.dt_max_s));
        if dt_min.zip(dt_max).is_some_and(|(least, most)| least > most) {
            return Err(Misfit::new(&key("dt_max_s"), "dt_max_s is less than dt_min_s", "swap them, or leave one out"));
        }
        let degrees =
            |degrees: Option<NonNegative>, usual: u32| degrees.map_or(usual, |it| (it.get() * 1e3).round() as u32);
        let (dh_min, dh_max) = (degrees(it.dh_min_deg, 0), degrees(it.dh_max_deg, 180_000));
        if dh_min > dh_max || dh_max > 180_000 {
            let help = "the angle between two headings lies between 0 and 180 degrees, the least before the most";
            return Err(Misfit::new(&key("dh_max_deg"), "these angles hold nothing", help));
        }
        couplings.push(Coupling { a, b, dt_min, dt_max, dh_min, dh_max });
        if !can_be_kept(phases.len(), &couplings) {
            let message = format!("no times of template {name} keep this coupling and those before it");
            return Err(Misfit::new(&key("a"), message, "swap a and b, or change dt_min_s or dt_max_s of one of them"));
        }
    }
    let fresh = entry.fresh_s.map(|fresh_s| Duration::from_secs_f64(fresh_s.get()));
    Ok(Template { phases, couplings, strict: entry.strict, fresh, distinct: entry.distinct })
}
