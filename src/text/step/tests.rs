use super::*;
use crate::text::{Locale, every_language};

/// One line for every action of the language, with all that reads differently.
const EVERY_ACTION: &str = "then produce id=a
then produce 5 acks=all to=1 lose=request
then produce acks=1 producer=p id=b
then produce to=2 lose=response
then produce retry-of=b
then begin-transaction
then produce transactional
then fetch 2
then fetch 2 rounds=3 lose=response
then pause-fetch 2
then resume-fetch 2
then slow-fetch 2 delay=2s
then limit-fetch 2 1
then limit-fetch 2
then catch-up 2
then stop 2
then kill 2
then power-loss 2 keep=1
then start 2
then start 2 registration=clean
then start 2 registration=unclean no-wait
then bounce 2
then bounce 2 keep=1
then isolate 2
then heal 2
then heal-all
then cut-controller 2
then heal-controller 2
then cut 1 2
then heal-link 1 controller
then slow producer 1 latency=20ms
then hold 1 consumer
then release 1 consumer
then release 1 consumer count=2
then lose-next 2 1
then kill-controller
then start-controller
then hold-alter-partition 1
then release-alter-partition 1
then lose-alter-partition 1
then fence 2
then unfence 2
then hold-metadata 2
then deliver-metadata 2
then deliver-metadata 2 count=1
then elect preferred
then elect unclean
then elect 2
then config min.insync.replicas=1
then config unclean.leader.election.enable=true
then propose-isr 1,2
then isr-check 1
then consume 0
then consume 0 from=2
then list-offset
then epoch-end 0
then commit-transaction
then abort-transaction
then await-fenced 2
then await-unfenced 2
then await-isr 1,2
then await-ack a
then wait 5s
then check
";

fn every_action() -> Scenario {
    highwater_core::scenario::parse(EVERY_ACTION).expect("it is a script")
}

#[test]
fn every_action_has_words_with_one_verb_in_every_language() {
    let scenario = every_action();
    for text in every_language() {
        for (step, words) in scenario.steps.iter().zip(steps(&text, &scenario)) {
            let marked = marked(&text, &step.action, Some((1, 1)));
            assert_eq!(
                marked.matches('*').count(),
                2,
                "{:?}: {marked}",
                text.locale()
            );
            assert!(!words.is_empty() && !words.contains('*'), "{words}");
            assert!(!step_short(&text, &step.action, None).is_empty(), "{words}");
        }
    }
}

#[test]
fn the_verb_comes_first_but_in_korean() {
    let kill = Action::Kill(BrokerId(3));
    let said: Vec<_> = every_language()
        .iter()
        .map(|text| {
            let (verb, rest) = step_parts(text, &kill, None);
            (text.locale(), verb, rest, step_short(text, &kill, None))
        })
        .collect();
    let expect = |locale, verb: &str, rest: &str, short: &str| {
        (locale, verb.to_owned(), rest.to_owned(), short.to_owned())
    };
    assert_eq!(
        said,
        [
            expect(Locale::En, "kill", "broker 3", "kill 3"),
            expect(Locale::Ko, "", "브로커 3 강제 종료", "3 강제 종료"),
            expect(Locale::Zh, "杀掉", "broker 3", "杀掉 3"),
        ]
    );
}

#[test]
fn records_are_numbered_through_the_script_and_a_retry_keeps_its_own() {
    let scenario = every_action();
    let words = steps(&Text::english(), &scenario);
    assert_eq!(
        &words[..7],
        [
            "produce m1",
            "produce m2–m6 to broker 1 with acks=all, lose the request",
            "produce m7 with acks=1",
            "produce m8 to broker 2, lose the answer",
            "send again the batch of b",
            "begin a transaction",
            "produce m9, in the transaction",
        ]
    );
}

#[test]
fn what_the_model_calls_impossible_is_said_in_every_language() {
    let reasons = [
        "no broker is running",
        "no transaction is open",
        "there is no leader",
        "the broker is running",
        "the broker is down",
        "the controller is running",
        "the controller is down",
    ];
    for text in every_language() {
        for reason in reasons {
            let said = outcome(&text, &StepOutcome::Impossible(reason)).unwrap_or_default();
            assert_eq!(said.contains(reason), text.locale() == Locale::En, "{said}");
        }
    }
}
