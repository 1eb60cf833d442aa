//! A recording of a real cluster as the page fetches it: the script of what was done, and what was observed after each
//! step. `cargo xtask build` writes these files from the recordings, so that the page needs no JSON reader.

use std::sync::Arc;

/// The list of recordings, beside the page.
pub const INDEX: &str = "./traces/index.txt";

/// The first line of a file; another version would have another one.
const MARK: &str = "highwater recording 1";

/// Where the recording of that id lies.
pub fn address(id: &str) -> String {
    format!("./traces/{id}.txt")
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name in addresses.
    pub id: String,
    /// The version of the cluster.
    pub kafka: String,
    /// What it shows.
    pub title: String,
}

/// Reads the list: `id<TAB>version<TAB>title` a line; lines that say anything else are passed over.
pub fn read_index(file: &str) -> Vec<Listed> {
    file.lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, '\t');
            Some(Listed {
                id: fields.next().filter(|id| !id.is_empty())?.to_owned(),
                kafka: fields.next()?.to_owned(),
                title: fields.next()?.to_owned(),
            })
        })
        .collect()
}

/// One value that the cluster showed after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The step of the script after which it was read.
    pub step: usize,
    /// What it is: `isr`, `leo 2`, `ack p1` …
    pub what: String,
    /// Its value.
    pub value: String,
}

/// A recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its name in addresses.
    pub id: String,
    /// The version of the cluster.
    pub kafka: String,
    /// How often it was recorded; all recordings agree on every value here.
    pub times: u32,
    /// The script of what was done.
    pub text: Arc<str>,
    /// What was observed, in the order of the steps.
    pub observed: Vec<Observed>,
}

impl Recorded {
    /// Reads a file.
    ///
    /// # Errors
    /// Which line is not as it should be.
    pub fn read(id: &str, file: &str) -> Result<Recorded, String> {
        let mut lines = file.lines().enumerate();
        let mut next = |wanted: &str| -> Result<&str, String> {
            match lines.next() {
                Some((place, line)) => line
                    .strip_prefix(wanted)
                    .map(str::trim)
                    .ok_or_else(|| format!("{id}: line {}: expected `{wanted}`", place + 1)),
                None => Err(format!("{id}: expected `{wanted}`, found the end")),
            }
        };
        next(MARK)?;
        let kafka = next("kafka ")?.to_owned();
        let times = next("recorded ")?.parse().unwrap_or(1);
        next("script")?;
        let mut text = String::new();
        let mut observed = Vec::new();
        let mut in_script = true;
        for (place, line) in lines {
            if in_script && line == "observed" {
                in_script = false;
            } else if in_script {
                text.push_str(line);
                text.push('\n');
            } else {
                observed.push(read_observed(line).ok_or_else(|| {
                    format!(
                        "{id}: line {}: expected a step, a name and a value",
                        place + 1
                    )
                })?);
            }
        }
        Ok(Recorded {
            id: id.to_owned(),
            kafka,
            times,
            text: text.into(),
            observed,
        })
    }
}

fn read_observed(line: &str) -> Option<Observed> {
    let mut fields = line.splitn(3, '\t');
    Some(Observed {
        step: fields.next()?.parse().ok()?,
        what: fields.next()?.to_owned(),
        value: fields.next()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FILE: &str = "highwater recording 1\nkafka 4.4.0\nrecorded 2\nscript\ntitle A\nthen check\nobserved\n0\tisr\t1 2 3\n0\tack p1\t\n";

    #[test]
    fn a_file_is_read() {
        let recorded = Recorded::read("a", FILE).unwrap();
        assert_eq!(&*recorded.text, "title A\nthen check\n");
        assert_eq!((recorded.kafka.as_str(), recorded.times), ("4.4.0", 2));
        assert_eq!(recorded.observed.len(), 2);
        assert_eq!(recorded.observed[0].value, "1 2 3");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cut = |at: &str| Recorded::read("a", &FILE.replace(at, "x")).unwrap_err();
        assert_eq!(cut("kafka 4.4.0"), "a: line 2: expected `kafka `");
        assert_eq!(
            cut("0\tisr\t1 2 3"),
            "a: line 8: expected a step, a name and a value"
        );
        assert_eq!(
            Recorded::read("a", "").unwrap_err(),
            "a: expected `highwater recording 1`, found the end"
        );
    }

    #[test]
    fn the_list_is_read_and_what_is_no_entry_is_passed_over() {
        let list = read_index("a\t4.4.0\tOne\tand more\n\nbroken\nb\t4.1.1\tTwo\n");
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].title, "One\tand more");
    }
}
