//! The words of the model that the page's components speak: they get them from here and know no other room below.

pub use highwater_core::kafka::event::{Event, Outcome};
pub use highwater_core::kafka::ids::{BrokerId, EventId, Millis};
pub use highwater_core::kafka::rules::Version;
pub use highwater_core::kafka::settings::{Acks, Settings};
pub use highwater_core::scenario::parser::{MAX_BYTES, parse};
pub use highwater_core::scenario::value::{Action, ElectionKind, Produce, When};
pub use highwater_core::scenario::{Expected, ScriptError, SettingError, names, time};
pub use highwater_core::sim::compare::{Difference, Kind};
pub use highwater_core::sim::matrix::{Cell, Toggles, Worst};
pub use highwater_core::sim::verdict::{RecordVerdict, Since, Verdict};
