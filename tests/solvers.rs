//! The solvers of Connect Four and Othello, against known scores, against the graph, and
//! against each other.

use std::io::{self, Write};
use std::path::Path;

use playlab::game::{
    ConnectFour, Game, GameInfo, Othello, Outcome, Position, Problem, Side, Value, games,
    play_moves,
};
use playlab::graph::{Solution, compile_game};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::{
    ExactSolver, Limits, MinimaxMethod, Scoring, Solver, Stopped, Ties, exact_solver, minimax,
    solver_facts,
};
use rand::RngExt;

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn own_solver(name: &str, bits: u32) -> Box<dyn ExactSolver> {
    exact_solver(game(name), bits, Scoring::Raw)
}

fn solver() -> Box<dyn ExactSolver> {
    own_solver("connect-four", 21)
}

#[test]
fn connect_four_has_its_published_scores() {
    let mut solver = solver();
    for (moves, score) in [
        ("4455", 18),
        ("44455554221", -15),
        // From Pons's sets, one of each kind and sign.
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("52753311433677442422121", 8),
        ("1233722555341451114725221333", -1),
        ("32164625", 11),
        ("6146", 18),
    ] {
        let position = play_moves(game("connect-four"), moves).unwrap();
        assert_eq!(solver.score(position, &Limits::NONE), Ok(score), "{moves}");
        let value = solver.value(position, &Limits::NONE);
        assert_eq!(value, Ok(Value::of_score(score)), "{moves}");
    }
}

/// The positions of a file with scores under the project's root, without comments; `None`, and a
/// note about it, if the file is not there.
fn problems(path: &str, info: &'static GameInfo) -> Option<Vec<Problem>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let Ok(text) = std::fs::read_to_string(&path) else {
        // Not by a macro: its output is only shown when a test fails.
        let _ = writeln!(io::stderr(), "SKIPPED: there is no {}", path.display());
        return None;
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    Some(
        lines
            .map(|line| Problem::parse(info, line).unwrap())
            .collect(),
    )
}

/// Mean nodes and mismatches of a file with scores, if it is there.
fn solve_file(
    path: &str,
    info: &'static GameInfo,
    solver: &mut dyn ExactSolver,
) -> Option<(f64, usize)> {
    let problems = problems(path, info)?;
    let (mut nodes, mut wrong) = (0, 0);
    for problem in &problems {
        solver.forget();
        let (score, listed) = if problem.best.is_empty() {
            let score = solver.score(problem.position, &Limits::NONE);
            (score.unwrap(), true)
        } else {
            let (score, best) = solver.best(problem.position, &Limits::NONE).unwrap();
            (score, best.is_some_and(|mv| problem.best.contains(&mv)))
        };
        wrong += usize::from(Some(score) != problem.score || !listed);
        nodes += solver.nodes();
    }
    Some((nodes as f64 / problems.len() as f64, wrong))
}

/// The score of a position by a plain alpha-beta search over the rules, which counts the end of a
/// game itself: the stones that the winner has left in Connect Four, discs in Othello with the empty squares
/// going to the winner.
fn plain_score(position: Position, mut alpha: i32, beta: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        let sign = |side: Side| if side == position.to_move() { 1 } else { -1 };
        let Outcome::Win(winner) = outcome else {
            return 0;
        };
        let empties = position.empties() as i32;
        return sign(winner)
            * match position.game().name {
                "connect-four" => empties / 2 + 1,
                _ => {
                    let end: Othello<8> = position.typed();
                    let discs = |side| end.discs(side).count_ones() as i32;
                    discs(winner) - discs(!winner) + empties
                }
            };
    }
    for mv in position.moves() {
        let score = -plain_score(position.play_unchecked(mv), -beta, -alpha);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

#[test]
fn the_projects_positions_are_solved_as_a_plain_search_solves_them() {
    let all = [
        ("connect-four", "connect_four_late.txt"),
        ("othello", "othello_late.obf"),
    ];
    for (name, file) in all {
        let path = format!("tests/positions/{file}");
        let problems = problems(&path, game(name)).expect("it is a part of the project");
        assert!(problems.len() >= 50);
        for problem in &problems {
            let score = plain_score(problem.position, -100, 100);
            assert_eq!(Some(score), problem.score, "{}", problem.position);
        }
        let mut solver = exact_solver(game(name), 18, Scoring::WinnerTakesEmpties);
        let (_, wrong) = solve_file(&path, game(name), &mut *solver).unwrap();
        assert_eq!(wrong, 0, "{file}");
    }
}

#[test]
fn the_projects_positions_of_connect_four_are_solved_with_few_nodes() {
    for (file, most) in [
        ("connect_four_late.txt", 40.0),
        ("connect_four_middle.txt", 604.0),
    ] {
        let path = format!("tests/positions/{file}");
        let solved = solve_file(&path, game("connect-four"), &mut *solver());
        let (nodes, wrong) = solved.expect("it is a part of the project");
        assert_eq!(wrong, 0, "{file}");
        assert!(nodes <= most, "{file}: {nodes} nodes");
    }
}

#[test]
#[ignore = "minutes without optimization"]
fn the_projects_middle_games_are_solved_as_a_plain_search_solves_them() {
    let info = game("connect-four");
    let problems = problems("tests/positions/connect_four_middle.txt", info).unwrap();
    for problem in &problems {
        let score = plain_score(problem.position, -100, 100);
        assert_eq!(Some(score), problem.score, "{}", problem.position);
    }
}

#[test]
fn the_sets_of_connect_four_are_solved_with_few_nodes() {
    for (set, most) in [("L3_R1", 52.0), ("L2_R1", 455.0), ("L1_R1", 3320.0)] {
        let path = format!("../shared/reference/connect-four/Test_{set}");
        if let Some((nodes, wrong)) = solve_file(&path, game("connect-four"), &mut *solver()) {
            assert_eq!(wrong, 0, "{set}");
            assert!(nodes <= most, "{set}: {nodes} nodes");
        }
    }
}

#[test]
fn the_endgames_of_the_federation_are_solved() {
    let info = game("othello");
    let mut solver = exact_solver(info, 20, Scoring::WinnerTakesEmpties);
    let path = "../shared/reference/othello/fforum-1-19.obf";
    if let Some((_, wrong)) = solve_file(path, info, &mut *solver) {
        assert_eq!(wrong, 0);
    }
}

/// For every position of a small board, solver and graph agree on the value, and on
/// the distance where the score implies it.
fn agrees_with_the_graph(name: &str, every: usize) {
    let graph = compile_game(game(name)).unwrap();
    let solution = Solution::of(&graph);
    let mut solver = own_solver(name, 16);
    let facts = solver_facts(game(name), Scoring::Raw);
    for number in (0..graph.position_count()).step_by(every) {
        let position = graph.position(number);
        let score = solver.score(position, &Limits::NONE).unwrap();
        let value = solution.value(number);
        assert_eq!(Value::of_score(score), value, "{position}");
        assert_eq!(solver.value(position, &Limits::NONE), Ok(value));
        let distance = solver.distance(position, score);
        assert_eq!(distance.is_some(), facts.has_distances);
        if let Some(distance) = distance {
            assert_eq!(distance, solution.distance(number), "{position}: {score}");
        }
    }
}

#[test]
fn solvers_agree_with_the_graphs_of_small_boards() {
    agrees_with_the_graph("connect-four-4x4", 7);
    agrees_with_the_graph("othello-4x4", 3);
}

#[test]
#[ignore = "a minute without optimization"]
fn solvers_agree_with_the_graphs_of_larger_boards() {
    agrees_with_the_graph("connect-four-4x5", 11);
    agrees_with_the_graph("connect-four-5x4", 101);
}

#[test]
fn boards_of_connect_four_have_their_known_values() {
    let value = |name| {
        let start = Position::start(game(name));
        own_solver(name, 22).value(start, &Limits::NONE).unwrap()
    };
    assert_eq!(value("connect-four-4x4"), Value::Draw);
    assert_eq!(value("connect-four-4x5"), Value::Draw);
    assert_eq!(value("connect-four-5x4"), Value::Draw);
    assert_eq!(value("connect-four-5x5"), Value::Draw);
}

#[test]
#[ignore = "minutes without optimization"]
fn a_larger_board_of_connect_four_has_its_known_value() {
    let start = Position::start(game("connect-four-6x5"));
    let value = own_solver("connect-four-6x5", 24).value(start, &Limits::NONE);
    assert_eq!(value, Ok(Value::Draw));
}

#[test]
#[ignore = "minutes, and many without optimization"]
fn connect_four_is_won_with_the_last_stone() {
    let start = Position::start(game("connect-four"));
    let score = own_solver("connect-four", 24).score(start, &Limits::NONE);
    assert_eq!(score, Ok(1));
}

#[test]
fn the_smallest_othello_is_eleven_to_three() {
    let mut solver = own_solver("othello-4x4", 20);
    let mut position = Position::start(game("othello-4x4"));
    assert_eq!(solver.score(position, &Limits::NONE), Ok(-8));
    while let (_, Some(mv)) = solver.best(position, &Limits::NONE).unwrap() {
        position = position.play(mv).unwrap();
    }
    let end: Othello<4> = position.typed();
    let counts = Side::BOTH.map(|side| end.discs(side).count_ones());
    assert_eq!(counts, [3, 11]);
}

/// The position of a random game with at most this many empty squares; `None` if the game ends earlier.
fn near_the_end(info: &'static GameInfo, empties: u32, rng: &mut LabRng) -> Option<Position> {
    let mut position = Position::start(info);
    while position.empties() > empties {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        position = position.play_unchecked(moves.get(rng.random_range(0..moves.len())));
    }
    Some(position)
}

/// A random position with at most this many empty squares.
fn random_position(info: &'static GameInfo, empties: u32, rng: &mut LabRng) -> Position {
    (0..)
        .find_map(|_| near_the_end(info, empties, rng))
        .expect("some game comes so far")
}

/// The general solver and the game's own find the same values and moves.
fn agrees_with_the_general_solver<G: Game>(name: &str, empties: u32, positions: usize) {
    let mut rng = stream(3, Purpose::Evaluation, 0, 0);
    let mut own = own_solver(name, 16);
    let mut general: Box<dyn ExactSolver> = Box::new(Solver::<G>::new(16));
    for _ in 0..positions {
        let position = random_position(game(name), empties, &mut rng);
        let text = position.to_string();
        let limits = Limits::NONE;
        assert_eq!(
            own.value(position, &limits),
            general.value(position, &limits),
            "{text}"
        );
        for ties in [Ties::Random, Ties::First] {
            assert_eq!(
                own.optimal_moves(position, ties, &limits),
                general.optimal_moves(position, ties, &limits),
                "{text}"
            );
        }
        let scores = own.scores(position, &limits).unwrap();
        let (score, best) = own.best(position, &limits).unwrap();
        let highest = scores.iter().map(|(_, score)| *score).max();
        assert_eq!(highest.unwrap_or(score), score);
        assert!(best.is_none() == scores.is_empty(), "{text}");
        assert!(
            best.is_none_or(|best| scores.contains(&(best, score))),
            "{text}"
        );
    }
}

#[test]
fn solvers_agree_with_the_general_one() {
    agrees_with_the_general_solver::<ConnectFour<7, 6>>("connect-four", 14, 60);
    agrees_with_the_general_solver::<ConnectFour<5, 5>>("connect-four-5x5", 14, 60);
    agrees_with_the_general_solver::<Othello<8>>("othello", 7, 60);
    agrees_with_the_general_solver::<Othello<6>>("othello-6x6", 7, 60);
}

/// All images of a position have its score, each found by a new solver.
fn images_have_one_score<G: Game>(name: &str, empties: u32, rng: &mut LabRng) {
    let position: G = random_position(game(name), empties, rng).typed();
    let scores: Vec<i32> = (0..G::SYMMETRIES)
        .map(|symmetry| {
            let image = Position::of(game(name), position.transform(symmetry));
            own_solver(name, 18).score(image, &Limits::NONE).unwrap()
        })
        .collect();
    assert!(
        scores.iter().all(|score| *score == scores[0]),
        "{position:?}"
    );
}

#[test]
fn scores_are_the_same_in_the_mirror() {
    let mut rng = stream(4, Purpose::Evaluation, 0, 0);
    for _ in 0..30 {
        images_have_one_score::<ConnectFour<7, 6>>("connect-four", 26, &mut rng);
        images_have_one_score::<Othello<8>>("othello", 11, &mut rng);
    }
}

#[test]
fn a_solver_keeps_its_limits_and_forgets() {
    let position = play_moves(game("connect-four"), "32164625").unwrap();
    let mut limited = solver();
    assert_eq!(limited.score(position, &Limits::nodes(1000)), Err(Stopped));
    assert_eq!(limited.nodes(), 1000);
    limited.forget();
    let score = limited.score(position, &Limits::NONE);
    let mut fresh = solver();
    assert_eq!(fresh.score(position, &Limits::NONE), score);
    assert_eq!(fresh.nodes(), limited.nodes());
    let stop = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits::until(&stop);
    assert_eq!(
        solver().score(Position::start(game("connect-four")), &limits),
        Err(Stopped)
    );
}

/// A board left out of the list would still have the general solver, only slower and without scores that say more
/// than who wins.
#[test]
fn every_board_of_connect_four_and_othello_has_a_solver_of_its_own() {
    for info in games() {
        let counts_discs = Position::start(info).discs().is_some();
        if info.geometry().stones_fall || counts_discs {
            let meaning = solver_facts(info, Scoring::Raw).score_meaning;
            assert!(meaning.is_some(), "{}", info.name);
        }
    }
}

#[test]
fn every_game_has_a_solver() {
    for info in games() {
        let mut rng = stream(5, Purpose::Evaluation, 0, 0);
        // In some games nearly all end before that.
        let Some(position) = (0..1000).find_map(|_| near_the_end(info, 4, &mut rng)) else {
            continue;
        };
        let mut solver = exact_solver(info, 10, Scoring::Raw);
        let score = solver.score(position, &Limits::NONE).unwrap();
        let plain = minimax(position, MinimaxMethod::Memo, &Limits::NONE).unwrap();
        assert_eq!(Value::of_score(score), plain.value, "{}", info.name);
        for bound in score - 2..=score + 2 {
            let mut fresh = exact_solver(info, 10, Scoring::Raw);
            let exceeds = fresh.exceeds(position, bound, &Limits::NONE);
            assert_eq!(exceeds, Ok(score > bound), "{} {bound}", info.name);
        }
    }
}
