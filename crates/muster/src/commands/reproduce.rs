//! `muster reproduce`: a paper's tables and claims, its figures beside ours.

mod alliance;
mod grid;
mod reception;
mod recruitment;
mod tasking;

use miette::{Result, miette};
use muster_studies::recruitment::{GRID_KEYS, TABLE_KEYS, overruled};
use muster_studies::verdict::Account;
use serde_json::{Map, Value};

use crate::artifact::{self, Artifact, Left};
use crate::cli::{Paper, ReproduceArguments};
use crate::output::{self, Verdict};
use crate::progress;

/// What a study came to: how it ended, and its document if one was asked for.
struct Reproduced {
    verdict: Verdict,
    document: Option<Value>,
}

/// Runs the studies and prints them.
pub fn execute(arguments: &ReproduceArguments, json: bool) -> Result<Verdict> {
    let mut files = Files::begin(arguments)?;
    grid::expect_alliance(arguments)?;
    expect_recruitment(arguments)?;
    let reproduced = match arguments.paper {
        Paper::Recruitment => recruitment::execute(arguments, &mut files, json)?,
        Paper::Alliance => alliance::execute(arguments, &mut files, json)?,
        Paper::Tasking => tasking::execute(arguments, &mut files, json)?,
        Paper::Reception => reception::execute(arguments, &mut files, json)?,
        Paper::All => all(arguments, &mut files, json)?,
    };
    if let Some(document) = &reproduced.document {
        output::print_value(document);
    }
    files.left.end(reproduced.verdict)
}

/// The files that a study leaves behind, begun before anything is run.
#[derive(Default)]
struct Files {
    report: Option<Artifact>,
    figure: Option<Artifact>,
    left: Left,
}

impl Files {
    fn begin(arguments: &ReproduceArguments) -> Result<Self> {
        expect_files(arguments)?;
        let (report, figure) = (arguments.report.as_ref(), arguments.figure.as_ref());
        Ok(Self { report: Artifact::begin_if(report)?, figure: Artifact::begin_if(figure)?, left: Left::default() })
    }

    /// Writes the page, if it is asked for.
    fn write_report(&mut self, page: impl FnOnce() -> String) {
        if let Some(file) = self.report.take() {
            self.left.note(file.fill_text(&page()));
        }
    }

    /// Writes the figure, if it is asked for.
    fn write_figure(&mut self, figure: impl FnOnce() -> String) {
        if let Some(file) = self.figure.take() {
            self.left.note(file.fill_text(&figure()));
        }
    }
}

/// Every paper, one after the other.
fn all(arguments: &ReproduceArguments, files: &mut Files, json: bool) -> Result<Reproduced> {
    type Execute = fn(&ReproduceArguments, &mut Files, bool) -> Result<Reproduced>;
    let papers: [(&str, Execute); 4] = [
        ("recruitment", recruitment::execute),
        ("alliance", alliance::execute),
        ("tasking", tasking::execute),
        ("reception", reception::execute),
    ];
    let mut verdict = Verdict::Held;
    let mut documents = Some(Map::new());
    for (number, (name, execute)) in papers.into_iter().enumerate() {
        if number > 0 && !json {
            println!();
        }
        let reproduced = execute(arguments, files, json)?;
        verdict = verdict.and(reproduced.verdict);
        match (&mut documents, reproduced.document) {
            (Some(documents), Some(document)) => drop(documents.insert(name.to_owned(), document)),
            _ => documents = None,
        }
    }
    Ok(Reproduced { verdict, document: documents.map(Value::Object) })
}

fn expect_files(arguments: &ReproduceArguments) -> Result<()> {
    if let (Paper::All, Some(flag)) = (arguments.paper, flag_of_file(arguments)) {
        return Err(miette!(
            help = format!("ask for one: `muster reproduce recruitment {flag}`, or alliance, tasking, reception"),
            "{flag}: shows one paper, and this reproduces all"
        ));
    }
    if let Some(path) = &arguments.report {
        artifact::expect_ending(path, "report", &["html", "htm"])?;
    }
    if let Some(path) = &arguments.figure {
        artifact::expect_ending(path, "figure", &["svg"])?;
    }
    let report = arguments.report.iter().map(|path| ("--report", &**path));
    let figure = arguments.figure.iter().map(|path| ("--figure", &**path));
    artifact::expect_apart(&report.chain(figure).collect::<Vec<_>>(), &[])
}

/// Only the study of recruitment has a reading that can be changed, or ranked.
fn expect_recruitment(arguments: &ReproduceArguments) -> Result<()> {
    let given = [("--readings", arguments.readings), ("--set", !arguments.set.is_empty())];
    let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) else { return Ok(()) };
    if arguments.paper != Paper::Recruitment {
        return Err(miette!(
            help = format!("leave it out, or use it as in `muster reproduce recruitment {flag} ...`"),
            "{flag}: only the study of recruitment takes it"
        ));
    }
    expect_changes(arguments)?;
    match flag_of_file(arguments) {
        Some(file) if arguments.readings => Err(miette!(
            help = "leave out one of the two; --json has all readings",
            "{file}: --readings prints a table and leaves no file"
        )),
        _ => Ok(()),
    }
}

/// What the study or its grid of readings sets itself cannot be changed: the change would be lost without a word.
fn expect_changes(arguments: &ReproduceArguments) -> Result<()> {
    if let Some((change, key)) = overruled(&arguments.set, &TABLE_KEYS) {
        return Err(miette!(
            help = format!(
                "leave it out; by itself it can be run with `muster run minefield --set recruitment.config=gage_2004 \
                 --set {change}`"
            ),
            "--set {change}: the paper's tables vary `{key}` from cell to cell, so the study sets it itself"
        ));
    }
    match overruled(&arguments.set, &GRID_KEYS) {
        Some((change, key)) if arguments.readings => Err(miette!(
            help = format!(
                "leave it out, or run the study under that one reading: `muster reproduce recruitment --set {change}`"
            ),
            "--set {change}: the grid of --readings sets `{key}` itself"
        )),
        _ => Ok(()),
    }
}

/// The first flag that asks for a file.
fn flag_of_file(arguments: &ReproduceArguments) -> Option<&'static str> {
    let report = arguments.report.is_some().then_some("--report");
    report.or_else(|| arguments.figure.is_some().then_some("--figure"))
}

/// The verdict of a study whose claims hold, or do not.
fn verdict(holds: bool) -> Verdict {
    match (progress::was_interrupted(), holds) {
        (true, _) => Verdict::Interrupted,
        (false, true) => Verdict::Held,
        (false, false) => Verdict::DidNotHold,
    }
}

/// The line that a study ends with.
fn print_account(account: &Account) {
    let word = if account.holds() { "Holds" } else { "Does not hold" };
    println!("\n{}: {account}.", output::verdict(word, account.holds()));
}

fn print_wrapped(text: &str) {
    for (number, line) in output::wrapped(text, 100).iter().enumerate() {
        println!("{}{line}", if number == 0 { "  - " } else { "    " });
    }
}
