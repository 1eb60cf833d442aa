//! What every transition is handed besides the machine's own state: the settings and the present.

use super::ids::Millis;
use super::rules::Rules;
use super::settings::Settings;

/// The settings and the present.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The settings of the run.
    pub settings: &'a Settings,
    /// The present, in ms since the start of the run.
    pub now: Millis,
}

impl Context<'_> {
    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.settings.rules
    }
}
