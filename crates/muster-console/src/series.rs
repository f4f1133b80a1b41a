//! What is plotted over time: sampled at fixed times of the run, so that neither speed nor pauses show in it.

use std::collections::BTreeMap;

use muster_core::panel::Shown;
use muster_core::{Duration, Time};

use crate::scene::Counts;
use crate::stage::OnStage;
use crate::wire::{Curve, PlotGroup, PlotKind, Plots, Values};

/// Most samples: when there are more, every other one is dropped, and samples are taken half as often.
const MOST_SAMPLES: usize = 1_201;
/// Of larger teams only counts are plotted: nobody can tell so many curves apart.
const MOST_ROBOTS: u32 = 40;
/// Most curves of a plot.
const MOST_CURVES: usize = 400;

/// Samples of a run.
pub struct Series {
    every: Duration,
    next: Time,
    /// The last one that is kept.
    last: Time,
    at: Vec<f64>,
    counts: Vec<Counts>,
    /// By label and robot; nothing where a robot showed no such bar.
    gauges: BTreeMap<(String, u32), Vec<Option<f64>>>,
    /// For each emotion how many robots had felt it at how many samples.
    felt: BTreeMap<String, Vec<u64>>,
}

impl Series {
    /// Nothing was sampled yet.
    pub fn new(every: Duration) -> Self {
        Self {
            every,
            next: Time::ZERO,
            last: Time::ZERO,
            at: Vec::new(),
            counts: Vec::new(),
            gauges: BTreeMap::new(),
            felt: BTreeMap::new(),
        }
    }

    /// When the next sample is due.
    pub fn due(&self) -> Time {
        self.next
    }

    /// Takes a sample.
    pub fn sample(&mut self, stage: &impl OnStage) {
        let before = self.at.len();
        self.at.push(self.next.as_secs_f64());
        self.last = self.next;
        self.counts.push(stage.counts());
        let robots = stage.robots();
        for robot in (0..robots).filter(|_| robots <= MOST_ROBOTS) {
            let Some(card) = stage.card(robot) else { continue };
            for field in card.fields {
                match field.shown {
                    Shown::Gauge { value, .. } => self.gauge(field.label.to_string(), robot, before, value),
                    Shown::Emotion(feeling) => {
                        *self.felt_so_far(feeling.name.to_string(), before) += 1;
                    }
                    _ => {}
                }
            }
        }
        for values in self.gauges.values_mut() {
            values.resize(self.at.len(), None);
        }
        for times in self.felt.values_mut() {
            let so_far = times.last().copied().unwrap_or(0);
            times.resize(self.at.len(), so_far);
        }
        if self.at.len() >= MOST_SAMPLES {
            self.thin();
        }
        // Counted from the last one that is kept, so that all are equally far apart.
        self.next = self.last + self.every;
    }

    fn gauge(&mut self, label: String, robot: u32, before: usize, value: f64) {
        if self.gauges.len() < MOST_CURVES || self.gauges.contains_key(&(label.clone(), robot)) {
            let values = self.gauges.entry((label, robot)).or_default();
            values.resize(before, None);
            values.push(Some(value));
        }
    }

    fn felt_so_far(&mut self, name: String, before: usize) -> &mut u64 {
        let times = self.felt.entry(name).or_default();
        let so_far = times.last().copied().unwrap_or(0);
        times.resize(before + 1, so_far);
        &mut times[before]
    }

    fn thin(&mut self) {
        fn every_other<T>(values: &mut Vec<T>) {
            let mut keep = false;
            values.retain(|_| {
                keep = !keep;
                keep
            });
        }
        // Their number is odd here: the first and the last stay.
        every_other(&mut self.at);
        every_other(&mut self.counts);
        self.gauges.values_mut().for_each(every_other);
        self.felt.values_mut().for_each(every_other);
        self.every = self.every + self.every;
    }

    /// As the page wants it. `names` are those of the robots.
    pub fn plots(&self, names: &[String], has_tasks: bool) -> Plots {
        let mut series = Vec::new();
        let mut groups = vec![group("messages", "", PlotKind::Lines, "Messages so far.")];
        let mut count = |group: &str, name: &str, of: fn(&Counts) -> u64| {
            let y = Values::Counts(self.counts.iter().map(of).collect());
            series.push(Curve { group: group.to_owned(), name: name.to_owned(), robot: None, y });
        };
        count("messages", "sent", |counts| counts.sent);
        count("messages", "lost", |counts| counts.lost);
        if has_tasks {
            let about = "Tasks that are there to be done, and those that are done.";
            groups.push(group("tasks", "", PlotKind::Lines, about));
            count("tasks", "open", |counts| counts.open);
            count("tasks", "done", |counts| counts.done);
            count("tasks", "duplicated", |counts| counts.duplicated);
        }
        if !self.felt.is_empty() {
            let about = "What robots have felt so far, as a share of what all of them felt.";
            groups.push(group("emotions", "%", PlotKind::Shares, about));
            let total = |index: usize| self.felt.values().map(|times| times[index]).sum::<u64>().max(1) as f64;
            for (name, times) in &self.felt {
                let share = |(index, times): (usize, &u64)| 100.0 * *times as f64 / total(index);
                let y = Values::Shares(times.iter().enumerate().map(share).collect());
                series.push(Curve { group: "emotions".to_owned(), name: name.clone(), robot: None, y });
            }
        }
        let mut labels: Vec<&str> = Vec::new();
        for ((label, robot), values) in &self.gauges {
            if labels.last() != Some(&label.as_str()) {
                labels.push(label);
            }
            let name = names.get(*robot as usize).map_or("?", String::as_str).to_owned();
            series.push(Curve { group: label.clone(), name, robot: Some(*robot), y: Values::Gauges(values.clone()) });
        }
        let by_robot = |label: &&str| group(label, "", PlotKind::Lines, &format!("{label}, robot by robot."));
        groups.extend(labels.iter().map(by_robot));
        Plots { at: self.at.clone(), series, groups }
    }
}

fn group(name: &str, unit: &'static str, kind: PlotKind, about: &str) -> PlotGroup {
    PlotGroup { name: name.to_owned(), unit, kind, about: about.to_owned() }
}
