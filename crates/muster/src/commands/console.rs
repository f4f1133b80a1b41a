//! `muster console`: a run in a browser. Also the page of `muster replay`.

use std::path::Path;

use miette::{Result, miette};
use muster_console::{Bound, Options, ServeError, bind};
use muster_reception::recording::AnyRecording;
use muster_reception::scenario::{Play, load_any};
use muster_sim::scenario::InterventionsText;
use serde_json::json;

use super::run::no_interventions;
use crate::artifact::{self, Artifact};
use crate::cli::{ConsoleArguments, Serving};
use crate::output::{self, Verdict, bold, faint};

/// Shows a scenario until Ctrl-C.
pub fn execute(arguments: ConsoleArguments, json: bool) -> Result<Verdict> {
    let mut interventions = None;
    // A mistake in the scenario is told as everywhere else, with its line.
    if let Some(scenario) = &arguments.scenario {
        let play = load_any(scenario, &arguments.set)?;
        match (&play, &arguments.interventions) {
            (Play::Reception(party), Some(_)) => return Err(no_interventions(&party.name)),
            (Play::Mission(loaded), Some(path)) => {
                let text = InterventionsText::read(path)?;
                text.resolve(loaded, loaded.schemes()[0])?;
                interventions = Some(text);
            }
            (_, None) => {}
        }
    }
    if let Some(path) = &arguments.log {
        let own = arguments.scenario.as_deref().map(|path| ("the scenario", Path::new(path)));
        let known = arguments.knowledge.as_deref().map(|path| ("what the robots know", path));
        let made = arguments.interventions.as_deref().map(|path| ("the interventions", path));
        artifact::expect_apart(&[("--log", path)], &own.into_iter().chain(known).chain(made).collect::<Vec<_>>())?;
        // That it cannot be written is found out now; it is begun anew at each Init.
        Artifact::begin(path)?;
    }
    let about = arguments.scenario.clone();
    open(json, about, arguments.serving, |serving, token| Options {
        scenario: arguments.scenario,
        changes: arguments.set,
        knowledge: arguments.knowledge,
        interventions,
        recording: None,
        seed: arguments.seed,
        start: arguments.start,
        address: serving.address,
        port: serving.port,
        token,
        log: arguments.log,
        program: output::program(),
    })
}

/// Shows a recording until Ctrl-C.
pub fn open_recording(file: String, recording: AnyRecording, serving: Serving) -> Result<Verdict> {
    open(false, Some(file.clone()), serving, |serving, token| Options {
        scenario: None,
        changes: Vec::new(),
        knowledge: None,
        interventions: None,
        seed: recording.seed(),
        recording: Some((file, recording)),
        start: false,
        address: serving.address,
        port: serving.port,
        token,
        log: None,
        program: output::program(),
    })
}

fn open(
    json: bool,
    about: Option<String>,
    serving: Serving,
    options: impl FnOnce(&Serving, Option<String>) -> Options,
) -> Result<Verdict> {
    let token = match (&serving.token, serving.address.is_loopback()) {
        (Some(token), _) => Some(token.clone()),
        (None, true) => None,
        (None, false) => Some(muster_console::new_token().map_err(|error| in_words(&error))?),
    };
    let bound = bind(options(&serving, token)).map_err(|error| in_words(&error))?;
    let url = bound.url();
    if json {
        output::print_value(&json!({"url": url, "scenario": about}));
    } else {
        let what = about.as_deref().unwrap_or("pick a scenario there");
        println!("{}  {}", bold(&url), faint(&format!("({what}; Ctrl-C ends it)")));
    }
    serve(bound, &url, serving.no_open)
}

fn serve(bound: Bound, url: &str, no_open: bool) -> Result<Verdict> {
    if !no_open && let Err(error) = muster_console::open_browser(url) {
        eprintln!("No browser could be opened ({error}): open the address above yourself.");
    }
    bound.serve().map_err(|error| in_words(&error))?;
    Ok(Verdict::Held)
}

fn in_words(error: &ServeError) -> miette::Report {
    let help = match error {
        ServeError::PortInUse { .. } => {
            "is a console open already? take another port with --port, or any with --port 0"
        }
        ServeError::Address { .. } => "take an address of this machine, such as 127.0.0.1, and a port above 1023",
        ServeError::NoToken { .. } => "give one with --token",
        ServeError::System { .. } => "close other programs and try again",
        ServeError::Log { .. } => "check that you may write there and that the disk is not full",
        ServeError::Load(_) => "`muster scenarios` lists what is built in",
    };
    miette!(help = help, "{error}")
}
