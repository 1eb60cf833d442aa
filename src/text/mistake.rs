//! What is wrong with a script or a setting, in the language of the page.

use highwater_core::kafka::ids::Millis;
use highwater_core::scenario::{Counted, Expected, ScriptError};

use super::{Arg, Text};
use crate::say;

/// A mistake in a sentence: where, what was found, what was expected, and what to write instead.
pub fn mistake(text: &Text, error: &ScriptError) -> String {
    let expected = expected(text, &error.expected);
    let said = if error.found.is_empty() {
        say!(
            text,
            ScriptMissing,
            line = error.line,
            column = error.column,
            expected = expected
        )
    } else {
        say!(
            text,
            ScriptMistake,
            line = error.line,
            column = error.column,
            found = quoted(&error.found),
            expected = expected,
        )
    };
    let said = if error.path.is_empty() {
        said
    } else {
        format!("{}: {said}", error.path)
    };
    match &error.instead {
        Some(word) => {
            let instead = say!(text, ScriptInstead, word = quoted(word));
            say!(text, Sentences, a = said, b = instead)
        }
        None => said,
    }
}

/// What a person typed, marked off from the sentence.
fn quoted(word: &str) -> String {
    format!("`{word}`")
}

/// What should have stood there, in words that complete "expected …".
pub fn expected(text: &Text, expected: &Expected) -> String {
    match expected {
        Expected::Statement => say!(text, ExpectStatement),
        Expected::Action => say!(text, ExpectAction),
        Expected::SettingName => say!(text, ExpectSettingName),
        Expected::NameAndValue => say!(text, ExpectNameAndValue),
        Expected::OneOf(words) => alternatives(text, words),
        Expected::Words(words) => alternatives(text, words),
        Expected::Argument(name) => say!(text, ExpectArgument, name = *name),
        Expected::Number { min, max } => say!(text, ExpectNumber, min = *min, max = *max),
        Expected::Time { min, max } => say!(text, ExpectTime, min = *min, max = *max),
        Expected::Name => say!(text, ExpectName),
        Expected::Title => say!(text, ExpectTitle),
        Expected::KafkaVersion => say!(text, ExpectKafkaVersion),
        Expected::EndOfLine => say!(text, ExpectEndOfLine),
        Expected::ClosingQuote => say!(text, ExpectClosingQuote),
        Expected::Utf8 => "UTF-8".to_owned(),
        Expected::Json(kind) => say!(text, ExpectJson, kind = *kind),
        Expected::JsonSyntax(words) => say!(text, ExpectJsonSyntax, words = words.clone()),
        Expected::AtMost { what, max } => match what {
            Counted::Bytes => say!(text, ExpectBytes, n = *max),
            Counted::Steps => say!(text, ExpectSteps, n = *max),
            Counted::Records => say!(text, ExpectRecords, n = *max),
            Counted::Characters => say!(text, ExpectCharacters, n = *max),
            Counted::Duration => say!(text, ExpectDuration, wait = Millis(*max)),
        },
        other => expected_broker(text, other).unwrap_or_else(|| expected_place(text, other)),
    }
}

fn expected_broker(text: &Text, expected: &Expected) -> Option<String> {
    Some(match expected {
        Expected::BrokerId => say!(text, ExpectBrokerId),
        Expected::BrokerList { min, max } => say!(text, ExpectBrokerList, min = *min, max = *max),
        Expected::Node => say!(text, ExpectNode),
        Expected::BrokerOr(word) => say!(text, ExpectBrokerOr, word = *word),
        Expected::Racks => say!(text, ExpectRacks),
        Expected::Rack => say!(text, ExpectRack),
        Expected::TwoNodes => say!(text, ExpectTwoNodes),
        Expected::BrokerOf(brokers) => {
            say!(text, ExpectBrokerOf, brokers = alternatives(text, brokers))
        }
        Expected::ReplicaOf(brokers) => {
            say!(text, ExpectReplicaOf, brokers = alternatives(text, brokers))
        }
        Expected::AllReplicas(brokers) => say!(text, ExpectAllReplicas, brokers = brokers.clone()),
        Expected::LeaderInIsr => say!(text, ExpectLeaderInIsr),
        Expected::NotInIsr => say!(text, ExpectNotInIsr),
        Expected::Down => say!(text, ExpectDown),
        _ => return None,
    })
}

/// What depends on the lines before.
fn expected_place(text: &Text, expected: &Expected) -> String {
    match expected {
        Expected::LogRanges => say!(text, ExpectLogRanges),
        Expected::EpochStarts => say!(text, ExpectEpochStarts),
        Expected::EarlierCall(names) if names.is_empty() => say!(text, ExpectNoCall),
        Expected::EarlierCall(names) => {
            say!(text, ExpectEarlierCall, names = alternatives(text, names))
        }
        Expected::UnusedName => say!(text, ExpectUnusedName),
        Expected::SameRecords(count) => say!(text, ExpectSameRecords, n = *count),
        Expected::Once => say!(text, ExpectOnce),
        Expected::BeforeSteps => say!(text, ExpectBeforeSteps),
        Expected::AfterStart => say!(text, ExpectAfterStart),
        Expected::NotBefore(instant) => say!(text, ExpectNotBefore, time = *instant),
        Expected::OffsetUpTo(max) => say!(text, ExpectOffsetUpTo, offset = *max),
        Expected::EpochUpTo(max) => say!(text, ExpectEpochUpTo, epoch = *max),
        _ => String::new(),
    }
}

fn alternatives<T: ToString>(text: &Text, items: &[T]) -> String {
    Arg::either(text, items.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::kafka::ids::BrokerId;

    /// One of each, in every form that reads differently.
    fn all() -> Vec<Expected> {
        let brokers = || vec![BrokerId(1), BrokerId(2)];
        let at_most = |what| Expected::AtMost { what, max: 12_000 };
        vec![
            Expected::Statement,
            Expected::Action,
            Expected::SettingName,
            Expected::NameAndValue,
            Expected::OneOf(&["on", "off"]),
            Expected::Words(vec!["keep", "clean", "wait"]),
            Expected::Argument("broker"),
            Expected::Number { min: 1, max: 5 },
            Expected::Time {
                min: Millis(0),
                max: Millis(120_000),
            },
            Expected::BrokerId,
            Expected::BrokerList { min: 1, max: 5 },
            Expected::Node,
            Expected::BrokerOr("leader"),
            Expected::Racks,
            Expected::Rack,
            Expected::TwoNodes,
            Expected::BrokerOf(brokers()),
            Expected::ReplicaOf(brokers()),
            Expected::AllReplicas(brokers()),
            Expected::KafkaVersion,
            Expected::Name,
            Expected::Title,
            Expected::LogRanges,
            Expected::EpochStarts,
            Expected::EndOfLine,
            Expected::ClosingQuote,
            Expected::EarlierCall(Vec::new()),
            Expected::EarlierCall(vec!["a".to_owned(), "b".to_owned()]),
            Expected::UnusedName,
            Expected::SameRecords(2),
            Expected::Once,
            Expected::BeforeSteps,
            Expected::AfterStart,
            Expected::NotBefore(Millis(530)),
            Expected::OffsetUpTo(4),
            at_most(Counted::Bytes),
            at_most(Counted::Steps),
            at_most(Counted::Records),
            at_most(Counted::Duration),
            at_most(Counted::Characters),
            Expected::LeaderInIsr,
            Expected::NotInIsr,
            Expected::EpochUpTo(3),
            Expected::Down,
            Expected::Utf8,
            Expected::Json("object"),
            Expected::JsonSyntax("expected `,`".to_owned()),
        ]
    }

    #[test]
    fn everything_that_was_expected_has_words_in_every_language() {
        for text in crate::text::every_language() {
            for what in all() {
                let said = expected(&text, &what);
                assert!(!said.is_empty() && !said.contains('{'), "{what:?}: {said}");
            }
        }
    }

    #[test]
    fn a_mistake_says_where_what_and_what_instead() {
        let error =
            highwater_core::scenario::parse("at 5ms kil 1\n").expect_err("there is no such action");
        let said: Vec<String> = error.iter().map(|e| mistake(&Text::english(), e)).collect();
        assert_eq!(
            said,
            [
                "Line 1, column 8: found `kil`, expected an action such as produce, kill or pause-fetch. Write `kill`?"
            ]
        );
    }
}
