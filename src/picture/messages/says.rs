//! What stands beside an arrow: the message in a few words of the protocol, which are the same in every language.

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::message::{Body, FetchResponse};
use highwater_core::kafka::record::{Batch, Payload};
use highwater_core::kafka::sort;
use highwater_core::sim::Run;

use super::super::class::Look;
use super::super::label::{self, Label, Rank, Taken};
use super::super::measure;
use super::super::shape::{Anchor, Shape, Tenths, at, px};
use super::super::sheet::id;
use super::arrow::{Arrow, End};
use super::lanes::Lanes;

/// The words of a message: long, and short where there is little room.
pub fn says(body: &Body) -> (String, String) {
    let one = |words: String| (words.clone(), words);
    match body {
        Body::ProduceRequest(request) => {
            let records = records(&request.batch);
            (format!("Produce {records}"), records)
        }
        Body::ProduceResponse(response) => match response.result {
            Ok(offset) => (format!("ok, offset {offset}"), "ok".to_owned()),
            Err(error) => one(error.name().to_owned()),
        },
        Body::FetchRequest(request) => one(format!("Fetch {}", request.fetch_offset)),
        Body::FetchResponse(response) => fetched(response),
        Body::OffsetsForLeaderEpochRequest(request) => (
            format!("OffsetForLeaderEpoch {}", request.epoch),
            format!("epoch {}", request.epoch),
        ),
        Body::OffsetsForLeaderEpochResponse(response) => match response.error {
            Some(error) => one(error.name().to_owned()),
            None => one(format!(
                "epoch {}, end {}",
                or_none(response.answer.epoch),
                or_none(response.answer.end_offset)
            )),
        },
        Body::ListOffsetsRequest(_) => one("ListOffsets".to_owned()),
        Body::ListOffsetsResponse(response) => answered(
            response.error,
            format!("offsets {}–{}", response.earliest, response.latest),
        ),
        Body::AlterPartitionRequest(request) => {
            let members: Vec<String> = request.isr.iter().map(|(id, _)| id.to_string()).collect();
            let members = members.join(",");
            (
                format!("AlterPartition {members}"),
                format!("ISR {members}"),
            )
        }
        Body::AlterPartitionResponse(response) => {
            answered(response.error, format!("ISR {}", response.isr))
        }
        Body::RegistrationRequest(_) => one("BrokerRegistration".to_owned()),
        Body::RegistrationResponse(response) => match response.result {
            Ok(epoch) => one(format!("brokerEpoch {epoch}")),
            Err(error) => one(error.name().to_owned()),
        },
        Body::HeartbeatRequest(_) => one("BrokerHeartbeat".to_owned()),
        Body::HeartbeatResponse(response) => answered(
            response.error,
            if response.is_fenced { "isFenced" } else { "ok" }.to_owned(),
        ),
        Body::Metadata(image) => (
            format!(
                "leader {}, epoch {}",
                or_none(image.partition.leader),
                image.partition.leader_epoch
            ),
            format!("leader {}", or_none(image.partition.leader)),
        ),
        Body::Disconnected => one("disconnected".to_owned()),
    }
}

fn fetched(response: &FetchResponse) -> (String, String) {
    if let Some(error) = response.error {
        return (error.name().to_owned(), error.name().to_owned());
    }
    if let Some(diverging) = response.diverging {
        let (epoch, end) = (or_none(diverging.epoch), or_none(diverging.end_offset));
        return (
            format!("divergingEpoch {epoch}, end {end}"),
            format!("diverging {end}"),
        );
    }
    if let Some(other) = response.preferred_read_replica {
        let words = format!("preferredReadReplica {other}");
        return (words.clone(), words);
    }
    let hw = format!("HW {}", response.high_watermark);
    match (response.batches.first(), response.batches.last()) {
        (Some(first), Some(last)) if first.base != last.base => {
            let words = format!("{} … {}", records(first), records(last));
            (format!("{words}, {hw}"), words)
        }
        (Some(batch), _) => (format!("{}, {hw}", records(batch)), records(batch)),
        _ => (hw.clone(), hw),
    }
}

fn answered(error: Option<KafkaError>, words: String) -> (String, String) {
    let words = error.map_or(words, |error| error.name().to_owned());
    (words.clone(), words)
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-1".to_owned(), |value| value.to_string())
}

/// The records of a batch by name.
pub fn records(batch: &Batch) -> String {
    let last = batch.count.saturating_sub(1);
    match batch.payload {
        Payload::Records { first } if last == 0 => format!("m{first}"),
        Payload::Records { first } => format!("m{first}–m{}", first.saturating_add(last)),
        Payload::Marker { commit: true } => "COMMIT".to_owned(),
        Payload::Marker { commit: false } => "ABORT".to_owned(),
        Payload::Before => "…".to_owned(),
    }
}

/// How loud the words are, and how they look.
fn rank(arrow: &Arrow, body: &Body) -> (Rank, Look) {
    let refused = match body {
        Body::ProduceResponse(response) => response.result.is_err(),
        Body::FetchResponse(response) => response.error.is_some() || response.diverging.is_some(),
        Body::AlterPartitionResponse(response) => response.error.is_some(),
        _ => false,
    };
    match (arrow.end, body) {
        (End::Lost, _) => (Rank::Outcome, Look::NoteLost),
        _ if refused => (Rank::Outcome, Look::WordRefused),
        _ if arrow.carries => (Rank::Headline, Look::NoteStrong),
        (_, Body::ProduceResponse(_)) => (Rank::Step, Look::WordOk),
        (_, Body::ProduceRequest(_)) => (Rank::Step, Look::NoteStrong),
        (_, Body::FetchRequest(_)) => (Rank::Quiet, Look::Note),
        _ if arrow.idle => (Rank::Quiet, Look::Note),
        _ => (Rank::Value, Look::Note),
    }
}

/// The words of all arrows, each where it has room; those that have none go, the loudest last.
/// They keep off the names over the lanes.
pub fn labels(run: &Run, arrows: &[Arrow], lanes: &Lanes, names: &[Shape]) -> Vec<Shape> {
    let mut labels: Vec<Label> = arrows
        .iter()
        .filter(|arrow| !arrow.idle)
        .filter_map(|arrow| {
            let message = run.messages.get(arrow.message.0 as usize)?;
            let (rank, look) = rank(arrow, &message.message.body);
            label_of(arrow, says(&message.message.body), (rank, look), lanes)
        })
        .collect();
    // Placed in the order of rank; a stable sort, so that the earlier of two comes first.
    sort::merge(&mut labels, |a, b| a.rank < b.rank);
    let mut taken = Taken::default();
    for name in names {
        taken.add(name.form.bounds());
    }
    let mut shapes = label::place(labels, &mut taken, Tenths::MAX);
    sort::merge(&mut shapes, |a, b| a.extent.0 < b.extent.0);
    shapes
}

fn label_of(
    arrow: &Arrow,
    (long, short): (String, String),
    (rank, look): (Rank, Look),
    lanes: &Lanes,
) -> Option<Label> {
    let (left, right) = (arrow.from.x.min(arrow.to.x), arrow.from.x.max(arrow.to.x));
    let room = right - left - px(8);
    let words = [long, short]
        .into_iter()
        .find(|words| measure::width(look, words) <= room)?;
    let width = measure::width(look, &words);
    let spots: Vec<Tenths> = spots(arrow, lanes, width);
    let over = |x: Tenths| at(x, height(arrow, x) - px(4));
    let under = |x: Tenths| at(x, height(arrow, x) + px(13));
    let first = *spots.first()?;
    let name = id("say", u64::from(arrow.message.0), 0);
    let mut label = Label::new(name, rank, look, over(first), words)
        .anchored(Anchor::Middle)
        .between(left + px(2), right - px(2))
        .down(0);
    for x in spots.iter().skip(1) {
        label = label.or(over(*x), Anchor::Middle);
    }
    for x in spots {
        label = label.or(under(x), Anchor::Middle);
    }
    Some(label)
}

/// Where words may stand along an arrow: between two lanes it passes, the ones near its sender first; the middle when none
/// is wide enough.
fn spots(arrow: &Arrow, lanes: &Lanes, width: Tenths) -> Vec<Tenths> {
    let (left, right) = (arrow.from.x.min(arrow.to.x), arrow.from.x.max(arrow.to.x));
    let mut list: Vec<Tenths> = lanes
        .list
        .windows(2)
        .filter_map(|pair| {
            let [a, b] = pair else { return None };
            let inside = a.x >= left - px(4) && b.x <= right + px(4);
            (inside && b.x - a.x >= width + px(6)).then_some(a.x + (b.x - a.x) / 2)
        })
        .collect();
    if arrow.from.x > arrow.to.x {
        list.reverse();
    }
    if list.is_empty() {
        list.push(left + (right - left) / 2);
    }
    list
}

/// y of the arrow at an x between its ends.
fn height(arrow: &Arrow, x: Tenths) -> Tenths {
    let span = i64::from(arrow.to.x - arrow.from.x);
    if span == 0 {
        return arrow.from.y;
    }
    let fall = i64::from(arrow.to.y - arrow.from.y);
    let down = fall * i64::from(x - arrow.from.x) / span;
    arrow.from.y + i32::try_from(down).unwrap_or(0)
}
