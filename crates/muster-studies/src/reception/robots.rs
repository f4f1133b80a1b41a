//! 5.5: the interface of robots, and what they may ask of each other.

use std::collections::BTreeSet;

use muster_reception::robot::{Command, Place, Team};
use muster_reception::{BoxedRobot, Line, Reception, Replay};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::probe::{Diary, Probe};
use super::stage::{asked_for, hall, lived, other, text};

const SECTION: &str = "5.5 Robots";

/// The checks.
pub const CHECKS: [Asked; 6] = [
    Asked {
        id: "28",
        section: SECTION,
        statement: "a robot is made of the fourteen functions of the paper's Figure 7",
        reading: "a robot of our own that has these and nothing else, and writes down which are called in 10 s",
        ask: fourteen,
    },
    Asked {
        id: "34",
        section: SECTION,
        statement: "the simulator knows no robot's variables or states: one with unheard-of names runs",
        reading: "100 s among 50 guests of two robots that are GLEE and SPIN and count blorps: states, log, replay",
        ask: unheard_of,
    },
    Asked {
        id: "35",
        section: SECTION,
        statement: "seven calls reach another robot by its name",
        reading: "each of the seven: what comes back, and what arrives",
        ask: seven,
    },
    Asked {
        id: "36",
        section: SECTION,
        statement: "a variable that a robot does not put in its table cannot be read by others",
        reading: "a robot with a variable that it keeps to itself, asked for it in each of 20 ticks",
        ask: secret,
    },
    Asked {
        id: "38",
        section: SECTION,
        statement: "a call to a name that nobody has gives nothing, and no crash",
        reading: "all seven calls to names that nobody has, in each of 20 ticks",
        ask: nobody,
    },
    Asked {
        id: "39",
        section: SECTION,
        statement: "tables that are handed out are copies",
        reading: "a robot that changes each table it gets, in each of 20 ticks; what the other still counts",
        ask: copies,
    },
];

const FOURTEEN: [&str; 14] = [
    "initRobot",
    "getName",
    "getSpeed",
    "getDirection",
    "updateStateVariables",
    "getStateVariables",
    "getCurrentLocation",
    "projectLocation",
    "setCurrentLocation",
    "setCommand",
    "updateEmotionState",
    "getEmotionState",
    "updateBehaviorState",
    "getBehaviorState",
];

const APART: [Place; 2] = [Place::new(10.0, 40.0), Place::new(20.0, 40.0)];

/// Two robots of our own among guests.
fn probes(diary: &Diary, guests: usize, seed: u64) -> Result<Reception, Trouble> {
    let robots: Vec<BoxedRobot> =
        vec![Probe::new("Zork", "Quux", diary).guise(), Probe::new("Quux", "Zork", diary).guise()];
    Ok(Reception::new(robots, hall(&APART, guests), seed)?)
}

/// What both write down in 20 ticks.
fn twenty_ticks() -> Result<Vec<String>, Trouble> {
    let diary = Diary::default();
    lived(&mut probes(&diary, 0, 1)?, 20)?;
    Ok(diary.read())
}

fn fourteen(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let diary = Diary::default();
    lived(&mut probes(&diary, 10, evidence.seed)?, 10)?;
    let called: BTreeSet<String> =
        diary.read().iter().filter_map(|line| line.split([' ', ',']).nth(1).map(str::to_owned)).collect();
    for function in FOURTEEN {
        it.expect(called.contains(function), format!("{function} is never called"));
    }
    let called = FOURTEEN.iter().filter(|function| called.contains(**function)).count();
    it.measure(called as f64, (14.0, 14.0), "functions");
    it.saw("all of them are called, and they are enough");
    Ok(())
}

fn unheard_of(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = probes(&Diary::default(), 50, evidence.seed)?;
    let lines = lived(&mut reception, 100)?;
    let parsed: Vec<Line> = text(&lines).lines().map(str::parse).collect::<Result<_, _>>()?;
    let mut replay = Replay::default();
    parsed.iter().for_each(|line| replay.read(line));
    for name in ["Zork", "Quux"] {
        let robot = reception.robot(name).ok_or("a robot is missing")?;
        it.equal((robot.emotion.as_str(), robot.behavior.as_str()), ("GLEE 100", "SPIN 100"), name);
        it.equal(robot.variables.number("blorps"), Some(100.0), "the number of blorps");
        let replayed = replay.robot(name).map(|status| status.emotion.to_string());
        it.equal(replayed.as_deref(), Some("GLEE 100"), "what the log says");
    }
    it.saw(format!("two robots, 200 states nobody knows, {} lines of log", asked_for(&lines).len()));
    Ok(())
}

fn seven(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut leguin = other("Leguin", Place::new(1.0, 2.0), "WAIT");
    (leguin.speed_fps, leguin.direction) = (1.5, 0.25);
    let variables = leguin.variables.clone();
    let (others, mut outbox) = ([leguin].into(), Vec::new());
    let mut team = Team::new("Butler".into(), &others, &mut outbox);
    it.equal(team.get_robot_location("Leguin"), Some(Place::new(1.0, 2.0)), "the location");
    it.equal(team.get_robot_speed("Leguin"), Some(1.5), "the speed");
    it.equal(team.get_robot_direction("Leguin"), Some(0.25), "the direction");
    it.equal(team.get_robot_state_variables("Leguin"), Some(variables), "the table");
    it.equal(team.get_robot_emotion_state("Leguin").as_deref(), Some("HAPPY"), "the emotion");
    it.equal(team.get_robot_behavior_state("Leguin").as_deref(), Some("WAIT"), "the behaviour");
    it.equal(team.set_robot_command("Leguin", "refill"), Some(()), "the answer to a command");
    let command = Command { from: "Butler".into(), to: "Leguin".into(), text: "refill".into() };
    it.equal(outbox, vec![command], "what was said");
    // And in a run: what one says, the other is told, at the time of the simulation.
    let heard = twenty_ticks()?.iter().filter(|line| line.contains("setCommand zap at")).count();
    it.equal(heard, 40, "the number of commands that arrive");
    it.saw("six answers as they were published, 40 of 40 commands told");
    Ok(())
}

fn secret(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let lines = twenty_ticks()?;
    let leaked = lines.iter().filter(|line| line.contains("the secret: true")).count();
    let kept = lines.iter().filter(|line| line.contains("the secret: false")).count();
    it.equal(kept + leaked, 40, "the number of tables that were read");
    it.measure(leaked as f64, NEVER, "tables with the secret");
    it.saw("40 tables with the variables that were put in, and without the secret");
    Ok(())
}

fn nobody(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let lines = twenty_ticks()?;
    let none = lines.iter().filter(|line| line.contains("of nobody nothing: true")).count();
    it.measure(none as f64, (40.0, 40.0), "times nothing");
    it.expect(!lines.iter().any(|line| line.contains("of nobody nothing: false")), "something came of nobody");
    it.saw("seven calls in each of 2 x 20 ticks: no answer, and the run goes on");
    Ok(())
}

fn copies(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    // Each robot puts -1 into every table that it gets, and reads the number of ticks so far in the next.
    let lines = twenty_ticks()?;
    let reads = |robot: &str| -> Vec<String> {
        let of = |line: &&String| line.starts_with(robot) && line.contains("reads");
        lines.iter().filter(of).cloned().collect()
    };
    for robot in ["Zork", "Quux"] {
        let expected = |tick: u32| format!("{robot} reads Some({:.1}) blorps, the secret: false", f64::from(tick));
        it.equal(reads(robot), (0..20).map(expected).collect(), "what is read");
    }
    it.saw("40 tables changed by those who got them, none of the robots'");
    Ok(())
}
