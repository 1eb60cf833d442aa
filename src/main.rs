//! Entry of the page. On wasm32 it mounts the application; natively it says how to see it.

#[cfg(target_arch = "wasm32")]
fn main() {
    use leptos::prelude::*;

    mount_to_body(|| view! { <main><h1>"Highwater"</h1></main> });
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("Highwater is a web page: `cargo xtask serve` builds and serves it.");
}
