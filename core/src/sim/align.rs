//! Aligning two short sequences: their longest common subsequence.

/// Above this product of lengths only the common beginning is aligned: the table would not be worth its memory.
const LARGEST_TABLE: usize = 1 << 20;

/// Pairs of places that hold the same, ascending in both: a longest common subsequence, the earliest such.
pub fn common<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<(usize, usize)> {
    let beginning = a.iter().zip(b).take_while(|(x, y)| same(x, y)).count();
    let mut pairs: Vec<(usize, usize)> = (0..beginning).map(|place| (place, place)).collect();
    let (a, b) = (&a[beginning..], &b[beginning..]);
    if a.len().saturating_mul(b.len()) > LARGEST_TABLE {
        return pairs;
    }
    // lengths[i][j]: the longest for the rests from i and j on.
    let width = b.len() + 1;
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i * width + j] = if same(&a[i], &b[j]) {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if same(&a[i], &b[j]) {
            pairs.push((beginning + i, beginning + j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::common;

    fn of(a: &str, b: &str) -> String {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        common(&a, &b, |x, y| x == y)
            .into_iter()
            .map(|(i, _)| a[i])
            .collect()
    }

    #[test]
    fn one_more_does_not_shift_the_rest() {
        assert_eq!(of("abcd", "abxcd"), "abcd");
        assert_eq!(of("xabc", "abc"), "abc");
        assert_eq!(of("abc", ""), "");
        assert_eq!(of("abcbdab", "bdcaba").len(), 4);
    }
}
