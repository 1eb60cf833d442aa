//! Highwater, the page: the rooms that know nothing of a browser are compiled and tested natively too.

pub mod html;
pub mod later;
pub mod picture;
pub mod session;
pub mod share;
pub mod text;

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(target_arch = "wasm32")]
pub mod ui;
