//! The messages of one language: a table by key.

use std::borrow::Cow;
use std::fmt;

use super::fingerprint::{FINGERPRINT_START, fingerprint};
use super::keys::{FINGERPRINT, Key};

/// The English messages, one a line, in the order of the keys (written by the build script).
const ENGLISH: &str = include_str!(concat!(env!("OUT_DIR"), "/en.msg"));

/// The messages of one language.
#[derive(Clone, Debug)]
pub struct Catalogue {
    text: Cow<'static, str>,
    /// Where each message begins and ends in `text`.
    places: Vec<(u32, u32)>,
}

/// Why a loaded language file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogueError {
    /// Its keys are not those of this page: it belongs to another version.
    OtherVersion,
    /// It is larger than a language file can be.
    TooLarge,
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CatalogueError::OtherVersion => {
                "the language file belongs to another version of the page"
            }
            CatalogueError::TooLarge => "the language file is too large",
        })
    }
}

impl Catalogue {
    /// The embedded English messages.
    pub fn english() -> Catalogue {
        let places = lines(ENGLISH).collect();
        Catalogue {
            text: Cow::Borrowed(ENGLISH),
            places,
        }
    }

    /// Reads a loaded language file. It is read by position; its keys must be those of this page, in their order.
    ///
    /// # Errors
    /// [`CatalogueError`] when the file does not belong to this page.
    pub fn read(file: String) -> Result<Catalogue, CatalogueError> {
        if u32::try_from(file.len()).is_err() {
            return Err(CatalogueError::TooLarge);
        }
        let mut places = Vec::with_capacity(Key::ALL.len());
        let mut print = FINGERPRINT_START;
        for (start, end) in lines(&file) {
            let line = slice(&file, start, end);
            let Some((key, _)) = line.split_once(" = ") else {
                continue;
            };
            if line.starts_with('#') {
                continue;
            }
            print = fingerprint(print, key);
            places.push((start + key.len() as u32 + 3, end));
        }
        if places.len() != Key::ALL.len() || print != FINGERPRINT {
            return Err(CatalogueError::OtherVersion);
        }
        Ok(Catalogue {
            text: Cow::Owned(file),
            places,
        })
    }

    /// The message of a key, with its slots.
    pub fn message(&self, key: Key) -> &str {
        match self.places.get(key as usize) {
            Some((start, end)) => slice(&self.text, *start, *end),
            None => "",
        }
    }
}

/// Where each line begins and ends, without its line end.
fn lines(text: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let from = start;
        start += line.len() as u32;
        (
            from,
            from + line.trim_end_matches(['\n', '\r']).len() as u32,
        )
    })
}

fn slice(text: &str, start: u32, end: u32) -> &str {
    text.get(start as usize..end as usize).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_has_a_message_for_every_key() {
        let english = Catalogue::english();
        for key in Key::ALL {
            assert!(!english.message(*key).is_empty(), "{key:?}");
        }
    }

    #[test]
    fn the_english_file_read_as_a_loaded_file_is_the_embedded_one() {
        let loaded =
            Catalogue::read(include_str!("en.txt").to_owned()).expect("it is of this version");
        let embedded = Catalogue::english();
        for key in Key::ALL {
            assert_eq!(loaded.message(*key), embedded.message(*key));
        }
    }

    #[test]
    fn a_file_of_another_version_is_refused() {
        let file = include_str!("en.txt");
        let without_a_line: Vec<&str> =
            file.lines().filter(|l| !l.starts_with("Lost = ")).collect();
        assert_eq!(
            Catalogue::read(without_a_line.join("\n")).err(),
            Some(CatalogueError::OtherVersion)
        );
        assert_eq!(
            Catalogue::read(file.replace("Lost = ", "Gone = ")).err(),
            Some(CatalogueError::OtherVersion)
        );
        assert_eq!(
            Catalogue::read("<!DOCTYPE html>".to_owned()).err(),
            Some(CatalogueError::OtherVersion)
        );
        assert_eq!(
            Catalogue::read(String::new()).err(),
            Some(CatalogueError::OtherVersion)
        );
    }
}
