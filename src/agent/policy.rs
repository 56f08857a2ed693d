use super::spec::{AgentSpec, AlphaBetaOptions, MinimaxChoice};
use crate::game::{Game, GameInfo, GameVisitor, Moves, Side, with_game};
use crate::graph::{GameGraph, Policy, Solution};
use crate::search::{AlphaBeta, Ties};

impl AgentSpec {
    /// How the player moves, as either side, in every position of the graph;
    /// `solution` is the graph's own. `None` for players whose choices do not
    /// follow from the graph: `mcts` and `run`.
    pub fn policy(&self, graph: &GameGraph, solution: &Solution) -> Option<Policy> {
        let optimal = |position, edge| solution.is_optimal(graph, position, edge);
        Some(match self {
            AgentSpec::Random => Policy::uniform(graph),
            AgentSpec::Minimax(MinimaxChoice::Uniform) => Policy::uniform_over(graph, optimal),
            AgentSpec::Minimax(MinimaxChoice::First) => Policy::first_of(graph, optimal),
            AgentSpec::Minimax(MinimaxChoice::Fastest) => {
                Policy::uniform_over(graph, |position, edge| {
                    solution.is_fastest(graph, position, edge)
                })
            }
            AgentSpec::BlockOrRandom => by_rules(graph, Rule::BlockOrRandom),
            AgentSpec::AlphaBeta(options) => by_rules(graph, Rule::AlphaBeta(*options)),
            AgentSpec::Mcts(_) | AgentSpec::Run(_) => return None,
        })
    }
}

/// A way to choose that asks the rules.
#[derive(Clone, Copy)]
enum Rule {
    BlockOrRandom,
    AlphaBeta(AlphaBetaOptions),
}

fn by_rules(graph: &GameGraph, rule: Rule) -> Policy {
    struct ByRules<'g>(&'g GameGraph, Rule);

    impl GameVisitor for ByRules<'_> {
        type Output = Policy;

        fn visit<G: Game>(self, _: &'static GameInfo) -> Policy {
            let ByRules(graph, rule) = self;
            let mut policy = Policy::empty(graph);
            let mut search = AlphaBeta::new();
            for number in Side::BOTH
                .into_iter()
                .flat_map(|side| graph.decisions(side))
            {
                let position = G::from_key(graph.key(number));
                let chosen = match rule {
                    Rule::BlockOrRandom => blocks_or_all(position),
                    Rule::AlphaBeta(options) => alpha_beta_moves(&mut search, position, options),
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

/// The moves that the player chooses among, all with the same probability.
pub fn alpha_beta_moves<G: Game>(
    search: &mut AlphaBeta<G>,
    position: G,
    options: AlphaBetaOptions,
) -> Moves {
    let (_, best) = search.best_moves(position, options.depth);
    match options.ties {
        Ties::Random => best,
        Ties::First => Moves::from_bits(1 << best.get(0).index()),
    }
}
