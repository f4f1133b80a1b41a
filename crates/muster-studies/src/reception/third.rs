//! 5.8: a third robot.

use std::collections::BTreeSet;

use muster_reception::robot::{Place, butler};
use muster_reception::{Deed, Line, Reception};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::runs::collisions;
use super::stage::{MIDDLE, TABLE_SIDE, begins, changes, hall, lived, the_butler, the_leguin, the_vonda, two};

const SECTION: &str = "5.8 Third robot";

/// The checks.
pub const CHECKS: [Asked; 3] = [
    Asked {
        id: "65",
        section: SECTION,
        statement: "nobody addresses Vonda: she never moves and never changes state, and nobody overlaps her",
        reading: "1,800 s with three robots and 100 guests, tick by tick",
        ask: unaddressed,
    },
    Asked {
        id: "66",
        section: SECTION,
        statement: "with Vonda standing by, the rest runs essentially as with two robots",
        reading: "kinds of events of Butler and Leguin in four runs of 1,800 s with her and without; exchanges",
        ask: as_with_two,
    },
    Asked {
        id: "67",
        section: SECTION,
        statement: "if Butler calls Vonda she comes and Leguin stays; that is one parameter of Butler",
        reading: "1,800 s with 100 guests and `refiller` set to Vonda",
        ask: called,
    },
];

/// Where Vonda stands.
const BESIDE: Place = Place::new(29.0, 6.0);

fn three(refiller: &str, seed: u64) -> Result<Reception, Trouble> {
    let config = butler::Config { refiller: refiller.into(), ..butler::Config::cars_2002() };
    let robots = vec![the_butler(config), the_leguin(), the_vonda()];
    Ok(Reception::new(robots, hall(&[MIDDLE, TABLE_SIDE, BESIDE], 100), seed)?)
}

fn unaddressed(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = three("Leguin", evidence.seed)?;
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines)?;
    reception.start()?;
    let (mut wrong, mut room) = (0, Vec::new());
    for _ in 0..1_800 {
        reception.tick(&mut lines);
        let (overlap, outside) = collisions(reception.crowd().ok_or("there is no crowd")?, &mut room);
        let moved = reception.robot("Vonda").is_none_or(|vonda| vonda.location != BESIDE);
        wrong += usize::from(overlap || outside || moved);
    }
    it.equal(changes(&lines, "Vonda"), 0, "how often Vonda changes");
    it.measure(wrong as f64, NEVER, "ticks");
    it.saw(format!("no change of hers, {} of Leguin's", changes(&lines, "Leguin")));
    Ok(())
}

/// What Butler and Leguin do, say and (Butler) feel.
fn kinds(lines: &[Line]) -> BTreeSet<String> {
    let kind = |line: &Line| match &line.deed {
        Deed::Behavior { robot, new, .. } if *robot != *"Vonda" => Some(format!("{robot} {new}")),
        Deed::Emotion { robot, new, .. } if *robot == *"Butler" => Some(format!("{robot} {new}")),
        Deed::Command(command) => Some(format!("{} to {}: {}", command.from, command.to, command.text)),
        _ => None,
    };
    lines.iter().filter_map(kind).collect()
}

fn as_with_two(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut with_two, mut with_three) = (Vec::new(), Vec::new());
    for index in 0..4 {
        let seed = evidence.seed.wrapping_add(index);
        with_two.extend(lived(&mut two(100, seed)?, 1_800)?);
        with_three.extend(lived(&mut three("Leguin", seed)?, 1_800)?);
    }
    it.equal(kinds(&with_three), kinds(&with_two), "what kinds of events there are");
    let exchanges = [&with_two, &with_three].map(|lines| begins(lines, "Butler", butler::EXCHANGE) as f64 / 4.0);
    it.measure(exchanges[1] / exchanges[0], (0.7, 1.4), "times the exchanges");
    it.saw(format!(
        "{} kinds of events, the same; {:.1} exchanges with two, {:.1} with three",
        kinds(&with_two).len(),
        exchanges[0],
        exchanges[1]
    ));
    Ok(())
}

fn called(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = three("Vonda", evidence.seed)?;
    let lines = lived(&mut reception, 1_800)?;
    it.equal(changes(&lines, "Leguin"), 0, "how often Leguin changes");
    let leguin = reception.robot("Leguin").map(|leguin| leguin.location);
    it.equal(leguin, Some(TABLE_SIDE), "where Leguin is");
    let trips = begins(&lines, "Vonda", "REFILL");
    let exchanges = begins(&lines, "Vonda", "EXCHANGE");
    it.expect(trips >= 5 && exchanges >= 5, format!("Vonda comes {trips} times, with {exchanges} exchanges"));
    it.saw(format!("Vonda set out {trips} times for {exchanges} exchanges, Leguin stayed"));
    Ok(())
}
