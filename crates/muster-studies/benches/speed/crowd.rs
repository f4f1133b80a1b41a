//! A tick of a crowd beside a bare loop over as many bodies: it moves them and looks at who is in the nine cells about
//! each, but draws nothing, blocks nobody and lets bodies run through each other. Both are as dense as the reception of
//! CARS, 25 square feet to a guest, and ticks are a second long.

use std::hint::black_box;

use muster_core::Duration;
use muster_reception::crowd::{Crowd, Guests, Setup};
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
    // Five minutes, so that guests are not where they were put.
    tick(&mut crowd, 300);
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

/// The bare loop. Bodies are sorted by cell every tick, so that those of three neighbouring cells lie side by side: lists
/// for each cell took half as long again.
struct Bare {
    side: f32,
    places: Vec<[f32; 2]>,
    steps: Vec<[f32; 2]>,
    cells: Vec<u32>,
    /// Cells in a row, one more at either end included.
    row: usize,
    /// Where in `sorted` the bodies of a cell begin; those of the next begin where they end.
    begins: Vec<u32>,
    sorted: Vec<[f32; 2]>,
}

impl Bare {
    fn new(crowd: &Crowd) -> Self {
        let side = crowd.field_ft().0 as f32;
        let row = (side / 2.0) as usize + 3;
        Self {
            side,
            places: crowd.guests().map(|guest| [guest.place.x as f32, guest.place.y as f32]).collect(),
            steps: crowd.guests().map(|guest| guest.velocity_fps.map(|fps| fps as f32)).collect(),
            cells: vec![0; crowd.guest_count()],
            row,
            begins: vec![0; row * row + 1],
            sorted: vec![[0.0; 2]; crowd.guest_count()],
        }
    }

    /// How many overlaps there are, each body with itself included.
    #[inline(never)]
    fn tick(&mut self) -> u32 {
        self.begins.fill(0);
        for ((place, step), cell) in self.places.iter_mut().zip(&mut self.steps).zip(&mut self.cells) {
            for (along, step) in place.iter_mut().zip(step) {
                let ahead = *along + *step;
                if ahead < 1.0 || ahead > self.side - 1.0 {
                    *step = -*step;
                } else {
                    *along = ahead;
                }
            }
            let [x, y] = place.map(|along| (along * 0.5) as usize + 1);
            *cell = (y * self.row + x) as u32;
            self.begins[*cell as usize] += 1;
        }
        let mut sum = 0;
        for count in &mut self.begins {
            sum += *count;
            *count = sum;
        }
        for (place, &cell) in self.places.iter().zip(&self.cells) {
            let begin = &mut self.begins[cell as usize];
            *begin -= 1;
            self.sorted[*begin as usize] = *place;
        }
        let mut met = 0;
        for ([x, y], &cell) in self.places.iter().zip(&self.cells) {
            for row in 0..3 {
                let first = cell as usize - 1 + row * self.row - self.row;
                let three = self.begins[first] as usize..self.begins[first + 3] as usize;
                for [other_x, other_y] in &self.sorted[three] {
                    met += u32::from(((other_x - x).abs() < 2.0) & ((other_y - y).abs() < 2.0));
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
