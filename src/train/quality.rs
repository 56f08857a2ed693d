//! Games against perfect play, moves in solved positions, and the columns of `training.csv` about both.

use super::metric::Metric;
use crate::config::Config;
use crate::evaluate::{AgainstPerfect, Endgames, MoveQuality, SAMPLED_PLIES, WonOpenings};
use crate::search::has_book;

/// The findings of solvers about one side of an agent, where its strength is not computed on a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BySolver {
    /// The results of games against each opponent that plays perfectly, in the config's order; `None` for the
    /// others, empty if there is none, or if the probabilities of the agent's moves are not known.
    pub perfect: Vec<Option<AgainstPerfect>>,
    /// How good its moves are in the game's sampled positions, ply by ply, if the game has any.
    pub move_quality: Vec<MoveQuality>,
    /// The result of won openings against perfect play, if they are asked for.
    pub won_openings: Option<WonOpenings>,
    /// The loss in endgames against perfect play, if they are asked for.
    pub endgames: Option<Endgames>,
}

impl BySolver {
    /// The result of games against perfect play, if it is known where positions are not listed.
    pub fn against_perfect(&self) -> Option<AgainstPerfect> {
        self.perfect.iter().flatten().next().copied()
    }
}

/// A number that describes the moves at a ply.
type OfMoves = fn(&MoveQuality) -> f64;

/// The metrics that are also given ply by ply, over [solved positions](crate::evaluate::solved_positions).
const BY_PLY: [(Metric, OfMoves); 2] = [
    (Metric::OptimalMoveRate, |one| one.keeps_value),
    (Metric::ScoreLoss, |one| one.score_loss),
];

/// The names of the [columns] that a run has because of its game and its config's options.
pub fn columns_of_game(config: &Config) -> Vec<String> {
    let columns = columns(config, &BySolver::default());
    columns.into_iter().map(|(name, _)| name).collect()
}

/// The columns that a run has because of its game and its config's options, with their values; `None` where
/// nothing was measured, such as at a ply at which the side does not move.
pub fn columns(config: &Config, found: &BySolver) -> Vec<(String, Option<f64>)> {
    let name = |metric: Metric| metric.column().name.to_owned();
    let mut columns = Vec::new();
    if has_book(config.game) {
        let (perfect, moves) = (found.against_perfect(), &found.move_quality);
        let loss = MoveQuality::mean(moves, |one| one.score_loss);
        columns.extend([
            (name(Metric::Success), perfect.map(|found| found.success())),
            (name(Metric::Holds), perfect.map(|found| found.holds)),
            (name(Metric::ScoreLoss), loss),
        ]);
        for (metric, number) in BY_PLY {
            columns.extend(SAMPLED_PLIES.map(|(ply, _)| {
                let of_ply = moves.iter().find(|one| one.ply == ply);
                (format!("{}_{ply}", name(metric)), of_ply.map(number))
            }));
        }
    }
    if config.evaluation.openings.is_some() {
        let success = found.won_openings.and_then(|found| found.success);
        columns.push((name(Metric::WonOpenings), success));
    }
    if config.evaluation.endgames.is_some() {
        let lost = found.endgames.and_then(|found| found.discs_lost);
        columns.push((name(Metric::DiscsLost), lost));
    }
    columns
}
