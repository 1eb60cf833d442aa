//! Draws the picture of scripts as SVG files: `cargo run --example picture -- OUT WIDTH[:open panel] FILE…`.
//! A file is a script; its name becomes the picture's. For looking at, not for the page.

use std::path::Path;
use std::process::ExitCode;

use highwater::picture::view::{Mode, Panel, View};
use highwater::picture::{Picture, overlay, svg};
use highwater::text::Text;
use highwater_core::scenario::parse;
use highwater_core::sim::{run, verdict};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [out, width, files @ ..] = args.as_slice() else {
        eprintln!("picture OUT WIDTH[:acks|lag|visibility] FILE…");
        return ExitCode::from(2);
    };
    for file in files {
        if let Err(message) = draw(Path::new(out), width, Path::new(file)) {
            eprintln!("{file}: {message}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn draw(out: &Path, width: &str, file: &Path) -> Result<(), String> {
    let script = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let scenario = match file.extension().and_then(|e| e.to_str()) {
        Some("json") => highwater_core::scenario::trace::read(&script)
            .map_err(|e| format!("{e:?}"))?
            .scenario(),
        _ => parse(&script).map_err(|errors| format!("{errors:?}"))?,
    };
    let run = run(&scenario);
    let verdict = verdict(&run);
    let text = Text::english();
    let mut view = view(width)?;
    let lost = verdict.lost().next();
    view.selected = lost.map(|r| r.record);
    view.playhead = lost
        .and_then(|r| r.acknowledged)
        .map(|s| highwater_core::sim::Instant {
            at: s.at,
            position: 1,
        });
    let began = std::time::Instant::now();
    let picture = Picture::new(&run, &verdict, &text, &view);
    let took = began.elapsed();
    let style = ["style/tokens.css", "style/picture.css"]
        .map(|f| std::fs::read_to_string(f).unwrap_or_default());
    let (under, over) = (
        overlay::under(&picture, &view),
        overlay::over(&picture, &view, &text),
    );
    let layers = [
        &picture.heads[..],
        &picture.grounds,
        &under,
        &picture.shapes,
        &over,
    ];
    let name = file
        .file_stem()
        .and_then(|n| n.to_str())
        .unwrap_or("picture");
    let svg = svg::file(&picture, &layers, name, &style.concat());
    std::fs::create_dir_all(out).map_err(|e| e.to_string())?;
    let to = out.join(format!("{name}-{}.svg", width.replace(':', "-")));
    std::fs::write(&to, svg).map_err(|e| e.to_string())?;
    println!(
        "{} {} events, {} shapes in {took:?}, {} x {}",
        to.display(),
        run.events.len(),
        picture.shapes.len(),
        picture.width / 10,
        picture.height / 10
    );
    Ok(())
}

fn view(width: &str) -> Result<View, String> {
    let (width, open) = width.split_once(':').unwrap_or((width, ""));
    let mode = match open {
        "" => Mode::Wide,
        "acks" => Mode::OneOpen(Panel::Acks),
        "visibility" => Mode::OneOpen(Panel::Visibility),
        _ => Mode::OneOpen(Panel::Lag),
    };
    Ok(View {
        mode,
        ..View::wide(
            width
                .parse()
                .map_err(|_| format!("{width} is not a width"))?,
        )
    })
}
