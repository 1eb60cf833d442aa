//! What happens between Trunk and a static host: minify, name every file of the first load after its content,
//! derive the page for frames, refuse what the page must not contain, and only then replace the old output.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::Purpose;
use crate::node;
use crate::step::run;
use crate::workspace::{files_in, name_of, read, root, write};
use crate::{Failure, Outcome};

/// Finishes what Trunk built in `raw` and puts it into `output`.
pub fn page(raw: &Path, output: &Path, purpose: Purpose) -> Outcome {
    let fresh = output.with_extension("new");
    remove(&fresh)?;
    copy(raw, &fresh)?;
    crate::early::into(&fresh)?;
    crate::first::fill(&fresh)?;
    let sources: Vec<PathBuf> = files_in(&fresh)
        .into_iter()
        .filter(|path| has_extension(path, &["js", "css"]))
        .collect();
    minify(&sources, purpose)?;
    let html = name_by_content(&fresh, &read(&fresh.join("index.html"))?)?;
    let html = name_later(&fresh, &html)?;
    let html = crate::first::into(&fresh, &html)?;
    let faults = faults_of(&html);
    if !faults.is_empty() {
        return Err(Failure::work(format!("index.html: {}", faults.join("; "))));
    }
    let (lab, widget) = both_pages(&html)?;
    write(
        &fresh.join("embed.html"),
        crate::early::page(&fresh, &widget)?,
    )?;
    write(&fresh.join("index.html"), lab)?;
    crate::traces::into(&fresh)?;
    crate::lesson::into(&fresh, |files| minify(files, purpose))?;
    crate::evidence::into(&fresh, |files| minify(files, purpose))?;
    crate::checker::into(&fresh, |files| minify(files, purpose))?;
    replace(&fresh, output)
}

/// The names that `index.html` mentions: the files of the first load, and the module.
pub fn first_load(directory: &Path, html: &str) -> Vec<String> {
    files_in(directory)
        .iter()
        .map(|path| name_of(path).to_owned())
        .filter(|name| mentions(html, name))
        .collect()
}

/// The module and its glue, which the page names and does not ask for: the start script does.
pub fn module(html: &str) -> Vec<String> {
    ["data-js=\"", "data-wasm=\""]
        .into_iter()
        .filter_map(|name| Some(html.split_once(name)?.1.split_once('"')?.0.to_owned()))
        .collect()
}

/// Whether the name stands in the page as a whole: between quotes, perhaps after `./`.
fn mentions(html: &str, name: &str) -> bool {
    html.contains(&format!("\"{name}\"")) || html.contains(&format!("\"./{name}\""))
}

/// Makes scripts and style sheets smaller, in place, when the page is built for release.
fn minify(sources: &[PathBuf], purpose: Purpose) -> Outcome {
    if purpose != Purpose::Release {
        return Ok(());
    }
    if !node::installed() {
        println!(
            "    not minified: esbuild is not installed (npm ci in e2e/ installs it; 2 KB of gzip)"
        );
        return Ok(());
    }
    run(node::node()?
        .arg(root().join("xtask/minify.mjs"))
        .args(sources))
}

/// A host may cache for ever what is named after its content, and a page can never meet files of another build.
/// Trunk's own names do not do: they know the module before wasm-bindgen and nothing of the minifier.
fn name_by_content(directory: &Path, html: &str) -> Outcome<String> {
    let mut html = html.to_owned();
    for path in files_in(directory) {
        let name = name_of(&path).to_owned();
        if !has_extension(&path, &["js", "css", "wasm"]) || !mentions(&html, &name) {
            continue;
        }
        let renamed = named(&path)?;
        html = html
            .replace(&format!("\"{name}\""), &format!("\"{renamed}\""))
            .replace(&format!("\"./{name}\""), &format!("\"./{renamed}\""));
    }
    Ok(html)
}

/// The module of the views that load later gets a name after its content as well. The page names it without an ending, so
/// it is no file of the first load; `public/boot.js` completes the name.
fn name_later(directory: &Path, html: &str) -> Outcome<String> {
    let mut content = Vec::new();
    for name in LATER {
        let bytes = fs::read(directory.join(name));
        content.extend(bytes.map_err(|error| Failure::work(format!("{name}: {error}")))?);
    }
    let digest = wasm_digest::digest_of(&content);
    let named = html.replace(
        "<meta name=\"later\" content=\"later\">",
        &format!("<meta name=\"later\" content=\"later-{digest:016x}\">"),
    );
    if named == html {
        let why = "index.html does not name the module of the later views: <meta name=\"later\" content=\"later\">";
        return Err(Failure::work(why));
    }
    for name in LATER {
        let renamed = name.replacen("later", &format!("later-{digest:016x}"), 1);
        rename(&directory.join(name), &directory.join(renamed))?;
    }
    Ok(named)
}

/// The files of the views that load later, as Trunk names them: the module, what drives it, its styles.
const LATER: [&str; 4] = ["later.js", "later_bg.wasm", "later_view.js", "later.css"];

/// Names a file after its content; gives the name.
pub fn named(path: &Path) -> Outcome<String> {
    let name = name_of(path);
    let content = fs::read(path).map_err(|error| Failure::work(format!("{name}: {error}")))?;
    let renamed = content_name(name, wasm_digest::digest_of(&content));
    rename(path, &path.with_file_name(&renamed))?;
    Ok(renamed)
}

/// `page-0123456789abcdef_bg.wasm` and `page.css` become `page_bg-DIGEST.wasm` and `page-DIGEST.css`.
fn content_name(name: &str, digest: u64) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_trunk_hash =
        |part: &str| part.len() >= 12 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (stem, suffix) = match stem.strip_suffix("_bg") {
        Some(before) => (before, "_bg"),
        None => (stem, ""),
    };
    let stem = match stem.rsplit_once('-') {
        Some((before, hash)) if is_trunk_hash(hash) => before,
        _ => stem,
    };
    format!("{stem}{suffix}-{digest:016x}.{extension}")
}

/// The page, and the page for frames of other sites: what is of one of them only stands in a comment with its name. The
/// application reads `data-page` and mounts the widget.
fn both_pages(html: &str) -> Outcome<(String, String)> {
    let lab = only(&only(html, "lab", true)?, "embed", false)?;
    let widget = only(&only(html, "lab", false)?, "embed", true)?;
    Ok((unhurried(&lab)?, embed_page(&widget)?))
}

/// The page with what stands in the comment of that name, or without it.
fn only(html: &str, name: &str, there: bool) -> Outcome<String> {
    let parts = html.split_once(&format!("<!--{name} "));
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once("-->")?)));
    let Some((before, (what, after))) = parts else {
        return Err(Failure::work(format!(
            "the pages cannot be derived: index.html has no <!--{name} … -->"
        )));
    };
    let what = if there { what.trim() } else { "" };
    Ok(format!("{before}{what}{after}"))
}

/// The lab without the early requests for the module: it comes when a person shows up (`public/first.js`).
fn unhurried(html: &str) -> Outcome<String> {
    with_links(html, |tag, _| Ok(!tag.contains("preload\"")))
}

/// The page with those of its `<link>` tags that are kept. `keep` gets what stands in a tag, and where it would stand.
pub fn with_links(
    html: &str,
    mut keep: impl FnMut(&str, usize) -> Outcome<bool>,
) -> Outcome<String> {
    let (mut out, mut rest) = (String::new(), html);
    while let Some((before, (tag, after))) = rest
        .split_once("<link ")
        .and_then(|(before, rest)| Some((before, rest.split_once('>')?)))
    {
        out.push_str(before);
        if keep(tag, out.len())? {
            out.push_str("<link ");
            out.push_str(tag);
            out.push('>');
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// Puts what is known while the page is built into the place for it in a script of `public/`.
pub fn fill(page: &Path, name: &str, place: &str, known: &str) -> Outcome {
    let path = page.join(name);
    let script = read(&path)?;
    if !script.contains(place) {
        let why = format!("public/{name} has no place to be filled: {place}");
        return Err(Failure::work(why));
    }
    write(&path, script.replacen(place, known, 1))
}

fn embed_page(html: &str) -> Outcome<String> {
    let marked = html
        .replacen(
            "<html lang=\"en\"",
            "<html lang=\"en\" data-page=\"embed\"",
            1,
        )
        .replacen(
            "<meta charset=\"utf-8\">",
            "<meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">",
            1,
        );
    if marked.contains("data-page=\"embed\"") && marked.contains("noindex") {
        return Ok(marked);
    }
    Err(Failure::work(
        "embed.html cannot be derived: index.html has no <html lang=\"en\"> or no <meta charset=\"utf-8\">",
    ))
}

/// What the page must not contain: it would break under a sub path, under the content policy or off line.
fn faults_of(html: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if html.contains("<base") {
        faults.push("<base> breaks references inside SVG".to_owned());
    }
    if html.contains("integrity=") {
        faults.push("integrity= breaks a cached page after a redeploy; keep no_sri".to_owned());
    }
    for tag in html.split("<script").skip(1) {
        let tag = tag.split('>').next().unwrap_or(tag);
        if !tag.contains("src=") {
            faults.push(format!(
                "an inline script, which the content policy refuses: <script{tag}>"
            ));
        }
    }
    for attribute in ["src=\"", "href=\""] {
        for value in html.split(attribute).skip(1) {
            let value = value.split('"').next().unwrap_or(value);
            if value.starts_with('/') || value.contains("://") {
                faults.push(format!("{attribute}{value}\" is not relative to the page"));
            }
        }
    }
    faults
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| wanted.contains(&extension))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let failed = |error: std::io::Error| {
        Failure::work(format!(
            "cannot copy {} to {}: {error}",
            from.display(),
            to.display()
        ))
    };
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target).map_err(failed)?;
        }
    }
    Ok(())
}

/// Two renames, so that a server in between sees a whole page but for an instant.
fn replace(fresh: &Path, output: &Path) -> Outcome {
    let old = output.with_extension("old");
    remove(&old)?;
    if output.exists() {
        rename(output, &old)?;
    }
    rename(fresh, output)?;
    remove(&old)
}

fn rename(from: &Path, to: &Path) -> Outcome {
    fs::rename(from, to).map_err(|error| {
        Failure::work(format!(
            "cannot rename {} to {}: {error}",
            from.display(),
            to.display()
        ))
    })
}

fn remove(directory: &Path) -> Outcome {
    if !directory.exists() {
        return Ok(());
    }
    fs::remove_dir_all(directory)
        .map_err(|error| Failure::work(format!("cannot remove {}: {error}", directory.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_name_takes_the_place_of_the_name_from_trunk() {
        assert_eq!(
            content_name("highwater-79e9f9a36c7d4ab0_bg.wasm", 10),
            "highwater_bg-000000000000000a.wasm"
        );
        assert_eq!(content_name("boot.js", 1), "boot-0000000000000001.js");
        assert_eq!(
            content_name("two-words.css", 1),
            "two-words-0000000000000001.css"
        );
    }

    #[test]
    fn the_faults_of_a_page_are_found() {
        let good = "<script type=\"module\" src=\"./boot.js\"></script><link href=\"./page.css\">";
        assert!(faults_of(good).is_empty());
        for bad in [
            "<base href=\"./\">",
            "<script>start()</script>",
            "<link href=\"/page.css\">",
            "<img src=\"https://elsewhere.example/a.png\">",
            "<script src=\"./a.js\" integrity=\"sha384-x\"></script>",
        ] {
            assert_eq!(faults_of(bad).len(), 1, "{bad}");
        }
    }

    #[test]
    fn what_is_of_one_page_is_in_that_page_only() {
        let html = "<html lang=\"en\"><meta charset=\"utf-8\"><!--embed <link href=\"./w.css\"> --><!--lab <script src=\"./f.js\"></script> --><link rel=\"modulepreload\" href=\"./m.js\"><link rel=\"preload\" href=\"./m.wasm\" as=\"fetch\"><link rel=\"icon\" href=\"./i.svg\"><body>";
        let (lab, widget) = both_pages(html).expect("pages");
        assert_eq!(
            lab,
            "<html lang=\"en\"><meta charset=\"utf-8\"><script src=\"./f.js\"></script><link rel=\"icon\" href=\"./i.svg\"><body>"
        );
        assert!(
            widget.contains("<link href=\"./w.css\"><link rel=\"modulepreload\""),
            "{widget}"
        );
        assert!(!widget.contains("f.js"), "{widget}");
        assert!(both_pages("<html lang=\"en\">").is_err());
    }

    #[test]
    fn the_embed_page_is_marked() {
        let page = embed_page("<html lang=\"en\"><head><meta charset=\"utf-8\">").expect("a page");
        assert!(page.starts_with("<html lang=\"en\" data-page=\"embed\">"));
        assert!(embed_page("<html>").is_err());
    }
}
