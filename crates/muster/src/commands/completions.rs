//! `muster completions`: a script for your shell.

use clap::CommandFactory;
use miette::Result;

use crate::cli::Cli;
use crate::output::Verdict;

/// Prints the script.
pub fn execute(shell: clap_complete::Shell) -> Result<Verdict> {
    clap_complete::generate(shell, &mut Cli::command(), "muster", &mut std::io::stdout());
    Ok(Verdict::Held)
}
