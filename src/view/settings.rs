//! The settings of the run: four toggles in front, everything else behind "more".

use super::html::Html;
use super::icons;
use super::state::{Open, State};
use crate::say;
use crate::session::asked;
use crate::session::beside::{Beside, TOGGLES};
use crate::session::model::{Expected, SettingError, Settings, Version, names};
use crate::session::state::Refusal;
use crate::text::arg::acks_word;
use crate::text::in_force::not_in_force;
use crate::text::mistake::expected;
use crate::text::{Key, Text};

/// One of several: radio buttons drawn as one bar. `act` is what choosing does, its value that of the button.
pub struct Choice<'a> {
    /// The name of the group.
    pub name: &'a str,
    /// What choosing does.
    pub act: &'a str,
    /// What is chosen.
    pub chosen: &'a str,
}

impl Choice<'_> {
    /// Writes it: `legend` is markup, each option a value and a label.
    pub fn draw(&self, html: &mut Html, legend: impl FnOnce(&mut Html), options: &[(&str, &str)]) {
        html.raw("<fieldset class=\"choice\"><legend>");
        legend(html);
        html.raw("</legend><div class=\"seg\">");
        for (value, label) in options {
            html.raw("<label><input type=\"radio\"")
                .attr("name", self.name)
                .attr("value", value);
            html.attr("id", &format!("{}-{value}", self.name))
                .attr("data-do", self.act);
            html.flag("checked", *value == self.chosen)
                .raw(">")
                .text(label)
                .raw("</label>");
        }
        html.raw("</div></fieldset>");
    }
}

/// The class of the settings: on a phone they are folded until their sheet is open.
pub fn class(state: &State) -> &'static str {
    if state.open == Some(Open::Sheet) {
        "set"
    } else {
        "set folded"
    }
}

fn value(settings: &Settings, name: &str) -> String {
    names::get(settings, name).unwrap_or_default()
}

/// The four toggles of A.
pub fn toggles(state: &State, html: &mut Html) {
    toggles_of(state, None, html);
}

/// The four toggles of A, or of B.
pub fn toggles_of(state: &State, b: Option<&Beside>, html: &mut Html) {
    let (text, a) = (&*state.text, &state.session.scenario().settings);
    let settings = b.map_or(a, |b| &b.scenario.settings);
    let (off, on) = (say!(text, SettingOff), say!(text, SettingOn));
    // A min.insync.replicas above RF is offered while it is set, so that the bar never shows nothing as chosen.
    let replicas = u32::try_from(settings.replicas.len()).unwrap_or(1);
    let most = settings.min_insync_replicas.clamp(replicas, 9);
    let numbers: Vec<String> = (1..=most).map(|n| n.to_string()).collect();
    let numbers: Vec<(&str, &str)> = numbers.iter().map(|n| (n.as_str(), n.as_str())).collect();
    let unclean = say!(text, SettingUnclean);
    let [acks, min, election, elr] = TOGGLES;
    for (name, words, options) in [
        (acks, None, &[("0", "0"), ("1", "1"), ("all", "all")][..]),
        (min, None, &numbers[..]),
        (
            election,
            Some(unclean.as_str()),
            &[("false", off.as_str()), ("true", on.as_str())][..],
        ),
        (
            elr,
            Some("ELR"),
            &[("off", off.as_str()), ("on", on.as_str())][..],
        ),
    ] {
        let widget = state.widget.as_ref();
        if widget.is_some_and(|options| !options.controls.contains(&name)) {
            continue;
        }
        let now = value(settings, name);
        let choice = Choice {
            name: &if b.is_some() {
                format!("b-{name}")
            } else {
                name.to_owned()
            },
            act: &if b.is_some() {
                format!("b:{name}")
            } else {
                format!("set:{name}")
            },
            chosen: &now,
        };
        let legend = |html: &mut Html| {
            if b.is_some() {
                html.raw("<span class=\"unseen\">B </span>");
            }
            match words {
                Some(words) => html.text(words),
                None => html.element("code translate=\"no\"", name),
            };
        };
        html.raw(if b.is_some() && value(a, name) != now {
            "<div class=\"toggle differs-here\">"
        } else {
            "<div class=\"toggle\">"
        });
        choice.draw(html, legend, options);
        if state.session.beside().is_none() && widget.is_none() {
            versus(text, html, name, options, &now);
        }
        html.raw("</div>");
    }
}

/// One click from a toggle: the same run beside that with another value.
fn versus(text: &Text, html: &mut Html, name: &str, options: &[(&str, &str)], now: &str) {
    html.raw("<div class=\"versus\">");
    for (value, label) in options.iter().filter(|(value, _)| *value != now) {
        html.raw("<button type=\"button\" class=\"link tall\"")
            .act("b", &format!("{name}={value}"));
        let said = say!(text, CompareWith, name = name, value = *value);
        html.attr("aria-label", &said).raw(">");
        html.text(&say!(text, Versus, value = *label))
            .raw("</button>");
    }
    html.raw("</div>");
}

/// The button in front of the rest.
pub fn more_button(state: &State, html: &mut Html) {
    let (text, settings) = (&*state.text, &state.session.scenario().settings);
    html.raw("<button type=\"button\" class=\"btn plain\" id=\"more-button\" data-do=\"open:more\" aria-controls=\"more\"");
    html.attr(
        "aria-expanded",
        &(state.open == Some(Open::More)).to_string(),
    );
    html.raw(">").raw(icons::CHEVRON);
    html.text(&say!(
        text,
        SettingsMore,
        rf = settings.replicas.len(),
        version = settings.version.name(),
        retries = settings.retries
    ));
    let folder = text.locale().tag().get(..2).unwrap_or("en");
    let question = format!("./check/{folder}/{}", asked::query(settings));
    html.raw("</button><a class=\"btn plain\" id=\"ask\"")
        .attr("href", &question)
        .raw(">");
    html.text(&say!(text, AskChecker)).raw("</a>");
}

/// On a phone the settings are one line that opens a sheet.
pub fn line(state: &State, html: &mut Html) {
    let (text, s) = (&*state.text, &state.session.scenario().settings);
    let word = |on: bool| {
        if on {
            say!(text, SettingOn)
        } else {
            say!(text, SettingOff)
        }
    };
    html.raw("<button type=\"button\" class=\"settings-line\" id=\"settings-line\" data-do=\"open:sheet\" aria-controls=\"settings\"");
    html.attr(
        "aria-expanded",
        &(state.open == Some(Open::Sheet)).to_string(),
    );
    html.raw("><code translate=\"no\"><b>acks=")
        .text(acks_word(s.acks))
        .raw("</b></code><span>");
    let (unclean, elr) = (word(s.unclean_leader_election), word(s.elr));
    html.text(&say!(
        text,
        SheetLine,
        min = s.min_insync_replicas,
        unclean = unclean,
        elr = elr
    ));
    html.raw("</span><i>")
        .text(&say!(text, SettingsChange))
        .raw("</i>");
    if let Some(beside) = state.session.beside() {
        html.raw("<span class=\"of-b\"><b>B</b>");
        for (name, _, value) in beside.changed(s) {
            html.raw(" ")
                .element("code translate=\"no\"", &format!("{name}={value}"));
        }
        html.raw("</span>");
    }
    html.raw("</button>");
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
    "isr.tick.phase",
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
    "broker.rack",
    "client.rack",
    "link.latency",
    "metadata.latency",
    "record.bytes",
    "settle",
];
const GROUPS: &[(Key, &[&str])] = &[
    (Key::GroupTopic, TOPIC),
    (Key::GroupProducer, PRODUCER),
    (Key::GroupReplication, REPLICATION),
    (Key::GroupConsumer, CONSUMER),
    (Key::GroupController, CONTROLLER),
];

/// Everything behind "more".
pub fn more(state: &State, html: &mut Html) {
    if !matches!(state.open, Some(Open::More | Open::Sheet)) {
        return;
    }
    let settings = &state.session.scenario().settings;
    let entries = names::entries(settings);
    let changed = |name: &str| entries.iter().any(|(entry, _)| *entry == name);
    let grouped = |name: &str| {
        TOGGLES.contains(&name) || GROUPS.iter().any(|(_, group)| group.contains(&name))
    };
    html.raw("<div class=\"more\" id=\"more\">");
    for (title, group) in GROUPS {
        html.raw("<section>")
            .element("h2", &state.text.fill(*title, &[]));
        for name in *group {
            row(state, html, name, changed(name));
        }
        html.raw("</section>");
    }
    html.raw("<section>")
        .element("h2", &state.text.fill(Key::GroupRules, &[]));
    for setting in names::ALL.iter().filter(|setting| !grouped(setting.name)) {
        row(state, html, setting.name, changed(setting.name));
    }
    html.raw("</section></div>");
}

/// The words that a setting can have, when they can be listed.
fn words_of(name: &str, settings: &Settings) -> Vec<String> {
    match names::find(name).map(|setting| setting.expected()) {
        Some(Expected::OneOf(words)) => words.iter().map(|w| (*w).to_owned()).collect(),
        Some(Expected::Words(words)) => words.iter().map(|w| (*w).to_owned()).collect(),
        Some(Expected::KafkaVersion) => Version::ALL
            .iter()
            .rev()
            .map(|v| v.name().to_owned())
            .collect(),
        Some(Expected::BrokerOr(word)) => {
            let brokers = settings.brokers.iter().map(ToString::to_string);
            std::iter::once(word.to_owned()).chain(brokers).collect()
        }
        _ => Vec::new(),
    }
}

fn row(state: &State, html: &mut Html, name: &str, changed: bool) {
    let settings = &state.session.scenario().settings;
    let refused = match state.session.refusal() {
        Some(Refusal::Setting {
            name: of, error, ..
        }) if of == name => Some(error),
        _ => None,
    };
    let now = value(settings, name);
    html.raw(if changed {
        "<label class=\"setting changed\">"
    } else {
        "<label class=\"setting\">"
    });
    html.raw("<code translate=\"no\">");
    for part in name.split_inclusive('.') {
        html.text(part).raw("<wbr>");
    }
    html.raw("</code>");
    let words = words_of(name, settings);
    if words.is_empty() {
        html.raw("<input class=\"field\" autocomplete=\"off\"")
            .attr("value", &now);
        html.attr("aria-invalid", &refused.is_some().to_string());
    } else {
        html.raw("<select class=\"field\"");
    }
    html.attr("id", &format!("set-{name}"))
        .act("set", name)
        .raw(">");
    if !words.is_empty() {
        for word in words {
            html.raw("<option")
                .attr("value", &word)
                .flag("selected", word == now);
            html.raw(">").text(&word).raw("</option>");
        }
        html.raw("</select>");
    }
    html.raw("</label>");
    if let Some(error) = refused {
        html.element(
            "p class=\"wrong\" role=\"alert\"",
            &mistake(&state.text, error),
        );
    }
}

fn mistake(text: &Text, error: &SettingError) -> String {
    let expected = expected(text, &error.expected);
    let what = say!(
        text,
        MistakeFound,
        found = error.found.clone(),
        expected = expected
    );
    match &error.instead {
        Some(word) => format!("{what} {}", say!(text, MistakeInstead, word = word.clone())),
        None => what,
    }
}

/// What one setting makes of another, in words: nothing is changed silently.
pub fn in_force(state: &State, html: &mut Html) {
    let settings = &state.session.scenario().settings;
    let sentences = not_in_force(&state.text, settings);
    if !sentences.is_empty() {
        html.element("p class=\"note\"", &sentences.join(" "));
    }
}
