//! Pages that are rendered when the lab is built and stand in a folder beside it: what each of those folders needs.

use std::path::{Path, PathBuf};

use highwater_lessons::site::Site;

use crate::finish::named;
use crate::workspace::{read, root, write};
use crate::{Failure, Outcome};

/// Writes the style sheet and the scripts of a folder's pages, made smaller by `minify` and named after their content.
/// `sheets` are style sheets of the lab by name, the one with the colours first; `scripts` are files of the repository.
/// Gives what the pages have in common, its script being the first one, and the names of all scripts.
pub fn dress(
    folder: &Path,
    sheet: &str,
    sheets: &[&str],
    scripts: &[&str],
    minify: impl Fn(&[PathBuf]) -> Outcome,
) -> Outcome<(Site, Vec<String>)> {
    let styles: Vec<String> = sheets
        .iter()
        .map(|name| read(&root().join(format!("style/{name}.css"))))
        .collect::<Outcome<_>>()?;
    let mut paths = vec![folder.join(sheet)];
    write(&paths[0], styles.concat())?;
    for script in scripts {
        let source = root().join(script);
        let path = folder.join(source.file_name().unwrap_or_default());
        write(&path, read(&source)?)?;
        paths.push(path);
    }
    minify(&paths)?;
    let mut names = paths.iter().map(|path| named(path));
    let style = names.next().transpose()?.unwrap_or_default();
    let names: Vec<String> = names.collect::<Outcome<_>>()?;
    let site = Site {
        style,
        script: names.first().cloned().unwrap_or_default(),
        wasm: false,
        papers: papers(styles.first().map_or("", String::as_str)),
        previews: false,
        address: address(),
    };
    Ok((site, names))
}

/// Writes files below a folder, and makes the folders that they need.
pub fn put<C: AsRef<[u8]>>(
    folder: &Path,
    files: impl IntoIterator<Item = (impl AsRef<Path>, C)>,
) -> Outcome {
    for (name, content) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            make(parent)?;
        }
        write(&path, content)?;
    }
    Ok(())
}

/// The address of the site, where it is known.
fn address() -> Option<String> {
    let address = std::env::var("HIGHWATER_ADDRESS").ok();
    address.filter(|address| !address.is_empty())
}

/// The two values of `--paper`: light first, then dark.
fn papers(tokens: &str) -> (String, String) {
    let mut values = tokens
        .split("--paper:")
        .skip(1)
        .filter_map(|value| Some(value.split(';').next()?.trim().to_owned()));
    (
        values.next().unwrap_or_default(),
        values.next().unwrap_or_default(),
    )
}

/// Makes a folder, and those above it.
pub fn make(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))
}
