//! How long messages are.

use muster_core::Mechanism;
use postcard::ser_flavors::Size;

/// Bytes that a message takes on the air: as many as in a recording, but for what a mechanism packs otherwise. Frames and
/// addresses of whatever carries it are not counted.
pub fn bytes_on_air<M: Mechanism>(message: &M::Message) -> u64 {
    // Counting cannot fail: there is no buffer that could be too short.
    let encoded = postcard::serialize_with_flavor(message, Size::default()).unwrap_or(0) as u64;
    encoded.saturating_add_signed(M::repacked(message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use muster_core::recruitment::{Message as Recruiting, Recruitment, Request};
    use muster_core::tasking::cost::{Quote, Surface};
    use muster_core::tasking::sampling::Adaptive;
    use muster_core::tasking::turnaround::Turnaround;
    use muster_core::tasking::{About, Ballot, Message, Tasking};
    use muster_core::{RobotId, TaskId};

    use super::*;

    fn bid(costs: Vec<Quote>) -> Message {
        let about = About { first: TaskId(3), version: 0, group: None };
        Message::Bid { about, ballot: Ballot::new(1, RobotId(2)), costs }
    }

    fn encoded<T: serde::Serialize>(message: &T) -> u64 {
        postcard::to_allocvec(message).expect("it can be encoded").len() as u64
    }

    /// [MacKenzie §3] 336 bytes for each task, whatever is in them; here after a header of eight.
    #[test]
    fn a_bid_takes_336_bytes_for_a_task() {
        let samples = |cost: u32| Quote::sampled(&Surface::new(vec![cost; 168]));
        let header = bytes_on_air::<Tasking>(&bid(vec![Quote::Cannot])) - 1;
        // One byte says that it is a bid by samples, two say how many.
        let of = |costs| bytes_on_air::<Tasking>(&bid(costs));
        for cost in [0, 100, 5_000, 60_000] {
            assert_eq!(of(vec![samples(cost)]), header + 3 + 336, "{cost}");
        }
        assert_eq!(of(vec![samples(100), samples(60_000)]), header + 2 * (3 + 336));
        // One byte more says what samples count.
        assert_eq!(of(vec![samples(100_000)]), header + 4 + 336);
        assert_eq!(encoded(&bid(vec![samples(5_000)])), of(vec![samples(5_000)]), "two bytes each are as they are");
    }

    /// Ours: what a bid says for several tasks, at one place on eight headings.
    #[test]
    fn a_turnaround_takes_a_byte_or_two_a_heading() {
        let Message::Bid { about, ballot, costs } = bid(vec![Quote::sampled(&Surface::new(vec![60_000; 168])); 2])
        else {
            unreachable!("it is a bid")
        };
        let more = vec![-1_600, -900, -250, 0, 40, 0, -250, -900];
        let turnaround = Turnaround { speed_mmps: 50_000, most: 255, loads: u16::MAX, saves: 200, turn: 100, more };
        let said = encoded(&turnaround);
        let alone = bytes_on_air::<Tasking>(&Message::Bid { about: about.clone(), ballot, costs: costs.clone() });
        let several = bytes_on_air::<Tasking>(&Message::BidForSeveral { about, ballot, costs, turnaround });
        assert_eq!((several - alone, said), (said, 24));
    }

    #[test]
    fn everything_else_is_as_long_as_its_encoding() {
        let fitted = Adaptive::fit(100, 100, |heading| move |at_s| (at_s > heading).then_some(at_s));
        let message = bid(vec![Quote::Cannot, Quote::adaptive(&fitted)]);
        assert_eq!(bytes_on_air::<Tasking>(&message), encoded(&message));
        assert_eq!(encoded(&message) - encoded(&bid(vec![Quote::Cannot])), 2 + fitted.bytes().len() as u64);
        let request = Request { requester: RobotId(1), incarnation: 7, need: TaskId(300), attempt: 1 };
        let message = Recruiting::Ackack { request };
        assert_eq!(bytes_on_air::<Recruitment>(&message), encoded(&message));
    }

    /// Bids of older recordings were lists of `Option`s of lists.
    #[test]
    fn bids_are_laid_out_as_they_ever_were() {
        let quotes = vec![Quote::Cannot, Quote::Sampled(Arc::from([1_u16, 300, u16::MAX]))];
        let before: Vec<Option<Vec<u16>>> = vec![None, Some(vec![1, 300, u16::MAX])];
        assert_eq!(postcard::to_allocvec(&quotes), postcard::to_allocvec(&before));
    }
}
