//! What can be typed.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Coordinates teams of different robots without a coordinator: simulate, reproduce papers, soak.
#[derive(Debug, Parser)]
#[command(
    name = "muster",
    version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("MUSTER_COMMIT"), ")"),
    after_help = "Exit code: 0 everything held, 1 something did not, 2 it could not be run.\n\n\
                  Examples:\n  muster                            what to try first\n  \
                  muster run minefield              a mission, three strategies side by side\n  \
                  muster console minefield          watch it in a browser\n  \
                  muster reproduce recruitment      Tables 1-5 of Gage & Murphy 2004"
)]
pub struct Cli {
    /// Print one JSON document instead of text.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in scenarios, or print one to copy and edit.
    Scenarios(ScenariosArguments),
    /// Print the JSON Schema of scenario files (for completion and checks in an editor).
    Schema(SchemaArguments),
    /// Run a mission and say who did what, how many messages it took and how long the wait was; or run a reception.
    Run(RunArguments),
    /// Run the training missions of a scenario and say what its robots have learned.
    Train(TrainArguments),
    /// Regenerate a paper's tables and claims, the paper's figure beside ours.
    Reproduce(ReproduceArguments),
    /// Run many seeds with faults and look for what must never happen.
    Soak(SoakArguments),
    /// Watch a team in a browser and find out why a robot was chosen.
    Console(ConsoleArguments),
    /// Look at a recording in a browser; with --verify, see whether it is the run that it says.
    Replay(ReplayArguments),
    /// Say why each award, silence, time-out and take-over of a recording happened.
    Explain(ExplainArguments),
    /// Give tasks to robots so that the last robot finishes early: the optimum, and what each rule makes of it.
    Allocate(AllocateArguments),
    /// Give coupled tasks to vehicles, with times and headings that go together, at least cost.
    Assign(AssignArguments),
    /// Print a completion script for your shell.
    #[command(after_help = "Example:\n  muster completions bash > ~/.local/share/bash-completion/completions/muster")]
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

/// Which files to describe.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  muster schema > scenario.schema.json\n  \
                        muster schema --interventions > interventions.schema.json")]
pub struct SchemaArguments {
    /// Of files of interventions (`muster run --interventions`) instead.
    #[arg(long)]
    pub interventions: bool,
}

/// Which scenario to show.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  muster scenarios\n  muster scenarios show minefield > mine.toml\n  muster run mine.toml"
)]
pub struct ScenariosArguments {
    /// What to do with them.
    #[command(subcommand)]
    pub action: Option<ScenariosAction>,
}

/// What to do with the built-in scenarios.
#[derive(Debug, Subcommand)]
pub enum ScenariosAction {
    /// Print a built-in scenario.
    Show {
        /// Its name.
        name: String,
    },
}

/// How many threads.
#[derive(Debug, Args)]
pub struct Threads {
    /// Threads to use; all cores without it. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// A mission to run.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  muster run minefield\n  muster run minefield --set radio.loss=0.25 --runs 1000\n  \
                        muster run minefield --set recruitment.strategy=greedy --set robots.idle.count=20\n  \
                        muster run my-mission.toml --seed 7 --json\n  \
                        muster run minefield --runs 1000 --results runs.parquet --report runs.html\n  \
                        muster run minefield --record run.mcap\n  \
                        muster run minefield --interventions faults.toml --log run.log\n  \
                        muster run boxes --report boxes.html\n  \
                        muster run cleanup --runs 100 --set radio.loss=0.3\n  \
                        muster run hotspot --explain --report hotspot.html\n  \
                        muster run hotspot --runs 100 --set tasking.variant=drawn --set radio.loss=0.1\n  \
                        muster run reception --log reception.log --record reception.mcap\n  \
                        muster run reception --runs 100 --set reception.guests.count=0\n\n\
                        Exit code: 0 every task of every run was handed over or done, 1 some were not, or not as asked: a group\n\
                        flown out of order, a strict one broken off, windows given up (uncoupled); 2 it could not be run.\n\
                        At a reception: 0 no robot failed, 1 a script did."
)]
pub struct RunArguments {
    /// A built-in scenario, or a file.
    pub scenario: String,
    /// Seed of the run; with --runs, of the batch.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many runs.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub runs: u64,
    /// Change a value of the scenario, such as radio.loss=0.1; can be given again and again.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// What robots know before the run, as `muster train --save` wrote it. Without it they practise first, if the
    /// scenario says so.
    #[arg(long, value_name = "FILE.toml")]
    pub knowledge: Option<PathBuf>,
    /// What is done to each run while it goes on: new tasks and changes to tasks, faults, a jammed radio. See
    /// docs/interventions.md; `muster schema --interventions` describes the file.
    #[arg(long, value_name = "FILE.toml")]
    pub interventions: Option<PathBuf>,
    /// Write one row per run, as .csv or .parquet; can be given again and again.
    #[arg(long, value_name = "FILE")]
    pub results: Vec<PathBuf>,
    /// Write a page with plots: map, work and messages of one run, summary of all. With recruitment also SHAME; with
    /// auctions also what was planned and flown, who held which task, and bids over time and heading.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Record the first run (of the first strategy, unless one is set) as MCAP; a reception, too.
    #[arg(long, value_name = "FILE.mcap")]
    pub record: Option<PathBuf>,
    /// Write the log of the first run (of the first strategy, unless one is set): what happened, a line each; of a
    /// reception every change of emotion and behaviour, every command.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Say why things happened in the first run (of the first strategy, unless one is set).
    #[arg(long)]
    pub explain: bool,
    /// How many threads.
    #[command(flatten)]
    pub threads: Threads,
}

/// Robots to train.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  muster train boxes\n  muster train cleanup --seed 7 --save learned.toml\n  \
                        muster run cleanup --knowledge learned.toml")]
pub struct TrainArguments {
    /// A built-in scenario, or a file.
    pub scenario: String,
    /// Seed of the training.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Change a value of the scenario, such as radio.loss=0.1; can be given again and again.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Write what was learned, to be given to `muster run --knowledge`.
    #[arg(long, value_name = "FILE.toml")]
    pub save: Option<PathBuf>,
}

/// A paper to reproduce.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  muster reproduce recruitment\n  muster reproduce recruitment --runs 4000 --json\n  \
                        muster reproduce recruitment --report recruitment.html\n  \
                        muster reproduce alliance --runs 20 --report alliance.html\n  \
                        muster reproduce alliance --robots 2,4 --tasks 8 --coverage 2,4 --heterogeneity 100,800\n  \
                        muster reproduce tasking --runs 100 --report tasking.html --figure figure-6.svg\n  \
                        muster reproduce reception --report reception.html --figure emotions.svg\n\n\
                        Exit code: 0 nothing but the known mismatches differs, 1 something else does, 2 it could not be run."
)]
pub struct ReproduceArguments {
    /// Which paper.
    #[arg(value_enum, default_value_t = Paper::All)]
    pub paper: Paper,
    /// Recruitment: three-run groups per cell of a table, 2000 without it. Alliance: missions per scenario, 200 without
    /// it. Tasking: runs with crashes for each loss, 10000 without it and 20 at least; other tables have a share of
    /// that, and say how many. Reception: seeds for each number of guests and each caution, 100 without it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub runs: Option<u64>,
    /// Seed of the study.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write a page with plots, all tables and verdicts.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write the main figure. Recruitment: messages against team size, the paper beside ours. Alliance: how far above
    /// the optimum missions end, by region. Tasking: cost against time, the paper's points beside ours. Reception:
    /// for how much of the time robots feel what, by the number of guests.
    #[arg(long, value_name = "FILE.svg")]
    pub figure: Option<PathBuf>,
    /// Recruitment: change a value of the reading for the whole study, such as recruitment.pause_s=1. May be given several
    /// times.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Recruitment: run a grid of readings instead (collecting, pause, row spacing, lease, lost messages counted or not), and
    /// say how many figures each fits and which sentences of the paper it contradicts. 200 groups without --runs.
    #[arg(long)]
    pub readings: bool,
    /// How many threads.
    #[command(flatten)]
    pub threads: Threads,
    /// A grid of one's own.
    #[command(flatten)]
    pub grid: GridArguments,
}

/// Missions of the L-ALLIANCE study. Whatever is not given is as in the study's own grid.
#[derive(Debug, Args)]
#[command(next_help_heading = "A grid of your own, for alliance only")]
pub struct GridArguments {
    /// Robots in a team, such as 2,4; 2,4,6,10,20 without it. With any of these four the claims are those of that grid,
    /// and what has missions of its own is left out: Figures 4 to 10, gaps, robots that stop.
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100))]
    pub robots: Vec<u32>,
    /// Tasks of a mission; 1,2,4,8,14,20,40 without it.
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=200))]
    pub tasks: Vec<u32>,
    /// How many robots can do each task; 1,2,4,7,10 without it. Teams smaller than that are left out.
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100))]
    pub coverage: Vec<u32>,
    /// By how many percent robots differ; 0,100,200,800,3200 without it.
    #[arg(long, value_name = "%,..", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub heterogeneity: Vec<u32>,
}

/// A paper.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Paper {
    /// Gage & Murphy 2004, affective recruitment: Tables 1-5.
    Recruitment,
    /// Parker, L-ALLIANCE: the study of strategies and orderings, claims and gaps above the optimum.
    Alliance,
    /// MacKenzie 2003, Collaborative Tasking: the example mission, its three claims, and the protocol's weaknesses.
    Tasking,
    /// Lisetti et al., CARS: what its simulator has to do, check by check, and a waiter and a refiller among guests.
    Reception,
    /// All that Muster reproduces.
    All,
}

/// What to soak.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  muster soak                                    every plan, 300 runs each\n  \
                        muster soak loss-25 --runs 10000\n  \
                        muster soak groups groups-20 --runs 100000 --only-watch\n  \
                        muster soak faults --config safe --strategy greedy --runs 10000\n  \
                        muster soak faults --config safe --strategy greedy --replay 123   one run, with its log\n  \
                        muster soak tasking --replay 123               a mission that was drawn: its texts, and its log\n\n\
                        Plans that are known to be broken are expected to fail the check they name: one that holds in 300 runs is a failure.\n\
                        Exit code: 0 everything held, 1 something did not, 2 it could not be run.")]
pub struct SoakArguments {
    /// Plans; all without it. `muster soak --list` says what each shows.
    pub plans: Vec<String>,
    /// Say what there is, and run nothing.
    #[arg(long)]
    pub list: bool,
    /// Runs of each plan, strategy and configuration.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub runs: u64,
    /// Seed of the soak.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only this strategy, of plans in the minefield; affective and greedy without it.
    #[arg(long, value_enum)]
    pub strategy: Option<StrategyArgument>,
    /// Only this configuration, of plans in the minefield; both without it.
    #[arg(long, value_enum)]
    pub config: Option<ConfigArgument>,
    /// Watch runs of missions that are drawn, and do not record them, verify the recording and compare them with their rows: four
    /// times as many in the same time.
    #[arg(long)]
    pub only_watch: bool,
    /// Make the one run with this seed again and print what the robots noted.
    #[arg(long, value_name = "SEED", conflicts_with_all = ["runs", "list"])]
    pub replay: Option<u64>,
    /// How many threads.
    #[command(flatten)]
    pub threads: Threads,
}

/// Times to allocate by.
#[derive(Debug, Args)]
#[command(after_help = "The file: a row per robot, and in it a time per task, or null if the robot cannot do it.\n  \
                        {\"format\": \"makespan-1\", \"times\": [[3, 4, 9], [5, null, 8]]}\n\n\
                        Examples:\n  muster allocate mission.json\n  muster allocate mission.json --json\n  \
                        muster allocate mission.json --budget 10000000\n  generate-times | muster allocate -\n\n\
                        Exit code: 0 the optimum is proved, 1 not within the budget, 2 it could not be run.")]
pub struct AllocateArguments {
    /// Times in JSON; `-` reads them from standard input.
    pub file: PathBuf,
    /// Nodes that the exact search may look at; without it as many as take some seconds.
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub budget: Option<u64>,
}

/// Bids for coupled tasks.
#[derive(Debug, Args)]
#[command(
    after_help = "The file: costs by task, vehicle, time and heading, 65535 for what cannot be done, and constraints\n\
                        on the times and headings of two tasks. docs/assign.md describes it; --example prints one.\n\n\
                        Examples:\n  muster assign --example > mission.json\n  muster assign mission.json\n  \
                        muster assign mission.json --limit 0.5 --json\n  generate-bids | muster assign -\n\n\
                        Exit code: 0 the optimum is proved, 1 there is no assignment, or none is proved to be the optimum\n\
                        within the limit, 2 it could not be run."
)]
pub struct AssignArguments {
    /// Bids in JSON; `-` reads them from standard input.
    #[arg(required_unless_present = "example")]
    pub file: Option<PathBuf>,
    /// Stop after so many seconds, with the best assignment so far and a bound below which there is none.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub limit: Option<f64>,
    /// Print a file to start from: three passes over one target.
    #[arg(long, conflicts_with_all = ["file", "limit"])]
    pub example: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=1e9).contains(value));
    value.ok_or_else(|| "a number of seconds from 0 to 1e9, such as 0.5".to_owned())
}

/// Something to watch.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  muster console                            pick a scenario in the browser\n  \
                        muster console minefield --start\n  muster console reception --log reception.log\n  \
                        muster console my.toml --set radio.loss=0.25 --seed 7\n  \
                        muster console minefield --interventions faults.toml\n  \
                        muster console patrol --port 0 --no-open   any free port; the address is printed\n  \
                        muster console hotspot --address 0.0.0.0   for the whole network; the address has a token\n\n\
                        Ctrl-C ends it. What is shown is the same run as that of `muster run`, at whatever speed.\n\
                        Exit code: 0 it was ended, 2 it could not be opened.")]
pub struct ConsoleArguments {
    /// A built-in scenario, or a file; the page offers what there is without it.
    pub scenario: Option<String>,
    /// Seed of the run.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Change a value of the scenario, such as radio.loss=0.1; can be given again and again.
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "scenario")]
    pub set: Vec<String>,
    /// What robots know before the run, as `muster train --save` wrote it.
    #[arg(long, value_name = "FILE.toml", requires = "scenario")]
    pub knowledge: Option<PathBuf>,
    /// What is done to the run while it goes on, as for `muster run`.
    #[arg(long, value_name = "FILE.toml", requires = "scenario")]
    pub interventions: Option<PathBuf>,
    /// Write the log, as `muster run --log` would; anew at each Init.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Begin at once, without waiting for Start.
    #[arg(long, requires = "scenario")]
    pub start: bool,
    /// Where it is served.
    #[command(flatten)]
    pub serving: Serving,
}

/// Where a page is served.
#[derive(Debug, Args)]
pub struct Serving {
    /// Port of the page; 0: any that is free.
    #[arg(long, default_value_t = 7470)]
    pub port: u16,
    /// Address to listen at. Any but this machine's own takes a token, which is part of the address that is printed.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: IpAddr,
    /// The token; one is made up without it, if the address wants one.
    #[arg(long, value_parser = token)]
    pub token: Option<String>,
    /// Open no browser.
    #[arg(long)]
    pub no_open: bool,
}

fn token(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
    if text.len() >= 16 && plain {
        return Ok(text.to_owned());
    }
    Err("at least 16 letters and digits, since it is all that keeps others out".to_owned())
}

/// A recording to read.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  muster run minefield --record run.mcap\n  muster replay run.mcap            look at it in a browser\n  \
                        muster replay run.mcap --about    say what it holds\n  muster replay run.mcap --verify\n  \
                        muster replay run.mcap --interventions > again.toml\n\n\
                        Exit code: 0 it is the run that it says, 1 it is not or is damaged, 2 it could not be read."
)]
pub struct ReplayArguments {
    /// The recording.
    pub recording: PathBuf,
    /// Feed the recorded inputs to the machines again, make the run again, and compare, byte for byte; of a reception,
    /// make it again and compare. Opens no page.
    #[arg(long)]
    pub verify: bool,
    /// Say what it holds, and open no page. So does --json.
    #[arg(long)]
    pub about: bool,
    /// Print what was done to the run while it went on, as the file that `muster run --interventions` takes.
    #[arg(long, conflicts_with_all = ["verify", "about"])]
    pub interventions: bool,
    /// Where the page is served.
    #[command(flatten)]
    pub serving: Serving,
}

/// A recording to explain.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  muster explain run.mcap\n  muster explain run.mcap --robot idle-3\n  \
                        muster explain run.mcap --task 'uav stop 2' --at 200..300\n  \
                        muster explain reception.mcap --robot Butler --at 30..60")]
pub struct ExplainArguments {
    /// The recording.
    pub recording: PathBuf,
    /// What of it.
    #[command(flatten)]
    pub narrow: Narrow,
}

/// What is to be explained; everything without it.
#[derive(Debug, Default, Args)]
pub struct Narrow {
    /// Only what this robot did, and awards that it was chosen, passed over or silent in; its silences one by one. Of a
    /// reception, what it felt and did, and what others told it.
    #[arg(long, value_name = "NAME")]
    pub robot: Option<String>,
    /// Only what concerns this task, or, given the name of an order, all of its phases; a reception has none.
    #[arg(long, value_name = "NAME")]
    pub task: Option<String>,
    /// Only around this second, or within FROM..TO.
    #[arg(long, value_name = "SECONDS")]
    pub at: Option<String>,
}

/// A strategy by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyArgument {
    /// Robots answer by SHAME.
    Affective,
    /// Every available robot answers; the first to arrive is taken.
    Greedy,
    /// Every available robot answers; any is taken.
    Random,
}

/// A configuration by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigArgument {
    /// Never two robots at one task at once.
    Safe,
    /// The system of Gage & Murphy 2004.
    #[value(name = "gage_2004")]
    Gage2004,
}
