//! The fetcher's rounds, and answers that come at odd times (`AbstractFetcherThread.doWork`).

use highwater_core::kafka::context::Context;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{LeaderEpoch, MessageId, Offset};
use highwater_core::kafka::message::{
    Body, DivergingEpoch, FetchResponse, ListOffsetsResponse, Node,
};
use highwater_core::kafka::sink::Timer;

use super::{FOLLOWER, LEADER, Runner, batches, partition};
use crate::case::Fields;

/// A fetcher needs fewer rounds than this for any log of a case.
const MOST_ROUNDS: usize = 10_000;

impl Runner {
    fn context(&self) -> Context<'_> {
        Context {
            settings: &self.settings,
            now: self.now,
        }
    }

    /// One fetch and its processing, with the truncation before it and the look at the leader's offsets after it, where
    /// these are due.
    pub(super) fn round(&mut self) {
        self.truncate_phase();
        let Some(request) = self.ask() else { return };
        self.deliver(request);
        let asks_offsets = |body: &Body| matches!(body, Body::ListOffsetsRequest(_));
        if let Some(next) = self.waiting().filter(|id| self.is(*id, asks_offsets)) {
            self.deliver(next);
        }
        self.outbox.events.clear();
    }

    pub(super) fn until_in_sync(&mut self) -> Result<(), String> {
        for _ in 0..MOST_ROUNDS {
            if self.in_sync() {
                return Ok(());
            }
            self.round();
        }
        Err("the logs never agree".to_string())
    }

    /// Only the step of a fetcher that must truncate before it fetches.
    pub(super) fn truncate_phase(&mut self) {
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        if self.follower.maybe_truncate(&context, &mut self.outbox) {
            self.truncations.push(self.follower.leo());
            self.fetch_offset = None;
        }
        self.outbox.events.clear();
    }

    /// The follower's request that is not answered yet; without one, it asks now if its back-off is over.
    fn ask(&mut self) -> Option<MessageId> {
        if self.waiting().is_none() {
            let context = Context {
                settings: &self.settings,
                now: self.now,
            };
            let due = self.outbox.due(self.now);
            match due {
                Some((_, Timer::FollowerFetch { generation, .. })) => self
                    .follower
                    .follower_fetch_due(&context, generation, &mut self.outbox),
                _ => self.follower.ask_leader(&context, &mut self.outbox),
            }
        }
        self.waiting()
    }

    fn waiting(&self) -> Option<MessageId> {
        self.follower.follower()?.in_flight
    }

    fn is(&self, id: MessageId, what: impl Fn(&Body) -> bool) -> bool {
        let mut messages = self.outbox.messages.iter();
        messages.any(|(sent, message)| *sent == id && what(&message.body))
    }

    /// The leader answers a request, and the follower takes the answer.
    fn deliver(&mut self, id: MessageId) {
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        let sent = self.outbox.messages.iter().find(|(sent, _)| *sent == id);
        let Some(body) = sent.map(|(_, message)| message.body.clone()) else {
            return;
        };
        let (from, sink) = (Node::Broker(FOLLOWER), &mut self.outbox);
        match &body {
            Body::FetchRequest(fetch) => self.leader.fetch(&context, id, from, fetch, sink),
            Body::ListOffsetsRequest(asked) => {
                self.leader.list_offsets(&context, id, from, asked, sink)
            }
            _ => return,
        }
        let mut answers = sink.messages.iter();
        let answer = answers.find(|(_, message)| message.reply_to == Some(id));
        match answer.map(|(_, message)| message.body.clone()) {
            Some(Body::FetchResponse(mut response)) => {
                response.batches.truncate(self.batches_per_fetch);
                self.take_fetch(id, &response);
            }
            Some(Body::ListOffsetsResponse(response)) => self.take_offsets(id, &response),
            _ => {}
        }
    }

    fn take_fetch(&mut self, id: MessageId, response: &FetchResponse) {
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        self.outbox.events.clear();
        self.follower
            .fetch_answered(&context, id, response, &mut self.outbox);
        self.note();
    }

    fn take_offsets(&mut self, id: MessageId, response: &ListOffsetsResponse) {
        let context = Context {
            settings: &self.settings,
            now: self.now,
        };
        self.outbox.events.clear();
        self.follower
            .list_offsets_answered(&context, id, response, &mut self.outbox);
        self.note();
    }

    /// Counts what the follower did with an answer.
    fn note(&mut self) {
        let events = std::mem::take(&mut self.outbox.events);
        let diverged = |event: &EventKind| matches!(event, EventKind::Diverged { .. });
        let by_answer = events.iter().any(diverged);
        for event in &events {
            match event {
                EventKind::Diverged { cut, .. } => self.truncations.push(*cut),
                EventKind::Truncated { to, .. } if !by_answer => self.truncations.push(*to),
                EventKind::Appended { .. } => self.append_count += 1,
                _ => continue,
            }
            // What the fetcher did decides where it goes on.
            self.fetch_offset = None;
        }
    }

    /// The partition is handed to the fetcher (again), as metadata does it.
    pub(super) fn add_partition(&mut self, epoch: LeaderEpoch) {
        let partition_epoch = self.follower.follower().map_or(0, |f| f.partition_epoch.0) + 1;
        let state = partition(epoch, partition_epoch);
        if self.follower.follow(&state, &self.settings.rules) {
            // Its requests so far are no longer waited for.
            self.outbox.messages.clear();
            self.fetch_offset = None;
        }
    }

    fn response(&self, offset: Offset, epoch: Option<LeaderEpoch>) -> FetchResponse {
        FetchResponse {
            error: None,
            fetch_offset: offset,
            request_leader_epoch: epoch,
            high_watermark: self.leader.hw(),
            last_stable_offset: self.leader.hw(),
            log_start: self.leader.log.log_start(),
            diverging: None,
            batches: Vec::new(),
            aborted: Vec::new(),
            preferred_read_replica: None,
            parked: self.context().now,
        }
    }

    /// The answer to a request that was made for another epoch or offset.
    pub(super) fn late_response(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&[
            "op",
            "request_leader_epoch",
            "request_fetch_offset",
            "batches",
        ])?;
        let epoch = LeaderEpoch(op.small("request_leader_epoch")?);
        let offset = Offset(op.number("request_fetch_offset")?);
        let mut response = self.response(offset, Some(epoch));
        response.batches = batches(op)?;
        self.truncate_phase();
        let id = self.ask().ok_or("the follower asks nothing")?;
        self.take_fetch(id, &response);
        Ok(())
    }

    /// An answer with a diverging epoch; without the partition nothing comes of it.
    pub(super) fn diverging_response(&mut self, op: &Fields) -> Result<(), String> {
        op.only(&["op", "epoch", "end_offset", "partition_owned"])?;
        let id = self.ask().ok_or("the follower asks nothing")?;
        let epoch = self.follower.follower().map(|f| f.epoch);
        let mut response = self.response(self.follower.leo(), epoch);
        response.diverging = Some(DivergingEpoch {
            epoch: op.maybe_small("epoch")?.map(LeaderEpoch),
            end_offset: op.maybe_number("end_offset")?.map(Offset),
        });
        if !op.flag_or("partition_owned", true)? {
            let (epoch, partition_epoch) = self
                .follower
                .follower()
                .map_or((LeaderEpoch(0), 0), |f| (f.epoch, f.partition_epoch.0));
            let mut state = partition(epoch.next(), partition_epoch + 1);
            state.leader = state.leader.filter(|leader| *leader != LEADER);
            let context = Context {
                settings: &self.settings,
                now: self.now,
            };
            self.follower
                .make_follower(&context, &state, &mut self.outbox);
        }
        self.take_fetch(id, &response);
        Ok(())
    }
}
