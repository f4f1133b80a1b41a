//! A few robots on a radio that does as it is told.

use std::collections::{BTreeMap, BTreeSet};

use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, Event, Order, Output, Recipient, RobotId, Time};

use super::{Dice, Given, Harnessed, Robot, at};

/// A transmission.
#[derive(Clone, Debug)]
pub struct Sent<Message> {
    pub at: Time,
    pub from: RobotId,
    pub to: Recipient,
    pub message: Message,
}

/// What gets lost: messages of a kind, from and to whom, how many more.
#[derive(Clone, Debug)]
struct Loss {
    kind: &'static str,
    from: Option<RobotId>,
    to: Option<RobotId>,
    left: u32,
}

enum Pending<M: Harnessed> {
    Given(Given<M>),
    Happening(M::Happening),
}

/// A few robots, their radio and their world.
pub struct Team<M: Harnessed> {
    pub robots: BTreeMap<RobotId, Robot<M>>,
    pub world: M::World,
    /// Every transmission.
    pub log: Vec<Sent<M::Message>>,
    /// Deliveries lost at random.
    pub loss: f64,
    pub now: Time,
    radio: Stream,
    /// What will happen to whom, and in which of its lives.
    pending: BTreeMap<(Time, u64), (RobotId, u32, Pending<M>)>,
    sequence: u64,
    /// Who is not heard by whom.
    cuts: BTreeSet<(RobotId, RobotId)>,
    lost: Vec<Loss>,
    dead: BTreeSet<RobotId>,
    lives: BTreeMap<RobotId, u32>,
}

impl<M: Harnessed> Team<M> {
    /// On a radio that loses nothing.
    pub fn new(robots: impl IntoIterator<Item = Robot<M>>) -> Self {
        Self {
            robots: robots.into_iter().map(|robot| (robot.id(), robot)).collect(),
            world: M::World::default(),
            log: Vec::new(),
            loss: 0.0,
            now: Time::ZERO,
            radio: Stream::of_run(1, Purpose::Radio),
            pending: BTreeMap::new(),
            sequence: 0,
            cuts: BTreeSet::new(),
            lost: Vec::new(),
            dead: BTreeSet::new(),
            lives: BTreeMap::new(),
        }
    }

    /// Whatever is left to chance, and the radio, by this seed.
    pub fn seeded(mut self, seed: u64) -> Self {
        for (&id, robot) in &mut self.robots {
            robot.dice = Dice::seeded(seed, id);
        }
        self.radio = Stream::of_run(seed, Purpose::Radio);
        self
    }

    pub fn now_s(&self) -> f64 {
        self.now.as_secs_f64()
    }

    #[track_caller]
    pub fn robot_mut(&mut self, id: RobotId) -> &mut Robot<M> {
        self.robots.get_mut(&id).expect("a robot of this team")
    }

    pub fn others(&self, than: &[RobotId]) -> Vec<RobotId> {
        self.robots.keys().copied().filter(|id| !than.contains(id)).collect()
    }

    pub fn alive(&self) -> impl Iterator<Item = &Robot<M>> {
        self.robots.values().filter(|robot| !self.dead.contains(&robot.id()))
    }

    pub fn order(&mut self, id: RobotId, order: Order) -> &mut Self {
        self.give(id, Given::Told(order));
        self
    }

    /// Gives `robot` something `after` from now.
    pub fn later(&mut self, after: Duration, robot: RobotId, given: Given<M>) {
        self.push(self.now + after, robot, Pending::Given(given));
    }

    /// This will happen to `robot` at that time.
    pub fn will_happen(&mut self, at: Time, robot: RobotId, happening: M::Happening) {
        self.push(at, robot, Pending::Happening(happening));
    }

    fn push(&mut self, at: Time, robot: RobotId, what: Pending<M>) {
        let life = self.life(robot);
        self.pending.insert((at, self.sequence), (robot, life, what));
        self.sequence += 1;
    }

    fn life(&self, robot: RobotId) -> u32 {
        self.lives.get(&robot).copied().unwrap_or(0)
    }

    // ---- The radio ----

    /// `a` and `b` cannot hear each other.
    pub fn cut(&mut self, a: RobotId, b: RobotId) -> &mut Self {
        self.cuts.extend([(a, b), (b, a)]);
        self
    }

    /// `one` hears nobody, though all hear it.
    pub fn deafen(&mut self, one: RobotId) -> &mut Self {
        let others = self.others(&[one]);
        self.cuts.extend(others.into_iter().map(|other| (other, one)));
        self
    }

    /// Nobody hears `one`, though it hears all.
    pub fn mute(&mut self, one: RobotId) -> &mut Self {
        let others = self.others(&[one]);
        self.cuts.extend(others.into_iter().map(|other| (one, other)));
        self
    }

    /// `one` and everybody else cannot hear each other.
    pub fn isolate(&mut self, one: RobotId) -> &mut Self {
        self.split(&[one])
    }

    /// These and all others cannot hear each other.
    pub fn split(&mut self, these: &[RobotId]) -> &mut Self {
        let others = self.others(these);
        for (&a, &b) in these.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            self.cut(a, b);
        }
        self
    }

    /// Only these pairs can hear each other.
    pub fn only(&mut self, pairs: &[(RobotId, RobotId)]) -> &mut Self {
        let all = self.others(&[]);
        self.cuts.clear();
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            if a != b && !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                self.cut(a, b);
            }
        }
        self
    }

    /// Everybody hears everybody again.
    pub fn heal(&mut self) -> &mut Self {
        self.cuts.clear();
        self
    }

    /// The next `count` deliveries of messages of this name are lost, whoever sends or should hear them.
    pub fn lose(&mut self, kind: &'static str, count: u32) -> &mut Self {
        self.lose_between(kind, None, None, count)
    }

    pub fn lose_between(
        &mut self,
        kind: &'static str,
        from: Option<RobotId>,
        to: Option<RobotId>,
        count: u32,
    ) -> &mut Self {
        self.lost.push(Loss { kind, from, to, left: count });
        self
    }

    /// All losses by name are over.
    pub fn lose_nothing(&mut self) -> &mut Self {
        self.lost.clear();
        self
    }

    fn transmit(&mut self, from: RobotId, to: Recipient, message: &M::Message) {
        self.log.push(Sent { at: self.now, from, to, message: message.clone() });
        let heard_by = match to {
            Recipient::Only(other) => self.robots.contains_key(&other).then_some(other).into_iter().collect(),
            _ => self.others(&[from]),
        };
        for other in heard_by {
            let fits = |loss: &&mut Loss| {
                let matches = |one: Option<RobotId>, other| one.is_none_or(|one| one == other);
                loss.left > 0 && loss.kind == M::name_of(message) && matches(loss.from, from) && matches(loss.to, other)
            };
            if let Some(loss) = self.lost.iter_mut().find(fits) {
                loss.left -= 1;
            } else if !self.cuts.contains(&(from, other)) && (self.loss == 0.0 || !self.radio.chance(self.loss)) {
                self.later(M::LATENCY, other, Given::HearsTo(from, to, message.clone()));
            }
        }
    }

    // ---- Lives ----

    /// It is gone for good, or until it restarts.
    pub fn kill(&mut self, id: RobotId) -> &mut Self {
        self.dead.insert(id);
        *self.lives.entry(id).or_default() += 1;
        self.robot_mut(id).timers.clear();
        self
    }

    pub fn restart(&mut self, id: RobotId, with_memory: bool) -> &mut Self {
        self.kill(id).dead.remove(&id);
        self.give(id, if with_memory { Given::Restarts } else { Given::Starts(None) });
        self
    }

    // ---- What happens ----

    /// One thing happens, not after `end`; deliveries of an instant before its timers.
    pub fn step(&mut self, end: Time) -> bool {
        let event = self.pending.first_key_value().map(|(&(at, _), _)| at);
        let timers =
            self.robots.iter().filter_map(|(&id, robot)| robot.next_timer().map(|(at, timer)| (at, id, timer)));
        let timer = timers.min();
        let next = event.into_iter().chain(timer.map(|(at, ..)| at)).min();
        let Some(next) = next.filter(|next| *next <= end) else { return false };
        self.now = next;
        match (event, timer) {
            (Some(at), _) if at == next => {
                let (_, (id, life, pending)) = self.pending.pop_first().expect("it was just looked at");
                if self.life(id) == life && !self.dead.contains(&id) {
                    match pending {
                        Pending::Given(given) => self.give(id, given),
                        Pending::Happening(happening) => M::happens(self, id, happening),
                    }
                }
            }
            (_, Some((_, id, timer))) => self.give(id, Given::Due(timer)),
            _ => {}
        }
        true
    }

    /// Lets what is pending happen until `end_s`. Bounded: nobody may talk without end.
    #[track_caller]
    pub fn run_until(&mut self, end_s: f64) -> &mut Self {
        let mut steps = 0;
        while self.step(at(end_s)) {
            steps += 1;
            assert!(steps < 400_000, "no end of talk at {}", self.now);
        }
        self.now = at(end_s);
        self
    }

    /// Lets what is pending happen for as long as this is so; `false` if it still is by `end_s`.
    pub fn run_while(&mut self, end_s: f64, go_on: impl Fn(&Self) -> bool) -> bool {
        while go_on(self) {
            if !self.step(at(end_s)) {
                return false;
            }
        }
        true
    }

    /// Gives a robot something now.
    pub fn give(&mut self, id: RobotId, given: Given<M>) {
        let now = self.now;
        let robot = self.robot_mut(id);
        robot.now = now;
        for output in robot.give(given) {
            match output {
                Output::Send { to, message } => self.transmit(id, to, &message),
                Output::Act(action) => M::acts(self, id, action),
                _ => {}
            }
        }
    }

    // ---- What has happened ----

    /// Every event of the team, with whose it was.
    pub fn events(&self) -> impl Iterator<Item = (RobotId, Event)> {
        self.robots.values().flat_map(|robot| robot.notes.iter().map(|note| (note.robot, note.event.clone())))
    }

    /// The names of the messages sent, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.log.iter().map(|sent| M::name_of(&sent.message)).collect()
    }

    /// The transmissions of a kind.
    pub fn sent(&self, kind: &str) -> impl Iterator<Item = &Sent<M::Message>> {
        self.log.iter().filter(move |sent| M::name_of(&sent.message) == kind)
    }

    /// How many there were.
    pub fn count(&self, kind: &str) -> usize {
        self.sent(kind).count()
    }
}
