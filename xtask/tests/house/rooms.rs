//! The tables of the house: what each room may import.

/// One room: a module at the top of a package.
pub struct Room {
    /// Its name; `main` is `main.rs`.
    pub name: &'static str,
    /// Rooms of the same package, and packages of ours, that it may import.
    pub ours: &'static [&'static str],
    /// Packages of others that it may import besides std.
    pub others: &'static [&'static str],
}

/// The model, in reading order.
pub const CORE: &[Room] = &[
    Room {
        name: "kafka",
        ours: &[],
        others: &[],
    },
    // The JSON forms of scenario and run are read and written with serde.
    Room {
        name: "scenario",
        ours: &["kafka"],
        others: &["serde", "serde_json"],
    },
    Room {
        name: "sim",
        ours: &["kafka", "scenario"],
        others: &["serde", "serde_json"],
    },
    Room {
        name: "operator",
        ours: &["kafka", "sim"],
        others: &[],
    },
    Room {
        name: "check",
        ours: &["kafka", "scenario", "sim"],
        others: &[],
    },
];

/// The application, in reading order. Only `browser` names a crate of the web API.
pub const APP: &[Room] = &[
    Room {
        name: "share",
        ours: &["highwater_core"],
        others: &[],
    },
    Room {
        name: "text",
        ours: &["highwater_core"],
        others: &[],
    },
    Room {
        name: "picture",
        ours: &["highwater_core", "text"],
        others: &[],
    },
    Room {
        name: "html",
        ours: &["picture"],
        others: &[],
    },
    Room {
        name: "session",
        ours: &["highwater_core", "share", "text", "picture"],
        others: &[],
    },
    Room {
        name: "twin",
        ours: &["highwater_core", "session", "share", "text", "picture"],
        others: &[],
    },
    Room {
        name: "later",
        ours: &[
            "highwater_core",
            "session",
            "share",
            "text",
            "picture",
            "twin",
        ],
        others: &[],
    },
    Room {
        name: "bin",
        ours: &["later", "twin", "browser"],
        others: &["wasm_bindgen"],
    },
    Room {
        name: "browser",
        ours: &[],
        others: &[
            "web_sys",
            "js_sys",
            "gloo_timers",
            "wasm_bindgen",
            "wasm_bindgen_futures",
        ],
    },
    Room {
        name: "view",
        ours: &["session", "picture", "text", "html"],
        others: &[],
    },
    Room {
        name: "ui",
        ours: &["view", "session", "picture", "text", "html", "browser"],
        others: &["leptos"],
    },
    Room {
        name: "embed",
        ours: &["ui", "session", "share", "browser"],
        others: &["leptos"],
    },
    Room {
        name: "main",
        ours: &["ui", "embed"],
        others: &["leptos"],
    },
];

/// Our packages, as they are written in paths.
pub const PACKAGES: &[&str] = &["highwater_core", "highwater"];

/// Packages of others that are worth a rule. A name that is not here is taken for a local one.
pub const OTHERS: &[&str] = &[
    "serde",
    "serde_json",
    "leptos",
    "leptos_dom",
    "reactive_graph",
    "any_spawner",
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "gloo",
    "gloo_timers",
    "gloo_net",
    "gloo_storage",
    "gloo_utils",
    "proptest",
];

/// Names that count wherever they stand in a path: Leptos exports the first one again.
pub const WEB_API: &[&str] = &[
    "web_sys",
    "js_sys",
    "gloo",
    "gloo_timers",
    "gloo_net",
    "gloo_storage",
    "gloo_utils",
];
