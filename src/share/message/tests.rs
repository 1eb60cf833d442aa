//! Messages in order, and the many that are not.

use proptest::prelude::*;

use super::*;

#[test]
fn what_is_asked_for_in_order_is_read() {
    assert_eq!(
        read("highwater:1?theme=dark&lang=ko&at=530.2&play=on&elr=off"),
        Some(vec![
            Asked::Theme("dark"),
            Asked::Language("ko".to_owned()),
            Asked::At(Playhead::At(530, 2)),
            Asked::Play(true),
            Asked::Set("eligible.leader.replicas", "off".to_owned()),
        ])
    );
    assert_eq!(
        read("highwater:1?at=end"),
        Some(vec![Asked::At(Playhead::End)])
    );
}

#[test]
fn one_wrong_part_makes_it_no_message() {
    let long = format!("{START}caption={}", "x".repeat(LONGEST));
    let many = format!("{START}{}", "at=1&".repeat(MOST + 1));
    for text in [
        "",
        "highwater:1?",
        "highwater:1",
        "highwater:2?theme=dark",
        " highwater:1?theme=dark",
        "Highwater:1?theme=dark",
        "highwater:1?theme",
        "highwater:1?theme=__proto__",
        "highwater:1?__proto__=1",
        "highwater:1?constructor=1&theme=dark",
        "highwater:1?toString=acks",
        "highwater:1?theme=dark&",
        "highwater:1?theme=dark&&at=1",
        "highwater:1?lang=de",
        "highwater:1?at=1e9",
        "highwater:1?at=-1",
        "highwater:1?at=99999999999999999999",
        "highwater:1?at=1.4294967296",
        "highwater:1?play=true",
        "highwater:1?script=kill",
        "highwater:1?scenario=state-e",
        "highwater:1?lang=%ff",
        "{\"theme\":\"dark\"}",
        "[object Object]",
        &long,
        &many,
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_flood_is_held_back_and_the_gate_opens_again() {
    let mut gate = Gate::default();
    let through = (0..10_000).filter(|_| gate.lets_through(9_000.0)).count();
    assert_eq!(through, Gate::THROUGH as usize);
    assert!(!gate.lets_through(9_000.0 + f64::from(Gate::STRETCH) - 1.0));
    assert!(gate.lets_through(9_000.0 + f64::from(Gate::STRETCH)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn nothing_that_is_read_is_out_of_range(
        rest in "((theme|lang|at|play|acks|elr|__proto__|min.isr|\\PC{0,3})(=|%3D|)(dark|ko|on|end|[0-9.]{0,22}|%[0-9a-f]{2}|\\PC{0,3})&?){0,6}",
    ) {
        for asked in read(&format!("{START}{rest}")).into_iter().flatten() {
            match asked {
                Asked::At(Playhead::At(at, _)) => prop_assert!(at <= 86_400_000),
                Asked::Set(name, _) => prop_assert!(names::find(name).is_some()),
                _ => {}
            }
        }
    }

    #[test]
    fn any_text_is_borne(text in "\\PC*") {
        prop_assert_eq!(read(&text), None);
    }
}
