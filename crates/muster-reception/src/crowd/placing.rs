//! Where guests stand at first: anywhere, without overlap, and without hanging where there is no room.

use muster_core::rng::{Purpose, Stream};

use super::grid::Grid;
use super::place::{FOOT, Spot};

/// A guest that finds no place in so many is one too many for placing at random. At the density of CARS every second
/// place is free.
const TRIES: u32 = 200;

/// Guests are numbered by strips of the field, this high, from south to north, and in each from west to east.
const STRIP: i32 = 64 * FOOT;

/// Puts `count` guests on the field; `None`, with none of them on it, if they do not fit.
pub(super) fn place(grid: &mut Grid, count: usize, seed: u64) -> Option<Vec<Spot>> {
    let mut dice = Stream::of_run(seed, Purpose::Arrangement);
    let mut spots = anywhere(grid, count, &mut dice);
    if spots.len() < count {
        for spot in spots {
            grid.lift(spot);
        }
        spots = in_rows(grid, count, &mut dice)?;
    }
    // They move in the order of their numbers. So whose turn is next is near, and in the cache however large the field
    // is, until guests are far from where they were; docs/performance.md.
    spots.sort_unstable_by_key(|spot| (spot.y / STRIP, spot.x, spot.y));
    Some(spots)
}

/// Each at a place of its own choice; fewer than asked for if one finds none.
fn anywhere(grid: &mut Grid, count: usize, dice: &mut Stream) -> Vec<Spot> {
    let (width, height) = grid.sides();
    let mut draw = |side: i32| FOOT + dice.below((side - 2 * FOOT) as u32 + 1) as i32;
    let mut spots = Vec::with_capacity(count);
    for _ in 0..count {
        let found = (0..TRIES).map(|_| Spot::new(draw(width), draw(height))).find(|&spot| grid.put(spot).is_ok());
        let Some(spot) = found else { break };
        spots.push(spot);
    }
    spots
}

/// Bodies at random leave gaps that nobody fits in: a little over half of the field is all that they fill. In rows, side
/// by side, they fill it all; which places stay empty is left to chance.
fn in_rows(grid: &mut Grid, count: usize, dice: &mut Stream) -> Option<Vec<Spot>> {
    let (width, height) = grid.sides();
    let middles = |side: i32| (0..side / (2 * FOOT)).map(|index| FOOT + index * 2 * FOOT);
    let rows = middles(height).flat_map(|y| middles(width).map(move |x| Spot::new(x, y)));
    let mut free: Vec<Spot> = rows.filter(|&spot| grid.put(spot).is_ok()).collect();
    for last in (1..free.len()).rev() {
        free.swap(last, dice.below(last as u32 + 1) as usize);
    }
    let enough = free.len() >= count;
    for spot in free.drain(if enough { count } else { 0 }..) {
        grid.lift(spot);
    }
    enough.then_some(free)
}
