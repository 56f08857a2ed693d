//! What can be found out about a training before it has a directory.

use super::Training;
use crate::agent::Stage;
use crate::config::{Config, Shard, Variant};
use crate::error::Error;
use crate::store::{Manifest, Place, RunDirectory, SweepDirectory};
use crate::train::{Cast, Experiment};
use crate::workflow::checkpoints::stage;

/// A config prepared for training, before anything is on the disk.
pub struct Prepared {
    config: Config,
    /// Which part of its trials is trained, if not all.
    shard: Option<Shard>,
    manifest: Manifest,
    variants: Vec<PreparedVariant>,
}

impl Prepared {
    /// Prepares a config, which may take long because positions are listed and agents read. Errors: [`Error::Input`]
    /// if the config, or a variant of it, cannot be trained.
    pub fn new(config: Config, shard: Option<Shard>) -> Result<Prepared, Error> {
        let manifest = Manifest::start();
        let config = config.pinned()?;
        Ok(Prepared {
            variants: prepared_variants(&config, shard, &stage(config.game))?,
            config,
            shard,
            manifest,
        })
    }

    /// The config that is trained.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The number of trials.
    pub fn trial_count(&self) -> u64 {
        let seeds = |variant: &PreparedVariant| variant.2.config.seeds.count();
        self.variants.iter().map(seeds).sum()
    }

    /// Makes the directory of the run or of the sweep, and takes its lock. Errors: [`Error::Input`] if something
    /// else is already there; [`Error::System`] if it cannot be made, written or read.
    pub fn begin(self, place: Place<'_>) -> Result<Training, Error> {
        let (config, shard) = (self.config, self.shard);
        let (root, sweep, lock) = match config.sweep {
            None => {
                let (run, lock) = RunDirectory::create(place, &config, shard)?;
                (run.root().to_owned(), None, lock)
            }
            Some(_) => {
                let (sweep, lock) = SweepDirectory::create(place, &config, shard)?;
                (sweep.root().to_owned(), Some(sweep), lock)
            }
        };
        let (variants, locks) = (self.variants, vec![lock]);
        Training::open(config, shard, variants, &root, sweep, locks, &self.manifest)
    }
}

/// A variant, which part of its trials is to be trained, if not all, and the experiment prepared for them.
pub(super) type PreparedVariant = (Variant, Option<Shard>, Experiment);

/// The variants of a sweep that have trials in the shard, each prepared; without a sweep the config itself is the
/// only one.
pub(super) fn prepared_variants(
    config: &Config,
    shard: Option<Shard>,
    stage: &Stage,
) -> Result<Vec<PreparedVariant>, Error> {
    let variants = match config.sweep {
        None => vec![Variant {
            name: String::new(),
            values: Vec::new(),
            config: config.clone(),
        }],
        Some(_) => config.variants()?,
    };
    let parts = shard.map(|shard| shard.of_variants(&variants));
    let cast = Cast::new(stage);
    let mut all = Vec::new();
    for (number, variant) in variants.into_iter().enumerate() {
        let part = parts.as_ref().map(|parts| parts[number]);
        if part != Some(None) {
            let part = part.flatten();
            let own = part.map(|part| part.part_of(&variant.config));
            let own = own.unwrap_or_else(|| variant.config.clone());
            let experiment = Experiment::prepare_with(own, &cast)?;
            all.push((variant, part, experiment));
        }
    }
    Ok(all)
}
