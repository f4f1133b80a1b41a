//! Why robots took tasks, took them over and left them: what their motivations came from, in words.

use std::collections::{BTreeMap, BTreeSet};

use super::Category;
use super::step::{Quit, Step};
use crate::event::Event;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::telling::{
    Award, Fact, Gist, Kind, Mark, Noted, Offer, Reason, Telling, Value, Weight, Wording, counted, times,
};

/// What became of tasks so far, and what each robot is at.
#[derive(Clone, Debug, Default)]
pub struct Motives {
    wants: BTreeMap<TaskId, Want>,
    doing: BTreeMap<RobotId, TaskId>,
}

/// What became of one task.
#[derive(Clone, Debug, Default)]
struct Want {
    end: End,
    /// Robots that can do it and know that it needs doing.
    known_to: BTreeSet<RobotId>,
    begun: u32,
    hopeless: u32,
    blocked: u32,
    yielded: u32,
    broke_down: u32,
}

/// Whether a task is still to be done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
enum End {
    #[default]
    Open,
    Done,
    CalledOff,
}

impl Want {
    fn is_known_to(&mut self, robot: RobotId) {
        // Wanted anew: what came of it before it was called off counts no more.
        if self.end == End::CalledOff {
            *self = Self::default();
        }
        self.known_to.insert(robot);
    }

    /// Nobody is to do it. What became of those that tried before is still told.
    fn was_called_off(&mut self) {
        if self.end == End::Open {
            self.end = End::CalledOff;
            self.known_to.clear();
        }
    }
}

impl Telling for Motives {
    type Step<'s> = &'s Step;

    fn gist(noted: Noted, step: &Step) -> Gist {
        let own = noted.robot;
        let of = |kind, task: &TaskId| Gist::of(kind, Some(*task));
        match step {
            Step::Noticed { task } | Step::CalledOff { task } => of(Kind::Call, task).weighs(Weight::Detail),
            Step::Activated { task, overrides, best, .. } => {
                let gist = of(Kind::Work, task).fact(Fact::Has(own)).weighs(Weight::Decision);
                let gist = best.map_or(gist, |(mate, _)| gist.about(mate));
                overrides.map_or(gist, |(mate, _)| gist.about(mate))
            }
            Step::Quit { task, why } => {
                let gist = of(Kind::Trouble, task).fact(Fact::GivesUp(own));
                match why {
                    Quit::Gone | Quit::CalledOff => gist,
                    Quit::NotNeeded | Quit::Hopeless | Quit::Blocked => gist.weighs(Weight::Decision),
                    Quit::Yielded { to: mate } | Quit::Tie { with: mate } => gist.about(*mate).weighs(Weight::Decision),
                }
            }
            Step::Done { task, .. } => of(Kind::Done, task),
        }
    }

    fn mark(_step: &Step) -> Option<Mark> {
        // Nothing is asked of anybody.
        None
    }

    fn keep(&mut self, noted: Noted, step: &Step) {
        let robot = noted.robot;
        match *step {
            Step::Noticed { task } => self.want(task).is_known_to(robot),
            Step::CalledOff { task } => self.want(task).was_called_off(),
            Step::Activated { task, .. } => {
                self.doing.insert(robot, task);
                let want = self.want(task);
                want.known_to.insert(robot);
                want.begun += 1;
            }
            Step::Quit { task, why } => {
                self.doing.remove(&robot);
                let want = self.want(task);
                match why {
                    Quit::Hopeless => want.hopeless += 1,
                    Quit::Blocked => want.blocked += 1,
                    Quit::Yielded { .. } | Quit::Tie { .. } => want.yielded += 1,
                    Quit::CalledOff => want.was_called_off(),
                    Quit::Gone | Quit::NotNeeded => {}
                }
            }
            Step::Done { task, .. } => {
                self.doing.remove(&robot);
                *self.want(task) = Want { end: End::Done, ..Want::default() };
            }
        }
    }

    fn keep_common(&mut self, noted: Noted, event: &Event) {
        if event.happening().is_some_and(|happening| happening.is_down()) {
            if let Some(task) = self.doing.remove(&noted.robot) {
                self.want(task).broke_down += 1;
            }
            for want in self.wants.values_mut() {
                want.known_to.remove(&noted.robot);
            }
        }
    }

    fn sentence(&self, wording: Wording<'_>, _noted: Noted, step: &Step) -> String {
        let (robot, task) = (|id| wording.names.robot(id), |id| wording.names.task(id));
        match *step {
            Step::Noticed { task: id } => format!("comes to know that {} needs doing", task(id)),
            Step::CalledOff { task: id } => format!("hears that {} was called off", task(id)),
            Step::Activated { task: id, planned, category, overrides, own_s, best } => {
                let own = own_s.map_or("in a time it does not know yet".to_owned(), |own| format!("in {own:.1} s"));
                let best = best.map(|(mate, s)| format!("{} in {s:.1} s", robot(mate)));
                match (overrides, category, best) {
                    (None, Category::First, best) if planned => {
                        let best = best.map_or(String::new(), |best| format!("; {best}, once it is free and there"));
                        format!("starts {}: by its plan for the team it is the one to do it ({own}{best})", task(id))
                    }
                    (None, Category::Second, best) if planned => {
                        let best = best.map_or(String::new(), |best| format!("; {best}"));
                        format!("starts {}: nobody else has, and it waited long enough ({own}{best})", task(id))
                    }
                    (Some((mate, elapsed)), ..) => {
                        let (name, task) = (robot(mate), task(id));
                        format!("takes {task} over from {name}, at it for {elapsed:.1}: expects to do it {own}")
                    }
                    (None, Category::First, Some(best)) => {
                        format!("starts {}: nobody present should do it sooner ({own}; {best})", task(id))
                    }
                    (None, Category::First, None) => {
                        format!("starts {}: it knows of nobody else who could ({own})", task(id))
                    }
                    (None, Category::Second, Some(best)) => {
                        format!(
                            "starts {} although others may do it better: it waited long enough ({own}; {best})",
                            task(id)
                        )
                    }
                    (None, Category::Second, None) => {
                        format!("starts {}: nobody does it, and who is best is not known ({own})", task(id))
                    }
                }
            }
            Step::Quit { task: id, why } => match why {
                Quit::Gone => format!("stops {}: it is done", task(id)),
                Quit::CalledOff => format!("stops {}: it was called off, or moved", task(id)),
                Quit::NotNeeded => format!("stops {}: it is not needed any more", task(id)),
                Quit::Yielded { to } => format!("yields {} to {}", task(id), robot(to)),
                Quit::Hopeless => format!("gives {} up: it has tried for too long", task(id)),
                Quit::Blocked => format!("gives {} up: it cannot get there", task(id)),
                Quit::Tie { with } => format!("leaves {} to {}, which began first", task(id), robot(with)),
            },
            Step::Done { task: id, took } => format!("has done {} in {took:.1}", task(id)),
        }
    }

    fn award(&self, noted: Noted, step: &Step) -> Option<Award> {
        let Step::Activated { task, overrides, own_s, best, .. } = *step else { return None };
        let offer = |robot, seconds: Option<f64>| Offer { robot, value: seconds.map(Value::Expected), heard: true };
        let mut others: Vec<Offer> = best.map(|(robot, seconds)| offer(robot, Some(seconds))).into_iter().collect();
        if let Some((robot, _)) = overrides.filter(|(robot, _)| others.iter().all(|it| it.robot != *robot)) {
            others.push(offer(robot, None));
        }
        Some(Award {
            at: noted.at,
            by: noted.robot,
            task,
            round: 0,
            round_key: None,
            taken_from: overrides.map(|(robot, _)| robot),
            chosen: offer(noted.robot, own_s),
            others,
            silent: Vec::new(),
            threshold: None,
        })
    }

    fn untaken(&self) -> Vec<TaskId> {
        self.wants.iter().filter(|(_, want)| want.end == End::Open).map(|(task, _)| *task).collect()
    }

    fn nobody(&self, wording: Wording<'_>, task: TaskId) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let Some(want) = self.wants.get(&task).filter(|want| want.end != End::Done) else { return reasons };
        let mut add = |why, count: u32, text: String| {
            if count > 0 {
                reasons.push(Reason { why, count, text });
            }
        };
        let known = want.known_to.len() as u32;
        add("known", known, format!("known to {} that could do it", counted(known, "robot")));
        let elsewhere = |robot: &&RobotId| self.doing.get(*robot).is_some_and(|other| *other != task);
        let busy = want.known_to.iter().filter(elsewhere).count() as u32;
        add("busy", busy, format!("busy: {} at other tasks", counted(busy, "robot")));
        let patient = want.known_to.iter().filter(|robot| !self.doing.contains_key(robot)).count() as u32;
        add("patient", patient, format!("not impatient enough yet: {}", counted(patient, "robot")));
        add("begun", want.begun, format!("begun {}", times(want.begun)));
        add("hopeless", want.hopeless, format!("given up after trying for too long: {}", times(want.hopeless)));
        add("blocked", want.blocked, format!("given up for want of a way there: {}", times(want.blocked)));
        add("yielded", want.yielded, format!("left to another: {}", times(want.yielded)));
        add("broke_down", want.broke_down, format!("the robot broke down at it: {}", times(want.broke_down)));
        for (robot, _) in self.doing.iter().filter(|(_, at)| **at == task) {
            add("under_way", 1, format!("{} is at it", wording.names.robot(*robot)));
        }
        let forgotten = known == 0 && want.end == End::Open && !self.is_under_way(task);
        add("forgotten", u32::from(forgotten), "nobody that is up knows of it".to_owned());
        let called_off = u32::from(want.end == End::CalledOff);
        add("called_off", called_off, "called off: it need not be done any more".to_owned());
        reasons
    }

    fn is_under_way(&self, task: TaskId) -> bool {
        self.wants.get(&task).is_some_and(|want| want.end == End::Open) && self.doing.values().any(|at| *at == task)
    }
}

impl Motives {
    fn want(&mut self, task: TaskId) -> &mut Want {
        self.wants.entry(task).or_default()
    }
}

#[cfg(test)]
mod tests;
