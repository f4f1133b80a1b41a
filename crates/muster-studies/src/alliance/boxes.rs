//! The box pushing experiments (§9.5), measured on runs of the built-in scenario `boxes`.
//!
//! Two R-2 robots push in turn; one is seized and put back (experiment 1), then replaced by Genghis-II, and at last the
//! other is removed (experiment 2). What robots know of each other they have learned in practice, never been told.

use std::sync::Arc;

use muster_core::alliance::{Alliance, task_time};
use muster_core::rng::Stream;
use muster_core::{Duration, Event, Note, RobotId, TaskId, Time};
use muster_sim::fault::FaultKind;
use muster_sim::scenario::{self, Approach, Loaded};
use muster_sim::{Knowledge, Origin, Scheme, Sim};

use super::claims::Claim;
use super::rules::Reading;
use crate::batch::Batch;
use crate::run;
use crate::stats;
use crate::verdict::Interval;

const APPROACH: Approach = Approach::Iii;
const ONE: RobotId = RobotId(0);
const OTHER: RobotId = RobotId(1);
const GENGHIS: RobotId = RobotId(2);
const LEFT: TaskId = TaskId(0);
const RIGHT: TaskId = TaskId(1);
const HOME: TaskId = TaskId(2);
/// After a change of the team, so long for the robots to settle down: two pushes of the slower robot.
const SETTLE_S: f64 = 60.0;

/// What one run showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// From when the remaining R-2 had no reason left to be patient until it set out for the other end.
    pub pause_s: Option<f64>,
    /// While alone, the share of its pushes that were at the other end than the one before.
    pub alternates: f64,
    /// With the other back, the share of its pushes that were at the end of the one before.
    pub keeps: f64,
    /// Pushes a minute with the other R-2, and with Genghis-II.
    pub per_minute: [f64; 2],
    /// Times that it took over or began at Genghis-II's end.
    pub takes_over: usize,
    /// Genghis-II went home when it was left alone, and not before.
    pub home: bool,
    /// The most that one end of the box was ahead of the other.
    pub worst_misalignment_m: f64,
}

/// When the team changes, in seconds.
struct Changes {
    seized: f64,
    back: f64,
    replaced: f64,
    removed: f64,
}

impl Changes {
    fn of(loaded: &Loaded) -> Self {
        let at = |robot, restarts: bool| {
            let fits = |kind| matches!(kind, FaultKind::Restart { .. }) == restarts;
            let fault = loaded.mission.faults.iter().find(|fault| fault.robot == robot && fits(fault.kind));
            fault.map_or((0.0, 0.0), |fault| {
                let lasts = if let FaultKind::Restart { down, .. } = fault.kind { down } else { Duration::ZERO };
                (fault.at.as_secs_f64(), (fault.at + lasts).as_secs_f64())
            })
        };
        let (seized, back) = at(OTHER, true);
        Self { seized, back, replaced: at(OTHER, false).0, removed: at(ONE, false).0 }
    }
}

/// What the robots noted about pushes: when, whose, at which end.
struct Pushes<'a>(&'a [Note]);

impl Pushes<'_> {
    fn begun(&self, robot: RobotId, from_s: f64, until_s: f64) -> Vec<(f64, TaskId)> {
        let begun = self.0.iter().filter(|note| note.robot == robot).filter_map(|note| match note.event {
            Event::Alliance(muster_core::alliance::Step::Activated { task, .. }) => Some((note.at.as_secs_f64(), task)),
            _ => None,
        });
        begun.filter(|(at_s, _)| (from_s..until_s).contains(at_s)).collect()
    }

    /// When, at which end, and how long it took.
    fn done(&self, robot: RobotId, from_s: f64, until_s: f64) -> Vec<(f64, TaskId, f64)> {
        let done = self.0.iter().filter(|note| note.robot == robot).filter_map(|note| match note.event {
            Event::Alliance(muster_core::alliance::Step::Done { task, took }) => {
                Some((note.at.as_secs_f64(), task, took.as_secs_f64()))
            }
            _ => None,
        });
        done.filter(|(at_s, ..)| (from_s..until_s).contains(at_s)).collect()
    }
}

/// Runs `boxes` once with robots that know what they know.
pub fn experiment(loaded: &Loaded, knowledge: &Knowledge, seed: u64) -> Experiment {
    let config = Arc::new(loaded.impatience(APPROACH));
    let machine = |robot| Alliance::new(config.clone(), knowledge.of(robot));
    let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
    let worst_misalignment_m = run::go(&mut sim, || false).expect("nobody calls a halt");
    let pushes = Pushes(sim.notes());
    let when = Changes::of(loaded);
    let at_home = sim.ledger().record(HOME).and_then(|record| record.served).map(|(at, _)| at);
    let went = pushes.begun(GENGHIS, 0.0, f64::INFINITY).into_iter().filter(|(_, task)| *task == HOME);
    let went: Vec<f64> = went.map(|(at_s, _)| at_s).collect();
    let back = pushes.begun(OTHER, when.back, when.replaced).first().map_or(when.replaced, |(at_s, _)| *at_s);
    let with_genghis = (when.replaced + SETTLE_S, when.removed);
    let per_minute =
        |(from_s, until_s): (f64, f64)| 60.0 * pushes.done(ONE, from_s, until_s).len() as f64 / (until_s - from_s);
    Experiment {
        pause_s: pause_s(&pushes, &when, &config),
        alternates: share(&pushes.begun(ONE, when.seized + SETTLE_S, when.back), |a, b| a != b),
        keeps: share(&pushes.begun(ONE, back + SETTLE_S, when.replaced), |a, b| a == b),
        per_minute: [per_minute((SETTLE_S, when.seized)), per_minute(with_genghis)],
        takes_over: pushes.begun(ONE, with_genghis.0, with_genghis.1).iter().filter(|(_, task)| *task == RIGHT).count(),
        home: at_home > Some(Time::ZERO) && went.len() == 1 && went[0] > when.removed,
        worst_misalignment_m,
    }
}

/// \[R\] "Brief pause": from when the slow rate has run out. The remaining robot is patient with the seized one for as long
/// as it expects it to push, if it was pushing; and before it is done with its own push, the other end is not its turn.
fn pause_s(pushes: &Pushes<'_>, when: &Changes, config: &muster_core::alliance::Config) -> Option<f64> {
    let (sets_out, _) = pushes.begun(ONE, when.seized, when.back).into_iter().find(|(_, task)| *task == RIGHT)?;
    let own_done = pushes.done(ONE, 0.0, sets_out).last().filter(|(_, task, _)| *task == LEFT)?.0;
    let of_other = pushes.done(OTHER, 0.0, when.seized);
    let (last_begun, _) = *pushes.begun(OTHER, 0.0, when.seized).last()?;
    let unfinished = of_other.last().is_none_or(|(at_s, ..)| *at_s < last_begun);
    let trials: Vec<f64> = of_other.iter().rev().take(config.trials).map(|(.., took_s)| *took_s).collect();
    let patience = last_begun + config.patience_margin * task_time(&trials);
    let silence = when.seized + config.silence.map_or(f64::INFINITY, |silence| silence.as_secs_f64());
    let free = if unfinished { own_done.max(patience.min(silence)) } else { own_done };
    Some(sets_out - free)
}

fn share(pushes: &[(f64, TaskId)], fits: impl Fn(TaskId, TaskId) -> bool) -> f64 {
    let pairs = pushes.windows(2).filter(|pair| fits(pair[0].1, pair[1].1)).count();
    if pushes.len() < 2 { f64::NAN } else { pairs as f64 / (pushes.len() - 1) as f64 }
}

/// What section 9 claims, on `runs` runs, each with its own practice runs.
pub fn claims((seed, runs): (u64, u64), batch: &Batch<'_>) -> Vec<Claim> {
    let loaded = Arc::new(scenario::load("boxes", &[]).expect("the built-in scenarios are right"));
    let all = batch.map(runs, |index| {
        let seed = Stream::seed_of_run(seed, index);
        let origin = Origin::new(loaded.clone(), Scheme::Alliance(APPROACH), seed).practised(|| false);
        let origin = origin.expect("nobody calls a halt");
        let run = experiment(&loaded, &origin.knowledge, seed);
        (batch.progress)(1);
        run
    });
    let fast_s = loaded.impatience(APPROACH).max_delay.as_secs_f64();
    let claim = |id: &str, statement: &str, value: &dyn Fn(&Experiment) -> f64, held: &dyn Fn(f64) -> bool| {
        let values: Vec<f64> = all.iter().map(value).collect();
        let error = stats::sd(&values) / (values.len().max(1) as f64).sqrt();
        // Of every run: a team that does what the report shows now and then does not do it.
        let held = !values.is_empty() && values.iter().all(|value| held(*value));
        Claim {
            id: id.to_owned(),
            section: "9.5",
            statement: statement.to_owned(),
            reading: Reading::Default.name(),
            measured: Interval::new(stats::mean(&values), error),
            held,
            verdict: if held { "holds" } else { "fails" },
        }
    };
    let percent = |value: f64| 100.0 * value;
    vec![
        claim(
            "boxes-1-pause",
            "seized: the other sets out for its end within 2 theta/delta_fast of the slow rate's end (percent of that)",
            &|run| percent(run.pause_s.unwrap_or(f64::INFINITY) / (2.0 * fast_s)),
            &|share| share <= 100.0 + 1e-6,
        ),
        claim(
            "boxes-1-alternates",
            "alone it changes ends with every push (percent of pushes)",
            &|run| percent(run.alternates),
            &|share| share == 100.0,
        ),
        claim(
            "boxes-1-keeps",
            "with the other back it keeps to one end (percent of pushes)",
            &|run| percent(run.keeps),
            &|share| share == 100.0,
        ),
        claim(
            "boxes-2-less-often",
            "with Genghis-II the R-2 pushes less often, by 20 % or more",
            &|run| percent(1.0 - run.per_minute[1] / run.per_minute[0]),
            &|less| less >= 20.0,
        ),
        claim(
            "boxes-2-no-take-over",
            "it does not take over Genghis-II's end (percent of runs in which it does)",
            &|run| percent(f64::from(u8::from(run.takes_over > 0))),
            &|share| share == 0.0,
        ),
        claim(
            "boxes-2-home",
            "left alone, Genghis-II goes home, and not before (percent of runs)",
            &|run| percent(f64::from(u8::from(run.home))),
            &|share| share == 100.0,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use muster_sim::practice::practise;

    use super::*;

    fn learned(loaded: &Loaded, seed: u64) -> Knowledge {
        practise(&Origin::new(loaded.clone(), Scheme::Alliance(APPROACH), seed), || false).knowledge
    }

    /// §9.5.1, §9.5.2: both experiments, on runs that differ in how long every push took.
    #[test]
    fn both_experiments_go_as_the_report_has_them() {
        let claims = claims((1, 20), &Batch::quiet());
        assert!(claims.iter().all(|claim| claim.verdict == "holds"), "{claims:#?}");
        let loaded = scenario::load("boxes", &[]).unwrap();
        let run = experiment(&loaded, &learned(&loaded, 1), 1);
        // Two pushes: a robot that is seized in the middle of one leaves the rest to the other.
        assert!(run.worst_misalignment_m <= 0.25, "{run:?}");
    }

    /// §9.4: practice teaches delta_slow_R(Genghis-II) < delta_slow_R(R-2); nothing of it is set.
    #[test]
    fn practice_teaches_that_genghis_is_slower() {
        let loaded = scenario::load("boxes", &[]).unwrap();
        let knowledge = learned(&loaded, 1);
        let right = knowledge.of(ONE).iter().find(|known| known.task == RIGHT).unwrap();
        let of = |robot| right.lessons.iter().find(|lesson| lesson.robot == robot).unwrap().task_time_s();
        assert!((9.0..12.0).contains(&of(OTHER)) && (18.0..24.0).contains(&of(GENGHIS)), "{right:?}");
        assert!(
            knowledge.of(GENGHIS).iter().all(|known| known.task == RIGHT),
            "it keeps nothing about what it cannot do"
        );
    }

    /// The learned files make the difference: an R-2 that takes Genghis-II for an R-2 does take its end over.
    #[test]
    fn with_the_learned_files_swapped_the_r_2_takes_over() {
        let loaded = scenario::load("boxes", &[]).unwrap();
        for seed in 1..6 {
            let text = learned(&loaded, seed).to_toml(&loaded);
            let (head, own) = text.split_once("[robots.r2-a.push-right]\n").unwrap();
            let (own, rest) = own.split_once("\n\n").unwrap();
            let swapped = own.replace("genghis", "?").replace("r2-b", "genghis").replace('?', "r2-b");
            let swapped = format!("{head}[robots.r2-a.push-right]\n{swapped}\n\n{rest}");
            let as_learned = Knowledge::parse("learned", &text, &loaded).unwrap();
            let swapped = Knowledge::parse("swapped", &swapped, &loaded).unwrap();
            assert_ne!(as_learned, swapped);
            let took_over = |knowledge: &Knowledge| {
                let config = Arc::new(loaded.impatience(APPROACH));
                let machine = |robot| Alliance::new(config.clone(), knowledge.of(robot));
                let mut sim = Sim::new(&loaded.mission, seed, machine, ()).with_notes();
                sim.run();
                let over = |note: &&Note| {
                    let from = if let Event::Alliance(muster_core::alliance::Step::Activated {
                        overrides: Some((mate, _)),
                        ..
                    }) = note.event
                    {
                        Some(mate)
                    } else {
                        None
                    };
                    note.robot == ONE && from == Some(GENGHIS)
                };
                sim.notes().iter().filter(over).count()
            };
            assert_eq!(took_over(&as_learned), 0, "seed {seed}");
            assert!(took_over(&swapped) > 0, "seed {seed}");
        }
    }

    /// Nobody knows anything: whoever waits for a team mate does so for as long as for anything unknown.
    #[test]
    fn without_practice_patience_is_not_learned() {
        let loaded = scenario::load("boxes", &[]).unwrap();
        assert_ne!(experiment(&loaded, &Knowledge::default(), 1), experiment(&loaded, &learned(&loaded, 1), 1));
    }
}
