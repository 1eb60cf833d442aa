//! A file that may be a scenario as text, a scenario as JSON, or a recording: told apart by what stands in it.

use super::error::ScriptError;
use super::json::from_json;
use super::parser::{self, not_utf8, parse_bytes, too_long};
use super::trace::{self, Trace};
use super::value::Scenario;

/// The longest file that is read, in bytes; a scenario's own limit is lower.
pub const MAX_BYTES: usize = trace::MAX_BYTES;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// A scenario.
    Scenario(Box<Scenario>),
    /// A recording of a real cluster.
    Trace(Box<Trace>),
}

/// Reads a file by its content: what begins with `{` is JSON, and JSON that names `kafka` or `config` is a recording.
pub fn read(bytes: &[u8]) -> Result<File, Vec<ScriptError>> {
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if content.trim_ascii_start().first() != Some(&b'{') {
        let parsed = parse_bytes(bytes)?;
        return Ok(File::Scenario(Box::new(parsed.scenario)));
    }
    if content.len() > MAX_BYTES {
        return Err(vec![too_long(content.len(), MAX_BYTES)]);
    }
    let text = core::str::from_utf8(content).map_err(|error| vec![not_utf8(content, error)])?;
    if is_recording(text) {
        return trace::read(text).map(|trace| File::Trace(Box::new(trace)));
    }
    if text.len() > parser::MAX_BYTES {
        return Err(vec![too_long(text.len(), parser::MAX_BYTES)]);
    }
    from_json(text).map(|scenario| File::Scenario(Box::new(scenario)))
}

/// Only the keys of the outermost object are looked at.
fn is_recording(text: &str) -> bool {
    use serde::de::IgnoredAny;
    use std::collections::BTreeMap;
    let keys = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text);
    keys.is_ok_and(|keys| keys.contains_key("kafka") || keys.contains_key("config"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(bytes: &[u8]) -> String {
        let errors = read(bytes).expect_err("it is wrong");
        errors.iter().map(|error| format!("{error}\n")).collect()
    }

    #[test]
    fn the_three_forms_are_told_apart_by_their_content() {
        let text = read(b"at 0 produce\n").unwrap();
        let json =
            read(b"\xef\xbb\xbf \n {\"steps\": [{\"at\": 0, \"do\": \"produce\"}]}").unwrap();
        assert_eq!(text, json);
        let recording =
            include_str!("../../cases/cluster-traces/acks-1-answers-before-copies.json");
        assert!(matches!(read(recording.as_bytes()), Ok(File::Trace(_))));
    }

    #[test]
    fn what_is_no_utf8_is_refused_with_its_place() {
        assert_eq!(
            wrong(b"at 0 produce\nat 5 k\xffll 1\n"),
            "line 2, column 7: found `byte 0xff`, expected UTF-8\n"
        );
        assert_eq!(
            wrong(b"{\"title\": \"\xc3\x28\"}"),
            "line 1, column 12: found `byte 0xc3`, expected UTF-8\n"
        );
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused() {
        let long = vec![b'#'; 10_000_001];
        assert!(wrong(&long).starts_with("line 1, column 1: found `10000001 bytes`"));
        let mut long = b"{\"kafka\": \"".to_vec();
        long.resize(10_000_001, b'x');
        assert!(wrong(&long).starts_with("line 1, column 1: found `10000001 bytes`"));
        let deep = [b"{\"steps\": ".as_slice(), &[b'['; 100_000]].concat();
        assert!(
            wrong(&deep).contains("recursion limit exceeded"),
            "{}",
            wrong(&deep)
        );
    }
}
