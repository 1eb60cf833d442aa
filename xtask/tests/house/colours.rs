//! Colours have roles, and the roles have their colours in one file.

use crate::rust::{Token, tokens};

/// The one file with colours.
pub const TOKENS: &str = "style/tokens.css";

/// Functions that write a colour. `color-mix` is none of them: it mixes roles.
const FUNCTIONS: &[&str] = &[
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color",
];

/// The colour literals of a file, each as a fault. In Rust only strings count.
pub fn faults(path: &str, text: &str) -> Vec<String> {
    let pieces: Vec<(String, usize)> = if path.ends_with(".rs") {
        tokens(text)
            .into_iter()
            .filter_map(|(token, line)| match token {
                Token::Text(text) => Some((text, line)),
                _ => None,
            })
            .collect()
    } else {
        let numbered = without_comments(text);
        numbered
            .lines()
            .enumerate()
            .map(|(index, line)| (line.to_owned(), index + 1))
            .collect()
    };
    pieces
        .iter()
        .flat_map(|(piece, line)| {
            literals(piece).into_iter().map(move |literal| {
                format!(
                    "{path}:{line}: the colour `{literal}`; give it a role in {TOKENS} and use that"
                )
            })
        })
        .collect()
}

/// Block comments become blank, line by line, so that the numbers of the lines stay.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        kept.push_str(&rest[..start]);
        let end = rest[start..]
            .find("*/")
            .map_or(rest.len(), |length| start + length + 2);
        kept.extend(rest[start..end].chars().filter(|sign| *sign == '\n'));
        rest = &rest[end..];
    }
    kept + rest
}

fn literals(text: &str) -> Vec<String> {
    let word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '-';
    let mut found = Vec::new();
    for (place, _) in text.match_indices('#') {
        let digits: String = text[place + 1..]
            .chars()
            .take_while(|sign| word(*sign))
            .collect();
        let is_colour = [3, 4, 6, 8].contains(&digits.len())
            && digits.chars().all(|sign| sign.is_ascii_hexdigit());
        // A reference to an element: url(#face), href="#add".
        let is_reference = text[..place].ends_with(['(', '"', '\''])
            && text[..place]
                .trim_end_matches(['"', '\''])
                .ends_with(['(', '=']);
        if is_colour && !is_reference {
            found.push(format!("#{digits}"));
        }
    }
    for function in FUNCTIONS {
        for (place, _) in text.match_indices(&format!("{function}(")) {
            if !text[..place].ends_with(word) {
                found.push(format!("{function}()"));
            }
        }
    }
    found
}

/// The contents of the theme colours of a page, in order.
pub fn theme_colours(page: &str) -> Vec<String> {
    let metas = page.split("<meta name=\"theme-color\"").skip(1);
    metas
        .filter_map(|meta| {
            Some(
                meta.split("content=\"")
                    .nth(1)?
                    .split('"')
                    .next()?
                    .to_owned(),
            )
        })
        .collect()
}

/// The values of `--paper`, in order: light first, then dark.
pub fn papers(css: &str) -> Vec<String> {
    let values = css.split("--paper:").skip(1);
    values
        .filter_map(|value| Some(value.split(';').next()?.trim().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_file_is_found_with_its_line() {
        let bad = "/* two\nlines */\na { color: #FFF; background: rgb(0 0 0) }\nb { fill: oklch(1 0 0) }\n";
        let found = faults("style/bad.css", bad);
        assert_eq!(found.len(), 3);
        assert!(found[0].starts_with("style/bad.css:3: the colour `#FFF`"));
        assert_eq!(
            faults("src/bad.rs", "fn f() { \"stroke:#15181c\" }").len(),
            1
        );
        assert_eq!(
            faults("src/bad.rs", "const INK: &str = \"#15181c\";").len(),
            1
        );
    }

    #[test]
    fn what_is_no_colour_is_no_fault() {
        for good in [
            "a { color: var(--ink); fill: color-mix(in oklab, var(--hw), var(--paper)); mask: url(#face) }",
            "#boot { margin: 0 } /* #fff */",
        ] {
            assert_eq!(
                faults("style/good.css", good),
                Vec::<String>::new(),
                "{good}"
            );
        }
        let rust = "#[derive(Debug)] // #fff\nfn f() { \"<use href='#add'/> issue #12345\" }";
        assert!(faults("src/good.rs", rust).is_empty());
    }
}
