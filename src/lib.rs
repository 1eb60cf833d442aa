//! Highwater, the page: the rooms that know nothing of a browser are compiled and tested natively too.

pub mod picture;
pub mod text;
