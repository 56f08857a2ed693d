//! The options of an agent that searches by simulations.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::MctsAgent;
use crate::agent::run::{BEST, EvaluationSpec, FIRST};
use crate::agent::spec::{Kind, SpecForm};
use crate::agent::{Agent, RunOptions, Stage, options};
use crate::error::{Error, Invalid, all_within};
use crate::game::GameInfo;
use crate::search::Learned;
use crate::search::mcts::{Budget, MAX_SIMULATIONS, MctsConfig, Merge, Rollouts, Selection};
use crate::value::{PATTERNS, own_values};

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["mcts"],
    examples: &[
        "mcts:simulations=1000",
        "mcts:simulations=1000,evaluation=run:RUN",
    ],
    plays: "By Monte Carlo tree search, with rollouts or learned values at the leaves.",
    subject: None,
    options: || {
        let play = options::defaults::<MctsPlay>();
        [play, options::defaults::<MctsConfig>()].concat()
    },
    menu: &[(50, "mcts:simulations=200"), (51, "mcts:simulations=2000")],
    opponent: Some("mcts:simulations=200"),
    read: |_, rest| MctsOptions::read(rest).map(|options| Arc::new(options) as Arc<dyn Kind>),
};

/// The options: those of the search, and those of its use in play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MctsOptions {
    /// How to search.
    pub tree: MctsConfig,
    /// How to play.
    pub play: MctsPlay,
}

/// How Monte Carlo tree search is used in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MctsPlay {
    /// Simulations for a move; 0 for as many as the time allows.
    #[schemars(range(max = MAX_SIMULATIONS))]
    pub simulations: u64,
    /// Milliseconds for a move, the whole budget if no simulations are given; 0 for as many as the simulations take.
    pub milliseconds: u64,
    /// Whether the tree is kept from one move of a game to the next.
    pub reuse_tree: bool,
    /// The share of Dirichlet noise in the root's prior probabilities, from 0 to 1;
    /// for `puct` (Silver et al. 2018).
    pub noise_weight: f64,
    /// The parameter α of the Dirichlet noise; above 0.
    pub noise_alpha: f64,
    /// τ: the first moves are drawn with probabilities proportional to
    /// visits^(1/τ); 0 for the best move at once.
    pub temperature: f64,
    /// How many of the agent's first moves in a game are drawn by `temperature`.
    pub temperature_moves: u32,
    /// What gives the results at the leaves in place of rollouts: `none`, `patterns` in Othello for weights that were
    /// fitted to the scores of endgames, or `run:` and a run for values that a run learned.
    #[serde(deserialize_with = "leaves")]
    #[schemars(with = "String")]
    pub evaluation: EvaluationSpec,
    /// With an evaluation: the share of leaves that still have a rollout, from 0 to 1.
    pub rollout_share: f64,
    /// With `evaluation=run:`, which of a seed's checkpoints: `best`, `last`, or an epoch.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    pub checkpoint: String,
    /// With `evaluation=run:`, which seed: `first` for the first of the run, or a number.
    #[serde(deserialize_with = "options::word")]
    #[schemars(with = "serde_json::Value")]
    pub seed: String,
}

const NO_VALUES: &str = "none";

fn leaves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EvaluationSpec, D::Error> {
    EvaluationSpec::read(deserializer, |text| {
        let found = [NO_VALUES, PATTERNS].into_iter().find(|name| *name == text);
        found.ok_or_else(|| {
            format!(
                "'{text}' is not an evaluation of leaves, expected {NO_VALUES}, {PATTERNS}, or run:RUN"
            )
        })
    })
}

impl MctsPlay {
    /// How long the search for a move may take.
    pub fn budget(&self) -> Budget {
        Budget {
            simulations: self.simulations,
            milliseconds: self.milliseconds,
        }
    }

    /// Checks what the types leave open. Errors: [`Invalid`], with the name of the option.
    fn validate(&self) -> Result<(), Invalid> {
        if self.simulations == 0 && self.milliseconds == 0 {
            let message = "0 leaves nothing to do, expected at least 1";
            return Err(Invalid::new("simulations", message));
        }
        all_within([
            ("noise_weight", self.noise_weight, 0.0, 1.0),
            ("noise_alpha", self.noise_alpha, 1e-3, 1e6),
            ("temperature", self.temperature, 0.0, 1e6),
            ("rollout_share", self.rollout_share, 0.0, 1.0),
        ])
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
            evaluation: EvaluationSpec::Named(NO_VALUES),
            rollout_share: 0.0,
            checkpoint: BEST.to_owned(),
            seed: FIRST.to_owned(),
        }
    }
}

impl MctsOptions {
    /// Reads the options of a spec, the part after the colon. Errors: the option that is wrong, and
    /// what was expected.
    pub fn read(rest: Option<&str>) -> Result<MctsOptions, String> {
        let default = MctsOptions::default();
        let mut parts = [options::table(&default.play), options::table(&default.tree)];
        if let Some(rest) = rest {
            options::read(rest, &mut parts)?;
        }
        let [play, tree] = parts;
        let mut options = MctsOptions {
            play: options::from_table(play)?,
            tree: options::from_table(tree)?,
        };
        let play = &mut options.play;
        let mut given = rest.unwrap_or_default().split(',').map(str::trim);
        if play.milliseconds > 0 && !given.any(|option| option.starts_with("simulations=")) {
            // A budget of time alone.
            play.simulations = 0;
        }
        play.evaluation.choose(&play.checkpoint, &play.seed)?;
        options.tree.validate().map_err(options::wrong)?;
        options.play.validate().map_err(options::wrong)?;
        let MctsOptions { tree, play } = &options;
        let evaluates = play.evaluation != EvaluationSpec::Named(NO_VALUES);
        let wrong = [
            (
                play.noise_weight > 0.0 && tree.selection != Selection::Puct,
                "option 'noise_weight': noise is mixed into prior probabilities, expected \
                 selection=puct with it",
            ),
            (
                play.rollout_share > 0.0 && !evaluates,
                "option 'rollout_share': without an evaluation all leaves have rollouts, expected \
                 evaluation=run: with it, or evaluation=patterns in Othello",
            ),
            (
                evaluates && tree.rollouts == Rollouts::None,
                "option 'evaluation': a tree that grows to the end of the game has no leaves to \
                 evaluate, expected it without rollouts=none",
            ),
            (
                evaluates && tree.merge != Merge::None,
                "option 'evaluation': values at the leaves are for trees that merge no positions, expected \
                 merge=none with it",
            ),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, why)) => Err(why.to_owned()),
            None => Ok(options),
        }
    }
}

impl Kind for MctsOptions {
    fn text(&self) -> String {
        let mut all = options::changed(&self.play);
        let simulations = format!("simulations={}", self.play.simulations);
        if self.play.milliseconds > 0 && !all.contains(&simulations) {
            // Without it a time would be taken for the whole budget.
            all.push(simulations);
        }
        all.extend(options::changed(&self.tree));
        options::written("mcts", all)
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        if self.play.evaluation == EvaluationSpec::Named(PATTERNS)
            && own_values(PATTERNS, game).is_none()
        {
            return Err(format!(
                "option 'evaluation': {} has no {PATTERNS}, expected {NO_VALUES}, or run:RUN",
                game.name
            ));
        }
        self.tree.check(game).map_err(options::wrong)
    }

    fn has_policy(&self) -> bool {
        false
    }

    fn run(&self) -> Option<&RunOptions> {
        self.play.evaluation.run()
    }

    fn depends_on_time(&self) -> bool {
        self.play.milliseconds > 0
    }

    fn memory(&self) -> Option<u64> {
        Some(self.tree.memory)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let learned = match &self.play.evaluation {
            EvaluationSpec::Named(name) => own_values(name, stage.game()).map(Learned::of_both),
            EvaluationSpec::Run(run) => Some(stage.learned(run)?),
        };
        let caution = self.tree.caution(stage.game());
        Ok(Arc::new(MctsAgent {
            options: self.clone(),
            tree: None,
            caution: caution.filter(|_| learned.is_none() || self.play.rollout_share > 0.0),
            learned,
        }))
    }
}
