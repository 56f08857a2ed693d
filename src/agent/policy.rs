use super::kinds::{AlphaBetaOptions, MinimaxChoice};
use super::spec::AgentSpec;
use crate::game::{Game, GameInfo, GameVisitor, Move, Moves, Side, with_game};
use crate::graph::{GameGraph, Policy, Solution};
use crate::search::{AlphaBeta, Leaf, Ties, last_gain_moves, last_gain_scores};

impl AgentSpec {
    /// How the player moves, as either side, in every position of the graph;
    /// `solution` is the graph's own. `None` for players whose choices do not
    /// follow from the graph: `mcts` and `run`; and for those that cannot play the game.
    pub fn policy(&self, graph: &GameGraph, solution: &Solution) -> Option<Policy> {
        let optimal = |position, edge| solution.is_optimal(graph, position, edge);
        Some(match self {
            AgentSpec::Random => Policy::uniform(graph),
            AgentSpec::Minimax(options) => match options.choice {
                MinimaxChoice::Uniform => Policy::uniform_over(graph, optimal),
                MinimaxChoice::First => Policy::first_of(graph, optimal),
                MinimaxChoice::Fastest => Policy::uniform_over(graph, |position, edge| {
                    solution.is_fastest(graph, position, edge)
                }),
            },
            AgentSpec::BlockOrRandom => by_rules(graph, Rule::BlockOrRandom),
            AgentSpec::Greedy(evaluation) => {
                let options = AlphaBetaOptions::greedy(*evaluation);
                by_rules(graph, Rule::AlphaBeta(options.on(graph.game()).ok()?))
            }
            AgentSpec::AlphaBeta(options) => {
                by_rules(graph, Rule::AlphaBeta(options.on(graph.game()).ok()?))
            }
            AgentSpec::Mcts(_) | AgentSpec::Run(_) => return None,
        })
    }
}

/// A way to choose that asks the rules.
#[derive(Clone, Copy)]
enum Rule {
    BlockOrRandom,
    AlphaBeta(Lookahead),
}

fn by_rules(graph: &GameGraph, rule: Rule) -> Policy {
    struct ByRules<'g>(&'g GameGraph, Rule);

    impl GameVisitor for ByRules<'_> {
        type Output = Policy;

        fn visit<G: Game>(self, _: &'static GameInfo) -> Policy {
            let ByRules(graph, rule) = self;
            let mut policy = Policy::empty(graph);
            let mut search = match rule {
                Rule::AlphaBeta(lookahead) => AlphaBeta::new(lookahead.evaluation),
                Rule::BlockOrRandom => AlphaBeta::new(0),
            };
            for number in Side::BOTH
                .into_iter()
                .flat_map(|side| graph.decisions(side))
            {
                let position = G::from_key(graph.key(number));
                let chosen = match rule {
                    Rule::BlockOrRandom => blocks_or_all(position),
                    Rule::AlphaBeta(lookahead) => lookahead.moves(&mut search, position),
                };
                policy.set(graph.edges(number), |edge| chosen.contains(graph.mv(edge)));
            }
            policy
        }
    }
    with_game(graph.game().name, ByRules(graph, rule)).expect("a graph's game is registered")
}

fn blocks_or_all<G: Game>(position: G) -> Moves {
    let threats = position.threats(!position.to_move());
    if threats.is_empty() {
        position.moves()
    } else {
        threats
    }
}

/// `alpha-beta` on one game; see [`AlphaBetaOptions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// Plies.
    pub depth: u32,
    /// The number of the game's evaluation.
    pub evaluation: usize,
    /// What a line of play is worth at the depth.
    pub leaf: Leaf,
    /// Which of the best moves is played.
    pub ties: Ties,
}

impl AlphaBetaOptions {
    /// The player on a game.
    ///
    /// # Errors
    ///
    /// What the game has instead of the evaluation.
    pub fn on(&self, info: &GameInfo) -> Result<Lookahead, String> {
        Ok(Lookahead {
            depth: self.depth,
            evaluation: self.evaluation.on(info)?,
            leaf: self.leaf,
            ties: self.ties,
        })
    }
}

impl Lookahead {
    /// The moves that the player chooses among, all with the same probability.
    pub fn moves<G: Game>(&self, search: &mut AlphaBeta<G>, position: G) -> Moves {
        let (_, best) = match self.leaf {
            Leaf::Position => search.best_moves(position, self.depth),
            Leaf::LastGain => last_gain_moves(position, self.depth, self.evaluation),
        };
        match self.ties {
            Ties::Random => best,
            Ties::First => Moves::from_bits(1 << best.get(0).index()),
        }
    }

    /// The score of every legal move, in ascending order of the moves.
    pub fn scores<G: Game>(&self, search: &mut AlphaBeta<G>, position: G) -> Vec<(Move, i32)> {
        match self.leaf {
            Leaf::Position => search.scores(position, self.depth),
            Leaf::LastGain => last_gain_scores(position, self.depth, self.evaluation).collect(),
        }
    }
}
