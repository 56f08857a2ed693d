//! The paths that decide how long an experiment takes: `cargo bench`.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use playlab::agent::{Agent, Stage};
use playlab::config::Config;
use playlab::evaluate::{Assessor, Contest, MatchPlan, Seats, play_games, play_pairings};
use playlab::game::{ConnectFour, Game, GameInfo, Mnk, Othello, Outcome, Position, Problem, Side};
use playlab::graph::{
    Baseline, GameGraph, Policy, Sampler, Solution, Solved, Sweeper, TableKind, Walk, compile_game,
};
use playlab::learn::{
    EpsilonGreedy, Exploration, Learner, LearnerConfig, Opponent, QLearningConfig, Rewards,
    Schedule, Setup, Task, VisitCount,
};
use playlab::rng::{Purpose, stream};
use playlab::search::mcts::{self, Budget, MctsConfig, Merge, Rollouts, rollout};
use playlab::search::{Limits, MinimaxMethod, Scoring, TABLE_BITS, exact_solver, minimax, perft};
use playlab::train::Experiment;
use rand::RngExt;

fn main() {
    divan::main();
}

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).expect("the game is registered")
}

fn start(name: &str) -> Position {
    Position::start(game(name))
}

fn compiled(name: &str) -> GameGraph {
    compile_game(game(name)).expect("the game is listed")
}

fn tic_tac_toe() -> Arc<Solved> {
    let solved = Solved::game(game("tic-tac-toe"));
    Arc::new(solved.expect("the game is listed"))
}

/// The choices of `configs/qtable_o.toml`, schedules included.
fn config() -> QLearningConfig {
    QLearningConfig {
        table: TableKind::Afterstate,
        fold_symmetries: true,
        initial_value: 1.0,
        learning_rate: Schedule::VisitCount(VisitCount {
            scale: 1.0,
            exponent: 0.8,
            minimum: 0.0,
        }),
        exploration: Exploration::EpsilonGreedy(EpsilonGreedy {
            epsilon: Schedule::Stepwise(vec![(0, 0.5), (4000, 0.2)]),
        }),
        rewards: Rewards {
            win: 1.0,
            draw: 0.9,
            loss: -2.0,
        },
        ..QLearningConfig::default()
    }
}

fn learner(setup: &Arc<dyn Setup>, episodes: u64) -> Box<dyn Learner> {
    let mut learner = Arc::clone(setup).learner();
    let mut rng = stream(1, Purpose::Training, 0, 0);
    learner.train(0, episodes, &mut rng, None);
    learner
}

fn setup(solved: &Arc<Solved>) -> Arc<dyn Setup> {
    let task = Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(solved)),
        sides: vec![Side::O],
        opponents: vec![(Opponent::Fixed(Sampler::Uniform), 1.0)],
    };
    LearnerConfig::QLearning(config()).settings().setup(task)
}

/// Items are episodes.
#[divan::bench]
fn q_learning(bencher: Bencher) {
    let setup = setup(&tic_tac_toe());
    let mut learner = learner(&setup, 10_000);
    let mut rng = stream(2, Purpose::Training, 0, 0);
    bencher
        .counter(ItemsCount::new(10_000u32))
        .bench_local(|| learner.train(10_000, black_box(10_000), &mut rng, None));
}

/// Items are episodes, of 20 new learners with 5,000 each.
#[divan::bench]
fn q_learning_from_scratch(bencher: Bencher) {
    let setup = setup(&tic_tac_toe());
    bencher
        .counter(ItemsCount::new(100_000u32))
        .bench_local(|| {
            for _ in 0..20 {
                black_box(learner(&setup, 5000));
            }
        });
}

/// TD(λ) by self-play with an n-tuple network: the game, the network, and whether its step sizes are TCL's.
const TD: [(&str, &str, bool); 4] = [
    ("connect-four", CONNECT_FOUR_TUPLES, false),
    ("connect-four", CONNECT_FOUR_TUPLES, true),
    ("othello", "set = \"logistello\"", false),
    ("othello", "set = \"logistello\"", true),
];

const CONNECT_FOUR_TUPLES: &str =
    "walks = { count = 70, length = 8 }\nstates = 4\ntables = \"by-side\"";

/// Items are games. A new network is faster than one that has learned, whose weights lie all over memory: 10,000
/// games come first.
#[divan::bench(args = [0, 1, 2, 3], sample_count = 10, sample_size = 1)]
fn td_with_tuples(bencher: Bencher, case: usize) {
    let (name, tuples, coherence) = TD[case];
    let coherence = if coherence { "coherence = 2.7" } else { "" };
    let tactics = name == "connect-four";
    let text = format!(
        "game = \"{name}\"\nside = \"both\"\nopponents = [\"self\"]\nepochs = 1\nepisodes_per_epoch = 1\n\
         [learner.td]\nlambda = 0.5\nepsilon = 0.1\ntactics = {tactics}\nlearning_rate = 2.0\n\
         [learner.td.value.n-tuple]\n{tuples}\n{coherence}\n"
    );
    let config = Config::parse(&text, "bench").expect("the config is right");
    let experiment = Experiment::prepare(config, &Stage::new(game(name)));
    let setup = experiment.expect("it can be trained").setup;
    let mut learner = learner(&setup, 10_000);
    let mut rng = stream(2, Purpose::Training, 0, 0);
    bencher
        .counter(ItemsCount::new(1000u32))
        .bench_local(|| learner.train(10_000, black_box(1000), &mut rng, None));
}

/// Learning by neural networks, as in the shipped configs.
const NETWORKS: [&str; 2] = [
    include_str!("../configs/network_tic_tac_toe.toml"),
    include_str!("../configs/deep_q.toml"),
];

/// Items are games.
#[divan::bench(args = [0, 1], sample_count = 10, sample_size = 1)]
fn learning_with_networks(bencher: Bencher, case: usize) {
    let config = Config::parse(NETWORKS[case], "bench").expect("the config is right");
    let stage = Stage::new(game("tic-tac-toe"));
    let experiment = Experiment::prepare(config, &stage).expect("it can be trained");
    let mut learner = learner(&experiment.setup, 1000);
    let mut rng = stream(2, Purpose::Training, 0, 0);
    bencher
        .counter(ItemsCount::new(1000u32))
        .bench_local(|| learner.train(1000, black_box(1000), &mut rng, None));
}

#[divan::bench]
fn exact_evaluation_against_random_and_worst_opponents(bencher: Bencher) {
    let solved = tic_tac_toe();
    let graph = &solved.graph;
    let random = Policy::uniform(graph);
    let mut policy = Policy::empty(graph);
    learner(&setup(&solved), 5000).greedy_policy(Side::O, &mut policy);
    let mut sweeper = Sweeper::new(graph);
    bencher.bench_local(|| {
        let rates = sweeper.outcome_rates(Side::O, black_box(&policy), &random);
        (rates, sweeper.worst_opponents(Side::O, &policy))
    });
}

#[divan::bench]
fn whole_assessment(bencher: Bencher) {
    let solved = tic_tac_toe();
    let graph = &solved.graph;
    let random = Policy::uniform(graph);
    let mut policy = Policy::empty(graph);
    let learner = learner(&setup(&solved), 5000);
    let mut assessor = Assessor::new(&solved);
    bencher.bench_local(|| {
        learner.greedy_policy(Side::O, &mut policy);
        assessor.assess(Side::O, &policy, &[&random])
    });
}

/// Both sides of policies that are never the same twice, as in a training. Items are
/// assessments.
#[divan::bench]
fn assessments_of_many_policies(bencher: Bencher) {
    let solved = tic_tac_toe();
    let graph = &solved.graph;
    let random = Policy::uniform(graph);
    let mut rng = stream(1, Purpose::Training, 0, 0);
    let policies: Vec<Policy> = (0..64)
        .map(|_| {
            let chances: Vec<f64> = (0..graph.edge_count()).map(|_| rng.random()).collect();
            let best = |position: usize| {
                let edges = graph.edges(position);
                edges.max_by(|&a, &b| chances[a].total_cmp(&chances[b]))
            };
            Policy::uniform_over(graph, |position, edge| best(position) == Some(edge))
        })
        .collect();
    let mut assessor = Assessor::new(&solved);
    bencher
        .counter(ItemsCount::new(2 * policies.len()))
        .bench_local(|| {
            for policy in &policies {
                black_box(assessor.assess_as::<Baseline>(
                    &Side::BOTH,
                    black_box(policy),
                    &[&random],
                ));
            }
        });
}

/// Items are games.
#[divan::bench]
fn sampled_games(bencher: Bencher) {
    let walk = Walk::new(&compiled("tic-tac-toe"));
    let mut rng = stream(1, Purpose::Evaluation, 0, 0);
    let (random, stop) = (Sampler::Uniform, AtomicBool::new(false));
    bencher
        .counter(ItemsCount::new(10_000u32))
        .bench_local(|| play_games(&walk, Side::X, &random, &random, 10_000, &mut rng, &stop));
}

#[divan::bench]
fn compile() -> GameGraph {
    compiled("tic-tac-toe")
}

#[divan::bench]
fn solve(bencher: Bencher) {
    let graph = compiled("tic-tac-toe");
    bencher.bench_local(|| Solution::of(black_box(&graph)));
}

/// Items are nodes.
#[divan::bench]
fn tree_minimax(bencher: Bencher) {
    let start = start("tic-tac-toe");
    bencher
        .counter(ItemsCount::new(549_946u32))
        .bench_local(|| minimax(black_box(start), MinimaxMethod::Tree, &Limits::NONE));
}

// Playouts and leaf-by-leaf perft ask the rules themselves, as searches do; everything else goes
// through the functions that users call.

type FourInARow = ConnectFour<7, 6>;

fn playouts<G: Game>(bencher: Bencher, games: u32) {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    bencher.counter(ItemsCount::new(games)).bench_local(|| {
        (0..games)
            .filter(|_| rollout(black_box(G::start()), Rollouts::Random, &mut rng) == Outcome::Draw)
            .count()
    });
}

/// Items are games.
#[divan::bench]
fn random_playouts(bencher: Bencher) {
    playouts::<Mnk<3, 3, 3>>(bencher, 10_000);
}

/// Items are games.
#[divan::bench]
fn random_playouts_connect_four(bencher: Bencher) {
    playouts::<FourInARow>(bencher, 10_000);
}

/// Items are games.
#[divan::bench]
fn random_playouts_othello(bencher: Bencher) {
    playouts::<Othello<8>>(bencher, 1000);
}

/// Every line of play to its end, without bulk counting of the last plies.
fn perft_leaf_by_leaf<G: Game>(position: G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position
        .moves()
        .map(|mv| perft_leaf_by_leaf(position.play_unchecked(mv), depth - 1))
        .sum()
}

/// Items are leaves.
#[divan::bench(sample_count = 20)]
fn perft_8_connect_four(bencher: Bencher) {
    let start = start("connect-four");
    bencher
        .counter(ItemsCount::new(5_673_234u32))
        .bench_local(|| perft(black_box(start), 8));
}

/// Items are leaves.
#[divan::bench(sample_count = 20)]
fn perft_8_connect_four_leaf_by_leaf(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(5_673_234u32))
        .bench_local(|| perft_leaf_by_leaf(black_box(FourInARow::start()), 8));
}

/// Items are leaves.
#[divan::bench(sample_count = 20)]
fn perft_9_othello(bencher: Bencher) {
    let start = start("othello");
    bencher
        .counter(ItemsCount::new(3_005_288u32))
        .bench_local(|| perft(black_box(start), 9));
}

/// Items are leaves.
#[divan::bench(sample_count = 20)]
fn perft_9_othello_leaf_by_leaf(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(3_005_288u32))
        .bench_local(|| perft_leaf_by_leaf(black_box(Othello::<8>::start()), 9));
}

/// Solves the positions of a file, each by itself. Items are positions.
fn problems(bencher: Bencher, name: &str, text: &str) {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let problems: Vec<Problem> = lines
        .map(|line| Problem::parse(game(name), line).expect("the line is a position"))
        .collect();
    let mut solver = exact_solver(game(name), TABLE_BITS, Scoring::WinnerTakesEmpties);
    bencher
        .counter(ItemsCount::new(problems.len()))
        .bench_local(|| {
            for problem in &problems {
                solver.forget();
                let score = solver.score(black_box(problem.position), &Limits::NONE);
                assert_eq!(score.ok(), problem.score);
            }
        });
}

/// Scores of the positions in `tests/positions/connect_four.txt`.
#[divan::bench]
fn solve_connect_four(bencher: Bencher) {
    let text = include_str!("../tests/positions/connect_four.txt");
    problems(bencher, "connect-four", text);
}

/// Scores of the endgames in `tests/positions/othello.obf`.
#[divan::bench(sample_count = 10)]
fn solve_othello(bencher: Bencher) {
    let text = include_str!("../tests/positions/othello.obf");
    problems(bencher, "othello", text);
}

/// Compiles a board of four million positions and sweeps its values.
#[divan::bench(sample_count = 1)]
fn compile_and_solve_connect_four_5x4() -> Solution {
    Solution::of(&compiled("connect-four-5x4"))
}

/// Items are simulations: UCT with random rollouts and without the solver.
fn uct(bencher: Bencher, name: &str) {
    let config = MctsConfig {
        c: 1.4,
        rollouts: Rollouts::Random,
        solver: false,
        ..MctsConfig::default()
    };
    simulations(bencher, name, &config);
}

fn simulations(bencher: Bencher, name: &str, config: &MctsConfig) {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let budget = Budget {
        simulations: 2000,
        milliseconds: 0,
    };
    // As a player does it: in the memory of the previous search.
    let start = start(name);
    let mut search = mcts::search(config.clone(), start, None, &mut rng);
    bencher.counter(ItemsCount::new(2000u32)).bench_local(|| {
        search.restart(black_box(start), &mut rng);
        let made = search.search(budget, &Limits::NONE, &mut rng);
        (made, search.statistics())
    });
}

/// Items are simulations.
#[divan::bench]
fn mcts_tree(bencher: Bencher) {
    uct(bencher, "tic-tac-toe");
}

/// Items are simulations.
#[divan::bench]
fn mcts_connect_four(bencher: Bencher) {
    uct(bencher, "connect-four");
}

/// Items are simulations.
#[divan::bench]
fn mcts_othello(bencher: Bencher) {
    uct(bencher, "othello");
}

/// Items are simulations.
#[divan::bench]
fn mcts_with_symmetric_positions_merged(bencher: Bencher) {
    let config = MctsConfig {
        rollouts: Rollouts::Random,
        solver: false,
        merge: Merge::Symmetries,
        ..MctsConfig::default()
    };
    simulations(bencher, "tic-tac-toe", &config);
}

/// Items are games: six agents, everyone against everyone.
#[divan::bench(args = [1, 2])]
fn tournament(bencher: Bencher, threads: usize) {
    let stage = Stage::new(game("tic-tac-toe"));
    let specs = [
        "random",
        "block-or-random",
        "minimax",
        "alpha-beta:depth=3",
        "mcts:simulations=100",
        "mcts:simulations=400",
    ];
    let agents = specs.map(|text| -> Arc<dyn Agent> {
        let spec = text.parse().expect("the spec is right");
        stage.agent(&spec).expect("the agent plays the game")
    });
    let pairings: Vec<(usize, usize)> = (0..6)
        .flat_map(|a| (a + 1..6).map(move |b| (a, b)))
        .collect();
    let contest = Contest {
        game: stage.game(),
        agents: &agents,
        pairings: &pairings,
        plan: MatchPlan {
            games: 100,
            seats: Seats::Alternate,
            seed: 1,
        },
    };
    let threads = NonZeroUsize::new(threads).expect("at least one");
    let stop = AtomicBool::new(false);
    bencher
        .counter(ItemsCount::new(1500u32))
        .bench_local(|| play_pairings(&contest, threads, &stop, &|| ()));
}
