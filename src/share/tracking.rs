//! Names that chats, mail and advertisements add to links: they say nothing of the view.

/// Whole names.
pub const WHOLE: &[&str] = &[
    "igsh",
    "igshid",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "ref",
    "ref_src",
    "ref_url",
    "source",
    "si",
    "spm",
    "from",
    "scene",
    "srsltid",
    "cmpid",
    "trk",
    "isappinstalled",
    "vd_source",
    "nsukey",
    "napm",
];
/// How names begin.
pub const STARTS: &[&str] = &[
    "utm", "_", "gad_", "n_", "pk_", "mtm_", "share", "hs", "at_",
];
/// How names end.
pub const ENDS: &[&str] = &["clid", "braid"];

/// Whether a name that is none of ours is one of them, in small or capital letters.
pub fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WHOLE.contains(&name.as_str())
        || ENDS.iter().any(|end| name.ends_with(end))
        || STARTS.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::is_tracking;
    use highwater_core::scenario::names;

    #[test]
    fn no_setting_is_taken_for_one() {
        for setting in names::ALL {
            for name in [Some(setting.name), setting.alias].into_iter().flatten() {
                assert!(!is_tracking(name), "{name}");
            }
        }
        assert!(is_tracking("UTM_source") && is_tracking("fbclid") && is_tracking("ref"));
    }
}
