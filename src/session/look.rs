//! What the page asks about the playhead: who leads, which step is next to it, how steps are written.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::scenario::{print, print_action};
use highwater_core::sim::Instant;

use super::state::Session;
use crate::say;
use crate::text::Text;
use crate::text::describe::record_line;

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
