//! Text inside of a PNG file: the chunks `tEXt` and `iTXt` of the PNG specification, third edition, section 11.3.3.

/// How a PNG file begins.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Length, type and check sum of a chunk.
const AROUND: usize = 12;

/// The keyword under which a picture carries its link.
pub const LINK: &str = "Highwater";

/// Whether the bytes begin as a PNG file does.
pub fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// The file with texts in it, each under its keyword, behind its first chunk; what is no PNG file comes back as it was.
pub fn with_texts(png: &[u8], texts: &[(&str, &str)]) -> Vec<u8> {
    let first = chunks(png).next().map(|chunk| chunk.end);
    let Some((front, rest)) = first.and_then(|end| png.split_at_checked(end)) else {
        return png.to_vec();
    };
    let mut out = front.to_vec();
    for (keyword, text) in texts {
        let mut data = keyword.as_bytes().to_vec();
        // A null ends the keyword; then: not compressed, no method, no language, no translated keyword.
        data.extend_from_slice(&[0, 0, 0, 0, 0]);
        data.extend_from_slice(text.as_bytes());
        put(&mut out, *b"iTXt", &data);
    }
    out.extend_from_slice(rest);
    out
}

/// The text under a keyword, if the file has one that is not compressed.
pub fn text(png: &[u8], keyword: &str) -> Option<String> {
    chunks(png).find_map(|chunk| {
        let data = chunk
            .data
            .strip_prefix(keyword.as_bytes())?
            .strip_prefix(b"\0")?;
        match &chunk.kind {
            // Latin-1.
            b"tEXt" => Some(data.iter().map(|byte| char::from(*byte)).collect()),
            b"iTXt" => {
                let data = data.strip_prefix(b"\0\0")?;
                let mut parts = data.splitn(3, |byte| *byte == 0);
                let text = parts.nth(2)?;
                core::str::from_utf8(text).ok().map(str::to_owned)
            }
            _ => None,
        }
    })
}

struct Chunk<'a> {
    kind: [u8; 4],
    data: &'a [u8],
    /// Where it ends in the file.
    end: usize,
}

/// The chunks as far as the file is whole.
fn chunks(png: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut at = if is_png(png) {
        SIGNATURE.len()
    } else {
        png.len()
    };
    core::iter::from_fn(move || {
        let head: [u8; 8] = png.get(at..at.checked_add(8)?)?.try_into().ok()?;
        let [a, b, c, d, kind @ ..] = head;
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).ok()?;
        let end = at.checked_add(AROUND)?.checked_add(length)?;
        let chunk = png.get(at..end)?;
        at = end;
        Some(Chunk {
            kind,
            data: chunk.get(8..8 + length)?,
            end,
        })
    })
}

fn put(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&kind);
    out.extend_from_slice(data);
    let sum = crc(kind.iter().chain(data));
    out.extend_from_slice(&sum.to_be_bytes());
}

/// The check sum of a chunk (CRC-32 of ISO 3309, as the specification's annex D computes it).
fn crc<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 {
                (sum >> 1) ^ 0xedb8_8320
            } else {
                sum >> 1
            };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One white pixel.
    fn small() -> Vec<u8> {
        let mut png = SIGNATURE.to_vec();
        put(&mut png, *b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
        put(
            &mut png,
            *b"IDAT",
            &[0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01, 0x01, 0x01, 0x00],
        );
        put(&mut png, *b"IEND", &[]);
        png
    }

    #[test]
    fn the_check_sum_is_that_of_the_specification() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        // The end of every PNG file.
        assert!(small().ends_with(b"IEND\xae\x42\x60\x82"));
    }

    #[test]
    fn texts_come_back_and_the_rest_stays() {
        let texts = [
            (LINK, "https://example.org/?script=a&v=1"),
            ("Title", "높은 水位"),
        ];
        let png = with_texts(&small(), &texts);
        for (keyword, words) in texts {
            assert_eq!(text(&png, keyword).as_deref(), Some(words));
        }
        assert_eq!(text(&png, "Titl"), None);
        assert_eq!(text(&small(), LINK), None);
        let kinds: Vec<[u8; 4]> = chunks(&png).map(|chunk| chunk.kind).collect();
        assert_eq!(kinds, [*b"IHDR", *b"iTXt", *b"iTXt", *b"IDAT", *b"IEND"]);
        // Software that knows only the older chunk.
        let mut older = small();
        put(&mut older, *b"tEXt", b"Highwater\0?v=1");
        assert_eq!(text(&older, LINK).as_deref(), Some("?v=1"));
    }

    #[test]
    fn whatever_is_cut_or_broken_is_no_panic() {
        let whole = with_texts(&small(), &[(LINK, "?v=1")]);
        for cut in 0..whole.len() {
            let part = &whole[..cut];
            let _ = text(part, LINK);
            assert!(with_texts(part, &[(LINK, "?v=2")]).starts_with(&part[..cut.min(8)]));
            let mut broken = whole.clone();
            broken[cut] ^= 0xff;
            let _ = text(&broken, LINK);
        }
        assert_eq!(with_texts(b"no picture", &[(LINK, "")]), b"no picture");
    }
}
