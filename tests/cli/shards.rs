//! Trials that are trained separately and merged.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use crate::place::{
    Place, Ran, SMALL, SMALL_TREE, SUBMIT_SLURM, contents, interrupt, json, results, sealed,
};
use playlab::COMMIT;
use playlab::arrays::{from_npz, to_npz};
use playlab::disk::Lock;
use playlab::store::this_version;
use playlab::train::TrainingRow;
use serde_json::{Value, json};

/// A place with the config, the run `one` that one process made, and this many shards `s-I`.
fn sharded(config: &str, shards: usize) -> Place {
    let place = Place::new();
    place.write("small.toml", config);
    place.ok("train small.toml --out one");
    for index in 0..shards {
        shard(&place, index, shards);
    }
    place
}

fn shard(place: &Place, index: usize, shards: usize) -> String {
    let (shard, out) = (format!("{index}/{shards}"), format!("s-{index}"));
    place.ok(&["train", "small.toml", "--shard", &shard, "--out", &out])
}

#[track_caller]
fn assert_same(place: &Place, one: &str, other: &str) {
    let [one, other] = [one, other].map(|name| results(&place.path(name)));
    let names: Vec<_> = one.keys().collect();
    assert_eq!(names, other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{} differs", name.display());
    }
}

fn swept() -> String {
    let text = SMALL_TREE.replace("epochs = 6", "epochs = 2");
    format!("{text}[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 1, 2]\n")
}

/// The file of a pairing with a changed content, and the CRC of that.
fn resealed(pairing: &str) -> String {
    let (content, _) = pairing.trim_end().rsplit_once(',').unwrap();
    let sum = crc32fast::hash(format!("{content}]").as_bytes());
    format!("{content},{sum}]\n")
}

#[test]
fn a_shard_has_every_nth_trial_and_all_of_them_merge_to_the_bytes_of_one_process() {
    let place = sharded(&SMALL.replace("seeds = 3", "seeds = [4, 9, 2, 7, 1]"), 2);
    let seeds = |name: &str| -> Vec<String> {
        let all = fs::read_dir(place.path(name).join("checkpoints")).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut all: Vec<String> = all.map(|entry| name(entry.unwrap())).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(seeds("s-0"), ["seed-0001", "seed-0002", "seed-0004"]);
    assert_eq!(seeds("s-1"), ["seed-0007", "seed-0009"]);
    let ran = place.lab("inspect s-1 --seed 8");
    let expected = "s-1 has no seed 8, expected one of 7, 9";
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert_eq!(place.read("s-1/shard.txt"), "1/2\n");
    assert_eq!(place.read("s-1/config.toml"), place.read("one/config.toml"));
    assert!(!place.path("s-1/curve.svg").exists());
    // The order in which they are named does not matter.
    let out = place.ok("merge merged s-1 s-0");
    assert!(out.starts_with("merged: 5 trials from 2 runs"), "{out}");
    assert_same(&place, "one", "merged");
    let out = place.ok("train --resume merged");
    assert!(out.contains("nothing was left to train"), "{out}");
    // To any reader, a shard is a run with its own seeds.
    let list = place.ok("runs s-1");
    let row = list.lines().nth(1).unwrap();
    assert!(
        row.contains(" O          2 ") && row.ends_with("finished"),
        "{list}"
    );
    assert!(place.ok("evaluate s-1").contains('7'));
    // Nothing else is left behind, neither there nor under a hidden name.
    let mut names: Vec<_> = fs::read_dir(place.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["merged", "one", "s-0", "s-1", "small.toml"]);
}

#[test]
fn the_trials_of_a_sweep_are_numbered_over_all_its_variants() {
    let place = sharded(&swept(), 4);
    // Nine trials, three of each value: 1, 5 are c = 0.5, seed 2 and c = 1, seed 3.
    let of_shard = |variant: &str, seed: &str| {
        place
            .path("s-1")
            .join(variant)
            .join("checkpoints")
            .join(seed)
            .exists()
    };
    assert!(of_shard("c-0.5", "seed-0002") && of_shard("c-1", "seed-0003"));
    assert!(!of_shard("c-0.5", "seed-0001") && !of_shard("c-1", "seed-0002"));
    assert!(!place.path("s-1/c-2").exists() && !place.path("s-1/metrics.csv").exists());
    for shard in ["s-1", "s-1/c-0.5"] {
        let out = place.ok(&["verify", shard]);
        assert!(out.starts_with(&format!("{shard}: same")), "{out}");
    }
    place.ok("merge merged s-0 s-1 s-2 s-3");
    assert_same(&place, "one", "merged");
    place.refused("plot s-1", &["s-1 is shard 1/4 of a sweep; merge"]);
}

/// The first line is left out: it has the time taken.
#[test]
fn a_merge_or_a_finished_run_prints_what_the_training_printed() {
    let never_loses = SMALL.replace("epochs = 6", "epochs = 30");
    for config in [SMALL.to_owned(), never_loses, swept()] {
        let place = Place::new();
        place.write("small.toml", &config);
        let below = |text: &str, lines: usize| -> Vec<String> {
            text.lines().skip(lines).map(str::to_owned).collect()
        };
        let out = place.ok("train small.toml --out run");
        let rest = below(&out, 1);
        assert!(rest.len() > 5, "{rest:?}");
        let again = place.ok("train --resume run");
        assert!(again.contains("nothing was left to train\n"), "{again}");
        assert_eq!(below(&again, 1), rest);
        // At the same place, because the output names it.
        fs::remove_dir_all(place.path("run")).unwrap();
        for index in 0..2 {
            shard(&place, index, 2);
        }
        let merged = place.ok("merge run s-0 s-1");
        assert!(merged.contains("from 2 runs, merged in"), "{merged}");
        assert_eq!(below(&merged, 3), rest);
    }
}

#[test]
fn what_is_missing_is_named_and_parts_make_a_run_that_resumes() {
    for (config, seed) in [(SMALL.to_owned(), "seed 2"), (swept(), "c-0.5, seed 2")] {
        let place = sharded(&config, 0);
        shard(&place, 0, 3);
        shard(&place, 2, 3);
        let missing = |arguments: &[&str], words: &[&str]| {
            let ran = place.lab(arguments);
            assert_eq!(ran.code, Some(2), "{}", ran.err);
            for word in words {
                assert!(ran.err.contains(word), "no '{word}' in: {}", ran.err);
            }
            assert!(!place.path("merged").exists());
        };
        missing(
            &["merge", "merged", "s-0", "s-2"],
            &["missing", "no run of shard 1/3", "--partial"],
        );
        let out = place.ok("merge merged s-0 s-2 --partial");
        assert!(out.contains("lab train --resume merged"), "{out}");
        let [part, whole] = ["merged", "one"].map(|name| place.ok(&["runs", name]));
        let note = "Seeds count once they have a finished epoch.";
        assert!(part.contains("2 of 3") && part.contains(note), "{part}");
        assert!(!whole.contains(note), "{whole}");
        missing_in(&place, seed);
        place.ok("train --resume merged");
        assert_same(&place, "one", "merged");
    }
}

/// A run with only some of the trials, merged once more, names the missing trial.
fn missing_in(place: &Place, seed: &str) {
    place.refused("merge again merged s-0", &[seed, "left in merged; resume"]);
}

/// Changes one digit of a number in a line of a file.
fn damage(place: &Place, file: &str, line: usize) {
    let text = place.read(file);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let end = lines[line].pop().unwrap();
    lines[line].push(if end == '1' { '2' } else { '1' });
    place.write(file, &(lines.join("\n") + "\n"));
}

#[test]
fn a_trial_may_appear_twice_if_it_is_the_same() {
    let place = sharded(SMALL, 2);
    place.ok("merge merged s-0 one s-1 s-0/.");
    assert_same(&place, "one", "merged");
    // Another training that claims to be this one.
    let other = SMALL.replace("games = 40", "games = 41");
    place.write("other.toml", &other);
    place.ok("train other.toml --shard 1/2 --out other");
    for file in contents(&place.path("other")).keys() {
        let path = place.path("other").join(file);
        if path.extension().is_some_and(|form| form == "toml") {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replace("games = 41", "games = 40")).unwrap();
        }
    }
    place.refused(
        "merge twice s-0 s-1 other",
        &["was made with another config"],
    );
    // A shard that another machine computed differently: complete, but not the same.
    shard(&place, 1, 2);
    fs::rename(place.path("s-1"), place.path("wrong")).unwrap();
    shard(&place, 1, 2);
    let path = "wrong/checkpoints/seed-0002/epoch-000002";
    let json = place.read(&format!("{path}.json"));
    let content = json.split_once("\"content\":").unwrap().1;
    let content = content.strip_suffix("}\n").unwrap();
    let npz = fs::read(place.path(&format!("{path}.npz"))).unwrap();
    let mut arrays = from_npz(&npz, 1 << 20).unwrap();
    let mut values = arrays.get::<f64>("values").unwrap().to_vec();
    values[0] += 0.5;
    arrays.insert("values", values);
    let npz = to_npz(&arrays);
    fs::write(place.path(&format!("{path}.npz")), &npz).unwrap();
    place.write(&format!("{path}.json"), &sealed(content, &npz));
    let ran = place.lab("merge twice s-0 s-1 wrong");
    assert_eq!(ran.code, Some(2));
    let expected = "s-1 and wrong both have seed 2, with another checkpoint of epoch 2";
    assert!(ran.err.contains(expected), "{}", ran.err);
    // Changed rows are not the ones the checkpoint was made with.
    damage(&place, "s-1/metrics.csv", 3);
    place.refused("merge twice s-0 s-1", &["was made with other rows than"]);
    assert!(!place.path("twice").exists());
}

#[test]
fn shards_of_another_commit_are_reported() {
    let place = sharded(SMALL, 2);
    let ran = place.lab("merge same s-0 s-1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.err.contains("were made by"), "{}", ran.err);
    let mut manifest: Value = serde_json::from_str(&place.read("s-1/manifest.json")).unwrap();
    manifest["commit"] = json!("0123456789");
    place.write("s-1/manifest.json", &manifest.to_string());
    let ran = place.lab("merge mixed s-0 s-1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = format!(
        "note: some trials were made by lab {} (0123456), and this is {}",
        env!("CARGO_PKG_VERSION"),
        this_version()
    );
    assert_eq!(ran.err.contains(&expected), COMMIT.is_some(), "{}", ran.err);

    let play = |shard: &str, out: &str| {
        let start = ["tournament", "--game", "tic-tac-toe", "--games", "4"];
        let agents = ["random", "minimax", "block-or-random"];
        place.ok(&[&start[..], &agents, &["--shard", shard, "--out", out]].concat())
    };
    play("0/2", "t-0");
    play("1/2", "t-1");
    let ran = place.lab("merge cup t-0 t-1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.err.contains("were made by"), "{}", ran.err);
    let pairing = place.read("t-0/pairing-2.json");
    let (_, result) = pairing.split_once(",{").unwrap();
    let pairing = format!("[2,\"0123456789\",{{{result}");
    place.write("t-0/pairing-2.json", &resealed(&pairing));
    let ran = place.lab("merge mixed-cup t-0 t-1");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = expected.replace("trials", "pairings");
    assert_eq!(ran.err.contains(&expected), COMMIT.is_some(), "{}", ran.err);
    // Earlier versions wrote no sum.
    let (content, _) = pairing.trim_end().rsplit_once(',').unwrap();
    place.write("t-0/pairing-2.json", &format!("{content}]\n"));
    place.ok("merge older-cup t-0 t-1");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let place = sharded(SMALL, 2);
    place.ok("train small.toml --shard 1/2 --out more --set epochs=7");
    place.write("swept.toml", &swept());
    place.ok("train swept.toml --shard 1/2 --out swept");
    fs::create_dir(place.path("empty")).unwrap();
    let manifest = place.read("s-1/manifest.json");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    place.ok("train small.toml --shard 1/2 --out old");
    place.write(
        "old/manifest.json",
        &manifest.replace(&version, "\"version\": \"0.0.9\""),
    );
    place.ok("train small.toml --shard 1/2 --out bare");
    fs::remove_file(place.path("bare/manifest.json")).unwrap();
    place.ok("train small.toml --shard 1/2 --out lost");
    let lost = "lost/checkpoints/seed-0002/epoch-000002";
    fs::remove_file(place.path(&format!("{lost}.json"))).unwrap();
    place.ok("train small.toml --shard 1/2 --out cut");
    let rows = place.read("cut/metrics.csv");
    place.write(
        "cut/metrics.csv",
        rows.split_inclusive('\n').next().unwrap(),
    );
    place.ok("train small.toml --shard 1/2 --out broken");
    place.write("broken/shard.txt", "one of two\n");
    for (arguments, words) in [
        (
            "merge m s-0 more",
            "not of one config: 'epochs = 6' and 'epochs = 7'",
        ),
        ("merge m s-0 swept", "not of one config"),
        ("merge m s-0 empty", "empty is not a run"),
        (
            "merge m s-0 nothing",
            "there is no such file or directory: nothing",
        ),
        (
            "merge m s-0 old",
            "old was made by version 0.0.9, and this is version",
        ),
        ("merge m s-0 bare", "what version made the run"),
        (
            "merge m s-0 lost",
            "no checkpoint of seed 2, epoch 2; restore them, or train the shard again in another directory",
        ),
        (
            "merge m s-0 cut",
            "seed 2, epoch 6; restore them, or train again what they had with: lab train --resume cut",
        ),
        (
            "merge m s-0 broken",
            "cannot read broken/shard.txt: 'one of two' is not a shard",
        ),
        ("merge one s-0 s-1", "one exists already"),
        (
            "merge s-0 s-1",
            "put one that does not exist yet before those to merge: lab merge OUT RUN ...",
        ),
        ("merge m", "required"),
        ("train small.toml --shard 2/2", "there is no shard 2 of 2"),
        (
            "train small.toml --shard 0/4",
            "the config has 3, so ask for at most 3 shards",
        ),
        ("train swept.toml --shard 0/10", "the config has 9"),
        ("train small.toml --shard half", "'half' is not a shard"),
        (
            "train small.toml --shard auto",
            "none of SLURM_ARRAY_TASK_ID",
        ),
        (
            "train small.toml --shard 0/2 --out s-1",
            "s-1 holds shard 1/2",
        ),
        (
            "train small.toml --shard 0/3 --out s-0",
            "s-0 holds shard 0/2",
        ),
        (
            "train small.toml --shard 0/2 --out one",
            "one holds a training of all trials",
        ),
        (
            "train swept.toml --shard 0/2 --out s-0",
            "s-0 holds a shard of another config",
        ),
        (
            "train small.toml --seeds 4 --shard 0/2 --out s-0",
            "a shard of another config, with 'seeds = 3' where this one has 'seeds = 4'",
        ),
        ("train --resume s-0 --shard 0/2", "cannot be used with"),
        (
            "train --resume s-0 --set seeds=5",
            "a shard keeps its seeds",
        ),
        (
            "train --resume swept --set seeds=5",
            "a shard keeps its seeds",
        ),
    ] {
        let before = contents(&place.path(""));
        place.refused(arguments, &[words]);
        assert!(before == contents(&place.path("")), "{arguments}");
    }
}

#[test]
fn extended_shards_merge_to_the_extended_run() {
    let place = sharded(SMALL, 2);
    for run in ["one", "s-0", "s-1"] {
        place.ok(&["train", "--resume", run, "--set", "epochs=8"]);
    }
    assert_eq!(place.read("s-0/config.toml"), place.read("one/config.toml"));
    place.ok("merge merged s-0 s-1");
    assert_same(&place, "one", "merged");
}

#[test]
fn a_task_of_an_array_finds_its_shard_and_place() {
    let place = sharded(SMALL, 2);
    let mut command = place.command("train small.toml --shard auto/2");
    let ran = Ran::of(command.env("JOB_COMPLETION_INDEX", "1").output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_same(&place, "s-1", "runs/small-shard-1-of-2");
}

#[cfg(unix)]
#[test]
fn one_command_starts_a_shard_and_resumes_it() {
    let place = Place::new();
    let long = SMALL
        .replace("epochs = 6", "epochs = 300")
        .replace("games = 40", "games = 2000");
    place.write("small.toml", &long);
    place.ok("train small.toml --out one");
    place.ok("train small.toml --shard 1/2 --out s-1");
    let train = ["train", "small.toml", "--shard", "0/2", "--out", "s-0"];
    let child = place.spawn(&mut place.command(&train));
    place.wait_for("s-0/metrics.csv");
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{}{}", ran.out, ran.err);
    place.refused("merge merged s-0 s-1", &["left in s-0; resume"]);
    place.refused("merge merged s-0 --partial", &["nothing to merge yet"]);
    let mut child = place.spawn(&mut place.command(&train));
    std::thread::sleep(std::time::Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    let out = place.ok(&train);
    assert!(out.contains("shard 0/2, 2 trials"), "{out}");
    let out = place.ok(&train);
    assert!(out.contains("was finished at"), "{out}");
    place.ok("merge merged s-0 s-1");
    assert_same(&place, "one", "merged");
}

/// What a start that was killed at once leaves behind is used.
#[test]
fn a_shard_that_had_no_config_yet_starts_over() {
    let place = sharded(SMALL, 2);
    let left: [&[(&str, &str)]; 3] = [
        &[],
        &[("shard.txt", "0/2\n")],
        &[("shard.txt", "0/2\n"), (".writing-config.toml", "game")],
    ];
    for (number, files) in left.into_iter().enumerate() {
        let name = format!("left-{number}");
        fs::create_dir(place.path(&name)).unwrap();
        for (file, text) in files {
            place.write(&format!("{name}/{file}"), text);
        }
        place.ok(&["train", "small.toml", "--shard", "0/2", "--out", &name]);
        assert_same(&place, "s-0", &name);
    }
    // What somebody else put there stays.
    fs::create_dir(place.path("other")).unwrap();
    place.write("other/shard.txt", "my notes\n");
    let ran = place.lab("train small.toml --shard 0/2 --out other");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(place.read("other/shard.txt"), "my notes\n");
}

#[test]
fn scripts_for_slurm_are_written_and_run_the_shards() {
    let place = sharded(SMALL, 0);
    let submit = |more: &[&str]| place.lab(&[&SUBMIT_SLURM, more].concat());
    let as_first = [
        "--out",
        "runs/x",
        "--time",
        "0:30:00",
        "--partition",
        "short",
        "--cpus",
        "2",
    ];
    let ran = submit(&as_first);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("sbatch --dependency=afterany:$train"),
        "{}",
        ran.out
    );
    let train = place.read("runs/x-shards/train.sh");
    for line in [
        "#SBATCH --array=0-1",
        "#SBATCH --time=0:30:00",
        "#SBATCH --partition=short",
        "#SBATCH --cpus-per-task=2",
        "#SBATCH --signal=TERM@60",
        "#SBATCH --requeue",
    ] {
        assert!(
            train.lines().any(|one| one == line),
            "no {line} in:\n{train}"
        );
    }
    // What Slurm does: srun runs a command, and the variables are set.
    place.write("srun", "#!/bin/sh\nshift 2\nexec \"$@\"\n");
    let run = |script: &str, index: &str| {
        let mut command = std::process::Command::new("bash");
        let path = format!(
            "{}:{}",
            place.path("").display(),
            std::env::var("PATH").unwrap()
        );
        command
            .arg(place.path("runs/x-shards").join(script))
            .env("PATH", path);
        let output = command.env("SLURM_ARRAY_TASK_ID", index).output().unwrap();
        Ran::of(output)
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place.path("srun"), fs::Permissions::from_mode(0o755)).unwrap();
        let ran = run("train.sh", "0");
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let ran = run("merge.sh", "");
        assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains("no run of shard 1/2"), "{}", ran.err);
        // Another experiment is not mixed in; the same one is resumed.
        assert_eq!(submit(&["--out", "runs/x", "--seeds", "4"]).code, Some(2));
        assert_eq!(submit(&as_first).code, Some(0));
        assert_eq!(run("train.sh", "1").code, Some(0));
        assert_eq!(run("merge.sh", "").code, Some(0));
        assert_same(&place, "one", "runs/x");
        assert!(
            submit(&["--out", "runs/x"])
                .err
                .contains("runs/x exists already")
        );
    }
    assert_eq!(submit(&[]).code, Some(0));
    assert!(Path::new(&place.path("runs/small-1-shards/merge.sh")).is_file());
    // What somebody wrote into a script stays.
    let script = place.read("runs/small-1-shards/train.sh") + "# mine\n";
    place.write("runs/small-1-shards/train.sh", &script);
    let ran = submit(&["--out", "runs/small-1"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
    assert!(ran.err.contains("train.sh was changed"), "{}", ran.err);
    assert_eq!(place.read("runs/small-1-shards/train.sh"), script);
    for (arguments, words) in [
        (
            ["--time", "soon"],
            "--time: Slurm does not accept 'soon'; use a value such as 4:00:00",
        ),
        (
            ["--partition", "a b"],
            "--partition: Slurm does not accept 'a b'",
        ),
        (["--out", "my runs"], "Slurm does not take the path"),
        (["--out", "nope/.."], "nope/.. names no new directory"),
    ] {
        let ran = submit(&arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[cfg(unix)]
#[test]
fn scripts_that_slurm_refuses_are_written_all_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("small.toml", SMALL);
    place.write("sbatch", "#!/bin/sh\necho invalid partition >&2\nexit 1\n");
    fs::set_permissions(place.path("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let submit = [
        "submit",
        "slurm",
        "small.toml",
        "--shards",
        "2",
        "--out",
        "x",
    ];
    let mut command = place.command(&submit);
    let ran = Ran::of(command.env("PATH", place.path("")).output().unwrap());
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for words in [
        ": invalid partition\nThe scripts are written; submit them with:\n  train=$(sbatch --parsable ",
        "x-shards/train.sh)\n  sbatch --dependency=afterany:$train ",
        "x-shards/merge.sh\n",
    ] {
        assert!(ran.err.contains(words), "no '{words}' in: {}", ran.err);
    }
    assert!(place.path("x-shards/train.sh").is_file() && place.path("x-shards/merge.sh").is_file());
}

/// Resubmitted tasks may start together with an earlier merge, which finds too few trials and ends.
#[test]
fn a_shard_waits_for_a_merge_and_not_for_another_training() {
    let place = sharded(SMALL, 1);
    let train = ["train", "small.toml", "--shard", "0/1", "--out", "s-0"];
    // So that something is left to do.
    fs::remove_file(place.path("s-0/manifest.json")).unwrap();
    let mut command = place.command(&train);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let reading = Lock::read(&place.path("s-0")).unwrap();
    let also = Lock::read(&place.path("s-0")).unwrap();
    let mut waiting = command.spawn().unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(waiting.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let expected = "s-0 is being merged; a training there begins when that has ended\n";
    assert_eq!(line, expected);
    drop(reading);
    assert!(waiting.try_wait().unwrap().is_none());
    assert!(!place.path("s-0/manifest.json").exists());
    drop(also);
    let ran = Ran::of(waiting.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(place.path("s-0/manifest.json").exists());
    // A place that will not be written to is not waited for.
    let _reading = Lock::read(&place.path("one")).unwrap();
    let ran = place.lab("train small.toml --out one");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let _writing = Lock::take(&place.path("s-0")).unwrap();
    for arguments in [&train[..], &["merge", "merged", "s-0"]] {
        let ran = place.lab(arguments);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("s-0 is in use by another process"));
    }
    // Another process may have made the directory and not yet written its config.
    fs::create_dir(place.path("new")).unwrap();
    let _beginning = Lock::take(&place.path("new")).unwrap();
    for more in [&["--shard", "0/1"][..], &[]] {
        let ran = place.lab(&[&["train", "small.toml", "--out", "new"], more].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("new is in use by another process"));
    }
}

#[test]
fn a_manifest_for_kubernetes_has_an_indexed_job_and_its_config() {
    let place = sharded(SMALL, 0);
    let submit = |more: &[&str]| {
        let start = ["submit", "kubernetes", "small.toml", "--claim", "data"];
        place.lab(&[&start, more].concat())
    };
    let manifest = submit(&["--shards", "3", "--image", "lab:1", "--name", "many"]).out;
    for line in [
        "kind: ConfigMap",
        "    seeds = 3",
        "  completions: 3",
        "  parallelism: 3",
        "  completionMode: Indexed",
        "  backoffLimitPerIndex: 5",
        "      restartPolicy: Never",
        "        command: [\"lab\", \"train\", \"/experiment/many.toml\", \"--shard\", \"auto/3\", \"--threads\", \"1\"]",
        "          claimName: \"data\"",
        // YAML takes many plain words for something else, such as 2048, on and null.
        "  name: \"many\"",
        "  name: \"many-merge\"",
        "        command: [\"sh\", \"-c\", \"exec lab merge runs/many runs/many-shard-*-of-3 --threads 1\"]",
        "  suspend: true",
    ] {
        assert!(
            manifest.lines().any(|one| one == line),
            "no {line} in:\n{manifest}"
        );
    }
    // The name of a claim may have dots.
    for (claim, is_name) in [("data.v1", true), ("data..v1", false), ("data-.v1", false)] {
        let start = ["submit", "kubernetes", "small.toml", "--claim", claim];
        let ran = place.lab(&[&start[..], &["--shards", "3", "--image", "lab:1"]].concat());
        assert_eq!(ran.code == Some(0), is_name, "{claim}: {}", ran.err);
        assert_eq!(ran.out.contains(claim), is_name, "{}", ran.out);
    }
    // The config in the manifest is the one that is trained.
    let config = manifest.split("many.toml: |\n").nth(1).unwrap();
    let config = config.split("\n---").next().unwrap();
    let config: String = config
        .lines()
        .map(|line| format!("{}\n", line.trim_start()))
        .collect();
    assert_eq!(config, place.read("one/config.toml"));
    for (arguments, words) in [
        (&["--shards", "4", "--image", "i"][..], "at most 3 shards"),
        (
            &["--shards", "2", "--image", ""],
            "--image: '' is not an image",
        ),
        (
            &["--shards", "2", "--image", "i", "--name", "Many"],
            "does not take 'Many'",
        ),
        (
            &["--shards", "2", "--image", "i", "--name", "a.b"],
            "does not take 'a.b'; use lower-case letters, digits and -, at most 57",
        ),
        (&["--shards", "0", "--image", "i"], "--shards"),
    ] {
        let ran = submit(arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn shards_of_a_tournament_merge_to_its_bytes() {
    let place = Place::new();
    let agents = [
        "random",
        "minimax",
        "block-or-random",
        "mcts:simulations=20",
    ];
    let play = |more: &[&str]| {
        let start = ["tournament", "--game", "tic-tac-toe", "--games", "9"];
        place.lab(&[&start[..], &agents, more].concat())
    };
    let whole = play(&["--out", "one"]);
    assert_eq!(whole.code, Some(0));
    for index in 0..4 {
        let (shard, out) = (format!("{index}/4"), format!("t-{index}"));
        let ran = play(&["--shard", &shard, "--out", &out]);
        // Six pairings.
        let pairings = ["2 pairings", "2 pairings", "1 pairing\n", "1 pairing\n"][index];
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains(pairings), "{}", ran.out);
    }
    let ran = place.lab("merge merged t-0 t-1 t-3");
    assert_eq!(ran.code, Some(2));
    let expected = "of 6 pairings, 1 is missing: random and mcts:simulations=20; play shard 2/4 by the same command";
    assert!(ran.err.contains(expected), "{}", ran.err);
    let out = place.ok("merge merged t-3 t-2 t-1 t-0 t-1");
    assert!(out.starts_with("merged: 6 pairings from 4 shards"), "{out}");
    // What the tournament printed, except for the time taken and the picture.
    let tables = whole.out.split(" in ").next().unwrap();
    assert!(out.ends_with(&format!("\n\n{tables}\n")), "{out}");
    assert!(contents(&place.path("merged")) == contents(&place.path("one")));
    // A shard that ended too soon resumes with whatever it has, and replays what is damaged.
    let [first, last] = [0, 4].map(|number| format!("t-0/pairing-{number}.json"));
    let [before, whole] = [&first, &last].map(|path| place.read(path));
    let with = |text: &str, key: &str, to: u64| {
        let (head, rest) = text.split_once(&format!("\"{key}\":")).unwrap();
        let after = rest.find([',', '}']).unwrap();
        format!("{head}\"{key}\":{to}{}", &rest[after..])
    };
    let other = resealed(&with(&before, "a_simulations", 1000));
    place.write(&first, &other);
    let more = resealed(&with(&whole, "losses", 99));
    let flipped = with(&whole, "squares", 35);
    // Half of the file, another pairing's, too many games, and a number that nobody computed.
    for damaged in [&whole[..whole.len() / 2], &before, &more, &flipped] {
        place.write(&last, damaged);
        let ran = place.lab("merge more t-0 t-1 t-2 t-3");
        assert_eq!(ran.code, Some(2));
        assert!(
            ran.err.contains("of 6 pairings, 1 is missing: ")
                && ran.err.contains("; play shard 0/4 by the same command"),
            "{}",
            ran.err
        );
    }
    let ran = play(&["--shard", "0/4", "--out", "t-0"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("t-0: shard 0/4, 2 pairings"),
        "{}",
        ran.out
    );
    assert_eq!(place.read(&first), other);
    assert_eq!(place.read(&last), whole);
    let ran = play(&["--shard", "0/4", "--out", "t-0"]);
    assert_eq!(ran.out, "t-0 was played before.\n", "{}", ran.err);
    // A pairing that differs between two directories is named.
    assert_eq!(play(&["--shard", "0/4", "--out", "again"]).code, Some(0));
    place.refused(
        "merge more again t-0 t-1 t-2 t-3",
        &["t-0: pairing 0 is another one"],
    );
    place.write(&first, &before);
    for (arguments, words) in [
        (
            &["--shard", "1/3", "--out", "t-1"][..],
            "t-1 holds pairings of another tournament, in other shards",
        ),
        (
            &["--shard", "1/4", "--seed", "2", "--out", "t-1"],
            "t-1 holds pairings of another tournament",
        ),
        (
            &["--shard", "0/7", "--out", "new"],
            "more shards than pairings, expected at most 6",
        ),
    ] {
        let ran = play(arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    assert_eq!(
        play(&["--shard", "2/4", "--seed", "2", "--out", "other"]).code,
        Some(0)
    );
    place.refused(
        "merge more t-0 t-1 other t-3",
        &["t-0 and other are not of one tournament"],
    );
    place.train(SMALL, &[]);
    place.refused(
        "merge more t-0 run",
        &["t-0 is a shard of a tournament, and run is a run or a sweep; merge"],
    );
    place.ok("tournament random greedy --game connect-four-4x4 --games 2 --out whole");
    let ran = place.lab("merge more t-0 whole");
    assert_eq!(ran.code, Some(2));
    let expected = "whole is no shard of a tournament";
    assert!(ran.err.contains(expected), "{}", ran.err);
    for index in 0..4 {
        let file = format!("t-{index}/shard.json");
        let mut shard: Value = serde_json::from_str(&place.read(&file)).unwrap();
        shard["version"] = json!("0.0.9");
        place.write(&file, &shard.to_string());
    }
    let ran = place.lab("merge more t-0 t-1 t-2 t-3");
    assert_eq!(ran.code, Some(2));
    let expected = "t-0 was played by version 0.0.9, and this is version";
    assert!(ran.err.contains(expected), "{}", ran.err);
}

/// Where the file system refuses locks, as Lustre and NFS may, that is reported and nothing fails.
#[cfg(target_os = "linux")]
#[test]
fn a_file_system_without_locks_gives_a_caution() {
    let place = sharded(SMALL, 0);
    place.write(
        "flock.c",
        "#include <errno.h>\nint flock(int file, int how) { errno = 524; return -1; }\n",
    );
    let made = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "flock.so", "flock.c"])
        .current_dir(place.path(""))
        .status();
    assert!(made.unwrap().success());
    let lab = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        let ran = Ran::of(
            command
                .env("LD_PRELOAD", place.path("flock.so"))
                .output()
                .unwrap(),
        );
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        ran
    };
    for (shard, out) in [("0/2", "s-0"), ("1/2", "s-1")] {
        let train = ["train", "small.toml", "--shard", shard, "--out", out];
        let ran = lab(&train);
        assert!(
            ran.err.contains("on a file system without locks"),
            "{}",
            ran.err
        );
        lab(&train);
    }
    lab(&["merge", "merged", "s-0", "s-1"]);
    assert_same(&place, "one", "merged");
}

#[test]
fn seeds_beyond_what_a_float_can_tell_apart_are_kept() {
    let seeds = "seeds = [9007199254740993, 9007199254740992, 9223372036854775807]";
    let place = sharded(&SMALL.replace("seeds = 3", seeds), 2);
    place.ok("merge two s-0 s-1");
    assert_same(&place, "one", "two");
    let whole = place.ok("evaluate one --json");
    for index in 0..2 {
        let part = place.ok(&format!("evaluate two --json --shard {index}/2")[..]);
        place.write(&format!("part-{index}.json"), &part);
    }
    place.ok("merge all.json part-0.json part-1.json");
    assert_eq!(place.read("all.json"), whole.replace("\"one/", "\"two/"));
    for seed in ["9007199254740993", "9223372036854775807"] {
        assert!(whole.contains(&format!("\"seed\": {seed},")), "{whole}");
    }
}

#[test]
fn shards_by_agents_whose_files_changed_are_not_merged() {
    let place = Place::trained(SMALL, "--seeds 2 --set epochs=2");
    place.ok("export run --output table.csv");
    let last = "run:run,checkpoint=last";
    let tournament = |agent: &str, rest: &str| {
        format!("tournament tic-tac-toe {agent} random minimax --games 20 --shard {rest}")
    };
    let evaluate = |against: &str, index: usize| {
        let text = format!("evaluate run --json --against {against} --shard {index}/2");
        place.write(&format!("{index}.json"), &place.ok(&text[..]));
    };
    let agents = [last, "policy:table.csv"];
    for (i, agent) in agents.iter().enumerate() {
        place.ok(&tournament(agent, &format!("0/2 --out a{i}"))[..]);
    }
    place.ok("train small.toml --seeds 1 --out other --set epochs=1");
    evaluate("run:other", 0);
    place.ok("train --resume other --set epochs=3");
    evaluate("run:other", 1);
    let files = "0.json and 1.json are not from the same evaluation by one version of lab, with the same files";
    place.refused("merge all.json 0.json 1.json", &[files]);
    // The same run and the same table, trained on.
    place.ok("train --resume run --set epochs=5");
    let table = place.read("table.csv");
    place.ok("export run --output table.csv --checkpoint last");
    assert_ne!(place.read("table.csv"), table);
    for (i, agent) in agents.iter().enumerate() {
        let now = format!("{agent} plays by other files now than in the pairings of a{i};");
        let command = tournament(agent, &format!("0/2 --out a{i}"));
        place.refused(&command[..], &[&now]);
        place.ok(&tournament(agent, &format!("1/2 --out b{i}"))[..]);
        let merge = format!("merge cup a{i} b{i}");
        let then = format!("{agent} played by other files in b{i} than in a{i};");
        place.refused(&merge[..], &[&then]);
        fs::remove_dir_all(place.path(&format!("a{i}"))).unwrap();
        place.ok(&tournament(agent, &format!("0/2 --out a{i}"))[..]);
        // Earlier versions recorded no files.
        let path = format!("a{i}/shard.json");
        let mut about = json(&place.read(&path));
        about.as_object_mut().unwrap().remove("files").unwrap();
        place.write(&path, &about.to_string());
        let there = place.ok(&tournament(agent, &format!("0/2 --out a{i}"))[..]);
        assert_eq!(there, format!("a{i} was played before.\n"));
        place.ok(&merge[..]);
        fs::remove_dir_all(place.path("cup")).unwrap();
    }
    // The first part says nothing, the others contradict each other.
    let part = |index: usize| {
        place.ok(&tournament(last, &format!("{index}/3 --out c{index}"))[..]);
    };
    (0..2).for_each(part);
    place.ok("train --resume run --set epochs=6");
    part(2);
    let mut about = json(&place.read("c0/shard.json"));
    about.as_object_mut().unwrap().remove("files").unwrap();
    place.write("c0/shard.json", &about.to_string());
    let apart = format!("{last} played by other files in c2 than in c1;");
    place.refused("merge cup c0 c1 c2", &[&apart]);
}

#[test]
fn games_from_won_openings_are_reported_and_merged() {
    let config = r#"
game = "connect-four-5x5"
side = "both"
seeds = 2
epochs = 1
episodes_per_epoch = 200
opponents = ["self"]
[learner.td.value.n-tuple]
walks = { count = 10, length = 4 }
[evaluation]
opponents = ["random"]
games = 10
"#;
    let place = Place::trained(config, &[]);
    let judged = [
        "evaluate",
        "run",
        "--against",
        "minimax:empties=25",
        "--games",
        "1",
        "--openings",
        "19",
    ];
    let text = place.ok(&judged);
    assert_eq!(
        text.matches("each of 19 random moves: win rate less")
            .count(),
        4,
        "{text}"
    );
    let whole = place.ok(&[&judged[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&whole).unwrap();
    for result in report["results"].as_array().unwrap() {
        let found = &result["won_openings"];
        assert_eq!(
            (&found["plies"], &found["counted"]),
            (&json!(19), &json!(0))
        );
        let openings = found["openings"].as_u64().unwrap();
        assert!((1..40).contains(&openings), "{found}");
        assert!(found["success"].as_f64().unwrap().abs() <= 1.0);
    }
    for index in 0..2 {
        let shard = format!("{index}/2");
        let part = place.ok(&[&judged[..], &["--json", "--shard", &shard]].concat());
        place.write(&format!("part-{index}.json"), &part);
    }
    place.ok("merge all.json part-0.json part-1.json");
    assert_eq!(place.read("all.json"), whole);

    // The curves of a training that requests them end in the same numbers.
    let asked = [
        "side=\"x\"",
        "evaluation.opponents=[\"minimax:empties=25\"]",
        "evaluation.openings=14",
        "opponents=[\"random\"]",
        "epochs=2",
        "episodes_per_epoch=100",
    ];
    let set = asked.iter().flat_map(|key| ["--set", key]);
    let train = ["train", "run/config.toml", "--out", "asked"];
    let shown = place.ok(&train.into_iter().chain(set).collect::<Vec<_>>());
    assert!(shown.contains("X: success from won openings"), "{shown}");
    let again = place.ok("evaluate asked --checkpoint last --json");
    let again: Value = serde_json::from_str(&again).unwrap();
    let rows = place.training_rows("asked");
    assert_eq!(rows.len(), 2 * 3);
    for result in again["results"].as_array().unwrap() {
        let is_last = |row: &&TrainingRow| {
            (row.epoch, Some(row.seed)) == (2, result["seed"].as_u64())
                && result["side"] == json!(row.side)
        };
        let recorded = rows.iter().find(is_last).unwrap().won_openings;
        assert!(recorded.is_some());
        assert_eq!(recorded, result["won_openings"]["success"].as_f64());
    }
    let none = place.ok("evaluate asked --openings 0 --json");
    assert!(!none.contains("won_openings"));
    let others = place.ok("evaluate asked --against random --json");
    assert!(!others.contains("won_openings"));

    // Openings of other lengths are other measures.
    let other = [
        "train",
        "asked/config.toml",
        "--set",
        "evaluation.openings=16",
        "--set",
        "epochs=1",
        "--seeds",
        "1",
        "--out",
        "other",
    ];
    place.ok(&other);
    let compared = place.lab("compare asked other --metric won-openings");
    assert_eq!(compared.code, Some(2));
    let why = "asked has evaluation.openings = 14 and other has evaluation.openings = 16";
    assert!(compared.err.contains(why), "{}", compared.err);
    let story = place.ok("compare asked other");
    assert!(!story.contains("won openings"), "{story}");

    let tree = config.replace(
        "[learner.td.value.n-tuple]\nwalks = { count = 10, length = 4 }",
        "[learner.mcts]",
    );
    let tree = tree.replace("games = 10", "games = 10\nsimulations = 10");
    let tree = tree.replace("opponents = [\"self\"]\n", "");
    place.write(
        "tree.toml",
        &tree.replace("episodes_per_epoch = 200", "episodes_per_epoch = 20"),
    );
    place.ok("train tree.toml --out tree");
    place.ok("train run/config.toml --set game=connect-four-4x4 --out listed");
    for (arguments, why) in [
        (
            "run --openings 14",
            "give --against one: minimax:empties=25",
        ),
        (
            "run --against minimax:empties=25 --openings 25",
            "expected from 1 to 24 in connect-four-5x5",
        ),
        (
            "listed --against minimax --openings 4",
            "play is judged from all of them",
        ),
        (
            "tree --against minimax:empties=25 --openings 20",
            "leave out evaluation.openings or --openings",
        ),
        // From its start Othello is not solved in reasonable time.
        (
            "othello-6x6 --agent random --against minimax --openings 20",
            "leave --openings out; --endgames measures play against a perfect opponent near the end",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        place.refused(&[&["evaluate"][..], &arguments].concat(), &[why]);
    }
    let set = ["game=mnk-5x4x4", "evaluation.openings=4"];
    let none = place.lab(&["train", "run/config.toml", "--set", set[0], "--set", set[1]]);
    assert_eq!(none.code, Some(2), "{}", none.err);
    let why = "leave evaluation.openings out, as mnk-5x4x4 has none";
    assert!(none.err.contains(why), "{}", none.err);
}

#[test]
fn random_moves_in_games_are_reported_and_endgames_are_of_one_evaluation() {
    let config = r#"
game = "othello-6x6"
side = "x"
seeds = 2
epochs = 1
episodes_per_epoch = 20
opponents = ["random"]
[learner.td.value.n-tuple]
rectangles = [[2, 2]]
[evaluation]
opponents = ["greedy"]
games = 4
epsilon = 0.25
"#;
    let place = Place::trained(config, &[]);
    let out = place.ok("evaluate run");
    let random = "In these games the learner plays a random legal move with the probability 0.25";
    assert!(out.contains(random), "{out}");
    let whole: Value = serde_json::from_str(&place.ok("evaluate run --json")).unwrap();
    assert_eq!(whole["results"][0]["epsilon"], 0.25);
    place.ok("train run/config.toml --set evaluation.epsilon=0 --out alone");
    let out = place.ok("evaluate alone");
    assert!(!out.contains("In these games"), "{out}");

    for (shard, empties) in [("0/2", "3"), ("1/2", "4")] {
        let part = [
            "evaluate",
            "run",
            "--endgames",
            empties,
            "--json",
            "--shard",
            shard,
        ];
        place.write(&format!("part-{empties}.json"), &place.ok(&part));
    }
    place.refused(
        "merge all.json part-3.json part-4.json",
        &["not from the same evaluation"],
    );
}

/// The CRC-32 of results as JSON, with sorted keys, without white space, and with a fraction in every number up to 2^53.
fn sum_of(results: &Value) -> u32 {
    fn written(json: &Value) -> String {
        match json {
            Value::Number(number) => json!(number.as_f64()).to_string(),
            Value::Array(all) => {
                let all: Vec<String> = all.iter().map(written).collect();
                format!("[{}]", all.join(","))
            }
            Value::Object(all) => {
                let all = all
                    .iter()
                    .map(|(key, of)| format!("{key:?}:{}", written(of)));
                format!("{{{}}}", all.collect::<Vec<_>>().join(","))
            }
            other => other.to_string(),
        }
    }
    crc32fast::hash(written(results).as_bytes())
}

#[test]
fn an_evaluation_in_shards_is_the_one_of_one_process() {
    let place = Place::trained(SMALL, "--set seeds=5 --set side=both");
    let evaluate = ["evaluate", "run", "--games", "30", "--json"];
    let whole = place.ok(&evaluate);
    for index in 0..3 {
        let shard = format!("{index}/3");
        let part = place.ok(&[&evaluate[..], &["--shard", &shard]].concat());
        assert!(part.len() < whole.len());
        place.write(&format!("part-{index}.json"), &part);
    }
    // In any order.
    let shown = place.ok("merge all.json part-2.json part-0.json part-1.json");
    assert!(
        shown.starts_with("all.json: 5 checkpoints from 3 parts"),
        "{shown}"
    );
    assert_eq!(place.read("all.json"), whole);

    let refused = |out: &str, parts: &[&str], why: &str| {
        let lab = place.lab(&[&["merge", out][..], parts].concat());
        assert_eq!(lab.code, Some(2));
        assert!(lab.err.contains(why), "{}", lab.err);
        match out {
            "all.json" => assert_eq!(place.read(out), whole),
            out => assert!(!place.path(out).exists()),
        }
    };
    let (first, second) = ("part-0.json", "part-1.json");
    refused("some.json", &[first, second], "no file has shard 2/3");
    let twice = [first, second, first, "part-2.json"];
    place.ok(&[&["merge", "twice.json"][..], &twice].concat());
    assert_eq!(place.read("twice.json"), whole);
    let changed = place
        .read(first)
        .replacen("\"win_rate\": 0.", "\"win_rate\": 0.0", 1);
    assert_ne!(changed, place.read(first));
    place.write("changed.json", &changed);
    let all = [first, second, "part-2.json", "changed.json"];
    let altered = "changed.json is not a shard printed by lab evaluate --shard I/N --json: its results were altered";
    refused("some.json", &all, altered);
    // Some programs write numbers otherwise.
    let shorter = place
        .read(first)
        .replace(": 0.0,", ": 0,")
        .replacen(": 0,", ": -0.0,", 1);
    assert_ne!(shorter, place.read(first));
    place.write("shorter.json", &shorter);
    place.ok(&["merge", "short.json", "shorter.json", second, "part-2.json"]);
    // What redirects output may end lines otherwise, and any name will do.
    place.write("part", &place.read(first).replace('\n', "\r\n"));
    place.ok(&["merge", "lines.json", "part", second, "part-2.json"]);
    assert_eq!(place.read("lines.json"), whole);
    let mut resealed: Value = serde_json::from_str(&changed).unwrap();
    let sum = sum_of(&resealed["results"]);
    resealed["part"]["results_crc32"] = json!(sum);
    place.write("changed.json", &resealed.to_string());
    refused(
        "some.json",
        &all,
        "part-0.json and changed.json are both shard 0/3, with different results",
    );
    refused("all.json", &[first], "all.json exists already");
    refused(
        "some.json",
        &[first, "all.json"],
        "is not a shard printed by lab evaluate",
    );
    let alien = |asked: &[&str]| {
        let asked = [&["evaluate", "--json", "--shard", "2/3"], asked].concat();
        place.write("other.json", &place.ok(&asked));
        let parts = [first, second, "other.json"];
        refused("some.json", &parts, "not from the same evaluation");
    };
    alien(&["run", "--games", "31"]);
    alien(&["run", "--games", "30", "--checkpoint", "2"]);
    place.ok("train run/config.toml --seed 11 --out run-2");
    alien(&["run-2", "--games", "30"]);
    place.refused(
        &[&evaluate[..], &["--shard", "0/6"]].concat(),
        &["ask for at most 5"],
    );

    // A damaged file whose claims cannot be true is not believed.
    let part = place.read(first);
    let damaged = |name: &str, from: &str, to: &str, why: &str| {
        let text = part.replace(from, to);
        assert_ne!(text, part, "{from}");
        place.write(name, &text);
        refused("some.json", &[name], why);
    };
    damaged(
        "rate.json",
        "\"win_rate\": 0.",
        "\"win_rate\": 0.0",
        "its results were altered: their CRC does not match",
    );
    damaged(
        "range.json",
        "\"win_rate\": 0.",
        "\"win_rate\": 1e999, \"a\": 0.",
        "its results were altered",
    );
    // Claims on which parts disagree.
    for fewer in [2, 4] {
        let fewer = part.replace("\"checkpoints\": 5", &format!("\"checkpoints\": {fewer}"));
        place.write("fewer.json", &fewer);
        let all = ["merge", "some.json", "fewer.json", second, "part-2.json"];
        assert_eq!(place.lab(&all).code, Some(2));
    }
    let (checkpoints, shard) = ("\"checkpoints\": 5", "\"shard\": \"0/3\"");
    for count in ["18446744073709551615", "1000000000", "0"] {
        let many = format!("\"checkpoints\": {count}");
        damaged("many.json", checkpoints, &many, "lacks the results of some");
    }
    damaged(
        "two.json",
        shard,
        "\"shard\": \"0/2\"",
        "lacks the results of some",
    );
    damaged(
        "none.json",
        shard,
        "\"shard\": \"3/3\"",
        "there is no shard 3 of 3",
    );
    // Half of its results, as if only one side had been requested.
    let mut half: Value = serde_json::from_str(&part).unwrap();
    half["results"].as_array_mut().unwrap().truncate(2);
    place.write("half.json", &half.to_string());
    let why = "half.json is not a shard printed by lab evaluate --shard I/N --json: its results were altered";
    refused("some.json", &["half.json", second, "part-2.json"], why);
    refused("some.json", &[second, "part-2.json", "half.json"], why);
    let cut = &part[..part.len() / 2];
    place.write("cut.json", cut);
    refused("some.json", &["cut.json"], "is not a shard printed");
}

#[test]
fn a_shard_of_a_sweep_is_merged_before_it_is_compared() {
    let place = sharded(&swept(), 0);
    shard(&place, 0, 2);
    for arguments in [
        &["compare", "s-0"][..],
        &["export", "s-0", "--tensorboard", "events"],
        &["best", "s-0"],
    ] {
        place.refused(arguments, &["merge all of its shards first"]);
    }
}
