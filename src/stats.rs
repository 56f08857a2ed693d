//! Summaries of samples.

/// The quantile of this level in [0, 1], with linear interpolation between
/// neighbours (type 7 of Hyndman & Fan 1996). NaN without a value.
/// Panics if the level is outside of [0, 1].
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
