//! Whatever an L-ALLIANCE robot is given, in whatever order: it does not panic, its motivations stay finite, at most one
//! of its behaviour sets is active and its body works at that one, what one input leads to is bounded, and it never
//! waits without a timer nor wakes itself for ever at one instant.
//!
//! Inputs are drawn from a small world, so that tasks, names and stamps often fit by chance, and some steps fit on
//! purpose. A last check makes sure that the runs have met everything that can happen.

use std::collections::BTreeSet;

use muster_core::alliance::Quit;
use muster_core::alliance::{
    Config, Deed, Doing, Fixed, Known, LearningPhase, Lesson, Memory, Message, Ordering, Stamp, Strategy as Patience,
    Timer, Work,
};
use muster_core::event::Drop;
use muster_core::{
    Action, Brief, Duration, Event, Order, Percept, Percepts, Phase, Point, RobotId, Task, TaskId, Time,
};
use proptest::prelude::*;

use crate::harness::absurd::{Met, duration, explore, point, wait};
use crate::world::*;

/// The most outputs that one input may lead to: a robot that gives up says so, remembers, stops, begins something else,
/// says that, and sets its timers.
const MOST_OUTPUTS: usize = 9;

/// The most notes: it quits and begins something else.
const MOST_NOTES: usize = 2;

/// How often a robot may wake itself at one instant: it begins something at which it gives up at once, and waits.
const MOST_WAKES: usize = 3;

#[derive(Clone, Debug)]
enum Step {
    Wait(Duration),
    Hear(RobotId, Message),
    /// A team mate says that it is at the task of the active set, or at one that is to be done, for so long.
    Claim(RobotId, Duration),
    /// The body has done the task of the active set.
    Done,
    /// The next timer, when it is due.
    Due,
    /// A timer, due or not, set or not.
    Fire(Timer),
    Sense(Percept),
    Told(Order),
    /// With the memory that was last kept.
    Restart,
    /// With this one, or with none.
    Start(Option<Memory>),
}

fn place() -> impl Strategy<Value = Point> {
    prop_oneof![3 => Just(Point::default()), 1 => point()]
}

fn percepts() -> impl Strategy<Value = Percepts> {
    prop_oneof![6 => Just(MINES), 1 => Just(Percepts::NONE), 1 => any::<u32>().prop_map(Percepts)]
}

fn robot() -> impl Strategy<Value = RobotId> {
    prop_oneof![8 => prop::sample::select(vec![ME, R1, R2]), 1 => any::<u32>().prop_map(RobotId)]
}

fn task_id() -> impl Strategy<Value = TaskId> {
    prop_oneof![8 => prop::sample::select(vec![A, B, C]), 1 => any::<u32>().prop_map(TaskId)]
}

fn some_task() -> impl Strategy<Value = Task> {
    (task_id(), place(), percepts()).prop_map(|(id, place, needs)| Task { id, place, needs })
}

fn stamp() -> impl Strategy<Value = Stamp> {
    let life = prop_oneof![6 => 0..3_u32, 1 => any::<u32>()];
    // The same few often enough for doubled statements to be met.
    let number = prop_oneof![4 => 0..60_u32, 3 => 1..5_u32, 1 => any::<u32>()];
    (life, number).prop_map(|(life, number)| Stamp { life, number })
}

fn message() -> impl Strategy<Value = Message> {
    let work = (task_id(), duration(120), duration(120)).prop_map(|(task, elapsed, away)| Work { task, elapsed, away });
    let doing = prop::option::of(work);
    let deed = (0..70_u32, task_id(), duration(120)).prop_map(|(number, task, took)| Deed { number, task, took });
    let times = prop::collection::vec((task_id(), duration(120)), 0..6);
    prop_oneof![
        4 => (stamp(), doing, prop::option::of(deed)).prop_map(|(stamp, doing, last)| Message::Activity { stamp, doing, last }),
        2 => (stamp(), task_id(), duration(120)).prop_map(|(stamp, task, took)| Message::Finished { stamp, task, took }),
        2 => (stamp(), task_id(), duration(120)).prop_map(|(stamp, task, tried)| Message::GaveUp { stamp, task, tried }),
        1 => (stamp(), times).prop_map(|(stamp, times)| Message::Times { stamp, times }),
    ]
}

fn percept() -> impl Strategy<Value = Percept> {
    prop_oneof![
        6 => some_task().prop_map(Percept::TaskSeen),
        2 => task_id().prop_map(Percept::TaskGone),
        1 => task_id().prop_map(Percept::Done),
        2 => Just(Percept::Arrived),
        1 => Just(Percept::Blocked),
        1 => prop::sample::select(vec![Phase::Free, Phase::Engaged]).prop_map(Percept::Phase),
    ]
}

/// What a robot may have kept: numbers that were times once.
fn known() -> impl Strategy<Value = Vec<Known>> {
    let seconds = prop_oneof![6 => 0.0..200.0_f64, 1 => Just(0.0), 1 => 0.0..1e12_f64];
    let lesson = (robot(), prop::collection::vec(seconds, 0..7)).prop_map(|(robot, trials)| Lesson::new(robot, trials));
    let known = (task_id(), prop::collection::vec(lesson, 0..4)).prop_map(|(task, lessons)| Known { task, lessons });
    prop::collection::vec(known, 0..4)
}

fn step() -> impl Strategy<Value = Step> {
    let timer = prop::sample::select(vec![Timer::Motivation, Timer::Statement, Timer::Times]);
    let memory = (any::<u32>(), known()).prop_map(|(life, known)| Memory { life, known });
    prop_oneof![
        4 => wait().prop_map(Step::Wait),
        6 => (robot(), message()).prop_map(|(from, message)| Step::Hear(from, message)),
        4 => (prop::sample::select(vec![R1, R2]), duration(120)).prop_map(|(from, elapsed)| Step::Claim(from, elapsed)),
        2 => Just(Step::Done),
        12 => Just(Step::Due),
        1 => timer.prop_map(Step::Fire),
        6 => percept().prop_map(Step::Sense),
        1 => prop_oneof![some_task().prop_map(|task| Order::Inject(task.into())), task_id().prop_map(Order::Cancel)].prop_map(Step::Told),
        1 => prop_oneof![
            Just(Step::Restart),
            Just(Step::Start(None)),
            memory.prop_map(|memory| Step::Start(Some(memory))),
        ],
    ]
}

fn config() -> impl Strategy<Value = Config> {
    let ordering = prop::sample::select(vec![
        Ordering::Longest,
        Ordering::ModifiedShortest,
        Ordering::ModifiedRandom,
        Ordering::Preferred,
        Ordering::Regret,
        Ordering::Replan,
    ]);
    let strategy = prop::sample::select(Patience::ALL.to_vec());
    let kind = 0..6_u32;
    let fixed = (1..30_u64, 0..60_u64, 0..60_u64, 0..90_u64).prop_map(|(fast, patience, yielding, giving_up)| Fixed {
        fast: Duration::from_secs(fast),
        patience: Duration::from_secs(patience),
        yielding: Duration::from_secs(yielding),
        giving_up: Duration::from_secs(giving_up),
    });
    (ordering, strategy, kind, fixed, any::<(bool, bool, bool)>(), 0..5_u32).prop_map(
        |(ordering, strategy, kind, fixed, (gate, tells_times, bored), team)| {
            let config = match kind {
                0 => Config::training(team),
                1 => Config::alliance_1998(fixed, team),
                2 => Config::parker_1995(strategy, ordering, team).without_repetition(),
                _ => Config::parker_1995(strategy, ordering, team),
            };
            let boredom = if bored { Duration::ZERO } else { config.boredom };
            Config { gate, tells_times, boredom, ..config }
        },
    )
}

/// Runs the steps and checks after each. Returns what was met.
fn run(config: Config, known: &[Known], picks: Vec<u32>, steps: Vec<Step>) -> Result<Met, TestCaseError> {
    let adaptive = config.phase == LearningPhase::Adaptive;
    let theta = config.threshold;
    let mut robot = Robot::with_dice(ME, config, known, Dice::falling(picks));
    let mut met = Met::new();
    let mut applicable = BTreeSet::new();
    let mut working: Option<TaskId> = None;
    let mut newest = 0;
    let mut wakes = (Time::ZERO, 0);
    for (index, step) in steps.into_iter().enumerate() {
        let shown = format!("{step:?}");
        let before = robot.active();
        let given = match step {
            Step::Wait(duration) => {
                robot.now += duration;
                continue;
            }
            Step::Hear(from, message) => Given::Hears(from, message),
            Step::Claim(from, elapsed) => {
                let stamp = Stamp { life: 7, number: index as u32 + 1 };
                let doing =
                    before.or(applicable.first().copied()).map(|task| Work { task, elapsed, away: Duration::ZERO });
                Given::Hears(from, Message::Activity { stamp, doing, last: None })
            }
            Step::Done => match before {
                Some(task) => Given::Senses(Percept::Done(task)),
                None => continue,
            },
            Step::Due => match robot.next_timer() {
                // Nobody lives to see the end of time.
                Some((due, timer)) if due < Time::from_micros(1 << 62) => {
                    robot.now = robot.now.max(due);
                    if timer == Timer::Motivation {
                        wakes = if wakes.0 == robot.now { (robot.now, wakes.1 + 1) } else { (robot.now, 1) };
                    }
                    Given::Fires(timer)
                }
                _ => continue,
            },
            Step::Fire(timer) => Given::Fires(timer),
            Step::Sense(percept) => Given::Senses(percept),
            Step::Told(order) => Given::Told(order),
            Step::Restart => Given::Restarts,
            Step::Start(memory) => Given::Starts(memory),
        };
        if !matches!(given, Given::Fires(Timer::Motivation)) {
            wakes = (Time::ZERO, 0);
        }
        match &given {
            Given::Senses(Percept::TaskSeen(task)) | Given::Told(Order::Inject(Brief { task, .. }))
                if MINES.cover(task.needs) =>
            {
                applicable.insert(task.id);
            }
            Given::Senses(Percept::TaskGone(task)) | Given::Told(Order::Cancel(task)) => drop(applicable.remove(task)),
            Given::Senses(Percept::Done(task)) if before == Some(*task) => drop(applicable.remove(task)),
            Given::Starts(_) | Given::Restarts => {
                applicable.clear();
                (working, newest) = (None, 0);
            }
            _ => {}
        }
        robot.notes.clear();
        robot.said.clear();
        robot.acted.clear();
        let outputs = robot.give(given);

        prop_assert!(wakes.1 <= MOST_WAKES, "woke itself {} times at {} by {shown}", wakes.1, robot.now);
        prop_assert!(outputs.len() <= MOST_OUTPUTS, "{} outputs of {shown}: {outputs:?}", outputs.len());
        prop_assert!(robot.notes.len() <= MOST_NOTES, "{} notes of {shown}: {:?}", robot.notes.len(), robot.notes);

        // The body works at the task of the active set, and at nothing else.
        for (_, action) in &robot.acted {
            match *action {
                Action::Stop => working = None,
                Action::GoTo(_) => {
                    prop_assert!(working.is_none(), "sent elsewhere without a stop by {shown}");
                    working = robot.active();
                }
                Action::Work { task, .. } => {
                    prop_assert!(working.is_none_or(|at| at == task), "at {working:?} and {task} by {shown}");
                    working = Some(task);
                }
                other => prop_assert!(false, "{other:?} is none of its business, by {shown}"),
            }
        }
        prop_assert_eq!(working, robot.active(), "what the body does after {}", shown);

        // Motivations.
        let mut tasks: BTreeSet<TaskId> = robot.machine.known().iter().map(|known| known.task).collect();
        tasks.extend([A, B, C]);
        tasks.extend(&applicable);
        for task in tasks {
            let Some(motivation) = robot.machine.motivation(task) else { continue };
            prop_assert!(motivation.is_finite() && motivation >= 0.0, "{motivation} for {task} after {shown}");
            match robot.active() {
                Some(active) if active == task => prop_assert_eq!(motivation, theta),
                Some(_) => prop_assert_eq!(motivation, 0.0, "for {} while another is active, after {}", task, shown),
                None => {}
            }
        }
        if let Some(task) = robot.active() {
            prop_assert!(applicable.contains(&task), "at {task}, which need not be done, after {shown}");
        }

        // In a live mission there is always a next time to look at what is to be done.
        if adaptive && (robot.active().is_some() || !applicable.is_empty()) {
            let deadline = robot.timers.deadline(Timer::Motivation);
            prop_assert!(deadline.is_some(), "{:?} without a timer after {shown}", robot.machine.doing());
        }

        for (_, message) in &robot.said {
            let (Message::Activity { stamp, .. }
            | Message::Finished { stamp, .. }
            | Message::GaveUp { stamp, .. }
            | Message::Times { stamp, .. }) = message;
            prop_assert_eq!(stamp.number, newest + 1, "statements are numbered through, after {}", shown);
            newest = stamp.number;
        }
        met.insert(match robot.machine.doing() {
            Doing::Idle { .. } => "idle",
            Doing::Active { overrides: true, .. } => "active, overriding",
            Doing::Active { .. } if adaptive => "active",
            Doing::Active { .. } => "active in training",
        });
        for note in &robot.notes {
            met.insert(match note.event {
                Event::Alliance(muster_core::alliance::Step::Quit { why: Quit::Gone, .. }) => "gone",
                Event::Alliance(muster_core::alliance::Step::Quit { why: Quit::Yielded { .. }, .. }) => "yielded",
                Event::Alliance(muster_core::alliance::Step::Quit { why: Quit::Hopeless, .. }) => "hopeless",
                Event::Alliance(muster_core::alliance::Step::Quit { why: Quit::Blocked, .. }) => "blocked",
                Event::Alliance(muster_core::alliance::Step::Quit { why: Quit::Tie { .. }, .. }) => "tie",
                Event::Alliance(muster_core::alliance::Step::Done { .. }) => "done",
                Event::Dropped { why: Drop::Late, .. } => "late",
                Event::Dropped { why: Drop::Duplicate, .. } => "duplicate",
                Event::Started { remembered: true, .. } => "restarted",
                Event::Started { remembered: false, .. } => "restarted without memory",
                _ => continue,
            });
        }
    }
    Ok(met)
}

#[test]
fn no_sequence_of_inputs_panics_or_leaves_a_robot_in_a_state_that_cannot_be() {
    let picks = prop::collection::vec(any::<u32>().prop_map(|bits| bits >> 8), 0..60);
    let inputs = (config(), known(), picks, prop::collection::vec(step(), 1..160));
    let met = explore(inputs, |(config, known, picks, steps)| run(config, &known, picks, steps));
    let expected = Met::from([
        "idle",
        "active",
        "active, overriding",
        "active in training",
        "gone",
        "yielded",
        "hopeless",
        "blocked",
        "tie",
        "done",
        "late",
        "duplicate",
        "restarted",
        "restarted without memory",
    ]);
    assert_eq!(met, expected, "the runs must meet everything");
}

/// A robot that fails at once takes the task to need no time at all. Then it has no patience with anybody else at it,
/// nor with itself: it begins and gives up without end, and no clock can go on.
#[test]
fn a_task_that_took_no_time_does_not_keep_a_robot_awake_for_ever() {
    let config = Config::parker_1995(Patience::Distrust, Ordering::Longest, 2).without_repetition();
    let mut robot = Robot::new(ME, config, &[]);
    robot.give(sees(A));
    robot.until(5.0);
    assert_eq!(robot.active(), Some(A));
    robot.give(Given::Senses(Percept::Blocked));
    robot.give(Voice::of(R1).doing(A, 0.0));
    robot.until(5.0);
    assert!(robot.activations().len() < 5, "{} activations", robot.activations().len());
}

/// No task takes less than no time: durations that a clock cannot hold are not learned from.
#[test]
fn a_time_that_cannot_be_is_not_learned() {
    let mut robot = Robot::new(ME, Config::parker_1995(Patience::BestWins, Ordering::Preferred, 2), &[]);
    robot.give(sees(A));
    let took = Duration::from_micros(u64::MAX / 2 + 2);
    robot.give(Given::Hears(R1, Message::Finished { stamp: Voice::of(R1).next(), task: A, took }));
    assert!(robot.task_time(R1, A).is_none_or(|seconds| seconds > 0.0), "{:?}", robot.task_time(R1, A));
}

/// Numbers that somebody makes up do not fill a robot's memory, and what it knew goes on working.
#[test]
fn strangers_have_only_so_much_room() {
    let mut robot =
        Robot::new(ME, Config::beyond(Ordering::Replan, true, 2), &knows(&[(A, &[(ME, 10.0), (R1, 20.0)])]));
    for number in 0..1_000_u32 {
        let stamp = Stamp { life: 1, number: 1 };
        let times = vec![(TaskId(100 + number), Duration::from_secs(5))];
        robot.give(Given::Hears(RobotId(100 + number), Message::Times { stamp, times }));
    }
    let dropped = |note: &&muster_core::Note| matches!(note.event, Event::Dropped { why: Drop::Absurd, .. });
    assert!(robot.notes.iter().filter(dropped).count() > 900);
    assert!(robot.machine.known().len() <= 257, "{} tasks", robot.machine.known().len());
    robot.give(sees(A));
    robot.until(robot.now.as_secs_f64() + 60.0);
    assert!(robot.activations().iter().any(|(_, task)| *task == A), "it does what is to be done");
}
