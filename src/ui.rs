//! The page in the browser: components that read the session through memos and change it with commands.

mod add_step;
mod answer;
mod context;
mod figure;
mod handles;
mod header;
mod icons;
mod logs;
mod menu;
mod notes;
mod page;
mod parts;
mod playback;
mod recorded;
mod script;
mod scrub;
mod settings;
mod side;
mod transcript;
mod verdict;

pub use page::mount;
