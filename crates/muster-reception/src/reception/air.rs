//! What lies between robots. At the paper's reception nothing does: calls reach the other at once. Over a radio that loses
//! or delays, the same robots work with what they last heard of each other.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::robot::{Command, Published};
use muster_core::rng::{Purpose, Stream};
use muster_core::{Duration, Time};
use serde::{Deserialize, Serialize};

/// What robots talk over: how much of it is lost, and how long the rest takes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The share of what is sent to one robot by another that never arrives.
    pub loss: f64,
    /// How long the rest takes.
    pub latency: Duration,
}

impl Link {
    /// Everything arrives at once.
    pub const PERFECT: Self = Self { loss: 0.0, latency: Duration::ZERO };
}

/// Something under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Packet {
    /// The robot of this number makes this known.
    Published(usize, Published),
    /// A robot tells another something.
    Command(Command),
}

/// A radio at work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Air {
    link: Link,
    dice: Stream,
    /// By receiver, then by sender: the last that was heard. Nothing if everything is.
    heard: Vec<Arc<[Published]>>,
    /// Arrival and receiver, in the order of sending, which is that of arrival: all take equally long.
    under_way: VecDeque<(Time, usize, Packet)>,
}

impl Air {
    /// With nothing under way, and everybody knowing how everybody begins.
    pub fn new(link: Link, seed: u64, published: &Arc<[Published]>) -> Self {
        let heard = if link == Link::PERFECT { Vec::new() } else { vec![published.clone(); published.len()] };
        Self { link, dice: Stream::of_run(seed, Purpose::Radio), heard, under_way: VecDeque::new() }
    }

    /// What a robot knows of all, given how they are.
    pub fn known_to<'a>(&'a self, receiver: usize, published: &'a Arc<[Published]>) -> &'a Arc<[Published]> {
        self.heard.get(receiver).unwrap_or(published)
    }

    /// All robots make known how they are.
    pub fn publish(&mut self, now: Time, published: &[Published]) {
        for (receiver, heard) in self.heard.iter_mut().enumerate() {
            for (sender, news) in published.iter().enumerate() {
                if sender == receiver {
                    Arc::make_mut(heard)[sender].clone_from(news);
                } else if !self.dice.chance(self.link.loss) {
                    let packet = Packet::Published(sender, news.clone());
                    self.under_way.push_back((now + self.link.latency, receiver, packet));
                }
            }
        }
    }

    /// A robot tells the one of this number something; tells whether that will arrive.
    pub fn tell(&mut self, now: Time, receiver: usize, command: Command) -> bool {
        let lost = self.dice.chance(self.link.loss);
        if !lost {
            self.under_way.push_back((now + self.link.latency, receiver, Packet::Command(command)));
        }
        !lost
    }

    /// What has arrived by now: commands, each with the number of its receiver. What robots made known is told to `reached`,
    /// with the numbers of receiver and sender.
    pub fn arrive(&mut self, now: Time, mut reached: impl FnMut(usize, usize, &Published)) -> Vec<(usize, Command)> {
        let mut commands = Vec::new();
        while let Some((_, receiver, packet)) = self.under_way.pop_front_if(|(at, _, _)| *at <= now) {
            match packet {
                Packet::Published(sender, news) => {
                    reached(receiver, sender, &news);
                    Arc::make_mut(&mut self.heard[receiver])[sender] = news;
                }
                Packet::Command(command) => commands.push((receiver, command)),
            }
        }
        commands
    }
}
