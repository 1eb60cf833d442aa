//! Broker ids, lists of them, and numbers in text.

use crate::kafka::ids::BrokerId;

use super::names::{INT_MAX, MAX_BROKERS};

/// A list of broker ids with commas between them, each once; `none` is the empty list.
pub(crate) fn read_brokers(text: &str) -> Option<Vec<BrokerId>> {
    if text == "none" {
        return Some(Vec::new());
    }
    let mut list = Vec::new();
    for part in text.split(',') {
        let broker = read_broker(part)?;
        if list.contains(&broker) || list.len() == MAX_BROKERS {
            return None;
        }
        list.push(broker);
    }
    Some(list)
}

/// A broker id.
pub(crate) fn read_broker(text: &str) -> Option<BrokerId> {
    let id = read_number(text)?;
    (id <= INT_MAX).then_some(())?;
    u32::try_from(id).ok().map(BrokerId)
}

/// Decimal digits and nothing else.
pub(crate) fn read_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// The list as a script writes it.
pub(crate) fn print_brokers(brokers: impl Iterator<Item = BrokerId>) -> String {
    let list: Vec<String> = brokers.map(|b| b.to_string()).collect();
    if list.is_empty() {
        "none".to_owned()
    } else {
        list.join(",")
    }
}
