//! Deep Q-learning: Q-learning with a neural network in place of the table (Mnih et al., *Human-level
//! control through deep reinforcement learning*, Nature 518, 2015), also double (van Hasselt, Guez &
//! Silver 2016).
//!
//! The network gives a value Q(s,·;θ) for every move of a position as the side to move sees it. A side
//! makes the moves a₀, a₁, … in the positions s₀, s₁, … of an episode, in the end it gets the reward R.
//! For each of them the network takes a step that lessens ½ (t − Q(s_i,a_i;θ))², where
//!
//! ```text
//! t = R                                                            after the last move
//! t = γ · max Q(s_(i+1),·;θ⁻)                                      else
//! t = γ · Q(s_(i+1), argmax Q(s_(i+1),·;θ); θ⁻)                    else, double
//! ```
//!
//! θ⁻ are the parameters as they were at the last refresh. Without replay the moves of an episode are
//! learned from one by one after it, last to first. With replay (Lin 1992) they go into a buffer of the
//! latest moves, and every so many moves there is one step for a batch that is drawn from it.
//!
//! Deviations from the article: steps are made after an episode, not during it; θ⁻ is refreshed by
//! episodes; errors are not clipped. The network of an untrained learner has no parameters yet, they are
//! drawn when the first episode begins; until then all moves are worth the same.
//!
//! The table of [`Control`] is an image of the network: what is chosen from is written into it before the
//! choice, and everything at the end of a training.

mod memory;

use std::ops::Range;
use std::sync::Arc;

use rand::distr::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::memory::{Design, Experience, Memories, highest};
use super::control::{Control, Method, Taken};
use super::exploration::Explore;
use super::lesson::Lesson;
use super::recorder::{Choice, Recorder};
use super::schedule::{Share, by_episode_schema};
use super::tabular::{Tabular, Target};
use super::{Exploration, Frame, Rewards, Schedule, Settings, Setup, Task};
use crate::error::{Invalid, all_within, whole, within};
use crate::game::Move;
use crate::rng::below;
use crate::search::Ties;
use crate::value::{Activation, Encoding, Initialization, Optimizer, TableKind, check_network};

/// Every choice that deep Q-learning leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeepQConfig {
    /// What the network is told of a position.
    pub input: Encoding,
    /// Units of each hidden layer, 1 to 1024; at most 4 layers.
    pub hidden: Vec<u64>,
    /// What hidden units do.
    pub activation: HiddenUnits,
    /// What outputs do; rewards are to lie where they reach.
    pub output: OutputUnits,
    /// What parameters are at first.
    pub initialization: Initialization,
    /// How a step is made of a gradient.
    pub optimizer: Optimizer,
    /// μ, the momentum of `sgd`; in [0, 0.999].
    #[schemars(range(min = 0.0, max = 0.999))]
    pub momentum: f64,
    /// α, the step size; in [0, 1].
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Schedule, f64>")]
    #[schemars(schema_with = "by_episode_schema::<Share>")]
    pub learning_rate: Schedule,
    /// Former moves to learn from.
    pub replay: Replay,
    /// After how many episodes θ⁻ is refreshed; 0 for never, so that θ takes its place.
    pub target_period: u64,
    /// Whether θ chooses the move that θ⁻ judges (van Hasselt, Guez & Silver 2016).
    pub double: bool,
    /// What becomes of moves that are not legal.
    pub illegal: IllegalMoves,
    /// Whether each sample is shown as one of its symmetric images, drawn at random.
    pub augment: bool,
    /// γ, what a reward one own move later is worth now; in [0, 1].
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f64,
    /// How moves are chosen in training; a number is ε.
    #[serde(deserialize_with = "crate::form::plain_or_table::<_, Exploration, f64>")]
    #[schemars(schema_with = "crate::form::plain_or_table_schema::<Exploration, Share>")]
    pub exploration: Exploration,
    /// How greedy moves are chosen among equals, in training and evaluation.
    pub ties: Ties,
    /// What the end of an episode is worth.
    pub rewards: Rewards,
}

/// What hidden units do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HiddenUnits {
    /// max(0, x).
    Relu,
    /// tanh x.
    Tanh,
}

/// What outputs do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutputUnits {
    /// x; rewards are from −1000 to 1000.
    Linear,
    /// tanh x; rewards are from −1 to 1.
    Tanh,
    /// 1 / (1 + e^(−x)); rewards are from 0 to 1.
    Sigmoid,
}

/// Former moves to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Replay {
    /// How many of the latest moves are kept; 0 for none: an episode is then learned from move by move.
    #[schemars(range(max = MOST_KEPT))]
    pub size: u64,
    /// How many of them are drawn for a step.
    #[schemars(range(min = 1, max = MOST_KEPT))]
    pub batch: u64,
    /// One step for so many moves; at least 1.
    #[schemars(range(min = 1))]
    pub every: u64,
}

/// The most moves that are kept.
const MOST_KEPT: u64 = 1_000_000;

/// What becomes of moves that are not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalMoves {
    /// They are no moves: never chosen, not in any maximum, and not learned of.
    Masked,
    /// In training they are chosen like others, and lose at once. Every step also moves the values of
    /// those of its position towards the reward of a loss, and they are in all maxima.
    Lose,
}

impl Default for Replay {
    fn default() -> Self {
        Replay {
            size: 10_000,
            batch: 32,
            every: 1,
        }
    }
}

impl Default for DeepQConfig {
    fn default() -> Self {
        let Tabular {
            discount,
            exploration,
            ties,
            rewards,
            ..
        } = Tabular::default();
        DeepQConfig {
            input: Encoding::Planes,
            hidden: vec![64, 64],
            activation: HiddenUnits::Relu,
            output: OutputUnits::Linear,
            initialization: Initialization::He,
            optimizer: Optimizer::Adam,
            momentum: 0.0,
            learning_rate: Schedule::from(0.001),
            replay: Replay::default(),
            target_period: 100,
            double: false,
            illegal: IllegalMoves::Masked,
            augment: false,
            discount,
            exploration,
            ties,
            rewards,
        }
    }
}

impl HiddenUnits {
    pub(super) fn activation(self) -> Activation {
        match self {
            HiddenUnits::Relu => Activation::Relu,
            HiddenUnits::Tanh => Activation::Tanh,
        }
    }
}

impl OutputUnits {
    fn activation(self) -> Activation {
        match self {
            OutputUnits::Linear => Activation::Linear,
            OutputUnits::Tanh => Activation::Tanh,
            OutputUnits::Sigmoid => Activation::Sigmoid,
        }
    }

    /// Where rewards lie.
    fn range(self) -> [f64; 2] {
        match self {
            OutputUnits::Linear => [-1000.0, 1000.0],
            OutputUnits::Tanh => [-1.0, 1.0],
            OutputUnits::Sigmoid => [0.0, 1.0],
        }
    }
}

impl DeepQConfig {
    /// The table that is the network's image.
    fn tabular(&self) -> Tabular {
        Tabular {
            learner: "deep-q",
            table: TableKind::StateAction,
            fold_symmetries: false,
            discount: self.discount,
            initial_value: 0.0,
            learning_rate: self.learning_rate.clone(),
            exploration: self.exploration.clone(),
            ties: self.ties,
            rewards: self.rewards,
        }
    }

    fn check_outputs(&self) -> Result<(), Invalid> {
        let [low, high] = self.output.range();
        let Rewards { win, draw, loss } = self.rewards;
        let rewards = [("win", win), ("draw", draw), ("loss", loss)];
        all_within(rewards.map(|(key, reward)| (key, reward, low, high))).map_err(|wrong| {
            let message = format!("{}, as far as the outputs reach", wrong.message);
            Invalid::new(&format!("rewards.{}", wrong.path), message)
        })
    }

    fn check_training(&self) -> Result<(), Invalid> {
        if self.double && self.target_period == 0 {
            let message =
                "0 leaves nobody to judge what double Q-learning chooses, expected at least 1";
            return Err(Invalid::new("target_period", message));
        }
        if let (IllegalMoves::Lose, Exploration::Softmax(_)) = (self.illegal, &self.exploration) {
            let message =
                "softmax draws among legal moves, expected epsilon-greedy with illegal = \"lose\"";
            return Err(Invalid::new("exploration", message));
        }
        self.learning_rate
            .validate(|rate| within(rate, 0.0, 1.0))
            .map_err(|message| Invalid::new("learning_rate", message))?;
        let Replay { size, batch, every } = self.replay;
        whole("replay.size", size, 0, MOST_KEPT)?;
        whole("replay.every", every, 1, u64::MAX)?;
        match size {
            0 => Ok(()),
            size => whole("replay.batch", batch, 1, size),
        }
    }
}

impl Settings for DeepQConfig {
    fn check(&self, frame: &Frame) -> Result<(), Invalid> {
        self.tabular().check(frame)?;
        check_network(&self.hidden, self.optimizer, self.momentum)
            .and_then(|()| self.check_outputs())
            .and_then(|()| self.check_training())
            .map_err(|wrong| wrong.below("learner.deep-q"))
    }

    fn setup(&self, task: Task) -> Arc<dyn Setup> {
        let solved = task
            .solved
            .as_deref()
            .expect("the game's positions are listed");
        let design = Design::new(self.clone(), &solved.graph);
        Arc::new(Control::<DeepQ>::new(task, self.tabular(), design))
    }
}

/// A side's moves in the episode in progress.
#[derive(Clone, Default)]
struct DeepQ {
    moves: Vec<Made>,
}

/// A move, or what was taken for one.
#[derive(Clone, Copy)]
struct Made {
    position: usize,
    output: usize,
    /// `None` for a move that is not legal.
    edge: Option<usize>,
}

impl Method for DeepQ {
    type Options = Design;
    type Memory = Memories;

    fn target(_: &Design) -> Target {
        Target::Greedy
    }

    fn has_true_values(design: &Design, is_self_play: bool) -> bool {
        design.config.illegal == IllegalMoves::Masked || !is_self_play
    }

    fn arrive(
        &mut self,
        lesson: &mut Lesson<Self, impl Recorder>,
        edges: Range<usize>,
    ) -> Option<f64> {
        let (space, design) = (&lesson.control.space, &lesson.control.options);
        let memory = &mut lesson.known.memory;
        memory.begin(design, lesson.episode, &mut lesson.rng);
        let position = position_of(lesson, &edges);
        let memory = &mut lesson.known.memory;
        Some(memory.show(space, design, position, &mut lesson.known.values))
    }

    fn choose(
        &mut self,
        lesson: &mut Lesson<Self, impl Recorder>,
        edges: Range<usize>,
        best: Option<f64>,
    ) -> Result<(usize, Choice), Move> {
        let design = &lesson.control.options;
        if design.config.illegal == IllegalMoves::Masked {
            return Ok(lesson.choose(edges, best));
        }
        let explores = match lesson.known.explore {
            Explore::EpsilonGreedy(explores) => explores.sample(&mut lesson.rng),
            Explore::Softmax(_) => false,
        };
        let (output, choice) = match explores {
            true => (
                below(design.outputs as u32, &mut lesson.rng) as usize,
                Choice::Explored,
            ),
            false => (highest_shown(lesson), Choice::Greedy),
        };
        let graph = lesson.control.space.graph();
        let mv = Move::new(output);
        let position = position_of(lesson, &edges);
        match edges.clone().find(|&edge| graph.mv(edge) == mv) {
            Some(edge) => Ok((edge, choice)),
            None => {
                self.moves.push(Made {
                    position,
                    output,
                    edge: None,
                });
                Err(mv)
            }
        }
    }

    fn act(&mut self, lesson: &mut Lesson<Self, impl Recorder>, taken: Taken) {
        self.moves.push(Made {
            position: position_of(lesson, &taken.edges),
            output: lesson.control.space.graph().mv(taken.edge).index(),
            edge: Some(taken.edge),
        });
    }

    fn end(&mut self, lesson: &mut Lesson<Self, impl Recorder>, reward: f64) {
        let mut next = None;
        let mut latest = Vec::new();
        let replays = lesson.control.options.config.replay.size > 0;
        while let Some(made) = self.moves.pop() {
            let experience = Experience {
                position: made.position,
                output: made.output,
                edge: made.edge,
                reward: if next.is_none() { reward } else { 0.0 },
                next,
            };
            next = Some(made.position);
            match replays {
                true => latest.push(experience),
                false => learn(lesson, &[experience]),
            }
        }
        let mut drawn = Vec::new();
        for experience in latest.into_iter().rev() {
            let design = &lesson.control.options;
            let memory = &mut lesson.known.memory;
            if memory.keep(design, experience) {
                memory.draw(design, &mut lesson.rng, &mut drawn);
                learn(lesson, &drawn);
            }
        }
    }
}

/// The highest output for the position that was shown last, of equals as the config says.
fn highest_shown(lesson: &mut Lesson<DeepQ, impl Recorder>) -> usize {
    let shown = lesson.known.memory.shown();
    let (first, value) = highest(shown, u64::MAX);
    let equals = || (0..shown.len()).filter(|&output| shown[output] == value);
    match (lesson.control.space.ties, equals().count()) {
        (Ties::First, _) | (_, ..=1) => first,
        (Ties::Random, count) => {
            let drawn = below(count as u32, &mut lesson.rng) as usize;
            equals().nth(drawn).unwrap_or(first)
        }
    }
}

/// The position in which these are the moves.
fn position_of(lesson: &Lesson<DeepQ, impl Recorder>, edges: &Range<usize>) -> usize {
    let layout = &lesson.control.space.layout;
    layout.state(layout.entry(edges.start))
}

/// Makes one step for these moves, and counts an update of each.
fn learn(lesson: &mut Lesson<DeepQ, impl Recorder>, samples: &[Experience]) {
    let control = lesson.control;
    let (design, graph) = (&control.options, control.space.graph());
    let step_size = lesson.known.step_size;
    let memory = &mut lesson.known.memory;
    memory.learn(design, samples, step_size, &mut lesson.rng);
    for (i, sample) in samples.iter().enumerate() {
        let Some(edge) = sample.edge else {
            continue;
        };
        lesson.side = graph.to_move(sample.position);
        let memory = &mut lesson.known.memory;
        let (old, target) = memory.learned(design, i);
        let new = match lesson.recorder.watches() {
            true => memory.now(design, i),
            false => old,
        };
        let step_size = lesson.visit(edge);
        lesson.note_kept(edge, old, new, target, step_size);
    }
}
