//! Searches against the graph and against known counts.

use playlab::agent::Solved;
use playlab::game::{ConnectFour, Game, Mnk, Moves, Othello, Side, Value, play_moves};
use playlab::rng::{Purpose, stream};
use playlab::search::{
    AlphaBeta, ExactSolver, Limits, Method, Solver, Ties, WIN_SCORE, last_gain_moves,
    last_gain_scores, minimax, perft,
};
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
        let found = solver
            .value(G::from_key(graph.key(position)), &Limits::NONE)
            .unwrap();
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
            let found = minimax(start, method, &Limits::NONE).unwrap();
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
    Solver::<G>::new(20)
        .value(G::start(), &Limits::NONE)
        .unwrap()
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
    let centre = TicTacToe::parse_move("b2").unwrap();
    for ties in [Ties::First, Ties::Random] {
        let moves = solver.optimal_moves(position, ties, &Limits::NONE);
        assert_eq!(moves, Ok(Moves::from_bits(1 << centre.index())));
    }
    let over = TicTacToe::parse("XXX/OO./...").unwrap();
    let moves = solver.optimal_moves(over, Ties::First, &Limits::NONE);
    assert_eq!(moves, Ok(Moves::NONE));
    assert_eq!(solver.value(over, &Limits::NONE), Ok(Value::Loss));
}

/// Minimax to a depth as in a textbook, without pruning; scores count plies from
/// the position.
fn plain<G: Game>(position: G, depth: u32, evaluation: usize) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.for_side(position.to_move()) {
            Value::Win => WIN_SCORE,
            Value::Draw => 0,
            Value::Loss => -WIN_SCORE,
        };
    }
    if depth == 0 {
        return position.evaluate(evaluation);
    }
    let scores = position.moves().map(|mv| {
        let score = -plain(position.play_unchecked(mv), depth - 1, evaluation);
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
fn alpha_beta_agrees<G: Game>(games: u64, depths: u32, evaluation: usize) -> u64 {
    let mut search = AlphaBeta::<G>::new(evaluation);
    let mut rng = stream(5, Purpose::Evaluation, 0, 0);
    let mut compared = 0;
    for game in 0..games {
        let mut position = G::start();
        while position.outcome().is_none() {
            let depth = 1 + (game as u32 + compared as u32) % depths;
            let (score, moves) = search.best_moves(position, depth);
            assert_eq!(
                score,
                plain(position, depth, evaluation),
                "{} {depth}",
                position.format()
            );
            for (mv, found) in search.scores(position, depth) {
                let reply = -plain(position.play_unchecked(mv), depth - 1, evaluation);
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
    let mut compared = alpha_beta_agrees::<TicTacToe>(400, 5, 0);
    compared += alpha_beta_agrees::<Mnk<4, 3, 3>>(60, 3, 0);
    compared += alpha_beta_agrees::<Mnk<5, 5, 4>>(6, 2, 0);
    compared += alpha_beta_agrees::<ConnectFour<7, 6>>(6, 4, 0);
    for evaluation in 0..3 {
        compared += alpha_beta_agrees::<Othello<6>>(3, 3, evaluation);
    }
    assert!(compared > 3000, "{compared} positions");
}

#[test]
fn alpha_beta_to_the_end_of_the_game_knows_the_distance() {
    let Solved { graph, solution } = Solved::game("tic-tac-toe").unwrap();
    let mut search = AlphaBeta::<TicTacToe>::new(0);
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
    let evaluate = |text: &str| TicTacToe::parse(text).unwrap().evaluate(0);
    assert_eq!(evaluate(".../.../..."), 0);
    // For O: the centre has four lines of one X, worth 1 each.
    assert_eq!(evaluate(".../.X./..."), -4);
    // For X: three lines of its own with one stone, for O two: row 1 and column a.
    assert_eq!(evaluate("O../.X./..."), 1);
    // For O: X has the row, worth 4, and two columns, O a row and a column.
    assert_eq!(evaluate("XX./.../..O"), -4 - 1 - 1 + 1 + 1);
}

#[test]
fn open_threes_and_the_centre_count_in_connect_four() {
    let evaluate = |moves: &str| {
        let position: ConnectFour<7, 6> = play_moves(moves).unwrap();
        position.evaluate(0)
    };
    assert_eq!(evaluate(""), 0);
    // X is in the middle, 2; O beside it, 1; X to move.
    assert_eq!(evaluate("43"), 2 - 1);
    // O to move, with a stone in the middle and one beside it, as X has, and another
    // one on the other side; its three are open at both ends.
    assert_eq!(evaluate("33445"), 2 + 1 - (2 * 16 + 2 + 1 + 1));
}

#[test]
fn discs_and_their_squares_count_in_othello() {
    let position: Othello<8> = play_moves("d3").unwrap();
    // O to move, with one disc against four.
    assert_eq!(position.evaluate(0), -3);
    // d3 is worth -1 as d4, e4, d5 and e5 are.
    assert_eq!(position.evaluate(1), -1 + 4);
    assert_eq!(position.evaluate(2), 1 - (2 + 3));
    let corner = Othello::<4>::parse("XOO./OXO./OOX./.... X").unwrap();
    // The corner a1, then b2 and c3, against b1, c1, a2, c2, a3 and b3.
    assert_eq!(
        corner.evaluate(1),
        (30 - 2 * 15) - (-12 - 12 - 12 - 15 - 12 - 15)
    );
    assert_eq!(corner.evaluate(0), 3 - 6);
}

#[test]
fn the_last_gain_forgets_what_was_gained_before() {
    let position: Othello<8> = play_moves("d3").unwrap();
    // One ply: each answer turns one disc and puts one.
    let (best, moves) = last_gain_moves(position, 1, 0);
    assert_eq!((best, moves), (2, position.moves()));
    // Two plies: what the best answer gains, all that counts.
    for (mv, score) in last_gain_scores(position, 2, 0) {
        let child = position.play_unchecked(mv);
        let gains = child.moves().map(|reply| {
            let after = child.play_unchecked(reply);
            after.discs(Side::X).count_ones() as i32 - child.discs(Side::X).count_ones() as i32
        });
        assert_eq!(score, -gains.max().unwrap());
    }
    // A pass ends the line with nothing.
    let stuck = Othello::<4>::parse("XXX./XXX./XXX./OOX. O").unwrap();
    for (mv, score) in last_gain_scores(stuck, 2, 0) {
        let child = stuck.play_unchecked(mv);
        if child.moves().all(|reply| reply == Othello::<4>::PASS) {
            assert_eq!(score, 0);
        }
    }
}
