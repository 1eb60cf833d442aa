//! The machines of a search by number: each broker and controller state that occurs is kept once, with a view of what
//! guards and properties look at.

use super::intern::{Interner, Table};
use super::pack::{self, Packed};
use super::question::{Bounds, Fault, Question};
use super::rest::{self, NOW, OFFSET_AT_REST};
use crate::kafka::broker::{Broker, Role};
use crate::kafka::context::Context;
use crate::kafka::controller::Controller;
use crate::kafka::follower::Phase;
use crate::kafka::ids::{BrokerId, BrokerSet, Offset};
use crate::kafka::partition::PartitionState;
use crate::kafka::record::{Payload, ProducerStamp};
use crate::kafka::settings::Settings;

/// The most replicas of a question.
pub(super) const MOST_REPLICAS: usize = 5;

fn small(offset: Offset) -> u8 {
    u8::try_from(offset.0).unwrap_or(u8::MAX)
}

/// What guards and properties look at of a broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub up: bool,
    pub leads: bool,
    /// Whom it follows and may fetch from, by place.
    pub follows: Option<u8>,
    /// The leader epoch of its role.
    pub epoch: u8,
    pub epoch_start: u8,
    pub hw: u8,
    /// The records of its log: number and leader epoch.
    pub log: Box<[(u8, u8)]>,
    /// The first [`View::SHORT`] records of it, 8 bits each, so that two logs are compared at once.
    pub short: u64,
    /// Whether leader epochs never go back along the log.
    pub ascending: bool,
    /// The same records as a mask.
    pub records: u32,
    pub committed: u8,
    pub maximal: u8,
    pub pending: bool,
}

impl View {
    /// How many records fit into [`View::short`]: most logs have no more.
    const SHORT: usize = 8;

    pub fn leo(&self) -> u8 {
        self.log.len() as u8
    }

    /// Whether both logs have the same records below that offset, as far as both reach.
    pub fn agrees(&self, other: &View, end: u8) -> bool {
        let end = usize::from(end).min(self.log.len()).min(other.log.len());
        if end > View::SHORT {
            return self.log[..end] == other.log[..end];
        }
        // The first record lies in the lowest bits; nothing is left of a difference above the offset.
        let difference = (self.short ^ other.short).trailing_zeros() as usize;
        difference >= end * 8
    }
}

/// A partition record as brokers see it, and what else the controller knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ControllerView {
    pub record: Record,
    pub elr: u8,
    pub fenced: u8,
}

/// A partition record as it matters to brokers: leader, leader epoch, ISR; 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record(pub u16);

impl Record {
    pub fn new(leader: Option<u8>, epoch: u8, isr: u8) -> Record {
        let leader = leader.map_or(0, |place| u16::from(place) + 1);
        Record(leader | u16::from(epoch) << 3 | u16::from(isr) << 8)
    }

    /// The leader, by place.
    pub fn leader(self) -> Option<u8> {
        ((self.0 & 7) as u8).checked_sub(1)
    }

    pub fn epoch(self) -> u8 {
        (self.0 >> 3 & 31) as u8
    }

    pub fn isr(self) -> u8 {
        (self.0 >> 8) as u8
    }

    pub fn without_isr(self) -> Record {
        Record(self.0 & 0xFF)
    }
}

/// What an event makes of one or two machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// The first machine afterwards; [`Effect::NOTHING`] when nothing happens.
    pub first: u32,
    /// The second machine afterwards.
    pub second: u32,
    /// Records that were confirmed to the producer.
    pub acked: u32,
}

impl Effect {
    const NOTHING: u32 = u32::MAX;

    /// The event has no effect, or cannot happen.
    pub fn none() -> Effect {
        Effect {
            first: Effect::NOTHING,
            second: 0,
            acked: 0,
        }
    }

    pub fn some(self) -> Option<Effect> {
        (self.first != Effect::NOTHING).then_some(self)
    }
}

/// What an action of the controller may come to: one for each winner that an election may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// The broker afterwards, where one takes part.
    pub broker: u32,
    pub controller: u32,
    /// Whether a partition record was written.
    pub wrote: bool,
}

/// The machines of a search.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub settings: Settings,
    pub bounds: Bounds,
    /// The replicas, ascending; a broker's place is its place here.
    pub ids: Vec<BrokerId>,
    /// Whether batches carry a producer's stamp: only where a retry meets idempotence.
    pub stamped: bool,
    brokers: Interner<Packed>,
    /// Where a broker is packed: most are known already.
    packing: Vec<u8>,
    views: Vec<View>,
    pub controllers: Interner<Controller>,
    controller_views: Vec<ControllerView>,
    pub sequences: Interner<Vec<u8>>,
    pub memo: Table<Effect>,
    pub decisions: Vec<Decision>,
    pub decided: Table<(u32, u32)>,
}

impl World {
    pub fn new(question: &Question) -> World {
        let retries = question.faults.allows(Fault::Retry);
        let stamped = question.settings.idempotence && retries;
        let settings = rest::settings(&question.settings, stamped);
        let mut sequences = Interner::new();
        sequences.number(Vec::new());
        World {
            ids: settings.replicas.clone(),
            settings,
            bounds: question.bounds,
            stamped,
            brokers: Interner::new(),
            packing: Vec::new(),
            views: Vec::new(),
            controllers: Interner::new(),
            controller_views: Vec::new(),
            sequences,
            memo: Table::new(),
            decisions: Vec::new(),
            decided: Table::new(),
        }
    }

    /// The cold start: everybody is up and in the ISR, the first replica leads, logs are empty, nobody has fetched.
    /// The brokers' numbers and the controller's.
    pub fn start(&mut self) -> (Vec<u32>, u32) {
        let mut controller = Controller::new(&self.settings, None);
        let image = controller.image();
        let brokers = self
            .ids
            .clone()
            .into_iter()
            .map(|id| {
                let epoch = image.broker(id).map(|b| b.epoch).unwrap_or_default();
                let mut broker = Broker::new(id, epoch);
                let context = Context {
                    settings: &self.settings,
                    now: NOW,
                };
                broker.apply_metadata(&context, &image, &mut super::outbox::Outbox::default());
                self.broker(&broker)
            })
            .collect();
        controller.running = true;
        (brokers, self.controller(controller))
    }

    pub fn place(&self, broker: BrokerId) -> u8 {
        self.ids.iter().position(|id| *id == broker).unwrap_or(0) as u8
    }

    pub fn mask(&self, set: &BrokerSet) -> u8 {
        set.iter().fold(0, |mask, id| mask | 1 << self.place(id))
    }

    pub fn set(&self, mask: u8) -> BrokerSet {
        let member = |(place, id): (usize, &BrokerId)| (mask >> place & 1 == 1).then_some(*id);
        self.ids.iter().enumerate().filter_map(member).collect()
    }

    pub fn view(&self, broker: u32) -> &View {
        &self.views[broker as usize]
    }

    pub fn controller_view(&self, controller: u32) -> ControllerView {
        self.controller_views[controller as usize]
    }

    pub fn id(&self, place: u8) -> BrokerId {
        self.ids
            .get(usize::from(place))
            .copied()
            .unwrap_or_default()
    }

    /// The number of a broker, which is brought to rest.
    pub fn broker(&mut self, broker: &Broker) -> u32 {
        let mut packed = core::mem::take(&mut self.packing);
        packed.clear();
        pack::pack(self, broker, &mut packed);
        let (number, new) = self.brokers.number_of(packed.as_slice());
        self.packing = packed;
        if new {
            self.views.push(self.view_of(broker));
        }
        number
    }

    /// The broker of that number.
    pub fn machine(&self, number: u32) -> Broker {
        pack::unpack(self, self.brokers.get(number))
    }

    /// The stamp of a record's batch, where batches have one.
    pub fn stamp(&self, number: u8) -> Option<ProducerStamp> {
        self.stamped.then(|| pack::stamp(number))
    }

    /// The number of a controller, which is brought to rest.
    pub fn controller(&mut self, mut controller: Controller) -> u32 {
        rest::controller(&self.settings, &mut controller);
        let partition = &controller.partition;
        let view = ControllerView {
            record: self.record_of(partition),
            elr: self.mask(&partition.elr),
            fenced: self
                .ids
                .iter()
                .enumerate()
                .filter(|(_, id)| !controller.is_active(**id))
                .fold(0, |mask, (place, _)| mask | 1 << place),
        };
        let (number, new) = self.controllers.number(controller);
        if new {
            self.controller_views.push(view);
        }
        number
    }

    pub fn record_of(&self, partition: &PartitionState) -> Record {
        Record::new(
            partition.leader.map(|id| self.place(id)),
            partition.leader_epoch.0 as u8,
            self.mask(&partition.isr),
        )
    }

    /// The image that brings a broker to a record: the next partition epoch and the next metadata offset.
    pub fn image(&self, record: Record) -> crate::kafka::message::MetadataImage {
        let mut image = rest::image(&self.settings, rest::blank_partition(&self.settings));
        image.offset.0 = OFFSET_AT_REST.0 + 1;
        let partition = &mut image.partition;
        partition.leader = record
            .leader()
            .and_then(|place| self.ids.get(usize::from(place)).copied());
        partition.leader_epoch.0 = u32::from(record.epoch());
        partition.isr = self.set(record.isr());
        partition.partition_epoch = partition.partition_epoch.next();
        image
    }

    pub fn context(&self) -> Context<'_> {
        Context {
            settings: &self.settings,
            now: NOW,
        }
    }

    fn view_of(&self, broker: &Broker) -> View {
        let log: Box<[(u8, u8)]> = broker
            .log
            .batches()
            .iter()
            .filter_map(|batch| match batch.payload {
                Payload::Records { first } => Some((first as u8, batch.epoch.0 as u8)),
                _ => None,
            })
            .collect();
        let records = log.iter().fold(0, |mask, (number, _)| {
            mask | super::outbox::bit(u32::from(*number))
        });
        let short = log
            .iter()
            .take(View::SHORT)
            .rev()
            .fold(0, |word, (number, epoch)| {
                word << 8 | u64::from(number & 15) << 4 | u64::from(epoch & 15)
            });
        let mut view = View {
            up: broker.is_up(),
            leads: false,
            follows: None,
            epoch: 0,
            epoch_start: 0,
            hw: small(broker.hw().min(broker.leo())),
            ascending: log.windows(2).all(|pair| pair[0].1 <= pair[1].1),
            log,
            short,
            records,
            committed: 0,
            maximal: 0,
            pending: false,
        };
        match &broker.role {
            Role::None => {}
            Role::Leader(leader) => {
                view.leads = true;
                view.epoch = leader.epoch.0 as u8;
                view.epoch_start = small(leader.epoch_start);
                view.committed = self.mask(&leader.committed_isr);
                view.maximal = self.mask(&leader.maximal_isr(&self.context()));
                view.pending = leader.pending.is_some();
            }
            Role::Follower(follower) => {
                let asks = !matches!(follower.phase, Phase::Idle | Phase::Failed);
                view.follows = follower.leader.filter(|_| asks).map(|id| self.place(id));
                view.epoch = follower.epoch.0 as u8;
            }
        }
        view
    }

    /// The bytes of all machines and tables. A packed broker and its log take an allocation each, of these sizes at most.
    pub fn bytes(&self) -> usize {
        const PACKED: usize = 64;
        const LOG: usize = 32;
        const LISTS_OF_A_CONTROLLER: usize = 700;
        self.brokers.bytes()
            + self.brokers.len() * (PACKED + LOG)
            + self.views.capacity() * size_of::<View>()
            + self.controllers.bytes()
            + self.controllers.len() * LISTS_OF_A_CONTROLLER
            + self.sequences.bytes()
            + self.memo.bytes()
            + self.decided.bytes()
            + self.decisions.capacity() * size_of::<Decision>()
    }
}
