//! What a reader does, as the page's elements write it in their `data-do`: `seek:12`, `set:acks`, `add:kill 1`.

use highwater_core::kafka::ids::{BrokerId, EventId, Millis};
use highwater_core::scenario::value::{Action, Scenario};
use highwater_core::scenario::{parse, print, time};

use super::command::Command;
use super::state::Session;
use crate::picture::view::Panel;

/// The command of an act; `value` is that of the field it came from. None when the act is no command of the session.
pub fn command(act: &str, value: &str, session: &Session) -> Option<Command> {
    let (name, of) = act.split_once(':').unwrap_or((act, ""));
    let number = || of.parse::<u64>().ok();
    let index = || of.parse::<usize>().ok();
    Some(match name {
        "first" => Command::First,
        "last" => Command::Last,
        "next" => Command::NextEvent,
        "previous" => Command::PreviousEvent,
        "play" => Command::PlayPause,
        "undo" => Command::Undo,
        "redo" => Command::Redo,
        "close-link" => Command::CloseLink,
        "seek" => Command::SeekEvent(EventId(u32::try_from(number()?).ok()?)),
        "select" => {
            let record = number()?;
            Command::Select((session.selected() != Some(record)).then_some(record))
        }
        "pick" => Command::Choose(index()?),
        "fold" => Command::ToggleFold(Millis(number()?)),
        "panel" => Command::OpenPanel(panel(value)?),
        "load" => Command::LoadScenario(of.to_owned()),
        "set" => Command::SetSetting {
            name: of.to_owned(),
            value: value.trim().to_owned(),
        },
        "b" => Command::Compare(pairs(of, value)?),
        "copy-b" => Command::CopyToB,
        "copy-a" => Command::CopyToA,
        "matrix" => Command::ShowMatrix(session.matrix().is_none()),
        "swap" => Command::Swap,
        "close-b" => Command::CloseB,
        "first-difference" => Command::FirstDifference,
        "next-difference" => Command::NextDifference,
        "step-time" => Command::MoveStep {
            step: index()?,
            at: time::read(value.trim())?,
        },
        "step-action" => Command::EditStep {
            step: index()?,
            action: value.to_owned(),
        },
        "step-remove" => Command::RemoveStep(index()?),
        "add" => Command::AddStep(action(of, session)?),
        "lane" => Command::KillOrStart(BrokerId(of.parse().ok()?)),
        _ => return None,
    })
}

/// The panel's name in acts.
pub fn panel_name(panel: Panel) -> &'static str {
    match panel {
        Panel::Acks => "acks",
        Panel::Lag => "lag",
        Panel::Visibility => "visibility",
    }
}

fn panel(name: &str) -> Option<Panel> {
    Panel::ALL
        .into_iter()
        .find(|panel| panel_name(*panel) == name)
}

/// Settings as `name=value` with commas between them; a name alone has the value of its field.
fn pairs(of: &str, value: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, value));
        (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
    };
    of.split(',').map(pair).collect()
}

/// An action as a script writes it, read under the settings that are in force.
fn action(words: &str, session: &Session) -> Option<Action> {
    let bare = Scenario {
        settings: session.scenario().settings.clone(),
        ..Scenario::default()
    };
    let mut text = print(&bare);
    text.push_str("at 0ms ");
    text.push_str(words);
    let step = parse(&text).ok()?.steps.into_iter().next()?;
    Some(step.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(act: &str, value: &str) -> Option<Command> {
        command(act, value, &Session::default())
    }

    #[test]
    fn acts_are_commands() {
        assert_eq!(act("next", ""), Some(Command::NextEvent));
        assert_eq!(act("seek:12", ""), Some(Command::SeekEvent(EventId(12))));
        assert_eq!(act("panel", "acks"), Some(Command::OpenPanel(Panel::Acks)));
        assert_eq!(
            act("add:kill 2", ""),
            Some(Command::AddStep(Action::Kill(BrokerId(2))))
        );
        assert_eq!(
            act("step-time:1", " 5.53s "),
            Some(Command::MoveStep {
                step: 1,
                at: Millis(5_530)
            })
        );
        // m3 is selected when the page opens: the same act lets it go.
        assert_eq!(act("select:3", ""), Some(Command::Select(None)));
        assert_eq!(act("select:1", ""), Some(Command::Select(Some(1))));
    }

    #[test]
    fn what_is_no_act_does_nothing() {
        for (name, value) in [
            ("seek:x", ""),
            ("seek:", ""),
            ("seek:99999999999", ""),
            ("add:kill 99", ""),
            ("add:", ""),
            ("panel", "none"),
            ("step-time:1", "soon"),
            ("", ""),
            ("open:menu", ""),
        ] {
            assert_eq!(act(name, value), None, "{name} {value}");
        }
    }
}
