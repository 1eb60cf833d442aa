//! The rule of numbers: what a run could contradict comes from a claim, never from the writer's hand.
//!
//! In the prose every word with a digit must be one of: a placeholder `{claim}`; a record that the script sends (`m3`); a
//! broker of the cluster after the word broker (`broker 2`, `브로커 2`); a setting that a run of the lesson has
//! (`acks=1`); a version with its dot after `Kafka`; a KIP; the number of a list item; or a word that `names` of lesson.toml
//! lists.

/// What a lesson's numbers may be.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// The script sends m1 to this one.
    pub records: u64,
    /// Ids of the brokers.
    pub brokers: Vec<u32>,
    /// `name=value` of every run, as scripts write them; also acks of single calls.
    pub settings: Vec<String>,
    /// Listed in lesson.toml.
    pub names: Vec<String>,
}

/// Words after which a number names a broker.
const BROKER: [&str; 3] = ["broker", "brokers", "브로커"];
/// What may stand between two brokers of a list.
const BETWEEN: [&str; 9] = [
    ", ",
    " and ",
    "와 ",
    "과 ",
    ", 그리고 ",
    "、",
    " 和 ",
    "·",
    " or ",
];

/// The words of a line that are bare numbers.
pub fn bare(line: &str, allowed: &Allowed) -> Vec<String> {
    let line = without_slots(line);
    let mut found = Vec::new();
    let mut broker_until: Option<usize> = None;
    for (start, word) in words(&line) {
        if !word.contains(char::is_numeric) {
            continue;
        }
        let before = line.get(..start).unwrap_or("");
        let after_broker = BROKER
            .iter()
            .any(|b| before.trim_end().to_lowercase().ends_with(b) && before.ends_with(' '));
        let goes_on = broker_until
            .and_then(|end| line.get(end..start))
            .is_some_and(|between| BETWEEN.contains(&between));
        if (after_broker || goes_on) && is_broker(word, allowed) {
            broker_until = Some(start + word.len());
            continue;
        }
        let after = line.get(start + word.len()..).unwrap_or("");
        if !is_item(before, word, after) && !is_name(before, word, allowed) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Placeholders have no digits left.
fn without_slots(line: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in line.chars() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            _ if inside => out.push(if c.is_ascii_digit() { 'x' } else { c }),
            _ => out.push(c),
        }
    }
    out
}

/// Words of Latin letters, digits and the signs of names, each with its place.
fn words(line: &str) -> Vec<(usize, &str)> {
    // Full-width and circled digits are digits too.
    let inside = |c: char| c.is_ascii_alphanumeric() || c.is_numeric() || "_=.-".contains(c);
    let mut list = Vec::new();
    let mut start = None;
    for (place, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (inside(c), start) {
            (true, None) => start = Some(place),
            (false, Some(from)) => {
                let word = line.get(from..place).unwrap_or("");
                list.push((from, word.trim_end_matches(['.', '-'])));
                start = None;
            }
            _ => {}
        }
    }
    list
}

fn is_broker(word: &str, allowed: &Allowed) -> bool {
    word.parse().is_ok_and(|id| allowed.brokers.contains(&id))
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The number of a list item, and not one that a line happens to begin with.
fn is_item(before: &str, word: &str, after: &str) -> bool {
    before.trim().is_empty() && digits(word) && after.starts_with(". ")
}

fn is_name(before: &str, word: &str, allowed: &Allowed) -> bool {
    let record = word
        .strip_prefix('m')
        .and_then(|n| n.parse::<u64>().ok())
        .is_some_and(|n| (1..=allowed.records).contains(&n));
    // Without a dot it may count something: "Kafka 2 times".
    let version = before.ends_with("Kafka ") && word.contains('.') && word.split('.').all(digits);
    let kip = word.strip_prefix("KIP-").is_some_and(digits);
    record
        || version
        || kip
        || allowed.settings.iter().any(|s| s == word)
        || allowed.names.iter().any(|n| n == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> Allowed {
        Allowed {
            records: 3,
            brokers: vec![1, 2, 3],
            settings: vec!["acks=1".to_owned()],
            names: vec!["v15".to_owned()],
        }
    }

    #[test]
    fn names_are_no_numbers() {
        for line in [
            "m1 and m3 on broker 2, on brokers 1 and 2, 브로커 3은, broker 1、2",
            "With `acks=1` on Kafka 4.4.0, since Kafka 3.7. See KIP-966 and v15.",
            "1. the first item",
            "HW is {hw_2:은/는}.",
        ] {
            assert_eq!(bare(line, &allowed()), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn numbers_that_a_run_could_contradict_are_found() {
        for (line, found) in [
            ("HW is 2.", vec!["2"]),
            ("m4 is lost", vec!["m4"]),
            ("leader 2 and broker 4", vec!["2", "4"]),
            ("at 530 ms, after 0.5 s", vec!["530", "0.5"]),
            ("`acks=0` and acks=1", vec!["acks=0"]),
            ("HW가 2이고 브로커 1의 LEO는 3이다", vec!["2", "3"]),
            ("HW 变为 2", vec!["2"]),
            ("504 ms later", vec!["504"]),
            ("2개를 잃는다", vec!["2"]),
            ("HW 变为 ２，LEO ②", vec!["２", "②"]),
            ("Kafka 2 times", vec!["2"]),
        ] {
            assert_eq!(bare(line, &allowed()), found, "{line}");
        }
    }
}
