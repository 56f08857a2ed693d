//! Summaries of samples.

use playlab::stats::{Sum, quantile};

#[test]
fn quantiles_interpolate() {
    let values = [3.0, 1.0, 2.0, 4.0];
    assert_eq!(
        [0.0, 0.5, 1.0].map(|level| quantile(&values, level)),
        [1.0, 2.5, 4.0]
    );
    assert!((quantile(&values, 0.1) - 1.3).abs() < 1e-15);
    assert_eq!(quantile(&[7.0], 0.9), 7.0);
    assert!(quantile(&[], 0.5).is_nan());
}

#[test]
fn sums_lose_nothing_to_rounding() {
    // No float is 2^53 + 1. What rounding loses is kept, whichever way the terms are added.
    let big = 2f64.powi(53);
    let (mut sum, mut same) = (Sum::default(), Sum::default());
    sum.add(big);
    same.add(big);
    for term in [1.0, 1.0, 0.75, 0.125] {
        sum.add(term);
        same.add_smaller(term);
        assert_eq!(format!("{sum:?}"), format!("{same:?}"));
    }
    assert_eq!(sum.total(), big + 2.0);
    // No float is exactly 0.1.
    let (mut sum, mut same) = (Sum::default(), Sum::default());
    sum.add(2.0);
    same.add(2.0);
    for _ in 0..1_000_000 {
        sum.add(0.1);
        same.add_smaller(0.1);
    }
    assert_eq!(sum.total(), 100_002.0);
    assert_eq!(format!("{sum:?}"), format!("{same:?}"));
}
