//! What a widget can show before the model is there. The names, the lines and the scripts of the library, and the questions,
//! are put into `early.js` of the finished page. `embed.html` gets one style sheet instead of six, because a browser asks an
//! HTTP/1.1 host for six files at a time, and what is shown first must not wait for the seventh; and the module is not asked
//! for before that is seen.

use std::path::Path;

use highwater::session::library;
use highwater::text::{Key, Locale, Text};
use highwater_lessons::lesson::short;
use serde_json::{Map, Value, json};

use crate::finish::{fill, named, with_links};
use crate::picture;
use crate::workspace::{read, write};
use crate::{Failure, Outcome};

/// The place in the script that is filled.
const EMPTY: &str = "{ words: {}, scenarios: {} }";

/// Fills `early.js` in the finished page.
pub fn into(page: &Path) -> Outcome {
    fill(page, "early.js", EMPTY, &filled()?.to_string())
}

/// The page of frames with one style sheet, and without the early request for the module.
pub fn page(directory: &Path, html: &str) -> Outcome<String> {
    let mut style = String::new();
    let mut first = None;
    let mut out = with_links(html, |tag, place| {
        if tag.contains("as=\"fetch\"") {
            return Ok(false);
        }
        let name = tag
            .contains("rel=\"stylesheet\"")
            .then(|| tag.split_once("href=\"./"));
        let Some((name, _)) = name.flatten().and_then(|(_, rest)| rest.split_once('"')) else {
            return Ok(true);
        };
        first.get_or_insert(place);
        style.push_str(read(&directory.join(name))?.trim_end());
        style.push('\n');
        Ok(false)
    })?;
    let Some(place) = first else {
        return Err(Failure::work("embed.html has no style sheet"));
    };
    let path = directory.join("frame.css");
    write(&path, style)?;
    let name = named(&path)?;
    out.insert_str(
        place,
        &format!("<link rel=\"stylesheet\" href=\"./{name}\">"),
    );
    Ok(out)
}

/// Everything by language and by scenario.
fn filled() -> Outcome<Value> {
    let texts: Vec<Text> = Locale::ALL
        .into_iter()
        .map(picture::words)
        .collect::<Outcome<_>>()?;
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

fn tag(text: &Text) -> String {
    short(text.locale()).to_owned()
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
                    assert!(
                        known[language][place]
                            .as_str()
                            .is_some_and(|said| said.len() > 4)
                    );
                }
            }
            assert!(
                known["script"]
                    .as_str()
                    .is_some_and(|script| script.starts_with("title "))
            );
        }
        assert_eq!(
            filled["words"]["ko"]["open"],
            json!(
                picture::words(Locale::Ko)
                    .expect("ko")
                    .fill(Key::OpenInLab, &[])
            )
        );
    }

    #[test]
    fn a_frame_has_one_style_sheet_and_asks_for_the_module_later() {
        let directory =
            std::env::temp_dir().join(format!("highwater-early-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a folder");
        write(&directory.join("a.css"), "a{b:c}\n").expect("a file");
        write(&directory.join("b.css"), "d{e:f}").expect("a file");
        let html = "<head><link rel=\"icon\" href=\"./i.svg\">\n<link rel=\"stylesheet\" href=\"./a.css\"/>\n<p>\
            <link rel=\"stylesheet\" href=\"./b.css\"><link rel=\"preload\" href=\"./m.wasm\" as=\"fetch\"></head>";
        let made = page(&directory, html).expect("a page");
        let (before, after) = made.split_once("frame-").expect("a style sheet");
        assert_eq!(
            before,
            "<head><link rel=\"icon\" href=\"./i.svg\">\n<link rel=\"stylesheet\" href=\"./"
        );
        let (digest, after) = after.split_once('.').expect("an ending");
        assert_eq!(after, "css\">\n<p></head>");
        let style = read(&directory.join(format!("frame-{digest}.css"))).expect("a file");
        assert_eq!(style, "a{b:c}\nd{e:f}\n");
        assert!(page(&directory, "<head></head>").is_err());
        std::fs::remove_dir_all(&directory).expect("removed");
    }

    #[test]
    fn the_script_has_a_place_to_be_filled() {
        let script = read(&root().join("public/early.js")).expect("a file");
        assert_eq!(script.matches(EMPTY).count(), 1);
    }
}
