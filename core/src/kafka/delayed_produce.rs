//! What a parked produce request waits for, partition by partition (`DelayedProduce`, rules 4.1 items 5 to 7).

use super::error::KafkaError;
use super::ids::Offset;
use super::leader::Leader;
use super::map::Map;

/// The answer to the question whether a partition's replicas have what was appended
/// (`Partition.checkEnoughReplicasReachOffset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnoughReplicas {
    /// The HW has passed the batch.
    pub enough: bool,
    /// What went wrong, if anything: it settles the partition as well.
    pub error: Option<KafkaError>,
}

/// One partition of a parked produce request (`ProducePartitionStatus`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartitionStatus {
    /// Whether it still waits.
    pub acks_pending: bool,
    /// What the answer says of it as things stand; none = success. While it waits this is REQUEST_TIMED_OUT, which is
    /// what the producer gets when the time is over.
    pub error: Option<KafkaError>,
}

/// A produce request that waits, over all its partitions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DelayedProduce<P: Ord> {
    partitions: Map<P, PartitionStatus>,
}

impl PartitionStatus {
    /// After the local append: a partition that failed waits for nothing, any other for its replicas.
    pub fn after_append(error: Option<KafkaError>) -> PartitionStatus {
        match error {
            Some(_) => PartitionStatus {
                acks_pending: false,
                error,
            },
            None => PartitionStatus {
                acks_pending: true,
                error: Some(KafkaError::RequestTimedOut),
            },
        }
    }

    /// Takes an answer, if it still waits (`DelayedProduce.tryComplete`); true when it is settled now or was before.
    pub fn check(&mut self, reply: EnoughReplicas) -> bool {
        if self.acks_pending && (reply.enough || reply.error.is_some()) {
            self.acks_pending = false;
            self.error = reply.error;
        }
        !self.acks_pending
    }
}

impl<P: Ord> DelayedProduce<P> {
    /// A request whose partitions had these results of the local append.
    pub fn new(appended: impl IntoIterator<Item = (P, Option<KafkaError>)>) -> DelayedProduce<P> {
        let status = |(partition, error)| (partition, PartitionStatus::after_append(error));
        DelayedProduce {
            partitions: appended.into_iter().map(status).collect(),
        }
    }

    /// Looks at every partition that waits; true when all are settled, which is when the answer goes out
    /// (`DelayedProduce.tryComplete`). `reply` is asked only of partitions that wait; none = nothing new of it.
    pub fn try_complete(&mut self, mut reply: impl FnMut(&P) -> Option<EnoughReplicas>) -> bool {
        for (partition, status) in &mut self.partitions {
            if status.acks_pending
                && let Some(reply) = reply(partition)
            {
                status.check(reply);
            }
        }
        self.partitions.values().all(|status| !status.acks_pending)
    }

    /// Every partition with its status.
    pub fn statuses(&self) -> &Map<P, PartitionStatus> {
        &self.partitions
    }
}

impl Leader {
    /// Whether the replicas have everything below `required` (`Partition.checkEnoughReplicasReachOffset`): that is so when
    /// the HW is there, and it is an error after all when the maximal ISR (of `isr_size` members) is below `min` then.
    pub fn enough_replicas(
        &self,
        hw: Offset,
        required: Offset,
        isr_size: u32,
        min: u32,
    ) -> EnoughReplicas {
        let enough = hw >= required;
        let error = (enough && isr_size < min).then_some(KafkaError::NotEnoughReplicasAfterAppend);
        EnoughReplicas { enough, error }
    }
}
