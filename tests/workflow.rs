//! What a person wants done, requested from the library: no program is started here.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

use playlab::Error;
use playlab::arrays::from_npz;
use playlab::config::{Config, Shard};
use playlab::disk::{Operation, record};
use playlab::evaluate::{MatchPlan, Seats};
use playlab::game::{GameInfo, Side, Value, play_moves};
use playlab::search::{Limits, MinimaxMethod};
use playlab::stats::wilson_mean;
use playlab::store::CheckpointChoice;
use playlab::text::thousands;
use playlab::train::{AllSeeds, Event, Metric, MetricsRow, Status, TrainingRow, summarize};
use playlab::workflow::{
    EvaluationPlan, EvaluationProgress, EvaluationSubject, Judged, Place, Players, Readings,
    RunList, RunState, Trained, Training, compare_methods, evaluate, play_match, proven,
    report_of_run, tournament, tournament_shard,
};
use serde::de::DeserializeOwned;

use crate::place::{SMALL, SMALL_TREE, directory, results};

/// A tree on a board whose positions are not listed.
const LARGE_TREE: &str = r#"
game = "connect-four-5x5"
side = "both"
seeds = 3
epochs = 6
episodes_per_epoch = 40

[learner.mcts]
merge = "symmetries"

[evaluation]
opponents = ["random"]
games = 4

[checkpoints]
every = 2
"#;

const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn config(text: &str, set: &[&str]) -> Config {
    let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
    let config = Config::parse(text, "test.toml").unwrap();
    config.with_overrides(&set).unwrap()
}

fn finish(training: Training) -> Trained {
    let trained = training
        .run(THREADS, &AtomicBool::new(false), &|_, _| Ok(()))
        .unwrap();
    assert_eq!(trained.status, Status::Finished);
    trained
}

fn begin(config: Config, root: &Path) -> Training {
    Training::begin(config, Place::At(root)).unwrap()
}

fn resume(root: &Path, set: &[&str]) -> Training {
    let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
    Training::resume(root, &set).unwrap()
}

fn assert_same(one: &Path, two: &Path, what: &str) {
    let (one, two) = (results(one), results(two));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two), "{what}");
    for (name, bytes) in &one {
        assert!(*bytes == two[name], "{what}: {} differs", name.display());
    }
}

/// A training that ends with an error after this many epochs of all its trials, like one that
/// is killed: nothing more is reported.
fn break_off(training: Training, epochs: u64) {
    let seen = AtomicU64::new(0);
    let watch = |_: usize, event: &Event<'_>| match event {
        Event::EpochFinished { .. } if seen.fetch_add(1, Ordering::SeqCst) + 1 >= epochs => {
            Err(Error::input("enough"))
        }
        _ => Ok(()),
    };
    assert!(
        training
            .run(THREADS, &AtomicBool::new(false), &watch)
            .is_err()
    );
}

/// The rows of a CSV file.
fn rows<R: DeserializeOwned>(path: &Path) -> Vec<R> {
    let mut rows = csv::Reader::from_path(path).unwrap();
    rows.deserialize().map(Result::unwrap).collect()
}

/// The last checkpoints of a run.
fn last_of(root: &Path) -> EvaluationSubject<'_> {
    EvaluationSubject::Checkpoints {
        target: root,
        selection: CheckpointChoice::Last,
    }
}

#[test]
fn tables_interrupted_and_extended_are_as_if_requested_from_the_start() {
    let of_weights = SMALL.replace(
        "[learner.q-learning]",
        "[learner.monte-carlo]\ntarget = \"greedy\"",
    );
    let planned = SMALL.replace("[learner.q-learning]", "[learner.dyna-q]");
    let swept = planned.replace(
        "[learner.dyna-q]",
        "[learner.dyna-q]\nplanning = \"prioritized\"\nplanning_steps = 2",
    );
    let both = SMALL.replace("side = \"o\"", "side = \"both\"");
    let head = both.split_once("[learner").unwrap().0;
    let gradient = format!(
        "{head}[learner.actor-critic]\nfold_symmetries = true\n\
         critic_learning_rate = {{ visit-count = {{ exponent = 0.7 }} }}\n"
    );
    let logged = format!("{SMALL}[log]\ntensorboard = true\neach_seed = true\n");
    however_it_is_asked_for(&[
        ("table", SMALL),
        ("events", &logged),
        ("weights", &of_weights),
        ("plans", &planned),
        ("queue", &swept),
        ("gradient", &gradient),
    ]);
}

#[test]
fn networks_and_trees_interrupted_and_extended_are_as_if_requested_from_the_start() {
    let both = SMALL.replace("side = \"o\"", "side = \"both\"");
    let network = both.replace("agent = \"random\"", "agent = \"self\"");
    let head = network.split_once("[learner").unwrap().0;
    let network = format!(
        "{head}[learner.deep-q]\nhidden = [8]\ndouble = true\ntarget_period = 7\naugment = true\n\
         replay = {{ size = 90, batch = 3, every = 2 }}\n"
    );
    let forfeits = format!(
        "{head}[learner.deep-q]\nhidden = [6, 5]\nillegal = \"lose\"\noptimizer = \"sgd\"\n\
         momentum = 0.5\nreplay = {{ size = 0 }}\ntarget_period = 0\n"
    );
    however_it_is_asked_for(&[
        ("network", &network),
        ("forfeits", &forfeits),
        ("tree", SMALL_TREE),
        ("large", LARGE_TREE),
    ]);
}

/// Preferences are sums of steps: they exceed the largest reward.
#[test]
fn preferences_larger_than_any_reward_are_read_again() {
    let head = SMALL.split_once("[learner").unwrap().0;
    let text = format!(
        "{head}[learner.actor-critic]\nlearning_rate = 1.0\ncritic_learning_rate = 1.0\n\
         rewards = {{ win = 1e100, draw = 0.0, loss = -1e100 }}\n"
    );
    let place = directory();
    let at = |name: &str| place.path().join(name).join("run");
    let opponents = "opponents=[\"random\", \"minimax\"]";
    let set = |epochs| ["seeds=1", "episodes_per_epoch=500", opponents, epochs];
    finish(begin(config(&text, &set("epochs=2")), &at("whole")));
    finish(begin(config(&text, &set("epochs=1")), &at("less")));
    finish(resume(&at("less"), &["epochs=2"]));
    assert_same(&at("whole"), &at("less"), "large preferences");

    let npz = at("whole").join("checkpoints/seed-0001/epoch-000002.npz");
    let arrays = from_npz(&std::fs::read(npz).unwrap(), 1 << 20).unwrap();
    let preferences: &[f64] = arrays.get("values").unwrap();
    assert!(
        preferences
            .iter()
            .any(|preference| preference.abs() > 1e100)
    );
}

/// Trainings that are interrupted, extended, or given more seeds equal those requested from the start.
fn however_it_is_asked_for(configs: &[(&str, &str)]) {
    for (name, text) in configs {
        let place = directory();
        let at = |name: &str| place.path().join(name).join("run");
        finish(begin(config(text, &[]), &at("whole")));

        for epochs in [1, 4, 9, 14] {
            let root = at(&format!("broken-{epochs}"));
            break_off(begin(config(text, &[]), &root), epochs);
            break_off(resume(&root, &[]), 3);
            finish(resume(&root, &[]));
            assert_same(
                &at("whole"),
                &root,
                &format!("{name}, broken off after {epochs}"),
            );
        }

        finish(begin(config(text, &["epochs=3", "seeds=1"]), &at("less")));
        finish(resume(&at("less"), &["epochs=5"]));
        finish(resume(&at("less"), &["seeds=3"]));
        finish(resume(&at("less"), &["epochs=6"]));
        assert_same(&at("whole"), &at("less"), &format!("{name}, extended"));

        finish(begin(config(text, &["epochs=4"]), &at("cut")));
        break_off(resume(&at("cut"), &["epochs=6"]), 2);
        finish(resume(&at("cut"), &[]));
        assert_same(
            &at("whole"),
            &at("cut"),
            &format!("{name}, extended and broken off"),
        );
    }
}

/// Whether training comes next.
fn before_training(event: &Event<'_>) -> bool {
    match event {
        Event::TrialStarted { progress } => progress.epoch > 0,
        Event::EpochFinished { record, .. } => record.epoch == 0,
        _ => false,
    }
}

#[test]
fn an_epoch_that_was_not_measured_is_measured_on_resuming() {
    let sampled = ["evaluation.games=5"];
    for (text, set) in [(SMALL, &sampled[..]), (LARGE_TREE, &[])] {
        let place = directory();
        let at = |name: &str| place.path().join(name).join("run");
        finish(begin(config(text, set), &at("whole")));

        let root = at("interrupted");
        let one_thread = NonZeroUsize::MIN;
        let mut training = begin(config(text, set), &root);
        for _ in 0..3 {
            // It is stopped before anything is measured.
            let stop = AtomicBool::new(false);
            let watch = |_: usize, event: &Event<'_>| {
                stop.fetch_or(before_training(event), Ordering::SeqCst);
                Ok(())
            };
            let trained = training.run(one_thread, &stop, &watch).unwrap();
            assert_eq!(trained.status, Status::Interrupted);
            let checkpoints = root.join("checkpoints/seed-0001");
            assert!(checkpoints.join("epoch-000001.json").exists());
            training = resume(&root, &[]);
        }
        // Killed right after the epoch was measured.
        break_off(training, 1);
        finish(resume(&root, &[]));
        assert_same(&at("whole"), &root, text);
    }
}

/// Nothing is learned, so the first epoch, for which no checkpoint is due, stays the best.
#[test]
fn the_best_epoch_may_be_one_that_was_not_measured_at_first() {
    let set = ["learner.q-learning.learning_rate=0", "checkpoints.every=4"];
    let place = directory();
    let at = |name: &str| place.path().join(name).join("run");
    finish(begin(config(SMALL, &set), &at("whole")));
    let training = begin(config(SMALL, &set), &at("cut"));
    let stop = AtomicBool::new(false);
    let watch = |_: usize, event: &Event<'_>| {
        stop.fetch_or(before_training(event), Ordering::SeqCst);
        Ok(())
    };
    training.run(THREADS, &stop, &watch).unwrap();
    finish(resume(&at("cut"), &[]));
    assert_same(&at("whole"), &at("cut"), "the best epoch");
}

#[test]
fn a_sweep_is_resumed_and_extended_like_a_run() {
    let sweep = format!(
        "{SMALL_TREE}\n[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 2]\n[log]\ntensorboard = true\n"
    );
    let place = directory();
    let at = |name: &str| place.path().join(name).join("sweep");
    finish(begin(config(&sweep, &[]), &at("whole")));
    finish(begin(config(&sweep, &["epochs=2", "seeds=2"]), &at("less")));
    break_off(resume(&at("less"), &["epochs=6", "seeds=3"]), 5);
    finish(resume(&at("less"), &[]));
    assert_same(&at("whole"), &at("less"), "sweep");
}

#[test]
fn what_decides_the_results_cannot_be_changed() {
    let place = directory();
    let root = place.path().join("run");
    finish(begin(config(SMALL, &[]), &root));
    let before = results(&root);
    for (set, words) in [
        (
            "learner.q-learning.discount=0.5",
            "learner.q-learning.discount cannot be changed: a run keeps what decides its results",
        ),
        ("evaluation.games=7", "decides its results"),
        ("seeds=2", "seed 3 was asked for before"),
        ("epochs=3", "has trained 6 epochs already"),
    ] {
        let error = Training::resume(&root, &[set.to_owned()]).err().unwrap();
        assert!(error.to_string().contains(words), "{set}: {error}");
        assert!(results(&root) == before, "{set}");
    }
}

#[test]
fn an_agent_keeps_the_name_that_it_was_given_at_first() {
    let place = directory();
    let root = place.path().join("run");
    let named = |name: &str| format!("evaluation.opponents=[\"{name}\",\"random\"]");
    finish(begin(
        config(SMALL, &["seeds=1", &named("alpha-beta:depth=4")]),
        &root,
    ));
    let refused = |set: &[String], words: &str| {
        let error = Training::resume(&root, set).err().unwrap();
        assert!(error.to_string().contains(words), "{error}");
    };
    let set = ["epochs=8".to_owned(), named("alpha-beta")];
    refused(&set, "its agents' specs as they were written");

    let path = root.join("config.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("alpha-beta:depth=4"));
    std::fs::write(&path, text.replace("alpha-beta:depth=4", "alpha-beta")).unwrap();
    refused(&[], "was made with another config");
}

#[test]
fn rows_that_were_altered_are_refused_and_lost_ones_restored() {
    let place = directory();
    let root = place.path().join("run");
    finish(begin(config(SMALL, &[]), &root));
    let whole = results(&root);
    let path = root.join("metrics.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(root.join("manifest.json")).unwrap();

    let at = rows.find("\n1,2,100,o,random,,exact,,,,0.").unwrap()
        + "\n1,2,100,o,random,,exact,,,,0.".len();
    let mut altered = rows.clone().into_bytes();
    altered[at] = if altered[at] == b'1' { b'2' } else { b'1' };
    std::fs::write(&path, &altered).unwrap();
    let error = Training::resume(&root, &[]).err().unwrap();
    assert!(error.to_string().contains("other rows"), "{error}");

    // As after a power cut, when the end of a file is lost, or all of it.
    for kept in [rows.len() - 1, rows.len() / 2, 0] {
        std::fs::write(&path, &rows[..kept]).unwrap();
        finish(resume(&root, &[]));
        assert!(results(&root) == whole, "{kept} bytes kept");
        std::fs::remove_file(root.join("manifest.json")).unwrap();
    }
}

#[test]
fn a_run_with_the_columns_of_another_version_is_left_as_it_is() {
    for (file, column) in [("metrics.csv", ",policy"), ("training.csv", ",value_error")] {
        let place = directory();
        let root = place.path().join("run");
        finish(begin(config(SMALL, &[]), &root));
        let path = root.join(file);
        let rows = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, rows.replacen(column, "", 1)).unwrap();
        let before = results(&root);
        let refused = |why: &str| {
            let error = Training::resume(&root, &[]).err().unwrap();
            let text = error.to_string();
            assert!(text.contains(why) && text.contains(file), "{text}");
        };
        refused("line 1: the columns are not those that this version of lab writes; restore");
        let manifest = root.join("manifest.json");
        let about = std::fs::read_to_string(&manifest).unwrap();
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(about.contains(&version), "{about}");
        std::fs::write(&manifest, about.replace(&version, "\"version\": \"0.0.9\"")).unwrap();
        refused("has the columns of another version of lab, 0.0.9");
        assert!(results(&root) == before);
    }
}

#[test]
fn a_finished_run_with_a_stray_line_is_rewritten() {
    let place = directory();
    let root = place.path().join("run");
    finish(begin(config(SMALL, &[]), &root));
    let whole = results(&root);
    assert!(resume(&root, &[]).finished().is_some());
    for name in ["metrics.csv", "training.csv"] {
        let path = root.join(name);
        let rows = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, rows + "garbage\n").unwrap();
        let training = resume(&root, &[]);
        assert!(training.finished().is_none(), "{name}");
        finish(training);
        assert!(results(&root) == whole, "{name}");
    }
}

#[test]
fn a_run_of_a_sweep_is_extended_with_the_others() {
    let sweep = format!("{SMALL_TREE}\n[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 2]\n");
    let place = directory();
    let root = place.path().join("sweep");
    finish(begin(config(&sweep, &[]), &root));
    let run = root.join("c-2");
    let before = results(&root);
    for set in [
        "epochs=7",
        "seeds=4",
        "checkpoints.every=3",
        "log.tensorboard=true",
    ] {
        let error = Training::resume(&run, &[set.to_owned()]).err().unwrap();
        let real = std::fs::canonicalize(&root).unwrap();
        let remedy = format!("lab train --resume {} --set {set}", real.display());
        assert!(error.to_string().ends_with(&remedy), "{error}");
        assert!(results(&root) == before, "{set}");
    }
    assert!(resume(&run, &["epochs=6"]).finished().is_some());
    // A run that was extended where its sweep was not visible.
    let alone = place.path().join("c-2");
    std::fs::rename(&run, &alone).unwrap();
    finish(resume(&alone, &["epochs=7"]));
    std::fs::rename(&alone, &run).unwrap();
    let error = Training::resume(&root, &[]).err().unwrap();
    let remedy = format!("lab train --resume {} --set epochs=7", root.display());
    assert!(error.to_string().ends_with(&remedy), "{error}");
    finish(resume(&root, &["epochs=7"]));
    let whole = place.path().join("whole/sweep");
    finish(begin(config(&sweep, &["epochs=7"]), &whole));
    assert_same(&whole, &root, "sweep");
}

#[test]
fn a_sweep_of_tiny_values_has_short_names() {
    let sweep =
        format!("{SMALL_TREE}\n[sweep]\nkey = \"learner.mcts.c\"\nvalues = [1e-300, 0.0000001]\n");
    let place = directory();
    let root = place.path().join("sweep");
    let set = ["epochs=1", "seeds=1"];
    finish(begin(config(&sweep, &set), &root));
    finish(resume(&root, &["epochs=2"]));
    assert!(root.join("c-1e-300").is_dir());
    assert!(root.join("c-0.0000001").is_dir());
}

#[test]
fn no_games_have_no_rates() {
    let specs = ["random", "minimax"].map(|spec| spec.parse().unwrap());
    let players = Players::new(GameInfo::find("tic-tac-toe").unwrap(), &specs).unwrap();
    let plan = MatchPlan {
        games: 10,
        seats: Seats::Alternate,
        seed: 1,
    };
    let stop = AtomicBool::new(true);
    let result = play_match(&players, plan, THREADS, &stop, &|| ()).unwrap();
    let report = serde_json::to_value(&result).unwrap();
    assert_eq!(report["games"], 0);
    for key in ["win_rate", "draw_rate", "loss_rate", "win_low"] {
        assert!(report[key].is_null(), "{key} of {report}");
    }
}

#[test]
fn in_a_tournament_everyone_plays_once() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let specs = ["random", "minimax", "random"].map(|spec| spec.parse().unwrap());
    let players = Players::new(game, &specs).unwrap();
    let place = directory();
    let out = place.path().join("out");
    let plan = MatchPlan {
        games: 1,
        seats: Seats::Alternate,
        seed: 1,
    };
    let stop = AtomicBool::new(false);
    let played = tournament(&players, plan, Some(&out), THREADS, &stop, &|| ());
    let error = played.unwrap_err().to_string();
    assert_eq!(error, "agent 'random' is listed twice, expected each once");
    assert!(!out.exists());
}

#[test]
fn a_tournament_that_cannot_be_written_is_reported() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let specs = ["random", "minimax"].map(|spec| spec.parse().unwrap());
    let players = Players::new(game, &specs).unwrap();
    let place = directory();
    let out = place.path().join("out");
    let plan = MatchPlan {
        games: 1,
        seats: Seats::Alternate,
        seed: 1,
    };
    let stop = AtomicBool::new(false);
    let gone = || std::fs::remove_dir_all(&out).unwrap();
    let played = tournament(&players, plan, Some(&out), THREADS, &stop, &gone).unwrap();
    assert_eq!(played.standings.pairings[0].games, 1);
    assert!(played.kept.is_err());
}

#[test]
fn a_checkpoint_does_not_grow_with_its_history() {
    let place = directory();
    let size = |epochs: &str| {
        let root = place.path().join(epochs);
        let set = [
            &format!("epochs={epochs}"),
            "seeds=1",
            "episodes_per_epoch=1",
        ];
        finish(begin(config(SMALL, &set.map(|set| set as &str)), &root));
        let last: u64 = epochs.parse().unwrap();
        let path = root.join(format!("checkpoints/seed-0001/epoch-{last:06}.json"));
        std::fs::metadata(path).unwrap().len()
    };
    let (short, long) = (size("10"), size("400"));
    assert!(long < short + 40, "{short} {long}");
}

#[test]
fn every_game_that_measures_an_epoch_is_reported_from_the_untrained_agent_on() {
    let place = directory();
    let config = config(LARGE_TREE, &["seeds=1", "epochs=2"]);
    let played = Mutex::new(Vec::new());
    let watch = |_: usize, event: &Event<'_>| {
        let mut played = played.lock().unwrap();
        match event {
            Event::Measuring { games } => played.push((*games, 0)),
            Event::GamePlayed => played.last_mut().unwrap().1 += 1,
            _ => {}
        }
        Ok(())
    };
    begin(config, &place.path().join("run"))
        .run(THREADS, &AtomicBool::new(false), &watch)
        .unwrap();
    // Both sides, four games each, in epochs 0, 1 and 2.
    assert_eq!(played.into_inner().unwrap(), [(8, 8); 3]);
}

#[test]
fn a_comparison_of_methods_that_is_stopped_keeps_those_that_are_done() {
    let (stop, looked_at) = (AtomicBool::new(false), AtomicU64::new(0));
    // The first plies are in a book.
    let start = play_moves(GameInfo::find("connect-four").unwrap(), "12345").unwrap();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The first method gives up after this many; by then the second is running.
            while looked_at.load(Ordering::SeqCst) <= 100_010_000 {
                std::thread::sleep(Duration::from_millis(1));
            }
            stop.store(true, Ordering::SeqCst);
        });
        compare_methods(
            start,
            &Limits {
                stop: Some(&stop),
                progress: Some(&looked_at),
                ..Limits::NONE
            },
        )
    });
    let done: Vec<MinimaxMethod> = found.methods.iter().map(|found| found.method).collect();
    assert_eq!(done, [MinimaxMethod::Tree]);
    assert_eq!(found.stopped, MinimaxMethod::ALL[1..]);
}

#[test]
fn a_training_reports_what_happens_and_is_evaluated() {
    let place = directory();
    let root = place.path().join("run");
    let epochs = AtomicU64::new(0);
    let trials = AtomicU64::new(0);
    let watch = |_: usize, event: &Event<'_>| {
        match event {
            Event::EpochFinished { record, .. } => {
                assert_eq!(record.episodes, 50 * record.epoch);
                epochs.fetch_add(1, Ordering::SeqCst);
            }
            Event::TrialFinished { .. } => {
                trials.fetch_add(1, Ordering::SeqCst);
            }
            _ => {}
        }
        Ok(())
    };
    let stop = AtomicBool::new(false);
    let trained = begin(config(SMALL, &[]), &root)
        .run(THREADS, &stop, &watch)
        .unwrap();
    assert_eq!((epochs.into_inner(), trials.into_inner()), (21, 3));
    let data = trained.runs[0].data.as_ref().unwrap();
    let plan = EvaluationPlan {
        against: &[],
        games: 0,
        seed: None,
        openings: None,
        endgames: None,
        shard: None,
    };
    let evaluation = evaluate(&last_of(&root), &plan, THREADS, &stop, &|_| ()).unwrap();
    assert!(evaluation.is_finished());
    assert_eq!(evaluation.results.len(), 3);
    for result in &evaluation.results {
        let Judged::Checkpoint { seed, .. } = result.judged else {
            panic!("a checkpoint is judged")
        };
        let row = data.metrics.iter().find(|row| {
            (row.seed, row.epoch, row.opponent.as_str()) == (seed, 6, "random")
                && row.games.is_none()
        });
        assert_eq!(result.against.rows[0].win_rate, row.unwrap().win_rate);
    }
    // Told to stop before the second checkpoint, it has only the first.
    let on_progress = |at: EvaluationProgress| stop.store(at.evaluated == 1, Ordering::SeqCst);
    let part = evaluate(&last_of(&root), &plan, THREADS, &stop, &on_progress).unwrap();
    assert_eq!((part.evaluated, part.of, part.is_finished()), (1, 3, false));
    assert_eq!(part.results.len(), 1);
    assert_eq!(part.results[0].judged, evaluation.results[0].judged);
    // Told to stop before it begins, it trains nothing, and can be resumed.
    let root = place.path().join("stopped/run");
    let stopped = AtomicBool::new(true);
    let trained = begin(config(SMALL, &[]), &root)
        .run(THREADS, &stopped, &|_, _| Ok(()))
        .unwrap();
    assert_eq!(trained.status, Status::Interrupted);
    finish(resume(&root, &[]));
    assert_same(&place.path().join("run"), &root, "stopped");
}

#[test]
fn a_key_without_effect_is_reported() {
    let place = directory();
    for (number, (learner, set, without_effect)) in [
        ("monte-carlo", "target=\"behaviour\"", None),
        ("monte-carlo", "target=\"greedy\"", Some("learning_rate")),
        ("dyna-q", "planning=\"random\"", None),
        ("dyna-q", "planning=\"prioritized\"", Some("learning_rate")),
        ("dyna-q", "threshold=0.1", Some("threshold")),
    ]
    .into_iter()
    .enumerate()
    {
        let text = SMALL.replace("learner.q-learning", &format!("learner.{learner}"));
        let set = format!("learner.{learner}.{set}");
        let training = begin(
            config(&text, &[&set]),
            &place.path().join(number.to_string()),
        );
        let cautions = training.cautions();
        let is_noted = |key: &str| {
            cautions
                .iter()
                .any(|one| one.starts_with(&format!("{key} has no effect")))
        };
        assert_eq!(
            cautions.len(),
            usize::from(without_effect.is_some()),
            "{set}: {cautions:?}"
        );
        assert!(without_effect.is_none_or(is_noted), "{set}: {cautions:?}");
    }
}

/// What several seeds learned differs by more than luck in games; the games of one agent are one sample.
#[test]
fn a_rate_of_all_seeds_has_their_range_or_the_interval_of_all_games() {
    let place = directory();
    let agent = "game = \"connect-four\"\nside = \"both\"\nagent = \"mcts:simulations=20\"\nseeds = 3\n\
                 [evaluation]\nopponents = [\"random\"]\n";
    for (name, text) in [("learned", LARGE_TREE), ("agent", agent)] {
        let root = place.path().join(name);
        let trained = finish(begin(config(text, &["evaluation.games=20"]), &root));
        let data = trained.runs[0].data.as_ref().unwrap();
        let seeds = summarize(data);
        let metrics: Vec<MetricsRow> = rows(&root.join("metrics.csv"));
        let epoch = metrics.iter().map(|row| row.epoch).max().unwrap();
        for side in Side::BOTH {
            let last = metrics
                .iter()
                .filter(|row| (row.side, row.epoch) == (side, epoch));
            let last: Vec<&MetricsRow> = last.filter(|row| row.opponent == "random").collect();
            assert_eq!(last.len(), 3);
            let wins = last.iter().map(|row| (row.win_rate * 20.0).round());
            let rate = wins.sum::<f64>() / 60.0;
            let rates = last.iter().map(|row| row.win_rate);
            let range = (rates.clone().fold(1.0, f64::min), rates.fold(0.0, f64::max));
            // Games of two seeds are taken to coincide as often as those of one.
            let equal = |row: &&MetricsRow| 20.0 * 20.0 / row.effective_games.unwrap() - 20.0;
            let share = last.iter().map(equal).sum::<f64>() / (3.0 * 20.0 * 19.0);
            let expected = match name {
                "agent" => wilson_mean(rate, 60.0 / (1.0 + 59.0 * share)),
                _ => range,
            };
            let [_, found] = AllSeeds::best_and_last(data, &seeds);
            let found = found.rate(side, "random", Metric::WinRate).unwrap();
            let ends = found.ends.unwrap();
            for (found, expected) in [
                (found.mean, rate),
                (ends.0, expected.0),
                (ends.1, expected.1),
            ] {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }
}

#[test]
fn what_is_proven_about_a_run_is_what_its_files_say() {
    let place = directory();
    let root = place.path().join("run");
    let trained = finish(begin(
        config(SMALL, &["seeds=5", "episodes_per_epoch=250"]),
        &root,
    ));
    let run = &trained.runs[0];
    let data = run.data.as_ref().unwrap();
    let seeds = summarize(data);
    // The epoch from which each seed is unbeatable.
    let mut from: BTreeMap<u64, Option<u64>> = BTreeMap::new();
    for row in rows::<TrainingRow>(&root.join("training.csv")) {
        let from = from.entry(row.seed).or_default();
        *from = match row.worst_case {
            Some(Value::Loss) => None,
            _ => from.or(Some(row.episodes)),
        };
    }
    for seed in &seeds {
        assert_eq!(seed.unbeatable_from, from[&seed.seed]);
        assert_eq!(seed.unbeatable_from_as, [None, from[&seed.seed]]);
    }
    let beatable = from.iter().filter(|(_, from)| from.is_none());
    let beatable: Vec<u64> = beatable.map(|(&seed, _)| seed).collect();
    let mut safe: Vec<u64> = from.into_values().flatten().collect();
    safe.sort_unstable();
    let [first, second] = safe[..] else {
        panic!("another config is needed: {safe:?}");
    };
    let tenth = (second - first) / 10;
    let median = first + 5 * tenth;

    let verdicts = proven(run, data, &seeds).unwrap();
    let which: Vec<CheckpointChoice> = verdicts.iter().map(|verdict| verdict.selection).collect();
    assert_eq!(which, [CheckpointChoice::Best, CheckpointChoice::Last]);
    let last = &verdicts[1];
    assert_eq!((last.side, last.seeds), (Side::O, 5));
    assert_eq!(last.beatable, beatable);
    let line = last.line.as_ref().unwrap();
    assert_eq!(line.last().unwrap().mover, Side::X, "{line:?}");

    // The page says the same.
    let list = RunList::new(root);
    let report = report_of_run(list.runs().unwrap().remove(0), &Readings::default()).unwrap();
    let from = format!(
        "Unbeatable to the end from episode {} on (median; 10–90 %: {}–{}), for the 2 seeds that end unbeatable",
        thousands(median),
        thousands(first + tenth),
        thousands(second - tenth)
    );
    let last = "Verdict, last checkpoint: beatable as O in 3 of 5 seeds";
    assert_eq!(report.verdicts[1..], [last, &from]);
    let [best, _] = AllSeeds::best_and_last(data, &seeds);
    let rate = best.rate(Side::O, "random", Metric::WinRate).unwrap();
    assert_eq!(report.strength[0].opponent, "random");
    assert_eq!(report.strength[0].best.win, Some(rate.mean));
}

#[test]
fn short_forms_in_a_config_mean_the_same_as_long_ones() {
    let config = |opponents: &str, exploration: &str| {
        let text = format!(
            "game = \"tic-tac-toe\"\nside = \"o\"\nepochs = 1\nepisodes_per_epoch = 1\n\
             opponents = {opponents}\nlearner.q-learning.exploration = {exploration}\n"
        );
        Config::parse(&text, "test.toml").unwrap()
    };
    let short = config(
        "[\"random\", { agent = \"minimax\", weight = 3 }]",
        "{ epsilon-greedy = 0.25 }",
    );
    let long = config(
        "[{ agent = \"random\", weight = 1.0 }, { agent = \"minimax\", weight = 3.0 }]",
        "{ epsilon-greedy = { epsilon = { constant = 0.25 } } }",
    );
    assert_eq!(short, long);
    let softmax = ["{ softmax = 1 }", "{ softmax = { temperature = 1.0 } }"];
    let [short, long] = softmax.map(|softmax| config("[\"random\"]", softmax));
    assert_eq!(short, long);
}

#[test]
fn all_seeds_that_train_are_in_the_files_and_in_the_picture_while_they_do() {
    let logged = format!("{SMALL}[log]\ntensorboard = true\n");
    let place = directory();
    let root = place.path().join("a/run");
    let both = Barrier::new(2);
    let seen = Mutex::new(Vec::new());
    let watch = |_: usize, event: &Event<'_>| {
        if let Event::EpochFinished { index, record, .. } = event
            && (*index < 2 && record.epoch == 1)
        {
            // Both seeds have written their rows.
            both.wait();
            let rows = RunList::new(root.clone()).rows()?;
            let summary = rows.first().and_then(|row| row.summary.clone());
            let picture = std::fs::read_to_string(root.join("curve.svg"));
            seen.lock()
                .unwrap()
                .push((summary, picture.unwrap_or_default()));
            both.wait();
        }
        Ok(())
    };
    begin(config(&logged, &[]), &root)
        .sketched_every(Duration::ZERO)
        .run(THREADS, &AtomicBool::new(false), &watch)
        .unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 2);
    for (summary, picture) in seen {
        let summary = summary.unwrap();
        assert_eq!((summary.seeds, summary.all_seeds), (2, 3));
        assert!(summary.state != RunState::Finished);
        assert!(picture.contains(" of 3 seeds"));
    }
    let plain = place.path().join("b/run");
    finish(begin(config(&logged, &[]), &plain));
    assert_same(&root, &plain, "sketched");
}

#[test]
fn an_epoch_is_in_the_event_files_as_soon_as_it_is_measured() {
    let logged = format!("{SMALL}[log]\ntensorboard = true\neach_seed = true\n");
    let place = directory();
    let root = place.path().join("run");
    let file = |curve: &str| root.join(format!("tensorboard/{curve}/events.out.tfevents.lab"));
    let length = |curve: &str| std::fs::metadata(file(curve)).map_or(0, |file| file.len());
    let lengths: Mutex<BTreeMap<String, Vec<u64>>> = Mutex::default();
    let watch = |_: usize, event: &Event<'_>| {
        if let Event::EpochFinished { index, .. } = event {
            let mut curves = vec![format!("seed-{:04}", index + 1)];
            // With one thread the last seed comes after the others.
            if *index == 2 {
                curves.extend(["mean", "lowest", "highest"].map(str::to_owned));
            }
            for curve in curves {
                let now = length(&curve);
                lengths.lock().unwrap().entry(curve).or_default().push(now);
            }
        }
        Ok(())
    };
    let operations = record(&root);
    begin(config(&logged, &[]), &root)
        .run(NonZeroUsize::MIN, &AtomicBool::new(false), &watch)
        .unwrap();
    let lengths = lengths.into_inner().unwrap();
    assert_eq!(lengths.len(), 6);
    for (curve, lengths) in lengths {
        assert_eq!(lengths.len(), 7, "{curve}");
        assert!(lengths[0] > 0 && lengths.is_sorted_by(|one, next| one < next));
        assert_eq!(lengths[6], length(&curve), "{curve}");
        // All but the first epoch are appended, and last when the training ends.
        let of_curve = |done: &Operation| match done {
            Operation::Append(path, more) if *path == file(&curve) && !more.is_empty() => {
                Some("append")
            }
            Operation::SyncFile(path) if *path == file(&curve) => Some("sync"),
            _ => None,
        };
        let done = operations.operations();
        let done: Vec<&str> = done.iter().filter_map(of_curve).collect();
        assert_eq!(done, [&["append"; 6][..], &["sync"]].concat(), "{curve}");
    }
}

#[test]
fn against_a_perfect_player_nothing_is_played_where_it_can_be_computed() {
    let text = "game = \"connect-four-5x5\"\nside = \"both\"\nseeds = 1\n\
                agent = \"alpha-beta:depth=2,ties=first\"\n\
                [evaluation]\nopponents = [\"minimax:empties=25\", \"random\"]\ngames = 3\n";
    let place = directory();
    let root = place.path().join("run");
    let played = AtomicU64::new(0);
    let watch = |_: usize, event: &Event<'_>| {
        if let Event::GamePlayed = event {
            played.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    };
    let trained = begin(config(text, &[]), &root)
        .run(THREADS, &AtomicBool::new(false), &watch)
        .unwrap();
    assert_eq!(trained.status, Status::Finished);
    let rows: Vec<MetricsRow> = rows(&root.join("metrics.csv"));
    let sampled = rows
        .iter()
        .filter(|row| row.method == playlab::train::EvaluationMethod::Sampled);
    let games: u64 = sampled.clone().map(|row| row.games.unwrap()).sum();
    assert_eq!(played.into_inner(), games);
    assert!(sampled.clone().count() > 0);
    assert!(sampled.into_iter().all(|row| row.opponent == "random"));
    let exact: Vec<&MetricsRow> = rows
        .iter()
        .filter(|row| row.opponent == "minimax:empties=25")
        .collect();
    assert!(exact.len() >= 2);
    for row in &exact {
        assert_eq!((row.games, row.win_low), (None, Some(row.win_rate)));
        let all = row.win_rate + row.draw_rate + row.loss_rate;
        assert!((all - 1.0).abs() < 1e-9 && row.win_rate == 0.0, "{row:?}");
    }

    let plan = EvaluationPlan {
        against: &[],
        games: 0,
        seed: None,
        openings: None,
        endgames: None,
        shard: None,
    };
    let stop = AtomicBool::new(false);
    let evaluation = evaluate(&last_of(&root), &plan, THREADS, &stop, &|_| ()).unwrap();
    for result in evaluation.results {
        let last = exact.iter().rfind(|row| row.side == result.side).unwrap();
        assert_eq!(result.against.rows[0].loss_rate, last.loss_rate);
        assert_eq!(result.against.rows[1].games, Some(3));
        let perfect = result.against_perfect.unwrap();
        assert_eq!(perfect.success, last.win_rate - last.loss_rate);
        assert!((0.0..=1.0).contains(&perfect.holds), "{perfect:?}");
    }

    // Requested games are played in addition to what is computed.
    let plan = EvaluationPlan { games: 5, ..plan };
    let evaluation = evaluate(&last_of(&root), &plan, THREADS, &stop, &|_| ()).unwrap();
    for result in evaluation.results {
        let games = result.against.rows.iter().map(|row| row.games);
        assert_eq!(games.collect::<Vec<_>>(), [None, Some(5), Some(5)]);
    }
}

#[test]
fn a_shard_that_is_stopped_keeps_the_pairings_that_were_played() {
    let place = directory();
    let agents = ["random", "minimax", "block-or-random", "minimax:first"];
    let specs = agents.map(|spec| spec.parse().unwrap());
    let players = Players::new(GameInfo::find("tic-tac-toe").unwrap(), &specs).unwrap();
    let plan = MatchPlan {
        games: 9,
        seats: Seats::Alternate,
        seed: 1,
    };
    let shard = Shard::new(0, 1).unwrap();
    // Stops in the game with this number; returns the pairings that exist and the number of games reported.
    let play = |out: &Path, plan: MatchPlan, last: u64| {
        let (stop, games) = (AtomicBool::new(false), AtomicU64::new(0));
        let played = |more: u64| {
            if games.fetch_add(more, Ordering::SeqCst) + more == last {
                stop.store(true, Ordering::SeqCst);
            }
        };
        let one = NonZeroUsize::MIN;
        let found = tournament_shard(&players, plan, shard, out, one, &stop, &played)?;
        assert_eq!(found.of, 6);
        Ok((found.pairings, games.into_inner()))
    };
    let pairing =
        |out: &Path, number: usize| std::fs::read(out.join(format!("pairing-{number}.json")));
    let [whole, cut] = ["whole", "cut"].map(|name| place.path().join(name));
    assert_eq!(play(&whole, plan, u64::MAX).unwrap(), (6, 54));
    // In the second pairing, and in the last game.
    assert_eq!(play(&cut, plan, 14).unwrap(), (1, 14));
    assert!(pairing(&cut, 1).is_err());
    let other = MatchPlan { seed: 2, ..plan };
    let refused: Error = play(&cut, other, u64::MAX).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("pairings of another tournament"),
        "{refused}"
    );
    assert_eq!(play(&cut, plan, 54).unwrap(), (6, 54));
    for number in 0..6 {
        assert!(pairing(&cut, number).unwrap() == pairing(&whole, number).unwrap());
    }
    assert_eq!(play(&cut, plan, u64::MAX).unwrap(), (6, 54));
}
