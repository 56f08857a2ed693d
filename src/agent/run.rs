//! `run:runs/qtable_o-1`: what a training learned.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::spec::{Form, Kind};
use super::{Agent, Stage, options};
use crate::error::Error;
use crate::text;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["run"],
    examples: &["run:DIRECTORY"],
    read: |_, rest| match rest {
        Some(rest) if !rest.is_empty() => RunOptions::read(rest).map(|run| Arc::new(run) as _),
        _ => Err("no directory, expected one such as run:runs/qtable_o-1".to_owned()),
    },
};

/// Which checkpoint is meant, and how it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// The run's directory, or a checkpoint in one.
    pub path: String,
    /// Which of a seed's checkpoints: `best`, `last`, or an epoch.
    pub checkpoint: String,
    /// Which seed; 0 for the first of the run.
    pub seed: u64,
    /// Simulations that a tree grows by for each move, where positions are not listed.
    pub simulations: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Selected {
    checkpoint: text::Word,
    seed: u64,
    simulations: u64,
}

impl Default for Selected {
    fn default() -> Self {
        Selected {
            checkpoint: text::Word("best".to_owned()),
            seed: 0,
            simulations: 0,
        }
    }
}

impl RunOptions {
    fn read(rest: &str) -> Result<RunOptions, String> {
        // A comma may be part of a path; one before a name and = is not.
        let is_option = |at: &usize| {
            let (name, value) = rest[at + 1..].split_once('=').unwrap_or_default();
            !value.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        let comma = rest.match_indices(',').map(|(at, _)| at).find(is_option);
        let (path, rest) = match comma {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        let Selected {
            checkpoint,
            seed,
            simulations,
        } = options::parse(rest)?;
        Ok(RunOptions {
            path: path.to_owned(),
            checkpoint: checkpoint.0,
            seed,
            simulations,
        })
    }
}

impl Kind for RunOptions {
    fn text(&self) -> String {
        let mut all = vec![self.path.clone()];
        all.extend(options::changed(&Selected {
            checkpoint: text::Word(self.checkpoint.clone()),
            seed: self.seed,
            simulations: self.simulations,
        }));
        options::written("run", all)
    }

    fn has_policy(&self) -> bool {
        false
    }

    fn depends_on_runs(&self) -> bool {
        true
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        stage.run(self)
    }
}
