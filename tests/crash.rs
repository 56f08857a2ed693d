//! What a crash leaves: every prefix of what a training, a sweep or a tournament does to the disk is
//! replayed, as a kill leaves it and as a power cut may leave it, and training resumes from there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use playlab::config::Config;
use playlab::disk::{Operation, record};
use playlab::evaluate::{MatchPlan, Seats};
use playlab::game::GameInfo;
use playlab::store::{Manifest, RunDirectory, TournamentDirectory};
use playlab::train::Status;
use playlab::workflow::{Place, Players, Training, tournament};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::place::{contents, directory, results};

/// What a crash does to data that was not synced.
#[derive(Clone, Copy, Debug)]
enum Crash {
    /// A killed process: all of the data stays.
    Kill,
    /// A power cut that loses all of it.
    Forget,
    /// A power cut that keeps names and loses what was in the files.
    EmptyFiles,
    /// A power cut that keeps names and half of what was added to each file.
    HalfFiles,
    /// A power cut that keeps any part of it, whatever the order.
    Anything(u64),
}

const CRASHES: [Crash; 5] = [
    Crash::Kill,
    Crash::Forget,
    Crash::EmptyFiles,
    Crash::HalfFiles,
    Crash::Anything(1),
];

/// Crashes that reveal a wrong order of operations, for work whose files are written like a table's.
const ORDERS: [Crash; 3] = [Crash::Kill, Crash::Forget, Crash::Anything(1)];

/// The names in a directory, each with the number of its file or directory.
type Names = BTreeMap<PathBuf, usize>;

/// A disk that knows what survives and what a power cut may take.
#[derive(Clone, Default)]
struct Disk {
    files: Vec<File>,
    directories: BTreeMap<PathBuf, Directory>,
}

#[derive(Clone, Default)]
struct File {
    content: Vec<u8>,
    lasting: usize,
}

#[derive(Clone, Default)]
struct Directory {
    files: Names,
    lasting_files: Names,
    /// Whether the directory's own name survives.
    lasts: bool,
}

impl Disk {
    fn new(root: &Path) -> Disk {
        let mut disk = Disk::default();
        let root_directory = Directory {
            lasts: true,
            ..Directory::default()
        };
        disk.directories.insert(root.to_owned(), root_directory);
        disk
    }

    fn directory_of(&mut self, path: &Path) -> &mut Directory {
        self.directories.get_mut(path.parent().unwrap()).unwrap()
    }

    fn file(&mut self, path: &Path) -> &mut File {
        let number = self.directory_of(path).files[path];
        &mut self.files[number]
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::CreateDirectory(path) => {
                self.directories.insert(path.clone(), Directory::default());
            }
            Operation::Create(path) => {
                let number = self.files.len();
                self.files.push(File::default());
                self.directory_of(path).files.insert(path.clone(), number);
            }
            Operation::Append(path, bytes) => self.file(path).content.extend(bytes),
            Operation::Cut(path, length) => {
                let file = self.file(path);
                file.content.truncate(*length);
                file.lasting = file.lasting.min(*length);
            }
            Operation::SyncFile(path) => {
                let file = self.file(path);
                file.lasting = file.content.len();
            }
            Operation::Rename(from, to) => {
                let number = self.directory_of(from).files.remove(from).unwrap();
                self.directory_of(to).files.insert(to.clone(), number);
            }
            Operation::Remove(path) => {
                self.directory_of(path).files.remove(path).unwrap();
            }
            Operation::SyncDirectory(path) => {
                let directory = self.directories.get_mut(path).unwrap();
                directory.lasting_files = directory.files.clone();
                for (below, directory) in &mut self.directories {
                    directory.lasts |= below.parent() == Some(path);
                }
            }
        }
    }

    /// What is there after a crash: every directory, and every file with its content.
    fn after(&self, crash: Crash) -> (BTreeSet<PathBuf>, BTreeMap<PathBuf, Vec<u8>>) {
        let (mut directories, mut files) = (BTreeSet::new(), BTreeMap::new());
        let mut rng = match crash {
            Crash::Anything(seed) => SmallRng::seed_from_u64(seed),
            _ => SmallRng::seed_from_u64(0),
        };
        // Parents come first.
        for (path, directory) in &self.directories {
            let is_there = match crash {
                Crash::Forget => directory.lasts,
                Crash::Anything(_) => directory.lasts || rng.random(),
                _ => true,
            };
            let has_parent = directories.is_empty() || directories.contains(path.parent().unwrap());
            if !is_there || !has_parent {
                continue;
            }
            directories.insert(path.clone());
            let mut names: Names = match crash {
                Crash::Forget => directory.lasting_files.clone(),
                Crash::Anything(_) => BTreeMap::new(),
                _ => directory.files.clone(),
            };
            if let Crash::Anything(_) = crash {
                let both = directory.files.keys().chain(directory.lasting_files.keys());
                for name in both.collect::<BTreeSet<_>>() {
                    let which = match rng.random() {
                        true => directory.files.get(name),
                        false => directory.lasting_files.get(name),
                    };
                    names.extend(which.map(|&number| (name.clone(), number)));
                }
            }
            for (name, number) in names {
                let File { content, lasting } = &self.files[number];
                let kept = match crash {
                    Crash::Kill => content.len(),
                    Crash::Forget | Crash::EmptyFiles => *lasting,
                    Crash::HalfFiles => (lasting + content.len()) / 2,
                    Crash::Anything(_) => rng.random_range(*lasting..=content.len()),
                };
                files.insert(name, content[..kept].to_vec());
            }
        }
        (directories, files)
    }
}

/// Replays all that `work` does below a directory, crash after crash, and calls `check` with the
/// directory that each leaves behind, and whether `work` had finished.
fn replay(what: &str, crashes: &[Crash], work: impl Fn(&Path), check: impl Fn(&Path, bool, &str)) {
    let place = directory();
    let recorded = place.path().join("recorded");
    fs::create_dir(&recorded).unwrap();
    let log = record(&recorded);
    work(&recorded);
    let operations = log.operations();

    let mut disk = Disk::new(&recorded);
    let mut seen = BTreeSet::new();
    for done in 0..=operations.len() {
        if done > 0 {
            disk.apply(&operations[done - 1]);
        }
        for &crash in crashes {
            let (directories, files) = disk.after(crash);
            let is_end = done == operations.len();
            if !seen.insert((directories.clone(), files.clone())) && !is_end {
                continue;
            }
            let left = place.path().join("left");
            let moved = |path: &Path| left.join(path.strip_prefix(&recorded).unwrap());
            for directory in &directories {
                fs::create_dir(moved(directory)).unwrap();
            }
            for (path, content) in &files {
                fs::write(moved(path), content).unwrap();
            }
            let at = match done {
                0 => "at the start".to_owned(),
                _ => format!(
                    "after {done}, {:.99}",
                    format!("{:?}", operations[done - 1])
                ),
            };
            check(&left, is_end, &format!("{what}: {crash:?} {at}"));
            fs::remove_dir_all(&left).unwrap();
        }
    }
    // The replay ends with what the real disk has.
    let (_, files) = disk.after(Crash::Kill);
    let real: BTreeMap<PathBuf, Vec<u8>> = contents(&recorded)
        .into_iter()
        .map(|(name, content)| (recorded.join(name), content))
        .collect();
    assert!(
        files == real,
        "{what}: something was done that is not recorded"
    );
    assert!(seen.len() > 20, "{what}: only {} states", seen.len());
}

const TABLE: &str = r#"
game = "tic-tac-toe"
side = "o"
seeds = 2
epochs = 2
episodes_per_epoch = 20

[[opponents]]
agent = "random"

[learner.q-learning]

[checkpoints]
every = 2
"#;

const TREE: &str = r#"
game = "connect-four-5x5"
side = "o"
epochs = 3
episodes_per_epoch = 5

[learner.mcts]
merge = "symmetries"

[evaluation]
opponents = ["random"]
games = 2

[checkpoints]
every = 2
"#;

/// One panel per picture: pictures take most of the time.
const SWEEP: &str = r#"
game = "connect-four-5x5"
side = "o"
epochs = 1
episodes_per_epoch = 5

[learner.mcts]

[evaluation]
opponents = ["random"]
games = 2

[sweep]
key = "learner.mcts.c"
values = [0.5, 1]
"#;

const THREAD: NonZeroUsize = NonZeroUsize::MIN;

fn finish(training: Training) {
    let stop = AtomicBool::new(false);
    let trained = training.run(THREAD, &stop, &|_, _| Ok(())).unwrap();
    assert_eq!(trained.status, Status::Finished);
}

/// Trains what is there, from where it is.
fn train(text: &str, root: &Path) {
    finish(training(text, root));
}

fn training(text: &str, root: &Path) -> Training {
    if root.join("config.toml").exists() || root.join("sweep.toml").exists() {
        return resume(root, &[]);
    }
    let config = Config::parse(text, "test.toml").unwrap();
    Training::begin(config, Place::At(root)).unwrap()
}

fn resume(root: &Path, set: &[String]) -> Training {
    let training = Training::resume(root, set).unwrap();
    // What a crash takes is made again, and needs no caution.
    let cautions = training.cautions();
    assert!(cautions.is_empty(), "{cautions:?}");
    training
}

/// Trains, and extends to this number of epochs if one is given.
fn crash_training(what: &str, crashes: &[Crash], text: &str, extended: Option<u64>) {
    let set: Vec<String> = extended
        .map(|n| format!("epochs={n}"))
        .into_iter()
        .collect();
    let whole = directory();
    let config = Config::parse(text, "test.toml").unwrap();
    let config = config.with_overrides(&set).unwrap();
    train(&config.to_toml(), &whole.path().join("run"));
    let whole = results(whole.path());
    // The curve is drawn after every epoch.
    let work = |directory: &Path| {
        let training = training(text, &directory.join("run"));
        finish(training.sketched_every(Duration::ZERO));
        if extended.is_some() {
            finish(resume(&directory.join("run"), &set));
        }
    };
    replay(what, crashes, work, |left, is_end, at| {
        let is_whole = |when: &str| {
            let found = results(left);
            let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect();
            let [found_names, names]: [Vec<PathBuf>; 2] = [names(&found), names(&whole)];
            assert_eq!(found_names, names, "{at}, {when}");
            for (name, content) in &whole {
                let same = found[name] == *content;
                assert!(same, "{at}, {when}: {} differs", name.display());
            }
        };
        let root = left.join("run");
        let run = RunDirectory::open(&root).ok();
        let manifest = run.as_ref().and_then(Manifest::read);
        let finished = manifest.is_some_and(|manifest| manifest.finished.is_some());
        if is_end || finished && extended.is_none() {
            is_whole("before it is resumed");
        }
        train(text, &root);
        if extended.is_some() {
            finish(resume(&root, &set));
        }
        is_whole("resumed");
    });
}

#[test]
fn a_table_is_trained_to_the_same_bytes_after_any_crash() {
    crash_training("a table", &CRASHES, TABLE, None);
}

#[test]
fn event_files_are_written_to_the_same_bytes_after_any_crash() {
    let text = TABLE.replace("seeds = 2", "seeds = 1");
    let text = format!("{text}[log]\ntensorboard = true\neach_seed = true\n");
    crash_training("event files", &ORDERS, &text, None);
}

#[test]
fn a_tree_is_trained_to_the_same_bytes_after_any_crash() {
    crash_training("a tree", &CRASHES, TREE, None);
}

#[test]
fn a_sweep_is_trained_to_the_same_bytes_after_any_crash() {
    crash_training("a sweep", &ORDERS, SWEEP, None);
}

#[test]
fn a_run_is_extended_to_the_same_bytes_after_any_crash() {
    let text = TREE.replace("epochs = 3", "epochs = 1");
    let text = text.replace("every = 2", "every = 1");
    crash_training("an extended run", &ORDERS, &text, Some(2));
}

/// The command that starts a shard also resumes it.
#[test]
fn a_shard_is_trained_to_the_same_bytes_by_the_same_command_after_any_crash() {
    let swept = SWEEP.replace("epochs = 1", "seeds = 2\nepochs = 1");
    for (what, text) in [("a shard", TABLE), ("a shard of a sweep", &swept)] {
        let config = Config::parse(text, "test.toml").unwrap();
        let train = |directory: &Path| {
            let (shard, root) = ("1/2".parse().unwrap(), directory.join("run"));
            finish(Training::begin_shard(config.clone(), shard, &root).unwrap());
        };
        let whole = directory();
        train(whole.path());
        let whole = results(whole.path());
        replay(what, &ORDERS, train, |left, is_end, at| {
            assert!(!is_end || results(left) == whole, "{at}");
            train(left);
            assert!(results(left) == whole, "{at}, trained on");
        });
    }
}

#[test]
fn the_sign_that_a_tournament_is_unfinished_is_the_last_of_its_files_to_be_removed() {
    let place = directory();
    let cup = place.path().join("cup");
    std::fs::create_dir(&cup).unwrap();
    for name in [
        ".unfinished",
        "pairings.csv",
        "heatmap.svg",
        "tournament.json",
    ] {
        std::fs::write(cup.join(name), "").unwrap();
    }
    let log = record(place.path());
    drop(TournamentDirectory::create(Place::At(&cup)).unwrap());
    let removed: Vec<PathBuf> = log
        .operations()
        .into_iter()
        .filter_map(|operation| match operation {
            Operation::Remove(path) => Some(path),
            _ => None,
        })
        .collect();
    assert_eq!(removed.len(), 4);
    assert!(removed[3].ends_with(".unfinished"), "{removed:?}");
}

#[test]
fn a_tournament_is_held_again_after_any_crash() {
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let specs = ["random", "minimax"].map(|spec| spec.parse().unwrap());
    let players = Players::new(game, &specs).unwrap();
    let plan = MatchPlan {
        games: 2,
        seats: Seats::Alternate,
        seed: 1,
    };
    let hold = |root: &Path| {
        let stop = AtomicBool::new(false);
        tournament(&players, plan, Some(root), THREAD, &stop, &|| ())
    };
    let whole = directory();
    hold(&whole.path().join("cup")).unwrap();
    let whole = contents(whole.path());
    let work = |directory: &Path| drop(hold(&directory.join("cup")).unwrap());
    replay("a tournament", &CRASHES, work, |left, is_end, at| {
        if is_end {
            assert!(contents(left) == whole, "{at}");
        }
        // A finished tournament is refused, any other is held again.
        let again = hold(&left.join("cup"));
        assert!(
            again.is_ok() || contents(left) == whole,
            "{at}: {:?}",
            again.err()
        );
        assert!(contents(left) == whole, "{at}, held again");
    });
}
