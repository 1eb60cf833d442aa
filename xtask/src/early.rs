//! What a widget can show before the model is there: the names, the lines and the scripts of the library, and the questions,
//! put into `early.js` of the finished page.

use std::path::Path;

use highwater::session::library;
use highwater::text::{Key, Locale, Text};
use serde_json::{Map, Value, json};

use crate::picture;
use crate::workspace::{read, write};
use crate::{Failure, Outcome};

/// The place in the script that is filled.
const EMPTY: &str = "{ words: {}, scenarios: {} }";

/// Fills `early.js` in the finished page.
pub fn into(page: &Path) -> Outcome {
    let path = page.join("early.js");
    let script = read(&path)?;
    if !script.contains(EMPTY) {
        let why = format!("public/early.js has no place to be filled: {EMPTY}");
        return Err(Failure::work(why));
    }
    let filled = script.replacen(EMPTY, &filled()?.to_string(), 1);
    write(&path, filled)
}

/// Everything by language and by scenario.
fn filled() -> Outcome<Value> {
    let texts: Vec<Text> = Locale::ALL.into_iter().map(picture::words).collect::<Outcome<_>>()?;
    let words: Map<String, Value> = texts.iter().map(|text| (tag(text), words(text))).collect();
    let scenarios: Map<String, Value> = library::entries()
        .map(|entry| {
            let named = texts.iter().map(|text| {
                let said = [entry.name, entry.about].map(|key| text.fill(key, &[]));
                (tag(text), json!(said))
            });
            let mut known: Map<String, Value> = named.collect();
            known.insert("script".to_owned(), json!(entry.text.trim_end()));
            (entry.id.to_owned(), Value::Object(known))
        })
        .collect();
    Ok(json!({ "words": words, "scenarios": scenarios, "first": library::FIRST }))
}

/// The words of the page itself in a language.
fn words(text: &Text) -> Value {
    let say = |key| text.fill(key, &[]);
    json!({
        "open": say(Key::OpenInLab),
        "ask": {
            "lost": say(Key::AskLost),
            "acknowledged": say(Key::AskAcknowledged),
            "visible": say(Key::AskVisible),
            "leader": say(Key::AskLeader),
        },
    })
}

/// `en`, `ko` or `zh`.
fn tag(text: &Text) -> String {
    text.locale().tag().chars().take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::root;

    #[test]
    fn every_scenario_has_its_name_its_line_and_its_script_in_every_language() {
        let filled = filled().expect("filled");
        assert_eq!(filled["first"], library::FIRST);
        for entry in library::entries() {
            let known = &filled["scenarios"][entry.id];
            for language in ["en", "ko", "zh"] {
                for place in [0, 1] {
                    assert!(known[language][place].as_str().is_some_and(|said| said.len() > 4));
                }
            }
            assert!(known["script"].as_str().is_some_and(|script| script.starts_with("title ")));
        }
        assert_eq!(filled["words"]["ko"]["open"], json!(picture::words(Locale::Ko).expect("ko").fill(Key::OpenInLab, &[])));
    }

    #[test]
    fn the_script_has_a_place_to_be_filled() {
        let script = read(&root().join("public/early.js")).expect("a file");
        assert_eq!(script.matches(EMPTY).count(), 1);
    }
}
