//! The columns of `training.csv` about games against perfect play and moves in solved positions.

use crate::evaluate::{AgainstPerfect, MoveQuality, SAMPLED_PLIES, has_solved_positions};
use crate::game::GameInfo;

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

/// The columns that a game has.
pub fn columns(game: &GameInfo) -> &'static [&'static str] {
    match has_solved_positions(game) {
        true => &COLUMNS,
        false => &[],
    }
}

/// What stands in the columns of a game; nothing for a ply at which the side does not move.
pub fn numbers(
    game: &GameInfo,
    perfect: Option<AgainstPerfect>,
    of_plies: &[MoveQuality],
) -> Vec<Option<f64>> {
    if columns(game).is_empty() {
        return Vec::new();
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Rates;

    #[test]
    fn every_column_has_its_number() {
        let game = GameInfo::find("connect-four").unwrap();
        let one = |ply: u32| MoveQuality {
            ply,
            positions: 2 + usize::from(ply == 5),
            keeps_value: f64::from(ply) / 100.0,
            best_moves: 0.0,
            score_loss: f64::from(ply),
        };
        let rates = Rates {
            win: 0.5,
            draw: 0.375,
            loss: 0.125,
        };
        let perfect = AgainstPerfect {
            rates,
            holds: 0.25,
            played: None,
        };
        let found = numbers(game, Some(perfect), &[one(5), one(12)]);
        let named: Vec<(&str, f64)> = columns(game)
            .iter()
            .zip(&found)
            .filter_map(|(name, number)| Some((*name, (*number)?)))
            .collect();
        assert_eq!(found.len(), columns(game).len());
        assert_eq!(
            named,
            [
                ("success", 0.375),
                ("holds", 0.25),
                ("score_loss", (3.0 * 5.0 + 2.0 * 12.0) / 5.0),
                ("optimal_move_rate_5", 0.05),
                ("optimal_move_rate_12", 0.12),
                ("score_loss_5", 5.0),
                ("score_loss_12", 12.0),
            ]
        );
        let other = GameInfo::find("tic-tac-toe").unwrap();
        assert!(columns(other).is_empty() && numbers(other, None, &[]).is_empty());
    }
}
