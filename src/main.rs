//! Entry of the page. On wasm32 it mounts the application; natively it says how to see it.

#[cfg(target_arch = "wasm32")]
fn main() {
    highwater::ui::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("Highwater is a web page: `cargo xtask serve` builds and serves it.");
}
