//! The first view, drawn while the page is built: for each language and for the widths that the picture has on common
//! screens, a file with the page as the module would draw it. `public/first.js` shows one of them, and the module comes when
//! a person shows up. All names hold one digest of all of them, so a page never meets files of another build.

use std::fs;
use std::path::Path;

use highwater::html::Html;
use highwater::say;
use highwater::session::{Command, Session};
use highwater::share::tracking;
use highwater::text::{Locale, Text};
use highwater::view::address::summary;
use highwater::view::first;
use highwater::view::state::State;
use serde_json::json;

use crate::picture;
use crate::workspace::write;
use crate::{Failure, Outcome, finish};

/// The folder of the files.
pub const FOLDER: &str = "first";
/// What the page says of them before they are named.
const META: &str = "<meta name=\"first\" content=\"first\">";
/// The place in the script that is filled.
const EMPTY: &str = "{ whole: [], starts: [], ends: [] }";

/// Widths of windows below 600 px: phones, upright. The picture has all but 24 px of them.
const PHONES: &[u32] = &[
    320, 344, 353, 360, 375, 384, 390, 393, 402, 412, 414, 428, 430, 440, 480, 540,
];
/// Up to 1279 px: tablets and small windows. The picture has all but 48 px, and a scroll bar may take some of the rest.
const TABLETS: &[u32] = &[
    600, 667, 744, 768, 800, 820, 834, 844, 853, 896, 912, 932, 960, 1024, 1080, 1112, 1180, 1194,
    1265,
];
/// Beyond, where the side column takes 312 px more. The page is as wide as it gets at 1720 px.
const DESKTOPS: &[u32] = &[
    1280, 1351, 1366, 1425, 1440, 1497, 1512, 1521, 1536, 1585, 1600, 1665, 1680, 1713, 1720,
];
/// What scroll bars take where they take anything, in px.
const SCROLL_BAR: u32 = 15;

/// The widths of the picture, in px, least first.
pub fn widths() -> Vec<u32> {
    let phones = PHONES.iter().map(|width| width - 24);
    let tablets = TABLETS.iter().map(|width| width - 48);
    let desktops = DESKTOPS.iter().map(|width| width - 368);
    let mut widths: Vec<u32> = phones.chain(tablets).chain(desktops).collect();
    // The widest window of the narrow layout, with a scroll bar.
    widths.push(1279 - SCROLL_BAR - 48);
    widths.sort_unstable();
    widths.dedup();
    widths
}

/// Draws the files into the finished page, and names them in its markup.
pub fn into(page: &Path, html: &str) -> Outcome<String> {
    let mut files = Vec::new();
    for locale in Locale::ALL {
        // The run is the same at every width.
        let mut state = opened(picture::words(locale)?);
        for width in widths() {
            files.push((format!("{}-{width}", locale.tag()), view(&mut state, width)));
        }
    }
    let whole: String = files.iter().map(|(_, content)| content.as_str()).collect();
    let digest = format!("{:016x}", wasm_digest::digest_of(whole.as_bytes()));
    let folder = page.join(FOLDER);
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))?;
    for (name, content) in &files {
        write(&folder.join(format!("{name}-{digest}.txt")), content)?;
    }
    let widths: Vec<String> = widths().iter().map(u32::to_string).collect();
    let named = html.replace(
        META,
        &format!(
            "<meta name=\"first\" content=\"{digest} {}\">",
            widths.join(" ")
        ),
    );
    if named == html {
        return Err(Failure::work(format!(
            "index.html does not name the first view: {META}"
        )));
    }
    Ok(named)
}

/// Tells `first.js` which parameters of an address say nothing of the view.
pub fn fill(page: &Path) -> Outcome {
    finish::fill(page, "first.js", EMPTY, &ignored())
}

fn ignored() -> String {
    json!({ "whole": tracking::WHOLE, "starts": tracking::STARTS, "ends": tracking::ENDS })
        .to_string()
}

/// The page as a first visit opens it.
fn opened(text: Text) -> State {
    let mut state = State::new(Session::default(), text, "auto");
    // The script takes away what is not there: the tour of those who saw it, the share sheet of a platform without one.
    state.tour = Some(0);
    state.can_share = true;
    state
}

/// What it shows at a width of the picture, in px, and beside its markup what the document gets of it.
fn view(state: &mut State, width: u32) -> String {
    state.session.apply(Command::Resize(width));
    state.refresh();
    let mut html = Html::default();
    html.raw("<div id=\"app\"")
        .attr("data-first", state.text.locale().tag())
        .attr("data-width", &width.to_string())
        .attr("data-title", &summary(state))
        .attr("data-loading", &say!(&state.text, LaterLoading))
        .raw(">")
        .markup(&first::page(state))
        .raw("</div>");
    html.done()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{read, root};

    #[test]
    fn the_widths_are_those_of_screens_and_end_where_the_page_does() {
        let widths = widths();
        for width in [
            296, 336, 366, 369, 388, 406, 720, 976, 998, 1072, 1057, 1352,
        ] {
            assert!(widths.contains(&width), "{width}");
        }
        assert!(widths.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(widths.last(), Some(&1352));
    }

    #[test]
    fn a_view_has_the_answer_the_script_and_no_empty_picture() {
        let mut state = opened(picture::words(Locale::Ko).expect("ko"));
        let view = view(&mut state, 366);
        for part in [
            "<div id=\"app\" data-first=\"ko\" data-width=\"366\" data-title=\"",
            "<svg class=\"pic\" id=\"drawing\" role=\"img\" aria-describedby=\"picture-words\" width=\"366\"",
            "at 10ms produce\n",
            "<button type=\"button\" class=\"link tall\" id=\"share-link\"",
            "<p id=\"tour-words\"",
            "data-tour=\"r-toggles\"",
        ] {
            assert!(view.contains(part), "{part}");
        }
        assert!(!view.contains("id=\"picture-b\"><"));
    }

    #[test]
    fn the_script_and_the_page_have_places_to_be_filled() {
        let script = read(&root().join("public/first.js")).expect("a file");
        assert_eq!(script.matches(EMPTY).count(), 1);
        let page = read(&root().join("index.html")).expect("a file");
        assert_eq!(page.matches(META).count(), 1);
    }
}
