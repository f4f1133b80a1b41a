//! Who is in the way, without asking everybody.
//!
//! Cells are as large as bodies, and bodies do not overlap, so a cell holds one middle at most: the grid needs no lists. A
//! bit for each cell says whether there is one, four bytes where in the cell it is. The bits of a hundred thousand bodies
//! at the density of CARS fit a second-level cache; the bytes count only where a bit is set.

use std::hint::black_box;

use super::Place;
use super::place::{FOOT, Spot};

/// The side of a body and of a cell.
const SIDE: i32 = 2 * FOOT;
/// A spot's cell is what is left of it without its lower bits.
const CELL_BITS: u32 = SIDE.trailing_zeros();
const IN_CELL: i32 = SIDE - 1;
/// Steps are shorter than this. One of 4 ft leads from one side of a body to the other with no overlap at either end; a
/// unit is for rounding.
const LONGEST_STEP: i32 = 2 * SIDE - 1;

/// Why a body was not advanced.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Obstruction {
    Edge,
    /// The cell of the body that is in the way.
    Cell(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Grid {
    width: i32,
    height: i32,
    /// Cells in a row, with one more at either end: nobody's neighbours are off the grid.
    row: usize,
    taken: Vec<u8>,
    spots: Vec<u32>,
}

impl Grid {
    /// A field with nobody on it, its sides in the units of spots.
    pub fn new(width: i32, height: i32) -> Self {
        let cells = |side: i32| (side >> CELL_BITS) as usize + 3;
        let (row, rows) = (cells(width), cells(height));
        // Three bits of a row are read as two bytes, so there is one byte more.
        Self { width, height, row, taken: vec![0; row * rows / 8 + 2], spots: vec![0; row * rows] }
    }

    /// A body centred at that place lies entirely on the field.
    #[inline(always)]
    pub fn holds(&self, at: Spot) -> bool {
        let within = |along: i32, side: i32| FOOT <= along && along <= side - FOOT;
        within(at.x, self.width) && within(at.y, self.height)
    }

    /// Width and height, in the units of spots.
    pub fn sides(&self) -> (i32, i32) {
        (self.width, self.height)
    }

    #[inline(always)]
    fn cell(&self, at: Spot) -> usize {
        ((at.y >> CELL_BITS) as usize + 1) * self.row + (at.x >> CELL_BITS) as usize + 1
    }

    /// Where the body of this cell is.
    pub fn place(&self, cell: usize) -> Place {
        let (x, y) = ((cell % self.row - 1) as i32, (cell / self.row - 1) as i32);
        let (dx, dy) = unpack(self.spots[cell]);
        Spot::new((x << CELL_BITS) + dx, (y << CELL_BITS) + dy).into()
    }

    /// Puts a body on the field, if there is room.
    pub fn put(&mut self, at: Spot) -> Result<(), Obstruction> {
        if !self.holds(at) {
            return Err(Obstruction::Edge);
        }
        if let Some(cell) = self.met(at, usize::MAX) {
            return Err(Obstruction::Cell(cell));
        }
        let cell = self.cell(at);
        self.taken[cell >> 3] |= 1 << (cell & 7);
        self.spots[cell] = pack(at);
        Ok(())
    }

    /// Takes a body off the field.
    pub fn lift(&mut self, at: Spot) {
        let cell = self.cell(at);
        self.taken[cell >> 3] &= !(1 << (cell & 7));
    }

    /// Moves a body if nothing is in the way; else it stays where it was. [CARS, Obstacles]
    #[inline(always)]
    pub fn advance(&mut self, body: &mut Spot, to: Spot) -> Result<(), Obstruction> {
        if !self.holds(to) {
            return Err(Obstruction::Edge);
        }
        let from = self.cell(*body);
        let (dx, dy) = (i64::from(to.x - body.x), i64::from(to.y - body.y));
        let met = if dx * dx + dy * dy < i64::from(LONGEST_STEP).pow(2) {
            self.met(to, from)
        } else {
            self.met_on_the_way(*body, to, from)
        };
        if let Some(cell) = met {
            return Err(Obstruction::Cell(cell));
        }
        let cell = self.cell(to);
        self.taken[from >> 3] &= !(1 << (from & 7));
        self.taken[cell >> 3] |= 1 << (cell & 7);
        self.spots[cell] = pack(to);
        *body = to;
        Ok(())
    }

    /// Has what is about `at` brought into the cache, for a look at it soon.
    #[inline(always)]
    pub fn fetch(&self, at: Spot) {
        if self.holds(at) {
            let cell = self.cell(at);
            let rows = [cell - self.row, cell, cell + self.row];
            black_box(rows.iter().fold(0, |all, &cell| all ^ self.spots[cell]));
        }
    }

    /// A long way is looked at in equal steps of less than 4 ft, and is free if all their ends are.
    #[cold]
    fn met_on_the_way(&self, from: Spot, to: Spot, own: usize) -> Option<usize> {
        let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
        let length = ((dx * dx + dy * dy) as f64).sqrt() as i64;
        let steps = length / i64::from(LONGEST_STEP) + 1;
        let along = |step| Spot::new(from.x + (dx * step / steps) as i32, from.y + (dy * step / steps) as i32);
        (1..=steps).find_map(|step| self.met(along(step), own))
    }

    /// The cell of a body that one at `at` would overlap, other than that in cell `own`.
    #[inline(always)]
    fn met(&self, at: Spot, own: usize) -> Option<usize> {
        let corner = self.cell(at) - self.row - 1;
        let mut near = 0;
        for row in 0..3 {
            near |= self.three(corner + row * self.row, own) << (3 * row);
        }
        let (x, y) = (at.x & IN_CELL, at.y & IN_CELL);
        while near != 0 {
            let (row, column) = NEIGHBOURS[near.trailing_zeros() as usize & 15];
            let cell = corner + row as usize * self.row + column as usize;
            let (there_x, there_y) = unpack(self.spots[cell]);
            let dx = ((column - 1) << CELL_BITS) + there_x - x;
            let dy = ((row - 1) << CELL_BITS) + there_y - y;
            // One branch instead of two: nobody can foresee either.
            if (dx.abs() < SIDE) & (dy.abs() < SIDE) {
                return Some(cell);
            }
            near &= near - 1;
        }
        None
    }

    /// Which of three neighbouring cells are taken, by a bit each; `own` is not.
    #[inline(always)]
    fn three(&self, first: usize, own: usize) -> u32 {
        let byte = first >> 3;
        let bits = u16::from_le_bytes([self.taken[byte], self.taken[byte + 1]]) >> (first & 7);
        let own = own.wrapping_sub(first);
        let others = if own < 3 { !(1 << own) } else { !0 };
        u32::from(bits) & others & 7
    }
}

/// Row and column of each of nine cells. Sixteen, so that four bits cannot be out of bounds.
const NEIGHBOURS: [(i32, i32); 16] = {
    let mut cells = [(0, 0); 16];
    let mut cell = 0;
    while cell < 9 {
        cells[cell] = (cell as i32 / 3, cell as i32 % 3);
        cell += 1;
    }
    cells
};

#[inline(always)]
fn pack(at: Spot) -> u32 {
    ((at.y & IN_CELL) << CELL_BITS | (at.x & IN_CELL)) as u32
}

#[inline(always)]
fn unpack(packed: u32) -> (i32, i32) {
    ((packed & IN_CELL as u32) as i32, (packed >> CELL_BITS) as i32)
}
