//! The findings of the recorded clusters: which recordings each is about, and what must be so in them and in the model's run
//! of them. What is told (versions, records, brokers) is taken from the recordings; a finding whose recordings say
//! something else stops the build, and one whose recordings are not there is left out.

use std::collections::BTreeSet;

use highwater_core::kafka::error::KafkaError;
use highwater_core::kafka::ids::BrokerId;
use highwater_core::scenario::trace::Observation;
use highwater_core::scenario::value::Action;

use crate::facts::{Facts, RefusedAfterAppend};
use crate::history::Both;

/// A finding.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Its name: in addresses, and in the keys of its words.
    pub name: &'static str,
    /// Its recordings: that name, or that name with a point and more after it.
    pub recordings: &'static [&'static str],
    tell: fn(&[Recording<'_>]) -> Result<Slots, String>,
}

/// What is filled into the words of a finding.
pub type Slots = Vec<(&'static str, String)>;

/// A recording of a finding with what it tells.
pub struct Recording<'a> {
    /// The recording, and the model's run.
    pub both: &'a Both,
    /// The facts, which are the same of both.
    pub facts: Facts,
}

/// A finding that holds.
pub struct Told<'a> {
    /// Which.
    pub finding: Finding,
    /// What is filled into its words.
    pub slots: Slots,
    /// Its recordings, the oldest version first.
    pub recordings: Vec<Recording<'a>>,
}

/// The findings, in the order of the page.
pub const FINDINGS: &[Finding] = &[
    Finding {
        name: "TruncateToHw",
        recordings: &["history-truncate-to-hw"],
        tell: truncate_to_hw,
    },
    Finding {
        name: "Divergence",
        recordings: &["history-divergence"],
        tell: divergence,
    },
    Finding {
        name: "LastStanding",
        recordings: &["last-replica-standing"],
        tell: last_standing,
    },
    Finding {
        name: "LastStandingKept",
        recordings: &[
            "last-replica-standing-clean",
            "last-replica-standing-isolated",
        ],
        tell: last_standing_kept,
    },
    Finding {
        name: "AfterAppend",
        recordings: &["history-after-append"],
        tell: after_append,
    },
    Finding {
        name: "MinIsrChange",
        recordings: &["min-isr-change-leaderless"],
        tell: min_isr_change,
    },
];

/// All findings whose recordings are there.
///
/// # Errors
/// What a recording, or the model's run of it, does not show although the finding says so.
pub fn told(all: &[Both]) -> Result<Vec<Told<'_>>, Vec<String>> {
    let (mut told, mut faults) = (Vec::new(), Vec::new());
    for finding in FINDINGS {
        match tell(*finding, all) {
            Ok(Some(one)) => told.push(one),
            Ok(None) => {}
            Err(why) => faults.push(format!("{}: {why}", finding.name)),
        }
    }
    if faults.is_empty() {
        Ok(told)
    } else {
        Err(faults)
    }
}

fn tell(finding: Finding, all: &[Both]) -> Result<Option<Told<'_>>, String> {
    let mut recordings = Vec::new();
    for both in all.iter().filter(|both| finding.is_about(&both.trace.id)) {
        recordings.push(Recording {
            facts: facts(both)?,
            both,
        });
    }
    recordings.sort_by_key(|r| (version(&r.both.trace.kafka), r.both.trace.id.clone()));
    if recordings.is_empty() {
        return Ok(None);
    }
    let slots = (finding.tell)(&recordings)?;
    Ok(Some(Told {
        finding,
        slots,
        recordings,
    }))
}

/// What a recording tells, when the model's run tells the same.
///
/// # Errors
/// What is different.
pub fn facts(both: &Both) -> Result<Facts, String> {
    let min_isr = both.trace.settings.min_insync_replicas;
    let recorded = Facts::of(&both.recorded, min_isr);
    let model = Facts::of(&both.model, min_isr);
    if recorded == model {
        return Ok(recorded);
    }
    Err(format!(
        "{}: the cluster showed {recorded:?}, the model {model:?}",
        both.trace.id
    ))
}

impl Finding {
    /// Whether it is about that recording.
    pub fn is_about(&self, id: &str) -> bool {
        self.recordings.iter().any(|name| {
            id.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

/// The numbers of a release, for comparing.
pub fn version(release: &str) -> Vec<u32> {
    release
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect()
}

fn demand(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// The recordings of old versions that show it, and those of newer ones that do not: no version in between.
fn split<'r, 'a>(
    recordings: &'r [Recording<'a>],
    shows: impl Fn(&Facts) -> bool,
) -> Result<(Vec<&'r Recording<'a>>, Vec<&'r Recording<'a>>), String> {
    let (old, new): (Vec<_>, Vec<_>) = recordings.iter().partition(|r| shows(&r.facts));
    demand(!old.is_empty(), || "no recording shows it".to_owned())?;
    demand(!new.is_empty(), || "every recording shows it".to_owned())?;
    let newest = old.iter().map(|r| version(&r.both.trace.kafka)).max();
    let oldest = new.iter().map(|r| version(&r.both.trace.kafka)).min();
    demand(newest < oldest, || {
        "a version that shows it is newer than one that does not".to_owned()
    })?;
    Ok((old, new))
}

fn releases(recordings: &[&Recording<'_>]) -> String {
    let mut list: Vec<&str> = recordings
        .iter()
        .map(|r| r.both.trace.kafka.as_str())
        .collect();
    list.dedup();
    list.join(", ")
}

fn first_release(recordings: &[&Recording<'_>]) -> String {
    recordings
        .first()
        .map(|r| r.both.trace.kafka.clone())
        .unwrap_or_default()
}

fn last_release(recordings: &[&Recording<'_>]) -> String {
    recordings
        .last()
        .map(|r| r.both.trace.kafka.clone())
        .unwrap_or_default()
}

/// `m2`, `m3, m4`.
pub fn record_names(records: &BTreeSet<u64>) -> String {
    let names: Vec<String> = records.iter().map(|record| format!("m{record}")).collect();
    names.join(", ")
}

fn broker_names<'b>(brokers: impl IntoIterator<Item = &'b BrokerId>) -> String {
    let names: Vec<String> = brokers.into_iter().map(BrokerId::to_string).collect();
    names.join(", ")
}

fn truncate_to_hw(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    let (old, new) = split(recordings, |facts| !facts.lost.is_empty())?;
    let mut slots = Vec::new();
    for Recording { both, facts } in &old {
        let id = &both.trace.id;
        demand(!both.trace.settings.unclean_leader_election, || {
            format!("{id}: unclean election is on")
        })?;
        demand(facts.lost_by_all(), || {
            format!(
                "{id}: lost {:?}, of which acks=all confirmed {:?}",
                facts.lost, facts.by_all
            )
        })?;
        let to_hw = |cut: &&crate::facts::Cut| {
            cut.hw == Some(cut.to) && cut.led_later && facts.lost.is_subset(&cut.records)
        };
        let cut = facts.cuts.iter().find(to_hw).ok_or_else(|| {
            format!(
                "{id}: no follower that led later cut what was lost at its own HW: {:?}",
                facts.cuts
            )
        })?;
        slots = vec![
            ("record", record_names(&facts.lost)),
            ("follower", cut.broker.to_string()),
            ("from", cut.from.to_string()),
            ("hw", cut.to.to_string()),
        ];
    }
    for Recording { both, facts } in &new {
        demand(facts.lost.is_empty() && !facts.by_all.is_empty(), || {
            format!("{}: lost {:?}", both.trace.id, facts.lost)
        })?;
    }
    slots.push(("old", releases(&old)));
    slots.push(("new", first_release(&new)));
    Ok(slots)
}

fn divergence(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    let (old, new) = split(recordings, |facts| facts.different.is_some())?;
    for Recording { both, .. } in old.iter().chain(&new) {
        let settings = &both.trace.settings;
        demand(settings.unclean_leader_election, || {
            format!("{}: unclean election is off", both.trace.id)
        })?;
        let power = count(both, |action| matches!(action, Action::PowerLoss { .. }));
        demand(power > 0, || format!("{}: no power loss", both.trace.id))?;
    }
    for Recording { both, facts } in &new {
        // Where the election took place (the ZooKeeper controller and KRaft since 4.0 heed the setting), the log that came
        // back was made to agree.
        let elected = !facts.lost.is_empty();
        demand(!elected || !facts.replaced.is_empty(), || {
            format!("{}: no record took the place of another", both.trace.id)
        })?;
    }
    let cut = new.iter().filter(|r| !r.facts.replaced.is_empty());
    demand(cut.count() > 0, || {
        "no log was made to agree with another".to_owned()
    })?;
    let last = old.last().and_then(|r| r.facts.different.clone());
    let (offset, records) = last.ok_or("nothing is different")?;
    let kept: Vec<String> = records
        .values()
        .map(|record| format!("m{record}"))
        .collect();
    Ok(vec![
        ("old", releases(&old)),
        ("new", first_release(&new)),
        ("offset", offset.to_string()),
        ("brokers", broker_names(records.keys())),
        ("records", kept.join(", ")),
    ])
}

/// Two of three in sync are asked for, and nobody outside is elected.
fn safe_settings(both: &Both) -> Result<(), String> {
    let settings = &both.trace.settings;
    demand(
        settings.min_insync_replicas == 2 && !settings.unclean_leader_election,
        || {
            format!(
                "{}: other settings than min.insync.replicas 2 without unclean election",
                both.trace.id
            )
        },
    )
}

fn led_at_the_end(both: &Both) -> Option<BrokerId> {
    let last = both.recorded.moments.last();
    last.and_then(|moment| moment.state.leader.flatten())
}

fn last_standing(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    let with_elr: Vec<&Recording<'_>> = recordings
        .iter()
        .filter(|r| r.both.trace.settings.elr_enabled())
        .collect();
    demand(!with_elr.is_empty(), || "no recording with ELR".to_owned())?;
    for Recording { both, facts } in recordings {
        let (id, settings) = (&both.trace.id, &both.trace.settings);
        safe_settings(both)?;
        demand(!facts.lost.is_empty() && facts.lost_by_all(), || {
            format!(
                "{id}: lost {:?}, acks=all confirmed {:?}",
                facts.lost, facts.by_all
            )
        })?;
        let (killed, power) = (killed(both), lost_power(both));
        demand(killed.len() == 2 && power.len() == 1, || {
            format!("{id}: killed {killed:?}, lost power {power:?}")
        })?;
        demand(!settings.elr_enabled() || left_elr_on_return(both), || {
            format!("{id}: a killed member was in the ELR after it had come back")
        })?;
        let led = led_at_the_end(both);
        demand(led.is_some_and(|leader| power.contains(&leader)), || {
            format!("{id}: at the end {led:?} leads, power was lost by {power:?}")
        })?;
    }
    let newest = with_elr.last().ok_or("no recording with ELR")?;
    let lost = &newest.facts.lost;
    demand(recordings.iter().all(|r| r.facts.lost == *lost), || {
        "the recordings lost different records".to_owned()
    })?;
    Ok(vec![
        ("elr", releases(&with_elr)),
        ("records", record_names(lost)),
        ("count", lost.len().to_string()),
        ("crashed", broker_names(&killed(newest.both))),
        ("power", broker_names(&lost_power(newest.both))),
        (
            "min",
            newest.both.trace.settings.min_insync_replicas.to_string(),
        ),
    ])
}

fn last_standing_kept(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    for Recording { both, facts } in recordings {
        let (id, settings) = (&both.trace.id, &both.trace.settings);
        safe_settings(both)?;
        if settings.elr_enabled() {
            demand(facts.lost.is_empty() && !facts.by_all.is_empty(), || {
                format!("{id}: lost {:?}", facts.lost)
            })?;
            let led = led_at_the_end(both);
            demand(
                led.is_some_and(|leader| !lost_power(both).contains(&leader)),
                || format!("{id}: at the end {led:?} leads"),
            )?;
        }
        let gentle = count(both, |a| matches!(a, Action::Stop(_) | Action::Isolate(_)));
        demand(gentle > 0 && lost_power(both).len() == 1, || {
            format!("{id}: nobody was stopped cleanly or cut off before the power loss")
        })?;
    }
    let elr: Vec<&Recording<'_>> = recordings
        .iter()
        .filter(|r| r.both.trace.settings.elr_enabled())
        .collect();
    let without: Vec<&Recording<'_>> = recordings
        .iter()
        .filter(|r| !r.both.trace.settings.elr_enabled())
        .collect();
    let lost_without = without.iter().filter(|r| !r.facts.lost.is_empty());
    let kept = elr.last().ok_or("no recording with ELR")?;
    Ok(vec![
        ("new", last_release(&elr)),
        ("kept", record_names(&kept.facts.by_all)),
        ("lost_without", lost_without.count().to_string()),
        ("without", without.len().to_string()),
    ])
}

fn after_append(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    let mut first = 0;
    for Recording { both, facts } in recordings {
        let [refused] = facts.refused_after_append.as_slice() else {
            return Err(format!(
                "{}: {:?}",
                both.trace.id, facts.refused_after_append
            ));
        };
        demand(refused.isr_fell && refused.kept, || {
            format!("{}: {refused:?}", both.trace.id)
        })?;
        let known = matches!(
            refused.error,
            KafkaError::NotEnoughReplicasAfterAppend | KafkaError::RequestTimedOut
        );
        demand(known, || format!("{}: {refused:?}", both.trace.id))?;
        first = refused.first;
    }
    let (old, new) = split(recordings, |facts| {
        facts
            .refused_after_append
            .iter()
            .any(|r: &RefusedAfterAppend| r.error == KafkaError::NotEnoughReplicasAfterAppend)
    })?;
    Ok(vec![
        ("record", format!("m{first}")),
        ("old", last_release(&old)),
        ("new", first_release(&new)),
    ])
}

fn min_isr_change(recordings: &[Recording<'_>]) -> Result<Slots, String> {
    let mut slots = Vec::new();
    for Recording { both, facts } in recordings {
        let emptied = facts.emptied.as_ref().ok_or_else(|| {
            format!(
                "{}: no ELR was emptied by a change of configuration",
                both.trace.id
            )
        })?;
        demand(
            !emptied.back_in_vain.is_empty() && emptied.ended_uncleanly,
            || format!("{}: {emptied:?}", both.trace.id),
        )?;
        slots = vec![
            ("members", broker_names(&emptied.members)),
            ("back", broker_names(&emptied.back_in_vain)),
        ];
    }
    let all: Vec<&Recording<'_>> = recordings.iter().collect();
    slots.push(("versions", releases(&all)));
    Ok(slots)
}

fn actions(both: &Both) -> impl Iterator<Item = &Action> {
    both.recorded
        .moments
        .iter()
        .flat_map(|moment| &moment.actions)
}

fn count(both: &Both, wanted: impl Fn(&Action) -> bool) -> usize {
    actions(both).filter(|action| wanted(action)).count()
}

/// Every killed member that was in the ELR was in it no more when it had come back, and there was one.
fn left_elr_on_return(both: &Both) -> bool {
    let killed = killed(both);
    let mut left = Vec::new();
    for pair in both.recorded.moments.windows(2) {
        let [before, after] = pair else { continue };
        let starts = after.actions.iter().filter_map(|action| match action {
            Action::Start { broker, .. } if killed.contains(broker) => Some(*broker),
            _ => None,
        });
        let in_elr = |state: &Observation, broker| {
            state.elr.as_ref().is_some_and(|elr| elr.contains(broker))
        };
        left.extend(
            starts
                .filter(|broker| in_elr(&before.state, *broker))
                .map(|broker| !in_elr(&after.state, broker)),
        );
    }
    !left.is_empty() && left.iter().all(|left| *left)
}

fn killed(both: &Both) -> BTreeSet<BrokerId> {
    let killed = actions(both).filter_map(|action| match action {
        Action::Kill(broker) => Some(*broker),
        _ => None,
    });
    killed.collect()
}

fn lost_power(both: &Both) -> BTreeSet<BrokerId> {
    let lost = actions(both).filter_map(|action| match action {
        Action::PowerLoss { broker, .. } => Some(*broker),
        _ => None,
    });
    lost.collect()
}
