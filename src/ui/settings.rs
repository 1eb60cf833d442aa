//! The settings of the run: four toggles in front, everything else behind "more".

use leptos::prelude::*;

use super::context::{Lab, Open};
use super::{icons, notes, parts};
use crate::say;
use crate::session::Command;
use crate::session::model::{Expected, Settings, Version, names};
use crate::session::state::Refusal;
use crate::text::Key;

fn value(lab: Lab, name: &'static str) -> Memo<String> {
    lab.memo(move |session| names::get(&session.scenario().settings, name).unwrap_or_default())
}

fn set(lab: Lab, name: &'static str, value: String) {
    lab.send(Command::SetSetting {
        name: name.to_owned(),
        value,
    });
}

fn toggle(
    lab: Lab,
    name: &'static str,
    legend: AnyView,
    options: Vec<(String, String)>,
) -> impl IntoView {
    parts::choice(name, legend, options, value(lab, name), move |value| {
        set(lab, name, value);
    })
}

fn code(name: &'static str) -> AnyView {
    view! { <code translate="no">{name}</code> }.into_any()
}

/// The four toggles.
pub fn toggles(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let own = |words: &[&str]| {
        words
            .iter()
            .map(|w| ((*w).to_owned(), (*w).to_owned()))
            .collect()
    };
    let switch = |off: &str, on: &str| {
        vec![
            (off.to_owned(), say!(text, SettingOff)),
            (on.to_owned(), say!(text, SettingOn)),
        ]
    };
    // A min.insync.replicas above RF is offered while it is set, so that the bar never shows nothing as chosen.
    let most = lab.memo(|session| {
        let settings = &session.scenario().settings;
        let replicas = u32::try_from(settings.replicas.len()).unwrap_or(1);
        settings.min_insync_replicas.clamp(replicas, 9)
    });
    let min_isr = move || {
        let numbers = (1..=most.get()).map(|n| (n.to_string(), n.to_string()));
        toggle(
            lab,
            "min.insync.replicas",
            code("min.insync.replicas"),
            numbers.collect(),
        )
    };
    let elr = "eligible.leader.replicas";
    let unclean = "unclean.leader.election.enable";
    view! {
        {toggle(lab, "acks", code("acks"), own(&["0", "1", "all"]))}
        {min_isr}
        {toggle(lab, unclean, say!(text, SettingUnclean).into_any(), switch("false", "true"))}
        {toggle(lab, elr, "ELR".into_any(), switch("off", "on"))}
    }
}

/// The button in front of the rest.
pub fn more_button(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let summary = lab.memo(|session| {
        let settings = &session.scenario().settings;
        (
            settings.replicas.len(),
            settings.version.name(),
            settings.retries,
        )
    });
    let label = move || {
        let (replicas, version, retries) = summary.get();
        say!(
            text,
            SettingsMore,
            rf = replicas,
            version = version,
            retries = retries
        )
    };
    parts::opener(
        lab,
        Open::More,
        "more",
        "btn plain",
        (icons::chevron(), label),
    )
}

const TOPIC: &[&str] = &["replication.factor", "kafka.version", "replicas", "brokers"];
const PRODUCER: &[&str] = &[
    "enable.idempotence",
    "retries",
    "request.timeout.ms",
    "delivery.timeout.ms",
    "retry.backoff.ms",
    "retry.backoff.max.ms",
    "max.in.flight.requests.per.connection",
];
const REPLICATION: &[&str] = &[
    "replica.lag.time.max.ms",
    "replica.fetch.wait.max.ms",
    "replica.fetch.min.bytes",
    "replica.fetch.max.bytes",
    "replica.fetch.backoff.ms",
    "replica.high.watermark.checkpoint.interval.ms",
    "fetch",
];
const CONTROLLER: &[&str] = &[
    "broker.heartbeat.interval.ms",
    "broker.session.timeout.ms",
    "unclean.leader.election.interval.ms",
    "auto.leader.rebalance.enable",
    "leader.imbalance.check.interval.seconds",
];
const CONSUMER: &[&str] = &[
    "isolation.level",
    "fetch.max.wait.ms",
    "fetch.min.bytes",
    "consumer.reads.from",
    "link.latency",
    "metadata.latency",
    "record.bytes",
    "settle",
];
const IN_FRONT: &[&str] = &[
    "acks",
    "min.insync.replicas",
    "unclean.leader.election.enable",
    "eligible.leader.replicas",
];

/// Everything behind "more".
pub fn more(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let known = |name: &&str| {
        [TOPIC, PRODUCER, REPLICATION, CONTROLLER, CONSUMER, IN_FRONT]
            .iter()
            .any(|group| group.contains(name))
    };
    let rules: Vec<&'static str> = names::ALL
        .iter()
        .map(|setting| setting.name)
        .filter(|name| !known(name))
        .collect();
    let group = |title: Key, names: &[&'static str]| {
        let rows = names.iter().map(|name| row(lab, name)).collect_view();
        view! { <section><h2>{text.fill(title, &[])}</h2>{rows}</section> }
    };
    view! {
        <div class="more" id="more">
            {group(Key::GroupTopic, TOPIC)}
            {group(Key::GroupProducer, PRODUCER)}
            {group(Key::GroupReplication, REPLICATION)}
            {group(Key::GroupConsumer, CONSUMER)}
            {group(Key::GroupController, CONTROLLER)}
            {group(Key::GroupRules, &rules)}
        </div>
    }
}

/// The words that a setting can have, when they can be listed.
fn words_of(name: &str, settings: &Settings) -> Option<Vec<String>> {
    let setting = names::find(name)?;
    let words = match setting.expected() {
        Expected::OneOf(words) => words.iter().map(|w| (*w).to_owned()).collect(),
        Expected::Words(words) => words.iter().map(|w| (*w).to_owned()).collect(),
        Expected::KafkaVersion => Version::ALL
            .iter()
            .rev()
            .map(|v| v.name().to_owned())
            .collect(),
        Expected::BrokerOr(word) => std::iter::once(word.to_owned())
            .chain(settings.brokers.iter().map(ToString::to_string))
            .collect(),
        _ => return None,
    };
    Some(words)
}

fn row(lab: Lab, name: &'static str) -> impl IntoView {
    let now = value(lab, name);
    let changed = lab.memo(move |session| {
        names::entries(&session.scenario().settings)
            .iter()
            .any(|(entry, _)| *entry == name)
    });
    let words = lab.memo(move |session| words_of(name, &session.scenario().settings));
    let control = move || match words.get() {
        Some(words) => {
            let options = words
                .into_iter()
                .map(|word| {
                    let (is_now, value) = (word.clone(), word.clone());
                    view! { <option value=value selected=move || now.get() == is_now>{word}</option> }
                })
                .collect_view();
            view! {
                <select
                    class="field"
                    prop:value=move || now.get()
                    on:change=move |event| set(lab, name, event_target_value(&event))
                >
                    {options}
                </select>
            }
            .into_any()
        }
        None => view! {
            <input
                class="field"
                autocomplete="off"
                prop:value=move || now.get()
                aria-invalid=move || refused(lab, name).is_some().to_string()
                on:change=move |event| set(lab, name, event_target_value(&event))
            />
        }
        .into_any(),
    };
    let wrong = move || {
        refused(lab, name).map(|sentence| view! { <p class="wrong" role="alert">{sentence}</p> })
    };
    view! {
        <label class="setting" class:changed=move || changed.get()>
            <code translate="no">{name}</code>
            {control}
        </label>
        {wrong}
    }
}

/// Why the last value of that setting was not taken.
fn refused(lab: Lab, name: &str) -> Option<String> {
    let text = lab.text();
    lab.with(|session| match session.refusal() {
        Some(Refusal::Setting {
            name: of, error, ..
        }) if of == name => Some(notes::setting_error(&text, error)),
        _ => None,
    })
}

/// What one setting makes of another, in words: nothing is changed silently.
pub fn in_force(lab: Lab) -> impl IntoView {
    let text = lab.text();
    let said = lab.memo(|session| {
        let s = &session.scenario().settings;
        (
            s.idempotence && !s.idempotence_in_force(),
            s.elr && !s.elr_enabled(),
            (s.effective_min_isr(s.min_insync_replicas) != s.min_insync_replicas)
                .then(|| s.effective_min_isr(s.min_insync_replicas)),
            s.version.name(),
        )
    });
    move || {
        let (idempotence, elr, min_isr, version) = said.get();
        let mut sentences = Vec::new();
        if idempotence {
            sentences.push(say!(text, NoteIdempotence));
        }
        if elr {
            sentences.push(say!(text, NoteElr, version = version));
        }
        if let Some(min) = min_isr {
            sentences.push(say!(text, NoteMinIsr, min = min));
        }
        (!sentences.is_empty()).then(|| view! { <p class="note">{sentences.join(" ")}</p> })
    }
}
