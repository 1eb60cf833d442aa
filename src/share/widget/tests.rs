//! What authors write, right and wrong.

use proptest::prelude::*;

use super::*;

fn mistakes(query: &str) -> Vec<(String, String, Option<String>)> {
    let told = read(query).mistakes.into_iter();
    told.map(|one| (one.part, one.found, one.instead)).collect()
}

#[test]
fn what_an_author_sets_is_read_and_the_rest_is_a_link() {
    let options = read(
        "?scenario=state-e&show=acks,visibility&controls=elr+acks&start=10ms&end=1.5s&question=leader&theme=dark&acks=1&autoplay=on&height=auto&lang=ko&v=1",
    );
    assert_eq!(options.mistakes, vec![]);
    assert_eq!(options.show, [true, false, true]);
    assert_eq!(options.controls, ["eligible.leader.replicas", "acks"]);
    assert_eq!(options.start, Some(Millis(10)));
    assert_eq!(options.end, Some(Millis(1_500)));
    assert_eq!(options.question, Some((Asks::Leader, String::new())));
    assert_eq!(options.theme, "dark");
    assert!(options.autoplay && options.fits);
    assert_eq!(options.link, "?scenario=state-e&acks=1&lang=ko&v=1&");
}

#[test]
fn without_anything_everything_is_shown() {
    let options = read("");
    assert_eq!(options.show, [true; 3]);
    assert_eq!(options.controls.len(), 4);
    assert_eq!(
        (options.theme, options.autoplay, options.fits),
        ("auto", false, false)
    );
    assert_eq!(read("?controls=none").controls, Vec::<&str>::new());
    assert_eq!(read("?controls=").controls, Vec::<&str>::new());
    // An empty list of timelines would be no picture.
    assert_eq!(read("?show=").show, [true; 3]);
}

#[test]
fn words_of_a_person_stay_as_they_are() {
    let query = "?caption=50%25+lost+%2B+%22m3%22%3F+%E5%95%8A.&question=lost%3A+Which%3F%21&v=1";
    let options = read(query);
    assert_eq!(options.caption, "50% lost + \"m3\"? 啊.");
    assert_eq!(options.question, Some((Asks::Lost, "Which?!".to_owned())));
    let long = format!("?caption={}", "x".repeat(LONGEST + 50));
    let options = read(&long);
    assert_eq!(options.caption.len(), LONGEST);
    let told = options.mistakes.first().expect("it is told");
    assert_eq!(
        (told.part.as_str(), told.expected.to_string()),
        ("caption", "at most 600 characters".to_owned())
    );
    assert!(
        read(&format!("?caption={}", "x".repeat(LONGEST)))
            .mistakes
            .is_empty()
    );
}

#[test]
fn what_is_wrong_is_named_with_what_to_write_instead() {
    let told = |part: &str, found: &str, instead: Option<&str>| {
        (
            part.to_owned(),
            found.to_owned(),
            instead.map(str::to_owned),
        )
    };
    assert_eq!(
        mistakes("?show=ack,lag"),
        [told("show", "ack", Some("acks"))]
    );
    assert_eq!(read("?show=ack,lag").show, [false, true, false]);
    assert_eq!(
        mistakes("?controls=retries"),
        [told("controls", "retries", None)]
    );
    assert_eq!(mistakes("?start=soon"), [told("start", "soon", None)]);
    assert_eq!(
        mistakes("?question=losst"),
        [told("question", "losst", Some("lost"))]
    );
    assert_eq!(
        mistakes("?theme=drak"),
        [told("theme", "drak", Some("dark"))]
    );
    assert_eq!(mistakes("?autoplay=yes"), [told("autoplay", "yes", None)]);
    assert_eq!(mistakes("?height=9"), [told("height", "9", Some("auto"))]);
    assert_eq!(
        mistakes("?theme=dark&theme=light"),
        [told("theme", "light", None)]
    );
    assert_eq!(read("?theme=dark&theme=light").theme, "dark");
}

proptest! {
    #[test]
    fn anything_is_read(query in "(\\?|&|=|%|,|[a-z]{1,4}|show|end|caption|question|lost:|[0-9]{1,20}|\\PC){0,24}") {
        let options = read(&query);
        prop_assert!(options.show.contains(&true));
        prop_assert!(options.caption.chars().count() <= LONGEST);
        for one in options.mistakes {
            prop_assert!(NAMES.contains(&one.part.as_str()), "{}", one.part);
        }
    }

    #[test]
    fn a_link_keeps_its_meaning_inside_the_query(script in "[a-z0-9 _~!.\n#&+%=]{0,60}", acks in "(0|1|all)") {
        let view = crate::share::View {
            content: crate::share::Content::Script(script),
            settings: vec![crate::share::Setting { name: "acks".to_owned(), value: acks }],
            ..Default::default()
        };
        let link = crate::share::write(&view);
        let rest = read(&format!("{link}&theme=dark&caption=a+%25")).link;
        prop_assert_eq!(crate::share::read(&rest).view, crate::share::read(&link).view);
    }
}
