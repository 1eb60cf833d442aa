//! Any run is drawn without a panic: generated scripts, and runs whose events were torn apart.

use highwater_core::check::trial;
use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerId, Millis, Offset};
use highwater_core::sim::{EVENT_LIMIT, Run, run, verdict};
use proptest::prelude::*;

use super::super::view::View;
use super::super::{Picture, file, overlay, svg, table};
use super::{assert_within, samples, views};
use crate::text::Text;

fn step() -> impl Strategy<Value = String> {
    let broker = 1_u32..=5;
    prop_oneof![
        4 => Just("produce".to_owned()),
        1 => (1_u32..40).prop_map(|n| format!("produce {n}")),
        1 => Just("produce acks=0".to_owned()),
        1 => Just("produce lose=response".to_owned()),
        1 => broker.clone().prop_map(|b| format!("kill {b}")),
        1 => broker.clone().prop_map(|b| format!("stop {b}")),
        2 => broker.clone().prop_map(|b| format!("start {b} no-wait")),
        1 => broker.clone().prop_map(|b| format!("power-loss {b} keep=0")),
        1 => broker.clone().prop_map(|b| format!("pause-fetch {b}")),
        1 => broker.clone().prop_map(|b| format!("resume-fetch {b}")),
        1 => broker.clone().prop_map(|b| format!("isolate {b}")),
        1 => broker.prop_map(|b| format!("heal {b}")),
        1 => Just("elect unclean".to_owned()),
    ]
}

fn script() -> impl Strategy<Value = String> {
    let settings = (
        1_u32..=5,
        prop_oneof![Just("0"), Just("1"), Just("all")],
        0_u32..3,
        any::<bool>(),
    );
    let steps = prop::collection::vec((step(), 0_u64..4_000), 0..14);
    (settings, steps).prop_map(|((replicas, acks, retries, unclean), steps)| {
        let names: Vec<String> = (1..=replicas).map(|b| b.to_string()).collect();
        let mut text = format!(
            "title any\nset acks={acks}\nset brokers=1,2,3,4,5\nset replicas={}\nset retries={retries}\nset unclean.leader.election.enable={unclean}\n",
            names.join(",")
        );
        let mut at = 0;
        for (step, wait) in steps {
            at += if wait > 2_000 { wait } else { wait / 100 };
            text.push_str(&format!("at {at}ms {step}\n"));
        }
        text
    })
}

fn everything(run: &Run, view: &View) -> Picture {
    let text = Text::english();
    let picture = Picture::new(run, &verdict(run), &text, view);
    let _ = (
        overlay::under(&picture, view),
        overlay::over(&picture, view, &text),
    );
    let _ = table::rows(&picture, &text);
    let _ = svg::markup(file::layers(&picture, view, &text, true).iter().flatten());
    picture
}

/// A script that a generated case once found: two batches of many records leave a ghost less room than its insets.
const NARROW_GHOST: &str = "title any
set acks=0
set brokers=1,2,3,4,5
set replicas=1,2
set retries=0
set unclean.leader.election.enable=false
at 0ms produce 32
at 0ms produce 19
at 13ms isolate 2
at 21ms stop 1
";

#[test]
fn a_ghost_in_a_narrow_column_has_a_width() {
    let scenario = highwater_core::scenario::parse(NARROW_GHOST).expect("the script parses");
    let run = run(&scenario);
    for view in views() {
        for selected in 0..12 {
            let view = View {
                selected: Some(selected),
                ..view.clone()
            };
            assert_within(&everything(&run, &view), "a narrow ghost");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_script_is_drawn(script in script(), which in 0_usize..8, selected in 0_u64..12) {
        let scenario = highwater_core::scenario::parse(&script).map_err(|e| TestCaseError::fail(format!("{e:?}\n{script}")))?;
        // Its every step keeps what any step must.
        let kept = trial(&scenario, EVENT_LIMIT).map_err(|why| TestCaseError::fail(format!("{why}\n{script}")))?;
        let run = kept.run;
        let mut view = views().swap_remove(which);
        view.selected = Some(selected);
        let picture = everything(&run, &view);
        assert_within(&picture, &script);
    }

    #[test]
    fn torn_runs_are_drawn(
        which in 0_usize..samples::ALL.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..8), 1..12),
        end in prop_oneof![Just(0_u64), Just(u64::MAX), 0_u64..20_000],
    ) {
        let (_, script) = samples::ALL[which];
        let scenario = highwater_core::scenario::parse(script).expect("a sample parses");
        let mut torn = run(&scenario);
        let told = verdict(&torn);
        for (at, how) in cuts {
            if !torn.events.is_empty() {
                tear(&mut torn, at.index(usize::MAX) % 4_096, how);
            }
        }
        torn.end = Millis(end);
        let text = Text::english();
        for view in views() {
            let picture = Picture::new(&torn, &told, &text, &view);
            let _ = overlay::over(&picture, &view, &text);
        }
    }
}

/// Makes a run that no engine makes: events missing, offsets and times without sense.
fn tear(run: &mut Run, at: usize, how: u8) {
    let at = at % run.events.len();
    let event = &mut run.events[at];
    match (how, &mut event.kind) {
        (0, EventKind::Appended { batch, leo, .. }) => {
            batch.base = Offset(u64::MAX - 1);
            batch.count = u64::MAX;
            *leo = Offset(u64::MAX);
        }
        (1, EventKind::Appended { batch, .. }) => batch.count = 0,
        (2, EventKind::HwChanged { to, .. }) => *to = Offset(u64::MAX),
        (3, EventKind::Truncated { from, to, .. }) => std::mem::swap(from, to),
        (4, EventKind::PartitionChanged { after, .. }) => after.leader = Some(BrokerId(77)),
        (
            5,
            EventKind::ProduceCalled {
                first_record,
                count,
                ..
            },
        ) => {
            *first_record = u64::MAX;
            *count = u64::MAX;
        }
        (6, EventKind::Consumed { from, to, .. }) => (*from, *to) = (Offset(u64::MAX), Offset(0)),
        _ => {
            run.events.remove(at);
        }
    }
}
