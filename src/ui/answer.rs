//! The plain answer as the page's headline, and the sentence under it.

use leptos::prelude::*;

use super::context::Lab;
use super::notes;

/// The answer.
pub fn answer(lab: Lab) -> impl IntoView {
    let said = lab.memo({
        let text = lab.text();
        move |session| notes::answer(&text, session.ran())
    });
    let class = move || match said.get().mood {
        notes::Mood::Bad => "ans bad",
        notes::Mood::Good => "ans good",
        notes::Mood::Plain => "ans",
    };
    view! {
        <div class="answer">
            <p class=class role="status">{move || said.get().headline}</p>
            <p class="why">{move || said.get().why}</p>
        </div>
    }
}
