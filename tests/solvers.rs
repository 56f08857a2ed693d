//! The solvers of Connect Four and Othello, against known scores, against the graph, and
//! against each other.

use std::path::Path;

use playlab::agent::{Oracle, Solved};
use playlab::game::{ConnectFour, Game, GameVisitor, Othello, Problem, Value, play_moves};
use playlab::graph::compile_game;
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::{
    ConnectFourSolver, ExactSolver, Limits, OthelloSolver, Scoring, Solver, Stopped, exact_solver,
};
use rand::RngExt;

type Board = ConnectFour<7, 6>;

fn solver() -> ConnectFourSolver<7, 6> {
    ConnectFourSolver::new(22)
}

#[test]
fn connect_four_has_its_published_scores() {
    let mut solver = solver();
    for (moves, score) in [
        ("4455", 18),
        ("44455554221", -15),
        // Of Pons's sets, one of each kind and sign.
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("52753311433677442422121", 8),
        ("1233722555341451114725221333", -1),
        ("32164625", 11),
        ("6146", 18),
    ] {
        let position: Board = play_moves(moves).unwrap();
        assert_eq!(solver.score(position, &Limits::NONE), Ok(score), "{moves}");
        let value = solver.value(position, &Limits::NONE);
        assert_eq!(value, Ok(Value::of_score(score)), "{moves}");
    }
}

/// Nodes and mismatches of a file with scores, if it is there.
fn solve_file<G: Game>(path: &str, solver: &mut dyn ExactSolver<G>) -> Option<(f64, usize)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference");
    let text = std::fs::read_to_string(directory.join(path)).ok()?;
    let (mut nodes, mut wrong) = (0, 0);
    for line in text.lines() {
        let problem = Problem::<G>::parse(line).unwrap();
        solver.forget(problem.position);
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
    Some((nodes as f64 / text.lines().count() as f64, wrong))
}

#[test]
fn the_sets_of_connect_four_are_solved_with_few_nodes() {
    for (set, most) in [("L3_R1", 52.0), ("L2_R1", 455.0), ("L1_R1", 3320.0)] {
        let path = format!("connect-four/Test_{set}");
        if let Some((nodes, wrong)) = solve_file::<Board>(&path, &mut solver()) {
            assert_eq!(wrong, 0, "{set}");
            assert!(nodes <= most, "{set}: {nodes} nodes");
        }
    }
}

#[test]
fn the_endgames_of_the_federation_are_solved() {
    let mut solver = OthelloSolver::<8>::new(18, Scoring::WinnerTakesEmpties);
    if let Some((_, wrong)) = solve_file("othello/fforum-1-19.obf", &mut solver) {
        assert_eq!(wrong, 0);
    }
}

/// Every position of a small board: its solver and its graph agree on the value, and on
/// the distance where the score tells it.
fn agrees_with_the_graph<G: Game>(name: &str, every: usize) {
    let solved = Solved::game(name).unwrap();
    let mut solver = exact_solver::<G>(16, Scoring::Raw);
    for number in (0..solved.graph.position_count()).step_by(every) {
        let position = G::from_key(solved.graph.key(number));
        let score = solver.score(position, &Limits::NONE).unwrap();
        let value = solved.solution.value(number);
        assert_eq!(Value::of_score(score), value, "{}", position.format());
        assert_eq!(solver.value(position, &Limits::NONE), Ok(value));
        if let Some(distance) = solver.distance(position, score) {
            let known = solved.solution.distance(number);
            assert_eq!(distance, known, "{}: {score}", position.format());
        }
    }
}

#[test]
fn solvers_agree_with_the_graphs_of_small_boards() {
    agrees_with_the_graph::<ConnectFour<4, 4>>("connect-four-4x4", 7);
    agrees_with_the_graph::<Othello<4>>("othello-4x4", 3);
}

#[test]
#[ignore = "a minute without optimization"]
fn solvers_agree_with_the_graphs_of_larger_boards() {
    agrees_with_the_graph::<ConnectFour<4, 5>>("connect-four-4x5", 11);
    agrees_with_the_graph::<ConnectFour<5, 4>>("connect-four-5x4", 101);
}

#[test]
fn boards_of_connect_four_have_their_known_values() {
    fn value<G: Game>() -> Value {
        let mut solver = exact_solver::<G>(22, Scoring::Raw);
        solver.value(G::start(), &Limits::NONE).unwrap()
    }
    assert_eq!(value::<ConnectFour<4, 4>>(), Value::Draw);
    assert_eq!(value::<ConnectFour<4, 5>>(), Value::Draw);
    assert_eq!(value::<ConnectFour<5, 4>>(), Value::Draw);
    assert_eq!(value::<ConnectFour<5, 5>>(), Value::Draw);
}

#[test]
#[ignore = "minutes without optimization"]
fn larger_boards_of_connect_four_have_their_known_values() {
    let mut solver = exact_solver::<ConnectFour<6, 5>>(24, Scoring::Raw);
    let value = solver.value(ConnectFour::start(), &Limits::NONE);
    assert_eq!(value, Ok(Value::Draw));
    let mut solver = exact_solver::<ConnectFour<6, 6>>(24, Scoring::Raw);
    let value = solver.value(ConnectFour::start(), &Limits::NONE);
    assert_eq!(value, Ok(Value::Loss));
}

#[test]
#[ignore = "minutes, and many without optimization"]
fn connect_four_is_won_with_the_last_stone() {
    let mut solver = exact_solver::<Board>(24, Scoring::Raw);
    assert_eq!(solver.score(Board::start(), &Limits::NONE), Ok(1));
}

#[test]
fn the_smallest_othello_is_eleven_to_three() {
    let mut oracle: Oracle<Othello<4>> =
        Oracle::of(compile_game("othello-4x4").unwrap().game(), Scoring::Raw);
    let start = Othello::start();
    let analysis = oracle.analyze(start, &Limits::NONE).unwrap().unwrap();
    assert_eq!(analysis.score, Some(-8));
    let line = oracle.line(start, &Limits::NONE).unwrap();
    let end = line
        .iter()
        .fold(start, |position, &mv| position.play(mv).unwrap());
    let counts = playlab::game::Side::BOTH.map(|side| end.discs(side).count_ones());
    assert_eq!(counts, [3, 11]);
}

/// A random position with at most so many empty squares.
fn random_position<G: Game>(empties: u32, rng: &mut LabRng) -> G {
    let mut position = G::start();
    while position.empties() > empties {
        let moves = position.moves();
        if moves.is_empty() {
            position = G::start();
        } else {
            position = position.play_unchecked(moves.get(rng.random_range(0..moves.len())));
        }
    }
    position
}

/// The general solver and the game's own find the same values and moves.
fn agrees_with_the_general_solver<G: Game>(empties: u32, positions: usize) {
    let mut rng = stream(3, Purpose::Evaluation, 0, 0);
    let mut own = exact_solver::<G>(16, Scoring::Raw);
    let mut general = Solver::new(16);
    for _ in 0..positions {
        let position: G = random_position(empties, &mut rng);
        let text = position.format();
        let limits = Limits::NONE;
        assert_eq!(
            own.value(position, &limits),
            general.value(position, &limits),
            "{text}"
        );
        for ties in [playlab::search::Ties::Random, playlab::search::Ties::First] {
            assert_eq!(
                own.optimal_moves(position, ties, &limits),
                general.optimal_moves(position, ties, &limits),
                "{text}"
            );
        }
        let scores = own.scores(position, &limits).unwrap();
        let (score, best) = own.best(position, &limits).unwrap();
        assert_eq!(
            scores
                .iter()
                .map(|(_, score)| *score)
                .max()
                .unwrap_or(score),
            score
        );
        assert!(best.is_none() == scores.is_empty(), "{text}");
        assert!(
            best.is_none_or(|best| scores.contains(&(best, score))),
            "{text}"
        );
    }
}

#[test]
fn solvers_agree_with_the_general_one() {
    agrees_with_the_general_solver::<Board>(14, 60);
    agrees_with_the_general_solver::<ConnectFour<5, 5>>(14, 60);
    agrees_with_the_general_solver::<Othello<8>>(7, 60);
    agrees_with_the_general_solver::<Othello<6>>(7, 60);
}

/// Mirrored positions have mirrored scores.
#[test]
fn scores_are_the_same_in_the_mirror() {
    let mut rng = stream(4, Purpose::Evaluation, 0, 0);
    for _ in 0..30 {
        let position: Board = random_position(26, &mut rng);
        let scores = [0, 1].map(|symmetry| {
            let mut fresh = solver();
            fresh.score(position.transform(symmetry), &Limits::NONE)
        });
        assert_eq!(scores[0], scores[1], "{}", position.format());
        let endgame: Othello<8> = random_position(11, &mut rng);
        let mut solver = exact_solver::<Othello<8>>(16, Scoring::Raw);
        let first = solver.score(endgame, &Limits::NONE);
        for symmetry in 1..4 {
            let image = endgame.transform(symmetry);
            assert_eq!(
                solver.score(image, &Limits::NONE),
                first,
                "{}",
                image.format()
            );
        }
    }
}

#[test]
fn a_solver_keeps_its_limits_and_forgets() {
    let position: Board = play_moves("32164625").unwrap();
    let mut limited = solver();
    assert_eq!(limited.score(position, &Limits::nodes(1000)), Err(Stopped));
    assert_eq!(limited.nodes(), 1000);
    limited.forget(position);
    let score = limited.score(position, &Limits::NONE);
    let mut fresh = solver();
    assert_eq!(fresh.score(position, &Limits::NONE), score);
    assert_eq!(fresh.nodes(), limited.nodes());
    let told = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&told),
        ..Limits::NONE
    };
    assert_eq!(solver().score(Board::start(), &limits), Err(Stopped));
}

/// Solves an endgame of every game.
struct EndOf;

impl GameVisitor for EndOf {
    type Output = ();

    fn visit<G: Game>(self, info: &'static playlab::game::GameInfo) {
        let mut solver = exact_solver::<G>(10, Scoring::Raw);
        let mut rng = stream(5, Purpose::Evaluation, 0, 0);
        let position: G = random_position(4, &mut rng);
        let score = solver.score(position, &Limits::NONE).unwrap();
        let mut general = Solver::new(10);
        let value = general.value(position, &Limits::NONE).unwrap();
        assert_eq!(Value::of_score(score), value, "{}", info.name);
    }
}

#[test]
fn every_game_has_a_solver() {
    for info in playlab::game::games() {
        playlab::game::with_game(info.name, EndOf).unwrap();
    }
}
