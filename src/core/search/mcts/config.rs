//! The options of Monte Carlo tree search, and their checks.

use schemars::{JsonSchema, json_schema};
use serde::{Deserialize, Serialize};

use crate::error::{Invalid, LARGEST, all_within};
use crate::game::GameInfo;
use crate::search::Ties;

/// The largest memory limit of a tree, in MiB: a TiB.
const MOST_MEMORY: u64 = 1 << 20;

/// Every choice that Monte Carlo tree search leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MctsConfig {
    /// How a simulation chooses among the moves that it knows.
    pub selection: Selection,
    /// The exploration constant of `ucb1`, `ucb1-tuned` and `puct`; at least 0.
    pub c: f64,
    /// What a move is worth to the selection before its first visit, in place of the formula, or for `puct` in place
    /// of q alone: `infinity`, so that every move is tried once first, or a number (first-play urgency, Gelly & Wang
    /// 2006).
    pub first_play: FirstPlay,
    /// How a simulation goes on where the tree ends.
    pub rollouts: Rollouts,
    /// What a draw is worth to either side, from 0, a loss, to 1, a win.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub draw_value: f64,
    /// Whether proven values are kept and used (MCTS-Solver, Winands et al. 2008,
    /// with bounds for draws, Cazenave & Saffidine 2010).
    pub solver: bool,
    /// Which positions share their statistics. A learner's tree has `transpositions` by default and cannot have
    /// `none`.
    // The schema is for configs, which only have learners' trees.
    #[schemars(extend("default" = "transpositions"))]
    pub merge: Merge,
    /// What the exploration term counts; for merged positions.
    pub counts: Counts,
    /// Which of equally good moves a simulation takes, and in the end the player:
    /// `random`, in an order that is drawn for every position, or the `first` on the
    /// board.
    pub ties: Ties,
    /// Which move is best in the end.
    pub final_move: FinalMove,
    /// The most memory that the tree may take, in MiB; simulations go on without
    /// new positions once it is full. A training that keeps its best tree has two of
    /// them, and each player who searches on in a learned tree has a copy.
    #[schemars(range(min = 1, max = MOST_MEMORY))]
    pub memory: u64,
}

impl MctsConfig {
    /// Checks what the types do not enforce. Errors: the key that is wrong.
    pub fn validate(&self) -> Result<(), Invalid> {
        all_within([
            ("c", self.c, 0.0, LARGEST),
            ("draw_value", self.draw_value, 0.0, 1.0),
            ("memory", self.memory as f64, 1.0, MOST_MEMORY as f64),
        ])?;
        if self.counts == Counts::Positions && self.merge == Merge::None {
            let message = "positions are counted where they are merged, expected merge = \
                           transpositions or symmetries";
            return Err(Invalid::new("counts", message));
        }
        Ok(())
    }

    /// Checks that the options suit a game. Errors: [`Invalid`], with the name of the option.
    pub fn check(&self, game: &GameInfo) -> Result<(), Invalid> {
        if self.rollouts != Rollouts::BlockOrRandom {
            return Ok(());
        }
        let random = |why| format!("{why}; expected random or none instead");
        let checked = game.check_threats();
        checked.map_err(|why| Invalid::new("rollouts", random(why)))
    }

    /// A sentence about options that have no effect in a game, if there are any.
    pub fn caution(&self, game: &GameInfo) -> Option<String> {
        let is_random = self.rollouts == Rollouts::Decisive && !game.has_threats;
        let random = is_random.then(|| {
            format!(
                "the rollouts of mcts are random: {} has no threats to be decisive about",
                game.name
            )
        });
        let is_idle = self.selection == Selection::Thompson && self.c != MctsConfig::default().c;
        let idle = is_idle
            .then(|| "c has no effect on selection by thompson, which takes samples".to_owned());
        let all: Vec<String> = random.into_iter().chain(idle).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

impl Default for MctsConfig {
    fn default() -> Self {
        MctsConfig {
            selection: Selection::Ucb1,
            c: 1.4,
            first_play: FirstPlay::Infinity,
            rollouts: Rollouts::Decisive,
            draw_value: 0.5,
            solver: true,
            merge: Merge::None,
            counts: Counts::Moves,
            ties: Ties::Random,
            final_move: FinalMove::MostVisits,
            memory: 1024,
        }
    }
}

/// How a simulation chooses among the moves that it knows; with the mean value q
/// of a move to the side that makes it, its visits n, and the visits N of the
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The highest q + c √(ln N / n) (UCT, Kocsis & Szepesvári 2006; UCB1,
    /// Auer et al. 2002, has c = √2).
    Ucb1,
    /// The highest q + c √(ln N / n · min(¼, v + √(2 ln N / n))) with the
    /// variance v of the move's results (Auer et al. 2002, c = 1).
    Ucb1Tuned,
    /// The highest q + c p √N / (1 + n) with the prior probability p, the same
    /// for every move (Silver et al. 2017).
    Puct,
    /// The highest of samples from the beta distribution with parameters 1 + the
    /// sum of the results and 1 + n − that sum (Thompson 1933).
    Thompson,
}

/// What a move is worth to the selection before its first visit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "NumberOrWord", into = "NumberOrWord")]
pub enum FirstPlay {
    /// More than any other value.
    Infinity,
    /// This number.
    Value(f64),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum NumberOrWord {
    Number(f64),
    Word(String),
}

const INFINITY: &str = "infinity";

impl TryFrom<NumberOrWord> for FirstPlay {
    type Error = String;

    fn try_from(value: NumberOrWord) -> Result<Self, String> {
        match value {
            NumberOrWord::Number(value) if value.is_finite() => Ok(FirstPlay::Value(value)),
            NumberOrWord::Word(word) if word == INFINITY => Ok(FirstPlay::Infinity),
            NumberOrWord::Number(value) => Err(format!(
                "{value} is not a finite number, expected one, or '{INFINITY}'"
            )),
            NumberOrWord::Word(word) => {
                Err(format!("'{word}' is neither a number nor '{INFINITY}'"))
            }
        }
    }
}

impl From<FirstPlay> for NumberOrWord {
    fn from(first_play: FirstPlay) -> NumberOrWord {
        match first_play {
            FirstPlay::Infinity => NumberOrWord::Word(INFINITY.to_owned()),
            FirstPlay::Value(value) => NumberOrWord::Number(value),
        }
    }
}

impl JsonSchema for FirstPlay {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FirstPlay".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        json_schema!({ "anyOf": [{ "type": "number" }, { "type": "string", "const": INFINITY }] })
    }
}

/// How a simulation goes on where the tree ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rollouts {
    /// Random moves to the end of the game.
    Random,
    /// Wins are taken, then threats answered, else the moves are random (decisive
    /// and anti-decisive moves, Teytaud & Teytaud 2010).
    Decisive,
    /// Threats are answered, else the moves are random; wins are not looked for.
    BlockOrRandom,
    /// None: the simulation goes on by selection to the end of the game, and
    /// every position on its way is kept. Once memory is full, random moves.
    None,
}

/// Which positions share their statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Merge {
    /// None: a position has statistics for every way that leads to it.
    None,
    /// Equal ones.
    Transpositions,
    /// Those that a symmetry of the board makes equal.
    Symmetries,
}

/// What the exploration term counts where positions are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// n is how often the move was made in this position, N how often the
    /// position was visited.
    Moves,
    /// n is how often the position after the move was visited, by whatever way, N
    /// the sum of the visits of all positions known to lead there.
    Positions,
}

/// Which move is best in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FinalMove {
    /// The one with the most visits.
    MostVisits,
    /// The one with the highest value.
    HighestValue,
    /// The one that has both; the search goes on for up to half of its budget until
    /// there is one, else the one with the most visits (Chaslot et al. 2008).
    RobustMax,
}
