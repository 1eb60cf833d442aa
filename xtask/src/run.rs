//! `cargo xtask run FILE`: runs a scenario or a recording without a browser and prints what happened.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use highwater::text::Text;
use highwater::text::in_force::not_in_force;
use highwater::text::transcript::{Detail, transcript, verdict_text};
use highwater_core::kafka::ids::Millis;
use highwater_core::kafka::settings::Settings;
use highwater_core::operator::{self, Section, Topic};
use highwater_core::scenario::check::{Fault, Place, check};
use highwater_core::scenario::file::{self, File};
use highwater_core::scenario::trace::Trace;
use highwater_core::scenario::{Scenario, names, print_step, time};
use highwater_core::sim::{self, json as run_json, replay};
use serde_json::{Value, json};

use crate::options::Options;
use crate::{Failure, Outcome};

mod comparison;

/// What the command line asks for.
struct Request {
    file: PathBuf,
    /// Settings that differ from the scenario, in the order given.
    settings: Vec<(String, String)>,
    json: bool,
    detail: Detail,
    /// What an operator would see is asked for.
    operator: bool,
    /// At which instant; none = at the end.
    at: Option<Millis>,
}

/// Reads the command line and runs the scenario.
pub fn command(arguments: &[String]) -> Outcome {
    let request = Request::read(arguments)?;
    let bytes = bytes_of(&request.file)?;
    let found = file::read(&bytes).map_err(|errors| {
        let name = request.file.display();
        Failure::Input(lines(errors.iter().map(|error| format!("{name}: {error}"))))
    })?;
    print(&match found {
        File::Scenario(mut scenario) => {
            request.change(&mut scenario.settings)?;
            request.fits(&scenario)?;
            request.scenario(&scenario)
        }
        File::Trace(mut trace) => {
            request.change(&mut trace.settings)?;
            request.fits(&trace.scenario())?;
            request.trace(&trace)
        }
    })
}

impl Request {
    fn read(arguments: &[String]) -> Outcome<Self> {
        let mut options = Options::new("run", arguments);
        let json = options.switch("--json");
        let all = options.switch("--all");
        let operator = options.switch("--operator");
        let at = options.value("--at", "a time such as 528ms or 10.2s")?;
        let at = at.map(|text| time_of(&text)).transpose()?;
        let settings = options
            .values("--set", "NAME=VALUE")?
            .iter()
            .map(|setting| setting_of(setting))
            .collect::<Outcome<_>>()?;
        let file = options.positional().ok_or_else(|| {
            Failure::Usage("`run` needs a scenario file; write `cargo xtask run FILE`".to_owned())
        })?;
        options.finish("FILE, --set NAME=VALUE, --all, --json, --operator and --at TIME")?;
        if at.is_some() && !operator {
            let why = "`--at` says when an operator looks; write it with `--operator`";
            return Err(Failure::Usage(why.to_owned()));
        }
        Ok(Request {
            file: PathBuf::from(file),
            settings,
            json,
            detail: if all {
                Detail::Everything
            } else {
                Detail::Plain
            },
            operator,
            at,
        })
    }

    /// Changes the settings that `--set` names.
    fn change(&self, settings: &mut Settings) -> Outcome {
        let pairs: Vec<(&str, &str)> = self
            .settings
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        names::set_all(settings, &pairs).map_err(|errors| {
            let said = errors.iter().map(|(place, error)| {
                let (name, value) = pairs.get(*place).copied().unwrap_or_default();
                format!("--set {name}={value}: {error}")
            });
            Failure::Input(lines(said))
        })
    }

    /// The steps must make sense under the changed settings as well.
    fn fits(&self, scenario: &Scenario) -> Outcome {
        let faults = check(scenario);
        if faults.is_empty() {
            return Ok(());
        }
        let name = self.file.display();
        let said = faults
            .iter()
            .map(|fault| format!("{name} with --set: {}", fault_in(scenario, fault)));
        Err(Failure::Input(lines(said)))
    }

    fn scenario(&self, scenario: &Scenario) -> String {
        let run = sim::run(scenario);
        if self.operator {
            return self.seen(&run);
        }
        if self.json {
            return run_json::to_json(&run) + "\n";
        }
        self.told(&run)
    }

    fn trace(&self, trace: &Trace) -> String {
        let (isr_tick_phase, comparisons) = replay::replay_best(trace);
        let mut scenario = trace.scenario();
        scenario.settings.isr_tick_phase = isr_tick_phase;
        let run = sim::run(&scenario);
        if self.operator {
            return self.seen(&run);
        }
        if self.json {
            return run_json::recording_to_json(&run, trace, &comparisons) + "\n";
        }
        format!(
            "{}\n{}",
            self.told(&run),
            comparison::text(trace, &comparisons)
        )
    }

    /// The transcript, then the verdict.
    fn told(&self, run: &sim::Run) -> String {
        let text = Text::english();
        let title = &run.scenario.title;
        let mut out = String::new();
        if !title.is_empty() {
            out.push_str(&format!("{title}\n\n"));
        }
        out.push_str(&transcript(&text, run, self.detail));
        out.push('\n');
        out.push_str(&verdict_text(&text, &sim::verdict(run)));
        for sentence in not_in_force(&text, &run.scenario.settings) {
            out.push_str(&format!("{sentence}\n"));
        }
        if run.cut_off {
            let at = run.end;
            out.push_str(&format!(
                "The run was cut off at {at} ms with something still due.\n"
            ));
        }
        out
    }

    /// What an operator would see when everything up to that instant has happened.
    fn seen(&self, run: &sim::Run) -> String {
        let topic = Topic::default();
        let instant = self.at.map_or(run.end(), |at| sim::Instant {
            at,
            position: u32::MAX,
        });
        let sections = operator::sections(&operator::view(run, instant, &topic), &topic);
        if self.json {
            let whose = |section: &Section| section.origin.map(|origin| origin.to_string());
            let told: Vec<Value> = sections
                .iter()
                .map(|section| json!({ "origin": whose(section), "name": section.name, "text": section.text }))
                .collect();
            let seen =
                json!({ "form": "highwater-operator/1", "at": instant.at.0, "sections": told });
            return format!("{seen}\n");
        }
        let told = sections.iter().map(|section| {
            let whose = section.origin.map(|origin| format!("{origin}: "));
            let heading = format!("# {}{}\n", whose.unwrap_or_default(), section.name);
            heading + &section.text
        });
        told.collect::<Vec<_>>().join("\n")
    }
}

/// Where in a scenario and what, without a line: the fault is of the settings of the command line.
fn fault_in(scenario: &Scenario, fault: &Fault) -> String {
    let place = match fault.place {
        Place::Title => "title".to_owned(),
        Place::Start(argument) => format!("start, {argument}"),
        Place::Replica(index, argument) => format!("broker line {}, {argument}", index + 1),
        Place::Step(index, _) => match scenario.steps.get(index) {
            Some(step) => format!("step {} (`{}`)", index + 1, print_step(step)),
            None => format!("step {}", index + 1),
        },
    };
    format!(
        "{place}: found `{}`, expected {}",
        fault.found, fault.expected
    )
}

fn time_of(text: &str) -> Outcome<Millis> {
    time::read(text).ok_or_else(|| {
        Failure::Usage(format!(
            "`--at` needs a time such as 528ms or 10.2s; found `{text}`"
        ))
    })
}

fn setting_of(text: &str) -> Outcome<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::Usage(format!(
            "`--set` needs NAME=VALUE; found `{text}`"
        ))),
    }
}

/// The file, but never more of it than is looked at.
fn bytes_of(path: &Path) -> Outcome<Vec<u8>> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::Input(format!("{}: cannot be read: {why}", path.display()))
    };
    let file = std::fs::File::open(path).map_err(|error| cannot(&error))?;
    let metadata = file.metadata().map_err(|error| cannot(&error))?;
    if metadata.is_dir() {
        return Err(cannot(&"it is a directory, expected a file"));
    }
    let most = file::MAX_BYTES;
    if metadata.len() > most as u64 {
        let (name, found) = (path.display(), metadata.len());
        return Err(Failure::Input(format!(
            "{name}: line 1, column 1: found {found} bytes, expected a file of at most {most} bytes"
        )));
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| cannot(&error))?;
    Ok(bytes)
}

/// Prints; a reader that has seen enough (`| head`) is no failure.
fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::work(format!("cannot print: {error}")))
        }
        _ => Ok(()),
    }
}

fn lines(said: impl Iterator<Item = String>) -> String {
    said.collect::<Vec<_>>().join("\n")
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
        assert_eq!(request.detail, Detail::Plain);
    }

    #[test]
    fn mistakes_are_usage_failures() {
        for wrong in [
            "",
            "a --set acks",
            "a --set =1",
            "a --fast",
            "a b",
            "a --at 5ms",
            "a --operator --at soon",
        ] {
            assert!(matches!(request(wrong), Err(Failure::Usage(_))), "{wrong}");
        }
    }
}
