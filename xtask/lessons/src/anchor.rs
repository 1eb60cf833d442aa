//! An instant of a run by what happens there: `m3.acknowledged`, `step 4`, `leader 2`, `530ms`.

use highwater_core::kafka::event::{Event, EventKind};
use highwater_core::kafka::ids::{BrokerId, BrokerSet, EventId, Millis, Offset};
use highwater_core::scenario::time;
use highwater_core::sim::{Instant, Run, Verdict};

/// A run with its verdict.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The run.
    pub run: Run,
    /// What became of each record.
    pub verdict: Verdict,
}

/// What can be said about an instant, for messages.
pub const FORMS: &str = "a time such as `530ms`, `start`, `end`, `step N`, `mN.sent`, `mN.appended`, `mN.appended@BROKER`, \
     `mN.noted@BROKER`, `mN.known@BROKER`, `mN.read`, `mN.answered`, `mN.acknowledged`, `mN.committed`, `mN.visible`, `mN.lost`, `leader BROKER`, \
     `isr BROKERS`, `elr BROKERS`, `stopped BROKER`, `started BROKER`, `fenced BROKER`, `unfenced BROKER`, \
     `truncated BROKER`, `held BROKER`, `refused mN`, `reply N`, each with `#2` for the second one, or `+ 5ms`";

/// The instant that an expression names.
pub fn instant(ran: &Ran, text: &str) -> Result<Instant, String> {
    let text = text.trim();
    if let Some((front, after)) = text.rsplit_once('+') {
        let more = time::read(after.trim()).ok_or_else(|| unknown(text))?;
        let at = instant(ran, front)?.at.plus(more);
        return Ok(whole(at));
    }
    match text {
        "start" => return Ok(Instant::default()),
        "end" => return Ok(ran.run.end()),
        _ => {}
    }
    if let Some(at) = time::read(text) {
        return Ok(whole(at));
    }
    event(ran, text).map(|id| ran.run.after(id))
}

/// After everything of that millisecond.
fn whole(at: Millis) -> Instant {
    Instant {
        at,
        position: u32::MAX,
    }
}

fn unknown(text: &str) -> String {
    format!("`{text}` is no instant; expected {FORMS}")
}

/// The event that an expression names.
pub fn event(ran: &Ran, text: &str) -> Result<EventId, String> {
    let text = text.trim();
    let (what, nth) = match text.rsplit_once('#') {
        Some((what, nth)) => (
            what.trim(),
            nth.trim().parse::<usize>().map_err(|_| unknown(text))?,
        ),
        None => (text, 1),
    };
    let never = || format!("`{text}` never happens in this run");
    if let Some((record, fact)) = what.split_once('.') {
        let number = record_number(record).ok_or_else(|| unknown(text))?;
        return of_record(ran, number, fact, nth)
            .ok_or_else(|| unknown(text))?
            .ok_or_else(never);
    }
    let (word, of) = what.split_once(' ').unwrap_or((what, ""));
    let fits = fits(ran, word, of.trim()).ok_or_else(|| unknown(text))?;
    let found: Vec<&Event> = ran.run.events.iter().filter(|event| fits(event)).collect();
    let event = found.get(nth.saturating_sub(1));
    event.map(|event| event.id).ok_or_else(|| {
        let times: Vec<String> = found.iter().map(|e| time::print(e.at)).collect();
        let why = match word {
            _ if !found.is_empty() => format!(": `{what}` happens only at {}", times.join(", ")),
            "leader" | "isr" | "elr" => {
                ": only a change to it is an event, not what the run starts with".to_owned()
            }
            _ => String::new(),
        };
        never() + &why
    })
}

/// `m3` is 3.
pub fn record_number(text: &str) -> Option<u64> {
    text.trim().strip_prefix('m')?.parse().ok()
}

/// `1,2` or `none`.
pub fn brokers(text: &str) -> Option<BrokerSet> {
    if text == "none" {
        return Some(BrokerSet::new());
    }
    text.split(',')
        .map(|part| part.trim().parse().ok().map(BrokerId))
        .collect()
}

/// Outer none: there is no such fact. Inner none: it is not so.
fn of_record(ran: &Ran, number: u64, fact: &str, nth: usize) -> Option<Option<EventId>> {
    let record = ran.verdict.records.iter().find(|r| r.record == number)?;
    let (fact, broker) = match fact.split_once('@') {
        Some((fact, broker)) => (fact, Some(BrokerId(broker.parse().ok()?))),
        None => (fact, None),
    };
    Some(match (fact, broker) {
        ("sent", None) => Some(record.sent.event),
        ("acknowledged", None) => record.acknowledged.map(|s| s.event),
        ("answered", None) => record.last_outcome.map(|(_, s)| s.event),
        ("committed", None) => record.committed.map(|s| s.event),
        ("visible", None) => record.visible.map(|s| s.event),
        ("lost", None) => record.lost.map(|s| s.event),
        ("appended", None) => record
            .appended
            .get(nth.saturating_sub(1))
            .map(|a| a.since.event),
        ("appended", Some(broker)) => nth_event(ran, nth, |event| appends(event, broker, number)),
        ("known", Some(broker)) => {
            let offset = record.appended.last().map(|a| a.offset)?;
            nth_event(ran, nth, |event| learns(event, broker, offset))
        }
        ("noted", Some(broker)) => {
            let offset = record.appended.last().map(|a| a.offset)?;
            nth_event(ran, nth, |event| {
                matches!(&event.kind, EventKind::FollowerStateUpdated { follower, leo, .. }
                    if *follower == broker && *leo > offset)
            })
        }
        ("read", None) => {
            let offset = record.appended.last().map(|a| a.offset)?;
            nth_event(ran, nth, |event| {
                matches!(&event.kind, EventKind::Consumed { from, to, .. }
                    if *from <= offset && offset < *to)
            })
        }
        _ => return None,
    })
}

fn nth_event(ran: &Ran, nth: usize, fits: impl Fn(&Event) -> bool) -> Option<EventId> {
    let mut found = ran.run.events.iter().filter(|event| fits(event));
    found.nth(nth.saturating_sub(1)).map(|event| event.id)
}

fn appends(event: &Event, of: BrokerId, number: u64) -> bool {
    let EventKind::Appended { broker, .. } = &event.kind else {
        return false;
    };
    let records = event.kind.records();
    *broker == of && records.is_some_and(|(first, n)| (first..first + n).contains(&number))
}

/// Whether the HW of a broker passes an offset.
fn learns(event: &Event, of: BrokerId, offset: Offset) -> bool {
    matches!(&event.kind, EventKind::HwChanged { broker, from, to, .. }
        if *broker == of && *from <= offset && offset < *to)
}

type Fits = Box<dyn Fn(&Event) -> bool>;

fn fits(ran: &Ran, word: &str, of: &str) -> Option<Fits> {
    let broker = of.parse().ok().map(BrokerId);
    let set = brokers(of);
    Some(match word {
        "step" => {
            let step = of.parse::<u32>().ok()?.checked_sub(1)?;
            Box::new(move |e| matches!(e.kind, EventKind::Step { step: s } if s == step))
        }
        "reply" => {
            let step = of.parse::<u32>().ok()?.checked_sub(1)?;
            Box::new(
                move |e| matches!(e.kind, EventKind::QueryAnswered { step: s, .. } if s == step),
            )
        }
        "leader" => {
            let wanted = if of == "none" { None } else { Some(broker?) };
            Box::new(move |e| {
                matches!(&e.kind, EventKind::PartitionChanged { before, after, .. }
                    if before.leader != after.leader && after.leader == wanted)
            })
        }
        "isr" => {
            let wanted = set?;
            Box::new(move |e| {
                matches!(&e.kind, EventKind::PartitionChanged { before, after, .. }
                    if before.isr != after.isr && after.isr == wanted)
            })
        }
        "elr" => {
            let wanted = set?;
            Box::new(move |e| {
                matches!(&e.kind, EventKind::PartitionChanged { before, after, .. }
                    if before.elr != after.elr && after.elr == wanted)
            })
        }
        "refused" => {
            let number = record_number(of)?;
            let record = ran.verdict.records.iter().find(|r| r.record == number)?;
            let wanted = record.send;
            Box::new(
                move |e| matches!(&e.kind, EventKind::AppendRefused { send, .. } if *send == wanted),
            )
        }
        _ => {
            let wanted = broker?;
            let is = of_broker(word)?;
            Box::new(move |e| is(&e.kind) == Some(wanted))
        }
    })
}

type Whose = fn(&EventKind) -> Option<BrokerId>;

/// The broker of an event of that word.
fn of_broker(word: &str) -> Option<Whose> {
    Some(match word {
        "stopped" => |kind| match kind {
            EventKind::BrokerStopped { broker, .. } => Some(*broker),
            _ => None,
        },
        "started" => |kind| match kind {
            EventKind::BrokerStarted { broker, .. } => Some(*broker),
            _ => None,
        },
        "fenced" => |kind| match kind {
            EventKind::BrokerFenced { broker, .. } => Some(*broker),
            _ => None,
        },
        "unfenced" => |kind| match kind {
            EventKind::BrokerUnfenced { broker } => Some(*broker),
            _ => None,
        },
        "truncated" => |kind| match kind {
            EventKind::Truncated { broker, .. } => Some(*broker),
            _ => None,
        },
        "diverged" => |kind| match kind {
            EventKind::Diverged { broker, .. } => Some(*broker),
            _ => None,
        },
        "held" => |kind| match kind {
            EventKind::HwHeld { broker, .. } => Some(*broker),
            _ => None,
        },
        _ => return None,
    })
}
