//! Agents that draw from moves that the rules give: `random`, every legal move with the same
//! probability; `block-or-random`, which answers the opponent's threats, any of them with the same
//! probability, plays any other move at random and never looks for a win.

use std::sync::Arc;

use super::set_agent::{Chance, Chooser, SetAgent};
use super::spec::{Kind, SpecForm, no_options};
use super::{Agent, Failure, Stage};
use crate::error::Error;
use crate::game::{GameInfo, Position};
use crate::search::Limits;

/// The form of their specs.
pub const FORM: SpecForm = SpecForm {
    names: &["random", "block-or-random"],
    examples: &["random", "block-or-random"],
    plays: "A random legal move, each with the same probability; or an answer to a threat, else a random move \
            (it never looks for its own win).",
    subject: None,
    options: Vec::new,
    menu: &[(0, "random"), (20, "block-or-random")],
    opponent: None,
    read: |name, rest| {
        no_options(name, rest)?;
        Ok(Arc::new(match name {
            "random" => RandomKind::Random,
            _ => RandomKind::Answers,
        }))
    },
};

#[derive(Clone, Copy, Debug)]
enum RandomKind {
    Random,
    Answers,
}

impl Kind for RandomKind {
    fn text(&self) -> String {
        match self {
            RandomKind::Random => "random".to_owned(),
            RandomKind::Answers => "block-or-random".to_owned(),
        }
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        match self {
            RandomKind::Random => Ok(()),
            RandomKind::Answers => game
                .check_threats()
                .map_err(|why| format!("{why}; use random")),
        }
    }

    fn ready(&self, _: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let kind = *self;
        Ok(Arc::new(SetAgent::new(move || kind)))
    }
}

impl Chooser for RandomKind {
    fn choice(&mut self, position: Position, _: &Limits) -> Result<Chance, Failure> {
        Ok(Chance::Among(match self {
            RandomKind::Random => position.moves(),
            RandomKind::Answers => position.answers(),
        }))
    }
}
