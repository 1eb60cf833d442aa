//! Every recorded trace of a real cluster is drawn: inside of its bounds, and without words on words.

use highwater_core::scenario::trace;
use highwater_core::sim::{run, verdict};

use super::super::Picture;
use super::super::view::{Mode, Panel, View};
use super::{assert_apart, assert_within};
use crate::text::Text;

#[test]
fn every_recorded_trace_is_drawn() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/core/cases/cluster-traces");
    let text = Text::english();
    let phone = View {
        mode: Mode::OneOpen(Panel::Lag),
        ..View::wide(366)
    };
    let mut drawn = 0;
    for entry in std::fs::read_dir(folder).expect("the traces are in the repository") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let file = std::fs::read_to_string(&path).expect("the trace can be read");
        let name = path.display().to_string();
        let trace = trace::read(&file).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let run = run(&trace.scenario());
        let told = verdict(&run);
        for view in [View::wide(1072), phone.clone()] {
            let picture = Picture::new(&run, &told, &text, &view);
            assert_within(&picture, &name);
            assert_apart(&picture, &name);
        }
        drawn += 1;
    }
    assert!(drawn > 80, "{drawn}");
}
