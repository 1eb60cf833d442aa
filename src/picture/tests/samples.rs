//! Scripts whose pictures the tests look at.

/// An acknowledged record is lost with its leader.
pub const LOST: &str = "title lost
set acks=1
at 0ms produce
at 10ms produce
at 300ms pause-fetch 2
at 300ms pause-fetch 3
at 522ms produce
at 530ms kill 1
at 9800ms resume-fetch 2
at 9801ms resume-fetch 3
at 9810ms produce
at 10500ms start 1
";

/// One record under acks=all.
pub const ONE: &str = "title one
at 0ms produce
";

/// Writes are refused while the ISR is too small.
pub const REFUSED: &str = "title refused
at 0ms produce
at 20ms kill 2
at 21ms kill 3
at 20000ms produce
at 20001ms produce
at 20002ms produce
at 21000ms start 2
then produce
";

/// An answer is lost and the batch is sent again: the record is in the log twice.
pub const TWICE: &str = "title twice
set retries=3
at 0ms produce
at 20ms produce lose=response
then produce 3
";

/// acks=0.
pub const NO_PROMISE: &str = "title no promise
set acks=0
at 0ms produce
at 5ms produce
";

/// Everybody leaves in turn.
pub const ELR: &str = "title elr
at 0ms produce
at 20ms stop 3
then stop 2
then produce
then kill 1
then start 3
then start 2
";

/// Logs that begin far from 0 and differ.
pub const START: &str = "title start
start leader=1 epoch=7 isr=1,2,3
  broker 1 log=0:1239742820,7:10 hw=1239742825
  broker 2 log=0:1239742820,7:6 hw=1239742825
  broker 3 log=0:1239742820,7:5 hw=1239742825
at 0ms produce
at 10ms kill 1
then produce
";

/// A transaction holds the LSO of a read_committed consumer.
pub const COMMITTED: &str = "title read_committed
set isolation.level=read_committed
at 0ms produce
at 5ms begin-transaction
at 6ms produce transactional
at 12ms produce
at 20ms commit-transaction
at 40ms produce
";

/// All of them, with the ones that are made by counting.
pub const ALL: &[(&str, &str)] = &[
    ("lost", LOST),
    ("one", ONE),
    ("refused", REFUSED),
    ("twice", TWICE),
    ("no promise", NO_PROMISE),
    ("elr", ELR),
    ("start", START),
    ("committed", COMMITTED),
    ("thirty", THIRTY),
    ("five replicas", FIVE),
    ("empty", "title empty\n"),
    ("all down", ALL_DOWN),
];

/// Thirty records, 5 ms apart.
pub const THIRTY: &str = include_str!("thirty.txt");

/// RF 5 with ten records and a follower that is slow.
pub const FIVE: &str = "title five
set replicas=1,2,3,4,5
at 0ms produce
at 2ms pause-fetch 4
at 14ms produce
at 15ms produce
at 16ms produce
at 17ms produce
at 18ms produce
at 30ms produce
at 40ms resume-fetch 4
then kill 1
then produce
";

/// Nobody is left.
pub const ALL_DOWN: &str = "title all down
set acks=1
at 0ms produce
at 5ms kill 1
at 6ms kill 2
at 7ms kill 3
at 8ms produce
at 30000ms start 2
";
