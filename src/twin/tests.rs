//! A twin is the view: what is inside opens the same, for every published link.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::text::every_language;

fn links() -> Vec<&'static str> {
    let corpus = include_str!("../share/corpus.txt").lines();
    corpus
        .filter(|line| line.contains('?') && !line.starts_with(['#', ' ']))
        .collect()
}

fn looks_like(session: &Session) -> (String, Option<u64>, String) {
    let beside = session.beside().map(|b| b.own.clone());
    let text = session.text().to_string();
    (
        text,
        session.selected(),
        format!("{:?} {beside:?}", session.playhead()),
    )
}

/// How a drawing program that knows the least reads it: every element is closed, every attribute quoted.
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{svg}");
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        rest = after;
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_published_link_comes_back_out_of_its_picture() {
    let links = links();
    assert!(links.len() > 15, "{links:?}");
    let texts = every_language();
    for (place, link) in links.into_iter().enumerate() {
        let session = Session::from_link(link);
        let text = &texts[place % texts.len()];
        let wanted = Wanted {
            page: "https://example.org/lab/",
            ..Wanted::default()
        };
        let twin = Twin::of(&session, text, &wanted);
        well_formed(&twin.svg);
        assert_eq!(
            found::link(twin.svg.as_bytes()).as_deref(),
            Some(&*twin.link)
        );
        assert!(twin.link.starts_with("https://example.org/lab/?"), "{link}");
        let again = Session::from_link(&twin.link);
        assert_eq!(again.opened().unwrap().mistakes, [], "{}", twin.link);
        assert_eq!(looks_like(&again), looks_like(&session), "{link}");
    }
}

#[test]
fn a_twin_asks_for_nothing_and_says_what_it_shows() {
    for text in every_language() {
        for link in [
            "?v=1",
            "?acks=1&b.acks=all&v=1",
            "?scenario=state-e&unclean=true&v=1",
        ] {
            for theme in Theme::ALL {
                let wanted = Wanted {
                    theme,
                    ..Wanted::default()
                };
                let session = Session::from_link(link);
                let twin = Twin::of(&session, &text, &wanted);
                let svg = &twin.svg;
                for sign in [
                    "href",
                    "src=",
                    "@import",
                    "@font-face",
                    "<script",
                    "<foreignObject",
                    "var(",
                    "on",
                ] {
                    let asks = match sign {
                        "on" => svg.contains(" onload=") || svg.contains(" onclick="),
                        _ => svg.contains(sign),
                    };
                    assert!(!asks, "{sign}");
                }
                // The only address is the name of the namespace.
                assert_eq!(svg.matches("://").count(), 1);
                assert_eq!(svg.matches("url(").count(), svg.matches("url(#hw-").count());
                let answer = headline(&text, &session.ran().verdict).title;
                let mut escaped = String::new();
                crate::picture::svg::escape(&mut escaped, &answer);
                let (_, title) = svg.split_once("<title>").unwrap();
                assert!(title.split_once("</title>").unwrap().0.contains(&escaped));
                assert!(svg.contains("<desc>") && svg.contains("m1"));
                assert_eq!(svg.contains("prefers-color-scheme"), theme == Theme::Auto);
            }
        }
    }
}

#[test]
fn a_twin_shows_the_stretch_the_pauses_and_no_more_than_the_view() {
    let text = Text::english();
    let twin = |query: &str| {
        let (session, options) = Session::of_widget(query);
        assert_eq!(options.mistakes, [], "{query}");
        let wanted = Wanted {
            hidden: options.show.map(|shown| !shown),
            ..Wanted::default()
        };
        let twin = Twin::of(&session, &text, &wanted);
        well_formed(&twin.svg);
        twin
    };
    let whole = twin("?scenario=acknowledged-by-one&v=1");
    let part = twin("?scenario=acknowledged-by-one&start=520ms&end=560ms&v=1");
    assert_eq!(part.size.0, whole.size.0);
    assert!(
        part.size.1 + 200 < whole.size.1,
        "{:?} {:?}",
        part.size,
        whole.size
    );
    // A timeline that is left out takes no other's name with it.
    let two = twin("?scenario=state-e&show=acks,visibility&v=1");
    assert!(two.svg.contains("Consumer visibility") && two.svg.contains("Producer acks"));
    assert!(!two.svg.contains("Follower HW lag"));
    assert!(part.svg.contains("<svg x=\"-16\"") && !whole.svg.contains("<svg x="));
    let open = twin("?scenario=acknowledged-by-one&open=100&v=1");
    assert!(
        open.size.1 > whole.size.1 + 50,
        "{:?} {:?}",
        open.size,
        whole.size
    );
    assert!(open.link.contains("&open="), "{}", open.link);
    // A question is asked and not answered, neither in the drawing nor in words.
    let asked = twin("?scenario=acknowledged-by-one&question=lost:Which+is+gone%3F&v=1");
    assert!(asked.title.ends_with(": Which is gone?"), "{}", asked.title);
    assert_eq!(asked.about, "Which is gone?");
    // The style sheet has looks for what is lost; words are between tags.
    let says = |twin: &Twin, what: &str| {
        let (_, drawn) = twin.svg.split_once("</style>").unwrap();
        drawn.split('<').any(|tag| {
            tag.split_once('>')
                .is_some_and(|(_, words)| words.contains(what))
        })
    };
    assert!(says(&whole, "lost") && !says(&asked, "lost"));
    assert!(asked.size.1 < whole.size.1);
    let two = twin("?acks=1&b.acks=all&start=520ms&question=lost:Which+is+gone%3F&v=1");
    assert_eq!(two.svg.matches("<svg x=").count(), 2);
    assert!(!says(&two, "lost"));
    assert_eq!(two.svg.matches(">Which is gone?<").count(), 2);
}

#[test]
fn every_width_that_can_be_asked_for_is_drawn() {
    let session = Session::from_link("?acks=1&b.acks=all&v=1");
    for width in [280, 320, 600, 900, 1200, 4_000] {
        let wanted = Wanted {
            width: Some(width),
            ..Wanted::default()
        };
        let twin = Twin::of(&session, &Text::english(), &wanted);
        well_formed(&twin.svg);
        assert!(
            twin.size.0 >= width && twin.size.1 > 200,
            "{width}: {:?}",
            twin.size
        );
    }
}
