//! Missions drawn from a seed, as the text of a scenario: other fields, other teams, everything at the same instant,
//! everything failing; and as a second text what is done to them while they go on. A failure can be saved to two files,
//! looked at and made smaller by hand.

pub mod alliance;
mod interventions;
pub mod reception;
pub mod recruitment;
pub mod tasking;

use std::fmt::Write;

use muster_core::rng::Stream;

/// A mission that was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The scenario.
    pub scenario: String,
    /// What is done to it, as `muster run --interventions` reads it; empty if nothing is.
    pub interventions: String,
}

/// A mission to which nothing is done.
fn undisturbed(scenario: String) -> Texts {
    Texts { scenario, interventions: String::new() }
}

/// A text, as it is put together.
pub struct Text<'a> {
    stream: &'a mut Stream,
    text: String,
}

impl<'a> Text<'a> {
    /// Nothing yet.
    pub fn new(stream: &'a mut Stream) -> Self {
        Self { stream, text: String::new() }
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text
    }

    /// One more line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A number between two, with three decimals: what is printed is what is run.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        (self.stream.between(low, high) * 1_000.0).round() / 1_000.0
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + self.stream.below(high - low + 1)
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.stream.chance(p)
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.stream.below(choices.len() as u32) as usize]
    }

    /// A place in a field, as a file has it.
    pub fn place(&mut self, width: f64, height: f64) -> String {
        format!("[{}, {}]", self.number(0.0, width), self.number(0.0, height))
    }

    /// A radio as bad as radios get: loss, delay of up to `slow_ms`, doubled and overtaking messages, range, jams, spells.
    pub fn radio(&mut self, robots: &[String], (width, height): (f64, f64), until_s: f64, slow_ms: f64) {
        self.line("[radio]");
        let loss = self.one_of(&[0.0, 0.0, 0.1, 0.3, 0.6]);
        self.line(format!("loss = {loss}"));
        if self.chance(0.5) {
            self.line("loss_per = \"receiver\"");
        }
        let latency = self.one_of(&[0.002, 0.1, 0.6]) * slow_ms;
        self.line(format!("latency_ms = {latency}"));
        if self.chance(0.5) {
            let (jitter, straggle) = (self.number(0.0, 0.4 * slow_ms), self.number(0.1, 8.0));
            let (double, late) = (self.number(0.0, 0.3), self.number(0.0, 0.3));
            self.line(format!(
                "jitter_ms = {jitter}\nduplication = {double}\nreordering = {late}\nstraggle_s = {straggle}"
            ));
        }
        if self.chance(0.2) {
            let range = self.number(0.3, 1.0) * width.max(height);
            self.line(format!("range_m = {range}"));
        }
        if self.chance(0.2) {
            self.line("bursts = { good_s = 60, bad_s = 10, loss = 1.0 }");
        }
        if self.chance(0.2) {
            let (from, lasts) = (self.number(0.0, until_s), self.number(1.0, until_s));
            let (place, radius) = (self.place(width, height), self.number(1.0, width));
            self.line(format!(
                "[[radio.jam]]\nfrom_s = {from}\nto_s = {}\nplace = {place}\nradius_m = {radius}",
                from + lasts
            ));
        }
        if self.chance(0.2) && robots.len() > 1 {
            let (from, lasts) = (self.number(0.0, until_s), self.number(1.0, until_s));
            let cut = self.whole(1, robots.len() as u32 - 1) as usize;
            let part = quoted(&robots[..cut]);
            self.line(format!("[[radio.partition]]\nfrom_s = {from}\nto_s = {}\nparts = [[{part}]]", from + lasts));
        }
    }

    /// Faults of any kind at any time, several at one instant as likely as not. Those in `spared` never stop for good.
    pub fn faults(&mut self, robots: &[String], spared: &[String], most: u32, until_s: f64) {
        let mut at_s = self.number(0.0, until_s);
        for _ in 0..self.whole(0, most) {
            if self.chance(0.6) {
                at_s = self.number(0.0, until_s);
            }
            let robot = robots[self.stream.below(robots.len() as u32) as usize].clone();
            let kinds = ["stop", "pause", "restart", "restart", "deaf", "mute", "offline"];
            let from = usize::from(spared.contains(&robot));
            let kind = self.one_of(&kinds[from..]);
            self.line(format!("[[faults]]\nrobot = \"{robot}\"\nat_s = {at_s}\nkind = \"{kind}\""));
            if kind != "stop" {
                let lasts = self.number(0.01, 40.0);
                self.line(format!("for_s = {lasts}"));
            }
            if kind == "restart" && self.chance(0.5) {
                self.line("memory = false");
            }
        }
    }
}

/// Names as a list of a file has them, without its brackets.
fn quoted(names: &[String]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(text, "{comma}\"{name}\"").expect("a string takes everything");
    }
    text
}
