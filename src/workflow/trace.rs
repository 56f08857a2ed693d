//! A training to be watched step by step.

use std::sync::Arc;

use super::checkpoints::stage;
use crate::config::{Config, OpponentConfig};
use crate::error::Error;
use crate::graph::Solved;
use crate::learn::{Column, Learner, Recorder};
use crate::rng::{LabRng, Purpose, stream};
use crate::train::Experiment;

/// The training of a config's first seed.
pub struct Trace {
    /// The seed.
    pub seed: u64,
    /// The game's graph, to which everything that a recorder gets refers.
    pub solved: Arc<Solved>,
    /// The opponents against which the learner trains.
    pub opponents: Vec<OpponentConfig>,
    /// What the learner's numbers mean.
    pub columns: &'static [Column],
    /// What learns.
    pub learner: Box<dyn Learner>,
    episodes: u64,
    rng: LabRng,
}

impl Trace {
    /// Prepares a config, and trains this many episodes. Errors: [`Error::Input`] if it does not
    /// train a table.
    pub fn begin(config: Config, episodes: u64) -> Result<Trace, Error> {
        let seed = config.seeds.list()[0];
        let stage = stage(config.game);
        let Experiment { config, setup, .. } = Experiment::prepare(config, &stage)?;
        let recorded = match &config.learner {
            Some(learner) => learner.settings().check_recorded(config.game),
            None => Err("measures an agent that does not learn"),
        };
        if let Err(what) = recorded {
            let text = format!("a trace shows updates, and this config {what}");
            return Err(Error::input(text));
        }
        let solved = stage.solved()?;
        let columns = setup.columns();
        let mut rng = stream(seed, Purpose::Training, 0, 0);
        let mut learner = setup.learner();
        let episodes = learner.train(0, episodes, &mut rng, None);
        Ok(Trace {
            seed,
            solved,
            opponents: config.opponents,
            columns,
            learner,
            episodes,
            rng,
        })
    }

    /// Trains one more episode and passes it to the recorder; returns its number, from 1.
    pub fn train(&mut self, recorder: &mut dyn Recorder) -> u64 {
        let (learner, rng) = (&mut self.learner, &mut self.rng);
        self.episodes += learner.train(self.episodes, 1, rng, Some(recorder));
        self.episodes
    }
}
