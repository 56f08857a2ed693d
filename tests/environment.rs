//! Many games at once.

use std::sync::Arc;

use playlab::agent::Stage;
use playlab::game::{GameInfo, Move, Position, Side};
use playlab::graph::{Baseline, Policy, Solved, Sweeper};
use playlab::search::Limits;
use playlab::value::{Board, Encoding, write_planes};
use playlab::workflow::VectorEnvironment;

fn first_moves(games: &VectorEnvironment) -> Vec<Move> {
    let positions = games.positions();
    let first = |position: &Position| position.moves().next().unwrap();
    positions.iter().map(first).collect()
}

/// Games by the rules alone go like those on the graph.
#[test]
fn an_agent_without_a_policy_is_played_by_the_rules() {
    let info = GameInfo::find("tic-tac-toe").unwrap();
    let stage = Stage::new(info);
    let solved = stage.solved().unwrap();
    let agent = |spec: &str| stage.agent(&spec.parse().unwrap()).unwrap();
    let games = |spec, solved| {
        let sides = vec![Side::X, Side::O];
        let mut games =
            VectorEnvironment::against(info, solved, &agent(spec), sides, &Limits::NONE).unwrap();
        games.reset(Some(1), &Limits::NONE).unwrap();
        games
    };
    let mut listed = games("minimax:first", Some(Arc::clone(&solved)));
    let mut searched = games("minimax:first", None);
    assert!(listed.is_on_graph() && !searched.is_on_graph());
    let mut ends = 0;
    for _ in 0..12 {
        assert_eq!(listed.positions(), searched.positions());
        assert_eq!(listed.planes(), searched.planes());
        assert_eq!(listed.legal(), searched.legal());
        assert_eq!(listed.to_move(), [Side::X, Side::O]);
        let moves = first_moves(&listed);
        let moved = listed.step(&moves, &Limits::NONE).unwrap();
        assert_eq!(moved, searched.step(&moves, &Limits::NONE).unwrap());
        ends += moved.ended.iter().filter(|ended| **ended).count();
    }
    assert!(ends > 1);
    assert!(!games("mcts:simulations=5", Some(solved)).is_on_graph());
}

#[test]
fn a_step_that_cannot_be_made_changes_nothing() {
    let info = GameInfo::find("connect-four").unwrap();
    let mut games = VectorEnvironment::alone(info, None, 2);
    let error = games.step(&[Move::new(0); 2], &Limits::NONE);
    let error = error.unwrap_err().to_string();
    assert_eq!(error, "the games have not begun; call reset first");
    games.reset(Some(1), &Limits::NONE).unwrap();
    let before = games.positions();
    let error = games.step(&[Move::new(0), Move::new(7)], &Limits::NONE);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("game 1, "), "{error}");
    assert!(
        error.contains("move 7 is not legal, expected one of 0, 1, 2, 3, 4, 5, 6"),
        "{error}"
    );
    assert_eq!(games.positions(), before);
}

#[test]
fn planes_are_the_inputs_of_networks() {
    for name in ["connect-four", "othello-4x4", "hex-3x3"] {
        let info = GameInfo::find(name).unwrap();
        let geometry = info.geometry();
        let mut position = Position::start(info);
        while position.outcome().is_none() {
            position = position.play_unchecked(position.moves().last().unwrap());
            let mut planes = Vec::new();
            write_planes(info, [position.key()], &mut planes);
            let mut expected = Vec::new();
            let board = Board {
                stones: position.stones(),
                mover: position.to_move(),
            };
            Encoding::Planes.write(&board, &geometry.bits, &mut expected);
            let planes: Vec<f32> = planes.into_iter().map(f32::from).collect();
            assert_eq!(planes, expected, "{position}");
        }
    }
}

fn uniform_of_connect_four() -> (Solved, Policy) {
    let solved = Solved::game(GameInfo::find("connect-four-4x4").unwrap()).unwrap();
    let uniform = Policy::uniform(&solved.graph);
    (solved, uniform)
}

#[test]
fn a_policy_is_read_as_it_was_given() {
    let (solved, uniform) = uniform_of_connect_four();
    let graph = &solved.graph;
    let dense = uniform.to_dense(graph);
    assert_eq!(
        Policy::of_dense::<Baseline>(graph, &Side::BOTH, &dense, Vec::new()),
        Ok(uniform.clone())
    );
    let edges = uniform.probabilities(0..graph.edge_count());
    assert_eq!(
        Policy::of(graph, &Side::BOTH, edges.to_vec()),
        Ok(uniform.clone())
    );
    let mut of_x = Policy::empty(graph);
    of_x.copy(graph, Side::X, &uniform);
    assert_eq!(
        Policy::of(graph, &[Side::X], edges.to_vec()),
        Ok(of_x.clone())
    );
    // Whatever the rows contain that are not looked at.
    let mut with_others = dense.clone();
    let is_looked_at = |p: usize| graph.outcome(p).is_none() && graph.to_move(p) == Side::X;
    for position in (0..graph.position_count()).filter(|&p| !is_looked_at(p)) {
        with_others[4 * position..4 * position + 4].fill(f64::NAN);
    }
    // Whatever another policy has left in memory.
    for spare in [Vec::new(), vec![0.5; 3], vec![0.5; edges.len() + 1]] {
        let read = Policy::of_dense::<Baseline>(graph, &[Side::X], &with_others, spare);
        assert_eq!(read.as_ref(), Ok(&of_x));
    }
    // A sum that differs from 1 by no more than 32-bit rounding is made 1.
    let off = edges.iter().map(|share| share * (1.0 + 5e-7)).collect();
    let read = Policy::of(graph, &Side::BOTH, off).unwrap();
    let sum: f64 = read.probabilities(graph.edges(0)).iter().sum();
    assert!((sum - 1.0).abs() < 1e-15, "{sum}");
}

#[test]
fn what_is_not_a_policy_is_reported_with_its_place() {
    let (solved, uniform) = uniform_of_connect_four();
    let graph = &solved.graph;
    let edges = uniform.probabilities(0..graph.edge_count()).to_vec();
    for (wrong, message) in [
        (
            0.5,
            "position 0, ..../..../..../....: the probabilities of its moves add up to 1.25, expected 1",
        ),
        (
            -0.25,
            "the probability of move 1 is -0.25, expected a number from 0 to 1",
        ),
        (
            f64::NAN,
            "the probability of move 1 is NaN, expected a number from 0 to 1",
        ),
    ] {
        let mut edges = edges.clone();
        edges[0] = wrong;
        let error = Policy::of(graph, &Side::BOTH, edges).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let mut dense = uniform.to_dense(graph);
    let full = (0..graph.position_count())
        .find(|&p| graph.edges(p).len() == 3)
        .unwrap();
    let row = &mut dense[4 * full..4 * full + 4];
    let column = row.iter().position(|share| *share == 0.0).unwrap();
    row[column] = 0.1;
    let error = Policy::of_dense::<Baseline>(graph, &Side::BOTH, &dense, Vec::new()).unwrap_err();
    let message =
        format!("the probability of move {column} is 0.1, expected 0, as it is not legal");
    assert!(error.starts_with(&format!("position {full}, ")), "{error}");
    assert!(error.contains(&message), "{error}");
    // Reported before errors that follow from it, and before those in later positions.
    let legal = graph.mv(graph.edges(full).start).index();
    (dense[4 * full + legal], dense[4 * (full + 1)]) = (0.0, 7.0);
    let error = Policy::of_dense::<Baseline>(graph, &Side::BOTH, &dense, Vec::new()).unwrap_err();
    assert!(error.starts_with(&format!("position {full}, ")), "{error}");
    assert!(error.contains(&message), "{error}");
}

#[test]
fn the_best_response_holds_a_policy_to_what_the_worst_opponent_does() {
    let (solved, uniform) = uniform_of_connect_four();
    let graph = &solved.graph;
    let mut sweeper = Sweeper::new(graph);
    for side in Side::BOTH {
        let response = sweeper.best_response(side, &uniform);
        let rates = sweeper.outcome_rates(side, &uniform, &response);
        let worst = sweeper.worst_opponents(side, &uniform).best_response;
        assert!((rates.score() - worst.score()).abs() < 1e-12);
        for position in graph.decisions(side) {
            assert!(
                graph
                    .edges(position)
                    .all(|edge| response.probability(edge) == 0.0)
            );
        }
        for position in graph.decisions(!side) {
            let sum: f64 = response.probabilities(graph.edges(position)).iter().sum();
            assert_eq!(sum, 1.0);
        }
    }
}
