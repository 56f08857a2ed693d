//! `greedy`: the move after which the position looks best; `weighted` and
//! `standard-weights` by those evaluations.

use std::sync::Arc;

use super::alpha_beta::{AlphaBeta, Evaluation};
use super::spec::{Form, Kind, no_options};
use super::{Agent, Stage};
use crate::error::Error;
use crate::game::GameInfo;

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["greedy", "weighted", "standard-weights"],
    examples: &["greedy", "weighted", "standard-weights"],
    plays: "The move after which the position looks best; in Othello also with squares weighed as \
            in an article, or as in the literature's standard heuristic.",
    options: Vec::new,
    read: |name, rest| {
        no_options(name, rest)?;
        let (name, evaluation) = match Evaluation::find(name) {
            Ok(evaluation) if name != "greedy" => (name.to_owned(), evaluation),
            _ => ("greedy".to_owned(), Evaluation::default()),
        };
        Ok(Arc::new(Greedy { name, evaluation }))
    },
};

#[derive(Debug)]
struct Greedy {
    name: String,
    evaluation: Evaluation,
}

impl Kind for Greedy {
    fn text(&self) -> String {
        self.name.clone()
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        self.evaluation.on(game).map(drop)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let options = AlphaBeta {
            depth: 1,
            evaluation: self.evaluation,
            ..AlphaBeta::default()
        };
        options.on(stage.game()).map_err(Error::input)
    }
}
