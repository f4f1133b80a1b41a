//! The driver: takes events in order, hands them to the machines, applies what they put out.
//!
//! The order of what happens at one instant is fixed and part of every published figure: faults first,
//! then deliveries (by sender), then what the world does (by robot), then timers (by robot, then timer);
//! within these, first in, first out.

mod dice;
mod faults;
mod flight;
mod letters;
mod observer;

pub(crate) use dice::Dice;
use letters::{Letter, Letters};
pub use observer::{Observer, View};

use muster_core::motion::Motion;
use muster_core::timer::{Due, TimerTable};
use muster_core::{
    Action, Body, Context, Duration, Input, Mechanism, Note, Order, Output, Percept, Phase, Point, Recipient, RobotId,
    Task, TaskId, Time,
};

use crate::errand::{Reached, Scan};
use crate::fault::Fault;
use crate::labour::{Forecast, Works};
use crate::ledger::Ledger;
use crate::mission::{Mission, OrderSpec, Seeds, SeenBy, TaskSpec};
use crate::nearby::Nearby;
use crate::pushed::PushedBox;
use crate::queue::{Queue, Ranked};
use crate::radio::{Ether, Fate, LossPer, Radio};

/// Messages of a run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Sent by anybody, whether heard or not.
    pub sent: u64,
    /// Lost for everybody they were meant for.
    pub lost: u64,
    /// Times that one receiver missed a message by chance that others may have heard ([`LossPer::Receiver`]).
    pub missed: u64,
}

/// One run of a mission.
pub struct Sim<'m, M: Mechanism, O> {
    mission: &'m Mission,
    now: Time,
    queue: Queue<Pending<M::Timer>>,
    // Apart from each other: a HELP touches every machine and body, and nothing else.
    machines: Vec<M>,
    bodies: Vec<Body>,
    conditions: Vec<Condition>,
    sides: Vec<Side<M>>,
    /// Robots that are not plainly up and hearing: while there are none, nobody's condition is looked at.
    impaired: usize,
    faults: Vec<Fault>,
    same_for_all: bool,
    /// With a radio of limited range only.
    nearby: Option<Box<Nearby>>,
    receivers: Vec<RobotId>,
    ether: Ether,
    letters: Letters<M::Message>,
    traffic: Traffic,
    ledger: Ledger,
    /// With a mission whose tasks take as long as the world says.
    works: Option<Box<Works<'m>>>,
    pushed: Option<Box<PushedBox<'m>>>,
    outputs: Vec<Output<M>>,
    notes: Option<Vec<Note>>,
    dice: Dice,
    observer: O,
}

/// What is rarely looked at of a robot.
struct Side<M: Mechanism> {
    timers: TimerTable<M::Timer>,
    memory: M::Memory,
    errand: Option<Box<Scan>>,
    /// The mechanism keeps the errand back.
    held: bool,
    /// A flight over a target.
    flight: Option<Box<flight::Flight>>,
    /// Counts drives and pauses, so that the end of one that was broken off means nothing.
    trip: u32,
    /// What it has done while it hung.
    done: Option<TaskId>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Condition {
    life: Life,
    /// Counts outages, so that the end of one that another cut short means nothing.
    outage: u32,
    deaf_until: Time,
    mute_until: Time,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Up,
    Hanging {
        until: Time,
    },
    Down,
    Dead,
}

/// What is queued: the rank in front, since the queue compares it more often than anybody reads the rest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Pending<T> {
    /// Class, and the robot (or task, or fault) it is about.
    rank: u64,
    what: What<T>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum What<T> {
    Fault,
    /// `waited`: how often its place was not free.
    Recovery {
        outage: u32,
        memory: bool,
        waited: u8,
    },
    Delivery {
        letter: u32,
    },
    Appearance,
    Order,
    Lapse,
    LinkUp,
    Completion {
        version: u32,
    },
    Driven {
        trip: u32,
    },
    Rested {
        trip: u32,
    },
    Timer(T),
}

impl<T> Pending<T> {
    /// `about`: the robot, or the number of the fault or task.
    #[inline]
    fn new(about: u32, what: What<T>) -> Self {
        let class: u64 = match what {
            What::Fault => 0,
            What::Recovery { .. } | What::LinkUp => 1,
            What::Delivery { .. } => 2,
            What::Appearance | What::Completion { .. } | What::Order | What::Lapse => 3,
            What::Driven { .. } | What::Rested { .. } => 4,
            What::Timer(_) => 5,
        };
        Self { rank: class << 32 | u64::from(about), what }
    }
}

impl<T: Copy> Ranked for Pending<T> {
    #[inline]
    fn rank(&self) -> u64 {
        self.rank
    }
}

impl<'m, M: Mechanism, O: Observer<M>> Sim<'m, M, O> {
    /// A run of `mission` from `seeds`, about to begin. `machine` makes each robot's mechanism.
    pub fn new(mission: &'m Mission, seeds: impl Into<Seeds>, machine: impl FnMut(RobotId) -> M, observer: O) -> Self {
        let seeds = seeds.into();
        let seed = seeds.run;
        let team = mission.robots.len();
        let arrangement = mission.arrange(seeds);
        let bodies: Vec<Body> = mission
            .robots
            .iter()
            .zip(&arrangement.places)
            .enumerate()
            .map(|(index, (robot, &place))| Body {
                id: RobotId(index as u32),
                percepts: robot.percepts,
                speed_mps: robot.speed_mps,
                motion: Motion::still(place),
            })
            .collect();
        let mut ledger = Ledger::with_capacity(mission.task_count());
        for (index, spec) in mission.tasks.iter().enumerate() {
            let place = spec.place.unwrap_or_else(|| match spec.seen_by {
                SeenBy::One(robot) => arrangement.places[robot.index()],
                SeenBy::Able => Point::default(),
                SeenBy::Ordered(_) => arrangement.targets[index],
            });
            ledger.enter(Task { id: TaskId(index as u32), place, needs: spec.needs }, spec.recurs);
        }
        for (_, _, task) in &arrangement.stops {
            ledger.enter(*task, false);
        }
        let errand = |index: usize| {
            let scan = mission.robots[index].errand.as_ref()?;
            let own = arrangement.stops.iter().filter(|stop| stop.0.index() == index);
            let mut stops = Vec::with_capacity(scan.stops as usize);
            stops.extend(own.map(|(_, at_m, task)| (*at_m, task.id)));
            Some(Box::new(Scan::new(scan.path.clone(), scan.start_m, scan.pause, stops)))
        };
        let sides = (0..team)
            .map(|index| Side {
                timers: TimerTable::default(),
                memory: M::Memory::default(),
                errand: errand(index),
                held: false,
                flight: None,
                trip: 0,
                done: None,
            })
            .collect();
        let mut sim = Self {
            mission,
            now: Time::ZERO,
            queue: Queue::with_capacity(2 * team),
            machines: (0..team as u32).map(RobotId).map(machine).collect(),
            nearby: mission
                .radio
                .range_m
                .map(|range_m| Box::new(Nearby::new(range_m, bodies.iter().map(|body| &body.motion)))),
            receivers: Vec::new(),
            bodies,
            conditions: vec![Condition::default(); team],
            sides,
            impaired: 0,
            faults: Vec::new(),
            same_for_all: mission.radio.same_for_all(),
            ether: Ether::new(seed, team),
            letters: Letters::with_capacity(team),
            traffic: Traffic::default(),
            ledger,
            works: mission.labour.as_ref().map(|labour| Box::new(Works::new(labour, team, seed))),
            pushed: mission.pushed.as_ref().map(|spec| Box::new(PushedBox::new(spec))),
            outputs: Vec::with_capacity(8),
            notes: None,
            dice: Dice::new(seed),
            observer,
        };
        for &fault in &mission.faults {
            sim.faults.push(fault);
            sim.queue.push(fault.at.as_micros(), Pending::new(sim.faults.len() as u32 - 1, What::Fault));
        }
        for (index, spec) in mission.orders.iter().enumerate() {
            sim.queue.push(spec.at.as_micros(), Pending::new(index as u32, What::Order));
        }
        let comes_up = |spec: &TaskSpec| spec.after.is_empty() && !matches!(spec.seen_by, SeenBy::Ordered(_));
        for (index, spec) in mission.tasks.iter().enumerate().filter(|(_, spec)| comes_up(spec)) {
            sim.queue.push(spec.at.as_micros(), Pending::new(index as u32, What::Appearance));
        }
        for (index, robot) in mission.robots.iter().enumerate().filter(|(_, robot)| robot.joins > Time::ZERO) {
            sim.conditions[index].life = Life::Down;
            sim.impaired += 1;
            let joins = What::Recovery { outage: 0, memory: true, waited: 0 };
            sim.queue.push(robot.joins.as_micros(), Pending::new(index as u32, joins));
        }
        sim
    }

    /// Takes notes from here on.
    pub fn with_notes(mut self) -> Self {
        self.notes = Some(Vec::new());
        self
    }

    /// Starts every robot. To be called once, before `step`.
    pub fn start(&mut self) {
        for index in 0..self.machines.len() {
            let robot = RobotId(index as u32);
            if self.conditions[index].life == Life::Down {
                continue;
            }
            self.put(robot);
            self.input(robot, Input::Start(Some(M::Memory::default())));
            self.tell_what_it_sees(robot);
        }
    }

    /// Runs until all tasks are handed over, or the mission's limit.
    pub fn run(&mut self) {
        self.start();
        self.run_until(Self::is_over);
    }

    /// All that was asked for was called off or has expired, and nothing is asked for any more.
    #[cold]
    fn is_called_off(&self) -> bool {
        let asked = |spec: &OrderSpec| spec.at <= self.now;
        self.ledger.nothing_left() && self.mission.orders.iter().all(asked)
    }

    /// Everything is done, and has been for as long as the mission wants to see it.
    pub fn is_over(&self) -> bool {
        (self.ledger.all_served() || !self.mission.orders.is_empty() && self.is_called_off())
            && self.now >= self.ledger.last_served() + self.mission.linger
    }

    /// Takes event after event until `done`, nothing is left, or the mission's limit.
    pub fn run_until(&mut self, mut done: impl FnMut(&Self) -> bool) {
        while !done(self) && self.step() {}
    }

    /// Takes all events up to `until` and lets the clock stand there.
    pub fn advance(&mut self, until: Time) {
        while self.queue.next_at().is_some_and(|at| at <= until.as_micros()) && self.step() {}
        self.now = self.now.max(until);
    }

    /// Takes the next event. False if there is none before the mission's limit.
    pub fn step(&mut self) -> bool {
        let limit = self.mission.limit.as_micros();
        let Some((at, pending)) = self.queue.pop_until(limit) else {
            // Nothing happens any more: a run that is done ends when it has lingered, any other at its limit.
            let lingers = self.mission.linger > Duration::ZERO && self.ledger.all_served();
            let end = if lingers { self.ledger.last_served() + self.mission.linger } else { Time::NEVER };
            self.now = self.now.max(Time::from_micros(limit).min(end));
            return false;
        };
        self.now = Time::from_micros(at);
        self.take(pending);
        while let Some(fault) = self.observer.after_event(View {
            now: self.now,
            machines: &self.machines,
            bodies: &self.bodies,
            ledger: &self.ledger,
            conditions: &self.conditions,
            sides: &self.sides,
        }) {
            self.cause(fault);
        }
        true
    }

    /// Lets a fault strike at its time, or at once if that is past.
    fn cause(&mut self, fault: Fault) {
        if fault.at <= self.now {
            return self.strike(fault);
        }
        self.faults.push(fault);
        self.queue.push(fault.at.as_micros(), Pending::new(self.faults.len() as u32 - 1, What::Fault));
    }

    /// Every robot that is up has nothing to do for others and asks for nothing, as `quiet` sees it.
    pub fn all_up(&self, quiet: impl Fn(&M) -> bool) -> bool {
        let up = |index: usize| !matches!(self.conditions[index].life, Life::Down | Life::Dead);
        self.machines.iter().enumerate().all(|(index, machine)| !up(index) || quiet(machine))
    }

    /// The time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// What came of the tasks.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Messages sent and lost so far.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// The machines, by robot.
    pub fn machines(&self) -> &[M] {
        &self.machines
    }

    /// The bodies, by robot.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// The box that is pushed, if there is one.
    pub fn pushed(&self) -> Option<&PushedBox<'m>> {
        self.pushed.as_deref()
    }

    /// Notes taken so far.
    pub fn notes(&self) -> &[Note] {
        self.notes.as_deref().unwrap_or_default()
    }

    /// Takes the notes taken so far away.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// When the next event is due, if there is one before the mission's limit.
    pub fn next_at(&self) -> Option<Time> {
        self.queue.next_at().map(Time::from_micros).filter(|at| *at <= Time::ZERO + self.mission.limit)
    }

    /// Who looks on.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Who looks on, to be spoken to between events.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// Ends the run and hands back who looked on.
    pub fn into_observer(self) -> O {
        self.observer
    }

    // Part of the loop: most events are deliveries, timers and ends of drives, each a few dozen instructions. What
    // happens now and then is kept out of line, so that the loop does not save registers for it.
    #[inline(always)]
    fn take(&mut self, pending: Pending<M::Timer>) {
        let about = pending.rank as u32;
        let robot = RobotId(about);
        match pending.what {
            What::Delivery { letter } => self.deliver(robot, letter),
            What::Timer(timer) => self.on_timer(robot, timer),
            What::Driven { trip } => self.on_driven(robot, trip),
            What::Rested { trip } => self.on_rested(robot, trip),
            What::Appearance => self.on_appearance(TaskId(about)),
            What::Order => self.on_order(about),
            What::Lapse => self.on_lapse(TaskId(about)),
            What::LinkUp => self.on_link_up(robot),
            What::Completion { version } => self.on_completion(TaskId(about), version),
            What::Fault => self.strike(self.faults[about as usize]),
            What::Recovery { outage, memory, waited } => self.recover(robot, outage, memory, waited),
        }
    }

    // Deliveries.

    fn deliver(&mut self, from: RobotId, letter: u32) {
        let Some(letter) = self.letters.take(letter) else { return };
        let to = letter.to;
        let plain = self.same_for_all && self.impaired == 0;
        match to {
            Recipient::Only(robot) if plain && robot.index() < self.machines.len() => {
                let input = Input::Received { from, to, message: &letter.message };
                self.hand(robot, input, Some(letter.number));
            }
            Recipient::Only(robot) => self.deliver_to(from, robot, &letter),
            Recipient::All | Recipient::Named(_) if plain => self.deliver_to_all(from, &letter),
            Recipient::All | Recipient::Named(_) => self.deliver_to_each(from, &letter),
        }
    }

    /// The careful way: asks for each receiver whether it hears.
    fn deliver_to_each(&mut self, from: RobotId, letter: &Letter<M::Message>) {
        let Some(nearby) = &self.nearby else {
            for robot in (0..self.machines.len() as u32).map(RobotId).filter(|robot| *robot != from) {
                self.deliver_to(from, robot, letter);
            }
            return;
        };
        let mut receivers = std::mem::take(&mut self.receivers);
        nearby.candidates(self.bodies[from.index()].place(self.now), &mut receivers);
        for robot in receivers.iter().filter(|robot| **robot != from) {
            self.deliver_to(from, *robot, letter);
        }
        self.receivers = receivers;
    }

    /// The loop that a large team lives in: nothing is looked up, built or allocated per receiver.
    fn deliver_to_all(&mut self, from: RobotId, letter: &Letter<M::Message>) {
        let Letter { to, number, message } = letter;
        let mut next = 0;
        while next < self.machines.len() {
            let (machines, bodies) = (&mut self.machines[next..], &self.bodies[next..]);
            let mut cx = Context::new(self.now, &bodies[0], &mut self.outputs, &mut self.dice, self.notes.as_mut());
            let answers = machines.iter_mut().zip(bodies).position(|(machine, body)| {
                if body.id == from {
                    return false;
                }
                let input = Input::Received { from, to: *to, message };
                self.observer.on_input(self.now, body, &input, Some(*number));
                cx.lend(body);
                machine.handle(&mut cx, input);
                cx.has_outputs()
            });
            let Some(answers) = answers else { return };
            self.apply(RobotId((next + answers) as u32));
            next += answers + 1;
        }
    }

    fn deliver_to(&mut self, from: RobotId, robot: RobotId, letter: &Letter<M::Message>) {
        if robot.index() >= self.machines.len() || !self.hears(robot) || !self.reaches(from, robot) {
            return;
        }
        let input = Input::Received { from, to: letter.to, message: &letter.message };
        self.hand(robot, input, Some(letter.number));
    }

    fn hears(&self, robot: RobotId) -> bool {
        let condition = &self.conditions[robot.index()];
        self.impaired == 0 || (condition.life == Life::Up && condition.deaf_until <= self.now)
    }

    fn reaches(&mut self, from: RobotId, robot: RobotId) -> bool {
        if self.same_for_all {
            return true;
        }
        let (radio, now): (&Radio, Time) = (&self.mission.radio, self.now);
        if !radio.carries(now, &self.bodies[from.index()], &self.bodies[robot.index()]) {
            return false;
        }
        let missed = radio.loss_per == LossPer::Receiver && self.ether.loses(radio, from, now);
        self.traffic.missed += u64::from(missed);
        !missed
    }

    // Inputs and outputs.

    #[inline(always)]
    fn input(&mut self, robot: RobotId, input: Input<'_, M>) {
        self.hand(robot, input, None);
    }

    #[inline(always)]
    fn hand(&mut self, robot: RobotId, input: Input<'_, M>, transmission: Option<u64>) {
        let index = robot.index();
        let body = &self.bodies[index];
        self.observer.on_input(self.now, body, &input, transmission);
        let mut cx = Context::new(self.now, body, &mut self.outputs, &mut self.dice, self.notes.as_mut());
        self.machines[index].handle(&mut cx, input);
        if !self.outputs.is_empty() {
            self.apply(robot);
        }
    }

    #[inline(never)]
    fn apply(&mut self, robot: RobotId) {
        // Taken out, so that applying one may borrow the rest of the run. Read in place: moving each out of
        // the buffer first costs more than cloning the few messages that are not lost.
        let mut outputs = std::mem::take(&mut self.outputs);
        for output in &mut outputs {
            self.observer.on_output(self.now, robot, output);
            match output {
                Output::Send { to, message } => self.send(robot, *to, message),
                Output::SetTimer { timer, at } => {
                    if let Some(at) = self.sides[robot.index()].timers.set(*timer, (*at).max(self.now)) {
                        self.queue.push(at.as_micros(), Pending::new(robot.0, What::Timer(*timer)));
                    }
                }
                Output::CancelTimer(timer) => self.sides[robot.index()].timers.cancel(*timer),
                Output::Act(action) => self.act(robot, action),
                Output::Remember(memory) => std::mem::swap(&mut self.sides[robot.index()].memory, memory),
            }
        }
        outputs.clear();
        std::mem::swap(&mut self.outputs, &mut outputs);
    }

    fn send(&mut self, from: RobotId, to: Recipient, message: &M::Message) {
        let number = self.traffic.sent;
        self.traffic.sent += 1;
        let mute = self.impaired > 0 && self.conditions[from.index()].mute_until > self.now;
        let fate = if mute { Fate::Lost } else { self.ether.transmit(&self.mission.radio, from, self.now) };
        self.observer.on_transmission(self.now, from, to, message, fate);
        match fate {
            Fate::Lost => self.traffic.lost += 1,
            Fate::Sent { at, again } => {
                if let Some(again) = again {
                    let letter = self.letters.put(Letter { to, number, message: message.clone() });
                    self.queue.push(again.as_micros(), Pending::new(from.0, What::Delivery { letter }));
                }
                let letter = self.letters.put(Letter { to, number, message: message.clone() });
                self.queue.push(at.as_micros(), Pending::new(from.0, What::Delivery { letter }));
            }
        }
    }

    fn on_timer(&mut self, robot: RobotId, timer: M::Timer) {
        let side = &mut self.sides[robot.index()];
        let life = if self.impaired == 0 { Life::Up } else { self.conditions[robot.index()].life };
        match life {
            // Going down has cleared the table; it still has to learn that this entry is gone.
            Life::Down | Life::Dead => {
                let _ = side.timers.due(timer, self.now);
            }
            Life::Hanging { until } => {
                side.timers.postpone(timer, until);
                self.queue.push(until.as_micros(), Pending::new(robot.0, What::Timer(timer)));
            }
            Life::Up => match side.timers.due(timer, self.now) {
                Due::Fire(timer) => self.input(robot, Input::Fired(timer)),
                Due::Requeue(at) => self.queue.push(at.as_micros(), Pending::new(robot.0, What::Timer(timer))),
                Due::Nothing => {}
            },
        }
    }

    // Bodies and errands.

    #[inline(always)]
    fn act(&mut self, robot: RobotId, action: &Action) {
        match *action {
            Action::GoTo(place) => self.go(robot, place),
            Action::Approach { task, entry, target, from, by } => self.approach(robot, task, (entry, target), from, by),
            Action::Work { task, until } => self.work(robot, task, until),
            Action::Stop => {
                self.sides[robot.index()].flight = None;
                self.down_tools(robot);
                self.halt(robot);
            }
            Action::Hold => {
                let side = &mut self.sides[robot.index()];
                side.held = true;
                if side.errand.as_ref().is_some_and(|errand| errand.drives()) {
                    self.halt(robot);
                }
            }
            Action::Resume => {
                let side = &mut self.sides[robot.index()];
                side.held = false;
                if side.errand.is_some() {
                    self.drive_on(robot);
                }
            }
            Action::HandOver { task, to } => self.ledger.hand_over(task, to, self.now),
        }
    }

    fn work(&mut self, robot: RobotId, task: TaskId, until: Time) {
        self.ledger.begin(task, robot, self.now, until);
        if let Some(forecast) = self.works.as_mut().and_then(|works| works.begin(task, robot, self.now)) {
            self.expect(task, forecast);
        }
        if self.pushed.is_some() {
            self.push(robot, task);
        }
    }

    /// A robot at an end of the box moves with it.
    #[inline(never)]
    fn push(&mut self, robot: RobotId, task: TaskId) {
        let Some(takes) = self.works.as_ref().and_then(|works| works.takes(robot)) else { return };
        let Some(pushed) = &mut self.pushed else { return };
        let Some(end) = pushed.end_of(task) else { return };
        let from = self.bodies[robot.index()].place(self.now);
        let to = pushed.begin(robot, end, takes, self.now);
        let speed_mps = from.distance(to) / takes.as_secs_f64().max(1e-6);
        self.set_motion(robot, Motion::straight(from, to, speed_mps, self.now));
    }

    /// A robot lets go of the box: whoever could push that end sees where it is now.
    #[inline(never)]
    fn let_go(&mut self, robot: RobotId) {
        let Some(pushed) = &mut self.pushed else { return };
        let Some(end) = pushed.end(robot, self.now) else { return };
        let Some(spec) = &self.mission.pushed else { return };
        self.ledger.set_place(spec.ends[end], pushed.place(end, self.now));
        self.halt(robot);
    }

    fn down_tools(&mut self, robot: RobotId) {
        if self.pushed.is_some() {
            self.let_go(robot);
        }
        self.ledger.end(robot, self.now);
        if let Some((task, Some(forecast))) = self.works.as_mut().and_then(|works| works.end(robot, self.now)) {
            self.expect(task, forecast);
        }
    }

    fn expect(&mut self, task: TaskId, Forecast { at, version }: Forecast) {
        self.queue.push(at.as_micros(), Pending::new(task.0, What::Completion { version }));
    }

    /// Stands where it is. An end of a drive or pause that is still queued will mean nothing.
    fn halt(&mut self, robot: RobotId) {
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        if let Some(errand) = &mut side.errand {
            if !errand.drives() {
                return;
            }
            errand.halt(&body.motion, self.now);
        }
        let pose = body.pose(self.now);
        side.trip += 1;
        self.set_motion(robot, Motion::Still(pose));
    }

    #[inline(always)]
    fn set_motion(&mut self, robot: RobotId, motion: Motion) {
        if let Some(nearby) = &mut self.nearby {
            nearby.moves(robot, &motion);
        }
        self.bodies[robot.index()].motion = motion;
    }

    fn go(&mut self, robot: RobotId, place: Point) {
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        // A robot that helps another gives its errand up: it stays where it was needed. [Gage reading]
        side.errand = None;
        side.flight = None;
        side.trip += 1;
        let motion = Motion::straight(body.place(self.now), place, body.speed_mps, self.now);
        let arrive = if let Motion::Straight { arrive, .. } = motion { arrive } else { self.now };
        self.queue.push(arrive.as_micros(), Pending::new(robot.0, What::Driven { trip: side.trip }));
        self.set_motion(robot, motion);
    }

    fn drive_on(&mut self, robot: RobotId) {
        let (body, side) = (&mut self.bodies[robot.index()], &mut self.sides[robot.index()]);
        let up = self.conditions[robot.index()].life == Life::Up;
        let Some(errand) = side.errand.as_mut().filter(|errand| up && !side.held && errand.wants_to_drive()) else {
            return;
        };
        side.trip += 1;
        let trip = side.trip;
        if errand.rested() {
            // By way of the queue: setting out anew is a percept, and outputs may still be under way.
            return self.queue.push(self.now.as_micros(), Pending::new(robot.0, What::Rested { trip }));
        }
        let (motion, duration) = errand.depart(self.now, body.speed_mps);
        self.set_motion(robot, motion);
        // However fast the robot, the clock moves on: to and fro without time would never end.
        let duration = duration.max(Duration::from_micros(1));
        self.queue.push((self.now + duration).as_micros(), Pending::new(robot.0, What::Driven { trip }));
    }

    fn on_driven(&mut self, robot: RobotId, trip: u32) {
        if self.sides[robot.index()].flight.is_some() && self.on_flown(robot, trip) {
            return;
        }
        if !self.attends(robot, trip, What::Driven { trip }) {
            return;
        }
        let pose = self.bodies[robot.index()].pose(self.now);
        self.set_motion(robot, Motion::Still(pose));
        let side = &mut self.sides[robot.index()];
        let Some(errand) = &mut side.errand else {
            return self.input(robot, Input::Perceived(Percept::Arrived));
        };
        match errand.reach() {
            Reached::Stop(task) => {
                self.see(robot, task);
                self.drive_on(robot);
            }
            Reached::End(pause) => {
                side.trip += 1;
                let trip = side.trip;
                self.queue.push((self.now + pause).as_micros(), Pending::new(robot.0, What::Rested { trip }));
                self.input(robot, Input::Perceived(Percept::Phase(Phase::Free)));
            }
        }
    }

    fn on_rested(&mut self, robot: RobotId, trip: u32) {
        if !self.attends(robot, trip, What::Rested { trip }) {
            return;
        }
        let side = &mut self.sides[robot.index()];
        let Some(errand) = &mut side.errand else { return };
        errand.rest();
        if !side.held {
            errand.turn();
            self.drive_on(robot);
            self.input(robot, Input::Perceived(Percept::Phase(Phase::Engaged)));
        }
    }

    /// The end of trip `trip` still means something, and the robot can attend to it now; if it hangs, it
    /// will later.
    #[inline(always)]
    fn attends(&mut self, robot: RobotId, trip: u32, what: What<M::Timer>) -> bool {
        if self.sides[robot.index()].trip != trip {
            return false;
        }
        if let Life::Hanging { until } = self.conditions[robot.index()].life {
            self.queue.push(until.as_micros(), Pending::new(robot.0, what));
            return false;
        }
        self.conditions[robot.index()].life == Life::Up
    }

    /// An operator speaks to a robot; to one that cannot listen now, as soon as it can.
    #[inline(never)]
    fn on_order(&mut self, number: u32) {
        let OrderSpec { to, mut order, .. } = self.mission.orders[number as usize];
        let later = match self.conditions[to.index()].life {
            Life::Up => None,
            Life::Hanging { until } => Some(until),
            Life::Down => Some(self.now + Duration::from_secs(1)),
            Life::Dead => return self.on_order_lost(order),
        };
        if let Some(later) = later {
            return self.queue.push(later.as_micros(), Pending::new(number, What::Order));
        }
        match order {
            Order::Inject(ref mut brief) => {
                brief.task.place = self.ledger.record(brief.task.id).map_or(brief.task.place, |it| it.task.place);
                for task in brief.tasks() {
                    self.ledger.see(task, self.now, to);
                    if let Some(expires) = brief.expires {
                        self.queue.push(expires.max(self.now).as_micros(), Pending::new(task.0, What::Lapse));
                    }
                }
            }
            Order::Modify(brief) => brief.tasks().for_each(|task| self.ledger.set_place(task, brief.task.place)),
            Order::Cancel(first) => self.withdraw(first),
        }
        self.input(to, Input::Ordered(order));
    }

    #[inline(never)]
    fn on_lapse(&mut self, task: TaskId) {
        self.ledger.withdraw(task);
    }

    /// Nobody is there to take the order: what it asks for will not be done.
    fn on_order_lost(&mut self, order: Order) {
        if let Order::Inject(brief) = order {
            brief.tasks().for_each(|task| self.ledger.withdraw(task));
        }
    }

    /// All that an earlier order asked for is no longer to be done.
    fn withdraw(&mut self, first: TaskId) {
        let asks_for = |spec: &&OrderSpec| matches!(spec.order, Order::Inject(brief) if brief.task.id == first);
        if let Some(OrderSpec { order: Order::Inject(brief), .. }) = self.mission.orders.iter().find(asks_for) {
            brief.tasks().for_each(|task| self.ledger.withdraw(task));
        }
    }

    #[inline(never)]
    fn on_appearance(&mut self, task: TaskId) {
        let spec = &self.mission.tasks[task.index()];
        let SeenBy::One(seer) = spec.seen_by else { return self.tell_able(task) };
        if let Life::Hanging { until } = self.conditions[seer.index()].life {
            return self.queue.push(until.as_micros(), Pending::new(task.0, What::Appearance));
        }
        if spec.place.is_none() {
            self.ledger.set_place(task, self.bodies[seer.index()].place(self.now));
        }
        self.see(seer, task);
    }

    /// Every robot that can do it sees the task; one that is down or hangs will when it is up again.
    fn tell_able(&mut self, task: TaskId) {
        for robot in (0..self.machines.len() as u32).map(RobotId) {
            if self.is_able(robot, task) {
                self.see(robot, task);
            }
        }
    }

    fn is_able(&self, robot: RobotId, task: TaskId) -> bool {
        self.mission.labour.as_ref().is_some_and(|labour| labour.time(task, robot).is_some())
    }

    /// A task is done: whoever did it knows, everybody else who could have done it sees that it is gone.
    #[inline(never)]
    fn on_completion(&mut self, task: TaskId, version: u32) {
        let Some(works) = &mut self.works else { return };
        let by = works.complete(task, version, self.now);
        let Some(&first) = by.first() else { return };
        for robot in &by {
            self.let_go(*robot);
        }
        self.ledger.complete(task, first, self.now);
        if self.mission.tasks[task.index()].recurs {
            for robot in by {
                self.tell_done(robot, task);
            }
            // It needs doing again, and may be elsewhere now.
            return self.tell_able(task);
        }
        self.unlock(task);
        for robot in (0..self.machines.len() as u32).map(RobotId) {
            if by.contains(&robot) {
                self.tell_done(robot, task);
            } else if self.conditions[robot.index()].life == Life::Up && self.is_able(robot, task) {
                self.input(robot, Input::Perceived(Percept::TaskGone(task)));
            }
        }
    }

    /// A robot has done a task; one that hangs notices when it does no longer.
    fn tell_done(&mut self, robot: RobotId, task: TaskId) {
        match self.conditions[robot.index()].life {
            Life::Up => self.input(robot, Input::Perceived(Percept::Done(task))),
            Life::Hanging { .. } => self.sides[robot.index()].done = Some(task),
            Life::Down | Life::Dead => {}
        }
    }

    /// Tasks that waited for this one come up, if it was the last that they waited for.
    fn unlock(&mut self, task: TaskId) {
        for (index, spec) in self.mission.tasks.iter().enumerate().filter(|(_, spec)| spec.after.contains(&task)) {
            let done = |before: &TaskId| self.ledger.record(*before).is_some_and(|record| record.served.is_some());
            if spec.after.iter().all(done) {
                let at = spec.at.max(self.now);
                self.queue.push(at.as_micros(), Pending::new(index as u32, What::Appearance));
            }
        }
    }

    fn see(&mut self, robot: RobotId, task: TaskId) {
        self.ledger.see(task, self.now, robot);
        if self.conditions[robot.index()].life == Life::Up
            && let Some(record) = self.ledger.record(task)
        {
            let task = record.task;
            self.input(robot, Input::Perceived(Percept::TaskSeen(task)));
        }
    }
}
