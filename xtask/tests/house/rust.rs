//! A reader of Rust that is just good enough: names, signs and strings, without comments and without tests.

/// One piece of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or a keyword.
    Name(String),
    /// The text of a string literal.
    Text(String),
    /// `::`
    PathSign,
    /// Any other sign.
    Sign(char),
}

/// A token and the line it begins on.
pub type Placed = (Token, usize);

/// Splits a source file into tokens.
pub fn tokens(source: &str) -> Vec<Placed> {
    let mut reader = Reader {
        rest: source,
        line: 1,
        found: Vec::new(),
    };
    while !reader.rest.is_empty() {
        reader.next();
    }
    reader.found
}

struct Reader<'source> {
    rest: &'source str,
    line: usize,
    found: Vec<Placed>,
}

impl Reader<'_> {
    fn next(&mut self) {
        let rest = self.rest;
        let first = rest.chars().next().unwrap_or(' ');
        if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.skip(comment_length(rest));
        } else if let Some((start, end, length)) = text_bounds(rest) {
            self.found
                .push((Token::Text(rest[start..end].to_owned()), self.line));
            self.skip(length);
        } else if first == '\'' {
            self.skip(quote_length(rest));
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest
                .find(|sign: char| !sign.is_alphanumeric() && sign != '_')
                .unwrap_or(rest.len());
            self.found
                .push((Token::Name(rest[..length].to_owned()), self.line));
            self.skip(length);
        } else if rest.starts_with("::") {
            self.found.push((Token::PathSign, self.line));
            self.skip(2);
        } else {
            if !first.is_whitespace() {
                self.found.push((Token::Sign(first), self.line));
            }
            self.skip(first.len_utf8());
        }
    }

    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count();
        self.rest = &self.rest[length..];
    }
}

/// The length of a block comment; they nest.
fn comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Where the text of a string literal begins and ends, and the length of the literal.
fn text_bounds(rest: &str) -> Option<(usize, usize, usize)> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        let after = rest
            .strip_prefix(prefix)
            .map(|after| after.trim_start_matches('#'));
        after.is_some_and(|after| after.starts_with('"'))
    })?;
    let hashes = rest[prefix.len()..].find('"')?;
    if hashes > 0 && !prefix.ends_with('r') {
        return None;
    }
    let start = prefix.len() + hashes + 1;
    if prefix.ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        let end = start + rest[start..].find(&close)?;
        return Some((start, end, end + close.len()));
    }
    let mut escaped = false;
    for (place, sign) in rest[start..].char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((start, start + place, start + place + 1)),
            _ => {}
        }
    }
    None
}

/// A character literal, or the quote of a lifetime.
fn quote_length(rest: &str) -> usize {
    let mut signs = rest.char_indices().skip(1);
    match signs.next() {
        Some((_, '\\')) => rest[3..].find('\'').map_or(rest.len(), |place| place + 4),
        Some((_, _)) => match signs.next() {
            Some((place, '\'')) => place + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// Leaves out every item under `#[cfg(test)]`: tests may look into any room.
pub fn without_tests(tokens: &[Placed]) -> Vec<Placed> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match attribute_end(tokens, at) {
            Some(end) if is_test_attribute(&tokens[at..end]) => at = item_end(tokens, end),
            _ => {
                kept.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    kept
}

/// The place after an attribute `#[…]` that begins here.
fn attribute_end(tokens: &[Placed], at: usize) -> Option<usize> {
    let sign = |place: usize| tokens.get(place).map(|(token, _)| token);
    if sign(at) != Some(&Token::Sign('#')) || sign(at + 1) != Some(&Token::Sign('[')) {
        return None;
    }
    Some(block_end(tokens, at + 1))
}

fn is_test_attribute(attribute: &[Placed]) -> bool {
    let names: Vec<&str> = attribute
        .iter()
        .filter_map(|(token, _)| match token {
            Token::Name(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    names.first() == Some(&"cfg") && names.contains(&"test") && !names.contains(&"not")
}

/// The place after the item: after its `;` or its braces.
fn item_end(tokens: &[Placed], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at].0 {
            Token::Sign(';') => return at + 1,
            Token::Sign('{') => return block_end(tokens, at),
            Token::Sign('[' | '(') => at = block_end(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// The place after the bracket that closes the one here.
pub fn block_end(tokens: &[Placed], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < tokens.len() {
        match tokens[at].0 {
            Token::Sign('{' | '[' | '(') => depth += 1,
            Token::Sign('}' | ']' | ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let named = |(token, _): &Placed| match token {
            Token::Name(name) => Some(name.clone()),
            _ => None,
        };
        without_tests(&tokens(source))
            .iter()
            .filter_map(named)
            .collect()
    }

    #[test]
    fn comments_strings_and_characters_are_no_names() {
        let source = "a /* b /* c */ d */ e // f\n g \"h \\\" i\" r#\"j \" k\"# 'l' '\\'' &'m n";
        assert_eq!(names(source), ["a", "e", "g", "m", "n"]);
    }

    #[test]
    fn items_of_tests_are_left_out() {
        let source = "fn a() {} #[cfg(test)] mod tests { use b; fn c() { d } } fn e() {} \
                      #[cfg(test)] #[allow(f)] use g; #[cfg(not(test))] fn h() {}";
        let names = names(source);
        for left in ["a", "e", "h"] {
            assert!(names.iter().any(|name| name == left), "{left}");
        }
        for out in ["tests", "b", "c", "d", "f", "g"] {
            assert!(names.iter().all(|name| name != out), "{out}");
        }
    }

    #[test]
    fn lines_are_counted_over_strings_and_comments() {
        let found = tokens("/* \n */ \"\n\" last");
        assert_eq!(found.last(), Some(&(Token::Name("last".to_owned()), 3)));
    }
}
