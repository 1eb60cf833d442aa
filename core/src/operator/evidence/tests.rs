use super::*;
use crate::kafka::ids::{BrokerId, LeaderEpoch, Offset};

const LINES: &str = "Topic: orders\tTopicId: iwwXhqc2TCqMr3UwERG8lg\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \
    min.insync.replicas=2,segment.bytes=67108864\n\tTopic: orders\tPartition: 0\tLeader: none\tReplicas: 1,2,3\tIsr: \
    \tElr: 2\tLastKnownElr: 1\n";

#[test]
fn the_answer_of_the_tool_is_read() {
    let (topics, partitions) = read_describe(LINES).expect("it is read");
    assert_eq!(
        topics[0].configs[0],
        ("min.insync.replicas".to_owned(), "2".to_owned())
    );
    let partition = &partitions[0];
    assert_eq!(partition.leader, None);
    assert_eq!(partition.replicas, [1, 2, 3].map(BrokerId));
    assert!(partition.isr.is_empty());
    assert_eq!(partition.elr, Some([BrokerId(2)].into_iter().collect()));
    assert_eq!(partition.last_known_elr, Some(vec![BrokerId(1)]));
    assert_eq!(partition.contradictions(), []);
}

#[test]
fn lines_of_old_tools_and_of_pages_without_tabs_are_read() {
    let old = "Topic:t\tPartitionCount:1\tReplicationFactor:2\tConfigs:\n\tTopic: t\tPartition: 0\tLeader: -1\tReplicas: \
        147,103\tIsr: 147";
    let (topics, partitions) = read_describe(old).expect("it is read");
    assert_eq!(topics[0].replication_factor, 2);
    assert_eq!(
        (partitions[0].leader, partitions[0].elr.clone()),
        (None, None)
    );
    let pasted = "Topic: t  Partition: 0  Leader: 147  Replicas: 147,103  Isr: 147  Elr: N/A";
    let line = read_partition(pasted).expect("it is read");
    assert_eq!(line.leader, Some(BrokerId(147)));
}

#[test]
fn what_cannot_be_so_is_told() {
    let line = "Topic: t Partition: 0 Leader: 4 Replicas: 1,2,2 Isr: 1,2 Elr: 2";
    assert_eq!(
        read_partition(line).expect("it is read").contradictions(),
        [
            Contradiction::NamedTwice(BrokerId(2)),
            Contradiction::NoReplica(BrokerId(4)),
            Contradiction::LeaderOutsideIsr(BrokerId(4)),
            Contradiction::InIsrAndElr(BrokerId(2)),
        ]
    );
}

#[test]
fn checkpoint_files_are_read() {
    let epochs = read_epochs("0\n2\n0 0\n5 120\n").expect("it is read");
    assert_eq!(
        epochs,
        [(LeaderEpoch(0), Offset(0)), (LeaderEpoch(5), Offset(120))]
    );
    let offsets = read_offsets("0\n1\norders 0 118\n").expect("it is read");
    assert_eq!(
        (offsets[0].topic.as_str(), offsets[0].offset),
        ("orders", Offset(118))
    );
}

/// What is said of a text that cannot be read.
fn told<T>(result: Result<T, Mistake>) -> Option<String> {
    result.err().map(|mistake| mistake.to_string())
}

#[test]
fn mistakes_say_where_and_what_was_expected() {
    for (text, said) in [
        (
            "",
            "line 1: found ``, expected the version of the file, `0`",
        ),
        (
            "0\n2\n0 0\n",
            "line 4: found ``, expected as many entries as the second line says",
        ),
        (
            "0\n1\n0 0\n1 2\n",
            "line 4: found `1 2`, expected no more entries than the second line says",
        ),
        (
            "0\n1\n0 x\n",
            "line 3: found `0 x`, expected an epoch and its start offset, such as `5 120`",
        ),
        (
            "0\n2\n5 7\n4 9\n",
            "line 4: found `4 9`, expected an epoch and an offset that are larger than those of the line before",
        ),
    ] {
        assert_eq!(told(read_epochs(text)).as_deref(), Some(said), "{text:?}");
    }
    let said = told(read_describe("hello"));
    assert!(said.is_some_and(|said| said.contains("found `hello`")));
}

mod any {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_text_breaks_a_reader(text in "[ -~\\n\\t\u{ac00}]{0,200}") {
            let _ = (read_epochs(&text), read_offsets(&text), read_describe(&text));
        }
    }
}
