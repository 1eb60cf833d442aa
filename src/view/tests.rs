//! Every region and attribute has its place, and what is drawn there follows the state.

use super::html::Html;
use super::regions::{ATTRIBUTES, REGIONS, Region};
use super::skeleton::skeleton;
use super::state::State;
use super::widget;
use crate::session::{Command, Session};
use crate::text::Text;

fn page() -> State {
    let mut state = State::new(Session::default(), Text::english(), "auto");
    state.session.apply(Command::Resize(976));
    state.refresh();
    state
}

fn region(id: &str) -> &'static Region {
    let mut regions = REGIONS.iter();
    regions.find(|region| region.id == id).expect("a region")
}

fn drawn(state: &State, id: &str) -> String {
    let mut html = Html::default();
    (region(id).draw)(state, &mut html);
    html.done()
}

#[test]
fn every_region_and_attribute_has_one_place_in_the_page_or_in_the_widget() {
    let (mut lab, mut frame) = (Html::default(), Html::default());
    skeleton(&Text::english(), "auto", &mut lab);
    widget::frame(&Text::english(), &mut frame);
    let (lab, frame) = (lab.done(), frame.done());
    let ids = REGIONS.iter().map(|region| region.id);
    for id in ids.chain(ATTRIBUTES.iter().map(|attribute| attribute.id)) {
        let places = |html: &str| html.matches(&format!(" id=\"{id}\"")).count();
        let found = (places(&lab), places(&frame));
        assert!(matches!(found, (1, 0 | 1) | (0, 1)), "{id}: {found:?}");
    }
}

#[test]
fn what_the_page_begins_with_is_drawn_without_a_browser() {
    let state = page();
    assert!(drawn(&state, "r-answer").contains("1 acknowledged record was lost: m3."));
    assert!(drawn(&state, "g-shapes").contains("leostair"));
    assert!(drawn(&state, "r-verdict").matches("<tr").count() >= 4);
    assert!(drawn(&state, "r-menu").is_empty());
}

#[test]
fn a_toggle_changes_the_answer_and_the_width_the_picture() {
    let mut state = page();
    let [answer, shapes] = ["r-answer", "g-shapes"].map(|id| drawn(&state, id));
    state.session.apply(Command::Resize(700));
    state.refresh();
    assert_eq!(drawn(&state, "r-answer"), answer);
    assert_ne!(drawn(&state, "g-shapes"), shapes);
    state.session.apply(Command::SetSetting {
        name: "acks".to_owned(),
        value: "all".to_owned(),
    });
    state.refresh();
    assert_ne!(drawn(&state, "r-answer"), answer);
    assert!(drawn(&state, "r-toggles").contains("id=\"acks-all\" data-do=\"set:acks\" checked"));
}

#[test]
fn the_share_sheet_is_offered_where_there_is_one() {
    let mut state = page();
    assert!(!drawn(&state, "r-title").contains("share-link"));
    state.can_share = true;
    assert!(drawn(&state, "r-title").contains("share-link"));
}
