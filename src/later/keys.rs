//! The names of the messages of `later/text`, written by the build script from its `en.txt`.

include!(concat!(env!("OUT_DIR"), "/later_keys.rs"));
