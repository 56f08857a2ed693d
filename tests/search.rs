//! Searches against the graph and against known counts.

use playlab::game::{
    ConnectFour, Game, GameInfo, Hex, Mnk, Moves, Othello, Position, Side, Value, play_moves,
};
use playlab::graph::{GameGraph, Solution, compile_game};
use playlab::rng::{Purpose, stream};
use playlab::search::{
    EvaluationFunction, ExactSolver, Leaf, Limits, MinimaxMethod, Scoring, Solver, Stopped, Ties,
    WIN_SCORE, exact_solver, look_ahead, minimax, perft,
};
use rand::RngExt;

type TicTacToe = Mnk<3, 3, 3>;

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn solved(name: &str) -> (GameGraph, Solution) {
    let graph = compile_game(game(name)).unwrap();
    let solution = Solution::of(&graph);
    (graph, solution)
}

#[test]
fn perft_of_tic_tac_toe_has_its_known_counts() {
    let counts: Vec<u64> = (0..=9)
        .map(|depth| perft(Position::start(game("tic-tac-toe")), depth))
        .collect();
    assert_eq!(
        counts,
        [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]
    );
    assert_eq!(perft(Position::start(game("tic-tac-toe")), 10), 0);
}

/// Compares the solver's and the graph's values in every `step`-th position.
fn solver_agrees<G: Game>(name: &str, step: usize) {
    let (graph, solution) = solved(name);
    let mut solver: Box<dyn ExactSolver> = Box::new(Solver::<G>::new(12));
    for position in (0..graph.position_count()).step_by(step) {
        let found = solver
            .value(graph.position(position), &Limits::NONE)
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
    solver_agrees::<Mnk<3, 3, 3, true>>("misere-tic-tac-toe", 1);
    solver_agrees::<Hex<3>>("hex-3x3", 1);
}

#[test]
fn every_method_finds_the_value_of_every_position_of_tic_tac_toe() {
    let (graph, solution) = solved("tic-tac-toe");
    for position in (0..graph.position_count()).rev() {
        let start = graph.position(position);
        for method in MinimaxMethod::ALL {
            // A tree near the root, and a table for each position, would cost too much.
            if position < 10 || method == MinimaxMethod::Solver {
                continue;
            }
            let found = minimax(start, method, &Limits::NONE).unwrap();
            assert_eq!(
                found.value,
                solution.value(position),
                "{} {}",
                method.name(),
                graph.format_position(position)
            );
        }
    }
}

fn value(name: &str) -> Value {
    let mut solver = exact_solver(game(name), 22, Scoring::Raw);
    let start = Position::start(game(name));
    solver.value(start, &Limits::NONE).unwrap()
}

#[test]
fn larger_boards_have_their_known_values() {
    assert_eq!(value("mnk-4x3x3"), Value::Win);
    assert_eq!(value("mnk-4x4x3"), Value::Win);
    assert_eq!(value("mnk-4x4x4"), Value::Draw);
    assert_eq!(value("mnk-5x4x4"), Value::Draw);
    assert_eq!(value("mnk-6x4x4"), Value::Draw);
    assert_eq!(value("mnk-5x5x4"), Value::Draw);
}

#[test]
#[ignore = "takes a minute without optimisation: cargo test --release -- --ignored"]
fn five_in_a_row_on_five_by_five_is_a_draw() {
    assert_eq!(value("mnk-5x5x5"), Value::Draw);
}

#[test]
fn the_solver_finds_a_move_that_keeps_the_value() {
    let mut solver = exact_solver(game("tic-tac-toe"), 16, Scoring::Raw);
    let read = |text| Position::parse(game("tic-tac-toe"), text).unwrap();
    // X threatens nothing yet; only b2 does not lose.
    let position = read("X../.../...");
    let centre = TicTacToe::parse_move("b2").unwrap();
    for ties in [Ties::First, Ties::Random] {
        let moves = solver.optimal_moves(position, ties, &Limits::NONE);
        assert_eq!(moves, Ok(Moves::only(centre)));
    }
    let over = read("XXX/OO./...");
    let moves = solver.optimal_moves(over, Ties::First, &Limits::NONE);
    assert_eq!(moves, Ok(Moves::NONE));
    assert_eq!(solver.value(over, &Limits::NONE), Ok(Value::Loss));
}

/// Textbook minimax to a depth, without pruning; scores count plies from
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
/// them, so what it remembers must do no harm.
fn alpha_beta_agrees<G: Game>(name: &str, games: u64, depths: u32, evaluation: usize) -> u64 {
    let info = game(name);
    let mut search = look_ahead(info, &EvaluationFunction::Named(evaluation), Leaf::Position);
    let mut rng = stream(5, Purpose::Evaluation, 0, 0);
    let mut compared = 0;
    for game in 0..games {
        let mut position = G::start();
        while position.outcome().is_none() {
            let depth = 1 + (game as u32 + compared as u32) % depths;
            let erased = Position::of(info, position);
            let (score, moves) = search.best_moves(erased, depth, &Limits::NONE).unwrap();
            assert_eq!(
                score,
                plain(position, depth, evaluation),
                "{} {depth}",
                position.format()
            );
            for (mv, found) in search.scores(erased, depth, &Limits::NONE).unwrap() {
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
    let mut compared = alpha_beta_agrees::<TicTacToe>("tic-tac-toe", 80, 5, 0);
    compared += alpha_beta_agrees::<Mnk<4, 3, 3>>("mnk-4x3x3", 15, 3, 0);
    compared += alpha_beta_agrees::<Mnk<5, 5, 4>>("mnk-5x5x4", 2, 2, 0);
    compared += alpha_beta_agrees::<ConnectFour<7, 6>>("connect-four", 2, 4, 0);
    compared += alpha_beta_agrees::<Mnk<3, 3, 3, true>>("misere-tic-tac-toe", 15, 5, 0);
    compared += alpha_beta_agrees::<Hex<4>>("hex-4x4", 8, 3, 0);
    for evaluation in 0..3 {
        compared += alpha_beta_agrees::<Othello<6>>("othello-6x6", 2, 3, evaluation);
    }
    assert!(compared > 1000, "{compared} positions");
}

#[test]
fn alpha_beta_to_the_end_of_the_game_knows_the_distance() {
    let (graph, solution) = solved("tic-tac-toe");
    let mut search = look_ahead(
        game("tic-tac-toe"),
        &EvaluationFunction::Named(0),
        Leaf::Position,
    );
    let limits = Limits::NONE;
    for position in (0..graph.position_count()).step_by(13) {
        if graph.edges(position).is_empty() {
            continue;
        }
        let (score, _) = search
            .best_moves(graph.position(position), 9, &limits)
            .unwrap();
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
    // For X: three lines of its own with one stone; for O two: row 1 and column a.
    assert_eq!(evaluate("O../.X./..."), 1);
    // For O: X has the row, worth 4, and two columns, O a row and a column.
    assert_eq!(evaluate("XX./.../..O"), -4 - 1 - 1 + 1 + 1);
}

#[test]
fn paths_count_by_the_stones_that_they_lack() {
    let evaluate = |text: &str| Hex::<3>::parse(text).unwrap().evaluate(0);
    assert_eq!(evaluate(".../.../..."), 0);
    // For O: X lacks two stones, O has to go around the one in the middle: three.
    assert_eq!(evaluate(".../.X./..."), 2 - 3);
    // For X: O's stone in the middle is in the way of every path of two.
    assert_eq!(evaluate("X../.O./..."), 2 - 2);
}

#[test]
fn open_threes_and_the_centre_count_in_connect_four() {
    let evaluate = |moves: &str| {
        let position = play_moves(game("connect-four"), moves).unwrap();
        position.typed::<ConnectFour<7, 6>>().evaluate(0)
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
    let position: Othello<8> = play_moves(game("othello"), "d3").unwrap().typed();
    // O to move, with one disc against four.
    assert_eq!(position.evaluate(0), -3);
    // d3 is worth -1, like d4, e4, d5 and e5.
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
    let info = game("othello");
    let start = play_moves(info, "d3").unwrap();
    let mut search = look_ahead(info, &EvaluationFunction::Named(0), Leaf::LastGain);
    // One ply: each answer turns one disc and places one.
    let found = search.best_moves(start, 1, &Limits::NONE);
    assert_eq!(found, Ok((2, start.moves())));
    // Two plies: only what the best answer gains counts.
    let position: Othello<8> = start.typed();
    for (mv, score) in search.scores(start, 2, &Limits::NONE).unwrap() {
        let child = position.play_unchecked(mv);
        let gains = child.moves().map(|reply| {
            let after = child.play_unchecked(reply);
            after.discs(Side::X).count_ones() as i32 - child.discs(Side::X).count_ones() as i32
        });
        assert_eq!(score, -gains.max().unwrap());
    }
    // A pass ends the line and gains nothing.
    let info = game("othello-4x4");
    let stuck = Position::parse(info, "XXX./XXX./XXX./OOX. O").unwrap();
    let mut search = look_ahead(info, &EvaluationFunction::Named(0), Leaf::LastGain);
    for (mv, score) in search.scores(stuck, 2, &Limits::NONE).unwrap() {
        let child = stuck.play_unchecked(mv);
        if child.moves().all(|reply| reply == Othello::<4>::PASS) {
            assert_eq!(score, 0);
        }
    }
}

#[test]
fn looking_ahead_keeps_its_limits() {
    let start = Position::start(game("othello"));
    for leaf in [Leaf::Position, Leaf::LastGain] {
        let mut search = look_ahead(game("othello"), &EvaluationFunction::Named(0), leaf);
        let found = search.best_moves(start, 6, &Limits::nodes(500));
        assert_eq!(found, Err(Stopped));
        let whole = search.best_moves(start, 3, &Limits::NONE);
        let fresh = look_ahead(game("othello"), &EvaluationFunction::Named(0), leaf).best_moves(
            start,
            3,
            &Limits::NONE,
        );
        assert_eq!(whole, fresh);
    }
}

fn start() -> Position {
    Position::start(game("tic-tac-toe"))
}

fn nodes(method: MinimaxMethod) -> u64 {
    let counted = minimax(start(), method, &Limits::NONE).unwrap();
    assert_eq!(counted.value, Value::Draw);
    counted.nodes
}

#[test]
fn each_search_of_tic_tac_toe_looks_at_its_known_number_of_positions() {
    assert_eq!(nodes(MinimaxMethod::Tree), 549_946);
    assert_eq!(nodes(MinimaxMethod::AlphaBeta), 18_297);
    assert_eq!(nodes(MinimaxMethod::Memo), 5478);
    assert_eq!(nodes(MinimaxMethod::Folded), 765);
    assert!(nodes(MinimaxMethod::AlphaBetaOrdered) < 18_297);
}

#[test]
fn the_limit_is_kept_to_the_node() {
    let (start, nodes) = (start(), Limits::nodes);
    assert_eq!(
        minimax(start, MinimaxMethod::Tree, &nodes(549_945)),
        Err(Stopped)
    );
    assert!(minimax(start, MinimaxMethod::Tree, &nodes(549_946)).is_ok());
    assert_eq!(
        minimax(start, MinimaxMethod::Folded, &nodes(764)),
        Err(Stopped)
    );
}
