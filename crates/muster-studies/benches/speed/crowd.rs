//! A tick of a crowd beside a bare loop over as many bodies: it moves them and looks at who is in the nine cells about
//! each, but draws nothing, blocks nobody and lets bodies run through each other. Both are as dense as the reception of
//! CARS, 25 square feet to a guest, and ticks are a second long.

use std::hint::black_box;

use muster_core::Duration;
use muster_sim::crowd::{Crowd, Guests, Setup};
use stats_alloc::Region;

use crate::ALLOCATOR;
use crate::table::{Bound, Stopwatch, none, row, turns};

const ROUNDS: usize = 31;
const SMALL: usize = 1_000;
const LARGE: usize = 100_000;
/// Moves of one body that are measured at a time.
const MOVES: usize = 1_000_000;
const SEED: u64 = 1;
const TICK: Duration = Duration::from_secs(1);

fn side_ft(guests: usize) -> f64 {
    (guests as f64 * 25.0).sqrt()
}

fn crowd(guests: usize) -> Crowd {
    let mut setup = Setup::cars_2002(Vec::new());
    (setup.width_ft, setup.height_ft) = (side_ft(guests), side_ft(guests));
    if let Guests::Random { count, .. } = &mut setup.guests {
        *count = guests;
    }
    let mut crowd = Crowd::new(&setup, SEED).expect("there is room");
    // Long enough for everybody to have drawn anew.
    tick(&mut crowd, 30);
    crowd
}

fn tick(crowd: &mut Crowd, ticks: usize) {
    (0..ticks).for_each(|_| crowd.tick(TICK, &[]));
}

/// Nanoseconds a body and tick.
fn cost(crowd: &mut Crowd) -> f64 {
    let guests = crowd.guest_count();
    let start = Stopwatch::start();
    tick(crowd, MOVES / guests);
    start.nanos() / MOVES as f64
}

const NOBODY: u32 = u32::MAX;

/// The bare loop: bodies by number, and for each cell the first of a list of those in it.
struct Bare {
    side: f32,
    places: Vec<[f32; 2]>,
    steps: Vec<[f32; 2]>,
    row: usize,
    first: Vec<u32>,
    next: Vec<u32>,
}

impl Bare {
    fn new(crowd: &Crowd) -> Self {
        let side = crowd.field_ft().0 as f32;
        let row = (side / 2.0) as usize + 3;
        let mut bare = Self {
            side,
            places: crowd.guests().map(|guest| [guest.place.x as f32, guest.place.y as f32]).collect(),
            steps: crowd.guests().map(|guest| guest.velocity_fps.map(|fps| fps as f32)).collect(),
            row,
            first: vec![NOBODY; row * row],
            next: vec![NOBODY; crowd.guest_count()],
        };
        for body in 0..bare.places.len() {
            let cell = bare.cell(bare.places[body]);
            bare.next[body] = std::mem::replace(&mut bare.first[cell], body as u32);
        }
        bare
    }

    #[inline(always)]
    fn cell(&self, [x, y]: [f32; 2]) -> usize {
        ((y * 0.5) as usize + 1) * self.row + (x * 0.5) as usize + 1
    }

    /// How many neighbours all of them have.
    #[inline(never)]
    fn tick(&mut self) -> u32 {
        let mut met = 0;
        for body in 0..self.places.len() {
            let from = self.places[body];
            let mut to = from;
            for axis in 0..2 {
                let ahead = from[axis] + self.steps[body][axis];
                if ahead < 1.0 || ahead > self.side - 1.0 {
                    self.steps[body][axis] = -self.steps[body][axis];
                } else {
                    to[axis] = ahead;
                }
            }
            self.places[body] = to;
            let (left, entered) = (self.cell(from), self.cell(to));
            if left != entered {
                let after = self.next[body];
                if self.first[left] == body as u32 {
                    self.first[left] = after;
                } else {
                    let mut before = self.first[left] as usize;
                    while self.next[before] != body as u32 {
                        before = self.next[before] as usize;
                    }
                    self.next[before] = after;
                }
                self.next[body] = std::mem::replace(&mut self.first[entered], body as u32);
            }
            let corner = entered - self.row - 1;
            for row in 0..3 {
                for cell in corner + row * self.row..corner + row * self.row + 3 {
                    let mut other = self.first[cell];
                    while other != NOBODY {
                        let [x, y] = self.places[other as usize];
                        met += u32::from((x - to[0]).abs() < 2.0 && (y - to[1]).abs() < 2.0);
                        other = self.next[other as usize];
                    }
                }
            }
        }
        met
    }

    fn cost(&mut self) -> f64 {
        let ticks = MOVES / self.places.len();
        let start = Stopwatch::start();
        for _ in 0..ticks {
            black_box(self.tick());
        }
        start.nanos() / MOVES as f64
    }
}

pub fn measure() {
    let (mut small, mut large) = (crowd(SMALL), crowd(LARGE));
    for (crowd, count) in [(&mut small, "1,000"), (&mut large, "100,000")] {
        let mut bare = Bare::new(crowd);
        let pair = turns(ROUNDS, || cost(crowd), || bare.cost());
        let what = format!("a body's tick in a crowd of {count} / bare loop");
        row(&what, pair.first, pair.second, pair.ratio, Bound::AtMost(2.0));
    }
    let pair = turns(ROUNDS, || cost(&mut large), || cost(&mut small));
    row("a body's tick, 100,000 / 1,000 bodies", pair.first, pair.second, pair.ratio, Bound::AtMost(1.2));
    let region = Region::new(ALLOCATOR);
    tick(&mut small, 100);
    tick(&mut large, 100);
    none("allocations in 200 ticks", region.change().allocations, 200);
}
