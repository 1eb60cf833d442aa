//! The whole picture of one small run, as text. `UPDATE_EXPECT=1` writes it anew; a person explains the difference.

use core::fmt::Write;

use super::super::Picture;
use super::super::shape::{Form, Shape};
use super::super::view::{Mode, Panel, View};
use super::{draw, samples};

fn listed(picture: &Picture) -> String {
    let mut out = format!(
        "{} x {}, head {}\n",
        picture.width, picture.height, picture.head
    );
    for (name, list) in [
        ("heads", &picture.heads),
        ("grounds", &picture.grounds),
        ("shapes", &picture.shapes),
        ("names", &picture.names),
    ] {
        let _ = writeln!(out, "{name}");
        for shape in list {
            let _ = writeln!(out, "  {}", one(shape));
        }
    }
    out
}

fn one(shape: &Shape) -> String {
    let (look, hue) = (shape.class.look.css(), shape.class.hue.css());
    let b = shape.form.bounds();
    let kind = match &shape.form {
        Form::Text { strong, words, .. } => format!("{strong:?} {words:?}"),
        Form::Glyph { glyph, .. } => format!("{glyph:?}"),
        Form::Path { points, .. } => format!("{} points", points.len()),
        Form::Lines(lines) => format!("{} lines", lines.len()),
        Form::Line(..) => "line".to_owned(),
        Form::Rect(_) => "rect".to_owned(),
        Form::Zigzag { .. } => "zigzag".to_owned(),
    };
    let place = format!("{},{} {},{}", b.left, b.top, b.right, b.bottom);
    format!("{} {look} {hue} {kind} {place} {}", shape.id, shape.label)
        .trim_end()
        .replace("  ", " ")
}

fn check(name: &str, text: &str, expect: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let path = format!("{}/src/picture/tests/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, text).expect("the expectation can be written");
        return;
    }
    for (line, (found, expected)) in text.lines().zip(expect.lines()).enumerate() {
        assert_eq!(found, expected, "{name}, line {}", line + 1);
    }
    assert_eq!(text.lines().count(), expect.lines().count(), "{name}");
}

#[test]
fn one_record_wide() {
    let (_, picture) = draw(samples::ONE, &View::wide(1072));
    check(
        "one-wide.txt",
        &listed(&picture),
        include_str!("one-wide.txt"),
    );
}

#[test]
fn one_record_on_a_phone() {
    let view = View {
        mode: Mode::OneOpen(Panel::Acks),
        ..View::wide(366)
    };
    let (_, picture) = draw(samples::ONE, &view);
    check(
        "one-phone.txt",
        &listed(&picture),
        include_str!("one-phone.txt"),
    );
}
