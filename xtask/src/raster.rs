//! A twin as PNG, drawn by resvg with the fonts of the system: no browser, the same picture on every machine that has the
//! same fonts.

use std::sync::{Arc, Mutex};

use highwater::twin::Twin;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, ID};
use resvg::usvg::{FontResolver, Options, Tree};

use crate::{Failure, Outcome};

/// The longest side of a PNG in px.
const LONGEST: u32 = 16_000;

/// The PNG of a twin; one px of the drawing is `scale` px.
pub fn png(twin: &Twin, scale: u32) -> Outcome<Vec<u8>> {
    Raster::new()?.draw(&twin.svg, twin.size, scale)
}

/// Draws pictures with the fonts of the system, which are read once.
pub struct Raster {
    options: Options<'static>,
    missing: Arc<Mutex<Vec<char>>>,
}

impl Raster {
    /// Reads the fonts.
    pub fn new() -> Outcome<Raster> {
        let missing = Arc::new(Mutex::new(Vec::new()));
        let options = options(Arc::clone(&missing));
        if options.fontdb.is_empty() {
            return Err(Failure::work(FONTS));
        }
        Ok(Raster { options, missing })
    }

    /// The PNG of an SVG of that size; one px of it is `scale` px.
    pub fn draw(&self, svg: &str, size: (u32, u32), scale: u32) -> Outcome<Vec<u8>> {
        let (width, height) = (size.0 * scale, size.1 * scale);
        if width.max(height) > LONGEST {
            return Err(Failure::Input(format!(
                "the picture would have {width} × {height} px, expected at most {LONGEST} each; ask for a lower --scale, or for SVG"
            )));
        }
        let failed = |error: &dyn std::fmt::Display| {
            Failure::work(format!("the picture cannot be drawn: {error}"))
        };
        // Weights between the hundreds are unknown to the library and would be taken for normal.
        let svg = svg.replace("font-weight:650", "font-weight:600");
        self.missing.lock().map_err(|error| failed(&error))?.clear();
        let tree = Tree::from_str(&svg, &self.options).map_err(|error| failed(&error))?;
        let mut missing = self.missing.lock().map_err(|error| failed(&error))?;
        missing.sort_unstable();
        missing.dedup();
        if !missing.is_empty() {
            let letters: String = missing.iter().take(12).collect();
            return Err(Failure::work(format!(
                "no font of this system has the letters {letters}; {FONTS}"
            )));
        }
        let mut pixmap = Pixmap::new(width, height).ok_or_else(|| failed(&"it has no size"))?;
        let scale = scale as f32;
        resvg::render(
            &tree,
            Transform::from_scale(scale, scale),
            &mut pixmap.as_mut(),
        );
        pixmap.encode_png().map_err(|error| failed(&error))
    }
}

const FONTS: &str = "PNG files are drawn with the fonts of the system; install some (Debian: `apt-get install fonts-dejavu-core fonts-noto-cjk`)";

/// The fonts of the system. Letters that no font has are noted: a picture without its words must not pass for one.
fn options(missing: Arc<Mutex<Vec<char>>>) -> Options<'static> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    let usual = FontResolver::default_fallback_selector();
    let sans = Mutex::new(Arc::new(without_serifs(&options.fontdb)));
    options.font_resolver = FontResolver {
        select_font: FontResolver::default_font_selector(),
        select_fallback: Box::new(
            move |letter, used, fonts: &mut Arc<Database>| -> Option<ID> {
                let preferred = usual(letter, used, &mut *sans.lock().ok()?);
                let found = preferred.or_else(|| usual(letter, used, fonts));
                if found.is_none() && !letter.is_whitespace() && !letter.is_control() {
                    missing.lock().ok()?.push(letter);
                }
                found
            },
        ),
    };
    options
}

/// The same fonts, by the same ids, without those that have serifs or one width: they are the last choice for a letter
/// that the chosen font does not have.
fn without_serifs(fonts: &Database) -> Database {
    let mut sans = fonts.clone();
    let is_sans = |name: &str| !name.contains("Serif") && !name.contains("Mono");
    let others = fonts
        .faces()
        .filter(|face| !face.families.iter().any(|(name, _)| is_sans(name)));
    others.for_each(|face| sans.remove_face(face.id));
    sans
}
