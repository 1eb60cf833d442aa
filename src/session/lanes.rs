//! What a reader does to a broker by its lane in the partition strip.

use highwater_core::kafka::ids::{BrokerId, Millis};
use highwater_core::scenario::value::Action;

use super::history::Group;
use super::look;
use super::script;
use super::state::Session;

impl Session {
    pub(super) fn kill_or_start(&mut self, broker: BrokerId) {
        let state = self.ran.run.at(self.playhead);
        let Some(found) = state.cluster().broker(broker) else {
            return;
        };
        let action = match found.is_up() {
            true => Action::Kill(broker),
            false => Action::Start {
                broker,
                clean: None,
                wait: true,
            },
        };
        self.add_step(action);
    }

    pub(super) fn pause_fetch(&mut self, broker: BrokerId, from: Millis, to: Millis) {
        if look::leader_at(self, from) == Some(broker) {
            return;
        }
        let to = to.max(from.plus(Millis(1)));
        self.edit_steps(Some(Group::Drag), |scenario, times| {
            let place = script::add(scenario, times, Action::PauseFetch(broker), from);
            let mut times = times.to_vec();
            times.insert(place.min(times.len()), from);
            Some(script::add(
                scenario,
                &times,
                Action::ResumeFetch(broker),
                to,
            ))
        });
    }
}

#[cfg(test)]
mod tests {
    use highwater_core::scenario::print;
    use highwater_core::sim::Instant;

    use super::super::Command;
    use super::*;

    fn steps(session: &Session) -> Vec<String> {
        let text = print(session.scenario());
        let steps = text.lines().filter(|line| line.starts_with("at "));
        steps.map(str::to_owned).collect()
    }

    fn at(session: &mut Session, at: u64) {
        session.apply(Command::Seek(Instant {
            at: Millis(at),
            position: 0,
        }));
    }

    #[test]
    fn a_lane_kills_what_runs_and_starts_what_does_not() {
        let mut session = Session::default();
        let before = steps(&session);
        at(&mut session, 525);
        session.apply(Command::KillOrStart(BrokerId(2)));
        assert!(steps(&session).contains(&"at 525ms kill 2".to_owned()));
        at(&mut session, 527);
        session.apply(Command::KillOrStart(BrokerId(2)));
        assert!(steps(&session).contains(&"at 527ms start 2".to_owned()));
        session.apply(Command::Undo);
        session.apply(Command::Undo);
        assert_eq!(steps(&session), before);
        session.apply(Command::KillOrStart(BrokerId(99)));
        assert_eq!(steps(&session), before);
    }

    #[test]
    fn a_pause_is_two_steps_that_are_moved_and_undone_together() {
        let mut session = Session::default();
        let before = steps(&session);
        let (broker, from) = (BrokerId(3), Millis(4));
        session.apply(Command::PauseFetch {
            broker,
            from,
            to: from,
        });
        assert!(steps(&session).contains(&"at 4ms pause-fetch 3".to_owned()));
        assert!(steps(&session).contains(&"at 5ms resume-fetch 3".to_owned()));
        let step = session.touched().unwrap();
        session.apply(Command::MoveStep {
            step,
            at: Millis(40),
        });
        assert!(steps(&session).contains(&"at 40ms resume-fetch 3".to_owned()));
        session.apply(Command::DropStep);
        session.apply(Command::Undo);
        assert_eq!(steps(&session), before);
    }

    #[test]
    fn a_leader_has_no_fetching_to_pause() {
        let mut session = Session::default();
        let before = steps(&session);
        session.apply(Command::PauseFetch {
            broker: BrokerId(1),
            from: Millis(4),
            to: Millis(9),
        });
        assert_eq!(steps(&session), before);
    }
}
