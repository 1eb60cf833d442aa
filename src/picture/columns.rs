//! Offset to column. A record of the script has a column of its own; offsets that nothing tells apart share one.
//!
//! Points that tell offsets apart are every LEO, HW and epoch start of the start section, every batch's ends and every
//! cut of a log. Between two neighbouring points of what was there before the script, at most [`FEW`] offsets get
//! columns of their own; more collapse into one, so that a log of a billion records costs one column. Past [`MOST`]
//! columns neighbours are joined.

use highwater_core::kafka::map::Set;
use highwater_core::kafka::sort;

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::Offset;
use highwater_core::kafka::record::Payload;
use highwater_core::sim::Run;

/// So many offsets of before the script are drawn one by one between two points.
pub const FEW: u64 = 3;
/// The largest batch whose records are drawn one by one.
pub const LARGE_BATCH: u64 = 256;
/// The most columns.
pub const MOST: usize = 1_000;

/// A column: the offsets from `from` until before `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column {
    /// First offset.
    pub from: Offset,
    /// After the last.
    pub to: Offset,
}

impl Column {
    /// Its last offset.
    pub fn last(&self) -> Offset {
        Offset(self.to.0.saturating_sub(1))
    }

    /// Whether it stands for one offset.
    pub fn is_single(&self) -> bool {
        self.to.since(self.from) <= 1
    }

    /// Its number over the panels: "3", or "0…7" for several.
    pub fn name(&self) -> String {
        if self.is_single() {
            self.from.to_string()
        } else {
            format!("{}…{}", self.from, self.last())
        }
    }
}

/// The columns from left to right, without gaps; at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    list: Vec<Column>,
}

impl Columns {
    /// The columns that these runs share. With `spare`, one more stands empty at the right: the future of the log.
    pub fn new(runs: &[&Run], spare: bool) -> Columns {
        let mut points = Points::default();
        for run in runs {
            points.start(run);
            points.events(run);
        }
        let mut list = points.columns();
        if list.is_empty() || spare {
            let next = list.last().map_or(points.lowest(), |c| c.to);
            list.push(Column {
                from: next,
                to: next.plus(1),
            });
        }
        Columns { list: joined(list) }
    }

    /// All of them.
    pub fn list(&self) -> &[Column] {
        &self.list
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none (never).
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The column that holds an offset.
    pub fn of(&self, offset: Offset) -> Option<usize> {
        let place = self.list.partition_point(|c| c.to <= offset);
        let column = self.list.get(place)?;
        (column.from <= offset).then_some(place)
    }

    /// Where an exclusive end falls: the columns before it, and how far it reaches into the next in thousandths.
    pub fn edge(&self, end: Offset) -> (usize, u32) {
        let place = self.list.partition_point(|c| c.to <= end);
        match self.list.get(place) {
            Some(c) if end > c.from => {
                let part =
                    u128::from(end.since(c.from)) * 1000 / u128::from(c.to.since(c.from).max(1));
                (place, u32::try_from(part).unwrap_or(0))
            }
            _ => (place, 0),
        }
    }
}

#[derive(Debug, Default)]
struct Points {
    /// What tells offsets apart.
    ends: Set<u64>,
    /// Stretches of records of the script: each of their offsets has its own column.
    records: Vec<(u64, u64)>,
}

impl Points {
    fn start(&mut self, run: &Run) {
        for replica in run.scenario.start.iter().flat_map(|s| &s.replicas) {
            let mut end = replica.log_start;
            self.ends.insert(end.0);
            for (_, count) in &replica.log {
                end = end.plus(*count);
                self.ends.insert(end.0);
            }
            if replica.hw >= replica.log_start {
                self.ends.insert(replica.hw.0.min(end.0));
            }
        }
    }

    fn events(&mut self, run: &Run) {
        for event in &run.events {
            match &event.kind {
                EventKind::Appended { batch, .. } => {
                    let (base, end) = (batch.base.0, batch.end().0);
                    self.ends.extend([base, end]);
                    if batch.count <= LARGE_BATCH && batch.payload != Payload::Before {
                        self.records.push((base, end));
                    }
                }
                EventKind::Truncated { from, to, .. } => self.ends.extend([from.0, to.0]),
                EventKind::BrokerStarted { leo, .. } | EventKind::BrokerStopped { leo, .. } => {
                    self.ends.insert(leo.0);
                }
                EventKind::HwChanged { to, .. } if run.scenario.start.is_some() => {
                    self.ends.insert(to.0);
                }
                _ => {}
            }
        }
        sort::heap(&mut self.records, |a, b| a < b);
        self.records.dedup();
    }

    fn lowest(&self) -> Offset {
        Offset(self.ends.first().copied().unwrap_or(0))
    }

    fn columns(&self) -> Vec<Column> {
        let mut list = Vec::new();
        let mut add = |from: u64, to: u64| {
            list.push(Column {
                from: Offset(from),
                to: Offset(to),
            });
        };
        let points: Vec<u64> = self.ends.iter().copied().collect();
        for pair in points.windows(2) {
            let [from, to] = *pair else { continue };
            let single = to.saturating_sub(from) <= FEW || self.is_script(from, to);
            if single {
                (from..to).for_each(|o| add(o, o.saturating_add(1)));
            } else {
                add(from, to);
            }
        }
        list
    }

    /// Whether the stretch lies in a batch of the script that is drawn record by record.
    fn is_script(&self, from: u64, to: u64) -> bool {
        let place = self.records.partition_point(|(base, _)| *base <= from);
        self.records
            .iter()
            .take(place)
            .rev()
            .take(8)
            .any(|(_, end)| *end >= to)
    }
}

/// The columns with neighbours joined until there are at most [`MOST`].
fn joined(list: Vec<Column>) -> Vec<Column> {
    if list.len() <= MOST {
        return list;
    }
    let group = list.len().div_ceil(MOST);
    list.chunks(group)
        .filter_map(|chunk| {
            Some(Column {
                from: chunk.first()?.from,
                to: chunk.last()?.to,
            })
        })
        .collect()
}
