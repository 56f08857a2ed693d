//! Words for people.

use std::time::{Duration, SystemTime};

use playlab::text::{
    bound, counts, elo, hint, nearest, one_of, out_of, rate, thousands, timestamp, value,
};

#[test]
fn expected_numbers_are_named_or_summarized() {
    for (numbers, expected) in [
        (vec![3], "3"),
        (vec![1, 2, 3], "1 to 3"),
        (vec![5, 2, 8], "one of 2, 5, 8"),
        ((1..=1000).collect(), "1 to 1,000"),
        (
            (1..=1000).step_by(3).collect(),
            "one of the 334 from 1 to 1,000",
        ),
    ] {
        assert_eq!(one_of(&numbers), expected);
    }
}

#[test]
fn one_thing_is_not_called_many() {
    for (numbers, expected) in [
        (vec![1, 1], "1 game"),
        (vec![1, 1_000], "1 to 1,000 games"),
        (vec![0], "0 games"),
        (vec![2, 2], "2 games"),
    ] {
        assert_eq!(counts(numbers, "game"), expected);
    }
}

#[test]
fn a_slip_finds_its_word_and_nonsense_finds_none() {
    let names = ["minimax", "random", "self"];
    assert_eq!(nearest("minmax", names), Some("minimax"));
    assert_eq!(nearest("randmo", names), Some("random"));
    assert_eq!(nearest("stockfish", names), None);
    assert_eq!(nearest("z", ["x", "o"]), None);
    // Nearest to the first by edits, which are too many for so short a name.
    assert_eq!(nearest("disct", ["dis", "discount"]), Some("discount"));
    // One extra letter is one edit, which this name allows; two are too many.
    assert_eq!(nearest("selfx", ["self"]), Some("self"));
    assert_eq!(nearest("selfxx", ["self"]), None);
    assert_eq!(nearest("nope", ["mode"]), None);
    // A whole part of a name stands for the shortest name that has it.
    let rates = ["game", "critic_learning_rate", "learning_rate"];
    assert_eq!(nearest("Rate", rates), Some("learning_rate"));
    let lengths = ["episodes_per_epoch", "epochs"];
    assert_eq!(nearest("epoch", lengths), Some("epochs"));
    assert_eq!(nearest(&"discount".repeat(100_000), ["discount"]), None);
    // Names that are used elsewhere.
    let games = ["tic-tac-toe", "connect-four", "othello"];
    for (word, game) in [("TTT", 0), ("Connect4", 1), ("reversi", 2)] {
        assert_eq!(nearest(word, games), Some(games[game]), "{word}");
    }
    let sizes = ["hex-5x5", "connect-four-5x5", "othello-6x6"];
    assert_eq!(nearest("reversi-6x6", sizes), Some("othello-6x6"));
    assert_eq!(nearest("C4-5x5", sizes), Some("connect-four-5x5"));
    assert_eq!(nearest("c4-7x6", games), Some("connect-four"));
    assert_eq!(
        hint("stockfish", names),
        ", expected one of: minimax, random, self"
    );
}

#[test]
fn a_value_is_a_number_where_it_can_be() {
    let number = toml::Value::Float;
    for (text, read) in [
        (".5", number(0.5)),
        ("-.5", number(-0.5)),
        ("1.", number(1.0)),
        ("1e30", number(1e30)),
        ("99999999999999999999", number(1e20)),
        ("3", toml::Value::Integer(3)),
        (
            "[0.5, 3]",
            toml::Value::Array(vec![number(0.5), toml::Value::Integer(3)]),
        ),
    ] {
        assert_eq!(value(text), read, "{text}");
    }
    for word in [".", "-", "1.2.3", "..", "o", ".5x"] {
        assert_eq!(value(word), toml::Value::String(word.to_owned()));
    }
}

#[test]
fn thousands_are_set_apart() {
    assert_eq!(out_of(12, 1000), "12 of 1,000");
    assert_eq!(
        [-1000.0, 0.25, 1e100].map(bound),
        ["-1,000", "0.25", "1e100"]
    );
    assert_eq!([-0.4, 0.5, -1290.7].map(elo), ["+0", "+1", "-1291"]);
    let texts = [0, 999, 1000, 1_234_567].map(thousands);
    assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
}

#[test]
fn a_rate_reads_as_0_or_1_only_if_it_is() {
    for (value, expected) in [
        (0.0, "0.0000"),
        (1e-15, "0.0000"),
        (1e-9, "<0.0001"),
        (0.00006, "0.0001"),
        (0.25, "0.2500"),
        (0.99994, "0.9999"),
        (1.0 - 1e-9, ">0.9999"),
        (1.0 - 1e-15, "1.0000"),
        (1.0, "1.0000"),
    ] {
        assert_eq!(rate(value, 4), expected, "{value}");
    }
}

#[test]
fn every_time_of_a_clock_can_be_written() {
    let epoch = SystemTime::UNIX_EPOCH;
    let at = |seconds| timestamp(epoch + Duration::from_secs(seconds));
    assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(at(253_402_300_799), "9999-12-31T23:59:59Z");
    assert_eq!(at(253_402_300_800), "9999-12-31T23:59:59Z");
    assert_eq!(
        timestamp(epoch - Duration::from_secs(1)),
        "1970-01-01T00:00:00Z"
    );
}

#[test]
fn names_that_are_used_elsewhere_are_found() {
    let names = ["simulations", "discount", "learning_rate", "epsilon"];
    let found = ["sims", "gamma", "lr", "eps"].map(|word| nearest(word, names).unwrap());
    assert_eq!(found, names);
    assert_eq!(nearest("gama", ["game", "discount"]), Some("discount"));
    assert_eq!(nearest("MCTS", ["minimax", "mcts"]), Some("mcts"));
}
