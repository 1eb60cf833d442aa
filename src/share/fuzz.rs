//! Texts that were harmed at random, always the same ones: for tests of what reads the texts of strangers.

/// Texts made of seeds by up to six changes each.
pub struct Harmed {
    seeds: &'static [&'static str],
    signs: &'static [u8],
    state: u64,
    round: usize,
}

impl Harmed {
    /// From these seeds, with these signs put between.
    pub fn new(seeds: &'static [&'static str], signs: &'static [u8]) -> Harmed {
        Harmed {
            seeds,
            signs,
            state: 0x9e37_79b9_7f4a_7c15,
            round: 0,
        }
    }

    /// So many as `HIGHWATER_FUZZ` asks for, or as many as every run of the tests has time for.
    pub fn count(usual: u64) -> u64 {
        let asked = std::env::var("HIGHWATER_FUZZ").ok();
        asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// The next text.
    pub fn text(&mut self) -> String {
        let mut bytes = self.seeds[self.round % self.seeds.len()]
            .as_bytes()
            .to_vec();
        self.round += 1;
        for _ in 0..=self.next() % 6 {
            let at = (self.next() as usize) % bytes.len();
            match self.next() % 4 {
                0 => bytes[at] = self.next() as u8,
                1 => bytes.insert(at, self.signs[self.next() as usize % self.signs.len()]),
                2 => drop(bytes.drain(at..(at + (self.next() as usize) % 8).min(bytes.len()))),
                _ => {
                    let part: Vec<u8> = bytes[at..(at + 20).min(bytes.len())].to_vec();
                    bytes.extend(part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'?');
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The slowest of many, measured again when the machine may have done something else meanwhile.
#[derive(Default)]
pub struct Slowest {
    /// How long it took.
    pub took: std::time::Duration,
    /// Of which text.
    pub text: String,
}

impl Slowest {
    /// What `read` makes of a text.
    pub fn of<R>(&mut self, text: &str, read: impl Fn() -> R) -> R {
        let timed = |tries: u32| {
            let times = (0..tries).map(|_| {
                let started = std::time::Instant::now();
                (read(), started.elapsed())
            });
            times.min_by_key(|(_, took)| *took).expect("tries")
        };
        let (mut made, mut took) = timed(1);
        if took > self.took {
            (made, took) = timed(5);
        }
        if took > self.took {
            (self.took, self.text) = (took, text.to_owned());
        }
        made
    }

    /// The bar of a build with optimisation; what runs without is some ten times slower.
    pub fn check(&self) {
        let bar = if cfg!(debug_assertions) { 500 } else { 50 };
        let bar = std::time::Duration::from_millis(bar);
        assert!(self.took < bar, "{:?}: {:?}", self.took, self.text);
    }
}
