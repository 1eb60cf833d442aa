//! The built page behind nginx with `hosting/nginx.conf`, as the guide says, for its browser test.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::browser::{apt, can_install};
use crate::server;
use crate::tools::on_path;
use crate::workspace::{dist, root, target, write};
use crate::{Failure, Outcome};

/// So long nginx may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is said where it is missing and cannot be installed.
const MISSING: &str = "nginx is missing; the test of hosting/nginx.conf needs it (Debian: `apt-get install nginx-light`)";

/// nginx while it runs; it stops when this is dropped.
pub struct Nginx {
    child: Child,
    port: u16,
}

impl Nginx {
    /// Starts it on a free port of this machine, in the foreground, without a file outside of `target/`.
    ///
    /// # Errors
    /// What is missing, or what nginx complains of.
    pub fn start() -> Result<Nginx, String> {
        started().map_err(|failure| match failure {
            Failure::Work(reason) | Failure::Usage(reason) | Failure::Input(reason) => reason,
            Failure::Reported => MISSING.to_owned(),
        })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // One that has ended already needs no end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn started() -> Outcome<Nginx> {
    let program = program()?;
    let folder = target().join("nginx");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::work(format!("{}: {error}", folder.display())))?;
    // Bound for a moment, to learn which port is free.
    let port = server::listen(0)?
        .local_addr()
        .map_err(|error| Failure::work(error.to_string()))?
        .port();
    let file = folder.join("test.conf");
    write(&file, configuration(port))?;
    let mut child = Command::new(program)
        .arg("-p")
        .arg(&folder)
        .arg("-c")
        .arg(&file)
        .args(["-e", "error.log"])
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| Failure::work(format!("nginx does not start: {error}")))?;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(Nginx { child, port });
        }
        if let Ok(Some(status)) = child.try_wait() {
            let log = std::fs::read_to_string(folder.join("error.log")).unwrap_or_default();
            return Err(Failure::work(format!("nginx ended with {status}: {log}")));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(Nginx { child, port });
    Err(Failure::work("nginx does not listen"))
}

fn program() -> Outcome<PathBuf> {
    // Not on everybody's PATH.
    let found = || {
        let usual = Path::new("/usr/sbin/nginx");
        on_path("nginx").or_else(|| usual.is_file().then(|| usual.to_path_buf()))
    };
    if let Some(program) = found() {
        return Ok(program);
    }
    if can_install() {
        apt(&["nginx-light"])?;
    }
    found().ok_or_else(|| Failure::work(MISSING))
}

/// A server block as the guide has it, and around it only what keeps the files of nginx in its folder.
fn configuration(port: u16) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("  {kind}_temp_path {kind};\n"))
        .collect();
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log error.log;\nevents {{}}\nhttp {{\n  access_log off;\n{temporary}  \
         server {{\n    listen 127.0.0.1:{port};\n    root \"{}\";\n    include \"{}\";\n  }}\n}}\n",
        dist().display(),
        root().join("hosting/nginx.conf").display(),
    )
}
