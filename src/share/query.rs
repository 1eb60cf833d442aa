//! The parameters of an address, as they come back from chats and blogs: encoded once more, with `&amp;`, with the
//! bracket or the full stop of the sentence around them.

/// One parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value, decoded.
    pub value: String,
    /// Where it begins, in characters from 1 of what was given.
    pub place: usize,
    /// Whether it was UTF-8.
    pub utf8: bool,
}

/// The parameters of an address or of its query, in their order.
pub fn parameters(address: &str) -> Vec<Parameter> {
    let query = address.split_once('?').map_or(address, |(_, query)| query);
    if !query.contains('=') && !query.is_empty() {
        // An address that was encoded as a whole.
        let (decoded, _) = decode(address);
        return match decoded.contains('=') {
            true => split(&decoded),
            // Names without values: what is asked for is told, never silently left out.
            false if address.contains('?') => split(address),
            false => Vec::new(),
        };
    }
    split(address)
}

fn split(address: &str) -> Vec<Parameter> {
    let start = address.find('?').map_or(0, |at| at + 1);
    let query = address.get(start..).unwrap_or_default();
    let query = query.split('#').next().unwrap_or_default();
    let mut place = address.get(..start).map_or(0, |s| s.chars().count()) + 1;
    let mut found = Vec::new();
    for part in query.split('&') {
        let whole = match part.contains('=') {
            true => String::new(),
            false => decode(part).0,
        };
        let pair = part.split_once('=').or(whole.split_once('='));
        let (name, value) = pair.unwrap_or((part, ""));
        let (name, name_is_utf8) = decode(name);
        let (value, value_is_utf8) = decode(value);
        let mut name = name.trim();
        while let Some(rest) = name.strip_prefix("amp;") {
            name = rest;
        }
        if !name.is_empty() {
            found.push(Parameter {
                name: name.to_owned(),
                value,
                place,
                utf8: name_is_utf8 && value_is_utf8,
            });
        }
        place += part.chars().count() + 1;
    }
    if let Some(last) = found.last_mut() {
        let kept = last.value.trim_end_matches(is_of_the_sentence).len();
        last.value.truncate(kept);
    }
    found
}

/// What a sentence may put after a link.
fn is_of_the_sentence(c: char) -> bool {
    c.is_whitespace() || ")]}>.,;:'\"!?*…。，、；：！？）」』】》”’".contains(c)
}

/// The value of a parameter of a query as its writer meant it, decoded once: for words of a person, in which nothing is
/// cut off and a plus sign is a plus sign.
pub fn plain(address: &str, name: &str) -> String {
    let query = address.split_once('?').map_or(address, |(_, query)| query);
    let pairs = query.split('&').filter_map(|part| part.split_once('='));
    let value = pairs
        .filter(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.replace('+', " "))
        .next();
    let bytes = decode_once(value.unwrap_or_default().as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// How often an address may have been encoded.
const LAYERS: usize = 3;

/// Without percent signs, `+` being a space; and whether it is UTF-8. A value that we write has no percent sign and no
/// `+` of its own, so what was encoded twice is decoded twice.
fn decode(text: &str) -> (String, bool) {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..LAYERS {
        let before = bytes.len();
        bytes = decode_once(&bytes);
        if bytes.len() == before {
            break;
        }
    }
    for byte in &mut bytes {
        if *byte == b'+' {
            *byte = b' ';
        }
    }
    match core::str::from_utf8(&bytes) {
        Ok(text) => (text.to_owned(), true),
        Err(error) => {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let text = core::str::from_utf8(good).unwrap_or_default();
            (text.to_owned(), false)
        }
    }
}

fn decode_once(bytes: &[u8]) -> Vec<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

/// Adds `text` to a query: letters, digits and what no software touches as they stand, all else percent-encoded.
pub fn encode(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!*,;:@/$=".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push('%');
            for digit in [byte >> 4, byte & 15] {
                out.extend(char::from_digit(u32::from(digit), 16).map(|c| c.to_ascii_uppercase()));
            }
        }
    }
}
