//! Highwater, the page: the rooms that know nothing of a browser are compiled and tested natively too.

pub mod html;
pub mod later;
pub mod picture;
pub mod session;
pub mod share;
pub mod text;
pub mod twin;
pub mod view;

#[cfg(all(target_arch = "wasm32", feature = "page"))]
pub mod browser;
#[cfg(all(target_arch = "wasm32", feature = "page"))]
pub mod ui;
