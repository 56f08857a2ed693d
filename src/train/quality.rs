//! Games against perfect play and moves in solved positions, and the columns of `training.csv` about them.

use crate::config::Config;
use crate::evaluate::{
    AgainstPerfect, Endgames, MoveQuality, SAMPLED_PLIES, WonOpenings, has_solved_positions,
};

/// What solvers tell of one side of an agent, where its strength is not computed on a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BySolver {
    /// What comes of games against each opponent that plays perfectly, in the config's order: `None` of the others;
    /// nothing if there is none.
    pub perfect: Vec<Option<AgainstPerfect>>,
    /// How good its moves are in the game's sampled positions, ply by ply, if the game has some.
    pub move_quality: Vec<MoveQuality>,
    /// What comes of won openings against perfect play, if that is asked for.
    pub won_openings: Option<WonOpenings>,
    /// What is lost in endgames against perfect play, if that is asked for.
    pub endgames: Option<Endgames>,
}

impl BySolver {
    /// What comes of games against perfect play, if that is known where positions are not listed.
    pub fn against_perfect(&self) -> Option<AgainstPerfect> {
        self.perfect.iter().flatten().next().copied()
    }
}

/// Of a game with [solved positions](crate::evaluate::solved_positions): what comes of games against perfect play, what a
/// move scores less than the best one, and, by the plies before it, how often it keeps the value and what it scores
/// less.
const COLUMNS: [&str; 21] = [
    "success",
    "holds",
    "score_loss",
    "optimal_move_rate_4",
    "optimal_move_rate_5",
    "optimal_move_rate_6",
    "optimal_move_rate_7",
    "optimal_move_rate_8",
    "optimal_move_rate_9",
    "optimal_move_rate_10",
    "optimal_move_rate_11",
    "optimal_move_rate_12",
    "score_loss_4",
    "score_loss_5",
    "score_loss_6",
    "score_loss_7",
    "score_loss_8",
    "score_loss_9",
    "score_loss_10",
    "score_loss_11",
    "score_loss_12",
];

/// The columns that a run has by its game and by what its config asks for.
pub fn columns(config: &Config) -> Vec<&'static str> {
    let mut columns = match has_solved_positions(config.game) {
        true => COLUMNS.to_vec(),
        false => Vec::new(),
    };
    columns.extend(config.evaluation.openings.map(|_| "won_openings"));
    columns.extend(config.evaluation.endgames.map(|_| "discs_lost"));
    columns
}

/// What stands in [these](columns), in their order; `None` where nothing was measured, such as at a ply at which the
/// side does not move.
pub fn numbers(config: &Config, found: &BySolver) -> Vec<Option<f64>> {
    let mut numbers = match has_solved_positions(config.game) {
        true => of_solved_positions(found.against_perfect(), &found.move_quality),
        false => Vec::new(),
    };
    if config.evaluation.openings.is_some() {
        numbers.push(found.won_openings.and_then(|found| found.success));
    }
    if config.evaluation.endgames.is_some() {
        numbers.push(found.endgames.and_then(|found| found.discs_lost));
    }
    numbers
}

fn of_solved_positions(
    perfect: Option<AgainstPerfect>,
    of_plies: &[MoveQuality],
) -> Vec<Option<f64>> {
    let values: [fn(&MoveQuality) -> f64; 2] = [|one| one.keeps_value, |one| one.score_loss];
    let of_ply =
        |ply, value: fn(&MoveQuality) -> f64| of_plies.iter().find(|one| one.ply == ply).map(value);
    let by_ply = values.into_iter().flat_map(|value| {
        let plies = SAMPLED_PLIES.iter();
        plies.map(move |&(ply, _)| of_ply(ply, value))
    });
    let mean = MoveQuality::mean(of_plies, |one| one.score_loss);
    let games = [
        perfect.map(|found| found.success()),
        perfect.map(|found| found.holds),
    ];
    games.into_iter().chain([mean]).chain(by_ply).collect()
}
