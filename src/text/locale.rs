//! The languages of the page.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locale {
    /// English: embedded in the page.
    #[default]
    En,
    /// Korean.
    Ko,
    /// Chinese in simplified characters.
    Zh,
}

impl Locale {
    /// Every language, in the order of the switcher.
    pub const ALL: [Locale; 3] = [Locale::En, Locale::Ko, Locale::Zh];

    /// The value for `lang` attributes and links.
    pub fn tag(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::Ko => "ko",
            Locale::Zh => "zh-Hans",
        }
    }

    /// Its name in itself.
    pub fn name(self) -> &'static str {
        match self {
            Locale::En => "English",
            Locale::Ko => "한국어",
            Locale::Zh => "中文",
        }
    }

    /// The language for a tag such as `ko-KR`, `zh` or `zh-Hans-CN`; none for a language the page does not have
    /// (Chinese in traditional characters is one).
    pub fn of_tag(tag: &str) -> Option<Locale> {
        let mut parts = tag.split(['-', '_']);
        let language = parts.next()?;
        let traditional = parts.any(|part| {
            ["hant", "tw", "hk", "mo"]
                .iter()
                .any(|t| part.eq_ignore_ascii_case(t))
        });
        if language.eq_ignore_ascii_case("en") {
            Some(Locale::En)
        } else if language.eq_ignore_ascii_case("ko") {
            Some(Locale::Ko)
        } else if language.eq_ignore_ascii_case("zh") && !traditional {
            Some(Locale::Zh)
        } else {
            None
        }
    }

    /// The file to fetch, relative to the page; none for English, which is embedded.
    pub fn file(self) -> Option<&'static str> {
        match self {
            Locale::En => None,
            Locale::Ko => Some("text/ko.txt"),
            Locale::Zh => Some("text/zh.txt"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_tag_finds_its_language() {
        for (tag, expect) in [
            ("en", Some(Locale::En)),
            ("en-GB", Some(Locale::En)),
            ("ko-KR", Some(Locale::Ko)),
            ("zh", Some(Locale::Zh)),
            ("zh-CN", Some(Locale::Zh)),
            ("zh-Hans-SG", Some(Locale::Zh)),
            ("zh-TW", None),
            ("zh-Hant", None),
            ("de", None),
            ("", None),
        ] {
            assert_eq!(Locale::of_tag(tag), expect, "{tag}");
        }
        for locale in Locale::ALL {
            assert_eq!(Locale::of_tag(locale.tag()), Some(locale));
        }
    }
}
