//! The texts that name agents.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kinds::{self, AlphaBetaOptions, Evaluation, MctsOptions, MinimaxOptions, RunOptions};
use super::options;
use crate::game::GameInfo;
use crate::text;

/// A player, as named in configs and on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum AgentSpec {
    /// `random`: every legal move with the same probability.
    Random,
    /// `minimax`, `minimax:first`, `minimax:fastest,nodes=1000000`: perfect play, as far
    /// as it is in reach.
    Minimax(MinimaxOptions),
    /// `block-or-random`: answers the opponent's threats, any of them with the same
    /// probability; plays any other move at random and never looks for a win.
    BlockOrRandom,
    /// `greedy`: the move after which the position looks best; `weighted` and
    /// `standard-weights` by those evaluations.
    Greedy(Evaluation),
    /// `alpha-beta:depth=3`: the best score within so many plies.
    AlphaBeta(AlphaBetaOptions),
    /// `mcts:simulations=1000,c=1.4`: Monte Carlo tree search.
    Mcts(Box<MctsOptions>),
    /// `run:runs/qtable_o-1`: what a training learned.
    Run(RunOptions),
}

impl AgentSpec {
    /// The forms that a spec may have.
    pub const FORMS: [&str; 11] = [
        "random",
        "minimax",
        "minimax:first",
        "minimax:fastest",
        "block-or-random",
        "greedy",
        "weighted",
        "standard-weights",
        "alpha-beta:depth=4",
        "mcts:simulations=1000",
        "run:DIRECTORY",
    ];

    /// Whether the rules alone tell the probability of each of its moves in every
    /// position, as training and exact evaluation need it.
    pub fn has_policy(&self) -> bool {
        !matches!(self, AgentSpec::Mcts(_) | AgentSpec::Run(_))
    }

    /// Whether the agent can play this game.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    pub fn check(&self, info: &GameInfo) -> Result<(), String> {
        match self {
            AgentSpec::Greedy(evaluation)
            | AgentSpec::AlphaBeta(AlphaBetaOptions { evaluation, .. }) => {
                evaluation.on(info).map(|_| ())
            }
            _ => Ok(()),
        }
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
            AgentSpec::Minimax(MinimaxOptions { choice, search }) => {
                let mut all: Vec<String> = choice.word().map(str::to_owned).into_iter().collect();
                all.extend(options::changed(search));
                with("minimax", all)
            }
            AgentSpec::Greedy(evaluation) if *evaluation == Evaluation::default() => {
                "greedy".to_owned()
            }
            AgentSpec::Greedy(evaluation) => evaluation.name().to_owned(),
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
                all.extend(run.changed());
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
            ("greedy", None) => Ok(AgentSpec::Greedy(Evaluation::default())),
            ("weighted" | "standard-weights", None) => Evaluation::try_from(name.to_owned())
                .map(AgentSpec::Greedy)
                .map_err(bad),
            ("minimax", rest) => kinds::minimax(rest).map(AgentSpec::Minimax).map_err(bad),
            ("alpha-beta", rest) => kinds::alpha_beta(rest)
                .map(AgentSpec::AlphaBeta)
                .map_err(bad),
            ("mcts", rest) => {
                let options = kinds::mcts(rest).map_err(bad)?;
                Ok(AgentSpec::Mcts(Box::new(options)))
            }
            ("run", Some(rest)) if !rest.is_empty() => {
                kinds::run(rest).map(AgentSpec::Run).map_err(bad)
            }
            ("run", _) => Err(bad(
                "no directory, expected one such as run:runs/qtable_o-1".to_owned(),
            )),
            (
                "random" | "block-or-random" | "greedy" | "weighted" | "standard-weights",
                Some(_),
            ) => Err(bad(format!("{name} has no options, expected '{name}'"))),
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
            "minimax:nodes=1000000",
            "minimax:first,depth=3,empties=10",
            "block-or-random",
            "greedy",
            "weighted",
            "standard-weights",
            "alpha-beta",
            "alpha-beta:depth=3",
            "alpha-beta:depth=3,leaf=last-gain",
            "alpha-beta:evaluation=weighted",
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
            (
                "minimax:slowestofall",
                "expected one of: first, fastest, nodes=N",
            ),
            ("minimax:node=3", "did you mean 'nodes'?"),
            ("minimax:first,dept=3", "did you mean 'depth'?"),
            ("minimax:depth=0", "option 'depth': 0 is out of range"),
            ("alpha-beta:evaluation=weigted", "did you mean 'weighted'?"),
            (
                "alpha-beta:leaf=gain",
                "'gain', expected one of: position, last-gain",
            ),
            ("gredy", "did you mean 'greedy'?"),
            ("greedy:depth=2", "greedy has no options"),
            ("random:seed=1", "random has no options"),
            ("run:", "expected one such as run:runs/qtable_o-1"),
            ("run:a,sed=1", "did you mean 'seed'?"),
        ] {
            let error = text.parse::<AgentSpec>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
