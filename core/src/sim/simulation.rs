//! The simulator: a cluster, its links, an agenda and a script. `advance` performs one thing at a time.

use super::agenda::{Agenda, Due, is_recurring};
use super::network::{Fate, Network, Waiting, is_request};
use super::progress::Progress;
use super::recorder::Recorder;
use super::start::{controller_start, leader_at_work, load};
use crate::kafka::broker::Broker;
use crate::kafka::cause::{Cause, Rule};
use crate::kafka::cluster::{Cluster, Input};
use crate::kafka::consumer::Consumer;
use crate::kafka::controller::{Controller, is_kept_without_controller};
use crate::kafka::event::{EventKind, Loss};
use crate::kafka::ids::{BrokerId, EventId, MessageId, Millis, Offset};
use crate::kafka::message::{Body, Message, Node};
use crate::kafka::producer::Producer;
use crate::kafka::sink::{Sink, Timer};
use crate::scenario::value::Scenario;
use std::sync::Arc;

/// A simulation: everything that the rest of a run follows from.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The script, shared by all checkpoints of a run.
    pub scenario: Arc<Scenario>,
    /// The cluster.
    pub cluster: Cluster,
    /// The links.
    pub network: Network,
    /// What is to come.
    pub agenda: Agenda,
    /// The script's progress.
    pub progress: Progress,
    /// The present.
    pub now: Millis,
    /// Brokers find a controller that came back not before this instant.
    pub controller_found_at: Millis,
}

/// The outputs of one input, on their way to links, agenda and recorder.
pub struct Outputs<'a> {
    /// Where events and messages are recorded.
    pub recorder: &'a mut Recorder,
    sends: Vec<Waiting>,
    timers: Vec<(Millis, Timer, Option<EventId>)>,
}

impl<'a> Outputs<'a> {
    /// Nothing yet.
    pub fn new(recorder: &'a mut Recorder) -> Outputs<'a> {
        let (sends, timers) = recorder.take_lists();
        Outputs {
            recorder,
            sends,
            timers,
        }
    }
}

impl Sink for Outputs<'_> {
    fn records_events(&self) -> bool {
        true
    }

    fn event(&mut self, make: impl FnOnce() -> (EventKind, Cause)) -> Option<EventId> {
        Some(self.recorder.event(make))
    }

    fn send(&mut self, message: Message) -> MessageId {
        let message = Arc::new(message);
        let id = self.recorder.sent(&message);
        self.sends.push((id, message));
        id
    }

    fn timer(&mut self, at: Millis, timer: Timer) {
        let set_by = if is_recurring(timer) {
            None
        } else {
            self.recorder.trigger()
        };
        self.timers.push((at, timer, set_by));
    }
}

impl Simulation {
    /// The state that a scenario starts from; `recorder` gets nothing yet.
    pub fn new(scenario: &Scenario, recorder: &mut Recorder) -> Simulation {
        let settings = &scenario.settings;
        let controller_start = scenario
            .start
            .as_ref()
            .map(|start| controller_start(scenario, start));
        let controller = Controller::new(settings, controller_start.as_ref());
        let mut brokers: Vec<Broker> = controller
            .brokers
            .iter()
            .map(|(&id, registration)| Broker::new(id, registration.epoch))
            .collect();
        let mut producer = Producer::default();
        let mut progress = Progress {
            next_record: 1,
            ..Progress::default()
        };
        let open = scenario.start.as_ref().and_then(|s| s.open_transaction);
        let open = open.map(|first| (first, progress.open_transaction(&mut producer)));
        for broker in &mut brokers {
            if let Some(replica) = scenario
                .start
                .iter()
                .flat_map(|s| &s.replicas)
                .find(|r| r.broker == broker.id)
            {
                load(broker, replica, open);
            }
        }
        let cluster = Cluster {
            settings: settings.clone(),
            controller,
            brokers,
            producer,
            consumer: Consumer::default(),
        };
        let mut simulation = Simulation {
            scenario: Arc::new(scenario.clone()),
            network: Network::new(settings),
            cluster,
            agenda: Agenda::default(),
            progress,
            now: Millis(0),
            controller_found_at: Millis(0),
        };
        simulation.begin(recorder);
        simulation
    }

    /// Metadata is known everywhere, timers run, followers and consumer ask for the first time.
    fn begin(&mut self, recorder: &mut Recorder) {
        let image = self.cluster.controller.image();
        let epoch = image.partition.leader_epoch;
        let settings = self.cluster.settings.clone();
        let ids: Vec<BrokerId> = self.cluster.brokers.iter().map(|b| b.id).collect();
        self.with_outputs(recorder, None, |simulation, outputs| {
            let now = Millis(0);
            for &id in &ids {
                let cluster = &mut simulation.cluster;
                let broker = cluster.broker(id);
                let began = broker.and_then(|b| b.log.epochs().start_of(epoch));
                cluster.with_broker(now, id, |broker, context| {
                    broker.apply_metadata(context, &image, outputs)
                });
                if simulation.scenario.start.is_some() {
                    leader_at_work(cluster, id, began);
                }
                let half = Millis((settings.replica_lag_time_max.0 / 2).max(1));
                let phase = Millis(settings.isr_tick_phase.0 % half.0);
                outputs.timer(
                    half.since(phase),
                    Timer::IsrTick {
                        broker: id,
                        incarnation: 0,
                    },
                );
                outputs.timer(
                    now,
                    Timer::Heartbeat {
                        broker: id,
                        incarnation: 0,
                    },
                );
            }
            outputs.timer(
                Millis((settings.session_timeout.0 / 8).max(1)),
                Timer::SessionCheck,
            );
            outputs.timer(settings.unclean_election_interval, Timer::UncleanElection);
            outputs.timer(
                settings.leader_imbalance_check_interval,
                Timer::LeaderRebalance,
            );
            let leader = simulation.cluster.controller.partition.leader;
            simulation.cluster.producer.known_leader = leader;
            let first = simulation
                .cluster
                .broker(leader.unwrap_or_default())
                .map_or(Offset(0), |b| b.hw());
            simulation.cluster.consumer.position = first;
            simulation.cluster.poll(now, outputs);
        });
    }

    /// Performs one thing: a step of the script when it is due, else what is next on the agenda.
    /// False when neither is left before `until` (inclusive).
    pub fn advance(&mut self, until: Millis, recorder: &mut Recorder) -> bool {
        self.finish_active(recorder);
        let due = self.agenda.next_at();
        let step = self.next_step_at(recorder.last_significant);
        match (step, due) {
            (Some(at), due) if at <= until && due.is_none_or(|due| at <= due) => {
                self.now = at.max(self.now);
                self.begin_step(recorder);
                true
            }
            (_, Some(at)) if at <= until => {
                self.take_due(recorder);
                true
            }
            _ => {
                self.now = self.now.max(until);
                false
            }
        }
    }

    fn take_due(&mut self, recorder: &mut Recorder) {
        let Some((at, due)) = self.agenda.take() else {
            return;
        };
        self.now = at.max(self.now);
        match due {
            Due::Arrival { id, message } => self.arrive(id, &message, recorder),
            Due::Broken {
                request,
                asked,
                requester,
                response_lost,
            } => {
                let message = Message {
                    from: asked,
                    to: requester,
                    reply_to: Some(request),
                    body: Body::Disconnected,
                };
                self.round_ends(request);
                if self.cluster.is_up(requester) {
                    self.input(
                        recorder,
                        None,
                        &Input::Message {
                            id: request,
                            message: &message,
                            response_lost,
                        },
                    );
                }
            }
            Due::Timer { timer, set_by } => self.input(recorder, set_by, &Input::Timer(timer)),
        }
    }

    fn arrive(&mut self, id: MessageId, message: &Arc<Message>, recorder: &mut Recorder) {
        recorder.begin(self.now, None);
        let loss = if self.network.is_cut(message.from, message.to) {
            Some(Loss::LinkCut)
        } else if self.nobody_answers(message) {
            Some(Loss::ReceiverDown)
        } else if is_request(&message.body) && !self.network.is_outstanding(id) {
            Some(Loss::ConnectionClosed)
        } else {
            None
        };
        if let Some(why) = loss {
            recorder.lost(id, message, why);
            return self.breaks(id, message, false);
        }
        recorder.arrived(id, message);
        if let Some(request) = message.reply_to {
            self.round_ends(request);
        }
        let trigger = recorder.trigger();
        self.input(
            recorder,
            trigger,
            &Input::Message {
                id,
                message,
                response_lost: false,
            },
        );
    }

    /// Whether the receiver's process does not run, or is not found yet.
    fn nobody_answers(&self, message: &Message) -> bool {
        if message.to != Node::Controller {
            return !self.cluster.is_up(message.to);
        }
        let found = self.cluster.controller.running && self.now >= self.controller_found_at;
        !found && !is_kept_without_controller(&self.cluster.settings.rules, &message.body)
    }

    /// A message was lost: whoever asked learns that the connection broke.
    fn breaks(&mut self, id: MessageId, message: &Message, response_lost: bool) {
        let (request, asked, requester) = match message.reply_to {
            Some(request) => (request, message.from, message.to),
            None if is_request(&message.body) => {
                self.network.forget(id);
                (id, message.to, message.from)
            }
            None => return,
        };
        let at = self
            .now
            .plus(self.cluster.settings.link_latency.max(Millis(1)));
        self.agenda.add(
            at,
            Due::Broken {
                request,
                asked,
                requester,
                response_lost,
            },
        );
    }

    /// Hands an input to the cluster and performs what it puts out.
    pub fn input(&mut self, recorder: &mut Recorder, trigger: Option<EventId>, input: &Input<'_>) {
        self.with_outputs(recorder, trigger, |simulation, outputs| {
            simulation.cluster.step(simulation.now, input, outputs);
        });
    }

    /// Runs `act` with a sink, then performs its outputs and looks at processes that ended.
    pub fn with_outputs<R>(
        &mut self,
        recorder: &mut Recorder,
        trigger: Option<EventId>,
        act: impl FnOnce(&mut Simulation, &mut Outputs<'_>) -> R,
    ) -> R {
        recorder.begin(self.now, trigger);
        // One bit a broker: this is done for every input. There are never more than 64.
        let bit = |place: usize| 1_u64.checked_shl(place as u32).unwrap_or(0);
        let up = |simulation: &Simulation| {
            let brokers = simulation.cluster.brokers.iter().enumerate();
            let up = brokers.filter(|(_, broker)| broker.is_up());
            up.fold(0, |bits, (place, _)| bits | bit(place))
        };
        let running = up(self);
        let mut outputs = Outputs::new(recorder);
        let result = act(self, &mut outputs);
        let Outputs {
            mut sends,
            mut timers,
            ..
        } = outputs;
        for (at, timer, set_by) in timers.drain(..) {
            self.agenda
                .add(at.max(self.now), Due::Timer { timer, set_by });
        }
        for (id, message) in sends.drain(..) {
            self.send(id, message, recorder);
        }
        recorder.keep_lists(sends, timers);
        let died = running & !up(self);
        if died != 0 {
            for place in 0..self.cluster.brokers.len() {
                if died & bit(place) != 0 {
                    self.node_died(Node::Broker(self.cluster.brokers[place].id));
                }
            }
        }
        result
    }

    fn send(&mut self, id: MessageId, message: Arc<Message>, recorder: &mut Recorder) {
        match self
            .network
            .send(&self.cluster.settings, self.now, id, &message)
        {
            Fate::Arrives(at) => self.agenda.add(at, Due::Arrival { id, message }),
            Fate::Dropped => {
                recorder.lost(id, &message, Loss::Dropped);
                self.breaks(id, &message, message.reply_to.is_some());
            }
            Fate::Cut => {
                recorder.lost(id, &message, Loss::LinkCut);
                self.breaks(id, &message, false);
            }
            Fate::Held => {
                recorder.held(id);
                if let (Body::FetchRequest(_), Node::Broker(follower)) =
                    (&message.body, message.from)
                {
                    self.pass_rounds(follower);
                }
            }
        }
    }

    /// Lets a waiting message go now.
    pub fn let_go(&mut self, waiting: Vec<Waiting>) {
        for (id, message) in waiting {
            if is_request(&message.body) && !self.network.is_outstanding(id) {
                continue;
            }
            let at = self
                .network
                .arrival(&self.cluster.settings, self.now, &message);
            self.agenda.add(at, Due::Arrival { id, message });
        }
    }

    /// Lets a follower's waiting fetch request pass, when its gate is open or a round is due.
    pub fn pass_rounds(&mut self, follower: BrokerId) {
        let current = self
            .cluster
            .broker(follower)
            .and_then(Broker::follower)
            .and_then(|f| f.in_flight);
        let Some(gate) = self.network.gates.get_mut(&follower) else {
            return;
        };
        let Some((id, message)) = &gate.waiting else {
            return;
        };
        let is_fetch = matches!(message.body, Body::FetchRequest(_));
        // A request of a fetcher that is gone never passes.
        if current.is_some() && current != Some(*id) {
            return;
        }
        if gate.held {
            if gate.rounds == 0 || gate.in_round.is_some() {
                return;
            }
            // What comes before a fetch, to truncate, belongs to the round of that fetch.
            gate.in_round = is_fetch.then_some(*id);
        }
        let waiting = gate.waiting.take();
        self.let_go(waiting.into_iter().collect());
    }

    /// A fetch round is over when its answer arrived or was lost.
    fn round_ends(&mut self, request: MessageId) {
        for gate in self.network.gates.values_mut() {
            if gate.in_round == Some(request) {
                gate.in_round = None;
                gate.rounds = gate.rounds.saturating_sub(1);
            }
        }
    }

    /// A process ended: connections to it break.
    pub fn node_died(&mut self, node: Node) {
        let broken = self.network.node_died(node);
        self.break_requests(broken);
    }

    /// Tells requesters that their connections broke.
    pub fn break_requests(&mut self, broken: Vec<(MessageId, Node, Node)>) {
        let at = self
            .now
            .plus(self.cluster.settings.link_latency.max(Millis(1)));
        for (request, requester, asked) in broken {
            self.agenda.add(
                at,
                Due::Broken {
                    request,
                    asked,
                    requester,
                    response_lost: false,
                },
            );
        }
    }

    /// Records an event of the outside world.
    pub fn tell(&self, recorder: &mut Recorder, kind: EventKind, rule: Rule) -> EventId {
        recorder.event(|| (kind, Cause::of(rule)))
    }
}
