//! A reception that is saved and gone on with, and one whose robots talk over a bad radio.

use muster_core::{Duration, Time};
use muster_reception::robot::{Butler, Command, Constant, Leguin, Place, butler, leguin};
use muster_reception::{self as reception, BoxedRobot, Deed, Line, Link, Reception, ReceptionError};
use muster_sim::emotions;

fn at(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

fn begun(mut reception: Reception) -> (Reception, Vec<Line>) {
    let mut lines = Vec::new();
    reception.init(&mut lines).expect("there is room");
    reception.start().expect("it is ready");
    (reception, lines)
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn team(butler: butler::Config, seed: u64) -> Reception {
    let robots: Vec<BoxedRobot> =
        vec![Box::new(reception::butler(butler)), Box::new(reception::leguin(leguin::Config::cars_2002()))];
    let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    Reception::new(robots, reception::hall(&starts), seed).expect("they fit together")
}

fn begins(lines: &[Line], what: &str) -> usize {
    lines.iter().filter(|line| matches!(&line.deed, Deed::Behavior { new, .. } if *new == *what)).count()
}

const BAD: Link = Link { loss: 0.3, latency: Duration::from_millis(1_500) };

#[test]
fn saved_and_loaded_it_goes_on_as_it_would_have() {
    let angry = butler::Config { angry: true, conceptual: true, ..butler::Config::cars_2002() };
    let teams: [&dyn Fn() -> Reception; 3] =
        [&|| Reception::cars_2002(5).unwrap(), &|| Reception::cars_2002(5).unwrap().with_link(BAD), &|| {
            team(angry.clone(), 5)
        }];
    for make in teams {
        let (mut whole, mut expected) = begun(make());
        whole.run_until(at(900), &mut expected);
        // In the middle of a walk, of an exchange, of an interception: whatever it is, at any tick.
        for second in (0..=900).step_by(37) {
            let (mut first, mut lines) = begun(make());
            first.run_until(at(second), &mut lines);
            let saved = first.save().unwrap();
            let mut second_half = make();
            second_half.restore(&saved).unwrap();
            assert_eq!((second_half.now(), second_half.save().unwrap()), (at(second), saved));
            second_half.run_until(at(900), &mut lines);
            assert_eq!(text(&lines), text(&expected), "saved at {second} s");
            assert_eq!(second_half.save().unwrap(), whole.save().unwrap());
        }
    }
}

#[test]
fn a_saved_state_needs_the_robots_it_was_saved_with() {
    let (reception, _) = begun(Reception::cars_2002(5).unwrap());
    let saved = reception.save().unwrap();
    let refused = |mut reception: Reception, saved: &[u8]| reception.restore(saved).unwrap_err().to_string();

    let hasty = butler::Config { walk_fps: 2.0, ..butler::Config::cars_2002() };
    assert_eq!(
        refused(team(hasty, 5), &saved),
        "this is no saved state of this reception (Butler: this was not saved by the same robot with the same settings: \
         its settings were those of Butler, or other ones): restore it with the robots and settings it was saved with"
    );
    let renamed = butler::Config { name: "Jeeves".into(), ..butler::Config::cars_2002() };
    assert!(refused(team(renamed, 5), &saved).contains("its robots are others"));
    for length in [0, 1, 7, 8, 9, saved.len() / 2, saved.len() - 1] {
        assert!(refused(Reception::cars_2002(5).unwrap(), &saved[..length]).contains("no saved state"));
    }
    let longer: Vec<u8> = saved.iter().copied().chain([0]).collect();
    assert!(refused(Reception::cars_2002(5).unwrap(), &longer).contains("1 bytes too many"));
    let other: Vec<u8> = b"another!".iter().chain(&saved[8..]).copied().collect();
    assert!(refused(Reception::cars_2002(5).unwrap(), &other).contains("it is something else"));
    let unborn = Reception::cars_2002(5).unwrap().save().unwrap_err();
    assert_eq!(unborn.to_string(), "cannot save: the reception is not initialised; press init first");
}

/// One bit off somewhere: refused, or taken for another state, and never a panic.
#[test]
fn garbled_states_do_no_harm() {
    let (mut reception, _) = begun(Reception::cars_2002(5).unwrap());
    reception.run_until(at(120), &mut ());
    let saved = reception.save().unwrap();
    for index in (0..saved.len()).step_by(97) {
        let mut garbled = saved.clone();
        garbled[index] ^= 0x41;
        let mut other = Reception::cars_2002(5).unwrap();
        if other.restore(&garbled).is_ok() {
            other.run_until(other.now() + Duration::from_secs(3), &mut ());
        }
    }
}

#[test]
fn a_robot_that_cannot_be_saved_is_named() {
    struct Moody(Constant);
    impl muster_reception::robot::Esg<butler::Waiter> for Moody {
        fn start(&mut self, _now: Time) {}
        fn feel(&mut self, _: Time, _: &str, _: &butler::Waiter) -> Option<muster_core::affect::Change> {
            None
        }
        fn emotion(&self) -> &muster_core::affect::Emotion {
            muster_reception::robot::Esg::<butler::Waiter>::emotion(&self.0)
        }
        fn stress(&self) -> Option<muster_core::affect::Stress> {
            None
        }
    }
    let waiter = Butler::new(butler::Config::cars_2002(), emotions::built_in()).unwrap();
    let refiller = Leguin::new(leguin::Config::cars_2002(), emotions::built_in()).unwrap();
    let robots: Vec<BoxedRobot> = vec![Box::new(waiter.with_esg(Moody(Constant::new("BORED")))), Box::new(refiller)];
    let starts = [Place::new(25.0, 25.0), Place::new(25.0, 6.0)];
    let (reception, _) = begun(Reception::new(robots, reception::hall(&starts), 1).unwrap());
    assert!(matches!(reception.save(), Err(ReceptionError::Unsaveable { name }) if name == *"Butler"));
}

/// A refiller who turned back is told again, so treats keep coming until the end, however far she has to go.
#[test]
fn nobody_waits_for_ever() {
    for seed in 0..30 {
        let robots: Vec<BoxedRobot> = vec![
            Box::new(reception::butler(butler::Config::cars_2002())),
            Box::new(reception::leguin(leguin::Config::cars_2002())),
        ];
        let starts = [Place::new(25.0, 25.0), Place::new(2.0, 2.0)];
        let (mut reception, mut lines) = begun(Reception::new(robots, reception::hall(&starts), seed).unwrap());
        reception.run_until(at(3_600), &mut lines);
        let late: Vec<Line> = lines.iter().filter(|line| line.at > at(2_700)).cloned().collect();
        assert!(begins(&late, butler::GO_BACK) >= 1, "seed {seed}");
    }
}

/// The same with the conceptual level: when all is equally bad there is nothing to weigh, and what is felt decides.
#[test]
fn nobody_thinks_for_ever() {
    let thoughtful = butler::Config { conceptual: true, ..butler::Config::cars_2002() };
    let worse = Link { loss: 0.3, latency: Duration::ZERO };
    for seed in 0..12 {
        let (mut reception, mut lines) = begun(team(thoughtful.clone(), seed).with_link(worse));
        reception.run_until(at(12_000), &mut lines);
        let late: Vec<Line> = lines.iter().filter(|line| line.at > at(10_000)).cloned().collect();
        assert!(begins(&late, butler::GO_BACK) >= 1, "seed {seed}");
    }
}

/// 5.0: "with another radio the same robots work with what they last heard".
#[test]
fn over_a_bad_radio_the_same_robots_go_on() {
    for seed in 0..4 {
        let (mut reception, mut lines) = begun(Reception::cars_2002(seed).unwrap().with_link(BAD));
        reception.run_until(at(1_800), &mut lines);
        let lost = lines.iter().filter(|line| matches!(line.deed, Deed::Lost(_))).count();
        let said = lines.iter().filter(|line| matches!(line.deed, Deed::Command(_))).count();
        assert!(lost * 5 > said && lost * 2 < said, "{lost} of {said} lost");
        // Treats are filled up until the end, though commands get lost on every trip.
        let late = lines.iter().filter(|line| line.at > at(1_500)).cloned().collect::<Vec<_>>();
        assert!(begins(&lines, butler::GO_BACK) >= 10, "{}", begins(&lines, butler::GO_BACK));
        assert!(begins(&late, butler::GO_BACK) >= 1);
        for line in &lines {
            assert_eq!(line.to_string().parse::<Line>().as_ref(), Ok(line));
        }
    }
}

/// A command is logged as heard when it arrives: at once without latency, otherwise with the first tick that is late enough.
#[test]
fn a_command_is_heard_when_it_arrives() {
    for (link, after) in [(Link::PERFECT, 0), (BAD, 2)] {
        let (mut reception, mut lines) = begun(Reception::cars_2002(3).unwrap().with_link(link));
        reception.run_until(at(1_800), &mut lines);
        let mut under_way: Vec<(Time, &Command)> = Vec::new();
        let mut heard = 0;
        for line in &lines {
            match &line.deed {
                Deed::Command(command) => under_way.push((line.at, command)),
                Deed::Lost(command) => {
                    let last = under_way.iter().rposition(|(at, said)| *at == line.at && *said == command);
                    under_way.remove(last.expect("it was just said"));
                }
                Deed::Heard(command) => {
                    let first = under_way.iter().position(|(_, said)| *said == command).expect("it was said");
                    let (said, _) = under_way.remove(first);
                    assert_eq!(line.at.since(said), Duration::from_secs(after), "{line}");
                    heard += 1;
                }
                _ => {}
            }
        }
        assert!(heard > 20, "{heard}");
        assert!(under_way.iter().all(|(said, _)| at(1_800).since(*said) < Duration::from_secs(2)), "{under_way:?}");
    }
}

/// What was not heard is not known: deaf, Leguin stays where she is and Butler's calls are lost.
#[test]
fn nothing_gets_through_a_dead_radio() {
    let dead = Link { loss: 1.0, latency: Duration::ZERO };
    let (mut reception, mut lines) = begun(Reception::cars_2002(1).unwrap().with_link(dead));
    reception.run_until(at(600), &mut lines);
    assert_eq!(begins(&lines, leguin::REFILL), 0);
    assert!(lines.iter().any(|line| matches!(&line.deed, Deed::Lost(command) if command.text == *"refill")));
    assert_eq!(reception.crowd().unwrap().robot(1), Place::new(25.0, 6.0));
}
