//! Monte Carlo tree search as a learner: one tree that grows from epoch to epoch.

use crate::game::{Game, GameInfo, GameVisitor, Move, Side, Value, with_game};
use crate::graph::{GameGraph, Policy};
use crate::rng::LabRng;
use crate::search::Ties;
use crate::search::mcts::{Edge, MctsConfig, Merged, MoveStatistics, Node, best_moves, bounds};

/// What the seeds of a run share of Monte Carlo tree search.
pub struct MctsLearning<'a> {
    graph: &'a GameGraph,
    config: MctsConfig,
    sides: Vec<Side>,
}

impl<'a> MctsLearning<'a> {
    /// Prepares learning on `graph` for these sides.
    ///
    /// # Panics
    ///
    /// If the config does not merge positions: what is learned is a policy on
    /// positions.
    pub fn new(graph: &'a GameGraph, config: MctsConfig, sides: Vec<Side>) -> MctsLearning<'a> {
        assert!(
            config.merge != crate::search::mcts::Merge::None,
            "a learner merges positions"
        );
        MctsLearning {
            graph,
            config,
            sides,
        }
    }

    /// The game.
    pub fn graph(&self) -> &'a GameGraph {
        self.graph
    }

    /// The choices.
    pub fn config(&self) -> &MctsConfig {
        &self.config
    }

    /// The sides whose play is of interest.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }
}

/// One seed's tree, which grows from the start of the game. An episode is a
/// simulation; once the start's value is proven there is nothing left to do.
pub struct MctsLearner<'a> {
    setup: &'a MctsLearning<'a>,
    tree: Box<dyn Tree>,
    rng: LabRng,
    episodes: u64,
}

/// A tree without the type of its game.
trait Tree: Send {
    /// Makes so many simulations, or fewer if the root gets solved; returns how many.
    fn grow(&mut self, simulations: u64, rng: &mut LabRng) -> u64;

    /// Whether the root's value is proven.
    fn is_solved(&self) -> bool;

    /// The moves of the position with this key; see [`Merged::statistics`].
    fn statistics(&self, key: u128) -> Option<Vec<MoveStatistics>>;

    /// Positions with this side to move among whose moves simulations chose.
    fn expanded(&self, side: Side) -> u64;

    /// The whole tree.
    fn arrays(&self) -> TreeArrays;
}

impl<G: Game> Tree for Merged<G> {
    fn grow(&mut self, simulations: u64, rng: &mut LabRng) -> u64 {
        for made in 0..simulations {
            if Merged::is_solved(self) {
                return made;
            }
            self.simulate(rng);
        }
        simulations
    }

    fn is_solved(&self) -> bool {
        Merged::is_solved(self)
    }

    fn statistics(&self, key: u128) -> Option<Vec<MoveStatistics>> {
        Merged::statistics(self, G::from_key(key))
    }

    fn expanded(&self, side: Side) -> u64 {
        let nodes = self.nodes().iter();
        nodes
            .filter(|node| node.edge_count > 0 && node.position.to_move() == side)
            .count() as u64
    }

    fn arrays(&self) -> TreeArrays {
        let mut arrays = TreeArrays::default();
        for node in self.nodes() {
            let key = node.position.key();
            arrays
                .keys
                .push(u64::try_from(key).expect("the keys of a game that is listed have 64 bits"));
            arrays.visits.push(node.visits);
            arrays.wins.push(node.wins);
            arrays.draws.push(node.draws);
            arrays.lows.push(node.low as u8);
            arrays.highs.push(node.high as u8);
            arrays.first_edges.push(node.first_edge);
            arrays.edge_counts.push(node.edge_count);
        }
        for edge in self.edges() {
            arrays.moves.push(edge.mv.index() as u8);
            arrays.same_as.push(edge.same_as);
            arrays.children.push(edge.child.unwrap_or(NO_CHILD));
            arrays.move_visits.push(edge.visits);
        }
        arrays
    }
}

/// A tree as arrays: one entry per position in the order in which they were met,
/// and one per move. See [`Node`] and [`Edge`] for their meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "described at Node and Edge")]
pub struct TreeArrays {
    pub keys: Vec<u64>,
    pub visits: Vec<u32>,
    pub wins: Vec<u32>,
    pub draws: Vec<u32>,
    /// 0 for a loss, 1 for a draw, 2 for a win; so are `highs`.
    pub lows: Vec<u8>,
    pub highs: Vec<u8>,
    pub first_edges: Vec<u32>,
    pub edge_counts: Vec<u8>,
    pub moves: Vec<u8>,
    pub same_as: Vec<u8>,
    /// 2³² − 1 for none.
    pub children: Vec<u32>,
    pub move_visits: Vec<u32>,
}

const NO_CHILD: u32 = u32::MAX;

impl TreeArrays {
    fn nodes<G: Game>(&self) -> Option<Vec<Node<G>>> {
        let count = self.keys.len();
        let same_length = [self.visits.len(), self.wins.len(), self.draws.len()];
        let more = [self.lows.len(), self.highs.len(), self.first_edges.len()];
        let all = same_length.into_iter().chain(more);
        if all
            .chain([self.edge_counts.len()])
            .any(|length| length != count)
        {
            return None;
        }
        (0..count)
            .map(|i| {
                Some(Node {
                    position: G::from_key(self.keys[i].into()),
                    first_edge: self.first_edges[i],
                    edge_count: self.edge_counts[i],
                    visits: self.visits[i],
                    wins: self.wins[i],
                    draws: self.draws[i],
                    low: value(self.lows[i])?,
                    high: value(self.highs[i])?,
                })
            })
            .collect()
    }

    fn edges(&self) -> Option<Vec<Edge>> {
        let count = self.moves.len();
        let lengths = [
            self.same_as.len(),
            self.children.len(),
            self.move_visits.len(),
        ];
        if lengths.into_iter().any(|length| length != count) {
            return None;
        }
        (0..count)
            .map(|i| {
                let mv = usize::from(self.moves[i]);
                Some(Edge {
                    mv: (mv < 64).then(|| Move::new(mv))?,
                    same_as: self.same_as[i],
                    child: Some(self.children[i]).filter(|&child| child != NO_CHILD),
                    visits: self.move_visits[i],
                })
            })
            .collect()
    }
}

fn value(number: u8) -> Option<Value> {
    [Value::Loss, Value::Draw, Value::Win]
        .get(usize::from(number))
        .copied()
}

/// Makes a tree for a game by name: a new one, or one from arrays.
struct Build<'t> {
    config: MctsConfig,
    arrays: Option<&'t TreeArrays>,
}

impl GameVisitor for Build<'_> {
    type Output = Option<Box<dyn Tree>>;

    fn visit<G: Game>(self, _: &'static GameInfo) -> Self::Output {
        let root = G::start();
        Some(match self.arrays {
            None => Box::new(Merged::new(self.config, root)),
            Some(arrays) => Box::new(Merged::restore(
                self.config,
                root,
                arrays.nodes::<G>()?,
                arrays.edges()?,
            )?),
        })
    }
}

impl<'a> MctsLearner<'a> {
    /// A learner that knows nothing.
    pub fn new(setup: &'a MctsLearning<'a>, rng: LabRng) -> MctsLearner<'a> {
        Self::build(setup, None, rng, 0).expect("a new tree fits its game")
    }

    /// A learner that goes on where another one stopped; `None` if the tree is not
    /// one of the game.
    pub fn restore(
        setup: &'a MctsLearning<'a>,
        tree: &TreeArrays,
        rng: LabRng,
        episodes: u64,
    ) -> Option<MctsLearner<'a>> {
        Self::build(setup, Some(tree), rng, episodes)
    }

    fn build(
        setup: &'a MctsLearning<'a>,
        arrays: Option<&TreeArrays>,
        rng: LabRng,
        episodes: u64,
    ) -> Option<MctsLearner<'a>> {
        let build = Build {
            config: setup.config.clone(),
            arrays,
        };
        let name = setup.graph.game().name;
        Some(MctsLearner {
            setup,
            tree: with_game(name, build).expect("a graph's game is registered")?,
            rng,
            episodes,
        })
    }

    /// What the seeds share.
    pub fn setup(&self) -> &'a MctsLearning<'a> {
        self.setup
    }

    /// The state of the stream of random numbers.
    pub fn rng(&self) -> &LabRng {
        &self.rng
    }

    /// Simulations made so far.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// Whether the start's value is proven, which ends the learning.
    pub fn is_solved(&self) -> bool {
        self.tree.is_solved()
    }

    /// Makes so many simulations, or fewer if the start's value gets proven.
    pub fn train(&mut self, simulations: u64) {
        self.episodes += self.tree.grow(simulations, &mut self.rng);
    }

    /// Positions with this side to move among whose moves simulations chose.
    pub fn states_visited(&self, side: Side) -> u64 {
        self.tree.expanded(side)
    }

    /// What is known of the moves of a position, in order: the value, from 0, a loss,
    /// to 1, a win, and the visits.
    pub fn knowledge(&self, position: usize) -> Vec<(Option<f64>, u64)> {
        let graph = self.setup.graph;
        match self.tree.statistics(graph.key(position)) {
            Some(moves) => moves
                .iter()
                .map(|mv| (mv.value(self.setup.config.draw_value), mv.visits))
                .collect(),
            None => vec![(None, 0); graph.edges(position).len()],
        }
    }

    /// Writes the greedy choice in every live position of `side` into a policy: the
    /// best moves by the config's `final_move` and `ties`; any move in a position
    /// that no simulation chose in. Once the start's value is proven, among the moves
    /// with the best proven lower bound.
    pub fn greedy_policy(&self, side: Side, policy: &mut Policy) {
        let graph = self.setup.graph;
        for position in graph.decisions(side) {
            let edges = graph.edges(position);
            let Some(mut moves) = self.tree.statistics(graph.key(position)) else {
                policy.set(edges, |_| true);
                continue;
            };
            if self.tree.is_solved() {
                // The proof holds for who never leaves it.
                let (low, _) = bounds(&moves);
                moves.retain(|mv| mv.low == low);
            }
            let best = best_moves(&moves, &self.setup.config);
            let first = best.get(0);
            policy.set(edges, |edge| match self.setup.config.ties {
                Ties::Random => best.contains(graph.mv(edge)),
                Ties::First => graph.mv(edge) == first,
            });
        }
    }

    /// The whole tree.
    pub fn tree(&self) -> TreeArrays {
        self.tree.arrays()
    }
}
