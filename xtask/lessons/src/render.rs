//! Everything at once: reads the lessons of a repository, and writes their pages.

use std::collections::BTreeMap;
use std::path::Path;

use highwater::text::{Locale, Text};
use highwater_core::scenario::trace;

use crate::fault::Fault;
use crate::lesson::{self, House, Lesson, short};
use crate::path::{self, Row};
use crate::site::{Site, redirect};
use crate::terms::{self, Term};
use crate::words::Words;
use crate::{belief, index, page, preview};

/// A repository's lessons, read and checked.
pub struct Lessons {
    /// The path.
    pub rows: Vec<Row>,
    /// The lessons that exist, in the order of the path.
    pub lessons: Vec<Lesson>,
    texts: Vec<Text>,
    words: BTreeMap<Locale, Words>,
    terms: Vec<Term>,
}

/// Reads and checks all lessons, or the one of that slug.
///
/// # Errors
/// Everything that is wrong, with its file and line.
pub fn read(root: &Path, only: Option<&str>) -> Result<Lessons, Vec<Fault>> {
    let folders = folders(root);
    let source = file(root, path::FILE)?;
    let mut faults = Vec::new();
    let rows = path::read(&source, &folders).unwrap_or_else(|more| {
        faults.extend(more);
        Vec::new()
    });
    if let Some(slug) = only
        && !folders.iter().any(|folder| folder == slug)
    {
        let message = format!(
            "there is no lesson `{slug}`; there are {}",
            folders.join(", ")
        );
        return Err(vec![Fault::of(format!("lessons/{slug}"), message)]);
    }
    let texts = texts(root)?;
    let terms = terms::read(&file(root, terms::FILE)?, &rows).unwrap_or_else(|more| {
        faults.extend(more);
        Vec::new()
    });
    let mut words = BTreeMap::new();
    for locale in Locale::ALL {
        let name = format!("lessons/words/{}.txt", short(locale));
        match file(root, &name).and_then(|text| Words::read(&name, &text)) {
            Ok(read) => {
                words.insert(locale, read);
            }
            Err(more) => faults.extend(more),
        }
    }
    let recordings = recordings(root);
    let house = House {
        root,
        texts: &texts,
        recordings: &recordings,
    };
    let mut lessons = Vec::new();
    let mut ordered: Vec<&String> = folders.iter().collect();
    ordered.sort_by_key(|slug| rows.iter().position(|row| row.slug == **slug));
    for slug in ordered {
        if only.is_none_or(|only| only == slug) {
            match lesson::read(&house, slug) {
                Ok(lesson) => lessons.push(lesson),
                Err(more) => faults.extend(more),
            }
        }
    }
    // Without faults, or a lesson that fails would be missed as well.
    if faults.is_empty() {
        let beliefs = file(root, belief::FILE)?;
        faults.extend(belief::check(&beliefs, &rows, &lessons, only));
    }
    if faults.is_empty() {
        Ok(Lessons {
            rows,
            lessons,
            texts,
            words,
            terms,
        })
    } else {
        Err(faults)
    }
}

/// The folders of lessons, sorted.
fn folders(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("lessons"))
        .into_iter()
        .flatten()
        .flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !["words", "page"].contains(&name.as_str()))
        .collect();
    names.sort();
    names
}

fn file(root: &Path, name: &str) -> Result<String, Vec<Fault>> {
    std::fs::read_to_string(root.join(name))
        .map_err(|error| vec![Fault::of(name, format!("cannot be read: {error}"))])
}

fn texts(root: &Path) -> Result<Vec<Text>, Vec<Fault>> {
    let mut texts = vec![Text::english()];
    for locale in [Locale::Ko, Locale::Zh] {
        let name = format!("src/text/{}.txt", short(locale));
        let text = Text::read(locale, file(root, &name)?);
        texts.push(text.map_err(|error| vec![Fault::of(&name, error.to_string())])?);
    }
    Ok(texts)
}

/// The recordings, which the page has as well; each with its version.
fn recordings(root: &Path) -> BTreeMap<String, String> {
    let folder = root.join("core/cases/cluster-traces");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| std::fs::read_to_string(entry.path()).ok())
        .filter_map(|text| trace::read(&text).ok())
        .map(|trace| (trace.id.clone(), trace.kafka))
        .collect()
}

impl Lessons {
    /// The files under `lessons/` of the finished page, by path.
    pub fn files(&self, site: &Site) -> Vec<(String, String)> {
        let mut files = vec![("index.html".to_owned(), redirect("en/"))];
        for text in &self.texts {
            let locale = text.locale();
            let Some(words) = self.words.get(&locale) else {
                continue;
            };
            let folder = short(locale);
            let listed = index::page(site, &self.rows, &self.lessons, text, words);
            files.push((format!("{folder}/index.html"), listed));
            for lesson in &self.lessons {
                let Some(place) = self.rows.iter().position(|row| row.slug == lesson.slug) else {
                    continue;
                };
                let whole = page::Whole {
                    site,
                    lesson,
                    row: &self.rows[place],
                    rows: &self.rows,
                    terms: &self.terms,
                    next: self.rows[place + 1..]
                        .iter()
                        .find(|row| self.has(&row.slug)),
                    text,
                    words,
                };
                let below = format!("{folder}/{}", lesson.slug);
                files.push((format!("{below}/index.html"), page::page(&whole)));
                let pictures =
                    page::pictures(lesson, text, site.address.as_deref().unwrap_or_default());
                files.extend(
                    pictures
                        .into_iter()
                        .map(|(name, svg)| (format!("{below}/{name}"), svg)),
                );
            }
        }
        files
    }

    /// The preview of every lesson as SVG, by the path of the PNG that is to be drawn of it.
    pub fn previews(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        for text in &self.texts {
            let Some(words) = self.words.get(&text.locale()) else {
                continue;
            };
            let folder = short(text.locale());
            list.extend(self.lessons.iter().filter_map(|lesson| {
                let card = preview::card(lesson, text, words)?;
                Some((format!("{folder}/{}/{}", lesson.slug, preview::FILE), card))
            }));
        }
        list
    }

    fn has(&self, slug: &str) -> bool {
        self.lessons.iter().any(|lesson| lesson.slug == slug)
    }
}
