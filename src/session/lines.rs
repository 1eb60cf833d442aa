//! Single lines of a script's text: a setting, the action of a step.

use highwater_core::scenario::names;
use highwater_core::scenario::value::{Scenario, When};

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

/// The action of each step as the canonical text writes it, without its time.
pub fn actions(canonical: &str, scenario: &Scenario) -> Vec<String> {
    step_lines(canonical, scenario)
        .into_iter()
        .zip(&scenario.steps)
        .map(|(line, step)| split_when(line, step.when).1.to_owned())
        .collect()
}

/// The canonical text with another action in step `index`; none when there is no such step.
pub fn with_action(
    canonical: &str,
    scenario: &Scenario,
    index: usize,
    action: &str,
) -> Option<String> {
    let step = scenario.steps.get(index)?;
    let lines = step_lines(canonical, scenario);
    let line = lines.get(index)?;
    let (when, _) = split_when(line, step.when);
    // One step is one line: a line break would make two of them.
    let action = action.replace(['\n', '\r'], " ");
    let changed = format!("{when} {}", action.trim());
    let start = line.as_ptr() as usize - canonical.as_ptr() as usize;
    let mut text = String::with_capacity(canonical.len() + changed.len());
    text.push_str(canonical.get(..start)?);
    text.push_str(&changed);
    text.push_str(canonical.get(start + line.len()..)?);
    Some(text)
}

/// The last lines of a canonical text are its steps, one a line.
fn step_lines<'a>(canonical: &'a str, scenario: &Scenario) -> Vec<&'a str> {
    let lines: Vec<&str> = canonical.lines().filter(|l| !l.trim().is_empty()).collect();
    let first = lines.len().saturating_sub(scenario.steps.len());
    lines.get(first..).unwrap_or_default().to_vec()
}

/// The words that say when, and the rest.
fn split_when(line: &str, when: When) -> (&str, &str) {
    let words = match when {
        When::At(_) | When::After(_) => 2,
        When::Settled => 1,
    };
    let mut end = 0;
    for _ in 0..words {
        let rest = line.get(end..).unwrap_or_default();
        let start = rest.len() - rest.trim_start().len();
        let word = rest.trim_start();
        end += start + word.find(char::is_whitespace).unwrap_or(word.len());
    }
    let (when, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    (when.trim_end(), rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_written_where_it_stands_or_before_the_first_step() {
        assert_eq!(
            with_setting("title A\nset retries=3  acks=all # x\nat 1ms boom\n", "acks", "1"),
            "title A\nset retries=3  acks=1 # x\nat 1ms boom\n"
        );
        assert_eq!(
            with_setting("# c\ntitle A\n\nat 1ms boom\n", "min.isr", "1"),
            "# c\ntitle A\n\nset min.insync.replicas=1\nat 1ms boom\n"
        );
        assert_eq!(with_setting("title A", "acks", "0"), "title A\nset acks=0\n");
        assert_eq!(with_setting("set min.isr=3\n", "min.insync.replicas", "2"), "set min.insync.replicas=2\n");
    }
}
