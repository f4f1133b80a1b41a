//! Everybody who looks on, and what they are shown. The run writes here and never waits for anybody: poses and moments are
//! those of now, whoever is slow misses some; the log is kept, whoever is slow reads it later, up to a bound.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

use axum::body::Bytes;
use tokio::sync::{broadcast, watch};

use crate::scene::{Card, Glance, Line, LineKind};
use crate::wire::{self, Run, Standing, ToPage, Trouble};

/// What is shown at the live edge.
#[derive(Clone, Default)]
pub struct Moment {
    /// The number of the run.
    pub run: u64,
    at_s: f64,
    live: bool,
    glance: Arc<Glance>,
    /// Cards of robots that anybody watches.
    cards: BTreeMap<u32, Arc<Card>>,
}

impl Moment {
    /// A moment, ready to be sent to every viewer that watches these robots.
    pub fn new(run: u64, at_s: f64, live: bool, glance: Glance, cards: impl IntoIterator<Item = Card>) -> Self {
        let cards = cards.into_iter().map(|card| (card.robot, Arc::new(card))).collect();
        Self { run, at_s, live, glance: Arc::new(glance), cards }
    }

    /// As it is sent to a viewer that watches these robots.
    pub fn to_text(&self, watched: &[u32]) -> String {
        let cards = watched.iter().filter_map(|robot| self.cards.get(robot).map(|card| &**card)).collect();
        let Self { run, at_s: at, live, glance, .. } = self;
        ToPage::Moment(wire::Moment { run: *run, at: *at, live: *live, glance, cards }).to_text()
    }
}

/// So many lines of a log are kept for viewers: with a hundred bytes of text each, some 100 MB. The first ones, since pages
/// and stories number them from the beginning; a last line says that there are more.
pub const MOST_LINES: usize = 200_000;
/// The last line of a log that is longer.
const MORE: &str = "More happens than is kept here: start the console with --log FILE, which writes everything.";

/// The log of a run, as far as it is kept.
#[derive(Default)]
pub struct Book {
    /// Number of the run that the log belongs to.
    pub run: u64,
    /// Its lines.
    pub lines: Vec<Arc<Line>>,
}

impl Book {
    /// One more line, if it is kept.
    fn add(&mut self, line: Line) {
        if self.lines.len() > MOST_LINES {
            return;
        }
        let last = self.lines.len() == MOST_LINES;
        let more = |line: &Line| {
            let text = MORE.to_owned();
            let raw = format!("{:.3}\t{MORE}", line.at);
            Line { robot: None, author: None, task: None, kind: LineKind::Note, raw, text, ..line.clone() }
        };
        self.lines.push(Arc::new(if last { more(&line) } else { line }));
    }
}

/// What everybody sees.
pub struct Audience {
    /// New for each server.
    pub server: String,
    /// The newest poses.
    pub frame: watch::Sender<Bytes>,
    /// The newest moment.
    pub moment: watch::Sender<Moment>,
    /// What is loaded, if something is.
    pub run: watch::Sender<Option<Arc<Run>>>,
    /// Speed, how far the run has come, whether it goes on: the newest.
    pub standing: watch::Sender<Option<Standing>>,
    /// What could not be done: for one viewer, or for everybody.
    pub trouble: broadcast::Sender<(Option<u64>, Arc<Trouble>)>,
    /// How many lines the log has.
    pub lines: watch::Sender<(u64, usize)>,
    book: RwLock<Book>,
    watched: Mutex<BTreeMap<u64, Vec<u32>>>,
}

impl Audience {
    /// Nobody looks on yet, and there is nothing to see.
    pub fn new(server: String) -> Self {
        Self {
            server,
            frame: watch::Sender::new(Bytes::new()),
            moment: watch::Sender::new(Moment::default()),
            run: watch::Sender::new(None),
            standing: watch::Sender::new(None),
            trouble: broadcast::Sender::new(64),
            lines: watch::Sender::new((0, 0)),
            book: RwLock::default(),
            watched: Mutex::default(),
        }
    }

    /// Another run begins, with an empty log.
    pub fn begin(&self, run: u64) {
        *self.book.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = Book { run, ..Book::default() };
        self.lines.send_replace((run, 0));
    }

    /// More lines of the log.
    pub fn log(&self, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        let mut book = self.book.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let before = book.lines.len();
        lines.into_iter().for_each(|line| book.add(line));
        if book.lines.len() == before {
            return;
        }
        let now = (book.run, book.lines.len());
        drop(book);
        self.lines.send_replace(now);
    }

    /// Lines of the log from a number on, at most `most` of them, with their run.
    pub fn lines_from(&self, from: usize, most: usize) -> (u64, Vec<Arc<Line>>) {
        let book = self.book.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let lines = book.lines.iter().skip(from).take(most).cloned().collect();
        (book.run, lines)
    }

    /// The log as it stands in a file, as far as it is kept.
    pub fn raw(&self) -> String {
        let book = self.book.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        book.lines.iter().flat_map(|line| [&line.raw, "\n"]).collect()
    }

    /// Something could not be done: the viewer that asked is told, or all are.
    pub fn complain(&self, viewer: Option<u64>, trouble: Trouble) {
        // Without viewers there is nobody to tell.
        let _ = self.trouble.send((viewer, Arc::new(trouble)));
    }

    /// A viewer watches these robots.
    pub fn watch(&self, viewer: u64, robots: Vec<u32>) {
        self.watchers().insert(viewer, robots);
    }

    /// A viewer has left.
    pub fn leave(&self, viewer: u64) {
        self.watchers().remove(&viewer);
    }

    /// How many viewers there are.
    pub fn viewers(&self) -> usize {
        self.watchers().len()
    }

    /// The robots that anybody watches, at most so many: the first of everybody, then the second, so that each viewer gets
    /// some.
    pub fn watched(&self, most: usize) -> Vec<u32> {
        let watchers = self.watchers();
        let longest = watchers.values().map(Vec::len).max().unwrap_or(0);
        let mut robots = std::collections::BTreeSet::new();
        for robot in (0..longest).flat_map(|turn| watchers.values().filter_map(move |robots| robots.get(turn))) {
            if robots.len() == most {
                break;
            }
            robots.insert(*robot);
        }
        robots.into_iter().collect()
    }

    fn watchers(&self) -> MutexGuard<'_, BTreeMap<u64, Vec<u32>>> {
        self.watched.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::scene::RobotState;

    /// However many watch however much, each gets something.
    #[test]
    fn everybody_gets_some_cards() {
        let audience = Audience::new("here".to_owned());
        for viewer in 0..6 {
            audience.watch(viewer, (100 * viewer as u32..100 * viewer as u32 + 100).collect());
        }
        let watched = audience.watched(60);
        assert_eq!(watched.len(), 60);
        assert!((0..6).all(|viewer| watched.contains(&(100 * viewer + 9))));
        assert_eq!(audience.watched(1_000).len(), 600);
    }

    /// A run may last for ever; what is kept of its log may not, and says so.
    #[test]
    fn a_log_without_end_is_cut_with_a_remark() {
        let audience = Audience::new("here".to_owned());
        audience.begin(1);
        let line = |n: u64| Line {
            n,
            at: n as f64,
            robot: Some(1),
            author: None,
            task: None,
            kind: LineKind::Call,
            text: "calls".to_owned(),
            raw: format!("{n} calls"),
        };
        for n in 0..(MOST_LINES as u64 + 1_000) {
            audience.log(vec![line(n)]);
        }
        assert_eq!(*audience.lines.borrow(), (1, MOST_LINES + 1));
        let (_, last) = audience.lines_from(MOST_LINES - 1, 10);
        assert_eq!(last.len(), 2, "the last that is kept, and the remark");
        assert_eq!((last[1].n, last[1].text.as_str()), (MOST_LINES as u64, MORE));
        let raw = audience.raw();
        assert!(raw.starts_with("0 calls\n1 calls\n") && raw.trim_end().ends_with(MORE), "{}", raw.len());
        audience.begin(2);
        audience.log(vec![line(0)]);
        assert_eq!(audience.raw(), "0 calls\n");
    }

    /// A viewer gets the cards that it asked for and no others.
    #[test]
    fn cards_go_to_those_who_watch() {
        let card = |robot| Card {
            robot,
            name: "r".to_owned(),
            state: RobotState::Idle,
            place: [0.0, 0.0],
            failure: None,
            fields: Vec::new(),
        };
        let moment = Moment::new(7, 1.5, true, Glance::default(), [card(1), card(4)]);
        let sent: Value = serde_json::from_str(&moment.to_text(&[4, 9])).expect("it is JSON");
        assert_eq!(sent["cards"].as_array().map(Vec::len), Some(1));
        assert_eq!((&sent["cards"][0]["robot"], &sent["run"], &sent["at"]), (&json!(4), &json!(7), &json!(1.5)));
        assert_eq!((&sent["t"], &sent["counts"]["sent"]), (&json!("moment"), &json!(0)));
    }
}
