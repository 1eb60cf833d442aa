//! A question: what can be chosen, which choice is right, and why the others are not. The run decides, nobody else.

use highwater::picture::columns::Columns;
use highwater::picture::view::Panel;
use highwater::text::Text;
use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::{BrokerId, EventId};
use highwater_core::sim::{Instant, RecordVerdict};
use toml::Spanned;

use crate::anchor::{self, Ran, record_number};
use crate::claim::{self, Runs};
use crate::lesson::{self, Place};
use crate::reason::{self, Reason};
use crate::spec::{self, Ask};
use crate::value::{self, OUTCOMES, Value, has_fact, outcome_word};
use crate::wire;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An offset on the axis: of what, as a claim writes it.
    Offset(String),
    /// The record with a fact.
    Record(String),
    /// Whether a record is kept or lost.
    Fate(u64),
    /// What the producer is told of a record.
    Answer(u64),
    /// How the fetch of a step of the script is answered: `step 4`.
    Reply(String),
    /// The order of events.
    Order,
    /// A broker, or none.
    Broker,
    /// A set of brokers.
    Brokers(String),
    /// A number of the controller's, as a claim writes it.
    Value(String),
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// An offset.
    Offset(u64),
    /// A record, or none of them.
    Record(Option<u64>),
    /// The record is in the log at the end.
    Kept,
    /// It is not.
    Lost,
    /// An answer in Kafka's word, or a number.
    Answer(String),
    /// An event, to be put in its place.
    Event(EventId),
    /// A broker, or nobody.
    Broker(Option<BrokerId>),
}

/// A choice with its judgement.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is chosen.
    pub pick: Pick,
    /// Whether it is right; for a set, whether it belongs to it.
    pub right: bool,
    /// Its place in the right order, from 0; 0 for other kinds.
    pub rank: usize,
    /// Why it is wrong (for a set: why it is as it is; for an order: what happened there).
    pub reasons: Vec<Reason>,
}

/// A question with its key.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked for.
    pub kind: Kind,
    /// The run it is about.
    pub run: String,
    /// The instant it is about.
    pub at: Instant,
    /// What is drawn once it is answered ends here; none = the whole run.
    pub reveal: Option<Instant>,
    /// Events whose sentences stand beside the answer.
    pub because: Vec<(String, EventId)>,
    /// What can be chosen.
    pub choices: Vec<Choice>,
}

/// What a question is read with.
pub struct About<'a> {
    /// The runs of the lesson.
    pub runs: &'a Runs,
    /// The run that the step shows.
    pub usual: &'a str,
    /// Up to where the picture is drawn when it is asked.
    pub asked: Option<Instant>,
    /// The sentences of each language.
    pub texts: &'a [Text],
}

impl Question {
    /// The panel that the question is about.
    pub fn panel(&self) -> Panel {
        match &self.kind {
            Kind::Offset(what) if what == "consumer_end" || what.starts_with("lso") => {
                Panel::Visibility
            }
            Kind::Reply(_) => Panel::Visibility,
            Kind::Record(_) | Kind::Fate(_) | Kind::Answer(_) => Panel::Acks,
            _ => Panel::Lag,
        }
    }
}

/// Reads a question and computes its key.
pub(crate) fn read(
    ask: &Spanned<Ask>,
    about: &mut About<'_>,
    place: &mut Place<'_>,
) -> Option<Question> {
    let start = ask.span().start;
    let ask = ask.get_ref();
    let (name, ran) = match &ask.run {
        Some(text) => (
            text.get_ref().clone(),
            place.take(text, claim::run(about.runs, text.get_ref()))?,
        ),
        None => (about.usual.to_owned(), about.runs.get(about.usual)?),
    };
    let at = match &ask.at {
        Some(text) => place.take(text, anchor::instant(ran, text.get_ref()))?,
        None => ran.run.end(),
    };
    let reveal = match &ask.reveal {
        Some(text) => Some(place.take(text, anchor::instant(ran, text.get_ref()))?),
        None => None,
    };
    let Some(asked) = about.asked else {
        place.fault_at(
            start,
            "a step that asks needs `until`: what is drawn while it is asked",
        );
        return None;
    };
    let (kind, choices, known_at) = match kind(ask, ran, at) {
        Ok(found) => found,
        Err((Some(text), message)) => {
            place.fault(text, message);
            return None;
        }
        Err((None, message)) => {
            place.fault_at(start, message);
            return None;
        }
    };
    if known_at <= asked {
        place.fault_at(
            start,
            "the answer is drawn before it is asked; let `until` end earlier",
        );
    }
    if reveal.is_some_and(|reveal| reveal < known_at) {
        place.fault_at(start, "`reveal` ends before the answer happens");
    }
    for choice in choices
        .iter()
        .filter(|c| c.reasons.is_empty() && (!c.right || sets(&kind)))
    {
        let message = format!(
            "the run has no sentence for the wrong answer {:?}",
            choice.pick
        );
        place.fault_at(start, message);
    }
    if !sets(&kind) && kind != Kind::Order && choices.iter().filter(|c| c.right).count() != 1 {
        place.fault_at(
            start,
            "the right answer is not among the choices, or more than one is right",
        );
    }
    let because = lesson::events(&ask.because, about.runs, &name, place);
    Some(Question {
        kind,
        run: name,
        at,
        reveal,
        because,
        choices,
    })
}

fn sets(kind: &Kind) -> bool {
    matches!(kind, Kind::Brokers(_))
}

type Read<'a> = Result<(Kind, Vec<Choice>, Instant), (Option<&'a spec::Text>, String)>;

fn kind<'a>(ask: &'a Ask, ran: &Ran, at: Instant) -> Read<'a> {
    let kinds = [
        ask.offset.is_some(),
        ask.record.is_some(),
        ask.fate.is_some(),
        ask.answer.is_some(),
        ask.order.is_some(),
        ask.broker.is_some(),
        ask.brokers.is_some(),
        ask.value.is_some(),
    ];
    if kinds.iter().filter(|there| **there).count() != 1 {
        let message = "a question has exactly one of offset, record, fate, answer, order, broker, brokers and value";
        return Err((None, message.to_owned()));
    }
    if let Some(what) = &ask.offset {
        return offset(ran, at, what.get_ref()).map_err(|m| (Some(what), m));
    }
    if let Some(fact) = &ask.record {
        return record(ran, at, fact.get_ref(), &ask.among).map_err(|m| (Some(fact), m));
    }
    if let Some(of) = &ask.fate {
        return fate(ran, of.get_ref()).map_err(|m| (Some(of), m));
    }
    if let Some(of) = &ask.answer {
        if of.get_ref().starts_with("step ") {
            return reply(ran, of.get_ref(), &ask.among).map_err(|m| (Some(of), m));
        }
        return answer(ran, of.get_ref(), &ask.among).map_err(|m| (Some(of), m));
    }
    if let Some(events) = &ask.order {
        return order(ran, events).map_err(|(place, m)| (place.or(events.first()), m));
    }
    if let Some(what) = &ask.broker {
        return broker(ran, at, what.get_ref()).map_err(|m| (Some(what), m));
    }
    if let Some(what) = &ask.value {
        return number(ran, at, what.get_ref(), &ask.among).map_err(|m| (Some(what), m));
    }
    match &ask.brokers {
        Some(what) => brokers(ran, at, what.get_ref()).map_err(|m| (Some(what), m)),
        None => Err((None, "there is no question".to_owned())),
    }
}

type Found = Result<(Kind, Vec<Choice>, Instant), String>;

fn choice(pick: Pick, right: bool, reasons: Vec<Reason>) -> Choice {
    Choice {
        pick,
        right,
        rank: 0,
        reasons,
    }
}

fn offset(ran: &Ran, at: Instant, what: &str) -> Found {
    let Value::Number(key) = value::value(ran, at, what)? else {
        return Err(format!("`{what}` is no offset"));
    };
    let columns = Columns::new(&[&ran.run], true);
    let first = columns.list().first().map(|c| c.from.0);
    let edges = first
        .into_iter()
        .chain(columns.list().iter().map(|c| c.to.0));
    let choices = edges.map(|guess| {
        let reasons = if guess == key {
            Vec::new()
        } else {
            reason::offset(ran, at, what, guess, key)
        };
        choice(Pick::Offset(guess), guess == key, reasons)
    });
    Ok((Kind::Offset(what.to_owned()), choices.collect(), at))
}

fn find(ran: &Ran, number: u64) -> Result<&RecordVerdict, String> {
    let record = ran.verdict.records.iter().find(|r| r.record == number);
    record.ok_or_else(|| format!("the script sends no m{number}"))
}

fn named<'a>(ran: &'a Ran, text: &str) -> Result<&'a RecordVerdict, String> {
    let number =
        record_number(text).ok_or_else(|| format!("`{text}` is no record; expected `mN`"))?;
    find(ran, number)
}

fn record(ran: &Ran, at: Instant, fact: &str, among: &[spec::Text]) -> Found {
    let records: Vec<&RecordVerdict> = if among.is_empty() {
        ran.verdict.records.iter().collect()
    } else {
        among
            .iter()
            .map(|text| named(ran, text.get_ref()))
            .collect::<Result<_, _>>()?
    };
    let mut right = Vec::new();
    for record in &records {
        if has_fact(record, fact, at.at)
            .ok_or_else(|| format!("`{fact}` is no fact of a record"))?
        {
            right.push(*record);
        }
    }
    if right.len() > 1 {
        return Err(format!(
            "{} records are {fact}; at most one may be",
            right.len()
        ));
    }
    let event = right.first().and_then(|r| reason::event_of_fact(r, fact));
    let mut choices: Vec<Choice> = records
        .iter()
        .map(|r| {
            let is = right.iter().any(|other| other.record == r.record);
            let mut reasons = reason::fact(ran, r, fact, at);
            reasons.extend(event.map(Reason::Event));
            choice(Pick::Record(Some(r.record)), is, reasons)
        })
        .collect();
    let reasons = event.map(Reason::Event).into_iter().collect();
    choices.push(choice(Pick::Record(None), right.is_empty(), reasons));
    let known = event.map_or(at, |event| ran.run.after(event));
    Ok((Kind::Record(fact.to_owned()), choices, known))
}

fn fate(ran: &Ran, of: &str) -> Found {
    let record = named(ran, of)?;
    let lost = record.lost.is_some();
    if !lost && !record.in_final_log {
        return Err(format!(
            "{of} is neither kept nor lost: nothing promised it"
        ));
    }
    let (reasons, known) = match record.lost {
        Some(since) => (vec![Reason::Event(since.event)], ran.run.after(since.event)),
        None => {
            let since = record.committed.map(|s| Reason::Event(s.event));
            let facts = Reason::Record(record.record);
            let led = reason::led_since(ran, record);
            let reasons = since.into_iter().chain(led).chain([facts]);
            (reasons.collect(), ran.run.end())
        }
    };
    let choices = vec![
        choice(Pick::Kept, !lost, reasons.clone()),
        choice(Pick::Lost, lost, reasons),
    ];
    Ok((Kind::Fate(record.record), choices, known))
}

fn answer(ran: &Ran, of: &str, among: &[spec::Text]) -> Found {
    let record = named(ran, of)?;
    let (outcome, since) = record
        .last_outcome
        .ok_or_else(|| format!("the producer of {of} is told nothing"))?;
    let key = outcome_word(outcome);
    let mut choices = Vec::new();
    for text in among {
        let word = text.get_ref().as_str();
        if !OUTCOMES.contains(&word) && KafkaError::from_name(word).is_none() {
            return Err(format!(
                "`{word}` is no answer; expected one of Kafka's errors, {}",
                OUTCOMES.join(", ")
            ));
        }
        let reasons = reason::answer(ran, record, since.event, word);
        choices.push(choice(Pick::Answer(word.to_owned()), word == key, reasons));
    }
    if !choices.iter().any(|c| c.right) {
        return Err(format!(
            "the producer of {of} is told `{key}`, which is not in `among`"
        ));
    }
    Ok((
        Kind::Answer(record.record),
        choices,
        ran.run.after(since.event),
    ))
}

fn reply(ran: &Ran, of: &str, among: &[spec::Text]) -> Found {
    let event = wire::answered(ran, of);
    let Some((event, key)) = event.and_then(|event| Some((event, wire::reply(event)?))) else {
        return Err(format!("`{of}` asks nothing that a fetch answers"));
    };
    let mut choices = Vec::new();
    for text in among {
        let word = text.get_ref().as_str();
        let known = [wire::RECORDS, wire::NO_RECORDS, "no leader"];
        if !known.contains(&word) && KafkaError::from_name(word).is_none() {
            return Err(format!(
                "`{word}` is no answer to a fetch; expected one of Kafka's errors, {}",
                known.join(", ")
            ));
        }
        let reasons = reason::reply(ran, event);
        choices.push(choice(Pick::Answer(word.to_owned()), word == key, reasons));
    }
    if !choices.iter().any(|c| c.right) {
        return Err(format!(
            "the fetch of {of} is answered with `{key}`, which is not in `among`"
        ));
    }
    let known_at = ran.run.after(event.id);
    Ok((Kind::Reply(of.to_owned()), choices, known_at))
}

type Ordered<'a> = Result<(Kind, Vec<Choice>, Instant), (Option<&'a spec::Text>, String)>;

fn order<'a>(ran: &Ran, events: &'a [spec::Text]) -> Ordered<'a> {
    let mut ids = Vec::new();
    for text in events {
        let id = anchor::event(ran, text.get_ref()).map_err(|m| (Some(text), m))?;
        if ids.contains(&id) {
            return Err((
                Some(text),
                format!("`{}` is an event that stands here already", text.get_ref()),
            ));
        }
        ids.push(id);
    }
    let mut sorted = ids.clone();
    sorted.sort();
    if ids.len() < 3 {
        return Err((None, "an order has at least three events".to_owned()));
    }
    if ids == sorted {
        return Err((
            None,
            "the events are given in the right order; mix them".to_owned(),
        ));
    }
    let choices = ids
        .iter()
        .map(|id| Choice {
            pick: Pick::Event(*id),
            right: false,
            rank: sorted.iter().position(|other| other == id).unwrap_or(0),
            reasons: before(&sorted, *id),
        })
        .collect();
    // The second one tells which was first.
    let known = sorted.get(1).map_or(ran.run.end(), |id| ran.run.after(*id));
    Ok((Kind::Order, choices, known))
}

/// An event comes after the one before it, and when it does.
fn before(sorted: &[EventId], id: EventId) -> Vec<Reason> {
    let place = sorted.iter().position(|other| *other == id).unwrap_or(0);
    let earlier = place.checked_sub(1).and_then(|place| sorted.get(place));
    let both = earlier.into_iter().copied().chain([id]);
    both.map(Reason::Event).collect()
}

fn broker(ran: &Ran, at: Instant, what: &str) -> Found {
    let Value::Broker(key) = value::value(ran, at, what)? else {
        return Err(format!("`{what}` is no broker; expected `leader`"));
    };
    let replicas = &ran.run.scenario.settings.replicas;
    let picks = replicas.iter().map(|b| Some(*b)).chain([None]);
    let choices = picks.map(|pick| {
        let reasons = reason::leader(ran, at, pick, key);
        choice(Pick::Broker(pick), pick == key, reasons)
    });
    Ok((Kind::Broker, choices.collect(), at))
}

fn brokers(ran: &Ran, at: Instant, what: &str) -> Found {
    let Value::Brokers(key) = value::value(ran, at, what)? else {
        return Err(format!(
            "`{what}` is no set of brokers; expected `isr` or `elr`"
        ));
    };
    let replicas = &ran.run.scenario.settings.replicas;
    let choices = replicas.iter().map(|b| {
        let reasons = reason::member(ran, at, what, *b);
        choice(Pick::Broker(Some(*b)), key.contains(*b), reasons)
    });
    Ok((Kind::Brokers(what.to_owned()), choices.collect(), at))
}

fn number(ran: &Ran, at: Instant, what: &str, among: &[spec::Text]) -> Found {
    let Value::Number(key) = value::value(ran, at, what)? else {
        return Err(format!("`{what}` is no number"));
    };
    let mut choices = Vec::new();
    for text in among {
        let word = text.get_ref();
        let number: u64 = word
            .parse()
            .map_err(|_| format!("`{word}` is no number that can be chosen"))?;
        let pick = Pick::Answer(number.to_string());
        choices.push(choice(pick, number == key, reason::number(ran, at)));
    }
    if !choices.iter().any(|c| c.right) {
        return Err(format!("`{what}` is {key}, which is not in `among`"));
    }
    Ok((Kind::Value(what.to_owned()), choices, at))
}
