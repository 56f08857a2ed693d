//! `alpha-beta:depth=4`: the best score within this many plies.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::erring::erring;
use super::run::{BEST, EvaluationSpec, FIRST};
use super::set_agent::{Chance, Chooser, SetAgent};
use super::spec::{Kind, SpecForm, no_options};
use super::{Agent, Failure, RunOptions, Stage, Thought, options};
use crate::error::{Error, all_within};
use crate::game::{GameInfo, Position, Value, games};
use crate::search::{
    Certainty, EvaluationFunction, Leaf, Learned, Limits, Lookahead, Ties, look_ahead,
};
use crate::text;
use crate::value::{Board, Estimator, PATTERNS, own_values};

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["alpha-beta"],
    examples: &[
        "alpha-beta:depth=4",
        "alpha-beta:depth=4,evaluation=run:RUN",
    ],
    plays: "The best score within depth plies, by alpha-beta search; by a game's own evaluation of positions, or by \
            values that a run learned.",
    subject: None,
    options: options::defaults::<Options>,
    menu: &[(40, "alpha-beta:depth=4")],
    opponent: None,
    read: |_, rest| {
        let mut options: Options = options::parse(rest)?;
        options
            .evaluation
            .choose(&options.checkpoint, &options.seed)?;
        let alias = None;
        Ok(Arc::new(AlphaBeta { alias, options }))
    },
};

/// The form of the specs that are one word for a depth of 1, the move after which the position looks
/// best: `greedy` by the game's first evaluation, the others by the evaluations of their names.
pub const GREEDY: SpecForm = SpecForm {
    names: &["greedy", "weighted", "standard-weights"],
    examples: &["greedy", "weighted", "standard-weights"],
    plays: "The move after which the position looks best; in Othello also with squares weighted as \
            in an article, or as in the literature's standard heuristic.",
    subject: None,
    options: Vec::new,
    menu: &[(30, "greedy")],
    opponent: None,
    read: |name, rest| {
        no_options(name, rest)?;
        let options = Options {
            depth: 1,
            evaluation: EvaluationSpec::Named(match name {
                "greedy" => UNNAMED,
                name => find(name)?,
            }),
            ..Options::default()
        };
        let alias = Some(name.to_owned());
        Ok(Arc::new(AlphaBeta { alias, options }))
    },
};

#[derive(Debug)]
struct AlphaBeta {
    /// Its whole spec, if that is not written with options.
    alias: Option<String>,
    options: Options,
}

/// The options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Plies to look ahead, 1 to 64.
    #[schemars(range(min = 1, max = 64))]
    depth: u32,
    /// How positions are evaluated; `default` for the game's first way, `patterns` in Othello for weights that were
    /// fitted to the scores of endgames, `run:` and a run for what it learned.
    #[serde(deserialize_with = "evaluation")]
    #[schemars(with = "String")]
    evaluation: EvaluationSpec,
    /// What a line of play is worth at the depth.
    leaf: Leaf,
    /// Which of the moves with the best score is played: any of them (`random`),
    /// all with the same probability, or the `first`.
    ties: Ties,
    /// The probability of a random legal move in place of the best, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    epsilon: f64,
    /// With `evaluation=run:`, which of a seed's checkpoints: `best`, `last`, or an epoch.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    checkpoint: String,
    /// With `evaluation=run:`, which seed: `first` for the first of the run, or a number.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    seed: String,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            depth: 4,
            evaluation: EvaluationSpec::Named(UNNAMED),
            leaf: Leaf::Position,
            ties: Ties::Random,
            epsilon: 0.0,
            checkpoint: BEST.to_owned(),
            seed: FIRST.to_owned(),
        }
    }
}

impl Kind for AlphaBeta {
    fn text(&self) -> String {
        let written = || options::spec("alpha-beta", None, &self.options);
        self.alias.clone().unwrap_or_else(written)
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        all_within([("epsilon", self.options.epsilon, 0.0, 1.0)]).map_err(options::wrong)?;
        let is_learned = match &self.options.evaluation {
            EvaluationSpec::Named(evaluation) => {
                matches!(named(evaluation, game)?, EvaluationFunction::Learned(_))
            }
            EvaluationSpec::Run(_) => true,
        };
        match self.options.leaf {
            Leaf::LastGain if is_learned => {
                Err("option 'leaf': learned values are of positions, expected position".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn run(&self) -> Option<&RunOptions> {
        self.options.evaluation.run()
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let (game, options) = (stage.game(), self.options.clone());
        let evaluation = match &options.evaluation {
            EvaluationSpec::Named(evaluation) => named(evaluation, game).map_err(Error::input)?,
            EvaluationSpec::Run(run) => EvaluationFunction::Learned(stage.learned(run)?),
        };
        let epsilon = options.epsilon;
        let agent = SetAgent::new(move || AlphaBetaChooser {
            search: look_ahead(game, &evaluation, options.leaf),
            depth: options.depth,
            ties: options.ties,
            values: None,
        });
        Ok(erring(Arc::new(agent), epsilon))
    }
}

struct AlphaBetaChooser {
    search: Box<dyn Lookahead>,
    depth: u32,
    ties: Ties,
    /// The estimator of moves' values, if its thoughts have them too.
    values: Option<(Box<dyn Estimator>, Certainty)>,
}

impl Chooser for AlphaBetaChooser {
    fn choice(&mut self, position: Position, limits: &Limits) -> Result<Chance, Failure> {
        let (_, best) = self.search.best_moves(position, self.depth, limits)?;
        Ok(Chance::Among(self.ties.among(best)))
    }

    fn thoughts(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        let mut thoughts = scored(self.search.as_mut(), position, self.depth, limits)?;
        if let Some((estimator, certain)) = &mut self.values {
            for thought in &mut thoughts {
                let after = position.play_unchecked(thought.mv);
                limits.check()?;
                thought.value = Some(value_of(estimator.as_mut(), *certain, after));
            }
        }
        Ok(thoughts)
    }
}

/// The score of every move by looking ahead. Errors: [`Failure::Stopped`] if the limits were
/// reached first.
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

/// The evaluation that is meant where none is named.
const UNNAMED: &str = "default";

fn evaluation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EvaluationSpec, D::Error> {
    EvaluationSpec::read(deserializer, find)
}

/// The name of a game's own [evaluation](crate::game::Game::EVALUATIONS), or of values that come with the
/// program. Errors: that there is none, and the nearest name.
fn find(text: &str) -> Result<&'static str, String> {
    let of_games = games().iter().flat_map(|game| game.evaluations).copied();
    let names = text::deduplicated([UNNAMED, PATTERNS].into_iter().chain(of_games));
    let found = names.iter().copied().find(|name| *name == text);
    found.ok_or_else(|| match text::nearest(text, names.iter().copied()) {
        Some(near) => format!("unknown evaluation '{text}', did you mean '{near}'?"),
        None => format!(
            "unknown evaluation '{text}', expected run:RUN, or one of: {}",
            names.join(", ")
        ),
    })
}

/// The evaluation with this name for a game. Errors: what the game has instead.
fn named(evaluation: &str, game: &GameInfo) -> Result<EvaluationFunction, String> {
    if evaluation == UNNAMED {
        return Ok(EvaluationFunction::Named(0));
    }
    if let Some(number) = game.evaluations.iter().position(|name| *name == evaluation) {
        return Ok(EvaluationFunction::Named(number));
    }
    if let Some(values) = own_values(evaluation, game) {
        return Ok(EvaluationFunction::Learned(Learned::of_both(values)));
    }
    let own = own_values(PATTERNS, game).map(|_| PATTERNS);
    let names: Vec<&str> = game.evaluations.iter().copied().chain(own).collect();
    Err(format!(
        "{} has no evaluation '{evaluation}', only: {}, and run:RUN",
        game.name,
        names.join(", ")
    ))
}

/// An agent that moves to a position of the highest learned value, or looks ahead `depth` plies, at least 1,
/// with learned values. Raw values are cut to multiples of 1/30,000: closer ones may count as equal.
pub fn value_agent(game: &'static GameInfo, learned: Learned, depth: u32) -> Arc<dyn Agent> {
    let evaluation = EvaluationFunction::Learned(learned.clone());
    Arc::new(SetAgent::new(move || AlphaBetaChooser {
        search: look_ahead(game, &evaluation, Leaf::Position),
        depth,
        ties: Ties::Random,
        values: Some((Arc::clone(&learned.values).estimator(), learned.certain)),
    }))
}

/// The value of a position to the side that moved there, from −1 to 1: exact if the game is over or the
/// position is an endgame that is searched, else learned.
pub fn value_of(estimator: &mut dyn Estimator, certain: Certainty, after: Position) -> f64 {
    let endgames = Certainty {
        tactics: false,
        ..certain
    };
    let exact = match after.outcome() {
        Some(outcome) => Some(outcome.for_side(!after.to_move())),
        None => endgames.value_of(after).map(Value::opposite),
    };
    match exact {
        Some(Value::Win) => 1.0,
        Some(Value::Draw) => 0.0,
        Some(Value::Loss) => -1.0,
        None => estimator.value(&Board::of(after)).into(),
    }
}
