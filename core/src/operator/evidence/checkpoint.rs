//! Checkpoint files (`CheckpointFile`): version, number of entries, entries.

use super::{Mistake, mistake};
use crate::kafka::ids::{LeaderEpoch, Offset};

/// An entry of a file such as `replication-offset-checkpoint`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetEntry {
    /// The topic.
    pub topic: String,
    /// The partition.
    pub partition: u32,
    /// The offset; what it means depends on the file.
    pub offset: Offset,
}

/// No file has more entries than this.
const MOST: usize = 100_000;

/// `leader-epoch-checkpoint`: the epochs with their start offsets, as they stand in the file.
///
/// # Errors
/// Where the text is not such a file: a version other than 0, a count that does not fit, an entry that is no pair of
/// numbers, and entries that do not increase (Kafka would drop the earlier ones at the next load).
pub fn read_epochs(text: &str) -> Result<Vec<(LeaderEpoch, Offset)>, Mistake> {
    let mut last: Option<(LeaderEpoch, Offset)> = None;
    entries(text, |number, line| {
        let expected = "an epoch and its start offset, such as `5 120`";
        let wrong = || mistake(number, line, expected);
        let mut words = line.split_whitespace();
        let epoch = words.next().and_then(|word| word.parse().ok());
        let start = words.next().and_then(|word| word.parse().ok());
        let (Some(epoch), Some(start), None) = (epoch, start, words.next()) else {
            return Err(wrong());
        };
        let entry = (LeaderEpoch(epoch), Offset(start));
        if last.is_some_and(|last| entry.0 <= last.0 || entry.1 <= last.1) {
            return Err(mistake(
                number,
                line,
                "an epoch and an offset that are larger than those of the line before",
            ));
        }
        last = Some(entry);
        Ok(entry)
    })
}

/// `replication-offset-checkpoint`, `recovery-point-offset-checkpoint` or `log-start-offset-checkpoint`.
///
/// # Errors
/// Where the text is not such a file.
pub fn read_offsets(text: &str) -> Result<Vec<OffsetEntry>, Mistake> {
    entries(text, |number, line| {
        let expected = "a topic, a partition and an offset, such as `orders 0 118`";
        let words: Vec<&str> = line.split_whitespace().collect();
        let [topic, partition, offset] = words.as_slice() else {
            return Err(mistake(number, line, expected));
        };
        match (partition.parse(), offset.parse()) {
            (Ok(partition), Ok(offset)) => Ok(OffsetEntry {
                topic: (*topic).to_owned(),
                partition,
                offset: Offset(offset),
            }),
            _ => Err(mistake(number, line, expected)),
        }
    })
}

fn entries<T>(
    text: &str,
    mut read: impl FnMut(usize, &str) -> Result<T, Mistake>,
) -> Result<Vec<T>, Mistake> {
    // What is pasted may be indented and may have blank lines around it.
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(place, line)| (place + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty());
    match lines.next() {
        Some((_, "0")) => {}
        Some((number, line)) => return Err(mistake(number, line, "the version of the file, `0`")),
        None => return Err(mistake(1, "", "the version of the file, `0`")),
    }
    let expected = "the number of entries that follow";
    let (number, line) = lines.next().ok_or_else(|| mistake(2, "", expected))?;
    let count: usize = line
        .parse()
        .ok()
        .filter(|count| *count <= MOST)
        .ok_or_else(|| mistake(number, line, expected))?;
    let mut list = Vec::new();
    let mut end = number;
    for (number, line) in lines {
        if list.len() == count {
            return Err(mistake(
                number,
                line,
                "no more entries than the second line says",
            ));
        }
        list.push(read(number, line)?);
        end = number;
    }
    if list.len() < count {
        return Err(mistake(
            end + 1,
            "",
            "as many entries as the second line says",
        ));
    }
    Ok(list)
}
