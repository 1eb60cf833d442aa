//! The canonical text of a scenario. `parse(print(s)) == s` for every scenario that `check` accepts.

use super::convert::{form_of, form_of_replica, form_of_start};
use super::form::{Form, Kind, Place};
use super::names::entries;
use super::time;
use super::value::{Action, Scenario, Step, When};
use super::verbs::{self, BROKER_LINE, START, Verb};

fn print_form(out: &mut String, verb: &Verb, form: &Form) {
    out.push_str(verb.word);
    for (name, value) in &form.0 {
        let param = verb.params.iter().find(|p| p.name == *name);
        out.push(' ');
        match param.map(|p| (p.kind, p.place)) {
            Some((Kind::Flag, _)) => out.push_str(name),
            Some((_, Place::Needed | Place::Maybe)) => out.push_str(&value.print()),
            _ => {
                out.push_str(name);
                out.push('=');
                out.push_str(&value.print());
            }
        }
    }
}

/// An action in the words of the language: `kill 1`.
pub fn print_action(action: &Action) -> String {
    let (word, form) = form_of(action);
    let mut out = String::new();
    if let Some(verb) = verbs::find(word) {
        print_form(&mut out, verb, &form);
    }
    out
}

/// A step in the words of the language: `at 530ms kill 1`.
pub fn print_step(step: &Step) -> String {
    let when = match step.when {
        When::At(time) => format!("at {}", time::print(time)),
        When::After(time) => format!("after {}", time::print(time)),
        When::Settled => "then".to_owned(),
    };
    format!("{when} {}", print_action(&step.action))
}

/// The whole text: title, settings that differ from the defaults, start section, steps.
pub fn print(scenario: &Scenario) -> String {
    let mut out = String::new();
    if !scenario.title.is_empty() {
        out.push_str("title ");
        out.push_str(&scenario.title);
        out.push('\n');
    }
    for (name, value) in entries(&scenario.settings) {
        out.push_str("set ");
        out.push_str(name);
        out.push('=');
        out.push_str(&value);
        out.push('\n');
    }
    if let Some(start) = &scenario.start {
        print_form(&mut out, &START, &form_of_start(start));
        out.push('\n');
        for replica in &start.replicas {
            out.push_str("  ");
            print_form(&mut out, &BROKER_LINE, &form_of_replica(replica));
            out.push('\n');
        }
    }
    for step in &scenario.steps {
        out.push_str(&print_step(step));
        out.push('\n');
    }
    out
}
