//! The columns of `training.csv` about games against perfect play and moves in solved positions.

use super::record::SideRecord;
use crate::config::Config;
use crate::evaluate::{AgainstPerfect, MoveQuality, SAMPLED_PLIES, has_solved_positions};

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

/// What stands in the columns; nothing for a ply at which the side does not move.
pub fn numbers(config: &Config, record: &SideRecord) -> Vec<Option<f64>> {
    let found = &record.by_solver;
    let mut numbers = match has_solved_positions(config.game) {
        true => of_solved_positions(record.against_perfect(), &found.move_quality),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::{Endgames, WonOpenings};
    use crate::game::Side;
    use crate::graph::Rates;
    use crate::train::BySolver;

    fn config(game: &str, evaluation: &str) -> Config {
        let text = format!(
            "game = \"{game}\"\nside = \"x\"\nepochs = 1\nepisodes_per_epoch = 1\nlearner.mcts = {{}}\n\
             evaluation = {{ {evaluation} }}\n"
        );
        Config::parse(&text, "test").unwrap()
    }

    fn record(by_solver: BySolver) -> SideRecord {
        SideRecord {
            side: Side::X,
            scalars: Vec::new(),
            exact: None,
            stochastic: None,
            sampled: Vec::new(),
            by_solver,
        }
    }

    fn named(config: &Config, record: &SideRecord) -> Vec<(&'static str, f64)> {
        let (columns, found) = (columns(config), numbers(config, record));
        assert_eq!(found.len(), columns.len());
        let both = columns.into_iter().zip(found);
        both.filter_map(|(name, number)| Some((name, number?)))
            .collect()
    }

    #[test]
    fn every_column_has_its_number() {
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
        let won = WonOpenings {
            plies: 9,
            openings: 17,
            counted: 0,
            success: Some(0.75),
        };
        let found = record(BySolver {
            perfect: vec![None, Some(perfect)],
            move_quality: vec![one(5), one(12)],
            won_openings: Some(won),
            endgames: None,
        });
        let all = [
            ("success", 0.375),
            ("holds", 0.25),
            ("score_loss", (3.0 * 5.0 + 2.0 * 12.0) / 5.0),
            ("optimal_move_rate_5", 0.05),
            ("optimal_move_rate_12", 0.12),
            ("score_loss_5", 5.0),
            ("score_loss_12", 12.0),
            ("won_openings", 0.75),
        ];
        assert_eq!(named(&config("connect-four", "openings = 9"), &found), all);
        assert_eq!(named(&config("connect-four", ""), &found), all[..7]);
        assert_eq!(named(&config("tic-tac-toe", ""), &found), []);
        let lost = record(BySolver {
            endgames: Some(Endgames {
                empties: 12,
                endgames: 40,
                discs_lost: Some(1.5),
                keeps_value: Some(0.5),
                perfect: Some(0.25),
            }),
            ..BySolver::default()
        });
        let asked = config("othello", "endgames = 12");
        assert_eq!(named(&asked, &lost), [("discs_lost", 1.5)]);
    }
}
