//! A game and its board, for a user interface that shows them.

use serde::Serialize;

use crate::agent::AgentSpec;
use crate::game::{GameInfo, Labels, Pieces};
use crate::search::{Scoring, solver_facts};

/// A game and its board; the fields are the keys of its JSON, which `docs/api.md` explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, see docs/api.md")]
pub struct GameDescription {
    pub name: &'static str,
    pub summary: &'static str,
    pub listed: bool,
    pub width: usize,
    pub height: usize,
    pub shape: &'static str,
    pub labels: BoardLabels,
    pub pieces: &'static str,
    pub in_a_row: Option<usize>,
    pub symmetries: usize,
    pub score_meaning: Option<&'static str>,
    pub agents: Vec<String>,
}

/// The labels of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardLabels {
    /// Above the columns.
    pub columns: Vec<String>,
    /// Beside the rows, if they have labels.
    pub rows: Option<Vec<String>>,
}

impl GameDescription {
    /// Describes a game and agents that can play it, including those of `offered` that can.
    pub fn of(info: &'static GameInfo, offered: &[AgentSpec]) -> GameDescription {
        let geometry = info.geometry();
        let letter = |column: usize| char::from(b'a' + column as u8).to_string();
        let numbers =
            |count: usize| -> Vec<String> { (1..=count).map(|n| n.to_string()).collect() };
        let letters = || (0..geometry.width).map(letter).collect();
        let (shape, columns, rows): (_, Vec<String>, _) = match info.labels {
            Labels::LettersAndNumbers => ("squares", letters(), Some(numbers(geometry.height))),
            Labels::Slanted => ("hexagons", letters(), Some(numbers(geometry.height))),
            Labels::NumberedColumns => ("columns", numbers(geometry.width), None),
        };
        let menu = AgentSpec::menu();
        let can_play = menu.iter().chain(offered);
        let can_play = can_play.filter(|spec| spec.check(info).is_ok());
        GameDescription {
            name: info.name,
            summary: info.summary,
            listed: info.listed,
            width: geometry.width,
            height: geometry.height,
            shape,
            labels: BoardLabels { columns, rows },
            pieces: match info.pieces {
                Pieces::Marks => "marks",
                Pieces::Stones => "stones",
                Pieces::Discs => "discs",
            },
            in_a_row: info.in_a_row,
            symmetries: info.symmetries,
            score_meaning: solver_facts(info, Scoring::Raw).score_meaning,
            agents: can_play.map(ToString::to_string).collect(),
        }
    }
}
