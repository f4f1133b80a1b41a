//! What was written is read back, by somebody else's readers.

use std::collections::BTreeMap;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::json;

use super::*;
use crate::flown::CrossingRow;

fn crossing(one_order: bool) -> CrossingRow {
    let (robots, tasks) = (["doug2", "doug3"].map(str::to_owned), ["verify", "drop"].map(str::to_owned));
    CrossingRow { at_s: 1.0, place_m: [2.0, 3.0], distance_m: 4.0, robots, tasks, one_order }
}

/// Awkward on purpose: the largest seed, a number without an exact decimal form, every character that CSV
/// has to quote.
fn example() -> (Vec<Row>, Provenance) {
    let row = |seed, strategy, wait_s| Row {
        undecided: None,
        seed,
        strategy,
        completed: seed % 2 == 1,
        messages: 61,
        messages_lost: 4,
        receptions_lost: 5,
        bytes: 900,
        by_kind: BTreeMap::from([("HELP", Sent { messages: 60, bytes: 880 })]),
        // One of two runs: the other has zeros in its columns.
        by_robot: (seed > 0).then(|| ("idle, 3".into(), Sent { messages: 61, bytes: 900 })).into_iter().collect(),
        wait_s,
        duplicates: 1,
        overlaps: 0,
        lost: 2,
        expired: 3,
        order_broken: vec!["assess".to_owned()],
        broken_off: Vec::new(),
        uncoupled: 4,
        flown_again: 6,
        interventions: 7,
        without_effect: 2,
        not_made: 3,
        ran_out: vec!["doug2".to_owned()],
        crossings: [false, false, true].map(crossing).into(),
        not_done: Vec::new(),
        end_s: 1.0e-6,
        outcome: Vec::new(),
        pushed: None,
    };
    let rows = vec![row(u64::MAX, "affective", 0.1 + 0.2), row(0, "greedy", 93.0)];
    let from = Provenance {
        version: "0.1.0",
        commit: "abc",
        seed: 7,
        scenario: "a \"quoted\", comma'd\nname ü".to_owned(),
        command: "muster run x".to_owned(),
        config: json!({"description": "line\nbreak, \"quotes\" ü", "limit_h": 24.0}),
    };
    (rows, from)
}

fn written(format: Format, rows: &[Row], from: &Provenance) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(&mut bytes, &Columns::of_missions(rows), from).expect("a vector takes everything");
    bytes
}

#[test]
fn csv_is_read_back_as_it_was() {
    let (rows, from) = example();
    let bytes = written(Format::Csv, &rows, &from);
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(
        head.join(" "),
        "seed strategy completed messages messages_lost receptions_lost wait_s duplicates overlaps lost expired \
         order_broken broken_off uncoupled flown_again interventions without_effect not_made ran_out crossings \
         crossings_in_order end_s bytes kind.HELP.messages kind.HELP.bytes robot.idle, 3.messages robot.idle, 3.bytes \
         version commit scenario config"
    );
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows.len());
    for (record, row) in records.iter().zip(&rows) {
        let numbers =
            [row.messages, row.messages_lost, row.receptions_lost, row.duplicates, row.overlaps, row.lost, row.expired];
        assert_eq!(record[0].parse(), Ok(row.seed));
        assert_eq!((&record[1], record[2].parse()), (row.strategy, Ok(row.completed)));
        assert_eq!([3, 4, 5, 7, 8, 9, 10].map(|column| record[column].parse::<u64>().unwrap()), numbers);
        assert_eq!([11, 12, 13, 14].map(|column| record[column].parse::<u64>().unwrap()), [1, 0, 4, 6]);
        let disturbed = [row.interventions, row.without_effect, row.not_made];
        assert_eq!([15, 16, 17].map(|column| record[column].parse::<u64>().unwrap()), disturbed);
        assert_eq!([18, 19, 20].map(|column| record[column].parse::<u64>().unwrap()), [1, 2, 1]);
        assert_eq!([6, 21].map(|column| record[column].parse::<f64>().unwrap()), [row.wait_s, row.end_s]);
        let own = if row.seed > 0 { [61, 900] } else { [0, 0] };
        let sent = [22, 23, 24, 25, 26].map(|column| record[column].parse::<u64>().unwrap());
        assert_eq!(sent, [900, 60, 880, own[0], own[1]]);
        assert_eq!((&record[27], &record[28], &record[29]), (from.version, from.commit, from.scenario.as_str()));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&record[30]).unwrap(), from.config);
    }
}

#[test]
fn parquet_is_read_back_as_it_was() {
    let (rows, from) = example();
    let reader = SerializedFileReader::new(Bytes::from(written(Format::Parquet, &rows, &from))).unwrap();
    let read: Vec<Vec<(String, Field)>> =
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns()).collect();
    assert_eq!(read.len(), rows.len());
    let text = |text: &str| Field::Str(text.to_owned());
    for (record, row) in read.iter().zip(&rows) {
        let expected = [
            ("seed", Field::ULong(row.seed)),
            ("strategy", text(row.strategy)),
            ("completed", Field::Bool(row.completed)),
            ("messages", Field::ULong(row.messages)),
            ("messages_lost", Field::ULong(row.messages_lost)),
            ("receptions_lost", Field::ULong(row.receptions_lost)),
            ("wait_s", Field::Double(row.wait_s)),
            ("duplicates", Field::ULong(row.duplicates)),
            ("overlaps", Field::ULong(row.overlaps)),
            ("lost", Field::ULong(row.lost)),
            ("expired", Field::ULong(row.expired)),
            ("order_broken", Field::ULong(1)),
            ("broken_off", Field::ULong(0)),
            ("uncoupled", Field::ULong(row.uncoupled)),
            ("flown_again", Field::ULong(row.flown_again)),
            ("interventions", Field::ULong(row.interventions)),
            ("without_effect", Field::ULong(row.without_effect)),
            ("not_made", Field::ULong(row.not_made)),
            ("ran_out", Field::ULong(1)),
            ("crossings", Field::ULong(2)),
            ("crossings_in_order", Field::ULong(1)),
            ("end_s", Field::Double(row.end_s)),
            ("bytes", Field::ULong(900)),
            ("kind.HELP.messages", Field::ULong(60)),
            ("kind.HELP.bytes", Field::ULong(880)),
            ("robot.idle, 3.messages", Field::ULong(if row.seed > 0 { 61 } else { 0 })),
            ("robot.idle, 3.bytes", Field::ULong(if row.seed > 0 { 900 } else { 0 })),
            ("version", text(from.version)),
            ("commit", text(from.commit)),
            ("scenario", text(&from.scenario)),
        ];
        let expected: Vec<(String, Field)> = expected.map(|(name, field)| (name.to_owned(), field)).to_vec();
        assert_eq!(*record, expected);
    }
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let value = |key: &str| metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone()).unwrap();
    assert_eq!((value("seed"), value("command")), ("7".to_owned(), from.command.clone()));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&value("config")).unwrap(), from.config);
}

#[test]
fn the_same_results_are_the_same_bytes() {
    let (rows, from) = example();
    for format in [Format::Csv, Format::Parquet] {
        assert_eq!(written(format, &rows, &from), written(format, &rows, &from), "{format:?}");
        assert!(!written(format, &[], &from).is_empty(), "no runs, but still a head: {format:?}");
    }
}

#[test]
fn the_name_says_how() {
    assert_eq!(Format::of(Path::new("a/runs.CSV")).unwrap(), Format::Csv);
    assert_eq!(Format::of(Path::new("runs.parquet")).unwrap(), Format::Parquet);
    for wrong in ["runs", "runs.xlsx", ".csv", "runs.csv.gz"] {
        assert!(matches!(Format::of(Path::new(wrong)), Err(ResultsError::UnknownFormat { .. })), "{wrong}");
    }
}
