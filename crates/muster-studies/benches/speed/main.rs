//! What the core and the simulator cost, beside baselines that are measured in the same minute.
//!
//! `cargo bench -p muster-studies`, or `./bench` for the instruction counts as well; docs/performance.md explains
//! the figures. Contenders take turns and their ratios are compared, because nanoseconds of a shared machine mean
//! little. This is never a test: a bound that a busy machine breaks would only teach people to ignore it.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

mod alliance;
mod assign;
mod crowd;
mod growth;
mod help;
mod makespan;
mod motivation;
mod queue;
mod reception;
mod recording;
mod table;
mod tasking;

/// Counts allocations, to show that a delivery makes none.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    // Cargo adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // For the `bench` script, which counts instructions from outside and prints the table's head.
        ["hear", reach, robots, runs] => {
            let (robots, runs) = (robots.parse().expect("a number of robots"), runs.parse().expect("a number of runs"));
            let mut field = match reach {
                "near" => growth::Minefield::of_limited_range(robots),
                _ => growth::Minefield::new(robots),
            };
            println!("{}", field.run(runs).helps);
        }
        ["rows"] => measure(""),
        [] => {
            table::heading();
            measure("");
        }
        [group] => {
            table::heading();
            measure(group);
        }
        _ => {
            eprintln!(
                "usage: speed [help|queue|growth|recording|makespan|motivation|alliance|assign|tasking|crowd|reception|rows], or speed hear all|near ROBOTS RUNS"
            );
            std::process::exit(2);
        }
    }
}

fn measure(only: &str) {
    let groups: [(&str, fn()); 11] = [
        ("help", help::measure),
        ("queue", queue::measure),
        ("growth", growth::measure),
        ("recording", recording::measure),
        ("makespan", makespan::measure),
        ("motivation", motivation::measure),
        ("alliance", alliance::measure),
        ("assign", assign::measure),
        ("tasking", tasking::measure),
        ("crowd", crowd::measure),
        ("reception", reception::measure),
    ];
    for (_, measure) in groups.iter().filter(|(name, _)| name.contains(only)) {
        measure();
    }
}
