//! Searches against the graph and against known counts.

use playlab::agent::Solved;
use playlab::game::{Game, Mnk, Value};
use playlab::rng::{Purpose, stream};
use playlab::search::{AlphaBeta, Method, Solver, WIN_SCORE, minimax, perft};
use rand::RngExt;

type TicTacToe = Mnk<3, 3, 3>;

#[test]
fn perft_of_tic_tac_toe_has_its_known_counts() {
    let counts: Vec<u64> = (0..=9)
        .map(|depth| perft(TicTacToe::start(), depth))
        .collect();
    assert_eq!(
        counts,
        [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]
    );
    assert_eq!(perft(TicTacToe::start(), 10), 0);
}

/// The solver's and the graph's values in every `step`-th position.
fn solver_agrees<G: Game>(name: &str, step: usize) {
    let Solved { graph, solution } = Solved::game(name).unwrap();
    let mut solver = Solver::<G>::new(12);
    for position in (0..graph.position_count()).step_by(step) {
        let found = solver.value(G::from_key(graph.key(position)));
        assert_eq!(
            found,
            solution.value(position),
            "{name} {}",
            graph.format_position(position)
        );
    }
}

#[test]
fn the_solver_agrees_with_the_graph() {
    solver_agrees::<TicTacToe>("tic-tac-toe", 1);
    solver_agrees::<Mnk<4, 3, 3>>("mnk-4x3x3", 7);
}

#[test]
fn every_method_finds_the_value_of_every_position_of_tic_tac_toe() {
    let Solved { graph, solution } = Solved::game("tic-tac-toe").unwrap();
    for position in (0..graph.position_count()).rev() {
        let start = TicTacToe::from_key(graph.key(position));
        for method in Method::ALL {
            // A tree near the root and a table for each position cost too much.
            if position < 10 || method == Method::Solver {
                continue;
            }
            let found = minimax(start, method, u64::MAX).unwrap();
            assert_eq!(
                found.value,
                solution.value(position),
                "{method} {}",
                graph.format_position(position)
            );
        }
    }
}

fn value<G: Game>() -> Value {
    Solver::<G>::new(20).value(G::start())
}

#[test]
fn larger_boards_have_their_known_values() {
    assert_eq!(value::<Mnk<4, 3, 3>>(), Value::Win);
    assert_eq!(value::<Mnk<4, 4, 3>>(), Value::Win);
    assert_eq!(value::<Mnk<4, 4, 4>>(), Value::Draw);
    assert_eq!(value::<Mnk<5, 4, 4>>(), Value::Draw);
    assert_eq!(value::<Mnk<6, 4, 4>>(), Value::Draw);
    assert_eq!(value::<Mnk<5, 5, 4>>(), Value::Draw);
}

#[test]
#[ignore = "takes a minute without optimisation: cargo test --release -- --ignored"]
fn five_in_a_row_on_five_by_five_is_a_draw() {
    assert_eq!(value::<Mnk<5, 5, 5>>(), Value::Draw);
}

#[test]
fn the_solver_finds_a_move_that_keeps_the_value() {
    let mut solver = Solver::new(16);
    // X threatens nothing yet; only b2 does not lose.
    let position = TicTacToe::parse("X../.../...").unwrap();
    assert_eq!(
        solver.optimal_move(position),
        Some(TicTacToe::parse_move("b2").unwrap())
    );
    let over = TicTacToe::parse("XXX/OO./...").unwrap();
    assert_eq!(solver.optimal_move(over), None);
    assert_eq!(solver.value(over), Value::Loss);
}

/// Minimax to a depth as in a textbook, without pruning; scores count plies from
/// the position.
fn plain<G: Game>(position: G, depth: u32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.for_side(position.to_move()) {
            Value::Win => WIN_SCORE,
            Value::Draw => 0,
            Value::Loss => -WIN_SCORE,
        };
    }
    if depth == 0 {
        return position.evaluate();
    }
    let scores = position.moves().map(|mv| {
        let score = -plain(position.play_unchecked(mv), depth - 1);
        // One ply further from the end.
        match score {
            500_000.. => score - 1,
            ..=-500_000 => score + 1,
            _ => score,
        }
    });
    scores.max().unwrap()
}

/// The search against plain minimax along random games; one search for all of
/// them, so that what it remembers must do no harm.
fn alpha_beta_agrees<G: Game>(games: u64, depths: u32) -> u64 {
    let mut search = AlphaBeta::<G>::new();
    let mut rng = stream(5, Purpose::Evaluation, 0, 0);
    let mut compared = 0;
    for game in 0..games {
        let mut position = G::start();
        while position.outcome().is_none() {
            let depth = 1 + (game as u32 + compared as u32) % depths;
            let (score, moves) = search.best_moves(position, depth);
            assert_eq!(
                score,
                plain(position, depth),
                "{} {depth}",
                position.format()
            );
            for (mv, found) in search.scores(position, depth) {
                let reply = -plain(position.play_unchecked(mv), depth - 1);
                let expected = match reply {
                    500_000.. => reply - 1,
                    ..=-500_000 => reply + 1,
                    _ => reply,
                };
                assert_eq!(found, expected);
                assert_eq!(moves.contains(mv), found == score);
            }
            compared += 1;
            let legal = position.moves();
            let mv = legal.get(rng.random_range(0..legal.len()));
            position = position.play_unchecked(mv);
        }
    }
    compared
}

#[test]
fn alpha_beta_finds_what_plain_minimax_finds() {
    let mut compared = alpha_beta_agrees::<TicTacToe>(400, 5);
    compared += alpha_beta_agrees::<Mnk<4, 3, 3>>(60, 3);
    compared += alpha_beta_agrees::<Mnk<5, 5, 4>>(6, 2);
    assert!(compared > 3000, "{compared} positions");
}

#[test]
fn alpha_beta_to_the_end_of_the_game_knows_the_distance() {
    let Solved { graph, solution } = Solved::game("tic-tac-toe").unwrap();
    let mut search = AlphaBeta::<TicTacToe>::new();
    for position in (0..graph.position_count()).step_by(13) {
        if graph.edges(position).is_empty() {
            continue;
        }
        let (score, _) = search.best_moves(TicTacToe::from_key(graph.key(position)), 9);
        let distance = solution.distance(position) as i32;
        let expected = match solution.value(position) {
            Value::Win => WIN_SCORE - distance,
            Value::Draw => 0,
            Value::Loss => distance - WIN_SCORE,
        };
        assert_eq!(score, expected, "{}", graph.format_position(position));
    }
}

#[test]
fn open_lines_count_by_their_stones() {
    let evaluate = |text: &str| TicTacToe::parse(text).unwrap().evaluate();
    assert_eq!(evaluate(".../.../..."), 0);
    // For O: the centre has four lines of one X, worth 1 each.
    assert_eq!(evaluate(".../.X./..."), -4);
    // For X: three lines of its own with one stone, for O two: row 1 and column a.
    assert_eq!(evaluate("O../.X./..."), 1);
    // For O: X has the row, worth 4, and two columns, O a row and a column.
    assert_eq!(evaluate("XX./.../..O"), -4 - 1 - 1 + 1 + 1);
}
