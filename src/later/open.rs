//! Files that a reader gives to the page and that are no plain scripts: a scenario in JSON, a recorded trace, a picture
//! that carries a view.

use highwater_core::scenario::file::{self, File};
use highwater_core::scenario::print;

use super::recording;
use crate::say;
use crate::text::Text;
use crate::text::mistake::mistake;
use crate::twin::found;

/// What the page opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A link.
    Link(String),
    /// A script.
    Script(String),
    /// A recording in the form of the page.
    Recording(String),
}

/// Most mistakes of a file that are told.
const MOST: usize = 3;

/// Reads a file by its content.
///
/// # Errors
/// A sentence for the reader: where in the file, what was found, what was expected.
pub fn open(name: &str, bytes: &[u8], text: &Text) -> Result<Opened, String> {
    if found::kind(bytes).is_some() {
        let link = found::link(bytes).map(Opened::Link);
        return link.ok_or_else(|| say!(text, PictureWithoutView, name = name));
    }
    if bytes.len() > file::MAX_BYTES {
        return Err(say!(text, FileTooLong, name = name, max = file::MAX_BYTES));
    }
    if let Err(error) = core::str::from_utf8(bytes) {
        let place = error.valid_up_to() + 1;
        return Err(say!(text, FileNotText, name = name, place = place));
    }
    match file::read(bytes) {
        Ok(File::Scenario(scenario)) => Ok(Opened::Script(print(&scenario))),
        Ok(File::Trace(trace)) => Ok(Opened::Recording(recording::file(&trace))),
        Err(errors) => {
            let told = errors.iter().take(MOST).map(|error| mistake(text, error));
            let reason = told.collect::<Vec<_>>().join(" ");
            Err(say!(text, ReasonAndText, text = name, reason = reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::recorded::Recorded;
    use highwater_core::scenario::{parse, to_json};

    fn read(bytes: &[u8]) -> Result<Opened, String> {
        open("mine", bytes, &Text::english())
    }

    const SCRIPT: &str = "title T\nset acks=1\nat 0ms produce\nat 530ms kill 1\n";

    #[test]
    fn every_form_that_the_command_line_reads_is_opened() {
        let scenario = parse(SCRIPT).expect("a script");
        let json = to_json(&scenario);
        assert_eq!(read(json.as_bytes()), Ok(Opened::Script(print(&scenario))));
        let trace = include_bytes!("../../core/cases/cluster-traces/acks-1-lost-on-crash.elr.json");
        let Ok(Opened::Recording(file)) = read(trace) else {
            panic!("a recording");
        };
        let recorded = Recorded::read("mine", &file).expect("it is read again");
        assert_eq!(recorded.kafka, "4.4.0");
        let picture = b"<svg><metadata>?acks=1&amp;v=1</metadata></svg>";
        assert_eq!(read(picture), Ok(Opened::Link("?acks=1&v=1".to_owned())));
    }

    #[test]
    fn what_is_wrong_has_its_place_what_was_found_and_what_was_expected() {
        for (bytes, says) in [
            (
                &b"{\"title\":\"T\",\"steps\":[{\"at\":\"0ms\",\"do\":\"kil\"}]}"[..],
                "steps",
            ),
            (b"{\"kafka\":\"4.4.0\"}", "expected"),
            (b"{\"title\":", "expected"),
            (b"abc\xff", "byte 4 is not UTF-8"),
            (b"<svg></svg>", "mine is a picture without a view"),
            (b"\xff\xd8\xff", "mine is a picture without a view"),
        ] {
            let said = read(bytes).expect_err("it is wrong");
            assert!(said.contains("mine") && said.contains(says), "{said}");
        }
        let long = vec![b' '; file::MAX_BYTES + 1];
        assert!(read(&long).is_err_and(|said| said.contains("longer than")));
    }
}
