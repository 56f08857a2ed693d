use clap::Args;
use playlab::Error;
use playlab::evaluate::AnalyzedMove;
use playlab::learn::LearnerConfig;
use playlab::text::{count, thousands};
use playlab::workflow::{LearnedMove, ORACLE_NODES, Opinion, look};

use super::output::{or_dash, print, table, table_text};
use super::position::{PositionArguments, board};
use super::target::OneCheckpoint;

/// Show what a checkpoint thinks of a position, beside what the oracle says
///
/// The first board has the learned value in each square, greedy moves marked by *;
/// the second has the true value, moves that keep it marked by *. Where positions are not listed the true
/// values are searched for, in Connect Four and Othello as scores.
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
            board(position, moves.iter().map(|mv| (mv.known.mv, cell(mv))))
        };
        let known = |q: Option<f64>, digits: usize| match q {
            Some(q) => format!("{q:+.digits$}"),
            None => "?".to_owned(),
        };
        let is_greedy = |mv: &LearnedMove| mv.known.probability > Some(0.0);
        // An actor's numbers are no values.
        let (numbers, q) = match checkpoint.content.trial.config().learner {
            Some(LearnerConfig::ActorCritic(_)) => ("preferences", "preference"),
            _ => ("values", "q"),
        };
        text += &format!(
            "\nLearned {numbers}, greedy moves marked:\n{}",
            squares(&|mv| mark(known(mv.known.q, 2), is_greedy(mv)))
        );
        text += &match moves.iter().any(|mv| mv.oracle.is_some()) {
            true => format!(
                "\nThe oracle's values, optimal moves marked:\n{}\n",
                squares(&|mv| truth(mv, |oracle| mark(oracle_text(oracle), oracle.optimal)))
            ),
            false => format!(
                "\nThe oracle found nothing within {}.\n\n",
                count(ORACLE_NODES, "position")
            ),
        };
        let has_scores = moves
            .iter()
            .any(|mv| mv.oracle.is_some_and(|found| found.score.is_some()));
        let mut head = vec!["move", q, "visits", "greedy", "value"];
        head.push(if has_scores { "score" } else { "distance" });
        let mut rows = table(head, 1);
        for mv in moves {
            let Opinion {
                q,
                visits,
                probability,
                ..
            } = mv.known;
            rows.add_row([
                position.format_move(mv.known.mv),
                known(q, 4),
                or_dash(visits.map(thousands)),
                or_dash(probability.map(|share| format!("{share:.2}"))),
                truth(mv, |oracle| oracle.value.to_string()),
                truth(mv, |oracle| match (oracle.score, oracle.distance) {
                    (Some(score), _) => format!("{score:+}"),
                    (None, Some(plies)) => plies.to_string(),
                    (None, None) => String::new(),
                }),
            ]);
        }
        print(&(text + &table_text(&rows)))
    }
}

/// What is told of what the oracle says of a move, if it does.
fn truth(mv: &LearnedMove, told: impl FnOnce(&AnalyzedMove) -> String) -> String {
    mv.oracle.as_ref().map_or_else(String::new, told)
}

fn oracle_text(oracle: &AnalyzedMove) -> String {
    match oracle.score {
        Some(score) => format!("{score:+}"),
        None => oracle.value.to_string(),
    }
}
