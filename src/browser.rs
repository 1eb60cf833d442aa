//! The web APIs that the page uses, one small file each: the only room that names `web_sys` or `gloo`.
//! Nothing here panics: a browser that refuses something is answered with a default.

pub mod address;
pub mod canvas;
pub mod clipboard;
pub mod dom;
pub mod file;
pub mod frame;
pub mod host;
pub mod later;
pub mod load;
pub mod media;
pub mod reader;
pub mod resize;
pub mod sight;
pub mod stop;
pub mod storage;
