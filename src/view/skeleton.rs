//! What is always there: landmarks, controls, and the empty places of the regions. Written once.

use super::html::Html;
use super::icons;
use crate::picture::svg::patterns;
use crate::say;
use crate::text::{Locale, Text};

/// The themes; the first follows the system.
pub const THEMES: [&str; 3] = ["auto", "light", "dark"];

/// The page without its content.
pub fn skeleton(text: &Text, theme: &str, html: &mut Html) {
    head(text, theme, html);
    html.raw("<main class=\"lab\" id=\"main\"><section class=\"run\"")
        .attr("aria-label", &say!(text, RunLabel));
    html.raw("><div class=\"run-row\"><div class=\"run-title\" id=\"r-title\"></div><div class=\"contents\" id=\"r-sheet\"></div><form class=\"set folded\" id=\"settings\"");
    html.attr("aria-label", &say!(text, SettingsTitle));
    html.raw("><div class=\"contents\" id=\"r-a\"></div><div class=\"contents\" id=\"r-toggles\"></div><div class=\"contents\" id=\"r-more-button\"></div></form></div>");
    html.raw(
        "<div id=\"r-b\"></div><div id=\"r-notes\"></div><div id=\"r-more\"></div><div id=\"r-menu\"></div><div id=\"r-link\"></div></section><div id=\"r-tour\"></div>",
    );
    html.raw("<div class=\"answer\"><div><p class=\"ans\" role=\"status\" id=\"r-answer\"></p><p class=\"why\" id=\"r-why\"></p></div><div class=\"contents\" id=\"r-b-answer\"></div><div class=\"contents\" role=\"status\" id=\"r-difference\"></div></div>");
    html.raw("<div class=\"grid\"><div><div class=\"views\" id=\"r-views\"></div>");
    figure(Some(text), html);
    bar(text, html);
    script(text, html);
    verdict(text, html);
    html.raw("<section class=\"transcript\"><h2 class=\"h\"><button type=\"button\" class=\"unfolds\" id=\"matrix-button\" data-do=\"matrix\" aria-controls=\"r-matrix\">");
    html.text(&say!(text, MatrixTitle));
    html.raw("</button></h2><div id=\"r-matrix\"></div></section><div id=\"r-against\"></div>");
    transcript(text, html);
    later(text, html);
    picture_file(text, html);
    changes(text, html);
    html.raw("</div><aside class=\"side\"")
        .attr("aria-label", &say!(text, SideLabel));
    html.raw("><section id=\"message-side\"></section><section id=\"r-chain\"></section><section id=\"r-because\"></section><section id=\"r-why-not\"></section><section id=\"r-logs\"></section></aside></div></main>");
    html.raw("<p class=\"unseen\" role=\"status\" id=\"r-said\"></p>");
}

fn head(text: &Text, theme: &str, html: &mut Html) {
    html.element(
        "a class=\"skip\" href=\"#picture\"",
        &say!(text, SkipToPicture),
    );
    html.raw("<header class=\"top\"><a class=\"word\" href=\"./\">")
        .raw(icons::LOGO);
    html.raw("Highwater</a><nav")
        .attr("aria-label", &say!(text, NavMain))
        .raw(">");
    html.element("a href=\"./\" aria-current=\"page\"", &say!(text, NavLab));
    let folder = text.locale().tag().get(..2).unwrap_or("en");
    for (place, words) in [
        ("lessons", say!(text, NavLessons)),
        ("evidence", say!(text, NavChecked)),
    ] {
        html.raw("<a").attr("href", &format!("./{place}/{folder}/"));
        html.raw(">").text(&words).raw("</a>");
    }
    html.raw("</nav><div class=\"right\"><select id=\"language\" data-do=\"language\"")
        .attr("aria-label", &say!(text, Language))
        .raw(">");
    for locale in Locale::ALL {
        html.raw("<option")
            .attr("lang", locale.tag())
            .attr("value", locale.tag());
        html.flag("selected", locale == text.locale())
            .raw(">")
            .text(locale.name());
    }
    html.raw("</select><span class=\"pick\">").raw(icons::THEME);
    html.raw("<select id=\"theme\" data-do=\"theme\"")
        .attr("aria-label", &say!(text, Theme))
        .raw(">");
    let words = [
        say!(text, ThemeSystem),
        say!(text, ThemeLight),
        say!(text, ThemeDark),
    ];
    for (name, word) in THEMES.into_iter().zip(words) {
        html.raw("<option").attr("value", name);
        html.flag("selected", name == theme).raw(">").text(&word);
    }
    html.raw(
        "</select></span></div></header><p class=\"failed\" role=\"status\" id=\"r-failed\"></p>",
    );
}

/// The places of the pictures; where the messages view can be shown, with its own, in that language.
pub fn figure(messages: Option<&Text>, html: &mut Html) {
    html.raw("<div class=\"which\" id=\"r-which\"></div><div class=\"pair\" id=\"pair\"><div class=\"figure\" id=\"picture\" tabindex=\"-1\"><svg class=\"pic\" id=\"drawing\" role=\"img\" aria-describedby=\"picture-words\"><g>");
    html.markup(&patterns());
    html.raw("</g><g id=\"g-ground\"></g><g id=\"g-under\"></g><g id=\"g-shapes\"></g><g class=\"overlay\" id=\"g-over\"></g><g id=\"g-heads\"></g></svg>");
    html.raw("<div class=\"handles\" id=\"handles\"><div class=\"contents\" id=\"r-handles\"></div><div class=\"contents\" id=\"r-drag\"></div></div>");
    html.raw("<p class=\"unseen\" id=\"picture-words\"></p>");
    if let Some(text) = messages {
        later_view(text, html, "messages", "later-messages");
    }
    html.raw("</div><div class=\"figure\" id=\"picture-b\" hidden><svg class=\"pic\" id=\"drawing-b\" role=\"img\"><g id=\"b-ground\"></g><g id=\"b-under\"></g><g id=\"b-shapes\"></g><g class=\"overlay\" id=\"b-over\"></g><g id=\"b-heads\"></g></svg>");
    if let Some(text) = messages {
        later_view(text, html, "messages", "later-messages-b");
    }
    html.raw("</div></div>");
}

fn bar(text: &Text, html: &mut Html) {
    html.raw("<section class=\"message-sheet\" id=\"message-sheet\"></section><div class=\"bar\">");
    playback(text, html);
    html.raw("<div class=\"tools\"><div class=\"add\"><button type=\"button\" class=\"btn\" id=\"add-button\" data-do=\"open:add\" aria-controls=\"add-list\">");
    html.raw(icons::PLUS);
    html.raw("<span id=\"r-add-label\"></span></button><div class=\"contents\" id=\"r-add\"></div></div>");
    html.raw("<button type=\"button\" class=\"btn plain\" id=\"undo\" data-do=\"undo\">")
        .text(&say!(text, Undo));
    html.raw("</button><button type=\"button\" class=\"btn plain\" id=\"redo\" data-do=\"redo\">")
        .text(&say!(text, Redo));
    html.raw("</button><button type=\"button\" class=\"btn plain\" id=\"script-button\" data-do=\"open:script\" aria-controls=\"script\"><span id=\"r-script-button\"></span></button></div></div><section class=\"transcript\" id=\"message-list\" hidden></section>");
}

/// The controls of the playhead.
pub fn playback(text: &Text, html: &mut Html) {
    html.raw("<div class=\"playback\" role=\"group\"")
        .attr("aria-label", &say!(text, Playback));
    html.raw("><p class=\"caption\" id=\"r-caption\"></p><div class=\"panel-choice\" id=\"r-panels\"></div><button type=\"button\" class=\"btn\" data-do=\"previous\"");
    html.attr("aria-label", &say!(text, PreviousEvent))
        .raw(">")
        .raw(icons::PREVIOUS);
    html.raw("</button><button type=\"button\" class=\"btn main\" data-do=\"play\" id=\"r-play\"></button><button type=\"button\" class=\"btn\" data-do=\"next\"");
    html.attr("aria-label", &say!(text, NextEvent))
        .raw(">")
        .raw(icons::NEXT);
    html.raw("</button><div class=\"scrub\"><svg aria-hidden=\"true\" id=\"r-scrub\"></svg><input type=\"range\" id=\"scrubber\" min=\"0\" max=\"10000\" step=\"1\"");
    html.attr("aria-label", &say!(text, Playhead));
    html.raw("></div><p class=\"now\" id=\"r-now\"></p></div>");
}

fn script(text: &Text, html: &mut Html) {
    html.raw("<section class=\"script\" id=\"script\" hidden")
        .attr("aria-label", &say!(text, Script));
    html.raw("><div><h2 class=\"h\">")
        .text(&say!(text, ScriptSteps));
    html.raw("</h2><div id=\"r-steps\"></div></div><div class=\"editor\"><div class=\"editor-head\"><h2 class=\"h\"><label for=\"script-text\">");
    html.text(&say!(text, ScriptAsText));
    html.raw("</label></h2><span class=\"editor-acts\"><button type=\"button\" class=\"link tall\" data-do=\"copy\" aria-live=\"polite\" id=\"r-copy\"></button><button type=\"button\" class=\"link tall\" data-do=\"save\">");
    html.text(&say!(text, SaveScript));
    html.raw("</button><button type=\"button\" class=\"link tall\" data-do=\"choose\">")
        .text(&say!(text, OpenFile));
    html.raw("</button><input type=\"file\" id=\"file\" data-do=\"file\" hidden></span></div>");
    html.raw("<textarea id=\"script-text\" spellcheck=\"false\" autocapitalize=\"off\" autocomplete=\"off\" aria-describedby=\"script-errors\"></textarea>");
    html.raw("<div id=\"script-errors\" role=\"alert\"></div></div></section>");
}

/// The places of the verdicts.
pub fn verdict(text: &Text, html: &mut Html) {
    html.raw("<div class=\"verdicts\"><section class=\"verdict\"><h2 class=\"h\" id=\"verdict-title\"></h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"verdict-title\"><table class=\"v\">");
    columns(text, html);
    html.raw("<tbody id=\"r-verdict\"></tbody></table></div></section><section class=\"verdict\" id=\"verdict-b\" hidden><h2 class=\"h\" id=\"verdict-b-title\"></h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"verdict-b-title\"><table class=\"v\">");
    columns(text, html);
    html.raw("<tbody id=\"r-verdict-b\"></tbody></table></div></section></div><div id=\"r-verdict-more\"></div>");
}

fn columns(text: &Text, html: &mut Html) {
    html.raw("<thead><tr>");
    for column in [
        say!(text, ColumnRecord),
        say!(text, ColumnSent),
        say!(text, ColumnAppended),
        say!(text, ColumnAcknowledged),
        say!(text, ColumnCommitted),
        say!(text, ColumnVisible),
        say!(text, ColumnLost),
        say!(text, ColumnDuplicated),
        say!(text, ColumnUnknown),
    ] {
        html.element("th scope=\"col\"", &column);
    }
    html.raw("</tr></thead>");
}

fn transcript(text: &Text, html: &mut Html) {
    html.raw("<section class=\"transcript\"><h2 class=\"h\"><button type=\"button\" class=\"unfolds\" id=\"transcript-button\" data-do=\"open:transcript\" aria-controls=\"r-transcript\">");
    html.text(&say!(text, Transcript));
    html.raw("</button></h2><div id=\"r-transcript\"></div></section>");
}

/// The picture as a file: what is in it, and a button for each kind.
fn picture_file(text: &Text, html: &mut Html) {
    html.raw("<details class=\"later\" id=\"picture-file\">")
        .element("summary", &say!(text, PictureFile))
        .element("p", &say!(text, PictureFileAbout))
        .raw("<p class=\"buttons\">");
    for (kind, name) in [("svg", "SVG"), ("png", "PNG")] {
        html.raw("<button type=\"button\" class=\"btn\"")
            .act("picture", kind);
        html.raw(">").text(name).raw("</button> ");
    }
    html.raw("</p></details>");
}

/// Corrections after which published links have other answers: a file that is fetched when it is opened.
fn changes(text: &Text, html: &mut Html) {
    html.raw("<details class=\"later\" id=\"link-changes\">")
        .element("summary", &say!(text, LinkChanges))
        .element("p", &say!(text, LinkChangesAbout))
        .raw("<later-view src=\"./text/changes.txt\"");
    html.attr("loading", &say!(text, LaterLoading))
        .attr("failed", &say!(text, LaterFailed))
        .raw("></later-view></details>");
}

/// The views that load later (`src/later.rs`): each a disclosure; `public/boot.js` fills it when it is opened.
fn later(text: &Text, html: &mut Html) {
    let views = [
        ("operator", "later-operator", say!(text, LaterOperator)),
        ("inspect", "later-inspect", say!(text, LaterInspect)),
    ];
    for (view, id, name) in views {
        html.raw("<details class=\"later\">")
            .element("summary", &name);
        later_view(text, html, view, id);
        html.raw("</details>");
    }
}

fn later_view(text: &Text, html: &mut Html, view: &'static str, id: &'static str) {
    html.raw("<later-view").attr("id", id).attr("ask", view);
    html.attr("copy", &say!(text, Copy))
        .attr("loading", &say!(text, LaterLoading));
    html.attr("failed", &say!(text, LaterFailed))
        .raw("></later-view>");
}
