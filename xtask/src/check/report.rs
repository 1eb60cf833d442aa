//! What `cargo xtask check` prints: for people, or as JSON.

use highwater_core::check::{Answer, Budget, Checker, Fault, Progress, Property};
use serde_json::{Value, json};

use super::{Request, Way};

/// Figures of speed are those of the profile that xtask is built with.
const PROFILE: &str = match cfg!(debug_assertions) {
    true => " (test profile; `cargo xtask bench` has the figure of a release)",
    false => "",
};

/// A search that ended, and what is told of it.
pub(super) struct Report<'a> {
    pub request: &'a Request,
    pub checker: &'a Checker,
    pub progress: Progress,
    pub seconds: f64,
    pub ways: Vec<Way>,
}

impl Report<'_> {
    /// The report for people.
    pub fn text(&self) -> String {
        let question = &self.request.question;
        let mut out = format!(
            "{} replicas, {} records, {} leader epochs, faults: {}\n\n",
            question.settings.replicas.len(),
            question.bounds.records,
            question.bounds.epochs,
            told_faults(question.faults)
        );
        for property in question.properties.iter() {
            out.push_str(&format!(
                "{:<20}{}\n",
                property.name(),
                self.verdict(property)
            ));
        }
        for way in &self.ways {
            let found = &way.counterexample;
            out.push_str(&format!(
                "\n{}: {} Violated by {} events; it takes {} faults at least.\n",
                found.property.name(),
                found.property.meaning(),
                found.events.len(),
                way.fewest
            ));
            for (place, event) in found.events.iter().enumerate() {
                out.push_str(&format!("{:>4}. {event}\n", place + 1));
            }
            match &way.scenario {
                Ok(text) if self.request.scenario => out.push_str(&format!("\n{text}")),
                Ok(_) => {
                    out.push_str("      The lab replays it to the same state after every event.\n")
                }
                Err(why) => {
                    out.push_str(&format!("      No scenario replays it in the lab: {why}\n"))
                }
            }
        }
        let progress = self.progress;
        out.push_str(&format!(
            "\n{} distinct states, {} generated, depth {}, widest level {}\n",
            progress.states, progress.generated, progress.depth, progress.widest
        ));
        out.push_str(&format!(
            "{:.2} s, {:.0} states per second{}, {:.0} bytes per state\n",
            self.seconds,
            self.per_second(),
            PROFILE,
            self.bytes_per_state()
        ));
        out
    }

    fn verdict(&self, property: Property) -> String {
        match self.checker.answer(property) {
            Answer::Violated { length } => format!("violated, shortest way {length} events"),
            Answer::Holds { diameter, hit } => {
                let mut bounds = Vec::new();
                if hit.records {
                    bounds.push("records");
                }
                if hit.epochs {
                    bounds.push("epochs");
                }
                let bounds = match bounds.is_empty() {
                    true => "no bound was hit".to_owned(),
                    false => format!("bounded by {}", bounds.join(" and ")),
                };
                format!("holds: every state was looked at, diameter {diameter}, {bounds}")
            }
            Answer::Unknown { none_up_to } => {
                format!("unknown: the search was ended; no way of up to {none_up_to} events")
            }
        }
    }

    fn per_second(&self) -> f64 {
        self.progress.states as f64 / self.seconds.max(1e-6)
    }

    fn bytes_per_state(&self) -> f64 {
        self.progress.peak_bytes as f64 / (self.progress.states.max(1)) as f64
    }

    /// The report as JSON.
    pub fn json(&self) -> Value {
        let question = &self.request.question;
        let faults: serde_json::Map<String, Value> = Fault::ALL
            .into_iter()
            .filter(|fault| question.faults.budget(*fault) != Some(0))
            .map(|fault| {
                let budget = match question.faults.budget(fault) {
                    Some(times) => json!(times),
                    None => json!("unbounded"),
                };
                (fault.name().to_owned(), budget)
            })
            .collect();
        let properties: Vec<Value> = question
            .properties
            .iter()
            .map(|property| self.json_of(property))
            .collect();
        let set: serde_json::Map<String, Value> = self
            .request
            .changed
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        let progress = self.progress;
        json!({
            "set": set,
            "faults": faults,
            "records": question.bounds.records,
            "epochs": question.bounds.epochs,
            "symmetry": question.symmetry,
            "properties": properties,
            "exhausted": progress.done && self.checker.exhausted(),
            "states": progress.states,
            "generated": progress.generated,
            "depth": progress.depth,
            "widest_level": progress.widest,
            "seconds": self.seconds,
            "states_per_second": self.per_second(),
            "bytes_per_state": self.bytes_per_state(),
        })
    }

    fn json_of(&self, property: Property) -> Value {
        let name = property.name();
        let mut said = match self.checker.answer(property) {
            Answer::Violated { length } => {
                json!({"name": name, "verdict": "violated", "length": length})
            }
            Answer::Holds { diameter, hit } => json!({
                "name": name, "verdict": "holds", "diameter": diameter,
                "bounds_hit": {"records": hit.records, "epochs": hit.epochs},
            }),
            Answer::Unknown { none_up_to } => {
                json!({"name": name, "verdict": "unknown", "none_up_to": none_up_to})
            }
        };
        let way = self
            .ways
            .iter()
            .find(|way| way.counterexample.property == property);
        if let (Some(way), Some(object)) = (way, said.as_object_mut()) {
            let events: Vec<String> = way
                .counterexample
                .events
                .iter()
                .map(ToString::to_string)
                .collect();
            object.insert("fewest_faults".to_owned(), json!(way.fewest));
            object.insert("events".to_owned(), json!(events));
            match &way.scenario {
                Ok(text) => object.insert("scenario".to_owned(), json!(text)),
                Err(why) => object.insert("no_scenario".to_owned(), json!(why)),
            };
        }
        said
    }
}

fn told_faults(faults: Budget) -> String {
    let told: Vec<String> = Fault::ALL
        .into_iter()
        .filter_map(|fault| match faults.budget(fault) {
            Some(0) => None,
            Some(times) => Some(format!("{} {times}", fault.name())),
            None => Some(format!("{} unbounded", fault.name())),
        })
        .collect();
    match told.is_empty() {
        true => "none".to_owned(),
        false => told.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_told_with_its_way() {
        let line = "--set acks=1 --set min.isr=1 --set elr=off --faults crash=1 --records 1";
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let request = Request::read(&arguments).expect("a request");
        let mut checker = Checker::new(request.question.clone()).expect("a checker");
        let progress = checker.run();
        let report = Report {
            ways: request.ways(&checker),
            request: &request,
            checker: &checker,
            progress,
            seconds: 0.1,
        };
        let text = report.text();
        assert!(
            text.contains("AckedDurable        violated, shortest way 3 events"),
            "{text}"
        );
        assert!(text.contains("   1. record 1 is produced to 1"), "{text}");
        assert!(text.contains("it takes 1 faults at least"), "{text}");
        assert!(text.contains("The lab replays it"), "{text}");
        assert!(text.contains("VisibleSurvives     holds"), "{text}");
        let json = report.json();
        assert_eq!(json["properties"][0]["length"], 3);
        assert_eq!(json["properties"][0]["fewest_faults"], 1);
        assert_eq!(json["exhausted"], true);
    }
}
