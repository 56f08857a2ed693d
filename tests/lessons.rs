//! The lessons of `docs/tutorial/`: what they quote is what their commands print, their pictures are what these draw,
//! and of each exercise the lesson's own config fails what the solution meets.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::place::Place;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The lines of a page's blocks of code in this language, or for `None` those outside of blocks.
fn lines<'a>(page: &'a str, language: Option<&str>) -> Vec<&'a str> {
    let mut inside = None;
    let mut found = Vec::new();
    for line in page.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(opened), None) => inside = Some(opened),
            (Some(_), Some(_)) => inside = None,
            (None, _) if inside == language => found.push(line),
            (None, _) => {}
        }
    }
    found
}

/// The words of a command; quotes keep what has no blank in it.
fn words(command: &str) -> Vec<String> {
    let words = command.split_whitespace();
    words.map(|word| word.replace('"', "")).collect()
}

/// A lesson whose commands were run.
struct Lesson {
    /// That of its config and of its picture.
    name: &'static str,
    place: Place,
    /// The commands, with what each printed.
    ran: Vec<(String, String)>,
}

impl Lesson {
    /// Runs the commands of a lesson, and compares what it says and shows with what they print and draw.
    fn follow(number: u8, name: &'static str, drawn: &str) -> Lesson {
        let place = Place::new();
        for directory in ["configs/lessons", "tests/positions"] {
            fs::create_dir_all(place.path(directory)).unwrap();
            for file in fs::read_dir(project(directory)).unwrap() {
                let file = file.unwrap();
                let copy = place.path(directory).join(file.file_name());
                fs::copy(file.path(), copy).unwrap();
            }
        }
        let page = project(&format!("docs/tutorial/{number}-{name}.md"));
        let page = fs::read_to_string(page).unwrap();
        let mut lesson = Lesson {
            name,
            place,
            ran: Vec::new(),
        };
        for command in lines(&page, Some("sh")) {
            let printed = lesson.run(command);
            lesson.ran.push((command.to_owned(), printed));
        }
        lesson.compare(&page, drawn);
        lesson
    }

    /// What a command prints.
    fn run(&self, command: &str) -> String {
        let words = words(command);
        assert_eq!(words[0], "lab", "{command}");
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        self.place.ok(&words)
    }

    fn compare(&self, page: &str, drawn: &str) {
        let printed: String = self.ran.iter().map(|(_, out)| out.as_str()).collect();
        let all: HashSet<&str> = printed.lines().map(str::trim_end).collect();
        for line in lines(page, Some("output")) {
            assert!(all.contains(line.trim_end()), "not printed: {line}");
        }
        let picture = project(&format!("docs/tutorial/{}.svg", self.name));
        let picture = fs::read_to_string(picture).unwrap();
        assert!(picture.len() < 100_000, "{} bytes", picture.len());
        // Not by `assert_eq`, which would print both.
        assert!(picture == self.place.read(drawn), "{drawn} is another one");
        // Rates in the text.
        let is_other = |c: char| !c.is_ascii_digit() && c != '.';
        for word in lines(page, None)
            .into_iter()
            .flat_map(|l| l.split(is_other))
        {
            let word = word.trim_end_matches('.');
            if word.starts_with("0.") && word.len() > 3 {
                let is_known = printed.contains(word) || picture.contains(word);
                assert!(is_known, "neither printed nor drawn: {word}");
            }
        }
    }

    /// Trains the lesson's config.
    fn train(&self) -> String {
        format!("lab train configs/lessons/{}.toml", self.name)
    }

    /// What training the lesson's own config printed.
    fn own(&self) -> &str {
        let train = self.train();
        let own = self.ran.iter().find(|(command, _)| *command == train);
        &own.unwrap().1
    }

    /// What solves the exercise, to be added to the training.
    fn solution(&self) -> String {
        let all = fs::read_to_string(project("tests/lessons/solutions.toml")).unwrap();
        let all: toml::Table = all.parse().unwrap();
        all[self.name]["add"].as_str().unwrap().to_owned()
    }

    /// What the training of the solution prints.
    fn solved(&self) -> String {
        self.run(&format!("{} {}", self.train(), self.solution()))
    }
}

/// Whether nobody beats any seed on any of these sides.
fn is_unbeatable(out: &str, sides: &[&str]) -> bool {
    let verdict = |side| format!("Verdict, last checkpoint: unbeatable as {side} in all ");
    sides.iter().all(|side| out.contains(&verdict(side)))
}

#[test]
fn strength() {
    let lesson = Lesson::follow(1, "strength", "runs/strength-1/curve.svg");
    let judge = |file: &str| {
        let options = "--game tic-tac-toe --missing random";
        lesson.run(&format!("lab evaluate --policy {file} {options}"))
    };
    let verdict = "the policy: unbeatable as O";
    let own = "tests/positions/tic_tac_toe_rule.csv";
    assert!(!judge(own).contains(verdict));
    let position = |row: &str| row.split(',').next().unwrap().to_owned();
    let solution = fs::read_to_string(project("tests/lessons/strength.csv")).unwrap();
    let mut better: HashMap<_, _> = (solution.lines().skip(1))
        .map(|row| (position(row), row))
        .collect();
    assert_eq!(better.len(), 6);
    let rows = lesson.place.read(own);
    let rows = rows
        .lines()
        .map(|row| better.remove(&position(row)).unwrap_or(row));
    let rows: Vec<_> = rows.collect();
    lesson.place.write("mine.csv", &(rows.join("\n") + "\n"));
    assert!(better.is_empty(), "no rows to repair: {better:?}");
    assert!(judge("mine.csv").contains(verdict));
}

#[test]
fn exploration() {
    let lesson = Lesson::follow(2, "exploration", "runs/exploration-1/sweep.svg");
    // The row of epsilon 0.
    let met = |out: &str| {
        let row = out.lines().find(|line| line.starts_with("0 ")).unwrap();
        row.ends_with(" 10 of 10")
    };
    assert!(!met(lesson.own()));
    assert!(met(&lesson.solved()));
    assert!(!lesson.solution().contains("epsilon"));
}

#[test]
fn values() {
    let lesson = Lesson::follow(3, "values", "runs/values.svg");
    let met = |out: &str| {
        let mut lines = out.lines();
        let row = lines.find(|line| line.starts_with("O v random: win rate"));
        row.unwrap().ends_with("   0.9164 (0.9164–0.9164)") && is_unbeatable(out, &["O"])
    };
    assert!(!met(lesson.own()));
    assert!(met(&lesson.solved()));
    let solution = words(&lesson.solution());
    let keys = solution.iter().filter(|word| *word != "--set");
    for key in keys {
        assert!(key.starts_with("learner.expected-sarsa.rewards."), "{key}");
    }
}

#[test]
fn seeds() {
    let lesson = Lesson::follow(4, "seeds", "runs/seeds.svg");
    let compared = |seeds: &str, before: &str, after: &str| {
        let train = format!("{} --seed 101 {seeds}", lesson.train());
        let claim = "--set learner.q-learning.initial_value=0.5";
        lesson.run(&format!("{train} --out {before}"));
        lesson.run(&format!("{train} {claim} --out {after}"));
        lesson.run(&format!(
            "lab compare {before} {after} --metric unbeatable-seeds"
        ))
    };
    let few = compared("--seeds 20", "runs/before-20", "runs/after-20");
    assert!(!few.contains("which is better"), "{few}");
    assert!(few.contains("about 118 seeds"), "{few}");
    let enough = compared(&lesson.solution(), "runs/before", "runs/after");
    assert!(enough.contains("which is better"), "{enough}");
}

#[test]
fn opponents() {
    let lesson = Lesson::follow(5, "opponents", "runs/opponents.svg");
    for (_, out) in &lesson.ran {
        assert!(!is_unbeatable(out, &["X", "O"]), "{out}");
    }
    assert!(is_unbeatable(&lesson.solved(), &["X", "O"]));
}

#[test]
fn functions() {
    let lesson = Lesson::follow(6, "functions", "runs/functions.svg");
    for (_, out) in &lesson.ran {
        assert!(!is_unbeatable(out, &["X", "O"]), "{out}");
    }
    assert!(is_unbeatable(&lesson.solved(), &["X", "O"]));
}
