//! Sweeps over several keys, and the final comparison of their best variants.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::place::{Place, SMALL, results};

const GRID: &str = r#"
[sweep]
over = [
  { key = "learner.q-learning.discount", from = 0.1, to = 1, count = 2, scale = "log" },
  { key = "opponents", values = [["random"], ["random", "minimax"]] },
]
"#;

fn grid(place: &Place, set: &[&str]) -> String {
    place.write("grid.toml", &format!("{SMALL}{GRID}"));
    place.ok(&[&["train", "grid.toml", "--out", "grid"][..], set].concat())
}

/// The lines of a CSV file, each by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn a_grid_has_a_run_for_each_variant_and_is_one_table_and_two_pictures() {
    let place = Place::new();
    let out = grid(&place, &[]);
    assert!(
        out.contains("4 variants by discount and opponents"),
        "{out}"
    );
    assert!(out.contains("lab best grid"), "{out}");
    for file in [
        "sweep.toml",
        "sweep.svg",
        "sweep.png",
        "curve.svg",
        "curve.png",
    ] {
        assert!(place.path("grid").join(file).is_file(), "{file}");
    }
    let svg = place.read("grid/sweep.svg");
    assert!(
        svg.contains("q-learning as O, by discount and opponents"),
        "{svg}"
    );
    // A variant is the run that its config alone gives.
    place.write("alone.toml", SMALL);
    let opponents = "opponents=[\"random\",\"minimax\"]";
    let set = [
        "--set",
        "learner.q-learning.discount=0.1",
        "--set",
        opponents,
    ];
    place.ok(&[&["train", "alone.toml", "--out", "alone"][..], &set].concat());
    let of_variant = "grid/discount-0.1,opponents-random+minimax";
    assert!(results(&place.path("alone")) == results(&place.path(of_variant)));
    // All rows stand in one file, with a column for each key.
    let alone = place.read("alone/metrics.csv");
    let all = place.read("grid/metrics.csv");
    let head = format!("discount,opponents,{}", alone.lines().next().unwrap());
    assert_eq!(all.lines().next().unwrap(), head);
    let own = all
        .lines()
        .filter_map(|line| line.strip_prefix("0.1,random+minimax,"));
    assert_eq!(
        own.collect::<Vec<_>>(),
        alone.lines().skip(1).collect::<Vec<_>>()
    );
    assert_eq!(all.lines().count(), 1 + 4 * (alone.lines().count() - 1));

    // The bytes are the same with any number of threads, and after a part was lost.
    place.ok("train grid/sweep.toml --out again --threads 1");
    assert!(results(&place.path("grid")) == results(&place.path("again")));
    std::fs::remove_dir_all(place.path("again/discount-1,opponents-random")).unwrap();
    place.ok("train --resume again");
    assert!(results(&place.path("grid")) == results(&place.path("again")));

    // Other commands know the sweep.
    place.ok("plot grid");
    assert!(results(&place.path("grid")) == results(&place.path("again")));
    place.ok("plot grid --metric win-rate --output wins.svg");
    assert!(
        place
            .read("wins.svg")
            .contains("discount = 1, opponents = random")
    );
    let listed = place.ok("runs grid");
    assert!(
        listed.contains("discount-1,opponents-random+minimax"),
        "{listed}"
    );
    place.ok("report grid --output grid.html");
    assert!(
        place
            .read("grid.html")
            .contains("discount = 1, opponents = random+minimax")
    );
    place.refused("inspect grid", &["grid is a sweep"]);
    place.refused(
        "train --resume grid --set sweep.over.0.count=3",
        &["a sweep keeps its keys and their values"],
    );
    // A run of the sweep cannot be extended without the others, but can be resumed as it is.
    let run = ["train", "--resume", "grid/discount-1,opponents-random"];
    let refused = place.lab(&[&run[..], &["--set", "epochs=8"]].concat());
    assert_eq!(refused.code, Some(2));
    assert!(
        refused
            .err
            .contains("grid/discount-1,opponents-random belongs to a sweep")
            && refused.err.ends_with("/grid --set epochs=8\n"),
        "{}",
        refused.err
    );
    place.ok(&run);
    assert!(results(&place.path("grid")) == results(&place.path("again")));
}

#[test]
fn the_best_are_trained_again_with_seeds_that_did_not_choose_them() {
    let place = Place::new();
    grid(&place, &["--set", "episodes_per_epoch=300"]);
    let chosen = place.read("grid/metrics.csv");
    let before = results(&place.path("grid"));
    let best = ["best", "grid", "--top", "2", "--seeds", "6"];
    let out = place.ok(&best);
    assert!(
        out.contains("the best of 4 variants") && out.contains("winner's curse"),
        "{out}"
    );
    assert!(out.contains("seeds 1000001 to 1000006"), "{out}");
    assert!(!out.contains("both sides"), "{out}");
    let table = rows(&place.read("grid/best/best.csv"));
    assert_eq!(table.len(), 4);

    // What the sweep says about its variants, from its rows: seeds that no opponent can beat, and the
    // mean win rate of the last epoch.
    let mut variants: BTreeMap<(String, String), (usize, f64)> = BTreeMap::new();
    for row in rows(&chosen) {
        if row["epoch"] != "6" || row["method"] != "exact" {
            continue;
        }
        let variant = variants
            .entry((row["discount"].clone(), row["opponents"].clone()))
            .or_default();
        match row["opponent"].as_str() {
            "most-losses" if row["loss_rate"] == "0.0" => variant.0 += 1,
            "random" => variant.1 += row["win_rate"].parse::<f64>().unwrap() / 3.0,
            _ => {}
        }
    }
    assert!(
        variants.values().any(|variant| variant.0 > 0),
        "{variants:?}"
    );
    let mut ranked: Vec<_> = variants.into_iter().collect();
    ranked.sort_by(|a, b| b.1.partial_cmp(&a.1).unwrap());
    for (rank, ((discount, opponents), (safe, rate))) in ranked.iter().take(2).enumerate() {
        let row = &table[2 * rank];
        let value = |text: &str| text.parse::<f64>().unwrap();
        assert_eq!(
            (row["rank"].as_str(), row["stage"].as_str()),
            (&*(rank + 1).to_string(), "selection")
        );
        assert_eq!(value(&row["discount"]), value(discount));
        assert_eq!(&row["opponents"], opponents);
        assert_eq!(
            (row["seeds"].as_str(), row["unbeatable"].clone()),
            ("3", safe.to_string())
        );
        assert!((value(&row["rate"]) - rate).abs() < 1e-12, "{row:?}");
        // Seeds that are all the same say nothing about how they vary.
        if !row["rate_low"].is_empty() {
            assert!(value(&row["rate_low"]) <= *rate && *rate <= value(&row["rate_high"]));
        }
    }

    assert!(table.iter().any(|row| !row["rate_low"].is_empty()));

    // The fresh seeds give the same as a run of their own.
    let fresh = &table[1];
    assert_eq!(
        (fresh["stage"].as_str(), fresh["seeds"].as_str()),
        ("fresh", "6")
    );
    let ((discount, opponents), _) = &ranked[0];
    let number: f64 = discount.parse().unwrap();
    let root = format!("grid/discount-{number},opponents-{opponents}");
    let config = format!("{root}/config.toml");
    place.ok(&[
        "train", &config, "--out", "fresh", "--seed", "1000001", "--seeds", "6",
    ]);
    let of_best = root.replace("grid/", "grid/best/");
    assert_eq!(
        place.read("fresh/metrics.csv"),
        place.read(&format!("{of_best}/metrics.csv"))
    );
    let wins = rows(&place.read("fresh/metrics.csv"));
    let wins = wins.iter().filter(|row| {
        row["epoch"] == "6" && row["opponent"] == "random" && row["method"] == "exact"
    });
    let wins: Vec<f64> = wins.map(|row| row["win_rate"].parse().unwrap()).collect();
    assert_eq!(wins.len(), 6);
    let mean = wins.iter().sum::<f64>() / 6.0;
    assert!((fresh["rate"].parse::<f64>().unwrap() - mean).abs() < 1e-12);

    // The sweep is unchanged; a second request only prints the result again.
    let mut after = results(&place.path("grid"));
    after.retain(|path, _| !path.starts_with("best"));
    assert!(after == before);
    let comparison = results(&place.path("grid/best"));
    assert_eq!(place.ok(&best), out);
    assert!(results(&place.path("grid/best")) == comparison);
    // The comparison is a sweep, and is resumed if it was interrupted.
    std::fs::remove_dir_all(place.path(&of_best)).unwrap();
    std::fs::remove_file(place.path("grid/best/best.csv")).unwrap();
    assert_eq!(place.ok(&best), out);
    assert!(results(&place.path("grid/best")) == comparison);
    place.ok("train --resume grid/best");
    place.ok("plot grid/best");
    assert!(results(&place.path("grid/best")) == comparison);

    let runs = place.ok("runs .");
    assert!(runs.contains(&of_best), "no {of_best} in:\n{runs}");

    // Other comparisons do not take its place.
    for (arguments, words) in [
        (
            &["best", "grid", "--top", "1"][..],
            "has trainings of other variants, or of these in another order",
        ),
        (
            &["best", "grid", "--top", "5"],
            "--top 5: the sweep grid has 4 variants",
        ),
        (&["best", "fresh"], "is a single run, not a sweep"),
        (&["best", "nowhere"], "there is no run nowhere"),
        (&["best", "grid", "--seeds", "0"], "--seeds"),
    ] {
        place.refused(arguments, &[words]);
    }
    assert!(results(&place.path("grid/best")) == comparison);
    place.ok("best grid --top 1 --seeds 2 --out elsewhere");
    assert_eq!(rows(&place.read("elsewhere/best.csv")).len(), 2);

    // A sweep that is not finished has no best variant yet.
    std::fs::remove_dir_all(place.path("grid/discount-1,opponents-random")).unwrap();
    place.refused(&best, &["lab train --resume grid"]);
}

/// The command with which a training of a sweep ends its output.
fn hinted(text: &str) -> Option<Vec<&str>> {
    let (_, command) = text.split_once("with fresh seeds: lab ")?;
    Some(command.lines().next()?.split(' ').collect())
}

#[test]
fn two_variants_are_compared_as_the_training_says() {
    let place = Place::new();
    let key = "learner.q-learning.discount";
    place.write(
        "two.toml",
        &format!(
            "{SMALL}\n[sweep]\nkey = \"{key}\"\nvalues = [0.5, 1]\nnames = [\"half\", \"one\"]\n"
        ),
    );
    let set = "sweep={ key = \"learner.q-learning.discount\", values = [0.5] }";
    place.ok(&["train", "two.toml", "--out", "lone", "--set", set]);
    let ran = place.lab("compare lone lone/discount-0.5");
    assert!(
        ran.err
            .contains("all of the paths name one run, discount-0.5"),
        "{}",
        ran.err
    );
    let text = place.ok("train two.toml --out two --set epochs=1");
    let mut best = hinted(&text).unwrap_or_else(|| panic!("{text}"));
    assert_eq!(best, ["best", "two"]);
    best.extend(["--seeds", "2"]);
    let out = place.ok(&best);
    assert!(out.contains("the best of 2 variants"), "{out}");
    // Both tables call the values by their names.
    for table in ["two/metrics.csv", "two/best/best.csv"] {
        let rows = rows(&place.read(table));
        assert!(
            rows.iter()
                .all(|row| ["half", "one"].contains(&&*row["discount"]))
        );
    }
    // The comparison is extended with the sweep, as long as the order is the same.
    let two = |epochs: &str| {
        let epochs = format!("epochs={epochs}");
        place.ok(&["train", "--resume", "two", "--set", &epochs]);
    };
    two("2");
    let text = place.ok(&best);
    place.ok(&[&best[..], &["--out", "anew"]].concat());
    assert_eq!(place.read("two/best/best.csv"), place.read("anew/best.csv"));
    assert_eq!(place.ok(&best), text);
    let refused = place.lab("best two");
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    let words = "two/best has trainings by 2 fresh seeds, not 20: --seeds 2 continues it;";
    assert!(refused.err.contains(words), "{}", refused.err);
    // A seed that was fresh and is the sweep's now: neither number of seeds continues it.
    place.ok("train --resume two --set seeds=[1,2,3,1000002]");
    for best in [
        &best[..],
        &["best", "two"],
        &["best", "two", "--seeds", "1"],
    ] {
        let words = "two/best has trainings by other seeds, of which some were added to the sweep";
        place.refused(best, &[words]);
    }
    two("6");
    let refused = place.lab(&best);
    assert_eq!(refused.code, Some(2), "{}", refused.out);
    let words = "two/best has trainings of other variants, or of these in another order";
    assert!(refused.err.contains(words), "{}", refused.err);
    assert_eq!(place.read("two/best/best.csv"), place.read("anew/best.csv"));
}

#[test]
fn a_column_of_a_sweep_s_rows_has_a_name_of_its_own() {
    let place = Place::new();
    let sweep = "[sweep]\nkey = \"evaluation.games\"\nvalues = [4, 8]\n";
    place.write("games.toml", &format!("{SMALL}\n{sweep}"));
    place.ok("train games.toml --out games --set epochs=1");
    assert!(place.path("games/games-4/metrics.csv").is_file());
    let rows = rows(&place.read("games/metrics.csv"));
    let sampled = rows.iter().filter(|row| row["method"] == "sampled");
    let mut games: Vec<(&str, &str)> = sampled
        .map(|row| (&*row["evaluation.games"], &*row["games"]))
        .collect();
    games.dedup();
    assert_eq!(games, [("4", "4"), ("8", "8")]);
}

#[test]
fn a_run_in_the_place_of_another_variant_is_not_taken_for_it() {
    let place = Place::new();
    let sweep = "[sweep]\nkey = \"learner.q-learning.discount\"\nvalues = [0.5, 1]\n";
    place.write("two.toml", &format!("{SMALL}\n{sweep}"));
    place.ok("train two.toml --out two --seeds 1 --set epochs=1");
    let one = place.path("two/discount-1");
    fs::remove_dir_all(&one).unwrap();
    place.ok("train --config two/discount-0.5/config.toml --out again");
    fs::rename(place.path("again"), &one).unwrap();
    let why = "two/discount-1 is not the run of variant discount-1: its config has 'discount = 0.5' where the variant's \
               has 'discount = 1.0'; restore it, or remove it and train it again with: lab train --resume two\n";
    for command in ["plot two", "best two", "compare two", "train --resume two"] {
        place.refused(command, &[why]);
    }
    fs::remove_dir_all(&one).unwrap();
    place.ok("train --resume two");
    place.ok("plot two");
}

#[test]
fn a_variant_of_another_build_may_have_another_default() {
    let place = Place::new();
    let config = r#"
game = "tic-tac-toe"
side = "o"
epochs = 1
episodes_per_epoch = 10
opponents = ["random"]
[learner.td.value.table]
[sweep]
key = "learner.td.value"
values = [{ table = {} }, { n-tuple = { lines = [3] } }]
"#;
    place.write("two.toml", config);
    place.ok("train two.toml --out two");
    assert!(
        place
            .read("two/sweep.toml")
            .contains("defaults = [\"learner.td.learning_rate\"]")
    );
    let run = "two/value-table";
    fs::remove_dir_all(place.path(run)).unwrap();
    let other = [
        "train",
        "two/value-n-tuple_lines=3/config.toml",
        "--out",
        "other",
    ];
    place.ok(&other);
    fs::rename(place.path("other"), place.path(run)).unwrap();
    let why = "two/value-table is not the run of variant value-table: its config has ";
    place.refused("plot two", &[why]);
    let manifest = place.read(&format!("{run}/manifest.json"));
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let earlier = manifest.replace(&version, "\"version\": \"0.0.9\"");
    assert_ne!(earlier, manifest);
    place.write(&format!("{run}/manifest.json"), &earlier);
    place.ok("plot two");
}

#[test]
fn a_sweep_over_seeds_is_trained_in_shards() {
    let place = Place::new();
    let sweep = "[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n";
    place.write("seeds.toml", &format!("{SMALL}\n{sweep}"));
    place.ok("train seeds.toml --out whole --set epochs=1");
    for index in 0..2 {
        let shard = format!("train seeds.toml --set epochs=1 --shard {index}/2 --out s-{index}");
        place.ok(&shard[..]);
        place.ok(&shard[..]);
    }
    place.ok("merge merged s-0 s-1");
    assert!(results(&place.path("merged")) == results(&place.path("whole")));
}

#[test]
fn a_sweep_over_seeds_has_no_best() {
    let place = Place::new();
    place.write(
        "seeds.toml",
        &format!("{SMALL}\n[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n"),
    );
    let out = place.ok("train seeds.toml --out seeds");
    assert_eq!(hinted(&out), None, "{out}");
    place.refused("best seeds", &["goes over the seeds themselves"]);
}

#[test]
fn a_grid_of_many_variants_names_the_best() {
    let place = Place::new();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/grid_q_learning.toml");
    let rate = "{ key = \"learner.q-learning.learning_rate\", values = [0.1, 0.2, 0.3, 0.5] }";
    let epsilon = "{ key = \"learner.q-learning.exploration.epsilon-greedy.epsilon\", values = [0, 0.1, 0.2, 0.3, 0.5, 1] }";
    let over = format!("sweep.over=[{rate}, {epsilon}]");
    let short = [
        "--seeds",
        "1",
        "--set",
        "epochs=1",
        "--set",
        "episodes_per_epoch=100",
        "--set",
        "side=both",
        "--set",
        &over,
    ];
    let start = ["train", config.to_str().unwrap(), "--out", "grid"];
    let out = place.ok(&[&start[..], &short].concat());
    assert!(
        out.contains("24 variants by learning_rate and epsilon"),
        "{out}"
    );
    assert!(
        out.contains("The best 20 of 24 variants; the others are in grid/metrics.csv"),
        "{out}"
    );
    let ranked = "Best first: by the share of seeds that are unbeatable on both sides, then the win rate against random, \
                  averaged over both sides.\nThe best 20 of 24";
    assert!(out.contains(ranked), "{out}");
    let best = place.ok("best grid --seeds 2");
    assert!(best.contains("the best of 24 variants"), "{best}");
    assert!(
        best.contains(", averaged over both sides; an unbeatable seed is so on both. "),
        "{best}"
    );
    assert!(best.contains(" of them share first place"), "{best}");
}

#[test]
fn a_wrong_sweep_of_several_keys_is_reported_with_file_line_and_key() {
    let discount = "key = \"learner.q-learning.discount\"";
    for (sweep, words) in [
        (
            "over = [{ kye = \"seeds\", values = [1] }]".to_owned(),
            &["bad.toml:24:11", "sweep.over[0].kye: unknown key, did you mean 'key'?"][..],
        ),
        (
            "over = [{ key = \"learner.q-learning.discont\", values = [1] }]".to_owned(),
            &["bad.toml:24:9", "sweep.over[0]: learner.q-learning.discont=1: learner.q-learning.discont: unknown key", "'discount'"],
        ),
        (
            format!("over = [{{ {discount} }}]"),
            &["sweep.over[0]: a key is missing: values", "in place of values: from = 0.01, to = 1"],
        ),
        (
            format!("over = [{{ {discount}, from = 0.1, to = 1 }}]"),
            &["sweep.over[0].from", "count = 8"],
        ),
        (
            format!("over = [{{ {discount}, from = 0, to = 1, count = 3, scale = \"log\" }}]"),
            &["sweep.over[0].from: equal ratios cannot start at 0, expected a number above 0"],
        ),
        (
            format!("over = [{{ {discount}, from = 1, to = 0.5, count = 3 }}]"),
            &["sweep.over[0].to: 0.5 is not above 1, where the range begins"],
        ),
        (
            format!("over = [{{ {discount}, from = 0.1, to = 1, values = [1] }}]"),
            &["sweep.over[0].from: this belongs to a range, but values are given; use one or the other"],
        ),
        (
            format!("over = [{{ {discount}, values = [0.5, 2] }}]"),
            &["bad.toml:24:9", "sweep.over[0]: learner.q-learning.discount=2: learner.q-learning.discount: 2 is out of range"],
        ),
        (
            format!("over = [{{ {discount}, values = [0.5] }}, {{ {discount}, values = [1] }}]"),
            &["sweep.over[1].key: the key is listed twice"],
        ),
        (
            "over = [{ key = \"opponents\", values = [[\"random\"], [\"randm\"]] }]".to_owned(),
            &["bad.toml:24:9", "opponents[0]: unknown agent 'randm', did you mean 'random'?"],
        ),
        (
            format!("over = [{{ key = \"opponents.0.weight\", values = [1, 0] }}, {{ {discount}, values = [0.9, 1] }}]"),
            &["sweep.over[0]: opponents.0.weight=0, learner.q-learning.discount=0.9: opponents[0].weight: 0 is out of range"],
        ),
        (
            "over = [{ key = \"opponents\", values = [[\"random\"], [{ agent = \"random\" }]] }]".to_owned(),
            &["sweep: variants 1 and 2 are the same: random"],
        ),
        (
            "over = [{ key = \"opponents\", values = [[\"random\"], [\"minimax\"]], names = [\"a\"] }]".to_owned(),
            &["sweep.over[0].names: 1 name for 2 values"],
        ),
        (
            "over = [{ key = \"opponents\", values = [[\"random\"], [\"minimax\"]], names = [\"a/\", \"a:\"] }]"
                .to_owned(),
            &["would both have the directory opponents-a; give their values other names"],
        ),
        (
            "over = [{ key = \"learner\", values = [{ q-learnin = {} }] }]".to_owned(),
            &["bad.toml:24:9", "learner.q-learnin: unknown key, did you mean 'q-learning'?"],
        ),
        ("over = [{ key = \"side\", values = [\"x\", \"o\"] }]".to_owned(), &["a sweep stays with one side"]),
        (
            "over = [{ key = \"evaluation.opponents\", values = [[\"random\"], [\"minimax\"]] }]".to_owned(),
            &["measured against the same opponents"],
        ),
        (
            format!("mode = \"zip\"\nover = [{{ {discount}, values = [0, 1] }}, {{ key = \"patience\", values = [1] }}]"),
            &["there are 2 and 1 of them; expected as many of each"],
        ),
        (
            format!("mode = \"grid\"\nover = [{{ {discount}, values = [1] }}]"),
            &["bad.toml:24:8", "sweep.mode: unknown value 'grid', expected one of: product, zip"],
        ),
        (
            format!("mode = \"random\"\nover = [{{ {discount}, values = [1] }}]"),
            &["sweep.mode: a key is missing: samples", "samples = 40"],
        ),
        (
            format!("samples = 40\nover = [{{ {discount}, values = [1] }}]"),
            &["sweep.samples: nothing is drawn"],
        ),
        (
            format!("{discount}\nvalues = [1]\nover = [{{ {discount}, values = [1] }}]"),
            &["sweep.over: give either key with values, or over, not both"],
        ),
        ("over = []".to_owned(), &["sweep.over: 0 keys, expected 1 to 16"]),
        (
            "mode = \"random\"".to_owned(),
            &["keys are missing: key", "in place of key: over = [{ key = \"learner.mcts.c\", values"],
        ),
        (
            format!(
                "over = [{{ {discount}, from = 0, to = 1, count = 1000 }}, \
                 {{ key = \"learner.q-learning.initial_value\", from = 0, to = 1, count = 11 }}]"
            ),
            &["more than 10,000 variants"],
        ),
    ] {
        let place = Place::new();
        place.write("bad.toml", &format!("{}\n[sweep]\n{sweep}\n", SMALL.trim()));
        let refused = place.lab("train bad.toml");
        assert_eq!(refused.code, Some(2), "{sweep}: {}", refused.out);
        for word in words {
            assert!(refused.err.contains(word), "no '{word}' in: {}", refused.err);
        }
        assert!(!place.path("runs").exists());
    }
    // The command line sets these keys like any others.
    let place = Place::new();
    place.write("grid.toml", &format!("{SMALL}{GRID}"));
    for (set, words) in [
        (
            "sweep.over.0.cuont=3",
            "sweep.over[0].cuont: unknown key, did you mean 'count'?",
        ),
        ("sweep.mode=zap", "did you mean 'zip'?"),
        (
            "sweep.from=3",
            "sweep.from: unknown key, did you mean 'from' in [[sweep.over]]?",
        ),
        (
            "sweep.over.2.count=3",
            "'2' selects none of the 2 entries, which are counted from 0",
        ),
    ] {
        place.refused(&["train", "grid.toml", "--set", set], &[words]);
    }
    let set = [
        "--set",
        "sweep.mode=zip",
        "--set",
        "sweep.over.0.count=2",
        "--set",
        "epochs=1",
    ];
    let out = place.ok(&[&["train", "grid.toml", "--out", "zip"][..], &set].concat());
    assert!(
        out.contains("2 variants by discount and opponents"),
        "{out}"
    );
}

#[cfg(unix)]
#[test]
fn a_variant_that_the_system_refuses_to_read_is_not_called_missing() {
    use crate::place::{SMALL_TREE, json};

    let place = Place::new();
    let swept = format!("{SMALL_TREE}[sweep]\nkey = \"learner.mcts.c\"\nvalues = [0.5, 1]\n");
    place.write("swept.toml", &swept);
    let train = ["train", "swept.toml", "--seeds", "1", "--out", "all/swept"];
    place.ok(&train);
    // A link to itself, which root cannot follow either.
    let config = place.path("all/swept/c-1/config.toml");
    std::fs::remove_file(&config).unwrap();
    std::os::unix::fs::symlink("config.toml", &config).unwrap();
    let why = "cannot read all/swept/c-1/config.toml: ";
    for arguments in [
        &["verify", "all/swept"][..],
        &["verify", "all/swept", "--fast"],
        &["train", "--resume", "all/swept"],
        &["plot", "all/swept"],
        &["compare", "all/swept"],
        &["best", "all/swept"],
        &["export", "all/swept", "--tensorboard", "events"],
        &["merge", "merged", "all/swept"],
        &["report", "all/swept", "--output", "swept.html"],
    ] {
        let ran = place.lab(arguments);
        let outcome = format!("{arguments:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.code, Some(1), "{outcome}");
        assert!(ran.err.contains(&format!("error: {why}")), "{outcome}");
    }
    assert!(!place.path("merged").exists() && !place.path("swept.html").exists());
    for (directory, name) in [("all", "swept/c-1"), ("all/swept", "c-1")] {
        let listed = place.ok(&["runs", directory]);
        let mut lines = listed.lines();
        let line = lines.find(|line| line.starts_with(&format!("{name} ")));
        assert!(
            line.is_some_and(|line| line.ends_with(" has no readable results")),
            "{listed}"
        );
    }
    // In a directory of runs it does not keep the others from being verified.
    place.write("small.toml", SMALL);
    place.ok("train small.toml --seeds 1 --out all/z");
    let ran = place.lab("verify all --fast");
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("all/z: same ("), "{}", ran.out);
    let ran = place.lab("verify all/swept --json");
    let report = json(&ran.out);
    let error = report["runs"][0]["error"].as_str().unwrap();
    assert!(error.starts_with(why), "{error}");
}

#[test]
fn a_sweep_over_seeds_speaks_of_means_where_some_variant_has_several() {
    let place = Place::new();
    let text = format!("{SMALL}\n[sweep]\nkey = \"seeds\"\nvalues = [1, 2]\n");
    place.write("seeds.toml", &text);
    let out = place.ok("train seeds.toml --out out");
    let note = "Exact rates after the last epoch, mean over the seeds.";
    assert!(out.contains(note), "{out}");
}
