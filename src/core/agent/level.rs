//! `level:hard`: a trained opponent of a stated strength, by values that come with the program.

use std::str::FromStr;
use std::sync::Arc;

use super::alpha_beta::value_agent;
use super::erring::erring;
use super::spec::{Form, Kind};
use super::{Agent, Stage};
use crate::error::Error;
use crate::game::GameInfo;
use crate::text;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["level"],
    examples: &["level:easy", "level:hard"],
    plays: "A trained opponent of Connect Four or Othello, by values that come with the program; the levels, from weak \
            to strong, are beginner, easy, medium, hard and master.",
    options: Vec::new,
    read: |_, rest| {
        let level: Level = rest.unwrap_or_default().parse()?;
        Ok(Arc::new(level))
    },
};

/// How strong an opponent is, from the weakest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// More often than not it plays any move.
    Beginner,
    /// Now and then it plays any move.
    Easy,
    /// It blunders seldom.
    Medium,
    /// It makes no move at random.
    Hard,
    /// It looks as far ahead as is quick.
    Master,
}

impl Level {
    /// All of them, from the weakest on.
    pub const ALL: [Level; 5] = [
        Level::Beginner,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Master,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Level::Beginner => "beginner",
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Master => "master",
        }
    }

    /// Its entry in [`STRENGTHS`]. Errors: that the game has no levels, and which games have.
    fn strength(self, game: &GameInfo) -> Result<(u32, f64), String> {
        let of_game = STRENGTHS.iter().find(|(name, _)| *name == game.name);
        match of_game {
            Some((_, strengths)) => Ok(strengths[self as usize]),
            None => Err(format!(
                "{} has no levels, only {} have",
                game.name,
                STRENGTHS.map(|(name, _)| name).join(" and ")
            )),
        }
    }
}

/// Errors: the levels that there are, and the nearest one.
impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let names = Level::ALL.map(Level::name);
        if let Some(level) = Level::ALL.iter().find(|level| level.name() == text) {
            return Ok(*level);
        }
        let all = names.join(", ");
        Err(match (text, text::nearest(text, names)) {
            ("", _) => format!("no level, expected one of: {all}"),
            (_, Some(near)) => {
                format!("unknown level '{text}', did you mean '{near}'? The levels are: {all}")
            }
            (_, None) => format!("unknown level '{text}', expected one of: {all}"),
        })
    }
}

/// The games that have levels, and how each of [`Level::ALL`] plays them: the plies that it looks ahead,
/// and the probability of any legal move in place of the best.
static STRENGTHS: [(&str, [(u32, f64); 5]); 2] = [
    (
        "connect-four",
        [(1, 0.6), (1, 0.3), (1, 0.1), (1, 0.0), (10, 0.0)],
    ),
    (
        "othello",
        [(1, 0.5), (1, 0.2), (1, 0.0), (3, 0.0), (6, 0.0)],
    ),
];

impl Kind for Level {
    fn text(&self) -> String {
        format!("level:{}", self.name())
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        self.strength(game).map(drop)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let (depth, epsilon) = self.strength(stage.game()).map_err(Error::input)?;
        let agent = value_agent(stage.game(), stage.shipped()?, depth);
        Ok(erring(agent, epsilon))
    }
}
