//! What TensorBoard gets: event files, read by a decoder that knows nothing of what writes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use playlab::train::{EvaluationMethod, MetricsRow};

use crate::place::{Place, SMALL, SMALL_TREE, contents, results};

const FILE: &str = "events.out.tfevents.lab";

/// CRC-32C, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let lowest = crc & 1;
            crc >>= 1;
            if lowest == 1 {
                crc ^= 0x82F6_3B78;
            }
        }
    }
    !crc
}

/// The records of a file, with their checksums verified.
fn records(mut file: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    let check = |bytes: &[u8], sum: &[u8]| {
        let crc = u64::from(crc32c(bytes));
        let masked = ((crc >> 15 | crc << 17) + 0xA282_EAD8) & 0xFFFF_FFFF;
        let sum = u32::from_le_bytes(sum.try_into().unwrap());
        assert_eq!(masked & 0xFFFF_FFFF, u64::from(sum));
    };
    while !file.is_empty() {
        let length = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        check(&file[..8], &file[8..12]);
        check(&file[12..12 + length], &file[12 + length..16 + length]);
        all.push(&file[12..12 + length]);
        file = &file[16 + length..];
    }
    all
}

/// A field of a message as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Field<'a> {
    Number(u64),
    Double(f64),
    Bytes(&'a [u8]),
    Float(f32),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for place in 0.. {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u64::from(byte & 127) << (7 * place);
        if byte < 128 {
            break;
        }
    }
    number
}

/// The fields of a message, by their numbers.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let length = match key % 8 {
            0 => {
                all.push((key / 8, Field::Number(varint(&mut bytes))));
                continue;
            }
            1 => 8,
            2 => varint(&mut bytes) as usize,
            5 => 4,
            other => panic!("no wire type {other} is used"),
        };
        let (content, rest) = bytes.split_at(length);
        bytes = rest;
        let field = match key % 8 {
            1 => Field::Double(f64::from_le_bytes(content.try_into().unwrap())),
            2 => Field::Bytes(content),
            _ => Field::Float(f32::from_le_bytes(content.try_into().unwrap())),
        };
        all.push((key / 8, field));
    }
    all
}

/// The fields of this number.
fn all<'a>(message: &'a [u8], number: u64) -> impl Iterator<Item = Field<'a>> {
    let fields = fields(message).into_iter();
    fields.filter_map(move |(other, field)| (other == number).then_some(field))
}

/// The messages, or the texts, in the fields of this number.
fn parts(message: &[u8], number: u64) -> Vec<&[u8]> {
    let bytes = |field| match field {
        Field::Bytes(bytes) => bytes,
        other => panic!("{other:?} are no bytes"),
    };
    all(message, number).map(bytes).collect()
}

fn text(message: &[u8], number: u64) -> &str {
    str::from_utf8(parts(message, number)[0]).unwrap()
}

/// What an event file says.
#[derive(Debug, Default)]
struct Curve {
    /// By tag, the numbers at each step.
    scalars: BTreeMap<String, BTreeMap<u64, f32>>,
    /// Hyper-parameters as texts.
    hyperparameters: BTreeMap<String, String>,
}

impl Curve {
    fn read(path: &Path) -> Curve {
        let file = fs::read(path.join(FILE)).unwrap();
        let mut curve = Curve::default();
        let records = records(&file);
        assert_eq!(text(records[0], 3), "brain.Event:2");
        for event in &records[1..] {
            let Some(Field::Number(step)) = all(event, 2).next() else {
                panic!("no step");
            };
            assert_eq!(all(event, 1).next(), Some(Field::Double(step as f64)));
            for value in parts(parts(event, 5)[0], 1) {
                match all(value, 2).next() {
                    Some(Field::Float(number)) => {
                        let steps = curve.scalars.entry(text(value, 1).to_owned()).or_default();
                        assert_eq!(steps.insert(step, number), None);
                    }
                    _ => curve.read_hyperparameters(value),
                }
            }
        }
        curve
    }

    fn read_hyperparameters(&mut self, value: &[u8]) {
        assert_eq!(text(value, 1), "_hparams_/session_start_info");
        let plugin = parts(parts(value, 9)[0], 1)[0];
        assert_eq!(text(plugin, 1), "hparams");
        for entry in parts(parts(parts(plugin, 2)[0], 3)[0], 1) {
            let value = match fields(parts(entry, 2)[0])[..] {
                [(2, Field::Double(number))] => number.to_string(),
                [(3, Field::Bytes(text))] => str::from_utf8(text).unwrap().to_owned(),
                [(4, Field::Number(is_so))] => (is_so == 1).to_string(),
                ref other => panic!("{other:?} is no value"),
            };
            self.hyperparameters
                .insert(text(entry, 1).to_owned(), value);
        }
    }
}

fn rows(place: &Place, file: &str) -> Vec<MetricsRow> {
    let text = place.read(file);
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.map(Result::unwrap).collect()
}

fn logged(config: &str) -> String {
    format!("{config}[log]\ntensorboard = true\n")
}

/// The rows of a table by their columns.
fn table(text: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes())
        .into_deserialize()
        .map(Result::unwrap)
        .collect()
}

#[track_caller]
fn close(curve: &Curve, tag: &str, step: u64, expected: f64) {
    let found = f64::from(curve.scalars[tag][&step]);
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
        "{tag} at {step}: {found}, expected {expected}"
    );
}

#[test]
fn the_curves_are_the_rows_and_their_mean_lowest_and_highest_over_the_seeds() {
    let place = Place::trained(&logged(SMALL), "--set log.each_seed=true");
    let events = place.path("run/tensorboard");
    let [mean, lowest, highest] =
        ["mean", "lowest", "highest"].map(|curve| Curve::read(&events.join(curve)));
    let mut seen = 0;
    let mut expect = |tag: &str, step: u64, of_seeds: &[(u64, f64)]| {
        let values = of_seeds.iter().map(|(_, value)| *value);
        close(&mean, tag, step, values.clone().sum::<f64>() / 3.0);
        close(&lowest, tag, step, values.clone().fold(1e9, f64::min));
        close(&highest, tag, step, values.fold(-1e9, f64::max));
        for (seed, value) in of_seeds {
            let own = Curve::read(&events.join(format!("seed-{seed:04}")));
            assert_eq!(own.scalars[tag][&step], *value as f32);
        }
        seen += 1;
    };
    let mut rates: BTreeMap<(String, u64), Vec<(u64, f64)>> = BTreeMap::new();
    for row in rows(&place, "run/metrics.csv") {
        let sampled = match row.method {
            EvaluationMethod::Sampled => ", sampled",
            EvaluationMethod::Exact => "",
        };
        let opponent = format!("O v {}{sampled}", row.opponent);
        for (name, rate) in [
            ("win rate", row.win_rate),
            ("draw rate", row.draw_rate),
            ("loss rate", row.loss_rate),
        ] {
            let of_seeds = rates
                .entry((format!("{opponent}/{name}"), row.episodes))
                .or_default();
            of_seeds.push((row.seed, rate));
        }
    }
    for ((tag, step), of_seeds) in &rates {
        expect(tag, *step, of_seeds);
    }
    // Two opponents, computed and in games, and two that are derived from the policy; 7 epochs.
    assert_eq!(rates.len(), (2 * 2 + 2) * 3 * 7);

    let training = table(&place.read("run/training.csv"));
    for (column, tag) in [
        ("epsilon", "O/epsilon"),
        ("entries_visited", "O/entries_visited"),
        ("value_error", "O/value error"),
        ("optimal_move_rate", "O/optimal-move rate"),
    ] {
        for step in [50, 100, 300] {
            let at = training
                .iter()
                .filter(|row| row["episodes"] == step.to_string());
            let number = |row: &BTreeMap<String, String>| {
                (row["seed"].parse().unwrap(), row[column].parse().unwrap())
            };
            expect(tag, step, &at.map(number).collect::<Vec<_>>());
        }
    }
    let last = training.iter().filter(|row| row["epoch"] == "6");
    let unbeatable = last.map(|row| {
        let is_unbeatable = row["worst_case"] == "draw" || row["worst_case"] == "win";
        (
            row["seed"].parse().unwrap(),
            if is_unbeatable { 1.0 } else { 0.0 },
        )
    });
    expect("O/unbeatable seeds", 300, &unbeatable.collect::<Vec<_>>());
    assert_eq!(seen, rates.len() + 4 * 3 + 1);

    let known = &mean.hyperparameters;
    for (name, value) in [
        ("game", "tic-tac-toe"),
        ("episodes_per_epoch", "50"),
        ("learner.q-learning.fold_symmetries", "true"),
        ("learner.q-learning.initial_value", "1"),
        ("learner.q-learning.rewards.draw", "0.9"),
        ("opponents.0.agent", "random"),
        ("evaluation.opponents", "random, minimax"),
    ] {
        assert_eq!(known[name], value, "{name}");
    }
    for name in ["seeds", "epochs", "checkpoints.every", "log.tensorboard"] {
        assert!(!known.contains_key(name), "{name} decides no result");
    }
    assert!(lowest.hyperparameters.is_empty() && highest.hyperparameters.is_empty());
}

#[test]
fn a_seed_that_ends_early_keeps_its_last_numbers_over_the_seeds() {
    let text = logged(&SMALL.replace(
        "seeds = 3",
        "seeds = 6\nstop = \"unbeatable\"\npatience = 1",
    ));
    let text = text.replace("epochs = 6", "epochs = 60");
    let place = Place::trained(&text, &[]);
    let rows: Vec<MetricsRow> = rows(&place, "run/metrics.csv");
    let rows: Vec<&MetricsRow> = (rows.iter())
        .filter(|row| row.opponent == "random" && row.method == EvaluationMethod::Exact)
        .collect();
    let mean = Curve::read(&place.path("run/tensorboard/mean"));
    let mean = &mean.scalars["O v random/win rate"];
    let lasts: Vec<u64> = (1..=6)
        .map(|seed| {
            let of_seed = rows.iter().filter(|row| row.seed == seed);
            of_seed.map(|row| row.epoch).max().unwrap()
        })
        .collect();
    let (first, last) = (lasts.iter().min().unwrap(), lasts.iter().max().unwrap());
    assert!(first < last, "the seeds do not end apart");
    assert_eq!(mean.len() as u64, last + 1);
    for epoch in 0..=*last {
        let of_seed = |seed: u64| {
            let until = rows
                .iter()
                .filter(|row| row.seed == seed && row.epoch <= epoch);
            until.max_by_key(|row| row.epoch).unwrap().win_rate
        };
        let expected = (1..=6).map(of_seed).sum::<f64>() / 6.0;
        assert!((f64::from(mean[&(50 * epoch)]) - expected).abs() < 1e-6);
    }
}

#[test]
fn a_finished_run_that_lacks_an_epoch_is_not_exported() {
    let place = Place::trained(SMALL, "--seeds 3");
    for file in ["run/metrics.csv", "run/training.csv"] {
        let rows = place.read(file);
        let rest = rows
            .split_inclusive('\n')
            .filter(|row| !row.starts_with("2,3,"));
        place.write(file, &rest.collect::<String>());
    }
    place.refused(
        "export run --tensorboard events",
        &["has rows of seed 2, epoch 3; restore both files"],
    );
    assert!(!place.path("events").exists());
}

#[test]
fn an_export_has_the_bytes_of_the_training_and_grows_with_the_run() {
    let place = Place::trained(&logged(SMALL), "--set epochs=3");
    let out = place.ok("export run --tensorboard to/events");
    assert_eq!(
        out,
        "to/events: 3 event files of run; show them with: tensorboard --logdir to/events\n"
    );
    let before = contents(&place.path("to/events"));
    assert!(before == contents(&place.path("run/tensorboard")));
    let file = place.path("to/events/mean").join(FILE);
    let id = |path: &Path| {
        let kind = fs::metadata(path).unwrap();
        #[cfg(unix)]
        return std::os::unix::fs::MetadataExt::ino(&kind);
        #[cfg(not(unix))]
        kind.len()
    };
    let own = place.path("run/tensorboard/mean").join(FILE);
    let (exported_id, own_id) = (id(&file), id(&own));
    place.ok("train --resume run --set epochs=6");
    place.ok("export run --tensorboard to/events --each-seed");
    // TensorBoard does not notice when a file replaces another.
    #[cfg(unix)]
    assert_eq!((exported_id, own_id), (id(&file), id(&own)));
    let after = contents(&place.path("to/events"));
    for (name, old) in &before {
        assert!(after[name].starts_with(old) && after[name].len() > old.len());
    }
    assert_eq!(after.len(), 6);
    // Also for a run that writes no events itself.
    place.ok("train small.toml --set log.tensorboard=false --out plain");
    place.ok("export plain --tensorboard plain-events");
    assert!(contents(&place.path("plain-events")) == contents(&place.path("run/tensorboard")));
    // What a run has lost since is not lost here.
    place.ok("train small.toml --out less --set epochs=2");
    place.ok("export less --tensorboard to/events");
    assert!(contents(&place.path("to/events")) == after);
}

#[test]
fn logging_changes_no_result_and_can_be_requested_later() {
    let text = logged(SMALL) + "each_seed = true\n";
    let place = Place::trained(&text, &[]);
    place.write("plain.toml", SMALL);
    place.ok("train plain.toml --out plain");
    let (with, without) = (results(&place.path("run")), results(&place.path("plain")));
    assert!(!place.read("plain/config.toml").contains("log"));
    for (name, bytes) in &without {
        let is_config = name.ends_with("config.toml");
        assert!(is_config || with[name] == *bytes, "{}", name.display());
    }
    assert_eq!(with.len(), without.len() + 6);
    let set = ["--set", "log={tensorboard=true,each_seed=true}"];
    place.ok(&[&["train", "--resume", "plain"], &set[..]].concat());
    assert!(results(&place.path("plain")) == with);
    // What is lost or damaged is written again.
    for curve in ["mean", "seed-0001", "seed-0003"] {
        fs::remove_dir_all(place.path("run/tensorboard").join(curve)).unwrap();
    }
    place.write(&format!("run/tensorboard/lowest/{FILE}"), "else");
    place.ok("train --resume run");
    assert!(results(&place.path("run")) == with);
    let again = place.ok("train --resume run");
    assert!(again.contains("nothing was left to train"), "{again}");
    // What is no longer requested goes, and what somebody else put there stays.
    place.write("plain/tensorboard/mean/notes.txt", "mine");
    let copies = ["seed-1", "paper"].map(|copy| format!("plain/tensorboard/{copy}"));
    for copy in &copies {
        fs::create_dir(place.path(copy)).unwrap();
        place.write(&format!("{copy}/{FILE}"), "a copy");
    }
    place.ok("train --resume plain --set log.each_seed=false");
    let curves = |run: &str| contents(&place.path(run).join("tensorboard")).into_keys();
    assert!(curves("plain").all(|file| !file.starts_with("seed-0001")));
    assert_eq!(curves("plain").count(), 4 + 2);
    place.ok("train --resume plain --set log={}");
    for copy in copies {
        fs::remove_dir_all(place.path(&copy)).unwrap();
    }
    let notes = Path::new("mean/notes.txt").to_owned();
    assert_eq!(curves("plain").collect::<Vec<_>>(), [notes]);
    fs::remove_dir_all(place.path("plain/tensorboard")).unwrap();
    assert!(results(&place.path("plain")) == without);
    let same = place.ok("verify run");
    assert!(same.contains("run: same"), "{same}");
    // A difference in event files is found as well.
    let path = place.path("run/tensorboard/highest").join(FILE);
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, bytes).unwrap();
    let ran = place.lab("verify run");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("byte 41"), "{}", ran.out);
}

#[test]
fn a_sweep_has_curves_for_each_value_and_its_key_is_a_hyperparameter() {
    let swept = |config: &str, key: &str| {
        logged(&format!(
            "{config}[sweep]\nkey = \"{key}\"\nvalues = [0.5, 2]\n"
        ))
    };
    let tree = swept(
        &SMALL_TREE.replace("epochs = 6", "epochs = 2"),
        "learner.mcts.c",
    );
    let agent = "game = \"tic-tac-toe\"\nside = \"x\"\nseeds = 2\n\
                 agent = \"mcts:simulations=20,solver=false\"\n[evaluation]\ngames = 4\n";
    let agent = swept(agent, "agent.c");
    for (config, key) in [(&tree, "learner.mcts.c"), (&agent, "agent.c")] {
        let place = Place::trained(config, &[]);
        place.ok("export run --tensorboard events");
        for value in ["0.5", "2"] {
            let run = format!("c-{value}");
            let events = contents(&place.path("events").join(&run));
            assert!(events == contents(&place.path("run").join(&run).join("tensorboard")));
            let mean = Curve::read(&place.path("events").join(&run).join("mean"));
            assert_eq!(mean.hyperparameters[key], value);
            assert!(mean.scalars.contains_key("X v random/win rate"));
        }
    }
    let place = Place::trained(&agent, &[]);
    let mean = Curve::read(&place.path("run/c-2/tensorboard/mean"));
    assert_eq!(mean.hyperparameters["agent"], "mcts");
    assert_eq!(mean.hyperparameters["agent.simulations"], "20");
}

#[test]
fn shards_write_no_events_and_their_merge_does() {
    let place = Place::trained(&logged(SMALL), "--set log.each_seed=true");
    for (shard, out) in [("0/2", "a"), ("1/2", "b")] {
        let set = ["--set", "log.each_seed=true"];
        let shard = ["train", "small.toml", "--shard", shard, "--out", out];
        place.ok(&[&shard[..], &set].concat());
        assert!(!place.path(out).join("tensorboard").exists());
    }
    place.refused("export a --tensorboard events", &["a is shard 0/2; merge"]);
    place.ok("merge merged a b");
    assert!(results(&place.path("merged")) == results(&place.path("run")));
}

#[test]
fn one_seed_is_its_own_mean() {
    let place = Place::trained(&logged(SMALL), "--seeds 1");
    let names: Vec<_> = contents(&place.path("run/tensorboard"))
        .into_keys()
        .collect();
    assert_eq!(names, [Path::new("mean").join(FILE)]);
    let mean = Curve::read(&place.path("run/tensorboard/mean"));
    let rows = rows(&place, "run/metrics.csv");
    let row = rows.last().unwrap();
    let tag = format!("O v {}/loss rate", row.opponent);
    assert_eq!(
        mean.scalars[&tag][&row.episodes].to_bits(),
        (row.loss_rate as f32).to_bits()
    );
}

#[test]
fn an_interrupted_run_is_logged_as_far_as_all_seeds_are() {
    let place = Place::trained(SMALL, &[]);
    let whole = place.ok("export run --tensorboard whole");
    assert!(!whole.contains("not finished"), "{whole}");
    let files = ["run/metrics.csv", "run/training.csv"];
    let written = files.map(|file| place.read(file));
    // The files as they were before the last epoch of the last seed.
    let before = written.each_ref().map(|text| {
        let kept = text.lines().filter(|line| !line.starts_with("3,6,"));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    });
    for (file, text) in files.iter().zip(&before) {
        place.write(file, text);
    }
    let manifest = place.read("run/manifest.json");
    let at = manifest.find("\"finished\"").unwrap();
    let end = at + manifest[at..].find(',').unwrap();
    let unfinished = format!("{}\"finished\": null{}", &manifest[..at], &manifest[end..]);
    place.write("run/manifest.json", &unfinished);
    let out = place.ok("export run --tensorboard part");
    assert!(out.contains("Training is not finished"), "{out}");
    let [part, whole] = ["part", "whole"].map(|name| Curve::read(&place.path(name).join("mean")));
    let tag = "O v random/win rate";
    let steps: Vec<u64> = part.scalars[tag].keys().copied().collect();
    assert_eq!(steps, [0, 50, 100, 150, 200, 250]);
    for (step, value) in &part.scalars[tag] {
        assert_eq!(*value, whole.scalars[tag][step]);
    }
    // Nothing is logged for an epoch that is still being written: neither its training nor its first games alone.
    let part = contents(&place.path("part"));
    let [all_metrics, all_training] = &written;
    let [metrics, training] = &before;
    let one_row = all_metrics.lines().find(|line| line.starts_with("3,6,"));
    let first_row = format!("{metrics}{}\n", one_row.unwrap());
    for (metrics, training) in [
        (metrics, all_training),
        (all_metrics, training),
        (&first_row, training),
    ] {
        place.write(files[0], metrics);
        place.write(files[1], training);
        place.ok("export run --tensorboard part --each-seed");
        let again = contents(&place.path("part"));
        assert!(part.iter().all(|(file, bytes)| again[file] == *bytes));
        let seed = Curve::read(&place.path("part/seed-0003"));
        assert_eq!(seed.scalars[tag].len(), 6);
    }
    // Once it is complete, it is added.
    for (file, text) in files.iter().zip(&written) {
        place.write(file, text);
    }
    place.write("run/manifest.json", &manifest);
    place.ok("export run --tensorboard part");
    let mean = Path::new("mean").join(FILE);
    let [part, whole] = ["part", "whole"].map(|name| contents(&place.path(name)));
    assert!(part[&mean] == whole[&mean]);
}

#[test]
fn nothing_that_is_there_is_lost_and_mistakes_are_reported() {
    let place = Place::trained(SMALL, &[]);
    place.ok("train small.toml --seed 7 --out other");
    place.ok("export run --tensorboard events");
    place.write("file", "precious");
    fs::create_dir_all(place.path("odd/mean").join(FILE)).unwrap();
    let before = contents(&place.path(""));
    let checkpoint = "run/checkpoints/seed-0001/epoch-000006.json";
    for (arguments, words) in [
        (
            &["export", "other", "--tensorboard", "events"][..],
            "does not match the events of other; export to another directory",
        ),
        (
            &["export", "run", "--tensorboard", "file"],
            "file is a file; name a directory",
        ),
        (
            &["export", "run", "--tensorboard", "odd"],
            "is not a plain file and is in the way",
        ),
        (
            &["export", "nowhere", "--tensorboard", "new"],
            "there is no run nowhere",
        ),
        (
            &["export", checkpoint, "--tensorboard", "new"],
            "is not a run",
        ),
        (
            &["export", "run", "--tensorboard", "new", "--seed", "1"],
            "cannot be used with",
        ),
        (&["export", "run", "--each-seed"], "--tensorboard <DIR>"),
        (
            &["train", "small.toml", "--set", "log.each_seed=true"],
            "log.each_seed: this needs log.tensorboard = true as well",
        ),
        (
            &["train", "small.toml", "--set", "log.tensorbord=true"],
            "did you mean 'tensorboard'?",
        ),
    ] {
        place.refused(arguments, &[words]);
        assert!(contents(&place.path("")) == before, "{arguments:?}");
    }
}
