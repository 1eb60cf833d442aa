//! Events of replicas, by the real transitions: append, fetch, metadata, ISR changes. Each result is remembered by the
//! machines that take part, so a transition runs once for each pair of machine states and not once for each state.

use super::event::Asked;
use super::outbox::Outbox;
use super::pack;
use super::world::{Effect, Record, World};
use crate::kafka::broker::Broker;
use crate::kafka::ids::{MessageId, Millis, Offset, SendId};
use crate::kafka::message::{Body, FetchResponse, Message, ProduceRequest};
use crate::kafka::record::{Batch, Payload};

/// The most exchanges that one fetch event may take: a truncation asks once for each epoch at most.
const MOST_EXCHANGES: usize = 40;

/// The kinds of events, for the keys of what is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Produce = 1,
    Learn,
    Stop,
    Bounce,
    Forget,
    Fetch,
    FetchLost,
    ChangeIsr,
    ChangeIsrLost,
    Restart,
    Clean,
    SessionExpires,
    Fence,
    Unfence,
    Move,
}

/// A key: kind, two machines or values, an argument.
pub(super) fn key(kind: Kind, first: u32, second: u32, argument: u8) -> u64 {
    (kind as u64) << 58
        | u64::from(first & 0x3FF_FFFF) << 32
        | u64::from(second & 0x3FF_FFFF) << 6
        | u64::from(argument & 63)
}

impl World {
    fn remembered(
        &mut self,
        key: u64,
        make: impl FnOnce(&mut World) -> Option<Effect>,
    ) -> Option<Effect> {
        if let Some(effect) = self.memo.get(key) {
            return effect.some();
        }
        let effect = make(self);
        self.memo.insert(key, effect.unwrap_or(Effect::none()));
        effect
    }

    /// A broker of its own: `act` changes a copy; nothing when it is as before.
    fn alone(
        &mut self,
        broker: u32,
        act: impl FnOnce(&World, &mut Broker, &mut Outbox),
    ) -> Option<Effect> {
        let mut copy = self.machine(broker);
        let mut outbox = Outbox::default();
        act(self, &mut copy, &mut outbox);
        let first = self.broker(&copy);
        (first != broker).then_some(Effect {
            first,
            second: 0,
            acked: outbox.acked,
        })
    }

    /// Record `number` (again) as a batch of its own at a broker that believes it leads.
    pub fn produce(&mut self, broker: u32, number: u8) -> Option<Effect> {
        self.remembered(key(Kind::Produce, broker, 0, number), |world| {
            let send = SendId(u32::from(number));
            let request = ProduceRequest {
                send,
                attempt: 1,
                acks: world.settings.acks,
                timeout: Millis(u64::MAX),
                batch: Batch {
                    base: Offset(0),
                    count: 1,
                    epoch: Default::default(),
                    producer: world.stamp(number),
                    payload: Payload::Records {
                        first: u64::from(number),
                    },
                },
            };
            world.alone(broker, |world, copy, outbox| {
                copy.produce(&world.context(), MessageId(send.0), &request, outbox);
            })
        })
    }

    /// A partition record reaches a live broker. A leader that `missed` its dismissal hears of it first: nobody leads in
    /// between, so it gives up its waiting requests and the positions that it knew.
    pub fn learn(&mut self, broker: u32, record: Record, missed: bool) -> Option<Effect> {
        let leads = self.view(broker).leads;
        let missed = missed && leads && record.epoch() > 0;
        let key = key(Kind::Learn, broker, u32::from(record.0), u8::from(missed));
        self.remembered(key, |world| {
            let mut image = world.image(record);
            let between = world.image(Record::new(None, record.epoch().saturating_sub(1), 0));
            let effect = world.alone(broker, |world, copy, outbox| {
                if missed {
                    copy.apply_metadata(&world.context(), &between, outbox);
                    image.offset.0 += 1;
                    image.partition.partition_epoch = image.partition.partition_epoch.next();
                }
                copy.apply_metadata(&world.context(), &image, outbox);
            });
            // Its position moves even when nothing else does.
            effect.or(Some(Effect {
                first: broker,
                second: 0,
                acked: 0,
            }))
        })
    }

    /// The process ends; `keep` = the records that a power loss leaves.
    pub fn stop(&mut self, broker: u32, keep: Option<u8>) -> Option<Effect> {
        let argument = keep.map_or(0, |keep| keep + 1);
        self.remembered(key(Kind::Stop, broker, 0, argument), |world| {
            world.alone(broker, |world, copy, outbox| {
                let keep = keep.map(|keep| Offset(u64::from(keep)));
                copy.crash(&world.context(), keep, outbox);
            })
        })
    }

    /// The process stops and starts unnoticed, at the record that it knew.
    pub fn bounce(&mut self, broker: u32, record: Record, keep: Option<u8>) -> Option<Effect> {
        let argument = keep.map_or(0, |keep| keep + 1);
        let key = key(Kind::Bounce, broker, u32::from(record.0), argument);
        self.remembered(key, |world| {
            let image = world.image(record);
            world.alone(broker, |world, copy, outbox| {
                copy.metadata = image;
                let keep = keep.map(|keep| Offset(u64::from(keep)));
                copy.bounce(&world.context(), keep, outbox);
            })
        })
    }

    /// The registration of the broker at `place` is over: leaders know its position under an old broker epoch (KIP-903).
    pub fn forget(&mut self, broker: u32, place: u8) -> u32 {
        let id = self.ids[usize::from(place)];
        let effect = self.remembered(key(Kind::Forget, broker, 0, place), |world| {
            world.alone(broker, |_, copy, _| pack::registration_ends(copy, id))
        });
        effect.map_or(broker, |effect| effect.first)
    }

    /// A follower fetches. Exchanges before it, to truncate, belong to it; when they cut the log, that is all of it.
    /// With `lost` the answer is lost; a fetch that would only truncate cannot be lost.
    pub fn fetch(&mut self, leader: u32, follower: u32, lost: bool) -> Option<Effect> {
        let kind = if lost { Kind::FetchLost } else { Kind::Fetch };
        self.remembered(key(kind, leader, follower, 0), |world| {
            let mut leading = world.machine(leader);
            let mut following = world.machine(follower);
            let mut outbox = Outbox::default();
            let (leads, follows) = (&mut leading, &mut following);
            world.exchange(leads, follows, lost, &mut Vec::new(), &mut outbox)?;
            let (first, second) = (world.broker(&leading), world.broker(&following));
            ((first, second) != (leader, follower)).then_some(Effect {
                first,
                second,
                acked: outbox.acked,
            })
        })
    }

    /// The requests of one fetch event and their answers; none when it cannot happen.
    pub fn exchange(
        &self,
        leading: &mut Broker,
        following: &mut Broker,
        lost: bool,
        asked: &mut Vec<Asked>,
        outbox: &mut Outbox,
    ) -> Option<()> {
        let context = self.context();
        let leo = following.leo();
        following.follower_fetch_due(&context, 0, outbox);
        for _ in 0..MOST_EXCHANGES {
            let (id, request) = outbox.take()?;
            if let Body::FetchRequest(fetch) = &request.body {
                let diverges = leading
                    .read(fetch, &context)
                    .is_ok_and(|read| read.diverging.is_some());
                if !diverges && following.leo() < leo {
                    return (!lost).then_some(());
                }
                if lost && !diverges {
                    asked.push(Asked::Fetch);
                    leading.fetch(&context, id, request.from, fetch, outbox);
                    outbox.take();
                    following.fetch_disconnected(&context, id, outbox);
                    return Some(());
                }
            }
            asked.push(match &request.body {
                Body::OffsetsForLeaderEpochRequest(_) => Asked::EpochEnd,
                Body::ListOffsetsRequest(_) => Asked::Offsets,
                _ => Asked::Fetch,
            });
            self.ask(leading, id, &request, outbox);
            let (_, answer) = outbox.take()?;
            if self.answer(following, id, &answer, outbox) {
                return (!lost).then_some(());
            }
        }
        None
    }

    fn ask(&self, leading: &mut Broker, id: MessageId, request: &Message, outbox: &mut Outbox) {
        let context = self.context();
        match &request.body {
            Body::FetchRequest(fetch) => leading.fetch(&context, id, request.from, fetch, outbox),
            Body::OffsetsForLeaderEpochRequest(asked) => {
                leading.offsets_for_leader_epoch(&context, id, request.from, asked, outbox)
            }
            Body::ListOffsetsRequest(asked) => {
                leading.list_offsets(&context, id, request.from, asked, outbox)
            }
            _ => {}
        }
    }

    /// Hands an answer to the follower; true when it was that of a fetch that lined up.
    fn answer(
        &self,
        following: &mut Broker,
        request: MessageId,
        answer: &Message,
        outbox: &mut Outbox,
    ) -> bool {
        let context = self.context();
        match &answer.body {
            Body::FetchResponse(response) => {
                following.fetch_answered(&context, request, response, outbox);
                matches!(
                    response,
                    FetchResponse {
                        error: None,
                        diverging: None,
                        ..
                    }
                )
            }
            Body::OffsetsForLeaderEpochResponse(response) => {
                following.epoch_end_answered(&context, request, response, outbox);
                false
            }
            Body::ListOffsetsResponse(response) => {
                following.list_offsets_answered(&context, request, response, outbox);
                false
            }
            _ => false,
        }
    }

    /// The leader proposes that the replica at `place` leaves the ISR, or joins it; with `lost` it does not hear the answer.
    /// Nothing when the leader would not propose it or the controller refuses. The effect's second machine is the
    /// controller.
    pub fn change_isr(
        &mut self,
        broker: u32,
        controller: u32,
        place: u8,
        lost: bool,
    ) -> Option<Effect> {
        let kind = if lost {
            Kind::ChangeIsrLost
        } else {
            Kind::ChangeIsr
        };
        self.remembered(key(kind, broker, controller, place), |world| {
            let mut leading = world.machine(broker);
            let mut deciding = world.controllers.get(controller).clone();
            let mut outbox = Outbox::default();
            world.propose(&mut leading, &mut deciding, place, lost, &mut outbox)?;
            Some(Effect {
                first: world.broker(&leading),
                second: world.controller(deciding),
                acked: outbox.acked,
            })
        })
    }

    fn propose(
        &self,
        leading: &mut Broker,
        deciding: &mut crate::kafka::controller::Controller,
        place: u8,
        lost: bool,
        outbox: &mut Outbox,
    ) -> Option<()> {
        let context = self.context();
        let replica = *self.ids.get(usize::from(place))?;
        let leader = leading.leader()?;
        let mut isr = leader.committed_isr.clone();
        let lag = leader.out_of_sync(leading.id, leading.leo(), &context);
        let drops = isr.remove(replica);
        if !drops {
            isr.insert(replica);
        }
        if (drops && !lag.contains(replica)) || !leading.propose_isr(&context, &isr, outbox) {
            return None;
        }
        let (id, request) = outbox.take()?;
        self.decide(deciding, leading, id, &request.body, outbox);
        let (_, answer) = outbox.take()?;
        let Body::AlterPartitionResponse(response) = &answer.body else {
            return None;
        };
        if response.error.is_some() {
            return None;
        }
        let heard = (!lost).then_some(response);
        leading.alter_partition_answered(&context, id, heard, outbox);
        Some(())
    }
}
