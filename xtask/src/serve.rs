//! `cargo xtask serve`: builds the page and serves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::build::{self, Purpose};
use crate::options::Options;
use crate::server::{self, Site};
use crate::{Failure, Outcome, watch};

/// The port that is asked for when none is named.
const PORT: u16 = 8080;

/// Reads the command line, builds, and serves until it is interrupted.
pub fn command(arguments: &[String]) -> Outcome {
    let mut options = Options::new("serve", arguments);
    let watching = options.switch("--watch");
    let port = port(options.value("--port", "a port from 1 to 65535")?)?;
    options.finish("--port N and --watch")?;
    if watching {
        return watched(port);
    }
    build::page(Purpose::Release)?;
    let listener = server::listen(port)?;
    let site = site(Purpose::Release, None);
    println!(
        "Highwater is at {} (Ctrl-C stops it)",
        server::address(&listener, &site)?
    );
    server::serve(&listener, site);
    Ok(())
}

fn watched(port: u16) -> Outcome {
    let builds = Arc::new(AtomicU64::new(0));
    let listener = server::listen(port)?;
    let site = site(Purpose::Watch, Some(Arc::clone(&builds)));
    let address = server::address(&listener, &site)?;
    std::thread::spawn(move || server::serve(&listener, site));
    watch::forever(|| {
        let outcome = build::page(Purpose::Watch);
        if outcome.is_ok() {
            builds.fetch_add(1, Ordering::Relaxed);
        }
        println!("Highwater is at {address} (Ctrl-C stops it); waiting for changes");
        outcome
    })
}

fn site(purpose: Purpose, builds: Option<Arc<AtomicU64>>) -> Site {
    Site {
        directory: purpose.output(),
        base: "/".to_owned(),
        builds,
    }
}

/// The port of a command line.
pub fn port(given: Option<String>) -> Outcome<u16> {
    let Some(given) = given else {
        return Ok(PORT);
    };
    match given.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(Failure::Usage(format!(
            "`--port` needs a number from 1 to 65535; found `{given}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_a_number_in_range() {
        assert_eq!(port(None).expect("the default"), PORT);
        assert_eq!(port(Some("9000".to_owned())).expect("a port"), 9000);
        for wrong in ["0", "70000", "http"] {
            assert!(matches!(
                port(Some(wrong.to_owned())),
                Err(Failure::Usage(_))
            ));
        }
    }
}
