//! The properties of a state of the search.

use super::property::{Property, PropertySet};
use super::state::{CONFLICT, DUPLICATE, EPOCH_BACK, State, TWO_LEADERS};
use super::world::World;

/// The properties, out of `asked`, that the state violates.
pub(super) fn violated(world: &World, state: &State, asked: PropertySet) -> PropertySet {
    let mut found = PropertySet::EMPTY;
    let brokers = &state.brokers[..world.ids.len()];
    let views = || brokers.iter().map(|number| world.view(*number));
    let controller = world.controller_view(state.controller);
    let record = controller.record;
    let acked = state.acked;
    let visible = world.sequences.get(state.visible);
    let min_isr = world
        .settings
        .effective_min_isr(world.settings.min_insync_replicas);
    let leader = record
        .leader()
        .map(|place| world.view(state.brokers[usize::from(place)]))
        .filter(|view| view.up && view.leads && view.epoch == record.epoch());
    let mut hold = |property: Property, holds: bool| {
        if !holds {
            found.insert(property);
        }
    };
    if let Some(leader) = leader {
        let begins = leader.log.len() >= visible.len()
            && leader.log.iter().zip(visible).all(|(a, b)| a.0 == *b);
        let covers = usize::from(leader.hw) >= visible.len();
        let candidates = record.isr() | controller.elr;
        let enough = leader.committed.count_ones() >= min_isr;
        hold(Property::AckedDurable, acked & !leader.records == 0);
        hold(Property::VisibleSurvives, begins);
        hold(
            Property::AppliedHwMonotone,
            leader.hw < leader.epoch_start || covers,
        );
        hold(Property::NaiveHwMonotone, covers);
        hold(
            Property::EffIsrSuperset,
            !enough || candidates & !leader.maximal == 0,
        );
    }
    let somewhere = views().fold(0, |mask, view| mask | view.records);
    hold(Property::AckedSomewhere, acked & !somewhere == 0);
    let candidates = record.isr() | controller.elr;
    let complete = views().enumerate().all(|(place, view)| {
        candidates >> place & 1 == 0 || !view.up || acked & !view.records == 0
    });
    hold(Property::CandidatesComplete, complete);
    hold(Property::ReadStable, state.flags & CONFLICT == 0);
    hold(Property::NoDupVisible, state.flags & DUPLICATE == 0);
    hold(Property::OneLeaderPerEpoch, state.flags & TWO_LEADERS == 0);
    hold(Property::EpochMonotone, state.flags & EPOCH_BACK == 0);
    let agree = views().enumerate().all(|(place, left)| {
        views()
            .skip(place + 1)
            .all(|right| left.agrees(right, left.hw.min(right.hw)))
    });
    hold(Property::LogsAgreeBelowHw, agree);
    let ascend = views().all(|view| view.ascending);
    hold(Property::LogEpochsMonotone, ascend);
    let in_isr = record
        .leader()
        .is_none_or(|place| record.isr() >> place & 1 == 1);
    hold(Property::LeaderInIsr, in_isr);
    found.intersection(asked)
}
