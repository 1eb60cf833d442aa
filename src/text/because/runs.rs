//! Real runs: every event of each is said in every language.

use std::collections::BTreeSet;

use super::Narrator;
use super::tests::faults;
use crate::text::every_language;
use crate::text::transcript::{Detail, matters, transcript};

const SCRIPTS: [(&str, &str); 6] = [
    (
        "flapping below min ISR, clean stop, preferred election, queries",
        "\
set acks=all
set retries=3
set min.insync.replicas=2
then produce
then pause-fetch 2
then pause-fetch 3
then produce 2
then wait 50s
then produce
then resume-fetch 2
then resume-fetch 3
then wait 5s
then produce
then stop 1
then wait 3s
then start 1
then wait 3s
then elect preferred
then config min.insync.replicas=3
then consume 0
then list-offset
then epoch-end 0
",
    ),
    (
        "unclean election after isolation and power loss",
        "\
set acks=all
set unclean.leader.election.enable=true
then produce 3
then isolate 3
then wait 20s
then produce 2
then kill 2
then wait 15s
then power-loss 1 keep=3
then wait 15s
then heal 3
then wait 15s
then produce 1
then start 1
then start 2
then wait 10s
",
    ),
    (
        "the ELR fills, the last replica dies, a held AlterPartition",
        "\
set acks=all
set elr=on
then produce 3
then kill 3
then wait 12s
then kill 2
then wait 12s
then produce acks=1
then kill 1
then wait 12s
then start 2
then wait 3s
then start 1
then start 3
then config min.insync.replicas=1
then wait 5s
then hold-alter-partition 2
then pause-fetch 3
then produce acks=1
then wait 40s
",
    ),
    (
        "transactions, idempotent retry, controller gone, links, acks=0",
        "\
set acks=all
set retries=5
set enable.idempotence=true
set isolation.level=read_committed
then begin-transaction
then produce 2 transactional
then wait 1s
then abort-transaction
then begin-transaction
then produce transactional
then commit-transaction
then produce lose=response producer=p id=x
then produce retry-of=x
then kill-controller
then kill 1
then wait 10s
then start-controller
then cut 2 3
then wait 5s
then heal-link 2 3
then slow 2 3 latency=50ms
then produce acks=0
then fence 3
then wait 3s
then unfence 3
then consume 99
",
    ),
    (
        "0.10: truncation to the HW",
        "\
set version=0.10
set acks=all
then produce
then kill 1
then wait 5s
then start 1
then wait 5s
then produce
then kill 2
then start 2
",
    ),
    (
        "2.0: truncation by epoch",
        "\
set version=2.0
set acks=all
then produce
then kill 1
then wait 5s
then start 1
then wait 5s
then produce
then kill 2
then start 2
",
    ),
];

#[test]
fn every_event_of_real_runs_is_said_in_every_language() {
    let mut rules = BTreeSet::new();
    for (name, script) in SCRIPTS {
        let scenario = highwater_core::scenario::parse(script).expect(name);
        let run = highwater_core::sim::run(&scenario);
        assert!(run.events.len() > 50, "{name}: {} events", run.events.len());
        for text in every_language() {
            let narrator = Narrator::new(&text, &run);
            for event in &run.events {
                rules.insert(event.cause.rule);
                let said = narrator.because(event).text;
                assert_eq!(
                    faults(&said),
                    None,
                    "{name} {:?} {event:?}: {said}",
                    text.locale()
                );
                for number in narrator.numbers(&event.cause) {
                    assert!(
                        !number.label.is_empty() && !number.value.is_empty(),
                        "{name} {event:?}"
                    );
                }
            }
            let plain = transcript(&text, &run, Detail::Plain);
            let told = run.events.iter().filter(|event| matters(event)).count();
            assert_eq!(plain.lines().count(), told, "{name}");
            assert!(
                plain.lines().all(|line| !line.contains('#')),
                "{name}: a number without a name\n{plain}"
            );
            let all = transcript(&text, &run, Detail::Everything);
            assert_eq!(all.lines().count(), run.events.len(), "{name}");
        }
    }
    assert!(
        rules.len() >= 45,
        "only {} rules were met: {rules:?}",
        rules.len()
    );
}
