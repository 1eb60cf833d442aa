//! Lines of `kafka-topics.sh --describe`, of any version: fields `Name: value`, separated by tabs or, when a page has eaten
//! them, by blanks.

use super::{Mistake, mistake};
use crate::kafka::ids::{BrokerId, BrokerSet};

/// The line of a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicLine {
    /// The name.
    pub topic: String,
    /// The id, since 2.8.
    pub id: Option<String>,
    /// How many partitions.
    pub partitions: u32,
    /// How many replicas each partition has.
    pub replication_factor: u32,
    /// The configs that are printed, in their order.
    pub configs: Vec<(String, String)>,
}

/// The line of a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartitionLine {
    /// The topic; empty when the line does not say.
    pub topic: String,
    /// The partition; 0 when the line does not say.
    pub partition: u32,
    /// The leader; none = `none` or -1.
    pub leader: Option<BrokerId>,
    /// The assignment, in order.
    pub replicas: Vec<BrokerId>,
    /// The ISR; its order says nothing.
    pub isr: BrokerSet,
    /// Replicas that a reassignment adds.
    pub adding: Vec<BrokerId>,
    /// Replicas that a reassignment removes.
    pub removing: Vec<BrokerId>,
    /// The ELR; none = not printed, or `N/A`.
    pub elr: Option<BrokerSet>,
    /// The last known ELR; none = not printed, or `N/A`.
    pub last_known_elr: Option<Vec<BrokerId>>,
}

impl PartitionLine {
    /// What cannot be so: a leader or an ISR member that is no replica, a leader outside the ISR, an ELR member that is in
    /// the ISR, a replica that is named twice.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let mut found = Vec::new();
        let stranger = |broker: BrokerId| !self.replicas.contains(&broker);
        let mut seen = BrokerSet::new();
        for replica in &self.replicas {
            if !seen.insert(*replica) {
                found.push(Contradiction::NamedTwice(*replica));
            }
        }
        let elr = self.elr.clone().unwrap_or_default();
        let named = self
            .leader
            .into_iter()
            .chain(self.isr.iter())
            .chain(elr.iter());
        let strangers: BrokerSet = named.filter(|broker| stranger(*broker)).collect();
        found.extend(strangers.iter().map(Contradiction::NoReplica));
        if let Some(leader) = self.leader.filter(|leader| !self.isr.contains(*leader)) {
            found.push(Contradiction::LeaderOutsideIsr(leader));
        }
        let both = elr.iter().filter(|broker| self.isr.contains(*broker));
        found.extend(both.map(Contradiction::InIsrAndElr));
        found
    }
}

/// What cannot be so in a partition's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A replica is listed twice.
    NamedTwice(BrokerId),
    /// Leader, ISR or ELR name a broker that has no replica.
    NoReplica(BrokerId),
    /// The leader is not in the ISR.
    LeaderOutsideIsr(BrokerId),
    /// A broker is in ISR and ELR.
    InIsrAndElr(BrokerId),
}

/// A whole answer of the tool: the topics' lines and the partitions' lines. Other lines are mistakes; blank ones are not.
///
/// # Errors
/// The first line that is neither, or a field of it that cannot be read.
pub fn read_describe(text: &str) -> Result<(Vec<TopicLine>, Vec<PartitionLine>), Mistake> {
    let (mut topics, mut partitions) = (Vec::new(), Vec::new());
    for (place, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        if line.contains("PartitionCount:") {
            topics.push(read_topic(line).map_err(|m| at(m, place))?);
        } else {
            partitions.push(read_partition(line).map_err(|m| at(m, place))?);
        }
    }
    if topics.is_empty() && partitions.is_empty() {
        return Err(mistake(1, "", PARTITION));
    }
    Ok((topics, partitions))
}

fn at(mistake: Mistake, place: usize) -> Mistake {
    Mistake {
        line: place + 1,
        ..mistake
    }
}

const TOPIC: &str = "`Topic: … PartitionCount: … ReplicationFactor: … Configs: …`";
const PARTITION: &str = "`Topic: … Partition: … Leader: … Replicas: … Isr: …`";
const BROKERS: &str = "broker ids with commas between them";
const NUMBER: &str = "a number";

/// The line of a topic.
///
/// # Errors
/// A field that is missing or cannot be read.
pub fn read_topic(line: &str) -> Result<TopicLine, Mistake> {
    let names = [
        "Topic",
        "TopicId",
        "PartitionCount",
        "ReplicationFactor",
        "Configs",
    ];
    let fields = fields(line, &names, TOPIC)?;
    let need = |name: &str| field(&fields, name).ok_or_else(|| mistake(1, line, TOPIC));
    let number = |name: &str| {
        let value = need(name)?;
        value.parse().map_err(|_| mistake(1, value, NUMBER))
    };
    let configs = field(&fields, "Configs").unwrap_or_default();
    Ok(TopicLine {
        topic: need("Topic")?.to_owned(),
        id: field(&fields, "TopicId").map(str::to_owned),
        partitions: number("PartitionCount")?,
        replication_factor: number("ReplicationFactor")?,
        configs: configs
            .split(',')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
            .collect(),
    })
}

/// The line of a partition.
///
/// # Errors
/// A field that is missing or cannot be read.
pub fn read_partition(line: &str) -> Result<PartitionLine, Mistake> {
    let names = [
        "Topic",
        "Partition",
        "Leader",
        "Replicas",
        "Isr",
        "Adding Replicas",
        "Removing Replicas",
        "Elr",
        "LastKnownElr",
        "Offline",
        "MarkedForDeletion",
    ];
    let fields = fields(line, &names, PARTITION)?;
    let need = |name: &str| field(&fields, name).ok_or_else(|| mistake(1, line, PARTITION));
    let list = |name: &str| field(&fields, name).map_or(Ok(Vec::new()), brokers);
    let maybe = |name: &str| match field(&fields, name) {
        None | Some("N/A") => Ok(None),
        Some(value) => brokers(value).map(Some),
    };
    let leader = need("Leader")?;
    // What people paste often has neither.
    let partition = field(&fields, "Partition").unwrap_or("0");
    Ok(PartitionLine {
        topic: field(&fields, "Topic").unwrap_or_default().to_owned(),
        partition: partition
            .parse()
            .map_err(|_| mistake(1, partition, NUMBER))?,
        leader: match leader {
            "none" | "-1" => None,
            id => Some(broker(id)?),
        },
        replicas: brokers(need("Replicas")?)?,
        isr: brokers(need("Isr")?)?.into_iter().collect(),
        adding: list("Adding Replicas")?,
        removing: list("Removing Replicas")?,
        elr: maybe("Elr")?.map(|ids| ids.into_iter().collect()),
        last_known_elr: maybe("LastKnownElr")?,
    })
}

type Field<'a> = (&'static str, &'a str);

fn field<'a>(fields: &[Field<'a>], name: &str) -> Option<&'a str> {
    fields
        .iter()
        .find(|(found, _)| *found == name)
        .map(|(_, value)| *value)
}

/// Cuts a line at the names that it is known to have.
fn fields<'a>(
    line: &'a str,
    names: &[&'static str],
    expected: &'static str,
) -> Result<Vec<Field<'a>>, Mistake> {
    let mut starts: Vec<(usize, usize, &'static str)> = Vec::new();
    for &name in names {
        for (start, _) in line.match_indices(name) {
            let end = start + name.len();
            // A whole word with a colon after it; `Topic` must not be found in `TopicId`, nor `Replicas` in
            // `Adding Replicas`.
            let before = line[..start].chars().next_back();
            let whole = before.is_none_or(char::is_whitespace) && line[end..].starts_with(':');
            let inner = ["Adding ", "Removing "]
                .iter()
                .any(|word| line[..start].ends_with(word));
            if whole && !inner {
                starts.push((start, end + 1, name));
            }
        }
    }
    starts.sort_unstable();
    if starts
        .first()
        .is_none_or(|(start, ..)| !line[..*start].trim().is_empty())
    {
        return Err(mistake(1, line, expected));
    }
    let ends = starts
        .iter()
        .skip(1)
        .map(|(start, ..)| *start)
        .chain([line.len()]);
    let values = starts.iter().zip(ends);
    Ok(values
        .map(|((_, from, name), end)| (*name, line[*from..end].trim()))
        .collect())
}

fn brokers(text: &str) -> Result<Vec<BrokerId>, Mistake> {
    let ids = text.split(',').map(str::trim).filter(|id| !id.is_empty());
    ids.map(broker).collect()
}

fn broker(id: &str) -> Result<BrokerId, Mistake> {
    id.parse()
        .map(BrokerId)
        .map_err(|_| mistake(1, id, BROKERS))
}
