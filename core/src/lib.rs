//! Highwater core.
