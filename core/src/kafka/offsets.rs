//! Questions about offsets at a broker: OffsetsForLeaderEpoch and ListOffsets (rules 1.5, 6.2).

use super::broker::Broker;
use super::context::Context;
use super::error::KafkaError;
use super::ids::{LeaderEpoch, MessageId, Offset};
use super::message::{
    Body, DivergingEpoch, ListOffsetsRequest, ListOffsetsResponse, Node,
    OffsetsForLeaderEpochRequest, OffsetsForLeaderEpochResponse,
};
use super::settings::Isolation;
use super::sink::Sink;

impl Broker {
    /// OffsetsForLeaderEpoch (`Partition.lastOffsetForLeaderEpoch`). A request is for the leader; a broker that asks itself
    /// (`only_leader` false) is answered as a follower too.
    ///
    /// # Errors
    /// Epoch errors and NOT_LEADER_OR_FOLLOWER, in Kafka's order.
    pub fn epoch_end(
        &self,
        asked: LeaderEpoch,
        current: Option<LeaderEpoch>,
        only_leader: bool,
    ) -> Result<DivergingEpoch, KafkaError> {
        self.check_epoch(current)?;
        if only_leader && self.leader().is_none() {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        Ok(self.log.epochs().end_offset_for(asked, self.log.leo()))
    }

    /// OffsetsForLeaderEpoch arrives.
    pub fn offsets_for_leader_epoch<S: Sink>(
        &self,
        context: &Context<'_>,
        request: MessageId,
        from: Node,
        asked: &OffsetsForLeaderEpochRequest,
        sink: &mut S,
    ) {
        let latest = self.log.epochs().latest();
        let epoch = match latest.filter(|_| context.rules().higher_epoch_answered) {
            Some(latest) => asked.epoch.min(latest),
            None => asked.epoch,
        };
        let answer = self.epoch_end(epoch, asked.current_leader_epoch, true);
        let body = Body::OffsetsForLeaderEpochResponse(OffsetsForLeaderEpochResponse {
            error: answer.err(),
            asked: asked.epoch,
            request_leader_epoch: asked.current_leader_epoch,
            answer: answer.unwrap_or(DivergingEpoch {
                epoch: None,
                end_offset: None,
            }),
        });
        sink.reply(Node::Broker(self.id), from, request, body);
    }

    /// The latest offset for a client: HW or LSO; OFFSET_NOT_AVAILABLE while HW < leader epoch start
    /// (`Partition.fetchOffsetForTimestamp`, KIP-207, rules 1.5). For a replica: LEO.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER, OFFSET_NOT_AVAILABLE, epoch errors.
    pub fn latest_offset(
        &self,
        asked: &ListOffsetsRequest,
        context: &Context<'_>,
    ) -> Result<Offset, KafkaError> {
        self.check_epoch(asked.current_leader_epoch)?;
        let Some(leader) = self.leader() else {
            return Err(KafkaError::NotLeaderOrFollower);
        };
        if asked.replica.is_some() {
            return Ok(self.log.leo());
        }
        if context.rules().offset_not_available && self.log.hw() < leader.epoch_start {
            return Err(KafkaError::OffsetNotAvailable);
        }
        Ok(match asked.isolation {
            Isolation::ReadUncommitted => self.log.hw(),
            Isolation::ReadCommitted => self.log.lso(),
        })
    }

    /// The earliest offset: the log start, whoever asks (`Partition.fetchOffsetForTimestamp`).
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER, epoch errors.
    pub fn earliest_offset(&self, asked: &ListOffsetsRequest) -> Result<Offset, KafkaError> {
        self.check_epoch(asked.current_leader_epoch)?;
        if self.leader().is_none() {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        Ok(self.log.log_start())
    }

    /// ListOffsets arrives.
    pub fn list_offsets<S: Sink>(
        &self,
        context: &Context<'_>,
        request: MessageId,
        from: Node,
        asked: &ListOffsetsRequest,
        sink: &mut S,
    ) {
        let latest = self.latest_offset(asked, context);
        let body = Body::ListOffsetsResponse(ListOffsetsResponse {
            error: latest.err(),
            request_leader_epoch: asked.current_leader_epoch,
            earliest: self.log.log_start(),
            latest: latest.unwrap_or_default(),
        });
        sink.reply(Node::Broker(self.id), from, request, body);
    }
}
