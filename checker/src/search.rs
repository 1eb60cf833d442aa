//! One question, and how far its search is.

use std::fmt::Write as _;

use highwater::share::{self, Content, View};
use highwater_core::check::{
    Answer, Bounds, Budget, Checker, Fault, NoBudget, Property, PropertySet, Question,
};
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::{names, print};

/// A question that was asked.
pub struct Search {
    checker: Checker,
    property: Property,
}

/// What is asked when a line of the question is left out.
const RECORDS: u8 = 2;

/// As [`RECORDS`].
const EPOCHS: u8 = 3;

impl Search {
    /// Reads a question: a line each, `name=value`. `faults` (`power=1,crash=unbounded`), `records`, `epochs` and `property`
    /// are the question's own, every other name is a setting by Kafka's name. `faults` may be empty.
    ///
    /// # Errors
    /// Which line cannot be read, what was found and what was expected; or why the question cannot be asked.
    pub fn ask(text: &str) -> Result<Search, String> {
        let mut settings = Vec::new();
        let mut faults = Budget::NONE;
        let mut bounds = Bounds {
            records: RECORDS,
            epochs: EPOCHS,
        };
        let mut property = Property::AckedDurable;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let (name, value) = line
                .split_once('=')
                .ok_or_else(|| format!("{line}: expected a name, an equals sign and a value"))?;
            match name {
                "faults" => faults = budget(value)?,
                "records" => bounds.records = small(name, value)?,
                "epochs" => bounds.epochs = small(name, value)?,
                "property" => {
                    property = Property::from_name(value)
                        .ok_or_else(|| format!("{line}: expected the name of a property"))?;
                }
                _ => settings.push((name, value)),
            }
        }
        let mut set = Settings::default();
        names::set_all(&mut set, &settings).map_err(|errors| {
            let told = errors.iter().map(|(place, error)| {
                let (name, value) = settings.get(*place).copied().unwrap_or_default();
                format!("{name}={value}: {error}")
            });
            told.collect::<Vec<_>>().join("; ")
        })?;
        let properties: PropertySet = [property].into_iter().collect();
        let checker = Checker::new(Question {
            faults,
            bounds,
            properties,
            ..Question::of(set)
        });
        let checker = checker.map_err(|why| why.to_string())?;
        Ok(Search { checker, property })
    }

    /// Goes on by at most so many states; whether the search is over.
    pub fn advance(&mut self, states: u64) -> bool {
        self.checker.advance(states).done
    }

    /// The search itself.
    pub fn checker(&self) -> &Checker {
        &self.checker
    }

    /// How far it is, and the answer as far as it is known: a line each, `name=value`. `answer` is `violated`, `holds` or
    /// `unknown`; `length` is that of a shortest way, `none_up_to` the length that no way is shorter than or as short as, and
    /// `bounds` names what kept events from happening.
    pub fn report(&self) -> String {
        let progress = self.checker.progress();
        let mut out = String::new();
        for (name, value) in [
            ("states", progress.states),
            ("expanded", progress.expanded),
            ("depth", u64::from(progress.depth)),
            ("queue", progress.queue),
            ("bytes", progress.bytes),
            ("done", u64::from(progress.done)),
        ] {
            let _ = writeln!(out, "{name}={value}");
        }
        let _ = match self.checker.answer(self.property) {
            Answer::Violated { length } => writeln!(out, "answer=violated\nlength={length}"),
            Answer::Unknown { none_up_to } => {
                writeln!(out, "answer=unknown\nnone_up_to={none_up_to}")
            }
            Answer::Holds { diameter, hit } => {
                let hit = [
                    (hit.records, "records"),
                    (hit.epochs, "epochs"),
                    (hit.history, "history"),
                ];
                let hit: Vec<&str> = hit
                    .iter()
                    .filter(|(hit, _)| *hit)
                    .map(|(_, name)| *name)
                    .collect();
                writeln!(
                    out,
                    "answer=holds\ndiameter={diameter}\nbounds={}",
                    hit.join(",")
                )
            }
        };
        out
    }

    /// The shortest way to the violation: the first line is the query that opens it in the lab, the rest is its script.
    ///
    /// # Errors
    /// There is none; or the lab, which replays it, is not in the search's state after some event, which would be a fault.
    pub fn way(&self) -> Result<String, String> {
        let found = self
            .checker
            .found()
            .iter()
            .find(|found| found.property == self.property);
        let found = found.ok_or("there is no way that breaks it")?;
        let counterexample = self.checker.counterexample(found);
        let scenario = counterexample
            .scenario(self.checker.question())
            .map_err(|why| format!("the lab differs after {} events: {}", why.events, why.what))?;
        let script = print(&scenario);
        let view = View {
            content: Content::Script(script.clone()),
            ..View::default()
        };
        Ok(format!("{}\n{script}", share::write(&view)))
    }
}

fn small(name: &str, value: &str) -> Result<u8, String> {
    value
        .parse()
        .map_err(|_| format!("{name}={value}: expected a whole number up to 255"))
}

fn budget(list: &str) -> Result<Budget, String> {
    Budget::read(list).map_err(|why| match why {
        NoBudget::Kind(name) => {
            let known: Vec<&str> = Fault::ALL.into_iter().map(Fault::name).collect();
            format!("faults: {name} is not known; expected {}", known.join(", "))
        }
        NoBudget::Times(name, found) => format!(
            "faults: {name}={found}: expected a number from 0 to {} or unbounded",
            Budget::MOST
        ),
    })
}
