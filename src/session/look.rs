//! What the page asks about the playhead: who leads, which step is next to it, how steps are written.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::BrokerId;
use highwater_core::scenario::print_action;

use super::state::Session;

/// The leader at the playhead as the controller has it; none = nobody leads.
pub fn leader(session: &Session) -> Option<BrokerId> {
    let run = &session.ran().run;
    let happened = run
        .events
        .partition_point(|event| super::moments::after(event) <= session.playhead());
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
    steps.iter().map(|step| print_action(&step.action)).collect()
}
