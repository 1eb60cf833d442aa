//! What the page shows: its state and the regions it is made of, each a pure function from the state to markup. Nothing
//! here knows of a browser: `ui` keeps the document equal to it, and what is shown before the module is there is drawn by
//! the same functions while the page is built.
//!
//! Why not a component for every button: each differently typed view costs about a kilobyte of wasm, and views were the
//! larger half of the module. A region costs its words.

pub mod address;
pub mod against;
pub mod compare;
pub mod figure;
pub mod first;
pub mod icons;
pub mod lane;
pub mod logs;
pub mod matrix;
pub mod menu;
pub mod near;
pub mod page;
pub mod playback;
pub mod regions;
pub mod script;
pub mod settings;
pub mod side;
pub mod skeleton;
pub mod state;
pub mod tour;
pub mod verdict;
pub mod widget;

use crate::html;

#[cfg(test)]
mod tests;
