//! Results as tables for other programs: one row per run, as CSV or Parquet.
//!
//! Both have the columns of `COLUMNS`. The resolved configuration is one more column in CSV, which has no
//! other place for it, and key-value metadata in Parquet, beside version, commit, scenario and seed.
//!
//! CSV is written by hand: quoting is one rule (RFC 4180), so a crate would be more to read than the rule.
//! Tests read it back with the `csv` crate. Nothing here opens a file.

use std::io::{self, Write};
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
        /// How it ends.
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
    pub fn write(self, out: impl Write + Send, rows: &[Row], from: &Provenance) -> Result<(), ResultsError> {
        match self {
            Self::Csv => Ok(csv(out, rows, from)?),
            Self::Parquet => Ok(parquet(out, rows, from)?),
        }
    }
}

/// What is in a column.
enum Column {
    Count(fn(&Row) -> u64),
    Real(fn(&Row) -> f64),
    Flag(fn(&Row) -> bool),
    Text(for<'a> fn(&'a Row, &'a Provenance) -> &'a str),
}

/// The columns that both formats have.
const COLUMNS: [(&str, Column); 15] = [
    ("seed", Column::Count(|row| row.seed)),
    ("strategy", Column::Text(|row, _| row.strategy)),
    ("completed", Column::Flag(|row| row.completed)),
    ("messages", Column::Count(|row| row.messages)),
    ("messages_lost", Column::Count(|row| row.messages_lost)),
    ("receptions_lost", Column::Count(|row| row.receptions_lost)),
    ("wait_s", Column::Real(|row| row.wait_s)),
    ("duplicates", Column::Count(|row| row.duplicates)),
    ("overlaps", Column::Count(|row| row.overlaps)),
    ("lost", Column::Count(|row| row.lost)),
    ("expired", Column::Count(|row| row.expired)),
    ("end_s", Column::Real(|row| row.end_s)),
    ("version", Column::Text(|_, from| from.version)),
    ("commit", Column::Text(|_, from| from.commit)),
    ("scenario", Column::Text(|_, from| &from.scenario)),
];

fn csv(mut out: impl Write, rows: &[Row], from: &Provenance) -> io::Result<()> {
    let head = COLUMNS.iter().map(|(name, _)| *name).chain(["config"]).collect::<Vec<_>>();
    write!(out, "{}\r\n", head.join(","))?;
    let config = quoted(&from.config.to_string());
    for row in rows {
        for (_, column) in &COLUMNS {
            match column {
                Column::Count(of) => write!(out, "{},", of(row))?,
                // The shortest text that reads back as the same number.
                Column::Real(of) => write!(out, "{},", of(row))?,
                Column::Flag(of) => write!(out, "{},", of(row))?,
                Column::Text(of) => write!(out, "{},", quoted(of(row, from)))?,
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

fn parquet(out: impl Write + Send, rows: &[Row], from: &Provenance) -> Result<(), ParquetError> {
    let metadata = [
        ("version", from.version.to_owned()),
        ("commit", from.commit.to_owned()),
        ("scenario", from.scenario.clone()),
        ("seed", from.seed.to_string()),
        ("command", from.command.clone()),
        ("config", from.config.to_string()),
    ];
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("muster {}", from.version))
        .set_key_value_metadata(Some(metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec()));
    let mut file = SerializedFileWriter::new(out, Arc::new(schema()?), Arc::new(properties.build()))?;
    for rows in rows.chunks(GROUP) {
        let mut group = file.next_row_group()?;
        for (_, column) in &COLUMNS {
            write_column(&mut group, column, rows, from)?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn schema() -> Result<Type, ParquetError> {
    let field = |(name, column): &(&str, Column)| {
        let (physical, logical) = match column {
            Column::Count(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Column::Real(_) => (Physical::DOUBLE, None),
            Column::Flag(_) => (Physical::BOOLEAN, None),
            Column::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        Ok(Arc::new(builder.with_logical_type(logical).build()?))
    };
    let fields = COLUMNS.iter().map(field).collect::<Result<Vec<_>, ParquetError>>()?;
    Type::group_type_builder("run").with_fields(fields).build()
}

fn write_column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
    rows: &[Row],
    from: &Provenance,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        unreachable!("the schema has as many columns as there are");
    };
    match column {
        // Parquet's unsigned numbers are the bits of signed ones.
        Column::Count(of) => {
            let values: Vec<i64> = rows.iter().map(|row| of(row).cast_signed()).collect();
            writer.typed::<Int64Type>().write_batch(&values, None, None)?;
        }
        Column::Real(of) => {
            let values: Vec<f64> = rows.iter().map(of).collect();
            writer.typed::<DoubleType>().write_batch(&values, None, None)?;
        }
        Column::Flag(of) => {
            let values: Vec<bool> = rows.iter().map(of).collect();
            writer.typed::<BoolType>().write_batch(&values, None, None)?;
        }
        Column::Text(of) => {
            let values: Vec<ByteArray> = rows.iter().map(|row| ByteArray::from(of(row, from))).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, None, None)?;
        }
    }
    writer.close()
}

#[cfg(test)]
mod tests;
