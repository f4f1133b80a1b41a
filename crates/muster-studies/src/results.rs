//! Results as tables for other programs: one row per run, as CSV or Parquet.
//!
//! Both have the same columns: those of a mission begin alike and end with kinds of messages and robots, those of a
//! reception depend on its robots. The
//! resolved configuration is one more column in CSV, which has no other place for it, and key-value metadata in Parquet,
//! beside version, commit, scenario and seed.
//!
//! CSV is written by hand: quoting is one rule (RFC 4180), so a crate would be more to read than the rule.
//! Tests read it back with the `csv` crate. Nothing here opens a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use miette::Diagnostic;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use thiserror::Error;

use crate::air::Sent;
use crate::party;
use crate::provenance::Provenance;
use crate::run::Row;

/// How results are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, RFC 4180, with a head.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Why results cannot be written.
#[derive(Debug, Error, Diagnostic)]
pub enum ResultsError {
    /// The name does not say how.
    #[error("{path}: results are written as .csv or .parquet, not as {extension}")]
    #[diagnostic(help("name the file, for instance, runs.csv or runs.parquet"))]
    UnknownFormat {
        /// The name.
        path: String,
        /// The ending of the file's name, without the dot.
        extension: String,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The Parquet library refused.
    #[error(transparent)]
    Parquet(#[from] ParquetError),
}

impl Format {
    /// What the name of a file asks for.
    pub fn of(path: &Path) -> Result<Self, ResultsError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("parquet") => Ok(Self::Parquet),
            other => Err(ResultsError::UnknownFormat {
                path: path.display().to_string(),
                extension: other.map_or_else(|| "a file without an ending".to_owned(), |other| format!(".{other}")),
            }),
        }
    }

    /// Writes one row per run.
    pub fn write(self, out: impl Write + Send, runs: &Columns, from: &Provenance) -> Result<(), ResultsError> {
        let (rows, columns) = runs.with(from);
        match self {
            Self::Csv => Ok(csv(out, rows, &columns, from)?),
            Self::Parquet => Ok(parquet(out, rows, &columns, from, runs.asked)?),
        }
    }
}

/// What is in a column, run by run.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    Count(Vec<u64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
    Text(Vec<String>),
}

/// Of a larger team that speaks there is no column for each robot: no program for tables would open it.
const MOST_ROBOTS: usize = 200;

/// Results by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    rows: usize,
    columns: Vec<(String, Column)>,
    /// How many runs were asked for, if the batch was broken off.
    asked: Option<u64>,
}

impl Columns {
    fn new(rows: usize) -> Self {
        Self { rows, columns: Vec::new(), asked: None }
    }

    fn add(&mut self, name: impl Into<String>, column: Column) {
        self.columns.push((name.into(), column));
    }

    /// Of missions.
    pub fn of_missions(rows: &[Row]) -> Self {
        let count = |of: fn(&Row) -> u64| Column::Count(rows.iter().map(of).collect());
        let real = |of: fn(&Row) -> f64| Column::Real(rows.iter().map(of).collect());
        let mut columns = Self::new(rows.len());
        columns.add("seed", count(|row| row.seed));
        columns.add("strategy", Column::Text(rows.iter().map(|row| row.strategy.to_owned()).collect()));
        columns.add("completed", Column::Flag(rows.iter().map(|row| row.completed).collect()));
        columns.add("messages", count(|row| row.messages));
        columns.add("messages_lost", count(|row| row.messages_lost));
        columns.add("receptions_lost", count(|row| row.receptions_lost));
        columns.add("wait_s", real(|row| row.wait_s));
        columns.add("duplicates", count(|row| row.duplicates));
        columns.add("overlaps", count(|row| row.overlaps));
        columns.add("lost", count(|row| row.lost));
        columns.add("expired", count(|row| row.expired));
        columns.add("order_broken", count(|row| row.order_broken.len() as u64));
        columns.add("broken_off", count(|row| row.broken_off.len() as u64));
        columns.add("uncoupled", count(|row| row.uncoupled));
        columns.add("flown_again", count(|row| row.flown_again));
        columns.add("interventions", count(|row| row.interventions));
        columns.add("without_effect", count(|row| row.without_effect));
        columns.add("not_made", count(|row| row.not_made));
        columns.add("ran_out", count(|row| row.ran_out.len() as u64));
        columns.add("crossings", count(|row| row.crossed(false)));
        columns.add("crossings_in_order", count(|row| row.crossed(true)));
        columns.add("end_s", real(|row| row.end_s));
        columns.add("bytes", count(|row| row.bytes));
        columns.add_sent("kind", rows, |row| &row.by_kind);
        let robots: BTreeSet<&Arc<str>> = rows.iter().flat_map(|row| row.by_robot.keys()).collect();
        if robots.len() <= MOST_ROBOTS {
            columns.add_sent("robot", rows, |row| &row.by_robot);
        }
        columns
    }

    /// Messages and bytes for every key that is in any row.
    fn add_sent<K: Ord + Display>(&mut self, of_what: &str, rows: &[Row], of: impl Fn(&Row) -> &BTreeMap<K, Sent>) {
        let keys: BTreeSet<&K> = rows.iter().flat_map(|row| of(row).keys()).collect();
        for key in keys {
            let sent: Vec<Sent> = rows.iter().map(|row| of(row).get(key).copied().unwrap_or_default()).collect();
            let column = |of: fn(&Sent) -> u64| Column::Count(sent.iter().map(of).collect());
            self.add(format!("{of_what}.{key}.messages"), column(|sent| sent.messages));
            self.add(format!("{of_what}.{key}.bytes"), column(|sent| sent.bytes));
        }
    }

    /// Of receptions of the same robots: for how long each felt and did what, and what was said how often.
    pub fn of_receptions(rows: &[party::Row]) -> Self {
        let summary = party::Summary::of(rows);
        let count = |of: &dyn Fn(&party::Row) -> u64| Column::Count(rows.iter().map(of).collect());
        let real = |of: &dyn Fn(&party::Row) -> f64| Column::Real(rows.iter().map(of).collect());
        let mut columns = Self::new(rows.len());
        columns.add("seed", count(&|row| row.seed));
        columns.add("completed", Column::Flag(rows.iter().map(|row| row.completed).collect()));
        columns.add("messages", count(&|row| row.messages));
        columns.add("messages_lost", count(&|row| row.messages_lost));
        columns.add("end_s", real(&|row| row.end_s));
        for (index, robot) in summary.robots.iter().enumerate() {
            type States = fn(&party::RobotRow) -> &[party::Spent];
            let kinds: [(&str, &[party::SpentSummary], States); 2] = [
                ("emotion", &robot.emotions, |robot| &robot.emotions),
                ("behavior", &robot.behaviors, |robot| &robot.behaviors),
            ];
            for (kind, states, of) in kinds {
                for state in states {
                    let spent_s = |row: &party::Row| {
                        let spent = of(&row.outcome[index]).iter().find(|spent| spent.name == state.name);
                        spent.map_or(0.0, |spent| spent.seconds)
                    };
                    columns.add(format!("{}.{kind}.{}_s", robot.robot, state.name), real(&spent_s));
                }
            }
        }
        for said in &summary.commands {
            let times = |row: &party::Row| {
                let same = |it: &&party::Said| (&it.from, &it.to, &it.command) == (&said.from, &said.to, &said.command);
                row.commands.iter().find(same).map_or(0, |it| it.times)
            };
            columns.add(format!("{}.tells.{}.{}", said.from, said.to, said.command), count(&times));
        }
        columns
    }

    /// The batch was broken off before it had as many runs as were `asked` for. Parquet says so in its metadata; a table of
    /// comma-separated values has no place for it that its readers would not take for a row or a column.
    pub fn broken_off(self, asked: u64) -> Self {
        Self { asked: Some(asked), ..self }
    }

    /// The same with where they come from.
    fn with(&self, from: &Provenance) -> (usize, Vec<(String, Column)>) {
        let same = |text: &str| Column::Text(vec![text.to_owned(); self.rows]);
        let from = [("version", same(from.version)), ("commit", same(from.commit)), ("scenario", same(&from.scenario))];
        let from = from.map(|(name, column)| (name.to_owned(), column));
        (self.rows, self.columns.iter().cloned().chain(from).collect())
    }
}

fn csv(mut out: impl Write, rows: usize, columns: &[(String, Column)], from: &Provenance) -> io::Result<()> {
    for (name, _) in columns {
        write!(out, "{},", quoted(name))?;
    }
    write!(out, "config\r\n")?;
    let config = quoted(&from.config.to_string());
    for row in 0..rows {
        for (_, column) in columns {
            match column {
                Column::Count(values) => write!(out, "{},", values[row])?,
                // The shortest text that reads back as the same number.
                Column::Real(values) => write!(out, "{},", values[row])?,
                Column::Flag(values) => write!(out, "{},", values[row])?,
                Column::Text(values) => write!(out, "{},", quoted(&values[row]))?,
            }
        }
        write!(out, "{config}\r\n")?;
    }
    out.flush()
}

/// A field of a CSV file: in quotes if it holds a comma, a quote or a line break, with its quotes doubled.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Rows of one Parquet row group: what a reader holds in memory at once.
const GROUP: usize = 1 << 17;

fn parquet(
    out: impl Write + Send,
    rows: usize,
    columns: &[(String, Column)],
    from: &Provenance,
    asked: Option<u64>,
) -> Result<(), ParquetError> {
    let metadata = [
        ("version", from.version.to_owned()),
        ("commit", from.commit.to_owned()),
        ("scenario", from.scenario.clone()),
        ("seed", from.seed.to_string()),
        ("command", from.command.clone()),
        ("config", from.config.to_string()),
    ];
    let broken_off = asked.map(|asked| [("interrupted", "true".to_owned()), ("runs_asked", asked.to_string())]);
    let metadata = metadata.into_iter().chain(broken_off.into_iter().flatten());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("muster {}", from.version))
        .set_key_value_metadata(Some(metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect()));
    let mut file = SerializedFileWriter::new(out, Arc::new(schema(columns)?), Arc::new(properties.build()))?;
    for start in (0..rows).step_by(GROUP) {
        let mut group = file.next_row_group()?;
        for (_, column) in columns {
            write_column(&mut group, column, start..rows.min(start + GROUP))?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn schema(columns: &[(String, Column)]) -> Result<Type, ParquetError> {
    let field = |(name, column): &(String, Column)| {
        let (physical, logical) = match column {
            Column::Count(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Column::Real(_) => (Physical::DOUBLE, None),
            Column::Flag(_) => (Physical::BOOLEAN, None),
            Column::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        Ok(Arc::new(builder.with_logical_type(logical).build()?))
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, ParquetError>>()?;
    Type::group_type_builder("run").with_fields(fields).build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    rows: Range<usize>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        unreachable!("the schema has as many columns as there are");
    };
    match column {
        // Parquet's unsigned numbers are the bits of signed ones.
        Column::Count(values) => {
            let values: Vec<i64> = values[rows].iter().map(|value| value.cast_signed()).collect();
            writer.typed::<Int64Type>().write_batch(&values, None, None)?;
        }
        Column::Real(values) => {
            writer.typed::<DoubleType>().write_batch(&values[rows], None, None)?;
        }
        Column::Flag(values) => {
            writer.typed::<BoolType>().write_batch(&values[rows], None, None)?;
        }
        Column::Text(values) => {
            let values: Vec<ByteArray> = values[rows].iter().map(|text| ByteArray::from(text.as_str())).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
    }
    writer.close()
}

#[cfg(test)]
mod tests;
