//! Mutated inputs of every kind: what a person or a damaged disk may hand over is read or
//! refused, and nothing panics. `FUZZ=1000000 cargo test fuzz` makes so many of each kind; without
//! it there are some thousands.

use std::fs;
use std::path::Path;

use playlab::agent::AgentSpec;
use playlab::arrays::Arrays;
use playlab::config::{Config, read_config};
use playlab::game::{GameInfo, Position, Problem, games, play_moves};
use playlab::rng::{LabRng, Purpose, below, stream};
use playlab::store::{from_npz, to_npz};
use rand::RngExt;

/// Words that readers of numbers, names and paths stumble over.
const WORDS: [&str; 24] = [
    "0",
    "-1",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e-320",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0x7fffffff",
    "\u{0}",
    "\u{7f}",
    "\u{fffd}",
    "é",
    "../",
    "\"",
    "[",
    "{",
    ".",
    ",",
    "=",
    "\n",
];

fn any<'a, T>(list: &'a [T], rng: &mut LabRng) -> &'a T {
    &list[below(list.len() as u32, rng) as usize]
}

fn range(length: usize, rng: &mut LabRng) -> std::ops::Range<usize> {
    let start = below(length as u32 + 1, rng) as usize;
    start..start + below((length - start) as u32 + 1, rng) as usize
}

/// One of the good inputs, changed in a few places.
fn mutated(corpus: &[Vec<u8>], rng: &mut LabRng) -> Vec<u8> {
    let mut bytes = any(corpus, rng).clone();
    for _ in 0..1 + below(4, rng) {
        let place = below(bytes.len() as u32 + 1, rng) as usize;
        match below(7, rng) {
            0 if place < bytes.len() => bytes[place] ^= 1 << below(8, rng),
            1 if place < bytes.len() => bytes[place] = rng.random(),
            2 => {
                let gone = range(bytes.len(), rng);
                bytes.drain(gone);
            }
            3 => {
                let twice = bytes[range(bytes.len(), rng)].to_vec();
                bytes.splice(place..place, twice);
            }
            4 => {
                let other = any(corpus, rng);
                let part = other[range(other.len(), rng)].to_vec();
                bytes.splice(place..place, part);
            }
            5 => {
                let word = any(&WORDS, rng)
                    .repeat(1 << below(if below(50, rng) == 0 { 17 } else { 3 }, rng));
                bytes.splice(place..place, word.into_bytes());
            }
            _ => {
                let gone = range(bytes.len(), rng);
                let word = any(&WORDS, rng).as_bytes().to_vec();
                bytes.splice(gone, word);
            }
        }
    }
    bytes
}

/// Reads as many mutations of the corpus as are asked for; returns how many were accepted.
fn fuzz(corpus: &[Vec<u8>], usually: u64, read: impl Fn(&[u8]) -> bool) -> u64 {
    for good in corpus {
        let text = String::from_utf8_lossy(good);
        assert!(read(good), "a good input is refused: {text}");
    }
    let count = std::env::var("FUZZ").map_or(usually, |count| count.parse().expect("a number"));
    let mut rng = stream(count, Purpose::Match, 0, 0);
    (0..count)
        .filter(|_| read(&mutated(corpus, &mut rng)))
        .count() as u64
}

fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    let bytes = |text: T| text.as_ref().as_bytes().to_vec();
    texts.into_iter().map(bytes).collect()
}

fn configs() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn fuzz_configs() {
    let read = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match Config::parse(&text, "fuzz.toml") {
            Ok(config) => {
                let again = Config::parse(&config.to_toml(), "again.toml");
                assert_eq!(again.unwrap(), config);
                true
            }
            Err(_) => false,
        }
    };
    let accepted = fuzz(&configs(), 3000, read);
    assert!(accepted > 0, "mutations do not change everything");
}

#[test]
fn fuzz_overrides() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/qtable_o.toml");
    let config = read_config(&path).unwrap();
    let corpus = texts([
        "epochs=3",
        "seeds=[1, 2]",
        "checkpoints.every=5",
        "evaluation.games=0",
        "stop=unbeatable",
        "opponents=[{ agent = \"random\" }]",
    ]);
    fuzz(&corpus, 3000, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        config.with_overrides(&[text]).is_ok()
    });
}

#[test]
fn fuzz_specs() {
    let corpus = texts([
        "random",
        "minimax:empties=12,nodes=5000",
        "alpha-beta:depth=4,evaluation=weighted",
        "mcts:simulations=100,c=0.7,selection=puct,noise_weight=0.25",
        "run:runs/qtable_o-1,seed=3,checkpoint=last",
    ]);
    let games =
        ["tic-tac-toe", "connect-four", "othello"].map(|name| GameInfo::find(name).unwrap());
    fuzz(&corpus, 10_000, |bytes| {
        let Ok(spec) = String::from_utf8_lossy(bytes).parse::<AgentSpec>() else {
            return false;
        };
        for game in games {
            let _ = spec.check(game);
        }
        let again: AgentSpec = spec.to_string().parse().unwrap();
        assert_eq!(again.to_string(), spec.to_string());
        true
    });
}

#[test]
fn fuzz_positions_and_moves() {
    for game in games() {
        let start = Position::start(game);
        let mut positions = vec![start.to_string()];
        let mut moves = Vec::new();
        let mut position = start;
        while position.outcome().is_none() && moves.len() < 9 {
            let mv = position.moves().get(position.moves().len() / 2);
            moves.push(game.format_move(mv));
            position = position.play_unchecked(mv);
            positions.push(position.to_string());
        }
        fuzz(&texts(&positions), 500, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            match Position::parse(game, &text) {
                Ok(position) => {
                    assert_eq!(Position::parse(game, &position.to_string()), Ok(position));
                    true
                }
                Err(_) => false,
            }
        });
        fuzz(&texts([moves.join(" ")]), 500, |bytes| {
            play_moves(game, &String::from_utf8_lossy(bytes)).is_ok()
        });
    }
}

#[test]
fn fuzz_problem_files() {
    for (file, name) in [
        ("connect_four.txt", "connect-four"),
        ("othello.obf", "othello"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/positions")
            .join(file);
        let text = fs::read_to_string(path).unwrap();
        let lines = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let game = GameInfo::find(name).unwrap();
        fuzz(&texts(lines), 5000, |bytes| {
            Problem::parse(game, &String::from_utf8_lossy(bytes)).is_ok()
        });
    }
}

#[test]
fn fuzz_arrays() {
    let mut arrays = Arrays::new();
    arrays.insert("keys", (0..40).collect::<Vec<u64>>());
    arrays.insert("moves", vec![3_u8; 40]);
    arrays.insert("values", vec![0.25; 40]);
    arrays.insert("visits", vec![7_u32; 40]);
    let limit = 1 << 20;
    fuzz(&[to_npz(&arrays)], 5000, |bytes| {
        match from_npz(bytes, limit) {
            Ok(arrays) => from_npz(&to_npz(&arrays), limit) == Ok(arrays),
            Err(why) => why.is_empty(),
        }
    });
}
