//! Experiments of both kinds, made ready.

use playlab::Error;
use playlab::run::{Config, Experiment, SampledExperiment};

/// A config made ready: with its game listed, or to be measured in games.
pub enum Prepared {
    Exact(Box<Experiment>),
    Sampled(Box<SampledExperiment>),
}

impl Prepared {
    /// Makes a config ready.
    ///
    /// # Errors
    ///
    /// As [`Experiment::prepare`] and [`SampledExperiment::prepare`].
    pub fn prepare(config: Config) -> Result<Prepared, Error> {
        if config.is_sampled() {
            SampledExperiment::prepare(config).map(|sampled| Prepared::Sampled(Box::new(sampled)))
        } else {
            Experiment::prepare(config).map(|exact| Prepared::Exact(Box::new(exact)))
        }
    }

    /// What was asked for.
    pub fn config(&self) -> &Config {
        match self {
            Prepared::Exact(experiment) => &experiment.config,
            Prepared::Sampled(experiment) => experiment.config(),
        }
    }

    /// The experiment, if its game is listed.
    pub fn exact(&self) -> Option<&Experiment> {
        match self {
            Prepared::Exact(experiment) => Some(experiment),
            Prepared::Sampled(_) => None,
        }
    }
}
