//! The script language: values, text with positioned errors, canonical printer, JSON.

mod arguments;
pub mod check;
mod convert;
pub mod error;
#[cfg(feature = "json")]
pub mod file;
mod form;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "json")]
mod json_item;
mod lexer;
mod lists;
pub mod names;
pub mod parser;
pub mod printer;
pub mod time;
#[cfg(feature = "json")]
pub mod trace;
pub mod value;
mod verbs;
mod words;

pub use error::{Counted, Expected, ScriptError, SettingError};
#[cfg(feature = "json")]
pub use json::{from_json, to_json};
pub use parser::{Parsed, parse, parse_bytes, parse_with_lines};
pub use printer::{print, print_action, print_step};
pub use value::{
    Action, ConfigChange, ElectionKind, Produce, Scenario, Start, StartReplica, Step, When,
};
pub use words::nearest;
