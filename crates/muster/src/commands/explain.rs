//! `muster explain`: why each award, silence and take-over happened.

mod reception;

use std::ops::RangeInclusive;

use miette::{Result, miette};
use muster_core::event::Event;
use muster_core::{Note, RobotId, TaskId};
use muster_reception::recording::AnyRecording;
use muster_sim::Origin;
use muster_sim::explain::{Award, Explainer, Line};
use muster_sim::recording;
use serde_json::{Value, json};

use super::replay;
use crate::cli::{ExplainArguments, Narrow};
use crate::output::{self, Verdict, faint};
use crate::progress;

/// Replays a recording and says why.
pub fn execute(arguments: &ExplainArguments, json: bool) -> Result<Verdict> {
    progress::heed_interrupts();
    let recording = match replay::read(&arguments.recording)? {
        AnyRecording::Mission(recording) => recording,
        AnyRecording::Reception(recording) => return reception::execute(&recording, &arguments.narrow, json),
    };
    let header = &recording.header;
    let mut teller = Teller::new(&header.origin, &arguments.narrow)?;
    let mut told = Told::default();
    let replayed = recording::replay_until(&recording, progress::was_interrupted);
    for note in &replayed.notes {
        if progress::was_interrupted() {
            break;
        }
        teller.tell(note, &mut told);
    }
    if json {
        let mut body = told.to_json();
        if progress::was_interrupted() {
            body["interrupted"] = true.into();
        }
        body["recording"] = replay::about(&recording);
        body["failure"] = json!(replayed.failure);
        output::print_json(Some(header.origin.seeds.run), &header.origin.loaded.scenario, &body);
    } else {
        told.print(None);
        if let Some(cut) = &recording.cut {
            println!("{}", faint(&format!("The recording ends here: {cut}.")));
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
        eprintln!("Broken off: what is above is a part of it.");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::Held)
}

/// What happened, in words, narrowed down.
#[derive(Default)]
pub struct Told {
    lines: Vec<(String, Option<String>, Line)>,
    awards: Vec<Value>,
}

/// Explains the notes of a run one by one, as far as is asked for.
pub struct Teller<'a> {
    explainer: Explainer<'a>,
    robot: Option<RobotId>,
    task: Option<TaskId>,
    at: Option<RangeInclusive<f64>>,
}

impl<'a> Teller<'a> {
    /// Nothing is told yet. `narrow` says what is asked for.
    pub fn new(origin: &'a Origin, narrow: &Narrow) -> Result<Self> {
        Ok(Self {
            robot: narrow.robot.as_deref().map(|name| robot_called(origin, name)).transpose()?,
            task: narrow.task.as_deref().map(|name| task_called(origin, name)).transpose()?,
            at: narrow.at.as_deref().map(span).transpose()?,
            explainer: Explainer::new(origin),
        })
    }

    /// Adds what there is to tell of a note.
    pub fn tell(&mut self, note: &Note, told: &mut Told) {
        let before = self.explainer.awards().len();
        let line = self.explainer.line(note);
        let Self { explainer, robot, task, at } = self;
        let award = explainer.awards().get(before);
        let named = |robot| award.is_some_and(|award| names(award, robot));
        let wanted = robot.is_none_or(|robot| line.robot == robot || concerns(&note.event, robot) || named(robot))
            && task.is_none_or(|task| line.task == Some(task))
            && at.as_ref().is_none_or(|at| at.contains(&line.at.as_secs_f64()));
        if !wanted {
            return;
        }
        if let Some(award) = award {
            told.awards.push(award_to_json(explainer, award));
        }
        // One by one the silences would drown the rest; awards and time-outs name them. A robot that is
        // asked for tells its own.
        if robot.is_none() && matches!(note.event, Event::Silent { .. } | Event::OfferHeard { .. }) {
            return;
        }
        let task = line.task.map(|task| explainer.task(task));
        told.lines.push((explainer.who(&line).to_owned(), task, line));
    }
}

impl Told {
    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Prints it, a line each, with a column for names as wide as given or as needed; says how wide.
    pub fn print(&self, width: Option<usize>) -> usize {
        let needed = || self.lines.iter().map(|(robot, ..)| robot.chars().count()).max().unwrap_or(0);
        let width = width.unwrap_or_else(needed);
        for (robot, _, line) in &self.lines {
            println!("{:>12}  {robot:<width$}  {}", format!("{:.2}", line.at), line.text);
        }
        if self.lines.is_empty() {
            println!("Nothing of the kind happened.");
        }
        width
    }

    /// The same as JSON.
    pub fn to_json(&self) -> Value {
        let lines: Vec<Value> = self
            .lines
            .iter()
            .map(|(robot, task, line)| json!({"at_s": line.at.as_secs_f64(), "robot": robot, "task": task, "text": line.text}))
            .collect();
        json!({"lines": lines, "awards": self.awards})
    }
}

fn award_to_json(explainer: &Explainer<'_>, award: &Award) -> Value {
    let offer = |offer: &muster_sim::explain::Offer| json!({"robot": explainer.robot(offer.robot), "eta_s": offer.eta.as_secs_f64()});
    let silent: Vec<Value> = award
        .silent
        .iter()
        .map(|quiet| json!({"robot": explainer.robot(quiet.robot), "why": quiet.why.word(), "shame": quiet.shame}))
        .collect();
    json!({
        "at_s": award.at.as_secs_f64(),
        "requester": explainer.robot(award.requester),
        "task": explainer.task(award.task),
        "help": award.round,
        "chosen": offer(&award.chosen),
        "others": award.others.iter().map(offer).collect::<Vec<_>>(),
        "unheard": award.unheard.iter().map(offer).collect::<Vec<_>>(),
        "silent": silent,
    })
}

/// The robot was chosen, or was not though it answered, or kept silent.
fn names(award: &Award, robot: RobotId) -> bool {
    let offers = [&award.chosen].into_iter().chain(&award.others).chain(&award.unheard);
    offers.map(|offer| offer.robot).chain(award.silent.iter().map(|quiet| quiet.robot)).any(|named| named == robot)
}

/// Something another robot noted about `robot`.
fn concerns(event: &Event, robot: RobotId) -> bool {
    match *event {
        Event::Awarded { with, .. } | Event::Served { with, .. } | Event::OfferHeard { with, .. } => with == robot,
        _ => false,
    }
}

fn robot_called(origin: &Origin, name: &str) -> Result<RobotId> {
    let robots = &origin.mission().robots;
    let index = robots.iter().position(|robot| &*robot.name == name);
    index.map(|index| RobotId(index as u32)).ok_or_else(|| {
        let known: Vec<&str> = robots.iter().map(|robot| &*robot.name).take(20).collect();
        miette!(help = format!("there are: {}", known.join(", ")), "there is no robot called `{name}`")
    })
}

fn task_called(origin: &Origin, name: &str) -> Result<TaskId> {
    let index = origin.task_names().position(|task| task == name);
    index.map(|index| TaskId(index as u32)).ok_or_else(|| {
        let known: Vec<&str> = origin.task_names().take(20).collect();
        miette!(help = format!("there are: {}", known.join(", ")), "there is no task called `{name}`")
    })
}

/// "65" is from 5 s before to 5 s after; "60..70" is that span.
fn span(text: &str) -> Result<RangeInclusive<f64>> {
    let wrong = || miette!(help = "write seconds, such as --at 65 or --at 60..70", "--at {text}: that is no time");
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    match text.split_once("..") {
        // Three dots: the third would pass for the point of ".70".
        Some((_, to)) if to.starts_with('.') => Err(wrong()),
        Some((from, to)) => match (number(from)?, number(to)?) {
            (from, to) if from > to => Err(miette!(
                help = format!("did you mean --at {to}..{from}?"),
                "--at {text}: that span ends before it begins"
            )),
            (from, to) => Ok(from..=to),
        },
        None => number(text).map(|at| at - 5.0..=at + 5.0),
    }
}
