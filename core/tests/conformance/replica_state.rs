//! Kind `replica_state`: one remote replica as its leader sees it.

use highwater_core::kafka::ids::{BrokerEpoch, Millis, Offset};
use highwater_core::kafka::leader::{FetchPosition, FollowerState};
use serde_json::{Map, Value, json};

use crate::case::{Fields, or_minus_one};
use crate::delayed_produce::name;
use crate::{Answer, Machine};

struct Runner {
    state: FollowerState,
    now: Millis,
    lag_time_max: Millis,
    /// Its broker epoch in the leader's metadata.
    alive: Option<BrokerEpoch>,
}

/// A replica of which nothing is known.
pub fn start(given: &Fields) -> Result<Box<dyn Machine>, String> {
    given.only(&["t0", "replica_lag_time_max_ms", "alive_epoch"])?;
    Ok(Box::new(Runner {
        state: FollowerState::default(),
        now: Millis(given.number("t0")?),
        lag_time_max: Millis(given.number("replica_lag_time_max_ms")?),
        alive: given.maybe_number("alive_epoch")?.map(BrokerEpoch),
    }))
}

/// The broker epoch of the last fetch: null before the first one, -1 for one without.
pub fn broker_epoch(state: &FollowerState) -> Value {
    match (state.fetched, state.broker_epoch) {
        (false, _) => Value::Null,
        (true, epoch) => or_minus_one(epoch.map(|epoch| epoch.0)),
    }
}

impl Machine for Runner {
    fn apply(&mut self, op: &Fields) -> Answer {
        let mut told = Map::new();
        let mut say = |key: &str, value: Value| told.insert(key.to_string(), value);
        let leader_leo = || op.number("leader_leo").map(Offset);
        match op.op() {
            "update" => {
                op.only(&[
                    "op",
                    "offset",
                    "log_start",
                    "leader_leo",
                    "broker_epoch",
                    "at",
                ])?;
                let position = FetchPosition {
                    offset: Offset(op.number("offset")?),
                    log_start: Offset(op.number("log_start")?),
                    broker_epoch: op.maybe_number("broker_epoch")?.map(BrokerEpoch),
                };
                let now = Millis(op.number_or("at", self.now.0)?);
                let updated = self.state.update(position, leader_leo()?, now, self.alive);
                say("result", json!(name(updated.err())));
            }
            "reset" => {
                op.only(&["op", "leader_leo", "new_leader", "in_isr"])?;
                let (new_leader, in_isr) = (
                    op.flag_or("new_leader", false)?,
                    op.flag_or("in_isr", false)?,
                );
                self.state
                    .reset(leader_leo()?, new_leader, in_isr, self.now);
            }
            "caught_up" => {
                op.only(&["op", "leader_leo"])?;
                let caught_up = self
                    .state
                    .is_caught_up(leader_leo()?, self.now, self.lag_time_max);
                say("caught_up", json!(caught_up));
            }
            "sleep" => self.now = self.now.plus(Millis(op.number("ms")?)),
            "noop" => op.only(&["op"])?,
            other => return Err(format!("no such operation: {other}")),
        }
        let state = &self.state;
        say("leo", or_minus_one(state.leo.map(|o| o.0)));
        say("log_start", or_minus_one(state.log_start.map(|o| o.0)));
        say(
            "last_caught_up",
            json!(state.last_caught_up.unwrap_or_default().0),
        );
        let leader_leo = state.last_fetch_leader_leo.map(|o| o.0);
        say("last_fetch_leader_leo", or_minus_one(leader_leo));
        say(
            "last_fetch_time",
            json!(state.last_fetch.unwrap_or_default().0),
        );
        say("broker_epoch", broker_epoch(state));
        Ok(told)
    }
}
