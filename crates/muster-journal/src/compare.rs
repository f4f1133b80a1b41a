//! Compares what is made again with what was recorded, event by event, byte for byte, and puts the first difference in
//! words.

use std::marker::PhantomData;
use std::sync::Arc;

use muster_core::mechanism::Mechanism;
use muster_core::{Names, RobotId, Time};

use crate::cast::Cast;
use crate::entry::{Entry, Owned};
use crate::journal::Sink;
use crate::reader::Recording;

/// Puts entries in words.
pub trait Words: Clone {
    /// What the first of `entries` says, and what is left behind it; nothing if it cannot be read. Asked for one after the
    /// other, beginning with the first of an event.
    fn take<'b>(&mut self, entries: &'b [u8]) -> Option<(String, &'b [u8])>;
}

/// What was recorded, as far as what is made again has not come to it yet.
#[derive(Clone)]
pub struct Comparison<'a, W> {
    words: W,
    rest: &'a [(Time, Vec<u8>)],
    ends_early: bool,
    difference: Option<String>,
}

impl<'a, W: Words> Comparison<'a, W> {
    /// Nothing is compared yet.
    pub fn new<H>(recording: &'a Recording<H>, words: W) -> Self {
        let Recording { events, cut, .. } = recording;
        Self { words, rest: events, ends_early: cut.is_some(), difference: None }
    }

    /// The run is over: what was recorded beyond is a difference.
    pub fn ended(&mut self) {
        if self.difference.is_none() {
            self.difference = self.rest.first().and_then(|(at, entries)| {
                let first = self.walk(entries).entry().text?;
                Some(format!("at {at}: {first} was recorded, but the run is over before"))
            });
        }
    }

    /// The first difference between the run so far and the recording, in words.
    pub fn difference(&self) -> Option<&str> {
        self.difference.as_deref()
    }

    /// The rest of the run would show nothing new: there is a difference, or the recording ends early and does so here.
    pub fn is_settled(&self) -> bool {
        self.difference.is_some() || (self.ends_early && self.rest.is_empty())
    }

    fn walk<'b>(&self, entries: &'b [u8]) -> Walk<'b, W> {
        Walk { words: self.words.clone(), rest: entries }
    }

    fn first_difference(&self, recorded: &[u8], made: &[u8]) -> String {
        let (mut recorded, mut made) = (self.walk(recorded), self.walk(made));
        loop {
            let (was, is) = (recorded.entry(), made.entry());
            if was.bytes == is.bytes && !was.bytes.is_empty() {
                continue;
            }
            return match (was.text, is.text) {
                (Some(was), Some(is)) => format!("{was} was recorded, but the run has {is}"),
                (Some(was), None) => format!("{was} was recorded, but the run has nothing of the kind"),
                (None, Some(is)) => format!("{is} is missing"),
                (None, None) => "something else was recorded".to_owned(),
            };
        }
    }
}

impl<W: Words> Sink for Comparison<'_, W> {
    fn event(&mut self, at: Time, entries: &[u8]) {
        if self.is_settled() {
            return;
        }
        let first = |entries| self.walk(entries).entry().text.unwrap_or_default();
        let Some(((recorded_at, recorded), rest)) = self.rest.split_first() else {
            let first = first(entries);
            self.difference = Some(format!("at {at}: {first} is missing: the recording ends before the run does"));
            return;
        };
        if *recorded_at != at {
            let (recorded, made) = (first(recorded), first(entries));
            self.difference =
                Some(format!("at {recorded_at}: {recorded} was recorded, but the run has {made} at {at} instead"));
        } else if recorded != entries {
            self.difference = Some(format!("at {at}: {}", self.first_difference(recorded, entries)));
        }
        self.rest = rest;
    }
}

/// Goes through the entries of an event and puts them in words.
struct Walk<'b, W> {
    words: W,
    rest: &'b [u8],
}

struct Told<'b> {
    bytes: &'b [u8],
    /// `None` at the end.
    text: Option<String>,
}

impl<'b, W: Words> Walk<'b, W> {
    fn entry(&mut self) -> Told<'b> {
        let before = self.rest;
        if before.is_empty() {
            return Told { bytes: before, text: None };
        }
        let Some((text, rest)) = self.words.take(before) else {
            self.rest = &[];
            return Told { bytes: before, text: Some(format!("an entry that cannot be read ({before:?})")) };
        };
        self.rest = rest;
        Told { bytes: &before[..before.len() - rest.len()], text: Some(text) }
    }
}

/// The words of inputs and outputs of a mechanism's machines.
pub struct InWords<M> {
    cast: Arc<Cast>,
    /// Whose input came last.
    robot: String,
    mechanism: PhantomData<M>,
}

impl<M> InWords<M> {
    /// With the names of these.
    pub fn of(cast: impl Into<Arc<Cast>>) -> Self {
        Self { cast: cast.into(), robot: String::new(), mechanism: PhantomData }
    }
}

impl<M> Clone for InWords<M> {
    fn clone(&self) -> Self {
        Self { cast: self.cast.clone(), robot: self.robot.clone(), mechanism: PhantomData }
    }
}

impl<M: Mechanism> Words for InWords<M> {
    fn take<'b>(&mut self, entries: &'b [u8]) -> Option<(String, &'b [u8])> {
        let (entry, rest) = postcard::take_from_bytes::<Owned<M>>(entries).ok()?;
        let text = match entry {
            Entry::Input { robot, moved, given } => {
                self.robot = self.cast.robot(robot).to_string();
                let motion = moved.map(|motion| format!(", its body {motion:?}")).unwrap_or_default();
                format!("{}: input {given:?}{motion}", self.robot)
            }
            Entry::Output(put) => format!("{}: output {put:?}", self.robot),
            Entry::Lost => format!("{}: its transmission is lost", self.robot),
            Entry::Intervened(text) => {
                format!("the intervention {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Entry::Happened { robot, what } => {
                let name =
                    if robot == RobotId::NOBODY { "radio".to_owned() } else { self.cast.robot(robot).to_string() };
                format!("{name}: it happened that {what:?}")
            }
            Entry::Drew(draws) => format!("what was drawn, {draws:?},"),
        };
        Some((text, rest))
    }
}
