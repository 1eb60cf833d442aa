//! Three small sorts. The standard library's are faster on long lists, but cost 5 to 9 KB of wasm for every type that is
//! sorted; these cost a few hundred bytes, and the lists here are short or nearly sorted.

/// Sorts a short or nearly sorted list; equal ones keep their order.
pub fn insertion<T>(list: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut place = end;
        while place > 0 && before(&list[place], &list[place - 1]) {
            list.swap(place, place - 1);
            place -= 1;
        }
    }
}

/// Sorts a list of any length (a heap sort); equal ones end in any order.
pub fn heap<T>(list: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    if list.windows(2).all(|pair| !before(&pair[1], &pair[0])) {
        return;
    }
    let mut sift = |list: &mut [T], mut root: usize| {
        loop {
            let mut child = 2 * root + 1;
            if child >= list.len() {
                return;
            }
            if child + 1 < list.len() && before(&list[child], &list[child + 1]) {
                child += 1;
            }
            if !before(&list[root], &list[child]) {
                return;
            }
            list.swap(root, child);
            root = child;
        }
    };
    for root in (0..list.len() / 2).rev() {
        sift(list, root);
    }
    for end in (1..list.len()).rev() {
        list.swap(0, end);
        sift(&mut list[..end], 0);
    }
}

/// Sorts a list of any length; equal ones keep their order (a merge sort).
pub fn merge<T: Clone>(list: &mut Vec<T>, before: impl Fn(&T, &T) -> bool) {
    if list.windows(2).all(|pair| !before(&pair[1], &pair[0])) {
        return;
    }
    let mut width = 1;
    while width < list.len() {
        let mut merged: Vec<T> = Vec::with_capacity(list.len());
        for pair in list.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let Some(first) = left.first() {
                match right.first() {
                    Some(other) if before(other, first) => {
                        merged.push(other.clone());
                        right = &right[1..];
                    }
                    _ => {
                        merged.push(first.clone());
                        left = &left[1..];
                    }
                }
            }
            merged.extend_from_slice(right);
        }
        *list = merged;
        width *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{heap, insertion, merge};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_sort_as_the_standard_library_does(list in prop::collection::vec(0u8..20, 0..60)) {
            let mut expected: Vec<(u8, usize)> = list.iter().copied().zip(0..).collect();
            let (mut stable, mut any) = (expected.clone(), list.clone());
            let mut merged = expected.clone();
            expected.sort_by_key(|pair| pair.0);
            merge(&mut merged, |a, b| a.0 < b.0);
            prop_assert_eq!(&merged, &expected);
            insertion(&mut stable, |a, b| a.0 < b.0);
            prop_assert_eq!(stable, expected);
            let mut sorted = list;
            sorted.sort_unstable();
            heap(&mut any, |a, b| a < b);
            prop_assert_eq!(any, sorted);
        }
    }
}
