use leptos::prelude::*; use super::context::Lab; pub fn logs(_lab: Lab) -> impl IntoView {}
