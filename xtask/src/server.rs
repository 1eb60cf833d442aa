//! A small static server on 127.0.0.1: what a static host does, and nothing more.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::{Failure, Outcome};

/// How many ports after the requested one are tried.
const TRIES: u16 = 50;

/// The longest request head that is read; a browser sends far less.
const LONGEST_HEAD: u64 = 32 * 1024;

/// What is served, and where.
pub struct Site {
    /// The directory.
    pub directory: PathBuf,
    /// The path that the directory appears under, with a slash at both ends.
    pub base: String,
    /// Counts the builds; `Some` adds the script that reloads open pages.
    pub builds: Option<Arc<AtomicU64>>,
}

/// An answer, before it is written.
struct Answer {
    status: &'static str,
    kind: &'static str,
    location: Option<String>,
    /// How long a browser may keep it without asking.
    cache: &'static str,
    body: Vec<u8>,
}

/// What is named after its content never changes; of everything else the browser asks each time.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASK: &str = "no-cache";

/// Binds the requested port or, when it is busy, the next free one. Port 0 is any free port.
pub fn listen(wanted: u16) -> Outcome<TcpListener> {
    for port in wanted..=wanted.saturating_add(TRIES) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                if port != wanted {
                    println!("Port {wanted} is busy; using {port} instead.");
                }
                return Ok(listener);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(Failure::work(format!(
                    "cannot listen on port {port}: {error}"
                )));
            }
        }
    }
    Err(Failure::work(format!(
        "ports {wanted} to {} are all busy; ask for another one with --port",
        wanted.saturating_add(TRIES)
    )))
}

/// The address of a site.
pub fn address(listener: &TcpListener, site: &Site) -> Outcome<String> {
    let port = listener
        .local_addr()
        .map_err(|error| Failure::work(format!("the server has no address: {error}")))?
        .port();
    Ok(format!("http://127.0.0.1:{port}{}", site.base))
}

/// Answers requests for ever, each in a thread of its own.
pub fn serve(listener: &TcpListener, site: Site) {
    let site = Arc::new(site);
    for stream in listener.incoming().flatten() {
        let site = Arc::clone(&site);
        // A browser that goes away in the middle of an answer is nothing to report.
        std::thread::spawn(move || drop(converse(&stream, &site)));
    }
}

fn converse(stream: &TcpStream, site: &Site) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream.take(LONGEST_HEAD));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    // The rest of the head is read so that closing the connection does not reset it.
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let answer = match method {
        "GET" | "HEAD" => answer(site, target),
        _ => plain("405 Method Not Allowed", "only GET and HEAD"),
    };
    send(stream, &answer, method == "HEAD")
}

fn send(mut stream: &TcpStream, answer: &Answer, head_only: bool) -> std::io::Result<()> {
    // A widget in a sandbox has no origin: its modules and the wasm come only when everybody may have them.
    let mut head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: {}\r\n\
         Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n",
        answer.status,
        answer.kind,
        answer.body.len(),
        answer.cache
    );
    if let Some(location) = &answer.location {
        head.push_str(&format!("Location: {location}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if !head_only {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

fn answer(site: &Site, target: &str) -> Answer {
    let path = target.split(['?', '#']).next().unwrap_or("");
    let Some(path) = decoded(path) else {
        return plain("400 Bad Request", "the path is not valid");
    };
    if format!("{path}/") == site.base {
        return redirect(&site.base);
    }
    let Some(inside) = path.strip_prefix(&site.base) else {
        return plain("404 Not Found", "not found");
    };
    if let Some(builds) = &site.builds {
        match inside {
            "__builds" => {
                return found(
                    "text/plain",
                    builds.load(Ordering::Relaxed).to_string().into(),
                );
            }
            "__reload.js" => return found(kind_of("js"), RELOAD.into()),
            _ => {}
        }
    }
    let Some(file) = inside_directory(&site.directory, inside) else {
        return plain("404 Not Found", "not found");
    };
    if file.is_dir() && !path.ends_with('/') {
        return redirect(&format!("{path}/"));
    }
    let file = if file.is_dir() {
        file.join("index.html")
    } else {
        file
    };
    let Ok(mut body) = std::fs::read(&file) else {
        return plain("404 Not Found", "not found");
    };
    let extension = file.extension().and_then(|extension| extension.to_str());
    if extension == Some("html") && site.builds.is_some() {
        body.extend_from_slice(
            format!("<script src=\"{}__reload.js\"></script>\n", site.base).as_bytes(),
        );
    }
    let cache = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if is_named_by_content(stem) => FOR_EVER,
        _ => ASK,
    };
    Answer {
        cache,
        ..found(kind_of(extension.unwrap_or("")), body)
    }
}

/// Whether a name ends like those that `finish` gives: a hyphen and sixteen hexadecimal digits.
fn is_named_by_content(stem: &str) -> bool {
    let digest = stem.rsplit_once('-').map_or("", |(_, digest)| digest);
    digest.len() == 16 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Asks once a second whether there was a new build. It is a file because the content policy refuses inline scripts.
const RELOAD: &str = "\
const at = new URL('__builds', document.currentScript.src);
let seen;
setInterval(async () => {
  const now = await fetch(at).then((answer) => answer.text()).catch(() => seen);
  if (seen !== undefined && now !== seen) location.reload();
  seen = now;
}, 1000);
";

/// The file that a path names, unless it leaves the directory by dots, by a symbolic link or by a hidden name.
fn inside_directory(directory: &Path, path: &str) -> Option<PathBuf> {
    let hidden = |part: &str| part.starts_with('.') || part.contains(['\\', '\0', ':']);
    if path.split('/').any(hidden) {
        return None;
    }
    let root = directory.canonicalize().ok()?;
    let file = root.join(path).canonicalize().ok()?;
    file.starts_with(&root).then_some(file)
}

fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

fn kind_of(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn found(kind: &'static str, body: Vec<u8>) -> Answer {
    Answer {
        status: "200 OK",
        kind,
        location: None,
        cache: ASK,
        body,
    }
}

fn plain(status: &'static str, text: &str) -> Answer {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        location: None,
        cache: ASK,
        body: format!("{text}\n").into(),
    }
}

fn redirect(to: &str) -> Answer {
    // Written back as it was sent: a decoded line break must not become a header.
    let location = to.replace(['\r', '\n'], "");
    Answer {
        location: Some(location),
        ..plain("301 Moved Permanently", "moved")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A site of its own for each test, under the target directory of cargo.
    fn site(name: &str) -> Site {
        let directory =
            std::env::temp_dir().join(format!("highwater-server-{}-{name}", std::process::id()));
        std::fs::create_dir_all(directory.join("site/folder")).expect("a directory");
        std::fs::write(directory.join("secret.txt"), "secret").expect("a file");
        std::fs::write(directory.join("site/index.html"), "<h1>page</h1>").expect("a file");
        std::fs::write(directory.join("site/page.wasm"), "wasm").expect("a file");
        Site {
            directory: directory.join("site"),
            base: "/some/sub/path/".to_owned(),
            builds: None,
        }
    }

    #[test]
    fn files_have_their_media_types() {
        let site = site("types");
        let page = answer(&site, "/some/sub/path/?lang=ko");
        assert_eq!(
            (page.status, page.kind),
            ("200 OK", "text/html; charset=utf-8")
        );
        assert_eq!(
            answer(&site, "/some/sub/path/page.wasm").kind,
            "application/wasm"
        );
    }

    #[test]
    fn only_what_is_named_after_its_content_is_kept() {
        let site = site("cache");
        let name = "site/boot-ca9fccea143a5b82.js";
        std::fs::write(site.directory.join("..").join(name), "x").expect("a file");
        let cache = |file: &str| answer(&site, &format!("/some/sub/path/{file}")).cache;
        assert_eq!(cache("boot-ca9fccea143a5b82.js"), FOR_EVER);
        assert_eq!(cache("index.html"), ASK);
        assert_eq!(cache("page.wasm"), ASK);
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let site = site("missing");
        for path in [
            "/",
            "/index.html",
            "/some/sub/path/other",
            "/some/sub/path/folder/",
        ] {
            assert_eq!(answer(&site, path).status, "404 Not Found", "{path}");
        }
    }

    #[test]
    fn a_directory_without_its_slash_is_redirected() {
        let site = site("redirect");
        assert_eq!(
            answer(&site, "/some/sub/path").location.as_deref(),
            Some("/some/sub/path/")
        );
        let folder = answer(&site, "/some/sub/path/folder");
        assert_eq!(folder.location.as_deref(), Some("/some/sub/path/folder/"));
    }

    #[test]
    fn nothing_outside_the_directory_is_served() {
        let site = site("outside");
        for path in [
            "/some/sub/path/../secret.txt",
            "/some/sub/path/%2e%2e/secret.txt",
            "/some/sub/path/..%2fsecret.txt",
            "/some/sub/path/folder/../../secret.txt",
            "/some/sub/path/..\\secret.txt",
            "/some/sub/path//etc/passwd",
        ] {
            assert_eq!(answer(&site, path).status, "404 Not Found", "{path}");
        }
        assert_eq!(
            answer(&site, "/some/sub/path/%zz").status,
            "400 Bad Request"
        );
    }

    #[test]
    fn a_busy_port_gives_way_to_the_next_free_one() {
        let first = listen(0).expect("a free port");
        let busy = first.local_addr().expect("an address").port();
        let second = listen(busy).expect("the next free port");
        assert!(second.local_addr().expect("an address").port() > busy);
    }

    #[test]
    fn a_request_is_answered_over_the_wire() {
        let site = site("wire");
        let listener = listen(0).expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || serve(&listener, site));
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream
            .write_all(b"HEAD /some/sub/path/page.wasm HTTP/1.1\r\nHost: x\r\n\r\n")
            .expect("sent");
        let mut said = String::new();
        stream.read_to_string(&mut said).expect("an answer");
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(said.contains("Content-Length: 4\r\n") && said.ends_with("\r\n\r\n"));
    }
}
