//! Links on their way: every mangling that is known leaves the view as it was.

use proptest::prelude::*;

use super::fuzz::{Harmed, Slowest};
use super::*;
use highwater_core::kafka::settings::Settings;
use highwater_core::scenario::names;

fn any_view() -> impl Strategy<Value = View> {
    let setting =
        (0..names::ALL.len(), "[a-z0-9.,-]{0,11}[a-z0-9]").prop_map(|(place, value)| Setting {
            name: names::ALL[place].name.to_owned(),
            value,
        });
    let settings = || {
        prop::collection::vec(setting.clone(), 0..5).prop_map(|mut settings| {
            settings.sort_by_key(|one| names::ALL.iter().position(|n| n.name == one.name));
            settings.dedup_by(|a, b| a.name == b.name);
            settings
        })
    };
    let content = prop_oneof![
        "[a-z0-9-]{1,20}".prop_map(Content::Library),
        "[a-z0-9.-]{0,29}[a-z0-9]".prop_map(Content::Recording),
        any_text().prop_map(Content::Script),
    ];
    let playhead = prop_oneof![
        Just(Playhead::End),
        (0_u64..=86_400_000, 0_u32..50).prop_map(|(at, position)| Playhead::At(at, position)),
    ];
    let against = prop::option::of(settings());
    let record = prop::option::of(prop::option::of(0_u64..100));
    let open = prop::collection::vec(0_u64..=86_400_000, 0..4);
    let language = prop::option::of(prop::sample::select(vec!["en", "ko", "zh"]));
    (
        content,
        settings(),
        against,
        prop::option::of(playhead),
        record,
        open,
        any::<bool>(),
        language,
    )
        .prop_map(
            |(content, settings, against, playhead, record, open, messages, language)| View {
                content,
                settings,
                against,
                playhead,
                record,
                open,
                messages,
                language: language.map(str::to_owned),
            },
        )
}

/// Texts with what breaks links in them, right and wrong scripts.
fn any_text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("at 530ms ".to_owned()),
        Just("after 3ms ".to_owned()),
        Just("then ".to_owned()),
        Just("at 530 ".to_owned()),
        Just("at 5.53s ".to_owned()),
        Just("\n".to_owned()),
        Just("produce acks=1 id=\"a b\"".to_owned()),
        Just("# 100%25 & so_on ~ !e !".to_owned()),
        Just("title 높은 워터마크 高水位 +1 <b> é\u{301}".to_owned()),
        Just(".".to_owned()),
        Just(")".to_owned()),
        Just("-3 x".to_owned()),
        Just("!n".to_owned()),
        Just("!v".to_owned()),
        Just("_~_".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(word, 0..12).prop_map(|words| words.concat())
}

/// What happens to a link between two people.
fn mangle(link: &str, how: u32) -> String {
    let (base, query) = link.split_once('?').unwrap_or(("", link));
    let decoded_by_a_chat = || {
        let mut out = link.to_owned();
        for (code, sign) in [
            ("%2C", ","),
            ("%3D", "="),
            ("%3A", ":"),
            ("%2F", "/"),
            ("%28", "("),
            ("%29", ")"),
        ] {
            out = out.replace(code, sign);
        }
        out
    };
    let encode_all = |text: &str| -> String { text.bytes().map(|b| format!("%{b:02x}")).collect() };
    match how {
        0 => link.replace('&', "&amp;"),
        1 => format!("{link})"),
        2 => format!("{link}]."),
        3 => format!("{link}, "),
        4 => format!("{link}を見て"),
        5 => format!("{link}을 보세요"),
        6 => format!("HTTPS://EXAMPLE.ORG/?{query}"),
        7 => format!("{link}&utm_source=chat&utm_medium=social&fbclid=IwAR0x&gclid=1&igsh=a%3D%3D"),
        8 => format!("{base}?fbclid=IwAR0-x_y&{query}"),
        9 => format!("{link}#:~:text=HW"),
        10 => format!("{base}?{}", encode_all(query)),
        11 => link.replace('%', "%25"),
        12 => {
            let parts: Vec<&str> = query.split('&').rev().collect();
            format!("{base}?{}", parts.join("&"))
        }
        13 => format!("{base}?{}&", query.replace('&', "&&")),
        14 => query.to_owned(),
        15 => format!("{base}?{}", query.replace(',', "%2c").replace('=', "%3D")),
        16 => link.replace('&', "&amp;amp;"),
        17 => format!("  {link}\n"),
        18 => link
            .replace('~', "%7E")
            .replace('!', "%21")
            .replace('_', "%5F"),
        19 => decoded_by_a_chat(),
        20 => format!("{base}?{}", query.replace('.', "%2E").replace('-', "%2D")),
        _ => link.replace("v=1", "v=1%29%2e"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read(view in any_view()) {
        let link = read(&write(&view));
        prop_assert_eq!(link.mistakes, vec![]);
        prop_assert_eq!(link.view, view);
    }

    #[test]
    fn a_text_comes_back_as_it_was(text in any_text()) {
        prop_assert_eq!(script::lengthen(&script::shorten(&text)), text);
    }

    #[test]
    fn a_link_that_was_mangled_is_the_same_link(view in any_view(), how in 0_u32..22) {
        let made = format!("https://example.org/lab/{}", write(&view));
        let mangled = mangle(&made, how);
        let link = read(&mangled);
        prop_assert_eq!(&link.mistakes, &vec![], "{}", mangled);
        let mut found = link.view;
        if how == 12 {
            // The order of the parameters means nothing.
            found.settings.reverse();
            found.against.iter_mut().for_each(|settings| settings.reverse());
        }
        prop_assert_eq!(found, view, "{}", mangled);
    }

    #[test]
    fn any_text_is_read_and_every_mistake_names_its_part(text in any::<String>(), tail in "[a-z.=&%?+#!~_0-9]{0,60}") {
        for link in [text.as_str(), &format!("?{text}={tail}"), &format!("?{tail}"), &tail] {
            for mistake in read(link).mistakes {
                prop_assert!(!mistake.part.is_empty());
                prop_assert!(mistake.place >= 1 && mistake.place <= link.chars().count() + 1);
                prop_assert!(mistake.part.chars().count() <= 41 && mistake.found.chars().count() <= 41);
            }
        }
    }

    #[test]
    fn a_link_that_was_cut_says_so_or_is_whole(text in any_text(), cut in 1_usize..200) {
        let view = View { content: Content::Script(text), ..View::default() };
        let mut made = write(&view);
        let kept = made.len().saturating_sub(cut).max("?script=".len());
        made.truncate(kept);
        prop_assert!(read(&made).mistakes.iter().any(|m| m.part == "v"), "{}", made);
    }
}

/// `HIGHWATER_FUZZ=10000000 cargo test --release -p highwater share::tests::fuzz -- --nocapture` reads so many.
#[test]
fn fuzzed_links_name_every_mistake() {
    let count = Harmed::count(5_000);
    let mut links = Harmed::new(
        &[
            "?scenario=state-e&unclean.leader.election.enable=true&at=530.2&record=3&lang=ko&v=1",
            "?script=title_a~set_acks=1~0_produce~530_kill_1~.await-fenced_1~-3_resume-fetch_2!e&b.acks=all&open=533,5200&v=1",
            "?%73cript=%EB%86%92~!v!n&acks=1&amp;acks=0&v=2#x",
        ],
        b"?&=%.!~_+#;12v,\0",
    );
    let (mut refused, mut slowest) = (0_u64, Slowest::default());
    for _ in 0..count {
        let link = links.text();
        let read = slowest.of(&link, || read(&link));
        refused += u64::from(!read.mistakes.is_empty());
        assert!(
            read.mistakes
                .iter()
                .all(|m| !m.part.is_empty() && m.place >= 1),
            "{link:?}"
        );
    }
    println!(
        "{count} links, {refused} with mistakes, slowest {:?}: {:?}",
        slowest.took, slowest.text
    );
    slowest.check();
    assert!(
        refused > count / 20,
        "the fuzzing must reach the mistakes: {refused} of {count}"
    );
}

#[test]
fn a_long_link_of_nothing_but_signs_is_read_at_once() {
    for part in [
        "%25",
        "&",
        "=",
        "!",
        "~",
        "%2525",
        "amp;",
        "&amp;",
        "script=~&",
        "a=1&",
        "acks=1&",
        "acks.x=2&",
    ] {
        let link = format!("?{}", part.repeat(1_000_000 / part.len()));
        let _ = read(&link);
    }
}

fn said(link: &str) -> Vec<(String, usize, String)> {
    read(link)
        .mistakes
        .into_iter()
        .map(|m| (m.part, m.place, m.found))
        .collect()
}

#[test]
fn what_cannot_be_read_is_named_with_its_place_and_the_rest_is_used() {
    let link = read("?v=2&acks=1&ack=0&at=soon&record=x&lang=de&b=c&scenario=state-a&script=~");
    let parts: Vec<(&str, usize, &str)> = link
        .mistakes
        .iter()
        .map(|m| (&*m.part, m.place, &*m.found))
        .collect();
    assert_eq!(
        parts,
        [
            ("v", 2, "2"),
            ("ack", 13, "ack"),
            ("at", 19, "soon"),
            ("record", 27, "x"),
            ("lang", 36, "de"),
            ("b", 44, "c"),
            ("script", 65, "~"),
        ]
    );
    assert_eq!(link.mistakes[1].instead.as_deref(), Some("acks"));
    assert_eq!(link.view.content, Content::Library("state-a".into()));
    assert_eq!(link.view.settings[0].name, "acks");
}

#[test]
fn a_name_without_a_value_is_told() {
    let nothing = |link: &str| read(link).mistakes.is_empty();
    assert_eq!(
        said("https://example.org/?ack"),
        [("ack".to_owned(), 22, "ack".to_owned())]
    );
    assert_eq!(said("?record"), [("record".to_owned(), 2, String::new())]);
    assert!(nothing("https://example.org/") && nothing("?") && nothing("?fbclid"));
}

#[test]
fn twice_is_said_and_the_first_counts() {
    let link = read("?acks=1&ACKS=0&v=1&elr=on&eligible.leader.replicas=off");
    assert_eq!(
        said("?acks=1&ACKS=0&v=1"),
        [("ACKS".to_owned(), 9, "0".to_owned())]
    );
    assert_eq!(link.mistakes.len(), 2);
    assert_eq!(link.mistakes[0].expected, Expected::Once);
    let values: Vec<&str> = link.view.settings.iter().map(|s| &*s.value).collect();
    assert_eq!(values, ["1", "on"]);
}

#[test]
fn bytes_that_are_no_text_are_said() {
    assert_eq!(
        read("?scenario=%FF%FE&v=1").mistakes[0].expected,
        Expected::Utf8
    );
}

#[test]
fn every_setting_that_a_link_can_leave_out_is_in_the_table_and_can_be_set() {
    let mut settings = Settings::default();
    for (name, value) in frozen::DEFAULTS {
        names::set(&mut settings, name, value).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            names::get(&settings, name).as_deref(),
            Some(*value),
            "{name}"
        );
    }
    for setting in names::ALL {
        let follows = ["brokers", "replication.factor"].contains(&setting.name)
            || setting.name.starts_with("rule.");
        let stands = frozen::DEFAULTS
            .iter()
            .any(|(name, _)| *name == setting.name);
        assert!(stands != follows, "{}", setting.name);
    }
}

/// The table is frozen: if this fails, version 2 is due, not another number here. Only a new setting may be added, with
/// the value that changes nothing.
#[test]
fn the_table_is_frozen() {
    let table: String = frozen::DEFAULTS
        .iter()
        .map(|(n, v)| format!("{n}={v};"))
        .collect();
    let sum = table.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(
        (frozen::SCENARIO, sum),
        ("acknowledged-by-one", 14519804628759814148)
    );
}

#[test]
fn a_model_that_starts_otherwise_is_told_what_a_link_means() {
    let mut later = Settings::default();
    names::set(&mut later, "retries", "2147483647").expect("a number");
    names::set(&mut later, "acks", "1").expect("a word");
    let moved: Vec<_> = frozen::moved(&later).collect();
    assert_eq!(
        moved,
        [
            ("acks", "all", "1".to_owned()),
            ("retries", "0", "2147483647".to_owned())
        ]
    );
}

#[test]
fn links_are_short() {
    let steps: String = (0..30)
        .map(|n| {
            format!(
                "at {}ms {}\n",
                5_000 + n * 137,
                ["produce acks=all", "pause-fetch 2", "resume-fetch 2"][n % 3]
            )
        })
        .collect();
    let short = script::shorten(&format!("title Thirty steps\nset acks=1\n{steps}"));
    assert!(short.len() < 800, "{}", short.len());
    let view = View {
        content: Content::Script(short),
        ..View::default()
    };
    assert!(write(&view).len() < 1_500);
    assert_eq!(
        write(&View {
            content: Content::Script(
                "title A\nat 530ms kill 1\nthen check\nafter 3ms heal all\n".into()
            ),
            ..View::default()
        }),
        "?script=title_A~530_kill_1~.check~-3_heal_all&v=1"
    );
}
