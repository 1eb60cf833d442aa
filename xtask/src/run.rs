//! `cargo xtask run FILE`: runs a scenario without a browser and prints what happened.

use std::path::PathBuf;

use crate::options::Options;
use crate::workspace::read;
use crate::{Failure, Outcome};

/// What the command line asks for.
struct Request {
    file: PathBuf,
    /// Settings that differ from the scenario, in the order given.
    settings: Vec<(String, String)>,
    json: bool,
}

/// Reads the command line and runs the scenario.
pub fn command(arguments: &[String]) -> Outcome {
    let request = Request::read(arguments)?;
    let text = read(&request.file)?;
    run(&request, &text)
}

/// The model is not here yet; whoever brings it fills in this function.
fn run(request: &Request, text: &str) -> Outcome {
    Err(Failure::work(format!(
        "the model cannot run scenarios yet ({}: {} lines, {} settings, json {})",
        request.file.display(),
        text.lines().count(),
        request.settings.len(),
        request.json
    )))
}

impl Request {
    fn read(arguments: &[String]) -> Outcome<Self> {
        let mut options = Options::new("run", arguments);
        let json = options.switch("--json");
        let settings = options
            .values("--set", "NAME=VALUE")?
            .iter()
            .map(|setting| setting_of(setting))
            .collect::<Outcome<_>>()?;
        let file = options.positional().ok_or_else(|| {
            Failure::Usage("`run` needs a scenario file; write `cargo xtask run FILE`".to_owned())
        })?;
        options.finish("FILE, --set NAME=VALUE and --json")?;
        Ok(Request {
            file: PathBuf::from(file),
            settings,
            json,
        })
    }
}

fn setting_of(text: &str) -> Outcome<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::Usage(format!(
            "`--set` needs NAME=VALUE; found `{text}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Outcome<Request> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Request::read(&arguments)
    }

    #[test]
    fn the_command_line_is_read() {
        let request = request("a.scenario --set acks=all --json --set min.insync.replicas=2")
            .expect("a request");
        assert_eq!(request.file, PathBuf::from("a.scenario"));
        assert_eq!(
            request.settings[1],
            ("min.insync.replicas".to_owned(), "2".to_owned())
        );
        assert!(request.json);
    }

    #[test]
    fn mistakes_are_usage_failures() {
        for wrong in ["", "a --set acks", "a --set =1", "a --fast", "a b"] {
            assert!(matches!(request(wrong), Err(Failure::Usage(_))), "{wrong}");
        }
    }
}
