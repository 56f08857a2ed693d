//! One training for each of several values of one key of the config.

use std::path::{Path, PathBuf};

use super::PICTURES;
use super::data::{read_live, read_run};
use super::directory::{RunDirectory, SWEEP};
use super::place::{Place, or_go_on};
use super::shard_file::{left_of_shard, read_shard, write_shard};
use crate::config::{Config, Shard, Sweep, Variant, read_config};
use crate::disk::{Lock, remove_unfinished, write_own};
use crate::error::Error;
use crate::text::{csv_lines, shell_word};
use crate::train::{MetricsRow, Recorded};

/// A directory that holds a sweep: `sweep.toml`, a run directory for every variant,
/// and what they give together.
pub struct SweepDirectory {
    root: PathBuf,
}

impl SweepDirectory {
    /// Makes a new one that says which shard of it is to be trained there, if not all, and locks it.
    /// Errors: [`Error::Input`] if there is something already, [`Error::System`] if it cannot be made.
    pub fn create(
        place: Place<'_>,
        config: &Config,
        shard: Option<Shard>,
    ) -> Result<(SweepDirectory, Lock), Error> {
        let claimed = place.claim(|root| left_of_shard(root, SWEEP));
        let is_sweep = |root: &Path| SweepDirectory::open(root).is_some();
        let (root, lock) = claimed.map_err(|error| or_go_on(place, error, is_sweep))?;
        let sweep = SweepDirectory { root };
        write_shard(&sweep.root, shard)?;
        sweep.write_config(config)?;
        Ok((sweep, lock))
    }

    /// Takes the lock. Errors: as [`Lock::take`].
    pub fn lock(&self) -> Result<Lock, Error> {
        Lock::take(&self.root)
    }

    /// Removes files that a killed process was about to write. Errors: [`Error::System`] if one
    /// cannot be removed.
    pub fn remove_unfinished_files(&self) -> Result<(), Error> {
        let pictures = PICTURES.map(|extension| [self.curve(extension), self.rates(extension)]);
        let files = [self.config(), self.metrics()].into_iter();
        files
            .chain(pictures.into_iter().flatten())
            .try_for_each(|path| remove_unfinished(&path))
    }

    /// Writes the resolved config. Errors: [`Error::System`] if it cannot be written.
    pub fn write_config(&self, config: &Config) -> Result<(), Error> {
        write_own(&self.config(), config.to_toml().as_bytes())
    }

    /// Reads the resolved config, and its sweep. Errors: [`Error::Input`] if it cannot be read or used, or has no
    /// sweep.
    pub fn read_config(&self) -> Result<(Config, Sweep), Error> {
        let path = self.config();
        let config = read_config(&path)?;
        match config.sweep.clone() {
            Some(sweep) => Ok((config, sweep)),
            None => Err(Error::input(format!("{} has no sweep", path.display()))),
        }
    }

    /// The shard of the sweep that is trained here, if it is not all of it. Errors: [`Error::Input`]
    /// if that cannot be read.
    pub fn shard(&self) -> Result<Option<Shard>, Error> {
        read_shard(&self.root)
    }

    /// The sweep in an existing directory, if there is one.
    pub fn open(root: &Path) -> Option<SweepDirectory> {
        let sweep = SweepDirectory {
            root: root.to_owned(),
        };
        sweep.config().is_file().then_some(sweep)
    }

    /// The sweep that a run belongs to, if there is one.
    pub fn around(run: &RunDirectory) -> Option<SweepDirectory> {
        let root = std::fs::canonicalize(run.root()).ok()?;
        SweepDirectory::open(root.parent()?)
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        self.root.join(SWEEP)
    }

    /// The run directory of a variant.
    pub fn run(&self, variant: &Variant) -> PathBuf {
        self.root.join(&variant.name)
    }

    /// What the finished runs of these variants say; each is named by its value. Errors: as
    /// [`read_run`]; [`Error::Input`] for runs that are not there, with how to make them.
    pub fn read(&self, sweep: &Sweep, variants: &[Variant]) -> Result<Vec<Recorded>, Error> {
        if let Some(shard) = self.shard()? {
            return Err(Error::input(format!(
                "{} is shard {shard} of a sweep; merge all of its shards first: lab merge OUT RUN...",
                self.root.display()
            )));
        }
        let is_missing = |variant: &&Variant| RunDirectory::open(&self.run(variant)).is_err();
        let missing: Vec<&Variant> = variants.iter().filter(is_missing).collect();
        if let [first, others @ ..] = &missing[..] {
            let (are, them) = match others.len() {
                0 => (" is".to_owned(), "it"),
                more => (format!(" and {more} more are"), "them"),
            };
            return Err(Error::input(format!(
                "of the sweep {} the run {}{are} not there; train {them} by: lab train --resume {}",
                self.root.display(),
                first.name,
                shell_word(&self.root)
            )));
        }
        let read = |(variant, &value): (&Variant, &f64)| {
            Ok(Recorded {
                name: sweep.title(value),
                ..read_run(&RunDirectory::open(&self.run(variant))?)?
            })
        };
        variants.iter().zip(&sweep.values).map(read).collect()
    }

    /// What those of these variants say so far that have begun, each with its value, also while they are
    /// trained. Errors: [`Error::Input`] if none has.
    pub fn read_live(
        &self,
        sweep: &Sweep,
        variants: &[Variant],
    ) -> Result<(Vec<f64>, Vec<Recorded>), Error> {
        let read = |(variant, &value): (&Variant, &f64)| {
            let data = read_live(&RunDirectory::open(&self.run(variant)).ok()?).ok()?;
            let name = sweep.title(value);
            (!data.metrics.is_empty()).then_some((value, Recorded { name, ..data }))
        };
        let all = variants.iter().zip(&sweep.values);
        let (values, runs): (Vec<f64>, Vec<Recorded>) = all.filter_map(read).unzip();
        match runs.is_empty() {
            true => Err(Error::input(format!(
                "no run of the sweep {} has finished an epoch yet",
                self.root.display()
            ))),
            false => Ok((values, runs)),
        }
    }

    /// A row per value of the key, and then as in a run.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.csv")
    }

    /// The learning curves of all variants; `extension` is svg or png.
    pub fn curve(&self, extension: &str) -> PathBuf {
        self.root.join("curve").with_extension(extension)
    }

    /// The final rates by value; `extension` is svg or png.
    pub fn rates(&self, extension: &str) -> PathBuf {
        self.root.join("sweep").with_extension(extension)
    }

    /// Writes the rows of all variants into one file, with the value in a first column that has
    /// the name of the key's last part. Errors: [`Error::System`] if it cannot be written.
    pub fn write_metrics(&self, sweep: &Sweep, runs: &[Recorded]) -> Result<(), Error> {
        let rows = sweep.values.iter().zip(runs);
        let rows = rows.flat_map(|(value, run)| run.metrics.iter().map(move |row| (value, row)));
        let head = format!("{},{}\n", sweep.label(), MetricsRow::COLUMNS);
        let content = head + &csv_lines(rows, false);
        write_own(&self.metrics(), content.as_bytes())
    }
}
