//! `level:hard`: a trained opponent of a stated strength, by values that come with the program. These are checkpoints,
//! each byte for byte the last one that `lab train` writes with the config of its name in `configs/levels/`.

use std::str::FromStr;
use std::sync::Arc;

use super::alpha_beta::value_agent;
use super::erring::erring;
use super::spec::{Kind, SpecForm, SpecSubject};
use super::{Agent, BuiltIn, Stage};
use crate::error::Error;
use crate::game::GameInfo;
use crate::text;

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["level"],
    examples: &["level:easy", "level:hard"],
    plays: "A trained opponent of Connect Four or Othello, by values that come with the program; the levels, from weak \
            to strong, are beginner, easy, medium, hard and master.",
    subject: Some(SpecSubject::Choice {
        name: "level",
        choices: &NAMES,
        default: Some("medium"),
    }),
    options: Vec::new,
    menu: &[
        (10, "level:beginner"),
        (11, "level:easy"),
        (12, "level:medium"),
        (13, "level:hard"),
        (14, "level:master"),
    ],
    opponent: Some("level:easy"),
    read: |_, rest| {
        let level: Level = rest.unwrap_or_default().parse()?;
        Ok(Arc::new(level))
    },
};

/// How strong an opponent is, from the weakest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// About half of its moves are random.
    Beginner,
    /// Now and then it plays a random move.
    Easy,
    /// It seldom blunders.
    Medium,
    /// It makes no random moves.
    Hard,
    /// It looks as far ahead as it quickly can.
    Master,
}

impl Level {
    /// All levels, from the weakest on.
    pub const ALL: [Level; 5] = [
        Level::Beginner,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Master,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// The levels in words, from the weakest on.
const NAMES: [&str; 5] = ["beginner", "easy", "medium", "hard", "master"];

/// Errors: the levels that there are, and the nearest one.
impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        if let Some(level) = Level::ALL.iter().find(|level| level.name() == text) {
            return Ok(*level);
        }
        let all = NAMES.join(", ");
        Err(match (text, text::nearest(text, NAMES)) {
            ("", _) => format!("no level, expected one of: {all}"),
            (_, Some(near)) => {
                format!("unknown level '{text}', did you mean '{near}'? The levels are: {all}")
            }
            (_, None) => format!("unknown level '{text}', expected one of: {all}"),
        })
    }
}

/// A game that has levels.
struct Levels {
    game: &'static str,
    /// How each of [`Level::ALL`] plays: the plies that it looks ahead, and the probability of a random legal move in
    /// place of the best.
    strengths: [(u32, f64); 5],
    /// The values that they play by.
    checkpoint: BuiltIn,
}

static GAMES: [Levels; 2] = [
    Levels {
        game: "connect-four",
        strengths: [(1, 0.6), (1, 0.3), (1, 0.1), (1, 0.0), (10, 0.0)],
        checkpoint: BuiltIn {
            json: include_bytes!("connect_four.json"),
            npz: include_bytes!("connect_four.npz"),
        },
    },
    Levels {
        game: "othello",
        strengths: [(1, 0.5), (1, 0.2), (1, 0.0), (3, 0.0), (6, 0.0)],
        checkpoint: BuiltIn {
            json: include_bytes!("othello.json"),
            npz: include_bytes!("othello.npz"),
        },
    },
];

impl Levels {
    /// The levels of a game. Errors: that it has none, and which games have some.
    fn of(game: &GameInfo) -> Result<&'static Levels, String> {
        let found = GAMES.iter().find(|levels| levels.game == game.name);
        found.ok_or_else(|| {
            let games = GAMES.each_ref().map(|levels| levels.game);
            let (name, games) = (game.name, games.join(" and "));
            format!("{name} has no levels, only {games} have")
        })
    }
}

impl Kind for Level {
    fn text(&self) -> String {
        format!("level:{}", self.name())
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        Levels::of(game).map(drop)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let levels = Levels::of(stage.game()).map_err(Error::input)?;
        let (depth, epsilon) = levels.strengths[*self as usize];
        let learned = stage.built_in(levels.checkpoint)?;
        let agent = value_agent(stage.game(), learned, depth);
        Ok(erring(agent, epsilon))
    }
}
