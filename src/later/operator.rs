//! What an operator would see, piece by piece, each to be copied.

use highwater_core::operator::{self, Section, Topic};
use highwater_core::sim::{Instant, Run};

use super::html::{button, element};
use super::words::tell;
use crate::text::Text;

/// Longer pieces keep their end: a log is read from there. In lines.
const MOST_LINES: usize = 200;

/// The markup.
pub fn view(text: &Text, run: &Run, instant: Instant, copy: &str) -> String {
    let mut out = String::new();
    let words = (copy, tell!(text, Copied));
    for (place, section) in sections(run, instant).iter().enumerate() {
        piece(&mut out, section, place, (words.0, &words.1));
    }
    out
}

/// The whole text of a piece, by its place in the view, as it is copied.
pub fn whole(run: &Run, instant: Instant, place: i64) -> String {
    let place = usize::try_from(place).ok();
    let mut list = sections(run, instant);
    match place.filter(|place| *place < list.len()) {
        Some(place) => list.swap_remove(place).text,
        None => String::new(),
    }
}

fn sections(run: &Run, instant: Instant) -> Vec<Section> {
    let topic = Topic::default();
    operator::sections(&operator::view(run, instant, &topic), &topic)
}

fn piece(out: &mut String, section: &Section, place: usize, (copy, copied): (&str, &str)) {
    let name = match section.origin {
        Some(origin) => format!("{origin}: {}", section.name),
        None => section.name.clone(),
    };
    out.push_str("<section class=\"piece\"><div class=\"piece-head\">");
    element(out, "h3 translate=\"no\"", &name);
    let (place, label) = (place.to_string(), format!("{copy}: {name}"));
    let attributes = [
        ("data-copy", place.as_str()),
        ("data-done", copied),
        ("aria-label", &label),
    ];
    button(out, "btn", &attributes, copy);
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
