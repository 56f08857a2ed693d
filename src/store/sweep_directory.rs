//! One training for each of several values of one key of the config.

use std::path::{Path, PathBuf};

use super::data::read_run;
use super::directory::{RunDirectory, SWEEP};
use super::files::{create_directory, create_numbered_directory, write_atomically};
use crate::config::{Config, Sweep, Variant};
use crate::error::Error;
use crate::train::{MetricsRow, Recorded};

/// A directory that holds a sweep: `sweep.toml`, a run directory for every variant,
/// and what they give together.
pub struct SweepDirectory {
    root: PathBuf,
}

impl SweepDirectory {
    /// Makes a new one.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be
    /// made.
    pub fn create(root: &Path, config: &Config) -> Result<SweepDirectory, Error> {
        // An empty directory is as good as none: it may be what a start that was killed
        // left behind.
        let is_empty = std::fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty {
            create_directory(root)?;
        }
        Self::begin(root.to_owned(), config)
    }

    /// Makes `<parent>/<name>-<n>` with the first n, from 1, that is free.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if there is something already, [`Error::System`] if it cannot be
    /// made.
    pub fn create_numbered(
        parent: &Path,
        name: &str,
        config: &Config,
    ) -> Result<SweepDirectory, Error> {
        Self::begin(create_numbered_directory(parent, name)?, config)
    }

    fn begin(root: PathBuf, config: &Config) -> Result<SweepDirectory, Error> {
        let sweep = SweepDirectory { root };
        sweep.write_config(config)?;
        Ok(sweep)
    }

    /// Writes the resolved config.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be written.
    pub fn write_config(&self, config: &Config) -> Result<(), Error> {
        write_atomically(&self.config(), config.to_toml().as_bytes()).map(drop)
    }

    /// The sweep in an existing directory, if there is one.
    pub fn open(root: &Path) -> Option<SweepDirectory> {
        let sweep = SweepDirectory {
            root: root.to_owned(),
        };
        sweep.config().is_file().then_some(sweep)
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

    /// What the finished runs of these variants say; each is named by its value.
    ///
    /// # Errors
    ///
    /// As [`read_run`], also for a run that is not there.
    pub fn read(&self, sweep: &Sweep, variants: &[Variant]) -> Result<Vec<Recorded>, Error> {
        variants
            .iter()
            .map(|variant| {
                let mut data = read_run(&RunDirectory::open(&self.run(variant))?)?;
                data.name = format!("{} = {}", sweep.label(), variant.value);
                Ok(data)
            })
            .collect()
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

    /// Writes the rows of all variants into one file, with the value in a first
    /// column that has the name of the key's last part.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be written.
    pub fn write_metrics(&self, sweep: &Sweep, runs: &[Recorded]) -> Result<(), Error> {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        let mut head = vec![sweep.label().to_owned()];
        head.extend(MetricsRow::COLUMNS.map(str::to_owned));
        writer
            .write_record(&head)
            .expect("writing to memory does not fail");
        for (value, run) in sweep.values.iter().zip(runs) {
            for row in &run.metrics {
                writer
                    .serialize((value, row))
                    .expect("a row is a CSV record");
            }
        }
        let content = writer
            .into_inner()
            .expect("writing to memory does not fail");
        write_atomically(&self.metrics(), &content).map(drop)
    }
}
