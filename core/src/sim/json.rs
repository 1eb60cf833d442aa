//! A whole run as JSON. The form is described, with an example that a test checks, in `docs/run-json.md`.

mod cause;
mod event;
mod message;
mod value;
mod verdict;

use super::judge;
use super::replay::StepComparison;
use super::run::{MessageRecord, Run, StepRecord};
use crate::kafka::event::Event;
use crate::scenario::names;
use crate::scenario::printer::{print, print_step};
use crate::scenario::trace::Trace;
use crate::scenario::value::{Step, StepOutcome};
use cause::CauseJson;
use serde::Serialize;
use value::{Fields, Json, ToJson};

pub use event::ALL as EVENTS;
pub use message::ALL as MESSAGES;

/// The name of the form; another form has another number.
pub const FORM: &str = "highwater-run/1";

/// A run on one page.
#[derive(Serialize)]
struct RunJson<'a> {
    form: &'static str,
    title: &'a str,
    script: String,
    settings: Fields,
    end: u64,
    cut_off: bool,
    steps: Vec<StepJson>,
    events: Vec<EventJson>,
    messages: Vec<MessageJson>,
    verdict: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<RecordingJson<'a>>,
}

/// A step of the script and what came of it.
#[derive(Serialize)]
struct StepJson {
    step: String,
    began: Json,
    done: Json,
    event: Json,
    outcome: Json,
}

/// An event with its cause.
#[derive(Serialize)]
struct EventJson {
    id: u32,
    at: u64,
    sequence: u32,
    kind: &'static str,
    fields: Fields,
    idle: bool,
    cause: CauseJson,
}

/// A message and its fate.
#[derive(Serialize)]
struct MessageJson {
    id: u32,
    from: Json,
    to: Json,
    reply_to: Json,
    kind: &'static str,
    fields: Fields,
    sent_at: Json,
    sent_event: Json,
    arrived_at: Json,
    end_event: Json,
}

/// What a real cluster showed, held against the model.
#[derive(Serialize)]
struct RecordingJson<'a> {
    id: &'a str,
    kafka: &'a str,
    recorded: u64,
    steps: Vec<ComparisonJson<'a>>,
}

/// One step of a recording.
#[derive(Serialize)]
struct ComparisonJson<'a> {
    step: Option<u64>,
    at: u64,
    compared: usize,
    differences: Vec<DifferenceJson<'a>>,
}

/// A value that the recording and the model tell differently.
#[derive(Serialize)]
struct DifferenceJson<'a> {
    name: &'a str,
    recorded: &'a str,
    model: &'a str,
}

/// A run as JSON, in one line.
pub fn to_json(run: &Run) -> String {
    text(&document(run))
}

/// A run of a recording as JSON, with what the cluster showed beside what the model shows.
pub fn recording_to_json(run: &Run, trace: &Trace, comparisons: &[StepComparison]) -> String {
    let steps = comparisons.iter().map(comparison).collect();
    text(&RunJson {
        recording: Some(RecordingJson {
            id: &trace.id,
            kafka: &trace.kafka,
            recorded: trace.recorded,
            steps,
        }),
        ..document(run)
    })
}

fn text(document: &RunJson<'_>) -> String {
    // It fails for a map whose keys are no text only, and there is none.
    serde_json::to_string(document).unwrap_or_default()
}

fn document(run: &Run) -> RunJson<'_> {
    let scenario = &run.scenario;
    let settings = names::ALL
        .iter()
        .map(|setting| (setting.name, setting.get(&scenario.settings).json()));
    RunJson {
        form: FORM,
        title: &scenario.title,
        script: print(scenario),
        settings: Fields(settings.collect()),
        end: run.end.0,
        cut_off: run.cut_off,
        steps: scenario
            .steps
            .iter()
            .zip(&run.steps)
            .map(|(step, record)| step_of(step, record))
            .collect(),
        events: run.events.iter().map(event_of).collect(),
        messages: run.messages.iter().map(message_of).collect(),
        verdict: judge::verdict(run).json(),
        recording: None,
    }
}

fn step_of(step: &Step, record: &StepRecord) -> StepJson {
    let one = |word, value| Json::Object(Fields(vec![(word, value)]));
    StepJson {
        step: print_step(step),
        began: record.began.json(),
        done: record.done.json(),
        event: record.event.json(),
        outcome: match &record.outcome {
            StepOutcome::Done => "Done".json(),
            StepOutcome::NeverHappened => "NeverHappened".json(),
            StepOutcome::Error(error) => one("Error", error.json()),
            StepOutcome::Impossible(reason) => one("Impossible", reason.json()),
        },
    }
}

fn event_of(event: &Event) -> EventJson {
    let (kind, fields) = event::fields_of(&event.kind);
    EventJson {
        id: event.id.0,
        at: event.at.0,
        sequence: event.sequence,
        kind,
        fields,
        idle: event.idle,
        cause: CauseJson::of(&event.cause),
    }
}

fn message_of(record: &MessageRecord) -> MessageJson {
    let message = &record.message;
    let (kind, fields) = message::fields_of(&message.body);
    MessageJson {
        id: record.id.0,
        from: message.from.json(),
        to: message.to.json(),
        reply_to: message.reply_to.json(),
        kind,
        fields,
        sent_at: record.sent_at.json(),
        sent_event: record.sent_event.json(),
        arrived_at: record.arrived_at.json(),
        end_event: record.end_event.json(),
    }
}

fn comparison(comparison: &StepComparison) -> ComparisonJson<'_> {
    ComparisonJson {
        step: comparison.step,
        at: comparison.at.0,
        compared: comparison.compared,
        differences: comparison
            .differences
            .iter()
            .map(|difference| DifferenceJson {
                name: &difference.name,
                recorded: &difference.recorded,
                model: &difference.model,
            })
            .collect(),
    }
}
