//! Single lines of a script's text: a setting, the action of a step.

use highwater_core::scenario::names;
use highwater_core::scenario::value::When;

/// `text` with the setting written into its `set` line, or into a new one before the first step. Works on a text with
/// mistakes too.
pub fn with_setting(text: &str, name: &str, value: &str) -> String {
    let setting = names::find(name);
    let names_it = |word: &str| {
        word.split_once('=')
            .is_some_and(|(written, _)| match (setting, names::find(written)) {
                (Some(wanted), Some(found)) => wanted.name == found.name,
                _ => written == name,
            })
    };
    let printed = setting.map_or(name, |setting| setting.name);
    let pair = format!("{printed}={value}");
    let mut out = String::with_capacity(text.len() + pair.len() + 8);
    let mut done = false;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        let is_set = words.starts_with("set ") || words.starts_with("set\t");
        if is_set && !done && words.split_whitespace().any(names_it) {
            out.push_str(&replace_word(line, names_it, &pair));
            done = true;
            continue;
        }
        let before_steps = words.trim().is_empty()
            || words.starts_with('#')
            || words.starts_with("title")
            || is_set;
        if !before_steps && !done {
            out.push_str(&format!("set {pair}\n"));
            done = true;
        }
        out.push_str(line);
    }
    if !done {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&format!("set {pair}\n"));
    }
    out
}

fn replace_word(line: &str, wanted: impl Fn(&str) -> bool, by: &str) -> String {
    let mut out = String::with_capacity(line.len() + by.len());
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        let (space, words) = rest.split_at(start);
        let end = words.find(char::is_whitespace).unwrap_or(words.len());
        let (word, after) = words.split_at(end);
        out.push_str(space);
        out.push_str(if wanted(word) { by } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `text` with another action in the step on line `line` (from 1); its time and its comment stay. None when there is
/// no such line.
pub fn with_action(text: &str, line: u32, when: When, action: &str) -> Option<String> {
    let place = usize::try_from(line.checked_sub(1)?).ok()?;
    let old = text.split_inclusive('\n').nth(place)?;
    let start = old.as_ptr() as usize - text.as_ptr() as usize;
    let end = start + old.trim_end_matches(['\n', '\r']).len();
    let old = text.get(start..end)?;
    let words = match when {
        When::At(_) | When::After(_) => 2,
        When::Settled => 1,
    };
    let comment = old
        .char_indices()
        .find(|(at, c)| {
            *c == '#'
                && old
                    .get(..*at)
                    .is_some_and(|s| s.ends_with(char::is_whitespace))
        })
        .and_then(|(at, _)| old.get(at..))
        .map(str::trim_end);
    // One step is one line: a line break would make two of them.
    let action = action.replace(['\n', '\r'], " ");
    let mut changed = format!("{} {}", first_words(old, words), action.trim());
    if let Some(comment) = comment {
        changed.push(' ');
        changed.push_str(comment);
    }
    let mut out = String::with_capacity(text.len() + changed.len());
    out.push_str(text.get(..start)?);
    out.push_str(&changed);
    out.push_str(text.get(end..)?);
    Some(out)
}

/// The first words of a line with the space before them.
fn first_words(line: &str, count: usize) -> &str {
    let mut end = 0;
    for _ in 0..count {
        let rest = line.get(end..).unwrap_or_default();
        let word = rest.trim_start();
        let start = rest.len() - word.len();
        end += start + word.find(char::is_whitespace).unwrap_or(word.len());
    }
    line.get(..end).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::kafka::ids::Millis;

    #[test]
    fn a_setting_is_written_where_it_stands_or_before_the_first_step() {
        assert_eq!(
            with_setting(
                "title A\nset retries=3  acks=all # x\nat 1ms boom\n",
                "acks",
                "1"
            ),
            "title A\nset retries=3  acks=1 # x\nat 1ms boom\n"
        );
        assert_eq!(
            with_setting("# c\ntitle A\n\nat 1ms boom\n", "min.isr", "1"),
            "# c\ntitle A\n\nset min.insync.replicas=1\nat 1ms boom\n"
        );
        assert_eq!(
            with_setting("title A", "acks", "0"),
            "title A\nset acks=0\n"
        );
        assert_eq!(
            with_setting("set min.isr=3\n", "min.insync.replicas", "2"),
            "set min.insync.replicas=2\n"
        );
    }

    #[test]
    fn a_step_keeps_its_time_and_its_comment() {
        let text = "title A\n  at 5ms   kill 1  # why\nthen check\n";
        assert_eq!(
            with_action(text, 2, When::At(Millis(5)), " kill\n2 ").as_deref(),
            Some("title A\n  at 5ms kill 2 # why\nthen check\n")
        );
        assert_eq!(
            with_action(text, 3, When::Settled, "kill 3").as_deref(),
            Some("title A\n  at 5ms   kill 1  # why\nthen kill 3\n")
        );
        assert_eq!(with_action(text, 9, When::Settled, "kill 3"), None);
        assert_eq!(with_action(text, 0, When::Settled, "kill 3"), None);
    }
}
