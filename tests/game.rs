//! Keys and sets of moves.

use playlab::game::{Key, Moves, Outcome, Side, Value};

#[test]
fn keys_are_numbers() {
    let halves = [1, 3 << 64 | 4];
    assert_eq!(Key::from(halves).halves(), halves);
    assert_eq!(Key::from(7u64).to_u64(), Some(7));
    assert_eq!(Key::from(1u128 << 64).to_u64(), None);
    assert_eq!(Key::from([1, 7]).to_u64(), None);
    assert!(Key::from([1u128, 0]) > Key::from(u128::MAX));
    assert!(Key::from(1u128 << 64) > Key::from(u64::MAX));
}

#[test]
fn an_outcome_and_its_worth_to_a_side_determine_each_other() {
    for side in Side::BOTH {
        for value in [Value::Loss, Value::Draw, Value::Win] {
            assert_eq!(Outcome::of(value, side).for_side(side), value);
            assert_eq!(Outcome::of(value, side).for_side(!side), value.opposite());
        }
    }
}

#[test]
fn sets_know_the_order_of_their_moves() {
    for bits in [
        1u128,
        0x8421,
        u128::MAX,
        7 << 62,
        1 << 127 | 1 << 63,
        0b1011 << 90,
    ] {
        let wide = Moves::from_bits(bits);
        let narrow = Moves::from_bits(bits as u64);
        assert_eq!(Moves::from_moves(wide), wide);
        assert_eq!(narrow.widen().bits(), u128::from(bits as u64));
        for (rank, mv) in wide.enumerate() {
            assert!(bits >> mv.index() & 1 == 1 && wide.contains(mv));
            assert_eq!(wide.get(rank), mv);
            assert_eq!(narrow.contains(mv), mv.index() < 64);
        }
        assert_eq!(wide.count(), bits.count_ones() as usize);
        for (rank, mv) in narrow.enumerate() {
            assert_eq!(narrow.get(rank), mv);
        }
    }
}
