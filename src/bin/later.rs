//! The module of what loads later ([`highwater::later`]). On wasm32 it exports functions, which `src/browser/later.rs` and
//! `public/boot.js` call; natively it does nothing.

#[cfg(target_arch = "wasm32")]
mod exports {
    use std::cell::RefCell;

    use highwater::browser::{canvas, file, load};
    use highwater::later::open::{Opened, open};
    use highwater::later::picture::{Asked, scale, twin, wanted_recording};
    use highwater::later::{Desk, recording_address, words_of};
    use highwater::twin::png;
    use wasm_bindgen::prelude::wasm_bindgen;

    thread_local! {
        static DESK: RefCell<Desk> = RefCell::default();
    }

    /// The markup of a view; an exception for the page to show when there is none.
    ///
    /// # Errors
    /// As [`highwater::later::Desk::answer`].
    #[wasm_bindgen]
    pub fn answer(view: &str, scenario: &str, asked: &str) -> Result<String, String> {
        DESK.with_borrow_mut(|desk| desk.answer(view, scenario, asked))
    }

    /// Speaks the language of a tag from now on; `file` is that of the page, empty for English.
    ///
    /// # Errors
    /// As [`highwater::later::Desk::speak`].
    #[wasm_bindgen]
    pub fn speak(tag: &str, file: String) -> Result<(), String> {
        DESK.with_borrow_mut(|desk| desk.speak(tag, file))
    }

    /// Hands out the picture of a view as a file that is named `name`, `kind` being `svg` or `png`.
    ///
    /// # Errors
    /// A reason for people.
    #[wasm_bindgen]
    pub async fn picture(
        language: String,
        kind: String,
        name: String,
        link: String,
        page: String,
        theme: String,
    ) -> Result<Vec<String>, String> {
        let text = words_of(&language, fetched(&language).await?)?;
        let recording = match wanted_recording(&link) {
            Some(id) => Some(load::text(&recording_address(&id)).await?),
            None => None,
        };
        let asked = Asked {
            link: &link,
            page: &page,
            theme: &theme,
        };
        let drawn = twin(&asked, recording, &text)?;
        if kind == "svg" {
            file::save(&name, drawn.svg.as_bytes(), "image/svg+xml");
            return Ok(Vec::new());
        }
        let scale = scale(&drawn, &text)?;
        let painted = canvas::png(&drawn.svg, drawn.size, scale).await?;
        let texts = [
            (png::LINK, drawn.link.as_str()),
            ("Title", &drawn.title),
            ("Description", &drawn.about),
        ];
        file::save(&name, &png::with_texts(&painted, &texts), "image/png");
        Ok(Vec::new())
    }

    /// What a file is: `link`, `script` or `recording`, and its content.
    ///
    /// # Errors
    /// A sentence for the reader.
    #[wasm_bindgen]
    pub async fn read(
        language: String,
        name: String,
        bytes: Vec<u8>,
    ) -> Result<Vec<String>, String> {
        let text = words_of(&language, fetched(&language).await?)?;
        let (kind, content) = match open(&name, &bytes, &text)? {
            Opened::Link(link) => ("link", link),
            Opened::Script(script) => ("script", script),
            Opened::Recording(file) => ("recording", file),
        };
        Ok(vec![kind.to_owned(), content])
    }

    /// The file of a language, which the page has fetched before, so that it is in the browser's cache.
    async fn fetched(language: &str) -> Result<String, String> {
        match highwater::later::words_address(language) {
            Some(address) => load::text(address).await,
            None => Ok(String::new()),
        }
    }
}

fn main() {}
