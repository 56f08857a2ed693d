//! Counts, values and probabilities that were established elsewhere.

use playlab::agent::{AgentSpec, MinimaxChoice};
use playlab::evaluate::most_wins_without_loss;
use playlab::game::{Outcome, Side, Value};
use playlab::graph::{GameGraph, Policy, Rates, START, Solution, Sweeper, compile_game};

fn compiled(name: &str) -> (GameGraph, Solution) {
    let graph = compile_game(name).unwrap();
    let solution = Solution::of(&graph);
    (graph, solution)
}

fn tic_tac_toe() -> (GameGraph, Solution) {
    compiled("tic-tac-toe")
}

#[track_caller]
fn assert_close(actual: f64, expected: f64) {
    assert!(
        (actual - expected).abs() < 1e-12,
        "{actual} is not {expected}"
    );
}

fn stones(graph: &GameGraph, position: usize) -> usize {
    graph.format_position(position).matches(['X', 'O']).count()
}

fn counts_by_ply(graph: &GameGraph, positions: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut counts = vec![0; 10];
    for position in positions {
        counts[stones(graph, position)] += 1;
    }
    counts
}

/// One position of each class.
fn representatives(graph: &GameGraph) -> Vec<usize> {
    let mut seen = vec![false; graph.class_count()];
    (0..graph.position_count())
        .filter(|&position| !std::mem::replace(&mut seen[graph.class(position)], true))
        .collect()
}

#[test]
fn tic_tac_toe_has_its_known_positions() {
    let (graph, _) = tic_tac_toe();
    assert_eq!(graph.position_count(), 5478);
    assert_eq!(graph.game().positions, Some(5478));
    assert_eq!(graph.edge_count(), 16_167);
    assert_eq!(graph.decisions(Side::X).count(), 2423);
    assert_eq!(graph.decisions(Side::O).count(), 2097);
    let ended = |outcome| {
        (0..graph.position_count())
            .filter(|&p| graph.outcome(p) == Some(outcome))
            .count()
    };
    assert_eq!(ended(Outcome::Win(Side::X)), 626);
    assert_eq!(ended(Outcome::Win(Side::O)), 316);
    assert_eq!(ended(Outcome::Draw), 16);
    let plies = counts_by_ply(&graph, 0..graph.position_count());
    assert_eq!(plies, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
}

#[test]
fn tic_tac_toe_has_its_known_classes() {
    let (graph, _) = tic_tac_toe();
    let classes = representatives(&graph);
    assert_eq!(graph.class_count(), 765);
    let plies = counts_by_ply(&graph, classes.iter().copied());
    assert_eq!(plies, [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    let live = |side| {
        let to_move = |&&p: &&usize| graph.outcome(p).is_none() && graph.to_move(p) == side;
        classes.iter().filter(to_move).count()
    };
    assert_eq!((live(Side::X), live(Side::O)), (338, 289));
    let ended = |outcome| {
        classes
            .iter()
            .filter(|&&p| graph.outcome(p) == Some(outcome))
            .count()
    };
    let outcomes = [Outcome::Win(Side::X), Outcome::Win(Side::O), Outcome::Draw];
    assert_eq!(outcomes.map(ended), [91, 44, 3]);
    let children = |p: usize| graph.edges(p).map(|edge| graph.class(graph.child(edge)));
    let all: usize = classes.iter().map(|&p| children(p).count()).sum();
    let distinct: usize = classes
        .iter()
        .map(|&p| children(p).collect::<std::collections::BTreeSet<_>>().len())
        .sum();
    assert_eq!((all, distinct), (2270, 2096));
}

#[test]
fn tic_tac_toe_has_its_known_games() {
    let (graph, _) = tic_tac_toe();
    let mut ways = vec![0u64; graph.position_count()];
    ways[START] = 1;
    let (mut tree, mut by_length) = ([0u64; 10], [0u64; 10]);
    let (mut x, mut o, mut draws) = (0, 0, 0);
    for position in 0..graph.position_count() {
        tree[stones(&graph, position)] += ways[position];
        for edge in graph.edges(position) {
            ways[graph.child(edge)] += ways[position];
        }
        let Some(outcome) = graph.outcome(position) else {
            continue;
        };
        by_length[stones(&graph, position)] += ways[position];
        match outcome {
            Outcome::Win(Side::X) => x += ways[position],
            Outcome::Win(Side::O) => o += ways[position],
            Outcome::Draw => draws += ways[position],
        }
    }
    assert_eq!(
        tree,
        [
            1, 9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872
        ]
    );
    assert_eq!(tree.iter().sum::<u64>(), 549_946);
    assert_eq!(by_length[5..], [1440, 5328, 47_952, 72_576, 127_872]);
    assert_eq!((x, o, draws), (131_184, 77_904, 46_080));
}

#[test]
fn tic_tac_toe_has_its_known_values() {
    let (graph, solution) = tic_tac_toe();
    let count = |value| {
        let live = Side::BOTH
            .into_iter()
            .flat_map(|side| graph.decisions(side));
        live.filter(|&position| solution.value(position) == value)
            .count()
    };
    assert_eq!(
        [Value::Win, Value::Draw, Value::Loss].map(count),
        [2836, 1052, 632]
    );
    let keeping: usize = (0..graph.position_count())
        .map(|p| {
            graph
                .edges(p)
                .filter(|&edge| solution.is_optimal(&graph, p, edge))
                .count()
        })
        .sum();
    assert_eq!(keeping, 8863);
    assert_eq!(solution.value(START), Value::Draw);
    assert_eq!(solution.distance(START), 9);
}

/// Exact results of `x` against `o`, as X's.
fn play(graph: &GameGraph, x: &Policy, o: &Policy) -> Rates {
    Sweeper::new(graph).outcome_rates(Side::X, x, o)
}

#[test]
fn random_play_of_the_smallest_othello_has_its_known_results() {
    let (graph, solution) = compiled("othello-4x4");
    let random = AgentSpec::Random.policy(&graph, &solution).unwrap();
    let rates = play(&graph, &random, &random);
    for (rate, known) in [
        (rates.win, 0.352_050),
        (rates.loss, 0.551_318),
        (rates.draw, 0.096_632),
    ] {
        assert!((rate - known).abs() < 5e-7, "{rate} is not {known}");
    }
    assert_eq!(solution.value(START), Value::Loss);
}

#[test]
fn random_and_perfect_players_have_their_known_results() {
    let (graph, solution) = tic_tac_toe();
    let policy = |spec: AgentSpec| spec.policy(&graph, &solution).unwrap();
    let random = policy(AgentSpec::Random);
    let minimax = policy(AgentSpec::Minimax(MinimaxChoice::Uniform.into()));
    let first = policy(AgentSpec::Minimax(MinimaxChoice::First.into()));
    let fastest = policy(AgentSpec::Minimax(MinimaxChoice::Fastest.into()));

    let rates = play(&graph, &random, &random);
    assert_close(rates.win, 737.0 / 1260.0);
    assert_close(rates.loss, 121.0 / 420.0);
    assert_close(rates.draw, 8.0 / 63.0);

    let rates = play(&graph, &minimax, &random);
    assert_close(rates.win, 75_257.0 / 77_760.0);
    assert_eq!(rates.loss, 0.0);
    let rates = play(&graph, &random, &minimax);
    assert_close(rates.loss, 2645.0 / 3402.0);
    assert_eq!(rates.win, 0.0);

    let rates = play(&graph, &first, &random);
    assert_close(rates.win, 191.0 / 192.0);
    assert_eq!(rates.loss, 0.0);
    let rates = play(&graph, &random, &first);
    assert_close(rates.loss, 254.0 / 315.0);
    assert_eq!(rates.win, 0.0);

    for x in [&minimax, &first, &fastest] {
        for o in [&minimax, &first, &fastest] {
            assert_close(play(&graph, x, o).draw, 1.0);
        }
    }
}

#[test]
fn wins_against_random_have_their_known_ceilings() {
    let (graph, solution) = tic_tac_toe();
    let random = Policy::uniform(&graph);
    let any = |side| Sweeper::new(&graph).most_wins(side, &random);
    let safe = |side| most_wins_without_loss(&graph, &solution, side, &random).unwrap();
    assert_close(any(Side::X), 191.0 / 192.0);
    assert_close(safe(Side::X), 191.0 / 192.0);
    assert!((any(Side::O) - 0.93862).abs() < 5e-6);
    assert_close(safe(Side::O), 866.0 / 945.0);
}

#[test]
fn the_best_response_to_a_random_player_has_its_known_score() {
    let (graph, _) = tic_tac_toe();
    let random = Policy::uniform(&graph);
    let response = Sweeper::new(&graph).best_response(Side::X, &random);
    assert_close(response.rates.loss, 881.0 / 945.0);
    assert_close(response.rates.win, 1.0 / 135.0);
    assert_eq!(response.worst_case, Value::Loss);
}

/// The policy of `side` that is best against a random player when the end of a game
/// is worth `worth` (loss, draw, win) to it: any of the best moves.
fn optimum(graph: &GameGraph, side: Side, worth: [f64; 3]) -> Policy {
    let mut values = vec![0.0; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        let children = graph.edges(position).map(|edge| values[graph.child(edge)]);
        values[position] = match graph.terminal_value(position, side) {
            Some(value) => worth[value as usize],
            None if graph.to_move(position) == side => children.fold(f64::MIN, f64::max),
            None => children.sum::<f64>() / graph.edges(position).len() as f64,
        };
    }
    let worth_of = |edge: usize| values[graph.child(edge)];
    Policy::uniform_over(graph, |position, edge| {
        graph.to_move(position) != side || (worth_of(edge) - values[position]).abs() < 1e-12
    })
}

#[test]
fn the_o_that_wins_most_can_lose() {
    let (graph, _) = tic_tac_toe();
    let random = Policy::uniform(&graph);
    let greediest = optimum(&graph, Side::O, [0.0, 0.0, 1.0]);
    let mut sweeper = Sweeper::new(&graph);
    let rates = sweeper.outcome_rates(Side::O, &greediest, &random);
    assert_close(rates.win, sweeper.most_wins(Side::O, &random));
    assert_eq!(
        sweeper.best_response(Side::O, &greediest).worst_case,
        Value::Loss
    );
}

#[test]
fn an_x_that_wins_most_may_lose_or_not() {
    let (graph, _) = tic_tac_toe();
    let random = Policy::uniform(&graph);
    let mut sweeper = Sweeper::new(&graph);
    // All of these win as often as can be; a draw and a loss are worth the same to the
    // first, so it does not mind which one it risks.
    for (worth, worst) in [
        ([0.0, 0.0, 1.0], Value::Loss),
        ([-1.0, 0.0, 1.0], Value::Draw),
    ] {
        let policy = optimum(&graph, Side::X, worth);
        assert_close(
            sweeper.outcome_rates(Side::X, &policy, &random).win,
            191.0 / 192.0,
        );
        assert_eq!(sweeper.best_response(Side::X, &policy).worst_case, worst);
    }
}

#[test]
fn rewards_decide_whether_the_best_o_against_random_is_safe() {
    let (graph, _) = tic_tac_toe();
    let random = Policy::uniform(&graph);
    let mut sweeper = Sweeper::new(&graph);
    let unsafe_o = optimum(&graph, Side::O, [-1.0, 0.0, 1.0]);
    let rates = sweeper.outcome_rates(Side::O, &unsafe_o, &random);
    // Some policies that tie for it exchange wins and losses one for one.
    assert_close(rates.win - rates.loss, 881.0 / 945.0 - 1.0 / 135.0);
    assert_eq!(
        sweeper.best_response(Side::O, &unsafe_o).worst_case,
        Value::Loss
    );
    for worth in [[0.0, 0.9, 1.0], [-2.0, 0.9, 1.0], [-5.0, 0.0, 1.0]] {
        let safe = optimum(&graph, Side::O, worth);
        assert_close(
            sweeper.outcome_rates(Side::O, &safe, &random).win,
            866.0 / 945.0,
        );
        assert_eq!(
            sweeper.best_response(Side::O, &safe).worst_case,
            Value::Draw,
            "{worth:?}"
        );
    }
}

/// The number of nodes of a textbook alpha-beta search over positions, values −1,
/// 0 and 1, moves in order, and the value.
fn alpha_beta(graph: &GameGraph, position: usize, mut alpha: i32, beta: i32) -> (u64, i32) {
    if let Some(value) = graph.terminal_value(position, graph.to_move(position)) {
        return (1, value as i32 - 1);
    }
    let (mut nodes, mut best) = (1, i32::MIN);
    for edge in graph.edges(position) {
        let (below, value) = alpha_beta(graph, graph.child(edge), -beta, -alpha);
        nodes += below;
        best = best.max(-value);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    (nodes, best)
}

#[test]
fn alpha_beta_visits_its_known_number_of_nodes() {
    let (graph, _) = tic_tac_toe();
    assert_eq!(alpha_beta(&graph, START, -9, 9), (18_297, 0));
    assert_eq!(alpha_beta(&graph, START, -1, 1), (16_811, 0));
}

#[test]
fn small_mnk_games_have_their_known_values() {
    for (name, value) in [("mnk-4x3x3", Value::Win), ("mnk-4x4x3", Value::Win)] {
        let (graph, solution) = compiled(name);
        assert_eq!(solution.value(START), value, "{name}");
        assert_eq!(
            graph.game().positions,
            Some(graph.position_count() as u64),
            "{name}"
        );
    }
}

#[test]
#[ignore = "takes a minute without optimisation: cargo test --release -- --ignored"]
fn four_in_a_row_on_four_by_four_is_a_draw() {
    let (graph, solution) = compiled("mnk-4x4x4");
    assert_eq!(graph.position_count(), 9_722_011);
    assert_eq!(graph.game().positions, Some(9_722_011));
    assert_eq!(solution.value(START), Value::Draw);
}
