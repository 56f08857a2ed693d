//! What the kinds of agents can be told.

use serde::{Deserialize, Serialize};

use super::options;
use crate::game::{GameInfo, games};
use crate::search::mcts::{Budget, MAX_SIMULATIONS, MctsConfig, Selection};
use crate::search::{Leaf, Ties};
use crate::text;

/// How a perfect player chooses among optimal moves, those that keep the
/// position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinimaxChoice {
    /// All of them with the same probability.
    Uniform,
    /// The first in order of moves.
    First,
    /// Those that win as soon or lose as late as possible, all with the same
    /// probability.
    Fastest,
}

impl MinimaxChoice {
    /// The word for it in a spec, where it has one.
    pub fn word(self) -> Option<&'static str> {
        match self {
            MinimaxChoice::Uniform => None,
            MinimaxChoice::First => Some("first"),
            MinimaxChoice::Fastest => Some("fastest"),
        }
    }
}

/// The options of `minimax`: how it chooses, and where it can be exact on a game whose
/// positions are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimaxOptions {
    /// Which of the optimal moves it plays.
    pub choice: MinimaxChoice,
    /// How it searches where positions are not listed.
    pub search: MinimaxSearch,
}

/// How `minimax` searches on a game whose positions are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimaxSearch {
    /// Positions that a solver may look at for a move.
    pub nodes: u64,
    /// The solver has no limit where at most so many squares are empty. With 0 for both,
    /// what suits the game: 5,000,000 nodes for Connect Four, 14 empty squares for
    /// Othello, and no limit for other games.
    pub empties: u32,
    /// Plies that alpha-beta looks ahead where the solver does not come to an end,
    /// 1 to 64.
    pub depth: u32,
}

impl Default for MinimaxSearch {
    fn default() -> Self {
        MinimaxSearch {
            nodes: 0,
            empties: 0,
            depth: 6,
        }
    }
}

impl From<MinimaxChoice> for MinimaxOptions {
    fn from(choice: MinimaxChoice) -> MinimaxOptions {
        MinimaxOptions {
            choice,
            search: MinimaxSearch::default(),
        }
    }
}

/// The name of a way to evaluate positions, of whichever game; see
/// [`Game::EVALUATIONS`](crate::game::Game::EVALUATIONS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation(&'static str);

impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Evaluation::try_from(text).map_err(serde::de::Error::custom)
    }
}

impl Evaluation {
    /// What is meant where no evaluation is named.
    const UNNAMED: Evaluation = Evaluation("default");

    /// The number of the evaluation on a game.
    ///
    /// # Errors
    ///
    /// What the game has instead.
    pub fn on(self, info: &GameInfo) -> Result<usize, String> {
        if self == Self::UNNAMED {
            return Ok(0);
        }
        let found = info.evaluations.iter().position(|name| *name == self.0);
        found.ok_or_else(|| {
            format!(
                "{} has no evaluation '{}', only: {}",
                info.name,
                self.0,
                info.evaluations.join(", ")
            )
        })
    }

    /// The name.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Self::UNNAMED
    }
}

impl TryFrom<String> for Evaluation {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = games().iter().flat_map(|game| game.evaluations);
        let mut names: Vec<&'static str> = vec![Self::UNNAMED.0];
        for &name in known {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let found = names.iter().find(|name| **name == text);
        match found {
            Some(name) => Ok(Evaluation(name)),
            None => Err(format!(
                "unknown evaluation '{text}'{}",
                text::hint(&text, names)
            )),
        }
    }
}

/// The options of `alpha-beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaBetaOptions {
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

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        AlphaBetaOptions {
            depth: 4,
            evaluation: Evaluation::default(),
            leaf: Leaf::Position,
            ties: Ties::Random,
        }
    }
}

impl AlphaBetaOptions {
    /// A player that looks at the positions after its own moves only.
    pub fn greedy(evaluation: Evaluation) -> AlphaBetaOptions {
        AlphaBetaOptions {
            depth: 1,
            evaluation,
            ..AlphaBetaOptions::default()
        }
    }
}

/// The options of `mcts`: those of the search, and those of its use in play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MctsOptions {
    /// How to search.
    pub tree: MctsConfig,
    /// How to play.
    pub play: MctsPlay,
}

/// How Monte Carlo tree search is used in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsPlay {
    /// Simulations for a move; 0 for as many as the time allows.
    pub simulations: u64,
    /// Milliseconds for a move; 0 for as many as the simulations take.
    pub milliseconds: u64,
    /// Whether the tree is kept from one move of a game to the next.
    pub reuse_tree: bool,
    /// The share of Dirichlet noise in the root's prior probabilities, from 0 to 1;
    /// for `puct` (Silver et al. 2018).
    pub noise_weight: f64,
    /// The parameter α of that noise; above 0.
    pub noise_alpha: f64,
    /// τ: the first moves are drawn with probabilities proportional to
    /// visits^(1/τ); 0 for the best move at once.
    pub temperature: f64,
    /// How many of the agent's moves in a game are the first ones.
    pub temperature_moves: u32,
}

impl MctsPlay {
    /// How long the search for a move may take.
    pub fn budget(&self) -> Budget {
        Budget {
            simulations: self.simulations,
            milliseconds: self.milliseconds,
        }
    }
}

impl Default for MctsPlay {
    fn default() -> Self {
        MctsPlay {
            simulations: 1000,
            milliseconds: 0,
            reuse_tree: false,
            noise_weight: 0.0,
            noise_alpha: 1.0,
            temperature: 0.0,
            temperature_moves: 2,
        }
    }
}

/// The options of `run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// The run's directory, or a checkpoint in one.
    pub path: String,
    /// Which of a seed's checkpoints: `best`, `last`, or an epoch.
    pub checkpoint: String,
    /// Which seed; 0 for the first of the run.
    pub seed: u64,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct RunSelection {
    checkpoint: text::Word,
    seed: u64,
}

impl Default for RunSelection {
    fn default() -> Self {
        RunSelection {
            checkpoint: text::Word("best".to_owned()),
            seed: 0,
        }
    }
}

impl RunOptions {
    /// What follows the path in a spec.
    pub fn changed(&self) -> Vec<String> {
        options::changed(&RunSelection {
            checkpoint: text::Word(self.checkpoint.clone()),
            seed: self.seed,
        })
    }
}

/// Reads the options of `minimax`.
///
/// # Errors
///
/// The option that is wrong; so do all that read options.
pub fn minimax(rest: Option<&str>) -> Result<MinimaxOptions, String> {
    let mut choice = MinimaxChoice::Uniform;
    let mut parts = [options::table(&MinimaxSearch::default())];
    let mut rest = rest;
    if let Some(text) = rest {
        let (word, others) = match text.split_once(',') {
            Some((word, others)) => (word, Some(others)),
            None => (text, None),
        };
        if !word.contains('=') {
            choice = match word {
                "first" => MinimaxChoice::First,
                "fastest" => MinimaxChoice::Fastest,
                _ => {
                    return Err(format!(
                        "unknown choice '{word}'{}",
                        text::hint(
                            word,
                            ["first", "fastest", "nodes=N", "empties=N", "depth=N"]
                        )
                    ));
                }
            };
            rest = others;
        }
    }
    if let Some(rest) = rest {
        options::read(rest, &mut parts)?;
    }
    let [table] = parts;
    let search: MinimaxSearch = options::from_table(table)?;
    check_depth(search.depth)?;
    Ok(MinimaxOptions { choice, search })
}

fn check_depth(depth: u32) -> Result<(), String> {
    if (1..=64).contains(&depth) {
        Ok(())
    } else {
        Err(format!(
            "option 'depth': {depth} is out of range, expected 1 to 64"
        ))
    }
}

/// Reads the options of `alpha-beta`.
pub fn alpha_beta(rest: Option<&str>) -> Result<AlphaBetaOptions, String> {
    let mut parts = [options::table(&AlphaBetaOptions::default())];
    if let Some(rest) = rest {
        options::read(rest, &mut parts)?;
    }
    let [table] = parts;
    let found: AlphaBetaOptions = options::from_table(table)?;
    check_depth(found.depth)?;
    Ok(found)
}

/// Reads the options of `mcts`.
pub fn mcts(rest: Option<&str>) -> Result<MctsOptions, String> {
    let default = MctsOptions::default();
    let mut parts = [options::table(&default.play), options::table(&default.tree)];
    if let Some(rest) = rest {
        options::read(rest, &mut parts)?;
        if rest.contains("milliseconds=") && !rest.contains("simulations=") {
            // A budget of time alone.
            parts[0].insert("simulations".to_owned(), 0.into());
        }
    }
    let [play, tree] = parts;
    let (play, tree): (MctsPlay, MctsConfig) =
        (options::from_table(play)?, options::from_table(tree)?);
    tree.validate()
        .map_err(|(key, message)| format!("option '{key}': {message}"))?;
    let bad = |key: &str, message: &str| Err(format!("option '{key}': {message}"));
    if play.simulations == 0 && play.milliseconds == 0 {
        return bad("simulations", "0 leaves nothing to do, expected at least 1");
    }
    if play.simulations > MAX_SIMULATIONS {
        return bad("simulations", "out of range, expected at most 2000000000");
    }
    if !(0.0..=1.0).contains(&play.noise_weight) {
        return bad(
            "noise_weight",
            "out of range, expected a number from 0 to 1",
        );
    }
    if play.noise_weight > 0.0 && tree.selection != Selection::Puct {
        return bad(
            "noise_weight",
            "noise is mixed into prior probabilities, expected selection=puct with it",
        );
    }
    if !(1e-3..=1e6).contains(&play.noise_alpha) {
        return bad("noise_alpha", "out of range, expected 0.001 to 1000000");
    }
    if !(0.0..=1e6).contains(&play.temperature) {
        return bad("temperature", "out of range, expected 0 to 1000000");
    }
    Ok(MctsOptions { tree, play })
}

/// Reads the options of `run`.
pub fn run(rest: &str) -> Result<RunOptions, String> {
    // A comma may be part of a path; one before a name and = is not.
    let is_option = |at: &usize| {
        let (name, value) = rest[at + 1..].split_once('=').unwrap_or_default();
        !value.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let comma = rest.match_indices(',').map(|(at, _)| at).find(is_option);
    let (path, rest) = match comma {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let mut parts = [options::table(&RunSelection::default())];
    if let Some(rest) = rest {
        options::read(rest, &mut parts)?;
    }
    let [table] = parts;
    let RunSelection { checkpoint, seed } = options::from_table(table)?;
    Ok(RunOptions {
        path: path.to_owned(),
        checkpoint: checkpoint.0,
        seed,
    })
}
