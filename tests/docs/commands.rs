//! Every command that a page shows is run, in the page's order and in a place of the page's own.
//!
//! A page's `sh` blocks are commands. A block after a line such as ``In `experiment.toml`:`` is a file that is
//! written first. The lines of an `output` block are what the commands before it print, up to times; a
//! line `...` stands for others. `bash` blocks need what a machine may not have, and are not run. Pages on how to
//! add something are followed by `.ci/docs`, lessons by their own tests.
//!
//! Trainings that take long without optimization are made shorter; what they print is compared by the
//! tests that are ignored unless requested.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs, thread};

use super::{Page, copy, pages, project};
use crate::place::{Place, Ran};
use crate::serve::client::Serving;

#[test]
fn every_command_in_the_docs_works() {
    follow_all(shortened);
}

#[test]
#[ignore = "trains for minutes what the other test makes shorter"]
fn every_command_in_the_docs_works_in_full_length() {
    follow_all(|words| words);
}

#[test]
#[ignore = "trains 4,200 tables; .ci/run asks for it"]
fn hundreds_of_seeds_have_the_numbers_of_their_tables() {
    let page = Page::read("docs/configs.md");
    let place = Place::new();
    copy(&project().join("configs"), &place.path("configs"));
    let mut trained = 0;
    for block in page.blocks() {
        let commands = block.lines.into_iter();
        for command in commands.filter(|command| has_table(command)) {
            let out = run(&place, command, |words| words);
            check_table(&page.text, command, &out);
            trained += 1;
        }
    }
    assert_eq!(trained, 7);
}

#[test]
#[ignore = "trains millions of games; .ci/run asks for it"]
fn nobody_beats_the_tables_of_the_smallest_larger_boards() {
    let page = Page::read("docs/learners/q-learning.md");
    let place = Place::new();
    copy(&project().join("configs"), &place.path("configs"));
    let section = page.text.split("## Larger boards").nth(1);
    let section = section.expect("the page has these boards");
    for (config, side) in [
        ("qtable_connect_four_4x4", "X"),
        ("qtable_othello_4x4", "O"),
    ] {
        let command = format!("lab train --config configs/{config}.toml");
        assert!(section.contains(&command), "{command}");
        let out = run(&place, &command, |words| words);
        let verdict = format!("last checkpoint: unbeatable as {side} in all 4 seeds, proven");
        assert!(out.contains(&verdict), "{out}");
    }
}

/// Turns the words of a command on the page into those it is run with.
type Shorten = fn(Vec<String>) -> Vec<String>;

fn follow_all(shorten: Shorten) {
    let mut pages = pages();
    let others = ["docs/adding-", "docs/tutorial/"];
    pages.retain(|page| !others.iter().any(|others| page.name.starts_with(others)));
    pages.retain(|page| page.blocks().iter().any(|block| block.language == "sh"));
    assert!(pages.len() > 15, "only {} pages have commands", pages.len());
    // Pages that take long are begun first.
    let count = |page: &Page, what: &str| page.text.matches(what).count();
    pages.sort_by_key(|page| (count(page, "--seeds 1000"), count(page, "\nlab ")));
    let left = Mutex::new(pages);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let failed = thread::scope(|scope| {
        let work = || {
            let mut failed = None;
            while let Some(page) = { left.lock().unwrap().pop() } {
                if let Err(why) = catch_unwind(AssertUnwindSafe(|| follow(&page, shorten))) {
                    eprintln!("in {}", page.name);
                    failed = Some(why);
                }
            }
            failed
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| worker.join().unwrap());
        ended.fold(None, Option::or)
    });
    if let Some(why) = failed {
        resume_unwind(why);
    }
}

/// Does what a page says.
fn follow(page: &Page, shorten: Shorten) {
    let place = Place::new();
    for directory in ["configs", "tests/positions", "runs/reference"] {
        copy(&project().join(directory), &place.path(directory));
    }
    let mut printed = HashSet::new();
    let mut is_short = false;
    for block in page.blocks() {
        if let Some(file) = block
            .before
            .strip_prefix("In `")
            .and_then(|rest| rest.strip_suffix("`:"))
        {
            place.write(file, &(block.lines.join("\n") + "\n"));
        }
        match block.language {
            "sh" => {
                for command in block.lines {
                    let is_shorter = shorten(words(command)) != words(command);
                    is_short |= is_shorter;
                    let out = run(&place, command, shorten);
                    printed.extend(out.lines().map(timeless));
                    if !is_shorter {
                        check_table(&page.text, command, &out);
                    }
                }
            }
            "output" if !is_short => {
                for line in block.lines {
                    let is_there = line == "..." || printed.contains(&timeless(line));
                    assert!(is_there, "not printed: {line}");
                }
            }
            _ => {}
        }
    }
}

/// A line without the time that something took.
fn timeless(line: &str) -> String {
    let line = line.trim_end();
    let is_time =
        |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(" s");
    match line.rsplit_once(" in ") {
        Some((start, rest)) if is_time(rest) => start.to_owned(),
        _ => line.to_owned(),
    }
}

/// Runs a command and expects it to succeed. Returns what it printed.
fn run(place: &Place, command: &str, shorten: Shorten) -> String {
    if command == "cargo test" {
        // This is running right now.
        return String::new();
    }
    if command.contains(['|', '>', '*']) {
        return by_shell(place, command);
    }
    let arguments = command.replacen("cargo run --release --", "lab", 1);
    let words = shorten(words(&arguments));
    assert_eq!(words[0], "lab", "'{command}' is not tested");
    let words = &words[1..];
    if words[0] == "serve" {
        return serve(place);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut started = place.command(&words);
    let ran = Ran::of(with_path(&mut started).output().unwrap());
    assert_eq!(ran.code, Some(0), "{command}: {}{}", ran.out, ran.err);
    let is_quiet = ["--output", "--json"]
        .iter()
        .any(|option| command.contains(option));
    assert!(!ran.out.is_empty() || is_quiet, "{command} printed nothing");
    ran.out + &ran.err
}

/// Has a shell run a command. Returns what it printed.
fn by_shell(place: &Place, command: &str) -> String {
    let mut shell = Command::new("bash");
    shell
        .args(["-o", "pipefail", "-ec", command])
        .current_dir(place.path(""));
    let ran = Ran::of(with_path(&mut shell).output().unwrap());
    assert_eq!(ran.code, Some(0), "{command}: {}{}", ran.out, ran.err);
    ran.out + &ran.err
}

/// Lets the command find the program by its name, as programs that start it need to.
fn with_path(command: &mut Command) -> &mut Command {
    let program = Path::new(env!("CARGO_BIN_EXE_lab")).parent().unwrap();
    let others = env::var_os("PATH").unwrap_or_default();
    let paths = [program.to_owned()]
        .into_iter()
        .chain(env::split_paths(&others));
    command.env("PATH", env::join_paths(paths).unwrap())
}

/// Serves the page, which never ends by itself.
fn serve(place: &Place) -> String {
    fs::create_dir_all(place.path("runs")).unwrap();
    let serving = Serving::start(place, "runs");
    assert_eq!(serving.get("/").status, 200);
    let runs = &serving.ok("/api/runs")["runs"];
    assert!(runs.is_array());
    String::new()
}

/// The words of a command as a shell splits them; quoted words may contain blanks.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (c, quote) {
            (' ', None) => words.push(String::new()),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// The words of a command, with less to do where it would take minutes without optimization.
fn shortened(mut words: Vec<String>) -> Vec<String> {
    let set = |words: &mut Vec<String>, option: &str, value: &str| match words
        .iter()
        .position(|word| word == option)
    {
        Some(at) => words[at + 1] = value.to_owned(),
        None => words.extend([option.to_owned(), value.to_owned()]),
    };
    let config = words.iter().find_map(|word| word.strip_prefix("configs/"));
    let config = config.unwrap_or_default().to_owned();
    let begins = |starts: &[&str]| starts.iter().any(|start| config.starts_with(start));
    let is = |words: &[String], name: &str| words.get(1).is_some_and(|word| word == name);
    if is(&words, "train") && begins(&["mcts_connect_four", "mcts_othello", "tree_connect_four"]) {
        words.extend(["--set", "evaluation.games=1"].map(str::to_owned));
        set(&mut words, "--seeds", "1");
    }
    if is(&words, "train") && begins(&LONG) {
        let few = ["--set", "epochs=1", "--set", "episodes_per_epoch=200"];
        words.extend(few.map(str::to_owned));
        set(&mut words, "--seeds", "1");
    }
    if is(&words, "train") && config == "td_connect_four.toml" {
        // After so few episodes perfect play meets a great many positions.
        let easy = ["--set", "evaluation.opponents=[\"random\"]"];
        words.extend(easy.map(str::to_owned));
    }
    // Only over millions is learning measured.
    let many = |word: &&mut String| *word == "episodes_per_epoch=5000000";
    if let Some(many) = words.iter_mut().find(many) {
        *many = "episodes_per_epoch=100000".to_owned();
    }
    let many = ["--seeds 100 ", "--seeds 300", "--seeds 1000"];
    let joined = words.join(" ");
    if is(&words, "train") && many.iter().any(|many| joined.contains(many)) {
        set(&mut words, "--seeds", "20");
    }
    if is(&words, "tournament") && words.iter().any(|word| word.starts_with("level:")) {
        set(&mut words, "--games", "2");
        // Every level plays in its own tests.
        words.retain(|word| !["level:easy", "level:medium", "level:hard"].contains(&word.as_str()));
    }
    // Positions that are nearly over, in place of endgames.
    for word in &mut words {
        *word = word.replace("othello.obf", "othello_late.obf");
    }
    words
}

/// The beginnings of the names of configs that take long to train.
const LONG: [&str; 7] = [
    "td_",
    "levels/",
    "network_",
    "deep_q",
    "grid_",
    "mcts_exploration",
    "qtable_connect_four_4x4",
];

/// Whether a command trains enough seeds for its output to be a row of a table.
fn has_table(command: &str) -> bool {
    ["--seeds 1000", "--seeds 300"]
        .iter()
        .any(|seeds| command.contains(seeds))
}

/// A page's table has the numbers that a training of many seeds printed: in
/// the config's row the win rate against random and the number of unbeatable seeds,
/// or, for the recipe that goes wrong, of beatable ones.
fn check_table(page: &str, command: &str, out: &str) {
    let Some(rest) = command.strip_prefix("lab train --config configs/") else {
        return;
    };
    let (config, options) = rest.split_once(' ').unwrap_or((rest, ""));
    let recipe = options.contains("--seeds 300");
    if !has_table(options) {
        return;
    }
    let row = page
        .lines()
        .find(|line| line.starts_with('|') && line.contains(config))
        .unwrap_or_else(|| panic!("no row for {config}"));
    let mut numbers = 0;
    for line in out.lines() {
        let Some((label, values)) = line.split_once(": ") else {
            continue;
        };
        let words: Vec<&str> = values.split_whitespace().collect();
        let expected = match label.split_once(' ') {
            Some((_, "v random")) if values.starts_with("win rate") => {
                let best = words[2].to_owned();
                let last = words[if words[3].starts_with('(') { 4 } else { 3 }].to_owned();
                if recipe { vec![last] } else { vec![best, last] }
            }
            None if label.len() == 1 && values.starts_with("unbeatable") && recipe => {
                vec![(300 - words[4].parse::<u32>().unwrap()).to_string()]
            }
            None if label.len() == 1 && values.starts_with("unbeatable") => {
                vec![format!("{} of", words[1]), format!("{} of", words[4])]
            }
            _ => continue,
        };
        for number in expected {
            assert!(row.contains(&number), "{config}: no {number} in {row}");
            numbers += 1;
        }
    }
    assert!(numbers >= 2, "nothing to compare in: {out}");
}
