//! A row of a reception that differs in anything from its log is noticed.

use muster_reception::{Line, scenario};

use super::*;
use crate::party::{self, Row};
use crate::soak::hall::told;

#[test]
fn whatever_is_wrong_in_a_row_of_a_reception_is_noticed() {
    let wrong: [fn(&mut Row); 7] = [
        |row| row.completed = false,
        |row| row.messages += 1,
        |row| row.messages_lost += 1,
        |row| row.end_s += 1.0,
        |row| row.outcome[0].emotions[0].times += 1,
        |row| row.outcome[1].behaviors[0].seconds += 0.1,
        |row| {
            row.outcome.pop();
        },
    ];
    for seed in 0..3 {
        let texts = drawn(plan("reception"), seed);
        let Ok(Play::Reception(party)) = scenario::parse_any("hall", "drawn", &texts.scenario, &[]) else {
            panic!("{}", texts.scenario)
        };
        let mut log: Vec<Line> = Vec::new();
        let row = party::run(&party, seed, &mut log, || false).expect("it goes on").expect("nobody calls a halt");
        let end = Time::from_micros((row.end_s * 1e6).round() as u64);
        assert_eq!(told::differs_from(&log, end, &row), None);
        for (index, spoil) in wrong.iter().enumerate() {
            let mut spoilt = row.clone();
            spoil(&mut spoilt);
            assert!(told::differs_from(&log, end, &spoilt).is_some(), "{seed}: {index}");
        }
    }
}
