//! Korean particles: 은/는, 이/가, 을/를, 과/와, 으로/로 follow the last sound of the word before them, as it is read
//! aloud: ISR is read 아이에스알, 10 is read 십, REQUEST_TIMED_OUT ends in 아웃.

/// How a word ends when it is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// In a vowel.
    Vowel,
    /// In ㄹ, which 으로/로 treats as a vowel.
    Rieul,
    /// In another consonant.
    Consonant,
}

/// The particle of a pair that follows `word`: `after_consonant` or `after_vowel`.
pub fn particle<'a>(word: &str, after_consonant: &'a str, after_vowel: &'a str) -> &'a str {
    match last_sound(word) {
        Sound::Vowel => after_vowel,
        Sound::Rieul if after_consonant.starts_with("으로") => after_vowel,
        Sound::Rieul | Sound::Consonant => after_consonant,
    }
}

/// How `word` ends; closing brackets, quotes and the like are not read.
pub fn last_sound(word: &str) -> Sound {
    // An example in brackets is an aside: the particle belongs to the word before it.
    let aside = word.rfind("(예: ").filter(|_| word.ends_with(')'));
    let word = aside.and_then(|at| word.get(..at)).unwrap_or(word);
    let word = word.trim_end_matches(|c| !(is_hangul(c) || c.is_ascii_alphanumeric()));
    match word.chars().next_back() {
        Some(last) if is_hangul(last) => hangul(last),
        Some(last) if last.is_ascii_digit() => number(word),
        Some(last) if last.is_ascii_alphabetic() => latin(word),
        _ => Sound::Vowel,
    }
}

fn is_hangul(c: char) -> bool {
    ('가'..='힣').contains(&c)
}

/// A syllable's final consonant is its place modulo 28 (0 = none, 8 = ㄹ).
fn hangul(syllable: char) -> Sound {
    match (syllable as u32).wrapping_sub('가' as u32) % 28 {
        0 => Sound::Vowel,
        8 => Sound::Rieul,
        _ => Sound::Consonant,
    }
}

fn number(word: &str) -> Sound {
    let before = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = word.get(before.len()..).unwrap_or("");
    let significant = digits.trim_end_matches('0');
    let zeros = digits.len() - significant.len();
    // Behind a decimal point digits are read one by one; 0 is 영.
    if zeros > 0 && !significant.is_empty() && !before.ends_with('.') {
        // 십, 백, 천, 만, 억 and 경 end in a consonant; 조 (10^12) in a vowel.
        return if (12..16).contains(&zeros) {
            Sound::Vowel
        } else {
            Sound::Consonant
        };
    }
    match digits.chars().next_back() {
        Some('1' | '7' | '8') => Sound::Rieul,
        Some('0' | '3' | '6') => Sound::Consonant,
        _ => Sound::Vowel,
    }
}

/// Words of Kafka's names and values whose Korean reading ends in ㄹ (올, 어베일러블 …) or another consonant; the others end in a
/// vowel (리더, 에포크, 커넥터 …).
const RIEUL: [&str; 6] = ["all", "available", "enable", "interval", "null", "level"];
const CONSONANT: [&str; 13] = [
    "out",
    "version",
    "exception",
    "partition",
    "registration",
    "unclean",
    "clean",
    "on",
    "commit",
    "min",
    "position",
    "shutdown",
    "election",
];

fn latin(word: &str) -> Sound {
    let before = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let token = word.get(before.len()..).unwrap_or("");
    // ISR, HW, LEO, ELR are spelled; NOT_ENOUGH_REPLICAS is read as words.
    if !before.ends_with('_') && token.len() <= 4 && token.chars().all(|c| c.is_ascii_uppercase()) {
        return match token.chars().next_back() {
            Some('L' | 'R') => Sound::Rieul,
            Some('M' | 'N') => Sound::Consonant,
            _ => Sound::Vowel,
        };
    }
    let is = |known: &&str| token.eq_ignore_ascii_case(known);
    if RIEUL.iter().any(is) {
        Sound::Rieul
    } else if CONSONANT.iter().any(is) {
        Sound::Consonant
    } else {
        Sound::Vowel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(word: &str) -> String {
        format!("{word}{}", particle(word, "이", "가"))
    }

    fn towards(word: &str) -> String {
        format!("{word}{}", particle(word, "으로", "로"))
    }

    #[test]
    fn an_example_in_brackets_is_not_what_the_particle_follows() {
        assert_eq!(particle("시간(예: 530ms, 2m)", "이다", "다"), "이다");
        assert_eq!(particle("주소(예: 열)", "이다", "다"), "다");
    }

    #[test]
    fn digits_are_read_aloud() {
        let read: Vec<String> = (0..=9).map(|n: u32| subject(&n.to_string())).collect();
        assert_eq!(
            read,
            [
                "0이", "1이", "2가", "3이", "4가", "5가", "6이", "7이", "8이", "9가"
            ]
        );
        for number in [
            "10",
            "20",
            "100",
            "1000",
            "10000",
            "300000000",
            "120000",
            "10000000000000000",
        ] {
            assert_eq!(subject(number), format!("{number}이"));
        }
        assert_eq!(subject("1000000000000"), "1000000000000가"); // 일조
        assert_eq!(subject("1239742830"), "1239742830이"); // …삼십
        assert_eq!(subject("12"), "12가");
    }

    #[test]
    fn latin_tokens_are_spelled_or_read() {
        for (word, expect) in [
            ("ISR", "ISR이"),
            ("HW", "HW가"),
            ("LEO", "LEO가"),
            ("ELR", "ELR이"),
            ("LSO", "LSO가"),
            ("acks=all", "acks=all이"),
            ("acks=1", "acks=1이"),
            ("acks=0", "acks=0이"),
            ("m3", "m3이"),
            ("m5–m9", "m5–m9가"),
            ("{1, 2, 3}", "{1, 2, 3}이"),
            ("{1, 2}", "{1, 2}가"),
            ("5.00 s", "5.00 s가"),
            ("524 ms", "524 ms가"),
            ("NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS가"),
            ("REQUEST_TIMED_OUT", "REQUEST_TIMED_OUT이"),
            ("OFFSET_NOT_AVAILABLE", "OFFSET_NOT_AVAILABLE이"),
            ("NETWORK_EXCEPTION", "NETWORK_EXCEPTION이"),
            ("NOT_LEADER_OR_FOLLOWER", "NOT_LEADER_OR_FOLLOWER가"),
            (
                "unclean.leader.election.enable",
                "unclean.leader.election.enable이",
            ),
            ("min.insync.replicas", "min.insync.replicas가"),
            ("KIP-966", "KIP-966이"),
            ("컨트롤러", "컨트롤러가"),
            ("컨슈머", "컨슈머가"),
            ("레코드 5개", "레코드 5개가"),
        ] {
            assert_eq!(subject(word), expect);
        }
    }

    #[test]
    fn rieul_takes_the_short_form_of_towards_only() {
        assert_eq!(towards("1"), "1로");
        assert_eq!(towards("3"), "3으로");
        assert_eq!(towards("2"), "2로");
        assert_eq!(towards("10"), "10으로");
        assert_eq!(towards("ISR"), "ISR로");
        assert_eq!(towards("8"), "8로");
    }
}
