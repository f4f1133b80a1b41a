//! 5.7: the waiter and the refiller.

use muster_reception::crowd::Setup;
use muster_reception::robot::{Constant, Leguin, Place, Robot, Value, butler, command, leguin};
use muster_reception::{self as reception, Deed, Line, Reception, Replay};

use super::caution::{self, STEPS};
use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::runs::{PAPER, mean_of};
use super::stage::{
    Alone, MIDDLE, TABLE_SIDE, begins, feels, hall, lived, lone_butler, lone_leguin, other, says, the_butler,
    the_leguin, two, two_of,
};

const SECTION: &str = "5.7 The waiter/refiller experiment";
const FRUSTRATED: &str = "FRUSTRATED";

/// The checks.
pub const CHECKS: [Asked; 15] = [
    Asked {
        id: "49",
        section: SECTION,
        statement: "Butler starts near the middle with 30 treats, Leguin at the food table",
        reading: "the paper's reception after init: places, treats, the fixed obstacle",
        ask: beginning,
    },
    Asked {
        id: "50",
        section: SECTION,
        statement: "treats go one at a time at exponential intervals, whose mean can be set",
        reading: "1,000 treats with means of 1.5, 3 and 30 s: mean interval; of the last also the share longer than the mean",
        ask: treats,
    },
    Asked {
        id: "51",
        section: SECTION,
        statement: "Butler calls for a refill; Leguin changes from wait to refill and moves toward where Butler is",
        reading: "1,800 s without guests: what comes of each call, and her heading against the bearing of Butler",
        ask: calls,
    },
    Asked {
        id: "52",
        section: SECTION,
        statement: "hurry makes Leguin CONCERNED and faster",
        reading: "Leguin on her way, before and after she is told to hurry",
        ask: hurry,
    },
    Asked {
        id: "53",
        section: SECTION,
        statement: "Butler can be CONCERNED and still serve",
        reading: "seconds of this study's receptions with 100 guests at which it is, and treats that go in one of them",
        ask: concerned,
    },
    Asked {
        id: "54",
        section: SECTION,
        statement: "with Leguin walled in, Butler gets FRUSTRATED, stops serving and heads straight for her",
        reading: "4 runs with Leguin between eight obstacles, no guests: treats during INTERCEPT, heading against bearing on a free way",
        ask: walled_in,
    },
    Asked {
        id: "55",
        section: SECTION,
        statement: "an exchange begins within 4 ft, in intercept or not, and not at 4.1 ft",
        reading: "Leguin on her way, at 3.9, 4.0, 4.1 and 5 ft from a Butler that serves, and from one that intercepts",
        ask: four_feet,
    },
    Asked {
        id: "56",
        section: SECTION,
        statement: "after the exchange Butler has exactly 30 treats",
        reading: "treats at the end of each exchange, 10 runs of 1,800 s with 100 guests",
        ask: thirty,
    },
    Asked {
        id: "57",
        section: SECTION,
        statement: "Leguin then stands still until she is told to go home; without that she never moves",
        reading: "Leguin after an exchange, for 1,000 s without a word, and after \"go home\"",
        ask: released,
    },
    Asked {
        id: "58",
        section: SECTION,
        statement: "Butler sends \"go home\", goes back to its start, then walks at random again",
        reading: "each exchange of 10 runs without guests: what is said and done next, where, and how headings change then",
        ask: goes_back,
    },
    Asked {
        id: "59",
        section: SECTION,
        statement: "back at the table Leguin stops and waits; the next refill or hurry starts her again",
        reading: "Leguin through a whole trip, then 100 s of waiting, then one of the two",
        ask: waits,
    },
    Asked {
        id: "60",
        section: SECTION,
        statement: "sometimes treats run out again before Butler is back at its start",
        reading: "receptions with treats that go in 0.5 s, until it happens, 50 seeds at most",
        ask: empty_again,
    },
    Asked {
        id: "61",
        section: SECTION,
        statement: "without guests there is hardly any FRUSTRATED time, with 100 there is some",
        reading: "Butler's share of time, mean over the seeds of this study; value: without guests",
        ask: crowd_frustrates,
    },
    Asked {
        id: "62",
        section: SECTION,
        statement: "for the same history, more caution never gives a lower level or a lower negative intensity",
        reading: "what Butler had to reckon with in each run with 100 guests, and 100 made-up histories, lived through with \
                  caution 0, 0.1, ... 1",
        ask: monotone,
    },
    Asked {
        id: "63",
        section: SECTION,
        statement: "whoever is HAPPY names itself as responsible, a FRUSTRATED Butler names Leguin",
        reading: "Butler's published agency at every second of 4 runs of 1,800 s with 100 guests",
        ask: agency,
    },
];

fn beginning(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = Reception::cars_2002(evidence.seed)?;
    reception.init(&mut ())?;
    let scene = reception.scene().ok_or("there is nothing to see")?;
    let table = scene.crowd.obstacles().next().ok_or("there is no table")?;
    let (butler, leguin) = (&scene.robots[0], &scene.robots[1]);
    it.equal((butler.name.as_str(), leguin.name.as_str()), ("Butler", "Leguin"), "who they are");
    let (width_ft, height_ft) = scene.crowd.field_ft();
    let off_ft = butler.location.distance_ft(Place::new(width_ft / 2.0, height_ft / 2.0));
    it.expect(off_ft <= 2.0, format!("Butler is {off_ft} ft off the middle"));
    let reach_ft = leguin.location.distance_ft(table);
    it.expect(reach_ft <= 4.0, format!("Leguin is {reach_ft} ft off the table"));
    let treats = butler.variables.number("treats").ok_or("treats are not published")?;
    it.measure(treats, (30.0, 30.0), "treats");
    it.saw(format!("Butler {off_ft} ft off the middle, Leguin {reach_ft} ft off the table"));
    Ok(())
}

fn treats(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut worst = 0.0_f64;
    for mean_s in [1.5, 3.0, 30.0] {
        let config = butler::Config { treats: 1_001, consumption_mean_s: mean_s, ..butler::Config::cars_2002() };
        // Always HAPPY: it never calls, and serves to the last.
        let calm = reception::butler(config).with_esg(Constant::new("HAPPY"));
        let mut butler = Alone::new(calm, MIDDLE, vec![other("Leguin", TABLE_SIDE, "WAIT")]);
        let (mut last_s, mut longer, mut gone) = (0.0, 0, 0);
        while gone < 1_000 {
            butler.tick();
            let now = 1_001 - butler.robot.body.treats;
            longer += usize::from(now > gone && butler.now_s - last_s > mean_s);
            if now > gone {
                last_s = butler.now_s;
            }
            gone = now;
        }
        let off = 100.0 * (butler.now_s / f64::from(gone) / mean_s - 1.0);
        worst = if off.abs() > worst.abs() { off } else { worst };
        if mean_s == 30.0 {
            // 1/e of exponential intervals are; of even ones half or none would be.
            let share = longer as f64 / f64::from(gone);
            it.expect((0.32..0.42).contains(&share), format!("{share} of the intervals are longer than the mean"));
            it.saw(format!("{:.1} % of intervals longer than the mean (exponential: 36.8)", 100.0 * share));
        }
    }
    it.measure(worst, (-10.0, 10.0), "%");
    it.saw(format!("means off by {worst:.1} % at worst"));
    Ok(())
}

fn calls(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = two(0, evidence.seed)?;
    let mut lines: Vec<Line> = Vec::new();
    reception.init(&mut lines)?;
    reception.start()?;
    let (mut came, mut headed, mut on_the_way) = (0, 0, 0);
    for _ in 0..1_800 {
        let mut now: Vec<Line> = Vec::new();
        let waited = reception.robot("Leguin").is_some_and(|leguin| leguin.behavior == *leguin::WAIT);
        reception.tick(&mut now);
        let (butler, leguin) = (reception.robot("Butler"), reception.robot("Leguin"));
        let (butler, leguin) = butler.zip(leguin).ok_or("a robot is missing")?;
        came += usize::from(waited && leguin.behavior == *leguin::REFILL);
        if leguin.behavior == *leguin::REFILL && leguin.speed_fps > 0.0 {
            let off = leguin.direction - leguin.location.heading_to(butler.location);
            on_the_way += 1;
            headed += usize::from(off.abs() < 1e-6);
        }
        lines.extend(now);
    }
    let calls = says(&lines, command::REFILL);
    // Also while she is on her way home.
    let departures = begins(&lines, "Leguin", leguin::REFILL);
    it.expect(came > 5, format!("she leaves the table {came} times"));
    it.expect(departures <= calls && departures + 1 >= calls, format!("{departures} departures for {calls} calls"));
    // The table is in the way at times, and she goes around it.
    it.measure(100.0 * headed as f64 / f64::from(on_the_way), (90.0, 100.0), "% of seconds");
    it.saw(format!(
        "{calls} calls, {departures} departures, {came} of them from WAIT; {headed} of {on_the_way} s straight at Butler"
    ));
    Ok(())
}

fn hurry(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut leguin = lone_leguin();
    leguin.tell(command::REFILL);
    leguin.tick();
    leguin.tick();
    let before = (leguin.robot.get_emotion_state(), leguin.robot.get_speed());
    leguin.tell(command::HURRY);
    leguin.tick();
    let after = (leguin.robot.get_emotion_state(), leguin.robot.get_speed());
    it.equal(before.0.as_str(), "CONFIDENT", "what she feels before");
    it.equal(after.0.as_str(), "CONCERNED", "what she feels after");
    it.measure(after.1 / before.1, (1.01, f64::INFINITY), "times as fast");
    it.saw(format!("{} at {} ft/s, then {} at {} ft/s", before.0, before.1, after.0, after.1));
    Ok(())
}

fn concerned(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let runs = evidence.runs.with_guests(PAPER);
    let run = runs.first().ok_or("there was no reception")?;
    let mut reception = two(PAPER, run.seed)?;
    reception.init(&mut ())?;
    reception.start()?;
    let (mut seconds, mut served, mut before) = (0, 0.0, 30.0);
    for _ in 0..1_800 {
        let serves =
            reception.robot("Butler").is_some_and(|it| it.emotion == *"CONCERNED" && it.behavior == *butler::SERVE);
        reception.tick(&mut ());
        let treats = reception.robot("Butler").and_then(|it| it.variables.number("treats")).ok_or("no treats")?;
        if serves {
            seconds += 1;
            served += (before - treats).max(0.0);
        }
        before = treats;
    }
    it.expect(served > 0.0, "nothing is served while it is CONCERNED");
    it.measure(f64::from(seconds), (1.0, 1_800.0), "s of 1,800");
    it.saw(format!("CONCERNED and in SERVE for {seconds} s of the first run, with {served} treats served meanwhile"));
    Ok(())
}

fn walled_in(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let around = [(23.0, 4.0), (27.0, 4.0), (23.0, 6.0), (27.0, 6.0), (23.0, 8.0), (25.0, 8.0), (27.0, 8.0)];
    let mut setup: Setup = hall(&[MIDDLE, TABLE_SIDE], 0);
    setup.obstacles.extend(around.map(|(x, y)| Place::new(x, y)));
    let (mut seconds, mut worst_deg) = (0, 0.0_f64);
    for index in 0..4 {
        let robots = vec![the_butler(butler::Config::cars_2002()), the_leguin()];
        let mut reception = Reception::new(robots, setup.clone(), evidence.seed.wrapping_add(index))?;
        let mut lines: Vec<Line> = Vec::new();
        reception.init(&mut lines)?;
        reception.start()?;
        // Free: from the first moment of INTERCEPT until something is in the way for the first time.
        let (mut treats, mut free, mut before) = (None, true, None);
        for _ in 0..300 {
            reception.tick(&mut lines);
            let (butler, leguin) = (reception.robot("Butler"), reception.robot("Leguin"));
            let (butler, leguin) = butler.zip(leguin).ok_or("a robot is missing")?;
            it.expect(leguin.location.distance_ft(TABLE_SIDE) < 1.5, "Leguin is not walled in");
            if butler.behavior == *butler::INTERCEPT {
                let left = butler.variables.number("treats");
                it.equal(left, *treats.get_or_insert(left), "the number of treats during INTERCEPT");
                free &= before != Some(butler.location);
                if free {
                    seconds += 1;
                    let off_deg = (butler.direction - butler.location.heading_to(leguin.location)).to_degrees();
                    worst_deg = worst_deg.max(((off_deg + 540.0).rem_euclid(360.0) - 180.0).abs());
                }
                before = Some(butler.location);
            } else if treats.is_some() {
                break;
            }
        }
        it.expect(feels(&lines, "Butler", FRUSTRATED) > 0, "Butler is never FRUSTRATED");
        it.expect(treats.is_some(), "Butler never intercepts");
    }
    it.expect(seconds >= 10, format!("only {seconds} s on a free way"));
    it.measure(worst_deg, (0.0, 5.0), "degrees");
    it.saw(format!(
        "FRUSTRATED each time, no treat given away, and straight at her for {seconds} s, until the wall is in the way"
    ));
    Ok(())
}

fn four_feet(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    for (distance_ft, exchanges) in [(3.9, true), (4.0, true), (4.1, false), (5.0, false)] {
        for intercepts in [false, true] {
            let mut butler = lone_butler(butler::Config::cars_2002(), 40.0, leguin::REFILL);
            butler.update();
            butler.robot.body.refill_requested = true;
            if intercepts {
                butler.robot.body.treats = 0;
                butler.feel();
                it.equal(butler.decide().0.as_str(), butler::INTERCEPT, "what it does far from her");
            }
            butler.others[0].location = Place::new(MIDDLE.x, MIDDLE.y - distance_ft);
            butler.update();
            let usual = if intercepts { butler::INTERCEPT } else { butler::SERVE };
            let expected = if exchanges { butler::EXCHANGE } else { usual };
            it.equal(butler.decide().0.as_str(), expected, &format!("what it does at {distance_ft} ft"));
        }
    }
    it.saw("EXCHANGE at 3.9 and 4.0 ft from either, not at 4.1 and 5 ft");
    Ok(())
}

fn thirty(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut ends = Vec::new();
    for index in 0..10 {
        let mut reception = two(PAPER, evidence.seed.wrapping_add(index))?;
        reception.init(&mut ())?;
        reception.start()?;
        let mut exchanging = false;
        for _ in 0..1_800 {
            reception.tick(&mut ());
            let butler = reception.robot("Butler").ok_or("Butler is missing")?;
            let now = butler.behavior == *butler::EXCHANGE;
            if exchanging && !now {
                ends.push(butler.variables.number("treats").ok_or("no treats")?);
            }
            exchanging = now;
        }
    }
    it.expect(ends.len() >= 50, format!("only {} exchanges", ends.len()));
    let odd = ends.iter().filter(|treats| **treats != 30.0).count();
    it.measure(odd as f64, NEVER, "exchanges that leave another number");
    it.saw(format!("{} exchanges, 30 treats after each", ends.len()));
    Ok(())
}

/// Leguin after an exchange, and where she stands.
fn after_exchange() -> Result<(Alone<Leguin>, Place), Trouble> {
    let mut leguin = lone_leguin();
    leguin.tell(command::REFILL);
    for _ in 0..30 {
        leguin.tick();
    }
    leguin.tell(command::EXCHANGE);
    for _ in 0..5 {
        leguin.tick();
    }
    let place = leguin.place();
    Ok((leguin, place))
}

fn released(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut leguin, there) = after_exchange()?;
    it.expect(there.distance_ft(MIDDLE) <= 4.0, "she is not at Butler's side");
    let mut moved = 0;
    for _ in 0..1_000 {
        let (does, _) = leguin.tick();
        moved += usize::from(leguin.place() != there || does != *leguin::AWAIT_RELEASE);
    }
    it.measure(f64::from(moved as u32), NEVER, "s");
    leguin.tell(command::GO_HOME);
    leguin.tick();
    leguin.tick();
    it.expect(leguin.place() != there, "she does not go home");
    it.saw("1,000 s in AWAIT_RELEASE at the same place; on her way as soon as she is told");
    Ok(())
}

fn goes_back(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut exchanges, mut back, mut far_ft, mut headings) = (0, 0, 0.0_f64, Vec::new());
    for index in 0..10 {
        let mut reception = two(0, evidence.seed.wrapping_add(index))?;
        let mut lines: Vec<Line> = Vec::new();
        reception.init(&mut lines)?;
        reception.start()?;
        let mut going_back = false;
        for _ in 0..900 {
            let mut now: Vec<Line> = Vec::new();
            reception.tick(&mut now);
            let butler = reception.robot("Butler").ok_or("Butler is missing")?;
            for line in &now {
                let Deed::Behavior { robot, old, new } = &line.deed else { continue };
                if *robot != *"Butler" {
                    continue;
                }
                if *old == *butler::EXCHANGE {
                    exchanges += 1;
                    it.equal(new.as_str(), butler::GO_BACK, "what comes after an exchange");
                    it.equal(says(&now, command::GO_HOME), 1, "the number of \"go home\" at its end");
                }
                if going_back && *new == *butler::SERVE {
                    back += 1;
                    far_ft = far_ft.max(butler.location.distance_ft(MIDDLE));
                }
            }
            going_back = butler.behavior == *butler::GO_BACK;
            if butler.behavior == *butler::SERVE && headings.last() != Some(&butler.direction) {
                headings.push(butler.direction);
            }
        }
    }
    it.expect(exchanges >= 20 && back >= 10, format!("{exchanges} exchanges, {back} times back"));
    let quarter =
        |heading: &f64| (heading.rem_euclid(std::f64::consts::TAU) / std::f64::consts::FRAC_PI_2) as usize % 4;
    let mut quarters = [0_usize; 4];
    headings.iter().for_each(|heading| quarters[quarter(heading)] += 1);
    it.expect(quarters.iter().all(|n| *n * 10 > headings.len()), format!("the walk is not at random: {quarters:?}"));
    it.measure(far_ft, (0.0, 1.0), "ft off its start");
    it.saw(format!("{exchanges} exchanges, back {back} times, then {} headings all around", headings.len()));
    Ok(())
}

fn waits(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    for wake in [command::REFILL, command::HURRY] {
        let (mut leguin, _) = after_exchange()?;
        leguin.tell(command::GO_HOME);
        let home = (0..100).any(|_| leguin.tick().0 == *leguin::WAIT);
        it.expect(home, "she never gets home");
        let there = leguin.place();
        it.expect(there.distance_ft(TABLE_SIDE) <= 1.0, format!("she waits at {there}"));
        let stays = (0..100).all(|_| leguin.tick().0 == *leguin::WAIT && leguin.place() == there);
        it.expect(stays, "she does not wait");
        leguin.tell(wake);
        it.equal(leguin.tick().0.as_str(), leguin::REFILL, &format!("what she does on \"{wake}\""));
        leguin.tick();
        it.expect(leguin.place() != there, "she does not move");
    }
    it.saw("100 s at the table, then off at refill, and at hurry");
    Ok(())
}

fn empty_again(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let config = butler::Config { consumption_mean_s: 0.5, ..butler::Config::cars_2002() };
    for index in 0..50 {
        let seed = evidence.seed.wrapping_add(index);
        let mut replay = Replay::default();
        for line in lived(&mut two_of(config.clone(), PAPER, seed)?, 900)? {
            replay.read(&line);
            let going_back = replay.robot("Butler").is_some_and(|butler| butler.behavior == *butler::GO_BACK);
            if going_back && matches!(&line.deed, Deed::Note { text, .. } if text == "runs out of treats") {
                it.measure(f64::from(index as u32 + 1), (1.0, 50.0), "seeds until it happened");
                it.saw(format!("seed {seed}, {:.0} s: out of treats in GO_BACK", line.at.as_secs_f64()));
                return Ok(());
            }
        }
    }
    it.expect(false, "not in 50 seeds");
    Ok(())
}

fn crowd_frustrates(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let share = |guests| mean_of(evidence.runs.with_guests(guests), |run| 100.0 * run.share(0, FRUSTRATED));
    let (without, with) = (share(0), share(PAPER));
    it.expect(!evidence.runs.with_guests(PAPER).is_empty(), "there was no reception");
    it.expect(with.mean > without.mean, format!("{:.2} % with guests, {:.2} % without", with.mean, without.mean));
    it.measure(without.mean, (0.0, 2.0), "% of the time");
    it.saw(format!(
        "{:.2} % of the time without guests, {:.1} % ({:.1} to {:.1}) with 100",
        without.mean, with.mean, with.low, with.high
    ));
    Ok(())
}

fn monotone(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let found = caution::monotony(evidence.seed, evidence.runs)?;
    it.expect(found.unlike == 0, format!("{} seconds are not felt again as they were", found.unlike));
    it.expect(found.higher > 0, "caution makes no difference");
    it.measure((found.lower_levels + found.lower_intensities) as f64, NEVER, "seconds");
    it.saw(format!(
        "{} histories, {STEPS} steps of caution, {} seconds compared: more is felt in {}, less in none; with Butler's own \
         caution each recorded second comes out as it was felt",
        found.histories, found.compared, found.higher
    ));
    Ok(())
}

fn agency(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut happy, mut frustrated, mut wrong) = (0, 0, 0);
    for index in 0..4 {
        let mut reception = two(PAPER, evidence.seed.wrapping_add(index))?;
        reception.init(&mut ())?;
        reception.start()?;
        for _ in 0..1_800 {
            reception.tick(&mut ());
            let butler = reception.robot("Butler").ok_or("Butler is missing")?;
            let expected = match butler.emotion.as_str() {
                "HAPPY" => "self",
                FRUSTRATED => "Leguin",
                _ => continue,
            };
            *(if expected == "self" { &mut happy } else { &mut frustrated }) += 1;
            wrong += usize::from(butler.variables.get("emotionAgency") != Some(&Value::from(expected)));
        }
    }
    it.expect(happy > 0 && frustrated > 0, "it is never the one or the other");
    it.measure(wrong as f64, NEVER, "s");
    it.saw(format!("self for {happy} s of HAPPY, Leguin for {frustrated} s of FRUSTRATED"));
    Ok(())
}
