//! The one module that knows the names of a run's files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::files::{Place, is_unfinished, make_readable, write_atomically};
use crate::config::Config;
use crate::error::Error;

/// A directory that holds a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDirectory {
    root: PathBuf,
}

/// The right to write to a run directory, held by one process at a time. The
/// operating system takes it back when the process ends, however it ends.
pub struct RunLock {
    _file: File,
}

const CONFIG: &str = "config.toml";
/// The config of a sweep, whose directory holds runs.
pub(super) const SWEEP: &str = "sweep.toml";
const CHECKPOINTS: &str = "checkpoints";

impl RunDirectory {
    /// Makes a new run directory that holds the resolved config, and locks it. Errors:
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be made.
    pub fn create(place: Place<'_>, config: &Config) -> Result<(RunDirectory, RunLock), Error> {
        place.make(|root| Self::create_at(root, config))
    }

    fn create_at(root: &Path, config: &Config) -> Result<(RunDirectory, RunLock), Error> {
        let exists = || {
            let name = root.display();
            let resume = match RunDirectory::open(root) {
                Ok(_) => format!(", or go on with it by: lab train --resume {name}"),
                Err(_) => String::new(),
            };
            Error::input(format!(
                "{name} exists already; choose another --out{resume}"
            ))
        };
        if root.symlink_metadata().is_ok() {
            return Err(exists());
        }
        let parent = match root.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(Error::system("create directory", parent))?;
        // The directory appears under its name with its config inside, or not at all.
        let nascent = tempfile::Builder::new()
            .prefix(".new-run-")
            .tempdir_in(parent)
            .map_err(Error::system("create a directory in", parent))?;
        let run = RunDirectory {
            root: nascent.path().to_owned(),
        };
        run.write_config(config)?;
        let lock = run.lock()?;
        make_readable(nascent.path()).map_err(Error::system("set the mode of", nascent.path()))?;
        match fs::rename(nascent.path(), root) {
            Ok(()) => {
                // Nothing is left to clean up under the old name.
                let _ = nascent.keep();
                Ok((
                    RunDirectory {
                        root: root.to_owned(),
                    },
                    lock,
                ))
            }
            Err(_) if root.symlink_metadata().is_ok() => Err(exists()),
            Err(error) => Err(Error::system("create directory", root)(error)),
        }
    }

    /// The run in an existing directory. Errors: [`Error::Input`] if there is no such directory
    /// or no config in it.
    pub fn open(root: &Path) -> Result<RunDirectory, Error> {
        let run = RunDirectory {
            root: root.to_owned(),
        };
        if run.config().is_file() {
            Ok(run)
        } else if root.join(SWEEP).is_file() {
            Err(Error::input(format!(
                "{} is a sweep, which holds a run for each value; name one of them, as lab runs {} \
                 lists them",
                root.display(),
                root.display()
            )))
        } else if root.exists() {
            Err(Error::input(format!(
                "{} is not a run: there is no {CONFIG} in it",
                root.display()
            )))
        } else {
            Err(Error::input(format!(
                "there is no run {}; `lab runs` lists those in the directory runs",
                root.display()
            )))
        }
    }

    /// Takes the lock. Errors: [`Error::Input`] if another process has it.
    pub fn lock(&self) -> Result<RunLock, Error> {
        let path = self.root.join(".lock");
        let file = File::create(&path).map_err(Error::system("create", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::input(format!(
                "{} is in use by another process; wait for it or stop it",
                self.root.display()
            ))),
            Err(TryLockError::Error(error)) => Err(Error::system("lock", &path)(error)),
        }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The last part of the directory's path.
    pub fn name(&self) -> String {
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        absolute.file_name().map_or_else(
            || self.root.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        self.root.join(CONFIG)
    }

    /// Writes the resolved config. Errors: [`Error::System`] if it cannot be written.
    pub fn write_config(&self, config: &Config) -> Result<(), Error> {
        write_atomically(&self.config(), config.to_toml().as_bytes()).map(drop)
    }

    /// What is known of the program and the machine that made the run.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// `metrics.csv`, with a row per seed, epoch, side, opponent and method, and `training.csv`,
    /// with one per seed, epoch and side.
    pub fn results(&self) -> [PathBuf; 2] {
        ["metrics.csv", "training.csv"].map(|name| self.root.join(name))
    }

    /// The learning curve; `extension` is svg or png.
    pub fn curve(&self, extension: &str) -> PathBuf {
        self.root.join("curve").with_extension(extension)
    }

    fn seed_directory(&self, seed: u64) -> PathBuf {
        self.root.join(CHECKPOINTS).join(format!("seed-{seed:04}"))
    }

    /// A checkpoint, by the path of its JSON part.
    pub fn checkpoint(&self, seed: u64, epoch: u64) -> PathBuf {
        self.seed_directory(seed)
            .join(format!("epoch-{epoch:06}.json"))
    }

    /// The epochs of a seed's checkpoints, ascending. Errors: [`Error::System`] if the directory
    /// cannot be read.
    pub fn checkpoint_epochs(&self, seed: u64) -> Result<Vec<u64>, Error> {
        let mut epochs: Vec<u64> = self
            .files(&self.seed_directory(seed))?
            .iter()
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .filter_map(|path| epoch_of(path))
            .collect();
        epochs.sort_unstable();
        Ok(epochs)
    }

    /// Removes files that a killed process was about to write. Errors: [`Error::System`] if one
    /// cannot be removed.
    pub fn remove_unfinished_files(&self) -> Result<(), Error> {
        let files = self.files(&self.root)?;
        for path in files.iter().filter(|path| is_unfinished(path)) {
            fs::remove_file(path).map_err(Error::system("remove", path))?;
        }
        Ok(())
    }

    /// Removes a seed's checkpoints, and what was to become one, but for those of these epochs.
    /// Errors: [`Error::System`] if a file cannot be removed.
    pub fn prune_checkpoints(&self, seed: u64, keep: impl Fn(u64) -> bool) -> Result<(), Error> {
        let mut files = self.files(&self.seed_directory(seed))?;
        // The JSON part vouches for the other one, so it goes first.
        files.sort_by_key(|path| path.extension().is_none_or(|extension| extension != "json"));
        for path in files {
            let stale = match epoch_of(&path) {
                Some(epoch) => !keep(epoch),
                None => is_unfinished(&path),
            };
            if stale {
                fs::remove_file(&path).map_err(Error::system("remove", &path))?;
            }
        }
        Ok(())
    }

    fn files(&self, directory: &Path) -> Result<Vec<PathBuf>, Error> {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::system("read directory", directory)(error)),
        };
        entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<_>>()
            .map_err(Error::system("read directory", directory))
    }

    /// Makes the directory that a seed's checkpoints go to. Errors: [`Error::System`] if it
    /// cannot be made.
    pub fn create_seed_directory(&self, seed: u64) -> Result<(), Error> {
        let directory = self.seed_directory(seed);
        fs::create_dir_all(&directory).map_err(Error::system("create directory", &directory))
    }
}

fn epoch_of(path: &Path) -> Option<u64> {
    path.file_stem()?
        .to_str()?
        .strip_prefix("epoch-")?
        .parse()
        .ok()
}
