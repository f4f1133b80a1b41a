//! An adaptively sampled cost function as it is sent. Numbers are big-endian.
//!
//! ```text
//! version 1 or 2, horizon in seconds (2 bytes), number of knots, number of slices
//! only in version 2, for costs that version 1 has no room for: scale of costs (1), unit of knots (1)
//! knots:   time waited (1), added (2)
//! slices:  heading (1), windows: number in the lower seven bits, whether the last one is open in the highest (1)
//! windows: from (2), cost (2), to (2; left out for an open one, which lasts to the horizon)
//! ```

use super::curve::{Curve, Knot};
use super::{Adaptive, DecodeError, Slice, TICKS, Window};
use crate::tasking::cost::Scale;

const PLAIN: u8 = 1;
const SCALED: u8 = 2;
const OPEN: u8 = 0x80;
const HEAD: usize = 5;
const SCALES: usize = 2;
const KNOT: usize = 3;

/// Bytes that a cost function takes without its slices.
pub(super) fn head_len(fitted: &Adaptive) -> usize {
    HEAD + if is_plain(fitted) { 0 } else { SCALES } + KNOT * fitted.curve.knots.len()
}

fn is_plain(fitted: &Adaptive) -> bool {
    fitted.scale == Scale::default() && fitted.curve.unit == 0
}

/// Bytes that a slice with these windows takes.
pub(super) fn slice_len(windows: &[Window]) -> usize {
    2 + 6 * windows.len() - if is_open(windows) { 2 } else { 0 }
}

fn is_open(windows: &[Window]) -> bool {
    windows.last().is_some_and(|window| window.to == TICKS)
}

impl Adaptive {
    /// As it is sent.
    pub fn bytes(&self) -> Vec<u8> {
        let plain = is_plain(self);
        let mut bytes = vec![if plain { PLAIN } else { SCALED }];
        bytes.extend(self.horizon_s.to_be_bytes());
        // The fit keeps to far fewer, and what was received had a byte for each.
        bytes.extend([self.curve.knots.len() as u8, self.slices.len() as u8]);
        if !plain {
            bytes.extend([self.scale.byte(), self.curve.unit]);
        }
        for Knot { waited, added } in &self.curve.knots {
            bytes.push(*waited);
            bytes.extend(added.to_be_bytes());
        }
        for Slice { heading, windows } in &self.slices {
            let open = is_open(windows);
            bytes.extend([*heading, windows.len() as u8 | if open { OPEN } else { 0 }]);
            for (n, window) in windows.iter().enumerate() {
                bytes.extend(window.from.to_be_bytes());
                bytes.extend(self.scale.sample(window.cost).to_be_bytes());
                if !(open && n + 1 == windows.len()) {
                    bytes.extend(window.to.to_be_bytes());
                }
            }
        }
        bytes
    }

    /// As it was sent.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut rest = Rest(bytes);
        let version = rest.u8()?;
        if ![PLAIN, SCALED].contains(&version) {
            return Err(DecodeError::Version(version));
        }
        let horizon_s = rest.u16()?;
        if horizon_s == 0 {
            return Err(DecodeError::NoHorizon);
        }
        let (knots, slices) = (rest.u8()?, rest.u8()?);
        let (scale, unit) = if version == SCALED { (rest.u8()?, rest.u8()?) } else { (0, 0) };
        let scale = Scale::from_byte(scale).ok_or(DecodeError::Scale(scale))?;
        if unit > Curve::MOST_UNIT {
            return Err(DecodeError::Scale(unit));
        }
        let knot = |_| Ok(Knot { waited: rest.u8()?, added: rest.u16()? as i16 });
        let curve = Curve { unit, knots: (0..knots).map(knot).collect::<Result<_, _>>()? };
        let slices = (0..slices).map(|_| rest.slice(scale)).collect::<Result<Vec<_>, _>>()?;
        if !rest.0.is_empty() {
            return Err(DecodeError::TooLong(rest.0.len()));
        }
        let knots = curve.knots.iter().map(|knot| knot.waited);
        let in_order = std::iter::once(0).chain(knots).is_sorted_by(|a, b| a < b)
            && slices.is_sorted_by(|a, b| a.heading < b.heading);
        if in_order { Ok(Self { horizon_s, scale, curve, slices }) } else { Err(DecodeError::Order) }
    }
}

/// What has not been read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn u8(&mut self) -> Result<u8, DecodeError> {
        let (&first, rest) = self.0.split_first().ok_or(DecodeError::Short)?;
        self.0 = rest;
        Ok(first)
    }

    fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_be_bytes([self.u8()?, self.u8()?]))
    }

    fn slice(&mut self, scale: Scale) -> Result<Slice, DecodeError> {
        let (heading, count) = (self.u8()?, self.u8()?);
        let number = count & !OPEN;
        let mut windows: Vec<Window> = Vec::with_capacity(usize::from(number));
        for n in 1..=number {
            let (from, cost) = (self.u16()?, scale.cost(self.u16()?));
            let to = if count & OPEN != 0 && n == number { TICKS } else { self.u16()? };
            let after = windows.last().map_or(0, |window| window.to);
            if !(after <= from && from <= to && to <= TICKS) {
                return Err(DecodeError::Order);
            }
            windows.push(Window { from, to, cost });
        }
        Ok(Slice { heading, windows })
    }
}
