//! 5.3 without a screen, and 5.4: the log.

use std::collections::BTreeMap;

use muster_core::affect::Name;
use muster_reception::robot::{butler, command};
use muster_reception::{Deed, Line, Onlooker, Replay, Scene};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::folder::Folder;
use super::runs::{PAPER, ROBOTS};
use super::stage::{asked_for, at, begins, lived, notes, says, text, two, two_of};

const DISPLAY: &str = "5.3 Display";
const LOG: &str = "5.4 Log";

/// The checks.
pub const CHECKS: [Asked; 5] = [
    Asked {
        id: "23",
        section: DISPLAY,
        statement: "a run without a display gives the same log",
        reading: "300 s with an onlooker that reads every body at every plan view, and with none: logs byte by byte",
        ask: headless,
    },
    Asked {
        id: "24",
        section: LOG,
        statement: "every change of emotion and behaviour is logged with time, robot, old and new state",
        reading: "1,800 s with 100 guests: what robots publish after each tick against the lines of that tick",
        ask: changes,
    },
    Asked {
        id: "25",
        section: LOG,
        statement: "commands, exchanges and runs out of treats are logged",
        reading: "4 runs of 1,800 s with treats that go in 0.5 s: trays that get full or empty, and Butler's last hurry, against lines",
        ask: events,
    },
    Asked {
        id: "26",
        section: LOG,
        statement: "the file holds the lines that onlookers get; without a file none is written",
        reading: "300 s with a file and without, byte by byte, twice",
        ask: file,
    },
    Asked {
        id: "27",
        section: LOG,
        statement: "the log can be parsed line by line, and gives each robot's state at any time",
        reading: "1,800 s with 100 guests: the log as text, parsed, read up to each second",
        ask: replay,
    },
];

/// Looks at everything.
#[derive(Default)]
struct Gaper {
    lines: Vec<Line>,
    bodies: usize,
}

impl Onlooker for Gaper {
    fn logged(&mut self, line: &Line) {
        self.lines.push(line.clone());
    }

    fn plan_view(&mut self, scene: &Scene<'_>) {
        self.bodies += scene.crowd.guests().count() + scene.crowd.robots().count();
    }
}

fn headless(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let folder = Folder::new()?;
    let path = folder.path().join("run.log");
    let mut blind = two(PAPER, evidence.seed)?.with_log(&path);
    blind.init(&mut ())?;
    blind.start()?;
    blind.run_until(at(300), &mut ());
    blind.stop(&mut ())?;
    let mut gaper = Gaper::default();
    let mut shown = two(PAPER, evidence.seed)?;
    shown.init(&mut gaper)?;
    shown.start()?;
    shown.run_until(at(300), &mut gaper);
    shown.stop(&mut gaper)?;
    it.equal(gaper.bodies, 300 * (PAPER + 2), "the number of bodies that were shown");
    it.expect(std::fs::read_to_string(&path)? == text(&gaper.lines), "the logs differ");
    it.saw(format!("{} lines, the same", asked_for(&gaper.lines).len()));
    Ok(())
}

fn changes(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = two(PAPER, evidence.seed)?;
    reception.init(&mut ())?;
    reception.start()?;
    let mut before: BTreeMap<&str, [Name; 2]> = BTreeMap::new();
    let (mut seen, mut wrong) = (0, 0);
    for second in 0..=1_800 {
        let mut lines: Vec<Line> = Vec::new();
        if second > 0 {
            reception.tick(&mut lines);
        }
        for robot in ROBOTS {
            let now = reception.robot(robot).ok_or("a robot is missing")?;
            let now = [now.emotion.clone(), now.behavior.clone()];
            if let Some(before) = before.get(robot) {
                let logged = |index: usize| -> Vec<(&Name, &Name)> {
                    let of = |line: &'_ Line| line.at == at(second);
                    let changed = lines.iter().filter(|line| of(line)).filter_map(|line| match &line.deed {
                        Deed::Emotion { robot: who, old, new, .. } if index == 0 && *who == *robot => Some((old, new)),
                        Deed::Behavior { robot: who, old, new } if index == 1 && *who == *robot => Some((old, new)),
                        _ => None,
                    });
                    changed.collect()
                };
                for index in [0, 1] {
                    let expected =
                        if before[index] == now[index] { vec![] } else { vec![(&before[index], &now[index])] };
                    seen += expected.len();
                    wrong += usize::from(logged(index) != expected);
                }
            }
            before.insert(robot, now);
        }
    }
    it.expect(seen > 50, format!("only {seen} changes"));
    it.measure(f64::from(wrong as u32), NEVER, "changes that differ");
    it.saw(format!("{seen} changes, each with its line"));
    Ok(())
}

fn events(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let config = butler::Config { consumption_mean_s: 0.5, ..butler::Config::cars_2002() };
    let (mut filled, mut emptied, mut hurries) = (0, 0, 0);
    let mut lines: Vec<Line> = Vec::new();
    for index in 0..4 {
        let mut reception = two_of(config.clone(), PAPER, evidence.seed.wrapping_add(index))?;
        reception.init(&mut lines)?;
        reception.start()?;
        let (mut treats, mut hurried) = (30.0, None);
        for _ in 0..1_800 {
            reception.tick(&mut lines);
            let now = &reception.robot("Butler").ok_or("Butler is missing")?.variables;
            let left = now.number("treats").ok_or("treats are not published")?;
            filled += usize::from(left > treats);
            emptied += usize::from(left == 0.0 && treats > 0.0);
            hurries += usize::from(now.number("lastHurry") != hurried);
            (treats, hurried) = (left, now.number("lastHurry"));
        }
    }
    it.equal(notes(&lines, "Butler", "has 30 treats again"), filled, "the number of logged exchanges that end");
    it.equal(says(&lines, command::GO_HOME), filled, "the number of logged \"go home\"");
    let begun = begins(&lines, "Butler", butler::EXCHANGE);
    it.expect((filled..=filled + 4).contains(&begun), format!("{begun} exchanges begin, and {filled} end"));
    it.equal(notes(&lines, "Butler", "runs out of treats"), emptied, "the number of logged runs out of treats");
    it.equal(says(&lines, command::HURRY), hurries, "the number of logged hurries");
    it.expect(filled > 0 && emptied > 0 && hurries > 0, "some of them never happen");
    it.saw(format!("{filled} exchanges, {emptied} runs out of treats, {hurries} hurries, each in the log"));
    Ok(())
}

fn file(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let folder = Folder::new()?;
    let path = folder.path().join("run.log");
    let mut plain = two(50, evidence.seed)?;
    let mut lines = lived(&mut plain, 300)?;
    plain.stop(&mut lines)?;
    it.equal(folder.files()?, 0, "the number of files");
    let mut logged = two(50, evidence.seed)?.with_log(&path);
    for _ in 0..2 {
        let mut onlooker = lived(&mut logged, 300)?;
        logged.stop(&mut onlooker)?;
        let file = std::fs::read_to_string(&path)?;
        it.expect(file == text(&onlooker), "file and onlooker differ");
        it.expect(file == text(&lines), "with and without a file differ");
    }
    it.saw(format!("{} lines, the same in the file and to the onlooker", asked_for(&lines).len()));
    Ok(())
}

fn replay(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = two(PAPER, evidence.seed)?;
    let mut lines: Vec<Line> = Vec::new();
    let mut published = Vec::new();
    reception.init(&mut lines)?;
    reception.start()?;
    for second in 1..=1_800 {
        reception.tick(&mut lines);
        for robot in ROBOTS {
            let now = reception.robot(robot).ok_or("a robot is missing")?;
            published.push((second, robot, now.emotion.clone(), now.behavior.clone()));
        }
    }
    let parsed: Vec<Line> = text(&lines).lines().map(str::parse).collect::<Result<_, _>>()?;
    it.expect(parsed == lines, "what is parsed is not what was written");
    let (mut state, mut rest, mut wrong) = (Replay::default(), parsed.as_slice(), 0);
    for (second, robot, emotion, behavior) in &published {
        while let Some((line, later)) = rest.split_first().filter(|(line, _)| line.at <= at(*second)) {
            state.read(line);
            rest = later;
        }
        let same = state.robot(robot).is_some_and(|it| it.emotion == *emotion && it.behavior == *behavior);
        wrong += u32::from(!same);
    }
    it.measure(f64::from(wrong), NEVER, "states that differ");
    it.saw(format!("{} lines parsed, {} states as they were", asked_for(&lines).len(), published.len()));
    Ok(())
}
