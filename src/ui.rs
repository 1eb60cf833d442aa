//! The page in the browser. The state is one Leptos signal; the page is made of regions (`view`), each a pure function
//! from the state to markup, which is worked out again when an aspect of the state that it names has changed, and put into
//! the document when it differs. Events are heard at the root and read from `data-do`.

mod address;
mod behind;
mod copy;
mod events;
mod file;
mod host;
mod lab;
mod lane;
mod language;
mod near;
mod page;
mod swipe;
mod tour;

use crate::html;

pub use page::mount;
