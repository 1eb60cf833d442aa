//! What the files of cases say of themselves: the tests they were typed from, the places where users asked.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A case that was typed from one of Kafka's tests.
#[derive(Deserialize)]
pub struct UnitCase {
    /// Its name.
    pub id: String,
    /// Class and method.
    pub source: String,
}

/// What users asked or reported.
#[derive(Deserialize)]
pub struct UserCase {
    /// Its name.
    pub id: String,
    /// In our words.
    pub title: String,
    /// Where it was asked.
    pub sources: Vec<String>,
}

/// The user cases of a file.
#[derive(Deserialize)]
pub struct UserCases {
    /// All of them.
    pub cases: Vec<UserCase>,
}

/// One exhaustive search.
#[derive(Deserialize)]
pub struct Search {
    /// Its name.
    pub id: String,
    /// What is searched.
    pub settings: Searched,
    /// How often which fault may happen; a number or `unbounded`.
    pub faults: BTreeMap<String, serde_json::Value>,
    /// For each property the length of the shortest way to its violation; none = it holds.
    pub expect: BTreeMap<String, Option<u64>>,
}

/// The settings of a search that are told.
#[derive(Deserialize)]
pub struct Searched {
    /// Replicas.
    pub rf: u64,
    /// Records that are produced.
    pub records: u64,
    /// acks.
    pub acks: String,
    /// min.insync.replicas.
    pub min_isr: u64,
    /// ELR.
    pub elr: bool,
    /// Unclean election.
    pub unclean: bool,
    /// How logs are made to agree.
    pub truncation: String,
}

/// The class of a unit case: what stands before the first point of its source, as in `PartitionTest.testX`.
pub fn class(source: &str) -> &str {
    let end = source.find(|c: char| !c.is_ascii_alphanumeric());
    end.map_or(source, |end| &source[..end])
}

/// How many cases are of each class, the most first.
pub fn classes(cases: &[UnitCase]) -> Vec<(&str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases {
        *counts.entry(class(&case.source)).or_default() += 1;
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    list
}

/// A source of a user case: its words, and its address where it has one (an issue, or a web page).
pub fn address(source: &str) -> Option<String> {
    let first = source.split_whitespace().next()?;
    if first.starts_with("https://") {
        return Some(first.trim_end_matches([',', ';']).to_owned());
    }
    let (repository, number) = first.split_once('#')?;
    let number = number.trim_end_matches(|c: char| !c.is_ascii_digit());
    let (owner, name) = repository.split_once('/')?;
    let plain = |text: &str| {
        let ok = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !text.is_empty() && text.chars().all(ok)
    };
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (plain(owner) && plain(name) && numbered)
        .then(|| format!("https://github.com/{owner}/{name}/issues/{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_an_address_where_it_names_one() {
        assert_eq!(
            address("apache/kafka#1146 (KAFKA-3471)").as_deref(),
            Some("https://github.com/apache/kafka/issues/1146")
        );
        assert_eq!(
            address("https://a.example/b (more)").as_deref(),
            Some("https://a.example/b")
        );
        for none in [
            "github:owner/repo:path",
            "index id 3",
            "a/b#",
            "a b/c#1",
            "",
        ] {
            assert_eq!(address(none), None, "{none}");
        }
    }

    #[test]
    fn the_class_of_a_case_is_what_its_source_begins_with() {
        assert_eq!(class("PartitionTest.testX"), "PartitionTest");
        assert_eq!(class("UnifiedLog.append (duplicate)"), "UnifiedLog");
    }
}
