//! What gets in the way of a run's files, and what is left untouched.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use playlab::Error;
use playlab::config::Config;
use playlab::disk::{Operation, Temporary, record, unfinished, write_named};
use playlab::store::{RunDirectory, read_run};
use playlab::train::Event;
use playlab::workflow::{Place, Training};

use crate::place::{SMALL, contents, results};

const THREAD: NonZeroUsize = NonZeroUsize::MIN;

fn begin(text: &str, root: &Path) -> Training {
    let config = Config::parse(text, "test.toml").unwrap();
    Training::begin(config, Place::At(root)).unwrap()
}

fn resume(root: &Path) -> Result<Training, Error> {
    Training::resume(root, &[])
}

fn run(training: Training) -> Result<(), Error> {
    let stop = AtomicBool::new(false);
    training.run(THREAD, &stop, &|_, _| Ok(())).map(drop)
}

/// Makes a run unfinished, as if it had ended before its result files were complete.
fn unfinish(root: &Path) {
    fs::remove_file(root.join("manifest.json")).unwrap();
}

/// TensorBoard takes any file with this in its name as complete.
#[test]
fn no_unfinished_file_looks_like_an_event_file() {
    let path = unfinished(Path::new("tensorboard/mean/events.out.tfevents.lab"));
    assert!(!path.to_string_lossy().contains("tfevents"), "{path:?}");
    assert_eq!(path.parent(), Some(Path::new("tensorboard/mean")));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    for name in [
        "metrics.csv",
        "training.csv",
        "manifest.json",
        "curve.svg",
        "curve.png",
        "checkpoints",
        "checkpoints/seed-0002",
        ".writing-metrics.csv",
    ] {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("run");
        run(begin(SMALL, &root)).unwrap();
        unfinish(&root);
        let (inside, outside) = (root.join(name), place.path().join("outside"));
        if inside.exists() {
            fs::rename(&inside, &outside).unwrap();
        } else {
            fs::write(&outside, "precious").unwrap();
        }
        if name == "metrics.csv" {
            // Something is left to be written.
            fs::write(&outside, "precious").unwrap();
        }
        symlink(&outside, &inside).unwrap();
        let before = contents(place.path());
        let message = resume(&root).and_then(run).unwrap_err().to_string();
        let words = match name.starts_with('.') {
            true => "is in the way",
            false => "is a link, which is in the way",
        };
        assert!(message.contains(words), "{name}: {message}");
        let after = contents(place.path());
        let is_outside = |file: &PathBuf| file.starts_with("outside");
        for (file, content) in before.iter().filter(|(file, _)| is_outside(file)) {
            assert!(after[file] == *content, "{name}: {}", file.display());
        }
        // Anything that a kill cannot have left behind is refused before anything is written.
        assert!(name.starts_with('.') || after == before, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_written_to_a_pipe_or_read_from_one() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    for name in ["metrics.csv", "manifest.json", "curve.svg"] {
        let path = root.join(name);
        let content = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let message = resume(&root).and_then(run).unwrap_err().to_string();
        let expected = ["no plain file", "a pipe or a device"];
        assert!(
            expected.iter().any(|words| message.contains(words)),
            "{message}"
        );
        fs::remove_file(&path).unwrap();
        fs::write(&path, content).unwrap();
    }
}

#[test]
fn files_that_a_killed_process_was_writing_go_and_those_of_a_living_one_stay() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let path = root.join(".writing-curve.svg");
    let writer = fs::File::create(&path).unwrap();
    writer.try_lock().unwrap();
    drop(resume(&root).unwrap());
    assert!(path.exists(), "another process writes it");
    drop(writer);
    drop(resume(&root).unwrap());
    assert!(!path.exists(), "nobody writes it");
}

/// A few may be refused because another write is under way; none is lost or mixed with another.
#[cfg(unix)]
#[test]
fn files_that_are_written_concurrently_are_whole() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("shared.csv");
    let contents: Vec<Vec<u8>> = (b'a'..b'e').map(|byte| vec![byte; 100_000]).collect();
    write_named(&path, &contents[0]).unwrap();
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| {
                for _ in 0..100 {
                    match write_named(&path, content) {
                        Err(error) if !error.to_string().contains("another process") => {
                            panic!("{error}")
                        }
                        _ => assert!(contents.contains(&fs::read(&path).unwrap())),
                    }
                }
            });
        }
    });
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_epoch_of_any_size_is_reported_as_missing_checkpoints() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let path = root.join("metrics.csv");
    let rows = fs::read_to_string(&path).unwrap();
    let last = "\n1,6,300,o,random,";
    assert!(rows.contains(last));
    let damaged = last.replace(",6,", ",6000000000000,");
    fs::write(&path, rows.replace(last, &damaged)).unwrap();
    // Every second one of the six epochs has a checkpoint.
    let cautions = resume(&root).unwrap().cautions();
    let words = "has no checkpoint of seed 1, epoch 8 and 2,999,999,999,996 later ones";
    assert!(cautions[0].contains(words), "{cautions:?}");
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_mode_and_a_new_one_has_the_usual_mode() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (other, new) = (place.path().join("other"), place.path().join("new"));
    fs::write(&other, "").unwrap();
    write_named(&new, b"one").unwrap();
    assert_eq!(mode(&new), mode(&other));
    for kept in [0o600, 0o666, 0o640] {
        fs::set_permissions(&new, fs::Permissions::from_mode(kept)).unwrap();
        write_named(&new, b"two").unwrap();
        assert_eq!(mode(&new), kept);
    }
}

#[cfg(unix)]
#[test]
fn an_unfinished_file_that_is_not_writable_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let (path, left) = (place.path().join("new"), place.path().join(".writing-new"));
    fs::write(&left, "left behind").unwrap();
    fs::set_permissions(&left, fs::Permissions::from_mode(0o400)).unwrap();
    // An administrator may write to it nevertheless.
    let is_allowed = fs::File::options().write(true).open(&left).is_ok();
    match write_named(&path, b"one") {
        Ok(()) => assert!(is_allowed),
        Err(error) => {
            let message = error.to_string();
            assert!(
                !is_allowed && message.contains("is in the way"),
                "{message}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_not_replaced() {
    let place = tempfile::tempdir().unwrap();
    let (link, nothing) = (place.path().join("link"), place.path().join("nothing"));
    std::os::unix::fs::symlink(&nothing, &link).unwrap();
    let message = write_named(&link, b"one").unwrap_err().to_string();
    assert!(
        message.contains("it is a link that cannot be followed"),
        "{message}"
    );
    assert_eq!(fs::read_link(&link).unwrap(), nothing);
    fs::write(&nothing, "two").unwrap();
    write_named(&link, b"three").unwrap();
    assert!(link.is_symlink() && fs::read(&nothing).unwrap() == b"three");
}

#[test]
fn results_too_large_for_the_run_are_not_read() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let file = fs::File::options()
        .write(true)
        .open(root.join("metrics.csv"));
    // It takes no space on the disk.
    file.unwrap().set_len(1 << 40).unwrap();
    let messages = [
        resume(&root).err().unwrap().to_string(),
        read_run(&RunDirectory::open(&root).unwrap())
            .unwrap_err()
            .to_string(),
    ];
    for message in messages {
        let (_, rest) = message.split_once("it has more than ").unwrap();
        let most = rest.split(' ').next().unwrap().replace(',', "");
        let most: u64 = most.parse().unwrap();
        // 3 seeds, 7 epochs, one side.
        assert!(most < 3 * 7 * 10_000, "{message}");
    }
}

#[cfg(unix)]
#[test]
fn a_variant_that_is_a_link_is_not_trained() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("sweep");
    let sweep = format!("{SMALL}\n[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n");
    run(begin(&sweep, &root)).unwrap();
    let variant = root.join("seeds-2");
    unfinish(&variant);
    let outside = place.path().join("outside");
    fs::rename(&variant, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &variant).unwrap();
    let before = contents(&outside);
    let message = resume(&root).err().unwrap().to_string();
    assert!(
        message.ends_with("seeds-2 is a link, which is in the way; move it elsewhere"),
        "{message}"
    );
    assert!(contents(&outside) == before);
}

#[cfg(unix)]
#[test]
fn a_sweep_needs_no_more_open_files_than_a_run() {
    let place = crate::place::Place::new();
    let values: Vec<u64> = (1..=60).collect();
    let small = SMALL.replace("seeds = 3\nepochs = 6", "seeds = 1\nepochs = 1");
    let sweep = format!("{small}\n[sweep]\nkey = \"episodes_per_epoch\"\nvalues = {values:?}\n");
    let sweep = format!("{sweep}[log]\ntensorboard = true\neach_seed = true\n");
    place.write("sweep.toml", &sweep);
    let mut command = std::process::Command::new("sh");
    command.current_dir(place.path(""));
    command.args([
        "-c",
        "ulimit -n 50 && exec \"$0\" train sweep.toml --out out",
    ]);
    let ran = command.arg(env!("CARGO_BIN_EXE_lab")).output().unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{err}");
    assert!(place.path("out/sweep.svg").is_file());
}

#[cfg(unix)]
#[test]
fn a_training_that_ran_out_of_space_says_how_to_resume() {
    let place = crate::place::Place::new();
    place.write("small.toml", SMALL);
    place.ok("train small.toml --out whole");
    let mut command = std::process::Command::new("sh");
    command.current_dir(place.path(""));
    command.args([
        "-c",
        "trap '' XFSZ && ulimit -f 4 && exec \"$0\" train small.toml --out run",
    ]);
    let ran = command.arg(env!("CARGO_BIN_EXE_lab")).output().unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{err}");
    let go_on = "resume with: lab train --resume run\n";
    assert!(
        err.starts_with("error: cannot write run/") && err.ends_with(go_on),
        "{err}"
    );
    place.ok("train --resume run");
    assert!(results(&place.path("run")) == results(&place.path("whole")));
}

#[test]
fn a_run_in_a_sweep_is_not_trained_beside_the_sweep() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("sweep");
    let sweep = format!("{SMALL}\n[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n");
    let of_all = begin(&sweep, &root);
    let refused = |root: &Path| resume(root).err().unwrap().to_string();
    assert!(refused(&root.join("seeds-2")).contains("is in use by another process"));
    drop(of_all);
    let of_one = resume(&root.join("seeds-2")).unwrap();
    assert!(refused(&root).contains("is in use by another process"));
    run(of_one).unwrap();
    run(resume(&root).unwrap()).unwrap();
}

#[test]
fn what_a_kill_left_in_a_finished_run_is_removed() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let before = contents(&root);
    fs::write(root.join(".writing-curve.svg"), "half a picture").unwrap();
    assert!(resume(&root).unwrap().finished().is_some());
    assert!(contents(&root) == before);
}

#[test]
fn trainings_that_start_together_all_find_a_place() {
    let place = crate::place::Place::new();
    place.write("small.toml", SMALL);
    let trainings: Vec<_> = (0..16)
        .map(|_| place.command("train small.toml").spawn().unwrap())
        .collect();
    for mut training in trainings {
        assert!(training.wait().unwrap().success());
    }
    for n in 1..=16 {
        assert!(place.path(&format!("runs/small-{n}/curve.svg")).is_file());
    }
}

#[test]
fn files_that_only_look_like_checkpoints_are_left() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let seed = root.join("checkpoints/seed-0001");
    let own = [
        "epoch-3.json",
        "epoch-000003.txt",
        "epoch-000003.json.bak",
        "epoch-notes.json",
        ".writing-notes",
    ];
    for name in own {
        fs::write(seed.join(name), "mine").unwrap();
    }
    let stale = [".writing-epoch-000003.npz", "epoch-000005.npz"];
    for name in stale {
        fs::write(seed.join(name), "half a").unwrap();
    }
    unfinish(&root);
    run(resume(&root).unwrap()).unwrap();
    for name in own {
        assert_eq!(fs::read(seed.join(name)).unwrap(), b"mine", "{name}");
    }
    for name in stale {
        assert!(!seed.join(name).exists(), "{name}");
    }
}

#[test]
fn a_run_that_is_removed_while_it_trains_stays_removed() {
    // The removal leaves the directory behind if something is written there at that moment.
    for (at_end, leaves) in [(false, false), (false, true), (true, false), (true, true)] {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("run");
        let watch = |_: usize, event: &Event<'_>| {
            let is_now = match at_end {
                true => matches!(event, Event::Ended),
                false => matches!(event, Event::EpochFinished { .. }),
            };
            if is_now && root.join("config.toml").exists() {
                fs::remove_dir_all(&root).unwrap();
                if leaves {
                    fs::create_dir(&root).unwrap();
                }
            }
            Ok(())
        };
        let ended = begin(SMALL, &root).run(THREAD, &AtomicBool::new(false), &watch);
        let error = ended.err().unwrap();
        assert!(matches!(error, Error::Failed(_)), "{error}");
        let message = error.to_string();
        assert!(
            message.contains("was removed while it was trained"),
            "{message}"
        );
        assert_eq!(root.exists(), leaves);
        assert!(!leaves || fs::read_dir(&root).unwrap().next().is_none());
    }
}

#[test]
fn a_finished_run_or_sweep_is_only_read_and_synced() {
    let sweep = format!("{SMALL}\n[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n");
    for text in [SMALL, &sweep] {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("run");
        run(begin(text, &root)).unwrap();
        let log = record(&root);
        run(resume(&root).unwrap()).unwrap();
        let done = log.operations();
        let is_sync =
            |done: &Operation| matches!(done, Operation::SyncFile(_) | Operation::SyncDirectory(_));
        assert!(done.iter().all(is_sync), "{done:?}");
    }
}

/// Nothing waits for the disk where what is written is not kept.
#[test]
fn what_is_temporary_is_not_synced() {
    let [kept, temporary] = [Temporary::new().unwrap(), Temporary::new().unwrap()];
    let place = kept.path().to_owned();
    drop(kept);
    for (root, is_synced) in [(place.as_path(), true), (temporary.path(), false)] {
        let log = record(root);
        run(begin(SMALL, &root.join("run"))).unwrap();
        let done = log.operations();
        let is_sync =
            |done: &Operation| matches!(done, Operation::SyncFile(_) | Operation::SyncDirectory(_));
        assert!(done.len() > 20, "{done:?}");
        assert_eq!(done.iter().any(is_sync), is_synced, "{done:?}");
    }
    fs::remove_dir_all(place).unwrap();
}

#[test]
fn a_checkpoint_that_is_renamed_or_missing_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let seed = root.join("checkpoints/seed-0002");
    let part = |epoch: u64, extension: &str| seed.join(format!("epoch-{epoch:06}.{extension}"));
    for extension in ["json", "npz"] {
        fs::remove_file(part(2, extension)).unwrap();
    }
    let cautions = resume(&root).unwrap().cautions();
    assert_eq!(cautions.len(), 1, "{cautions:?}");
    assert!(
        cautions[0].ends_with("has no checkpoint of seed 2, epoch 2"),
        "{cautions:?}"
    );
    let more = ["epochs=7".to_owned()];
    let cautions = Training::resume(&root, &more).unwrap().cautions();
    let goes_on = "has no checkpoint of seed 2, epoch 2; training goes on from epoch 6";
    assert!(cautions[0].ends_with(goes_on), "{cautions:?}");
    for extension in ["json", "npz"] {
        fs::copy(part(4, extension), part(6, extension)).unwrap();
    }
    let message = resume(&root).err().unwrap().to_string();
    assert!(
        message.contains("epoch-000006.json: is of epoch 4, which is not what its name says"),
        "{message}"
    );
}

/// Endings as editors and spreadsheets save them.
#[test]
fn result_files_with_other_line_endings_are_read_and_without_commas_refused() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(SMALL, &root)).unwrap();
    let whole = results(&root);
    let paths = ["metrics.csv", "training.csv"].map(|name| root.join(name));
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, text.replace('\n', "\r\n")).unwrap();
    }
    assert!(cautions(&root, &[]).is_empty());
    run(resume(&root).unwrap()).unwrap();
    assert!(results(&root) == whole);
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        for (separator, name) in [(";", "semicolons"), ("\t", "tabs")] {
            fs::write(path, text.replace(',', separator)).unwrap();
            let before = contents(&root);
            let expected = format!("{}: it has {name} between its columns", path.display());
            let plotted = read_run(&RunDirectory::open(&root).unwrap()).unwrap_err();
            let resumed = resume(&root).err().unwrap();
            for message in [plotted.to_string(), resumed.to_string()] {
                assert!(message.contains(&expected), "{message}");
            }
            assert!(contents(&root) == before);
        }
        fs::write(path, text).unwrap();
    }
}

/// The cautions before a run resumes, without the name of its directory.
fn cautions(root: &Path, set: &[&str]) -> Vec<String> {
    let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
    let training = Training::resume(root, &set).unwrap();
    let name = format!("{} ", root.display());
    let cautions = training.cautions().into_iter();
    cautions.map(|text| text.replace(&name, "")).collect()
}

#[test]
fn a_training_that_goes_back_before_what_was_recorded_says_so_first() {
    let rows = "lacks rows, or the best checkpoint, from before the checkpoint of";
    let anew = format!("{rows} seed 1, epoch 6; training begins anew");
    let none = "has no checkpoint of seed 1, epoch 2 and 2 later ones; training begins anew";
    let late = "has no checkpoint of seed 1, epoch 6; training begins anew";
    let csv: &dyn Fn(&Path) = &|root| fs::remove_file(root.join("metrics.csv")).unwrap();
    let first: &dyn Fn(&Path) = &|root| {
        let path = root.join("training.csv");
        let text = fs::read_to_string(&path).unwrap();
        let rows = text.lines().filter(|line| !line.starts_with("1,0,"));
        fs::write(
            &path,
            rows.map(|row| format!("{row}\n")).collect::<String>(),
        )
        .unwrap();
    };
    let all: &dyn Fn(&Path) = &|root| fs::remove_dir_all(root.join("checkpoints")).unwrap();
    let text = SMALL.replace("seeds = 3", "seeds = 1");
    let seldom = text.replace("every = 2", "every = 20");
    for (text, spoil, words) in [
        (&text, csv, &*anew),
        (&text, first, &*anew),
        (&text, all, none),
        (&seldom, csv, &*anew),
        (&seldom, all, late),
    ] {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("run");
        run(begin(text, &root)).unwrap();
        let whole = results(&root);
        assert!(cautions(&root, &[]).is_empty());
        spoil(&root);
        assert_eq!(cautions(&root, &[]), [words]);
        run(resume(&root).unwrap()).unwrap();
        assert!(results(&root) == whole, "{words}");
    }
}

#[test]
fn a_missing_best_checkpoint_is_made_again() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    // With so little training the best epoch is often not the last one.
    let text = SMALL.replace("seeds = 3", "seeds = 8");
    let text = text.replace("episodes_per_epoch = 50", "episodes_per_epoch = 1");
    run(begin(&text, &root)).unwrap();
    let whole = results(&root);
    let mut removed = 0;
    for seed in 1..=8 {
        for epoch in [1, 3, 5] {
            for extension in ["json", "npz"] {
                let name = format!("checkpoints/seed-{seed:04}/epoch-{epoch:06}.{extension}");
                removed += u64::from(fs::remove_file(root.join(name)).is_ok());
            }
        }
    }
    // Of the odd epochs only the best is kept.
    assert!(removed > 0);
    assert_eq!(cautions(&root, &[]).len() as u64, removed / 2);
    run(resume(&root).unwrap()).unwrap();
    assert!(results(&root) == whole);
}

#[test]
fn checkpoints_that_were_never_due_are_not_missed() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("run");
    run(begin(&SMALL.replace("every = 2", "every = 5"), &root)).unwrap();
    let set = ["epochs=10", "checkpoints.every=2"];
    let found = cautions(&root, &set);
    assert!(
        found.len() == 1 && found[0].starts_with("loses "),
        "{found:?}"
    );
    let set = set.map(str::to_owned);
    run(Training::resume(&root, &set).unwrap()).unwrap();
    assert!(cautions(&root, &["epochs=12"]).is_empty());
    fs::remove_file(root.join("checkpoints/seed-0003/epoch-000008.json")).unwrap();
    let found = cautions(&root, &["epochs=12"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("no checkpoint of seed 3, epoch 8"),
        "{found:?}"
    );
    let checkpoints = || {
        let files = contents(&root).into_keys();
        let arrays = |path: &PathBuf| path.extension().is_some_and(|it| it == "npz");
        files.filter(arrays).count()
    };
    let before = checkpoints();
    let found = cautions(&root, &["checkpoints.every=4"]);
    run(Training::resume(&root, &["checkpoints.every=4".to_owned()]).unwrap()).unwrap();
    let removed = before - checkpoints();
    assert!(removed > 1);
    let expected = "checkpoints, as checkpoints.every was 2 and is now 4";
    assert_eq!(found[1], format!("loses {removed} {expected}"));
}
