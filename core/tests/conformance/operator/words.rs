//! What of a log line can be compared, and what only the recorded cluster knows.

use highwater_core::scenario::trace::Trace;

/// A recorded line that the model does not write, with the reason.
pub fn unknown(line: &str) -> Option<&'static str> {
    if line.contains("Ignoring no-op registration change for BrokerRegistration(") {
        return Some(REPEATS);
    }
    if line.contains("Received UNKNOWN_TOPIC_ID from the leader") {
        return Some("a race between brokers while the topic is made, before the trace begins");
    }
    let fenced = line.contains(" has an older epoch (") || line.contains(" marked as failed");
    fenced.then_some(
        "a race: the old leader had the new epoch before the follower did, and refused its fetch once",
    )
}

const REPEATS: &str = "the session of a broker that has stopped cleanly runs out once more, by the recorder's clock, and its \
    whole registration (incarnation, listeners, features) is told";

/// The line about the session, when the line after it says that nothing came of it.
pub fn repeats_for_stopped(line: &str, next: Option<&String>) -> Option<&'static str> {
    let broker = number_after(line, "Fencing broker ")?;
    let nothing = format!("Ignoring no-op registration change for BrokerRegistration(id={broker},");
    next.filter(|next| next.contains(&nothing)).map(|_| REPEATS)
}

/// Whether the recorder's filter ("filtered to replication") kept such lines out: no file of the recordings has one.
pub fn is_filtered(line: &str) -> bool {
    line.contains("] ERROR [ReplicaManager broker=")
}

/// Whether the controller's records in the trace have the change that the line tells of: the partition epoch with this ISR,
/// or with this leader and leader epoch.
pub fn shown_by_trace(line: &str, trace: &Trace) -> bool {
    let history = || trace.partition_history.iter();
    if let Some(epoch) = number_after(line, " version updated to ") {
        let isr = updated_isr(line);
        return history().any(|record| {
            u64::from(record.partition_epoch.0) == epoch && Some(record.isr.to_string()) == isr
        });
    }
    let epochs = (
        number_after(line, "starts at leader epoch "),
        number_after(line, "with partition epoch "),
    );
    let broker = number_after(line, "[Broker id=");
    let leads = line.contains("] Leader ");
    let leader = match leads {
        true => broker,
        false => number_after(line, "Current leader is "),
    };
    let role = leads || line.contains("] Follower ");
    role && history().any(|record| {
        let known = (
            Some(u64::from(record.leader_epoch.0)),
            Some(u64::from(record.partition_epoch.0)),
        );
        known == epochs && record.leader.map(|leader| u64::from(leader.0)) == leader
    })
}

/// The ISR that a line says was agreed to, in order.
pub fn updated_isr(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("ISR updated to ")?;
    sorted(rest).split(' ').next().map(str::to_owned)
}

/// The text without its partition epoch.
pub fn without_partition_epoch(line: &str) -> String {
    let mut line = line.to_owned();
    replace(&mut line, "partition epoch ", digits, "…");
    line
}

/// The line without what only its cluster knows, and with sets in order. Two lines that say the same are the same text.
///
/// The date goes, and the ids of topic and directories (their number stays); broker epochs and the offsets of register
/// records (`Comparison` looks at the epochs by themselves); the time at which a follower was caught up, by the recorder's clock.
pub fn comparable(line: &str) -> String {
    let line = line.split_once("] ").map_or(line, |(_, rest)| rest);
    let mut line = line.to_owned();
    for (before, length) in [("topic ID ", 22), ("topic id Some(", 22)] {
        replace(
            &mut line,
            before,
            |rest| rest.char_indices().nth(length).map(|(at, _)| at),
            "…",
        );
    }
    for number in [
        " at epoch ",
        "brokerEpoch=",
        "register broker record ",
        "lastCaughtUpTimeMs: ",
    ] {
        replace(&mut line, number, digits, "…");
    }
    if let Some((_, rest)) = line.split_once("directories=[")
        && let Some((ids, _)) = rest.split_once(']')
    {
        let count = ids.split(", ").filter(|id| id.len() == 22).count();
        line = line.replace(ids, &format!("{count} ids"));
    }
    sorted(&line)
}

/// Replaces what `length` says comes after every `before`.
fn replace(line: &mut String, before: &str, length: impl Fn(&str) -> Option<usize>, with: &str) {
    let mut from = 0;
    while let Some(at) = line[from..].find(before) {
        let start = from + at + before.len();
        if let Some(length) = length(&line[start..]) {
            line.replace_range(start..start + length, with);
        }
        from = start;
    }
}

fn digits(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then_some(length)
}

/// The number after a word.
pub fn number_after(line: &str, before: &str) -> Option<u64> {
    let (_, rest) = line.split_once(before)?;
    rest[..digits(rest)?].parse().ok()
}

/// The text with every list of ids, such as `2,3,1` or `2, 3, 1`, in ascending order; the order of ISR and ELR says nothing.
/// The assignment keeps its order.
pub fn sorted(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, list) = rest.split_at(start);
        out.push_str(before);
        let (ids, end) = ids(list);
        let assignment = ["replicas=[", "Replicas: "]
            .iter()
            .any(|name| out.ends_with(name));
        if ids.len() > 1 && !assignment {
            let mut ids = ids;
            ids.sort_unstable();
            let separator = if list[..end].contains(", ") {
                ", "
            } else {
                ","
            };
            let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
            out.push_str(&ids.join(separator));
        } else {
            out.push_str(&list[..end]);
        }
        rest = &list[end..];
    }
    out + rest
}

/// The ids at the beginning of a text, and where they end.
fn ids(text: &str) -> (Vec<u64>, usize) {
    let mut ids = Vec::new();
    let mut end = 0;
    loop {
        let start = match ids.is_empty() {
            true => 0,
            false if text[end..].starts_with(", ") => end + 2,
            false if text[end..].starts_with(',') => end + 1,
            false => return (ids, end),
        };
        let Some(length) = digits(&text[start..]) else {
            return (ids, end);
        };
        let Ok(id) = text[start..start + length].parse() else {
            return (ids, end.max(start + length));
        };
        ids.push(id);
        end = start + length;
    }
}

#[test]
fn lists_are_put_in_order_and_the_assignment_is_not() {
    assert_eq!(sorted("from 2,3,1 to 3,1."), "from 1,2,3 to 1,3.");
    assert_eq!(
        sorted("replicas=[2, 1], isr=[2, 1], at 5"),
        "replicas=[2, 1], isr=[1, 2], at 5"
    );
    let line = "[2026-01-01 06:11:10,057] INFO [QuorumController id=100] Fencing broker 3 at epoch 57 because";
    assert_eq!(
        comparable(line),
        "INFO [QuorumController id=100] Fencing broker 3 at epoch … because"
    );
}
