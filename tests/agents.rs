//! Players at the board: what options do, and what they must not do.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use playlab::agent::{
    Agent, AgentSpec, Failure, MctsOptions, Past, Player, SpecSubject, Stage, Thought,
};
use playlab::arrays::Arrays;
use playlab::evaluate::{Contest, MatchPlan, Seats, play_pairings};
use playlab::game::{GameInfo, Move, Position, Side, play_moves};
use playlab::learn::{LearnerConfig, Setup, Task};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::mcts::{MctsConfig, Merge};
use playlab::search::{Limits, Scoring, Stopped, Ties, exact_solver};

use crate::q_learning::saved;

fn info(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn start(game: &str) -> Position {
    Position::start(info(game))
}

fn agent(game: &str, spec: &str) -> Arc<dyn Agent> {
    Stage::new(info(game))
        .agent(&spec.parse().unwrap())
        .unwrap()
}

/// The random numbers for a game.
fn rng(seed: u64) -> LabRng {
    stream(seed, Purpose::Match, 0, 0)
}

/// A player with the random numbers of its game.
struct Seated {
    player: Box<dyn Player>,
    rng: LabRng,
}

impl Seated {
    fn start_game(&mut self, rng: LabRng) {
        self.rng = rng;
        self.player.start_game();
    }

    fn choose(&mut self, position: Position, limits: &Limits) -> Result<Move, Failure> {
        self.player.choose(position, limits, &mut self.rng)
    }

    fn explain(&mut self, position: Position, limits: &Limits) -> Result<Vec<Thought>, Failure> {
        self.player.explain(position, limits, self.rng.clone())
    }
}

/// A player whose first game has begun.
fn player(agent: &Arc<dyn Agent>, seed: u64) -> Seated {
    let mut seated = Seated {
        player: Arc::clone(agent).seat(),
        rng: rng(seed),
    };
    seated.player.start_game();
    seated
}

fn choose(player: &mut Seated, position: Position) -> Move {
    player.choose(position, &Limits::NONE).unwrap()
}

/// The moves of a whole game that the player plays with itself.
fn play(player: &mut Seated, mut position: Position) -> Vec<Move> {
    let mut moves = Vec::new();
    while position.outcome().is_none() {
        let mv = choose(player, position);
        moves.push(mv);
        position = position.play(mv).unwrap();
    }
    moves
}

/// How often each first move is chosen.
fn first_moves(spec: &str, games: u64) -> HashMap<String, u64> {
    let start = start("tic-tac-toe");
    let mut player = player(&agent("tic-tac-toe", spec), 0);
    let mut counts = HashMap::new();
    for game in 0..games {
        player.start_game(stream(1, Purpose::Match, 0, game));
        let mv = choose(&mut player, start);
        *counts.entry(start.format_move(mv)).or_insert(0) += 1;
    }
    counts
}

#[test]
fn symmetric_moves_share_the_weight_of_their_visits() {
    // Of the three classes of first moves b2 gets the most simulations.
    let options = "simulations=900,solver=false,rollouts=random,temperature=1";
    let merged = first_moves(&format!("mcts:{options},merge=symmetries"), 400);
    let b2 = merged["b2"];
    let corners: u64 = ["a1", "c1", "a3", "c3"]
        .map(|mv| merged.get(mv).copied().unwrap_or(0))
        .iter()
        .sum();
    assert!(b2 > corners, "{merged:?}");
    assert!(merged.len() > 5, "{merged:?}");
}

#[test]
fn without_temperature_the_best_move_is_played() {
    let counts = first_moves("mcts:simulations=900,solver=false,rollouts=random", 40);
    assert!(counts["b2"] >= 30, "{counts:?}");
}

#[test]
fn noise_changes_what_is_played_with_every_way_to_merge() {
    for merge in ["none", "transpositions", "symmetries"] {
        for ties in ["random", "first"] {
            let base = format!(
                "mcts:simulations=30,selection=puct,solver=false,merge={merge},ties={ties}"
            );
            let noisy = first_moves(&format!("{base},noise_weight=0.9,noise_alpha=0.3"), 60);
            assert!(noisy.len() >= 3, "{merge} {ties}: {noisy:?}");
        }
    }
}

#[test]
fn a_kept_tree_continues_from_the_position_that_was_reached() {
    for merge in ["none", "transpositions", "symmetries"] {
        let visits = |reuse: bool| -> u64 {
            let spec =
                format!("mcts:simulations=2000,solver=false,merge={merge},reuse_tree={reuse}");
            let mut player = player(&agent("tic-tac-toe", &spec), 2);
            let mut position = start("tic-tac-toe");
            position = position.play(choose(&mut player, position)).unwrap();
            let reply = position.moves().next().unwrap();
            position = position.play(reply).unwrap();
            choose(&mut player, position);
            assert_eq!(player.player.simulations(), 4000);
            let thoughts = player.explain(position, &Limits::NONE).unwrap();
            thoughts.iter().map(|thought| thought.visits.unwrap()).sum()
        };
        assert!(visits(true) > visits(false), "{merge}");
    }
}

#[test]
fn a_full_memory_never_ends_a_game() {
    for options in [
        "merge=transpositions,reuse_tree=true",
        "merge=symmetries,reuse_tree=true,ties=first",
        "merge=transpositions,rollouts=none",
        "reuse_tree=true",
    ] {
        let spec = format!("mcts:simulations=6000,solver=false,memory=1,{options}");
        let mut player = player(&agent("mnk-5x5x5", &spec), 3);
        let mut position = start("mnk-5x5x5");
        for _ in 0..4 {
            let mv = choose(&mut player, position);
            position = position.play(mv).unwrap();
            let reply = position.moves().next().unwrap();
            position = position.play(reply).unwrap();
        }
    }
}

#[test]
fn asking_why_changes_nothing() {
    for options in [
        "",
        ",reuse_tree=true",
        ",reuse_tree=true,merge=transpositions",
    ] {
        let agent = agent("tic-tac-toe", &format!("mcts:simulations=50{options}"));
        let play = |ask: bool| -> Vec<Move> {
            let mut player = player(&agent, 4);
            let mut position = start("tic-tac-toe");
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                if ask {
                    player.explain(position, &Limits::NONE).unwrap();
                }
                let mv = choose(&mut player, position);
                moves.push(mv);
                position = position.play(mv).unwrap();
            }
            moves
        };
        assert_eq!(play(true), play(false), "{options}");
    }
}

/// Checks that a game after others is the same as a player's first one.
fn assert_games_are_apart(agent: &Arc<dyn Agent>, start: Position, what: &str) {
    let mut used = player(agent, 7);
    play(&mut used, start);
    // A game that was not played to its end, from which the next one could continue.
    used.start_game(rng(9));
    let first = choose(&mut used, start);
    used.start_game(rng(8));
    assert_eq!(
        play(&mut used, start),
        play(&mut player(agent, 8), start),
        "{what}"
    );
    // So is a game that is taken up after a move that somebody else made.
    let reached = start.play(first).unwrap();
    let taken_up = |player: &mut Seated| {
        player.start_game(rng(10));
        player.player.resume_game(&Past {
            start,
            moves: &[first],
            side: start.to_move(),
        });
        (
            player.explain(reached, &Limits::NONE),
            play(player, reached),
        )
    };
    used.start_game(rng(9));
    choose(&mut used, start);
    assert_eq!(
        taken_up(&mut used),
        taken_up(&mut player(agent, 0)),
        "{what}"
    );
}

#[test]
fn a_game_does_not_depend_on_the_one_before() {
    for spec in [
        "mcts:simulations=60,solver=false",
        "mcts:simulations=60,reuse_tree=true",
        "mcts:simulations=60,merge=symmetries,reuse_tree=true,solver=false",
        "alpha-beta:depth=3",
        "minimax",
        "random",
    ] {
        assert_games_are_apart(&agent("mnk-4x3x3", spec), start("mnk-4x3x3"), spec);
    }
}

/// The setup of a learner that grows a tree of a game.
fn tree_setup(game: &str, config: MctsConfig) -> Arc<dyn Setup> {
    let info = info(game);
    let task = Task {
        game: info,
        solved: info.listed.then(|| Stage::new(info).solved().unwrap()),
        sides: Side::BOTH.to_vec(),
        opponents: vec![],
    };
    LearnerConfig::Mcts(config).settings().setup(task)
}

fn training(seed: u64) -> LabRng {
    stream(seed, Purpose::Training, 0, 0)
}

/// A tree after 300 simulations, which merged symmetric positions.
fn small_tree(ties: Ties, solver: bool) -> (Arc<dyn Setup>, Arrays) {
    let config = MctsConfig {
        merge: Merge::Symmetries,
        ties,
        solver,
        ..MctsConfig::default()
    };
    let setup = tree_setup("tic-tac-toe", config);
    let mut learner = setup.clone().learner();
    learner.train(0, 300, &mut training(5), None);
    (setup, saved(&*learner))
}

#[test]
fn a_tree_is_restored_whole() {
    for (ties, solver) in [(Ties::Random, false), (Ties::First, true)] {
        let (setup, tree) = small_tree(ties, solver);
        let restore = || {
            let mut learner = setup.clone().learner();
            learner.load(&tree).unwrap();
            (learner, training(6))
        };
        let ((mut one, mut one_rng), (mut two, mut two_rng)) = (restore(), restore());
        assert_eq!(saved(&*one), tree);
        assert_eq!(one.train(300, 100, &mut one_rng, None), 100);
        two.train(300, 60, &mut two_rng, None);
        two.train(360, 40, &mut two_rng, None);
        assert_eq!(saved(&*one), saved(&*two));
    }
}

#[test]
fn a_tree_of_a_game_that_is_not_listed_is_stored_and_played_by() {
    for merge in [Merge::Transpositions, Merge::Symmetries] {
        let config = MctsConfig {
            merge,
            ..MctsConfig::default()
        };
        let setup = tree_setup("connect-four", config);
        assert!(!setup.has_policy());
        let (mut whole, mut whole_rng) = (setup.clone().learner(), training(1));
        whole.train(0, 300, &mut whole_rng, None);
        let (stored, mut rng) = (saved(&*whole), whole_rng.clone());
        assert!(!stored.contains("keys"));
        let mut restored = setup.clone().learner();
        restored.load(&stored).unwrap();
        assert_eq!(saved(&*restored), stored);
        assert_eq!(whole.train(300, 200, &mut whole_rng, None), 200);
        assert_eq!(restored.train(300, 200, &mut rng, None), 200);
        assert_eq!(saved(&*restored), saved(&*whole));
        assert_eq!(rng, whole_rng);

        let grown = saved(&*whole);
        for simulations in [0, 50] {
            let agents = [&whole, &restored].map(|learner| learner.agent(simulations).unwrap());
            let games = agents.map(|agent| {
                let mut player = player(&agent, 2);
                let moves = play(&mut player, start("connect-four"));
                // Only a player that searches makes simulations.
                assert_eq!(player.player.simulations() > 0, simulations > 0);
                assert!(player.player.simulations() <= simulations * moves.len() as u64);
                let what = format!("{merge:?} {simulations}");
                assert_games_are_apart(&agent, start("connect-four"), &what);
                moves
            });
            assert_eq!(games[0], games[1]);
        }
        assert_eq!(saved(&*whole), grown);
    }
}

#[test]
fn an_agent_told_to_stop_stops_at_once() {
    let (stop, looked_at) = (AtomicBool::new(true), AtomicU64::new(0));
    let limits = Limits {
        stop: Some(&stop),
        progress: Some(&looked_at),
        ..Limits::NONE
    };
    let position = start("connect-four");
    let stopped = Failure::Stopped(Stopped);
    for spec in [
        "mcts",
        "mcts:merge=symmetries",
        "mcts:milliseconds=1000",
        "alpha-beta",
        "alpha-beta:depth=1",
        "alpha-beta:depth=1,leaf=last-gain",
        "minimax",
        "minimax:first",
    ] {
        let mut player = player(&agent("connect-four", spec), 1);
        assert_eq!(
            player.choose(position, &limits),
            Err(stopped.clone()),
            "{spec}"
        );
        assert_eq!(
            player.explain(position, &limits),
            Err(stopped.clone()),
            "{spec}"
        );
        assert_eq!(player.player.simulations(), 0, "{spec}");
        assert_eq!(looked_at.load(Ordering::Relaxed), 0, "{spec}");
        // The game is as it was, and can continue.
        if !spec.starts_with("minimax") {
            let mv = choose(&mut player, position);
            assert!(position.moves().contains(mv), "{spec}");
        }
    }
}

#[test]
fn a_policy_has_the_moves_that_are_chosen() {
    let stage = Stage::new(info("tic-tac-toe"));
    let solved = stage.solved().unwrap();
    let graph = &solved.graph;
    for spec in [
        "random",
        "block-or-random",
        "greedy",
        "alpha-beta:depth=2",
        "minimax:first",
    ] {
        let agent = stage.agent(&spec.parse().unwrap()).unwrap();
        let policy = agent.policy(&solved).unwrap();
        let mut player = player(&agent, 0);
        for number in Side::BOTH
            .into_iter()
            .flat_map(|side| graph.decisions(side))
        {
            let possible = graph
                .edges(number)
                .filter(|&edge| policy.probability(edge) > 0.0);
            let possible: BTreeSet<Move> = possible.map(|edge| graph.mv(edge)).collect();
            // That one of n is never drawn is likely by n · (1 − 1/n)^(25 n) < n · e^−25.
            let chosen = (0..25 * possible.len() as u64).map(|seed| {
                player.start_game(rng(seed));
                choose(&mut player, graph.position(number))
            });
            let chosen: BTreeSet<Move> = chosen.collect();
            assert_eq!(
                chosen,
                possible,
                "{spec} in {}",
                graph.format_position(number)
            );
        }
    }
}

#[test]
fn a_lost_game_is_not_given_up() {
    let mut player = player(&agent("connect-four", "minimax"), 1);
    let position = play_moves(info("connect-four"), "44467623477137167453674322").unwrap();
    let mut solver = exact_solver(info("connect-four"), 20, Scoring::Raw);
    let scores = solver.scores(position, &Limits::NONE).unwrap();
    let best = scores.iter().map(|(_, score)| *score).max().unwrap();
    assert!(best < 0 && scores.iter().any(|(_, score)| *score < best));
    for _ in 0..20 {
        let mv = choose(&mut player, position);
        assert!(scores.contains(&(mv, best)), "{mv:?}");
    }
}

#[test]
fn what_minimax_says_is_what_it_plays_by() {
    let info = info("connect-four-5x5");
    let mut known = [0; 2];
    for nodes in [3_000, 10_000, 30_000, 100_000] {
        let agent = agent(info.name, &format!("minimax:nodes={nodes}"));
        for position in [
            "...../...../..XX./..OO./..OXX",
            "...../...../...../...O./..XX.",
            "...../...../...../..O../..XOX",
        ] {
            let position = Position::parse(info, position).unwrap();
            let mut player = player(&agent, nodes);
            let played = choose(&mut player, position);
            let thoughts = player.explain(position, &Limits::NONE).unwrap();
            let of = |number: fn(&Thought) -> Option<i32>| {
                let own = thoughts
                    .iter()
                    .find(|one| one.mv == played)
                    .and_then(number);
                (own, thoughts.iter().filter_map(number).max())
            };
            let optimal = |one: &Thought| one.optimal.map(i32::from);
            for number in [
                optimal,
                |one: &Thought| one.exact_score,
                |one: &Thought| one.score,
            ] {
                let (own, best) = of(number);
                assert_eq!(own, best, "{nodes}, {position}: {played:?} of {thoughts:?}");
            }
            known[usize::from(of(optimal).0.is_some())] += 1;
        }
    }
    // The limit allows more than which moves keep the value for some positions, and just that for others.
    assert!(known[0] > 0 && known[1] > 0, "{known:?}");
}

#[test]
fn setting_an_option_leaves_the_rest_of_a_spec_as_it_is() {
    for (spec, option, value, set) in [
        ("minimax", "empties", 9, "minimax:empties=9"),
        ("mcts:c=1,memory=8", "c", 2, "mcts:c=2,memory=8"),
        ("mcts:c=1", "memory", 8, "mcts:c=1,memory=8"),
        (
            "policy:a,,b.csv",
            "temperature",
            1,
            "policy:a,,b.csv,temperature=1",
        ),
        (
            "gtp:go 'x,,y',timeout=5",
            "timeout",
            9,
            "gtp:go 'x,,y',timeout=9",
        ),
    ] {
        let found = AgentSpec::with_option(spec, option, &toml::Value::Integer(value));
        assert_eq!(found.as_deref(), Some(set), "{spec}");
    }
}

#[test]
fn a_spec_is_written_as_it_is_read() {
    for text in [
        "random",
        "minimax",
        "minimax:first",
        "minimax:fastest",
        "minimax:epsilon=0.2",
        "minimax:nodes=1000000",
        "minimax:first,depth=3,empties=10",
        "block-or-random",
        "greedy",
        "weighted",
        "standard-weights",
        "alpha-beta",
        "alpha-beta:depth=3",
        "alpha-beta:depth=3,leaf=last-gain",
        "alpha-beta:evaluation=weighted",
        "alpha-beta:depth=2,ties=first",
        "mcts",
        "mcts:simulations=50",
        "mcts:c=0.5,selection=puct",
        "mcts:first_play=0.7,merge=symmetries,solver=false",
        "run:runs/qtable_o-1",
        "run:runs/a,checkpoint=last,seed=3",
        "run:runs/a,checkpoint=20",
        "run:runs/a,seed=0",
        "run:runs/a,simulations=50",
        "level:beginner",
        "level:master",
    ] {
        let spec: AgentSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    // Nor are defaults dropped, or options sorted; yet it is the same agent.
    for (text, same) in [
        ("alpha-beta:depth=4", "alpha-beta"),
        ("mcts:simulations=50,c=1.4", "mcts:c=1.4,simulations=50"),
        ("run:a,checkpoint=best", "run:a"),
    ] {
        let [spec, same]: [AgentSpec; 2] = [text, same].map(|text| text.parse().unwrap());
        assert_eq!(spec.to_string(), text);
        assert_eq!(spec, same);
    }
    let timed: AgentSpec = "mcts:milliseconds=20".parse().unwrap();
    assert!(timed.depends_on_time());
    assert_eq!(timed.to_string().parse(), Ok(timed));
    let options: MctsOptions = MctsOptions::read(Some("c=2,temperature=1")).unwrap();
    assert_eq!((options.tree.c, options.play.temperature), (2.0, 1.0));
    let by_time = "milliseconds=5,evaluation=run:runs/simulations=30";
    assert_eq!(
        MctsOptions::read(Some(by_time)).unwrap().play.simulations,
        0
    );
    let empty = "run:a,epsilon=".parse::<AgentSpec>().unwrap_err();
    assert!(empty.contains(": option 'epsilon': "), "{empty}");
    let commas: AgentSpec = "run:a,b/c,d,seed=2".parse().unwrap();
    assert_eq!(commas.to_string(), "run:a,b/c,d,seed=2");
    let both: AgentSpec = "mcts:milliseconds=20,simulations=1000".parse().unwrap();
    assert_eq!(both.to_string().parse(), Ok(both));
    for form in AgentSpec::forms() {
        assert!(form.parse::<AgentSpec>().is_ok(), "{form}");
    }
}

#[test]
fn proposed_opponents_are_in_the_menu() {
    let menu: Vec<String> = AgentSpec::menu().iter().map(AgentSpec::to_string).collect();
    for form in AgentSpec::all_forms() {
        let is_there = |opponent: &str| menu.iter().any(|spec| spec == opponent);
        assert!(form.opponent.is_none_or(is_there), "{form:?}");
        if let Some(SpecSubject::Choice { choices, .. }) = form.subject {
            for word in choices {
                let spec = format!("{}:{word}", form.names[0]);
                assert!(spec.parse::<AgentSpec>().is_ok(), "{spec}");
            }
        }
    }
}

#[test]
fn an_equals_sign_in_a_command_or_a_path_makes_no_option() {
    let options = |spec: &str| -> Vec<String> {
        let spec: AgentSpec = spec.parse().unwrap();
        spec.options().map(|(name, _)| name.to_owned()).collect()
    };
    let none: [String; 0] = [];
    assert_eq!(options("mcts:c=2,simulations=9"), ["c", "simulations"]);
    assert_eq!(options("gtp:program --level=3"), none);
    assert_eq!(options("policy:a=b.csv"), none);
}

#[test]
fn a_wrong_spec_is_refused_with_the_nearest_right_one() {
    for (text, words) in [
        ("minmax", "did you mean 'minimax'?"),
        ("mtcs:simulations=10", "did you mean 'mcts'?"),
        ("stockfish", "expected one of: random, "),
        (
            "mcts:simulatons=10",
            "'simulatons', did you mean 'simulations'?",
        ),
        ("mcts:simulations=ten", "option 'simulations': "),
        (
            "mcts:simulations=0",
            "option 'simulations': 0 leaves nothing",
        ),
        ("mcts:simulations=-1", "option 'simulations': "),
        (
            "mcts:simulations",
            "option 'simulations' has no value, expected one such as simulations=",
        ),
        ("mcts:c=-1", "option 'c': -1 is out of range"),
        ("mcts:c=nan", "option 'c': NaN is out of range"),
        ("mcts:selection=ucb", "did you mean 'ucb1'?"),
        ("mcts:counts=positions", "expected merge = transpositions"),
        ("mcts:noise_weight=0.2", "expected selection=puct"),
        (
            "mcts:first_play=soon",
            "\"soon\" does not fit, expected a number, or \"infinity\"",
        ),
        ("mcts:", "'' is not an option"),
        ("alpha-beta:depth=0", "option 'depth': 0 is out of range"),
        ("alpha-beta:dept=3", "did you mean 'depth'?"),
        ("minimax:fist", "did you mean 'first'?"),
        (
            "minimax:slowestofall",
            "expected one of: first, fastest, epsilon=E, nodes=N",
        ),
        ("minimax:node=3", "did you mean 'nodes'?"),
        ("minimax:first,dept=3", "did you mean 'depth'?"),
        ("minimax:depth=65", "option 'depth': 65 is out of range"),
        ("alpha-beta:evaluation=weigted", "did you mean 'weighted'?"),
        ("alpha-beta:leaf=gain", "did you mean 'last-gain'?"),
        ("alpha-beta:plies=3", "did you mean 'depth'?"),
        ("mcts:selection=uct", "did you mean 'ucb1'?"),
        ("gredy", "did you mean 'greedy'?"),
        ("greedy:depth=2", "greedy has no options"),
        ("random:seed=1", "random has no options"),
        ("level", "no level, expected one of: beginner, easy, "),
        ("level:", "no level, expected one of: beginner, easy, "),
        ("levle:hard", "did you mean 'level'?"),
        (
            "level:mater",
            "unknown level 'mater', did you mean 'master'? The levels are: beginner, ",
        ),
        ("level:hard,depth=3", "unknown level 'hard,depth=3', "),
        ("run:", "no run is named, expected one, as in run:RUN"),
        ("run:a,sed=1", "did you mean 'seed'?"),
        (
            "run:a,seed=last",
            "'last' is not a seed, expected first or a number",
        ),
        (
            "run:a,simulations=99999999999",
            "option 'simulations': 99999999999 is out of range, expected a whole number from 0 to 2,000,000,000",
        ),
    ] {
        let error = text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn a_stage_without_learned_agents_says_what_stage_has_them() {
    for (game, spec) in [
        ("tic-tac-toe", "run:somewhere"),
        ("connect-four", "level:easy"),
    ] {
        let found = Stage::new(info(game)).agent(&spec.parse().unwrap());
        let why = found.err().unwrap().to_string();
        assert!(why.contains("workflow::stage makes one"), "{why}");
    }
}

#[test]
fn an_erring_player_plays_any_move_with_its_probability() {
    let stage = Stage::new(info("tic-tac-toe"));
    let policy = |spec: &str| {
        let agent = stage.agent(&spec.parse().unwrap()).unwrap();
        agent.policy(stage.solved().unwrap().as_ref()).unwrap()
    };
    let (perfect, erring) = (policy("minimax"), policy("minimax:epsilon=0.3"));
    let solved = stage.solved().unwrap();
    let graph = &solved.graph;
    for side in Side::BOTH {
        for edges in graph.decisions(side).map(|position| graph.edges(position)) {
            for edge in edges.clone() {
                let expected = 0.3 / edges.len() as f64 + 0.7 * perfect.probability(edge);
                assert!((erring.probability(edge) - expected).abs() < 1e-12);
            }
        }
    }

    // On a board that is searched, where one move of five wins at once.
    let position = play_moves(info("connect-four-5x5"), "112233").unwrap();
    let wins = |spec: &str| {
        let mut player = player(&agent("connect-four-5x5", spec), 1);
        let moves = (0..400).map(|_| choose(&mut player, position));
        let wins = moves.filter(|&mv| position.play_unchecked(mv).outcome().is_some());
        wins.count()
    };
    assert_eq!(wins("minimax"), 400);
    // 0.5 + 0.5 / 5 of them, within four standard deviations.
    assert!((201..279).contains(&wins("minimax:epsilon=0.5")));
}

/// Plays the first move, and counts how many players like it there are.
struct Counted(Arc<AtomicUsize>);

struct CountedPlayer(Arc<AtomicUsize>);

impl Agent for Counted {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        let seated = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        // As many players as a thread keeps.
        assert!(seated <= 16, "{seated} players sit");
        Box::new(CountedPlayer(Arc::clone(&self.0)))
    }
}

impl Drop for CountedPlayer {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Player for CountedPlayer {
    fn choose(&mut self, position: Position, _: &Limits, _: &mut LabRng) -> Result<Move, Failure> {
        Ok(position.moves().next().unwrap())
    }

    fn explain(&mut self, _: Position, _: &Limits, _: LabRng) -> Result<Vec<Thought>, Failure> {
        Ok(Vec::new())
    }
}

#[test]
fn a_thread_keeps_no_more_players_than_sit_at_its_table() {
    let seated = Arc::new(AtomicUsize::new(0));
    let agent = |_| Arc::new(Counted(Arc::clone(&seated))) as Arc<dyn Agent>;
    let agents: Vec<_> = (0..40).map(agent).collect();
    let pairings: Vec<(usize, usize)> =
        (0..40).flat_map(|a| (a..40).map(move |b| (a, b))).collect();
    let contest = Contest {
        game: info("tic-tac-toe"),
        agents: &agents,
        pairings: &pairings,
        plan: MatchPlan {
            games: 2,
            seats: Seats::Alternate,
            seed: 1,
        },
    };
    let stop = AtomicBool::new(false);
    let played = play_pairings(&contest, NonZeroUsize::MIN, &stop, &|| ()).unwrap();
    assert_eq!(seated.load(Ordering::SeqCst), 0);
    // X takes three in a row with the first moves: a1, c1, b2, a3.
    for result in played {
        assert_eq!(
            (result.a_first.tally.wins, result.b_first.tally.losses),
            (1, 1)
        );
        assert_eq!(result.total().distinct_games, 2);
    }
}

#[test]
fn perfect_play_is_bounded_where_it_would_take_minutes() {
    let caution = |spec| agent("connect-four", spec).caution(&[Side::X]);
    assert_eq!(caution("mcts:c=2"), None);
    let idle = "c has no effect on selection by thompson, which takes samples";
    let found = caution("mcts:selection=thompson,c=2").unwrap();
    assert!(found.contains(idle), "{found}");
    for (game, words) in [
        ("mnk-6x4x4", None),
        (
            "hex-5x5",
            Some(
                "at most 14 squares are empty or the solver needs no more than 5,000,000 positions; elsewhere alpha-beta of depth 6",
            ),
        ),
        (
            "hex-11x11",
            Some("at most 14 squares are empty; elsewhere alpha-beta of depth 3"),
        ),
    ] {
        let caution = agent(game, "minimax").caution(&[Side::X]);
        match words {
            None => assert_eq!(caution, None, "{game}"),
            Some(words) => assert!(caution.unwrap().contains(words), "{game}"),
        }
    }
}
