//! Monte Carlo tree search, compared with the oracle and with what it promises.

use std::sync::Arc;

use playlab::arrays::{Array, Arrays, Element};
use playlab::config::Config;
use playlab::game::{Game, GameInfo, Mnk, Move, Position, Side, Value};
use playlab::graph::{GameGraph, Solved};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::mcts::{
    self, Budget, Counts, FinalMove, FirstPlay, GrowingTree, MctsConfig, Merge, MoveStatistics,
    Results, Rollouts, Selection, TreeSearch, growing_tree, restore_tree,
};
use playlab::search::{Limits, Stopped, Ties};
use playlab::train::Experiment;
use playlab::workflow::stage;
use proptest::prelude::*;

use crate::graph::find_edge;
use crate::place::SMALL_TREE;

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

fn solved() -> Solved {
    Solved::game(game("tic-tac-toe")).unwrap()
}

fn search(config: &MctsConfig, root: Position, count: u64, seed: u64) -> Box<dyn TreeSearch> {
    let mut rng = stream(seed, Purpose::Search, 0, 0);
    let mut search = mcts::search(config.clone(), root, None, &mut rng);
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

/// Checks that it plays optimally and proves nothing wrong.
fn agrees_with_the_oracle(solved: &Solved, config: &MctsConfig, position: usize, simulations: u64) {
    let graph = &solved.graph;
    let root = graph.position(position);
    let mcts = search(config, root, simulations, position as u64);
    let text = || format!("{} with {config:?}", graph.format_position(position));
    let edge = |mv| find_edge(graph, position, mv);
    for mv in mcts.statistics() {
        let value = solved.move_value(edge(mv.mv));
        assert!(mv.low <= value && value <= mv.high, "{mv:?} in {}", text());
    }
    if solved.solution.value(position) != Value::Loss {
        for mv in mcts.best_moves() {
            assert!(solved.is_optimal(position, edge(mv)), "{}", text());
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
                let edge = find_edge(&solved.graph, position, mv.mv);
                let value = solved.move_value(edge);
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
            let arrays = saved(&*grown("mnk-4x3x3", &config, 2000, &mut rng));
            let [visits, wins, draws] =
                ["visits", "wins", "draws"].map(|name| arrays.get::<u32>(name).unwrap());
            let [first_edges, children, move_visits] = ["first_edges", "children", "move_visits"]
                .map(|name| arrays.get::<u32>(name).unwrap());
            let [edge_counts, same_as] =
                ["edge_counts", "same_as"].map(|name| arrays.get::<u8>(name).unwrap());
            let mut entered = vec![0; visits.len()];
            entered[0] = 2000;
            for number in 0..visits.len() {
                let first = first_edges[number] as usize;
                let edges = first..first + usize::from(edge_counts[number]);
                let through: u32 = move_visits[edges.clone()].iter().sum();
                if !edges.is_empty() {
                    let ended = u32::from(rollouts == Rollouts::Random && number != 0);
                    assert_eq!(visits[number], through + ended, "{number}");
                }
                for (place, edge) in edges.enumerate() {
                    if usize::from(same_as[edge]) != place {
                        assert_eq!((move_visits[edge], children[edge]), (0, u32::MAX));
                    } else if children[edge] != u32::MAX {
                        entered[children[edge] as usize] += move_visits[edge];
                    }
                }
                assert!(wins[number] + draws[number] <= visits[number]);
            }
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
    let start = Position::start(game("tic-tac-toe"));
    let mut tree = grown("tic-tac-toe", &article(), 1, &mut rng);
    // Without visits the first move is taken until the end: X wins on a3.
    let line = ["a1", "b1", "c1", "a2", "b2", "c2", "a3"].map(TicTacToe::parse_move);
    let mut position = TicTacToe::start();
    for mv in line {
        let of_game = Position::of(start.game(), position);
        let moves = tree.statistics_at(of_game).unwrap();
        let mv = mv.unwrap();
        let visited = moves.iter().find(|known| known.mv == mv).unwrap();
        assert_eq!(visited.visits, 1);
        let wins = u32::from(position.to_move() == Side::X);
        let expected = Results {
            visits: 1,
            wins,
            draws: 0,
        };
        assert_eq!(visited.results, expected);
        position = position.play_unchecked(mv);
    }
    assert!(position.outcome().is_some());
    // A corner was visited, so the next is the first edge.
    grow(&mut tree, 1, &mut rng);
    let moves = tree.statistics_at(start).unwrap();
    let visits: Vec<u64> = moves.iter().map(|mv| mv.visits).collect();
    assert_eq!(visits, [1, 1, 1, 1, 0, 1, 1, 1, 1]);
}

#[test]
fn of_the_moves_with_most_visits_the_robust_one_has_the_highest_value() {
    let statistics = |mv, visits: u32, wins| MoveStatistics {
        mv: Move::new(mv),
        visits: visits.into(),
        shared_by: 1,
        results: Results {
            visits,
            wins,
            draws: 0,
        },
        low: Value::Loss,
        high: Value::Win,
    };
    let best = |final_move, moves: &[MoveStatistics]| -> Vec<usize> {
        let config = MctsConfig {
            final_move,
            ..MctsConfig::default()
        };
        let moves = mcts::best_moves(moves, &config);
        moves.map(Move::index).collect()
    };
    let moves = [
        statistics(0, 10, 5),
        statistics(1, 10, 7),
        statistics(2, 8, 4),
    ];
    assert_eq!(best(FinalMove::MostVisits, &moves), [0, 1]);
    assert_eq!(best(FinalMove::RobustMax, &moves), [1]);
    // Without such a move, visits decide.
    let moves = [statistics(0, 10, 5), statistics(1, 8, 7)];
    assert_eq!(best(FinalMove::HighestValue, &moves), [1]);
    assert_eq!(best(FinalMove::RobustMax, &moves), [0]);
}

#[test]
fn a_search_by_time_ends() {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let start = Position::start(game("mnk-5x5x5"));
    let mut search = mcts::search(MctsConfig::default(), start, None, &mut rng);
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
    let mut search = mcts::search(MctsConfig::default(), start, None, &mut rng);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits::until(&stop);
    assert_eq!(
        search.search(simulations(100), &limits, &mut rng),
        Err(Stopped)
    );
    // The number of positions does not limit the simulations.
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

fn saved(tree: &dyn GrowingTree) -> Arrays {
    let mut arrays = Arrays::default();
    tree.save(&mut arrays);
    arrays
}

fn kinds() -> [MctsConfig; 3] {
    [
        merging(Merge::Transpositions, Counts::Moves),
        merging(Merge::Symmetries, Counts::Moves),
        merging(Merge::Symmetries, Counts::Positions),
    ]
}

#[test]
fn a_tree_from_its_arrays_grows_on_like_the_original() {
    for name in ["tic-tac-toe", "connect-four", "othello", "hex-11x11"] {
        for config in kinds() {
            let mut rng = stream(2, Purpose::Search, 0, 0);
            let mut tree = grown(name, &config, 300, &mut rng);
            let arrays = saved(&*tree);
            assert_eq!(arrays.contains("keys"), game(name).listed);
            let mut again = restore_tree(game(name), config.clone(), &arrays).unwrap();
            assert_eq!(saved(&*again), arrays);
            let mut same = rng.clone();
            assert_eq!(
                grow(&mut tree, 200, &mut rng),
                grow(&mut again, 200, &mut same)
            );
            assert_eq!(saved(&*again), saved(&*tree));
            let start = Position::start(game(name));
            assert_eq!(again.statistics_at(start), tree.statistics_at(start));
        }
    }
}

fn grow(tree: &mut Arc<dyn GrowingTree>, simulations: u64, rng: &mut LabRng) -> u64 {
    Arc::get_mut(tree).unwrap().simulate(simulations, rng)
}

fn grown(
    name: &str,
    config: &MctsConfig,
    simulations: u64,
    rng: &mut LabRng,
) -> Arc<dyn GrowingTree> {
    let mut tree = growing_tree(game(name), config.clone());
    grow(&mut tree, simulations, rng);
    tree
}

fn changed<T: Element>(arrays: &Arrays, name: &str, change: impl Fn(&mut Vec<T>)) -> Arrays
where
    Array: From<Vec<T>>,
{
    let mut numbers = arrays.get::<T>(name).unwrap().to_vec();
    change(&mut numbers);
    let mut arrays = arrays.clone();
    arrays.insert(name, numbers);
    arrays
}

#[test]
fn arrays_that_are_not_a_tree_of_the_game_are_refused() {
    let config = merging(Merge::Symmetries, Counts::Moves);
    let info = game("tic-tac-toe");
    let mut rng = stream(2, Purpose::Search, 0, 0);
    let good = saved(&*grown(info.name, &config, 200, &mut rng));
    let last = good.get::<u32>("visits").unwrap().len() as u32 - 1;
    let first_move = good.get::<u8>("moves").unwrap()[0];
    let spoiled = [
        changed::<u64>(&good, "keys", |keys| keys[3] ^= 1),
        changed::<u64>(&good, "keys", |keys| keys.truncate(2)),
        changed::<u64>(&good, "keys", |keys| keys.push(0)),
        changed::<u64>(&good, "keys", |keys| keys[1] = keys[2]),
        changed::<u8>(&good, "highs", |highs| highs[1] = 9),
        changed::<u8>(&good, "same_as", |same_as| same_as[0] = 200),
        changed::<u32>(&good, "move_visits", |visits| visits[0] = u32::MAX),
        changed::<u32>(&good, "visits", Vec::clear),
        changed::<u32>(&good, "wins", |wins| wins[0] = u32::MAX),
        changed::<u8>(&good, "lows", |lows| lows[0] = 3),
        changed::<u8>(
            &changed::<u8>(&good, "lows", |lows| lows[1] = 2),
            "highs",
            |highs| highs[1] = 0,
        ),
        changed::<u32>(&good, "first_edges", |edges| edges[1] = 0),
        changed::<u8>(&good, "edge_counts", |counts| counts[0] -= 1),
        changed::<u8>(&good, "moves", |moves| moves[1] = first_move),
        changed::<u8>(&good, "moves", |moves| moves[0] = 200),
        changed::<u8>(&good, "same_as", |same_as| same_as[0] = 1),
        changed::<u32>(&good, "children", |children| children[0] = u32::MAX - 1),
        changed::<u32>(&good, "children", |children| {
            let to_last = children.iter_mut().filter(|child| **child == last);
            to_last.for_each(|child| *child = 0);
        }),
        Arrays::default(),
    ];
    for (number, arrays) in spoiled.iter().enumerate() {
        assert!(*arrays != good, "{number}");
        let restored = restore_tree(info, config.clone(), arrays);
        assert!(restored.is_err(), "{number}");
    }
    assert!(restore_tree(game("connect-four"), config, &good).is_err());
}

#[test]
fn searches_in_a_stored_tree_start_with_it_again_and_again() {
    for name in ["tic-tac-toe", "connect-four", "hex-11x11"] {
        for config in kinds() {
            let start = Position::start(game(name));
            let tree = grown(name, &config, 300, &mut stream(2, Purpose::Search, 0, 0));
            let before = saved(&*tree);
            let mut searcher = tree.searcher();
            assert_eq!(Some(searcher.statistics()), tree.statistics_at(start));
            let play = |searcher: &mut dyn TreeSearch| -> Vec<Vec<MoveStatistics>> {
                let mut rng = stream(3, Purpose::Search, 0, 0);
                searcher.restart(start, &mut rng);
                assert_eq!(searcher.node_count(), tree.node_count());
                let one_move = |_| {
                    let _ = searcher.search(simulations(150), &Limits::NONE, &mut rng);
                    let found = searcher.statistics();
                    assert!(searcher.advance(&[searcher.root().moves().get(0)]));
                    found
                };
                (0..2).map(one_move).collect()
            };
            let fresh = play(tree.searcher().as_mut());
            for _ in 0..3 {
                assert_eq!(play(searcher.as_mut()), fresh, "{name}");
            }
            assert_eq!(saved(&*tree), before);
        }
    }
}

#[test]
fn a_search_at_its_memory_limit_does_not_depend_on_the_games_before_it() {
    let start = Position::start(game("connect-four-5x5"));
    let config = |memory| MctsConfig {
        merge: Merge::Transpositions,
        counts: Counts::Positions,
        rollouts: Rollouts::Random,
        solver: false,
        memory,
        ..MctsConfig::default()
    };
    let play = |searcher: &mut dyn TreeSearch| {
        let mut rng = stream(3, Purpose::Search, 0, 0);
        searcher.restart(start, &mut rng);
        searcher.simulate(1000, &mut rng);
        (searcher.node_count(), searcher.statistics())
    };
    let mut rng = stream(2, Purpose::Search, 0, 0);
    let (mut tree, mut roomy) = [1, 64]
        .map(|memory| growing_tree(start.game(), config(memory)))
        .into();
    loop {
        grow(&mut tree, 200, &mut rng.clone());
        grow(&mut roomy, 200, &mut rng);
        let fresh = play(tree.searcher().as_mut());
        let mut used = tree.searcher();
        for _ in 0..4 {
            assert_eq!(play(used.as_mut()), fresh);
        }
        // Until a search reaches the limit.
        if fresh.0 < play(roomy.searcher().as_mut()).0 {
            assert_eq!(tree.node_count(), roomy.node_count());
            break;
        }
    }
}

#[test]
fn a_full_tree_does_not_try_one_move_for_ever() {
    let start = Position::start(game("hex-11x11"));
    let config = MctsConfig {
        merge: Merge::Transpositions,
        memory: 1,
        ..MctsConfig::default()
    };
    let mut tree = growing_tree(start.game(), config);
    let mut rng = stream(1, Purpose::Search, 0, 0);
    grow(&mut tree, 5000, &mut rng);
    let full = tree.node_count();
    grow(&mut tree, 20_000, &mut rng);
    assert_eq!(tree.node_count(), full);
    // Every move from the start is met before memory is full; none of the moves after them dominates.
    let most = start.moves().map(|mv| {
        let known = tree.statistics_at(start.play_unchecked(mv)).unwrap();
        known.iter().map(|mv| mv.visits).max().unwrap()
    });
    let most = most.max().unwrap();
    assert!(most < 100, "a move was tried {most} times");
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
        let mut mcts = mcts::search(config, start, None, &mut rng);
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

#[test]
fn a_learned_tree_is_never_larger_than_its_game() {
    let text = SMALL_TREE.replace(
        "[learner.mcts]",
        "[learner.mcts]\nrollouts = \"none\"\nmemory = 100000",
    );
    let config = Config::parse(&text, "test.toml").unwrap();
    let stage = stage(config.game);
    let setup = Experiment::prepare(config, &stage).unwrap().setup;
    // Tic-tac-toe has 5478 positions, and at most 9 moves in each.
    assert!((5478 * 27..8 << 20).contains(&setup.most_bytes(u64::MAX)));
}
