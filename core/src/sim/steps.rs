//! The script's steps: when each is due, what it does, and when one that lasts is done.

use super::progress::ActiveStep;
use super::recorder::Recorder;
use super::simulation::{Outputs, Simulation};
use crate::kafka::broker::{Broker, Process};
use crate::kafka::cause::Rule;
use crate::kafka::context::Context;
use crate::kafka::controller::Controller;
use crate::kafka::event::{EventKind, LinkState};
use crate::kafka::ids::{BrokerId, EventId, Millis, Offset};
use crate::kafka::message::Node;
use crate::kafka::producer::CallState;
use crate::kafka::settings::{FetchMode, ProducerMetadata};
use crate::scenario::value::{AWAIT_LIMIT, Action, StepOutcome, When};

/// A broker that lost the controller tries again only so often (`reconnect.backoff.max.ms`): on a real cluster a proposal
/// that waited for the controller was not decided in the first 0.8 s after it was back.
const RECONNECT_BACKOFF_MAX: Millis = Millis(1_000);

/// How long fetch rounds may make no progress before the step is given up: longer than a back-off and a parked fetch.
const ROUND_LIMIT: Millis = Millis(10_000);

impl Simulation {
    /// When the next step is due, as far as that is known now.
    pub(super) fn next_step_at(&self, last_significant: Millis) -> Option<Millis> {
        let step = self.scenario.steps.get(self.progress.next)?;
        match step.when {
            When::At(at) => Some(at.max(self.now)),
            _ if self.progress.active.is_some() => None,
            When::After(wait) => Some(self.progress.done_at.plus(wait).max(self.now)),
            When::Settled if self.progress.next == 0 => Some(self.now),
            When::Settled => {
                let quiet_since = self.progress.done_at.max(last_significant);
                let settled = quiet_since.plus(self.cluster.settings.settle);
                // A cluster that never comes to rest is not waited for without end.
                let limit = self.progress.done_at.plus(AWAIT_LIMIT);
                Some(settled.min(limit).max(self.now))
            }
        }
    }

    /// Ends the step that lasts, when it is done.
    pub(super) fn finish_active(&mut self, recorder: &mut Recorder) {
        let Some(active) = self.progress.active.clone() else {
            return;
        };
        let Some(step) = self.scenario.steps.get(active.step) else {
            return;
        };
        let action = step.action.clone();
        let next_at = self.agenda.next_at().unwrap_or(Millis(u64::MAX));
        let done = self.is_done(&action);
        let over = next_at > active.deadline;
        if !done && !over {
            return;
        }
        let at = if done { self.now } else { active.deadline };
        let outcome = match action {
            Action::Wait(_) => StepOutcome::Done,
            _ if done => StepOutcome::Done,
            _ => StepOutcome::NeverHappened,
        };
        self.progress.active = None;
        self.progress.done_at = at;
        self.now = self.now.max(at);
        self.after_active(&action);
        recorder.step_done(active.step, at, outcome);
    }

    /// What a step that lasted leaves behind.
    fn after_active(&mut self, action: &Action) {
        match action {
            Action::Fetch { broker, .. } => {
                if let Some(gate) = self.network.gates.get_mut(broker) {
                    gate.rounds = 0;
                    gate.lose_responses = false;
                }
            }
            Action::CatchUp(broker) => {
                let manual = self.cluster.settings.fetch_mode == FetchMode::Manual;
                if let Some(gate) = self.network.gates.get_mut(broker) {
                    gate.held = manual;
                }
            }
            _ => {}
        }
    }

    /// Whether what a step waits for is so.
    fn is_done(&self, action: &Action) -> bool {
        let controller = &self.cluster.controller;
        let fenced = |broker: &BrokerId| controller.brokers.get(broker).is_none_or(|r| r.fenced);
        let process = |broker: &BrokerId| self.cluster.broker(*broker).map(|b| b.process);
        match action {
            Action::Fetch { broker, .. } => self
                .network
                .gates
                .get(broker)
                .is_none_or(|g| g.rounds == 0 && g.in_round.is_none()),
            Action::CatchUp(broker) => {
                let leo = self.cluster.broker(*broker).map(Broker::leo);
                leo.is_some() && leo == self.cluster.leader_leo()
            }
            Action::Stop(broker) => process(broker) == Some(Process::Down),
            Action::Start { broker, wait, .. } => {
                !wait || (process(broker) == Some(Process::Running) && !fenced(broker))
            }
            Action::AwaitFenced(broker) => fenced(broker),
            Action::AwaitUnfenced(broker) => !fenced(broker),
            Action::AwaitIsr(isr) => controller.partition.isr == *isr,
            Action::AwaitAck(id) => self.progress.named.get(id).is_none_or(|send| {
                self.cluster
                    .producer
                    .calls
                    .get(send.0 as usize)
                    .is_none_or(|c| matches!(c.state, CallState::Done(_)))
            }),
            Action::Wait(_) => false,
            _ => true,
        }
    }

    /// Carries out the next step.
    pub(super) fn begin_step(&mut self, recorder: &mut Recorder) {
        let index = self.progress.next;
        let scenario = std::sync::Arc::clone(&self.scenario);
        let Some(step) = scenario.steps.get(index) else {
            return;
        };
        if let Some(active) = self.progress.active.take() {
            // A step with a time of its own does not wait for the one before.
            let action = scenario.steps.get(active.step).map(|s| s.action.clone());
            if let Some(action) = action {
                self.after_active(&action);
            }
            recorder.step_done(active.step, self.now, StepOutcome::NeverHappened);
        }
        self.progress.next = index + 1;
        recorder.begin(self.now, None);
        let kind = EventKind::Step {
            step: u32::try_from(index).unwrap_or(u32::MAX),
        };
        let event = self.tell(recorder, kind, Rule::Script);
        recorder.step_began(index, self.now, event);
        let outcome = self.perform(index, &step.action, event, recorder);
        self.progress.done_at = self.now;
        let limit = match &step.action {
            Action::Wait(time) => *time,
            Action::Fetch { rounds, .. } => Millis(
                ROUND_LIMIT
                    .0
                    .saturating_mul(u64::from(*rounds).max(1))
                    .min(AWAIT_LIMIT.0),
            ),
            _ => AWAIT_LIMIT,
        };
        if outcome == StepOutcome::Done && !self.is_done(&step.action) {
            self.progress.active = Some(ActiveStep {
                step: index,
                began: self.now,
                deadline: self.now.plus(limit),
            });
        } else {
            recorder.step_done(index, self.now, outcome);
        }
    }

    fn perform(
        &mut self,
        index: usize,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        match action {
            Action::Produce(produce) => self.perform_produce(produce, event, recorder),
            Action::Fetch {
                broker,
                rounds,
                lose_response,
            } => {
                if let Some(gate) = self.network.gates.get_mut(broker) {
                    gate.rounds = *rounds;
                    gate.lose_responses = *lose_response;
                }
                self.pass_rounds(*broker);
                StepOutcome::Done
            }
            Action::PauseFetch(broker) => self.set_gate(*broker, true, recorder),
            Action::ResumeFetch(broker) | Action::CatchUp(broker) => {
                self.set_gate(*broker, false, recorder)
            }
            Action::SlowFetch { broker, delay } => {
                self.cluster
                    .with_broker(self.now, *broker, |b, _| b.fetch_delay = *delay);
                StepOutcome::Done
            }
            Action::LimitFetch { broker, records } => {
                self.cluster
                    .with_broker(self.now, *broker, |b, _| b.fetch_limit = *records);
                StepOutcome::Done
            }
            Action::Stop(_)
            | Action::Kill(_)
            | Action::PowerLoss { .. }
            | Action::Start { .. }
            | Action::Bounce { .. } => self.perform_process(action, event, recorder),
            Action::KillController | Action::StartController => {
                self.perform_controller(action, event, recorder)
            }
            Action::Consume { .. } | Action::ListOffset { .. } | Action::EpochEnd { .. } => {
                self.perform_query(index, action, recorder)
            }
            Action::TransactionBegin | Action::TransactionEnd { .. } => {
                self.perform_transaction(action, event, recorder)
            }
            Action::Fence(_)
            | Action::Unfence(_)
            | Action::Elect(_)
            | Action::SetConfig(_)
            | Action::ProposeIsr(_)
            | Action::IsrCheck(_) => self.perform_admin(action, event, recorder),
            Action::AwaitFenced(_)
            | Action::AwaitUnfenced(_)
            | Action::AwaitIsr(_)
            | Action::AwaitAck(_)
            | Action::Wait(_)
            | Action::Check => StepOutcome::Done,
            _ => self.perform_link(action, event, recorder),
        }
    }

    fn set_gate(&mut self, broker: BrokerId, held: bool, recorder: &mut Recorder) -> StepOutcome {
        // A request that is still on its way does not reach the leader any more; one that is parked there is answered.
        let follower = self.cluster.broker(broker).and_then(Broker::follower);
        let on_its_way = follower.and_then(|f| f.in_flight).filter(|_| held);
        let withdrawn =
            on_its_way.and_then(|id| self.agenda.withdraw(id).map(|message| (id, message)));
        if let Some(gate) = self.network.gates.get_mut(&broker) {
            gate.held = held;
            if withdrawn.is_some() {
                gate.waiting = withdrawn;
            }
        }
        let state = if held {
            LinkState::FetchPaused
        } else {
            LinkState::FetchResumed
        };
        let leader = self.cluster.controller.partition.leader.unwrap_or(broker);
        let kind = EventKind::LinkChanged {
            from: Node::Broker(broker),
            to: Node::Broker(leader),
            state,
        };
        self.tell(recorder, kind, Rule::Script);
        if !held {
            self.pass_rounds(broker);
        }
        StepOutcome::Done
    }

    fn perform_process(
        &mut self,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        let broker = match action {
            Action::Stop(b) | Action::Kill(b) => *b,
            Action::PowerLoss { broker, .. }
            | Action::Start { broker, .. }
            | Action::Bounce { broker, .. } => *broker,
            _ => return StepOutcome::Done,
        };
        let now = self.now;
        let up = self.cluster.is_up(Node::Broker(broker));
        let starts = matches!(action, Action::Start { .. });
        if up == starts {
            return StepOutcome::Impossible(if up {
                "the broker is running"
            } else {
                "the broker is down"
            });
        }
        self.with_outputs(recorder, Some(event), |simulation, outputs| {
            simulation
                .cluster
                .with_broker(now, broker, |b, context| match action {
                    Action::Stop(_) => b.begin_shutdown(outputs),
                    Action::Kill(_) => b.crash(context, None, outputs),
                    Action::PowerLoss { keep, .. } => b.crash(context, Some(*keep), outputs),
                    Action::Start { clean, .. } => b.start(context, *clean, outputs),
                    Action::Bounce { keep, .. } => b.bounce(context, *keep, outputs),
                    _ => {}
                });
        });
        StepOutcome::Done
    }

    fn perform_controller(
        &mut self,
        action: &Action,
        event: EventId,
        recorder: &mut Recorder,
    ) -> StepOutcome {
        let now = self.now;
        let stops = *action == Action::KillController;
        if self.cluster.controller.running != stops {
            return StepOutcome::Impossible(if stops {
                "the controller is down"
            } else {
                "the controller is running"
            });
        }
        let kind = if stops {
            EventKind::ControllerStopped
        } else {
            EventKind::ControllerStarted
        };
        self.tell(recorder, kind, Rule::Script);
        if stops {
            self.cluster.controller.stop();
            self.node_died(Node::Controller);
        } else {
            self.controller_found_at = now.plus(RECONNECT_BACKOFF_MAX);
            self.with_outputs(recorder, Some(event), |simulation, outputs| {
                simulation.cluster.controller.restart(now);
                simulation.cluster.controller.publish(outputs);
            });
        }
        StepOutcome::Done
    }

    /// Whether raw clients of the recordings are at work, whose calls fail at once when no broker runs.
    pub(super) fn nobody_runs(&self) -> bool {
        self.cluster.settings.producer_metadata == ProducerMetadata::Fresh
            && !self.cluster.brokers.iter().any(Broker::is_up)
    }

    /// The first offset that a consumer may not read at the acting leader.
    pub fn consumer_bound(&self) -> Option<Offset> {
        self.cluster.acting_leader().map(Broker::hw)
    }

    /// Runs an action on the controller and performs its outputs.
    pub(super) fn on_controller<R>(
        &mut self,
        event: EventId,
        recorder: &mut Recorder,
        act: impl FnOnce(&mut Controller, &Context<'_>, &mut Outputs<'_>) -> R,
    ) -> R {
        let now = self.now;
        self.with_outputs(recorder, Some(event), |simulation, outputs| {
            simulation
                .cluster
                .with_controller(now, |controller, context| act(controller, context, outputs))
        })
    }
}
