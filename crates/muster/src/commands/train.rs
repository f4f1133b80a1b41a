//! `muster train`: the training missions of a scenario, and what robots know after them.

use std::path::Path;

use miette::{Result, miette};
use muster_core::alliance::task_time;
use muster_sim::practice::{Practised, practise};
use muster_sim::scenario::{self, Approach, Loaded};
use muster_sim::{Knowledge, Origin, Scheme};
use serde_json::json;

use crate::artifact::{self, Artifact, Left};
use crate::cli::TrainArguments;
use crate::output::{self, Table, Verdict, bold, faint};
use crate::progress;

/// Trains the robots and says what they have learned.
pub fn execute(arguments: &TrainArguments, json: bool) -> Result<Verdict> {
    let loaded = scenario::load(&arguments.scenario, &arguments.set)?;
    let missions: u32 =
        loaded.alliance.iter().flat_map(|spec| &spec.practice).map(|practice| u32::from(practice.missions)).sum();
    if loaded.schemes()[0] == Scheme::Alliance(Approach::Fixed) {
        let help = "leave strategy = \"fixed\" out: its rates are set by hand";
        return Err(miette!(help = help, "robots with fixed rates learn nothing"));
    }
    if missions == 0 {
        let help = "add [[alliance.practice]] to it, or train boxes or cleanup";
        return Err(miette!(help = help, "{} has no training missions", loaded.name));
    }
    if let Some(path) = &arguments.save {
        artifact::expect_ending(path, "knowledge file", &["toml"])?;
        let own = scenario::built_in(&arguments.scenario).is_none().then(|| Path::new(&arguments.scenario));
        let own: Vec<_> = own.map(|path| ("the scenario", path)).into_iter().collect();
        artifact::expect_apart(&[("--save", path)], &own)?;
    }
    let save = Artifact::begin_if(arguments.save.as_ref())?;
    progress::heed_interrupts();
    let scheme = loaded.schemes()[0];
    let origin = Origin::new(loaded, scheme, arguments.seed);
    let loaded = &origin.loaded;
    let practised = practise(&origin, progress::was_interrupted);
    let Practised { knowledge, missions: whole, broken_off } = &practised;
    let how_far = format!("Broken off after {whole} of {missions} training missions");
    let verdict = if *broken_off { Verdict::Interrupted } else { Verdict::Held };
    let mut left = Left::default();
    // Nothing learned is nothing to keep in place of what was there before.
    if let Some(file) = save.filter(|_| *whole > 0) {
        let remark = if *broken_off { format!("# {how_far}.\n") } else { String::new() };
        left.note(file.fill_text(&format!("{remark}{}", knowledge.to_toml(loaded))));
    }
    if json {
        let seen = rows(loaded, knowledge).map(|row| {
            json!({"robot": row.robot, "task": row.task, "of": row.of, "trials_s": row.trials_s,
                "expected_s": task_time(row.trials_s)})
        });
        let mut body = json!({"scenario": loaded.name, "missions": whole, "knowledge": seen.collect::<Vec<_>>()});
        if *broken_off {
            body["interrupted"] = true.into();
        }
        output::print_json(Some(arguments.seed), &loaded.scenario, &body);
        return left.end(verdict);
    }
    println!(
        "{}: {} of training  {}",
        bold(&loaded.name),
        output::count(*whole as usize, "mission"),
        faint(&format!("[{}]", output::provenance(arguments.seed)))
    );
    let mut table = Table::new(3, &["robot", "task", "has seen", "trials", "expects", "  last trials"]);
    let mut trials = Vec::new();
    for row in rows(loaded, knowledge) {
        table.row([
            row.robot.to_owned(),
            row.task.to_owned(),
            row.of.to_owned(),
            row.trials_s.len().to_string(),
            format!("{:.1} s", task_time(row.trials_s)),
        ]);
        trials.push(row.trials_s.iter().map(|trial| format!("{trial:.1}")).collect::<Vec<_>>().join(", "));
    }
    table.print_with(trials.iter().map(String::as_str));
    match left.written.first() {
        Some(path) => {
            output::print_written(left.written.iter());
            let scenario = output::shown(Path::new(&arguments.scenario));
            println!("Use it with `muster run {scenario} --knowledge {}`.", output::shown(path));
        }
        None if arguments.save.is_some() || *broken_off => {}
        None => {
            println!("\nKeep it with --save learned.toml; `muster run` trains by itself if it is not given a file.")
        }
    }
    if *broken_off {
        println!("\n{how_far}: this is what was learned in these.");
    }
    left.end(verdict)
}

struct Row<'a> {
    robot: &'a str,
    task: &'a str,
    of: &'a str,
    trials_s: &'a [f64],
}

fn rows<'a>(loaded: &'a Loaded, knowledge: &'a Knowledge) -> impl Iterator<Item = Row<'a>> {
    let robot = |index: usize| &*loaded.mission.robots[index].name;
    knowledge.0.iter().enumerate().flat_map(move |(index, known)| {
        known.iter().flat_map(move |known| {
            known.lessons.iter().map(move |lesson| Row {
                robot: robot(index),
                task: &loaded.task_names[known.task.index()],
                of: robot(lesson.robot.index()),
                trials_s: &lesson.trials,
            })
        })
    })
}
