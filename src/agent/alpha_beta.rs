//! `alpha-beta:depth=4`: the best score within so many plies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::set_agent::{Chooser, SetAgent, by_ties};
use super::spec::{Form, Kind};
use super::{Agent, Failure, Stage, Thought, options};
use crate::error::Error;
use crate::game::{GameInfo, Moves, Position, games};
use crate::search::{Leaf, Limits, Lookahead, Ties, look_ahead};
use crate::text;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["alpha-beta"],
    examples: &["alpha-beta:depth=4"],
    plays: "The best score within so many plies, by alpha-beta search.",
    options: options::defaults::<AlphaBeta>,
    read: |_, rest| {
        let options: AlphaBeta = options::parse(rest)?;
        check_depth(options.depth)?;
        Ok(Arc::new(options))
    },
};

/// The options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaBeta {
    /// Plies to look ahead, 1 to 64.
    pub depth: u32,
    /// How positions are evaluated; `default` for the game's first way.
    pub evaluation: Evaluation,
    /// What a line of play is worth at the depth.
    pub leaf: Leaf,
    /// Which of the moves with the best score is played: any of them (`random`),
    /// all with the same probability, or the `first`.
    pub ties: Ties,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        AlphaBeta {
            depth: 4,
            evaluation: Evaluation::default(),
            leaf: Leaf::Position,
            ties: Ties::Random,
        }
    }
}

/// Checks a depth that was asked for. Errors: what is wrong with it.
pub fn check_depth(depth: u32) -> Result<(), String> {
    if (1..=64).contains(&depth) {
        Ok(())
    } else {
        Err(format!(
            "option 'depth': {depth} is out of range, expected 1 to 64"
        ))
    }
}

impl AlphaBeta {
    /// The agent on a game. Errors: what the game has instead of the evaluation.
    pub fn on(self, game: &'static GameInfo) -> Result<Arc<dyn Agent>, String> {
        let evaluation = self.evaluation.on(game)?;
        Ok(Arc::new(SetAgent::new(move || AlphaBetaChooser {
            options: self,
            search: look_ahead(game, evaluation, self.leaf),
        })))
    }
}

impl Kind for AlphaBeta {
    fn text(&self) -> String {
        options::written("alpha-beta", options::changed(self))
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        self.evaluation.on(game).map(drop)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        self.on(stage.game()).map_err(Error::input)
    }
}

struct AlphaBetaChooser {
    options: AlphaBeta,
    search: Box<dyn Lookahead>,
}

impl Chooser for AlphaBetaChooser {
    fn moves(&mut self, position: Position, limits: &Limits) -> Result<Moves<u128>, Failure> {
        let (_, best) = self
            .search
            .best_moves(position, self.options.depth, limits)?;
        Ok(by_ties(best, self.options.ties))
    }

    fn thoughts(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        scored(self.search.as_mut(), position, self.options.depth, limits)
    }
}

/// The score of every move by looking ahead. Errors: [`Failure::Stopped`] if the limits were
/// reached before.
pub fn scored(
    search: &mut dyn Lookahead,
    position: Position,
    depth: u32,
    limits: &Limits,
) -> Result<Vec<Thought>, Failure> {
    let scores = search.scores(position, depth, limits)?.into_iter();
    let thought = |(mv, score)| Thought {
        score: Some(score),
        ..Thought::about(mv)
    };
    Ok(scores.map(thought).collect())
}

/// The name of a way to evaluate positions, of whichever game; see
/// [`Game::EVALUATIONS`](crate::game::Game::EVALUATIONS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation(&'static str);

impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Evaluation::find(&text).map_err(serde::de::Error::custom)
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::UNNAMED
    }
}

impl Evaluation {
    /// What is meant where no evaluation is named.
    const UNNAMED: Evaluation = Evaluation("default");

    /// The number of the evaluation on a game. Errors: what the game has instead.
    pub fn on(self, game: &GameInfo) -> Result<usize, String> {
        if self == Self::UNNAMED {
            return Ok(0);
        }
        let found = game.evaluations.iter().position(|name| *name == self.0);
        found.ok_or_else(|| {
            format!(
                "{} has no evaluation '{}', only: {}",
                game.name,
                self.0,
                game.evaluations.join(", ")
            )
        })
    }

    /// The evaluation of this name. Errors: the nearest name that there is.
    pub fn find(text: &str) -> Result<Evaluation, String> {
        let of_games = games().iter().flat_map(|game| game.evaluations).copied();
        let names = text::each_once([Self::UNNAMED.0].into_iter().chain(of_games));
        match names.iter().find(|name| **name == text) {
            Some(name) => Ok(Evaluation(name)),
            None => Err(format!(
                "unknown evaluation '{text}'{}",
                text::hint(text, names)
            )),
        }
    }
}
