//! The radio: what is lost, late, doubled, jammed, out of range.
//!
//! A transmission is one event, however many hear it. What concerns the transmission as a whole is drawn
//! when it is sent (loss per transmission, latency, doubling); what depends on the receiver is asked when
//! it is delivered (range, jamming, partitions, loss per receiver). Each robot's transmitter has a stream
//! of its own, made on first use: a radio without chance draws nothing.

use std::collections::{BTreeMap, BTreeSet};

use muster_core::event::Happening;
use muster_core::rng::{Purpose, Stream};
use muster_core::{Body, Duration, Point, RobotId, Time};

/// The properties of a radio.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Radio {
    /// Probability that a message is lost.
    pub loss: f64,
    /// Whether it is lost for everybody at once or for each receiver on its own.
    pub loss_per: LossPer,
    /// Loss that comes in bursts, on top of `loss`.
    pub bursts: Option<Bursts>,
    /// How far it carries; everywhere if `None`.
    pub range_m: Option<f64>,
    /// From transmission to delivery.
    pub latency: Duration,
    /// Up to this much more, uniformly; with enough of it messages overtake each other.
    pub jitter: Duration,
    /// Probability that a message is delivered a second time, up to `straggle` later.
    pub duplication: f64,
    /// Probability that a message is held back by up to `straggle`, so that later ones overtake it.
    pub reordering: f64,
    /// How late doubled and overtaken messages come at most.
    pub straggle: Duration,
    /// When and where nothing gets through.
    pub jams: Vec<Jam>,
    /// When the team is split into parts that cannot hear each other.
    pub partitions: Vec<Partition>,
    /// When only some pairs hear each other.
    pub topologies: Vec<Topology>,
}

/// What one draw of loss decides.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum LossPer {
    /// The transmission: a lost broadcast is lost for everybody.
    #[default]
    Transmission,
    /// The reception: each receiver misses it on its own.
    Receiver,
}

/// Burst loss after Gilbert and Elliott, in continuous time: each transmitter is in a good or a bad spell.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Bursts {
    /// Mean length of a good spell in seconds.
    pub good_s: f64,
    /// Mean length of a bad spell in seconds.
    pub bad_s: f64,
    /// Probability that a message is lost in a bad spell.
    pub loss: f64,
}

/// An interval, from the first instant up to but not including the last.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first instant that lies in it.
    pub from: Time,
    /// The first instant after it.
    pub to: Time,
}

impl Span {
    /// `now` lies in it.
    pub fn holds(&self, now: Time) -> bool {
        self.from <= now && now < self.to
    }
}

/// Nothing gets through to robots within a disc, or to anybody.
#[derive(Clone, Debug, PartialEq)]
pub struct Jam {
    /// While it lasts, nothing gets through.
    pub when: Span,
    /// Centre and radius in metres; everywhere if `None`.
    pub disc: Option<(Point, f64)>,
}

/// The team is split.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// While it lasts, parts do not hear each other.
    pub when: Span,
    /// The part of each robot, by number.
    pub part_of: Vec<u32>,
}

/// Only some pairs of robots hear each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// While it lasts, only these pairs hear each other.
    pub when: Span,
    /// Whom each robot hears and is heard by: spans of numbers, from the first up to and including the last, in order and
    /// apart from each other. A group is one span, however many robots it has, so a group that hears itself takes no more
    /// room than its robots.
    neighbours: Vec<Vec<(u32, u32)>>,
}

impl Topology {
    /// Nobody of a team hears anybody.
    pub fn new(when: Span, team: usize) -> Self {
        Self { when, neighbours: vec![Vec::new(); team] }
    }

    /// From now on each of these hears each of those, and the other way round.
    pub fn link(&mut self, these: &[RobotId], those: &[RobotId]) {
        let (to_these, to_those) = (spans(these), spans(those));
        for robot in these {
            self.add(*robot, &to_those);
        }
        for robot in those {
            self.add(*robot, &to_these);
        }
    }

    fn add(&mut self, robot: RobotId, heard: &[(u32, u32)]) {
        let Some(known) = self.neighbours.get_mut(robot.index()) else { return };
        for &(first, last) in heard {
            // Those that overlap the new one or touch it become one with it.
            let from = known.partition_point(|&(_, end)| end.saturating_add(1) < first);
            let to = known.partition_point(|&(begin, _)| begin <= last.saturating_add(1));
            let merged = known[from..to].iter().fold((first, last), |(a, b), &(c, d)| (a.min(c), b.max(d)));
            known.splice(from..to, [merged]);
        }
    }

    /// Whether one robot hears another.
    pub fn carries(&self, from: RobotId, to: RobotId) -> bool {
        let known = self.neighbours.get(from.index()).map_or(&[][..], Vec::as_slice);
        let next = known.partition_point(|&(_, last)| last < to.0);
        known.get(next).is_some_and(|&(first, _)| first <= to.0)
    }
}

/// Robots as spans of numbers, in order and apart from each other.
fn spans(robots: &[RobotId]) -> Vec<(u32, u32)> {
    let mut numbers: Vec<u32> = robots.iter().map(|robot| robot.0).collect();
    numbers.sort_unstable();
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match spans.last_mut() {
            Some((_, last)) if number <= last.saturating_add(1) => *last = number,
            _ => spans.push((number, number)),
        }
    }
    spans
}

/// What somebody does to the radio while a run goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Disturbance {
    /// Nothing gets through to robots in a disc (centre and radius in metres), or to anybody.
    Jam(Option<(Point, f64)>),
    /// The robots of the one list, which are in order, and those of the other do not hear each other.
    Cut(Vec<RobotId>, Vec<RobotId>),
    /// The team is split: the part of each robot, by number.
    Partition(Vec<u32>),
}

/// A receiver is jammed, in a disc or anywhere. Its place is computed only if it matters.
fn is_jammed(disc: Option<(Point, f64)>, now: Time, to: &Body) -> bool {
    disc.is_none_or(|(centre, radius)| to.place(now).distance(centre) <= radius)
}

/// Two robots are in different parts.
fn are_parted(part_of: &[u32], from: &Body, to: &Body) -> bool {
    part_of.get(from.id.index()) != part_of.get(to.id.index())
}

/// One jammed disc, or everywhere, lies in another.
fn is_disc_within(inner: Option<(Point, f64)>, outer: Option<(Point, f64)>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((a, small)), Some((b, large))) => a.distance(b) + small <= large,
    }
}

/// There is more than one part.
fn is_split(part_of: &[u32]) -> bool {
    part_of.windows(2).any(|pair| pair[0] != pair[1])
}

/// Robots that one split parts are parted by another, too: each part of that lies in one part of this.
fn is_split_within(coarse: &[u32], fine: &[u32]) -> bool {
    let mut lies_in = BTreeMap::new();
    coarse.iter().zip(fine).all(|(coarse, fine)| lies_in.entry(fine).or_insert(coarse) == &coarse)
}

impl Disturbance {
    /// The robots that it names. Those of a team that are in no part of a split are in part 0.
    pub fn named(&self) -> Vec<RobotId> {
        match self {
            Self::Jam(_) => Vec::new(),
            Self::Cut(one, other) => one.iter().chain(other).copied().collect(),
            Self::Partition(part_of) => {
                (0..).map(RobotId).zip(part_of).filter(|(_, part)| **part != 0).map(|(robot, _)| robot).collect()
            }
        }
    }

    /// Whatever it keeps from getting through, `other` does as well. Disturbances of different kinds are not compared.
    pub fn is_within(&self, other: &Self) -> bool {
        let among = |these: &[RobotId], those: &[RobotId]| these.iter().all(|it| those.binary_search(it).is_ok());
        match (self, other) {
            (Self::Jam(inner), Self::Jam(outer)) => is_disc_within(*inner, *outer),
            (Self::Cut(a, b), Self::Cut(c, d)) => among(a, c) && among(b, d) || among(a, d) && among(b, c),
            (Self::Partition(coarse), Self::Partition(fine)) => is_split_within(coarse, fine),
            (Self::Jam(_), Self::Cut(..) | Self::Partition(_))
            | (Self::Cut(..), Self::Jam(_) | Self::Partition(_))
            | (Self::Partition(_), Self::Jam(_) | Self::Cut(..)) => false,
        }
    }

    /// Its end is no news while `other` lasts: that keeps as much from getting through, or the team is still split.
    pub fn goes_on_with(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Partition(_), Self::Partition(_))) || self.is_within(other)
    }

    /// It keeps nothing from getting through: everybody is in one part.
    pub fn is_nothing(&self) -> bool {
        match self {
            Self::Partition(part_of) => !is_split(part_of),
            Self::Jam(_) | Self::Cut(..) => false,
        }
    }

    /// What is told when it begins by itself. Nobody but somebody who intervenes cuts robots off from each other, and that is
    /// told already.
    pub fn begins(&self) -> Option<Happening> {
        match self {
            Self::Jam(disc) => Some(Happening::Jammed { disc: *disc }),
            Self::Partition(part_of) => {
                let parts: BTreeSet<u32> = part_of.iter().copied().collect();
                Some(Happening::Parted { parts: parts.len() as u32 })
            }
            Self::Cut(..) => None,
        }
    }

    /// What is told when it ends.
    pub fn is_over(&self) -> Happening {
        match self {
            Self::Jam(disc) => Happening::JamOver { disc: *disc },
            Self::Cut(one, other) => {
                let first = one.first().copied().unwrap_or(RobotId::NOBODY);
                // A group that is cut off from itself: another of its robots.
                let second = other.iter().chain(one).copied().find(|robot| *robot != first).unwrap_or(first);
                let all: BTreeSet<RobotId> = one.iter().chain(other).copied().collect();
                Happening::CutOver { between: (first, second), more: all.len().saturating_sub(2) as u32 }
            }
            Self::Partition(_) => Happening::Rejoined,
        }
    }

    fn lets_through(&self, now: Time, from: &Body, to: &Body) -> bool {
        match self {
            Self::Jam(disc) => !is_jammed(*disc, now, to),
            Self::Cut(one, other) => {
                let of = |side: &[RobotId], robot: RobotId| side.binary_search(&robot).is_ok();
                !(of(one, from.id) && of(other, to.id) || of(other, from.id) && of(one, to.id))
            }
            Self::Partition(part_of) => !are_parted(part_of, from, to),
        }
    }
}

/// What disturbs the radio of a run, and for how long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interference(Vec<(Span, Disturbance)>);

impl Interference {
    /// One more, from `now` on. What is over is forgotten.
    pub fn add(&mut self, what: Disturbance, now: Time, until: Time) {
        self.0.retain(|(when, _)| when.to > now);
        self.0.push((Span { from: now, to: until }, what));
    }

    /// Everything that `what` keeps from getting through until then is kept already, and for as long.
    pub fn covers(&self, what: &Disturbance, now: Time, until: Time) -> bool {
        self.lasting(now).any(|(when, other)| when.to >= until && what.is_within(other))
    }

    /// What still disturbs the radio.
    fn lasting(&self, now: Time) -> impl Iterator<Item = &(Span, Disturbance)> {
        self.0.iter().filter(move |(when, _)| when.holds(now))
    }

    /// Something lasts that makes the end of `ended` no news.
    pub fn goes_on(&self, ended: &Disturbance, now: Time) -> bool {
        self.lasting(now).any(|(_, other)| ended.goes_on_with(other))
    }

    /// A transmission gets from one robot to the other, as far as this goes.
    pub fn lets_through(&self, now: Time, from: &Body, to: &Body) -> bool {
        self.0.iter().all(|(when, what)| !when.holds(now) || what.lets_through(now, from, to))
    }
}

impl Radio {
    /// What disturbs it for a time by the mission: all of it, or what does at `now`.
    pub fn disturbances(&self, now: Option<Time>) -> impl Iterator<Item = (Span, Disturbance)> {
        let counts = move |when: Span| now.is_none_or(|now| when.holds(now));
        let jams = self.jams.iter().filter(move |jam| counts(jam.when));
        let splits = self.partitions.iter().filter(move |it| counts(it.when) && is_split(&it.part_of));
        jams.map(|jam| (jam.when, Disturbance::Jam(jam.disc)))
            .chain(splits.map(|it| (it.when, Disturbance::Partition(it.part_of.clone()))))
    }

    /// Whether the way to a receiver needs to be looked at at all.
    pub fn same_for_all(&self) -> bool {
        self.range_m.is_none()
            && self.jams.is_empty()
            && self.partitions.is_empty()
            && self.topologies.is_empty()
            && (self.loss_per == LossPer::Transmission || !self.is_lossy())
    }

    /// Something may be lost by chance.
    #[inline]
    fn is_lossy(&self) -> bool {
        self.loss > 0.0 || self.bursts.is_some()
    }

    /// Neither jammed nor out of range nor in another part. Places are computed only if they matter.
    pub fn carries(&self, now: Time, from: &Body, to: &Body) -> bool {
        let jammed = self.jams.iter().any(|jam| jam.when.holds(now) && is_jammed(jam.disc, now, to));
        let split = self.partitions.iter().any(|it| it.when.holds(now) && are_parted(&it.part_of, from, to));
        let apart =
            self.topologies.iter().any(|topology| topology.when.holds(now) && !topology.carries(from.id, to.id));
        !jammed && !split && !apart && self.range_m.is_none_or(|range| from.place(now).distance(to.place(now)) <= range)
    }
}

/// What became of a transmission when it left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nobody will hear it.
    Lost,
    /// It will be delivered at `at`, and once more at `again`.
    Sent {
        /// The instant of delivery.
        at: Time,
        /// When a second time, if it was doubled.
        again: Option<Time>,
    },
}

/// The transmitters of one run.
#[derive(Clone, Debug)]
pub struct Ether {
    seed: u64,
    /// In the order in which they were first used: few of a large team ever transmit.
    transmitters: Vec<Transmitter>,
    /// Which of them is whose, by robot; `NONE_YET` until one is used.
    whose: Vec<u32>,
}

const NONE_YET: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Transmitter {
    stream: Stream,
    /// In a bad spell, and when that was last found out; `None` before the first transmission.
    spell: Option<(bool, Time)>,
}

impl Ether {
    /// The transmitters of `team` robots.
    pub fn new(seed: u64, team: usize) -> Self {
        Self { seed, transmitters: Vec::new(), whose: vec![NONE_YET; team] }
    }

    #[inline]
    fn transmitter(&mut self, robot: RobotId) -> &mut Transmitter {
        let mut slot = self.whose[robot.index()];
        if slot == NONE_YET {
            slot = self.switch_on(robot);
        }
        &mut self.transmitters[slot as usize]
    }

    #[inline(never)]
    fn switch_on(&mut self, robot: RobotId) -> u32 {
        let slot = self.transmitters.len() as u32;
        if slot == 0 {
            self.transmitters.reserve(self.whose.len().min(16));
        }
        self.whose[robot.index()] = slot;
        self.transmitters.push(Transmitter { stream: Stream::new(self.seed, Purpose::Radio, robot), spell: None });
        slot
    }

    /// Draws the fate of a transmission.
    #[inline]
    pub fn transmit(&mut self, radio: &Radio, from: RobotId, now: Time) -> Fate {
        let at = now + radio.latency;
        if radio.loss_per == LossPer::Transmission && radio.is_lossy() && self.draw(radio, from, now) {
            return Fate::Lost;
        }
        if radio.jitter == Duration::ZERO && radio.duplication <= 0.0 && radio.reordering <= 0.0 {
            return Fate::Sent { at, again: None };
        }
        let stream = &mut self.transmitter(from).stream;
        let mut up_to = |most: Duration| most.stretched(stream.uniform());
        let jittered = at + up_to(radio.jitter);
        let (held_back, doubled) = (up_to(radio.straggle), up_to(radio.straggle));
        let at = if stream.chance(radio.reordering) { jittered + held_back } else { jittered };
        let again = stream.chance(radio.duplication).then(|| at + doubled);
        Fate::Sent { at, again }
    }

    /// One draw of loss for a message of `from`.
    #[inline]
    pub fn loses(&mut self, radio: &Radio, from: RobotId, now: Time) -> bool {
        radio.is_lossy() && self.draw(radio, from, now)
    }

    // Asked for by two others, so the compiler would rather call it: a run at 25 % loss draws some 300 times.
    #[inline(always)]
    fn draw(&mut self, radio: &Radio, from: RobotId, now: Time) -> bool {
        let transmitter = self.transmitter(from);
        if let Some(bursts) = &radio.bursts
            && transmitter.loses_in_bad_spell(bursts, now)
        {
            return true;
        }
        transmitter.stream.chance(radio.loss)
    }
}

impl Transmitter {
    /// The chain is looked at only when something is sent: its state after any time has a closed form.
    #[inline(never)]
    fn loses_in_bad_spell(&mut self, bursts: &Bursts, now: Time) -> bool {
        let share_bad = bursts.bad_s / (bursts.good_s + bursts.bad_s);
        let p_bad = match self.spell {
            None => share_bad,
            Some((bad, seen)) => {
                let rate = 1.0 / bursts.good_s + 1.0 / bursts.bad_s;
                let memory = libm::exp(-rate * now.since(seen).as_secs_f64());
                share_bad + (f64::from(u8::from(bad)) - share_bad) * memory
            }
        };
        let bad = self.stream.chance(p_bad);
        self.spell = Some((bad, now));
        bad && self.stream.chance(bursts.loss)
    }
}

#[cfg(test)]
mod tests {
    use muster_core::Percepts;
    use muster_core::motion::Motion;

    use super::*;

    const FROM: RobotId = RobotId(0);

    fn share_lost(radio: &Radio, gap: Duration) -> f64 {
        let mut ether = Ether::new(1, 1);
        let mut now = Time::ZERO;
        let lost = (0..100_000).filter(|_| {
            now += gap;
            ether.transmit(radio, FROM, now) == Fate::Lost
        });
        lost.count() as f64 / 100_000.0
    }

    #[test]
    fn loss_is_as_configured() {
        let radio = Radio { loss: 0.25, ..Radio::default() };
        assert!((share_lost(&radio, Duration::from_secs(1)) - 0.25).abs() < 0.01);
    }

    /// A bad spell of 2 s in 10 s loses everything: a fifth is lost, in runs, not scattered.
    #[test]
    fn bursts_have_their_share_and_come_in_runs() {
        let bursts = Bursts { good_s: 8.0, bad_s: 2.0, loss: 1.0 };
        let radio = Radio { bursts: Some(bursts), ..Radio::default() };
        let gap = Duration::from_millis(100);
        assert!((share_lost(&radio, gap) - 0.2).abs() < 0.02);

        let mut ether = Ether::new(1, 1);
        let mut now = Time::ZERO;
        let fates: Vec<bool> = (0..100_000)
            .map(|_| {
                now += gap;
                ether.loses(&radio, FROM, now)
            })
            .collect();
        let after_loss = fates.windows(2).filter(|pair| pair[0]);
        let again = after_loss.clone().filter(|pair| pair[1]).count() as f64 / after_loss.count() as f64;
        // exp(-0.1 s / 1.6 s) of the memory is left: 0.2 + 0.8 * 0.939.
        assert!((again - 0.951).abs() < 0.01, "{again}");
    }

    #[test]
    fn a_radio_without_chance_draws_nothing() {
        let mut ether = Ether::new(1, 1);
        let radio = Radio { latency: Duration::from_millis(50), ..Radio::default() };
        let sent = ether.transmit(&radio, FROM, Time::ZERO);
        assert_eq!(sent, Fate::Sent { at: Time::from_micros(50_000), again: None });
        assert!(ether.transmitters.is_empty());
    }

    #[test]
    fn doubled_and_overtaken_messages_straggle() {
        let straggle = Duration::from_secs(2);
        let radio = Radio { duplication: 0.5, reordering: 0.5, straggle, ..Radio::default() };
        let mut ether = Ether::new(1, 1);
        let fates: Vec<Fate> = (0..1_000).map(|_| ether.transmit(&radio, FROM, Time::ZERO)).collect();
        let doubled = fates.iter().filter(|fate| matches!(fate, Fate::Sent { again: Some(_), .. })).count();
        let late = fates.iter().filter(|fate| matches!(fate, Fate::Sent { at, .. } if *at > Time::ZERO)).count();
        assert!(doubled.abs_diff(500) < 80 && late.abs_diff(500) < 80, "{doubled} {late}");
    }

    /// Against a list of pairs, whatever is linked.
    #[test]
    fn links_are_those_that_were_named() {
        let mut stream = Stream::new(7, Purpose::Radio, FROM);
        let mut below = |most: f64| (stream.uniform() * most) as u32;
        for _ in 0..200 {
            let mut topology = Topology::new(Span { from: Time::ZERO, to: Time::NEVER }, 12);
            let mut pairs = std::collections::BTreeSet::new();
            for _ in 0..below(6.0) {
                let mut some = || -> Vec<RobotId> { (0..=below(5.0)).map(|_| RobotId(below(12.0))).collect() };
                let (these, those) = (some(), some());
                topology.link(&these, &those);
                for (a, b) in these.iter().flat_map(|a| those.iter().map(move |b| (*a, *b))) {
                    pairs.extend([(a, b), (b, a)]);
                }
            }
            for (a, b) in (0..12).flat_map(|a| (0..12).map(move |b| (RobotId(a), RobotId(b)))) {
                assert_eq!(topology.carries(a, b), pairs.contains(&(a, b)), "{a} to {b} of {pairs:?}");
            }
        }
    }

    /// A group that hears itself takes room for its robots, not for its pairs.
    #[test]
    fn a_large_group_is_linked_with_itself() {
        let all: Vec<RobotId> = (0..100_000).map(RobotId).collect();
        let mut topology = Topology::new(Span { from: Time::ZERO, to: Time::NEVER }, all.len());
        topology.link(&all, &all);
        assert!(topology.carries(RobotId(0), RobotId(99_999)) && !topology.carries(RobotId(0), RobotId(100_000)));
        assert_eq!(topology.neighbours.iter().map(Vec::len).sum::<usize>(), all.len());
    }

    #[test]
    fn range_jams_and_partitions_cut_the_way() {
        let body =
            |id, x| Body { id, percepts: Percepts::NONE, speed_mps: 1.0, motion: Motion::still(Point::new(x, 0.0)) };
        let (near, far) = (RobotId(1), RobotId(2));
        let second = |s| Time::ZERO + Duration::from_secs(s);
        let span = |from, to| Span { from: second(from), to: second(to) };
        let check = |radio: &Radio, now, to, x, expected| {
            assert_eq!(radio.carries(second(now), &body(FROM, 0.0), &body(to, x)), expected, "{radio:?}");
        };

        let ranged = Radio { range_m: Some(10.0), ..Radio::default() };
        check(&ranged, 0, near, 10.0, true);
        check(&ranged, 0, far, 10.1, false);

        let jam = Jam { when: span(5, 6), disc: Some((Point::new(50.0, 0.0), 5.0)) };
        let jammed = Radio { jams: vec![jam], ..Radio::default() };
        check(&jammed, 5, near, 0.0, true);
        check(&jammed, 5, far, 50.0, false);
        check(&jammed, 6, far, 50.0, true);

        let split = Partition { when: span(5, 6), part_of: vec![0, 0, 1] };
        let parted = Radio { partitions: vec![split], ..Radio::default() };
        check(&parted, 5, near, 0.0, true);
        check(&parted, 5, far, 0.0, false);
    }
}
