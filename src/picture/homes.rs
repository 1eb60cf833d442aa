//! Which column a produce call's marks stand in: that of its first append, or one without an offset.

use highwater_core::kafka::map::Map;

use highwater_core::kafka::ids::{Offset, SendId};

use super::clock::Clock;
use super::history::History;
use super::shape::{Tenths, px};

/// The most columns without an offset; more calls at one time share the last.
const MOST: usize = 5;

/// Where a produce call's marks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the columns from this offset on.
    At(Offset),
    /// In a column without offset, counted from 0.
    Nowhere(usize),
}

/// The home of each produce call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Homes {
    list: Map<SendId, Home>,
    /// How many columns without offset there are.
    pub homeless: usize,
}

impl Homes {
    /// Homes for the calls of a whole run. Calls without an append share a column when their marks do not meet.
    pub fn new(history: &History, clock: &Clock) -> Homes {
        let mut homes = Homes::default();
        let mut bottoms: Vec<Tenths> = Vec::new();
        for send in &history.sends {
            if let Some(base) = send.base() {
                homes.list.insert(send.id, Home::At(base));
                continue;
            }
            let top = clock.y(send.called).saturating_sub(px(14));
            let bottom = clock.y(send.last_mark(history.end)).saturating_add(px(34));
            let free = bottoms.iter().position(|b| *b <= top);
            let place = free.unwrap_or_else(|| bottoms.len().min(MOST - 1));
            match bottoms.get_mut(place) {
                Some(b) => *b = bottom.max(*b),
                None => bottoms.push(bottom),
            }
            homes.list.insert(send.id, Home::Nowhere(place));
        }
        homes.homeless = bottoms.len();
        homes
    }

    /// The home of a call.
    pub fn of(&self, send: SendId) -> Option<Home> {
        self.list.get(&send).copied()
    }
}
