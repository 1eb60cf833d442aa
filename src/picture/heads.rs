//! Over the panels: names, what they tell, keys, numbers of offsets and lanes. And the borders of the columns.

use super::class::{Class, Look};
use super::columns::Column;
use super::frame::{PanelFrame, Room, WORDS};
use super::lanes;
use super::measure;
use super::shape::Glyph;
use super::shape::{Anchor, Form, Shape, Tenths, at, edges, glyph, line, px, rect};
use super::sheet::{Scene, Sheet, id, replica_hue};
use super::view::{Mode, Panel};
use super::words::Word;

/// Draws the heads.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    titles(scene, sheet);
    for panel in Panel::ALL {
        if !scene.panel(panel).gone() {
            offsets(scene, sheet, panel);
        }
    }
    lane_numbers(scene, sheet);
    if matches!(scene.frame.room, Room::Full | Room::Middle) && !scene.panel(Panel::Lag).gone() {
        keys(scene, sheet);
    }
}

fn words(
    sheet: &mut Sheet,
    name: (&'static str, u64),
    class: impl Into<Class>,
    spot: (Tenths, Tenths, Anchor),
    said: String,
) {
    let class = class.into();
    let width = measure::width(class.look, &said);
    let form = Form::Text {
        at: at(spot.0, spot.1),
        anchor: spot.2,
        strong: String::new(),
        words: said,
        width,
    };
    sheet.head(id(name.0, name.1, 0), class, form);
}

fn titles(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.frame;
    let large = matches!(frame.room, Room::Full | Room::Middle);
    if large {
        let of = |panel| {
            Some(scene.panel(panel))
                .filter(|p| !p.gone())
                .map(PanelFrame::left)
        };
        let long: Vec<(Tenths, [Word; 2], Word)> = [
            (
                Some(frame.rail),
                [Word::Script, Word::Script],
                Word::ScriptAbout,
            ),
            (
                Some(frame.strip),
                [Word::Partition, Word::Partition],
                Word::PartitionAbout,
            ),
            (
                of(Panel::Acks),
                [Word::Acks, Word::AcksShort],
                Word::AcksAbout,
            ),
            (of(Panel::Lag), [Word::Lag, Word::LagShort], Word::LagAbout),
            (
                of(Panel::Visibility),
                [Word::Visibility, Word::VisibilityShort],
                Word::VisibilityAbout,
            ),
        ]
        .into_iter()
        .filter_map(|(x, titles, about)| Some((x?, titles, about)))
        .collect();
        let ends: Vec<Tenths> = long
            .iter()
            .skip(1)
            .map(|l| l.0)
            .chain([frame.width + px(20)])
            .collect();
        for (nth, ((x, titles, about), end)) in long.into_iter().zip(ends).enumerate() {
            // The messages view has heads of its own there.
            if nth >= 2 && scene.view.mode == Mode::Messages {
                continue;
            }
            // The widest common sans is an eighth wider than what is measured.
            let room = (end - x - px(8)) * 8 / 9;
            let fits = |look, said: &String| measure::width(look, said) <= room;
            let [title, short] = titles.map(|title| scene.say(title));
            let title = match fits(Look::Title, &title) {
                true => title,
                false => measure::fit(Look::Title, &short, room),
            };
            // Half of it would say nothing.
            let about = Some(scene.say(about)).filter(|about| fits(Look::Subtitle, about));
            words(
                sheet,
                ("title", nth as u64),
                Look::Title,
                (x, px(14), Anchor::Start),
                title,
            );
            if let Some(about) = about {
                words(
                    sheet,
                    ("about", nth as u64),
                    Look::Subtitle,
                    (x, px(32), Anchor::Start),
                    about,
                );
            }
        }
        return;
    }
    short_titles(scene, sheet);
}

/// Names over the panels where there is one line for them: the long one where it fits. They keep off each other; the
/// name of a slim panel that has no room goes.
fn short_titles(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.frame;
    let short = [
        (Panel::Acks, Word::Acks, Word::AcksShort),
        (Panel::Lag, Word::Lag, Word::LagShort),
        (Panel::Visibility, Word::Visibility, Word::VisibilityShort),
    ];
    let mut limit = frame.width;
    let mut placed: Vec<(usize, Tenths, Look, String)> = Vec::new();
    for (nth, (panel, long, short)) in short.into_iter().enumerate().rev() {
        let own = scene.panel(panel);
        if own.gone() {
            continue;
        }
        let look = if own.open {
            Look::NoteStrong
        } else {
            Look::Key
        };
        let long = scene.say(long);
        let fits = measure::width(look, &long) <= own.right() - own.left();
        let said = if fits { long } else { scene.say(short) };
        let x = own.left().min(limit - measure::width(look, &said));
        limit = x - px(6);
        placed.push((nth, x, look, said));
        if own.open {
            let (left, right) = (at(own.left(), px(18) + 5), at(own.right(), px(18) + 5));
            sheet.heads.push(line(
                id("headrule", nth as u64, 0),
                Look::HeadRule,
                left,
                right,
            ));
        }
    }
    for (nth, x, look, said) in placed.into_iter().rev().filter(|p| p.1 >= frame.ruler) {
        words(
            sheet,
            ("title", nth as u64),
            look,
            (x, px(12), Anchor::Start),
            said,
        );
    }
}

/// Base line of the offsets' numbers.
fn offsets_y(scene: &Scene<'_>) -> Tenths {
    let large = matches!(scene.frame.room, Room::Full | Room::Middle);
    scene.frame.top - px(if large { 24 } else { 20 })
}

/// Numbers of the columns: as many as there is room for, on round numbers.
fn offsets(scene: &Scene<'_>, sheet: &mut Sheet, panel: Panel) {
    let own = scene.panel(panel);
    let y = offsets_y(scene);
    if !own.open {
        return;
    }
    let mut taken = Tenths::MIN;
    let wanted = every(scene.columns.list(), own);
    for (place, column) in scene.columns.list().iter().enumerate() {
        let Some((left, right)) = own.column(place) else {
            continue;
        };
        let mut said = column.name();
        // A range whose ends have no room is still seen to be one.
        if !column.is_single() && measure::width(Look::Axis, &said) > right - left {
            said = String::from("…");
        } else if measure::width(Look::Axis, &said) > right - left {
            said = short_number(column.from.0);
        }
        let width = measure::width(Look::Axis, &said);
        let middle = left + (right - left) / 2;
        let round = column.is_single() && column.from.0.is_multiple_of(wanted);
        let wanted = round || !column.is_single();
        if wanted && middle - width / 2 > taken {
            taken = middle + width / 2 + px(4);
            words(
                sheet,
                (
                    "offset",
                    column
                        .from
                        .0
                        .wrapping_mul(4)
                        .wrapping_add(panel.place() as u64),
                ),
                Look::Axis,
                (middle, y, Anchor::Middle),
                said,
            );
        }
    }
    if panel == Panel::Acks {
        if scene.frame.room != Room::Phone {
            let said = scene.say(Word::OffsetAxis);
            words(
                sheet,
                ("axis", 0),
                Look::Axis,
                (own.left() - px(6), y, Anchor::End),
                said,
            );
        }
        if let (Some(left), Some(right)) = (own.homeless.first(), own.homeless.last()) {
            let said = scene.say(Word::NoOffset);
            let said = measure::fit(Look::Axis, &said, right - left + px(10));
            words(
                sheet,
                ("axis", 1),
                Look::Axis,
                (*left + px(4), y, Anchor::Start),
                said,
            );
        }
    }
}

/// Every which offset is named, so that the numbers do not touch: 1, 2, 5, 10, 20 …
fn every(columns: &[Column], own: &PanelFrame) -> u64 {
    let widths = own.edges.windows(2);
    let narrowest = widths.filter_map(|e| Some(e.get(1)? - e.first()?)).min();
    let narrowest = i64::from(narrowest.unwrap_or(0).max(1));
    let last = columns.last().map_or(0, |c| c.from.0);
    let need = measure::width(Look::Axis, &short_number(last)) + px(6);
    let steps = [1_u64, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
    let enough = |step: &u64| narrowest.saturating_mul(*step as i64) >= i64::from(need);
    steps.into_iter().find(enough).unwrap_or(1_000)
}

/// A long number by its last digits: "…830".
fn short_number(number: u64) -> String {
    if number < 10_000 {
        number.to_string()
    } else {
        format!("…{:03}", number % 1_000)
    }
}

/// Broker numbers over the strip and over every lane that is wide enough.
fn lane_numbers(scene: &Scene<'_>, sheet: &mut Sheet) {
    let frame = scene.frame;
    let large = matches!(frame.room, Room::Full | Room::Middle);
    let y = frame.top - px(if large { 9 } else { 7 });
    let count = scene.history.replicas.len();
    for replica in &scene.history.replicas {
        let x =
            frame.strip + frame.lane * i32::try_from(replica.place).unwrap_or(0) + frame.lane / 2;
        let class = Class::hued(Look::LaneNumber, replica_hue(replica.place));
        words(
            sheet,
            ("broker", u64::from(replica.broker.0)),
            class,
            (x, y, Anchor::Middle),
            replica.broker.to_string(),
        );
        let own = scene.panel(Panel::Lag);
        for place in 0..scene.columns.len() {
            let Some((left, right)) = own
                .column(place)
                .filter(|(l, r)| own.open && r - l >= WORDS)
            else {
                continue;
            };
            let (x, _) = lanes::lane(left, right, replica.place, count);
            let name = ("lane", place as u64 * 16 + replica.place as u64);
            words(
                sheet,
                name,
                class,
                (x, y, Anchor::Middle),
                replica.broker.to_string(),
            );
        }
    }
}

/// What the marks mean, where a label on the mark does not fit.
fn keys(scene: &Scene<'_>, sheet: &mut Sheet) {
    let y = px(51);
    let lag = scene.panel(Panel::Lag);
    let visibility = scene.panel(Panel::Visibility);
    let lanes_drawn = lanes::fit(lag.widest(), scene.history.replicas.len());
    let mut x = lag.left();
    let end = visibility.left() - px(4);
    let swatch = |x: Tenths| edges(x + 5, y - px(10), x + px(8) + 5, y + px(2));
    let key = |sheet: &mut Sheet,
               x: &mut Tenths,
               nth: usize,
               end: Tenths,
               shape: Shape,
               gap: i32,
               word: Word<'_>| {
        let said = scene.say(word);
        let width = measure::widest(Look::Key, &said);
        if *x + px(gap) + width <= end {
            sheet.heads.push(shape);
            words(
                sheet,
                ("key", nth as u64),
                Look::Key,
                (*x + px(gap), y, Anchor::Start),
                said,
            );
            *x += px(gap) + width + px(10);
        }
    };
    if lanes_drawn {
        let shape = rect(id("swatch", 0, 0), Look::LaneOpen, swatch(x));
        key(sheet, &mut x, 0, end, shape, 14, Word::KeyOpen);
        let shape = rect(id("swatch", 1, 0), Look::LaneGap, swatch(x));
        key(sheet, &mut x, 1, end, shape, 14, Word::KeyGap);
        let shape = line(
            id("swatch", 2, 0),
            Look::LaneKnown,
            at(x + px(3), y - px(10)),
            at(x + px(3), y + px(2)),
        );
        key(sheet, &mut x, 2, end, shape, 9, Word::KeyKnown);
    } else {
        let shape = rect(id("swatch", 1, 0), Look::FoldedGap, swatch(x));
        key(sheet, &mut x, 1, end, shape, 14, Word::KeyGap);
    }
    let mut x = visibility.left();
    let end = scene.frame.width;
    let shape = rect(
        id("swatch", 3, 0),
        Look::Tail,
        edges(x, y - px(10), x + px(12), y + px(2)),
    );
    key(sheet, &mut x, 3, end, shape, 16, Word::KeyTail);
    let shape = glyph(
        id("swatch", 4, 0),
        Look::Read,
        Glyph::Read,
        at(x + px(4), y - px(4)),
        px(5),
    );
    key(sheet, &mut x, 4, end, shape, 13, Word::KeyRead);
}

/// The borders of the columns: all of them when they are wide, else those of every tenth offset.
pub fn guides(scene: &Scene<'_>, sheet: &mut Sheet, panel: Panel) {
    let own = scene.panel(panel);
    let (top, bottom) = (scene.clock.top(), scene.end_y());
    let narrow = own.widest() < px(20);
    let borders = own.edges.iter().enumerate().filter(|(place, _)| {
        let start = scene.columns.list().get(*place).map(|c| c.from.0);
        !narrow || start.is_none_or(|o| o.is_multiple_of(10))
    });
    let more = own.homeless.iter().skip(1).map(|x| (own.edges.len(), x));
    for (place, x) in borders.chain(more) {
        let name = id("guide", panel.place() as u64 * 65_536 + place as u64, 0);
        sheet.put(line(name, Look::Guide, at(*x, top), at(*x, bottom)));
    }
}
