//! The nearest known word to a mistyped one.

/// The nearest of `words`, when it is near enough to be what was meant: at most a third of its letters differ.
pub fn nearest<'a>(found: &str, mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    among(found, &mut words)
}

/// One function for every kind of list: the page is to be small.
fn among<'a>(found: &str, words: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let found: Vec<char> = found
        .chars()
        .take(64)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if found.is_empty() {
        return None;
    }
    let allowed = |word: &str| 1.max(word.len() / 3);
    words
        // A difference of lengths is made of that many edits at least; most words need no closer look.
        .filter(|word| word.len().abs_diff(found.len()) <= allowed(word))
        .map(|word| (distance(&found, word), word))
        .filter(|(edits, word)| *edits <= allowed(word))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// How many letters must be changed, added, removed, or swapped with their neighbour.
fn distance(found: &[char], word: &str) -> usize {
    let word: Vec<char> = word.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (i, a) in found.iter().enumerate() {
        let mut next = Vec::with_capacity(word.len() + 1);
        next.push(i + 1);
        for (j, b) in word.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX - 1);
            let mut best = (at(&row, j) + usize::from(a != b))
                .min(at(&row, j + 1) + 1)
                .min(at(&next, j) + 1);
            let swapped =
                i > 0 && j > 0 && found.get(i - 1) == Some(b) && word.get(j - 1) == Some(a);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = core::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not() {
        let words = ["produce", "kill", "pause-fetch"];
        let near = |text| nearest(text, words.into_iter());
        assert_eq!(near("prodcue"), Some("produce"));
        assert_eq!(near("Kill"), Some("kill"));
        assert_eq!(near("pausefetch"), Some("pause-fetch"));
        assert_eq!(near("explode"), None);
        assert_eq!(near(""), None);
    }
}
