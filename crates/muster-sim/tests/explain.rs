//! Explanations against a brute-force recomputation from the recorded trace, which knows nothing of notes.

mod faulty;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use muster_core::Event;
use muster_core::event::{Happening, Intervened};
use muster_core::motion::Motion;
use muster_core::recruitment::{self, Awaited, Silence};
use muster_core::recruitment::{Memory, Message, Request, Strategy, Timer};
use muster_core::telling::{Award, Offer, Value};
use muster_core::{Duration, Note, Point, RobotId, TaskId, Time};
use muster_journal::{Entry, Given, Put};
use muster_sim::Ledger;
use muster_sim::recording::{self, Header, Recording};

/// What the trace says about one award, or about a call that brought no answer.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reckoned {
    at: Time,
    chosen: Option<RobotId>,
    /// Offers that the requester heard, by robot.
    offers: BTreeMap<RobotId, Duration>,
    /// Robots with the percept that heard the call and did not answer, with their SHAME in thousandths.
    silent: BTreeMap<RobotId, i64>,
    /// Offers that were made and that the requester did not hear.
    unheard: BTreeMap<RobotId, Duration>,
    /// Robots without the percept that heard the call.
    unable: BTreeSet<RobotId>,
    /// Robots that heard it and took it for one that is long over.
    dropped: BTreeSet<RobotId>,
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

/// Every award and every call that brought no answer, from inputs and outputs alone.
fn reckon(recording: &Recording) -> (Vec<Reckoned>, Vec<Reckoned>) {
    let mission = &recording.header.origin.loaded.mission;
    let mut feelings = vec![Feelings::default(); mission.robots.len()];
    let mut sent: Vec<(RobotId, Message)> = Vec::new();
    let mut calls: BTreeMap<Request, Reckoned> = BTreeMap::new();
    let mut motions: BTreeMap<RobotId, Motion> = BTreeMap::new();
    let (mut awards, mut unanswered) = (Vec::new(), Vec::new());
    // The call that each requester waits for answers to.
    let mut waiting: BTreeMap<RobotId, Request> = BTreeMap::new();
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
            if let Some(motion) = moved {
                motions.insert(*robot, motion.clone());
            }
            if let Some(motion) = motions.get(robot) {
                own.place = motion.place(*at);
            }
            match given {
                Given::Start(_) => {
                    *own = Feelings { place: own.place, ..Feelings::default() };
                    waiting.remove(robot);
                }
                Given::Fired(Timer::Requesting) => {
                    if let Some(request) = waiting.remove(robot)
                        && let Some(call) = calls.get(&request)
                        && call.offers.is_empty()
                    {
                        unanswered.push(Reckoned { at: *at, ..call.clone() });
                    }
                }
                Given::Heard(number) => match &sent[*number as usize] {
                    (_, Message::Help { request, place, needs }) => {
                        let same =
                            |heard: &Request| Request { attempt: 0, ..*heard } == Request { attempt: 0, ..*request };
                        let known = own.heard.is_some_and(|heard| same(&heard) && request.attempt <= heard.attempt);
                        let over = own.heard.is_some_and(|heard| {
                            let ago = heard.incarnation.wrapping_sub(request.incarnation);
                            heard.requester == request.requester && (1..=256).contains(&ago)
                        });
                        let call = calls.entry(*request).or_default();
                        let able = mission.robots[robot.index()].percepts.cover(*needs);
                        if over {
                            call.dropped.insert(*robot);
                        } else if !known && !able {
                            call.unable.insert(*robot);
                        }
                        if !known && !over {
                            own.heard = Some(*request);
                        }
                        if !known && !over && able {
                            own.shame = (own.shame - 0.005 * at.since(own.last).as_secs_f64()).max(0.0);
                            own.last = *at;
                            let weighed = own.shame;
                            if outputs().any(|message| matches!(message, Message::Accept { .. })) {
                                own.shame = 0.0;
                            } else {
                                own.shame = (own.shame + 0.2 + 0.5 / own.place.distance(*place)).min(1.0);
                                call.silent.insert(*robot, thousandths(weighed));
                            }
                        }
                    }
                    (from, Message::Accept { request, eta }) if request.requester == *robot => {
                        let call = calls.entry(*request).or_default();
                        call.unheard.remove(from);
                        call.offers.insert(*from, *eta);
                    }
                    _ => {}
                },
                _ => {}
            }
            for message in outputs() {
                sent.push((*robot, message.clone()));
                match message {
                    Message::Help { request, .. } => {
                        calls.entry(*request).or_default();
                        waiting.insert(*robot, *request);
                    }
                    Message::Accept { request, eta } => {
                        calls.entry(*request).or_default().unheard.insert(*robot, *eta);
                    }
                    Message::Responder { request, chosen } => {
                        waiting.remove(robot);
                        let call = calls.remove(request).unwrap_or_default();
                        awards.push(Reckoned { at: *at, chosen: Some(*chosen), ..call });
                    }
                    _ => {}
                }
            }
        }
    }
    (awards, unanswered)
}

fn eta(offer: &Offer) -> Duration {
    match offer.value {
        Some(Value::Eta(eta)) => eta,
        other => panic!("an offer of {other:?}"),
    }
}

/// A run with its explanation, line by line.
struct Explained {
    header: Header,
    recording: Recording,
    ledger: Ledger,
    awards: Vec<(Award, String)>,
    /// Time-outs of calls, and take-overs.
    lines: Vec<(Event, Time, RobotId, String)>,
}

fn explained(header: Header) -> Explained {
    let path =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("explained-{:?}.mcap", std::thread::current().id()));
    std::fs::create_dir_all(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let ledger = recording::record(&path, &header, || false).unwrap().ledger;
    let recording = recording::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut explainer = header.origin.explainer();
    let (mut awards, mut lines) = (Vec::new(), Vec::new());
    for note in &recording::replay(&recording).notes {
        let line = explainer.line(note);
        if let Some(award) = line.award {
            awards.push((award, line.text));
        } else {
            lines.push((note.event.clone(), note.at, note.robot, line.text));
        }
    }
    Explained { header, recording, ledger, awards, lines }
}

impl Explained {
    fn name(&self, robot: RobotId) -> &str {
        &self.header.origin.loaded.mission.robots[robot.index()].name
    }

    /// Every award is as the trace has it, and its sentence names all with their numbers.
    fn check_awards(&self, reckoned: &[Reckoned]) {
        assert_eq!(self.awards.len(), reckoned.len());
        for ((award, text), reckoned) in self.awards.iter().zip(reckoned) {
            let mut offers: BTreeMap<RobotId, Duration> =
                award.heard().map(|offer| (offer.robot, eta(offer))).collect();
            offers.insert(award.chosen.robot, eta(&award.chosen));
            let silent = award.silent.iter().map(|quiet| (quiet.robot, thousandths(quiet.weighed))).collect();
            let unheard = award.unheard().map(|offer| (offer.robot, eta(offer))).collect();
            let (unable, dropped) = (reckoned.unable.clone(), reckoned.dropped.clone());
            let chosen = Some(award.chosen.robot);
            let explained = Reckoned { at: award.at, chosen, offers, silent, unheard, unable, dropped };
            assert_eq!(explained, *reckoned);
            assert!(text.contains(&format!("chooses {} for", self.name(award.chosen.robot))), "{text}");
            assert!(text.contains(&format!("ETA {:.1}", eta(&award.chosen))), "{text}");
            for offer in &award.others {
                assert!(text.contains(&format!("{} {:.1}", self.name(offer.robot), eta(offer))), "{text}");
            }
            for quiet in &award.silent {
                let said = text.split("silent: ").nth(1).unwrap_or_default();
                assert!(said.contains(&format!("{} ", self.name(quiet.robot))), "{text}");
                assert!(said.contains(&format!("SHAME {:.2}", quiet.weighed)), "{text}");
            }
        }
    }

    /// Every call without an answer says what became of it: nothing, only if nobody heard it.
    fn check_time_outs(&self, reckoned: &[Reckoned]) -> [usize; 5] {
        let time_out = |event: &Event| {
            matches!(event, Event::Recruitment(recruitment::Step::TimedOut { waiting_for: Awaited::Accept, .. }))
        };
        let told: Vec<_> = self.lines.iter().filter(|(event, ..)| time_out(event)).collect();
        assert_eq!(told.len(), reckoned.len());
        let mut met = [0; 5];
        for ((_, at, _, text), call) in told.into_iter().zip(reckoned) {
            assert_eq!(*at, call.at, "{text}");
            // The robots named in the part of the sentence that begins with `word`.
            let named = |word: &str| -> BTreeSet<String> {
                let part = text.split(&format!("{word}: ")).nth(1).unwrap_or_default();
                let part = part.split(';').next().unwrap_or_default();
                part.split(", ").filter_map(|item| item.split(' ').next()).map(str::to_owned).collect()
            };
            let names = |robots: &mut dyn Iterator<Item = &RobotId>| -> BTreeSet<String> {
                let names: BTreeSet<String> = robots.map(|robot| self.name(*robot).to_owned()).collect();
                if names.is_empty() { [String::new()].into() } else { names }
            };
            assert_eq!(named("answered unheard"), names(&mut call.unheard.keys()), "{text}");
            assert_eq!(named("silent"), names(&mut call.silent.keys()), "{text}");
            assert_eq!(named("unable"), names(&mut call.unable.iter()), "{text}");
            for robot in &call.dropped {
                assert!(text.contains(self.name(*robot)), "{text}");
            }
            let nobody =
                call.unheard.is_empty() && call.silent.is_empty() && call.unable.is_empty() && call.dropped.is_empty();
            if !text.contains("dropped a HELP") {
                assert_eq!(text.ends_with("nobody heard it"), nobody, "{text}");
            }
            let cases = [
                !call.unheard.is_empty(),
                !call.silent.is_empty(),
                !call.unable.is_empty(),
                !call.dropped.is_empty(),
                nobody,
            ];
            met.iter_mut().zip(cases).for_each(|(met, case)| *met += usize::from(case));
        }
        met
    }

    /// A take-over is told as an overlap with exactly those that were at work, as the ledger has it.
    fn check_overlaps(&self) -> [usize; 3] {
        let (mut overlaps, mut stopped, mut several) = (0, 0, 0);
        for (event, at, robot, text) in &self.lines {
            let Event::Recruitment(recruitment::Step::TookOver { task, .. }) = event else { continue };
            let work = &self.ledger.record(*task).unwrap().work;
            let began = work.iter().position(|spell| spell.robot == *robot && spell.from == *at).unwrap();
            let earlier = work[..began].iter().filter(|spell| spell.robot != *robot);
            let others: BTreeSet<String> = earlier
                .clone()
                .filter(|spell| spell.goes_on(*at))
                .map(|spell| self.name(spell.robot).to_owned())
                .collect();
            let told = text.split("OVERLAP: ").nth(1).unwrap_or_default();
            let told: BTreeSet<String> = told
                .split("; ")
                .filter_map(|part| part.split_once(" works there until "))
                .map(|(name, _)| name.to_owned())
                .collect();
            assert_eq!(told, others, "{text}");
            overlaps += usize::from(!others.is_empty());
            several += usize::from(others.len() > 1);
            // It would still be at it, had it not gone down.
            stopped +=
                earlier.filter(|spell| spell.until <= *at && at.since(spell.until) < Duration::from_secs(5)).count();
        }
        assert_eq!(overlaps as u64, self.ledger.overlaps());
        [overlaps, stopped, several]
    }
}

#[test]
fn a_thousand_runs_are_explained_as_the_trace_has_them() {
    let (mut awards, mut silences, mut others) = (0, 0, 0);
    for seed in 0..1_000 {
        let strategy = Strategy::ALL[seed as usize % 3];
        let run = explained(faulty::header(&["radio.loss=0.15", "radio.duplication=0.05"], strategy, seed));
        let (reckoned, unanswered) = reckon(&run.recording);
        run.check_awards(&reckoned);
        run.check_time_outs(&unanswered);
        run.check_overlaps();
        awards += run.awards.len();
        silences += run.awards.iter().map(|(award, _)| award.silent.len()).sum::<usize>();
        others += run.awards.iter().map(|(award, _)| award.others.len()).sum::<usize>();
    }
    assert!(awards > 5_000 && silences > 5_000 && others > 10_000, "{awards} {silences} {others}");
}

/// The same with robots that hang, restart, go deaf or mute, and stop for good, over a radio at its worst.
#[test]
fn faulty_runs_are_explained_as_the_trace_has_them() {
    let (mut time_outs, mut overlaps) = ([0; 5], [0; 3]);
    let nobody_can = ["robots.idle.percepts=[]", "limit_h=0.3", "radio.loss=0.3"];
    let unable = (0..10).map(|seed| faulty::header(&nobody_can, Strategy::Affective, seed));
    for header in (0..500).map(faulty::faulty).chain(unable) {
        let run = explained(header);
        let (reckoned, unanswered) = reckon(&run.recording);
        run.check_awards(&reckoned);
        let met = run.check_time_outs(&unanswered);
        time_outs.iter_mut().zip(met).for_each(|(sum, met)| *sum += met);
        overlaps.iter_mut().zip(run.check_overlaps()).for_each(|(sum, met)| *sum += met);
    }
    let [unheard, silent, unable, _, nobody] = time_outs;
    assert!(unheard > 100 && silent > 100 && unable > 100 && nobody > 100, "{time_outs:?}");
    assert!(overlaps[0] > 10, "{overlaps:?}");
}

/// Whoever has stopped is in nobody's way; all that are at work are named; and why an overlap came about is said only if
/// the notes tell.
#[test]
fn overlaps_name_who_works_and_why_as_far_as_known() {
    let told = |changes: &[&str], between: Option<(&str, Event)>| {
        let header = faulty::header(changes, Strategy::Greedy, 1);
        let mut explainer = header.origin.explainer();
        let robots = &header.origin.loaded.mission.robots;
        let robot = |name: &str| RobotId(robots.iter().position(|robot| &*robot.name == name).unwrap() as u32);
        let seconds = |seconds| Time::ZERO + Duration::from_secs(seconds);
        let (uav, task) = (robot("uav"), TaskId(0));
        let took_over = |round, until| {
            Event::Recruitment(recruitment::Step::TookOver { with: uav, task, round, until: seconds(until) })
        };
        let mut line = |at, robot, event| explainer.line(&Note { at: seconds(at), robot, event }).text;
        line(40, robot("idle-1"), took_over(1, 100));
        if let Some((name, event)) = between {
            line(45, robot(name), event);
        }
        (line(60, robot("idle-2"), took_over(2, 120)), line(70, robot("idle-3"), took_over(3, 130)))
    };
    let (second, third) = told(&[], None);
    assert!(second.ends_with(". OVERLAP: idle-1 works there until 100.0 s"), "{second}");
    assert!(
        third.ends_with(". OVERLAP: idle-1 works there until 100.0 s; idle-2 works there until 120.0 s"),
        "{third}"
    );
    let no_ackack =
        Event::Recruitment(recruitment::Step::TimedOut { task: TaskId(0), round: 1, waiting_for: Awaited::Ackack });
    let (second, third) = told(&[], Some(("uav", no_ackack)));
    assert!(second.ends_with("until 100.0 s: uav heard no ACKACK of it and called again"), "{second}");
    assert!(third.ends_with("idle-2 works there until 120.0 s"), "{third}");
    let (second, _) = told(&[], Some(("uav", Event::Started { incarnation: 2, remembered: false })));
    assert!(second.ends_with("until 100.0 s: uav has started again since and called anew"), "{second}");
    let down = Happening::WentDown { lasts: Duration::from_secs(1), memory: true };
    for happening in [Happening::Stopped, down] {
        let by_hand = Intervened {
            author: "a".into(),
            sentence: "b".into(),
            tasks: vec![],
            robots: vec![],
            effect: Some(happening),
            calls_off: false,
        };
        for event in [Event::Happened(happening), Event::Intervened(Arc::new(by_hand))] {
            let (second, third) = told(&[], Some(("idle-1", event)));
            assert!(!second.contains("OVERLAP"), "{second}");
            assert!(third.ends_with(". OVERLAP: idle-2 works there until 120.0 s"), "{third}");
        }
    }
    let (second, _) = told(&[], Some(("idle-1", Event::Happened(Happening::Deaf { lasts: Duration::from_secs(1) }))));
    assert!(second.contains("OVERLAP"), "{second}");
}

/// A robot that could help but is hours away is among the silent, with the reason.
#[test]
fn a_robot_too_far_away_is_named() {
    let changes = ["field.width_m=100000", "field.height_m=100000", "robots.idle.speed_mps=0.1", "limit_h=0.2"];
    let run = explained(faulty::header(&changes, Strategy::Greedy, 1));
    let texts: Vec<&str> = run.lines.iter().map(|(_, _, _, text)| &text[..]).collect();
    let far = texts.iter().any(|text| text.contains("gets no answer") && text.contains(" too far (SHAME 0.00)"));
    assert!(far, "{texts:?}");
    assert!(
        texts.iter().any(|text| text.contains("keeps silent") && text.ends_with("too far, SHAME 0.00")),
        "{texts:?}"
    );
}

/// SHAME is explained as the emotion it is: what the robot thinks when it begins, how strong it is, and since when. It
/// begins anew after the robot has answered.
#[test]
fn shame_says_what_it_thinks_and_since_when() {
    let header = faulty::header(&[], Strategy::Affective, 1);
    let mut explainer = header.origin.explainer();
    let robots = &header.origin.loaded.mission.robots;
    let robot = |name: &str| RobotId(robots.iter().position(|robot| &*robot.name == name).unwrap() as u32);
    let (uav, idle, task) = (robot("uav"), robot("idle-1"), TaskId(0));
    let mut told = |at_s, event| explainer.line(&Note { at: Time::from_secs_f64(at_s), robot: idle, event }).text;
    let why = Silence::Unashamed;
    let silent = |round, shame, shame_after| {
        Event::Recruitment(recruitment::Step::Silent {
            with: uav,
            task,
            round,
            why,
            shame,
            shame_after,
            threshold: 0.75,
            distance_m: 50.0,
        })
    };
    let first = told(1.5, silent(1, 0.0, 0.21));
    assert!(
        first.ends_with(
            "SHAME 0.00 <= 0.75, now 0.21 (low): \"uav wanted me to do something. I did not do it. It is good to do it. \
             I know this. I feel something bad.\""
        ),
        "{first}"
    );
    assert!(told(6.5, silent(2, 0.6, 0.81)).ends_with("SHAME 0.60 <= 0.75, now 0.81 (very high, since 1.50 s)"));
    let offered = Event::Recruitment(recruitment::Step::Offered {
        with: uav,
        task,
        round: 3,
        eta: Duration::from_secs(50),
        shame: 0.78,
        why: recruitment::Answer::Ashamed { threshold: 0.75 },
    });
    assert!(told(11.5, offered).ends_with("(SHAME 0.78 > 0.75, high since 1.50 s)"));
    told(90.0, silent(4, 0.0, 0.21));
    assert!(told(95.0, silent(5, 0.18, 0.39)).ends_with("now 0.39 (low, since 90.00 s)"));
}
