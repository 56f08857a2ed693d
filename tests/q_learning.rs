//! Updates worked out by hand, on the last moves of tic-tac-toe.

use playlab::agent::AgentSpec;
use playlab::game::{Game, Mnk, Side};
use playlab::graph::{GameGraph, Policy, Sampler, Solution, compile_game};
use playlab::learn::{
    Choice, Exploration, LearningRate, Opponent, QLearner, QLearning, QLearningConfig, Recorder,
    Rewards, Schedule, TableKind, Update, UpdateRecord, VisitCount,
};
use playlab::rng::{Purpose, stream};
use playlab::search::Ties;

/// Keeps everything that is told.
#[derive(Default)]
struct Log {
    moves: Vec<(usize, Choice)>,
    updates: Vec<UpdateRecord>,
}

impl Recorder for Log {
    fn moved(&mut self, edge: usize, choice: Choice) {
        self.moves.push((edge, choice));
    }

    fn updated(&mut self, update: &UpdateRecord) {
        self.updates.push(*update);
    }
}

/// Greedy play with ties to the first move, so that nothing is left to chance.
fn config() -> QLearningConfig {
    QLearningConfig {
        learning_rate: LearningRate::from(0.5),
        discount: 0.5,
        ties: Ties::First,
        exploration: Exploration::EpsilonGreedy {
            epsilon: Schedule::Constant(0.0),
        },
        rewards: Rewards {
            win: 1.0,
            draw: 0.25,
            loss: -1.0,
        },
        ..QLearningConfig::default()
    }
}

/// An opponent that takes the first legal move.
fn first(graph: &GameGraph) -> Opponent {
    Opponent::Fixed(Sampler::of(graph, &Policy::first_of(graph, |_, _| true)))
}

fn play(graph: &GameGraph, config: QLearningConfig, side: Side, episodes: u64) -> Log {
    let setup = QLearning::new(graph, config, vec![side], vec![(first(graph), 1.0)]);
    let mut learner = QLearner::new(&setup, stream(1, Purpose::Training, 0, 0));
    let mut log = Log::default();
    learner.train(episodes, &mut log);
    log
}

fn told(graph: &GameGraph, log: &Log) -> Vec<(String, f64, f64, f64)> {
    log.updates
        .iter()
        .map(|u| (graph.format_move(u.edge), u.old, u.target, u.new))
        .collect()
}

// Both sides take the first free square: X a1, O b1, X c1, O a2, X b2, O c2, X a3
// wins on the diagonal a3-b2-c1.

#[test]
fn online_updates_bootstrap_from_the_next_own_position() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let log = play(&graph, config(), Side::X, 1);
    // Nothing is known of the next position, so all targets but the last are 0.
    let expected = [
        ("a1", 0.0, 0.0, 0.0),
        ("c1", 0.0, 0.0, 0.0),
        ("b2", 0.0, 0.0, 0.0),
        ("a3", 0.0, 1.0, 0.5),
    ];
    let expected = expected.map(|(mv, old, target, new)| (mv.to_owned(), old, target, new));
    assert_eq!(told(&graph, &log), expected);

    // In the second episode b2 leads to a position whose best move has 0.5.
    let log = play(&graph, config(), Side::X, 2);
    let second = &told(&graph, &log)[4..];
    assert_eq!(second[2], ("b2".to_owned(), 0.0, 0.25, 0.125));
    assert_eq!(second[3], ("a3".to_owned(), 0.5, 1.0, 0.75));
}

#[test]
fn backward_updates_carry_the_result_to_the_first_move() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let log = play(
        &graph,
        QLearningConfig {
            update: Update::Backward,
            ..config()
        },
        Side::X,
        1,
    );
    let expected = [
        ("a3", 0.0, 1.0, 0.5),
        ("b2", 0.0, 0.25, 0.125),
        ("c1", 0.0, 0.0625, 0.03125),
        ("a1", 0.0, 0.015625, 0.0078125),
    ];
    let expected = expected.map(|(mv, old, target, new)| (mv.to_owned(), old, target, new));
    assert_eq!(told(&graph, &log), expected);
}

#[test]
fn the_second_player_is_told_its_own_result() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let log = play(&graph, config(), Side::O, 1);
    let last = log.updates.last().unwrap();
    assert_eq!((last.side, last.target, last.new), (Side::O, -1.0, -0.5));
    assert_eq!(graph.format_move(last.edge), "c2");
}

#[test]
fn a_lost_line_is_left_once_another_move_looks_better() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let log = play(
        &graph,
        QLearningConfig {
            update: Update::Backward,
            ..config()
        },
        Side::O,
        2,
    );
    let own: Vec<String> = log
        .moves
        .iter()
        .filter(|(_, choice)| *choice == Choice::Greedy)
        .map(|(edge, _)| graph.format_move(*edge))
        .collect();
    // b1, a2, c2 lost: c2 fell to -0.5, and with γ = ½ the moves before it did not
    // fall below 0, as b2 is still worth 0 where c2 was played.
    assert_eq!(own[..3], ["b1", "a2", "c2"]);
    assert_eq!(own[3..6], ["b1", "a2", "a3"]);
}

#[test]
fn step_sizes_by_visit_count_make_the_plain_mean() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let count = VisitCount {
        scale: 1.0,
        exponent: 1.0,
        minimum: 0.0,
    };
    let config = QLearningConfig {
        learning_rate: LearningRate::VisitCount(count),
        ..config()
    };
    let log = play(&graph, config, Side::X, 3);
    let rates: Vec<f64> = log
        .updates
        .iter()
        .filter(|update| graph.format_move(update.edge) == "a3")
        .map(|update| update.learning_rate)
        .collect();
    assert_eq!(rates, [1.0, 0.5, 1.0 / 3.0]);
}

#[test]
fn double_q_learning_judges_one_table_by_the_other() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let log = play(
        &graph,
        QLearningConfig {
            double: true,
            ..config()
        },
        Side::X,
        40,
    );
    // An independent bookkeeping of both tables for the moves of the only line.
    let line = ["a1", "c1", "b2", "a3"];
    let mut tables = [[0.0; 4]; 2];
    let mut used = [false; 2];
    for (i, update) in log.updates.iter().enumerate() {
        let step = i % 4;
        assert_eq!(graph.format_move(update.edge), line[step]);
        // The best own move is the line's (values never fall below the others'
        // 0, and ties go to the first); the other table says what it is worth.
        let next = if step == 3 {
            1.0
        } else {
            0.5 * tables[1 - update.table][step + 1]
        };
        let old = tables[update.table][step];
        assert_eq!((update.old, update.target), (old, next), "update {i}");
        tables[update.table][step] = old + 0.5 * (next - old);
        used[update.table] = true;
    }
    assert_eq!(used, [true; 2]);
}

#[test]
fn tables_have_an_entry_for_what_they_say() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let count = |kind, fold| playlab::learn::Layout::new(&graph, kind, fold).entry_count();
    assert_eq!(count(TableKind::StateAction, false), 16_167);
    assert_eq!(count(TableKind::StateAction, true), 2096);
    assert_eq!(count(TableKind::Afterstate, false), 5477);
    assert_eq!(count(TableKind::Afterstate, true), 764);
}

#[test]
fn symmetric_moves_share_what_is_learned_where_folding_is_on() {
    let graph = compile_game("tic-tac-toe").unwrap();
    for kind in [TableKind::StateAction, TableKind::Afterstate] {
        for fold in [false, true] {
            let config = QLearningConfig {
                table: kind,
                fold_symmetries: fold,
                ..config()
            };
            let setup = QLearning::new(&graph, config, vec![Side::X], vec![(first(&graph), 1.0)]);
            let mut learner = QLearner::new(&setup, stream(1, Purpose::Training, 0, 0));
            learner.train(30, &mut ());
            let q = |name: &str| {
                let mv = Mnk::<3, 3, 3>::parse_move(name).unwrap();
                learner.q(graph.find_edge(0, mv).unwrap())
            };
            assert!(q("a1") > 0.0);
            for corner in ["c1", "a3", "c3"] {
                assert_eq!(
                    q(corner),
                    if fold { q("a1") } else { 0.0 },
                    "{kind:?} {fold}"
                );
            }
            assert_eq!(q("b2"), 0.0);
        }
    }
}

#[test]
fn self_play_learns_from_both_sides_of_an_episode() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let config = QLearningConfig {
        update: Update::Backward,
        ..config()
    };
    let opponents = vec![(Opponent::SelfPlay, 1.0)];
    let setup = QLearning::new(&graph, config, Side::BOTH.to_vec(), opponents);
    let mut learner = QLearner::new(&setup, stream(1, Purpose::Training, 0, 0));
    let mut log = Log::default();
    learner.train(1, &mut log);
    let told: Vec<(Side, String, f64)> = log
        .updates
        .iter()
        .map(|u| (u.side, graph.format_move(u.edge), u.new))
        .collect();
    let expected = [
        (Side::X, "a3", 0.5),
        (Side::X, "b2", 0.125),
        (Side::X, "c1", 0.03125),
        (Side::X, "a1", 0.0078125),
        (Side::O, "c2", -0.5),
        (Side::O, "a2", 0.0),
        (Side::O, "b1", 0.0),
    ];
    assert_eq!(
        told,
        expected.map(|(side, mv, new)| (side, mv.to_owned(), new))
    );
    assert_eq!(
        (
            learner.states_visited(Side::X),
            learner.states_visited(Side::O)
        ),
        (4, 3)
    );
}

#[test]
fn softmax_draws_moves_in_proportion_to_their_exponentials() {
    let graph = compile_game("tic-tac-toe").unwrap();
    // With a learning rate of 0 all values stay equal, so all moves are equally
    // likely; with a temperature near 0 only the best move is.
    let temperature = |value| Exploration::Softmax {
        temperature: Schedule::Constant(value),
    };
    let config = QLearningConfig {
        exploration: temperature(1.0),
        learning_rate: LearningRate::from(0.0),
        ..config()
    };
    let log = play(&graph, config, Side::X, 9000);
    let mut counts = [0u32; 9];
    for &(edge, _) in log.moves.iter().filter(|(edge, _)| *edge < 9) {
        counts[edge] += 1;
    }
    assert!(
        counts.iter().all(|&count| (850..1150).contains(&count)),
        "{counts:?}"
    );

    let config = QLearningConfig {
        exploration: temperature(1e-9),
        ..self::config()
    };
    let log = play(&graph, config, Side::X, 200);
    // Once a first move has been found to win it is played for ever.
    let firsts: Vec<usize> = log
        .moves
        .iter()
        .map(|m| m.0)
        .filter(|&edge| edge < 9)
        .collect();
    let settled = firsts
        .iter()
        .rev()
        .take_while(|&&edge| edge == firsts[199])
        .count();
    assert!(settled > 100, "{firsts:?}");
}

/// Q-learning against a fixed opponent solves a Markov decision process, whose
/// values a backward sweep gives. With every move explored and a plain mean as
/// step size, the table comes near to them.
#[test]
fn learned_values_approach_those_of_the_decision_process() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let solution = Solution::of(&graph);
    let opponent = AgentSpec::Random.policy(&graph, &solution).unwrap();
    let rewards = Rewards {
        win: 1.0,
        draw: 0.9,
        loss: -2.0,
    };
    let mut values = vec![0.0; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        let children = graph.edges(position).map(|edge| values[graph.child(edge)]);
        values[position] = match graph.terminal_value(position, Side::O) {
            Some(value) => rewards.of(value),
            None if graph.to_move(position) == Side::O => children.fold(f64::MIN, f64::max),
            None => {
                let edges = graph.edges(position);
                edges
                    .map(|e| opponent.probability(e) * values[graph.child(e)])
                    .sum()
            }
        };
    }
    for (table, double, update) in [
        (TableKind::Afterstate, false, Update::Online),
        (TableKind::StateAction, false, Update::Backward),
        (TableKind::Afterstate, true, Update::Online),
        (TableKind::StateAction, true, Update::Backward),
    ] {
        let config = QLearningConfig {
            table,
            double,
            update,
            fold_symmetries: true,
            learning_rate: LearningRate::VisitCount(VisitCount {
                scale: 1.0,
                exponent: 0.8,
                minimum: 0.0,
            }),
            exploration: Exploration::EpsilonGreedy {
                epsilon: Schedule::Constant(1.0),
            },
            rewards,
            ..QLearningConfig::default()
        };
        let opponents = vec![(Opponent::Fixed(Sampler::Uniform), 1.0)];
        let setup = QLearning::new(&graph, config, vec![Side::O], opponents);
        let mut learner = QLearner::new(&setup, stream(1, Purpose::Training, 0, 0));
        learner.train(400_000, &mut ());
        for position in graph.decisions(Side::O) {
            for edge in graph
                .edges(position)
                .filter(|&edge| learner.visits(edge) > 2000)
            {
                let (learned, exact) = (learner.q(edge), values[graph.child(edge)]);
                let place = graph.format_position(position);
                assert!(
                    (learned - exact).abs() < 0.15,
                    "{place}: {learned} is not {exact}"
                );
            }
        }
    }
}

#[test]
fn a_learner_that_was_stored_goes_on_as_if_it_had_not_been() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let config = QLearningConfig {
        double: true,
        ties: Ties::Random,
        exploration: Exploration::Softmax {
            temperature: Schedule::Constant(0.3),
        },
        ..config()
    };
    let opponents = vec![
        (Opponent::SelfPlay, 1.0),
        (Opponent::Fixed(Sampler::Uniform), 2.0),
    ];
    let setup = QLearning::new(&graph, config, Side::BOTH.to_vec(), opponents);
    let mut whole = QLearner::new(&setup, stream(3, Purpose::Training, 0, 0));
    whole.train(700, &mut ());
    let mut first = QLearner::new(&setup, stream(3, Purpose::Training, 0, 0));
    first.train(301, &mut ());
    let mut second = QLearner::restore(
        &setup,
        first.tables().to_vec(),
        first.rng().clone(),
        first.episodes(),
    );
    assert_eq!(
        second.states_visited(Side::O),
        first.states_visited(Side::O)
    );
    second.train(399, &mut ());
    assert!(whole.tables() == second.tables());
    assert_eq!(whole.rng(), second.rng());
    assert_eq!(
        whole.states_visited(Side::X),
        second.states_visited(Side::X)
    );
}

#[test]
fn softmax_weighs_a_value_by_the_temperature() {
    let graph = compile_game("tic-tac-toe").unwrap();
    let config = QLearningConfig {
        exploration: Exploration::Softmax {
            temperature: Schedule::Constant(0.5),
        },
        learning_rate: LearningRate::from(0.0),
        ..config()
    };
    let setup = QLearning::new(&graph, config, vec![Side::X], vec![(first(&graph), 1.0)]);
    // exp(q / 0.5) = 3 for the first move, 1 for the eight others.
    let mut tables = setup.new_tables();
    tables[0].values[setup.layout().entry(0)] = 0.5 * 3f64.ln();
    let mut learner = QLearner::restore(&setup, tables, stream(1, Purpose::Training, 0, 0), 0);
    let mut log = Log::default();
    learner.train(11_000, &mut log);
    let count = log.moves.iter().filter(|(edge, _)| *edge == 0).count();
    // 3,000 of 11,000 expected, standard deviation 47.
    assert!((2800..3200).contains(&count), "{count}");
}
