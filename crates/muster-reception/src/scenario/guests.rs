//! Guests as a file has them: where each was seen and when. The first line of each guest is where it starts.

use std::collections::BTreeMap;

use muster_core::Time;

use crate::crowd::{Deed, Entry, GuestLog, Place};

/// The first line of the file.
const HEAD: &str = "time_s,guest,x_ft,y_ft";

/// A field is at most half as wide, and a day has fewer seconds than twice this.
const LARGEST: f64 = 65_000.0;

/// What is wrong in which line, counted from 1, and what to try.
pub type BadLine = (usize, String, &'static str);

/// Reads the text of such a file. Guests may have any names.
pub fn read(text: &str) -> Result<GuestLog, BadLine> {
    // Editors may begin a file with a mark of its encoding.
    let mut lines =
        text.trim_start_matches('\u{feff}').lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (mut numbers, mut starts, mut entries) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut last = Time::ZERO;
    for (line, text) in lines {
        if text == HEAD {
            continue;
        }
        let columns: Vec<&str> = text.split(',').map(str::trim).collect();
        let &[time, guest, x, y] = columns.as_slice() else {
            return Err((line, format!("`{text}` has {} columns", columns.len()), "write time_s,guest,x_ft,y_ft"));
        };
        let number = |column: &str| match column.parse::<f64>() {
            Ok(number) if number.is_finite() && number.abs() <= LARGEST => Ok(number),
            _ => Err((line, format!("`{column}` is no number of seconds or feet"), "give a number, such as 12.5")),
        };
        let (seconds, place) = (number(time)?, Place::new(number(x)?, number(y)?));
        if seconds < 0.0 || Time::from_secs_f64(seconds) < last {
            let message = format!("{time} s comes after {} s", last.as_secs_f64());
            return Err((line, message, "sort the lines by time, from 0 on"));
        }
        last = Time::from_secs_f64(seconds);
        let next = numbers.len() as u32;
        let guest = *numbers.entry(guest).or_insert(next);
        if guest == next {
            starts.push(place);
        }
        entries.push(Entry { at: last, guest, does: Deed::IsAt(place) });
    }
    let many = |error: crate::crowd::LogError| (1, error.to_string(), "write time_s,guest,x_ft,y_ft");
    GuestLog::new(starts, entries).map_err(many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_guests_is_read_and_its_mistakes_are_found() {
        let log =
            read("time_s,guest,x_ft,y_ft\n# two of them\n0,anna,10,10\n0, bob, 20, 10\n\n2.5,anna,11,10\n").unwrap();
        assert_eq!(log.starts(), [Place::new(10.0, 10.0), Place::new(20.0, 10.0)]);
        let last = log.entries().last().unwrap();
        assert_eq!((last.at, last.guest), (Time::from_secs_f64(2.5), 0));
        let wrong = |text: &str| {
            let (line, message, _) = read(text).unwrap_err();
            format!("{line}: {message}")
        };
        assert_eq!(wrong("0,anna,10,10\n1,anna,10\n"), "2: `1,anna,10` has 3 columns");
        assert_eq!(wrong("0,anna,10,ten\n"), "1: `ten` is no number of seconds or feet");
        assert_eq!(wrong("0,anna,NaN,1\n"), "1: `NaN` is no number of seconds or feet");
        assert_eq!(wrong("3,anna,10,10\n1,anna,10,10\n"), "2: 1 s comes after 3 s");
        assert_eq!(wrong("-1,anna,10,10\n"), "1: -1 s comes after 0 s");
    }
}
