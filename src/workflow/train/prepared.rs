//! What can be found out about a training before it has a directory.

use std::num::NonZeroUsize;

use super::{Run, Training};
use crate::agent::Stage;
use crate::config::{Config, Shard, Variant};
use crate::error::Error;
use crate::store::{Manifest, Place, RunDirectory, SweepDirectory};
use crate::train::{Cast, Experiment};
use crate::workflow::checkpoints::stage;

/// A config made ready to be trained, of which nothing is on the disk yet.
pub struct Prepared {
    config: Config,
    /// Which of its trials are trained, if not all.
    shard: Option<Shard>,
    manifest: Manifest,
    what: What,
}

enum What {
    Run(Box<Experiment>),
    Sweep(Vec<PreparedVariant>),
}

impl Prepared {
    /// Makes it ready, which may take long: positions are listed, agents read. Errors: [`Error::Input`] if the config,
    /// or a variant of it, cannot be trained.
    pub fn new(
        config: Config,
        shard: Option<Shard>,
        threads: NonZeroUsize,
    ) -> Result<Prepared, Error> {
        let manifest = Manifest::start(threads.get());
        let config = config.pinned()?;
        let stage = stage(config.game);
        let what = match config.sweep {
            None => {
                let experiment = Experiment::prepare(part_of(&config, shard), &stage)?;
                What::Run(Box::new(experiment))
            }
            Some(_) => What::Sweep(prepared_variants(&config, shard, &stage)?),
        };
        Ok(Prepared {
            config,
            shard,
            manifest,
            what,
        })
    }

    /// What is trained.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// How many trials there are.
    pub fn trial_count(&self) -> u64 {
        let seeds = |experiment: &Experiment| experiment.config.seeds.count();
        match &self.what {
            What::Run(experiment) => seeds(experiment),
            What::Sweep(variants) => variants.iter().map(|variant| seeds(&variant.2)).sum(),
        }
    }

    /// Makes the directory of the run or of the sweep, and takes its lock. Errors: [`Error::Input`] if something
    /// else is at the place already; [`Error::System`] if it cannot be made, written or read.
    pub fn begin(self, place: Place<'_>) -> Result<Training, Error> {
        let (config, shard, manifest) = (self.config, self.shard, self.manifest);
        match self.what {
            What::Run(experiment) => {
                let (directory, lock) = RunDirectory::create(place, &config, shard)?;
                let run = Run::open(directory, &config, &config, *experiment, manifest, None)?;
                Ok(Training::of_run(config, run, vec![lock]))
            }
            What::Sweep(variants) => {
                let directory = SweepDirectory::create(place, &config, shard)?;
                Training::of_sweep(config, shard, variants, directory, &manifest)
            }
        }
    }
}

/// A variant, which of its trials are to be trained, if not all, and these made ready.
pub(super) type PreparedVariant = (Variant, Option<Shard>, Experiment);

/// The variants of a sweep that have trials in the shard, each made ready.
pub(super) fn prepared_variants(
    config: &Config,
    shard: Option<Shard>,
    stage: &Stage,
) -> Result<Vec<PreparedVariant>, Error> {
    let variants = config.variants()?;
    let parts = shard.map(|shard| shard.of_variants(&variants));
    let cast = Cast::new(stage);
    let mut all = Vec::new();
    for (number, variant) in variants.into_iter().enumerate() {
        let part = parts.as_ref().map(|parts| parts[number]);
        if part != Some(None) {
            let part = part.flatten();
            let experiment = Experiment::prepare_with(part_of(&variant.config, part), &cast)?;
            all.push((variant, part, experiment));
        }
    }
    Ok(all)
}

/// The config of the shard's trials alone, if it is one.
pub(super) fn part_of(config: &Config, shard: Option<Shard>) -> Config {
    shard.map_or_else(|| config.clone(), |shard| shard.part_of(config))
}
