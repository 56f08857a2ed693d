//! What is known about a position's moves: hints, and the agent's reasons.

use std::time::Duration;

use playlab::Error;
use playlab::agent::Thought;
use playlab::search::{Limits, WIN_SCORE};
use playlab::text::{signed, thousands};
use playlab::workflow::Hint;

use super::super::output::{or_dash, print, print_styled, table, table_text};
use super::super::position::board;
use super::super::progress::while_waiting;
use super::super::solve::value_board;
use super::table::Table;

/// How long to wait for a hint.
const PATIENCE: Duration = Duration::from_millis(300);

impl Table {
    pub(super) fn hint(&mut self) -> Result<(), Error> {
        let position = self.session.position();
        if self.session.is_over() {
            return print("The game is over.\n");
        }
        let letter = position.to_move().letter();
        let (head, drawn) = match self.session.hint(PATIENCE) {
            None => return print("Nothing is known yet; ask again.\n"),
            Some(Hint::Exact(analysis)) => (
                format!("What every move is worth to {letter}, the best marked:"),
                value_board(position, &analysis.moves),
            ),
            Some(Hint::Estimate {
                simulations,
                moves,
                best,
            }) => (
                format!(
                    "Estimates for {letter} by {} simulations, a draw being half a win, the best marked; \
                     ask again for better ones:",
                    thousands(simulations)
                ),
                board(
                    position,
                    moves
                        .iter()
                        .map(|mv| (mv.mv, expected(mv, best.contains(mv.mv)))),
                ),
            ),
        };
        print_styled(&format!("{head}\n{}", self.with_colors(drawn)))
    }

    /// Shows what the agent thought when it last moved, or, if it has not moved yet, what it thinks
    /// of the present position.
    pub(super) fn why(&mut self) -> Result<(), Error> {
        let session = &mut self.session;
        let found = while_waiting("thinking", || session.why(&Limits::NONE));
        let (position, thoughts) = match found {
            Ok(Some(found)) => found,
            Ok(None) => return print("No agent plays; hint shows what is known.\n"),
            Err(failure) => {
                return print(&format!("{}: {failure}\n", self.against));
            }
        };
        if thoughts.is_empty() {
            return print("The game is over.\n");
        }
        let columns: Vec<&Column> = COLUMNS
            .iter()
            .filter(|(_, cell)| thoughts.iter().any(|thought| cell(thought).is_some()))
            .collect();
        if columns.is_empty() {
            return print(&format!("{} does not say what it thinks.\n", self.against));
        }
        let numbers = self.session.numbers();
        let heads = columns.iter().map(|(head, _)| match (*head, numbers) {
            ("value", Some("preferences")) => "preference",
            (head, _) => head,
        });
        let mut rows = table(["move"].into_iter().chain(heads), 1);
        for thought in &thoughts {
            let cells = columns.iter().map(|(_, cell)| or_dash(cell(thought)));
            let mv = position.format_move(thought.mv);
            rows.add_row([mv].into_iter().chain(cells).collect::<Vec<_>>());
        }
        let note = match thoughts.iter().any(|thought| thought.score.is_some()) {
            true => about_estimates(),
            false => String::new(),
        };
        print(&format!(
            "{} in {position}, {} to move:\n{}{note}",
            self.against,
            position.to_move().letter(),
            table_text(&rows)
        ))
    }
}

/// What is proven about a move, or else its mean result in percent.
fn expected(thought: &Thought, is_best: bool) -> String {
    let mark = if is_best { "*" } else { " " };
    match (thought.proven, thought.value) {
        (Some(value), _) => format!("{value}{mark}"),
        (None, Some(mean)) => format!("{:.0}%{mark}", 100.0 * mean),
        (None, None) => format!("?{mark}"),
    }
}

/// Explains scores from looking ahead; evaluations are only ever compared.
fn about_estimates() -> String {
    let win = thousands(WIN_SCORE.unsigned_abs().into());
    format!(
        "An estimate is what looking ahead finds; larger is better. It has no unit; a win that is seen counts as \
         nearly {win}, a loss as nearly -{win}, unless only the last gain counts (leaf=last-gain).\n"
    )
}

/// A column for thoughts: its head, and a function for its cells.
type Column = (&'static str, fn(&Thought) -> Option<String>);

const COLUMNS: [Column; 7] = [
    ("probability", |thought| {
        Some(format!("{:.3}", thought.probability?))
    }),
    ("visits", |thought| thought.visits.map(thousands)),
    ("value", |thought| Some(format!("{:+.4}", thought.value?))),
    ("proven", |thought| Some(thought.proven?.to_string())),
    ("estimate", |thought| Some(signed(thought.score?.into()))),
    ("exact score", |thought| {
        Some(format!("{:+}", thought.exact_score?))
    }),
    ("optimal", |thought| {
        Some(if thought.optimal? { "yes" } else { "no" }.to_owned())
    }),
];
