//! Summaries of samples.

/// The quantile of this level in [0, 1], with linear interpolation between
/// neighbours (type 7 of Hyndman & Fan 1996). NaN without a value.
///
/// # Panics
///
/// If the level is outside of [0, 1].
pub fn quantile(values: &[f64], level: f64) -> f64 {
    assert!(
        (0.0..=1.0).contains(&level),
        "a quantile's level is in [0, 1]"
    );
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = level * last as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The mean; NaN without a value.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
