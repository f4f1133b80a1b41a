//! What an input costs a robot under L-ALLIANCE, and how that grows with the team and with its tasks: a statement of a
//! team mate, after which the robot works out all its motivations again.

use std::sync::Arc;

use muster_core::alliance::{Alliance, Config, Known, Lesson, Message, Ordering, Stamp, Strategy, Work};
use muster_core::motion::Motion;
use muster_core::rng::{Purpose, Stream};
use muster_core::{
    Body, Context, Duration, Input, Mechanism, Output, Percept, Percepts, Point, Recipient, RobotId, Task, TaskId, Time,
};

use crate::table::{Bound, Stopwatch, row, turns};

const ROUNDS: usize = 31;
const STATEMENTS: u32 = 400;
const SMALL: (u32, u32) = (10, 20);
const FACTOR: u32 = 4;

/// A robot that can do everything, knows of everybody, and is about to hear what each of them does.
struct Listener {
    robot: Alliance,
    body: Body,
    outputs: Vec<Output<Alliance>>,
    chance: Stream,
    now: Time,
    mates: u32,
    tasks: u32,
    said: u32,
}

impl Listener {
    fn new((robots, tasks): (u32, u32), ordering: Ordering) -> Self {
        let config = match ordering {
            Ordering::Regret | Ordering::Replan => Config::beyond(ordering, false, robots),
            _ => Config::parker_1995(Strategy::BestWins, ordering, robots),
        };
        // Robot 0 is the worst at everything: it listens and waits, which is when there is most to work out.
        let time =
            |robot: u32, task: u32| 100.0 + f64::from((robot * 37 + task * 11) % 97) - 50.0 * f64::from(robot.min(1));
        let lessons = |task| (0..robots).map(|robot| Lesson::new(RobotId(robot), vec![time(robot, task)])).collect();
        let known: Vec<Known> = (0..tasks).map(|task| Known { task: TaskId(task), lessons: lessons(task) }).collect();
        let body =
            Body { id: RobotId(0), percepts: Percepts::NONE, speed_mps: 1.0, motion: Motion::still(Point::default()) };
        let mut listener = Self {
            robot: Alliance::new(Arc::new(config), &known),
            body,
            outputs: Vec::new(),
            chance: Stream::new(1, Purpose::Choice, RobotId(0)),
            now: Time::ZERO,
            mates: robots - 1,
            tasks,
            said: 0,
        };
        listener.give(Input::Start(Some(Default::default())));
        for task in 0..tasks {
            let task = Task { id: TaskId(task), place: Point::default(), needs: Percepts::NONE };
            listener.give(Input::Perceived(Percept::TaskSeen(task)));
        }
        listener
    }

    fn give(&mut self, input: Input<'_, Alliance>) {
        let mut cx = Context::new(self.now, &self.body, &mut self.outputs, &mut self.chance, None);
        self.robot.handle(&mut cx, input);
        self.outputs.clear();
    }

    /// Nanoseconds of hearing one statement.
    fn hear(&mut self) -> f64 {
        let watch = Stopwatch::start();
        for _ in 0..STATEMENTS {
            self.said += 1;
            self.now += Duration::from_micros(1);
            let from = RobotId(1 + self.said % self.mates);
            let task = TaskId(self.said % self.tasks);
            let stamp = Stamp { life: 1, number: self.said };
            let doing = Some(Work { task, elapsed: Duration::ZERO, away: Duration::ZERO });
            let message = Message::Activity { stamp, doing, last: None };
            self.give(Input::Received { from, to: Recipient::All, message: &message });
        }
        watch.nanos() / f64::from(STATEMENTS)
    }
}

pub fn measure() {
    let (robots, tasks) = SMALL;
    // Each motivation is worked out by itself; regret gives one task after the other away, and looks at all of them; a
    // plan takes so many steps and looks at so many times, and no more.
    for (name, ordering, by_tasks) in
        [("preferred", Ordering::Preferred, 1), ("regret", Ordering::Regret, 2), ("replan", Ordering::Replan, 1)]
    {
        for (what, large, power) in
            [("tasks", (robots, FACTOR * tasks), by_tasks), ("robots", (FACTOR * robots, tasks), 1)]
        {
            let (mut few, mut many) = (Listener::new(SMALL, ordering), Listener::new(large, ordering));
            let pair = turns(ROUNDS, || many.hear(), || few.hear());
            // Twice as much as that would be a loop too many.
            let bound = Bound::Below(2.0 * f64::from(FACTOR.pow(power)));
            row(&format!("statement, {name}, {FACTOR} x the {what}"), pair.first, pair.second, pair.ratio, bound);
        }
    }
}
