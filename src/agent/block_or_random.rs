//! `block-or-random`: answers the opponent's threats, any of them with the same
//! probability; plays any other move at random and never looks for a win.

use std::sync::Arc;

use super::set_agent::{Chooser, SetAgent};
use super::spec::{Form, Kind, no_options};
use super::{Agent, Failure, Stage};
use crate::error::Error;
use crate::game::{Moves, Position};
use crate::search::Limits;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["block-or-random"],
    examples: &["block-or-random"],
    read: |name, rest| no_options(name, rest).map(|()| Arc::new(BlockOrRandom) as Arc<dyn Kind>),
};

#[derive(Debug)]
struct BlockOrRandom;

impl Kind for BlockOrRandom {
    fn text(&self) -> String {
        "block-or-random".to_owned()
    }

    fn ready(&self, _: &Stage) -> Result<Arc<dyn Agent>, Error> {
        Ok(Arc::new(SetAgent::new(|| BlockOrRandom)))
    }
}

impl Chooser for BlockOrRandom {
    fn moves(&mut self, position: Position, _: &Limits) -> Result<Moves<u128>, Failure> {
        Ok(position.answers())
    }
}
