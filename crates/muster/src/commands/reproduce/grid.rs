//! The grid of the L-ALLIANCE study, if it is not to be the study's own.

use miette::{Result, miette};
use muster_studies::alliance::scenario::Grid;

use crate::cli::{Paper, ReproduceArguments};

/// Every list that was given, with its flag.
fn given(arguments: &ReproduceArguments) -> Vec<(&'static str, &[u32])> {
    let grid = &arguments.grid;
    let all: [(&str, &[u32]); 4] = [
        ("--robots", &grid.robots),
        ("--tasks", &grid.tasks),
        ("--coverage", &grid.coverage),
        ("--heterogeneity", &grid.heterogeneity),
    ];
    all.into_iter().filter(|(_, values)| !values.is_empty()).collect()
}

/// Only the study of L-ALLIANCE has a grid, and only its fixed missions have the main figure.
pub(super) fn expect_alliance(arguments: &ReproduceArguments) -> Result<()> {
    let Some((flag, _)) = given(arguments).first().copied() else { return Ok(()) };
    if arguments.paper != Paper::Alliance {
        return Err(miette!(
            help = format!("leave it out, or use it as in `muster reproduce alliance {flag} ...`"),
            "{flag}: only the study of alliance has a grid"
        ));
    }
    if arguments.figure.is_some() {
        return Err(miette!(
            help = "leave out --figure, or the grid; --report shows a grid of your own",
            "--figure: shows fixed missions, which {flag} leaves out"
        ));
    }
    grid(arguments).map(|_| ())
}

/// The grid that was asked for; `None` for the study's own.
pub(super) fn grid(arguments: &ReproduceArguments) -> Result<Option<Grid>> {
    if given(arguments).is_empty() {
        return Ok(None);
    }
    let (own, of) = (Grid::report(), &arguments.grid);
    let or = |values: &[u32], own: Vec<u32>| if values.is_empty() { own } else { sorted(values) };
    let grid = Grid {
        robots: or(&of.robots, own.robots),
        tasks: or(&of.tasks, own.tasks),
        coverage: or(&of.coverage, own.coverage),
        heterogeneity: match &of.heterogeneity[..] {
            [] => own.heterogeneity,
            percent => sorted(percent).into_iter().map(|percent| f64::from(percent) / 100.0).collect(),
        },
    };
    if grid.scenarios().is_empty() {
        return Err(miette!(
            help = "give a coverage of at most the number of robots",
            "--coverage {}: more robots than any team has (--robots {})",
            list(&grid.coverage),
            list(&grid.robots)
        ));
    }
    Ok(Some(grid))
}

/// What it is, and what of it cannot be.
pub(super) fn words(grid: &Grid) -> String {
    let percent: Vec<u32> = grid.heterogeneity.iter().map(|degree| (100.0 * degree).round() as u32).collect();
    let pairs = grid.robots.iter().flat_map(|robots| grid.coverage.iter().map(move |coverage| (robots, coverage)));
    let left_out: Vec<String> = pairs
        .filter(|(robots, coverage)| coverage > robots)
        .map(|(robots, coverage)| format!("{coverage} with {robots}"))
        .collect();
    let without = match &left_out[..] {
        [] => String::new(),
        pairs => format!("\nLeft out, since it takes more robots than there are: coverage {}.", pairs.join(", ")),
    };
    format!(
        "Grid of {} scenarios: robots {}; tasks {}; coverage {}; heterogeneity {} %.{without}",
        grid.scenarios().len(),
        list(&grid.robots),
        list(&grid.tasks),
        list(&grid.coverage),
        list(&percent)
    )
}

/// As on the command line, each after a space.
pub(super) fn flags(arguments: &ReproduceArguments) -> String {
    given(arguments).iter().map(|(flag, values)| format!(" {flag} {}", list(&sorted(values)))).collect()
}

fn sorted(values: &[u32]) -> Vec<u32> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

fn list(values: &[u32]) -> String {
    values.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}
