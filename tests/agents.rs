//! Players at the board: what options do, and what they must not do.

use std::collections::HashMap;

use playlab::agent::{Agent, AgentSpec, Player, Solved};
use playlab::game::{ConnectFour, Game, GameInfo, Mnk, Move, games, play_moves};
use playlab::learn::{MctsLearner, MctsLearning, TreeArrays};
use playlab::rng::{Purpose, stream};
use playlab::run::Cast;
use playlab::search::mcts::{MctsConfig, Merge};
use playlab::search::{Limits, Scoring, Ties, exact_solver};

type TicTacToe = Mnk<3, 3, 3>;
type Board = Mnk<5, 5, 5>;

fn info(name: &str) -> &'static GameInfo {
    games().iter().find(|info| info.name == name).unwrap()
}

fn agent(game: &str, spec: &str) -> Agent {
    let spec: AgentSpec = spec.parse().unwrap();
    Cast::new(info(game)).agent(&spec).unwrap()
}

/// How often each first move is chosen.
fn first_moves(spec: &str, games: u64) -> HashMap<String, u64> {
    let agent = agent("tic-tac-toe", spec);
    let mut player = Player::<TicTacToe>::new(&agent, stream(0, Purpose::Match, 0, 0));
    let mut counts = HashMap::new();
    for game in 0..games {
        player.start_game(stream(1, Purpose::Match, 0, game));
        let mv = player.choose(TicTacToe::start());
        *counts.entry(TicTacToe::format_move(mv)).or_insert(0) += 1;
    }
    counts
}

#[test]
fn symmetric_moves_share_the_weight_of_their_visits() {
    // b2 gets the most simulations of the three classes of first moves.
    let options = "simulations=900,solver=false,rollouts=random,temperature=1";
    let merged = first_moves(&format!("mcts:{options},merge=symmetries"), 400);
    let b2 = merged["b2"];
    let corners: u64 = ["a1", "c1", "a3", "c3"]
        .map(|mv| merged.get(mv).copied().unwrap_or(0))
        .iter()
        .sum();
    assert!(b2 > corners, "{merged:?}");
    assert!(merged.len() > 5, "{merged:?}");
}

#[test]
fn without_temperature_the_best_move_is_played() {
    let counts = first_moves("mcts:simulations=900,solver=false,rollouts=random", 40);
    assert!(counts["b2"] >= 30, "{counts:?}");
}

#[test]
fn noise_changes_what_is_played_with_every_way_to_merge() {
    for merge in ["none", "transpositions", "symmetries"] {
        for ties in ["random", "first"] {
            let base = format!(
                "mcts:simulations=30,selection=puct,solver=false,merge={merge},ties={ties}"
            );
            let noisy = first_moves(&format!("{base},noise_weight=0.9,noise_alpha=0.3"), 60);
            assert!(noisy.len() >= 3, "{merge} {ties}: {noisy:?}");
        }
    }
}

#[test]
fn a_kept_tree_goes_on_from_the_position_that_was_reached() {
    for merge in ["none", "transpositions", "symmetries"] {
        let visits = |reuse: bool| -> u64 {
            let spec =
                format!("mcts:simulations=2000,solver=false,merge={merge},reuse_tree={reuse}");
            let agent = agent("tic-tac-toe", &spec);
            let mut player = Player::<TicTacToe>::new(&agent, stream(2, Purpose::Match, 0, 0));
            let mut position = TicTacToe::start();
            position = position.play(player.choose(position)).unwrap();
            let reply = position.moves().next().unwrap();
            position = position.play(reply).unwrap();
            player.choose(position);
            assert_eq!(player.simulations(), 4000);
            let rows = player.explain(position).rows.into_iter();
            rows.map(|(_, cells)| cells[0].parse::<u64>().unwrap())
                .sum()
        };
        assert!(visits(true) > visits(false), "{merge}");
    }
}

#[test]
fn a_full_memory_never_ends_a_game() {
    for options in [
        "merge=transpositions,reuse_tree=true",
        "merge=symmetries,reuse_tree=true,ties=first",
        "merge=transpositions,rollouts=none",
        "reuse_tree=true",
    ] {
        let agent = agent(
            "mnk-5x5x5",
            &format!("mcts:simulations=6000,solver=false,memory=1,{options}"),
        );
        let mut player = Player::<Board>::new(&agent, stream(3, Purpose::Match, 0, 0));
        let mut position = Board::start();
        for _ in 0..4 {
            let mv = player.choose(position);
            position = position.play(mv).unwrap();
            let reply = position.moves().next().unwrap();
            position = position.play(reply).unwrap();
        }
    }
}

#[test]
fn to_ask_why_changes_nothing() {
    for options in [
        "",
        ",reuse_tree=true",
        ",reuse_tree=true,merge=transpositions",
    ] {
        let agent = agent("tic-tac-toe", &format!("mcts:simulations=50{options}"));
        let play = |ask: bool| -> Vec<Move> {
            let mut player = Player::<TicTacToe>::new(&agent, stream(4, Purpose::Match, 0, 0));
            let mut position = TicTacToe::start();
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                if ask {
                    player.explain(position);
                }
                let mv = player.choose(position);
                moves.push(mv);
                position = position.play(mv).unwrap();
            }
            moves
        };
        assert_eq!(play(true), play(false), "{options}");
    }
}

#[test]
fn a_game_does_not_depend_on_the_one_before() {
    for spec in [
        "mcts:simulations=60,solver=false",
        "mcts:simulations=60,reuse_tree=true",
        "mcts:simulations=60,merge=symmetries,reuse_tree=true,solver=false",
        "alpha-beta:depth=3",
    ] {
        let agent = agent("mnk-4x3x3", spec);
        let game = |player: &mut Player<'_, Mnk<4, 3, 3>>, seed: u64| -> Vec<Move> {
            player.start_game(stream(seed, Purpose::Match, 0, 0));
            let mut position = Mnk::start();
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                let mv = player.choose(position);
                moves.push(mv);
                position = position.play(mv).unwrap();
            }
            moves
        };
        let new = || Player::new(&agent, stream(0, Purpose::Match, 0, 0));
        let mut used = new();
        game(&mut used, 7);
        assert_eq!(game(&mut used, 8), game(&mut new(), 8), "{spec}");
    }
}

fn arrays(ties: Ties, solver: bool) -> (MctsConfig, Solved, TreeArrays) {
    let config = MctsConfig {
        merge: Merge::Symmetries,
        ties,
        solver,
        ..MctsConfig::default()
    };
    let solved = Solved::game("tic-tac-toe").unwrap();
    let tree = {
        let setup = MctsLearning::new(&solved.graph, config.clone(), vec![]);
        let mut learner = MctsLearner::new(&setup, stream(5, Purpose::Training, 0, 0));
        learner.train(300);
        learner.tree()
    };
    (config, solved, tree)
}

#[test]
fn a_tree_is_restored_whole() {
    for (ties, solver) in [(Ties::Random, false), (Ties::First, true)] {
        let (config, solved, tree) = arrays(ties, solver);
        let setup = MctsLearning::new(&solved.graph, config, vec![]);
        let rng = || stream(6, Purpose::Training, 0, 0);
        let mut one = MctsLearner::restore(&setup, &tree, rng(), 300).unwrap();
        assert_eq!(one.tree(), tree);
        let mut two = MctsLearner::restore(&setup, &tree, rng(), 300).unwrap();
        one.train(100);
        two.train(60);
        two.train(40);
        assert_eq!(one.tree(), two.tree());
        assert_eq!(one.episodes(), 400);
    }
}

#[test]
fn a_forged_tree_is_refused() {
    let (config, solved, tree) = arrays(Ties::Random, false);
    let setup = MctsLearning::new(&solved.graph, config, vec![]);
    let child = tree
        .children
        .iter()
        .position(|&child| child != u32::MAX)
        .unwrap();
    let expanded = tree
        .edge_counts
        .iter()
        .rposition(|&count| count > 0)
        .unwrap();
    let forgeries: [&dyn Fn(&mut TreeArrays); 12] = [
        &|tree| tree.children[child] = 0,
        &|tree| tree.children[child] = 1_000_000,
        &|tree| tree.same_as[0] = 200,
        &|tree| tree.same_as[0] ^= 1,
        &|tree| tree.moves[0] = tree.moves[1],
        &|tree| tree.moves[0] = 77,
        &|tree| tree.lows[1] = 2,
        &|tree| tree.highs[1] = 9,
        &|tree| tree.move_visits[child] = u32::MAX,
        &|tree| tree.first_edges[expanded] = 0,
        &|tree| tree.keys[1] = tree.keys[2],
        &|tree| {
            tree.keys.pop();
        },
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = tree.clone();
        forge(&mut forged);
        let rng = stream(6, Purpose::Training, 0, 0);
        let restored = MctsLearner::restore(&setup, &forged, rng, 300);
        assert!(restored.is_none(), "forgery {number}");
    }
}

#[test]
fn a_lost_game_is_not_given_up() {
    let agent = agent("connect-four", "minimax");
    let mut player = Player::<ConnectFour<7, 6>>::new(&agent, stream(1, Purpose::Match, 0, 0));
    let position: ConnectFour<7, 6> = play_moves("44467623477137167453674322").unwrap();
    let mut solver = exact_solver::<ConnectFour<7, 6>>(20, Scoring::Raw);
    let scores = solver.scores(position, &Limits::NONE).unwrap();
    let best = scores.iter().map(|(_, score)| *score).max().unwrap();
    assert!(best < 0 && scores.iter().any(|(_, score)| *score < best));
    for _ in 0..20 {
        let mv = player.choose(position);
        assert!(scores.contains(&(mv, best)), "{mv:?}");
    }
}
