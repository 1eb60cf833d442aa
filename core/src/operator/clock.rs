//! The date that a run is told to have: a log line needs one, a run has none.

use crate::kafka::ids::Millis;

/// The start of every run: 2026-01-01 00:00:00 UTC, in ms since 1970.
pub const START: u64 = 1_767_225_600_000;

const DAY: u64 = 86_400_000;

/// Milliseconds since 1970, as `lastCaughtUpTimeMs` gives them.
pub fn epoch_millis(at: Millis) -> u64 {
    START.saturating_add(at.0)
}

/// As log4j writes it: `2026-01-01 00:00:01,234`.
pub fn stamp(at: Millis) -> String {
    let (days, rest) = (at.0 / DAY, at.0 % DAY);
    let (year, month, day) = date(days);
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    let (seconds, millis) = (rest / 1_000 % 60, rest % 1_000);
    format!("{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02},{millis:03}")
}

/// The date so many days after the start.
fn date(mut days: u64) -> (u64, usize, u64) {
    let mut year = 2026;
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let february = if leap { 29 } else { 28 };
        let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (place, length) in months.iter().enumerate() {
            if days < *length {
                return (year, place + 1, days + 1);
            }
            days -= length;
        }
        year += 1;
        // A script's time is limited far below this; the loop must end for any number.
        if year > 9_999 {
            return (9_999, 12, 31);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_written_as_log4j_does() {
        assert_eq!(stamp(Millis(0)), "2026-01-01 00:00:00,000");
        assert_eq!(stamp(Millis(3_723_004)), "2026-01-01 01:02:03,004");
        assert_eq!(stamp(Millis(DAY * 59)), "2026-03-01 00:00:00,000");
        assert_eq!(stamp(Millis(DAY * 365 * 3)), "2028-12-31 00:00:00,000");
        assert_eq!(stamp(Millis(u64::MAX)), "9999-12-31 14:25:51,615");
    }
}
