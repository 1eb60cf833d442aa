//! Commands of the project. `cargo xtask help` lists them.

use std::process::ExitCode;

mod bench;
mod browser;
mod build;
mod check;
mod checker;
mod compress;
mod coverage;
mod early;
mod evidence;
mod finish;
mod first;
mod fuzz;
mod help;
mod lesson;
mod nginx;
mod node;
mod options;
mod pages;
mod picture;
mod raster;
mod run;
mod serve;
mod server;
mod size;
mod step;
mod test;
mod tools;
mod traces;
mod wasm;
mod watch;
mod workspace;

/// Why a command did not succeed; decides the exit code and whether the usage is pointed to.
#[derive(Debug)]
pub enum Failure {
    /// The command line was wrong: exit code 2.
    Usage(String),
    /// What was given to read is wrong: exit code 2; the message says where and what was expected.
    Input(String),
    /// The work went wrong: exit code 1.
    Work(String),
    /// The command has already printed everything there is to say: exit code 1.
    Reported,
}

impl Failure {
    /// A failure of the work, with the reason.
    pub fn work(reason: impl Into<String>) -> Self {
        Failure::Work(reason.into())
    }
}

/// What every command returns.
pub type Outcome<T = ()> = Result<T, Failure>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let rest: Vec<String> = arguments.collect();
    match dispatch(command.as_deref(), &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(reason)) => {
            eprintln!(
                "xtask: {reason}\nxtask: `cargo xtask help` lists the commands and their options"
            );
            ExitCode::from(2)
        }
        Err(Failure::Input(reason)) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
        Err(Failure::Work(reason)) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
        Err(Failure::Reported) => ExitCode::FAILURE,
    }
}

fn dispatch(command: Option<&str>, arguments: &[String]) -> Outcome {
    let mut options = options::Options::new("help", arguments);
    let asks = ["--help", "-h"]
        .map(|name| options.switch(name))
        .contains(&true);
    match command {
        Some(name) if asks && help::NAMES.contains(&name) => help::of(name),
        Some("serve") => serve::command(arguments),
        Some("build") => build::command(arguments),
        Some("test") => test::command(arguments),
        Some("size") => size::command(arguments),
        Some("bench") => bench::command(arguments),
        Some("check") => check::command(arguments),
        Some("run") => run::command(arguments),
        Some("fuzz") => fuzz::command(arguments),
        Some("evidence") => evidence::command(arguments),
        Some("picture") => picture::command(arguments),
        Some("lesson") => lesson::command(arguments),
        Some("help" | "--help" | "-h") => help::command(arguments),
        Some(other) => Err(Failure::Usage(format!(
            "there is no command `{other}`; expected one of {}",
            help::NAMES.join(", ")
        ))),
        None => Err(Failure::Usage(format!(
            "a command is missing; expected one of {}",
            help::NAMES.join(", ")
        ))),
    }
}
