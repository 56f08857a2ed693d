//! Looking inside an agent without a page: what its mistakes cost, a line that grows, moves of agents.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use playlab::agent::{Agent, Failure, Player, Thought};
use playlab::disk::Lock;
use playlab::game::{GameInfo, Move, Position, Side};
use playlab::rng::LabRng;
use playlab::search::{Limits, Stopped};
use playlab::store::{CheckpointChoice, RunDirectory};
use playlab::train::Experiment;
use playlab::workflow::{
    Explorer, Line, Readings, RunList, RunState, RunSummary, Verdict, checkpoint, report_of_run,
    stage, turn,
};

use crate::place::{Place, SMALL};

fn explorer(run: &Path, selection: CheckpointChoice) -> Explorer {
    let directory = RunDirectory::open(run).unwrap();
    let config = directory.read_config().unwrap();
    let stage = Arc::new(stage(config.game));
    let experiment = Experiment::to_look_at(config, &stage, &Limits::NONE, &|_| false).unwrap();
    let checkpoint = checkpoint(run, selection, None).unwrap();
    Explorer::new(&checkpoint, &experiment).unwrap()
}

/// A game between a policy and an opponent that never errs ends, on average, as much below the game's value as
/// the policy's mistakes cost.
#[test]
fn mistakes_cost_what_games_against_perfect_play_lose() {
    let place = Place::trained(SMALL, "--seeds 1");
    let report = place.ok("evaluate run --checkpoint last --against minimax --json");
    let report = crate::place::json(&report);
    let minimax = &report["results"][0]["against"][0];
    let rate = |name: &str| minimax[name].as_f64().unwrap();
    let score = rate("win_rate") + rate("draw_rate") / 2.0;
    let explorer = explorer(&place.path("run"), CheckpointChoice::Last);
    let on = stage(GameInfo::find("tic-tac-toe").unwrap());
    let minimax = "minimax".parse().unwrap();
    let agent = on.agent(&minimax).unwrap();
    let policy = explorer.policy_of(&minimax, &*agent, &Limits::NONE);
    let policy = policy.unwrap();
    let find = |most| explorer.mistakes(Side::O, (&minimax, &policy), most);
    let all = find(usize::MAX).unwrap();
    assert!(all.mistaken <= all.positions);
    let stop = AtomicBool::new(true);
    let stopped = Limits::until(&stop);
    let deep = "alpha-beta:depth=3".parse().unwrap();
    let agent = on.agent(&deep).unwrap();
    let listed = explorer.policy_of(&deep, &*agent, &stopped);
    let why = listed.err().unwrap().to_string();
    assert!(why.contains("takes too long"), "{why}");
    assert!(
        (all.lost - (0.5 - score)).abs() < 1e-12,
        "{} {score}",
        all.lost
    );
    let few = find(1).unwrap();
    assert_eq!((few.lost, few.mistaken), (all.lost, all.mistaken));
    assert_eq!(few.mistakes[..], all.mistakes[..1]);
    let costs: Vec<f64> = all.mistakes.iter().map(|one| one.cost).collect();
    assert!(costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
    for mistake in &all.mistakes {
        let game = GameInfo::find("tic-tac-toe").unwrap();
        let there = Line::read(game, None, Some(&mistake.moves)).unwrap();
        assert_eq!(there.position.to_string(), mistake.text);
        assert!(mistake.often <= mistake.probability && mistake.cost <= mistake.often);
        assert!(
            mistake
                .played
                .iter()
                .all(|wrong| wrong.value < mistake.value)
        );
    }
}

#[test]
fn an_agent_told_to_stop_thinks_no_more() {
    let place = Place::trained(SMALL, "--seeds 1");
    let explorer = explorer(&place.path("run"), CheckpointChoice::Last);
    let start = Position::start(GameInfo::find("tic-tac-toe").unwrap());
    assert_eq!(explorer.moves(start, &Limits::NONE).unwrap().len(), 9);
    let stop = AtomicBool::new(true);
    let stopped = Limits::until(&stop);
    let why = explorer.moves(start, &stopped).unwrap_err().to_string();
    assert!(why.contains("takes too long"), "{why}");
    let directory = RunDirectory::open(&place.path("run")).unwrap();
    let config = directory.read_config().unwrap();
    let made = Experiment::to_look_at(config, &stage(start.game()), &stopped, &|_| true);
    let why = made.err().unwrap().to_string();
    assert!(why.contains("'random' takes too long"), "{why}");
}

#[test]
fn a_line_begins_anywhere_and_says_how_it_ended() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let line = Line::read(game, Some("XX./OO./..."), Some("c1")).unwrap();
    let described = line.describe();
    assert_eq!(described.result.as_deref(), Some("X wins."));
    assert_eq!(
        (described.ply, described.start.as_deref()),
        (1, Some("XX./OO./..."))
    );
    for (position, moves) in [(Some("XX./..."), ""), (None, "a1,a1"), (None, "d4")] {
        let why = Line::read(game, position, Some(moves))
            .unwrap_err()
            .to_string();
        assert!(
            why.starts_with("position: ") || why.starts_with("moves: "),
            "{why}"
        );
    }
}

#[test]
fn an_agent_plays_the_same_wherever_it_is_asked() {
    let game = GameInfo::find("connect-four").unwrap();
    let on = stage(game);
    for spec in [
        "random",
        "mcts:simulations=50,reuse_tree=true",
        "level:medium",
    ] {
        let agent = on.agent(&spec.parse().unwrap()).unwrap();
        let line = Line::read(game, None, Some("4435")).unwrap();
        let first = turn(&agent, &line, 7, &Limits::NONE).unwrap();
        assert_eq!(
            first,
            turn(&agent, &line, 7, &Limits::NONE).unwrap(),
            "{spec}"
        );
        assert_eq!(first.thoughts.len(), 7);
        assert_eq!(line.and(first.mv).moves.len(), 5);
    }
}

/// An agent that knows at once what to play, but never why.
struct Mute;

impl Agent for Mute {
    fn seat(self: Arc<Self>) -> Box<dyn Player> {
        Box::new(Mute)
    }
}

impl Player for Mute {
    fn choose(&mut self, position: Position, _: &Limits, _: &mut LabRng) -> Result<Move, Failure> {
        Ok(position.moves().next().unwrap())
    }

    fn explain(&mut self, _: Position, _: &Limits, _: LabRng) -> Result<Vec<Thought>, Failure> {
        Err(Stopped.into())
    }
}

#[test]
fn a_move_that_was_found_is_kept_when_the_time_is_over() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let agent: Arc<dyn Agent> = Arc::new(Mute);
    let line = Line::read(game, None, None).unwrap();
    let made = turn(&agent, &line, 1, &Limits::NONE).unwrap();
    assert_eq!(line.position.format_move(made.mv), "a1");
    assert_eq!(made.thoughts, []);
}

/// What a list says about a run.
fn summary_of(list: &RunList, name: &str) -> Option<RunSummary> {
    let mut rows = list.rows().unwrap().into_iter();
    rows.find(|row| row.run.name == name).unwrap().summary
}

#[test]
fn a_run_is_in_training_while_its_lock_is_held_and_settled_by_all_of_its_seeds() {
    let place = Place::trained(SMALL, "--seeds 1");
    std::fs::remove_file(place.path("run/manifest.json")).unwrap();
    let config = place.read("run/config.toml");
    let of_all = |line: &str| match line.starts_with("seeds = ") {
        true => "seeds = 20\n".to_owned(),
        false => format!("{line}\n"),
    };
    place.write(
        "run/config.toml",
        &config.lines().map(of_all).collect::<String>(),
    );
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for file in std::fs::read_dir(place.path("run")).unwrap() {
        let file = file.unwrap().path();
        if file.is_file() {
            let file = std::fs::File::options().write(true).open(file).unwrap();
            file.set_modified(long_ago).unwrap();
        }
    }
    let list = RunList::new(place.path(""));
    let summary = || summary_of(&list, "run").unwrap();
    assert_eq!((summary().seeds, summary().all_seeds), (1, 20));
    assert_eq!(summary().verdict, Verdict::Unknown);
    assert_eq!(summary().state, RunState::Unfinished);
    if cfg!(target_os = "linux") {
        let _lock = Lock::take(&place.path("run")).unwrap();
        assert_eq!(summary().state, RunState::Training);
        let run = report_of_run(list.find("run").unwrap(), &Readings::default()).unwrap();
        assert_eq!(run.row.summary.unwrap().state, RunState::Training);
    }
    assert_eq!(summary().state, RunState::Unfinished);
    // Training a sweep takes only the sweep's lock.
    std::fs::create_dir(place.path("sweep")).unwrap();
    place.write("sweep/sweep.toml", "");
    std::fs::rename(place.path("run"), place.path("sweep/run")).unwrap();
    let summary = || summary_of(&list, "sweep/run").unwrap();
    assert_eq!(summary().state, RunState::Unfinished);
    if cfg!(target_os = "linux") {
        let _lock = Lock::take(&place.path("sweep")).unwrap();
        assert_eq!(summary().state, RunState::Training);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn asking_a_run_in_training_for_a_checkpoint_too_early_says_to_wait() {
    let place = Place::trained(SMALL, "--seeds 1");
    let run = place.path("run");
    std::fs::remove_file(run.join("manifest.json")).unwrap();
    let refusal = |selection| {
        let found = checkpoint(&run, selection, None);
        found.err().unwrap().to_string()
    };
    let ends = |message: String, end: &str| assert!(message.ends_with(end), "{message}");
    let lock = Lock::take(&run).unwrap();
    ends(
        refusal(CheckpointChoice::Epoch(3)),
        "; it is being trained: wait for more",
    );
    std::fs::remove_dir_all(run.join("checkpoints")).unwrap();
    ends(
        refusal(CheckpointChoice::Last),
        "there are none; it is being trained: wait for the first one",
    );
    drop(lock);
    let message = refusal(CheckpointChoice::Last);
    assert!(message.contains("; lab train --resume "), "{message}");
}

#[test]
fn a_list_of_runs_is_as_new_as_its_files() {
    let place = Place::trained(SMALL, "--seeds 1");
    let list = RunList::new(place.path(""));
    let state = |list: &RunList| summary_of(list, "run").map(|summary| summary.state);
    assert_eq!(state(&list), Some(RunState::Finished));
    // As if it were in training: the last row is incomplete, and nothing says that it is finished.
    std::fs::remove_file(place.path("run/manifest.json")).unwrap();
    let metrics = place.read("run/metrics.csv");
    let cut = metrics.lines().take(3).collect::<Vec<_>>().join("\n") + "\n1,1,50,o,ra";
    place.write("run/metrics.csv", &cut);
    assert!(
        summary_of(&list, "run").is_some(),
        "it is read all the same"
    );
    std::fs::remove_file(place.path("run/training.csv")).unwrap();
    let summary = summary_of(&list, "run").unwrap();
    assert_eq!((summary.seeds, summary.epochs), (0, 0));
    assert!(list.find("none").is_err() && list.find("../run").is_err());
}

/// The learner knows only its own side: its line is one move, and empty where the other side is to move.
#[test]
fn the_expected_line_goes_as_far_as_was_learned() {
    let place = Place::trained(SMALL, "--seeds 1");
    let explorer = explorer(&place.path("run"), CheckpointChoice::Last);
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let after = |moves: &str| Line::read(game, None, Some(moves)).unwrap().position;
    assert_eq!(
        explorer.expected_line(after(""), 9, &Limits::NONE).unwrap(),
        []
    );
    let position = after("b2");
    let known = explorer.moves(position, &Limits::NONE).unwrap();
    let likeliest = known.iter().rev().max_by(|a, b| {
        let order = |known: &&Thought| (known.probability.unwrap(), known.visits.unwrap());
        order(a).partial_cmp(&order(b)).unwrap()
    });
    let line = explorer.expected_line(position, 9, &Limits::NONE).unwrap();
    assert_eq!(line, [likeliest.unwrap().mv]);
    assert_eq!(
        explorer.expected_line(position, 0, &Limits::NONE).unwrap(),
        []
    );
}
