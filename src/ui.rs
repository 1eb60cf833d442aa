//! The page in the browser. The state is one Leptos signal; the page is made of regions, each a pure function from the
//! state to markup, which is worked out again when an aspect of the state that it names has changed, and put into the
//! document when it differs. Events are heard at the root and read from `data-do`.
//!
//! Why not a component for every button: each differently typed view costs about a kilobyte of wasm, and views were the
//! larger half of the module. A region costs its words.

mod address;
mod against;
mod compare;
mod copy;
mod events;
mod figure;
mod file;
mod host;
mod icons;
mod lab;
mod lane;
mod language;
mod logs;
mod matrix;
mod menu;
mod near;
mod page;
mod playback;
mod regions;
mod script;
mod settings;
mod side;
mod skeleton;
mod state;
mod tour;
mod verdict;
mod widget;

use crate::html;

pub use page::mount;
