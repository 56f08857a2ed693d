//! Counts, values and probabilities established elsewhere.

use std::collections::{HashMap, HashSet};

use playlab::game::{GameInfo, Outcome, Position, Side, Value};
use playlab::graph::{GameGraph, Policy, Rates, START, Solved, Sweeper};
use playlab::search::{Limits, Scoring, exact_solver};

fn compiled(name: &str) -> Solved {
    Solved::game(GameInfo::find(name).unwrap()).unwrap()
}

fn tic_tac_toe() -> Solved {
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
    let mut seen = HashSet::new();
    (0..graph.position_count())
        .filter(|&position| seen.insert(graph.class(position)))
        .collect()
}

#[test]
fn tic_tac_toe_has_its_known_positions() {
    let graph = tic_tac_toe().graph;
    assert_eq!(graph.position_count(), 5478);
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
    let graph = tic_tac_toe().graph;
    let classes = representatives(&graph);
    assert_eq!(classes.len(), 765);
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
    let graph = tic_tac_toe().graph;
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
    let solved = tic_tac_toe();
    let Solved {
        graph, solution, ..
    } = &solved;
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
                .filter(|&edge| solved.is_optimal(p, edge))
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
    let Solved {
        graph, solution, ..
    } = compiled("othello-4x4");
    let random = Policy::uniform(&graph);
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
    let solved = tic_tac_toe();
    let graph = &solved.graph;
    let random = Policy::uniform(graph);
    let optimal = |position, edge| solved.is_optimal(position, edge);
    let minimax = Policy::uniform_over(graph, optimal);
    let first = Policy::uniform_over(graph, |position, edge| {
        let mut edges = graph.edges(position);
        edges.find(|&edge| optimal(position, edge)) == Some(edge)
    });
    let fastest = |position, edge| solved.is_fastest(position, edge);
    let fastest = Policy::uniform_over(graph, fastest);

    let rates = play(graph, &random, &random);
    assert_close(rates.win, 737.0 / 1260.0);
    assert_close(rates.loss, 121.0 / 420.0);
    assert_close(rates.draw, 8.0 / 63.0);

    let rates = play(graph, &minimax, &random);
    assert_close(rates.win, 75_257.0 / 77_760.0);
    assert_eq!(rates.loss, 0.0);
    let rates = play(graph, &random, &minimax);
    assert_close(rates.loss, 2645.0 / 3402.0);
    assert_eq!(rates.win, 0.0);

    let rates = play(graph, &first, &random);
    assert_close(rates.win, 191.0 / 192.0);
    assert_eq!(rates.loss, 0.0);
    let rates = play(graph, &random, &first);
    assert_close(rates.loss, 254.0 / 315.0);
    assert_eq!(rates.win, 0.0);

    for x in [&minimax, &first, &fastest] {
        for o in [&minimax, &first, &fastest] {
            assert_close(play(graph, x, o).draw, 1.0);
        }
    }
}

#[test]
fn wins_against_random_have_their_known_ceilings() {
    let solved = tic_tac_toe();
    let graph = &solved.graph;
    let random = Policy::uniform(graph);
    let any = |side| Sweeper::new(graph).most_wins(side, &random, |_| true);
    let safe = |side| {
        let safe = |edge| solved.move_value(edge) != Value::Loss;
        Sweeper::new(graph).most_wins(side, &random, safe)
    };
    assert_close(any(Side::X), 191.0 / 192.0);
    assert_close(safe(Side::X), 191.0 / 192.0);
    assert!((any(Side::O) - 0.93862).abs() < 5e-6);
    assert_close(safe(Side::O), 866.0 / 945.0);
}

#[test]
fn the_best_response_to_a_random_player_has_its_known_score() {
    let graph = tic_tac_toe().graph;
    let random = Policy::uniform(&graph);
    let response = Sweeper::new(&graph).worst_opponents(Side::X, &random);
    assert_close(response.best_response.loss, 881.0 / 945.0);
    assert_close(response.best_response.win, 1.0 / 135.0);
    assert_eq!(response.worst_case, Value::Loss);
}

/// The policy of `side` that is best against a random player when the end of a game
/// is worth `worth` (loss, draw, win) to it: any of the best moves.
fn optimum(graph: &GameGraph, side: Side, worth: [f64; 3]) -> Policy {
    let mut values = vec![0.0; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        let children = graph.edges(position).map(|edge| values[graph.child(edge)]);
        values[position] = match graph.terminal_value(position, side) {
            Some(value) => worth[value.index()],
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
    let graph = tic_tac_toe().graph;
    let random = Policy::uniform(&graph);
    let greediest = optimum(&graph, Side::O, [0.0, 0.0, 1.0]);
    let mut sweeper = Sweeper::new(&graph);
    let rates = sweeper.outcome_rates(Side::O, &greediest, &random);
    assert_close(rates.win, sweeper.most_wins(Side::O, &random, |_| true));
    assert_eq!(
        sweeper.worst_opponents(Side::O, &greediest).worst_case,
        Value::Loss
    );
}

#[test]
fn an_x_that_wins_most_may_lose_or_not() {
    let graph = tic_tac_toe().graph;
    let random = Policy::uniform(&graph);
    let mut sweeper = Sweeper::new(&graph);
    // All of these win as often as possible; a draw and a loss are worth the same to the
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
        assert_eq!(sweeper.worst_opponents(Side::X, &policy).worst_case, worst);
    }
}

#[test]
fn rewards_decide_whether_the_best_o_against_random_is_safe() {
    let graph = tic_tac_toe().graph;
    let random = Policy::uniform(&graph);
    let mut sweeper = Sweeper::new(&graph);
    let unsafe_o = optimum(&graph, Side::O, [-1.0, 0.0, 1.0]);
    let rates = sweeper.outcome_rates(Side::O, &unsafe_o, &random);
    // Some policies that tie for it exchange wins and losses one for one.
    assert_close(rates.win - rates.loss, 881.0 / 945.0 - 1.0 / 135.0);
    assert_eq!(
        sweeper.worst_opponents(Side::O, &unsafe_o).worst_case,
        Value::Loss
    );
    for worth in [[0.0, 0.9, 1.0], [-2.0, 0.9, 1.0], [-5.0, 0.0, 1.0]] {
        let safe = optimum(&graph, Side::O, worth);
        assert_close(
            sweeper.outcome_rates(Side::O, &safe, &random).win,
            866.0 / 945.0,
        );
        assert_eq!(
            sweeper.worst_opponents(Side::O, &safe).worst_case,
            Value::Draw,
            "{worth:?}"
        );
    }
}

#[test]
fn three_in_a_row_on_four_by_three_is_won() {
    assert_eq!(compiled("mnk-4x3x3").solution.value(START), Value::Win);
}

#[test]
#[ignore = "takes a minute without optimisation: cargo test --release -- --ignored"]
fn four_in_a_row_on_four_by_four_is_a_draw() {
    let Solved {
        graph, solution, ..
    } = compiled("mnk-4x4x4");
    assert_eq!(graph.position_count(), 9_722_011);
    assert_eq!(solution.value(START), Value::Draw);
}

/// How the games of misère tic-tac-toe end (won by X, by O, drawn) and what its positions
/// are worth, on boards that are strings.
fn misere(
    board: &mut [u8; 9],
    known: &mut HashMap<[u8; 9], (Value, [u64; 3])>,
) -> (Value, [u64; 3]) {
    const LINES: [[usize; 3]; 8] = [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [0, 3, 6],
        [1, 4, 7],
        [2, 5, 8],
        [0, 4, 8],
        [2, 4, 6],
    ];
    if let Some(&found) = known.get(board) {
        return found;
    }
    let stones = board.iter().filter(|square| **square != b'.').count();
    let (mover, other) = if stones % 2 == 0 {
        (b'X', b'O')
    } else {
        (b'O', b'X')
    };
    let lost = |side| {
        LINES
            .iter()
            .any(|line| line.iter().all(|&square| board[square] == side))
    };
    let found = if lost(other) {
        let by_x = mover == b'X';
        (Value::Win, [u64::from(by_x), u64::from(!by_x), 0])
    } else if stones == 9 {
        (Value::Draw, [0, 0, 1])
    } else {
        let (mut best, mut ends) = (Value::Loss, [0; 3]);
        for square in 0..9 {
            if board[square] == b'.' {
                board[square] = mover;
                let (reply, more) = misere(board, known);
                board[square] = b'.';
                best = best.max(reply.opposite());
                ends.iter_mut()
                    .zip(more)
                    .for_each(|(sum, more)| *sum += more);
            }
        }
        (best, ends)
    };
    known.insert(*board, found);
    found
}

#[test]
fn misere_tic_tac_toe_is_a_draw_with_the_results_of_the_other_side() {
    let mut known = HashMap::new();
    let (value, ends) = misere(&mut [b'.'; 9], &mut known);
    assert_eq!((value, ends), (Value::Draw, [77_904, 131_184, 46_080]));
    let Solved {
        graph, solution, ..
    } = compiled("misere-tic-tac-toe");
    assert_eq!((graph.position_count(), known.len()), (5478, 5478));
    assert_eq!(representatives(&graph).len(), 765);
    for position in 0..graph.position_count() {
        let text = graph.format_position(position).replace('/', "");
        let board: [u8; 9] = text.as_bytes().try_into().unwrap();
        assert_eq!(solution.value(position), known[&board].0, "{text}");
    }
}

/// Whether the side, X or O, has connected its edges, by a walk over the squares.
fn connects(text: &str, side: u8) -> bool {
    let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
    let n = rows.len() as i32;
    let held = |row: i32, column: i32| {
        (0..n).contains(&row)
            && (0..n).contains(&column)
            && rows[row as usize][column as usize] == side
    };
    let mut to_visit: Vec<(i32, i32)> = (0..n)
        .map(|i| if side == b'X' { (0, i) } else { (i, 0) })
        .filter(|&(row, column)| held(row, column))
        .collect();
    let mut seen = to_visit.clone();
    while let Some((row, column)) = to_visit.pop() {
        if n - 1 == if side == b'X' { row } else { column } {
            return true;
        }
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)] {
            let next = (row + down, column + right);
            if held(next.0, next.1) && !seen.contains(&next) {
                seen.push(next);
                to_visit.push(next);
            }
        }
    }
    false
}

#[test]
fn who_connects_the_edges_wins_hex() {
    let Solved {
        graph, solution, ..
    } = compiled("hex-3x3");
    assert_eq!(solution.value(START), Value::Win);
    for position in 0..graph.position_count() {
        let text = graph.format_position(position);
        let connected = [b'X', b'O'].map(|side| connects(&text, side));
        let expected = match graph.outcome(position) {
            None => [false, false],
            Some(outcome) => Side::BOTH.map(|side| outcome == Outcome::Win(side)),
        };
        assert_eq!(connected, expected, "{text}");
    }
}

#[test]
#[ignore = "half a minute without optimization"]
fn hex_on_four_by_four_has_its_graph() {
    let Solved {
        graph, solution, ..
    } = compiled("hex-4x4");
    assert_eq!(solution.value(START), Value::Win);
    assert!((0..graph.position_count()).all(|p| solution.value(p) != Value::Draw));
    let info = graph.game();
    let mut solver = exact_solver(info, 20, Scoring::Raw);
    for position in (0..graph.position_count()).step_by(40_009) {
        let found = solver.value(graph.position(position), &Limits::NONE);
        assert_eq!(found, Ok(solution.value(position)));
    }
}

#[track_caller]
fn first_player_wins(name: &str) {
    let info = GameInfo::find(name).unwrap();
    let mut solver = exact_solver(info, 22, Scoring::Raw);
    let value = solver.value(Position::start(info), &Limits::NONE);
    assert_eq!(value, Ok(Value::Win), "{name}");
}

#[test]
fn the_first_player_wins_hex() {
    first_player_wins("hex-3x3");
    first_player_wins("hex-4x4");
}

#[test]
#[ignore = "two minutes without optimization"]
fn the_first_player_wins_hex_on_five_by_five() {
    first_player_wins("hex-5x5");
}
