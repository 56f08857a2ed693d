//! `mcts:simulations=1000,c=1.4`: Monte Carlo tree search.

use std::sync::Arc;

use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::spec::{Form, Kind};
use super::{Agent, Failure, Player, RunOptions, Stage, Thought, options};
use crate::error::{Error, Invalid, all_within};
use crate::game::{GameInfo, Move, Position, Side};
use crate::rng::LabRng;
use crate::search::mcts::{
    self, Budget, GrowingTree, MAX_SIMULATIONS, MctsConfig, Merge, MoveStatistics, Rollouts,
    Selection, TreeSearch, candidates, dirichlet, random_move,
};
use crate::search::{Learned, Limits, Ties};

/// The form of its spec.
pub const FORM: Form = Form {
    names: &["mcts"],
    examples: &[
        "mcts:simulations=1000",
        "mcts:simulations=1000,evaluation=run:DIRECTORY",
    ],
    plays: "By Monte Carlo tree search, with rollouts or learned values at the leaves.",
    options: || {
        let play = options::defaults::<MctsPlay>();
        [play, options::defaults::<MctsConfig>()].concat()
    },
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
    /// What tells results at the leaves in place of rollouts: `none`, or `run:` and a directory for
    /// values that a training learned.
    pub evaluation: Leaves,
    /// With learned values: the share of leaves that have a rollout all the same, from 0 to 1.
    pub rollout_share: f64,
}

/// What tells results at the leaves of a tree in place of rollouts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(with = "String")]
pub enum Leaves {
    /// Nothing.
    #[default]
    None,
    /// Values that a training learned.
    Run(RunOptions),
}

const NO_VALUES: &str = "none";

impl<'de> Deserialize<'de> for Leaves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = match text.strip_prefix("run:") {
            Some(run) => RunOptions::read(run).map(Leaves::Run),
            None if text == NO_VALUES => Ok(Leaves::None),
            None => Err(format!(
                "'{text}' is no evaluation of leaves, expected {NO_VALUES}, or run: and a directory"
            )),
        };
        read.map_err(serde::de::Error::custom)
    }
}

impl From<Leaves> for String {
    fn from(leaves: Leaves) -> String {
        match leaves {
            Leaves::None => NO_VALUES.to_owned(),
            Leaves::Run(run) => run.text(),
        }
    }
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
            evaluation: Leaves::None,
            rollout_share: 0.0,
        }
    }
}

impl MctsOptions {
    /// Reads the options of a spec, what is behind the colon. Errors: the option that is wrong, and
    /// what was expected.
    pub fn read(rest: Option<&str>) -> Result<MctsOptions, String> {
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
        let options = MctsOptions {
            play: options::from_table(play)?,
            tree: options::from_table(tree)?,
        };
        let checked = options.tree.validate();
        checked
            .and_then(|()| options.play.validate())
            .map_err(|wrong| format!("option '{}': {}", wrong.path, wrong.message))?;
        if options.play.noise_weight > 0.0 && options.tree.selection != Selection::Puct {
            return Err(
                "option 'noise_weight': noise is mixed into prior probabilities, expected \
                 selection=puct with it"
                    .to_owned(),
            );
        }
        let MctsPlay {
            evaluation,
            rollout_share,
            ..
        } = &options.play;
        if *evaluation == Leaves::None && *rollout_share > 0.0 {
            return Err(
                "option 'rollout_share': without learned values all leaves have rollouts, expected \
                 evaluation=run: with it"
                    .to_owned(),
            );
        }
        if *evaluation != Leaves::None && options.tree.rollouts == Rollouts::None {
            return Err(
                "option 'evaluation': a tree that grows to the end of the game has no leaves to \
                 evaluate, expected it without rollouts=none"
                    .to_owned(),
            );
        }
        if options.play.evaluation != Leaves::None && options.tree.merge != Merge::None {
            return Err(
                "option 'evaluation': learned values are for trees that merge no positions, expected \
                 merge=none with it"
                    .to_owned(),
            );
        }
        Ok(options)
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
        let checked = self.tree.check(game);
        checked.map_err(|wrong| format!("option '{}': {}", wrong.path, wrong.message))
    }

    fn has_policy(&self) -> bool {
        false
    }

    fn run(&self) -> Option<&RunOptions> {
        match &self.play.evaluation {
            Leaves::None => None,
            Leaves::Run(run) => Some(run),
        }
    }

    fn depends_on_time(&self) -> bool {
        self.play.milliseconds > 0
    }

    fn memory(&self) -> Option<u64> {
        Some(self.tree.memory)
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let learned = self.run().map(|run| stage.learned(run)).transpose()?;
        let caution = self.tree.caution(stage.game());
        Ok(Arc::new(MctsAgent {
            options: self.clone(),
            tree: None,
            caution: caution.filter(|_| learned.is_none() || self.play.rollout_share > 0.0),
            learned,
        }))
    }
}

/// Searches for each of its moves; from a stored tree on, if it has one.
pub struct MctsAgent {
    options: MctsOptions,
    tree: Option<Arc<dyn GrowingTree>>,
    /// What tells results at the leaves, if it is not rollouts.
    learned: Option<Learned>,
    caution: Option<String>,
}

impl MctsAgent {
    /// An agent whose searches begin with what a tree knows, and go on through a game.
    pub fn on_tree(tree: Arc<dyn GrowingTree>, simulations: u64) -> MctsAgent {
        let play = MctsPlay {
            simulations,
            reuse_tree: true,
            ..MctsPlay::default()
        };
        MctsAgent {
            options: MctsOptions {
                tree: tree.config().clone(),
                play,
            },
            tree: Some(tree),
            learned: None,
            caution: None,
        }
    }

    /// A search from a live position.
    fn search(&self, position: Position, rng: &mut LabRng) -> Box<dyn TreeSearch> {
        let Some(tree) = &self.tree else {
            let config = self.options.tree.clone();
            return match &self.learned {
                None => mcts::search(config, position, rng),
                Some(learned) => {
                    let leaves = (learned, self.options.play.rollout_share);
                    mcts::search_by_values(config, position, leaves, rng)
                }
            };
        };
        let mut search = tree.searcher();
        search.restart(position, rng);
        search
    }
}

impl Agent for MctsAgent {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(MctsPlayer {
            agent: self,
            search: None,
            has_searched: false,
            moves_made: 0,
            simulations: 0,
        })
    }

    fn caution(&self, _: &[Side]) -> Option<String> {
        self.caution.clone()
    }
}

struct MctsPlayer {
    agent: Arc<MctsAgent>,
    search: Option<Box<dyn TreeSearch>>,
    /// Whether the search is one of this game.
    has_searched: bool,
    moves_made: u32,
    simulations: u64,
}

impl Player for MctsPlayer {
    fn start_game(&mut self) {
        self.has_searched = false;
        self.moves_made = 0;
    }

    fn resume_game(&mut self, moves_made: u32) {
        self.moves_made = moves_made;
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        rng: &mut LabRng,
    ) -> Result<Move, Failure> {
        let MctsOptions { tree, play } = &self.agent.options;
        let search = match &mut self.search {
            Some(search) => {
                let goes_on = play.reuse_tree
                    && self.has_searched
                    && way(search.root(), position).is_some_and(|moves| search.advance(&moves));
                if !goes_on {
                    search.restart(position, rng);
                }
                search
            }
            place => place.insert(self.agent.search(position, rng)),
        };
        if play.noise_weight > 0.0 {
            search.set_priors(&noisy_priors(play, position.moves().len(), rng));
        }
        self.simulations += search.search(play.budget(), limits, rng)?;
        let first = play.temperature > 0.0 && self.moves_made < play.temperature_moves;
        let mv = if first {
            draw_by_visits(&search.statistics(), play.temperature, rng)
        } else {
            match tree.ties {
                Ties::First => search.best_moves().get(0),
                Ties::Random => random_move(search.best_moves(), rng),
            }
        };
        self.has_searched = true;
        self.moves_made += 1;
        Ok(mv)
    }

    fn explain(
        &mut self,
        position: Position,
        limits: &Limits,
        mut rng: LabRng,
    ) -> Result<Vec<Thought>, Failure> {
        let MctsOptions { tree, play } = &self.agent.options;
        let moves = match &self.search {
            Some(search) if self.has_searched && search.root() == position => search.statistics(),
            _ => {
                // Apart from the game: to be asked must not change what is played later.
                let mut search = self.agent.search(position, &mut rng);
                search.search(play.budget(), limits, &mut rng)?;
                search.statistics()
            }
        };
        Ok(mcts_thoughts(&moves, tree.draw_value))
    }

    fn simulations(&self) -> u64 {
        self.simulations
    }
}

/// What simulations found of every move.
pub fn mcts_thoughts(moves: &[MoveStatistics], draw_value: f64) -> Vec<Thought> {
    let thought = |mv: &MoveStatistics| Thought {
        visits: Some(mv.visits),
        value: mv.value(draw_value),
        proven: mv.proven(),
        ..Thought::about(mv.mv)
    };
    moves.iter().map(thought).collect()
}

fn noisy_priors(play: &MctsPlay, count: usize, rng: &mut LabRng) -> Vec<f64> {
    let mut noise = vec![0.0; count];
    dirichlet(play.noise_alpha, &mut noise, rng);
    let uniform = 1.0 / count as f64;
    for share in &mut noise {
        *share = (1.0 - play.noise_weight) * uniform + play.noise_weight * *share;
    }
    noise
}

/// The one or two moves that lead from one position to another; none if that is the
/// same one.
fn way(from: Position, to: Position) -> Option<Vec<Move>> {
    if from == to {
        return Some(Vec::new());
    }
    for first in from.moves() {
        let next = from.play_unchecked(first);
        if next == to {
            return Some(vec![first]);
        }
        let second = next.moves().find(|&mv| next.play_unchecked(mv) == to);
        if let Some(second) = second {
            return Some(vec![first, second]);
        }
    }
    None
}

/// A move drawn with a probability proportional to visits^(1/τ), among those that are
/// not proven to be worse than another one; symmetric moves that share their visits
/// share the probability.
fn draw_by_visits(moves: &[MoveStatistics], temperature: f64, rng: &mut LabRng) -> Move {
    let moves: Vec<&MoveStatistics> = candidates(moves).collect();
    let most = moves.iter().map(|mv| mv.visits).max().unwrap_or(0).max(1) as f64;
    let weight = |mv: &MoveStatistics| {
        libm::pow(mv.visits as f64 / most, 1.0 / temperature) / f64::from(mv.shared_by)
    };
    let sum: f64 = moves.iter().map(|mv| weight(mv)).sum();
    let mut point = rng.random::<f64>() * sum;
    for mv in &moves {
        point -= weight(mv);
        if point < 0.0 {
            return mv.mv;
        }
    }
    moves[moves.len() - 1].mv
}
