//! What a node is apart from any one order: configuration and vehicle, queue, radio, what it tells of deeds, and how
//! long it waits. [MacKenzie §4]

use std::collections::BTreeMap;
use std::sync::Arc;

use super::config::{Config, Vehicle};
use super::desk::Desk;
use super::known::Known;
use super::link::Link;
use super::peer::is_mate;
use super::queue::Queue;
use super::tidings::Tidings;
use super::{Context, Message, Timer};
use crate::mechanism::Recipient;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// For so many reports of each other vehicles that hold tasks of one coupled group wait: such a group is over before `t_peer`
/// is. Ours.
const MATES: u64 = 4;

/// No time-out is expanded to more than so many times its length: where three of four messages are lost. Ours.
const MOST_EXPANDED: f64 = 16.0;

/// Nobody is asked to do without reports for longer.
pub(super) const MOST_PATIENCE: Duration = Duration::from_secs(3_600);

/// What a node is apart from any one order: a vehicle, or an operator's console.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Craft {
    pub(super) config: Arc<Config>,
    pub(super) vehicle: Arc<Vehicle>,
    pub(super) queue: Queue,
    pub(super) tidings: Tidings,
    pub(super) link: Link,
    /// The number of this life of the node: a grant is for one life only.
    pub(super) life: u32,
    /// Until then this node grants nothing: it has lost its memory, and with it the grants it gave.
    pub(super) abstains: Time,
    /// For each order that is known, by its first task, the last time at which a vehicle is to be over one of its targets.
    pub(super) bookings: BTreeMap<TaskId, Time>,
}

impl Craft {
    pub(super) fn new(config: Arc<Config>, vehicle: Arc<Vehicle>) -> Self {
        Self {
            queue: Queue::new(config.clone(), vehicle.clone()),
            config,
            vehicle,
            tidings: Tidings::default(),
            link: Link::default(),
            life: 0,
            abstains: Time::ZERO,
            bookings: BTreeMap::new(),
        }
    }

    /// Until when vehicles are busy with other orders than this, as far as this node knows.
    pub(super) fn busy_until(&self, first: TaskId) -> Option<Time> {
        self.bookings.iter().filter(|(order, _)| **order != first).map(|(_, at)| *at).max()
    }

    /// The radio may be used: it is not known to be down, and there is no radio silence.
    pub(super) fn may_speak(&self, now: Time) -> bool {
        self.link.up && self.config.silence.is_none_or(|(from, to)| !(from <= now && now < to))
    }

    /// It could hear nothing now or a short while ago, and knows that: in ordered radio silence, or while its link was down. What it
    /// has missed will be told to it yet.
    pub(super) fn was_silent(&self, now: Time) -> bool {
        let lately = |until: Time| now < until + self.config.peer;
        let ordered = self.config.silence.is_some_and(|(from, to)| from <= now && lately(to));
        ordered || !self.link.up || self.link.since.is_some_and(lately)
    }

    /// It would know if it had granted a task to another, or taken part in an election.
    pub(super) fn may_grant(&self, now: Time) -> bool {
        self.abstains <= now
    }

    pub(super) fn say(&self, cx: &mut Context<'_>, to: Recipient, message: Message) {
        if self.may_speak(cx.now()) {
            cx.send(to, message);
        }
    }

    /// The number of the next report; a report that is not said is not counted, or others would take it for lost.
    pub(super) fn next_number(&mut self, now: Time) -> u32 {
        self.link.number = self.link.number.wrapping_add(u32::from(self.may_speak(now)));
        self.link.number
    }

    /// A part of `most`, drawn anew.
    pub(super) fn up_to(&self, cx: &mut Context<'_>, most: Duration) -> Duration {
        cx.within(most)
    }

    /// `wait`, and up to a share of it more.
    pub(super) fn jittered(&self, cx: &mut Context<'_>, wait: Duration) -> Duration {
        wait + self.up_to(cx, wait.stretched(self.config.jitter))
    }

    /// A time-out of usually this length: where messages are lost, by as much longer as question and answer need more tries
    /// than one to get through, on average. The paper does not say by how much.
    pub(super) fn time_out(&self, usual: Duration) -> Duration {
        let loss = self.link.loss();
        if !self.config.fixes.expands || loss == 0.0 {
            return usual;
        }
        let through = 1.0 - loss;
        usual.stretched((1.0 / (through * through)).min(MOST_EXPANDED))
    }

    /// Sets `timer` to `wait` from now, and up to a share of it more.
    pub(super) fn wait(&self, cx: &mut Context<'_>, timer: Timer, wait: Duration) {
        let wait = self.jittered(cx, wait);
        cx.set_timer(timer, cx.now() + wait);
    }

    /// Sets `timer` to some time within `most` from now: the first of several nodes to speak silences the others.
    pub(super) fn take_turns(&self, cx: &mut Context<'_>, timer: Timer, most: Duration) {
        let wait = self.up_to(cx, most);
        cx.set_timer(timer, cx.now() + wait);
    }

    /// How long nothing need be heard of a task: `t_peer` of the protocol, the task or the vehicle, whichever is
    /// longest, and longer still if much is lost.
    pub(super) fn patience(&self, known: &Known, index: usize) -> Duration {
        let asked = known.group().brief.silence.unwrap_or(Duration::ZERO).max(known.slot(index).patience);
        let asked = asked.min(MOST_PATIENCE);
        let reports = u64::from(self.link.reports(self.config.miss)) + 1;
        let soon = Duration::from_micros(self.config.status.as_micros() * MATES);
        let mate = is_mate(Desk { known, craft: self });
        let usual = if mate { soon.min(self.config.peer) } else { self.config.peer };
        usual.max(asked).max(Duration::from_micros(self.period(asked).as_micros() * reports))
    }

    /// How long others have to do without a report from this node on this order, if that is not the usual time.
    pub(super) fn asked_patience(&self, known: &Known) -> Duration {
        let asked = known.group().brief.silence.into_iter().chain(self.vehicle.silence).max();
        asked.unwrap_or(Duration::ZERO).min(MOST_PATIENCE)
    }

    /// Time between two reports when others have `patience`: a vehicle that may stay silent for longer does.
    pub(super) fn period(&self, patience: Duration) -> Duration {
        let stretch = patience.as_secs_f64() / self.config.peer.as_secs_f64();
        self.config.status.stretched(stretch.max(1.0))
    }

    /// Two holders of one task must have time to hear of each other before either does it: the more is lost, the more.
    pub(super) fn settling(&self) -> Duration {
        let reports = u64::from(self.link.reports(self.config.miss).saturating_sub(1));
        self.config.settle.max(Duration::from_micros(
            (self.config.status.as_micros() * reports).min(3 * self.config.settle.as_micros()),
        ))
    }
}
