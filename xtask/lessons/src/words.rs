//! The words around a lesson: buttons, headings and the like. One file a language in `lessons/words/`, `Key = message`.

use std::collections::BTreeMap;

use crate::fault::Fault;

/// The words of one language.
#[derive(Clone, Debug, Default)]
pub struct Words(BTreeMap<String, String>);

/// Every word that the pages use.
pub const KEYS: &[&str] = &[
    "Skip",
    "Lab",
    "Lessons",
    "Evidence",
    "Languages",
    "IndexTitle",
    "IndexDescription",
    "IndexIntro",
    "Progress",
    "Minutes",
    "Coming",
    "Needs",
    "Row",
    "Done",
    "Steps",
    "Belief",
    "TakeAway",
    "Same",
    "TimeAcknowledged",
    "TimeCommitted",
    "TimeRead",
    "Terms",
    "SetHere",
    "Differs",
    "OrderHow",
    "AxisHow",
    "ChooseSome",
    "Choose",
    "Check",
    "JustShow",
    "Again",
    "Right",
    "Wrong",
    "RightOrder",
    "WrongOrder",
    "Unanswered",
    "Answer",
    "Nobody",
    "None",
    "Kept",
    "Records",
    "NoRecords",
    "Lost",
    "Why",
    "Back",
    "Next",
    "NextLesson",
    "AllLessons",
    "TryIt",
    "OpenLab",
    "ShowLab",
    "LabTitle",
    "Recorded",
    "RecordedLink",
    "PictureOf",
    "PictureUntil",
    "PictureInWords",
    "Time",
    "What",
    "MoveUp",
    "MoveDown",
    "WholeLesson",
    "NoSuchStep",
    "Share",
    "ShareLink",
    "ShareWidget",
];

impl Words {
    /// Reads a file: every key of [`KEYS`] once, and no other.
    pub fn read(file: &str, text: &str) -> Result<Words, Vec<Fault>> {
        Words::of_keys(file, text, KEYS)
    }

    /// Reads a file of other pages: each of these keys once, and no other.
    pub fn of_keys(file: &str, text: &str, keys: &[&str]) -> Result<Words, Vec<Fault>> {
        let mut words = BTreeMap::new();
        let mut faults = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(" = ") {
                Some((key, message)) if keys.contains(&key) => {
                    if words.insert(key.to_owned(), message.to_owned()).is_some() {
                        faults.push(Fault::at(file, index + 1, format!("`{key}` stands twice")));
                    }
                }
                _ => faults.push(Fault::at(
                    file,
                    index + 1,
                    format!("expected `Key = message` with a key of the pages, found `{line}`"),
                )),
            }
        }
        let missing = keys.iter().filter(|key| !words.contains_key(**key));
        faults.extend(missing.map(|key| Fault::of(file, format!("`{key}` is missing"))));
        if faults.is_empty() {
            Ok(Words(words))
        } else {
            Err(faults)
        }
    }

    /// The message of a key; the key itself if there is none, which [`Words::read`] excludes.
    pub fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }

    /// A message with its slots filled.
    pub fn fill(&self, key: &str, slots: &[(&str, &str)]) -> String {
        let mut out = self.say(key).to_owned();
        for (name, value) in slots {
            out = out.replace(&format!("{{{name}}}"), value);
        }
        out
    }
}
