//! The link inside of a picture that a reader gives back.

use super::png;

/// What a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An SVG file.
    Svg,
    /// A PNG file.
    Png,
    /// Another image, which carries no link: JPEG, GIF, WebP.
    Other,
}

/// What kind of picture the bytes are; none = no picture.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    if png::is_png(bytes) {
        return Some(Kind::Png);
    }
    let is_riff = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    if is_riff || bytes.starts_with(b"\xff\xd8\xff") || bytes.starts_with(b"GIF8") {
        return Some(Kind::Other);
    }
    let start = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let start = String::from_utf8_lossy(start);
    let is_svg = start
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && start.contains("<svg");
    is_svg.then_some(Kind::Svg)
}

/// Before an SVG begins there may be a declaration, a comment, a document type.
const HEAD: usize = 4096;

/// The link that a picture carries; none when it is no picture or has none: software that makes pictures smaller may have
/// taken it away.
pub fn link(bytes: &[u8]) -> Option<String> {
    let link = match kind(bytes)? {
        Kind::Png => png::text(bytes, png::LINK)?,
        Kind::Svg => in_svg(&String::from_utf8_lossy(bytes))?,
        Kind::Other => return None,
    };
    // Metadata of another program is no link of ours.
    let link = link.trim();
    let is_link = link.contains('?') && link.contains("v=") && !link.contains(['<', '\n']);
    is_link.then(|| link.to_owned())
}

fn in_svg(svg: &str) -> Option<String> {
    let (_, rest) = svg.split_once("<metadata")?;
    let (_, rest) = rest.split_once('>')?;
    let (escaped, _) = rest.split_once("</metadata>")?;
    let plain = escaped.replace("&quot;", "\"").replace("&gt;", ">");
    Some(plain.replace("&lt;", "<").replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_from_other_files() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n"[..], Some(Kind::Png)),
            (b"\xff\xd8\xff\xe0", Some(Kind::Other)),
            (b"GIF89a", Some(Kind::Other)),
            (b"RIFF....WEBPVP8 ", Some(Kind::Other)),
            (b"<svg xmlns=\"x\"/>", Some(Kind::Svg)),
            (
                b"\xef\xbb\xbf <?xml version=\"1.0\"?>\n<!-- a --><svg>",
                Some(Kind::Svg),
            ),
            (b"title <svg>\nat 0ms produce\n", None),
            (b"{\"kafka\":\"4.4.0\"}", None),
            (b"", None),
        ] {
            assert_eq!(kind(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_picture_without_a_link_has_none() {
        for svg in [
            "<svg></svg>",
            "<svg><metadata/></svg>",
            "<svg><metadata><rdf:RDF><a>?v=1</a></rdf:RDF></metadata></svg>",
            "<svg><metadata>made with love</metadata></svg>",
            "<svg><metadata>?scenario=state-a&amp;v=1",
        ] {
            assert_eq!(link(svg.as_bytes()), None, "{svg}");
        }
        let svg = "<svg><metadata id=\"a\"> ?scenario=state-a&amp;v=1\n</metadata></svg>";
        assert_eq!(
            link(svg.as_bytes()).as_deref(),
            Some("?scenario=state-a&v=1")
        );
    }
}
