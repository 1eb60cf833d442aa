//! Numbers for values: equal values get equal numbers, in the order of their first appearance, so that nothing depends on
//! the order of a hash table. And a table from 64-bit keys to small values.

use core::borrow::Borrow;
use core::hash::{Hash, Hasher};

/// A fast hasher without a secret: the same on every platform for the types that are hashed here.
#[derive(Default)]
struct Folding(u64);

/// Mixes 64 bits so that each input bit reaches every output bit; one to one. Only 64-bit products: wasm has no wider ones.
pub(super) fn mix(value: u64) -> u64 {
    let once = (value ^ (value >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let twice = (once ^ (once >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    twice ^ (twice >> 32)
}

/// Where a key of a table goes: enough for keys that are small numbers side by side.
fn spread(key: u64) -> usize {
    let product = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (product ^ (product >> 32)) as usize
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        mix(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for eight in bytes.chunks(8) {
            let fold = |word, byte: &u8| word << 8 | u64::from(*byte);
            self.write_u64(eight.iter().fold(0, fold));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ value);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = Folding::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Values by number.
#[derive(Clone, Debug)]
pub(super) struct Interner<T> {
    items: Vec<T>,
    /// Number + 1 of the value that lies there; 0 = free. The length is a power of two.
    slots: Vec<u32>,
}

impl<T: Hash + Eq> Interner<T> {
    pub fn new() -> Interner<T> {
        Interner {
            items: Vec::new(),
            slots: vec![0; 64],
        }
    }

    /// The number of a value, and whether it is new.
    pub fn number(&mut self, value: T) -> (u32, bool) {
        match self.find(&value) {
            Ok(number) => (number, false),
            Err(place) => (self.put(place, value), true),
        }
    }

    /// The number of a borrowed value, and whether it is new: only then it is copied.
    pub fn number_of<Q>(&mut self, value: &Q) -> (u32, bool)
    where
        Q: Hash + Eq + ?Sized,
        T: Borrow<Q> + for<'a> From<&'a Q>,
    {
        match self.find(value) {
            Ok(number) => (number, false),
            Err(place) => (self.put(place, T::from(value)), true),
        }
    }

    /// The number of a value, or the slot for it.
    fn find<Q>(&mut self, value: &Q) -> Result<u32, usize>
    where
        Q: Hash + Eq + ?Sized,
        T: Borrow<Q>,
    {
        if self.items.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut place = hash_of(value) as usize & mask;
        loop {
            match self.slots[place] {
                0 => return Err(place),
                number if self.items[number as usize - 1].borrow() == value => {
                    return Ok(number - 1);
                }
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn put(&mut self, place: usize, value: T) -> u32 {
        let number = self.items.len() as u32;
        self.items.push(value);
        self.slots[place] = number + 1;
        number
    }

    /// The value of that number.
    pub fn get(&self, number: u32) -> &T {
        &self.items[number as usize]
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The bytes of table and values, without what the values point to.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * 4 + self.items.capacity() * size_of::<T>()
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = vec![0; size];
        for (place, item) in self.items.iter().enumerate() {
            let mut slot = hash_of(item) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = place as u32 + 1;
        }
    }
}

/// From 64-bit keys, none of them 0, to small values.
#[derive(Clone, Debug)]
pub(super) struct Table<V> {
    slots: Vec<(u64, V)>,
    used: usize,
}

impl<V: Copy + Default> Table<V> {
    pub fn new() -> Table<V> {
        Table {
            slots: vec![(0, V::default()); 256],
            used: 0,
        }
    }

    pub fn get(&self, key: u64) -> Option<V> {
        let mask = self.slots.len() - 1;
        let mut place = spread(key) & mask;
        loop {
            let (found, value) = self.slots[place];
            if found == key {
                return Some(value);
            }
            if found == 0 {
                return None;
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds a key that is not there.
    pub fn insert(&mut self, key: u64, value: V) {
        if self.used * 3 >= self.slots.len() * 2 {
            let size = self.slots.len() * 2;
            let old = core::mem::replace(&mut self.slots, vec![(0, V::default()); size]);
            for (key, value) in old {
                if key != 0 {
                    self.put(key, value);
                }
            }
        }
        self.put(key, value);
        self.used += 1;
    }

    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, V)>()
    }

    fn put(&mut self, key: u64, value: V) {
        let mask = self.slots.len() - 1;
        let mut place = spread(key) & mask;
        while self.slots[place].0 != 0 {
            place = (place + 1) & mask;
        }
        self.slots[place] = (key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_number() {
        let mut interner = Interner::new();
        for value in 0..1_000_u32 {
            assert_eq!(interner.number(value.to_string()), (value, true));
        }
        for value in 0..1_000_u32 {
            assert_eq!(interner.number(value.to_string()), (value, false));
            assert_eq!(*interner.get(value), value.to_string());
        }
        assert_eq!(interner.len(), 1_000);
    }

    #[test]
    fn a_table_gives_back_what_was_put_in() {
        let mut table = Table::new();
        for key in 1..5_000_u64 {
            table.insert(key << 20, key as u32);
        }
        assert!((1..5_000_u64).all(|key| table.get(key << 20) == Some(key as u32)));
        assert_eq!(table.get(3), None);
    }
}
