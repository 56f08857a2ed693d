//! Directories for tests to write to, and running the program there as a user does.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{LazyLock, Once};
use std::time::Duration;

use playlab::train::TrainingRow;

/// A fresh directory, in memory if a GiB is free there and programs may be started from it: tests would spend
/// a quarter of their time waiting for the disk.
pub fn directory() -> tempfile::TempDir {
    static MEMORY: LazyLock<Option<&Path>> = LazyLock::new(|| {
        let memory = Path::new("/dev/shm");
        let mounts = fs::read_to_string("/proc/mounts").ok()?;
        let is_memory = |line: &&str| line.contains(" /dev/shm ");
        if mounts
            .lines()
            .filter(is_memory)
            .any(|line| line.contains("noexec"))
        {
            return None;
        }
        let df = Command::new("df").arg("-Pk").arg(memory).output().ok()?;
        let text = String::from_utf8(df.stdout).ok()?;
        let kilobytes: u64 = text
            .lines()
            .nth(1)?
            .split_whitespace()
            .nth(3)?
            .parse()
            .ok()?;
        (kilobytes >= 1 << 20).then_some(memory)
    });
    let made = MEMORY.map(tempfile::tempdir_in);
    made.and_then(Result::ok)
        .unwrap_or_else(|| tempfile::tempdir().unwrap())
}

/// A fresh directory to run the program in.
pub struct Place {
    directory: tempfile::TempDir,
}

/// What a run of the program left behind.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The arguments of a command.
pub trait Words {
    /// The words, of which a text has one between two blanks.
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split(' ').collect()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

impl Place {
    pub fn new() -> Place {
        #[cfg(unix)]
        heed_interrupts();
        Place {
            directory: directory(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn command(&self, arguments: &(impl Words + ?Sized)) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        command
            .args(arguments.words())
            .current_dir(self.directory.path());
        command
    }

    pub fn lab(&self, arguments: &(impl Words + ?Sized)) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Runs the program and expects it to succeed.
    #[track_caller]
    pub fn ok(&self, arguments: &(impl Words + ?Sized)) -> String {
        let ran = self.lab(arguments);
        assert_eq!(
            ran.code,
            Some(0),
            "lab {}: {}{}",
            arguments.words().join(" "),
            ran.out,
            ran.err
        );
        ran.out
    }

    /// Runs the program and expects it to refuse, with all of these parts of a message, and without a change to any
    /// file.
    #[track_caller]
    pub fn refused(&self, arguments: &(impl Words + ?Sized), parts: &[&str]) {
        let before = contents(&self.path(""));
        let ran = self.lab(arguments);
        let outcome = format!(
            "lab {}: {}{}",
            arguments.words().join(" "),
            ran.out,
            ran.err
        );
        assert_eq!(ran.code, Some(2), "{outcome}");
        for part in parts {
            assert!(ran.err.contains(part), "no '{part}' in: {outcome}");
        }
        assert!(
            before == contents(&self.path("")),
            "files changed by {outcome}"
        );
    }

    /// Runs the program with this as its whole input.
    pub fn typed(&self, arguments: &(impl Words + ?Sized), input: &[u8]) -> Ran {
        self.typed_to(&mut self.command(arguments), input)
    }

    /// Runs a command with this as its whole input.
    pub fn typed_to(&self, command: &mut Command, input: &[u8]) -> Ran {
        let mut child = self.spawn(command.stdin(Stdio::piped()));
        child.stdin.take().unwrap().write_all(input).unwrap();
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the program with its output closed from the start.
    pub fn unread(&self, arguments: &(impl Words + ?Sized)) -> Ran {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = self.command(arguments);
        Ran::of(command.stdout(writer).output().unwrap())
    }

    /// Runs the program and interrupts it after this many milliseconds.
    #[cfg(unix)]
    pub fn interrupted(&self, arguments: &(impl Words + ?Sized), milliseconds: u64) -> Ran {
        let child = self.spawn(&mut self.command(arguments));
        std::thread::sleep(Duration::from_millis(milliseconds));
        interrupt(&child);
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Waits until a file is there, or fails after a while.
    pub fn wait_for(&self, file: &str) {
        for _ in 0..2000 {
            if self.path(file).exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("{file} did not appear");
    }

    /// Starts a program whose output is kept.
    pub fn spawn(&self, command: &mut Command) -> Child {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// A place with a run of this config in the directory `run`.
    pub fn trained(config: &str, arguments: &(impl Words + ?Sized)) -> Place {
        let place = Place::new();
        place.train(config, arguments);
        place
    }

    /// The rows of a run's `training.csv`.
    pub fn training_rows(&self, run: &str) -> Vec<TrainingRow> {
        let text = self.read(&format!("{run}/training.csv"));
        let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
        rows.map(Result::unwrap).collect()
    }

    /// Trains a config into the directory `run`; what the program prints.
    pub fn train(&self, config: &str, arguments: &(impl Words + ?Sized)) -> String {
        self.write("small.toml", config);
        let start = ["train", "--config", "small.toml", "--out", "run"];
        self.ok(&[&start, &arguments.words()[..]].concat())
    }
}

/// A program keeps ignoring what its parent ignores, as a shell makes its background jobs ignore Ctrl-C: programs that
/// tests start would not notice it either.
#[cfg(unix)]
fn heed_interrupts() {
    static ONCE: Once = Once::new();
    // SAFETY: the default action calls no code of this process.
    ONCE.call_once(|| unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL);
    });
}

/// Presses Ctrl-C.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    signal(child, "-INT");
}

/// Sends a signal to a child that has not been waited for.
#[cfg(unix)]
pub fn signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.unwrap().success());
}

/// JSON that the program printed.
#[track_caller]
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The files of a run or a sweep that must be the same whenever its config is the same.
pub fn results(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = contents(root);
    files.retain(|name, _| !name.ends_with("manifest.json"));
    files
}

/// The JSON part of a checkpoint with this content and these arrays, with correct CRCs.
pub fn sealed(content: &str, npz: &[u8]) -> String {
    let [npz, sum] = [npz, content.as_bytes()].map(crc32fast::hash);
    let version = playlab::store::FORMAT_VERSION;
    format!(
        "{{\"format_version\":{version},\"npz_crc32\":{npz},\"content_crc32\":{sum},\"content\":{content}}}\n"
    )
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Every file under a directory, with its content.
pub fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// A training that takes a moment.
pub const SMALL: &str = r#"
game = "tic-tac-toe"
side = "o"
seeds = 3
epochs = 6
episodes_per_epoch = 50

[[opponents]]
agent = "random"

[learner.q-learning]
table = "afterstate"
fold_symmetries = true
learning_rate = { visit-count = { exponent = 0.8 } }
exploration = { epsilon-greedy = { epsilon = 0.3 } }
initial_value = 1.0
rewards = { win = 1.0, draw = 0.9, loss = -2.0 }

[evaluation]
games = 40

[checkpoints]
every = 2
"#;

/// Writes the scripts of two shards of `small.toml` for Slurm.
pub const SUBMIT_SLURM: [&str; 6] = [
    "submit",
    "slurm",
    "small.toml",
    "--shards",
    "2",
    "--dry-run",
];

/// A search tree that takes a moment.
pub const SMALL_TREE: &str = r#"
game = "tic-tac-toe"
side = "both"
seeds = 3
epochs = 6
episodes_per_epoch = 50

[learner.mcts]
solver = false
merge = "symmetries"

[evaluation]
games = 40

[checkpoints]
every = 2
"#;
