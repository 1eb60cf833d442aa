//! What the page asks about the playhead: who leads, which step is next to it, how steps are written.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::scenario::{print, print_action};
use highwater_core::sim::Instant;

use highwater_core::sim::compare::Difference;

use super::beside::Beside;
use super::library;
use super::question::{Asks, Question};
use super::state::{Origin, Session};
use crate::picture::view::{Mode, View};
use crate::say;
use crate::text::Text;
use crate::text::arg::millis;
use crate::text::describe::record_line;

/// Past so many records the columns may be so narrow that a lens follows the selection.
const LENS_FROM: usize = 20;

/// How the layers that stay are looked at, in the room that the session knows.
pub fn view(session: &Session) -> View {
    let many = session.ran().verdict.records.len() > LENS_FROM;
    View {
        width: session.width(),
        mode: match session.beside() {
            Some(_) => Mode::for_halves(session.width(), session.panel()),
            None => Mode::for_width(session.width(), session.panel()),
        },
        late: session.beside().map_or_else(Vec::new, |b| b.late()),
        unfolded: session.unfolded().clone(),
        selected: session.selected().filter(|_| many),
        ..View::default()
    }
}

/// The same with all that moves.
pub fn view_now(session: &Session) -> View {
    View {
        playhead: Some(session.playhead()),
        selected: session.selected(),
        hovered: session.hovered(),
        focused: session.focused(),
        ..view(session)
    }
}

/// The name of what is open.
pub fn name(text: &Text, session: &Session) -> String {
    let title = &session.scenario().title;
    let library = match session.origin() {
        // Other settings and steps leave the name as it is, in the reader's language, until its author gives it another.
        Origin::Library(id) => library::find(id).filter(|entry| entry.title() == title),
        Origin::Recording(_) => None,
    };
    match library {
        Some(entry) => text.fill(entry.name, &[]),
        None if title.is_empty() => say!(text, Untitled),
        None => title.clone(),
    }
}

/// What is asked, in the author's words or in ours.
pub fn question(text: &Text, question: &Question) -> String {
    match (question.words.as_str(), question.asks) {
        ("", Asks::Lost) => say!(text, AskLost),
        ("", Asks::Acknowledged) => say!(text, AskAcknowledged),
        ("", Asks::Visible) => say!(text, AskVisible),
        ("", Asks::Leader) => say!(text, AskLeader),
        (words, _) => words.to_owned(),
    }
}

/// What stands on the mark of the first difference.
pub fn mark_words(text: &Text, session: &Session, difference: &Difference) -> String {
    match view(session).mode {
        Mode::Wide => say!(text, FirstDifference),
        _ => format!("≠ {}", millis(difference.at())),
    }
}

/// The leader at the playhead as the controller has it; none = nobody leads.
pub fn leader(session: &Session) -> Option<BrokerId> {
    leader_before(session, session.playhead())
}

/// The same at the beginning of a millisecond.
pub fn leader_at(session: &Session, at: Millis) -> Option<BrokerId> {
    leader_before(session, Instant { at, position: 0 })
}

fn leader_before(session: &Session, instant: Instant) -> Option<BrokerId> {
    let run = &session.ran().run;
    let happened = run
        .events
        .partition_point(|event| super::moments::after(event) <= instant);
    let changed = run.events.get(..happened).unwrap_or_default().iter().rev();
    let last = changed.filter_map(|event| match &event.kind {
        EventKind::PartitionChanged { after, .. } => Some(after.leader),
        _ => None,
    });
    let at_start = || match &run.scenario.start {
        Some(start) => start.leader,
        None => run.scenario.settings.replicas.first().copied(),
    };
    last.take(1).next().unwrap_or_else(at_start)
}

/// The step that was carried out last at the playhead.
pub fn step_at(session: &Session) -> Option<usize> {
    let at = session.playhead().at;
    let count = session.ran().times.partition_point(|time| *time <= at);
    count.checked_sub(1)
}

/// What each step does, as a script writes it.
pub fn actions(session: &Session) -> Vec<String> {
    let steps = &session.scenario().steps;
    steps
        .iter()
        .map(|step| print_action(&step.action))
        .collect()
}

/// The scenario of the present run as text: without mistakes, whatever is being typed.
pub fn printed(session: &Session) -> String {
    print(&session.ran().run.scenario)
}

/// The same of the run that stands beside.
pub fn printed_b(beside: &Beside) -> String {
    print(&beside.ran.run.scenario)
}

/// Records that a description names one by one; of more it says how many.
const NAMED: usize = 12;

/// The picture in words: how to read it, who leads at the end, and one line a record.
pub fn in_words(text: &Text, session: &Session) -> String {
    let ran = session.ran();
    let mut out = vec![say!(text, PictureAbout)];
    let records = &ran.verdict.records;
    out.extend(
        records
            .iter()
            .take(NAMED)
            .map(|record| format!("{}.", record_line(text, record))),
    );
    let more = records.len().saturating_sub(NAMED);
    if more > 0 {
        out.push(say!(text, RecordsMore, n = more));
    }
    let last = &ran.run.last().cluster().controller.partition;
    out.push(match last.leader {
        Some(leader) => say!(
            text,
            EndsWithLeader,
            leader = leader,
            epoch = last.leader_epoch,
            isr = &last.isr
        ),
        None => say!(text, EndsWithoutLeader, isr = &last.isr, elr = &last.elr),
    });
    out.join(" ")
}
