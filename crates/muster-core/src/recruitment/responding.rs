//! The responder's side: whether to answer, and what happens to a robot that did.

use super::panel::Kind;
use super::step::{Answer, Awaited, Silence, Step};
use super::{Answering, Config, Context, Custom, Heard, LeaseFrom, Message, Recruitment, Request, Timer, dropped};
use crate::affect::Intensity;
use crate::event::{Drop, Event};
use crate::mechanism::Recipient;
use crate::robot::{Percepts, Point, RobotId};
use crate::task::{Action, Phase};
use crate::time::{Duration, Time};

/// What a robot does for another.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Responding {
    /// Nothing.
    Idle,
    /// It has sent ACCEPT and waits for RESPONDER.
    Offered {
        /// To which call.
        request: Request,
        /// Where it would go.
        place: Point,
    },
    /// It was chosen and drives.
    Travelling {
        /// For which call.
        request: Request,
    },
    /// It has sent ARRIVAL and waits for AGREE.
    Arrived {
        /// For which call.
        request: Request,
        /// When it sent ARRIVAL.
        since: Time,
        /// The number of that ARRIVAL: only an AGREE with the same number answers it.
        number: u32,
    },
    /// It has sent ACKACK and works.
    Working {
        /// For which call.
        request: Request,
        /// When it ends: with the lease, or with the work.
        until: Time,
        /// What there is to do after that, and whether another lease was asked for.
        renewal: Renewal,
    },
    /// It has served another while it waited for help itself, and drives back to where it waited.
    Returning,
}

/// The answer to an ARRIVAL that asks for another lease is waited for during at most this part of what is left of the lease,
/// so that half a lease of 5 s has eight tries and not one.
const ASKS_A_LEASE: u64 = 4;
/// But at least for as long as a message and its answer take over the radio (twice 50 ms, and as much again).
const SOONEST_ANSWER: Duration = Duration::from_millis(200);

/// Work that outlasts its lease. In milliseconds, since every robot of a team of a million has room for one; rounded so that
/// work never lasts longer than was agreed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewal {
    left_ms: u32,
    asked_ms: u32,
    number: u32,
}

impl Renewal {
    /// Work ends with the lease, or the lease with the work.
    pub const NONE: Self = Self { left_ms: 0, asked_ms: 0, number: 0 };

    /// `left` is to be done after the lease.
    fn of(left: Duration) -> Self {
        Self { left_ms: millis_up(left), ..Self::NONE }
    }

    /// The work that there will be when the lease ends.
    pub fn left(&self) -> Duration {
        Duration::from_millis(u64::from(self.left_ms))
    }

    /// When a lease that ends at `until` was first asked to be renewed, and the number of the ARRIVALs that ask.
    pub fn asked(&self, until: Time) -> Option<(Time, u32)> {
        let before = Duration::from_millis(u64::from(self.asked_ms));
        (self.asked_ms > 0).then(|| (Time::ZERO + until.since(Time::ZERO + before), self.number))
    }
}

fn millis_up(duration: Duration) -> u32 {
    u32::try_from(duration.as_micros().div_ceil(1_000)).unwrap_or(u32::MAX)
}

impl Responding {
    /// The call it serves.
    pub fn request(&self) -> Option<&Request> {
        match self {
            Self::Idle | Self::Returning => None,
            Self::Offered { request, .. }
            | Self::Travelling { request }
            | Self::Arrived { request, .. }
            | Self::Working { request, .. } => Some(request),
        }
    }
}

impl Recruitment {
    // The hot arm: every robot hears every HELP. What is rare lies behind calls that are not inlined.
    #[inline(always)]
    pub(super) fn on_help(
        &mut self,
        cx: &mut Context<'_>,
        from: RobotId,
        request: &Request,
        place: Point,
        needs: Percepts,
    ) {
        // A radio may hand a robot its own HELP, as multicast does.
        let (body, now) = (cx.body(), cx.now());
        let distance_m = body.place(now).distance(place);
        // False for an undefined distance, too.
        let on_this_earth = distance_m < f64::INFINITY;
        // From nowhere, or from this robot itself (a radio that hears its own voice).
        if request.requester != from || from == body.id || !on_this_earth {
            return dropped(cx, from, Kind::Help, Drop::Absurd);
        }
        // A requester calls for one need at a time and starts a new life with the next: as a rule this is the
        // next call of the same one.
        let known = if request.requester == self.heard.requester && request.incarnation == self.heard.incarnation {
            request.attempt <= self.heard.attempt && request.need == self.heard.need
        } else {
            self.is_of_an_earlier_life(request)
        };
        if known {
            let why = if *request == self.heard { Drop::Duplicate } else { Drop::Late };
            return dropped(cx, from, Kind::Help, why);
        }
        self.heard = *request;
        if !body.percepts.cover(needs) {
            cx.note(|| {
                Event::Recruitment(Step::Silent {
                    with: from,
                    task: request.need,
                    round: request.attempt,
                    why: Silence::Unable,
                    shame: self.shame().get(),
                    shame_after: self.shame().get(),
                    threshold: self.config.shame.threshold,
                    distance_m,
                })
            });
            return;
        }
        if !matches!(self.responding, Responding::Idle) {
            self.supersede(cx, request);
        }
        // [Gage, Implementation] First the decay since the previous HELP, then the decision, then the refusal.
        let config = &*self.config;
        let since_help = now.since(self.last_help);
        let shame = config.shame.faded(self.shame, since_help);
        self.last_help = now;
        let free = self.phase == Phase::Free;
        if free
            && matches!(self.responding, Responding::Idle)
            && self.would_answer(config, cx, request, distance_m, shame, since_help)
        {
            return self.offer(cx, request, place, distance_m, shame);
        }
        if !free && config.serves_while_waiting {
            return self.on_help_while_engaged(cx, request, place, distance_m, shame, since_help);
        }
        // A robot on task refuses, too, and is ashamed of it: use case 1 depends on it.
        self.shame = config.shame.refused(shame, distance_m);
        self.note_refusal(cx, request, distance_m, shame, free);
    }

    /// A robot on task answers if it waits itself, for a robot that comes before it.
    #[inline(never)]
    fn on_help_while_engaged(
        &mut self,
        cx: &mut Context<'_>,
        request: &Request,
        place: Point,
        distance_m: f64,
        shame: Intensity,
        since_help: Duration,
    ) {
        let free = matches!(self.responding, Responding::Idle) && self.waits_behind(cx.me(), request.requester);
        if free && self.would_answer(&self.config, cx, request, distance_m, shame, since_help) {
            self.offer(cx, request, place, distance_m, shame);
            return;
        }
        self.shame = self.config.shame.refused(shame, distance_m);
        self.note_refusal(cx, request, distance_m, shame, free);
    }

    #[inline(always)]
    fn would_answer(
        &self,
        config: &Config,
        cx: &mut Context<'_>,
        request: &Request,
        distance_m: f64,
        shame: Intensity,
        since_help: Duration,
    ) -> bool {
        match &config.answering {
            Answering::Ashamed => config.shame.tells(shame),
            Answering::Always => true,
            Answering::Custom(policy) => self.asked(cx, policy, request, distance_m, shame, since_help),
        }
    }

    /// Why it does not answer. `free`: it is not kept by an errand of its own.
    #[inline(always)]
    fn note_refusal(&self, cx: &mut Context<'_>, request: &Request, distance_m: f64, shame: Intensity, free: bool) {
        cx.note(|| {
            Event::Recruitment(Step::Silent {
                with: request.requester,
                task: request.need,
                round: request.attempt,
                why: match (free, &self.responding) {
                    (_, Responding::Returning) | (false, Responding::Idle) => Silence::Engaged,
                    (true, Responding::Idle) if matches!(self.config.answering, Answering::Custom(_)) => {
                        Silence::Declined
                    }
                    (true, Responding::Idle) => Silence::Unashamed,
                    (_, _) => Silence::Committed,
                },
                shame: shame.get(),
                shame_after: self.shame().get(),
                threshold: self.config.shame.threshold,
                distance_m,
            })
        });
    }

    /// Whether a policy from outside has this robot offer; SHAME decides if it cannot.
    #[inline(never)]
    fn asked(
        &self,
        cx: &mut Context<'_>,
        Custom(policy): &Custom,
        request: &Request,
        distance_m: f64,
        shame: Intensity,
        since_help: Duration,
    ) -> bool {
        let help = Heard {
            robot: cx.me(),
            requester: request.requester,
            need: request.need,
            round: request.attempt,
            now: cx.now(),
            shame: shame.get(),
            threshold: self.config.shame.threshold,
            distance_m,
            eta: Duration::from_secs_f64(distance_m / cx.body().speed_mps),
            since_help,
        };
        policy.answers(&help).unwrap_or_else(|undecided| {
            let (with, task, round) = (request.requester, request.need, request.attempt);
            cx.note(|| Event::Recruitment(Step::PolicyFailed { with, task, round, line: undecided.line }));
            self.config.shame.tells(shame)
        })
    }

    /// The requester has been heard in a later life than this: what it called for then is settled. Lives are
    /// counted up, except that a loss of memory draws a fresh number; that it falls just below the one heard
    /// last, and is taken for an earlier life, happens once in sixteen million losses.
    #[inline(never)]
    fn is_of_an_earlier_life(&self, request: &Request) -> bool {
        const LIVES: u32 = 256;
        let ago = self.heard.incarnation.wrapping_sub(request.incarnation);
        request.requester == self.heard.requester && (1..=LIVES).contains(&ago)
    }

    #[inline(never)]
    fn offer(&mut self, cx: &mut Context<'_>, request: &Request, place: Point, distance_m: f64, shame: Intensity) {
        let request = *request;
        let eta = Duration::from_secs_f64(distance_m / cx.body().speed_mps);
        if eta > self.config.longest_eta {
            // No place for this robot: the requester would not take the offer seriously.
            self.shame = shame;
            return cx.note(|| {
                Event::Recruitment(Step::Silent {
                    with: request.requester,
                    task: request.need,
                    round: request.attempt,
                    why: Silence::TooFar,
                    shame: shame.get(),
                    shame_after: shame.get(),
                    threshold: self.config.shame.threshold,
                    distance_m,
                })
            });
        }
        // [Gage, Approach] "Once the robot decides to respond, its SHAME will be reset to zero".
        self.shame = Intensity::NONE;
        self.responding = Responding::Offered { request, place };
        cx.act(Action::Hold);
        cx.send(Recipient::Only(request.requester), Message::Accept { request, eta });
        cx.set_timer(Timer::Responding, cx.now() + self.config.responder_timeout);
        cx.note(|| {
            Event::Recruitment(Step::Offered {
                with: request.requester,
                task: request.need,
                round: request.attempt,
                eta,
                shame: shame.get(),
                why: match self.config.answering {
                    Answering::Ashamed => Answer::Ashamed { threshold: self.config.shame.threshold },
                    Answering::Always => Answer::Always,
                    Answering::Custom(_) => Answer::Policy,
                },
            })
        });
    }

    /// A newer call for the same need says that what was agreed on the older one failed. Without this a
    /// robot whose ACCEPT was lost would sit out its time-out while the requester calls.
    #[inline(never)]
    fn supersede(&mut self, cx: &mut Context<'_>, newer: &Request) {
        match self.responding {
            Responding::Working { .. } | Responding::Returning | Responding::Idle => {}
            Responding::Offered { request, .. }
            | Responding::Travelling { request }
            | Responding::Arrived { request, .. } => {
                if request.same_need(newer) && request.attempt < newer.attempt {
                    cx.note(|| {
                        Event::Recruitment(Step::Superseded {
                            with: request.requester,
                            task: request.need,
                            round: request.attempt,
                        })
                    });
                    self.give_up(cx);
                }
            }
        }
    }

    fn give_up(&mut self, cx: &mut Context<'_>) {
        if matches!(self.responding, Responding::Travelling { .. }) {
            cx.act(Action::Stop);
        }
        cx.cancel_timer(Timer::Responding);
        self.is_free_again(cx);
    }

    /// What it did for another is over: it goes back to where it waits itself, or its errand goes on.
    #[inline]
    fn is_free_again(&mut self, cx: &mut Context<'_>) {
        self.responding = Responding::Idle;
        // Only a robot on task waits for others itself.
        if self.phase == Phase::Engaged && self.goes_back(cx) {
            return;
        }
        self.resume_if_quiet(cx);
    }

    /// It was lent, and drives back to where it waits. False if it was not.
    #[inline(never)]
    fn goes_back(&mut self, cx: &mut Context<'_>) -> bool {
        let lent = self.requesting.as_ref().and_then(|requesting| requesting.lent_from());
        let Some((home, task)) = lent else { return false };
        let journey = Duration::from_secs_f64(cx.body().place(cx.now()).distance(home) / cx.body().speed_mps);
        self.responding = Responding::Returning;
        cx.note(|| Event::Recruitment(Step::GoesBack { task }));
        cx.set_timer(Timer::Responding, cx.now() + journey + self.config.arrival_slack);
        cx.act(Action::Visit(home));
        true
    }

    /// It is where it waited before, or as near as it gets.
    fn is_back(&mut self, cx: &mut Context<'_>) {
        self.responding = Responding::Idle;
        cx.cancel_timer(Timer::Responding);
        self.next_need(cx);
    }

    pub(super) fn on_responder(&mut self, cx: &mut Context<'_>, from: RobotId, request: Request, chosen: RobotId) {
        if request.requester != from {
            return dropped(cx, from, Kind::Responder, Drop::Absurd);
        }
        let me = cx.me();
        match self.responding {
            Responding::Offered { request: offered, place } if offered == request => {
                if chosen != me {
                    cx.note(|| {
                        Event::Recruitment(Step::NotNeeded {
                            with: from,
                            task: request.need,
                            round: request.attempt,
                            chosen,
                        })
                    });
                    return self.give_up(cx);
                }
                let lent = self.config.serves_while_waiting && self.phase == Phase::Engaged;
                if lent && !self.puts_off_its_call(cx) {
                    dropped(cx, from, Kind::Responder, Drop::Late);
                    return self.give_up(cx);
                }
                let way_m = cx.body().place(cx.now()).distance(place);
                let journey = Duration::from_secs_f64(way_m / cx.body().speed_mps);
                self.responding = Responding::Travelling { request };
                cx.note(|| Event::Recruitment(Step::SetOut { with: from, task: request.need, round: request.attempt }));
                cx.set_timer(Timer::Responding, cx.now() + journey + self.config.arrival_slack);
                cx.act(if lent { Action::Visit(place) } else { Action::GoTo(place) });
            }
            Responding::Travelling { request: current } | Responding::Arrived { request: current, .. }
                if current == request =>
            {
                dropped(cx, from, Kind::Responder, Drop::Duplicate);
            }
            _ => {
                self.supersede(cx, &request);
                if chosen == me {
                    dropped(cx, from, Kind::Responder, Drop::Late);
                }
            }
        }
    }

    pub(super) fn on_arrived(&mut self, cx: &mut Context<'_>) {
        let request = match self.responding {
            Responding::Travelling { request } => request,
            Responding::Returning => return self.is_back(cx),
            _ => return,
        };
        let number = cx.nonce();
        self.responding = Responding::Arrived { request, since: cx.now(), number };
        let lease = self.config.lease;
        cx.note(|| {
            Event::Recruitment(Step::Arrived { with: request.requester, task: request.need, round: request.attempt })
        });
        cx.send(Recipient::Only(request.requester), Message::Arrival { request, number, lease });
        cx.set_timer(Timer::Responding, cx.now() + self.config.agree_timeout);
    }

    pub(super) fn on_blocked(&mut self, cx: &mut Context<'_>) {
        let request = match self.responding {
            Responding::Travelling { request } => request,
            Responding::Returning => return self.is_back(cx),
            _ => return,
        };
        cx.note(|| Event::Recruitment(Step::Blocked { task: request.need, round: request.attempt }));
        self.give_up(cx);
    }

    pub(super) fn on_agree(
        &mut self,
        cx: &mut Context<'_>,
        from: RobotId,
        request: Request,
        number: u32,
        lease: Duration,
    ) {
        let (since, own_number) = match self.responding {
            Responding::Arrived { request: current, since, number } if current == request => (since, number),
            Responding::Working { request: current, until, renewal } if current == request => {
                match renewal.asked(until) {
                    Some((since, own_number)) if own_number == number && from == request.requester => {
                        return self.on_renewed(cx, &request, (until, renewal), since, lease);
                    }
                    _ => return dropped(cx, from, Kind::Agree, Drop::Duplicate),
                }
            }
            _ => return dropped(cx, from, Kind::Agree, Drop::Late),
        };
        if request.requester != from {
            return dropped(cx, from, Kind::Agree, Drop::Foreign);
        }
        // The requester waits for the lease of the ARRIVAL that it answered: an earlier one of this robot, which has
        // restarted since. The lease of the last ARRIVAL ends later.
        if number != own_number {
            return dropped(cx, from, Kind::Agree, Drop::Late);
        }
        // The requester may have shortened what was offered; it cannot make it longer.
        let lease = lease.min(self.config.lease);
        // An AGREE counts only within one lease of this robot's own ARRIVAL: the requester may have waited
        // the lease out and called another. The time-out is shorter, unless configured otherwise.
        if cx.now().since(since) >= lease {
            return dropped(cx, from, Kind::Agree, Drop::Late);
        }
        let (task, round) = (request.need, request.attempt);
        if lease < self.config.shortest_lease {
            cx.note(|| Event::Recruitment(Step::Refused { with: from, task, round, lease }));
            return self.give_up(cx);
        }
        let mut until = self.lease_ends(cx, since, lease);
        let mut renewal = Renewal::NONE;
        if let Some(analysis) = self.config.analysis {
            let done = cx.now() + self.rest_of(&request).unwrap_or(analysis);
            renewal = Renewal::of(done.since(until));
            until = until.min(done);
        }
        cx.note(|| Event::Recruitment(Step::TookOver { with: from, task, round, until }));
        cx.send(Recipient::Only(from), Message::Ackack { request });
        self.work(cx, request, until, renewal);
    }

    fn lease_ends(&self, cx: &Context<'_>, since: Time, lease: Duration) -> Time {
        match self.config.lease_from {
            LeaseFrom::Ackack => cx.now() + lease,
            LeaseFrom::Arrival => since + lease,
        }
    }

    /// Works until then, and asks for another lease half-way if there will be more to do.
    fn work(&mut self, cx: &mut Context<'_>, request: Request, until: Time, renewal: Renewal) {
        self.responding = Responding::Working { request, until, renewal };
        cx.act(Action::Work { task: request.need, until });
        let half = Duration::from_micros(until.since(cx.now()).as_micros() / 2);
        cx.set_timer(Timer::Responding, if renewal.left_ms > 0 { cx.now() + half } else { until });
    }

    /// The requester agrees to another lease, `since` its ARRIVAL: it has moved its bar, so work may go on.
    #[inline(never)]
    fn on_renewed(
        &mut self,
        cx: &mut Context<'_>,
        request: &Request,
        (until, renewal): (Time, Renewal),
        since: Time,
        lease: Duration,
    ) {
        let (request, from) = (*request, request.requester);
        let lease = lease.min(self.config.lease);
        let ends = self.lease_ends(cx, since, lease);
        // Work ends with the lease that was heard of in time; one that brings nothing is not worth taking.
        if cx.now() >= until || ends <= until || lease < self.config.shortest_lease {
            return dropped(cx, from, Kind::Agree, Drop::Late);
        }
        let done = until + renewal.left();
        let until = ends.min(done);
        cx.note(|| Event::Recruitment(Step::Renewed { with: from, task: request.need, round: request.attempt, until }));
        self.work(cx, request, until, Renewal::of(done.since(until)));
    }

    /// Its work outlasts its lease, which is not over yet: asks for another, and again while no AGREE comes. Always under the
    /// number of the first time, from which the new lease counts: whichever of these ARRIVALs the requester answers, it has
    /// moved its bar later than that. So a short lease is asked for several times before it ends, and over a slow radio the
    /// answer to an earlier ARRIVAL still counts.
    #[inline(never)]
    fn ask_for_more(&mut self, cx: &mut Context<'_>, request: Request, until: Time, renewal: Renewal) {
        let lease_left = until.since(cx.now());
        let renewal = match renewal.asked(until) {
            Some(_) => renewal,
            None => Renewal { asked_ms: millis_up(lease_left), number: cx.nonce(), ..renewal },
        };
        let number = renewal.number;
        self.responding = Responding::Working { request, until, renewal };
        let (with, task, round) = (request.requester, request.need, request.attempt);
        cx.note(|| Event::Recruitment(Step::AskedForMore { with, task, round }));
        cx.send(Recipient::Only(with), Message::Arrival { request, number, lease: self.config.lease });
        let answer = Duration::from_micros(lease_left.as_micros() / ASKS_A_LEASE).max(SOONEST_ANSWER);
        cx.set_timer(Timer::Responding, until.min(cx.now() + answer.min(self.config.agree_timeout)));
    }

    pub(super) fn on_responding_timer(&mut self, cx: &mut Context<'_>) {
        let (request, waiting_for) = match self.responding {
            Responding::Idle => return,
            Responding::Returning => {
                cx.act(Action::Stop);
                return self.is_back(cx);
            }
            Responding::Offered { request, .. } => (request, Awaited::Responder),
            Responding::Travelling { request } => (request, Awaited::Journey),
            Responding::Arrived { request, .. } => (request, Awaited::Agree),
            Responding::Working { request, until, renewal } if renewal.left_ms > 0 && cx.now() < until => {
                return self.ask_for_more(cx, request, until, renewal);
            }
            Responding::Working { request, renewal, .. } => {
                let (with, task, round) = (request.requester, request.need, request.attempt);
                if self.config.analysis.is_some() {
                    self.keep_rest(request, renewal.left());
                }
                if renewal.left_ms > 0 {
                    cx.note(|| Event::Recruitment(Step::HandedBack { with, task, round }));
                } else {
                    cx.note(|| Event::Recruitment(Step::Finished { task, round }));
                    if self.config.analysis.is_some() {
                        cx.send(Recipient::Only(with), Message::Done { request });
                    }
                }
                cx.act(Action::Stop);
                return self.is_free_again(cx);
            }
        };
        cx.note(|| Event::Recruitment(Step::TimedOut { task: request.need, round: request.attempt, waiting_for }));
        self.give_up(cx);
    }
}
