//! What a sweep makes of a config, and how its variants compare.

use std::collections::BTreeSet;
use std::sync::Arc;

use playlab::chart::{by_sweep, compare, grid, parallel};
use playlab::compare::Only;
use playlab::config::{Config, Swept, Variant};
use playlab::game::{Side, Value};
use playlab::graph::WORST_OPPONENTS;
use playlab::plot::{
    Figure, Grid, GridTable, Names, Parallel, ParallelAxis, ParallelLine, Picture, mixed,
};
use playlab::stats::{TOLERANCE, mean};
use playlab::train::{
    Cast, EvaluationMethod, Experiment, Metric, MetricsRow, Recorded, Standing, TrainingRow,
    ranking,
};
use playlab::workflow::stage;

use crate::place::{SMALL, SMALL_TREE};
use crate::plot::pixels;

fn config(sweep: &str) -> Config {
    Config::parse(&format!("{SMALL}\n[sweep]\n{sweep}\n"), "test.toml").unwrap()
}

fn swept(sweep: &str) -> Swept {
    config(sweep).swept().unwrap().unwrap()
}

fn names(swept: &Swept) -> Vec<&str> {
    swept
        .variants
        .iter()
        .map(|variant| variant.name.as_str())
        .collect()
}

/// The numbers of a key, variant by variant.
fn numbers(swept: &Swept, key: usize) -> Vec<f64> {
    let number = |variant: &Variant| variant.values[key].number.unwrap();
    swept.variants.iter().map(number).collect()
}

/// A key that takes numbers from 0 to 1.
const DISCOUNT: &str = "learner.q-learning.discount";

#[test]
fn a_product_combines_all_values_and_a_zip_pairs_them_in_order() {
    let over = format!(
        "over = [{{ key = \"{DISCOUNT}\", values = [0.5, 1] }}, {{ key = \"opponents\", \
         values = [[\"random\"], [\"random\", \"minimax\"]] }}]"
    );
    let product = swept(&over);
    let expected = [
        "discount-0.5,opponents-random",
        "discount-0.5,opponents-random+minimax",
        "discount-1,opponents-random",
        "discount-1,opponents-random+minimax",
    ];
    assert_eq!(names(&product), expected);
    let zip = swept(&format!("mode = \"zip\"\n{over}"));
    assert_eq!(names(&zip), [expected[0], expected[3]]);
    assert_eq!(
        zip.title(&zip.variants[1]),
        "discount = 1, opponents = random+minimax"
    );

    // A variant is the config that says the same without a sweep.
    let plain = Config::parse(SMALL, "test.toml").unwrap();
    let set = [
        format!("{DISCOUNT}=0.5"),
        "opponents=[\"random\",\"minimax\"]".to_owned(),
    ];
    assert_eq!(
        product.variants[1].config,
        plain.with_overrides(&set).unwrap()
    );
}

#[test]
fn words_booleans_and_whole_tables_are_values() {
    let learners =
        swept("key = \"learner\"\nvalues = [{ q-learning = {} }, { sarsa = { discount = 0.5 } }]");
    let found = names(&learners);
    assert_eq!(found, ["learner-q-learning", "learner-sarsa_discount=0.5"]);
    let kinds = learners
        .variants
        .iter()
        .map(|variant| variant.config.learner.as_ref().unwrap().name());
    assert_eq!(kinds.collect::<Vec<_>>(), ["q-learning", "sarsa"]);
    assert_eq!(
        config("key = \"learner\"\nvalues = [{ sarsa = {} }]").subject(None),
        "q-learning as O"
    );

    let folded = swept("key = \"learner.q-learning.fold_symmetries\"\nvalues = [true, false]");
    assert_eq!(
        names(&folded),
        ["fold_symmetries-true", "fold_symmetries-false"]
    );
    let table =
        swept("key = \"learner.q-learning.table\"\nvalues = [\"state-action\", \"afterstate\"]");
    assert_eq!(names(&table), ["table-state-action", "table-afterstate"]);
    // Rewards may be negative.
    let losses = swept("key = \"learner.q-learning.rewards.loss\"\nvalues = [-1, -2.5]");
    assert_eq!(names(&losses), ["loss--1", "loss--2.5"]);
}

#[test]
fn a_learner_has_its_longer_name_unless_its_option_is_swept() {
    let double = SMALL.replace(
        "[learner.q-learning]",
        "[learner.q-learning]\ndouble = true",
    );
    let config = Config::parse(&double, "test.toml").unwrap();
    assert_eq!(config.subject(None), "double q-learning as O");
    let sweep = "[sweep]\nkey = \"learner.q-learning.double\"\nvalues = [true, false]\n";
    let config = Config::parse(&format!("{SMALL}\n{sweep}"), "test.toml").unwrap();
    let swept = config.swept().unwrap().unwrap();
    let of_first = &swept.variants[0].config;
    assert_eq!(of_first.subject(Some(&swept.sweep)), "q-learning as O");
    assert_eq!(of_first.subject(None), "double q-learning as O");
}

#[test]
fn given_names_take_the_place_of_the_values() {
    let one = swept(
        "key = \"learner\"\nnames = [\"a\", \"b\"]\nvalues = [{ q-learning = {} }, { sarsa = {} }]",
    );
    assert_eq!(names(&one), ["learner-a", "learner-b"]);
    // A name that two values of one key would share is reported, with what to write.
    let [first, second] = ["a b", "a/b"].map(|option| format!("policy:{option}.csv"));
    let two = format!("key = \"opponents\"\nvalues = [[\"{first}\"], [\"{second}\"]]");
    let message = refusal(&two);
    assert!(
        message.contains("names = [\"one\", \"another\"]"),
        "{message}"
    );
    let named = swept(&format!("{two}\nnames = [\"one\", \"another\"]"));
    assert_eq!(names(&named), ["opponents-one", "opponents-another"]);
    let swept = swept(
        "over = [{ key = \"opponents\", values = [[\"random\"], [\"minimax\"]], names = [\"a b\", \"c/d\"] }]",
    );
    assert_eq!(names(&swept), ["opponents-a_b", "opponents-c_d"]);
    assert_eq!(swept.title(&swept.variants[1]), "opponents = c/d");
}

#[test]
fn keys_that_end_alike_have_longer_labels() {
    let weights = Config::parse(
        &format!(
            "{}\n[[opponents]]\nagent = \"minimax\"\n[sweep]\nover = [{{ key = \"opponents.0.weight\", \
             values = [1, 2] }}, {{ key = \"opponents.1.weight\", values = [1] }}]\n",
            SMALL
        ),
        "test.toml",
    );
    let swept = weights.unwrap().swept().unwrap().unwrap();
    assert_eq!(swept.sweep.labels(), ["0.weight", "1.weight"]);
    assert_eq!(swept.variants[1].name, "0.weight-2,1.weight-1");
}

#[test]
fn a_range_has_equal_steps_or_equal_ratios() {
    let range = |more: &str| {
        let key = format!("over = [{{ key = \"{DISCOUNT}\", {more} }}]");
        numbers(&swept(&key), 0)
    };
    assert_eq!(
        range("from = 0, to = 1, count = 5"),
        [0.0, 0.25, 0.5, 0.75, 1.0]
    );
    assert_eq!(
        range("from = 0.001, to = 1, count = 4, scale = \"log\""),
        [0.001, 0.01, 0.1, 1.0]
    );
    // To four digits, except for the ends.
    assert_eq!(
        range("from = 0.10001, to = 1, count = 4"),
        [0.10001, 0.4, 0.7, 1.0]
    );
    assert_eq!(
        range("from = 0.5, to = 1, count = 4"),
        [0.5, 0.6667, 0.8333, 1.0]
    );
    // For a key that takes only whole numbers, and where `whole` requests them.
    let whole =
        swept("over = [{ key = \"patience\", from = 1, to = 100, count = 3, scale = \"log\" }]");
    assert_eq!(numbers(&whole, 0), [1.0, 10.0, 100.0]);
    let whole = swept("over = [{ key = \"patience\", from = 1, to = 4, count = 3 }]");
    assert_eq!(numbers(&whole, 0), [1.0, 3.0, 4.0]);
    assert_eq!(
        range("from = 0, to = 1, count = 2, whole = true"),
        [0.0, 1.0]
    );
    // Numbers that are rounded to the same one count once.
    let whole =
        swept("over = [{ key = \"patience\", from = 1, to = 8, count = 8, scale = \"log\" }]");
    assert_eq!(numbers(&whole, 0), [1.0, 2.0, 3.0, 4.0, 6.0, 8.0]);
    // A number that rounding would take out of the range is not rounded.
    let narrow = range("from = 0.123451, to = 0.123454, count = 4");
    let expected = [0.123451, 0.123452, 0.123453, 0.123454];
    assert_eq!(narrow.len(), 4);
    for (number, expected) in narrow.iter().zip(expected) {
        assert!((number - expected).abs() < 1e-9, "{narrow:?}");
    }
}

/// The message with which this sweep is refused.
fn refusal(sweep: &str) -> String {
    let config = Config::parse(&format!("{SMALL}\n[sweep]\n{sweep}\n"), "test.toml");
    config.unwrap_err().to_string()
}

#[test]
fn whole_numbers_need_whole_ends_and_none_is_there_twice_in_a_zip() {
    let message = refusal(
        "over = [{ key = \"learner.q-learning.initial_value\", from = 1.5, to = 2, count = 2, whole = true }]",
    );
    assert!(
        message.contains("sweep.over[0].from: 1.5 is not whole"),
        "{message}"
    );
    let message = refusal("over = [{ key = \"patience\", from = 1, to = 2.5, count = 2 }]");
    assert!(
        message.contains("sweep.over[0].to: 2.5 is not whole"),
        "{message}"
    );
    let message = refusal(&format!(
        "mode = \"zip\"\nover = [{{ key = \"{DISCOUNT}\", from = 0, to = 1, count = 4 }}, \
         {{ key = \"patience\", from = 1, to = 3, count = 4 }}]"
    ));
    let expected = "sweep.over[1].count: 4 numbers give 2 twice; expected a smaller count";
    assert!(message.contains(expected), "{message}");
}

/// How many samples of a range are counted.
const SAMPLES: u64 = 400;

/// How often each whole number from 1 to 5 is drawn.
fn frequencies(mode: &str, scale: &str) -> [u64; 5] {
    let swept = swept(&format!(
        "mode = \"{mode}\"\nsamples = {SAMPLES}\nover = [\
         {{ key = \"patience\", from = 1, to = 5, scale = \"{scale}\" }}, \
         {{ key = \"{DISCOUNT}\", from = 0, to = 1 }}, \
         {{ key = \"learner.q-learning.initial_value\", from = 0, to = 1 }}]"
    ));
    let mut counts = [0; 5];
    for number in numbers(&swept, 0) {
        counts[number as usize - 1] += 1;
    }
    counts
}

#[test]
fn whole_numbers_are_drawn_with_equal_probability_or_by_their_logarithms() {
    let expected = |share: f64| SAMPLES as f64 * share;
    let near = |counts: [u64; 5], shares: [f64; 5]| {
        let terms = counts.iter().zip(shares).map(|(&count, share)| {
            let off = count as f64 - expected(share);
            off * off / expected(share)
        });
        // The 99.9 % quantile of χ² with four degrees of freedom.
        let sum: f64 = terms.sum();
        assert!(sum < 18.467, "{counts:?}, not {shares:?}: {sum}");
    };
    near(frequencies("random", "linear"), [0.2; 5]);
    let by_logarithms = [1.0, 2.0, 3.0, 4.0, 5.0f64]
        .map(|number| ((number + 0.5) / (number - 0.5)).ln() / (5.5f64 / 0.5).ln());
    near(frequencies("random", "log"), by_logarithms);
    // Spread evenly: each as often as its share, give or take one sample at each end.
    assert_eq!(frequencies("latin-hypercube", "linear"), [80; 5]);
    let counts = frequencies("latin-hypercube", "log");
    for (count, share) in counts.into_iter().zip(by_logarithms) {
        assert!((count as f64 - expected(share)).abs() <= 2.0, "{counts:?}");
    }
}

#[test]
fn drawn_numbers_stay_in_their_range() {
    let swept = swept(&format!(
        "mode = \"random\"\nsamples = 50\nover = [{{ key = \"{DISCOUNT}\", from = 0.123451, to = 0.123454 }}]"
    ));
    let numbers = numbers(&swept, 0);
    let range = 0.123451..=0.123454;
    assert!(
        numbers.iter().all(|number| range.contains(number)),
        "{numbers:?}"
    );
}

/// On larger boards each agent's policy takes hundreds of MiB.
#[test]
fn variants_share_the_agents_that_they_name() {
    let all = swept("key = \"learner.q-learning.discount\"\nvalues = [0.5, 1]").variants;
    let stage = stage(all[0].config.game);
    let cast = Cast::new(&stage);
    let prepare = |variant: &Variant| {
        let prepared = Experiment::prepare_with(variant.config.clone(), &cast);
        prepared.unwrap().judges
    };
    let [one, other] = [&all[0], &all[1]].map(prepare);
    assert!(one.len() > 1);
    for (one, other) in one.iter().zip(&other) {
        assert!(Arc::ptr_eq(one, other), "{}", one.spec);
    }
    let apart = Experiment::prepare(all[0].config.clone(), &stage).unwrap();
    assert!(!Arc::ptr_eq(&one[0], &apart.judges[0]));
}

/// It would get the rates of the next opponent.
#[test]
fn an_opponent_without_a_policy_is_refused_where_strength_is_computed() {
    let mut config = config("key = \"learner.q-learning.discount\"\nvalues = [0.5]");
    let judges = &mut config.evaluation.opponents;
    judges.insert(0, "mcts:simulations=5".parse().unwrap());
    let stage = stage(config.game);
    let why = Experiment::prepare(config, &stage).err().unwrap();
    assert_eq!(
        why.to_string(),
        "agent 'mcts:simulations=5': the probabilities of its moves cannot be listed, as measuring against it needs \
         them"
    );
}

/// A learner whose defaults depend on the kind of its value, and on the game.
const LEARNED: &str = "game = \"tic-tac-toe\"\nside = \"both\"\nepochs = 1\nepisodes_per_epoch = 1\n\
                       opponents = [\"random\"]\n[learner.td]\nvalue = { table = {} }\n";

#[test]
fn a_default_depends_on_the_keys_that_are_set() {
    let key = |config: &Config, path: &str| -> toml::Value {
        let table: toml::Table = config.to_toml().parse().unwrap();
        let place = toml::Value::Table(table);
        path.split('.')
            .fold(place, |place, part| place[part].clone())
    };
    let rate = "learner.td.learning_rate.constant";
    let sweep =
        "[sweep]\nkey = \"learner.td.value\"\nvalues = [{ table = {} }, { network = {} }]\n";
    let rates = |text: &str| -> Vec<toml::Value> {
        let config = Config::parse(text, "test.toml").unwrap();
        let variants = config.variants().unwrap();
        variants
            .iter()
            .map(|variant| key(&variant.config, rate))
            .collect()
    };
    assert_eq!(
        rates(&format!("{LEARNED}{sweep}")),
        [1.0.into(), 0.001.into()]
    );
    // A given value stays, even if it equals the default; and so do given and default values when the config was
    // written, with every default spelled out.
    for (given, expected) in [
        ("", [1.0, 0.001]),
        ("learning_rate = 0.5\n", [0.5, 0.5]),
        ("learning_rate = 1.0\n", [1.0, 1.0]),
        ("learning_rate = 0.001\n", [0.001, 0.001]),
    ] {
        let given = format!("{LEARNED}{given}{sweep}");
        let config = Config::parse(&given, "test.toml").unwrap();
        for text in [given, config.to_toml()] {
            assert_eq!(rates(&text), expected.map(toml::Value::from), "{text}");
            // A value that is set stays as well.
            for set in [
                "learner.td.learning_rate=0.25",
                "learner.td.learning_rate.constant=0.25",
            ] {
                let config = Config::parse(&text, "test.toml").unwrap();
                let config = config.with_overrides(&[set.to_owned()]).unwrap();
                assert_eq!(
                    rates(&config.to_toml()),
                    [0.25.into(), 0.25.into()],
                    "{set}"
                );
            }
        }
    }
    // A default that the sweep does not decide keeps its value, and is not named.
    let other = "learning_rate = 0.5\n[sweep]\nkey = \"learner.td.lambda\"\nvalues = [0.5, 1]\n";
    let wrong = format!("{LEARNED}{other}defaults = [\"learner.td.learning_rate\"]\n");
    let wrong = Config::parse(&wrong, "test.toml").unwrap_err().to_string();
    assert!(wrong.contains("depends on no key of this sweep"), "{wrong}");
    let wrong = format!("{LEARNED}{sweep}defaults = [\"epochs\"]\n");
    let wrong = Config::parse(&wrong, "test.toml").unwrap_err().to_string();
    assert!(
        wrong.contains("sweep.defaults: the default of 'epochs' depends on no key of this sweep"),
        "{wrong}"
    );
    let given = format!("{LEARNED}[evaluation]\nopponents = [\"random\", \"minimax\"]\n");
    let config = Config::parse(&given, "test.toml").unwrap();
    let larger = ["game=connect-four", "learner.td.value={network={}}"].map(str::to_owned);
    let config = config.with_overrides(&larger).unwrap();
    let expected = ["random", "minimax"].map(toml::Value::from);
    assert_eq!(
        key(&config, "evaluation.opponents"),
        expected.to_vec().into()
    );

    let config = Config::parse(LEARNED, "test.toml").unwrap();
    let with = |config: &Config, set: &[&str]| {
        let set: Vec<String> = set.iter().map(|set| (*set).to_owned()).collect();
        config.with_overrides(&set).unwrap()
    };
    let config = with(&config, &["learner.td.value={network={}}"]);
    assert_eq!(key(&config, rate), 0.001.into());
    let [games, opponents] = ["evaluation.games", "evaluation.opponents"];
    // What is computed is not counted in games too, except for agents that may need it.
    assert_eq!(key(&config, games), 0.into());
    let agent = "game = \"tic-tac-toe\"\nside = \"x\"\nagent = \"mcts\"\n";
    let agent = Config::parse(agent, "test.toml").unwrap();
    assert_eq!(key(&agent, games), 1000.into());
    let large = with(&config, &["game=connect-four"]);
    assert_eq!(key(&large, games), 100.into());
    let expected = ["alpha-beta:depth=2", "random"].map(toml::Value::from);
    assert_eq!(key(&large, opponents), expected.to_vec().into());
    // And back again.
    assert_eq!(with(&large, &["game=tic-tac-toe"]), config);
    assert_eq!(
        key(
            &with(&config, &["game=connect-four", "evaluation.games=7"]),
            games
        ),
        7.into()
    );
    // One item of a default list can be set alone.
    let set = with(&config, &["evaluation.opponents.1=greedy"]);
    let expected = ["random", "greedy"].map(toml::Value::from);
    assert_eq!(key(&set, opponents), expected.to_vec().into());
}

const DRAWN: &str = r#"over = [
  { key = "learner.q-learning.discount", from = 0.001, to = 1, scale = "log" },
  { key = "learner.q-learning.initial_value", from = -1, to = 1 },
  { key = "learner.q-learning.fold_symmetries", values = [true, false] },
]"#;

#[test]
fn the_seed_decides_random_samples_and_more_of_them_begin_alike() {
    let draw = |seed: u64, samples: u64| {
        swept(&format!(
            "mode = \"random\"\nsamples = {samples}\nseed = {seed}\n{DRAWN}"
        ))
    };
    let (few, many) = (draw(1, 20), draw(1, 200));
    assert_eq!(names(&few), names(&many)[..20]);
    assert_ne!(names(&few), names(&draw(2, 20)));
    // Without a seed it is 1.
    let plain = swept(&format!("mode = \"random\"\nsamples = 20\n{DRAWN}"));
    assert_eq!(names(&few), names(&plain));
    assert_eq!(names(&many).into_iter().collect::<BTreeSet<_>>().len(), 200);
    // Log-uniform: the mean of the logarithms is the mean of the ends', within four standard errors of 200.
    let logarithms: Vec<f64> = numbers(&many, 0).into_iter().map(f64::log10).collect();
    assert!((mean(&logarithms) + 1.5).abs() < 4.0 * 3.0 / (12.0f64 * 200.0).sqrt());
    assert!(
        numbers(&many, 1)
            .iter()
            .all(|number| (-1.0..=1.0).contains(number))
    );
    let folded = many
        .variants
        .iter()
        .filter(|variant| variant.values[2].name == "true")
        .count();
    assert!((72..=128).contains(&folded), "{folded} of 200");
}

#[test]
fn a_latin_hypercube_has_one_sample_in_each_part_of_each_range() {
    for seed in [1, 2, 77] {
        let swept = swept(&format!(
            "mode = \"latin-hypercube\"\nsamples = 20\nseed = {seed}\n{DRAWN}"
        ));
        let is_spread = |mut shares: Vec<f64>| {
            shares.sort_by(f64::total_cmp);
            let mut parts = shares.iter().enumerate();
            parts.all(|(part, share)| (20.0 * share - part as f64 - 0.5).abs() < 0.5 + 1e-9)
        };
        let logarithms = numbers(&swept, 0)
            .into_iter()
            .map(|number| number.log10() / 3.0 + 1.0);
        assert!(is_spread(logarithms.collect()));
        let shares = numbers(&swept, 1)
            .into_iter()
            .map(|number| (number + 1.0) / 2.0);
        assert!(is_spread(shares.collect()));
        let folded = swept
            .variants
            .iter()
            .filter(|variant| variant.values[2].name == "true");
        assert_eq!(folded.count(), 10);
    }
}

#[test]
fn numbers_of_a_narrow_range_are_told_apart() {
    for (mode, seed) in [
        ("random", 1),
        ("latin-hypercube", 1),
        ("latin-hypercube", 2),
    ] {
        let swept = swept(&format!(
            "mode = \"{mode}\"\nsamples = 20\nseed = {seed}\n\
             over = [{{ key = \"{DISCOUNT}\", from = 0.5, to = 0.501 }}]"
        ));
        let mut shares = numbers(&swept, 0);
        shares
            .iter_mut()
            .for_each(|number| *number = (*number - 0.5) / 0.001);
        shares.sort_by(f64::total_cmp);
        assert!(
            shares.windows(2).all(|pair| pair[0] < pair[1]),
            "{shares:?}"
        );
        assert!(0.0 <= shares[0] && shares[19] <= 1.0, "{shares:?}");
        for (part, share) in (0..).zip(&shares).filter(|_| mode == "latin-hypercube") {
            assert!(
                (20.0 * share - f64::from(part) - 0.5).abs() < 0.5 + 1e-9,
                "{shares:?}"
            );
        }
        // No more digits than they need.
        assert!(
            names(&swept)
                .iter()
                .all(|name| name.len() <= "discount=0.50012345".len()),
            "{:?}",
            names(&swept)
        );
    }
    let steps = swept(&format!(
        "over = [{{ key = \"{DISCOUNT}\", from = 0.5, to = 0.5003, count = 4 }}]"
    ));
    assert_eq!(numbers(&steps, 0), [0.5, 0.5001, 0.5002, 0.5003]);
}

#[test]
fn every_combination_can_be_drawn_but_no_more() {
    let draw = |samples: u64| {
        let text = format!(
            "{SMALL}\n[sweep]\nmode = \"random\"\nsamples = {samples}\nover = [\
             {{ key = \"{DISCOUNT}\", values = [0.5, 0.9, 1] }}, \
             {{ key = \"learner.q-learning.initial_value\", from = 0, to = 1, count = 3 }}]\n"
        );
        Config::parse(&text, "test.toml")
    };
    let all = draw(9).unwrap().swept().unwrap().unwrap();
    assert_eq!(names(&all).into_iter().collect::<BTreeSet<_>>().len(), 9);
    let error = draw(10).unwrap_err().to_string();
    assert!(
        error.contains("there are 9 different variants; expected at most 9 samples"),
        "{error}"
    );
}

#[test]
fn names_too_long_for_a_directory_become_numbers() {
    let long = "x".repeat(60);
    let keys = ["random", "minimax", "greedy", "block-or-random"]
        .iter()
        .enumerate();
    let keys = keys.map(|(i, agent)| {
        format!("{{ key = \"opponents.{i}.agent\", values = [\"{agent}\"], names = [\"{long}\"] }}")
    });
    let keys: Vec<String> = keys.collect();
    let more = "[[opponents]]\nagent = \"random\"\n".repeat(3);
    let text = format!("{SMALL}\n{more}[sweep]\nover = [{}]\n", keys.join(", "));
    let swept = Config::parse(&text, "test.toml")
        .unwrap()
        .swept()
        .unwrap()
        .unwrap();
    assert_eq!(names(&swept), ["variant-1"]);
}

#[test]
fn a_resolved_sweep_is_read_back_unchanged() {
    for text in [
        "key = \"learner.q-learning.discount\"\nvalues = [0.5, 1.0]".to_owned(),
        "key = \"learner\"\nvalues = [{ sarsa = { discount = 1.0 } }, { q-learning = {} }]".to_owned(),
        format!("mode = \"latin-hypercube\"\nsamples = 5\nseed = 3\n{DRAWN}"),
        "over = [{ key = \"opponents\", values = [[\"random\"], [{ agent = \"minimax\", weight = 2.0 }]], \
         names = [\"one\", \"two\"] }, { key = \"patience\", from = 1, to = 3, count = 2 }]"
            .to_owned(),
    ] {
        let config = config(&text);
        let again = Config::parse(&config.to_toml(), "again.toml").unwrap();
        assert_eq!(again, config, "{}", config.to_toml());
        assert_eq!(again.swept().unwrap(), config.swept().unwrap());
    }
    // Whole numbers are written as people write them.
    let written = config("key = \"patience\"\nvalues = [1.0, 2]").to_toml();
    assert!(
        written.contains("[sweep]\nkey = \"patience\"\nvalues = [1, 2]\n"),
        "{written}"
    );
}

/// A run of a variant whose seeds have these win rates of O against random, and are unbeatable or not.
fn recorded(swept: &Swept, variant: usize, seeds: &[(f64, bool)]) -> Recorded {
    let of = &swept.variants[variant];
    let row = |seed: usize, opponent: &str, win: f64| MetricsRow {
        seed: seed as u64 + 1,
        epoch: 1,
        episodes: 10,
        side: Side::O,
        opponent: opponent.to_owned(),
        policy: None,
        method: EvaluationMethod::Exact,
        games: None,
        distinct_games: None,
        effective_games: None,
        win_rate: win,
        draw_rate: 1.0 - win,
        loss_rate: 0.0,
        win_low: None,
        win_high: None,
    };
    let seeds = || seeds.iter().enumerate();
    let rows = seeds().flat_map(|(seed, &(win, _))| {
        let worst = WORST_OPPONENTS.map(|opponent| row(seed, opponent, 0.0));
        [row(seed, "random", win), row(seed, "minimax", 0.0)]
            .into_iter()
            .chain(worst)
    });
    Recorded {
        name: swept.title(of),
        metrics: rows.collect(),
        training: seeds()
            .map(|(seed, &(_, safe))| TrainingRow {
                seed: seed as u64 + 1,
                epoch: 1,
                episodes: 10,
                side: Side::O,
                value_error: None,
                success: None,
                holds: None,
                score_loss: None,
                won_openings: None,
                discs_lost: None,
                optimal_move_rate: None,
                worst_case: Some(if safe { Value::Draw } else { Value::Loss }),
            })
            .collect(),
        config: of.config.clone(),
        finished: true,
    }
}

fn prepared(run: &Recorded) -> Experiment {
    Experiment::prepare(run.config.clone(), &stage(run.config.game)).unwrap()
}

#[test]
fn variants_are_ranked_by_unbeatable_seeds_and_then_by_the_rate() {
    let swept = swept(&format!(
        "over = [{{ key = \"{DISCOUNT}\", values = [0.1, 0.2, 0.3, 0.4] }}]"
    ));
    let seeds = [
        [(0.9, false), (0.9, true)],
        [(0.5, true), (0.7, true)],
        [(0.6, true), (0.8, true)],
        [(0.5, true), (0.7, true)],
    ];
    let runs = seeds
        .iter()
        .enumerate()
        .map(|(i, seeds)| recorded(&swept, i, seeds));
    let standings: Vec<Standing> = runs.map(|run| Standing::of(&run)).collect();
    assert_eq!(standings[2].unbeatable, Some(2));
    assert_eq!(standings[2].rates, [0.6, 0.8]);
    assert_eq!(ranking(&standings), [2, 1, 3, 0]);
}

/// With rates this close to each other, a may equal b, and b may equal c, while a is less than c.
#[test]
fn variants_whose_rates_hardly_differ_are_ranked_by_steps() {
    let step = 0.4 * TOLERANCE;
    let standing = |i: usize| Standing {
        unbeatable: None,
        rates: vec![0.5 + (i * 7 % 32) as f64 * step],
    };
    let standings: Vec<Standing> = (0..32).map(standing).collect();
    let found = ranking(&standings);
    let rate = |i: usize| standings[i].rates[0];
    // By a slow, obvious version: the best one left, followed in order by those that equal it.
    let mut left: Vec<usize> = (0..32).collect();
    let mut expected = Vec::new();
    while !left.is_empty() {
        let best = left.iter().map(|&i| rate(i)).fold(0.0, f64::max);
        let (equal, behind) = left.iter().partition(|&&i| best - rate(i) <= TOLERANCE);
        expected.extend::<Vec<usize>>(equal);
        left = behind;
    }
    assert_eq!(found, expected);
    assert!(standings[found[0]].equals(&standings[found[1]]));
    assert!(!standings[found[0]].equals(&standings[found[31]]));
}

#[test]
fn two_keys_give_tables_and_more_keys_parallel_coordinates() {
    let initial = "{ key = \"learner.q-learning.initial_value\", values = [1, 0] }";
    let product = swept(&format!(
        "over = [{{ key = \"{DISCOUNT}\", values = [0.5, 0.1] }}, {initial}]"
    ));
    // The rates are 0.1 for the first variant, 0.2 for the second and so on.
    let runs = |swept: &Swept| -> Vec<Recorded> {
        let all = 0..swept.variants.len();
        all.map(|i| recorded(swept, i, &[(0.1 * (i + 1) as f64, i == 2)]))
            .collect()
    };
    let found = runs(&product);
    let drawn = |swept: &Swept, found: &[Recorded]| {
        let picture = by_sweep(swept, found, &prepared(&found[0])).unwrap();
        picture.svg().unwrap()
    };
    let picture = grid(&product, &found).unwrap();
    assert_eq!(drawn(&product, &found), picture.svg().unwrap());
    // In the order of the numbers, not of the list.
    assert_eq!(picture.rows.names, ["0.1", "0.5"]);
    assert_eq!(picture.columns.names, ["0", "1"]);
    let titles: Vec<&str> = picture
        .tables
        .iter()
        .map(|table| table.title.as_str())
        .collect();
    assert_eq!(
        titles,
        ["O: unbeatable seeds", "O: win rate against random"]
    );
    let rates = &picture.tables[1].cells;
    let expected = [[0.4, 0.3], [0.2, 0.1]];
    for (row, expected) in rates.iter().zip(expected) {
        for (cell, expected) in row.iter().zip(expected) {
            assert!((cell.unwrap() - expected).abs() < 1e-12, "{rates:?}");
        }
    }
    assert_eq!(picture.tables[0].cells[0], [Some(0.0), Some(1.0)]);
    assert!(
        picture
            .caption
            .contains("O: win rate against minimax (0.0000)"),
        "{}",
        picture.caption
    );

    let zip = swept(&format!(
        "mode = \"zip\"\nover = [{{ key = \"{DISCOUNT}\", values = [0.1, 0.5] }}, {initial}]"
    ));
    let found = runs(&zip);
    let picture = parallel(&zip, &found).unwrap();
    assert_eq!(drawn(&zip, &found), picture.svg().unwrap());
    let labels: Vec<&str> = picture
        .axes
        .iter()
        .map(|axis| axis.label.as_str())
        .collect();
    assert_eq!(
        labels,
        ["discount", "initial_value", "O: win rate against random"]
    );
    // The better one is on top: it is higher by its discount and its rate, and lower by its initial value.
    let best = picture.lines.last().unwrap();
    assert_eq!(best.heights, [0.75, 0.25, 1.0]);
    assert_eq!(picture.lines[0].heights, [0.25, 0.75, 0.0]);
    let ticks: Vec<(f64, &str)> = picture.axes[0]
        .ticks
        .iter()
        .map(|(at, text)| (*at, text.as_str()))
        .collect();
    assert_eq!(ticks, [(0.25, "0.1"), (0.75, "0.5")]);
    // Fewer losses rank higher.
    let mut found = found;
    for (run, losses) in found.iter_mut().zip([0.5, 0.25]) {
        let mut rows = run.metrics.iter_mut();
        rows.find(|row| row.opponent == "random").unwrap().loss_rate = losses;
    }
    let picture = parallel(&zip, &found).unwrap();
    let axis = picture.axes.last().unwrap();
    assert_eq!(axis.label, "O: loss rate against random");
    assert!(
        axis.ticks.contains(&(1.0, "0.25".to_owned())),
        "{:?}",
        axis.ticks
    );
    assert_eq!(picture.lines.last().unwrap().heights.last(), Some(&1.0));

    // Variants share a curve, and so a spread: the one of the variant with the most seeds.
    let numbers = swept(&format!("key = \"{DISCOUNT}\"\nvalues = [0.1, 0.5]"));
    let of_seeds = |i, seeds| recorded(&numbers, i, &vec![(0.5, false); seeds]);
    let drawn_of =
        |seeds: [usize; 2]| drawn(&numbers, &[of_seeds(0, seeds[0]), of_seeds(1, seeds[1])]);
    let svg = drawn_of([3, 5]);
    assert!(
        svg.contains("mean over 3 to 5 seeds, with a 10–90 % band"),
        "{svg}"
    );
    let svg = drawn_of([1, 3]);
    assert!(
        svg.contains("mean over 1 to 3 seeds, each of which is a thin line"),
        "{svg}"
    );

    // One key whose values are words has a row for each and a column for each measure.
    let words = swept("key = \"learner.q-learning.fold_symmetries\"\nvalues = [true, false]");
    let mut found = runs(&words);
    let picture = grid(&words, &found).unwrap();
    assert_eq!(drawn(&words, &found), picture.svg().unwrap());
    assert_eq!(picture.rows.names, ["true", "false"]);
    assert_eq!(picture.columns.names, ["O: win rate against random"]);
    assert!(picture.by_column);
    for (i, run) in found.iter_mut().enumerate() {
        run.training[0].optimal_move_rate = Some(0.91 - 0.005 * i as f64);
        run.training[0].value_error = Some(0.5 + i as f64);
    }
    let picture = grid(&words, &found).unwrap();
    assert_eq!(
        picture.columns.names,
        [
            "O: optimal-move rate",
            "O: win rate against random",
            "O: value error"
        ]
    );
    assert_eq!(picture.tables[0].turned, [true, true, false]);
    let svg = picture.svg().unwrap();
    assert!(svg.contains("0.9100") && svg.contains("0.9050"), "{svg}");
    // Values in different units are not measured alike, which the caption says.
    let mut found = runs(&product);
    for run in &mut found {
        run.training[0].value_error = Some(0.5);
    }
    let picture = grid(&product, &found).unwrap();
    assert_eq!(picture.tables.len(), 2);
    let sentence = ". Value errors are in different units, so they are not drawn: discount = 0.5";
    assert!(picture.caption.contains(sentence), "{}", picture.caption);
    let initials = swept("key = \"learner.q-learning.initial_value\"\nvalues = [0.1, 0.5]");
    for (swept, is_alike) in [(&numbers, false), (&initials, true)] {
        let mut found = runs(swept);
        for run in &mut found {
            run.training[0].value_error = Some(0.5);
        }
        let svg = drawn(swept, &found);
        assert_eq!(svg.contains("O: value error"), is_alike, "{svg}");
        let sentence = "Value errors are in different units, so they are not drawn: ";
        assert_eq!(svg.contains(sentence), !is_alike, "{svg}");
    }
}

#[test]
fn of_many_variants_only_the_curves_of_the_best_are_named() {
    let swept = swept(&format!(
        "over = [{{ key = \"{DISCOUNT}\", from = 0, to = 1, count = 4 }}, \
         {{ key = \"learner.q-learning.fold_symmetries\", values = [true, false] }}, \
         {{ key = \"learner.q-learning.initial_value\", values = [0, 1] }}]"
    ));
    let all = 0..swept.variants.len();
    let mut runs: Vec<Recorded> = all
        .map(|i| recorded(&swept, i, &[(0.05 * i as f64, false); 2]))
        .collect();
    for (i, run) in runs.iter_mut().enumerate() {
        for row in &mut run.training {
            row.value_error = Some(i as f64);
        }
    }
    let drawn = |runs: &[Recorded], metrics: &[Metric]| {
        let all = Only::default();
        compare(runs, &prepared(&runs[0]), metrics, &all, Some(&swept)).unwrap()
    };
    let names = |figure: &Figure| -> Vec<String> {
        let series = figure.groups[0][0].series.iter();
        series.map(|series| series.stroke.name.clone()).collect()
    };
    let figure = drawn(&runs, &[]);
    let no_bands = "The spread is not drawn for more than 3 runs.";
    assert!(figure.caption.contains(no_bands), "{}", figure.caption);
    assert!(!drawn(&runs[..3], &[]).caption.contains(no_bands));
    // A share of the seeds has no band.
    let share = drawn(&runs, &[Metric::UnbeatableSeeds]);
    assert!(!share.caption.contains(no_bands), "{}", share.caption);
    let found = names(&figure);
    assert_eq!(found.len(), 16);
    let others = "the 11 that rank behind by unbeatable seeds and win rate";
    assert!(found[..11].iter().all(|name| name == others), "{found:?}");
    let last = "discount = 1, fold_symmetries = false, initial_value = 1";
    assert_eq!(found[15], last);
    // They are the best by what is drawn: the last has the highest.
    let found = names(&drawn(&runs, &[Metric::ValueError]));
    assert_eq!(found[0], "the 11 that rank behind by O: value error");
    assert_eq!(
        found[15],
        "discount = 0, fold_symmetries = true, initial_value = 0"
    );
    assert_eq!(names(&drawn(&runs, &[Metric::WinRate]))[15], last);
    // Draws are not good or bad: the variant with the most has the fewest wins.
    let found = names(&drawn(&runs, &[Metric::DrawRate]));
    assert_eq!((found[0].as_str(), found[15].as_str()), (others, last));
    for i in [9, 10] {
        runs[i].metrics = runs[11].metrics.clone();
        runs[i].training = runs[11].training.clone();
    }
    let equal = "11 others; 2 of them tie with number 5 by unbeatable seeds and win rate";
    assert_eq!(names(&drawn(&runs, &[]))[0], equal);
}

const COLORS: [(u8, u8, u8); 3] = [(0, 0, 0), (100, 0, 200), (200, 100, 0)];

#[test]
fn colours_are_mixed_along_their_scale() {
    assert_eq!(mixed(&COLORS, 0.0), (0, 0, 0));
    assert_eq!(mixed(&COLORS, 0.25), (50, 0, 100));
    assert_eq!(mixed(&COLORS, 0.75), (150, 50, 100));
    assert_eq!(mixed(&COLORS, 1.0), (200, 100, 0));
}

fn count(colors: &[(u8, u8, u8)], color: (u8, u8, u8)) -> usize {
    colors.iter().filter(|&&found| found == color).count()
}

#[test]
fn the_cells_of_a_grid_have_the_colours_of_their_numbers() {
    let names = |all: &[&str]| Names {
        label: "label".to_owned(),
        names: all.iter().map(|name| (*name).to_owned()).collect(),
    };
    let picture = |cells: Vec<Vec<Option<f64>>>| Grid {
        title: "title".to_owned(),
        subtitle: String::new(),
        rows: names(&["a", "b"]),
        columns: names(&["c", "d"]),
        tables: vec![GridTable {
            title: String::new(),
            turned: vec![false; cells.first().map_or(0, Vec::len)],
            spans: Vec::new(),
            cells,
        }],
        by_column: true,
        ends: None,
        colors: COLORS.to_vec(),
        caption: String::new(),
    };
    let (_, drawn) = pixels(&picture(vec![
        vec![Some(1.0), Some(7.0)],
        vec![Some(3.0), None],
    ]));
    // Each column has its own scale; a single number counts as the greatest.
    let [low, high] = [COLORS[0], COLORS[2]].map(|color| count(&drawn, color));
    let nothing = count(&drawn, (0xee, 0xee, 0xee));
    assert!(nothing > 8000, "{nothing}");
    // Two cells minus their numbers, and one.
    assert!(high > 15_000 && high < 2 * nothing, "{high} {nothing}");
    assert!(low > 7000, "{low}");
    // Where the column with two numbers is turned, they change places, and a single number has the other colour.
    let mut turned = picture(vec![vec![Some(1.0), Some(7.0)], vec![Some(3.0), None]]);
    turned.tables[0].turned = vec![true; 2];
    let (_, drawn) = pixels(&turned);
    let [low, high] = [COLORS[0], COLORS[2]].map(|color| count(&drawn, color));
    assert!(low > 15_000 && high > 7000 && high < low, "{low} {high}");
    // Numbers that differ by less than the span of a column have colours that differ by less.
    let mut alike = picture(vec![vec![Some(0.90), None], vec![Some(0.91), None]]);
    alike.tables[0].spans = vec![0.1; 2];
    let (_, drawn) = pixels(&alike);
    let [low, high] = [0.45, 0.55].map(|share| count(&drawn, mixed(&COLORS, share)));
    assert!(low > 5000 && high > 5000, "{low} {high}");
    // And digits that tell them apart all the same.
    let mut near = picture(vec![
        vec![Some(0.0), Some(0.0058)],
        vec![Some(0.0003), None],
    ]);
    near.by_column = false;
    near.tables[0].spans = vec![0.1; 2];
    let svg = near.svg().unwrap();
    assert!(svg.contains("0.0058") && svg.contains("0.0003"), "{svg}");
    let svg = picture(vec![vec![Some(0.125), None], vec![None, None]])
        .svg()
        .unwrap();
    assert!(svg.contains("0.12"), "{svg}");
    let long = Grid {
        columns: names(&["O: loss rate against most-losses", "d"]),
        ..picture(vec![vec![Some(0.125), None]; 2])
    };
    let svg = long.svg().unwrap();
    assert!(svg.contains("losses") && !svg.contains('…'), "{svg}");
    // As many columns as one likes, and no row at all.
    let none = Grid {
        rows: names(&[]),
        ..picture(Vec::new())
    };
    assert!(none.png().is_ok());
    let many: Vec<String> = (0..500).map(|i| i.to_string()).collect();
    let many = Grid {
        columns: Names {
            label: String::new(),
            names: many,
        },
        ..picture(vec![vec![Some(0.5); 500]; 2])
    };
    assert!(many.png().is_ok());
}

#[test]
fn a_line_of_parallel_coordinates_runs_from_axis_to_axis() {
    let axis = |label: &str| ParallelAxis {
        label: label.to_owned(),
        ticks: vec![(0.0, "0".to_owned()), (1.0, "1".to_owned())],
    };
    let line = |heights: [f64; 2], color| ParallelLine {
        heights: heights.to_vec(),
        color,
        width: 2,
    };
    let picture = Parallel {
        title: String::new(),
        subtitle: String::new(),
        axes: vec![axis("left_axis"), axis("right axis")],
        lines: vec![line([0.0, 1.0], (1, 2, 3)), line([0.5, 0.5], (201, 0, 0))],
        caption: "below".to_owned(),
    };
    let svg = picture.svg().unwrap();
    assert!(svg.contains("left_axis") && svg.contains("right axis") && svg.contains("below"));
    let (width, drawn) = pixels(&picture);
    let rows = |color: (u8, u8, u8)| {
        let found = drawn.iter().enumerate();
        let found = found.filter(move |(_, found)| **found == color);
        found.map(|(i, _)| i / width).collect::<BTreeSet<usize>>()
    };
    // One goes over the whole height, the other one is level: two pixels, doubled.
    let [steep, level] = [(1, 2, 3), (201, 0, 0)].map(rows);
    assert!(steep.len() > 600, "{}", steep.len());
    assert!((3..=4).contains(&level.len()), "{level:?}");
    let height = |rows: &BTreeSet<usize>| (rows.first().unwrap() + rows.last().unwrap()) / 2;
    assert!(height(&steep).abs_diff(height(&level)) <= 3);
}

/// The blocks of TOML on the page, put into configs for either side.
#[test]
fn the_sweeps_on_the_page_work() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/sweeps.md");
    let page = std::fs::read_to_string(path).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    let blocks: Vec<&str> = blocks
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 2);
    for side in ["x", "o", "both"] {
        let variants = |base: &str, block: &str| {
            let table: toml::Table = base.parse().unwrap();
            let plain = Config::parse(&toml::to_string(&table).unwrap(), "test.toml").unwrap();
            let set = [format!("side={side}")];
            let text = plain.with_overrides(&set).unwrap().to_toml() + block;
            Config::parse(&text, side)
                .unwrap()
                .variants()
                .unwrap()
                .len()
        };
        assert_eq!(variants(SMALL_TREE, blocks[0]), 7);
        assert_eq!(variants(SMALL, blocks[1]), 8 * 3);
    }
}
