//! Mutated inputs of every kind: whatever a person or a damaged disk may supply is read or
//! refused, and nothing panics. `FUZZ=200000 cargo test fuzz_configs` makes that many of a kind; without
//! it there are dozens to thousands.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use playlab::Error;
use playlab::agent::{AgentSpec, Stage};
use playlab::arrays::{Array, Arrays, from_npz, to_npz};
use playlab::config::{Config, read_config};
use playlab::game::{GameInfo, Position, Problem, games, play_moves};
use playlab::rng::{LabRng, Purpose, below, stream};
use playlab::store::{Checkpoint, RunDirectory, read_run};
use playlab::train::{Experiment, Job, train};
use playlab::workflow::{Place as Where, RunList, Training, stage};
use rand::RngExt;

use crate::place::{Place, SMALL, SMALL_TREE, contents, json, sealed};

/// Words that readers of numbers, names and paths stumble over.
const WORDS: [&str; 26] = [
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
    "a.",
    "null",
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

/// Tries as often as requested; returns how many attempts were accepted.
fn repeat(usually: u64, mut attempt: impl FnMut(&mut LabRng) -> bool) -> u64 {
    let count = std::env::var("FUZZ").map_or(usually, |count| count.parse().expect("a number"));
    let mut rng = stream(count, Purpose::Match, 0, 0);
    (0..count).filter(|_| attempt(&mut rng)).count() as u64
}

/// Reads as many mutations of the corpus as requested; returns how many were accepted.
fn fuzz(corpus: &[Vec<u8>], usually: u64, read: impl Fn(&[u8]) -> bool) -> u64 {
    for good in corpus {
        let text = String::from_utf8_lossy(good);
        assert!(read(good), "a good input is refused: {text}");
    }
    repeat(usually, |rng| read(&mutated(corpus, rng)))
}

fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    let bytes = |text: T| text.as_ref().as_bytes().to_vec();
    texts.into_iter().map(bytes).collect()
}

/// The files of a directory of the project, and of those below it.
fn files(directory: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    contents(&root).into_values().collect()
}

/// The lines of a file with one input per line.
fn lines(file: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(path).unwrap();
    let is_input = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    texts(text.lines().filter(is_input))
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
    let corpus = [files("configs"), files("tests/corpus/configs")].concat();
    let accepted = fuzz(&corpus, 1000, read);
    assert!(accepted > 0, "mutations do not change everything");
}

#[test]
fn fuzz_overrides() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/qtable_o.toml");
    let config = read_config(&path).unwrap();
    fuzz(&lines("tests/corpus/overrides.txt"), 1000, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        config.with_overrides(&[text]).is_ok()
    });
}

#[test]
fn fuzz_sweep_keys() {
    let corpus = texts([
        "learner.q-learning.discount",
        "opponents.0.weight",
        "seeds",
        "evaluation.games",
    ]);
    fuzz(&corpus, 1000, |bytes| {
        let key = serde_json::Value::from(String::from_utf8_lossy(bytes));
        let text = format!("{SMALL}\n[sweep]\nkey = {key}\nvalues = [1]\n");
        Config::parse(&text, "fuzz.toml").is_ok_and(|config| {
            let name = &config.variants().unwrap()[0].name;
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        })
    });
}

#[test]
fn fuzz_specs() {
    let corpus = lines("tests/corpus/specs.txt");
    let games =
        ["tic-tac-toe", "connect-four", "othello"].map(|name| GameInfo::find(name).unwrap());
    fuzz(&corpus, 2000, |bytes| {
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
        ("tests/positions/connect_four.txt", "connect-four"),
        ("tests/positions/connect_four_middle.txt", "connect-four"),
        ("tests/positions/othello.obf", "othello"),
        ("tests/positions/othello_late.obf", "othello"),
    ] {
        let game = GameInfo::find(name).unwrap();
        fuzz(&lines(file), 5000, |bytes| {
            Problem::parse(game, &String::from_utf8_lossy(bytes)).is_ok()
        });
    }
}

#[test]
fn fuzz_arrays() {
    let mut arrays = Arrays::default();
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

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// A run of this config in `run`, trained to its end, and what its last checkpoint consists of: the
/// name of its JSON part, the content, and the arrays.
fn trained(config: &str) -> (Place, String, String, Vec<u8>) {
    let place = Place::new();
    let config = Config::parse(config, "fuzz.toml").unwrap();
    let name = format!(
        "run/checkpoints/seed-0001/epoch-{:06}",
        config.epochs.unwrap()
    );
    let root = place.path("run");
    let training = Training::begin(config, Where::At(&root)).unwrap();
    let stop = AtomicBool::new(false);
    training.run(THREADS, &stop, &|_, _| Ok(())).unwrap();
    let npz = fs::read(place.path(&format!("{name}.npz"))).unwrap();
    let name = format!("{name}.json");
    let content = json(&place.read(&name))["content"].to_string();
    (place, name, content, npz)
}

/// Continues training from a checkpoint, one epoch beyond its last; whether the checkpoint allows
/// it.
fn goes_on(path: &Path, stage: &Stage) -> bool {
    let go_on = || -> Result<(), Error> {
        let checkpoint = Checkpoint::read(path)?;
        let mut config = checkpoint.content.trial.config().clone();
        // Long trainings are not what is tested here.
        let per_epoch = config.episodes_per_epoch.get_or_insert(0);
        if config.game != stage.game() || *per_epoch > 100 || config.evaluation.games > 100 {
            return Err(Error::input("another game, or a long one"));
        }
        config.epochs = Some(CHECKPOINT_EPOCHS + 1);
        let experiment = Experiment::prepare(config, stage)?;
        let load = |_| checkpoint.restore(&experiment.setup).map(Some);
        let jobs = [Job {
            experiment: &experiment,
            load: Box::new(load),
            notify: Box::new(|_| Ok(())),
        }];
        train(&jobs, THREADS, &AtomicBool::new(false)).map(drop)
    };
    go_on().is_ok()
}

const CHECKPOINT_EPOCHS: u64 = 2;

/// Configs whose checkpoints differ in form.
fn checkpoint_configs() -> Vec<String> {
    let short = |config: &str| {
        let few = config.replace("seeds = 3", "seeds = 1");
        let few = few.replace("epochs = 6", "epochs = 2");
        few.replace("episodes_per_epoch = 50", "episodes_per_epoch = 5")
            .replace("games = 40", "games = 4")
    };
    let both = SMALL
        .replace("side = \"o\"", "side = \"both\"")
        .replace("\"afterstate\"", "\"state-action\"\ndouble = true");
    let large = SMALL_TREE
        .replace("tic-tac-toe", "connect-four-5x5")
        .replace(
            "\"symmetries\"",
            "\"transpositions\"\ncounts = \"positions\"",
        )
        .replace("games = 40", "games = 1\nopponents = [\"random\"]");
    let planned = SMALL.replace(
        "[learner.q-learning]",
        "[learner.dyna-q]\nplanning = \"prioritized\"\nplanning_steps = 1",
    );
    let head = SMALL.split_once("[learner").unwrap().0;
    let gradient = format!("{head}[learner.actor-critic]\n[evaluation]\ngames = 40\n");
    let tuples = large
        .split_once("[learner")
        .unwrap()
        .0
        .replace("side = \"o\"", "side = \"both\"");
    let tuples = format!(
        "{tuples}opponents = [\"self\"]\n[learner.td.value.n-tuple]\nlines = [3]\ncoherence = 2.7\n\
         [evaluation]\ngames = 1\nopponents = [\"random\"]\n"
    );
    let positions = SMALL.split_once("[learner").unwrap().0;
    let positions = format!("{positions}[learner.td.value.table]\n[evaluation]\ngames = 40\n");
    let network = format!(
        "{head}[learner.deep-q]\nhidden = [4]\nillegal = \"lose\"\ndouble = true\n\
         replay = {{ size = 16, batch = 2 }}\n[evaluation]\ngames = 40\n"
    );
    [
        SMALL, &both, &planned, &gradient, &network, &tuples, &positions, SMALL_TREE, &large,
    ]
    .map(short)
    .into()
}

#[test]
fn fuzz_checkpoints() {
    for config in checkpoint_configs() {
        let (place, name, content, npz) = trained(&config);
        let stage = stage(Config::parse(&config, "fuzz.toml").unwrap().game);
        let path = place.path(&name);
        // As an interruption between training and measuring would leave it.
        let mut unmeasured = json(&content);
        let scalars = vec![serde_json::Value::Null; 7];
        unmeasured["progress"]["unmeasured"] = vec![scalars.clone(), scalars].into();
        unmeasured["progress"]["best"]["epoch"] = 1.into();
        unmeasured["progress"]["unbeatable_epochs"] = 0.into();
        let corpus = texts([content.clone(), unmeasured.to_string()]);
        fuzz(&corpus, 40, |bytes| {
            let content = String::from_utf8_lossy(bytes);
            fs::write(&path, sealed(&content, &npz)).unwrap();
            goes_on(&path, &stage)
        });
        let arrays = from_npz(&npz, 1 << 20).unwrap();
        repeat(40, |rng| {
            let npz = to_npz(&forged(&arrays, rng));
            fs::write(path.with_extension("npz"), &npz).unwrap();
            fs::write(&path, sealed(&content, &npz)).unwrap();
            goes_on(&path, &stage)
        });
    }
}

/// The arrays with one of them missing, of another type, or with other numbers.
fn forged(arrays: &Arrays, rng: &mut LabRng) -> Arrays {
    fn altered<T: Copy>(numbers: &[T], extremes: &[T], rng: &mut LabRng) -> Vec<T> {
        let mut altered = numbers.to_vec();
        for _ in 0..1 + below(3, rng) {
            let place = below(altered.len() as u32 + 1, rng) as usize;
            match below(5, rng) {
                0 => altered.truncate(place),
                1 => altered.insert(place, *any(extremes, rng)),
                2 if place < altered.len() => altered[place] = *any(numbers, rng),
                _ if place < altered.len() => altered[place] = *any(extremes, rng),
                _ => {}
            }
        }
        altered
    }
    let hit = below(arrays.iter().count() as u32, rng) as usize;
    let mut forged = Arrays::default();
    for (i, (name, array)) in arrays.iter().enumerate() {
        let array = match (array, below(20, rng)) {
            (array, _) if i != hit => array.clone(),
            (_, 0) => continue,
            (_, 1) => Array::U8(vec![0, 1]),
            (_, 2) => Array::F64(vec![f64::NAN, 1e308]),
            (Array::U8(numbers), _) => {
                Array::U8(altered(numbers, &[0, 1, 2, 3, 63, 64, 127, 128, 255], rng))
            }
            (Array::U32(numbers), _) => {
                let extremes = [0, 1, 2, 1 << 31, 2_000_000_000, u32::MAX - 1, u32::MAX];
                Array::U32(altered(numbers, &extremes, rng))
            }
            (Array::U64(numbers), _) => {
                Array::U64(altered(numbers, &[0, 1, 1 << 32, 1 << 63, u64::MAX], rng))
            }
            (Array::I32(numbers), _) => {
                Array::I32(altered(numbers, &[0, 1, -1, i32::MIN, i32::MAX], rng))
            }
            (Array::F32(numbers), _) => {
                let extremes = [0.0, -0.0, 3e38, -3e38, 1e-45, f32::INFINITY, f32::NAN];
                Array::F32(altered(numbers, &extremes, rng))
            }
            (Array::F64(numbers), _) => {
                let extremes = [0.0, -0.0, 1e308, -1e308, 5e-324, f64::INFINITY, f64::NAN];
                Array::F64(altered(numbers, &extremes, rng))
            }
            (other @ (Array::I64(_) | Array::Text { .. }), _) => other.clone(),
        };
        forged.insert(name, array);
    }
    forged
}

#[test]
fn fuzz_results() {
    let (place, ..) = trained(&checkpoint_configs()[0]);
    let root = place.path("run");
    for file in [
        "metrics.csv",
        "training.csv",
        "manifest.json",
        "config.toml",
    ] {
        let path = root.join(file);
        let good = fs::read(&path).unwrap();
        fuzz(std::slice::from_ref(&good), 30, |bytes| {
            fs::write(&path, bytes).unwrap();
            assert!(RunList::new(place.path("")).rows().is_ok());
            let run = RunDirectory::open(&root).unwrap();
            let resumed = Training::resume(&root, &[]).is_ok();
            read_run(&run).is_ok() && resumed
        });
        fs::write(&path, good).unwrap();
    }
}
