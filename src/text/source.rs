//! Reads and checks the language files at build time (the build script includes this file) and writes the table of
//! keys. What it refuses does not compile, and the message says which key of which file.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::template::{self, Form, Piece};

/// One message of a language file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its key: a Rust name.
    pub key: String,
    /// The message.
    pub message: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A language file: `Key = message` a line, `#` starts a comment, empty lines count for nothing.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the file.
    pub file: &'static str,
    /// Its messages in order.
    pub entries: Vec<Entry>,
}

/// Reads a file.
///
/// # Errors
/// Every line that is no message, and every message whose slots cannot be read.
pub fn read(tag: &str, file: &'static str, text: &str) -> Result<Source, Vec<String>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((key, message)) = line.split_once(" = ") else {
            faults.push(format!(
                "{file}:{line_number}: expected `Key = message`, found `{line}`"
            ));
            continue;
        };
        if !is_key(key) {
            faults.push(format!(
                "{file}:{line_number}: `{key}` is no key (letters and digits, a capital first)"
            ));
        }
        if entries.iter().any(|known| known.key == key) {
            faults.push(format!("{file}:{line_number}: `{key}` stands twice"));
        }
        if let Some(fault) = fault(tag, message) {
            faults.push(format!("{file}:{line_number}: {key}: {fault}"));
        }
        entries.push(Entry {
            key: key.to_owned(),
            message: message.to_owned(),
            line: line_number,
        });
    }
    if faults.is_empty() {
        Ok(Source { file, entries })
    } else {
        Err(faults)
    }
}

fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_uppercase())
        && key.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_slot_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// What is wrong with a message of that language, if anything: broken slots, a plural outside English, a particle
/// outside Korean, a slot that Korean glues a particle to without saying which.
fn fault(tag: &str, message: &str) -> Option<String> {
    if message.trim() != message || message.is_empty() {
        return Some("the message is empty or begins or ends with a space".to_owned());
    }
    let mut rest = message;
    let mut after_slot = false;
    while let Some((piece, left)) = template::next(rest) {
        rest = left;
        match piece {
            Piece::Literal(text) => {
                if text.contains(['{', '}']) {
                    return Some(format!("`{text}` has a brace without a partner"));
                }
                if tag == "ko" && after_slot && begins_with_a_particle(text) {
                    return Some(format!(
                        "a particle is glued to a value before `{text}`: write {{name:은/는}}"
                    ));
                }
                after_slot = false;
            }
            Piece::Slot { name, form } => {
                if !is_slot_name(name) {
                    return Some(format!(
                        "`{{{name}}}` is no slot (lower case letters and _)"
                    ));
                }
                match form {
                    Form::Count(..) if tag != "en" => {
                        return Some(format!("{{{name}|…}}: only English has plurals"));
                    }
                    Form::Particle(..) if tag != "ko" => {
                        return Some(format!("{{{name}:…}}: only Korean has particles"));
                    }
                    _ => {}
                }
                after_slot = matches!(form, Form::Plain);
            }
        }
    }
    None
}

/// Particles whose form depends on the sound before them.
const PARTICLES: [&str; 9] = ["은", "는", "이", "가", "을", "를", "과", "와", "으로"];

fn begins_with_a_particle(text: &str) -> bool {
    PARTICLES.iter().any(|particle| {
        text.strip_prefix(particle)
            .is_some_and(|after| after.is_empty() || after.starts_with([' ', ',', '.', ':', ')']))
    })
}

/// The slots of a message; those that only choose a plural are left out when `values_only`.
fn slots(message: &str, values_only: bool) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut rest = message;
    while let Some((piece, left)) = template::next(rest) {
        if let Piece::Slot { name, form } = piece
            && !(values_only && matches!(form, Form::Count(..)))
        {
            names.insert(name.to_owned());
        }
        rest = left;
    }
    names
}

/// Compares a translation with the English file: same keys in the same order, same slots in each.
pub fn compare(english: &Source, other: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    for entry in &english.entries {
        match other.entries.iter().find(|o| o.key == entry.key) {
            None => faults.push(format!(
                "{}: `{}` is missing (\"{}\")",
                other.file, entry.key, entry.message
            )),
            Some(translated) => {
                let found = slots(&translated.message, false);
                if let Some(name) = slots(&entry.message, true).difference(&found).next() {
                    faults.push(format!(
                        "{}:{}: {}: {{{name}}} is missing",
                        other.file, translated.line, entry.key
                    ));
                }
                if let Some(name) = found.difference(&slots(&entry.message, false)).next() {
                    faults.push(format!(
                        "{}:{}: {}: {{{name}}} is unknown",
                        other.file, translated.line, entry.key
                    ));
                }
            }
        }
    }
    for entry in &other.entries {
        if !english.entries.iter().any(|known| known.key == entry.key) {
            faults.push(format!(
                "{}:{}: `{}` is not in {}",
                other.file, entry.line, entry.key, english.file
            ));
        }
    }
    if faults.is_empty() {
        let moved = english
            .entries
            .iter()
            .zip(&other.entries)
            .find(|(a, b)| a.key != b.key);
        if let Some((wanted, found)) = moved {
            faults.push(format!(
                "{}:{}: expected `{}` here as in {}, found `{}` (a loaded file is read by position)",
                other.file, found.line, wanted.key, english.file, found.key
            ));
        }
    }
    faults
}

/// The English messages alone, one a line, in the order of their keys: what the page carries.
pub fn messages(english: &Source) -> String {
    let mut out = String::new();
    for entry in &english.entries {
        out.push_str(&entry.message);
        out.push('\n');
    }
    out
}

/// The Rust table of keys: `Key`, and one unit-field struct a key in `args`, so that a call which names an unknown slot
/// or forgets one does not compile.
pub fn keys(english: &Source) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/// A message by name.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Key {{"
    );
    for entry in &english.entries {
        let _ = writeln!(out, "    /// {}\n    {},", doc(&entry.message), entry.key);
    }
    let _ = writeln!(
        out,
        "}}\n\nimpl Key {{\n    /// Every key in the order of the files.\n    pub const ALL: &'static [Key] = &["
    );
    for entry in &english.entries {
        let _ = writeln!(out, "        Key::{},", entry.key);
    }
    let _ = writeln!(
        out,
        "    ];\n}}\n\n/// The slots of each message.\npub mod args {{"
    );
    for entry in &english.entries {
        let _ = writeln!(
            out,
            "    /// {}\n    pub struct {} {{",
            doc(&entry.message),
            entry.key
        );
        for name in slots(&entry.message, false) {
            let _ = writeln!(out, "        /// A slot.\n        pub {name}: (),");
        }
        let _ = writeln!(out, "    }}");
    }
    let _ = writeln!(out, "}}\n");
    let names: BTreeSet<String> = english
        .entries
        .iter()
        .flat_map(|e| slots(&e.message, false))
        .collect();
    let list: Vec<&String> = names.iter().collect();
    let _ = writeln!(
        out,
        "/// The names of all slots; a number in [`slot`] is a place here.\npub const SLOTS: &[&str] = &{list:?};\n"
    );
    let _ = writeln!(
        out,
        "/// The numbers of the slots.\n#[allow(non_upper_case_globals, reason = \"they are named as in the messages\")]\npub mod slot {{"
    );
    for (place, name) in names.iter().enumerate() {
        let _ = writeln!(out, "    /// `{name}`\n    pub const {name}: u8 = {place};");
    }
    let _ = writeln!(out, "}}\n");
    let print = english
        .entries
        .iter()
        .fold(FINGERPRINT_START, |print, entry| {
            fingerprint(print, &entry.key)
        });
    let _ = writeln!(
        out,
        "/// Made of all keys in their order: a loaded language file must have the same.\npub const FINGERPRINT: u32 = {print};"
    );
    out
}

fn doc(message: &str) -> String {
    format!("`{}`", message.replace('`', "'"))
}

pub use super::fingerprint::{FINGERPRINT_START, fingerprint};

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str =
        "# a comment\n\nMoved = HW moves to {hw}.\nGone = {n} {n|record|records}: {names}\n";

    fn english() -> Source {
        read("en", "en.txt", ENGLISH).expect("it is well formed")
    }

    fn against_english(korean: &str) -> Vec<String> {
        match read("ko", "ko.txt", korean) {
            Ok(source) => compare(&english(), &source),
            Err(faults) => faults,
        }
    }

    #[test]
    fn a_complete_translation_has_no_fault() {
        let korean = "Moved = HW가 {hw:으로/로} 간다.\nGone = 레코드 {n}개: {names}\n";
        assert_eq!(against_english(korean), Vec::<String>::new());
        // A slot that only chooses an English plural may be left out.
        assert!(read("en", "a", "A = {n|it|them}").is_ok_and(|en| {
            read("ko", "b", "A = 그것").is_ok_and(|ko| compare(&en, &ko).is_empty())
        }));
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        for (korean, fault) in [
            (
                "Moved = HW {hw}\n",
                "ko.txt: `Gone` is missing (\"{n} {n|record|records}: {names}\")",
            ),
            (
                "Moved = HW\nGone = {n} {names}\n",
                "ko.txt:1: Moved: {hw} is missing",
            ),
            (
                "Moved = {hw} {leo}\nGone = {n} {names}\n",
                "ko.txt:1: Moved: {leo} is unknown",
            ),
            (
                "Moved = {hw}\nGone = {n} {names}\nMore = x\n",
                "ko.txt:3: `More` is not in en.txt",
            ),
            (
                "Gone = {n} {names}\nMoved = {hw}\n",
                "ko.txt:1: expected `Moved` here as in en.txt, found `Gone` (a loaded file is read by position)",
            ),
            (
                "Moved = {hw}은 x\nGone = {n} {names}\n",
                "ko.txt:1: Moved: a particle is glued to a value before `은 x`: write {name:은/는}",
            ),
            (
                "Moved = {hw|a|b}\nGone = {n} {names}\n",
                "ko.txt:1: Moved: {hw|…}: only English has plurals",
            ),
        ] {
            assert_eq!(against_english(korean), [fault]);
        }
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (line, fault) in [
            ("Moved", "x:1: expected `Key = message`, found `Moved`"),
            (
                "moved = a",
                "x:1: `moved` is no key (letters and digits, a capital first)",
            ),
            ("A = b\nA = c", "x:2: `A` stands twice"),
            ("A = {b", "x:1: A: `{b` has a brace without a partner"),
            ("A = b}", "x:1: A: `b}` has a brace without a partner"),
            (
                "A = {B}",
                "x:1: A: `{B}` is no slot (lower case letters and _)",
            ),
            ("A = {b:은/는}", "x:1: A: {b:…}: only Korean has particles"),
            (
                "A =  b",
                "x:1: A: the message is empty or begins or ends with a space",
            ),
        ] {
            assert_eq!(read("en", "x", line).err(), Some(vec![fault.to_owned()]));
        }
    }

    #[test]
    fn the_table_has_the_keys_and_their_slots() {
        let table = keys(&english());
        for part in [
            "    Moved,\n",
            "    Gone,\n",
            "        pub hw: (),",
            "        pub names: (),",
            "    pub const hw: u8 = 0;",
            "pub const FINGERPRINT: u32 = ",
        ] {
            assert!(table.contains(part), "{part} in {table}");
        }
        assert_eq!(
            messages(&english()),
            "HW moves to {hw}.\n{n} {n|record|records}: {names}\n"
        );
    }
}
