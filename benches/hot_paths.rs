//! The paths that decide how long an experiment takes: `cargo bench`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::num::NonZeroUsize;

use playlab::agent::{Agent, AgentSpec};
use playlab::evaluate::{Assessor, MatchPlan, Seats, play_games, play_pairings};
use playlab::game::{Game, Mnk, Side, games};
use playlab::graph::{GameGraph, Policy, Sampler, Solution, Sweeper, Walk, compile_game};
use playlab::learn::{
    Exploration, LearningRate, Opponent, QLearner, QLearning, QLearningConfig, Rewards, Schedule,
    TableKind, VisitCount,
};
use playlab::rng::{Purpose, stream};
use playlab::run::Cast;
use playlab::search::mcts::{Budget, Mcts, MctsConfig, Merge, Rollouts, rollout};
use playlab::search::{Method, minimax};

type TicTacToe = Mnk<3, 3, 3>;

fn main() {
    divan::main();
}

fn tic_tac_toe() -> GameGraph {
    compile_game("tic-tac-toe").expect("the game is registered")
}

/// The choices of `configs/qtable_o.toml`, schedules included.
fn config() -> QLearningConfig {
    QLearningConfig {
        table: TableKind::Afterstate,
        fold_symmetries: true,
        initial_value: 1.0,
        learning_rate: LearningRate::VisitCount(VisitCount {
            scale: 1.0,
            exponent: 0.8,
            minimum: 0.0,
        }),
        exploration: Exploration::EpsilonGreedy {
            epsilon: Schedule::Stepwise(vec![(0, 0.5), (4000, 0.2)]),
        },
        rewards: Rewards {
            win: 1.0,
            draw: 0.9,
            loss: -2.0,
        },
        ..QLearningConfig::default()
    }
}

fn learner<'a>(setup: &'a QLearning<'a>, episodes: u64) -> QLearner<'a> {
    let mut learner = QLearner::new(setup, stream(1, Purpose::Training, 0, 0));
    learner.train(episodes, &mut ());
    learner
}

fn setup(graph: &GameGraph) -> QLearning<'_> {
    let opponents = vec![(Opponent::Fixed(Sampler::Uniform), 1.0)];
    QLearning::new(graph, config(), vec![Side::O], opponents)
}

/// Items are episodes.
#[divan::bench]
fn q_learning(bencher: Bencher) {
    let graph = tic_tac_toe();
    let setup = setup(&graph);
    let mut learner = learner(&setup, 10_000);
    bencher
        .counter(ItemsCount::new(10_000u32))
        .bench_local(|| learner.train(black_box(10_000), &mut ()));
}

/// Items are episodes, of 20 new learners with 5,000 each.
#[divan::bench]
fn q_learning_from_scratch(bencher: Bencher) {
    let graph = tic_tac_toe();
    let setup = setup(&graph);
    bencher
        .counter(ItemsCount::new(100_000u32))
        .bench_local(|| {
            (0..20)
                .map(|_| learner(&setup, 5000).episodes())
                .sum::<u64>()
        });
}

#[divan::bench]
fn exact_evaluation_against_random_and_best_response(bencher: Bencher) {
    let graph = tic_tac_toe();
    let setup = setup(&graph);
    let random = Policy::uniform(&graph);
    let mut policy = Policy::empty(&graph);
    learner(&setup, 5000).greedy_policy(Side::O, &mut policy);
    let mut sweeper = Sweeper::new(&graph);
    bencher.bench_local(|| {
        let rates = sweeper.outcome_rates(Side::O, black_box(&policy), &random);
        (rates, sweeper.best_response(Side::O, &policy))
    });
}

#[divan::bench]
fn whole_assessment(bencher: Bencher) {
    let graph = tic_tac_toe();
    let solution = Solution::of(&graph);
    let setup = setup(&graph);
    let random = Policy::uniform(&graph);
    let mut policy = Policy::empty(&graph);
    let learner = learner(&setup, 5000);
    let mut assessor = Assessor::new(&graph, &solution);
    bencher.bench_local(|| {
        learner.greedy_policy(Side::O, &mut policy);
        assessor.assess(Side::O, &policy, [&random])
    });
}

/// Items are games.
#[divan::bench]
fn sampled_games(bencher: Bencher) {
    let graph = tic_tac_toe();
    let walk = Walk::new(&graph);
    let mut rng = stream(1, Purpose::Evaluation, 0, 0);
    let random = Sampler::Uniform;
    bencher
        .counter(ItemsCount::new(10_000u32))
        .bench_local(|| play_games(&walk, Side::X, &random, &random, 10_000, &mut rng));
}

#[divan::bench]
fn compile() -> GameGraph {
    tic_tac_toe()
}

#[divan::bench]
fn solve(bencher: Bencher) {
    let graph = tic_tac_toe();
    bencher.bench_local(|| Solution::of(black_box(&graph)));
}

/// Items are nodes.
#[divan::bench]
fn tree_minimax(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(549_946u32))
        .bench_local(|| minimax(black_box(TicTacToe::start()), Method::Tree, u64::MAX));
}

/// Items are games.
#[divan::bench]
fn random_playouts(bencher: Bencher) {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    bencher.counter(ItemsCount::new(10_000u32)).bench_local(|| {
        (0..10_000)
            .filter(|_| {
                let start = black_box(TicTacToe::start());
                rollout(start, Rollouts::Random, &mut rng) == playlab::game::Outcome::Draw
            })
            .count()
    });
}

fn simulations(bencher: Bencher, config: &MctsConfig) {
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let budget = Budget {
        simulations: 2000,
        milliseconds: 0,
    };
    // As a player does: in the memory of the search before.
    let mut search = Mcts::new(config.clone(), TicTacToe::start(), &mut rng);
    bencher.counter(ItemsCount::new(2000u32)).bench_local(|| {
        search.restart(black_box(TicTacToe::start()), &mut rng);
        search.search(budget, &mut rng);
        search.statistics()
    });
}

/// Items are simulations: UCT with random rollouts and without the solver.
#[divan::bench]
fn mcts_tree(bencher: Bencher) {
    let config = MctsConfig {
        c: 1.4,
        rollouts: Rollouts::Random,
        solver: false,
        ..MctsConfig::default()
    };
    simulations(bencher, &config);
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
    simulations(bencher, &config);
}

/// Items are games: six agents, everyone against everyone.
#[divan::bench(args = [1, 2])]
fn tournament(bencher: Bencher, threads: usize) {
    let mut cast = Cast::new(&games()[0]);
    let specs = [
        "random",
        "block-or-random",
        "minimax",
        "alpha-beta:depth=3",
        "mcts:simulations=100",
        "mcts:simulations=400",
    ];
    let agents: Vec<Agent> = specs
        .iter()
        .map(|text| {
            let spec: AgentSpec = text.parse().expect("the spec is right");
            cast.agent(&spec).expect("the agent plays the game")
        })
        .collect();
    let pairings: Vec<(usize, usize)> = (0..6)
        .flat_map(|a| (a + 1..6).map(move |b| (a, b)))
        .collect();
    let plan = MatchPlan {
        games: 100,
        seats: Seats::Alternate,
        seed: 1,
    };
    let threads = NonZeroUsize::new(threads).expect("at least one");
    bencher.counter(ItemsCount::new(1500u32)).bench_local(|| {
        play_pairings::<TicTacToe>(&agents, &pairings, plan, threads, &|| false, &|| ())
    });
}
