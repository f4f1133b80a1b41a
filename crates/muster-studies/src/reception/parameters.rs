//! 5.2: what a user sets before a run.

use muster_reception::crowd::{Crowd, Gait, Guests, Setup, Triangular};
use muster_reception::robot::Place;
use muster_reception::{Reception, Standing, TICK};

use super::check::{Asked, Evidence, Findings, NEVER, Trouble};
use super::folder::Folder;
use super::runs::collisions;
use super::stage::{MIDDLE, TABLE_SIDE, hall, lived, the_leguin, two};

const SECTION: &str = "5.2 User parameters";

/// The checks.
pub const CHECKS: [Asked; 7] = [
    Asked {
        id: "10",
        section: SECTION,
        statement: "the size of the field can be set; 50 by 50 ft is the paper's",
        reading: "fields of 50 by 50, 30 by 80 and 16 by 9 ft, a third of each filled with guests, for 100 s; 1 ft refused",
        ask: field,
    },
    Asked {
        id: "11",
        section: SECTION,
        statement: "the number of guests can be set; 100 is the paper's, none is allowed",
        reading: "0, 1, 100 and 300 guests",
        ask: guests,
    },
    Asked {
        id: "12",
        section: SECTION,
        statement: "minimum, mode and maximum of speed and of duration can be set, and triples out of order are refused",
        reading: "1,000 guests with other triples, all within them; five triples that make no sense",
        ask: triples,
    },
    Asked {
        id: "13",
        section: SECTION,
        statement: "fixed obstacles can be placed, side by side to make larger ones; a taken place is refused",
        reading: "a wall of 24 ft from 12 obstacles that nobody enters in 300 s; one obstacle more, half on another",
        ask: obstacles,
    },
    Asked {
        id: "14",
        section: SECTION,
        statement: "where each robot starts can be set",
        reading: "two robots at places of our choice, then at others; a taken place, one off the field",
        ask: starts,
    },
    Asked {
        id: "15",
        section: SECTION,
        statement: "the file of the log can be set, or none",
        reading: "a folder after a run without a log, and after one with; a file where none can be",
        ask: log_file,
    },
    Asked {
        id: "16",
        section: SECTION,
        statement: "if guests find no place, init says so and does not hang",
        reading: "1,000 guests, or 26 on 10 by 10 ft; 25, which fit in rows only",
        ask: full,
    },
];

fn open(width_ft: f64, height_ft: f64, count: usize) -> Setup {
    let setup = hall(&[], count);
    Setup { width_ft, height_ft, obstacles: Vec::new(), ..setup }
}

fn field(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut wrong = 0;
    for (width_ft, height_ft) in [(50.0, 50.0), (30.0, 80.0), (16.0, 9.0)] {
        let count = (width_ft * height_ft / 12.0) as usize;
        let mut crowd = Crowd::new(&open(width_ft, height_ft, count), evidence.seed)?;
        it.equal(crowd.field_ft(), (width_ft, height_ft), "the field");
        let furthest = |crowd: &Crowd| crowd.guests().map(|guest| guest.place.y).fold(0.0, f64::max);
        let mut reached_ft = 0.0_f64;
        for _ in 0..100 {
            crowd.tick(TICK, &[]);
            let (overlap, outside) = collisions(&crowd, &mut Vec::new());
            wrong += usize::from(overlap || outside);
            reached_ft = reached_ft.max(furthest(&crowd));
        }
        it.expect(reached_ft > 0.8 * height_ft, format!("nobody gets beyond {reached_ft} of {height_ft} ft"));
    }
    it.refused(Crowd::new(&open(1.0, 50.0, 0), 1), "cannot be used");
    it.measure(wrong as f64, NEVER, "ticks with a body off its field");
    it.saw("guests use all of each field and nothing beyond it");
    Ok(())
}

fn guests(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    for count in [0, 1, 100, 300] {
        let mut reception = two(count, evidence.seed)?;
        lived(&mut reception, 10)?;
        it.equal(reception.crowd().map(|crowd| crowd.guest_count()), Some(count), "the number of guests");
    }
    it.saw("0, 1, 100 and 300 guests, each run for 10 s");
    Ok(())
}

fn triples(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let gait = Gait { speed_fps: Triangular::new(0.5, 0.6, 0.9)?, duration_s: Triangular::new(20.0, 30.0, 31.0)? };
    let setup = Setup { guests: Guests::Random { count: 1_000, gait }, ..open(200.0, 200.0, 0) };
    let crowd = Crowd::new(&setup, evidence.seed)?;
    let odd = crowd.guests().filter(|guest| {
        let [east, north] = guest.velocity_fps;
        let speed_fps = f64::hypot(east, north);
        let duration_s = guest.until.as_secs_f64();
        // Velocities are kept in single precision.
        !(0.4999..=0.9001).contains(&speed_fps) || !(20.0..=31.0).contains(&duration_s)
    });
    it.measure(odd.count() as f64, NEVER, "guests out of range");
    for (min, mode, max) in
        [(2.0, 1.0, 3.0), (0.0, 4.0, 3.0), (-1.0, 0.0, 1.0), (0.0, f64::NAN, 1.0), (0.0, 1.0, f64::INFINITY)]
    {
        it.refused(Triangular::new(min, mode, max), "0 <= min <= mode <= max");
    }
    it.saw("1,000 guests within 0.5 to 0.9 ft/s and 20 to 31 s; 5 triples refused");
    Ok(())
}

fn obstacles(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let wall: Vec<Place> = (0..12).map(|index| Place::new(10.0 + 2.0 * f64::from(index), 30.0)).collect();
    let mut setup = Setup { obstacles: wall.clone(), ..hall(&[MIDDLE, TABLE_SIDE], 100) };
    let mut crowd = Crowd::new(&setup, evidence.seed)?;
    let mut inside = 0;
    for _ in 0..300 {
        let stay: Vec<Place> = crowd.robots().collect();
        crowd.tick(TICK, &stay);
        let within = |it: Place| (it.y - 30.0).abs() < 2.0 && it.x > 8.0 && it.x < 34.0;
        inside += crowd.guests().filter(|guest| within(guest.place)).count();
    }
    it.equal(crowd.obstacles().collect(), wall, "where obstacles are");
    it.measure(inside as f64, NEVER, "guests in the wall");
    setup.obstacles.push(Place::new(11.0, 31.0));
    it.refused(Crowd::new(&setup, 1), "overlaps another body");
    it.saw("12 obstacles side by side; the thirteenth is refused");
    Ok(())
}

fn starts(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = Reception::new(vec![the_leguin()], hall(&[Place::new(3.5, 40.25)], 100), evidence.seed)?;
    reception.init(&mut ())?;
    let place = |reception: &Reception| reception.robot("Leguin").map(|leguin| leguin.location);
    it.equal(place(&reception), Some(Place::new(3.5, 40.25)), "where she starts");
    reception.set_start(0, Place::new(44.0, 8.5));
    reception.init(&mut ())?;
    it.equal(place(&reception), Some(Place::new(44.0, 8.5)), "where she starts next");
    reception.set_start(0, Place::new(25.5, 4.0));
    it.refused(reception.init(&mut ()), "overlaps another body");
    reception.set_start(0, Place::new(0.5, 4.0));
    it.refused(reception.init(&mut ()), "is not all on the field");
    it.saw("two places taken as they were given; on the table and off the field refused");
    Ok(())
}

fn log_file(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let folder = Folder::new()?;
    lived(&mut two(20, evidence.seed)?, 30)?;
    it.equal(folder.files()?, 0, "the number of files without a log");
    let mut reception = two(20, evidence.seed)?.with_log(folder.path().join("any.name"));
    lived(&mut reception, 30)?;
    reception.stop(&mut ())?;
    it.equal(folder.files()?, 1, "the number of files with a log");
    let mut nowhere = two(0, 1)?.with_log(folder.path().join("missing").join("run.log"));
    it.refused(nowhere.init(&mut ()), "cannot be written");
    it.saw("no file without being asked to, one with the name that was given");
    Ok(())
}

fn full(evidence: &Evidence<'_>, it: &mut Findings) -> Result<(), Trouble> {
    let mut reception = two(1_000, evidence.seed)?;
    it.refused(reception.init(&mut ()), "1000 guests find no place");
    it.equal(reception.standing(), Standing::New, "how things stand");
    it.refused(Crowd::new(&open(10.0, 10.0, 26), evidence.seed), "26 guests find no place");
    it.equal(Crowd::new(&open(10.0, 10.0, 25), evidence.seed)?.guest_count(), 25, "the number of guests in rows");
    it.saw("1,000 and 26 refused, 25 of 25 placed");
    Ok(())
}
