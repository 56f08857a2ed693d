//! Running the program as a user does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A fresh directory to run the program in.
pub struct Place {
    directory: tempfile::TempDir,
}

/// What a run of the program left.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Place {
    pub fn new() -> Place {
        Place {
            directory: tempfile::tempdir().unwrap(),
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

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
        command.args(arguments).current_dir(self.directory.path());
        command
    }

    pub fn lab(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Runs the program and expects it to go well.
    #[track_caller]
    pub fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.lab(arguments);
        assert_eq!(
            ran.code,
            Some(0),
            "lab {}: {}{}",
            arguments.join(" "),
            ran.out,
            ran.err
        );
        ran.out
    }
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

/// Every file below a directory and what it holds, but for locks.
pub fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.file_name().is_some_and(|name| name != ".lock") {
                let name = path.strip_prefix(root).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// A training of a moment.
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

/// A search tree of a moment.
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
