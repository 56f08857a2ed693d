use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::directory::RunDirectory;
use crate::COMMIT;
use crate::disk::{MOST_TEXT, read_own, write_own};
use crate::error::Error;
use crate::text::timestamp;

/// What is known about the program and the machine that made a run: everything that must not be in
/// the result files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The program.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The [commit](COMMIT) from which it was built, if known.
    pub commit: Option<String>,
    /// The command that started the run, or resumed it last.
    pub command: Vec<String>,
    /// When the run was started or last resumed (RFC 3339, UTC).
    pub started: String,
    /// When it was finished, if it was.
    pub finished: Option<String>,
    /// When it was stopped before its end, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
    /// Wall-clock seconds since `started`, if it was finished.
    pub seconds: Option<f64>,
    /// Worker threads; 0 until training begins.
    pub threads: usize,
    /// The epoch after which there are checkpoints as the config says; earlier ones followed another
    /// rule if `checkpoints.every` was changed then.
    #[serde(default, skip_serializing_if = "crate::form::is_default")]
    pub checkpoints_since: u64,
    /// The machine.
    pub host: Host,
    #[serde(skip, default = "SystemTime::now")]
    started_at: SystemTime,
}

/// A machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The operating system.
    pub os: String,
    /// The processor architecture.
    pub arch: String,
    /// The number of processors that the program may use.
    pub cpus: usize,
}

impl Manifest {
    /// A manifest for runs that start now.
    pub fn start() -> Manifest {
        let started_at = SystemTime::now();
        Manifest {
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.map(str::to_owned),
            command: std::env::args_os()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
            started: timestamp(started_at),
            finished: None,
            interrupted: None,
            seconds: None,
            threads: 0,
            checkpoints_since: 0,
            host: Host {
                os: std::env::consts::OS.to_owned(),
                arch: std::env::consts::ARCH.to_owned(),
                cpus: std::thread::available_parallelism().map_or(1, usize::from),
            },
            started_at,
        }
    }

    /// Records that the run is finished.
    pub fn finish(&mut self) {
        let now = SystemTime::now();
        self.finished = Some(timestamp(now));
        self.seconds = now
            .duration_since(self.started_at)
            .ok()
            .map(|time| time.as_secs_f64());
    }

    /// Records that the run was stopped.
    pub fn interrupt(&mut self) {
        self.interrupted = Some(timestamp(SystemTime::now()));
    }

    /// Reads a run's manifest; `None` if it has no readable one.
    pub fn read(run: &RunDirectory) -> Option<Manifest> {
        Self::find(run).ok().flatten()
    }

    /// Reads a run's manifest; `None` if there is none, or something else is in its place. Errors:
    /// [`Error::System`] if the system refuses to read it.
    pub fn find(run: &RunDirectory) -> Result<Option<Manifest>, Error> {
        let path = run.manifest();
        let read = read_own(&path, MOST_TEXT).map_err(Error::reading("read", &path, Error::Input));
        Ok(Error::found(read)?.and_then(|json| serde_json::from_slice(&json).ok()))
    }

    /// The version that made the run, if it is known and is not [this one](this_version).
    pub fn other_version(&self) -> Option<String> {
        other_version(&self.version, self.commit.as_deref())
    }

    /// Whether the training has ended.
    pub fn is_finished(&self) -> bool {
        self.finished.is_some()
    }

    /// Writes the manifest to the run. Errors: [`Error::System`] if it cannot be written.
    pub fn write(&self, run: &RunDirectory) -> Result<(), Error> {
        let mut json = serde_json::to_vec_pretty(self).expect("a manifest is JSON");
        json.push(b'\n');
        write_own(&run.manifest(), &json)
    }
}

/// The version of this program, with the commit from which it was built, if known: `0.1.0 (cd7b844)`.
pub fn this_version() -> String {
    version(env!("CARGO_PKG_VERSION"), COMMIT)
}

/// The version with this number and commit, if it is known and is not [this one](this_version).
pub(super) fn other_version(number: &str, commit: Option<&str>) -> Option<String> {
    let commits = commit.zip(COMMIT);
    let is_this =
        number == env!("CARGO_PKG_VERSION") && commits.is_none_or(|(it, this)| it == this);
    (!is_this).then(|| version(number, commit))
}

fn version(number: &str, commit: Option<&str>) -> String {
    match commit {
        Some(commit) => format!("{number} ({})", commit.get(..7).unwrap_or(commit)),
        None => number.to_owned(),
    }
}
