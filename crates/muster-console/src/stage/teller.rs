//! The log of a mission, and the awards in it: from robots' notes to lines and to who was chosen among whom.

use std::collections::VecDeque;

use muster_core::tasking::Lot;
use muster_core::telling::{self, About, Nobody, Noted, Value};
use muster_core::{Event, Note, RobotId, TaskId, Time};
use muster_journal::explain::Explainer;

use crate::audience::MOST_LINES;
use crate::scene::{Award, Line, Mark, Offer, OfferUnit, Quiet, Story};
use crate::stage::Subject;

/// So many marks are kept for stories, and so many are told in one.
const MOST_MARKS: usize = 20_000;
const MOST_MARKS_TOLD: usize = 400;
/// So many that could have been chosen are told of an award, and so many that kept silent.
const MOST_TOLD: usize = 60;
/// Bids that are remembered, of some 400 bytes each: those of the newest auctions.
const MOST_BIDS: usize = 50_000;

/// Tells what happened in a mission.
pub struct Teller<'m> {
    explainer: Explainer<'m>,
    /// Not taken yet.
    fresh: Vec<Line>,
    /// How many lines there were.
    count: u64,
    /// What each line is about, for stories.
    about: Vec<About>,
    awards: Vec<Award>,
    /// The newest, and whether there were more.
    marks: VecDeque<Mark>,
    forgot_marks: bool,
    /// The newest auctions.
    lots: VecDeque<Lot>,
    /// Bids of all of them.
    bid_count: usize,
}

impl<'m> Teller<'m> {
    /// Nothing has happened yet.
    pub fn new(explainer: Explainer<'m>) -> Self {
        Self {
            explainer,
            fresh: Vec::new(),
            count: 0,
            about: Vec::new(),
            awards: Vec::new(),
            marks: VecDeque::new(),
            forgot_marks: false,
            lots: VecDeque::new(),
            bid_count: 0,
        }
    }

    /// A robot has noted something; `mark` says what it ignored, if it did.
    pub fn tell(&mut self, note: &Note, mark: Option<Mark>) {
        if mark.is_some() && self.marks.len() == MOST_MARKS {
            self.marks.pop_front();
            self.forgot_marks = true;
        }
        self.marks.extend(mark);
        let Some(line) = self.explainer.log_line(note) else { return };
        self.keep_lot(note);
        if let Some(award) = &line.award {
            self.awards.push(shown(award, &line.text, self.count));
        }
        // No page has later lines.
        if self.about.len() < MOST_LINES {
            self.about.push(line.about());
        }
        self.fresh.push(Line {
            n: self.count,
            at: line.at.as_secs_f64(),
            robot: line.subject().map(|robot| robot.0),
            author: line.author.as_deref().map(str::to_owned),
            task: line.gist.task.map(|task| task.0),
            kind: line.gist.kind.into(),
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
        if let Subject::Task(task) = of
            && let Some(Nobody { under_way, reasons, .. }) = self.explainer.nobody_for(TaskId(task))
        {
            story.under_way = under_way;
            story.nobody = reasons.into_iter().map(|reason| reason.text).collect();
        }
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
        let lines = self.about.iter().zip(0..).take_while(|(about, _)| about.at <= until);
        let own = |about: &About| match of {
            Subject::Task(task) => about.is_about(TaskId(task)),
            Subject::Robot(robot) => about.concerns(RobotId(robot)),
        };
        story.lines = lines.filter(|(about, _)| own(about)).map(|(_, number)| number).collect();
    }

    /// The bids for a task at its last auction that was closed by `until`, as far as it is remembered.
    pub fn lot(&self, task: TaskId, until: Time) -> Option<&Lot> {
        self.lots.iter().rev().find(|lot| lot.task == task && lot.at <= until)
    }

    fn keep_lot(&mut self, note: &Note) {
        let Event::Tasking { task, step } = &note.event else { return };
        let noted = Noted { at: note.at, robot: note.robot };
        if let Some(lot) = self.explainer.teller().auctions().lot(noted, *task, step) {
            self.bid_count += lot.bids.len();
            self.lots.push_back(lot);
            // A long run would fill the memory.
            while self.bid_count > MOST_BIDS
                && let Some(oldest) = self.lots.pop_front()
            {
                self.bid_count -= oldest.bids.len();
            }
        }
    }
}

/// An award as a page is told it: the one that was chosen first, then the others, best first.
fn shown(award: &telling::Award, text: &str, line: u64) -> Award {
    let offer = |offer: &telling::Offer, chosen: bool| Offer {
        robot: offer.robot.0,
        value: offer.value.map(Value::number),
        unit: match offer.value.or(award.chosen.value) {
            Some(Value::Cost(_)) => OfferUnit::Cost,
            Some(Value::Eta(_) | Value::Expected(_)) | None => OfferUnit::S,
        },
        heard: offer.heard,
        chosen,
    };
    let others = award.others.iter().map(|it| offer(it, false));
    // Of many those that were nearest to an answer.
    let mut silent: Vec<&telling::Quiet> = award.silent.iter().collect();
    silent.sort_by(|a, b| b.weighed.total_cmp(&a.weighed));
    let quiet = |quiet: &telling::Quiet| Quiet {
        robot: quiet.robot.0,
        why: quiet.word,
        value: quiet.weighed,
        text: quiet.text.clone(),
    };
    Award {
        at: award.at.as_secs_f64(),
        task: award.task.0,
        by: award.by.0,
        chosen: award.chosen.robot.0,
        text: text.to_owned(),
        line,
        offer_count: award.others.len() + 1,
        offers: std::iter::once(offer(&award.chosen, true)).chain(others).take(MOST_TOLD).collect(),
        silent_count: silent.len(),
        silent: silent.into_iter().take(MOST_TOLD).map(quiet).collect(),
        threshold: award.threshold,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use muster_core::event::{Happening, Intervened};
    use muster_core::recruitment::{Choice, Step};
    use muster_sim::{Origin, scenario};

    use super::*;

    fn origin() -> Origin {
        let loaded = Arc::new(scenario::load("minefield", &[]).expect("it is built in"));
        let scheme = loaded.schemes()[0];
        Origin::new(loaded, scheme, 1)
    }

    /// Somebody who breaks a robot is the author of the line, and the robot is what it is about.
    #[test]
    fn a_line_has_the_author_that_its_raw_text_has() {
        let origin = origin();
        let mut teller = Teller::new(origin.explainer());
        let made = Intervened {
            author: "ops".into(),
            sentence: "intervenes".into(),
            tasks: vec![TaskId(1), TaskId(2)],
            robots: vec![RobotId(3), RobotId(5)],
            effect: Some(Happening::Stopped),
            calls_off: false,
        };
        for (robot, event) in [
            (RobotId(3), Event::Intervened(Arc::new(made))),
            (RobotId::NOBODY, Event::Happened(Happening::Rejoined)),
            (RobotId(3), Event::Happened(Happening::SwitchedOn)),
        ] {
            teller.tell(&Note { at: Time::ZERO, robot, event }, None);
        }
        let lines = teller.take();
        let told: Vec<_> = lines.iter().map(|line| (line.robot, line.author.as_deref())).collect();
        assert_eq!(told, [(Some(3), Some("ops")), (None, Some("radio")), (Some(3), None)]);
        assert!(lines[0].raw.starts_with("0.000\tops\t"), "{}", lines[0].raw);
        for (of, expected) in [
            (Subject::Task(1), &[0][..]),
            (Subject::Task(2), &[0]),
            (Subject::Task(3), &[]),
            // What the radio does concerns every robot.
            (Subject::Robot(5), &[0, 1]),
            (Subject::Robot(3), &[0, 1, 2]),
            (Subject::Robot(7), &[1]),
        ] {
            let mut story = Story::default();
            teller.add_to(&mut story, of, Time::ZERO);
            assert_eq!(story.lines, expected, "{of:?}");
        }
    }

    /// A story has the lines that name its robot, but not those of awards that passed it over; what somebody has is not
    /// done, rather than not taken.
    #[test]
    fn a_story_goes_by_whom_lines_name() {
        let origin = origin();
        let mut teller = Teller::new(origin.explainer());
        let (with, task, round, eta) = (RobotId(5), TaskId(1), 1, muster_core::Duration::from_secs(3));
        let story = |teller: &Teller<'_>, of| {
            let mut story = Story::default();
            teller.add_to(&mut story, of, Time::ZERO);
            story
        };
        let mut tell = |step| {
            teller.tell(&Note { at: Time::ZERO, robot: RobotId(0), event: Event::Recruitment(step) }, None);
            (story(&teller, Subject::Robot(5)).lines, story(&teller, Subject::Task(1)).under_way)
        };
        let called = Step::Called { task, round, place: muster_core::Point::new(1.0, 2.0) };
        assert_eq!(tell(called), (vec![], false));
        let (offers, how, threshold) = (1, Choice::LeastEta, 0.75);
        assert_eq!(tell(Step::Awarded { with, task, round, eta, offers, how, threshold }), (vec![1], true));
    }
}
