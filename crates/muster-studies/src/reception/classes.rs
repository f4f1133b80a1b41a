//! 5.5, the part about classes and files: how robots are listed and loaded.

use std::sync::Arc;

use muster_reception::robot::Place;
use muster_reception::scenario::{Party, Play, load_any};
use muster_reception::script::{Class, INTERFACE, STOPPED, Settings, shipped};
use muster_reception::{BoxedRobot, Deed, Line, Reception};
use muster_script::Limits;
use muster_sim::emotions;
use muster_sim::scenario::ScenarioError;

use super::check::{Asked, Evidence, Findings, Trouble};
use super::folder::Folder;
use super::stage::{TABLE_SIDE, begins, hall, lived, the_leguin};

const SECTION: &str = "5.5 Robots";

/// The checks.
pub const CHECKS: [Asked; 7] = [
    Asked {
        id: "29",
        section: SECTION,
        statement: "a robot that lacks one of the fourteen functions is refused when it is loaded, with the missing name",
        reading: "Leguin's script without each of the fourteen in turn",
        ask: lacking,
    },
    Asked {
        id: "30",
        section: SECTION,
        statement: "a CARSConfig.txt lists a class or a script on each line, and these robots are loaded, without rebuilding",
        reading: "a file with two classes, and one with two scripts that lie beside it; 300 s of each",
        ask: config,
    },
    Asked {
        id: "31",
        section: SECTION,
        statement: "class and robot may have different names: the file has the class, calls and log have the robot",
        reading: "Leguin's script as tray-carrier.rhai: who is called, who comes, what the log says",
        ask: names,
    },
    Asked {
        id: "32",
        section: SECTION,
        statement: "two robots with one name, an unknown class, an empty file: refused, with a reason",
        reading: "a CARSConfig.txt of each kind, and a team of two Leguins, and of nobody",
        ask: refused,
    },
    Asked {
        id: "33",
        section: SECTION,
        statement: "adding a robot takes its file and one line",
        reading: "a reception of two; then a script of fourteen functions beside it, and one line more: 100 s of each",
        ask: added,
    },
    Asked {
        id: "37",
        section: SECTION,
        statement: "the reserved calls (init, update, set and project location) do not reach another robot",
        reading: "scripts that call each of the six on Leguin, by two spellings: what becomes of them, and of her",
        ask: reserved,
    },
    Asked {
        id: "64",
        section: "5.8 Third robot",
        statement: "Vonda is Leguin's class by another name, added by one line; three robots then show themselves",
        reading: "a CARSConfig.txt with her and without; what each robot has to show, and Vonda's against Leguin's",
        ask: vonda,
    },
];

const WANDERER: &str = include_str!("wanderer.rhai");

/// A folder with a reception whose robots are those of a CARSConfig.txt, and these other files.
fn prepared(config: &str, files: &[(&str, &str)]) -> Result<Folder, Trouble> {
    let folder = Folder::new()?;
    let scenario = "[reception]\nconfig = \"CARSConfig.txt\"\nobstacles_ft = [[25, 3]]\nguests.count = 20\n";
    for (name, text) in [("party.toml", scenario), ("CARSConfig.txt", config)].iter().chain(files) {
        std::fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

fn load(folder: &Folder) -> Result<Box<Party>, Trouble> {
    let path = folder.path().join("party.toml");
    match load_any(&path.display().to_string(), &[]).map_err(plainly)? {
        Play::Reception(party) => Ok(party),
        Play::Mission(_) => Err("it is no reception".into()),
    }
}

/// Without the folder, which is another one each time.
fn plainly(error: ScenarioError) -> Trouble {
    error.to_string().into()
}

fn lacking(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let read = |text: &str| Class::new("robot.rhai", text, emotions::built_in(), Limits::for_robots());
    it.expect(read(shipped::LEGUIN).is_ok(), "the whole of it is refused");
    let mut refused = 0;
    for (function, _) in INTERFACE {
        let text = shipped::LEGUIN.replace(&format!("fn {function}("), &format!("fn other_{function}("));
        let lacking = read(&text).map(drop);
        refused += usize::from(lacking.is_err());
        it.refused(lacking, &format!("`{function}("));
    }
    it.measure(refused as f64, (14.0, 14.0), "scripts refused");
    it.saw("each with the name of what it lacks");
    Ok(())
}

fn config(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let files = [("butler.rhai", shipped::BUTLER), ("leguin.rhai", shipped::LEGUIN)];
    let mut seen = Vec::new();
    for text in ["Butler\nLeguin\n", "# The robots\nbutler.rhai\n\nleguin.rhai   # beside this file\n"] {
        let folder = prepared(text, &files)?;
        let mut reception = load(&folder)?.reception(evidence.seed)?;
        let lines = lived(&mut reception, 300)?;
        let names: Vec<String> = reception
            .scene()
            .map_or_else(Vec::new, |scene| scene.robots.iter().map(|it| it.name.to_string()).collect());
        it.equal(names.join(", ").as_str(), "Butler, Leguin", "who is there");
        let trips = begins(&lines, "Leguin", "REFILL");
        it.expect(trips > 0, "Leguin is never called");
        seen.push(trips.to_string());
    }
    it.saw(format!("two robots from each file; Leguin set out {} times", seen.join(" and ")));
    Ok(())
}

fn names(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let folder = prepared("Butler\ntray-carrier.rhai\n", &[("tray-carrier.rhai", shipped::LEGUIN)])?;
    let mut reception = load(&folder)?.reception(evidence.seed)?;
    let lines = lived(&mut reception, 300)?;
    it.expect(reception.robot("Leguin").is_some(), "nobody is called Leguin");
    it.expect(reception.robot("tray-carrier").is_none(), "somebody is called as the file is");
    let called = |line: &&Line| matches!(&line.deed, Deed::Command(command) if command.to == *"Leguin");
    let calls = lines.iter().filter(called).count();
    it.expect(calls > 0 && begins(&lines, "Leguin", "REFILL") > 0, "Leguin is not called, or does not come");
    it.expect(!lines.iter().any(|line| line.to_string().contains("tray-carrier")), "the log has the class");
    it.saw(format!(
        "{calls} calls to Leguin of tray-carrier.rhai, which set out {} times",
        begins(&lines, "Leguin", "REFILL")
    ));
    Ok(())
}

fn refused(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    for (text, words) in [
        ("Butler\nLeguin\nLeguin\n", "two robots are called `Leguin`"),
        ("Butler\nWaiter\n", "there is no class called `Waiter`"),
        ("Butler\nwaiter.rhai\n", "there is no script `waiter.rhai`"),
        ("", "no robot is listed"),
        ("# nobody\n\n", "no robot is listed"),
    ] {
        it.refused(load(&prepared(text, &[])?).map(drop), words);
    }
    let twins = Reception::new(vec![the_leguin(), the_leguin()], hall(&[TABLE_SIDE, Place::new(9.0, 9.0)], 0), 1);
    it.refused(twins.map(drop), "two robots are called `Leguin`");
    it.refused(Reception::new(Vec::new(), hall(&[], 0), evidence.seed).map(drop), "none is listed");
    it.saw("five files and two teams refused, each with what is wrong with it");
    Ok(())
}

fn added(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let robots = |folder: &Folder| -> Result<Reception, Trouble> {
        let mut reception = load(folder)?.reception(evidence.seed)?;
        lived(&mut reception, 100)?;
        Ok(reception)
    };
    let before = robots(&prepared("Butler\nLeguin\n", &[])?)?;
    it.equal(before.scene().map(|scene| scene.robots.len()), Some(2), "the number of robots before");
    let after = robots(&prepared("Butler\nLeguin\nwanderer.rhai\n", &[("wanderer.rhai", WANDERER)])?)?;
    it.equal(after.scene().map(|scene| scene.robots.len()), Some(3), "the number of robots after");
    let wanda = after.robot("Wanda").ok_or("Wanda is missing")?;
    it.equal((wanda.emotion.as_str(), wanda.behavior.as_str()), ("LIGHT", "WANDER"), "what Wanda feels and does");
    it.equal(wanda.variables.number("steps"), Some(100.0), "the number of Wanda's steps");
    it.saw("Wanda, LIGHT and in WANDER, after 100 steps; nothing else was changed");
    Ok(())
}

fn reserved(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let leguin_by_herself = || -> Result<Vec<String>, Trouble> {
        let lines = lived(&mut Reception::new(vec![the_leguin()], hall(&[TABLE_SIDE], 0), evidence.seed)?, 20)?;
        Ok(of_leguin(&lines))
    };
    let mut tried = 0;
    for call in [
        "init_robot(\"Leguin\")",
        "init_robot_of(\"Leguin\")",
        "update_state_variables(\"Leguin\", t)",
        "update_robot_state_variables(\"Leguin\", t)",
        "update_emotion_state(\"Leguin\", t)",
        "update_robot_emotion_state(\"Leguin\", t)",
        "update_behavior_state(\"Leguin\", t)",
        "update_robot_behavior_state(\"Leguin\", t)",
        "set_current_location(\"Leguin\", t, place(40.0, 40.0))",
        "set_robot_current_location(\"Leguin\", t, place(40.0, 40.0))",
        "project_location(\"Leguin\", t)",
        "project_robot_location(\"Leguin\", t)",
    ] {
        let text =
            WANDERER.replace("fn update_behavior_state(t) {", &format!("fn update_behavior_state(t) {{ {call};"));
        let class = Class::new("meddler.rhai", &text, emotions::built_in(), Limits::for_robots())?;
        let meddler: BoxedRobot = Box::new(Arc::new(class).robot(&Settings::new()).map_err(|error| error.to_string())?);
        let mut reception =
            Reception::new(vec![the_leguin(), meddler], hall(&[TABLE_SIDE, Place::new(9.0, 40.0)], 0), evidence.seed)?;
        let lines = lived(&mut reception, 20)?;
        let does = reception.robot("Wanda").map(|wanda| wanda.behavior.to_string());
        it.equal(does.as_deref(), Some(STOPPED), &format!("what comes of {call}"));
        it.equal(of_leguin(&lines), leguin_by_herself()?, "what becomes of Leguin");
        let place = reception.robot("Leguin").map(|leguin| leguin.location);
        it.equal(place, Some(TABLE_SIDE), "where Leguin is");
        tried += 1;
    }
    it.saw(format!("{tried} calls that there are not: whoever makes one is stopped, and Leguin is as if alone"));
    Ok(())
}

fn of_leguin(lines: &[Line]) -> Vec<String> {
    lines.iter().map(ToString::to_string).filter(|line| line.contains("\tLeguin\t")).collect()
}

fn vonda(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut counts = Vec::new();
    for (text, robots) in [("Butler\nLeguin\n", 2), ("Butler\nLeguin\nVonda\n", 3)] {
        let folder = prepared(text, &[])?;
        let mut reception = load(&folder)?.reception(evidence.seed)?;
        lived(&mut reception, 60)?;
        let scene = reception.scene().ok_or("there is nothing to see")?;
        it.equal(scene.robots.len(), robots, "the number of robots");
        it.expect(scene.robots.iter().all(|robot| robot.variables.iter().len() > 0), "a robot has nothing to show");
        counts.push(scene.robots.len().to_string());
        if let Some(vonda) = reception.robot("Vonda") {
            let names = |name: &str| -> Vec<String> {
                reception.robot(name).map_or_else(Vec::new, |robot| {
                    robot.variables.iter().map(|(name, _)| name.to_string()).filter(|name| name != "command").collect()
                })
            };
            it.equal(names("Vonda"), names("Leguin"), "what Vonda shows");
            it.equal((vonda.emotion.as_str(), vonda.behavior.as_str()), ("HAPPY", "WAIT"), "how Vonda is");
        }
    }
    it.equal(counts.join(" and ").as_str(), "2 and 3", "how many show themselves");
    it.saw("one line more, one robot more, with the variables of Leguin's class; panels need a screen");
    Ok(())
}
