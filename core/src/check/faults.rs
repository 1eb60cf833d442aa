//! What went wrong from outside so far, and which properties must hold all the same.
//!
//! A violation of a property that must hold is a fault of the model (or of the rules it was made from). Any other
//! violation is a finding: these settings, this version or these faults allow it. The table below is the conservative
//! reading of the exhaustive searches over small instances (`core/cases/checker-golden.json`, rows named R…) and of
//! Kafka's rules; each line of [`must_hold`] names its source.

use super::ghosts::Ghosts;
use super::property::{Property, PropertySet};
use crate::kafka::cluster::Cluster;
use crate::kafka::event::{Election, Event, EventKind, Stop};
use crate::kafka::ids::{BrokerId, BrokerSet, LeaderEpoch};
use crate::kafka::message::Node;
use crate::kafka::rules::{ControllerKind, Rules, Truncation};
use crate::kafka::settings::Settings;
use crate::scenario::{Action, ConfigChange, Scenario};

/// What happened so far that a guarantee may depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The run begins in a state that the script made up: nothing can be said of what was promised before.
    pub start_section: bool,
    /// It begins with a leader and a last known leader at once, which every change of a partition that has a leader ends
    /// (`PartitionChangeBuilder.maybeUpdateLastKnownLeader`).
    pub leads_and_is_remembered: bool,
    /// The leader epoch that the run began with.
    pub first_epoch: LeaderEpoch,
    /// The controller named a leader (or none) anew.
    pub leader_moved: bool,
    /// A process ended, cleanly or not.
    pub stopped: bool,
    /// Shutdowns that are unclean to the controller: killed, without power, or registered without proof.
    pub unclean_shutdowns: u32,
    /// A log lost records that were not flushed.
    pub tail_lost: bool,
    /// A process lost records and came back unnoticed, as before broker registrations (golden row R21).
    pub lost_unnoticed: bool,
    /// The leader did: it goes on in the same leader epoch with a shorter log, so that this epoch has two histories, and no
    /// comparison of epochs tells a follower to cut what it took from the first (golden row R21 bounces followers only).
    pub leader_lost_unnoticed: bool,
    /// A process came back unnoticed: a leader forgets the proposal that the controller may have accepted.
    pub bounced: bool,
    /// A registration proved a clean shutdown that was none.
    pub false_proof: bool,
    /// A replica outside ISR and ELR was elected: `unclean.leader.election.enable`, or asked for by hand.
    pub unclean_election: bool,
    /// The last known leader was elected.
    pub last_known_leader_elected: bool,
    /// The script put an ISR in place that the leader had not proposed.
    pub isr_forced: bool,
    /// `min.insync.replicas` was changed.
    pub min_isr_changed: bool,
    /// Metadata may reach a leader later than the answer to a proposal that was made after it. Metadata of an equal
    /// partition epoch is accepted and drops the proposal in flight (`Partition.makeLeader`, `updateAssignmentAndIsr`), which
    /// the controller may have accepted: for a moment the leader counts a smaller ISR than the controller has.
    pub metadata_late: bool,
    /// The smallest effective min ISR that was ever in force.
    pub least_min_isr: u32,
    /// A batch was sent again.
    pub sent_again: bool,
    /// A produce call named its producer, or was not idempotent where others are.
    pub own_producer: bool,
    /// A produce call named its own sequence number: a broker that saw it before answers "success" for another batch.
    pub own_sequence: bool,
    crashed: BrokerSet,
    leader: Option<BrokerId>,
}

impl Faults {
    /// None yet.
    pub fn new(scenario: &Scenario, cluster: &Cluster) -> Faults {
        let (settings, partition) = (&scenario.settings, &cluster.controller.partition);
        Faults {
            start_section: scenario.start.is_some(),
            leads_and_is_remembered: partition.leader.is_some()
                && !partition.last_known_elr.is_empty(),
            first_epoch: partition.leader_epoch,
            leader_moved: false,
            stopped: false,
            unclean_shutdowns: 0,
            tail_lost: false,
            lost_unnoticed: false,
            leader_lost_unnoticed: false,
            bounced: false,
            false_proof: false,
            unclean_election: false,
            last_known_leader_elected: false,
            isr_forced: false,
            min_isr_changed: false,
            metadata_late: settings.metadata_latency > settings.link_latency,
            least_min_isr: settings.effective_min_isr(settings.min_insync_replicas),
            sent_again: false,
            own_producer: false,
            own_sequence: false,
            crashed: BrokerSet::new(),
            leader: partition.leader,
        }
    }

    /// Notes an event of the run.
    pub fn note(&mut self, scenario: &Scenario, event: &Event) {
        match &event.kind {
            EventKind::Step { step } => {
                if let Some(step) = scenario.steps.get(*step as usize) {
                    self.note_action(&scenario.settings, &step.action);
                }
            }
            EventKind::BrokerStopped { broker, how, .. } => {
                self.stopped = true;
                if *how != Stop::Clean {
                    self.crashed.insert(*broker);
                    self.unclean_shutdowns = self.unclean_shutdowns.saturating_add(1);
                }
                self.tail_lost |= matches!(how, Stop::PowerLoss(_));
            }
            EventKind::BrokerRegistered {
                broker,
                clean: false,
                ..
            } => self.note_unproved(*broker),
            EventKind::ProduceAnswered { retry: true, .. } => self.sent_again = true,
            EventKind::PartitionChanged {
                after, election, ..
            } => {
                self.leader = after.leader;
                self.leader_moved |= after.leader_epoch != self.first_epoch;
                self.unclean_election |= *election == Election::Unclean;
                self.last_known_leader_elected |= *election == Election::LastKnownLeader;
            }
            _ => {}
        }
    }

    /// An unclean registration: of a process that crashed (counted then), or of one that had other reasons.
    fn note_unproved(&mut self, broker: BrokerId) {
        if !self.crashed.remove(broker) {
            self.unclean_shutdowns = self.unclean_shutdowns.saturating_add(1);
        }
    }

    fn note_action(&mut self, settings: &Settings, action: &Action) {
        match action {
            Action::Bounce { broker, keep } => {
                self.bounced = true;
                self.lost_unnoticed |= keep.is_some();
                self.leader_lost_unnoticed |= keep.is_some() && self.leader == Some(*broker);
            }
            Action::Start {
                clean: Some(true), ..
            } => self.false_proof = true,
            Action::ProposeIsr(_) => self.isr_forced = true,
            Action::HoldMetadata(_)
            | Action::Slow {
                from: Node::Controller,
                ..
            }
            | Action::Hold {
                from: Node::Controller,
                ..
            } => self.metadata_late = true,
            Action::SetConfig(ConfigChange::MinInsyncReplicas(min)) => {
                self.min_isr_changed = true;
                self.least_min_isr = self.least_min_isr.min(settings.effective_min_isr(*min));
            }
            Action::Produce(call) => {
                self.sent_again |= call.retry_of.is_some();
                let other_acks = call.acks.is_some_and(|acks| acks != settings.acks);
                self.own_producer |= call.producer.is_some() || other_acks;
                self.own_sequence |= call.sequence.is_some();
            }
            _ => {}
        }
    }
}

/// The properties that must hold under these settings after these faults; `ghosts` tells what was acknowledged how.
pub fn must_hold(settings: &Settings, faults: &Faults, ghosts: &Ghosts) -> PropertySet {
    let mut must: PropertySet = [
        // `PartitionChangeBuilder` elects from the target ISR, or makes the winner the ISR; no golden row breaks it.
        Property::LeaderInIsr,
        // `PartitionRegistration.merge`: every change of the leader field takes a new epoch.
        Property::OneLeaderPerEpoch,
        // `Partition.makeLeader` and `makeFollower` ignore an older partition epoch.
        Property::EpochMonotone,
    ]
    .into_iter()
    .collect();
    if faults.start_section {
        // The script may begin with logs that no run of Kafka leads to.
        if faults.leads_and_is_remembered && !settings.rules.last_known_leader_must_be_live {
            // 4.0 "elects" the last known leader without a look whether it may lead (KAFKA-19522): who leads already goes on,
            // with an ISR that it was just taken out of.
            must.remove(Property::LeaderInIsr);
        }
        return must;
    }
    if !faults.leader_moved && !faults.stopped && !faults.isr_forced {
        // One leader that nothing ever took the place of: no log but its own decides, under any version's rules.
        must = PropertySet::all();
        if !faults.counts_the_electable(settings) {
            must.remove(Property::EffIsrSuperset);
        }
    } else if guards_log(&settings.rules) {
        // Epochs along a log: broken in R17 only, which has no fencing (KIP-320).
        if !faults.leader_lost_unnoticed {
            must.insert(Property::LogEpochsMonotone);
        }
        must.insert(Property::NoDupVisible);
        if faults.counts_the_electable(settings) {
            must.insert(Property::EffIsrSuperset);
        }
        if nothing_lost(settings, faults) {
            must = must.union(kept());
        }
    }
    if ghosts.acked_by_leader_alone {
        // R1, R1b: acks=1 acknowledges what only the leader has.
        must.remove(Property::CandidatesComplete);
        if faults.leader_moved || faults.stopped {
            must.remove(Property::AckedDurable);
            must.remove(Property::AckedSomewhere);
        }
    }
    if faults.own_sequence {
        // Rules 4.3: an equal first and last sequence number is taken for the same batch.
        must.remove(Property::AckedDurable);
        must.remove(Property::AckedSomewhere);
        must.remove(Property::CandidatesComplete);
    }
    if !appends_once(settings, faults) {
        // R22: a retry without idempotence is appended again (rules 4.2).
        must.remove(Property::NoDupVisible);
    }
    must
}

/// What is kept as long as no record that counts is lost.
fn kept() -> PropertySet {
    [
        Property::AckedDurable,
        Property::AckedSomewhere,
        Property::CandidatesComplete,
        Property::VisibleSurvives,
        Property::ReadStable,
        Property::LogsAgreeBelowHw,
        Property::AppliedHwMonotone,
    ]
    .into_iter()
    .collect()
}

/// Whether every rule is in force that some golden row needs: without KIP-279 R15 and R16, without the epoch at election
/// R16c, without fencing R17, without the epoch start rule R18, without broker epochs R19, without the maximal ISR R20
/// break something. The ZooKeeper era (before 2.8 here) had none of them; 2.8 to 3.4 lacked broker epochs.
fn guards_log(rules: &Rules) -> bool {
    let by_epoch = matches!(
        rules.truncation,
        Truncation::LeaderEpochAndOffset | Truncation::InFetch
    );
    by_epoch
        && rules.epoch_fencing
        && rules.epoch_recorded_at_election
        && rules.epoch_start_rule
        && rules.broker_epoch_check
        && rules.fenced_kept_out_of_isr
        && rules.maximal_isr
        && rules.controller == ControllerKind::KRaft
}

/// Whether no fault so far can have cost a committed record.
fn nothing_lost(settings: &Settings, faults: &Faults) -> bool {
    if faults.unclean_election || faults.isr_forced {
        // R12, R14: an unclean election takes the log of whoever is there.
        return false;
    }
    if settings.elr_enabled() && (faults.min_isr_changed || !settings.rules.hw_gated_by_min_isr) {
        // The second reason of the gate: a leader below min ISR would show what electable members lack. A leader that has
        // yet to hear of a larger min ISR is such a leader: it confirms alone while the controller keeps an ELR. And every
        // change empties the ELR (trace `min-isr-change-leaderless`).
        return false;
    }
    if !faults.tail_lost && !faults.lost_unnoticed {
        // R2, R4, R7c: crashes of any number lose nothing while the page cache survives. R8: without a lost tail the
        // last known leader has everything that was acknowledged.
        return true;
    }
    // R7, R7b, R8: ELR tolerates min ISR - 1 unclean shutdowns, lossy or not; R9 and R10 show that it is not one more,
    // R3 and R5 that nothing is tolerated without it, R11 that readers need the HW's gate, R21 that the controller must
    // notice. A false proof of a clean shutdown keeps a broker in the ELR that lost its tail (KIP-966).
    let counts_shutdowns = settings.elr_enabled()
        && settings.rules.hw_gated_by_min_isr
        && settings.rules.unclean_registration_leaves_elr;
    counts_shutdowns
        && !faults.lost_unnoticed
        && !faults.false_proof
        && faults.unclean_shutdowns < faults.least_min_isr
}

/// Whether a record is appended at most once: nothing is sent twice, or the brokers recognise it (KIP-98). A producer
/// state that lost its tail recognises less, and so do more than five requests in flight (rules 4.3).
fn appends_once(settings: &Settings, faults: &Faults) -> bool {
    if !faults.sent_again {
        return true;
    }
    settings.idempotence_in_force()
        && settings.max_in_flight <= 5
        && !faults.own_producer
        && !faults.own_sequence
        && !faults.start_section
        && nothing_lost(settings, faults)
}

impl Faults {
    /// Whether the leader counts everybody that the controller may elect: it has the same min ISR all the time, counts
    /// proposed members (KIP-497; R20 shows what happens without), and no old metadata makes it forget them.
    fn counts_the_electable(&self, settings: &Settings) -> bool {
        let rules = &settings.rules;
        !self.min_isr_changed
            && !self.bounced
            && !self.metadata_late
            && !self.isr_forced
            && rules.maximal_isr
            && rules.controller == ControllerKind::KRaft
    }
}
