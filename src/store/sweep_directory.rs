//! One training for each variant of a config.

use std::path::{Path, PathBuf};

use super::PICTURES;
use super::data::read_live;
use super::directory::{RunDirectory, SWEEP};
use super::manifest::Manifest;
use super::place::Place;
use super::shard_file::{create, read_shard};
use crate::config::{Config, Shard, Swept, Variant, read_config};
use crate::disk::{Lock, parent, remove_unfinished, write_own};
use crate::error::Error;
use crate::text::{csv_lines, lines_apart, out_of, quoted, shell_word};
use crate::train::{MetricsRow, Recorded};

/// A directory that holds a sweep: `sweep.toml`, a run directory for every variant, and their joint
/// results.
pub struct SweepDirectory {
    root: PathBuf,
}

/// The results of a sweep so far.
pub struct SweepSoFar {
    /// The variants that have finished an epoch.
    pub swept: Swept,
    /// The results of each of them; they are named by their values.
    pub runs: Vec<Recorded>,
    /// A sentence that says that there are others.
    pub left_out: Option<String>,
}

impl SweepDirectory {
    /// Makes a new directory that says which shard of the sweep is to be trained there, if not all, and locks it.
    /// Errors: [`Error::Input`] if something is already there, [`Error::System`] if it cannot be made.
    pub fn create(
        place: Place<'_>,
        config: &Config,
        shard: Option<Shard>,
    ) -> Result<(SweepDirectory, Lock), Error> {
        let (root, lock) = create(place, SWEEP, config, shard)?;
        Ok((SweepDirectory { root }, lock))
    }

    /// Takes the lock, once all readers of what will be written have finished. Errors: as [`Lock::take`].
    pub fn lock(&self) -> Result<Lock, Error> {
        Lock::take_after_readers(&self.root)
    }

    /// Removes files that a killed process was about to write. Errors: [`Error::System`] if one
    /// cannot be removed.
    pub fn remove_unfinished_files(&self) -> Result<(), Error> {
        let pictures = PICTURES.map(|extension| [self.curve(extension), self.rates(extension)]);
        let files = [self.config(), self.metrics(), self.comparison()].into_iter();
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
    pub fn read_config(&self) -> Result<(Config, Swept), Error> {
        let path = self.config();
        let config = read_config(&path)?;
        match config.swept()? {
            Some(swept) => Ok((config, swept)),
            None => Err(Error::input(format!("{} has no sweep", path.display()))),
        }
    }

    /// The shard of the sweep that is trained here, if not all of it. Errors: [`Error::Input`] if
    /// the file does not hold a shard of the sweep, [`Error::System`] if it cannot be read.
    pub fn shard(&self) -> Result<Option<Shard>, Error> {
        read_shard(&self.config())
    }

    /// The sweep in an existing directory, if there is one.
    pub fn open(root: &Path) -> Option<SweepDirectory> {
        let sweep = SweepDirectory {
            root: root.to_owned(),
        };
        sweep.config().is_file().then_some(sweep)
    }

    /// The sweep to which a run belongs, if there is one.
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

    /// Checks that `config`, the one of a variant's run, is the variant's, but for what may differ between the parts of a
    /// training. Errors: [`Error::Input`] with the first line that differs.
    pub fn check_variant(
        &self,
        run: &RunDirectory,
        config: &Config,
        variant: &Variant,
    ) -> Result<(), Error> {
        let trials = [config, &variant.config].map(Config::trial);
        if trials[0] == trials[1] {
            return Ok(());
        }
        let [own, its] = trials.map(|trial| trial.config().to_toml());
        let (own, its) = lines_apart(&own, &its).unwrap_or_default();
        Err(Error::input(format!(
            "{} is not the run of variant {}: its config has {} where the variant's has {}; restore it, or remove it \
             and train it again with: lab train --resume {}",
            run.root().display(),
            variant.name,
            quoted(own),
            quoted(its),
            shell_word(&self.root)
        )))
    }

    /// As [`check_variant`](Self::check_variant), for reading results: another build of the program may have had
    /// other defaults where these depend on the variant.
    fn check_read(
        &self,
        run: &RunDirectory,
        config: &Config,
        swept: &Swept,
        variant: &Variant,
    ) -> Result<(), Error> {
        let is_by_this =
            || Manifest::read(run).is_some_and(|about| about.other_version().is_none());
        match swept.sweep.defaults.is_empty() || is_by_this() {
            true => self.check_variant(run, config, variant),
            false => Ok(()),
        }
    }

    /// The runs of all variants, in their order. Errors: [`Error::Input`] for a shard, and for runs that are missing or
    /// not the variants', with how to make them; [`Error::System`] if the system refuses access.
    pub fn runs(&self, swept: &Swept) -> Result<Vec<RunDirectory>, Error> {
        if let Some(shard) = self.shard()? {
            return Err(Error::input(format!(
                "{} is shard {shard} of a sweep; merge all of its shards first: lab merge OUT RUN...",
                self.root.display()
            )));
        }
        let (mut runs, mut missing) = (Vec::new(), Vec::new());
        for variant in &swept.variants {
            match RunDirectory::find(&self.run(variant))? {
                Some(run) => {
                    self.check_read(&run, &run.read_config()?, swept, variant)?;
                    runs.push(run);
                }
                None => {
                    let place = self.run(variant);
                    if RunDirectory::RESULTS
                        .iter()
                        .any(|name| place.join(name).exists())
                    {
                        return Err(without_config(&place));
                    }
                    missing.push(variant);
                }
            }
        }
        let [first, others @ ..] = &missing[..] else {
            return Ok(runs);
        };
        let (are, them) = match others.len() {
            0 => (" is".to_owned(), "it"),
            more => (format!(" and {more} more are"), "them"),
        };
        Err(Error::input(format!(
            "the sweep {} is incomplete: {}{are} missing; train {them} with: lab train --resume {}",
            self.root.display(),
            first.name,
            shell_word(&self.root)
        )))
    }

    /// Reads the results so far of the variants that have finished an epoch, even while they are trained; a sentence
    /// mentions those that are left out. Errors: [`Error::Input`] if there is none, or one that has begun is not as the
    /// program writes it, [`Error::System`] if one cannot be read.
    pub fn read_so_far(&self, swept: Swept) -> Result<SweepSoFar, Error> {
        let all = swept.variants.len();
        let (mut variants, mut runs) = (Vec::new(), Vec::new());
        for variant in &swept.variants {
            let Some(run) = RunDirectory::find(&self.run(variant))? else {
                continue;
            };
            let has_begun = run.results().iter().all(|file| file.exists());
            let is_finished = || Manifest::read(&run).is_some_and(|about| about.is_finished());
            if !has_begun && !is_finished() {
                continue;
            }
            let data = read_live(&run)?;
            self.check_read(&run, &data.config, &swept, variant)?;
            if data.metrics.iter().any(|row| row.epoch > 0) {
                let name = swept.title(variant);
                variants.push(variant.clone());
                runs.push(Recorded { name, ..data });
            }
        }
        match runs.is_empty() {
            true => Err(Error::input(format!(
                "no run of the sweep {} has finished an epoch yet",
                self.root.display()
            ))),
            false => Ok(SweepSoFar {
                left_out: (runs.len() < all).then(|| {
                    let are = match all - runs.len() {
                        1 => "has no finished epoch yet and is",
                        _ => "have no finished epoch yet and are",
                    };
                    format!(
                        "{} variants of the sweep {} {are} left out; unless it is being trained, resume it with: \
                         lab train --resume {}",
                        out_of(all - runs.len(), all),
                        self.root.display(),
                        shell_word(&self.root)
                    )
                }),
                swept: Swept { variants, ..swept },
                runs,
            }),
        }
    }

    /// The file with the rows of all runs, after the values of the keys.
    pub fn metrics(&self) -> PathBuf {
        let [metrics, _] = RunDirectory::RESULTS;
        self.root.join(metrics)
    }

    /// The learning curves of all variants; `extension` is svg or png.
    pub fn curve(&self, extension: &str) -> PathBuf {
        self.root.join("curve").with_extension(extension)
    }

    /// The final rates by the swept values; `extension` is svg or png.
    pub fn rates(&self, extension: &str) -> PathBuf {
        self.root.join("sweep").with_extension(extension)
    }

    /// The sweep within it that has only its best variants, trained with fresh seeds.
    pub fn best(&self) -> PathBuf {
        self.root.join("best")
    }

    /// The file of a final comparison: the results of selection and of fresh seeds for each variant.
    pub fn comparison(&self) -> PathBuf {
        self.root.join("best.csv")
    }

    /// Writes the rows of all variants into one file, after columns with the values; these are named by the keys'
    /// labels, or by the whole key where its label is the name of another column. Errors: [`Error::System`] if it
    /// cannot be written.
    pub fn write_metrics(&self, swept: &Swept, runs: &[Recorded]) -> Result<(), Error> {
        let rows = swept.variants.iter().zip(runs).flat_map(|(variant, run)| {
            let values = variant.values.iter().map(|value| value.name.as_str());
            let values: Vec<&str> = values.collect();
            run.metrics.iter().map(move |row| (values.clone(), row))
        });
        let own: Vec<&str> = MetricsRow::COLUMNS.split(',').collect();
        let labels = swept.sweep.labels().into_iter().zip(swept.sweep.keys());
        let labels = labels.map(|(label, key)| match own.contains(&label.as_str()) {
            true => key.to_string(),
            false => label,
        });
        let labels = csv_lines([labels.collect::<Vec<_>>()], false);
        let head = format!("{},{}\n", labels.trim_end(), MetricsRow::COLUMNS);
        let content = head + &csv_lines(rows, false);
        write_own(&self.metrics(), content.as_bytes())
    }
}

/// The error that the place of a variant holds something, but no config.
pub fn without_config(place: &Path) -> Error {
    Error::input(format!(
        "{} has files but no config.toml; restore that from a copy, or remove the directory and train what is missing \
         with: lab train --resume {}",
        place.display(),
        shell_word(parent(place))
    ))
}
