//! Random instances for tests: every size, coverage and spread, ties and whole numbers among them.

use muster_core::rng::{Purpose, Stream};

use super::Instance;

/// A small instance: at most 5 robots and 7 tasks, so that all assignments can be tried.
pub fn instance(seed: u64) -> Instance {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    let (robots, tasks) = (1 + stream.below(5) as usize, 1 + stream.below(7) as usize);
    let coverage = 1 + stream.below(robots as u32);
    let kind = stream.below(6);
    let mut able: Vec<bool> = Vec::new();
    for _ in 0..tasks {
        let sure = stream.below(robots as u32) as usize;
        able.extend((0..robots).map(|robot| robot == sure || stream.below(robots as u32) < coverage));
    }
    let time = |robot: usize, task: usize| {
        able[task * robots + robot].then(|| match kind {
            // All alike, few different, whole, tenths, close together, far apart.
            0 => 100.0,
            1 => f64::from(1 + stream.below(3)),
            2 => f64::from(1 + stream.below(100)),
            3 => f64::from(1 + stream.below(30)) / 10.0,
            4 => stream.between(100.0, 200.0),
            _ => stream.between(1e-3, 1e3),
        })
    };
    Instance::from_fn(robots, tasks, time).expect("somebody can do each task")
}

/// Times between `low` and `high`, everybody able.
pub fn uniform(seed: u64, robots: usize, tasks: usize, low: f64, high: f64) -> Instance {
    let mut stream = Stream::of_run(seed, Purpose::Arrangement);
    Instance::from_fn(robots, tasks, |_, _| Some(stream.between(low, high))).expect("all can do all")
}
