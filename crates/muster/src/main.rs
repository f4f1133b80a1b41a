//! The `muster` command: parses, calls one library, prints.

#[macro_use]
mod stream;

mod artifact;
mod cli;
mod commands;
mod input;
mod output;
mod progress;
mod refusal;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

fn main() -> ExitCode {
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
    let unwritten = stream::close();
    let verdict = result.map_err(refusal::print);
    if let Some(why) = unwritten {
        eprintln!("the output cannot be written: {why}");
    }
    match verdict {
        Ok(verdict) if unwritten.is_none() => verdict.into(),
        _ => ExitCode::from(2),
    }
}
