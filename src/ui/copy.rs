//! What is copied: the script, the transcript.

use leptos::task::spawn_local;

use super::lab::Lab;
use crate::browser::clipboard;
use crate::text::transcript::{self, Detail};

/// The script as text.
pub fn script(lab: Lab) {
    let words = lab.peek(|state| state.session.text().to_string());
    spawn_local(async move {
        let worked = clipboard::write(&words).await;
        lab.change(|state| state.copied = Some(worked));
    });
}

/// The whole run in words, and the verdict under it.
pub fn transcript(lab: Lab) {
    let words = lab.peek(|state| {
        let ran = state.session.ran();
        let lines = transcript::transcript(&state.text, &ran.run, Detail::Plain);
        lines + "\n" + &transcript::verdict_text(&state.text, &ran.verdict)
    });
    spawn_local(async move {
        let worked = clipboard::write(&words).await;
        lab.change(|state| state.transcribed = Some(worked));
    });
}
