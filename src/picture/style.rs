//! The style sheet of a picture that is a file of its own: the rules of the page with every token replaced by its value,
//! because a file cannot ask the page for them, and few viewers of SVG but browsers know variables or queries.

use core::fmt::Write;

/// The colours and sizes by role.
const TOKENS: &str = include_str!("../../style/tokens.css");
/// The look of each class.
const LOOKS: &str = include_str!("../../style/picture.css");

/// On which ground a file is readable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Light, and dark where the place asks for it.
    #[default]
    Auto,
    /// Light everywhere.
    Light,
    /// Dark everywhere.
    Dark,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    /// Its name on the page and in links.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of that name.
    pub fn of(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// The style sheet for a theme. In Chinese the fonts that draw Han letters as Chinese readers know them come first.
/// Every rule begins with the class of the picture, so that a file whose markup stands in a page changes nothing else there.
pub fn sheet(theme: Theme, chinese: bool) -> String {
    let rules = rules(LOOKS);
    let resolved = |dark: bool| -> Vec<(String, String)> {
        let tokens = Tokens::read(dark, chinese);
        let own = rules
            .iter()
            .filter(|(selector, _)| !selector.starts_with('@'));
        own.map(|(selector, body)| (scoped(selector), tokens.resolve(body)))
            .collect()
    };
    let first = resolved(theme == Theme::Dark);
    let mut out = String::new();
    let put = |out: &mut String, (selector, body): &(String, String)| {
        let _ = write!(out, "{selector}{{{body}}}");
    };
    first.iter().for_each(|rule| put(&mut out, rule));
    if theme == Theme::Auto {
        out.push_str("@media(prefers-color-scheme:dark){");
        let changed = resolved(true);
        let changed = changed
            .iter()
            .zip(&first)
            .filter(|(dark, light)| dark != light);
        changed.for_each(|(dark, _)| put(&mut out, dark));
        out.push('}');
    }
    out
}

/// `.guide, .pic .ti` as `.pic .guide,.pic .ti`.
fn scoped(selector: &str) -> String {
    let one = |part: &str| match part.starts_with(".pic") {
        true => part.to_owned(),
        false => format!(".pic {part}"),
    };
    let parts: Vec<String> = selector.split(',').map(|part| one(part.trim())).collect();
    parts.join(",")
}

/// The tokens of one theme, by name without the dashes.
struct Tokens {
    values: Vec<(String, String)>,
}

impl Tokens {
    fn read(dark: bool, chinese: bool) -> Tokens {
        let mut values: Vec<(String, String)> = Vec::new();
        for (selector, body) in rules(TOKENS) {
            let counts = selector == ":root" || (dark && selector == ":root[data-theme=\"dark\"]");
            for declaration in body.split(';').filter(|_| counts) {
                let Some((name, value)) = declaration.split_once(':') else {
                    continue;
                };
                let Some(name) = name.trim().strip_prefix("--") else {
                    continue;
                };
                let value = match name == "sans" && chinese {
                    true => chinese_first(value),
                    false => value.trim().to_owned(),
                };
                // The last one counts.
                values.retain(|(known, _)| known != name);
                values.push((name.to_owned(), value));
            }
        }
        Tokens { values }
    }

    fn value(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// The declarations with values for names. A token may be made of others.
    fn resolve(&self, body: &str) -> String {
        let mut out = body.to_owned();
        for _ in 0..DEPTH {
            let Some((front, rest)) = out.split_once("var(--") else {
                break;
            };
            let Some((name, back)) = rest.split_once(')') else {
                break;
            };
            out = format!("{front}{}{back}", self.value(name));
        }
        out
    }
}

/// More variables than one rule has.
const DEPTH: usize = 16;

/// Names of fonts, those for Chinese before those for Korean.
fn chinese_first(list: &str) -> String {
    let is_korean = |font: &&str| {
        ["KR\"", "Apple SD", "Malgun"]
            .iter()
            .any(|sign| font.contains(sign))
    };
    let fonts = || list.split(',').map(str::trim);
    let latin = fonts().take_while(|font| !is_korean(font));
    let rest = || fonts().skip_while(|font| !is_korean(font));
    let chinese = rest().filter(|font| !is_korean(font) && *font != "sans-serif");
    let ordered: Vec<&str> = latin
        .chain(chinese)
        .chain(rest().filter(is_korean))
        .chain(["sans-serif"])
        .collect();
    ordered.join(",")
}

/// The rules at the top of a style sheet: selector and declarations, without comments and needless spaces. What stands in
/// a query is one rule whose selector begins with `@`.
fn rules(sheet: &str) -> Vec<(String, String)> {
    let mut plain = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((front, comment)) = rest.split_once("/*") {
        plain.push_str(front);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let mut rules = Vec::new();
    let mut rest = plain.as_str();
    while let Some((selector, after)) = rest.split_once('{') {
        let end = end_of_block(after);
        let (body, after) = after.split_at_checked(end).unwrap_or((after, ""));
        rules.push((close(selector), close(body)));
        rest = after.strip_prefix('}').unwrap_or("");
    }
    rules
}

/// Where the block ends whose content is given.
fn end_of_block(text: &str) -> usize {
    let mut depth = 0_u32;
    for (place, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return place,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// One space for many, none beside signs.
fn close(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut out = words.join(" ");
    for sign in [":", ";", ","] {
        out = out.replace(&format!("{sign} "), sign);
    }
    out.trim_end_matches(';').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_value_and_every_rule_stays_in_the_picture() {
        for theme in Theme::ALL {
            for chinese in [false, true] {
                let sheet = sheet(theme, chinese);
                for sign in ["var(", "/*", "\n", "--", "{}", ":;", ": "] {
                    assert!(!sheet.contains(sign), "{sign}: {sheet}");
                }
                let parts = sheet.split("@media(prefers-color-scheme:dark){");
                let selectors = parts.flat_map(|part| part.split(['{', '}']).step_by(2));
                let mut each = selectors.flat_map(|selector| selector.split(','));
                assert!(
                    each.all(|s| s.is_empty() || s.starts_with(".pic")),
                    "{sheet}"
                );
            }
        }
    }

    #[test]
    fn the_sheet_has_the_rules_of_the_page() {
        let light = sheet(Theme::Light, false);
        let dark = sheet(Theme::Dark, false);
        for (sheet, is_dark) in [(&light, false), (&dark, true)] {
            let tokens = Tokens::read(is_dark, false);
            let paper = tokens.value("paper");
            assert!(paper.starts_with('#'), "{paper}");
            assert!(
                sheet.contains(&format!(".pic .cover{{fill:{paper}}}")),
                "{sheet}"
            );
        }
        assert_ne!(light, dark);
        assert!(!light.contains("@media") && !dark.contains("@media"));
        let auto = sheet(Theme::Auto, false);
        assert!(auto.starts_with(&light));
        assert!(auto.contains("@media(prefers-color-scheme:dark){"));
        // What is the same on both grounds is not said twice.
        assert_eq!(auto.matches(".pic .headrule").count(), 2);
        assert_eq!(auto.matches(".pic .sub{").count(), 1);
    }

    #[test]
    fn in_chinese_the_fonts_for_chinese_come_first() {
        let korean = sheet(Theme::Light, false);
        let chinese = sheet(Theme::Light, true);
        let before = |sheet: &str| sheet.find("CJK SC") < sheet.find("CJK KR");
        assert!(before(&chinese) && !before(&korean));
        let fonts = |sheet: &str| {
            sheet
                .split('"')
                .filter(|part| part.contains(" CJK "))
                .count()
        };
        assert_eq!(fonts(&chinese), fonts(&korean));
    }
}
