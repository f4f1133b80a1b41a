//! Explanations against a brute-force recomputation from the recorded trace, which knows nothing of notes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use muster_core::recruitment::{Memory, Message, Request, Strategy, Timer};
use muster_core::{Duration, Point, RobotId, Time};
use muster_sim::Seeds;
use muster_sim::explain::Explainer;
use muster_sim::recording::{self, Entry, Given, Header, Put, Recording};
use muster_sim::scenario;

/// What the trace says about one award.
#[derive(Debug, Default, PartialEq)]
struct Reckoned {
    at: Time,
    chosen: Option<RobotId>,
    /// Offers that the requester heard, by robot.
    offers: BTreeMap<RobotId, Duration>,
    /// Robots with the percept that heard the call and did not answer, with their SHAME in thousandths.
    silent: BTreeMap<RobotId, i64>,
}

/// SHAME by the paper's formulas, written a second time on purpose.
#[derive(Clone, Default)]
struct Feelings {
    shame: f64,
    last: Time,
    heard: Option<Request>,
    place: Point,
}

fn thousandths(shame: f64) -> i64 {
    (shame * 1_000.0).round() as i64
}

/// Every award, from inputs and outputs alone.
fn reckon(recording: &Recording) -> Vec<Reckoned> {
    let mission = &recording.header.loaded.mission;
    let mut feelings = vec![Feelings::default(); mission.robots.len()];
    let mut sent: Vec<(RobotId, Message)> = Vec::new();
    let mut calls: BTreeMap<Request, Reckoned> = BTreeMap::new();
    let mut awards = Vec::new();
    for (at, bytes) in &recording.events {
        let mut entries: Vec<Entry<Message, Timer, Memory>> = Vec::new();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (entry, next) = postcard::take_from_bytes(rest).unwrap();
            entries.push(entry);
            rest = next;
        }
        for (index, entry) in entries.iter().enumerate() {
            let outputs = || {
                entries[index + 1..].iter().take_while(|entry| !matches!(entry, Entry::Input { .. })).filter_map(
                    |entry| {
                        if let Entry::Output(Put::Send(_, message)) = entry { Some(message) } else { None }
                    },
                )
            };
            let Entry::Input { robot, moved, given } = entry else { continue };
            let own = &mut feelings[robot.index()];
            if let Some(pose) = moved {
                own.place = pose.place;
            }
            match given {
                Given::Start(_) => *own = Feelings { place: own.place, ..Feelings::default() },
                Given::Heard(number) => match &sent[*number as usize] {
                    (_, Message::Help { request, place, needs }) => {
                        let same =
                            |heard: &Request| Request { attempt: 0, ..*heard } == Request { attempt: 0, ..*request };
                        let known = own.heard.is_some_and(|heard| same(&heard) && request.attempt <= heard.attempt);
                        if !known {
                            own.heard = Some(*request);
                        }
                        if !known && mission.robots[robot.index()].percepts.cover(*needs) {
                            own.shame = (own.shame - 0.005 * at.since(own.last).as_secs_f64()).max(0.0);
                            own.last = *at;
                            let weighed = own.shame;
                            if outputs().any(|message| matches!(message, Message::Accept { .. })) {
                                own.shame = 0.0;
                            } else {
                                own.shame = (own.shame + 0.2 + 0.5 / own.place.distance(*place)).min(1.0);
                                let call = calls.entry(*request).or_default();
                                call.silent.insert(*robot, thousandths(weighed));
                            }
                        }
                    }
                    (from, Message::Accept { request, eta }) if request.requester == *robot => {
                        calls.entry(*request).or_default().offers.insert(*from, *eta);
                    }
                    _ => {}
                },
                _ => {}
            }
            for message in outputs() {
                sent.push((*robot, message.clone()));
                if let Message::Responder { request, chosen } = message {
                    let call = calls.remove(request).unwrap_or_default();
                    awards.push(Reckoned { at: *at, chosen: Some(*chosen), ..call });
                }
            }
        }
    }
    awards
}

#[test]
fn a_thousand_runs_are_explained_as_the_trace_has_them() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explained.mcap");
    std::fs::create_dir_all(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (mut awards, mut silences, mut others) = (0, 0, 0);
    for seed in 0..1_000 {
        let strategy = Strategy::ALL[seed as usize % 3];
        let changes = ["radio.loss=0.15".to_owned(), "radio.duplication=0.05".to_owned()];
        let header = Header {
            loaded: scenario::load("minefield", &changes).unwrap(),
            strategy,
            seeds: Seeds::from(seed),
            program: (String::new(), String::new()),
        };
        recording::record(&path, &header, |_| ()).unwrap();
        let recording = recording::read(&path).unwrap();
        let config = header.loaded.recruitment(strategy);
        let mut explainer = Explainer::new(&header.loaded, &config);
        let mut texts = Vec::new();
        for note in &recording::replay(&recording).notes {
            let before = explainer.awards().len();
            let line = explainer.line(note);
            if explainer.awards().len() > before {
                texts.push(line.text);
            }
        }
        let reckoned = reckon(&recording);
        assert_eq!(explainer.awards().len(), reckoned.len(), "seed {seed}");
        for ((award, reckoned), text) in explainer.awards().iter().zip(&reckoned).zip(&texts) {
            let mut offers: BTreeMap<RobotId, Duration> =
                award.others.iter().map(|offer| (offer.robot, offer.eta)).collect();
            offers.insert(award.chosen.robot, award.chosen.eta);
            let silent = award.silent.iter().map(|quiet| (quiet.robot, thousandths(quiet.shame))).collect();
            let explained = Reckoned { at: award.at, chosen: Some(award.chosen.robot), offers, silent };
            assert_eq!(explained, *reckoned, "seed {seed}");
            // The sentence names them all, with their numbers.
            let name = |robot: RobotId| explainer.robot(robot);
            assert!(text.contains(&format!("chooses {} for", name(award.chosen.robot))), "{text}");
            assert!(text.contains(&format!("ETA {:.1}", award.chosen.eta)), "{text}");
            for offer in &award.others {
                assert!(text.contains(&format!("{} {:.1}", name(offer.robot), offer.eta)), "{text}");
            }
            for quiet in &award.silent {
                let said = text.split("silent: ").nth(1).unwrap_or_default();
                assert!(said.contains(&format!("{} ", name(quiet.robot))), "{text}");
                assert!(said.contains(&format!("SHAME {:.2}", quiet.shame)), "{text}");
            }
            awards += 1;
            silences += award.silent.len();
            others += award.others.len();
        }
    }
    assert!(awards > 5_000 && silences > 5_000 && others > 10_000, "{awards} {silences} {others}");
}
