//! The plain answer as the page's headline, and the sentences under it.

use leptos::prelude::*;

use super::context::Lab;
use crate::text::headline::{Worst, headline};

/// The answer.
pub fn answer(lab: Lab) -> impl IntoView {
    let said = lab.memo({
        let text = lab.text();
        move |session| headline(&text, &session.ran().verdict)
    });
    let class = move || match said.get().worst {
        Worst::Lost => "ans bad",
        Worst::Safe => "ans good",
        _ => "ans",
    };
    let under = move || {
        let said = said.get();
        let mut sentences = vec![said.line];
        sentences.extend(said.also);
        sentences.join(" ")
    };
    view! {
        <div class="answer">
            <p class=class role="status">{move || said.get().title}</p>
            <p class="why">{under}</p>
        </div>
    }
}
