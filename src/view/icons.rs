//! Small drawings: controls and the marks of the verdict table. Their shapes carry the meaning, colour only repeats it.

/// Previous event.
pub const PREVIOUS: &str = "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M11 2v10L4 7zM2 2h1.6v10H2z\"/></svg>";
/// Next event.
pub const NEXT: &str = "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M3 2v10l7-5zM10.4 2H12v10h-1.6z\"/></svg>";
/// Play.
pub const PLAY: &str =
    "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M3 1.5v11l9-5.5z\"/></svg>";
/// Pause.
pub const PAUSE: &str =
    "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M3 2h3v10H3zM8 2h3v10H8z\"/></svg>";
/// Add.
pub const PLUS: &str = "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M6.2 2h1.6v4.2H12v1.6H7.8V12H6.2V7.8H2V6.2h4.2z\"/></svg>";
/// Remove.
pub const REMOVE: &str = "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M3.2 2.2 7 6l3.8-3.8 1 1L8 7l3.8 3.8-1 1L7 8l-3.8 3.8-1-1L6 7 2.2 3.2z\"/></svg>";
/// A disclosure; the style sheet turns it.
pub const CHEVRON: &str = "<svg class=\"turns\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M2 4.2 7 9.3l5-5.1 1 1-6 6.1-6-6.1z\"/></svg>";
/// Light and dark.
pub const THEME: &str = "<svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M7 1a6 6 0 1 0 0 12A6 6 0 0 0 7 1zm0 1.5v9a4.5 4.5 0 0 1 0-9z\"/></svg>";
/// Highwater's mark: two stairs.
pub const LOGO: &str = "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path class=\"logo-hw\" d=\"M1 4h6v6h6v6h6\"/><path class=\"logo-leo\" d=\"M7 4h6v6h6\"/></svg>";
/// Answered with success: a disc with a tick.
pub const OK: &str = "<svg class=\"icon-ok\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><circle cx=\"7\" cy=\"7\" r=\"6\"/><path d=\"M4 7.2l2.2 2.2L10 5\"/></svg>";
/// Refused: a square with a bar.
pub const REFUSED: &str = "<svg class=\"icon-refused\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><rect x=\"1.5\" y=\"1.5\" width=\"11\" height=\"11\"/><path d=\"M4 7h6\"/></svg>";
/// Unknown: a ring with a question mark.
pub const UNKNOWN: &str = "<svg class=\"icon-unknown\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><circle cx=\"7\" cy=\"7\" r=\"5.6\"/><text x=\"7\" y=\"10.2\">?</text></svg>";
/// Lost: a cross.
pub const LOST: &str = "<svg class=\"icon-lost\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M2.5 2.5l9 9M11.5 2.5l-9 9\"/></svg>";
/// There more than once: two squares.
pub const DUPLICATED: &str = "<svg class=\"icon-dup\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><path d=\"M1.5 1.5h7v7h-7z\"/><path d=\"M5.5 5.5h7v7h-7z\"/></svg>";
/// Unavailable: a ring with a bar across.
pub const UNAVAILABLE: &str = "<svg class=\"icon-unknown\" viewBox=\"0 0 14 14\" aria-hidden=\"true\"><circle cx=\"7\" cy=\"7\" r=\"5.6\"/><path d=\"M3 11 11 3\"/></svg>";
