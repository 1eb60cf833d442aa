//! What a search keeps of millions of states. Everything grows in small pieces, so that the peak is hardly above what is
//! in use.

/// How many parts the set of fingerprints has. Each grows for itself.
const PARTS: usize = 64;

/// A set of fingerprints: 8 bytes each, and a quarter to two fifths of free room.
#[derive(Clone, Debug)]
pub(super) struct Fingerprints {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Part {
    /// 0 = free.
    slots: Vec<u64>,
    used: usize,
}

impl Fingerprints {
    pub fn new() -> Fingerprints {
        let part = |place: usize| Part {
            // Of different lengths, so that they do not all grow at the same time.
            slots: vec![0; 48 + place / 4],
            used: 0,
        };
        Fingerprints {
            parts: (0..PARTS).map(part).collect(),
        }
    }

    /// Adds a fingerprint; false when it was there.
    pub fn insert(&mut self, fingerprint: u64) -> bool {
        let fingerprint = fingerprint.max(1);
        let part = &mut self.parts[(fingerprint >> 58) as usize];
        let place = part.find(fingerprint);
        if part.slots[place] == fingerprint {
            return false;
        }
        part.slots[place] = fingerprint;
        part.used += 1;
        if part.used * 4 >= part.slots.len() * 3 {
            part.grow();
        }
        true
    }

    /// What lies where a fingerprint is looked for first, so that it is near when it is looked for.
    pub fn touch(&self, fingerprint: u64) -> u64 {
        let fingerprint = fingerprint.max(1);
        let part = &self.parts[(fingerprint >> 58) as usize];
        part.slots[part.home(fingerprint)]
    }

    pub fn bytes(&self) -> usize {
        self.parts
            .iter()
            .map(|part| part.slots.capacity() * 8)
            .sum()
    }
}

impl Part {
    /// Where a fingerprint is looked for first: 32 bits of it, scaled to the length, which is no power of two.
    fn home(&self, fingerprint: u64) -> usize {
        (((fingerprint & 0xFFFF_FFFF) * self.slots.len() as u64) >> 32) as usize
    }

    /// Where a fingerprint is, or where it would be put.
    fn find(&self, fingerprint: u64) -> usize {
        let length = self.slots.len();
        let mut place = self.home(fingerprint);
        while self.slots[place] != 0 && self.slots[place] != fingerprint {
            place += 1;
            if place == length {
                place = 0;
            }
        }
        place
    }

    fn grow(&mut self) {
        let length = self.slots.len() * 5 / 4 + 8;
        let old = core::mem::replace(&mut self.slots, vec![0; length]);
        for fingerprint in old.into_iter().filter(|fingerprint| *fingerprint != 0) {
            let place = self.find(fingerprint);
            self.slots[place] = fingerprint;
        }
    }
}

/// Half a megabyte: in wasm more memory costs a call of the engine each time, and its collector takes part in it.
const PIECE: usize = 1 << 17;

/// A list that never moves what it holds.
#[derive(Clone, Debug)]
pub(super) struct Column<T> {
    pieces: Vec<Vec<T>>,
    length: usize,
}

impl<T: Copy> Column<T> {
    pub fn new() -> Column<T> {
        Column {
            pieces: Vec::new(),
            length: 0,
        }
    }

    pub fn push(&mut self, value: T) {
        if self.length.is_multiple_of(PIECE) {
            // The first piece grows with a small search.
            let room = if self.length == 0 { 0 } else { PIECE };
            self.pieces.push(Vec::with_capacity(room));
        }
        if let Some(last) = self.pieces.last_mut() {
            last.push(value);
            self.length += 1;
        }
    }

    pub fn get(&self, place: u32) -> Option<T> {
        let place = place as usize;
        self.pieces.get(place / PIECE)?.get(place % PIECE).copied()
    }

    pub fn len(&self) -> u32 {
        self.length as u32
    }

    pub fn bytes(&self) -> usize {
        let values: usize = self.pieces.iter().map(Vec::capacity).sum();
        values * size_of::<T>()
    }
}

/// A queue of entries of different lengths; what was read is given back.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pieces: std::collections::VecDeque<Vec<u32>>,
    /// Where the next entry begins in the first piece.
    at: usize,
}

impl Queue {
    pub fn push(&mut self, entry: &[u32]) {
        let fits = |piece: &Vec<u32>| piece.len() + entry.len() <= PIECE;
        if !self.pieces.back().is_some_and(fits) {
            // The first piece grows with a small search.
            let room = if self.pieces.is_empty() { 0 } else { PIECE };
            self.pieces.push_back(Vec::with_capacity(room));
        }
        if let Some(last) = self.pieces.back_mut() {
            last.extend_from_slice(entry);
        }
    }

    /// The words from the next entry on, if there is one.
    pub fn front(&mut self) -> Option<&[u32]> {
        if self
            .pieces
            .front()
            .is_some_and(|piece| self.at >= piece.len())
        {
            self.pieces.pop_front();
            self.at = 0;
        }
        self.pieces.front()?.get(self.at..)
    }

    /// The next entry had so many words.
    pub fn pop(&mut self, words: usize) {
        self.at += words;
    }

    pub fn is_empty(&self) -> bool {
        match (self.pieces.len(), self.pieces.front()) {
            (1, Some(piece)) => self.at >= piece.len(),
            (pieces, _) => pieces == 0,
        }
    }

    pub fn bytes(&self) -> usize {
        let words: usize = self.pieces.iter().map(Vec::capacity).sum();
        words * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::intern::mix;

    #[test]
    fn a_fingerprint_is_new_once() {
        let mut set = Fingerprints::new();
        assert!((0..50_000).all(|n| set.insert(mix(n))));
        assert!((0..50_000).all(|n| !set.insert(mix(n))));
        assert!(set.bytes() < 50_000 * 16);
    }

    #[test]
    fn a_queue_gives_its_entries_in_order() {
        let mut queue = Queue::default();
        let entry = |n: u32| vec![n; (n % 7 + 1) as usize];
        for n in 0..20_000 {
            queue.push(&entry(n));
        }
        for n in 0..20_000 {
            let expected = entry(n);
            let front = queue.front().expect("an entry");
            assert_eq!(front[..expected.len()], expected[..]);
            queue.pop(expected.len());
        }
        assert!(queue.is_empty() && queue.front().is_none());
    }

    #[test]
    fn a_column_gives_back_what_was_pushed() {
        let mut column = Column::new();
        for n in 0..40_000_u32 {
            column.push(n);
        }
        assert_eq!(
            (column.len(), column.get(39_999), column.get(40_000)),
            (40_000, Some(39_999), None)
        );
        assert!((0..40_000).all(|n| column.get(n) == Some(n)));
    }
}
