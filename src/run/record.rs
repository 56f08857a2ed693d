//! What is measured after an epoch, and the rows that it becomes.

use serde::{Deserialize, Serialize};

use super::config::Config;
use crate::evaluate::{Assessment, Tally, wilson};
use crate::game::{Side, Value};
use crate::graph::Rates;

/// Everything that one seed's epoch gives to the result files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochRecord {
    /// The epoch, from 1.
    pub epoch: u64,
    /// Episodes played so far.
    pub episodes: u64,
    /// One record per learned side, X first.
    pub sides: Vec<SideRecord>,
}

/// One side's part of an [`EpochRecord`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideRecord {
    /// The side.
    pub side: Side,
    /// ε in the epoch's last episode, if exploration is ε-greedy.
    pub epsilon: Option<f64>,
    /// Softmax temperature in the epoch's last episode, if that is used.
    pub temperature: Option<f64>,
    /// Mean step size of the epoch's updates.
    pub learning_rate: Option<f64>,
    /// Mean absolute TD error of the epoch's updates.
    pub mean_abs_td_error: Option<f64>,
    /// Distinct table entries updated so far.
    pub states_visited: u64,
    /// See [`crate::evaluate`].
    pub optimal_move_rate: f64,
    /// See [`crate::evaluate`].
    pub worst_case: Value,
    /// Exact (win, draw, loss) against each opponent, in the config's order.
    pub exact: Vec<(f64, f64, f64)>,
    /// Exact (win, draw, loss) against the best response.
    pub best_response: (f64, f64, f64),
    /// Sampled (wins, draws, losses) against each opponent; empty if no games
    /// are played.
    pub sampled: Vec<(u64, u64, u64)>,
}

impl SideRecord {
    /// Whether no opponent can win with positive probability.
    pub fn unbeatable(&self) -> bool {
        self.worst_case != Value::Loss
    }

    /// Takes over what an assessment found.
    pub(super) fn set_assessment(&mut self, assessment: &Assessment) {
        let triple = |rates: &Rates| (rates.win, rates.draw, rates.loss);
        self.optimal_move_rate = assessment.optimal_move_rate;
        self.worst_case = assessment.worst_case();
        self.exact = assessment.against.iter().map(triple).collect();
        self.best_response = triple(&assessment.best_response.rates);
    }
}

impl EpochRecord {
    /// Whether every learned side is unbeatable.
    pub fn unbeatable(&self) -> bool {
        self.sides.iter().all(SideRecord::unbeatable)
    }

    /// Exact win rate against the first opponent, averaged over the sides.
    pub fn first_win_rate(&self) -> f64 {
        let sum: f64 = self.sides.iter().map(|side| side.exact[0].0).sum();
        sum / self.sides.len() as f64
    }

    /// The rows of `metrics.csv`.
    pub fn metrics(&self, seed: u64, config: &Config) -> Vec<MetricsRow> {
        let mut rows = Vec::new();
        for record in &self.sides {
            let mut push =
                |opponent: String, (win_rate, draw_rate, loss_rate), sample: Option<Tally>| {
                    let (low, high) =
                        sample.map_or((win_rate, win_rate), |t| wilson(t.wins, t.games()));
                    rows.push(MetricsRow {
                        seed,
                        epoch: self.epoch,
                        episodes: self.episodes,
                        side: record.side,
                        opponent,
                        method: if sample.is_some() {
                            Method::Sampled
                        } else {
                            Method::Exact
                        },
                        games: sample.map(|tally| tally.games()),
                        win_rate,
                        draw_rate,
                        loss_rate,
                        win_low: low,
                        win_high: high,
                    });
                };
            for (i, opponent) in config.evaluation.opponents.iter().enumerate() {
                push(opponent.to_string(), record.exact[i], None);
                if let Some(&(wins, draws, losses)) = record.sampled.get(i) {
                    let tally = Tally {
                        wins,
                        draws,
                        losses,
                    };
                    let rates = tally.rates();
                    push(
                        opponent.to_string(),
                        (rates.win, rates.draw, rates.loss),
                        Some(tally),
                    );
                }
            }
            push(BEST_RESPONSE.to_owned(), record.best_response, None);
        }
        rows
    }

    /// The rows of `training.csv`.
    pub fn training(&self, seed: u64) -> Vec<TrainingRow> {
        self.sides
            .iter()
            .map(|record| TrainingRow {
                seed,
                epoch: self.epoch,
                episodes: self.episodes,
                side: record.side,
                epsilon: record.epsilon,
                temperature: record.temperature,
                learning_rate: record.learning_rate,
                mean_abs_td_error: record.mean_abs_td_error,
                states_visited: record.states_visited,
                optimal_move_rate: record.optimal_move_rate,
                worst_case: record.worst_case,
            })
            .collect()
    }
}

/// The name of the strongest opponent among the rows of `metrics.csv`.
pub const BEST_RESPONSE: &str = "best-response";

/// How rates were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Computed.
    Exact,
    /// Counted in played games.
    Sampled,
}

/// A row of `metrics.csv`. Rates are fractions, from the learner's point of
/// view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricsRow {
    /// The seed.
    pub seed: u64,
    /// The epoch, from 1.
    pub epoch: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// The side that the learner plays.
    pub side: Side,
    /// Whom it plays against.
    pub opponent: String,
    /// How the rates were found.
    pub method: Method,
    /// Games played; none for exact rates.
    pub games: Option<u64>,
    /// Won.
    pub win_rate: f64,
    /// Drawn.
    pub draw_rate: f64,
    /// Lost.
    pub loss_rate: f64,
    /// Lower end of the 95 % Wilson interval; for exact rates the rate itself.
    pub win_low: f64,
    /// Upper end of the 95 % Wilson interval; for exact rates the rate itself.
    pub win_high: f64,
}

impl MetricsRow {
    /// The names of the columns.
    pub const COLUMNS: [&str; 12] = [
        "seed",
        "epoch",
        "episodes",
        "side",
        "opponent",
        "method",
        "games",
        "win_rate",
        "draw_rate",
        "loss_rate",
        "win_low",
        "win_high",
    ];
}

/// A row of `training.csv`; see [`SideRecord`] for the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns are described at SideRecord")]
pub struct TrainingRow {
    pub seed: u64,
    pub epoch: u64,
    pub episodes: u64,
    pub side: Side,
    pub epsilon: Option<f64>,
    pub temperature: Option<f64>,
    pub learning_rate: Option<f64>,
    pub mean_abs_td_error: Option<f64>,
    pub states_visited: u64,
    pub optimal_move_rate: f64,
    pub worst_case: Value,
}
