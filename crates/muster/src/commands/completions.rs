//! `muster completions`: a script for your shell.

use clap::CommandFactory;
use miette::Result;
use serde_json::json;

use crate::cli::Cli;
use crate::output::{Verdict, print_value};

/// Prints the script.
pub fn execute(shell: clap_complete::Shell, json: bool) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "muster", &mut script);
    let script = String::from_utf8_lossy(&script);
    if json {
        print_value(&json!({"shell": shell.to_string(), "script": script}));
    } else {
        print!("{script}");
    }
    Ok(Verdict::Held)
}
