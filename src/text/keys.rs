//! The names of all messages, written by the build script from `en.txt`.

include!(concat!(env!("OUT_DIR"), "/keys.rs"));
