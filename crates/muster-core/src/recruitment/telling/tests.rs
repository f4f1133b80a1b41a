use super::*;
use crate::event::Happening;
use crate::telling::trial::{Trial, check, check_named, seconds};
use crate::time::Duration;

const TASK: TaskId = TaskId(0);
const UAV: RobotId = RobotId(0);

fn called(round: u32) -> Event {
    Event::Recruitment(Step::Called { task: TASK, round, place: crate::Point::new(1.0, 2.0) })
}

fn silent(round: u32, why: Silence, shame: f64) -> Event {
    let (with, task, shame_after, threshold, distance_m) = (UAV, TASK, shame, 0.75, 10.0);
    Event::Recruitment(Step::Silent { with, task, round, why, shame, shame_after, threshold, distance_m })
}

fn timed_out(round: u32, waiting_for: Awaited) -> Event {
    Event::Recruitment(Step::TimedOut { task: TASK, round, waiting_for })
}

fn offered(round: u32, eta_s: u64) -> Event {
    let (eta, why) = (Duration::from_secs(eta_s), Answer::Always);
    Event::Recruitment(Step::Offered { with: UAV, task: TASK, round, eta, shame: 0.0, why })
}

fn heard(with: u32, round: u32, eta_s: u64) -> Event {
    let (with, eta) = (RobotId(with), Duration::from_secs(eta_s));
    Event::Recruitment(Step::OfferHeard { with, task: TASK, round, eta })
}

fn awarded(with: u32, round: u32, eta_s: u64, how: Choice) -> Event {
    let (with, eta) = (RobotId(with), Duration::from_secs(eta_s));
    Event::Recruitment(Step::Awarded { with, task: TASK, round, eta, offers: 2, how, threshold: 0.75 })
}

/// An award holds all that bore on it, and its sentence says how it was chosen, without any configuration.
#[test]
fn an_award_names_offers_and_silences() {
    for (how, chosen) in [
        (Choice::LeastEta, "ETA 12.0 s; next best r2 15.0 s"),
        (Choice::Uniform, "ETA 12.0 s, drawn from 2 offers; the others r2 15.0 s"),
        (Choice::Policy, "ETA 12.0 s, by its policy; the others r2 15.0 s"),
    ] {
        let mut trial = Trial::new();
        trial.tell(1, 0, called(1));
        trial.tell(1, 1, offered(1, 12));
        trial.tell(1, 2, offered(1, 15));
        trial.tell(1, 3, offered(1, 9));
        trial.tell(1, 4, silent(1, Silence::Unashamed, 0.41));
        trial.tell(2, 0, heard(1, 1, 12));
        trial.tell(2, 0, heard(2, 1, 15));
        let line = trial.tell(3, 0, awarded(1, 1, 12, how));
        let rest = "; answered unheard: r3 9.0 s; silent: r4 SHAME 0.41 <= 0.75";
        assert_eq!(line.text, format!("chooses r1 for t0: {chosen}{rest}"));
        let award = line.award.clone().expect("it is an award");
        assert_eq!((award.by, award.chosen.robot, award.round), (UAV, RobotId(1), 1));
        assert_eq!(award.heard().map(|it| it.robot.0).collect::<Vec<_>>(), [2]);
        assert_eq!(award.unheard().map(|it| it.robot.0).collect::<Vec<_>>(), [3]);
        assert_eq!((award.silent[0].word, &*award.silent[0].text), ("unashamed", "SHAME 0.41 <= 0.75"));
        assert_eq!(award.threshold, Some(0.75));
        assert!([0, 1, 2, 3, 4].iter().all(|robot| line.concerns(RobotId(*robot))));
        assert!(!line.concerns(RobotId(5)));
        assert_eq!(line.gist.fact, Some(Fact::Has(RobotId(1))));
    }
}

/// A robot remembers the last call only, so a doubled HELP that comes after another requester's is heard twice. Whatever it did
/// about either copy, it is named once.
#[test]
fn doubled_messages_name_nobody_twice() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    // Silent twice; silent and then not; committed by its first answer; an answer to each copy, unheard.
    for (robot, event) in [
        (4, silent(1, Silence::Unashamed, 0.41)),
        (4, silent(1, Silence::Unashamed, 0.52)),
        (2, silent(1, Silence::Unashamed, 0.7)),
        (2, offered(1, 15)),
        (1, offered(1, 12)),
        (1, silent(1, Silence::Committed, 0.0)),
        (3, offered(1, 9)),
        (3, offered(1, 8)),
        (5, silent(1, Silence::Unable, 0.0)),
        (5, silent(1, Silence::Unable, 0.0)),
    ] {
        trial.tell(1, robot, event);
    }
    let mut unanswered = trial.clone();
    trial.tell(2, 0, heard(1, 1, 12));
    trial.tell(2, 0, heard(2, 1, 15));
    let line = trial.tell(3, 0, awarded(1, 1, 12, Choice::LeastEta));
    let rest = "next best r2 15.0 s; answered unheard: r3 9.0 s; silent: r4 SHAME 0.41 <= 0.75";
    assert_eq!(line.text, format!("chooses r1 for t0: ETA 12.0 s; {rest}"));
    let award = line.award.expect("it is an award");
    let named = award.others.iter().map(|offer| offer.robot.0).chain(award.silent.iter().map(|quiet| quiet.robot.0));
    assert_eq!(named.collect::<Vec<_>>(), [2, 3, 4]);
    let line = unanswered.tell(2, 0, timed_out(1, Awaited::Accept));
    let said = "answered unheard: r2 15.0 s, r1 12.0 s, r3 9.0 s; silent: r4 SHAME 0.41 <= 0.75; unable: r5";
    assert_eq!(line.text, format!("gets no answer to HELP 1 for t0: {said}"));
}

/// A HELP that was dropped is known by its part, whatever it is called.
#[test]
fn a_dropped_call_is_told_whatever_its_name() {
    for (family, told) in [(Family::Call, "dropped a HELP: r3 (it is too late)"), (Family::Award, "nobody heard it")] {
        let mut trial = Trial::new();
        trial.tell(1, 0, called(1));
        let line = trial.tell(1, 3, Event::Dropped { with: UAV, message: "HELLO", family, why: Drop::Late });
        assert_eq!(line.text, "drops HELLO of r0: it is too late");
        let line = trial.tell(2, 0, timed_out(1, Awaited::Accept));
        assert_eq!(line.text, format!("gets no answer to HELP 1 for t0: {told}"));
    }
}

/// Silences are details: they have a mark and a sentence, and no line of a log.
#[test]
fn silences_are_details_with_marks() {
    let mut trial = Trial::new();
    let event = silent(1, Silence::Engaged, 0.2);
    let note = crate::Note { at: seconds(1), robot: RobotId(4), event: event.clone() };
    let mark = note.mark().expect("it ignored a call");
    assert_eq!((mark.ignored, &*mark.why, mark.of), (true, "on an errand of its own (SHAME 0.20)", UAV));
    let line = trial.tell(1, 4, event);
    assert_eq!((line.gist.weight, line.gist.kind), (Weight::Detail, Kind::Offer));
    assert_eq!(line.text, "keeps silent to HELP 1 of r0, 10.0 m away: on an errand of its own, SHAME 0.20, now 0.20");
}

/// Why nobody came: every reason, with counts, and the nearest to an answer.
#[test]
fn nobody_says_every_reason() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    trial.tell(2, 0, timed_out(1, Awaited::Accept));
    trial.tell(3, 0, called(2));
    for (robot, why, shame) in [
        (1, Silence::Unashamed, 0.3),
        (2, Silence::Unashamed, 0.61),
        (3, Silence::Engaged, 0.0),
        (4, Silence::Committed, 0.0),
        (5, Silence::Unable, 0.0),
        (6, Silence::Declined, 0.0),
        (7, Silence::TooFar, 0.0),
    ] {
        trial.tell(3, robot, silent(2, why, shame));
    }
    trial.tell(4, 0, timed_out(2, Awaited::Accept));
    trial.tell(5, 0, called(3));
    trial.tell(5, 8, offered(3, 9));
    trial.tell(6, 0, timed_out(3, Awaited::Accept));
    trial.tell(7, 0, called(4));
    trial.tell(7, 0, awarded(8, 4, 9, Choice::LeastEta));
    trial.tell(8, 8, Event::Recruitment(Step::Blocked { task: TASK, round: 4 }));
    trial.tell(9, 0, timed_out(4, Awaited::Arrival));
    trial.tell(10, 0, called(5));
    trial.tell(11, 0, timed_out(5, Awaited::Ackack));
    trial.tell(12, 0, called(6));
    trial.tell(13, 0, awarded(2, 6, 9, Choice::LeastEta));
    check(
        &trial.nobody(0),
        &[
            ("called", 6, "called for 6 times by r0"),
            ("unheard", 1, "nobody heard 1 of 6 calls"),
            ("unashamed", 2, "SHAME below threshold: 2 robots, nearest r2 at 0.61 of 0.75"),
            ("busy", 2, "busy: 1 on errands, 1 serving other calls"),
            ("unable", 1, "unable: 1 robot"),
            ("declined", 1, "policy says no: 1 robot"),
            ("too_far", 1, "too far: 1 robot"),
            ("unheard_offers", 1, "answered unheard: once"),
            ("missing", 1, "chosen and did not come: once"),
            ("blocked", 1, "chosen and could not get there: once"),
            ("undecided", 1, "came, and no ACKACK was heard: once"),
            ("under_way", 1, "r2 was chosen and is not there yet"),
        ],
    );
    assert!(trial.under_way(0) && !trial.under_way(1));
    assert_eq!(trial.untaken(), [0, 1], "the other was never noticed");
    check(&trial.nobody(1), &[("unnoticed", 1, "no robot noted anything about it")]);
    trial.tell(20, 0, Event::Recruitment(Step::Withdrawn { task: TASK }));
    assert_eq!(trial.untaken(), [1], "nobody has to take it");
    assert!(trial.nobody(0).iter().any(|(why, ..)| *why == "withdrawn"));
    let until = seconds(99);
    trial.tell(30, 2, Event::Recruitment(Step::TookOver { with: UAV, task: TASK, round: 6, until }));
    check(&trial.nobody(0), &[]);
}

/// A robot that goes down works no more, whoever caused it.
#[test]
fn nobody_overlaps_with_a_robot_that_went_down() {
    for (happening, overlaps) in [(None, true), (Some(Happening::Stopped), false)] {
        let mut trial = Trial::new();
        let took_over =
            |round| Event::Recruitment(Step::TookOver { with: UAV, task: TASK, round, until: seconds(100) });
        trial.tell(1, 1, took_over(1));
        if let Some(happening) = happening {
            assert_eq!(trial.tell(2, 1, Event::Happened(happening)).text, "stops for good");
        }
        assert_eq!(trial.tell(3, 2, took_over(2)).text.contains("OVERLAP: r1"), overlaps);
    }
}

/// A need that was called off is none that nobody served, and says so to whoever asks.
#[test]
fn a_need_that_was_called_off_says_so() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    assert_eq!(trial.untaken(), [0, 1]);
    trial.tell(2, 0, Event::Recruitment(Step::Withdrawn { task: TASK }));
    assert_eq!(trial.untaken(), [1]);
    let withdrawn = ("withdrawn", 1, "withdrawn: it need not be taken any more");
    check(&trial.nobody(0), &[("called", 1, "called for once by r0"), withdrawn]);
}

/// A task that was taken over, and is called for again all the same, is open: the requester never heard of it. Robots that
/// have answered when the run ends are told.
#[test]
fn a_need_that_is_called_for_after_it_was_taken_is_open_again() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    trial.tell(2, 3, Event::Recruitment(Step::TookOver { with: UAV, task: TASK, round: 1, until: seconds(9) }));
    assert_eq!(trial.untaken(), [1]);
    trial.tell(9, 0, called(2));
    trial.tell(9, 4, offered(2, 5));
    assert_eq!(trial.untaken(), [0, 1]);
    let calls = ("called", 1, "called for once by r0");
    check(&trial.nobody(0), &[calls, ("answered", 1, "answered, and nobody is chosen yet: 1 robot")]);
}

/// Whoever was chosen is not on its way any more if it broke down, or waited in vain; what another robot does changes
/// nothing.
#[test]
fn who_was_chosen_and_does_not_come_is_told() {
    let gave_up = ("gave_up", 1, "chosen and gave up waiting: once");
    let broke_down = ("broke_down", 1, "chosen and broke down: once");
    let stops = || Event::Happened(Happening::Stopped);
    let cases = [
        (stops(), broke_down),
        (timed_out(1, Awaited::Responder), gave_up),
        (timed_out(1, Awaited::Journey), gave_up),
        (timed_out(1, Awaited::Agree), gave_up),
    ];
    for (event, expected) in cases {
        let mut trial = Trial::new();
        trial.tell(1, 0, called(1));
        trial.tell(2, 0, awarded(3, 1, 9, Choice::LeastEta));
        trial.tell(3, 4, event.clone());
        assert!(trial.under_way(0), "{event:?} of another robot");
        trial.tell(4, 3, event.clone());
        assert!(!trial.under_way(0), "{event:?}");
        check(&trial.nobody(0), &[("called", 1, "called for once by r0"), expected]);
    }
}

/// A need that is called for again after it was called off is open, and what came of the calls before counts no more.
#[test]
fn a_need_that_is_called_for_anew_is_open_again() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    trial.tell(1, 5, silent(1, Silence::Engaged, 0.0));
    trial.tell(2, 0, awarded(3, 1, 9, Choice::LeastEta));
    trial.tell(3, 0, Event::Recruitment(Step::Withdrawn { task: TASK }));
    assert!(!trial.under_way(0), "nobody is to come");
    trial.tell(9, 0, called(1));
    assert_eq!(trial.untaken(), [0, 1]);
    check(&trial.nobody(0), &[("called", 1, "called for once by r0")]);
}

/// Every step is about every robot that its sentence names.
#[test]
fn steps_concern_those_they_name() {
    let (with, task, round) = (RobotId(7), TASK, 1);
    let (eta, why) = (Duration::from_secs(3), Answer::Always);
    for (step, named) in [
        (Step::Offered { with, task, round, eta, shame: 0.0, why }, &[7][..]),
        (Step::OfferHeard { with, task, round, eta }, &[7]),
        (Step::Awarded { with, task, round, eta, offers: 1, how: Choice::LeastEta, threshold: 0.75 }, &[7]),
        (Step::SetOut { with, task, round }, &[7]),
        (Step::NotNeeded { with, task, round, chosen: RobotId(6) }, &[7, 6]),
        (Step::Superseded { with, task, round }, &[7]),
        (Step::Arrived { with, task, round }, &[7]),
        (Step::Agreed { with, task, round, lease: eta }, &[7]),
        (Step::TookOver { with, task, round, until: seconds(9) }, &[7]),
        (Step::Served { with, task, round }, &[7]),
        (Step::Withdrawn { task }, &[]),
    ] {
        let line = Trial::new().tell(1, 0, Event::Recruitment(step));
        check_named(&line, named);
        assert!(!line.concerns(RobotId(8)), "{}", line.text);
    }
}

/// A requester that is down calls no more, until it starts again.
#[test]
fn a_need_of_a_requester_that_is_down_says_so() {
    let mut trial = Trial::new();
    trial.tell(1, 0, called(1));
    let calls = ("called", 1, "called for once by r0");
    trial.tell(2, 1, Event::Happened(Happening::Stopped));
    check(&trial.nobody(0), &[calls]);
    trial.tell(3, 0, Event::Happened(Happening::WentDown { lasts: Duration::from_secs(2), memory: true }));
    check(&trial.nobody(0), &[calls, ("requester_down", 1, "r0, which called for it, is down")]);
    trial.tell(5, 0, Event::Started { incarnation: 2, remembered: true });
    check(&trial.nobody(0), &[calls]);
    trial.tell(6, 0, Event::Happened(Happening::Stopped));
    check(&trial.nobody(0), &[calls, ("requester_down", 1, "r0, which called for it, has stopped")]);
    trial.tell(7, 1, Event::Recruitment(Step::TookOver { with: UAV, task: TASK, round: 1, until: seconds(9) }));
    check(&trial.nobody(0), &[]);
}
