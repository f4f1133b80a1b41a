//! The log of a mission, and the awards in it: from robots' notes to lines and to who was chosen among whom.

use std::collections::{BTreeMap, VecDeque};

use muster_core::event::Event;
use muster_core::tasking::Step;
use muster_core::{Note, RobotId, TaskId, Time};
use muster_sim::explain::{self, Explainer};

use super::facts::silence;
use crate::audience::MOST_LINES;
use crate::scene::{Award, Line, LineKind, Mark, Offer, OfferUnit, Quiet, Story};
use crate::stage::Subject;

/// So many marks are kept for stories, and so many are told in one.
const MOST_MARKS: usize = 20_000;
const MOST_MARKS_TOLD: usize = 400;
/// So many that could have been chosen are told of an award, and so many that kept silent.
const MOST_TOLD: usize = 60;

/// Tells what happened in a mission.
pub struct Teller<'m> {
    explainer: Explainer<'m>,
    /// Not taken yet.
    fresh: Vec<Line>,
    /// How many lines there were.
    count: u64,
    /// Task and robot of each line, for stories.
    about: Vec<(Time, Option<TaskId>, RobotId)>,
    awards: Vec<Award>,
    /// The newest, and whether there were more.
    marks: VecDeque<Mark>,
    forgot_marks: bool,
    /// Bids that came in since the last call for them.
    bids: BTreeMap<TaskId, Vec<Offer>>,
    threshold: f64,
}

impl<'m> Teller<'m> {
    /// Nothing has happened yet.
    pub fn new(explainer: Explainer<'m>, threshold: f64) -> Self {
        Self {
            explainer,
            fresh: Vec::new(),
            count: 0,
            about: Vec::new(),
            awards: Vec::new(),
            marks: VecDeque::new(),
            forgot_marks: false,
            bids: BTreeMap::new(),
            threshold,
        }
    }

    /// A robot has noted something; `mark` says what it ignored, if it did.
    pub fn tell(&mut self, note: &Note, mark: Option<Mark>) {
        if mark.is_some() && self.marks.len() == MOST_MARKS {
            self.marks.pop_front();
            self.forgot_marks = true;
        }
        self.marks.extend(mark);
        let before = self.explainer.awards().len();
        let Some(line) = self.explainer.log_line(note) else { return };
        let recruited = self.explainer.awards().get(before).map(|award| self.recruited(award, &line.text));
        if let Some(award) = recruited.or_else(|| self.auctioned(note, &line.text)) {
            self.awards.push(award);
        }
        // No page has later lines.
        if self.about.len() < MOST_LINES {
            self.about.push((line.at, line.task, line.robot));
        }
        self.fresh.push(Line {
            n: self.count,
            at: line.at.as_secs_f64(),
            robot: Some(line.robot).filter(|robot| *robot != RobotId::NOBODY).map(|robot| robot.0),
            task: line.task.map(|task| task.0),
            kind: kind(&note.event),
            raw: self.explainer.written(&line),
            text: line.text,
        });
        self.count += 1;
    }

    /// The lines that were not taken yet.
    pub fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.fresh)
    }

    /// Adds what is known to a story.
    pub fn add_to(&self, story: &mut Story, of: Subject, until: Time) {
        let until_s = until.as_secs_f64();
        let concerns = |task: Option<u32>, robots: &[u32]| match of {
            Subject::Task(it) => task == Some(it),
            Subject::Robot(it) => robots.contains(&it),
        };
        story.awards = self
            .awards
            .iter()
            .filter(|award| award.at <= until_s && concerns(Some(award.task), &[award.by, award.chosen]))
            .cloned()
            .collect();
        let marks = self.marks.iter().rev();
        let mut own = marks.filter(|mark| mark.at <= until_s && concerns(mark.task, &[mark.robot, mark.of]));
        story.marks = own.by_ref().take(MOST_MARKS_TOLD).cloned().collect();
        story.marks.reverse();
        story.truncated |= self.forgot_marks || own.next().is_some();
        let lines = self.about.iter().zip(0..).take_while(|((at, ..), _)| *at <= until);
        story.lines = lines
            .filter(|((_, task, robot), _)| concerns(task.map(|task| task.0), &[robot.0]))
            .map(|(_, number)| number)
            .collect();
    }

    fn recruited(&self, award: &explain::Award, text: &str) -> Award {
        let offer = |heard: bool| {
            move |offer: &explain::Offer| Offer {
                robot: offer.robot.0,
                value: Some(offer.eta.as_secs_f64()),
                unit: OfferUnit::S,
                heard,
                chosen: false,
            }
        };
        let mut offers = vec![Offer { chosen: true, ..offer(true)(&award.chosen) }];
        offers.extend(award.others.iter().map(offer(true)));
        offers.extend(award.unheard.iter().map(offer(false)));
        let quiet = |quiet: &explain::Quiet| Quiet {
            robot: quiet.robot.0,
            why: quiet.why.word(),
            value: quiet.shame,
            text: silence(quiet.why, quiet.shame, self.threshold),
        };
        // Of many those that were nearest to an answer.
        let mut silent: Vec<&explain::Quiet> = award.silent.iter().collect();
        silent.sort_by(|a, b| b.shame.total_cmp(&a.shame));
        let award = Award {
            at: award.at.as_secs_f64(),
            task: award.task.0,
            by: award.requester.0,
            chosen: award.chosen.robot.0,
            text: text.to_owned(),
            line: self.count,
            offer_count: offers.len(),
            offers,
            silent_count: silent.len(),
            silent: silent.into_iter().take(MOST_TOLD).map(quiet).collect(),
            threshold: Some(self.threshold),
        };
        Award { offers: award.offers.into_iter().take(MOST_TOLD).collect(), ..award }
    }

    /// Who was assigned a task, or took it, among those that could have.
    fn auctioned(&mut self, note: &Note, text: &str) -> Option<Award> {
        let cost = |hundredths: u16| f64::from(hundredths) / 100.0;
        let (task, chosen, mut offers) = match note.event {
            Event::Tasking { task, step: Step::Solicited { .. } } => {
                self.bids.remove(&task);
                return None;
            }
            Event::Tasking { task, step: Step::BidHeard { from, least } } => {
                let offer =
                    Offer { robot: from.0, value: least.map(cost), unit: OfferUnit::Cost, heard: true, chosen: false };
                let bids = self.bids.entry(task).or_default();
                bids.retain(|bid| bid.robot != from.0);
                bids.push(offer);
                return None;
            }
            Event::Tasking { task, step: Step::Assigned { holder, cost: own, cheapest, .. } } => {
                let mut offers = self.bids.remove(&task).unwrap_or_default();
                // The LEAD's own bid is never sent: what is known of it is what it noted.
                for (robot, value) in [(holder.robot, own), (cheapest.0, cheapest.1)] {
                    if offers.iter().all(|offer| offer.robot != robot.0) {
                        let value = Some(cost(value));
                        offers.push(Offer { robot: robot.0, value, unit: OfferUnit::Cost, heard: true, chosen: false });
                    }
                }
                (task, holder.robot, offers)
            }
            Event::Activated { task, own_s, best, overrides, .. } => {
                let own = Offer { robot: note.robot.0, value: own_s, unit: OfferUnit::S, heard: true, chosen: false };
                let mut offers = vec![own];
                let other = |robot: RobotId, value| Offer {
                    robot: robot.0,
                    value,
                    unit: OfferUnit::S,
                    heard: true,
                    chosen: false,
                };
                offers.extend(best.map(|(robot, seconds)| other(robot, Some(seconds))));
                if let Some((robot, _)) = overrides.filter(|(robot, _)| offers.iter().all(|it| it.robot != robot.0)) {
                    offers.push(other(robot, None));
                }
                (task, note.robot, offers)
            }
            _ => return None,
        };
        for offer in &mut offers {
            offer.chosen = offer.robot == chosen.0;
        }
        // The cheapest first, those that cannot last.
        offers.sort_by(|a, b| a.value.unwrap_or(f64::INFINITY).total_cmp(&b.value.unwrap_or(f64::INFINITY)));
        Some(Award {
            at: note.at.as_secs_f64(),
            task: task.0,
            by: note.robot.0,
            chosen: chosen.0,
            text: text.to_owned(),
            line: self.count,
            offer_count: offers.len(),
            offers: offers
                .into_iter()
                .enumerate()
                .filter(|(rank, it)| *rank < MOST_TOLD || it.chosen)
                .map(|(_, it)| it)
                .collect(),
            silent: Vec::new(),
            silent_count: 0,
            threshold: None,
        })
    }
}

/// What sort of thing an event is, for the colour of its line and its tick.
fn kind(event: &Event) -> LineKind {
    match event {
        Event::Called { .. } => LineKind::Call,
        Event::Offered { .. } | Event::OfferHeard { .. } | Event::Silent { .. } => LineKind::Offer,
        Event::Awarded { .. } => LineKind::Award,
        Event::SetOut { .. } | Event::Arrived { .. } | Event::NotNeeded { .. } => LineKind::Travel,
        Event::Agreed { .. } | Event::TookOver { .. } | Event::Activated { .. } => LineKind::Work,
        Event::Served { .. } | Event::Finished { .. } | Event::Done { .. } => LineKind::Done,
        Event::TimedOut { .. }
        | Event::Blocked { .. }
        | Event::Barred { .. }
        | Event::Superseded { .. }
        | Event::PolicyFailed { .. }
        | Event::Quit { .. }
        | Event::Withdrawn { .. }
        | Event::Dropped { .. } => LineKind::Trouble,
        Event::Started { .. } => LineKind::Start,
        Event::Intervened { .. } => LineKind::Command,
        Event::Tasking { step, .. } => match step {
            Step::Assigned { .. } => LineKind::Award,
            Step::Bids { .. } | Step::BidHeard { .. } => LineKind::Offer,
            Step::Injected | Step::Solicited { .. } => LineKind::Call,
            Step::Executed { .. } | Step::HeardDone { .. } => LineKind::Done,
            Step::Holds { .. } => LineKind::Work,
            Step::Challenged { .. }
            | Step::NoGoodBids { .. }
            | Step::Deleted { .. }
            | Step::Duplicate { .. }
            | Step::Expired
            | Step::Refrained { .. }
            | Step::NoQuorum { .. } => LineKind::Trouble,
            _ => LineKind::Auction,
        },
    }
}
