use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::game::Position;
use playlab::store::Selection;
use playlab::text::thousands;
use playlab::workflow::{LearnedMove, checkpoint, look};

use super::output::{print, table, table_text};
use super::position::board;

/// Show what a checkpoint thinks of a position, beside what the oracle says
///
/// The first board has the learned value in each square, greedy moves marked by *;
/// the second has the true value, moves that keep it marked by *.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab inspect runs/qtable_o-1 --position X../.../...
  lab inspect runs/qtable_o-1 --checkpoint last --position XO./.X./...")]
pub struct Inspect {
    /// A checkpoint's .json or .npz, or a run directory (its first seed)
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch
    #[arg(long = "checkpoint", value_name = "WHICH", default_value = "best")]
    selection: Selection,

    /// The position, rows from the top: X, O and . for squares, / between rows; in Othello
    /// with the side to move behind it, 'ROWS X'
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
}

impl Inspect {
    /// Prints both boards and a table of the moves.
    pub fn run(self) -> Result<(), Error> {
        let bad = |why: String| Error::input(format!("--position: {why}"));
        let checkpoint = checkpoint(&self.checkpoint, self.selection, None)?;
        let game = checkpoint.content.trial.config().game;
        let position = Position::parse(game, &self.position);
        let position = position.map_err(|error| bad(error.to_string()))?;
        let found = look(&checkpoint, position).map_err(|error| match error {
            Error::Input(why) if !why.starts_with("checkpoint") => bad(why),
            other => other,
        })?;
        let moves = &found.moves;
        let side = position.to_move();
        let mut text = format!(
            "{}, {} to move; {} after {} episodes\n",
            self.position,
            side.letter(),
            checkpoint.path.display(),
            thousands(checkpoint.content.episodes)
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
                thousands(mv.known.visits.unwrap_or(0)),
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
