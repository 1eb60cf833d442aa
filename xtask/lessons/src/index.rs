//! The index: the rows as a path.

use highwater::html::Html;
use highwater::text::Text;

use crate::html::inline;
use crate::lesson::{Lesson, short};
use crate::path::Row;
use crate::site::{Page, Site};
use crate::words::Words;

/// The index in a language.
pub fn page(site: &Site, rows: &[Row], lessons: &[Lesson], text: &Text, words: &Words) -> String {
    let locale = text.locale();
    let page = Page {
        folder: "lessons",
        locale,
        words,
        title: words.say("IndexTitle"),
        description: words.say("IndexDescription"),
        slug: None,
        picture: None,
    };
    let mut html = Html::default();
    page.open(site, &mut html);
    html.raw("<main class=\"path-page\" id=\"main\"><h1>")
        .text(words.say("IndexTitle"))
        .raw("</h1><p class=\"intro\">");
    html.text(words.say("IndexIntro"))
        .raw("</p><p class=\"quiet\" id=\"progress\"");
    html.attr("data-words", words.say("Progress"))
        .raw("></p><ol class=\"path\">");
    for row in rows {
        let lesson = lessons.iter().find(|lesson| lesson.slug == row.slug);
        html.raw("<li")
            .attr("id", &format!("row-{}", row.number))
            .attr("data-slug", &row.slug);
        html.attr("style", &format!("--deep:{}", depth(rows, row)));
        if lesson.is_none() {
            html.attr("class", "coming");
        }
        html.raw("><span class=\"number\" aria-hidden=\"true\">")
            .text(&row.number.to_string())
            .raw("</span><div>");
        let title = row.title.get(short(locale)).map_or("", String::as_str);
        match lesson.and_then(|l| l.prose.get(&locale)) {
            Some(prose) => {
                html.raw("<a")
                    .attr("href", &format!("{}/", row.slug))
                    .raw(">")
                    .markup(&inline(&prose.title))
                    .raw("</a>");
                html.raw("<p class=\"about\">")
                    .markup(&inline(title))
                    .raw("</p>");
            }
            None => {
                html.raw("<b>").markup(&inline(title)).raw("</b>");
            }
        }
        html.raw("<p class=\"quiet\">");
        if lesson.is_some() {
            html.text(&words.fill("Minutes", &[("n", &row.minutes.to_string())]));
        } else {
            html.raw("<span class=\"soon\">")
                .text(words.say("Coming"))
                .raw("</span>");
        }
        if !row.needs.is_empty() {
            html.raw(" · ").text(words.say("Needs"));
            for need in &row.needs {
                html.raw(" <a class=\"need\"")
                    .attr("href", &format!("#row-{need}"));
                html.raw(">")
                    .text(&words.fill("Row", &[("n", &need.to_string())]))
                    .raw("</a>");
            }
        }
        html.raw("</p></div><span class=\"state\" hidden>")
            .text(words.say("Done"))
            .raw("</span></li>");
    }
    html.raw("</ol></main>\n");
    page.close(&mut html);
    html.done()
}

/// How many rows lie before one at least.
fn depth(rows: &[Row], row: &Row) -> usize {
    let before = row
        .needs
        .iter()
        .filter_map(|need| rows.iter().find(|r| r.number == *need));
    // What a row needs stands before it, so this ends.
    before.map(|need| depth(rows, need) + 1).max().unwrap_or(0)
}
