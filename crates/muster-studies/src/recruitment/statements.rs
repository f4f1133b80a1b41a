//! What the paper says in words, beside what was measured: what its totals are made of, and its use cases.
//!
//! Read before editing: [Gage, Results], Effects of Team Size; [Gage, Illustrative Use Cases].

use std::collections::BTreeMap;

use muster_core::recruitment::{Message, Recruitment, Strategy};
use muster_core::rng::Stream;
use muster_core::{Output, RobotId, Time};
use muster_sim::scenario::{self, ScenarioError};
use muster_sim::{Observer, Sim};
use serde::Serialize;

use super::tradeoff::Tradeoff;
use super::{Group, Sample, Setting};
use crate::verdict::{Bounds, Ground, Interval, Known, Verdict};

/// A sentence of the paper with a number in it, or one that follows from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Statement {
    /// A short name.
    pub id: &'static str,
    /// The section of the paper.
    pub section: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// Where the figure has to lie.
    pub claimed: Bounds,
    /// What was measured.
    pub measured: Interval,
    /// Unit of both.
    pub unit: &'static str,
    /// What the verdict rests on.
    pub ground: Ground,
    /// Where our figure lies if it is known not to fit, and why.
    pub known: Option<Known>,
    /// What became of it.
    pub verdict: Verdict,
}

impl Statement {
    fn new(id: &'static str, section: &'static str, statement: &'static str, unit: &'static str) -> Self {
        let nothing = Interval::exact(f64::NAN);
        let claimed = Bounds::at_least(f64::NEG_INFINITY);
        let (ground, verdict) = (Ground::Measured, Verdict::Undecided);
        Self { id, section, statement, claimed, measured: nothing, unit, ground, known: None, verdict }
    }

    fn judged(self, measured: Interval, claimed: Bounds) -> Self {
        let verdict = Verdict::of(measured, claimed).known(measured, self.known.as_ref());
        Self { measured, claimed, verdict, ..self }
    }

    fn knowing(self, low: f64, high: f64, because: &'static str) -> Self {
        Self { known: Some(Known::new(low, high, because)), ..self }
    }

    fn fitted(self) -> Self {
        Self { ground: Ground::Fitted, ..self }
    }

    fn by_construction(self) -> Self {
        Self { ground: Ground::Construction, ..self }
    }
}

/// Where the mean of something lies that is counted of every recruitment.
fn mean(sample: &Sample, of: fn(&Group) -> f64) -> Interval {
    Interval::of_mean(&sample.groups.iter().map(of).collect::<Vec<_>>())
}

/// Where the difference of the means of two samples lies. They share their arrangements, so groups are compared in pairs.
pub(super) fn less(a: &[f64], b: &[f64]) -> Interval {
    Interval::of_mean(&a.iter().zip(b).map(|(a, b)| b - a).collect::<Vec<_>>())
}

const TEAM: &str = "Effects of Team Size";
const LOSS: &str = "Effects of Communication Loss";
const CASES: &str = "Illustrative Use Cases";
/// Messages of a recruitment beside HELPs and ACCEPTs: RESPONDER, ARRIVAL, AGREE, ACKACK.
const OTHERS: f64 = 4.0;

/// The sentences about messages and waits.
pub fn statements(samples: &BTreeMap<Setting, Sample>, tradeoff: &Tradeoff) -> Vec<Statement> {
    let of = |strategy, idle| &samples[&Setting::lossless(strategy, idle)];
    let (affective, greedy, random) =
        (|idle| of(Strategy::Affective, idle), |idle| of(Strategy::Greedy, idle), |idle| of(Strategy::Random, idle));
    let ten = affective(10);
    // A printed mean of five recruitments leaves this much for the ACCEPTs of one that took five HELPs.
    let at_most = |printed: f64| printed / 5.0 - 5.0 - OTHERS;
    let fewer = |id, statement, idle| {
        // The conclusion reverses with other periods: Table 1, by which ours was chosen, is what it is drawn from.
        Statement::new(id, TEAM, statement, "messages")
            .fitted()
            .judged(less(&affective(idle).messages, &greedy(idle).messages), Bounds::at_least(0.0))
    };
    let sooner = |id, statement, soon: &Sample, late: &Sample, known| {
        let statement = Statement { known, ..Statement::new(id, TEAM, statement, "s less") };
        statement.judged(less(&soon.waits, &late.waits), Bounds::at_least(0.0))
    };
    let lossy = &samples[&Setting { loss_percent: 25, ..Setting::lossless(Strategy::Affective, 10) }];
    let same_help = "robots far away reach the threshold with the same HELP";
    let said = |id, statement, unit| Statement::new(id, TEAM, statement, unit);
    vec![
        said(
            "helps",
            "affective \"needed to request from five to ten times per recruitment\": HELPs of one (13 robots)",
            "",
        )
        .knowing(4.2, 4.8, "SHAME that is left from the stop before makes robots answer the third or fourth HELP")
        .judged(mean(ten, |it| it.helps), Bounds::between(5.0, 10.0)),
        said("accepts-13", "ACCEPTs of a recruitment that 61 messages and five HELPs leave room for (13 robots)", "")
            .knowing(3.7, 4.5, same_help)
            .judged(mean(ten, |it| it.accepts), Bounds::at_most(at_most(61.0))),
        said("accepts-23", "ACCEPTs of a recruitment that 79.7 messages and five HELPs leave room for (23 robots)", "")
            .judged(mean(affective(20), |it| it.accepts), Bounds::at_most(at_most(79.7))),
        said("single-reply", "\"wait for a single reply\": most recruitments have one ACCEPT (13 robots)", "%")
            .knowing(10.0, 30.0, same_help)
            .judged(mean(ten, |it| it.single), Bounds::at_least(50.0)),
        // Whoever is idle answers at once, so the first HELP is the last, and what answers is who is idle.
        said("greedy-helps", "greedy: \"a single HELP message is sufficient\" (13 robots)", "")
            .by_construction()
            .judged(mean(greedy(10), |it| it.helps), Bounds::exactly(1.0)),
        // One of the ten may still be at work for the stop before.
        said("greedy-accepts", "greedy: \"an additional message ... from every idle robot\": ACCEPTs (13 robots)", "")
            .by_construction()
            .judged(mean(greedy(10), |it| it.accepts), Bounds::between(9.0, 12.0)),
        // Greedy's six messages are the fewest that a recruitment can have, and affective does not answer the first HELP.
        said("more-with-one", "affective \"requires more messages\" than greedy with one idle robot: more", "messages")
            .by_construction()
            .judged(less(&greedy(1).messages, &affective(1).messages), Bounds::at_least(0.0)),
        fewer("fewer-with-ten", "affective needs fewer messages than greedy with 10 idle robots: fewer", 10),
        fewer("fewer-with-twenty", "affective needs fewer messages than greedy with 20 idle robots: fewer", 20),
        sooner("greedy-waits-least", "greedy waits less than affective (13 robots)", greedy(10), ten, None),
        sooner("before-random-13", "\"affective outperformed random\" (13 robots)", ten, random(10), None),
        sooner(
            "before-random-4",
            "\"affective outperformed random\" (4 robots)",
            affective(1),
            random(1),
            Some(Known::new(
                -140.0,
                -90.0,
                "its own Table 2 has 377.4 s against 261 s: one robot answers random at once",
            )),
        ),
        Statement::new(
            "functions-at-25",
            LOSS,
            "\"continues to function\" at 25 % loss: not handed over (affective)",
            "%",
        )
        .judged(Interval::percent(lossy.open as usize, lossy.helps.len()), Bounds::at_most(1.0)),
        said(
            "trade-off",
            "\"trade-off\": settings of t, c, k and pause besides the paper's own with fewer messages than greedy, for more \
             waiting",
            "",
        )
        .judged(tradeoff.bought(), Bounds::at_least(1.0)),
        said(
            "trade-off-is-flexible",
            "\"flexible ... as needed\": such settings that are worse than greedy in both",
            "%",
        )
        .knowing(30.0, 90.0, "after few HELPs nearly all robots reach the threshold with the same one, and all answer")
        .judged(tradeoff.worse_than_greedy_percent(), Bounds::exactly(0.0)),
    ]
}

/// Who transmits in a use case, and how often HELP does.
#[derive(Default)]
struct Voices {
    helps: u32,
    by_robot: BTreeMap<RobotId, u32>,
    first: Option<Time>,
}

impl Observer<Recruitment> for Voices {
    fn on_output(&mut self, now: Time, robot: RobotId, output: &Output<Recruitment>) {
        if let Output::Send { message, .. } = output {
            *self.by_robot.entry(robot).or_default() += 1;
            if matches!(message, Message::Help { .. }) {
                self.helps += 1;
                self.first.get_or_insert(now);
            }
        }
    }
}

/// A use case that was run: how long help was waited for, who came, HELPs, and messages of each robot.
struct Case {
    wait_s: f64,
    by: Option<RobotId>,
    helps: u32,
    by_robot: BTreeMap<RobotId, u32>,
}

fn case(name: &str, strategy: Strategy, seed: u64, changes: &[String]) -> Result<Case, ScenarioError> {
    let loaded = scenario::load(name, changes)?;
    let configs = loaded.recruiters(strategy);
    let machine = |robot| Recruitment::new(configs.of(robot).clone());
    let mut sim = Sim::new(&loaded.mission, seed, machine, Voices::default());
    sim.run();
    let served = sim.ledger().records().first().and_then(|record| record.served);
    let voices = sim.observer();
    let wait_s = match (voices.first, served) {
        (Some(first), Some((at, _))) => at.since(first).as_secs_f64(),
        _ => f64::NAN,
    };
    Ok(Case { wait_s, by: served.map(|(_, by)| by), helps: voices.helps, by_robot: voices.by_robot.clone() })
}

/// The two use cases. Their places are ours, chosen so that the paper's figures come out: what holds is not counted.
pub fn use_cases(seed: u64, changes: &[String]) -> Result<Vec<Statement>, ScenarioError> {
    // The paper's figures are those of a run in which random picks r1.
    let r1 = Some(RobotId(1));
    let mut random = case("late-but-faster", Strategy::Random, seed, changes)?;
    for run in 0..100 {
        if random.by == r1 {
            break;
        }
        random = case("late-but-faster", Strategy::Random, Stream::seed_of_run(seed, run), changes)?;
    }
    let waits = |id, statement, case: &Case, printed: f64| {
        Statement::new(id, CASES, statement, "s")
            .fitted()
            .judged(Interval::exact(case.wait_s), Bounds::between(printed - 0.5, printed + 0.5))
    };
    let affective = case("late-but-faster", Strategy::Affective, seed, changes)?;
    let greedy = case("late-but-faster", Strategy::Greedy, seed, changes)?;
    let nearest = case("nearest-answers", Strategy::Affective, seed, changes)?;
    let far: u32 = [RobotId(1), RobotId(3)].iter().filter_map(|robot| nearest.by_robot.get(robot)).sum();
    Ok(vec![
        waits(
            "use-case-1-affective",
            "late but faster: affective recruits r2, which is there after 65.4 s",
            &affective,
            65.4,
        ),
        waits("use-case-1-greedy", "late but faster: greedy recruits r1, which is there after 95.2 s", &greedy, 95.2),
        waits("use-case-1-random", "late but faster: random, when it picks r1, waits 95.4 s", &random, 95.4),
        Statement::new("use-case-2-helps", CASES, "nearest answers: \"the UAV broadcast 5 HELP messages\"", "")
            .fitted()
            .judged(Interval::exact(f64::from(nearest.helps)), Bounds::exactly(5.0)),
        Statement::new(
            "use-case-2-silent",
            CASES,
            "nearest answers: messages of r1 and r3, which \"never broadcast any\"",
            "",
        )
        .fitted()
        .judged(Interval::exact(f64::from(far)), Bounds::exactly(0.0)),
    ])
}
