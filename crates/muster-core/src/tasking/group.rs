//! What is to be done: a group of tasks that are coupled in time and heading, and how an order becomes one.
//!
//! An operator asks for something as a whole ([`Brief`]); the LEAD takes it apart by a [`Template`] [MacKenzie §4:
//! "decomposes the high-level bombing task into three executable tasks"]. Every phase is a task of its own from then
//! on: it has its own number, is held by its own vehicle and reported on by itself.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::assigner::most_apart;
use crate::robot::{Percepts, Point, RobotId};
use crate::task::{Brief, Kind, TaskId};
use crate::time::{Duration, Time};

/// So many phases fit one group: a set of them is a `u32`.
pub const MOST_PHASES: usize = 32;

/// A set of the phases of one group.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Phases(pub u32);

impl Phases {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// The first `count`.
    pub const fn first(count: usize) -> Self {
        Self(if count >= MOST_PHASES { u32::MAX } else { (1 << count) - 1 })
    }

    /// Only this one.
    pub const fn only(index: usize) -> Self {
        Self(1 << (index % MOST_PHASES))
    }

    /// This one is in it.
    pub const fn has(self, index: usize) -> bool {
        index < MOST_PHASES && self.0 & (1 << index) != 0
    }

    /// Nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The phases that are in either set.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this and not in the other.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The phases that are in both sets.
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// How many are in it.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Their indices, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_PHASES).filter(move |index| self.has(*index))
    }
}

/// An order, and the tasks that it was taken apart into.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// The console that asked. With the number of the first task this is the name of the order.
    pub user: RobotId,
    /// What was asked for, as a whole.
    pub brief: Brief,
    /// How often the order has been changed; an older version means nothing once a newer one is known.
    pub version: u32,
    /// The tasks; none before a LEAD has taken the order apart.
    pub members: Vec<Member>,
    /// What ties them together.
    pub couplings: Vec<Coupling>,
    /// They are done as they are tied together, or not at all.
    pub strict: bool,
}

/// One task of a group: a line of the paper's Figure 3 ([`Member::solicited`]).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Member {
    /// The kind of the task, which templates and preferences go by.
    pub kind: Kind,
    /// The target.
    pub place: Point,
    /// What a vehicle must be able to perceive to do it.
    pub needs: Percepts,
    /// How many loads it uses up, of those that a vehicle carries.
    pub loads: u16,
    /// A deed before then has grown old: the task is to be done, or done again, from then on. Zero: any deed counts.
    pub since: Time,
}

/// What a bid is to say its costs over: the flags of a solicitation. [P §4: "the cost functions should specify constraints
/// on performance time and travel corridors (the "tt" flags)"]
///
/// Ours are always both, so no byte of a solicitation is spent on them: every bid is a surface over times and headings,
/// also for a task that no coupling ties to a heading. Its costs differ by heading all the same, and the LEAD names one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Covers {
    /// When the vehicle is over the target.
    pub time: bool,
    /// On which heading it comes in, and so along which corridor.
    pub corridor: bool,
}

impl std::fmt::Display for Covers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let flag = |set: bool| if set { 't' } else { 'f' };
        write!(f, "{}{}", flag(self.time), flag(self.corridor))
    }
}

impl Member {
    /// What bids for it cover.
    pub const fn covers(&self) -> Covers {
        Covers { time: true, corridor: true }
    }

    /// Its line of a solicitation, as in the paper's Figure 3: `task[0] = VerifyTarget tt 0 0 1 L < 31.8, 27.9, 0 >`.
    /// The paper does not say what `0 0 1` means: it is printed as it stands there. `L` is taken to be a location; ours are
    /// on the ground.
    pub fn solicited(&self, index: usize, name: &str) -> String {
        let Point { x, y } = self.place;
        format!("task[{index}] = {name} {} 0 0 1 L < {}, {}, 0 >", self.covers(), rounded(x), rounded(y))
    }
}

/// A length to the millimetre, without trailing zeros.
fn rounded(metres: f64) -> f64 {
    let rounded = (metres * 1_000.0).round() / 1_000.0;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// What ties two tasks of a group together. Times in microseconds, angles in thousandths of a degree: whole numbers,
/// because they are compared and sent.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Coupling {
    /// The task that times and headings are counted from.
    pub a: u8,
    /// The task that they are counted to.
    pub b: u8,
    /// Least time from a to b; it may be negative.
    pub dt_min: Option<i64>,
    /// Most time from a to b.
    pub dt_max: Option<i64>,
    /// Least angle between their headings.
    pub dh_min: u32,
    /// Most angle between their headings.
    pub dh_max: u32,
}

impl Coupling {
    /// How far apart the least and the most time from a to b are, if there are both.
    pub fn width(&self) -> Option<Duration> {
        let (least, most) = (self.dt_min?, self.dt_max?);
        Some(Duration::from_micros(most.saturating_sub(least).max(0).unsigned_abs()))
    }

    /// These two times and headings (thousandths of a degree) go together.
    pub fn allows(&self, a: (i64, u32), b: (i64, u32)) -> bool {
        self.allows_apart(b.0.saturating_sub(a.0)) && (self.dh_min..=self.dh_max).contains(&angle(a.1, b.1))
    }

    /// These two times go together.
    pub fn allows_times(&self, a: Time, b: Time) -> bool {
        self.allows_apart((b.as_micros() as i64).saturating_sub(a.as_micros() as i64))
    }

    fn allows_apart(&self, apart: i64) -> bool {
        self.dt_min.is_none_or(|least| least <= apart) && self.dt_max.is_none_or(|most| apart <= most)
    }
}

/// The angle between two headings, 0 to 180 degrees, in thousandths.
pub fn angle(a: u32, b: u32) -> u32 {
    let apart = a.abs_diff(b) % 360_000;
    apart.min(360_000 - apart)
}

/// See [`Group::before`].
fn before(couplings: &[Coupling], index: usize) -> Phases {
    let precedes = |coupling: &Coupling| {
        if usize::from(coupling.b) == index && coupling.dt_min.is_some_and(|least| least > 0) {
            Phases::only(usize::from(coupling.a))
        } else if usize::from(coupling.a) == index && coupling.dt_max.is_some_and(|most| most < 0) {
            Phases::only(usize::from(coupling.b))
        } else {
            Phases::NONE
        }
    };
    couplings.iter().map(precedes).fold(Phases::NONE, Phases::with)
}

impl Template {
    /// The phases that come before phase `index`; see [`Group::before`].
    pub fn before(&self, index: usize) -> Phases {
        before(&self.couplings, index)
    }

    /// The least time from its first phase to its last that its couplings leave.
    pub fn span(&self) -> Duration {
        let phases: Vec<usize> = (0..self.phases.len()).collect();
        span(&self.couplings, &phases)
    }
}

/// By task and task, by their place in `tasks`: the most time from the one to the other that `couplings` between them leave, where
/// no two are further apart than `span`.
pub(super) fn apart(couplings: &[Coupling], tasks: &[usize], span: i128) -> Vec<i128> {
    let place = |index: u8| tasks.iter().position(|task| *task == usize::from(index));
    let both = couplings.iter().filter_map(|it| Some((place(it.a)?, place(it.b)?, it.dt_min, it.dt_max)));
    most_apart(tasks.len(), span, both)
}

/// The least time from the first to the last of some tasks that `couplings` leave.
pub(super) fn span(couplings: &[Coupling], tasks: &[usize]) -> Duration {
    let apart = apart(couplings, tasks, i128::from(i64::MAX));
    let most = apart.iter().map(|apart| -apart).max().unwrap_or(0).clamp(0, i128::from(i64::MAX));
    Duration::from_micros(most as u64)
}

/// How an order of one kind is taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Template {
    /// Its phases, in the order of their numbers.
    pub phases: Vec<Phase>,
    /// What ties them together.
    pub couplings: Vec<Coupling>,
    /// They are done as they are tied together, or not at all. If not, a LEAD that finds nobody gives up what ties
    /// them together rather than the tasks.
    pub strict: bool,
    /// How long a phase that nothing comes before counts for those that come after it: a hotspot that was verified longer ago
    /// is verified again before anything is dropped on it. Ours; `None`: for ever.
    pub fresh: Option<Duration>,
    /// Each phase wants a vehicle of its own, if any plan allows that. Ours: the paper does not say. If not, a vehicle may do
    /// several of them wherever that costs less.
    pub distinct: bool,
}

/// A phase of a template.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phase {
    /// The kind of the task, which preferences go by.
    pub kind: Kind,
    /// What it takes, besides what the order takes.
    pub needs: Percepts,
    /// How many loads it uses up.
    pub loads: u16,
    /// Metres east and north of where the order lies.
    pub offset: Point,
}

impl Group {
    /// An order as its USER tells it, not yet taken apart.
    pub fn new(user: RobotId, brief: Brief, version: u32) -> Arc<Self> {
        Arc::new(Self { user, brief, version, members: Vec::new(), couplings: Vec::new(), strict: false })
    }

    /// The number of its first task: what it is known by.
    pub fn first(&self) -> TaskId {
        self.brief.task.id
    }

    /// How many tasks it has or will have.
    pub fn len(&self) -> usize {
        usize::from(self.brief.phases).clamp(1, MOST_PHASES)
    }

    /// It never is: an order for nothing is one for a single task.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of a task of it.
    pub fn task(&self, index: usize) -> TaskId {
        TaskId(self.first().0.wrapping_add(index as u32))
    }

    /// Which of its tasks has this number.
    pub fn index_of(&self, task: TaskId) -> Option<usize> {
        let index = task.0.wrapping_sub(self.first().0) as usize;
        (index < self.len()).then_some(index)
    }

    /// Its tasks are tied together: by what couples them, or because none of them may be done without the others.
    pub fn is_tied(&self) -> bool {
        !self.couplings.is_empty() || (self.strict && self.len() > 1)
    }

    /// The tasks that come before task `index`: their couplings keep some time between them, so that one is to be done when
    /// the other is flown. Our reading: the paper's phases are ordered by their times alone.
    pub fn before(&self, index: usize) -> Phases {
        before(&self.couplings, index)
    }

    /// When task `index` may be flown, given when some of the others are: the earliest and the latest time, in microseconds.
    pub fn window(&self, index: usize, flown: impl Fn(usize) -> Option<Time>) -> (i64, i64) {
        let mut window = (i64::MIN, i64::MAX);
        for coupling in &self.couplings {
            let (a, b) = (usize::from(coupling.a), usize::from(coupling.b));
            let other = if b == index { a } else { b };
            let Some(at) = (a == index || b == index).then(|| flown(other)).flatten() else { continue };
            let at = at.as_micros() as i64;
            // From a to b the time is counted forwards, from b to a backwards.
            let (least, most) = match b == index {
                true => (coupling.dt_min, coupling.dt_max),
                false => (coupling.dt_max.map(i64::saturating_neg), coupling.dt_min.map(i64::saturating_neg)),
            };
            window.0 = window.0.max(least.map_or(i64::MIN, |least| at.saturating_add(least)));
            window.1 = window.1.min(most.map_or(i64::MAX, |most| at.saturating_add(most)));
        }
        window
    }

    /// The tasks that come straight after task `index`.
    pub fn after(&self, index: usize) -> Phases {
        let follows = |other: &usize| self.before(*other).has(index);
        (0..self.len()).filter(follows).map(Phases::only).fold(Phases::NONE, Phases::with)
    }

    /// The same order with the tasks that either says are to be done anew.
    pub(super) fn renewed_as_in(&self, other: &Self) -> Option<Arc<Self>> {
        let newer = |(one, other): (&Member, &Member)| other.since > one.since;
        if self.members.len() != other.members.len() || !self.members.iter().zip(&other.members).any(newer) {
            return None;
        }
        let mut members = self.members.clone();
        for (member, other) in members.iter_mut().zip(&other.members) {
            member.since = member.since.max(other.since);
        }
        Some(Arc::new(Self { members, ..self.clone() }))
    }

    /// The same order, with task `index` to be done anew from `since` on.
    pub(super) fn renewed(&self, index: usize, since: Time) -> Arc<Self> {
        let mut members = self.members.clone();
        members[index].since = since;
        Arc::new(Self { members, ..self.clone() })
    }

    /// A LEAD has taken it apart.
    pub fn is_decomposed(&self) -> bool {
        self.members.len() == self.len()
    }

    /// Nothing in it can lead anybody astray: it comes over the air.
    pub fn is_sound(&self) -> bool {
        let brief = &self.brief;
        let coupled = |coupling: &Coupling| {
            usize::from(coupling.a) < self.len()
                && usize::from(coupling.b) < self.len()
                && coupling.a != coupling.b
                && coupling.dt_min.zip(coupling.dt_max).is_none_or(|(least, most)| least <= most)
                && coupling.dh_min <= coupling.dh_max
                && coupling.dh_max <= 180_000
        };
        brief.task.place.is_finite()
            && (1..=MOST_PHASES).contains(&usize::from(brief.phases))
            && self.first().0.checked_add(u32::from(brief.phases)).is_some()
            && (self.members.is_empty() || self.is_decomposed())
            && self.members.iter().all(|member| member.place.is_finite())
            && self.couplings.len() <= MOST_PHASES * MOST_PHASES
            && self.couplings.iter().all(coupled)
    }

    /// The order taken apart: by its template, or as the one task that it is. `None` if it has several phases and
    /// there is no template for them.
    pub fn decomposed(&self, template: Option<&Template>) -> Option<Arc<Self>> {
        let place = self.brief.task.place;
        let needs = self.brief.task.needs;
        let template = template.filter(|template| template.phases.len() == self.len());
        let strict = template.is_some_and(|template| template.strict);
        let (members, couplings) = match template {
            Some(template) => {
                let member = |phase: &Phase| Member {
                    kind: phase.kind,
                    place: Point::new(place.x + phase.offset.x, place.y + phase.offset.y),
                    needs: needs.and(phase.needs),
                    loads: phase.loads,
                    since: Time::ZERO,
                };
                (template.phases.iter().map(member).collect(), template.couplings.clone())
            }
            None if self.len() == 1 => {
                (vec![Member { kind: self.brief.kind, place, needs, loads: 0, since: Time::ZERO }], Vec::new())
            }
            None => return None,
        };
        Some(Arc::new(Self { members, couplings, strict, ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    fn brief(phases: u8) -> Brief {
        let task = Task { id: TaskId(7), place: Point::new(31.8, 27.9), needs: Percepts::only(0) };
        Brief { phases, kind: Kind(3), ..Brief::from(task) }
    }

    #[test]
    fn angles_go_the_short_way_round() {
        assert_eq!(angle(0, 315_000), 45_000);
        assert_eq!(angle(90_000, 270_000), 180_000);
        assert_eq!(angle(10_000, 10_000), 0);
    }

    #[test]
    fn an_order_of_several_phases_needs_its_template() {
        let group = Group::new(RobotId(0), brief(2), 0);
        assert!(group.decomposed(None).is_none());
        let phase = Phase { kind: Kind(5), needs: Percepts::only(1), loads: 1, offset: Point::new(0.0, 1.0) };
        let template =
            Template { phases: vec![phase; 2], couplings: Vec::new(), strict: false, fresh: None, distinct: true };
        let apart = group.decomposed(Some(&template)).unwrap();
        assert_eq!(apart.members[1].place, Point::new(31.8, 28.9));
        assert_eq!(apart.members[1].needs, Percepts::only(0).and(Percepts::only(1)));
        assert_eq!((apart.task(1), apart.index_of(TaskId(8))), (TaskId(8), Some(1)));
        assert!(apart.is_sound() && apart.is_decomposed());
        // A template for another number of phases does not fit.
        let three =
            Template { phases: vec![phase; 3], couplings: Vec::new(), strict: false, fresh: None, distinct: true };
        assert!(group.decomposed(Some(&three)).is_none());
    }

    /// [MacKenzie Figure 3]
    #[test]
    fn a_solicitation_reads_as_in_figure_3() {
        let member = |x: f64, y: f64| Member {
            kind: Kind(1),
            place: Point::new(x, y),
            needs: Percepts::NONE,
            loads: 0,
            since: Time::ZERO,
        };
        let line = "task[0] = VerifyTarget tt 0 0 1 L < 31.8, 27.9, 0 >";
        assert_eq!(member(31.8, 27.9).solicited(0, "VerifyTarget"), line);
        assert_eq!(member(-0.0001, 1_590.0).solicited(2, "BDA"), "task[2] = BDA tt 0 0 1 L < 0, 1590, 0 >");
        assert_eq!(Covers { time: true, corridor: false }.to_string(), "tf");
    }

    #[test]
    fn a_single_task_is_its_own_phase() {
        let apart = Group::new(RobotId(0), brief(1), 0).decomposed(None).unwrap();
        assert_eq!(apart.members.len(), 1);
        assert_eq!(apart.members[0].kind, Kind(3));
    }

    #[test]
    fn a_group_from_the_air_is_checked() {
        let mut group = Group::new(RobotId(0), brief(2), 0).as_ref().clone();
        group.couplings.push(Coupling { a: 0, b: 2, dt_min: None, dt_max: None, dh_min: 0, dh_max: 180_000 });
        assert!(!group.is_sound());
        group.couplings.clear();
        assert!(group.is_sound());
        group.brief.task.place = Point::new(f64::NAN, 0.0);
        assert!(!group.is_sound());
    }

    #[test]
    fn a_coupling_bounds_time_and_heading() {
        // Phases 5 to 10 s apart, headings at least 45 degrees [§5].
        let rule =
            Coupling { a: 0, b: 1, dt_min: Some(5_000_000), dt_max: Some(10_000_000), dh_min: 45_000, dh_max: 180_000 };
        assert!(rule.allows((15_000_000, 180_000), (20_000_000, 45_000)));
        assert!(!rule.allows((15_000_000, 180_000), (19_000_000, 45_000)));
        assert!(!rule.allows((15_000_000, 180_000), (26_000_000, 45_000)));
        assert!(!rule.allows((15_000_000, 180_000), (20_000_000, 180_000)));
    }
}
