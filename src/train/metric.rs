//! The metrics by which runs can be drawn and compared: names, columns and values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recorded::{EvaluationMethod, MetricsRow, Recorded, TrainingRow};
use crate::evaluate::has_endgames;
use crate::game::games_with;
use crate::learn::{COLUMNS, Column, VALUE_ERROR};
use crate::search::has_book;

/// What a curve can show, and runs can be compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Share of the seeds that are proven to be unbeatable.
    UnbeatableSeeds,
    /// Probability of a win.
    WinRate,
    /// Probability of a draw.
    DrawRate,
    /// Probability of a loss.
    LossRate,
    /// Probability of a move that keeps the position's value: mean over all positions, or over solved
    /// ones where positions are not listed.
    OptimalMoveRate,
    /// Probability of a win less that of a loss, against perfect play on a board whose positions are not listed.
    Success,
    /// Probability of a game against perfect play in which every move has the best score.
    Holds,
    /// What a move scores less than the best one: mean over solved positions, where positions are not listed.
    ScoreLoss,
    /// Success from random openings that are won for the agent.
    WonOpenings,
    /// Discs lost in endgames of Othello against perfect play, in the mean.
    DiscsLost,
    /// Root mean square error of the learned values, in units of the rewards.
    ValueError,
}

impl Metric {
    /// The rates, which add up to 1.
    pub const RATES: [Metric; 3] = [Metric::WinRate, Metric::DrawRate, Metric::LossRate];

    /// The metrics that `training.csv` may have for a side; see [`of_training`](Self::of_training).
    pub const OF_TRAINING: [Metric; 7] = [
        Metric::OptimalMoveRate,
        Metric::Success,
        Metric::Holds,
        Metric::WonOpenings,
        Metric::ScoreLoss,
        Metric::DiscsLost,
        Metric::ValueError,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Metric::UnbeatableSeeds => "unbeatable seeds",
            Metric::WinRate => "win rate",
            Metric::DrawRate => "draw rate",
            Metric::LossRate => "loss rate",
            Metric::OptimalMoveRate => "optimal-move rate",
            Metric::Success => "success",
            Metric::Holds => "holds",
            Metric::ScoreLoss => "score loss",
            Metric::WonOpenings => "success from won openings",
            Metric::DiscsLost => "discs lost in endgames",
            Metric::ValueError => "value error",
        }
    }

    /// The column that holds it: in `metrics.csv` if it is about an opponent, else in `training.csv`.
    pub fn column(self) -> Column {
        let (name, meaning) = match self {
            Metric::UnbeatableSeeds => ("worst_case", "The worst that can happen to it"),
            Metric::WinRate => ("win_rate", "How often it wins"),
            Metric::DrawRate => ("draw_rate", "How often it draws"),
            Metric::LossRate => ("loss_rate", "How often it loses"),
            Metric::OptimalMoveRate => ("optimal_move_rate", "How often its move is optimal"),
            Metric::Success => ("success", "Wins less losses against perfect play"),
            Metric::Holds => (
                "holds",
                "How often all its moves are best against perfect play",
            ),
            Metric::ScoreLoss => ("score_loss", "What its moves lose in score"),
            Metric::WonOpenings => ("won_openings", "Success from won openings"),
            Metric::DiscsLost => ("discs_lost", "Discs lost in endgames"),
            Metric::ValueError => return VALUE_ERROR,
        };
        Column { name, meaning }
    }

    /// What a column of `training.csv` means, in a few words for people; `None` where its name has to suffice.
    pub fn meaning(column: &str) -> Option<&'static str> {
        let of_learners = COLUMNS.into_iter();
        let mut all = of_learners.chain(Metric::OF_TRAINING.map(Metric::column));
        all.find(|known| known.name == column)
            .map(|known| known.meaning)
    }

    /// Its name in a run's results: where positions are not listed, metrics of moves are over solved positions.
    pub fn name_in(self, run: &Recorded) -> String {
        match (self, run.method()) {
            (Metric::OptimalMoveRate | Metric::ScoreLoss, EvaluationMethod::Sampled) => {
                format!("{}, solved positions", self.name())
            }
            _ => self.name().to_owned(),
        }
    }

    /// Its smallest and its greatest value; infinity if there is no greatest one.
    pub fn ends(self) -> (f64, f64) {
        match self {
            Metric::ScoreLoss | Metric::DiscsLost | Metric::ValueError => (0.0, f64::INFINITY),
            Metric::Success | Metric::WonOpenings => (-1.0, 1.0),
            _ => (0.0, 1.0),
        }
    }

    /// Whether it describes how games against an opponent end.
    pub fn is_about_an_opponent(self) -> bool {
        Metric::RATES.contains(&self)
    }

    /// Whether a run has it.
    pub fn is_in(self, run: &Recorded) -> bool {
        let mut rows = run.training.iter();
        match self {
            Metric::WinRate | Metric::DrawRate | Metric::LossRate => true,
            Metric::UnbeatableSeeds => run.method() == EvaluationMethod::Exact,
            _ => rows.any(|row| self.of_training(row).is_some()),
        }
    }

    /// Why a run may not have it.
    pub fn missing(self) -> String {
        match self {
            Metric::ValueError => {
                "value error in its training.csv: its learner has no table of values, no epoch is finished, or an \
                 older version trained it"
                    .to_owned()
            }
            Metric::Success | Metric::Holds => format!(
                "success against perfect play: its game is not {}, minimax is not among evaluation.opponents, the \
                 probabilities of its agent's moves are unknown, or an older version trained it",
                games_with(has_book)
            ),
            Metric::ScoreLoss => format!(
                "score loss: its game has no solved positions with scores, which {} alone has, the probabilities of its \
                 agent's moves are unknown, or an older version trained it",
                games_with(has_book)
            ),
            Metric::WonOpenings => {
                "success from won openings: its config does not ask for evaluation.openings, or none is won for its \
                 side"
                    .to_owned()
            }
            Metric::DiscsLost => format!(
                "discs lost in endgames: its config does not ask for evaluation.endgames, which {} have",
                games_with(has_endgames)
            ),
            Metric::OptimalMoveRate => {
                "optimal-move rate: its game has no positions that are listed or solved, or the probabilities of its \
                 agent's moves are unknown"
                    .to_owned()
            }
            _ => {
                "unbeatable seeds: its game's positions are not listed, or the probabilities of its agent's moves are \
                 unknown, so that nothing is proven"
                    .to_owned()
            }
        }
    }

    /// Its value in a row against an opponent; `None` if it is not about an opponent.
    pub fn of(self, row: &MetricsRow) -> Option<f64> {
        match self {
            Metric::WinRate => Some(row.win_rate),
            Metric::DrawRate => Some(row.draw_rate),
            Metric::LossRate => Some(row.loss_rate),
            _ => None,
        }
    }

    /// Its value in a row about a side; for unbeatable seeds 1 if the side is unbeatable, else 0. `None`
    /// if it is about an opponent or not known.
    pub fn of_training(self, row: &TrainingRow) -> Option<f64> {
        match self {
            Metric::UnbeatableSeeds => Some(f64::from(row.unbeatable())),
            Metric::OptimalMoveRate => row.optimal_move_rate,
            Metric::Success => row.success,
            Metric::Holds => row.holds,
            Metric::ScoreLoss => row.score_loss,
            Metric::WonOpenings => row.won_openings,
            Metric::DiscsLost => row.discs_lost,
            Metric::ValueError => row.value_error,
            Metric::WinRate | Metric::DrawRate | Metric::LossRate => None,
        }
    }
}
