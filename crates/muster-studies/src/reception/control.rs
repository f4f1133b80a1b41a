//! 5.1: the buttons, and the order of a tick.

use muster_core::Time;
use muster_reception::crowd::Setup;
use muster_reception::robot::{Constant, Place, butler, command};
use muster_reception::{self as reception, BoxedRobot, Line, Reception, Standing};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::folder::Folder;
use super::probe::{Diary, Probe};
use super::stage::{MIDDLE, TABLE_SIDE, asked_for, at, begins, hall, lived, says, text, the_leguin, two};

const SECTION: &str = "5.1 Simulation control";

/// The checks.
pub const CHECKS: [Asked; 8] = [
    Asked {
        id: "1",
        section: SECTION,
        statement: "init initialises every robot, makes the guests that were asked for, sets the clock to 0 and logs it",
        reading: "two robots that write down their calls, and 37 guests; init after 20 s of a run",
        ask: init,
    },
    Asked {
        id: "2",
        section: SECTION,
        statement: "init twice is init once: the seed, which is in the log, decides everything",
        reading: "logs of 300 s, byte by byte: init once, and init again after 123 s; another seed",
        ask: init_twice,
    },
    Asked {
        id: "3",
        section: SECTION,
        statement: "start lets the clock run, after init and after a pause",
        reading: "ticks before start, after start, after pause, after start again",
        ask: start,
    },
    Asked {
        id: "4",
        section: SECTION,
        statement: "pause holds the clock and every position, and a run with pauses is the run without",
        reading: "200 s with 20 pauses and without: logs byte by byte, places of all bodies during a pause",
        ask: pause,
    },
    Asked {
        id: "5",
        section: SECTION,
        statement: "stop ends the run and closes the log file; start is then refused until init",
        reading: "a run that is stopped after 60 s, its file, and every button after that",
        ask: stop,
    },
    Asked {
        id: "7",
        section: SECTION,
        statement: "a tick is: clock, everybody's place, all variables, plan view, all emotions, all behaviours",
        reading: "two robots that write down their calls, in a run of one tick",
        ask: cycle,
    },
    Asked {
        id: "8",
        section: SECTION,
        statement: "variables are updated from places after the move, and from emotion and behaviour of the tick before",
        reading: "a robot that moves by 1 ft a tick and numbers its states, as another one sees it when it updates",
        ask: previous,
    },
    Asked {
        id: "9",
        section: SECTION,
        statement: "emotion and behaviour are separate: with a constant for feelings a robot runs, and acts by the constant",
        reading: "300 s with 50 guests and a Butler that always feels the same: HAPPY, CONFIDENT, FRUSTRATED, BORED",
        ask: constant,
    },
];

fn probes(diary: &Diary) -> Vec<BoxedRobot> {
    vec![Probe::new("A", "B", diary).guise(), Probe::new("B", "A", diary).guise()]
}

const APART: [Place; 2] = [Place::new(10.0, 40.0), Place::new(20.0, 40.0)];

fn init(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let diary = Diary::default();
    let mut reception = Reception::new(probes(&diary), hall(&APART, 37), evidence.seed)?;
    it.expect(reception.scene().is_none(), "there is something before init");
    lived(&mut reception, 20)?;
    diary.read();
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines)?;
    let calls = diary.read();
    for robot in ["A", "B"] {
        it.expect(calls.contains(&format!("{robot} initRobot")), format!("{robot} is not initialised"));
    }
    it.equal(reception.now(), Time::ZERO, "the clock");
    it.equal(reception.standing(), Standing::Ready, "how things stand");
    it.equal(reception.crowd().map(|crowd| crowd.guest_count()), Some(37), "the number of guests");
    let log = text(&lines);
    let seed = evidence.seed;
    let first = format!("0.000\tinit\tseed={seed}\tfield=50x50\tguests=37\n0.000\trobot\tA\t10,40\tGLEE 0\tSPIN 0\n");
    it.expect(log.starts_with(&first), format!("the log begins with {log:?}"));
    it.saw(format!("clock 0 s, 37 guests, {} lines of initialisation", lines.len()));
    Ok(())
}

fn init_twice(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let once = text(&lived(&mut two(100, evidence.seed)?, 300)?);
    let mut again = two(100, evidence.seed)?;
    lived(&mut again, 123)?;
    again.init(&mut ())?;
    let twice = text(&lived(&mut again, 300)?);
    let another = text(&lived(&mut two(100, evidence.seed.wrapping_add(1))?, 300)?);
    it.expect(once == twice, "the logs differ");
    it.expect(once != another, "another seed gives the same log");
    it.expect(once.contains(&format!("seed={}", evidence.seed)), "the seed is not in the log");
    it.saw(format!("{} bytes of log, the same", once.len()));
    Ok(())
}

fn start(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = two(10, evidence.seed)?;
    it.expect(!reception.tick(&mut ()), "it ticks before init");
    reception.init(&mut ())?;
    it.expect(!reception.tick(&mut ()), "it ticks before start");
    reception.start()?;
    it.expect(reception.tick(&mut ()), "it does not tick after start");
    reception.pause()?;
    it.expect(!reception.tick(&mut ()), "it ticks in a pause");
    reception.start()?;
    it.expect(reception.tick(&mut ()), "it does not tick after a pause");
    it.equal(reception.now(), at(2), "the clock");
    it.saw("2 ticks of 5 that were asked for: the two after start");
    Ok(())
}

fn pause(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let without = text(&lived(&mut two(100, evidence.seed)?, 200)?);
    let mut reception = two(100, evidence.seed)?;
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines)?;
    let places = |reception: &Reception| -> Vec<Place> {
        reception.crowd().map_or_else(Vec::new, |all| all.robots().chain(all.guests().map(|it| it.place)).collect())
    };
    for second in (10..=200).step_by(10) {
        reception.start()?;
        reception.run_until(at(second), &mut lines);
        reception.pause()?;
        let before = places(&reception);
        reception.run_until(at(second + 50), &mut lines);
        it.equal(reception.now(), at(second), "the clock in a pause");
        it.expect(places(&reception) == before, "somebody moves in a pause");
    }
    let with = text(&lines);
    it.expect(with == without, "the logs differ");
    it.saw(format!("20 pauses, {} bytes of log, the same", with.len()));
    Ok(())
}

fn stop(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let folder = Folder::new()?;
    let path = folder.path().join("run.log");
    let mut reception = two(20, evidence.seed)?.with_log(&path);
    let mut lines = lived(&mut reception, 60)?;
    reception.stop(&mut lines)?;
    let file = std::fs::read_to_string(&path)?;
    it.expect(file == text(&lines) && file.ends_with("60.000\tstop\n"), "the file is not closed with the last line");
    it.refused(reception.start(), "press init first");
    it.refused(reception.pause(), "only a running one");
    it.refused(reception.stop(&mut ()), "press init first");
    it.expect(!reception.tick(&mut ()), "it ticks after stop");
    it.expect(std::fs::read_to_string(&path)? == file, "the file changes after stop");
    reception.init(&mut ())?;
    reception.start()?;
    it.expect(reception.tick(&mut ()), "it does not tick after init and start");
    it.saw(format!(
        "{} lines in the file, the last of them stop; start, pause and stop refused",
        asked_for(&lines).len()
    ));
    Ok(())
}

/// What robots of an empty field write down in one tick, without getters.
fn one_tick(it: &mut Findings) -> Result<Vec<String>, Trouble> {
    let diary = Diary::default();
    let setup = Setup { obstacles: Vec::new(), ..hall(&APART, 0) };
    let mut reception = Reception::new(probes(&diary), setup, 1)?;
    reception.init(&mut ())?;
    reception.start()?;
    diary.read();
    it.expect(reception.tick(&mut diary.clone()), "it does not tick");
    it.equal(reception.now(), at(1), "the clock");
    let kept = ["projectLocation", "setCurrentLocation", "update", "plan view", "setCommand"];
    Ok(diary.read().into_iter().filter(|line| kept.iter().any(|word| line.contains(word))).collect())
}

fn cycle(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let order = one_tick(it)?;
    let wanted = [
        "A projectLocation",
        "B projectLocation",
        "A setCurrentLocation",
        "B setCurrentLocation",
        "A updateStateVariables at 1 s, own state 0 0",
        "B updateStateVariables at 1 s, own state 0 0",
        "plan view at 1 s",
        "A updateEmotionState",
        "B updateEmotionState",
        "B setCommand zap at 1 s",
        "A setCommand zap at 1 s",
        "A updateBehaviorState, told 1 times",
        "B updateBehaviorState, told 1 times",
    ];
    it.expect(order == wanted, format!("the order is {order:?}"));
    it.saw("6 phases, each over both robots in their order; commands between phases");
    Ok(())
}

fn previous(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let diary = Diary::default();
    let mover = Probe::new("B", "A", &diary).walking((0.0, -1.0));
    let robots = vec![Probe::new("A", "B", &diary).guise(), mover.guise()];
    let mut reception = Reception::new(robots, hall(&APART, 0), 1)?;
    reception.init(&mut ())?;
    reception.start()?;
    let mut wrong = 0;
    for tick in 1..=20 {
        diary.read();
        reception.tick(&mut ());
        let lines = diary.read();
        let before = tick - 1;
        let seen = format!("A sees B at (20.0, {:.1}): GLEE {before}, SPIN {before}", 40.0 - f64::from(tick));
        let own = format!("A updateStateVariables at {tick} s, own state {before} {before}");
        wrong += usize::from(!lines.contains(&seen)) + usize::from(!lines.contains(&own));
    }
    it.measure(wrong as f64, NEVER, "ticks");
    it.saw("in each of 20 ticks n: the place of tick n, the states of tick n - 1");
    Ok(())
}

fn constant(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut seen = Vec::new();
    for (emotion, refills, intercepts) in
        [("HAPPY", false, false), ("CONFIDENT", true, false), ("FRUSTRATED", true, true), ("BORED", false, false)]
    {
        let butler = reception::butler(butler::Config::cars_2002()).with_esg(Constant::new(emotion));
        let robots: Vec<BoxedRobot> = vec![Box::new(butler), the_leguin()];
        let mut reception = Reception::new(robots, hall(&[MIDDLE, TABLE_SIDE], 50), evidence.seed)?;
        let lines = lived(&mut reception, 300)?;
        let felt = reception.robot("Butler").map(|butler| butler.emotion.to_string());
        it.equal(felt.as_deref(), Some(emotion), "what Butler feels");
        it.equal(says(&lines, command::REFILL) > 0, refills, &format!("that a {emotion} Butler calls"));
        let times = begins(&lines, "Butler", butler::INTERCEPT);
        it.equal(times > 0, intercepts, &format!("that a {emotion} Butler intercepts"));
        seen.push(format!("{emotion}: {} refills, {times} intercepts", says(&lines, command::REFILL)));
    }
    it.saw(seen.join("; "));
    Ok(())
}
