//! `cargo xtask check`: can these settings lose a record? Searches every interleaving of a budget of faults.

mod report;

use std::time::Instant;

use highwater_core::check::{
    Bounds, Budget, Checker, Counterexample, Fault, Found, NoBudget, Property, PropertySet,
    Question,
};
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::{names, print};

use crate::options::Options;
use crate::{Failure, Outcome};
use report::Report;

/// How many states are expanded between two looks at the clock and at the limit.
const SLICE: u64 = 20_000;

/// What the command line asks for.
struct Request {
    question: Question,
    /// Settings as they were given.
    changed: Vec<(String, String)>,
    /// Ways to these are printed.
    traced: PropertySet,
    /// The search ends after so many states, whatever is known then.
    most_states: Option<u64>,
    scenario: bool,
    json: bool,
}

/// Reads the command line, searches, prints.
pub fn command(arguments: &[String]) -> Outcome {
    let request = Request::read(arguments)?;
    let mut checker = Checker::new(request.question.clone())
        .map_err(|why| Failure::Usage(format!("this cannot be asked: {why}")))?;
    let begun = Instant::now();
    let mut progress = checker.progress();
    while !progress.done
        && request
            .most_states
            .is_none_or(|most| progress.states < most)
    {
        progress = checker.advance(SLICE);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let report = Report {
        ways: request.ways(&checker),
        request: &request,
        checker: &checker,
        progress,
        seconds,
    };
    if request.json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.text());
    }
    Ok(())
}

impl Request {
    fn read(arguments: &[String]) -> Outcome<Self> {
        let mut options = Options::new("check", arguments);
        let json = options.switch("--json");
        let scenario = options.switch("--scenario");
        let symmetry = options.switch("--symmetry");
        let mut changed = Vec::new();
        for setting in options.values("--set", "NAME=VALUE")? {
            changed.push(pair(&setting, "--set")?);
        }
        let mut settings = Settings::default();
        let pairs: Vec<(&str, &str)> = changed
            .iter()
            .map(|(name, value): &(String, String)| (name.as_str(), value.as_str()))
            .collect();
        names::set_all(&mut settings, &pairs).map_err(|errors| {
            let said: Vec<String> = errors
                .iter()
                .map(|(place, error)| {
                    let (name, value) = pairs.get(*place).copied().unwrap_or_default();
                    format!("--set {name}={value}: {error}")
                })
                .collect();
            Failure::Usage(said.join("\n"))
        })?;
        let faults = match options.value("--faults", "KIND=TIMES,…")? {
            Some(list) => faults(&list)?,
            None => Budget::NONE.with(Fault::PowerLoss, 1).with(Fault::Fence, 1),
        };
        let bounds = Bounds {
            records: number(&mut options, "--records", 1..=Bounds::MOST_RECORDS.into())?
                .map_or(2, |number| number as u8),
            epochs: number(&mut options, "--epochs", 1..=Bounds::MOST_EPOCHS.into())?
                .map_or(3, |number| number as u8),
        };
        let most_states = number(&mut options, "--states", 1..=u64::from(u32::MAX - 1))?;
        let mut asked = PropertySet::EMPTY;
        for name in options.values("--property", "the name of a property")? {
            asked.insert(property(&name)?);
        }
        options.finish(
            "--set NAME=VALUE, --faults KIND=TIMES,…, --records N, --epochs N, --property NAME, --states N, --symmetry, \
             --scenario and --json",
        )?;
        let traced = match asked.is_empty() {
            true => [Property::AckedDurable].into_iter().collect(),
            false => asked,
        };
        Ok(Request {
            question: Question {
                settings,
                faults,
                bounds,
                properties: match asked.is_empty() {
                    true => PropertySet::all(),
                    false => asked,
                },
                symmetry,
                most_faults: None,
            },
            changed,
            traced,
            most_states,
            scenario,
            json,
        })
    }

    /// The ways to what was found and is to be told.
    fn ways(&self, checker: &Checker) -> Vec<Way> {
        checker
            .found()
            .iter()
            .filter(|found| self.traced.contains(found.property))
            .map(|found| self.way(checker, found))
            .collect()
    }

    fn way(&self, checker: &Checker, found: &Found) -> Way {
        let counterexample = checker.counterexample(found);
        let scenario = counterexample
            .scenario(&self.question)
            .map(|scenario| print(&scenario))
            .map_err(|why| format!("after {} events: {}", why.events, why.what));
        Way {
            fewest: self.fewest_faults(&counterexample),
            scenario,
            counterexample,
        }
    }

    /// How many faults the property needs at least: fewer and fewer are tried.
    fn fewest_faults(&self, counterexample: &Counterexample) -> u8 {
        let used = counterexample.faults();
        let enough = |most: u8| {
            let question = Question {
                properties: [counterexample.property].into_iter().collect(),
                most_faults: Some(most),
                ..self.question.clone()
            };
            Checker::new(question).is_ok_and(|mut checker| {
                checker.run();
                !checker.found().is_empty()
            })
        };
        (0..used).find(|most| enough(*most)).unwrap_or(used)
    }
}

/// A way to a violation, and what is told of it.
struct Way {
    counterexample: Counterexample,
    fewest: u8,
    /// The text of the scenario that replays it in the lab, or why none does.
    scenario: Result<String, String>,
}

fn pair(text: &str, option: &str) -> Outcome<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::Usage(format!(
            "`{option}` needs NAME=VALUE; found `{text}`"
        ))),
    }
}

fn faults(list: &str) -> Outcome<Budget> {
    Budget::read(list).map_err(|why| {
        Failure::Usage(match why {
            NoBudget::Kind(name) => {
                let known: Vec<&str> = Fault::ALL.into_iter().map(Fault::name).collect();
                format!(
                    "`--faults` does not know `{name}`; expected {}",
                    known.join(", ")
                )
            }
            NoBudget::Times(name, found) => format!(
                "`--faults {name}` needs 0 to {} or `unbounded`; found `{found}`",
                Budget::MOST
            ),
        })
    })
}

fn property(name: &str) -> Outcome<Property> {
    Property::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Property::ALL.into_iter().map(Property::name).collect();
        Failure::Usage(format!(
            "`--property` does not know `{name}`; expected one of {}",
            known.join(", ")
        ))
    })
}

fn number(
    options: &mut Options,
    name: &str,
    range: std::ops::RangeInclusive<u64>,
) -> Outcome<Option<u64>> {
    let expected = format!("a number from {} to {}", range.start(), range.end());
    let Some(text) = options.value(name, &expected)? else {
        return Ok(None);
    };
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(Failure::Usage(format!(
            "`{name}` needs {expected}; found `{text}`"
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
        let request = request(
            "--set min.isr=1 --faults crash=unbounded,power=2,fence --records 3 --property ackeddurable --json",
        )
        .expect("a request");
        let question = &request.question;
        assert_eq!(question.settings.min_insync_replicas, 1);
        assert_eq!(question.faults.budget(Fault::Crash), None);
        assert_eq!(question.faults.budget(Fault::PowerLoss), Some(2));
        assert_eq!(question.faults.budget(Fault::Fence), Some(1));
        assert_eq!(question.faults.budget(Fault::Move), Some(0));
        assert_eq!((question.bounds.records, question.bounds.epochs), (3, 3));
        assert!(question.properties.iter().eq([Property::AckedDurable]));
        assert!(request.json);
    }

    #[test]
    fn mistakes_are_usage_failures_that_say_what_was_expected() {
        for (wrong, said) in [
            ("--faults fire=1", "expected crash"),
            ("--faults crash=many", "0 to 14 or `unbounded`"),
            ("--records 0", "a number from 1 to 8"),
            ("--epochs x", "a number from 1 to 15"),
            ("--property Safety", "expected one of AckedDurable"),
            ("--set acks=2", "acks=2"),
            ("--set acks", "NAME=VALUE"),
            ("--fast", "--fast"),
        ] {
            match request(wrong) {
                Err(Failure::Usage(reason)) => assert!(reason.contains(said), "{wrong}: {reason}"),
                other => panic!("{wrong}: {:?}", other.map(|_| ())),
            }
        }
    }
}
