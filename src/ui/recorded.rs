use leptos::prelude::*; use super::context::Lab; pub fn against(_lab: Lab) -> impl IntoView {}
