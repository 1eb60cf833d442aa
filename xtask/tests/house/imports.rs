//! Import directions: every path of a file leads to a room or a package that its own room may import.

use crate::rooms::{OTHERS, PACKAGES, Room, WEB_API};
use crate::rust::{Placed, Token, block_end, tokens, without_tests};

/// A path found in a source file: what it leads to, and the line.
#[derive(PartialEq, Eq, Debug)]
struct Path {
    leads_to: Place,
    line: usize,
}

#[derive(PartialEq, Eq, Debug)]
enum Place {
    /// A module at the top of the same package (or of our library, from `main.rs`).
    Room(String),
    /// Another package of ours, or one of others that has a rule.
    Package(String),
}

/// The faults of one file. `path` is relative to `directory`, the sources of the package.
pub fn faults(directory: &str, path: &str, text: &str, rooms: &[Room]) -> Vec<String> {
    let module = module_of(path);
    // The root only lists the rooms, and files of tests may look into any.
    if path == "lib.rs" || module.iter().any(|part| part == "tests") {
        return Vec::new();
    }
    let name = module.first().map_or("main", String::as_str);
    let Some(room) = rooms.iter().find(|room| room.name == name) else {
        let names: Vec<&str> = rooms.iter().map(|room| room.name).collect();
        return vec![format!(
            "{directory}/{path}: `{name}` is no room of the house; expected one of {}",
            names.join(", ")
        )];
    };
    paths(&without_tests(&tokens(text)), module.clone())
        .into_iter()
        .filter_map(|found| {
            let (what, allowed) = match &found.leads_to {
                Place::Room(to) => (
                    to,
                    to == name || room.ours.contains(&to.as_str()) || is_no_room(to, rooms),
                ),
                Place::Package(to) => (
                    to,
                    room.ours.contains(&to.as_str()) || room.others.contains(&to.as_str()),
                ),
            };
            let may: Vec<&str> = room.ours.iter().chain(room.others).copied().collect();
            let may = if may.is_empty() {
                "std only".to_owned()
            } else {
                may.join(", ")
            };
            (!allowed).then(|| {
                format!(
                    "{directory}/{path}:{}: `{name}` imports `{what}`; it may import {may}",
                    found.line
                )
            })
        })
        .collect()
}

/// A macro or a constant at the root of the package belongs to no room.
fn is_no_room(name: &str, rooms: &[Room]) -> bool {
    rooms.iter().all(|room| room.name != name)
}

/// `sim/run.rs` is `sim::run`; `sim.rs` and `sim/mod.rs` are `sim`; `main.rs` is the root.
fn module_of(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = path
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if parts
        .last()
        .is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str()))
    {
        parts.pop();
    }
    parts
}

fn paths(tokens: &[Placed], file: Vec<String>) -> Vec<Path> {
    let mut found = Vec::new();
    // Inline modules: where each ends, so that `super` is counted from the right place.
    let mut inline: Vec<(String, usize)> = Vec::new();
    for at in 0..tokens.len() {
        inline.retain(|(_, end)| at < *end);
        let (Token::Name(name), line) = &tokens[at] else {
            continue;
        };
        if let (Some(Token::Name(module)), Some(Token::Sign('{'))) =
            (token(tokens, at + 1), token(tokens, at + 2))
            && name == "mod"
        {
            inline.push((module.clone(), block_end(tokens, at + 2)));
        }
        let mut add = |leads_to| {
            found.push(Path {
                leads_to,
                line: *line,
            })
        };
        let begins = at == 0 || token(tokens, at - 1) != Some(&Token::PathSign);
        let used = at > 0 && token(tokens, at - 1) == Some(&Token::Name("use".to_owned()));
        let goes_on = token(tokens, at + 1) == Some(&Token::PathSign);
        if WEB_API.contains(&name.as_str()) {
            add(Place::Package(name.clone()));
        } else if begins && goes_on && (name == "crate" || name == "highwater") {
            heads(tokens, at + 2)
                .into_iter()
                .for_each(|head| add(Place::Room(head)));
        } else if begins && goes_on && name == "super" {
            let here: Vec<&String> = file
                .iter()
                .chain(inline.iter().map(|(module, _)| module))
                .collect();
            let (supers, after) = count_supers(tokens, at);
            match here.len().checked_sub(supers).filter(|left| *left > 0) {
                Some(_) => add(Place::Room(here[0].clone())),
                None => heads(tokens, after)
                    .into_iter()
                    .for_each(|head| add(Place::Room(head))),
            }
        } else if begins
            && (goes_on || used)
            && (PACKAGES.contains(&name.as_str()) || OTHERS.contains(&name.as_str()))
        {
            add(Place::Package(name.clone()));
        }
    }
    found
}

fn token(tokens: &[Placed], at: usize) -> Option<&Token> {
    tokens.get(at).map(|(token, _)| token)
}

/// How many `super::` follow each other, and the place after them.
fn count_supers(tokens: &[Placed], mut at: usize) -> (usize, usize) {
    let mut count = 0;
    while token(tokens, at) == Some(&Token::Name("super".to_owned())) {
        count += 1;
        at += 2;
    }
    (count, at)
}

/// The first names after a path sign: one, or those of a group `{a::b, c}`.
fn heads(tokens: &[Placed], at: usize) -> Vec<String> {
    match token(tokens, at) {
        Some(Token::Name(name)) => vec![name.clone()],
        Some(Token::Sign('{')) => {
            let mut heads = Vec::new();
            let end = block_end(tokens, at);
            let mut place = at + 1;
            let mut expects_head = true;
            while place + 1 < end {
                match token(tokens, place) {
                    Some(Token::Name(name)) if expects_head => {
                        heads.push(name.clone());
                        expects_head = false;
                    }
                    Some(Token::Sign(',')) => expects_head = true,
                    Some(Token::Sign('{')) => {
                        place = block_end(tokens, place);
                        continue;
                    }
                    _ => {}
                }
                place += 1;
            }
            heads
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::{APP, CORE};

    fn core(path: &str, text: &str) -> Vec<String> {
        faults("core/src", path, text, CORE)
    }

    fn app(path: &str, text: &str) -> Vec<String> {
        faults("src", path, text, APP)
    }

    #[test]
    fn a_bad_file_is_found_with_its_line() {
        let bad = "//! A room.\n\nuse std::fmt;\nuse crate::sim::Run;\n";
        assert_eq!(
            core("kafka/leader.rs", bad),
            ["core/src/kafka/leader.rs:4: `kafka` imports `sim`; it may import std only"]
        );
    }

    #[test]
    fn every_way_to_write_an_import_is_seen() {
        for bad in [
            "use crate::{kafka::ids, sim::{Run, run}};",
            "use super::sim::Run;",
            "use super::super::sim;",
            "fn f() -> crate::sim::Run {}",
            "mod inner { use super::super::super::sim::Run; }",
            "use serde_json as json;",
            "fn f() { serde_json::from_str(\"\") }",
        ] {
            let path = if bad.starts_with("use super::sim") {
                "kafka.rs"
            } else {
                "kafka/leader.rs"
            };
            assert_eq!(core(path, bad).len(), 1, "{bad}");
        }
    }

    #[test]
    fn what_the_tables_allow_is_no_fault() {
        assert!(
            core(
                "sim/run.rs",
                "use crate::kafka::ids; use crate::scenario::{a, b}; use super::verdict;"
            )
            .is_empty()
        );
        assert!(
            core(
                "kafka/leader.rs",
                "#[cfg(test)] mod tests { use crate::sim::Run; }"
            )
            .is_empty()
        );
        assert!(
            core(
                "kafka/leader.rs",
                "// crate::sim\nfn f() { let sim = 1; \"crate::sim::x\"; }"
            )
            .is_empty()
        );
        assert!(
            app(
                "session/state.rs",
                "use highwater_core::sim::Run; use crate::share::Link;"
            )
            .is_empty()
        );
        assert!(app("main.rs", "use leptos::prelude::*; use highwater::ui::App;").is_empty());
    }

    #[test]
    fn the_web_api_is_named_in_one_room_only() {
        assert!(
            app(
                "browser/clock.rs",
                "use web_sys::window; use gloo_timers::callback::Timeout;"
            )
            .is_empty()
        );
        assert_eq!(app("ui/lab.rs", "use leptos::web_sys::window;").len(), 1);
        assert_eq!(
            app("browser/clock.rs", "use crate::session::Session;").len(),
            1
        );
        assert_eq!(app("main.rs", "use highwater::session::Session;").len(), 1);
    }

    #[test]
    fn a_module_without_a_room_is_a_fault() {
        assert_eq!(core("misc.rs", "").len(), 1);
        assert_eq!(app("util/mod.rs", "").len(), 1);
    }
}
