//! Times as a script writes them: exact to the millisecond, no float.

use crate::kafka::ids::Millis;

/// The longest time a script may name: a day.
pub const LONGEST: Millis = Millis(86_400_000);

/// Reads `530ms`, `5.53s`, `2m`, `1h`, or a plain number of milliseconds. None for anything else, and for a
/// time that is not a whole number of milliseconds.
pub fn read(text: &str) -> Option<Millis> {
    let digits_end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits_end)?;
    let scale: u64 = match unit {
        "" | "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction.trim_end_matches('0')),
        None => (number, ""),
    };
    let mut total = whole.parse::<u64>().ok()?.checked_mul(scale)?;
    if !fraction.is_empty() {
        let tens = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let parts = fraction.parse::<u64>().ok()?.checked_mul(scale)?;
        if parts % tens != 0 {
            return None;
        }
        total = total.checked_add(parts / tens)?;
    }
    Some(Millis(total))
}

/// The canonical form: `530ms` below a second, `5.53s` from there on.
pub fn print(time: Millis) -> String {
    let (seconds, rest) = (time.0 / 1_000, time.0 % 1_000);
    if seconds == 0 && rest > 0 {
        return format!("{rest}ms");
    }
    if seconds == 0 {
        return "0ms".to_owned();
    }
    if rest == 0 {
        return format!("{seconds}s");
    }
    let fraction = format!("{rest:03}");
    format!("{seconds}.{}s", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly() {
        for (text, ms) in [
            ("530ms", 530),
            ("5.53s", 5_530),
            ("2m", 120_000),
            ("0", 0),
            ("7", 7),
            ("1.5m", 90_000),
            ("0.001s", 1),
            ("1.500s", 1_500),
            ("1h", 3_600_000),
        ] {
            assert_eq!(read(text), Some(Millis(ms)), "{text}");
        }
        for text in [
            "",
            "ms",
            "-1",
            "1.s",
            ".5s",
            "0.0001s",
            "1.5ms",
            "5 s",
            "5d",
            "1.2.3s",
            "１s",
            "99999999999999999999",
            "18446744073709551615h",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_printed_time_reads_back() {
        for ms in [
            0, 1, 10, 999, 1_000, 1_001, 1_010, 5_530, 60_000, 86_400_000,
        ] {
            assert_eq!(read(&print(Millis(ms))), Some(Millis(ms)));
        }
        assert_eq!(print(Millis(5_530)), "5.53s");
    }
}
