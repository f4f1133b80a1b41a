//! 5.6: who is in whose way.

use std::f64::consts::TAU;

use muster_reception::crowd::{
    Advance, BODY_FT, Crowd, Deed, Entry, Gait, GuestLog, Guests, Setup, Triangular, rounded,
};
use muster_reception::robot::Place;
use muster_reception::{Reception, TICK};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::probe::{Diary, Probe};
use super::runs::{PAPER, SECONDS, collisions};
use super::stage::{MIDDLE, TABLE_SIDE, at, hall, lived, text, two};

const SECTION: &str = "5.6 Space, obstacles, collisions";

/// The checks.
pub const CHECKS: [Asked; 9] = [
    Asked {
        id: "40",
        section: SECTION,
        statement: "everything takes 2 by 2 ft: two collide when both distances are below 2 ft, and may touch",
        reading: "a robot that wants to be at each of 2,401 places around an obstacle, an eighth of a foot apart",
        ask: bodies,
    },
    Asked {
        id: "41",
        section: SECTION,
        statement: "guests are placed at random without overlap, with speed and duration from their distributions",
        reading: "100 guests of 100 seeds: overlaps, ranges, and how many are in each quarter of the field",
        ask: placed,
    },
    Asked {
        id: "42",
        section: SECTION,
        statement: "a guest keeps direction and speed until its duration is over, then gets others",
        reading: "100 guests for 300 s: velocity, time of the next change, and way covered, tick by tick",
        ask: keeps,
    },
    Asked {
        id: "43",
        section: SECTION,
        statement: "a wanted place is checked against robots, guests and obstacles; whoever collides stays, others go on",
        reading: "robots that run into a robot, a guest, an obstacle and the edge, and one that does not",
        ask: stays,
    },
    Asked {
        id: "44",
        section: SECTION,
        statement: "after every tick nobody overlaps another, and nobody is off the field; no run panics",
        reading: "every tick of every reception of this study, all pairs of bodies",
        ask: invariant,
    },
    Asked {
        id: "45",
        section: SECTION,
        statement: "the simulator does not steer: who is blocked stays so until it wants something else, and can tell",
        reading: "a robot that walks into a wall for 100 s, and another that then turns",
        ask: blocked,
    },
    Asked {
        id: "46",
        section: SECTION,
        statement: "the order is fixed, robots as listed and then guests, so runs repeat",
        reading: "two who want one place, listed either way; a robot and a guest; the same run twice, byte by byte",
        ask: order,
    },
    Asked {
        id: "47",
        section: SECTION,
        statement: "nobody passes through anybody, however fast",
        reading: "300 leaps of up to 37 ft at a wall, and 60 guests of up to 40 ft/s for 1,000 s beside it",
        ask: leaps,
    },
    Asked {
        id: "48",
        section: SECTION,
        statement: "10,000 draws: the mean speed is within 2 %, all are in range, directions are uniform",
        reading: "legs that guests begin: speeds against (min + mode + max) / 3, directions by chi-square over 36 sectors",
        ask: draws,
    },
];

fn bare(robots: Vec<Place>, obstacles: Vec<Place>) -> Setup {
    Setup { robots, obstacles, ..hall(&[], 0) }
}

fn bodies(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (start, middle) = (Place::new(10.0, 25.0), Place::new(25.0, 25.0));
    let (mut wrong, mut refused, mut reached, mut touching) = (0, 0, 0, 0);
    for (column, row) in (-24..=24).flat_map(|column| (-24..=24).map(move |row| (column, row))) {
        let (dx, dy) = (f64::from(column) / 8.0, f64::from(row) / 8.0);
        let mut crowd = Crowd::new(&bare(vec![start], vec![middle]), 1)?;
        // By way of a place beyond all of them: only the last step is looked at.
        let wanted = Place::new(middle.x + dx, middle.y + dy);
        let beside =
            Place::new(wanted.x + if dx < 0.0 { -3.0 } else { 3.0 }, wanted.y + if dy < 0.0 { -2.0 } else { 2.0 });
        for way in [Place::new(start.x, beside.y), Place::new(beside.x, if dy < 0.0 { 15.0 } else { 35.0 }), beside] {
            crowd.tick(TICK, &[way]);
        }
        let there = crowd.robot(0) == beside;
        crowd.tick(TICK, &[wanted]);
        let collides = dx.abs() < BODY_FT && dy.abs() < BODY_FT;
        let advanced = crowd.outcome(0).is_advanced();
        wrong += usize::from(!there || advanced == collides);
        refused += usize::from(!advanced);
        reached += usize::from(advanced);
        touching += usize::from(!collides && dx.abs() <= BODY_FT && dy.abs() <= BODY_FT);
    }
    it.measure(wrong as f64, NEVER, "places that are not as they should be");
    it.saw(format!("{refused} places refused, {reached} reached, {touching} of them touching"));
    Ok(())
}

fn speed_fps(velocity_fps: [f64; 2]) -> f64 {
    f64::hypot(velocity_fps[0], velocity_fps[1])
}

fn placed(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut wrong, mut quarters, mut first) = (0, [0_u32; 4], Vec::new());
    for index in 0..100 {
        let seed = evidence.seed.wrapping_add(index);
        let crowd = Crowd::new(&hall(&[MIDDLE, TABLE_SIDE], PAPER), seed)?;
        let (overlap, outside) = collisions(&crowd, &mut Vec::new());
        wrong += usize::from(overlap || outside);
        for guest in crowd.guests() {
            let Place { x, y } = guest.place;
            quarters[usize::from(x > 25.0) + 2 * usize::from(y > 25.0)] += 1;
            let (speed, duration_s) = (speed_fps(guest.velocity_fps), guest.until.as_secs_f64());
            wrong += usize::from(speed > 3.0001 || !(2.0..=15.0).contains(&duration_s));
        }
        first.push(crowd.guest(0).place);
    }
    it.expect(first.windows(2).all(|pair| pair[0] != pair[1]), "two seeds put a guest at the same place");
    let shares = quarters.map(|guests| f64::from(guests) / 100.0);
    // Obstacles and robots are in the south; 2 percent of 10,000 are more than four standard deviations.
    it.expect(shares.iter().all(|share| (23.0..=27.0).contains(share)), format!("quarters hold {shares:?} %"));
    it.measure(wrong as f64, NEVER, "guests");
    it.saw(format!("10,000 guests; {shares:.1?} % in the quarters of the field"));
    Ok(())
}

fn keeps(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut crowd = Crowd::new(&hall(&[], PAPER), evidence.seed)?;
    let (mut kept, mut changed, mut wrong) = (0, 0, 0);
    for _ in 0..300 {
        let (now, before) = (crowd.now(), crowd.guests().collect::<Vec<_>>());
        crowd.tick(TICK, &[]);
        for (before, after) in before.iter().zip(crowd.guests()) {
            if before.until <= now {
                changed += 1;
                wrong += usize::from(after.velocity_fps == before.velocity_fps || after.until <= now);
            } else {
                kept += 1;
                wrong += usize::from((after.velocity_fps, after.until) != (before.velocity_fps, before.until));
            }
            let walked = [after.place.x - before.place.x, after.place.y - before.place.y];
            let moves = (0..2).all(|axis| (walked[axis] - after.velocity_fps[axis]).abs() < 1e-4);
            wrong += usize::from(!moves && walked != [0.0; 2]);
        }
    }
    it.expect(changed > 1_000, format!("only {changed} changes"));
    it.measure(wrong as f64, NEVER, "ticks");
    it.saw(format!("{kept} ticks of guests on their way, {changed} in which they turned"));
    Ok(())
}

/// A guest that stands there, and does this after a while.
fn one_guest(start: Place, later: Option<(u64, Deed)>) -> Result<Guests, Trouble> {
    let entries = later.map(|(second, does)| Entry { at: at(second), guest: 0, does });
    Ok(Guests::Logged(GuestLog::new(vec![start], entries.into_iter().collect())?))
}

fn stays(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let place = Place::new;
    let robots = vec![place(10.0, 10.0), place(14.0, 10.0), place(10.0, 20.0), place(10.0, 30.0), place(2.0, 40.0)];
    let setup = Setup { guests: one_guest(place(13.0, 20.0), None)?, ..bare(robots, vec![place(13.0, 30.0)]) };
    let mut crowd = Crowd::new(&setup, 1)?;
    // The first goes east, and the second into it; then one into the guest, one into the obstacle, one off the field.
    let wanted = [place(11.5, 10.0), place(13.0, 10.0), place(11.5, 20.0), place(11.5, 30.0), place(0.5, 40.0)];
    crowd.tick(TICK, &wanted);
    it.equal(crowd.outcome(0), Advance::Advanced, "what became of the first");
    for (robot, against) in [(1, place(11.5, 10.0)), (2, place(13.0, 20.0)), (3, place(13.0, 30.0))] {
        it.equal(crowd.outcome(robot), Advance::Blocked(against), "what became of one that collides");
    }
    it.equal(crowd.outcome(4), Advance::AtEdge, "what became of the one at the edge");
    let places = [place(11.5, 10.0), place(14.0, 10.0), place(10.0, 20.0), place(10.0, 30.0), place(2.0, 40.0)];
    it.equal(crowd.robots().collect(), places.to_vec(), "where robots are");
    it.saw("one advanced; four refused, by a robot, a guest, an obstacle and the edge, and still where they were");
    Ok(())
}

fn invariant(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (mut receptions, mut overlaps, mut outside, mut broken) = (0, 0, 0, 0);
    for run in evidence.runs.all() {
        receptions += 1;
        overlaps += run.overlaps;
        outside += run.outside;
        broken += usize::from(!run.ended);
    }
    it.expect(receptions > 0, "there was no reception");
    it.expect(overlaps == 0, format!("{overlaps} ticks with an overlap"));
    it.expect(outside == 0, format!("{outside} ticks with a body off the field"));
    it.expect(broken == 0, format!("{broken} receptions did not come to an end"));
    it.measure((overlaps + outside + broken) as f64, NEVER, "ticks or runs");
    it.saw(format!("{receptions} receptions of {SECONDS} s"));
    Ok(())
}

fn blocked(_: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let diary = Diary::default();
    let start = Place::new(10.0, 10.0);
    let walker = Probe::new("A", "nobody", &diary).walking((1.0, 0.0));
    let mut reception = Reception::new(vec![walker.guise()], bare(vec![start], vec![Place::new(12.0, 10.0)]), 1)?;
    lived(&mut reception, 100)?;
    it.equal(reception.robot("A").map(|robot| robot.location), Some(start), "where it is");
    let noticed = diary.read().iter().filter(|line| line.contains("not advanced")).count();
    it.equal(noticed, 100, "the number of times that it could tell");
    let mut crowd = Crowd::new(&bare(vec![start], vec![Place::new(12.0, 10.0)]), 1)?;
    (0..10).for_each(|_| crowd.tick(TICK, &[Place::new(11.0, 10.0)]));
    it.equal(crowd.robot(0), start, "where a robot is that keeps on");
    crowd.tick(TICK, &[Place::new(10.0, 11.0)]);
    it.equal(crowd.robot(0), Place::new(10.0, 11.0), "where it is after it has turned");
    it.saw("100 ticks at the same place, told each time by where it was put; free as soon as it turns");
    Ok(())
}

fn order(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let (west, east, between) = (Place::new(10.0, 10.0), Place::new(14.0, 10.0), Place::new(12.0, 10.0));
    for starts in [[west, east], [east, west]] {
        let mut crowd = Crowd::new(&bare(starts.to_vec(), Vec::new()), 1)?;
        crowd.tick(TICK, &[between, between]);
        it.equal((crowd.robot(0), crowd.robot(1)), (between, starts[1]), "who got the place");
        // Who leaves makes room for those after it, and not for those before.
        let north = Place::new(12.0, 13.0);
        crowd.tick(TICK, &[north, between]);
        it.equal((crowd.robot(0), crowd.robot(1)), (north, between), "who comes after one that leaves");
        crowd.tick(TICK, &[between, starts[1]]);
        it.equal((crowd.robot(0), crowd.robot(1)), (north, starts[1]), "who comes before one that leaves");
    }
    let guests = one_guest(east, Some((0, Deed::IsAt(between))))?;
    let mut crowd = Crowd::new(&Setup { guests, ..bare(vec![west], Vec::new()) }, 1)?;
    crowd.tick(TICK, &[between]);
    it.equal((crowd.robot(0), crowd.guest(0).place), (between, east), "who of robot and guest got the place");
    let log = |seed| -> Result<String, Trouble> { Ok(text(&lived(&mut two(PAPER, seed)?, 600)?)) };
    it.expect(log(evidence.seed)? == log(evidence.seed)?, "the same run twice differs");
    it.saw("the first of the list, and robots before guests; 600 s twice, the same log");
    Ok(())
}

fn leaps(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let wall: Vec<Place> = (0..25).map(|row| Place::new(20.0, 1.0 + 2.0 * f64::from(row))).collect();
    let mut wrong = 0;
    for eighths in 1..=300 {
        let far = 10.0 + f64::from(eighths) / 8.0;
        let mut crowd = Crowd::new(&bare(vec![Place::new(10.0, 10.3)], wall.clone()), 1)?;
        crowd.tick(TICK, &[Place::new(far, 10.3)]);
        wrong += usize::from(crowd.outcome(0).is_advanced() != (far <= 18.0));
        wrong += usize::from(crowd.robot(0).x > rounded(Place::new(18.0, 10.3)).x);
    }
    let gait = Gait { speed_fps: Triangular::new(0.0, 10.0, 40.0)?, duration_s: Triangular::new(1.0, 2.0, 3.0)? };
    let setup = Setup { guests: Guests::Random { count: 60, gait }, ..bare(Vec::new(), wall) };
    let mut crowd = Crowd::new(&setup, evidence.seed)?;
    let sides = |crowd: &Crowd| -> Vec<bool> { crowd.guests().map(|guest| guest.place.x < 20.0).collect() };
    let (before, start) = (sides(&crowd), crowd.guest(0).place);
    for _ in 0..1_000 {
        crowd.tick(TICK, &[]);
        wrong += usize::from(sides(&crowd) != before);
    }
    it.expect(crowd.guest(0).place != start, "nobody moves");
    it.measure(wrong as f64, NEVER, "times through a wall");
    it.saw("longer ways are looked at in steps, and refused as a whole");
    Ok(())
}

fn draws(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    const DRAWS: usize = 10_000;
    const SECTORS: usize = 36;
    let setup = Setup { width_ft: 500.0, height_ft: 500.0, obstacles: Vec::new(), ..hall(&[], PAPER) };
    let mut crowd = Crowd::new(&setup, evidence.seed)?;
    let mut legs: Vec<[f64; 2]> = crowd.guests().map(|guest| guest.velocity_fps).collect();
    while legs.len() < DRAWS {
        let before: Vec<_> = crowd.guests().map(|guest| guest.until).collect();
        crowd.tick(TICK, &[]);
        let begun = crowd.guests().zip(before).filter(|(guest, before)| guest.until != *before);
        legs.extend(begun.map(|(guest, _)| guest.velocity_fps));
    }
    legs.truncate(DRAWS);
    let speeds: Vec<f64> = legs.iter().map(|leg| speed_fps(*leg)).collect();
    it.expect(speeds.iter().all(|speed| *speed <= 3.0001), "a speed is out of range");
    let off = crate::stats::mean(&speeds) / (4.0 / 3.0) - 1.0;
    let mut sectors = [0_u32; SECTORS];
    for [east, north] in &legs {
        let turn = (libm::atan2(*north, *east) / TAU).rem_euclid(1.0);
        sectors[(turn * SECTORS as f64) as usize % SECTORS] += 1;
    }
    let expected = DRAWS as f64 / SECTORS as f64;
    let chi_square: f64 = sectors.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // 35 degrees of freedom: more than that happens once in 10,000 times.
    it.expect(chi_square < 75.1, format!("directions are not uniform: chi-square {chi_square:.1}"));
    it.measure(100.0 * off, (-2.0, 2.0), "%");
    it.saw(format!("mean speed off by {:.2} %, chi-square of directions {chi_square:.1} (below 75.1)", 100.0 * off));
    Ok(())
}
