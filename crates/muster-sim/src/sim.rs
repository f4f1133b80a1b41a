//! The driver: takes events in order, hands them to the machines, applies what they put out.
//!
//! The order of what happens at one instant is fixed and part of every published figure: faults first,
//! then recoveries, then deliveries (by sender), then what the world does (by robot), then timers (by robot, then
//! timer), then interventions; within these, first in, first out.

mod bodies;
mod faults;
mod flight;
mod happenings;
mod interventions;
mod letters;
mod observer;
mod orders;
mod supply;
mod tasks;

use happenings::Expected;
pub use interventions::Refused;
use letters::{Letter, Letters};
pub use observer::{AnyObserver, Observer, View};

use muster_core::motion::Motion;
use muster_core::timer::{Due, TimerTable};
use muster_core::{
    Body, Context, Dice, Duration, Input, Mechanism, Note, Output, Point, Recipient, RobotId, Task, TaskId, Time,
};

use crate::errand::Scan;
use crate::fault::Fault;
use crate::labour::Works;
use crate::ledger::Ledger;
use crate::mission::{Mission, OrderSpec, Seeds, SeenBy, TaskSpec};
use crate::nearby::Nearby;
use crate::origin::Origin;
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

/// One run of a mission. Cloned between two events, it goes on twice in exactly the same way: a moment that can be kept.
#[derive(Clone)]
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
    /// What will become of the radio, in the order in which it was found out.
    happenings: Vec<Expected>,
    same_for_all: bool,
    /// It is over when nothing is left to be done, although nothing was done: what was asked for was called off.
    ends_when_called_off: bool,
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
    /// Robots can be told of changes to what they were told before.
    hears_changes: bool,
    /// What operators have said.
    spoken: orders::Spoken,
    /// With interventions only.
    acts: Option<Box<interventions::Acts>>,
    outputs: Vec<Output<M>>,
    notes: Option<Vec<Note>>,
    dice: Dice,
    observer: O,
}

/// Cold state of one robot, kept apart from the columns that every event reads.
#[derive(Clone)]
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
    /// It is on its way to its base.
    landing: bool,
    /// Its time in the air, if that counts.
    sortie: Option<Box<supply::Sortie>>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Condition {
    life: Life,
    /// Counts outages, so that the end of one that another cut short means nothing.
    outage: u32,
    deaf_until: Time,
    mute_until: Time,
    /// Its radio is down, and it knows; kept until it is told that it works again.
    offline: bool,
}

impl Condition {
    fn is_up(&self) -> bool {
        !matches!(self.life, Life::Down | Life::Dead)
    }

    fn attends(&self) -> bool {
        self.life == Life::Up
    }

    fn is_dead(&self) -> bool {
        self.life == Life::Dead
    }
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
    RunsOut {
        sortie: u32,
    },
    Reloaded {
        trip: u32,
    },
    Timer(T),
    Intervention,
    Happening,
    /// Everything is done, and has been for long enough: nothing comes of it but that the clock stands there.
    Lingered,
}

impl<T> Pending<T> {
    /// `about`: the robot, or the number of the fault, happening, task, order or intervention.
    #[inline]
    fn new(about: u32, what: What<T>) -> Self {
        let class: u64 = match what {
            What::Fault | What::Happening | What::RunsOut { .. } => 0,
            What::Recovery { .. } | What::LinkUp => 1,
            What::Delivery { .. } => 2,
            What::Appearance | What::Completion { .. } | What::Order | What::Lapse => 3,
            What::Driven { .. } | What::Rested { .. } | What::Reloaded { .. } => 4,
            What::Timer(_) => 5,
            What::Intervention | What::Lingered => 6,
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
    /// The run from `origin`, about to begin. `machine` makes each robot's mechanism, as [`staff`] hands it over.
    ///
    /// [`staff`]: crate::scheme::staff
    pub fn of(origin: &'m Origin, machine: impl FnMut(RobotId) -> M, observer: O) -> Self {
        let mut sim = Self::new(origin.mission(), origin.seeds, machine, observer);
        sim.hears_changes = origin.scheme.hears_changes();
        sim.expect_interventions(&origin.interventions);
        sim
    }

    /// A run of `mission` from `seeds`, about to begin. `machine` makes each robot's mechanism.
    pub fn new(mission: &'m Mission, seeds: impl Into<Seeds>, machine: impl FnMut(RobotId) -> M, observer: O) -> Self {
        let machines = (0..mission.robots.len() as u32).map(RobotId).map(machine).collect();
        Self::with_machines(mission, seeds.into(), machines, observer)
    }

    /// The same with these machines. Apart, so that it is compiled once and not for every way of making machines.
    fn with_machines(mission: &'m Mission, seeds: Seeds, machines: Vec<M>, observer: O) -> Self {
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
        let mut ledger = Ledger::new(mission.task_count(), mission.crossing_m);
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
                landing: false,
                sortie: None,
            })
            .collect();
        let mut sim = Self {
            mission,
            now: Time::ZERO,
            queue: Queue::with_capacity(2 * team),
            machines,
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
            happenings: Vec::new(),
            same_for_all: mission.radio.same_for_all(),
            ends_when_called_off: !mission.orders.is_empty(),
            ether: Ether::new(seed, team),
            letters: Letters::with_capacity(team),
            traffic: Traffic::default(),
            ledger,
            works: mission.labour.as_ref().map(|labour| Box::new(Works::new(labour, team, seed))),
            pushed: mission.pushed.as_ref().map(|spec| Box::new(PushedBox::new(spec))),
            hears_changes: true,
            spoken: orders::Spoken::default(),
            acts: None,
            outputs: Vec::with_capacity(8),
            notes: None,
            dice: Dice::new(seed),
            observer,
        };
        for &fault in &mission.faults {
            sim.faults.push(fault);
            sim.queue.push(fault.at.as_micros(), Pending::new(sim.faults.len() as u32 - 1, What::Fault));
        }
        sim.expect_happenings();
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
            self.launch(robot);
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
        (self.ledger.all_served() || self.ends_when_called_off && self.is_called_off())
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
            return self.break_down(fault);
        }
        self.faults.push(fault);
        self.queue.push(fault.at.as_micros(), Pending::new(self.faults.len() as u32 - 1, What::Fault));
    }

    /// Every robot that is up has nothing to do for others and asks for nothing, as `quiet` sees it.
    pub fn all_up(&self, quiet: impl Fn(&M) -> bool) -> bool {
        self.machines.iter().zip(&self.conditions).all(|(machine, condition)| !condition.is_up() || quiet(machine))
    }

    /// The robot's computer runs, or at least hangs: it is not down.
    pub fn is_up(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].is_up()
    }

    /// The robot's computer runs and does not hang.
    pub fn attends(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].attends()
    }

    /// The robot has stopped for good.
    pub fn is_dead(&self, robot: RobotId) -> bool {
        self.conditions[robot.index()].is_dead()
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

    /// What an observer sees of the team at this moment.
    pub fn view(&self) -> View<'_, M> {
        View {
            now: self.now,
            machines: &self.machines,
            bodies: &self.bodies,
            ledger: &self.ledger,
            conditions: &self.conditions,
            sides: &self.sides,
        }
    }

    /// The observer, with all that it has gathered.
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
            What::RunsOut { sortie } => self.run_out(robot, sortie),
            What::Reloaded { trip } => self.on_reloaded(robot, trip),
            What::Lingered => {}
            What::Appearance => self.on_appearance(TaskId(about)),
            What::Order => self.on_order(about),
            What::Lapse => self.on_lapse(TaskId(about)),
            What::LinkUp => self.on_link_up(robot),
            What::Completion { version } => self.on_completion(TaskId(about), version),
            What::Fault => self.break_down(self.faults[about as usize]),
            What::Happening => self.on_happening(about),
            What::Recovery { outage, memory, waited } => self.recover(robot, outage, memory, waited),
            What::Intervention => self.on_intervention(about),
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
        let (sender, receiver) = (&self.bodies[from.index()], &self.bodies[robot.index()]);
        if !radio.carries(now, sender, receiver) {
            return false;
        }
        if let Some(acts) = &self.acts
            && !acts.interference.lets_through(now, sender, receiver)
        {
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
                Due::RequeueAndFire(at, other) => {
                    self.queue.push(at.as_micros(), Pending::new(robot.0, What::Timer(timer)));
                    self.input(robot, Input::Fired(other));
                }
                Due::Nothing => {}
            },
        }
    }
}
