use leptos::prelude::*; use super::context::Lab; pub fn handles(_lab: Lab) -> impl IntoView {}
