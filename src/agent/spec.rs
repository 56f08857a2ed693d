//! The texts that name agents.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::options;
use crate::search::Ties;
use crate::search::mcts::{Budget, MAX_SIMULATIONS, MctsConfig, Selection};
use crate::text;

/// A player, as named in configs and on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AgentSpec {
    /// `random`: every legal move with the same probability.
    Random,
    /// `minimax`, `minimax:first`, `minimax:fastest`: perfect play.
    Minimax(MinimaxChoice),
    /// `block-or-random`: answers the opponent's threats, any of them with the same
    /// probability; plays any other move at random and never looks for a win.
    BlockOrRandom,
    /// `alpha-beta:depth=3`: the best score within so many plies.
    AlphaBeta(AlphaBetaOptions),
    /// `mcts:simulations=1000,c=1.4`: Monte Carlo tree search.
    Mcts(Box<MctsOptions>),
    /// `run:runs/qtable_o-1`: what a training learned.
    Run(RunOptions),
}

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

/// The options of `alpha-beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaBetaOptions {
    /// Plies to look ahead, 1 to 64.
    pub depth: u32,
    /// Which of the moves with the best score is played: any of them (`random`),
    /// all with the same probability, or the `first`.
    pub ties: Ties,
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        AlphaBetaOptions {
            depth: 4,
            ties: Ties::Random,
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

impl AgentSpec {
    /// The forms that a spec may have.
    pub const FORMS: [&str; 8] = [
        "random",
        "minimax",
        "minimax:first",
        "minimax:fastest",
        "block-or-random",
        "alpha-beta:depth=4",
        "mcts:simulations=1000",
        "run:DIRECTORY",
    ];

    /// Whether the rules alone tell the probability of each of its moves in every
    /// position, as training and exact evaluation need it.
    pub fn has_policy(&self) -> bool {
        !matches!(self, AgentSpec::Mcts(_) | AgentSpec::Run(_))
    }

    /// Whether what it plays depends on the speed of the machine.
    pub fn depends_on_time(&self) -> bool {
        matches!(self, AgentSpec::Mcts(options) if options.play.milliseconds > 0)
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |name: &str, options: Vec<String>| {
            if options.is_empty() {
                name.to_owned()
            } else {
                format!("{name}:{}", options.join(","))
            }
        };
        let text = match self {
            AgentSpec::Random => "random".to_owned(),
            AgentSpec::Minimax(MinimaxChoice::Uniform) => "minimax".to_owned(),
            AgentSpec::Minimax(MinimaxChoice::First) => "minimax:first".to_owned(),
            AgentSpec::Minimax(MinimaxChoice::Fastest) => "minimax:fastest".to_owned(),
            AgentSpec::BlockOrRandom => "block-or-random".to_owned(),
            AgentSpec::AlphaBeta(options) => with("alpha-beta", options::changed(options)),
            AgentSpec::Mcts(options) => {
                let mut all = options::changed(&options.play);
                let simulations = format!("simulations={}", options.play.simulations);
                if options.play.milliseconds > 0 && !all.contains(&simulations) {
                    // Without it a time would be taken for the whole budget.
                    all.push(simulations);
                }
                all.extend(options::changed(&options.tree));
                with("mcts", all)
            }
            AgentSpec::Run(run) => {
                let mut all = vec![run.path.clone()];
                all.extend(options::changed(&RunSelection {
                    checkpoint: text::Word(run.checkpoint.clone()),
                    seed: run.seed,
                }));
                format!("run:{}", all.join(","))
            }
        };
        f.pad(&text)
    }
}

/// A text that names no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadSpec(String);

impl FromStr for AgentSpec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let bad = |why: String| BadSpec(format!("agent '{text}': {why}"));
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match (name, rest) {
            ("random", None) => Ok(AgentSpec::Random),
            ("block-or-random", None) => Ok(AgentSpec::BlockOrRandom),
            ("minimax", None) => Ok(AgentSpec::Minimax(MinimaxChoice::Uniform)),
            ("minimax", Some("first")) => Ok(AgentSpec::Minimax(MinimaxChoice::First)),
            ("minimax", Some("fastest")) => Ok(AgentSpec::Minimax(MinimaxChoice::Fastest)),
            ("minimax", Some(word)) => Err(bad(format!(
                "unknown choice '{word}'{}",
                text::hint(word, ["first", "fastest"])
            ))),
            ("alpha-beta", rest) => alpha_beta(rest).map(AgentSpec::AlphaBeta).map_err(bad),
            ("mcts", rest) => {
                let options = mcts(rest).map_err(bad)?;
                Ok(AgentSpec::Mcts(Box::new(options)))
            }
            ("run", Some(rest)) if !rest.is_empty() => run(rest).map(AgentSpec::Run).map_err(bad),
            ("run", _) => Err(bad(
                "no directory, expected one such as run:runs/qtable_o-1".to_owned(),
            )),
            ("random" | "block-or-random", Some(_)) => {
                Err(bad(format!("{name} has no options, expected '{name}'")))
            }
            _ => {
                let names = AgentSpec::FORMS.map(|form| form.split(':').next().unwrap_or(form));
                let hint = match text::nearest(name, names) {
                    Some(near) => format!(", did you mean '{near}'?"),
                    None => text::hint(name, AgentSpec::FORMS),
                };
                Err(BadSpec(format!("unknown agent '{text}'{hint}")))
            }
        }
    }
}

fn alpha_beta(rest: Option<&str>) -> Result<AlphaBetaOptions, String> {
    let mut parts = [options::table(&AlphaBetaOptions::default())];
    if let Some(rest) = rest {
        options::read(rest, &mut parts)?;
    }
    let [table] = parts;
    let found: AlphaBetaOptions = options::from_table(table)?;
    if !(1..=64).contains(&found.depth) {
        return Err(format!(
            "option 'depth': {} is out of range, expected 1 to 64",
            found.depth
        ));
    }
    Ok(found)
}

fn mcts(rest: Option<&str>) -> Result<MctsOptions, String> {
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

fn run(rest: &str) -> Result<RunOptions, String> {
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

impl TryFrom<String> for AgentSpec {
    type Error = BadSpec;

    fn try_from(text: String) -> Result<Self, BadSpec> {
        text.parse()
    }
}

impl From<AgentSpec> for String {
    fn from(spec: AgentSpec) -> String {
        spec.to_string()
    }
}

impl JsonSchema for AgentSpec {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AgentSpec".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "An agent, with options where it has some.",
            "examples": AgentSpec::FORMS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_written_as_it_is_read() {
        for text in [
            "random",
            "minimax",
            "minimax:first",
            "minimax:fastest",
            "block-or-random",
            "alpha-beta",
            "alpha-beta:depth=3",
            "alpha-beta:depth=2,ties=first",
            "mcts",
            "mcts:simulations=50",
            "mcts:c=0.5,selection=puct",
            "mcts:first_play=0.7,merge=symmetries,solver=false",
            "run:runs/qtable_o-1",
            "run:runs/a,checkpoint=last,seed=3",
            "run:runs/a,checkpoint=20",
        ] {
            let spec: AgentSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        let timed: AgentSpec = "mcts:milliseconds=20".parse().unwrap();
        assert!(timed.depends_on_time());
        assert_eq!(timed.to_string().parse(), Ok(timed));
        let AgentSpec::Mcts(options) = "mcts:c=2,temperature=1".parse().unwrap() else {
            panic!("not what was asked for");
        };
        assert_eq!((options.tree.c, options.play.temperature), (2.0, 1.0));
        let commas: AgentSpec = "run:a,b/c,d,seed=2".parse().unwrap();
        assert!(matches!(commas, AgentSpec::Run(run) if run.path == "a,b/c,d" && run.seed == 2));
        let both: AgentSpec = "mcts:milliseconds=20,simulations=1000".parse().unwrap();
        assert_eq!(both.to_string().parse(), Ok(both));
        for form in AgentSpec::FORMS {
            assert!(form.parse::<AgentSpec>().is_ok(), "{form}");
        }
    }

    #[test]
    fn a_wrong_spec_is_told_with_the_nearest_right_one() {
        for (text, words) in [
            ("minmax", "did you mean 'minimax'?"),
            ("mtcs:simulations=10", "did you mean 'mcts'?"),
            ("stockfish", "expected one of: random, minimax, "),
            (
                "mcts:simulatons=10",
                "'simulatons', did you mean 'simulations'?",
            ),
            ("mcts:simulations=ten", "option 'simulations': "),
            (
                "mcts:simulations=0",
                "option 'simulations': 0 leaves nothing",
            ),
            ("mcts:simulations=-1", "option 'simulations': "),
            (
                "mcts:simulations",
                "'simulations' is no option, expected name=value",
            ),
            ("mcts:c=-1", "option 'c': -1 is out of range"),
            ("mcts:c=nan", "option 'c': NaN is out of range"),
            ("mcts:selection=ucb", "did you mean 'ucb1'?"),
            ("mcts:counts=positions", "expected merge = transpositions"),
            ("mcts:noise_weight=0.2", "expected selection=puct"),
            (
                "mcts:first_play=soon",
                "'soon' is neither a number nor 'infinity'",
            ),
            ("mcts:", "'' is no option"),
            ("alpha-beta:depth=0", "option 'depth': 0 is out of range"),
            ("alpha-beta:dept=3", "did you mean 'depth'?"),
            ("minimax:fist", "did you mean 'first'?"),
            ("minimax:slowestofall", "expected one of: first, fastest"),
            ("random:seed=1", "random has no options"),
            ("run:", "expected one such as run:runs/qtable_o-1"),
            ("run:a,sed=1", "did you mean 'seed'?"),
        ] {
            let error = text.parse::<AgentSpec>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
