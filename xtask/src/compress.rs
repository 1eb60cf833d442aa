//! Compressed copies beside the files of the page, for hosts that send them as they are.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use flate2::{Compression, GzBuilder};

use crate::{Failure, Outcome};

/// What becomes smaller; pictures of pixels are compressed already.
const ENDINGS: &[&str] = &["html", "js", "css", "wasm", "txt", "svg", "json"];

/// The best quality of brotli, for what every reader is sent.
const MOST: u32 = 11;
/// For hundreds of pages and pictures: ten times faster, and a few percent more.
const QUICK: u32 = 9;

/// Writes `NAME.br` and `NAME.gz` beside every file that becomes smaller, in all folders.
pub fn all(directory: &Path) -> Outcome {
    let files = Mutex::new(files_below(directory)?);
    let next = || files.lock().ok()?.pop();
    let work = || -> Outcome {
        while let Some(path) = next() {
            let content = fs::read(&path).map_err(|error| failed(&path, &error))?;
            let ending = path.extension().and_then(|ending| ending.to_str());
            let quality = match ending {
                Some("wasm" | "js" | "css") => MOST,
                _ => QUICK,
            };
            let smaller = brotli(&content, quality).map_err(|error| failed(&path, &error))?;
            beside(&path, "br", &smaller)?;
            beside(
                &path,
                "gz",
                &gzip(&content).map_err(|error| failed(&path, &error))?,
            )?;
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        started.into_iter().try_for_each(|thread| {
            let ended = thread.join();
            ended.unwrap_or_else(|_| Err(Failure::work("a file could not be compressed")))
        })
    })
}

fn files_below(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| failed(&folder, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| failed(&folder, &error))?.path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn beside(path: &Path, ending: &str, content: &[u8]) -> Outcome {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{ending}"));
    fs::write(&name, content).map_err(|error| failed(path, &error))
}

fn brotli(content: &[u8], quality: u32) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    // 24 bits are the largest window that browsers accept.
    let mut writer = brotli::CompressorWriter::new(&mut out, 1 << 16, quality, 24);
    writer.write_all(content)?;
    drop(writer);
    Ok(out)
}

/// Without a name and a time in it, so that the same file gives the same copy.
fn gzip(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = GzBuilder::new().write(Vec::new(), Compression::best());
    writer.write_all(content)?;
    writer.finish()
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::work(format!("{} cannot be compressed: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn copies_hold_the_file_and_are_smaller() {
        let folder =
            std::env::temp_dir().join(format!("highwater-compress-{}", std::process::id()));
        fs::create_dir_all(folder.join("below")).expect("a folder");
        let text = "the high watermark is the lowest LEO of the ISR; ".repeat(80);
        fs::write(folder.join("below/page.html"), &text).expect("a file");
        fs::write(folder.join("picture.png"), "no text").expect("a file");
        all(&folder).expect("copies");
        let read = |name: &str| fs::read(folder.join(name)).expect("a copy");
        let (gz, br) = (read("below/page.html.gz"), read("below/page.html.br"));
        assert!(
            gz.len() < 200 && br.len() < 200,
            "{} {}",
            gz.len(),
            br.len()
        );
        let mut again = String::new();
        flate2::read::GzDecoder::new(&gz[..])
            .read_to_string(&mut again)
            .expect("gzip");
        assert_eq!(again, text);
        let mut again = Vec::new();
        brotli::BrotliDecompress(&mut &br[..], &mut again).expect("brotli");
        assert_eq!(again, text.as_bytes());
        assert!(!folder.join("picture.png.gz").exists());
        fs::remove_dir_all(folder).expect("removed");
    }
}
