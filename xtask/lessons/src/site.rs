//! What every page of the lessons has: head, header, the links between languages.

use highwater::html::Html;
use highwater::text::Locale;

use crate::html::{escaped, plain};
use crate::lesson::short;
use crate::preview;
use crate::words::Words;

/// The content policy: nothing inline but style attributes (the picture's sizes), nothing of another origin; the lab in a
/// frame is a page of ours.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
     frame-src 'self'; base-uri 'none'; form-action 'none'";

/// The drawing of the name: the water and the log.
const LOGO: &str = "<svg viewBox=\"0 0 22 22\" aria-hidden=\"true\"><path class=\"logo-hw\" d=\"M1 5h7v6h7v6h6\"/><path class=\"logo-leo\" d=\"M3 2h8v6h7v6h4\"/></svg>";

/// What is the same for every page of one build.
#[derive(Clone, Debug)]
pub struct Site {
    /// Name of the style sheet in the folder of the pages.
    pub style: String,
    /// Name of the script there; empty = the pages have none.
    pub script: String,
    /// The script runs a wasm module.
    pub wasm: bool,
    /// Values of the theme colour, light and dark.
    pub papers: (String, String),
    /// The address of the site with a slash at its end, for what must be absolute (previews, hreflang); may be unknown.
    pub address: Option<String>,
    /// Each lesson has a preview of pixels; where none could be drawn, its first picture as SVG takes the place.
    pub previews: bool,
}

/// One page.
pub struct Page<'a> {
    /// Its folder beside the lab: `lessons`, or another one whose pages have no slugs.
    pub folder: &'static str,
    /// Its language.
    pub locale: Locale,
    /// The words around it.
    pub words: &'a Words,
    /// Its title.
    pub title: &'a str,
    /// One sentence about it.
    pub description: &'a str,
    /// The slug of its lesson; none = the index.
    pub slug: Option<&'a str>,
    /// The picture for previews, in the page's folder.
    pub picture: Option<&'a str>,
}

impl Page<'_> {
    /// From the page to its folder.
    fn up(&self) -> &'static str {
        match self.slug {
            Some(_) => "../../",
            None => "../",
        }
    }

    /// From the page to the lab.
    pub fn lab(&self) -> String {
        format!("{}../", self.up())
    }

    /// From its folder to this page in a language.
    fn own(&self, locale: Locale) -> String {
        match self.slug {
            Some(slug) => format!("{}/{slug}/", short(locale)),
            None => format!("{}/", short(locale)),
        }
    }

    fn absolute(&self, site: &Site, below: &str) -> String {
        match &site.address {
            Some(address) => format!("{address}{}/{below}", self.folder),
            None => format!("{}{below}", self.up()),
        }
    }

    /// From the start of the document to the start of its main part.
    pub fn open(&self, site: &Site, html: &mut Html) {
        let up = self.up();
        html.raw("<!DOCTYPE html>\n<html")
            .attr("lang", self.locale.tag());
        if let Some(slug) = self.slug {
            html.attr("data-lesson", slug);
        }
        html.raw(
            ">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\"",
        );
        let policy = match site.wasm {
            true => POLICY.replacen("'self'", "'self' 'wasm-unsafe-eval'", 1),
            false => POLICY.to_owned(),
        };
        html.attr("content", &policy).raw(">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n");
        for (scheme, paper) in [("light", &site.papers.0), ("dark", &site.papers.1)] {
            html.raw("<meta name=\"theme-color\"");
            html.attr("media", &format!("(prefers-color-scheme: {scheme})"));
            html.attr("content", paper).raw(">\n");
        }
        html.raw("<meta name=\"referrer\" content=\"no-referrer\">\n");
        let title = format!("{} · Highwater", plain(self.title));
        html.element("title", &title).raw("\n");
        let meta = |html: &mut Html, kind: &'static str, name: &str, content: &str| {
            html.raw("<meta")
                .attr(kind, name)
                .attr("content", content)
                .raw(">\n");
        };
        meta(html, "name", "description", self.description);
        meta(html, "property", "og:type", "article");
        meta(html, "property", "og:site_name", "Highwater");
        meta(html, "property", "og:title", &plain(self.title));
        meta(html, "property", "og:description", self.description);
        meta(html, "property", "og:locale", og_locale(self.locale));
        if site.address.is_some() {
            meta(
                html,
                "property",
                "og:url",
                &self.absolute(site, &self.own(self.locale)),
            );
            if let Some(picture) = self.picture {
                let place = format!("{}{picture}", self.own(self.locale));
                meta(html, "property", "og:image", &self.absolute(site, &place));
                meta(html, "property", "og:image:alt", &plain(self.title));
                if picture == preview::FILE {
                    let (width, height) = preview::SIZE;
                    meta(html, "property", "og:image:type", "image/png");
                    meta(html, "property", "og:image:width", &width.to_string());
                    meta(html, "property", "og:image:height", &height.to_string());
                    meta(html, "name", "twitter:card", "summary_large_image");
                }
            }
            html.raw("<link rel=\"canonical\"");
            html.attr("href", &self.absolute(site, &self.own(self.locale)))
                .raw(">\n");
        }
        // Search engines take no other than whole addresses here; the header links the languages in any case.
        if site.address.is_some() {
            for locale in Locale::ALL {
                html.raw("<link rel=\"alternate\"")
                    .attr("hreflang", locale.tag());
                html.attr("href", &self.absolute(site, &self.own(locale)))
                    .raw(">\n");
            }
            html.raw("<link rel=\"alternate\" hreflang=\"x-default\"");
            html.attr("href", &self.absolute(site, &self.own(Locale::En)))
                .raw(">\n");
        }
        html.raw("<link rel=\"icon\" type=\"image/svg+xml\"");
        html.attr("href", &format!("{up}../favicon.svg"))
            .raw(">\n<link rel=\"stylesheet\"");
        html.attr("href", &format!("{up}{}", site.style)).raw(">\n");
        if !site.script.is_empty() {
            html.raw("<script defer")
                .attr("src", &format!("{up}{}", site.script))
                .raw("></script>\n");
        }
        html.raw("</head>\n<body>\n");
        self.header(html);
    }

    fn header(&self, html: &mut Html) {
        let (words, up) = (self.words, self.up());
        html.element("a class=\"skip\" href=\"#main\"", words.say("Skip"));
        html.raw("<header class=\"top\"><a class=\"word\"");
        html.attr("href", &self.lab())
            .raw(">")
            .markup(LOGO)
            .raw("Highwater</a><nav");
        html.attr("aria-label", "Highwater").raw("><a");
        html.attr("href", &self.lab())
            .raw(">")
            .text(words.say("Lab"))
            .raw("</a>");
        for (folder, word) in [("lessons", "Lessons"), ("evidence", "Evidence")] {
            let own = folder == self.folder;
            let here = match (own, self.slug) {
                (true, Some(_)) => "../".to_owned(),
                (true, None) => "./".to_owned(),
                (false, _) => format!("{}{folder}/{}/", self.lab(), short(self.locale)),
            };
            html.raw("<a").attr("href", &here);
            if own {
                let whole = self.slug.is_none();
                html.attr("aria-current", if whole { "page" } else { "true" });
            }
            html.raw(">").text(words.say(word)).raw("</a>");
        }
        html.raw("</nav><nav class=\"right languages\"");
        html.attr("aria-label", words.say("Languages")).raw(">");
        for locale in Locale::ALL {
            html.raw("<a")
                .attr("href", &format!("{up}{}", self.own(locale)));
            html.attr("hreflang", locale.tag())
                .attr("lang", locale.tag());
            if locale == self.locale {
                html.attr("aria-current", "true");
            }
            html.raw(">").text(locale.name()).raw("</a>");
        }
        html.raw("</nav></header>\n");
    }

    /// The end of the document.
    pub fn close(&self, html: &mut Html) {
        html.raw("</body>\n</html>\n");
    }
}

fn og_locale(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "en_GB",
        Locale::Ko => "ko_KR",
        Locale::Zh => "zh_CN",
    }
}

/// A page that only leads to another, for an address without a language.
pub fn redirect(to: &str) -> String {
    let to = escaped(to);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url={to}\">\n\
         <title>Highwater</title>\n<meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"icon\" type=\"image/svg+xml\" href=\"../favicon.svg\">\n</head>\n<body><p><a href=\"{to}\">Lessons</a></p></body>\n</html>\n"
    )
}
