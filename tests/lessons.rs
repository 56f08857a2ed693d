//! The lessons of `docs/tutorial/`: they quote what their commands print, their pictures are what these draw,
//! and in each exercise the lesson's own config fails what the solution meets.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::place::Place;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The lines of a page's blocks of code in this language, or, for `None`, those outside blocks.
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

/// The words of a command; what stands between quotes has no blanks.
fn words(command: &str) -> Vec<String> {
    let words = command.split_whitespace();
    words.map(|word| word.replace('"', "")).collect()
}

/// A lesson whose commands were run.
struct Lesson {
    /// The name of its config and of its picture.
    name: &'static str,
    page: String,
    place: Place,
    /// The commands, with what each printed.
    ran: Vec<(String, String)>,
}

impl Lesson {
    /// Runs the commands of a lesson, and compares its text and pictures with what they print and draw.
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
            page,
            place,
            ran: Vec::new(),
        };
        for command in lines(&lesson.page, Some("sh")) {
            let printed = lesson.run(command);
            lesson.ran.push((command.to_owned(), printed));
        }
        lesson.compare(drawn);
        lesson
    }

    /// What a command prints.
    fn run(&self, command: &str) -> String {
        let words = words(command);
        assert_eq!(words[0], "lab", "{command}");
        let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        self.place.ok(&words)
    }

    fn compare(&self, drawn: &str) {
        let page = &self.page;
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

    /// The solution of the exercise, to be added to the training command.
    fn solution(&self) -> String {
        self.of_solution("add").unwrap()
    }

    fn of_solution(&self, key: &str) -> Option<String> {
        let all = fs::read_to_string(project("tests/lessons/solutions.toml")).unwrap();
        let all: toml::Table = all.parse().unwrap();
        Some(all[self.name].get(key)?.as_str().unwrap().to_owned())
    }

    /// What the last command of the exercise prints when each is run with the solution in place of what the page leaves
    /// open; where the page shows no command, it is the training with the solution added.
    fn solved(&self) -> String {
        let Some(open) = self.of_solution("for") else {
            assert!(self.exercise().is_empty());
            return self.run(&format!("{} {}", self.train(), self.solution()));
        };
        let commands = self.exercise();
        assert!(commands.iter().any(|command| command.contains(&open)));
        let mut ran = commands
            .iter()
            .map(|command| self.run(&command.replace(&open, &self.solution())))
            .collect::<Vec<_>>();
        ran.pop().unwrap()
    }

    /// The commands of the exercise.
    fn exercise(&self) -> Vec<String> {
        let commands = lines(&self.page, Some("bash"));
        commands.into_iter().map(str::to_owned).collect()
    }
}

/// Whether no seed can be beaten on any of these sides.
fn is_unbeatable(out: &str, sides: &[&str]) -> bool {
    let verdict = |side| format!("Verdict, last checkpoint: unbeatable as {side} in all ");
    sides.iter().all(|side| out.contains(&verdict(side)))
}

#[test]
fn strength() {
    let lesson = Lesson::follow(1, "strength", "runs/strength-1/curve.svg");
    let [copy, judge] = &lesson.exercise()[..] else {
        panic!("the exercise has other commands");
    };
    let words = words(copy);
    let [cp, own, mine] = [0, 1, 2].map(|word| words[word].as_str());
    assert_eq!((cp, words.len()), ("cp", 3));
    fs::copy(lesson.place.path(own), lesson.place.path(mine)).unwrap();
    let verdict = "The policy: unbeatable as O";
    assert!(!lesson.run(judge).contains(verdict));
    let position = |row: &str| row.split(',').next().unwrap().to_owned();
    let solution = fs::read_to_string(project("tests/lessons/strength.csv")).unwrap();
    let mut better: HashMap<_, _> = (solution.lines().skip(1))
        .map(|row| (position(row), row))
        .collect();
    assert_eq!(better.len(), 6);
    let rows = lesson.place.read(mine);
    let rows = rows
        .lines()
        .map(|row| better.remove(&position(row)).unwrap_or(row));
    let rows: Vec<_> = rows.collect();
    lesson.place.write(mine, &(rows.join("\n") + "\n"));
    assert!(better.is_empty(), "no rows to repair: {better:?}");
    assert!(lesson.run(judge).contains(verdict));
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
    let mut few = String::new();
    for command in lesson.exercise() {
        let command = command.replace("--seed 301 --seeds N", "--seed 101 --seeds 20");
        let command = command.replace("runs/before", "runs/before-20");
        few = lesson.run(&command.replace("runs/after", "runs/after-20"));
    }
    assert!(!few.contains("higher (better)"), "{few}");
    assert!(few.contains("about 118 seeds"), "{few}");
    let enough = lesson.solved();
    assert!(enough.contains("higher (better)"), "{enough}");
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
