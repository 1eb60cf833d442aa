use leptos::prelude::*; use super::context::Lab; pub fn figure(_lab: Lab) -> impl IntoView {}
