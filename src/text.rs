//! Everything that is said in words: labels, the sentence behind every event, the verdict, the text alternatives.
//!
//! The messages of a language are one file in `text/`. The build script checks the files and writes the table of
//! [`Key`]s; English is embedded, another language is fetched when it is chosen and read by [`Text::read`].
//! A message is said with the [`say!`](crate::say) macro: a key that does not exist, a slot that the message does not
//! have, or a slot that is forgotten does not compile.

pub mod arg;
pub mod because;
pub mod catalogue;
mod chinese;
pub mod describe;
pub mod difference;
mod fingerprint;
pub mod headline;
pub mod in_force;
pub mod keys;
pub mod korean;
pub mod locale;
pub mod mistake;
#[cfg(test)]
mod source;
pub mod step;
pub mod template;
pub mod transcript;
pub mod waits;

pub use arg::Arg;
pub use catalogue::{Catalogue, CatalogueError};
pub use keys::Key;
pub use locale::Locale;

use template::{Form, Piece};

/// A language with its messages.
#[derive(Clone, Debug)]
pub struct Text {
    locale: Locale,
    catalogue: Catalogue,
}

impl Text {
    /// English, which is always there.
    pub fn english() -> Text {
        Text {
            locale: Locale::En,
            catalogue: Catalogue::english(),
        }
    }

    /// A language from the text of its file ([`Locale::file`]).
    ///
    /// # Errors
    /// [`CatalogueError`] when the file does not belong to this version of the page.
    pub fn read(locale: Locale, file: String) -> Result<Text, CatalogueError> {
        Ok(Text {
            locale,
            catalogue: Catalogue::read(file)?,
        })
    }

    /// The language.
    pub fn locale(&self) -> Locale {
        self.locale
    }

    /// A message with its slots filled. Use [`say!`](crate::say), which checks the names at compile time; a slot
    /// without a value stands as it is written.
    pub fn fill(&self, key: Key, args: &[(u8, Arg<'_>)]) -> String {
        self.fill_message(self.catalogue.message(key), keys::SLOTS, args)
    }

    /// A message of another table of this language, whose slots have these names, with its slots filled.
    pub fn fill_message(&self, message: &str, slots: &[&str], args: &[(u8, Arg<'_>)]) -> String {
        let mut out = String::new();
        let mut rest = message;
        while let Some((piece, left)) = template::next(rest) {
            match piece {
                Piece::Literal(literal) => out.push_str(literal),
                Piece::Slot { name, form } => match args
                    .iter()
                    .find(|(slot, _)| slots.get(usize::from(*slot)) == Some(&name))
                {
                    Some((_, arg)) => self.put(&mut out, arg, form),
                    None => {
                        out.push('{');
                        out.push_str(name);
                        out.push('}');
                    }
                },
            }
            rest = left;
        }
        match self.locale {
            Locale::Zh => chinese::spaced(&out),
            _ => out,
        }
    }

    fn put(&self, out: &mut String, arg: &Arg<'_>, form: Form<'_>) {
        match form {
            Form::Plain => out.push_str(&arg.write(self)),
            Form::Capital => out.push_str(&capital(&arg.write(self))),
            Form::Count(one, many) => out.push_str(if arg.count() == 1 { one } else { many }),
            Form::Particle(after_consonant, after_vowel) => {
                let value = arg.write(self);
                out.push_str(&value);
                out.push_str(korean::particle(&value, after_consonant, after_vowel));
            }
        }
    }
}

/// Every language that the page has, for tests that hold in each.
#[cfg(test)]
pub(crate) fn every_language() -> Vec<Text> {
    let read =
        |locale, file: &str| Text::read(locale, file.to_owned()).expect("it is of this version");
    vec![
        Text::english(),
        read(Locale::Ko, include_str!("text/ko.txt")),
        read(Locale::Zh, include_str!("text/zh.txt")),
    ]
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

/// Says a message: `say!(text, HwMoves, hw = offset)`. Every slot of the message is named, in any order.
#[macro_export]
macro_rules! say {
    ($text:expr, $key:ident $(, $name:ident = $value:expr)* $(,)?) => {{
        // The names are checked against the message; nothing of this is left in the program.
        let _ = $crate::text::keys::args::$key { $($name: ()),* };
        $text.fill(
            $crate::text::Key::$key,
            &[$(($crate::text::keys::slot::$name, $crate::text::Arg::from(&$value))),*],
        )
    }};
}
