//! The topic that a run is about, as an operator names it.

/// A topic: its name and its id. The partition is always 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name.
    pub name: String,
    /// Its id: 22 characters, as `Uuid.toString` writes 16 bytes.
    pub id: String,
}

impl Default for Topic {
    /// The topic of the lab: `orders`.
    fn default() -> Topic {
        Topic::named("orders")
    }
}

impl Topic {
    /// A topic of that name; its id is made from the name, so that it is the same every time.
    pub fn named(name: &str) -> Topic {
        Topic {
            name: name.to_owned(),
            id: id_of(name),
        }
    }

    /// The partition as logs and directories name it: `orders-0`.
    pub fn partition(&self) -> String {
        format!("{}-0", self.name)
    }
}

/// An id in the form of `Uuid.toString` (base64 for URLs, no padding), made from a text. It says nothing; a real one is
/// random.
pub fn id_of(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // FNV-1a, which is enough to make names differ; and a second round for the other eight bytes.
    let hash = |seed: u64| {
        text.bytes().fold(seed, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let first = hash(0xcbf2_9ce4_8422_2325);
    let bits = (u128::from(first) << 64) | u128::from(hash(first.rotate_left(32)));
    let letter = |place: u32| {
        // 128 bits are 21 letters of six bits and one of two; the last one is filled with zeros.
        let shifted = match 122_u32.checked_sub(place * 6) {
            Some(shift) => bits >> shift,
            None => bits << 4,
        };
        char::from(LETTERS[(shifted & 63) as usize])
    };
    (0..22).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_the_form_of_a_uuid() {
        let id = Topic::named("orders").id;
        assert_eq!(id.len(), 22);
        assert_eq!(id, Topic::named("orders").id);
        assert_ne!(id, Topic::named("payments").id);
        // Two bits are left for the last letter: A, Q, g or w.
        assert!(id.ends_with(['A', 'Q', 'g', 'w']), "{id}");
    }
}
