//! Affective recruitment: how a robot that needs help finds another, over a radio that loses messages.
//!
//! Read before editing: Gage & Murphy, "Affective Recruitment of Distributed Heterogeneous Agents" (2004),
//! Implementation and Experiments; docs/reproductions/recruitment.md for what it leaves open.
//!
//! ```text
//! requester                        responder
//!     | -- HELP (place, needs) ------> |   answers if its SHAME is high enough
//!     | <- ACCEPT (eta) -------------- |
//!     | -- RESPONDER (chosen) -------> |   drives
//!     | <- ARRIVAL (lease) ----------- |
//!     | -- AGREE (lease) ------------> |
//!     | <- ACKACK -------------------- |   works until the lease is over
//! ```
//!
//! Where work may outlast its lease (`Config::analysis`, ours), ARRIVAL and AGREE are exchanged again before the lease ends, and DONE
//! says that there is no more to do.
//!
//! Every robot is both: [`Recruitment`] holds the two sides next to each other, in `requesting` and
//! `responding`. Neither side waits without a time-out, and nothing is sent twice but the ARRIVAL that asks for another lease,
//! under one number until an AGREE comes or the lease ends: a stage that fails
//! ends in a time-out and, on the requester's side, in the next HELP. Every message carries the
//! [`Request`] it belongs to, and ARRIVAL and AGREE the number of the ARRIVAL; without these, a late AGREE could set a
//! second robot to work.

mod config;
mod panel;
mod policy;
mod requesting;
mod responding;
mod shame;
mod silence;
mod step;
mod telling;
mod untaken;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use config::{Answering, Choosing, Config, LeaseFrom, Messaging, Strategy};
use panel::Kind;
pub use policy::{Custom, Heard, Policy, Undecided};
pub use requesting::{Offer, Requesting, Stage};
pub use responding::{Renewal, Responding};
pub use shame::{SHAME, Shame, ashamed};
pub use step::{Answer, Awaited, Choice, Silence, Step};
pub use telling::Calls;

use crate::affect::{Emotion, Intensity, Table};
use crate::event::{Drop, Event};
use crate::mechanism::{self, Mechanism, Recipient};
use crate::panel::{Family, Field, Posture, Viewing};
use crate::robot::{Percepts, Point, RobotId};
use crate::task::{Action, Brief, Order, Percept, Phase, Task, TaskId};
use crate::time::{Duration, Time};

type Context<'a> = mechanism::Context<'a, Recruitment>;
type Input<'a> = mechanism::Input<'a, Recruitment>;

/// The key that every message carries: which call for which need of which life of which robot.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Request {
    /// Who asks.
    pub requester: RobotId,
    /// Which life of the requester: a restart starts a new one, and so does a need that is settled, so that
    /// one that comes up again is not taken for the one before.
    pub incarnation: u32,
    /// What is to be done; the same until it is served.
    pub need: TaskId,
    /// Which HELP for this need, counted from 1.
    pub attempt: u32,
}

impl Request {
    /// Both are calls for one need by one life of one robot.
    #[inline]
    fn same_need(&self, other: &Self) -> bool {
        (self.requester, self.incarnation, self.need) == (other.requester, other.incarnation, other.need)
    }
}

/// What robots say to each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Message {
    /// Somebody with these percepts, come here.
    Help {
        /// Which call.
        request: Request,
        /// Where help is needed.
        place: Point,
        /// What it takes.
        needs: Percepts,
    },
    /// I would.
    Accept {
        /// To which call.
        request: Request,
        /// Estimated time to get there: distance by own speed.
        eta: Duration,
    },
    /// This one: go. All others: not needed.
    Responder {
        /// Of which call.
        request: Request,
        /// The robot that is to come.
        chosen: RobotId,
    },
    /// I am here, for this long.
    Arrival {
        /// For which call.
        request: Request,
        /// Which ARRIVAL of this robot: drawn afresh for each. Ours, not the paper's; see [`Message::Agree`].
        number: u32,
        /// For how long.
        lease: Duration,
    },
    /// Agreed.
    Agree {
        /// For which call.
        request: Request,
        /// Which ARRIVAL it answers. Ours, not the paper's: a robot that restarts may arrive twice for one call, and an
        /// AGREE to its first ARRIVAL that comes after the second would start a lease that ends later than the one
        /// that the requester waits out. A number, not the instant of the ARRIVAL: it also tells two ARRIVALs apart if
        /// the robot's clock starts at zero again, and no clock reading leaves the robot.
        number: u32,
        /// For how long.
        lease: Duration,
    },
    /// I have it.
    Ackack {
        /// For which call.
        request: Request,
    },
    /// It is done. Ours, not the paper's, and sent only where work may outlast its lease: there the end of the lease does
    /// not tell whether the work is over, too.
    Done {
        /// For which call.
        request: Request,
    },
}

impl Message {
    /// Its name in the paper.
    pub const fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Which of the messages it is.
    const fn kind(&self) -> Kind {
        match self {
            Self::Help { .. } => Kind::Help,
            Self::Accept { .. } => Kind::Accept,
            Self::Responder { .. } => Kind::Responder,
            Self::Arrival { .. } => Kind::Arrival,
            Self::Agree { .. } => Kind::Agree,
            Self::Ackack { .. } => Kind::Ackack,
            Self::Done { .. } => Kind::Done,
        }
    }

    /// The key it carries.
    pub const fn request(&self) -> &Request {
        match self {
            Self::Help { request, .. }
            | Self::Accept { request, .. }
            | Self::Responder { request, .. }
            | Self::Arrival { request, .. }
            | Self::Agree { request, .. }
            | Self::Ackack { request }
            | Self::Done { request } => request,
        }
    }
}

/// Each side waits for one thing at a time, so it needs one timer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Timer {
    /// What the requester waits for is due.
    Requesting,
    /// What the responder waits for is due.
    Responding,
}

/// What a robot keeps through a restart. A responder keeps nothing: its lease ends by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The life that wrote this.
    pub incarnation: u32,
    /// What it was asking help for.
    pub needs: Vec<Task>,
    /// It may have agreed to a lease that still runs: for the first of them, or for a need withdrawn or forgotten.
    pub agreed: bool,
}

/// One robot's recruitment: requester and responder side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Recruitment {
    config: Arc<Config>,
    shame: Intensity,
    last_help: Time,
    responding: Responding,
    // Boxed: few robots of a large team ever ask.
    requesting: Option<Box<Requesting>>,
    incarnation: u32,
    /// The newest HELP heard, to know a late or doubled one by. With several requesters calling in turn, a
    /// doubled HELP may count again.
    heard: Request,
    phase: Phase,
}

/// No robot has this number, so no HELP is taken for one heard before.
const NOTHING_HEARD: Request = Request { requester: RobotId(u32::MAX), incarnation: 0, need: TaskId(0), attempt: 0 };

impl Recruitment {
    /// A robot that has not started yet.
    pub fn new(config: Arc<Config>) -> Self {
        Self {
            config,
            shame: Intensity::NONE,
            last_help: Time::ZERO,
            responding: Responding::Idle,
            requesting: None,
            incarnation: 0,
            heard: NOTHING_HEARD,
            phase: Phase::Free,
        }
    }

    /// As new, but for the configuration.
    fn forget(&mut self) {
        self.shame = Intensity::NONE;
        self.last_help = Time::ZERO;
        self.responding = Responding::Idle;
        self.requesting = None;
        self.heard = NOTHING_HEARD;
        self.phase = Phase::Free;
    }

    /// Its configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Its SHAME as of the last HELP it heard.
    pub fn shame(&self) -> Intensity {
        Intensity::clamped(self.shame.get())
    }

    /// The same, faded to `now`: what the next HELP would find.
    pub fn shame_at(&self, now: Time) -> Intensity {
        self.config.shame.faded(self.shame, now.since(self.last_help))
    }

    /// SHAME as an emotion, if there is any of it: for having refused the last one that called. Since the last HELP
    /// it weighed: a machine of which there may be a million does not keep when SHAME began, its notes do.
    pub fn emotion(&self, table: &Table, name: impl FnOnce(RobotId) -> String) -> Option<Emotion> {
        ashamed(table, self.shame(), self.last_help, &name(self.heard.requester))
    }

    /// What it does for others.
    pub fn responding(&self) -> &Responding {
        &self.responding
    }

    /// What it asks of others, if it ever has.
    pub fn requesting(&self) -> Option<&Requesting> {
        self.requesting.as_deref()
    }

    /// It does nothing for anybody and asks for nothing.
    pub fn is_quiet(&self) -> bool {
        matches!(self.responding, Responding::Idle)
            && self.requesting.as_ref().is_none_or(|requesting| requesting.is_quiet())
    }

    fn on_start(&mut self, cx: &mut Context<'_>, memory: Option<Memory>) {
        self.forget();
        let remembered = memory.is_some();
        let (incarnation, needs, may_have_agreed) = match memory {
            Some(memory) => (memory.incarnation.wrapping_add(1), memory.needs, memory.agreed),
            None => (cx.fresh(), Vec::new(), true),
        };
        self.incarnation = incarnation;
        // A robot that starts for the first time has nothing to tell, and a team of a million is silent.
        if !remembered || incarnation != 1 {
            cx.note(|| Event::Started { incarnation, remembered });
        }
        if may_have_agreed && self.config.wait_out_leases {
            let bar = cx.now() + self.config.lease_surely_over(self.config.longest_lease);
            self.requesting_mut().bar(bar);
        }
        if !needs.is_empty() {
            self.requesting_mut().recall(needs, may_have_agreed);
            cx.act(Action::Hold);
            self.remember(cx);
            self.next_need(cx);
        } else if !remembered {
            // Kept at once: the life after this one must not take the number of the life that was lost, nor call
            // while a lease of that life may run.
            self.remember(cx);
        }
    }

    fn requesting_mut(&mut self) -> &mut Requesting {
        self.requesting.get_or_insert_default()
    }

    fn remember(&self, cx: &mut Context<'_>) {
        let (needs, agreed) = self.requesting.as_ref().map_or_else(Default::default, |it| it.to_remember());
        cx.remember(Memory { incarnation: self.incarnation, needs, agreed });
    }

    /// Lets the robot's own errand go on once neither side holds it back.
    fn resume_if_quiet(&self, cx: &mut Context<'_>) {
        if self.is_quiet() {
            cx.act(Action::Resume);
        }
    }

    // Everything but HELP: out of line, to keep the way of a HELP to a million robots short.
    #[inline(never)]
    fn on_message(&mut self, cx: &mut Context<'_>, from: RobotId, message: &Message) {
        match *message {
            Message::Help { .. } => {}
            Message::Accept { request, eta } => self.on_accept(cx, from, request, eta),
            Message::Responder { request, chosen } => self.on_responder(cx, from, request, chosen),
            Message::Arrival { request, number, lease } => self.on_arrival(cx, from, request, number, lease),
            Message::Agree { request, number, lease } => self.on_agree(cx, from, request, number, lease),
            Message::Ackack { request } => self.on_ackack(cx, from, request),
            Message::Done { request } => self.on_done(cx, from, request),
        }
    }

    #[inline(never)]
    fn on_the_rest(&mut self, cx: &mut Context<'_>, input: Input<'_>) {
        match input {
            Input::Start(memory) => self.on_start(cx, memory),
            Input::Fired(Timer::Requesting) => self.on_requesting_timer(cx),
            Input::Fired(Timer::Responding) => self.on_responding_timer(cx),
            Input::Perceived(Percept::TaskSeen(task))
            | Input::Ordered(Order::Inject(Brief { task, .. }) | Order::Modify(Brief { task, .. })) => {
                self.on_need(cx, task);
            }
            Input::Perceived(Percept::TaskGone(task)) | Input::Ordered(Order::Cancel(task)) => {
                self.on_need_gone(cx, task);
            }
            Input::Perceived(Percept::Arrived) => self.on_arrived(cx),
            Input::Perceived(Percept::Blocked) => self.on_blocked(cx),
            Input::Perceived(Percept::Phase(phase)) => self.phase = phase,
            // Whoever is recruited works until its lease is over, whatever comes of the task.
            Input::Perceived(Percept::Done(_) | Percept::Link(_) | Percept::Reloaded) | Input::Received { .. } => {}
        }
    }
}

impl Mechanism for Recruitment {
    type Message = Message;
    type Timer = Timer;
    type Memory = Memory;

    fn name_of(message: &Message) -> &'static str {
        message.name()
    }

    #[inline(always)]
    fn handle(&mut self, cx: &mut Context<'_>, input: Input<'_>) {
        match input {
            Input::Received { from, message: Message::Help { request, place, needs }, .. } => {
                self.on_help(cx, from, request, *place, *needs);
            }
            // The commonest end of a call: another was chosen, and this robot had made no offer.
            Input::Received { from, message: Message::Responder { request, chosen }, .. }
                if matches!(self.responding, Responding::Idle) && *chosen != cx.me() && request.requester == from => {}
            // Overheard: between two others.
            Input::Received { to: Recipient::Named(other) | Recipient::Only(other), .. } if other != cx.me() => {}
            Input::Received { from, message, .. } => self.on_message(cx, from, message),
            other => self.on_the_rest(cx, other),
        }
    }

    fn family_of(message: &Message) -> Family {
        message.family()
    }

    fn task_of(message: &Message) -> Option<TaskId> {
        message.task()
    }

    fn posture(&self) -> Posture {
        self.seen_as()
    }

    fn panel(&self, view: &Viewing<'_>) -> Vec<Field> {
        self.shows(view)
    }
}

fn dropped(cx: &mut Context<'_>, with: RobotId, message: Kind, why: Drop) {
    cx.note(|| Event::Dropped { with, message: message.name(), family: message.family(), why });
}
