//! Tests of the whole picture on runs of the engine.
