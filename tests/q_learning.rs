//! Updates worked out by hand, on the last moves of tic-tac-toe.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use playlab::agent::Stage;
use playlab::arrays::Arrays;
use playlab::game::{Game, GameInfo, Key, Move, Moves, Outcome, Side};
use playlab::graph::{
    GameGraph, Policy, Sampler, Solved, TableKind, TableLayout, compile, compile_game,
};
use playlab::learn::{
    Choice, Exploration, Exponential, Learner, LearnerConfig, Linear, Opponent, QLearningConfig,
    Recorder, Rewards, Scalar, Schedule, Setup, Task, Update, UpdateRecord, VisitCount,
};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::Ties;

use crate::numbered::notation_by_number;

/// What a learner saves.
pub fn saved(learner: &dyn Learner) -> Arrays {
    let mut arrays = Arrays::default();
    learner.save(&mut arrays);
    arrays
}

/// Keeps everything that is reported.
#[derive(Default)]
struct Log {
    moves: Vec<(usize, Choice)>,
    updates: Vec<UpdateRecord>,
}

impl Recorder for Log {
    fn moved(&mut self, edge: usize, choice: Choice) {
        self.moves.push((edge, choice));
    }

    fn updated(&mut self, update: &UpdateRecord) {
        self.updates.push(*update);
    }
}

fn stage() -> Stage {
    Stage::new(GameInfo::find("tic-tac-toe").unwrap())
}

fn solved() -> Arc<Solved> {
    stage().solved().unwrap()
}

fn rng(seed: u64) -> LabRng {
    stream(seed, Purpose::Training, 0, 0)
}

fn setup(
    solved: &Arc<Solved>,
    config: QLearningConfig,
    sides: &[Side],
    opponents: Vec<(Opponent, f64)>,
) -> Arc<dyn Setup> {
    let task = Task {
        game: solved.graph.game(),
        solved: Some(Arc::clone(solved)),
        sides: sides.to_vec(),
        opponents,
    };
    LearnerConfig::QLearning(config).settings().setup(task)
}

/// Greedy play with ties to the first move, so that nothing is left to chance.
fn config() -> QLearningConfig {
    QLearningConfig {
        learning_rate: Schedule::from(0.5),
        discount: 0.5,
        ties: Ties::First,
        exploration: Exploration::EpsilonGreedy(0.0.into()),
        rewards: Rewards {
            win: 1.0,
            draw: 0.25,
            loss: -1.0,
        },
        ..QLearningConfig::default()
    }
}

/// An opponent that takes the first legal move.
fn first(graph: &GameGraph) -> Vec<(Opponent, f64)> {
    let policy = Policy::uniform_over(graph, |position, edge| edge == graph.edges(position).start);
    vec![(Opponent::Fixed(Sampler::of(graph, &policy)), 1.0)]
}

fn play(solved: &Arc<Solved>, config: QLearningConfig, side: Side, episodes: u64) -> Log {
    let setup = setup(solved, config, &[side], first(&solved.graph));
    let mut log = Log::default();
    let mut learner = setup.learner();
    learner.train(0, episodes, &mut rng(1), Some(&mut log));
    log
}

fn updates_of(graph: &GameGraph, log: &Log) -> Vec<(String, f64, f64, f64)> {
    log.updates
        .iter()
        .map(|u| (graph.format_move(u.edge), u.old, u.target, u.new))
        .collect()
}

// Both sides take the first free square: X a1, O b1, X c1, O a2, X b2, O c2, X a3
// wins on the diagonal a3-b2-c1.

#[test]
fn online_updates_bootstrap_from_the_next_own_position() {
    let solved = solved();
    let graph = &solved.graph;
    let log = play(&solved, config(), Side::X, 1);
    // Nothing is known about the next position, so all targets but the last are 0.
    let expected = [
        ("a1", 0.0, 0.0, 0.0),
        ("c1", 0.0, 0.0, 0.0),
        ("b2", 0.0, 0.0, 0.0),
        ("a3", 0.0, 1.0, 0.5),
    ];
    let expected = expected.map(|(mv, old, target, new)| (mv.to_owned(), old, target, new));
    assert_eq!(updates_of(graph, &log), expected);

    // In the second episode b2 leads to a position whose best move has 0.5.
    let log = play(&solved, config(), Side::X, 2);
    let second = &updates_of(graph, &log)[4..];
    assert_eq!(second[2], ("b2".to_owned(), 0.0, 0.25, 0.125));
    assert_eq!(second[3], ("a3".to_owned(), 0.5, 1.0, 0.75));
}

#[test]
fn backward_updates_carry_the_result_to_the_first_move() {
    let solved = solved();
    let graph = &solved.graph;
    let log = play(
        &solved,
        QLearningConfig {
            update: Update::Backward,
            ..config()
        },
        Side::X,
        1,
    );
    let expected = [
        ("a3", 0.0, 1.0, 0.5),
        ("b2", 0.0, 0.25, 0.125),
        ("c1", 0.0, 0.0625, 0.03125),
        ("a1", 0.0, 0.015625, 0.0078125),
    ];
    let expected = expected.map(|(mv, old, target, new)| (mv.to_owned(), old, target, new));
    assert_eq!(updates_of(graph, &log), expected);
}

#[test]
fn the_second_player_gets_its_own_result() {
    let solved = solved();
    let graph = &solved.graph;
    let log = play(&solved, config(), Side::O, 1);
    let last = log.updates.last().unwrap();
    assert_eq!((last.side, last.target, last.new), (Side::O, -1.0, -0.5));
    assert_eq!(graph.format_move(last.edge), "c2");
}

#[test]
fn a_lost_line_is_left_once_another_move_looks_better() {
    let solved = solved();
    let graph = &solved.graph;
    let log = play(
        &solved,
        QLearningConfig {
            update: Update::Backward,
            ..config()
        },
        Side::O,
        2,
    );
    let own: Vec<String> = log
        .moves
        .iter()
        .filter(|(_, choice)| *choice == Choice::Greedy)
        .map(|(edge, _)| graph.format_move(*edge))
        .collect();
    // b1, a2, c2 lost: c2 fell to -0.5, and with γ = ½ the moves before it did not
    // fall below 0, as b2 is still worth 0 where c2 was played.
    assert_eq!(own[..3], ["b1", "a2", "c2"]);
    assert_eq!(own[3..6], ["b1", "a2", "a3"]);
}

#[test]
fn step_sizes_by_visit_count_give_the_plain_mean() {
    let solved = solved();
    let graph = &solved.graph;
    let count = VisitCount {
        scale: 1.0,
        exponent: 1.0,
        minimum: 0.0,
    };
    let config = QLearningConfig {
        learning_rate: Schedule::VisitCount(count),
        ..config()
    };
    let log = play(&solved, config, Side::X, 3);
    let rates: Vec<f64> = log
        .updates
        .iter()
        .filter(|update| graph.format_move(update.edge) == "a3")
        .map(|update| update.learning_rate)
        .collect();
    assert_eq!(rates, [1.0, 0.5, 1.0 / 3.0]);
}

#[test]
fn double_q_learning_judges_one_table_by_the_other() {
    let solved = solved();
    let graph = &solved.graph;
    let log = play(
        &solved,
        QLearningConfig {
            double: true,
            ..config()
        },
        Side::X,
        40,
    );
    // An independent bookkeeping of both tables for the moves of the only line.
    let line = ["a1", "c1", "b2", "a3"];
    let mut tables = [[0.0; 4]; 2];
    let mut used = [false; 2];
    for (i, update) in log.updates.iter().enumerate() {
        let (step, table) = (i % 4, update.table.unwrap());
        assert_eq!(graph.format_move(update.edge), line[step]);
        // The best own move is the one of the line (values never fall below the others'
        // 0, and ties go to the first); the other table says what it is worth.
        let next = if step == 3 {
            1.0
        } else {
            0.5 * tables[1 - table][step + 1]
        };
        let old = tables[table][step];
        assert_eq!((update.old, update.target), (old, next), "update {i}");
        tables[table][step] = old + 0.5 * (next - old);
        used[table] = true;
    }
    assert_eq!(used, [true; 2]);
}

#[test]
fn tables_have_as_many_entries_as_their_kind_needs() {
    let solved = solved();
    let graph = &solved.graph;
    let count = |kind, fold| TableLayout::new(graph, kind, fold).entry_count();
    assert_eq!(count(TableKind::StateAction, false), 16_167);
    assert_eq!(count(TableKind::StateAction, true), 2096);
    assert_eq!(count(TableKind::Afterstate, false), 5477);
    assert_eq!(count(TableKind::Afterstate, true), 764);
}

#[test]
fn entries_that_are_there_twice_or_one_too_many_are_refused() {
    let random = vec![(Opponent::Fixed(Sampler::Uniform), 1.0)];
    let setup = setup(&solved(), QLearningConfig::default(), &[Side::O], random);
    let mut learner = setup.learner();
    learner.train(0, 20, &mut stream(1, Purpose::Training, 0, 0), None);
    let good = saved(&*learner);
    let moves: &[u8] = good.get("moves").unwrap();
    let keys: &[u64] = good.get("keys").unwrap();
    let mut twice = good.clone();
    twice.insert("keys", [&keys[..1], &keys[..keys.len() - 1]].concat());
    twice.insert("moves", [&moves[..1], &moves[..moves.len() - 1]].concat());
    let mut more = good.clone();
    more.insert("moves", [moves, &[0]].concat());
    for (arrays, why) in [
        (twice, "or one twice".to_owned()),
        (
            more,
            format!("has {} numbers, expected {}", keys.len() + 1, keys.len()),
        ),
    ] {
        let refused = learner.load(&arrays).unwrap_err();
        assert!(refused.contains(&why), "{refused}");
    }
    assert!(learner.load(&good).is_ok());
}

/// From the definition, with a map of all names.
#[test]
fn classes_and_entries_are_numbered_in_the_order_they_are_met() {
    for name in ["tic-tac-toe", "othello-4x4", "hex-3x3", "mnk-4x3x3"] {
        let graph = compile_game(GameInfo::find(name).unwrap()).unwrap();
        let mut classes: HashMap<Key, usize> = HashMap::new();
        for position in 0..graph.position_count() {
            let first = graph.position(position).canonical();
            let next = classes.len();
            let class = *classes.entry(first.key()).or_insert(next);
            assert_eq!(graph.class(position), class, "{name}");
        }
        for (kind, fold) in [
            (TableKind::StateAction, false),
            (TableKind::StateAction, true),
            (TableKind::Afterstate, false),
            (TableKind::Afterstate, true),
        ] {
            let layout = TableLayout::new(&graph, kind, fold);
            let state = |position| {
                if fold {
                    graph.class(position)
                } else {
                    position
                }
            };
            let mut entries: HashMap<(usize, usize), usize> = HashMap::new();
            for position in 0..graph.position_count() {
                for edge in graph.edges(position) {
                    let from = match kind {
                        TableKind::StateAction => state(position),
                        TableKind::Afterstate => 0,
                    };
                    let next = entries.len();
                    let after = state(graph.child(edge));
                    let entry = *entries.entry((from, after)).or_insert(next);
                    assert_eq!(layout.entry(edge), entry, "{name}, {kind:?}, {fold}");
                    if entry == next {
                        assert_eq!(layout.edge(entry), edge);
                        assert_eq!(layout.side(entry), graph.to_move(position));
                    }
                }
            }
            assert_eq!(layout.entry_count(), entries.len());
        }
    }
}

#[test]
fn symmetric_moves_share_what_is_learned_where_folding_is_on() {
    let solved = solved();
    let graph = &solved.graph;
    for kind in [TableKind::StateAction, TableKind::Afterstate] {
        for fold in [false, true] {
            let config = QLearningConfig {
                table: kind,
                fold_symmetries: fold,
                ..config()
            };
            let setup = setup(&solved, config, &[Side::X], first(graph));
            let mut learner = setup.learner();
            learner.train(0, 30, &mut rng(1), None);
            let q = |name: &str| {
                let mv = graph.game().parse_move(name).unwrap();
                let thoughts = learner.thoughts(graph.position(0));
                let thought = thoughts.iter().find(|thought| thought.mv == mv).unwrap();
                thought.value.unwrap()
            };
            assert!(q("a1") > 0.0);
            for corner in ["c1", "a3", "c3"] {
                assert_eq!(
                    q(corner),
                    if fold { q("a1") } else { 0.0 },
                    "{kind:?} {fold}"
                );
            }
            assert_eq!(q("b2"), 0.0);
        }
    }
}

/// How many states and entries were updated, for X and for O.
fn visited(setup: &dyn Setup, learner: &mut dyn Learner) -> [[u64; 2]; 2] {
    let columns = ["states_visited", "entries_visited"].map(|name| {
        let all = setup.columns();
        all.iter().position(|column| column.name == name).unwrap()
    });
    learner.scalars().map(|scalars| {
        columns.map(|column| match scalars[column] {
            Scalar::Count(count) => count,
            scalar => panic!("{scalar:?} is no count"),
        })
    })
}

#[test]
fn states_and_entries_are_counted_as_the_table_has_them() {
    let solved = solved();
    let graph = &solved.graph;
    for kind in [TableKind::StateAction, TableKind::Afterstate] {
        for fold in [false, true] {
            let config = QLearningConfig {
                table: kind,
                fold_symmetries: fold,
                ties: Ties::Random,
                ..config()
            };
            let opponents = vec![(Opponent::SelfPlay, 1.0)];
            let setup = setup(&solved, config, &Side::BOTH, opponents);
            let mut learner = setup.clone().learner();
            let mut log = Log::default();
            learner.train(0, 300, &mut rng(1), Some(&mut log));
            let class = |position| match fold {
                true => graph.class(position),
                false => position,
            };
            let expected = Side::BOTH.map(|side| {
                let (mut states, mut entries) = (BTreeSet::new(), BTreeSet::new());
                for update in log.updates.iter().filter(|update| update.side == side) {
                    let state = class(graph.position_of(update.edge));
                    let after = class(graph.child(update.edge));
                    let state = match kind {
                        TableKind::StateAction => state,
                        TableKind::Afterstate => after,
                    };
                    states.insert(state);
                    entries.insert((state, after));
                }
                [states.len() as u64, entries.len() as u64]
            });
            assert_eq!(visited(&*setup, &mut *learner), expected, "{kind:?} {fold}");
        }
    }
}

#[test]
fn self_play_learns_from_both_sides_of_an_episode() {
    let solved = solved();
    let graph = &solved.graph;
    let config = QLearningConfig {
        update: Update::Backward,
        ..config()
    };
    let opponents = vec![(Opponent::SelfPlay, 1.0)];
    let setup = setup(&solved, config, &Side::BOTH, opponents);
    let mut learner = setup.clone().learner();
    let mut log = Log::default();
    learner.train(0, 1, &mut rng(1), Some(&mut log));
    let updates: Vec<(Side, String, f64)> = log
        .updates
        .iter()
        .map(|u| (u.side, graph.format_move(u.edge), u.new))
        .collect();
    let expected = [
        (Side::X, "a3", 0.5),
        (Side::X, "b2", 0.125),
        (Side::X, "c1", 0.03125),
        (Side::X, "a1", 0.0078125),
        (Side::O, "c2", -0.5),
        (Side::O, "a2", 0.0),
        (Side::O, "b1", 0.0),
    ];
    assert_eq!(
        updates,
        expected.map(|(side, mv, new)| (side, mv.to_owned(), new))
    );
    assert_eq!(visited(&*setup, &mut *learner), [[4, 4], [3, 3]]);
}

#[test]
fn softmax_draws_moves_in_proportion_to_their_exponentials() {
    let solved = solved();
    // With a learning rate of 0 all values stay equal, so all moves are equally
    // likely; with a temperature near 0 only the best move is.
    let temperature = |value| Exploration::Softmax(f64::into(value));
    let config = QLearningConfig {
        exploration: temperature(1.0),
        learning_rate: Schedule::from(0.0),
        ..config()
    };
    let log = play(&solved, config, Side::X, 9000);
    let mut counts = [0u32; 9];
    for &(edge, _) in log.moves.iter().filter(|(edge, _)| *edge < 9) {
        counts[edge] += 1;
    }
    assert!(
        counts.iter().all(|&count| (850..1150).contains(&count)),
        "{counts:?}"
    );

    let config = QLearningConfig {
        exploration: temperature(1e-9),
        ..self::config()
    };
    let log = play(&solved, config, Side::X, 200);
    // Once a first move has been found to win, it is played forever.
    let firsts: Vec<usize> = log
        .moves
        .iter()
        .map(|m| m.0)
        .filter(|&edge| edge < 9)
        .collect();
    let settled = firsts
        .iter()
        .rev()
        .take_while(|&&edge| edge == firsts[199])
        .count();
    assert!(settled > 100, "{firsts:?}");
}

/// Q-learning against a fixed opponent solves a Markov decision process, whose
/// values a backward sweep gives. With every move explored and a plain mean as
/// step size, the table comes close to them.
#[test]
fn learned_values_approach_those_of_the_decision_process() {
    let solved = solved();
    let graph = &solved.graph;
    let random = stage().agent(&"random".parse().unwrap()).unwrap();
    let opponent = random.policy(&solved).unwrap();
    let rewards = Rewards {
        win: 1.0,
        draw: 0.9,
        loss: -2.0,
    };
    let mut values = vec![0.0; graph.position_count()];
    for position in (0..graph.position_count()).rev() {
        let children = graph.edges(position).map(|edge| values[graph.child(edge)]);
        values[position] = match graph.terminal_value(position, Side::O) {
            Some(value) => rewards.of(value),
            None if graph.to_move(position) == Side::O => children.fold(f64::MIN, f64::max),
            None => {
                let edges = graph.edges(position);
                edges
                    .map(|e| opponent.probability(e) * values[graph.child(e)])
                    .sum()
            }
        };
    }
    for (table, double, update) in [
        (TableKind::Afterstate, false, Update::Online),
        (TableKind::StateAction, false, Update::Backward),
        (TableKind::Afterstate, true, Update::Online),
        (TableKind::StateAction, true, Update::Backward),
    ] {
        let config = QLearningConfig {
            table,
            double,
            update,
            fold_symmetries: true,
            learning_rate: Schedule::VisitCount(VisitCount {
                scale: 1.0,
                exponent: 0.8,
                minimum: 0.0,
            }),
            exploration: Exploration::EpsilonGreedy(1.0.into()),
            rewards,
            ..QLearningConfig::default()
        };
        let opponents = vec![(Opponent::Fixed(Sampler::Uniform), 1.0)];
        let setup = setup(&solved, config, &[Side::O], opponents);
        let mut learner = setup.learner();
        learner.train(0, 400_000, &mut rng(1), None);
        for position in graph.decisions(Side::O) {
            let thoughts = learner.thoughts(graph.position(position));
            for (edge, thought) in graph.edges(position).zip(thoughts) {
                if thought.visits.unwrap() <= 2000 {
                    continue;
                }
                let (learned, exact) = (thought.value.unwrap(), values[graph.child(edge)]);
                let place = graph.format_position(position);
                assert!(
                    (learned - exact).abs() < 0.15,
                    "{place}: {learned} is not {exact}"
                );
            }
        }
    }
}

#[test]
fn a_learner_that_was_stored_continues_as_if_it_had_not_been() {
    let solved = solved();
    let config = QLearningConfig {
        double: true,
        ties: Ties::Random,
        exploration: Exploration::Softmax(0.3.into()),
        ..config()
    };
    let opponents = vec![
        (Opponent::SelfPlay, 1.0),
        (Opponent::Fixed(Sampler::Uniform), 2.0),
    ];
    let setup = setup(&solved, config, &Side::BOTH, opponents);
    let (mut whole, mut whole_rng) = (setup.clone().learner(), rng(3));
    whole.train(0, 700, &mut whole_rng, None);
    let (mut first, mut first_rng) = (setup.clone().learner(), rng(3));
    assert_eq!(first.train(0, 301, &mut first_rng, None), 301);
    let mut second = setup.clone().learner();
    second.load(&saved(&*first)).unwrap();
    assert_eq!(saved(&*second), saved(&*first));
    assert_eq!(
        visited(&*setup, &mut *second),
        visited(&*setup, &mut *first)
    );
    second.train(301, 399, &mut first_rng, None);
    assert_eq!(saved(&*whole), saved(&*second));
    assert_eq!(whole_rng, first_rng);
    assert_eq!(
        visited(&*setup, &mut *whole),
        visited(&*setup, &mut *second)
    );
}

#[test]
fn softmax_weighs_a_value_by_the_temperature() {
    let solved = solved();
    let graph = &solved.graph;
    let config = QLearningConfig {
        exploration: Exploration::Softmax(0.5.into()),
        learning_rate: Schedule::from(0.0),
        ..config()
    };
    let setup = setup(&solved, config, &[Side::X], first(graph));
    // exp(q / 0.5) = 3 for the first move, 1 for the eight others.
    let mut arrays = Arrays::default();
    arrays.insert("keys", vec![graph.short_key(0)]);
    arrays.insert("moves", vec![graph.mv(0).index() as u8]);
    arrays.insert("values", vec![0.5 * 3f64.ln()]);
    arrays.insert("visits", vec![0u32]);
    let mut learner = setup.learner();
    learner.load(&arrays).unwrap();
    let mut log = Log::default();
    learner.train(0, 11_000, &mut rng(1), Some(&mut log));
    let count = log.moves.iter().filter(|(edge, _)| *edge == 0).count();
    // 3,000 of 11,000 expected, standard deviation 47.
    assert!((2800..3200).contains(&count), "{count}");
}

/// X draws one of 100 cards. Two of them give a draw; with all others O wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cards(u64);

/// The moves' indices are the highest possible ones.
const FIRST_CARD: usize = Move::LIMIT - 100;

/// The edges of the cards that give a draw.
const GOOD: [usize; 2] = [40, 97];

impl Game for Cards {
    type Bits = u128;

    const MOVES: usize = Move::LIMIT;
    const WIDTH: usize = 10;
    const HEIGHT: usize = 12;

    fn start() -> Self {
        Cards(0)
    }

    fn to_move(self) -> Side {
        if self.0 == 0 { Side::X } else { Side::O }
    }

    fn outcome(self) -> Option<Outcome> {
        let card = (self.0 as usize).checked_sub(1)?;
        Some(match GOOD.contains(&card) {
            true => Outcome::Draw,
            false => Outcome::Win(Side::O),
        })
    }

    fn moves(self) -> Moves<u128> {
        match self.0 {
            0 => Moves::from_bits(u128::MAX << FIRST_CARD),
            _ => Moves::NONE,
        }
    }

    fn play_unchecked(self, mv: Move) -> Self {
        Cards((mv.index() - FIRST_CARD + 1) as u64)
    }

    notation_by_number!();
}

static CARDS: GameInfo = GameInfo::of::<Cards>("cards", true, "");

#[test]
fn more_moves_than_a_word_has_bits_are_chosen_among_as_a_few_are() {
    let graph = compile::<Cards>(&CARDS, 101).unwrap();
    let solved = Arc::new(Solved::of(graph));
    let graph = &solved.graph;
    assert_eq!((graph.edges(0), graph.mv(99).index()), (0..100, 127));
    let learn = |config: &QLearningConfig, episodes: u64| {
        let opponents = vec![(Opponent::Fixed(Sampler::Uniform), 1.0)];
        let setup = setup(&solved, config.clone(), &[Side::X], opponents);
        let mut learner = setup.clone().learner();
        let mut log = Log::default();
        learner.train(0, episodes, &mut rng(1), Some(&mut log));
        let edges: Vec<usize> = log.moves.iter().map(|(edge, _)| *edge).collect();
        let mut policy = Policy::empty(graph);
        learner.greedy_policy(Side::X, &mut policy);
        let best = (0..100).filter(|&edge| policy.probability(edge) > 0.0);
        let stored = saved(&*learner);
        let mut restored = setup.learner();
        restored.load(&stored).unwrap();
        assert_eq!(saved(&*restored), stored);
        (edges, best.collect::<Vec<usize>>())
    };
    let count = |edges: &[usize], edge| edges.iter().filter(|&&other| other == edge).count();
    for (table, double, update) in [
        (TableKind::StateAction, false, Update::Online),
        (TableKind::StateAction, true, Update::Backward),
        (TableKind::Afterstate, true, Update::Online),
    ] {
        let config = |learning_rate: f64, ties| QLearningConfig {
            table,
            double,
            update,
            ties,
            learning_rate: Schedule::from(learning_rate),
            rewards: Rewards {
                draw: 0.0,
                ..config().rewards
            },
            ..config()
        };
        // Nothing is learned, so that all moves stay equal: 200 of each are expected,
        // standard deviation 14.
        let (edges, best) = learn(&config(0.0, Ties::Random), 20_000);
        for edge in 0..100 {
            assert!((130..270).contains(&count(&edges, edge)), "{edge}");
        }
        assert_eq!(best, Vec::from_iter(0..100));
        assert_eq!(learn(&config(0.0, Ties::First), 10), (vec![0; 10], vec![0]));

        // A losing card is not played again: 1,000 of each are expected, standard deviation 22.
        let (edges, best) = learn(&config(1.0, Ties::Random), 3000);
        for good in GOOD {
            assert!((880..1120).contains(&count(&edges[1000..], good)));
        }
        let (mut lost, settled) = (edges.clone(), &edges[1000..]);
        lost.retain(|edge| !GOOD.contains(edge));
        lost.sort_unstable();
        assert!(
            lost.iter()
                .copied()
                .eq((0..100).filter(|edge| !GOOD.contains(edge)))
        );
        assert!(settled.iter().all(|edge| GOOD.contains(edge)));
        assert_eq!(best, GOOD);
        let (edges, best) = learn(&config(1.0, Ties::First), 90);
        let expected = (0..90).map(|episode| GOOD[0].min(episode));
        assert_eq!((edges, best), (expected.collect(), vec![GOOD[0]]));
    }
}

#[test]
fn schedules_take_the_values_of_their_formulas() {
    let linear = Schedule::Linear(Linear {
        from: 1.0,
        to: 0.5,
        episodes: 4,
    });
    assert_eq!(
        [0, 1, 2, 4, 9].map(|t| linear.value(t)),
        [1.0, 0.875, 0.75, 0.5, 0.5]
    );
    let exponential = Schedule::Exponential(Exponential {
        from: 1.0,
        to: 0.2,
        half_life: 10.0,
    });
    assert_eq!(exponential.value(0), 1.0);
    assert!((exponential.value(10) - 0.6).abs() < 1e-15);
    assert!((exponential.value(20) - 0.4).abs() < 1e-15);
    let stepwise = Schedule::Stepwise(vec![(0, 0.7), (700, 0.6), (1400, 0.5)]);
    assert_eq!(
        [0, 699, 700, 1399, 1400, 9000].map(|t| stepwise.value(t)),
        [0.7, 0.7, 0.6, 0.6, 0.5, 0.5]
    );
}

#[test]
fn a_schedule_stays_between_its_ends_and_arrives() {
    for (from, to) in [(1.0, 0.1), (1.0, 1e-17), (1e-17, 1.0), (0.3, 0.9)] {
        for episodes in [1, 3, 1 << 53, u64::MAX] {
            let linear = Schedule::Linear(Linear { from, to, episodes });
            let exponential = Schedule::Exponential(Exponential {
                from,
                to,
                half_life: episodes as f64,
            });
            assert_eq!(linear.value(episodes), to, "{from} to {to}");
            for episode in [0, 1, 2, episodes - 1] {
                for schedule in [&linear, &exponential] {
                    let value = schedule.value(episode);
                    assert!(value >= from.min(to) && value <= from.max(to), "{value}");
                }
            }
        }
    }
}

#[test]
fn step_sizes_by_visit_count_are_powers_of_it() {
    let solved = solved();
    let graph = &solved.graph;
    let step_size = |count: &VisitCount, n: u32| {
        let config = QLearningConfig {
            learning_rate: Schedule::VisitCount(count.clone()),
            ..config()
        };
        let mut arrays = Arrays::default();
        arrays.insert("keys", vec![graph.short_key(0)]);
        arrays.insert("moves", vec![graph.mv(0).index() as u8]);
        arrays.insert("values", vec![1.0]);
        arrays.insert("visits", vec![n - 1]);
        let mut learner = setup(&solved, config, &[Side::X], first(graph)).learner();
        learner.load(&arrays).unwrap();
        let mut log = Log::default();
        learner.train(0, 1, &mut rng(1), Some(&mut log));
        assert_eq!(log.updates[0].edge, 0);
        log.updates[0].learning_rate
    };
    let count = |scale: f64, exponent: f64, minimum: f64| VisitCount {
        scale,
        exponent,
        minimum,
    };
    let half = count(0.5, 0.5, 0.001);
    assert_eq!([1, 4, 100].map(|n| step_size(&half, n)), [0.5, 0.25, 0.05]);
    for n in [16_383, 16_384, 100_000, u32::MAX] {
        let exact = f64::from(n).powf(-0.8);
        let step = step_size(&count(1.0, 0.8, 0.0), n);
        assert!((step / exact - 1.0).abs() < 1e-4, "at {n}");
    }
    assert_eq!(step_size(&count(1.0, 1.0, 0.3), 1_000_000), 0.3);
}
