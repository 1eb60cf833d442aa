//! What version 1 of the links means by what they leave out. FROZEN: a link that was made in 2026 is resolved against
//! this table, whatever the model starts with by then. The rules follow `kafka.version`.

use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::names;

/// The scenario of a link that names none.
pub const SCENARIO: &str = "acknowledged-by-one";

/// Every setting that a link can leave out. `brokers` follows `replicas`.
pub const DEFAULTS: &[(&str, &str)] = &[
    ("kafka.version", "4.4"),
    ("replicas", "1,2,3"),
    ("acks", "all"),
    ("min.insync.replicas", "2"),
    ("unclean.leader.election.enable", "false"),
    ("eligible.leader.replicas", "on"),
    ("enable.idempotence", "false"),
    ("retries", "0"),
    ("request.timeout.ms", "30000"),
    ("delivery.timeout.ms", "120000"),
    ("retry.backoff.ms", "100"),
    ("retry.backoff.max.ms", "1000"),
    ("max.in.flight.requests.per.connection", "5"),
    ("producer.metadata", "cached"),
    ("replica.lag.time.max.ms", "30000"),
    ("isr.tick.phase", "0ms"),
    ("replica.fetch.wait.max.ms", "500"),
    ("replica.fetch.min.bytes", "1"),
    ("replica.fetch.max.bytes", "1048576"),
    ("replica.fetch.backoff.ms", "1000"),
    ("replica.high.watermark.checkpoint.interval.ms", "5000"),
    ("broker.heartbeat.interval.ms", "2000"),
    ("broker.session.timeout.ms", "9000"),
    ("unclean.leader.election.interval.ms", "300000"),
    ("auto.leader.rebalance.enable", "false"),
    ("leader.imbalance.check.interval.seconds", "300"),
    ("link.latency", "1ms"),
    ("metadata.latency", "1ms"),
    ("isolation.level", "read_uncommitted"),
    ("fetch.max.wait.ms", "500"),
    ("fetch.min.bytes", "1"),
    ("consumer.reads.from", "leader"),
    ("broker.rack", "none"),
    ("client.rack", "none"),
    ("record.bytes", "100"),
    ("fetch", "auto"),
    ("isr", "auto"),
    ("settle", "800ms"),
];

/// What a link means and the model would not start with by itself: (name, what the link means, what the model does).
pub fn moved(model: &Settings) -> impl Iterator<Item = (&'static str, &'static str, String)> {
    let model = model.clone();
    DEFAULTS.iter().filter_map(move |(name, meant)| {
        let now = names::get(&model, name)?;
        (now != *meant).then_some((*name, *meant, now))
    })
}
