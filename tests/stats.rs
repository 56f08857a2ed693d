//! Summaries of samples.

use playlab::stats::quantile;

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
