//! Words in other languages find their places too.

use super::super::class::Look;
use super::super::label::{self, Label, Rank, Taken};
use super::super::measure;
use super::super::shape::{Form, Point, ShapeId, at, px};

fn label(rank: Rank, spot: Point, words: &str) -> Label {
    Label::new(ShapeId::default(), rank, Look::Note, spot, words.to_owned())
}

fn placed(labels: Vec<Label>, taken: &mut Taken) -> Vec<(String, i32)> {
    let shapes = label::place(labels, taken, px(1_000));
    let said = shapes.into_iter().filter_map(|s| match s.form {
        Form::Text { at, words, .. } => Some((words, at.y)),
        _ => None,
    });
    said.collect()
}

#[test]
fn the_lower_rank_moves_down_a_line_then_goes() {
    let spot = at(0, px(100));
    let labels = vec![
        label(Rank::Quiet, spot, "quiet"),
        label(Rank::Name, spot, "name"),
        label(Rank::Outcome, spot, "outcome"),
    ];
    let said = placed(labels, &mut Taken::default());
    assert_eq!(
        said,
        [
            ("outcome".to_owned(), px(100)),
            ("name".to_owned(), px(114))
        ]
    );
}

#[test]
fn words_keep_off_marks_and_cross_an_edge_only_when_they_must() {
    let mut taken = Taken::default();
    let edge = super::super::shape::edges(0, px(96), px(500), px(98));
    taken.add_edge(edge);
    let said = placed(vec![label(Rank::Name, at(0, px(100)), "name")], &mut taken);
    assert_eq!(said, [("name".to_owned(), px(114))]);
    let mut crowded = Taken::default();
    crowded.add_edge(edge);
    crowded.add(super::super::shape::edges(0, px(104), px(500), px(130)));
    let said = placed(
        vec![label(Rank::Name, at(0, px(100)), "name")],
        &mut crowded,
    );
    assert_eq!(said, [("name".to_owned(), px(100))]);
}

#[test]
fn lines_break_at_spaces_underscores_and_between_han() {
    let lines = |words: &str, room| label(Rank::Name, at(0, 0), words).wrapped(room).lines;
    assert_eq!(lines("only 1 has m3", px(44)), ["only 1", "has m3"]);
    assert_eq!(
        lines("NOT_ENOUGH_REPLICAS", px(90)),
        ["NOT_ENOUGH_", "REPLICAS"]
    );
    assert_eq!(lines("只有 1 有 m3", px(30)), ["只有", "1 有", "m3"]);
    assert_eq!(
        lines("m3는 한 번도 읽히지 않음", px(50)),
        ["m3는 한", "번도", "읽히지", "않음"]
    );
}

#[test]
fn cjk_is_measured_as_wide_as_it_is() {
    assert_eq!(measure::width(Look::WordOk, "가나"), 240);
    assert!(measure::width(Look::WordOk, "ii") < 100);
    let cut = measure::fit(Look::WordOk, "生产者应答很长", px(50));
    assert!(
        cut.ends_with('…') && measure::width(Look::WordOk, &cut) <= px(50),
        "{cut}"
    );
}
