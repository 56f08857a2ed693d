//! A training, episode by episode: every move and every update.

use std::sync::Arc;

use super::checkpoints::stage;
use crate::config::{Config, OpponentSpec};
use crate::error::Error;
use crate::game::{Outcome, Position, Side};
use crate::graph::GameGraph;
use crate::learn::{Choice, Learner, Recorder, Scalar, UpdateRecord};
use crate::rng::{Purpose, stream};
use crate::train::Experiment;

/// The training of a config's first seed.
pub struct Trace {
    experiment: Experiment,
    learner: Box<dyn Learner>,
    seed: u64,
}

/// What happened in an episode of training.
#[derive(Clone, Debug)]
pub struct Episode {
    /// Its number, from 1.
    pub number: u64,
    /// The seed.
    pub seed: u64,
    /// What the learner says of itself after it: the columns of training.csv that have a number.
    pub scalars: Vec<(&'static str, f64)>,
    /// Whom it was played against.
    pub opponent: OpponentSpec,
    /// What happened, in order.
    pub steps: Vec<Step>,
}

/// What happened at once.
#[derive(Clone, Debug)]
pub enum Step {
    /// A move was made.
    Moved {
        /// Who moved.
        mover: Side,
        /// The move.
        mv: String,
        /// Why it was played.
        choice: Choice,
        /// The position after it.
        position: Position,
    },
    /// A table entry was updated.
    Updated {
        /// The position whose move is judged.
        position: String,
        /// The move.
        mv: String,
        /// How.
        update: UpdateRecord,
    },
    /// The game ended.
    Ended(Outcome),
}

impl Trace {
    /// Makes a config ready, and trains so many episodes before the first that is told of. Errors:
    /// [`Error::Input`] if it trains no table.
    pub fn begin(config: Config, skip: u64) -> Result<Trace, Error> {
        let untold = |what: &str| {
            let text = format!("a trace shows updates, and this config {what}");
            Err(Error::input(text))
        };
        if config.learner.is_none() {
            return untold("measures an agent that does not learn");
        }
        if config.opponents.is_empty() {
            return untold(
                "trains a search tree, which has none; lab solve --method mcts shows one",
            );
        }
        let seed = config.seeds.list()[0];
        let experiment = Experiment::prepare(config.clone(), &stage(config.game.info()))?;
        let rng = stream(seed, Purpose::Training, 0, 0);
        let mut learner = Arc::clone(&experiment.setup).learner(rng);
        learner.train(skip, None);
        Ok(Trace {
            experiment,
            learner,
            seed,
        })
    }

    /// Trains one more episode, and tells what happened.
    pub fn episode(&mut self) -> Episode {
        let solved = self.experiment.exact();
        let mut teller = Teller {
            graph: &solved.expect("a table is of a listed game").graph,
            opponent: 0,
            steps: Vec::new(),
        };
        self.learner.train(1, Some(&mut teller));
        let Teller {
            opponent, steps, ..
        } = teller;
        let columns = self.experiment.setup.columns().iter().copied();
        let [scalars, _] = self.learner.scalars();
        let number = |(column, scalar)| match scalar {
            Scalar::Number(Some(value)) => Some((column, value)),
            _ => None,
        };
        Episode {
            number: self.learner.episodes(),
            seed: self.seed,
            scalars: columns.zip(scalars).filter_map(number).collect(),
            opponent: self.experiment.config.opponents[opponent].agent.clone(),
            steps,
        }
    }
}

/// Writes down what happens.
struct Teller<'a> {
    graph: &'a GameGraph,
    opponent: usize,
    steps: Vec<Step>,
}

impl Recorder for Teller<'_> {
    fn started(&mut self, opponent: usize) {
        self.opponent = opponent;
    }

    fn moved(&mut self, edge: usize, choice: Choice) {
        self.steps.push(Step::Moved {
            mover: self.graph.to_move(self.graph.position_of(edge)),
            mv: self.graph.format_move(edge),
            choice,
            position: self.graph.position(self.graph.child(edge)),
        });
    }

    fn updated(&mut self, update: &UpdateRecord) {
        let position = self.graph.position_of(update.edge);
        self.steps.push(Step::Updated {
            position: self.graph.format_position(position),
            mv: self.graph.format_move(update.edge),
            update: *update,
        });
    }

    fn ended(&mut self, outcome: Outcome) {
        self.steps.push(Step::Ended(outcome));
    }
}
