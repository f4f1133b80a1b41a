//! `muster explain`: why each award, silence, take-over and change of emotion happened, and why nobody took a task.

pub mod reception;

use miette::{Report, Result, miette};
use muster_core::Note;
use muster_core::telling::Line;
use muster_journal::explain::{AskError, Asked, Asking};
use muster_reception::recording::AnyRecording;
use muster_sim::Origin;
use muster_sim::recording;
use serde_json::{Value, json};

use super::replay;
use crate::cli::{ExplainArguments, Narrow};
use crate::output::{self, Verdict, faint};
use crate::progress;

/// Of so many groups of tasks it is printed why nobody took them.
const MOST_UNTAKEN: usize = 30;
/// What is printed of a recording that was cut off before its first entry.
const NOTHING_RECORDED: &str = "Nothing was recorded.";
/// What is printed when it is broken off, after what there was time for.
const BROKEN_OFF: &str = "Broken off: what is above is a part of it.";

/// Replays a recording and says why.
pub fn execute(arguments: &ExplainArguments, json: bool) -> Result<Verdict> {
    let path = arguments.recording.clone();
    // A pipe may never say anything.
    let Some(read) = progress::unless_out_of_time(move || replay::read(&path))? else {
        if json {
            let (version, commit) = output::program();
            let none = json!({"version": version, "commit": commit, "recording": null, "interrupted": true});
            output::print_value(&none);
        } else {
            eprintln!("Broken off before the recording was read.");
        }
        return Ok(Verdict::Interrupted);
    };
    let recording = match read? {
        AnyRecording::Mission(recording) => recording,
        AnyRecording::Reception(recording) => return reception::execute(&recording, &arguments.narrow, json),
    };
    let header = &recording.header;
    let mut teller = Teller::new(&header.origin, &arguments.narrow)?;
    let replayed = recording::replay_until(&recording, progress::was_interrupted);
    for note in &replayed.notes {
        if progress::was_interrupted() {
            break;
        }
        teller.tell(note);
    }
    if json {
        let mut body = teller.to_json();
        if progress::was_interrupted() {
            body["interrupted"] = true.into();
        }
        if recording.events.is_empty() {
            body["nobody"] = Value::Null;
        }
        body["recording"] = replay::about(&recording);
        body["failure"] = json!(replayed.failure);
        output::print_json(Some(header.origin.seeds.run), &header.origin.loaded.scenario, &body);
    } else {
        if recording.events.is_empty() {
            println!("{NOTHING_RECORDED}");
        } else {
            teller.print(None);
        }
        print_cut(recording.cut.as_deref());
        if !recording.events.is_empty() {
            teller.print_nobody();
        }
    }
    // What does not follow from its inputs explains nothing.
    if let Some(failure) = replayed.failure {
        eprintln!(
            "The recording does not follow from its inputs: {failure}.{}",
            replay::other_program(&header.program)
        );
        return Ok(Verdict::DidNotHold);
    }
    if progress::was_interrupted() {
        eprintln!("{BROKEN_OFF}");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Held)
}

/// Says why a recording ends early, if it does: what is told below it holds for then.
fn print_cut(cut: Option<&str>) {
    if let Some(cut) = cut {
        println!("{}", faint(&format!("The recording ends here: {cut}.")));
    }
}

/// What was asked for cannot be had, and what to try.
fn wrong(error: &AskError) -> Report {
    miette!(help = error.help(), "{error}")
}

/// Explains the notes of a run one by one, as far as is asked for, and keeps what there is to print.
pub struct Teller<'a> {
    asked: Asked<'a>,
    lines: Vec<Line>,
}

impl<'a> Teller<'a> {
    /// Nothing is told yet. `narrow` says what is asked for.
    pub fn new(origin: &'a Origin, narrow: &Narrow) -> Result<Self> {
        let Narrow { robot, task, at } = narrow;
        let asking = Asking { robot: robot.as_deref(), task: task.as_deref(), at: at.as_deref() };
        let asked = Asked::new(origin.explainer(), &asking).map_err(|error| wrong(&error))?;
        Ok(Self { asked, lines: Vec::new() })
    }

    /// Adds what there is to tell of a note.
    pub fn tell(&mut self, note: &Note) {
        self.lines.extend(self.asked.tell(note));
    }

    /// How many lines there are to print.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Prints them, with a column for names as wide as given or as needed; says how wide. They are printed once.
    pub fn print(&mut self, width: Option<usize>) -> usize {
        let explainer = self.asked.explainer();
        let names: Vec<_> = self.lines.iter().map(|line| explainer.who(line)).collect();
        let needed = || names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let width = width.unwrap_or_else(needed);
        for (name, line) in names.iter().zip(&self.lines) {
            println!("{:>12}  {name:<width$}  {}", format!("{:.2}", line.at), line.text);
        }
        // Of what was broken off nobody knows what else happened.
        if self.lines.is_empty() && !progress::was_interrupted() {
            println!("Nothing of the kind happened.");
        }
        self.lines.clear();
        width
    }

    /// Prints why nobody took a task, for the first that nobody took, handed over or did, those of equal reasons together.
    /// Of what was broken off nobody knows who would have.
    pub fn print_nobody(&self) {
        if progress::was_interrupted() {
            println!("\nBroken off before its end: which tasks nobody took is not known.");
            return;
        }
        let untaken = self.asked.untaken();
        for group in untaken.iter().take(MOST_UNTAKEN) {
            println!("\n{}", self.asked.explainer().title(group));
            for reason in &group.reasons {
                println!("  {}", reason.text);
            }
        }
        let more: usize = untaken.iter().skip(MOST_UNTAKEN).map(|group| group.tasks.len()).sum();
        if more > 0 {
            println!("\n{more} more tasks were not done; --task or --json tells why.");
        }
    }

    /// All of it as JSON. Of what was broken off `nobody` is null: which tasks nobody took is not known.
    pub fn to_json(&self) -> Value {
        let explainer = self.asked.explainer();
        let lines: Vec<Value> = self.lines.iter().map(|line| explainer.line_to_json(line)).collect();
        let awards = self.lines.iter().filter_map(|line| line.award.as_ref());
        let awards: Vec<Value> = awards.map(|award| explainer.award_to_json(award)).collect();
        let nobody = || self.asked.nobody().iter().map(|nobody| explainer.nobody_to_json(nobody)).collect::<Vec<_>>();
        let nobody = (!progress::was_interrupted()).then(nobody);
        json!({"lines": lines, "awards": awards, "nobody": nobody})
    }
}
