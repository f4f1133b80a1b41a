//! `muster explain` of a reception: every change of emotion and of its level with rule, numbers and chain, every change of
//! behaviour, and what was said, heard and lost.

use miette::{Result, miette};
use muster_core::affect::{Change, Name};
use muster_journal::columns::printable;
use muster_journal::explain::{AskError, span};
use muster_reception::Line;
use muster_reception::explain::{Explained, Narrow, explain};
use muster_reception::recording::Recording;
use muster_reception::scenario::Party;
use serde_json::{Value, json};

use super::{BROKEN_OFF, NOTHING_RECORDED, print_cut, replay, wrong};
use crate::cli;
use crate::output::{self, Verdict, faint};
use crate::progress;

/// Makes a recorded reception again and says why what happened in it did.
pub fn execute(recording: &Recording, asked: &cli::Narrow, json: bool) -> Result<Verdict> {
    let header = &recording.header;
    let narrow = narrow(&header.party, asked)?;
    let Explained { lines, failure } = explain(recording, &narrow, progress::was_interrupted);
    let interrupted = failure.is_none() && progress::was_interrupted();
    if json {
        let mut body = to_json(&lines);
        body["recording"] = replay::about_reception(recording);
        body["failure"] = json!(failure);
        if interrupted {
            body["interrupted"] = true.into();
        }
        output::print_json(Some(header.seed), &header.party.scenario, &body);
    } else {
        if recording.events.is_empty() {
            println!("{NOTHING_RECORDED}");
        } else {
            print(&lines);
        }
        print_cut(recording.cut.as_deref());
    }
    // What nobody did explains nothing.
    if let Some(failure) = failure {
        let other = replay::other_program(&header.program);
        eprintln!("The recording is of another run: {failure}.{other}");
        return Ok(Verdict::DidNotHold);
    }
    if interrupted {
        eprintln!("{BROKEN_OFF}");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Held)
}

fn narrow(party: &Party, asked: &cli::Narrow) -> Result<Narrow> {
    if let Some(task) = &asked.task {
        let help = "leave --task out; narrow it down with --robot or --at";
        return Err(miette!(help = help, "--task {task}: {} is a reception, and has no tasks", party.name));
    }
    let known = party.names();
    if let Some(name) = &asked.robot
        && !known.iter().any(|robot| *robot == **name)
    {
        let known = known.iter().map(|robot| robot.to_string()).take(20).collect();
        return Err(wrong(&AskError::Robot { name: name.clone(), known }));
    }
    let at = asked.at.as_deref().map(span).transpose().map_err(|error| wrong(&error))?;
    Ok(Narrow { robot: asked.robot.as_deref().map(Name::from), at })
}

/// Prints a line each; under a change of emotion, what it makes the robot think.
pub fn print(lines: &[Line]) {
    let name = |line: &Line| line.about()[0].map(|name| printable(name).into_owned()).unwrap_or_default();
    let width = lines.iter().map(|line| name(line).chars().count()).max().unwrap_or(0);
    for line in lines {
        println!("{:>12}  {:<width$}  {}", format!("{:.2}", line.at), name(line), printable(&line.sentence()));
        if let Some(Change { chain, .. }) = line.change().filter(|change| change.is_another()) {
            println!("{:>12}  {:<width$}  {}", "", "", faint(&printable(chain)));
        }
    }
    // Of what was broken off nobody knows what else happened.
    if lines.is_empty() && !progress::was_interrupted() {
        println!("Nothing of the kind happened.");
    }
}

/// All of it as JSON, in the shape that explanations of missions have: there are no tasks that could be awarded.
pub fn to_json(lines: &[Line]) -> Value {
    json!({"lines": lines.iter().map(line_to_json).collect::<Vec<_>>(), "awards": [], "nobody": []})
}

fn line_to_json(line: &Line) -> Value {
    let [robot, other] = line.about();
    // Nobody but robots does anything at a reception.
    let mut told = json!({"at_s": line.at.as_secs_f64(), "robot": robot, "author": null, "task": null,
        "kind": line.deed.word(), "other": other, "text": line.sentence()});
    if let Some(change) = line.change() {
        told["change"] = change_to_json(change);
    }
    told
}

/// A change as a value: input, rule, numbers, chain.
fn change_to_json(change: &Change) -> Value {
    let Change { at, old, new, input, rule, chain } = change;
    let felt = |felt: &muster_core::affect::Emotion| {
        json!({"name": felt.name, "affect": felt.affect.to_string(), "because_of": felt.agency.to_string(),
            "since_s": felt.since.as_secs_f64()})
    };
    json!({"at_s": at.as_secs_f64(), "old": felt(old), "new": felt(new), "input": input, "rule": rule, "chain": chain})
}
