//! The format of `muster assign`, `ctp-assign-1`: docs/assign.md describes it.

use muster_core::tasking::assigner::{Constraint, INFEASIBLE, Problem, ProblemError};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::decimal::Decimal;
use crate::source::{FileError, Source, shortened};

/// The version of the format; another is refused.
pub const FORMAT: &str = "ctp-assign-1";

const A_FILE: &str =
    "a file has format, T, V, times, headings, costs and constraints; `muster assign --example` prints one";
const A_COST: &str = "a cost is a whole number from 0 to 65534; 65535 says that the vehicle cannot do it";
const A_NUMBER: &str = "write a number with at most 9 digits behind the point, below 1e15";

/// More tasks or vehicles than this are none that anybody has.
const MOST: u32 = 1_000_000;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The problem.
    pub problem: Problem,
    /// The times as they are written.
    pub times: Vec<String>,
    /// The headings as they are written.
    pub headings: Vec<String>,
}

/// The values are kept as they are written, since an error has to say where they stand. Unknown keys are ignored.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    format: &'a RawValue,
    #[serde(borrow, rename = "T")]
    tasks: &'a RawValue,
    #[serde(borrow, rename = "V")]
    vehicles: &'a RawValue,
    #[serde(borrow)]
    times: &'a RawValue,
    #[serde(borrow)]
    headings: &'a RawValue,
    #[serde(borrow)]
    costs: &'a RawValue,
    #[serde(borrow)]
    constraints: &'a RawValue,
}

/// A constraint as it is written. All keys have to be there, or one with a typing error would count for nothing.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow)]
    a: &'a RawValue,
    #[serde(borrow)]
    b: &'a RawValue,
    #[serde(borrow)]
    dt_min: &'a RawValue,
    #[serde(borrow)]
    dt_max: &'a RawValue,
    #[serde(borrow)]
    dh_min: &'a RawValue,
    #[serde(borrow)]
    dh_max: &'a RawValue,
}

/// Reads an instance. `name` is what errors call the text.
pub fn parse(name: &str, text: &str) -> Result<Instance, FileError> {
    let source = Source { name, text, a_file: A_FILE };
    source.object()?;
    let file: File<'_> = serde_json::from_str(text).map_err(|error| source.syntax(&error))?;
    source.format(file.format, FORMAT)?;
    let tasks = size(source, file.tasks, "T")?;
    let vehicles = size(source, file.vehicles, "V")?;
    let times = numbers(source, file.times, "times")?;
    let headings = numbers(source, file.headings, "headings")?;
    let costs = costs(source, file.costs, [tasks, vehicles, times.len(), headings.len()])?;
    let raw = source.list(file.constraints, "`constraints` is no list")?;
    let written: Vec<Written<'_>> =
        raw.iter().enumerate().map(|(index, raw)| written(source, raw, index)).collect::<Result<_, _>>()?;
    let couplings = Couplings::read(source, &written)?;
    let time_places = most_places(times.iter().map(|(_, time)| *time).chain(couplings.times()));
    let turn_places = most_places(headings.iter().map(|(_, heading)| *heading).chain(couplings.angles()));
    let scale = |places: i32, raw: &RawValue, number: Decimal| {
        number.scaled(places).ok_or_else(|| {
            let message = format!("{} is too large beside the finest number", shortened(raw.get()));
            source.wrong(raw, message, A_NUMBER.to_owned())
        })
    };
    let scaled = |places: i32, list: &[(&RawValue, Decimal)]| {
        list.iter().map(|(raw, number)| scale(places, raw, *number)).collect::<Result<Vec<i64>, _>>()
    };
    let turn = 360 * 10_i64.pow(turn_places as u32);
    let mut constraints = Vec::with_capacity(written.len());
    for (written, coupling) in written.iter().zip(&couplings.0) {
        let time = |raw, number: Option<Decimal>| number.map(|number| scale(time_places, raw, number)).transpose();
        let angle =
            |raw, number: Option<Decimal>, free: i64| number.map_or(Ok(free), |number| scale(turn_places, raw, number));
        constraints.push(Constraint {
            a: coupling.a,
            b: coupling.b,
            dt_min: time(written.dt_min, coupling.dt_min)?,
            dt_max: time(written.dt_max, coupling.dt_max)?,
            dh_min: angle(written.dh_min, coupling.dh_min, 0)?,
            dh_max: angle(written.dh_max, coupling.dh_max, turn / 2)?,
        });
    }
    let as_written = |list: &[(&RawValue, Decimal)]| list.iter().map(|(raw, _)| raw.get().to_owned()).collect();
    let (time_list, heading_list) = (as_written(&times), as_written(&headings));
    let problem = Problem::with_turn(
        turn,
        tasks,
        vehicles,
        scaled(time_places, &times)?,
        scaled(turn_places, &headings)?,
        costs,
        constraints,
    );
    let problem = problem.map_err(|error| {
        let range = format!("tasks count from 0: with T = {tasks} the last is {}", tasks.saturating_sub(1));
        let (place, message, help) = match error {
            ProblemError::Costs { .. } => unreachable!("counted above"),
            ProblemError::Cost(_) => unreachable!("a file has no room for such a cost"),
            ProblemError::Time(index) => {
                let message = format!("times[{index}] is {}, not after the one before it", times[index].0);
                (times[index].0, message, "list each time once, ascending".to_owned())
            }
            ProblemError::Heading(index) => {
                let message = format!("headings[{index}] is {}", headings[index].0);
                (headings[index].0, message, "list each heading once, ascending, from 0 to below 360".to_owned())
            }
            ProblemError::NoTask(index) => {
                let (key, raw) = if constraint_task(written[index].a) >= tasks {
                    ("a", written[index].a)
                } else {
                    ("b", written[index].b)
                };
                (raw, format!("constraints[{index}].{key} is {}, and there is no such task", raw.get()), range)
            }
            ProblemError::SameTask(index) => {
                let message = format!("constraints[{index}] couples task {} with itself", written[index].a.get());
                (written[index].b, message, "name two tasks".to_owned())
            }
            ProblemError::EmptyWindow(index) => {
                let Written { dt_min, dt_max, .. } = written[index];
                let message = format!("constraints[{index}] has dt_min {dt_min} above dt_max {dt_max}");
                (dt_min, message, "exchange them, or write null for no limit".to_owned())
            }
            ProblemError::Angles(index) => {
                let Written { dh_min, dh_max, .. } = written[index];
                let message = format!("constraints[{index}] has dh_min {dh_min} and dh_max {dh_max}");
                let help = "angles are between 0 and 180, dh_min no larger than dh_max; 0 and 180 allow any";
                let large = couplings.0[index].dh_max.is_some_and(|angle| !angle.is_at_most(180));
                (if large { dh_max } else { dh_min }, message, help.to_owned())
            }
        };
        source.wrong(place, message, help)
    })?;
    Ok(Instance { problem, times: time_list, headings: heading_list })
}

fn constraint_task(raw: &RawValue) -> usize {
    serde_json::from_str(raw.get()).unwrap_or(usize::MAX)
}

/// The numbers of constraints.
struct Couplings(Vec<Numbers>);

struct Numbers {
    a: usize,
    b: usize,
    dt_min: Option<Decimal>,
    dt_max: Option<Decimal>,
    dh_min: Option<Decimal>,
    dh_max: Option<Decimal>,
}

impl Couplings {
    fn read(source: Source<'_>, written: &[Written<'_>]) -> Result<Self, FileError> {
        let task = |raw: &RawValue, index: usize, key: &str| {
            serde_json::from_str::<usize>(raw.get()).map_err(|_| {
                let message = format!("constraints[{index}].{key} is {}, which is no task", shortened(raw.get()));
                source.wrong(raw, message, "write the index of a task, from 0".to_owned())
            })
        };
        let number = |raw: &RawValue, index: usize, key: &str| match raw.get() {
            "null" => Ok(None),
            text => Decimal::parse(text).map(Some).ok_or_else(|| {
                let message = format!("constraints[{index}].{key} is {}", shortened(text));
                source.wrong(raw, message, format!("{A_NUMBER}, or null for no limit"))
            }),
        };
        let read = |(index, written): (usize, &Written<'_>)| {
            Ok(Numbers {
                a: task(written.a, index, "a")?,
                b: task(written.b, index, "b")?,
                dt_min: number(written.dt_min, index, "dt_min")?,
                dt_max: number(written.dt_max, index, "dt_max")?,
                dh_min: number(written.dh_min, index, "dh_min")?,
                dh_max: number(written.dh_max, index, "dh_max")?,
            })
        };
        written.iter().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }

    fn times(&self) -> impl Iterator<Item = Decimal> + '_ {
        self.0.iter().flat_map(|numbers| [numbers.dt_min, numbers.dt_max]).flatten()
    }

    fn angles(&self) -> impl Iterator<Item = Decimal> + '_ {
        self.0.iter().flat_map(|numbers| [numbers.dh_min, numbers.dh_max]).flatten()
    }
}

fn most_places(numbers: impl Iterator<Item = Decimal>) -> i32 {
    numbers.map(Decimal::places).max().unwrap_or(0)
}

fn size(source: Source<'_>, raw: &RawValue, key: &str) -> Result<usize, FileError> {
    let number = Decimal::parse(raw.get());
    let large = number.is_some_and(|number| !number.is_at_most(i64::from(MOST)));
    let number = serde_json::from_str::<u32>(raw.get()).ok().filter(|&number| number <= MOST);
    number.map(|number| number as usize).ok_or_else(|| {
        let why = if large { "which is too many" } else { "which is no count" };
        let message = format!("{key} is {}, {why}", shortened(raw.get()));
        let help = format!("T is the number of tasks, V that of vehicles: whole numbers from 0 to {MOST}");
        source.wrong(raw, message, help)
    })
}

fn numbers<'a>(source: Source<'a>, raw: &'a RawValue, key: &str) -> Result<Vec<(&'a RawValue, Decimal)>, FileError> {
    let list = source.list(raw, &format!("`{key}` is no list of numbers"))?;
    if list.is_empty() {
        return Err(source.wrong(raw, format!("`{key}` is empty"), "list at least one sample".to_owned()));
    }
    let number = |(index, raw): (usize, &'a RawValue)| {
        Decimal::parse(raw.get()).map(|number| (raw, number)).ok_or_else(|| {
            let message = format!("{key}[{index}] is {}", shortened(raw.get()));
            source.wrong(raw, message, A_NUMBER.to_owned())
        })
    };
    list.into_iter().enumerate().map(number).collect()
}

fn written<'a>(source: Source<'a>, raw: &'a RawValue, index: usize) -> Result<Written<'a>, FileError> {
    let help = r#"a constraint looks like {"a": 0, "b": 1, "dt_min": 5, "dt_max": null, "dh_min": 45, "dh_max": 180}"#;
    let wrong = |why: &str| source.wrong(raw, format!("constraints[{index}]: {why}"), help.to_owned());
    if !raw.get().starts_with('{') {
        return Err(wrong("this is no constraint"));
    }
    serde_json::from_str(raw.get()).map_err(|error| {
        let message = error.to_string();
        wrong(message.split(" at line ").next().unwrap_or_default())
    })
}

/// What a vehicle cannot do, in a file.
const CANNOT: u16 = u16::MAX;

fn cost_in(file: u16) -> u32 {
    if file == CANNOT { INFEASIBLE } else { u32::from(file) }
}

/// Which list of costs holds what.
const LEVELS: [&str; 4] = ["task", "vehicle", "time", "heading"];

/// Reads the costs at once if nothing is wrong, and value by value if something is, to say what.
fn costs(source: Source<'_>, raw: &RawValue, sizes: [usize; 4]) -> Result<Vec<u32>, FileError> {
    let whole = serde_json::from_str::<Vec<Vec<Vec<Vec<u16>>>>>(raw.get()).ok().filter(|tasks| {
        tasks.len() == sizes[0]
            && tasks.iter().all(|vehicles| vehicles.len() == sizes[1])
            && tasks.iter().flatten().all(|times| times.len() == sizes[2])
            && tasks.iter().flatten().flatten().all(|headings| headings.len() == sizes[3])
    });
    match whole {
        Some(tasks) => Ok(tasks.into_iter().flatten().flatten().flatten().map(cost_in).collect()),
        None => Err(wrong_cost(source, raw, &sizes, "costs")
            .unwrap_or_else(|| source.wrong(raw, "`costs` cannot be read".to_owned(), A_COST.to_owned()))),
    }
}

/// The first thing that is wrong within a list of costs.
fn wrong_cost(source: Source<'_>, raw: &RawValue, sizes: &[usize], path: &str) -> Option<FileError> {
    let [size, rest @ ..] = sizes else {
        let cost = serde_json::from_str::<u16>(raw.get());
        let message = format!("{path} is {}", shortened(raw.get()));
        return cost.is_err().then(|| source.wrong(raw, message, A_COST.to_owned()));
    };
    let level = LEVELS[LEVELS.len() - sizes.len()];
    let list = match source.list(raw, &format!("{path} is no list with an entry per {level}")) {
        Ok(list) => list,
        Err(error) => return Some(error),
    };
    if list.len() != *size {
        let message = format!("{path} has length {}, not {size}: one per {level}", list.len());
        return Some(source.wrong(raw, message, "costs are listed by task, vehicle, time and heading".to_owned()));
    }
    list.iter().enumerate().find_map(|(index, raw)| wrong_cost(source, raw, rest, &format!("{path}[{index}]")))
}

/// Writes a problem whose headings are in degrees.
pub fn write(problem: &Problem) -> String {
    use std::fmt::Write;
    let (tasks, vehicles) = (problem.tasks(), problem.vehicles());
    let mut text = format!("{{\n\"format\": \"{FORMAT}\",\n\"T\": {tasks},\n\"V\": {vehicles},\n");
    let _ = writeln!(text, "\"times\": {:?},\n\"headings\": {:?},", problem.times(), problem.headings());
    let _ = writeln!(text, "\"constraints\": [");
    let limit = |dt: Option<i64>| dt.map_or("null".to_owned(), |dt| dt.to_string());
    for (index, constraint) in problem.constraints().iter().enumerate() {
        let Constraint { a, b, dt_min, dt_max, dh_min, dh_max } = *constraint;
        let comma = if index + 1 < problem.constraints().len() { "," } else { "" };
        let (dt_min, dt_max) = (limit(dt_min), limit(dt_max));
        let _ = writeln!(
            text,
            "  {{\"a\": {a}, \"b\": {b}, \"dt_min\": {dt_min}, \"dt_max\": {dt_max}, \"dh_min\": {dh_min}, \"dh_max\": {dh_max}}}{comma}"
        );
    }
    text.push_str("],\n\"costs\": [");
    for task in 0..tasks {
        text.push_str(if task == 0 { "\n [" } else { ",\n [" });
        for vehicle in 0..vehicles {
            text.push_str(if vehicle == 0 { "\n  [" } else { ",\n  [" });
            let rows = problem.bid(task, vehicle).chunks(problem.headings().len());
            let in_file = |cost: &u32| if *cost == INFEASIBLE { u32::from(CANNOT) } else { *cost };
            let row = |row: &[u32]| format!("{:?}", row.iter().map(in_file).collect::<Vec<_>>());
            let rows: Vec<String> = rows.map(row).collect();
            text.push_str(&rows.join(",\n   "));
            text.push(']');
        }
        text.push(']');
    }
    text.push_str("\n]\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use muster_core::tasking::assigner::{Status, assign};

    use super::super::random::{Bids, Coupled, instance};
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (tasks, vehicles) in [(0, 0), (0, 3), (1, 1), (3, 5)] {
            let problem = instance(7, tasks, vehicles, Coupled::Dense, Bids::Varied);
            let read = parse("written", &write(&problem)).expect("it is one");
            assert_eq!(read.problem, problem);
        }
    }

    /// 22.5 degrees and 0.1 s are exactly what they say.
    #[test]
    fn decimals_are_exact() {
        let text = r#"{"format": "ctp-assign-1", "id": "x", "seed": [1], "T": 2, "V": 2,
            "times": [0.1, 0.2, 0.3], "headings": [0, 22.5, 3.6e2], "costs": [], "constraints": []}"#;
        assert!(parse("a", &text.replace("3.6e2", "3.599e2")).is_err(), "no costs");
        let row = "[[1, 9, 9], [9, 9, 9], [9, 9, 1]]";
        let text = text.replace("3.6e2", "45.0").replace("[],", &format!("[[{row}, {row}], [{row}, {row}]],"));
        let text = text.replace(
            r#""constraints": []"#,
            r#""constraints": [{"a": 0, "b": 1, "dt_min": 0.2, "dt_max": 0.2, "dh_min": 45, "dh_max": null}]"#,
        );
        let read = parse("a", &text).expect("it is one");
        let answer = assign(&read.problem, u64::MAX);
        assert_eq!((answer.status, answer.cost), (Status::Optimal, Some(2)));
        assert_eq!(read.times, ["0.1", "0.2", "0.3"]);
    }

    #[test]
    fn large_files_are_read() {
        let problem = instance(1, 10, 100, Coupled::Chain, Bids::Varied);
        assert_eq!(parse("large", &write(&problem)).expect("it is one").problem, problem);
        assert!(problem.bid(0, 0).contains(&INFEASIBLE));
    }
}
