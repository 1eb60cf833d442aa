//! Between actions and forms: the one place that says which argument is which field.

use crate::kafka::ids::{BrokerId, LeaderEpoch, Offset, PartitionEpoch};
use crate::kafka::partition::Recovery;
use crate::kafka::settings::{Acks, Isolation};

use super::error::Expected;
use super::form::{Form, Value};
use super::value::{Action, ConfigChange, ElectionKind, Produce, Start, StartReplica};

fn acks_word(acks: Acks) -> Value {
    Value::Word(match acks {
        Acks::All => "all",
        Acks::Leader => "1",
        Acks::None => "0",
    })
}

fn acks(word: &str) -> Option<Acks> {
    match word {
        "all" => Some(Acks::All),
        "1" => Some(Acks::Leader),
        "0" => Some(Acks::None),
        _ => None,
    }
}

fn isolation_word(isolation: Isolation) -> Option<Value> {
    (isolation == Isolation::ReadCommitted).then_some(Value::Word("read_committed"))
}

fn isolation(form: &Form) -> Isolation {
    match form.word("isolation") {
        "read_committed" => Isolation::ReadCommitted,
        _ => Isolation::ReadUncommitted,
    }
}

fn id(broker: BrokerId) -> Value {
    Value::Number(u64::from(broker.0))
}

fn produce_form(produce: &Produce) -> Form {
    // A retry sends the batch of the call that it names, so it has no number of its own.
    let number = produce.retry_of.is_none() && produce.records != 1;
    let lost = match (produce.lose_request, produce.lose_response) {
        (false, false) => None,
        (true, false) => Some("request"),
        (false, true) => Some("response"),
        (true, true) => Some("both"),
    };
    Form::default()
        .maybe_number("records", number.then_some(produce.records))
        .maybe("acks", produce.acks.map(acks_word))
        .maybe("to", produce.to.map(id))
        .maybe("timeout", produce.timeout.map(Value::Time))
        .maybe("id", produce.id.clone().map(Value::Name))
        .maybe("producer", produce.producer.clone().map(Value::Name))
        .maybe_number("seq", produce.sequence.map(u64::from))
        .maybe("retry-of", produce.retry_of.clone().map(Value::Name))
        .maybe("lose", lost.map(Value::Word))
        .with_flag("transactional", produce.transactional)
}

fn produce(form: &Form) -> Produce {
    Produce {
        records: form.number("records").unwrap_or(1),
        acks: acks(form.word("acks")),
        to: form.maybe_broker("to"),
        timeout: form.time("timeout"),
        id: form.name("id"),
        producer: form.name("producer"),
        sequence: form.small("seq"),
        retry_of: form.name("retry-of"),
        lose_request: matches!(form.word("lose"), "request" | "both"),
        lose_response: matches!(form.word("lose"), "response" | "both"),
        transactional: form.flag("transactional"),
    }
}

/// The word and the arguments of an action, in the order of its [`super::verbs::Verb`].
pub(crate) fn form_of(action: &Action) -> (&'static str, Form) {
    let none = Form::default;
    let of = |broker: &BrokerId| Form::default().with_broker(*broker);
    let brokers = |set: &crate::kafka::ids::BrokerSet| {
        Form::default().with("isr", Value::Brokers(set.iter().collect()))
    };
    let link = |from, to| {
        none()
            .with("from", Value::Node(from))
            .with("to", Value::Node(to))
    };
    match action {
        Action::Produce(produce) => ("produce", produce_form(produce)),
        Action::Fetch {
            broker,
            rounds,
            lose_response,
        } => (
            "fetch",
            of(broker)
                .maybe_number("rounds", (*rounds != 1).then_some(u64::from(*rounds)))
                .maybe("lose", lose_response.then_some(Value::Word("response"))),
        ),
        Action::PauseFetch(broker) => ("pause-fetch", of(broker)),
        Action::ResumeFetch(broker) => ("resume-fetch", of(broker)),
        Action::SlowFetch { broker, delay } => {
            ("slow-fetch", of(broker).with("delay", Value::Time(*delay)))
        }
        Action::LimitFetch { broker, records } => {
            ("limit-fetch", of(broker).maybe_number("records", *records))
        }
        Action::CatchUp(broker) => ("catch-up", of(broker)),
        Action::Stop(broker) => ("stop", of(broker)),
        Action::Kill(broker) => ("kill", of(broker)),
        Action::PowerLoss { broker, keep } => {
            ("power-loss", of(broker).with("keep", Value::Number(keep.0)))
        }
        Action::Start {
            broker,
            clean,
            wait,
        } => {
            let word = clean.map(|clean| Value::Word(if clean { "clean" } else { "unclean" }));
            let form = of(broker).maybe("registration", word);
            ("start", form.with_flag("no-wait", !wait))
        }
        Action::Bounce { broker, keep } => {
            ("bounce", of(broker).maybe_number("keep", keep.map(|k| k.0)))
        }
        Action::Isolate(broker) => ("isolate", of(broker)),
        Action::Heal(broker) => ("heal", of(broker)),
        Action::HealAll => ("heal-all", none()),
        Action::CutController(broker) => ("cut-controller", of(broker)),
        Action::HealController(broker) => ("heal-controller", of(broker)),
        Action::Cut(a, b) => ("cut", link(*a, *b)),
        Action::HealLink(a, b) => ("heal-link", link(*a, *b)),
        Action::Slow { from, to, latency } => (
            "slow",
            link(*from, *to).with("latency", Value::Time(*latency)),
        ),
        Action::Hold { from, to } => ("hold", link(*from, *to)),
        Action::Release { from, to, count } => (
            "release",
            link(*from, *to).maybe_number("count", count.map(u64::from)),
        ),
        Action::LoseNext { from, to } => ("lose-next", link(*from, *to)),
        Action::KillController => ("kill-controller", none()),
        Action::StartController => ("start-controller", none()),
        Action::HoldAlterPartition(broker) => ("hold-alter-partition", of(broker)),
        Action::ReleaseAlterPartition(broker) => ("release-alter-partition", of(broker)),
        Action::LoseAlterPartitionResponse(broker) => ("lose-alter-partition", of(broker)),
        Action::Fence(broker) => ("fence", of(broker)),
        Action::Unfence(broker) => ("unfence", of(broker)),
        Action::HoldMetadata(broker) => ("hold-metadata", of(broker)),
        Action::DeliverMetadata { broker, count } => (
            "deliver-metadata",
            of(broker).maybe_number("count", count.map(u64::from)),
        ),
        Action::Elect(kind) => {
            let winner = match kind {
                ElectionKind::Preferred => Value::Word("preferred"),
                ElectionKind::Unclean => Value::Word("unclean"),
                ElectionKind::Named(broker) => id(*broker),
            };
            ("elect", none().with("winner", winner))
        }
        Action::SetConfig(change) => ("config", config_form(*change)),
        Action::ProposeIsr(set) => ("propose-isr", brokers(set)),
        Action::IsrCheck(broker) => ("isr-check", of(broker)),
        Action::Consume {
            offset,
            from,
            leader_epoch,
            isolation,
        } => (
            "consume",
            none()
                .with("offset", Value::Number(offset.0))
                .maybe("from", from.map(id))
                .maybe_number("epoch", leader_epoch.map(|e| u64::from(e.0)))
                .maybe("isolation", isolation_word(*isolation)),
        ),
        Action::ListOffset { isolation } => (
            "list-offset",
            none().maybe("isolation", isolation_word(*isolation)),
        ),
        Action::EpochEnd { epoch, broker } => (
            "epoch-end",
            none()
                .with("epoch", Value::Number(u64::from(epoch.0)))
                .maybe("from", broker.map(id)),
        ),
        Action::TransactionBegin => ("begin-transaction", none()),
        Action::TransactionEnd { commit: true } => ("commit-transaction", none()),
        Action::TransactionEnd { commit: false } => ("abort-transaction", none()),
        Action::AwaitFenced(broker) => ("await-fenced", of(broker)),
        Action::AwaitUnfenced(broker) => ("await-unfenced", of(broker)),
        Action::AwaitIsr(set) => ("await-isr", brokers(set)),
        Action::AwaitAck(name) => ("await-ack", none().with("id", Value::Name(name.clone()))),
        Action::Wait(time) => ("wait", none().with("time", Value::Time(*time))),
        Action::Check => ("check", none()),
    }
}

fn config_form(change: ConfigChange) -> Form {
    match change {
        ConfigChange::MinInsyncReplicas(min) => {
            Form::default().with("min.insync.replicas", Value::Number(u64::from(min)))
        }
        ConfigChange::UncleanLeaderElection(on) => {
            Form::default().with("unclean.leader.election.enable", Value::Truth(on))
        }
    }
}

fn config(form: &Form) -> Result<ConfigChange, Expected> {
    let min = form.small("min.insync.replicas");
    match (min, form.truth("unclean.leader.election.enable")) {
        (Some(min), None) => Ok(ConfigChange::MinInsyncReplicas(min)),
        (None, Some(on)) => Ok(ConfigChange::UncleanLeaderElection(on)),
        (Some(_), Some(_)) => Err(Expected::EndOfLine),
        (None, None) => Err(Expected::Words(vec![
            "min.insync.replicas=…",
            "unclean.leader.election.enable=…",
        ])),
    }
}

/// The action of a word and its arguments, whose kinds and presence the reader has seen to.
pub(crate) fn action_of(word: &str, form: &Form) -> Result<Action, Expected> {
    let broker = form.broker();
    let (from, to) = (form.node("from"), form.node("to"));
    Ok(match word {
        "produce" => Action::Produce(produce(form)),
        "fetch" => Action::Fetch {
            broker,
            rounds: form.small("rounds").unwrap_or(1),
            lose_response: form.word("lose") == "response",
        },
        "pause-fetch" => Action::PauseFetch(broker),
        "resume-fetch" => Action::ResumeFetch(broker),
        "slow-fetch" => Action::SlowFetch {
            broker,
            delay: form.time("delay").unwrap_or_default(),
        },
        "limit-fetch" => Action::LimitFetch {
            broker,
            records: form.number("records"),
        },
        "catch-up" => Action::CatchUp(broker),
        "stop" => Action::Stop(broker),
        "kill" => Action::Kill(broker),
        "power-loss" => Action::PowerLoss {
            broker,
            keep: form.offset("keep").unwrap_or_default(),
        },
        "start" => Action::Start {
            broker,
            clean: match form.word("registration") {
                "clean" => Some(true),
                "unclean" => Some(false),
                _ => None,
            },
            wait: !form.flag("no-wait"),
        },
        "bounce" => Action::Bounce {
            broker,
            keep: form.offset("keep"),
        },
        "isolate" => Action::Isolate(broker),
        "heal" => Action::Heal(broker),
        "heal-all" => Action::HealAll,
        "cut-controller" => Action::CutController(broker),
        "heal-controller" => Action::HealController(broker),
        "cut" => Action::Cut(from, to),
        "heal-link" => Action::HealLink(from, to),
        "slow" => Action::Slow {
            from,
            to,
            latency: form.time("latency").unwrap_or_default(),
        },
        "hold" => Action::Hold { from, to },
        "release" => Action::Release {
            from,
            to,
            count: form.small("count"),
        },
        "lose-next" => Action::LoseNext { from, to },
        "kill-controller" => Action::KillController,
        "start-controller" => Action::StartController,
        "hold-alter-partition" => Action::HoldAlterPartition(broker),
        "release-alter-partition" => Action::ReleaseAlterPartition(broker),
        "lose-alter-partition" => Action::LoseAlterPartitionResponse(broker),
        "fence" => Action::Fence(broker),
        "unfence" => Action::Unfence(broker),
        "hold-metadata" => Action::HoldMetadata(broker),
        "deliver-metadata" => Action::DeliverMetadata {
            broker,
            count: form.small("count"),
        },
        "elect" => Action::Elect(match form.word("winner") {
            "preferred" => ElectionKind::Preferred,
            "unclean" => ElectionKind::Unclean,
            _ => ElectionKind::Named(form.maybe_broker("winner").unwrap_or_default()),
        }),
        "config" => Action::SetConfig(config(form)?),
        "propose-isr" => Action::ProposeIsr(form.set("isr")),
        "isr-check" => Action::IsrCheck(broker),
        "consume" => Action::Consume {
            offset: form.offset("offset").unwrap_or_default(),
            from: form.maybe_broker("from"),
            leader_epoch: form.epoch("epoch"),
            isolation: isolation(form),
        },
        "list-offset" => Action::ListOffset {
            isolation: isolation(form),
        },
        "epoch-end" => Action::EpochEnd {
            epoch: form.epoch("epoch").unwrap_or_default(),
            broker: form.maybe_broker("from"),
        },
        "begin-transaction" => Action::TransactionBegin,
        "commit-transaction" => Action::TransactionEnd { commit: true },
        "abort-transaction" => Action::TransactionEnd { commit: false },
        "await-fenced" => Action::AwaitFenced(broker),
        "await-unfenced" => Action::AwaitUnfenced(broker),
        "await-isr" => Action::AwaitIsr(form.set("isr")),
        "await-ack" => Action::AwaitAck(form.name("id").unwrap_or_default()),
        "wait" => Action::Wait(form.time("time").unwrap_or_default()),
        "check" => Action::Check,
        _ => return Err(Expected::Action),
    })
}

/// The `start` line.
pub(crate) fn form_of_start(start: &Start) -> Form {
    let set = |brokers: Vec<BrokerId>| (!brokers.is_empty()).then_some(Value::Brokers(brokers));
    let epoch = |epoch: u32| (epoch != 0).then_some(u64::from(epoch));
    let leader = start.leader.map_or(Value::Word("none"), id);
    Form::default()
        .with("leader", leader)
        .maybe_number("epoch", epoch(start.leader_epoch.0))
        .maybe_number("partition-epoch", epoch(start.partition_epoch.0))
        .with("isr", Value::Brokers(start.isr.iter().collect()))
        .maybe("elr", set(start.elr.iter().collect()))
        .maybe("last-known-elr", set(start.last_known_elr.clone()))
        .maybe_number("open-transaction", start.open_transaction.map(|o| o.0))
        .with_flag("recovering", start.recovery == Recovery::Recovering)
}

/// The start section without its brokers.
pub(crate) fn start_of(form: &Form) -> Start {
    Start {
        leader: form.maybe_broker("leader"),
        leader_epoch: form.epoch("epoch").unwrap_or_default(),
        partition_epoch: PartitionEpoch(form.small("partition-epoch").unwrap_or_default()),
        isr: form.set("isr"),
        elr: form.set("elr"),
        last_known_elr: form.list("last-known-elr"),
        recovery: match form.flag("recovering") {
            true => Recovery::Recovering,
            false => Recovery::Recovered,
        },
        replicas: Vec::new(),
        open_transaction: form.offset("open-transaction"),
    }
}

/// A `broker` line.
pub(crate) fn form_of_replica(replica: &StartReplica) -> Form {
    let log: Vec<(u32, u64)> = replica.log.iter().map(|(e, n)| (e.0, *n)).collect();
    let offset = |offset: Offset| (offset.0 != 0).then_some(offset.0);
    let epochs = replica
        .epochs
        .as_ref()
        .map(|list| Value::Starts(list.iter().map(|(e, o)| (e.0, o.0)).collect()));
    Form::default()
        .with_broker(replica.broker)
        .maybe("log", (!log.is_empty()).then_some(Value::Ranges(log)))
        .maybe_number("log-start", offset(replica.log_start))
        .maybe("epochs", epochs)
        .maybe_number("hw", offset(replica.hw))
        .with_flag("down", replica.down)
        .with_flag("clean", replica.clean)
}

/// A replica at the start.
pub(crate) fn replica_of(form: &Form) -> StartReplica {
    let pairs = |name| form.pairs(name);
    StartReplica {
        broker: form.broker(),
        log: pairs("log")
            .unwrap_or_default()
            .into_iter()
            .map(|(epoch, count)| (LeaderEpoch(epoch), count))
            .collect(),
        log_start: form.offset("log-start").unwrap_or_default(),
        epochs: pairs("epochs").map(|list| {
            let entry = |(epoch, offset)| (LeaderEpoch(epoch), Offset(offset));
            list.into_iter().map(entry).collect()
        }),
        hw: form.offset("hw").unwrap_or_default(),
        down: form.flag("down"),
        clean: form.flag("clean"),
    }
}
