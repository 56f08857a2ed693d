//! Monte Carlo tree search against the oracle, and what it promises.

use playlab::game::{Game, GameInfo, Mnk, Move, Position, Side, Value};
use playlab::graph::{GameGraph, Solution, compile_game};
use playlab::rng::{Purpose, stream};
use playlab::search::mcts::{
    self, Budget, Counts, FinalMove, FirstPlay, MctsConfig, Merge, Merged, MoveStatistics,
    Rollouts, Selection, TreeArrays, TreeSearch, growing_tree, restore_tree,
};
use playlab::search::{Limits, Stopped, Ties};
use proptest::prelude::*;

type TicTacToe = Mnk<3, 3, 3>;

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn simulations(simulations: u64) -> Budget {
    Budget {
        simulations,
        milliseconds: 0,
    }
}

struct Solved {
    graph: GameGraph,
    solution: Solution,
}

fn solved() -> Solved {
    let graph = compile_game(game("tic-tac-toe")).unwrap();
    let solution = Solution::of(&graph);
    Solved { graph, solution }
}

fn search(config: &MctsConfig, root: Position, count: u64, seed: u64) -> Box<dyn TreeSearch> {
    let mut rng = stream(seed, Purpose::Search, 0, 0);
    let mut search = mcts::search(root.game(), config.clone(), root, &mut rng);
    let made = search.search(simulations(count), &Limits::NONE, &mut rng);
    assert!(search.is_solved() || made.unwrap() >= count);
    search
}

fn variants() -> Vec<MctsConfig> {
    let base = MctsConfig::default();
    let mut variants = vec![base.clone()];
    let selections = [Selection::Ucb1Tuned, Selection::Puct, Selection::Thompson];
    variants.extend(selections.map(|selection| MctsConfig {
        selection,
        ..base.clone()
    }));
    let rollouts = [Rollouts::Random, Rollouts::BlockOrRandom, Rollouts::None];
    variants.extend(rollouts.map(|rollouts| MctsConfig {
        rollouts,
        ..base.clone()
    }));
    let merges = [Merge::Transpositions, Merge::Symmetries];
    variants.extend(merges.map(|merge| MctsConfig {
        merge,
        ..base.clone()
    }));
    variants.push(MctsConfig {
        merge: Merge::Symmetries,
        counts: Counts::Positions,
        ties: Ties::First,
        ..base.clone()
    });
    variants.push(MctsConfig {
        first_play: FirstPlay::Value(1.2),
        final_move: FinalMove::HighestValue,
        ..base.clone()
    });
    variants.push(MctsConfig {
        final_move: FinalMove::RobustMax,
        merge: Merge::Symmetries,
        ..base
    });
    variants
}

/// Plays optimally, and proves nothing that is wrong.
fn agrees_with_the_oracle(
    Solved { graph, solution }: &Solved,
    config: &MctsConfig,
    position: usize,
    simulations: u64,
) {
    let root = graph.position(position);
    let mcts = search(config, root, simulations, position as u64);
    let text = || format!("{} with {config:?}", graph.format_position(position));
    let edge = |mv| graph.find_edge(position, mv).unwrap();
    for mv in mcts.statistics() {
        let value = solution.move_value(graph, edge(mv.mv));
        assert!(mv.low <= value && value <= mv.high, "{mv:?} in {}", text());
    }
    if solution.value(position) != Value::Loss {
        for mv in mcts.best_moves() {
            assert!(solution.is_optimal(graph, position, edge(mv)), "{}", text());
        }
    }
}

fn live(graph: &GameGraph) -> impl Iterator<Item = usize> + '_ {
    Side::BOTH
        .into_iter()
        .flat_map(|side| graph.decisions(side))
}

#[test]
fn two_thousand_simulations_play_an_optimal_move_in_every_position() {
    let solved = solved();
    for position in live(&solved.graph) {
        agrees_with_the_oracle(&solved, &MctsConfig::default(), position, 2000);
    }
}

#[test]
fn every_variant_plays_an_optimal_move_and_proves_nothing_wrong() {
    let solved = solved();
    for config in variants() {
        for position in live(&solved.graph).step_by(23) {
            agrees_with_the_oracle(&solved, &config, position, 4000);
        }
    }
}

#[test]
fn few_simulations_prove_nothing_wrong_either() {
    let solved = solved();
    for config in variants() {
        for position in live(&solved.graph).step_by(7) {
            let root = solved.graph.position(position);
            for mv in search(&config, root, 60, 1).statistics() {
                let edge = solved.graph.find_edge(position, mv.mv).unwrap();
                let value = solved.solution.move_value(&solved.graph, edge);
                assert!(mv.low <= value && value <= mv.high);
            }
        }
    }
}

#[test]
fn visits_of_merged_positions_add_up() {
    for merge in [Merge::Transpositions, Merge::Symmetries] {
        for rollouts in [Rollouts::Random, Rollouts::None] {
            let config = MctsConfig {
                merge,
                rollouts,
                solver: false,
                ..MctsConfig::default()
            };
            let mut rng = stream(1, Purpose::Search, 0, 0);
            let mut merged = Merged::new(config, Mnk::<4, 3, 3>::start());
            for _ in 0..2000 {
                merged.simulate(&mut rng);
            }
            let mut entered = vec![0; merged.node_count()];
            entered[0] = 2000;
            for (number, node) in merged.nodes().iter().enumerate() {
                let first = node.first_edge as usize;
                let edges = &merged.edges()[first..first + usize::from(node.edge_count)];
                let through: u32 = edges.iter().map(|edge| edge.visits).sum();
                if !edges.is_empty() {
                    let ended = u32::from(rollouts == Rollouts::Random && number != 0);
                    assert_eq!(node.results.visits, through + ended, "{number}");
                }
                for (place, edge) in edges.iter().enumerate() {
                    if usize::from(edge.same_as) != place {
                        assert_eq!((edge.visits, edge.child), (0, None));
                    } else if let Some(child) = edge.child {
                        entered[child as usize] += edge.visits;
                    }
                }
                let results = node.results;
                assert!(results.wins + results.draws <= results.visits);
            }
            let visits: Vec<u32> = merged
                .nodes()
                .iter()
                .map(|node| node.results.visits)
                .collect();
            assert_eq!(entered, visits);
        }
    }
}

/// The search of the tic-tac-toe article whose results are published.
fn article() -> MctsConfig {
    MctsConfig {
        c: std::f64::consts::SQRT_2,
        rollouts: Rollouts::None,
        draw_value: 1.0,
        solver: false,
        merge: Merge::Symmetries,
        counts: Counts::Positions,
        ties: Ties::First,
        final_move: FinalMove::HighestValue,
        ..MctsConfig::default()
    }
}

#[test]
fn a_pure_tree_with_draws_as_wins_tries_every_first_move_once_in_order() {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let mut merged = Merged::new(article(), TicTacToe::start());
    merged.simulate(&mut rng);
    // Without visits the first move is taken to the end: X wins on a3.
    let line = ["a1", "b1", "c1", "a2", "b2", "c2", "a3"].map(TicTacToe::parse_move);
    let mut position = TicTacToe::start();
    for mv in line {
        let moves = merged.statistics(position).unwrap();
        let mv = mv.unwrap();
        let visited = moves.iter().find(|known| known.mv == mv).unwrap();
        assert_eq!(visited.visits, 1);
        let won = u64::from(position.to_move() == Side::X);
        assert_eq!((visited.samples, visited.wins, visited.draws), (1, won, 0));
        position = position.play(mv).unwrap();
    }
    assert!(position.outcome().is_some());
    // A corner was visited, so the next is the first edge.
    merged.simulate(&mut rng);
    let moves = merged.statistics(TicTacToe::start()).unwrap();
    let visits: Vec<u64> = moves.iter().map(|mv| mv.visits).collect();
    assert_eq!(visits, [1, 1, 1, 1, 0, 1, 1, 1, 1]);
}

#[test]
fn a_search_by_time_ends() {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let start = Position::start(game("mnk-5x5x5"));
    let mut search = mcts::search(start.game(), MctsConfig::default(), start, &mut rng);
    let budget = Budget {
        simulations: 0,
        milliseconds: 5,
    };
    let made = search.search(budget, &Limits::NONE, &mut rng).unwrap();
    let visits: u64 = search.statistics().iter().map(|mv| mv.visits).sum();
    assert_eq!(visits, made);
    assert!(made > 0);
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let start = Position::start(game("othello"));
    let mut search = mcts::search(start.game(), MctsConfig::default(), start, &mut rng);
    let told = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&told),
        ..Limits::NONE
    };
    assert_eq!(
        search.search(simulations(100), &limits, &mut rng),
        Err(Stopped)
    );
    // The number of positions is no limit of simulations.
    let made = search.search(simulations(100), &Limits::nodes(1), &mut rng);
    assert_eq!(made, Ok(100));
}

fn merging(merge: Merge, counts: Counts) -> MctsConfig {
    MctsConfig {
        merge,
        counts,
        ..MctsConfig::default()
    }
}

fn kinds() -> [MctsConfig; 3] {
    [
        merging(Merge::Transpositions, Counts::Moves),
        merging(Merge::Symmetries, Counts::Moves),
        merging(Merge::Symmetries, Counts::Positions),
    ]
}

#[test]
fn a_tree_from_its_arrays_grows_on_as_the_tree_itself() {
    for name in ["tic-tac-toe", "connect-four", "othello", "hex-11x11"] {
        for config in kinds() {
            let mut rng = stream(2, Purpose::Search, 0, 0);
            let mut tree = growing_tree(game(name), config.clone());
            tree.grow(300, &mut rng);
            let arrays = tree.arrays();
            assert_eq!(arrays.keys.is_some(), game(name).listed);
            let mut again = restore_tree(game(name), config.clone(), &arrays).unwrap();
            assert_eq!(again.arrays(), arrays);
            let mut same = rng.clone();
            assert_eq!(tree.grow(200, &mut rng), again.grow(200, &mut same));
            assert_eq!(again.arrays(), tree.arrays());
            let start = Position::start(game(name));
            assert_eq!(again.statistics(start), tree.statistics(start));
        }
    }
}

#[test]
fn arrays_that_are_no_tree_of_the_game_are_refused() {
    let config = merging(Merge::Symmetries, Counts::Moves);
    let info = game("tic-tac-toe");
    let mut tree = growing_tree(info, config.clone());
    tree.grow(200, &mut stream(2, Purpose::Search, 0, 0));
    let good = tree.arrays();
    let last = good.visits.len() - 1;
    let spoil: [&dyn Fn(&mut TreeArrays); 17] = [
        &|a| a.keys.as_mut().unwrap()[3] ^= 1,
        &|a| a.keys.as_mut().unwrap().truncate(2),
        &|a| a.keys.as_mut().unwrap().copy_within(2..3, 1),
        &|a| a.visits.clear(),
        &|a| a.wins[0] = u32::MAX,
        &|a| a.lows[0] = 3,
        &|a| (a.lows[1], a.highs[1]) = (2, 0),
        &|a| a.highs[1] = 9,
        &|a| a.move_visits[0] = u32::MAX,
        &|a| a.first_edges[1] = 0,
        &|a| a.edge_counts[0] -= 1,
        &|a| a.moves[0] = a.moves[1],
        &|a| a.moves[0] = 200,
        &|a| a.same_as[0] = 1,
        &|a| a.same_as[0] = 200,
        &|a| a.children[0] = u32::MAX - 1,
        &|a| {
            a.children
                .iter_mut()
                .filter(|child| **child == last as u32)
                .for_each(|c| *c = 0)
        },
    ];
    for (number, spoil) in spoil.into_iter().enumerate() {
        let mut arrays = good.clone();
        spoil(&mut arrays);
        assert!(
            restore_tree(info, config.clone(), &arrays).is_none(),
            "{number}"
        );
    }
    assert!(restore_tree(info, config.clone(), &TreeArrays::default()).is_none());
    assert!(restore_tree(game("connect-four"), config, &good).is_none());
}

#[test]
fn searches_in_a_stored_tree_start_with_it_again_and_again() {
    for name in ["tic-tac-toe", "connect-four", "hex-11x11"] {
        for config in kinds() {
            let start = Position::start(game(name));
            let mut tree = growing_tree(game(name), config);
            tree.grow(300, &mut stream(2, Purpose::Search, 0, 0));
            let mut searcher = tree.searcher();
            assert_eq!(Some(searcher.statistics()), tree.statistics(start));
            let mut found = Vec::new();
            for _ in 0..3 {
                let mut rng = stream(3, Purpose::Search, 0, 0);
                searcher.restart(start, &mut rng);
                assert_eq!(searcher.node_count(), tree.arrays().visits.len());
                let mut game = Vec::new();
                for _ in 0..2 {
                    searcher
                        .search(simulations(150), &Limits::NONE, &mut rng)
                        .unwrap();
                    game.push(searcher.statistics());
                    let moves = searcher.root().moves();
                    assert!(searcher.advance(&[moves.get(0)]));
                }
                found.push(game);
            }
            assert!(found.iter().all(|game| *game == found[0]), "{name}");
            assert_eq!(tree.arrays(), {
                let mut rng = stream(3, Purpose::Search, 0, 0);
                let mut fresh = tree.searcher();
                fresh.restart(start, &mut rng);
                let _ = fresh.search(simulations(150), &Limits::NONE, &mut rng);
                assert_eq!(fresh.statistics(), found[0][0]);
                tree.arrays()
            });
        }
    }
}

#[test]
fn priors_decide_what_puct_looks_at() {
    let config = MctsConfig {
        selection: Selection::Puct,
        first_play: FirstPlay::Value(0.5),
        solver: false,
        ..MctsConfig::default()
    };
    for merge in [Merge::None, Merge::Transpositions] {
        let mut rng = stream(1, Purpose::Search, 0, 0);
        let config = MctsConfig {
            merge,
            ..config.clone()
        };
        let start = Position::start(game("tic-tac-toe"));
        let mut mcts = mcts::search(start.game(), config, start, &mut rng);
        let mut priors = vec![0.01; 9];
        priors[5] = 0.92;
        mcts.set_priors(&priors);
        mcts.search(simulations(50), &Limits::NONE, &mut rng)
            .unwrap();
        let most = mcts.statistics().into_iter().max_by_key(|mv| mv.visits);
        assert_eq!(most.unwrap().mv, Move::new(5), "{merge:?}");
    }
}

fn mirrored(moves: &[MoveStatistics], symmetry: usize) -> Vec<MoveStatistics> {
    let mut images: Vec<MoveStatistics> = moves
        .iter()
        .map(|mv| MoveStatistics {
            mv: TicTacToe::transform_move(mv.mv, symmetry),
            ..*mv
        })
        .collect();
    images.sort_unstable_by_key(|mv| mv.mv);
    images
}

proptest! {
    #[test]
    fn a_mirrored_position_gets_the_mirrored_result(
        choices in prop::collection::vec(0usize..9, 0..6),
        symmetry in 0usize..8,
        seed in 0u64..1000,
    ) {
        let mut position = TicTacToe::start();
        for choice in choices {
            if position.outcome().is_none() {
                let moves = position.moves();
                let next = position.play_unchecked(moves.get(choice % moves.len()));
                if next.outcome().is_none() {
                    position = next;
                }
            }
        }
        let config = MctsConfig { merge: Merge::Symmetries, ..MctsConfig::default() };
        let [plain, image] = [position, position.transform(symmetry)]
            .map(|root| search(&config, Position::of(game("tic-tac-toe"), root), 300, seed));
        prop_assert_eq!(mirrored(&plain.statistics(), symmetry), image.statistics());
    }
}
