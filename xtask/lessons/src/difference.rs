//! What the comparison of two runs comes to, above their pictures: the first instant at which something comes out
//! differently, or else what only happens at another time.

use highwater::html::Html;
use highwater::text::arg::millis;
use highwater_core::kafka::ids::Millis;
use highwater_core::sim::compare::compare;

use crate::anchor::{self, Ran};
use crate::page::One;
use crate::words::Words;

/// What may happen to a record at another time, with the word for it.
const FACTS: [(&str, &str); 3] = [
    ("acknowledged", "TimeAcknowledged"),
    ("committed", "TimeCommitted"),
    ("read", "TimeRead"),
];

/// A fact of a record that two runs have at different times after its sending.
struct Later {
    record: u64,
    word: &'static str,
    after: [Millis; 2],
}

impl One<'_> {
    /// The first instant at which something comes out differently in two runs.
    pub(crate) fn difference(&self, html: &mut Html) {
        let named = |name: &String| Some((name.clone(), self.whole.lesson.runs.get(name)?));
        let runs: Vec<(String, &Ran)> = self.step.show.iter().filter_map(named).collect();
        let [(name_a, a), (name_b, b)] = runs.as_slice() else {
            return;
        };
        let words = self.whole.words;
        let comparison = compare((&a.run, &a.verdict), (&b.run, &b.verdict));
        html.raw("<p class=\"differs\">");
        let Some(first) = comparison.first() else {
            html.text(words.say("Same")).raw("</p>");
            times(
                &later([a, b], self.step.select),
                [name_a, name_b],
                words,
                html,
            );
            return;
        };
        html.text(&words.fill("Differs", &[("at", &millis(first.at()))]));
        html.raw("</p><ul class=\"because\">");
        for (name, ran, moment) in [(name_a, a, &first.a), (name_b, b, &first.b)] {
            if let Some(id) = moment.as_ref().and_then(|m| m.event) {
                let said = crate::say::event(self.whole.text, ran, id);
                self.sentence(&said, Some(name), html);
            }
        }
        html.raw("</ul>");
    }
}

fn times(list: &[Later], [a, b]: [&String; 2], words: &Words, html: &mut Html) {
    if list.is_empty() {
        return;
    }
    html.raw("<ul class=\"because\">");
    for later in list {
        let [in_a, in_b] = later.after.map(millis);
        let said = words.fill(
            later.word,
            &[
                ("record", &format!("m{}", later.record)),
                ("in_a", &in_a),
                ("in_b", &in_b),
                ("a", a),
                ("b", b),
            ],
        );
        html.raw("<li>").text(&said).raw("</li>");
    }
    html.raw("</ul>");
}

/// What differs of the selected record; without one, or when nothing does, of the first record of which anything does.
fn later(runs: [&Ran; 2], select: Option<u64>) -> Vec<Later> {
    let sent = runs[0].verdict.records.iter().map(|r| r.record);
    let order = select.into_iter().chain(sent);
    let mut lists = order.map(|record| of_record(runs, record));
    lists.find(|list| !list.is_empty()).unwrap_or_default()
}

fn of_record(runs: [&Ran; 2], record: u64) -> Vec<Later> {
    let after = |ran: &Ran, fact: &str| {
        let from = anchor::instant(ran, &format!("m{record}.sent")).ok()?;
        let to = anchor::instant(ran, &format!("m{record}.{fact}")).ok()?;
        Some(to.at.since(from.at))
    };
    let facts = FACTS.iter().filter_map(|(fact, word)| {
        let both = [after(runs[0], fact)?, after(runs[1], fact)?];
        (both[0] != both[1]).then_some(Later {
            record,
            word,
            after: both,
        })
    });
    facts.collect()
}
