//! Recordings of real clusters as the page fetches them ([`highwater::session::recorded`]).

use highwater_core::scenario::trace::Trace;

pub use highwater::later::recording::file;

/// The name of the list of recordings, and its text: `id<TAB>version<TAB>title` a line.
pub fn index(recordings: &[Trace]) -> (&'static str, String) {
    let mut index = String::new();
    for recording in recordings {
        index.push_str(&format!(
            "{}\t{}\t{}\n",
            recording.id, recording.kafka, recording.title
        ));
    }
    ("index.txt", index)
}

#[cfg(test)]
mod tests {
    use highwater::session::against::compare;
    use highwater::session::recorded::Recorded;
    use highwater::session::{Command, Session};

    /// What a reader sees on the page for a recording is what the conformance test asserts: every value is the same.
    #[test]
    fn the_page_shows_every_recorded_value_and_the_model_has_it() {
        let (mut values, mut wrong) = (0, Vec::new());
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for recording in crate::render::recordings(&root).expect("the recordings can be read") {
            let file = super::file(&recording);
            let mut session = Session::default();
            session.apply(Command::LoadTrace {
                id: recording.id.clone(),
                file: file.clone(),
            });
            assert_eq!(session.refusal(), None, "{}", recording.id);
            assert_eq!(**session.errors(), [], "{}", recording.id);
            let recorded = Recorded::read(&recording.id, &file).expect("the file can be read");
            let rows = compare(&recorded, session.ran());
            values += rows.len();
            wrong.extend(
                rows.into_iter()
                    .filter(|row| !row.same())
                    .map(|row| format!("{}: {row:?}", recording.id)),
            );
        }
        assert!(values > 3_000, "{values}");
        assert_eq!(wrong, Vec::<String>::new());
    }
}
