//! Settings that are set and have no effect, or another one than their value says.

use highwater_core::kafka::settings::Settings;

use super::Text;
use crate::say;

/// One sentence for each such setting, in the order of the page.
pub fn not_in_force(text: &Text, settings: &Settings) -> Vec<String> {
    let mut sentences = Vec::new();
    if settings.idempotence && !settings.idempotence_in_force() {
        sentences.push(say!(text, NoteIdempotence));
    }
    if settings.elr && !settings.elr_enabled() {
        sentences.push(say!(text, NoteElr, version = settings.version.name()));
    }
    let min = settings.effective_min_isr(settings.min_insync_replicas);
    if min != settings.min_insync_replicas {
        sentences.push(say!(text, NoteMinIsr, min = min));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use highwater_core::scenario::names;

    #[test]
    fn a_setting_without_effect_is_said_and_one_in_force_is_not() {
        let text = Text::english();
        let said = |pairs: &[(&str, &str)]| {
            let mut settings = Settings::default();
            names::set_all(&mut settings, pairs).expect("settings");
            not_in_force(&text, &settings)
        };
        assert_eq!(said(&[("acks", "all")]), Vec::<String>::new());
        let with = |retries| {
            said(&[
                ("acks", "all"),
                ("enable.idempotence", "true"),
                ("retries", retries),
            ])
        };
        assert_eq!(with("3"), Vec::<String>::new());
        assert!(matches!(&with("0")[..], [one] if one.contains("enable.idempotence")));
        let old = said(&[("version", "3.7"), ("elr", "true")]);
        assert!(
            old.iter().any(|sentence| sentence.contains("3.7")),
            "{old:?}"
        );
    }
}
