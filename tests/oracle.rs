//! Sweeps over arrays against slow, obvious recursions over the rules.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use playlab::evaluate::{Assessor, play_games};
use playlab::game::{Game, GameInfo, Key, Mnk, Side, Value};
use playlab::graph::{
    Baseline, GameGraph, Policy, Rates, START, Sampler, Solution, Solved, SweepMemory, Sweeper,
    Walk, compile_game, draw_share, losing_line,
};
use playlab::rng::{LabRng, Purpose, stream};
use rand::RngExt;

use crate::graph::find_edge;

type TicTacToe = Mnk<3, 3, 3>;

fn graph() -> GameGraph {
    compile_game(GameInfo::find("tic-tac-toe").unwrap()).unwrap()
}

/// Textbook minimax, with the distance to the end.
fn minimax(position: TicTacToe, known: &mut HashMap<Key, (Value, u32)>) -> (Value, u32) {
    if let Some(outcome) = position.outcome() {
        return (outcome.for_side(position.to_move()), 0);
    }
    if let Some(&result) = known.get(&position.key()) {
        return result;
    }
    let children: Vec<(Value, u32)> = position
        .moves()
        .map(|mv| {
            let (value, distance) = minimax(position.play_unchecked(mv), known);
            (value.opposite(), distance + 1)
        })
        .collect();
    let value = children.iter().map(|child| child.0).max().unwrap();
    let distances = children
        .iter()
        .filter(|child| child.0 == value)
        .map(|child| child.1);
    let distance = if value == Value::Win {
        distances.min()
    } else {
        distances.max()
    };
    let result = (value, distance.unwrap());
    known.insert(position.key(), result);
    result
}

#[test]
fn values_and_distances_agree_with_textbook_minimax() {
    let graph = graph();
    let solution = Solution::of(&graph);
    let mut known = HashMap::new();
    for position in 0..graph.position_count() {
        let expected = minimax(TicTacToe::from_key(graph.key(position)), &mut known);
        assert_eq!(
            (solution.value(position), solution.distance(position)),
            expected
        );
    }
}

#[test]
fn the_fastest_win_is_taken_at_once() {
    let solved = Solved::of(graph());
    let graph = &solved.graph;
    // X has a1, c1 and a3; there is also a slower win.
    let position = graph
        .find(TicTacToe::parse("XOX/..O/XO.").unwrap().key())
        .unwrap();
    let fastest: Vec<String> = graph
        .edges(position)
        .filter(|&edge| solved.is_fastest(position, edge))
        .map(|edge| graph.format_move(edge))
        .collect();
    assert_eq!(fastest, ["a2", "b2"]);
    assert_eq!(solved.solution.distance(position), 1);
}

/// A policy with random probabilities, some of them 0.
fn random_policy(graph: &GameGraph, rng: &mut LabRng) -> Policy {
    let mut policy = Policy::empty(graph);
    for side in Side::BOTH {
        for position in graph.decisions(side) {
            let edges = graph.edges(position);
            let chosen: Vec<usize> = edges.clone().filter(|_| rng.random_bool(0.4)).collect();
            let any = edges.start + rng.random_range(0..edges.len());
            policy.set(edges, |edge| chosen.contains(&edge) || edge == any);
        }
    }
    policy
}

/// Expected results by recursion over the rules.
fn recursive_rates(
    graph: &GameGraph,
    position: TicTacToe,
    side: Side,
    own: &Policy,
    other: &Policy,
) -> [f64; 3] {
    if let Some(outcome) = position.outcome() {
        let value = outcome.for_side(side);
        return [Value::Win, Value::Draw, Value::Loss].map(|v| f64::from(u8::from(v == value)));
    }
    let mover = if position.to_move() == side {
        own
    } else {
        other
    };
    let number = graph.find(position.key()).unwrap();
    let mut sums = [0.0; 3];
    for mv in position.moves() {
        let edge = find_edge(graph, number, mv);
        let probability = mover.probability(edge);
        if probability > 0.0 {
            let rates = recursive_rates(graph, position.play_unchecked(mv), side, own, other);
            for (sum, rate) in sums.iter_mut().zip(rates) {
                *sum += probability * rate;
            }
        }
    }
    sums
}

/// Score of the best response, the largest probability of a loss, and worst case, by recursion
/// over the rules.
fn recursive_response(
    graph: &GameGraph,
    position: TicTacToe,
    side: Side,
    policy: &Policy,
) -> (f64, f64, Value) {
    if let Some(outcome) = position.outcome() {
        let value = outcome.for_side(side);
        let score = [0.0, 0.5, 1.0][value.index()];
        return (score, f64::from(u8::from(value == Value::Loss)), value);
    }
    let number = graph.find(position.key()).unwrap();
    let own = position.to_move() == side;
    let (mut score, mut loss) = if own { (0.0, 0.0) } else { (1.0, 0.0) };
    let mut worst = Value::Win;
    for mv in position.moves() {
        let probability = policy.probability(find_edge(graph, number, mv));
        if own && probability == 0.0 {
            continue;
        }
        let after = position.play_unchecked(mv);
        let (score_after, loss_after, value) = recursive_response(graph, after, side, policy);
        if own {
            score += probability * score_after;
            loss += probability * loss_after;
        } else {
            score = score.min(score_after);
            loss = loss.max(loss_after);
        }
        worst = worst.min(value);
    }
    (score, loss, worst)
}

#[test]
fn exact_evaluation_agrees_with_the_recursion() {
    let graph = graph();
    let mut sweeper = Sweeper::new(&graph);
    let mut rng = stream(5, Purpose::Evaluation, 0, 0);
    for round in 0..6 {
        let (own, other) = (
            random_policy(&graph, &mut rng),
            random_policy(&graph, &mut rng),
        );
        for side in Side::BOTH {
            let expected = recursive_rates(&graph, TicTacToe::start(), side, &own, &other);
            let Rates { win, draw, loss } = sweeper.outcome_rates(side, &own, &other);
            for (rate, expected) in [win, draw, loss].into_iter().zip(expected) {
                assert!(
                    (rate - expected).abs() < 1e-12,
                    "round {round}: {rate} is not {expected}"
                );
            }
            let (score, loss, worst) = recursive_response(&graph, TicTacToe::start(), side, &own);
            let response = sweeper.worst_opponents(side, &own);
            assert!(
                (response.best_response.score() - score).abs() < 1e-12,
                "round {round}"
            );
            assert!((response.most_losses.loss - loss).abs() < 1e-12);
            assert_eq!(response.worst_case, worst);
            for Rates { win, draw, loss } in [response.best_response, response.most_losses] {
                assert!((win + draw + loss - 1.0).abs() < 1e-12);
            }
        }
    }
}

/// For `side`: its rates against `other`, the score against the best response, and the largest
/// probability of a loss, position by position from the last one on.
fn plain_sweep(graph: &GameGraph, side: Side, own: &Policy, other: &Policy) -> [f64; 5] {
    let mut found = vec![[0.0; 5]; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        found[position] = match graph.terminal_value(position, side) {
            Some(Value::Win) => [1.0, 0.0, 0.0, 1.0, 0.0],
            Some(Value::Draw) => [0.0, 1.0, 0.0, 0.5, 0.0],
            Some(Value::Loss) => [0.0, 0.0, 1.0, 0.0, 1.0],
            None => {
                let is_own = graph.to_move(position) == side;
                let policy = if is_own { own } else { other };
                let edges = graph.edges(position);
                let later = |edge| -> [f64; 5] { found[graph.child(edge)] };
                let mean = |i: usize| -> f64 {
                    let terms = edges.clone().map(|e| policy.probability(e) * later(e)[i]);
                    terms.sum()
                };
                let [win, draw, loss] = [0, 1, 2].map(mean);
                let [score, lost] = match is_own {
                    true => [3, 4].map(mean),
                    false => [
                        edges.clone().map(|e| later(e)[3]).fold(1.0, f64::min),
                        edges.clone().map(|e| later(e)[4]).fold(0.0, f64::max),
                    ],
                };
                [win, draw, loss, score, lost]
            }
        };
    }
    found[START]
}

#[test]
fn sweeps_are_exact_where_sides_pass_and_where_moves_are_many() {
    let mut rng = stream(6, Purpose::Evaluation, 0, 0);
    let mut memory = SweepMemory::default();
    for name in ["othello-4x4", "mnk-4x3x3", "connect-four-4x4", "hex-3x3"] {
        let solved = Solved::game(GameInfo::find(name).unwrap()).unwrap();
        let graph = &solved.graph;
        let own = random_policy(graph, &mut rng);
        let other = random_policy(graph, &mut rng);
        let found = Assessor::new(&solved).assess_as::<Baseline>(&Side::BOTH, &own, &[&other]);
        // What another policy, or another game, has left in memory makes no difference.
        for policy in [&other, &own] {
            let mut assessor = Assessor::with(&solved, memory);
            let again = assessor.assess_as::<Baseline>(&Side::BOTH, policy, &[&other]);
            assert_eq!(again == found, policy == &own, "{name}");
            memory = assessor.into_memory();
        }
        for (side, found) in Side::BOTH.into_iter().zip(found) {
            let Rates { win, draw, loss } = found.against[0];
            let worst = found.worst;
            let numbers = [
                win,
                draw,
                loss,
                worst.best_response.score(),
                worst.most_losses.loss,
            ];
            let expected = plain_sweep(graph, side, &own, &other);
            for (number, expected) in numbers.into_iter().zip(expected) {
                let near = (number - expected).abs() < 1e-12;
                assert!(near, "{name}: {numbers:?} are not {expected:?}");
            }
            let optimal = graph.decisions(side).map(|position| -> f64 {
                let edges = graph.edges(position);
                let kept = edges.filter(|&edge| solved.is_optimal(position, edge));
                kept.map(|edge| own.probability(edge)).sum()
            });
            let optimal: Vec<f64> = optimal.collect();
            let rate = optimal.iter().sum::<f64>() / optimal.len() as f64;
            assert!((found.optimal_move_rate - rate).abs() < 1e-12, "{name}");
        }
    }
}

/// The largest probability, over all opponents, of a game that `side` loses
/// along one line.
fn most_likely_loss(graph: &GameGraph, position: usize, side: Side, policy: &Policy) -> f64 {
    if let Some(value) = graph.terminal_value(position, side) {
        return f64::from(u8::from(value == Value::Loss));
    }
    let own = graph.to_move(position) == side;
    graph
        .edges(position)
        .map(|edge| {
            let share = if own { policy.probability(edge) } else { 1.0 };
            if share == 0.0 {
                0.0
            } else {
                share * most_likely_loss(graph, graph.child(edge), side, policy)
            }
        })
        .fold(0.0, f64::max)
}

#[test]
fn the_losing_line_is_legal_lost_and_the_likeliest() {
    let graph = graph();
    let mut rng = stream(6, Purpose::Evaluation, 0, 0);
    let mut lines = 0;
    for _ in 0..10 {
        let policy = random_policy(&graph, &mut rng);
        for side in Side::BOTH {
            let expected = most_likely_loss(&graph, START, side, &policy);
            let Some(line) = losing_line(&graph, side, &policy) else {
                assert_eq!(expected, 0.0);
                continue;
            };
            lines += 1;
            let mut position = TicTacToe::start();
            let mut probability = 1.0;
            for edge in line {
                assert_eq!(graph.key(graph.position_of(edge)), position.key());
                if position.to_move() == side {
                    probability *= policy.probability(edge);
                }
                position = position.play_unchecked(graph.mv(edge));
            }
            assert_eq!(position.outcome().unwrap().for_side(side), Value::Loss);
            assert!((probability - expected).abs() < 1e-12);
        }
    }
    assert!(lines > 10, "too few policies could be beaten");
}

#[test]
fn perfect_players_are_unbeatable_and_optimal() {
    let solved = Solved::of(graph());
    let graph = &solved.graph;
    let perfect = Policy::uniform_over(graph, |p, edge| solved.is_optimal(p, edge));
    let random = Policy::uniform(graph);
    let mut assessor = Assessor::new(&solved);
    for side in Side::BOTH {
        let assessment = assessor.assess(side, &perfect, &[&random]);
        assert!(assessment.unbeatable() && assessment.holds_value);
        assert_eq!(assessment.worst_case(), Value::Draw);
        assert!((assessment.optimal_move_rate - 1.0).abs() < 1e-12);
        assert_eq!(losing_line(graph, side, &perfect), None);
        let assessment = assessor.assess(side, &random, &[&perfect]);
        assert!(!assessment.unbeatable() && !assessment.holds_value);
        assert!(assessment.optimal_move_rate < 0.7);
    }
}

#[test]
fn both_sides_at_once_are_like_each_alone() {
    let solved = Solved::of(graph());
    let mut rng = stream(8, Purpose::Training, 0, 0);
    let policies: Vec<_> = (0..6)
        .map(|_| random_policy(&solved.graph, &mut rng))
        .collect();
    let mut assessor = Assessor::new(&solved);
    for policy in &policies {
        for opponents in [&[][..], &[&policies[0]], &[&policies[1], &policies[2]]] {
            let both = assessor.assess_as::<Baseline>(&[Side::O, Side::X], policy, opponents);
            // With an assessor that has seen no other policy.
            let alone = [Side::O, Side::X]
                .map(|side| Assessor::new(&solved).assess(side, policy, opponents));
            assert_eq!(both, alone);
        }
    }
}

#[test]
fn an_unbeatable_policy_need_not_hold_the_value() {
    // On 4x3 the first player wins; a draw there is safe, but less than it could have.
    let solved = Solved::game(GameInfo::find("mnk-4x3x3").unwrap()).unwrap();
    let graph = &solved.graph;
    // Plays for a draw where it can: avoids both losing and winning.
    let timid = Policy::uniform_over(graph, |p, edge| {
        let values: Vec<Value> = graph.edges(p).map(|e| solved.move_value(e)).collect();
        let wanted = if values.contains(&Value::Draw) {
            Value::Draw
        } else {
            solved.solution.value(p)
        };
        solved.move_value(edge) == wanted
    });
    let assessment = Assessor::new(&solved).assess(Side::X, &timid, &[]);
    assert!(assessment.unbeatable());
    assert!(!assessment.holds_value);
}

#[test]
fn sampled_rates_lie_in_the_interval_around_the_exact_ones() {
    let graph = graph();
    let walk = Walk::new(&graph);
    let mut rng = stream(8, Purpose::Evaluation, 0, 0);
    let mut sweeper = Sweeper::new(&graph);
    let (mut covered, trials) = (0, 100);
    for _ in 0..trials {
        let (own, other) = (
            random_policy(&graph, &mut rng),
            random_policy(&graph, &mut rng),
        );
        let exact = sweeper.outcome_rates(Side::O, &own, &other).win;
        let samplers = [&own, &other].map(|policy| Sampler::of(&graph, policy));
        let [own, other] = &samplers;
        let play = |games, rng: &mut LabRng, stop: bool| {
            let stop = AtomicBool::new(stop);
            play_games(&walk, Side::O, own, other, games, rng, &stop)
        };
        assert_eq!(play(u64::MAX, &mut rng, true), None);
        let played = play(400, &mut rng, false).unwrap();
        assert_eq!(played.tally.games(), 400);
        let (low, high) = played.win_interval().unwrap();
        covered += u32::from((low..=high).contains(&exact));
    }
    // 95 % intervals: fewer than 85 of 100 would be a chance of one in 10,000.
    assert!((85..=trials).contains(&covered), "{covered} of {trials}");
}

#[test]
fn a_policy_and_its_sampler_draw_the_same_moves() {
    let graph = graph();
    let mut rng = stream(9, Purpose::Evaluation, 0, 0);
    let sure = Policy::uniform_over(&graph, |position, edge| edge == graph.edges(position).start);
    for policy in [
        sure,
        random_policy(&graph, &mut rng),
        Policy::uniform(&graph),
    ] {
        let sampler = Sampler::of(&graph, &policy);
        for position in Side::BOTH
            .into_iter()
            .flat_map(|side| graph.decisions(side))
        {
            let edges = graph.edges(position);
            let mut same = rng.clone();
            let shares = policy.probabilities(edges.clone());
            let drawn = edges.start + draw_share(shares, &mut rng);
            assert_eq!(drawn, sampler.draw(edges, &mut same));
            assert_eq!(rng, same);
            assert!(policy.probability(drawn) > 0.0);
        }
    }
}

#[test]
fn positions_and_edges_find_each_other() {
    let graph = graph();
    for position in 0..graph.position_count() {
        assert_eq!(graph.find(graph.key(position)), Some(position));
        for edge in graph.edges(position) {
            assert_eq!(graph.position_of(edge), position);
            assert!(
                graph.child(edge) > position,
                "children come after their parents"
            );
        }
    }
    assert_eq!(graph.find(u128::MAX.into()), None);
}
