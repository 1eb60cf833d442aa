//! A valid scenario from a stream of choices, over every action, every setting and every part of the start section.

use highwater_core::kafka::ids::{
    BrokerId, BrokerSet, LeaderEpoch, Millis, Offset, PartitionEpoch,
};
use highwater_core::kafka::message::Node;
use highwater_core::kafka::partition::Recovery;
use highwater_core::kafka::settings::{Acks, Isolation, Settings};
use highwater_core::scenario::error::Expected;
use highwater_core::scenario::{
    Action, ConfigChange, ElectionKind, Produce, Scenario, Start, StartReplica, Step, When, names,
};

/// Choices, most of them small; when they run out every choice is 0.
pub struct Choices<'a> {
    list: core::slice::Iter<'a, u32>,
    settings: Settings,
    ids: Vec<(String, u64)>,
    sent: u64,
    longest: u64,
}

const WORDS: &[&str] = &[
    "p",
    "batch 1",
    "a=b",
    "x\"y",
    "back\\slash",
    "#",
    "전송",
    "none",
    "-",
    "all",
    "\\\"",
];
const TITLES: &[&str] = &[
    "",
    "Acknowledged by one",
    "# not a comment",
    "높은 워터마크 = \"1\"",
    "title title",
];

/// The scenario that the choices stand for.
pub fn scenario(choices: &[u32]) -> Scenario {
    let mut c = Choices {
        list: choices.iter(),
        settings: Settings::default(),
        ids: Vec::new(),
        sent: 0,
        longest: 0,
    };
    let title = c.one_of(TITLES).to_owned();
    c.set_some();
    let start = c.flag().then(|| c.start());
    let mut steps = Vec::new();
    let mut earliest = 0;
    while c.list.len() > 0 {
        let when = match c.below(3) {
            0 => When::Settled,
            1 => {
                earliest += c.below(2_000);
                When::At(Millis(earliest))
            }
            _ => {
                let wait = c.below(2_000);
                earliest += wait;
                When::After(Millis(wait))
            }
        };
        let action = c.action();
        steps.push(Step { when, action });
    }
    Scenario {
        title,
        settings: c.settings,
        start,
        steps,
    }
}

impl Choices<'_> {
    fn next(&mut self) -> u64 {
        u64::from(self.list.next().copied().unwrap_or(0))
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        let place = self.below(items.len() as u64) as usize;
        items[place]
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| value(self))
    }

    fn set_some(&mut self) {
        for _ in 0..self.below(8) {
            let setting = self.one_of(&(0..names::ALL.len()).collect::<Vec<_>>());
            let setting = &names::ALL[setting];
            let value = match setting.expected() {
                Expected::OneOf(words) => self.one_of(words).to_owned(),
                Expected::Words(words) => self.one_of(&words).to_owned(),
                Expected::Number { min, max } => (min + self.below(max - min + 1)).to_string(),
                Expected::Time { min, max } => {
                    format!("{}ms", min.0 + self.below(max.0 - min.0 + 1))
                }
                Expected::KafkaVersion => {
                    let releases = [
                        "0.10.2.2", "0.11", "1.0", "2.0.1", "2.8", "3.6.2", "3.7", "3.9", "4.0.0",
                        "4.1", "4.4.0",
                    ];
                    self.one_of(&releases).to_owned()
                }
                Expected::BrokerList { .. } if setting.name == "brokers" => {
                    let mut list = self.settings.replicas.clone();
                    list.extend((0..self.below(4)).map(|n| BrokerId(900 + n as u32)));
                    list.iter()
                        .map(BrokerId::to_string)
                        .collect::<Vec<_>>()
                        .join(",")
                }
                Expected::BrokerList { .. } => {
                    let all = [
                        "1,2,3",
                        "3,1,2",
                        "2024,2011,2012",
                        "0,7",
                        "12",
                        "5,4,3,2,1",
                        "2147483647",
                    ];
                    self.one_of(&all).to_owned()
                }
                Expected::BrokerOr(word) => match self.flag() {
                    true => self.broker().to_string(),
                    false => word.to_owned(),
                },
                Expected::Racks => {
                    let brokers = self.settings.brokers.clone();
                    let mut racks = Vec::new();
                    for broker in brokers {
                        if self.flag() {
                            racks.push(format!("{broker}:{}", self.one_of(&["a", "b", "rack-1"])));
                        }
                    }
                    match racks.is_empty() {
                        true => "none".to_owned(),
                        false => racks.join(","),
                    }
                }
                Expected::Rack => self.one_of(&["none", "a", "b", "rack-1"]).to_owned(),
                other => panic!("no value for {}: {other:?}", setting.name),
            };
            names::set(&mut self.settings, setting.name, &value).unwrap();
        }
    }

    fn broker(&mut self) -> BrokerId {
        let brokers = self.settings.brokers.clone();
        self.one_of(&brokers)
    }

    fn replica(&mut self) -> BrokerId {
        let replicas = self.settings.replicas.clone();
        self.one_of(&replicas)
    }

    fn replicas(&mut self) -> BrokerSet {
        let replicas = self.settings.replicas.clone();
        replicas.into_iter().filter(|_| self.flag()).collect()
    }

    fn epoch(&mut self) -> LeaderEpoch {
        LeaderEpoch(self.below(2_147_483_648) as u32)
    }

    fn time(&mut self) -> Millis {
        Millis(self.below(10_000))
    }

    fn isolation(&mut self) -> Isolation {
        self.one_of(&[Isolation::ReadUncommitted, Isolation::ReadCommitted])
    }

    fn start(&mut self) -> Start {
        let isr = self.replicas();
        let elr = self.replicas().minus(&isr);
        let members: Vec<BrokerId> = isr.iter().collect();
        let leader = if members.is_empty() {
            None
        } else {
            self.maybe(|c| c.one_of(&members))
        };
        let leader_epoch = self.epoch();
        let brokers = self.settings.brokers.clone();
        let mut replicas = Vec::new();
        for broker in brokers {
            if self.flag() {
                replicas.push(self.start_replica(broker, leader_epoch));
            }
        }
        let open_transaction = self.maybe(|c| c.longest).map(Offset);
        Start {
            leader,
            leader_epoch,
            partition_epoch: PartitionEpoch(self.below(1_000) as u32),
            isr,
            elr,
            last_known_elr: self.replicas().iter().rev().collect(),
            recovery: self.one_of(&[Recovery::Recovered, Recovery::Recovering]),
            replicas,
            open_transaction,
        }
    }

    fn start_replica(&mut self, broker: BrokerId, newest: LeaderEpoch) -> StartReplica {
        let down = self.flag();
        let clean = down && self.flag();
        if !self.settings.replicas.contains(&broker) {
            return StartReplica {
                broker,
                down,
                clean,
                ..StartReplica::default()
            };
        }
        let log_start = Offset(self.below(50));
        let mut log = Vec::new();
        let (mut epoch, mut end) = (self.below(3) as u32, log_start.0);
        for _ in 0..self.below(4) {
            if epoch > newest.0 {
                break;
            }
            let count = 1 + self.below(1_239_742_830);
            log.push((LeaderEpoch(epoch), count));
            end += count;
            epoch += 1 + self.below(3) as u32;
        }
        self.longest = self.longest.max(end);
        let epochs = self.maybe(|c| {
            let most = c.below(3).min(u64::from(newest.0));
            (0..most)
                .map(|n| (LeaderEpoch(n as u32), Offset(end.min(n))))
                .collect()
        });
        let hw = Offset(self.below(end + 1));
        StartReplica {
            broker,
            log,
            log_start,
            epochs,
            hw,
            down,
            clean,
        }
    }

    fn produce(&mut self) -> Produce {
        let mut call = Produce {
            records: 1 + self.below(20),
            acks: self.maybe(|c| c.one_of(&[Acks::All, Acks::Leader, Acks::None])),
            to: self.maybe(Self::broker),
            timeout: self.maybe(Self::time),
            id: None,
            producer: self.maybe(|c| c.one_of(WORDS).to_owned()),
            sequence: self.maybe(|c| c.below(2_147_483_648) as u32),
            retry_of: None,
            lose_request: self.flag(),
            lose_response: self.flag(),
            transactional: self.flag(),
        };
        if self.flag() && !self.ids.is_empty() {
            let (name, records) = self.ids[self.ids.len() / 2].clone();
            call.retry_of = Some(name);
            call.records = records;
        }
        if self.flag() {
            let name = format!("{}{}", self.one_of(WORDS), self.ids.len());
            self.ids.push((name.clone(), call.records));
            call.id = Some(name);
        }
        self.sent += call.records;
        self.longest += call.records;
        call
    }

    fn link(&mut self) -> (Node, Node) {
        let ends = [Node::Controller, Node::Producer, Node::Consumer];
        let broker = Node::Broker(self.broker());
        let other = self.one_of(&ends);
        if self.flag() {
            (broker, other)
        } else {
            (other, broker)
        }
    }

    fn rounds(&mut self) -> u32 {
        1 + self.below(5) as u32
    }

    fn action(&mut self) -> Action {
        let broker = self.broker();
        let (from, to) = self.link();
        match self.below(46) {
            0..=2 => Action::Produce(self.produce()),
            3 => Action::Fetch {
                broker,
                rounds: self.rounds(),
                lose_response: self.flag(),
            },
            4 => Action::PauseFetch(broker),
            5 => Action::ResumeFetch(broker),
            6 => Action::SlowFetch {
                broker,
                delay: self.time(),
            },
            7 => Action::LimitFetch {
                broker,
                records: self.maybe(|c| 1 + c.below(9)),
            },
            8 => Action::CatchUp(broker),
            9 => Action::Stop(broker),
            10 => Action::Kill(broker),
            11 => Action::PowerLoss {
                broker,
                keep: Offset(self.below(self.longest + 1)),
            },
            12 => Action::Start {
                broker,
                clean: self.maybe(Self::flag),
                wait: self.flag(),
            },
            13 => {
                let longest = self.longest;
                Action::Bounce {
                    broker,
                    keep: self.maybe(|c| Offset(c.below(longest + 1))),
                }
            }
            14 => Action::Isolate(broker),
            15 => self
                .one_of(&[Action::Heal(broker), Action::HealAll].each_ref())
                .clone(),
            16 => Action::CutController(broker),
            17 => Action::HealController(broker),
            18 => Action::Cut(from, to),
            19 => Action::HealLink(from, to),
            20 => Action::Slow {
                from,
                to,
                latency: Millis(1 + self.below(999)),
            },
            21 => Action::Hold { from, to },
            22 => Action::Release {
                from,
                to,
                count: self.maybe(Self::rounds),
            },
            23 => Action::LoseNext { from, to },
            24 => self
                .one_of(&[Action::KillController, Action::StartController].each_ref())
                .clone(),
            25 => Action::HoldAlterPartition(broker),
            26 => Action::ReleaseAlterPartition(broker),
            27 => Action::LoseAlterPartitionResponse(broker),
            28 => Action::Fence(broker),
            29 => Action::Unfence(broker),
            30 => Action::HoldMetadata(broker),
            31 => Action::DeliverMetadata {
                broker,
                count: self.maybe(Self::rounds),
            },
            32 => {
                let named = ElectionKind::Named(self.replica());
                Action::Elect(self.one_of(&[ElectionKind::Preferred, ElectionKind::Unclean, named]))
            }
            33 => {
                let min = ConfigChange::MinInsyncReplicas(self.rounds());
                let unclean = ConfigChange::UncleanLeaderElection(self.flag());
                Action::SetConfig(self.one_of(&[min, unclean]))
            }
            34 => Action::ProposeIsr(self.replicas()),
            35 => Action::IsrCheck(broker),
            36 => Action::Consume {
                offset: Offset(self.next()),
                from: self.maybe(Self::broker),
                leader_epoch: self.maybe(Self::epoch),
                isolation: self.isolation(),
            },
            37 => Action::ListOffset {
                isolation: self.isolation(),
            },
            38 => Action::EpochEnd {
                epoch: self.epoch(),
                broker: self.maybe(Self::broker),
            },
            39 => Action::TransactionBegin,
            40 => {
                self.longest += 1;
                Action::TransactionEnd {
                    commit: self.flag(),
                }
            }
            41 => Action::AwaitFenced(broker),
            42 => Action::AwaitUnfenced(broker),
            43 => Action::AwaitIsr(self.replicas()),
            44 => match self.ids.last() {
                Some((name, _)) => Action::AwaitAck(name.clone()),
                None => Action::Check,
            },
            _ => Action::Wait(self.time()),
        }
    }
}
