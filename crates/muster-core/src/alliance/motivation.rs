//! The formal model: what a motivation is made of, and when it leads to something. [Parker §8]

use super::planning::{self, Judgement, Picture};
use super::step::{Quit, Step};
use super::{Alliance, BehaviourSet, Context, Doing, LearningPhase, Mate, Ordering, Performer, Rates, Strategy, Timer};
use crate::event::Event;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::time::{Duration, Time};

/// Whether a task is this robot's before others'. [Parker §7.4, §8.5]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Nobody present should do it better, and nobody does it.
    First,
    /// Any other. K1: this is what a robot is blind to until it is bored; one sentence of the report says the first.
    Second,
}

/// How a motivation goes on if nothing happens.
struct Outlook {
    /// Per second; `None` if the robot is blind to the task, which keeps its motivation at zero.
    rate: Option<f64>,
    category: Category,
    /// Among tasks that reach the threshold at one instant, the largest goes first.
    want: f64,
    /// When the slope changes.
    until: Time,
}

impl BehaviourSet {
    /// Its motivation after growing for so many seconds more.
    pub(super) fn motivation_in(&self, seconds: f64) -> f64 {
        self.motivation + self.rate * seconds
    }
}

impl Alliance {
    /// All motivations as of `now`: straight lines since the last input.
    pub(super) fn grow(&mut self, now: Time) {
        let elapsed_s = self.grown_for_s(now);
        self.as_of = now;
        if elapsed_s > 0.0 {
            for set in &mut self.sets {
                set.motivation = set.motivation_in(elapsed_s);
            }
        }
    }

    /// For how many seconds motivations have been growing since the last input: an active set holds them down.
    pub(super) fn grown_for_s(&self, now: Time) -> f64 {
        match self.doing {
            Doing::Idle { .. } => now.since(self.as_of).as_secs_f64(),
            Doing::Active { .. } => 0.0,
        }
    }

    /// Draws the consequences of whatever has changed. Acts only when its timer fires, and timers fire last at an
    /// instant: what is done or said at that instant is known before anybody acts on it. Else a robot would take over
    /// a task that is being done just then.
    pub(super) fn reconsider(&mut self, cx: &mut Context<'_>, acts: bool) {
        if let Doing::Active { task, since, .. } = self.doing
            && !self.drop_what_needs_no_doing(cx, task)
            && !self.acquiesces(cx, task, since, acts)
        {
            return;
        }
        self.select(cx, acts);
    }

    /// [Parker §8.7] acquiescence: whether the robot stops doing what it does.
    fn acquiesces(&mut self, cx: &mut Context<'_>, task: TaskId, since: Time, acts: bool) -> bool {
        // [Parker §6.3.1] "maximally patient and minimally acquiescent".
        if self.config.phase != LearningPhase::Adaptive {
            return false;
        }
        let Some(set) = self.set(task) else { return false };
        let now = cx.now();
        let (yields_at, gives_up_at) = (since + self.psi(set, cx.me(), now), since + self.lambda(set, cx.me()));
        if acts && now >= gives_up_at {
            cx.note(|| Event::Alliance(Step::Quit { task, why: Quit::Hopeless }));
            self.give_up(cx, task, now.since(since));
            return true;
        }
        let Some(other) = self.performers_now(set, now).next().map(|other| other.robot) else {
            cx.set_timer(Timer::Motivation, gives_up_at.max(now));
            return false;
        };
        if acts && now >= yields_at {
            let tried = now.since(since);
            let failed = tried >= self.expected(set, cx.me());
            cx.note(|| Event::Alliance(Step::Quit { task, why: Quit::Yielded { to: other } }));
            // A robot that yields after more than it expected to need has failed, and counts it as that: else two
            // robots that both expect too little would take the task from each other for ever. One that yields to a
            // better robot before (strategy II) has only been slower.
            if failed {
                self.give_up(cx, task, tried);
            } else {
                self.rest(cx);
            }
            return true;
        }
        cx.set_timer(Timer::Motivation, yields_at.min(gives_up_at).max(now));
        false
    }

    /// No set is active: which becomes so, or when that has to be asked again.
    fn select(&mut self, cx: &mut Context<'_>, acts: bool) {
        let Doing::Idle { since } = self.doing else { return };
        let (me, now) = (cx.me(), cx.now());
        self.draw_lots(cx);
        let bored_at = since + self.config.boredom;
        let bounds = self.bounds(me);
        let planned = self.planned(me, now);
        let threshold = self.config.threshold;
        let mut wake = self.next_silence(now).min(self.next_unwilling(now));
        let mut first: Option<(Category, f64, usize)> = None;
        for index in 0..self.sets.len() {
            if !self.needs_doing(&self.sets[index], now) {
                let set = &mut self.sets[index];
                (set.motivation, set.rate) = (0.0, 0.0);
                continue;
            }
            let way_s = self.way(cx, index).as_secs_f64();
            let outlook = self.outlook(index, (me, way_s), now, bored_at, bounds, &planned);
            wake = wake.min(outlook.until);
            let set = &mut self.sets[index];
            let Some(rate) = outlook.rate else {
                (set.motivation, set.rate) = (0.0, 0.0);
                continue;
            };
            set.rate = rate;
            let motivation = set.motivation;
            // To the microsecond: what would be reached within the next one is reached.
            if motivation + rate * 1e-6 >= threshold {
                // [R] Inside a robot the report has a fixed priority among behaviour sets; ours is the nearer one, then the
                // lower number.
                let ahead = first.is_none_or(|(category, want, other)| {
                    let nearer = || self.way(cx, index) < self.way(cx, other);
                    let wanted = outlook.want > want || (outlook.want == want && nearer());
                    outlook.category < category || (outlook.category == category && wanted)
                });
                if ahead {
                    first = Some((outlook.category, outlook.want, index));
                }
            } else if rate > 0.0 {
                let left = Duration::from_secs_f64((threshold - motivation) / rate);
                wake = wake.min(now + left.max(Duration::from_micros(1)));
            }
        }
        if let Some((category, _, index)) = first {
            if !acts {
                return cx.set_timer(Timer::Motivation, now);
            }
            self.activate(cx, index, category);
            if let Doing::Active { task, since, .. } = self.doing {
                self.acquiesces(cx, task, since, false);
            }
        } else if wake < Time::NEVER {
            cx.set_timer(Timer::Motivation, wake);
        }
    }

    /// [Parker §8.8] The factors of the motivation of an inactive behaviour set whose task needs doing, while no other
    /// set of the robot is active. `way_s`: how long it takes to get there.
    fn outlook(
        &self,
        index: usize,
        (me, way_s): (RobotId, f64),
        now: Time,
        bored_at: Time,
        bounds: (f64, f64),
        planned: &[Judgement],
    ) -> Outlook {
        let (config, set) = (&*self.config, &self.sets[index]);
        let performed = self.performers_now(set, now).next().is_some();
        if let LearningPhase::Active { .. } = config.phase {
            // [Parker §8.5] learning_impatience. K6: who is at it now, not who ever was.
            let rate = (!performed).then(|| config.threshold / set.lot_s.unwrap_or(1.0));
            return Outlook { rate, category: Category::Second, want: 0.0, until: Time::NEVER };
        }
        let planned = planned.get(index);
        let category = planned.map_or_else(|| self.task_category(set, (me, way_s), now), |planned| planned.category);
        // A robot that planned for the team leaves tasks to those who are to do them, until they will not.
        let bored_at = if planned.is_some_and(|planned| planned.left_to_a_mate) { Time::NEVER } else { bored_at };
        // [Parker §8.5] learned_robot_influence. K2: of inactive sets only, which these are.
        let gated = config.has_categories() && category == Category::Second && (config.gate || !performed);
        if gated && now < bored_at {
            return Outlook { rate: None, category, want: 0.0, until: bored_at };
        }
        let (want, delay_s) = self.fast_delay(set, category, planned.map(|planned| planned.want), (me, way_s), bounds);
        let mut outlook = Outlook { rate: Some(config.threshold / delay_s), category, want, until: Time::NEVER };
        // [Parker §8.6] impatience: the slowest of those at it that have not had their time, else fast.
        let mut slow = f64::INFINITY;
        for other in self.performers_now(set, now) {
            let phi = self.phi(set, me, other.robot);
            if other.since > now {
                // It is still on its way: its time counts from there.
                slow = 0.0;
                outlook.until = outlook.until.min(other.since);
            } else if other.since + phi > now {
                slow = slow.min(config.threshold / phi.as_secs_f64());
                outlook.until = outlook.until.min(other.since + phi);
            }
        }
        if slow < f64::INFINITY {
            outlook.rate = Some(slow);
        }
        outlook
    }

    /// How much the task is wanted, and theta / delta_fast in seconds. [Parker §8.6]
    fn fast_delay(
        &self,
        set: &BehaviourSet,
        category: Category,
        planned: Option<f64>,
        (me, way_s): (RobotId, f64),
        (low, high): (f64, f64),
    ) -> (f64, f64) {
        let config = &*self.config;
        if let Some(delay) = config.delay_of(set.task) {
            return (0.0, delay.as_secs_f64());
        }
        if let Rates::Fixed(fixed) = config.rates {
            return (0.0, fixed.fast.as_secs_f64());
        }
        let (min_s, max_s) = (config.min_delay.as_secs_f64(), config.max_delay.as_secs_f64());
        if config.ordering == Ordering::ModifiedRandom {
            let lot = set.lot_s.unwrap_or(max_s);
            return (-lot, lot);
        }
        let own = set.monitor.task_time_s(me).unwrap_or_else(|| config.unknown.as_secs_f64()) + way_s;
        let longest_first = match config.ordering {
            Ordering::Longest => true,
            Ordering::Preferred | Ordering::Regret | Ordering::Replan => category == Category::First,
            Ordering::ModifiedShortest | Ordering::ModifiedRandom => false,
        };
        // Of a team that knows one time only, all tasks are alike.
        let share = if high > low { ((own - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        match (planned, longest_first) {
            (Some(want), true) => (want, max_s - share * (max_s - min_s)),
            (None, true) => (own, max_s - share * (max_s - min_s)),
            (_, false) => (-own, min_s + share * (max_s - min_s)),
        }
    }

    /// [Parker §8.5] With the team mates present and this robot itself; nobody else may be at it. Without knowledge
    /// of its own every task is of the second category. \[R\] Its own way there counts; that of the others it does not
    /// know, and takes them to be at hand.
    fn task_category(&self, set: &BehaviourSet, (me, way_s): (RobotId, f64), now: Time) -> Category {
        let best = set.monitor.task_time_s(me).is_some_and(|own| {
            self.best_mate(set, me, now).is_none_or(|(_, best)| own + way_s <= best)
                && self.performers_now(set, now).next().is_none()
        });
        if best { Category::First } else { Category::Second }
    }

    /// The team mate present that should do the task quickest, with its time in seconds.
    pub(super) fn best_mate(&self, set: &BehaviourSet, me: RobotId, now: Time) -> Option<(RobotId, f64)> {
        let others = set.monitor.lessons().iter().filter(|lesson| lesson.robot != me);
        let present = others.filter(|lesson| self.is_present(lesson.robot, now));
        let times = present.map(|lesson| (lesson.robot, lesson.task_time_s()));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// [Parker §8.3] robots_present: heard of within tau.
    pub(super) fn is_present(&self, robot: RobotId, now: Time) -> bool {
        let Ok(index) = self.mates.binary_search_by_key(&robot, |mate| mate.robot) else { return false };
        self.config.silence.is_none_or(|silence| self.mates[index].heard + silence > now)
    }

    /// When the next team mate will have been silent for too long.
    fn next_silence(&self, now: Time) -> Time {
        let Some(silence) = self.config.silence else { return Time::NEVER };
        let ends = self.mates.iter().map(|mate| mate.heard + silence).filter(|end| *end > now);
        ends.min().unwrap_or(Time::NEVER)
    }

    /// Team mates that say they are at the task, and were heard within tau.
    pub(super) fn performers_now<'s>(
        &'s self,
        set: &'s BehaviourSet,
        now: Time,
    ) -> impl Iterator<Item = &'s Performer> {
        set.performers.iter().filter(move |other| other.at_it && self.is_present(other.robot, now))
    }

    /// [Parker §7.1] phi: how long a team mate's statement holds this robot back.
    fn phi(&self, set: &BehaviourSet, me: RobotId, other: RobotId) -> Duration {
        let of = match self.config.rates {
            Rates::Fixed(fixed) => return fixed.patience,
            Rates::Learned(Strategy::FightingChance) => other,
            Rates::Learned(Strategy::Distrust | Strategy::BestWins) => me,
        };
        self.expected(set, of).stretched(self.config.patience_margin).max(Duration::from_micros(1))
    }

    /// [Parker §7.1] psi: how long this robot works before it yields to one that claims the task.
    pub(super) fn psi(&self, set: &BehaviourSet, me: RobotId, now: Time) -> Duration {
        match self.config.rates {
            Rates::Fixed(fixed) => fixed.yielding,
            Rates::Learned(Strategy::BestWins) => {
                let own = self.expected(set, me);
                let best = self.best_mate(set, me, now);
                best.map_or(own, |(_, seconds)| Duration::from_secs_f64(seconds).min(own))
            }
            Rates::Learned(Strategy::Distrust | Strategy::FightingChance) => self.expected(set, me),
        }
    }

    /// [Parker §8.7] lambda: how long this robot works before it gives up on itself.
    pub(super) fn lambda(&self, set: &BehaviourSet, me: RobotId) -> Duration {
        match self.config.rates {
            Rates::Fixed(fixed) => fixed.giving_up,
            Rates::Learned(_) => self.expected(set, me).stretched(self.config.persistence),
        }
    }

    /// What a robot is expected to take. No less than the least that it takes to choose a task: a patience of
    /// nothing would keep robots awake for ever.
    pub(super) fn expected(&self, set: &BehaviourSet, robot: RobotId) -> Duration {
        let time = set.monitor.task_time_s(robot).map_or(self.config.unknown, Duration::from_secs_f64);
        time.max(self.config.min_delay).max(Duration::from_millis(1))
    }

    /// [Parker §8.6] low and high: the times known to this robot. Strategy I knows only its own.
    fn bounds(&self, me: RobotId) -> (f64, f64) {
        let distrusts = self.config.rates == Rates::Learned(Strategy::Distrust);
        let all = self.sets.iter().flat_map(|set| set.monitor.lessons());
        let known = all.filter(|lesson| !distrusts || lesson.robot == me).map(|lesson| lesson.task_time_s());
        known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| (low.min(time), high.max(time)))
    }

    /// What is left to chance: in training every task, in a live mission the order if it is to be random.
    fn draw_lots(&mut self, cx: &mut Context<'_>) {
        let config = self.config.clone();
        let draw = |cx: &mut Context<'_>| cx.share(1 << 24);
        match (config.phase, config.ordering) {
            (LearningPhase::Active { cycle }, _) => {
                let now = cx.now();
                for index in 0..self.sets.len() {
                    // A task that another takes starts from nothing when it is free again.
                    if self.performers_now(&self.sets[index], now).next().is_some() {
                        self.sets[index].lot_s = None;
                    } else if self.sets[index].lot_s.is_none() {
                        // [Parker §8.8] random_increment, once a cycle, until the sum reaches theta: drawn all at once.
                        let (mut sum, mut cycles) = (0.0, 0.0);
                        while sum < 1.0 && cycles < 1e3 {
                            sum += draw(cx);
                            cycles += 1.0;
                        }
                        self.sets[index].lot_s = Some(cycles * cycle.as_secs_f64());
                    }
                }
            }
            (LearningPhase::Adaptive, Ordering::ModifiedRandom) => {
                let (min_s, max_s) = (config.min_delay.as_secs_f64(), config.max_delay.as_secs_f64());
                for set in self.sets.iter_mut().filter(|set| set.lot_s.is_none() && set.applicable) {
                    set.lot_s = Some(min_s + draw(cx) * (max_s - min_s));
                }
            }
            _ => {}
        }
    }

    /// Beyond the report: the category of each behaviour set, and how much it is wanted, by a view of the whole team.
    /// Empty for the orderings of the report.
    fn planned(&self, me: RobotId, now: Time) -> Vec<Judgement> {
        match self.config.ordering {
            Ordering::Regret => planning::regrets(&self.picture(me, now)),
            Ordering::Replan => planning::plan(&self.picture(me, now)),
            _ => Vec::new(),
        }
    }

    /// What this robot knows of who can do what, how quickly, and from when.
    fn picture(&self, me: RobotId, now: Time) -> Picture {
        let mates = self.mates.iter().filter(|mate| self.is_present(mate.robot, now));
        let unknown = self.patience_with_the_unknown();
        let willing = mates.filter(|mate| self.unwilling_from(mate, unknown) > now);
        let mut robots: Vec<(RobotId, f64)> =
            willing.map(|mate| (mate.robot, self.busy_for_s(mate.robot, mate.doing, now))).collect();
        let place = robots.partition_point(|(robot, _)| *robot < me);
        robots.insert(place, (me, 0.0));
        let open = |set: &BehaviourSet| {
            let wanted = set.applicable || !set.listed.is_empty();
            wanted && self.performers_now(set, now).next().is_none()
        };
        let ignores = |robot: RobotId, set: &BehaviourSet| {
            let mate = self.mates.binary_search_by_key(&robot, |mate| mate.robot).ok().map(|index| &self.mates[index]);
            mate.is_some_and(|mate| self.ignores_from(mate, set) <= now)
        };
        let time = |robot: RobotId, set: &BehaviourSet| set.monitor.task_time_s(robot).filter(|_| !ignores(robot, set));
        let times = |set: &BehaviourSet| robots.iter().map(|(robot, _)| time(*robot, set)).collect();
        let tasks = self.sets.iter().map(|set| open(set).then(|| times(set))).collect();
        Picture { me: place, tasks, free_in_s: robots.into_iter().map(|(_, free_in_s)| free_in_s).collect() }
    }

    /// From when on a plan does not count on an idle team mate for a task: the two have been free for each other for a
    /// boredom delay since anything last changed, so it sees things otherwise. Changes put this off for five more delays
    /// at most, since something may change all the time.
    fn ignores_from(&self, mate: &Mate, set: &BehaviourSet) -> Time {
        if mate.doing.is_some() {
            return Time::NEVER;
        }
        let (boredom, both_free) = (self.config.boredom, mate.since.max(set.opened));
        (mate.since.max(self.opened) + boredom).min(both_free + boredom.stretched(6.0))
    }

    /// From when on a plan does not count on a busy team mate for anything: it takes much longer than it should for what
    /// it does.
    fn unwilling_from(&self, mate: &Mate, unknown: Duration) -> Time {
        let Some(task) = mate.doing else { return Time::NEVER };
        let known = self.set(task).and_then(|set| {
            let performer = set.performers.iter().find(|other| other.robot == mate.robot)?;
            Some(performer.since + self.expected(set, mate.robot).stretched(self.config.patience_margin))
        });
        known.unwrap_or(mate.since + unknown)
    }

    /// How long a team mate may be at something that this robot knows nothing of. Whoever is at it gives up on itself
    /// after lambda; how long that is for the longest of all tasks is the best that is known of it.
    fn patience_with_the_unknown(&self) -> Duration {
        let lessons = self.sets.iter().flat_map(|set| set.monitor.lessons());
        let longest_s = lessons.map(|lesson| lesson.task_time_s()).fold(0.0, f64::max);
        Duration::from_secs_f64(longest_s).stretched(self.config.persistence).max(self.config.unknown)
    }

    /// When the next plan will count on one team mate less.
    fn next_unwilling(&self, now: Time) -> Time {
        if !matches!(self.config.ordering, Ordering::Regret | Ordering::Replan) {
            return Time::NEVER;
        }
        let unknown = self.patience_with_the_unknown();
        let open = || self.sets.iter().filter(|set| set.applicable || !set.listed.is_empty());
        let changes = self.mates.iter().flat_map(|mate| {
            let ignores = open().map(|set| self.ignores_from(mate, set));
            ignores.chain([self.unwilling_from(mate, unknown)]).filter(|change| *change > now).min()
        });
        changes.min().unwrap_or(Time::NEVER)
    }

    /// How long a team mate will be busy, as far as this robot can tell.
    fn busy_for_s(&self, mate: RobotId, doing: Option<TaskId>, now: Time) -> f64 {
        let Some(task) = doing else { return 0.0 };
        let known = self.set(task).and_then(|set| {
            let performer = set.performers.iter().find(|other| other.robot == mate)?;
            let (on_its_way, at_it) = (performer.since.since(now), now.since(performer.since));
            let left_s = (set.monitor.task_time_s(mate)? - at_it.as_secs_f64()).max(0.0);
            Some(on_its_way.as_secs_f64() + left_s)
        });
        known.unwrap_or_else(|| {
            // At something that this robot knows nothing of: half of what it usually takes for something.
            let times = self.sets.iter().filter_map(|set| set.monitor.task_time_s(mate));
            let (sum, count) = times.fold((0.0, 0.0), |(sum, count), time| (sum + time, count + 1.0));
            if count > 0.0 { sum / count / 2.0 } else { 0.0 }
        })
    }
}
