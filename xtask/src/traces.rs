//! The recordings of real clusters as files of the finished page.

use std::path::Path;

use highwater_evidence::{recorded, render};

use crate::workspace::{root, write};
use crate::{Failure, Outcome};

/// Writes `traces/` into the finished page.
pub fn into(page: &Path) -> Outcome {
    let folder = page.join("traces");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))?;
    let recordings = render::recordings(&root()).map_err(Failure::work)?;
    for recording in &recordings {
        write(
            &folder.join(format!("{}.txt", recording.id)),
            recorded::file(recording),
        )?;
    }
    let (name, index) = recorded::index(&recordings);
    write(&folder.join(name), index)
}
