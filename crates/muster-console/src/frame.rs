//! Poses on the wire: a header of 16 bytes and 6 bytes for each body.

use muster_core::Time;

/// The version of the format.
const VERSION: u8 = 1;
/// Flag: this is the live edge.
const LIVE: u8 = 1;
/// Flag: the last body is the box.
const BOX: u8 = 2;
/// Where the flags stand.
const FLAGS: usize = 1;

/// The rectangle that places are counted in, in the unit of the field.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Bounds {
    /// West, south, east, north.
    pub edges: [f64; 4],
}

impl Bounds {
    /// A field with so much around it on every side, as a share of its size.
    pub fn around(width: f64, height: f64, share: f64) -> Self {
        let (x, y) = (width * share, height * share);
        Self { edges: [-x, -y, width + x, height + y] }
    }
}

/// A frame that is being written.
pub struct Frame<'a> {
    bytes: &'a mut Vec<u8>,
    bounds: Bounds,
    per: [f64; 2],
}

impl<'a> Frame<'a> {
    /// Begins a frame in `bytes`, which is emptied.
    pub fn begin(bytes: &'a mut Vec<u8>, run: u64, robots: u32, at: Time, live: bool, bounds: Bounds) -> Self {
        bytes.clear();
        bytes.extend([VERSION, if live { LIVE } else { 0 }]);
        bytes.extend((run as u16).to_le_bytes());
        bytes.extend(robots.to_le_bytes());
        bytes.extend(at.as_secs_f64().to_le_bytes());
        let [west, south, east, north] = bounds.edges;
        Self { bytes, bounds, per: [65_535.0 / (east - west), 65_535.0 / (north - south)] }
    }

    /// A body. Places beyond the bounds are shown on their edge.
    pub fn body(&mut self, x: f64, y: f64, heading: f64, state: u8) {
        let [west, south, ..] = self.bounds.edges;
        // A cast saturates, and takes what is no number for zero.
        let place = [((x - west) * self.per[0]).round() as u16, ((y - south) * self.per[1]).round() as u16];
        let turn = (heading.rem_euclid(std::f64::consts::TAU) * (256.0 / std::f64::consts::TAU)).round() as u32 as u8;
        self.bytes.extend(place[0].to_le_bytes());
        self.bytes.extend(place[1].to_le_bytes());
        self.bytes.extend([turn, state]);
    }

    /// The box that is pushed, after everybody else.
    pub fn pushed(&mut self, x: f64, y: f64, heading: f64) {
        self.bytes[FLAGS] |= BOX;
        self.body(x, y, heading, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At most 8 bytes a robot, whatever the team.
    #[test]
    fn a_robot_takes_six_bytes() {
        let mut bytes = vec![1, 2, 3];
        let mut frame =
            Frame::begin(&mut bytes, 65_537, 2, Time::from_secs_f64(3.0), true, Bounds::around(100.0, 50.0, 0.5));
        frame.body(0.0, 0.0, 0.0, 9);
        frame.body(150.0, 75.0, -std::f64::consts::FRAC_PI_2, 5);
        assert_eq!(bytes.len(), 16 + 2 * 6);
        assert_eq!(bytes[..8], [1, LIVE, 1, 0, 2, 0, 0, 0]);
        assert_eq!(bytes[8..16], 3.0_f64.to_le_bytes());
        assert_eq!(u16::from_le_bytes([bytes[16], bytes[17]]), 16_384, "a quarter of the way from west to east");
        assert_eq!(bytes[20..22], [0, 9]);
        assert_eq!(bytes[22..28], [255, 255, 255, 255, 192, 5]);
    }

    /// What is outside, or no place at all, does not wrap round to the other side.
    #[test]
    fn places_beyond_the_bounds_are_on_their_edge() {
        let mut bytes = Vec::new();
        let mut frame = Frame::begin(&mut bytes, 1, 2, Time::ZERO, false, Bounds::around(10.0, 10.0, 0.0));
        frame.body(-5.0, 1e9, 7.0, 0);
        frame.body(f64::NAN, f64::INFINITY, f64::NAN, 0);
        frame.pushed(5.0, 5.0, 0.0);
        assert_eq!(bytes[1], BOX);
        assert_eq!(bytes[16..20], [0, 0, 255, 255]);
        assert_eq!(bytes[22..27], [0, 0, 255, 255, 0]);
    }
}
