//! Words for people.

use playlab::text::{hint, nearest, thousands};

#[test]
fn a_slip_finds_its_word_and_nonsense_finds_none() {
    let names = ["minimax", "random", "self"];
    assert_eq!(nearest("minmax", names), Some("minimax"));
    assert_eq!(nearest("randmo", names), Some("random"));
    assert_eq!(nearest("stockfish", names), None);
    assert_eq!(nearest("z", ["x", "o"]), None);
    assert_eq!(
        hint("stockfish", names),
        ", expected one of: minimax, random, self"
    );
}

#[test]
fn thousands_are_set_apart() {
    let texts = [0, 999, 1000, 1_234_567].map(thousands);
    assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
}
