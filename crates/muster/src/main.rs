//! The `muster` command: parses, calls one library, prints.

mod artifact;
mod cli;
mod commands;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
    // A closed pipe (`muster ... | head`) ends the program quietly, as it does any other filter.
    output::die_quietly_on_closed_pipe();
    let cli = Cli::parse();
    let result = match cli.command {
        None => commands::guide::print(cli.json),
        Some(Command::Scenarios(arguments)) => commands::scenarios::execute(&arguments, cli.json),
        Some(Command::Schema(arguments)) => commands::schema::execute(&arguments),
        Some(Command::Run(arguments)) => commands::run::execute(&arguments, cli.json),
        Some(Command::Train(arguments)) => commands::train::execute(&arguments, cli.json),
        Some(Command::Reproduce(arguments)) => commands::reproduce::execute(&arguments, cli.json),
        Some(Command::Soak(arguments)) => commands::soak::execute(&arguments, cli.json),
        Some(Command::Console(arguments)) => commands::console::execute(arguments, cli.json),
        Some(Command::Replay(arguments)) => commands::replay::execute(arguments, cli.json),
        Some(Command::Explain(arguments)) => commands::explain::execute(&arguments, cli.json),
        Some(Command::Allocate(arguments)) => commands::allocate::execute(&arguments, cli.json),
        Some(Command::Assign(arguments)) => commands::assign::execute(&arguments, cli.json),
        Some(Command::Completions { shell }) => commands::completions::execute(shell, cli.json),
    };
    match result {
        Ok(verdict) => verdict.into(),
        Err(report) => {
            eprintln!("{report:?}");
            ExitCode::from(2)
        }
    }
}
