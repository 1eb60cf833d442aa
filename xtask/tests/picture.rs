//! `cargo xtask picture` through the real binary: the files it writes carry their view, and wrong links are named.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use highwater::session::Session;
use highwater::twin::found;

fn picture(arguments: &[&str]) -> Output {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let repository = Path::new(&package)
        .parent()
        .expect("xtask is in the repository");
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("picture")
        .args(arguments)
        .current_dir(repository)
        .output()
        .expect("xtask starts")
}

fn place(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("picture");
    std::fs::create_dir_all(&directory).expect("a directory");
    directory.join(name)
}

/// The bytes of the picture of a link.
fn drawn(link: &str, name: &str, more: &[&str]) -> Vec<u8> {
    let out = place(name);
    drop(std::fs::remove_file(&out));
    let mut arguments = vec![link, "-o", out.to_str().expect("UTF-8")];
    arguments.extend(more);
    let output = picture(&arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{link}: {said}");
    std::fs::read(out).expect("a picture")
}

/// What is refused says so, ends with status 2 and writes no file.
fn refused(arguments: &[&str]) -> String {
    let out = place("refused.svg");
    drop(std::fs::remove_file(&out));
    let mut all = arguments.to_vec();
    if !arguments.contains(&"-o") {
        all.extend(["-o", out.to_str().expect("UTF-8")]);
    }
    let output = picture(&all);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(!out.exists(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn a_picture_opens_the_view_that_it_shows() {
    for (place, link) in [
        "https://example.org/lab/?acks=1&min.insync.replicas=1&at=530.1&record=2&v=1",
        "?scenario=state-e&unclean=true&b.elr=on&lang=zh&v=1",
        "scenario=input-elr&theme=dark&lang=ko&v=1",
        "scenarios/hw-6-4-5.hw",
    ]
    .into_iter()
    .enumerate()
    {
        let svg = drawn(link, &format!("{place}.svg"), &[]);
        let png = drawn(link, &format!("{place}.png"), &["--scale", "1"]);
        let inside = found::link(&svg).expect("a link");
        assert_eq!(found::link(&png), Some(inside.clone()));
        assert_eq!(
            inside.starts_with("https://example.org/lab/?"),
            place == 0,
            "{inside}"
        );
        let again = Session::from_link(&inside);
        assert_eq!(
            again.opened().map(|o| o.mistakes.len()),
            Some(0),
            "{inside}"
        );
        if link.contains('?') {
            let first = Session::from_link(link);
            assert_eq!(
                (again.text(), again.playhead()),
                (first.text(), first.playhead())
            );
            assert_eq!(again.beside().is_some(), first.beside().is_some());
        }
        let svg = String::from_utf8(svg).expect("UTF-8");
        let (width, _) = size(&png);
        assert!(svg.contains(&format!("width=\"{width}\"")), "{width}");
        assert_eq!(svg.contains("prefers-color-scheme"), place != 2);
        // A picture of one colour is no picture.
        assert!(png.len() > 20_000, "{}", png.len());
    }
}

#[test]
fn a_recording_of_a_cluster_is_drawn() {
    let svg = drawn(
        "?recording=acks-1-lost-on-crash.elr&lang=ko&v=1",
        "recording.svg",
        &["--width", "900"],
    );
    let link = found::link(&svg).expect("a link");
    assert!(
        link.starts_with("?recording=acks-1-lost-on-crash.elr&"),
        "{link}"
    );
}

#[test]
fn sizes_are_as_asked_for() {
    let once = size(&drawn(
        "?v=1",
        "once.png",
        &["--scale", "1", "--width", "600"],
    ));
    let twice = size(&drawn("?v=1", "twice.png", &["--width", "600"]));
    assert_eq!((once.0 * 2, once.1 * 2), twice);
    assert!(once.0 >= 600 && once.0 < 700, "{once:?}");
}

#[test]
fn letters_that_no_font_has_are_named() {
    let output = picture(&[
        "?script=title_%F4%8F%BF%BD~0_produce&v=1",
        "-o",
        place("letters.png").to_str().expect("UTF-8"),
    ]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("\u{10fffd}") && said.contains("fonts-noto-cjk"),
        "{said}"
    );
}

#[test]
fn a_bad_link_is_refused_by_its_part() {
    for (link, says) in [
        (
            "?acks=2&v=1",
            "`acks` at character 2: found `2`, expected all, 1 or 0",
        ),
        (
            "https://example.org/?ack=1&v=1",
            "`ack` at character 22: found `ack`",
        ),
        ("?scenario=state-f&v=1", "perhaps `state-"),
        ("?at=99h&v=1", "`at` at character 2"),
        (
            "?theme=blue&v=1",
            "`theme` at character 2: found `blue`, expected auto, light or dark",
        ),
        (
            "?recording=none-of-these&v=1",
            "`recording` at character 2: found `none-of-these`",
        ),
        ("?script=0_prduce&v=1", "Line 1, column 8: found `prduce`"),
        ("?script=0_produce&v=2", "`v` at character 19: found `2`"),
        ("?script=0_prod", "`v`"),
        (
            "scenarios/no-such.hw",
            "found `scenarios/no-such.hw`, which is no file; expected a link",
        ),
    ] {
        let said = refused(&[link]);
        assert!(said.contains(says), "{link}: {said}");
    }
}

#[test]
fn a_wrong_command_line_is_refused() {
    for (arguments, says) in [
        (&[][..], "needs a link"),
        (
            &["?v=1", "-o", "out.gif"],
            "found `out.gif`, expected a file that ends in .svg or .png",
        ),
        (
            &["?v=1", "--width", "10"],
            "`--width`: found `10`, expected a number from 280 to 4000",
        ),
        (&["?v=1", "--scale", "9"], "`--scale`"),
        (&["?v=1", "--theme", "blue"], "`--theme`: found `blue`"),
        (&["?v=1", "--fast"], "`--fast`"),
    ] {
        let said = refused(arguments);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}
