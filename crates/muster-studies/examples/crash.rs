//! Crashes under the tasking protocol, one row of the study at a time: which seeds go wrong, and what happens in one.
//!
//! `crash SETTING RUNS [SEED]` makes runs of a setting, `crash SETTING run SEED` makes the run that a failure names and
//! says everything that was noted. SETTING is like `fenced,at-most-once,several,unruly,0.3`.

use muster_core::tasking::Variant;
use muster_core::{RobotId, Time};
use muster_sim::{Origin, Scheme};
use muster_studies::batch::Batch;
use muster_studies::tasking::faults::{Setting, faults};
use muster_studies::tasking::saboteur::Crashes;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [setting, runs, seed @ ..] = &arguments[..] else {
        eprintln!("usage: crash SETTING RUNS [SEED] | crash SETTING run SEED");
        std::process::exit(2);
    };
    let setting =
        setting.split(',').fold(Setting::new(Variant::Fenced, Crashes::One, 0.0), |setting, word| match word {
            "fenced" | "at-least-once" | "orderly" | "one" => setting,
            "drawn" => Setting { variant: Variant::Drawn, ..setting },
            "at-most-once" => setting.at_most_once(),
            "several" => Setting { crashes: Crashes::Several, ..setting },
            "unruly" => setting.unruly(),
            loss => Setting { loss: loss.parse().expect("a word that is known, or the share that is lost"), ..setting },
        });
    let seed: u64 = seed.first().map_or(1, |seed| seed.parse().expect("SEED is a number"));
    if runs != "run" {
        let runs: u64 = runs.parse().expect("RUNS is a number");
        let row = faults(setting, (seed, runs), &Batch::quiet()).expect("the mesh loads");
        println!("{row:#?}");
        return;
    }
    let trial = setting.trial().expect("the mesh loads");
    let outcome = trial.run(seed, true);
    let origin = Origin::new(trial.loaded().clone(), Scheme::Tasking(setting.variant), seed);
    let mut explainer = origin.explainer();
    for note in &outcome.notes {
        let line = explainer.line(note);
        let task = line.gist.task.map_or_else(String::new, |task| explainer.task(task).to_string());
        println!("{:10.3}  {:8} {:14} {}", line.at.as_secs_f64(), explainer.robot(line.robot), task, line.text);
    }
    for (moment, fault) in &outcome.struck {
        let at_s = fault.at.as_secs_f64();
        println!("{at_s:10.3}  {} crashes, {moment:?}: {:?}", explainer.robot(fault.robot), fault.kind);
    }
    for (task, deeds) in outcome.deeds.iter().enumerate() {
        let by = |(at, robot): &(Time, RobotId)| format!("{} at {:.3}", explainer.robot(*robot), at.as_secs_f64());
        println!("task {task}: {:?}, {:?}", deeds.iter().map(by).collect::<Vec<_>>(), outcome.verdicts[task]);
    }
}
