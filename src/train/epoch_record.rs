//! The measurements after an epoch, and the rows they become.

use serde::{Deserialize, Serialize};

use super::merit::{Merit, are_unbeatable};
use super::metric::Metric;
use super::quality::{self, BySolver};
use super::recorded::{EvaluationMethod, MetricsRow, PolicyKind};
use crate::config::Config;
use crate::evaluate::{AgainstPerfect, Assessment, MoveQuality, Played};
use crate::game::{GameInfo, Side};
use crate::graph::{Rates, WORST_OPPONENTS};
use crate::learn::Scalar;
use crate::text::csv_lines;

/// Everything that one epoch of a trial adds to the result files.
#[derive(Clone, Debug, PartialEq)]
pub struct EpochRecord {
    /// The epoch, from 1; 0 before the first episode.
    pub epoch: u64,
    /// Episodes played so far.
    pub episodes: u64,
    /// One record per learned side, X first.
    pub sides: Vec<SideRecord>,
}

/// One side's part of an [`EpochRecord`].
#[derive(Clone, Debug, PartialEq)]
pub struct SideRecord {
    /// The side.
    pub side: Side,
    /// The learner's own numbers, in the order of its setup's columns.
    pub scalars: Vec<Scalar>,
    /// The computed strength, where there is a policy on a graph.
    pub exact: Option<Assessment>,
    /// The computed strength of the learned policy itself, where it is more than a greedy choice; see
    /// [`Learner::stochastic_policy`](crate::learn::Learner::stochastic_policy).
    pub stochastic: Option<Assessment>,
    /// The games counted against each opponent, in the config's order, `None` where they were not
    /// needed; empty if none were played.
    pub sampled: Vec<Option<Played>>,
    /// The findings of solvers, where strength is not computed on a graph.
    pub by_solver: BySolver,
}

impl SideRecord {
    /// The result of games against the opponent with this number, if it plays perfectly and positions are not listed.
    fn perfect(&self, opponent: usize) -> Option<AgainstPerfect> {
        self.by_solver.perfect.get(opponent).copied().flatten()
    }

    /// The games counted against the opponent with this number, if any were played.
    fn played(&self, opponent: usize) -> Option<Played> {
        self.sampled.get(opponent).copied().flatten()
    }

    /// The rates against the opponent with this number, computed where possible.
    pub fn against(&self, opponent: usize) -> Rates {
        if let Some(exact) = &self.exact {
            return exact.against[opponent];
        }
        let perfect = self.perfect(opponent).map(|found| found.rates);
        let counted = || Some(self.played(opponent)?.tally.rates());
        let rates = perfect.or_else(counted);
        rates.expect("there are rates against every opponent")
    }

    /// The [optimal-move rate](crate::evaluate): over all positions where they are listed, else over
    /// the solved ones, if the game has any.
    pub fn optimal_move_rate(&self) -> Option<f64> {
        match &self.exact {
            Some(exact) => Some(exact.optimal_move_rate),
            None => MoveQuality::mean(&self.by_solver.move_quality, |of_ply| of_ply.keeps_value),
        }
    }

    /// Whether the rate against the first opponent was computed where positions are not listed, and the rate; see
    /// [`Merit`].
    fn merit(&self, game: &GameInfo) -> (bool, f64) {
        let is_computed = self.perfect(0).is_some_and(|found| found.played.is_none());
        (is_computed, Merit::rate(game, self.against(0)))
    }
}

impl EpochRecord {
    /// See [`are_unbeatable`].
    pub fn unbeatable(&self) -> bool {
        let exact = self.sides.iter().map(|side| side.exact.as_ref());
        are_unbeatable(exact.map(|exact| exact.map(Assessment::worst_case)))
    }

    /// The merit that decides which epoch is best on this game.
    pub fn merit(&self, game: &GameInfo) -> Merit {
        Merit::of(
            self.unbeatable(),
            self.sides.iter().map(|side| side.merit(game)),
        )
    }

    /// The rows of `metrics.csv` and `training.csv`.
    pub fn rows(&self, seed: u64, config: &Config) -> Rows {
        let metrics = self.metrics(seed, config);
        let training = self.sides.iter().map(|record| {
            let exact = record.exact.as_ref();
            let found = quality::columns(config, &record.by_solver).into_iter();
            (
                (seed, self.epoch, self.episodes, record.side),
                &record.scalars,
                found.map(|(_, number)| number).collect::<Vec<_>>(),
                record.optimal_move_rate(),
                exact.map(Assessment::worst_case),
            )
        });
        Rows {
            seed,
            files: [csv_lines(&metrics, false), csv_lines(training, false)],
        }
    }

    /// The rows of `metrics.csv`.
    pub fn metrics(&self, seed: u64, config: &Config) -> Vec<MetricsRow> {
        let mut rows = Vec::new();
        for record in &self.sides {
            let mut push = |policy, opponent: String, rates: Rates, sample: Option<Played>| {
                let (win_low, win_high) = match sample {
                    Some(played) => played.win_interval(),
                    None => Some((rates.win, rates.win)),
                }
                .unzip();
                rows.push(MetricsRow {
                    seed,
                    epoch: self.epoch,
                    episodes: self.episodes,
                    side: record.side,
                    opponent,
                    policy,
                    method: match sample {
                        Some(_) => EvaluationMethod::Sampled,
                        None => EvaluationMethod::Exact,
                    },
                    games: sample.map(|played| played.tally.games()),
                    distinct_games: sample.map(|played| played.distinct_games),
                    effective_games: sample.map(|played| played.effective_games()),
                    win_rate: rates.win,
                    draw_rate: rates.draw,
                    loss_rate: rates.loss,
                    win_low,
                    win_high,
                });
            };
            let greedy = record.stochastic.as_ref().map(|_| PolicyKind::Greedy);
            let stochastic = Some(PolicyKind::Stochastic);
            for (policy, exact) in [(greedy, &record.exact), (stochastic, &record.stochastic)] {
                let is_greedy = policy != stochastic;
                for (i, opponent) in config.evaluation.opponents.iter().enumerate() {
                    let by_graph = exact.as_ref().and_then(|exact| exact.against.get(i));
                    let by_graph = by_graph.map(|&rates| (rates, None));
                    let perfect = record.perfect(i).filter(|_| is_greedy);
                    let perfect = perfect.map(|found| (found.rates, found.played));
                    let sampled = record.played(i).filter(|_| is_greedy);
                    let sampled = sampled.map(|played| (played.tally.rates(), Some(played)));
                    for (rates, sample) in [by_graph, perfect, sampled].into_iter().flatten() {
                        push(policy, opponent.to_string(), rates, sample);
                    }
                }
                if let Some(exact) = exact {
                    let worst = [exact.worst.best_response, exact.worst.most_losses];
                    for (name, rates) in WORST_OPPONENTS.into_iter().zip(worst) {
                        push(policy, name.to_owned(), rates, None);
                    }
                }
            }
        }
        rows
    }
}

/// The first line of `training.csv`, for a run that has these [columns](super::Experiment::columns) of its own.
pub fn training_header(own: &[String]) -> String {
    let all = [Metric::OptimalMoveRate, Metric::UnbeatableSeeds];
    let of_all = all.map(|metric| metric.column().name);
    let own = own.iter().map(String::as_str).chain(of_all);
    let own: String = own.map(|column| format!(",{column}")).collect();
    format!("seed,epoch,episodes,side{own}\n")
}

/// The rows of one epoch in the result files, as whole lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The seed.
    pub seed: u64,
    /// The lines of `metrics.csv` and of `training.csv`.
    pub files: [String; 2],
}

/// A summary of a trial's rows up to a checkpoint's epoch, which shows later whether they are
/// complete and unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowsSum {
    /// The number of lines of `metrics.csv`.
    pub metrics: u64,
    /// The number of lines of `training.csv`.
    pub training: u64,
    /// The CRC-32 of the lines, epoch by epoch, those of `metrics.csv` first.
    pub crc32: u32,
}

impl RowsSum {
    /// Takes another epoch's rows into account.
    pub fn add(&mut self, rows: &Rows) {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc32);
        let lines = [&mut self.metrics, &mut self.training];
        for (rows, lines) in rows.files.iter().zip(lines) {
            hasher.update(rows.as_bytes());
            *lines += rows.lines().count() as u64;
        }
        self.crc32 = hasher.finalize();
    }
}
