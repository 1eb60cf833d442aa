#![allow(missing_docs, clippy::unwrap_used)]
use highwater::text::{Text, because::Narrator};
use std::collections::BTreeMap;
fn main() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for file in std::env::args().skip(1) {
        let s = std::fs::read_to_string(&file).unwrap();
        let scenario =
            highwater_core::scenario::parse(&s).unwrap_or_else(|e| panic!("{file}: {}", e[0]));
        let run = highwater_core::sim::run(&scenario);
        let text = Text::english();
        let n = Narrator::new(&text, &run);
        for e in &run.events {
            let kind = format!("{:?}", e.kind);
            let kind = kind.split([' ', '{']).next().unwrap();
            let said = n.because(e).text;
            seen.entry(format!("{kind}/{:?}", e.cause.rule))
                .or_insert(format!("{said}"));
        }
    }
    for (k, v) in seen {
        println!("{k:45} {v}");
    }
}
