//! The picture of a view as a file ([`crate::twin`]), for the button on the page.

use crate::picture::style::Theme;
use crate::say;
use crate::session::{Command, Session};
use crate::text::Text;
use crate::twin::{Twin, Wanted};

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The query of the view, perhaps with what the author of a widget sets.
    pub link: &'a str,
    /// The address of the page, before the `?`.
    pub page: &'a str,
    /// The theme that the reader chose, by name.
    pub theme: &'a str,
}

/// The recording that has to be fetched for a link, by its id.
pub fn wanted_recording(link: &str) -> Option<String> {
    Session::of_widget(link)
        .0
        .wanted_recording()
        .map(str::to_owned)
}

/// The twin; `recording` is what was fetched.
///
/// # Errors
/// What of the link cannot be read: the page made it, so this would be a fault of ours.
pub fn twin(asked: &Asked<'_>, recording: Option<String>, text: &Text) -> Result<Twin, String> {
    let (mut session, mut options) = Session::of_widget(asked.link);
    let wanted = session.wanted_recording().map(str::to_owned);
    if let (Some(id), Some(file)) = (wanted, recording) {
        session.apply(Command::LoadTrace { id, file });
        session.finish_widget(&mut options);
    }
    if session.wanted_recording().is_some() || !options.mistakes.is_empty() {
        return Err(asked.link.to_owned());
    }
    // What the author sets comes before what the reader of this page chose.
    let own = Theme::of(options.theme).filter(|theme| *theme != Theme::Auto);
    let wanted = Wanted {
        theme: own.or(Theme::of(asked.theme)).unwrap_or_default(),
        page: asked.page,
        hidden: options.show.map(|shown| !shown),
        ..Wanted::default()
    };
    Ok(Twin::of(&session, text, &wanted))
}

/// How many px of a PNG one px of the drawing is: two, for sharp screens, unless that is more than a browser can paint.
///
/// # Errors
/// The sentence for a picture that is too tall at any scale.
pub fn scale(twin: &Twin, text: &Text) -> Result<u32, String> {
    let longest = twin.size.0.max(twin.size.1);
    let area = u64::from(twin.size.0) * u64::from(twin.size.1);
    let fits = |scale: &u32| longest * scale <= SIDE && area * u64::from(scale * scale) <= AREA;
    [2, 1]
        .into_iter()
        .find(fits)
        .ok_or_else(|| say!(text, PictureTooTall, max = SIDE))
}

/// The longest side and the largest area that the canvas of every browser has (Safari's are the least).
const SIDE: u32 = 16_384;
const AREA: u64 = 16_777_216;

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(link: &str) -> Asked<'_> {
        Asked {
            link,
            page: "https://example.org/",
            theme: "dark",
        }
    }

    #[test]
    fn a_recording_has_to_be_fetched_first() {
        let link = "?recording=a&at=0&v=1";
        assert_eq!(wanted_recording(link).as_deref(), Some("a"));
        assert_eq!(
            twin(&asked(link), None, &Text::english()),
            Err(link.to_owned())
        );
        let file =
            "highwater recording 1\nkafka 4.4.0\nrecorded 1\nscript\nat 0ms produce\nobserved\n";
        let drawn = twin(&asked(link), Some(file.to_owned()), &Text::english()).expect("a twin");
        assert_eq!(
            drawn.link,
            "https://example.org/?recording=a&at=0&lang=en&v=1"
        );
    }

    #[test]
    fn a_picture_is_sharp_where_there_is_room() {
        let mut drawn = Twin {
            size: (1_000, 1_000),
            ..Twin::default()
        };
        let text = Text::english();
        assert_eq!(scale(&drawn, &text), Ok(2));
        drawn.size = (1_000, 9_000);
        assert_eq!(scale(&drawn, &text), Ok(1));
        drawn.size = (1_000, 20_000);
        assert!(scale(&drawn, &text).is_err_and(|said| said.contains("16384")));
    }
}
