//! A robot that is driven: whatever its driver does late, twice or not at all, its machine sees what the contract of
//! `muster_core::mechanism` says.

use muster_core::motion::Motion;
use muster_core::panel::{Family, Field, Posture, Viewing};
use muster_core::rng::{Purpose, Stream};
use muster_core::{
    Body, Context, Dice, Duration, Input, Mechanism, Node, Output, Percept, Percepts, Point, Recipient, RobotId,
    TaskId, Time,
};

/// A machine that does as it is told and writes down what it saw, and when.
#[derive(Clone, Debug, Default, PartialEq)]
struct Diary {
    seen: Vec<(u64, Seen)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Started(Option<Vec<u8>>),
    Fired(u8),
    Told,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
enum Do {
    Set(u8, u64),
    Cancel(u8),
    Remember(u8),
    Say,
}

impl Mechanism for Diary {
    type Message = Vec<Do>;
    type Timer = u8;
    type Memory = Vec<u8>;

    fn name_of(_message: &Vec<Do>) -> &'static str {
        "DO"
    }

    fn family_of(_message: &Vec<Do>) -> Family {
        Family::Other
    }

    fn handle(&mut self, cx: &mut Context<'_, Self>, input: Input<'_, Self>) {
        let now = cx.now().as_micros();
        match input {
            Input::Start(memory) => self.seen.push((now, Seen::Started(memory))),
            Input::Fired(timer) => self.seen.push((now, Seen::Fired(timer))),
            Input::Received { message, .. } => {
                self.seen.push((now, Seen::Told));
                for what in message {
                    match *what {
                        Do::Set(timer, at) => cx.set_timer(timer, Time::from_micros(at)),
                        Do::Cancel(timer) => cx.cancel_timer(timer),
                        Do::Remember(what) => cx.remember(vec![what]),
                        Do::Say => cx.broadcast(Vec::new()),
                    }
                }
            }
            Input::Perceived(_) | Input::Ordered(_) => {}
        }
    }

    fn task_of(_message: &Vec<Do>) -> Option<TaskId> {
        None
    }

    fn posture(&self) -> Posture {
        Posture::Idle
    }

    fn panel(&self, _view: &Viewing<'_>) -> Vec<Field> {
        Vec::new()
    }
}

const ME: RobotId = RobotId(1);
const OTHER: RobotId = RobotId(2);

fn body(id: RobotId, x: f64) -> Body {
    Body { id, percepts: Percepts::only(0), speed_mps: 1.0, motion: Motion::still(Point::new(x, 0.0)) }
}

fn at(micros: u64) -> Time {
    Time::from_micros(micros)
}

fn node() -> Node<Diary> {
    let mut node = Node::new(Diary::default(), body(ME, 0.0));
    node.start(Time::ZERO, &mut Dice::new(1), None);
    node.machine.seen.clear();
    node
}

fn told(node: &mut Node<Diary>, now: u64, what: &[Do]) -> Vec<Output<Diary>> {
    let input = Input::Received { from: OTHER, to: Recipient::All, message: &what.to_vec() };
    node.give(at(now), input, &mut Dice::new(1), None)
}

/// Wakes it until there is nothing left to do.
fn woken(node: &mut Node<Diary>, now: u64) -> Vec<(u64, Seen)> {
    node.machine.seen.clear();
    while node.wake(at(now), &mut Dice::new(1), None).is_some() {}
    std::mem::take(&mut node.machine.seen)
}

/// Three microseconds late, as every sleep is: the timer fires, at the time that it is, and can be set again.
#[test]
fn a_node_that_is_woken_late_loses_no_timer() {
    let mut node = node();
    told(&mut node, 0, &[Do::Set(1, 100)]);
    assert_eq!(node.next(), Some(at(100)));
    assert_eq!(woken(&mut node, 99), []);
    assert_eq!(woken(&mut node, 103), [(103, Seen::Fired(1))]);
    assert_eq!(woken(&mut node, 103), []);
    told(&mut node, 110, &[Do::Set(1, 200)]);
    assert_eq!(woken(&mut node, 203), [(203, Seen::Fired(1))]);
    assert_eq!(node.next(), None);
}

/// Several are due when the driver comes late: the earliest deadline first, of equal ones the least timer.
#[test]
fn overdue_timers_fire_in_the_order_of_their_deadlines() {
    let mut node = node();
    told(&mut node, 0, &[Do::Set(1, 300), Do::Set(2, 100), Do::Set(3, 100), Do::Set(4, 1_000)]);
    let fired = [2, 3, 1].map(|timer| (500, Seen::Fired(timer)));
    assert_eq!(woken(&mut node, 500), fired);
    assert_eq!(node.next(), Some(at(1_000)));
}

#[test]
fn outputs_come_in_order_and_are_applied() {
    let mut node = node();
    let all = [Do::Set(1, 50), Do::Remember(7), Do::Say, Do::Cancel(1), Do::Set(2, 60)];
    let outputs = told(&mut node, 10, &all);
    let said = Output::Send { to: Recipient::All, message: Vec::new() };
    let expected = [
        Output::SetTimer { timer: 1, at: at(50) },
        Output::Remember(vec![7]),
        said,
        Output::CancelTimer(1),
        Output::SetTimer { timer: 2, at: at(60) },
    ];
    assert_eq!(outputs, expected);
    assert_eq!(node.memory, [7]);
    assert_eq!(node.timers.pending().collect::<Vec<_>>(), [(2, at(60))]);
}

/// A deadline that has passed when it is set fires at the next look, and no machine sees its own past.
#[test]
fn a_deadline_in_the_past_is_now() {
    let mut node = node();
    told(&mut node, 500, &[Do::Set(1, 20)]);
    assert_eq!(node.timers.deadline(1), Some(at(500)));
    assert_eq!(woken(&mut node, 500), [(500, Seen::Fired(1))]);
}

/// `now` never goes back, though a driver may read two clocks, or one that was stepped.
#[test]
fn a_clock_that_goes_back_stands_still() {
    let mut node = node();
    told(&mut node, 500, &[Do::Set(1, 600)]);
    told(&mut node, 400, &[Do::Set(2, 450)]);
    assert_eq!(node.machine.seen, [(500, Seen::Told), (500, Seen::Told)]);
    assert_eq!(woken(&mut node, 450), [(500, Seen::Fired(2))]);
    assert_eq!((node.now(), node.next()), (at(500), Some(at(600))));
}

/// A computer that starts again may count from zero; its timers are gone, and its memory is what it has kept.
#[test]
fn a_start_clears_timers_and_may_set_the_clock_back() {
    let mut node = node();
    told(&mut node, 500, &[Do::Set(1, 600), Do::Remember(7)]);
    node.machine.seen.clear();
    node.start(at(3), &mut Dice::new(1), None);
    assert_eq!(node.machine.seen, [(3, Seen::Started(Some(vec![7])))]);
    assert_eq!(woken(&mut node, 10_000), []);
    node.start_without_memory(at(4), &mut Dice::new(1), None);
    assert_eq!(node.machine.seen, [(4, Seen::Started(None))]);
    assert_eq!(node.memory, Vec::<u8>::new(), "what was lost does not come back");
    node.start(at(5), &mut Dice::new(1), None);
    assert_eq!(node.machine.seen.last(), Some(&(5, Seen::Started(Some(Vec::new())))));
}

/// A driver may fire a timer by name, as a replay does: it is no longer set then.
#[test]
fn a_timer_that_is_fired_by_name_fires_once() {
    let mut node = node();
    told(&mut node, 0, &[Do::Set(1, 100)]);
    node.give(at(100), Input::Fired(1), &mut Dice::new(1), None);
    assert_eq!(woken(&mut node, 200), []);
}

mod recruited {
    //! The production machine in nodes, by a driver that looks at each robot only now and then.

    use std::collections::BTreeMap;
    use std::sync::Arc;

    use muster_core::recruitment::{Config, Message, Recruitment, Strategy};
    use muster_core::{Action, Task};

    use super::*;

    const MINE: Task = Task { id: TaskId(7), place: Point::new(0.0, 0.0), needs: Percepts::only(0) };

    /// When each of the six messages was first said, by a team whose nodes are looked at `period` or so apart.
    fn first_said(period: Duration) -> BTreeMap<&'static str, Time> {
        let config = Arc::new(Config::safe().with(Strategy::Greedy));
        let mut nodes = [0.0, 5.0, 30.0]
            .iter()
            .enumerate()
            .map(|(id, &x)| Node::new(Recruitment::new(config.clone()), body(RobotId(id as u32), x)))
            .collect::<Vec<_>>();
        let (mut dice, mut looks) = (Dice::new(1), Stream::of_run(1, Purpose::Faults));
        let mut mail: Vec<(RobotId, Recipient, Message)> = Vec::new();
        let mut arrives: [Option<Time>; 3] = [None; 3];
        let mut said = BTreeMap::new();
        let mut now = Time::ZERO;
        for node in &mut nodes {
            node.start(now, &mut dice, None);
        }
        let mut first = nodes[0].give(now, Input::Perceived(Percept::TaskSeen(MINE)), &mut dice, None);
        while now < Time::from_secs_f64(60.0) {
            let heard = std::mem::take(&mut mail);
            for (index, node) in nodes.iter_mut().enumerate() {
                let mut outputs = if index == 0 { std::mem::take(&mut first) } else { Vec::new() };
                for (from, to, message) in heard.iter().filter(|(from, ..)| from.index() != index) {
                    let input = Input::Received { from: *from, to: *to, message };
                    outputs.extend(node.give(now, input, &mut dice, None));
                }
                if arrives[index].take_if(|at| *at <= now).is_some() {
                    outputs.extend(node.give(now, Input::Perceived(Percept::Arrived), &mut dice, None));
                }
                while let Some(more) = node.wake(now, &mut dice, None) {
                    outputs.extend(more);
                }
                for output in outputs {
                    match output {
                        Output::Send { to, message } => {
                            said.entry(message.name()).or_insert(now);
                            mail.push((node.body.id, to, message));
                        }
                        Output::Act(Action::GoTo(to)) => {
                            let way_m = node.body.place(now).distance(to);
                            arrives[index] = Some(now + Duration::from_secs_f64(way_m));
                        }
                        _ => {}
                    }
                }
            }
            now += period + period.stretched(looks.uniform());
        }
        said
    }

    #[test]
    fn a_team_whose_drivers_are_late_recruits_all_the_same() {
        let names = ["ACCEPT", "ACKACK", "AGREE", "ARRIVAL", "HELP", "RESPONDER"];
        for millis in [1, 37, 400] {
            let said = first_said(Duration::from_millis(millis));
            assert_eq!(said.keys().copied().collect::<Vec<_>>(), names, "a look every {millis} ms");
            // HELP at 0, 2 s of collecting, 5 s of driving, and each look up to two periods late.
            let late = Duration::from_millis(2 * millis).stretched(6.0);
            let arrival = said["ARRIVAL"];
            assert!(at(7_000_000) <= arrival && arrival <= at(7_000_000) + late, "{arrival} every {millis} ms");
        }
    }
}
