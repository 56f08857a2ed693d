use clap::Args;
use playlab::Error;
use playlab::text::{count, thousands};
use playlab::workflow::{LearnedMove, Look, ORACLE_NODES, look};

use super::output::{or_dash, show, table, table_text};
use super::position::{PositionArguments, board};
use super::target::OneCheckpoint;

/// Show what a checkpoint thinks of a position, next to the values under perfect play
///
/// The first board has the learned value in each square, greedy moves marked by *;
/// the second has the value under perfect play, moves that keep it marked by *. Where positions are not
/// listed this value is searched for, in Connect Four and Othello as a score. For actor-critic, which learns preferences,
/// it also shows the critic's value of the position and the stochastic policy.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab inspect runs/qtable_o-1 --position X../.../...
  lab inspect runs/qtable_o-1 --seed 3 --checkpoint last --moves b2,a1
  lab inspect runs/qtable_o-1 --moves b2 --json")]
pub struct Inspect {
    #[command(flatten)]
    checkpoint: OneCheckpoint,

    #[command(flatten)]
    position: PositionArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    pub fn run(self) -> Result<(), Error> {
        let checkpoint = self.checkpoint.read()?;
        let found = look(&checkpoint, |game| self.position.line(game))?;
        // For a program, the outcome and no moves are useful; a person would see two empty boards.
        if !self.json && found.position.outcome().is_some() {
            return Err(Error::input(format!(
                "{}: the game is over there",
                found.position
            )));
        }
        show(self.json, &found, || text(&found))
    }
}

fn text(found: &Look) -> String {
    let (position, moves) = (found.position, &found.moves);
    let (letter, checkpoint) = (position.to_move().letter(), &found.checkpoint);
    let episodes = count(found.episodes, "episode");
    let mut text = format!("{position}, {letter} to move; {checkpoint} after {episodes}\n");
    if !found.is_learned {
        text += &format!("This agent did not learn to play {letter}.\n");
    }
    if let Some(value) = found.state_value {
        text += &format!("The critic values it at {value:+.4} for {letter}.\n");
    }
    let mark = |text: String, marked: bool| text + if marked { "*" } else { " " };
    let squares = |cell: &dyn Fn(&LearnedMove) -> String| {
        board(position, moves.iter().map(|mv| (mv.mv, cell(mv))))
    };
    let known = |q: Option<f64>, digits: usize| match q {
        Some(q) => format!("{q:+.digits$}"),
        None => "?".to_owned(),
    };
    let is_greedy = |mv: &&LearnedMove| mv.probability > Some(0.0);
    text += &format!(
        "\n{} {}, greedy moves marked:\n{}",
        if found.is_learned {
            "Learned"
        } else {
            "Unlearned"
        },
        found.numbers,
        squares(&|mv| mark(known(mv.q, 2), is_greedy(&mv)))
    );
    let greatest = |some: &dyn Fn(&&LearnedMove) -> bool| {
        let values: Option<Vec<f64>> = moves.iter().filter(some).map(|mv| mv.q).collect();
        values?.into_iter().max_by(f64::total_cmp)
    };
    if let Some(greedy) = greatest(&is_greedy)
        && greatest(&|mv| mv.q.is_some()) > Some(greedy)
    {
        text += "Greedy moves are not those of the greatest value here: the agent goes by what it knows for certain, or by \
                 the visits of its tree.\n";
    }
    text += &match moves.iter().any(|mv| mv.value.is_some()) {
        true => format!(
            "\nValues under perfect play, optimal moves marked:\n{}\n",
            squares(&|mv| match truth(mv) {
                Some(truth) => mark(truth, mv.optimal == Some(true)),
                None => String::new(),
            })
        ),
        false => format!(
            "\nNo value was found within {}.\n\n",
            count(ORACLE_NODES, "position")
        ),
    };
    let q = match found.numbers {
        "preferences" => "preference",
        _ => "q",
    };
    let mut head = vec!["move", q, "visits", "greedy", "value"];
    let is_stochastic = moves.iter().any(|mv| mv.stochastic.is_some());
    if is_stochastic {
        head.insert(3, "stochastic");
    }
    let has_scores = moves.iter().any(|mv| mv.score.is_some());
    head.push(if has_scores { "score" } else { "distance" });
    let mut rows = table(head, 1);
    let share =
        |share: Option<f64>, digits: usize| or_dash(share.map(|share| format!("{share:.digits$}")));
    for mv in moves {
        let mut row = vec![
            mv.square.mv.clone(),
            known(mv.q, 4),
            or_dash(mv.visits.map(thousands)),
            share(mv.probability, 2),
            mv.value.map(|value| value.to_string()).unwrap_or_default(),
            match (mv.score, mv.distance) {
                (Some(score), _) => format!("{score:+}"),
                (None, Some(plies)) => plies.to_string(),
                (None, None) => String::new(),
            },
        ];
        if is_stochastic {
            row.insert(3, share(mv.stochastic, 4));
        }
        rows.add_row(row);
    }
    text + &table_text(&rows)
}

/// The oracle's result for a move, if there is one: its score where the game has scores, else its value.
fn truth(mv: &LearnedMove) -> Option<String> {
    let score = mv.score.map(|score| format!("{score:+}"));
    score.or_else(|| Some(mv.value?.to_string()))
}
