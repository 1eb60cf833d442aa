//! Carries a change of the scenario over to the text that somebody wrote: their comments, blank lines and spacing stay.

/// `text` says what `before` (the canonical print) says. Returns a text that says what `after` says, in which every
/// line that did not change is written as it was. When the lines of `text` and `before` cannot be paired, it is `after`.
pub fn carry(text: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = content(before).collect();
    let new: Vec<&str> = content(after).collect();
    let blocks = blocks(text);
    if blocks.lines.len() != old.len() {
        return after.to_owned();
    }
    let mut out = String::with_capacity(text.len().max(after.len()));
    let mut kept = common_lines(&old, &new).into_iter().peekable();
    let mut from_old = 0;
    for (place, line) in new.iter().enumerate() {
        match kept.peek() {
            Some(&(old_place, new_place)) if new_place == place => {
                // Comments above a line that is gone stay where they were.
                for block in blocks.lines.get(from_old..=old_place).unwrap_or_default() {
                    out.push_str(block.above);
                }
                if let Some(block) = blocks.lines.get(old_place) {
                    push_line(&mut out, block.line);
                }
                from_old = old_place.saturating_add(1);
                kept.next();
            }
            _ => push_line(&mut out, line),
        }
    }
    for block in blocks.lines.get(from_old..).unwrap_or_default() {
        out.push_str(block.above);
    }
    out.push_str(blocks.tail);
    out
}

/// As [`carry`], but of the steps alone, of which `before` ends with `steps.0` and `after` with `steps.1`: title, settings
/// and start stay as they were written, several to a line or with the values that they have anyway.
pub fn carry_steps(text: &str, before: &str, after: &str, steps: (usize, usize)) -> String {
    let [(head, old), (_, before), (_, after)] = [
        at_steps(text, steps.0),
        at_steps(before, steps.0),
        at_steps(after, steps.1),
    ];
    let end = if head.is_empty() || head.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{head}{end}{}", carry(old, before, after))
}

/// A text cut before the last `count` lines that say something.
fn at_steps(text: &str, count: usize) -> (&str, &str) {
    let mut left = count;
    let mut at = text.len();
    let mut from = text.len();
    for line in text.split_inclusive('\n').rev() {
        if left == 0 {
            break;
        }
        at -= line.len();
        if says_something(line) {
            left -= 1;
            from = at;
        }
    }
    text.split_at_checked(from).unwrap_or((text, ""))
}

/// Whether a line says something: it is neither blank nor a comment.
fn says_something(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| says_something(line))
}

struct Block<'a> {
    /// Blank lines and comments above the line, with their line ends.
    above: &'a str,
    /// The line, without its end.
    line: &'a str,
}

struct Blocks<'a> {
    lines: Vec<Block<'a>>,
    /// What follows the last line that says something.
    tail: &'a str,
}

fn blocks(text: &str) -> Blocks<'_> {
    let mut lines = Vec::new();
    let mut above_from = 0;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let start = at;
        at += whole.len();
        if says_something(whole) {
            lines.push(Block {
                above: text.get(above_from..start).unwrap_or_default(),
                line: whole.trim_end_matches(['\n', '\r']),
            });
            above_from = at;
        }
    }
    Blocks {
        lines,
        tail: text.get(above_from..).unwrap_or_default(),
    }
}

fn push_line(out: &mut String, line: &str) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(line);
    out.push('\n');
}

/// Pairs of places (old, new) of lines that are the same, both ascending. Equal ends are paired first; only what lies
/// between is compared, and when that is too much (an edit changes one line, not thousands) nothing there is paired.
fn common_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    const MOST: usize = 250_000;
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_mid = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_mid = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|place| (place, place)).collect();
    if old_mid.len().saturating_mul(new_mid.len()) <= MOST {
        pairs.extend(
            longest_common(old_mid, new_mid)
                .into_iter()
                .map(|(a, b)| (a + head, b + head)),
        );
    }
    let (old_tail, new_tail) = (old.len() - tail, new.len() - tail);
    pairs.extend((0..tail).map(|place| (old_tail + place, new_tail + place)));
    pairs
}

/// The longest common subsequence as pairs of places.
fn longest_common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    let mut length = vec![0u32; (old.len() + 1) * width];
    let get = |length: &[u32], a: usize, b: usize| length.get(a * width + b).copied().unwrap_or(0);
    for (a, left) in old.iter().enumerate().rev() {
        for (b, right) in new.iter().enumerate().rev() {
            let best = if left == right {
                get(&length, a + 1, b + 1) + 1
            } else {
                get(&length, a + 1, b).max(get(&length, a, b + 1))
            };
            if let Some(cell) = length.get_mut(a * width + b) {
                *cell = best;
            }
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(left), Some(right)) = (old.get(a), new.get(b)) {
        if left == right {
            pairs.push((a, b));
            a += 1;
            b += 1;
        } else if get(&length, a + 1, b) >= get(&length, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{carry, carry_steps};

    #[test]
    fn steps_are_carried_when_what_stands_before_them_is_written_otherwise() {
        let text = "# mine\nset a=1 b=2 # both\n\n# one\nat 1 x # hello\nat 2 y\n";
        let before = "set a=1\nat 1ms x\nat 2ms y\n";
        assert_eq!(
            carry_steps(
                text,
                before,
                "set a=1\nat 1ms x\nat 2ms y\nat 3ms z\n",
                (2, 3)
            ),
            format!("{text}at 3ms z\n")
        );
        assert_eq!(
            carry_steps(text, before, "set a=1\nat 2ms y\n", (2, 1)),
            "# mine\nset a=1 b=2 # both\n\n# one\nat 2 y\n"
        );
        // The first step of a text without a line end.
        assert_eq!(
            carry_steps("# mine", "", "at 1ms x\n", (0, 1)),
            "# mine\nat 1ms x\n"
        );
    }

    #[test]
    fn comments_and_spacing_stay() {
        let text =
            "# why\ntitle One\n\nset   acks=1   # mine\n# the fault\nat 5ms   kill 1\n# end\n";
        let before = "title One\nset acks=1\nat 5ms kill 1\n";
        let after = "title One\nset acks=1\nset elr=off\nat 5ms kill 1\nat 9ms kill 2\n";
        assert_eq!(
            carry(text, before, after),
            "# why\ntitle One\n\nset   acks=1   # mine\nset elr=off\n# the fault\nat 5ms   kill 1\nat 9ms kill 2\n# end\n"
        );
    }

    #[test]
    fn the_comment_of_a_line_that_goes_is_kept() {
        let text = "# a\nat 1ms kill 1\n# b\nat 2ms kill 2\n";
        let before = "at 1ms kill 1\nat 2ms kill 2\n";
        assert_eq!(
            carry(text, before, "at 2ms kill 2\n"),
            "# a\n# b\nat 2ms kill 2\n"
        );
        assert_eq!(carry(text, before, ""), "# a\n# b\n");
    }

    #[test]
    fn a_changed_line_is_replaced_in_its_place() {
        let text = "set acks=1\n\nat 1ms check";
        assert_eq!(
            carry(
                text,
                "set acks=1\nat 1ms check\n",
                "set acks=all\nat 1ms check\n"
            ),
            "set acks=all\n\nat 1ms check\n"
        );
    }

    #[test]
    fn lines_that_cannot_be_paired_give_the_canonical_text() {
        assert_eq!(carry("a\n", "a\nb\n", "c\n"), "c\n");
    }

    #[test]
    fn an_unchanged_scenario_leaves_the_text_alone() {
        let text = "# only\n\n a  1\n\n#x\n";
        assert_eq!(carry(text, "a 1\n", "a 1\n"), text);
    }
}
