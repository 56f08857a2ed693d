//! Runs trained again for comparison.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use crate::place::{Place, SMALL, SMALL_TREE, Words, contents, json};
use playlab::COMMIT;
use playlab::arrays::{from_npz, to_npz};
use playlab::store::this_version;
use playlab::workflow::Verification;
use serde_json::json as value;

/// Runs `lab verify`, which must end with this code and say these words.
#[track_caller]
fn verify(place: &Place, arguments: &(impl Words + ?Sized), code: i32, words: &[&str]) {
    let before = contents(&place.path(""));
    let ran = place.lab(&[&["verify"], &arguments.words()[..]].concat());
    let outcome = format!("{:?}: {}{}", arguments.words(), ran.out, ran.err);
    assert_eq!(ran.code, Some(code), "{outcome}");
    for word in words {
        assert!(outcome.contains(word), "no '{word}' in {outcome}");
    }
    assert!(before == contents(&place.path("")), "{outcome}");
}

#[test]
fn the_versions_are_named_where_bytes_differ() {
    let place = Place::trained(SMALL, "--seeds 1");
    assert_eq!(place.ok("--version"), format!("lab {}\n", this_version()));
    let manifest = json(&place.read("run/manifest.json"));
    assert_eq!(manifest["commit"], value!(COMMIT));
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    if sources.join(".git").exists() {
        let mut git = Command::new("git");
        git.args(["rev-parse", "HEAD"]).current_dir(sources);
        if git.output().is_ok_and(|output| output.status.success()) {
            assert_eq!(COMMIT.map(str::len), Some(40));
        }
    }
    let own = env!("CARGO_PKG_VERSION");
    let version = |number: &str| format!("\"version\": \"{number}\"");
    change(
        &place,
        "run/manifest.json",
        &version(own),
        &version("0.0.9"),
    );
    verify(&place, "run", 0, &["run: same ("]);
    let rows = place.read("run/metrics.csv");
    place.write("run/metrics.csv", &(rows + "more\n"));
    let old = this_version().replacen(own, "0.0.9", 1);
    let expected = format!(
        "\n  it was made by lab {old}, and this is {}\n  first in metrics.csv: ",
        this_version()
    );
    verify(&place, "run", 1, &["run: differs (", &expected]);
    let report = json(&place.lab("verify run --json").out);
    assert_eq!(report["runs"][0]["made_by"], old);
}

/// A place with the sweep `swept` of two variants.
fn swept() -> Place {
    let place = Place::new();
    let swept = format!("{SMALL_TREE}[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 1]\n");
    place.write("swept.toml", &swept);
    place.ok("train swept.toml --seeds 1 --out swept");
    place
}

#[test]
fn the_version_that_made_the_runs_of_a_sweep_made_its_own_files() {
    let place = swept();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let manifest = "swept/c-1/manifest.json";
    change(&place, manifest, &version, "\"version\": \"0.0.9\"");
    let svg = place.read("swept/sweep.svg");
    place.write("swept/sweep.svg", &(svg + "\n"));
    let words = ["\n  it was made by lab 0.0.9", "\n  first in sweep.svg: "];
    verify(&place, "swept", 1, &words);
}

fn change(place: &Place, file: &str, old: &str, new: &str) {
    let text = place.read(file);
    assert!(text.contains(old), "{text}");
    place.write(file, &text.replacen(old, new, 1));
}

#[test]
fn a_run_a_sweep_a_shard_and_a_folder_of_them_verify_as_the_same() {
    let place = Place::trained(SMALL, "--set seeds=2");
    let swept = format!("{SMALL_TREE}[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 1]\n");
    place.write("swept.toml", &swept);
    place.ok("train swept.toml --seeds 1 --out all/swept");
    place.ok("train small.toml --shard 1/2 --out all/shard");
    verify(&place, "run", 0, &["run: same (", " files, ", " bytes)"]);
    verify(&place, "all", 0, &["all/shard: same", "all/swept: same"]);
    let words = ["the first epoch of 2 trials; seed ", " by lot 7)"];
    verify(&place, "run --fast --lot 7", 0, &words);
    let words = ["the first epoch of 2 trials; one more of 2 runs by lot "];
    verify(&place, "all/swept --fast", 0, &words);
    // The comparison of a sweep's best variants is a sweep of its own.
    place.ok("best all/swept --top 1 --seeds 1");
    verify(&place, "all/swept", 0, &["all/swept: same"]);
    verify(&place, "all/swept/best", 0, &["best: same"]);
    fs::remove_dir_all(place.path("all/swept/best")).unwrap();
    // Missing files are reported, and an extended run is like one requested from the start.
    fs::remove_dir_all(place.path("run/checkpoints")).unwrap();
    fs::remove_file(place.path("run/manifest.json")).unwrap();
    verify(
        &place,
        "run",
        0,
        &["not there and not compared: checkpoints"],
    );
    let report = json(&place.ok("verify run --json"));
    let run = &report["runs"][0];
    assert_eq!((&run["run"], &run["same"]), (&value!("run"), &value!(true)));
    assert_eq!(run["differences"], value!([]));
    assert_eq!(run["absent"], value!(["checkpoints"]));
    let compared = format!(
        "run: same ({}; not there",
        run["compared"].as_str().unwrap()
    );
    verify(&place, "run", 0, &[&compared]);
    verify(&place, "run --fast", 0, &["to epoch"]);
    place.ok("train --resume all/shard --set epochs=8");
    place.ok("train --resume all/shard --set checkpoints.every=3");
    verify(&place, "all/shard", 0, &["all/shard: same"]);
    for run in ["all/swept/c-0.5", "all/swept/c-1"] {
        fs::remove_dir_all(place.path(run)).unwrap();
    }
    let words = ["all/shard: same", "all/swept: not looked at, as none"];
    verify(&place, "all --fast", 0, &words);
    let ran = place.lab("verify all --fast --json");
    assert!(ran.err.contains("all/swept: not looked at"), "{}", ran.err);
    let report = json(&ran.out);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["run"]), (1, &value!("all/shard")));
    verify(&place, "all/swept --fast", 2, &["has none of its runs"]);
    let both = ["all/shard", "all/swept", "--fast"];
    verify(&place, &both, 2, &["has none of its runs"]);
    fs::remove_dir_all(place.path("all/shard")).unwrap();
    verify(&place, "all --fast", 2, &["all/swept: not looked at"]);
}

#[test]
fn the_first_difference_is_reported_with_its_place() {
    let place = Place::trained(SMALL, "--set seeds=2");
    let read = |file: &str| fs::read(place.path(file)).unwrap();
    let files = ["config.toml", "metrics.csv", "training.csv", "curve.svg"];
    let whole = files.map(|file| (file, read(&format!("run/{file}"))));
    let restore = || {
        for (file, bytes) in &whole {
            fs::write(place.path("run").join(file), bytes).unwrap();
        }
    };
    let row = place
        .read("run/metrics.csv")
        .lines()
        .nth(2)
        .unwrap()
        .to_owned();
    let changed = row.replace("1,0,0,o,random", "1,0,3,o,random");
    for file in ["config.toml", "metrics.csv"] {
        change(&place, &format!("run/{file}"), "\n", "\r\n");
        let expected =
            format!("first in {file}: only its line ends, which a checkout can change\n");
        verify(&place, "run", 1, &["run: differs", &expected]);
        restore();
    }
    change(&place, "run/metrics.csv", &row, &changed);
    let differs = format!("line 3: '{changed}', trained again '{row}'");
    let expected = format!("first in metrics.csv: {differs}");
    verify(&place, "run", 1, &["run: differs", &expected]);
    assert_eq!(place.unread("verify run").code, Some(1));
    let ran = place.lab("verify run --json");
    let run = &json(&ran.out)["runs"][0];
    assert_eq!((ran.code, &run["same"]), (Some(1), &value!(false)));
    let first = value!({ "file": "metrics.csv", "place": differs });
    assert_eq!(run["differences"][0], first);
    verify(&place, "run --fast", 1, &["run: differs", &expected]);
    restore();
    let mut svg = place.read("run/curve.svg");
    svg.pop();
    place.write("run/curve.svg", &svg);
    verify(&place, "run", 1, &["first in curve.svg: "]);
    restore();
    let text = place.read("run/training.csv") + "2,7,350,o,,,,,,,,,\n";
    place.write("run/training.csv", &text);
    let line = text.lines().count();
    let expected = format!("training.csv: line {line}: '2,7,350,o,,,,,,,,,', trained again ''");
    verify(&place, "run", 1, &[&expected]);
    restore();
    // Another seed gives other rows, in any epoch.
    change(&place, "run/config.toml", "side = \"o\"", "side = \"x\"");
    verify(&place, "run", 1, &["metrics.csv", "and "]);
    restore();
    let npz = "run/checkpoints/seed-0002/epoch-000004.npz";
    let kept = read(npz);
    let arrays = from_npz(&kept, 1 << 20).unwrap();
    let mut changed = arrays.clone();
    let mut values = arrays.get::<f64>("values").unwrap().to_vec();
    values[3] += 1.0;
    changed.insert("values", values);
    fs::write(place.path(npz), to_npz(&changed)).unwrap();
    verify(
        &place,
        "run",
        1,
        &["seed-0002/epoch-000004.npz: array values"],
    );
    fs::remove_file(place.path(npz)).unwrap();
    verify(
        &place,
        "run",
        1,
        &["epoch-000004.npz: it is not there, and training makes it"],
    );
    fs::write(place.path(npz), kept).unwrap();
    place.write("run/checkpoints/seed-0002/epoch-000005.json", "{}");
    verify(
        &place,
        "run",
        1,
        &["epoch-000005.json: training does not make it"],
    );
}

#[test]
fn a_variant_that_was_added_or_lost_is_a_difference() {
    let place = swept();
    fs::create_dir(place.path("swept/c-2")).unwrap();
    for file in ["config.toml", "metrics.csv"] {
        place.write(
            &format!("swept/c-2/{file}"),
            &place.read(&format!("swept/c-1/{file}")),
        );
    }
    let expected = "first in c-2/metrics.csv: training does not make it";
    verify(&place, "swept", 1, &["swept: differs", expected]);
    fs::remove_dir_all(place.path("swept/c-2")).unwrap();
    fs::remove_dir_all(place.path("swept/c-1")).unwrap();
    let expected = "first in c-1: it is not there, and training makes it";
    for arguments in [&["swept"][..], &["swept", "--fast"]] {
        verify(&place, arguments, 1, &["swept: differs", expected]);
    }
    // A sweep may be handed on without any of its runs.
    fs::remove_dir_all(place.path("swept/c-0.5")).unwrap();
    let expected = "not there and not compared: c-0.5, c-1)";
    verify(&place, "swept", 0, &["swept: same", expected]);
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let place = Place::trained(SMALL, &[]);
    fs::create_dir_all(place.path("folder/empty")).unwrap();
    place.ok("merge parts run");
    place.ok("train small.toml --shard 0/3 --out shard");
    place.ok("merge part shard --partial");
    fs::create_dir(place.path("bare")).unwrap();
    place.write("bare/config.toml", &place.read("run/config.toml"));
    for (arguments, words) in [
        (&["nothing"][..], "there is no run nothing"),
        (
            &["folder"],
            "folder is not a run: there is no config.toml in it, and no run lies in it",
        ),
        (
            &["part"],
            "part is not finished; finish it first with: lab train --resume part",
        ),
        (&["part", "--fast"], "part is not finished"),
        (&["bare"], "bare has no results to be compared"),
        (&["bare", "--fast"], "bare has no results to be compared"),
        (&["run", "--lot", "3"], "--fast"),
        (&[], "required"),
    ] {
        verify(&place, arguments, 2, &[words]);
    }
    // Runs that can be used are verified all the same.
    let expected = ["there is no run nothing", "run: same"];
    verify(&place, "nothing run", 2, &expected);
    let ran = place.lab("verify nothing run --fast --json");
    let report = json(&ran.out);
    assert_eq!(ran.code, Some(2));
    let wrong = report["runs"][0]["error"].as_str().unwrap();
    assert!(wrong.starts_with("there is no run nothing"), "{wrong}");
    assert_eq!(report["runs"][1]["same"], true);
    place.write("run/shard.txt", "5/6\n");
    let expected = "run/shard.txt: there is no shard 5/6 of 3 trials; restore it";
    verify(&place, "run", 2, &[expected]);
    verify(&place, "run --fast", 2, &[expected]);
}

#[test]
fn a_run_that_cannot_be_used_is_reported_and_the_others_are_verified() {
    let place = Place::trained(SMALL, "--seeds 1");
    fs::create_dir(place.path("all")).unwrap();
    fs::rename(place.path("run"), place.path("all/a")).unwrap();
    for (shard, out) in [("0/3", "all/c"), ("1/3", "all/d")] {
        place.ok(&["train", "small.toml", "--shard", shard, "--out", out]);
    }
    place.ok("merge all/b all/c --partial");
    place.write("all/d/shard.txt", "5/6\n");
    let words = [
        "all/a: same (",
        "error: all/b is not finished; finish it first with: lab train --resume all/b",
        "all/c: same (",
        "all/d/shard.txt: there is no shard 5/6 of 3 trials",
    ];
    verify(&place, "all", 2, &words);
    verify(&place, "all --fast", 2, &words);
    let ran = place.lab("verify all --json");
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(words[1]), "{}", ran.err);
    let report = json(&ran.out);
    let same = |name: &str| {
        let runs = report["runs"].as_array().unwrap();
        let run = runs.iter().find(|run| run["run"] == *name).unwrap();
        (run["same"].as_bool(), run["error"].as_str())
    };
    assert_eq!([same("all/a"), same("all/c")], [(Some(true), None); 2]);
    let (none, why) = same("all/b");
    assert_eq!(none, None);
    assert_eq!(why, words[1].strip_prefix("error: "));
    assert!(same("all/d").1.unwrap().contains(words[3]));
    // A difference outweighs the rest.
    let svg = place.read("all/a/curve.svg") + "\n";
    place.write("all/a/curve.svg", &svg);
    let words = ["all/a: differs", words[1], words[2], words[3]];
    verify(&place, "all", 1, &words);
}

#[test]
fn a_changed_row_or_a_damaged_checkpoint_of_a_drawn_epoch_is_found() {
    let place = Place::trained(SMALL, "--seeds 1");
    for table in ["run/metrics.csv", "run/training.csv"] {
        let rows = place.read(table);
        let mut lines = (1..).zip(rows.lines());
        let (line, row) = lines.find(|(_, row)| row.starts_with("1,4,")).unwrap();
        change(&place, table, row, &format!("{row}1"));
        let expected = format!(".csv: line {line}: '{row}1', trained again '{row}'");
        let words = ["seed 1 from epoch 2 to 4 by lot 2", &expected];
        verify(&place, "run --fast --lot 2", 1, &words);
        let words = ["seed 1 to epoch 2 by lot 3"];
        verify(&place, "run --fast --lot 3", 0, &words);
        place.write(table, &rows);
    }
    let file = "checkpoints/seed-0001/epoch-000004";
    let npz = place.path("run").join(file).with_extension("npz");
    let whole = fs::read(&npz).unwrap();
    fs::write(&npz, &whole[..50]).unwrap();
    // These lots draw epoch 6, which would continue from this checkpoint, this one, and the one before it.
    let expected = format!("first in {file}.npz: byte 51");
    let words = ["seed 1 from epoch 2 to 6 by lot 0", &expected];
    verify(&place, "run --fast --lot 0", 1, &words);
    let words = ["seed 1 from epoch 2 to 4 by lot 2", &expected];
    verify(&place, "run --fast --lot 2", 1, &words);
    let words = ["seed 1 to epoch 2 by lot 3"];
    verify(&place, "run --fast --lot 3", 0, &words);
    verify(&place, "run", 1, &[&expected]);
    fs::remove_file(&npz).unwrap();
    let expected = format!("first in {file}.npz: it is not there, and training makes it");
    verify(&place, "run --fast --lot 0", 1, &[&expected]);
    fs::write(&npz, whole).unwrap();
    change(&place, &format!("run/{file}.json"), "\"seed\"", "\"need\"");
    let expected = format!("first in {file}.json: byte ");
    for lot in ["0", "2"] {
        verify(&place, &["run", "--fast", "--lot", lot], 1, &[&expected]);
    }
    fs::remove_file(place.path("run").join(file).with_extension("json")).unwrap();
    let expected = format!("first in {file}.json: it is not there, and training makes it");
    for lot in ["0", "2"] {
        verify(&place, &["run", "--fast", "--lot", lot], 1, &[&expected]);
    }
}

#[test]
fn without_a_manifest_it_is_not_known_which_checkpoints_were_kept() {
    let place = Place::trained(SMALL, "--seeds 1");
    place.ok("train --resume run --set checkpoints.every=1");
    verify(&place, "run", 0, &["run: same (", " bytes)"]);
    let manifest = place.path("run/manifest.json");
    fs::rename(&manifest, place.path("kept")).unwrap();
    let expected = "some checkpoints (without manifest.json it is not known which were kept)";
    verify(&place, "run", 0, &["run: same (", expected]);
    let run = &json(&place.ok("verify run --json"))["runs"][0];
    assert_eq!(run["absent"], value!([expected]));
    // A checkpoint that lacks a file was kept.
    let npz = place.path("run/checkpoints/seed-0001/epoch-000004.npz");
    fs::rename(&npz, place.path("npz")).unwrap();
    let words = ["epoch-000004.npz: it is not there, and training makes it"];
    verify(&place, "run", 1, &words);
    fs::rename(place.path("npz"), &npz).unwrap();
    // Nobody may read the memory at address 0, not even root.
    #[cfg(target_os = "linux")]
    {
        std::os::unix::fs::symlink("/proc/self/mem", &manifest).unwrap();
        for arguments in [
            &["verify", "run"][..],
            &["verify", "run", "--fast"],
            &["merge", "merged", "run"],
        ] {
            let ran = place.lab(arguments);
            assert_eq!(ran.code, Some(1), "{arguments:?}: {}{}", ran.out, ran.err);
            let expected = "error: cannot read run/manifest.json: Input/output error\n";
            assert!(ran.err.ends_with(expected), "{arguments:?}: {}", ran.err);
        }
    }
}

#[test]
fn a_run_that_was_trained_on_while_it_was_verified_does_not_differ() {
    let place = Place::trained(SMALL, "--seeds 1");
    let run = place.path("run");
    let (threads, stop) = (NonZeroUsize::MIN, AtomicBool::new(false));
    let stop = &stop;
    let begun = [(); 2].map(|()| Verification::begin(&run).unwrap());
    let [before, meanwhile] = begun.map(|begun| move || begun.run(threads, stop, &|_, _| Ok(())));
    let same = before().unwrap().unwrap();
    assert!(same.differences.is_empty(), "{same:?}");
    place.ok("train --resume run --set epochs=8");
    let changed = meanwhile().unwrap_err();
    let expected = format!(
        "{} was changed while it was verified; verify it again",
        run.display()
    );
    assert_eq!((changed.to_string(), changed.exit_code()), (expected, 1));
    verify(&place, "run", 0, &["run: same"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_verification_leaves_nothing() {
    let long = SMALL
        .replace("epochs = 6", "epochs = 200")
        .replace("games = 40", "games = 8000");
    let place = Place::trained(&long, &[]);
    fs::create_dir(place.path("temporary")).unwrap();
    // Once as soon as the temporary directory exists, and once during learning.
    for made in ["", "run/checkpoints"] {
        let mut command = place.command("verify run --threads 1");
        let mut child = place.spawn(command.env("TMPDIR", place.path("temporary")));
        let is_made = || {
            let temporary = fs::read_dir(place.path("temporary")).unwrap().next();
            temporary.is_some_and(|temporary| temporary.unwrap().path().join(made).is_dir())
        };
        while !is_made() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended before it was interrupted");
        crate::place::interrupt(&child);
        let ran = crate::place::Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{}{}", ran.out, ran.err);
        assert_eq!(fs::read_dir(place.path("temporary")).unwrap().count(), 0);
    }
}
