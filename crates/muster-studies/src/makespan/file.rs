//! The format of `muster allocate`: `{"format": "makespan-1", "times": [[t or null per task] per robot]}`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Instance, InstanceError};
use crate::source::{FileError, Source, shortened};

/// The version of the format; another is refused.
pub const FORMAT: &str = "makespan-1";

const A_FILE: &str = r#"a file looks like {"format": "makespan-1", "times": [[3, 5], [null, 4]]}: a row per robot, and in it a time per task, or null if the robot cannot do it"#;
const A_TIME: &str = "a time is a number above 0; write null if the robot cannot do the task";

/// The values are kept as they are written, since an error has to say where they stand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(borrow)]
    format: &'a RawValue,
    #[serde(borrow)]
    times: &'a RawValue,
}

/// Reads an instance. `name` is what errors call the text.
pub fn parse(name: &str, text: &str) -> Result<Instance, FileError> {
    let source = Source { name, text, a_file: A_FILE };
    source.object()?;
    let file: File<'_> = serde_json::from_str(text).map_err(|error| source.syntax(&error))?;
    source.format(file.format, FORMAT)?;
    let rows: Vec<&RawValue> = source.list(file.times, "`times` is no list of rows, one per robot")?;
    let mut times: Vec<Vec<Option<f64>>> = Vec::with_capacity(rows.len());
    let mut cells: Vec<Vec<&RawValue>> = Vec::with_capacity(rows.len());
    for (robot, row) in rows.iter().enumerate() {
        let row = source.list(row, &format!("the row of robot {robot} is no list of times"))?;
        let read = row.iter().enumerate().map(|(task, cell)| time(source, cell, robot, task));
        times.push(read.collect::<Result<_, _>>()?);
        cells.push(row);
    }
    Instance::new(&times).map_err(|error| {
        let (place, help) = match error {
            InstanceError::NoRobots | InstanceError::NoTasks => (file.times, A_FILE.to_owned()),
            InstanceError::Ragged { robot, expected, .. } => {
                (rows[robot], format!("write {expected} times in each row, null for what the robot cannot do"))
            }
            InstanceError::NoDuration { robot, task, .. } => (cells[robot][task], A_TIME.to_owned()),
            InstanceError::NobodyCan { task } => {
                (cells[0][task], "give at least one robot a time for it, or leave the task out of every row".to_owned())
            }
            InstanceError::Endless => (file.times, "write the times in a larger unit".to_owned()),
        };
        source.wrong(place, error.to_string(), help)
    })
}

fn time(source: Source<'_>, cell: &RawValue, robot: usize, task: usize) -> Result<Option<f64>, FileError> {
    serde_json::from_str(cell.get()).map_err(|_| {
        let message = format!("the time of robot {robot} for task {task} is {}", shortened(cell.get()));
        source.wrong(cell, message, A_TIME.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use miette::Diagnostic;

    use super::*;

    #[test]
    fn a_file() {
        let instance = parse("a", r#"{"format": "makespan-1", "times": [[3, 5.5], [null, 4e0]]}"#).expect("it is one");
        let rows = [vec![Some(3.0), Some(5.5)], vec![None, Some(4.0)]];
        assert_eq!(instance, Instance::new(&rows).expect("an instance"));
    }

    #[test]
    fn long_lines_are_not_shown() {
        let row = vec!["7"; 200].join(", ");
        let text = format!("{{\"format\": \"makespan-1\", \"times\": [[{row}],\n [{row}, 8]]}}");
        let error = parse("long", &text).expect_err("a time too many");
        assert_eq!(error.to_string(), "long, line 2, column 2: robot 1 has 201 times, robot 0 has 200");
        assert!(error.source_code().is_none() && error.labels().is_none());
    }
}
