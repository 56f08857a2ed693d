use clap::Args;
use playlab::Error;
use playlab::text::{count, thousands};
use playlab::workflow::{LearnedMove, look};

use super::output::{or_dash, print, table, table_text};
use super::position::{PositionArguments, board};
use super::target::OneCheckpoint;

/// Show what a checkpoint thinks of a position, beside what the oracle says
///
/// The first board has the learned value in each square, greedy moves marked by *;
/// the second has the true value, moves that keep it marked by *.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab inspect runs/qtable_o-1 --position X../.../...
  lab inspect runs/qtable_o-1 --seed 3 --checkpoint last --moves b2,a1")]
pub struct Inspect {
    #[command(flatten)]
    checkpoint: OneCheckpoint,

    #[command(flatten)]
    position: PositionArguments,
}

impl Inspect {
    /// Prints both boards and a table of the moves.
    pub fn run(self) -> Result<(), Error> {
        let checkpoint = self.checkpoint.read()?;
        let found = look(&checkpoint, |game| self.position.find(game))?;
        let position = found.position;
        let moves = &found.moves;
        let side = position.to_move();
        let mut text = format!(
            "{position}, {} to move; {} after {}\n",
            side.letter(),
            checkpoint.path.display(),
            count(checkpoint.content.episodes, "episode")
        );
        if !found.is_learned {
            text += &format!("This agent did not learn to play {}.\n", side.letter());
        }
        let mark = |text: String, marked: bool| text + if marked { "*" } else { " " };
        let squares = |cell: &dyn Fn(&LearnedMove) -> String| {
            board(position, moves.iter().map(|mv| (mv.oracle.mv, cell(mv))))
        };
        let known = |q: Option<f64>, digits: usize| match q {
            Some(q) => format!("{q:+.digits$}"),
            None => "?".to_owned(),
        };
        text += &format!(
            "\nLearned values, greedy moves marked:\n{}",
            squares(&|mv| mark(known(mv.known.value, 2), mv.greedy > 0.0))
        );
        text += &format!(
            "\nThe oracle's values, optimal moves marked:\n{}\n",
            squares(&|mv| mark(mv.oracle.value.to_string(), mv.oracle.optimal))
        );
        let mut rows = table(["move", "q", "visits", "greedy", "value", "distance"], 1);
        for mv in moves {
            rows.add_row([
                position.format_move(mv.oracle.mv),
                known(mv.known.value, 4),
                or_dash(mv.known.visits.map(thousands)),
                format!("{:.2}", mv.greedy),
                mv.oracle.value.to_string(),
                mv.oracle
                    .distance
                    .map_or_else(String::new, |plies| plies.to_string()),
            ]);
        }
        print(&(text + &table_text(&rows)))
    }
}
