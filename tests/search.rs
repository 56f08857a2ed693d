//! Searches against the graph and against known counts.

use playlab::agent::Solved;
use playlab::game::{Game, Mnk, Value};
use playlab::search::{Method, Solver, minimax, perft};

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
}

#[test]
#[ignore = "takes minutes without optimisation: cargo test --release -- --ignored"]
fn still_larger_boards_have_their_known_values() {
    assert_eq!(value::<Mnk<6, 4, 4>>(), Value::Draw);
    assert_eq!(value::<Mnk<5, 5, 4>>(), Value::Draw);
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
