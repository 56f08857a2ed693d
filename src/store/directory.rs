//! The directory of a run, and the names of its files.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::PICTURES;
use super::place::{Place, RUNS};
use super::shard_file::{create, read_shard};
use super::tournament_directory::TournamentDirectory;
use crate::config::{Config, Shard, read_config};
use crate::disk::{self, Lock, unfinished, write_own};
use crate::error::Error;
use crate::text::{self, shell_word};

/// A directory that holds a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDirectory {
    root: PathBuf,
}

const CONFIG: &str = "config.toml";
/// The config of a sweep, whose directory holds runs.
pub(super) const SWEEP: &str = "sweep.toml";
pub(super) const CHECKPOINTS: &str = "checkpoints";
pub(super) const MANIFEST: &str = "manifest.json";
const EVENTS: &str = "tensorboard";

/// The run or sweep that is meant by a path without a run: if it is written like an agent's spec, lies in the
/// directory of runs, contains what is named or, if nothing is there, has a similar name.
fn run_meant(root: &Path) -> Option<PathBuf> {
    let text = root.to_str()?;
    let plain = PathBuf::from(text.strip_prefix("run:").unwrap_or(text));
    let is_there = root.exists();
    // From the files of a run's checkpoints up to the run.
    let above = root.ancestors().take(3).map(disk::parent);
    let above = above.filter(|above| is_there || *above != Path::new("."));
    let named = [plain.clone(), Path::new(RUNS).join(plain)];
    let is_run = |near: &&Path| !near.as_os_str().is_empty() && is_run_or_sweep(near);
    let exact = named.iter().map(PathBuf::as_path).find(is_run);
    let alike = || match is_there {
        true => None,
        false => named.iter().find_map(|named| run_alike(named)),
    };
    let exact = exact.map(Path::to_owned);
    exact
        .or_else(alike)
        .or_else(|| above.map(Path::to_owned).find(|near| is_run_or_sweep(near)))
}

fn is_run_or_sweep(root: &Path) -> bool {
    [CONFIG, SWEEP]
        .iter()
        .any(|config| root.join(config).is_file())
}

/// The run or sweep with a similar name in the directory of `root`.
fn run_alike(root: &Path) -> Option<PathBuf> {
    let mut there = disk::entries(disk::parent(root)).ok()?;
    there.retain(|entry| is_run_or_sweep(entry));
    let names = there.iter().filter_map(|run| run.file_name()?.to_str());
    let near = text::nearest(root.file_name()?.to_str()?, names)?;
    Some(root.with_file_name(near))
}

impl RunDirectory {
    /// The names of the result files: `metrics.csv`, with a row per seed, epoch, side, opponent and
    /// method, and `training.csv`, with one per seed, epoch and side.
    pub const RESULTS: [&str; 2] = ["metrics.csv", "training.csv"];

    /// Makes a new run directory with the resolved config and, if only a shard is to be trained
    /// there, which one; and locks it. Errors: [`Error::Input`] if something is already there,
    /// [`Error::System`] if it cannot be made.
    pub fn create(
        place: Place<'_>,
        config: &Config,
        shard: Option<Shard>,
    ) -> Result<(RunDirectory, Lock), Error> {
        let (root, lock) = create(place, CONFIG, config, shard)?;
        Ok((RunDirectory { root }, lock))
    }

    /// Opens the run in an existing directory. Errors: [`Error::Input`] if there is no such
    /// directory or no config in it, [`Error::System`] if the system refuses access.
    pub fn open(root: &Path) -> Result<RunDirectory, Error> {
        let run = RunDirectory {
            root: root.to_owned(),
        };
        if run.config().is_file() {
            Ok(run)
        } else if root.join(SWEEP).is_file() {
            let [metrics, _] = Self::RESULTS.map(|name| root.join(name));
            let rows = match metrics.is_file() {
                true => format!("; the rows of all are in {}", metrics.display()),
                false => String::new(),
            };
            Err(Error::input(format!(
                "{} is a sweep, which holds a run for each variant; name one of them, as lab runs {} \
                 lists them{rows}",
                root.display(),
                shell_word(root)
            )))
        } else if TournamentDirectory::is_at(root) {
            Err(Error::input(format!(
                "{} is a tournament, not a run",
                root.display()
            )))
        } else {
            let is_there = root.exists();
            let meant = run_meant(root);
            let root = root.display();
            let what = match is_there {
                true => format!("{root} is not a run"),
                false => format!("there is no run {root}"),
            };
            let why = match meant {
                Some(near) => format!("{what}, did you mean {}?", near.display()),
                None if is_there => format!("{what}: there is no {CONFIG} in it"),
                None => format!("{what}; `lab runs` lists those in the directory {RUNS}"),
            };
            let config = run.config();
            let read = config.metadata().and(Err(ErrorKind::IsADirectory.into()));
            read.map_err(Error::reading("read", &config, |_| Error::input(why)))
        }
    }

    /// Opens the run in a directory; `None` if there is none. Errors: [`Error::System`] if the
    /// system refuses access.
    pub fn find(root: &Path) -> Result<Option<RunDirectory>, Error> {
        Error::found(Self::open(root))
    }

    /// Opens the run in a directory for a list, which includes those that the system refuses to look
    /// into: reading one reports why.
    pub fn listed(root: &Path) -> Option<RunDirectory> {
        let refused = RunDirectory {
            root: root.to_owned(),
        };
        Self::find(root).unwrap_or(Some(refused))
    }

    /// Checks that the run was not removed while it is trained. Errors: [`Error::Failed`] if its config is gone.
    pub fn check_kept(&self) -> Result<(), Error> {
        // If the system refuses to answer, writing will report why.
        if self.config().try_exists().unwrap_or(true) {
            return Ok(());
        }
        let rest = match self.root.exists() {
            true => "remove what is left of it, and train again",
            false => "train again, or, if it was moved, resume it there with --resume",
        };
        Err(Error::Failed(format!(
            "{} was removed while it was trained: {CONFIG} no longer exists; {rest}",
            self.root.display()
        )))
    }

    /// Checks that nothing else, such as a link, is in the place of a file that a training of these seeds writes, or of
    /// the directory of their checkpoints or, with `has_events`, of events. Errors: [`Error::Input`] if something is.
    pub fn check_own(&self, seeds: &[u64], has_events: bool) -> Result<(), Error> {
        let of_seeds = seeds.iter().map(|&seed| self.seed_directory(seed));
        let events = has_events.then_some(EVENTS);
        let of_run = events
            .into_iter()
            .chain([CHECKPOINTS])
            .map(|name| self.root.join(name));
        for directory in of_seeds.chain(of_run) {
            disk::is_directory(&directory)?;
        }
        self.files().try_for_each(|file| disk::check_plain(&file))
    }

    /// The files that a training writes, except checkpoints and events.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let pictures = PICTURES.map(|extension| self.curve(extension));
        let files = [self.config(), self.manifest()].into_iter();
        files.chain(self.results()).chain(pictures)
    }

    /// Takes the lock, once all readers of what will be written have finished. Errors: as [`Lock::take`].
    pub fn lock(&self) -> Result<Lock, Error> {
        Lock::take_after_readers(&self.root)
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The last part of the directory's path.
    pub fn name(&self) -> String {
        let absolute = std::path::absolute(&self.root).unwrap_or_else(|_| self.root.clone());
        let name = absolute.file_name().unwrap_or(self.root.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        Self::config_of(&self.root)
    }

    /// The path of the resolved config for a directory, which need not hold a run.
    pub fn config_of(root: &Path) -> PathBuf {
        root.join(CONFIG)
    }

    /// Writes the resolved config. Errors: [`Error::System`] if it cannot be written.
    pub fn write_config(&self, config: &Config) -> Result<(), Error> {
        write_own(&self.config(), config.to_toml().as_bytes())
    }

    /// The shard of its config that is trained here, if not all of it. Errors: [`Error::Input`] if
    /// the file does not hold a shard of the config, [`Error::System`] if it cannot be read.
    pub fn shard(&self) -> Result<Option<Shard>, Error> {
        read_shard(&self.config())
    }

    /// Reads the resolved config of what is trained here; in a shard, only with the shard's seeds.
    /// Errors: as [`read_config`], and as [`shard`](Self::shard).
    pub fn read_config(&self) -> Result<Config, Error> {
        let config = read_config(&self.config())?;
        Ok(match self.shard()? {
            Some(shard) => shard.part_of(&config),
            None => config,
        })
    }

    /// The file about the program and the machine that made the run.
    pub fn manifest(&self) -> PathBuf {
        self.root.join(MANIFEST)
    }

    /// The files of [`RESULTS`](Self::RESULTS).
    pub fn results(&self) -> [PathBuf; 2] {
        Self::RESULTS.map(|name| self.root.join(name))
    }

    /// The learning curve; `extension` is svg or png.
    pub fn curve(&self, extension: &str) -> PathBuf {
        self.root.join("curve").with_extension(extension)
    }

    /// TensorBoard's event file of a curve.
    pub fn event_file(&self, curve: &str) -> PathBuf {
        event_file(&self.root.join(EVENTS), curve)
    }

    /// Makes the directory of a curve's event file, unless it exists. Errors: as
    /// [`create_seed_directory`](Self::create_seed_directory).
    pub fn create_event_directory(&self, curve: &str) -> Result<(), Error> {
        let events = self.root.join(EVENTS);
        make([&events, &events.join(curve)])
    }

    /// Removes the event files of the curves that are not kept. Errors: [`Error::System`] if one cannot be removed.
    pub fn prune_events(&self, keep: impl Fn(&str) -> bool) -> Result<(), Error> {
        let events = self.root.join(EVENTS);
        if !disk::is_directory(&events)? {
            return Ok(());
        }
        for directory in disk::entries(&events)? {
            let curve = directory.file_name().unwrap_or_default().to_string_lossy();
            let file = event_file(&events, &curve);
            if !keep(&curve) && file.is_file() {
                disk::remove(&file)?;
                // Anything else in it stays.
                let _ = std::fs::remove_dir(&directory);
            }
        }
        let _ = std::fs::remove_dir(&events);
        Ok(())
    }

    pub(super) fn seed_directory(&self, seed: u64) -> PathBuf {
        self.root.join(CHECKPOINTS).join(format!("seed-{seed:04}"))
    }

    /// The directories that hold checkpoints, one for each seed that has any.
    pub fn seed_directories(&self) -> Vec<PathBuf> {
        disk::entries(&self.root.join(CHECKPOINTS)).unwrap_or_default()
    }

    /// A checkpoint, by the path of its JSON part.
    pub fn checkpoint(&self, seed: u64, epoch: u64) -> PathBuf {
        self.seed_directory(seed)
            .join(format!("epoch-{epoch:06}.json"))
    }

    /// The run, the seed and the epoch of a checkpoint, from the path of one of its parts; `None` if the path is in no
    /// run.
    pub fn of_checkpoint(path: &Path) -> Option<(RunDirectory, u64, u64)> {
        let epoch = number_after(path.file_stem(), "epoch-")?;
        let seed = number_after(path.parent()?.file_name(), "seed-")?;
        let run = RunDirectory::open(disk::parent(path.ancestors().nth(2)?)).ok()?;
        Some((run, seed, epoch))
    }

    /// Checks that there is a run where the path of a checkpoint, if it is written like one of a run, says. Errors: as
    /// [`open`](Self::open).
    pub fn check_run_of(path: &Path) -> Result<(), Error> {
        match path.ancestors().nth(2) {
            Some(all) if all.ends_with(CHECKPOINTS) => Self::open(disk::parent(all)).map(drop),
            _ => Ok(()),
        }
    }

    /// The epochs of a seed's checkpoints, ascending. Errors: [`Error::System`] if the directory
    /// cannot be read.
    pub fn checkpoint_epochs(&self, seed: u64) -> Result<Vec<u64>, Error> {
        self.epochs_of_parts(seed, is_json)
    }

    /// The epochs of a seed's checkpoints that have at least one part, ascending. Errors: as
    /// [`checkpoint_epochs`](Self::checkpoint_epochs).
    pub fn kept_epochs(&self, seed: u64) -> Result<Vec<u64>, Error> {
        self.epochs_of_parts(seed, |_| true)
    }

    fn epochs_of_parts(&self, seed: u64, is_meant: fn(&Path) -> bool) -> Result<Vec<u64>, Error> {
        let mut epochs = Vec::new();
        for part in disk::entries(&self.seed_directory(seed))? {
            match self.epoch_of(seed, &part) {
                Some((epoch, true)) if is_meant(&part) => epochs.push(epoch),
                _ => {}
            }
        }
        epochs.sort_unstable();
        epochs.dedup();
        Ok(epochs)
    }

    /// Removes files that a killed process was about to write. Errors: [`Error::System`] if one
    /// cannot be removed.
    pub fn remove_unfinished_files(&self) -> Result<(), Error> {
        self.files()
            .try_for_each(|file| disk::remove_unfinished(&file))
    }

    /// Removes a seed's checkpoints, including unfinished ones, except for those of the epochs to
    /// `keep`. Errors: [`Error::System`] if a file cannot be removed, [`Error::Input`] if there is
    /// a link in place of the directory.
    pub fn prune_checkpoints(&self, seed: u64, keep: impl Fn(u64) -> bool) -> Result<(), Error> {
        let directory = self.seed_directory(seed);
        if !disk::is_directory(&self.root.join(CHECKPOINTS))? || !disk::is_directory(&directory)? {
            return Ok(());
        }
        let stale = |path: &PathBuf| {
            let epoch = self.epoch_of(seed, path);
            epoch.is_some_and(|(epoch, is_whole)| !is_whole || !keep(epoch))
        };
        let files = disk::entries(&directory)?.into_iter().filter(stale);
        let (json, rest): (Vec<_>, Vec<_>) = files.partition(|path| is_json(path));
        // The JSON part vouches for the other one, so it goes first, even if the power fails.
        for part in [json, rest] {
            part.iter().try_for_each(|path| disk::remove(path))?;
            if !part.is_empty() {
                let synced = disk::sync_directory(&directory);
                synced.map_err(Error::system("write", &directory))?;
            }
        }
        Ok(())
    }

    /// The epoch of a checkpoint's file, and whether it is complete rather than being written;
    /// `None` for files that the program did not make.
    fn epoch_of(&self, seed: u64, path: &Path) -> Option<(u64, bool)> {
        let (_, epoch) = path.file_stem()?.to_str()?.rsplit_once("epoch-")?;
        let epoch = epoch.parse().ok()?;
        let json = self.checkpoint(seed, epoch);
        for part in [json.with_extension("npz"), json] {
            if path == part {
                return Some((epoch, true));
            } else if path == unfinished(&part) {
                return Some((epoch, false));
            }
        }
        None
    }

    /// Makes the directory for a seed's checkpoints; the run's own exists, unless it was removed.
    /// Errors: [`Error::System`] if it cannot be made, [`Error::Input`] if something else is in its
    /// place.
    pub fn create_seed_directory(&self, seed: u64) -> Result<(), Error> {
        make([&self.root.join(CHECKPOINTS), &self.seed_directory(seed)])
    }
}

/// The number in the name of a checkpoint or of its directory, such as `epoch-000020` or `seed-0001`.
pub(super) fn number_after(name: Option<&OsStr>, prefix: &str) -> Option<u64> {
    name?.to_str()?.strip_prefix(prefix)?.parse().ok()
}

/// The event file of a curve below a directory.
pub fn event_file(directory: &Path, curve: &str) -> PathBuf {
    directory.join(curve).join("events.out.tfevents.lab")
}

/// Makes two nested directories, unless they exist.
fn make(directories: [&Path; 2]) -> Result<(), Error> {
    for directory in directories {
        if !disk::is_directory(directory)? {
            match disk::create_directory(directory) {
                // Another seed's thread was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => made.map_err(Error::system("create directory", directory))?,
            }
        }
    }
    Ok(())
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}
