//! Broken copies of a lesson: each is found, and the message says where and what.

use std::fs;
use std::path::{Path, PathBuf};

use highwater_lessons::render;

use super::{EXAMPLE, root, said};

/// One change, and what must be said about it.
struct Broken {
    file: &'static str,
    from: &'static str,
    to: &'static str,
    said: &'static str,
}

const fn broken(
    file: &'static str,
    from: &'static str,
    to: &'static str,
    said: &'static str,
) -> Broken {
    Broken {
        file,
        from,
        to,
        said,
    }
}

const BROKEN: &[Broken] = &[
    broken(
        "lesson.toml",
        "= 504ms",
        "= 505ms",
        "lesson.toml:12: claim `wait`: the run says otherwise: `time from m2.committed to m2.known@2` is 504ms, the claim says 505ms",
    ),
    broken(
        "lesson.toml",
        "hw of 1 = 2",
        "hw of 7 = 2",
        "lesson.toml:10: claim `leader_hw`: `hw of 7` is nothing that a run can be asked for",
    ),
    broken(
        "lesson.toml",
        "B: time from",
        "C: time from",
        "claim `ok_one`: there is no run `C`; there are A, B",
    ),
    broken(
        "lesson.toml",
        "at = \"m2.answered\"",
        "at = \"m9.answered\"",
        "`m9.answered` is no instant",
    ),
    broken(
        "lesson.toml",
        "at = \"m2.answered\"",
        "at = \"m2.lost\"",
        "`m2.lost` never happens in this run",
    ),
    broken(
        "lesson.toml",
        "at = \"m2.answered\"",
        "at = \"step 1 #2\"",
        "`step 1 #2` never happens in this run: `step 1` happens only at 0ms",
    ),
    broken(
        "lesson.toml",
        "because = [\"m1.committed\"]",
        "because = [\"leader 1\"]",
        "`leader 1` never happens in this run: only a change to it is an event, not what the run starts with",
    ),
    broken(
        "lesson.toml",
        "time from m2.sent to m2.answered = 16ms",
        "time from m2.answered to m2.sent = 16ms",
        "runs backwards: from 616ms to 600ms",
    ),
    broken(
        "lesson.toml",
        "until = \"m2.committed\"",
        "",
        "a step that asks needs `until`",
    ),
    broken(
        "lesson.toml",
        "until = \"m2.committed\"",
        "until = \"end\"",
        "the answer is drawn before it is asked",
    ),
    broken(
        "lesson.toml",
        "offset = \"hw of 2\"",
        "offset = \"isr\"",
        "`isr` is no offset",
    ),
    broken(
        "lesson.toml",
        "offset = \"hw of 2\"",
        "answer = \"m2\"\namong = [\"NOT_ENOUGH_REPLICAS\"]",
        "the producer of m2 is told `ok`, which is not in `among`",
    ),
    broken(
        "lesson.toml",
        "offset = \"hw of 2\"",
        "answer = \"m2\"\namong = [\"ok\", \"FINE\"]",
        "`FINE` is no answer",
    ),
    broken(
        "lesson.toml",
        "offset = \"hw of 2\"",
        "record = \"acknowledged\"",
        "2 records are acknowledged; at most one may be",
    ),
    broken(
        "lesson.toml",
        "offset = \"hw of 2\"",
        "fate = \"m2\"\nbroker = \"leader\"",
        "a question has exactly one of",
    ),
    broken(
        "lesson.toml",
        "\"m1.known@2\", \"m1.answered\", \"m1.noted@2\", \"m1.committed\"",
        "\"m1.noted@2\", \"m1.committed\", \"m1.answered\"",
        "the events are given in the right order; mix them",
    ),
    broken(
        "lesson.toml",
        "show = \"A B\"",
        "show = \"A\"",
        "no step shows two runs",
    ),
    broken("lesson.toml", "acks=1\"", "acks=5\"", "acks=5"),
    broken(
        "lesson.toml",
        "\"follower-hw-one-round-behind\"",
        "\"never-recorded\"",
        "lesson.toml:2: there is no recording `never-recorded`",
    ),
    broken(
        "lesson.toml",
        "select = \"m1\"",
        "choose = \"m1\"",
        "lesson.toml:",
    ),
    broken("scenario.hw", "at 600ms", "at 60Oms", "scenario.hw: line 4"),
    broken(
        "en.md",
        "after {wait}",
        "after 504 ms",
        "en.md:21: the number `504` stands bare",
    ),
    broken(
        "ko.md",
        "브로커 2의 HW",
        "2의 HW",
        "ko.md:20: the number `2` stands bare",
    ),
    broken(
        "en.md",
        "{ok_one}",
        "{ok_two}",
        "there is no claim `ok_two`",
    ),
    broken(
        "en.md",
        "`acks=1`",
        "`acks=0`",
        "the number `acks=0` stands bare",
    ),
    broken(
        "zh.md",
        "## 记住什么",
        "记住什么",
        "zh.md: 4 steps (`## `), lesson.toml has 5",
    ),
    broken(
        "ko.md",
        "### m2의",
        "m2의",
        "ko.md: step 3 asks, but has no question (`### `)",
    ),
    broken(
        "en.md",
        "> The leader sends",
        "The leader sends",
        "en.md: the first step quotes no belief",
    ),
    broken(
        "zh.md",
        "> 请求 offset",
        "请求 offset",
        "zh.md: the last step has no sentence to take away",
    ),
    broken(
        "en.md",
        "There is no such message.",
        "<b>No</b> such message.",
        "is HTML; write Markdown",
    ),
    broken(
        "en.md",
        "> Followers of a Kafka",
        "Followers of a Kafka",
        "the description is missing",
    ),
    broken("zh.md", "zh.md", "", "zh.md: cannot be read"),
    broken(
        "../path.toml",
        "slug = \"the-fetch-is-the-ack\"",
        "slug = \"another\"",
        "no row of lessons/path.toml has the slug `the-fetch-is-the-ack`",
    ),
    broken(
        "../path.toml",
        "needs = [1]",
        "needs = [9]",
        "needs row 9, which does not stand before it",
    ),
    broken(
        "../beliefs.toml",
        "believed = [\"2\"]",
        "believed = [\"7\"]",
        "lessons/beliefs.toml:4: `followers know the leader's HW`: `7` cannot be chosen in step 3 of `the-fetch-is-the-ack`; expected an offset such as `1`",
    ),
    broken(
        "../beliefs.toml",
        "believed = [\"2\"]",
        "believed = [\"1\"]",
        "step 3 of `the-fetch-is-the-ack` does not contradict it: the run says the same",
    ),
    broken(
        "../beliefs.toml",
        "believed = [\"2\"]",
        "believed = [\"0\", \"2\"]",
        "is not answered by 2 of its choices",
    ),
    broken(
        "../beliefs.toml",
        "step = 3\nbelieved = [\"2\"]",
        "step = 2\nbelieved = [\"m1.noted@2\", \"m1.committed\", \"m1.answered\", \"m1.known@2\"]",
        "step 2 of `the-fetch-is-the-ack` does not contradict it: the run says the same",
    ),
    broken(
        "../beliefs.toml",
        "step = 3",
        "step = 4",
        "step 4 of `the-fetch-is-the-ack` asks nothing",
    ),
    broken(
        "../beliefs.toml",
        "[[belief.prediction]]\nlesson = \"the-fetch-is-the-ack\"\nstep = 3\nbelieved = [\"2\"]\n",
        "",
        "no prediction of the lesson `the-fetch-is-the-ack` contradicts it",
    ),
    broken(
        "../beliefs.toml",
        "rows = [3]",
        "rows = [999]",
        "the path has no row 999",
    ),
    broken(
        "../beliefs.toml",
        "lesson = \"the-fetch-is-the-ack\"",
        "lesson = \"nowhere\"",
        "there is no lesson `nowhere`",
    ),
    broken(
        "../words/ko.txt",
        "Check = ",
        "Chek = ",
        "lessons/words/ko.txt: `Check` is missing",
    ),
];

#[test]
fn broken_lessons_fail_and_say_where_and_what() {
    for (number, one) in BROKEN.iter().enumerate() {
        let copy = copy_of_the_example(number);
        let path = copy.join("lessons").join(EXAMPLE).join(one.file);
        if one.to.is_empty() && one.from == one.file {
            fs::remove_file(&path).unwrap();
        } else {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(one.from), "{}: {}", one.file, one.from);
            fs::write(&path, text.replacen(one.from, one.to, 1)).unwrap();
        }
        let faults = match render::read(&copy, None) {
            Ok(_) => panic!("nothing was found: {} -> {}", one.from, one.to),
            Err(faults) => said(&faults),
        };
        assert!(
            faults.contains(one.said),
            "expected `{}`, found{faults}",
            one.said
        );
    }
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let copy = copy_of_the_example(BROKEN.len());
    let path = copy.join("lessons").join(EXAMPLE).join("en.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\nand so on and on, without an end\n")).unwrap();
    let faults = render::read(&copy, None)
        .err()
        .map(|f| said(&f))
        .unwrap_or_default();
    assert!(faults.contains("words, expected at most 400"), "{faults}");
}

#[test]
fn the_example_as_it_is_has_no_fault() {
    let copy = copy_of_the_example(BROKEN.len() + 1);
    assert!(render::read(&copy, Some(EXAMPLE)).is_ok());
    let faults = render::read(&copy, Some("nowhere"))
        .err()
        .map(|f| said(&f))
        .unwrap_or_default();
    assert!(
        faults.contains("there is no lesson `nowhere`; there are the-fetch-is-the-ack"),
        "{faults}"
    );
}

#[test]
fn one_fault_is_told_once_and_also_when_one_lesson_is_asked_for() {
    for (number, file, from, to, expected) in [
        (
            2,
            "lesson.toml",
            "offset = \"hw of 2\"",
            "offset = \"isr\"",
            "`isr` is no offset",
        ),
        (
            3,
            "lesson.toml",
            "\"A B\"",
            "\"A C\"",
            "there is no run `C`",
        ),
        (4, "scenario.hw", "produce", "send", "found `send`"),
        (
            5,
            "../beliefs.toml",
            "[\"2\"]",
            "[\"broker 2\"]",
            "cannot be chosen",
        ),
    ] {
        let copy = copy_of_the_example(BROKEN.len() + number);
        let path = copy.join("lessons").join(EXAMPLE).join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let faults = render::read(&copy, Some(EXAMPLE)).err().unwrap_or_default();
        assert!(said(&faults).contains(expected), "{}", said(&faults));
        assert_eq!(faults.len(), 1, "{}", said(&faults));
    }
}

#[test]
fn two_scripts_side_by_side_need_names_in_every_language() {
    let slug = "eligible-leader-replicas";
    let copy = copy_of(slug, "lesson-titles");
    assert!(render::read(&copy, None).is_ok());
    let path = copy.join(format!("lessons/{slug}/lesson.toml"));
    let text = fs::read_to_string(&path).unwrap();
    let line = |of: &str| {
        let found = text.lines().find(|l| l.starts_with(of));
        format!("{}\n", found.unwrap())
    };
    for (from, to, expected) in [
        (
            line("D.zh"),
            String::new(),
            "`D.zh` is missing under `[title]`",
        ),
        (
            line("C.en"),
            "C.en = \"after 5 s\"\n".to_owned(),
            "the number `5` stands bare in a title",
        ),
        (
            line("C.ko"),
            "C.fr = \"x\"\n".to_owned(),
            "`fr` is no language of the page",
        ),
        (
            line("B ="),
            "B = \"clean.hw\"\n".to_owned(),
            "the runs A and B are the same",
        ),
    ] {
        fs::write(&path, text.replacen(&from, &to, 1)).unwrap();
        let faults = render::read(&copy, None).err().map(|f| said(&f));
        let faults = faults.unwrap_or_default();
        assert!(faults.contains(expected), "{expected}: {faults}");
    }
}

fn copy_of_the_example(number: usize) -> PathBuf {
    copy_of(EXAMPLE, &format!("lesson-{number}"))
}

/// A repository with one lesson and what it needs.
fn copy_of(slug: &str, name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&target));
    let mut files: Vec<String> = ["src/text/ko.txt", "src/text/zh.txt", "lessons/path.toml"]
        .map(str::to_owned)
        .to_vec();
    let spec = fs::read_to_string(root().join(format!("lessons/{slug}/lesson.toml"))).unwrap();
    for folder in [
        "lessons/words",
        "core/cases/cluster-traces",
        &format!("lessons/{slug}"),
    ] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let id = file.strip_suffix(".json");
            if id.is_none_or(|id| spec.contains(&format!("\"{id}\""))) {
                files.push(format!("{folder}/{file}"));
            }
        }
    }
    for file in files {
        let to = target.join(&file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join(&file), to).unwrap();
    }
    // Of the beliefs, those that the one lesson contradicts.
    let beliefs = fs::read_to_string(root().join("lessons/beliefs.toml")).unwrap();
    let own = beliefs.split("[[belief]]").skip(1);
    let own = own.filter(|text| text.contains(&format!("lesson = \"{slug}\"")));
    let own: String = own.map(|text| format!("[[belief]]{text}")).collect();
    fs::write(target.join("lessons/beliefs.toml"), own).unwrap();
    target
}
