//! What a run recorded, row by row.

use std::iter::Sum;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::evaluate::Played;
use crate::game::{Side, Value};
use crate::graph::Rates;

/// Which of a learner's policies is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyKind {
    /// The policy that always takes a move of highest value or probability.
    Greedy,
    /// The learned policy, with its probabilities.
    Stochastic,
}

/// How rates were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationMethod {
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
    /// The epoch, from 1; 0 before the first episode.
    pub epoch: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// The side that the learner plays.
    pub side: Side,
    /// The opponent.
    pub opponent: String,
    /// Which of the learner's policies is measured, where it has two.
    #[serde(default)]
    pub policy: Option<PolicyKind>,
    /// How the rates were found.
    pub method: EvaluationMethod,
    /// The number of games played; `None` for exact rates.
    pub games: Option<u64>,
    /// How many of them are different; see [`Played`].
    pub distinct_games: Option<u64>,
    /// See [`Played::effective_games`](crate::evaluate::Played::effective_games).
    pub effective_games: Option<f64>,
    /// The rate of wins.
    pub win_rate: f64,
    /// The rate of draws.
    pub draw_rate: f64,
    /// The rate of losses.
    pub loss_rate: f64,
    /// Lower end of the 95 % interval, see [`Played::win_interval`](crate::evaluate::Played::win_interval); for
    /// exact rates the rate itself.
    pub win_low: Option<f64>,
    /// Upper end of the interval; for exact rates the rate itself.
    pub win_high: Option<f64>,
}

impl MetricsRow {
    /// The names of the columns.
    pub const COLUMNS: &str = "seed,epoch,episodes,side,opponent,policy,method,games,distinct_games,effective_games,\
                               win_rate,draw_rate,loss_rate,win_low,win_high";

    /// The rates.
    pub fn rates(&self) -> Rates {
        Rates {
            win: self.win_rate,
            draw: self.draw_rate,
            loss: self.loss_rate,
        }
    }
}

/// The columns that every row of `training.csv` has, in addition to the learner's own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TrainingRow {
    /// The seed.
    pub seed: u64,
    /// The epoch, from 1; 0 before the first episode.
    pub epoch: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// The side that is learned.
    pub side: Side,
    /// How far the learned values are from the true ones, in units of the rewards; `None` where a
    /// learner has no table.
    #[serde(default)]
    pub value_error: Option<f64>,
    /// See [`AgainstPerfect::success`](crate::evaluate::AgainstPerfect::success); `None` where the game has no
    /// solved positions, no opponent plays perfectly, or the probabilities of the agent's moves are not known.
    #[serde(default)]
    pub success: Option<f64>,
    /// See [`AgainstPerfect::holds`](crate::evaluate::AgainstPerfect::holds); `None` where success is `None`.
    #[serde(default)]
    pub holds: Option<f64>,
    /// How much less its moves score than the best ones, a mean over solved positions; `None` where the game
    /// has none, or the probabilities of the agent's moves are not known.
    #[serde(default)]
    pub score_loss: Option<f64>,
    /// See [`WonOpenings::success`](crate::evaluate::WonOpenings::success); `None` unless the config asks for it.
    #[serde(default)]
    pub won_openings: Option<f64>,
    /// See [`Endgames::discs_lost`](crate::evaluate::Endgames::discs_lost); `None` unless the config asks for it.
    #[serde(default)]
    pub discs_lost: Option<f64>,
    /// See [`crate::evaluate`]; `None` where positions are neither listed nor solved, or the
    /// probabilities of the agent's moves are not known.
    pub optimal_move_rate: Option<f64>,
    /// See [`crate::evaluate`]; `None` where positions are not listed, or strength is counted in games
    /// even though they are.
    pub worst_case: Option<Value>,
}

impl TrainingRow {
    /// Whether it is proven that no opponent can win with positive probability.
    pub fn unbeatable(&self) -> bool {
        self.worst_case.is_some_and(|worst| worst != Value::Loss)
    }
}

/// The games of one agent over some seeds, as statistical observations. Whether games of two seeds are the same is
/// not checked: they are assumed to be so as often as two games of one seed are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observations {
    seeds: f64,
    games: f64,
    /// The number of ordered pairs of games of one seed.
    pairs: f64,
    /// How many of these pairs are the same game.
    equal_pairs: f64,
    distinct: u64,
    /// Whether a seed has copies, or too few games to be sure.
    may_repeat: bool,
}

impl Observations {
    /// The games of one seed: their number, their effective number, and the number of different ones.
    pub fn of_seed(games: u64, effective: f64, distinct: u64) -> Observations {
        let all = games as f64;
        Observations {
            seeds: 1.0,
            games: all,
            pairs: all * (all - 1.0),
            equal_pairs: all * all / effective - all,
            distinct,
            may_repeat: effective < all || games < Played::FEWEST,
        }
    }

    /// Their effective number, at least 3 a seed: n games count as n / (1 + (n − 1) q), where q is the share of equal
    /// pairs. For one seed that is the effective number of Kish (1965).
    pub fn effective(&self) -> f64 {
        self.games / (1.0 + (self.games - 1.0) * self.equal_pairs / self.pairs)
    }

    /// The number of different games, as far as it is known.
    pub fn distinct(&self) -> f64 {
        match self.may_repeat {
            true => self.distinct as f64 / self.seeds,
            false => self.distinct as f64,
        }
    }
}

/// The games of several seeds together.
impl Sum for Observations {
    fn sum<I: Iterator<Item = Observations>>(all: I) -> Observations {
        all.fold(Observations::default(), |sum, one| Observations {
            seeds: sum.seeds + one.seeds,
            games: sum.games + one.games,
            pairs: sum.pairs + one.pairs,
            equal_pairs: sum.equal_pairs + one.equal_pairs,
            distinct: sum.distinct + one.distinct,
            may_repeat: sum.may_repeat || one.may_repeat,
        })
    }
}

/// The results that a run recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The name of the run.
    pub name: String,
    /// Its config.
    pub config: Config,
    /// The rows of `metrics.csv`.
    pub metrics: Vec<MetricsRow>,
    /// The rows of `training.csv`.
    pub training: Vec<TrainingRow>,
    /// Whether all seeds have finished.
    pub finished: bool,
}

impl Recorded {
    /// Whether all of its games are one agent's, though there may be several seeds: if nothing learns, or there is
    /// only one seed. Each seed of a learner is an agent of its own, and these differ by more than luck in games.
    pub fn measures_one_agent(&self) -> bool {
        self.config.learner.is_none() || self.config.seeds.count() == 1
    }

    /// The games of a row as observations for an interval over all seeds; `None` if its rates are exact, or if every
    /// seed is an agent of its own.
    pub fn observations(&self, row: &MetricsRow) -> Option<Observations> {
        let seed = Observations::of_seed(row.games?, row.effective_games?, row.distinct_games?);
        self.measures_one_agent().then_some(seed)
    }

    /// The rows of `metrics.csv` that matter most: of the greedy policy, by this
    /// [method](Self::method), or exact where possible.
    pub fn main_rows(&self) -> impl Iterator<Item = &MetricsRow> {
        let method = self.method();
        let is_main = move |row: &&MetricsRow| {
            [method, EvaluationMethod::Exact].contains(&row.method)
                && row.policy != Some(PolicyKind::Stochastic)
        };
        self.metrics.iter().filter(is_main)
    }

    /// [`EvaluationMethod::Exact`] where strength is computed over listed positions, with verdicts; else
    /// [`EvaluationMethod::Sampled`], even if the rates against perfect opponents are exact.
    pub fn method(&self) -> EvaluationMethod {
        let exact = |row: &TrainingRow| row.worst_case.is_some();
        match self.training.iter().any(exact) {
            true => EvaluationMethod::Exact,
            false => EvaluationMethod::Sampled,
        }
    }
}
