//! The picture in layers, so that the pointer and the playhead redraw only their own, and the handles over it.

use super::compare::named;
use super::html::Html;
use super::lane;
use super::page::name;
use super::state::{Hand, State};
use crate::picture::shape::{Bounds, Point, Tenths};
use crate::picture::view::Target;
use crate::picture::{Picture, overlay, svg};
use crate::say;
use crate::session::look;
use crate::text::arg::millis;
use crate::text::describe;
use crate::text::headline::headline;

/// Tenths as px.
pub fn px(tenths: Tenths) -> String {
    let whole = tenths / 10;
    match tenths.unsigned_abs() % 10 {
        0 => whole.to_string(),
        rest if tenths < 0 && whole == 0 => format!("-0.{rest}"),
        rest => format!("{whole}.{rest}"),
    }
}

/// Tenths of a px from px that a pointer event gave.
pub fn point(x: f64, y: f64) -> Point {
    let tenths = |v: f64| (v * 10.0).clamp(-1e9, 1e9) as Tenths;
    Point {
        x: tenths(x),
        y: tenths(y),
    }
}

/// The drawing's own coordinates are px.
pub fn view_box(state: &State, picture: &Picture) -> String {
    let (moved, height) = state.crop().unwrap_or((0, picture.height));
    format!("0 {} {} {}", px(moved), px(picture.width), px(height))
}

/// Its height on the page.
pub fn height(state: &State, picture: &Picture) -> String {
    px(state.crop().map_or(picture.height, |(_, height)| height))
}

/// Where the lanes of the messages view stand: left, right, y of instant 0, height of a fold, in tenths of a px.
pub fn frame(picture: &Picture) -> String {
    // The words beside the partition strip may reach a little further than the strip.
    let left = picture.panels.first().map_or(0, |panel| panel.left) + 140;
    let (right, top) = (picture.width, picture.head);
    format!("{left} {right} {top} {}", picture.fold)
}

/// The folds that are open, by the instants at which they begin.
pub fn folds(state: &State) -> String {
    let folds = state.picture.clock.folds();
    let open = folds.filter(|fold| state.session.unfolded().contains(&fold.from));
    open.map(|fold| fold.from.0.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The drawing's name.
pub fn label(state: &State) -> String {
    let title = match state.session.beside() {
        _ if state.session.until().is_some() => return name(state),
        Some(_) => named(state, "A"),
        None => headline(&state.text, &state.session.ran().verdict).title,
    };
    say!(&state.text, PictureLabel, headline = title)
}

/// That of B.
pub fn label_b(state: &State) -> String {
    if state.session.until().is_some() {
        return name(state);
    }
    say!(&state.text, PictureLabel, headline = named(state, "B"))
}

/// What the picture says, for those who cannot see it.
pub fn words(state: &State, html: &mut Html) {
    if state.session.until().is_none() {
        html.text(&look::in_words(&state.text, &state.session));
    }
}

/// Grounds that lie under the selection.
pub fn grounds(state: &State, html: &mut Html) {
    grounds_of(state, &state.picture, html);
}

/// Those of B.
pub fn grounds_b(state: &State, html: &mut Html) {
    grounds_of(state, &state.picture_b, html);
}

fn grounds_of(state: &State, picture: &Picture, html: &mut Html) {
    let (top, bottom) = state.near().unwrap_or((Tenths::MIN, Tenths::MAX));
    html.markup(&svg::markup(Picture::in_view(
        &picture.grounds,
        top,
        bottom,
    )));
}

/// The ground of the selected record.
pub fn under(state: &State, html: &mut Html) {
    html.markup(&svg::markup(&overlay::under(
        &state.picture,
        &state.view_now(),
    )));
}

/// That of B.
pub fn under_b(state: &State, html: &mut Html) {
    html.markup(&svg::markup(&overlay::under(
        &state.picture_b,
        &state.view_now(),
    )));
}

/// Everything that stays.
pub fn shapes(state: &State, html: &mut Html) {
    shapes_of(state, &state.picture, html);
}

/// That of B.
pub fn shapes_b(state: &State, html: &mut Html) {
    shapes_of(state, &state.picture_b, html);
}

fn shapes_of(state: &State, picture: &Picture, html: &mut Html) {
    let heads = Some(&picture.heads).filter(|_| state.crop().is_none());
    let heads = heads.into_iter().flatten();
    let (top, bottom) = state.near().unwrap_or((Tenths::MIN, Tenths::MAX));
    let shapes = heads.chain(&picture.shapes);
    html.markup(&svg::markup(shapes.filter(|s| s.within(top, bottom))));
}

/// The heads of a cropped picture, over what is moved up under them.
pub fn heads(state: &State, html: &mut Html) {
    heads_of(state, &state.picture, html);
}

/// Those of B.
pub fn heads_b(state: &State, html: &mut Html) {
    heads_of(state, &state.picture_b, html);
}

fn heads_of(state: &State, picture: &Picture, html: &mut Html) {
    let Some((moved, _)) = state.crop() else {
        return;
    };
    html.raw("<g")
        .attr("transform", &format!("translate(0 {})", px(moved)))
        .raw(">");
    if moved > 0 {
        html.raw("<rect class=\"cover\" x=\"-8\" width=\"110%\"")
            .attr("height", &px(picture.head))
            .raw("/>");
    }
    html.markup(&svg::markup(&picture.heads)).raw("</g>");
}

/// Selection, hover, focus, playhead.
pub fn over(state: &State, html: &mut Html) {
    over_on(state, &state.picture, html);
}

/// That of B.
pub fn over_b(state: &State, html: &mut Html) {
    if state.session.beside().is_some() {
        over_on(state, &state.picture_b, html);
    }
}

fn over_on(state: &State, picture: &Picture, html: &mut Html) {
    if let Some((first, panel, record)) = state.session.first_difference() {
        let words = look::mark_words(&state.text, &state.session, first);
        let mark = (first.at(), panel, record);
        let playhead = state.session.playhead().at;
        let shapes = overlay::difference(picture, mark, &words, playhead);
        html.markup(&svg::markup(&shapes));
    }
    html.markup(&svg::markup(&overlay::over(
        picture,
        &state.view_now(),
        &*state.text,
    )));
}

/// Where an element over the picture stands, as its style.
pub fn place_of(area: Bounds) -> String {
    style(area, area.right, 0)
}

fn style(area: Bounds, right: Tenths, moved: Tenths) -> String {
    let (width, height) = (
        right.saturating_sub(area.left),
        area.bottom.saturating_sub(area.top),
    );
    format!(
        "left:{}px;top:{}px;width:{}px;height:{}px",
        px(area.left),
        px(area.top - moved),
        px(width),
        px(height)
    )
}

/// What can be taken by hand or reached by keyboard: steps that move in time, pauses that open.
pub fn handles(state: &State, html: &mut Html) {
    let (session, text) = (&state.session, &*state.text);
    let words = describe::steps(text, session.scenario());
    let (moved, _) = state.crop().unwrap_or_default();
    // In a widget the script stays as it is.
    let steps = state.widget.is_none();
    // The focus is on one of them, or the hand: then none may be missing.
    let first = state.first.filter(|_| session.focused().is_none());
    let (top, bottom) = first.unwrap_or((Tenths::MIN, Tenths::MAX));
    for target in &state.picture.targets {
        if target.area.top > bottom || target.area.bottom < top {
            continue;
        }
        match target.target {
            Target::Step(step) if steps => {
                let index = step as usize;
                let at = session.ran().times.get(index).copied().unwrap_or_default();
                let said = words.get(index).cloned().unwrap_or_default();
                html.raw("<button type=\"button\" class=\"rail-step\"")
                    .act("edit", &step.to_string());
                html.attr("id", &format!("step-{step}"))
                    .attr("data-step", &step.to_string());
                html.attr("style", &style(target.area, target.area.right, moved));
                html.attr("aria-label", &say!(text, StepHandle, step = said, at = at));
                html.raw("></button>");
            }
            Target::Fold(at) => {
                let open = session.unfolded().contains(&at);
                let right = state.picture.ruler.max(target.area.left);
                html.raw("<button type=\"button\" class=\"fold-button\"")
                    .act("fold", &at.to_string());
                html.attr("id", &format!("fold-{at}"))
                    .attr("data-fold", &at.to_string());
                html.attr("style", &style(target.area, right, moved))
                    .attr("aria-label", &target.label);
                html.attr("aria-expanded", &open.to_string())
                    .raw("></button>");
            }
            _ => {}
        }
    }
    if steps {
        lane::handle(state, html);
    }
}

/// The copy of a step that is being dragged, with its time.
pub fn drag(state: &State, html: &mut Html) {
    let Hand::Step(drag) = &state.hand else {
        return;
    };
    if !drag.moved {
        return;
    }
    let session = &state.session;
    let at = session
        .ran()
        .times
        .get(drag.step)
        .copied()
        .unwrap_or_default();
    let words = describe::steps(&state.text, session.scenario());
    let top = state.picture.clock.y(at).saturating_sub(120);
    html.raw("<div class=\"drag-copy\"")
        .attr("style", &format!("top:{}px", px(top)))
        .raw(">");
    html.text(words.get(drag.step).map_or("", String::as_str));
    html.element("b", &millis(at)).raw("</div>");
}
