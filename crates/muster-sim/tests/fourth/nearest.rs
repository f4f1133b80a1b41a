//! A fourth mechanism, as small as one can be: robots that see a task say how far away they are, and the nearest that is
//! free does it. Nothing in `crates/*/src` knows of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use muster_core::mechanism::{Context, Input, Mechanism};
use muster_core::panel::{Family, Field, Posture, Viewing};
use muster_core::telling::{Award, Fact, Gist, Kind, Offer, Remark, Value, Weight, Word};
use muster_core::{Action, Duration, Event, Order, Percept, Point, RobotId, TaskId, Time};
use serde::{Deserialize, Serialize};

/// Offers are waited for as long as this.
const OFFERS: Duration = Duration::from_secs(2);
/// A task that is still there after this long is offered anew: its robot may have failed, or nobody was free.
const AGAIN: Duration = Duration::from_secs(300);

/// What robots say to each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// The sender is free, and this far away from the task.
    Away {
        /// The task.
        task: TaskId,
        /// Its distance in millimetres, so that messages can be compared.
        mm: u64,
    },
    /// The sender has done the task.
    Done(TaskId),
}

/// When a robot decides about a task.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Decide(TaskId);

/// A task that needs doing.
#[derive(Clone, Debug)]
struct Open {
    place: Point,
    /// Distances of all that are free, by robot.
    away: BTreeMap<RobotId, u64>,
}

/// One robot's part.
#[derive(Clone, Debug, Default)]
pub struct Nearest {
    open: BTreeMap<TaskId, Open>,
    at: Option<TaskId>,
}

impl Nearest {
    fn offer(&mut self, cx: &mut Context<'_, Self>, task: TaskId) {
        let Some(open) = self.open.get_mut(&task) else { return };
        open.away.clear();
        if self.at.is_none() {
            let mm = (cx.body().place(cx.now()).distance(open.place) * 1e3).round() as u64;
            open.away.insert(cx.me(), mm);
            cx.broadcast(Message::Away { task, mm });
        }
        cx.set_timer(Decide(task), cx.now() + OFFERS);
    }

    fn decide(&mut self, cx: &mut Context<'_, Self>, task: TaskId) {
        let Some(open) = self.open.get(&task) else { return };
        let nearest = open.away.iter().min_by_key(|(robot, mm)| (**mm, **robot)).map(|(robot, _)| *robot);
        if nearest != Some(cx.me()) || self.at.is_some() {
            cx.set_timer(Decide(task), cx.now() + AGAIN);
            return;
        }
        let (now, me, away) = (cx.now(), cx.me(), open.away.clone());
        cx.note(|| chosen(now, me, task, &away));
        cx.act(Action::GoTo(open.place));
        self.at = Some(task);
    }

    fn leave(&mut self, cx: &mut Context<'_, Self>, task: TaskId) {
        self.open.remove(&task);
        cx.cancel_timer(Decide(task));
        if self.at == Some(task) {
            self.at = None;
            cx.act(Action::Stop);
            let open: Vec<TaskId> = self.open.keys().copied().collect();
            open.into_iter().for_each(|task| self.offer(cx, task));
        }
    }
}

/// The note of a robot that takes a task.
fn chosen(now: Time, me: RobotId, task: TaskId, away: &BTreeMap<RobotId, u64>) -> Event {
    let offer = |(robot, mm): (&RobotId, &u64)| {
        let metres = *mm as f64 / 1e3;
        Offer { robot: *robot, value: Some(Value::Expected(metres)), heard: true }
    };
    let (own, others) = away.iter().map(offer).partition::<Vec<Offer>, _>(|offer| offer.robot == me);
    let gist = Gist::of(Kind::Work, Some(task)).fact(Fact::Has(me)).weighs(Weight::Decision);
    let words: [Word; 3] = ["takes".into(), task.into(), format!("as the nearest of {}", away.len()).into()];
    let award = Award {
        at: now,
        by: me,
        task,
        round: 0,
        round_key: None,
        taken_from: None,
        chosen: own[0],
        others,
        silent: Vec::new(),
        threshold: None,
    };
    Event::Other(Arc::new(Remark::new(gist, words).with_award(award)))
}

impl Mechanism for Nearest {
    type Message = Message;
    type Timer = Decide;
    type Memory = ();

    fn name_of(message: &Message) -> &'static str {
        match message {
            Message::Away { .. } => "AWAY",
            Message::Done(_) => "DONE",
        }
    }

    fn handle(&mut self, cx: &mut Context<'_, Self>, input: Input<'_, Self>) {
        match input {
            Input::Start(_) => *self = Self::default(),
            Input::Perceived(Percept::TaskSeen(task)) => {
                self.open.insert(task.id, Open { place: task.place, away: BTreeMap::new() });
                self.offer(cx, task.id);
            }
            Input::Perceived(Percept::TaskGone(task)) | Input::Ordered(Order::Cancel(task)) => self.leave(cx, task),
            Input::Perceived(Percept::Arrived) => {
                if let Some(task) = self.at {
                    cx.act(Action::Work { task, until: Time::NEVER });
                }
            }
            Input::Perceived(Percept::Done(task)) => {
                cx.broadcast(Message::Done(task));
                self.leave(cx, task);
            }
            Input::Perceived(_) | Input::Ordered(_) => {}
            // A timer that comes due after somebody was to have begun: is anybody at it at all?
            Input::Fired(Decide(task)) => match self.open.get(&task) {
                Some(open) if open.away.is_empty() => self.offer(cx, task),
                Some(_) => {
                    self.decide(cx, task);
                    if let Some(open) = self.open.get_mut(&task) {
                        open.away.clear();
                    }
                }
                None => {}
            },
            Input::Received { from, message, .. } => match *message {
                Message::Away { task, mm } => {
                    if let Some(open) = self.open.get_mut(&task) {
                        open.away.insert(from, mm);
                    }
                }
                Message::Done(task) => self.leave(cx, task),
            },
        }
    }

    fn family_of(message: &Message) -> Family {
        match message {
            Message::Away { .. } => Family::Offer,
            Message::Done(_) => Family::Other,
        }
    }

    fn task_of(message: &Message) -> Option<TaskId> {
        match message {
            Message::Away { task, .. } | Message::Done(task) => Some(*task),
        }
    }

    fn posture(&self) -> Posture {
        if self.at.is_some() { Posture::Committed } else { Posture::Idle }
    }

    fn panel(&self, view: &Viewing<'_>) -> Vec<Field> {
        let at = self.at.map_or_else(|| "nothing".into(), |task| view.names.task(task));
        vec![Field::state("at", at)]
    }
}
