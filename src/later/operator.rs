//! What an operator would see, piece by piece, each to be copied.

use highwater_core::operator::{self, Section, Topic};
use highwater_core::sim::{Instant, Run};

use super::html::{element, escape};

/// Longer pieces keep their end: a log is read from there. In lines.
const MOST_LINES: usize = 200;

/// The markup.
pub fn view(run: &Run, instant: Instant, copy: &str) -> String {
    let topic = Topic::default();
    let sections = operator::sections(&operator::view(run, instant, &topic), &topic);
    let mut out = String::new();
    for section in &sections {
        piece(&mut out, section, copy);
    }
    out
}

fn piece(out: &mut String, section: &Section, copy: &str) {
    let name = match section.origin {
        Some(origin) => format!("{origin}: {}", section.name),
        None => section.name.clone(),
    };
    out.push_str("<section class=\"piece\"><div class=\"piece-head\">");
    element(out, "h3 translate=\"no\"", &name);
    let mut label = String::new();
    escape(&mut label, &format!("{copy}: {name}"));
    let open = format!("button type=\"button\" class=\"btn\" data-copy aria-label=\"{label}\"");
    element(out, &open, copy);
    out.push_str("</div>");
    let open = "pre class=\"well\" tabindex=\"0\" translate=\"no\"";
    element(out, open, &ends(&section.text));
    out.push_str("</section>");
}

/// The last lines of a text; a line of dots stands for what is left out.
fn ends(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    match lines.len().checked_sub(MOST_LINES) {
        Some(left_out) if left_out > 0 => format!("…\n{}\n", lines[left_out..].join("\n")),
        _ => text.to_owned(),
    }
}
