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
    /// The one that always takes a move of highest value or probability.
    Greedy,
    /// The one that was learned, with its probabilities.
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
    /// Whom it plays against.
    pub opponent: String,
    /// Which of the learner's policies is measured, where it has two.
    #[serde(default)]
    pub policy: Option<PolicyKind>,
    /// How the rates were found.
    pub method: EvaluationMethod,
    /// Games played; none for exact rates.
    pub games: Option<u64>,
    /// How many of them are different; see [`Played`].
    pub distinct_games: Option<u64>,
    /// See [`Played::effective_games`](crate::evaluate::Played::effective_games).
    pub effective_games: Option<f64>,
    /// Won.
    pub win_rate: f64,
    /// Drawn.
    pub draw_rate: f64,
    /// Lost.
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

/// What every row of `training.csv` has, whatever the learner says of itself.
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
    /// How far the learned values are from the true ones, in units of the rewards; none where a
    /// learner has no table.
    #[serde(default)]
    pub value_error: Option<f64>,
    /// See [`AgainstPerfect::success`](crate::evaluate::AgainstPerfect::success); none where the game has no solved
    /// positions, no opponent plays perfectly, or an agent does not tell the probabilities of its moves.
    #[serde(default)]
    pub success: Option<f64>,
    /// See [`AgainstPerfect::holds`](crate::evaluate::AgainstPerfect::holds); none where success is none.
    #[serde(default)]
    pub holds: Option<f64>,
    /// What its moves score less than the best ones in the mean over solved positions; none where the game has
    /// none, or an agent does not tell the probabilities of its moves.
    #[serde(default)]
    pub score_loss: Option<f64>,
    /// See [`WonOpenings::success`](crate::evaluate::WonOpenings::success); none unless the config asks for it.
    #[serde(default)]
    pub won_openings: Option<f64>,
    /// See [`Endgames::discs_lost`](crate::evaluate::Endgames::discs_lost); none unless the config asks for it.
    #[serde(default)]
    pub discs_lost: Option<f64>,
    /// See [`crate::evaluate`]; none where positions are neither listed nor solved, or an agent does
    /// not tell the probabilities of its moves.
    pub optimal_move_rate: Option<f64>,
    /// See [`crate::evaluate`]; none where positions are not listed, or strength is counted all the
    /// same.
    pub worst_case: Option<Value>,
}

impl TrainingRow {
    /// Whether it is proven that no opponent can win with positive probability.
    pub fn unbeatable(&self) -> bool {
        self.worst_case.is_some_and(|worst| worst != Value::Loss)
    }
}

/// What the games of one agent with some seeds are as observations. Games of two seeds may be the same, which nobody
/// compares: they are taken to be so as often as two of one seed are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observations {
    seeds: f64,
    games: f64,
    /// Pairs of games of one seed, each in both orders.
    pairs: f64,
    /// Those of them that are the same game.
    equal_pairs: f64,
    distinct: u64,
    /// Whether a seed has copies, or too few games to tell.
    may_repeat: bool,
}

impl Observations {
    /// The games of one seed: how many, as how many they count, and how many of them are different.
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

    /// As how many games they count, at least 3 a seed: of n games n / (1 + (n − 1) q), where q is the share of equal pairs.
    /// Of one seed that is its effective number, that of Kish (1965).
    pub fn effective(&self) -> f64 {
        self.games / (1.0 + (self.games - 1.0) * self.equal_pairs / self.pairs)
    }

    /// How many games are different, as far as that can be told.
    pub fn distinct(&self) -> f64 {
        match self.may_repeat {
            true => self.distinct as f64 / self.seeds,
            false => self.distinct as f64,
        }
    }
}

/// Those of several seeds together.
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

/// What a run recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it is called.
    pub name: String,
    /// Its config.
    pub config: Config,
    /// The rows of `metrics.csv`.
    pub metrics: Vec<MetricsRow>,
    /// The rows of `training.csv`.
    pub training: Vec<TrainingRow>,
    /// Whether all seeds have come to their end.
    pub finished: bool,
}

impl Recorded {
    /// Whether all of its games were one agent's, though there may be several seeds: if nothing learns, or one seed
    /// does. Several seeds of a learner are agents of their own, which differ by more than the luck of games.
    pub fn measures_one_agent(&self) -> bool {
        self.config.learner.is_none() || self.config.seeds.count() == 1
    }

    /// What the games of a row are in an interval over all seeds; `None` if its rates are exact, or if every seed is an agent
    /// of its own.
    pub fn observations(&self, row: &MetricsRow) -> Option<Observations> {
        let seed = Observations::of_seed(row.games?, row.effective_games?, row.distinct_games?);
        self.measures_one_agent().then_some(seed)
    }

    /// The rows of `metrics.csv` that matter most: of the greedy policy, found by this
    /// [method](Self::method), or exactly where that could be.
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
