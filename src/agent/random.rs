//! `random`: every legal move with the same probability.

use std::sync::Arc;

use super::set_agent::{Chooser, SetAgent};
use super::spec::{Form, Kind, no_options};
use super::{Agent, Failure, Stage};
use crate::error::Error;
use crate::game::{Moves, Position};
use crate::search::Limits;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["random"],
    examples: &["random"],
    read: |name, rest| no_options(name, rest).map(|()| Arc::new(Random) as Arc<dyn Kind>),
};

#[derive(Debug)]
struct Random;

impl Kind for Random {
    fn text(&self) -> String {
        "random".to_owned()
    }

    fn ready(&self, _: &Stage) -> Result<Arc<dyn Agent>, Error> {
        Ok(Arc::new(SetAgent::new(|| Random)))
    }
}

impl Chooser for Random {
    fn moves(&mut self, position: Position, _: &Limits) -> Result<Moves<u128>, Failure> {
        Ok(position.moves())
    }
}
