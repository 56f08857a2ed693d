//! The correction for multiple tests.

use super::ascending;

/// Adjusts the p-values of several tests: if every adjusted value of at most 0.05 is called a difference, the
/// probability of any false call is at most 0.05, however the tests depend on each other (Holm 1979).
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; ps.len()];
    let mut largest = 0.0f64;
    for (rank, i) in ascending(ps).into_iter().enumerate() {
        largest = largest.max(ps[i] * (ps.len() - rank) as f64).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}
