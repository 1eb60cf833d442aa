//! The outcome matrix: the current script under every combination of the four toggles, each cell named by the worst that
//! happened. One cell is one run, so that a page can compute it in slices.

use super::run::run;
use super::verdict::Verdict;
use crate::kafka::settings::{Acks, Settings};
use crate::scenario::value::Scenario;

/// The four toggles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Toggles {
    /// `acks`.
    pub acks: Acks,
    /// `min.insync.replicas`.
    pub min_insync_replicas: u32,
    /// `unclean.leader.election.enable`.
    pub unclean_leader_election: bool,
    /// ELR; always false where the version has none.
    pub elr: bool,
}

/// The worst that happened in a run, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Worst {
    /// An acknowledged or visible record was lost.
    Lost,
    /// A record is in the final log more than once.
    Duplicated,
    /// The partition is unavailable at the end.
    Unavailable,
    /// A record was refused.
    Refused,
    /// None of these.
    Safe,
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Under which toggles.
    pub toggles: Toggles,
    /// The worst that happened.
    pub worst: Worst,
    /// Records that were lost.
    pub lost: u32,
    /// Records that are there more than once.
    pub duplicated: u32,
    /// Records that were refused and never acknowledged.
    pub refused: u32,
    /// Records of unknown outcome.
    pub unknown: u32,
    /// Whether the partition is unavailable at the end.
    pub unavailable: bool,
}

impl Toggles {
    /// The toggles of settings.
    pub fn of(settings: &Settings) -> Toggles {
        Toggles {
            acks: settings.acks,
            min_insync_replicas: settings.min_insync_replicas,
            unclean_leader_election: settings.unclean_leader_election,
            elr: settings.elr_enabled(),
        }
    }

    /// Sets them.
    pub fn apply(self, settings: &mut Settings) {
        settings.acks = self.acks;
        settings.min_insync_replicas = self.min_insync_replicas;
        settings.unclean_leader_election = self.unclean_leader_election;
        settings.elr = self.elr;
    }
}

/// Every combination: acks 0, 1, all × min ISR 1 to RF × unclean off, on × ELR off, on. Where the version has no ELR that
/// half is absent.
pub fn combinations(settings: &Settings) -> Vec<Toggles> {
    let most = u32::try_from(settings.replicas.len()).unwrap_or(1).max(1);
    let elr_values: &[bool] = if settings.rules.elr_available {
        &[false, true]
    } else {
        &[false]
    };
    let mut all = Vec::new();
    for acks in [Acks::None, Acks::Leader, Acks::All] {
        for min_insync_replicas in 1..=most {
            for unclean_leader_election in [false, true] {
                for &elr in elr_values {
                    all.push(Toggles {
                        acks,
                        min_insync_replicas,
                        unclean_leader_election,
                        elr,
                    });
                }
            }
        }
    }
    all
}

/// Runs the script under these toggles.
pub fn cell(scenario: &Scenario, toggles: Toggles) -> Cell {
    let mut scenario = scenario.clone();
    toggles.apply(&mut scenario.settings);
    judge(toggles, &super::verdict(&run(&scenario)))
}

/// Names the worst of a verdict.
pub fn judge(toggles: Toggles, verdict: &Verdict) -> Cell {
    let count = |is: fn(&super::RecordVerdict) -> bool| {
        u32::try_from(verdict.records.iter().filter(|r| is(r)).count()).unwrap_or(u32::MAX)
    };
    let lost = count(|r| r.lost.is_some());
    let duplicated = count(|r| r.duplicated);
    let refused = count(|r| r.refused.is_some() && r.acknowledged.is_none());
    let unavailable = verdict.unavailable.is_some();
    let worst = match (lost, duplicated, unavailable, refused) {
        (1.., ..) => Worst::Lost,
        (_, 1.., ..) => Worst::Duplicated,
        (_, _, true, _) => Worst::Unavailable,
        (_, _, _, 1..) => Worst::Refused,
        _ => Worst::Safe,
    };
    Cell {
        toggles,
        worst,
        lost,
        duplicated,
        refused,
        unknown: count(|r| r.unknown),
        unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Toggles, Worst, cell, combinations};
    use crate::kafka::settings::Acks;
    use crate::scenario::parse;

    #[test]
    fn thirty_six_cells_and_eighteen_without_elr() {
        let scenario = parse("at 0 produce\n").expect("good");
        assert_eq!(combinations(&scenario.settings).len(), 36);
        let old = parse("set kafka.version=3.7\nat 0 produce\n").expect("good");
        assert_eq!(combinations(&old.settings).len(), 18);
    }

    #[test]
    fn cells_are_named_by_the_worst() {
        let script = "at 0 produce\nat 100 pause-fetch 2\nat 100 pause-fetch 3\nat 700 produce\nat 710 kill 1\n\
                      at 30s resume-fetch 2\nat 30s resume-fetch 3\nat 40s produce\n";
        let scenario = parse(script).expect("good");
        let under = |acks, min_insync_replicas| -> Cell {
            cell(
                &scenario,
                Toggles {
                    acks,
                    min_insync_replicas,
                    unclean_leader_election: false,
                    elr: true,
                },
            )
        };
        assert_eq!(under(Acks::Leader, 2).worst, Worst::Lost);
        assert_eq!(under(Acks::Leader, 2).lost, 1);
        assert_eq!(under(Acks::All, 2).worst, Worst::Safe);
        let three = under(Acks::All, 3);
        assert_eq!((three.worst, three.refused), (Worst::Unavailable, 1));
    }
}
